/* The published history of a set: 34 revisions with their reviews, the blacklist and near-duplicates as the study
 * left them, against the tables that were made of them. One project for all. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { before, test } from 'node:test';

import { must, needsGolden, newProject, wholeFile } from '../http/lib.mjs';
import { sqlite, tempDir } from '../load/tools.mjs';
import { LIMIT, at, lines, unpack } from './study.mjs';

const whole = wholeFile();
let dir;
let imports;

const table = (text) => lines(text).slice(1).map((line) => line.split(','));
const objects = (...parts) => lines(fs.readFileSync(at(...parts), 'utf8')).map((line) => JSON.parse(line));
const status = () => must(['review-status', dir, 'imagenetv2-b'], LIMIT);

/* Every revision as image -> wnid, put together from what each adds and removes. */
function replayed() {
  const sets = new Map();
  for (const line of objects('revisions', 'b.jsonl')) {
    const images = new Map(sets.get(line.parent));
    for (const image of line.remove) images.delete(image);
    for (const [image, wnid] of line.add) images.set(image, wnid);
    sets.set(line.name, images);
  }
  return sets;
}

before(async () => {
  if (needsGolden.skip) return;
  dir = await newProject(whole);
  const folder = tempDir(whole);
  imports = [
    ['blacklist', at('review', 'blacklist.csv')],
    ['near-duplicates', at('review', 'near_duplicate_edges.csv')],
    ['override', at('review', 'near_duplicate_override.txt')],
    ['nn-reviews', unpack(folder, 'review', 'nn_reviews.jsonl.xz')],
    ['review-thresholds', unpack(folder, 'votes_synth', 'review_thresholds.csv.xz')],
    ['sets', at('revisions', 'b.jsonl')],
    ['reviews', at('revisions', 'b_reviews.jsonl')],
  ];
  await must(['import', 'classes', dir, at('classes', 'classes.csv')], LIMIT);
  for (const [what, file] of imports) await must(['import', what, dir, file], LIMIT);
});

test('34 revisions replayed have the published sizes, changes, reviews and digests', needsGolden, async () => {
  const rows = table(await status());
  const expected = table(fs.readFileSync(at('expected', 'revisions_b.csv'), 'utf8'));
  assert.equal(rows.length, 34);
  assert.deepEqual(rows.map((r) => r.slice(0, 13)), expected);
  const published = objects('revisions', 'b.jsonl');
  assert.deepEqual(rows.map((r) => r[15]), published.map((r) => r.sha256_sorted));
  assert.deepEqual(rows.map((r) => r[13]), published.map((_, i) => `imagenetv2-b/${i}`));
  for (const [name, images] of replayed()) {
    const count = new Map();
    for (const wnid of images.values()) count.set(wnid, (count.get(wnid) ?? 0) + 1);
    const lacking = [...count].filter(([, n]) => n < 10).map(([wnid]) => wnid).sort();
    assert.deepEqual(rows.find((r) => r[0] === name)[16], lacking.join(' '), name);
  }
});

test('the final review of every revision is the published one', needsGolden, async () => {
  const state = lines(await sqlite(path.join(dir, 'holdout.db'),
    "SELECT s.name || '-' || r.number, k.wnid, w.reviewed, w.problematic, max(w.event) FROM class_review w"
    + ' JOIN revision r ON r.id = w.revision JOIN image_set s ON s.id = r.image_set JOIN class k ON k.id = w.class'
    + ' GROUP BY w.revision, w.class;')).map((line) => line.split('|'));
  const of = new Map();
  for (const [name, wnid, reviewed, problematic] of state) {
    of.set(name, of.get(name) ?? { reviewed: new Set(), problematic: [] });
    if (reviewed === '1') of.get(name).reviewed.add(wnid);
    if (problematic === '1') of.get(name).problematic.push(wnid);
  }
  const wnids = table(fs.readFileSync(at('classes', 'classes.csv'), 'utf8')).map((r) => r[1]);
  const published = objects('revisions', 'b_reviews.jsonl');
  assert.equal(published.length, 34);
  for (const line of published) {
    const got = of.get(line.name);
    assert.deepEqual(wnids.filter((w) => !got.reviewed.has(w)).sort(), line.not_reviewed.sort(), line.name);
    assert.deepEqual(got.problematic.sort(), line.problematic.sort(), line.name);
  }
});

test('the audit of the published set finds exactly what is wrong with it', needsGolden, async () => {
  const expected = fs.readFileSync(at('expected', 'audit_imagenetv2-b-33.csv'), 'utf8');
  assert.equal(await must(['audit', dir, 'imagenetv2-b/33'], LIMIT), expected);
  assert.equal(await must(['audit', dir, 'imagenetv2-b-33'], LIMIT), expected, 'by its published name');
});

test('near-duplicates have the published components', needsGolden, async () => {
  const rows = lines(await must(['export', 'near-duplicates', dir], LIMIT));
  assert.equal(rows[0], 'size,n_imagenet,first_id,name,images');
  const got = rows.slice(1).map((line) => {
    const [, size, originals, first, , images] = /^(\d+),(\d+),([^,]+),([0-9a-f]{16}),"(.*)"$/.exec(line);
    return [size, originals, first, createHash('md5').update(images).digest('hex')].join();
  });
  assert.equal(got.length, 4444);
  assert.deepEqual(got.sort(), lines(fs.readFileSync(at('expected', 'near_duplicate_components.csv'), 'utf8')).slice(1).sort());
});

test('what differs between two revisions is what the history says', needsGolden, async () => {
  const last = objects('revisions', 'b.jsonl').at(-1);
  const got = table(await must(['diff', dir, last.parent, last.name], LIMIT));
  const sorted = (kind) => got.filter((r) => r[0] === kind).map((r) => r[1]).sort();
  assert.deepEqual(sorted('removed'), last.remove.sort());
  assert.deepEqual(sorted('added'), last.add.map(([image]) => image).sort());
  assert.ok(got.every((r) => r[3] === (r[0] === 'removed' ? 'unknown' : '')), 'an import does not say why');
});

test('importing the history again changes nothing, and check finds nothing', needsGolden, async () => {
  const count = () => sqlite(path.join(dir, 'holdout.db'), 'SELECT max(id), count(*) FROM event;'
    + ' SELECT count(*) FROM revision; SELECT count(*) FROM set_list_image; SELECT count(*) FROM near_duplicate;');
  const rows = await count();
  for (const [what, file] of imports) await must(['import', what, dir, file], LIMIT);
  assert.equal(await count(), rows);
  await must(['check', dir], LIMIT);
});
