/* history.test.mjs - everything that happened, on its page and as JSON: every kind of event has a
 * sentence, filters and pages, who may see it. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';

import { Client, must, root } from './lib.mjs';
import { answer, join, lease, startStudy } from './study.mjs';

const read = (file) => fs.readFileSync(path.join(root, file), 'utf8');
const sources = (dir) => fs.readdirSync(path.join(root, dir), { withFileTypes: true }).flatMap((e) =>
  e.isDirectory() ? sources(`${dir}/${e.name}`) : e.name.endsWith('.c') ? [`${dir}/${e.name}`] : []);

/* The arguments of a call, split at its own commas; `at` is behind its parenthesis. */
function argumentsOf(text, at) {
  const found = [];
  let depth = 0, quoted = false, from = at;
  for (let i = at; ; i++) {
    const c = text[i];
    if (quoted) {
      if (c === '\\') i++;
      else quoted = c !== '"';
    } else if (c === '"') quoted = true;
    else if ('([{'.includes(c)) depth++;
    else if (c === ',' && depth === 0) { found.push(text.slice(from, i).trim()); from = i + 1; }
    else if (')]}'.includes(c) && depth-- === 0) return [...found, text.slice(from, i).trim()];
  }
}

/* Values that a column may have, from its CHECK in the migrations. */
function allowed(table, column) {
  const sql = fs.readdirSync(path.join(root, 'migrations')).map((f) => read(`migrations/${f}`)).join('\n');
  const body = new RegExp(`CREATE TABLE ${table} \\(([^]*?)\\) STRICT`).exec(sql)[1];
  return [...new RegExp(`\\b${column} IN \\(([^)]*)\\)`).exec(body)[1].matchAll(/'([^']+)'/g)].map((m) => m[1]);
}

