/* `holdout discriminate`: worlds whose answer is known, what the numbers are made of, what is refused, sealed sets. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { before, test } from 'node:test';

import { holdout, must, newProject, wholeFile } from '../http/lib.mjs';
import { classifier } from './onnx_file.mjs';
import { copyOf, fails, npy, put, says, sql } from './tools.mjs';

const whole = wholeFile();
const DIM = 8;
const EACH = 60;
const WNIDS = ['n00000001', 'n00000002'];
const range = (n) => Array.from({ length: n }, (_, i) => i);
const rowsOf = (csv) => csv.trim().split('\n').slice(1).map((line) => line.split(','));

/* Numbers that look like draws from a normal distribution. */
function draws(seed) {
  let state = seed * 2654435761 % 4294967296;
  const unit = () => {
    state = (state + 0x6d2b79f5) % 4294967296;
    let x = Math.imul(state ^ state >>> 15, 1 | state);
    x = x + Math.imul(x ^ x >>> 7, 61 | x) ^ x;
    return ((x ^ x >>> 14) >>> 0) / 4294967296;
  };
  return () => Math.sqrt(-2 * Math.log(1 - unit())) * Math.cos(2 * Math.PI * unit());
}

/* EACH originals and as many new images of two classes; three in a row are of one source. */
const IMAGES = ['val', 'cand'].flatMap((kind) => range(EACH).map((i) => ({
  image: `${kind}-${i}`, kind, wnid: WNIDS[Math.floor(i / 3) % 2], source: `${kind}-${Math.floor(i / 3)}` })));
const list = (kind) => ['image,wnid', ...IMAGES.filter((i) => i.kind === kind).map((i) => `${i.image},${i.wnid}`)].join('\n');

/* shift: between the sets; leak: between sources. */
async function addFeatures(t, dir, model, { shift = 0, leak = 0, but = [], dim = DIM }) {
  const draw = draws(model.charCodeAt(0));
  const own = {};
  const some = IMAGES.filter((i) => !but.includes(i.image));
  const rows = some.map((i) => {
    own[i.source] ??= range(dim).map(() => leak * draw());
    return range(dim).map((k) => draw() + own[i.source][k] + (k === 0 && i.kind === 'cand' ? shift : 0));
  });
  await must(['model', 'add', dir, put(t, 'm.onnx', classifier({ seed: model.charCodeAt(0), channels: dim })), '--name', model, '--recipe', put(t, 'r.json', JSON.stringify({ features: 'features' }))]);
  await must(['import', 'features', dir, put(t, 'x.npy', npy(rows)), '--model', model,
    '--names', put(t, 'n.csv', ['image,wnid', ...some.map((i) => `${i.image},${i.wnid}`)].join('\n'))]);
}

let dir;
before(async () => {
  dir = await newProject(whole);
  await must(['import', 'classes', dir, put(whole, 'c.csv', `cid,wnid,synset,gloss,wikipedia\n${WNIDS.map((w, i) => `${i},${w},thing ${i},a thing,\n`).join('')}`)]);
  await addFeatures(whole, dir, 'shifted', { shift: 2 });
  await addFeatures(whole, dir, 'leaky', { leak: 3 });
  await addFeatures(whole, dir, 'plain', { but: ['val-0', 'cand-3'] });
  /* Vectors come for training images alone; these become what they are called. */
  await sql(dir, `UPDATE image SET role = CASE WHEN name LIKE 'val%' THEN 'original' ELSE 'candidate' END;
    ${IMAGES.map((i) => `UPDATE image SET source_id = '${i.source}' WHERE name = '${i.image}';`).join('')}`);
  await must(['import', 'set', dir, 'old', put(whole, 'old.csv', list('val')), '--role', 'original']);
  await must(['import', 'set', dir, 'fresh', put(whole, 'fresh.csv', list('cand'))]);
});
const ask = (features, ...more) => ['discriminate', dir, '--original', 'old', '--new', 'fresh', '--features', features, ...more];
const result = async (features, ...more) => JSON.parse(await must(ask(features, '--json', ...more)));

test('a shift is found, sets that are alike are not told apart, and what only tells sources apart is not credited', async () => {
  const shifted = await result('shifted');
  assert.deepEqual([shifted.set, shifted.original, shifted.features, shifted.images, shifted.groups, shifted.seed, shifted.unknown],
    ['fresh/0', 'old/0', 'shifted', 2 * EACH, 2 * EACH / 3, 1, 0]);
  assert.ok(shifted.accuracy_lo > 0.6 && shifted.auc_lo > 0.6, JSON.stringify(shifted));
  const plain = await result('plain');
  assert.ok(plain.accuracy_lo < 0.5 && plain.accuracy_hi > 0.5, JSON.stringify(plain));
  assert.deepEqual([plain.without_features, plain.images + plain.surplus], [2, 2 * EACH - 2]);
  const leaky = await result('leaky');
  assert.ok(leaky.accuracy_lo < 0.5, JSON.stringify(leaky));
  const both = await result('shifted,plain');
  assert.deepEqual([both.features, both.images, both.accuracy_lo > 0.5], ['shifted+plain', plain.images, true]);
});

