/* Exactly N answers per grid, however people behave: 200 of them at once, leases that end, answers
 * that never come, come twice, on two connections, or after the lease. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { before, it } from 'node:test';
import {
  FaultFile, buildTools, faultBin, holdout, lease, load, post, project, sanitized, serve, sqlite,
  tempDir, verify,
} from '../load/tools.mjs';
import { Client } from './lib.mjs';

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

/* A number of the page /metrics. */
function metric(page, name) {
  const m = new RegExp(`^holdout_${name} (\\S+)$`, 'm').exec(page);
  assert.ok(m, name);
  return Number(m[1]);
}

const next = async (server, l) => (await post(`${server.url}/api/v1/places/${l.place}/next`, {})).json;

async function answer(server, l, id) {
  const r = await post(`${server.url}/api/v1/assignments/${l.assignment}/answer`,
    { client_id: `00000000-0000-4000-8000-00000000000${id}`, selected: [0], active_ms: 900 });
  return { ...r, outcome: [r.status, r.json.status] };
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
  /* Some writes are interrupted by other processes; slow ones are slow every time. */
  if (!sanitized) {
    const page = await (await new Client(server.url).login()).page('/metrics');
    const slow = metric(page, 'writer_slow_total');
    assert.ok(slow < 0.02 * metric(page, 'writer_operations_total'), `${slow} slow writes`);
  }
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

  assert.equal((await next(server, lent[0])).assignment, lent[0].assignment, 'while it is held');

  faults.clock((LEASE_S + 1) * 1000);
  const later = await Promise.all(['f', 'g', 'h'].map((p) => lease(server.url, p)));
  assert.deepEqual(later.map((l) => l.done), [false, false, false]);
  const counted = await Promise.all(later.map((l, i) => answer(server, l, i)));
  assert.deepEqual(counted.map((a) => a.outcome), Array(3).fill([200, 'stored']));
  const late = await answer(server, lent[0], 7);
  assert.deepEqual(late.outcome, [200, 'surplus']);
  assert.deepEqual((await answer(server, lent[0], 7)).text, late.text);
  assert.equal((await answer(server, lent[0], 8)).status, 409);
  await server.stop();
  const v = await verify(dir, [], '--expect-full');
  assert.deepEqual([v.counted, v.surplus, v.violations], [3, 1, {}]);
});

it('renews live leases in full at a restart, and those that were over not at all', async (t) => {
  const dir = await project(t, { grids: 1, 'answers-per-grid': 2, lease: LEASE_S });
  const faults = new FaultFile(tempDir(t));
  const start = () => serve(t, dir, { program: faultBin, env: faults.env });
  let server = await start();
  const over = await lease(server.url, 'a');
  faults.clock((LEASE_S + 1) * 1000);
  const live = await lease(server.url, 'b');
  assert.deepEqual([over.done, live.done], [false, false]);
  await server.kill();

  const HOUR_S = 3600;
  faults.clock(HOUR_S * 1000);
  server = await start();
  assert.equal((await lease(server.url, 'c')).done, false, 'the slot of the one that was over');
  assert.equal((await lease(server.url, 'd')).reason, 'none-left');
  const renewed = await next(server, live);
  assert.equal(renewed.assignment, live.assignment);
  assert.ok(renewed.lease_until >= live.lease_until + (HOUR_S - LEASE_S - 1) * 1000, 'in full');
  faults.clock((HOUR_S + LEASE_S / 2) * 1000);
  assert.equal((await lease(server.url, 'e')).reason, 'none-left');
  assert.deepEqual((await answer(server, live, 1)).outcome, [200, 'stored']);
  await server.stop();
  const v = await verify(dir, []);
  assert.deepEqual([v.counted, v.surplus, v.violations], [1, 0, {}]);
});

