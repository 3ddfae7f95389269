/* Every architecture that the engine promises, with random weights, against PyTorch's own output: the largest
 * difference is at most a thousandth of the output's standard deviation. Part of `make nightly`. */
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import test from 'node:test';
import assert from 'node:assert/strict';

import { deviation, difference, floats, models, program } from './peer.mjs';

const NAMES = ['alexnet', 'vgg16', 'resnet18', 'resnet50', 'squeezenet1_1', 'densenet121', 'mobilenet_v2',
  'efficientnet_b0', 'resnext50_32x4d', 'wide_resnet50_2', 'googlenet', 'inception_v3', 'mobilenet_v3_large',
  'mobilenet_v3_small', 'shufflenet_v2_x1_0', 'mnasnet1_0', 'regnet_x_400mf', 'regnet_y_400mf', 'vit_b_16',
  'convnext_tiny'];
const { dir, missing } = models(NAMES);
const work = fs.mkdtempSync(path.join(os.tmpdir(), 'holdout-peer-'));
test.after(() => fs.rmSync(work, { recursive: true }));

for (const name of NAMES) {
  test(`${name} as PyTorch`, { skip: missing }, (t) => {
    const file = (end) => path.join(dir, `${name}.${end}`);
    const input = floats(file('in.f32'));
    const side = Math.sqrt(input.length / 6);
    const out = path.join(work, name);
    const expected = floats(file('out.f32'));
    for (const threads of [1, 2]) {
      execFileSync(program, ['infer', file('onnx'), '--input', file('in.f32'), '--shape', `2,3,${side},${side}`,
        '--output', out, '--threads', String(threads)]);
      const relative = difference(floats(out), expected) / deviation(expected);
      t.diagnostic(`${name.padEnd(20)} ${threads} thread  largest difference / standard deviation ${relative.toExponential(2)}`);
      assert.ok(relative <= 1e-3, `${relative}`);
    }
  });
}
