/* What the server says and keeps when the machine fails it: a full disk, another process that
 * holds the database, writes that store half. */
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { before, it } from 'node:test';
import { Client, told } from './lib.mjs';
import { join, startStudy } from './study.mjs';
import {
  FaultFile, buildTools, faultBin, holdout, lease, load, post, project, serve, sleep,
  sqlite, tempDir, verify,
} from '../load/tools.mjs';

before(buildTools);

const LIMIT_MS = 30000;
const SMALL = { grids: 200, 'answers-per-grid': 100, images: 4000, lease: 3600 };
const answerUrl = (server, l) => `${server.url}/api/v1/assignments/${l.assignment}/answer`;
const body = (id) => ({
  client_id: `20000000-0000-4000-8000-${String(id).padStart(12, '0')}`,
  selected: [1, 2],
  active_ms: 1,
});

function assertProblem(r, status) {
  assert.equal(r.status, status, r.text);
  assert.match(r.headers.get('content-type'), /^application\/problem\+json/);
  assert.equal(r.json.status, status);
  for (const k of ['type', 'title', 'code', 'detail']) assert.equal(typeof r.json[k], 'string', k);
}

async function stopAndVerify(server, dir, journal) {
  await server.stop();
  const v = await verify(dir, journal);
  assert.deepEqual(v.violations, {});
  await holdout(['check', dir]);
}

/* New people join until one gets this status; false when LIMIT_MS were not enough. */
async function joinsUntil(server, wanted) {
  const end = Date.now() + LIMIT_MS;
  let status = 0;
  while (status !== wanted && Date.now() < end) {
    ({ status } = await post(`${server.url}/api/v1/campaigns/load/places`,
      { source: 'test', external_id: randomUUID() }));
  }
  return status === wanted;
}

/* Load through a shortage of space: refused while it lasts, acknowledged again after it. */
async function throughShortage(server, journal, begin, end) {
  const running = load('cycle', {
    port: server.port, campaign: 'load', clients: 32, seconds: 4, journal, 'retry-ms': 20,
    'give-up': LIMIT_MS / 1000,
  });
  assert.ok(await joinsUntil(server, 201));
  begin();
  assert.ok(await joinsUntil(server, 507), 'refused while there is no space');
  assert.equal((await fetch(`${server.url}/healthz`)).status, 200, 'reads go on');
  end();
  assert.ok(await joinsUntil(server, 201), 'stored again when there is space');
  const r = await running;
  assert.equal(r.mismatches, 0, r.mismatch);
  assert.equal(r.gave_up, false);
}

it('answers 507 when a write finds no space, keeps nothing half-done and goes on', async (t) => {
  const dir = await project(t, SMALL);
  const journal = path.join(tempDir(t), 'journal');
  const faults = new FaultFile(tempDir(t));
  const server = await serve(t, dir, { program: faultBin, env: faults.env });
  const l = await lease(server.url, 'one');
  faults.failSpace(-1);
  assertProblem(await post(answerUrl(server, l), body(1)), 507);
  faults.failSpace(0);
  assert.equal((await post(answerUrl(server, l), body(1))).json.status, 'stored');
  await throughShortage(server, journal, () => faults.failSpace(-1), () => faults.failSpace(0));
  await stopAndVerify(server, dir, journal);
});

/* /readyz says so by itself, without anybody's write. */
const readyUntil = async (server, wanted) => {
  const end = Date.now() + LIMIT_MS;
  let r;
  do {
    r = await fetch(`${server.url}/readyz`);
    const text = await r.text();
    if (r.status === wanted) return text;
  } while (Date.now() < end);
  assert.fail(`/readyz says ${r.status}, not ${wanted}`);
  return '';
};

it('is not ready while nothing can be stored, says why, and recovers', async (t) => {
  const dir = await project(t, SMALL);
  const faults = new FaultFile(tempDir(t));
  const server = await serve(t, dir, { program: faultBin, env: faults.env });
  assert.equal(await readyUntil(server, 200), 'ready\n');
  faults.failSpace(-1);
  faults.clock(60000); /* the last write was long ago */
  assert.equal(await readyUntil(server, 503), 'not ready: the disk is full\n');
  assert.equal((await fetch(`${server.url}/healthz`)).status, 200);
  faults.failSpace(0);
  assert.equal(await readyUntil(server, 200), 'ready\n');
  await stopAndVerify(server, dir, []); /* all of its log is here then */
  assert.match(server.log, /"level":"error","msg":"writes cannot be stored"/);
  assert.match(server.log, /"msg":"writes are stored again"/);
});

/* A file system of its own, of 32 MB: the log takes 16; null where that is not allowed. */
function smallDisk(t) {
  const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'holdout-test-'));
  const r = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=32m', 'tmpfs', dir]);
  t.after(() => {
    if (r.status === 0) spawnSync('umount', ['-l', dir]);
    fs.rmSync(dir, { recursive: true });
  });
  return r.status === 0 ? dir : null;
}

