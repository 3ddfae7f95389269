/* classify.test.mjs - the CLASSIFY page: keyboard alone with the keys of each image counted, touch on a phone, without a
 * script, without a network, and how it looks; axe in both themes. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';

import { png } from '../http/study.mjs';
import { sqlite } from '../load/tools.mjs';
import { accessible, fitsWidth, launch, must, noProblems, openPage, root, shot, tempDir } from './lib.mjs';
import { ahead, button, place, shown } from './grid.mjs';
import { demoSite } from './world.mjs';

process.env.HOLDOUT_SHOTS ||= path.join(root, 'build', 'screens');

/* The demo's images as tasks with all its classes; each class has examples. */
async function withTasks(t) {
  const site = await demoSite(t);
  const db = `${site.dir}/holdout.db`;
  const work = tempDir(t);
  const list = async (sql) => (await sqlite(db, sql)).trim().split('\n');
  const wnids = await list('SELECT wnid FROM class ORDER BY cid;');
  for (const wnid of wnids) {
    fs.mkdirSync(path.join(work, 'examples', wnid), { recursive: true });
    for (let i = 0; i < 3; i++) fs.writeFileSync(path.join(work, 'examples', wnid, `${wnid}-ex-${i}.png`), png(`${wnid} ${i}`, 60, 40));
  }
  await must(['import', 'images', site.dir, path.join(work, 'examples'), '--role', 'reference']);
  const images = await list("SELECT name FROM image WHERE role = 'candidate' AND source IS NOT NULL ORDER BY id LIMIT 16;");
  const rows = images.flatMap((image, i) => wnids.slice(0, 5).map((wnid, k) => `${image},${wnid},${i === 0 && k < 2 ? 1 : 0}`));
  fs.writeFileSync(path.join(work, 'tasks.csv'), `image,label,known\n${rows.join('\n')}\n`);
  for (const [name, more] of [['keys', []], ['none', ['--none-of-these']]]) {
    await must(['classify', site.dir, '--tasks', path.join(work, 'tasks.csv'), '--campaign', name, '--open', '--max-share', '1', '--same-image-again',
      '--answers-per-grid', '50', '--grids-per-place', '4', ...more]);
  }
  return site;
}

const ticks = (page) => page.locator('[name="label"]:checked').evaluateAll((all) => all.map((e) => Number(e.value)));
const mainOne = (page) => page.locator('[name="main"]:checked').evaluateAll((all) => all.map((e) => Number(e.value)));
const stored = (site, campaign) => sqlite(`${site.dir}/holdout.db`, `SELECT count(*) FROM answer w JOIN assignment a ON a.id = w.assignment JOIN grid g ON g.id = a.grid
  JOIN campaign k ON k.id = g.campaign WHERE k.name = '${campaign}';`).then(Number);

async function toTask(browser, site, campaign, who, options = {}) {
  const page = await openPage(browser, place(site, campaign, who), options);
  await Promise.all([page.waitForNavigation(), button(page, 'I agree, start').click()]);
  if (options.javaScriptEnabled !== false) await page.waitForSelector('[data-tools]:not([hidden])');
  return page;
}

/* The keys of one task after another; how many each took. */
async function keyboardOnly(browser, site) {
  const page = await toTask(browser, site, 'keys', 'keyboard');
  const keys = async (...all) => {
    for (const key of all) await page.keyboard.press(key);
    return all.length;
  };
  const counts = [];
  const then = async (url) => { await page.waitForFunction((u) => location.href !== u, url); };
  await ahead(page);
  let url = page.url();
  await keys('3');
  assert.deepEqual([await ticks(page), await mainOne(page)], [[2], [2]], 'one label is the main one');
  counts.push(1 + await keys('Control+Enter'));
  await then(url);
  url = page.url();
  /* Two objects: the main one has to be said; without it nothing is sent, and the page says why. */
  let n = await keys('1', '4');
  assert.deepEqual([await ticks(page), await mainOne(page)], [[0, 3], []]);
  assert.match(await page.locator('[data-picked]').textContent(), /2 objects · choose the main object/);
  assert.ok(await page.locator('.labels-hint').isVisible(), 'two labels for one object are explained');
  await page.keyboard.press('Control+Enter');
  assert.match(await page.locator('#toast').textContent(), /main object/);
  assert.equal(page.url(), url);
  n += await keys('m', '4');
  assert.deepEqual(await mainOne(page), [3]);
  assert.match(await page.locator('[data-picked]').textContent(), /^2 objects · main: [a-z]/);
  counts.push(n + await keys('Control+Enter'));
  await then(url);
  url = page.url();
  /* Undo, arrows, Space, examples, zoom. */
  await keys('2', '5', 'u');
  assert.deepEqual(await ticks(page), [1]);
  await keys('ArrowDown', 'Space');
  assert.equal((await ticks(page)).length, 2);
  await keys('Control+z', 'e');
  assert.ok(await page.locator('.label-examples[open] img').count() >= 3);
  await keys('+', '+', 'Shift+ArrowRight');
  assert.match(await page.locator('.stage-view img').getAttribute('style'), /scale\(2\.25\)/);
  await keys('z');
  assert.equal(await page.locator('.stage-view.zoomed').count(), 0);
  await page.reload();
  await page.waitForSelector('[data-tools]:not([hidden])');
  assert.deepEqual(await ticks(page), [1], 'a reload keeps what was ticked');
  await keys('Control+Enter');
  await then(url);
  await keys('Enter');
  assert.match(await page.locator('#toast').textContent(), /at least one label/);
  await keys('1', 'Control+Enter');
  await page.waitForSelector('output.code');
  assert.deepEqual(counts, [2, 5], 'keys of an image with one object, with two');
  assert.equal(await stored(site, 'keys'), 4);
  noProblems(page);
  await page.context().close();
  return counts;
}

