/* The published predictions of 67 models on two sets, from files to the paper's Tables 15 and 16. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';

import { holdout, must, needsGolden, newProject } from '../http/lib.mjs';
import { tempDir } from '../load/tools.mjs';
import { LIMIT, at, lines, unpack } from './study.mjs';

const SETS = { 'val': 'imagenet-validation-original', 'v2': 'imagenetv2-b-33' };
const QUIRK = at('predictions', 'quirk_fv_16k_ascending.imagenetv2-b-33.npy');

/* Counts, ranks and the paper's own texts to the letter; other numbers to 1e-9. */
function sameTable(text, file) {
  const got = lines(text).map((line) => line.split(','));
  const want = lines(fs.readFileSync(at('expected', file), 'utf8')).map((line) => line.split(','));
  assert.deepEqual(got[0], want[0]);
  assert.equal(got.length, want.length);
  const near = new Set(['orig_lo', 'orig_hi', 'new_lo', 'new_hi']);
  want.forEach((row, i) => row.forEach((cell, k) => {
    const where = `${row[1]}, ${want[0][k]}`;
    if (i && near.has(want[0][k])) assert.ok(Math.abs(Number(got[i][k]) - Number(cell)) < 1e-9, `${where}: ${got[i][k]} ${cell}`);
    else assert.equal(got[i][k], cell, where);
  }));
}

async function importSets(dir, folder) {
  const original = unpack(folder, 'predictions', `${SETS.val}.images.csv.xz`);
  await must(['import', 'classes', dir, at('classes', 'classes.csv')]);
  await must(['import', 'set', dir, 'val', original, '--role', 'original'], LIMIT);
  await must(['import', 'set', dir, 'v2', at('predictions', `${SETS.v2}.images.csv`)], LIMIT);
}

/* Kendall's tau-b pair by pair, and Spearman's rho of mean ranks, of right answers on both sets. */
function correlations(rows) {
  const x = rows.map((row) => Number(row.orig_correct)), y = rows.map((row) => Number(row.new_correct));
  const pairs = x.flatMap((_, i) => x.slice(i + 1).map((__, k) => [Math.sign(x[i] - x[i + k + 1]), Math.sign(y[i] - y[i + k + 1])]));
  const count = (f) => pairs.filter(f).length;
  const kendall = pairs.reduce((sum, [a, b]) => sum + a * b, 0) / Math.sqrt(count(([a]) => a) * count(([, b]) => b));
  const ranks = (v) => v.map((a) => v.filter((b) => b < a).length + (v.filter((b) => b === a).length - 1) / 2);
  const [p, q] = [ranks(x), ranks(y)], mean = (x.length - 1) / 2;
  const sum = (a, b) => a.reduce((s, _, i) => s + (a[i] - mean) * (b[i] - mean), 0);
  return { kendall, spearman: sum(p, q) / Math.sqrt(sum(p, p) * sum(q, q)) };
}

/* The printed tables: every cell as published, in Markdown and in LaTeX; table 2's change; ranks against a count of pairs. */
async function printed(dir, top, file) {
  const [head, ...cells] = lines(fs.readFileSync(at('expected', file), 'utf8')).map((line) => line.split(','));
  const rows = cells.map((row) => Object.fromEntries(head.map((name, i) => [name, row[i]])));
  const want = rows.map((r) => [r.orig_rank, r.model, `${r.p_orig} [${r.p_orig_lo}, ${r.p_orig_hi}]`, `${r.p_new} [${r.p_new_lo}, ${r.p_new_hi}]`, r.p_gap, r.new_rank, r.delta_rank]);
  const args = ['score', dir, '--original', 'val', '--new', 'v2', '--top', String(top)];
  const markdown = lines(await must([...args, '--format', 'markdown'], LIMIT)), { kendall, spearman } = correlations(rows);
  const plain = (cell) => cell.trim().replace('\u2212', '-');
  assert.deepEqual(markdown.slice(2, -1).map((line) => line.split('|').slice(1, -1).map(plain)).filter((row) => row.length > 1), want);
  assert.ok(markdown.at(-1).includes(`Ranks of 67 models on both sets: Kendall's tau-b ${kendall.toFixed(3)}, Spearman's rho ${spearman.toFixed(3)}.`));
  const latex = lines(await must([...args, '--format', 'latex'], LIMIT));
  const body = latex.slice(latex.indexOf('\\midrule') + 1, latex.indexOf('\\bottomrule'));
  assert.deepEqual(body.map((line) => line.replace(/ \\\\$/, '').replaceAll('\\_', '_').replaceAll('$-$', '-').split(' & ')), want);
  const few = lines(await must([...args, '--summary'], LIMIT)).slice(1).map((line) => line.split(',')[1]);
  assert.deepEqual(few, [0, 33, 66].map((i) => rows[i].model));
  const { summary } = JSON.parse(await must([...args, '--json'], LIMIT));
  const [, change] = lines(fs.readFileSync(at('expected', 'table2_imagenetv2-b-33.csv'), 'utf8')).map((line) => line.split(',')).filter((row) => row[1] === 'topk' || row[1] === String(top));
  assert.ok(Math.abs(summary.mean_gap + Number(change[3])) < 1e-9 && (-summary.mean_gap).toFixed(1) === change[4]);
  assert.ok(Math.abs(summary.kendall - kendall) < 1e-12 && Math.abs(summary.spearman - spearman) < 1e-12);
}

