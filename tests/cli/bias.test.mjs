/* `holdout bias`: a synthetic study whose true frequencies are known, through files, sampling and the command; plans
 * that measure a set again; what is refused. How often intervals hold the truth: tests/unit/live/matching_bias_test.c. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { before, test } from 'node:test';

import { holdout, linesIn, must, newProject, tempDir, wholeFile } from '../http/lib.mjs';
import { sqlite } from '../load/tools.mjs';
import { copyOf, fails } from './tools.mjs';

const whole = wholeFile();

const CLASSES = 24;
const GRIDS = 3; /* of each class, with as many candidates and originals each */
const CANDIDATES = 34;
const ORIGINALS = 14;
const ANSWERS = 10;
const WORKERS = 25;
const range = (n) => Array.from({ length: n }, (_, i) => i);
const wnid = (c) => `n${String(c + 1).padStart(8, '0')}`;
const truth = new Map(); /* name: true frequency */
let study, frozen;

/* Park and Miller's generator: the same votes on every machine. */
let state = 20007;
const unit = () => { state = (state * 48271) % 2147483647; return state / 2147483647; };
const pick = (n) => Math.floor(unit() * n);

const query = async (dir, sql) => (await sqlite(path.join(dir, 'holdout.db'), sql)).trim().split('\n').filter(Boolean);

/* The best of so many uniform numbers is Beta(n, 1), the least Beta(1, n): originals are mostly good, the pool poor. */
const good = () => Math.max(unit(), unit(), unit());
const poor = () => (unit() < 0.5 ? unit() : Math.min(unit(), unit()));

function makeStudy() {
  const images = [], hits = [], votes = [];
  for (const c of range(CLASSES)) {
    for (const g of range(GRIDS)) {
      const add = (kind, p, j) => {
        const idx = images.length, name = `${kind}-${c}-${g}-${j}`;
        truth.set(name, p);
        images.push({ idx, name, wnid: wnid(c), kind, p });
        return idx;
      };
      const label = range(CANDIDATES).map((j) => add('cand', poor(), j));
      const pos = range(ORIGINALS).map((j) => add('val', good(), j));
      const hit = hits.length, all = [...label, ...pos];
      hits.push({ hit, uuid: `hit-${hit}`, wnid: wnid(c), time: '2018-10-01 00:00:00', source_file: 'f', excluded: '', label, pos, neg: [], all });
      const who = range(WORKERS);
      for (let v = 0; v < ANSWERS; v++) {
        const [worker] = who.splice(pick(who.length), 1);
        const mask = all.reduce((m, idx, bit) => (unit() < images[idx].p ? m | 1n << BigInt(bit) : m), 0n);
        votes.push(`${votes.length},${hit},w${worker},A,1538352000,60,${mask.toString(16).padStart(12, '0')}`);
      }
    }
  }
  return { images, hits, votes };
}

before(async () => {
  study = await newProject(whole);
  const write = linesIn(tempDir(whole));
  const { images, hits, votes } = makeStudy();
  await must(['import', 'classes', study, write('classes.csv', ['cid,wnid,synset,gloss,wikipedia', ...range(CLASSES).map((c) => `${c},${wnid(c)},thing ${c},a thing,`)])]);
  await must(['import', 'image-list', study, write('images.csv', ['idx,image,wnid,kind,source_id,date_taken', ...images.map((i) => `${i.idx},${i.name},${i.wnid},${i.kind},,`)])]);
  await must(['import', 'hits', study, write('hits.jsonl', hits.map((h) => JSON.stringify(h)))]);
  await must(['import', 'votes', study, write('votes.csv', ['assignment,hit,worker,status,accept_time,duration_s,mask_hex', ...votes])]);
  await must(['sample', study, '--set', 'matched', '--strategy', 'matched', '--size', '10', '--seed', '4', '--quiet']);
  frozen = write('frozen.csv', (await must(['export', 'set', study, 'matched'])).trimEnd().split('\n'));
});

const biasOf = async (dir, ...args) => JSON.parse(await must(['bias', dir, ...args, '--json', '--quiet']));

