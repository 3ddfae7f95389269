/* grid.test.mjs - the grid page with its script: the keyboard alone from the link to the code, mouse and
 * touch, every state of the page with the rules of WCAG and a picture of it, and what it weighs. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';

import { png } from '../http/study.mjs';
import { sqlite } from '../load/tools.mjs';
import { LONG, accessible, fitsWidth, launch, must, noProblems, openPage, shot, tempDir } from './lib.mjs';
import { ahead, button, cells, look, picked, place, shown, toGrid } from './grid.mjs';
import { demoSite } from './world.mjs';

const WEIGHT = 69000;

const CAMPAIGNS = [
  ['--campaign', 'keys', '--grids-per-place', '3', '--same-image-again'],
  ['--campaign', 'free', '--layout', 'free', '--bulk-select', '--same-image-again', '--answers-per-grid', '100'],
  ['--campaign', 'short', '--lease', '90', '--same-image-again', '--answers-per-grid', '100'],
  ['--campaign', 'wide', '--min-screen', '900', '--same-image-again', '--answers-per-grid', '100'],
  ['--campaign', 'once', '--grids-per-place', '1', '--same-image-again', '--answers-per-grid', '100'],
];

/* Six examples of every class, so that each panel shows some. */
async function addExamples(t, site) {
  const folder = tempDir(t);
  const classes = (await sqlite(`${site.dir}/holdout.db`, 'SELECT wnid FROM class;')).trim().split('\n');
  for (const wnid of classes) {
    fs.mkdirSync(path.join(folder, wnid));
    for (let i = 0; i < 7; i++) {
      fs.writeFileSync(path.join(folder, wnid, `${wnid}-example-${i}.png`), png(`${wnid} example ${i}`, 60, 40));
    }
  }
  await must(['import', 'images', site.dir, folder, '--role', 'reference']);
}

/* --- the keyboard --- */

/* Presses and counts; a toggle is a Space. */
function hands(page) {
  const count = { toggles: 0, moves: 0 };
  return {
    count,
    async press(key) {
      await page.keyboard.press(key);
      if (key === 'Space') count.toggles++;
      else count.moves++;
    },
  };
}

const focusOn = (page) => page.evaluate(() => {
  const e = document.activeElement;
  return e.matches('.cell input') ? Number(e.value) : e.textContent.trim();
});

async function keyboardOnly(browser, site) {
  const page = await openPage(browser, place(site, 'keys', 'keyboard'), { width: 1920, height: 1080 });
  const h = hands(page);
  for (const name of ['I agree, start']) {
    while (await focusOn(page) !== name) await h.press('Tab');
    await Promise.all([page.waitForNavigation(), h.press('Enter')]);
  }
  for (const [grid, wanted] of [[0, 10, 47], [5], [8, 9, 17, 25, 46]].entries()) {
    const url = page.url();
    await page.waitForSelector('[data-tools]:not([hidden])');
    while (typeof await focusOn(page) === 'string') await h.press('Tab');
    const before = h.count.toggles;
    let at = await focusOn(page);
    for (const cell of wanted) {
      while (at !== cell) {
        const down = Math.floor(cell / 8) - Math.floor(at / 8);
        await h.press(down > 0 ? 'ArrowDown' : cell > at ? 'ArrowRight' : 'ArrowLeft');
        at = await focusOn(page);
      }
      await h.press('Space');
    }
    assert.deepEqual(await picked(page), wanted);
    await h.press('Control+Enter');
    assert.ok(h.count.toggles - before <= wanted.length + 2, `${h.count.toggles - before} toggles for ${wanted.length}`);
    if (grid < 2) await page.waitForFunction((u) => location.href !== u, url);
  }
  await page.waitForSelector('output.code');
  const masks = await sqlite(`${site.dir}/holdout.db`, `SELECT count(*), sum(active_ms > 0), sum(json_extract(device, '$.columns') = 8 AND json_extract(device, '$.cell[0]') = 150)
    FROM answer w JOIN assignment a ON a.id = w.assignment JOIN grid g ON g.id = a.grid
    JOIN campaign c ON c.id = g.campaign WHERE c.name = 'keys';`);
  assert.equal(masks.trim(), '3|3|3', 'three answers with their time and columns');
  noProblems(page);
  await page.context().close();
}

