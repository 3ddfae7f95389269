/* Images of which only features are known: what `import features` reads and refuses, that metrics by features find these
 * images as brute force does and metrics by pixels know nothing of them, and what sampling asks for. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';

import { bin, holdout, must, newProject, tempDir, until } from '../http/lib.mjs';
import { png } from '../http/study.mjs';
import { classifier } from './onnx_file.mjs';
import { copyOf, fails, npy, put, says, sql } from './tools.mjs';

const WNID = 'n02091134';
const DIM = 8;
const SIDE = 32;
const rows = (csv) => csv.trim().split('\n').slice(1).map((line) => line.split(','));

const namesCsv = (names, wnid = WNID) => `image,wnid\n${names.map((n) => `${n},${wnid}\n`).join('')}`;

/* Vectors like those of the model, of few bits, so that sums of them are exact. */
const vectorsLike = (n, seed) => Array.from({ length: n }, (_, i) =>
  Array.from({ length: DIM }, (_, k) => ((i * 7919 + k * 104729 + seed * 31) % 257) / 256));

async function addImages(t, dir, list) {
  const folder = tempDir(t);
  for (const [id, , seed] of list) fs.writeFileSync(path.join(folder, `${id}.png`), Buffer.concat([png(seed, 64, 64), Buffer.from(id)]));
  fs.writeFileSync(path.join(folder, 'images.csv'), `id,path,class,role\n${list.map(([id, role]) => `${id},${id}.png,${WNID},${role}\n`).join('')}`);
  await must(['import', 'images', dir, path.join(folder, 'images.csv')]);
}

/* Originals and candidates with pixels, and a model with features of them. */
async function project(t) {
  const dir = await newProject(t);
  await must(['import', 'classes', dir, put(t, 'c.csv', `cid,wnid,synset,gloss,wikipedia\n0,${WNID},whippet,a dog,\n1,n02123045,tabby,a cat,\n`)]);
  await addImages(t, dir, [...Array.from({ length: 3 }, (_, i) => [`o-${i}`, 'original', i]),
    ...Array.from({ length: 4 }, (_, i) => [`c-${i}`, 'candidate', 10 + i])]);
  await must(['model', 'add', dir, put(t, 'm.onnx', classifier()), '--name', 'm',
    '--recipe', put(t, 'r.json', JSON.stringify({ features: 'features' }))]);
  await must(['features', dir, '--model', 'm', '--quiet']);
  return dir;
}

function bring(t, dir, names, vectors, ...more) {
  return ['import', 'features', dir, put(t, 'x.npy', npy(vectors)), '--model', 'm', '--names', put(t, 'n.csv', namesCsv(names)), ...more];
}

/* Every image's features as they are stored, by name: [id, role, numbers]. */
async function stored(dir) {
  const images = Object.fromEntries((await sql(dir, 'SELECT id, name, role FROM image')).trim().split('\n').map((l) => [l.split('|')[0], l.split('|')]));
  const source = (await sql(dir, 'SELECT max(id) FROM feature_source')).trim();
  const index = Buffer.from((await sql(dir, `SELECT group_concat(hex(images), '') FROM (SELECT images FROM feature_block WHERE source = ${source} ORDER BY first)`)).trim(), 'hex');
  const file = fs.readFileSync(path.join(dir, 'features', `${source}.f32`));
  assert.equal(file.length, (index.length / 4) * DIM * 4);
  const all = {};
  for (let row = 0; row * 4 < index.length; row++) {
    const [id, name, role] = images[index.readUInt32LE(row * 4)];
    assert.ok(!all[name], `${name} has one row`);
    all[name] = { id: Number(id), role, at: Array.from({ length: DIM }, (_, k) => file.readFloatLE((row * DIM + k) * 4)) };
  }
  return all;
}

