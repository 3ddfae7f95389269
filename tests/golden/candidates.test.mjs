/* Potential and candidate labels of published images: from what models say, and from how often people found each. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';

import { golden, must, needsGolden } from '../http/lib.mjs';

const at = (name) => path.join(golden ?? '', 'multilabel', name);
const rowsOf = (text) => {
  const [head, ...rows] = text.trimEnd().split('\n').map((line) => line.split(','));
  return rows.map((row) => Object.fromEntries(head.map((name, i) => [name, row[i]])));
};
const read = (name) => fs.readFileSync(at(name), 'utf8');
const potential = (...more) => must(['potential-labels', at('predictions_top5.csv'), '--images', at('images.csv'), '--quiet', ...more]);

test('potential labels of every image', needsGolden, async () => {
  assert.equal(await potential(), read('potential_expected.csv'));
  const counts = rowsOf(read('potential_expected.csv')).map((row) => Number(row.n_potential));
  for (const row of rowsOf(await potential('--histogram'))) {
    assert.equal(Number(row.images), counts.filter((n) => n === Number(row.n)).length, row.n);
  }
  const two = rowsOf(await potential('--models', 'alexnet,vgg16', '--top', '1'));
  assert.ok(two.every((row) => Number(row.n_potential) <= 3));
});

test('frequencies of labels, and the stage of images of which every label is known', needsGolden, async () => {
  const want = rowsOf(read('contains_partial.csv'));
  const got = rowsOf(await must(['candidate-labels', at('contains_partial.csv'), '--frequencies', '--quiet']));
  assert.equal(got.length, 92);
  for (const row of want) {
    const own = got.find((r) => r.image === row.image && r.class === row.class);
    assert.deepEqual([own.label, own.selected, own.shown, Number(own.frequency)], [row.label, row.selected, row.shown, row.selected / row.shown]);
  }
  const stages = rowsOf(await must(['candidate-labels', at('contains_partial.csv'), '--quiet']));
  const complete = [...new Map(want.filter((row) => row.complete === '1').map((row) => [row.image, row.stage]))];
  assert.equal(complete.length, 2);
  /* What people were then asked to choose among: all that they chose are candidates. */
  const chosen = new Map();
  for (const row of rowsOf(read('classify_responses.csv'))) chosen.set(row.image, new Set([...(chosen.get(row.image) ?? []), ...row.selected.split('+')]));
  for (const [image, stage] of complete) {
    const own = stages.find((row) => row.image === image);
    assert.equal(own.stage, stage);
    if (chosen.has(image)) assert.deepEqual(own.candidates.split('+').sort(), [...chosen.get(image)].sort());
  }
});
