/* Generations of backups beside each other: what is kept and what goes, what is sound enough to be one, which
 * one comes back. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';

import { faultBin, holdout, must, tempDir } from '../http/lib.mjs';
import { FaultFile, sqlite } from '../load/tools.mjs';
import { FILES, copyOf, fails, generations, imageFiles, names, newest, part, theStudy, unfinished } from './backups.mjs';

test('--keep generations stay, and nothing goes that is not one', async (t) => {
  const dir = copyOf(t);
  const base = tempDir(t);
  const target = path.join(base, 'backup');
  const made = [];
  for (let i = 0; i < 4; i++) made.push(JSON.parse(await must(['backup', dir, target, '--json', '--keep', '3'])));
  assert.deepEqual(made.map((m) => [m.generations, m.removed]), [[1, 0], [2, 0], [3, 0], [3, 1]]);
  assert.deepEqual(generations(target).map((g) => path.basename(g)), made.slice(1).map((m) => m.generation));
  for (const g of generations(target)) await must(['backup', '--verify', g]);
  /* Things of others, and folders that only look like generations. */
  const strange = ['notes.txt', '20200101T000000000Z', '20200101T000000000Z.unfinished', '20200101T000000000Z.removed', '2020', 'images', 'models-20200101T000000000Z'];
  fs.writeFileSync(path.join(target, strange[0]), 'mine');
  for (const name of strange.slice(1)) {
    fs.mkdirSync(path.join(target, name));
    fs.writeFileSync(path.join(target, name, 'mine.txt'), 'mine');
  }
  fs.symlinkSync(dir, path.join(target, '20200102T000000000Z'));
  fs.symlinkSync(dir, path.join(target, '20200102T000000000Z.removed'));
  const oldest = generations(target).find((g) => path.basename(g) > '2021');
  fs.writeFileSync(path.join(oldest, 'mine.txt'), 'mine');
  assert.equal(JSON.parse(await must(['backup', dir, target, '--json', '--keep', '1'])).removed, 3);
  for (const name of strange) assert.ok(fs.existsSync(path.join(target, name)), name);
  for (const name of strange.slice(1)) assert.deepEqual(names(path.join(target, name)), ['mine.txt']);
  assert.deepEqual(names(`${oldest}.removed`), ['mine.txt'], 'what others put into a generation stays');
  await must(['check', dir]);
  /* A damaged manifest is no generation, and nothing that may be removed. */
  const damaged = newest(target);
  fs.writeFileSync(path.join(damaged, 'manifest.json'), '{');
  const r = await holdout(['backup', dir, target, '--keep', '1']);
  assert.equal(r.code, 0, r.err);
  assert.equal(r.err.match(/the manifest is damaged; use another backup \(it is left alone\)/g)?.length, 1);
  assert.ok(fs.existsSync(damaged));
  for (const wrong of ['0', '-1', 'x']) assert.equal((await holdout(['backup', dir, target, '--keep', wrong])).code, 2, wrong);
  assert.equal((await holdout(['backup', dir])).code, 2, 'no target');
});

/* What a failing disk does: bytes of a page are others. The last page of a table, so that the project can be opened. */
async function damage(dir) {
  const file = path.join(dir, 'holdout.db');
  const page = Number(await sqlite(file, "PRAGMA wal_checkpoint(TRUNCATE); SELECT max(pageno) FROM dbstat WHERE name = 'grid_cell' AND pagetype = 'leaf';").then((s) => s.trim().split('\n').at(-1)));
  const size = Number(await sqlite(file, 'PRAGMA page_size;'));
  const bytes = fs.readFileSync(file);
  bytes.fill(0xa5, (page - 1) * size, (page - 1) * size + 64);
  fs.writeFileSync(file, bytes);
}

