/* Models in a project: what is refused and why, predictions that are the same however they are made (threads,
 * shards, kill -9 in the middle), images that cannot be read, features. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import crypto from 'node:crypto';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';

import { Client, PASSWORD, bin, holdout, must, newProject, startServer } from '../http/lib.mjs';
import { CLASSES, png } from '../http/study.mjs';
import { sqlite, tempDir } from '../load/tools.mjs';
import { classifier, model, node, numbers, tensor } from './onnx_file.mjs';

const database = (dir) => path.join(dir, 'holdout.db');
const count = async (dir, sql) => Number(await sqlite(database(dir), `.timeout 20000\n${sql}`));
const models = async (dir, ...more) => JSON.parse(await must(['model', 'list', dir, '--json', ...more]));

/* A project with two classes, a folder for files beside it, and `put` that writes there. */
async function project(t) {
  const dir = await newProject(t);
  await must(['import', 'classes', dir, '-'], { input: CLASSES });
  const folder = tempDir(t);
  const put = (name, bytes) => {
    const file = path.join(folder, name);
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, typeof bytes === 'object' && !Buffer.isBuffer(bytes) ? JSON.stringify(bytes) : bytes);
    return file;
  };
  return { dir, folder, put };
}

/* Imports images by a manifest: [id, file] each, all of the first class and of one size. As tiny ones, which need
 * no renditions in other sizes. */
async function addImages(dir, put, list) {
  const lines = list.map(([id, file]) => JSON.stringify({ path: file, id, class: 'n00000001' }));
  await must(['import', 'images', dir, put('manifest.jsonl', `${lines.join('\n')}\n`), '--set', 'images.tiny=true', '--quiet']);
}

/* Every record as name -> [cids, scores], from the blocks in the database. */
async function records(dir) {
  const names = new Map(JSON.parse(await sqlite(database(dir), "SELECT json_group_array(json_array(id, name)) FROM image;")));
  const blocks = (await sqlite(database(dir), 'SELECT k, records, hex(data) FROM prediction_block b JOIN prediction_source s ON s.id = b.source ORDER BY b.id;')).split('\n').filter(Boolean);
  const all = new Map();
  for (const line of blocks) {
    const [k, n, hex] = line.split('|').map((v, i) => (i < 2 ? Number(v) : Buffer.from(v, 'hex')));
    assert.equal(hex.length, n * (4 + 6 * k));
    for (let at = 0; at < hex.length; at += 4 + 6 * k) {
      const name = names.get(hex.readUInt32LE(at));
      assert.ok(!all.has(name), `${name} stands there once`);
      all.set(name, [Array.from({ length: k }, (_, i) => hex.readUInt16LE(at + 4 + 2 * i)),
        Array.from({ length: k }, (_, i) => hex.readFloatLE(at + 4 + 2 * k + 4 * i))]);
    }
  }
  return all;
}

/* The same of part files. */
function partRecords(...files) {
  const all = new Map();
  for (const file of files) {
    const [head, ...lines] = fs.readFileSync(file, 'utf8').trimEnd().split('\n').map((l) => JSON.parse(l));
    assert.equal(head.holdout, 'predictions');
    for (const { image, labels, scores } of lines) {
      assert.ok(!all.has(image), `${image} is in one part`);
      all.set(image, [labels.map((wnid) => Number(wnid.slice(1)) - 1), scores.map(Math.fround)]);
    }
  }
  return all;
}
const sorted = (map) => [...map].sort(([a], [b]) => (a < b ? -1 : 1));