/* Table 2: the mean change over all models. */
async function changes(dir) {
  const args = ['changes', dir, '--original', 'val', '--sets', 'v2'];
  const [head, , row] = lines(await must(args, LIMIT)).map((line) => line.split(','));
  const got = Object.fromEntries(head.map((name, i) => [name, row[i]]));
  const printed = lines(await must([...args, '--format', 'markdown'], LIMIT))[3].split('|').map((cell) => cell.trim().replace('\u2212', '-'));
  for (const [k, top] of ['1', '5'].entries()) {
    const [, , models, change, text] = lines(fs.readFileSync(at('expected', 'table2_imagenetv2-b-33.csv'), 'utf8')).map((line) => line.split(',')).find((cells) => cells[1] === top);
    assert.deepEqual([got[`top${top}_models`], got.same_shares, printed[4 + k]], [models, 'yes', text]);
    assert.ok(Math.abs(got[`top${top}_change`] - change) < 1e-9);
  }
}

/* 1,000 classes with 50 and 10 images each: the gap on common classes is the printed one to the last digit; the rest of
 * the table is as without. */
async function commonGaps(dir, top, timed) {
  const args = ['score', dir, '--original', 'val', '--new', 'v2', '--top', String(top)];
  const plain = lines(await must(args, LIMIT)).map((line) => line.split(','));
  const wide = lines(await timed(`top-${top} --common`, () => must([...args, '--common'], LIMIT))).map((line) => line.split(','));
  assert.deepEqual(wide.map((row) => row.slice(0, plain[0].length)), plain);
  const rows = wide.slice(1).map((row) => Object.fromEntries(wide[0].map((name, i) => [name, row[i]])));
  assert.equal(rows.length, 67);
  const [, lo, hi] = /Mean gap over 67 models: (?:11\.8|8\.2) \((\d+\.\d) to (\d+\.\d)\)/.exec(await must([...args, '--common', '--format', 'markdown'], LIMIT));
  assert.ok(hi - lo > 0.5 && hi - lo < 2, `${lo} ${hi}`);
  for (const row of rows) {
    assert.deepEqual([row.orig_classes, row.new_classes, row.common_classes, row.same_shares], ['1000', '1000', '1000', 'yes']);
    assert.deepEqual([row.common_orig_acc, row.common_new_acc, row.common_gap], [row.orig_acc, row.new_acc, row.gap], row.model);
    assert.deepEqual([row.common_gap_lo, row.common_gap_hi], [row.gap_lo, row.gap_hi]);
    /* Within class the spread is about a tenth less than that of two proportions; 1,000 resamples tell it to a few percent. */
    const share = (acc, n) => (acc / 100) * (1 - acc / 100) / n;
    const loose = 2 * 196 * Math.sqrt(share(row.orig_acc, 50000) + share(row.new_acc, 10000));
    const width = row.gap_hi - row.gap_lo;
    assert.ok(width < 1.1 * loose && width > 0.6 * loose, `${row.model}: ${width} ${loose}`);
    for (const name of ['gap', 'orig_rank', 'new_rank', 'delta_rank']) {
      assert.ok(Number(row[`${name}_lo`]) <= Number(row[name]) && Number(row[name]) <= Number(row[`${name}_hi`]), `${row.model}: ${name}`);
    }
  }
}

