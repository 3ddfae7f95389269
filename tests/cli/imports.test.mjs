/* Imports of text: bad rows are named and nothing is written, a second run changes nothing, a
 * killed one is completed by the next. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';

import { bin, holdout, must, newProject, startServer } from '../http/lib.mjs';
import { sqlite, tempDir } from '../load/tools.mjs';

const database = (dir) => path.join(dir, 'holdout.db');
const dump = (dir) => sqlite(database(dir), '.dump');

const CLASSES = 'cid,wnid,synset,gloss,wikipedia\n0,n01,apple|apples,"round, ""sweet""",\n1,n02,pear,long,\n';
const IMAGES = 'idx,image,wnid,kind,source_id,date_taken\n0,a0,n01,cand,77,2012-07-19 19:21:09\n1,a1,n01,val,,\n2,b2,n02,cand,,\n3,b3,n02,val,,\n';
const hit = (o) => `${JSON.stringify({ hit: 0, uuid: 'u0', wnid: 'n01', excluded: '', label: [0], pos: [1], neg: [3], all: [3, 0, 1], ...o })}\n`;
const HITS = hit({}) + hit({ hit: 1, uuid: 'u1', wnid: 'n02', label: [2], pos: [3], neg: [], all: [2, 3] });
const VOTE_COLUMNS = 'assignment,hit,worker,status,accept_time,duration_s,mask_hex\n';
const VOTES = `${VOTE_COLUMNS}A0,0,w0,S,1534522281,62,7\nA1,0,w1,A,1534522282,63,0\nA2,1,w0,R,1534522283,64,3\n`;
/* Every line of WordNet's file begins with the byte at which it stands. */
function wordnet(...synsets) {
  let text = '  1 a licence line\n';
  for (const synset of synsets) text += `${String(text.length).padStart(8, '0')} ${synset}\n`;
  return text;
}
const ENTITY = '03 n 01 entity 0 000 | that which is  ';
const WORDNET = wordnet(ENTITY, '03 n 01 fruit 0 001 @ 00000019 n 0000 | sweet  ');

/* In the order in which they need each other. */
const good = [
  ['classes', CLASSES], ['image-list', IMAGES], ['hits', HITS], ['votes', VOTES], ['wordnet', WORDNET],
];

/* A project with everything that comes before `what`, and all of it with `what` included. */
async function project(t, what, included = false) {
  const dir = await newProject(t);
  for (const [name, text] of good) {
    if (name === what && !included) break;
    await must(['import', name, dir, '-'], { input: text });
    if (name === what) break;
  }
  return dir;
}

function file(t, name, text) {
  const at = path.join(tempDir(t), name);
  fs.writeFileSync(at, text);
  return at;
}

for (const [what, text] of good) {
  test(`import ${what}: from a file, from standard input, dry, again`, async (t) => {
    const dir = await project(t, what);
    const empty = await dump(dir);
    const at = file(t, `${what}.txt`, text);
    assert.match((await holdout(['import', what, dir, at, '--dry-run'])).err, /dry run/);
    assert.equal(await dump(dir), empty, 'a dry run changes nothing');
    await must(['import', what, dir, at]);
    const full = await dump(dir);
    assert.notEqual(full, empty);
    for (const again of [[at], ['-'], [at, '--dry-run'], [at, '--quiet']]) {
      const r = await holdout(['import', what, dir, ...again], { input: text });
      assert.equal(r.code, 0, r.err);
      assert.equal(await dump(dir), full, `${again} changes nothing`);
      assert.equal(again.includes('--quiet') ? r.err : '', '');
    }
    await must(['check', dir]);

    const other = await project(t, what, true); /* by standard input */
    const rows = "SELECT (SELECT count(*) FROM class), (SELECT count(*) FROM image), (SELECT count(*) FROM grid_cell), (SELECT sum(mask) FROM answer), (SELECT count(*) FROM hypernym);";
    assert.equal(await sqlite(database(other), rows), await sqlite(database(dir), rows));
    for (const missing of [path.join(dir, 'none'), dir]) {
      assert.equal((await holdout(['import', what, dir, missing])).code, 1);
    }
    assert.equal(await dump(dir), full);
  });
}

