/* What a worker's addresses, replies and pages say about the images: nothing. Contents are told from one
 * another by their bytes without the zeros behind them, as somebody curious would; what they are is
 * asked as an expert. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';

import { Client, must, newProject, startServer, tempDir } from './lib.mjs';
import { exchange, request, send } from './raw.mjs';
import { CLASSES, WIDE, answer, join, next, png, writeImages } from './study.mjs';

const WORKERS = 12;
const GRIDS = 4;      /* two of each class, whose controls are the same three and three */
const CELLS = 48;
const PADDING = 4096;
const APPLE = 'n00000001', PEAR = 'n00000002';

/* Two files with the same bytes, one an apple, one a pear. */
function writeTwins(folder) {
  for (const wnid of [APPLE, PEAR]) {
    fs.writeFileSync(path.join(folder, wnid, `${wnid}-candidate-0.png`), png('twin'));
  }
}

async function newTwins(t) {
  const dir = await newProject(t);
  const work = tempDir(t);
  fs.writeFileSync(path.join(work, 'classes.jsonl'), CLASSES);
  await must(['import', 'classes', dir, path.join(work, 'classes.jsonl')]);
  for (const [role, n] of [['original', 3], ['candidate', 84], ['reference', 7]]) {
    writeImages(path.join(work, role), role, { [APPLE]: n, [PEAR]: n });
  }
  writeTwins(path.join(work, 'candidate'));
  for (const role of ['original', 'candidate', 'reference']) {
    await must(['import', 'images', dir, path.join(work, role), '--role', role]);
  }
  await must(['grids', dir, '--campaign', 'main', '--open', '--answers-per-grid', '100', '--coverage', '0',
    '--grids-per-place', String(GRIDS), '--max-share', '1', '--same-image-again', '--seed', '1']);
  return dir;
}

async function start(t, env = {}) {
  const dir = await newTwins(t);
  const server = await startServer(t, dir, { env: { ...WIDE, ...env } });
  return { dir, server, client: new Client(server.url) };
}

/* A reply as it stands on the wire. */
async function fetched(url, at, options) {
  const r = await send(url, 'GET', at, options);
  assert.equal(r.status, 200, at);
  const body = Buffer.from(r.body, 'latin1');
  let end = body.length;
  while (end > 0 && body[end - 1] === 0) end--;
  return { at, headers: r.headers, length: body.length, content: body.subarray(0, end).toString('base64'), size: end };
}

/* Every grid of every worker: { worker, assignment, place, next (JSON), html, cells: [reply] }. */
async function walk(world) {
  const grids = [];
  for (let w = 0; w < WORKERS; w++) {
    const place = await join(world.client, `worker-${w}`);
    for (let i = 0; i < GRIDS; i++) {
      const json = await next(world.client, place);
      assert.equal(json.cells, CELLS);
      const base = `/work/assignment/${json.assignment}`;
      const html = await world.client.page(base);
      const cells = await Promise.all(Array.from({ length: CELLS }, (_, k) => fetched(world.server.url, `${base}/${k}`)));
      grids.push({ worker: w, place, assignment: json.assignment, next: json, html, cells });
      await answer(world.client, json.assignment, { client_id: `client-${w}-${i}` });
    }
  }
  return grids;
}

/* The content of each image of the project: content -> [{ name, role }]. */
async function contents(world) {
  const expert = await new Client(world.server.url).login();
  const { body } = await expert.json('GET', '/api/v1/images?limit=1000');
  const map = new Map();
  for (const image of body.items) {
    const r = await expert.get(`/images/${image.id}/grid`);
    assert.equal(r.status, 200);
    const key = Buffer.from(await r.arrayBuffer()).toString('base64');
    map.set(key, [...(map.get(key) ?? []), { id: image.id, name: image.image, role: image.role }]);
  }
  return map;
}

const byContent = (cells) => {
  const groups = new Map();
  for (const c of cells) groups.set(c.content, [...(groups.get(c.content) ?? []), c]);
  return groups;
};

/* The lines of /metrics about images in memory. */
async function numbers(server) {
  const page = await (await new Client(server.url).login()).page('/metrics');
  const metrics = {};
  for (const [, name, value] of page.matchAll(/^holdout_image_cache_(\w+) (\d+)$/gm)) metrics[name] = Number(value);
  return metrics;
}

