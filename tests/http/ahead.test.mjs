/* A grid fetched beside the one that is worked on: how long it is kept, when it is its turn, and that
 * nobody gets more than one may, on a server whose clock the test moves. */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';

import { FaultFile, buildTools, faultBin, project, serve, tempDir, verify } from '../load/tools.mjs';
import { Client, must } from './lib.mjs';
import { answer, join, next } from './study.mjs';

before(buildTools);

const LEASE_S = 600;
const AHEAD_S = 120;

/* One class, so that no two grids share an image and everybody may have them all. */
async function start(t, options) {
  const dir = await project(t, { classes: 1, lease: LEASE_S, 'answers-per-grid': 1, ...options });
  const faults = new FaultFile(tempDir(t));
  const server = await serve(t, dir, { program: faultBin, env: faults.env });
  return { dir, server, client: new Client(server.url), move: (seconds) => faults.clock(seconds * 1000) };
}

const enter = (client, person) => join(client, person, 'load');
const ahead = async (client, place) =>
  (await client.json('POST', `/api/v1/places/${place}/next`, { ahead: true })).body;
const extend = (client, { assignment }) => client.json('POST', `/api/v1/assignments/${assignment}/extend`, {});
const stored = async (client, { assignment }, n = 1) => (await answer(client, assignment, { client_id: `client-${n}-${assignment}` })).body.status;
/* That one lease ends so many seconds after another; the requests themselves take time as well. */
const after = (a, b, seconds, why) =>
  assert.ok(Math.abs(a.lease_until - b.lease_until - 1000 * seconds) < 25000, `${why}: ${a.lease_until - b.lease_until} ms`);

test('a second grid beside the first, for a short while, and no third', async (t) => {
  const { client, move } = await start(t, { grids: 4, 'grids-per-place': 4 });
  const place = await enter(client, 'ann');
  const one = await next(client, place);
  const two = await ahead(client, place);
  assert.notEqual(two.assignment, one.assignment);
  after(one, two, LEASE_S - AHEAD_S, 'the second lease is short');
  move(60);
  const again = await ahead(client, place);
  assert.equal(again.assignment, two.assignment, 'at most two at once');
  after(again, two, 60, 'asked again it is kept for longer');
  const held = await next(client, place);
  assert.deepEqual([held.assignment, held.lease_until], [one.assignment, one.lease_until], 'the one whose turn it is');

  assert.equal(await stored(client, one), 'stored');
  const turn = await next(client, place);
  assert.equal(turn.assignment, two.assignment);
  after(turn, one, 60, 'its turn: a full lease');
  assert.deepEqual(turn.progress, { done: 1, total: 4 });
  const three = await ahead(client, place);
  after((await extend(client, three)).body, turn, 0, 'extending gives a full one too');
  const bad = await client.json('POST', `/api/v1/places/${place}/next`, { ahead: 1 });
  assert.deepEqual([bad.status, bad.body.code], [400, 'ahead']);
});

test('one that ran out is given again while it is free, ahead or in its turn', async (t) => {
  const { client, move } = await start(t, { grids: 3, 'grids-per-place': 3 });
  const place = await enter(client, 'ann');
  const one = await next(client, place);
  const two = await ahead(client, place);
  move(AHEAD_S + 1);
  assert.equal((await client.json('GET', `/api/v1/assignments/${two.assignment}`)).body.lease_until, two.lease_until);
  const again = await ahead(client, place);
  assert.equal(again.assignment, two.assignment);
  move(2 * AHEAD_S + 2);
  await stored(client, one);
  const turn = await next(client, place);
  assert.equal(turn.assignment, two.assignment, 'its pictures are there already');
  after(turn, again, LEASE_S + 1, 'with a full lease');
});

