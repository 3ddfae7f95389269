/* Sets without votes over HTTP: targets by keyword, picking, pruning, what is returned to whoever picks, two people at
 * once, the sample that comes of it; and what differs between that set and the originals. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';

import { Client, must, tempDir } from './lib.mjs';
import { png, startStudy } from './study.mjs';

const APPLE = 'n00000001';
const WORDS = ['apple tree', 'windfall & "more"'];

/* Apples: originals of two keywords, 6 and 2; candidates, 8 of each. */
async function keywords(t, dir) {
  const folder = tempDir(t);
  const rows = ['id,path,class,role,keyword,taken_at,author'];
  const add = (name, role, word, side) => {
    fs.writeFileSync(path.join(folder, `${name}.png`), png(name, side, side));
    rows.push(`${name},${name}.png,${APPLE},${role},"${word.replaceAll('"', '""')}",2016-05-01,Ada`);
  };
  for (let i = 0; i < 8; i++) {
    add(`o-${i}`, 'original', WORDS[i < 6 ? 0 : 1], 20);
    add(`a-${i}`, 'candidate', WORDS[0], 40);
    add(`w-${i}`, 'candidate', WORDS[1], 40);
  }
  const manifest = path.join(folder, 'images.csv');
  fs.writeFileSync(manifest, `${rows.join('\n')}\n`);
  await must(['import', 'images', dir, manifest]);
}

const board = async (client) => {
  const r = await client.json('GET', '/api/v1/picks');
  assert.equal(r.status, 200);
  const apple = r.body.items.find((k) => k.wnid === APPLE);
  return { ...r.body, apple, word: (w) => apple.keywords.find((k) => k.keyword === w) };
};

/* The boxes of the page: name -> "ID:STAGE". */
async function boxes(client, word, show) {
  const html = await client.page(`/picks/${APPLE}?keyword=${encodeURIComponent(word)}&show=${show}`);
  return new Map([...html.matchAll(/name="image" value="(\d+:\w+)".*?class="name mono">([^<]+)</g)].map((m) => [m[2], m[1]]));
}

async function decide(client, word, show, what, images, note = '') {
  const form = new URLSearchParams({ csrf: client.csrf, keyword: word, show, do: what, note });
  for (const image of images) form.append('image', image);
  return client.fetch(`/picks/${APPLE}`, { method: 'POST', body: form });
}
const sent = (r) => Object.fromEntries(new URL(r.headers.get('location'), 'http://x').searchParams);

async function targets({ lead, expert }) {
  const set = await lead.post('/picks', { size: '4', keywords_most: '' });
  assert.equal(set.status, 303, await set.text());
  const { target, word, apple } = await board(expert);
  assert.deepEqual(target, { size: 4, keywords_most: 0, together: false });
  assert.deepEqual([word(WORDS[0]).target, word(WORDS[1]).target], [3, 1], 'as 6 to 2');
  assert.deepEqual([apple.missing, word(WORDS[0]).open], [4, 8]);
  assert.equal((await lead.post('/picks', { size: '-1' })).status, 400);
  assert.equal((await lead.post('/picks', { size: 'many' })).status, 400);
  assert.equal((await expert.post('/picks', { size: '9' })).status, 403);
  assert.equal((await board(lead)).target.size, 4, 'what was refused changed nothing');
}

async function picking({ expert, lead }) {
  const open = await boxes(expert, WORDS[0], 'open');
  assert.equal(open.size, 8);
  const three = ['a-0', 'a-1', 'a-2'].map((n) => open.get(n));
  const r = await decide(expert, WORDS[0], 'open', 'picked', three);
  assert.equal(r.status, 303, await r.text());
  assert.deepEqual(sent(r), { keyword: WORDS[0], show: 'open', done: '3', others: '0' });
  assert.match(await expert.page(r.headers.get('location')), /3 images changed\./);
  let { word } = await board(lead);
  assert.deepEqual([word(WORDS[0]).usable, word(WORDS[0]).missing], [3, 0]);

  /* A second person prunes one, and says why; the picker sees the shortfall. */
  const picked = await boxes(lead, WORDS[0], 'picked');
  assert.deepEqual([...picked.keys()], ['a-0', 'a-1', 'a-2']);
  assert.equal((await decide(lead, WORDS[0], 'picked', 'pruned', [picked.get('a-1')], 'two <apples>')).status, 303);
  ({ word } = await board(expert));
  assert.deepEqual([word(WORDS[0]).pruned, word(WORDS[0]).missing], [1, 1]);
  const page = await expert.page(`/picks/${APPLE}?show=pruned&keyword=${encodeURIComponent(WORDS[0])}`);
  assert.match(page, /by lead/);
  assert.match(page, /two &lt;apples&gt;/);
  assert.match(await lead.page('/history?area=images'), /picked or pruned 3 images/);
}

