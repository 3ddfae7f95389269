/* Commands about the labels of many images, from files: which images count, what is refused. The published results are in
 * tests/golden. */
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { must, wholeFile } from '../http/lib.mjs';
import { fails, put, says } from './tools.mjs';

const whole = wholeFile();
const file = (name, rows) => put(whole, name, `${rows.join('\n')}\n`);
const lines = (out) => out.trimEnd().split('\n');
const OBJECTS = ['image,label,main_label,dropped,objects,object_labels,main_object', 'a,1,1,,2:4|1:5+3:2,2|1,1', 'b,1,2,3,2:5|1:1,2|1,0', 'c,2,1,,1:5,1,0', 'f,2,,,,,'];
const objects = file('objects.csv', OBJECTS);
const images = file('images.csv', ['image,label,stage', 'a,1,fu', 'b,1,fu', 'c,2,fu', 'd,2,easy', 'e,3,mis', 'f,2,amb']);
const classes = file('classes.csv', ['class,superclass', '3,"Dogs, large"', '1,Dogs', '2,Cats']);
const top1 = file('top1.csv', ['image,one,two', 'a,1,2', 'b,2,1', 'c,2,', 'd,2,1']);
const quiet = ['--images', images, '--quiet'];

test('which images count', async () => {
  assert.deepEqual(lines(await must(['cooccurring-pairs', objects, '--least', '1'])), ['class_a,class_b,images', '1,2,2']);
  const pair = JSON.parse(await must(['cooccurring-pairs', objects, '--least', '1', '--json', ...quiet]));
  assert.deepEqual(pair, { class_a: '1', class_b: '2', images: 2, n_a: 3, n_b: 3, lift: 2 * 4 / 9 });
  assert.deepEqual(lines(await must(['confused-pairs', objects, '--least', '1', ...quiet])), ['class_a,class_b,n_a,n_b,a_labelled_b,b_labelled_a', '1,2,2,2,1,1']);
  await fails(['cooccurring-pairs', file('none.csv', OBJECTS.slice(0, 1))], /No image counts/);
});

test('matrices of superclasses', async () => {
  const ask = (...more) => must(['superclass-matrix', objects, '--classes', classes, '--predictions', top1, ...quiet, ...more]);
  assert.deepEqual(lines(await ask()), ['superclass,"Dogs, large",Dogs,Cats', '"Dogs, large",0,0,0', 'Dogs,0,1,1', 'Cats,0,1,1']);
  assert.deepEqual(lines(await ask('--matrix', 'any', '--shares')).slice(1), ['"Dogs, large",,,', 'Dogs,0.0,1.0,1.0', 'Cats,0.0,0.5,0.5']);
  assert.deepEqual(lines(await ask('--within')).slice(0, 3), ['who,superclass,images,within,share', 'human,"Dogs, large",0,0,', 'human,Dogs,2,0,0.0']);
  assert.match(await ask('--correlations'), /^first,second,r,cells\nhuman,any,/);
  await says(['superclass-matrix', objects, '--classes', classes, '--predictions', top1, '--images', images, '--matrix', 'two'],
    /Model two says nothing about 1 of 4 images; they count as wrong[^]*1 images are left out/);
  await fails(['superclass-matrix', objects, '--classes', classes, '--matrix', 'three'], /There is no matrix three/);
  await fails(['superclass-matrix', objects], /give --classes/, { code: 2 });
  await fails(['superclass-matrix', objects, '--classes', file('few.csv', ['class,superclass', '1,Dogs'])], /objects\.csv:2: label 2 is not among the classes/);
});

test('pairs that people find in the images of either', async () => {
  const contains = file('contains.csv', ['image,class,selected,shown', 'a,1,8,8', 'a,2,2,8', 'b,1,4,8', 'c,2,8,8', 'd,2,6,8']);
  const pairs = lines(await must(['confused-pairs', contains, '--frequencies', '--share', '0', ...quiet]));
  assert.deepEqual(pairs, ['class_a,class_b,n_a,n_b,a_in_a,b_in_a,b_in_b,a_in_b,asked', `1,2,2,3,0.75,0.125,${1.75 / 3},0.0,0.2`]);
});

test('what is wrong is named by file and line', async () => {
  const refused = (rows, message) => fails(['cooccurring-pairs', file('bad.csv', rows)], message);
  await refused([OBJECTS[0], OBJECTS[1], OBJECTS[1]], /bad\.csv:3: the image has a row already/);
  await refused([OBJECTS[0], 'a,1,1,,2:4|1:5,2,1'], /bad\.csv:2: objects and object_labels have different numbers of objects/);
  await refused([OBJECTS[0], 'a,1,1,,2:4|1:5,2|1,2'], /bad\.csv:2: main_object must be the number of an object/);
  await refused([OBJECTS[0], 'a,1,1,,2:4||1:5,2|1,0'], /bad\.csv:2: a label must have 1 to 64 bytes/);
  const pairs = (rows) => ['pair-accuracy', file('pairs.csv', rows), '--predictions', top1, ...quiet];
  await fails(pairs(['class_a,class_b', '1,1']), /pairs\.csv:2: the two classes must differ/);
  await fails(['pair-accuracy', objects, '--predictions', top1], /give --images and --predictions/, { code: 2 });
  assert.equal(lines(await must(pairs(['class_a,class_b', '1,2'])))[1], '1,2,one,5,3,4');
});
