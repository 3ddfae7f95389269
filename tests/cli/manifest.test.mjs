/* Importing images that a manifest names: CSV and JSON lines, every bad line told before anything is
 * written. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';

import { holdout, must, newProject } from '../http/lib.mjs';
import { CLASSES, png } from '../http/study.mjs';
import { sqlite, tempDir } from '../load/tools.mjs';

const database = (dir) => path.join(dir, 'holdout.db');
const rows = async (dir) => (await sqlite(database(dir), `SELECT name, wnid, role, taken_at, source_id, source_url, author, licence, keyword
  FROM image JOIN class ON class.id = class ORDER BY name;`)).split('\n').filter(Boolean);
const dump = (dir) => sqlite(database(dir), '.dump');

/* A project with two classes, and a folder with three files and a way to write a manifest. */
async function project(t) {
  const dir = await newProject(t);
  await must(['import', 'classes', dir, '-'], { input: CLASSES });
  const folder = tempDir(t);
  fs.mkdirSync(path.join(folder, 'photos'));
  for (const name of ['a', 'b', 'c']) fs.writeFileSync(path.join(folder, 'photos', `${name}.jpg`), png(name));
  return {
    dir, folder,
    write: (name, text) => {
      fs.writeFileSync(path.join(folder, name), text);
      return path.join(folder, name);
    },
  };
}

test('every column arrives, from CSV and from JSON lines', async (t) => {
  const want = [
    'one|n00000001|gold|2014-05-06 07:08:09|s-1|https://photos.example/1|Ada, of here|CC-BY 4.0|apple "red"',
    'three|n00000002|reference||||||',
    'two|n00000002|original||||||',
  ];
  const all = [
    { id: 'one', path: 'photos/a.jpg', class: 'n00000001', role: 'gold', taken_at: '2014-05-06 07:08:09', source_id: 's-1',
      link: 'https://photos.example/1', author: 'Ada, of here', licence: 'CC-BY 4.0', keyword: 'apple "red"' },
    { id: 'two', path: './photos/../photos/b.jpg', class: 'n00000002' },
    { id: 'three', path: 'photos/c.jpg', class: 'n00000002', role: 'reference' },
  ];
  const columns = Object.keys(all[0]);
  const cell = (v = '') => `"${v.replaceAll('"', '""')}"`;
  const texts = {
    'pool.csv': `${columns.join(',')}\n${all.map((r) => columns.map((c) => cell(r[c])).join(',')).join('\n')}\n`,
    'pool.jsonl': all.map((r) => `${JSON.stringify(r)}\n`).join(''),
    pool: all.map((r) => `${JSON.stringify(r)}\n`).join(''),
  };
  for (const [name, text] of Object.entries(texts)) {
    const { dir, write } = await project(t);
    const manifest = write(name, text);
    const before = await dump(dir);
    await must(['import', 'images', dir, manifest, '--role', 'original', '--dry-run']);
    assert.equal(await dump(dir), before);
    await must(['import', 'images', dir, manifest, '--role', 'original']);
    assert.deepEqual(await rows(dir), want, name);
    const after = await dump(dir);
    await must(['import', 'images', dir, manifest, '--role', 'original']);
    assert.equal(await dump(dir), after, 'importing twice changes nothing');
    await must(['check', dir]);
  }
});

test('standard input, another base folder, absolute paths', async (t) => {
  const { dir, folder } = await project(t);
  const input = 'id,path,class\na,a.jpg,n00000001\n';
  assert.match((await holdout(['import', 'images', dir, '-'], { input })).err, /standard input:2: path a\.jpg cannot be read: No such file/);
  await must(['import', 'images', dir, '-', '--base', path.join(folder, 'photos')], { input });
  await must(['import', 'images', dir, '-'], { input: `id,path,class\nb,${path.join(folder, 'photos', 'b.jpg')},n00000001\n` });
  await must(['import', 'images', dir, '-'], { input: 'id,path,class\nc,c.jpg,n00000001\n', cwd: path.join(folder, 'photos') });
  assert.equal((await rows(dir)).length, 3);
  assert.equal((await holdout(['import', 'images', dir, folder, '--base', '/'])).code, 2);
  assert.equal((await holdout(['import', 'images', dir, '-', '--prefix', 'x'], { input })).code, 2);
  assert.match((await holdout(['import', 'images', dir, '-', '--base', path.join(folder, 'none')], { input })).err, /cannot open folder .*none/);
});

