/* bias.test.mjs - a set is measured again over HTTP: who saw images of the first campaigns is kept out at the door and
 * at the desk, and what the others say stands beside the first figures on the page and in the API. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { before, test } from 'node:test';

import { Client, must, startServer, tempDir, wholeFile } from './lib.mjs';
import { WIDE, answer, join, newStudy, next } from './study.mjs';
import { sqlite } from '../load/tools.mjs';

const whole = wholeFile();

const IMAGES = ['n00000001', 'n00000002'].flatMap((wnid) => Array.from({ length: 6 }, (_, i) => `${wnid}-candidate-${i}`));
const world = {};

const range = (n) => Array.from({ length: n }, (_, i) => i);
const query = async (sql) => (await sqlite(path.join(world.dir, 'holdout.db'), sql)).trim();
const enter = async (person, campaign) => world.client.json('POST', `/api/v1/campaigns/${campaign}/places`, { external_id: person });

/* All grids that the campaign has for a person; who says it selects half of the cells, or another half. */
async function work(person, campaign, turn) {
  const place = await join(world.client, person, campaign);
  const sizes = [];
  for (let grid = await next(world.client, place); !grid.done; grid = await next(world.client, place)) {
    const selected = range(grid.cells).filter((j) => (j * 7 + turn * 3 + sizes.length) % 5 < 3);
    const r = await answer(world.client, grid.assignment, { client_id: `${campaign}-${person}-${sizes.length}`, selected });
    assert.ok([200, 201].includes(r.status), JSON.stringify(r.body));
    sizes.push(grid.cells);
  }
  return { place, sizes };
}

before(async () => {
  world.dir = await newStudy(whole);
  const list = path.join(tempDir(whole), 'set.csv');
  fs.writeFileSync(list, `image,wnid\n${IMAGES.map((name) => `${name},${name.split('-')[0]}`).join('\n')}\n`);
  await must(['import', 'set', world.dir, 'fresh', list]);
  world.server = await startServer(whole, world.dir, { env: WIDE });
  world.client = new Client(world.server.url);
  for (const i of range(6)) await work(`first-${i}`, 'main', i);
});

const reader = () => new Client(world.server.url).login('expert');
const biasOf = async (client) => {
  const r = await client.json('GET', '/api/v1/sets/fresh/0/bias');
  assert.equal(r.status, 200, JSON.stringify(r.body));
  return r.body;
};

test('before: the first figures, and how to measure again', async () => {
  const client = await reader();
  const b = await biasOf(client);
  assert.deepEqual([b.images, b.workers, b.measured_again, b.strategy], [12, 6, null, 'unknown']);
  assert.ok(b.originals >= 6 && b.raw.lo < b.raw.value && b.raw.value < b.raw.hi);
  const html = await client.page('/sets/fresh/0/bias');
  assert.match(html, /<h1>Matching bias<\/h1>/);
  assert.match(html, /does not say how it was sampled/);
  assert.match(html.replace(/<[^>]*>/g, ''), /holdout grids DIR --kind re-measurement --set fresh\/0 --campaign NAME --open/);
  for (const format of ['svg', 'csv', 'json']) {
    assert.equal((await client.get(`/charts/set-bias/${format}?set=fresh/0`)).status, 200);
  }
  const revision = await client.page('/sets/fresh/0');
  assert.match(revision, /href="\/sets\/fresh\/0\/bias"/);
  assert.equal((await client.get('/sets/nowhere/0/bias')).status, 404);
  assert.equal((await new Client(world.server.url).json('GET', '/api/v1/sets/fresh/0/bias')).status, 401);
});

test('nobody who saw its images measures it again; the others do', async () => {
  await must(['grids', world.dir, '--campaign', 'again', '--kind', 're-measurement', '--set', 'fresh', '--open',
    '--max-share', '1', '--answers-per-grid', '3', '--seed', '2']);
  /* At the door: nothing is stored about them. */
  const before = await query('SELECT max(id) FROM event; SELECT count(*) FROM place;');
  const refused = await enter('first-0', 'again');
  assert.deepEqual([refused.status, refused.body.code], [409, 'screened-out']);
  assert.match(refused.body.detail, /seen photos of this study before/);
  const door = await (await world.client.post('/work/campaign/again', { PROLIFIC_PID: 'first-0' })).text();
  assert.match(door, /This study needs other people/);
  assert.equal(await query('SELECT max(id) FROM event; SELECT count(*) FROM place;'), before);

  /* At the desk: who was let in and then works in the first campaign gets no grid here. */
  const late = await join(world.client, 'late', 'again');
  await work('late', 'main', 1);
  const nothing = await next(world.client, late);
  assert.deepEqual([nothing.done, nothing.reason], [true, 'blocked']);

  /* Every image of the set once, as many originals, and negative controls: of the other class here, so that nobody
   * gets both grids. */
  for (const i of range(6)) assert.deepEqual((await work(`other-${i}`, 'again', i + 1)).sizes, [18]);
  const shown = await query(`SELECT i.role, count(*) FROM grid_cell c JOIN grid g ON g.id = c.grid JOIN image i ON i.id = c.image
    JOIN campaign k ON k.id = g.campaign WHERE k.name = 'again' AND i.class = g.class GROUP BY 1 ORDER BY 1;`);
  assert.equal(shown, 'candidate|12\noriginal|12');
  /* The other way round is free: who measured again may work in the first campaign. */
  assert.equal((await enter('other-0', 'main')).status, 201);
});