/* What is imported, a text, the lines that are bad (with a word of why). */
const bad = [
  ['classes', 'cid,wnid,synset,gloss\n0,n01,a,b\n0,n02,a,b\n', [[3, /cid 0 belongs to another/]]],
  ['classes', 'cid,wnid,synset,gloss\n0,n01,a,b\n1,n01,a,b\n', [[3, /n01 is already in line 2/]]],
  ['classes', 'cid,wnid,synset,gloss\n0,n01,a,b\n-1,n02,a,b\nx,n03,a,b\n3,,a,b\n4,../n04,a,b\n5,.n05,a,b\n6,n06,a,b\n',
    [[3, /cid must/], [4, /cid must/], [5, /wnid must/], [6, /wnid must/], [7, /wnid must/]]],
  ['classes', 'cid,wnid,synset\n0,"a,b",x\n1,a\\b,x\n2,"a""b",x\n3,a\'b,x\n4,a\tb,x\n5,"a\nb",x\n7,a\x7fb,x\n8,n-1_2.x (y),x\n',
    [2, 3, 4, 5, 6, 7, 9].map((line) => [line, /must not contain \/, backslash, comma, quote or control characters/])],
  ['classes', 'cid,synset\n0,a\n', [[1, /needs the columns wnid/]]],
  ['classes', 'cid,wnid,synset\n0,n01,a\n1,n02\n', [[3, /./]]],
  ['classes', 'cid,wnid,synset\n0,n01,"a\n1,n02,b\n', [[2, /./]]],
  ['classes', 'cid,wnid,synset\n0,n01,\xff\xfe\n', [[2, /UTF-8/]]],
  ['classes', 'cid,wnid,synset\n0,n01,a\0b\n', [[2, /./]]],
  ['classes', '', [[1, /./]]],
  ['classes', '{"cid":0,"wnid":"n01","synset":["a"]}\n{"cid":1,\n', [[2, /./]]],
  ['classes', '{"cid":0,"wnid":"n01","synset":["a"]}\n[1]\n', [[2, /./]]],
  ['classes', '{"cid":0,"wnid":"n01","synset":["a"]}\n{"cid":0,"wnid":"n02","synset":["a"]}\n{"cid":5}\n', [[2, /cid 0/], [3, /wnid/]]],
  ['image-list', 'idx,image,wnid,kind\n0,a,n01,cand\n1,b,n99,cand\n2,c,n01,what\n-3,d,n01,val\nx,e,n01,val\n5,,n01,val\n6,f,n02,gold\n6,g,n02,gold\n7,a,n02,gold\n',
    [[3, /n99 is not in the project/], [4, /kind must/], [5, /idx must/], [6, /idx must/], [7, /name must/], [9, /idx 6 appears twice in the list/], [10, /image a appears twice in the list/]]],
  ['image-list', `idx,image,wnid,kind\n0,${'x'.repeat(256)},n01,cand\n`, [[2, /255/]]],
  ['image-list', 'idx,image,wnid\n0,a,n01\n', [[1, /kind/]]],
  ['hits', hit({}) + hit({ uuid: 'u1', all: [0, 1, 9] }), [[2, /image 9 is not/]]],
  ['hits', hit({}) + hit({ hit: 1 }), [[2, /uuid or hit number appears twice/]]],
  ['hits', hit({}) + hit({ uuid: 'u1' }), [[2, /uuid or hit number appears twice/]]],
  ['hits', hit({ wnid: 'n99' }) + hit({ uuid: '', hit: 1 }) + hit({ uuid: 'u2', hit: 2, all: [] }) + hit({ uuid: 'u3', hit: 3, all: [0, 1, 3, 0] })
    + hit({ uuid: 'u4', hit: 4, neg: [] }) + hit({ uuid: 'u5', hit: 5, neg: [2] }) + hit({ uuid: 'u6', hit: 6, neg: [1] })
    + hit({ uuid: 'u7', hit: 7, all: Array.from({ length: 49 }, (_, i) => i) }) + hit({ uuid: 'u8', hit: 8, all: { 0: 1 } }) + hit({ uuid: 'u9', hit: 9, all: [3, 0.5, 1] }),
  [[1, /n99/], [2, /uuid/], [3, /1 to 48/], [4, /twice/], [5, /neither/], [6, /not among/], [7, /./], [8, /1 to 48/], [9, /1 to 48/], [10, /0\.5 is not/]]],
  ['hits', `${hit({})}{"hit":\n`, [[2, /./]]],
  ['hits', '[{"uuid":"u0"},\n{]\n', [[2, /./]]],
  ['votes', `${VOTES}A0,1,w1,S,1,1,0\nA4,0,w0,S,1,1,0\nA5,7,w5,S,1,1,0\nA6,x,w5,S,1,1,0\nA7,0,w5,Q,1,1,0\nA8,0,w6,S,-1,1,0\nA9,0,w7,S,1,x,0\nA10,0,w8,S,1,1,8\nA11,0,w9,S,1,1,zz\nA12,0,wa,S,1,1,fffffffffffffffff\n,0,wb,S,1,1,0\nA14,0,,S,1,1,0\nA15,1,wc,S,1,1,4\n`,
    [[5, /assignment A0 appears twice in the file/], [6, /w0 answered this hit twice/], [7, /hit 7/], [8, /hit x/], [9, /status/], [10, /seconds/], [11, /seconds/], [12, /beyond the 3/], [13, /hex/],
      [14, /hex/], [15, /empty/], [16, /empty/], [17, /beyond the 2/]]],
  ['votes', 'task,worker,label\nt,w,1\n', [[2, /must be IMAGE:WNID/]]],
  ['votes', 'assignment,hit,worker\nA,0,w\n', [[1, /status/]]],
  ['wordnet', wordnet(ENTITY, '03 n 01 broken'), [[3, /./]]],
  ['wordnet', wordnet(ENTITY).replaceAll('\n', '\r\n'), [[2, /line ends converted/]]],
  ['wordnet', 'nothing of the kind\n', [[1, /./]]],
];

