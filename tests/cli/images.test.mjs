/* Importing folders of images: told by their first bytes, broken ones named and skipped, a killed
 * import completed by the next. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';

import { bin, faultBin, golden, holdout, must, needsGolden, newProject, startServer } from '../http/lib.mjs';
import { CLASSES, newToken, png, writeImages } from '../http/study.mjs';
import { FaultFile, run, sqlite, tempDir } from '../load/tools.mjs';

const sanitized = /[/](asan|tsan)(-[a-z]+)*[/]/.test(bin);
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

const source = async (dir, columns, name) =>
  (await sqlite(database(dir), `SELECT ${columns} FROM source JOIN image ON source.id = source WHERE name = '${name}';`)).trim();
const rendition = (dir, sha, kind) => path.join(dir, 'images', sha.slice(0, 2).toLowerCase(), `${sha.toLowerCase()}.${kind}`);
const shaOf = (dir, name) => source(dir, 'hex(sha256)', name);

/* A JPEG file: the rendition that another project made of a PNG. */
async function jpeg(t, seed = 'jpeg') {
  const { dir, folder, put } = await project(t);
  put('a.png', png(seed, 40, 30));
  await must(['import', 'images', dir, folder]);
  return fs.readFileSync(rendition(dir, await shaOf(dir, 'a'), 'view'));
}

/* The same file with another size in its frame header. */
function resized(bytes, width, height) {
  const copy = Buffer.from(bytes);
  const at = copy.indexOf(Buffer.from([0xff, 0xc0]));
  assert.ok(at > 0);
  copy.writeUInt16BE(height, at + 5);
  copy.writeUInt16BE(width, at + 7);
  return copy;
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
  await refused(/loose\.png: is not in a class folder/);
  fs.rmSync(path.join(folder, 'loose.png'));
  put('a.jpg', png('another a'));
  await refused(/a\.png: .*a\.jpg gives the same name a/);
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
  await must(['check', dir]);
  assert.deepEqual(fs.readdirSync(path.join(dir, 'images', '.incoming')), [], 'nothing half-written is left');
});

test('broken JPEG files are told apart, and a rerun completes when they are mended', async (t) => {
  const good = await jpeg(t);
  const { dir, folder, put } = await project(t);
  put('good.png', good);
  put('cut.jpg', good.subarray(0, good.length >> 1));
  put('no-end.jpg', good.subarray(0, good.length - 2));
  put('wide.jpg', resized(good, 60000, 60000));
  put('notes.jpg', 'to do: delete this\n');
  fs.symlinkSync('/nowhere', path.join(folder, 'n00000001', 'gone.jpg'));
  const r = await holdout(['import', 'images', dir, folder]);
  assert.equal(r.code, 1, r.err);
  assert.match(r.err, /^skipped: .*cut\.jpg: .*truncated: the file ends before its last pixels/m);
  assert.match(r.err, /^skipped: .*wide\.jpg: the image has 60000 x 60000 pixels; the limits are 65535 on a side and 100000000 in all/m);
  assert.match(r.err, /^skipped: .*notes\.jpg: its first bytes are neither those of a JPEG file nor those of a PNG file/m);
  assert.equal((r.err.match(/^skipped: /mg) || []).length, 3, r.err);
  assert.deepEqual(await images(dir), ['good', 'no-end'], 'only the end marker is missing');
  assert.equal(await source(dir, 'type, width, height', 'good'), 'jpeg|500|375');
  put('cut.jpg', await jpeg(t, 'mended'));
  for (const name of ['wide.jpg', 'notes.jpg']) fs.rmSync(path.join(folder, 'n00000001', name));
  await must(['import', 'images', dir, folder]);
  assert.deepEqual(await images(dir), ['cut', 'good', 'no-end']);
  await must(['check', dir]);
});

/* A limit on addresses shows that nothing is allocated for what a header claims. Sanitizers reserve
 * terabytes of them: there the import runs without the limit. */