/* The nearest k of every candidate: by distance, then by number. */
function bruteForce(all, k) {
  const out = {};
  for (const [name, q] of Object.entries(all).filter(([, i]) => i.role === 'candidate')) {
    out[name] = Object.entries(all).filter(([other]) => other !== name)
      .map(([other, r]) => [other, r.id, r.at.reduce((sum, x, i) => sum + (x - q.at[i]) ** 2, 0)])
      .sort((a, b) => a[2] - b[2] || a[1] - b[1]).slice(0, k);
  }
  return out;
}

/* The lists of the newest whole search of a metric, out of the database. */
async function lists(dir, metric) {
  const names = Object.fromEntries((await sql(dir, 'SELECT id, name FROM image')).trim().split('\n').map((l) => l.split('|')));
  const found = {};
  for (const row of rows(await must(['export', 'neighbors', dir, '--metric', metric, '--k', 100]))) (found[row[0]] ??= []).push(row[2]);
  const blobs = (await sql(dir, `SELECT hex(s.queries), hex(l.data), l.records, l.first FROM near_list l JOIN near_search s ON s.id = l.search WHERE s.metric = '${metric}' AND s.id = (SELECT max(id) FROM near_search WHERE metric = '${metric}') ORDER BY first`)).trim().split('\n');
  const all = {};
  for (const [ranges, data, records, first] of blobs.map((l) => l.split('|'))) {
    const r = Buffer.from(ranges, 'hex');
    const queries = [];
    for (let i = 0; i < r.length; i += 8) for (let j = 0; j < r.readUInt32LE(i + 4); j++) queries.push(r.readUInt32LE(i) + j);
    const d = Buffer.from(data, 'hex');
    for (let i = 0, at = 0; i < Number(records); i++) {
      const n = d.readUInt32LE(at);
      at += 4;
      all[names[queries[Number(first) + i]]] = Array.from({ length: n }, (_, k) => [names[d.readUInt32LE(at + 12 * k)], d.readDoubleLE(at + 12 * k + 4)]);
      at += 12 * n;
    }
  }
  return { found, all };
}

/* Candidates whom sampling refuses because they were not searched. */
async function unsearched(dir) {
  const [head, ...lines] = (await must(['export', 'pool', dir])).trim().split('\n').map((line) => line.split(','));
  return lines.filter((l) => l[head.indexOf('role')] === 'candidate' && l[head.indexOf('unsearched')] === '1').map((l) => l[0]).sort();
}
const ALL = ['c-0', 'c-1', 'c-2', 'c-3'];

test('their neighbours are those of brute force, by distance and then by number', async (t) => {
  const dir = await project(t);
  const n = 500; /* several blocks and transactions */
  const vectors = vectorsLike(n, 1);
  for (let i = 0; i < n; i += 3) vectors[(i * 5 + 1) % n] = vectors[i]; /* ties */
  const names = Array.from({ length: n }, (_, i) => `t-${(i * 37) % n}`); /* not in order of their names */
  await says(bring(t, dir, names, vectors), /500 rows read, features of 500 images stored, 500 new images/);
  assert.equal((await sql(dir, "SELECT count(*), count(source) FROM image WHERE role = 'training'")).trim(), '500|0');
  const all = await stored(dir);
  names.forEach((name, i) => assert.deepEqual(all[name].at, vectors[i].map(Math.fround)));
  await must(['near-metrics', dir, 'deep', '--kind', 'feature', '--model', 'm', '--threshold', 0.5]);
  await says(['neighbors', dir, '--k', 50], /deep: 4 candidates compared with 507 images/);
  const expected = bruteForce(all, 50);
  const { all: lists_, found } = await lists(dir, 'deep');
  for (const name of ALL) {
    assert.deepEqual(lists_[name].map(([other]) => other), expected[name].map(([other]) => other), name);
    lists_[name].forEach(([, d], i) => assert.ok(Math.abs(d - expected[name][i][2]) <= 1e-6 * (1 + d)));
    assert.deepEqual(found[name].slice().sort(), expected[name].map(([other]) => other).sort());
  }
  const close = Object.values(expected).flat().filter(([, , d]) => d <= 0.5);
  assert.ok(close.length > 0);
  assert.equal((await sql(dir, 'SELECT count(*) FROM near_close WHERE distance <= 0.5')).trim(), String(close.length));
  const printed = rows(await must(['neighbors', dir, '--print', '--metric', 'feature', '--model', 'm', '--k', 50]));
  assert.deepEqual(printed.filter((r) => r[0] === 'c-2').map((r) => Number(r[3])), lists_['c-2'].map(([, d]) => d));
  await must(['check', dir]);
});

