/* picks.test.mjs - picking and pruning in a browser: by mouse with Shift, by keys alone, without script, and what
 * another person's page says of it. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';

import { PASSWORD, launch, must, noProblems, openPage, signIn, tempDir } from './lib.mjs';
import { png, startStudy } from '../http/study.mjs';

const AT = '/picks/n00000001?keyword=apple';

async function site(t) {
  const { dir, server } = await startStudy(t);
  const folder = tempDir(t);
  const rows = ['id,path,class,role,keyword'];
  for (let i = 0; i < 14; i++) {
    const name = `apple-${String(i).padStart(2, '0')}`;
    fs.writeFileSync(path.join(folder, `${name}.png`), png(name, 32, 32));
    rows.push(`${name},${name}.png,n00000001,${i < 2 ? 'original' : 'candidate'},apple`);
  }
  fs.writeFileSync(path.join(folder, 'images.csv'), `${rows.join('\n')}\n`);
  await must(['import', 'images', dir, path.join(folder, 'images.csv')]);
  return server;
}

async function open(browser, server, login, options) {
  const page = await openPage(browser, `${server.url}/login`, options);
  await signIn(page, login, PASSWORD);
  await page.goto(AT);
  return page;
}

const box = (page, i) => page.locator('#picks input[type=checkbox]').nth(i);
const ticked = (page) => page.locator('#picks input[type=checkbox]:checked').count();
const row = (page) => page.locator('#keywords-table tbody tr', { hasText: 'apple' }).locator('td');

async function byMouse(page) {
  await box(page, 0).click();
  await box(page, 3).click({ modifiers: ['Shift'] });
  assert.equal(await ticked(page), 4, 'everything between');
  await box(page, 1).click();
  assert.equal(await page.locator('[data-picks-status]').innerText(), '3 ticked');
  await Promise.all([page.waitForNavigation(), page.getByRole('button', { name: 'Pick 3' }).click()]);
  assert.match(await page.getByRole('status').first().innerText(), /3 images changed/);
}

/* Arrows move, Shift with one ticks, Ctrl+Enter sends. */
async function byKeys(page) {
  await box(page, 0).focus();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Space');
  await page.keyboard.press('Shift+ArrowRight');
  assert.equal(await ticked(page), 2);
  assert.ok(await box(page, 2).evaluate((b) => b === document.activeElement));
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowUp');
  assert.ok(await box(page, 2).evaluate((b) => b === document.activeElement), 'down and up again');
  await Promise.all([page.waitForNavigation(), page.keyboard.press('Control+Enter')]);
  assert.match(await page.getByRole('status').first().innerText(), /2 images changed/);
}

async function withoutScript(page) {
  await page.goto(`${AT}&show=picked`);
  await box(page, 0).check();
  await page.getByLabel('Why pruned').fill('two apples');
  await Promise.all([page.waitForNavigation(), page.getByRole('button', { name: 'Prune' }).click()]);
  assert.match(await page.locator('main').innerText(), /1 image changed/);
}

test('picking and pruning', async (t) => {
  const server = await site(t);
  const browser = await launch(t);
  const picker = await open(browser, server, 'expert');
  const watcher = await open(browser, server, 'lead');
  const plain = await open(browser, server, 'keeper', { javaScriptEnabled: false });
  assert.deepEqual((await row(watcher).allInnerTexts()).slice(0, 3), ['2', '10', '0'], 'originals, wanted, picked');
  await t.test('by mouse', () => byMouse(picker));
  await t.test('by keys', () => byKeys(picker));
  await t.test('without script', () => withoutScript(plain));
  await t.test('another page hears of it', () =>
    row(watcher).nth(2).getByText('4', { exact: true }).waitFor());
  for (const page of [picker, watcher]) noProblems(page);
});
