/* lists.test.mjs - what leads see of lists: chips apply at once and keep the sort, heads sort. */
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { answer, join, next, startStudy } from '../http/study.mjs';
import { Client, accessible, fitsWidth, launch, openPage, press, shot } from './lib.mjs';

test('participants', async (t) => {
  const { server, client } = await startStudy(t);
  const lead = await new Client(server.url).login('lead');
  for (const id of ['ann', 'bob']) {
    const place = await join(client, id);
    const grid = await next(client, place);
    await answer(client, grid.assignment, { client_id: `${grid.assignment}-1`, active_ms: id === 'ann' ? 1000 : 90000 });
  }
  const browser = await launch(t);
  for (const [width, colorScheme] of [[1440, 'light'], [390, 'dark']]) {
    const page = await openPage(browser, `${server.url}/campaigns/main/participants`, { cookies: lead.cookies, width, colorScheme });
    await press(page, page.getByRole('link', { name: 'Active time' }));
    assert.match(await page.locator('tbody tr').first().innerText(), /bob/, 'the longest first');
    await page.locator('.chip', { hasText: 'Still in it' }).click();
    await page.waitForURL(/show=in-it/);
    assert.match(page.url(), /sort=active/, 'the sort is kept');
    assert.equal(await page.locator('tbody tr').count(), 2);
    await page.locator('.chip', { hasText: 'Rejected' }).click();
    await page.locator('#participants .empty').waitFor();
    assert.equal(await page.locator('#choose input[name=show]').inputValue(), 'rejected', 'what is decided about all in this list');
    await page.locator('.chip', { hasText: 'Everybody' }).click();
    await page.waitForURL(/show=all/);
    assert.equal(await page.locator('tbody tr').count(), 2);
    await fitsWidth(page);
    await accessible(page);
    await shot(page, `participants-sorted-${width}`);
    assert.deepEqual(page.problems ?? [], []);
    await page.context().close();
  }
});
