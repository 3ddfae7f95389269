/* "Can a model tell them apart?" and "Which set is the new one?" in a browser: both themes, a phone, keys, no script. */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';

import { Client, accessible, faultBin, fitsWidth, launch, must, noProblems, openPage, press, shot, startServer, wholeFile } from './lib.mjs';
import { WNIDS, apartWorld } from '../http/apart_world.mjs';

const whole = wholeFile();
const TURN = `/sets/fresh/0/blind?original=old/0&class=${WNIDS[0]}&seed=4`;
let server, client, browser;

before(async () => {
  const dir = await apartWorld(whole);
  await must(['discriminate', dir, '--original', 'old', '--new', 'fresh']);
  server = await startServer(whole, dir, { binary: faultBin });
  client = await new Client(server.url).login();
  browser = await launch(whole);
});
const open = (at, more = {}) => openPage(browser, `${server.url}${at}`, { cookies: client.cookies, ...more });

test('broad and light, narrow and dark', async () => {
  const broad = { colorScheme: 'light', width: 1440, height: 900 };
  const narrow = { colorScheme: 'dark', width: 390, height: 844 };
  const turns = [['discriminator', '/sets/fresh/0/discriminator', narrow], ['which', TURN, narrow], ['which-told', `${TURN}&guess=1`, broad]];
  for (const [name, at, how] of turns) {
    const page = await open(at, how);
    await accessible(page);
    await fitsWidth(page);
    noProblems(page);
    await shot(page, `${name}-${how.colorScheme}`);
    await page.context().close();
  }
});

test('guessing by keys: a row, the next class, a row', async () => {
  const page = await open(TURN);
  assert.equal(await page.locator('main img').count(), 12);
  await Promise.all([page.waitForNavigation(), page.keyboard.press('1')]);
  assert.match(await page.locator('#said').innerText(), /^(Right|Wrong)\. [01] of 1 right/);
  assert.deepEqual([...await page.locator('h2').allInnerTexts()].map((text) => text.replace(/Row \d: /, '').replace(/ your choice/i, '')).sort(), ['New', 'Originals']);
  await page.keyboard.press('2'); /* told already: nothing happens */
  assert.match(page.url(), /guess=1/);
  await Promise.all([page.waitForNavigation(), page.keyboard.press('n')]);
  assert.equal(await page.locator('button[name="guess"]').count(), 2);
  assert.equal(await page.locator('main img[alt^="row "]').count(), 12);
  await Promise.all([page.waitForNavigation(), page.keyboard.press('2')]);
  assert.match(await page.locator('#said').innerText(), /[012] of 2 right/);
  noProblems(page);
  await page.context().close();
});

test('without a script the buttons do the same', async () => {
  const page = await open(TURN, { javaScriptEnabled: false });
  await press(page, page.locator('button:has-text("Row 2 is new")'));
  assert.match(await page.locator('#said').innerText(), /of 1 right/);
  await press(page, page.locator('a:has-text("Next class")'));
  assert.match(await page.locator('#said').innerText(), /of 1 right/);
  await press(page, page.locator('a:has-text("Can a model tell?")'));
  assert.match(await page.locator('#verdict').innerText(), /differ/);
  await press(page, page.locator('#most-new a').first());
  assert.match(page.url(), /\/images\/\d+$/);
  await page.context().close();
});
