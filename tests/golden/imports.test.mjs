/* The published study and the synthetic votes on it, from files to frequencies, against what the
 * authors' own tools made of them. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';

import { golden, holdout, must, needsGolden, newProject } from '../http/lib.mjs';
import { sqlite, tempDir } from '../load/tools.mjs';
import { LIMIT, at, lines, studyProject, unpack } from './study.mjs';

const database = (dir) => path.join(dir, 'holdout.db');

/* What the imports may change: every table's rows, in one number each. */
async function contents(dir) {
  const tables = lines(await sqlite(database(dir),
    "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name;"));
  const counts = tables.map((name) => `SELECT '${name}', count(*) FROM "${name}"`).join(' UNION ALL ');
  const answers = "SELECT 'answers', sum(id * (mask % 1000003) % 1000003) FROM answer";
  return sqlite(database(dir), `${counts} UNION ALL ${answers};`);
}

/* wnid -> its similar classes' wnids, nearest first: as stored, and as published. */
async function similarOf(dir) {
  const similar = new Map();
  for (const line of lines(await sqlite(database(dir), 'SELECT k.wnid, o.wnid FROM similar_class s JOIN class k ON k.id = s.class'
    + ' JOIN class o ON o.id = s.other ORDER BY k.wnid, s.rank;'))) {
    const [wnid, other] = line.split('|');
    similar.set(wnid, [...similar.get(wnid) ?? [], other]);
  }
  return similar;
}

const published = () => new Map(lines(fs.readFileSync(at('classes', 'similar_wnids.csv'), 'utf8')).slice(1)
  .map((line) => line.split(',')).map(([wnid, ...similar]) => [wnid, similar]).sort((a, b) => (a[0] < b[0] ? -1 : 1)));

test('the published study with synthetic votes gives the expected numbers', needsGolden, async (t) => {
  const { dir, images, hits, votes } = await studyProject(t, { votes: true });
  const idx = new Map(lines(fs.readFileSync(images, 'utf8')).slice(1)
    .map((line) => { const [number, image] = line.split(','); return [image, number]; }));
  assert.equal(idx.size, 245054);
  const out = lines(await must(['export', 'frequencies', dir], LIMIT));
  assert.equal(out[0], 'image,wnid,n_assignments,n_selected');
  const got = out.slice(1).map((line) => {
    const [image, ...rest] = line.split(',');
    return [idx.get(image), ...rest].join(',');
  });
  const expected = lines(fs.readFileSync(unpack(tempDir(t), 'votes_synth', 'expected_frequency.csv.xz'), 'utf8'));
  assert.equal(expected[0], 'idx,wnid,n_assignments,n_selected');
  assert.equal(got.length, 231677);
  assert.deepEqual(got.sort(), expected.slice(1).sort());

  assert.equal(await must(['export', 'workers', dir], LIMIT),
    fs.readFileSync(at('votes_synth', 'expected_worker_qc.csv'), 'utf8'));
  /* What the dashboards say of classes: the original images by frequency, ten answers at least. */
  const table = (text) => lines(text).slice(1).map((line) => line.split(','));
  const bins = table(await must(['export', 'classes', dir], LIMIT)).map((c) => [c[0], ...c.slice(7, 12)].join());
  const want = table(fs.readFileSync(at('votes_synth', 'expected_histograms.csv'), 'utf8')).map((c) => c.slice(0, 6).join());
  assert.equal(bins.length, 1000);
  assert.deepEqual(bins.sort(), want.sort());

  const before = await contents(dir);
  for (const [what, file] of [['classes', at('classes', 'classes.csv')], ['image-list', images], ['hits', hits], ['votes', votes]]) {
    assert.match((await holdout(['import', what, dir, file], LIMIT)).err, /\b0 new/, what);
  }
  assert.equal(await contents(dir), before, 'the second time changes nothing');
  await must(['check', dir], LIMIT); /* also: their scores of workers are those above */
});

test('classes as JSON lines are the same classes, and bring the similar ones', needsGolden, async (t) => {
  const csv = await newProject(t);
  const jsonl = await newProject(t);
  await must(['import', 'classes', csv, at('classes', 'classes.csv')]);
  await must(['import', 'classes', jsonl, at('classes', 'classes.jsonl')]);
  const classes = (dir) => sqlite(database(dir), 'SELECT cid, wnid, synset, gloss, wikipedia FROM class ORDER BY cid;');
  assert.equal(lines(await classes(csv)).length, 1000);
  assert.equal(await classes(jsonl), await classes(csv));
  assert.deepEqual(await similarOf(jsonl), published());
  /* One after the other: nothing new. */
  assert.match((await holdout(['import', 'classes', csv, at('classes', 'classes.jsonl')])).err, /\b0 new/);
  assert.equal(await classes(csv), await classes(jsonl));
});

