/* browser.mjs - how long a worker waits, measured in chromium on the demo's photos: from a toggle to
 * its paint, and from submit to the next grid painted, with 0, 50 and 200 ms of latency added to every
 * request; and as the browser itself reports it (Event Timing, in steps of 8 ms), from the click on
 * Submit until the frame with the next grid was presented, all its photos scaled and drawn, on a
 * desktop and on a phone with three pixels a point. Called by tests/bench/run; prints
 * "FIGURE MILLISECONDS" lines, p95 of each run.
 *
 *     node tests/bench/browser.mjs [--runs N]
 *
 * Time runs from the moment the browser got the input to the first task after the frame that shows
 * the result: script, style, layout and paint are in it. Frames come as soon as there is something to
 * show, so the wait for a display (up to 16.7 ms at 60 Hz, whatever the page does) is not. */
import path from 'node:path';

import { launch, must, openPage, startServer, tempDir } from '../browser/lib.mjs';

const LATENCIES = [0, 50, 200];
const WORKERS = 3; /* the demo has some 17 grids for one */
const SHOWN = 8; /* grids of each */
const at = process.argv.indexOf('--runs');
const runs = at < 0 ? 3 : Number(process.argv[at + 1]);

const ends = [];
const t = { after: (end) => ends.unshift(end) };

const p95 = (times) => [...times].sort((a, b) => a - b)[Math.ceil(times.length * 0.95) - 1];

async function site() {
  const dir = path.join(tempDir(t), 'demo');
  await must(['demo', dir, '--size', 'small', '--no-answers']);
  await must(['grids', dir, '--campaign', 'bench', '--open', '--max-share', '1', '--same-image-again',
    '--answers-per-grid', '1000', '--grids-per-place', '100', '--places', '1000']);
  return startServer(t, dir, { env: { HOLDOUT_LIMITS_PLACES_PER_ADDRESS_HOUR: '100000' } });
}

/* In the page: window.painted(event name) resolves to the time from the event's own stamp to the
 * task after the frame. A capture listener is there before the page's own. */
function watch() {
  performance.setResourceTimingBufferSize(1e6);
  window.photos = () => new Set(performance.getEntriesByType('resource')
    .flatMap((e) => /assignment\/([^/]+)\/(?:large\/)?47$/.exec(e.name)?.[1] ?? [])).size;
  window.painted = (name) => new Promise((resolve) => {
    addEventListener(name, function take(event) {
      if (event.key === 'Control') return;
      removeEventListener(name, take, { capture: true });
      requestAnimationFrame(() => {
        const after = new MessageChannel();
        after.port1.onmessage = () => resolve(performance.now() - event.timeStamp);
        after.port2.postMessage(0);
      });
    }, { capture: true });
  });
}

/* What an input took, in ms. */
async function timed(page, event, input) {
  await page.evaluate((name) => { window.last = window.painted(name); }, event);
  await input();
  return page.evaluate(() => window.last);
}

async function toggles(page) {
  const times = [];
  const cells = page.getByRole('checkbox', { name: /^image/ });
  for (let i = 0; i < 48; i++) {
    const box = await cells.nth(i).boundingBox();
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    times.push(await timed(page, 'click', () => page.mouse.click(x, y)));
    times.push(await timed(page, 'keydown', () => page.keyboard.press('Enter')));
  }
  return times;
}

async function submits(page, latency) {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('Network.enable');
  await cdp.send('Network.emulateNetworkConditions', {
    offline: false, latency, downloadThroughput: -1, uploadThroughput: -1,
  });
  const times = [];
  while (page.url().includes('/work/assignment/')) {
    const shown = () => page.evaluate(() => document.querySelector('main[data-url]')?.dataset.url);
    const before = await shown();
    await page.keyboard.press('Enter');
    /* As long as a worker takes, and longer: the next grid is here. The last one has none after it. */
    const grids = times.length + 2;
    const more = await page.waitForFunction((n) => window.photos() >= n, grids, { timeout: 5000 }).catch(() => null);
    if (!more) break;
    await page.waitForLoadState('networkidle');
    await page.waitForTimeout(300);
    times.push(await timed(page, 'keydown', () => page.keyboard.press('Control+Enter')));
    if (await shown() === before) throw new Error('the next grid was not there at once');
    const blank = await page.locator('.grid img').evaluateAll((all) => all.filter((i) => !i.complete || !i.naturalWidth).length);
    if (blank) throw new Error(`${blank} photos of the next grid were not there`);
  }
  return times;
}

const SCREENS = {
  desktop: { width: 1440, height: 900 },
  phone: { width: 390, height: 844, hasTouch: true, deviceScaleFactor: 3 },
};

/* Of one worker's grids: click to presented frame. */
async function presented(page) {
  const times = [];
  await page.evaluate(() => {
    window.clicks = [];
    const keep = (list) => window.clicks.push(...list.getEntries().filter((e) => e.name === 'click'));
    new PerformanceObserver(keep).observe({ type: 'event', durationThreshold: 16 });
  });
  for (let i = 0; i < SHOWN; i++) {
    await page.getByRole('checkbox', { name: /^image/ }).first().click();
    await page.waitForFunction((n) => window.photos() >= n, i + 2, { timeout: 10000 });
    await page.waitForLoadState('networkidle');
    await page.waitForTimeout(500);
    const url = page.url();
    await page.evaluate(() => { window.clicks.length = 0; });
    await page.getByRole('button', { name: 'Submit', exact: true }).click();
    await page.waitForFunction((before) => location.href !== before, url);
    await page.waitForTimeout(300);
    times.push(await page.evaluate(() => Math.max(16, ...window.clicks.map((e) => e.duration))));
  }
  return times;
}

async function worker(browser, url, name, screen = { width: 1920, height: 1080 }) {
  const page = await openPage(browser, `${url}/work/campaign/bench?PROLIFIC_PID=${name}`, screen);
  await page.addInitScript(watch);
  for (const name of ['I agree, start']) {
    await Promise.all([page.waitForNavigation(), page.getByRole('button', { name, exact: true }).click()]);
  }
  await page.waitForLoadState('networkidle');
  await page.getByRole('checkbox', { name: /^image/ }).first().focus();
  return page;
}

try {
  const [browser, server] = await Promise.all([launch(t, ['--disable-frame-rate-limit']), site()]);
  for (let run = 0; run < runs; run++) {
    const page = await worker(browser, server.url, `toggle-${run}`);
    const each = await toggles(page);
    console.log('toggle', p95(each).toFixed(1));
    await page.context().close();
    for (const latency of LATENCIES) {
      const times = [];
      for (let who = 0; who < WORKERS; who++) {
        const next = await worker(browser, server.url, `submit-${run}-${latency}-${who}`);
        times.push(...await submits(next, latency));
        await next.context().close();
      }
      console.log(`submit-${latency}`, p95(times).toFixed(1));
      console.error(`latency ${latency}: ${times.map((x) => x.toFixed(1)).join(' ')}`);
    }
  }
  const real = await launch(t);
  for (let run = 0; run < runs; run++) {
    for (const [name, screen] of Object.entries(SCREENS)) {
      const times = [];
      for (let who = 0; who < WORKERS; who++) {
        const page = await worker(real, server.url, `shown-${name}-${run}-${who}`, screen);
        times.push(...await presented(page));
        await page.context().close();
      }
      console.log(`shown-${name}`, p95(times).toFixed(1));
      console.error(`${name}: ${times.join(' ')}`);
    }
  }
} finally {
  for (const end of ends) await end();
}
