/* work.test.mjs - a worker's way from the link of a study to the completion code, as plain pages and
 * forms on real JPEGs, and what a lead sees of it meanwhile. Nothing here needs a script in the
 * worker's browser, a mouse, or luck with reloads, back buttons and second tabs. */
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { PASSWORD, fitsWidth, launch, must, noProblems, openPage, reload, signIn } from './lib.mjs';
import { demoSite } from './world.mjs';
import { sqlite } from '../load/tools.mjs';

const TOKEN = '[A-Za-z0-9_-]{22}';
/* Everything a worker's browser may ask for. */
const ADDRESSES = new RegExp('^/(static/.*|work/campaign/[a-z-]+([?]PROLIFIC_PID=[a-z-]+)?'
  + `|work/place/${TOKEN}(/next)?|work/assignment/${TOKEN}(/\\d+|/example/\\d+|[?]none=ask)?)$`);
/* What would tell a cell's role, its file or the image's class. */
const SECRETS = /candidate|original|negative|positive|\bcontrols?\b|\bgold\b|\.jpe?g|sha256|demo-images/i;

const button = (page, name) => page.getByRole('button', { name, exact: true });
const cells = (page) => page.getByRole('checkbox');

async function press(page, name) {
  await Promise.all([page.waitForNavigation(), button(page, name).click()]);
}

/* A worker without scripts at the first page of a campaign. */
async function visit(browser, site, campaign, id, options = {}) {
  return openPage(browser, `${site.url}/work/campaign/${campaign}?PROLIFIC_PID=${id}`, {
    javaScriptEnabled: false, ...options,
  });
}

async function toFirstGrid(page) {
  await press(page, 'I agree, start');
  assert.match(new URL(page.url()).pathname, new RegExp(`^/work/assignment/${TOKEN}$`));
}

const answers = async (site) =>
  Number(await sqlite(`${site.dir}/holdout.db`, 'SELECT count(*) FROM answer;'));

/* Keeps every reply that the page gets; the promise of each body is asked for at once, because the
 * browser forgets it with the page. */
function record(page) {
  const replies = [];
  page.on('response', (r) => {
    const kind = r.request().resourceType();
    const body = r.status() === 303 ? Promise.resolve('') : r.body().then((b) => b.toString('latin1'), () => null);
    replies.push({ url: r.url(), status: r.status(), kind, headers: r.allHeaders(), body });
  });
  return replies;
}

async function nothingLeaks(site, replies) {
  const images = new Set();
  let pages = 0;
  for (const r of replies) {
    assert.ok(r.url.startsWith(`${site.url}/`), `another origin: ${r.url}`);
    const at = r.url.slice(site.url.length);
    assert.match(at, ADDRESSES);
    assert.ok(r.status === 200 || r.status === 303, `${at}: ${r.status}`);
    if (at.startsWith('/static/')) continue;
    const headers = await r.headers;
    for (const value of [at, ...Object.values(headers)]) assert.doesNotMatch(value, SECRETS);
    const body = await r.body;
    if (r.kind === 'image') {
      for (const word of ['etag', 'last-modified', 'content-disposition']) assert.ok(!(word in headers), word);
      assert.doesNotMatch(body, /Exif|http:|Photoshop/, 'a photo without metadata');
      if (!at.includes('/example/')) images.add(at);
    } else if (body) {
      assert.equal(headers['cache-control'], 'no-store');
      assert.doesNotMatch(body, SECRETS);
      pages++;
    }
  }
  assert.ok(pages >= 4 && images.size === 2 * 48, `${pages} pages and ${images.size} photos were seen`);
}

/* The class of the grid on the page, whose heading names its words. */
async function classOf(site, page) {
  const words = (await page.locator('h1 strong').innerText()).replaceAll(' or ', '|');
  const wnid = (await sqlite(`${site.dir}/holdout.db`, `SELECT wnid FROM class WHERE synset = '${words}';`)).trim();
  assert.match(wnid, /^n\d{8}$/, words);
  return wnid;
}

