/* people.test.mjs - the people behind answers, over HTTP: blocks and notes, pay, the list of
 * participants, and that nothing of a panel's id is left once somebody is forgotten. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import test from 'node:test';

import { Client, PASSWORD, holdout, must, startServer } from './lib.mjs';
import { WIDE, answer, newStudy, next, startStudy } from './study.mjs';

const PANEL_ID = 'pid-5f3ab2c9d1e84b7a90c3@panel.example';
const SESSION = 'session-0815-77aa1fb2c3';
const STUDY = 'study-61f0';

/* Everything that a panel's id may have been turned into on its way. */
const traces = (id) => [id, encodeURIComponent(id), encodeURIComponent(id).toLowerCase(),
  JSON.stringify(id).slice(1, -1), Buffer.from(id).toString('base64').replace(/=+$/, ''),
  Buffer.from(id).toString('base64url'), Buffer.from(id).toString('hex'),
  ...['md5', 'sha1', 'sha256', 'sha512'].flatMap((h) =>
    ['hex', 'base64'].map((form) => createHash(h).update(id).digest(form).replace(/=+$/, '')))];

function files(dir) {
  return fs.readdirSync(dir, { withFileTypes: true }).flatMap((e) =>
    e.isDirectory() ? files(path.join(dir, e.name)) : e.isFile() ? [path.join(dir, e.name)] : []);
}

/* Where in the project a trace of the texts is, raw digests included. */
function found(dir, ids) {
  const needles = ids.flatMap((id) => [...traces(id).map((x) => Buffer.from(x)),
    ...['md5', 'sha1', 'sha256', 'sha512'].map((h) => createHash(h).update(id).digest())]);
  return files(dir).filter((file) => {
    const bytes = fs.readFileSync(file);
    return needles.some((needle) => bytes.includes(needle));
  }).map((file) => path.relative(dir, file));
}

const loggedTrace = (server, ids) => ids.flatMap(traces).filter((x) => server.log.includes(x));

/* Waits until a condition holds; the limit only ends a hang. */
async function until(holds, what) {
  const end = Date.now() + 30000;
  while (!holds()) {
    assert.ok(Date.now() < end, `still not: ${what()}`);
    await sleep(50);
  }
}

/* Somebody comes by the panel's link, agrees and opens the first grid, all on pages. */
async function comeByLink(url, id = PANEL_ID) {
  const client = new Client(url);
  const query = new URLSearchParams({ PROLIFIC_PID: id, STUDY_ID: STUDY, SESSION_ID: SESSION });
  const html = await client.page(`/work/campaign/main?${query}`);
  const fields = Object.fromEntries([...html.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)]
    .map((m) => [m[1], m[2]]));
  assert.equal(fields.PROLIFIC_PID, id);
  const joined = await client.post('/work/campaign/main', fields);
  assert.equal(joined.status, 303, await joined.text());
  const place = /data-place="([^"]+)"/.exec(await client.page(joined.headers.get('location')))[1];
  await client.page(`/work/place/${place}`);
  return { client, place };
}

async function joinByApi(client, id) {
  const r = await client.json('POST', '/api/v1/campaigns/main/places',
    { external_id: id, parameters: { STUDY_ID: STUDY, SESSION_ID: `of ${id}` } });
  assert.equal(r.status, 201, JSON.stringify(r.body));
  return r.body.place;
}

const people = async (client, campaign = 'main') => {
  const r = await client.json('GET', `/api/v1/campaigns/${campaign}/participants?panel_ids=yes`);
  assert.equal(r.status, 200, JSON.stringify(r.body));
  return r.body.items;
};
const personOf = async (client, id) =>
  (await people(client)).find((p) => p.participant_id === id);

