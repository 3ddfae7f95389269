/* review.test.mjs - two reviewers at one class: one decides with keyboard and mouse, groups and undoes; the
 * other's open page says what changed and loses nothing; the next revision replaces exactly what was
 * decided. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';

import {
  Client, PASSWORD, accessible, faultBin, launch, must, newProject, noProblems, openPage, press, shot, startServer, tempDir,
} from './lib.mjs';
import { writeImages } from '../http/study.mjs';

const WNID = 'n00000001';
const at = (revision) => `/sets/fresh/${revision}/${WNID}`;
const POOL = 42;
const name = (i, kind = 'candidate') => `${WNID}-${kind}-${i}`;

/* One class of POOL candidates that everybody selected, some originals, and a set of ten of them. */
async function makeSite(t) {
  const dir = await newProject(t);
  const work = tempDir(t);
  const file = (at, text) => {
    fs.writeFileSync(path.join(work, at), text);
    return path.join(work, at);
  };
  const range = (from, n) => Array.from({ length: n }, (_, i) => from + i);
  const rows = [...range(0, POOL).map((i) => [name(i), 'cand']), ...range(0, 12).map((i) => [name(i, 'original'), 'val'])]
    .map(([image, kind], idx) => `${idx},${image},${WNID},${kind},,2014-05-${10 + (idx % 20)}\n`);
  await must(['import', 'classes', dir, file('classes.jsonl', `${JSON.stringify({ cid: 0, wnid: WNID, synset: ['apple'], gloss: 'a round fruit' })}\n`)]);
  await must(['import', 'image-list', dir, file('images.csv', `idx,image,wnid,kind,source_id,date_taken\n${rows.join('')}`)]);
  writeImages(path.join(work, 'originals'), 'original', { [WNID]: 12 });
  writeImages(path.join(work, 'candidates'), 'candidate', { [WNID]: POOL });
  await must(['import', 'images', dir, path.join(work, 'originals'), '--role', 'original']);
  await must(['import', 'images', dir, path.join(work, 'candidates')]);
  await must(['import', 'hits', dir, file('hits.jsonl', `${JSON.stringify({
    hit: 0, uuid: '3c7987e5-737d-4f07-9905-35b1d76c181a', wnid: WNID, time: '2018-08-17 16:11:23',
    label: range(0, POOL), pos: range(POOL, 3), neg: [], all: range(0, POOL + 3) })}\n`)]);
  await must(['import', 'votes', dir, file('votes.csv', ['assignment,hit,worker,status,accept_time,duration_s,mask_hex',
    ...range(0, 10).map((i) => `${i},0,w${i},A,1535546579,120,${((1n << BigInt(POOL + 3)) - 1n).toString(16)}`), ''].join('\n'))]);
  await sample(dir);
  const password = file('password', `${PASSWORD}\n`);
  for (const login of ['ada', 'bob']) await must(['user', 'add', dir, login, '--role', 'expert', '--password-file', password]);
  const server = await startServer(t, dir, { binary: faultBin });
  return { dir, server };
}

const sample = (dir, options = []) =>
  must(['sample', dir, '--set', 'fresh', '--strategy', 'threshold', '--threshold', '0.5', '--seed', '1', ...options]);

const imagesOf = async (dir, revision) =>
  (await must(['export', 'set', dir, revision, '--format', 'list'])).trim().split('\n').slice(1).map((line) => line.split(',')[0]);

async function visit(browser, server, login, revision) {
  const { cookies } = await new Client(server.url).login(login);
  return openPage(browser, `${server.url}${at(revision)}`, { cookies });
}

const card = (page, image) => page.locator('[data-card]').filter({ has: page.getByText(image, { exact: true }) });
const picture = (page, image) => card(page, image).locator('[data-picture]');

/* Stays on the page. */
async function save(page) {
  const here = new URL(page.url()).pathname;
  await Promise.all([page.waitForNavigation(), page.keyboard.press('Control+Shift+Enter')]);
  assert.equal(new URL(page.url()).pathname, here);
}

