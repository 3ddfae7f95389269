/* The demo from end to end, as somebody new to it would go: answer a grid as a worker, watch it arrive as
 * the lead, find the spammer, leave that person out, see the numbers move, export, take it back. Nowhere does anything
 * say what models answer about images of a sealed set. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';

import { compare, exported, readTicks, settled } from '../http/recompute.mjs';
import { everyRole, noneSays } from '../http/sealed_images.mjs';
import { sqlite } from '../load/tools.mjs';
import { toGrid } from './grid.mjs';
import {
  Client, accessible, fitsWidth, launch, must, noProblems, oneLine, openPage, startServer, tempDir,
} from './lib.mjs';

const tileSays = (page, label, value) => page.waitForFunction(([l, v]) => [...document.querySelectorAll('.tile')]
  .some((e) => e.querySelector('dt').innerText === l && e.querySelector('.tile-value').innerText.trim() === v), [label, value]);

async function demo(t) {
  const dir = path.join(tempDir(t), 'demo');
  await must(['demo', dir, '--size', 'tiny', '--quiet']);
  const server = await startServer(t, dir, { command: ['demo', dir, '--serve', '--no-visitors', '--quiet'] });
  const [login, password] = fs.readFileSync(path.join(dir, 'demo-login.txt'), 'utf8').split('\n');
  return { dir, url: server.url, lead: await new Client(server.url).login(login, password) };
}

const answersOf = async (dir) => Number(await sqlite(path.join(dir, 'holdout.db'), 'SELECT count(*) FROM answer;'));
const frequencies = (dir) => must(['export', 'frequencies', dir]);

/* Numbers with their units, and short names, in windows as people have them. */
async function roomEnough(page, person) {
  for (const [at, width, selector] of [
    [`/workers/${person}`, 1440, '.tile-value'],
    ['/campaigns/pictures/participants', 1440, '.tile-value'],
    ['/campaigns/pictures/participants', 360, 'tbody th .mono'],
    ['/models', 1280, '#models-table tbody th a'],
    ['/work/campaign/pictures', 1440, '.tile-value'],
  ]) {
    await page.setViewportSize({ width, height: 900 });
    await page.goto(at);
    await fitsWidth(page);
    await oneLine(page, selector);
  }
}

test('the demo, from a worker\'s grid to an export without the spammer', async (t) => {
  const [site, browser] = await Promise.all([demo(t), launch(t)]);
  const { dir, lead } = site;
  const before = await answersOf(dir);

  const overview = await openPage(browser, `${site.url}/`, { cookies: lead.cookies, width: 1440, height: 900 });
  await overview.locator('[data-live-state]:visible').waitFor();
  await tileSays(overview, 'Answers', before.toLocaleString('en-US'));

  const worker = await toGrid(browser, site, 'pictures', 'somebody-new');
  for (const k of [0, 5, 7]) await worker.locator('.cell').nth(k).click();
  assert.equal(await worker.locator('.cell input:checked').count(), 3);
  await worker.keyboard.press('Control+Enter');
  await tileSays(overview, 'Answers', (before + 1).toLocaleString('en-US'));
  noProblems(worker);

  const shown = await frequencies(dir);
  const candidates = (await settled(lead, dir)).candidates.frequency;
  await tileSays(overview, 'Frequency of candidates', candidates.toFixed(2));
  const spammer = (await sqlite(path.join(dir, 'holdout.db'),
    "SELECT pseudonym FROM person JOIN identity ON person = id WHERE external_id = 'sim-010';")).trim(); /* at random */
  const people = await openPage(browser, `${site.url}/workers?sort=relative`, { cookies: lead.cookies, width: 1440, height: 900 });
  const row = people.locator('tbody tr', { hasText: spammer });
  assert.ok(await row.evaluate((e) => e.sectionRowIndex) < 3, 'who selects at random is among those who agree least');
  await row.locator('input[type=checkbox]').check();
  await people.getByRole('button', { name: 'Preview selected' }).click();
  await people.waitForURL(/\/decisions\/new/);
  await accessible(people);
  assert.equal(await frequencies(dir), shown, 'a preview changes nothing');
  await people.getByLabel('Reason').fill('selects at random');
  await people.locator('form[method=post] button.primary').click();
  await people.waitForURL(/\/decisions\/\d+/);
  await people.getByText('in effect').first().waitFor();

  const moved = (await settled(lead, dir)).candidates.frequency;
  assert.notEqual(moved, candidates);
  await tileSays(overview, 'Frequency of candidates', moved.toFixed(2));
  assert.notEqual(await frequencies(dir), shown);
  assert.match(await must(['export', 'votes', dir, '--campaign', 'pictures']), new RegExp(`,${spammer},R,`));
  const [main] = await exported(dir, ['pictures']);
  const objects = ['export', 'responses', dir, '--campaign', 'objects'];
  const ticks = readTicks(await must(objects), await must([...objects, '--format', 'order']));
  await compare(lead, dir, [main], { name: 'pictures',
    beside: [...await exported(dir, ['pilot']), ticks] });

  await people.getByRole('link', { name: /Undo/ }).click();
  await people.getByLabel('Reason').fill('only a rehearsal');
  await people.locator('form[method=post] button.primary').click();
  await people.waitForURL(/\/decisions\/\d+/);
  await tileSays(overview, 'Frequency of candidates', candidates.toFixed(2));
  assert.equal(await frequencies(dir), shown, 'taken back, byte for byte');
  const clients = await everyRole(dir, site.url, lead, tempDir(t));
  assert.ok(await noneSays(dir, clients) > 0, 'images of a sealed set are in an open one');
  await roomEnough(people, spammer);
  await must(['check', dir]);
  noProblems(overview);
  noProblems(people);
});
