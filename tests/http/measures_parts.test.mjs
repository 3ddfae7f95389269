/* Measures of parts of a pair of sets: page, JSON, CSV, charts and command line say the same, which is what is counted
 * here of every prediction; nothing of what is sealed. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import path from 'node:path';
import { before, test } from 'node:test';

import { sqlite } from '../load/tools.mjs';
import { Client, holdout, linesIn, must, newProject, startServer, tempDir, wholeFile } from './lib.mjs';
import { HIGH, MODELS, SETS, addHierarchy, addLateModel, addMeasuresWorld, deep, high, labels, right, wnid } from './measures_world.mjs';

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
  const [head, ...lines] = csv.trimEnd().split('\n').map((line) => [...line.matchAll(/(?<=^|,)(?:"([^"]*)"|([^,"]*))(?=,|$)/g)].map(([, a, b]) => a ?? b));
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

/* ---- by a statistic of the picture ---- */

/* What a picture would say: every ninth image has none. */
const sharp = (one) => (one.idx % 9 === 0 ? null : (one.idx * 37) % 101);
const measured = () => sqlite(path.join(dir, 'holdout.db'), [...OLD, ...SETS['fresh/0'], ...NEW].filter((one) => sharp(one) !== null)
  .map((one) => `INSERT OR IGNORE INTO source (id, sha256, bytes, type, width, height, gray, sharpness, brightness, saturation)
    VALUES (${1000 + one.idx}, randomblob(32), 10, 'png', 10, 10, 0, ${sharp(one)}, 0.5, 0.5);
    UPDATE image SET source = ${1000 + one.idx} WHERE name = '${one.image}';`).join('\n'));

test('statistics: fifths of the originals, each set in them', async () => {
  await measured();
  const models = ['large', 'small'];
  const got = (await get('statistics?models=large,small')).statistics;
  assert.deepEqual(got.map((row) => row.statistic), ['pixels', 'bytes', 'sharpness', 'brightness', 'saturation']);
  const { bins, original_unmeasured: without, new_unmeasured: fresh } = got[2];
  assert.deepEqual([without, fresh], [OLD, NEW].map((list) => list.filter((one) => sharp(one) === null).length));
  const values = OLD.map(sharp).filter((v) => v !== null).sort((a, b) => a - b);
  const edges = [1, 2, 3, 4, 5].map((k) => values[Math.ceil(k * values.length / 5) - 1]);
  assert.deepEqual(bins.map((b) => b.to), edges);
  const of = (one) => { const at = edges.findIndex((edge) => sharp(one) <= edge); return sharp(one) === null ? null : at < 0 ? 4 : at; };
  for (const b of bins) {
    const [old, now] = [OLD, NEW].map((list) => list.filter((one) => of(one) === b.bin));
    assert.deepEqual([b.original_images, b.new_n], [old.length, now.length]);
    close(b.original_accuracy, mean(old.map((one) => share(one, models))), 'original');
    close(b.gap, 100 * (mean(old.map((one) => share(one, models))) - mean(now.map((one) => share(one, models)))), 'gap');
    assert.ok(b.gap_lo < b.gap && b.gap < b.gap_hi);
  }
  assert.equal(got[3].bins.length, 1, 'equal values are in one bin');
  const cli = rows(await must(['score', dir, '--original', 'old', '--new', 'fresh', '--by', 'sharpness', '--model', 'large,small']));
  assert.deepEqual(cli.map((row) => [row.to, row.new_images].map(Number)), bins.map((b) => [b.to, b.new_images]));
  const chart = (await lead.json('GET', '/charts/measures-sharpness/json?models=large,small')).body;
  for (const b of bins) assert.ok(JSON.stringify(chart.rows).includes(String(b.new_accuracy)), String(b.bin));
  assert.match(await lead.page('/measures/statistics'), /chart-measures-saturation/);
  const part = await get('classes?models=large&subset=sharpness:10-40');
  assert.equal(part.classes.reduce((sum, row) => sum + row.original_images, 0), OLD.filter((one) => sharp(one) !== null && sharp(one) >= 10 && sharp(one) <= 40).length);
});

/* ---- by image ---- */

const first = (one, model) => labels(one, model)[0];
const entropy = (said) => {
  const counts = [...new Set(said)].map((w) => said.filter((v) => v === w).length);
  return Math.log2(said.length) - counts.reduce((sum, c) => sum + c * Math.log2(c), 0) / said.length;
};
function answersOf(one, models, top) {
  const said = models.map((m) => first(one, m));
  const most = [...new Set(said)].sort().toSorted((a, b) => said.filter((v) => v === b).length - said.filter((v) => v === a).length)[0];
  return { image: one.image, wnid: one.wnid, right: models.filter((m) => right([one], m, top)).length, models: models.length,
    classes_said: new Set(said).size, most_said: most, said_by: said.filter((v) => v === most).length };
}