async function phone(browser, site) {
  const page = await toTask(browser, site, 'none', 'phone', { width: 360, height: 740, hasTouch: true });
  await fitsWidth(page);
  for (const row of await page.locator('.label-tick, .label-main').all()) assert.ok((await row.boundingBox()).height >= 48);
  await page.locator('.label-name').nth(1).tap();
  await page.locator('.label-name').nth(3).tap();
  await page.locator('.label-main').nth(3).tap();
  assert.deepEqual([await ticks(page), await mainOne(page)], [[1, 3], [3]]);
  await shot(page, 'classify-phone', { fullPage: false });
  await page.setViewportSize({ width: 360, height: 2200 }); /* in a low window a row may stand half behind the bar */
  await accessible(page);
  await page.setViewportSize({ width: 360, height: 740 });
  await page.locator('.label-name').nth(5).tap(); /* none of these takes the others back */
  assert.deepEqual([await ticks(page), await mainOne(page)], [[], []]);
  const url = page.url();
  await page.locator('[data-submit]').tap();
  await page.waitForFunction((u) => location.href !== u, url);
  await page.waitForFunction(() => /Saved/.test(document.querySelector('[data-state]').textContent));
  assert.equal(await stored(site, 'none'), 1);
  noProblems(page);
  await page.context().close();
}

async function withoutScript(browser, site) {
  const page = await toTask(browser, site, 'none', 'plain', { javaScriptEnabled: false });
  await page.locator('[name="label"]').nth(0).check();
  await page.locator('[name="label"]').nth(2).check();
  await page.locator('[data-submit]').click();
  assert.match(await page.locator('.form-errors').textContent(), /main object/);
  assert.deepEqual(await ticks(page), [0, 2], 'what was ticked is still ticked');
  await page.locator('[name="main"]').nth(2).check();
  const before = await stored(site, 'none');
  await Promise.all([page.waitForNavigation(), page.locator('[data-submit]').click()]);
  assert.equal(await stored(site, 'none'), before + 1);
  assert.deepEqual(await ticks(page), []);
  await page.context().close();
}

async function offline(browser, site) {
  const page = await toTask(browser, site, 'none', 'offline');
  await ahead(page);
  await page.context().setOffline(true);
  const [first, before] = [await shown(page), await stored(site, 'none')];
  await page.keyboard.press('1');
  await page.keyboard.press('Control+Enter');
  await page.waitForFunction((was) => document.querySelector('main[data-url]')?.dataset.url.split('/').pop() !== was, first);
  assert.match(await page.locator('[data-state]').first().textContent(), /1 waiting to send/);
  await page.keyboard.press('2');
  await page.context().setOffline(false);
  await page.waitForFunction(() => /Saved/.test(document.querySelector('[data-state]').textContent));
  assert.equal(await stored(site, 'none'), before + 1);
  assert.deepEqual(await ticks(page), [1], 'the task that came meanwhile keeps its tick');
  await page.context().close();
}

async function looks(browser, site) {
  for (const [width, colorScheme] of [[1440, 'light'], [1440, 'dark'], [390, 'dark']]) {
    const page = await toTask(browser, site, 'none', `look-${width}-${colorScheme}`, { width, height: 900, colorScheme });
    await page.keyboard.press('2');
    await page.keyboard.press('3');
    await page.keyboard.press('e');
    await page.locator('.stage-view img').evaluate((img) => img.decode());
    await fitsWidth(page);
    await shot(page, `classify-${width}-${colorScheme}`, { fullPage: false });
    await page.setViewportSize({ width, height: 2400 });
    await accessible(page);
    await page.context().close();
  }
}

test('labels of one photo', async (t) => {
  const site = await withTasks(t);
  const browser = await launch(t);
  await t.test('the keyboard alone', async () => t.diagnostic(`keys of an image: one object ${(await keyboardOnly(browser, site)).join(', two objects ')}`));
  await t.test('a finger on a phone', () => phone(browser, site));
  await t.test('without a script', () => withoutScript(browser, site));
  await t.test('without a network', () => offline(browser, site));
  await t.test('light and dark', () => looks(browser, site));
});