test("the study's own JSON, with names instead of numbers, is the same grids", needsGolden, async (t) => {
  const dir = await newProject(t);
  await must(['import', 'classes', dir, at('classes', 'classes.csv')]);
  const hits = JSON.parse(fs.readFileSync(at('hits', 'sample_hits.json'), 'utf8'));
  const names = new Set(hits.flatMap((h) => h.images_all));
  const list = unpack(tempDir(t), 'hits', 'images.csv.xz');
  const rows = lines(fs.readFileSync(list, 'utf8')).filter((line, i) => i === 0 || names.has(line.split(',')[1]));
  assert.equal(rows.length, names.size + 1);
  await must(['import', 'image-list', dir, '-'], { input: rows.join('\n') });
  await must(['import', 'hits', dir, at('hits', 'sample_hits.json')]);
  const stored = new Map();
  for (const line of lines(await sqlite(database(dir), 'SELECT g.name, k.wnid, i.name, c.role FROM grid_cell c JOIN grid g ON g.id = c.grid'
    + ' JOIN class k ON k.id = g.class JOIN image i ON i.id = c.image ORDER BY g.id, c.position;'))) {
    const [uuid, wnid, image, role] = line.split('|');
    const grid = stored.get(uuid) ?? { wnid, cells: [] };
    grid.cells.push([image, Number(role)]);
    stored.set(uuid, grid);
  }
  assert.equal(stored.size, hits.length);
  for (const h of hits) {
    const role = (image) => (h.images_to_label.includes(image) ? 0 : h.images_pos_control.includes(image) ? 1 : 2);
    assert.deepEqual(stored.get(h.uuid), { wnid: h.wnid, cells: h.images_all.map((image) => [image, role(image)]) });
  }
  assert.match((await holdout(['import', 'hits', dir, at('hits', 'sample_hits.json')])).err, /\b0 new/);
  await must(['check', dir]);
});

const WORDNET = '/usr/share/wordnet/data.noun'; /* Debian package wordnet-base */

const needsWordnet = golden && fs.existsSync(WORDNET) ? {}
  : { skip: 'SKIPPED: HOLDOUT_GOLDEN is not set or wordnet-base is not installed' };

/* Steps to every ancestor, oneself included. */
function ancestors(parents, id) {
  const steps = new Map([[id, 0]]);
  for (const at of steps.keys()) { /* grows while it is walked: breadth first */
    for (const parent of parents.get(at) ?? []) if (!steps.has(parent)) steps.set(parent, steps.get(at) + 1);
  }
  return steps;
}

/* The shortest way over a common ancestor. */
function distance(a, b) {
  let least = Infinity;
  for (const [id, n] of a) if (b.has(id)) least = Math.min(least, n + b.get(id));
  return least;
}

/* What holds, for all 1000 classes: the nearest classes are the published ones in the published
 * order, no class that is left out is nearer, and distances never fall along the list. */
test('WordNet gives the published similar classes', needsWordnet, async (t) => {
  const dir = await newProject(t);
  await must(['import', 'classes', dir, at('classes', 'classes.csv')]);
  await must(['import', 'wordnet', dir], LIMIT);
  assert.deepEqual(await similarOf(dir), published());

  const parents = new Map();
  for (const line of lines(await sqlite(database(dir), 'SELECT child, parent FROM hypernym;'))) {
    const [child, parent] = line.split('|').map(Number);
    parents.set(child, [...parents.get(child) ?? [], parent]);
  }
  const up = new Map([...published().keys()].map((wnid) => [wnid, ancestors(parents, Number(wnid.slice(1)))]));
  for (const [wnid, similar] of published()) {
    const to = (other) => distance(up.get(wnid), up.get(other));
    const nearest = [...up.keys()].map(to).sort((a, b) => a - b).slice(0, 21);
    assert.deepEqual(similar.map(to), nearest, wnid);
  }

  const before = await contents(dir);
  await must(['import', 'wordnet', dir, WORDNET], LIMIT);
  assert.equal(await contents(dir), before);
  await must(['check', dir], LIMIT);
});
