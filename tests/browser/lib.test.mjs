/* lib.test.mjs - the helpers of browser tests notice what they are there for. */
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { once } from 'node:events';
import fs from 'node:fs';
import { test } from 'node:test';

import { LONG, accessible, axeFindings, fitsWidth, launch, noProblems, openPage, shot } from './lib.mjs';

const PAGES = {
  '/good': '<h1>Good</h1><main><p>Text</p></main>',
  '/rows': `<h1>Rows</h1>${'<div><img src="/favicon.ico"></div>'.repeat(40)}<div class="odd"><img src="/favicon.ico"></div>`,
  '/bad': '<h1>Bad</h1><img src="/x.png"><p class="faint">faint</p><div class="wide">w</div>'
    + '<link rel="stylesheet" href="/x.css"><script src="/x.js"></script>',
};
const FILES = {
  '/x.css': ['text/css', '.faint { color: #ddd } .wide { width: 3000px }'],
  '/x.js': ['text/javascript', "throw new Error('broken')"],
};

async function site(t) {
  const server = createServer((req, res) => {
    const file = FILES[req.url];
    const body = PAGES[req.url];
    res.setHeader('Content-Security-Policy', "default-src 'self'");
    res.setHeader('Content-Type', file ? file[0] : 'text/html; charset=utf-8');
    res.statusCode = file || body || req.url === '/favicon.ico' ? 200 : 404;
    res.end(file ? file[1] : `<!doctype html><html lang="en"><title>T</title>${body ?? ''}</html>`);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => { server.closeAllConnections(); server.close(); });
  return `http://127.0.0.1:${server.address().port}`;
}

test('a good page has no findings', async (t) => {
  const page = await openPage(await launch(t), `${await site(t)}/good`);
  await accessible(page);
  await fitsWidth(page);
  noProblems(page);
  assert.ok(fs.statSync(await shot(page, 'lib-good', { always: true })).size > 1000);
});

test('of many alike a few stand for all, but not for one of another kind', async (t) => {
  const page = await openPage(await launch(t), `${await site(t)}/rows`);
  const findings = (await axeFindings(page)).filter((f) => f.startsWith('image-alt'));
  assert.equal(findings.length, LONG ? 41 : 5, findings.join('\n'));
  assert.match(findings.at(-1), /odd/);
});

test('a bad page has each of them', async (t) => {
  const page = await openPage(await launch(t), `${await site(t)}/bad`, { width: 360, colorScheme: 'dark' });
  const rules = (await axeFindings(page)).map((f) => f.split(':')[0]);
  assert.ok(rules.includes('image-alt'), rules.join());
  assert.ok(rules.includes('color-contrast'), rules.join());
  await assert.rejects(accessible(page), /is accessible/);
  await assert.rejects(fitsWidth(page), /3000|wide/);
  assert.throws(() => noProblems(page), /no errors/);
  assert.ok(page.problems.some((p) => p.includes('broken')), page.problems.join());
  assert.ok(page.problems.some((p) => p.includes('404')), page.problems.join());
});