const NO_CONVNETS = ['fv_16k', 'fv_4k', 'fv_64k'];
const TOLERANCE = { slope: 1e-9, offset: 1e-9, r2: 1e-9 };

/* Slope, offset and R2 are exact. Bounds are those of other draws: within the table's tolerances at the default, and with
 * ten times as many resamples from another seed, for one tolerance is as narrow as one and a half standard deviations of
 * what 100,000 resamples give. */
async function fits(dir, timed) {
  const [head, ...rows] = lines(fs.readFileSync(at('expected', 'fits_imagenetv2-b-33.csv'), 'utf8')).map((line) => line.split(','));
  assert.equal(rows.length, 8);
  for (const row of rows.map((cells) => Object.fromEntries(head.map((name, i) => [name, cells[i]])))) {
    const without = row.models === 'convnets' ? ['--without', NO_CONVNETS.join(',')] : [];
    const what = `top-${row.topk} ${row.models} ${row.scale}`;
    const fit = (...more) => must(['fit', dir, '--original', 'val', '--new', 'v2', '--top', row.topk, '--scale', row.scale, ...without, ...more], LIMIT);
    const got = JSON.parse(await timed(`fit ${what}`, () => fit()));
    assert.deepEqual([got.dataset, got.topk, String(got.n_models), got.scale], ['v2', Number(row.topk), row.n_models, row.scale]);
    assert.deepEqual(got.excluded.map((m) => m.model), without.length ? NO_CONVNETS : []);
    assert.deepEqual([got.over, got.resamples, got.resamples_left_out, got.seed], ['models', 100000, 0, 1]);
    for (const found of [got, JSON.parse(await fit('--seed', '0', '--resamples', '1000000'))]) {
      for (const name of ['slope', 'offset', 'r2', 'slope_lo', 'slope_hi', 'offset_lo', 'offset_hi']) {
        const near = TOLERANCE[name] ?? Number(row[`tol_${name}`]);
        assert.ok(Math.abs(found[name] - Number(row[name])) <= near, `${what}, ${name}: ${found[name]} ${row[name]} within ${near}`);
      }
    }
  }
}

/* What the same authors' numbers give when images are drawn, or images and models. */
async function fitsOverImages(dir, timed) {
  const want = { images: [1.074, 1.145, -23.1, -17.6], both: [1.062, 1.190, -26.5, -16.6] };
  for (const [over, bounds] of Object.entries(want)) {
    const got = JSON.parse(await timed(`fit over ${over}`, () => must(['fit', dir, '--original', 'val', '--new', 'v2', '--over', over, '--resamples', '4000', '--without', NO_CONVNETS.join(',')], LIMIT)));
    const found = [got.slope_lo, got.slope_hi, got.offset_lo, got.offset_hi];
    found.forEach((v, i) => assert.ok(Math.abs(v - bounds[i]) < (i < 2 ? 0.006 : 0.5), `${over}: ${found} ${bounds}`));
  }
}

