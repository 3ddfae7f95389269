/* Label review: experts at their desk see tasks and nothing else about images; two disagree, a lead adjudicates, and what
 * models make of it follows every save. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { before, test } from 'node:test';

import { Client, PASSWORD, holdout, must, tempDir, until, wholeFile } from './lib.mjs';
import { MODELS, SETS, WNIDS, addModels, predictions, writer } from './model_world.mjs';
import { sqlite } from '../load/tools.mjs';
import { newToken, startStudy } from './study.mjs';
import { routes } from './routes.mjs';
import { cohen, fleiss, krippendorff } from './agreement.mjs';

const t = wholeFile();
const API = '/api/v1/label-reviews';
const other = (wnid) => WNIDS[1 - WNIDS.indexOf(wnid)];
let dir, lead, ada, grace, url;

before(async () => {
  const study = await startStudy(t, { env: { HOLDOUT_JOBS_JOBS_AT_ONCE: '1' } });
  ({ dir } = study);
  url = study.server.url;
  const file = writer(tempDir(t));
  await addModels(dir, file);
  const password = file('password', `${PASSWORD}\n`);
  for (const login of ['ada', 'grace', 'kim']) await must(['user', 'add', dir, login, '--role', 'expert', '--password-file', password]);
  lead = await new Client(url).login('lead');
  [ada, grace] = [await new Client(url).login('ada'), await new Client(url).login('grace')];
});

const post = (client, at, fields) => client.post(at, fields);
const item = async (client, at) => (await client.json('GET', `${API}/pair/items/${at}`)).body;

test('a list asks about the set\'s label and what models say, in the order of their disagreement', async () => {
  await must(['label-review', 'create', dir, 'pair', '--set', 'originals', '--by', 'disagreement', '--images', '5', '--random', '4', '--reviewers', '2',
    '--repeats', '0', '--seed', '7', '--experts', 'ada,grace', '--again']);
  const queue = (await must(['label-review', 'queue', dir, 'pair'])).trim().split('\n').slice(1).map((line) => line.split(','));
  const said = (image) => Object.keys(MODELS).map((m) => predictions(SETS.originals, MODELS[m].originals).find((p) => p.image === image).labels[0]);
  for (const [image, , n] of queue) assert.equal(Number(n), new Set(said(image)).size, image);
  assert.ok(queue.length >= 5 && queue.length <= 9);
  assert.equal(Number(queue[0][2]), 2);
  const all = (await lead.json('GET', `${API}/pair`)).body;
  assert.deepEqual([all.images, all.drawn, all.reviewed, all.people.length], [queue.length, 4, 0, 2]);
  assert.match(all.why, /Nothing is reviewed yet/);
});

test('an expert at work sees tasks and nothing else about images, on any page or address', async () => {
  assert.equal((await ada.get('/')).headers.get('location'), '/labels');
  const token = (await newToken(dir, 'ada', 'expert')).token;
  const open = [];
  for (const route of routes.filter((r) => r.role === 'expert')) {
    const desk = route.steps.includes('desk');
    const path = route.pattern.replace(/:[a-z]+/g, '1');
    for (const headers of [{}, { authorization: `Bearer ${token}` }]) {
      const client = headers.authorization ? new Client(url) : ada;
      const init = { method: route.method, headers: { ...headers, 'x-csrf-token': ada.csrf } };
      const r = await client.fetch(path, init);
      const text = await r.text();
      if (desk) open.push(route.pattern);
      else assert.ok(r.status === 403 && /at work on a label review/.test(text), `${route.name}: ${r.status} ${text.slice(0, 300)}`);
    }
  }
  assert.ok(open.every((pattern) => /^\/($|labels|training|evaluations|guide|api\/v1\/(label-reviews|training|evaluations|guide))/.test(pattern)), open.join());
  assert.equal((await ada.get('/charts/models-scatter/json')).status, 403);
  /* What is open says nothing either: no image's name or number, no model, no other person. */
  const secrets = new RegExp([...SETS.originals.map((s) => s.image), ...Object.keys(MODELS), '/images/', 'grace'].join('|'));
  for (const path of ['/labels', '/labels/pair', '/labels/pair/0', '/labels/pair/3', '/help', '/account', API, `${API}/pair`, `${API}/pair/items/0`, `${API}/pair/next`]) {
    const r = await ada.get(path);
    assert.equal(r.status, 200, path);
    assert.doesNotMatch(await r.text(), secrets, path);
  }
  const face = await item(ada, 0);
  assert.ok(face.labels.every((l) => l.models === null) && face.looks.length === 0);
  assert.equal((await ada.get('/labels/pair/adjudicate/0')).status, 403);
  const kim = await new Client(url).login('kim');
  assert.equal((await kim.get('/labels/pair/0')).status, 403);
  assert.equal((await kim.get('/models')).status, 200);
});