test('a model comes in checked, or not at all', async (t) => {
  const { dir, put } = await project(t);
  const good = classifier();
  const refused = async (name, bytes, recipe, expected) => {
    const file = put(`${name}.onnx`, bytes);
    const args = recipe ? ['--recipe', put(`${name}.recipe.json`, recipe)] : [];
    const r = await holdout(['model', 'add', dir, file, ...args]);
    assert.equal(r.code, 1, `${name}: ${r.out}`);
    assert.match(r.err, expected, name);
  };
  await refused('empty', Buffer.alloc(0), null, /^holdout: \S/);
  await refused('text', Buffer.from('this is no model\n'.repeat(50)), null, /^holdout: \S/);
  await refused('cut', good.subarray(0, good.length - 60), null, /^holdout: \S/);
  await refused('three', classifier({ classes: 3 }), null, /3 outputs and the project 2 classes/);
  await refused('short', good, { labels: ['n00000001'] }, /2 outputs, but the recipe names 1 labels/);
  await refused('stranger', good, { labels: ['n00000001', 'n00000009'] }, /"n00000009", is not a class of the project/);
  await refused('twice', good, { labels: ['n00000001', 'n00000001'] }, /appears twice/);
  await refused('no-file', good, { labels: 'nowhere.txt' }, /nowhere\.txt: no such file/);
  await refused('outside', good, { labels: '../classes.txt' }, /name of a file in the same folder/);
  await refused('member', good, { size: 224 }, /no member "size"/);
  await refused('filter', good, { filter: 'box' }, /"filter" must be bilinear/);
  await refused('std', good, { std: [1, 0, 1] }, /"std" must be three numbers above 0/);
  await refused('side', good, { crop: 64 }, /"crop" is 64, but the model takes images of 32 x 32/);
  await refused('json', good, Buffer.from('{"crop": 32'), /json:1: not JSON/);
  await refused('value', good, { features: 'no such value' }, /no such value/);
  await refused('wide', model({
    nodes: [node('Relu', ['image'], ['scores'])], initializers: [],
    inputs: [['image', ['N', 5]]], outputs: [['scores', ['N', 5]]],
  }), null, /is not float32 of N x 3 x side x side/);
  await refused('operator', model({
    nodes: [node('Relu', ['image'], ['x']), node('Frobnicate', ['x'], ['scores'])], initializers: [tensor('w', [1], numbers(1, 1))],
    inputs: [['image', ['N', 3, 8, 8]]], outputs: [['scores', ['N', 3, 8, 8]]],
  }), null, /Frobnicate/);
  assert.deepEqual(await models(dir), []);
  assert.deepEqual(fs.readdirSync(path.join(dir, 'models')), []);
});

test('a model is added once, removed, and comes back', async (t) => {
  const { dir, folder, put } = await project(t);
  const file = put('tiny.onnx', classifier());
  put('tiny.json', { labels: 'names.txt', features: 'features', softmax: true });
  put('names.txt', 'n00000002\r\nn00000001\r\n');
  await must(['model', 'add', dir, file, '--note', 'of a test']);
  const [one] = await models(dir);
  assert.deepEqual([one.name, one.kind, one.file, one.note, one.removed], ['tiny', 'onnx', 'tiny.onnx', 'of a test', false]);
  assert.deepEqual(one.recipe.labels, ['n00000002', 'n00000001']);
  assert.deepEqual([one.recipe.crop, one.recipe.resize, one.facts.feature_dim, one.facts.scores], [32, 37, 8, 2]);
  assert.ok(fs.readFileSync(path.join(dir, 'models', 'tiny.onnx')).equals(fs.readFileSync(file)));

  const before = await count(dir, 'SELECT count(*) FROM event;');
  assert.match((await holdout(['model', 'add', dir, file])).err, /already there: the model tiny/);
  assert.match((await holdout(['model', 'add', dir, path.join(dir, 'models', 'tiny.onnx')])).err, /already there/);
  assert.equal(await count(dir, 'SELECT count(*) FROM event;'), before, 'nothing happened');
  put('tiny.json', { labels: 'names.txt', features: 'features', softmax: false });
  const other = await holdout(['model', 'add', dir, file]);
  assert.equal(other.code, 1);
  assert.match(other.err, /another model named tiny/);
  await must(['model', 'add', dir, file, '--name', 'tiny-probabilities']);

  await must(['model', 'remove', dir, 'tiny', '--reason', 'a test', '--delete-file']);
  assert.deepEqual((await models(dir)).map((m) => m.name), ['tiny-probabilities']);
  assert.deepEqual((await models(dir, '--removed')).map((m) => m.removed), [true, false]);
  assert.deepEqual(fs.readdirSync(path.join(dir, 'models')).sort(), ['tiny-probabilities.json', 'tiny-probabilities.onnx']);
  assert.match((await holdout(['predict', dir, '--model', 'tiny'])).err, /The model tiny was removed/);
  put('tiny.json', { labels: ['n00000002', 'n00000001'], features: 'features', softmax: true });
  await must(['model', 'add', dir, file]);
  assert.equal((await models(dir)).length, 2);
  assert.match((await holdout(['predict', dir, '--model', 'huge'])).err, /There is no model huge. Choose one of: tiny, tiny-probabilities/);

  fs.appendFileSync(path.join(dir, 'models', 'tiny.onnx'), Buffer.from([0x0a, 0]));
  assert.match((await holdout(['predict', dir, '--model', 'tiny'])).err, /is not the file that was added as tiny/);
  await must(['model', 'add', dir, path.join(folder, 'tiny.onnx')]);
  await must(['predict', dir, '--model', 'tiny', '--quiet']);
});

