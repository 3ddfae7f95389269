/* Nothing acknowledged is lost: kill -9 under load, restart from what the disk had flushed, with a
 * whole and with a torn log. kill -9 alone cannot see a missing flush; tests/shim/README.md. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { before, it } from 'node:test';
import {
  FaultFile, buildTools, faultBin, holdout, keepEnv, load, powerCut, project,
  serve, sleep, tempDir, underTsan, verify,
} from '../load/tools.mjs';
import { endOfLog, lifeAndPowerCut, tearTail } from '../load/power.mjs';

before(buildTools);

/* Of a row, HOLDOUT_LONG=1 has ten; tests/nightly/power_cuts.test.mjs has a hundred. */
const ROUNDS = process.env.HOLDOUT_LONG ? 10 : 6;
const BIG = { grids: 400, 'answers-per-grid': 200, images: 20000, lease: 3600 };
const noTsan = { skip: underTsan && 'keepwal.so and the thread sanitizer exclude each other' };

it('loses nothing acknowledged in power cuts in a row under load', noTsan, async (t) => {
  const dir = await project(t, BIG);
  const journal = path.join(tempDir(t), 'journal');
  const wal = path.join(dir, 'holdout.db-wal');
  let torn = 0;
  for (let round = 0; round < ROUNDS; round++) {
    await lifeAndPowerCut(t, dir, { ms: 300 + 97 * round, journal, seed: round });
    if (round % 2 === 1) torn += tearTail(wal);
    const v = await verify(dir, journal);
    assert.deepEqual(v.violations, {}, `round ${round}`);
    /* What one life leaves wrong the next ones keep: looked at after a whole log and after a torn one. */
    if (process.env.HOLDOUT_LONG || round >= ROUNDS - 2) await holdout(['check', dir]);
  }
  assert.ok(torn > 0, 'at least one log was torn');
});

it('starts with a log whose last flushed frame is gone, consistent', noTsan, async (t) => {
  const dir = await project(t, BIG);
  const journal = path.join(tempDir(t), 'journal');
  await lifeAndPowerCut(t, dir, { ms: 400, journal, seed: 1 });
  const wal = path.join(dir, 'holdout.db-wal');
  const { end, page } = endOfLog(fs.readFileSync(wal));
  fs.truncateSync(wal, end - (page >> 1));
  const server = await serve(t, dir);
  await server.stop();
  const v = await verify(dir, journal);
  /* The disk broke its word, so the last batch may be missing: whole, and nothing but it. */
  assert.deepEqual(Object.keys(v.violations).filter((k) => k !== 'missing'), []);
  await holdout(['check', dir]);
});

it('is seen to lose answers when flushes are left out', noTsan, async (t) => {
  const dir = await project(t, BIG);
  const journal = path.join(tempDir(t), 'journal');
  await lifeAndPowerCut(t, dir, { program: faultBin, env: { HOLDOUT_FAULT_UNFLUSHED: '1' }, ms: 500, journal,
    seed: 1 });
  const r = await verify(dir, journal);
  assert.equal(r.code, 1);
  assert.ok(r.violations.missing.n > 0, JSON.stringify(r));
});

it('acknowledges nothing whose flush failed', noTsan, async (t) => {
  const dir = await project(t, BIG);
  const journal = path.join(tempDir(t), 'journal');
  const keep = path.join(tempDir(t), 'keep');
  const faults = new FaultFile(tempDir(t));
  const server = await serve(t, dir, {
    program: faultBin, env: { ...keepEnv(keep), ...faults.env },
  });
  const running = load('cycle', {
    port: server.port, campaign: 'load', clients: 64, seconds: 4, journal, 'retry-ms': 20,
    'give-up': 3,
  });
  for (let i = 0; i < 10; i++) {
    await sleep(250);
    faults.failSync(1 + i * 3);
  }
  await sleep(300);
  faults.failSync(0);
  const r = await running;
  const refused = Object.entries(r.statuses).filter(([s]) => Number(s) >= 500);
  assert.ok(refused.length > 0, JSON.stringify(r.statuses));
  assert.equal(r.mismatches, 0, r.mismatch);
  assert.equal(r.gave_up, false, 'the server goes on when flushes succeed again');
  await server.kill();
  powerCut(dir, keep);
  const v = await verify(dir, journal);
  assert.deepEqual(v.violations, {});
  await holdout(['check', dir]);
});

it('keeps everything acknowledged in a plain kill -9, and check agrees', async (t) => {
  const dir = await project(t, BIG);
  const journal = path.join(tempDir(t), 'journal');
  const server = await serve(t, dir);
  const running = load('cycle', {
    port: server.port, campaign: 'load', clients: 64, seconds: 30, journal, 'give-up': 1,
  });
  await sleep(800);
  await server.kill();
  await running;
  const v = await verify(dir, journal);
  assert.deepEqual(v.violations, {});
  await holdout(['check', dir]);
});