test('metrics by pixels know nothing of them, and nobody is named as unreadable', async (t) => {
  const dir = await project(t);
  await must(['near-metrics', dir, 'l2', '--size', SIDE, '--threshold', 1]);
  await must(['near-metrics', dir, 'dssim', '--size', SIDE, '--window', 7]);
  await must(['neighbors', dir]);
  assert.deepEqual(await unsearched(dir), []);
  await must(bring(t, dir, ['t-0', 't-1'], vectorsLike(2, 3)));
  assert.deepEqual(await unsearched(dir), [], 'pixels are no business of theirs');
  const r = await says(['neighbors', dir], /l2: .*nothing to compare/);
  assert.doesNotMatch(r.err, /t-0|cannot/);
  assert.equal((await sql(dir, 'SELECT count(*) FROM near_unread')).trim(), '0');
  const printed = rows(await must(['neighbors', dir, '--print', '--metric', 'l2', '--size', SIDE, '--k', 20]));
  assert.equal(printed.length, 4 * 6);
  const calibrated = await says(['neighbors', dir, '--calibrate', '--images', 100, '--seed', 1], /^(?!.*left out)/s);
  assert.ok(rows(calibrated.out).every((row) => row[3] === '7'));
  const whole = JSON.parse((await holdout(['features', dir, '--model', 'm', '--json'])).out);
  assert.deepEqual([whole.images, whole.computed, whole.already, whole.without_pixels, whole.failed], [9, 0, 9, 0, 0]);
  const predicted = JSON.parse(await must(['predict', dir, '--model', 'm', '--all', '--json']));
  assert.deepEqual([predicted.computed, predicted.without_pixels, predicted.failed], [7, 2, 0]);
  await must(['check', dir]);
});

test('sampling asks for them by metrics of that model, and only from their import on', async (t) => {
  const dir = await project(t);
  await must(['near-metrics', dir, 'l2', '--size', SIDE, '--threshold', 1]);
  await must(['near-metrics', dir, 'deep', '--kind', 'feature', '--model', 'm', '--threshold', 1e-9]);
  await must(['neighbors', dir]);
  assert.deepEqual(await unsearched(dir), []);
  await must(bring(t, dir, ['t-0', 't-1'], vectorsLike(2, 3), '--role', 'reference'));
  assert.deepEqual(await unsearched(dir), ALL);
  const r = await says(['neighbors', dir], /deep: 4 candidates compared with 2 images/);
  assert.match(r.err, /l2: .*nothing to compare/);
  assert.deepEqual(await unsearched(dir), []);
  assert.match(await must(['near-metrics', dir]), /^deep,on,feature,,,m,[^,]*,4,4,0,0,/m);
  /* A later candidate is compared with all, a later reference with all. */
  await addImages(t, dir, [['c-9', 'candidate', 90]]);
  await must(['features', dir, '--model', 'm', '--quiet']);
  await must(bring(t, dir, ['t-2'], vectorsLike(1, 9)));
  await must(['neighbors', dir]);
  assert.deepEqual(await unsearched(dir), []);
  const all = await stored(dir);
  const found = rows(await must(['export', 'neighbors', dir, '--metric', 'deep', '--k', 100]));
  const expected = bruteForce(all, 100);
  for (const name of [...ALL, 'c-9']) {
    assert.deepEqual(found.filter((row) => row[0] === name).map((row) => row[2]).sort(), expected[name].map(([other]) => other).sort(), name);
  }
  /* Of a model that knows nothing of them nobody asks. */
  await must(['model', 'add', dir, put(t, 'o.onnx', classifier({ seed: 5 })), '--name', 'other',
    '--recipe', put(t, 'r.json', JSON.stringify({ features: 'features' }))]);
  await must(['features', dir, '--model', 'other', '--quiet']);
  await must(['near-metrics', dir, 'else', '--kind', 'feature', '--model', 'other', '--threshold', 1e-9]);
  const other = await says(['neighbors', dir], /else: 5 candidates compared with 8 images/);
  assert.doesNotMatch(other.err, /cannot be compared/);
  assert.deepEqual(await unsearched(dir), []);
});