test('all bad lines are named, and nothing is written', async (t) => {
  const { dir, write } = await project(t);
  const long = 'x'.repeat(256);
  const lines = [
    ['id,path,class,role,taken_at'],
    ['good,photos/a.jpg,n00000001,,'],
    [',photos/b.jpg,n00000001,,', 'there is no id'],
    ['x3,,n00000001,,', 'there is no path'],
    ['x4,photos/b.jpg,,,', 'there is no class'],
    ['x5,photos/b.jpg,n00000009,,', 'class n00000009 is not in the project'],
    ['x6,photos/b.jpg,n00000001,king,', 'role "king" must be'],
    ['good,photos/b.jpg,n00000001,,', 'id good is also the id of line 2, with another file'],
    ['good,photos/a.jpg,n00000001,,', 'id good is also the id of line 2$'],
    [`${long},photos/b.jpg,n00000001,,`, 'id has 256 bytes; the limit is 255'],
    ['x\xff,photos/b.jpg,n00000001,,', 'not valid UTF-8'],
    ['x9,photos/b.jpg,n00000001,,5 May', 'taken_at "5 May" must be a date'],
    ['x10,photos/none.jpg,n00000001,,', 'path photos/none.jpg cannot be read: No such file'],
    ['x11,photos,n00000001,,', 'path photos is not a file'],
    ['x12,photos/b.jpg', '2 cells; expected 5'],
    ['x13,photos/nothing.jpg,n00000008,,', 'class n00000008 is not in the project'],
  ];
  const manifest = write('bad.csv', Buffer.from(lines.map(([l]) => `${l}\n`).join(''), 'latin1'));
  const before = await dump(dir);
  const r = await holdout(['import', 'images', dir, manifest]);
  assert.equal(r.code, 1);
  const said = r.err.split('\n');
  lines.forEach(([, message], i) => {
    const at = said.filter((l) => l.startsWith(`${manifest}:${i + 1}: `));
    if (!message) assert.deepEqual(at, []);
    else assert.ok(at.some((l) => new RegExp(message).test(l)), `line ${i + 1}: ${at.join('; ')}`);
  });
  assert.match(r.err, /holdout: 14 rows of .*bad\.csv cannot be imported .*; nothing was written/);
  assert.equal(await dump(dir), before);
  assert.ok(!fs.existsSync(path.join(dir, 'images')) || fs.readdirSync(path.join(dir, 'images')).length === 0);
  await must(['import', 'images', dir, write('bad.csv', lines.filter(([, m]) => !m).map(([l]) => `${l}\n`).join(''))]);
  assert.deepEqual((await rows(dir)).length, 1);
  await must(['check', dir]);
});

test('no more than fifty bad lines are shown, and all are counted', async (t) => {
  const { dir, write } = await project(t);
  const r = await holdout(['import', 'images', dir, write('m.jsonl', '{"id":"a"}\n'.repeat(80))]);
  assert.equal((r.err.match(/^.*m\.jsonl:\d+: there is no path$/mg) || []).length, 50);
  assert.match(r.err, /80 rows of/);
});

test('columns that are not known, a list of nothing', async (t) => {
  const { dir, write } = await project(t);
  const refused = async (name, text, message) => {
    const r = await holdout(['import', 'images', dir, write(name, text)]);
    assert.equal(r.code, 1);
    assert.match(r.err, message);
  };
  await refused('m.csv', 'id,path,class,colour\n', /m\.csv:1: unknown column "colour"; the columns are id, path, class, role, taken_at, source_id, link/);
  await refused('m.jsonl', '{"id":"a","path":"photos/a.jpg","class":"n00000001","colour":"red"}\n', /m\.jsonl:1: unknown member "colour"; the members are id, path/);
  await refused('m.csv', 'id,path\n', /there is no column class/);
  await refused('m.csv', 'id,path,class\n', /lists no images/);
  await refused('m.jsonl', '', /lists no images/);
  assert.match((await holdout(['import', 'images', dir, path.join(dir, 'none.csv')])).err, /none\.csv: no such file/);
});