/* Of the images that were drawn, every class with its weight in the set. */
function trueBias(names) {
  const original = (c) => {
    const p = [...truth].filter(([name]) => name.startsWith(`val-${c}-`)).map(([, x]) => x);
    return p.reduce((a, b) => a + b) / p.length;
  };
  return names.map((name) => truth.get(name) - original(name.split('-')[1])).reduce((a, b) => a + b) / names.length;
}

test('the corrected figures hold the truth, raw averages and half of the answers do not', async () => {
  const b = await biasOf(study, 'matched/0');
  const names = (await must(['export', 'set', study, 'matched'])).trimEnd().split('\n').slice(1).map((l) => l.split(',')[0]);
  const is = trueBias(names);
  const holds = (e) => e.lo <= is && is <= e.hi;
  assert.deepEqual([b.set, b.revision, b.strategy, b.view, b.answers, b.workers], ['matched', 0, 'matched', 'default', ANSWERS, WORKERS]);
  assert.deepEqual([b.images, b.originals, b.pool], [names.length, CLASSES * GRIDS * ORIGINALS, CLASSES * GRIDS * CANDIDATES]);
  assert.ok(is < -0.03, `the set is harder: ${is}`);
  assert.ok(holds(b.estimated), JSON.stringify({ is, ...b }));
  assert.ok(!holds(b.raw) && b.raw.lo > is);
  assert.deepEqual(b.designs.map((d) => d.answers), [5, 6, 7, 8, 9]);
  assert.ok(!holds(b.designs[0]) && b.designs[0].hi < is);
  assert.ok(b.designs.every((d) => d.lo < d.value && d.value < d.hi && d.held_out > 0));
  /* What chose the images flatters them; the difference is that of the other answers. */
  for (const d of b.designs) {
    assert.ok(d.kept_mean > d.held_out_mean && d.images > 100, JSON.stringify(d));
    assert.ok(Math.abs(d.held_out_mean - d.original_mean - d.value) < 1e-12);
  }
  assert.ok(Math.abs(b.raw.value - (b.raw_set - b.raw_original)) < 1e-12);
  assert.equal(b.measured_again, null);
  assert.deepEqual(b.leading, { ...b.estimated, method: 'estimated', holds: true, why_not: null });
  assert.deepEqual(b.review, { recorded: false, assumed: false, revisions: 1, kept: 0, not_reviewed: b.images, removed: 0 });
  /* The same again; other groups are other intervals of the same figures. */
  assert.deepEqual(await biasOf(study, 'matched'), b);
  const grouped = await biasOf(study, 'matched', '--groups', '5', '--seed', '9');
  assert.deepEqual([b.seed, grouped.seed, grouped.groups, grouped.estimated.value], [0, 9, 5, b.estimated.value]);
  assert.notEqual(grouped.estimated.lo, b.estimated.lo);
});

const members = async (dir, set) => (await must(['export', 'set', dir, set])).trimEnd().split('\n').slice(1).map((l) => l.split(',')[0]);

