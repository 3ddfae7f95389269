/* "Can a model tell them apart?": a job that the page starts, its result on the page, in the chart and in the API; sealed
 * sets show nothing. */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';

import { Client, must, startServer, until, wholeFile } from './lib.mjs';
import { EACH, IMAGES, apartWorld } from './apart_world.mjs';

const whole = wholeFile();
const PAGE = '/sets/fresh/0/discriminator';
const API = `/api/v1${PAGE}`;
const N = 4 * EACH;
let dir, server, lead, expert;

before(async () => {
  dir = await apartWorld(whole);
  server = await startServer(whole, dir);
  lead = await new Client(server.url).login();
  expert = await new Client(server.url).login('expert');
});
const text = (html) => html.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ');

test('nothing is shown before somebody computes it, and a lead starts that', async () => {
  const page = await expert.page(PAGE);
  assert.match(page, /Not computed yet/);
  assert.ok(!page.includes('Compute again') && !/<button[^>]*>Compute/.test(page));
  assert.match(await lead.page('/sets/fresh/0'), /href="\/sets\/fresh\/0\/discriminator"/);
  const none = await expert.json('GET', API);
  assert.deepEqual([none.status, none.body.code], [404, 'discriminator']);
  assert.equal((await expert.post(PAGE, { original: 'old/0', features: 'statistics' })).status, 403);
  assert.equal((await expert.fetch('/charts/set-discriminator/csv?set=fresh/0&original=old/0')).status, 200);

  assert.match(await lead.page(PAGE), /<button[^>]*>Compute</);
  const r = await lead.post(PAGE, { original: 'old/0', features: 'statistics' });
  assert.deepEqual([r.status, /^\/jobs\/\d+$/.test(r.headers.get('location'))], [303, true]);
  const job = `/api/v1${r.headers.get('location')}`;
  const ended = await until(async () => {
    const { body } = await lead.json('GET', job);
    return ['done', 'failed'].includes(body.state) && body;
  });
  assert.equal(ended.state, 'done', JSON.stringify(ended));
});

test('the API, the page, the chart and the command say the same', async () => {
  const { status, body } = await expert.json('GET', `${API}?limit=1000`);
  assert.equal(status, 200);
  assert.deepEqual([body.set, body.original, body.features, body.images, body.groups, body.unknown, body.items.length, body.next],
    ['fresh/0', 'old/0', 'statistics', N, N / 3, 0, N, 0]);
  assert.equal(body.right, body.items.filter(({ set, score }) => (set === 'new' ? score > 0 : score < 0)).length);
  assert.ok(body.accuracy_lo > 0.5, 'new pictures are larger');
  for (const { image, set } of body.items) assert.equal(IMAGES.find((i) => i.name === image).role === 'candidate', set === 'new');
  const said = JSON.parse(await must(['discriminate', dir, '--original', 'old', '--new', 'fresh', '--dry-run', '--json']));
  const { items, next, made_at: madeAt, ...numbers } = body;
  assert.deepEqual({ ...said, made_at: madeAt }, { ...numbers, made_at: madeAt });

  const some = (await expert.json('GET', `${API}?limit=7&after=0`)).body;
  assert.deepEqual([some.items, some.next], [items.slice(0, 7), 7]);
  assert.deepEqual((await expert.json('GET', `${API}?limit=7&after=7`)).body.items, items.slice(7, 14));

  const page = await expert.page(`${PAGE}?original=old&features=statistics`);
  assert.match(text(page), new RegExp(`Told apart ${(100 * body.accuracy).toFixed(1)} %`));
  assert.match(page, /Images of the two sets differ/);
  const cards = page.split('id="most-new"')[1].split('</ol>')[0];
  assert.deepEqual([...cards.matchAll(/alt="([^"]*)"/g)].map((m) => m[1]), items.slice(0, 12).map(({ image }) => image));
  const csv = await (await expert.fetch('/charts/set-discriminator/csv?set=fresh/0&original=old/0&model=statistics')).text();
  const sums = csv.trim().split('\n').slice(1).map((line) => line.trim().split(',').slice(1).map(Number));
  assert.deepEqual([0, 1].map((k) => sums.reduce((sum, row) => sum + row[k], 0)), [N / 2, N / 2]);
});

test('what may not be asked', async () => {
  for (const [query, status] of [['?original=none', 404], ['?original=fresh/0', 400], ['?features=..%2Fx', 404], ['?limit=0', 400]]) {
    assert.equal((await expert.fetch(`${API}${query}`)).status, status, query);
  }
  assert.equal((await expert.fetch(`${PAGE}?features=none`)).status, 200);
  assert.equal((await lead.post(PAGE, { original: 'none', features: 'statistics' })).status, 404);
  assert.equal((await lead.post(PAGE, { original: 'old/0', features: '-x' })).status, 400);
});

test('of a sealed set nothing is shown, and of its images nothing anywhere', async () => {
  const hidden = IMAGES.filter((i) => i.role === 'candidate').slice(0, 4).map((i) => i.name);
  const list = hidden.map((name) => `${name},${IMAGES.find((i) => i.name === name).wnid}`);
  await must(['import', 'set', dir, 'closed', '-', '--sealed'], { input: `image,wnid\n${list.join('\n')}\n` });
  assert.equal((await expert.fetch('/sets/closed/0/discriminator')).status, 403);
  assert.equal((await expert.fetch('/api/v1/sets/closed/0/discriminator')).status, 403);
  assert.equal((await lead.post('/sets/closed/0/discriminator', { original: 'old/0', features: 'statistics' })).status, 403);
  assert.equal((await expert.fetch('/charts/set-discriminator/csv?set=closed/0&original=old/0')).status, 403);
  const { body } = await expert.json('GET', `${API}?limit=1000`);
  assert.equal(body.items.length, N - hidden.length);
  const page = await expert.page(PAGE);
  for (const name of hidden) assert.ok(!body.items.some((i) => i.image === name) && !page.includes(`alt="${name}"`), name);
});
