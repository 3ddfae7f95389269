/* Published accuracies of some hundred models under a shift: the line on three scales, and how robust each model is. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';

import { must, needsGolden } from '../http/lib.mjs';
import { tempDir } from '../load/tools.mjs';
import { lines } from './study.mjs';

const golden = (name) => lines(fs.readFileSync(path.join(process.env.HOLDOUT_GOLDEN, 'multilabel', name), 'utf8')).map((line) => line.split(','));
const rowsOf = ([head, ...rows]) => rows.map((cells) => Object.fromEntries(head.map((name, i) => [name, cells[i]])));

/* As imagenet-testbed publishes them: a row for each model, a column for each setting, cells empty where nothing was run. */
function testbed(folder, points) {
  const settings = [...new Set(points.flatMap((p) => [p.x_setting, p.y_setting]))], models = [...new Set(points.map((p) => p.model))];
  const rows = models.map((model) => {
    const own = points.filter((p) => p.model === model);
    const cell = (s) => own.find((p) => p.x_setting === s)?.x ?? own.find((p) => p.y_setting === s)?.y ?? '';
    return [model, own[0].use_for_fit, ...settings.map(cell)].join();
  });
  const file = path.join(folder, 'testbed.csv');
  fs.writeFileSync(file, [['model', 'use_for_fit', ...settings].join(), ...rows].join('\n'));
  return file;
}

test('every published line and effective robustness', needsGolden, async (t) => {
  const folder = tempDir(t);
  const table = golden('robustness_points.csv');
  const grid = testbed(folder, rowsOf(table));
  const points = rowsOf(table), fits = rowsOf(golden('robustness_fits_expected.csv'));
  assert.ok(fits.length >= 6);
  for (const want of fits) {
    const file = path.join(folder, `${want.y_setting}.csv`);
    const own = (row) => row.x_setting === want.x_setting && row.y_setting === want.y_setting;
    fs.writeFileSync(file, [table[0], ...table.slice(1).filter((_, i) => own(points[i]))].map((cells) => cells.join(',')).join('\n'));
    const scale = want.transform, near = scale === 'probit' ? 1e-7 : 1e-9, where = `${want.y_setting} ${scale}`;
    const run = (...more) => must(['fit-points', file, '--scale', scale, '--resamples', '100', ...more]);
    const got = JSON.parse(await run());
    assert.equal(String(got.n_models), want.n);
    for (const [name, column] of Object.entries({ slope: 'slope', offset: 'intercept', r: 'r', slope_error: 'slope_stderr' })) {
      assert.ok(Math.abs(got[name] - Number(want[column])) <= near, `${where}, ${name}: ${got[name]} ${want[column]}`);
    }
    /* The grid of models and settings says the same; what is not for the fit, or has no value there, is left out. */
    const cells = JSON.parse(await must(['fit-points', grid, '--x', want.x_setting, '--y', want.y_setting, '--scale', scale, '--resamples', '100']));
    assert.deepEqual([cells.dataset, cells.slope, cells.offset, cells.n_models], [want.y_setting, got.slope, got.offset, got.n_models]);
    const residuals = new Map(rowsOf(lines(await run('--residuals')).map((line) => line.split(','))).map((row) => [row.model, row]));
    const shown = points.filter(own);
    assert.equal(residuals.size, shown.length);
    for (const point of shown) {
      const row = residuals.get(point.model);
      assert.equal(row.used, point.use_for_fit === '1' ? 'yes' : 'no');
      assert.ok(Math.abs(row.effective_robustness - point[`eff_robust_${scale}`]) < near + 1e-9, `${where}, ${point.model}`);
    }
  }
});
