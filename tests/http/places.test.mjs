/* places.test.mjs - a panel's id is not a password: who only knows one works on with the place and
 * nothing else; the code of work that was done, leaving and being forgotten need the secret of who did
 * it. Secrets are stored as hashes. */
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { Client, startServer } from './lib.mjs';
import { WIDE, answer, can, codeOf, join, newStudy, next, see, startStudy } from './study.mjs';
import { sqlite } from '../load/tools.mjs';

const query = async (dir, sql) => (await sqlite(`${dir}/holdout.db`, sql)).trim();
const state = async (client, place) => (await client.json('GET', `/api/v1/places/${place}`)).body;

/* A browser comes with an id and gives its consent: the address of the place that its page names. */
async function arrive(client, person) {
  const r = await see(client, '/work/campaign/main', { PROLIFIC_PID: person });
  const place = /data-place="([^"]+)"/.exec(r.html)?.[1] ?? /^\/work\/place\/([\w-]{22})/.exec(r.at)[1];
  return { ...r, place };
}

async function work(client, place, grids, name) {
  for (let i = 0; i < grids; i++) {
    const grid = await next(client, place);
    assert.equal(grid.done, false, JSON.stringify(grid));
    assert.equal((await answer(client, grid.assignment, { client_id: `client-${name}-${i}` })).status, 200);
  }
}

test("another browser with the id works on, and gets no code, withdrawal or erasure", async (t) => {
  const { dir, server } = await startStudy(t);
  const mine = new Client(server.url), theirs = new Client(server.url);
  const { place } = await arrive(mine, 'victim');
  await work(mine, place, 1, 'first');

  const guest = await arrive(theirs, 'victim');
  assert.notEqual(guest.place, place, 'the id does not give the secret away');
  assert.equal(await query(dir, 'SELECT count(*) FROM place;'), '1');
  assert.ok(can(guest.html, 'Next grid'), 'it can work on');
  assert.ok(!guest.html.includes('submission'), 'and does not see what the victim sent');
  const before = await query(dir, 'SELECT max(id) FROM event;');
  for (const how of ['stop', 'technical', 'forget']) {
    const r = await see(theirs, `/work/place/${guest.place}/leave`, { how, sure: '1' });
    assert.equal(r.status, 403, how);
    assert.ok(r.html.includes('Is this your place?') && !can(r.html, 'Stop now'));
  }
  const form = await see(theirs, `/work/place/${guest.place}/leave`);
  assert.ok(!can(form.html, 'Forget me') && can(form.html, 'Check the code'));
  assert.equal(await query(dir, 'SELECT max(id) FROM event;'), before, 'nothing happened');

  await work(mine, place, 1, 'second');
  const done = await next(mine, place);
  assert.ok(done.done && done.code);
  const asked = await next(theirs, guest.place);
  assert.deepEqual([asked.done, asked.code], [true, undefined]);
  const seen = await state(theirs, guest.place);
  assert.deepEqual([seen.own, seen.code, seen.submissions], [false, null, []]);
  const page = await see(theirs, `/work/place/${guest.place}`);
  assert.equal(codeOf(page.html), null);
  assert.ok(!page.html.includes(done.code) && page.html.includes('in another browser'));
  assert.equal((await state(mine, place)).code, done.code);

  /* The start page tells nobody who takes part; the victim's own browser is known. */
  const start = async (client, person) =>
    (await see(client, `/work/campaign/main?PROLIFIC_PID=${person}`)).html.replaceAll(person, 'X');
  const stranger = new Client(server.url);
  assert.equal(await start(stranger, 'victim'), await start(stranger, 'nobody'));
  assert.ok(can(await start(mine, 'victim'), 'Continue where you left off'));
  const back = await arrive(mine, 'victim');
  assert.equal(back.place, place, 'the cookie gives the same place back');
  assert.equal(codeOf(back.html), done.code);
  /* An address that proves nothing, opened in the browser that can. */
  assert.equal(codeOf((await see(mine, `/work/place/${guest.place}`)).html), done.code);
  const left = await see(mine, `/work/place/${place}/leave`, { how: 'forget', sure: '1' });
  assert.equal(codeOf(left.html), done.code);
});

test('the completion code of the place alone proves whose it is', async (t) => {
  const { dir, server } = await startStudy(t, { env: { HOLDOUT_LIMITS_LOGINS_PER_ADDRESS_HOUR: '7' } });
  const mine = new Client(server.url), later = new Client(server.url);
  const place = await join(mine, 'ann');
  await work(mine, place, 2, 'ann');
  const { code } = await next(mine, place);
  const guest = await arrive(later, 'ann');
  const prove = (text) => see(later, `/work/place/${guest.place}/proof`, { code: text });
  for (const wrong of ['', code.slice(1), code.toLowerCase(), `${code}A`]) {
    const r = await prove(wrong);
    assert.equal(r.status, 400, wrong);
    assert.match(r.html, /id="code-error"/);
  }
  const proved = await prove(` ${code} `);
  assert.equal(codeOf(proved.html), code);
  assert.ok(can((await see(later, `${proved.at}/leave`)).html, 'Forget me'));
  assert.equal((await arrive(later, 'ann')).at, proved.at, 'this browser is known from now on');
  const api = await later.json('POST', `/api/v1/places/${guest.place}/proof`, { code });
  assert.equal((await state(later, api.body.place)).code, code);

  /* A code that everybody gets proves nothing: other participants know it. */
  await sqlite(`${dir}/holdout.db`, "UPDATE study_code SET code = 'SHARED' WHERE outcome = 'complete';");
  const bob = await join(mine, 'bob');
  await work(mine, bob, 2, 'bob');
  assert.equal((await next(mine, bob)).code, 'SHARED');
  const other = await join(later, 'bob');
  const shared = await later.json('POST', `/api/v1/places/${other}/proof`, { code: 'SHARED' });
  assert.deepEqual([shared.status, shared.body.code], [403, 'place-code']);
  assert.equal((await prove('GUESS')).status, 429, 'guessing is throttled');
});

