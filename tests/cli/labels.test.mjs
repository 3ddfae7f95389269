/* `holdout import labels` and what scores make of label sources: every format says the same, wrong rows are refused with
 * their place and nothing is stored, versions stay, and images that do not count do not. */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';

import { holdout, must, newProject, wholeFile } from '../http/lib.mjs';
import { copyOf, fails, put, says, sql } from './tools.mjs';

const whole = wholeFile();
const WNIDS = ['n00000001', 'n00000002', 'n00000003'];
const IMAGES = ['a', 'b', 'c', 'd', 'e', 'f'];
const SET_LABEL = [0, 0, 1, 1, 2, 2];
/* First and second answer of each model, by image. */
const SAYS = { sharp: [[0, 1], [1, 0], [1, 0], [2, 1], [2, 0], [1, 2]], blunt: [[1, 0], [1, 2], [2, 0], [0, 2], [0, 1], [2, 0]] };
let dir;

const file = (t, name, text) => put(t, name, text);
const list = (text) => text.trimEnd().split('\n').map((line) => line.split(','));

before(async () => {
  dir = await newProject(whole);
  await must(['import', 'classes', dir, put(whole, 'c.csv', `cid,wnid,synset,gloss,wikipedia\n${WNIDS.map((w, i) => `${i},${w},thing ${i},,\n`).join('')}`)]);
  const set = (names) => put(whole, 's.csv', `image,wnid\n${names.map((n) => `${n},${WNIDS[SET_LABEL[IMAGES.indexOf(n)]]}\n`).join('')}`);
  await must(['import', 'set', dir, 'val', set(IMAGES), '--role', 'original']);
  await must(['import', 'set', dir, 'part', set(['c', 'd', 'e', 'f']), '--role', 'original']);
  for (const [model, rows] of Object.entries(SAYS)) {
    await must(['import', 'predictions', dir, '--model', model, put(whole, `${model}.csv`, `image,p1,p2\n${rows.map((p, i) => `${IMAGES[i]},${p.join(',')}\n`).join('')}`)]);
  }
});

/* Right answers of each model at top-1, and of how many images. */
async function score(at, labels, ...more) {
  const [head, ...rows] = list(await must(['score', at, '--set', 'val', '--labels', labels, ...more]));
  return Object.fromEntries(rows.map((row) => [row[head.indexOf('model')], [Number(row[head.indexOf('top1_correct')]), Number(row[head.indexOf('n')])]]));
}
const stored = (at) => sql(at, `SELECT i.name, c.cid, l.verdict, li.problematic FROM label_list_image li JOIN image i ON i.id = li.image
  LEFT JOIN label l ON l.list = li.list AND l.position = li.position LEFT JOIN class c ON c.id = l.class
  WHERE li.list = (SELECT list FROM label_version ORDER BY id DESC LIMIT 1) ORDER BY li.position, l.rank`);

const REVIEW = { a: [[0, 'correct'], [1, 'unclear']], b: [[1, 'wrong']], c: [], d: [[2, 'correct'], [1, 'correct']], e: [[2, 'dontknow']] };
const PROBLEMATIC = 'd';

test('a table, JSON lines and the shape of TensorFlow Datasets say the same of reviews', async (t) => {
  const row = (image, label, verdict) => ({ image, label, verdict, problematic: image === PROBLEMATIC ? 1 : 0 });
  const rows = Object.entries(REVIEW).flatMap(([image, labels]) => (labels.length ? labels.map(([l, v]) => row(image, l, v)) : [row(image, '', '')]));
  const files = {
    'r.csv': `image,label,verdict,problematic\n${rows.map((r) => `${Object.values(r).join(',')}\n`).join('')}`,
    'wnids.csv': `problematic,state,wnid,image\n${rows.map((r) => `${r.problematic},${r.verdict},${WNIDS[r.label] ?? ''},${r.image}\n`).join('')}`,
    'r.jsonl': rows.map((r) => `${JSON.stringify({ ...r, label: r.label === '' ? null : r.label })}\n`).join(''),
  };
  const want = rows.map((r) => `${r.image}|${r.label}|${r.verdict}|${r.problematic}`).join('\n');
  for (const [name, text] of Object.entries(files)) {
    const at = copyOf(t, dir);
    await says(['import', 'labels', at, file(t, name, text), '--name', 'r'], /7 rows read: 5 images with 6 labels, of kind review; a new version/);
    assert.equal((await stored(at)).trim(), want, name);
    await must(['check', at]);
  }

  /* TensorFlow Datasets has no word for "I do not know". */
  const tfds = Object.entries(REVIEW).map(([image, labels]) => {
    const of = (verdict) => labels.filter(([, v]) => v === verdict).map(([l]) => l);
    return { file_name: image, original_label: SET_LABEL[IMAGES.indexOf(image)], correct_multi_labels: of('correct'),
      wrong_multi_labels: of('wrong'), unclear_multi_labels: of('unclear'), is_problematic: image === PROBLEMATIC };
  });
  for (const text of [tfds.map((o) => `${JSON.stringify(o)}\n`).join(''), JSON.stringify(tfds, null, 2)]) {
    const at = copyOf(t, dir);
    await says(['import', 'labels', at, file(t, 'tfds', text), '--name', 'r'], /5 rows read: 5 images with 5 labels, of kind review/);
    assert.equal((await stored(at)).trim(), want.replace('e|2|dontknow|0', 'e|||0'));
  }
});

