/* Training images: where they lie is noted and nothing else is made of them, until a candidate comes close to one; no set has
 * a candidate that was not compared with them, or that looks like one. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';

import { Client, holdout, must, newProject, startServer, tempDir } from '../http/lib.mjs';
import { png } from '../http/study.mjs';
import { fails, says, sql } from './tools.mjs';

const DOG = 'n02091134', CAT = 'n02123045', CAR = 'n02958343';
const SIDE = 64;
const words = async (dir, query) => (await sql(dir, query)).trim().split('\n').filter(Boolean);

/* Candidates of a class; c-0 has the pixels of the dogs' training image t-0 in other bytes. */
async function pool(t) {
  const dir = await newProject(t);
  const folder = tempDir(t);
  const write = (name, ...bytes) => {
    fs.mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    fs.writeFileSync(path.join(folder, name), Buffer.concat(bytes));
  };
  fs.writeFileSync(path.join(folder, 'classes.csv'), 'cid,wnid,synset,gloss,wikipedia\n'
    + `0,${DOG},whippet,a dog,\n1,${CAT},tabby,a cat,\n2,${CAR},car,a car,\n`);
  write(`candidates/${DOG}/c-0.png`, png(0, SIDE, SIDE), Buffer.from('other bytes'));
  for (let i = 1; i < 4; i++) write(`candidates/${DOG}/c-${i}.png`, png(20 + i, SIDE, SIDE));
  for (let i = 0; i < 3; i++) write(`training/${DOG}/t-${i}.png`, png(i, SIDE, SIDE));
  write(`training/${CAT}/t-cat.png`, png(7, SIDE, SIDE));
  write(`training/${CAR}/t-car.png`, png(8, SIDE, SIDE));
  await must(['import', 'classes', dir, path.join(folder, 'classes.csv')]);
  await must(['import', 'images', dir, path.join(folder, 'candidates')]);
  await must(['near-metrics', dir, 'l2', '--size', SIDE, '--threshold', 10]);
  return { dir, folder, training: path.join(folder, 'training') };
}

function filesOf(folder) {
  return fs.readdirSync(folder, { recursive: true, withFileTypes: true }).filter((e) => e.isFile()).length;
}
const unsearched = async (dir) => (await must(['export', 'pool', dir])).trim().split('\n').map((l) => l.split(','))
  .filter((l, _, [head]) => l[head.indexOf('unsearched')] === '1').map((l) => l[0]);

