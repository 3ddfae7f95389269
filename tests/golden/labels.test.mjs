/* Accuracy by several labels of an image, from the published data: labels by CLASSIFY and reviews of predictions are
 * imported as label sources, and what 67 models make of them is the tables that others computed, to the letter. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { before, test } from 'node:test';

import { Client, golden, holdout, must, needsGolden, newProject, startServer, wholeFile } from '../http/lib.mjs';
import { tempDir } from '../load/tools.mjs';
import { LIMIT, at, lines } from './study.mjs';

const multi = (name) => path.join(golden ?? '', 'multilabel', name);
const read = (name) => fs.readFileSync(multi(name), 'utf8');
const table = (text) => lines(text).map((line) => line.split(','));
const whole = wholeFile();
let dir, folder;

/* A set of the images of a table with the columns image and wnid, each once; `as` is its name. */
async function importSet(as, file) {
  const [head, ...rows] = table(read(file));
  const list = [...new Map(rows.map((row) => [row[0], row[head.indexOf('wnid')]]))];
  const name = path.join(folder, `${as}.csv`);
  fs.writeFileSync(name, `image,wnid\n${list.map((row) => `${row.join(',')}\n`).join('')}`);
  await must(['import', 'set', dir, as, name, '--role', 'original'], LIMIT);
}

before(async () => {
  if (needsGolden.skip) return;
  dir = await newProject(whole);
  folder = tempDir(whole);
  await must(['import', 'classes', dir, at('classes', 'classes.csv')]);
  await importSet('val', 'images.csv');
  await importSet('reviewed', 'ml_images.csv');
  for (const name of ['predictions_top1.csv', 'ml_predictions_top1.csv']) {
    await must(['import', 'predictions', dir, multi(name)], LIMIT);
  }
});

