/* Measures of a pair of sets: JSON, page, charts and command line say the same, which is what is counted here of every
 * vote and every prediction; under another view, of a part of the images; nothing of what is sealed. */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';

import { Client, linesIn, must, newProject, startServer, tempDir, wholeFile } from './lib.mjs';
import { MODELS, SETS, addHalfModel, addLateModel, addMeasuresWorld, bin, deep, right, wnid } from './measures_world.mjs';
import { runNotebook } from './notebook.mjs';

const t = wholeFile();
const ALL = ['large', 'shallow', 'middle', 'small']; /* by accuracy on the originals */
let dir, lead, server;

before(async () => {
  dir = await newProject(t);
  await addMeasuresWorld(t, dir);
  server = await startServer(t, dir);
  lead = await new Client(server.url).login('admin');
});

const measures = async (query = '') => {
  const r = await lead.json('GET', `/api/v1/measures${query}`);
  assert.equal(r.status, 200, JSON.stringify(r.body));
  return r.body;
};
const close = (a, b, what) => assert.ok(Math.abs(a - b) < 1e-9, `${what}: ${a} ${b}`);
const mean = (list) => list.reduce((a, b) => a + b, 0) / list.length;
const rows = (csv) => {
  const [head, ...lines] = csv.trimEnd().split('\n').map((line) => line.split(','));
  return lines.map((line) => Object.fromEntries(head.map((name, i) => [name, line[i]])));
};

/* The accuracies of models on part of a set, bin by bin. */
function checkBins(got, list, models, which = bin) {
  assert.equal(got.images, list.filter((one) => which(one) !== null).length);
  assert.equal(got.unanswered, list.filter((one) => which(one) === null).length);
  for (const row of got.models) {
    const own = list.filter((one) => which(one) === row.bin);
    assert.deepEqual([row.n, row.top1_correct], [own.length, right(own, row.model, 1)], `${row.model} ${row.bin}`);
    assert.equal(row.top5_correct, deep(row.model) ? right(own, row.model, 5) : null);
  }
  assert.deepEqual([...new Set(got.models.map((row) => row.model))], models);
  for (const row of got.means) {
    const own = list.filter((one) => which(one) === row.bin);
    if (own.length) close(row.top1, mean(models.map((model) => right(own, model, 1) / own.length)), `bin ${row.bin}`);
    else assert.equal(row.top1, null);
    assert.equal(row.top5 === null, own.length === 0 || !models.every(deep));
  }
}

test('what new sets change, beside their frequencies, counted here', async () => {
  const [head, ...lines] = (await must(['changes', dir, '--original', 'old', '--sets', 'fresh/0, fresh/1,fresh/2'])).trimEnd().split('\n').map((line) => line.split(','));
  const got = lines.map((line) => Object.fromEntries(head.map((name, i) => [name, line[i]])));
  assert.deepEqual(got.map((row) => row.set), ['old/0', 'fresh/0', 'fresh/1', 'fresh/2']);
  for (const row of got) {
    const own = SETS[row.set === 'old/0' ? 'old' : row.set], voted = own.filter(({ selected }) => selected !== null);
    close(row.frequency, mean(voted.map(({ selected }) => selected / 10)), row.set);
    assert.ok(Number(row.frequency_lo) <= Number(row.frequency) && Number(row.frequency) <= Number(row.frequency_hi));
    assert.deepEqual([row.images, row.frequency_images, row.same_shares], [String(own.length), String(voted.length), row.role === 'original' ? '' : 'yes']);
    for (const [top, models] of [[1, ALL], [5, ALL.filter(deep)]]) {
      const all = models.map((model) => 100 * (right(own, model, top) / own.length - right(SETS.old, model, top) / SETS.old.length));
      if (row.role === 'original') assert.deepEqual([row[`top${top}_models`], row[`top${top}_change`]], ['0', '']);
      else close(row[`top${top}_change`], mean(all), `${row.set} ${top}`);
    }
  }
  const api = (await lead.json('GET', '/api/v1/changes?original=old')).body, newest = got.at(-1);
  assert.deepEqual([api.original, api.items.map((item) => item.set)], ['old/0', ['old/0', 'fresh/2']]);
  assert.deepEqual([String(api.items[1].frequency), String(api.items[1].top1_change)], [newest.frequency, newest.top1_change]);
  const html = await lead.page('/measures');
  for (const [format, ending] of [['csv', 'csv'], ['markdown', 'markdown'], ['latex', 'latex']]) {
    assert.ok(html.includes(`href="/api/v1/changes.${ending}?original=old/0"`));
    assert.equal(await (await lead.get(`/api/v1/changes.${ending}?original=old/0`)).text(), await must(['changes', dir, '--original', 'old', '--format', format]));
  }
  assert.match(await must(['changes', dir, '--original', 'old', '--format', 'latex']), /^fresh\/2 & import & 0\.\d\d \[0\.\d\d, 0\.\d\d\] & (\+|\$-\$)\d/m);
  await assert.rejects(must(['changes', dir]), /give --original/);
});