/* How many images of the class page have been selected by so many of so many. */
const rowsWith = (page, text) => page.getByRole('cell', { name: text, exact: true });

async function linkToCode(browser, site) {
  const page = await visit(browser, site, 'two', 'ann');
  const replies = record(page);
  await page.reload();

  const text = await page.locator('main').innerText();
  for (const part of ['Find things', 'What you do', 'What we keep', '1.20 USD']) assert.ok(text.includes(part), part);
  await toFirstGrid(page);
  assert.equal(await cells(page).count(), 48);
  assert.deepEqual(await page.locator('.grid img').evaluateAll((all) => all.map((i) => i.alt)),
    Array.from({ length: 48 }, (_, i) => `image ${i + 1} of 48`));
  assert.deepEqual(await page.locator('.grid img').evaluateAll((all) => all.filter((i) => !i.naturalWidth).length), 0);

  const wnid = await classOf(site, page);
  const live = await openPage(browser, `${site.url}/login`);
  await signIn(live, 'lead', PASSWORD);
  await live.goto(`/classes/${wnid}?show=table&role=all&near_duplicates=all`);
  await live.getByText('Live', { exact: true }).waitFor();
  const plain = await openPage(browser, `${site.url}/login`, { javaScriptEnabled: false });
  await signIn(plain, 'lead', PASSWORD);
  await plain.goto(`/classes/${wnid}?show=table&role=all&near_duplicates=all`);
  for (const lead of [live, plain]) {
    assert.equal(await rowsWith(lead, '0 of 0').count(), 100);
    assert.equal(await lead.getByText('no votes yet').count(), 3);
  }

  for (const i of [0, 6, 47]) await cells(page).nth(i).check();
  await press(page, 'Submit');
  await plain.reload(); /* what may hold decisions that are not saved does not reload itself */
  for (const lead of [live, plain]) {
    await rowsWith(lead, '1 of 1').nth(2).waitFor();
    assert.equal(await rowsWith(lead, '1 of 1').count(), 3);
    assert.equal(await rowsWith(lead, '0 of 1').count(), 45);
    assert.match(await lead.locator('#images-table tbody tr').first().innerText(), /1\.00 \(n 1, 0\.0[0-9]–1\.00\)/);
  }
  noProblems(live);
  noProblems(plain);

  assert.match(await page.locator('.task-status').innerText(), /1 of 2 grids/);
  await press(page, 'Submit'); /* nothing selected is an answer too, once it was said */
  assert.match(await page.locator('main').innerText(), /None of the 48 photos contains/);
  await press(page, 'Yes, none of these');
  assert.equal(await page.locator('h1').innerText(), 'Done. Thank you!');
  const code = await page.locator('output').innerText();
  assert.match(code, /^[A-Z2-9]{10}$/);
  await page.reload();
  assert.equal(await page.locator('output').innerText(), code);
  await page.goto('/work/campaign/two?PROLIFIC_PID=ann');
  await press(page, 'Continue where you left off');
  assert.equal(await page.locator('output').innerText(), code, 'the link leads to the same place');

  await nothingLeaks(site, replies);
  noProblems(page);
  assert.equal(await answers(site), 2);
  const csv = (await must(['export', 'frequencies', site.dir])).trim().split('\n').slice(1).map((l) => l.split(','));
  const sum = (column) => csv.reduce((n, row) => n + Number(row[column]), 0);
  assert.deepEqual([sum(2), sum(3)], [96, 3]);
  await must(['check', site.dir]);
}