test('the estimate knows what the final review removed', async (t) => {
  const dir = copyOf(t, study), file = path.join(tempDir(t), 'blacklist.csv');
  const blind = (await biasOf(dir, 'matched')).estimated;
  /* Reviewers see the images: they remove what most people would not select, and look at what comes instead. */
  const removed = new Set();
  let number = 0;
  for (let poor; (poor = (await members(dir, 'matched')).filter((name) => truth.get(name) < 0.45)).length; number++) {
    poor.forEach((name) => removed.add(name));
    fs.writeFileSync(file, ['image,reason', ...poor.map((name) => `${name},wrong class`), ''].join('\n'));
    await must(['import', 'blacklist', dir, file]);
    await must(['sample', dir, '--set', 'matched', '--parent', `matched/${number}`, '--strategy', 'matched', '--size', '10', '--seed', '4', '--quiet']);
  }
  const names = await members(dir, 'matched'), is = trueBias(names);
  assert.ok(removed.size > 20 && number > 1 && is > blind.hi, `${removed.size} ${number} ${is} ${blind.hi}`);
  const holds = (b) => assert.ok(b.estimated.lo <= is && is <= b.estimated.hi, JSON.stringify({ is, blind, e: b.estimated }));

  /* Nobody recorded a class as reviewed: whatever was in earlier revisions counts as looked at. */
  const assumed = await holdout(['bias', dir, 'matched', '--json']);
  const first = JSON.parse(assumed.out);
  assert.match(assumed.err, /No class is recorded as reviewed, but images were removed/);
  assert.match(assumed.err, /reviewers saw the images, so they knew more .* measuring again makes no such assumption/);
  assert.deepEqual([first.review.recorded, first.review.assumed, first.review.revisions, first.review.removed], [false, true, number + 1, removed.size]);
  assert.ok(first.review.kept > 0 && first.review.not_reviewed < first.images / 4);
  holds(first);

  /* All classes of all revisions are. */
  await query(dir, `INSERT INTO event (at, kind) VALUES (1, 'test'); INSERT INTO class_review (revision, class, event, reviewed, problematic)
    SELECT r.id, k.id, (SELECT max(id) FROM event), 1, 0 FROM revision r JOIN class k;`);
  const b = await biasOf(dir, 'matched');
  assert.deepEqual(b.review, { recorded: true, assumed: false, revisions: number + 1, kept: b.images, not_reviewed: 0, removed: removed.size });
  assert.deepEqual([b.leading.method, b.leading.holds, b.leading.value], ['estimated', true, b.estimated.value]);
  holds(b);
  const table = await must(['bias', dir, 'matched']);
  assert.match(table, new RegExp(`\\nestimated: chosen by all 10 answers .*\\n {2}final review: ${removed.size} removed, ${b.images} of the set kept, 0 not reviewed\\n`));

  /* Imported without its history: reviewed, but nothing says what was removed. */
  fs.writeFileSync(file, ['image,wnid', ...names.map((name) => `${name},${wnid(Number(name.split('-')[1]))}`), ''].join('\n'));
  await must(['import', 'set', dir, 'copy', file, '--sealed']);
  assert.equal((await biasOf(dir, 'copy')).leading.holds, false);
});

/* Models that are right the more often, the more people select an image, and on new images LEFT less often besides. */
const LEFT = 0.08;
async function addModels(t, dir, sets) {
  const write = linesIn(tempDir(t)), list = [...truth].filter(([name]) => sets.has(name));
  for (const [model, least] of [['steep', 0.1], ['flat', 0.4]]) {
    const said = list.map(([name, p]) => {
      const c = Number(name.split('-')[1]), chance = least + (0.9 - least) * p - (name.startsWith('cand') ? LEFT : 0);
      return JSON.stringify({ image: name, labels: [wnid(unit() < chance ? c : (c + 1) % CLASSES), wnid((c + 2) % CLASSES)] });
    });
    await must(['import', 'predictions', dir, write(`${model}.jsonl`, said), '--model', model]);
  }
}
const adjusted = async (dir, ...args) => JSON.parse(await must(['gap-adjusted', dir, '--original', 'originals', '--new', 'matched', ...args, '--json', '--quiet']));

