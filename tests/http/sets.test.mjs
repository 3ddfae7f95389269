/* Sets over HTTP: the plan, what is refused before anything is made, the job that makes a revision, states that lead only
 * onward, the audit, and what differs between a revision and its child. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import { test } from 'node:test';

import { Client, must, tempDir } from './lib.mjs';
import { importSet, writer } from './model_world.mjs';
import { sqlite } from '../load/tools.mjs';
import { answer, join, next, startStudy } from './study.mjs';

const ANSWERS = 3;
const APPLE = 'n00000001';

/* Three people see both grids and select their first 30 cells. */
async function vote(client) {
  for (let i = 0; i < ANSWERS; i++) {
    const place = await join(client, `voter-${i}`);
    for (let k = 0; k < 2; k++) {
      const grid = await next(client, place);
      const selected = Array.from({ length: Math.min(30, grid.cells) }, (_, cell) => cell);
      const r = await answer(client, grid.assignment, { client_id: `vote-${i}-${k}-0000`, selected });
      assert.equal(r.status, 200, JSON.stringify(r.body));
    }
  }
}

async function begin(t) {
  const { dir, server, client } = await startStudy(t, { env: { HOLDOUT_JOBS_JOBS_AT_ONCE: '1' } });
  await importSet(dir, writer(tempDir(t)), 'originals', ['--role', 'original']);
  await vote(client);
  return { dir, client, lead: await new Client(server.url).login('lead') };
}

const get = async (client, at, status = 200) => {
  const r = await client.json('GET', at);
  assert.equal(r.status, status, `${at}: ${JSON.stringify(r.body)}`);
  return r.body;
};
const revisions = async (client) =>
  (await get(client, '/api/v1/sets')).items.flatMap((s) => s.revisions.map((r) => r.name)).filter((n) => !n.startsWith('originals'));

/* The job's end is awaited by its state, not by time. */
async function ended(client, at) {
  for (;;) {
    const { state, note } = await get(client, `/api/v1${at}`);
    if (!['queued', 'running'].includes(state)) return { state, note };
    await new Promise((ok) => { setTimeout(ok, 20); });
  }
}

const TOP = { set: 'tops', strategy: 'top', size: '4', answers: '1' };
async function make(client, fields) {
  const r = await client.post('/sets/new', fields);
  assert.equal(r.status, 303, await r.text());
  const job = await ended(client, r.headers.get('location'));
  assert.equal(job.state, 'done', job.note);
}

/* ---- plans ---- */

async function plans({ dir, lead }) {
  const query = new URLSearchParams({ ...TOP, size: '40' });
  const plan = await get(lead, `/api/v1/sets/new?${query}`);
  const [apples, pears] = plan.classes;
  assert.deepEqual([apples.chosen, apples.wanted, apples.missing], ['10', '40', '30']);
  assert.deepEqual([pears.chosen, pears.missing], ['40', '0']);
  assert.equal(apples.lacks[0].text, 'needs 30 more, 10 candidates there');
  const page = await lead.page(`/sets/new?${query}&do=plan`);
  assert.match(page, /Classes that fall short \(1\)/);
  assert.doesNotMatch(page, /pear tree/, 'short classes come first, alone');
  assert.match(await lead.page(`/sets/new?${query}&do=plan&classes=all`), /pear tree/);

  const many = await get(lead, '/api/v1/sets/new?strategy=top&answers=4');
  assert.deepEqual(many.excluded, [{ reason: 'few_assignments', label: 'too few answers', count: '52' }]);
  const csv = (await must(['sample', dir, '--strategy', 'top', '--size', '40', '--answers', '1', '--plan'])).split('\n');
  assert.match(csv.find((l) => l.startsWith(APPLE)), /,10\b/, 'the command says the same');
}