test('two reviewers disagree, a lead adjudicates, and the table follows', async () => {
  const truth = Object.fromEntries((await item(ada, 0)).labels.map((l) => [l.wnid, l.wnid === WNIDS[0] ? 'correct' : 'wrong']));
  const r = await ada.json('POST', `${API}/pair/items/0`, { verdicts: truth, comment: 'quite sure' });
  assert.equal(r.status, 201, JSON.stringify(r.body));
  const mine = await item(ada, 0);
  assert.ok(mine.reviewed && mine.looks.length === 1 && mine.labels.reduce((n, l) => n + l.models, 0) === 2);
  assert.equal((await item(grace, 0)).looks.length, 0, 'others are hidden until one has saved');

  /* The plain form: another verdict. */
  const page = await grace.page('/labels/pair/0');
  assert.doesNotMatch(page, /quite sure|sharp|dull/);
  const fields = Object.fromEntries(Object.entries(truth).map(([wnid, v]) => [`say-${wnid}`, v === 'correct' ? 'wrong' : 'correct']));
  assert.equal((await post(grace, '/labels/pair/0', { ...fields, do: 'save' })).headers.get('location'), '/labels/pair/next');
  let facts = (await lead.json('GET', `${API}/pair`)).body;
  assert.deepEqual([facts.reviewed, facts.disputes.length, facts.disputes[0].position], [1, 1, 0]);
  assert.ok(facts.scores.every((s) => s.n === 1 && s.unclear + s.unreviewed === 1));

  assert.deepEqual((await lead.json('GET', `${API}/pair/images?state=dispute`)).body.items.map((i) => [i.position, i.people, i.disputed]), [[0, 2, Object.keys(truth).length]]);
  assert.match(await lead.page('/labels/pair/images?state=dispute'), /href="\/labels\/pair\/adjudicate\/0">Adjudicate/);
  const says = Object.fromEntries(Object.entries(truth).map(([wnid, v]) => [`say-${wnid}`, v]));
  assert.equal((await post(lead, '/labels/pair/adjudicate/0', { ...says, do: 'save' })).status, 303);
  facts = (await lead.json('GET', `${API}/pair`)).body;
  assert.equal(facts.disputes.length, 0);
  assert.equal(facts.scores.reduce((n, s) => n + s.correct, 0), (await must(['label-review', 'queue', dir, 'pair'])).split('\n')[1].match(/:1:correct/g).length);
  assert.equal((await lead.json('GET', '/api/v1/scores?original=originals&new=fresh&labels=pair:strict')).status, 400, 'fresh has no reviewed image');

  /* By class and by how far they are: counted here from what was said. */
  const names = (await must(['label-review', 'queue', dir, 'pair'])).trim().split('\n').slice(1).map((line) => line.split(',')[0]);
  const own = (image) => SETS.originals.find((s) => s.image === image).wnid;
  const images = async (query) => (await lead.json('GET', `${API}/pair/images${query}`)).body;
  const all = await images('');
  assert.deepEqual(all.items.map((i) => [i.position, i.image, i.wnid, i.state]), names.map((image, at) => [at, image, own(image), at ? 'open' : 'done']));
  assert.deepEqual([all.images, all.open, all.dispute, all.problematic, all.done], [names.length, names.length - 1, 0, 0, 1]);
  assert.deepEqual(all.classes.map((k) => [k.wnid, k.images, k.done]), WNIDS.filter((wnid) => names.some((n) => own(n) === wnid))
    .map((wnid) => [wnid, names.filter((n) => own(n) === wnid).length, Number(own(names[0]) === wnid)]));
  const some = await images(`?class=${WNIDS[0]}&state=open&sort=class`);
  assert.deepEqual(some.items.map((i) => i.image), names.slice(1).filter((n) => own(n) === WNIDS[0]));
  assert.deepEqual([(await images('?class=n9')).code, (await images('?state=shut')).code], ['no-class', 'list']);
  for (const [query, args] of [['sort=class', []], ['sort=class&state=done', ['--state', 'done']], ['rows=classes', ['--rows', 'classes']]]) {
    assert.equal((await (await lead.get(`${API}/pair/images.csv?${query}`)).text()).replace(/\r/g, ''), (await must(['label-review', 'images', dir, 'pair', ...args])).replace(/\r/g, ''));
  }
  assert.match(await lead.page(`/labels/pair/images?class=${WNIDS[0]}`), /Only images of[\s\S]*href="\/labels\/pair\/\d+">Image \d+</);
  for (const chosen of ['', `&class=${WNIDS[0]}&state=open`]) {
    const page = await lead.page(`/labels/pair/images?rows=classes${chosen}`);
    assert.match(page, new RegExp(`href="/labels/pair/images\\?class=${WNIDS[1]}"`));
    assert.doesNotMatch(page, /Only images of/);
  }
  for (const path of ['/labels/pair/images', `${API}/pair/images`, `${API}/pair/images.csv`]) assert.equal((await ada.get(path)).status, 403, path);

  /* Undo is another row: what holds is as before. */
  const undone = await grace.json('POST', `${API}/pair/undo`, { look: (await item(grace, 0)).look });
  assert.equal(undone.status, 200);
  facts = (await lead.json('GET', `${API}/pair`)).body;
  assert.deepEqual([facts.reviewed, facts.begun], [0, 1]);
  assert.equal((await grace.json('POST', `${API}/pair/undo`, { look: 1 })).status, 404);
});

test('agreement is that of what each said before seeing others, by figures counted here', async () => {
  const file = writer(tempDir(t));
  const VERDICTS = ['correct', 'wrong', 'unclear', 'dontknow'];
  await must(['label-review', 'create', dir, 'three', '--set', 'originals', '--reviewers', '3', '--repeats', '0', '--seed', '2', '--experts', 'lead']);
  const said = { ada: {}, grace: {}, lead: {} };
  Object.keys(said).forEach((login, who) => {
    SETS.originals.forEach(({ image }, i) => WNIDS.forEach((wnid, k) => {
      if ((i + who) % 4) said[login][`${image},${wnid}`] = VERDICTS[(i * 7 + k * 3 + (i % 3 === who ? 1 : 0)) % 4];
    }));
  });
  const rows = (of, keep) => `image,label,verdict\n${Object.entries(of).filter(keep).map(([at, v]) => `${at},${v}\n`).join('')}`;
  for (const [login, of] of Object.entries(said)) await must(['label-review', 'import', dir, 'three', file(`${login}.csv`, rows(of, () => true)), '--by', login]);
  const g = (await lead.json('GET', `${API}/three/agreement`)).body;
  const known = (of, at) => (of[at] === 'dontknow' ? undefined : of[at]);
  const labels = [...new Set(Object.values(said).flatMap((of) => Object.keys(of)))];
  const matrix = labels.map((at) => Object.values(said).map((of) => known(of, at)));
  const near = (a, b, what) => assert.ok(a === b || Math.abs(a - b) < 1e-9, `${what}: ${a}, not ${b}`);
  const figure = (of, name) => g.figures.find((f) => f.of === of && f.figure === name);
  near(figure('verdicts', 'krippendorff').value, krippendorff(matrix), 'alpha');
  near(figure('verdicts', 'fleiss').value, fleiss(matrix), 'kappa of all');
  for (const f of g.figures.filter(({ of }) => of === 'verdicts')) assert.ok(f.lo < f.value && f.value < f.hi);
  assert.deepEqual(g.pairs.map((p) => [p.first, p.second]), [['ada', 'grace'], ['ada', 'lead'], ['grace', 'lead']]);
  for (const p of g.pairs) {
    const both = labels.map((at) => [known(said[p.first], at), known(said[p.second], at)]).filter(([x, y]) => x && y);
    assert.deepEqual([p.labels, p.alike], [both.length, both.filter(([x, y]) => x === y).length]);
    near(p.kappa, cohen(both), `${p.first} and ${p.second}`);
    assert.ok(p.lo < p.kappa && p.kappa < p.hi);
  }
  const twice = matrix.map((row) => row.filter((v) => v)).filter((row) => row.length > 1);
  assert.deepEqual([g.labels, g.classes.reduce((n, c) => n + c.labels, 0), g.classes.reduce((n, c) => n + c.alike, 0)],
    [twice.length, twice.length, twice.filter((row) => new Set(row).size === 1).length]);
  assert.ok(g.classes.every((c) => c.lo <= c.shrunk && c.shrunk <= c.hi));
  /* Over all of one's images, and in parts: the same sums. */
  for (const login of Object.keys(said)) {
    const [all, ...parts] = g.times.filter((row) => row.person === login);
    assert.deepEqual(['images', 'pairs', 'alike'].map((k) => parts.reduce((n, row) => n + row[k], 0)), ['images', 'pairs', 'alike'].map((k) => all[k]));
    assert.equal(all.pairs, labels.reduce((n, at) => n + (known(said[login], at) ? Object.entries(said).filter(([o, of]) => o !== login && known(of, at)).length : 0), 0));
  }
  /* What somebody says after they saw others changes nothing, nor does an adjudication. */
  const verdicts = Object.fromEntries((await lead.json('GET', `${API}/three/items/0`)).body.labels.map(({ wnid }) => [wnid, 'unclear']));
  assert.equal((await lead.json('POST', `${API}/three/items/0`, { verdicts })).status, 201);
  assert.equal((await post(lead, '/labels/three/adjudicate/1', { [`say-${WNIDS[0]}`]: 'correct', do: 'save' })).status, 303);
  const kept = (await lead.json('GET', `${API}/three/agreement`)).body;
  assert.deepEqual(kept, g);
  /* The command line and CSV say the same; experts see nothing of it. */
  for (const list of ['figures', 'pairs', 'classes', 'times', 'repeats']) {
    const csv = await must(['label-review', 'agreement', dir, 'three', '--rows', list]);
    assert.equal(await (await lead.get(`${API}/three/agreement.csv?rows=${list}`)).text().then((x) => x.replace(/\r/g, '')), csv.replace(/\r/g, ''));
    assert.equal(csv.trim().split('\n').length, 1 + g[list].length);
  }
  assert.equal((await lead.get(`${API}/three/agreement.csv?rows=some`)).status, 400);
  for (const path of ['/labels/three/agreement', `${API}/three/agreement`, `${API}/three/agreement.csv`, '/charts/review-agreement/json?review=three']) {
    assert.equal((await ada.get(path)).status, 403, path);
  }
  assert.match(await lead.page('/labels/three/agreement'), /Krippendorff’s alpha/);
});