test('images: how many models are right, what they say, how far they disagree', async () => {
  for (const [models, top] of [[Object.keys(MODELS), 1], [Object.keys(MODELS).filter(deep), 5]]) {
    const got = await get(`images?set=old&top=${top}&sort=id`);
    assert.deepEqual([got.set, got.models.toSorted(), got.images], ['old/0', models.toSorted(), OLD.length]);
    const want = new Map(OLD.map((one) => [one.image, one]));
    for (const { id, disagreement, ...row } of got.items) {
      assert.deepEqual(row, answersOf(want.get(row.image), models, top));
      close(disagreement, entropy(models.map((m) => first(want.get(row.image), m))), row.image);
    }
    const missed = await get(`images?set=old&top=${top}&show=missed`);
    assert.deepEqual(missed.items.map((row) => row.image).sort(), OLD.filter((one) => models.every((m) => !right([one], m, top))).map(({ image }) => image).sort());
  }
  const bits = (await get('images?sort=disagreement')).items.map((row) => row.disagreement);
  assert.deepEqual(bits, bits.toSorted((a, b) => b - a));
  const hardest = (await get('images?set=fresh')).items.map((row) => row.right);
  assert.deepEqual(hardest, hardest.toSorted((a, b) => a - b));
  /* Of a class, and of which a model says another one. */
  const own = await get(`images?set=old&class=${wnid(2)}&said=${wnid(0)}&models=small,large`);
  assert.deepEqual(own.items.map((row) => row.image).sort(),
    OLD.filter((one) => one.c === 2 && ['small', 'large'].some((m) => first(one, m) === wnid(0))).map(({ image }) => image).sort());
  const csv = rows(await lead.page('/api/v1/measures/images.csv?set=old&sort=id'));
  assert.deepEqual(csv.map((row) => row.image), (await get('images?set=old&sort=id')).items.map((row) => row.image));
  const html = await lead.page('/measures/images?set=old&show=missed');
  for (const row of (await get('images?set=old&show=missed')).items) assert.ok(html.includes(`>${row.image}<`), row.image);
  assert.doesNotMatch(html, /Only images of which/);
});

test('confusions: every pair of a label and what is said instead', async () => {
  const models = ['large', 'small'];
  const want = new Map();
  for (const one of OLD) {
    const said = models.map((m) => first(one, m)).filter((w) => w !== one.wnid);
    for (const w of new Set(said)) {
      const row = want.get(one.wnid + w) ?? { wnid: one.wnid, said: w, answers: 0, images: 0 };
      want.set(one.wnid + w, { ...row, answers: row.answers + said.filter((v) => v === w).length, images: row.images + 1 });
    }
  }
  const got = await get('confusions?set=old&models=large,small');
  assert.equal(got.pairs, want.size);
  const of = (id) => models.length * OLD.filter((one) => one.wnid === id).length;
  for (const row of got.items) {
    const { wnid: id, said, answers, images } = row;
    assert.deepEqual({ wnid: id, said, answers, images }, want.get(id + said));
    assert.equal(row.of_answers, of(id));
    close(row.share, answers / of(id), 'share');
  }
  const order = got.items.map((row) => row.answers);
  assert.deepEqual(order, order.toSorted((a, b) => b - a));
  assert.equal(rows(await lead.page('/api/v1/measures/confusions.csv?set=old&models=large,small')).length, want.size);
  /* The heat map: a row for each label, right answers in its diagonal. */
  const { columns, rows: cells } = (await lead.json('GET', '/charts/measures-confusions/json?set=old&models=large,small')).body;
  for (const cell of cells) {
    const list = OLD.filter((one) => `thing ${one.c}` === cell[0]);
    columns.slice(1).forEach((name, i) => close(cell[i + 1], list.reduce((sum, one) => sum
      + models.filter((m) => first(one, m) === wnid(Number(name.slice(6)))).length, 0) / (models.length * list.length), `${cell[0]}, ${name}`));
  }
  assert.equal(cells.length, columns.length - 1);
  const [top] = got.items;
  assert.ok((await lead.page('/measures/confusions?set=old&models=large,small')).replaceAll('&amp;', '&')
    .includes(`class=${top.wnid}&said=${top.said}`));
});

