/* decide.test.mjs - what is decided: asked in place, pay after a preview and with Undo, once by a double
 * click, and nothing else under the pointer after a click. What is refused form by form is every_form.test.mjs. */
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { answer, join, next, startStudy } from '../http/study.mjs';
import { Client, PASSWORD, accessible, faultBin, fitsWidth, focusGiven, launch, openPage, press, shot, signIn } from './lib.mjs';

/* Two who are complete, and flags on three photos. */
async function study(t) {
  const { server } = await startStudy(t, { binary: faultBin });
  const client = new Client(server.url);
  for (const id of ['ann', 'bob']) {
    const place = await join(client, id);
    for (let grid = await next(client, place); !grid.done; grid = await next(client, place)) {
      for (let position = 0; id === 'ann' && position < 3; position++) {
        await client.json('POST', `/api/v1/assignments/${grid.assignment}/flags`, { position, kind: 'other', note: 'odd' });
      }
      await answer(client, grid.assignment, { client_id: `${grid.assignment}-1`, active_ms: 60000 });
    }
  }
  return server;
}

const toast = (page) => page.locator('[data-toast] p').innerText();

/* What the field that has the focus says of itself. */
const focused = (page) => page.evaluate(() => {
  const field = document.activeElement;
  const ids = (field.getAttribute('aria-describedby') ?? '').split(' ');
  const messages = ids.map((id) => document.getElementById(id)).filter((m) => m?.classList.contains('field-error'));
  return { name: field.name ?? '', invalid: field.getAttribute('aria-invalid') === 'true',
    message: messages.map((m) => m.innerText).join(' '), shown: messages.every((m) => m.getClientRects().length > 0) };
});

async function takedown(browser, site, cookies, javaScriptEnabled, colorScheme) {
  const page = await openPage(browser, `${site.url}/flags`, { cookies, javaScriptEnabled, colorScheme, width: javaScriptEnabled ? 1440 : 360 });
  const card = page.locator('.flag').nth(1);
  const name = await card.locator('h2').innerText();
  await card.locator('summary').click();
  assert.match(await card.locator('.confirm-box').innerText(), /left out everywhere/, 'asked first');
  await fitsWidth(page);
  if (javaScriptEnabled) await accessible(page);
  await shot(page, `decide-takedown-ask-${colorScheme}`, { fullPage: false });
  await press(page, card.locator('button[value=takedown]'));
  assert.equal(await page.locator('h1').innerText(), 'Flags', 'the same page');
  assert.equal(await page.locator('.flag').nth(1).locator('h2').innerText(), name);
  if (javaScriptEnabled) {
    await focusGiven(page);
    const got = await focused(page);
    assert.ok(got.name === 'reason' && got.invalid && /needs a reason/.test(got.message) && got.shown, JSON.stringify(got));
    assert.equal(new URL(page.url()).pathname, '/flags', 'a reload sends nothing');
    await accessible(page);
  } else { /* axe waits for timers, which never come without scripts */
    const reason = page.locator('input[name=reason][aria-invalid=true][autofocus]');
    const says = await reason.getAttribute('aria-describedby');
    assert.match(await page.locator(`#${says.split(' ')[0]}`).innerText(), /needs a reason/);
  }
  await fitsWidth(page);
  await shot(page, `decide-takedown-${colorScheme}${javaScriptEnabled ? '' : '-plain-360'}`, { fullPage: false });
  await page.context().close();
}

async function pay(page) {
  await page.goto('/campaigns/main/participants');
  await page.getByRole('link', { name: /^Approve all complete and pending \(2\)/ }).click();
  await page.getByRole('heading', { name: 'Approve pay' }).waitFor();
  assert.equal(await page.locator('#who-table tbody tr').count(), 2);
  assert.match(await page.locator('#money-table').innerText(), /USD\s+2\s/);
  await accessible(page);
  await shot(page, 'decide-pay-preview');
  await press(page, page.getByRole('button', { name: /^Approve pay: 2 participants/ }));
  assert.match(await toast(page), /^Approve pay: 2 participants, \d+\.\d\d USD/);
  await accessible(page);
  await shot(page, 'decide-pay-done', { fullPage: false });
  await press(page, page.locator('[data-toast]').getByRole('button', { name: 'Undo' }));
  assert.match(await toast(page), /is undone/);
  await page.goto('/campaigns/main/participants?show=approved');
  assert.match(await page.locator('main').innerText(), /Nobody here/);
}

/* Twice in the same place, as fast as a double click. */
async function doubleClick(page, what) {
  await what.scrollIntoViewIfNeeded();
  const box = await what.boundingBox();
  await page.mouse.dblclick(box.x + box.width / 2, box.y + box.height / 2, { delay: 5 });
}

const state = (page) => page.locator('.page-head .badge').first().innerText();

