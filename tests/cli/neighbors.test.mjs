/* The nearest images of candidates and distances of pairs, from the command line: the search against every pair on its
 * own, what is left out, what cannot be read. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';

import { holdout, must, newProject, tempDir } from '../http/lib.mjs';
import { png } from '../http/study.mjs';
import { fails } from './tools.mjs';

const SIDE = 64;
const WNID = 'n02091134';
const rows = (csv) => csv.trim().split('\n').slice(1).map((line) => line.split(','));

/* Originals and candidates of several sizes; c-copy is o-1 again. */
async function pool(t) {
  const dir = await newProject(t);
  const folder = tempDir(t);
  const list = ['id,path,class,role'];
  const add = (id, role, bytes) => {
    fs.writeFileSync(path.join(folder, `${id}.png`), bytes);
    list.push(`${id},${id}.png,${WNID},${role}`);
  };
  for (let i = 0; i < 5; i++) add(`o-${i}`, 'original', png(i, 40 + 8 * i, 64));
  for (let i = 5; i < 12; i++) add(`c-${i}`, 'candidate', png(i, 96, 40 + i));
  add('c-copy', 'candidate', Buffer.concat([png(1, 48, 64), Buffer.from('more')]));
  fs.writeFileSync(path.join(folder, 'images.csv'), `${list.join('\n')}\n`);
  fs.writeFileSync(path.join(folder, 'classes.csv'), `cid,wnid,synset,gloss,wikipedia\n0,${WNID},whippet,a dog,\n`);
  await must(['import', 'classes', dir, path.join(folder, 'classes.csv')]);
  await must(['import', 'images', dir, path.join(folder, 'images.csv'), '--keep', 'reference']);
  return { dir, folder, names: list.slice(1).map((line) => line.split(',')[0]).sort() };
}

for (const [metric, ...options] of [['l2'], ['dssim', '--window', '7']]) {
  test(`neighbours by ${metric} are those that every pair on its own says`, async (t) => {
    const { dir, folder, names } = await pool(t);
    const how = ['--metric', metric, '--size', SIDE, ...options];
    const distance = {};
    for (const a of names.filter((n) => n.startsWith('c'))) {
      for (const b of names.filter((n) => n !== a)) {
        const file = (name) => path.join(folder, `${name}.png`);
        distance[`${a},${b}`] = Number(await must(['distance', file(a), file(b), ...how]));
      }
    }
    const expected = names.filter((n) => n.startsWith('c')).flatMap((a) => names.filter((n) => n !== a)
      .sort((x, y) => distance[`${a},${x}`] - distance[`${a},${y}`] || (x < y ? -1 : 1)).slice(0, 4)
      .map((b, i) => [a, String(i + 1), b, distance[`${a},${b}`]]));
    const found = rows(await must(['neighbors', dir, '--k', 4, ...how])).map((r) => [...r.slice(0, 3), Number(r[3])]);
    assert.deepEqual(found, expected);
    assert.deepEqual(found.find((r) => r[0] === 'c-copy'), ['c-copy', '1', 'o-1', 0]);
    assert.deepEqual(rows(await must(['neighbors', dir, '--k', 4, ...how, '--memory', 1, '--threads', 1])),
      rows(await must(['neighbors', dir, '--k', 4, ...how])));
    assert.deepEqual(rows(await must(['neighbors', dir, ...how, '--within', 0])).map((r) => r.slice(0, 3)),
      [['c-copy', '1', 'o-1']]);
  });
}

test('an image that cannot be read is named, and the rest is compared', async (t) => {
  const { dir, folder } = await pool(t);
  fs.rmSync(path.join(folder, 'o-3.png'));
  const r = await holdout(['neighbors', dir, '--k', 20, '--size', SIDE]);
  assert.equal(r.code, 1);
  assert.match(r.err, /o-3 cannot be compared: .*o-3\.png/);
  assert.match(r.err, /1 images? could not be compared/);
  assert.equal(rows(r.out).length, 8 * 11);
  assert.ok(rows(r.out).every((row) => row[2] !== 'o-3'));
});

test('what cannot be compared says why', async (t) => {
  const { dir, folder } = await pool(t);
  const file = (name) => path.join(folder, `${name}.png`);
  await fails(['neighbors', dir, '--metric', 'fc7'], /--metric must be l2, feature or dssim/, { code: 2 });
  await fails(['neighbors', dir, '--metric', 'feature'], /--model names the model whose features are compared/, { code: 2 });
  await fails(['neighbors', dir, '--metric', 'feature', '--model', 'none'], /none/);
  await fails(['neighbors', dir, '--metric', 'dssim', '--window', '8'], /--window must be odd/, { code: 2 });
  await fails(['distance', file('o-0'), file('o-1')], /40 x 64 pixels, .*48 x 64; --size 256/);
  await fails(['distance', file('o-0'), file('o-0'), '--metric', 'dssim', '--window', 51], /does not fit into 40 x 64/);
  await fails(['distance', file('o-0'), file('o-0'), '--metric', 'ssim'], /--metric must be l2 or dssim/, { code: 2 });
  fs.writeFileSync(path.join(folder, 'short.ppm'), 'P6\n2 2\n255\nabc');
  await fails(['distance', path.join(folder, 'short.ppm'), file('o-0')], /short\.ppm: 2 x 2 pixels are 12 bytes, but 3 follow/);
  fs.writeFileSync(path.join(folder, 'deep.ppm'), 'P6 2 2 65535\n');
  await fails(['distance', path.join(folder, 'deep.ppm'), file('o-0')], /not a binary PPM of 8 bits/);
});