/* Cells of groups, counted anew: `of(one)` lists what is counted of an image, `name` groups a class. */
function cellsOf(list, name, of) {
  const cells = new Map();
  for (const one of list) {
    const said = of(one).map(name);
    for (const w of new Set(said)) {
      const key = `${name(one.wnid)} ${w}`;
      const [answers, images] = cells.get(key) ?? [0, 0];
      cells.set(key, [answers + said.filter((v) => v === w).length, images + 1]);
    }
  }
  return cells;
}
const group = (id) => high(Number(id.slice(1)) - 1);
const sorted = (cells) => [...cells].sort(([a], [b]) => (a < b ? -1 : 1));
const cellsFrom = (items, other) => sorted(new Map(items.map((row) => [`${row.wnid} ${row[other]}`, [row.answers ?? row.images, row.images]])));

test('confusions of superclasses lead to classes, and classes to images', async () => {
  assert.equal((await lead.json('GET', '/api/v1/measures/confusions?groups=level:1')).body.code, 'class-groups', 'there is no hierarchy');
  await addHierarchy(dir);
  const models = ['large', 'small'];
  const wrong = (one) => models.map((m) => first(one, m)).filter((w) => w !== one.wnid);
  const want = cellsOf(OLD, group, wrong);
  const ask = 'confusions?set=old&models=large,small';
  for (const groups of ['level:1', HIGH]) {
    const got = await get(`${ask}&groups=${groups}`);
    assert.deepEqual(cellsFrom(got.items, 'said'), sorted(want), groups);
    assert.deepEqual(got.superclasses.map((g) => [g.wnid, g.classes]), [['high-0', 3], ['high-1', 3]]);
    for (const row of got.items) assert.equal(row.of_answers, models.length * OLD.filter((one) => group(one.wnid) === row.wnid).length);
  }
  const classes = cellsOf(OLD, (w) => w, wrong);
  const inside = await get(`${ask}&groups=level:1&row=high-1&column=high-0`);
  assert.ok(inside.items.length);
  assert.deepEqual(cellsFrom(inside.items, 'said'), sorted(classes).filter(([key]) => {
    const [row, column] = key.split(' ').map(group);
    return row === 'high-1' && column === 'high-0';
  }));
  /* Right answers, and those of the same superclass, are in the diagonal of the heat map. */
  const heat = (await lead.json('GET', '/charts/measures-confusions/json?set=old&models=large,small&groups=level:1')).body;
  const share = (row, column) => (want.get(`${row} ${column}`) ?? [0])[0] / (models.length * OLD.filter((one) => group(one.wnid) === row).length);
  assert.deepEqual([heat.columns.slice(1), heat.rows.map(([name]) => name)], [['high 0', 'high 1'], ['high 0', 'high 1']]);
  close(heat.rows[0][2], share('high-0', 'high-1'), 'across');
  close(heat.rows[1][2], 1 - share('high-1', 'high-0'), 'diagonal');
  const page = async (at) => (await lead.page(at)).replaceAll('&amp;', '&');
  assert.ok((await page('/measures/confusions?set=old&groups=level:1')).includes('groups=level%3A1&row=high-1&column=high-0"'));
  assert.match(await page('/measures/confusions?set=old&groups=level:1&row=high-0&column=high-0'), /other classes of it/);
  assert.match(await page('/measures/confusions?set=old'), /Superclasses, level 1 \(2\)/);
  for (const [query, code] of [['groups=odd', 'class-groups'], ['groups=level:2', 'class-groups'], ['groups=high-0%2Bnone', 'no-class'], ['groups=level:1&row=high-0', 'list'],
    ['groups=level:1&row=none&column=high-0', 'no-class']]) assert.equal((await lead.json('GET', `/api/v1/measures/confusions?${query}`)).body.code, code, query);
  /* What is kept is not kept when predictions come. */
  const before = await get('confusions?set=old');
  await addLateModel(t, dir);
  assert.equal((await get('confusions?set=old')).models.length, before.models.length + 1);
  assert.notEqual((await get('confusions?set=old')).items[0].answers, before.items[0].answers);
});

