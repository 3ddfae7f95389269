/* What a model may cost: files of a few hundred bytes that ask for gigabytes or for hours are refused while nothing
 * is calculated, at `model add` and again by jobs; the same command has room for models as they are. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';

import { bin, holdout, must, newProject } from '../http/lib.mjs';
import { CLASSES, png } from '../http/study.mjs';
import { sanitized, tempDir } from '../load/tools.mjs';
import { attributes, classifier, model, node, numbers, tensor, wholeTensor } from './onnx_file.mjs';

/* KiB of address space: every bomb asks for more, or for hours. */
const MEMORY = 900000;

async function project(t, settings = {}) {
  const dir = await newProject(t);
  await must(['import', 'classes', dir, '-'], { input: CLASSES });
  const folder = tempDir(t);
  const put = (name, bytes) => {
    const file = path.join(folder, name);
    fs.writeFileSync(file, bytes);
    return file;
  };
  const limit = sanitized ? '' : `ulimit -v ${MEMORY} && `; /* a sanitizer's shadow is larger than any limit */
  const addConfined = (name, bytes) => new Promise((resolve) => {
    execFile('/bin/sh', ['-c', `${limit}exec "$0" "$@"`, bin, 'model', 'add', dir, put(`${name}.onnx`, bytes)], { env: { ...process.env, ...settings } },
      (error, out, err) => resolve({ code: error ? error.code : 0, out, err }));
  });
  return { dir, put, addConfined };
}

const repeat = (n, make) => Array.from({ length: n }, (_, k) => make(k));
const constant = (name, dims) => ({ nodes: [node('ConstantOfShape', [`${name} shape`], [name])],
  initializers: [wholeTensor(`${name} shape`, dims)] });
/* Two scores from the pixels of a value; `parts` come before. */
const ending = (value, ...parts) => model({
  nodes: [...parts.flatMap((p) => p.nodes ?? []), node('GlobalAveragePool', [value], ['pooled']),
    node('Flatten', ['pooled'], ['flat'], ...attributes({ axis: 1 })), node('Gemm', ['flat', 'w'], ['scores'])],
  initializers: [...parts.flatMap((p) => p.initializers ?? []), tensor('w', [3, 2], numbers(6, 1))],
  inputs: [['image', ['N', 3, 8, 8]]], outputs: [['scores', ['N', 2]]],
});
/* The mean of a constant named "big" goes into every pixel. */
const added = { nodes: [node('ReduceMean', ['big'], ['mean'], ...attributes({ keepdims: 0 })), node('Add', ['image', 'mean'], ['sum'])] };

test('constants that a file does not hold are not made', async (t) => {
  const { dir, addConfined } = await project(t, { HOLDOUT_LIMITS_MODEL_MB: '64' });
  const refused = async (name, bytes, expected) => {
    assert.ok(bytes.length < 4096, `${name} is small`);
    const r = await addConfined(name, bytes);
    assert.equal(r.code, 1, `${name}: ${r.out}${r.err}`);
    assert.match(r.err, expected, name);
  };
  const whole = (name, values) => ({ initializers: [wholeTensor(name, values)] });
  const floats = (name, dims, values) => ({ initializers: [tensor(name, dims, values)] });
  const does = (...nodes) => ({ nodes });
  await refused('square', model({
    nodes: [node('Flatten', ['image'], ['flat'], ...attributes({ axis: 1 })), ...constant('w', [16000, 16000]).nodes,
      node('Resize', ['image', '', '', 'sizes'], ['wide']), node('MatMul', ['wide', 'w'], ['scores'])],
    initializers: [...constant('w', [16000, 16000]).initializers, wholeTensor('sizes', [1, 3, 8, 16000])],
    inputs: [['image', ['N', 3, 8, 8]]], outputs: [['scores', ['N', 3, 8, 16000]]],
  }), /ConstantOfShape_w.*256000000 elements.*above the 64\.0 MiB allowed \(limits\.model_mb in config\.ini\)/);
  await refused('shape', ending('sum', constant('big', [50000, 50000]), added), /ConstantOfShape_big.*more than 268435456 elements/);
  await refused('expand', ending('sum', floats('one', [1, 1], [1]), whole('to', [12000, 12000]), does(node('Expand', ['one', 'to'], ['big'])), added),
    /Expand_big.*144000000 elements/);
  await refused('tile', ending('sum', floats('four', [2, 2], [1, 2, 3, 4]), whole('times', [4000, 4000]), does(node('Tile', ['four', 'times'], ['big'])), added),
    /Tile_big.*64000000 elements/);
  await refused('range', ending('sum', floats('from', [], [0]), floats('to', [], [1e12]), floats('by', [], [1]), does(node('Range', ['from', 'to', 'by'], ['big'])), added),
    /Range_big.*more than 16777216/);
  await refused('products', ending('sum', constant('a', [4000, 4000]), constant('b', [4000, 4000]), does(node('MatMul', ['a', 'b'], ['big'])), added),
    /ConstantOfShape_b.*16000000 elements/);
  await refused('overflow', ending('sum', constant('big', [2 ** 31, 2 ** 31, 2 ** 31]), added), /ConstantOfShape_big.*more than/);
  await refused('negative', ending('sum', constant('big', [-1, 4]), added), /ConstantOfShape_big/);
  assert.deepEqual(JSON.parse(await must(['model', 'list', dir, '--json'])), []);
});

