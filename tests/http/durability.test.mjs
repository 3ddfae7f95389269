/* Nothing acknowledged is lost: kill -9 under load, restart from what the disk had flushed, with a
 * whole and with a torn log. kill -9 alone cannot see a missing flush; tests/shim/README.md. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { before, it } from 'node:test';
import {
  FaultFile, bin, buildTools, faultBin, holdout, keepEnv, load, powerCut, project,
  serve, sleep, tempDir, underTsan, verify,
} from '../load/tools.mjs';

before(buildTools);

const ROUNDS = 10;
const BIG = { grids: 400, 'answers-per-grid': 200, images: 20000, lease: 3600 };
const noTsan = { skip: underTsan && 'keepwal.so and the thread sanitizer exclude each other' };

const WAL_HEADER = 32;
const FRAME_HEADER = 24;

/* Where the valid frames of a log end: those that carry the salts of its header. Older ones may
 * follow, from before the log was last begun anew. */
function endOfLog(wal) {
  if (wal.length < WAL_HEADER) return { end: wal.length, page: 0 };
  const page = wal.readUInt32BE(8);
  let end = WAL_HEADER;
  while (end + FRAME_HEADER + page <= wal.length
         && wal.compare(wal, 16, 24, end + 8, end + 16) === 0) end += FRAME_HEADER + page;
  return { end, page };
}

/* The power went while more frames were on their way: behind the flushed ones stand a frame whose
 * page came only in part and the beginning of another. */
function tearTail(file) {
  const wal = fs.readFileSync(file);
  const { end, page } = endOfLog(wal);
  if (end <= WAL_HEADER) return false;
  const frame = Buffer.from(wal.subarray(end - FRAME_HEADER - page, end));
  frame.fill(0xa5, FRAME_HEADER + (page >> 1));
  const torn = Buffer.concat([wal.subarray(0, end), frame, frame.subarray(0, 700)]);
  fs.writeFileSync(file, torn);
  return true;
}

/* One life of the server: load until it is killed, then the disk as of its last flush. */
async function lifeAndPowerCut(t, dir, { program = bin, env = {}, ms, journal, seed }) {
  const keep = path.join(tempDir(t), 'keep');
  const server = await serve(t, dir, { program, env: { ...keepEnv(keep), ...env } });
  const running = load('cycle', {
    port: server.port, campaign: 'load', clients: 64, seconds: 30, journal, seed,
    'give-up': 1, duplicate: 0.1,
  });
  await sleep(ms);
  await server.kill();
  const r = await running;
  assert.ok(r.acknowledged > 0, server.log);
  assert.equal(r.mismatches, 0, r.mismatch);
  powerCut(dir, keep);
  return r;
}

it('loses nothing acknowledged in ten power cuts under load', noTsan, async (t) => {
  const dir = await project(t, BIG);
  const journal = path.join(tempDir(t), 'journal');
  const wal = path.join(dir, 'holdout.db-wal');
  let torn = 0;
  for (let round = 0; round < ROUNDS; round++) {
    await lifeAndPowerCut(t, dir, { ms: 500 + 97 * round, journal, seed: round });
    if (round % 2 === 1) torn += tearTail(wal);
    const v = await verify(dir, journal);
    assert.deepEqual(v.violations, {}, `round ${round}`);
    await holdout(['check', dir]);
  }
  assert.ok(torn > 0, 'at least one log was torn');
});

it('starts with a log whose last flushed frame is gone, consistent', noTsan, async (t) => {
  const dir = await project(t, BIG);
  const journal = path.join(tempDir(t), 'journal');
  await lifeAndPowerCut(t, dir, { ms: 600, journal, seed: 1 });
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
  await lifeAndPowerCut(t, dir, { program: faultBin, env: { HOLDOUT_FAULT_UNFLUSHED: '1' }, ms: 700, journal,
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