test('by a label source: what is wrong, what comes together, which images show it', async () => {
  /* Of every third image the next class is right too, of every fifth it is another object. */
  const next = (one, by = 1) => wnid((one.c + by) % 6);
  const rowsOf = (one) => [[one.wnid, 0, 1], ...(one.idx % 3 === 0 ? [[next(one), 0, 0]] : []), ...(one.idx % 5 === 0 ? [[next(one, 2), 1, 0]] : [])];
  const file = linesIn(tempDir(t))('labels.csv', ['image,label,object,main,votes', ...OLD.flatMap((one) => rowsOf(one).map(([label, object, main], i) => `${one.image},${label},${object},${main},${9 - i}`))]);
  assert.deepEqual((await lead.json('GET', '/api/v1/measures/cooccurrence?set=old')).body.code, 'label-source');
  assert.match(await lead.page('/measures/cooccurrence?set=old'), /holdout import labels/);
  await must(['import', 'labels', dir, file, '--name', 'seen', '--kind', 'objects']);
  const any = (one) => rowsOf(one).map(([label]) => label);
  const got = await get('confusions?set=old&models=small&labels=seen:any');
  assert.equal(got.labels, 'seen/1:any');
  assert.deepEqual(cellsFrom(got.items, 'said'), sorted(cellsOf(OLD, (w) => w, (one) => [first(one, 'small')].filter((w) => !any(one).includes(w)))));
  const [{ wnid: row, said }] = got.items;
  const images = await get(`images?set=old&models=small&labels=seen:any&class=${row}&said=${said}&wrong=1`);
  assert.deepEqual(images.items.map(({ image }) => image).sort(),
    OLD.filter((one) => one.wnid === row && first(one, 'small') === said && !any(one).includes(said)).map(({ image }) => image).sort());
  for (const one of (await get('images?set=old&models=small&labels=seen:any')).items) {
    const image = OLD.find(({ image: name }) => name === one.image);
    assert.equal(one.right, Number(any(image).includes(first(image, 'small'))), one.image);
  }
  const together = await get('cooccurrence?set=old&labels=seen');
  const others = (one) => (one.idx % 5 === 0 ? [next(one, 2)] : []);
  assert.deepEqual([together.labels, together.models], ['seen/1:objects', undefined]);
  assert.deepEqual(cellsFrom(together.items, 'other'), sorted(cellsOf(OLD, (w) => w, others)));
  const high = await get('cooccurrence?set=old&groups=level:1');
  assert.deepEqual(cellsFrom(high.items, 'other'), sorted(cellsOf(OLD, group, others)));
  const pair = together.items[0];
  const shown = await get(`images?set=old&labels=seen&class=${pair.wnid}&has=${pair.other}`);
  assert.deepEqual(shown.items.map(({ image }) => image).sort(), OLD.filter((one) => one.wnid === pair.wnid && others(one).includes(pair.other)).map(({ image }) => image).sort());
  assert.equal(shown.items.length, pair.images);
  assert.ok((await lead.page('/measures/cooccurrence?set=old')).replaceAll('&amp;', '&').includes(`class=${pair.wnid}&has=${pair.other}`));
  const { columns, rows: cells } = (await lead.json('GET', '/charts/measures-cooccurrence/json?set=old&labels=seen')).body;
  close(cells.find(([name]) => name === `thing ${Number(pair.wnid.slice(1)) - 1}`)[columns.indexOf(`thing ${Number(pair.other.slice(1)) - 1}`)], pair.share, 'heat map');
  for (const [query, code] of [['cooccurrence?set=old&labels=seen:main', 'labels-one'], ['cooccurrence?set=old&labels=set', 'labels-one'], ['images?has=n1', 'no-class'],
    [`images?has=${wnid(1)}`, 'list'], ['images?set=fresh&labels=seen', 'labels-missing'], ['confusions?labels=none', 'label-source']]) {
    assert.equal((await lead.json('GET', `/api/v1/measures/${query}`)).body.code, code, query);
  }
});

