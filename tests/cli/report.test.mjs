/* `holdout plan`, `holdout report`, `holdout verify`: what a report holds, that it says where it departs from its plan, and
 * that a changed digit is found, whoever changed it. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { before, test } from 'node:test';

import { holdout, must, newProject, tempDir, wholeFile } from '../http/lib.mjs';
import { MODELS, SETS, addLateModel, addMeasuresWorld, right } from '../http/measures_world.mjs';
import { copyOf, fails, put, says } from './tools.mjs';

const whole = wholeFile();
const QUICK = ['--resamples', '200'];
const PLAN = { name: 'main', note: 'before anything is known', original: 'old', new: 'fresh', models: ['large', 'middle', 'small'], resamples: 200 };
let dir, plain;

const sha256 = (bytes) => createHash('sha256').update(bytes).digest('hex');
const read = (folder, file) => fs.readFileSync(path.join(folder, file), 'utf8');
const write = (folder, file, text) => fs.writeFileSync(path.join(folder, file), text);
const manifestOf = (folder) => JSON.parse(read(folder, 'manifest.json'));
const filesOf = (folder) => fs.readdirSync(folder, { recursive: true }).filter((one) => fs.statSync(path.join(folder, one)).isFile()).sort();
const rows = (csv) => {
  const [head, ...lines] = csv.trimEnd().split('\n').map((line) => line.split(','));
  return lines.map((line) => Object.fromEntries(line.map((cell, i) => [head[i], cell])));
};

async function report(t, project, ...options) {
  const out = path.join(tempDir(t), 'report');
  await must(['report', project, out, ...options]);
  return out;
}
function copyFolder(t, folder) {
  const out = path.join(tempDir(t), 'copy');
  fs.cpSync(folder, out, { recursive: true });
  return out;
}
/* Findings as [file, row, column, reported, recomputed]. */
async function findings(folder, project = dir) {
  const r = await holdout(['verify', folder, '--project', project, '--json', '--quiet']);
  const { findings: list } = JSON.parse(r.out);
  assert.equal(r.code, list.length ? 1 : 0, r.err);
  return list.map((f) => [f.file, f.row, f.column, f.reported, f.recomputed]);
}

before(async () => {
  dir = await newProject(whole);
  await addMeasuresWorld(whole, dir);
  plain = await report(whole, dir, '--original', 'old', '--new', 'fresh', ...QUICK);
});