test('the gap that frequencies do not explain', async (t) => {
  const dir = copyOf(t, study), write = linesIn(tempDir(t));
  const originals = [...truth.keys()].filter((name) => name.startsWith('val-'));
  const list = write('originals.csv', ['image,wnid', ...originals.map((name) => `${name},${wnid(Number(name.split('-')[1]))}`)]);
  await must(['import', 'set', dir, 'originals', list, '--role', 'original']);
  const names = await members(dir, 'matched');
  await addModels(t, dir, new Set([...originals, ...names]));
  await fails(['gap-adjusted', dir, '--original', 'originals', '--new', 'matched'], /sealed/);
  await must(['set', 'freeze', dir, 'matched', '--reason', 'final']);
  const g = await adjusted(dir);
  const { first } = g, { mean } = first;
  assert.deepEqual([g.original, g.new, g.top, g.leading, g.why, g.measured_again, g.sealed], ['originals/0', 'matched/0', 1, 'first', null, null, 0]);
  assert.deepEqual([first.classes, first.images, first.originals, first.measured, first.unanswered], [CLASSES, names.length, originals.length, originals.length, 0]);
  assert.deepEqual([first.workers, first.groups, first.resamples, g.seed], [WORKERS, WORKERS, 200, 0]);
  assert.deepEqual(first.models.map((m) => m.model), ['flat', 'steep']);
  /* The set is harder than it seems, so that part of the raw gap goes; what is left is what models lose besides. */
  assert.ok(mean.gap.lo <= 100 * LEFT && 100 * LEFT <= mean.gap.hi, JSON.stringify(mean));
  assert.ok(mean.raw.value > mean.gap.value && mean.gap.sd_workers > 0 && mean.gap.sd_images > 0 && mean.raw.sd_workers === 0);
  for (const m of first.models) {
    assert.ok(Math.abs(m.original - m.new_adjusted - m.gap.value) < 1e-9 && Math.abs(m.original - m.new - m.raw.value) < 1e-9);
  }
  assert.ok(first.effective_images > 50 && first.effective_images <= first.images && first.overlap > 0.5);
  assert.match(first.assumes, /same true frequency are equally hard in both sets, up to the gap of interest/);
  /* Of what the gap is made of, one part has a bound and two have no numbers. */
  assert.deepEqual(g.parts.map((p) => [p.name, p.identified]), [['Adaptivity gap', false], ['Distribution gap', false], ['Generalization gap', true]]);
  assert.deepEqual(g.parts.slice(0, 2).map((p) => [p.bound, p.bound_all_models]), [[null, null], [null, null]]);
  assert.ok(Math.abs(g.parts[2].bound - Math.sqrt(Math.log(2 / 0.05) / (2 * names.length))) < 1e-12);
  assert.ok(Math.abs(g.parts[2].bound_all_models - Math.sqrt(Math.log(4 / 0.05) / (2 * names.length))) < 1e-12);
  assert.match(g.parts[2].method, /Hoeffding.*0\.95/);

  /* One model alone, other seeds: the same figures, other intervals. */
  const one = await adjusted(dir, '--models', 'steep', '--seed', '5', '--groups', '10', '--resamples', '40');
  assert.deepEqual([one.seed, one.first.groups, one.first.resamples, one.first.models.length], [5, 10, 40, 1]);
  assert.equal(one.first.models[0].gap.value, first.models[1].gap.value);
  assert.notEqual(one.first.models[0].gap.lo, first.models[1].gap.lo);
  const r = await holdout(['gap-adjusted', dir, '--original', 'originals', '--new', 'matched']);
  assert.equal(r.code, 0, r.err);
  assert.match(r.out, /\nmean of models +\d+\.\d +\d+\.\d +\d+\.\d .*\nflat .*\nsteep /);
  assert.match(r.out, /Adaptivity gap: Not identified: .*\nDistribution gap: Not identified: .*\nGeneralization gap: at most \d+\.\d\d points/);
  assert.match(r.err, /The figure to use: \d+\.\d points, by the votes that chose the set\. It assumes/);

  /* Bins: at true frequencies the models' chances are known; with ten answers those that were seen are off at the ends. */
  assert.deepEqual(g.bins.map((b) => [b.model, b.bin]), ['', 'flat', 'steep'].flatMap((m) => [0, 1, 2, 3, 4].map((k) => [m, k])));
  assert.match(g.bins_assume, /no jumps/);
  const chance = (least, p, fresh) => 100 * (least + (0.9 - least) * p - (fresh ? LEFT : 0));
  const inBin = (list, k) => list.filter((name) => Math.min(4, Math.floor(5 * truth.get(name))) === k);
  let held = 0, known = 0;
  for (const b of g.bins.filter(({ model }) => model)) {
    for (const [side, list] of [['original', originals], ['new', names]]) {
      const at = inBin(list, b.bin), least = b.model === 'steep' ? 0.1 : 0.4;
      if (b[side] === null) {
        assert.ok(b[`${side}_expected`] < 5 && b[`${side}_lo`] === null && b.gap === null, JSON.stringify(b));
      } else if (at.length) {
        const is = at.reduce((sum, name) => sum + chance(least, truth.get(name), side === 'new'), 0) / at.length;
        known++;
        held += b[`${side}_lo`] === null || (b[`${side}_lo`] <= is && is <= b[`${side}_hi`]);
      }
    }
    assert.ok(b.gap === null || Math.abs(b.gap - (b.original - b.new)) < 1e-9);
  }
  assert.ok(known >= 10 && held >= known - 2, `${held} of ${known}`);
  const sum = (key) => g.bins.slice(0, 5).reduce((n, b) => n + b[key], 0);
  assert.deepEqual([sum('original_images'), sum('new_images')], [originals.length, names.length]);
  assert.ok(Math.abs(sum('original_expected') - originals.length) < 1e-6 && Math.abs(sum('new_expected') - names.length) < 1e-6);
  const seen = JSON.parse(await must(['bins', dir, '--set', 'originals', '--json', '--quiet'])).bins.models;
  for (const one of seen) {
    const b = g.bins.find(({ model, bin }) => model === one.model && bin === one.bin);
    assert.ok(b.original_images === one.n && (one.n === 0 ? b.original_raw === null : Math.abs(b.original_raw - 100 * one.top1) < 1e-9), JSON.stringify(b));
  }
  const bins = ['bins', dir, '--original', 'originals', '--new', 'matched'];
  const rows = (await must(bins)).trimEnd().split('\n').map((line) => line.split(','));
  assert.deepEqual(rows[0], Object.keys(g.bins[0]));
  const values = (b) => Object.values(b).slice(1).map((v) => v ?? '');
  assert.deepEqual(rows.slice(1).map(([model, ...row]) => [model, ...row.map((cell) => (cell === '' ? '' : Number(cell)))]), g.bins.map((b) => [b.model, ...values(b)]));
  assert.match(await must([...bins, '--format', 'markdown']), /^\| mean of models \| 0\.8–1 \| \d+ \| \d+\.\d \| \d+\.\d \[\d+\.\d, \d+\.\d\] \|[^]*\nTop-1 accuracy in percent by selection frequency on originals\/0 \(\d+ originals with votes\) and matched\/0/m);
  assert.deepEqual(JSON.parse(await must([...bins, '--json', '--quiet'])).bins, g.bins);

  /* A part of the images, and labels of a source: what is missing is said. */
  const part = await adjusted(dir, '--subset', `class:${wnid(0)}+${wnid(1)}`);
  assert.deepEqual([part.subset, part.first.classes, part.labels, part.new_labels], [`class:${wnid(0)}+${wnid(1)}`, 2, '', '']);
  await fails([...bins, '--labels', 'nobody'], /nobody/);
  const own = write('own.csv', ['image,wnid,state', ...originals.map((name) => `${name},${wnid(Number(name.split('-')[1]))},correct`)]);
  await must(['import', 'labels', dir, own, '--name', 'own']);
  await fails(['gap-adjusted', dir, '--original', 'originals', '--new', 'matched', '--labels', 'own'], /label source own\/1 has no image of this set.*import labels/);
  const half = await adjusted(dir, '--labels', 'own', '--new-labels', 'set');
  assert.deepEqual([half.labels.split(':')[0], half.new_labels], ['own/1', '']);
  assert.deepEqual(half.first.mean.gap.value, mean.gap.value);

  /* A campaign that measures it again leads as soon as it has votes. */
  await must(['grids', dir, '--campaign', 'again', '--kind', 're-measurement', '--set', 'matched', '--seed', '3', '--open']);
  const none = await adjusted(dir);
  assert.deepEqual([none.leading, none.measured_again, none.campaigns], ['first', null, ['again']]);
  await fails(['gap-adjusted', dir, '--new', 'matched'], /--original and --new/, { code: 2 });
  await fails(['gap-adjusted', dir, '--original', 'originals', '--new', 'originals'], /bias-original|is a set of originals/);
  await fails(['gap-adjusted', dir, '--original', 'originals', '--new', 'matched', '--models', 'nobody'], /nobody/);
});

