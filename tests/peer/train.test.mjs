/* Trained baselines are ordinary ONNX files: on 500 images of the demo's world `holdout infer` and onnxruntime
 * say the same of every one. Part of `make nightly`. */
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import test from 'node:test';
import assert from 'node:assert/strict';

import { Onnxruntime, deviation, difference, floats, program, withoutOnnxruntime } from './peer.mjs';

const IMAGES = 500;
const SIDE = 32;
const work = fs.mkdtempSync(path.join(os.tmpdir(), 'holdout-peer-'));
test.after(() => fs.rmSync(work, { recursive: true }));
const holdout = (...args) => execFileSync(program, args.map(String));

/* Pixels of the first images in planes from 0 to 1, as one file. */
function writeInput(folder, file) {
  const rgb = path.join(work, 'rgb');
  const all = new Float32Array(IMAGES * 3 * SIDE * SIDE);
  const files = fs.readdirSync(folder).sort().flatMap((wnid) =>
    fs.readdirSync(path.join(folder, wnid)).sort().map((name) => path.join(folder, wnid, name)));
  assert.ok(files.length >= IMAGES, `${files.length} images`);
  files.slice(0, IMAGES).forEach((image, i) => {
    holdout('preprocess', image, '--resize', SIDE, '--crop', SIDE, '--filter', 'bilinear', '--output', rgb);
    fs.readFileSync(rgb).forEach((value, k) => {
      all[((i * 3 + (k % 3)) * SIDE * SIDE) + Math.floor(k / 3)] = value / 255;
    });
  });
  fs.writeFileSync(file, Buffer.from(all.buffer));
}

function best(scores) {
  const classes = scores.length / IMAGES;
  return Array.from({ length: IMAGES }, (_, i) => {
    const own = scores.subarray(i * classes, (i + 1) * classes);
    return own.indexOf(Math.max(...own));
  });
}

test('baselines as onnxruntime', { skip: withoutOnnxruntime() ?? false }, async (t) => {
  const dir = path.join(work, 'demo');
  const [input, ours, theirs] = ['in', 'ours', 'theirs'].map((name) => path.join(work, `${name}.f32`));
  const shape = [IMAGES, 3, SIDE, SIDE];
  holdout('demo', dir, '--size', 'small', '--no-answers', '--quiet');
  writeInput(path.join(dir, 'demo-images/candidate'), input);
  const models = fs.readdirSync(path.join(dir, 'models')).filter((name) => name.endsWith('.onnx'));
  assert.ok(models.length >= 4, models.join());
  for (const name of models) {
    const model = path.join(dir, 'models', name);
    holdout('infer', model, '--input', input, '--shape', shape.join(), '--output', ours);
    const peer = new Onnxruntime(model, 1);
    await peer.answer();
    await peer.ask({ run: input, shape, output: theirs });
    await peer.close();
    const [a, b] = [floats(ours), floats(theirs)];
    const relative = difference(a, b) / deviation(b);
    t.diagnostic(`${name.padEnd(28)} largest difference / standard deviation ${relative.toExponential(2)}`);
    assert.ok(relative <= 1e-3, `${name}: ${relative}`);
    assert.deepEqual(best(a), best(b), name);
  }
});
