/* lists.test.mjs - what leads see of lists: chips apply at once and keep the sort, heads sort. */
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { FULL, answer, join, lease, next, startStudy } from '../http/study.mjs';
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

/* Somebody flags five photos, somebody else all of them: five are hidden. */
test('flags', async (t) => {
  const { server, client } = await startStudy(t, { env: { HOLDOUT_WORK_FLAGS_TO_QUARANTINE: '2', HOLDOUT_WORK_FLAGS_PER_PERSON: '100' } });
  for (const [id, photos] of [['ann', 5], ['bob', FULL]]) {
    const { assignment } = await lease(client, id, FULL);
    await Promise.all(Array.from({ length: photos }, (_, position) =>
      client.json('POST', `/api/v1/assignments/${assignment}/flags`, { position, kind: 'other', note: 'odd' })));
    await answer(client, assignment);
  }
  const lead = await new Client(server.url).login('lead');
  const browser = await launch(t);
  for (const [width, colorScheme] of [[1440, 'light'], [390, 'dark']]) {
    const page = await openPage(browser, `${server.url}/flags`, { cookies: lead.cookies, width, colorScheme });
    const cards = page.locator('.flag');
    assert.match(await cards.first().innerText(), /2 people/, 'the most reported comes first');
    await shot(page, `flags-${width}`, { fullPage: false });
    await page.locator('.chip', { hasText: 'In quarantine' }).click();
    await page.waitForURL(/show=quarantine/);
    const held = await cards.count();
    assert.ok(held > 0 && held <= 5, `${held}`);
    await page.locator('.chip', { hasText: 'Newest first' }).click();
    await page.waitForURL(/show=quarantine&sort=newest/);
    assert.equal(await cards.count(), held);
    const first = await cards.first().getAttribute('id');
    await press(page, cards.first().getByRole('button', { name: /^Clear/ }));
    assert.match(page.url(), /show=quarantine&sort=newest/, 'back to the list');
    assert.equal(await cards.first().getAttribute('id'), first, 'where it was');
    assert.match(await cards.first().innerText(), /clear/);
    await page.locator('.chip', { hasText: 'Taken down' }).click();
    await page.locator('#flags .empty').waitFor();
    await fitsWidth(page);
    await accessible(page);
    await shot(page, `flags-none-${width}`);
    assert.deepEqual(page.problems ?? [], []);
    await page.context().close();
  }
});

test('the grids of a campaign are filtered while answers come', async (t) => {
  const { server, client } = await startStudy(t);
  const lead = await new Client(server.url).login('lead');
  const browser = await launch(t);
  const page = await openPage(browser, `${server.url}/campaigns/main?sort=answers&order=falling`, { cookies: lead.cookies, width: 1440 });
  const rows = page.locator('#grids tbody tr');
  await page.locator('.chip', { hasText: 'Complete' }).click();
  await page.locator('#grids .empty').waitFor();
  await page.locator('.chip', { hasText: 'Open' }).click();
  await page.waitForURL(/show=open/);
  assert.match(page.url(), /sort=answers&order=falling/);
  const before = await rows.count();
  assert.ok(before > 0);
  const { assignment } = await lease(client, 'ann', FULL);
  await answer(client, assignment);
  await rows.first().filter({ hasText: '1 of' }).waitFor();
  assert.equal(await rows.count(), before);
  await fitsWidth(page);
  await accessible(page, { within: '#grids' });
  assert.deepEqual(page.problems ?? [], []);
});
