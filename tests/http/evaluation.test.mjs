/* Evaluations: people classify images of two sets that are mixed, none of which they have seen, and hear nothing; once they are
 * through, they are in every table that models are in. */
import assert from 'node:assert/strict';
import path from 'node:path';
import { before, test } from 'node:test';

import { Client, PASSWORD, holdout, must, tempDir, until, wholeFile } from './lib.mjs';
import { MODELS, SETS, WNIDS, addModels, writer } from './model_world.mjs';
import { newToken, startStudy } from './study.mjs';
import { routes } from './routes.mjs';
import { sqlite } from '../load/tools.mjs';

const t = wholeFile();
const API = '/api/v1/evaluations';
const PEOPLE = ['ada', 'grace', 'kim'];
let dir, lead, url, file;
const who = {};

before(async () => {
  const study = await startStudy(t, { env: { HOLDOUT_JOBS_JOBS_AT_ONCE: '1' } });
  ({ dir } = study);
  url = study.server.url;
  file = writer(tempDir(t));
  await addModels(dir, file);
  const password = file('password', `${PASSWORD}\n`);
  for (const login of [...PEOPLE, 'bea']) await must(['user', 'add', dir, login, '--role', 'expert', '--password-file', password]);
  lead = await new Client(url).login('lead');
  for (const login of [...PEOPLE, 'bea']) who[login] = await new Client(url).login(login);
});

const create = (name, ...options) => holdout(['evaluation', 'create', dir, name, ...options]);
const csv = (text) => {
  const [head, ...rows] = text.trim().split('\n').map((line) => line.split(','));
  return rows.map((row) => Object.fromEntries(head.map((k, i) => [k, row[i]])));
};
const next = async (login, name = 'both') => (await who[login].json('GET', `${API}/${name}/next`)).body;
const say = (login, position, wnid, ms = 5000, name = 'both') =>
  who[login].json('POST', `${API}/${name}/items/${position}`, { wnid, active_ms: ms });
const people = async (name = 'both') => Object.fromEntries((await lead.json('GET', `${API}/${name}`)).body.who.map((p) => [p.login, p]));

test('a list is made of images that nobody in it has seen, as many of each class, and refused when there are too few', async () => {
  /* Bea opens two originals: they are left out of what is hers. */
  const ids = (await lead.json('GET', '/api/v1/images?limit=200')).body.items.filter((i) => /n00000001-original-[01]$/.test(i.image)).map((i) => i.id);
  for (const id of ids) assert.equal((await who.bea.get(`/images/${id}/view`)).status, 200);
  let seen = 0;
  for (let tries = 0; tries < 50 && seen !== 2; tries++) {
    const r = await create('all', '--original', 'originals', '--images', '12', '--people', 'bea', '--dry-run');
    seen = Number(/bea has seen (\d+) images/.exec(r.err)?.[1] ?? 0);
  }
  const few = await create('all', '--original', 'originals', '--images', '12', '--people', 'ada,bea');
  assert.equal(few.code, 1);
  assert.match(few.err, /The class n00000001 of originals\/0 has 4 images that can be shown and that none of the people has seen, and 6 are wanted. bea has seen 2 images: leave them out, or ask for fewer/);
  /* So are near-duplicates of what she saw, of images that are sealed, and of another one of the list. */
  const name = (wnid, n) => SETS.originals.filter((s) => s.wnid === wnid)[n].image;
  await must(['import', 'near-duplicates', dir, file('pairs.csv', `a,b\n${name(WNIDS[0], 0)},${name(WNIDS[0], 2)}\n${name(WNIDS[0], 3)},${name(WNIDS[0], 4)}\n`
    + `${name(WNIDS[1], 0)},${SETS.closed[0].image}\n`)]);
  const near = await create('near', '--original', 'originals', '--images', '4', '--people', 'bea', '--dry-run');
  assert.equal(near.code, 0, near.err);
  assert.match(near.err, /originals: 3 images were left out because one of the people had seen them, 1 of these as near-duplicates/);
  assert.match(near.err, /originals: 1 images were left out because they are near-duplicates of sealed ones/);
  assert.match(near.err, /originals: 1 images cannot be shown, show the same photo/);
  await sqlite(path.join(dir, 'holdout.db'), 'DELETE FROM near_duplicate');

  const fewer = await create('four', '--original', 'originals', '--images', '8', '--people', 'bea', '--seed', '3');
  assert.equal(fewer.code, 0, fewer.err);
  assert.match(fewer.err, /originals: 2 images were left out because one of the people had seen them/);
  for (const [options, why] of [
    [['--original', 'originals', '--people', 'nobody'], /There is no account nobody with the role expert/],
    [['--original', 'originals', '--images', '99'], /The whole of originals\/0 has 12 images/],
    [['--new', 'closed', '--by', 'hardest'], /sealed/],
    [['--original', 'originals', '--classes', 'n00000009'], /n00000009/],
    [[], /name the sets/],
    [['--original', 'originals', '--classes', 'n00000001', '--among'], /are of 1 classes, and people choose among 2 to 30/],
  ]) {
    const r = await create('bad', ...options);
    assert.notEqual(r.code, 0, options.join(' '));
    assert.match(r.err, why);
  }
  assert.match((await create('four', '--original', 'originals')).err, /There is an evaluation four already/);
  assert.match((await create('.x', '--original', 'originals')).err, /must be 1 to 63 letters/);
});