test('a claim of 60000 x 60000 pixels costs no memory', async (t) => {
  const good = await jpeg(t);
  const { dir, folder, put } = await project(t);
  put('a.jpg', resized(good, 60000, 60000));
  put('b.png', png('wide', 8, 8, [60000, 60000]));
  const limit = sanitized ? '' : 'ulimit -v 2000000; ';
  const r = await run('sh', ['-c', `${limit}exec "$0" "$@"`, bin, 'import', 'images', dir, folder,
    '--threads', '1', '--set', 'images.max_megapixels=1000']);
  assert.equal(r.code, 1, r.err);
  for (const name of ['a.jpg', 'b.png']) {
    assert.match(r.err, new RegExp(`^skipped: .*${name}: the image has 60000 x 60000 pixels; the limits are 65535 on a side and 1000000000 in all`, 'm'));
  }
  assert.equal(files(path.join(dir, 'images')), 0);
});

/* Gives a folder and what is in it to somebody, and lets them in. */
function give(folder, uid) {
  const own = (at) => {
    fs.chownSync(at, uid, uid);
    if (fs.statSync(at).isDirectory()) for (const e of fs.readdirSync(at)) own(path.join(at, e));
  };
  own(folder);
  fs.chmodSync(path.dirname(folder), 0o755);
}

test('a folder that may not be read', async (t) => {
  const { dir, folder, put } = await project(t);
  put('a.png', png('a'));
  const closed = path.join(folder, 'n00000001');
  /* The super-user may read everything, so the import runs as somebody else. */
  const uid = process.getuid() || 65534;
  /* The program as well: it may lie below somebody's closed home. */
  const program = path.join(tempDir(t), 'holdout');
  fs.copyFileSync(bin, program);
  fs.chmodSync(path.dirname(program), 0o755);
  if (uid !== process.getuid()) for (const at of [dir, folder]) give(at, uid);
  const attempt = async () => {
    const child = spawn(program, ['import', 'images', dir, folder], { uid, stdio: ['ignore', 'ignore', 'pipe'] });
    let err = '';
    child.stderr.setEncoding('utf8').on('data', (c) => { err += c; });
    const [code] = await once(child, 'close');
    return { code, err };
  };
  fs.chmodSync(closed, 0);
  const r = await attempt();
  fs.chmodSync(closed, 0o700);
  assert.equal(r.code, 1, r.err);
  assert.match(r.err, /cannot read folder .*n00000001: Permission denied/);
  assert.deepEqual(await images(dir), []);
  const again = await attempt();
  assert.equal(again.code, 0, again.err);
  assert.deepEqual(await images(dir), ['a']);
});

test('a name that comes again with other content is told, and the rest is imported', async (t) => {
  const { dir, folder, put } = await project(t);
  put('a.png', png('a'));
  await must(['import', 'images', dir, folder]);
  put('a.png', png('not a'));
  put('b.png', png('b'));
  const r = await holdout(['import', 'images', dir, folder]);
  assert.equal(r.code, 1);
  assert.match(r.err, /^skipped: .*a\.png: image a is already in the project with different content$/m);
  assert.deepEqual(await images(dir), ['a', 'b']);
  await must(['check', dir]);
  put('a.png', png('a'));
  await must(['import', 'images', dir, folder]);
});

