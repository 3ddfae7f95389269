/* Sets sampled from the published study with synthetic votes, through the program: both rounds against what the
 * authors' own samplers gave. The rules by themselves, and what holds for every draw: tests/unit/domain. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';

import { Client, holdout, must, needsGolden, startServer } from '../http/lib.mjs';
import { tempDir } from '../load/tools.mjs';
import { LIMIT, at, lines, studyProject, unpack } from './study.mjs';

const OWN = 'n03014705=.6,n02090379=.6,n03804744=.5';
const PLANS = {
  b: ['--strategy', 'matched', '--originals-least', '1'],
  bu: ['--strategy', 'matched', '--originals-least', '1', '--upward'],
  a: ['--strategy', 'threshold', '--thresholds', OWN],
  c: ['--strategy', 'top'],
};
const unpacked = (name) => execFileSync('xz', ['-dc', at('votes_synth', name)], { maxBuffer: 1 << 28 }).toString();
const text = (name) => (name.endsWith('.xz') ? unpacked(name) : fs.readFileSync(at('votes_synth', name), 'utf8'));
const rows = (csv) => {
  const [head, ...rest] = lines(csv).map((line) => line.split(','));
  return rest.map((cells) => Object.fromEntries(head.map((name, i) => [name, cells[i]])));
};

/* Two at a time: there may be no more cores. */
async function pairwise(list, run) {
  for (let i = 0; i < list.length; i += 2) await Promise.all(list.slice(i, i + 2).map(run));
}

/* The plan as CSV is the published file, and what it says of the whole is the published summary. */
async function plansEqual(dir, list) {
  await pairwise(list, async ([name, file, strategy, parent]) => {
    const more = parent ? ['--parent', parent] : [];
    const r = await holdout(['sample', dir, '--plan', ...PLANS[strategy], ...more], LIMIT);
    assert.equal(r.code, 0, r.err);
    assert.ok(r.out === text(file), `the plan is not ${file}`);
    const [, n, missing] = /: (\d+) of 10000 images, .* short by (\d+);/.exec(r.err);
    assertSummary(name, Number(n), undefined, missing === '0');
  });
}

/* "image,wnid" of a revision, sorted. */
const listOf = async (dir, revision) => lines(await must(['export', 'set', dir, revision], LIMIT)).slice(1).sort();
const topImages = (file) => rows(text(file)).map((r) => `${r.image},${r.wnid}`).sort();

/* A row of expected_summary.csv. */
const summary = new Map(needsGolden.skip ? [] : lines(text('expected_summary.csv')).slice(1).map((line) => {
  const cells = line.split(',');
  return [cells[0], { n: Number(cells.at(-3)), valid: cells.at(-2) === '1', average: Number(cells.at(-1)) }];
}));

function assertSummary(name, n, average, valid) {
  const want = summary.get(name);
  assert.equal(n, want.n, name);
  if (valid !== undefined) assert.equal(valid, want.valid, name);
  if (average !== undefined) assert.ok(Math.abs(average - want.average) < 1e-12, `${name}: ${average}`);
}

async function sample(dir, set, strategy, parent) {
  const more = parent ? ['--parent', parent] : [];
  return JSON.parse(await must(['sample', dir, '--set', set, '--json', '--quiet', ...PLANS[strategy], ...more], LIMIT));
}

async function nearDuplicates(dir, round, column) {
  const pool = rows(await must(['export', 'pool', dir, '--quiet'], LIMIT));
  const want = new Set(rows(text('expected_near_duplicates.csv.xz')).filter((r) => r[column] === '1').map((r) => r.image));
  const got = pool.filter((r) => r.near_duplicate === '1');
  assert.equal(got.length, summary.get(`near_duplicates_${round}`).n);
  assert.equal(got.filter((r) => want.has(r.image)).length, want.size);
  return pool;
}

/* Averages of lists that are given, over images with votes. */
function averages(pool, sets) {
  const shown = new Map(pool.filter((r) => r.n_assignments !== '0')
    .map((r) => [`${r.image},${r.wnid}`, r.n_selected / r.n_assignments]));
  for (const [name, list] of sets) {
    const known = list.filter((key) => shown.has(key)).map((key) => shown.get(key));
    assertSummary(name, known.length, known.reduce((a, b) => a + b, 0) / known.length);
  }
}

/* The pages of classes resolve near-duplicates each for itself (sets/pool/class_facts.h): their bins are the published ones
 * as well. Every fiftieth class. */
async function classPages(t, dir) {
  const server = await startServer(t, dir);
  const lead = await new Client(server.url).login();
  const want = rows(text('expected_histograms.csv')).filter((_, i) => i % 50 === 0);
  for (const row of want) {
    const html = await lead.page(`/classes/${row.wnid}`);
    const bins = [.../id="bins-table".*?<\/table>/s.exec(html)[0].matchAll(/<tr><th scope="row".*?<\/tr>/gs)];
    assert.equal(bins.length, 5);
    bins.forEach(([bin], i) => {
      const [val, target, valid, all] = [...bin.matchAll(/<td class="number">(?:<[^>]*>)?(\d+)/g)].map((m) => Number(m[1]));
      const unreviewed = Number(/and (\d+) to review/.exec(bin)?.[1] ?? 0);
      assert.deepEqual([val, target, valid + unreviewed, all],
        ['val', 'target', 'valid_cand', 'all_cand'].map((column) => Number(row[column + i])), `${row.wnid}, bin ${i}`);
    });
  }
  await server.stop();
}

