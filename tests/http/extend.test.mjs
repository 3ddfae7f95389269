/* extend.test.mjs - keeping a grid reserved for longer, on a server whose clock the test moves. */
import assert from 'node:assert/strict';
import test from 'node:test';

import { FaultFile } from '../load/tools.mjs';
import { Client, faultBin, startServer, tempDir } from './lib.mjs';
import { WIDE, answer, lease, newStudy } from './study.mjs';

const LEASE_S = 600;

async function startMoved(t) {
  const dir = await newStudy(t);
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

test('not for ever, not when it is over, not when it is answered', async (t) => {
  const { client, move } = await startMoved(t);
  const long = await lease(client, 'p1');
  const refused = (r, code) => {
    assert.equal(r.status, 409);
    assert.equal(r.body.code, code);
  };
  let at = 0;
  for (let i = 0; i < 3; i++) {
    at += LEASE_S - 10;
    move(at);
    assert.equal((await extend(client, long.assignment)).status, 200, `extension ${i + 1}`);
  }
  move(at + LEASE_S - 10);
  refused(await extend(client, long.assignment), 'lease-longest');
  move(at + LEASE_S + 10);
  refused(await extend(client, long.assignment), 'lease-over');
  assert.equal((await answer(client, long.assignment)).status, 200, 'and yet the answer is kept');
  refused(await extend(client, long.assignment), 'already-answered');
});