/* A plan is refused with the field or the rule; the page shows what was typed; nothing is made. */
async function refusals({ lead }) {
  for (const [fields, status, says] of [
    [{ size: '-1' }, 400, /size must be a whole number from 1 to/],
    [{ size: '100001' }, 400, /size must be/],
    [{ set: '../x' }, 400, /The name of a set must be/],
    [{ strategy: 'best' }, 400, /strategy must be one of/],
    [{ strategy: 'threshold', threshold: '1.5' }, 400, /threshold must be a frequency/],
    [{ strategy: 'threshold', threshold: 'nan' }, 400, /threshold must be a frequency/],
    [{ strategy: 'threshold', thresholds: 'n00000001' }, 400, /thresholds must be pairs/],
    [{ strategy: 'threshold', thresholds: 'n99999999=.5' }, 404, /n99999999/],
    [{ strategy: 'matched' }, 400, /original/],
    [{ parent: 'originals/0' }, 409, /./],
    [{ parent: 'none/7' }, 404, /There is no image set none/],
    [{ set: 'originals' }, 409, /./],
    [{ view: 'none' }, 404, /There is no view with that name/],
    [{ answers: '4' }, 400, /No candidate can be drawn/],
    [{ set: '' }, 400, /The name of a set must be/],
  ]) {
    const r = await lead.post('/sets/new', { ...TOP, ...fields });
    const html = await r.text();
    assert.equal(r.status, status, `${JSON.stringify(fields)}\n${html}`);
    assert.match(/role="alert"[^]*?<\/div>/.exec(html)[0], says);
  }
  assert.deepEqual(await revisions(lead), []);
  assert.deepEqual((await get(lead, '/api/v1/jobs')).items.filter((j) => j.kind === 'sample'), []);
}

/* ---- revisions ---- */

