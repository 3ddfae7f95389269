/* "Which set is the new one?": until somebody guesses, nothing that the server says differs between a page whose first row
 * is new and one whose second is; guesses are counted, signed, and kept from people who have a blind round open. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import { before, test } from 'node:test';

import { Client, must, startServer, tempDir, wholeFile } from './lib.mjs';
import { IMAGES, WNIDS, apartWorld, named } from './apart_world.mjs';

const whole = wholeFile();
const PAGE = '/sets/fresh/0/blind';
let dir, server, lead, expert;

before(async () => {
  dir = await apartWorld(whole);
  server = await startServer(whole, dir);
  lead = await new Client(server.url).login();
  expert = await new Client(server.url).login('expert');
});

const at = (seed, more = '', wnid = WNIDS[0]) => `${PAGE}?original=old/0&class=${wnid}&seed=${seed}${more}`;
const decode = (html) => html.replaceAll('&amp;', '&').replaceAll('&#x2F;', '/').replaceAll('&#x3D;', '=').replaceAll('&#61;', '=');
const pictures = (html) => [...decode(html).matchAll(/<img src="([^"]*\/blind\/[^"]*)"/g)].map((m) => m[1]);
/* Names of the two rows, once they are told. */
const rows = (html) => html.split('<section').slice(1, 3).map((part) => ({
  head: /<h2[^>]*>([^<]*)/.exec(part)[1].trim(), names: [...part.matchAll(/alt="([^"]*)"/g)].map((m) => m[1]) }));
/* Without what is drawn for the next turn, and the seed's own digits. */
const plain = (html, seed) => decode(html).replace(/href="[^"]*" data-next/, 'href data-next').replaceAll(`seed=${seed}"`, 'seed="')
  .replaceAll(`seed=${seed}&`, 'seed&').replaceAll(`value="${seed}"`, 'value');

test('a visit leads to a class and a seed', async () => {
  const r = await expert.fetch(`${PAGE}`);
  const where = r.headers.get('location');
  assert.equal(r.status, 303);
  assert.match(where, /^\/sets\/fresh\/0\/blind\?original=old\/0&class=n0000000[12]&seed=\d+$/);
  assert.match(await expert.page(where), /Which set is the new one\?/);
  assert.match(await lead.page('/sets/fresh/0'), /href="\/sets\/fresh\/0\/blind"/);
});

test('before the guess pages of either kind are the same', async () => {
  const first = [0, 0];
  const pages = [];
  for (let seed = 101; seed <= 112; seed++) {
    const html = await expert.page(at(seed));
    pages.push(plain(html, seed));
    assert.deepEqual(pictures(html), [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11].map((place) => `${PAGE}/${place}?original=old/0&class=${WNIDS[0]}&seed=${seed}`));
    for (const { name } of IMAGES) assert.ok(!html.includes(name));
    assert.ok(!/\/images\/\d/.test(html));
    const told = rows(await expert.page(at(seed, '&guess=1')));
    first[told[0].head.endsWith('New') ? 0 : 1]++;
  }
  assert.ok(first[0] && first[1], `both orders come: ${first}`);
  assert.equal(new Set(pages).size, 1);
});

test('pictures say nothing but their bytes', async () => {
  const heads = new Set();
  for (let seed = 1; seed <= 4; seed++) {
    for (const url of pictures(await expert.page(at(seed)))) {
      const r = await expert.fetch(url);
      const bytes = Buffer.from(await r.arrayBuffer());
      const own = [...r.headers].filter(([name]) => !['date', 'content-length', 'x-request-id'].includes(name));
      assert.equal(r.status, 200);
      assert.ok(bytes.length > 0);
      heads.add(JSON.stringify(own));
    }
  }
  assert.equal(heads.size, 1, [...heads].join('\n'));
});

test('rows are of one set and class each, at random and without repeats, the same for the same seed', async () => {
  const seen = new Set();
  const longer = new Set();
  for (let seed = 1; seed <= 6; seed++) {
    const html = await expert.page(at(seed, '&guess=2', WNIDS[1]));
    const two = rows(html);
    assert.deepEqual(two, rows(await lead.page(at(seed, '&guess=1', WNIDS[1]))));
    for (const { head, names } of two) {
      const images = names.map(named);
      assert.equal(new Set(names).size, 6);
      assert.ok(images.every((i) => i.wnid === WNIDS[1] && (i.role === 'candidate') === head.endsWith('New')), head);
      names.forEach((name) => seen.add(name));
    }
    /* What was shown at a place is what is named there afterwards. */
    if (seed > 1) continue;
    const shown = pictures(html);
    for (const [k, name] of two.flatMap(({ names }) => names).entries()) {
      const id = decode(html).split(`alt="${name}"`)[0].match(/href="\/images\/(\d+)"/g).at(-1).match(/\d+/)[0];
      const [here, there] = await Promise.all([shown[k], `/images/${id}/grid`].map(async (url) =>
        Buffer.from(await (await expert.fetch(url)).arrayBuffer())));
      assert.ok(here.length >= there.length && here.subarray(0, there.length).equals(there), name);
      longer.add(here.length - there.length);
    }
  }
  assert.ok(longer.size > 10, 'lengths say nothing');
  assert.ok(seen.size > 20, `${seen.size} images`);
});

test('guesses are counted, with an interval; a score is one account\'s and cannot be made up', async () => {
  let url = at(1);
  let right = 0;
  for (let n = 1; n <= 4; n++) {
    const html = await expert.page(`${url}&guess=1`);
    right += rows(html)[0].head.endsWith('New');
    assert.match(html, new RegExp(rows(html)[0].head.endsWith('New') ? '>Right\\.<' : '>Wrong\\.<'));
    assert.match(html, new RegExp(`${right} of ${n} right: ${Math.round(100 * right / n)} % \\(95 % interval`));
    assert.equal(await expert.page(`${url}&guess=1`).then((again) => / of (\d+) right/.exec(again)[1]), String(n), 'a reload counts nothing');
    url = /href="([^"]*)" data-next/.exec(decode(html))[1];
    assert.match(url, new RegExp(`&score=${right}\\.${n}\\.`));
  }
  assert.match(await expert.page(url), new RegExp(`${right} of 4 right`));
  for (const other of [url.replace(/score=\d+\.\d+/, 'score=99.99'), url.replace(/.$/, '!'), `${at(1)}&score=9.9.`]) {
    assert.ok(!/ of \d+ right/.test(await expert.page(other)), other);
  }
  assert.ok(!/ of 4 right/.test(await lead.page(url)));
});

test('what may not be asked', async () => {
  for (const [url, status] of [[at(-1), 400], [at('x'), 400], [at(1, '&guess=3'), 400], [at(1, '', 'n9'), 404], [`${PAGE}?original=none`, 404],
    [`${PAGE}?original=fresh/0`, 400], [`${PAGE}/6?original=old/0&class=${WNIDS[0]}&seed=1`, 200], [`${PAGE}/12?original=old/0&class=${WNIDS[0]}&seed=1`, 404],
    [`${PAGE}/x?original=old/0&class=${WNIDS[0]}&seed=1`, 404], [`${PAGE}/0`, 404]]) {
    assert.equal((await expert.fetch(url)).status, status, url);
  }
});

test('who has a class open in a blind round is not shown it', async () => {
  const list = IMAGES.filter((i) => i.role === 'candidate').slice(0, 20).map((i) => `${i.name},${i.wnid}`);
  const file = `${tempDir(whole)}/again.csv`;
  fs.writeFileSync(file, `image,wnid\n${list.join('\n')}\n`);
  await must(['import', 'set', dir, 'again', file]);
  const other = (url) => url.replace('/fresh/', '/again/');
  assert.equal((await expert.fetch(other(at(1)))).status, 200);
  assert.equal((await lead.post('/sets/again/0/rounds', { originals: '20', repeats: '0' })).status, 303);
  assert.equal((await expert.fetch(other(at(1)))).status, 403);
  assert.equal((await expert.fetch(other(at(1, '&guess=1')))).status, 403);
  assert.equal((await expert.fetch(other(`${PAGE}/0?original=old/0&class=${WNIDS[0]}&seed=1`))).status, 403);
  assert.equal((await expert.fetch(other(PAGE))).status, 404);
});