test('the mean change, its range, and every bin', async () => {
  const m = await measures();
  assert.deepEqual([m.original, m.new, m.view, m.subset, m.top, m.models], ['old/0', 'fresh/2', 'default', '', 1, ALL]);
  const change = (model, top) => 100 * (right(SETS['fresh/2'], model, top) / SETS['fresh/2'].length - right(SETS.old, model, top) / SETS.old.length);
  for (const [name, top, models] of [['change_top1', 1, ALL], ['change_common', 1, ALL], ['change_top5', 5, ALL.filter(deep)]]) {
    const all = models.map((model) => change(model, top));
    assert.equal(m[name].models, models.length);
    close(m[name].mean, mean(all), name);
    close(m[name].least, Math.min(...all), name);
    close(m[name].most, Math.max(...all), name);
  }
  checkBins(m.original_by_frequency, SETS.old, ALL);
  checkBins(m.new_by_frequency, SETS['fresh/2'], ALL);
  assert.deepEqual(rows(await must(['bins', dir, '--set', 'fresh/2'])).map((r) => [r.model, r.bin, r.n, r.top1_correct]).sort(),
    m.new_by_frequency.models.map((r) => [r.model, r.bin, r.n, r.top1_correct].map(String)).sort());
});

test('one model on every revision unless models are named', async () => {
  const m = await measures();
  assert.deepEqual(m.revisions.map((r) => [r.model, r.set]), ['fresh/0', 'fresh/1', 'fresh/2'].map((set) => ['large', set]));
  const two = await measures('?models=small,%20large');
  assert.deepEqual([two.models, two.left_out], [['large', 'small'], []]);
  const cli = rows(await must(['score', dir, '--set', 'fresh', '--revisions', '--model', 'large,small']));
  assert.deepEqual(two.revisions.map((r) => [r.model, r.name, r.added, r.removed, r.top1_correct].map((v) => String(v ?? ''))),
    cli.map((r) => [r.model, r.name, r.added, r.removed, r.top1_correct]));
  checkBins(two.new_by_frequency, SETS['fresh/2'], ['large', 'small']);
  /* A model without predictions of all of both is left out, and said to be; of revisions that it lacks only when it counts. */
  await addLateModel(t, dir);
  await addHalfModel(t, dir);
  const late = await measures('?models=late,half');
  assert.deepEqual([late.models, late.left_out, late.partial.map((r) => [r.set, r.n < r.images])], [['late'], ['half'], [['fresh/0', true]]]);
  assert.deepEqual(late.revisions.map((r) => r.set), ['fresh/1', 'fresh/2']);
  assert.match(await lead.page('/measures?models=late,half'), /Left out, for want of predictions of all images: half\./);
  assert.ok(!(await measures()).models.includes('half'));
  for (const model of ['late', 'half']) await must(['model', 'remove', dir, model, '--reason', 'done']);
  assert.equal((await lead.json('GET', '/api/v1/measures?models=late')).status, 404, 'a removed one');
});

test('at top-5, of a part of the images, under another view', async () => {
  const top5 = (model) => right(SETS.old, model, 5);
  assert.deepEqual((await measures('?top=5')).models, ALL.filter(deep).sort((a, b) => top5(b) - top5(a) || (a < b ? -1 : 1)));
  const part = await measures(`?subset=class:${wnid(2)}`);
  checkBins(part.original_by_frequency, SETS.old.filter(({ c }) => c === 2), part.models);
  assert.equal(part.revisions[0].images, SETS['fresh/0'].filter(({ c }) => c === 2).length);
  /* Without the people who select few of the originals, which are the grids' positive controls: other bins. */
  const view = { do: 'save', name: 'eager', description: 'why', kind: 'main', as_of: 'all', version: '0', form_page: '/views/new' };
  const saved = await lead.post('/views', { ...view, rule: 'positive-least', 'value-positive-least': '40' });
  assert.equal(saved.status, 303, await saved.text());
  const other = await measures('?view=eager');
  assert.equal(other.view, 'eager');
  assert.notDeepEqual(other.original_by_frequency.means.map((r) => r.images), (await measures()).original_by_frequency.means.map((r) => r.images));
  const csv = rows(await must(['bins', dir, '--set', 'old', '--view', 'eager']));
  assert.deepEqual(other.original_by_frequency.models.map((r) => [r.model, r.bin, r.n].map(String)).sort(), csv.map((r) => [r.model, r.bin, r.n]).sort());
});