test('labels that are probably wrong come first, by what models say, and a list by that says what it found', async () => {
  const file = writer(tempDir(t));
  const set = SETS.originals;
  const said = Object.fromEntries(Object.keys(MODELS).map((m) => [m, predictions(set, MODELS[m].originals)]));
  const doubt = (models, p) => set.map(({ image, wnid }, i) => {
    const of = (l) => models.map((m) => said[m][i]).map(({ labels, scores }) => (p ? scores[labels.indexOf(l)] : Number(labels[0] === l)));
    const mean = (list) => list.reduce((a, b) => a + Math.fround(b), 0) / list.length;
    return { image, wnid, at: i, own: mean(of(wnid)), first: models.filter((m) => said[m][i].labels[0] === wnid).length, other: mean(of(other(wnid))) };
  }).sort((a, b) => a.own - b.own || a.first - b.first || b.other - a.other || a.at - b.at);
  const expected = doubt(Object.keys(MODELS), true);
  const found = (await lead.json('GET', '/api/v1/measures/label-errors?set=originals')).body;
  assert.deepEqual(found.items.map((r) => [r.rank, r.image, r.models_say]), expected.map((e, i) => [i + 1, e.image, e.first]));
  found.items.forEach((r, i) => assert.ok(Math.abs(r.confidence - expected[i].own) < 1e-9 && Math.abs(r.other_confidence - expected[i].other) < 1e-9 &&
    r.other === other(r.wnid)));
  /* Confident learning: which class is as probable as it usually is where it is the label. */
  const usual = Object.fromEntries(WNIDS.map((l) => [l, expected.filter((e) => e.wnid === l)]).map(([l, of]) => [l, of.reduce((n, e) => n + e.own, 0) / of.length]));
  const likely = expected.filter((e) => e.other >= usual[other(e.wnid)] && !(e.own >= usual[e.wnid] && e.own >= e.other)).map((e) => e.image);
  assert.deepEqual(found.items.filter((r) => r.likely).map((r) => r.image), likely);
  assert.deepEqual([found.likely, found.scored, found.images], [likely.length, 2, set.length]);
  const csv = await must(['label-errors', dir, '--set', 'originals']);
  assert.equal((await (await lead.get('/api/v1/measures/label-errors.csv?set=originals')).text()).replace(/\r/g, ''), csv.replace(/\r/g, ''));
  assert.equal((await must(['label-errors', dir, '--set', 'originals', '--most', '3'])).trim().split('\n').length, 4);

  /* Without probabilities by how many models say the label; a model that lacks images does not count. */
  const rows = (list) => list.map(({ image, labels }) => `${JSON.stringify({ image, labels })}\n`).join('');
  for (const name of ['plain', 'part']) await must(['import', 'predictions', dir, file(`${name}.jsonl`, rows(name === 'plain' ? said.dull : said.dull.slice(1))), '--model', name]);
  const plain = (await lead.json('GET', '/api/v1/measures/label-errors?set=originals&models=plain,part')).body;
  assert.deepEqual([plain.scored, plain.models, plain.left_out], [0, ['plain'], ['part']]);
  assert.deepEqual(plain.items.map((r) => [r.image, r.confidence, r.likely]), doubt(['dull'], false).map((e) => [e.image, null, e.own === 0]));

  /* A sealed set has none, in no way. */
  assert.equal((await lead.json('GET', '/api/v1/measures/label-errors?set=closed')).status, 403);
  for (const args of [['label-errors', dir, '--set', 'closed'], ['label-review', 'create', dir, 'doubt', '--set', 'closed', '--by', 'errors']]) {
    const r = await holdout(args);
    assert.ok(r.code !== 0 && /sealed/.test(r.err), r.err);
  }

  /* Reviewed in that order: of the first, how many are wrong. */
  await must(['label-review', 'create', dir, 'doubt', '--set', 'originals', '--by', 'errors', '--images', '4', '--random', '6', '--seed', '3', '--models', 'sharp,dull']);
  const first = expected.slice(0, 4).map((e) => e.image);
  const verdicts = set.map(({ image, wnid }) => `${image},${wnid},${first.indexOf(image) % 2 ? 'correct' : 'wrong'}\n`).join('');
  await must(['label-review', 'import', dir, 'doubt', file('found.csv', `image,label,verdict\n${verdicts}`)]);
  const facts = (await lead.json('GET', `${API}/doubt`)).body;
  assert.deepEqual(facts.found.map((r) => [r.k, r.reviewed, r.wrong, r.precision]), [[4, 4, 2, 50]]);
  assert.deepEqual([facts.by, facts.drawn, facts.rates[0].of], ['errors', 6, 6]);
  assert.match(await lead.page('/labels/doubt'), /Label errors found/);
  const page = await lead.page('/measures/label-errors?set=originals');
  assert.match(page, /likely wrong/);
  const form = await lead.page(/href="(\/labels\/new\?[^"]*)"/.exec(page)[1].replaceAll('&amp;', '&').replaceAll('&#61;', '='));
  assert.match(form, /value="errors" checked/);
});

