/* Sets without votes from the command line: exact matches of originals in the pool, picks, and what to search for. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';

import { bin, holdout, must, newProject, tempDir } from '../http/lib.mjs';
import { png } from '../http/study.mjs';
import { sql } from './tools.mjs';

const WNIDS = ['n02091134', 'n03187595'];
const CLASSES = [
  { cid: 0, wnid: WNIDS[0], synset: ['whippet'], gloss: 'small slender dog of greyhound type developed in England' },
  { cid: 1, wnid: WNIDS[1], synset: ['dial telephone', 'dial phone'], gloss: 'a telephone with a dial' },
].map((c) => `${JSON.stringify(c)}\n`).join('');
const rows = (csv) => {
  const [head, ...lines] = csv.trim().split('\n').map((l) => l.split(','));
  return lines.map((l) => Object.fromEntries(head.map((h, i) => [h, l[i]])));
};
const events = async (dir, kind) => {
  const out = execFileSync('sqlite3', [path.join(dir, 'holdout.db'), `SELECT count(*) FROM event WHERE kind = '${kind}'`]);
  return Number(String(out));
};

/* The first four bytes behind "IEND" do not change a PNG's pixels but its bytes. */
const resaved = (bytes) => Buffer.concat([bytes, Buffer.from('more')]);

async function pool(t) {
  const dir = await newProject(t);
  const folder = tempDir(t);
  const write = (name, bytes) => fs.writeFileSync(path.join(folder, name), bytes);
  const list = ['id,path,class,role,keyword,taken_at'];
  const add = (id, role, bytes, keyword = '', wnid = WNIDS[0], taken = '') => {
    write(`${id}.png`, bytes);
    list.push(`${id},${id}.png,${wnid},${role},${keyword},${taken}`);
  };
  for (const i of [0, 1, 2, 3]) add(`o-${i}`, 'original', png(i, 32, 32));
  add('c-same', 'candidate', png(0, 32, 32), 'whippet', WNIDS[0], '2012-08-01');
  add('c-again', 'candidate', resaved(png(1, 32, 32)), 'whippet dog');
  add('c-large', 'candidate', png(2, 64, 64), 'whippet');
  add('c-other', 'candidate', png(9, 32, 32), 'whippet');
  add('c-class', 'candidate', resaved(png(3, 32, 32)), 'dial phone', WNIDS[1]);
  write('images.csv', `${list.join('\n')}\n`);
  write('classes.jsonl', CLASSES);
  await must(['import', 'classes', dir, path.join(folder, 'classes.jsonl')]);
  await must(['import', 'images', dir, path.join(folder, 'images.csv')]);
  return { dir, folder };
}

test('an original has its keyword from the first match of its own class', async (t) => {
  const dir = await newProject(t);
  const folder = tempDir(t);
  const write = (name, text) => {
    fs.writeFileSync(path.join(folder, name), text);
    return path.join(folder, name);
  };
  write('a.png', png(0, 32, 32));
  await must(['import', 'classes', dir, write('classes.jsonl', CLASSES)]);
  await must(['import', 'images', dir, write('images.csv', ['id,path,class,role,keyword', `o,a.png,${WNIDS[0]},original,`,
    `c-1,a.png,${WNIDS[0]},candidate,`, `c-2,a.png,${WNIDS[1]},candidate,dial phone`, `c-3,a.png,${WNIDS[0]},candidate,whippet`,
    `c-4,a.png,${WNIDS[1]},candidate,phone`, `c-5,a.png,${WNIDS[0]},candidate,whippet dog`, ''].join('\n'))]);
  const said = await holdout(['exact-matches', dir, '--keywords']);
  assert.match(said.err, /Recorded: 1 keyword/);
  assert.equal((await sql(dir, "SELECT keyword FROM image WHERE name = 'o';")).trim(), 'whippet');
});

