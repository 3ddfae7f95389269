/* The page of measures in a browser: both themes, a phone, a part of the images and top-5 in the address, what is
 * downloaded, what comes while it is open, and no script. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import { before, test } from 'node:test';

import { Client, accessible, fitsWidth, launch, must, newProject, noProblems, openPage, press, shot, startServer, wholeFile } from './lib.mjs';
import { SETS, addMeasuresWorld, wnid } from '../http/measures_world.mjs';

const whole = wholeFile();
let dir, server, client, browser;

before(async () => {
  dir = await newProject(whole);
  await addMeasuresWorld(whole, dir);
  server = await startServer(whole, dir);
  client = await new Client(server.url).login('admin');
  browser = await launch(whole);
});

const open = (at, more = {}) => openPage(browser, `${server.url}${at}`, { cookies: client.cookies, ...more });
const api = async (page) => (await client.json('GET', `/api/v1/measures${new URL(page.url()).search}`)).body;
const tile = (page) => page.locator('.tile-value').first().innerText();
const minus = (v) => v.toFixed(1).replace('-', '\u2212');

test('both themes, broad and narrow', async () => {
  for (const colorScheme of ['light', 'dark']) {
    for (const [width, height] of [[1440, 900], [390, 844]]) {
      const page = await open('/measures?models=large,small,middle', { colorScheme, width, height });
      await page.locator('details.chart-table > summary').first().click();
      await accessible(page);
      await fitsWidth(page);
      assert.equal(await page.locator('[data-chart]').count(), 5);
      noProblems(page);
      await shot(page, `measures-${colorScheme}-${width}`);
      await page.context().close();
    }
  }
});

test('a part of the images and top-5 are in the address, and stay there', async () => {
  const page = await open('/measures?models=large,small');
  const m = await api(page);
  assert.equal(await tile(page), `${minus(m.change_common.mean)} points`);
  /* Another part can be typed into the address; the form keeps it, and so do the tabs. */
  await page.goto(`/measures?models=large,small&subset=class:${wnid(1)}`);
  assert.equal(await page.locator('#pair-subset').inputValue(), `class:${wnid(1)}`);
  await press(page, page.locator('nav[aria-label="Accuracy"] a >> text=Top-5'));
  assert.match(page.url(), /top=5/);
  assert.match(page.url(), /subset=class/);
  assert.equal(await page.locator('nav[aria-label="Accuracy"] [aria-current]').innerText(), 'Top-5');
  await press(page, page.locator('main button:has-text("Show")'));
  const at = new URL(page.url()).searchParams;
  assert.deepEqual([at.get('top'), at.get('models'), at.get('subset'), at.get('view')], ['5', 'large,small', `class:${wnid(1)}`, 'default']);
  const own = await api(page);
  const part = (list) => list.filter(({ c }) => c === 1);
  assert.equal(own.original_by_frequency.images + own.original_by_frequency.unanswered, part(SETS.old).length);
  assert.equal(await tile(page), `${minus(own.change_common.mean)} points`);
  noProblems(page);
  await page.context().close();
});

test('what is downloaded is what the API says', async () => {
  const page = await open('/measures?models=large,small&top=5');
  const m = await api(page);
  const [download] = await Promise.all([page.waitForEvent('download'),
    page.locator('[id^="chart-measures-bins"][data-chart] .chart-files a', { hasText: 'CSV' }).click()]);
  assert.equal(download.suggestedFilename(), 'measures-bins.csv');
  const [head, ...rows] = fs.readFileSync(await download.path(), 'utf8').trim().split(/\r\n/);
  assert.equal(head, 'Selection frequency,old/0,"old/0, low","old/0, high",fresh/2,"fresh/2, low","fresh/2, high"');
  rows.forEach((line, i) => {
    const [, old, lo, hi, fresh] = line.split(',').map(Number);
    const [was, is] = [m.original_by_frequency.means[i], m.new_by_frequency.means[i]];
    assert.deepEqual([old, lo, hi, fresh], [was.top5, was.top5_lo, was.top5_hi, is.top5]);
  });
  const json = await (await client.get(await page.locator('.page-head .actions a', { hasText: 'JSON' }).getAttribute('href'))).json();
  assert.deepEqual(json, m);
  await page.context().close();
});