test('the hardest are those that fewest models have right, with all ties, to choose among K classes', async () => {
  const r = await create('hard', '--original', 'originals', '--new', 'fresh', '--by', 'hardest', '--images', '3', '--models', 'sharp,dull', '--among', '--seed', '5');
  assert.equal(r.code, 0, r.err);
  /* By the world's own rule: which images each model has wrong. */
  const hardest = (set) => {
    const right = SETS[set].map((_, i) => Object.values(MODELS).filter((m) => i % m[set] !== m[set] - 1).length);
    const cut = [...right].sort((a, b) => a - b)[2];
    return right.filter((n) => n <= cut).length;
  };
  const facts = (await lead.json('GET', `${API}/hard`)).body;
  assert.deepEqual(facts.sets.map((s) => s.images), [hardest('originals'), hardest('fresh')]);
  assert.deepEqual([facts.by, facts.classes, facts.models], ['hardest', 2, 'sharp,dull']);
});

test('people at work see their own next image and nothing else about images, and leads who do not take part none', async () => {
  const made = await create('both', '--original', 'originals', '--new', 'fresh', '--images', '10', '--people', PEOPLE.join(), '--seed', '11');
  assert.equal(made.code, 0, made.err);
  assert.match(made.err, /20 images for 3 people, each in an order of their own/);
  const ada = who.ada, token = (await newToken(dir, 'ada', 'expert')).token;
  assert.equal((await ada.get('/')).headers.get('location'), '/evaluations');
  for (const route of routes.filter((r) => r.role === 'expert' && !r.steps.includes('desk'))) {
    for (const headers of [{}, { authorization: `Bearer ${token}` }]) {
      const client = headers.authorization ? new Client(url) : ada;
      const r = await client.fetch(route.pattern.replace(/:[a-z]+/g, '1'), { method: route.method, headers: { ...headers, 'x-csrf-token': ada.csrf } });
      assert.equal(r.status, 403, route.name);
    }
  }
  const secrets = new RegExp([...SETS.originals, ...SETS.fresh].map((s) => s.image).concat(Object.keys(MODELS), 'originals', 'fresh', 'grace').join('|'));
  const { position, image_url: picture } = await next('ada');
  for (const address of ['/evaluations', '/evaluations/both', `/evaluations/both/${position}`, `${API}/both/next`]) {
    const r = await ada.get(address);
    assert.equal(r.status, 200, address);
    assert.match(r.headers.get('cache-control'), /no-store/, address);
    assert.doesNotMatch(await r.text(), secrets, address);
  }
  const image = await ada.get(picture);
  assert.match(image.headers.get('cache-control'), /no-store/);
  assert.equal(image.headers.get('etag'), null);
  /* Neither an image that is not their next, nor anybody else's list. */
  assert.equal((await ada.get(`/evaluations/both/${position + 1}/image`)).status, 404);
  assert.equal((await ada.get(`/evaluations/both/${position + 5}`)).headers.get('location'), `/evaluations/both/${position}`);
  assert.equal((await ada.get('/evaluations/four')).status, 403);
  assert.equal((await ada.get('/evaluations/four/0/image')).status, 403);
  assert.equal((await lead.get('/evaluations/both/0/image')).status, 403);
  assert.equal((await ada.json('GET', API)).status, 403);
  assert.equal((await ada.json('GET', `${API}/both`)).status, 403);
  assert.equal((await ada.json('GET', `${API}/both/answers.csv`)).status, 403);
});