test('the same project gives the same bytes; the manifest names all of them, the page nothing outside', async (t) => {
  const again = await report(t, dir, '--original', 'old', '--new', 'fresh', ...QUICK);
  assert.deepEqual(filesOf(again), filesOf(plain));
  for (const file of filesOf(plain)) assert.equal(read(again, file), read(plain, file), file);
  const { files, tool, schema, as_of_event, analysis, used, original, predictions } = manifestOf(plain);
  assert.deepEqual(files.map((f) => [f.file, f.bytes, f.sha256]), filesOf(plain).filter((file) => file !== 'manifest.json').map((file) => {
    const bytes = fs.readFileSync(path.join(plain, file));
    return [file, bytes.length, sha256(bytes)];
  }));
  assert.match(tool, /^holdout \d/);
  assert.ok(schema > 10 && as_of_event > 100);
  assert.deepEqual([analysis.resamples, analysis.fit_seed, used.new, used.models], [200, 1, 'fresh/2', Object.keys(MODELS).sort()]);
  assert.match(original.digest, /^[0-9a-f]{64}$/);
  assert.ok(predictions.every((p) => p.scored_by[0].images === 114 && p.original_scored_by[0].images === 126 && p.sources.length === 1));
  const page = read(plain, 'index.html');
  assert.equal(/<script|https?:\/\/(?!www\.w3\.org)|<link|@import|url\((?!#)/.exec(page)?.[0], undefined);
  for (const [, file] of page.matchAll(/href="([^"]+)"/g)) assert.ok(filesOf(plain).includes(file), file);
});

test('its tables are those of the commands, and right', async () => {
  const ask = [dir, '--original', 'old', '--new', 'fresh'];
  for (const top of [1, 5]) assert.equal(read(plain, `tables/scores-top${top}.csv`), await must(['score', ...ask, '--top', `${top}`, '--common']));
  for (const line of rows(read(plain, 'tables/scores-top1.csv'))) {
    assert.deepEqual([Number(line.orig_correct), Number(line.new_correct)], [right(SETS.old, line.model, 1), right(SETS['fresh/2'], line.model, 1)]);
  }
  const fit = JSON.parse(await must(['fit', ...ask, '--scale', 'probit', ...QUICK]));
  const line = rows(read(plain, 'tables/lines-top1.csv')).find(({ scale }) => scale === 'probit');
  for (const name of ['slope', 'offset', 'slope_lo', 'slope_hi', 'bend']) assert.equal(Number(line[name]), fit[name], name);
  assert.equal(read(plain, 'tables/residuals-top5.csv'), await must(['fit', ...ask, '--top', '5', '--residuals', ...QUICK]));
  const bins = (await must(['bins', dir, '--set', 'fresh'])).trimEnd().split('\n').slice(1).map((one) => one.replace('fresh', 'fresh/2'));
  assert.deepEqual(read(plain, 'tables/bins-models.csv').trimEnd().split('\n').slice(-bins.length), bins);
  const revisions = (await must(['score', dir, '--set', 'fresh', '--revisions'])).trimEnd().split('\n').sort();
  assert.deepEqual(read(plain, 'tables/revisions.csv').trimEnd().split('\n').sort(), revisions);
});

test('classes, statistics and what explains the line, where they are named', async (t) => {
  const out = await report(t, dir, '--original', 'old', '--new', 'fresh', '--tests', 'difficulty,corrected,classes,statistics', '--accuracies', 'top-1', ...QUICK);
  assert.deepEqual(filesOf(out).filter((file) => file.startsWith('tables/')), ['classes', 'corrected', 'difficulty', 'statistics'].map((name) => `tables/${name}-top1.csv`));
  const ask = [dir, '--original', 'old', '--new', 'fresh'];
  assert.equal(read(out, 'tables/difficulty-top1.csv'), await must(['difficulty', ...ask, '--quiet']));
  assert.equal(read(out, 'tables/corrected-top1.csv'), await must(['bins', ...ask, '--quiet']));
  assert.match(read(out, 'index.html'), /Top-1 accuracy by selection frequency, raw and corrected for few answers/);
  assert.equal(read(out, 'tables/classes-top1.csv'), await must(['score', ...ask, '--by', 'class']));
  assert.match(read(out, 'tables/statistics-top1.csv'), /^statistic,bin,from,to,original_images/);
  assert.match(read(out, 'index.html'), /classes stand out[^]*in fifths of the originals/);
  assert.deepEqual(await findings(out), []);
  const file = 'tables/difficulty-top1.csv', changed = read(out, file).replace(/(0\.1,\d\.\d{3})(\d)/, (_, a, b) => `${a}${(Number(b) + 1) % 10}`);
  write(out, file, changed);
  assert.deepEqual((await findings(out)).map((f) => f[0]), [file, file]);
});

test('verify finds one changed digit in a table, in the page and in a chart, and files that do not belong', async (t) => {
  assert.deepEqual(await findings(plain), []);
  const r = await says(['verify', plain], /No number was computed again/);
  assert.equal(r.out, 'file,row,column,reported,recomputed\n');

  const table = copyFolder(t, plain), file = 'tables/scores-top1.csv';
  write(table, file, read(plain, file).replace('85.71428571428571', '85.71428571428572'));
  assert.deepEqual((await findings(table)).map((f) => f.slice(0, 3)), [[file, null, null], [file, '1 (large)', 'orig_acc']]);
  /* Whoever changes the digest too is found by the number alone. */
  const manifest = read(table, 'manifest.json');
  write(table, 'manifest.json', manifest.replace(sha256(read(plain, file)), sha256(read(table, file))));
  const both = await findings(table);
  assert.deepEqual(both.find((f) => f[2] === 'orig_acc').slice(3), ['85.71428571428572', '85.71428571428571']);
  assert.deepEqual(both.map((f) => f[0]).sort(), ['manifest.json', file]);

  const page = copyFolder(t, plain), html = read(plain, 'index.html');
  write(page, 'index.html', html.replace('>81.0 [73.0,', '>81.0 [74.0,'));
  assert.deepEqual((await findings(page))[1], ['index.html', '2 (table scores-top1)', 'Orig. accuracy', '81.0 [74.0, 87.4]', '81.0 [73.0, 87.4]']);

  const chart = copyFolder(t, plain), svg = 'charts/line-top1.svg';
  write(chart, svg, read(plain, svg).replace(/(L\d+\.\d \d+\.)(\d)/, (_, at, digit) => `${at}${(Number(digit) + 1) % 10}`));
  assert.deepEqual((await findings(chart)).map((f) => f[0]), [svg, svg]);

  const odd = copyFolder(t, plain);
  fs.rmSync(path.join(odd, 'charts/line-top1.csv'));
  write(odd, 'tables/more.csv', 'a\n1\n');
  assert.deepEqual(await findings(odd), [['charts/line-top1.csv', null, null, 'missing', sha256(read(plain, 'charts/line-top1.csv'))],
    ['tables/more.csv', null, null, 'there', 'not part of the report']]);
  await fails(['verify', tempDir(t)], /is no report/);
});

test('what comes later changes no number of a report; another project is no judge of it', async (t) => {
  const later = copyOf(t, dir);
  await addLateModel(t, later);
  await must(['set', 'release', later, 'fresh/2', '--reason', 'done']);
  assert.deepEqual(await findings(plain, later), []);
  const other = await newProject(t);
  await fails(['verify', plain, '--project', other], /it is not of this project/);
});

test('a plan is registered once, by its digest, and is late when its set could be scored before', async (t) => {
  const planned = copyOf(t, dir), file = put(t, 'plan.json', JSON.stringify(PLAN));
  await says(['plan', planned, file], /Registered the plan main: .* after fresh\/0 could be scored.*\nwarning: The plan main is late/);
  await says(['plan', planned, file], /This is already the plan main/);
  await fails(['plan', planned, put(t, 'other.json', JSON.stringify({ ...PLAN, level: '0.995' }))], /There is another plan main. A plan is never changed/);
  const [row] = JSON.parse(await must(['plan', planned]));
  assert.deepEqual([row.name, row.set, row.sha256, row.late, row.opened, row.analysis.scale], ['main', 'fresh', sha256(JSON.stringify(PLAN)), true, 'fresh/0', 'linear']);
  assert.equal(await must(['plan', planned, '--show', 'main']), JSON.stringify(PLAN));
  await must(['plan', planned, put(t, 'early.json', JSON.stringify({ ...PLAN, name: 'early', new: 'next' }))]);
  assert.equal(JSON.parse(await must(['plan', planned]))[1].late, false);

  const follows = await report(t, planned, '--plan', 'main');
  assert.deepEqual(manifestOf(follows).deviations.map((d) => d.what), ['Time of the plan']);
  assert.deepEqual(manifestOf(follows).used.models, PLAN.models);
  assert.deepEqual(await findings(follows, planned), []);
  const departs = await report(t, planned, '--plan', 'main', '--level', '0.995', '--models', 'large,small,middle', '--tests', 'drop');
  assert.deepEqual(manifestOf(departs).deviations.slice(1).map((d) => [d.what, d.planned, d.done]), [
    ['Models', 'large, middle, small', 'large, small, middle'], ['Tests', 'drop, fit, bins, revisions', 'drop'], ['Level of intervals', '0.95', '0.995']]);
  const page = read(departs, 'index.html');
  assert.ok(page.indexOf('Deviations from the plan') < page.indexOf('Images: all images') && page.includes('after fresh/0 could be scored'));
  const without = await report(t, planned, '--original', 'old', '--new', 'fresh', '--tests', 'drop');
  assert.deepEqual(manifestOf(without).deviations.map((d) => d.what), ['Plan', 'A plan that is not followed']);
});

test('a plan file with a mistake names it', async (t) => {
  for (const [change, message] of [[{ levl: '0.95' }, /levl is no field/], [{ level: '0.9' }, /level must be 0.95 or 0.995/], [{ models: 'large' }, /models must be a list/],
    [{ tests: [] }, /tests must be of drop/], [{ fit_seed: -1 }, /fit_seed must be a whole number/], [{ name: '' }, /name must say/], [{ new: '' }, /new must name/]]) {
    await fails(['plan', dir, put(t, 'plan.json', JSON.stringify({ ...PLAN, ...change }))], message);
  }
  await fails(['plan', dir, put(t, 'plan.json', '{"name": "a",\n "name": "b"}')], /plan.json:\d: duplicate/);
  assert.equal(await must(['plan', dir]), '[]\n');
});

test('parts of the images stand below each other; a target that is taken and a sealed set are refused', async (t) => {
  const parts = await report(t, dir, '--original', 'old', '--new', 'fresh', '--subsets', 'all,class:n00000001', '--accuracies', 'top-1', '--scale', 'logit', ...QUICK);
  const [all, one] = ['tables/scores-top1.csv', 'tables/part-2-scores-top1.csv'].map((file) => rows(read(parts, file))[0]);
  assert.deepEqual([all.orig_n, one.orig_n], ['126', '21']);
  assert.deepEqual(await findings(parts), []);
  await fails(['report', dir, parts, '--original', 'old', '--new', 'fresh'], /is not empty. Nothing was written/);
  await fails(['report', dir, path.join(tempDir(t), 'r')], /give --original and --new, or a --plan/, { code: 2 });
  await fails(['report', dir, path.join(tempDir(t), 'r'), '--original', 'old', '--new', 'fresh', '--models', 'none'], /There is no model none/);
  const closed = copyOf(t, dir), out = path.join(tempDir(t), 'r');
  await must(['import', 'set', closed, 'closed', put(t, 'closed.csv', ['image,wnid', ...SETS.old.slice(0, 9).map((i) => `${i.image},${i.wnid}`)].join('\n')), '--sealed']);
  await fails(['report', closed, out, '--original', 'old', '--new', 'closed'], /closed\/0 is sealed/);
  assert.ok(!fs.existsSync(out) && !fs.existsSync(`${out}.partial`));
});

test('a named subset is that of the time of the plan; the manifest names its version', async (t) => {
  const project = await copyOf(t, dir);
  await must(['subset', project, 'agreed', 'frequency:0.8-1']);
  const plan = put(t, 'plan.json', JSON.stringify({ ...PLAN, subsets: ['@agreed', 'frequency:0.8-1'], tests: ['drop'] }));
  await must(['plan', project, plan]);
  await must(['subset', project, 'agreed', 'frequency:0.6-1']);
  const planned = await report(t, project, '--plan', 'main');
  assert.deepEqual(manifestOf(planned).used.subsets, ['@agreed/1', 'frequency:0.8-1']);
  const drop = (folder, file) => read(folder, `tables/${file}scores-top1.csv`);
  assert.equal(drop(planned, ''), drop(planned, 'part-2-'), 'they mean the same images');
  const free = await report(t, project, '--original', 'old', '--new', 'fresh', '--subsets', '@agreed', '--tests', 'drop', '--resamples', '200');
  assert.deepEqual(manifestOf(free).used.subsets, ['@agreed/2']);
  await must(['subset', project, 'agreed', 'problematic']);
  assert.deepEqual(await findings(planned, project), []);
  assert.deepEqual(await findings(free, project), []);
  const none = put(t, 'none.json', JSON.stringify({ ...PLAN, name: 'other', subsets: ['@none'] }));
  await fails(['plan', project, none], /no subset none/);
});
