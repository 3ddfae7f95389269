/* screens.mjs - the pictures of the README, taken of the demo: `make screens`. */
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';

import { sqlite } from '../load/tools.mjs';
import { toGrid } from './grid.mjs';
import { Client, launch, must, openPage, root, startServer, tempDir } from './lib.mjs';

const FOLDER = path.join(root, 'docs', 'screens');

test('the pictures of the README', { timeout: 600000 }, async (t) => {
  const dir = path.join(tempDir(t), 'pictures of the world');
  await must(['demo', dir, '--quiet'], { limit: 600000 });
  const server = await startServer(t, dir, { command: ['demo', dir, '--serve', '--pace', '20', '--quiet'] });
  const [login, password] = fs.readFileSync(path.join(dir, 'demo-login.txt'), 'utf8').split('\n');
  const { cookies } = await new Client(server.url).login(login, password);
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
  for (const k of [1, 4, 10]) await grid.locator('.cell').nth(k).click();
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
