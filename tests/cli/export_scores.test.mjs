/* `holdout export scores`: one long table that is read without being told anything, and the grid of models and settings,
 * which `fit-points` reads again. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { before, test } from 'node:test';

import { addGapWorld } from '../http/gap_world.mjs';
import { holdout, must, newProject, root, wholeFile } from '../http/lib.mjs';
import { fails, put } from './tools.mjs';

const whole = wholeFile();
const rowsOf = (text) => {
  const [head, ...rows] = text.trimEnd().split('\n').map((line) => line.split(','));
  return rows.map((row) => Object.fromEntries(head.map((name, i) => [name, row[i]])));
};
let dir;

before(async () => {
  dir = await newProject(whole);
  await addGapWorld(dir, (name, text) => put(whole, name, text));
  await must(['import', 'model-facts', dir, put(whole, 'facts.csv', 'model,family,year,parameters\nlarge,deep,2018,25557032\n')]);
  /* A third model knows half of the new set. */
  const some = (await must(['export', 'set', dir, 'fresh', '--format', 'list'])).trimEnd().split('\n').slice(1, 96);
  const lines = some.map((line) => JSON.stringify({ image: line.split(',')[0], labels: [line.split(',')[1]] }));
  await must(['import', 'predictions', dir, put(whole, 'half.jsonl', lines.join('\n')), '--model', 'half']);
});

test('the long table: a row for each model, revision and top, plain to read, equal to `score`', async () => {
  const text = await must(['export', 'scores', dir]), rows = rowsOf(text);
  assert.ok(!/[" ]/.test(text), 'nothing that needs quotes');
  const told = fs.readFileSync(path.join(root, 'docs', 'models.md'), 'utf8').split('| column | meaning |')[1].split('\n\n')[0];
  assert.deepEqual(text.split('\n')[0].split(','), told.split('\n').slice(2).flatMap((line) => line.split('|')[1].trim().split(', ')), 'the columns that docs/models.md has');
  for (const row of rows) {
    for (const name of ['revision', 'top', 'images', 'predicted', 'complete', 'correct', 'accuracy', 'accuracy_lo', 'accuracy_hi', 'alpha', 'as_of_event']) {
      assert.match(row[name], /^\d+(\.\d+)?$/, `${name} ${row[name]}`);
    }
    assert.match(row.made_at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  }
  assert.deepEqual(new Set(rows.map((row) => row.set)), new Set(['old', 'fresh', 'even', 'same', 'none']));
  const [scored] = rowsOf(await must(['score', dir, '--original', 'old', '--new', 'fresh'])).filter((row) => row.model === 'large');
  const large = rows.find((row) => row.set === 'fresh' && row.model === 'large' && row.top === '1');
  assert.deepEqual([large.correct, large.images, large.accuracy, large.accuracy_lo, large.accuracy_hi], [scored.new_correct, scored.new_n, scored.new_acc, scored.new_lo, scored.new_hi]);
  assert.deepEqual([large.family, large.group, large.year, large.parameters, large.complete, large.role, large.state], ['deep', '', '2018', '25557032', '1', 'new', 'frozen']);
  const half = rows.find((row) => row.set === 'fresh' && row.model === 'half');
  assert.deepEqual([half.images, half.predicted, half.complete, half.accuracy], ['190', '95', '0', '100.0']);
  assert.ok(!rows.some((row) => row.top === '5'), 'these models say one label');
  const part = rowsOf(await must(['export', 'scores', dir, '--subset', 'class:n00000001', '--level', '0.995']));
  const one = part.find((row) => row.set === 'fresh');
  assert.deepEqual([one.images, one.subset, one.alpha], ['10', 'class:n00000001', '0.005']);
});

test('models x settings: what was not run to the end is empty, and `fit-points` reads it', async () => {
  const text = await must(['export', 'scores', dir, '--format', 'testbed']);
  assert.deepEqual(text.trimEnd().split('\n').map((line) => line.split(',').slice(0, 2)), [['model', 'old'], ['large', '68.33333333333333'], ['small', '52.5'], ['half', '']]);
  const grid = rowsOf(text);
  assert.deepEqual(grid.map((row) => row.fresh), ['70.0', '50.0', '']);
  const more = `${text}third,60,61,,,\nfourth,70,74,,,\n`.replace(/^model,.*$/m, 'model,old,fresh,a,b,c').replaceAll(/^((?:large|small|half),[^,]*),.*$/gm, (line, begin) => `${begin},${grid.find((row) => line.startsWith(`${row.model},`)).fresh},,,`);
  const file = put(whole, 'grid.csv', more);
  const got = JSON.parse(await must(['fit-points', file, '--x', 'old', '--y', 'fresh', '--resamples', '100']));
  assert.deepEqual([got.dataset, got.n_models, got.excluded], ['fresh', 4, [{ model: 'half', reason: 'no accuracy in column fresh' }]]);
  await fails(['fit-points', file, '--x', 'old', '--y', 'sketch'], /grid\.csv: .*sketch|sketch/);
});

test('by the labels of a source: revisions without one are left out, and the source is named', async () => {
  const list = (await must(['export', 'set', dir, 'fresh', '--format', 'list'])).trimEnd().split('\n').slice(1).map((line) => line.split(','));
  const labels = list.map(([image, wnid], i) => `${image},${i % 2 ? wnid : 'n00000024'},correct`);
  await must(['import', 'labels', dir, put(whole, 'labels.csv', `image,wnid,state\n${labels.join('\n')}\n`), '--name', 'half-right']);
  const { out, err } = await holdout(['export', 'scores', dir, '--labels', 'half-right']), rows = rowsOf(out);
  assert.match(err, /^4 revisions without an image that the label source counts are left out\.$/m);
  assert.deepEqual(new Set(rows.map((row) => `${row.set} ${row.labels.split('/')[0]}`)), new Set(['fresh half-right']));
  const correct = (model) => Number(rows.find((row) => row.model === model).correct);
  assert.ok(correct('large') < 133 && correct('large') > 0, 'half of the labels are others');
});

test('what is sealed is in neither, and what may not be asked', async () => {
  await must(['import', 'set', dir, 'closed', put(whole, 'closed.csv', 'image,wnid\no-3,n00000001\no-13,n00000002\n'), '--sealed']);
  const { out, err } = await holdout(['export', 'scores', dir]);
  assert.ok(!out.includes('closed'));
  assert.match(err, /^1 sealed revision is left out\.$/m);
  await fails(['export', 'scores', dir, '--format', 'wide'], /--format must be long or testbed/, { code: 2 });
  await fails(['export', 'scores', dir, '--top', '5'], /--top is for --format testbed/, { code: 2 });
  await fails(['export', 'scores', dir, '--level', '1'], /--level must be 0.95 or 0.995/, { code: 2 });
});
