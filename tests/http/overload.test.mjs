/* More than the server can take: it refuses politely, stays up, loses nothing, and ends cleanly in
 * the middle of it. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { before, it } from 'node:test';
import {
  buildTools, holdout, load, post, project, sanitized, serve, shim, sleep, tempDir, verify,
} from '../load/tools.mjs';

before(buildTools);

const BIG = { grids: 400, 'answers-per-grid': 200, images: 20000, lease: 3600 };

async function apiToken(dir) {
  return (await holdout(['token', 'create', dir, '--login', 'admin', '--name', 'load'])).trim();
}

/* The sockets among a process' files; one may be gone between the list and the look. */
function sockets(fds) {
  let n = 0;
  for (const fd of fs.readdirSync(fds)) {
    try {
      n += fs.readlinkSync(path.join(fds, fd)).startsWith('socket:');
    } catch (e) { assert.equal(e.code, 'ENOENT'); }
  }
  return n;
}

async function stopAndVerify(server, dir, journal) {
  await server.stop();
  const v = await verify(dir, journal);
  assert.deepEqual(v.violations, {});
}

it('says 503 with Retry-After when too many writes wait, and recovers', async (t) => {
  const dir = await project(t, BIG);
  const journal = path.join(tempDir(t), 'journal');
  const slow = {
    LD_PRELOAD: shim('slowflush'), HOLDOUT_FLUSH_US: '30000',
    ASAN_OPTIONS: `${process.env.ASAN_OPTIONS || ''}:verify_asan_link_order=0`,
  };
  const server = await serve(t, dir, { env: { ...slow, HOLDOUT_SERVER_QUEUE: '16' } });
  const running = load('cycle', {
    port: server.port, campaign: 'load', clients: 300, seconds: 3, journal, 'retry-ms': 30,
  });
  await sleep(1000);
  let refused = null;
  for (let i = 0; i < 200 && refused?.status !== 503; i++) {
    refused = await post(`${server.url}/api/v1/campaigns/load/places`,
      { source: 'test', external_id: `x${i}` });
  }
  assert.equal(refused.status, 503);
  assert.ok(Number(refused.headers.get('retry-after')) >= 1);
  assert.match(refused.headers.get('content-type'), /^application\/problem\+json/);
  const start = Date.now();
  assert.equal((await fetch(`${server.url}/readyz`)).status, 200);
  assert.ok(Date.now() - start < 2000, 'reads are not held up by writes');
  const r = await running;
  assert.ok(r.statuses[503] > 0 && r.acknowledged > 0, JSON.stringify(r.statuses));
  assert.equal(r.mismatches, 0, r.mismatch);
  assert.equal(r.gave_up, false);
  const calm = await load('cycle', {
    port: server.port, campaign: 'load', clients: 2, count: 20, seconds: 20, journal, seed: 77,
  });
  assert.equal(calm.errors, 0, JSON.stringify(calm.statuses));
  await stopAndVerify(server, dir, journal);
});

it('limits how many people may join from one address', async (t) => {
  const dir = await project(t, { grids: 20 });
  const server = await serve(t, dir, { env: { HOLDOUT_LIMITS_PLACES_PER_ADDRESS_HOUR: '5' } });
  const join = (i) => post(`${server.url}/api/v1/campaigns/load/places`,
    { source: 'test', external_id: `x${i}` });
  const statuses = [];
  for (let i = 0; i < 8; i++) statuses.push((await join(i)).status);
  assert.deepEqual(statuses, [201, 201, 201, 201, 201, 429, 429, 429]);
  const r = await join(9);
  assert.ok(Number(r.headers.get('retry-after')) >= 1);
  assert.equal(r.json.status, 429);
  await stopAndVerify(server, dir, []);
});

it('survives more connections than it allows', async (t) => {
  const MOST = 64;
  const dir = await project(t, BIG);
  const journal = path.join(tempDir(t), 'journal');
  const server = await serve(t, dir, { env: { HOLDOUT_SERVER_CONNECTIONS: String(MOST) } });
  const fds = `/proc/${server.child.pid}/fd`;
  const idle = sockets(fds);
  let most = 0;
  const watching = setInterval(() => { most = Math.max(most, sockets(fds)); }, 50);
  const r = await load('cycle', {
    port: server.port, campaign: 'load', clients: 400, seconds: 2, journal, 'give-up': 2,
  });
  clearInterval(watching);
  assert.ok(r.acknowledged > 0, JSON.stringify(r.statuses));
  /* An eighth more while all are busy, and those that gave way until their thread has closed them; each thread
   * has room for that much and no more, however late it comes to run. */
  const room = os.cpus().length * (MOST + MOST / 4);
  assert.ok(most - idle > MOST / 4 && most - idle <= room, `${most - idle} connections`);
  assert.equal(r.mismatches, 0, r.mismatch);
  assert.equal((await fetch(`${server.url}/readyz`)).status, 200);
  await stopAndVerify(server, dir, journal);
});

it('refuses event streams beyond its limit', async (t) => {
  const dir = await project(t, { grids: 20 });
  const token = await apiToken(dir);
  const server = await serve(t, dir, { env: { HOLDOUT_SERVER_EVENT_STREAMS: '5' } });
  const r = await load('events', { port: server.port, streams: 12, seconds: 1, token });
  assert.ok(r.events.refused >= 7, JSON.stringify(r.events));
  assert.equal(r.events.refused_status, 503);
  await stopAndVerify(server, dir, []);
});

it('ends with exit 0 on SIGTERM amid 50 event streams and 64 posting clients', async (t) => {
  const dir = await project(t, BIG);
  const token = await apiToken(dir);
  const journal = path.join(tempDir(t), 'journal');
  const server = await serve(t, dir);
  const running = load('mixed', {
    port: server.port, campaign: 'load', clients: 64, streams: 50, readers: 2, path: '/readyz',
    seconds: 30, journal, token, 'give-up': 2,
  });
  await sleep(1500);
  const start = Date.now();
  await server.stop();
  const took = Date.now() - start;
  const r = await running;
  assert.ok(took < (sanitized ? 20000 : 5000), `the end took ${took} ms`);
  assert.ok(r.acknowledged > 100, JSON.stringify(r.statuses));
  assert.ok(r.events.messages > 0, JSON.stringify(r.events));
  assert.equal(r.events.ended, 50, JSON.stringify(r.events));
  assert.equal(r.mismatches, 0, r.mismatch);
  const v = await verify(dir, journal);
  assert.deepEqual(v.violations, {});
  await holdout(['check', dir]);
});
