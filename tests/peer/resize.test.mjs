/* Resize and Upsample of every operator set and mode against onnxruntime, over a matrix of models made here.
 *
 * Left out is where onnxruntime does not do what the operator's specification says: it leaves a part that
 * tf_crop_and_resize cuts out uncut when the size stays, it does not know negative axes, and it loses ties of
 * half_pixel_symmetric to rounding in floats. Part of `make nightly`. */
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import test from 'node:test';
import assert from 'node:assert/strict';

import { attributes, model, node, numbers, tensor, wholeTensor } from '../cli/onnx_file.mjs';
import { difference, floats, program, withoutOnnxruntime } from './peer.mjs';

const PLACES = ['half_pixel', 'pytorch_half_pixel', 'align_corners', 'asymmetric', 'half_pixel_symmetric',
  'tf_half_pixel_for_nn', 'tf_crop_and_resize'];
const ROUNDS = ['round_prefer_floor', 'round_prefer_ceil', 'floor', 'ceil'];
const SIZES = [[10, 12], [3, 4], [8, 5], [1, 1], [5, 6], [7, 13], [2, 2], [5, 9]];
const SCALES = [[0.6, 0.6], [2, 2], [1.3, 0.7], [0.5, 0.3333333], [2.7, 1]];
const PICTURE = [2, 3, 5, 6];

const has = (list) => list !== undefined;
function resize({ shape = PICTURE, op = 'Resize', opset = 18, scales, sizes, roi, how }) {
  const old = opset < 11;
  const more = op === 'Upsample' && opset < 9 ? { scales: { floats: scales } } : {};
  const inputs = old ? ['x', ...(more.scales ? [] : ['scales'])] : ['x', 'roi', 'scales', ...(has(sizes) ? ['sizes'] : [])];
  const list = (name, values = []) => tensor(name, [values.length], values);
  return model({ opset, inputs: [['x', shape]], outputs: [['y', []]],
    nodes: [node(op, inputs, ['y'], ...attributes({ ...how, ...more }))],
    initializers: [list('roi', roi), list('scales', scales), ...(has(sizes) ? [wholeTensor('sizes', sizes)] : [])]
      .filter((_, i) => !old || (i === 1 && !more.scales)) });
}

function* places() {
  for (const place of PLACES) {
    const how = { coordinate_transformation_mode: place };
    const opset = place === 'tf_half_pixel_for_nn' ? 11 : 18;
    const cuts = place === 'tf_crop_and_resize';
    const roi = cuts ? [0, 0, 0.1, 0.2, 1, 1, 0.8, 1.3] : undefined;
    const more = cuts ? { extrapolation_value: { float: 7.5 } } : {};
    for (const size of SIZES.filter(([h, w]) => !cuts || (h !== PICTURE[2] && w !== PICTURE[3]))) {
      const sizes = [...PICTURE.slice(0, 2), ...size];
      for (const round of place === 'half_pixel_symmetric' ? ROUNDS.slice(0, 2) : ROUNDS) {
        yield { opset, sizes, roi, how: { mode: 'nearest', nearest_mode: round, ...how, ...more } };
      }
      for (const mode of ['linear', 'cubic']) yield { opset, sizes, roi, how: { mode, ...how, ...more } };
      if (cuts) continue;
      yield { opset, sizes, how: { mode: 'cubic', cubic_coeff_a: { float: -0.5 }, exclude_outside: 1, ...how } };
    }
    for (const scale of cuts ? [] : SCALES) {
      for (const mode of ['nearest', 'linear', 'cubic']) yield { opset, scales: [1, 1, ...scale], how: { mode, ...how } };
    }
  }
}

function* antialiased() {
  const shape = [2, 3, 9, 14];
  for (const mode of ['linear', 'cubic']) {
    for (const place of PLACES.slice(0, 5)) {
      for (const outside of [0, 1]) {
        const how = { mode, antialias: 1, exclude_outside: outside, coordinate_transformation_mode: place };
        for (const size of SIZES) yield { shape, sizes: [2, 3, ...size], how };
        for (const scale of [[0.6, 0.6], [0.2, 0.31]]) yield { shape, scales: [1, 1, ...scale], how };
      }
    }
  }
}

function* others() {
  for (const mode of ['nearest', 'linear', 'cubic']) {
    for (const keep of ['stretch', 'not_larger', 'not_smaller']) {
      for (const sizes of [[7, 8], [3, 9], [2, 5]]) {
        yield { sizes, how: { mode, axes: [2, 3], keep_aspect_ratio_policy: keep } };
        yield { sizes, how: { mode, axes: [3, 2], keep_aspect_ratio_policy: keep } };
      }
    }
  }
  for (const mode of ['nearest', 'linear']) {
    for (const scale of [[2, 2], [1.5, 1.3], [3, 1]]) {
      for (const [op, opset] of [['Upsample', 7], ['Upsample', 9], ['Resize', 10]]) {
        yield { op, opset, scales: [1, 1, ...scale], how: { mode } };
      }
    }
    for (const scale of [[0.6, 0.6], [0.5, 0.34]]) yield { opset: 10, scales: [1, 1, ...scale], how: { mode } };
    yield { shape: [2, 3, 8], scales: [1, 1, 1.7], how: { mode } };
    yield { shape: [2, 3, 4, 5, 6], scales: [1, 1, 1.7, 0.6, 2], how: { mode } };
  }
  yield { scales: [2], how: { mode: 'nearest', axes: [1] } };
  yield { sizes: [9], how: { mode: 'linear', axes: [3] } };
  yield { sizes: [4, 4], roi: [0.2, 0.1, 0.7, 0.9], how: { mode: 'linear', axes: [2, 3], coordinate_transformation_mode: 'tf_crop_and_resize' } };
}

const work = fs.mkdtempSync(path.join(os.tmpdir(), 'holdout-peer-'));
test.after(() => fs.rmSync(work, { recursive: true }));
const file = (name) => path.join(work, name);

for (const [name, cases] of Object.entries({ places, antialiased, others })) {
  test(`Resize, ${name}, as onnxruntime`, { skip: withoutOnnxruntime() ?? false }, async (t) => {
    const { default: ort } = await import('onnxruntime-node');
    let count = 0;
    for (const one of cases()) {
      const shape = one.shape ?? PICTURE;
      const x = Float32Array.from(numbers(shape.reduce((a, b) => a * b, 1), 7));
      const bytes = resize(one);
      fs.writeFileSync(file('model.onnx'), bytes);
      fs.writeFileSync(file('in.f32'), x);
      const session = await ort.InferenceSession.create(bytes, { logSeverityLevel: 4 });
      const { y } = await session.run({ x: new ort.Tensor('float32', x, shape) });
      execFileSync(program, ['infer', file('model.onnx'), '--input', file('in.f32'), '--shape', shape.join(),
        '--output', file('out.f32')]);
      const off = difference(floats(file('out.f32')), y.data);
      assert.ok(off <= 1e-5, `${JSON.stringify(one)}: ${off}`);
      count++;
    }
    t.diagnostic(`${count} models`);
  });
}