it('counts the answers of live leases while the campaign is paused', async (t) => {
  const dir = await project(t, { grids: 1, 'answers-per-grid': 3, lease: LEASE_S });
  const server = await serve(t, dir);
  const lead = await new Client(server.url).login();
  const [one, two] = [await lease(server.url, 'a'), await lease(server.url, 'b')];
  assert.equal((await lead.post('/campaigns/load/state/paused')).status, 303);

  const join = await post(`${server.url}/api/v1/campaigns/load/places`,
    { source: 'test', external_id: 'c' });
  assert.deepEqual([join.status, join.json.code], [409, 'campaign-not-open']);
  assert.equal((await next(server, one)).assignment, one.assignment, 'what is held stays');
  assert.deepEqual((await answer(server, one, 1)).outcome, [200, 'stored']);
  const nothing = await next(server, one);
  assert.deepEqual([nothing.done, nothing.progress.done], [true, 1]);

  assert.equal((await lead.post('/campaigns/load/state/open')).status, 303);
  const three = await lease(server.url, 'c');
  assert.equal(three.done, false, 'the third slot');
  assert.equal((await lease(server.url, 'd')).reason, 'none-left');
  for (const [i, l] of [two, three].entries()) {
    assert.deepEqual((await answer(server, l, 2 + i)).outcome, [200, 'stored']);
  }
  await server.stop();
  const v = await verify(dir, [], '--expect-full');
  assert.deepEqual([v.counted, v.surplus, v.violations], [3, 0, {}]);
});

/* The same images in both tasks, and the same people at both: exactly nine answers each, nobody twice on an image. */
it('gives grids and CLASSIFY tasks of the same images nine answers each, 1,000 people at once', async (t) => {
  const [grids, tasks, answers] = [12, 60, 9];
  const dir = await project(t, { grids, images: 480, classes: 4, 'answers-per-grid': answers, 'grids-per-place': 3 });
  const db = path.join(dir, 'holdout.db');
  await sqlite(db, "UPDATE campaign SET kind = 'potential', same_image_again = 0;");
  const rows = await sqlite(db, `SELECT i.name || ',' || k.wnid FROM (SELECT DISTINCT image FROM grid_cell ORDER BY image LIMIT ${tasks}) c
    JOIN image i ON i.id = c.image, class k ORDER BY i.id, k.id;`);
  const file = path.join(tempDir(t), 'tasks.csv');
  fs.writeFileSync(file, `image,label\n${rows}`);
  await holdout(['classify', dir, '--tasks', file, '--campaign', 'objects', '--open', '--max-share', '1', '--grids-per-place', '3']);
  const server = await serve(t, dir);
  const run = (campaign, count, journal) => load('cycle', { port: server.port, campaign, clients: 500, count, seconds: 60, journal, seed: 7, 'give-up': 20 });
  const journals = ['contains', 'classify'].map((name) => path.join(tempDir(t), name));
  const ran = await Promise.all([run('load', grids * answers, journals[0]), run('objects', tasks * answers, journals[1])]);
  await server.stop();
  assert.deepEqual(ran.map((r) => [r.mismatches, r.gave_up, r.stored]), [[0, false, grids * answers], [0, false, tasks * answers]]);
  for (const campaign of ['load', 'objects']) {
    const v = await verify(dir, journals, '--expect-full', '--campaign', campaign);
    assert.deepEqual(v.violations, {}, campaign);
  }
  const count = async (sql) => Number(await sqlite(db, sql));
  assert.equal(await count('SELECT count(*) FROM (SELECT 1 FROM exposure GROUP BY person, image HAVING count(*) > 1);'), 0, 'somebody saw an image twice');
  assert.ok(await count('SELECT count(*) FROM (SELECT person FROM place GROUP BY person HAVING count(*) = 2);') > 100, 'the same people came to both');
  assert.equal(await count("SELECT count(*) FROM (SELECT a.grid FROM answer w JOIN assignment a ON a.id = w.assignment GROUP BY a.grid HAVING count(*) <> 9);"), 0);
  await holdout(['check', dir]);
});