/* Whoever picked an image cannot prune it, in any role, nor after putting it back. */
async function ownPicks({ expert, lead, keeper }) {
  const prune = async (client, show, name) => decide(client, WORDS[0], show, 'pruned', [(await boxes(client, WORDS[0], show)).get(name)]);
  const refused = async (r) => {
    assert.equal(r.status, 409);
    const said = await r.text();
    assert.match(said, /was picked by the same person/);
    assert.match(said, /Put it back instead, or ask somebody else to prune it/);
  };
  await refused(await prune(expert, 'picked', 'a-0'));
  assert.match(await expert.page(`/picks/${APPLE}?show=picked&keyword=${encodeURIComponent(WORDS[0])}`), /Your pick: put it back/);
  const open = await boxes(keeper, WORDS[0], 'open');
  assert.equal((await decide(keeper, WORDS[0], 'open', 'picked', [open.get('a-7')])).status, 303);
  await refused(await prune(keeper, 'picked', 'a-7'));
  const picked = await boxes(keeper, WORDS[0], 'picked');
  assert.equal((await decide(keeper, WORDS[0], 'picked', 'open', [picked.get('a-7')])).status, 303);
  await refused(await prune(keeper, 'open', 'a-7'));
  /* One of them among others: nothing is stored. */
  const both = ['a-6', 'a-7'].map((name) => open.get(name));
  await refused(await decide(keeper, WORDS[0], 'open', 'pruned', both));
  assert.equal((await board(lead)).word(WORDS[0]).pruned, 1);
}

/* Both look at the same images; what the first one said stays. */
async function twoAtOnce({ expert, lead }) {
  const seen = await boxes(expert, WORDS[0], 'open');
  const mine = await decide(lead, WORDS[0], 'open', 'pruned', [seen.get('a-3'), seen.get('a-4')], 'blurry');
  assert.deepEqual([sent(mine).done, sent(mine).others], ['2', '0']);
  const late = await decide(expert, WORDS[0], 'open', 'picked', [seen.get('a-3'), seen.get('a-4'), seen.get('a-5')]);
  assert.deepEqual([sent(late).done, sent(late).others], ['1', '2']);
  assert.match(await expert.page(late.headers.get('location')), /2 stayed as others had left them/);
  const same = await decide(lead, WORDS[0], 'open', 'picked', [seen.get('a-5')]);
  assert.deepEqual([sent(same).done, sent(same).others], ['0', '0'], 'the same twice is nothing');
  assert.equal((await board(lead)).word(WORDS[0]).usable, 3);
  const back = await boxes(lead, WORDS[0], 'pruned');
  assert.equal(sent(await decide(lead, WORDS[0], 'pruned', 'open', [back.get('a-4')])).done, '1');
  assert.equal((await board(lead)).word(WORDS[0]).pruned, 2);
}

async function refusals({ expert, dir }) {
  for (const [what, images] of [
    ['liked', []], ['picked', ['1']], ['picked', ['x:open']], ['picked', ['1:liked']],
    ['picked', Array.from({ length: 97 }, () => '1:open')],
  ]) {
    assert.equal((await decide(expert, WORDS[0], 'open', what, images)).status, 400, `${what} ${images.length}`);
  }
  const original = (await expert.page(`/picks/${APPLE}?keyword=${encodeURIComponent(WORDS[0])}`)).match(/Originals of this keyword[^]*?\/images\/(\d+)/)[1];
  const r = await decide(expert, WORDS[0], 'open', 'picked', [`${original}:open`]);
  assert.equal(r.status, 400, 'an original is no candidate');
  assert.equal((await decide(expert, WORDS[0], 'open', 'picked', ['999999:open'])).status, 404);
  assert.equal((await expert.fetch('/picks/n99999999')).status, 404);
  assert.equal((await expert.fetch(`/picks/${APPLE}?keyword=pear`)).status, 404);
  assert.equal((await expert.fetch(`/picks/${APPLE}?show=liked`)).status, 400);
  assert.equal((await expert.fetch('/picks?from=-1')).status, 400);
  assert.equal((await expert.fetch('/picks?from=9223372036854775807')).status, 400);
  /* A note that is too long leaves nothing behind. */
  const open = await boxes(expert, WORDS[0], 'open');
  const before = await must(['check', dir, '--json']);
  assert.equal((await decide(expert, WORDS[0], 'open', 'pruned', [...open.values()], 'x'.repeat(501))).status, 400);
  assert.equal(await must(['check', dir, '--json']), before);
}