async function twoReviewers({ dir, server, browser }) {
  const before = await imagesOf(dir, 'fresh/0');
  const [ada, bob] = await Promise.all(['ada', 'bob'].map((login) => visit(browser, server, login, 0)));
  assert.equal(before.length, 10);
  const shown = await ada.locator('[data-card]:not(.original) .review-name').allInnerTexts();
  assert.deepEqual([...shown].sort(), [...before].sort());
  const [wrong, fine, ...group] = shown.slice(0, 5);
  await accessible(ada);

  const earlier = await ada.locator('.decided-list > li').count();

  /* Bob marks one and does not save. */
  await card(bob, shown[9]).locator('select').selectOption('unclear');
  const news = bob.locator('#review-news');
  assert.equal(await news.innerText(), '');

  /* Ada: the keyboard goes from image to image, a digit is a reason. */
  await picture(ada, wrong).focus();
  await ada.keyboard.press('1');
  assert.equal(await card(ada, wrong).locator('select').inputValue(), 'class');
  await save(ada);
  await picture(ada, wrong).focus();
  await ada.keyboard.press('ArrowRight');
  await ada.keyboard.press('2');
  assert.equal(await card(ada, fine).locator('select').inputValue(), 'drawing');
  await save(ada);
  for (const image of group) await picture(ada, image).click();
  assert.equal(await ada.locator('[data-marked-text]').innerText(), '3 images marked');
  await ada.keyboard.press('g');
  const sets = await Promise.all(group.map((image) => card(ada, image).locator('[name^="set-"]').inputValue()));
  assert.ok(sets[0] && sets.every((text) => text === sets[0]), sets.join());
  await ada.keyboard.press('r');
  await save(ada);
  const about = ada.locator('.decided-list > li');
  assert.equal(await about.count(), earlier + 3);
  await Promise.all([ada.waitForNavigation(), about.filter({ hasText: fine }).getByRole('button', { name: /^Undo/ }).first().click()]);
  assert.equal(await card(ada, fine).locator('select').inputValue(), '');
  assert.equal(await card(ada, wrong).locator('select').inputValue(), 'class');
  assert.ok(await ada.locator('[name="reviewed"]').isChecked());

  /* Bob's page says all of it and still has his own mark. */
  for (const text of [/ada blacklisted 1 image/, /ada grouped 3 images as near-duplicates, marked the class as reviewed/,
    /ada undid a decision, took 1 image off the blacklist/]) {
    await news.getByText(text).first().waitFor();
  }
  assert.ok((await news.innerText()).includes(wrong));
  assert.equal(await card(bob, shown[9]).locator('select').inputValue(), 'unclear');
  await accessible(bob);

  /* He saves all the same: nothing is overwritten, he is asked, and he leaves it. */
  const [reply] = await Promise.all([bob.waitForNavigation(), bob.keyboard.press('Control+Shift+Enter')]);
  assert.equal(reply.status(), 412);
  assert.match(await bob.locator('main').innerText(), /Your changes are not stored yet/);
  await Promise.all([bob.waitForNavigation(), bob.getByText('Discard mine and look again').click()]);
  assert.equal(await card(bob, shown[9]).locator('select').inputValue(), '');
  assert.equal(await card(bob, wrong).locator('select').inputValue(), 'class');

  /* The next revision: the blacklisted one and two of the three are replaced, nothing else. */
  await sample(dir, ['--parent', 'fresh/0']);
  const after = await imagesOf(dir, 'fresh/1');
  const gone = before.filter((image) => !after.includes(image));
  assert.equal(after.length, 10);
  assert.ok(gone.includes(wrong) && after.includes(fine));
  assert.equal(gone.filter((image) => group.includes(image)).length, 2);
  assert.equal(gone.length, 3);
  noProblems(ada);
}

const barInView = (page) => page.evaluate(() => {
  const bar = document.querySelector('.review-bar').getBoundingClientRect();
  const buttons = [...document.querySelectorAll('.review-bar button, .review-bar input')].filter((e) => e.offsetParent);
  return { in: bar.top >= 0 && bar.bottom <= window.innerHeight + 1 && bar.right <= document.documentElement.clientWidth,
    says: buttons.map((e) => e.name || e.innerText).sort().join(), y: window.scrollY };
});