test('training images stay where they are, and get a picture when a candidate comes close', async (t) => {
  const { dir, training } = await pool(t);
  const before = filesOf(path.join(dir, 'images'));
  await says(['import', 'images', dir, training, '--role', 'training'], /5 files, 5 new images, 0 skipped/);
  assert.equal(filesOf(path.join(dir, 'images')), before, 'nothing is copied, and no pictures are made');
  assert.deepEqual(await words(dir, "SELECT DISTINCT s.kept, s.gray IS NULL, s.width FROM image i JOIN source s ON s.id = i.source WHERE i.role = 'training'"), [`reference|1|${SIDE}`]);
  await says(['import', 'images', dir, training, '--role', 'training'], /5 files, 0 new images, 0 skipped/);
  await must(['check', dir]);
  assert.deepEqual(await unsearched(dir), ['c-0', 'c-1', 'c-2', 'c-3']);
  await says(['neighbors', dir], /l2: 4 candidates compared with 9 images\./);
  assert.equal(filesOf(path.join(dir, 'images')), before + 2, 'two pictures of the one that is close');
  assert.deepEqual(await words(dir, 'SELECT i.name, n.name FROM near_close c JOIN image i ON i.id = c.query JOIN image n ON n.id = c.reference'), ['c-0|t-0']);
  await must(['check', dir]);
  assert.deepEqual(await unsearched(dir), []);

  const server = await startServer(t, dir);
  const lead = await new Client(server.url).login();
  const [id] = await words(dir, "SELECT id FROM image WHERE name = 'c-0'");
  const html = await lead.page(`/duplicates/${id}`);
  const [, at] = /src="(\/duplicates\/\d+\/shown\/0\?searches=\d+)"/.exec(html);
  const shown = await lead.get(at);
  assert.equal(shown.status, 200);
  assert.match(shown.headers.get('content-type'), /^image\//);
  const field = (name) => new RegExp(`name="${name}" value="(\\d+)"`).exec(html)[1];
  assert.equal((await lead.post(`/duplicates/${id}`, { seen: field('seen'), searches: field('searches'), 'say-0': 'duplicate' })).status, 303);
  const out = (await must(['export', 'near-duplicates', dir])).trim().split('\n');
  assert.ok(out.some((line) => line.includes('c-0') && line.includes('t-0')), out.join('\n'));
  assert.match(await lead.page('/images?role=training'), /t-car/);
  assert.equal((await lead.json('GET', '/api/v1/images?role=training')).body.items.length, 5);
});

test('training images that come later are compared with everybody, and nobody is searched until then', async (t) => {
  const { dir, training } = await pool(t);
  await says(['neighbors', dir], /l2: 4 candidates compared with 4 images\./);
  assert.deepEqual(await unsearched(dir), []);
  await must(['import', 'images', dir, training, '--role', 'training']);
  assert.deepEqual(await unsearched(dir), ['c-0', 'c-1', 'c-2', 'c-3']);
  await says(['neighbors', dir], /l2: 4 candidates compared with 5 images\./);
  assert.deepEqual(await unsearched(dir), []);
  /* A file that is gone is named, and the candidates that it was compared with stay searched. */
  fs.rmSync(path.join(training, CAR, 't-car.png'));
  const found = await holdout(['check', dir]);
  assert.equal(found.code, 1);
  assert.match(found.out, /t-car\.png.*put it back/);
});

test('by structural similarity they are compared with candidates of similar classes', async (t) => {
  const { dir, folder, training } = await pool(t);
  const kinds = [[DOG, [DOG, CAT]], [CAT, [CAT, DOG]], [CAR, [CAR, CAT]]];
  fs.writeFileSync(path.join(folder, 'classes.jsonl'), kinds.map(([wnid, similar], cid) => `${JSON.stringify({ cid, wnid, synset: [['whippet'], ['tabby'], ['car']][cid],
    gloss: ['a dog', 'a cat', 'a car'][cid], wikipedia: [], similar })}\n`).join(''));
  await must(['import', 'classes', dir, path.join(folder, 'classes.jsonl')]);
  await must(['near-metrics', dir, 'dssim', '--size', SIDE, '--window', 7]);
  await must(['import', 'images', dir, training, '--role', 'training']);
  await must(['neighbors', dir, '--metric', 'dssim']);
  const near = (await must(['export', 'neighbors', dir, '--metric', 'dssim'])).trim().split('\n').slice(1).map((l) => l.split(','));
  assert.deepEqual([...new Set(near.map((r) => r[2]).filter((n) => n.startsWith('t')))].sort(), ['t-0', 't-1', 't-2', 't-cat']);
  assert.deepEqual(near.filter((r) => r[0] === 'c-0')[0].slice(1, 3), ['1', 't-0']);
});

test('they are not copied, and not shown as examples', async (t) => {
  const { dir, training } = await pool(t);
  await fails(['import', 'images', dir, training, '--role', 'training', '--keep', 'copy'], /training images stay where they are/, { code: 2 });
  await fails(['import', 'images', dir, training, '--role', 'train'], /--role must be original, candidate, reference, gold or training/, { code: 2 });
  await must(['import', 'images', dir, training, '--role', 'training', '--keep', 'reference']);
  const server = await startServer(t, dir);
  const lead = await new Client(server.url).login();
  assert.ok(!(await lead.page(`/classes/${DOG}?role=candidates`)).includes('t-0'));
  assert.equal((await lead.get(`/images/${(await words(dir, "SELECT id FROM image WHERE name = 't-1'"))[0]}/view`)).status, 404);
  assert.equal((await lead.get(`/images/${(await words(dir, "SELECT id FROM image WHERE name = 't-1'"))[0]}`)).status, 200);
});

test('originals that look like a training image are counted, and nothing that candidates wait for changes', async (t) => {
  const { dir, folder, training } = await pool(t);
  fs.mkdirSync(path.join(folder, 'originals', DOG), { recursive: true });
  fs.writeFileSync(path.join(folder, 'originals', DOG, 'o-0.png'), Buffer.concat([png(1, SIDE, SIDE), Buffer.from('again')]));
  fs.writeFileSync(path.join(folder, 'originals', DOG, 'o-1.png'), png(90, SIDE, SIDE));
  await must(['import', 'images', dir, path.join(folder, 'originals'), '--role', 'original']);
  await must(['import', 'images', dir, training, '--role', 'training']);
  await must(['neighbors', dir]);
  const before = await must(['export', 'pool', dir]), metrics = await must(['near-metrics', dir]);
  await says(['neighbors', dir, '--originals'], /l2: 2 originals compared with 7 images\./);
  await says(['neighbors', dir, '--originals'], /there was nothing to compare/);
  assert.equal(await must(['export', 'pool', dir]), before);
  assert.equal(await must(['near-metrics', dir]), metrics);
  await must(['check', dir]);

  const server = await startServer(t, dir);
  const lead = await new Client(server.url).login();
  const said = async () => (await lead.json('GET', '/api/v1/duplicates')).body.originals;
  assert.deepEqual({ ...(await said()), share_hi: 0 }, { originals: 2, searched: 2, left: 1, duplicates: 0, share: 0, share_lo: 0, share_hi: 0 });
  const [id] = await words(dir, "SELECT id FROM image WHERE name = 'o-0'");
  const at = (await lead.get('/duplicates/originals')).headers.get('location');
  assert.equal(at, `/duplicates/${id}`);
  const html = await lead.page(at);
  assert.ok(!html.includes('t-1'), 'nothing names it before the verdict');
  const field = (name) => new RegExp(`name="${name}" value="(\\d+)"`).exec(html)[1];
  const saved = await lead.post(at, { seen: field('seen'), searches: field('searches'), 'say-0': 'duplicate' });
  assert.equal(saved.headers.get('location'), '/duplicates/originals');
  assert.equal((await lead.get('/duplicates/originals')).headers.get('location'), '/duplicates/quality');
  const counted = await said();
  assert.deepEqual([counted.left, counted.duplicates, counted.share], [0, 1, 0.5]);
  assert.match(await lead.page('/duplicates/quality'), /1 of 2 originals are near-duplicates of an image that models were trained on/);
  assert.equal(await must(['export', 'pool', dir]), before, 'an original stays what it is');
  const [trained] = await words(dir, "SELECT id FROM image WHERE name = 't-1'");
  assert.equal((await lead.get(`/duplicates/${trained}`)).status, 404, 'training images have no review of their own');
});
