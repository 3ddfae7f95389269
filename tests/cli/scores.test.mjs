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
  assert.deepEqual([json.gaps.leads, json.gaps.common_orig_n, json.gaps.common_new_n, json.gaps.shared_images], ['common_gap', 190, 190, 0]);
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
