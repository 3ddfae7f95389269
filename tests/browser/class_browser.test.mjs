/* class_browser.test.mjs - deciding about pictures of a class with the mouse and with keys alone; what others decide
 * meanwhile is said, and what one has not saved stays; filters by bin and by range. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';

import { PASSWORD, accessible, faultBin, fitsWidth, launch, must, newProject, noProblems, openPage, press, signIn, startServer, tempDir, until } from './lib.mjs';

const CLASS = '/classes/n00000001';

/* Images by name in two classes, with votes; a lead and an expert. */
async function site(t) {
  const dir = await newProject(t);
  await must(['generate', dir, '--images', '84', '--classes', '2', '--votes', '2400']);
  const file = path.join(tempDir(t), 'password');
  fs.writeFileSync(file, `${PASSWORD}\n`);
  for (const role of ['lead', 'expert']) await must(['user', 'add', dir, role, '--role', role, '--password-file', file]);
  return startServer(t, dir, { binary: faultBin });
}

async function opened(browser, url, login) {
  const page = await openPage(browser, `${url}/login`);
  await signIn(page, login, PASSWORD);
  await page.goto(CLASS);
  return page;
}

const cards = (page) => page.locator('#images [data-decide-card]');
const reason = (page, i) => cards(page).nth(i).locator('select');
const set = (page, i) => cards(page).nth(i).getByLabel('Near-duplicate set');
const nameOf = (page, i) => cards(page).nth(i).locator('.name a').innerText();
const status = (page) => page.locator('[data-decide-status]').innerText();
const save = (page) => press(page, page.getByRole('button', { name: 'Save decisions' }));

