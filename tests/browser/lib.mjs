/* lib.mjs - chromium on a page of holdout: launching, accessibility, screenshots. The server comes
 * from ../http/lib.mjs. HOLDOUT_CHROMIUM names another browser; HOLDOUT_SHOTS a folder for screenshots,
 * which are taken for people to look at, and only then.
 * HOLDOUT_LONG=1 looks for findings in every row of every list. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { chromium } from 'playwright-core';

import { root } from '../http/lib.mjs';

export * from '../http/lib.mjs';

const axeSource = fs.readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];

/* The shell is the same engine without windows: a third less work for the same tests. */
const BROWSERS = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'];
const installed = BROWSERS.find((file) => fs.existsSync(file)) ?? BROWSERS.at(-1);

/* A browser for one test file or test; closed when `t` is over. */
export async function launch(t, args = []) {
  const browser = await chromium.launch({
    executablePath: process.env.HOLDOUT_CHROMIUM || installed,
    args: ['--no-sandbox', '--disable-gpu', ...args],
  });
  t.after(() => browser.close());
  return browser;
}

/* A page in a context of its own. `problems` collects what a visitor would not see: script errors,
 * console errors, failed loads, requests to another origin. */
export async function openPage(browser, url, {
  width = 1280, height = 800, colorScheme = 'light', javaScriptEnabled = true, hasTouch = false,
  reducedMotion = 'reduce', cookies = new Map(), offline = false, deviceScaleFactor = 1,
} = {}) {
  const context = await browser.newContext({
    viewport: { width, height }, colorScheme, javaScriptEnabled, hasTouch, reducedMotion, offline, deviceScaleFactor,
    baseURL: new URL(url).origin,
  });
  for (const [name, value] of cookies) await context.addCookies([{ name, value, url: new URL(url).origin }]);
  const page = await context.newPage();
  const problems = [];
  page.problems = problems;
  page.on('pageerror', (e) => problems.push(`script error: ${e.message}`));
  page.on('console', (m) => { if (m.type() === 'error') problems.push(`console: ${m.text()} ${m.location().url}`); });
  page.on('requestfailed', (r) => {
    if (r.failure()?.errorText !== 'net::ERR_ABORTED') problems.push(`failed: ${r.url()} ${r.failure()?.errorText}`);
  });
  page.on('request', (r) => {
    const u = new URL(r.url());
    if (/^https?:$/.test(u.protocol) && u.origin !== new URL(url).origin) problems.push(`other origin: ${r.url()}`);
  });
  await page.goto(url);
  return page;
}

export function noProblems(page) {
  assert.deepEqual(page.problems, [], 'the page has no errors that a visitor does not see');
}

/* Signs in through the form, as a person does. */
export async function signIn(page, login, password) {
  await page.goto('/login');
  await page.fill('input[name="login"]', login);
  await page.fill('input[name="password"]', password);
  await Promise.all([page.waitForURL((u) => u.pathname !== '/login'), page.press('input[name="password"]', 'Enter')]);
}

const pressed = new WeakMap();

/* Clicks what leads to another page, not sooner after the page's last such click than people do who mean two clicks:
 * the second one of a double click presses nothing (static/js/forms.js). */
export async function press(page, what) {
  await page.waitForTimeout(Math.max(0, (pressed.get(page) ?? 0) + 600 - Date.now()));
  await Promise.all([page.waitForNavigation(), what.click().then(() => pressed.set(page, Date.now()))]);
}

/* A reload just when the page leads on by itself gives way to that. */
export async function reload(page) {
  try {
    await page.reload();
  } catch (e) {
    if (!e.message.includes('ERR_ABORTED')) throw e;
    await page.waitForLoadState();
  }
}

/* Waits until something has the focus: `autofocus` gives it with the page's first frame, which may come after the
 * event "load". What has it is for the caller to look at. */
export const focusGiven = (page) =>
  page.waitForFunction(() => document.activeElement !== document.body, null, { timeout: 5000 }).catch(() => {});