test('bins corrected for few answers: page, chart, files and JSON are the same numbers, and those of the command', async () => {
  const { body } = await lead.json('GET', '/api/v1/measures/adjusted');
  assert.deepEqual([body.leading, body.subset, body.labels, body.bins.length], ['first', '', '', 5 * (body.first.models.length + 1)]);
  const file = async (ending, query = '') => (await lead.fetch(`/api/v1/measures/bins.${ending}${query}`)).text();
  const csv = await file('csv'), means = body.bins.slice(0, 5);
  assert.equal(csv, await must(['bins', dir, '--original', 'old', '--new', 'fresh', '--quiet']));
  assert.equal(await file('latex', '?top=5'), await must(['bins', dir, '--original', 'old', '--new', 'fresh', '--top', '5', '--format', 'latex', '--quiet']));
  assert.match(await file('markdown'), /^\| Model \| Frequency \|/);
  rows(csv).forEach((row, i) => {
    assert.deepEqual([row.model, Number(row.bin), Number(row.new_images)], [body.bins[i].model, body.bins[i].bin, body.bins[i].new_images]);
    close(Number(row.original_expected), body.bins[i].original_expected, 'expected');
  });
  const { columns, rows: cells } = (await lead.json('GET', '/charts/measures-corrected-bins/json')).body;
  const html = await lead.page('/measures?bins=corrected'), at = columns.indexOf('fresh/2');
  let shown = 0;
  means.forEach((row, i) => {
    assert.equal(cells[i][at] === null, row.new === null);
    if (row.new === null) return;
    shown++;
    close(cells[i][at], row.new / 100, 'chart');
    assert.ok(html.includes(`${row.new.toFixed(1)}<span`), `${row.new}`);
  });
  assert.ok(shown > 0);
  assert.match(html, /aria-current="true">Corrected for few answers</);
  assert.doesNotMatch(html, /id="chart-measures-bins"/);
  assert.match(await lead.page('/measures?bins=corrected&models=large,small'), /measures-corrected-model-bins[^]*By model on fresh\/2/);
  assert.equal((await lead.fetch('/charts/measures-corrected-model-bins/json?models=large,small&set=nowhere')).status, 404);
  const part = `class:${wnid(1)}`, some = (await lead.json('GET', `/api/v1/measures/adjusted?subset=${part}`)).body;
  assert.deepEqual([some.subset, some.first?.classes ?? 1], [part, 1]);
  assert.equal((await lead.json('GET', '/api/v1/measures/adjusted?labels=nowhere')).status, 404);
});

test('page and charts are the same numbers', async () => {
  const html = await lead.page('/measures');
  const m = await measures();
  const minus = (v) => v.toFixed(1).replace('-', '\u2212');
  assert.match(html, new RegExp(`${minus(m.change_common.mean)}\\s*<span class="tile-unit">points`));
  const { gaps } = (await lead.json('GET', '/api/v1/scores')).body;
  assert.ok(html.includes(`${minus(-gaps.mean_common_gap_hi)} to ${minus(-gaps.mean_common_gap_lo)} (95 %); 4 models from ${minus(m.change_common.least)} to ${minus(m.change_common.most)}, same 6 classes`));
  assert.match(html, /id="chart-measures-bins"/);
  assert.doesNotMatch(html, /measures-model-bins/);
  const table = async (path) => {
    const { columns, rows: cells } = (await lead.json('GET', `/charts/${path}`)).body;
    return cells.map((row) => Object.fromEntries(columns.map((name, i) => [name, row[i]])));
  };
  const bins = await table('measures-bins/json');
  m.new_by_frequency.means.forEach((row, i) => {
    close(bins[i]['fresh/2'], row.top1, 'new');
    close(bins[i]['old/0, low'], m.original_by_frequency.means[i].top1_lo, 'old');
  });
  const by = await table('measures-model-bins/json?models=large,small&set=old/0');
  const large = (await measures('?models=large')).original_by_frequency.models;
  large.forEach((row, i) => close(by[i].large, row.top1, 'large'));
  const changes = await table('measures-changes/json');
  assert.deepEqual(changes.map((r) => [r.Added, r.Removed]), m.revisions.map((r) => [r.added, r.removed]));
  const lines = (await lead.json('GET', '/charts/measures-revisions/json?models=large,small')).body;
  for (const r of (await measures('?models=large,small')).revisions) assert.ok(JSON.stringify(lines).includes(String(r.top1)), `${r.model} ${r.set}`);
  assert.match(await lead.page('/measures?models=large,small&top=5'), /measures-model-bins[^]*By model on fresh\/2/);
});

