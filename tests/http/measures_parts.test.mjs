/* Measures of parts of a pair of sets: page, JSON, CSV, charts and command line say the same, which is what is counted
 * here of every prediction; nothing of what is sealed. */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';

import { Client, holdout, linesIn, must, newProject, startServer, tempDir, wholeFile } from './lib.mjs';
import { MODELS, SETS, addMeasuresWorld, deep, right, wnid } from './measures_world.mjs';

const t = wholeFile();
let dir, lead;

before(async () => {
  dir = await newProject(t);
  await addMeasuresWorld(t, dir);
  lead = await new Client((await startServer(t, dir)).url).login('admin');
});

const get = async (path) => {
  const r = await lead.json('GET', `/api/v1/measures/${path}`);
  assert.equal(r.status, 200, JSON.stringify(r.body));
  return r.body;
};
const close = (a, b, what) => assert.ok(Math.abs(a - b) < 1e-9, `${what}: ${a} ${b}`);
const rows = (csv) => {
  const [head, ...lines] = csv.trimEnd().split('\n').map((line) => line.split(','));
  return lines.map((line) => Object.fromEntries(head.map((name, i) => [name, line[i]])));
};
const [OLD, NEW] = [SETS.old, SETS['fresh/2']];
/* The share of models that are right about an image. */
const share = (one, models, top = 1) => models.reduce((sum, m) => sum + right([one], m, top), 0) / models.length;
const mean = (list) => list.reduce((a, b) => a + b, 0) / list.length;

/* ---- by class ---- */

/* The beta distribution of classes' shares by moments (stats/shrink.h), by the words of the paper. */
function common(groups) {
  let [g, p] = [0, 0];
  for (let round = 0; round < 200; round++) {
    const w = groups.map(({ n }) => n / (1 + g * (n - 1)));
    const all = w.reduce((a, b) => a + b, 0);
    p = groups.reduce((sum, { k, n }, i) => sum + w[i] * k / n, 0) / all;
    const s = groups.reduce((sum, { k, n }, i) => sum + w[i] * (k / n - p) ** 2, 0);
    const chance = groups.reduce((sum, { n }, i) => sum + w[i] / n * (1 - w[i] / all), 0);
    const most = w.reduce((sum, one) => sum + one * (1 - one / all), 0);
    g = Math.min(1, Math.max(0, (s - p * (1 - p) * chance) / (p * (1 - p) * (most - chance))));
  }
  return { p, m: g > 0 ? 1 / g - 1 : Infinity };
}

function classesOf(list, models, top) {
  const classes = [...Array(6).keys()].map((c) => list.filter((one) => one.c === c).map((one) => share(one, models, top)));
  const spread = (x) => x.reduce((sum, v) => sum + (v - mean(x)) ** 2, 0);
  const d = models.length === 1 ? 1 : classes.reduce((sum, x) => sum + spread(x), 0) / classes.reduce((sum, x) => sum + x.length * mean(x) * (1 - mean(x)), 0);
  const groups = classes.map((x) => ({ k: x.reduce((a, b) => a + b, 0) / d, n: x.length / d }));
  const { p, m } = common(groups);
  return groups.map(({ k, n }, c) => ({ images: classes[c].length, share: k / n, n, shrunk: m === Infinity ? p : (p * m + k) / (m + n), m }));
}

const choose = (n, k) => (k === 0 ? 1 : choose(n, k - 1) * (n - k + 1) / k);
function fisher(k1, n1, k2, n2) {
  const p = (i) => choose(n1, i) * choose(n2, k1 + k2 - i) / choose(n1 + n2, k1 + k2);
  let sum = 0;
  for (let i = Math.max(0, k1 + k2 - n2); i <= Math.min(n1, k1 + k2); i++) sum += p(i) <= p(k1) * (1 + 1e-7) ? p(i) : 0;
  return sum;
}

test('classes: accuracies, shrunk ones, tests of one model and of several', async () => {
  for (const [models, top] of [[['small'], 1], [['large', 'middle', 'small'], 1], [['large', 'small'], 5]]) {
    const got = await get(`classes?models=${models}&top=${top}&sort=wnid`);
    assert.deepEqual([got.original.set, got.new.set, got.models.length, got.test, got.tested], ['old/0', 'fresh/2', models.length, models.length === 1 ? 'fisher' : 'normal', 6]);
    const [old, fresh] = [classesOf(OLD, models, top), classesOf(NEW, models, top)];
    got.classes.forEach((row, c) => {
      assert.deepEqual([row.wnid, row.original_images, row.new_n], [wnid(c), old[c].images, fresh[c].images]);
      close(row.original_accuracy, old[c].share, 'original');
      close(row.new_accuracy, fresh[c].share, 'new');
      close(row.original_shrunk, old[c].shrunk, 'original, shrunk');
      close(row.new_shrunk, fresh[c].shrunk, 'new, shrunk');
      assert.ok(row.new_shrunk_lo <= row.new_shrunk && row.new_shrunk <= row.new_shrunk_hi);
      close(row.gap, 100 * (old[c].share - fresh[c].share), 'gap');
      if (models.length === 1) close(row.p, fisher(right(OLD.filter((one) => one.c === c), 'small', 1), old[c].images, right(NEW.filter((one) => one.c === c), 'small', 1), fresh[c].images), 'p');
      assert.equal(row.stands_out, row.q <= 0.05);
    });
    const p = got.classes.map((row) => row.p).sort((a, b) => a - b);
    got.classes.forEach((row) => close(row.q, Math.min(1, ...p.map((v, i) => (v >= row.p ? v * 6 / (i + 1) : 1))), 'q'));
    assert.equal(got.discovered, got.classes.filter((row) => row.stands_out).length);
  }
});