test('what is wrong is refused with what was typed, and a search adds labels that come back to others', async () => {
  const refused = await post(ada, '/labels/pair/1', { 'say-n00000001': 'unreviewed', problematic: 'other', comment: '', do: 'save' });
  assert.equal(refused.status, 400);
  assert.match(await refused.text(), /Say in the comment why/);
  const places = await Promise.all([1, 2, 3, 4, 5, 6].map((at) => item(ada, at)));
  const { position: at, labels: [{ wnid }] } = places.find((p) => p.labels.length === 1);
  const turned = (fields) => post(ada, `/labels/pair/${at}`, { [`say-${wnid}`]: 'wrong', ...fields }).then((r) => r.text());
  const found = await turned({ class_query: 'n0000000', do: 'find' });
  for (const one of WNIDS) assert.match(found, new RegExp(`type="radio" name="add" value="${one}"`));
  assert.match(found, new RegExp(`<details class="expert-add" data-add open>[\\s\\S]*value="n0000000"`));
  assert.match(found, new RegExp(`name="say-${wnid}" value="wrong" checked`));
  /* All classes are listed when they are asked for. */
  const listed = (text) => /data-rows>\s*<li/.test(text);
  assert.ok(!listed(await ada.page(`/labels/pair/${at}`)) && listed(await turned({ class_query: '', do: 'find' })));
  /* Without scripts: chosen, a row, refused with the row still there; a label that is a row is none again. */
  const row = (text) => new RegExp(`name="added" value="${other(wnid)}"[\\s\\S]*name="say-${other(wnid)}" value="correct" checked`).test(text);
  assert.ok(!row(found) && row(await turned({ add: other(wnid), do: 'add' })));
  assert.ok(row(await turned({ added: other(wnid), [`say-${other(wnid)}`]: 'correct', class_query: 'x', do: 'find' })), 'it stays when one searches on');
  assert.ok(row(await turned({ added: other(wnid), [`say-${other(wnid)}`]: 'correct', problematic: 'other', do: 'save' })));
  assert.equal((await turned({ add: wnid, do: 'add' })).split(`name="say-${wnid}" value="correct"`).length, 2);
  await grace.json('POST', `${API}/pair/items/${at}`, { verdicts: { [wnid]: 'wrong' } });
  assert.equal((await post(ada, `/labels/pair/${at}`, { [`say-${wnid}`]: 'wrong', add: 'n99999999', do: 'save' })).status, 404);
  await post(ada, `/labels/pair/${at}`, { [`say-${wnid}`]: 'wrong', add: other(wnid), do: 'save' });
  const next = (await grace.json('GET', `${API}/pair/next`)).body;
  assert.deepEqual([next.position, next.back], [at, true]);
  assert.ok((await item(grace, at)).labels.some((l) => l.wnid === other(wnid) && l.added));
  assert.equal((await ada.json('POST', `${API}/pair/items/1`, { verdicts: { n99999999: 'correct' } })).status, 404);
  assert.equal((await ada.json('POST', `${API}/pair/items/99`, { verdicts: { n00000001: 'correct' } })).status, 404);
});

test('the guide is written at the desk, says nothing of images that are evaluated, and loses nothing', async () => {
  const page = '/guide/n00000001', text = 'Wide *head*.\n\n![one](image:n00000001-reference-0)\n', secret = 'n00000001-original-0';
  const write = (who, fields) => post(who, `${page}/edit`, { do: 'save', ...fields });
  for (const bad of [`![two](image:${secret})`, `![two][it]\n\n[it]: <image&#58;${secret}>`]) {
    const refused = await write(lead, { text: text + bad, was: '0' });
    assert.equal(refused.status, 400);
    assert.match(await refused.text(), new RegExp(`can show reference images only.*Take the\\s+picture image:${secret} out`));
    assert.equal((await lead.json('POST', '/api/v1/guide/n00000001', { text: bad, was: 0 })).status, 400);
  }
  for (const odd of ['image&#58;n00000001-reference-0', '&#105;mage:n00000001-reference-0', 'image:n00000001\\-reference-0']) {
    assert.match(await (await write(lead, { text: `![one](${odd})`, was: '0' })).text(), /image:n00000001-reference-0 with these very characters/);
  }
  assert.equal((await write(ada, { text, reason: 'first', was: '0' })).status, 303);
  const html = await grace.page(page);
  const picture = /src="(\/guide\/picture\/\d+)" alt="one"/.exec(html)[1];
  assert.match(html, /<em>head<\/em>/);

  /* Who is shown an example is noted; a near-duplicate of an original is none any more, nor is an original. */
  const saw = () => sqlite(path.join(dir, 'holdout.db'), "SELECT count(*) FROM account_saw WHERE how = 'guide'");
  assert.equal((await grace.get(picture)).status, 200);
  for (let i = 0; i < 100 && (await saw()).trim() === '0'; i++) await new Promise((done) => setTimeout(done, 20));
  assert.equal((await saw()).trim(), '1');
  const [original] = (await sqlite(path.join(dir, 'holdout.db'), "SELECT id FROM image WHERE role = 'original'")).split('\n');
  assert.equal((await grace.get(`/guide/picture/${original}`)).status, 404);
  const near = path.join(tempDir(t), 'near.csv');
  fs.writeFileSync(near, 'a,b\nn00000001-reference-0,n00000002-candidate-1\n');
  await must(['import', 'near-duplicates', dir, near]);
  assert.equal((await grace.get(picture)).status, 404);
  assert.match(await grace.page(page), /\[one: this picture is not shown\]/);

  /* Experts at the desk see no name of an image in it that is no such picture any more, leads do; nor in what was stored before that was
   * asked, or in a line that is no picture. Saving asks to take it out. */
  const first = (await grace.json('GET', '/api/v1/guide/n00000001')).body.version;
  await sqlite(path.join(dir, 'holdout.db'), `UPDATE guide_version SET text = text || '![two](image:${secret})' || char(10) || '[it]: <IMAGE:${secret}>', reason = 'with image:${secret}' WHERE id = ${first}`);
  const raw = (who) => Promise.all([who.page(`${page}/history`), who.page(`${page}/edit`), who.page(`${page}/edit?version=${first}`), who.page(page),
    who.page('/guide'), who.page('/guide/print'), ...['', '/n00000001', `/n00000001?version=${first}`].map(async (at) => JSON.stringify((await who.json('GET', `/api/v1/guide${at}`)).body))]);
  for (const said of await raw(grace)) assert.doesNotMatch(said, /n00000001-(reference|original)/);
  assert.equal((await raw(grace)).filter((said) => /!\[one\]\(image:hidden\)/.test(said)).length, 6);
  assert.equal((await raw(lead)).filter((said) => said.includes(secret)).length, 9);
  const written = async (who, asked) => (await who.json('GET', `/api/v1/guide/pages${asked}`)).body.items.map((p) => p.wnid);
  assert.deepEqual([await written(grace, `?text=${secret}`), await written(lead, `?text=${secret}`)], [[], ['n00000001']], 'a search tells no more');
  const kept = await write(grace, { text: (await grace.json('GET', '/api/v1/guide/n00000001')).body.text, was: String(first) });
  assert.match(await kept.text(), /Take the\s+picture image:hidden out of the text/);

  /* Grace began before Ada saved: she gets her text back beside what changed, and then both are there. */
  assert.equal((await write(ada, { text: 'Wide *head*.\n\nSeen from *above*.\n', reason: `not image:${secret}`, was: String(first) })).status, 303);
  const newest = (await grace.json('GET', '/api/v1/guide/n00000001')).body;
  const same = await grace.json('POST', '/api/v1/guide/n00000001', { text: newest.text, was: newest.version });
  assert.deepEqual([same.status, same.body.version, same.body.reason], [200, newest.version, 'not image:hidden'], 'what changes nothing tells no more');
  const slow = await write(grace, { text: 'Mine.\n', reason: 'hers', was: String(first) });
  const shown = await slow.text();
  assert.equal(slow.status, 412);
  assert.match(shown, /<ins>Seen from \*above\*\.<\/ins>/);
  assert.match(shown, /<textarea[^>]*>Mine\.\n/);
  assert.doesNotMatch(shown, /n00000001-(reference|original)/);
  const was = /name="was" value="(\d+)"/.exec(shown)[1];
  assert.equal((await grace.json('POST', '/api/v1/guide/n00000001', { text: 'Mine.', was: first })).status, 412);
  assert.equal((await write(grace, { text: 'Mine.\n', reason: 'hers', was })).status, 303);
  const history = await ada.page(`${page}/history?a=${was}&b=${first}`);
  assert.match(history, /<ins>Seen from/);
  assert.match(await ada.page(`${page}/edit?version=${first}`), /Wide \*head\*/);
  assert.equal((await write(ada, { text: 'x'.repeat(33000), was: '-1' })).status, 400);
  assert.equal((await post(ada, '/guide/none/edit', { text: 'x', was: '0', do: 'save' })).status, 404);

  /* Files: what was exported is nothing new. */
  const folder = path.join(tempDir(t), 'guide');
  await must(['export', 'guide', dir, folder]);
  assert.equal(fs.readFileSync(path.join(folder, 'n00000001.md'), 'utf8'), 'Mine.\n');
  fs.writeFileSync(path.join(folder, 'n00000002.md'), '# Second\n');
  assert.match((await holdout(['import', 'guide', dir, folder])).err, /2 pages read, 1 with a new version/);
  fs.writeFileSync(path.join(folder, 'n00000009.md'), 'x');
  fs.writeFileSync(path.join(folder, 'n00000003.md'), `![x](image:${secret})`);
  fs.writeFileSync(path.join(folder, 'n00000002.md'), 'changed');
  const unread = (await holdout(['import', 'guide', dir, folder])).err;
  assert.match(unread, /n00000009\.md: the project has no class/);
  assert.match(unread, /n00000003\.md: The guide can show reference images only/);
  assert.equal((await ada.json('GET', '/api/v1/guide/n00000002')).body.text, '# Second\n');

  /* The list of what is written: searched, narrowed, sorted, the same for programs and on one page to be printed. */
  const rows = (at) => [...at.matchAll(/<th scope="row"><a href="\/guide\/(n\d+)">/g)].map((m) => m[1]);
  for (const [asked, wnids] of [['', ['n00000001', 'n00000002']], ['?sort=words', ['n00000002', 'n00000001']], ['?sort=changed', ['n00000002', 'n00000001']],
    ['?order=falling', ['n00000002', 'n00000001']], ['?text=SECOND', ['n00000002']], ['?show=groups', []], ['?text=n00000001&show=classes', ['n00000001']]]) {
    assert.deepEqual([rows(await ada.page(`/guide${asked}`)), await written(ada, asked)], [wnids, wnids], asked);
    assert.deepEqual([...(await ada.page(`/guide/print${asked}`)).matchAll(/<h2 id="(n\d+)">/g)].map((m) => m[1]), wnids, asked);
  }
  const [mine, second] = (await (await ada.get('/api/v1/guide/pages.csv')).text()).trim().split('\n').slice(1).map((line) => line.split(','));
  assert.deepEqual([mine[0], mine[2], mine[6], mine[7], mine[8]], ['n00000001', 'class', 'grace', 'hers', '1']);
  assert.deepEqual([second[4], second[6], second[8]], ['1', '', '2']);
  assert.equal((await ada.get('/guide?sort=size')).status, 400);
  assert.match(await ada.page('/guide/print'), /<h4>Second<\/h4>|<h3>Second<\/h3>/);
});

