/* From votes to released sets by clicking alone: the demo's candidates become a set by each of the four strategies,
 * which is frozen, released and exported from its page; an empty project reads the folder back equal. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';

import {
  Client, accessible, faultBin, fitsWidth, launch, must, newProject, noProblems, openPage, press, startServer, tempDir,
} from './lib.mjs';

/* With the fault hooks: a page whose data lacks a name is refused. */
async function demo(t) {
  const dir = path.join(tempDir(t), 'demo');
  await must(['demo', dir, '--size', 'tiny', '--quiet']);
  const server = await startServer(t, dir, {
    binary: faultBin, command: ['demo', dir, '--serve', '--no-visitors', '--quiet'],
  });
  const [login, password] = fs.readFileSync(path.join(dir, 'demo-login.txt'), 'utf8').split('\n');
  return { dir, url: server.url, lead: await new Client(server.url).login(login, password) };
}

/* What the tiny world has: few answers, six originals of a class, keywords of both. */
const STRATEGIES = {
  matched: { label: 'Matched frequency', answers: '5', axe: true, more: async (page) => {
    await page.getByLabel('Minimum answers per original').fill('5');
    await page.getByLabel('Minimum originals per class').fill('3');
    await page.getByLabel(/take from the next higher ones/).check();
  } },
  threshold: { label: 'Threshold', answers: '5', more: async (page) => {
    await page.getByRole('textbox', { name: 'Threshold', exact: true }).fill('0.5');
  } },
  top: { label: 'Top images', answers: '5', more: async () => {} },
  keyword: { label: 'Keywords', answers: '0', more: async (page) => {
    await page.getByLabel('Maximum keywords per class').fill('2');
  } },
};

const button = (page, name) => page.getByRole('button', { name });
const link = (page, name) => page.getByRole('link', { name });

/* The job's page changes by itself. */
async function jobEnds(page) {
  await page.waitForURL(/\/jobs\/\d+$/);
  const badge = page.locator('.page-head .badge').first();
  await badge.filter({ hasText: /^(done|failed)$/ }).waitFor();
  assert.equal(await badge.innerText(), 'done', await page.locator('main').innerText());
}

/* From /sets to the page of the new revision. */
async function sample(page, name, { label, answers, more, axe }) {
  await page.goto('/sets');
  await link(page, 'New set').click();
  await page.waitForURL(/\/sets\/new$/);
  await page.getByLabel('Name', { exact: true }).fill(name);
  await page.getByRole('radio', { name: label }).check();
  await page.getByLabel('Images per class').fill('4');
  await page.getByLabel('Minimum answers per candidate').fill(answers);
  await more(page);
  await Promise.all([page.waitForURL(/do=plan/), button(page, 'Show the plan').click()]);
  await page.getByRole('heading', { name: `The plan for ${name}` }).waitFor();
  if (axe) await accessible(page);
  await button(page, 'Make this revision').click();
  await jobEnds(page);
  await link(page, `The set ${name}`).click();
  await page.waitForURL(new RegExp(`/sets/${name}$`));
  await link(page, `${name}/0`).click();
  await page.getByRole('heading', { level: 1, name: `${name}/0` }).waitFor();
}

const stateIs = (page, state) => page.locator('.page-head .badge', { hasText: new RegExp(`^${state}$`) }).waitFor();

/* Sealed, frozen, released: and then nothing leads on. */
async function release(page) {
  await stateIs(page, 'sealed');
  await page.getByText('Freeze …').click();
  await page.locator('#state-frozen').getByLabel('Reason').fill('The review is over.');
  await button(page, /^Freeze /).click();
  await stateIs(page, 'frozen');
  assert.match(await page.locator('[data-toast]').innerText(), /is frozen now\. Models can be scored/);
  await page.getByText('Release …').click();
  await page.locator('#state-released').getByLabel('Reason').fill('The paper is out.');
  await button(page, /^Release /).click();
  await stateIs(page, 'released');
  assert.equal(await page.locator('form[action*="/state/"]').count(), 0);
}

async function exportSet(page) {
  await page.getByRole('checkbox', { name: /^Hard links/ }).check();
  await button(page, /^Export /).click();
  await jobEnds(page);
}

const setOf = async (dir, name) => (await must(['set', 'list', dir])).split('\n').find((l) => l.startsWith(`${name},`)).split(',');

/* From a revision to the next one, as forms alone. */
async function withoutScript(browser, site) {
  const page = await openPage(browser, `${site.url}/sets/matched/1`, { cookies: site.lead.cookies, javaScriptEnabled: false });
  await press(page, link(page, 'All differences'));
  assert.match(page.url(), /\/sets\/matched\/diff\?a=matched\/0&b=matched\/1$/);
  assert.match(await page.locator('.card').first().innerText(), /on the blacklist/);
  await page.goBack();
  await press(page, link(page, 'Sample the next'));
  assert.equal(await page.getByLabel('Made from').inputValue(), 'matched/1');
  assert.equal(await page.getByLabel('Name', { exact: true }).inputValue(), 'matched');
  await page.getByLabel('Images per class').fill('-3');
  await button(page, 'Show the plan').click();
  assert.match(await page.getByRole('alert').innerText(), /size must be a whole number from 1 to 100000/);
  assert.equal(await page.getByLabel('Images per class').inputValue(), '-3', 'what was typed is kept');
}