test('strict, lenient and what nobody decided', async (t) => {
  const at = copyOf(t, dir);
  const rows = Object.entries(REVIEW).flatMap(([image, labels]) => labels.map(([l, v]) => `${image},${l},${v}\n`)).join('');
  await must(['import', 'labels', at, file(t, 'r.csv', `image,label,verdict\n${rows}c,,\nf,2,wrong\n`), '--name', 'r',
    '--about', file(t, 'about.csv', `image,problematic,in_review_pool\n${PROBLEMATIC},1,1\nf,,0\n`)]);
  /* a, b, c and e count: d is problematic, f partly reviewed. */
  assert.deepEqual(await score(at, 'r'), { sharp: [1, 4], blunt: [0, 4] });
  assert.deepEqual(await score(at, 'r:lenient'), { sharp: [1, 4], blunt: [1, 4] });
  assert.deepEqual(await score(at, 'r:strict', '--subset', `class:${WNIDS[0]}`), { sharp: [1, 2], blunt: [0, 2] });
  const [head, ...table] = list(await must(['multilabel', at, '--set', 'val', '--labels', 'r/1']));
  const found = Object.fromEntries(table.map((row) => [row[1], Object.fromEntries(head.map((name, i) => [name, row[i]]))]));
  const of = (m) => ['n', 'correct', 'unclear', 'wrong', 'unreviewed', 'top1_correct', 'n_classes', 'class_mean_strict'].map((name) => found[m][name]);
  assert.deepEqual(of('sharp'), ['4', '1', '0', '1', '2', '3', '3', '0.1666666667']);
  assert.deepEqual(of('blunt'), ['4', '0', '1', '1', '2', '0', '3', '0.0000000000']);
  const json = JSON.parse(await must(['multilabel', at, '--set', 'val', '--labels', 'r', '--json']));
  const sharp = json.models.find((m) => m.model === 'sharp');
  assert.deepEqual([sharp.dontknow, sharp.unreviewed, sharp.strict, sharp.strict_most, sharp.outside_pool], [1, 1, 25, 75, 25]);
  assert.deepEqual([json.labels.name, json.labels.version, json.images, json.labelled, json.counted], ['r', 1, 6, 6, 4]);
});

