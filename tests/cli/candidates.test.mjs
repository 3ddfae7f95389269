/* `holdout potential-labels`, `candidate-labels` and `valid-labels`: which files they read, what they refuse and say. The
 * published results are in tests/golden. */
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { must, wholeFile } from '../http/lib.mjs';
import { fails, put, says } from './tools.mjs';

const whole = wholeFile();
const file = (name, rows) => put(whole, name, `${rows.join('\n')}\n`);
const lines = (out) => out.trimEnd().split('\n');
const images = file('images.csv', ['image,wnid', 'a,n7', 'b,n7', 'c,n1']);
const CONTAINS = ['image,wnid,n_assignments,n_selected', 'a,n7,8,8', 'a,n1,8,4', 'a,n2,8,3', 'b,n7,8,8', 'b,n1,8,1', 'c,n1,8,0', 'c,n2,8,8'];
const contains = file('contains.csv', CONTAINS);
const candidates = (...more) => must(['candidate-labels', contains, '--images', images, '--quiet', ...more]);

test('frequencies as an export writes them, with the labels of a list of images', async () => {
  const rows = lines(await candidates()).slice(1).map((row) => row.split(','));
  assert.deepEqual(rows.map((row) => [row[0], row[1], row[2], row[8]]), [['a', 'n7', 'fu', 'n7+n1'], ['b', 'n7', 'easy', 'n7'], ['c', 'n1', 'mis', '']]);
  assert.match(lines(await candidates('--tau', '0.3'))[1], /^a,n7,fu,.*,n7\+n1\+n2,0$/);
  assert.match(lines(await candidates('--tau', '0.3', '--most', '2'))[1], /^a,n7,fu,.*,n7\+n1,1$/);
  assert.match(lines(await candidates('--least', '9'))[1], /^a,n7,amb,/);
  const json = JSON.parse(lines(await candidates('--json'))[0]);
  assert.deepEqual([json.stage, json.candidates, json.frequency], ['fu', 'n7+n1', 1]);
  await says(['candidate-labels', contains, '--images', images], /fu: 1 images/);
});

test('labels that are as good as the set\'s', async () => {
  const objects = file('objects.csv', ['image,num_objects', 'a,2', 'b,1', 'c,']);
  const rows = lines(await must(['valid-labels', contains, '--images', images, '--objects', objects]));
  assert.deepEqual(rows.slice(0, 4), ['threshold,subset,labels,images,share,at_least', '0.5,all,0,1,,', '0.5,all,1,1,0.5,1.0', '0.5,all,2,1,0.5,0.5']);
  assert.ok(rows.includes('0.5,multi,2,1,1.0,1.0') && rows.includes('1.0,all,1,2,1.0,1.0') && rows.includes('1.0,single,1,1,1.0,1.0'));
  const absolute = lines(await must(['valid-labels', contains, '--images', images, '--absolute']));
  assert.ok(absolute.includes('0.5,all,2,1,0.5,0.5'));
});

test('potential labels, of a table with a column for each model too', async () => {
  const top1 = file('top1.csv', ['image,wnid,one,two', 'a,n7,n1,n7', 'b,n7,n2,', 'd,n1,n1,n1']);
  const r = await says(['potential-labels', top1, '--images', images], /No model says anything about 1 of the images/);
  assert.deepEqual(lines(r.out), ['image,n_potential,potential', 'a,2,n1+n7', 'b,2,n2+n7', 'c,1,n1']);
  assert.deepEqual(lines(await must(['potential-labels', top1, '--images', images, '--models', 'two', '--quiet']))[1], 'a,1,n7');
  await fails(['potential-labels', top1, '--images', images, '--models', 'three'], /has no model "three"/);
  await fails(['potential-labels', top1], /give --images/, { code: 2 });
  const twice = file('twice.csv', ['image,model,p1', 'a,one,n1', 'a,one,n1']);
  await fails(['potential-labels', twice, '--images', images], /twice\.csv:3: image a has a row of model one already/);
});

test('what is wrong is named by file and line', async () => {
  const refused = async (rows, message, ...more) => fails(['candidate-labels', file('bad.csv', rows), ...more], message);
  const [head, first] = CONTAINS;
  await refused([head, first, first], /bad\.csv:3: label n7 of image a has a row already/, '--images', images);
  await refused([head, 'a,n7,4,5'], /bad\.csv:2: 5 people found it, but only 4 were asked/, '--images', images);
  await refused([head, 'a,n7,-1,0'], /bad\.csv:2: n_assignments must be a whole number/, '--images', images);
  await refused([head, 'a,n7,5,x'], /bad\.csv:2: n_selected must be a whole number/, '--images', images);
  await refused([head, first], /which label the set gives image a/);
  await refused(['image,label,class,selected,shown', 'a,7,7,5,5', 'a,8,8,5,5'], /bad\.csv:3: the label of image a is 7 elsewhere/);
  await refused(['image,class,shown', 'a,7,5'], /there is no column "selected"/);
  const staged = (rows) => fails(['candidate-labels', contains, '--images', file('staged.csv', rows)], /staged\.csv:2: stage must be easy/);
  await staged(['image,label,stage', 'a,n7,hard']);
  await fails(['candidate-labels', contains, '--images', file('same.csv', ['image,label', 'a,1', 'a,1'])], /same\.csv:3: image a has a row already/);
  await fails(['candidate-labels', contains, '--images', images, '--tau', '0.33333'], /three decimals/, { code: 2 });
});