test('a class: what models, main objects and votes say of its images, and some of each frequency', async () => {
  const rowsOf = (one) => (one.idx % 4 === 0 ? [[one.wnid, 0, 0], [wnid((one.c + 1) % 6), 1, 1]] : [[one.wnid, 0, 1]]);
  const file = linesIn(tempDir(t))('main.csv', ['image,label,object,main', ...OLD.slice(4).flatMap((one) => rowsOf(one).map((row) => [one.image, ...row].join()))]);
  await must(['import', 'labels', dir, file, '--name', 'mains', '--kind', 'objects']);
  const own = OLD.filter(({ c }) => c === 0);
  const got = await get(`classes/${wnid(0)}?set=old&models=large,small&labels=mains`);
  assert.deepEqual([got.images, got.answers, got.main_known, got.labels], [own.length, 2 * own.length, own.length - 4, 'mains/1:objects']);
  const said = own.flatMap((one) => ['large', 'small'].map((m) => first(one, m)));
  const mains = own.slice(4).map((one) => rowsOf(one).find(([, , main]) => main)[0]);
  for (const row of got.said) {
    assert.deepEqual([row.answers, row.main], [said, mains].map((list) => list.filter((w) => w === row.wnid).length), row.wnid);
    close(row.main_share, row.main / mains.length, row.wnid);
  }
  assert.deepEqual(got.said.map((row) => row.wnid).sort(), [...new Set([wnid(0), ...said, ...mains])].sort());
  const asked = own.filter(({ selected }) => selected !== null);
  assert.deepEqual([got.said[0].wnid, got.said[0].asked], [wnid(0), asked.length]);
  close(got.said[0].frequency, mean(asked.map(({ selected }) => selected / 10)), 'frequency');
  const name = (one) => (one.selected === null ? 'not asked' : ['0 to 0.2', '0.2 to 0.4', '0.4 to 0.6', '0.6 to 0.8', '0.8 to 1'][Math.min(4, Math.floor(one.selected / 2))]);
  const count = (list) => Object.fromEntries([...new Set(list)].sort().map((bin) => [bin, Math.min(8, list.filter((other) => other === bin).length)]));
  assert.deepEqual(count(got.sample.map(({ bin }) => bin)), count(own.map(name)));
  for (const row of got.sample) {
    const one = own.find(({ image }) => image === row.image);
    assert.deepEqual([row.bin, row.selected, row.right, row.models], [name(one), one.selected ?? 0, ['large', 'small'].filter((m) => right([one], m, 1)).length, 2]);
  }
  const chart = (await lead.json('GET', `/charts/measures-class/json?set=old&models=large,small&labels=mains&wnid=${wnid(0)}`)).body;
  got.said.forEach((row, i) => assert.deepEqual(chart.rows[i].slice(1), [row.answers_share, row.main_share, row.frequency], row.wnid));
  const html = await lead.page(`/measures/classes/${wnid(0)}?set=old&models=large,small`);
  for (const row of got.sample) assert.ok(html.includes(`>${row.image}<`), row.image);
  assert.match(await lead.page('/measures/classes?original=old'), new RegExp(`href="/measures/classes/${wnid(0)}\\?set=`));
  assert.match(await lead.page(`/measures/classes/${wnid(0)}?set=old&subset=class:${wnid(1)}`), /No image of this class/);
  for (const [at, code] of [['classes/none', 'no-class'], [`classes/${wnid(0)}?labels=none`, 'label-source'], [`classes/${wnid(0)}?set=none`, 'set']]) {
    assert.equal((await lead.json('GET', `/api/v1/measures/${at}`)).body.code, code, at);
  }
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
  const cli = rows(await must(['score', dir, '--set', 'old', '--subset', 'without-problematic']));
  assert.equal(Number(cli[0].n), OLD.length - 6);
  for (const odd of ['class:', 'set:none', 'sharpness:2-1', 'sharpness:a', 'odd', `${classes},odd`, Array(17).fill('problematic').join()]) {
    const r = await lead.json('GET', `/api/v1/measures/classes?subset=${encodeURIComponent(odd)}`);
    assert.ok(r.status === 400 || r.status === 404, `${odd}: ${r.status}`);
  }
});

