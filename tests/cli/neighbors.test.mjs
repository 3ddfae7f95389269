/* Near-duplicates from the command line: distances of pairs, the printed search against every pair on its own, and the
 * stored search: equal to the printed one, only new rows and columns, killed and resumed, as parts, with what cannot be
 * read. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';

import { bin, Client, holdout, must, newProject, startServer, tempDir, until } from '../http/lib.mjs';
import { png } from '../http/study.mjs';
import { classifier } from './onnx_file.mjs';
import { copyOf, fails, put, says, sql } from './tools.mjs';

const SIDE = 64;
const WNID = 'n02091134';
const rows = (csv) => csv.trim().split('\n').slice(1).map((line) => line.split(','));

/* Originals and candidates of several sizes, `more` than a few of the latter; c-copy is o-1 again. */
async function pool(t, more = 0) {
  const dir = await newProject(t);
  const folder = tempDir(t);
  const list = ['id,path,class,role'];
  const add = (id, role, bytes) => {
    fs.writeFileSync(path.join(folder, `${id}.png`), bytes);
    list.push(`${id},${id}.png,${WNID},${role}`);
  };
  for (let i = 0; i < 5; i++) add(`o-${i}`, 'original', png(i, 40 + 8 * i, 64));
  for (let i = 5; i < 12 + more; i++) add(`c-${i}`, 'candidate', png(i, 96, 40 + (i % 60)));
  add('c-copy', 'candidate', Buffer.concat([png(1, 48, 64), Buffer.from('more')]));
  fs.writeFileSync(path.join(folder, 'images.csv'), `${list.join('\n')}\n`);
  fs.writeFileSync(path.join(folder, 'classes.csv'), `cid,wnid,synset,gloss,wikipedia\n0,${WNID},whippet,a dog,\n1,n02123045,tabby,a cat,\n`);
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
    const found = rows(await must(['neighbors', dir, '--print', '--k', 4, ...how])).map((r) => [...r.slice(0, 3), Number(r[3])]);
    assert.deepEqual(found, expected);
    assert.deepEqual(found.find((r) => r[0] === 'c-copy'), ['c-copy', '1', 'o-1', 0]);
    assert.deepEqual(rows(await must(['neighbors', dir, '--print', '--k', 4, ...how, '--memory', 1, '--threads', 1])),
      rows(await must(['neighbors', dir, '--print', '--k', 4, ...how])));
    assert.deepEqual(rows(await must(['neighbors', dir, '--print', ...how, '--within', 0])).map((r) => r.slice(0, 3)),
      [['c-copy', '1', 'o-1']]);
  });
}

test('an image that cannot be read is named, and the rest is compared', async (t) => {
  const { dir, folder } = await pool(t);
  fs.rmSync(path.join(folder, 'o-3.png'));
  const r = await holdout(['neighbors', dir, '--print', '--k', 20, '--size', SIDE]);
  assert.equal(r.code, 1);
  assert.match(r.err, /o-3 cannot be compared: .*o-3\.png/);
  assert.match(r.err, /1 images? could not be compared/);
  assert.equal(rows(r.out).length, 8 * 11);
  assert.ok(rows(r.out).every((row) => row[2] !== 'o-3'));
});

test('what cannot be compared says why', async (t) => {
  const { dir, folder } = await pool(t);
  const file = (name) => path.join(folder, `${name}.png`);
  await fails(['neighbors', dir, '--print', '--metric', 'fc7'], /--metric must be l2, feature or dssim/, { code: 2 });
  await fails(['neighbors', dir, '--print', '--metric', 'feature'], /--model names the model whose features are compared/, { code: 2 });
  await fails(['neighbors', dir, '--print', '--metric', 'feature', '--model', 'none'], /none/);
  await fails(['neighbors', dir, '--print', '--metric', 'dssim', '--window', '8'], /--window must be odd/, { code: 2 });
  await fails(['distance', file('o-0'), file('o-1')], /40 x 64 pixels, .*48 x 64; --size 256/);
  await fails(['distance', file('o-0'), file('o-0'), '--metric', 'dssim', '--window', 51], /does not fit into 40 x 64/);
  await fails(['distance', file('o-0'), file('o-0'), '--metric', 'ssim'], /--metric must be l2 or dssim/, { code: 2 });
  fs.writeFileSync(path.join(folder, 'short.ppm'), 'P6\n2 2\n255\nabc');
  await fails(['distance', path.join(folder, 'short.ppm'), file('o-0')], /short\.ppm: 2 x 2 pixels are 12 bytes, but 3 follow/);
  fs.writeFileSync(path.join(folder, 'deep.ppm'), 'P6 2 2 65535\n');
  await fails(['distance', path.join(folder, 'deep.ppm'), file('o-0')], /not a binary PPM of 8 bits/);
});

