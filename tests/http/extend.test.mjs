/* extend.test.mjs - keeping a grid reserved for longer, on a server whose clock the test moves. */
import assert from 'node:assert/strict';
import test from 'node:test';

import { FaultFile } from '../load/tools.mjs';
import { Client, faultBin, startServer, tempDir } from './lib.mjs';
import { WIDE, answer, lease, newStudy } from './study.mjs';

const LEASE_S = 600;

async function startMoved(t, answers = '100') {
  const dir = await newStudy(t, { answers });
  const faults = new FaultFile(tempDir(t));
  const server = await startServer(t, dir, { binary: faultBin, env: { ...WIDE, ...faults.env } });
  return { client: new Client(server.url), move: (seconds) => faults.clock(seconds * 1000) };
}

const extend = (client, assignment) =>
  client.json('POST', `/api/v1/assignments/${assignment}/extend`, {});

test('a reservation lasts its full time from the moment it is extended', async (t) => {
  const { client, move } = await startMoved(t);
  const grid = await lease(client, 'p1');
  move(LEASE_S - 60);
  const r = await extend(client, grid.assignment);
  assert.equal(r.status, 200);
  assert.ok(r.body.lease_until > grid.lease_until);
  move(LEASE_S + 300);
  const again = await client.json('POST', `/api/v1/places/${grid.place}/next`, {});
  assert.equal(again.body.assignment, grid.assignment, 'still held after the first lease');
});

const refused = (r, code) => {
  assert.equal(r.status, 409);
  assert.equal(r.body.code, code);
};

test('a reservation that is over begins anew while nobody else has the grid', async (t) => {
  const { client, move } = await startMoved(t, '1');
  const first = await lease(client, 'p1');
  move(LEASE_S + 1);
  const again = await extend(client, first.assignment);
  assert.equal(again.status, 200);
  assert.equal(again.body.lease_until - first.lease_until >= LEASE_S * 1000, true);
  const held = await client.json('GET', `/api/v1/assignments/${first.assignment}`);
  assert.deepEqual(held.body, {
    answered: false, state: null, lease_until: again.body.lease_until, cells: first.cells,
  });
  move(2 * LEASE_S + 2);
  await lease(client, 'p2', first.cells); /* N is 1: the slot is gone */
  refused(await extend(client, first.assignment), 'lease-over');
});

test('not for ever, not when it is over, not when it is answered', async (t) => {
  const { client, move } = await startMoved(t, '1');
  const long = await lease(client, 'p1');
  let at = 0;
  for (let i = 0; i < 3; i++) {
    at += LEASE_S - 10;
    move(at);
    assert.equal((await extend(client, long.assignment)).status, 200, `extension ${i + 1}`);
  }
  move(at + LEASE_S - 10);
  refused(await extend(client, long.assignment), 'lease-longest');
  move(at + LEASE_S + 10);
  await lease(client, 'p2', long.cells);
  refused(await extend(client, long.assignment), 'lease-over');
  assert.equal((await answer(client, long.assignment)).status, 200, 'and yet the answer is kept');
  const known = await client.json('GET', `/api/v1/assignments/${long.assignment}`);
  assert.deepEqual([known.body.answered, known.body.state], [true, 'surplus']);
  refused(await extend(client, long.assignment), 'already-answered');
});
