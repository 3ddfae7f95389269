/* A request whose memory ends at any point: it is told so, and the next one is served. The n-th
 * allocation for it finds its arena full, for rising n, until it needs fewer. */
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { FaultFile } from '../load/tools.mjs';
import { Client, faultBin, logLines, tempDir } from './lib.mjs';
import { newWorld, options, routes, target } from './routes.mjs';
import { startStudy } from './study.mjs';

/* Some points here; tests/nightly tries them all. */
const every = Boolean(process.env.HOLDOUT_EVERY_POINT);
const MOST = 100000;

async function fetched(client, at, o, server) {
  const r = await client.fetch(at, o).catch((e) => assert.fail(`${at}: ${e}\n${server.log.slice(-3000)}`));
  const stream = (r.headers.get('content-type') ?? '').startsWith('text/event-stream');
  if (stream) await r.body?.cancel();
  return { status: r.status, type: r.headers.get('content-type') ?? '', text: stream ? '' : await r.text() };
}

function assertTold(r, route, n) {
  const what = `allocation ${n}: ${r.status}\n${r.text}`;
  assert.equal(r.status, 507, what);
  assert.doesNotMatch(r.text, /disk is full/, what);
  if (route.api) {
    assert.match(r.type, /^application\/problem\+json/, what);
    assert.equal(JSON.parse(r.text).code, 'memory', what);
  } else {
    assert.match(r.text, /more memory than (one request may use|the server gives to one request)/, what);
  }
}

async function start(t, faults) {
  const study = await startStudy(t, { binary: faultBin, env: faults.env });
  const world = await newWorld(study);
  return { world, admin: await new Client(world.url).login('admin') };
}

test('a GET survives an arena that ends at any point', async (t) => {
  const faults = new FaultFile(tempDir(t));
  const { world, admin } = await start(t, faults);
  let ended = 0;
  for (const route of routes.filter((r) => !r.write)) {
    await t.test(route.name, async () => {
      const at = await target(world, route, 'admin');
      for (let n = 1; n < MOST; n = every ? n + 1 : 2 * n + 1) {
        faults.arenaAfter(n);
        const r = await fetched(admin, at, {}, world.server);
        const left = faults.arenaLeft();
        faults.arenaAfter(0);
        if (left > 0) {
          assert.ok(r.status < 400, `${at}: ${r.status}\n${r.text}`);
          return;
        }
        assertTold(r, route, n);
        ended++;
      }
      assert.fail('it never had enough');
    });
  }
  assert.ok(ended > 200, `only ${ended} requests ran out`);
  assert.equal((await fetched(admin, '/readyz', {}, world.server)).status, 200);
  const lines = () => logLines(world.server).filter((l) => l.msg === 'a request needed more memory than one may have');
  /* The log is written by a thread of its own. */
  for (let i = 0; i < 200 && lines().length < ended; i++) await new Promise((done) => { setTimeout(done, 25); });
  const told = lines();
  assert.ok(told.length >= ended, `${told.length} lines for ${ended} requests`);
  assert.ok(told.every((l) => l.rule === 'memory' && l.path && l.arena_bytes > 0));
});

test('a write whose memory ends is not made, or made whole', async (t) => {
  const faults = new FaultFile(tempDir(t));
  const { world, admin } = await start(t, faults);
  /* Not those that end a session or begin another one; here one of each kind, nightly all. */
  const some = /assignment\/answer|^\/classes\/.*decisions|^\/flags|^\/views/;
  for (const route of routes.filter((r) => r.write
    && !/logout|login|password|sessions|\/invite\//.test(r.pattern) && (every || some.test(r.pattern)))) {
    await t.test(route.name, async () => {
      for (const n of every ? [1, 2, 3, 5, 8, 13, 21, 34, 55, 89, 144] : [8, 21, 55]) {
        const at = await target(world, route, 'admin');
        const o = options(world, route, 'admin', { csrf: admin.csrf });
        faults.arenaAfter(n);
        const r = await fetched(admin, at, o, world.server);
        faults.arenaAfter(0);
        if (r.status !== 507) assert.ok(r.status < 500, `${at}, allocation ${n}: ${r.status}\n${r.text}`);
        else assertTold(r, route, n);
      }
    });
  }
  assert.equal((await fetched(admin, '/readyz', {}, world.server)).status, 200);
});