/* ------------------------------------------------------------------ the stored search */

const stored = async (dir, metric, ...how) => rows(await must(['export', 'neighbors', dir, '--metric', metric, ...how]));
const printed = async (dir, metric, ...how) =>
  rows(await must(['neighbors', dir, '--print', '--metric', metric, '--k', 30, ...how]));

/* Everything that searches stored, as text. */
const tables = (dir) => sql(dir, `
  SELECT id, metric, space, engine, k, within, hex(queries), hex(refs) FROM near_search ORDER BY id;
  SELECT id, search FROM near_search_end ORDER BY id;
  SELECT id, search, first, records, hex(data) FROM near_list ORDER BY id;
  SELECT query, search, reference, distance FROM near_close ORDER BY query, search, reference;
  SELECT search, image FROM near_unread ORDER BY search, image;`);

/* More images for the project of pool(). */
async function addImages(dir, folder, images) {
  const list = ['id,path,class,role'];
  for (const [id, role, seed] of images) {
    fs.writeFileSync(path.join(folder, `${id}.png`), png(seed, 80, 60));
    list.push(`${id},${id}.png,${WNID},${role}`);
  }
  const file = path.join(folder, 'more.csv');
  fs.writeFileSync(file, `${list.join('\n')}\n`);
  await must(['import', 'images', dir, file, '--keep', 'reference']);
}

test('what is stored is what --print says, and only new rows and columns are computed', async (t) => {
  const { dir, folder } = await pool(t);
  const first = await says(['neighbors', dir], /l2: 8 candidates compared with 13 images\./);
  assert.match(first.err, /Turned on l2: images of 256 x 256 pixels, threshold 1\.2e\+08/);
  assert.match(first.err, /Turned on dssim: .*threshold 0\.2205/);
  assert.match(first.err, /dssim: 8 candidates compared with 13 images\./);
  assert.match(first.err, /l2: \d+ neighbours? within 1\.2e\+08/);
  const same = async () => {
    for (const metric of ['l2', 'dssim']) assert.deepEqual(await stored(dir, metric), await printed(dir, metric));
  };
  await same();
  const again = await says(['neighbors', dir], /l2: .*there was nothing to compare/);
  assert.doesNotMatch(again.err, /compared with/);
  await addImages(dir, folder, [['c-new', 'candidate', 90], ['d-new', 'candidate', 91], ['p-new', 'original', 92]]);
  const more = await says(['neighbors', dir, '--metric', 'l2'], /l2: 8 candidates compared with 3 images\./);
  assert.match(more.err, /l2: 2 candidates compared with 16 images\./);
  assert.doesNotMatch(more.err, /dssim/);
  await must(['neighbors', dir]);
  await same();
  assert.equal((await sql(dir, "SELECT metric, count(*) FROM near_search JOIN near_search_end e ON e.search = near_search.id GROUP BY 1 ORDER BY 1")).trim(),
    'dssim|3\nl2|3');
  assert.deepEqual((await stored(dir, 'l2', '--within', 0)).map((r) => r.slice(0, 3)), [['c-copy', '1', 'o-1']]);
  assert.equal((await stored(dir, 'l2', '--k', 2)).length, 20);
  assert.equal((await sql(dir, "SELECT count(*) FROM near_close c JOIN image i ON i.id = c.query WHERE i.name = 'c-copy' AND distance = 0")).trim(), '2');
});