test('an answer is given once: twice is the same, another is refused, two tabs and a double click too', async () => {
  const first = await next('ada');
  assert.equal((await say('ada', first.position, 'n99999999')).status, 404);
  assert.equal((await say('ada', first.position, '')).status, 400);
  assert.equal((await say('ada', first.position + 1, WNIDS[0])).status, 409);
  const both = await Promise.all([say('ada', first.position, WNIDS[0]), say('ada', first.position, WNIDS[0]), say('ada', first.position, WNIDS[1])]);
  assert.ok(both.filter((r) => r.status === 201).length >= 1 && both.some((r) => r.status === 409), JSON.stringify(both.map((r) => r.status)));
  assert.equal((await people()).ada.answered, 1);
  assert.equal((await next('ada')).answered, 1);

  /* Without scripts: a search, then a choice; the time that was taken before the search is kept. */
  const { position } = await next('ada');
  const found = await (await who.ada.post(`/evaluations/both/${position}`, { class_query: 'pear', active_ms: '1234', do: 'find' })).text();
  assert.match(found, /name="wnid" value="n00000002"/);
  assert.match(found, /name="active_ms" value="1234"/);
  assert.match(found, /Chosen lately/);
  const none = await who.ada.post(`/evaluations/both/${position}`, { do: 'save' });
  assert.equal(none.status, 400);
  assert.match(await none.text(), /Choose a class/);
  assert.equal((await who.ada.post(`/evaluations/both/${position}`, { wnid: WNIDS[1], active_ms: '2000', do: 'save' })).headers.get('location'), '/evaluations/both/next');
});

