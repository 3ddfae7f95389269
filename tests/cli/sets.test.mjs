/* Image sets, imported predictions and scores from the command line: what is refused says why and writes nothing, a
 * killed import is completed by the next, what is sealed stays unsaid, backups and `check` know of all of it. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { before, test } from 'node:test';

import { faultBin, holdout, must, newProject, tempDir, wholeFile } from '../http/lib.mjs';
import { FaultFile } from '../load/tools.mjs';
import { copyOf, fails, put, says, sql } from './tools.mjs';

const CLASSES = 4;
const IMAGES = 30;
const wnid = (cid) => `n0000000${cid + 1}`;
const name = (i) => `image-${String(i).padStart(3, '0')}`;
const labelOf = (i) => i % CLASSES;
const whole = wholeFile();
let study; /* classes, the sets "val" and "v2"; copied by who changes it */
let files;

const listOf = (images) => ['image,wnid', ...images.map((i) => `${name(i)},${wnid(labelOf(i))}`)].join('\n');
const range = (from, to) => Array.from({ length: to - from }, (_, i) => from + i);

/* Rows of numbers as a .npy file. */
function npy(rows, { type = '<u2', shape = `(${rows.length}, ${rows[0].length})`, fortran = 'False' } = {}) {
  const header = `{'descr': '${type}', 'fortran_order': ${fortran}, 'shape': ${shape}, }\n`;
  const begin = Buffer.from([0x93, ...Buffer.from('NUMPY'), 1, 0, header.length & 255, header.length >> 8]);
  const data = Buffer.alloc(rows.flat().length * 2);
  rows.flat().forEach((v, i) => data.writeUInt16LE(v, 2 * i));
  return Buffer.concat([begin, Buffer.from(header), data]);
}
/* A model that is right about every image but each `wrong`-th, where the label comes second. */
const answers = (images, wrong) => images.map((i, at) => {
  const label = labelOf(i);
  return at % wrong === wrong - 1 ? [(label + 1) % CLASSES, label] : [label, (label + 1) % CLASSES];
});

before(async () => {
  study = await newProject(whole);
  const folder = tempDir(whole);
  files = { classes: path.join(folder, 'classes.csv'), val: path.join(folder, 'val.csv'), v2: path.join(folder, 'v2.csv') };
  fs.writeFileSync(files.classes, ['cid,wnid,synset,gloss,wikipedia', ...range(0, CLASSES).map((c) => `${c},${wnid(c)},thing ${c},a thing,`)].join('\n'));
  fs.writeFileSync(files.val, listOf(range(0, IMAGES)));
  fs.writeFileSync(files.v2, listOf(range(IMAGES, IMAGES + 10)));
  await must(['import', 'classes', study, files.classes]);
  await must(['import', 'set', study, 'val', files.val, '--role', 'original']);
  await must(['import', 'set', study, 'v2', files.v2]);
});

