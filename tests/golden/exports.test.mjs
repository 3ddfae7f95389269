/* The published study through the program and out again, and a plan for all of its classes. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import { test } from 'node:test';

import { must, needsGolden } from '../http/lib.mjs';
import { LIMIT, at, lines, studyProject } from './study.mjs';

/* Equal texts of some megabytes, told by their first line that differs. */
function sameLines(got, want) {
  if (got === want) return;
  const a = lines(got);
  const b = lines(want);
  const i = a.findIndex((line, k) => line !== b[k]);
  assert.equal(a[i], b[i], `line ${i + 1}`);
  assert.equal(a.length, b.length);
  assert.fail('line ends differ');
}

test('hits and votes come out byte for byte as they went in', needsGolden, async (t) => {
  const { dir, hits, votes } = await studyProject(t, { votes: true });
  const out = await must(['export', 'hits', dir, '--format', 'jsonl'], LIMIT);
  assert.equal(lines(out).length, 6330);
  sameLines(out, fs.readFileSync(hits, 'utf8'));
  const answers = await must(['export', 'votes', dir], LIMIT);
  assert.equal(lines(answers).length, 63605);
  sameLines(answers, fs.readFileSync(votes, 'utf8'));

  /* The study's own JSON, with names: the same values, and in the long run the same again from what came out. */
  const sample = JSON.parse(fs.readFileSync(at('hits', 'sample_hits.json'), 'utf8'));
  await must(['import', 'hits', dir, at('hits', 'sample_hits.json'), '--campaign', 'sample']);
  assert.deepEqual(JSON.parse(await must(['export', 'hits', dir, '--campaign', 'sample'])), sample);
  if (process.env.HOLDOUT_LONG !== '1') return;
  const whole = await must(['export', 'hits', dir, '--campaign', 'imported', '--format', 'study'], LIMIT);
  const other = (await studyProject(t)).dir;
  await must(['import', 'hits', other, '-'], { ...LIMIT, input: whole });
  sameLines(await must(['export', 'hits', other, '--format', 'jsonl'], LIMIT), out);
});

/* The rules for one planned grid; tests/unit/domain asks the
 * real ones the same. */
function fault(grid, wnid, nearest) {
  const { label, pos, neg, all } = grid;
  if (all.length !== 48 || new Set(all).size !== 48) return 'not 48 different images';
  if ([...label, ...pos, ...neg].sort((a, b) => a - b).join() !== [...all].sort((a, b) => a - b).join()) return 'all is not label, pos and neg';
  if (![...label, ...pos].every((i) => wnid(i) === grid.wnid)) return 'a label cell or positive control of another class';
  if (!neg.every((i) => wnid(i) === nearest.get(grid.wnid))) return 'a negative control that is not from the nearest class';
  if (grid.special) return label.length <= (48 - pos.length) / 2 && pos.length <= 16 ? null : 'a special grid of other numbers';
  const short = 42 - label.length;
  return pos.length === 3 + Math.ceil(short / 2) && neg.length === 3 + Math.floor(short / 2) ? null : 'other numbers of controls';
}

test('a plan for all classes keeps the rules and covers every class', needsGolden, async (t) => {
  const { dir, images } = await studyProject(t);
  const begin = process.hrtime.bigint();
  const plan = JSON.parse(await must(['grids', dir, '--seed', '1', '--json', '--dry-run'], LIMIT));
  const middle = process.hrtime.bigint();
  await must(['grids', dir, '--seed', '1', '--quiet'], LIMIT);
  const ms = (from, to) => Number(to - from) / 1e6;
  t.diagnostic(`planned in ${ms(begin, middle).toFixed(0)} ms, written in ${ms(middle, process.hrtime.bigint()).toFixed(0)} ms`);

  const rows = lines(fs.readFileSync(images, 'utf8')).slice(1).map((l) => l.split(','));
  const wnid = (idx) => rows[idx][2];
  const nearest = new Map(lines(fs.readFileSync(at('classes', 'similar_wnids.csv'), 'utf8')).slice(1).map((l) => l.split(',')).map((c) => [c[0], c[2]]));
  const grids = lines(await must(['export', 'hits', dir, '--format', 'jsonl'], LIMIT)).map((l) => JSON.parse(l));
  assert.equal(grids.length, plan.grids);
  assert.equal(grids.filter((g) => g.special).length, plan.special);
  assert.deepEqual(grids.map((g) => fault(g, wnid, nearest)).filter(Boolean), []);

  const label = new Map();
  const covered = new Map();
  for (const g of grids) {
    if (!g.special) for (const i of g.label) label.set(i, (label.get(i) ?? 0) + 1);
    covered.set(g.wnid, (covered.get(g.wnid) ?? new Set()));
    for (const i of g.pos) covered.get(g.wnid).add(i);
  }
  const candidates = rows.flatMap((r, i) => (r[3] === 'cand' ? [i] : []));
  assert.equal(candidates.length, 195054);
  assert.ok(candidates.every((i) => label.has(i)), 'every candidate is planned');
  assert.ok([...label.values()].every((n) => n <= 2), 'once, or twice where a last grid was short');
  assert.ok([...covered.values()].every((s) => s.size >= 20));
  assert.equal(covered.size, 1000);
  assert.deepEqual([plan.coverage.reached_after, plan.coverage.below_after, plan.coverage.impossible], [1000, 0, 0]);
});
