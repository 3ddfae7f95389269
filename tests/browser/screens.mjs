/* screens.mjs - the pictures of the README, taken of the demo: `make screens`. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';

import { sqlite } from '../load/tools.mjs';
import { toGrid } from './grid.mjs';
import { Client, launch, must, openPage, root, startServer, tempDir } from './lib.mjs';

const FOLDER = path.join(root, 'docs', 'screens');

/* The first three cells of the grid that `who` holds whose photos plainly show its class, by what the demo noted
 * when it drew them. Cells are shuffled: a photo is known by its pixels. */
async function plainCells(page, { dir, lead, who }) {
  const held = `assignment a JOIN identity i ON i.person = a.person AND i.external_id = '${who}' JOIN grid g ON g.id = a.grid`;
  const rows = await sqlite(path.join(dir, 'holdout.db'), `SELECT image.id, image.name, class.wnid FROM ${held}
    JOIN class ON class.id = g.class JOIN grid_cell c ON c.grid = g.id JOIN image ON image.id = c.image;`);
  const drawn = new Map(fs.readFileSync(path.join(dir, 'demo-images', 'truth.jsonl'), 'utf8').trim().split('\n')
    .map((line) => JSON.parse(line)).map((one) => [one.image, one]));
  const plain = [];
  for (const [id, name, wnid] of rows.trim().split('\n').map((row) => row.split('|'))) {
    const { drawing, objects } = drawn.get(name);
    if (drawing || !objects.some((o) => o.class === wnid && !o.tinted && o.visibility > 0.9 && o.box[2] > 90)) continue;
    const photo = await lead.fetch(`/images/${id}/grid`);
    plain.push(Buffer.from(await photo.arrayBuffer()).toString('base64'));
  }
  const found = await page.evaluate(async (plain64) => {
    const few = async (blob) => {
      const context = new OffscreenCanvas(16, 16).getContext('2d');
      context.drawImage(await createImageBitmap(blob), 0, 0, 16, 16);
      return context.getImageData(0, 0, 16, 16).data;
    };
    const bytes = (text) => Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
    const known = await Promise.all(plain64.map((text) => few(new Blob([bytes(text)]))));
    const shown = await Promise.all([...document.querySelectorAll('.cell img')].map(async (img) => few(await (await fetch(img.src)).blob())));
    return shown.flatMap((a, k) => (known.some((b) => a.every((v, i) => Math.abs(v - b[i]) < 8)) ? [k] : []));
  }, plain);
  assert.ok(found.length >= 3, `${found.length} photos that show the class, of ${plain.length}`);
  return found.slice(0, 3);
}

test('the pictures of the README', { timeout: 600000 }, async (t) => {
  const dir = path.join(tempDir(t), 'pictures of the world');
  await must(['demo', dir, '--quiet'], { limit: 600000 });
  const server = await startServer(t, dir, { command: ['demo', dir, '--serve', '--pace', '20', '--quiet'] });
  const [login, password] = fs.readFileSync(path.join(dir, 'demo-login.txt'), 'utf8').split('\n');
  const lead = await new Client(server.url).login(login, password);
  const { cookies } = lead;
  const browser = await launch(t);
  fs.mkdirSync(FOLDER, { recursive: true });
  const shoot = (page, name) => page.screenshot({ path: path.join(FOLDER, `${name}.jpg`), type: 'jpeg', quality: 82 });
  const drawn = (page) => page.waitForFunction(() => [...document.images]
    .filter((i) => i.offsetParent && i.getBoundingClientRect().top < window.innerHeight).every((i) => i.complete && i.naturalWidth));
  const look = async (at, name, height = 860) => {
    const page = await openPage(browser, `${server.url}${at}`, { cookies, width: 1280, height });
    await drawn(page);
    await shoot(page, name);
    return page;
  };

  const grid = await toGrid(browser, server, 'pictures', 'reader', { width: 1280, height: 860 });
  await drawn(grid);
  for (const k of await plainCells(grid, { dir, lead, who: 'reader' })) await grid.locator('.cell').nth(k).click();
  await shoot(grid, 'grid');
  await look('/', 'overview', 1240);
  await look('/classes/n02129604', 'class', 1000);
  await look('/models', 'models', 1000);
  const review = await openPage(browser, `${server.url}/sets/matched/1/n02129604`, { cookies, width: 1280, height: 1000 });
  await drawn(review);
  await review.locator('[data-card] select').nth(1).selectOption('unclear');
  await shoot(review, 'review');
  await look('/sets', 'sets', 700);
  await look('/workers?sort=relative', 'people');
  const spammer = (await sqlite(path.join(dir, 'holdout.db'),
    "SELECT pseudonym FROM person JOIN identity ON person = id WHERE external_id = 'sim-005';")).trim();
  await look(`/decisions/new?person=${spammer}&value=out`, 'decision', 1000);
});