async function matches({ dir }) {
  const found = rows(await must(['exact-matches', dir]));
  assert.deepEqual(found.map((m) => [m.original, m.image, m.equal]),
    [['o-0', 'c-same', 'bytes'], ['o-1', 'c-again', 'pixels'], ['o-3', 'c-class', 'pixels']]);
  assert.equal(rows(await must(['exact-matches', dir, '--bytes-only'])).length, 1);
  assert.equal(await events(dir, 'exact-matches.record'), 0, 'asking records nothing');
  await must(['exact-matches', dir, '--keywords', '--near-duplicates', '--dry-run']);
  assert.equal(await events(dir, 'exact-matches.record'), 0);
  const said = await holdout(['exact-matches', dir, '--keywords', '--near-duplicates']);
  assert.equal(said.code, 0, said.err);
  assert.match(said.err, /3 originals are among the candidates \(3 pairs/);
  assert.match(said.err, /Recorded: 2 keywords, 3 near-duplicates/, 'none from an image of another class');
  await must(['exact-matches', dir, '--keywords', '--near-duplicates']);
  assert.equal(await events(dir, 'exact-matches.record'), 1, 'the second time changes nothing');
}

async function picks({ dir, folder }) {
  const file = (text) => {
    fs.writeFileSync(path.join(folder, 'picks.csv'), text);
    return path.join(folder, 'picks.csv');
  };
  for (const [text, says] of [
    ['name\nc-other\n', /image/], ['image,stage\nc-other,liked\n', /:2: stage must be open, picked or pruned/],
    ['image\nc-other\nc-other\n', /:3: two rows are about c-other/], ['image\n""\n', /:2: an image's name/],
    [`image,note\nc-other,${'x'.repeat(501)}\n`, /:2: a note can have at most 500 bytes/],
  ]) {
    const r = await holdout(['import', 'picks', dir, file(text)]);
    assert.equal(r.code, 1);
    assert.match(r.err, says);
  }
  assert.equal(await events(dir, 'picks.import'), 0);
  const good = 'image,stage,note\nc-other,picked,\nc-large,pruned,"too large, I think"\nlater,picked,\n';
  await must(['import', 'picks', dir, file(good), '--dry-run']);
  assert.equal(await events(dir, 'picks.import'), 0);
  const r = await holdout(['import', 'picks', dir, file(good)]);
  assert.match(r.err, /3 rows read, 3 changed something\.\n.*1 of the images are not in the project/s);
  assert.match((await holdout(['import', 'picks', dir, '-'], { input: good })).err, /3 rows read, 0 changed something/);
  assert.equal(await events(dir, 'picks.import'), 1);
  /* A pick of an account is pruned by somebody else, who is named. */
  for (const login of ['ada', 'bob']) {
    await must(['user', 'add', dir, login, '--role', 'expert', '--password-file', '-'], { input: 'a long enough password\n' });
  }
  const own = 'image,stage\nc-again,pruned\n';
  await must(['import', 'picks', dir, file('image\nc-again\n'), '--by', 'ada']);
  for (const [by, says] of [[[], /:2: c-again was picked by an account.*--by LOGIN/], [['--by', 'ada'], /:2: c-again was picked by the same person/],
    [['--by', 'eve'], /no account eve/]]) {
    const refused = await holdout(['import', 'picks', dir, file(own), ...by]);
    assert.equal(refused.code, 1);
    assert.match(refused.err, says);
  }
  await must(['import', 'picks', dir, file(own), '--by', 'bob']);
  assert.match((await holdout(['import', 'picks', dir, file(own)])).err, /1 rows read, 0 changed/);
  /* Exact copies of originals, pruned ones and those that nobody picked are not sampled. */
  await must(['sample', dir, '--strategy', 'keyword', '--picked', '--answers', '0', '--size', '2', '--seed', '1', '--set', 'picked']);
  assert.match(await must(['export', 'set', dir, 'picked', '--format', 'list']), /^image,wnid\r?\nc-other,n02091134\r?\n$/);
}

/* WordNet's lines stand at the bytes that they are named by; what begins with two spaces is its licence. */
function wordnetFile(lines) {
  let text = '';
  for (const [at, line] of lines) {
    while (text.length < at) {
      const left = at - text.length; /* never so few bytes that no line fits */
      text += `${' '.repeat(left > 2000 ? 999 : left - 1)}\n`;
    }
    text += `${line}\n`;
  }
  return text;
}

async function queries({ dir }) {
  const all = rows(await must(['queries', dir, '--size', '3']));
  const of = (wnid, step) => all.filter((r) => r.wnid === wnid && r.step === step).map((r) => r.term);
  assert.deepEqual(of(WNIDS[1], 'synonym'), ['dial telephone', 'dial phone']);
  assert.deepEqual(of(WNIDS[1], 'compound'), ['dialtelephone', 'dialphone']);
  assert.deepEqual(of(WNIDS[0], 'parent-word'), [], 'no hypernym is known yet');
  const said = await holdout(['queries', dir, '--size', '3', '--due']);
  assert.match(said.err, /No hypernyms are known/);
  assert.match(said.err, /2 classes lack 6 images; about 60 more candidates are needed/);
  const due = rows(said.out);
  assert.ok(due.every((r) => r.due === 'yes' && r.missing === '3' && r.more === '30'));
  assert.deepEqual([...new Set(due.map((r) => r.step))], ['more-results']);
  assert.deepEqual(due.filter((r) => r.wnid === WNIDS[1]).map((r) => r.results), ['100', '100'], '200 for two words');

  const wordnet = path.join(path.dirname(dir), 'data.noun');
  fs.writeFileSync(wordnet, wordnetFile([
    [2000001, '02000001 05 n 01 hound_dog 0 000 | a dog'],
    [Number(WNIDS[0].slice(1)), `${WNIDS[0].slice(1)} 05 n 01 whippet 0 001 @ 02000001 n 0000 | small slender dog`],
  ]));
  await must(['import', 'wordnet', dir, wordnet]);
  const known = rows(await must(['queries', dir, '--size', '3']));
  const dog = known.filter((r) => r.wnid === WNIDS[0] && r.step === 'parent-word');
  assert.deepEqual(dog.map((r) => [r.term, r.found, r.due]), [['whippet dog', '1', 'no']], 'it was searched for already');
  assert.deepEqual(known.filter((r) => r.due === 'yes' && r.wnid === WNIDS[0]).map((r) => r.step), ['more-results', 'more-results']);
  const longer = rows(await must(['queries', dir, '--size', '3', '--due', '--after', 'more-results', '--until', '2013-01-01', '--longer', '2015-01-01']));
  assert.ok(longer.every((r) => r.step === 'longer-range' && r.until === '2015-01-01' && r.from === '2012-07-11'));
  for (const args of [['--strategy', 'luck'], ['--after', 'luck'], ['--until', 'soon'], ['--size', '0'], ['--results', '-1']]) {
    assert.equal((await holdout(['queries', dir, ...args])).code, 2, args.join(' '));
  }
}

test('sets without votes from the command line', async (t) => {
  assert.ok(fs.existsSync(bin));
  const world = await pool(t);
  await t.test('originals are found in the pool, by bytes and by pixels', () => matches(world));
  await t.test('picks come in, once, and only they are sampled', () => picks(world));
  await t.test('queries say what to search for and which step is due', () => queries(world));
});