test('a plan is repeated exactly although others were imported since', async (t) => {
  const dir = await project(t);
  await must(['near-metrics', dir, 'deep', '--kind', 'feature', '--model', 'm', '--threshold', 1e-9]);
  await must(bring(t, dir, ['t-0'], vectorsLike(1, 3)));
  await must(['neighbors', dir]);
  await sql(dir, "UPDATE image SET keyword = 'hound' WHERE role IN ('original', 'candidate')");
  const ask = ['--strategy', 'keyword', '--size', '2', '--answers', '0'];
  await must(['sample', dir, '--set', 's', ...ask, '--quiet', '--seed', '3']);
  await must(bring(t, dir, ['t-1'], vectorsLike(1, 4)));
  assert.deepEqual(await unsearched(dir), ALL);
  await says(['sample', dir, ...ask, '--plan'], /4 not searched/);
  await says(['sample', dir, '--replay', 's/0'], /s\/0 comes out the same: 2 images/);
  await must(['neighbors', dir]);
  await says(['sample', dir, '--replay', 's/0'], /s\/0 comes out the same: 2 images/);
});

test('the same twice is nothing new; other features, pixels, roles and classes are refused', async (t) => {
  const dir = await project(t);
  const names = ['t-0', 't-1', 't-2'];
  const vectors = vectorsLike(3, 1);
  const state = async () => [await sql(dir, 'SELECT count(*), (SELECT count(*) FROM event), (SELECT count(*) FROM feature_block) FROM image'), JSON.stringify(await stored(dir))];
  const before = await state();
  await says([...bring(t, dir, names, vectors), '--dry-run'], /features of 3 images to store, 0 were there already/);
  assert.deepEqual(await state(), before, 'a dry run changes nothing');
  await must(bring(t, dir, names, vectors));
  const then = await state();
  await says(bring(t, dir, names, vectors), /3 rows read, features of 0 images stored, 0 new images/);
  await fails(bring(t, dir, names, [vectors[0], vectorsLike(1, 8)[0], vectors[2]]), /n\.csv:3: image t-1 has other features already/);
  await fails(bring(t, dir, ['t-3', 'c-0'], vectorsLike(2, 2)), /image c-0 is already in the project with another class, role/);
  await fails(bring(t, dir, ['t-0'], [vectors[0]], '--role', 'reference'), /t-0 is already in the project with another class, role/);
  await addImages(t, dir, [['p-0', 'training', 77]]);
  const now = await state();
  await fails(bring(t, dir, ['t-3', 'p-0'], vectorsLike(2, 2)), /n\.csv:3: image p-0 has pixels in this project; `holdout features`/);
  assert.deepEqual(await state(), now, 'nothing of a file with a bad row is stored');
  assert.deepEqual(JSON.parse(then[1])['t-1'].at, vectors[1].map(Math.fround));
  /* More names, in another order, with those that are there. */
  await says(bring(t, dir, ['t-9', 't-1', 't-0'], [vectorsLike(1, 5)[0], vectors[1], vectors[0]]), /features of 1 image/);
  assert.deepEqual((await stored(dir))['t-9'].at, vectorsLike(1, 5)[0].map(Math.fround));
  /* Who was known by name alone is given features; who is given pixels keeps them. */
  await must(['import', 'image-list', dir, put(t, 'list.csv', `image,wnid,kind\nnamed,${WNID},training\n`)]);
  await says(bring(t, dir, ['named'], vectorsLike(1, 6)), /features of 1 images? stored, 0 new/);
  await addImages(t, dir, [['named', 'training', 55]]);
  await must(['features', dir, '--model', 'm', '--quiet']);
  assert.deepEqual((await stored(dir)).named.at, vectorsLike(1, 6)[0].map(Math.fround));
  await must(['check', dir]);
});

