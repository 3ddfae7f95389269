/* Training with the keyboard alone: a wrong answer, a right one, the group is unlocked and opens a label review; the same
 * without scripts on a phone. */
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { Client, PASSWORD, accessible, faultBin, fitsWidth, launch, must, noProblems, openPage, press, shot, tempDir } from './lib.mjs';
import { startStudy } from '../http/study.mjs';
import { importSet, writer } from '../http/model_world.mjs';

const WORDS = { n00000001: 'apple', n00000002: 'pear' };
const other = (wnid) => Object.keys(WORDS).find((w) => w !== wnid);

/* Experts ada and grace, a training list of three images, and a label review that needs what it unlocks. */
async function world(t) {
  const { dir, server } = await startStudy(t, { binary: faultBin });
  const file = writer(tempDir(t));
  await importSet(dir, file, 'fresh');
  const password = file('password', `${PASSWORD}\n`);
  for (const login of ['ada', 'grace']) await must(['user', 'add', dir, login, '--role', 'expert', '--password-file', password]);
  const rows = ['n00000001-original-0', 'n00000002-original-0', 'n00000001-original-1'];
  await must(['training', 'create', dir, 'fruit-1', '--of', 'file', '--file', file('fruit.csv', `image\n${rows.join('\n')}\n`), '--span', '1', '--mark', '100', '--unlocks', 'fruit', '--seed', '1']);
  await must(['label-review', 'create', dir, 'look', '--set', 'fresh', '--repeats', '0', '--experts', 'ada,grace']);
  await must(['training', 'need', dir, 'fruit', '--review', 'look']);
  return { dir, url: server.url };
}

/* The right class of an image, which somebody else has answered. */
async function rightOf(client, at) {
  const { body } = await client.json('POST', `/api/v1/training/fruit-1/items/${at}`, { wnid: 'n00000001' });
  return body.right;
}

test('an expert trains by keys, unlocks a group and may review; a phone without scripts does it too', async (t) => {
  const site = await world(t);
  const browser = await launch(t);
  const lead = await new Client(site.url).login('lead');
  const right = [];
  for (const at of [0, 1, 2]) right.push(await rightOf(lead, at));

  /* A lead watches meanwhile. */
  const watch = await openPage(browser, `${site.url}/training/fruit-1`, { cookies: lead.cookies });
  const { cookies } = await new Client(site.url).login('ada');
  const page = await openPage(browser, `${site.url}/labels/look`, { cookies });
  await page.getByText('You need training first').waitFor();
  await page.goto('/training/fruit-1/next');
  let keys = 0;
  const type = async (...all) => {
    for (const key of all) {
      await page.keyboard.press(key);
      keys++;
    }
  };
  const answer = async (wnid) => {
    await page.waitForFunction(() => document.activeElement?.matches('[data-query]'));
    await type(...WORDS[wnid].slice(0, 3), 'Enter');
    await page.locator('input[name=choice]:checked').first().waitFor();
    await Promise.all([page.waitForNavigation(), type('Enter')]);
    await page.waitForFunction(() => document.activeElement?.id === 'told-head');
  };
  await accessible(page);
  await shot(page, 'training-choose');
  await answer(other(right[0]));
  assert.match(await page.locator('#told-head').innerText(), new RegExp(`Wrong: it is ${WORDS[right[0]]}`));
  await accessible(page);
  await shot(page, 'training-wrong');
  await Promise.all([page.waitForNavigation(), type('3')]);
  assert.equal(await page.locator('button[aria-pressed=true]').getAttribute('value'), 'unclear');
  await page.waitForFunction(() => document.activeElement?.id === 'told-head');
  await Promise.all([page.waitForNavigation(), type('Enter')]);
  assert.match(page.url(), /fruit-1\/1$/);
  await answer(right[1]);
  assert.match(await page.locator('#told-head').innerText(), /^Right/);
  await Promise.all([page.waitForNavigation(), type('Enter')]);
  await answer(right[2]);
  await Promise.all([page.waitForNavigation(), type('Enter')]);
  assert.match(page.url(), /done=1$/);
  await page.getByText('You have passed').waitFor();
  await accessible(page);
  assert.ok(keys / 3 <= 7, `${keys / 3} keys for an image`);
  await watch.locator('#training-people tr', { hasText: 'ada' }).getByText('with answer 2').waitFor();
  noProblems(watch);
  await page.goto('/labels/look/next');
  assert.match(page.url(), /labels\/look\/\d+$/);
  noProblems(page);

  /* The same without scripts: search, choose, check. */
  const grace = await new Client(site.url).login('grace');
  const phone = await openPage(browser, `${site.url}/training/fruit-1/0`, { cookies: grace.cookies, javaScriptEnabled: false, width: 360, height: 740, colorScheme: 'dark' });
  await phone.locator('[name=class_query]').fill(WORDS[right[0]]);
  await press(phone, phone.getByRole('button', { name: 'Find' }));
  await phone.locator(`input[name=choice][value=${right[0]}]`).first().check();
  await press(phone, phone.getByRole('button', { name: 'Check' }));
  assert.match(await phone.locator('#told-head').innerText(), /^Right/);
  await fitsWidth(phone);
  await press(phone, phone.getByRole('link', { name: 'Next image' }));
  assert.match(phone.url(), /fruit-1\/1$/);
  noProblems(phone);
});