test('a damaged database is not a backup, and the last good one stays', async (t) => {
  const dir = copyOf(t);
  const base = tempDir(t);
  const target = path.join(base, 'backup');
  await must(['backup', dir, target]);
  const good = newest(target);
  await damage(dir);
  for (const keep_ of ['1', '7']) {
    await fails(['backup', dir, target, '--keep', keep_], /the database of .* is damaged \(.*\): nothing was backed up, and .* keeps what it had; run `holdout check/);
    assert.deepEqual(generations(target), [good]);
  }
  assert.equal(names(path.join(target, unfinished(target))).filter((f) => f.endsWith('.db')).length, 0, 'no damaged copy lies about');
  await must(['restore', target, path.join(base, 'again')]);
  await must(['check', path.join(base, 'again')]);
  await fails(['backup', dir, path.join(base, 'first')], /is damaged/);
  await fails(['restore', path.join(base, 'first'), path.join(base, 'none')], /is an unfinished backup/);
});

test('an index that lacks its rows is damage too', async (t) => {
  const dir = copyOf(t);
  const file = path.join(dir, 'holdout.db');
  await sqlite(file, 'PRAGMA wal_checkpoint(TRUNCATE); VACUUM;');
  const [root, size] = String(await sqlite(file, `SELECT rootpage || ' ' || (SELECT page_size FROM pragma_page_size)
    FROM sqlite_schema WHERE type = 'index' AND tbl_name = 'class' AND sql IS NULL LIMIT 1;`)).trim().split(' ').map(Number);
  const bytes = fs.readFileSync(file);
  const at = bytes.indexOf('n00000001', (root - 1) * size);
  assert.ok(at > 0 && at < root * size, `${root} ${at}`);
  bytes.write('n00000000', at);
  fs.writeFileSync(file, bytes);
  await fails(['backup', dir, path.join(tempDir(t), 'backup')], /the database of .* is damaged \(.*index/);
});

test('counters and references that are wrong are no backup either', async (t) => {
  const target = path.join(tempDir(t), 'backup');
  await must(['backup', theStudy(), target]);
  for (const [what, message] of [
    ['PRAGMA foreign_keys = OFF; DELETE FROM person WHERE id = (SELECT min(person) FROM place);', /database: row \d+ of \w+ names a missing row of person/],
    ['UPDATE image_count SET n = n + 1;', /counter: \d+ image counts by class and role are wrong/],
  ]) {
    const dir = copyOf(t);
    await sqlite(path.join(dir, 'holdout.db'), what);
    await fails(['backup', dir, target], message);
    assert.equal(generations(target).length, 1);
  }
});

test('restore takes the newest that is whole, or the generation that is named', async (t) => {
  const dir = copyOf(t);
  const base = tempDir(t);
  const target = path.join(base, 'backup');
  const events = [];
  for (let i = 0; i < 3; i++) {
    events.push(JSON.parse(await must(['backup', dir, target, '--json'])).generation);
  }
  const [a, b, c] = events.map((g) => path.join(target, g));
  let n = 0;
  const restored = async (from) => {
    const to = path.join(base, `again-${n++}`);
    const r = await holdout(['restore', from, to]);
    assert.equal(r.code, 0, r.err);
    return r.err;
  };
  assert.match(await restored(target), new RegExp(`^Restored from ${c}\\.`));
  assert.match(await restored(a), /^\S+ is the project/);
  const db = fs.readdirSync(c).find((f) => f.endsWith('.db'));
  fs.appendFileSync(path.join(c, db), 'x');
  const r = await restored(target);
  assert.match(r, new RegExp(`^The generation ${c} .* is skipped: .* bytes, but had \\d+ when it was backed up`));
  assert.match(r, new RegExp(`^Restored from ${b}\\.`, 'm'));
  await fails(['restore', c, path.join(base, 'none')], /bytes, but had \d+ when it was backed up.*nothing was restored/);
  await fails(['backup', '--verify', target], /bytes, but had \d+ when it was backed up/);
  fs.rmSync(path.join(b, 'manifest.json'));
  assert.match(await restored(target), new RegExp(`^Restored from ${a}\\.`, 'm'));
});

test('a clock set back does not put the new generation behind the old ones', async (t) => {
  const dir = copyOf(t);
  const base = tempDir(t);
  const faults = new FaultFile(base);
  t.after(() => faults.close());
  const target = path.join(base, 'backup');
  const at = async (iso) => {
    faults.clock(Date.parse(iso));
    return JSON.parse(await must(['backup', dir, target, '--json', '--keep', '2'], { binary: faultBin, env: faults.env })).generation;
  };
  const ahead = await at('2031-05-01T00:00:00Z');
  const next = await at('2027-05-01T00:00:00Z');
  const third = await at('2027-05-02T00:00:00Z');
  assert.ok(ahead < next && next < third, [ahead, next, third].join(' '));
  assert.deepEqual(generations(target).map((g) => path.basename(g)), [next, third]);
});

/* A generation that was renamed, or whose manifest was changed: its name says another moment than the manifest. A limit
 * of time, as looking for a name once tried every millisecond up to there. */
test('a generation dated far ahead ends no search for a name', async (t) => {
  const dir = copyOf(t);
  const target = path.join(tempDir(t), 'backup');
  await must(['backup', dir, target]);
  const ahead = path.join(target, '20991231T235959999Z');
  fs.renameSync(newest(target), ahead);
  const made = JSON.parse(await must(['backup', dir, target, '--json'], { limit: 20000 })).generation;
  assert.equal(made, '21000101T000000000Z');
  /* Names beyond every date, also one that no calendar has, leave none that is later. */
  for (const last of ['99991231T235959999Z', '99999999T999999999Z']) {
    fs.renameSync(newest(target), path.join(target, last));
    await fails(['backup', dir, target], new RegExp(`${last} is dated so far in the future that no backup can follow it. Nothing was changed`), { limit: 20000 });
    assert.deepEqual(names(target), [path.basename(ahead), last, 'lock']);
  }
  const file = path.join(newest(target), 'manifest.json');
  fs.writeFileSync(file, fs.readFileSync(file, 'utf8').replace(/"made_ms": *\d+/, '"made_ms": 9223372036854775807'));
  await fails(['backup', '--verify', newest(target)], /it lacks entries that every manifest has/);
});

/* As holdout 0.2 and earlier left it: the backup in TARGET itself. */
function flatten(target) {
  const g = newest(target);
  for (const name of fs.readdirSync(g)) fs.renameSync(path.join(g, name), path.join(target, name));
  fs.rmdirSync(g);
  const file = path.join(target, 'manifest.json');
  const { checked, ...m } = JSON.parse(fs.readFileSync(file, 'utf8'));
  assert.equal(checked, true);
  fs.writeFileSync(file, JSON.stringify(m));
  return m;
}

test('the single backup of an earlier version is restored, shared with and outlived', async (t) => {
  const dir = copyOf(t);
  const base = tempDir(t);
  const target = path.join(base, 'backup');
  await must(['backup', dir, target]);
  const m = flatten(target);
  await must(['restore', target, path.join(base, 'from-flat')]);
  assert.match((await holdout(['backup', '--verify', target])).err, /is intact: .* it was made by a holdout that did not check databases/);
  fs.writeFileSync(path.join(target, 'holdout-notes.txt'), 'mine');
  const said = JSON.parse(await must(['backup', dir, target, '--json', '--keep', '2']));
  assert.deepEqual([said.copied, said.generations, said.removed], [0, 2, 0]);
  assert.ok(fs.existsSync(path.join(target, m.database.file)), 'it is a generation');
  assert.match((await holdout(['restore', target, path.join(base, 'newest')])).err, new RegExp(`Restored from ${newest(target)}`));
  /* It goes when it is the oldest; half a removal is completed by the next backup. */
  const faults = new FaultFile(base);
  t.after(() => faults.close());
  let kills = 0;
  for (let n = 1; ; n++) {
    faults.killAfter(n);
    const r = await holdout(['backup', dir, target, '--keep', '2'], { binary: faultBin, env: faults.env });
    faults.killAfter(0);
    await must(['restore', target, path.join(base, `killed-${kills}`)]);
    if (r.code === 0) break;
    kills++;
    n = Math.ceil(n * 1.5);
  }
  await must(['backup', dir, target, '--keep', '2']);
  assert.ok(kills > 2, String(kills));
  assert.deepEqual(names(target), [...generations(target).map((g) => path.basename(g)), 'holdout-notes.txt', 'lock']);
  assert.equal(generations(target).length, 2);
  await must(['restore', target, path.join(base, 'last')]);
});

/* Who can write into the folder of a backup must not choose what restore reads. */
test('restore follows no links', async (t) => {
  const base = tempDir(t);
  const target = path.join(base, 'backup');
  await must(['backup', theStudy(), target]);
  const g = newest(target);
  const swap = (file) => {
    const away = path.join(base, `away-${path.basename(file)}`);
    fs.renameSync(file, away);
    fs.symlinkSync(away, file);
    return () => {
      fs.unlinkSync(file);
      fs.renameSync(away, file);
    };
  };
  for (const file of [path.join(g, 'manifest.json'), ...['database', 'files', 'config'].map((w) => part(target, w))]) {
    const back = swap(file);
    for (const from of [g, target]) await fails(['restore', from, path.join(base, 'none')], /symbolic link or leads through one; links are not followed|is not a backup/);
    assert.ok(!fs.existsSync(path.join(base, 'none')), file);
    back();
  }
  const image = imageFiles(g, '.view')[0];
  let back = swap(image);
  let r = await fails(['restore', target, path.join(base, 'a')], /1 files of the backup are damaged and were left out/);
  assert.match(r.out, new RegExp(`damaged: ${image}: .* symbolic link or leads through one; links are not followed`));
  await fails(['backup', '--verify', target], /1 files/);
  back();
  back = swap(path.join(g, 'images'));
  r = await fails(['restore', target, path.join(base, 'b')], new RegExp(`${FILES} files of the backup are damaged`));
  assert.equal(imageFiles(path.join(base, 'b'), '').filter((f) => fs.statSync(f).isFile()).length, 0);
  /* Nor does the next backup make a link of it, or a hard link to it. */
  back();
  back = swap(image);
  assert.equal(JSON.parse(await must(['backup', theStudy(), target, '--json'])).copied, 1);
  assert.ok(fs.lstatSync(imageFiles(newest(target), '.view')[0]).isFile());
  back();
});

test('a lock that is a link makes no file elsewhere', async (t) => {
  const base = tempDir(t);
  const target = path.join(base, 'backup');
  await must(['backup', theStudy(), target]);
  const lock = path.join(target, 'lock'), elsewhere = path.join(base, 'made');
  fs.rmSync(lock);
  fs.symlinkSync(elsewhere, lock);
  await must(['restore', target, path.join(base, 'again')]);
  await must(['backup', '--verify', target]);
  await fails(['backup', theStudy(), target], /cannot open the lock file .*lock/);
  assert.ok(!fs.existsSync(elsewhere));
});

/* What an archive from elsewhere may hold instead of a file. A limit of time, as reading it would never end. */
test('restore reads nothing but files, and none that is larger than it was', async (t) => {
  const base = tempDir(t);
  const target = path.join(base, 'backup');
  await must(['backup', theStudy(), target]);
  const g = newest(target);
  const manifest = JSON.parse(fs.readFileSync(path.join(g, 'manifest.json')));
  assert.equal(manifest.other_bytes, 0);
  const instead = {
    folder: (file) => fs.mkdirSync(file),
    pipe: (file) => execFileSync('mkfifo', [file]),
    sparse: (file) => { fs.writeFileSync(file, ''); fs.truncateSync(file, 2 ** 40); },
    ...(process.getuid() === 0 ? { device: (file) => execFileSync('mknod', [file, 'c', '1', '5']) } : {}),
  };
  let n = 0;
  for (const [what, put] of Object.entries(instead)) {
    for (const file of [...['database', 'files', 'config'].map((w) => part(target, w)), imageFiles(g, '.view')[0]]) {
      fs.renameSync(file, `${base}/away`);
      put(file);
      const to = path.join(base, `to-${n++}`);
      const r = await holdout(['restore', target, to], { limit: 20000 });
      assert.equal(r.code, 1, `${what} ${file}: ${r.signal}`);
      assert.match(r.out + r.err, what === 'sparse' ? /bytes, but had|larger than it was/ : /not a regular file/);
      assert.equal(fs.existsSync(path.join(to, 'holdout.db')), file.endsWith('.view'), `${what} ${file}`);
      fs.rmSync(file, { recursive: true });
      fs.renameSync(`${base}/away`, file);
    }
  }
  fs.writeFileSync(path.join(g, 'manifest.json'), JSON.stringify({ ...manifest, project: 'a\u001b[31mb' }));
  assert.match((await holdout(['restore', target, path.join(base, 'named')])).err, /the project a\?\[31mb as of/);
  fs.writeFileSync(path.join(g, 'manifest.json'), JSON.stringify({ ...manifest, database: { ...manifest.database, file: 'a\u001b[31mb' } }));
  const named = await fails(['restore', target, path.join(base, 'unnamed')], /it lacks entries that every manifest has/);
  assert.ok(!named.err.includes('\u001b'));
});
