/* Projects as earlier versions left them (tests/data/upgrade) become ones of this version: nothing that
 * was said is lost, what was exported is exported again byte for byte, and people go on where they were. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';

import { Client, faultBin, holdout, must, root, startServer, tempDir } from '../http/lib.mjs';
import { WIDE } from '../http/study.mjs';
import { FaultFile, sqlite } from '../load/tools.mjs';

const data = path.join(root, 'tests', 'data', 'upgrade');
const migrations = fs.readdirSync(path.join(root, 'migrations')).length;
const versions = fs.readdirSync(data).filter((f) => f.endsWith('.sql')).map((f) => f.slice(0, 4)).sort();

async function oldProject(t, version) {
  const dir = path.join(tempDir(t), 'project');
  fs.mkdirSync(path.join(dir, 'images'), { recursive: true });
  const db = path.join(dir, 'holdout.db');
  await sqlite(db, fs.readFileSync(path.join(data, `${version}.sql`), 'utf8'));
  const was = JSON.parse(fs.readFileSync(path.join(data, `${version}.json`), 'utf8'));
  for (const [name, bytes] of Object.entries(was.files ?? {})) {
    fs.mkdirSync(path.dirname(path.join(dir, name)), { recursive: true });
    fs.writeFileSync(path.join(dir, name), Buffer.from(bytes, 'base64'));
  }
  return { dir, db, was };
}
const rows = (db, table) => sqlite(db, `SELECT count(*) FROM ${table};`).then(Number);
const tables = async (db) => (await sqlite(db, "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%';")).trim().split('\n');
const copies = (dir) => fs.readdirSync(dir).filter((f) => f.startsWith('holdout.db.version-'));

/* Of each of these two one holds the rows and the other waits for them; names are there only while somebody is erased. */
const PASSING = /^((identity|arrival)_[ab]|erasure_name)$/;

test('every version before this one has a fixture', () => {
  assert.deepEqual(versions, Array.from({ length: migrations - 1 }, (_, i) => String(i + 1).padStart(4, '0')));
});

/* A later version's migrations are among those of the ones before it: a short run begins at every third and at the newest. */
const begins = process.env.HOLDOUT_LONG ? versions : versions.filter((_, i) => i % 3 === 0 || i >= versions.length - 2);
for (const version of begins) {
  test(`from version ${version}`, async (t) => {
    const { dir, db, was } = await oldProject(t, version);
    const before = {};
    for (const table of await tables(db)) {
      before[table] = await rows(db, table);
      assert.ok(before[table] > 0 || PASSING.test(table), `${table} has no row in the fixture`);
    }
    const original = await sqlite(db, '.dump');
    for (const command of [['check', dir], ['export', 'workers', dir], ['backup', dir, `${dir}-backup`], ['serve', dir, '--port', '0']]) {
      const r = await holdout(command);
      assert.equal(r.code, 1);
      assert.match(r.err, /is from an earlier version: run `holdout migrate/);
    }
    assert.match(await must(['migrate', dir, '--dry-run']), new RegExp(`^${Number(version)} of ${migrations} migrations are applied`));
    assert.deepEqual(copies(dir), []);

    const r = await holdout(['migrate', dir]);
    assert.equal(r.code, 0, r.err);
    const [copy] = copies(dir);
    assert.ok(r.err.includes(`${path.join(dir, copy)} is the database as it was`), r.err);
    assert.equal(fs.statSync(path.join(dir, copy)).mode & 0o777, 0o600);
    assert.equal(await sqlite(path.join(dir, copy), '.dump'), original);
    for (const [table, n] of Object.entries(before)) {
      if (table !== 'migration') assert.ok(await rows(db, table) >= n, table);
    }
    /* Image files are not in the fixture: importing again makes them, as for files that were lost. */
    for (const [name, bytes] of Object.entries(was.images)) {
      const file = path.join(path.dirname(dir), 'pictures', name);
      fs.mkdirSync(path.dirname(file), { recursive: true });
      fs.writeFileSync(file, Buffer.from(bytes, 'base64'));
    }
    for (const role of ['original', 'candidate']) {
      await must(['import', 'images', dir, path.join(path.dirname(dir), 'pictures', role), '--role', role]);
    }
    const found = await holdout(['check', dir, '--hash']);
    assert.equal(found.code, 0, found.out + found.err);
    for (const [what, text] of Object.entries(was.exported)) {
      const [name, ...options] = what.split(' ');
      /* Up to 0005 these lists named people by their panel ids. */
      if (['workers', 'participants'].includes(name) && version <= '0005') options.push('--panel-ids');
      assert.equal(await must(['export', name, dir, ...options]), text, what);
    }

    /* Accounts, tokens and places of before are good. */
    const server = await startServer(t, dir, { env: WIDE });
    const client = new Client(server.url);
    await client.login(was.login, was.password);
    assert.equal((await fetch(`${server.url}/api/v1/campaigns`, { headers: { authorization: `Bearer ${was.token}` } })).status, 200);
    const next = await client.json('POST', `/api/v1/places/${was.places.bob}/next`);
    assert.equal(next.status, 200);
    assert.ok(next.body.assignment, JSON.stringify(next.body));
    const answered = await client.json('POST', `/api/v1/assignments/${next.body.assignment}/answer`, { client_id: 'after-upgrade', selected: [0] });
    assert.equal(answered.status, 200);
    await server.stop();
    await must(['check', dir]);

    /* Nothing is left to do, and nothing is done. */
    assert.match((await holdout(['migrate', dir])).err, /is at version \d+ already/);
    assert.equal(copies(dir).length, 1);
    /* The copy is a way back: put in its place it is the project of before. */
    for (const end of ['', '-wal', '-shm']) fs.rmSync(`${db}${end}`, { force: true });
    fs.copyFileSync(path.join(dir, copy), db);
    assert.match(await must(['migrate', dir, '--dry-run']), new RegExp(`^${Number(version)} of`));
  });
}

test('no room for the copy: nothing is migrated', async (t) => {
  const { dir, db } = await oldProject(t, versions.at(-1));
  await holdout(['migrate', dir, '--dry-run']);
  const original = await sqlite(db, '.dump');
  const faults = new FaultFile(path.dirname(dir));
  t.after(() => faults.close());
  faults.failSpace(1);
  const r = await holdout(['migrate', dir], { binary: faultBin, env: faults.env });
  assert.equal(r.code, 1);
  assert.match(r.err, /cannot copy the database to .*No space left|disk is full/);
  assert.deepEqual(copies(dir), []);
  assert.equal(await sqlite(db, '.dump'), original);
  await must(['migrate', dir]);
});