test('ReaL by the order of a set and by name; images without labels do not count', async (t) => {
  const lists = [[0, 1], [], [1], [2, 1], [2], [1, 2]];
  const named = Object.fromEntries(IMAGES.map((name, i) => [name, lists[i]]));
  const at = copyOf(t, dir);
  await says(['import', 'labels', at, file(t, 'real.json', JSON.stringify(lists)), '--name', 'real', '--set', 'val'], /6 rows read: 6 images with 8 labels, of kind labels; a new version/);
  const first = await stored(at);
  await says(['import', 'labels', at, file(t, 'named.json', JSON.stringify(named, null, 1)), '--name', 'real'], /they are there already/);
  await says(['import', 'labels', at, file(t, 'again.json', JSON.stringify(named)), '--name', 'other'], /a new version/);
  assert.equal(await stored(at), first);
  assert.equal((await sql(at, 'SELECT count(*) FROM label_list')).trim(), '1', 'equal content is stored once');
  assert.deepEqual(await score(at, 'real'), { sharp: [5, 5], blunt: [2, 5] });
  assert.deepEqual((await score(at, 'set')), { sharp: [3, 6], blunt: [1, 6] });
  await fails(['import', 'labels', at, file(t, 'real.json', JSON.stringify(lists)), '--name', 'x'], /has no names of images: name the set of its rows with --set/, { code: 2 });
  await fails(['import', 'labels', at, file(t, 'real.json', JSON.stringify(lists.slice(1))), '--name', 'x', '--set', 'val'], /has 5 lists, but val has 6 images/);
  await fails(['import', 'labels', at, file(t, 'real.json', JSON.stringify([...lists, [0]])), '--name', 'x', '--set', 'val'], /has 7 lists, but val has 6 images/);

  /* Every table of scores takes the source. */
  const pair = list(await must(['score', at, '--original', 'val', '--new', 'part', '--labels', 'real', '--common']));
  assert.deepEqual(pair.slice(1).map((r) => r.slice(1, 4)).sort(), [['blunt', '2', '5'], ['sharp', '5', '5']]);
  assert.deepEqual(pair.slice(1).map((r) => [r[1], r[7], r[8]]).sort(), [['blunt', '1', '4'], ['sharp', '4', '4']]);
  const revisions = list(await must(['score', at, '--set', 'part', '--revisions', '--labels', 'real']));
  const [head, ...rows] = revisions;
  assert.deepEqual(rows.map((r) => [r[head.indexOf('model')], r[head.indexOf('top1_correct')]]), [['blunt', '1'], ['sharp', '4']]);
});

test('what was exported is imported again as the same', async (t) => {
  const at = copyOf(t, dir);
  const sources = { r: 'image,label,verdict,problematic,partial,votes\na,0,correct,0,0,3\na,1,unclear,0,0,\nb,,,1,0,\nc,2,dontknow,0,1,\n',
    m: 'image,label,main\na,0,1\nb,1,1\n', l: 'image,label\nb,2\na,0\na,1\n',
    o: 'image,label,object,votes,main,main_object\na,0,0,5,1,1\na,1,0,3,,1\na,2,1,3,,1\nc,2,,1,1,\nc,1,0,1,,\n' };
  for (const [name, text] of Object.entries(sources)) {
    await must(['import', 'labels', at, file(t, `${name}.csv`, text), '--name', name]);
    for (const more of [[], ['--numbers'], ['--format', 'jsonl'], ['--format', 'jsonl', '--numbers']]) {
      const out = await must(['export', 'labels', at, name, ...more]);
      await says(['import', 'labels', at, file(t, `${name}-again.csv`, out), '--name', name], /they are there already/);
    }
  }
  assert.deepEqual(list(await must(['export', 'labels', at, 'r/1'])).slice(0, 4).map((row) => row.slice(0, 4)),
    [['image', 'label', 'verdict', 'votes'], ['a', WNIDS[0], 'correct', '3'], ['a', WNIDS[1], 'unclear', ''], ['b', '', '', '']]);

  /* As `objects` writes them: read by the commands that take such files, and imported too. */
  const rows = list(await must(['export', 'labels', at, 'o', '--format', 'objects', '--set', 'val', '--numbers']));
  assert.deepEqual(rows, [['image', 'label', 'num_objects', 'main_label', 'dropped', 'objects', 'object_labels', 'main_object', 'label_object'],
    ['a', '0', '2', '0', '', '0:5+1:3|2:3', '0|2', '1', '0'], ['c', '1', '1', '2', '2', '1:1', '1', '0', '0']]);
  const objects = file(t, 'objects.csv', `${rows.map((row) => row.join(',')).join('\n')}\n`);
  assert.equal(JSON.parse(await must(['object-summary', objects])).several_label_not_main_object, 1);
  await must(['import', 'labels', at, objects, '--name', 'p']);
  assert.deepEqual(list(await must(['export', 'labels', at, 'p', '--format', 'objects', '--set', 'val', '--numbers'])), rows);
  await fails(['export', 'labels', at, 'm', '--format', 'objects'], /m is a source of kind main and has no objects/);
  await fails(['export', 'labels', at, 'm', '--set', 'val'], /--set goes with --format objects, real, tfds or annotations/, { code: 2 });
  await fails(['export', 'labels', at, 'm', '--format', 'xml'], /--format must be table, jsonl, objects, real, tfds or annotations/, { code: 2 });
  await fails(['export', 'labels', at, 'none'], /none/);
});