test('subsets: by selection frequency, and by how many objects a label source counts', async () => {
  const count = async (subset) => (await get(`classes?models=large&subset=${encodeURIComponent(subset)}`)).classes
    .reduce((sum, row) => [sum[0] + row.original_images, sum[1] + row.new_images], [0, 0]);
  const both = (has) => [OLD.filter(has).length, NEW.filter(has).length];
  const between = (lo, hi) => both(({ selected }) => selected !== null && selected / 10 >= lo && (hi === 1 || selected / 10 < hi));
  assert.deepEqual(await count('frequency:0.6-0.8'), between(0.6, 0.8));
  assert.deepEqual(await count('frequency:0.8-1'), between(0.8, 1));
  assert.deepEqual(await count(`frequency:0-0.2:default,class:${wnid(1)}`), both(({ selected, c }) => c === 1 && selected !== null && selected < 2));
  const part = await get('classes?models=large&subset=frequency:0.6-0.8:default');
  assert.equal(part.subset, 'frequency:0.6-0.8:default/1', 'the reply names the version of the view');
  const [row] = rows(await must(['score', dir, '--set', 'old', '--subset', 'frequency:0.6-0.8']));
  assert.equal(Number(row.n), between(0.6, 0.8)[0], 'the command counts the same votes');

  const write = linesIn(tempDir(t)), every = (k, one) => one.idx % 3 === k;
  const labelled = [...OLD, ...NEW].flatMap((one) => [`${one.image},${one.wnid},correct`, `${one.image},${wnid((one.c + 1) % 6)},${every(0, one) ? 'correct' : 'unclear'}`]);
  await must(['import', 'labels', dir, write('several.csv', ['image,label,verdict', ...labelled]), '--name', 'several']);
  await must(['import', 'labels', dir, write('one.csv', ['image,label', ...OLD.map((one) => `${one.image},${one.wnid}`)]), '--name', 'one', '--kind', 'main']);
  assert.deepEqual(await count('multi:several'), both((one) => every(0, one)));
  assert.deepEqual(await count('single:several/1,frequency:0.8-1'), both((one) => !every(0, one) && one.selected >= 8));
  assert.equal((await get('classes?models=large&subset=multi:several')).subset, 'multi:several/1');
  for (const [odd, status, code] of [['frequency:0.8-0.6', 400, 'subset'], ['frequency:0-1:none', 404, 'no-view'], ['frequency:0-1:default/7', 404, 'no-view'],
    ['single:none', 404, 'label-source'], ['multi:one', 400, 'subset']]) {
    const r = await lead.json('GET', `/api/v1/measures/classes?subset=${encodeURIComponent(odd)}`);
    assert.deepEqual([r.status, r.body.code], [status, code], odd);
  }
});

