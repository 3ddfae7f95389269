/* endurance.test.mjs - grids in a row through a network that loses requests and is away for a while:
 * nothing is lost and nothing doubled, each grid has the answer that the worker gave to it. With
 * HOLDOUT_LONG=1 (`make nightly`) a hundred grids, one request in a hundred lost, a minute offline;
 * otherwise a shorter one. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import test from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';

import { WIDE, png } from '../http/study.mjs';
import { badNetwork } from './bad_network.mjs';
import { shown } from './grid.mjs';
import { sqlite } from '../load/tools.mjs';
import { launch, must, newProject, startServer, tempDir } from './lib.mjs';

const [GRIDS, LOSS, OFFLINE_S] = process.env.HOLDOUT_LONG ? [100, 0.01, 60] : [30, 0.03, 3];
const CUT_AT = Math.floor(GRIDS * 0.4), RELOAD_AT = Math.floor(GRIDS * 0.6);

const wnid = (i) => `n${String(i + 1).padStart(8, '0')}`;

/* As many classes as grids, each with a few small drawn images. */
async function study(t) {
  const dir = await newProject(t);
  const work = tempDir(t);
  const classes = Array.from({ length: GRIDS }, (_, i) => JSON.stringify({
    cid: i, wnid: wnid(i), synset: [`thing ${i}`], gloss: `the thing with number ${i}`,
    similar: [wnid(i), wnid((i + 1) % GRIDS)],
  }));
  fs.writeFileSync(path.join(work, 'classes.jsonl'), `${classes.join('\n')}\n`);
  for (let i = 0; i < GRIDS; i++) {
    for (const [kind, count] of [['candidate', 3], ['original', 3]]) {
      const folder = path.join(work, kind, wnid(i));
      fs.mkdirSync(folder, { recursive: true });
      for (let k = 0; k < count; k++) {
        const name = `${wnid(i)}-${kind}-${k}`;
        fs.writeFileSync(path.join(folder, `${name}.png`), png(name));
      }
    }
  }
  await must(['import', 'classes', dir, path.join(work, 'classes.jsonl')]);
  await must(['import', 'images', dir, path.join(work, 'original'), '--role', 'original']);
  await must(['import', 'images', dir, path.join(work, 'candidate')]);
  await must(['grids', dir, '--open', '--coverage', '0', '--answers-per-grid', '2', '--max-share', '1',
    '--grids-per-place', String(GRIDS), '--same-image-again', '--lease', '3600', '--seed', '1']);
  const server = await startServer(t, dir, { env: WIDE });
  return { dir, server };
}

/* As a person does when a page does not come: again. */
async function insist(page, act) {
  for (let tries = 1; ; tries++) {
    try {
      return await act();
    } catch (e) {
      if (tries === 8) throw e;
      await page.reload().catch(() => {});
    }
  }
}

const bits = (n) => n.toString(2).replaceAll('0', '').length;

test('grids in a row over a bad network', { timeout: 580000 }, async (t) => {
  const { dir, server } = await study(t);
  const net = await badNetwork(t, server.url, { loss: LOSS, seed: 20 });
  const browser = await launch(t);
  const page = await browser.newPage({ baseURL: net.url, viewport: { width: 1280, height: 900 } });

  await insist(page, () => page.goto('/work/campaign/main?PROLIFIC_PID=steady', { waitUntil: 'load' }));
  await insist(page, async () => {
    if (new URL(page.url()).pathname.startsWith('/work/campaign/')) await page.getByRole('button', { name: 'I agree' }).click();
    await page.waitForURL(/\/work\/(place|assignment)\//, { timeout: 10000 });
  });
  await insist(page, async () => {
    if (page.url().includes('/work/place/')) await page.getByRole('button', { name: /grid/i }).click();
    await page.waitForSelector('main[data-url]', { timeout: 10000 });
  });

  const said = new Map(); /* assignment's token -> how many cells were selected */
  /* The page's script may still be on its way, or be what was lost: without it no key works. */
  const ready = () => page.waitForSelector('[data-tools]:not([hidden])', { timeout: 10000 });
  for (let n = 0; n < GRIDS; n++) {
    await insist(page, ready);
    const token = await shown(page);
    assert.ok(token && !said.has(token), `grid ${n + 1} is a new one`);
    const cells = page.locator('.cell');
    const picks = n % 4;
    for (let k = 0; k < picks; k++) await cells.nth((n + 3 * k) % 9).click();
    assert.equal(await page.locator('.cell input:checked').count(), picks);
    said.set(token, picks);
    if (n === CUT_AT) net.cut();
    await page.keyboard.press('Control+Enter');
    if (picks === 0) await page.locator('button[name="none"]').click();
    if (n === CUT_AT) {
      await page.waitForFunction(() => document.body.innerText.includes('waiting to send'));
      await wait(OFFLINE_S * 1000);
      net.mend();
    }
    if (n === RELOAD_AT) await page.reload().catch(() => {});
    if (n < GRIDS - 1) {
      await insist(page, () => page.waitForFunction((t0) => {
        const main = document.querySelector('main[data-url]');
        return main && !main.dataset.url.endsWith(t0);
      }, token, { timeout: 60000 }));
    }
  }
  await insist(page, () => page.waitForURL(/\/work\/place\//, { timeout: 60000 }));
  await insist(page, () => page.waitForSelector('output.code', { timeout: 10000 }));
  assert.ok(net.lost.there > 0 && net.lost.back > 0, `requests were lost both ways: ${JSON.stringify(net.lost)}`);

  const rows = (await sqlite(`${dir}/holdout.db`,
    'SELECT lower(hex(s.token)), w.mask, w.surplus FROM answer w JOIN assignment s ON s.id = w.assignment;'))
    .trim().split('\n').map((line) => line.split('|'));
  assert.equal(rows.length, GRIDS, 'every grid is answered once');
  for (const [hex, mask, surplus] of rows) {
    const token = Buffer.from(hex, 'hex').toString('base64url');
    assert.equal(surplus, '0');
    assert.equal(bits(BigInt(mask)), said.get(token), 'with what was selected');
  }
  t.diagnostic(`${net.requests} requests, lost on the way there ${net.lost.there}, back ${net.lost.back}; offline ${OFFLINE_S} s`);
});