test('ReaL and the shape of TensorFlow Datasets are exported as they came, to the byte', async (t) => {
  const at = copyOf(t, dir);
  const real = '[[0, 1], [], [1], [2, 1], [2], [1, 2]]';
  await must(['import', 'labels', at, file(t, 'real.json', real), '--name', 'real', '--set', 'val']);
  assert.equal(await must(['export', 'labels', at, 'real', '--format', 'real', '--set', 'val']), real);
  const named = await must(['export', 'labels', at, 'real', '--format', 'real']);
  assert.deepEqual(JSON.parse(named), Object.fromEntries(IMAGES.map((name, i) => [name, JSON.parse(real)[i]])));
  await says(['import', 'labels', at, file(t, 'named.json', named), '--name', 'real'], /they are there already/);
  const part = await holdout(['export', 'labels', at, 'real', '--format', 'real', '--set', 'part']);
  assert.equal(part.out, '[[1], [2, 1], [2], [1, 2]]');
  assert.match(part.err, /2 images of the source are left out: they are not in the set/);

  const line = (image, original, correct, wrong, unclear, problematic) => `${JSON.stringify({ file_name: image, original_label: original,
    correct_multi_labels: correct, wrong_multi_labels: wrong, unclear_multi_labels: unclear, is_problematic: problematic })}\n`;
  const tfds = line('a', 0, [0], [1, 2], [], false) + line('c', 1, [], [], [], true) + line('b', 0, [], [], [2], false);
  await must(['import', 'labels', at, file(t, 'tfds.jsonl', tfds), '--name', 'tfds']);
  assert.equal(await must(['export', 'labels', at, 'tfds', '--format', 'tfds', '--set', 'val']), tfds);
  await must(['import', 'labels', at, file(t, 'r.csv', 'image,label,verdict,partial\na,0,dontknow,1\n'), '--name', 'lossy']);
  assert.match((await holdout(['export', 'labels', at, 'lossy', '--format', 'tfds'])).err, /no word for the verdict dontknow and for partly reviewed images: 2 of these are lost/);
  const right = await holdout(['export', 'labels', at, 'tfds', '--format', 'real', '--set', 'val']);
  assert.equal(right.out, '[[0], [], [], [], [], []]');
  assert.match(right.err, /no word for labels that are not correct, or of problematic images: 3 of these are lost/);
  await fails(['export', 'labels', at, 'real', '--format', 'tfds'], /real is a source of kind labels and has no verdicts/);
});

test('what a review server keeps, by image and label: read and written again, to the byte', async (t) => {
  const at = copyOf(t, dir);
  const states = `{"a": {"${WNIDS[0]}":"correct","${WNIDS[1]}":"wrong"}, "b": {"${WNIDS[2]}":"dontknow"}, "c": {}}\n`;
  await must(['import', 'labels', at, file(t, 'annotations.json', states), '--name', 'server']);
  assert.equal(await must(['export', 'labels', at, 'server', '--format', 'annotations']), states);
  assert.deepEqual(JSON.parse(await must(['export', 'labels', at, 'server', '--format', 'annotations', '--set', 'part'])), { c: {} });
  /* Numbers are wnids too, and what is not reviewed is no verdict. */
  await says(['import', 'labels', at, file(t, 'a.json', JSON.stringify({ a: { 0: 'correct', 1: 'wrong', 2: 'unreviewed' }, b: { 2: 'dontknow' }, c: {} })), '--name', 'server'], /they are there already/);
  await fails(['import', 'labels', at, file(t, 'b.json', '{"a": {"0": "right"}}'), '--name', 'x'], /b\.json[^]*must be correct, wrong, unclear, dontknow or unreviewed[^]*/);
  await fails(['import', 'labels', at, file(t, 'c.json', '{"a": {"n7": "correct"}}'), '--name', 'x'], /c\.json[^]*n7/);
});

test('an image about which too few people were asked has no labels', async (t) => {
  const at = copyOf(t, dir);
  const classify = file(t, 'few.csv', 'image,label,main_label,dropped,objects,object_labels,main_object\na,0,0,,0:5,0,0\nb,0,,,,,\n');
  await says(['import', 'labels', at, classify, '--name', 'few'], /2 images with 1 labels, of kind objects; a new version/);
  assert.deepEqual(await score(at, 'few'), { sharp: [1, 1], blunt: [0, 1] });
});