/* Wherever the reader is: the bar is in view, the focus was at the first image, and is never behind the bar. */
async function barAndFocus({ server, browser }) {
  const { cookies } = await new Client(server.url).login('ada');
  for (const [width, height, colorScheme] of [[1440, 900, 'light'], [360, 740, 'dark'], [1280, 400, 'light']]) {
    const page = await openPage(browser, `${server.url}${at(0)}`, { cookies, width, height, colorScheme });
    const says = 'Keys,back,back,problematic,reviewed';
    assert.equal(await page.evaluate(() => document.activeElement === document.querySelector('[data-picture]')), true);
    const places = [];
    for (const to of [0, 0.5, 1]) {
      await page.evaluate((part) => window.scrollTo(0, part * document.documentElement.scrollHeight), to);
      const bar = await barInView(page);
      assert.deepEqual([bar.in, bar.says.replaceAll('Save and continue', 'back').replaceAll(/\bSave\b/g, 'back')], [true, says], `${width} px, ${to}`);
      places.push(bar.y);
    }
    assert.ok(places[0] < places[1] && places[1] < places[2], places.join());
    for (const key of ['Home', 'ArrowDown', 'ArrowDown', 'End']) {
      await page.evaluate(() => document.querySelector('[data-picture][tabindex="0"]').focus());
      await page.keyboard.press(key);
      const hidden = await page.evaluate(() => document.activeElement.getBoundingClientRect().top >
        document.querySelector('.review-bar').getBoundingClientRect().top);
      assert.ok(!hidden, `${width} px, ${key}`);
    }
    await accessible(page);
    noProblems(page);
    await page.context().close();
  }
}

/* Everything that can be said of an image can be said while it is shown large, by keys and by hand. */
async function decideLarge({ server, browser }) {
  const page = await visit(browser, server, 'ada', 0);
  const names = await page.locator('[data-card]:not(.original) .review-name').allInnerTexts();
  const reason = (i) => card(page, names[i]).locator('select').inputValue();
  const set = (i) => card(page, names[i]).locator('[name^="set-"]').inputValue();
  const says = page.locator('[data-large-text]');
  const large = page.locator('#review-large');
  await page.keyboard.press('z');
  await large.locator('img').waitFor();
  const first = await large.locator('img').getAttribute('src');
  await page.keyboard.press('2');
  assert.equal(await reason(0), 'drawing');
  assert.match(await says.innerText(), /^image 1, 1 of \d+ · Blacklist: drawing/);
  await page.keyboard.press('0');
  assert.equal(await reason(0), '');
  for (const key of ['Space', 'ArrowRight', 'Space', 'ArrowRight']) await page.keyboard.press(key);
  assert.match(await says.innerText(), /^image 3, 3 of \d+ · 2 marked in all/);
  await page.keyboard.press('g');
  assert.ok(await set(0) !== '' && await set(0) === await set(1) && await set(2) === '');
  await page.keyboard.press('r');
  assert.match(await says.innerText(), /class reviewed/);
  assert.ok(await page.locator('[name="reviewed"]').isChecked());
  await page.keyboard.press('7');
  await page.keyboard.type('a reflection, 2 of 3');
  assert.equal(await card(page, names[2]).locator('[name^="note-"]').inputValue(), 'a reflection, 2 of 3');
  assert.equal(await reason(2), 'other', 'digits of a note are text');
  await accessible(page);

  /* By hand. */
  await large.getByRole('button', { name: 'Next image' }).click();
  await large.locator('select').selectOption('unclear');
  assert.equal(await reason(3), 'unclear');
  await large.getByRole('checkbox', { name: 'Marked' }).check();
  await large.getByRole('button', { name: 'Previous image' }).click();
  await large.getByRole('checkbox', { name: 'Marked' }).check();
  await large.getByRole('button', { name: 'Same photo' }).click();
  assert.ok(await set(2) !== '' && await set(2) === await set(3));
  assert.notEqual(await large.locator('img').getAttribute('src'), first);
  await large.getByRole('button', { name: 'Close' }).click();
  await page.waitForFunction((name) => /* once the dialog has told that it is closed */
    document.activeElement.closest('[data-card]')?.querySelector('.review-name').innerText === name, names[2]);
  await page.evaluate(() => localStorage.clear()); /* nothing of this is to be saved */
  noProblems(page);
  await page.context().close();
}