test('for people it is a table, and what is missing is said', async () => {
  const r = await holdout(['bias', study, 'matched']);
  assert.equal(r.code, 0, r.err);
  assert.match(r.out, /^matched\/0 against the originals of its classes, view default up to event \d+\n/);
  assert.match(r.out, /\nraw averages \(set 0\.\d{4}, originals 0\.\d{4}\) +[+-]0\.\d{4} +[+-]0\.\d{4} to [+-]0\.\d{4}\n/);
  assert.match(r.out, /\nmeasured: chosen by 9 answers, on the others +-0\.\d{4}.*\n {2}set 0\.\d{4} by the answers that chose, 0\.\d{4} by \d+ others; originals 0\.\d{4}\n/);
  assert.match(r.out, /\nestimated: chosen by all 10 answers +-0\.\d{4}/);
  assert.match(r.err, /The figure to use: -0\.\d{4}, estimated from votes\./);
  assert.match(r.err, /No one has measured it again: holdout grids DIR --kind re-measurement --set matched\/0\./);
});

test('other strategies have their own designs, or none', async (t) => {
  const dir = copyOf(t, study);
  await must(['sample', dir, '--set', 'top', '--strategy', 'top', '--size', '10', '--quiet']);
  await must(['sample', dir, '--set', 'sure', '--strategy', 'threshold', '--threshold', '0.7', '--size', '5', '--quiet']);
  for (const name of ['top', 'sure']) {
    const b = await biasOf(dir, name);
    assert.deepEqual([b.strategy, b.designs.length], [name === 'top' ? 'top' : 'threshold', 5]);
    /* What was chosen for its high frequency falls back by more than a matched set does. */
    assert.ok(b.estimated.hi < b.raw.lo, JSON.stringify(b));
  }
  await must(['import', 'set', dir, 'list', frozen, '--sealed']);
  const r = await holdout(['bias', dir, 'list', '--json']);
  assert.match(r.err, /does not say how it was sampled: the estimate holds only if these answers chose the images/);
  const b = JSON.parse(r.out), same = await biasOf(dir, 'matched');
  assert.deepEqual([b.strategy, b.designs, b.leading.holds], ['unknown', [], false]);
  assert.deepEqual([b.raw, b.estimated], [same.raw, same.estimated]);
});

