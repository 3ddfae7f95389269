/* The rail: grouped, the current entry always in view, open work counted and followed; and a page that stops
 * asking when what it shows is over. */
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { Client, accessible, faultBin, fitsWidth, launch, noProblems, openPage } from './lib.mjs';
import { lease, startStudy } from '../http/study.mjs';

const JOB = { kind: 'stall', arguments: { steps: 1 } };
const countOf = (page, at) => page.locator(`[data-area-count="${at}"]`);
const clear = async (lead, image) =>
  assert.equal((await lead.post(`/flags/${image}`, { decision: 'clear', reason: '' })).status, 303);

/* Whether the lit entry lies wholly in the window, and how many are lit. */
const lit = (page) => page.evaluate(() => {
  const entries = [...document.querySelectorAll('.rail [aria-current="page"]')];
  const box = entries[0]?.getBoundingClientRect();
  return { lit: entries.map((e) => e.getAttribute('href')), inView: Boolean(box) && box.left >= 0 && box.top >= 0 &&
    box.right <= document.documentElement.clientWidth && box.bottom <= window.innerHeight };
});
const places = (page) => page.evaluate(() => [...document.querySelectorAll('.rail a, h1')].map((e) => {
  const { x, y, width } = e.getBoundingClientRect();
  return [x, y, width];
}));

async function currentInView(browser, client) {
  const { cookies } = await new Client(client.url).login('keeper');
  for (const javaScriptEnabled of [true, false]) {
    const page = await openPage(browser, `${client.url}/`, { cookies, width: 360, height: 740, javaScriptEnabled, colorScheme: 'dark' });
    assert.equal(await page.locator('.rail a').count(), 24);
    for (const at of ['/flags', '/sets', '/help']) {
      await page.goto(at);
      assert.deepEqual(await lit(page), { lit: [at], inView: true }, `${at} at 360 px`);
      await fitsWidth(page);
    }
    noProblems(page);
  }
  const low = await openPage(browser, `${client.url}/help`, { cookies, width: 1280, height: 400 });
  assert.deepEqual(await lit(low), { lit: ['/help'], inView: true });
  await accessible(low);
}

async function openWork(browser, client) {
  const lead = await new Client(client.url).login('lead');
  for (const [width, height] of [[1440, 900], [390, 844]]) {
    const page = await openPage(browser, `${client.url}/jobs`, { cookies: lead.cookies, width, height });
    await page.locator('[data-live-state]:visible').waitFor();
    assert.deepEqual([await countOf(page, '/flags').innerText(), await countOf(page, '/jobs').innerText()], ['', '']);
    const before = await places(page);
    const { assignment } = await lease(client, `at-${width}`);
    const flags = [0, 1].map((position) =>
      client.json('POST', `/api/v1/assignments/${assignment}/flags`, { position, kind: 'other' }));
    assert.deepEqual((await Promise.all(flags)).map((r) => r.status), [200, 200]);
    const job = await lead.json('POST', '/api/v1/jobs', JOB);
    assert.equal(job.status, 202, JSON.stringify(job.body));
    await page.waitForFunction(() => /^1\b/.test(document.querySelector('[data-area-count="/jobs"]').textContent));
    assert.equal((await countOf(page, '/flags').textContent()).replace(/\s+/g, ' ').trim(), '2 to decide');
    assert.equal((await countOf(page, '/jobs').textContent()).replace(/\s+/g, ' ').trim(), '1 waiting or running');
    assert.deepEqual(await places(page), before);
    noProblems(page);

    const images = [...(await lead.page('/flags')).matchAll(/action="\/flags\/(\d+)"/g)].map((m) => m[1]);
    for (const image of new Set(images)) await clear(lead, image);
    assert.equal((await lead.json('POST', `/api/v1/jobs/${job.body.id}/cancel`)).status, 202);
    await page.waitForFunction(() => [...document.querySelectorAll('[data-area-count]')].every((e) => e.textContent === ''));
  }
}

async function watchedJob(browser, client) {
  const lead = await new Client(client.url).login('lead');
  const { body: job } = await lead.json('POST', '/api/v1/jobs', JOB);
  const page = await openPage(browser, `${client.url}/jobs/${job.id}`, { cookies: lead.cookies });
  const asked = [];
  page.on('request', (r) => asked.push(new URL(r.url()).pathname));
  await page.getByRole('button', { name: 'Cancel' }).waitFor();
  await page.evaluate(() => {
    window.streamsClosed = 0;
    const { close } = EventSource.prototype;
    EventSource.prototype.close = function end() { window.streamsClosed += 1; close.call(this); };
  });
  assert.equal((await lead.json('POST', `/api/v1/jobs/${job.id}/cancel`)).status, 202);
  await page.getByRole('button', { name: 'Run again' }).waitFor();
  await page.waitForFunction(() => window.streamsClosed === 1);
  assert.ok(asked.every((at) => ['/events', `/jobs/${job.id}`].includes(at)), asked.join(' '));
  asked.length = 0;
  /* What the page does whenever it is looked at again. */
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
  await page.evaluate(() => fetch('/help'));
  assert.deepEqual(asked, ['/help']);
  noProblems(page);
}

test('the rail', async (t) => {
  const [browser, { client }] = await Promise.all([launch(t), startStudy(t, { binary: faultBin })]);
  await t.test('the current entry is in view on a phone and in a low window, with a script and without', () =>
    currentInView(browser, client));
  await t.test('flags and jobs that are open are counted, followed without a reload, and nothing moves', () =>
    openWork(browser, client));
  await t.test('a watched job that ends is asked for no more', () => watchedJob(browser, client));
});