async function detours(t, browser, site) {
  await t.test('a reload keeps the grid and the order of its photos', async () => {
    const page = await visit(browser, site, 'pictures', 'reload');
    await toFirstGrid(page);
    const look = () => page.locator('.grid img').evaluateAll((all) => all.map((i) => i.src));
    const [url, photos] = [page.url(), await look()];
    await page.reload();
    assert.deepEqual([page.url(), await look()], [url, photos]);
    await page.goto('/work/campaign/pictures?PROLIFIC_PID=reload');
    await press(page, 'Continue where you left off');
    assert.match(await page.locator('main').innerText(), /A grid is waiting for you/);
    await press(page, 'Next grid');
    assert.equal(page.url(), url, 'the same grid from the first link');
    await page.context().close();
  });

  await t.test('the code cannot be had without the work', async () => {
    const page = await visit(browser, site, 'pictures', 'lazy');
    await toFirstGrid(page);
    await page.goto((await page.getByRole('link', { name: 'Leave' }).getAttribute('href')).replace(/\/leave$/, ''));
    for (const query of ['', '?why=finished', '?why=none-left', '?none-left=1', '?none-left=']) {
      await page.goto(page.url().replace(/\?.*/, '') + query);
      assert.equal(await page.locator('output').count(), 0, query);
      assert.equal(await button(page, 'Next grid').count(), 1);
    }
    await page.context().close();
  });

  await t.test('a double click is one answer', async () => {
    const before = await answers(site);
    const page = await visit(browser, site, 'pictures', 'twice');
    await toFirstGrid(page);
    const first = page.url();
    await cells(page).nth(3).check();
    await button(page, 'Submit').dblclick({ noWaitAfter: true });
    await page.waitForURL((u) => u.href !== first);
    await reload(page); /* whatever the second click began is over now */
    assert.match(await page.locator('.task-status').innerText(), /1 of \d+ grids/);
    assert.equal(await answers(site), before + 1);
    await page.context().close();
  });

  await t.test('the back button leads on, not to a second answer', async () => {
    const before = await answers(site);
    const page = await visit(browser, site, 'pictures', 'back');
    await toFirstGrid(page);
    await cells(page).nth(0).check();
    await press(page, 'Submit');
    const second = page.url();
    await page.goBack();
    assert.match(await page.locator('main').innerText(), /A grid is waiting for you/);
    await press(page, 'Next grid');
    assert.equal(page.url(), second);
    assert.equal(await answers(site), before + 1);
    await page.context().close();
  });

  await t.test('in two tabs the first answer is kept and the second is told so', async () => {
    const before = await answers(site);
    const one = await visit(browser, site, 'pictures', 'tabs');
    await toFirstGrid(one);
    const two = await one.context().newPage();
    await two.goto(one.url());
    await cells(one).nth(0).check();
    await press(one, 'Submit');
    await press(two, 'Submit');
    assert.match(await two.locator('main').innerText(), /already been answered, perhaps in another tab. The first answer is kept/);
    await Promise.all([two.waitForNavigation(), two.getByRole('link', { name: 'Continue' }).click()]);
    await press(two, 'Next grid');
    assert.equal(two.url(), one.url(), 'both tabs hold the next grid');
    assert.equal(await answers(site), before + 1);
    const bits = await sqlite(`${site.dir}/holdout.db`,
      'SELECT (mask & (mask - 1)) = 0 AND mask <> 0 FROM answer ORDER BY id DESC LIMIT 1;');
    assert.equal(bits.trim(), '1', 'one cell, as the first tab said');
    await one.context().close();
  });

  await t.test('who answered all there is gets the code', async () => {
    const page = await visit(browser, site, 'pictures', 'eager');
    await toFirstGrid(page);
    while (page.url().includes('/work/assignment/')) {
      await press(page, 'Submit');
      await press(page, 'Yes, none of these');
    }
    assert.equal(await page.locator('h1').innerText(), 'Done. Thank you!');
    assert.match(await page.locator('output').innerText(), /^[A-Z2-9]{10}$/);
    await page.context().close();
  });
}

