/* What people ticked in published images: the objects, however the responses come. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';

import { golden, holdout, must, needsGolden, newProject } from '../http/lib.mjs';
import { tempDir } from '../load/tools.mjs';

const at = (name) => path.join(golden ?? '', 'multilabel', name);
const text = (name) => fs.readFileSync(at(name), 'utf8');
const objects = (file, more = [], options = {}) => must(['objects', file, '--order', at('classify_expected.csv'), ...more, '--quiet'], options);

test('every published image has its published objects', needsGolden, async () => {
  assert.equal(await objects(at('classify_responses.csv')), text('classify_expected.csv'));
});

test('responses that were written are read again', needsGolden, async (t) => {
  const folder = tempDir(t);
  const want = text('classify_expected.csv');
  for (const format of ['responses', 'responses-jsonl', 'votes']) {
    const file = path.join(folder, format);
    fs.writeFileSync(file, await must(['objects', at('classify_responses.csv'), '--format', format]));
    assert.equal(await objects(file), want, format);
  }
  /* The order of rows says nothing where responses have numbers. */
  const [head, ...rows] = text('classify_responses.csv').trimEnd().split('\n');
  const [wantHead, ...wantRows] = want.trimEnd().split('\n');
  const [gotHead, ...gotRows] = (await objects('-', [], { input: [head, ...rows.reverse()].join('\n') })).trimEnd().split('\n');
  assert.equal(gotHead, wantHead);
  assert.deepEqual(gotRows.sort(), wantRows.sort());
});

test('without the published order only ties between partitions come out differently', needsGolden, async () => {
  const rows = async (...more) => (await must(['objects', at('classify_responses.csv'), '--quiet', ...more])).trimEnd().split('\n').slice(1).map((line) => line.split(','));
  const own = await rows(), want = text('classify_expected.csv').trimEnd().split('\n').slice(1).map((line) => line.split(','));
  const parts = (cell) => cell.split('|').map((object) => object.split('+').sort().join('+')).sort().join('|');
  let differ = 0;
  for (const [i, row] of own.entries()) {
    assert.deepEqual([row[0], ...row.slice(2, 7), row[9], row[10]], [want[i][0], ...want[i].slice(2, 7), want[i][9], want[i][10]]);
    if (row[10] === '1') assert.equal(parts(row[11]), parts(want[i][11]), row[0]);
    differ += parts(row[11]) !== parts(want[i][11]);
  }
  assert.ok(differ > 0 && differ < 223, `${differ} partitions differ`);
});

test('main label, number of objects and the objects without some of the people', needsGolden, async () => {
  const r = await holdout(['objects', at('classify_responses.csv'), '--leave-out', '1']);
  assert.equal(r.code, 0, r.err);
  assert.match(r.err, /3409 images, 30046 responses\. Images with several objects: 1099; .* 223\./);
  const rows = r.out.trimEnd().split('\n').slice(1).map((line) => line.split(',').slice(-5).map(Number));
  const mean = (i) => rows.reduce((sum, row) => sum + row[i], 0) / rows.length;
  for (const [kept, subsets] of rows) assert.equal(subsets, kept + 1);
  assert.deepEqual([2, 3, 4].map((i) => mean(i) > 0.8 && mean(i) < 1), [true, true, true]);
});

test('the same comes out of a project that has the responses as answers', needsGolden, async (t) => {
  const folder = tempDir(t), dir = await newProject(t);
  const put = (name, rows) => {
    fs.writeFileSync(path.join(folder, name), rows.map((row) => `${row}\n`).join(''));
    return path.join(folder, name);
  };
  const rows = (name) => text(name).trimEnd().split('\n').slice(1);
  await must(['import', 'classes', dir, put('classes.csv', ['cid,wnid,synset,gloss,wikipedia', ...rows('classes.csv').map((row) => `${row.split(',').slice(0, 2)},thing,,`)])]);
  await must(['import', 'set', dir, 'val', put('set.csv', ['image,wnid', ...rows('images.csv').map((row) => row.split(',')).map((row) => `${row[0]},${row[3]}`)]), '--role', 'original']);
  await must(['import', 'responses', dir, at('classify_responses.csv'), '--order', at('classify_expected.csv')]);
  const export_ = (...args) => must(['export', ...args, '--numbers']);
  const responses = path.join(folder, 'responses.csv'), order = path.join(folder, 'order.csv');
  fs.writeFileSync(responses, await export_('responses', dir));
  fs.writeFileSync(order, await export_('responses', dir, '--format', 'order'));
  assert.equal(await must(['objects', responses, '--order', order, '--quiet']), text('classify_expected.csv'));
  const table = (csv) => csv.trimEnd().split('\n').map((line) => line.split(','));
  const pick = (csv) => table(csv).map((row, _, all) => ['image', 'num_objects', 'main_label', 'dropped', 'objects', 'object_labels', 'main_object'].map((name) => row[all[0].indexOf(name)]).join(','));
  assert.deepEqual(pick(await export_('labels', dir, 'classify@default', '--format', 'objects')), pick(text('classify_expected.csv')));
});