test('deciding with mouse and keys, beside somebody else', async (t) => {
  const { url } = await site(t);
  const browser = await launch(t);
  const lead = await opened(browser, url, 'lead');
  const expert = await opened(browser, url, 'expert');
  const names = await Promise.all([0, 1, 2, 3].map((i) => nameOf(lead, i)));

  await t.test('near-duplicates are clicked together', async () => {
    await lead.getByRole('button', { name: 'Group near-duplicates' }).click();
    await cards(lead).nth(1).locator('.no-file').click();
    assert.equal(await lead.getByRole('button', { name: 'Select at least two images' }).isDisabled(), true);
    await cards(lead).nth(2).locator('.no-file').click();
    /* What the page hears meanwhile, its own first look at the server too, makes the cards anew. */
    await lead.evaluate(() => {
      const images = document.getElementById('images');
      images.querySelectorAll('.selected').forEach((card) => card.classList.remove('selected'));
      images.dispatchEvent(new CustomEvent('live:changed', { bubbles: true }));
    });
    assert.equal(await cards(lead).and(lead.locator('.selected')).count(), 2);
    await lead.getByRole('button', { name: 'These 2 show the same photo' }).click({ timeout: 5000 });
    assert.deepEqual([await set(lead, 1).inputValue(), await set(lead, 2).inputValue()], ['1', '1']);
    assert.match(await status(lead), /^2 images changed/);
    await accessible(lead);
    await fitsWidth(lead);
  });

  await t.test('keys alone do the same; nothing but what changed is sent', async () => {
    await cards(expert).nth(3).locator('a').first().focus();
    await expert.keyboard.press('2');
    assert.equal(await reason(expert, 3).inputValue(), 'drawing');
    await expert.keyboard.press('0');
    assert.equal(await reason(expert, 3).inputValue(), '');
    await expert.keyboard.press('ArrowLeft');
    await expert.keyboard.press('Space');
    await expert.keyboard.press('ArrowRight');
    await expert.keyboard.press('Space');
    await expert.keyboard.press('g');
    assert.deepEqual([await set(expert, 2).inputValue(), await set(expert, 3).inputValue()], ['1', '1']);
    await expert.keyboard.press('u');
    assert.equal(await set(expert, 3).inputValue(), '');
    await expert.keyboard.press('ArrowLeft');
    await expert.keyboard.press('u');
    assert.equal(await expert.locator('form#decide[data-unsaved]').count(), 0);
    await reason(expert, 0).selectOption('class');
    const [request] = await Promise.all([
      expert.waitForRequest((r) => r.method() === 'POST'), expert.waitForNavigation(), expert.keyboard.press('Control+Enter'),
    ]);
    const sent = [...new URLSearchParams(request.postData()).keys()].filter((k) => /-\d+$/.test(k));
    assert.equal(sent.length, 4, sent.join());
    assert.match(await expert.locator('#decisions').innerText(), /expert blacklisted 1 image/);
    assert.equal(await expert.getByText(names[0], { exact: true }).count(), 1, 'named in the decision alone');
  });

  await t.test('the other page says so and keeps what is not saved', async () => {
    await lead.getByText('Since you opened this page').waitFor();
    assert.match(await lead.locator('#changed').innerText(), /expert blacklisted 1 image/);
    assert.equal(await set(lead, 1).inputValue(), '1');
    await save(lead);
    assert.match(await lead.locator('h1').innerText(), /Somebody else has decided about /);
    await press(lead, lead.getByRole('button', { name: 'Store mine too' }));
    assert.match(await lead.locator('#decisions').innerText(), /lead grouped 2 images as near-duplicates.*expert blacklisted 1 image/s);
    const shown = await cards(lead).locator('.name').allInnerTexts();
    assert.ok(!shown.includes(names[0]), 'blacklisted by the other');
    assert.equal(shown.filter((n) => [names[1], names[2]].includes(n)).length, 1, 'one of the photo stays');
  });

  await t.test('another one joins a set that is there already', async () => {
    const namesNow = () => cards(lead).evaluateAll((list) => list.map((card) => card.querySelector('.name a').innerText));
    const shown = await namesNow();
    const held = shown.findIndex((n) => [names[1], names[2]].includes(n));
    const joins = shown.findIndex((n) => !names.includes(n));
    const text = await set(lead, held).inputValue();
    assert.notEqual(text, '');
    await set(lead, joins).fill(text);
    assert.match(await status(lead), /^1 image changed/);
    await save(lead);
    const newest = lead.locator('#decisions .decided-list > li').first();
    assert.match(await newest.innerText(), /lead grouped 2 images as near-duplicates/);
    assert.ok((await newest.textContent()).includes(shown[joins]));
    const left = await namesNow();
    assert.equal(left.filter((n) => [names[1], names[2], shown[joins]].includes(n)).length, 1, 'one photo, one picture');
    await press(lead, newest.getByRole('button', { name: /^Undo/ }));
  });

  await t.test('undoing takes one decision back and leaves the other', async () => {
    await press(lead, lead.locator('.decided-list li', { hasText: 'expert blacklisted' }).getByRole('button', { name: /^Undo/ }));
    const shown = await cards(lead).locator('.name').allInnerTexts();
    assert.ok(shown.includes(names[0]));
    assert.equal(shown.filter((n) => [names[1], names[2]].includes(n)).length, 1);
  });

  await t.test('bins or a range, whichever was touched last', async () => {
    await lead.getByLabel('Frequency from').fill('0.3');
    await lead.getByLabel('0.8 to 1').check();
    assert.equal(await lead.getByLabel('Frequency from').inputValue(), '0');
    await lead.getByLabel('Frequency to').fill('0.5');
    await lead.getByLabel('Frequency to').blur();
    assert.equal(await lead.getByLabel('0.8 to 1').isChecked(), false);
    await lead.waitForURL(/most=0\.5/);
    const texts = await cards(lead).locator('strong').allInnerTexts();
    assert.ok(texts.length > 0 && texts.every((x) => Number(x) <= 0.5), texts.join());
    assert.equal(await lead.getByLabel('Frequency to').inputValue(), '0.5');
  });

  await t.test('a filter applies at once, on the page that is there', async () => {
    await lead.goto('/images');
    await lead.evaluate(() => { window.stays = true; });
    const all = await lead.locator('#count').innerText();
    await lead.getByLabel('Role').focus();
    await lead.getByLabel('Role').selectOption('originals');
    await lead.waitForURL(/role=originals/);
    assert.notEqual(await lead.locator('#count').innerText(), all);
    assert.ok((await lead.locator('#live td:nth-child(3), #live .role').allInnerTexts()).every((x) => !/candidate/.test(x)));
    assert.equal(await lead.evaluate(() => document.activeElement.id), 'list-role', 'the focus stays');
    assert.equal(await lead.evaluate(() => window.stays), true, 'no page was loaded');
    await lead.reload();
    assert.equal(await lead.getByLabel('Role').inputValue(), 'originals', 'the address says it');
    assert.notEqual(await lead.locator('#count').innerText(), all);
    await lead.goto('/workers');
    await lead.getByLabel('Who', { exact: true }).selectOption('blocked');
    await lead.getByText('Nobody matches').waitFor();
    await lead.goto('/classes');
    await lead.getByLabel('Name or wnid', { exact: true }).fill('n00000001');
    await lead.keyboard.press('Tab');
    await lead.waitForURL(new RegExp(`${CLASS}$`), { timeout: 10000 });
  });

  await t.test('who has not saved is asked before a filter takes it away', async () => {
    await lead.goto(CLASS);
    await reason(lead, 0).selectOption({ index: 1 });
    let asked = 0;
    lead.once('dialog', (dialog) => { asked++; dialog.dismiss(); });
    await lead.getByLabel('Sort by').selectOption('name');
    await until(() => asked === 1);
    assert.notEqual(await reason(lead, 0).inputValue(), '');
  });

  /* The reply to the page that was too old is an error for the browser too. */
  assert.deepEqual(lead.problems.filter((p) => !/status of 412/.test(p)), []);
  noProblems(expert);
});
