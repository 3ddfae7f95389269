/* The page of models in a browser: what other processes store appears without reload, a model runs from the
 * page, and columns sort without a script. */
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { Client, accessible, launch, noProblems, openPage, press, tempDir } from './lib.mjs';
import { MODELS, SETS, addOnnx, importModel, importSet, rightOf, writer } from '../http/model_world.mjs';
import { startStudy } from '../http/study.mjs';

async function begin(t) {
  const { dir, server } = await startStudy(t, { env: { HOLDOUT_JOBS_JOBS_AT_ONCE: '1' } });
  const file = writer(tempDir(t));
  await importSet(dir, file, 'originals', ['--role', 'original']);
  await importSet(dir, file, 'fresh');
  for (const name of Object.keys(MODELS)) await importModel(dir, file, name, 'originals', MODELS[name].originals);
  await addOnnx(dir, file);
  const client = await new Client(server.url).login('lead');
  const browser = await launch(t);
  const open = (more) => openPage(browser, `${server.url}/models`, { cookies: client.cookies, ...more });
  return { dir, file, open };
}

/* The text of a cell by model and column. */
const cell = (page, model, column) =>
  page.locator(`#models-table tr:has(a[href="/models/${model}"]) > :nth-child(${column})`);
const percent = (k, n) => (100 * k / n).toFixed(1);

test('models in a browser', async (t) => {
  const { dir, file, open } = await begin(t);

  await t.test('predictions that are imported meanwhile appear without reload', async () => {
    const page = await open();
    await page.evaluate(() => { globalThis.stays = true; });
    assert.equal(await cell(page, 'sharp', 5).innerText(), '\u2013');
    await importModel(dir, file, 'sharp', 'fresh', MODELS.sharp.fresh);
    const n = SETS.fresh.length;
    const wanted = percent(rightOf(SETS.fresh, MODELS.sharp.fresh), n);
    await cell(page, 'sharp', 5).filter({ hasText: wanted }).waitFor();
    assert.match(await cell(page, 'sharp', 9).innerText(), /^1\n1\u20131$/, 'it has a rank, with its interval');
    assert.match(await cell(page, 'sharp', 7).innerText(), /^\u2212?\d+\.\d\n\u2212?\d+\.\d to \d+\.\d$/, 'and a gap with its own');
    await page.locator('#charts').waitFor();
    assert.equal(await page.evaluate(() => globalThis.stays), true, 'the page was not loaded again');
    noProblems(page);
    await page.context().close();
  });

  await t.test('a model runs from the page, and its row follows', async () => {
    const page = await open();
    await page.click('#run-net > summary');
    await accessible(page);
    await page.selectOption('#what-net', 'set:fresh/0');
    await Promise.all([page.waitForURL(/\/jobs\/\d+$/), page.click('#run-net button')]);
    await page.goto('/models');
    await cell(page, 'net', 5).filter({ hasText: /^\d/ }).waitFor();
    assert.match(await cell(page, 'net', 5).innerText(), /^\d+\.\d\n/);
    noProblems(page);
    await page.context().close();
  });

  await t.test('without script: columns sort, a pair is chosen, a model runs', async () => {
    const page = await open({ javaScriptEnabled: false });
    await press(page, page.locator('#models-table th >> text=Model'));
    const names = await page.locator('#models-table tbody th a').allInnerTexts();
    assert.deepEqual(names, [...names].sort());
    await press(page, page.locator('button:has-text("Compare")'));
    assert.match(page.url(), /original=originals/);
    await page.click('#run-net > summary');
    await Promise.all([page.waitForURL(/\/jobs\/\d+$/), page.click('#run-net button')]);
    await page.context().close();
  });
});
