/* `holdout score`: the gap on the classes that both sets have, where the raw one says the opposite; intervals, their
 * seed, and what may not be asked. */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';

import { COMMON, MODELS, addGapWorld } from '../http/gap_world.mjs';
import { must, newProject, wholeFile } from '../http/lib.mjs';
import { fails, put } from './tools.mjs';

const whole = wholeFile();
let dir;

before(async () => {
  dir = await newProject(whole);
  await addGapWorld(dir, (name, text) => put(whole, name, text));
});

async function table(fresh, ...more) {
  const [head, ...rows] = (await must(['score', dir, '--original', 'old', '--new', fresh, '--common', ...more])).trimEnd().split('\n').map((l) => l.split(','));
  return Object.fromEntries(rows.map((row) => [row[1], Object.fromEntries(head.map((name, i) => [name, row[i]]))]));
}

test('24 classes against 19: the gap on those that both have leads, and has the other sign', async () => {
  const t = await table('fresh');
  const json = JSON.parse(await must(['score', dir, '--original', 'old', '--new', 'fresh', '--json']));
  for (const [name, [old, fresh]] of Object.entries(MODELS)) {
    const row = t[name], line = json.models.find((m) => m.model === name);
    const [o, n] = [old * 10, fresh * 10];
    assert.deepEqual([row.orig_classes, row.new_classes, row.common_classes, row.same_shares], ['24', '19', '19', 'no']);
    assert.equal(row.gap, String(100 * ((COMMON * old + 50) / 240) - n), name);
    assert.deepEqual([Number(row.common_orig_acc), Number(row.common_new_acc)].map((v) => v.toFixed(9)), [o, n].map((v) => v.toFixed(9)));
    assert.ok(Number(row.common_gap_lo) < o - n && o - n < Number(row.common_gap_hi));
    assert.ok(Number(row.gap_lo) < Number(row.gap) && Number(row.gap) < Number(row.gap_hi));
    assert.deepEqual([row.method, row.resamples, row.seed], ['paired bootstrap of images within class', '1000', '0']);
    for (const key of ['gap', 'common_gap', 'common_gap_lo', 'common_gap_hi', 'gap_lo', 'gap_hi', 'orig_rank_lo', 'delta_rank_hi']) {
      assert.equal(line[key], Number(row[key]), key);
    }
  }
  assert.ok(Number(t.small.gap) > 0 && Number(t.small.common_gap) < 0);
  const middle = (name) => (Number(t.small[name]) + Number(t.large[name])) / 2;
  for (const [value, lo, hi, name] of [[json.gaps.mean_common_gap, json.gaps.mean_common_gap_lo, json.gaps.mean_common_gap_hi, 'common_gap'], [json.summary.mean_gap, json.gaps.mean_gap_lo, json.gaps.mean_gap_hi, 'gap']]) {
    assert.ok(Math.abs(value - middle(name)) < 1e-9 && lo < value && value < hi, name);
    assert.ok(hi - lo < middle(`${name}_hi`) - middle(`${name}_lo`) + 1e-9, 'a mean varies no more than the models that it is of');
  }
  assert.deepEqual([json.gaps.leads, json.gaps.common_orig_n, json.gaps.common_new_n, json.gaps.shared_images], ['common_gap', 190, 190, 0]);
});

/* What the exports say, without the program: images with their classes, and which of them a model has right. */
async function exported(set) {
  const read = async (...args) => {
    const [head, ...rows] = (await must(args)).trimEnd().split('\n').map((line) => line.split(','));
    return rows.map((row) => Object.fromEntries(head.map((name, i) => [name, row[i]])));
  };
  const list = await read('export', 'set', dir, set, '--format', 'list');
  const label = new Map(list.map((row) => [row.image, row.wnid]));
  const right = new Map(Object.keys(MODELS).map((model) => [model, new Set()]));
  for (const row of await read('export', 'predictions', dir, '--set', set)) {
    if (row.label1 === label.get(row.image)) right.get(row.model).add(row.image);
  }
  const classes = new Map(list.map((row) => [row.wnid, list.filter((other) => other.wnid === row.wnid)]));
  const accuracy = (model, wnid) => classes.get(wnid).filter((row) => right.get(model).has(row.image)).length / classes.get(wnid).length;
  return { n: list.length, classes, right, accuracy };
}

test('figures on common classes equal what the exports give, also where classes have other shares', async () => {
  const images = (await must(['export', 'set', dir, 'fresh', '--format', 'list'])).trimEnd().split('\n');
  const uneven = images.filter((line, i) => i === 0 || Number(line.split(',')[0].slice(2)) % 10 < 3 + (i % 7));
  await must(['import', 'set', dir, 'uneven', put(whole, 'uneven.csv', `${uneven.join('\n')}\n`)]);
  const old = await exported('old');
  for (const set of ['fresh', 'uneven']) {
    const fresh = await exported(set), rows = await table(set);
    const common = [...old.classes.keys()].filter((wnid) => fresh.classes.has(wnid));
    const n = common.reduce((sum, wnid) => sum + old.classes.get(wnid).length, 0);
    const weighted = (side, model) => 100 * common.reduce((sum, wnid) => sum + (old.classes.get(wnid).length / n) * side.accuracy(model, wnid), 0);
    for (const model of Object.keys(MODELS)) {
      const near = (value, want, what) => assert.ok(Math.abs(Number(value) - want) < 1e-9, `${set} ${model} ${what}: ${value} ${want}`);
      near(rows[model].common_orig_acc, weighted(old, model), 'originals');
      near(rows[model].common_new_acc, weighted(fresh, model), 'new');
      near(rows[model].common_gap, weighted(old, model) - weighted(fresh, model), 'gap');
      near(rows[model].gap, 100 * (old.right.get(model).size / old.n - fresh.right.get(model).size / fresh.n), 'raw gap');
    }
    assert.equal(rows.small.same_shares, 'no');
    assert.ok(set !== 'fresh' || (Number(rows.small.gap) > 0 && Number(rows.small.common_gap) < 0), 'the sign');
  }
});

