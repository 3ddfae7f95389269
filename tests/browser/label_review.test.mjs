/* label_review.test.mjs - an expert reviews ten images by keys alone, counted; a second disagrees, an adjudicator resolves, and the
 * table of accuracies follows without a reload; two who save at the same moment are both kept. A lead makes the list from a page. */
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { Client, PASSWORD, SHOTS, accessible, fitsWidth, launch, must, noProblems, openPage, press, shot, tempDir, until } from './lib.mjs';
import { addModels, writer } from '../http/model_world.mjs';
import { startStudy } from '../http/study.mjs';

const API = '/api/v1/label-reviews/pair';

/* Axe in both themes; every size is what pages.test.mjs looks at, and people by their pictures. */
async function look(page, name, { axe = false } = {}) {
  for (const [width, height] of SHOTS ? [[1440, 900], [360, 740]] : axe ? [[1440, 900]] : []) {
    await page.setViewportSize({ width, height });
    await fitsWidth(page);
    for (const colorScheme of ['light', 'dark']) {
      await page.emulateMedia({ colorScheme });
      if (axe && width === 1440) await accessible(page);
      await shot(page, `${name}-${width}-${colorScheme}`);
    }
  }
}

test('labels are reviewed by keys, adjudicated, and scored live', async (t) => {
  const { dir, server } = await startStudy(t, { env: { HOLDOUT_JOBS_JOBS_AT_ONCE: '1' } });
  const file = writer(tempDir(t));
  await addModels(dir, file);
  const password = file('password', `${PASSWORD}\n`);
  for (const login of ['ada', 'grace']) await must(['user', 'add', dir, login, '--role', 'expert', '--password-file', password]);
  const browser = await launch(t);
  const visit = async (login, at) => openPage(browser, `${server.url}${at}`, { cookies: (await new Client(server.url).login(login)).cookies });

  /* Made from a page: looked at first, then by a job. */
  const lead = await visit('lead', '/labels');
  await press(lead, lead.getByRole('link', { name: 'New label review' }));
  await look(lead, 'label-new');
  await lead.locator('#review-name').fill('pair');
  await lead.getByLabel('Set', { exact: true }).selectOption('originals/0');
  await lead.getByLabel('People per image').fill('2');
  await lead.getByLabel('Percent shown again').fill('0');
  await lead.getByLabel('Seed').fill('7');
  for (const login of ['ada', 'grace']) await lead.locator(`input[value=${login}]`).check();
  await press(lead, lead.getByRole('button', { name: 'Look at the plan' }));
  assert.match(await lead.locator('#plan').innerText(), /Images of originals\/0\s+12 \(12 drawn at random\)[\s\S]*Reviews of images\s+24/);
  assert.equal(await lead.evaluate(() => window.scrollY), 0, 'it is at the top of the page');
  assert.match(await lead.locator('#review-experts').innerText(), /ada expert · may review 12\n/);
  await look(lead, 'label-plan', { axe: true });
  await press(lead, lead.getByRole('button', { name: 'Make the review' }));
  const client = await new Client(server.url).login('lead');
  await until(async () => (await client.get(API)).status === 200, 'the job has made it');
  const images = (await must(['label-review', 'queue', dir, 'pair'])).trim().split('\n').slice(1).map((line) => line.split(',')[0]);
  await lead.goto('/labels/pair');
  assert.match(await lead.locator('#label-review').innerText(), /Nothing is reviewed yet/);

  /* Ten images, by keys alone. */
  const ada = await visit('ada', '/labels');
  await press(ada, ada.getByRole('link', { name: /Continue/ }));
  const [picture] = await Promise.all([ada.waitForResponse((r) => /\/image$/.test(r.url())), ada.reload()]);
  assert.match(picture.headers()['cache-control'], /^private/);
  let keys = 0;
  const key = async (name) => {
    keys++;
    await ada.keyboard.press(name);
  };
  const done = [];
  while (done.length < 10) {
    const at = Number(new URL(ada.url()).pathname.split('/').pop());
    const truth = images[at].split('-')[0];
    if (done.length === 0) await look(ada, 'label-item');
    await ada.waitForFunction(() => document.activeElement?.type === 'radio');
    const n = await ada.locator('[data-row]').count();
    for (let row = 0; row < n; row++) {
      const wnid = await ada.evaluate(() => document.activeElement.name.replace('say-', ''));
      await key(wnid === truth ? '1' : '2');
    }
    assert.match(await ada.locator('[data-status]').innerText(), /all labels reviewed: Enter saves/);
    await Promise.all([ada.waitForNavigation(), key('Enter')]);
    done.push(at);
  }
  t.diagnostic(`${keys / done.length} keys for each image`);
  assert.ok(keys / done.length <= 3, `${keys} keys`);
  assert.equal(new Set(done).size, 10);
  const { begun, reviewed } = (await client.json('GET', API)).body;
  assert.deepEqual([begun, reviewed], [10, 0]);

  /* The other one says of an image that its label is wrong, and sees then what was said. */
  const grace = await visit('grace', `/labels/pair/${done[0]}`);
  await grace.waitForFunction(() => document.activeElement?.type === 'radio');
  await grace.keyboard.press('w');
  await Promise.all([grace.waitForNavigation(), grace.keyboard.press('Enter')]);
  await grace.goto(`/labels/pair/${done[0]}`);
  assert.match(await grace.locator('main').innerText(), /What others say[\s\S]*Reviewer A/);
  await look(grace, 'label-item-saved', { axe: true });
  await press(grace, grace.getByRole('button', { name: 'Discuss' }));
  await lead.getByText('want to discuss: 1').waitFor();
  const strict = () => lead.locator('#label-review tbody').first().innerText();
  await lead.locator('#label-review tbody tr').first().waitFor();
  const before = await strict();

  /* Adjudicated on another page; the open one follows. */
  const adjudicator = await visit('keeper', '/labels/pair');
  await press(adjudicator, adjudicator.locator('#disputes a').first());
  assert.match(await adjudicator.locator('main').innerText(), /What holds\?[\s\S]*wants to discuss it/);
  await look(adjudicator, 'label-adjudicate');
  await adjudicator.locator('input[type=radio][value=correct]').first().focus();
  const rows = await adjudicator.locator('[data-row]').count();
  for (let row = 0; row < rows; row++) {
    const wnid = await adjudicator.evaluate(() => document.activeElement.name.replace('say-', ''));
    await adjudicator.keyboard.press(wnid === images[done[0]].split('-')[0] ? '1' : '2');
  }
  await Promise.all([adjudicator.waitForNavigation(), adjudicator.keyboard.press('Enter')]);
  await lead.getByText('Reviewers agree about every image').waitFor();
  await lead.waitForFunction((was) => document.querySelector('#label-review tbody').innerText !== was, before);
  assert.notEqual(await strict(), before);
  await look(lead, 'label-review', { axe: true });

  /* Both at once, about the same image. */
  const both = [...images.keys()].find((at) => !done.includes(at));
  for (const page of [ada, grace]) {
    await page.goto(`/labels/pair/${both}`);
    await page.waitForFunction(() => document.activeElement?.type === 'radio');
    await page.keyboard.press('w');
  }
  await Promise.all([ada, grace].flatMap((page) => [page.waitForNavigation(), page.keyboard.press('Enter')]));
  assert.equal((await client.json('GET', `${API}/items/${both}`)).body.looks.length, 2);

  /* A label that is missing, by keys alone: the same choice of classes as in training, three keys beside what is typed. */
  const { labels, position } = (await Promise.all([...images.keys()].map((at) => client.json('GET', `${API}/items/${at}`)))).map((r) => r.body).find((i) => i.labels.length === 1);
  const missing = ['n00000001', 'n00000002'].find((wnid) => wnid !== labels[0].wnid);
  await ada.goto(`/labels/pair/${position}`);
  await ada.waitForFunction(() => document.activeElement?.type === 'radio');
  const pressed = keys;
  await key('/');
  await ada.waitForFunction(() => document.activeElement?.name === 'class_query');
  await look(ada, 'label-item-add', { axe: true });
  await ada.keyboard.type(missing);
  await key('Enter');
  await ada.waitForFunction((wnid) => document.activeElement?.name === `say-${wnid}`, missing);
  assert.equal(await ada.locator('[data-row]').count(), 2);
  assert.equal(await ada.locator(`input[name=say-${missing}]:checked`).getAttribute('value'), 'correct');
  await look(ada, 'label-item-added', { axe: true });
  await Promise.all([ada.waitForNavigation(), key('Enter')]);
  assert.equal(keys - pressed, 3);
  assert.ok((await client.json('GET', `${API}/items/${position}`)).body.labels.some((l) => l.wnid === missing && l.added));
  /* Arrows go by classes without adding any; what was chosen lately is offered; a label that is a row is gone to. */
  await ada.goto(`/labels/pair/${position}`);
  await ada.waitForFunction(() => document.activeElement?.type === 'radio');
  await ada.keyboard.press('/');
  assert.match(await ada.locator('[data-recent]').innerText(), /\w/);
  await ada.keyboard.type('n0000000');
  await ada.locator('[data-found] input').first().waitFor();
  for (const name of ['ArrowDown', 'ArrowDown', 'ArrowUp']) await ada.keyboard.press(name);
  assert.equal(await ada.locator('[data-row]').count(), 2);
  await ada.keyboard.press('Enter');
  assert.equal(await ada.locator('[data-row]').count(), 2);
  assert.match(await ada.evaluate(() => document.activeElement.name), /^say-/);
  assert.equal(await ada.locator('[data-add]').getAttribute('open'), null);
  /* All classes are listed when somebody opens them. */
  await ada.keyboard.press('/');
  assert.equal(await ada.locator('[data-rows] li').count(), 0);
  await ada.locator('[data-tree] summary').click();
  await ada.locator('[data-rows] input').nth(1).waitFor();
  /* What was chosen in a form that comes back refused is still there to be added. */
  await ada.locator(`[data-rows] input[value=${labels[0].wnid}]`).evaluate((radio) => (radio.checked = true));
  await ada.locator('#problematic').selectOption('other');
  await press(ada, ada.locator('[value=save]'));
  ada.problems.splice(0); /* that it was refused */
  assert.equal(await ada.locator('[name=add]:checked').getAttribute('value'), labels[0].wnid);
  await ada.locator('[value=add]').click();
  assert.equal(await ada.evaluate(() => document.activeElement.name), `say-${labels[0].wnid}`);
  await lead.goto(`/labels/pair/${both}`);
  assert.match(await lead.locator('main').innerText(), /not your work/);
  await look(lead, 'label-item-read');
  for (const page of [lead, ada, grace, adjudicator]) noProblems(page);
});