test('every number can be counted again from the images', async () => {
  const all = await result('shifted', '--folds', 4, '--seed', 3);
  const images = rowsOf(await must(ask('shifted', '--folds', 4, '--seed', 3, '--images')))
    .map(([image, wnid, set, fold, score]) => ({ image, wnid, set, fold: Number(fold), score: Number(score) }));
  const right = (some) => some.filter(({ set, score }) => (set === 'new' ? score > 0 : score < 0)).length;
  const area = (some) => {
    const pairs = some.filter((a) => a.set === 'new').flatMap((a) => some.filter((b) => b.set === 'original' && b.fold === a.fold)
      .map((b) => (a.score > b.score ? 1 : a.score === b.score ? 0.5 : 0)));
    return pairs.reduce((a, b) => a + b) / pairs.length;
  };
  assert.deepEqual([images.length, all.right, all.accuracy], [all.images, right(images), right(images) / images.length]);
  assert.ok(Math.abs(all.auc - area(images)) < 1e-12);
  assert.deepEqual(images.map(({ score }) => score), images.map(({ score }) => score).sort((a, b) => b - a));
  const foldOf = {};
  for (const { image, fold } of images) { /* a source is in one fold */
    const { source } = IMAGES.find((i) => i.image === image);
    assert.equal(foldOf[source] ??= fold, fold);
  }
  assert.equal(all.by_fold.length, 4);
  for (const fold of all.by_fold) {
    const own = images.filter((i) => i.fold === fold.fold);
    const scores = own.filter((i) => i.set === 'new').map(({ score }) => score);
    assert.deepEqual([fold.images, fold.right, fold.accuracy], [own.length, right(own), right(own) / own.length]);
    assert.ok(Math.abs(fold.auc - area(own)) < 1e-12);
    assert.deepEqual([fold.new.least, fold.new.most], [Math.min(...scores), Math.max(...scores)]);
    assert.equal(fold.groups, Object.values(foldOf).filter((f) => f === fold.fold).length);
  }
  const csv = await must(ask('shifted', '--folds', 4, '--seed', 3));
  assert.match(csv, /^fold,images,groups,right,accuracy,auc,lambda,original_least,.*,new_most\n/);
  assert.deepEqual(rowsOf(csv).map((row) => Number(row[3])), all.by_fold.map((fold) => fold.right));
  assert.deepEqual({ ...await result('shifted', '--folds', 4, '--seed', 3), made_at: '' }, { ...all, made_at: '' });
  assert.notEqual((await result('shifted', '--folds', 4, '--seed', 4)).auc, all.auc);
});

test('the result is kept beside the project, unless it is a trial', async (t) => {
  const copy = copyOf(t, dir);
  const folder = path.join(copy, 'discriminators');
  fs.rmSync(folder, { recursive: true, force: true });
  await must(['discriminate', copy, '--original', 'old', '--new', 'fresh', '--features', 'plain', '--dry-run']);
  assert.ok(!fs.existsSync(folder));
  await says(['discriminate', copy, '--original', 'old', '--new', 'fresh', '--features', 'plain', '--most', 20], /Right about \d+ of 40 held-out images.*seed 1\./);
  assert.match(fs.readdirSync(folder).join(), /^\d+-\d+-plain\.json$/);
});

test('a sealed set is refused, and images that one has are left out', async (t) => {
  const closed = copyOf(t, dir);
  const hidden = IMAGES.filter((i) => i.kind === 'cand').slice(0, 9).map((i) => `${i.image},${i.wnid}`);
  await must(['import', 'set', closed, 'closed', put(t, 'closed.csv', ['image,wnid', ...hidden].join('\n')), '--sealed']);
  const at = (fresh) => ['discriminate', closed, '--original', 'old', '--new', fresh, '--features', 'shifted'];
  await fails(at('closed'), /closed\/0 is sealed/);
  const r = await says([...at('fresh'), '--images'], /9 in a sealed set/);
  assert.ok(!rowsOf(r.out).some(([image]) => hidden.some((line) => line.startsWith(`${image},`))));
});

test('images in both sets have no part; what may not be asked', async (t) => {
  const other = copyOf(t, dir);
  await must(['import', 'set', other, 'mixed', put(t, 'm.csv', `${list('cand')}\n${list('val').split('\n').slice(1, 11).join('\n')}`)]);
  await says(['discriminate', other, '--original', 'old', '--new', 'mixed', '--features', 'shifted'], /Left out: 10 in both sets/);
  await fails(['discriminate', dir, '--new', 'fresh'], /give --original and --new/, { code: 2 });
  await fails(ask('none'), /none/);
  await fails(ask(','), /names no model/, { code: 2 });
  await fails(ask('a,b,c,d,e'), /at most 4/, { code: 2 });
  await fails(ask('plain', '--folds', 2), /folds/, { code: 2 });
  await fails(ask('statistics'), /Only 0 images of either set can be compared \(0 are in both, 120 lack features/);
  await fails(['discriminate', dir, '--original', 'old', '--new', 'old', '--features', 'plain'], /60 are in both/);
  await must(['model', 'add', other, put(t, 'm.onnx', classifier({ seed: 9 })), '--name', 'bare', '--recipe', put(t, 'r.json', JSON.stringify({ features: 'features' }))]);
  await fails(['discriminate', other, '--original', 'old', '--new', 'fresh', '--features', 'bare'], /bare has no features yet/);
  await sql(other, "UPDATE image SET role = 'training' WHERE name IN ('val-0', 'val-1')");
  await addFeatures(t, other, 'wide', { but: IMAGES.slice(2).map((i) => i.image), dim: 4096 });
  const wide = (features) => ['discriminate', other, '--original', 'old', '--new', 'fresh', '--features', features];
  await fails(wide('wide'), /Only 0 images of either set/);
  await fails(wide('wide,plain'), /Together these features are 4104 numbers for each image; a discriminator takes at most 4096. Name fewer models, or look at statistics/);
  await addFeatures(t, other, 'Wider', { but: IMAGES.slice(2).map((i) => i.image), dim: 4097 });
  await fails(wide('Wider'), /The features of this model are 4097 numbers .*Choose a model with fewer, such as one/);
  const r = await holdout(ask('plain', '--quiet'));
  assert.deepEqual([r.code, r.err], [0, '']);
});
