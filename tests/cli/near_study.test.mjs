/* From planted near-duplicates to a set without any: searched, reviewed, drawn, audited; then further candidates, which are
 * refused until they are searched; and the first draw comes out again. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';

import { Client, must, newProject, startServer, tempDir } from '../http/lib.mjs';
import { png } from '../http/study.mjs';
import { says, sql } from './tools.mjs';

const WNID = 'n02091134';
const SIDE = 64;
const TOP = ['--strategy', 'top', '--answers', '0'];
const images = async (dir, set) => (await must(['export', 'set', dir, set])).trim().split('\n').slice(1).map((line) => line.split(',')[0]).sort();

/* The same picture in other bytes: its pixels are equal, nothing else says so. */
const copyOf = (seed, mark) => Buffer.concat([png(seed, SIDE, SIDE), Buffer.from(mark)]);

async function add(dir, folder, list) {
  const rows = list.map(([id, role, bytes]) => {
    fs.writeFileSync(path.join(folder, `${id}.png`), bytes);
    return `${id},${id}.png,${WNID},${role}`;
  });
  const manifest = path.join(folder, 'images.csv');
  fs.writeFileSync(manifest, `id,path,class,role\n${rows.join('\n')}\n`);
  await must(['import', 'images', dir, manifest, '--quiet']);
}

/* Judges all that waits, as somebody would who sees that they are the same. */
async function review(client) {
  for (let looks = 0; looks < 20; looks++) {
    const at = (await client.get('/duplicates/next')).headers.get('location');
    if (at === '/duplicates') return looks;
    const html = await client.page(at);
    const field = (name) => new RegExp(`name="${name}" value="(\\d+)"`).exec(html)[1];
    const form = { seen: field('seen'), searches: field('searches') };
    for (const [, name] of html.matchAll(/name="(say-\d+)" value="duplicate"/g)) form[name] = 'duplicate';
    assert.equal((await client.post(at, form)).status, 303);
  }
  return assert.fail('the review does not end');
}

test('a set without near-duplicates, from planted ones', async (t) => {
  const dir = await newProject(t);
  const folder = tempDir(t);
  const classes = path.join(folder, 'classes.csv');
  fs.writeFileSync(classes, `cid,wnid,synset,gloss,wikipedia\n0,${WNID},whippet,a dog,\n`);
  await must(['import', 'classes', dir, classes]);
  await add(dir, folder, [
    ...[0, 1, 2].map((i) => [`o-${i}`, 'original', png(i, SIDE, SIDE)]),
    ...[10, 11, 12, 13, 14].map((i) => [`c-${i}`, 'candidate', png(i, SIDE, SIDE)]),
    ['c-copy', 'candidate', copyOf(1, 'copy')], ['c-twin', 'candidate', copyOf(10, 'twin')],
  ]);
  await must(['near-metrics', dir, 'l2', '--size', SIDE, '--threshold', 1000]);
  const draw = (...options) => ['sample', dir, '--set', 'mine', ...TOP, ...options];
  await says(draw('--size', 4, '--plan'), /not searched/);
  await must(['neighbors', dir, '--all']);
  await says(draw('--size', 6, '--plan'), /unreviewed|not reviewed/);

  const server = await startServer(t, dir);
  const lead = await new Client(server.url).login();
  assert.ok(await review(lead) >= 2);
  await must([...draw('--size', 5), '--quiet']);
  const first = await images(dir, 'mine/0');
  assert.equal(first.length, 5);
  assert.ok(!first.includes('c-copy'), 'it is an original again');
  assert.equal(first.filter((name) => ['c-10', 'c-twin'].includes(name)).length, 1, 'one of the two stays');
  assert.equal((await must(['audit', dir, 'mine/0'])).trim().split('\n').length, 1, 'the header alone');

  const later = Array.from({ length: 10 }, (_, i) => `d-${i}`);
  await add(dir, folder, later.map((id, i) => [id, 'candidate', i === 0 ? copyOf(2, id) : png(40 + i, SIDE, SIDE)]));
  await says(draw('--size', 8, '--parent', 'mine/0'), /mine\/1: 5 images, incomplete/);
  assert.deepEqual(await images(dir, 'mine/1'), first, 'nobody is taken who was not searched');
  await says(['neighbors', dir, '--all'], /l2: 10 candidates compared with \d+ images\./);
  assert.equal(await sql(dir, 'SELECT count(*) FROM near_search_end'), '3\n', 'new rows, and new columns of the old ones');
  assert.ok(await review(lead) >= 1);
  await says(draw('--size', 14, '--parent', 'mine/1'), /mine\/2: 14 images/);
  const names = await images(dir, 'mine/2');
  assert.deepEqual(names.filter((name) => name.startsWith('d-')), later.slice(1), 'all but the one that is an original');
  await says(['sample', dir, '--replay', 'mine/0'], /mine\/0 comes out the same/);
});
