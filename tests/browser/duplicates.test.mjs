/* The duplicate review in a browser: two reviewers on one work list by the keyboard alone, the three ways to compare, undo,
 * accessible in both themes. */
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { must } from '../http/lib.mjs';
import { addFeatureOnly, sql, world } from '../http/near_world.mjs';
import { accessible, fitsWidth, launch, openPage } from './lib.mjs';

const heading = (page) => page.locator('h1').textContent();
const open = (page) => page.locator('[data-neighbor]:visible legend').textContent();

test('two reviewers work through one list with the keyboard alone', async (t) => {
  const { dir, server, lead, expert, ids } = await world(t);
  const browser = await launch(t);
  const at = (client, path) => openPage(browser, `${server.url}${path}`, { cookies: client.cookies, width: 1280, height: 860 });
  const page = await at(expert, `/duplicates/${ids['c-0']}`);
  const other = await at(lead, `/duplicates/${ids['c-0']}`);
  /* The first neighbour has the focus; digits judge, and the next one comes. */
  assert.equal(await open(page), 'Neighbour 1 of 2');
  await page.keyboard.press('d');
  assert.equal(await page.locator('[data-stage]').getAttribute('data-view'), 'difference');
  assert.ok(await page.locator('[data-neighbor]:visible .duplicate-over').isVisible());
  await page.keyboard.press('s');
  assert.equal(await page.locator('[data-neighbor]:visible .duplicate-over').isVisible(), false);
  await page.keyboard.press('1');
  assert.equal(await open(page), 'Neighbour 2 of 2');
  await page.keyboard.press('ArrowLeft');
  assert.equal(await open(page), 'Neighbour 1 of 2');
  await page.keyboard.press('a');
  assert.match(await page.locator('[data-status]').textContent(), /All judged/);
  await Promise.all([page.waitForURL((url) => !url.pathname.endsWith(ids['c-0'])), page.keyboard.press('Enter')]);
  assert.match(await page.locator('.toast').textContent(), /2 neighbours judged, 1 of them duplicate/);
  /* Who was slower is told so, and nothing of theirs is stored. */
  await other.keyboard.press('2');
  await other.keyboard.press('2');
  await Promise.all([other.waitForLoadState('load'), other.keyboard.press('Enter')]);
  await other.waitForFunction(() => /Choose a verdict|meanwhile/.test(document.body.textContent));
  assert.equal(await sql(dir, 'SELECT count(*) FROM near_look'), '1');
  /* Ctrl+Z takes the first one's verdicts back. */
  await Promise.all([page.waitForURL((url) => url.pathname.endsWith(ids['c-0'])), page.keyboard.press('Control+z')]);
  assert.equal(await heading(page), 'Is it the same photo?');
  assert.equal(await sql(dir, "SELECT count(*) FROM near_verdict WHERE verdict = 'open'"), '2');
});

test('what has no picture stands beside the candidate, and the way to compare comes back with the next that has one', async (t) => {
  const { dir, server, expert } = await world(t);
  await addFeatureOnly(t, dir, 'c-0');
  await must(['neighbors', dir]);
  const id = await sql(dir, "SELECT id FROM image WHERE name = 'c-0'");
  const page = await openPage(await launch(t), `${server.url}/duplicates/${id}`, { cookies: expert.cookies, width: 1280, height: 860 });
  const stage = () => page.locator('[data-stage]').getAttribute('data-view');
  const off = (name) => page.locator(`[data-view-of="${name}"]`).isDisabled();
  const none = () => page.locator('[data-neighbor]:visible [data-no-picture]').count();
  await page.keyboard.press('ArrowRight');
  while (await none()) await page.keyboard.press('ArrowRight');
  await page.keyboard.press('d');
  assert.deepEqual([await stage(), await off('difference'), await off('side')], ['difference', false, false]);
  const size = await page.locator('[data-neighbor]:visible .duplicate-picture').boundingBox();
  for (let i = 0; i < 3; i++) await page.keyboard.press('ArrowLeft');
  while (!await none()) await page.keyboard.press('ArrowRight');
  assert.deepEqual([await stage(), await off('difference'), await off('blink'), await off('side')], ['side', true, true, false]);
  await page.keyboard.press('b');
  assert.equal(await stage(), 'side');
  const empty = await page.locator('[data-neighbor]:visible .duplicate-picture').boundingBox();
  assert.deepEqual([empty.width, empty.height], [size.width, size.height]);
  /* Not behind the bar that stays in sight. */
  await page.waitForFunction(() => document.activeElement.name?.startsWith('say-'));
  assert.equal(await page.evaluate(() => {
    const { left, top, width, height } = document.activeElement.parentElement.getBoundingClientRect();
    return document.elementFromPoint(left + width / 2, top + height / 2)?.closest('.duplicate-bar');
  }), null);
  await accessible(page);
  for (let i = 0; i < 3; i++) await page.keyboard.press('ArrowLeft');
  while (await none()) await page.keyboard.press('ArrowRight');
  assert.deepEqual([await stage(), await off('difference')], ['difference', false]);
});

test('the pages are accessible in both themes, on a phone and on a desktop', async (t) => {
  const { server, expert, ids } = await world(t);
  const browser = await launch(t);
  for (const path of ['/duplicates', `/duplicates/${ids['c-0']}`]) {
    for (const [width, height] of [[390, 844], [1440, 900]]) {
      const page = await openPage(browser, `${server.url}${path}`, { cookies: expert.cookies, width, height });
      await fitsWidth(page);
      for (const colorScheme of ['light', 'dark']) {
        await page.emulateMedia({ colorScheme });
        await accessible(page);
      }
      await page.close();
    }
  }
});