test('67 models on two sets give every cell of the printed tables', needsGolden, async (t) => {
  const dir = await newProject(t);
  const folder = tempDir(t);
  const seconds = [];
  const timed = async (what, run) => {
    const begin = process.hrtime.bigint();
    const result = await run();
    seconds.push(`${what} ${(Number(process.hrtime.bigint() - begin) / 1e9).toFixed(2)} s`);
    return result;
  };
  await importSets(dir, folder);
  const original = path.join(folder, 'original');
  for (const [name, file] of Object.entries(SETS)) {
    if (name === 'v2') fs.cpSync(dir, original, { recursive: true });
    fs.mkdirSync(path.join(folder, name));
    execFileSync('tar', ['-xJf', at('predictions', `${file}.tar.xz`), '-C', path.join(folder, name)]);
    const r = await timed(`predictions on ${name}`, () => holdout(['import', 'predictions', dir, '--set', name, path.join(folder, name)], LIMIT));
    assert.equal(r.code, 0, r.err);
    const n = 67 * (name === 'val' ? 50000 : 10000);
    assert.match(r.err, new RegExp(`^${n} predictions read in 67 files, ${n} new; ${name === 'val' ? 67 : 0} new models\\.$`, 'm'));
  }
  const score = (top) => timed(`top-${top}`, () => must(['score', dir, '--original', 'val', '--new', 'v2', '--top', String(top)], LIMIT));
  sameTable(await score(1), 'table15_imagenetv2-b-33_top1.csv');
  sameTable(await score(5), 'table16_imagenetv2-b-33_top5.csv');
  await printed(dir, 1, 'table15_imagenetv2-b-33_top1.csv');
  await printed(dir, 5, 'table16_imagenetv2-b-33_top5.csv');
  await changes(dir);
  for (const top of [1, 5]) await commonGaps(dir, top, timed);
  await fits(dir, timed);
  await fitsOverImages(dir, timed);
  t.diagnostic(seconds.join(', '));

  /* The digest of the new set is the one that the study's own files have. */
  const revision = lines(fs.readFileSync(at('revisions', 'b.jsonl'), 'utf8')).map((line) => JSON.parse(line)).find((r) => r.name === SETS.v2);
  const said = JSON.parse(await must(['score', dir, '--original', 'val/0', '--new', 'v2/0', '--top', '1', '--json'], LIMIT));
  assert.deepEqual([said.new.digest, said.new.images, said.new.state], [revision.sha256_sorted, 10000, 'frozen']);
  assert.ok(said.as_of_event > 0 && said.tool.startsWith('holdout '));
  assert.equal(said.models.length, 67);
  assert.deepEqual(said.models[0].sources.map((s) => [s.engine, s.predictions]), [['pnasnet_large_tf.npy', 50000], ['pnasnet_large_tf.npy', 10000]]);

  /* One set alone, and a model without predictions about all of both. */
  const alone = lines(await must(['score', dir, '--set', 'v2']));
  assert.equal(alone.length, 68);
  assert.match(alone[1], /^1,nasnetalarge,10000,7221,72\.21,/);
  const again = await holdout(['import', 'predictions', dir, '--set', 'v2', path.join(folder, 'v2')], LIMIT);
  assert.match(again.err, /670000 predictions read in 67 files, 0 new; 0 new models/);

  await quirk(dir);
  await published(t, original, folder);
  await must(['check', dir], LIMIT);
});

/* The same tables from the published history, whose revisions are changes and have no order: --images names the image
 * of each row, and without it nothing is read. */
async function published(t, original, folder) {
  const dir = path.join(tempDir(t), 'project');
  fs.cpSync(original, dir, { recursive: true });
  await must(['import', 'sets', dir, at('revisions', 'b.jsonl')], LIMIT);
  const bring = (...more) => holdout(['import', 'predictions', dir, '--set', 'imagenetv2-b-33', ...more], LIMIT);
  const one = await bring(path.join(folder, 'v2', SETS.v2, 'pnasnet_large_tf.npy'));
  assert.equal(one.code, 1);
  assert.match(one.err, /names no images, and imagenetv2-b-33 is imported without the order of its list.*--images IMAGES\.csv/);
  const r = await bring(path.join(folder, 'v2'), '--images', at('predictions', `${SETS.v2}.images.csv`));
  assert.match(r.err, /^670000 predictions read in 67 files, 670000 new; 0 new models\.$/m);
  assert.doesNotMatch(r.err, /chance/);
  const score = (top) => must(['score', dir, '--original', 'val', '--new', 'imagenetv2-b-33', '--top', String(top)], LIMIT);
  sameTable(await score(1), 'table15_imagenetv2-b-33_top1.csv');
  sameTable(await score(5), 'table16_imagenetv2-b-33_top5.csv');
}

/* Published with the columns worst first: told, repaired on request, and said of what was repaired. What scores the
 * frozen set stays until somebody decides. */