async function keysInTheGrid(browser, site) {
  const page = await toGrid(browser, site, 'free', 'keys', { width: 1280, height: 900 });
  const columns = await page.evaluate(() => {
    const tops = [...document.querySelectorAll('.cell')].map((e) => e.offsetTop);
    return tops.filter((top) => top === tops[0]).length;
  });
  const keys = async (...names) => { for (const name of names) await page.keyboard.press(name); };
  await page.keyboard.press('Tab');
  await cells(page).first().focus();
  assert.equal(await page.locator('.cell input[tabindex="0"]').count(), 1, 'one tab stop');
  await keys('ArrowDown', 'ArrowRight');
  assert.equal(await focusOn(page), columns + 1);
  await keys('Home');
  assert.equal(await focusOn(page), columns);
  await keys('End');
  assert.equal(await focusOn(page), 2 * columns - 1);
  await keys('Control+End');
  assert.equal(await focusOn(page), 47);
  await keys('Control+Home', 'ArrowLeft', 'ArrowUp');
  assert.equal(await focusOn(page), 0, 'the grid ends there');
  await keys('PageDown');
  const far = await focusOn(page);
  assert.ok(far >= columns && far % columns === 0, `a page down: ${far}`);
  await keys('PageUp');
  assert.equal(await focusOn(page), 0);

  await keys('Shift+ArrowRight', 'Shift+ArrowRight', 'Shift+ArrowRight', 'Shift+ArrowLeft');
  assert.deepEqual(await picked(page), [0, 1, 2], 'extending, and less of it');
  await keys('u');
  assert.deepEqual(await picked(page), [0, 1, 2, 3]);
  await keys('Control+z', 'Control+z', 'Control+z');
  assert.deepEqual(await picked(page), []);
  await keys('Control+Shift+z');
  assert.deepEqual(await picked(page), [0, 1]);
  await keys('i');
  assert.equal((await picked(page)).length, 46);
  await keys('a');
  assert.equal((await picked(page)).length, 48);
  await keys('n');
  assert.deepEqual(await picked(page), []);
  await keys('Control+Home', 'Enter');
  assert.deepEqual(await picked(page), [0], 'Enter selects and does not submit');

  await keys('?');
  await page.getByRole('checkbox', { name: /single-key shortcuts/ }).uncheck();
  await keys('Escape');
  await cells(page).first().focus();
  await keys('a', 'z', 'f');
  assert.deepEqual(await picked(page), [0], 'single keys are off');
  assert.equal(await page.locator('dialog[open]').count(), 0);
  await page.reload();
  await cells(page).first().focus();
  await keys('n');
  assert.deepEqual(await picked(page), [0], 'and stay off, and the draft is there');
  noProblems(page);
  await page.context().close();
}

/* --- mouse and touch --- */

async function mouse(browser, site) {
  const page = await toGrid(browser, site, 'short', 'mouse', { width: 1920, height: 1080 });
  const middle = async (i) => {
    const box = await cells(page).nth(i).boundingBox();
    return [box.x + box.width / 2, box.y + box.height / 2];
  };
  await page.mouse.move(...await middle(0));
  await page.mouse.down();
  await page.mouse.move(...await middle(5)); /* one jump: the cells between are painted too */
  await page.mouse.move(...await middle(13), { steps: 4 });
  await page.mouse.up();
  assert.deepEqual(await picked(page), [0, 1, 2, 3, 4, 5, 13]);
  await page.mouse.move(...await middle(4));
  await page.mouse.down();
  await page.mouse.move(...await middle(5), { steps: 3 });
  await page.mouse.move(...await middle(4), { steps: 3 }); /* back to where it began: no click */
  await page.mouse.up();
  assert.deepEqual(await picked(page), [0, 1, 2, 3, 13], 'the first cell decides: deselect');
  await button(page, 'Undo').click();
  assert.deepEqual(await picked(page), [0, 1, 2, 3, 4, 5, 13], 'a stroke is one step');
  await cells(page).nth(40).click();
  await cells(page).nth(43).click({ modifiers: ['Shift'] });
  assert.deepEqual((await picked(page)).slice(-4), [40, 41, 42, 43]);
  await page.mouse.move(...await middle(47));
  await page.mouse.down();
  await page.mouse.move(5, 500, { steps: 5 });
  await page.mouse.up(); /* beside the grid */
  await page.mouse.move(...await middle(20), { steps: 3 });
  assert.ok(!(await picked(page)).includes(20), 'nothing is painted after the button is up');
  assert.equal(await page.locator('.grid').getAttribute('aria-label'), 'Photos');
  assert.equal(await button(page, 'Select all').count(), 0, 'only where the campaign allows it');
  await page.keyboard.press('a');
  assert.ok((await picked(page)).length < 48);
  noProblems(page);
  await page.context().close();
}