test('bad rows are named by file and line, and nothing is written', async (t) => {
  for (const [what, text, rows] of bad) {
    await t.test(`${what}: ${JSON.stringify(text.slice(-40))}`, async (t2) => {
      const dir = await project(t2, what);
      const before = await dump(dir);
      const at = file(t2, 'bad.txt', Buffer.from(text, 'latin1'));
      for (const args of [[at], [at, '--dry-run'], ['-']]) {
        const r = await holdout(['import', what, dir, ...args], { input: Buffer.from(text, 'latin1') });
        assert.equal(r.code, 1, r.err);
        const name = args[0] === '-' ? 'standard input' : at;
        const told = new Map();
        for (const line of r.err.split('\n')) {
          const m = line.replace(/^holdout: /, '').startsWith(`${name}:`) && /:(\d+): (.*)$/.exec(line.slice(line.indexOf(name) + name.length));
          if (m) told.set(Number(m[1]), `${told.get(Number(m[1])) ?? ''}${m[2]}`);
        }
        assert.deepEqual([...told.keys()].sort((a, b) => a - b), rows.map(([line]) => line), r.err);
        for (const [line, why] of rows) assert.match(told.get(line), why);
        assert.equal(await dump(dir), before);
      }
    });
  }
});

/* What contradicts the project is as bad as what contradicts itself; the good row of the file is
 * not written either. */
const contradictions = [
  ['classes', 'cid,wnid,synset,gloss\n7,n07,x,y\n1,n01,apple,\n0,n02,pear,\n', [3, 4], /is class n0/],
  ['classes', 'cid,wnid,synset,gloss\n7,n07,x,y\n0,n03,plum,\n', [3], /is class n01/],
  ['image-list', 'idx,image,wnid,kind\n9,c9,n01,cand\n0,c0,n01,cand\n', [3], /number 0 belongs to another image/],
  ['image-list', 'idx,image,wnid,kind\n9,c9,n01,cand\n0,a0,n02,cand\n1,a1,n01,cand\n8,b2,n02,cand\n', [3, 4, 5], /another class, role, number/],
  ['hits', hit({ hit: 9, uuid: 'u9' }) + hit({ hit: 5 }) + hit({ hit: 1, uuid: 'u8' }), [2, 3], /another class, number, cells or options/],
  ['hits', hit({ hit: 9, uuid: 'u9' }) + hit({ all: [0, 3, 1] }), [2], /cells/],
  ['hits', hit({ hit: 9, uuid: 'u9' }) + hit({ label: [0, 1], pos: [] }), [2], /cells/],
  ['votes', `${VOTE_COLUMNS}A9,0,w9,S,1,1,0\nA0,0,w0,S,1534522281,62,6\nA1,0,w2,S,1,1,0\nA2,0,w7,S,1,1,0\nA8,1,w0,S,1,1,0\n`, [3, 4, 5, 6], /another hit, worker or selection/],
];