test('lists of images that are refused', async (t) => {
  const dir = copyOf(t, study);
  const was = await sql(dir, '.dump');
  const row = `${name(0)},${wnid(0)}`;
  const cases = [
    [`image,wnid\n${row}\n${row}\n`, /:3: image image-000 appears twice in the list/],
    [`image,wnid\n${name(0)},n99999999\n`, /:2: class n99999999 is not in the project/],
    [`image,wnid\n,${wnid(0)}\n`, /:2: an image's name has/],
    [`row,image,wnid\n1,${row}\n`, /:2: row is 1, but this is row 0/],
    [`image,wnid,cid\n${row},3\n`, /:2: cid is 3, but class n00000001 has 0/],
    ['image,class\na,b\n', /wnid/],
    ['image,wnid\n', /lists no image/],
    ['{"image_filenames": [["a"]]}', /entry 1 of image_filenames/],
    ['{"images": []}', /no list "image_filenames"/],
    ['{"image_filenames": [', /:1: /],
  ];
  for (const [text, message] of cases) await fails(['import', 'set', dir, 'fresh', put(t, 'list', text)], message);
  for (const name of ['a/b', '.a', 'new']) await fails(['import', 'set', dir, name, files.v2], /The name of a set/);
  await fails(['import', 'set', dir, 'v2', files.v2, '--role', 'original'], /has the role "new"/);
  await fails(['import', 'set', dir, 'x', files.v2, '--role', 'gold'], /--role must be/, { code: 2 });
  assert.equal(await sql(dir, '.dump'), was);
});

test('a published dataset, a list in another order, revisions', async (t) => {
  const dir = copyOf(t, study);
  const dataset = put(t, 'd.json', JSON.stringify({ sampling_function: 'best', seed: 7, image_filenames: range(50, 60).map((i) => [name(i), wnid(labelOf(i))]) }));
  await says(['import', 'set', dir, 'v2', dataset], /10 images read, 10 new .*\nv2\/1 is a new revision, frozen/);
  await says(['import', 'set', dir, 'v2', dataset], / 0 new .*\nv2\/1 has these images already/);
  const turned = put(t, 'turned.csv', listOf(range(50, 60).reverse()));
  await says(['import', 'set', dir, 'v2', turned], /another order/);
  const extra = put(t, 'extra.csv', `image,source,wnid\nx,flickr,${wnid(0)}\n`);
  await says(['import', 'set', dir, 'third', extra, '--dry-run'], /Other columns .*: source\.\n1 images read, 1 are new/);
  const parameters = JSON.parse(await sql(dir, 'SELECT parameters FROM revision ORDER BY id DESC LIMIT 1;'));
  assert.deepEqual(parameters, { file: 'd.json', format: 'dataset', dataset: { sampling_function: 'best', seed: 7 } });
  assert.deepEqual((await must(['set', 'list', dir])).split('\n').map((l) => l.split(',').slice(0, 6).join()).slice(0, 4),
    ['set,revision,role,images,strategy,state', 'v2,0,new,10,import,frozen', 'v2,1,new,10,import,frozen', 'val,0,original,30,import,frozen']);
  assert.equal(await sql(dir, "SELECT group_concat(DISTINCT role) FROM image WHERE source IS NULL;"), 'original,candidate\n');
  await fails(['score', dir, '--set', 'v3'], /no image set v3. Choose one of: v2, val/);
});

test('predictions that are refused', async (t) => {
  const dir = copyOf(t, study);
  const was = await sql(dir, '.dump');
  const good = answers(range(0, IMAGES), 5);
  const bring = (file, ...more) => ['import', 'predictions', dir, '--set', 'val', '--model', 'm', file, ...more];
  const bad = (i, row) => npy(good.map((r, at) => (at === i ? row : r)));
  const line = (o) => put(t, 'p.jsonl', `${JSON.stringify({ image: name(0), labels: [0, 1], ...o })}\n`);
  const csv = (text) => put(t, 'p.csv', `image,p1,p2,score1,score2\n${text}\n`);
  await fails(bring(put(t, 'm.npy', npy(good.slice(1)))), /has 29 rows, but val has 30 images/);
  await fails(bring(put(t, 'm.npy', bad(3, [0, CLASSES]))), /:4: 4 is not the number of a class/);
  await fails(bring(put(t, 'm.npy', bad(3, [2, 2]))), /:4: class 2 appears twice among the labels of one image/);
  await fails(bring(put(t, 'm.npy', npy(good).subarray(0, 100))), /cut off|damaged/);
  await fails(bring(put(t, 'm.npy', npy(good, { type: '<f2' }))), /floating-point.*argsort/);
  await fails(bring(put(t, 'm.npy', npy(good, { fortran: 'True' }))), /Fortran order.*ascontiguousarray/);
  await fails(bring(put(t, 'm.npz', 'PK\x03\x04')), /npz archive/);
  await fails(bring(put(t, 'empty.csv', '')), /empty\.csv/);
  await fails(bring(put(t, 'm.npy', npy(good)), '--images', files.v2), /:2: image image-030 is not in val/);
  await fails(bring(put(t, 'm.npy', npy(good)), '--images', put(t, 'short.csv', listOf(range(0, 29)))), /has 30 rows, but .*short\.csv has 29 images/);
  await fails(bring(csv(`${name(30)},0,1,.5,.4`)), /:2: image image-030 is not in val/);
  await fails(bring(csv(`${name(0)},0,1,.5,1.5`)), /:2: score 2 must be a probability/);
  await fails(bring(csv(`${name(0)},,1,.5,.4`)), /:2: label 1 is missing/);
  await fails(bring(csv(`${name(0)},0,1,,\n${name(1)},0,1,.5,.4`)), /:3: this row has scores, but the rows before it have none/);
  await fails(bring(csv(`${name(0)},0,1,,\n${name(0)},0,1,,`)), /:3: model m has predictions about this image twice/);
  await fails(bring(csv(`${name(0)},cat,1,,`)), /:2: "cat" is neither the number nor the wnid/);
  await fails(bring(line({ labels: [] })), /:1: "labels" must be a list/);
  await fails(bring(line({ scores: [1] })), /one number for each/);
  await fails(bring(line({ scores: [0.2, 0.7] })), /:1: the score of class 1 is higher than that of class 0, which comes before it.*--reversed/);
  await fails(bring(csv(`${name(0)},0,1,.5,.4\n${name(1)},2,1,.4,.5`)), /:3: the score of class 1 is higher than that of class 2/);
  await fails(bring(line({ scores: [0.7, 0.2] }), '--reversed'), /:1: the score of class 0 is higher than that of class 1, which --reversed puts before it/);
  await says([...bring(line({ scores: [0.2, 0.7] }), '--reversed'), '--dry-run'], /1 predictions read/);
  await says([...bring(line({ scores: [0.5, 0.5] })), '--dry-run'], /1 predictions read/);
  await fails(bring(line({ image: 7 })), /:1: "image" must be a string/);
  await fails(bring(line({ labels: ['n1'] })), /neither the number nor the wnid/);
  await fails(bring(put(t, 'x.csv', `image,wnid\n${name(0)},${wnid(0)}\n`)), /no column of labels/);
  const one = put(t, 'm.npy', npy(good));
  await fails(['import', 'predictions', dir, one], /name the set of its rows with --set/, { code: 2 });
  await fails(['import', 'predictions', dir, '--set', 'none', one], /no image set none/);
  await fails(['import', 'predictions', dir, '--set', 'none', '--set', 'work.no=1', one], /work\.no/); /* the other --set */
  await fails(bring(one, one), /--model is for a single file/, { code: 2 });
  await fails(bring(put(t, 'x.csv', `image,model,p1\n${name(0)},m,0\n`)), /names its models itself/, { code: 2 });
  await fails(['import', 'predictions', dir, tempDir(t)], /no file to import/);
  await fails(['import', 'predictions', dir, '--set', 'val', put(t, 'bad name.npy', npy(good))], /cannot be a model's name/);
  /* One bad file among good ones: none is written. */
  await fails(['import', 'predictions', dir, '--set', 'val', one, put(t, 'n.npy', bad(9, [9, 9]))], /1 row of these files/);
  const wrong = `${JSON.stringify({ image: name(0), labels: ['n1'] })}\n`;
  await fails(['import', 'predictions', dir, '--set', 'val', put(t, 'p.jsonl', wrong), put(t, 'q.jsonl', wrong)], /q\.jsonl:1: .*\n.*2 rows of these files/);
  await fails(['import', 'predictions', dir, '--set', 'val', '--images', '-', '--model', 'm', '-'],
    /standard input can only be read once/, { code: 2, input: listOf(range(0, IMAGES)) });
  assert.equal(await sql(dir, '.dump'), was);
});

test('files of every shape are the same predictions', async (t) => {
  const dir = copyOf(t, study);
  const rows = answers(range(0, IMAGES), 5);
  const scores = async (set) => (await must(['score', dir, '--set', set])).trimEnd().split('\n').slice(1).map((l) => l.split(',').filter((_, i) => [1, 3, 7].includes(i)).join());
  const shapes = {
    'a.npy': npy(rows),
    'b.csv': ['image,p1,p2', ...rows.map((r, i) => `${name(i)},${r}`)].join('\n'),
    'c.csv': ['image,wnid,label1,label2,score1,score2', ...rows.map((r, i) => `${name(i)},x,${r.map(wnid)},,`)].join('\n'),
    'd.jsonl': rows.map((r, i) => JSON.stringify({ image: name(i), labels: r.map(wnid) })).join('\n'),
  };
  for (const [file, text] of Object.entries(shapes)) {
    await says(['import', 'predictions', dir, '--set', 'val', '--model', 'one', put(t, file, text)], file === 'a.npy' ? / 30 new; 1 new/ : / 0 new; 0 new/);
  }
  assert.deepEqual(await scores('val'), ['one,24,']); /* two labels: no top-5 */
  /* Many models in one file, by a column or by a column each; no --set is needed where names are. */
  const long = ['image,model,p1', ...rows.flatMap((r, i) => [`${name(i)},two,${r[0]}`, `${name(i)},three,0`])].join('\n');
  await says(['import', 'predictions', dir, put(t, 'long.csv', long)], /60 predictions read in 1 file, 60 new; 2 new models/);
  const wide = ['image,four,five', ...rows.map((r, i) => `${name(i)},${r[0]},${i % 2 ? '' : r[0]}`)].join('\n');
  await says(['import', 'predictions', dir, put(t, 'wide.csv', wide)], /45 predictions read .* 2 new models/);
  const r = await holdout(['score', dir, '--set', 'val']);
  assert.match(r.err, /Left out: five \(predictions about 15 of 30 images of val\)/);
  assert.deepEqual((await scores('val')).sort(), ['four,24,', 'one,24,', 'three,8,', 'two,24,']);
/* The set is frozen: predictions of fewer labels are kept beside those that score it. */
  await says(['import', 'predictions', dir, '--set', 'val', put(t, 'one.csv', ['image,p1', ...rows.map((row, i) => `${name(i)},${row[0]}`)].join('\n'))], /warning: Other predictions of model one score val\/0, and still do: .* differ for 0 of 30 images/);
  assert.equal((await scores('val')).find((l) => l.startsWith('one')), 'one,24,');
  await must(['check', dir]);
});

/* A set that was imported as changes of its parent has no order: rows without names are nobody's. A list of all images
 * has one, whatever its form. */
test('rows of a file without names are never guessed', async (t) => {
  const dir = copyOf(t, study);
  const images = range(30, 42);
  const published = [...images].reverse().map((i) => [name(i), wnid(labelOf(i))]);
  const history = put(t, 'h.jsonl', JSON.stringify({ name: 'fresh-0', parent: null, add: published, remove: [] }));
  const dataset = put(t, 'whole-3.json', JSON.stringify({ image_filenames: published }, null, 1));
  await must(['import', 'sets', dir, history]);
  await must(['import', 'sets', dir, dataset]);
  await must(['import', 'set', dir, 'made', dataset]);
  const rows = answers(images, 100);
  const array = put(t, 'm.npy', npy(rows));
  const unnamed = put(t, 'u.csv', ['p1,p2', ...rows].join('\n'));
  const list = put(t, 'list.csv', listOf(images));
  for (const set of ['fresh', 'fresh-0']) {
    for (const file of [array, unnamed]) {
      const was = await sql(dir, '.dump');
      await fails(['import', 'predictions', dir, '--set', set, '--model', 'm', file], /names no images, and .* is imported without the order of its list.*--images IMAGES\.csv/);
      assert.equal(await sql(dir, '.dump'), was);
    }
  }
  const backwards = put(t, 'b.npy', npy([...rows].reverse()));
  for (const [set, model] of [['whole/3', 'w'], ['made/0', 'd']]) {
    await says(['import', 'predictions', dir, '--set', set, '--model', model, backwards], / 12 new/);
    assert.match(await must(['score', dir, '--set', set]), new RegExp(`,${model},12,12,`));
  }
  await says(['import', 'predictions', dir, '--set', 'fresh', '--model', 'j', backwards, '--images', dataset], / 12 new/);
  assert.match(await must(['score', dir, '--set', 'fresh']), /,j,12,12,/);
  await says(['import', 'predictions', dir, '--set', 'fresh', '--model', 'm', array, '--images', list], / 12 new; 1 new models/);
  await says(['import', 'predictions', dir, '--set', 'fresh', '--model', 'm', unnamed, '--images', list], / 0 new; 0 new models/);
  assert.match(await must(['score', dir, '--set', 'fresh']), /^\d,m,12,12,/m);
  /* Rows with names need no order; lists that came as CSV have one, and so have exported ones. */
  await says(['import', 'predictions', dir, '--set', 'made', put(t, 'named.csv', ['image,p1,p2', ...rows.map((r, i) => `${name(images[i])},${r}`)].join('\n')), '--model', 'named'], / 12 new/);
  const out = put(t, 'out.csv', await must(['export', 'set', dir, 'made', '--format', 'list']));
  await says(['import', 'predictions', dir, '--set', 'made', '--model', 'ours', '--images', out, put(t, 'r.npy', npy([...rows].reverse()))], / 12 new/);
  assert.match(await must(['score', dir, '--set', 'made']), /,ours,12,12,/);
  const known = answers(range(0, IMAGES), 100);
  await says(['import', 'predictions', dir, '--set', 'val', '--model', 'k', put(t, 'k.npy', npy(known))], / 30 new/);
  await says(['import', 'predictions', dir, '--set', 'val', '--model', 'k', put(t, 'k.csv', ['p1,p2', ...known].join('\n'))], / 0 new/);
  await fails(['import', 'predictions', dir, '--set', 'val', '--model', 'k', put(t, 'k.csv', ['p1,p2', ...known.slice(1)].join('\n'))], /has 29 rows, but val has 30 images/);
  await fails(['import', 'predictions', dir, '--model', 'k', unnamed], /name the set of its rows with --set/, { code: 2 });
  await fails(['import', 'predictions', dir, '--set', 'val', put(t, 'wide.csv', ['alpha,beta', '0,1'].join('\n'))], /no column .*image/);
});

test('what a file says of its rows must fit the list, and nothing that it says is passed over', async (t) => {
  const dir = copyOf(t, study);
  const images = range(0, IMAGES);
  const rows = answers(images, 5);
  /* Two neighbours of each class change places: accuracy says nothing of it. */
  const turned = images.map((i) => (i < 8 ? (i + 4) % 8 : i));
  const table = (head, order, cells) => put(t, 'u.csv', [head, ...order.map((i) => [...cells(i), ...rows[i]].join())].join('\n'));
  const bring = (file, ...more) => ['import', 'predictions', dir, '--set', 'val', '--model', 'm', file, ...more];
  const was = await sql(dir, '.dump');
  for (const head of ['row', '']) {
    await fails(bring(table(`${head},p1,p2`, turned, (i) => [i])), /u\.csv:2: row is "4", but this is row 0, counted from 0\. .*column image\n(.*\n)*.*8 rows of/);
  }
  await fails(bring(table('row,p1,p2', images, (i) => [i + 1])), /u\.csv:2: row is "1", but this is row 0/);
  await fails(bring(table('row,p1,p2', images, () => ['x'])), /u\.csv:2: row is "x"/);
  const mixed = images.map((i) => (i < 2 ? 1 - i : i));
  for (const [head, cell] of [['wnid', (i) => wnid(labelOf(i))], ['cid', labelOf]]) {
    await fails(bring(table(`${head},p1,p2`, mixed, (i) => [cell(i)])),
      /u\.csv:2: the row is about class \S+, but row 0 of val is about another: the file's rows are in another order\. --images IMAGES\.csv .*\n(.*\n)*.*2 rows of/);
  }
  for (const head of ['file', 'Image', 'name']) {
    await fails(bring(table(`${head},p1,p2`, turned, (i) => [name(i)])), new RegExp(`u\\.csv:1: the column "${head}" is not known\\. Call it image if it names`));
  }
  for (const [columns, wrong] of [['p0,p1', 'p0'], ['p1,p3', 'p3'], ['label0,label1', 'label0']]) {
    for (const names of [true, false]) {
      await fails(bring(table(`${names ? 'image,' : ''}${columns}`, images, (i) => (names ? [name(i)] : []))),
        new RegExp(`u\\.csv:1: the column ${wrong} does not fit the others: they must be (p|label)1, (p|label)2, \\.\\.\\., best first`));
    }
  }
  await fails(bring(put(t, 's.csv', `image,p1,score0,score1\n${name(0)},0,1,0\n`)), /s\.csv:1: the column score0 does not fit the others/);
  await fails(bring(put(t, 'l.jsonl', JSON.stringify(rows))), /l\.jsonl:1: an array; expected one JSON object per line/);
  await fails(bring(put(t, 'l.jsonl', `{"image": "${name(0)}", "labels": [1.0]}`)), /l\.jsonl:1: the label 1\.0 is neither the number nor the wnid/);
  await fails(bring(put(t, 'u.csv', Buffer.from('\ufeffimage,p1\n', 'utf16le'))), /u\.csv is stored as UTF-16\. Save it as UTF-8/);
  assert.equal(await sql(dir, '.dump'), was);
  await says(bring(table('row,wnid,cid,p1,p2', images, (i) => [i, wnid(labelOf(i)), labelOf(i)])), / 30 new; 1 new/);
  await says(bring(table(',p1,p2', images, (i) => [i])), / 0 new; 0 new/);
  /* The numbers are those of the list that --images gives. */
  const list = put(t, 'turned.csv', listOf(turned));
  await says(bring(put(t, 'u.csv', ['row,cid,p1,p2', ...turned.map((i, row) => [row, labelOf(i), ...rows[i]].join())].join('\n')), '--images', list), / 0 new; 0 new/);
});

test('JSON lines may name their model', async (t) => {
  const dir = copyOf(t, study);
  const line = (i, model, labels = [labelOf(i)]) => JSON.stringify({ image: name(i), model, labels });
  const both = put(t, 'both.jsonl', range(0, IMAGES).flatMap((i) => [line(i, 'one'), line(i, 'two', [0])]).join('\n'));
  await says(['import', 'predictions', dir, '--set', 'val', both], /60 predictions read in 1 file, 60 new; 2 new models/);
  assert.deepEqual(await right(dir, 'val'), { one: 30, two: 8 });
  await says(['import', 'predictions', dir, '--set', 'val', '-'], /1 predictions read in 1 file, 0 new/, { input: line(3, 'one') });
  await fails(['import', 'predictions', dir, '--set', 'val', '--model', 'one', both], /both\.jsonl:2: the line belongs to model two, not one/);
  await fails(['import', 'predictions', dir, '--set', 'val', '-'], /standard input:2: it names no model: name one with --model/, { input: `${line(0, 'one')}\n${line(1)}` });
  await fails(['import', 'predictions', dir, put(t, 'part.jsonl', [header(), JSON.stringify({ ...JSON.parse(lineOf(0)), model: 'other' })].join('\n'))],
    /part\.jsonl:2: the line belongs to model other, not net/);
});

test('a class keeps its number once there are predictions by it', async (t) => {
  const dir = copyOf(t, study);
  const moved = put(t, 'moved.csv', `cid,wnid,synset\n9,${wnid(3)},thing 3\n`);
  await says(['import', 'classes', dir, moved, '--dry-run'], /1 classes read/);
  await must(['import', 'predictions', dir, '--set', 'val', '--model', 'm', put(t, 'm.npy', npy(answers(range(0, IMAGES), 5)))]);
  const was = await sql(dir, '.dump');
  await fails(['import', 'classes', dir, moved], /moved\.csv:2: cid is 9, but class n00000004 has 3 in the project, and predictions use that number/);
  assert.equal(await sql(dir, '.dump'), was);
  await says(['import', 'classes', dir, put(t, 'more.csv', `cid,wnid,synset\n3,${wnid(3)},thing three\n9,n00000009,thing 9\n`)], /2 classes read, 2 new or changed/);
  assert.deepEqual(await right(dir, 'val'), { m: 24 });
});

test('answers that are no better than chance are said', async (t) => {
  const dir = copyOf(t, study);
  const list = range(0, 700);
  await must(['import', 'set', dir, 'big', put(t, 'big.csv', listOf(list))]);
  const good = answers(list, 10);
  const order = list.map((i) => [Math.sin(i) * 1e4 % 1, i]).sort(([a], [b]) => a - b).map(([, i]) => i);
  const shuffled = order.map((i) => good[i]);
  const bring = (model, rows, ...more) => ['import', 'predictions', dir, '--set', 'big', '--model', model, put(t, `${model}.npy`, npy(rows)), ...more];
  await says(bring('lost', shuffled), /warning: .*model lost is right no more often than chance \(\d\d\.\d % of 700 images, chance \d\d\.\d %\).*--images IMAGES\.csv/);
  /* Without a set they may be the images of a sealed one. */
  const named = put(t, 'named.csv', ['image,p1,p2', ...shuffled.map((r, i) => `${name(i)},${r}`)].join('\n'));
  await says(['import', 'predictions', dir, '--model', 'named', named, '--dry-run'], /model named is right no more often than chance: its rows/);
  const fine = await says(bring('good', good), / 700 new/);
  assert.doesNotMatch(fine.err, /chance/);
});

/* What each model has right of a set, by its table. */
const right = async (dir, set) => Object.fromEntries((await must(['score', dir, '--set', set])).trimEnd().split('\n').slice(1).map((l) => l.split(',')).map((l) => [l[1], Number(l[3])]));
const wrongAt = (rows, places) => rows.map(([a, b], i) => (places.includes(i) ? [b, a] : [a, b]));

test('a score of a frozen set never changes by another import', async (t) => {
  const bring = (dir, set, rows, model = 'm') => ['import', 'predictions', dir, '--set', set, '--model', model, put(t, `${set.replace('/', '-')}.npy`, npy(rows))];
  const good = answers(range(0, 40), 100);
  /* Two sets share ten images, about which their files disagree: either order gives either set its own. */
  const steps = [(dir) => bring(dir, 'val', wrongAt(good.slice(0, 30), [25])), (dir) => bring(dir, 'late', wrongAt(good.slice(20, 40), [0, 1, 2]))];
  for (const order of [steps, [...steps].reverse()]) {
    const dir = copyOf(t, study);
    await must(['import', 'set', dir, 'late', put(t, 'late.csv', listOf(range(20, 40)))]);
    for (const step of order) await says(step(dir), / new; [01] new models/);
    assert.deepEqual([await right(dir, 'val'), await right(dir, 'late')], [{ m: 29 }, { m: 17 }]);
    const was = await sql(dir, '.dump');
    for (const step of steps) await says(step(dir), / 0 new; 0 new models/);
    assert.equal(await sql(dir, '.dump'), was, 'importing twice changes nothing');
  }
  /* A subset of the originals is another set; so are predictions of a run, or without a set. */
  const dir = copyOf(t, study);
  await must(bring(dir, 'val', wrongAt(good.slice(0, 30), [25])));
  await must(['import', 'set', dir, 'part', put(t, 'part.csv', listOf(range(0, 10))), '--role', 'original']);
  assert.deepEqual(await right(dir, 'part'), { m: 10 }); /* until it has a file of its own, and that is said */
  await says(bring(dir, 'part', wrongAt(good.slice(0, 10), [1, 2, 3, 4])),
    /warning: part\/0 was scored by predictions of model m that were imported for another list \(source \d+\).* replace them: they differ for 4 of 10 images/);
  const loose = ['image,p1,p2', ...wrongAt(good.slice(0, 30), range(0, 30)).map((r, i) => `${name(i)},${r}`)].join('\n');
  await must(['import', 'predictions', dir, '--model', 'm', put(t, 'loose.csv', loose)]);
  assert.deepEqual([await right(dir, 'val'), await right(dir, 'part')], [{ m: 29 }, { m: 6 }]);
  const said = JSON.parse(await must(['score', dir, '--set', 'val', '--json'])).models[0];
  assert.deepEqual([said.scored_by.length, said.scored_by[0].images, said.scored_by[0].made_by], [1, 30, 'val.npy']);
});

test('replacing predictions of a frozen set needs a decision', async (t) => {
  const dir = copyOf(t, study);
  const good = answers(range(0, 30), 100);
  const bring = (file, rows) => ['import', 'predictions', dir, '--set', 'val', '--model', 'm', put(t, file, npy(rows))];
  await must(bring('first.npy', wrongAt(good, [3, 4, 5])));
  await says(bring('second.npy', wrongAt(good, [5, 6])), /warning: Other predictions of model m score val\/0, and still do.* differ for 3 of 30 images/);
  assert.deepEqual(await right(dir, 'val'), { m: 27 });
  const table = async () => (await must(['set', 'sources', dir, 'val'])).trimEnd().split('\n').map((l) => l.split(','));
  const [head, one, two] = await table();
  assert.deepEqual(head, ['model', 'source', 'kind', 'made_by', 'images', 'counted', 'top1_correct', 'top5_correct', 'differs', 'chosen']);
  assert.deepEqual([one.slice(2), two.slice(2)], [['import', 'first.npy', '30', '30', '27', '', '0', 'no'], ['import', 'second.npy', '30', '0', '28', '', '3', 'no']]);
  const differ = (await must(['set', 'sources', dir, 'val', '--differences', '--model', 'm'])).trimEnd().split('\n');
  assert.equal(differ[0], 'image,model,counted_source,counted_label,other_source,other_label');
  assert.deepEqual(differ.slice(1), [3, 4, 6].map((i) => [name(i), 'm', one[1], wnid(good[i][i === 6 ? 0 : 1]), two[1], wnid(good[i][i === 6 ? 1 : 0])].join()));

  const choose = (...more) => ['set', 'choose', dir, 'val', 'm', ...more];
  const was = await sql(dir, '.dump');
  await fails(choose(two[1]), /--reason is missing/, { code: 2 });
  await fails(choose('--reason', 'x'), /give the number of a source, or --undo/, { code: 2 });
  await fails(choose('99999', '--reason', 'x'), /no source 99999 of predictions about val\/0/);
  await fails(choose('--undo', '--reason', 'x'), /nothing to undo/);
  await says(choose(two[1], '--reason', 'x', '--dry-run'), /dry run/);
  assert.equal(await sql(dir, '.dump'), was);
  await says(choose(two[1], '--reason', 'the rows were shifted'), new RegExp(`val/0: source ${two[1]} scores m, 28 of 30 right at top-1`));
  await fails(choose(two[1], '--reason', 'x'), /is already chosen for this revision/);
  assert.deepEqual(await right(dir, 'val'), { m: 28 });
  await says(choose('--undo', '--reason', 'they were not'), new RegExp(`source ${one[1]} scores m, 27 of 30`));
  assert.deepEqual(await right(dir, 'val'), { m: 27 });
  assert.equal(await sql(dir, "SELECT group_concat(kind, ' ') FROM event WHERE kind GLOB 'predictions.*choose';"), 'predictions.choose predictions.unchoose\n');
  /* A model that comes later counts at once, and what is not frozen follows the newest. */
  await must(['import', 'predictions', dir, '--set', 'val', put(t, 'late.npy', npy(good))]);
  assert.deepEqual(await right(dir, 'val'), { late: 30, m: 27 });
  await must(['import', 'set', dir, 'open', put(t, 'open.csv', listOf(range(0, 30))), '--sealed']);
  await must(['set', 'unseal', dir, 'open', '--reason', 'x']);
  for (const wrong of [1, 2]) {
    await must(['import', 'predictions', dir, '--set', 'open', '--model', 'm', put(t, `${wrong}.npy`, npy(wrongAt(good, range(0, wrong))))]);
    assert.equal((await right(dir, 'open')).m, 30 - wrong);
  }
  await must(['set', 'freeze', dir, 'open', '--reason', 'x']);
  await must(['import', 'predictions', dir, '--set', 'open', '--model', 'm', put(t, '3.npy', npy(wrongAt(good, [0, 1, 2])))]);
  assert.equal((await right(dir, 'open')).m, 28);
  await must(['check', dir]);
});

const digest = 'ab'.repeat(32);
const header = (more) => JSON.stringify({ holdout: 'predictions', model: 'net', hash: '00'.repeat(64), recipe: { crop: 8 }, engine: 'test 1', bytes: 'original', k: 2, digest, shard: '1/2', ...more });
const lineOf = (i) => JSON.stringify({ image: name(i), labels: [wnid(labelOf(i)), wnid((i + 1) % CLASSES)], scores: [Math.fround(0.1 + i / 100), 0.05] });

test('parts of one run merge', async (t) => {
  const dir = copyOf(t, study);
  const part = (n, images, more) => put(t, `part-${n}.jsonl`, [header({ shard: `${n}/2`, ...more }), ...images.map(lineOf)].join('\n'));
  const first = part(1, range(0, 15));
  await says(['import', 'predictions', dir, first], /15 predictions read in 1 file, 15 new; 1 new models/);
  await says(['import', 'predictions', dir, first, part(2, range(15, 30))], /30 predictions read in 2 files, 15 new; 0 new models/);
  await says(['import', 'predictions', dir, put(t, 'both', [fs.readFileSync(first, 'utf8'), [header(), ...range(15, 30).map(lineOf)].join('\n')].join('\n'))], /30 predictions read in 1 file, 0 new/);
  const said = JSON.parse(await must(['score', dir, '--set', 'val', '--json']));
  assert.deepEqual(said.models.map((m) => [m.model, m.top1.correct, m.sources.length, m.sources[0].digest, m.sources[0].engine]), [['net', 30, 1, digest, 'test 1']]);
  const out = (await must(['export', 'predictions', dir, '--set', 'val'])).split('\n');
  assert.equal(out[8], `${name(7)},${wnid(3)},net,${wnid(3)},${wnid(0)},,,,${Math.fround(0.17).toPrecision(9)},0.0500000007,,,`);
  await fails(['import', 'predictions', dir, part(1, [0], { k: 6 })], /"k" must be a number from 1 to 5/);
  await fails(['import', 'predictions', dir, part(1, [0], { digest: 'ab' })], /"digest" must be 32 bytes/);
  await fails(['import', 'predictions', dir, part(1, [0], { k: 1 })], /there are 2 labels, but the header says 1/);
  await fails(['import', 'predictions', dir, part(1, [0], { engine: undefined })], /must have "engine"/);
  await fails(['import', 'predictions', dir, '--model', 'other', first], /the part belongs to model net, not other/);
});

/* Killed at the first, the third, ... write: the next run completes it, and it is what one run makes. */
test('killed imports are completed by the next', async (t) => {
  const state = (dir) => sql(dir, "SELECT l.position, i.name, k.wnid FROM set_list_image l JOIN image i ON i.id = l.image JOIN class k ON k.id = l.class"
    + " JOIN revision r ON r.list = l.list JOIN image_set s ON s.id = r.image_set WHERE s.name = 'big' ORDER BY 1; SELECT count(*) FROM set_list;"
    + ' SELECT hex(data) FROM prediction_block ORDER BY id; SELECT count(*) FROM prediction_source; SELECT name, role FROM image ORDER BY name;');
  const list = put(t, 'big.csv', listOf(range(0, 700)));
  const file = put(t, 'm.npy', npy(answers(range(0, 700), 3)));
  const steps = (dir) => [['import', 'set', dir, 'big', list, '--role', 'original'], ['import', 'predictions', dir, '--set', 'big', file]];
  const reference = copyOf(t, study);
  for (const args of steps(reference)) await must(args);
  let kills = 0;
  for (const n of [2, 5, 9, 14]) {
    const dir = copyOf(t, study);
    const faults = new FaultFile(tempDir(t));
    for (const args of steps(dir)) {
      faults.killAfter(n);
      kills += (await holdout(args, { binary: faultBin, env: faults.env })).signal === 'SIGKILL';
      faults.killAfter(0);
      await must(args, { binary: faultBin, env: faults.env });
    }
    faults.close();
    assert.equal(await state(dir), await state(reference), `killed at write ${n}`);
    await must(['check', dir]);
  }
  assert.ok(kills >= 4, `${kills} kills`);
});

test('sealed until frozen', async (t) => {
  const dir = copyOf(t, study);
  await says(['import', 'set', dir, 'hidden', put(t, 'h.csv', listOf(range(60, 80))), '--sealed'], /hidden\/0 is a new revision, sealed/);
  const file = put(t, 'm.npy', npy(answers(range(60, 80), 4).map((r) => r.reverse())));
  const r = await holdout(['import', 'predictions', dir, '--set', 'hidden', file]);
  assert.match(r.err, /warning: .*right more often than the first: /);
  assert.doesNotMatch(r.err, /%/, 'not how often');
  for (const args of [['score', dir, '--set', 'hidden'], ['score', dir, '--original', 'val', '--new', 'hidden/0'], ['score', dir, '--set', 'hidden', '--json'], ['export', 'predictions', dir, '--set', 'hidden']]) {
    const refused = await fails(args, /hidden\/0 is sealed: models are not scored/);
    assert.equal(refused.out, '');
  }
  await fails(['set', 'unseal', dir, 'hidden'], /--reason is missing/, { code: 2 });
  await fails(['set', 'unseal', dir, 'hidden/3', '--reason', 'x'], /no revision hidden\/3/);
  await says(['set', 'unseal', dir, 'hidden', '--reason', 'a look', '--dry-run'], /unsealed \(dry run/);
  await fails(['score', dir, '--set', 'hidden'], /is sealed/);
  await says(['set', 'unseal', dir, 'hidden', '--reason', 'a look'], /hidden\/0 is unsealed now/);
  await says(['score', dir, '--set', 'hidden'], /hidden\/0 was unsealed before it was final: a look/);
  assert.equal(JSON.parse(await must(['score', dir, '--set', 'hidden', '--json'])).set.state_reason, 'a look');
  await says(['set', 'freeze', dir, 'hidden/0', '--reason', 'final'], /is frozen now/);
  await fails(['set', 'unseal', dir, 'hidden/0', '--reason', 'x'], /is already frozen/);
  assert.equal(await sql(dir, "SELECT group_concat(kind, ' ') FROM event WHERE kind GLOB 'set.*' AND subject IS NOT NULL ORDER BY id;"), 'set.frozen set.frozen set.unsealed set.frozen\n');
});

/* Rows that `model add` and `features` write, without a model that must run. */
const MODEL_ROWS = `INSERT INTO event (id, at, kind) VALUES (9001, 1, 'model.add'), (9002, 1, 'features');
  INSERT INTO model (id, name, kind, file, hash, bytes, recipe, facts) VALUES (9001, 'net', 'onnx', 'sub/net.onnx', zeroblob(64), 5, '{}', '{}');
  INSERT INTO feature_source (id, model, output, dim, engine, recipe, digest) VALUES (9002, 9001, 'f', 3, 'e', '{}', zeroblob(32));
  INSERT INTO feature_block (source, first, records, images) VALUES (9002, 0, 2, x'0100000002000000');`;

test('backups have models and features, and `check` looks at them', async (t) => {
  const dir = copyOf(t, study);
  const target = path.join(tempDir(t), 'backup');
  const inside = (...p) => path.join(dir, ...p);
  await must(['import', 'predictions', dir, '--set', 'val', put(t, 'm.npy', npy(answers(range(0, IMAGES), 5)))]);
  await sql(dir, MODEL_ROWS);
  fs.mkdirSync(inside('models', 'sub'), { recursive: true });
  fs.mkdirSync(inside('features'), { recursive: true });
  fs.writeFileSync(inside('models', 'sub', 'net.onnx'), 'model');
  fs.writeFileSync(inside('features', '9002.f32'), Buffer.alloc(40, 1)); /* 24 are known */
  await must(['check', dir]);
  const back = () => {
    const stamp = fs.readdirSync(target).filter((f) => /^\d{8}T\d{9}Z$/.test(f)).sort().at(-1);
    return [`models-${stamp}/sub/net.onnx`, `features-${stamp}/9002.f32`].map((f) => fs.statSync(path.join(target, stamp, f)));
  };
  assert.equal(JSON.parse(await must(['backup', dir, target, '--json'])).other_files, 2);
  const first = back();
  assert.deepEqual(first.map((s) => s.size), [5, 24]);
  assert.equal(JSON.parse(await must(['backup', dir, target, '--json'])).copied, 0);
  assert.deepEqual(back().map((s) => s.ino), first.map((s) => s.ino), 'shared with the earlier backup');
  fs.writeFileSync(inside('models', 'sub', 'net.onnx'), 'other');
  await sql(dir, "INSERT INTO feature_block (source, first, records, images) VALUES (9002, 2, 1, x'03000000');");
  assert.equal(JSON.parse(await must(['backup', dir, target, '--json', '--link'])).copied, 2);
  assert.deepEqual(back().map((s) => s.size), [5, 36]);
  const again = path.join(tempDir(t), 'again');
  await says(['restore', target, again], /2 files of models and features came with it/);
  assert.equal(fs.readFileSync(path.join(again, 'models', 'sub', 'net.onnx'), 'utf8'), 'other');
  assert.equal(await must(['score', again, '--set', 'val']), await must(['score', dir, '--set', 'val']));

  const damage = [
    ['UPDATE set_list_image SET class = 1 WHERE list = 1 AND position = 2;', /^set: the images and labels of val\/0 do not match its digest/m],
    ['DELETE FROM set_list_image WHERE list = 2 AND position = 9;', /^set: a list has 9 rows instead of 10/m],
    ['UPDATE prediction_block SET data = substr(data, 2);', /^prediction: the block 1 of predictions is damaged/m],
    ['UPDATE prediction_block SET most = most - 1;', /^prediction: the block 1 .* is damaged: image \d+ is not one of those/m],
    ["UPDATE prediction_block SET most = 999999999, data = CAST(x'FFFFFF0F' || substr(data, 5) AS BLOB);", /^prediction: 1 predictions are about images that the project does not have/m],
    ["UPDATE prediction_block SET data = CAST(substr(data, 1, 4) || x'0800' || substr(data, 7) AS BLOB);", /^prediction: 1 labels are not the number of any class/m],
    ['INSERT INTO prediction_block (source, records, least, most, data) SELECT source, records, least, most, data FROM prediction_block;', /^prediction: 30 predictions repeat an image of the same source/m],
    ['UPDATE feature_source SET dim = 4;', /^size: .*9002\.f32 has 40 bytes, but its index has 3 rows of 4/m],
    ["UPDATE model SET file = 'gone.onnx' WHERE id = 9001;", /^missing: .*gone\.onnx, the file of the model net/m],
  ];
  for (const [change, message] of damage) {
    const bad = path.join(tempDir(t), 'bad');
    fs.cpSync(dir, bad, { recursive: true });
    await sql(bad, change);
    const r = await holdout(['check', bad]);
    assert.equal(r.code, 1, change);
    assert.match(r.out, message);
  }
});