test('a set that no vote chose is as its raw averages say', async (t) => {
  const dir = copyOf(t, study);
  await query(dir, "UPDATE image SET keyword = 'thing' || (id % 2);");
  await must(['sample', dir, '--set', 'words', '--strategy', 'keyword', '--size', '6', '--quiet']);
  const r = await holdout(['bias', dir, 'words', '--json']);
  assert.match(r.err, /chosen by keywords, not by frequencies/);
  const b = JSON.parse(r.out);
  assert.deepEqual([b.strategy, b.images, b.designs, b.estimated, b.leading.method], ['keyword', 6 * CLASSES, [], null, 'raw']);
  assert.ok(b.raw.hi < 0);
});

test('a frozen set and as many originals are planned, mixed, once each', async (t) => {
  const dir = copyOf(t, study);
  const again = ['grids', dir, '--campaign', 'again', '--kind', 're-measurement', '--set', 'matched', '--seed', '3'];
  await fails(again, /matched\/0 is sealed, so .*Nothing was planned; freeze it first/);
  await must(['set', 'freeze', dir, 'matched', '--reason', 'final']);
  await fails([...again, '--kind', 'main'], /--set is for --kind re-measurement/, { code: 2 });
  await fails([...again, '--same-image-again'], /--same-image-again/, { code: 2 });
  await fails(['grids', dir, '--kind', 're-measurement', '--set', 'nowhere'], /no (image )?set/);
  const plan = await holdout([...again, '--json']);
  assert.equal(plan.code, 0, plan.err);
  assert.match(plan.err, /This measures 2\d\d images of matched\/0 again, and 2\d\d originals\. People who were shown a grid of the 1 campaigns that chose it cannot take part\./);
  const cells = await query(dir, `SELECT i.role, c.role, i.class = g.class, count(*), count(DISTINCT c.image) FROM grid_cell c
    JOIN grid g ON g.id = c.grid JOIN image i ON i.id = c.image JOIN campaign k ON k.id = g.campaign WHERE k.name = 'again'
    AND c.role <> 2 GROUP BY 1, 2, 3;`);
  const set = (await must(['export', 'set', dir, 'matched'])).trimEnd().split('\n').slice(1).map((l) => l.split(',')[0]);
  const n = set.length;
  assert.deepEqual(cells.sort(), [`candidate|0|1|${n}|${n}`, `original|1|1|${n}|${n}`]);
  /* Every candidate is one of the set's, and originals of a class are as many as its images. */
  const planned = await query(dir, `SELECT i.name FROM grid_cell c JOIN grid g ON g.id = c.grid JOIN image i ON i.id = c.image
    JOIN campaign k ON k.id = g.campaign WHERE k.name = 'again' AND c.role = 0;`);
  assert.deepEqual(planned.sort(), set.sort());
  /* Planned again the draft is completed, not doubled; it belongs to this set. */
  await must(again);
  assert.deepEqual(await query(dir, "SELECT count(*) FROM campaign WHERE kind = 're-measurement';"), ['1']);
  const b = await biasOf(dir, 'matched');
  assert.deepEqual([b.measured_again.campaigns, b.measured_again.difference, b.measured_again.votes], [['again'], null, 0]);
  assert.match((await must(['bias', dir, 'matched'])), /measured again by others: no answers yet/);
  await must(['import', 'set', dir, 'other', frozen]);
  await fails(again.map((word) => (word === 'matched' ? 'other' : word)),
    /measure a different set again. Nothing was written/);
});