it('goes through a disk that is really full', async (t) => {
  const disk = process.getuid() === 0 ? smallDisk(t) : null;
  if (!disk) { t.skip('mounting a small file system is not allowed here'); return; }
  const dir = path.join(disk, 'p');
  fs.cpSync(await project(t, SMALL), dir, { recursive: true });
  const journal = path.join(tempDir(t), 'journal');
  const server = await serve(t, dir);
  const filler = path.join(disk, 'filler');
  const fill = () => {
    const fd = fs.openSync(filler, 'w');
    const block = Buffer.alloc(4096, 1);
    try { for (;;) fs.writeSync(fd, block); } catch (e) { assert.equal(e.code, 'ENOSPC'); }
    fs.closeSync(fd);
  };
  await throughShortage(server, journal, fill, () => fs.rmSync(filler));
  await stopAndVerify(server, dir, journal);
});

it('survives writes that store half', async (t) => {
  const dir = await project(t, SMALL);
  const journal = path.join(tempDir(t), 'journal');
  const faults = new FaultFile(tempDir(t));
  const server = await serve(t, dir, { program: faultBin, env: faults.env });
  const running = load('cycle', {
    port: server.port, campaign: 'load', clients: 32, seconds: 3, journal, 'retry-ms': 20,
    'give-up': 3,
  });
  for (let i = 0; i < 8; i++) { await sleep(250); faults.shortWrite(2); }
  const r = await running;
  assert.equal(r.mismatches, 0, r.mismatch);
  assert.equal(r.gave_up, false);
  assert.ok(Object.keys(r.statuses).some((s) => Number(s) >= 500), JSON.stringify(r.statuses));
  await server.kill();
  const v = await verify(dir, journal);
  assert.deepEqual(v.violations, {});
  await holdout(['check', dir]);
});

/* Another process with the write lock; release() gives it back. */
async function lockHolder(t, dir) {
  const child = spawn('sqlite3', ['-batch', path.join(dir, 'holdout.db')]);
  t.after(() => child.kill('SIGKILL'));
  child.stdin.write(".timeout 5000\nBEGIN IMMEDIATE;\nSELECT 'held';\n");
  for await (const chunk of child.stdout) if (String(chunk).includes('held')) break;
  return {
    async release() {
      child.stdin.end('ROLLBACK;\n');
      if (child.exitCode === null) await once(child, 'exit');
    },
  };
}

it('waits for another writer, and says 503 when that takes too long', async (t) => {
  const dir = await project(t, SMALL);
  const server = await serve(t, dir);
  const one = await lease(server.url, 'one');
  const two = await lease(server.url, 'two');

  let holder = await lockHolder(t, dir);
  const waiting = post(answerUrl(server, one), body(1));
  await sleep(700);
  await holder.release();
  assert.equal((await waiting).json.status, 'stored');

  holder = await lockHolder(t, dir);
  const refused = await post(answerUrl(server, two), body(2));
  assertProblem(refused, 503);
  assert.ok(Number(refused.headers.get('retry-after')) >= 1);
  await holder.release();
  assert.equal((await post(answerUrl(server, two), body(2))).json.status, 'stored');
  await stopAndVerify(server, dir, []);
});

/* A table is taken away that the server reads last when it follows what was stored: by then the event is
 * counted, and the next attempt finds nothing new to count. */
it('tells pages what was stored although following it failed half-way', async (t) => {
  const { dir, server, client } = await startStudy(t);
  const lead = await new Client(server.url).login('lead');
  await join(client, 'ann');
  const failsAgain = async () => {
    const seen = server.log.length;
    const end = Date.now() + LIMIT_MS;
    while (!server.log.slice(seen).includes('cannot follow the database') && Date.now() < end) await sleep(10);
    assert.ok(server.log.slice(seen).includes('cannot follow the database'), server.log);
  };
  await sqlite(`${dir}/holdout.db`, 'ALTER TABLE flag_dismissal RENAME TO away;');
  for (let i = 0; i < 3; i++) await failsAgain(); /* what was waiting before has been told by then */
  const votes = told(lead, 'votes');
  const before = (await votes.next()).value;
  await holdout(['worker', 'block', dir, '--id', 'ann', '--reason', 'test']);
  await failsAgain();
  assertProblem(await post(`${server.url}/api/v1/campaigns/main/places`, { external_id: 'bob' }), 500);
  await sqlite(`${dir}/holdout.db`, 'ALTER TABLE away RENAME TO flag_dismissal;');
  assert.ok((await votes.next()).value > before);
  await votes.return();
  assert.equal((await post(`${server.url}/api/v1/campaigns/main/places`, { external_id: 'bob' })).status, 201);
});