async function touch(browser, site) {
  const page = await toGrid(browser, site, 'once', 'touch', { width: 360, height: 740, hasTouch: true });
  await fitsWidth(page);
  /* The click that a tap makes comes after it. */
  await cells(page).nth(2).tap();
  await cells(page).nth(20).tap();
  await page.waitForFunction(() => document.querySelectorAll('.cell input:checked').length === 2);
  assert.deepEqual(await picked(page), [2, 20]);
  const box = await cells(page).nth(21).boundingBox();
  const cdp = await page.context().newCDPSession(page);
  const point = { x: box.x + 20, y: box.y + 20 };
  await cdp.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [point] });
  await page.waitForSelector('#zoom[open]');
  assert.equal(await large(page), 'image 22 of 48');
  await cdp.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: [{ ...point, y: point.y + 156 }] });
  await page.waitForFunction(() => document.querySelector('#zoom img').alt !== 'image 22 of 48');
  await cdp.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
  assert.equal(await large(page), 'image 24 of 48', 'the finger moved a row down');
  assert.deepEqual(await picked(page), [2, 20], 'a long press selects nothing');
  await page.locator('#zoom').getByRole('button', { name: 'Close' }).tap();
  await button(page, 'Submit').tap();
  await page.waitForSelector('output.code');
  noProblems(page);
  await page.context().close();
}

const large = (page) => page.locator('#zoom img').getAttribute('alt');

/* The large photo is of the one under the mouse, or of the one a key went to last. */
async function magnifier(browser, site) {
  const page = await toGrid(browser, site, 'free', 'magnifier', { width: 1280, height: 900 });
  const keys = async (...names) => { for (const name of names) await page.keyboard.press(name); };
  await cells(page).nth(3).hover();
  await keys('z');
  assert.equal(await large(page), 'image 4 of 48');
  await keys('ArrowRight', 'Space', 'ArrowRight');
  assert.equal(await page.locator('[data-zoom-text]').innerText(), 'image 6 of 48');
  await page.locator('#zoom').getByRole('button', { name: 'Next photo' }).click();
  await keys('Space');
  assert.equal(await page.locator('[data-zoom-text]').innerText(), 'image 7 of 48, selected');
  await keys('z');
  await page.waitForFunction(() => document.activeElement.value === '6'); /* once the dialog has told that it is closed */
  assert.deepEqual(await picked(page), [4, 6]);
  assert.match(await page.locator('.task-send').innerText(), /^2 selected/);
  await cells(page).nth(20).hover();
  await cells(page).nth(0).focus();
  await keys('ArrowRight', 'z');
  assert.equal(await large(page), 'image 2 of 48', 'a key moved after the mouse did');
  await keys('z');
  await page.waitForFunction(() => document.activeElement.value === '1'); /* once the dialog has told that it is closed */
  await cells(page).nth(10).dblclick();
  assert.equal(await large(page), 'image 11 of 48');
  await keys('Escape');
  assert.deepEqual(await picked(page), [4, 6], 'a double click selects nothing');
  await keys('u');
  assert.deepEqual(await picked(page), [4], 'and is nothing to undo');
  noProblems(page);
  await page.context().close();
}

/* --- reporting a photo --- */