test('leads say how classes relate, and reviewers get hints', async () => {
  assert.equal((await ada.get('/guide/n00000001/relations')).status, 403);
  const said = { other: 'n00000002', kind: 'within', note: 'every one', seen: '0', do: 'save' };
  assert.equal((await post(lead, '/guide/n00000001/relations', said)).status, 303);
  const found = await (await post(lead, '/guide/n00000001/relations', { class_query: 'n00000002', do: 'find' })).text();
  assert.match(found, /type="radio" name="other" value="n00000002"/);
  assert.equal((await post(lead, '/guide/n00000001/relations', { ...said, kind: 'equal' })).status, 409, 'somebody said otherwise since');
  assert.equal((await post(lead, '/guide/n00000001/relations', { ...said, kind: 'equal', other: 'n00000001' })).status, 400);
  assert.deepEqual((await ada.json('GET', '/api/v1/guide/relations')).body.items.map(({ a, b, kind, note }) => [a, b, kind, note]),
    [['n00000002', 'n00000001', 'contains', 'every one']]);
  assert.equal(await must(['export', 'relations', dir]), 'a,b,kind,note\nn00000002,n00000001,contains,every one\n');
  const hint = (wnid) => new RegExp(`contain[^<]* <a href="/guide/n0000000\\d/with/${wnid}"`);
  const pages = await Promise.all([0, 1, 2, 3, 4].map((at) => ada.page(`/labels/pair/${at}`)));
  assert.ok(pages.some((html) => hint('n00000001').test(html) && hint('n00000002').test(html)));
  assert.match(await ada.page('/guide/n00000001/with/n00000002'), /contained in/);

  /* Both are words of subsets: classes that relate, and images that no expert is asked about. */
  const imagesOf = async (name, words) => {
    await must(['subset', dir, name, words]);
    return (await must(['subset', dir, name, '--images-of', 'originals'])).trim().split('\n').slice(1).map((line) => line.split(',')[0]);
  };
  const asked = (await must(['label-review', 'queue', dir, 'pair'])).trim().split('\n').slice(1).map((line) => line.split(',')[0]);
  assert.equal((await imagesOf('related', 'relation:contains')).length, SETS.originals.length);
  assert.deepEqual(await imagesOf('equal', 'relation:equal'), []);
  assert.deepEqual((await imagesOf('rest', 'without-expert-work')).filter((image) => asked.includes(image)), []);
});

