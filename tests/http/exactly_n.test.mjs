/* Exactly N answers per grid, however people behave: 200 of them at once, leases that end, answers
 * that never come, come twice, on two connections, or after the lease. */
import assert from 'node:assert/strict';
import path from 'node:path';
import { before, it } from 'node:test';
import {
  FaultFile, buildTools, faultBin, holdout, lease, load, post, project, serve, tempDir, verify,
} from '../load/tools.mjs';

before(buildTools);

const GRIDS = 50;
const N = 10;
const LEASE_S = 60;

/* The server's clock runs 80 times faster: a lease of a minute ends in 0.75 s. */
function fastClock(t, faults) {
  const start = Date.now();
  const timer = setInterval(() => faults.clock((Date.now() - start) * 79), 20);
  t.after(() => clearInterval(timer));
}

it('gives every grid exactly N answers', async (t) => {
  const dir = await project(t, { grids: GRIDS, 'answers-per-grid': N, lease: LEASE_S });
  const faults = new FaultFile(tempDir(t));
  const server = await serve(t, dir, { program: faultBin, env: faults.env });
  fastClock(t, faults);
  const journal = path.join(tempDir(t), 'journal');
  const r = await load('cycle', {
    port: server.port, campaign: 'load', clients: 200, count: GRIDS * N, seconds: 50, journal,
    abandon: 0.15, duplicate: 0.2, late: 0.2, 'late-ms': 1500, conflict: 0.05, 'give-up': 15,
    'retry-ms': 50,
  });
  assert.equal(r.mismatches, 0, r.mismatch);
  assert.equal(r.gave_up, false, server.log.slice(-2000));
  assert.equal(r.stored, GRIDS * N);
  for (const k of ['abandoned', 'duplicates', 'held', 'conflicts']) assert.ok(r[k] > 0, k);
  assert.ok(r.surplus > 0, 'some answers came when their grid was full');
  assert.equal(r.held_left, 0);
  await server.stop();
  const v = await verify(dir, journal, '--expect-full', '--exact');
  assert.deepEqual(v.violations, {});
  assert.equal(v.counted, GRIDS * N);
  assert.equal(v.surplus, r.surplus);
  await holdout(['check', dir]);
});

it('lends no grid beyond its free slots, and lends again what was not answered', async (t) => {
  const dir = await project(t, { grids: 1, 'answers-per-grid': 3, lease: LEASE_S });
  const faults = new FaultFile(tempDir(t));
  const server = await serve(t, dir, { program: faultBin, env: faults.env });
  const people = ['a', 'b', 'c', 'd', 'e'];
  const first = await Promise.all(people.map((p) => lease(server.url, p)));
  const lent = first.filter((l) => l.done === false);
  assert.equal(lent.length, 3);
  for (const l of first.filter((x) => x.done)) assert.equal(l.reason, 'none-left');

  /* The same assignment again while it is held. */
  const again = await post(`${server.url}/api/v1/places/${lent[0].place}/next`, {});
  assert.equal(again.json.assignment, lent[0].assignment);

  faults.clock((LEASE_S + 1) * 1000);
  const later = await Promise.all(['f', 'g', 'h'].map((p) => lease(server.url, p)));
  assert.deepEqual(later.map((l) => l.done), [false, false, false]);
  const answer = (l, id) => post(`${server.url}/api/v1/assignments/${l.assignment}/answer`,
    { client_id: `00000000-0000-4000-8000-00000000000${id}`, selected: [0], active_ms: 900 });
  const counted = await Promise.all(later.map((l, i) => answer(l, i)));
  assert.deepEqual(counted.map((a) => [a.status, a.json.status]), Array(3).fill([200, 'stored']));
  const late = await answer(lent[0], 7);
  assert.deepEqual([late.status, late.json.status], [200, 'surplus']);
  assert.deepEqual((await answer(lent[0], 7)).text, late.text);
  assert.equal((await answer(lent[0], 8)).status, 409);
  await server.stop();
  const v = await verify(dir, [], '--expect-full');
  assert.deepEqual([v.counted, v.surplus, v.violations], [3, 1, {}]);
});

it('renews leases after a restart and still counts exactly N', async (t) => {
  const dir = await project(t, { grids: 2, 'answers-per-grid': 2, lease: LEASE_S });
  let server = await serve(t, dir);
  const lent = await Promise.all(['a', 'b'].map((p) => lease(server.url, p)));
  await server.kill();
  server = await serve(t, dir);
  const other = await Promise.all(['c', 'd', 'e'].map((p) => lease(server.url, p)));
  assert.equal(other.filter((l) => l.done === false).length, 2, 'two slots are still lent');
  for (const [i, l] of [...lent, ...other.filter((x) => !x.done)].entries()) {
    const r = await post(`${server.url}/api/v1/assignments/${l.assignment}/answer`,
      { client_id: `10000000-0000-4000-8000-00000000000${i}`, selected: [], active_ms: 1 });
    assert.deepEqual([r.status, r.json.status], [200, 'stored']);
  }
  await server.stop();
  const v = await verify(dir, [], '--expect-full');
  assert.deepEqual([v.counted, v.surplus, v.violations], [4, 0, {}]);
});
