/* grid_sizes.test.mjs - the size of the photos is the campaign's and never the window's: in every window,
 * with every density of pixels, large text, long names and photos of every shape. */
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { png } from '../http/study.mjs';
import { sqlite } from '../load/tools.mjs';
import { LONG as ALL, fitsWidth, launch, noProblems, openPage } from './lib.mjs';
import { button, cells, look, shown, toGrid } from './grid.mjs';
import { demoSite } from './world.mjs';

const SETTINGS = ['--same-image-again', '--answers-per-grid', '100'];
const CAMPAIGNS = [
  ['--campaign', 'fixed', ...SETTINGS],
  ['--campaign', 'free', '--layout', 'free', ...SETTINGS],
  ['--campaign', 'vtwo', '--layout', 'v2', ...SETTINGS],
];
/* The five windows that are promised: the same photo in all, fewer columns where there is no room. */
const WINDOWS = [[1280, 640, 8], [1024, 700, 6], [1440, 900, 8], [1920, 1080, 8], [390, 844, 2]];
/* Where colours are looked at: they are those of the theme in every window, but for what a phone shows in another way. */
const COLOURS = [1280, 390];
const LEAST = 150;

/* Size of the first photo, columns, and whether all photos have that size. */
const stimulus = (page) => page.locator('.cell img').evaluateAll((all) => {
  const boxes = all.map((e) => e.getBoundingClientRect());
  return {
    width: boxes[0].width,
    height: boxes[0].height,
    columns: boxes.filter((b) => b.top === boxes[0].top).length,
    same: boxes.every((b) => b.width === boxes[0].width && b.height === boxes[0].height),
  };
});

const onward = async (page) => {
  const before = await shown(page);
  await cells(page).nth(0).click();
  await button(page, 'Submit').click();
  await page.waitForFunction((t0) => document.querySelector('main[data-url]')?.dataset.url.endsWith(t0) === false, before);
};

/* --- one size in all windows --- */

/* What the newest answers say they were given with, newest first. */
async function stored(site, n) {
  const sql = `SELECT json_extract(device, '$.cell[0]'), json_extract(device, '$.cell[1]'), json_extract(device, '$.columns'),
    json_extract(device, '$.window[0]'), json_extract(device, '$.window[1]') FROM answer ORDER BY id DESC LIMIT ${n};`;
  return (await sqlite(`${site.dir}/holdout.db`, sql)).trim().split('\n').map((row) => row.split('|').map(Number));
}

/* The same in the five windows, on the first grid with its open panel and on those after it. */
async function fiveWindows(browser, site) {
  const page = await toGrid(browser, site, 'fixed', 'five', { width: 1280, height: 640 });
  for (const grid of ['first', 'later']) {
    const seen = [];
    for (const [width, height, columns] of WINDOWS) {
      await page.setViewportSize({ width, height });
      const s = await stimulus(page);
      seen.push(s.width);
      assert.deepEqual(s, { width: LEAST, height: LEAST, columns, same: true }, `${grid} grid, ${width} x ${height}`);
      if (ALL || grid === 'first') await look(page, `grid-sizes-${grid}-light-${width}`, { contrast: COLOURS.includes(width) });
    }
    assert.deepEqual(new Set(seen).size, 1);
    if (grid === 'first') await onward(page);
  }
  const state = () => page.waitForFunction(() => document.querySelector('[data-state]').textContent === 'Saved');
  for (const [width, height] of WINDOWS.slice(0, 2)) {
    await page.setViewportSize({ width, height });
    await onward(page);
    await state();
  }
  assert.deepEqual(await stored(site, 3), [[150, 150, 6, 1024, 700], [150, 150, 8, 1280, 640], [150, 150, 2, 390, 844]],
    'size, columns and window are stored with every answer');
  noProblems(page);
  await page.context().close();

  const dark = await toGrid(browser, site, 'fixed', 'five-dark', { width: 1280, height: 640, colorScheme: 'dark' });
  for (const [width, height] of ALL ? WINDOWS : WINDOWS.filter(([w]) => COLOURS.includes(w))) {
    await dark.setViewportSize({ width, height });
    await look(dark, `grid-sizes-first-dark-${width}`, { contrast: COLOURS.includes(width) });
  }
  const url = dark.url();
  await dark.context().close();
  const plain = await openPage(browser, url, { width: 1280, height: 640, javaScriptEnabled: false });
  for (const [width, height, columns] of WINDOWS) {
    await plain.setViewportSize({ width, height });
    assert.deepEqual(await stimulus(plain), { width: LEAST, height: LEAST, columns, same: true }, `no script, ${width} x ${height}`);
  }
  await plain.context().close();
}

/* Pixels for every display: the larger rendition where the smaller would be blurred. */
async function densities(browser, site) {
  for (const [campaign, deviceScaleFactor, large] of [['fixed', 1, false], ['fixed', 2, false], ['fixed', 3, true], ['vtwo', 1, true]]) {
    const page = await toGrid(browser, site, campaign, `dense-${deviceScaleFactor}`, { width: 1024, height: 700, deviceScaleFactor });
    const sources = await page.locator('.cell img').evaluateAll((all) => all.map((e) => e.currentSrc.includes('/large/')));
    assert.ok(sources.every((s) => s === large), `${campaign} at ${deviceScaleFactor}`);
    assert.equal((await stimulus(page)).width, campaign === 'vtwo' ? 300 : LEAST);
    await page.context().close();
  }
}

