/* A thousand people at once on fifty grids who abandon, repeat, contradict and come late: no grid gets more than N
 * answers, nothing that was acknowledged is lost, and everybody is served. */
import assert from 'node:assert/strict';
import path from 'node:path';
import { before, it } from 'node:test';
import { buildTools, holdout, load, project, serve, tempDir, verify } from '../load/tools.mjs';

before(buildTools);

const CLIENTS = 1000;
const GRIDS = 50;
const N = 400; /* twenty answers each, if nobody left */
const LEASE_S = 10;

it(`${CLIENTS} people on ${GRIDS} grids`, async (t) => {
  const dir = await project(t, { grids: GRIDS, 'answers-per-grid': N, lease: LEASE_S, 'grids-per-place': GRIDS });
  const server = await serve(t, dir, { env: { HOLDOUT_SERVER_CONNECTIONS: '4000', HOLDOUT_SERVER_CONNECTIONS_PER_ADDRESS: '4000' } });
  const journal = path.join(tempDir(t), 'journal');
  const r = await load('cycle', {
    port: server.port, campaign: 'load', clients: CLIENTS, count: GRIDS * N, seconds: 400, journal,
    abandon: 0.05, duplicate: 0.1, late: 0.02, 'late-ms': 1500 * LEASE_S, conflict: 0.02, 'give-up': 60, 'retry-ms': 50, pid: server.child.pid,
  }, { timeout: 500000 });
  assert.equal(r.mismatches, 0, r.mismatch);
  assert.equal(r.gave_up, false, server.log.slice(-2000));
  assert.equal(r.stored, GRIDS * N);
  for (const k of ['abandoned', 'duplicates', 'held', 'conflicts']) assert.ok(r[k] > 0, k);
  await server.stop();
  const v = await verify(dir, journal, '--expect-full', '--exact');
  assert.deepEqual(v.violations, {});
  assert.equal(v.counted, GRIDS * N);
  assert.ok(v.surplus > 0, 'some answers came when their grid was full');
  await holdout(['check', dir]);
  console.log(`fact: ${CLIENTS} clients, ${v.counted} answers counted, ${v.surplus} surplus, 0 over N, 0 lost`);
  console.log(`fact: answers p50 ${r.answer.p50_ms} ms, p99 ${r.answer.p99_ms} ms, longest ${r.answer.max_ms} ms; ${Math.round(r.answers_per_second)} a second`);
  console.log(`fact: server at most ${(r.rss_peak_kib / 1024).toFixed(0)} MiB`);
});
