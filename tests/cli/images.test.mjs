/* Importing folders of images: told by their first bytes, broken ones named and skipped, a killed
 * import completed by the next. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';

import { bin, golden, holdout, must, needsGolden, newProject } from '../http/lib.mjs';
import { CLASSES, png, writeImages } from '../http/study.mjs';
import { sqlite, tempDir } from '../load/tools.mjs';

const database = (dir) => path.join(dir, 'holdout.db');
const dump = (dir) => sqlite(database(dir), '.dump');
const images = async (dir) => (await sqlite(database(dir), '.timeout 20000\nSELECT name FROM image ORDER BY name;')).split('\n').filter(Boolean);

function files(folder) {
  return fs.readdirSync(folder, { recursive: true, withFileTypes: true }).filter((e) => e.isFile()).length;
}

/* A project with the two classes, and an empty folder. */
async function project(t) {
  const dir = await newProject(t);
  await must(['import', 'classes', dir, '-'], { input: CLASSES });
  const folder = path.join(tempDir(t), 'folder');
  fs.mkdirSync(path.join(folder, 'n00000001'), { recursive: true });
  return { dir, folder, put: (name, bytes) => fs.writeFileSync(path.join(folder, 'n00000001', name), bytes) };
}

test('what cannot be decoded is named and skipped, the rest is imported', async (t) => {
  const { dir, folder, put } = await project(t);
  const good = png('good', 40, 30);
  put('good.png', good);
  put('renamed.jpg', png('renamed'));
  put('no-ending', png('no ending'));
  const broken = {
    'empty.jpg': Buffer.alloc(0),
    'text.jpg': Buffer.from('this is no image\n'.repeat(100)),
    'magic-only.png': good.subarray(0, 8),
    'truncated.png': good.subarray(0, good.length - 20),
    'half.png': good.subarray(0, good.length >> 1),
    'flipped.png': Buffer.from(good).fill(0xff, 50, 60),
    'huge.png': png('huge', 8, 8, [60000, 60000]),
    'bomb.png': png('bomb', 8, 8, [0x7fffffff, 0x7fffffff]),
    'no-size.png': png('none', 8, 8, [0, 8]),
    'gif.png': Buffer.from('GIF89a\x01\x00\x01\x00\x80\x00\x00\x00\x00\x00\xff\xff\xff,\x00\x00\x00\x00\x01\x00\x01\x00\x00\x02\x02D\x01\x00;', 'latin1'),
    'jpeg-start.jpg': Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 16, 0x4a, 0x46, 0x49, 0x46, 0]),
  };
  for (const [name, bytes] of Object.entries(broken)) put(name, bytes);
  const r = await holdout(['import', 'images', dir, folder]);
  assert.equal(r.code, 1, r.err);
  for (const name of Object.keys(broken)) {
    assert.match(r.err, new RegExp(`^skipped: .*/n00000001/${name.replace('.', '\\.')}: \\S.*`, 'm'));
  }
  assert.match(r.err, /3 new images, 11 skipped/);
  assert.match(r.err, /holdout: 11 files could not be read; the others are imported/);
  assert.deepEqual(await images(dir), ['good', 'no-ending', 'renamed']);
  assert.equal(await sqlite(database(dir), "SELECT type, width, height FROM source JOIN image ON source = source.id WHERE name = 'good';"), 'png|40|30\n');
  assert.equal(files(path.join(dir, 'images')), 9, 'source, view and grid of each, nothing of the others');
  await must(['check', dir]);
  assert.equal((await holdout(['import', 'images', dir, folder])).code, 1, 'they are still broken');
  await must(['check', dir]);
});

test('a folder that is not one of classes changes nothing', async (t) => {
  const { dir, folder, put } = await project(t);
  const refused = async (message) => {
    const before = await dump(dir);
    const r = await holdout(['import', 'images', dir, folder]);
    assert.equal(r.code, 1, r.err);
    assert.match(r.err, message);
    assert.equal(await dump(dir), before);
    assert.equal(files(path.join(dir, 'images')), 0);
  };
  await refused(/holds no files in class folders/);
  put('a.png', png('a'));
  fs.mkdirSync(path.join(folder, 'n00000009'));
  fs.writeFileSync(path.join(folder, 'n00000009', 'b.png'), png('b'));
  await refused(/class n00000009 is not in the project/);
  fs.rmSync(path.join(folder, 'n00000009'), { recursive: true });
  fs.writeFileSync(path.join(folder, 'loose.png'), png('loose'));
  await refused(/loose\.png: lies in no class folder/);
  fs.rmSync(path.join(folder, 'loose.png'));
  put('a.jpg', png('another a'));
  await refused(/a\.png: .*a\.jpg gives the name a too/);
  assert.equal((await holdout(['import', 'images', dir, path.join(folder, 'none')])).code, 1);
  assert.equal((await holdout(['import', 'images', dir, folder, '--role', 'king'])).code, 2);
});