test('links lead to the web, ids are no formulas, and nothing is written otherwise', async (t) => {
  const { dir, write } = await project(t);
  const refused = async (args, message) => {
    const r = await holdout(['import', ...args]);
    assert.equal(r.code, 1, r.out);
    assert.match(r.err, message);
  };
  const row = (link, author = '', licence = '', id = 'a') =>
    write('m.csv', `id,path,class,link,author,licence\n${id},photos/a.jpg,n00000001,${link},${author},${licence}\n`);
  for (const link of ['javascript:alert(1)', 'data:text/html;x', '//evil.example', 'photos.example/1', 'https://a b']) {
    await refused(['images', dir, row(link)], /m\.csv:2: link ".*" must begin with http:\/\/ or https:\/\//);
  }
  await refused(['images', dir, row('https://a.example/', 'JavaScript:x')], /m\.csv:2: author must be/);
  await refused(['images', dir, row('https://a.example/', '', 'data:text/html;x')], /m\.csv:2: licence must be/);
  await refused(['images', dir, row('', '', '', '=1+2')], /m\.csv:2: the id begins with =/);
  await refused(['images', dir, write('m.jsonl', '{"id":"a","path":"photos/a.jpg","class":"n00000001","link":"vbscript:x"}\n')],
    /m\.jsonl:1: link/);
  assert.equal((await rows(dir)).length, 0);

  const known = (link, wnid = 'n00000001') => write('c.csv', `wnid,synset,gloss,wikipedia\n${wnid},apple,a fruit,${link}\n`);
  await refused(['classes', dir, known('https://en.wikipedia.org/wiki/Apple|javascript:alert(1)')],
    /c\.csv:2: the link "javascript:alert\(1\)" of class n00000001 must begin with http/);
  await refused(['classes', dir, known('', '=n1')], /c\.csv:2: the wnid =n1 begins with =/);
  await refused(['classes', dir, write('c.jsonl', '{"wnid":"n00000001","synset":["apple"],"gloss":"","wikipedia":["data:text/html;x"]}\n')],
    /c\.jsonl:1: the link/);
  await must(['import', 'classes', dir, known('https://en.wikipedia.org/wiki/Apple|http://apple.example/')]);

});

test('what contradicts the project is told: class and role before anything is written, content file by file', async (t) => {
  const { dir, folder, write } = await project(t);
  await must(['import', 'images', dir, write('m.csv', 'id,path,class\na,photos/a.jpg,n00000001\n')]);
  const before = await dump(dir);
  const r = await holdout(['import', 'images', dir, write('m.csv', 'id,path,class\na,photos/a.jpg,n00000002\nb,photos/b.jpg,n00000001\n')]);
  assert.equal(r.code, 1);
  assert.match(r.err, /m\.csv:2: image a is already in the project with another class/);
  assert.equal(await dump(dir), before);
  const other = await holdout(['import', 'images', dir, write('m.csv', 'id,path,class,author\na,photos/c.jpg,n00000001,\nb,photos/b.jpg,n00000001,Eve\n')]);
  assert.equal(other.code, 1);
  assert.match(other.err, /^skipped: .*m\.csv:2: photos\/c\.jpg: image a is already in the project with different content$/m);
  assert.deepEqual((await rows(dir)).map((l) => l.split('|')[0]), ['a', 'b']);
  /* What was not known of an image is filled in, what was stays. */
  await must(['import', 'images', dir, write('m.csv', 'id,path,class,author,keyword\na,photos/a.jpg,n00000001,Ada,sea\nb,photos/b.jpg,n00000001,Ada,\n')]);
  assert.deepEqual((await rows(dir)).map((l) => l.split('|').slice(6).join('|')), ['Ada||sea', 'Eve||']);
  await must(['check', dir]);
  assert.ok(fs.existsSync(folder));
});