/* One person who did everything that can leave a trace: two grids, a flag, a note, pay. */
async function leaveTraces(server, dir) {
  const { client, place } = await comeByLink(server.url);
  const grid = await next(client, place);
  await answer(client, grid.assignment, { client_id: 'first-0001', device: { columns: 8 } });
  const flagged = await client.json('POST', `/api/v1/assignments/${grid.assignment}/flags`,
    { position: 0, kind: 'other', note: `I am ${PANEL_ID}, session ${SESSION}` });
  assert.equal(flagged.status, 200);
  const second = await next(client, place);
  await answer(client, second.assignment, { client_id: 'second-001' });
  const lead = await new Client(server.url).login('lead');
  const person = await personOf(lead, PANEL_ID);
  assert.ok(person, 'the lead sees the panel id');
  for (const [target, fields] of [
    [`/workers/${person.pseudonym}/notes`, { kind: 'note', text: 'wrote a kind mail' }],
    [`/campaigns/main/participants/${person.place}/pay`,
      { decision: 'approve', bonus: '1.50' }],
  ]) {
    const r = await lead.post(target, fields);
    assert.equal(r.status, 303, await r.text());
  }
  /* A note about somebody else that names this one. */
  await joinByApi(client, 'somebody-else-0001');
  const other = await personOf(lead, 'somebody-else-0001');
  assert.equal((await lead.post(`/workers/${other.pseudonym}/notes`,
    { kind: 'note', text: `works beside ${PANEL_ID}` })).status, 303);
  await lead.page(`/workers?q=${encodeURIComponent(PANEL_ID)}`);
  await lead.page(`/campaigns/main/participants`);
  assert.notDeepEqual(found(dir, [PANEL_ID]), [], 'the search finds an id that is there');
  assert.notDeepEqual(found(dir, [SESSION]), []);
  return { client, lead, person, place };
}

const numbers = async (dir) => [
  await must(['export', 'frequencies', dir]),
  (await must(['export', 'participants', dir, '--campaign', 'main', '--panel-ids'])).split('\n')
    .map((line) => line.split(',').slice(6, 10).join(',')).join('\n'),
];

async function assertForgotten(dir, server, person) {
  const ids = [PANEL_ID, SESSION];
  await until(() => found(dir, ids).length === 0, () => found(dir, ids));
  assert.deepEqual(loggedTrace(server, ids), []);
  const csv = await must(['export', 'participants', dir, '--campaign', 'main', '--panel-ids']);
  const [head, ...rows] = csv.trim().split('\n').map((line) => line.split(','));
  const row = rows.find((r) => r[head.indexOf('pseudonym')] === person.pseudonym);
  assert.equal(row[head.indexOf('participant_id')], '');
  assert.equal(row[head.indexOf('forgotten')], 'yes');
  assert.equal(row[head.indexOf('SESSION_ID')], '');
  assert.equal(row[head.indexOf('pay_state')], 'approved');
  for (const text of [csv, await must(['worker', 'list', dir, '--json', '--panel-ids']),
    await must(['worker', 'show', dir, person.pseudonym, '--json', '--panel-ids']),
    await must(['export', 'workers', dir, '--panel-ids']), await must(['export', 'frequencies', dir])]) {
    assert.ok(!traces(PANEL_ID).some((x) => text.includes(x)), text);
  }
}

test('forgotten by a lead: no byte of the panel id is left, no number changes', async (t) => {
  const { dir, server } = await startStudy(t);
  const { client, lead, person, place } = await leaveTraces(server, dir);
  const before = await numbers(dir);
  const asked = await lead.page(`/workers/${person.pseudonym}/forget`);
  assert.match(asked, /This cannot be undone/);
  assert.notDeepEqual(found(dir, [PANEL_ID]), [], 'asking changes nothing');
  assert.equal((await lead.post(`/workers/${person.pseudonym}/forget`)).status, 303);
  await assertForgotten(dir, server, person);
  assert.deepEqual(await numbers(dir), before);
  const shown = await lead.page(`/workers/${person.pseudonym}`);
  assert.ok(!shown.includes(PANEL_ID) && shown.includes('forgotten'));
  const html = await lead.page('/campaigns/main/participants');
  assert.ok(!html.includes(PANEL_ID) && html.includes(person.pseudonym));
  /* The address still says how it stands; it was theirs. */
  assert.equal((await client.get(`/work/place/${place}`)).status, 200);
  await server.stop();
  assert.deepEqual(found(dir, [PANEL_ID, SESSION]), []);
  assert.deepEqual(loggedTrace(server, [PANEL_ID, SESSION]), []);
});