test('no address tells an expert at the desk anything, whatever is open, saved or sealed', async () => {
  await must(['label-review', 'create', dir, 'shut', '--set', 'closed', '--reviewers', '2', '--repeats', '0', '--experts', 'ada,grace', '--again']);
  const { labels: [{ wnid }] } = (await ada.json('GET', `${API}/shut/items/0`)).body;
  for (const [client, verdict] of [[ada, 'correct'], [grace, 'wrong']]) {
    assert.equal((await client.json('POST', `${API}/shut/items/0`, { verdicts: { [wnid]: verdict }, comment: `said by ${verdict}` })).status, 201);
    const mine = (await client.json('GET', `${API}/shut/items/0`)).body;
    assert.ok(mine.reviewed && mine.looks.length === 0 && mine.labels.every((l) => l.models === null), 'hidden for good');
  }
  const sealed = await ada.page('/labels/shut/0');
  assert.match(sealed, /The set is sealed/);
  assert.doesNotMatch(sealed, /What others say|said by wrong|Reviewer/);
  assert.equal((await ada.json('POST', `${API}/shut/items/0/stand`, { stand: 'keep' })).status, 403);

  /* Every address of the table with values that there are, by session and by token: one image of each list. */
  const ids = [(await lead.json('GET', '/api/v1/sets/originals/0')).body.items[0].id, (await lead.json('GET', '/api/v1/sets/closed/0')).body.items[0]?.id ?? 1];
  const of = (list, id) => ({ list, image: id, set: list === 'shut' ? 'closed' : 'originals', revision: '0', wnid, position: '0', model: 'sharp', campaign: 'main', grid: '1',
    source: list, chart: 'models-scatter', format: 'json', rendition: 'view', plan: 'main', job: '1', file: 'css/tokens.css', subset: 'some', other: WNIDS[0], name: 'main' });
  const secrets = new RegExp([...Object.values(SETS).flat().map((i) => i.image), ...Object.keys(MODELS), '/images/\\d', 'said by wrong'].map((w) => `${w}(?![\\w-])`).join('|'));
  const token = (await newToken(dir, 'ada', 'expert')).token;
  let asked = 0;
  for (const route of routes.filter((r) => r.method === 'GET' && !r.pattern.startsWith('/logout'))) {
    for (const [list, id] of [['pair', ids[0]], ['shut', ids[1]]]) {
      const values = of(list, id);
      const at = route.pattern.replace(/[:*]([a-z]+)/g, (_, name) => values[name] ?? '1');
      if (/^\/events/.test(at)) continue; /* never ends; below */
      for (const client of [ada, null]) {
        const r = client ? await client.get(at) : await new Client(url).fetch(at, { headers: { authorization: `Bearer ${token}` } });
        const text = await r.text();
        asked++;
        assert.ok(r.status < 500, `${at}: ${r.status}`);
        assert.deepEqual([at, secrets.exec(text.replaceAll(at, ''))?.[0]], [at, undefined]);
        if (!/guide/.test(at)) assert.doesNotMatch(text, /grace/, at); /* who wrote it may be known */
        assert.doesNotMatch([...r.headers].join('\n'), secrets, at);
        if (/^(lead|admin)$/.test(route.role)) assert.equal(r.status, 403, at);
      }
    }
  }
  assert.ok(asked > 400);
  const over = new AbortController();
  const stream = await ada.fetch('/events?topics=review,models,jobs', { signal: over.signal });
  if (stream.status === 200) {
    const reader = stream.body.getReader();
    const heard = reader.read().then(({ value }) => new TextDecoder().decode(value));
    await grace.json('POST', `${API}/shut/items/1`, { verdicts: { [wnid]: 'wrong' } });
    assert.doesNotMatch(await Promise.race([heard, new Promise((resolve) => { setTimeout(resolve, 200, ''); })]), secrets);
  }
  over.abort();
  await must(['label-review', 'change', dir, 'shut', '--close']);
});

test('two who save at the same moment are both kept; closed, the desk opens and nothing more is saved', async () => {
  const at = 0, verdicts = { [(await item(ada, at)).labels[0].wnid]: 'correct' };
  const both = await Promise.all([ada, grace].map((who) => who.json('POST', `${API}/pair/items/${at}`, { verdicts })));
  assert.deepEqual(both.map((r) => r.status), [201, 201]);
  assert.ok((await item(ada, at)).looks.length >= 3);
  assert.equal((await post(lead, '/labels/pair/change', { do: 'close' })).status, 303);
  assert.equal((await ada.json('POST', `${API}/pair/items/${at}`, { verdicts })).status, 409);
  assert.equal((await ada.get('/models')).status, 200);
  assert.ok((await lead.json('GET', '/api/v1/labels')).body.items.some((s) => s.name === 'pair' && s.kind === 'review'));
  await must(['check', dir]);
});

test('nobody is asked about an image that they were shown elsewhere, and that is printed', async () => {
  const kim = await new Client(url).login('kim');
  const { items } = (await lead.json('GET', '/api/v1/sets/fresh/0')).body;
  const [page, picture] = items.map((i) => i.id);
  assert.equal((await kim.get(`/images/${page}`)).status, 200);
  assert.equal((await kim.get(`/images/${picture}/grid`)).status, 200);
  await until(async () => (await sqlite(path.join(dir, 'holdout.db'), "SELECT count(*) FROM account_saw WHERE how = 'page' AND image IN (SELECT image FROM set_list_image WHERE list = (SELECT list FROM revision r JOIN image_set s ON s.id = r.image_set WHERE s.name = 'fresh'));")).trim() === '2', 'what was shown is noted');
  const names = items.slice(0, 3).map((i) => i.image);
  const plan = await holdout(['label-review', 'create', dir, 'fresh-dogs', '--set', 'fresh', '--by', 'class', '--experts', 'kim', '--dry-run']);
  assert.match(plan.err, /25 images with .* Nothing was written\.[\s\S]*kim may review 23 of the images: saw 2 on pages\.\nImages that fewer than 1 of them may review: 2\. Add/);
  const made = await holdout(['label-review', 'create', dir, 'fresh-dogs', '--set', 'fresh', '--by', 'class', '--experts', 'kim,ada', '--repeats', '0', '--seed', '3']);
  assert.match(made.err, /kim may review 23 of the images: saw 2 on pages\.\n$/, 'ada may review the others');
  assert.match((await holdout(['label-review', 'create', dir, 'none', '--set', 'fresh', '--experts', 'lea'])).err, /no account lea/);
  assert.match((await holdout(['label-review', 'create', dir, 'new', '--set', 'fresh'])).err, /part of an address/);

  const queue = (await must(['label-review', 'queue', dir, 'fresh-dogs'])).trim().split('\n').slice(1).map((line) => line.split(',')[0]);
  const at = (i) => queue.indexOf(names[i]);
  const api = `${API}/fresh-dogs`;
  const of = (client, place) => client.json('GET', `${api}/items/${place}`);
  assert.deepEqual((await Promise.all([of(kim, at(0)), of(kim, at(1)), of(kim, at(2)), of(ada, at(0))])).map((r) => r.status), [403, 403, 200, 200]);
  assert.equal((await kim.get(`/labels/fresh-dogs/${at(0)}/image`)).status, 403);
  const refused = await kim.get(`/labels/fresh-dogs/${at(1)}`);
  assert.match(await refused.text(), /You were shown this image elsewhere/);
  /* A near-duplicate of an image that they saw counts as seen. */
  await sqlite(path.join(dir, 'holdout.db'), `INSERT INTO near_duplicate SELECT min(s.name, f.name), max(s.name, f.name), (SELECT max(id) FROM event), 1
    FROM image s, image f WHERE s.id = (SELECT w.image FROM account_saw w JOIN label_review_image m ON m.image = w.image JOIN label_review r ON r.id = m.review
    WHERE r.name = 'fresh-dogs' AND w.how = 'page' LIMIT 1) AND f.id = (SELECT m.image FROM label_review_image m JOIN label_review r ON r.id = m.review
    WHERE r.name = 'fresh-dogs' AND NOT EXISTS (SELECT 1 FROM account_saw w WHERE w.image = m.image) LIMIT 1);`);
  assert.match(await must(['label-review', 'eligible', dir, 'fresh-dogs']), /\nkim,expert,yes,22,3,2,0,0,0,0,0,1\n/);
  assert.match(await (await lead.get('/labels/fresh-dogs')).text(), /22 of\s+25: saw 2 on pages, saw near-duplicates of 1/);
  await sqlite(path.join(dir, 'holdout.db'), 'DELETE FROM near_duplicate');
  const verdicts = { n00000001: 'correct' };
  assert.equal((await kim.json('POST', `${api}/items/${at(0)}`, { verdicts })).status, 403);
  assert.match(await (await kim.get(`/labels/fresh-dogs/${at(0)}`)).text(), /href="\/labels\/fresh-dogs\/next">Go on to the next one/);
  for (;;) {
    const { position } = (await kim.json('GET', `${api}/next`)).body;
    if (position === null) break;
    assert.ok(position !== at(0) && position !== at(1));
    assert.equal((await kim.json('POST', `${api}/items/${position}`, { verdicts })).status, 201);
  }
  const facts = (await lead.json('GET', api)).body;
  assert.deepEqual([facts.reviewed, facts.starved], [23, 0]);
  assert.deepEqual(facts.eligibility.map((e) => [e.login, e.active, e.eligible, e.seen, e.seen_pages]), [['ada', true, 25, 0, 0], ['kim', true, 23, 2, 2]]);
  assert.match(await must(['label-review', 'eligible', dir, 'fresh-dogs']), /\nkim,expert,yes,23,2,2,0,0,0,0,0,0\n/);
  assert.match(await (await lead.get('/labels/fresh-dogs')).text(), /23 of\s+25: saw 2 on pages/);

  /* Looking at a page of the list afterwards changes nothing about what one has reviewed; another list of it is another's work. */
  await must(['label-review', 'create', dir, 'fresh-again', '--set', 'fresh', '--experts', 'kim', '--reviewers', '1']);
  const again = (await lead.json('GET', `${API}/fresh-again`)).body.eligibility[0];
  assert.deepEqual([again.eligible, again.seen, again.seen_pages, again.seen_reviews], [0, 25, 2, 23]);
  assert.equal((await kim.json('GET', `${API}/fresh-again/next`)).body.position, null);
  await must(['label-review', 'change', dir, 'fresh-again', '--close']);
  await must(['label-review', 'create', dir, 'last', '--set', 'fresh', '--experts', 'kim', '--again']);
  assert.equal((await lead.json('GET', `${API}/last`)).body.eligibility[0].eligible, 23, 'the review after an evaluation');
  for (const list of ['last', 'fresh-dogs']) await must(['label-review', 'change', dir, list, '--close']);
});