test('objects: main label, an object\u2019s label and any label of one', async (t) => {
  const at = copyOf(t, dir);
  const table = 'image,label,object,votes,main\na,0,0,5,1\na,1,0,3,\nb,1,0,2,\nb,0,1,4,1\nc,2,,,1\nc,1,0,1,\n';
  await says(['import', 'labels', at, file(t, 'o.csv', table), '--name', 'o'], /of kind objects; a new version/);
  assert.deepEqual(await score(at, 'o:main'), { sharp: [1, 3], blunt: [1, 3] });
  assert.deepEqual(await score(at, 'o'), { sharp: [3, 3], blunt: [1, 3] });
  assert.deepEqual(await score(at, 'o:any'), { sharp: [3, 3], blunt: [2, 3] });
  const classify = 'image,label,main_label,dropped,objects,object_labels,main_object\na,0,0,,0:5+1:3,0,0\nb,0,0,,1:2|0:4,1|0,1\nc,1,2,2,1:1,1,0\n';
  const easy = file(t, 'easy.csv', 'image,stage,label\na,fu,0\nb,fu,0\nc,fu,1\nd,easy,1\ne,mis,2\nf,amb,2\n');
  await says(['import', 'labels', at, file(t, 'classify.csv', classify), '--name', 'classify', '--about', easy], /1 images are easy: .*; 2 are left out/);
  assert.deepEqual(await score(at, 'classify'), { sharp: [3, 4], blunt: [1, 4] });
  const [head, ...rows] = list(await must(['multilabel', at, '--set', 'val', '--labels', 'classify']));
  const sharp = Object.fromEntries(rows.find((r) => r[0] === 'sharp').map((v, i) => [head[i], v]));
  assert.deepEqual([sharp.n_single, sharp.n_multi, sharp.n_disagree], ['3', '1', '0']);
  await fails(['score', at, '--set', 'val', '--labels', 'o:lenient'], /The label source o has no rule "lenient": it is of kind "objects" .*whose rules are: main, objects, any\./);
});