test('originals are copied, linked or left where they are', async (t) => {
  for (const keep of ['copy', 'link', 'reference']) {
    const { dir, folder, put } = await project(t);
    put('a.png', png('a'));
    const original = path.join(folder, 'n00000001', 'a.png');
    await must(['import', 'images', dir, folder, '--keep', keep]);
    const sha = await shaOf(dir, 'a');
    const kept = rendition(dir, sha, 'source');
    assert.equal(fs.existsSync(kept), keep !== 'reference');
    assert.equal(fs.statSync(original).nlink, keep === 'link' ? 2 : 1);
    assert.match(await source(dir, "kept, coalesce(path, '')", 'a'),
      keep === 'reference' ? new RegExp(`^reference[|]${fs.realpathSync(original)}$`) : new RegExp(`^(${keep}|reflink)[|]$`));
    await must(['check', dir]);
    const before = await dump(dir);
    await must(['import', 'images', dir, folder, '--keep', keep]);
    assert.equal(await dump(dir), before);
    if (keep !== 'reference') continue;
    /* It vanishes, it changes, it moves; at last the project keeps it itself. */
    fs.renameSync(original, `${original}.away`);
    assert.match((await holdout(['check', dir])).out, /^missing: .*a\.png \(an original that the project only refers to/m);
    fs.writeFileSync(original, 'something else');
    assert.match((await holdout(['check', dir])).out, /^size: .*a\.png has 14 bytes instead of/m);
    fs.rmSync(original);
    fs.mkdirSync(path.join(folder, '..', 'new', 'n00000001'), { recursive: true });
    const moved = path.join(folder, '..', 'new', 'n00000001', 'a.png');
    fs.renameSync(`${original}.away`, moved);
    await must(['import', 'images', dir, path.join(folder, '..', 'new'), '--keep', 'reference']);
    assert.equal(await source(dir, 'path', 'a'), fs.realpathSync(moved));
    await must(['check', dir]);
    await must(['import', 'images', dir, path.join(folder, '..', 'new')]);
    assert.match(await source(dir, "kept, coalesce(path, '')", 'a'), /^(copy|reflink)[|]$/);
    assert.ok(fs.readFileSync(kept).equals(png('a')));
    await must(['check', dir]);
  }
});

test('a way to keep originals that is not possible says so', async (t) => {
  const { dir, put, folder } = await project(t);
  assert.equal((await holdout(['import', 'images', dir, folder, '--keep', 'secret'])).code, 2);
  put('a.png', png('a'));
  /* Where the file system can share blocks this works; elsewhere the message tells the ways out. */
  const r = await holdout(['import', 'images', dir, folder, '--keep', 'reflink']);
  if (r.code === 0) assert.equal(await source(dir, 'kept', 'a'), 'reflink');
  else assert.match(r.err, /a reflink into .* is not possible here \(.*\); use --keep copy or --keep reference/);
  const other = fs.mkdtempSync('/dev/shm/holdout-');
  t.after(() => fs.rmSync(other, { recursive: true }));
  fs.mkdirSync(path.join(other, 'n00000001'));
  fs.writeFileSync(path.join(other, 'n00000001', 'b.png'), png('b'));
  const across = fs.statSync(other).dev !== fs.statSync(dir).dev;
  const l = await holdout(['import', 'images', dir, other, '--keep', 'link']);
  assert.equal(l.code, across ? 1 : 0);
  if (across) assert.match(l.err, /a hard link into .* is not possible here \(they are on different file systems\)/);
  await must(['import', 'images', dir, folder]);
  await must(['import', 'images', dir, other]);
  assert.deepEqual(await images(dir), ['a', 'b']);
  await must(['check', dir]);
});

test('statistics are stored, and measured again for sources that have none', async (t) => {
  const { dir, folder, put } = await project(t);
  put('colour.png', png('colour', 40, 30));
  const flat = png('flat', 8, 8);
  put('flat.png', flat);
  await must(['import', 'images', dir, folder]);
  const all = () => sqlite(database(dir), 'SELECT gray, saturation, sharpness, brightness FROM source ORDER BY id;');
  const before = await all();
  for (const line of before.trim().split('\n')) {
    const [gray, saturation, sharpness, brightness] = line.split('|').map(Number);
    assert.ok(gray === 0 || gray === 1);
    assert.ok(saturation >= 0 && saturation <= 1 && brightness > 0 && brightness < 1 && sharpness >= 0, line);
  }
  await sqlite(database(dir), 'UPDATE source SET gray = NULL, saturation = NULL, sharpness = NULL, brightness = NULL;');
  await must(['import', 'images', dir, folder]);
  assert.equal(await all(), before);
  /* A rendition that is gone is made again. */
  fs.rmSync(rendition(dir, await shaOf(dir, 'flat'), 'grid'));
  assert.equal((await holdout(['check', dir])).code, 1);
  await must(['import', 'images', dir, folder]);
  await must(['check', dir]);
});

test('what a dead import left is removed, what one at work has is not', async (t) => {
  const { dir, folder, put } = await project(t);
  put('a.png', png('a'));
  const incoming = path.join(dir, 'images', '.incoming');
  fs.mkdirSync(incoming, { recursive: true });
  fs.writeFileSync(path.join(incoming, '1234-1'), 'half');
  const holder = spawn('flock', ['-s', incoming, 'cat'], { stdio: ['pipe', 'pipe', 'inherit'] });
  t.after(() => holder.kill('SIGKILL'));
  holder.stdin.write('held\n');
  await once(holder.stdout, 'data');
  await must(['import', 'images', dir, folder]);
  assert.deepEqual(fs.readdirSync(incoming), ['1234-1']);
  holder.stdin.end();
  await once(holder, 'close');
  await must(['import', 'images', dir, folder]);
  assert.deepEqual(fs.readdirSync(incoming), []);
});

test('a full disk or a flush that fails ends the import, and no row names what may be lost', async (t) => {
  const { dir, folder } = await project(t);
  writeImages(folder, 'many', { n00000001: 30 });
  const faults = new FaultFile(tempDir(t));
  t.after(() => faults.close());
  const attempt = (...args) => holdout(['import', 'images', dir, folder, ...args], { binary: faultBin, env: faults.env });
  for (const fail of [() => faults.failSync(1), () => faults.failSpace(1)]) {
    fail();
    const r = await attempt();
    assert.equal(r.code, 1, r.err);
    assert.match(r.err, /cannot (flush|write)/);
    assert.deepEqual(await images(dir), []);
    assert.doesNotMatch(r.err, /^skipped: /m, 'no file is to blame');
  }
  /* Half a file is not taken for a whole one. */
  faults.failSpace(0);
  faults.failSync(0);
  faults.shortWrite(40);
  assert.equal((await attempt()).code, 0);
  assert.equal((await images(dir)).length, 30);
  await must(['check', dir]);
});

test('a project of tiny images keeps their pixels as they are', async (t) => {
  const { dir, folder, put } = await project(t);
  fs.appendFileSync(path.join(dir, 'config.ini'), '\n[images]\ntiny = true\n');
  put('a.png', png('a', 32, 32));
  put('b.png', png('b', 32, 31));
  put('c.png', png('c', 400, 32));
  put('d.png', png('d', 32, 32));
  const r = await holdout(['import', 'images', dir, folder]);
  assert.equal(r.code, 1);
  assert.match(r.err, /b\.png: the image has 32 x 31 pixels; in a project of tiny images \(images\.tiny\) all have the same size, here 32 x 32/);
  assert.match(r.err, /c\.png: the image has 400 x 32 pixels; in a project of tiny images/);
  assert.deepEqual(await images(dir), ['a', 'd']);
  for (const kind of ['view', 'grid']) {
    const bytes = fs.readFileSync(rendition(dir, await shaOf(dir, 'a'), kind));
    assert.equal(bytes.subarray(1, 4).toString(), 'PNG');
    assert.deepEqual([bytes.readUInt32BE(16), bytes.readUInt32BE(20)], [32, 32]);
  }
  await must(['check', dir]);
  const { token } = await newToken(dir, 'admin');
  const server = await startServer(t, dir);
  const reply = await fetch(`${server.url}/images/1/grid`, { headers: { authorization: `Bearer ${token}` } });
  assert.equal(reply.status, 200);
  assert.equal(reply.headers.get('content-type'), 'image/png');
});