test('what a plan could not take is left out unless all are asked for', async (t) => {
  const { dir } = await pool(t);
  await must(['import', 'blacklist', dir, '-'], { input: 'image,reason\nc-5,drawing\n' });
  await says(['neighbors', dir, '--metric', 'l2', '--dry-run'], /l2: 7 candidates to compare with 13 images\./);
  await says(['neighbors', dir, '--metric', 'l2', '--all', '--dry-run'], /l2: 8 candidates to compare with 13 images\./);
  assert.equal((await sql(dir, 'SELECT count(*) FROM near_search')).trim(), '0');
});

test('without a metric the usual ones are turned on, but not for tiny images', async (t) => {
  const { dir } = await pool(t);
  await says(['neighbors', dir, '--dry-run'], /No metric is on; the search would turn on l2 and dssim/);
  assert.match(await must(['near-metrics', dir]), /^l2,off,/m);
  await fails(['neighbors', dir, '--config', 'images.tiny=true'], /No metric is on.*near-metrics .* --kind l2 --size 32 --threshold X/);
  await must(['neighbors', dir]);
  assert.match(await must(['near-metrics', dir]), /^l2,on,.*^fc7,off,.*^dssim,on,/ms);
});

test('a higher threshold and longer lists', async (t) => {
  const { dir } = await pool(t);
  const close = () => sql(dir, "SELECT count(*) FROM near_close WHERE search IN (SELECT id FROM near_search WHERE metric = 'l2')");
  await must(['near-metrics', dir, 'l2', '--threshold', 1]);
  await must(['neighbors', dir, '--metric', 'l2', '--k', 5]);
  assert.equal((await close()).trim(), '1');
  await must(['near-metrics', dir, 'l2', '--threshold', 1e11]);
  await says(['neighbors', dir, '--metric', 'l2', '--k', 5], /l2: 40 neighbours within 1e\+11; there was nothing to compare/);
  assert.equal((await close()).trim(), '40');
  await says(['neighbors', dir, '--metric', 'l2', '--k', 7], /l2: 8 candidates compared with 13 images/);
});

/* Small pictures in many batches, so that a search can be killed between them. */
async function slow(t) {
  const { dir, folder } = await pool(t, 90);
  await must(['near-metrics', dir, 'dssim', '--size', SIDE, '--window', 7]);
  await must(['near-metrics', dir, 'fine', '--kind', 'dssim', '--size', SIDE, '--window', 9, '--threshold', 0.3]);
  return { dir, folder };
}
const ONE_BY_ONE = ['--memory', 1, '--threads', 1].map(String);

async function killOnce(dir, args, least, beside = async () => {}) {
  const child = spawn(bin, ['neighbors', dir, ...ONE_BY_ONE, ...args], { stdio: 'ignore' });
  const closed = once(child, 'close');
  await until(async () => child.exitCode !== null || await least(), 'the search is under way');
  await beside();
  child.kill('SIGKILL');
  await closed;
}

test('a search that was killed twice and resumed stores what one stores that never was', async (t) => {
  const { dir } = await slow(t);
  const other = copyOf(t, dir);
  const blocks = (n) => async () => Number(await sql(other, 'SELECT count(*) FROM near_list')) >= n;
  await must(['neighbors', dir]);
  await killOnce(other, [], blocks(1), () => fails(['neighbors', other], /Another process is searching near-duplicates right now/));
  assert.equal(Number(await sql(other, 'SELECT count(*) FROM near_search_end')), 0);
  await fails(['export', 'neighbors', other, '--metric', 'dssim'], /Nothing has been searched by dssim/);
  await killOnce(other, [], blocks(9));
  assert.equal(Number(await sql(other, 'SELECT count(*) FROM near_search_end')), 1);
  await must(['neighbors', other]);
  assert.equal(await tables(other), await tables(dir));
  assert.equal(Number(await sql(dir, 'SELECT count(*) FROM near_list')), 14);
});

