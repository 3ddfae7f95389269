/* `holdout fit` and `holdout fit-points`: which models a line is fitted to, what the bootstrap draws, what is said of each
 * model, and what may not be asked. */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';

import { holdout, must, newProject, wholeFile } from '../http/lib.mjs';
import { copyOf, fails, put, says } from './tools.mjs';

const WNIDS = ['n00000001', 'n00000002'];
const IMAGES = 20;
/* Right about how many of 20 originals and of 20 new images. */
const MODELS = { flat: [6, 3], low: [8, 5], mid: [11, 9], high: [15, 13], best: [18, 17], sure: [20, 18], half: [10, null] };
const COMPLETE = Object.keys(MODELS).filter((m) => MODELS[m][1] !== null);
const whole = wholeFile();
const pair = ['--original', 'old', '--new', 'fresh'];
let dir;

before(async () => {
  dir = await newProject(whole);
  const rows = (set) => Array.from({ length: IMAGES }, (_, i) => [`${set}-${i}`, i % 2]);
  const file = (name, lines) => put(whole, name, `${lines.join('\n')}\n`);
  await must(['import', 'classes', dir, file('classes.csv', ['cid,wnid,synset,gloss', ...WNIDS.map((w, i) => `${i},${w},class ${i},`)])]);
  for (const set of ['old', 'fresh']) {
    const list = file(`${set}.csv`, ['image,wnid', ...rows(set).map(([image, k]) => `${image},${WNIDS[k]}`)]);
    await must(['import', 'set', dir, set, list, ...(set === 'old' ? ['--role', 'original'] : [])]);
  }
  await must(['import', 'set', dir, 'hidden', file('hidden.csv', ['image,wnid', `h-0,${WNIDS[0]}`]), '--sealed']);
  for (const [model, counts] of Object.entries(MODELS)) {
    const said = ['old', 'fresh'].flatMap((set, side) => (counts[side] === null ? [] : rows(set).map(([image, k], i) =>
      JSON.stringify({ image, labels: [WNIDS[i < counts[side] ? k : 1 - k]] }))));
    await must(['import', 'predictions', dir, file(`${model}.jsonl`, said), '--model', model]);
  }
});

const fit = async (...more) => JSON.parse(await must(['fit', dir, ...pair, '--resamples', '2000', ...more]));
const table = (text) => {
  const [head, ...rows] = text.trimEnd().split('\n').map((l) => l.split(','));
  return Object.fromEntries(rows.map((row) => [row[0], Object.fromEntries(head.map((name, i) => [name, row[i]]))]));
};

/* By the formulas, of percent. */
function leastSquares(models) {
  const points = models.map((m) => MODELS[m].map((k) => 100 * (k / IMAGES)));
  const mean = (i) => points.reduce((sum, p) => sum + p[i], 0) / points.length;
  const [mx, my] = [mean(0), mean(1)];
  const sum = (f) => points.reduce((s, [x, y]) => s + f(x - mx, y - my), 0);
  const slope = sum((x, y) => x * y) / sum((x) => x * x);
  return { slope, offset: my - slope * mx, r2: sum((x, y) => x * y) ** 2 / (sum((x) => x * x) * sum((_, y) => y * y)) };
}

const near = (got, want, where) => assert.ok(Math.abs(got - want) < 1e-9, `${where}: ${got} ${want}`);