/* --- odd windows, odd words, odd photos --- */

/* The first and the last cell with the focus lie in the window and not wholly below head or bar. */
async function focusShows(page, what) {
  for (const key of ['Control+End', 'Control+Home', 'ArrowDown']) {
    await cells(page).nth(0).focus();
    await page.keyboard.press(key);
    const seen = await page.evaluate(() => {
      const cell = document.activeElement;
      const { x, y, width, height } = cell.getBoundingClientRect();
      const at = [0.1, 0.5, 0.9].map((f) => document.elementFromPoint(x + width / 2, y + f * height));
      return at.filter((e) => e === cell).length;
    });
    assert.ok(seen >= 2, `${what}, ${key}: the photo with the focus is seen`);
  }
}

/* No less than what the page needs: its photos in their size, no scrolling sideways, Submit in reach. */
async function usable(page, name, columns) {
  assert.deepEqual(await stimulus(page), { width: LEAST, height: LEAST, columns, same: true }, name);
  await focusShows(page, name);
  await button(page, 'Submit').scrollIntoViewIfNeeded();
  await button(page, 'Submit').click({ trial: true }); /* nothing lies over it */
  await page.evaluate(() => scrollTo(0, 300));
  await look(page, `grid-odd-${name}`);
}

async function oddWindows(browser, site) {
  const windows = [
    ['narrow-320', 2, { width: 320, height: 640, hasTouch: true, deviceScaleFactor: 2 }],
    ['landscape-844', 4, { width: 844, height: 390, hasTouch: true, deviceScaleFactor: 3 }],
    ['zoomed-720', 4, { width: 720, height: 450, deviceScaleFactor: 2 }], /* 1440 x 900 at 200 % */
    ['tablet-768', 4, { width: 768, height: 1024, hasTouch: true, deviceScaleFactor: 2 }],
    ['4k-3840', 8, { width: 3840, height: 2160 }],
  ];
  for (const [name, columns, options] of windows) {
    const page = await toGrid(browser, site, 'fixed', name, options);
    await usable(page, name, columns);
    noProblems(page);
    await page.context().close();
  }
  /* Text alone at 200 %: the photos stay as they are. */
  const large = await toGrid(browser, site, 'fixed', 'text', { width: 1440, height: 900 }, async (p) => {
    const cdp = await p.context().newCDPSession(p);
    await cdp.send('Page.setFontSizes', { fontSizes: { standard: 32, fixed: 26 } });
  });
  assert.equal(await large.evaluate(() => getComputedStyle(document.documentElement).fontSize), '32px');
  for (const [width, height, columns] of [[1440, 900, 8], [1024, 700, 6], [390, 844, 2], [320, 640, 2]]) {
    await large.setViewportSize({ width, height });
    await usable(large, `text-${width}`, columns);
  }
  await large.context().close();
  /* Fingers may zoom the page. */
  const page = await toGrid(browser, site, 'fixed', 'pinch', { width: 390, height: 844, hasTouch: true });
  const viewport = await page.locator('meta[name="viewport"]').getAttribute('content');
  assert.doesNotMatch(viewport, /user-scalable|maximum-scale/);
  const actions = await page.locator('html, body, main, .grid, .cell, .cell input, .cell img').evaluateAll((all) =>
    [...new Set(all.map((e) => getComputedStyle(e).touchAction))]);
  for (const action of actions) assert.match(action, /^(auto|manipulation)$/);
  const box = await cells(page).nth(0).boundingBox();
  const cdp = await page.context().newCDPSession(page);
  const one = { x: box.x + 40, y: box.y + 40, id: 1 };
  const touch = (type, ...touchPoints) => cdp.send('Input.dispatchTouchEvent', { type, touchPoints });
  await touch('touchStart', one);
  await touch('touchStart', one, { x: box.x + 200, y: box.y + 40, id: 2 });
  await page.waitForTimeout(700); /* a long press of one finger shows the photo after 500 ms */
  await touch('touchEnd');
  assert.equal(await page.locator('#zoom[open]').count(), 0, 'two fingers are no long press');
  noProblems(page);
  await page.context().close();
}

const LONG = ['Donaudampfschifffahrtselektrizitaetenhauptbetriebswerkbauunterbeamtengesellschaft', 'smooth hammerhead',
  'bonnethead, winghead and all their kin', 'a fish that is long in the telling'];
const RIGHT_TO_LEFT = 'قرش المطرقة (نوع)';