test('67 models by objects, any label of an object and the main label', needsGolden, async () => {
  const r = await holdout(['import', 'labels', dir, multi('classify_expected.csv'), '--name', 'classify', '--about', multi('images.csv')], LIMIT);
  assert.equal(r.code, 0, r.err);
  assert.match(r.err, /1486 images are easy: the set's label is their only object; 157 are left out/);
  assert.match(r.err, /3409 rows read: 4895 images with \d+ labels, of kind objects; a new version\./);
  assert.equal(await must(['multilabel', dir, '--set', 'val', '--labels', 'classify'], LIMIT), read('model_metrics_expected.csv'));

  /* The same counts by one rule at a time, where every table has them. */
  const [head, ...rows] = table(read('model_metrics_expected.csv'));
  const of = (row, name) => Number(row[head.indexOf(name)]);
  for (const [rule, right] of [['main', (row) => of(row, 'main_all')], ['objects', (row) => of(row, 'objlabel_single') + of(row, 'objlabel_multi')],
    ['any', (row) => of(row, 'anylabel_single') + of(row, 'anylabel_multi')]]) {
    const got = table(await must(['score', dir, '--set', 'val', '--labels', `classify:${rule}`], LIMIT)).slice(1);
    const found = new Map(got.map((row) => [row[1], row.slice(2, 4).map(Number)]));
    for (const row of rows) assert.deepEqual(found.get(row[0]), [4895, right(row)], `${row[0]} by ${rule}`);
  }

  /* The source as a file says what the published file says. */
  const objects = path.join(folder, 'objects.csv');
  fs.writeFileSync(objects, await must(['export', 'labels', dir, 'classify', '--format', 'objects', '--set', 'val', '--numbers'], LIMIT));
  assert.equal(await must(['cooccurring-pairs', objects, '--least', '2']), read('pair_cooccurrence_expected.csv'));
  assert.equal(await must(['confused-pairs', objects, '--share', '0']), read('main_confusion_pairs_expected.csv'));

  /* Figures 3 to 5 of Tsipras et al.: one set on both axes, each by its own labels; images that CLASSIFY left out are on neither. */
  const pair = ['--original', 'val', '--new', 'val', '--labels', 'classify:main', '--new-labels', 'classify:any'];
  const fit = table(await must(['fit', dir, ...pair, '--residuals', '--resamples', '100'], LIMIT));
  const points = new Map(fit.slice(1).map((row) => [row[fit[0].indexOf('model')], row.slice(1)]));
  for (const row of rows) {
    const [x, y] = ['x', 'y'].map((name) => Number(points.get(row[0])[fit[0].indexOf(name) - 1]));
    assert.ok(Math.abs(x - 100 * of(row, 'main_all') / 4895) < 1e-9 && Math.abs(y - 100 * (of(row, 'anylabel_single') + of(row, 'anylabel_multi')) / 4895) < 1e-9, row[0]);
  }
});

test('67 models by reviewed labels, strict and lenient, over images and over classes', needsGolden, async () => {
  for (const [name, stage, warning] of [['initial', 'initial', /2 labels of an image have more than one verdict/], ['final_in_pool', 'final', /^[^]*$/]]) {
    const r = await holdout(['import', 'labels', dir, multi('ml_reviews.csv'), '--name', name, '--stage', stage, '--about', multi('ml_images.csv')], LIMIT);
    assert.equal(r.code, 0, r.err);
    assert.match(r.err, warning);
  }
  const all = [];
  for (const name of ['initial', 'final_in_pool']) {
    all.push(...lines(await must(['multilabel', dir, '--set', 'reviewed', '--labels', name], LIMIT)).slice(all.length ? 1 : 0));
  }
  assert.equal(`${all.join('\n')}\n`, read('ml_metrics_expected.csv'));

  const [head, ...rows] = table(read('ml_metrics_expected.csv'));
  const want = rows.filter((row) => row[0] === 'initial').map((row) => [row[1], Number(row[head.indexOf('correct')]), Number(row[head.indexOf('unclear')])]);
  for (const rule of ['strict', 'lenient']) {
    const got = table(await must(['score', dir, '--set', 'reviewed', '--labels', `initial:${rule}`], LIMIT)).slice(1);
    const found = new Map(got.map((row) => [row[1], Number(row[3])]));
    for (const [model, correct, unclear] of want) assert.equal(found.get(model), correct + (rule === 'lenient' ? unclear : 0), `${model}, ${rule}`);
  }

  /* Nobody decided about some answers: what they are worth is an interval. */
  const said = JSON.parse(await must(['multilabel', dir, '--set', 'reviewed', '--labels', 'initial', '--json'], LIMIT));
  assert.deepEqual([said.images, said.labelled, said.counted], [1046, 525, 525]);
  for (const m of said.models) {
    assert.equal(m.correct + m.unclear + m.wrong + m.dontknow + m.unreviewed, m.n);
    assert.ok(Math.abs(m.strict_most - 100 * (m.correct + m.dontknow + m.unreviewed) / m.n) < 1e-9);
    assert.ok(Math.abs(m.outside_pool - 100 * m.unreviewed / m.n) < 1e-9);
  }
  await must(['check', dir], LIMIT);
});

test('the same from files without a project, the queue of the review and what the files have', needsGolden, async () => {
  const files = ['--reviews', multi('ml_reviews.csv'), '--images', multi('ml_images.csv'), '--predictions', multi('ml_predictions_top1.csv')];
  assert.equal(await must(['multilabel', ...files]), read('ml_metrics_expected.csv'));
  assert.equal(await must(['multilabel', ...files, '--queue']), read('ml_review_queue_expected.csv'));
  const found = JSON.parse(await must(['multilabel', ...files, '--summary']));
  for (const [stage, want] of Object.entries(JSON.parse(read('ml_summary_expected.json')))) {
    const { datasets, states: { dontknow, ...states }, ...said } = found[stage];
    assert.equal(dontknow, 0);
    assert.deepEqual({ ...said, ...datasets, states }, want);
  }
});

test('which classes come together, and which 67 models take for which, as pages have it', needsGolden, async (t) => {
  const lead = await new Client((await startServer(t, dir)).url).login('admin');
  const wnid = new Map(table(fs.readFileSync(at('classes', 'classes.csv'), 'utf8')).slice(1).map((row) => [row[0], row[1]]));
  const count = (map, key) => map.set(key, (map.get(key) ?? 0) + 1);
  const [head, ...rows] = table(read('classify_expected.csv'));
  const of = (row, name) => row[head.indexOf(name)];
  const together = new Map();
  for (const row of rows.filter((one) => Number(of(one, 'num_objects')) > 1)) {
    const others = of(row, 'object_labels').split('|').filter((_, i) => i !== Number(of(row, 'label_object')));
    for (const other of new Set(others)) count(together, `${wnid.get(of(row, 'label'))} ${wnid.get(other)}`);
  }
  const pick = (text) => text.trimEnd().split('\n').slice(1).map((line) => /^(n\d+),.*?,(n\d+),.*?,(\d+),/.exec(line.replaceAll(/"[^"]*"/g, 'x')));
  const found = new Map(pick(await lead.page('/api/v1/measures/cooccurrence.csv?set=val&labels=classify')).map(([, a, b, n]) => [`${a} ${b}`, Number(n)]));
  assert.deepEqual(found, new Map([...found.keys()].map((key) => [key, together.get(key)])));
  assert.equal(found.size, together.size);
  const confused = new Map();
  const [names, ...said] = table(read('predictions_top1.csv'));
  const label = new Map(table(read('images.csv')).slice(1).map((row) => [row[0], row[2]]));
  for (const [image, ...answers] of said) for (const one of answers) if (one !== label.get(image)) count(confused, `${wnid.get(label.get(image))} ${wnid.get(one)}`);
  const got = pick(await lead.page('/api/v1/measures/confusions.csv?set=val'));
  assert.equal(names.length, 68);
  assert.deepEqual([got.length, got.filter(([, a, b, n]) => confused.get(`${a} ${b}`) !== Number(n)).length], [confused.size, 0]);
});

test('superclasses of somebody\u2019s own, how alike their matrices are, and models on pairs that people confuse', needsGolden, async (t) => {
  const stored = await holdout(['superclasses', dir, 'published', multi('classes.csv'), '--note', 'as in the paper']);
  assert.match(stored.err, /Stored @published\/1: 1000 classes have a superclass/);
  const lead = await new Client((await startServer(t, dir)).url).login('admin');
  const objects = path.join(folder, 'objects.csv');
  const about = ['--images', multi('images.csv'), '--predictions', multi('predictions_top1.csv')];
  const want = new Map(table(await must(['superclass-matrix', objects, '--classes', multi('classes.csv'), '--correlations', ...about], LIMIT)).map(([a, b, r]) => [`${a} ${b}`, Number(r)]));
  const { body } = await lead.json('GET', '/api/v1/measures/cooccurrence?set=val&labels=classify&groups=%40published');
  assert.deepEqual([body.groups, body.superclasses.length, body.likeness.length], ['@published/1', 11, 69]);
  for (const row of body.likeness) {
    for (const [of, r] of ['human', 'any', 'other'].map((name) => [name, row[name]])) {
      if (r !== null) assert.ok(Math.abs(r - (want.get(`${of} ${row.who}`) ?? want.get(`${row.who} ${of}`))) < 1e-12, `${of} ${row.who}`);
    }
  }
  assert.equal(body.likeness.filter((row) => row.human !== null).length, 67);
  assert.match(await lead.page('/measures/cooccurrence?set=val&labels=classify&groups=%40published/1'), /id="like-table"/);

  const pairs = (await lead.json('GET', '/api/v1/measures/pairs?set=val&labels=classify')).body;
  const wnid = new Map(table(fs.readFileSync(at('classes', 'classes.csv'), 'utf8')).slice(1).map((row) => [row[0], row[1]]));
  const confused = table(await must(['confused-pairs', objects, '--share', '0.25', '--least', '3']));
  assert.deepEqual(pairs.pairs.map((p) => [p.class_a, p.class_b, p.n_a, p.n_b, p.a_labelled_b, p.b_labelled_a]),
    confused.slice(1).map(([a, b, ...n]) => [wnid.get(a), wnid.get(b), ...n.slice(0, 4).map(Number)]));
  const expected = new Map(table(read('pair_accuracy_expected.csv')).slice(1).map(([a, b, model, ...n]) => [`${wnid.get(a)},${wnid.get(b)},${model}`, n.join()]));
  const rows = table(await lead.page('/api/v1/measures/pairs.csv?set=val&labels=classify')).slice(1);
  let found = 0;
  for (const [a, b, model, ...n] of rows) {
    const published = expected.get(`${a},${b},${model}`);
    if (published) assert.deepEqual([++found > 0, n.join()], [true, published], `${a} ${b} ${model}`);
  }
  assert.ok(found >= 60, `${found} rows are published`);
  const chart = (await lead.json('GET', '/charts/measures-pairs/json?set=val&labels=classify')).body;
  const resnet = pairs.models.find((m) => m.model === 'resnet50');
  const sums = rows.filter((row) => row[2] === 'resnet50').reduce((sum, row) => sum.map((v, i) => v + Number(row[3 + i])), [0, 0, 0]);
  assert.deepEqual([resnet.images, resnet.correct, resnet.predicted_in_pair], sums);
  assert.ok(JSON.stringify(chart.rows).includes(String(resnet.pairwise)) && resnet.accuracy < resnet.top1 - 0.05, 'pairs are hard, as the paper says');
  await must(['check', dir], LIMIT);
});

test('the same out of a label review: its queue, and its verdicts as a label source by itself', needsGolden, async () => {
  const queue = table(read('ml_review_queue_expected.csv'));
  for (const [name, stage] of [['first', 'initial'], ['last', 'final']]) {
    await must(['label-review', 'create', dir, name, '--set', 'reviewed', '--seed', '1'], LIMIT);
    const r = await holdout(['label-review', 'import', dir, name, multi('ml_reviews.csv'), '--stage', stage], LIMIT);
    assert.equal(r.code, 0, r.err);
    if (stage === 'initial') assert.match(r.err, /2 labels of an image have more than one verdict/);
    const got = new Map(table(await must(['label-review', 'queue', dir, name], LIMIT)).slice(1).map((row) => [row[0], row.slice(2).join()]));
    const want = queue.slice(1).filter((row) => row[1] === stage);
    for (const row of want) assert.equal(got.get(row[0]), row.slice(2).join(), `${row[0]} of ${stage}`);
    assert.equal(want.length, stage === 'initial' ? 525 : 529);
  }
  const again = await holdout(['label-review', 'import', dir, 'first', multi('ml_reviews.csv'), '--stage', 'initial'], LIMIT);
  assert.match(again.err, /verdicts about 0 images written/);
  const expected = lines(read('ml_metrics_expected.csv')).filter((line) => line.startsWith('initial,')).map((line) => line.replace('initial,', 'first,'));
  assert.deepEqual(lines(await must(['multilabel', dir, '--set', 'reviewed', '--labels', 'first'], LIMIT)).slice(1), expected);
  const strict = new Map(table(await must(['score', dir, '--set', 'reviewed', '--labels', 'first:strict'], LIMIT)).slice(1).map((row) => [row[1], row[3]]));
  for (const [, model, , correct] of expected.map((line) => line.split(','))) assert.equal(strict.get(model), correct, model);

  /* How many labels are correct, and the same answers by superclass, which every class has. */
  const summary = JSON.parse(read('ml_summary_expected.json'));
  for (const [name, stage] of [['first', 'initial'], ['last', 'final']]) {
    const { images_by_labels: numbers } = JSON.parse(await must(['multilabel', dir, '--set', 'reviewed', '--labels', name, '--json'], LIMIT));
    assert.deepEqual(Object.fromEntries(numbers.map(({ n, images }) => [n, images])), summary[stage].n_correct_hist, name);
  }
  const sums = new Map();
  for (const row of (await must(['multilabel', dir, '--set', 'reviewed', '--labels', 'first', '--groups', '@published'], LIMIT)).trim().split('\n').slice(1)) {
    const [model] = row.split(','), counts = row.split(',').slice(-3).map(Number);
    sums.set(model, (sums.get(model) ?? [0, 0, 0]).map((v, i) => v + counts[i]));
  }
  for (const [, model, n, correct, unclear] of expected.map((line) => line.split(','))) assert.deepEqual(sums.get(model), [Number(n), Number(correct), Number(correct) + Number(unclear)], model);

  /* Written and read again: a list's verdicts are the same source, and the same file. */
  const write = (name, source, ...more) => must(['export', 'labels', dir, source, '--format', name, ...more], LIMIT);
  for (const [format, end] of [['tfds', 'jsonl'], ['annotations', 'json'], ['real', 'json']]) {
    const file = path.join(folder, `first-${format}.${end}`), name = `first-${format}`;
    fs.writeFileSync(file, await write(format, 'first', '--set', 'reviewed'));
    const of = format === 'real' ? ['--set', 'reviewed'] : [];
    await must(['import', 'labels', dir, file, '--name', name, ...of], LIMIT);
    assert.equal(await write(format, name, '--set', 'reviewed'), fs.readFileSync(file, 'utf8'), format);
  }
  const own = table(await must(['score', dir, '--set', 'reviewed', '--labels', 'first:strict'], LIMIT)).slice(1);
  const real = new Map(table(await must(['score', dir, '--set', 'reviewed', '--labels', 'first-real'], LIMIT)).slice(1).map((row) => [row[1], row[3]]));
  for (const row of own) assert.equal(real.get(row[1]), row[3], `${row[1]} by the right labels alone`);
});

test('every published accuracy of people and models, with its intervals', needsGolden, async (t) => {
  /* A model that is right about the first k images of each set, which has so many; the sets are the first n of the same images. */
  const at2 = await newProject(t);
  await must(['import', 'classes', at2, at('classes', 'classes.csv')]);
  const rows = [...table(read('published_accuracy.csv')).slice(1).map((row) => ['accuracy', row[0], ...row.slice(2)]),
    ...table(read('published_subsets.csv')).slice(1).map(([subset, , classifier, ...n]) => [subset, classifier, ...n])];
  const want = rows.flatMap((row, i) => (row[0] === 'accuracy'
    ? [[`a${i}-val`, ...row.slice(2, 9)], [`a${i}-v2`, ...row.slice(9)]]
    : [[`s${i}-val`, row[6], row[2], row[3], row[8], row[9]], [`s${i}-v2`, row[7], row[4], row[5], row[10], row[11]]]))
    .map(([name, acc, k, n, ...ci]) => ({ name, acc: Number(acc), k: Number(k), n: Number(n), ci: ci.map(Number) }));
  const sizes = [...new Set(want.map(({ n }) => n))], most = Math.max(...sizes), put = (name, text) => {
    fs.writeFileSync(path.join(folder, name), text);
    return path.join(folder, name);
  };
  const all = Array.from({ length: most }, (_, i) => `i${i}.jpg`), list = (n) => `image,wnid\n${all.slice(0, n).map((image) => `${image},n01440764\n`).join('')}`;
  for (const n of sizes) await must(['import', 'set', at2, `n${n}`, put('first.csv', list(n)), '--role', 'original'], LIMIT);
  await must(['import', 'labels', at2, put('right.csv', `image,label,verdict\n${all.map((image) => `${image},0,correct\n${image},1,wrong\n`).join('')}`), '--name', 'right'], LIMIT);
  await must(['import', 'predictions', at2, put('said.csv', `image,${want.map(({ name }) => name).join()}\n${all.map((image, i) => `${image},${want.map(({ k }) => Number(i >= k)).join()}\n`).join('')}`)], LIMIT);
  const near = (got, published, digits, what) => assert.ok(Math.abs(got - published) < 0.5001 * 10 ** -digits, `${what}: ${got}, not ${published}`);
  for (const n of sizes) {
    const said = (...alpha) => must(['multilabel', at2, '--set', `n${n}`, '--labels', 'right', '--json', ...alpha], LIMIT).then((text) => new Map(JSON.parse(text).models.map((m) => [m.model, m])));
    const usual = await said(), wide = want.some((w) => w.n === n && w.ci.length > 2) ? await said('--alpha', '0.005') : usual;
    for (const one of want.filter((w) => w.n === n)) {
      const m = usual.get(one.name);
      assert.deepEqual([m.n, m.correct], [one.n, one.k], one.name);
      near(m.strict, one.acc, one.name[0] === 'a' ? 2 : 6, one.name);
      [m.strict_lo, m.strict_hi, wide.get(one.name).strict_lo, wide.get(one.name).strict_hi].slice(0, one.ci.length)
        .forEach((got, i) => near(got, one.ci[i], 6, `${one.name}, bound ${i}`));
    }
  }
  t.diagnostic(`${want.length} accuracies of ${sizes.length} sizes`);
});