async function report(browser, site, how, options, act) {
  const page = await toGrid(browser, site, 'free', `report-${how}`, { width: 1024, height: 700, ...options });
  await page.waitForFunction(() => [...document.querySelectorAll('.grid img')].every((i) => i.complete));
  const sent = page.waitForRequest((r) => r.url().endsWith('/flags'));
  await act(page);
  assert.match(await page.locator('[data-flag-photo]').innerText(), /^image 18 of 48$/);
  const [thumbnail, photo] = await page.evaluate(() => [
    document.querySelector('[data-flag-photo] img').src, document.querySelectorAll('.grid img')[17].src]);
  assert.equal(thumbnail, photo);
  const button = page.getByRole('button', { name: 'Send the report' });
  await page.waitForFunction(() => !document.querySelector('#flag :invalid')); /* a tap's click comes after it */
  await (how === 'touch' ? button.tap() : how === 'mouse' ? button.click() : page.keyboard.press('Enter'));
  await page.getByText('Thank you. Your report about image 18 of 48').waitFor();
  assert.deepEqual((await sent).postDataJSON(), { position: 17, kind: 'broken', note: '' });
  assert.deepEqual(await picked(page), [], 'a report selects nothing');
  await accessible(page);
  noProblems(page);
  await page.context().close();
}

/* On a phone the note is not behind the buttons when it gets the focus, as a tap gives it: without scrolling. */
async function noteInView(browser, site) {
  for (const height of [740, 500]) {
    const page = await toGrid(browser, site, 'free', `report-note-${height}`, { width: 360, height, hasTouch: true });
    await page.getByRole('link', { name: 'Report a photo' }).tap();
    await page.getByRole('radio', { name: 'image 18 of 48' }).tap();
    const note = page.getByLabel('Note (optional)');
    await note.evaluate((field) => field.focus({ preventScroll: true }));
    const [bottom, buttons] = await page.evaluate(() => [document.activeElement, document.querySelector('#flag .actions')]
      .map((part, i) => part.getBoundingClientRect()[i ? 'top' : 'bottom']));
    assert.ok(bottom <= buttons, `${height} px: the note ends at ${bottom}, the buttons begin at ${buttons}`);
    assert.equal(await note.getAttribute('maxlength'), '500', 'what the server takes');
    await shot(page, `grid-flag-note-${height}`, { fullPage: false });
    noProblems(page);
    await page.context().close();
  }
}

async function reports(browser, site) {
  await report(browser, site, 'mouse', {}, async (page) => {
    await cells(page).nth(2).focus();
    await page.getByRole('link', { name: 'Report a photo' }).click();
    assert.equal(await page.locator('#flag input[name="photo"]:checked').count(), 0, 'no photo is meant yet');
    await page.getByRole('radio', { name: 'Broken' }).check();
    await page.getByRole('button', { name: 'Send the report' }).click();
    assert.equal(await page.locator('#flag[open]').count(), 1, 'not without a photo');
    await page.getByRole('radio', { name: 'image 18 of 48' }).click();
  });
  await report(browser, site, 'touch', { width: 360, height: 740, hasTouch: true }, async (page) => {
    await page.getByRole('link', { name: 'Report a photo' }).tap();
    await page.getByRole('radio', { name: 'image 18 of 48' }).tap();
    await page.getByRole('radio', { name: 'Broken' }).tap();
  });
  await report(browser, site, 'keyboard', {}, async (page) => {
    await page.getByRole('link', { name: 'Report a photo' }).focus();
    for (const key of ['Enter', 'Space', ...Array(17).fill('ArrowRight'), 'Tab', ...Array(3).fill('ArrowDown'), 'Space']) {
      await page.keyboard.press(key);
    }
  });
  await report(browser, site, 'key', {}, async (page) => {
    await cells(page).nth(17).hover();
    for (const key of ['f', 'Space', 'ArrowDown', 'ArrowDown', 'ArrowDown']) await page.keyboard.press(key);
  });
}

/* --- every state --- */

/* Nobody scrolls a dialog for its buttons. */
async function allInView(page, dialog) {
  const { height } = page.viewportSize();
  const buttons = await page.locator(`${dialog} button`).evaluateAll((all) => all.map((e) => e.getBoundingClientRect()));
  for (const { top, bottom } of buttons) assert.ok(top >= 0 && bottom <= height, `a button from ${top} to ${bottom} of ${height}`);
}