test('parts give the same, in whatever order and however often they were killed', async (t) => {
  const { dir, folder } = await slow(t);
  const whole = copyOf(t, dir);
  await must(['neighbors', whole, '--all']);
  const out = tempDir(t), parts = [1, 2, 3].map((i) => path.join(out, `part-${i}.jsonl`));
  const args = (i) => ['--all', '--shard', `${i + 1}/3`, '--output', parts[i]];
  await must(['neighbors', dir, ...args(0)]);
  await must(['neighbors', dir, ...args(2)]);
  await killOnce(dir, args(1), () => fs.existsSync(parts[1]) && fs.statSync(parts[1]).size > 200);
  fs.appendFileSync(parts[1], '{"search":0,"ima');
  await fails(['neighbors', dir, '--all', '--merge', ...parts], /part-2\.jsonl(:\d+)?: |part-2\.jsonl ends/);
  await must(['neighbors', dir, ...args(1)]);
  await fails(['neighbors', dir, '--all', '--merge', parts[0], parts[1]], /part-1\.jsonl is part 1 of 3, but 2 files were given/);
  await fails(['neighbors', dir, '--all', '--merge', parts[0], parts[1], parts[1]], /part-2\.jsonl is part 2 of 3.*each part once/);
  await fails(['neighbors', dir, '--all', '--k', 7, '--merge', ...parts], /part-1\.jsonl is of another plan/);
  await fails(['neighbors', dir, '--all', '--shard', '1/2', '--output', parts[0]], /part-1\.jsonl already holds something else \(another plan or shard\)/);
  await must(['neighbors', dir, '--all', '--merge', parts[2], parts[0], parts[1]]);
  const lists = (d) => sql(d, `SELECT metric, first, records, hex(data) FROM near_list JOIN near_search s ON s.id = search ORDER BY 1, 2;
    SELECT metric, query, reference, distance FROM near_close JOIN near_search s ON s.id = search ORDER BY 1, 2, 3`);
  assert.equal(await lists(dir), await lists(whole));
  for (const metric of ['dssim', 'fine']) assert.deepEqual(await stored(dir, metric), await stored(whole, metric));
  await says(['neighbors', dir, '--all'], /nothing to compare/);
  await addImages(dir, folder, [['c-later', 'candidate', 700]]);
  await fails(['neighbors', dir, '--all', '--merge', ...parts], /is of another plan: .*compute the part again/);
});

test('as a job it says how far it is, can be cancelled, and resumes', async (t) => {
  const { dir } = await slow(t);
  const whole = copyOf(t, dir);
  const server = await startServer(t, dir);
  const client = await new Client(server.url).login();
  const start = async (more) => (await client.json('POST', '/api/v1/jobs', { kind: 'neighbors', arguments: { metric: 'dssim', ...more } })).body.id;
  const job = async (id) => (await client.json('GET', `/api/v1/jobs/${id}`)).body;
  const first = await start({ memory: 1 });
  await until(async () => (await job(first)).progress.done > 0 && Number(await sql(dir, 'SELECT count(*) FROM near_list')) > 0, 'it is under way');
  assert.equal((await job(first)).progress.total, 98 * 103);
  assert.equal((await client.json('POST', `/api/v1/jobs/${first}/cancel`)).status, 202);
  await until(async () => (await job(first)).state === 'cancelled', 'it is cancelled');
  assert.equal(Number(await sql(dir, 'SELECT count(*) FROM near_search_end')), 0);
  const second = await start({});
  await until(async () => (await job(second)).state === 'done', 'it is done');
  await must(['neighbors', whole, '--metric', 'dssim']);
  const lists = (d) => sql(d, 'SELECT metric, first, records, hex(data) FROM near_list JOIN near_search s ON s.id = search ORDER BY 1, 2');
  assert.equal(await lists(dir), await lists(whole));
  assert.equal(Number(await sql(dir, "SELECT count(*) FROM event WHERE kind LIKE 'near-search.%' AND account IS NULL")), 0);
});