test('forgotten from the command line beside a running server', async (t) => {
  const { dir, server } = await startStudy(t);
  const { person } = await leaveTraces(server, dir);
  const before = await numbers(dir);
  const r = await holdout(['worker', 'forget', dir, '--source', 'panel', '--id', PANEL_ID, '--yes']);
  assert.equal(r.code, 0, r.err);
  assert.ok(!(r.out + r.err).includes(PANEL_ID));
  assert.deepEqual(found(dir, [PANEL_ID, SESSION]), [], 'at once: the command emptied the log');
  await assertForgotten(dir, server, person);
  assert.deepEqual(await numbers(dir), before);
  const again = await holdout(['worker', 'forget', dir, person.pseudonym, '--yes']);
  assert.equal(again.code, 0, again.err);
});

test('forgotten from the command line after the server was killed', async (t) => {
  const dir = await newStudy(t);
  const server = await startServer(t, dir, { env: WIDE });
  const { person } = await leaveTraces(server, dir);
  await server.stop('SIGKILL');
  await must(['worker', 'forget', dir, person.pseudonym, '--yes']);
  assert.deepEqual(found(dir, [PANEL_ID, SESSION]), []);
  await assertForgotten(dir, server, person);
});

test('a server that starts empties a log that a killed one left', async (t) => {
  const dir = await newStudy(t);
  let server = await startServer(t, dir, { env: WIDE });
  const { lead, person } = await leaveTraces(server, dir);
  /* Killed with the reply: the log may still be there. */
  assert.equal((await lead.post(`/workers/${person.pseudonym}/forget`)).status, 303);
  await server.stop('SIGKILL');
  server = await startServer(t, dir, { env: WIDE });
  await assertForgotten(dir, server, person);
});

test('workers forget themselves', async (t) => {
  const { dir, server } = await startStudy(t);
  const { client, person, place } = await leaveTraces(server, dir);
  const before = await must(['export', 'frequencies', dir]);
  const r = await client.post(`/work/place/${place}/leave`, { how: 'forget', sure: '1' });
  assert.ok(r.status === 303 || r.status === 200, `${r.status}`);
  await assertForgotten(dir, server, person);
  assert.equal(await must(['export', 'frequencies', dir]), before);
});

test('a blocked person cannot join and gets no grid, but what they hold is stored', async (t) => {
  const { dir, server } = await startStudy(t);
  await must(['grids', dir, '--campaign', 'second', '--open', '--same-image-again', '--seed', '2',
    '--max-share', '1']);
  const { client, place } = await comeByLink(server.url);
  const grid = await next(client, place);
  const lead = await new Client(server.url).login('lead');
  const person = await personOf(lead, PANEL_ID);
  const notes = `/workers/${person.pseudonym}/notes`;
  assert.equal((await lead.post(notes, { kind: 'block', text: '' })).status, 400, 'a reason is due');
  assert.equal((await lead.post(notes, { kind: 'block', text: 'clicks everything' })).status, 303);
  assert.match(await lead.page('/workers?show=blocked'), new RegExp(person.pseudonym));
  const held = await answer(client, grid.assignment, { client_id: 'held-00001' });
  assert.equal(held.status, 200, JSON.stringify(held.body));
  const refused = await next(client, place);
  assert.equal(refused.assignment, undefined, JSON.stringify(refused));
  assert.match(JSON.stringify(refused), /blocked/);
  assert.equal((await personOf(lead, PANEL_ID)).grids_answered, 1);
  const elsewhere = () => client.json('POST', '/api/v1/campaigns/second/places', { external_id: PANEL_ID });
  const kept = await elsewhere();
  assert.ok(kept.status >= 400, JSON.stringify(kept.body));
  assert.equal((await people(lead, 'second')).length, 0);
  assert.equal((await lead.post(notes, { kind: 'unblock', text: '' })).status, 303);
  assert.equal((await elsewhere()).status, 201);
  assert.ok((await next(client, place)).assignment);
});