/* The chance that one of `a` is longer than one of `b`: 0.5 when lengths tell nothing. */
function longer(a, b) {
  let wins = 0;
  for (const x of a) for (const y of b) wins += x > y ? 1 : x === y ? 0.5 : 0;
  return wins / (a.length * b.length);
}

/* A page without what belongs to the assignment: tokens, client id, times, how far the worker is.
 * The minutes that are left are a time too: a page that comes half a minute late says one less. */
const plain = (g) => g.html.replaceAll(g.assignment, 'ASSIGNMENT').replaceAll(g.place, 'PLACE')
  .replaceAll(/\b\d{13}\b/g, 'TIME').replaceAll(/(name="client_id" value=")[^"]+/g, '$1ID')
  .replaceAll(/(client_?id[^A-Za-z]+)[A-Za-z0-9_-]{22}/gi, '$1ID')
  .replace(/(<span data-lease-text>[^<]* for )\d+( more minute)s?/, '$1MINUTES$2s');
const composition = (g) => g.cells.map((c) => c.content).sort().join();

test('what a worker is told of the images', async (t) => {
  const world = await start(t);
  const grids = await walk(world);
  const known = await contents(world);
  const cells = () => grids.flatMap((g) => g.cells);

  await t.test('the world is one in which something could leak', () => {
    const groups = byContent(cells());
    const twins = [...known.values()].filter((images) => images.length > 1);
    assert.equal(twins.length, 1, 'one file stands under two classes');
    assert.equal(new Set(twins[0].map((i) => i.name.slice(0, 9))).size, 2);
    const controls = [...groups].filter(([c]) => known.get(c)[0].role === 'original');
    assert.equal(controls.length, 6);
    for (const [, at] of controls) assert.equal(at.length, WORKERS * GRIDS, 'a control is on every grid');
  });

  await t.test('headers: the same names in the same order, and no value that depends on the image', () => {
    const free = new Set(['date', 'content-length', 'x-request-id']);
    const first = grids[0].cells[0].headers;
    for (const { at, headers } of cells()) {
      assert.deepEqual(Object.keys(headers), Object.keys(first), at);
      for (const [name, value] of Object.entries(headers)) {
        if (!free.has(name)) assert.deepEqual(value, first[name], `${at} ${name}`);
      }
    }
    for (const name of ['etag', 'last-modified', 'age', 'accept-ranges', 'content-location', 'vary', 'server-timing']) {
      assert.equal(first[name], undefined, name);
    }
    assert.deepEqual(first['cache-control'], ['private, max-age=86400, immutable']);
  });

  await t.test('lengths: those of one content at many addresses are unrelated', () => {
    let pairs = 0, same = 0;
    for (const at of byContent(cells()).values()) {
      for (let i = 0; i < at.length; i++) {
        assert.equal(at[i].size, at[0].size);
        for (let j = 0; j < i; j++) {
          pairs++;
          same += at[i].length === at[j].length;
        }
      }
    }
    assert.ok(pairs > 10000);
    assert.ok(same < pairs / 1000, `${same} of ${pairs} pairs have one length`);
    const padding = cells().map((c) => c.length - c.size);
    assert.ok(Math.max(...padding) < PADDING);
    assert.equal(Math.floor(Math.min(...padding) / 100), 0);
    const mean = padding.reduce((a, b) => a + b) / padding.length;
    assert.ok(mean > 1850 && mean < 2250, `zeros: ${mean} on average`);
  });

  await t.test('lengths: controls cannot be told from candidates, nor repeated contents from others', () => {
    const of = (role) => cells().filter((c) => known.get(c.content)[0].role === role).map((c) => c.length);
    const p = longer(of('original'), of('candidate'));
    assert.ok(p > 0.4 && p < 0.6, `controls are longer with probability ${p}`);
    const twin = cells().filter((c) => known.get(c.content).length > 1).map((c) => c.length);
    assert.equal(twin.length, 2 * WORKERS);
    assert.equal(new Set(twin).size > twin.length - 2, true);
  });

  await t.test('an address says the same each time: again, as HEAD, in part, on a condition', async () => {
    const { at, length, content } = grids[0].cells[7];
    for (const headers of [{}, { Range: 'bytes=0-99' }, { 'If-None-Match': '*' }, { 'If-Modified-Since': 'Fri, 01 Jan 2100 00:00:00 GMT' },
      { 'Accept-Encoding': 'gzip, br' }, { Cookie: 'holdout_session=AAAAAAAAAAAAAAAAAAAAAA' }]) {
      const r = await fetched(world.server.url, at, { headers });
      assert.deepEqual([r.length, r.content], [length, content], JSON.stringify(headers));
    }
    const head = await exchange(world.server.url, request('HEAD', at));
    assert.deepEqual([head.status, head.headers['content-length'], head.body], [200, [String(length)], '']);
  });

  await t.test('addresses are made of the assignment and the position only', () => {
    for (const g of grids) {
      for (const [, url] of g.html.matchAll(/<img[^>]* src="([^"]+)"/g)) {
        assert.match(url, /^(\/work\/assignment\/)?[A-Za-z0-9_-]{22}\/(example\/[0-5]|\d{1,2})$|^\/static\//, url);
        if (!url.startsWith('/static/')) assert.ok(url.includes(g.assignment), url);
      }
    }
    assert.equal(new Set(grids.map((g) => g.assignment)).size, grids.length);
  });

  await t.test('pages and JSON: two workers on one grid, two grids of one class, differ in tokens alone', () => {
    const compared = new Map();
    for (const g of grids) {
      const done = g.next.progress.done;
      const klass = /hammerhead|apple|pear/.exec(g.html)[0];
      const key = `${klass} ${done}`;
      const other = compared.get(key);
      if (other) assert.equal(plain(g), plain(other), key);
      else compared.set(key, g);
      assert.deepEqual(Object.keys(g.next).sort(), ['assignment', 'cells', 'done', 'lease_until', 'progress']);
      const { assignment, lease_until: until, ...rest } = g.next;
      assert.match(assignment, /^[A-Za-z0-9_-]{22}$/);
      assert.ok(until > Date.now());
      assert.deepEqual(rest, { done: false, cells: CELLS, progress: { done, total: GRIDS } });
    }
    assert.equal(compared.size, 2 * GRIDS);
    assert.equal(new Set(grids.map(composition)).size, GRIDS, 'every worker had the same four grids');
    for (const images of known.values()) {
      for (const { name } of images) for (const g of grids) assert.ok(!g.html.includes(name), name);
    }
  });

  await t.test('the order of cells is each worker’s own', () => {
    for (let i = 0; i < GRIDS; i++) {
      const same = grids.filter((g) => composition(g) === composition(grids[i]));
      assert.equal(same.length, WORKERS);
      assert.equal(new Set(same.map((g) => g.cells.map((c) => c.content).join())).size, WORKERS);
    }
  });

  await t.test('the state of an assignment says no more than its worker knows', async () => {
    for (const g of grids.slice(0, 3)) {
      const { status, headers, body } = await world.client.json('GET', `/api/v1/assignments/${g.assignment}`);
      assert.deepEqual([status, headers.get('etag'), headers.get('cache-control')], [200, null, 'no-store']);
      assert.deepEqual(body, { answered: true, state: 'stored', lease_until: g.next.lease_until, cells: CELLS });
    }
  });

  await t.test('a token opens the images of its own grid and nothing else', async () => {
    const [g] = grids;
    const status = async (at) => (await send(world.server.url, 'GET', at)).status;
    const base = `/work/assignment/${g.assignment}`;
    for (const position of ['48', '49', '53', '54', '-1', 'x', '0x0', '1.0', '', '99999999999999999999', '0/0', 'example', 'example/6',
      'example/-1', 'example/x', 'large', 'large/48', 'large/-1', 'large/x']) {
      assert.equal(await status(`${base}/${position}`), 404, position);
    }
    for (const token of [g.place, 'A'.repeat(22), g.assignment.slice(1), `${g.assignment}A`, '']) {
      assert.equal(await status(`/work/assignment/${token}/0`), 404, token);
    }
  });

  await t.test('examples are reference images, never those of any grid', async () => {
    const onGrids = new Set(cells().map((c) => c.content));
    const seen = new Map();
    for (const g of grids.slice(0, GRIDS)) {
      const examples = await Promise.all([0, 1, 2, 3, 4, 5].map((n) => fetched(world.server.url, `/work/assignment/${g.assignment}/example/${n}`)));
      for (const e of examples) {
        assert.equal(known.get(e.content)[0].role, 'reference');
        assert.ok(!onGrids.has(e.content));
        assert.deepEqual(Object.keys(e.headers), Object.keys(g.cells[0].headers));
      }
      const klass = known.get(examples[0].content)[0].name.slice(0, 9);
      const set = examples.map((e) => e.content).join();
      assert.equal(seen.get(klass) ?? set, set, 'the same for every grid of a class');
      seen.set(klass, set);
    }
    assert.equal(seen.size, 2);
  });

  await t.test('a large picture shows what its cell shows, behind a length of its own', async () => {
    const expert = await new Client(world.server.url).login();
    const pads = [];
    for (const g of grids.slice(0, GRIDS)) {
      for (const [k, cell] of g.cells.entries()) {
        const large = await fetched(world.server.url, `/work/assignment/${g.assignment}/large/${k}`);
        assert.deepEqual(Object.keys(large.headers), Object.keys(cell.headers));
        assert.ok(large.size > cell.size);
        const view = await expert.get(`/images/${known.get(cell.content)[0].id}/view`);
        assert.equal(large.content, Buffer.from(await view.arrayBuffer()).toString('base64'));
        pads.push((large.length - large.size) - (cell.length - cell.size));
      }
    }
    assert.ok(new Set(pads).size > pads.length / 2, 'the two lengths of a photo are padded apart');
  });

  await t.test('what comes from the file is what came from memory', async () => {
    await world.server.stop();
    const server = await startServer(t, world.dir, { env: { ...WIDE, HOLDOUT_IMAGES_CACHE_MB: '0' } });
    for (const { at, length, content, headers } of grids[1].cells) {
      for (let i = 0; i < 2; i++) {
        const r = await fetched(server.url, at);
        assert.deepEqual([r.length, r.content, Object.keys(r.headers)], [length, content, Object.keys(headers)]);
      }
    }
    const metrics = await numbers(server);
    assert.deepEqual([metrics.hits_total, metrics.misses_total, metrics.bytes], [0, 2 * CELLS, 0]);
  });
});