test('again, dry, by two names, under another role', async (t) => {
  const { dir, folder } = await project(t);
  writeImages(folder, 'c', { n00000001: 6, n00000002: 6 });
  const empty = await dump(dir);
  assert.match((await holdout(['import', 'images', dir, folder, '--dry-run'])).err, /12 files, 0 new images, 0 skipped \(dry run\)/);
  assert.equal(await dump(dir), empty);
  assert.equal(files(path.join(dir, 'images')), 0);
  await must(['import', 'images', dir, folder, '--threads', '3']);
  const full = await dump(dir);
  assert.match((await holdout(['import', 'images', dir, folder, '--threads', '1'])).err, /0 new images/);
  assert.equal(await dump(dir), full);
  await must(['import', 'images', dir, folder, '--prefix', 'again-', '--role', 'reference']);
  assert.equal(await sqlite(database(dir), 'SELECT count(*), count(DISTINCT source) FROM image;'), '24|12\n');
  assert.equal(files(path.join(dir, 'images')), 36, 'equal content is stored once');
  const r = await holdout(['import', 'images', dir, folder, '--role', 'original']);
  assert.equal(r.code, 1);
  assert.match(r.err, /in the project with another class, role/);
  await must(['check', dir]);
});

test('JPEG files, and pixels for images that were known by name', needsGolden, async (t) => {
  const { dir, folder } = await project(t);
  const from = path.join(golden, 'imagenetv2/near_duplicate_images/jpeg');
  const names = fs.readdirSync(from).filter((n) => n.endsWith('.jpg'));
  assert.ok(names.length >= 14);
  for (const name of names) fs.copyFileSync(path.join(from, name), path.join(folder, 'n00000001', name.replace('.jpg', '.png')));
  await must(['import', 'image-list', dir, '-'], { input: 'idx,image,wnid,kind\n5,base0,n00000001,cand\n' });
  await must(['import', 'images', dir, folder]);
  assert.equal(await sqlite(database(dir), "SELECT count(*), group_concat(DISTINCT type), max(idx) FROM image JOIN source ON source.id = source;"),
    `${names.length}|jpeg|5\n`);
  for (const name of names) {
    const bytes = fs.readFileSync(path.join(from, name));
    assert.ok(fs.readdirSync(path.join(dir, 'images'), { recursive: true, withFileTypes: true })
      .some((e) => e.isFile() && fs.readFileSync(path.join(e.parentPath ?? e.path, e.name)).equals(bytes)), `${name} is kept as it was`);
  }
  await must(['check', dir]);
});

test('a killed import is completed by the next', async (t) => {
  const { dir, folder } = await project(t);
  writeImages(folder, 'many', { n00000001: 400, n00000002: 400 });
  const child = spawn(bin, ['import', 'images', dir, folder, '--threads', '1'], { stdio: 'ignore' });
  t.after(() => child.kill('SIGKILL'));
  const closed = once(child, 'close');
  while ((await images(dir)).length === 0) assert.equal(child.exitCode, null, 'still at work');
  child.kill('SIGKILL');
  assert.deepEqual(await closed, [null, 'SIGKILL']);
  const some = (await images(dir)).length;
  assert.ok(some > 0 && some < 800, String(some));
  /* What check may find in between: files without rows, and nothing else. */
  const between = await holdout(['check', dir]);
  for (const line of between.out.split('\n').filter(Boolean)) assert.match(line, /^orphan: images\//);
  await must(['import', 'images', dir, folder]);
  assert.equal((await images(dir)).length, 800);
  const left = (await holdout(['check', dir])).out.split('\n').filter(Boolean);
  for (const line of left) assert.match(line, /^orphan: images\/.*\.tmp-/, 'at most a file that was being written');
});