test('a lead whose work it is not looks at an image and says nothing; what reviewers make of each other is seen', async () => {
  await must(['label-review', 'create', dir, 'stands', '--set', 'originals', '--images', '2', '--reviewers', '2', '--repeats', '0', '--experts', 'ada,grace', '--again']);
  const api = `${API}/stands`;
  const { labels: [{ wnid }] } = (await ada.json('GET', `${api}/items/0`)).body;
  const says = (client, verdict) => client.json('POST', `${api}/items/0`, { verdicts: { [wnid]: verdict }, comment: 'by its beak' });
  await says(ada, 'correct');
  assert.equal((await grace.json('POST', `${api}/items/0/stand`, { stand: 'keep' })).status, 403, 'others are hidden');
  const { look } = (await says(grace, 'wrong')).body;
  const looked = await lead.page('/labels/stands/0');
  assert.match(looked, /not your work, so you can only look[\s\S]*Show its name[\s\S]*Reviewer A[\s\S]*Reviewer B/);
  assert.doesNotMatch(looked, /value="save"|data-stand/);
  assert.equal((await post(lead, '/labels/stands/0', { [`say-${wnid}`]: 'wrong', do: 'save' })).status, 403);

  const page = await ada.page('/labels/stands/0');
  assert.match(page, new RegExp(`value="agree-${look}"[\\s\\S]*value="keep"[\\s\\S]*value="discuss"`));
  assert.match(page, /data-ahead="\/labels\/stands\/1\/image"/);
  const gone = await post(ada, '/labels/stands/0/stand', { do: 'agree-1' });
  assert.equal(gone.status, 404);
  assert.match(await gone.text(), /name="comment"[^>]*>by its beak</, 'another form of the page takes nothing out of this one');
  assert.equal((await post(ada, '/labels/stands/0/stand', { do: 'keep' })).status, 303);
  assert.equal((await grace.json('POST', `${api}/items/0/stand`, { stand: 'discuss' })).status, 201);
  assert.equal((await grace.json('POST', `${api}/items/0/stand`, { stand: 'agree', look: 1 })).status, 404);
  assert.equal((await grace.json('POST', `${api}/items/0/stand`, { stand: 'maybe' })).status, 400);
  let { disputes } = (await lead.json('GET', api)).body;
  assert.deepEqual(disputes.map((d) => [d.keep, d.discuss]), [[1, 1]]);
  assert.match(await (await lead.get('/labels/stands')).text(), /keep what they said: 1, want to discuss:\s+1/);
  const agreed = await ada.fetch('/labels/stands/0/stand', { method: 'POST', body: new URLSearchParams({ csrf: ada.csrf, do: `agree-${look}` }) });
  assert.equal(agreed.status, 303);
  ({ disputes } = (await lead.json('GET', api)).body);
  assert.equal(disputes.length, 0);
  assert.equal((await ada.json('GET', `${api}/items/0`)).body.labels.find((l) => l.wnid === wnid).verdict, 'wrong');
  await must(['label-review', 'change', dir, 'stands', '--close']);
});

/* Newcombe 1998, method 10, from Wilson's intervals. */
function newcombe(a, n, b, m) {
  const z = 1.959963984540054;
  const wilson = (k, of) => [-1, 1].map((s) => (k + z * z / 2 + s * z * Math.sqrt(k * (of - k) / of + z * z / 4)) / (of + z * z));
  const [p, q, [pl, ph], [ql, qh]] = [a / n, b / m, wilson(a, n), wilson(b, m)];
  return [p - q, p - q - Math.hypot(p - pl, qh - q), p - q + Math.hypot(ph - p, q - ql)].map((v) => 100 * v);
}