async function oddWords(browser, site) {
  const name = (words) => sqlite(`${site.dir}/holdout.db`, `UPDATE class SET synset = '${words.join('|')}';`);
  for (const [what, words] of [['long', LONG], ['rtl', [RIGHT_TO_LEFT]]]) {
    await name(words);
    const page = await toGrid(browser, site, 'fixed', what, { width: 1440, height: 900 });
    for (const [width, height, columns] of [[1440, 900, 8], [390, 844, 2], [320, 640, 2]]) {
      await page.setViewportSize({ width, height });
      assert.ok((await page.locator('h1 strong').innerText()).startsWith(words[0]));
      await usable(page, `${what}-${width}`, columns);
      if (what === 'rtl') assert.equal(await page.locator('h1 strong').evaluate((e) => getComputedStyle(e).direction), 'rtl');
    }
    await page.context().close();
  }
}

/* A photo is shown whole and in its own proportions, whatever they are. */
async function oddPhotos(browser, site) {
  const shapes = [[60, 900], [1200, 50], [900, 600], [600, 900], [20, 20], [1, 400]];
  const page = await toGrid(browser, site, 'fixed', 'shapes', { width: 1440, height: 900 }, (p) =>
    p.route(/assignment\/[^/]+\/(large\/)?\d+$/, (r) => {
      const i = Number(new URL(r.request().url()).pathname.split('/').pop());
      return r.fulfill({ contentType: 'image/png', body: png(`shape ${i}`, ...shapes[i % shapes.length]) });
    }));
  assert.deepEqual(await stimulus(page), { width: LEAST, height: LEAST, columns: 8, same: true });
  const fits = await page.locator('.cell img').evaluateAll((all) => all.map((e) => [e.naturalWidth, getComputedStyle(e).objectFit, getComputedStyle(e).borderRadius]));
  for (const [i, fit] of fits.entries()) assert.deepEqual(fit, [shapes[i % shapes.length][0], 'contain', '0px']);
  await cells(page).nth(0).click();
  await look(page, 'grid-odd-shapes-1440');
  await cells(page).nth(1).hover();
  await page.keyboard.press('z');
  const size = await page.locator('#zoom').boundingBox();
  assert.ok(size.y >= 0 && size.y + size.height <= 900 && size.width <= 1440);
  await look(page, 'grid-odd-panorama-zoomed-1440');
  noProblems(page);
  await page.context().close();
}

/* --- the other layouts --- */

async function published(browser, site) {
  const page = await toGrid(browser, site, 'vtwo', 'layouts', { width: 1440, height: 900 });
  for (const [width, columns] of [[1440, 3], [992, 3], [991, 2], [768, 2], [767, 1], [320, 1]]) {
    await page.setViewportSize({ width, height: 800 });
    assert.deepEqual(await stimulus(page), { width: 300, height: 300, columns, same: true }, `v2 at ${width}`);
    await fitsWidth(page);
  }
  assert.equal(await page.locator('[data-size]').count(), 0, 'no slider where the size is fixed');
  await page.setViewportSize({ width: 1440, height: 900 });
  await look(page, 'grid-v2-light-1440');
  await page.context().close();
}

async function free(browser, site) {
  const page = await toGrid(browser, site, 'free', 'sizes', { width: 1440, height: 900 });
  const slider = page.locator('[data-size]');
  const before = await stimulus(page);
  await slider.fill('300');
  const after = await stimulus(page);
  assert.ok(after.columns < before.columns);
  assert.deepEqual([after.width, after.height, await slider.getAttribute('min')], [300, 300, '150']);
  await page.reload();
  assert.equal(await slider.inputValue(), '300', 'the size is kept');
  await look(page, 'grid-free-light-1440');
  await slider.focus();
  await page.keyboard.press('End');
  assert.equal((await stimulus(page)).width, 500);
  await page.setViewportSize({ width: 320, height: 640 });
  assert.ok((await stimulus(page)).width <= 320, 'never wider than the window');
  await look(page, 'grid-free-light-320');
  await onward(page);
  await page.waitForFunction(() => document.querySelector('[data-state]').textContent === 'Saved');
  const [[width, height, columns]] = await stored(site, 1);
  assert.ok(width > 300 && width <= 320 && height === width && columns === 1, 'the size that was seen is stored');
  noProblems(page);
  await page.context().close();
}

async function forcedColours(browser, site) {
  const page = await toGrid(browser, site, 'fixed', 'forced', { width: 1280, height: 800 });
  await page.emulateMedia({ forcedColors: 'active' });
  await cells(page).nth(2).click();
  await look(page, 'grid-forced-1280');
  await page.context().close();
}

test('the size of photos', async (t) => {
  const [browser, site] = await Promise.all([launch(t), demoSite(t, CAMPAIGNS)]);
  await t.test('one in five windows, stored with every answer', () => fiveWindows(browser, site));
  await t.test('pixels for every display', () => densities(browser, site));
  await t.test('odd windows, large text, two fingers', () => oddWindows(browser, site));
  await t.test('photos of every shape', () => oddPhotos(browser, site));
  await t.test('three columns as published', () => published(browser, site));
  await t.test('free: set by the worker', () => free(browser, site));
  await t.test('forced colours', () => forcedColours(browser, site));
  await t.test('long names, and from right to left', () => oddWords(browser, site));
});