/* What was saved is said with the class's name, and taken back from wherever one is then. */
async function toldAndUndone({ server, browser }) {
  const { cookies } = await new Client(server.url).login('ada');
  for (const javaScriptEnabled of [true, false]) {
    const page = await openPage(browser, `${server.url}${at(0)}`, { cookies, javaScriptEnabled });
    const [name] = await page.locator('[data-card]:not(.original) .review-name').allInnerTexts();
    const toast = page.locator('[data-toast]');
    await card(page, name).locator('select').selectOption('drawing');
    await page.locator('[name="reviewed"]').check();
    await press(page, page.getByRole('button', { name: 'Save and continue' }));
    assert.equal(new URL(page.url()).pathname, '/sets/fresh/0/review');
    assert.equal(await toast.locator('p').innerText(), 'apple: 1 blacklisted, class reviewed');
    if (javaScriptEnabled) await accessible(page);
    else assert.equal(await page.locator('meta[http-equiv="refresh"]').count(), 0, 'it does not reload itself away');
    await press(page, toast.getByRole('button', { name: 'Undo' }));
    assert.equal(new URL(page.url()).pathname, at(0));
    assert.equal(await toast.locator('p').innerText(), 'apple: undone, 1 off the blacklist, class not reviewed');
    assert.equal(await toast.getByRole('button', { name: 'Undo' }).count(), 0);
    assert.equal(await card(page, name).locator('select').inputValue(), '');
    assert.ok(!await page.locator('[name="reviewed"]').isChecked());
    await page.reload();
    assert.equal(await toast.count(), 0, 'said once');
    noProblems(page);
    await page.context().close();
  }
}

/* Whoever works with the keyboard is at the images, far from the note about what was saved: a key undoes it. */
async function undoneByKey({ server, browser }) {
  const page = await visit(browser, server, 'ada', 0);
  const [name] = await page.locator('[data-card]:not(.original) .review-name').allInnerTexts();
  const toast = page.locator('[data-toast]');
  await picture(page, name).focus();
  await page.keyboard.press('2');
  await save(page);
  const undo = toast.getByRole('button', { name: 'Undo' });
  assert.deepEqual([await undo.getAttribute('aria-keyshortcuts'), await undo.textContent()], ['Control+Z', 'Undo Ctrl+Z']);
  await page.locator('[aria-live]', { hasText: 'Control Z undoes it' }).waitFor({ state: 'attached' });
  await accessible(page);
  await shot(page, 'review-toast', { fullPage: false });
  await card(page, name).locator('[name^="note-"]').focus();
  await page.keyboard.press('Control+z');
  assert.equal(await undo.count(), 1, 'in a field it is the browser\'s');
  await picture(page, name).focus();
  await page.waitForTimeout(600); /* not a second one of a double press */
  await Promise.all([page.waitForNavigation(), page.keyboard.press('Control+z')]);
  assert.match(await toast.locator('p').innerText(), /^apple: undone, 1 off the blacklist/);
  assert.equal(await card(page, name).locator('select').inputValue(), '');
  noProblems(page);
  await page.context().close();
}

