/* grid_queue.test.mjs - what is submitted on the grid page is neither lost nor doubled: two tabs, a
 * double click, reloads at every step, a browser that is offline or closed, a server that is busy, and
 * what becomes of answers that are refused for good. */
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { badNetwork } from './bad_network.mjs';
import { launch, openPage, reload } from './lib.mjs';
import { ahead, button, cells, picked, place, shown, toGrid } from './grid.mjs';
import { demoSite } from './world.mjs';
import { sqlite } from '../load/tools.mjs';

const GRIDS = 4;
const CAMPAIGNS = ['main', 'german'].map((name) => ['--campaign', name, '--grids-per-place', String(GRIDS),
  '--same-image-again', '--answers-per-grid', '100']);

/* Rows "assignment|selected|surplus" of one person's answers, oldest first. */
async function answersOf(site, who) {
  const sql = `SELECT s.id, w.mask, w.surplus FROM answer w JOIN assignment s ON s.id = w.assignment
    JOIN identity i ON i.person = s.person WHERE i.external_id = '${who}' ORDER BY s.id;`;
  return (await sqlite(`${site.dir}/holdout.db`, sql)).trim().split('\n').filter(Boolean);
}

const bits = (row) => BigInt(row.split('|')[1]).toString(2).replaceAll('0', '').length;

/* Waits for another grid than `token`, or for the page with the code. */
const after = (page, token) => page.waitForFunction((t0) => {
  const main = document.querySelector('main[data-url]');
  return document.querySelector('output.code') || (main && document.querySelector('.grid') && !main.dataset.url.endsWith(t0));
}, token);

const saved = (page) => page.waitForFunction(() => document.querySelector('[data-state]')?.textContent === 'Saved');
const isDone = (page) => page.locator('output.code').count();

/* Answers grid after grid with `picks(n)` cells; `each` happens between the click and the next grid. */
async function work(page, picks, each = async () => {}) {
  for (let n = 0; !(await isDone(page)); n++) {
    const token = await shown(page);
    for (let i = 0; i < picks(n); i++) await cells(page).nth(i).click();
    await button(page, 'Submit').click();
    await each(token);
    await after(page, token);
  }
}

async function twoTabs(browser, site) {
  const one = await toGrid(browser, site, 'main', 'tabs');
  const two = await one.context().newPage();
  await two.goto(one.url());
  await two.waitForSelector('[data-tools]:not([hidden])');
  const first = await shown(one);
  await cells(two).nth(9).click();
  await cells(one).nth(0).click();
  await button(one, 'Submit').click();
  /* The second tab learns of it and goes on to the next grid by itself. */
  await after(two, first);
  await saved(one);
  await after(one, first);
  /* Both at once, on the same grid. */
  await one.waitForFunction((u) => location.href === u, two.url());
  const second = await shown(one);
  await cells(one).nth(1).click();
  await cells(two).nth(2).click();
  await cells(two).nth(3).click();
  /* The word to click reaches the second tab before what the first tab then says of its answer. */
  await two.evaluate(() => {
    new BroadcastChannel('test').onmessage = () => document.querySelector('[data-submit]').click();
  });
  await one.evaluate(() => {
    new BroadcastChannel('test').postMessage('now');
    document.querySelector('[data-submit]').click();
  });
  await Promise.all([after(one, second), after(two, second)]);
  /* One of them is told why it was refused, in both tabs, and dismisses it in one. */
  await two.locator('.notices').getByText('The first answer is kept').waitFor();
  await button(one, 'Dismiss').click();
  await two.locator('.notices').waitFor({ state: 'hidden' });
  await work(one, () => 4);
  await two.waitForSelector('output.code');
  const rows = await answersOf(site, 'tabs');
  assert.equal(rows.length, GRIDS);
  assert.equal(new Set(rows.map((r) => r.split('|')[0])).size, GRIDS);
  assert.equal(bits(rows[0]), 1, 'the first grid as the first tab said');
  assert.ok([1, 2].includes(bits(rows[1])), 'the second as one of them said');
  await one.context().close();
}

