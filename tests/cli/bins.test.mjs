/* `holdout bins`: accuracy by selection frequency as CSV and JSON, of a part of a set, and what is refused. */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';

import { holdout, must, newProject, wholeFile } from '../http/lib.mjs';
import { MODELS, SETS, addMeasuresWorld, bin, deep, right, wnid } from '../http/measures_world.mjs';
import { copyOf, fails, put, says } from './tools.mjs';

const whole = wholeFile();
let dir;

before(async () => {
  dir = await newProject(whole);
  await addMeasuresWorld(whole, dir);
});

const HEAD = 'dataset,model,bin,n,top1_correct,top5_correct';
/* What must be printed of images of a set. */
const table = (dataset, list) => [HEAD, ...Object.keys(MODELS).flatMap((model) => [0, 1, 2, 3, 4].map((k) => {
  const own = list.filter((one) => bin(one) === k);
  return `${dataset},${model},${k},${own.length},${right(own, model, 1)},${deep(model) ? right(own, model, 5) : ''}`;
})), ''].join('\n');

test('every model in every bin, by name; the set is called as it was asked for', async () => {
  for (const [asked, list] of [['old', SETS.old], ['old/0', SETS.old], ['fresh', SETS['fresh/2']], ['fresh-1', SETS['fresh/1']]]) {
    const r = await holdout(['bins', dir, '--set', asked]);
    assert.deepEqual([r.code, r.out], [0, table(asked, list)], r.err);
    const late = list.filter((one) => bin(one) === null).length;
    assert.equal(/(\d+) images of \S+ without answers under the view default are in no bin\./.exec(r.err)?.[1], late ? String(late) : undefined);
  }
  const part = `class:${wnid(1)}`;
  assert.equal(await must(['bins', dir, '--set', 'old', '--subset', part]), table('old', SETS.old.filter(({ c }) => c === 1)));
});

test('as JSON with intervals, and the mean over models', async () => {
  const all = JSON.parse(await must(['bins', dir, '--set', 'old', '--json']));
  assert.deepEqual([all.view, all.subset, all.bins.set, all.bins.images, all.bins.unanswered, all.bins.sealed], ['default', '', 'old/0', 120, 6, 0]);
  for (const row of all.bins.models) {
    assert.equal(row.top1, row.top1_correct / row.n);
    assert.ok(row.top1_lo <= row.top1 && row.top1 <= row.top1_hi);
    assert.deepEqual([row.top5_correct === null, row.top5 === null], [!deep(row.model), !deep(row.model)], row.model);
    assert.deepEqual([row.from, row.to], [row.bin / 5, (row.bin + 1) / 5]);
  }
  for (const mean of all.bins.means) {
    const own = all.bins.models.filter((row) => row.bin === mean.bin);
    const is = own.reduce((sum, row) => sum + row.top1, 0) / own.length;
    assert.ok(Math.abs(mean.top1 - is) < 1e-12 && mean.top1_lo < is && is < mean.top1_hi, JSON.stringify(mean));
    assert.deepEqual([mean.n, mean.images, mean.top5], [own[0].n, own[0].n, null]);
  }
});

test('as printed tables: the mean first, then each model', async () => {
  const json = JSON.parse(await must(['bins', dir, '--set', 'old', '--json'])).bins, percent = (v) => (100 * v).toFixed(1);
  const printed = (await must(['bins', dir, '--set', 'old', '--format', 'markdown'])).split('\n');
  const [mean] = json.means, row = json.models.find((one) => deep(one.model) && one.bin === 4);
  assert.equal(printed[0], '| Model | Frequency | Images | Top-1 | Top-5 |');
  assert.equal(printed[2], `| mean of models | 0–0.2 | ${mean.n} | ${percent(mean.top1)} [${percent(mean.top1_lo)}, ${percent(mean.top1_hi)}] | – |`);
  assert.ok(printed.includes(`| ${row.model} | 0.8–1 | ${row.n} | ${percent(row.top1)} [${percent(row.top1_lo)}, ${percent(row.top1_hi)}] | ${percent(row.top5)} [${percent(row.top5_lo)}, ${percent(row.top5_hi)}] |`), printed.join('\n'));
  assert.match(await must(['bins', dir, '--set', 'old', '--format', 'latex']), /^% \\caption\{Accuracy in percent on old\/0 .*120 images are in a bin, 6 without answers are in none\./m);
  await fails(['bins', dir, '--set', 'old', '--format', 'pdf'], /--format must be csv, markdown or latex/, { code: 2 });
});

test('images of a sealed set are in no bin, and a sealed set has none', async (t) => {
  const closed = copyOf(t, dir);
  const hidden = SETS.old.filter((_, i) => i % 4 === 0);
  const list = put(t, 'closed.csv', ['image,wnid', ...hidden.map((one) => `${one.image},${one.wnid}`)].join('\n'));
  await must(['import', 'set', closed, 'closed', list, '--sealed']);
  const r = await says(['bins', closed, '--set', 'old'], /32 images that a sealed set has are in no bin/);
  assert.equal(r.out, table('old', SETS.old.filter((one) => !hidden.includes(one))));
  await fails(['bins', closed, '--set', 'closed'], /closed\/0 is sealed/);
});

test('what may not be asked', async () => {
  await fails(['bins', dir], /give --set, or --original and --new/, { code: 2 });
  await fails(['bins', dir, '--set', 'old', '--new', 'fresh'], /give --set, or --original and --new/, { code: 2 });
  await fails(['bins', dir, '--new', 'fresh'], /give --original and --new/, { code: 2 });
  await fails(['bins', dir, '--original', 'old', '--new', 'fresh', '--view', 'default'], /--view goes with --set/, { code: 2 });
  await fails(['bins', dir, '--set', 'none'], /There is no image set none/);
  await fails(['bins', dir, '--set', 'old', '--view', 'none'], /There is no view/);
  await fails(['bins', dir, '--set', 'old', '--subset', 'odd'], /subset must be/);
});

test('without votes or models the table is empty, and says why', async (t) => {
  const bare = await newProject(t);
  await addMeasuresWorld(t, bare, { votes: false, models: false });
  const r = await says(['bins', bare, '--set', 'old'], /126 images of old\/0 without answers.*\n.*No model has predictions/s);
  assert.equal(r.out, `${HEAD}\n`);
});
