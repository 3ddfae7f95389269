/* Backup and restore: beside a working server, cut short at any write, onto full disks, damaged and
 * misdirected. What is restored is the project as of one moment; what is refused changes nothing. */
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';

import { Client, bin, faultBin, holdout, must, startServer, tempDir } from '../http/lib.mjs';
import { WIDE, answer, lease, png } from '../http/study.mjs';
import { FaultFile, sqlite } from '../load/tools.mjs';
import { FILES, copyOf, fails, generations, imageFiles, manifest, names, newest, part, theStudy, unfinished } from './backups.mjs';

const EXPORTS = [['frequencies'], ['workers'], ['votes'], ['votes', '--format', 'long'], ['hits'],
  ['participants', '--campaign', 'main']];
const exportsOf = async (dir) => {
  const all = [];
  for (const [what, ...options] of EXPORTS) all.push(await must(['export', what, dir, ...options]));
  return all;
};
const dump = (dir) => sqlite(path.join(dir, 'holdout.db'), "DELETE FROM setting WHERE key = 'backup.last';\n.dump");
const mode = (file) => fs.statSync(file).mode & 0o777;

test('a quiet project comes back as it was', async (t) => {
  const dir = copyOf(t);
  const target = path.join(tempDir(t), 'backups', 'of-study');
  fs.appendFileSync(path.join(dir, 'config.ini'), '\n[work]\nopen_window = 7\n');
  const said = JSON.parse(await must(['backup', dir, target, '--json']));
  assert.deepEqual([said.image_files, said.copied, said.references, said.missing], [FILES, FILES, 0, 0]);
  const m = manifest(target);
  assert.deepEqual(names(target), [said.generation, 'lock']);
  assert.deepEqual(names(newest(target)), [m.config.file, m.files.file, m.database.file, 'images', 'manifest.json'].sort());
  assert.equal(m.checked, true);
  assert.deepEqual([mode(target), mode(newest(target)), mode(part(target, 'database')), mode(part(target, 'config'))], [0o700, 0o700, 0o600, 0o600]);
  const again = path.join(tempDir(t), 'again');
  const r = await holdout(['restore', target, again]);
  assert.equal(r.code, 0, r.err);
  assert.match(r.err, new RegExp(`^Restored from ${newest(target)}\\.\n.* is the project project as of .*: ${FILES} image files\\.\nNothing wrong`));
  assert.equal(await dump(again), await dump(dir));
  assert.deepEqual(await exportsOf(again), await exportsOf(dir));
  assert.equal(fs.readFileSync(path.join(again, 'config.ini'), 'utf8'), fs.readFileSync(path.join(dir, 'config.ini'), 'utf8'));
  assert.deepEqual([mode(path.join(again, 'holdout.db')), mode(path.join(again, 'config.ini'))], [0o600, 0o600]);
  const list = imageFiles(again, '');
  assert.equal(list.filter((f) => fs.statSync(f).isFile()).length, FILES);
  await must(['check', again, '--hash']);
  const server = await startServer(t, again);
  assert.equal((await fetch(`${server.url}/readyz`)).status, 200);
  await server.stop();
});

/* As docs/operations.md says. */
test('b2sum checks a backup without us', async (t) => {
  const target = path.join(tempDir(t), 'backup');
  await must(['backup', theStudy(), target]);
  const m = manifest(target);
  const b2sum = (...args) => spawnSync('b2sum', args, { cwd: newest(target), encoding: 'utf8' });
  const check = ['--check', '--strict', '--quiet', m.files.file];
  const fine = b2sum(...check);
  assert.deepEqual([fine.status, fine.stdout, fine.stderr], [0, '', '']);
  for (const { file, blake2b } of [m.database, m.config, m.files]) {
    assert.equal(b2sum(file).stdout, `${blake2b}  ${file}\n`);
  }
  const victim = imageFiles(newest(target), '.grid')[4];
  fs.appendFileSync(victim, 'x');
  const bad = b2sum(...check);
  assert.deepEqual([bad.status, bad.stdout], [1, `${path.relative(newest(target), victim)}: FAILED\n`]);
});