async function doubleClicks(browser, site) {
  const page = await toGrid(browser, site, 'main', 'twice');
  for (let n = 0; n < GRIDS; n++) {
    const token = await shown(page);
    if (n % 2) {
      await button(page, 'Submit').dblclick(); /* nothing selected: it is asked, and asked only */
      await page.locator('[data-none]').waitFor();
      await button(page, 'Yes, none of these').dblclick();
    } else {
      await cells(page).nth(n).click();
      await button(page, 'Submit').dblclick();
    }
    await after(page, token);
  }
  await page.waitForSelector('output.code');
  assert.deepEqual((await answersOf(site, 'twice')).map(bits), [1, 0, 1, 0]);
  await page.context().close();
}

/* A reload that is later than the answer leads to the page between two grids. */
async function toNextGrid(page) {
  const next = button(page, 'Next grid');
  const there = page.locator('[data-tools]:not([hidden]), output.code');
  await there.or(next).first().waitFor();
  if (await next.count()) {
    await next.click();
    await there.first().waitFor();
  }
}

async function reloads(browser, site) {
  const page = await toGrid(browser, site, 'main', 'reloads');
  for (let n = 0; n < GRIDS; n++) {
    const token = await shown(page);
    await page.reload();
    await cells(page).nth(2).click();
    await page.reload();
    assert.deepEqual(await picked(page), [2], 'the draft is there');
    await cells(page).nth(n + 3).click();
    await button(page, 'Submit').click();
    await reload(page);
    if (page.url().endsWith(token)) await after(page, token);
    await toNextGrid(page);
  }
  await page.waitForSelector('output.code');
  assert.deepEqual((await answersOf(site, 'reloads')).map(bits), [2, 2, 2, 2]);
  await page.context().close();
}

/* Offline with one grid ahead; then the browser's page is closed, and opened again. */
async function offline(browser, site) {
  const page = await toGrid(browser, site, 'main', 'offline');
  await ahead(page);
  const url = page.url();
  await page.context().setOffline(true);
  for (let n = 0; n < 2; n++) {
    const token = await shown(page);
    for (let i = 0; i <= n; i++) await cells(page).nth(i).click();
    await button(page, 'Submit').click();
    await page.waitForFunction((t0) => !document.querySelector('main[data-url]')?.dataset.url.endsWith(t0)
      || document.querySelector('.task-wait:not([hidden])'), token);
  }
  await page.getByText('2 waiting to send').first().waitFor();
  await page.locator('.notices').getByText('You are offline').waitFor();
  assert.deepEqual(await answersOf(site, 'offline'), []);
  const context = page.context();
  await page.close({ runBeforeUnload: false });
  await context.setOffline(false);
  const again = await context.newPage();
  await again.goto(url);
  await after(again, url.split('/').pop());
  await work(again, () => 3);
  assert.deepEqual((await answersOf(site, 'offline')).map(bits), [1, 2, 3, 3]);
  await context.close();
}

async function leavingIsGuarded(browser, site) {
  const page = await toGrid(browser, site, 'main', 'guard');
  await page.waitForLoadState('networkidle');
  const guarded = () => page.evaluate(() => !window.dispatchEvent(new Event('beforeunload', { cancelable: true })));
  await cells(page).nth(0).click();
  assert.equal(await guarded(), false, 'a draft is kept anyway');
  await page.context().setOffline(true);
  await button(page, 'Submit').click();
  await page.getByText('1 waiting to send').first().waitFor();
  assert.equal(await guarded(), true);
  await page.context().setOffline(false);
  await saved(page);
  assert.equal(await guarded(), false);
  await page.context().close();
}