test('what cannot be read is named once, counts as not compared, and is searched once it can be read', async (t) => {
  const { dir, folder } = await pool(t);
  const file = path.join(folder, 'o-3.png'), bytes = fs.readFileSync(file);
  fs.rmSync(file);
  const r = await fails(['neighbors', dir], /1 image could not be compared/);
  assert.equal(r.err.match(/o-3 cannot be compared/g).length, 1);
  assert.match(r.err, /dssim: 8 candidates compared with 13 images/);
  assert.equal((await sql(dir, "SELECT count(*), count(DISTINCT image) FROM near_unread")).trim(), '2|1');
  assert.ok((await stored(dir, 'l2')).every((row) => row[2] !== 'o-3'));
  const again = await fails(['neighbors', dir], /o-3 cannot be compared/);
  assert.match(again.err, /l2: .*nothing to compare/);
  fs.writeFileSync(file, bytes);
  await says(['neighbors', dir], /l2: 8 candidates compared with 1 image\./);
  assert.deepEqual(await stored(dir, 'l2'), await printed(dir, 'l2'));
});

test('a metric that cannot be searched by does not keep the others from it', async (t) => {
  const { dir } = await pool(t);
  await sql(dir, `INSERT INTO event (at, kind) VALUES (1, 'model.add');
    INSERT INTO model (id, name, kind) SELECT max(id), 'vgg', 'import' FROM event;`);
  await must(['near-metrics', dir, 'l2']);
  await must(['near-metrics', dir, 'deep', '--kind', 'feature', '--model', 'vgg', '--threshold', 5]);
  const r = await fails(['neighbors', dir], /deep: vgg has no features yet; `holdout features .* --model vgg` computes them/);
  assert.match(r.err, /l2: 8 candidates compared with 13 images/);
  await fails(['neighbors', dir, '--metric', 'wide'], /no metric wide; `holdout near-metrics/);
  await fails(['neighbors', dir, '--metric', 'fc7'], /distances by fc7 are imported; `holdout near-metrics .* fc7 --model NAME`/);
  await fails(['export', 'neighbors', dir, '--metric', 'deep'], /Nothing has been searched by deep as it is defined now/);
});

test('features are searched as they are, and other features are another search', async (t) => {
  const { dir, folder } = await pool(t);
  await must(['model', 'add', dir, put(t, 'm.onnx', classifier()), '--name', 'm',
    '--recipe', put(t, 'r.json', JSON.stringify({ features: 'features' }))]);
  await must(['near-metrics', dir, 'deep', '--kind', 'feature', '--model', 'm', '--threshold', 100]);
  await must(['features', dir, '--model', 'm', '--quiet']);
  await says(['neighbors', dir], /deep: 8 candidates compared with 13 images/);
  assert.deepEqual(await stored(dir, 'deep'), await printed(dir, 'feature', '--model', 'm'));
  await addImages(dir, folder, [['c-new', 'candidate', 90]]);
  await fails(['neighbors', dir], /c-new cannot be compared: the model has no features of it; `holdout features` computes them/);
  await must(['features', dir, '--model', 'm', '--quiet']);
  const r = await says(['neighbors', dir], /deep: 8 candidates compared with 1 image\./);
  assert.match(r.err, /deep: 1 candidate compared with 14 images\./);
  assert.deepEqual(await stored(dir, 'deep'), await printed(dir, 'feature', '--model', 'm'));
});

test('options that would have no effect are refused', async (t) => {
  const { dir } = await pool(t);
  await fails(['neighbors', dir, '--size', 64], /--size is for --print; .*near-metrics/, { code: 2 });
  await fails(['neighbors', dir, '--print', '--all'], /--all is of no use with --print/, { code: 2 });
  await fails(['neighbors', dir, '--shard', '1/2'], /--shard and --output go together/, { code: 2 });
  await fails(['neighbors', dir, '--shard', '3/2', '--output', 'x'], /--shard must be i\/n/, { code: 2 });
  await fails(['neighbors', dir, '--merge'], /--merge needs the part files/, { code: 2 });
  await fails(['neighbors', dir, 'part'], /part files are read with --merge/, { code: 2 });
  await fails(['export', 'neighbors', dir], /--metric is missing/, { code: 2 });
});

/* ------------------------------------------------------------------ what sampling makes of it */

/* Why candidates are refused: of each its name, with "unreviewed", "unsearched" or nothing. */
async function refused(dir) {
  const [head, ...lines] = (await must(['export', 'pool', dir])).trim().split('\n').map((line) => line.split(','));
  const at = (name) => head.indexOf(name);
  return Object.fromEntries(lines.filter((l) => l[at('role')] === 'candidate').map((l) => [l[0],
    ['unreviewed', 'unsearched'].filter((why) => at(why) >= 0 && l[at(why)] === '1').join(' ')]));
}
const those = (all, why) => Object.keys(all).filter((name) => all[name] === why).sort();

test('sampling asks whether candidates were searched, and whether their near neighbours were reviewed', async (t) => {
  const { dir, folder } = await pool(t);
  await must(['near-metrics', dir, 'l2', '--size', SIDE, '--threshold', 1]);
  assert.equal(those(await refused(dir), 'unsearched').length, 8);
  assert.match(await must(['near-metrics', dir]), /^l2,on,l2,64,,,1\.0,0,8,0,0,$/m);
  await must(['neighbors', dir]);
  assert.match(await must(['near-metrics', dir]), /^l2,on,l2,64,,,1\.0,8,8,1,1,0\.0$/m);
  /* c-copy is o-1 again: somebody has to say so. */
  assert.deepEqual(those(await refused(dir), 'unreviewed'), ['c-copy']);
  assert.equal(those(await refused(dir), '').length, 7);
  await must(['import', 'nn-reviews', dir, '-'], { input: `${JSON.stringify({ image: 'c-copy', metric: 'l2', reviewer: 'r', date: '2026-11-01', references: ['o-1'] })}\n` });
  assert.equal(those(await refused(dir), '').length, 8);
  /* Another threshold asks for more; another size was not searched by at all. */
  await must(['near-metrics', dir, 'l2', '--threshold', 1e12]);
  assert.equal(those(await refused(dir), 'unsearched').length, 8); /* nobody knows yet which pairs these are */
  await says(['neighbors', dir], /within 1e\+12; there was nothing to compare/);
  assert.equal(those(await refused(dir), 'unreviewed').length, 8);
  await must(['near-metrics', dir, 'l2', '--threshold', 1, '--size', 32]);
  assert.equal(those(await refused(dir), 'unsearched').length, 8);
  await must(['near-metrics', dir, 'l2', '--size', SIDE]);
  assert.equal(those(await refused(dir), '').length, 8);
  /* Who comes later is refused until a search; so are all, when it is an original. */
  await addImages(dir, folder, [['c-new', 'candidate', 90]]);
  assert.deepEqual(those(await refused(dir), 'unsearched'), ['c-new']);
  await must(['neighbors', dir]);
  assert.equal(those(await refused(dir), '').length, 9);
  await addImages(dir, folder, [['p-new', 'original', 90]]);
  assert.equal(those(await refused(dir), 'unsearched').length, 9);
  await must(['neighbors', dir]);
  assert.equal(those(await refused(dir), '').length, 9); /* equal bytes are a near-duplicate without a look */
  await must(['import', 'nn-reviews', dir, '-'], { input: `${JSON.stringify({ image: 'c-5', metric: 'far', reviewer: 'r', date: '2026-11-01', references: [] })}\n` }).then(
    () => assert.fail('an unknown metric'), (e) => assert.match(e.message, /finds neighbours by l2, fc7, dssim, not by "far"/));
});

/* ------------------------------------------------------------------ how good the metrics are */

test('a calibration says what each metric finds of changed copies, the same whatever the number of threads', async (t) => {
  const { dir } = await pool(t);
  await fails(['neighbors', dir, '--calibrate'], /There is no metric to calibrate; `holdout near-metrics .*` lists them/);
  await must(['near-metrics', dir, 'l2', '--size', SIDE, '--threshold', 1e6]);
  await must(['near-metrics', dir, 'dssim', '--size', SIDE, '--window', 7]);
  await must(['model', 'add', dir, put(t, 'm.onnx', classifier()), '--name', 'm',
    '--recipe', put(t, 'r.json', JSON.stringify({ features: 'features' }))]);
  await must(['near-metrics', dir, 'deep', '--kind', 'feature', '--model', 'm', '--threshold', 100]);
  const how = ['neighbors', dir, '--calibrate', '--images', 10, '--seed', 3];
  const csv = await must([...how, '--threads', 1, '--dry-run']);
  assert.equal(await sql(dir, 'SELECT count(*) FROM near_calibration'), '0\n');
  assert.equal(await must([...how, '--threads', 4]), csv);
  assert.equal(csv.split('\n')[0], 'metric,distortion,threshold,images,found,recall,recall_lo,recall_hi');
  const list = rows(csv);
  assert.equal(list.length, 3 * 9 * 3);
  for (const [metric, distortion, , images, found, recall, lo, hi] of list) {
    assert.equal(images, '10');
    assert.ok(Math.abs(Number(recall) - found / images) < 1e-12 && lo <= recall && recall <= hi, `${metric} ${distortion}`);
  }
  /* A wider threshold never finds fewer; half the size is hardly a change. */
  for (let i = 0; i < list.length; i += 3) assert.ok(Number(list[i][4]) <= Number(list[i + 1][4]) && Number(list[i + 1][4]) <= Number(list[i + 2][4]));
  assert.equal(list.find((r) => r[0] === 'dssim' && r[1] === 'brightness' && r[2] === '0.2205')[5], '1.0');
  assert.equal(await sql(dir, 'SELECT count(*), count(DISTINCT metric), min(length(distances)) FROM near_calibration'), '27|3|80\n');

  const server = await startServer(t, dir);
  const lead = await new Client(server.url).login();
  const { recall } = (await lead.json('GET', '/api/v1/duplicates')).body;
  assert.deepEqual(recall.map((r) => [r.metric, r.distortion, r.found]),
    list.filter((_, i) => i % 3 === 1).map((r) => [r[0], r[1], Number(r[4])]));
  assert.match(await lead.page('/duplicates/quality'), /saved as JPEG with quality 30<\/th><td class="number">\d+ % <span class="muted">/);
  /* Pictures of another size are measured anew. */
  await must(['near-metrics', dir, 'l2', '--size', 32]);
  assert.ok((await lead.json('GET', '/api/v1/duplicates')).body.recall.every((r) => r.metric !== 'l2'));
  await fails(['neighbors', dir, '--images', 3], /--images is for --calibrate/, { code: 2 });
  await fails(['neighbors', dir, '--calibrate', '--all'], /--all is of no use with --calibrate/, { code: 2 });
});

test('check reads what searches have stored', async (t) => {
  const { dir } = await pool(t);
  await must(['near-metrics', dir, 'l2', '--size', SIDE, '--threshold', 1]);
  await must(['neighbors', dir]);
  await must(['check', dir]);
  const breaks = [
    ['UPDATE near_list SET data = substr(data, 1, length(data) - 3)', /its lists are damaged/],
    ["UPDATE near_list SET data = CAST(x'01000000' || x'ffffff00' || x'0000000000000000' || substr(data, 17) AS BLOB)", /its lists are damaged/],
    ['DELETE FROM near_list', /it is whole, and lists are missing/],
    ['DELETE FROM near_close', /its close pairs are not those of its lists/],
    ["UPDATE near_search SET queries = x'01'", /the images that it compares cannot be read/],
  ];
  for (const [damage, said] of breaks) {
    const broken = copyOf(t, dir);
    await sql(broken, damage);
    const r = await holdout(['check', broken]);
    assert.equal(r.code, 1, damage);
    assert.match(r.out, said);
  }
});