test('who lost the cookie is paid for what they do, and takes no credit for what others did', async (t) => {
  const { server } = await startStudy(t);
  const before = new Client(server.url), after = new Client(server.url), idle = new Client(server.url);
  const { place } = await arrive(before, 'ann');
  await work(before, place, 1, 'before');
  const held = await next(before, place);
  const guest = await arrive(after, 'ann');
  const waits = await arrive(idle, 'ann');
  /* A grid that two browsers hold says nothing about who answers it. */
  assert.equal((await next(after, guest.place)).assignment, held.assignment);
  assert.equal((await state(after, `~${held.assignment}`)).own, false, 'its address is no proof any more');
  assert.equal((await answer(before, held.assignment, { client_id: 'from-the-queue' })).status, 200);
  assert.equal((await next(after, guest.place)).code, undefined);
  assert.ok((await next(before, place)).code);

  /* The one who comes back does the work: the code is theirs too. */
  const first = await join(before, 'bob');
  await work(before, first, 1, 'bob-1');
  const second = await arrive(after, 'bob');
  await work(after, second.place, 1, 'bob-2');
  const { code } = await next(after, second.place);
  assert.ok(code);
  assert.equal(codeOf((await see(after, `/work/place/${second.place}`)).html), code);
  assert.equal((await state(before, first)).code, code);
  assert.equal((await see(after, `/work/place/${second.place}/leave`, { how: 'forget', sure: '1' })).status, 403);
  assert.equal((await state(idle, waits.place)).code, null);
});

test("a browser without cookies keeps its right by the address of its grids", async (t) => {
  const { server } = await startStudy(t);
  const api = new Client(server.url);
  const place = await join(api, 'ann');
  const grid = await next(api, place);
  const bare = new Client(server.url);
  const { html } = await see(bare, `/work/assignment/${grid.assignment}`);
  const handle = /data-place="([^"]+)"/.exec(html)[1];
  const asked = await see(bare, `/work/assignment/${grid.assignment}`, { client_id: 'by-hand-1', cell: '0' });
  assert.match(asked.at, /^\/work\/assignment\//, 'the next grid');
  assert.ok(can((await see(bare, `/work/place/${handle}/leave`)).html, 'Stop now'));
  const left = await see(bare, `/work/place/${handle}/leave`, { how: 'stop' });
  assert.ok(codeOf(left.html));
});

test('secrets of places are stored as hashes, those of older projects from the next start on', async (t) => {
  const dir = await newStudy(t);
  let server = await startServer(t, dir, { env: WIDE });
  const place = await join(new Client(server.url), 'ann');
  const guest = await join(new Client(server.url), 'ann');
  for (const secret of [place, guest]) {
    const hex = Buffer.from(secret, 'base64url').toString('hex').toUpperCase();
    assert.ok(!(await query(dir, 'SELECT hex(token) FROM place; SELECT hex(hash) FROM place_visit;')).includes(hex));
  }
  await server.stop();
  const hex = Buffer.from(place, 'base64url').toString('hex');
  await sqlite(`${dir}/holdout.db`, `UPDATE place SET token = x'${hex}';`);
  server = await startServer(t, dir, { env: WIDE });
  assert.equal(await query(dir, 'SELECT length(token) FROM place;'), '32');
  assert.deepEqual([(await state(new Client(server.url), place)).own, (await state(new Client(server.url), guest)).own],
    [true, false]);
});

test('many who know an id leave few secrets behind, and never the one who joined', async (t) => {
  const { dir, server } = await startStudy(t);
  const client = new Client(server.url);
  const place = await join(client, 'ann');
  const worked = await join(client, 'ann');
  await work(client, worked, 1, 'ann');
  for (let i = 0; i < 30; i++) await join(client, 'ann');
  assert.equal(await query(dir, 'SELECT count(*) FROM place_visit;'), '21');
  assert.equal((await state(client, place)).own, true);
  assert.equal((await state(client, worked)).submissions.length, 1);
});

test('the start page is throttled', async (t) => {
  const { server } = await startStudy(t, { env: { HOLDOUT_LIMITS_PLACES_PER_ADDRESS_HOUR: '2' } });
  const client = new Client(server.url);
  const seen = [];
  for (let i = 0; i < 9; i++) seen.push((await client.get(`/work/campaign/main?PROLIFIC_PID=p${i}`)).status);
  assert.deepEqual(seen, [200, 200, 200, 200, 200, 200, 200, 200, 429]);
});