/* Sends a form that no page shows, as a page of ours would; the reply. */
export async function sendForm(page, at, fields) {
  await page.goto('/login'); /* whoever is signed in is led on; any page will do */
  const [reply] = await Promise.all([
    page.waitForNavigation(),
    page.evaluate(([action, values]) => {
      const form = document.createElement('form');
      form.method = 'post';
      form.action = action;
      for (const [name, value] of Object.entries(values)) {
        const input = document.createElement('input');
        Object.assign(input, { type: 'hidden', name, value });
        form.append(input);
      }
      document.body.append(form);
      form.submit();
    }, [at, fields]),
  ]);
  return reply;
}

/* Of brothers and sisters of one kind, so many stand for the others: axe takes seconds for a page of a hundred
 * cards, nearly all of them for the contrast of text that is there a hundred times. */
export const LONG = process.env.HOLDOUT_LONG === '1';
const ALIKE = LONG ? Infinity : 4;

const prepared = new WeakSet();

/* By the debugger, not by a script element: Content-Security-Policy stays as it is. Pages that the same context opens
 * later have it from the start: then the engine need not compile it again. */
async function bringAxe(page) {
  if (!await page.evaluate('Boolean(globalThis.axe)')) await page.evaluate(axeSource);
  const context = page.context();
  if (!prepared.has(context)) await context.addInitScript(axeSource);
  prepared.add(context);
}

/* The accessibility rules of WCAG 2.2 AA that a machine can check: "rule: element (why)" each. */
export async function axeFindings(page, { within = null, contrast = true } = {}) {
  await bringAxe(page);
  const { passes, findings } = await page.evaluate(async ([tags, part, alike, colours]) => {
    const exclude = [...document.querySelectorAll('body, body *')].flatMap((parent) => {
      const kinds = new Map();
      return [...parent.children].filter((e) => {
        const kind = `${e.localName} ${e.className} ${e.getAttribute('aria-invalid')}`;
        kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
        return kinds.get(kind) > alike;
      });
    });
    const result = await globalThis.axe.run({ include: part ? [[part]] : [document], ...(exclude.length ? { exclude } : {}) }, {
      runOnly: { type: 'tag', values: tags }, resultTypes: ['violations'], rules: { 'color-contrast': { enabled: colours } },
    });
    const say = (v) => v.nodes.map((n) =>
      `${v.id}: ${n.target.join(' ')} (${n.failureSummary.replace(/\s+/g, ' ')})`);
    return { passes: result.passes.length, findings: result.violations.flatMap(say) };
  }, [TAGS, within, ALIKE, contrast]);
  /* A part that is plain text has nothing but its colours to look at. */
  assert.ok(passes > 0 || (within && !contrast), 'axe looked at something');
  return findings;
}

/* `within`: a selector; the whole page without. `contrast`: colours too, which is two thirds of the time. */
export async function accessible(page, options) {
  assert.deepEqual(await axeFindings(page, options), [], `${page.url()} is accessible`);
}

/* No sideways scrolling of the page as a whole. */
export async function fitsWidth(page) {
  const [content, window] = await page.evaluate(() => [
    document.documentElement.scrollWidth, document.documentElement.clientWidth]);
  assert.ok(content <= window, `${page.url()} is ${content} px wide in a window of ${window} px`);
}

/* What `selector` finds is written in one line each. */
export async function oneLine(page, selector) {
  const lines = await page.locator(selector).evaluateAll((all) => all.map((e) => {
    const range = document.createRange();
    range.selectNodeContents(e);
    const boxes = [...range.getClientRects()].filter((r) => r.width > 0);
    return [e.innerText, boxes.filter((r) => r.top >= Math.min(...boxes.map((b) => b.bottom))).length];
  }));
  assert.ok(lines.length > 0, `${selector} finds something`);
  assert.deepEqual(lines.filter(([, more]) => more > 0), [], `${page.url()}: in more than one line`);
}

/* Whether somebody wants pictures. */
export const SHOTS = Boolean(process.env.HOLDOUT_SHOTS);

/* Saves a picture of the whole page, or of what the window shows, for people to look at; returns its
 * path, null where none is taken. */
export async function shot(page, name, { fullPage = true, always = SHOTS } = {}) {
  if (!always) return null;
  const dir = process.env.HOLDOUT_SHOTS || path.join(root, 'build', 'shots');
  fs.mkdirSync(dir, { recursive: true });
  const file = path.join(dir, `${name}.png`);
  await page.screenshot({ path: file, fullPage });
  return file;
}