test('beside a server that takes answers: the state of one moment', async (t) => {
  const dir = copyOf(t);
  const server = await startServer(t, dir, { env: WIDE });
  const base = tempDir(t);
  let acknowledged = 0;
  let over = false;
  const client = async (who) => {
    const c = new Client(server.url);
    for (let i = 0; !over; i++) {
      const { assignment } = await lease(c, `person-${who}-${i}`);
      const r = await answer(c, assignment, { client_id: randomUUID(), selected: [i % 20] });
      assert.equal(r.status, 200, JSON.stringify(r.body));
      acknowledged++;
    }
  };
  const clients = Promise.all([1, 2, 3].map(client));
  const moments = [];
  for (let i = 0; i < 3; i++) {
    const before_ = acknowledged;
    const target = path.join(base, `backup-${i}`);
    const said = JSON.parse(await must(['backup', dir, target, '--json']));
    moments.push({ target, event: said.event, before: before_ });
    while (acknowledged === before_) await new Promise((resolve) => { setImmediate(resolve); });
  }
  over = true;
  await clients;
  await server.stop();
  for (const { target, event, before: least } of moments) {
    const again = path.join(base, `restored-${event}`);
    const r = await holdout(['restore', target, again]);
    assert.equal(r.code, 0, r.out + r.err);
    const count = Number(await sqlite(path.join(again, 'holdout.db'), 'SELECT count(*) FROM answer;'));
    assert.ok(count >= least + 2 && count <= acknowledged + 2, `${count} of ${acknowledged + 2}, at least ${least + 2}`);
    /* The project itself, without what came later. */
    const cut = path.join(base, `cut-${event}`);
    fs.cpSync(dir, cut, { recursive: true });
    await sqlite(path.join(cut, 'holdout.db'), `DELETE FROM answer WHERE id > ${event};`);
    const votes = (all) => all.slice(0, 5);
    assert.deepEqual(votes(await exportsOf(again)), votes(await exportsOf(cut)));
    fs.rmSync(cut, { recursive: true });
  }
  assert.ok(moments[2].event > moments[0].event);
  await must(['check', dir]);
});

test('a further backup copies what is new and links the rest; --verify copies what is damaged', async (t) => {
  const dir = copyOf(t);
  const base = tempDir(t);
  const target = path.join(base, 'backup');
  await must(['backup', dir, target]);
  const first = newest(target);
  const folder = path.join(base, 'more', 'n00000001');
  fs.mkdirSync(folder, { recursive: true });
  fs.writeFileSync(path.join(folder, 'new.png'), png('new'));
  await must(['import', 'images', dir, path.dirname(folder)]);
  const said = JSON.parse(await must(['backup', dir, target, '--json']));
  assert.deepEqual([said.image_files, said.copied, said.generations, said.removed], [FILES + 3, 3, 2, 0]);
  assert.notEqual(newest(target), first);
  const inode = (root, i) => fs.statSync(imageFiles(root, '.grid')[i]).ino;
  const shared = imageFiles(first, '').filter((f) => fs.statSync(f).isFile());
  assert.ok(shared.every((f) => fs.statSync(f).ino === fs.statSync(f.replace(first, newest(target))).ino), 'hard links between generations');
  await must(['backup', '--verify', target]);

  /* Damage that keeps the size is found by --verify alone, and is not taken over. */
  const victim = imageFiles(newest(target), '.source')[5];
  const bytes = fs.readFileSync(victim);
  const whole_ = Buffer.from(bytes);
  bytes[bytes.length >> 1] ^= 255;
  fs.writeFileSync(victim, bytes);
  assert.equal(JSON.parse(await must(['backup', dir, target, '--json'])).copied, 0);
  const seen = await fails(['backup', '--verify', target], /1 files of .* are damaged/);
  assert.equal(seen.out, `damaged: ${victim.replace(path.dirname(victim).split('/images/')[0], newest(target))}: is not what it was when it was backed up\n`);
  assert.equal(JSON.parse(await must(['backup', dir, target, '--json', '--verify'])).copied, 1);
  assert.ok(fs.readFileSync(imageFiles(newest(target), '.source')[5]).equals(whole_));
  await must(['backup', '--verify', target]);
  await fails(['backup', '--verify', first], /1 files of .* are damaged/);
  /* A smaller one is seen in any case. */
  fs.truncateSync(imageFiles(newest(target), '.source')[5], 10);
  assert.equal(JSON.parse(await must(['backup', dir, target, '--json'])).copied, 1);
  await must(['restore', target, path.join(base, 'again')]);

  const linked = path.join(base, 'linked');
  await must(['backup', dir, linked, '--link']);
  assert.equal(inode(newest(linked), 3), inode(dir, 3));
  assert.notEqual(inode(newest(target), 3), inode(dir, 3));
  assert.equal(JSON.parse(await must(['backup', dir, linked, '--link', '--json'])).copied, 0);
  await must(['restore', linked, path.join(base, 'from-links')]);
});