test('what is wrong with the file or the names is said, and nothing is written', async (t) => {
  const dir = await project(t);
  const two = vectorsLike(2, 1);
  const ask = (file, names = namesCsv(['t-0', 't-1']), ...more) => ['import', 'features', dir, put(t, 'x.npy', file), '--model', 'm', '--names', put(t, 'n.csv', names), ...more];
  const nan = two.map((v) => [...v]);
  nan[1][3] = NaN;
  const infinite = two.map((v) => [...v]);
  infinite[0][7] = -Infinity;
  const cases = [
    [ask(npy(two, { descr: '>f4' })), /its type is >f4; .*astype/],
    [ask(npy(two, { descr: '<f8' })), /its type is <f8/],
    [ask(npy(two, { order: 'True' })), /ascontiguousarray/],
    [ask(npy(two, { shape: `(${2 * DIM},)` })), /1 dimensions/],
    [ask(npy(two, { shape: '(3, 8)' })), /cut off/],
    [ask(npy(two).subarray(0, 40)), /damaged/],
    [ask(Buffer.from('image,wnid\n')), /not a NumPy file/],
    [ask(Buffer.alloc(0)), /not a NumPy file/],
    [ask(npy(two.map((v) => v.slice(1)))), /7 numbers per image, but features of m has 8/],
    [ask(npy(two), namesCsv(['t-0'])), /has 2 rows, but .* names 1 image/],
    [ask(npy(two), namesCsv(['t-0', 't-1', 't-2'])), /has 2 rows, but .* names 3 images/],
    [ask(npy(nan)), /n\.csv:3: row 1 of .*x\.npy has a number that is none \(NaN\), of image t-1/],
    [ask(npy(infinite)), /n\.csv:2: row 0 of .*x\.npy has a number that is infinite, of image t-0/],
    [ask(npy(two), namesCsv(['t-0', 't-0'])), /n\.csv:3: image t-0 appears twice/],
    [ask(npy(two), namesCsv(['t-0', ''])), /n\.csv:3: the image's name must be/],
    [ask(npy(two), namesCsv(['t-0', 't-1'], 'n99999999')), /class n99999999 is not in the project/],
    [ask(npy(two), 'image,wnid\nt-0,\nt-1,\n'), /n\.csv:2: the image's class is missing/],
    [ask(npy(two), 'name,wnid\nt-0,a\n'), /image/],
    [['import', 'features', dir, tempDir(t), '--model', 'm', '--names', put(t, 'n.csv', namesCsv(['t-0']))], /is not a file/],
    [['import', 'features', dir, 'none.npy', '--model', 'm', '--names', put(t, 'n.csv', namesCsv(['t-0']))], /none\.npy/],
    [['import', 'features', dir, put(t, 'x.npy', npy(two)), '--model', 'none', '--names', put(t, 'n.csv', namesCsv(['t-0', 't-1']))], /none/],
  ];
  const before = await sql(dir, 'SELECT (SELECT count(*) FROM image), (SELECT count(*) FROM event)');
  for (const [args, said] of cases) await fails(args, said);
  await fails(ask(npy(two), namesCsv(['t-0', 't-1']), '--role', 'candidate'), /--role must be training or reference/, { code: 2 });
  await fails(['import', 'features', dir, 'x.npy', '--model', 'm'], /--names is missing/, { code: 2 });
  await fails(['import', 'features', dir, 'x.npy', '--names', 'n.csv'], /--model is missing/, { code: 2 });
  assert.equal(await sql(dir, 'SELECT (SELECT count(*) FROM image), (SELECT count(*) FROM event)'), before);
});

test('parts of several machines and their merge are the search of one', async (t) => {
  const dir = await project(t);
  await must(['near-metrics', dir, 'l2', '--size', SIDE, '--threshold', 1]);
  await must(['near-metrics', dir, 'deep', '--kind', 'feature', '--model', 'm', '--threshold', 0.5]);
  await must(bring(t, dir, Array.from({ length: 20 }, (_, i) => `t-${i}`), vectorsLike(20, 4)));
  const alone = copyOf(t, dir);
  await must(['neighbors', alone]);
  const parts = [1, 2, 3].map((i) => path.join(tempDir(t), `${i}.part`));
  for (const [i, part] of parts.entries()) await must(['neighbors', copyOf(t, dir), '--shard', `${i + 1}/3`, '--output', part]);
  await must(['neighbors', dir, '--merge', ...parts]);
  for (const metric of ['l2', 'deep']) {
    assert.equal(await must(['export', 'neighbors', dir, '--metric', metric]), await must(['export', 'neighbors', alone, '--metric', metric]));
  }
  assert.deepEqual(await unsearched(dir), []);
});

test('originals are compared with them, too, and check finds features that are gone', async (t) => {
  const dir = await project(t);
  await must(['near-metrics', dir, 'deep', '--kind', 'feature', '--model', 'm', '--threshold', 0.5]);
  await must(bring(t, dir, ['t-0', 't-1'], vectorsLike(2, 4)));
  await must(bring(t, dir, ['r-0'], vectorsLike(1, 5), '--role', 'reference'));
  await says(['neighbors', dir, '--originals'], /deep: 3 originals compared with 5 images/);
  await must(['check', dir]);
  await sql(dir, 'DELETE FROM feature_block WHERE id = (SELECT max(id) FROM feature_block)');
  const r = await holdout(['check', dir]);
  assert.equal(r.code, 1);
  assert.match(r.out, /feature: 1 image came as features of m, which are gone; import them again/);
});

test('a killed import is completed by the next', async (t) => {
  const dir = await project(t);
  const n = 20000;
  const args = bring(t, dir, Array.from({ length: n }, (_, i) => `t-${i}`), vectorsLike(n, 2));
  const child = spawn(bin, [...args, '--quiet'], { stdio: 'ignore' });
  const over = once(child, 'exit');
  await until(async () => child.exitCode !== null || (await sql(dir, "SELECT count(*) > 300 FROM image WHERE role = 'training'")).trim() === '1');
  child.kill('SIGKILL');
  await over;
  await must(args);
  const all = await stored(dir);
  assert.equal(Object.keys(all).length, n + 7);
  vectorsLike(n, 2).forEach((v, i) => assert.ok(v.every((x, k) => Math.fround(x) === all[`t-${i}`].at[k]), `t-${i}`));
  await must(['check', dir]);
});

test('once the model runs otherwise their file is asked for again', async (t) => {
  const dir = await project(t);
  await must(['near-metrics', dir, 'deep', '--kind', 'feature', '--model', 'm', '--threshold', 1e-9]);
  const args = bring(t, dir, ['t-0', 't-1'], vectorsLike(2, 3));
  await must(args);
  await must(['neighbors', dir]);
  /* As if all this had been computed by another engine. */
  await sql(dir, "UPDATE feature_source SET digest = randomblob(32), engine = 'older'; UPDATE near_search SET space = space || ' '");
  assert.deepEqual(await unsearched(dir), ALL);
  await must(['features', dir, '--model', 'm', '--quiet']);
  const r = await fails(['neighbors', dir], /2 images could not be compared/);
  assert.match(r.err, /t-0 cannot be compared: .*`holdout import features` brings them from their file/);
  await says(args, /features of 2 images stored, 0 new images/);
  await says(['neighbors', dir], /deep: 4 candidates compared with 2 images/);
  const found = rows(await must(['export', 'neighbors', dir, '--metric', 'deep', '--k', 100]));
  assert.deepEqual(found.filter((row) => row[0] === 'c-1').map((row) => row[2]).sort(), bruteForce(await stored(dir), 100)['c-1'].map(([other]) => other).sort());
});
