/* A report from the disk, with the network off and without script: nothing is loaded from anywhere, axe finds nothing in
 * light or dark, it fits a phone, and paper has all of a wide table. */
import assert from 'node:assert/strict';
import path from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';

import { accessible, fitsWidth, launch, must, newProject, tempDir } from './lib.mjs';
import { addMeasuresWorld } from '../http/measures_world.mjs';

test('a report opens offline, in both themes, on a phone and on paper', async (t) => {
  const dir = await newProject(t), out = path.join(tempDir(t), 'report'), browser = await launch(t);
  await addMeasuresWorld(t, dir);
  await must(['report', dir, out, '--original', 'old', '--new', 'fresh', '--subsets', 'all,class:n00000001', '--resamples', '200']);
  const context = await browser.newContext({ offline: true, viewport: { width: 360, height: 740 }, reducedMotion: 'reduce' });
  const page = await context.newPage();
  const loaded = [], errors = [];
  page.on('request', (r) => loaded.push(r.url()));
  page.on('console', (m) => errors.push(m.text()));
  const address = pathToFileURL(path.join(out, 'index.html')).href;
  await page.goto(address);
  assert.deepEqual([loaded, errors], [[address], []]);
  assert.match(await page.title(), /^fresh\/2 against old\/0$/);
  assert.equal(await page.locator('h2').first().textContent(), 'Deviations from the plan');
  assert.ok(await page.locator('svg').count() >= 6);
  for (const [colorScheme, width] of [['light', 360], ['dark', 1280]]) {
    await page.setViewportSize({ width, height: 740 });
    await page.emulateMedia({ colorScheme });
    await fitsWidth(page);
    await accessible(page);
  }
  const ids = await page.locator('[id]').evaluateAll((all) => all.map((e) => e.id));
  assert.equal(new Set(ids).size, ids.length, 'every id is there once');
  await page.emulateMedia({ media: 'print' });
  await page.setViewportSize({ width: 720, height: 900 });
  const wide = await page.locator('table').evaluateAll((all) => all.map((e) => e.getBoundingClientRect().right).filter((right) => right > innerWidth));
  assert.deepEqual(wide, []);
  await page.locator('a', { hasText: 'tables/bins.csv' }).first().evaluate((a) => a.href).then((href) => assert.ok(href.startsWith(pathToFileURL(out).href)));
});