test('axes of their own: the new set by another top, on other images, and the same set on both sides', async () => {
  const every = ({ idx }) => idx % 3 === 0; /* several shows two objects of it */
  const ALL = [...Object.keys(MODELS), 'late'], at5 = ALL.filter(deep), says = (model) => (model === 'late' ? 'small' : model);
  const one = OLD.filter((i) => !every(i)), two = OLD.filter(every);
  for (const [query, cli, [x, xTop], [y, yTop]] of [
    ['original=old&new=old&subset=single:several&new_subset=multi:several', ['--subset', 'single:several', '--new-subset', 'multi:several'], [one, 1], [two, 1]],
    ['original=old&new=old&new_top=5', ['--new-top', '5'], [OLD, 1], [OLD, 5]],
    ['original=old&new=old&top=5&new_top=1&subset=multi:several&new_subset=all', ['--top', '5', '--new-top', '1', '--subset', 'multi:several', '--new-subset', 'all'], [two, 5], [OLD, 1]],
  ]) {
    const models = xTop === 5 || yTop === 5 ? at5 : ALL;
    const scores = (await lead.json('GET', `/api/v1/scores?${query}`)).body;
    assert.deepEqual([scores.top, scores.new_top, scores.items.map((m) => m.model).sort()], [xTop, yTop, [...models].sort()], query);
    const want = (model) => [right(x, says(model), xTop), x.length, right(y, says(model), yTop), y.length];
    for (const m of scores.items) assert.deepEqual([m.orig_correct, m.orig_n, m.new_correct, m.new_n], want(m.model), `${query} ${m.model}`);
    /* The table of the command, the chart of the page, and the line through the points. */
    const pair = ['--original', 'old', '--new', 'old', ...cli];
    const csv = await (await lead.fetch(`/api/v1/scores.markdown?common=1&${query}`)).text();
    assert.equal(csv, await must(['score', dir, ...pair, '--common', '--format', 'markdown']));
    const line = await get(`fit?${query}`), said = JSON.parse(await must(['fit', dir, ...pair]));
    assert.deepEqual([line.fit.slope, line.new_top, line.subset, line.new_subset], [said.slope, yTop, said.subset, said.new_subset]);
    assert.equal(said.new_top, yTop);
    for (const name of ['models-scatter', 'measures-fit']) {
      const chart = (await lead.json('GET', `/charts/${name}/json?${query}`)).body;
      const points = chart.rows.filter(([, model]) => model);
      assert.deepEqual(points.map(([, model]) => model).sort(), [...models].sort(), name);
      for (const [, model, px, py] of points) {
        const [k, n, k2, n2] = want(model);
        close(px, k / n, `${name} ${model}`);
        close(py, k2 / n2, `${name} ${model}`);
      }
      assert.equal(/^Top-/.test(chart.title), xTop === yTop, chart.title);
      const axes = chart.columns.slice(2, 4);
      for (const axis of axes) assert.match(axis, /^On old\/0, /);
      assert.notEqual(...axes);
    }
  }
  /* Drawn over images: the same as the command's, of either side its own answers. */
  const own = 'original=old&new=old&new_top=5&subset=multi:several&new_subset=single:several';
  const images = (await get(`fit?over=images&${own}`)).fit;
  const drawn = JSON.parse(await must(['fit', dir, '--original', 'old', '--new', 'old', '--new-top', '5', '--subset', 'multi:several', '--new-subset', 'single:several', '--over', 'images', '--resamples', '10000']));
  assert.deepEqual([images.slope_lo, images.slope_hi], [drawn.slope_lo, drawn.slope_hi]);
  for (const page of ['/models', '/measures/fit']) {
    const html = await lead.page(`${page}?${own}`);
    assert.match(html, /top-1, on the new set top-5; several objects by several; on the new set: one object by several</);
    assert.match(html, /<option value="single:several" selected>/);
    assert.match(html, /<option value="5" selected>top/);
    assert.match(html, new RegExp(`/charts/[a-z-]+/svg\\?[^"]*new_top=5[^"]*new_subset=single`));
  }
  assert.doesNotMatch(await lead.page(`/measures/fit?${own}`), /href="\/measures\/(difficulty|classes)[^"]*new_(top|subset)/);
  /* What takes both sets in one way says so, whether its page knows the words or not. */
  for (const path of ['measures', 'measures/classes', 'measures/statistics', 'measures/adjusted', 'measures/difficulty', 'measures/people']) {
    const r = await lead.json('GET', `/api/v1/${path}?new_top=5`);
    assert.deepEqual([r.status, r.body.code], [400, 'one-axis'], path);
  }
  assert.equal((await lead.fetch('/charts/measures-bins/csv?new_subset=all')).status, 400);
  for (const [query, code] of [['new_top=2', 'list'], ['new_subset=odd', 'subset'], ['original=old&new=old&new_subset=class:n00000001&new_labels=one:lenient', 'label-rule']]) {
    const r = await lead.json('GET', `/api/v1/scores?${query}`);
    assert.deepEqual([r.status, r.body.code], [400, code], query);
  }
  for (const wrong of [['--set', 'old', '--new-top', '5'], ['--set', 'old', '--new-subset', 'all'], ['--original', 'old', '--new', 'old', '--new-top', '2'],
    ['--original', 'old', '--new', 'old', '--by', 'class', '--new-subset', 'all']]) {
    await assert.rejects(must(['score', dir, ...wrong]), /--new-top|--by is without/);
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
  const images = await get('images?set=old');
  assert.deepEqual([images.sealed, images.items.some((row) => list.some((one) => one.image === row.image))], [OLD.length - open(OLD).length, false]);
  /* Words of one side choose which classes of the other, whole one are common: the gap on them could be subtracted. */
  const chosen = (await lead.json('GET', `/api/v1/scores?original=old&new=old&new_subset=class:${wnid(0)}%2B${wnid(1)}`)).body;
  assert.equal(chosen.items[0].new_n, open(OLD).filter(({ c }) => c < 2).length);
  assert.deepEqual(chosen.items.map((m) => m.common_gap ?? null), chosen.items.map(() => null));
  const alike = (await lead.json('GET', `/api/v1/scores?original=old&new=old&subset=class:${wnid(0)}&new_subset=class:${wnid(0)}%2B${wnid(1)}`)).body;
  assert.ok(alike.items.every((m) => m.common_gap === 0), JSON.stringify(alike.items[0]));
  const pairs = await get('confusions?set=old&models=large');
  const panel = await get(`classes/${wnid(0)}?set=old&models=large`);
  assert.deepEqual([panel.images + panel.sealed, panel.sample.some((row) => list.some((one) => one.image === row.image))], [OLD.filter(({ c }) => c === 0).length, false]);
  assert.equal(pairs.items.reduce((sum, row) => sum + row.answers, 0), open(OLD).filter((one) => !right([one], 'large', 1)).length);
  for (const path of ['classes?new=closed', 'classes?subset=set:closed', 'images?set=closed', 'confusions?set=closed', 'said?set=closed', 'valid?set=closed', `classes/${wnid(0)}?set=closed`, 'cooccurrence?set=closed&labels=seen', 'images?subset=set:closed']) {
    assert.deepEqual((await lead.json('GET', `/api/v1/measures/${path}`)).body.code, 'set-sealed', path);
  }
});