test('a note does not repeat a panel id', async (t) => {
  const { server } = await startStudy(t);
  const { client } = await comeByLink(server.url);
  assert.ok(client);
  const lead = await new Client(server.url).login('lead');
  const person = await personOf(lead, PANEL_ID);
  const r = await lead.post(`/workers/${person.pseudonym}/notes`,
    { kind: 'note', text: `see ${PANEL_ID.toUpperCase()}` });
  assert.equal(r.status, 400);
  assert.match(await r.text(), /panel id/);
  const rejected = await lead.post(`/campaigns/main/participants/${person.place}/pay`,
    { decision: 'reject', reason: `${SESSION} was too fast` });
  assert.equal(rejected.status, 400);
  assert.equal((await personOf(lead, PANEL_ID)).pay_state, 'pending');
});

test('pay is decided on the page and told to the panel', async (t) => {
  const { server } = await startStudy(t);
  const client = new Client(server.url);
  const done = [];
  for (const id of ['worker-a', 'worker "b"', 'worker, c']) {
    const place = await joinByApi(client, id);
    for (let grid = await next(client, place); !grid.done; grid = await next(client, place)) {
      await answer(client, grid.assignment, { client_id: `${grid.assignment}-1`, active_ms: 60000 });
    }
    done.push({ id, place });
  }
  await joinByApi(client, 'worker-late');
  const lead = await new Client(server.url).login('lead');
  const pay = async (id, fields) => lead.post(
    `/campaigns/main/participants/${(await personOf(lead, id)).place}/pay`, { form_page: '/campaigns/main/participants?show=to-decide', ...fields });
  assert.equal((await pay('worker-a', { decision: 'reject', reason: '' })).status, 400);
  assert.equal((await pay('worker-a', { decision: 'nonsense' })).status, 400);
  assert.equal((await pay('worker-a', { decision: 'keep', bonus: '-1' })).status, 400);
  const r = await pay('worker-a', { decision: 'reject', reason: 'said "all", 48 times' });
  assert.equal(r.status, 303);
  assert.match(r.headers.get('location'), /show=to-decide/);
  const toast = await lead.page('/campaigns/main/participants');
  const undoing = Object.fromEntries([...toast.slice(toast.indexOf('data-toast')).matchAll(/type="hidden" name="(undo|decision|bonus|reason)" value="([^"]*)"/g)].slice(0, 4).map((m) => [m[1], m[2]]));
  assert.equal((await pay('worker-a', undoing)).status, 303);
  assert.equal((await personOf(lead, 'worker-a')).pay_state, 'pending', 'undone');
  assert.equal((await pay('worker-a', undoing)).status, 409, 'undone once');
  assert.equal((await pay('worker-a', { decision: 'reject', reason: 'said "all", 48 times' })).status, 303);
  assert.equal((await pay('worker, c', { decision: 'keep', bonus: '0.5' })).status, 303);
  assert.match(await lead.page('/campaigns/main/participants'), /complete and pending \(2\)/);
  const page = await lead.page('/campaigns/main/participants');
  const preview = await lead.page(/href="([^"]*)">Approve all/.exec(page)[1].replaceAll('&amp;', '&'));
  assert.match(preview, /2 participants \(2 people\) would change\. Nothing is written yet/);
  assert.match(preview, /<strong>0\.50 USD<\/strong>/, 'pay and bonuses');
  assert.equal((await personOf(lead, 'worker, c')).pay_state, 'pending');
  const form = preview.slice(preview.indexOf('action="/decisions"'));
  const sent = Object.fromEntries([...form.matchAll(/type="hidden" name="(\w+)" value="([^"]*)"/g)].map((m) => [m[1], m[2]]));
  const decided = await lead.post('/decisions', { ...sent, reason: 'Complete' });
  assert.equal(decided.status, 303);
  const decision = decided.headers.get('location');
  assert.match(await lead.page(decision), /data-toast>\s*<p>Approve pay: 2 participants, 0\.50 USD with bonuses\.<\/p>\s*<form method="post" action="\/decisions\/\d+\/undo">/);
  assert.equal((await lead.post(`${decision}/undo`)).status, 303);
  assert.equal((await personOf(lead, 'worker, c')).pay_state, 'pending', 'undone');
  const again = await lead.post('/decisions', { ...sent, digest: '', reason: 'Complete' });
  assert.equal(again.status, 303);
  const list = async (name) => {
    const reply = await lead.get(`/campaigns/main/pay/${name}.csv`);
    assert.equal(reply.status, 200);
    assert.match(reply.headers.get('content-disposition'), new RegExp(`main-${name}\\.csv`));
    return reply.text();
  };
  assert.equal(await list('approve'), '"worker ""b"""\n"worker, c"\n');
  assert.equal(await list('reject'), 'participant_id,reason\nworker-a,"said ""all"", 48 times"\n');
  assert.equal(await list('bonus'), '"worker, c",0.50\n');
  const late = await personOf(lead, 'worker-late');
  const undone = await lead.post(`${again.headers.get('location')}/undo`);
  assert.equal(undone.status, 409, 'the list for the panel was taken');
  assert.match(await undone.text(), /people may have been paid by it and it cannot be undone/);
  assert.match(await lead.page(again.headers.get('location')), /It can no longer be undone/);
  assert.equal(late.pay_state, 'pending');
  assert.equal(late.outcome, null);
  const a = await personOf(lead, 'worker-a');
  assert.deepEqual([a.outcome, a.grids_answered, a.minutes, a.verified], ['complete', 2, 2, false]);
  assert.equal((await lead.post('/campaigns/main/participants/999/pay', { decision: 'approve' })).status, 404);
});

test('the page of participants is sorted by its heads and filtered by chips', async (t) => {
  const { server, client } = await startStudy(t);
  const lead = await new Client(server.url).login('lead');
  for (const [id, ms] of [['worker-slow', 240000], ['worker-quick', 1000], ['worker-late', 5000]]) {
    const place = await joinByApi(client, id);
    let grid = await next(client, place);
    while (!grid.done) {
      await answer(client, grid.assignment, { client_id: `${grid.assignment}-1`, active_ms: ms });
      if (id === 'worker-late') break; /* still in it */
      grid = await next(client, place);
    }
  }
  const listed = async (query) => {
    const html = await lead.page(`/campaigns/main/participants?${query}`);
    return { html, ids: [...html.matchAll(/<td class="long">(worker-\w+)/g)].map((m) => m[1]) };
  };
  const slowest = await listed('sort=active');
  assert.equal(slowest.ids[0], 'worker-slow');
  assert.match(slowest.html, /aria-sort="descending"><a class="sort" href="[^"]*sort=active&amp;order=rising">Active time/);
  assert.equal((await listed('sort=active&order=rising')).ids[2], 'worker-slow');
  assert.deepEqual((await listed('sort=rate')).ids, ['worker-slow', 'worker-quick', 'worker-late'], 'least for an hour first, unknown last');
  const still = await listed('show=in-it&sort=rate&page=7');
  assert.deepEqual(still.ids, ['worker-late']);
  assert.match(still.html, /<input type="hidden" name="sort" value="rate">/, 'the chips keep the sort');
  assert.match(still.html, /type="radio" name="show" value="in-it" checked/);
  assert.equal((await lead.get('/campaigns/main/participants?sort=luck')).status, 400);
});

test('what a person sent is sorted by heads and filtered by chips', async (t) => {
  const { client } = await startStudy(t);
  const lead = await new Client(client.url).login('lead');
  const place = await joinByApi(client, 'worker-a');
  let sent = 0;
  for (let grid = await next(client, place); !grid.done; grid = await next(client, place)) {
    await answer(client, grid.assignment, { client_id: `${grid.assignment}-1`, active_ms: sent++ ? 120000 : 3000 });
  }
  assert.equal(sent, 2);
  const { pseudonym } = await personOf(lead, 'worker-a');
  const listed = async (query) => {
    const html = await lead.page(`/workers/${pseudonym}?${query}`);
    return { html, ids: [...html.matchAll(/<th scope="row" class="nowrap"><a href="\/campaigns\/main\/assignments\/(\d+)/g)].map((m) => Number(m[1])) };
  };
  const [newest, oldest] = (await listed('')).ids;
  assert.ok(newest > oldest);
  assert.deepEqual((await listed('sort=when&order=rising&page=7')).ids, [oldest, newest]);
  const fastest = await listed('sort=active');
  assert.deepEqual(fastest.ids, [oldest, newest]);
  assert.match(fastest.html, /aria-sort="ascending"><a class="sort" href="[^"]*sort=active&amp;order=falling">Active/);
  assert.deepEqual((await listed('sort=active&order=falling')).ids, [newest, oldest]);
  const r = await lead.json('POST', '/api/v1/decisions', { answer: Number(/answer=(\d+)/.exec(fastest.html)[1]), value: 'out', reason: 'too fast' });
  assert.equal(r.status, 201, JSON.stringify(r.body));
  assert.deepEqual((await listed('state=out')).ids, [oldest]);
  assert.deepEqual((await listed('state=stored&sort=relative')).ids, [newest]);
  assert.match((await listed('state=surplus')).html, /nothing is in this\s+state/);
  for (const query of ['state=lost', 'sort=luck', 'order=up', 'page=0']) {
    assert.equal((await lead.get(`/workers/${pseudonym}?${query}`)).status, 400, query);
  }
});

test('the list of participants goes by cursor and is for leads', async (t) => {
  const { server } = await startStudy(t);
  const client = new Client(server.url);
  const ids = Array.from({ length: 7 }, (_, i) => `worker-${i}`);
  for (const id of ids) await joinByApi(client, id);
  const lead = await new Client(server.url).login('lead');
  const seen = [];
  for (let after = 0; after !== null;) {
    const r = await lead.json('GET', `/api/v1/campaigns/main/participants?limit=3&panel_ids=yes&after=${after}`);
    assert.ok(r.body.items.length <= 3);
    seen.push(...r.body.items.map((p) => p.participant_id));
    after = r.body.next;
  }
  assert.deepEqual(seen, ids);
  assert.equal((await lead.json('GET', '/api/v1/campaigns/main/participants?limit=0')).status, 400);
  assert.equal((await lead.json('GET', '/api/v1/campaigns/nothing/participants')).status, 404);
  const expert = await new Client(server.url).login('expert');
  assert.equal((await expert.json('GET', '/api/v1/campaigns/main/participants')).status, 403);
});

test('only an administrator erases somebody who has an account', async (t) => {
  const { dir, server } = await startStudy(t);
  const lead = await new Client(server.url).login('lead');
  assert.match(await lead.page('/workers'), /Nobody has joined yet/, 'staff without a place are not listed');
  const victim = JSON.parse(await must(['worker', 'show', dir, '--source', 'local', '--id', 'victim', '--json']));
  assert.equal(victim.kind, 'staff');
  const forget = `/workers/${victim.pseudonym}/forget`;
  assert.equal((await lead.get(forget)).status, 403);
  assert.equal((await lead.post(forget)).status, 403);
  const admin = await new Client(server.url).login('admin');
  assert.equal((await admin.post(forget)).status, 303);
  const refused = await new Client(server.url).post('/login', { login: 'victim', password: PASSWORD });
  assert.notEqual(refused.status, 303);
});