/* The states of one grid, one after the other. */
async function states(browser, site, scheme, [width, height]) {
  const name = (state) => `grid-${state}-${scheme}-${width}`;
  const who = `states-${scheme}-${width}`;
  const page = await toGrid(browser, site, 'short', who, { width, height, colorScheme: scheme });
  await page.waitForFunction(() => document.querySelector('[data-do="extend"]').hidden === false);
  await look(page, name('empty'));
  assert.match(await page.locator('[data-lease-text]').innerText(), /^Reserved for you for 1:\d\d more$/);

  for (const i of [1, 6, 11, 12]) await cells(page).nth(i).click();
  await look(page, name('selected'));
  await cells(page).nth(7).focus();
  await page.keyboard.press('z');
  await page.waitForSelector('#zoom[open]');
  await look(page, name('zoomed'));
  await allInView(page, '#zoom');
  await page.keyboard.press('ArrowRight');
  assert.equal(await page.locator('#zoom img').getAttribute('alt'), 'image 9 of 48');
  await page.keyboard.press('z');
  await page.waitForFunction(() => document.activeElement.value === '8'); /* where one looked last */
  await page.keyboard.press('?');
  await look(page, name('keys'));
  await page.keyboard.press('Escape');
  await page.keyboard.press('f');
  await look(page, name('flag'));
  const ring = await page.evaluate(() => {
    const [list, photo] = ['', ' label:has(:checked)'].map((s) => document.querySelector(`[data-flag-photos]${s}`).getBoundingClientRect());
    return [photo.top - list.top, list.bottom - photo.bottom];
  });
  for (const room of ring) assert.ok(room >= 3, `the ring of the chosen photo is whole: ${ring}`);
  await page.getByRole('radio', { name: 'Something else' }).check();
  await page.getByLabel('Note (optional)').fill('looks odd');
  await page.getByRole('button', { name: 'Send the report' }).click();
  await page.getByText('Thank you. Your report about image 9 of 48').waitFor();
  await look(page, name('thanks'));

  for (const i of [1, 6, 11, 12]) await cells(page).nth(i).click();
  await button(page, 'Submit').click();
  assert.match(await page.locator('[data-none]').innerText(), /^None of the 48 photos contains .*\?/);
  await look(page, name('none'));
  await page.keyboard.press('Escape');
  assert.equal(await page.locator('[data-none]').isHidden(), true);

  await cells(page).nth(3).click();
  await page.context().setOffline(true);
  await button(page, 'Submit').click();
  await page.waitForFunction(() => /1 waiting to send/.test(document.querySelector('[data-state]').textContent));
  await page.locator('.notices .banner').waitFor();
  await look(page, name('offline'));
  await cells(page).nth(3).click();
  await button(page, 'Submit').click();
  await page.waitForSelector('.task-wait:not([hidden])');
  await look(page, name('waiting'));
  await page.context().setOffline(false);
  await page.waitForSelector('.grid');
  await page.waitForFunction(() => document.querySelector('[data-state]').textContent === 'Saved');

  /* Another browser with the same link answers first. */
  const token = await shown(page);
  const other = await openPage(browser, page.url(), { javaScriptEnabled: false });
  await cells(other).nth(0).check();
  await Promise.all([other.waitForNavigation(), button(other, 'Submit').click()]);
  await other.context().close();
  await cells(page).nth(5).click();
  await button(page, 'Submit').click();
  await page.locator('.notices .banner.danger').waitFor();
  assert.match(await page.locator('.notices').innerText(), /An answer was not accepted[^]*The first answer is kept/);
  await page.waitForFunction((t0) => document.querySelector('main[data-url]')?.dataset.url.endsWith(t0) === false, token);
  await look(page, name('rejected'));
  await page.reload();
  await page.locator('.notices .banner.danger').waitFor();
  await button(page, 'Dismiss').click();
  assert.equal(await page.locator('.notices').isHidden(), true);
  await page.keyboard.press('?');
  assert.match(await page.locator('[data-answers]').innerText(), /saved[^]*not accepted: It was answered in another tab/);
  await page.context().close();
}

async function photosThatAreGone(browser, site) {
  const page = await toGrid(browser, site, 'free', 'gone', { width: 1440, height: 900 }, async (p) => {
    await p.route(/assignment\/[^/]+\/3$/, (r) => r.fulfill({ status: 410, body: '' }));
    let tries = 0;
    await p.route(/assignment\/[^/]+\/4$/, (r) => (tries++ < 1 ? r.abort() : r.continue()));
  });
  await page.getByText('This photo was removed').waitFor();
  await page.getByRole('checkbox', { name: 'image 4 of 48 This photo was removed' }).waitFor();
  await look(page, 'grid-gone-light-1440');
  await page.waitForFunction(() => document.querySelectorAll('.grid img')[4].naturalWidth > 0);
  await page.getByText('This photo is still loading').waitFor({ state: 'detached' }); /* and one that was late came */
  await page.context().close();
}

