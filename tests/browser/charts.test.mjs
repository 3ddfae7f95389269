/* charts.test.mjs - charts as people meet them: with a mouse, with a keyboard, without script, in both
 * themes, on a phone, on paper, in forced colours. The chart of the help page, and the kept picture of
 * each form (tests/data/charts) put in its place. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';

import { Client, accessible, fitsWidth, launch, noProblems, openPage, root, shot } from './lib.mjs';
import { emptySite } from './world.mjs';

const folder = path.join(root, 'tests/data/charts');
const pictures = Object.fromEntries(fs.readdirSync(folder).filter((f) => f.endsWith('.svg'))
  .map((f) => [f.slice(0, -4), fs.readFileSync(path.join(folder, f), 'utf8')]));
const AT = '/help/numbers';
const THEMES = ['light', 'dark'];

/* The picture of another chart in the page's one frame. */
const put = (page, name) => page.evaluate((svg) => {
  document.querySelector('[data-chart-view]').innerHTML = svg;
}, pictures[name]);

const tip = (page) => page.locator('.chart-tip');
const spoken = (page) => page.locator('[aria-live=polite].visually-hidden').textContent();

async function press(page, key, expected) {
  await page.keyboard.press(key);
  assert.match(await spoken(page), expected, key);
  assert.equal(await tip(page).textContent(), await spoken(page));
}