test('what is forgotten or hidden is shown no more', async (t) => {
  const here = await start(t, { HOLDOUT_WORK_FLAGS_TO_QUARANTINE: '1' });
  const status = async (at) => (await send(here.server.url, 'GET', at)).status;
  const place = await join(here.client, 'ann');
  await answer(here.client, (await next(here.client, place)).assignment); /* from then on her flags count */
  const ann = await next(here.client, place);
  const bob = await next(here.client, await join(here.client, 'bob'));
  const at = (g, k) => `/work/assignment/${g.assignment}/${k}`;
  for (const g of [ann, bob]) for (let k = 0; k < CELLS; k++) assert.equal(await status(at(g, k)), 200);
  const r = await here.client.json('POST', `/api/v1/assignments/${ann.assignment}/flags`, { position: 3, kind: 'private' });
  assert.equal(r.status, 200);
  const gone = await send(here.server.url, 'GET', at(ann, 3));
  assert.deepEqual([gone.status, gone.headers['cache-control'], gone.body], [410, ['no-store'], 'This image is not shown any more.\n']);
  assert.equal(await status(at(ann, 4)), 200);
  await must(['worker', 'forget', here.dir, '--id', 'ann', '--yes']);
  const limit = Date.now() + 20000;
  while (await status(at(ann, 4)) !== 404 && Date.now() < limit) await new Promise((resolve) => setTimeout(resolve, 20));
  for (let k = 0; k < CELLS; k++) assert.equal(await status(at(ann, k)), 404);
  assert.equal(await status(`/work/assignment/${ann.assignment}/example/0`), 404);
  let shown = 0;
  for (let k = 0; k < CELLS; k++) shown += await status(at(bob, k)) === 200;
  assert.ok(shown >= CELLS - 1);
});