/* What has the focus: its name, whether its ring shows, and whether it is in view and uncovered. */
const focused = (page) => page.evaluate(() => {
  const e = document.activeElement;
  const style = getComputedStyle(e);
  const box = e.getBoundingClientRect();
  const top = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
  return {
    name: e.matches('input') ? `cell ${e.value}` : e.textContent.trim(),
    ring: style.outlineStyle === 'solid' && Number.parseFloat(style.outlineWidth) >= 2,
    clear: e === top || e.contains(top),
  };
});

/* Tabs until `name` has the focus; everything on the way shows where it is. */
async function tabTo(page, name) {
  for (let i = 0; i < 80; i++) {
    await page.keyboard.press('Tab');
    const f = await focused(page);
    assert.ok(f.ring, `${f.name} shows that it has the focus`);
    assert.ok(f.clear, `${f.name} is not below something else`);
    if (f.name === name) return;
  }
  assert.fail(`${name} cannot be reached`);
}

async function enter(page) {
  await Promise.all([page.waitForNavigation(), page.keyboard.press('Enter')]);
}

async function keyboard(t, browser, site) {
  for (const [width, height] of [[1440, 900], [360, 740]]) {
    await t.test(`${width} x ${height}`, async () => {
      const before = await answers(site);
      const page = await visit(browser, site, 'pictures', `keys-${width === 360 ? 'small' : 'wide'}`, { width, height });
      await tabTo(page, 'I agree, start');
      await enter(page);
      for (const cell of [0, 20, 47]) {
        await tabTo(page, `cell ${cell}`);
        await page.keyboard.press('Space');
      }
      assert.equal(await page.locator('input:checked').count(), 3);
      await tabTo(page, 'Submit');
      await enter(page);
      assert.match(await page.locator('.task-status').innerText(), /1 of \d+ grids/);
      assert.equal(await answers(site), before + 1);
      noProblems(page);
      await page.context().close();
    });
  }

  await t.test('the grid is 8 x 6 in one window of 1920 x 1080 once the panel is folded, 2 columns of a phone', async () => {
    const page = await visit(browser, site, 'pictures', 'sizes', { width: 1920, height: 1080 });
    await toFirstGrid(page);
    assert.equal(await page.locator('.task-about').getAttribute('open'), '');
    await cells(page).nth(0).check();
    await press(page, 'Submit');
    assert.equal(await page.locator('.task-about').getAttribute('open'), null);
    const stored = await sqlite(`${site.dir}/holdout.db`, "SELECT json_extract(device, '$.cell') FROM answer ORDER BY id DESC LIMIT 1;");
    assert.equal(stored.trim(), '[150,150]', 'the size shown is stored without a script too');
    const places = () => page.locator('.cell').evaluateAll((all) => all.map((e) => e.getBoundingClientRect().toJSON()));
    const columns = (boxes) => new Set(boxes.map((b) => Math.round(b.x))).size;
    const wide = await places();
    assert.equal(columns(wide), 8);
    assert.equal(new Set(wide.map((b) => Math.round(b.y))).size, 6);
    const bar = await page.locator('.task-bar').boundingBox();
    assert.ok(bar.y + bar.height <= 1080);
    for (const b of wide) assert.ok(b.top >= 0 && b.bottom <= bar.y && b.width === 150 && b.height === 150, JSON.stringify(b));
    await page.setViewportSize({ width: 360, height: 740 });
    const small = await places();
    assert.equal(columns(small), 2);
    for (const b of small) assert.ok(b.left >= 0 && b.right <= 360 && b.width === 150, JSON.stringify(b));
    await fitsWidth(page);
    await page.context().close();
  });
}

test('workers', async (t) => {
  const campaign = ['--campaign', 'two', '--grids-per-place', '2', '--pay', '120', '--title', 'Find things'];
  const [browser, site] = await Promise.all([launch(t), demoSite(t, [campaign])]);
  await t.test('from the link to the code without a script, while the lead watches', () => linkToCode(browser, site));
  await t.test('reloads, the back button, double clicks and two tabs', (tt) => detours(tt, browser, site));
  await t.test('the keyboard is enough', (tt) => keyboard(tt, browser, site));
});