test('charts', async (t) => {
  const site = await emptySite(t);
  const { cookies } = await new Client(site.url).login();
  const browser = await launch(t);
  const open = async (options) => openPage(browser, new URL(AT, site.url).href, { cookies, ...options });
  const page = await open();
  await page.waitForFunction(() => document.documentElement.classList.contains('charts'));

  await t.test('a parser of XML takes every picture, and no label is cut off', async () => {
    for (const [name, svg] of Object.entries(pictures)) {
      const errors = await page.evaluate((text) =>
        new DOMParser().parseFromString(text, 'image/svg+xml').querySelectorAll('parsererror').length, svg);
      assert.equal(errors, 0, name);
      await put(page, name);
      const outside = await page.evaluate(() => {
        const root = document.querySelector('.chart-svg');
        const { width, height } = root.viewBox.baseVal;
        const toRoot = root.getScreenCTM().inverse();
        return [...root.querySelectorAll('text')].filter((text) => {
          const box = text.getBoundingClientRect();
          const a = new DOMPoint(box.left, box.top).matrixTransform(toRoot);
          const b = new DOMPoint(box.right, box.bottom).matrixTransform(toRoot);
          return a.x < -2 || a.y < -2 || b.x > width + 2 || b.y > height + 2;
        }).map((text) => text.textContent);
      });
      assert.deepEqual(outside, [], name);
    }
  });

  await t.test('each form in both themes, accessible', async () => {
    for (const colorScheme of THEMES) {
      await page.emulateMedia({ colorScheme });
      for (const name of process.env.HOLDOUT_LOOK === 'all' ? Object.keys(pictures) : ['times']) {
        await put(page, name);
        await shot(page, `chart-${name}-${colorScheme}`, { fullPage: false });
      }
      await put(page, 'bars');
      await accessible(page);
      const fill = await page.evaluate(() =>
        getComputedStyle(document.querySelector('.chart-svg .c1')).fill);
      assert.equal(fill, colorScheme === 'light' ? 'rgb(11, 102, 114)' : 'rgb(88, 194, 207)');
    }
    await page.emulateMedia({ colorScheme: 'light' });
  });

  await t.test('the pointer: what a mark says, once', async () => {
    await put(page, 'bars');
    const bar = page.locator('.chart-svg .m').nth(3);
    const said = await bar.locator('title').textContent();
    assert.match(said, /^originals, 0\.6–0\.8: images 31 \(25–37\)$/);
    await bar.hover();
    await tip(page).waitFor();
    assert.equal(await tip(page).textContent(), said);
    assert.equal(await bar.locator('title').textContent(), '', 'the browser shows no second one');
    await page.locator('h1').hover();
    await tip(page).waitFor({ state: 'hidden' });
    assert.equal(await bar.locator('title').textContent(), said);
  });

  await t.test('a crosshair reads the nearest point, wherever in the picture the pointer, the finger or the focus is', async () => {
    await put(page, 'times');
    await page.locator('[data-chart-view]').scrollIntoViewIfNeeded();
    /* Where a mark is, and a place of the same moment that is no mark and nearer to this series than to another. */
    const far = (n) => page.evaluate((i) => {
      const mark = document.querySelectorAll('.chart-svg .c1 .m')[i];
      const box = mark.getBoundingClientRect();
      return { x: box.left + box.width / 2, y: box.top + box.height / 2, off: box.top - 30,
        said: mark.querySelector('title').textContent };
    }, n);
    const lines = () => page.locator('.chart-cross').evaluateAll((all) => all.map((line) => {
      const { left, top, width, height } = line.getBoundingClientRect();
      return { hidden: line.hidden, at: [left, top], long: Math.max(width, height) };
    }));
    const reads = async (to) => {
      await page.waitForFunction((said) => document.querySelector('.chart-tip').textContent === said, to.said);
      const [up, across] = await lines();
      assert.ok(!up.hidden && Math.abs(up.at[0] - to.x) < 2 && up.long > 100, JSON.stringify(up));
      assert.ok(!across.hidden && Math.abs(across.at[1] - to.y) < 2 && across.long > 300, JSON.stringify(across));
    };
    for (const n of [30, 7]) {
      const to = await far(n);
      await page.mouse.move(to.x, to.off);
      await reads(to);
    }
    /* What was measured for the first mark is enough for all: the note itself changes no picture. */
    await page.evaluate(() => {
      const { getBBox } = SVGGraphicsElement.prototype;
      window.measured = 0;
      SVGGraphicsElement.prototype.getBBox = function count() { window.measured++; return getBBox.call(this); };
    });
    for (const n of [30, 20, 7]) {
      const to = await far(n);
      await page.mouse.move(to.x, to.off);
      await reads(to);
    }
    assert.equal(await page.evaluate(() => window.measured), 0);
    await page.locator('h1').hover();
    await tip(page).waitFor({ state: 'hidden' });
    assert.ok((await lines()).every((line) => line.hidden));
    await page.locator('[data-chart-view]').focus();
    await page.keyboard.press('ArrowRight');
    await reads({ ...await far(0), said: await spoken(page) });
    await page.keyboard.press('Escape');
    assert.ok((await lines()).every((line) => line.hidden));

    const phone = await open({ width: 390, height: 844, hasTouch: true });
    await phone.waitForFunction(() => document.documentElement.classList.contains('charts'));
    await put(phone, 'scatter');
    await phone.locator('[data-chart-view]').scrollIntoViewIfNeeded();
    const box = await phone.locator('[data-chart-view]').boundingBox();
    await phone.touchscreen.tap(box.x + box.width / 2, box.y + box.height / 2);
    await phone.locator('.chart-tip').waitFor();
    assert.equal(await phone.locator('.chart-cross:visible').count(), 2);
    noProblems(phone);
    await phone.context().close();
  });

  await t.test('a picture has the width of its card, and its text keeps its size', async () => {
    await put(page, 'times');
    for (const [width, height] of [[768, 1024], [1440, 900], [2560, 1440]]) {
      await page.setViewportSize({ width, height });
      const [share, text] = await page.evaluate(() => {
        const svg = document.querySelector('.chart-svg');
        return [svg.getBoundingClientRect().width / svg.closest('.chart-view').clientWidth,
          svg.querySelector('text').getBoundingClientRect().height];
      });
      assert.ok(share > 0.99, `${width} px: ${share}`);
      assert.ok(text >= 11 && text < 26, `${width} px: text of ${text} px`);
    }
    await page.setViewportSize({ width: 1280, height: 800 });
  });

  await t.test('the keyboard walks from mark to mark', async () => {
    await put(page, 'bars');
    await page.locator('[data-chart-view]').focus();
    await press(page, 'ArrowRight', /^originals, 0–0\.2: images 2 /);
    await press(page, 'ArrowRight', /^originals, 0\.2–0\.4: images 3 /);
    await press(page, 'ArrowDown', /^candidates, 0\.2–0\.4: images 640$/);
    await press(page, 'End', /^candidates, 0\.8–1: images 0$/);
    await press(page, 'ArrowRight', /^candidates, 0\.8–1: images 0$/);
    await press(page, 'ArrowUp', /^originals, 0\.8–1: images 25 /);
    await press(page, 'Home', /^originals, 0–0\.2: /);
    await page.evaluate(() => window.scrollBy(0, -100));
    await page.waitForFunction(() => { /* it stays beside its mark */
      const [a, b] = ['.chart-tip', '.chart-svg .at'].map((s) => document.querySelector(s).getBoundingClientRect());
      return Math.min(Math.abs(a.bottom - b.top), Math.abs(a.top - b.bottom)) < 20;
    });
    await page.keyboard.press('Escape');
    assert.ok(await tip(page).isHidden());
    await press(page, 'Home', /^originals, 0–0\.2: /);
    await page.keyboard.press('Tab');
    assert.ok(await tip(page).isHidden(), 'it goes with the focus');
  });

  await t.test('switches hide series and outlive a change of the page', async () => {
    await put(page, 'bars');
    const [first, second] = await page.locator('[data-chart-series]').all();
    await first.click();
    assert.equal(await first.getAttribute('aria-pressed'), 'false');
    const shown = () => page.locator('.chart-svg .data .c1 .m').evaluateAll((marks) =>
      marks.filter((m) => m.getClientRects().length > 0).length);
    assert.equal(await shown(), 0);
    await page.locator('[data-chart-view]').focus();
    await page.keyboard.press('ArrowRight');
    assert.match(await spoken(page), /^candidates, /, 'what is hidden is not walked to');

    /* As live.js does it at its coarsest: new nodes that know nothing of the choice. */
    await page.evaluate((svg) => {
      const figure = document.querySelector('[data-chart]');
      const fresh = figure.cloneNode(true);
      fresh.querySelector('[data-chart-view]').innerHTML = svg;
      for (const b of fresh.querySelectorAll('[data-chart-series]')) b.setAttribute('aria-pressed', 'true');
      figure.replaceWith(fresh);
    }, pictures.bars);
    await page.waitForFunction(() => document.querySelector('[data-chart-series]').ariaPressed === 'false');
    assert.equal(await shown(), 0);
    await first.click();
    assert.equal(await shown(), 5);
    assert.equal(await second.getAttribute('aria-pressed'), 'true');
  });

  await t.test('on a phone the picture scrolls in its frame and can be read', async () => {
    for (const name of ['bars', 'scatter']) {
      await put(page, name);
      await page.setViewportSize({ width: 320, height: 640 });
      await fitsWidth(page);
      const size = await page.evaluate(() => {
        const box = document.querySelector('.chart-svg text').getBoundingClientRect();
        return box.height;
      });
      assert.ok(size >= 11, `${name}: text is ${size} px high`);
    }
    await put(page, 'bars');
    await accessible(page);
    await page.locator('[data-chart-view]').focus();
    await page.keyboard.press('End');
    await page.keyboard.press('End');
    const [mark, view] = await page.evaluate(() => ['.chart-svg .at', '[data-chart-view]'].map((s) => {
      const { left, right } = document.querySelector(s).getBoundingClientRect();
      return { left, right };
    }));
    assert.ok(mark.left >= view.left - 1 && mark.right <= view.right + 1, 'the walked-to mark is in sight');
    await shot(page, 'chart-320-light', { fullPage: false });
    await page.setViewportSize({ width: 1280, height: 800 });
  });

  await t.test('on a phone a chart of times opens at its newest end, and stays where the reader scrolls it', async () => {
    await page.setViewportSize({ width: 360, height: 740 });
    await page.reload();
    const view = page.locator('[data-chart-view]');
    assert.equal(await view.evaluate((e) => e.scrollLeft), 0, 'this one is not about times');
    await put(page, 'times');
    await page.waitForFunction(() => {
      const { scrollLeft, clientWidth, scrollWidth } = document.querySelector('[data-chart-view]');
      return scrollLeft > 0 && scrollLeft + clientWidth >= scrollWidth - 1;
    });
    await view.evaluate((e) => {
      e.scrollLeft = 20;
      document.dispatchEvent(new Event('live:changed'));
    });
    assert.equal(await view.evaluate((e) => e.scrollLeft), 20);
    await page.setViewportSize({ width: 1280, height: 800 });
  });

  await t.test('on paper: no shell, light colours, nothing cut', async () => {
    await put(page, 'bars');
    await page.setViewportSize({ width: 680, height: 960 }); /* A4 between its margins */
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
    const got = await page.evaluate(() => ({
      shell: ['.topbar', '.rail', '.chart-switches', '.chart-files'].filter((s) =>
        document.querySelector(s)?.getClientRects().length > 0),
      text: getComputedStyle(document.querySelector('h1')).color,
      fill: getComputedStyle(document.querySelector('.chart-svg .c1')).fill,
    }));
    assert.deepEqual(got, { shell: [], text: 'rgb(26, 31, 37)', fill: 'rgb(11, 102, 114)' });
    await fitsWidth(page);
    await accessible(page);
    await shot(page, 'chart-print');
    await page.emulateMedia({ media: 'screen', colorScheme: 'light' });
    await page.setViewportSize({ width: 1280, height: 800 });
  });

  await t.test('forced colours: marks stand out from the ground', async () => {
    await page.emulateMedia({ forcedColors: 'active' });
    for (const name of ['bars', 'scatter', 'times']) {
      await put(page, name);
      const same = await page.evaluate(() => {
        const ground = getComputedStyle(document.body).backgroundColor;
        return ['.c1', '.c2', '.text', '.tick', '.axis'].filter((s) => {
          const element = document.querySelector(`.chart-svg ${s}`);
          const { fill, stroke } = getComputedStyle(element);
          return fill === ground || (s !== '.text' && s !== '.tick' && stroke === ground);
        });
      });
      assert.deepEqual(same, [], name);
      await shot(page, `chart-${name}-forced`, { fullPage: false });
    }
    await page.emulateMedia({ forcedColors: 'none' });
  });

  noProblems(page);

  await t.test('without script: the picture, its titles, the table; no switches', async () => {
    const bare = await open({ javaScriptEnabled: false });
    assert.ok(await bare.locator('.chart-svg').isVisible());
    assert.ok(await bare.locator('.chart-switches').isHidden());
    assert.match(await bare.locator('.chart-svg .m title').first().textContent(), /^frequency, answers 10: /);
    await bare.locator('.chart-table summary').click();
    assert.equal(await bare.locator('.chart-table tbody tr').count(), 10);
    await fitsWidth(bare);
  });

  await t.test('a picture on its own is shown, and may do nothing', async () => {
    await page.goto('/charts/help-binomial/svg');
    assert.equal(await page.evaluate(() => document.documentElement.localName), 'svg');
    assert.ok(await page.locator('text').first().isVisible());
  });
});