test('weights in a file of their own come along', async (t) => {
  const { dir, put } = await project(t);
  const { file, weights } = classifier({ external: 'data/weights.bin' });
  put('data/weights.bin', weights);
  await must(['model', 'add', dir, put('split.onnx', file)]);
  await must(['model', 'add', dir, put('whole.onnx', classifier())]);
  assert.ok(fs.readFileSync(path.join(dir, 'models', 'split', 'data', 'weights.bin')).equals(weights));
  await addImages(dir, put, ['a', 'b', 'c'].map((id) => [id, put(`${id}.png`, png(id, 40, 50))]));
  const out = async (name) => {
    const part = path.join(tempDir(t), 'part.jsonl');
    await must(['predict', dir, '--model', name, '--output', part, '--quiet']);
    return sorted(partRecords(part));
  };
  assert.deepEqual(await out('split'), await out('whole'));
  await must(['model', 'remove', dir, 'split', '--delete-file']);
  assert.ok(!fs.existsSync(path.join(dir, 'models', 'split')));
});

/* 40 pictures, the first 8 of which 140 images have each: more than a chunk of results. With this recipe a
 * picture takes long enough to be interrupted by somebody who waits for the first chunk. */
async function manyImages(t) {
  const { dir, put } = await project(t);
  const recipe = put('big.recipe.json', { resize: 640, crop: 640, filter: 'lanczos' });
  await must(['model', 'add', dir, put('big.onnx', classifier({ side: 'S', channels: 16 })), '--recipe', recipe, '--quiet']);
  const list = [];
  for (let i = 0; i < 40; i++) {
    const file = put(`${i}.png`, png(`picture ${i}`, 36, 40));
    for (let k = 0; k < (i < 8 ? 140 : 1); k++) list.push([`${i}-${k}`, file]);
  }
  await addImages(dir, put, list);
  const parts = await Promise.all(['1', '2'].map(async (threads) => {
    const part = path.join(tempDir(t), 'part.jsonl');
    await must(['predict', dir, '--model', 'big', '--output', part, '--threads', threads, '--quiet']);
    return part;
  }));
  assert.ok(fs.readFileSync(parts[0]).equals(fs.readFileSync(parts[1])), 'the number of threads changes no byte');
  return { dir, want: sorted(partRecords(parts[0])), total: list.length };
}

/* One connection that is asked again and again: a process for every question would be too slow. */
async function untilRecords(t, dir) {
  const asker = spawn('sqlite3', [database(dir)], { stdio: ['pipe', 'pipe', 'inherit'] });
  t.after(() => asker.stdin.end());
  asker.stdin.write('.timeout 20000\n');
  for (;;) {
    asker.stdin.write('SELECT count(*) FROM prediction_block;\n');
    const [answer] = await once(asker.stdout, 'data');
    if (Number(answer) > 0) return;
  }
}

const untilThreads = async (pid) => {
  while (!/^Threads:\s+([2-9]|\d\d)/m.test(fs.readFileSync(`/proc/${pid}/status`, 'utf8'))) {
    await new Promise((resolve) => { setImmediate(resolve); });
  }
};

/* Starts predict and ends it by `signal` when `ready`; how it ended and how many records there are. */
async function interrupted(dir, signal, ready) {
  const child = spawn(bin, ['predict', dir, '--model', 'big', '--threads', '1', '--quiet'], { stdio: 'ignore' });
  const exit = once(child, 'exit');
  await ready(child.pid);
  child.kill(signal);
  const [code, by] = await exit;
  return { code, by, n: await count(dir, 'SELECT coalesce(sum(records), 0) FROM prediction_block;') };
}

test('whoever is killed or stopped goes on, and the records are those of a run that was not', async (t) => {
  const { dir, want, total } = await manyImages(t);
  assert.equal(want.length, total);
  const killed = await interrupted(dir, 'SIGKILL', () => untilRecords(t, dir));
  assert.equal(killed.by, 'SIGKILL');
  assert.ok(killed.n >= 1024 && killed.n < total, `${killed.n} of ${total}`);
  const stopped = await interrupted(dir, 'SIGTERM', untilThreads);
  assert.deepEqual([stopped.code, stopped.by], [75, null]);
  assert.ok(stopped.n >= killed.n && stopped.n < total, `${stopped.n} of ${total}`);
  const again = JSON.parse(await must(['predict', dir, '--model', 'big', '--json']));
  assert.deepEqual([again.images, again.already, again.computed], [total, stopped.n, total - stopped.n]);
  assert.ok(again.contents < 34, 'each content once, also where only some of its images had their record');
  assert.deepEqual(sorted(await records(dir)), want);
  assert.equal(JSON.parse(await must(['predict', dir, '--model', 'big', '--json'])).computed, 0);
  await must(['check', dir]);
});