test('without an interval or fewer answers it says why', async (t) => {
  const dir = await newProject(t);
  const give = (what, rows) => must(['import', what, dir, '-'], { input: `${rows.join('\n')}\n` });
  const list = path.join(tempDir(t), 'list.csv');
  const hit = (n, label, pos) => JSON.stringify({ hit: n, uuid: `hit-${n}`, wnid: wnid(0), time: '2018-10-01 00:00:00',
    source_file: 'f', excluded: '', label, pos, neg: [], all: [...label, ...pos] });
  await give('classes', ['cid,wnid,synset,gloss,wikipedia', `0,${wnid(0)},thing,a thing,`]);
  await give('image-list', ['idx,image,wnid,kind,source_id,date_taken', `0,a,${wnid(0)},candidate,,`, `1,b,${wnid(0)},original,,`,
    `2,c,${wnid(0)},candidate,,`]);
  await give('hits', [hit(0, [0], [1]), hit(1, [2], [])]);
  await give('votes', ['assignment,hit,worker,status,accept_time,duration_s,mask_hex',
    ...['0,0,w0', '1,1,w1'].map((row) => `${row},A,1538352000,60,000000000001`)]);
  await must(['sample', dir, '--set', 'best', '--strategy', 'top', '--size', '1', '--answers', '1', '--quiet']);
  const { leading, raw, workers, groups, designs } = await biasOf(dir, 'best');
  assert.deepEqual([workers, groups, raw, designs, leading.method], [2, 2, { value: 1, lo: null, hi: null }, [], 'none']);
  /* Two workers, but without the one who saw both images nothing is left. */
  const { code, out, err } = await holdout(['bias', dir, 'best']);
  assert.equal(code, 0, err);
  assert.match(out, /intervals by leaving out each of 2 groups of workers, seed 0\n/);
  assert.match(out, /raw averages .* \+1\.0000 +\(too few workers for an interval\)/);
  assert.match(err, /A typical image has fewer than 2 answers, so none can be held out\./);
});

test('what cannot be told is refused with what to do', async (t) => {
  const dir = copyOf(t, study);
  const list = path.join(tempDir(t), 'val.csv');
  fs.writeFileSync(list, `image,wnid\nval-0-0-0,${wnid(0)}\n`);
  await must(['import', 'set', dir, 'val', list, '--role', 'original']);
  await fails(['bias', dir, 'val'], /val is a set of originals, .*Name a set with the role "new"/);
  await fails(['bias', dir, 'nowhere'], /no (image )?set/);
  await fails(['bias', dir, 'matched', '--groups', '1'], /--groups/, { code: 2 });
  await fails(['grids', dir, '--kind', 're-measurement', '--set', 'val'], /val is a set of originals/);
  /* Without answers there is nothing to compare. */
  const empty = await newProject(t);
  await must(['import', 'classes', empty, '-'], { input: 'cid,wnid,synset,gloss,wikipedia\n0,n00000001,thing,a thing,\n' });
  await must(['import', 'image-list', empty, '-'], { input: 'image,wnid,kind\na,n00000001,candidate\nb,n00000001,original\n' });
  fs.writeFileSync(list, 'image,wnid\na,n00000001\n');
  await must(['import', 'set', empty, 'fresh', list]);
  await fails(['bias', empty, 'fresh'], /No class has answers about images of fresh\/0 and about originals/);
});
