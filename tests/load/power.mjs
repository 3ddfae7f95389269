/* power.mjs - power cuts under load: a server that is killed, the disk as of its last flush, logs with torn tails. Used by
 * tests/http/durability.test.mjs and tests/nightly/power_cuts.test.mjs. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { bin, keepEnv, load, powerCut, serve, sleep, tempDir } from './tools.mjs';

const WAL_HEADER = 32;
const FRAME_HEADER = 24;

/* Where the valid frames of a log end: those that carry the salts of its header. Older ones may
 * follow, from before the log was last begun again. */
export function endOfLog(wal) {
  if (wal.length < WAL_HEADER) return { end: wal.length, page: 0 };
  const page = wal.readUInt32BE(8);
  let end = WAL_HEADER;
  while (end + FRAME_HEADER + page <= wal.length
         && wal.compare(wal, 16, 24, end + 8, end + 16) === 0) end += FRAME_HEADER + page;
  return { end, page };
}

/* The power went while more frames were on their way: behind the flushed ones are a frame whose
 * page came only in part and the beginning of another. */
export function tearTail(file) {
  const wal = fs.readFileSync(file);
  const { end, page } = endOfLog(wal);
  if (end <= WAL_HEADER) return false;
  const frame = Buffer.from(wal.subarray(end - FRAME_HEADER - page, end));
  frame.fill(0xa5, FRAME_HEADER + (page >> 1));
  const torn = Buffer.concat([wal.subarray(0, end), frame, frame.subarray(0, 700)]);
  fs.writeFileSync(file, torn);
  return true;
}

const sizeOf = (file) => fs.statSync(file, { throwIfNoEntry: false })?.size ?? 0;

/* One life of the server: load until it is killed, `ms` after its first acknowledged answer; then the disk as of its
 * last flush. */
export async function lifeAndPowerCut(t, dir, { program = bin, env = {}, ms, journal, seed }) {
  const keep = path.join(tempDir(t), 'keep');
  const server = await serve(t, dir, { program, env: { ...keepEnv(keep), ...env } });
  const running = load('cycle', {
    port: server.port, campaign: 'load', clients: 64, seconds: 30, journal, seed,
    'give-up': 1, duplicate: 0.1,
  });
  for (const before = sizeOf(journal); sizeOf(journal) === before;) await sleep(2);
  await sleep(ms);
  await server.kill();
  const r = await running;
  assert.ok(r.acknowledged > 0, server.log);
  assert.equal(r.mismatches, 0, r.mismatch);
  powerCut(dir, keep);
  return r;
}