test('shards are disjoint, complete, and go on too', async (t) => {
  const { dir, put } = await project(t);
  await must(['model', 'add', dir, put('m.onnx', classifier({ softmax: true }))]);
  await addImages(dir, put, Array.from({ length: 60 }, (_, i) => [`image ${i}`, put(`${i}.png`, png(i % 50, 33, 35))]));
  const folder = tempDir(t);
  const parts = [1, 2, 3].map((i) => path.join(folder, `part ${i}`));
  for (let i = 0; i < 3; i++) {
    await must(['predict', dir, '--model', 'm', '--shard', `${i + 1}/3`, '--output', parts[i], '--quiet']);
    assert.ok(partRecords(parts[i]).size > 8, 'an even share');
  }
  await must(['predict', dir, '--model', 'm', '--quiet']);
  assert.deepEqual(sorted(partRecords(...parts)), sorted(await records(dir)));

  /* Cut in the middle of a line: the rest is written again, byte for byte. */
  const whole = fs.readFileSync(parts[1]);
  fs.truncateSync(parts[1], whole.length - 150);
  const args = ['predict', dir, '--model', 'm', '--shard', '2/3', '--output', parts[1]];
  const again = JSON.parse(await must([...args, '--json']));
  assert.ok(again.already > 0 && again.computed > 0);
  assert.ok(fs.readFileSync(parts[1]).equals(whole));
  const other = await holdout(['predict', dir, '--model', 'm', '--shard', '3/3', '--output', parts[1]]);
  assert.equal(other.code, 1);
  assert.match(other.err, /holds something else/);
  assert.equal((await holdout(['predict', dir, '--model', 'm', '--shard', '4/3', '--output', parts[1]])).code, 2);
  assert.equal((await holdout(['predict', dir, '--model', 'm', '--shard', '1/3'])).code, 2);
});