test('named subsets: a version keeps what its words meant, by command, page, API and check', async () => {
  const open = (all) => all.filter((one) => !sealed.has(one.image));
  const sealed = new Set([...OLD.filter((_, i) => i % 7 === 0), ...NEW.slice(0, 4)].map(({ image }) => image));
  const low = (one) => one.selected !== null && one.selected < 6 && one.c === 2;
  const words = `frequency:0-0.6:default,class:${wnid(2)}`;
  await must(['subset', dir, 'low', words, '--note', 'hard for people']);
  const list = rows(await must(['subset', dir, '--set', 'old']));
  assert.deepEqual([list[0].subset, list[0].note, Number(list[0].images)], ['@low/1', 'hard for people', OLD.filter(low).length]);
  /* Lines as docs/subsets.md says: of pairs and of classes. */
  const pairs = [...OLD, ...NEW, ...SETS['fresh/0'], ...SETS['fresh/1']].filter((one) => one.selected !== null && one.selected < 6).map((one) => `${one.image},${one.wnid}`);
  const all = new Set([...pairs, ...[...Array(6).keys()].flatMap((c) => [...Array(28).keys()].filter((i) => (i * 7) % 11 < 6).map((i) => `cand-${c}-${i},${wnid(c)}`))]);
  const text = [`pairs ${all.size}`, ...[...all].sort(), 'classes 1', wnid(2)].join('\n');
  assert.equal(list[0].sha256, createHash('sha256').update(text).digest('hex'));
  assert.match((await holdout(['subset', dir, 'low', words])).err, /already @low\/1/);

  const scores = async (subset) => (await lead.json('GET', `/api/v1/scores?original=old&new=fresh&subset=${encodeURIComponent(subset)}`)).body;
  const named = await scores('@low'), plain = await scores(words);
  assert.deepEqual([named.subset, named.items[0].orig_n], ['@low/1', open(OLD).filter(low).length]);
  assert.deepEqual(named.items, plain.items);
  const csv = rows(await must(['subset', dir, 'low/1', '--images-of', 'old']));
  assert.deepEqual(csv.map((r) => r.image), OLD.filter(low).map(({ image }) => image));
  assert.equal(await (await lead.get('/api/v1/subsets/low/images.csv?set=old')).text(), await must(['subset', dir, 'low', '--images-of', 'old']));

  const form = { name: 'low', definition: '@low,single:several', note: '', seen: '0' };
  const taken = await lead.post('/measures/subsets', form);
  assert.equal(taken.status, 409);
  assert.match(await taken.text(), /already a subset with this name/);
  const wrong = await lead.post('/measures/subsets', { ...form, seen: '1', definition: 'odd' });
  assert.equal(wrong.status, 400);
  assert.match(await wrong.text(), /name="definition"[^>]*aria-invalid/);
  assert.equal((await lead.post('/measures/subsets', { ...form, seen: '1' })).status, 303);
  const page = await lead.page('/measures/subsets/low');
  for (const part of ['Version 2', 'Version 1', '@low/1,single:several/1', 'hard for people']) assert.ok(page.includes(part), part);
  assert.match(await lead.page('/models?original=old&new=fresh&subset=@low/1'), /value="@low\/2">@low\/2<\/option><option\s+value="@low\/1" selected/);
  assert.ok((await lead.page('/measures?original=old&new=fresh&subset=@low')).includes('value="@low/2" selected'), 'the name alone is the newest');
  const { items } = (await lead.json('GET', '/api/v1/subsets/low?set=old')).body;
  assert.deepEqual(items.map((v) => [v.subset, v.newest, v.images]), [['@low/2', true, OLD.filter((one) => low(one) && one.idx % 3).length], ['@low/1', false, OLD.filter(low).length]]);
  for (const [odd, status, code] of [['@none', 404, 'no-subset'], ['@low/3', 404, 'no-subset'], ['@low/x', 404, 'no-subset']]) {
    const r = await lead.json('GET', `/api/v1/scores?subset=${odd}`);
    assert.deepEqual([r.status, r.body.code], [status, code], odd);
  }
  for (const [name, definition] of [['.low', 'problematic'], ['', 'problematic'], ['empty', ' ']]) {
    assert.equal((await lead.post('/measures/subsets', { ...form, name, definition })).status, 400, name);
  }
  assert.doesNotMatch((await holdout(['check', dir])).out, /subset/);
  await sqlite(path.join(dir, 'holdout.db'), "UPDATE image_subset_part SET data = CAST(substr(data, 1, 4) || data AS BLOB) WHERE kind = 'classes';");
  assert.match((await holdout(['check', dir])).out, /subset: the images of @low\/1 do not match its digest/);
  await sqlite(path.join(dir, 'holdout.db'), "UPDATE image_subset_part SET data = substr(data, 5) WHERE kind = 'classes';");
});