/* In the revision that was made above. */
async function keysAndDrafts({ server, browser }) {
  const page = await visit(browser, server, 'bob', 1);
  const [first, second] = await page.locator('[data-card]:not(.original) .review-name').allInnerTexts();
  await picture(page, first).focus();
  await page.keyboard.press('Space');
  await page.keyboard.press('End');
  await page.keyboard.press('Home');
  assert.equal(await page.evaluate(() => document.activeElement.getAttribute('aria-checked')), 'true');
  await page.keyboard.press('7');
  assert.ok(await page.evaluate(() => document.activeElement.name.startsWith('note-')), 'other asks for a note');
  await page.keyboard.type('a reflection, 1 of 2');
  await page.keyboard.press('Tab');
  await page.reload();
  assert.equal(await card(page, first).locator('select').inputValue(), 'other');
  assert.equal(await card(page, first).locator('[name^="note-"]').inputValue(), 'a reflection, 1 of 2');
  await picture(page, first).focus();
  await page.keyboard.press('0');
  await page.reload();
  assert.equal(await card(page, first).locator('select').inputValue(), '');

  /* One large, the sheet of keys, single keys off. */
  await picture(page, second).focus();
  await page.keyboard.press('z');
  await page.locator('#review-large[open] img').waitFor();
  await page.keyboard.press('Escape');
  await page.keyboard.press('?');
  await page.locator('#review-keys [data-single]').uncheck();
  await page.keyboard.press('Escape');
  await picture(page, second).focus();
  await page.keyboard.press('1');
  assert.equal(await card(page, second).locator('select').inputValue(), '');

  const shown = () => page.locator('.original .review-name').allInnerTexts();
  const some = await shown();
  await card(page, second).locator('select').selectOption('drawing');
  await page.locator('[data-others]').click();
  await page.waitForFunction((text) => document.querySelector('.original .review-name').innerText !== text, some[0]);
  assert.deepEqual((await shown()).filter((text) => some.includes(text)), []);
  assert.equal(await card(page, second).locator('select').inputValue(), 'drawing', 'others change nothing else');
  await page.locator('[name="reviewed"]').check();
  await Promise.all([page.waitForNavigation(), page.keyboard.press('Control+Enter')]);
  assert.equal(new URL(page.url()).pathname, '/sets/fresh/1/review', 'it was the only class');
  assert.match(await page.locator('main').innerText(), /1 of 1 classes reviewed; nothing is left for you/);
  noProblems(page);
}

/* What is not saved survives other originals and, as far as it still means the same, what others decide. */
async function unsavedStays({ server, browser }) {
  const [ada, bob] = await Promise.all(['ada', 'bob'].map((login) => visit(browser, server, login, 1)));
  const set = (page, image) => card(page, image).locator('[name^="set-"]');
  const originals = () => ada.locator('.original .review-name').allInnerTexts();
  const saying = ada.locator('[data-review-status]');
  const [first, second, third] = await ada.locator('[data-card]:not(.original) .review-name').allInnerTexts();
  const some = await originals();
  const othersOf = async (before) => {
    await ada.locator('[data-others]').click();
    await ada.waitForFunction((text) => [...document.querySelectorAll('.original .review-name')].at(-1).innerText !== text, before.at(-1));
  };

  /* An original that is to be of a set stays while others come. */
  await picture(ada, first).click();
  await picture(ada, some[3]).click();
  await ada.keyboard.press('g');
  const name = await set(ada, first).inputValue();
  assert.equal(await set(ada, some[3]).inputValue(), name);
  await othersOf(some);
  const after = await originals();
  assert.equal(after[0], some[3]);
  assert.deepEqual(after.filter((text) => some.includes(text)), [some[3]]);
  const mine = await set(ada, first).inputValue();
  assert.equal(await set(ada, some[3]).inputValue(), mine);
  const [request] = await Promise.all([ada.waitForRequest((r) => r.method() === 'POST'), save(ada)]);
  const sent = [...new URLSearchParams(request.postData())].filter(([key, value]) => key.startsWith('set-') && value === mine);
  assert.equal(sent.length, 2);
  assert.match(await ada.locator('.decided-list > li').first().innerText(), /ada grouped 2 images as near-duplicates/);

  /* Numbers of sets, and what somebody changed, are not brought back onto another version of the class. */
  await set(ada, second).fill('7');
  await set(ada, third).fill('7');
  await card(ada, second).locator('select').selectOption('unclear');
  await card(ada, third).locator('select').selectOption('drawing');
  await bob.goto(at(1));
  await card(bob, third).locator('select').selectOption('class');
  await save(bob);
  await ada.locator('[data-others]').click();
  await saying.getByText(/^Somebody has decided about this class/).waitFor();
  await ada.reload();
  assert.deepEqual(await Promise.all([second, third].map((image) => set(ada, image).inputValue())), ['', '']);
  assert.equal(await card(ada, second).locator('select').inputValue(), 'unclear', 'nobody else said anything about it');
  assert.equal(await card(ada, third).locator('select').inputValue(), 'class', 'what somebody decided is not overwritten');
  assert.match(await saying.innerText(), /^3 unsaved changes were not restored/);
  await ada.reload();
  assert.equal(await saying.innerText(), '');
  assert.equal(await card(ada, second).locator('select').inputValue(), 'unclear');
  await save(ada);

  for (const image of [second, third]) await card(ada, image).locator('select').selectOption('');
  await save(ada);
  noProblems(ada);
  noProblems(bob);
}

