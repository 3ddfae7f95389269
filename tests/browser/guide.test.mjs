/* guide.test.mjs - what people write about classes is inert in the browser, whatever it is; a class is chosen by keys. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';

import { Client, PASSWORD, accessible, faultBin, launch, must, newProject, noProblems, openPage, startServer, tempDir } from './lib.mjs';

const NASTY = `# Fins
<script>window.bad = 1</script>

<img src=x onerror="window.bad = 2"> <svg onload="window.bad = 3"></svg> <b onmouseover="window.bad = 4">bold</b>

[a](javascript:window.bad=5) [b](JAVASCRIPT:window.bad=6) [c](java&#115;cript:window.bad=7) [d](data:text/html,<script>window.bad=8</script>)
[e](vbscript:x) [f]( javascript:window.bad=9) <javascript:window.bad=10> [g](/logout) [h](https://example.org/"onmouseover="window.bad=11)

![i](javascript:window.bad=12) ![j](https://example.org/track.png) ![k](data:image/svg+xml,<svg/onload=window.bad=13>) ![l](pictures:"onerror="window.bad=14)

<details open ontoggle="window.bad=15"><div><iframe srcdoc="<script>parent.bad=16</script>"></iframe></div></details>

<style>* { display: none }</style>

[ok](guide:n00000002)
`;

test('a guide with scripts, handlers and javascript: links is inert; a class is chosen by keys', async (t) => {
  const dir = await newProject(t), work = tempDir(t);
  const file = (name, text) => {
    fs.mkdirSync(path.dirname(path.join(work, name)), { recursive: true });
    fs.writeFileSync(path.join(work, name), text);
    return path.join(work, name);
  };
  const classes = ['apple', 'banana', 'cherry'].map((word, cid) => JSON.stringify({ cid, wnid: `n0000000${cid + 1}`, synset: [word], gloss: `a fruit, ${word}` }));
  await must(['import', 'classes', dir, file('classes.jsonl', `${classes.join('\n')}\n`)]);
  await must(['import', 'guide', dir, path.dirname(file('guide/n00000001.md', NASTY))]);
  await must(['user', 'add', dir, 'lead', '--role', 'lead', '--password-file', file('password', `${PASSWORD}\n`)]);
  const server = await startServer(t, dir, { binary: faultBin });
  const { cookies } = await new Client(server.url).login('lead');
  const browser = await launch(t);
  const page = await openPage(browser, `${server.url}/guide/n00000001`, { cookies });
  const asked = [];
  page.on('request', (r) => asked.push(r.url()));

  const text = page.locator('.guide-text');
  for (const link of await text.locator('a').all()) {
    assert.match(await link.getAttribute('href'), /^(https:\/\/example\.org\/|\/guide\/n00000002$)/);
    await link.hover();
  }
  assert.deepEqual(await text.locator('a').allTextContents(), ['h', 'ok']);
  const elements = await text.evaluate((e) => [...e.querySelectorAll('*')].map((one) => [one.tagName, one.getAttributeNames().join()]));
  assert.ok(elements.every(([tag, names]) => /^(H3|P|A|SPAN)$/.test(tag) && /^((href|target|rel|class),?)*$/.test(names)), JSON.stringify(elements));
  assert.ok(await text.isVisible());
  assert.equal(await page.evaluate(() => window.bad), undefined);
  assert.deepEqual(asked.filter((url) => !url.startsWith(server.url)), []);
  await accessible(page);

  /* On paper: what is read, and where links lead; nothing that is clicked, and no grid, which would be cut across where a sheet ends. */
  await page.emulateMedia({ media: 'print' });
  for (const at of ['/guide/n00000001', '/guide/print', '/guide', '/guide/n00000001/with/n00000002', '/guide/n00000001/history']) {
    await page.goto(server.url + at);
    assert.deepEqual(await page.locator('.topbar, .rail, .crumbs, .actions, .button, button, input, select').evaluateAll((all) => all.filter((e) => e.checkVisibility()).map((e) => e.outerHTML)), [], at);
    assert.deepEqual(await page.locator('main, main .stack').evaluateAll((all) => all.map((e) => getComputedStyle(e).display).filter((d) => d === 'grid')), [], at);
  }
  await page.goto(`${server.url}/guide/print`);
  const lead = await page.locator('.guide-text a').evaluateAll((all) => all.map((e) => getComputedStyle(e, '::after').content));
  assert.deepEqual(lead, ['"(https://example.org/\\"onmouseover=\\"window.bad=11)"', 'none']);
  await page.emulateMedia({ media: 'screen' });

  await page.goto(`${server.url}/guide/n00000001/relations`);
  await page.keyboard.press('Tab');
  await page.locator('[data-query]').pressSequentially('cher');
  await page.locator('[data-found] input').waitFor();
  await page.keyboard.press('Enter');
  await page.locator('[data-chosen] strong').filter({ hasText: 'cherry' }).waitFor();
  await page.locator('#kind').selectOption('confusable');
  await page.locator('button.primary').click();
  await page.locator('td').filter({ hasText: 'confusable with' }).waitFor();
  await accessible(page);
  noProblems(page);
});