const fit = async (query = '') => {
  const r = await lead.json('GET', `/api/v1/measures/fit${query}`);
  assert.equal(r.status, 200, JSON.stringify(r.body));
  return r.body;
};

test('the line through models is that of the command line, whichever models are in it', async () => {
  const own = linesIn(tempDir(t));
  await must(['import', 'model-facts', dir, own('facts.csv', ['model,group,family,year', 'large,deep,one,2012', 'middle,deep,one,2014',
    'shallow,flat,two,2015', 'small,flat,,2016'])]);
  const cli = async (...more) => JSON.parse(await must(['fit', dir, '--original', 'old', '--new', 'fresh/2', ...more]));
  const same = ({ fit: got }, want, what) => {
    const { original, new: fresh, subset, event, ...line } = want;
    for (const [name, value] of Object.entries(line)) {
      if (name in got && name !== 'models') assert.deepEqual(got[name], value, `${what}: ${name}`);
    }
    assert.equal(got.slope, line.slope, what);
  };
  const whole = await fit();
  same(whole, await cli(), 'all');
  assert.deepEqual([whole.why, whole.models.map((m) => m.model)], [null, [...ALL].sort()]);
  const accuracy = (model, set) => 100 * (right(SETS[set], model, 1) / SETS[set].length);
  for (const m of whole.models) {
    close(m.x, accuracy(m.model, 'old'), m.model);
    close(m.y, accuracy(m.model, 'fresh/2'), m.model);
    close(m.residual, m.y - whole.fit.slope * m.x - whole.fit.offset, m.model);
    close(m.effective_robustness, m.residual, m.model);
  }
  /* Later models and the line: the slope of residuals over years, by its textbook formula. */
  const years = [2012, 2014, 2015, 2016]; /* of the models by name */
  const residuals = whole.models.map((m) => m.residual);
  const [my, mr] = [mean(years), mean(residuals)];
  close(whole.fit.per_year, years.reduce((sum, y, i) => sum + (y - my) * (residuals[i] - mr), 0) / years.reduce((sum, y) => sum + (y - my) ** 2, 0), 'year');
  assert.equal(whole.fit.n_years, 4);
  same(await fit('?scale=probit&without=middle'), await cli('--scale', 'probit', '--without', 'middle'), 'probit');
  const without = await fit('?without=middle');
  assert.deepEqual(without.models.map((m) => m.used), [true, false, true, true]);
  same(await fit('?over=families'), await cli('--over', 'families'), 'families');
  assert.deepEqual(whole.fit.families, (await fit('?over=families')).fit.families);
  assert.deepEqual(whole.fit.families.map((f) => f.family), ['one', 'two', 'small']);
  /* Over images: the same draws as the command's, by whichever labels; kept, and other models are other draws. */
  for (const over of ['images', 'both']) same(await fit(`?over=${over}`), await cli('--over', over, '--resamples', '10000'), over);
  const drawn = await fit('?over=images&scale=probit&top=1&subset=class:n00000001%2Bn00000002');
  same(drawn, await cli('--over', 'images', '--resamples', '10000', '--scale', 'probit', '--subset', 'class:n00000001+n00000002'), 'a part');
  assert.deepEqual(await fit('?over=images&scale=probit&top=1&subset=class:n00000001%2Bn00000002'), drawn);
  assert.notEqual((await fit('?over=images&without=middle')).fit.slope_lo, (await fit('?over=images')).fit.slope_lo);
  assert.match((await fit('?pivot=large')).why, /A line from large needs at least 3 models/);
  const few = await fit('?without=middle,small');
  assert.deepEqual([few.fit, few.models], [null, []]);
  assert.match(few.why, /A line needs at least 3 models, and 2 of 4 are left/);
  for (const [query, status, code] of [['?without=nobody', 400, 'without'], ['?scale=log', 400, 'list'], ['?over=classes', 400, 'list'], ['?pivot=nobody', 404, 'pivot'], ['?new=none', 404, 'set']]) {
    const r = await lead.json('GET', `/api/v1/measures/fit${query}`);
    assert.deepEqual([r.status, r.body.code], [status, code], query);
    assert.equal((await lead.fetch(`/measures/fit${query}`)).status, status);
  }
});