/* The image alone decides: frequencies come when they are asked for, with what was not saved. */
async function askedFor({ server, browser }) {
  const page = await visit(browser, server, 'ada', 0);
  const main = () => page.locator('main').innerText();
  const told = /\(n \d+, 0\.\d\d/;
  assert.doesNotMatch(await main(), told);
  assert.equal(await page.locator('main a[href^="/images/"]:not([data-large])').count(), 0);
  assert.equal(await page.locator('main a[href^="/classes/"]').count(), 0);
  const button = page.getByRole('button', { name: 'Show frequencies' });
  assert.ok(await button.isVisible());
  await accessible(page);
  const [first] = await page.locator('[data-card]:not(.original) .review-name').allInnerTexts();
  await card(page, first).locator('select').selectOption('unclear');
  await picture(page, first).focus();
  await Promise.all([page.waitForNavigation(), page.keyboard.press('f')]);
  assert.match(await main(), told);
  assert.equal(await button.count(), 0);
  assert.equal(await card(page, first).locator('select').inputValue(), 'unclear', 'what was not saved is there again');
  assert.equal(await page.locator('main a.review-name').count() > 0, true);
  await card(page, first).locator('select').selectOption('');
  await accessible(page);
  noProblems(page);
}

/* In a blind round fields go by places: what one round leaves unsaved is nothing in the next, nor for somebody else. */
async function blindDrafts({ server, browser }) {
  const lead = await new Client(server.url).login('admin');
  const begin = async () => assert.equal((await lead.post('/sets/fresh/1/rounds', { originals: '20', repeats: '0' })).status, 303);
  await begin();
  const ada = await visit(browser, server, 'ada', 1);
  const reason = (page, place) => page.locator(`[name="reason-${place}"]`);
  await reason(ada, 0).selectOption('unclear');
  await ada.reload();
  assert.equal(await reason(ada, 0).inputValue(), 'unclear');

  /* Somebody else at the same browser. */
  const { cookies } = await new Client(server.url).login('bob');
  const own = await ada.context().cookies();
  await ada.context().addCookies([...cookies].map(([name, value]) => ({ name, value, url: server.url })));
  await ada.reload();
  assert.equal(await reason(ada, 0).inputValue(), '');
  await ada.context().addCookies(own);
  await ada.reload();
  assert.equal(await reason(ada, 0).inputValue(), 'unclear');
  await begin();
  await ada.reload();
  assert.equal(await reason(ada, 0).inputValue(), '');
  noProblems(ada);
}

test('the final review of a class', async (t) => {
  const [site, browser] = await Promise.all([makeSite(t), launch(t)]);
  await t.test('frequencies are hidden until somebody asks', () => askedFor({ ...site, browser }));
  await t.test('the bar stays in view and the focus begins at the first image', () => barAndFocus({ ...site, browser }));
  await t.test('an image that is shown large is decided about there', () => decideLarge({ ...site, browser }));
  await t.test('what was saved is said, and undone from there, without a script too', () => toldAndUndone({ ...site, browser }));
  await t.test('what was saved is undone by a key', () => undoneByKey({ ...site, browser }));
  await t.test('two reviewers at one class, and the next revision', () => twoReviewers({ ...site, browser }));
  await t.test('what is not saved stays as far as it holds', () => unsavedStays({ ...site, browser }));
  await t.test('what is not saved comes back, and keys lead on', () => keysAndDrafts({ ...site, browser }));
  await t.test('drafts of blind rounds are of one round and one person', () => blindDrafts({ ...site, browser }));
});