test('one that ran out goes to somebody else, and exactly N hold', async (t) => {
  const { dir, server, client, move } = await start(t, { grids: 3, 'grids-per-place': 3 });
  const [ann, bob] = [await enter(client, 'ann'), await enter(client, 'bob')];
  const one = await next(client, ann);
  const two = await ahead(client, ann);
  const other = await next(client, bob);
  assert.deepEqual([other.done, (await ahead(client, bob)).reason], [false, 'none-left'], 'short leases count');
  move(AHEAD_S + 1);
  const taken = await ahead(client, bob);
  assert.equal(taken.done, false);
  assert.notEqual(taken.assignment, two.assignment);
  const none = await ahead(client, ann);
  assert.deepEqual([none.done, none.reason, none.code], [true, 'none-left', undefined]);
  assert.equal((await extend(client, two)).body.code, 'lease-over');
  assert.equal((await next(client, ann)).assignment, one.assignment);
  assert.deepEqual([await stored(client, one), await stored(client, other), await stored(client, taken)], Array(3).fill('stored'));
  assert.equal(await stored(client, two), 'surplus');
  const known = await client.json('GET', `/api/v1/assignments/${two.assignment}`);
  assert.deepEqual([known.body.answered, known.body.state], [true, 'surplus']);
  await server.stop();
  const v = await verify(dir, [], '--expect-full');
  assert.deepEqual([v.counted, v.surplus, v.violations], [3, 1, {}]);
});

test('what is answered and held is never more than one may answer', async (t) => {
  const { client } = await start(t, { grids: 6, 'grids-per-place': 2 });
  const place = await enter(client, 'ann');
  const one = await next(client, place);
  const two = await ahead(client, place);
  await stored(client, one);
  const last = await ahead(client, place);
  assert.deepEqual([last.done, last.reason, last.code], [true, 'finished', undefined], 'no code while one is held');
  assert.equal((await next(client, place)).assignment, two.assignment);
  await stored(client, two);
  const done = await next(client, place);
  assert.deepEqual([done.reason, done.progress], ['finished', { done: 2, total: 2 }]);
  assert.match(done.code, /^\S+$/);
});

test('a late answer counts within one’s share only', async (t) => {
  const { client, move } = await start(t, { grids: 6, 'grids-per-place': 2, 'answers-per-grid': 5 });
  const place = await enter(client, 'ann');
  const late = await next(client, place);
  move(LEASE_S + 1);
  const one = await next(client, place);
  const two = await ahead(client, place);
  assert.notEqual(one.assignment, late.assignment);
  assert.equal((await extend(client, late)).body.code, 'lease-over', 'two are held');
  assert.equal(await stored(client, late), 'surplus', 'though its grid has room');
  assert.deepEqual([await stored(client, one), await stored(client, two)], ['stored', 'stored']);
  const bob = await enter(client, 'bob');
  const alone = await next(client, bob);
  move(2 * LEASE_S + 2);
  assert.equal(await stored(client, alone), 'stored', 'within the share, and its grid has room');
});

test('who is blocked gets nothing, ahead or not', async (t) => {
  const { dir, client } = await start(t, { grids: 3 });
  const place = await enter(client, 'ann');
  const one = await next(client, place);
  await must(['worker', 'block', dir, '--source', 'panel', '--id', 'ann', '--reason', 'a test']);
  for (const reply of [await next(client, place), await ahead(client, place)]) {
    assert.deepEqual([reply.done, reply.reason], [true, 'blocked']);
  }
  assert.equal(await stored(client, one), 'stored', 'what was done is kept');
});

test('many who fetch ahead: exactly N answers per grid', async (t) => {
  const { dir, server, client } = await start(t, { grids: 12, 'answers-per-grid': 3, 'grids-per-place': 12 });
  const count = { stored: 0, surplus: 0 };
  await Promise.all(Array.from({ length: 9 }, async (_, i) => {
    const place = await enter(client, `worker-${i}`);
    while (count.stored < 36) { /* without a grid they ask until the others are done */
      const [grid] = await Promise.all([next(client, place), ahead(client, place)]);
      if (!grid.done) count[await stored(client, grid)]++;
    }
  }));
  assert.equal(count.surplus, 0, 'nobody’s lease ended');
  await server.stop();
  const v = await verify(dir, [], '--expect-full');
  assert.deepEqual([v.counted, v.surplus, v.violations], [36, 0, {}]);
});