test('shards of features merge into the file of a run without them', async (t) => {
  const { dir, put } = await project(t);
  await must(['model', 'add', dir, put('m.onnx', classifier()), '--recipe', put('r.json', { features: 'features' })]);
  await must(['model', 'add', dir, put('n.onnx', classifier({ seed: 5 })), '--recipe', put('r.json', { features: 'features' })]);
  /* Some images have the bytes of another one, which may be in another shard. */
  await addImages(dir, put, Array.from({ length: 60 }, (_, i) => [`image ${i}`, put(`${i}.png`, png(i % 50, 33, 35))]));
  const whole = path.join(tempDir(t), 'whole'), other = path.join(tempDir(t), 'other');
  fs.cpSync(dir, whole, { recursive: true });
  fs.cpSync(dir, other, { recursive: true });
  const stored = async (d) => {
    const [id, rows] = (await sqlite(database(d), 'SELECT source, sum(records) FROM feature_block;')).trim().split('|');
    return { rows: Number(rows), images: await sqlite(database(d), 'SELECT hex(images) FROM feature_block ORDER BY id;'), bytes: fs.readFileSync(path.join(d, 'features', `${id}.f32`)) };
  };
  await must(['features', whole, '--model', 'm', '--quiet']);

  const folder = tempDir(t);
  const parts = [1, 2, 3].map((i) => path.join(folder, `part-${i}`));
  const args = (i, model = 'm') => ['features', dir, '--model', model, '--shard', `${i}/3`, '--output', parts[i - 1], '--quiet'];
  for (const i of [1, 2, 3]) await must(args(i));
  assert.equal((await sqlite(database(dir), 'SELECT count(*) FROM feature_source;')).trim(), '0', 'a part stores nothing');
  /* Cut in the middle of a line: the rest is written again, byte for byte. */
  const complete = fs.readFileSync(parts[1]);
  fs.truncateSync(parts[1], complete.length - 150);
  const again = JSON.parse(await must([...args(2), '--json']));
  assert.ok(again.already > 8 && again.computed > 0);
  assert.ok(fs.readFileSync(parts[1]).equals(complete));

  const merge = (d, files, model = 'm') => holdout(['features', d, '--model', model, '--merge', ...files]);
  const refused = async (what, reply) => {
    const r = await reply;
    assert.equal(r.code, 1, r.out + r.err);
    assert.match(r.err, what);
    assert.equal((await sqlite(database(dir), 'SELECT count(*) FROM feature_source;')).trim(), '0', 'nothing was stored');
  };
  await refused(/part-1 was made with another model\. Nothing was stored; compute the part again/, merge(dir, parts, 'n'));
  await refused(/part-1 already holds something else \(another model, output, recipe, engine or shard\)/,
    holdout(['features', dir, '--model', 'm', '--shard', '2/3', '--output', parts[0]]));
  /* As another machine would have made it. */
  const recipe = (await sqlite(database(dir), "SELECT recipe FROM model WHERE name = 'm';")).trim();
  const foreign = (engine, file) => {
    const [first, ...lines] = fs.readFileSync(file, 'utf8').split('\n');
    const header = JSON.parse(first);
    const digest = crypto.createHash('sha256').update(`features features\n${header.hash}\n${engine}\n${recipe}`).digest('hex');
    return put(`${path.basename(file)}-${engine}`, [JSON.stringify({ ...header, engine, digest }), ...lines].join('\n'));
  };
  const altered = (name, change) => put(name, fs.readFileSync(parts[0], 'utf8').replace(change[0], change[1]));
  await refused(/part-1-theirs was made with another engine \(the processors of the machines are not alike\)/, merge(dir, [parts[1],
    foreign('theirs', parts[0])]));
  await refused(/recipe was made with another recipe/, merge(dir, [altered('recipe', [/"digest":"../, '"digest":"zz'])]));
  await refused(/shards was made with another number of shards/, merge(dir, [parts[1], altered('shards', ['"1/3"', '"1/4"'])]));
  await refused(/bytes:2: the project has no image of this name with these bytes/, merge(dir, [altered('bytes', [/"sha256":"../, '"sha256":"zz'])]));
  await refused(/name:2: the project has no image of this name with these bytes/, merge(dir, [altered('name', [/"image":"/, '"image":"another ']) ]));
  await refused(/text was made with another command/, merge(dir, [put('text', '{}\n')]));
  await refused(/empty was made with another command/, merge(dir, [put('empty', '')]));

  /* In whatever order; what is missing is named, and merged once it is there. */
  const some = await merge(other, [parts[2], parts[0]]);
  assert.equal(some.code, 1);
  assert.match(some.err, /\d+ images are in no part, the first of them image \d+ of shard 2\/3; everything else is stored/);
  assert.equal((await merge(other, parts)).code, 0);
  assert.equal((await stored(other)).rows, 60);
  assert.equal(JSON.parse(await must(['features', other, '--model', 'm', '--json'])).already, 60);
  assert.equal((await merge(dir, [parts[2], parts[0], parts[1]])).code, 0);
  assert.deepEqual(await stored(dir), await stored(whole));
  const twice = JSON.parse(await must(['features', dir, '--model', 'm', '--merge', ...parts, '--json']));
  assert.deepEqual(twice, { images: 60, stored: 0, already: 60, without_pixels: 0, missing: 0 });
  assert.deepEqual(await stored(dir), await stored(whole));
  /* The machine that merges may be another one than those that computed. */
  await must(['features', dir, '--model', 'm', '--quiet', '--merge', ...parts.map((file) => foreign('theirs', file))]);
  assert.equal((await sqlite(database(dir), 'SELECT engine, sum(records) FROM feature_source s JOIN feature_block b ON b.source = s.id GROUP BY s.id;')).split('\n')[1], 'theirs|60');
  await must(['check', dir]);
  for (const wrong of [['--shard', '1/2'], ['--shard', '3/2', '--output', 'x'], ['--merge'], ['part'], ['part', '--merge', '--output', 'x']]) {
    assert.equal((await holdout(['features', dir, '--model', 'm', ...wrong])).code, 2, wrong.join(' '));
  }
});

test('images that cannot be read are named, and the rest goes on', async (t) => {
  const { dir, put } = await project(t);
  await must(['model', 'add', dir, put('m.onnx', classifier())]);
  const files = Array.from({ length: 9 }, (_, i) => put(`${i}.png`, png(i, 40, 40)));
  const lines = files.map((file, i) => JSON.stringify({ path: file, id: `image ${i}`, class: 'n00000001' }));
  await must(['import', 'images', dir, put('manifest.jsonl', lines.join('\n')), '--keep', 'reference', '--quiet']);
  await must(['import', 'image-list', dir, '-'], { input: 'idx,image,wnid,kind,source_id,date_taken\n100,by name,n00000001,candidate,,\n' });
  fs.rmSync(files[2]);
  fs.writeFileSync(files[4], png('another', 40, 40));
  const bytes = fs.readFileSync(files[6]);
  fs.writeFileSync(files[6], bytes.subarray(0, bytes.length - 30));
  const r = await holdout(['predict', dir, '--model', 'm', '--json']);
  assert.equal(r.code, 1);
  const { images, computed, failed, without_pixels: without } = JSON.parse(r.out);
  assert.deepEqual([images, computed, failed, without], [10, 6, 3, 1]);
  assert.match(r.err, /image 2: .*no such file/);
  assert.match(r.err, /image 4: the file is not the one that was imported/);
  assert.match(r.err, /image 6: the file is not the one that was imported/);
  assert.match(r.err, /3 images could not be read/);
  fs.writeFileSync(files[6], bytes);
  const again = await holdout(['predict', dir, '--model', 'm', '--json']);
  assert.deepEqual([JSON.parse(again.out).already, JSON.parse(again.out).computed], [6, 1]);
  assert.deepEqual([...(await records(dir)).keys()].sort(), [0, 1, 3, 5, 6, 7, 8].map((i) => `image ${i}`));
});

test('features are rows on the disk, and a torn tail is cut off', async (t) => {
  const { dir, put } = await project(t);
  await must(['model', 'add', dir, put('m.onnx', classifier()), '--recipe', put('r.json', { features: 'features' })]);
  await must(['model', 'add', dir, put('plain.onnx', classifier({ seed: 5 }))]);
  assert.match((await holdout(['features', dir, '--model', 'plain'])).err, /names no feature output/);
  const list = Array.from({ length: 12 }, (_, i) => [`image ${i}`, put(`${i}.png`, png(i, 40, 40))]);
  await addImages(dir, put, list.slice(0, 7));
  await must(['features', dir, '--model', 'm', '--quiet']);
  const [id, dim] = (await sqlite(database(dir), 'SELECT id, dim FROM feature_source;')).trim().split('|').map(Number);
  const file = path.join(dir, 'features', `${id}.f32`);
  assert.equal(dim, 8);
  const first = fs.readFileSync(file);
  assert.equal(first.length, 7 * 8 * 4);

  fs.appendFileSync(file, Buffer.alloc(100, 1)); /* what a power cut leaves behind the last complete row */
  await addImages(dir, put, list);
  const second = JSON.parse(await must(['features', dir, '--model', 'm', '--json']));
  assert.deepEqual([second.already, second.computed], [7, 5]);
  const rows = fs.readFileSync(file);
  assert.equal(rows.length, 12 * 8 * 4);
  assert.ok(rows.subarray(0, first.length).equals(first));

  /* The model's page has a row for them. */
  await must(['user', 'add', dir, 'lead', '--role', 'lead', '--password-file', put('password', `${PASSWORD}\n`)]);
  const server = await startServer(t, dir);
  const page = await (await (await new Client(server.url).login('lead')).get('/models/m')).text();
  const [table] = /id="features-table"[^]*?<\/table>/.exec(page);
  assert.deepEqual([...table.matchAll(/<td class="number">(.*?)<\/td>/g)].map(([, n]) => n), ['8', '12']);
  await server.stop();

  /* The scores of the model are what follows from them. */
  const part = path.join(tempDir(t), 'part');
  await must(['predict', dir, '--model', 'm', '--output', part, '--quiet']);
  const said = partRecords(part);
  const w = numbers(16, 2, 2);
  const b = numbers(2, 3, 0.1);
  for (let i = 0; i < 12; i++) {
    const row = Array.from({ length: 8 }, (_, k) => rows.readFloatLE((i * 8 + k) * 4));
    const scores = [0, 1].map((c) => b[c] + row.reduce((sum, x, k) => sum + x * w[c * 8 + k], 0));
    const best = scores[1] > scores[0] ? 1 : 0;
    const p = 1 / (1 + Math.exp(scores[1 - best] - scores[best]));
    const [cids, probabilities] = said.get(`image ${i}`);
    assert.equal(cids[0], best);
    assert.ok(Math.abs(probabilities[0] - p) < 1e-5);
  }
  fs.truncateSync(file, 20);
  assert.match((await holdout(['features', dir, '--model', 'm'])).err, /put the file back from a backup/);
});
