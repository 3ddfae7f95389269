/* The duplicate review in a browser: two reviewers on one work list by the keyboard alone, the three ways to compare, undo,
 * accessible in both themes. */
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { sql, world } from '../http/near_world.mjs';
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