/* What is picked is what the sample takes; the set is smaller where picks are missing. */
async function sampled({ dir, lead }) {
  await must(['sample', dir, '--strategy', 'keyword', '--picked', '--answers', '0', '--size', '4', '--seed', '1', '--set', 'picked']);
  const list = (await must(['export', 'set', dir, 'picked/0', '--format', 'list'])).trim().split('\n').slice(1);
  assert.deepEqual(list.map((l) => l.split(',')[0]).sort(), ['a-0', 'a-2', 'a-5']);
  const { body } = await lead.json('GET', '/api/v1/picks');
  assert.equal(body.total.missing, 1, 'the windfall');
  assert.deepEqual(body.items.map((k) => k.no_keywords), [false, true], 'pears have no keywords at all');

  /* The new ones are twice as wide: one doubling of width and height is two of the pixels. */
  const d = await lead.json('GET', '/api/v1/sets/picked/0/differences?original=all');
  assert.equal(d.status, 200, JSON.stringify(d.body));
  assert.deepEqual([d.body.set, d.body.original, d.body.images], ['picked/0', 'all', 3]);
  assert.equal(Math.round(d.body.overall.pixels.new.mean), 1600);
  assert.ok(d.body.overall.pixels.original.mean < 1600);
  const brightness = d.body.items[0].brightness;
  assert.ok(brightness.lo < brightness.d && brightness.d < brightness.hi);
  const page = await lead.page('/sets/picked/0/differences?stat=pixels');
  assert.match(page, /Standardised difference/);
  assert.match(page, /id="[^"]*set-differences[^"]*"|<svg/);
  assert.equal((await lead.fetch('/sets/picked/0/differences?stat=beauty')).status, 400);
  assert.equal((await lead.fetch('/sets/picked/0/differences?original=none')).status, 404);
  assert.equal((await lead.fetch('/sets/picked/0/differences?from=x')).status, 400);
  assert.equal((await lead.fetch('/sets/picked/0/differences?from=9223372036854775807')).status, 400);
  assert.equal((await lead.fetch('/charts/set-differences/csv?set=picked/0')).status, 200);
}

/* What is taken down leaves a tombstone where it was, and no later sample has it. */
async function takenDown({ dir, lead, expert }) {
  assert.doesNotMatch(await expert.page('/sets/picked/0'), /Tombstones/);
  const id = (await boxes(lead, WORDS[0], 'picked')).get('a-0').split(':')[0];
  const reason = 'the <photographer> asked';
  assert.equal((await lead.post(`/flags/${id}`, { decision: 'takedown', reason })).status, 303);
  const revision = await expert.page('/sets/picked/0');
  assert.match(revision, /1 image was taken down since/);
  assert.match(revision, /the &lt;photographer&gt; asked/);
  const page = await expert.page(`/images/${id}`);
  assert.match(page, /Taken down on \d{4}-\d\d-\d\d/);
  await must(['sample', dir, '--strategy', 'keyword', '--picked', '--answers', '0', '--size', '4', '--seed', '1',
    '--set', 'picked', '--parent', 'picked/0']);
  const list = await must(['export', 'set', dir, 'picked/1', '--format', 'list']);
  assert.doesNotMatch(list, /^a-0,/m);
  assert.match(list, /^a-2,/m);
  assert.doesNotMatch(await expert.page('/sets/picked/1'), /Tombstones/);
  assert.equal((await board(lead)).word(WORDS[0]).missing, 1, 'it is returned to whoever picks');
  assert.equal((await lead.post(`/flags/${id}`, { decision: 'clear', reason: '' })).status, 303);
  assert.doesNotMatch(await expert.page('/sets/picked/0'), /Tombstones/, 'taken back');
}

test('sets without votes', async (t) => {
  const { dir, server } = await startStudy(t);
  const world = {
    dir, expert: await new Client(server.url).login('expert'), lead: await new Client(server.url).login('lead'),
    keeper: await new Client(server.url).login('keeper'),
  };
  const before = await board(world.lead);
  assert.ok(before.none, 'without keywords there are no targets, and the page says so');
  assert.match(await world.lead.page('/picks'), /No targets yet/);
  await keywords(t, dir);
  await t.test('targets follow the keywords of the originals', () => targets(world));
  await t.test('one picks, another prunes, what is missing goes back', () => picking(world));
  await t.test('nobody prunes what they picked', () => ownPicks(world));
  await t.test('two at once overwrite nothing', () => twoAtOnce(world));
  await t.test('what is refused leaves nothing behind', () => refusals(world));
  await t.test('what is picked is sampled, and compared', () => sampled(world));
  await t.test('what is taken down leaves a tombstone', () => takenDown(world));
});