test('the page of the line leaves models out and takes them in by links, and its chart is the same numbers', async () => {
  const html = await lead.page('/measures/fit?by=family');
  const { fit: line } = await fit();
  assert.match(html, new RegExp(`Slope</dt>\\s*<dd class="tile-value">${line.slope.toFixed(3)}`));
  const links = [...html.matchAll(/<a href="([^"]+)">Leave out<span\s+class="visually-hidden"> ([^<]+)</g)];
  assert.deepEqual(links.map(([, , name]) => name), ALL);
  const out = await lead.page(links[1][1].replaceAll('&amp;', '&'));
  assert.match(out, /Take in<span\s+class="visually-hidden"> shallow/);
  assert.match(out, /Take all in/);
  assert.match(out, new RegExp((await fit('?without=shallow')).fit.slope.toFixed(3)));
  assert.match(await lead.page('/measures/fit?without=large,small'), /No line[^]*A line needs at least 3 models/);
  assert.match(await lead.page('/measures/fit?over=both'), /10,000 resamples over models and images[^]*Without one family[^]*two/);
  const { rows: cells } = (await lead.json('GET', '/charts/measures-fit/json?by=group&without=small')).body;
  const points = cells.filter(([, name]) => name);
  assert.deepEqual(points.map(([series, name]) => [series, name]),
    [['deep', 'large'], ['deep', 'middle'], ['flat', 'shallow'], ['Left out', 'small']]);
  for (const m of (await fit()).models) {
    const [, , x, y] = points.find(([, name]) => name === m.model);
    close(100 * x, m.x, m.model);
    close(100 * y, m.y, m.model);
  }
});

test('what explains the line: page, chart, JSON, CSV and command say the same, and a spread moves the mark alone', async () => {
  const query = '?spread=1.5&without=shallow', { body: got } = await lead.json('GET', `/api/v1/measures/difficulty${query}`);
  const { fit: line } = await fit('?scale=probit&without=shallow');
  close(got.slope, line.slope, 'slope');
  assert.equal(got.n_models, 3);
  for (const row of [...got.solutions, got.assumed]) {
    if (row.spread_new === null) continue;
    const scale = Math.hypot(row.spread_new, 1);
    close(Math.hypot(row.spread_original, 1) / scale, line.slope, 'first equation');
    close(-row.shift / scale, line.offset, 'second equation');
  }
  assert.deepEqual([got.assumed.spread_original, got.assumed.mark], [1.5, 'assumed']);
  const csv = await (await lead.fetch(`/api/v1/measures/difficulty.csv${query}`)).text();
  assert.equal(csv, await must(['difficulty', dir, '--original', 'old', '--new', 'fresh/2', '--without', 'shallow', '--spread', '1.5', '--quiet']));
  const html = await lead.page(`/measures/difficulty${query}`);
  assert.match(html, /<input class="input" id="spread"[^>]* value="1.5"/);
  assert.match(html, new RegExp(`assumed</span> 1\\.50</th><td\\s+class="number">${got.assumed.spread_new.toFixed(2)}`));
  assert.match(html, /name="without" value="shallow"/);
  const drawn = async (more) => (await lead.json('GET', `/charts/measures-difficulty/json?without=shallow${more}`)).body.rows;
  const [at, moved] = await Promise.all(['&spread=1.5', '&spread=2'].map(drawn));
  const curve = (rows) => rows.filter(([name]) => name !== 'Assumed');
  assert.deepEqual(curve(at), curve(moved));
  assert.ok(JSON.stringify(at) !== JSON.stringify(moved));
  assert.match(await lead.page('/measures/fit'), /href="\/measures\/difficulty"/);
});