test('wrong rows are named with their place, and nothing is stored', async (t) => {
  const at = copyOf(t, dir);
  const about = (text) => ['--about', file(t, 'about.csv', text)];
  const cases = [
    ['image,label\nzz,0\n', /labels:2: image zz is not in the project/],
    ['image,label\na,0\na,7\n', /labels:3: 7 is not the number of a class; this project has 3 classes/],
    ['image,label\na,n9\n', /labels:2: "n9" is neither the number nor the wnid/],
    ['image,label\na,0\nb,1\na,0\n', /labels:4: the image has the label 0 twice/],
    ['image,label,verdict\na,0,maybe\n', /labels:2: the verdict "maybe" is none/],
    ['image,label,verdict\na,0,correct\na,0,correct\n', /labels:3: the image has the label 0 twice/],
    ['image,label,verdict\na,0,wrong\n', /labels:2: a verdict other than correct needs a source of kind review/, ['--kind', 'labels']],
    ['image,label,problematic\na,0,yes\n', /labels:2: problematic must be a number from 0 to 1, not "yes"/],
    ['image,label,object\na,0,1\n', /labels:2: the objects of an image are numbered from 0, without gaps/],
    ['image,label,object\na,0,255\n', /labels:2: object must be a number from 0 to 254/],
    ['image,label,object,main\na,0,0,1\na,1,0,1\n', /an image has one main label/],
    ['image,label,object,main_object\na,0,0,1\n', /the main object is none of the image's objects/],
    ['image,label\na,0\na,1\n', /labels:2: a source of main labels has exactly one label of each image/, ['--kind', 'main']],
    ['image,label\na,0\n', /has no column object/, ['--kind', 'objects']],
    ['image,label\na,0\n', /--kind must be labels, main, objects or review/, ['--kind', 'many']],
    ['image,wrong\na,0\n', /labels:1: a table of labels has the columns image and label/],
    ['image,label\n', /labels has no rows/],
    ['image,label\na,0\n', /has no column stage/, ['--stage', 'final']],
    ['image,label,stage\na,0,first\n', /has no rows of stage final/, ['--stage', 'final']],
    ['image,main_label,objects\na,0,0:x\n', /labels:2: an object is written as LABEL:VOTES/],
    ['image,main_label,objects,object_labels\na,0,0:1+1:3,0\n', /labels:2: the label of object 0 is not the one with most votes/],
    ['image,main_label,objects\na,0,0:1\n', /about.csv:2: the image has no labels in the other file, although its stage is fu/, about('image,stage,label\nb,fu,0\n')],
    ['image,main_label,objects\na,0,0:1\n', /about.csv:2: the image has labels in the other file, although its stage is easy/, about('image,stage,label\na,easy,0\n')],
    ['image,label\na,0\n', /has none of the columns stage, in_review_pool, problematic/, about('image,x\na,1\n')],
    ['image,label\na,0\n', /about.csv:2: in_review_pool must be 0 or 1/, about('image,in_review_pool\na,2\n')],
    ['{"image": "a", "label": [0]}\n', /labels:1: a member that must be a text or a whole number is neither/],
    ['{"image": "a", "label": 0}\n{"image": "a"\n', /labels:2: /],
    ['{"file_name": "a", "correct_multi_labels": 0}\n', /labels:1: correct_multi_labels must be a list/],
    ['{"file_name": "a", "correct_multi_labels": [0], "is_problematic": "x"}\n', /labels:1: is_problematic must be true or false/],
    ['{"file_name": "a", "correct_multi_labels": [0], "wrong_multi_labels": ["x"]}\n', /"x" is neither the number nor the wnid/],
    ['{"a": [0],\n "b": 3}', /labels:2: expected a list of labels/],
    ['{"a": [0],\n "b": [0.5]}', /labels:2: a label must be the number or the wnid of a class/],
    ['{"a": [0],\n "b": [1]', /labels:2: /],
    ['image,label\na,0\n', /The name of a label source must be/, ['--name', 'set']],
  ];
  for (const [text, message, more = []] of cases) {
    const named = more.includes('--name') ? [] : ['--name', 'x'];
    await fails(['import', 'labels', at, file(t, 'labels', text), ...named, ...more], message, { code: more[1] === 'many' ? 2 : 1 });
  }
  assert.equal((await sql(at, 'SELECT (SELECT count(*) FROM label_list) + (SELECT count(*) FROM label_source) + (SELECT count(*) FROM label)')).trim(), '0');
  await fails(['import', 'labels', at, file(t, 'labels', 'image,label\na,0\n')], /name the label source with --name/, { code: 2 });
});

test('versions stay, and a new one is somebody\u2019s decision', async (t) => {
  const at = copyOf(t, dir);
  const bring = (text, ...more) => ['import', 'labels', at, file(t, 'x.csv', text), '--name', 'x', ...more];
  const first = 'image,label\na,0\nb,0\n', second = 'image,label\na,1\nb,1\n';
  await must(bring(first, '--dry-run'));
  assert.equal((await sql(at, 'SELECT count(*) FROM label_list')).trim(), '0');
  await says(bring(first), /a new version/);
  await says(bring(first), /they are there already/);
  await fails(bring(second), /There is a label source x already, and its version 1 differs from this\. .*--replace and --reason/);
  await fails(bring(second, '--dry-run'), /--replace and --reason/);
  await fails(bring(second, '--replace'), /Say why this replaces version 1 of x/);
  await fails(bring(`image,label,verdict\na,0,correct\n`, '--replace', '--reason', 'r'), /The label source x is of kind "labels", not "review"/);
  await says(bring(second, '--replace', '--reason', 'the first was a trial'), /a new version/);
  assert.deepEqual(await score(at, 'x'), { sharp: [1, 2], blunt: [2, 2] });
  assert.deepEqual(await score(at, 'x/1'), { sharp: [1, 2], blunt: [0, 2] });
  const [head, ...rows] = list(await must(['labels', at, 'x', '--set', 'val']));
  const columns = ['name', 'version', 'kind', 'images', 'labels', 'reason', 'set_images', 'covered', 'counted'];
  assert.deepEqual(rows.map((r) => columns.map((name) => r[head.indexOf(name)])), [
    ['x', '2', 'labels', '2', '2', 'the first was a trial', '6', '2', '2'], ['x', '1', 'labels', '2', '2', '', '6', '2', '2']]);
  assert.equal(list(await must(['labels', at])).length, 2);
  await fails(['score', at, '--set', 'val', '--labels', 'x/3'], /has no version 3: its newest is 2/);
  await fails(['score', at, '--set', 'val', '--labels', 'y'], /There is no label source y\. Choose one of: x\./);
  await fails(['score', at, '--set', 'part', '--labels', 'x'], /The label source x\/2 has no image of this set/);
  await fails(['multilabel', at, '--set', 'val'], /name the set with --set, and a label source with --labels/, { code: 2 });

  /* What a killed import leaves is found, and completed by the next. */
  await sql(at, `DELETE FROM label_version WHERE number = 2; DELETE FROM label WHERE list = 2 AND position = 1;
    DELETE FROM label_list_image WHERE list = 2 AND position = 1;`);
  assert.match((await holdout(['check', at])).out, /a list of 2 images belongs to no version: the import of labels was cut off after 1/);
  await must(bring(second, '--replace', '--reason', 'the first was a trial'));
  await must(['check', at]);
  await sql(at, "UPDATE label SET verdict = 'wrong' WHERE list = 1");
  assert.match((await holdout(['check', at])).out, /labels: a list of 2 images does not match its digest/);
});

test('a sealed set has no scores, whatever the labels; its images count in no other set', async (t) => {
  const at = copyOf(t, dir);
  await must(['import', 'labels', at, file(t, 'x.csv', `image,label\n${IMAGES.map((n) => `${n},0\n`).join('')}`), '--name', 'x']);
  assert.deepEqual(await score(at, 'x'), { sharp: [1, 6], blunt: [2, 6] });
  await must(['import', 'set', at, 'secret', file(t, 's.csv', `image,wnid\na,${WNIDS[0]}\nd,${WNIDS[1]}\n`)]);
  await sql(at, "DELETE FROM revision_state WHERE revision = (SELECT max(id) FROM revision)");
  for (const command of [['score', at, '--set', 'secret', '--labels', 'x'], ['multilabel', at, '--set', 'secret', '--labels', 'x']]) {
    await fails(command, /sealed/);
  }
  assert.deepEqual(await score(at, 'x'), { sharp: [0, 4], blunt: [1, 4] });
});

test('multi-label accuracy from files without a project', async (t) => {
  const good = { images: 'image,label,stage,in_review_pool\na,0,one,1\na,0,two,1\nb,1,two,0\n', reviews: 'image,class,state,stage\na,0,correct,one\na,1,unclear,two\na,1,wrong,two\n', predictions: 'image,m\na,1\nb,0\n' };
  const ask = (files, ...more) => ['multilabel', ...Object.entries({ ...good, ...files }).flatMap(([name, text]) => [`--${name}`, file(t, name, text)]), ...more];
  assert.equal(await must(ask({})), 'subset,model,n,correct,unclear,wrong,unreviewed,top1_correct,n_classes,class_mean_strict,class_mean_lenient\n'
    + 'one,m,1,0,0,0,1,0,1,0.0000000000,0.0000000000\ntwo_in_pool,m,1,0,1,0,0,0,1,0.0000000000,1.0000000000\n');
  assert.equal(await must(ask({}, '--queue')), 'image,stage,n_unique,queue\na,one,1,1:1:unreviewed\na,two,1,1:1:unclear\nb,two,1,0:1:unreviewed\n');
  for (const [files, message] of [
    [{ images: 'image,label\na,x\n' }, /images:2: a class must be a number from 0 to 65534/],
    [{ images: 'image,label\na,0\na,0\n' }, /images:3: the image "a" has a row already/],
    [{ images: 'image,label,in_review_pool\na,0,2\n' }, /images:2: in_review_pool must be 0 or 1/],
    [{ reviews: 'image,class,state\na,0,correct\n' }, /reviews.*stage/],
    [{ reviews: 'image,class,state,stage\na,0,correct,three\n' }, /reviews:2: the image a is not among the images of that stage/],
    [{ reviews: 'image,class,state,stage\na,0,fine,one\n' }, /reviews:2: the state "fine" is none/],
    [{ predictions: 'image\na\n' }, /predictions:1: there is no column of a model/],
    [{ predictions: 'image,m\na,1\na,1\n' }, /predictions:3: the image a has a row already/],
  ]) {
    await fails(ask(files), message);
  }
  await fails(['multilabel', '--images', 'x'], /name a project, or all of --images, --reviews and --predictions/, { code: 2 });
  await fails(['multilabel', dir, '--set', 'val', '--labels', 'x', '--queue'], /files are for the command without a project/, { code: 2 });
});