async function quirk(dir) {
  const top1 = async (model) => lines(await must(['score', dir, '--set', 'v2'])).find((l) => l.includes(`,${model},`)).split(',')[3];
  const bring = async (model, ...more) => (await holdout(['import', 'predictions', dir, '--set', 'v2', '--model', model, QUIRK, ...more])).err;
  const sources = async (model) => lines(await must(['set', 'sources', dir, 'v2', '--model', model])).slice(1).map((l) => l.split(','));
  const choose = (model, ...more) => must(['set', 'choose', dir, 'v2', model, ...more, '--reason', 'the columns']);
  assert.equal(await top1('fv_16k'), '1924');
  const raw = await bring('fv_16k');
  assert.match(raw, /warning: .*the last of its 5 columns is right more often than the first \(19\.2 % of the images, the first 2\.5 %\).*--reversed/);
  assert.match(raw, /10000 new/);
  assert.match(raw, /warning: Other predictions of model fv_16k score v2\/0, and still do/);
  assert.equal(await top1('fv_16k'), '1924');
  await choose('fv_16k', (await sources('fv_16k'))[1][1]);
  assert.equal(await top1('fv_16k'), '247');
  const shown = async () => lines(await must(['score', dir, '--original', 'val', '--new', 'v2', '--format', 'markdown'])).find((l) => l.includes('| fv_16k |')).split('|')[4];
  assert.match(await shown(), /^ 2\.5 \[/, 'as the raw file has it');
  await choose('fv_16k', '--undo');
  assert.match(await shown(), /^ 19\.2 \[18\.\d, 20\.\d\] $/, 'as published');
  assert.equal(await top1('fv_16k'), '1924');
  assert.match(await bring('fv_16k', '--reversed'), /\b0 new;/, 'that is what is there');
  /* A model that had none. */
  assert.match(await bring('quirk'), /10000 new; 1 new model/);
  assert.equal(await top1('quirk'), '247');
  const repaired = await bring('quirk', '--reversed');
  assert.doesNotMatch(repaired, /columns/);
  assert.match(repaired, /10000 new/);
  assert.match(await bring('quirk', '--reversed'), /\b0 new;/);
  await choose('quirk', (await sources('quirk'))[1][1]);
  assert.equal(await top1('quirk'), '1924');
  const said = JSON.parse(await must(['score', dir, '--set', 'v2', '--json'])).models.find((m) => m.model === 'quirk');
  assert.deepEqual(said.sources.map((s) => JSON.parse(s.recipe).reversed), [false, true]);
  assert.deepEqual(said.scored_by.map((s) => [s.source, s.images]), [[said.sources[1].id, 10000]]);
  const best = at('predictions', 'plain_imagenetv2-b-33', 'resnet50.npy');
  const wrong = await holdout(['import', 'predictions', dir, '--set', 'v2', '--model', 'backwards', best, '--reversed']);
  assert.match(wrong.err, /warning: .*--reversed turned columns round that were already best first/);
}

test('the same predictions as CSV and with another order of images', needsGolden, async (t) => {
  const dir = await newProject(t);
  const folder = tempDir(t);
  await must(['import', 'classes', dir, at('classes', 'classes.csv')]);
  const list = fs.readFileSync(at('predictions', `${SETS.v2}.images.csv`), 'utf8');
  const rows = lines(list).slice(1).map((line) => line.split(','));
  /* The set has its images the other way round: rows of .npy files are told by --images. */
  const turned = path.join(folder, 'turned.csv');
  fs.writeFileSync(turned, ['image,wnid', ...rows.map(([, image, wnid]) => `${image},${wnid}`).reverse()].join('\n'));
  await must(['import', 'set', dir, 'v2', turned]);
  const model = ['--set', 'v2', '--model', 'resnet50'];
  const npy = at('predictions', 'plain_imagenetv2-b-33', 'resnet50.npy');
  const images = at('predictions', `${SETS.v2}.images.csv`);
  assert.match((await holdout(['import', 'predictions', dir, ...model, npy, '--images', images])).err, /10000 new/);
  const csv = await holdout(['import', 'predictions', dir, ...model, at('predictions', 'sample_csv', `${SETS.v2}.resnet50.csv`)]);
  assert.match(csv.err, /10000 predictions read in 1 file, 0 new/);
  assert.match(lines(await must(['score', dir, '--set', 'v2']))[1], /^1,resnet50,10000,6333,63\.33,/);
  /* The published file in the order of the published list is the same set. */
  const same = await holdout(['import', 'set', dir, 'v2', images]);
  assert.match(same.err, /0 new revisions/);
  assert.match(same.err, /another order/);
  const out = path.join(folder, 'out.csv');
  fs.writeFileSync(out, await must(['export', 'predictions', dir, '--set', 'v2']));
  assert.match((await holdout(['import', 'predictions', dir, out])).err, /10000 predictions read in 1 file, 0 new/);
});