test('a simulated world says what it was told, and is the same by its seed', async () => {
  const query = '?true_spread=0.5&true_new_spread=1.2&true_shift=0.4&images=4000&seed=5';
  const of = async (more) => (await lead.json('GET', `/api/v1/measures/difficulty${more}`)).body.simulated;
  const [one, again, other] = [await of(query), await of(query), await of(query.replace('seed=5', 'seed=6'))];
  assert.deepEqual(one, again);
  assert.notEqual(one.slope, other.slope);
  assert.ok(Math.abs(one.found.spread_new - 1.2) < 0.15 && Math.abs(one.found.shift - 0.4) < 0.1, JSON.stringify(one));
  const table = (await must(['difficulty', '--spread', '0.5', '--new-spread', '1.2', '--shift', '0.4', '--images', '4000', '--seed', '5', '--quiet'])).trimEnd().split('\n');
  close(Number(table.at(-1).split(',')[1]), one.found.spread_new, 'the command');
  assert.match(await lead.page(`/measures/difficulty${query}`), /true 1\.20/);
  for (const wrong of ['?spread=4.5', '?true_shift=-5', '?images=1', '?true_spread=x']) {
    assert.equal((await lead.fetch(`/measures/difficulty${wrong}`)).status, 400, wrong);
    assert.equal((await lead.fetch(`/charts/measures-simulated/svg${wrong}`)).status, 400, wrong);
  }
});

test('what may not be asked', async () => {
  for (const [query, status, code] of [['?models=none', 404, 'model'], ['?view=none', 404, 'no-view'], ['?top=2', 400, 'list'],
    ['?subset=odd', 400, 'subset'], ['?new=none', 404, 'set']]) {
    const r = await lead.json('GET', `/api/v1/measures${query}`);
    assert.deepEqual([r.status, r.body.code], [status, code], query);
    assert.equal((await lead.fetch(`/measures${query}`)).status, status);
  }
  for (const [chart, status] of [['measures-bins/csv?top=2', 400], ['measures-model-bins/csv?set=none', 404], ['measures-revisions/csv?models=none', 404]]) {
    assert.equal((await lead.fetch(`/charts/${chart}`)).status, status, chart);
  }
});

test('the notebook computes the same from the API', async () => {
  const out = await runNotebook(dir, server);
  for (const model of ALL) assert.match(out, new RegExp(`^${model}, gap on common classes: -?[\\d.]+(e-\\d+)?, as the server says$`, 'm'));
  for (const what of ["Kendall's tau-b", 'slope', 'offset', 'average selection frequency of old/0']) assert.ok(out.includes(`\n${what}: `), what);
  assert.match(out, /^\| fresh\/2 \| import \| 0\.\d\d \[/m);
});

test('what is sealed is in no bin, on no line', async () => {
  const list = [...SETS.old.filter((_, i) => i % 7 === 0), ...SETS['fresh/0'].slice(0, 4)];
  const file = linesIn(tempDir(t))('closed.csv', ['image,wnid', ...list.map((one) => `${one.image},${one.wnid}`)]);
  await must(['import', 'set', dir, 'closed', file, '--sealed']);
  const r = await lead.json('GET', '/api/v1/measures?new=closed');
  assert.deepEqual([r.status, r.body.code], [403, 'set-sealed']);
  const m = await measures();
  const open = SETS.old.filter((one) => !list.includes(one));
  checkBins(m.original_by_frequency, open, ALL);
  assert.equal(m.original_by_frequency.sealed, SETS.old.length - open.length);
  assert.match(await lead.page('/measures'), /18 are in a sealed set too/);
});

test('what is missing is said, with what to do', async () => {
  const bare = await newProject(t);
  const client = await new Client((await startServer(t, bare)).url).login('admin');
  assert.match(await client.page('/measures'), /No sets yet/);
  assert.match(await client.page('/measures/fit'), /No line yet[^]*A line needs two sets/);
  await addMeasuresWorld(t, bare, { models: false, votes: false });
  assert.match(await client.page('/measures'), /No model has predicted all images/);
  const other = await newProject(t);
  await addMeasuresWorld(t, other, { votes: false });
  const voteless = await new Client((await startServer(t, other)).url).login('admin');
  assert.match(await voteless.page('/measures'), /No image of these sets has counted answers/);
  assert.match(await voteless.page('/measures/fit?over=families'), /No line[^]*No model is said to be of a family/);
  const one = (await voteless.json('GET', '/api/v1/measures?original=fresh/0&new=old')).body;
  assert.deepEqual([one.new, one.revisions.length, one.new_by_frequency.unanswered], ['old/0', 1, SETS.old.length]);
});