test('printed tables; a higher level is wider; the summary; what is refused', async () => {
  const pair = ['score', dir, '--original', 'old', '--new', 'fresh'];
  const plain = await must([...pair, '--format', 'markdown']);
  assert.equal(plain.split('\n')[2], '| 1 | large | 68.3 [62.0, 74.2] | 70.0 [62.9, 76.4] | \u22121.7 | 1 | 0 |');
  const both = await must([...pair, '--format', 'latex', '--common', '--seed', '3']);
  assert.match(both, /^Orig\. rank & Model & Orig\. accuracy & New accuracy & Gap, common classes & Raw gap & New rank & \$\\Delta\$ rank \\\\$/m);
  assert.match(both, /^% \\caption\{Accuracy \(top-1\) .* 95 \\% Clopper-Pearson.* 19 classes that both sets have \(of 24 and 19\).* seed 3\./m);
  const [usual, sure] = [await table('fresh'), await table('fresh', '--level', '.995')];
  assert.deepEqual([usual.small.alpha, sure.small.resamples, sure.small.alpha], ['0.05', '4000', '0.005']);
  for (const [lo, hi] of [['orig_lo', 'orig_hi'], ['new_lo', 'new_hi'], ['common_gap_lo', 'common_gap_hi'], ['gap_lo', 'gap_hi']]) {
    assert.ok(Number(sure.small[lo]) < Number(usual.small[lo]) && Number(sure.small[hi]) > Number(usual.small[hi]), lo);
  }
  assert.equal(JSON.parse(await must([...pair, '--json', '--level', '0.995'])).alpha, 0.005);
  assert.equal((await must([...pair, '--summary'])).split('\n').length, 4, 'two models are all there is');
  await fails([...pair, '--format', 'excel'], /--format must be csv, markdown or latex/, { code: 2 });
  await fails([...pair, '--level', '0.9'], /--level must be 0.95 or 0.995/, { code: 2 });
  await fails(['score', dir, '--set', 'old', '--summary'], /--summary is about the table of two sets/, { code: 2 });
  await fails([...pair, '--format', 'latex', '--json'], /--format and --json are two ways/, { code: 2 });
  const alone = await must(['score', dir, '--set', 'fresh', '--format', 'markdown']);
  assert.match(alone, /^\| 1 \| large \| 70\.0 \[62\.9, 76\.4\] \| – \|$/m);
  assert.match(alone, /\nAccuracy in percent on fresh\/0 \(190 images\), with 95 % Clopper-Pearson intervals; ranks by top-1\.\n$/);
});

test('what sets change: those with other classes or other shares are marked', async () => {
  const rows = (await must(['changes', dir, '--original', 'old', '--sets', 'fresh,even,uneven'])).trimEnd().split('\n').map((line) => line.split(','));
  assert.deepEqual(rows.map((row) => [row[0], row[4]]), [['set', 'same_shares'], ['old/0', ''], ['fresh/0', 'no'], ['even/0', 'yes'], ['uneven/0', 'no']]);
  const printed = await must(['changes', dir, '--original', 'old', '--sets', 'fresh,even,uneven', '--format', 'markdown']);
  assert.match(printed, /compares mixtures: fresh\/0, uneven\/0\.\n$/);
  assert.match(printed, /^\| even\/0 \| import \| – \| \u2212?\d/m);
  await fails(['changes', dir, '--original', 'old', '--sets', 'nowhere'], /there is no set nowhere|nowhere/);
  await fails(['changes', dir, '--original', 'old', '--format', 'pdf'], /--format must be csv, markdown or latex/, { code: 2 });
});

test('with the same class shares there is one gap; images in both sets vary together', async () => {
  for (const row of Object.values(await table('even'))) {
    assert.equal(row.same_shares, 'yes');
    assert.deepEqual([row.common_gap, row.common_gap_lo, row.common_gap_hi], [row.gap, row.gap_lo, row.gap_hi]);
  }
  const own = (await table('old')).large;
  assert.deepEqual([own.gap, own.gap_lo, own.gap_hi, own.delta_rank_lo], ['0.0', '0.0', '0.0', '0']);
});

test('the seed decides, and nothing else does', async () => {
  const [a, again, b] = [await table('fresh'), await table('fresh', '--seed', '0'), await table('fresh', '--seed', '1')];
  assert.deepEqual(a, again);
  assert.equal(b.small.seed, '1');
  assert.notDeepEqual([a.small.gap_lo, a.large.gap_lo, a.small.gap_hi, a.large.gap_hi], [b.small.gap_lo, b.large.gap_lo, b.small.gap_hi, b.large.gap_hi]);
});

test('one common class, or only what every model has right', async () => {
  const { small } = await table('same');
  assert.deepEqual([small.common_classes, small.common_gap], ['1', '0.0']);
  const none = (await table('none')).small;
  assert.deepEqual([none.common_gap, none.common_gap_lo, none.gap_lo, none.new_rank_lo], ['0.0', '', '', ''], 'no spread is no certainty');
});

test('what may not be asked', async () => {
  await fails(['score', dir, '--set', 'fresh', '--common'], /--common compares two sets/, { code: 2 });
  await fails(['score', dir, '--original', 'old', '--new', 'fresh', '--seed', '1'], /--seed is for the intervals/, { code: 2 });
  await fails(['score', dir, '--original', 'old', '--new', 'fresh', '--common', '--seed', '-1'], /seed/, { code: 2 });
});