test('an image that somebody was shown elsewhere meanwhile is passed over, and nobody joins who knows one', async () => {
  const refused = await lead.json('POST', `${API}/both/change`, { do: 'add', login: 'bea' });
  assert.equal(refused.status, 409);
  assert.match(refused.body.detail, /They have seen \d+ of the evaluation's images elsewhere/);
  const early = await holdout(['label-review', 'create', dir, 'phase4', '--set', 'originals', '--evaluation', 'both']);
  assert.match(early.err, /3 people are not through with the evaluation both/);
  assert.match((await must(['evaluation', 'show', dir, 'both'])), /^login,role,model,state,answered,left/);
  assert.match((await holdout(['evaluation', 'show', dir, 'both'])).err, /bea cannot join: they have seen \d+ of its images/);

  /* Kim, as the person of the account, is shown the next image of theirs as a page, before the desk closes on them. */
  const { position } = await next('kim');
  const shown = (await must(['evaluation', 'show', dir, 'both', '--json']));
  assert.equal(JSON.parse(shown).who.length, 3);
  await must(['evaluation', 'change', dir, 'both', '--remove', 'kim']);
  const images = (await lead.json('GET', '/api/v1/images?limit=200')).body.items;
  const before = (await people()).kim.left;
  for (const i of images.filter((one) => SETS.originals.some((s) => s.image === one.image)).slice(0, 5)) await who.kim.get(`/images/${i.id}/view`);
  for (let i = 0; i < 100 && (await people()).kim.left === before; i++) await new Promise((done) => setTimeout(done, 20));
  await must(['evaluation', 'change', dir, 'both', '--add', 'kim']);
  const kim = (await people()).kim;
  assert.ok(kim.elsewhere > 0 && kim.left === 20 - kim.elsewhere, JSON.stringify(kim));
  assert.ok((await next('kim')).position >= position);

  /* A near-duplicate of a picture that they saw is as good as seen: it is passed over, and counted for whoever would join. */
  const bea = async () => (await lead.json('GET', `${API}/both`)).body.guests.find((g) => g.login === 'bea');
  const seen = await bea();
  assert.ok(seen.seen > 0 && seen.near === 0, JSON.stringify(seen));
  await sqlite(path.join(dir, 'holdout.db'), `INSERT INTO near_duplicate SELECT min(s.name, f.name), max(s.name, f.name), (SELECT max(id) FROM event), 1
    FROM image s, image f WHERE s.name LIKE '%n00000001-original-0' AND f.id = (SELECT m.image FROM evaluation_image m JOIN evaluation e ON e.id = m.evaluation
    WHERE e.name = 'both' AND m.side = 1 AND NOT EXISTS (SELECT 1 FROM evaluation_answer k WHERE k.evaluation = m.evaluation AND k.number = m.number) LIMIT 1);`);
  const { elsewhere, left } = (await people()).kim;
  assert.deepEqual([elsewhere, left], [kim.elsewhere + 1, kim.left - 1]);
  assert.deepEqual([(await bea()).seen, (await bea()).near], [seen.seen + 1, 1]);
  assert.match(await (await lead.get('/evaluations/both')).text(), /bea \(has seen \d+ of its images, 1 as\s+near-duplicates\)/);
  await sqlite(path.join(dir, 'holdout.db'), 'DELETE FROM near_duplicate');
});

test('who is through is a model of the group people; nothing says so before', async () => {
  assert.equal((await lead.json('GET', '/api/v1/models')).body.items.filter((m) => m.name.startsWith('person-')).length, 0);
  /* Everybody answers by a rule of their own: Ada always apple, the others what is most of the sets. */
  const rule = { ada: WNIDS[0], grace: WNIDS[1], kim: WNIDS[0] };
  for (const login of PEOPLE) {
    for (let at = await next(login); at.position !== null; at = await next(login)) {
      const r = await say(login, at.position, rule[login], login === 'grace' || (login === 'kim' && at.position % 2) ? 90000 : 3000);
      assert.equal(r.status, 201, JSON.stringify(r.body));
    }
  }
  const state = await people();
  for (const login of PEOPLE) {
    assert.deepEqual([state[login].state, state[login].predictions], ['through', true], login);
    assert.match(state[login].model, /^person-p[0-9a-z]{12}$/);
  }
  assert.ok(state.grace.seconds > 80 && state.ada.seconds < 5);
  const answers = csv(await (await lead.get(`${API}/both/answers.csv`)).text());
  assert.equal(answers.length, 40 + state.kim.answered);
  assert.deepEqual(csv(await must(['evaluation', 'export', dir, 'both'])), answers);

  /* As good as counting says. */
  const label = new Map([...SETS.originals, ...SETS.fresh].map((s) => [s.image, s.wnid]));
  const scores = (await lead.json('GET', '/api/v1/scores?original=originals&new=fresh')).body;
  const names = JSON.stringify(scores);
  for (const login of PEOPLE) assert.ok(names.includes(state[login].model), login);
  const table = csv(await must(['score', dir, '--original', 'originals', '--new', 'fresh', '--by', 'people', '--subset', 'evaluated:both']));
  assert.ok(table.some((row) => Object.values(row).includes(state.ada.model)));

  /* Fast images, and those that all people miss, counted here. */
  const by = new Map();
  for (const a of answers) by.set(a.image, [...(by.get(a.image) ?? []), a]);
  const fast = [...by.values()].filter((list) => list.length === 3 && list.every((a) => a.active_ms !== '') && list.map((a) => Number(a.active_ms)).sort((a, b) => a - b)[1] < 60000);
  assert.ok(fast.length > 0 && fast.length < by.size);
  for (const [set, list] of Object.entries({ 'originals/0': SETS.originals, 'fresh/0': SETS.fresh })) {
    const of = fast.filter(([a]) => list.some((s) => s.image === a.image));
    const missed = of.filter((said) => said.every((a) => a.wnid !== label.get(a.image))).length;
    const r = await holdout(['score', dir, ...(set === 'originals/0' ? ['--original', 'originals'] : ['--new', 'fresh']), '--by', 'people', '--subset', 'evaluated:both,fast:both']);
    assert.equal(r.code, 0, r.err);
    assert.match(r.err, new RegExp(`${set}: ${of.length} images; all people are wrong about ${missed},`));
  }
});

test('once everybody is through, experts review its images blindly: what people said is asked about, too', async () => {
  const answers = csv(await must(['evaluation', 'export', dir, 'both']));
  await must(['label-review', 'create', dir, 'phase4', '--set', 'originals', '--models', 'sharp,dull,' + Object.values(await people()).map((p) => p.model).join(), '--evaluation', 'both',
    '--experts', 'bea', '--seed', '2']);
  const said = new Map();
  for (const a of answers.filter((one) => one.set === 'originals/0')) said.set(a.image, new Set([...(said.get(a.image) ?? []), a.wnid]));
  const queue = csv(await must(['label-review', 'queue', dir, 'phase4']));
  assert.deepEqual(new Set(queue.map((q) => q.image)), new Set(said.keys()), 'only its images');
  const facts = (await lead.json('GET', '/api/v1/label-reviews/phase4')).body;
  assert.equal(facts.drawn, 0, 'they are no random draw of the set');
  for (const q of queue) {
    const { labels } = (await lead.json('GET', `/api/v1/label-reviews/phase4/items/${q.position}`)).body;
    for (const wnid of said.get(q.image)) assert.ok(labels.some((l) => l.wnid === wnid), q.image);
    assert.equal(labels.reduce((n, l) => n + l.models, 0), 2, 'people are no models');
    const blind = await who.bea.json('GET', `/api/v1/label-reviews/phase4/items/${q.position}`);
    assert.ok(blind.status === 403 || blind.body.labels.every((l) => l.models === null), 'where a label comes from is not told');
  }
});

test('the review of its labels is made from its page: the plan, then a job, for those who were evaluated too', async () => {
  const page = await lead.page('/evaluations/both');
  assert.match(page, /action="\/labels\/new"[\s\S]*name="evaluation" value="both"[\s\S]*name="experts" value="grace"/);
  assert.doesNotMatch(await lead.page('/evaluations/hard'), /action="\/labels\/new"/);
  const fields = { name: 'both-labels', evaluation: 'both', set: 'originals/0', by: 'random', reviewers: '1', experts: 'grace' };
  const plan = await (await lead.post('/labels/new', { ...fields, do: 'plan' })).text();
  assert.match(plan, /<dd>10<\/dd>[\s\S]*Only images of the evaluation <a href="\/evaluations\/both">[\s\S]*value="both" selected[\s\S]*grace <span\s+class="muted">expert · may review 10/);
  const planned = (await lead.json('GET', '/api/v1/label-reviews/new?name=x&set=originals&evaluation=both&experts=grace')).body;
  assert.deepEqual([planned.evaluation, planned.images, planned.eligibility[0].eligible], ['both', 10, 10]);
  /* Not of a set without its images, nor while somebody is at work. */
  for (const [wrong, why] of [[{ set: 'closed/0' }, /has no image of the evaluation both/], [{ evaluation: 'four' }, /are not through with the evaluation four/],
    [{ evaluation: 'none' }, /There is no evaluation none/]]) {
    const r = await lead.post('/labels/new', { ...fields, ...wrong, do: 'plan' });
    assert.ok(r.status >= 400 && r.status < 500, r.status);
    assert.match(await r.text(), why);
  }
  const made = await lead.post('/labels/new', { ...fields, do: 'make' });
  assert.equal(made.status, 303);
  const job = `/api/v1${made.headers.get('location')}`;
  const state = await until(async () => { const { body } = await lead.json('GET', job); return !body.is_open && body; }, 'the job has ended');
  assert.equal(state.state, 'done', JSON.stringify(state));
  const facts = (await lead.json('GET', '/api/v1/label-reviews/both-labels')).body;
  assert.deepEqual([facts.images, facts.again, facts.people.map((p) => p.login)], [10, true, ['grace']]);
  assert.equal((await who.grace.json('GET', '/api/v1/label-reviews/both-labels/next')).status, 200);
  await must(['label-review', 'change', dir, 'both-labels', '--close']);
});

test('a sealed set is evaluated too, and nothing of it is shown until it is opened', async () => {
  await must(['evaluation', 'create', dir, 'sealed', '--new', 'closed', '--images', '4', '--people', 'kim', '--seed', '4']);
  for (let at = await next('kim', 'sealed'); at.position !== null; at = await next('kim', 'sealed')) await say('kim', at.position, WNIDS[0], 1000, 'sealed');
  const { kim } = await people('sealed');
  assert.deepEqual([kim.state, kim.predictions], ['through', true]);
  const before = await holdout(['evaluation', 'export', dir, 'sealed']);
  assert.equal(csv(before.out).length, 0);
  assert.match(before.err, /4 answers are left out: a sealed set has their images/);
  assert.equal((await lead.json('GET', '/api/v1/measures/people?new=closed&subset=evaluated:sealed')).status, 403);
  assert.doesNotMatch(await lead.page('/evaluations/sealed'), /%|accuracy/i);
  await must(['set', 'freeze', dir, 'closed', '--reason', 'done']);
  assert.equal(csv(await must(['evaluation', 'export', dir, 'sealed'])).length, 4);
  const score = await holdout(['score', dir, '--new', 'closed', '--by', 'people', '--subset', 'evaluated:sealed']);
  assert.match(score.err, /closed\/0: 4 images/);
});

test('whatever happened before and in between, nobody classifies an image that they have seen, or twice', async () => {
  await lead.json('POST', `${API}/both/change`, { do: 'close' });
  await must(['label-review', 'change', dir, 'phase4', '--close']);
  await must(['evaluation', 'close', dir, 'four']);
  let state = 12345;
  const random = (n) => { state = (state * 1103515245 + 12345) % 2147483648; return Math.floor((state / 2147483648) * n); };
  const all = (await lead.json('GET', '/api/v1/images?limit=200')).body.items.filter((i) => /original|candidate/.test(i.image));
  const people3 = ['pat', 'quinn', 'rae'], saw = new Map(), open = [];
  const password = file('password', `${PASSWORD}\n`);
  for (const login of people3) {
    await must(['user', 'add', dir, login, '--role', 'expert', '--password-file', password]);
    who[login] = await new Client(url).login(login);
    saw.set(login, new Set());
  }
  /* Near-duplicates are one photo to everybody. */
  const photo = new Map(), photoOf = (image) => photo.get(image) ?? image;
  for (const [a, b] of [[1, 2], [5, 20], [8, 30], [30, 31]].map((pair) => pair.map((i) => all[i].image).sort())) {
    const both = [photoOf(a), photoOf(b)];
    for (const { image } of all) if (both.includes(photoOf(image))) photo.set(image, both[0]);
    await sqlite(`${dir}/holdout.db`, `INSERT INTO near_duplicate SELECT '${a}', '${b}', max(id), 1 FROM event;`);
  }
  let refused = 0, answered = 0;
  for (let step = 0; step < 60; step++) {
    const login = people3[random(3)], mine = open.filter((l) => l.people.includes(login));
    const what = random(4);
    if (what === 0) { /* looks at a picture: at the desk, not before a lead takes them off */
      for (const l of mine) await lead.json('POST', `${API}/${l.name}/change`, { do: 'remove', login });
      const image = all[random(all.length)];
      assert.equal((await who[login].get(`/images/${image.id}/view`)).status, 200);
      saw.get(login).add(photoOf(image.image));
      for (const l of mine) assert.equal((await lead.json('POST', `${API}/${l.name}/change`, { do: 'add', login })).status, 200);
    } else if (what === 1 && open.length < 6) {
      const name = `random-${step}`, group = people3.filter(() => random(2));
      const r = await create(name, '--original', 'originals', '--new', 'fresh', '--images', String(2 + random(4)), '--seed', String(step), ...(group.length ? ['--people', group.join()] : []));
      if (r.code === 0) open.push({ name, people: group });
      else refused++;
    } else {
      for (const l of mine.slice(0, 2)) {
        const at = await next(login, l.name);
        if (at.position === null || at.position === undefined) continue;
        assert.equal((await who[login].get(at.image_url)).status, 200);
        const before = new Set(saw.get(login));
        assert.equal((await say(login, at.position, WNIDS[random(2)], 900, l.name)).status, 201);
        const image = (await sqlite(`${dir}/holdout.db`, 'SELECT i.name FROM evaluation_answer k JOIN evaluation_image m ON m.evaluation = k.evaluation AND m.number = k.number JOIN image i ON i.id = m.image ORDER BY k.id DESC LIMIT 1;')).trim();
        assert.ok(!before.has(photoOf(image)), `${login} had seen ${image} before ${l.name} asked`);
        saw.get(login).add(photoOf(image));
        answered++;
      }
    }
  }
  assert.ok(answered > 15, `${answered} answers, ${refused} lists refused`);

  /* A picture is noted before anything is judged that its viewer says after it. */
  await must(['evaluation', 'create', dir, 'raced', '--new', 'fresh', '--images', '4', '--people', 'lead', '--seed', '8']);
  const raced = async () => (await lead.json('GET', `${API}/raced/next`)).body;
  const noted = async () => (await sqlite(`${dir}/holdout.db`, "SELECT w.image FROM account_saw w JOIN account a ON a.id = w.account JOIN identity i ON i.person = a.person WHERE i.external_id = 'lead' AND w.how = 'evaluation';")).split('\n').filter(Boolean);
  for (let k = 0; k < 4; k++) {
    const known = await noted(), { position, image_url: picture } = await raced();
    assert.equal((await lead.get(picture)).status, 200);
    const id = await until(async () => (await noted()).find((n) => !known.includes(n)), 'the picture is noted');
    assert.equal((await lead.get(`/images/${id}/view`)).status, 200);
    const said = await lead.json('POST', `${API}/raced/items/${position}`, { wnid: WNIDS[0] });
    assert.deepEqual([said.status, said.body.code], [409, 'evaluation-turn']);
  }
  assert.equal((await raced()).position, null);
  for (const l of [...open, { name: 'raced' }]) await must(['evaluation', 'close', dir, l.name]);
  await must(['check', dir]);
});

test('closed, the desk opens, nothing more is said, and everything is as it should be', async () => {
  assert.equal((await lead.post('/evaluations/both/change', { do: 'close' })).status, 303, 'closed is closed');
  assert.equal((await who.ada.get('/models')).status, 200);
  assert.equal((await say('ada', 3, WNIDS[0])).status, 409);
  assert.equal((await lead.json('POST', `${API}/both/change`, { do: 'add', login: 'bea' })).status, 409);
  assert.match(await must(['evaluation', 'list', dir]), /^name,state,by,images,classes,people,through,answers/);
  await must(['check', dir]);

  /* Whoever was not through when it was closed does not make the images fewer on which the others are compared. */
  await must(['evaluation', 'create', dir, 'part', '--new', 'closed', '--images', '3', '--people', 'ada,grace', '--seed', '9']);
  for (const [login, n] of [['ada', 3], ['grace', 1]]) {
    for (let i = 0; i < n; i++) await say(login, (await next(login, 'part')).position, WNIDS[0], 1000, 'part');
  }
  await must(['evaluation', 'close', dir, 'part']);
  assert.equal(csv(await must(['evaluation', 'export', dir, 'part'])).length, 4);
  assert.match((await holdout(['score', dir, '--new', 'closed', '--by', 'people', '--subset', 'evaluated:part'])).err, /closed\/0: 3 images/);

  /* What is damaged is found. */
  const db = `${dir}/holdout.db`;
  const broken = async (sql, back, why) => {
    await sqlite(db, sql);
    const found = await holdout(['check', dir]);
    await sqlite(db, back);
    assert.match(found.out + found.err, why);
  };
  const one = '(SELECT min(id) FROM evaluation_answer)';
  await broken(`UPDATE evaluation_answer SET class = 3 - class WHERE id = ${one};`, `UPDATE evaluation_answer SET class = 3 - class WHERE id = ${one};`, /evaluation both: 1 predictions of somebody are not what they answered/);
  await broken('UPDATE evaluation SET images = images + 1 WHERE name = \'both\';', 'UPDATE evaluation SET images = images - 1 WHERE name = \'both\';', /evaluation both: 1 images are missing/);
  await must(['check', dir]);
});