/* How far the study had reviewed the neighbours, from its files alone: the least distance that nobody looked at, of
 * candidates that are not blacklisted. */
async function reviewedTo(dir, images, review) {
  const banned = new Set(lines(fs.readFileSync(at('review', 'blacklist.csv'), 'utf8')).map((line) => line.split(',')[0]));
  const candidates = new Set(lines(fs.readFileSync(images, 'utf8')).map((line) => line.split(','))
    .filter((r) => r[3] === 'cand').map((r) => r[1]));
  const listed = lines(fs.readFileSync(review, 'utf8')).map((line) => line.split(',')).filter((r) => candidates.has(r[0]));
  const csv = rows(await must(['near-metrics', dir], LIMIT));
  const never = new Set(listed.filter((r) => r[1] === 'missing').map((r) => r[0])); /* searched, by any metric */
  assert.ok(never.size > 100);
  for (const [metric, threshold] of [['l2', 1.2e8], ['fc7', 1.32e4], ['dssim', 0.2205]]) {
    const distances = listed.filter((r) => r[1] === metric && !banned.has(r[0]) && !never.has(r[0])).map((r) => Number(r[2]));
    assert.ok(distances.length > 100, metric);
    const said = csv.find((r) => r.metric === metric);
    assert.deepEqual(['searched', 'candidates', 'pairs', 'left', 'reviewed_to'].map((name) => Number(said[name])),
      [candidates.size - never.size, candidates.size, 0, distances.filter((d) => d <= threshold).length,
        Math.min(threshold, ...distances)], metric);
  }
}

test('both rounds of the study are sampled as the published programs do', needsGolden, async (t) => {
  const { dir, images } = await studyProject(t, { votes: true });
  const folder = tempDir(t);
  const review = unpack(folder, 'votes_synth', 'review_thresholds.csv.xz');
  for (const [what, file] of [['blacklist', at('review', 'blacklist.csv')],
    ['near-duplicates', at('review', 'near_duplicate_edges.csv')],
    ['override', at('review', 'near_duplicate_override.txt')], ['review-thresholds', review]]) {
    await must(['import', what, dir, file, '--quiet'], LIMIT);
  }

  await reviewedTo(dir, images, review);
  assert.ok(await must(['export', 'histograms', dir, '--quiet'], LIMIT) === text('expected_histograms.csv'));
  const pool = await nearDuplicates(dir, 'round0', 'round0');
  await classPages(t, dir);
  await plansEqual(dir, [['b0', 'expected_matched_b0.csv', 'b'], ['b0u', 'expected_matched_b0u.csv', 'bu'],
    ['a0', 'expected_threshold_a0.csv', 'a'], ['c0', 'expected_topimages_c0_pool.csv', 'c']]);
  const top = await sample(dir, 'c', 'c');
  assertSummary('c0', top.images, top.facts.average_frequency, top.valid);
  assert.deepEqual(await listOf(dir, 'c/0'), topImages('expected_topimages_c0.csv.xz'));

  /* The parents of round 1 as they were drawn then. */
  const names = lines(fs.readFileSync(images, 'utf8')).map((line) => line.split(',')[1]);
  const lists = ['a0', 'b0', 'b0u'].map((name) => [name,
    rows(text(`round0_dataset_${name}.csv`)).map((r) => `${names[Number(r.idx) + 1]},${r.wnid}`)]);
  const final = lines(fs.readFileSync(at('predictions', 'imagenetv2-b-33.images.csv'), 'utf8')).slice(1)
    .map((line) => line.split(',').slice(1, 3).join(','));
  averages(pool, [...lists, ['imagenetv2-b-33', final],
    ['validation positive controls', pool.filter((r) => r.role === 'original').map((r) => `${r.image},${r.wnid}`)]]);
  for (const [name, list] of lists) {
    const file = path.join(folder, `${name}.csv`);
    fs.writeFileSync(file, `image,wnid\n${list.join('\n')}\n`);
    await must(['import', 'set', dir, name, file, '--sealed', '--quiet'], LIMIT);
  }

  await must(['import', 'blacklist', dir, at('votes_synth', 'round1_extra_blacklist.csv'), '--quiet'], LIMIT);
  await must(['import', 'near-duplicates', dir, at('votes_synth', 'round1_extra_near_duplicates.csv'), '--quiet'], LIMIT);
  await nearDuplicates(dir, 'round1', 'round1');
  await plansEqual(dir, [['b1', 'expected_matched_b1.csv', 'b', 'b0/0'], ['b1u', 'expected_matched_b1u.csv', 'bu', 'b0u/0'],
    ['a1', 'expected_threshold_a1.csv', 'a', 'a0/0'], ['c1', 'expected_topimages_c1_pool.csv', 'c', 'c/0']]);
  const next = await sample(dir, 'c', 'c', 'c/0');
  assertSummary('c1', next.images, next.facts.average_frequency, next.valid);
  assert.deepEqual(await listOf(dir, 'c/1'), topImages('expected_topimages_c1.csv.xz'));
  const drawn = await sample(dir, 'b0u', 'bu', 'b0u/0');
  assertSummary('b1u', drawn.images, undefined, drawn.valid);

  /* Round 0 comes out again although round 1 was decided since, and so does a draw that was random. */
  await pairwise(['c/0', 'b0u/1'], async (revision) => {
    const again = await holdout(['sample', dir, '--replay', revision], LIMIT);
    assert.equal(again.code, 0, again.err);
    assert.match(again.err, /comes out the same: 10000 images/);
    assert.doesNotMatch(again.err, /warning/);
  });
});