test('rows that contradict the project are bad rows', async (t) => {
  for (const [what, text, rows, why] of contradictions) {
    await t.test(`${what}: ${JSON.stringify(text.slice(-30))}`, async (t2) => {
      const dir = await project(t2, what, true);
      const before = await dump(dir);
      const at = file(t2, 'other.txt', text);
      const r = await holdout(['import', what, dir, at]);
      assert.equal(r.code, 1, r.err);
      const told = r.err.split('\n').filter((l) => l.startsWith(`${at}:`));
      assert.deepEqual(told.map((l) => Number(l.slice(at.length + 1).split(':')[0])), rows, r.err);
      for (const l of told) assert.match(l, why);
      assert.match(r.err, new RegExp(`holdout: ${rows.length} rows? of .*nothing was written`));
      assert.equal(await dump(dir), before);
    });
  }
});

test('an image list gives numbers and dates to images that had none', async (t) => {
  const dir = await project(t, 'image-list');
  await must(['import', 'image-list', dir, '-'], { input: 'image,wnid,kind\na0,n01,cand\n' });
  await must(['import', 'image-list', dir, '-'], { input: IMAGES });
  assert.equal(await sqlite(database(dir), "SELECT idx, source_id, taken_at FROM image WHERE name = 'a0';"), '0|77|2012-07-19 19:21:09\n');
  await must(['import', 'hits', dir, '-'], { input: HITS });
  await must(['check', dir]);
});

test('many bad rows: the first are named, all are counted', async (t) => {
  const dir = await project(t, 'image-list');
  const text = `image,wnid,kind\n${Array.from({ length: 200 }, (_, i) => `i${i},n99,cand\n`).join('')}`;
  const r = await holdout(['import', 'image-list', dir, '-'], { input: text });
  assert.equal(r.code, 1);
  assert.equal(r.err.split('\n').filter((l) => /^standard input:\d+: /.test(l)).length, 50);
  assert.match(r.err, /200 rows of standard input cannot be imported .*nothing was written/);
});

test('an import does not touch a campaign that hands out work', async (t) => {
  const dir = await project(t, 'votes', true);
  await sqlite(database(dir), "UPDATE campaign SET imported = 0;");
  const before = await dump(dir);
  for (const [what, text] of [['hits', HITS], ['votes', VOTES]]) {
    const r = await holdout(['import', what, dir, '-'], { input: text });
    assert.equal(r.code, 1);
    assert.match(r.err, /hands out work here; name another with --campaign/);
  }
  assert.equal((await holdout(['import', 'votes', dir, '-', '--campaign', 'none'], { input: VOTES })).code, 1);
  assert.equal(await dump(dir), before);
});

const MANY = 150000;
const manyRows = () => `idx,image,wnid,kind\n${Array.from({ length: MANY }, (_, i) => `${i},image-${i},n0${1 + i % 2},cand\n`).join('')}`;
const imagesIn = async (dir) => Number(await sqlite(database(dir), '.timeout 20000\nSELECT count(*) FROM image;'));

/* Killed when some rows are there: with a server beside it the import gives way, and is slow
 * enough to be met in the middle. */
test('a killed import is completed by the next, and check finds nothing in between', async (t) => {
  const dir = await project(t, 'image-list');
  const server = await startServer(t, dir);
  const at = file(t, 'images.csv', manyRows());
  const child = spawn(bin, ['import', 'image-list', dir, at], { stdio: 'ignore' });
  const closed = once(child, 'close');
  t.after(() => child.kill('SIGKILL'));
  while (await imagesIn(dir) === 0) assert.equal(child.exitCode, null, 'still at work');
  child.kill('SIGKILL');
  assert.deepEqual(await closed, [null, 'SIGKILL']);
  const some = await imagesIn(dir);
  assert.ok(some > 0 && some < MANY, String(some));
  await must(['check', dir]);
  assert.equal((await fetch(`${server.url}/readyz`)).status, 200);
  await server.stop();
  const r = await holdout(['import', 'image-list', dir, at]);
  assert.match(r.err, new RegExp(`${MANY} images read, ${MANY - some} new`));
  assert.equal(await imagesIn(dir), MANY);
  await must(['check', dir]);
});

test('two imports of the same at once are one', async (t) => {
  const dir = await project(t, 'image-list');
  const at = file(t, 'images.csv', manyRows().split('\n').slice(0, 20001).join('\n'));
  const both = await Promise.all([0, 1].map(() => holdout(['import', 'image-list', dir, at])));
  const added = both.map((r) => { assert.equal(r.code, 0, r.err); return Number(/(\d+) new/.exec(r.err)[1]); });
  assert.equal(added[0] + added[1], 20000);
  await must(['check', dir]);
});