test('after: the same images now and then', async () => {
  const client = await reader();
  const again = (await biasOf(client)).measured_again;
  assert.deepEqual([again.campaigns, again.images, again.originals, again.workers, again.votes, again.left_out_votes],
    [['again'], 12, 12, 6, 72, 0]);
  /* Beside the database: both classes have six images in the set, so they weigh the same. */
  const mean = async (role, kinds) => Number(await query(`SELECT avg(m) FROM (SELECT avg(f) AS m FROM (SELECT i.class AS k, avg(v.selected * 1.0) AS f FROM vote v
    JOIN image i ON i.id = v.image AND i.class = v.class JOIN grid g ON g.id = v.grid JOIN campaign k ON k.id = g.campaign
    WHERE v.counted AND i.role = '${role}' AND k.kind ${kinds} AND i.id IN (SELECT c.image FROM grid_cell c
    JOIN grid a ON a.id = c.grid JOIN campaign n ON n.id = a.campaign WHERE n.name = 'again') GROUP BY i.id) GROUP BY k);`));
  const close = (a, b) => assert.ok(Math.abs(a - b) < 1e-9, `${a} is not ${b}`);
  close(again.set, await mean('candidate', "= 're-measurement'"));
  close(again.original, await mean('original', "= 're-measurement'"));
  close(again.first_original, await mean('original', "= 'main'"));
  close(again.difference.value, again.set - again.original);
  assert.ok(again.difference.lo < again.difference.value && again.difference.value < again.difference.hi);
  const html = await client.page('/sets/fresh/0/bias');
  assert.match(html, /<h2 id="again-head">Measured again<\/h2>\s*<p>[^<]*: <a class="name" href="\/campaigns\/again">again<\/a>/);
  assert.match(html, /12 images of the set, 12 originals, 72 votes of 6 people/);
  /* It leads: on the page, in the table, in the JSON. */
  const b = await biasOf(client);
  assert.deepEqual([b.leading.method, b.leading.holds, b.leading.value], ['measured_again', true, again.difference.value]);
  const average = await (await client.get('/api/v1/sets/fresh/0/average')).json();
  assert.deepEqual(average.bias, b.leading);
  assert.match(html, /<strong id="leading">The figure to use: [+−]?0\.\d{3}, measured again\.<\/strong>/);
  const order = ['id="leading"', 'id="again-head"', 'id="figures-head"', '<th scope="row">Measured again', '<th scope="row">Raw averages'].map((text) => html.indexOf(text));
  assert.ok(order[0] > 0 && order.every((at, i) => i === 0 || at > order[i - 1]), order.join(' '));
  const keys = Object.keys(b);
  assert.ok(keys.indexOf('leading') < keys.indexOf('measured_again') && keys.indexOf('measured_again') < keys.indexOf('estimated'));

  /* Somebody whom the door did not know: their answers are left out, and that is said. */
  await query(`INSERT INTO assignment (grid, person, leased_at, lease_until) SELECT (SELECT g.id FROM grid g
    JOIN campaign k ON k.id = g.campaign WHERE k.name = 'main' LIMIT 1), person, 1, 2 FROM identity WHERE external_id = 'other-4';
    INSERT INTO event (at, kind) VALUES (unixepoch() * 1000, 'test');`);
  await enter('new-news', 'main'); /* a commit of the server's own: it looks at what others wrote */
  const fewer = (await biasOf(client)).measured_again;
  assert.deepEqual([fewer.workers, fewer.votes, fewer.left_out_votes, fewer.left_out_workers], [5, 60, 12, 1]);
  assert.match(await client.page('/sets/fresh/0/bias'), /Left out: 12 votes of 1 person who had been shown images of the first/);
});