/* A double click asks at most; one on the answer is one answer, and presses nothing on the page after it. */
async function doubleClicks(page) {
  await page.goto('/campaigns/main');
  await doubleClick(page, page.getByText('Close', { exact: true }));
  assert.equal(await page.getByRole('button', { name: 'Close the campaign' }).isVisible(), false, 'open and shut again');
  await page.getByText('Close', { exact: true }).click();
  await Promise.all([page.waitForNavigation(), doubleClick(page, page.getByRole('button', { name: 'Close the campaign' }))]);
  assert.match(await toast(page), /^The campaign is closed/);
  await shot(page, 'decide-closed', { fullPage: false });
  await press(page, page.locator('[data-toast]').getByRole('button', { name: 'Undo' }));
  assert.match(await toast(page), /^The campaign is open/);
  /* Pause has Resume in its place on the next page; the page's clock stands still until told otherwise. */
  const start = Date.now() + 60000;
  await page.clock.setFixedTime(start);
  const pause = await page.getByRole('button', { name: 'Pause' }).boundingBox();
  const at = [pause.x + pause.width / 2, pause.y + pause.height / 2];
  await Promise.all([page.waitForNavigation(), page.mouse.click(...at)]);
  await page.locator('[data-toast] button').first().waitFor();
  assert.equal(await page.evaluate(([x, y]) => document.elementFromPoint(x, y).closest('button')?.innerText, at), 'Resume');
  await page.mouse.click(...at);
  assert.equal(await state(page), 'paused', 'the second click is none');
  await page.clock.setFixedTime(start + 1000);
  await Promise.all([page.waitForNavigation(), page.mouse.click(...at)]);
  assert.equal(await state(page), 'open', 'a later one is');
  await page.clock.setFixedTime(start + 2000);
  const { items } = await (await page.request.get('/api/v1/history?area=campaigns')).json();
  assert.deepEqual(items.slice(0, 4).map((e) => e.sentence.split(' ')[0]), ['opened', 'paused', 'opened', 'closed'], 'each once');
}

/* Two clicks on the link to the preview and on what it says: one decision. What is on a list for the panel
 * is not undone. */
async function payOnce(page) {
  await page.goto('/campaigns/main/participants');
  await Promise.all([page.waitForURL('**/decisions/new**'), doubleClick(page, page.getByRole('link', { name: /^Approve all/ }))]);
  await page.getByRole('heading', { name: 'Approve pay' }).waitFor();
  assert.match(await page.locator('main').innerText(), /Nothing is written yet/);
  const before = await decisionsOf(page);
  await Promise.all([page.waitForURL(/decisions\/\d+$/), doubleClick(page, page.getByRole('button', { name: /^Approve pay: 2 participants/ }))]);
  assert.match(await toast(page), /^Approve pay: 2 participants/, 'what was done, not that it was done already');
  assert.equal(await decisionsOf(page), before + 1);
  const url = page.url();
  await page.goto(url);
  assert.ok(await page.getByRole('link', { name: 'Undo …' }).isVisible());
  const list = await page.request.get('/campaigns/main/pay/approve.csv');
  assert.equal(list.status(), 200);
  await page.goto(url);
  assert.equal(await page.getByRole('link', { name: 'Undo …' }).count(), 0);
  assert.match(await page.locator('main').innerText(), /It can no longer be undone/);
  await accessible(page);
  await shot(page, 'decide-pay-exported', { fullPage: false });
}

const decisionsOf = async (page) => (await (await page.request.get('/api/v1/decisions')).json()).items.length;

/* Whatever lies under the pointer after a decision is not a button of another image. */
async function underThePointer(page) {
  await page.goto('/flags');
  const cards = page.locator('.flag');
  const clear = cards.first().getByRole('button', { name: /^Clear/ });
  const id = await cards.first().getAttribute('id');
  await clear.scrollIntoViewIfNeeded();
  const box = await clear.boundingBox();
  const at = [box.x + box.width / 2, box.y + box.height / 2];
  await Promise.all([page.waitForNavigation(), page.mouse.click(...at)]);
  await page.locator('[data-toast] button').first().waitFor();
  const below = await page.evaluate(([x, y]) => document.elementFromPoint(x, y)?.closest('button')?.closest('li, [data-toast]')?.id ?? null, at);
  assert.ok(below === null || below === id, `${below} lies where ${id} was`);
  assert.match(await page.locator(`#${id}`).innerText(), /clear/);
  assert.match(await toast(page), /^Cleared/);
}

test('decisions', { timeout: 120000 }, async (t) => {
  const [browser, site] = await Promise.all([launch(t), study(t)]);
  const page = await openPage(browser, `${site.url}/login`, { width: 1440, height: 900 });
  await signIn(page, 'admin', PASSWORD);
  const cookies = new Map((await page.context().cookies()).map((c) => [c.name, c.value]));
  await t.test('a takedown without a reason, with and without scripts', async () => {
    await takedown(browser, site, cookies, true, 'light');
    await takedown(browser, site, cookies, false, 'dark');
  });
  await t.test('pay has a preview and an undo', () => pay(page));
  await t.test('a double click decides once', () => doubleClicks(page));
  await t.test('pay is approved once, and not undone when a list was taken', () => payOnce(page));
  await t.test('no other button comes under the pointer', () => underThePointer(page));
});