test('a model\'s suggestion is shown for half of the images, and what that does is measured', async () => {
  await must(['label-review', 'create', dir, 'hints', '--set', 'originals', '--suggest', 'dull', '--repeats', '0', '--seed', '5', '--experts', 'grace', '--again']);
  assert.match((await holdout(['label-review', 'create', dir, 'sealed', '--set', 'closed', '--suggest', 'dull'])).err, /sealed/);
  assert.match((await holdout(['label-review', 'create', dir, 'other', '--set', 'originals', '--suggest', 'net'])).err, /net is not asked about/);
  const api = `${API}/hints`;
  const dull = Object.fromEntries(predictions(SETS.originals, MODELS.dull.originals).map((p) => [p.image, p.labels[0]]));
  const queue = (await must(['label-review', 'queue', dir, 'hints'])).trim().split('\n').slice(1).map((line) => line.split(',')[0]);
  const n = { true: [0, 0], false: [0, 0] };
  const said = []; /* image, whether the suggestion is shown, grace's verdict, ada's */
  for (const [at, image] of queue.entries()) {
    const { labels } = (await grace.json('GET', `${api}/items/${at}`)).body;
    const shown = labels.filter((l) => l.suggested);
    assert.ok(shown.length === 0 || (shown.length === 1 && shown[0].wnid === dull[image]));
    const agrees = shown.length ? at % 5 > 0 : at % 2 > 0;
    n[shown.length > 0][0] += agrees;
    n[shown.length > 0][1]++;
    assert.equal((await grace.json('POST', `${api}/items/${at}`, { verdicts: { [dull[image]]: agrees ? 'correct' : 'wrong' } })).status, 201);
    /* What is said later, when others' words were seen, does not count. */
    if (at === 0) await grace.json('POST', `${api}/items/0`, { verdicts: { [dull[image]]: 'unclear' } });
    said.push([image, shown.length > 0, agrees ? 'correct' : 'wrong', at % 3 ? 'correct' : 'wrong']);
  }
  assert.equal(n.true[1], queue.length / 2);
  const { anchoring, suggests } = (await lead.json('GET', api)).body;
  assert.equal(suggests, 'dull');
  assert.deepEqual(anchoring.map((a) => [a.who, a.shown_images, a.shown_agreed, a.hidden_images, a.hidden_agreed]),
    ['first reviewers', 'grace'].map((who) => [who, n.true[1], n.true[0], n.false[1], n.false[0]]));
  const expected = newcombe(...n.true, ...n.false);
  [anchoring[0].difference, anchoring[0].difference_lo, anchoring[0].difference_hi].forEach((v, i) => assert.ok(Math.abs(v - expected[i]) < 1e-9, `${v} ${expected[i]}`));
  assert.match(await must(['label-review', 'anchoring', dir, 'hints']), /^who,shown_images,.*\nfirst reviewers,6,/);
  assert.match(await (await lead.get('/labels/hints')).text(), /What suggestions do[\s\S]*first reviewers/);

  /* Agreement is that of images on which no suggestion is shown, unless all are asked for. */
  const rows = said.map(([image, , , verdict]) => `${image},${dull[image]},${verdict}\n`).join('');
  await must(['label-review', 'import', dir, 'hints', writer(tempDir(t))('ada.csv', `image,label,verdict\n${rows}`), '--by', 'ada']);
  const hidden = said.filter(([, shown]) => !shown);
  for (const [query, of] of [['', hidden], ['?suggestions=hidden', hidden], ['?suggestions=all', said]]) {
    const g = (await lead.json('GET', `${api}/agreement${query}`)).body;
    assert.deepEqual([g.suggestions, g.left_out, g.labels, g.times.find((row) => row.person === 'ada').images],
      [of === said ? 'all' : 'hidden', 2 * (said.length - of.length), of.length, of.length], query);
    const kappa = cohen(of.map(([, , one, two]) => [one, two]));
    assert.ok(Math.abs(g.pairs[0].kappa - kappa) < 1e-9, `${g.pairs[0].kappa} ${kappa}`);
    const csv = await must(['label-review', 'agreement', dir, 'hints', '--rows', 'pairs', '--suggestions', g.suggestions]);
    assert.equal((await (await lead.get(`${api}/agreement.csv?rows=pairs&suggestions=${g.suggestions}`)).text()).replace(/\r/g, ''), csv.replace(/\r/g, ''));
  }
  assert.equal((await lead.get(`${api}/agreement?suggestions=some`)).status, 400);
  const shownPage = await lead.page('/labels/hints/agreement');
  assert.match(shownPage, /name="suggestions" value="hidden" checked[\s\S]*these images do not count\. Left out: 12 looks/);
  assert.match(shownPage, /agreement\.csv\?rows=pairs&amp;suggestions=hidden/);
  assert.doesNotMatch(await lead.page('/labels/three/agreement'), /name="suggestions"/);
  await must(['check', dir]);
});

test('a lead looks at the plan of a list, a job makes it, and scripts change it', async () => {
  const ask = 'set=originals&by=random&images=6&reviewers=2&repeats=0&models=sharp&seed=9&experts=ada,grace';
  const { body: plan } = await lead.json('GET', `${API}/new?name=planned&${ask}`);
  assert.deepEqual([plan.set, plan.images, plan.drawn, plan.labels_of_set, plan.models, plan.taken], ['originals/0', 6, 6, 6, 1, null]);
  assert.deepEqual(plan.eligibility.slice(0, 2).map((e) => [e.login, e.active, e.eligible + e.seen]), [['ada', true, 6], ['grace', true, 6]]);
  assert.ok(plan.starved <= 6 && plan.eligibility.length > 2);
  assert.match((await lead.json('GET', `${API}/new?name=pair&${ask}`)).body.taken, /already/);
  assert.equal((await lead.json('GET', `${API}/new?name=x&set=closed`)).body.sealed_by, 'closed/0');
  for (const [query, status] of [['name=x', 400], ['name=x&set=none', 404], [`name=x&${ask}&suggest=dull`, 400], [`name=x&${ask},nobody`, 404],
    ['name=x&set=originals&images=0', 400], ['name=x&set=originals&by=age', 400], ['name=x&set=originals&sources=none', 404]]) {
    assert.equal((await lead.json('GET', `${API}/new?${query}`)).status, status, query);
  }
  const fields = Object.fromEntries(new URLSearchParams(ask));
  const shown = await (await post(lead, '/labels/new', { name: 'planned', ...fields, do: 'plan' })).text();
  assert.match(shown, /The plan[\s\S]*Make the review/);
  assert.equal((await post(lead, '/labels/new', { name: 'pair', ...fields, do: 'make' })).status, 400);
  const made = await post(lead, '/labels/new', { name: 'planned', ...fields, again: '1', do: 'make' });
  assert.equal(made.status, 303);
  const job = `/api/v1${made.headers.get('location')}`;
  const state = await until(async () => { const { body } = await lead.json('GET', job); return !body.is_open && body; }, 'the job has ended');
  assert.equal(state.state, 'done', JSON.stringify(state));
  const facts = (await lead.json('GET', `${API}/planned`)).body;
  assert.deepEqual([facts.images, facts.again, facts.seed, facts.people.map((p) => p.login)], [6, true, 9, ['ada', 'grace']]);
  const change = (fields) => lead.json('POST', `${API}/planned/change`, fields);
  assert.equal((await change({ do: 'close' })).body.state, 'closed');
  assert.equal((await change({ do: 'remove', login: 'ada' })).status, 200);
  assert.deepEqual((await change({ do: 'add', login: 'nobody' })).body.code, 'label-review-login');
  assert.equal((await change({ do: 'shut' })).status, 400);
  assert.deepEqual((await lead.json('GET', `${API}/planned`)).body.people.map((p) => p.active), [false, true]);
  await must(['user', 'disable', dir, 'grace']);
  await must(['label-review', 'change', dir, 'planned', '--remove', 'grace']);
  assert.deepEqual((await lead.json('GET', `${API}/planned`)).body.people.map((p) => p.active), [false, false]);
});

test('a list may have the name of a part of addresses: who reviews it does not adjudicate', async () => {
  await must(['label-review', 'create', dir, 'adjudicate', '--set', 'originals', '--images', '1', '--repeats', '0', '--seed', '3', '--experts', 'ada', '--again']);
  assert.equal((await post(ada, '/labels/adjudicate/0', { [`say-${WNIDS[0]}`]: 'correct', do: 'save' })).status, 303);
  assert.deepEqual((await lead.json('GET', `${API}/adjudicate`)).body.people.map((p) => [p.images, p.adjudicated]), [[1, 0]]);
});
