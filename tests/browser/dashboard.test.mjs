/* The dashboard in a browser: it follows answers without a reload, and what the reader had in hand
 * stays: an open table, the focus, the mark under the pointer, the elements themselves. */
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { Client, launch, noProblems, openPage } from './lib.mjs';
import { answer, lease, startStudy } from '../http/study.mjs';

/* Once the page says "Live" its event stream is open: what happens from then on is told. */
async function openLive(browser, site, at) {
  const { cookies } = await new Client(site.client.url).login('lead');
  const page = await openPage(browser, `${site.client.url}${at}`, { cookies, width: 1440, height: 900 });
  await page.locator('[data-live-state]:visible').waitFor();
  return page;
}

async function oneMore(site, person) {
  const { assignment } = await lease(site.client, person);
  const r = await answer(site.client, assignment, { selected: [0, 1, 2] });
  assert.equal(r.status, 200, JSON.stringify(r.body));
}

const tileSays = (page, label, value) => page.waitForFunction(([l, v]) => [...document.querySelectorAll('.tile')]
  .some((e) => e.querySelector('dt').innerText === l && e.querySelector('.tile-value').innerText.trim() === v), [label, value]);

const TABLE = '#chart-overview-pulse-table';

const held = (page) => page.evaluate((table) => {
  const details = document.querySelector(table);
  return {
    same: details.kept === true,
    open: details.open,
    focus: document.activeElement.closest('details')?.id ?? null,
    told: !document.querySelector('.chart-tip').hidden,
    y: window.scrollY,
  };
}, TABLE);

test('the first page follows answers and leaves alone what the reader holds', async (t) => {
  const [browser, site] = await Promise.all([launch(t), startStudy(t)]);
  await oneMore(site, 'first');
  const page = await openLive(browser, site, '/');
  await tileSays(page, 'Answers', '1');

  await page.locator(`${TABLE} summary`).click();
  await page.evaluate((table) => { document.querySelector(table).kept = true; }, TABLE);
  await page.locator('#chart-overview-day-view .m').first().hover();
  await page.locator('.chart-tip').waitFor({ state: 'visible' });
  const before = await held(page);
  assert.deepEqual([before.same, before.open, before.focus, before.told], [true, true, TABLE.slice(1), true]);
  const begun = await page.evaluate(() => Math.floor(Date.now() / 60000));

  await oneMore(site, 'second');
  await tileSays(page, 'Answers', '2');
  /* Statistics may be two seconds old: the page comes back for the newest by itself. */
  await page.waitForFunction((table) => [...document.querySelectorAll(`${table} td:last-child`)]
    .reduce((n, cell) => n + Number(cell.textContent), 0) === 2, TABLE);
  /* The tip follows the drawing that was changed under it; in another minute the drawing begins elsewhere, and no
   * mark may lie under the pointer. */
  await page.waitForFunction((begun) => !document.querySelector('.chart-tip').hidden || Math.floor(Date.now() / 60000) !== begun, begun);
  assert.deepEqual({ ...await held(page), told: true }, before);
  noProblems(page);

  const campaign = await openLive(browser, site, '/campaigns/main');
  await tileSays(campaign, 'Answers', '2');
  await oneMore(site, 'third');
  await tileSays(campaign, 'Answers', '3');
  await tileSays(campaign, 'People who answered', '3');
  noProblems(campaign);
});