test('classes: command line, CSV, page and chart are the same numbers, in the order asked for', async () => {
  const cli = await must(['score', dir, '--original', 'old', '--new', 'fresh', '--by', 'class', '--model', 'large,small', '--chance', '.2']);
  const csv = await lead.page('/api/v1/measures/classes.csv?models=large,small&chance=0.2&sort=wnid');
  assert.equal(cli, csv);
  const got = await get('classes?models=large,small&chance=1&sort=gap');
  const gaps = got.classes.map((row) => row.gap);
  assert.deepEqual(gaps, gaps.toSorted((a, b) => b - a));
  assert.equal(got.discovered, 6);
  const html = await lead.page('/measures/classes?models=large,small&chance=1&sort=gap');
  const at = got.classes.map((row) => html.indexOf(`>${row.wnid}<`));
  assert.ok(at.every((v, i) => v > 0 && (i === 0 || v > at[i - 1])), String(at));
  assert.match(html, new RegExp(`<strong[^>]*>|${got.classes[0].gap.toFixed(1)}`));
  const chart = (await lead.json('GET', '/charts/measures-classes/json?models=large,small')).body;
  for (const row of got.classes) assert.ok(JSON.stringify(chart.rows).includes(String(row.new_shrunk)), row.wnid);
  const json = JSON.parse(await must(['score', dir, '--set', 'fresh', '--by', 'class', '--top', '5', '--json']));
  assert.deepEqual([json.models, json.by_class.tested, json.by_class.mean_gap], [Object.keys(MODELS).filter(deep), 0, null]);
  assert.equal((await get('classes?models=large&show=standing-out&chance=0')).classes.length, 0);
  const none = await lead.page(`/measures/classes?subset=class:${wnid(1)}`);
  assert.match(none, new RegExp(`>${wnid(1)}<`));
  assert.doesNotMatch(none, new RegExp(`>${wnid(2)}<`));
});

test('subsets: several words, classes, another set, what is problematic', async () => {
  const count = async (subset) => (await get(`classes?models=large&subset=${encodeURIComponent(subset)}`)).classes
    .reduce((sum, row) => [sum[0] + row.original_images, sum[1] + row.new_images], [0, 0]);
  const both = (has) => [OLD.filter(has).length, NEW.filter(has).length];
  const classes = `class:${wnid(1)}+${wnid(2)}`;
  assert.deepEqual(await count(classes), both(({ c }) => c === 1 || c === 2));
  assert.deepEqual(await count(`class:${wnid(1)} ${wnid(2)}`), both(({ c }) => c === 1 || c === 2));
  assert.deepEqual(await count('set:fresh/1'), both((one) => SETS['fresh/1'].includes(one)));
  const bad = [...OLD.slice(3, 9), NEW[0], NEW[30]];
  const file = linesIn(tempDir(t))('bad.csv', ['image,reason,note', ...bad.map(({ image }) => `${image},class,`)]);
  await must(['import', 'blacklist', dir, file]);
  assert.deepEqual(await count('problematic'), both((one) => bad.includes(one)));
  assert.deepEqual(await count(`without-problematic,${classes},set:old`), [OLD.filter((one) => !bad.includes(one) && [1, 2].includes(one.c)).length, 0]);
  assert.deepEqual(await count('sharpness:0-1e9'), [0, 0]);
  const cli = rows(await must(['score', dir, '--set', 'old', '--subset', 'without-problematic']));
  assert.equal(Number(cli[0].n), OLD.length - 6);
  for (const odd of ['class:', 'set:none', 'sharpness:2-1', 'sharpness:a', 'odd', `${classes},odd`, Array(17).fill('problematic').join()]) {
    const r = await lead.json('GET', `/api/v1/measures/classes?subset=${encodeURIComponent(odd)}`);
    assert.ok(r.status === 400 || r.status === 404, `${odd}: ${r.status}`);
  }
});

test('what may not be asked', async () => {
  for (const [query, status, code] of [['classes?models=none', 404, 'model'], ['classes?chance=2', 400, 'list'], ['classes?sort=odd', 400, 'list'],
    ['classes?subset=odd', 400, 'subset']]) {
    const r = await lead.json('GET', `/api/v1/measures/${query}`);
    assert.deepEqual([r.status, r.body.code], [status, code], query);
    assert.equal((await lead.fetch(`/measures/${query}`)).status, status);
  }
  for (const args of [['--by', 'odd'], ['--by', 'class', '--common'], ['--chance', '.1']]) {
    assert.equal((await holdout(['score', dir, '--set', 'old', ...args])).code, 2, args.join(' '));
  }
});

test('what is sealed is in no part', async () => {
  const list = [...OLD.filter((_, i) => i % 7 === 0), ...NEW.slice(0, 4)];
  const file = linesIn(tempDir(t))('closed.csv', ['image,wnid', ...list.map((one) => `${one.image},${one.wnid}`)]);
  await must(['import', 'set', dir, 'closed', file, '--sealed']);
  const open = (all) => all.filter((one) => !list.includes(one));
  const got = await get('classes?models=large&sort=wnid');
  assert.deepEqual([got.original.sealed, got.new.sealed], [OLD.length - open(OLD).length, 4]);
  got.classes.forEach((row, c) => close(row.original_accuracy, classesOf(open(OLD), ['large'], 1)[c].share, row.wnid));
  assert.match(await lead.page('/measures/classes'), /id="sealed"/);
  for (const path of ['classes?new=closed', 'classes?subset=set:closed']) {
    assert.deepEqual((await lead.json('GET', `/api/v1/measures/${path}`)).body.code, 'set-sealed', path);
  }
});