test('work and memory beyond the limits are refused from dimensions alone', async (t) => {
  const { dir, addConfined } = await project(t);
  const refused = async (name, bytes, expected) => {
    const r = await addConfined(name, bytes);
    assert.equal(r.code, 1, `${name}: ${r.out}${r.err}`);
    assert.match(r.err, expected, name);
  };
  const memory = /needs [\d.]+ MiB of memory in one thread; at most 2048\.0 MiB are allowed \(limits\.model_mb in config\.ini\)/;
  const work = /takes [\d.]+ GFLOP per image .*at most 500\.0 are allowed \(limits\.model_gflops in config\.ini\)/;
  const scaled = (scale) => ({ nodes: [node('Resize', ['image', '', 'scale'], ['large'])],
    initializers: [tensor('scale', [4], [1, 1, scale, scale])] });
  await refused('resize', ending('large', scaled(10000)), /Resize_large.*resizes 1 to 65536/);
  await refused('resize-less', ending('large', scaled(8000)), memory);
  await refused('expand', ending('large', { nodes: [node('ReduceMean', ['image'], ['m'], ...attributes({ axes: [2, 3] })), node('Expand', ['m', 'to'], ['large'])],
    initializers: [wholeTensor('to', [1, 3, 16000, 16000])] }), memory);
  /* 3 x 8,192 x 8,192 in every one of them, each below the limit of memory. */
  await refused('product', ending('product', scaled(1024), { nodes: [node('MatMul', ['large', 'large'], ['product'])] }), work);
  const constants = constant('a', [2800, 2800]);
  await refused('constants', ending('sum', constants, { nodes: repeat(20, (k) => node('MatMul', [k ? `c${k}` : 'a', 'a'], [k < 19 ? `c${k + 1}` : 'big'])) }, added), work);
  const convolution = (n, side, pads) => ({ nodes: [...repeat(n, (k) => node('Conv', [k ? `c${k}` : 'image', 'k'], [k < n - 1 ? `c${k + 1}` : 'last'],
    ...attributes({ pads: k ? [1, 1, 1, 1] : pads })))], initializers: [tensor('k', [3, 3, 3, 3], numbers(81, 1))] });
  await refused('loop', ending('last', convolution(5000, 8, [400, 400, 400, 400])), work);
  await refused('long', ending('last', convolution(10000, 8, [1, 1, 1, 1])), /has \d+ steps; the engine runs models of up to 65536/);
  assert.deepEqual(JSON.parse(await must(['model', 'list', dir, '--json'])), []);

  for (const [name, bytes] of [['plain', classifier({ channels: 64 })], ['softmax', classifier({ softmax: true })], ['deep', ending('last', convolution(300, 8, [1, 1, 1, 1]))]]) {
    const r = await addConfined(name, bytes);
    assert.equal(r.code, 0, r.err);
    assert.match(r.err, /added the model \S+: 0\.0 million parameters, 0\.\d\d GFLOP an image, \d+\.\d MiB of memory and \d+\.\d MiB for each thread while it runs, 2 classes/);
  }
  const facts = JSON.parse(await must(['model', 'list', dir, '--json'])).find((m) => m.name === 'plain').facts;
  /* Convolution, ReLU, mean and product of 64 channels at 16 x 16. */
  assert.equal(facts.flops, 2 * 64 * 27 * 256 + 64 * 256 + (64 * 256 + 64) + 2 * 2 * 64);
  assert.ok(facts.weight_bytes > 64 * 27 * 4 && facts.run_bytes > 64 * 256 * 4);
});

test('a limit that became lower holds for jobs too', async (t) => {
  const { dir, put } = await project(t);
  const file = put('m.onnx', classifier({ side: 'S' }));
  const recipe = put('r.json', JSON.stringify({ resize: 1024, crop: 1024, features: 'features' }));
  const strict = ['--set', 'limits.model_gflops=1', '--set', 'limits.model_mb=16'];
  const within = await holdout(['model', 'add', dir, file, '--recipe', recipe, ...strict]);
  assert.equal(within.code, 1);
  assert.match(within.err, /needs [\d.]+ MiB of memory in one thread; at most 16\.0 MiB are allowed \(limits\.model_mb/);
  await must(['model', 'add', dir, file, '--recipe', recipe]);
  const image = JSON.stringify({ path: put('a.png', png('a', 40, 40)), id: 'a', class: 'n00000001' });
  await must(['import', 'images', dir, put('manifest.jsonl', `${image}\n`), '--set', 'images.tiny=true', '--quiet']);
  fs.writeFileSync(path.join(dir, 'config.ini'), '[limits]\nmodel_mb = 16\n');
  for (const command of ['predict', 'features']) {
    const r = await holdout([command, dir, '--model', 'm']);
    assert.equal(r.code, 1, command);
    assert.match(r.err, /at most 16\.0 MiB are allowed \(limits\.model_mb in config\.ini\)\. Nothing was calculated\./, command);
  }
  fs.writeFileSync(path.join(dir, 'config.ini'), '');
  await must(['predict', dir, '--model', 'm', '--quiet']);
});