test('residuals as printed tables', async () => {
  const args = ['fit', dir, ...pair, '--residuals', '--resamples', '100'];
  const rows = table(await must(args)), printed = await must([...args, '--format', 'markdown']);
  const line = printed.split('\n').find((one) => one.startsWith('| mid |')).split('|').map((cell) => cell.trim());
  const digits = (text) => Number(text.replace('\u2212', '-'));
  assert.deepEqual(line.slice(1, 4), ['mid', Number(rows.mid.x).toFixed(1), Number(rows.mid.y).toFixed(1)]);
  assert.equal(line[4], `${Number(rows.mid.fitted).toFixed(1)} [${Number(rows.mid.fitted_lo).toFixed(1)}, ${Number(rows.mid.fitted_hi).toFixed(1)}]`);
  assert.ok(Math.abs(digits(line[5]) - Number(rows.mid.residual)) <= 0.0005 + 1e-9, line[5]);
  assert.match(printed, /\nAccuracy in percent, beside the line on the linear scale, slope \S+ and offset \S+\. On the line: /);
  assert.match(await must([...args, '--format', 'latex', '--pivot', 'mid']), /^% \\caption\{.*one below mid and one from it on/m);
  await fails([...args, '--format', 'excel'], /--format must be csv, markdown or latex/, { code: 2 });
  await fails(['fit', dir, ...pair, '--format', 'latex'], /--format goes with --residuals/, { code: 2 });
});

test('models with predictions about all of both sets have a line', async () => {
  const got = await fit();
  assert.deepEqual(Object.keys(got).slice(0, 12), ['dataset', 'topk', 'models', 'n_models', 'scale', 'slope', 'offset', 'r2', 'slope_lo', 'slope_hi', 'offset_lo', 'offset_hi']);
  assert.deepEqual([got.dataset, got.topk, got.models, got.n_models, got.scale], ['fresh', 1, 'all', 6, 'linear']);
  for (const [name, want] of Object.entries(leastSquares(COMPLETE))) near(got[name], want, name);
  assert.deepEqual(got.excluded, [{ model: 'half', reason: 'no predictions about fresh' }]);
  assert.deepEqual([got.over, got.resamples, got.resamples_left_out, got.seed, got.families], ['models', 2000, 0, 1, []]);
  assert.ok(got.slope_lo < got.slope && got.slope < got.slope_hi && got.offset_lo < got.offset && got.offset < got.offset_hi);
  assert.deepEqual([got.spearman, got.kendall], [1, 1]);
  assert.ok(got.bend_lo < got.bend && got.bend < got.bend_hi);
  assert.deepEqual([got.original.set, got.original.images, got.new.set, got.new.state], ['old', 20, 'fresh', 'frozen']);
});

test('models are left out by name, and where their accuracy has no place on the scale', async () => {
  const some = await fit('--without', 'flat, best');
  assert.deepEqual([some.models, some.n_models], ['all but flat, best', 4]);
  assert.deepEqual(some.excluded.map((m) => m.model).sort(), ['best', 'flat', 'half']);
  near(some.slope, leastSquares(COMPLETE.filter((m) => m !== 'flat' && m !== 'best')).slope, 'slope');
  for (const scale of ['probit', 'logit']) {
    const got = await fit('--scale', scale);
    assert.deepEqual(got.excluded[1], { model: 'sure', reason: `100 % on the originals has no place on the ${scale} scale` });
    assert.equal(got.n_models, 5);
  }
  await fails(['fit', dir, ...pair, '--without', 'flat,nobody'], /There is no model "nobody" to leave out/);
  await fails(['fit', dir, ...pair, '--without', 'flat,low,mid,high'], /A line needs at least 3 models, and 2 of 7 are left/);
});

test('the bootstrap draws models, images, both or families; the seed decides', async (t) => {
  const families = put(t, 'families.csv', 'family,model\nsmall,flat\nsmall,low\nlarge,high\nlarge,best\nlarge,nobody\n');
  const ways = { models: [], images: [], both: [], families: ['--families', families] };
  const bounds = {};
  for (const [over, more] of Object.entries(ways)) {
    const got = await fit('--over', over, ...more);
    assert.deepEqual(await fit('--over', over, ...more), got);
    const other = await fit('--over', over, ...more, '--seed', '9');
    assert.deepEqual([other.seed, other.slope], [9, got.slope]);
    const range = (f) => [f.slope_lo, f.slope_hi, f.offset_lo, f.offset_hi];
    assert.notDeepEqual(range(other), range(got), over);
    assert.equal(got.over, over);
    bounds[over] = got.slope_hi - got.slope_lo;
    if (over === 'families') {
      assert.deepEqual(got.families.map((f) => [f.family, f.n_models]), [['large', 2], ['small', 2], ['mid', 1], ['sure', 1]]);
      near(got.families[0].slope, leastSquares(['flat', 'low', 'mid', 'sure']).slope, 'without large');
    }
  }
  assert.ok(bounds.both > bounds.images, 'what both vary in is wider');
  /* On a probit scale some of the resampled models have everything right. */
  const some = await holdout(['fit', dir, ...pair, '--scale', 'probit', '--over', 'images', '--resamples', '2000']);
  const left = JSON.parse(some.out).resamples_left_out;
  assert.ok(left > 0 && left < 2000);
  assert.match(some.err, new RegExp(`^${left} of 2000 resamples have no line and were left out\\.$`, 'm'));
});

test('families are those that models are said to be of, unless a file says others', async (t) => {
  const own = copyOf(t, dir);
  const ask = ['fit', own, ...pair, '--resamples', '200', '--over', 'families'];
  await fails(ask, /No model is said to be of a family: .*import model-facts/);
  await must(['import', 'model-facts', own, put(t, 'facts.csv', 'model,family\nflat,small\nlow,small\nbest,large\nhigh,large\n')]);
  const names = async (...more) => JSON.parse(await must([...ask, ...more])).families.map((f) => `${f.family} ${f.n_models}`);
  assert.deepEqual(await names(), ['large 2', 'small 2', 'mid 1', 'sure 1']);
  assert.deepEqual(await names('--families', put(t, 'other.csv', 'model,family\nmid,large\nbest,best\n')), ['best 1', 'small 2', 'large 2', 'sure 1']);
});

test('a part of the images', async () => {
  const part = await fit('--subset', `class:${WNIDS[0]}`);
  assert.equal(part.subset, `class:${WNIDS[0]}`);
  assert.equal((await fit()).subset, '');
  /* The even ones: of 20, half of them, and one more where the count is odd. */
  const half = ([x, y]) => [Math.ceil(x / 2), Math.ceil(y / 2)].map((k) => k / 10);
  const rows = table(await must(['fit', dir, ...pair, '--subset', `class:${WNIDS[0]}`, '--residuals', '--resamples', '10']));
  for (const model of COMPLETE) assert.deepEqual([rows[model].x, rows[model].y].map(Number), half(MODELS[model]).map((s) => 100 * s), model);
  await fails(['fit', dir, ...pair, '--subset', 'dogs'], /subset must be near-duplicates/);
});

test('every model and the line', async () => {
  const { slope, offset } = leastSquares(COMPLETE.filter((m) => m !== 'low'));
  const rows = table(await must(['fit', dir, ...pair, '--without', 'low', '--residuals', '--resamples', '10']));
  assert.deepEqual(Object.keys(rows).sort(), COMPLETE.toSorted());
  for (const [model, row] of Object.entries(rows)) {
    const [x, y] = MODELS[model].map((k) => 100 * (k / IMAGES));
    assert.deepEqual([Number(row.x), Number(row.y), row.used], [x, y, model === 'low' ? 'no' : 'yes']);
    near(row.fitted, slope * x + offset, model);
    near(row.effective_robustness, y - slope * x - offset, model);
    near(row.residual, row.effective_robustness, model);
    assert.ok(Number(row.fitted_lo) < row.fitted && row.fitted < Number(row.fitted_hi));
  }
  const probit = table(await must(['fit', dir, ...pair, '--scale', 'probit', '--residuals', '--resamples', '10']));
  assert.deepEqual([probit.sure.x, probit.sure.fitted, probit.sure.residual, probit.sure.effective_robustness], ['100.0', '', '', '']);
});

test('a file of accuracies', async (t) => {
  const file = put(t, 'points.csv', 'note,model,x,y,use_for_fit,family\n,a,50,40,1,one\n,b,60,50,1,one\n"x, y",c,70,60,1,\n,d,80,90,0,two\n,e,100,70,1,two\n');
  const got = JSON.parse(await must(['fit-points', file, '--resamples', '50']));
  assert.deepEqual(got.excluded, [{ model: 'd', reason: 'use_for_fit is 0' }]);
  assert.ok(!('dataset' in got) && !('topk' in got));
  const probit = JSON.parse(await must(['fit-points', file, '--scale', 'probit', '--resamples', '50']));
  assert.deepEqual(probit.excluded.map((m) => m.reason), ['use_for_fit is 0', '100 % on the originals has no place on the probit scale']);
  const rows = table(await must(['fit-points', file, '--scale', 'probit', '--residuals', '--resamples', '50']));
  assert.equal(rows.d.used, 'no');
  assert.ok(rows.d.effective_robustness > 15);
  /* Of a set that was chosen against a model, which is wrong about all of it: two lines that meet there. */
  const pivot = put(t, 'pivot.csv', 'model,x,y\na,30,10\nb,40,8\nc,50,4\nchosen,60,0\nd,70,5\ne,80,20\nf,90,60\n');
  const two = JSON.parse(await must(['fit-points', pivot, '--scale', 'logit', '--pivot', 'chosen', '--resamples', '50']));
  assert.deepEqual([two.pivot, two.pieces.map((one) => [one.side, one.n_models])], ['chosen', [['below', 3], ['above', 3]]]);
  assert.deepEqual(two.excluded.map((m) => m.model), ['chosen']);
  assert.ok(two.pieces[0].slope < 0 && two.pieces[1].slope > 1);
  const held = table(await must(['fit-points', pivot, '--scale', 'logit', '--pivot', 'chosen', '--residuals', '--resamples', '50']));
  const logit = (share) => Math.log(share / (1 - share));
  const { slope, offset } = two.pieces[1];
  near(held.d.fitted, 100 / (1 + Math.exp(-slope * logit(0.7) - offset)), 'd');
  await fails(['fit-points', pivot, '--pivot', 'nobody'], /There is no model "nobody" with an accuracy/);
  await fails(['fit-points', pivot, '--pivot', 'e'], /A line from e needs at least 3 models of several accuracies, and there are 2/);
  const families = JSON.parse(await must(['fit-points', file, '--over', 'families', '--resamples', '50']));
  assert.deepEqual(families.families.map((f) => [f.family, f.n_models]), [['one', 2], ['c', 1], ['two', 1]]);
});

test('what is wrong in a file is named with its place', async (t) => {
  const points = (...rows) => ['fit-points', put(t, 'points.csv', `model,x,y,use_for_fit\n${rows.join('\n')}\n`)];
  await fails(points('a,50,40,1', 'b,101,40,1'), /points\.csv:3: x must be an accuracy in percent, 0 to 100/);
  await fails(points('a,50,-1,1'), /points\.csv:2: y must be an accuracy/);
  await fails(points('a,50,forty,1'), /points\.csv:2: y must be an accuracy/);
  await fails(points('a,50,40,yes'), /points\.csv:2: use_for_fit must be 1 or 0/);
  await fails(points('a,50,40,1', 'a,60,40,1'), /points\.csv:3: model a has a row already/);
  await fails(points(',50,40,1'), /points\.csv:2: the model has no name/);
  await fails(points('a,50,40,1', 'b,50,41,1', 'c,50,42,1'), /All 3 models have the same accuracy on the originals/);
  await fails(points(), /A line needs at least 3 models, and there are 0/);
  await fails(['fit-points', put(t, 'points.csv', 'model,y\na,1\n')], /points\.csv.*x/);
  await fails(['fit-points', '/nowhere.csv'], /nowhere\.csv/);
  const families = (text) => ['fit', dir, ...pair, '--over', 'families', '--families', put(t, 'families.csv', text)];
  await fails(families('model,family\nlow,\n'), /families\.csv:2: the family has no name/);
  await fails(families('model\nlow\n'), /families\.csv.*family/);
  await fails(families(`model,family\n${COMPLETE.map((m) => `${m},one\n`).join('')}`), /All models are of the family one/);
});

test('what may not be asked', async (t) => {
  const usage = (args, message) => fails(args, message, { code: 2 });
  await usage(['fit', dir, '--new', 'fresh'], /give --original and --new/);
  await usage(['fit', dir, ...pair, '--top', '3'], /--top must be 1 or 5/);
  await usage(['fit', dir, ...pair, '--scale', 'log'], /--scale must be linear, probit or logit/);
  await usage(['fit', dir, ...pair, '--over', 'classes'], /--over must be models, images, both or families/);
  await usage(['fit', dir, ...pair, '--families', 'x.csv'], /--families goes with --over families/);
  await usage(['fit', dir, ...pair, '--resamples', '0'], /--resamples must be a whole number from 1 to 1000000/);
  await usage(['fit-points', put(t, 'points.csv', 'model,x,y\n'), '--over', 'images'], /a file of accuracies has no images/);
  await fails(['fit', dir, ...pair, '--top', '5'], /0 of 7 are left. Left out, for example: .*predictions of top-1 only/);
  await fails(['fit', dir, '--original', 'old', '--new', 'hidden'], /hidden\/0 is sealed/);
  await fails(['fit', dir, '--original', 'old', '--new', 'nowhere'], /nowhere/);
  /* Once opened, that is said. */
  const copy = copyOf(t, dir);
  await must(['set', 'unseal', copy, 'hidden', '--reason', 'curious']);
  await fails(['fit', copy, '--original', 'old', '--new', 'hidden'], /hidden\/0 was unsealed before it was final: curious[^]*A line needs at least 3/);
  await says(['fit', dir, ...pair], /Left out: half \(no predictions about fresh\)/);
});

test('difficulty: all solutions of one line, and a world whose truth is known', async (t) => {
  const table = (csv) => csv.trimEnd().split('\n').slice(1).map((line) => line.split(','));
  const known = await holdout(['difficulty', '--spread', '1', '--new-spread', '1.4', '--shift', '0.3', '--images', '5000', '--seed', '3']);
  assert.equal(known.code, 0, known.err);
  const [, spread, , , shift, , , mark] = table(known.out).at(-1);
  assert.ok(mark === 'truth' && Math.abs(spread - 1.4) < 0.1 && Math.abs(shift - 0.3) < 0.1, known.out);
  await fails(['difficulty', '--original', 'old'], /name its folder/, { code: 2 });
  const file = put(t, 'points.csv', 'model,x,y\na,60,48\nb,70,59\nc,80,71\nd,85,78\n');
  const rows = table(await must(['difficulty', file, '--spread', '2', '--quiet']));
  assert.equal(rows.at(-1)[7], 'assumed');
  /* Both equations hold in every row: the slope and offset are the same. */
  const lines = rows.filter((row) => row[1]).map((row) => row.map(Number)).map(([a, b, , , d]) => [Math.hypot(a, 1) / Math.hypot(b, 1), -d / Math.hypot(b, 1)]);
  assert.ok(lines.length > 30 && lines.every(([u, v]) => Math.abs(u - lines[0][0]) < 1e-9 && Math.abs(v - lines[0][1]) < 1e-9));
});