/* One image is blacklisted: the next revision replaces that one, with the parent's settings, by three clicks. */
async function nextRevision(page, { dir, lead }) {
  const images = async (n) => (await lead.json('GET', `/api/v1/sets/e2e-threshold/${n}`)).body.items;
  const was = await images(0);
  const lost = was[3];
  const r = await lead.json('POST', `/api/v1/classes/${lost.wnid}/decisions`,
    { images: [{ image: lost.image, banned: true, reason: 'unclear' }] }, { 'if-match': '*' });
  assert.ok(r.status < 300, JSON.stringify(r.body));
  await page.goto('/sets/e2e-threshold/0');
  await link(page, 'Sample the next').click();
  await page.getByText('As e2e-threshold/0 was sampled').waitFor();
  assert.equal(await page.getByLabel('Minimum answers per candidate').inputValue(), '5');
  assert.equal(await page.getByRole('textbox', { name: 'Threshold', exact: true }).inputValue(), '0.5');
  await Promise.all([page.waitForURL(/do=plan/), button(page, 'Show the plan').click()]);
  assert.match(await page.locator('#replaces').innerText(), /^It replaces 1: 1 blacklisted\.$/);
  await page.getByText('The settings are the same.').waitFor();
  await accessible(page);
  await button(page, 'Make this revision').click();
  await jobEnds(page);
  const is = (await images(1)).map((i) => i.image);
  assert.deepEqual([is.length, was.filter((i) => !is.includes(i.image)).map((i) => i.image)], [was.length, [lost.image]]);
  await must(['sample', dir, '--replay', 'e2e-threshold/1', '--quiet']);
}

/* The figures of every strategy, and those of one that was planned to be measured again. */
async function biases(page, dir) {
  await must(['grids', dir, '--kind', 're-measurement', '--campaign', 'again', '--set', 'e2e-matched', '--quiet']);
  for (const strategy of Object.keys(STRATEGIES)) {
    await page.goto(`/sets/e2e-${strategy}/0`);
    await link(page, 'Matching bias').click();
    await page.getByRole('heading', { level: 1, name: 'Matching bias' }).waitFor();
    assert.match(await page.locator('#figures-table').innerText(), strategy === 'keyword' ? /^(?!.*estimated)/s : /Chosen by all \d+\s+estimated.*Chosen by \d+ answers\s+measured/s);
    assert.equal(await page.locator('#again-head ~ p a').count(), strategy === 'matched' ? 1 : 0);
  }
  await page.goto('/sets/e2e-matched/0/bias');
  await accessible(page);
  await page.setViewportSize({ width: 360, height: 800 });
  await fitsWidth(page);
  await page.emulateMedia({ colorScheme: 'dark' });
  await accessible(page);
  noProblems(page);
}

test('the demo: a released set of each strategy by clicking alone', async (t) => {
  const [site, browser, empty] = await Promise.all([demo(t), launch(t), newProject(t)]);
  await t.test('the next revision, without script', () => withoutScript(browser, site));
  const page = await openPage(browser, `${site.url}/`, { cookies: site.lead.cookies, width: 1280, height: 900 });
  await page.locator('#sets-table').getByRole('link', { name: 'matched/1' }).waitFor();
  for (const [strategy, how] of Object.entries(STRATEGIES)) {
    const name = `e2e-${strategy}`;
    await t.test(strategy, async () => {
      await sample(page, name, how);
      if (how.axe) await accessible(page);
      await release(page);
      await exportSet(page);
      noProblems(page);

      const folder = path.join(site.dir, 'exports', `${name}-0`);
      await must(['import', 'classes', empty, path.join(folder, 'classes.csv')]);
      await must(['import', 'set', empty, name, folder]);
      const [there, back] = [await setOf(site.dir, name), await setOf(empty, name)];
      assert.equal(there[5], 'released');
      assert.equal(there[4], strategy);
      assert.ok(Number(there[3]) > 0);
      for (const column of [3, 4, 5, 8]) assert.equal(back[column], there[column], 'images, strategy, state, digest');
    });
  }
  await t.test('the next revision replaces what was blacklisted', () => nextRevision(page, site));
  await t.test('how much harder each is because frequencies are noisy', () => biases(page, site.dir));
  await must(['check', site.dir]);
  assert.equal(await must(['export', 'set', site.dir, 'e2e-top']), await must(['export', 'set', empty, 'e2e-top']));
});