/* A kill at the first, the third, ... write, until it is late enough: then the target is a backup. */
test('killed at any moment: unfinished, the project unharmed, the next run completes it', async (t) => {
  const dir = copyOf(t);
  const before_ = await dump(dir);
  const base = tempDir(t);
  const faults = new FaultFile(base);
  t.after(() => faults.close());
  const target = path.join(base, 'backup');
  let kills = 0;
  for (let n = 1; ; n = Math.ceil(n * 1.7)) {
    faults.killAfter(n);
    const r = await holdout(['backup', dir, target], { binary: faultBin, env: faults.env });
    faults.killAfter(0);
    if (r.code === 0) break;
    assert.equal(r.signal, 'SIGKILL', r.err);
    kills++;
    if (fs.existsSync(target) && newest(target)) { /* what has its name is whole, whatever was still to do */
      await must(['backup', '--verify', target]);
      continue;
    }
    await fails(['restore', target, path.join(base, 'none')], unfinished(target) ? /is an unfinished backup: run `holdout backup` once more/ : /is not a backup/);
    assert.ok(!fs.existsSync(path.join(base, 'none')));
  }
  assert.ok(kills >= 6, `${kills} kills`);
  assert.equal(unfinished(target), undefined);
  assert.equal(await dump(dir), before_);
  await must(['check', dir]);
  await must(['restore', target, path.join(base, 'again')]);
  assert.equal(await dump(path.join(base, 'again')), before_);

  /* Earlier generations stay whole when the next one is killed, and what it had copied is used. */
  const whole_ = generations(target);
  faults.killAfter(30);
  assert.equal((await holdout(['backup', dir, target], { binary: faultBin, env: faults.env })).signal, 'SIGKILL');
  faults.killAfter(0);
  assert.ok(unfinished(target));
  assert.deepEqual(generations(target), whole_);
  await must(['restore', target, path.join(base, 'third')]);
  await must(['backup', dir, target]);
  assert.equal(unfinished(target), undefined);
  for (const g of generations(target)) await must(['backup', '--verify', g]);
});

/* The first image is a hole so large that it takes a while to hash; the signal comes as soon as it is
 * in the target. Larger, should the backup have ended before the signal came. */
test('SIGTERM ends it in order', async (t) => {
  const dir = copyOf(t);
  const base = tempDir(t);
  const large = imageFiles(dir, '.grid')[0];
  let r = null;
  for (let mib = 64; r === null || r.code === 0; mib *= 4) {
    assert.ok(mib <= 16384, 'never stopped in time');
    fs.truncateSync(large, mib * 2 ** 20);
    const target = path.join(base, `backup-${mib}`);
    const seen = () => unfinished(target) && fs.existsSync(path.join(target, unfinished(target), path.relative(dir, large)));
    const child = spawn(bin, ['backup', dir, target], { stdio: ['ignore', 'ignore', 'pipe'] });
    r = { code: null, signal: null, err: '', target };
    child.stderr.on('data', (c) => { r.err += c; });
    const closed = once(child, 'close');
    while (child.exitCode === null && !seen()) await new Promise((resolve) => { setImmediate(resolve); });
    child.kill('SIGTERM');
    [r.code, r.signal] = await closed;
  }
  assert.deepEqual([r.code, r.signal], [1, null]);
  assert.match(r.err, /stopped; .* is marked as unfinished\. Run `holdout backup` again/);
  await fails(['restore', r.target, path.join(base, 'none')], /is an unfinished backup/);
  await must(['backup', dir, r.target]);
  await must(['restore', r.target, path.join(base, 'again')]);
});

