/* Accuracy by selection frequency and by revision for the published predictions and the synthetic votes. One project for
 * all: images, votes, both sets, predictions of 67 models. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { before, test } from 'node:test';

import { Client, holdout, must, needsGolden, startServer, wholeFile } from '../http/lib.mjs';
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

test('the mean change over 67 models is that of table 2', needsGolden, async (t) => {
  const lead = await new Client((await startServer(t, dir)).url).login('admin');
  const { body } = await lead.json('GET', `/api/v1/measures?original=${SETS.original}&new=${SETS.fresh}`);
  for (const line of lines(fs.readFileSync(at('expected', `table2_${SETS.fresh}.csv`), 'utf8')).slice(1)) {
    const [, top, models, mean, printed] = line.split(',');
    const change = body[`change_top${top}`];
    assert.equal(change.models, Number(models));
    assert.ok(Math.abs(change.mean - Number(mean)) < 1e-9, `${change.mean} ${mean}`);
    assert.equal(change.mean.toFixed(1), printed);
  }
  assert.deepEqual(body.change_common, body.change_top1, 'the same classes with the same shares');
});

test('resnet152 on every published revision of which all images are predicted is as figure 7 has it', needsGolden, async () => {
  await must(['import', 'sets', dir, at('revisions', 'b.jsonl')], LIMIT);
  const pool = ['--images', at('revisions', 'b_pool.images.csv')];
  await must(['import', 'predictions', dir, '--model', 'resnet152', at('revisions', 'b_pool.resnet152.npy'), ...pool], LIMIT);
  const r = await holdout(['score', dir, '--set', 'imagenetv2-b/0', '--revisions', '--model', 'resnet152'], LIMIT);
  const table = (text) => lines(text).map((line) => line.split(','));
  const [head, ...rows] = table(r.out);
  const columns = (names) => rows.map((row) => names.map((name) => row[head.indexOf(name)]));
  const [wanted, ...want] = table(fs.readFileSync(at('expected', 'fig7_b_resnet152.csv'), 'utf8'));
  assert.deepEqual(columns(wanted), want);
  assert.equal(r.err.match(/^Left out: resnet152 on imagenetv2-b-\d+ \(predictions about \d+ of \d+ images\)\.$/gm).length, 10);
  /* What each changed. */
  const [names, ...history] = table(fs.readFileSync(at('expected', 'revisions_b.csv'), 'utf8'));
  const known = new Map(history.map((row) => [row[0], ['n_added', 'n_removed'].map((name) => row[names.indexOf(name)])]));
  assert.deepEqual(columns(['added', 'removed']), columns(['name']).map(([name]) => known.get(name)));
});