async function done(browser, site, scheme) {
  const page = await toGrid(browser, site, 'once', `done-${scheme}`, { colorScheme: scheme });
  await cells(page).nth(0).click();
  await button(page, 'Submit').click();
  await page.waitForSelector('output.code');
  await look(page, `grid-done-${scheme}-1280`);
  noProblems(page);
  await page.context().close();
}

/* What counts is open for the first grid and one line afterwards, unless the worker opened it. */
async function panel(browser, site) {
  const page = await toGrid(browser, site, 'free', 'panel', { width: 1440, height: 900 });
  const open = () => page.locator('.task-about').evaluate((e) => e.open);
  const onward = async () => {
    const before = await shown(page);
    await cells(page).nth(3).click();
    await button(page, 'Submit').click();
    await page.waitForFunction((t0) => document.querySelector('main[data-url]')?.dataset.url.endsWith(t0) === false, before);
  };
  assert.equal(await open(), true);
  await page.locator('.skip').focus();
  const [skip, heading] = [await page.locator('.skip').boundingBox(), await page.locator('h1').boundingBox()];
  assert.ok(skip.y + skip.height <= heading.y, 'the skip link covers no text');
  await onward();
  assert.equal(await open(), false);
  const [question, counts] = [await page.locator('h1').boundingBox(), await page.locator('.task-about').boundingBox()];
  assert.ok(counts.height <= 32 && counts.y < question.y + question.height && question.height <= 32, 'one line');
  await cells(page).nth(3).click();
  const selected = await cells(page).nth(3).evaluate((e) => [getComputedStyle(e.nextElementSibling).opacity, getComputedStyle(e).boxShadow]);
  assert.deepEqual([selected[0], selected[1] === 'none'], ['1', false], 'a ring, and the photo as it was');
  await cells(page).nth(3).click();
  await page.locator('.task-about summary').click();
  await onward();
  assert.equal(await open(), true, 'as the worker left it');
  noProblems(page);
  await page.context().close();
}

/* In the page: window.beforeFrame lists what is done, of all that has to do with other processes, from the
 * next click until the task after the frame that follows. */
function noteBeforeFrame() {
  let waits = false;
  window.beforeFrame = [];
  const note = (what, name) => {
    const as = what[name];
    what[name] = function noted(...args) {
      if (waits) window.beforeFrame.push(name);
      return as.apply(this, args);
    };
  };
  note(history, 'replaceState');
  note(window, 'fetch');
  note(IDBDatabase.prototype, 'transaction');
  addEventListener('click', () => {
    waits = true;
    requestAnimationFrame(() => {
      const after = new MessageChannel();
      after.port1.onmessage = () => { waits = false; };
      after.port2.postMessage(0);
    });
  }, { capture: true, once: true });
}

/* The grid after this one is painted before it is shown, where nobody sees it. */
async function paintedAhead(browser, site) {
  const page = await toGrid(browser, site, 'free', 'ahead', { width: 1440, height: 900 });
  const painted = await ahead(page);
  const { width, height } = await page.locator('.strip').boundingBox();
  assert.deepEqual([width, height], [48, 1]);
  await cells(page).nth(3).click();
  await page.evaluate(noteBeforeFrame);
  await button(page, 'Submit').click();
  await page.waitForFunction((url) => document.querySelector('main').dataset.url === url, painted);
  await page.waitForFunction((url) => location.pathname === url, painted);
  assert.deepEqual(await page.evaluate(() => window.beforeFrame), ['replaceState'], 'what can wait for the frame does');
  noProblems(page);
  await page.context().close();
}

/* --- what stands beside the task --- */

/* A window narrower than the campaign asks for: said, and nothing is kept from the worker. */
async function narrow(browser, site) {
  const page = await toGrid(browser, site, 'wide', 'narrow', { width: 800, height: 700 });
  const notice = page.locator('.notices [data-id="narrow"]');
  await notice.waitFor();
  assert.match(await notice.innerText(), /at least 900 pixels/);
  await look(page, 'grid-narrow-light-800');
  await page.setViewportSize({ width: 900, height: 700 });
  await notice.waitFor({ state: 'detached' });
  await page.setViewportSize({ width: 360, height: 740 });
  await notice.waitFor();
  const before = await shown(page);
  await cells(page).nth(3).click();
  await button(page, 'Submit').click();
  await page.waitForFunction((t0) => document.querySelector('main[data-url]')?.dataset.url.endsWith(t0) === false, before);
  await notice.waitFor();
  await page.context().close();
}