/* Every kind that a call of events_add can store: what is a text there, or what its variable gets. */
function kindsStored() {
  const kinds = new Map();
  for (const file of sources('server')) {
    const text = read(file);
    for (const call of text.matchAll(/\bevents_add\(/g)) {
      if (file.endsWith('/events.c')) continue;
      const kind = argumentsOf(text, call.index + call[0].length)[3];
      const texts = [...kind.matchAll(/"([^"]+)"/g)].map((m) => m[1]);
      kinds.set(`${file}: ${kind}`, texts);
    }
  }
  return kinds;
}

/* Calls whose kind is no text: where it comes from. A new one needs an entry here. */
const MADE = {
  'server/transfer/imports/decisions.c: d->event': () => sources('server')
    .flatMap((file) => [...read(file).matchAll(/\.event = "([a-z.-]+)"/g)].map((m) => m[1])),
  'server/store/campaigns/campaigns.c: kind': () => allowed('campaign', 'state').map((s) => `campaign.${s}`),
  'server/store/work/flags.c: kind': () => allowed('image_decision', 'decision').map((s) => `image.${s}`),
  'server/store/decisions/pay.c: kinds[state]': () => allowed('pay', 'state').map((s) => `pay.${s}`),
  'server/store/people/accounts.c: kind': () => ['account.create', 'account.role'],
  'server/store/operate/jobs.c: kind': () => ['job.done', 'job.failed', 'job.cancelled'],
  'server/store/sets/picks.c: kind': () => sources('server')
    .flatMap((file) => [...read(file).matchAll(/\bpicks_write\([^;]*?"([a-z.-]+)"/g)].map((m) => m[1])),
  'server/store/duplicates/near_verdicts.c: kind': () => ['near-duplicates.repeated', 'near-duplicates.reviewed', 'near-duplicates.undone'],
  'server/store/models/predictions.c: kind': () => allowed('prediction_source', 'kind').map((k) => (k === 'engine' ? 'predictions.make' : `predictions.${k}`)),
  'server/store/sets/score_pins.c: kind': () => ['predictions.choose', 'predictions.unchoose'],
  'server/store/sets/write.c: kinds[g->state]': () => allowed('revision_state', 'state').map((s) => `set.${s}`),
  'server/store/decisions/decisions.c: kinds[d->value]': () => allowed('decision', 'value').map((s) => `decision.${s}`),
};

test('every kind of event that the program stores has its sentence', () => {
  const words = new Set([...read('server/web/operate/history_words.c').matchAll(/^ {4}\{"([a-z.-]+)", AREA_/gm)].map((m) => m[1]));
  const calls = kindsStored();
  assert.ok(words.size > 40 && calls.size > 30);
  const missing = [];
  for (const [call, texts] of calls) {
    const kinds = texts.length ? texts : MADE[call]?.();
    assert.ok(kinds?.length, `where does the kind come from? ${call}`);
    missing.push(...kinds.filter((k) => !words.has(k)).map((k) => `${k} (${call})`));
  }
  assert.deepEqual(missing, []);
});

const items = async (client, query = '') => {
  const r = await client.json('GET', `/api/v1/history${query}`);
  assert.equal(r.status, 200, JSON.stringify(r.body));
  return r.body.items;
};

/* A person who answered, flagged and was blocked; the campaign was paused by the lead. */
async function eventful(t) {
  const study = await startStudy(t);
  const lead = await new Client(study.server.url).login('lead');
  const grid = await lease(study.client, 'person-one');
  assert.equal((await answer(study.client, grid.assignment)).status, 200);
  assert.equal((await study.client.json('POST', `/api/v1/assignments/${grid.assignment}/flags`,
    { position: 0, kind: 'broken', note: '' })).status, 200);
  const { items: [person] } = (await lead.json('GET', '/api/v1/campaigns/main/participants')).body;
  assert.equal((await lead.post(`/workers/${person.pseudonym}/notes`,
    { kind: 'block', text: 'selects <everything> & "nothing"' })).status, 303);
  assert.equal((await lead.post('/campaigns/main/state/paused')).status, 303);
  return { ...study, lead, person: person.pseudonym };
}

test('what happened, newest first: who, when, what', async (t) => {
  const { lead, person } = await eventful(t);
  const all = await items(lead);
  assert.deepEqual(all.slice(0, 2).map(({ kind, account, sentence }) => [kind, account, sentence]), [
    ['campaign.paused', 'lead', 'paused the campaign main'],
    ['person.block', 'lead', `blocked ${person}: selects <everything> & "nothing"`],
  ]);
  assert.ok(all.every((e, i) => i === 0 || e.id < all[i - 1].id));
  assert.ok(all.every((e) => /^\d{4}-\d\d-\d\dT/.test(e.at) && e.who && e.sentence));
  assert.deepEqual(all.filter((e) => e.kind === 'flag').map((e) => [e.who, e.person, e.campaign]), [[person, person, 'main']]);
  assert.ok(!all.some((e) => e.kind === 'answer'), 'single answers are hidden');
  assert.ok(!all.some((e) => /cannot describe|\(unknown\)/.test(e.sentence)), JSON.stringify(all));
  assert.equal((await items(lead, '?singles=1')).filter((e) => e.kind === 'answer').length, 1);
  assert.equal(all.at(-1).sentence, 'made the view default');

  const html = await lead.page('/history');
  assert.ok(html.includes(`blocked <a href="/workers/${person}">${person}</a>: selects &lt;everything&gt;`));
  assert.ok(html.includes('paused the campaign <a href="/campaigns/main">main</a>'));
});

test('filters of the history', async (t) => {
  const { lead, client, dir, person } = await eventful(t);
  await must(['grids', dir, '--campaign', 'other', '--open', '--seed', '3']);
  await join(client, 'person-two', 'other');
  const kinds = async (query) => [...new Set((await items(lead, query)).map((e) => e.kind))].sort();
  assert.deepEqual(await kinds('?area=images'), ['classes.import', 'flag', 'images.import']);
  assert.deepEqual(await kinds('?area=answers'), ['answer']);
  assert.deepEqual(await kinds('?account=lead&area=campaigns'), ['campaign.paused']);
  assert.deepEqual(await kinds('?campaign=other'), ['campaign.create', 'campaign.open', 'grids.create', 'place.join']);
  assert.deepEqual(await kinds(`?person=${person}`), ['flag', 'person.block', 'place.join']);
  assert.deepEqual(await kinds(`?person=${person}&singles=1`),
    ['answer', 'flag', 'person.block', 'place.join']);
  const today = new Date().toISOString().slice(0, 10);
  const before = new Date(Date.now() - 3 * 86400000).toISOString().slice(0, 10);
  assert.ok((await items(lead, `?from=${before}`)).length > 10);
  assert.deepEqual(await items(lead, `?until=${before}`), []);
  assert.ok((await items(lead, `?from=${before}&until=${today}&area=views`)).length <= 1);

  for (const [query, status, code] of [
    ['?area=everything', 400, 'history-area'], ['?from=2026-02-31', 400, 'history-day'],
    ['?until=yesterday', 400, 'history-day'], ['?campaign=none', 404, 'no-campaign'],
    ['?person=p0', 404, 'no-person'], ['?account=nobody', 404, 'no-account'],
    [`?person=${person}&campaign=main`, 400, 'history-about'], ['?after=x', 400, 'cursor'],
    ['?limit=0', 400, 'cursor'], ['?limit=501', 400, 'cursor'],
  ]) {
    const r = await lead.json('GET', `/api/v1/history${query}`);
    assert.deepEqual([r.status, r.body.code], [status, code], query);
  }
});

test('a decision is one line, with the way to take it back', async (t) => {
  const { lead, person } = await eventful(t);
  const made = await lead.json('POST', '/api/v1/decisions',
    { field: 'analysis', value: 'out', people: [person], reason: 'too fast & <wrong>' });
  assert.equal(made.status, 201, JSON.stringify(made.body));
  const { id } = made.body.decision;
  const [line, ...rest] = await items(lead);
  assert.deepEqual([line.id, line.who, line.sentence],
    [id, 'lead', 'excluded 1 answer of 1 person from the analysis by a decision: too fast & <wrong>']);
  assert.ok(!rest.some((e) => e.kind === 'answer.state'), 'what it did one by one is hidden');
  assert.deepEqual((await items(lead, '?area=answers')).map((e) => e.sentence.replace(/grid \S+/, 'grid')),
    [`set an answer of ${person} in main to out: too fast & <wrong>`, 'answered the grid of main']);
  const undo = `/decisions/${id}/undo`;
  assert.ok((await lead.page('/history')).includes(`action="${undo}"`));
  const r = await lead.post(undo);
  assert.equal(r.status, 303, await r.text());
  assert.equal((await items(lead))[0].kind, 'decision.undo');
  const html = await lead.page('/history');
  assert.ok(!/action="\/decisions\//.test(html), 'neither it nor the undo can be undone here');
  assert.match(html, /<span class="badge">undone<\/span>/);
});

test('pages of the history meet', async (t) => {
  const { lead } = await eventful(t);
  const whole = await items(lead, '?limit=500&singles=1');
  const seen = [];
  for (let next = 0, pages = 0; next !== null; pages++) {
    assert.ok(pages < 100);
    const { body } = await lead.json('GET', `/api/v1/history?limit=3&singles=1&after=${next}`);
    seen.push(...body.items.map((e) => e.id));
    next = body.next;
  }
  assert.deepEqual([...new Set(seen)], seen);
  assert.ok(whole.every((e) => seen.includes(e.id)));
});