/* Replies that are lost on the way back, a server that is busy, a sign-in page of somebody else. */
async function badReplies(t, browser, site) {
  const net = await badNetwork(t, site.url, { loss: 0.05, seed: 7 });
  const go = () => openPage(browser, place({ url: net.url }, 'main', 'replies'));
  const page = await go().catch(go).catch(go);
  for (const name of ['I agree, start']) {
    for (let tries = 0; tries < 9 && await button(page, name).count(); tries++) {
      await button(page, name).click();
      await page.waitForLoadState().catch(() => {});
      if (!(await page.locator('main').count())) await page.reload().catch(() => {});
    }
  }
  const ready = () => page.waitForSelector('[data-tools]:not([hidden])', { timeout: 5000 }).then(() => true, () => false);
  for (let tries = 0; !(await ready()); tries++) { // a script was lost: the page is a plain form until it is loaded again
    assert.ok(tries < 9);
    await page.reload().catch(() => {});
  }
  const kinds = [
    { status: 503, headers: { 'Retry-After': '1' }, json: { code: 'busy' } },
    { status: 429, headers: { 'Retry-After': '1' }, json: { code: 'rate' } },
    { status: 200, contentType: 'text/html', body: '<h1>Welcome to our hotel</h1>' },
    { status: 500, json: { code: 'bug' } },
  ];
  const seen = [];
  await page.route('**/answer', (r) => {
    const kind = kinds.shift();
    seen.push(kind?.status ?? 0);
    return kind ? r.fulfill(kind) : r.continue();
  });
  await work(page, (n) => n + 1);
  assert.deepEqual(seen.slice(0, 4), [503, 429, 200, 500]);
  assert.deepEqual((await answersOf(site, 'replies')).map(bits), [1, 2, 3, 4]);
  await page.context().close();
}

/* What the server will never take is shown until it is dismissed, also at the end. */
async function refused(browser, site) {
  const page = await toGrid(browser, site, 'main', 'refused');
  await page.route('**/answer', (r) => r.fulfill({ status: 400, json: { code: 'odd', detail: 'No such cell.' } }), { times: 1 });
  await cells(page).nth(0).click();
  const token = await shown(page);
  await button(page, 'Submit').click();
  await page.locator('.notices').getByText('Grid 1: No such cell.').waitFor();
  await page.reload();
  await page.locator('.notices').getByText('Grid 1: No such cell.').waitFor();
  for (let n = 0; n < GRIDS; n++) {
    await page.waitForSelector('.grid');
    const now = await shown(page);
    await cells(page).nth(1).click();
    await button(page, 'Submit').click();
    if (n < GRIDS - 1) await after(page, now);
  }
  await page.locator('#main').getByText('Read the notice above').waitFor();
  assert.ok((await answersOf(site, 'refused')).length === GRIDS, `the grid ${token} was offered again`);
  await button(page, 'Dismiss').click();
  await page.waitForSelector('output.code');
  await page.context().close();
}

async function german(browser, site) {
  await sqlite(`${site.dir}/holdout.db`, "UPDATE study SET language = 'de' WHERE campaign = (SELECT id FROM campaign WHERE name = 'german');");
  const page = await openPage(browser, place(site, 'german', 'deutsch'));
  await Promise.all([page.waitForNavigation(), page.locator('main form button').first().click()]);
  await page.waitForSelector('[data-tools]:not([hidden])');
  assert.equal(await page.locator('html').getAttribute('lang'), 'de');
  assert.equal(await page.locator('.grid img').first().getAttribute('alt'), 'Bild 1 von 48');
  const token = await shown(page);
  await button(page, 'Absenden').click();
  await button(page, 'Ja, keines davon').click();
  await after(page, token);
  await page.waitForFunction(() => document.querySelector('[data-state]')?.textContent === 'Gespeichert');
  assert.match(await page.locator('.progress').innerText(), /^1 von 4 · noch etwa \d+ min$/);
  await page.context().close();
}

test('answers of the grid page', async (t) => {
  const [browser, site] = await Promise.all([launch(t), demoSite(t, CAMPAIGNS)]);
  await t.test('two tabs', () => twoTabs(browser, site));
  await t.test('double clicks', () => doubleClicks(browser, site));
  await t.test('a reload at every step', () => reloads(browser, site));
  await t.test('offline, closed and opened again', () => offline(browser, site));
  await t.test('leaving is guarded while something is unsent', () => leavingIsGuarded(browser, site));
  await t.test('lost replies, busy servers, strange pages', (tt) => badReplies(tt, browser, site));
  await t.test('refused for good', () => refused(browser, site));
  await t.test('in German', () => german(browser, site));
});
