/* Potential and candidate labels of published images: from what models say, and from how often people found each. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';

import { golden, must, needsGolden, newProject, tempDir } from '../http/lib.mjs';

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

/* Images whose own label is not among those that the source shows. */
const LABELS_CUT_OFF = 4;

/* A project with the votes as an imported study: a grid of one image for every pair, so many people who were shown it. */
async function askedProject(t) {
  const dir = await newProject(t);
  const rows = rowsOf(read('contains_partial.csv'));
  const wnid = new Map(rowsOf(read('classes.csv')).map((row) => [row.class, row.wnid]));
  const images = [...new Map(rows.map((row) => [row.image, row.label]))];
  const classes = [...wnid].map(([cid, id]) => `${JSON.stringify({ cid: Number(cid), wnid: id, synset: [id], gloss: 'a class' })}\n`).join('');
  const lines = (head, all) => `${[head, ...all].join('\n')}\n`;
  const given = {
    classes,
    'image-list': lines('idx,image,wnid,kind,source_id,date_taken', images.map(([image, label], i) => `${i},${image},${wnid.get(label)},original,,`)),
    hits: rows.map((row, i) => `${JSON.stringify({ hit: i, uuid: `u${i}`, wnid: wnid.get(row.class), excluded: false, label: [images.findIndex(([name]) => name === row.image)], pos: [], neg: [], all: [images.findIndex(([name]) => name === row.image)] })}\n`).join(''),
    votes: lines('assignment,hit,worker,status,accept_time,duration_s,mask_hex', rows.flatMap((row, hit) =>
      Array.from({ length: Number(row.shown) }, (_, k) => `A${hit}-${k},${hit},w${k},A,1534522281,9,${k < Number(row.selected) ? 1 : 0}`))),
  };
  for (const [what, input] of Object.entries(given)) await must(['import', what, dir, '-'], { input });
  await must(['import', 'set', dir, 'val', '-', '--role', 'original'], { input: lines('image,wnid', images.map(([image, label]) => `${image},${wnid.get(label)}`)) });
  const labels = path.join(tempDir(t), 'labels.csv');
  fs.writeFileSync(labels, lines('image,wnid,source', rows.map((row) => `${row.image},${wnid.get(row.class)},published`)));
  const plan = JSON.parse(await must(['potential', 'freeze', dir, '--name', 'asked', '--set', 'val', '--labels', labels, '--quiet', '--json']));
  assert.equal(plan.labels, 92 + LABELS_CUT_OFF);
  return { dir, wnid, rows };
}

test('the same through a project: votes, a plan of potential labels, a frozen plan of candidates', needsGolden, async (t) => {
  const { dir, wnid, rows } = await askedProject(t);
  const freeze = ['candidates', 'freeze', dir, '--name', 'found', '--potential', 'asked', '--view', 'default', '--quiet', '--json'];
  const made = JSON.parse(await must(freeze));
  assert.deepEqual([made.version, made.images, made.labels, made.tau, made.least, made.most, made.view], [1, 10, 92 + LABELS_CUT_OFF, 0.5, 5, 6, 'default']);
  const got = rowsOf(await must(['export', 'candidates', dir, 'found', '--frequencies']));
  assert.equal(got.length, 92 + LABELS_CUT_OFF);
  for (const row of rows) {
    const own = got.find((r) => r.image === row.image && r.class === wnid.get(row.class));
    assert.deepEqual([own.label, own.selected, own.shown, Number(own.frequency)], [wnid.get(row.label), row.selected, row.shown, row.selected / row.shown]);
  }
  /* Stage and candidates of every image are those of the file's command, which the test before holds against people's choices. */
  const of = new Map([...wnid].map(([cid, id]) => [cid, id]));
  const files = rowsOf(await must(['candidate-labels', at('contains_partial.csv'), '--quiet']));
  const stages = rowsOf(await must(['export', 'candidates', dir, 'found']));
  assert.equal(stages.length, 10);
  for (const row of files) {
    const own = stages.find((r) => r.image === row.image);
    assert.deepEqual([own.stage, own.selected, own.shown, own.asked, own.left_out, own.candidates.split('+').sort()],
      [row.stage, row.selected, row.shown, row.asked, row.left_out, row.candidates.split('+').map((cid) => of.get(cid) ?? '').sort()]);
  }
  const complete = [...new Map(rows.filter((row) => row.complete === '1').map((row) => [row.image, row.stage]))];
  assert.equal(complete.length, 2);
  for (const [image, stage] of complete) assert.equal(stages.find((r) => r.image === image).stage, stage);
  /* Frozen: the same again is the same version, other rules are the next one. */
  assert.equal(JSON.parse(await must(freeze)).version, 1);
  assert.equal(JSON.parse(await must([...freeze, '--tau', '0.75'])).version, 2);
  assert.equal(JSON.parse(await must(['candidates', 'show', dir, 'found/1'])).digest, made.digest);
  await must(['check', dir]);
});