/* From a revision to its child: a blacklisted image goes, another comes; then a branch beside it. */
async function children({ lead, dir, t }) {
  await make(lead, TOP);
  const [first] = (await get(lead, '/api/v1/sets')).items.find((s) => s.name === 'tops').revisions;
  assert.deepEqual([first.state, first.by, first.images, first.strategy], ['sealed', 'lead', 8, 'top']);
  const images = (await get(lead, '/api/v1/sets/tops/0')).items;
  const out = images.find((i) => i.wnid === APPLE).image;
  const r = await lead.json('POST', `/api/v1/classes/${APPLE}/decisions`,
    { images: [{ image: out, banned: true, reason: 'drawing' }] }, { 'if-match': '*' });
  assert.ok(r.status < 300, JSON.stringify(r.body));

  const audit = await get(lead, '/api/v1/sets/tops/0/audit?answers=1');
  assert.deepEqual(audit.items.map((f) => [f.kind, f.wnid, f.images[0].name]), [['blacklisted', APPLE, out]]);
  assert.match(await lead.page('/sets/tops/0/audit'), new RegExp(`On the blacklist[^]*${out}`));

  await make(lead, { ...TOP, parent: 'tops/0' });
  await make(lead, { ...TOP, parent: 'tops/0', size: '3' });
  const diff = await get(lead, '/api/v1/sets/tops/diff?a=0&b=1');
  assert.deepEqual([diff.removed, diff.added, diff.changed, diff.next], [1, 1, 1, null]);
  assert.deepEqual([diff.items[0].removed[0].name, diff.items[0].removed[0].reason], [out, 'on the blacklist']);
  assert.deepEqual((await get(lead, '/api/v1/sets/tops/diff?a=1&b=1')).items, []);

  const page = await lead.page('/sets/tops');
  const rows = [...page.matchAll(/class="twigs"[^>]*>([^<]*)<\/span><a href="[^"]*">([^<]*)/g)].map((m) => [m[2], m[1].includes('└')]);
  assert.deepEqual(rows, [['tops/0', false], ['tops/1', true], ['tops/2', false]], 'the newest child goes on, the other branches off');
  assert.match(page, /No <a href="\/measures\/plans">analysis plan<\/a> is registered for this set/);
  await must(['plan', dir, writer(tempDir(t))('plan.json', JSON.stringify({ name: 'first', original: 'originals', new: 'tops' }))]);
  assert.match(await lead.page('/sets/tops'), /href="\/measures\/plans#plan-first">first<\/a>: registered at event \d+; no revision of tops can be scored yet/);
  assert.match(await lead.page('/sets/tops/1'), /href="\/measures\/plans#plan-first">first<\/a>: registered/);
  assert.match(await lead.page('/measures/plans'), /id="plan-first"/);
  assert.match(await lead.page('/sets/tops/1'), /on the blacklist<\/th><td class="number">1</);
  assert.match(await lead.page('/'), /href="\/sets\/tops\/2"/, 'the first page shows the newest');
}

/* The form, the plan and the job take over how the parent was sampled; what a request says differs, and is marked. */
async function inherits({ lead }) {
  await make(lead, { set: 'kin', strategy: 'threshold', threshold: '0.3', thresholds: `${APPLE}=.2`, size: '4', answers: '2', seed: '7', 'uploader-most': '9' });
  const images = (await get(lead, '/api/v1/sets/kin/0')).items.map((i) => i.image);
  const out = (await get(lead, '/api/v1/sets/kin/0')).items.find((i) => i.wnid !== APPLE);
  const r = await lead.json('POST', `/api/v1/classes/${out.wnid}/decisions`,
    { images: [{ image: out.image, banned: true, reason: 'drawing' }] }, { 'if-match': '*' });
  assert.ok(r.status < 300, JSON.stringify(r.body));

  const form = await lead.page('/sets/new?parent=kin/0');
  assert.match(form, /As kin\/0 was sampled/);
  for (const [name, value] of [['set', 'kin'], ['size', '4'], ['answers', '2'], ['threshold', '0.3'], ['thresholds', `${APPLE}=0.2`], ['seed', '7'], ['uploader-most', '9']]) {
    assert.match(form, new RegExp(`name="${name}" value="${value}"`), name);
  }
  assert.match(form, /value="threshold" checked/);
  const plan = await get(lead, '/api/v1/sets/new?parent=kin/0');
  assert.equal(plan.replaces, 'replaces 1: 1 blacklisted');
  assert.deepEqual([plan.changes, plan.removed], [[], [{ reason: 'blacklisted', label: 'on the blacklist', count: '1' }]]);
  const other = await get(lead, '/api/v1/sets/new?parent=kin/0&answers=4&thresholds=none&picked=true');
  assert.deepEqual(other.changes.map((c) => [c.name, c.was, c.is]).sort(),
    [['answers', '2', '4'], ['picked', 'none', 'yes'], ['thresholds', `{"${APPLE}":0.2}`, 'none']]);
  assert.match(other.replaces, /^removes 8 and adds 0: 1 blacklisted, 7 too few answers$/);
  const page = await lead.page('/sets/new?parent=kin/0&form=1&strategy=threshold&answers=4&do=plan');
  assert.match(page, /<th scope="row">Minimum answers per candidate<\/th><td class="name">2<\/td><td class="name"><strong>4<\/strong>/);
  assert.match(page, /Classes with their own threshold<\/th>[^]*<strong>none<\/strong>/, 'an emptied field of a form that was sent is none');

  /* What the plan's button posts, and the least that a request can say. */
  const shown = await lead.page('/sets/new?parent=kin/0&do=plan');
  const hidden = Object.fromEntries([...shown.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)">/g)].map((m) => [m[1], m[2]]).filter(([k]) => !['csrf', 'form'].includes(k)));
  await make(lead, hidden);
  await make(lead, { parent: 'kin/0' });
  for (const number of [1, 2]) {
    const is = (await get(lead, `/api/v1/sets/kin/${number}`)).items.map((i) => i.image);
    assert.equal(is.length, images.length);
    assert.deepEqual(images.filter((i) => !is.includes(i)), [out.image]);
  }
  assert.match(await lead.page('/sets/new?parent=originals/0'), /originals\/0 was imported/);
}

/* A view whose filters look at what is measured says so on the plan and on what was made of it. */
async function warnings({ lead }) {
  const r = await lead.post('/views', { do: 'save', name: 'careful', description: 'why', kind: 'main', as_of: 'all', version: '0', rule: 'negative-least', 'value-negative-least': '1' });
  assert.equal(r.status, 303, await r.text());
  const fields = { ...TOP, set: 'warned', view: 'careful' };
  const says = /people with at least 1 % of negative controls right: Negative controls are/;
  const plan = `?${new URLSearchParams(fields)}`;
  assert.match(await lead.page(`/sets/new${plan}&do=plan`), says);
  assert.match((await get(lead, `/api/v1/sets/new${plan}`)).warnings[0].text, says);
  assert.deepEqual((await get(lead, `/api/v1/sets/new?${new URLSearchParams(TOP)}`)).warnings, []);
  await make(lead, fields);
  const page = await lead.page('/sets/warned/0');
  assert.match(page, says);
  assert.match(page, /Votes of the view<\/dt><dd[^>]*>careful, version of event \d+</);
  assert.doesNotMatch(await lead.page('/sets/tops/0'), /leaves out answers because of what they say/);
}

const stateOf = async (client, name) =>
  (await get(client, '/api/v1/sets')).items.flatMap((s) => s.revisions).find((r) => r.name === name).state;

async function states({ lead, dir }) {
  const to = (state, reason = 'because <of> it') => lead.post(`/sets/tops/1/state/${state}`, { reason });
  for (const [state, status, after, reason] of [
    ['released', 409, 'sealed'], ['open', 400, 'sealed'], ['frozen', 400, 'sealed', '  '], ['unsealed', 303, 'unsealed'],
    ['frozen', 303, 'frozen'], ['unsealed', 409, 'frozen'], ['released', 303, 'released'], ['released', 409, 'released'],
    ['frozen', 409, 'released'],
  ]) {
    const r = await to(state, reason);
    assert.equal(r.status, status, `${state}: ${await r.text()}`);
    assert.equal(await stateOf(lead, 'tops/1'), after);
  }
  assert.match(await lead.page('/sets/tops/1'), /because &lt;of&gt; it/);
  const api = (members) => lead.json('POST', '/api/v1/sets/tops/2/state', members);
  assert.equal((await api({ state: 'frozen' })).body.code, 'set-reason');
  assert.equal((await api({ state: 'frozen', reason: 'done' })).body.state, 'frozen');
  assert.equal((await api({ state: 'frozen', reason: 'done' })).body.code, 'set-state');
  await must(['check', dir]);
}

/* The mean over the images of a revision, from the votes as they are exported now. */
async function meanOf(dir, lead, name) {
  const votes = new Map((await must(['export', 'frequencies', dir])).trim().split('\n').slice(1).map((line) => {
    const [image, wnid, n, k] = line.split(',');
    return [`${image},${wnid}`, [Number(n), Number(k)]];
  }));
  const counts = (await get(lead, `/api/v1/sets/${name}?limit=1000`)).items.map((i) => votes.get(`${i.image},${i.wnid}`)).filter((v) => v?.[0]);
  return counts.reduce((sum, [n, k]) => sum + k / n, 0) / counts.length;
}
/* Three digits as printf writes them: what lies just between two (13/16) goes to the even one. */
const three = (x) => (x * 16 % 1 === 0 && x * 1000 % 2 === 0.5 ? Math.floor(x * 1000) / 1000 : x).toFixed(3);
const near = (a, b) => assert.ok(Math.abs(a - b) < 1e-12, `${a} and ${b}`);

/* One number in the list, on the page, by JSON and in the manifest: what it was at the draw; and what it is now. */
async function averages({ dir, client, lead, t }) {
  await make(lead, { set: 'mixed', strategy: 'threshold', threshold: '0', size: '8', answers: '1', seed: '3' });
  const at = (of) => get(lead, `/api/v1/sets/mixed/0/average${of ?? ''}`);
  const cell = (html) => /\/sets\/mixed\/0"[^]*?<\/tr>/.exec(html)[0];
  const first = await at();
  near(first.at_draw.mean, await meanOf(dir, lead, 'mixed/0'));
  assert.deepEqual([first.now.mean, first.now.lo, first.now.hi, first.differ], [first.at_draw.mean, first.at_draw.lo, first.at_draw.hi, false]);
  assert.deepEqual([first.at_draw.view, first.at_draw.images], ['default', 16]);
  assert.ok(first.at_draw.lo < first.at_draw.mean && first.at_draw.mean < first.at_draw.hi);
  const text = ({ mean, lo, hi, event }) => [three(mean), `n 16, ${three(lo)}–${three(hi)}`, `view default, event ${event}`];
  for (const part of text(first.at_draw)) {
    assert.ok((await lead.page('/sets/mixed/0')).includes(part), part);
    for (const list of ['/sets', '/sets/mixed']) assert.ok(cell(await lead.page(list)).includes(part), `${list}: ${part}`);
  }
  assert.match(cell(await lead.page('/sets')), /at the draw, and now/);
  assert.ok(cell(await lead.page('/')).includes(`${text(first.at_draw)[0]} <span class="muted">at the draw, `));

  const place = await join(client, 'late');
  for (let k = 0; k < 2; k++) {
    const grid = await next(client, place);
    await answer(client, grid.assignment, { client_id: `late-${k}-0000`, selected: [], none: true });
  }
  const later = await at();
  assert.deepEqual(later.at_draw, first.at_draw);
  near(later.now.mean, await meanOf(dir, lead, 'mixed/0'));
  assert.ok(later.differ && later.now.mean < first.now.mean);
  const page = await lead.page('/sets/mixed/0');
  for (const [label, a] of [['Average frequency at the draw', later.at_draw], ['Average frequency now', later.now]]) {
    const [value, note, basis] = text(a);
    assert.match(page, new RegExp(`<dt>${label}</dt>\\s*<dd class="tile-value">${value}</dd>\\s*<dd class="tile-note">${note}; ${basis}</dd>`));
    assert.ok(cell(await lead.page('/sets')).includes(`${value} ${label.slice(18)}`));
  }
  assert.match(page, /<dt>Matching bias<\/dt>/);
  assert.match(page, /<dt>Who was asked<\/dt><dd class="name">main \(\d+ answers of \d+ people\)<\/dd>/);

  /* Facts of an earlier program have the mean alone: the interval is counted again as of then. */
  await sqlite(`${dir}/holdout.db`, ".timeout 20000\nUPDATE revision SET facts = json_remove(facts, '$.average') WHERE number = 0 AND json_extract(facts, '$.average.images') = 16;");
  assert.deepEqual((await at()).at_draw, first.at_draw);

  const out = `${tempDir(t)}/out`;
  await must(['export', 'set', dir, 'mixed/0', '--format', 'folder', '--output', out]);
  const { votes } = JSON.parse(fs.readFileSync(`${out}/manifest.json`, 'utf8'));
  assert.deepEqual([votes.average_frequency, votes.interval.lo, votes.interval.hi, votes.view_version, votes.as_of],
    [first.at_draw.mean, first.at_draw.lo, first.at_draw.hi, first.at_draw.view_version, first.at_draw.event]);
  assert.match(fs.readFileSync(`${out}/README.md`, 'utf8'), new RegExp(`Average selection frequency at the draw: ${votes.average_frequency.toFixed(4)}, the mean over 16 images`));
  assert.equal((await get(lead, '/api/v1/sets/originals/0/average')).bias, null);
}

async function wrongAddresses({ lead }) {
  for (const [at, status] of [
    ['/sets/tops/9', 404], ['/sets/none/0/audit', 404], ['/sets/tops/0/audit?answers=-1', 400],
    ['/sets/tops/diff?a=9&b=0', 404], ['/sets/tops/diff?a=0&b=none', 404], ['/sets/tops/diff?a=0&b=1&from=-1', 400],
    ['/api/v1/sets/tops/diff?from=99999999999', 200], ['/api/v1/sets/new?strategy=top&from=-1', 400],
    ['/api/v1/sets/new', 400],
  ]) assert.equal((await lead.get(at)).status, status, at);
  const beyond = await get(lead, '/api/v1/sets/tops/diff?a=0&b=1&from=7');
  assert.deepEqual(beyond.items, []);
}

/* The list of sets says what a set lacks as people call it. */
async function lacks({ lead }) {
  await make(lead, { ...TOP, set: 'few', size: '12' });
  const [, note] = /1 class<\/span> <span class="[^"]*">([^<]*)</.exec(await lead.page('/sets'));
  assert.equal(note, '3 images missing: apple');
}

test('sets', async (t) => {
  const world = await begin(t);
  await t.test('a plan, by page, by JSON and by command', () => plans(world));
  await t.test('what cannot be made is refused, and nothing is', () => refusals(world));
  await t.test('a child without what is blacklisted, and a branch', () => children({ ...world, t }));
  await t.test('the next revision inherits', () => inherits(world));
  await t.test('a view that filters by what is measured', () => warnings(world));
  await t.test('one average, at the draw and now', () => averages({ ...world, t }));
  await t.test('states lead onward, each with a reason', () => states(world));
  await t.test('wrong addresses', () => wrongAddresses(world));
  await t.test('classes that fall short go by name', () => lacks(world));
});
