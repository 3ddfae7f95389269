/* Accuracy by selection frequency and by revision for the published predictions and the synthetic votes. One project for
 * all: images, votes, both sets, predictions of 67 models. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { before, test } from 'node:test';

import { must, needsGolden, wholeFile } from '../http/lib.mjs';
import { tempDir } from '../load/tools.mjs';
import { LIMIT, at, lines, studyProject, unpack } from './study.mjs';

const SETS = { original: 'imagenet-validation-original', fresh: 'imagenetv2-b-33' };
const whole = wholeFile();
let dir;

before(async () => {
  if (needsGolden.skip) return;
  ({ dir } = await studyProject(whole, { votes: true }));
  const folder = tempDir(whole);
  const list = unpack(folder, 'predictions', `${SETS.original}.images.csv.xz`);
  await must(['import', 'set', dir, SETS.original, list, '--role', 'original'], LIMIT);
  await must(['import', 'set', dir, SETS.fresh, at('predictions', `${SETS.fresh}.images.csv`)], LIMIT);
  for (const name of Object.values(SETS)) {
    fs.mkdirSync(path.join(folder, name));
    execFileSync('tar', ['-xJf', at('predictions', `${name}.tar.xz`), '-C', path.join(folder, name)]);
    await must(['import', 'predictions', dir, '--set', name, path.join(folder, name)], LIMIT);
  }
});

test('67 models by frequency bin on two sets are as the authors\u2019 program has them', needsGolden, async () => {
  const bins = async (set) => must(['bins', dir, '--set', set], LIMIT);
  const [fresh, original] = [await bins(SETS.fresh), await bins(SETS.original)];
  const all = fresh + lines(original).slice(1).map((line) => `${line}\n`).join('');
  assert.equal(all, fs.readFileSync(at('votes_synth', 'expected_binned_accuracy.csv'), 'utf8'));
});