/* The switch of colours goes on working, and says the same, on the grid after this one. */
async function themeAndLeave(browser, site) {
  const page = await toGrid(browser, site, 'free', 'theme');
  const theme = page.locator('[data-theme-switch]');
  const state = async () => [await page.locator('html').getAttribute('data-theme'), await theme.textContent()];
  assert.deepEqual(await state(), [null, '◐Theme: System']);
  await theme.click();
  await theme.click();
  assert.deepEqual(await state(), ['dark', '◐Theme: Dark']);
  const before = await shown(page);
  await cells(page).nth(3).click();
  await button(page, 'Submit').click();
  await page.waitForFunction((t0) => document.querySelector('main[data-url]')?.dataset.url.endsWith(t0) === false, before);
  assert.deepEqual(await state(), ['dark', '◐Theme: Dark']);
  await theme.click();
  assert.deepEqual(await state(), [null, '◐Theme: System']);
  await page.waitForFunction(() => document.querySelector('[data-state]').textContent === 'Saved');
  await Promise.all([page.waitForURL(/\/work\/place\/[^/]+\/leave$/), page.getByRole('link', { name: 'Leave', exact: true }).click()]);
  noProblems(page);
  await page.context().close();
}

/* --- what it weighs --- */

async function weight(browser, site) {
  const first = await toGrid(browser, site, 'free', 'weight');
  const page = await openPage(browser, `${site.url}/static/img/mark.svg`); /* with an empty cache */
  const bodies = [];
  page.on('response', (r) => {
    assert.equal(new URL(r.url()).origin, new URL(site.url).origin, 'no third party');
    const type = r.request().resourceType();
    if (!['image', 'fetch', 'other'].includes(type)) bodies.push(r.body().then((b) => [r.url(), b.length]));
  });
  await page.goto(first.url());
  await page.waitForLoadState('networkidle');
  const sizes = await Promise.all(bodies);
  const sum = sizes.reduce((n, [, size]) => n + size, 0);
  assert.ok(sizes.length > 15 && sum < WEIGHT, `${sum} bytes: ${sizes.map((x) => x.join(' ')).join('\n')}`);
  assert.deepEqual(page.problems.filter((p) => !p.endsWith('/favicon.ico')), []); /* a picture has no icon */
  for (const p of [first, page]) await p.context().close();
}

test('the grid page', async (t) => {
  const [browser, site] = await Promise.all([launch(t), demoSite(t, CAMPAIGNS)]);
  await addExamples(t, site);
  await t.test('the keyboard alone, from the link to the code', () => keyboardOnly(browser, site));
  await t.test('keys move, extend, undo and can be switched off', () => keysInTheGrid(browser, site));
  await t.test('the mouse paints', () => mouse(browser, site));
  await t.test('fingers tap, and press long to see', () => touch(browser, site));
  for (const scheme of ['light', 'dark']) {
    for (const size of [[1440, 900], [360, 740]]) {
      if (!LONG && (scheme === 'dark') !== (size[0] === 360)) continue; /* each theme and each layout once */
      await t.test(`every state, ${scheme}, ${size.join(' x ')}`, () => states(browser, site, scheme, size));
    }
    await t.test(`the end, ${scheme}`, () => done(browser, site, scheme));
  }
  await t.test('the next grid is painted ahead', () => paintedAhead(browser, site));
  await t.test('what counts folds to one line', () => panel(browser, site));
  await t.test('a large photo follows mouse and keys', () => magnifier(browser, site));
  await t.test('reporting by mouse, touch and keyboard', () => reports(browser, site));
  await t.test('the note of a report is not behind its buttons', () => noteInView(browser, site));
  await t.test('photos that are gone or late', () => photosThatAreGone(browser, site));
  await t.test('a window that is too narrow', () => narrow(browser, site));
  await t.test('the switch of colours, and leaving', () => themeAndLeave(browser, site));
  await t.test('under 69,000 bytes without photos, nothing from elsewhere', () => weight(browser, site));
});
