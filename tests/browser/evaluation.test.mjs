/* An evaluation with the keyboard alone, by search and among few classes; the same without scripts on a phone. */
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { Client, PASSWORD, accessible, faultBin, fitsWidth, launch, must, noProblems, openPage, press, shot, tempDir } from './lib.mjs';
import { startStudy } from '../http/study.mjs';
import { importSet, writer } from '../http/model_world.mjs';

async function world(t) {
  const { dir, server } = await startStudy(t, { binary: faultBin });
  const file = writer(tempDir(t));
  await importSet(dir, file, 'originals', ['--role', 'original']);
  await importSet(dir, file, 'fresh');
  const password = file('password', `${PASSWORD}\n`);
  for (const login of ['ada', 'grace']) await must(['user', 'add', dir, login, '--role', 'expert', '--password-file', password]);
  await must(['evaluation', 'create', dir, 'people', '--original', 'originals', '--new', 'fresh', '--images', '1', '--seed', '1', '--people', 'ada']);
  await must(['evaluation', 'create', dir, 'few', '--original', 'originals', '--new', 'fresh', '--images', '2', '--among', '--seed', '2', '--people', 'ada,grace']);
  return { dir, url: server.url };
}

const answersOf = async (site, name) => (await must(['evaluation', 'show', site.dir, name, '--json']).then(JSON.parse)).who;

test('an expert classifies images by keys and hears nothing; a phone without scripts does it too', async (t) => {
  const site = await world(t);
  const browser = await launch(t);
  const { cookies } = await new Client(site.url).login('ada');
  const page = await openPage(browser, `${site.url}/`, { cookies });
  assert.match(page.url(), /\/evaluations$/, 'the desk leads to the work');
  await accessible(page);
  await page.goto('/evaluations/people/next');
  let keys = 0;
  const type = async (...all) => {
    for (const key of all) {
      await page.keyboard.press(key);
      keys++;
    }
  };
  await accessible(page);
  await shot(page, 'evaluation-search');
  const seen = new Set();
  for (let at = 0; at < 2; at++) {
    await page.waitForFunction(() => document.activeElement?.matches('[data-query]'));
    const size = await page.locator('.expert-picture img').evaluate(async (img) => { await img.decode(); return [img.naturalWidth, img.naturalHeight]; });
    seen.add(Math.max(...size));
    await type('p', 'e', 'a', 'Enter');
    await page.locator('input[name=wnid]:checked').first().waitFor();
    await Promise.all([page.waitForNavigation(), type('Enter')]);
    assert.doesNotMatch(await page.locator('main').innerText(), /right:|wrong|correct/i);
  }
  assert.equal(seen.size, 1, 'pictures are as large, whichever set they are from');
  await page.getByText('Nothing is left for you').waitFor();
  await accessible(page);

  /* Among few classes a digit is enough. */
  await page.goto('/evaluations/few/next');
  await accessible(page);
  await shot(page, 'evaluation-few');
  for (let at = 0; at < 4; at++) {
    await page.waitForFunction(() => document.activeElement?.matches('[data-few] input'));
    await type(at % 2 ? '1' : '2');
    await Promise.all([page.waitForNavigation(), type('Enter')]);
  }
  assert.match(page.url(), /\/evaluations\/few$/);
  assert.equal(keys, 2 * 5 + 4 * 2, 'keys of all images');
  noProblems(page);
  const [ada] = await answersOf(site, 'few');
  assert.deepEqual([ada.answered, ada.state, ada.active_minutes > 0], [4, 'through', true]);

  /* Without scripts: nothing chosen is refused where it was done, then one that is. */
  const grace = await new Client(site.url).login('grace');
  const phone = await openPage(browser, `${site.url}/evaluations/few/next`, { cookies: grace.cookies, javaScriptEnabled: false, width: 360, height: 740, colorScheme: 'dark' });
  const confirm = phone.getByRole('button', { name: 'Confirm and go on' });
  await press(phone, confirm);
  await phone.getByText('Choose one of the classes').first().waitFor();
  phone.problems.splice(0); /* that it was refused */
  await fitsWidth(phone);
  await shot(phone, 'evaluation-phone');
  for (let at = 0; at < 4; at++) {
    await phone.locator('input[name=wnid]').first().check();
    await press(phone, confirm);
  }
  assert.match(phone.url(), /\/evaluations\/few$/);
  noProblems(phone);
});