test('the line: axes, a part of the images, models out and in, and an address that others can open', async () => {
  const page = await open('/measures/fit');
  const fit = async (search = new URL(page.url()).search) => (await client.json('GET', `/api/v1/measures/fit${search}`)).body.fit;
  const shows = async () => assert.equal(await tile(page), minus3((await fit()).slope));
  const minus3 = (v) => v.toFixed(3).replace('-', '\u2212');
  await shows();
  await press(page, page.locator('nav[aria-label^="Scale"] a', { hasText: 'Probit' }));
  await shows();
  await page.focus('#models-table a:has-text("Leave out") >> nth=1');
  const without = await page.locator('#models-table tbody tr').nth(1).locator('th').innerText();
  await page.waitForTimeout(600);
  await Promise.all([page.waitForNavigation(), page.keyboard.press('Enter')]);
  assert.deepEqual([...new URL(page.url()).searchParams], [['scale', 'probit'], ['without', without]]);
  await shows();
  assert.equal((await fit()).n_models, 3);
  await page.selectOption('#pair-by', 'family');
  await press(page, page.locator('main button:has-text("Show")'));
  const at = new URL(page.url()).searchParams;
  assert.deepEqual([at.get('scale'), at.get('without'), at.get('by')], ['probit', without, 'family']);
  /* Somebody else opens the same address, in the other theme on a phone. */
  const other = await open(new URL(page.url()).pathname + new URL(page.url()).search, { colorScheme: 'dark', width: 360, height: 740 });
  assert.equal(await tile(other), await tile(page));
  await accessible(other);
  await fitsWidth(other);
  noProblems(other);
  await other.context().close();
  await press(page, page.locator('main a:has-text("Take all in")'));
  assert.equal((await fit()).n_models, 4);
  noProblems(page);
  await page.context().close();
});

test('the files of the line are what the API says and what the page draws', async () => {
  const page = await open('/measures/fit?scale=logit');
  const { body } = await client.json('GET', '/api/v1/measures/fit?scale=logit');
  const file = async (kind) => (await client.get(await page.locator('[data-chart] .chart-files a', { hasText: kind }).getAttribute('href'))).text();
  const [, ...rows] = (await file('CSV')).trim().split(/\r\n/).map((line) => line.split(','));
  for (const m of body.models) {
    const [, , x, y] = rows.find(([, name]) => name === m.model);
    assert.deepEqual([100 * x, 100 * y].map((v) => v.toFixed(9)), [m.x, m.y].map((v) => v.toFixed(9)));
  }
  const drawn = (text) => [...text.matchAll(/<path [^>]*\bd="([^"]+)"/g)].map(([, d]) => d);
  const inPage = await page.locator('[data-chart-view]').first().innerHTML();
  const svg = await file('SVG');
  assert.match(svg, /^<\?xml|^<svg/);
  assert.deepEqual(drawn(svg), drawn(inPage));
  noProblems(page);
  await page.context().close();
});

test('the keyboard reads the bars, and a model that goes leaves the page', async () => {
  const page = await open('/measures');
  await page.evaluate(() => { globalThis.stays = true; });
  await page.locator('[data-chart-view]').first().focus();
  await page.keyboard.press('ArrowRight');
  await page.locator('[aria-live="polite"]', { hasText: /old\/0/ }).waitFor({ state: 'attached' });
  await must(['model', 'remove', dir, 'shallow', '--reason', 'done']);
  await must(['import', 'predictions', dir, '--model', 'small', '-'], {
    input: SETS.old.slice(0, 1).map((one) => `${JSON.stringify({ image: one.image, labels: [one.wnid] })}\n`).join('') });
  await page.locator('.tile-note', { hasText: '3 models' }).first().waitFor();
  const m = await api(page);
  assert.equal(await tile(page), `${minus(m.change_common.mean)} points`);
  assert.equal(m.change_common.models, 3);
  assert.equal(await page.evaluate(() => globalThis.stays), true, 'the page was not loaded again');
  noProblems(page);
  await page.context().close();
});

test('without script the form works, and the tables are there', async () => {
  const page = await open('/measures', { javaScriptEnabled: false });
  await page.fill('#pair-models', 'large, middle');
  await press(page, page.locator('main button:has-text("Show")'));
  assert.equal(new URL(page.url()).searchParams.get('models'), 'large, middle');
  assert.equal(await page.locator('[data-chart]').count(), 5);
  await page.locator('details.chart-table > summary').first().click();
  assert.match(await page.locator('details.chart-table tbody').first().innerText(), /0\u20130\.2/);
  await page.context().close();
});