test('a full disk: said, nothing harmed, completed when there is room', async (t) => {
  const dir = copyOf(t);
  const base = tempDir(t);
  const faults = new FaultFile(base);
  t.after(() => faults.close());
  const target = path.join(base, 'backup');
  faults.failSpace(-1);
  const full = await fails(['backup', dir, target], /No space left|disk is full/, { binary: faultBin, env: faults.env });
  assert.doesNotMatch(full.err, /bug/i);
  faults.failSpace(0);
  await fails(['restore', target, path.join(base, 'none')], /is not a backup|unfinished/);
  faults.failSync(1);
  await fails(['backup', dir, target], /Input\/output error/, { binary: faultBin, env: faults.env });
  faults.failSync(0);

  /* Room for the database and not for a large image: the largest file that may be written. */
  const size = Math.ceil((fs.statSync(path.join(dir, 'holdout.db')).size + (fs.statSync(path.join(dir, 'holdout.db-wal'), { throwIfNoEntry: false })?.size ?? 0)) / 1024);
  const large = imageFiles(dir, '.view')[10];
  fs.truncateSync(large, (size + 2048) * 1024);
  fs.writeFileSync(path.join(base, 'run.sh'), `ulimit -f ${size + 1024}; exec "$@"`);
  const limited = spawn('bash', [path.join(base, 'run.sh'), bin, 'backup', dir, target], { stdio: ['ignore', 'ignore', 'pipe'] });
  let err = '';
  limited.stderr.on('data', (c) => { err += c; });
  assert.equal((await once(limited, 'close'))[0], 1, err);
  assert.match(err, /cannot copy .*\.view to .*: File too large/);
  await fails(['restore', target, path.join(base, 'none')], /is an unfinished backup/);
  const r = JSON.parse(await must(['backup', dir, target, '--json']));
  assert.equal(r.image_files, FILES);

  /* And a full disk where it is restored: the folder says so and is no project. */
  faults.failSpace(-1);
  const again = path.join(base, 'again');
  await fails(['restore', target, again], /No space left/, { binary: faultBin, env: faults.env });
  faults.failSpace(0);
  assert.ok(!fs.existsSync(path.join(again, 'holdout.db')));
  fs.writeFileSync(path.join(again, 'unfinished-restore'), '');
  await fails(['restore', target, again], /holds an unfinished restore; delete it/);
  fs.rmSync(again, { recursive: true });
  await must(['restore', target, again]);
});

test('only where there is nothing, only from a whole backup', async (t) => {
  const base = tempDir(t);
  const target = path.join(base, 'backup');
  await must(['backup', theStudy(), target]);
  const inhabited = (...files) => {
    const dir = fs.mkdtempSync(path.join(base, 'dir-'));
    for (const f of files) fs.writeFileSync(path.join(dir, f), 'mine');
    return dir;
  };
  for (const file of ['holdout.db', '.hidden', 'notes.txt']) {
    const dir = inhabited(file);
    await fails(['restore', target, dir], /is not empty \(.*\): a backup can only be restored into an empty or new folder\. Nothing was changed/);
    assert.deepEqual(names(dir), [file]);
    assert.equal(fs.readFileSync(path.join(dir, file), 'utf8'), 'mine');
  }
  await fails(['restore', target, theStudy()], /is not empty/);
  await fails(['restore', path.join(base, 'nowhere'), path.join(base, 'new')], /is not a backup: it has no manifest\.json/);
  await fails(['restore', theStudy(), path.join(base, 'new')], /is not a backup/);
  await must(['restore', target, inhabited()]);
  await must(['restore', target, path.join(base, 'dry'), '--dry-run']);
  assert.ok(!fs.existsSync(path.join(base, 'dry')));

  const text = fs.readFileSync(path.join(newest(target), 'manifest.json'), 'utf8');
  const m = JSON.parse(text);
  const damaged = {
    'cut off': [text.slice(0, 200), /manifest\.json:\d+: .*damaged/],
    empty: ['', /damaged/],
    'no JSON': ['<html>', /damaged/],
    'a member less': [JSON.stringify({ ...m, database: undefined }), /is damaged: it lacks/],
    'a wrong type': [JSON.stringify({ ...m, event: 'many' }), /is damaged/],
    'a newer format': [JSON.stringify({ ...m, format: 2 }), /written by a newer holdout/],
    'a newer database': [JSON.stringify({ ...m, schema: 99 }), /newer than this program's/],
    'a way out': [JSON.stringify({ ...m, database: { ...m.database, file: '../backup/lock' } }), /is damaged/],
    'a file that is not there': [JSON.stringify({ ...m, config: { ...m.config, file: 'config-none.ini' } }), /no such file/],
    'another hash': [JSON.stringify({ ...m, files: { ...m.files, blake2b: '0'.repeat(128) } }), /has different content from when it was backed up.*nothing was restored/],
    'a short hash': [JSON.stringify({ ...m, files: { ...m.files, blake2b: '0'.repeat(64) } }), /is damaged: it lacks/],
    'a hash of another kind': [JSON.stringify({ ...m, files: { ...m.files, blake2b: undefined, sha256: '0'.repeat(64) } }), /names a file without its blake2b hash, the only kind that this program checks: nothing was changed/],
  };
  for (const [what, [body, message]] of Object.entries(damaged)) {
    fs.writeFileSync(path.join(newest(target), 'manifest.json'), body);
    const r = await fails(['restore', target, path.join(base, 'new')], message);
    assert.ok(!fs.existsSync(path.join(base, 'new')), `${what}: ${r.err}`);
  }
  fs.writeFileSync(path.join(newest(target), 'manifest.json'), text);
  for (const which of ['database', 'files', 'config']) {
    const file = part(target, which);
    const bytes = fs.readFileSync(file);
    for (const [wrong, message] of [
      [bytes.subarray(0, bytes.length - 1), new RegExp(` has ${bytes.length - 1} bytes, but had ${bytes.length} when it was backed up`)],
      [Buffer.concat([bytes.subarray(0, 99), Buffer.from('x'), bytes.subarray(100)]), / has different content from when it was backed up/],
    ]) {
      fs.writeFileSync(file, wrong);
      await fails(['restore', target, path.join(base, 'new')], message);
      assert.ok(!fs.existsSync(path.join(base, 'new')));
    }
    fs.writeFileSync(file, bytes);
  }

  /* Images that are damaged are named and left out; what people said comes back whole. */
  const [bad, gone] = imageFiles(newest(target), '.view');
  fs.appendFileSync(bad, 'x');
  fs.rmSync(gone);
  const again = path.join(base, 'again');
  const r = await fails(['restore', target, again], /2 files of the backup are damaged and were left out/);
  assert.match(r.out, new RegExp(`damaged: ${bad}: is not what it was`));
  assert.match(r.out, new RegExp(`damaged: ${gone}: .*no such file`));
  assert.match(r.out, /^missing: /m);
  assert.deepEqual(await exportsOf(again), await exportsOf(theStudy()));
  /* And the next backup puts them back. */
  assert.equal(JSON.parse(await must(['backup', theStudy(), target, '--json'])).copied, 2);
  await must(['restore', target, path.join(base, 'whole')]);
});

test('a list that leads out of the backup is refused', async (t) => {
  const base = tempDir(t);
  const target = path.join(base, 'backup');
  await must(['backup', theStudy(), target]);
  const m = manifest(target);
  const file = part(target, 'files');
  const lines = fs.readFileSync(file, 'utf8').split('\n');
  for (const line of [`${lines[0].slice(0, 130)}images/../../../stolen`, `${lines[0].slice(0, 130)}/etc/passwd`, 'nonsense', lines[0].replace('  ', ' '), lines[1]]) {
    const body = [line, ...lines.slice(1)].join('\n');
    fs.writeFileSync(file, body);
    const blake2b = createHash('blake2b512').update(body).digest('hex');
    fs.writeFileSync(path.join(newest(target), 'manifest.json'), JSON.stringify({ ...m, files: { ...m.files, bytes: body.length, blake2b } }));
    const again = fs.mkdtempSync(path.join(base, 'again-'));
    await fails(['restore', target, again], /files-.*\.b2sum:\d+: expected a hash and a file of images\/, models or features, sorted/);
    assert.ok(!fs.existsSync(path.join(again, 'holdout.db')));
  }
});

test('where no backup may go', async (t) => {
  const dir = copyOf(t);
  const base = tempDir(t);
  const before_ = await dump(dir);
  for (const inside of [dir, `${dir}/`, path.join(dir, 'backup'), path.join(dir, 'images', 'x')]) {
    await fails(['backup', dir, inside], /is inside the project itself/);
  }
  fs.symlinkSync(dir, path.join(base, 'link'));
  await fails(['backup', dir, path.join(base, 'link', 'exports')], /is inside the project itself/);
  const home = path.join(base, 'home');
  fs.mkdirSync(home);
  fs.writeFileSync(path.join(home, 'thesis.tex'), 'years of work');
  await fails(['backup', dir, home], /is not empty \(thesis\.tex\) and not a backup\. Nothing was changed/);
  assert.deepEqual(names(home), ['thesis.tex']);
  fs.writeFileSync(path.join(base, 'file'), '');
  await fails(['backup', dir, path.join(base, 'file')], /cannot/);
  /* Another project's backup is not replaced, finished or not. */
  const other = await newProjectAt(t, path.join(base, 'other'));
  const target = path.join(base, 'backup');
  await must(['backup', dir, target]);
  await fails(['backup', other, target], /holds a backup of another project. Nothing was changed/);
  const file_ = path.join(newest(target), 'manifest.json');
  fs.renameSync(file_, path.join(base, 'manifest.json'));
  await fails(['backup', other, target], /is not empty/);
  fs.renameSync(path.join(base, 'manifest.json'), file_);
  await must(['restore', target, path.join(base, 'again')]);
  /* What others put beside it stays. */
  fs.writeFileSync(path.join(target, 'holdout-notes.txt'), 'mine');
  await must(['backup', dir, target]);
  assert.ok(fs.existsSync(path.join(target, 'holdout-notes.txt')));
  assert.equal(await dump(dir), before_);
  /* Two at once: one waits its turn by being refused. */
  const holder = spawn('flock', ['-x', path.join(target, 'lock'), 'sh', '-c', 'echo held; read line'], { stdio: ['pipe', 'pipe', 'inherit'] });
  t.after(() => holder.kill('SIGKILL'));
  await once(holder.stdout, 'data');
  await fails(['backup', dir, target], /cannot be locked: another backup or a restore is using it/);
  await fails(['restore', target, path.join(base, 'third')], /is being written by a backup/);
  holder.stdin.end('\n');
  await once(holder, 'close');
  await must(['backup', dir, target, '--dry-run']);
});

async function newProjectAt(t, dir) {
  const file = path.join(tempDir(t), 'password');
  fs.writeFileSync(file, 'correct horse battery staple\n');
  await must(['init', dir, '--admin-password-file', file]);
  return dir;
}

test('originals that are only referred to are named; files that are gone do not stop the rest', async (t) => {
  const base = tempDir(t);
  const dir = await newProjectAt(t, path.join(base, 'project'));
  fs.writeFileSync(path.join(base, 'classes.csv'), 'cid,wnid,synset,gloss,wikipedia\n0,n00000001,apple,a fruit,\n');
  await must(['import', 'classes', dir, path.join(base, 'classes.csv')]);
  const folder = path.join(base, 'pictures', 'n00000001');
  fs.mkdirSync(folder, { recursive: true });
  for (const name of ['a', 'b']) fs.writeFileSync(path.join(folder, `${name}.png`), png(name));
  await must(['import', 'images', dir, path.join(base, 'pictures'), '--keep', 'reference']);
  const target = path.join(base, 'backup');
  const first = await holdout(['backup', dir, target]);
  assert.equal(first.code, 0, first.err);
  assert.match(first.err, /2 originals are kept by reference/);
  assert.equal(manifest(target).references, 2);
  let r = await holdout(['restore', target, path.join(base, 'again')]);
  assert.equal(r.code, 0, r.err);
  assert.match(r.out, /^reference: .*a\.png is kept outside the project$/m);
  fs.rmSync(path.join(folder, 'b.png'));
  r = await fails(['restore', target, path.join(base, 'third')], /1 finding/);
  assert.match(r.out, /^reference: .*b\.png is kept outside the project and is not there: put it back$/m);
  assert.match(r.out, /^missing: .*b\.png/m);

  fs.rmSync(imageFiles(dir, '.grid')[0]);
  r = await fails(['backup', dir, target], /the backup is complete, but 1 files of the project are missing/);
  assert.match(r.err, /^missing: .*\.grid/m);
  assert.equal(manifest(target).missing, 1);
});

test('check --hash reads every original', async (t) => {
  const dir = copyOf(t);
  await must(['check', dir, '--hash']);
  const victim = imageFiles(dir, '.source')[7];
  const bytes = fs.readFileSync(victim);
  bytes[bytes.length - 20] ^= 1;
  fs.writeFileSync(victim, bytes);
  await must(['check', dir]); /* its size is right */
  const r = await fails(['check', dir, '--hash'], /1 finding/);
  assert.match(r.out, new RegExp(`^content: ${victim} is not what was imported$`, 'm'));
});
