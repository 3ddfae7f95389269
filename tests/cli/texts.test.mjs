/* What models said in their own words: stored as it is, mapped to classes by named versions, and what stands for no class
 * counted as wrong and shown. */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';

import { must, newProject, wholeFile } from '../http/lib.mjs';
import { copyOf, fails, put, says, sql } from './tools.mjs';

const whole = wholeFile();
const CLASSES = [['n01440764', 'tench|Tinca tinca'], ['n02012849', 'crane'], ['n03126707', 'crane'], ['n03710637', 'maillot'],
  ['n03710721', 'maillot|tank suit'], ['n01484850', 'great white shark|white shark']];
/* Each image is of the class with its number modulo 6. */
const IMAGES = Array.from({ length: 24 }, (_, i) => ({ image: `i-${String(i).padStart(2, '0')}`, wnid: CLASSES[i % 6][0] }));
const SAID = { n01440764: 'A Tench.', n02012849: 'a crane', n03126707: 'Crane', n03710637: 'the maillot', n03710721: 'tank_suit', n01484850: 'Great  White shark!' };
const line = (o) => `${JSON.stringify(o)}\n`;
const jsonl = (rows) => rows.map(line).join('');
const texts = (change = (o) => o) => jsonl(IMAGES.map(({ image, wnid }, i) => change({ image, text: SAID[wnid] }, i)));
let dir;

before(async () => {
  dir = await newProject(whole);
  await must(['import', 'classes', dir, put(whole, 'classes.jsonl', jsonl(CLASSES.map(([wnid, synset], cid) => ({ cid, wnid, synset: synset.split('|'), gloss: '' }))))]);
  const list = (rows) => `image,wnid\n${rows.map((r) => `${r.image},${r.wnid}\n`).join('')}`;
  await must(['import', 'set', dir, 'old', put(whole, 'old.csv', list(IMAGES)), '--role', 'original']);
  await must(['import', 'texts', dir, put(whole, 'said.jsonl', texts()), '--model', 'clip', '--set', 'old', '--recipe', 'temperature 0']);
  await says(['map-texts', dir, '--model', 'clip', '--mapping', 'words'],
    /24 texts of model clip mapped by version 1 of words, 24 new predictions of model clip@words\.\n.*clip@words on old\/0: 0\.0 % .* of 24 images out of list, 50\.0 % \(29\.1 to 70\.9\) ambiguous, 0\.0 % .*count as wrong/);
});

async function csv(...args) {
  const [head, ...rows] = (await must(args)).trimEnd().split('\n').map((l) => l.split(','));
  return rows.map((row) => Object.fromEntries(head.map((name, i) => [name, row[i]])));
}
const score = async (project, model) => (await csv('score', project, '--set', 'old')).find((row) => row.model === model);
const share = async (project, model) => (await csv('export', 'text-shares', project, '--set', 'old', '--model', model))[0];

test('a synonym of one class is that class; one of several counts as wrong until somebody decides', async (t) => {
  const copy = copyOf(t, dir);
  assert.equal((await score(copy, 'clip@words')).top1_correct, '12');
  assert.deepEqual((await csv('export', 'unmapped-texts', copy, '--set', 'old', '--model', 'clip@words')).map((r) => Object.values(r)),
    [['Crane', '', '4', 'ambiguous'], ['a crane', '', '4', 'ambiguous'], ['the maillot', '', '4', 'ambiguous']]);
  /* The list that was exported, filled in: another mapping beside the first, then a version more of the first. */
  const filled = put(t, 'filled.csv', 'text,wnid,images,reason\nCrane,n03126707,4,ambiguous\na crane,,4,ambiguous\nthe maillot,n03710637,4,ambiguous\n');
  await must(['map-texts', copy, '--model', 'clip', '--mapping', 'decided', '--csv', filled]);
  assert.equal((await score(copy, 'clip@decided')).top1_correct, '20');
  assert.equal((await score(copy, 'clip@words')).top1_correct, '12');
  assert.deepEqual(await csv('export', 'unmapped-texts', copy, '--set', 'old', '--model', 'clip@decided'), []);
  await says(['score', copy, '--set', 'old'], /clip@words on old\/0: 0\.0 % .* 50\.0 % \(29\.1 to 70\.9\) ambiguous/);
  /* Somewhere else they are predictions as any other, with those that are no class. */
  const rows = await must(['export', 'predictions', copy, '--set', 'old', '--model', 'clip@words']);
  assert.equal(rows.match(/,none,/g).length, 12);
  await must(['import', 'predictions', copy, put(t, 'again.csv', rows.replaceAll('clip@words', 'again')), '--set', 'old']);
  assert.equal((await score(copy, 'again')).top1_correct, '12');
  const json = JSON.parse(await must(['score', copy, '--original', 'old', '--new', 'old', '--json']));
  assert.deepEqual(json.texts.map((s) => [s.model, s.mapping, s.version, s.images, s.ambiguous]), [['clip@decided', 'decided', 1, 24, 0], ['clip@words', 'words', 1, 24, 12]]);
});

test('the same again is the same version; other rows are the next, and a frozen set keeps the first', async (t) => {
  const copy = copyOf(t, dir);
  const rows = put(t, 'rows.csv', 'text,wnid\nmaillot,n03710637\n'), more = put(t, 'more.csv', 'text,wnid\ncrane,n02012849\n');
  await says(['map-texts', copy, '--model', 'clip', '--mapping', 'words'], /version 1 of words, 0 new predictions/);
  await says(['map-texts', copy, '--model', 'clip', '--mapping', 'words', '--csv', rows],
    /version 2 of words, 24 new[^]*Other predictions of clip@words score old\/0, and still do[^]*words\/2 of said\.jsonl, are source \d+/);
  assert.equal((await share(copy, 'clip@words')).version, '1', 'an original set is frozen');
  await says(['map-texts', copy, '--model', 'clip', '--mapping', 'words', '--csv', more, '--add'], /version 3 of words/);
  await says(['map-texts', copy, '--model', 'clip', '--mapping', 'words'], /version 3 of words, 0 new/);
  const sources = await csv('set', 'sources', copy, 'old');
  assert.deepEqual(sources.map((s) => [s.made_by, s.top1_correct]), [['words/1 of said.jsonl', '12'], ['words/2 of said.jsonl', '16'], ['words/3 of said.jsonl', '20']]);
  await must(['set', 'choose', copy, 'old', 'clip@words', sources[2].source, '--reason', 'decided by hand']);
  assert.deepEqual([(await score(copy, 'clip@words')).top1_correct, (await share(copy, 'clip@words')).version], ['20', '3']);
  await must(['check', copy]);
});

test('out of list and empty are counted as wrong, with intervals', async (t) => {
  const copy = copyOf(t, dir);
  const odd = texts((o, i) => (i % 6 === 0 ? { ...o, text: ['tenches', ' \u2026', 'a fish', 'Tinca\u00a0tinca'][i / 6] } : o));
  await must(['import', 'texts', copy, put(t, 'odd.jsonl', odd), '--model', 'llava', '--set', 'old']);
  await must(['map-texts', copy, '--model', 'llava', '--mapping', 'words']);
  const s = await share(copy, 'llava@words');
  assert.deepEqual([s.base, s.images, s.out_of_list, s.ambiguous, s.empty], ['llava', '24', '2', '12', '1']);
  assert.ok(Math.abs(Number(s.out_of_list_share_lo) - 0.010256341) < 1e-8 && Math.abs(Number(s.out_of_list_share_hi) - 0.269972802) < 1e-8);
  assert.equal((await score(copy, 'llava@words')).top1_correct, '9');
});

test('given scores: the best text wins, of equal ones the lower class, and five count at top 5', async (t) => {
  const copy = copyOf(t, dir);
  const scored = jsonl(IMAGES.map(({ image }) => ({ image, scores: { 'tank suit': 0.5, 'white shark': 1, tench: 1, 'great white shark': -3, bird: 0.9 } })));
  await must(['import', 'texts', copy, put(t, 'scored.jsonl', scored), '--model', 'siglip', '--set', 'old']);
  await must(['map-texts', copy, '--model', 'siglip', '--mapping', 'words']);
  const got = await score(copy, 'siglip@words');
  assert.deepEqual([got.top1_correct, got.top5_correct], ['4', '12']);
  const both = texts((o) => ({ ...o, scores: { bird: 2, tench: 1 } }));
  await must(['import', 'texts', copy, put(t, 'both.jsonl', both), '--model', 'both', '--set', 'old']);
  await must(['map-texts', copy, '--model', 'both', '--mapping', 'words']);
  await must(['map-texts', copy, '--model', 'both', '--mapping', 'ranked', '--first', 'scores']);
  assert.deepEqual([(await score(copy, 'both@words')).top1_correct, (await score(copy, 'both@ranked')).top1_correct], ['12', '0']);
  assert.equal((await share(copy, 'both@ranked')).out_of_list, '24');
});

test('a recipe says that answers are wnids or class numbers', async (t) => {
  const copy = copyOf(t, dir);
  const numbers = jsonl(IMAGES.map(({ image, wnid }) => ({ image, text: ` ${CLASSES.findIndex((k) => k[0] === wnid)}.`, recipe: { answers: 'numbers' } })));
  const wnids = jsonl(IMAGES.map(({ image, wnid }) => ({ image, text: wnid, prompt: 'Which synset?', recipe: { answers: 'wnids', temperature: 0 } })));
  for (const [model, file] of [['numbers', numbers], ['wnids', wnids]]) {
    await must(['import', 'texts', copy, put(t, `${model}.jsonl`, file), '--model', model, '--set', 'old']);
    await must(['map-texts', copy, '--model', model, '--mapping', 'words']);
    assert.equal((await score(copy, `${model}@words`)).top1_correct, '24', model);
  }
  assert.match(await sql(copy, 'SELECT recipe FROM text_source ORDER BY id DESC LIMIT 1'), /^\{"answers":"wnids","temperature":0\}/);
  await fails(['import', 'texts', copy, put(t, 'x.jsonl', line({ image: 'i-00', text: 'x' })), '--model', 'x', '--recipe', '{"answers":"poems"}'], /"words", "wnids" or "numbers"/);
});

test('a file is stored whole or not at all, once, and every bad row is named', async (t) => {
  const copy = copyOf(t, dir);
  const counts = () => sql(copy, 'SELECT (SELECT count(*) FROM text_source), (SELECT count(*) FROM text_block), (SELECT count(*) FROM said_text), (SELECT count(*) FROM model)');
  const was = await counts();
  const bad = [{ image: 'i-00', text: 'x' }, { image: 'nobody', text: 'x' }, { image: 'i-00', text: 'y' }, { image: 'i-01' }, { image: 'i-02', text: 7 },
    { image: 'i-03', text: 'x'.repeat(4097) }, { image: 'i-04', text: 'x', recipe: { t: 1 } }, { image: 'i-05', scores: {} }, { image: 'i-06', scores: { a: 'b' } },
    { text: 'x' }, { image: 'i-07', text: 'a\0b' }];
  const r = await fails(['import', 'texts', copy, put(t, 'bad.jsonl', jsonl(bad.slice(0, -1))), '--model', 'bad'], /bad\.jsonl:2: image nobody is not in the project/);
  for (const [at, words] of [[3, 'line 1 is about the same image'], [4, 'neither "text"'], [5, '"text" must be a text'], [6, 'at most 4096 bytes'],
    [7, 'recipe differs'], [8, '"scores" must be an object'], [9, 'must be a number'], [10, 'the name of an image']]) {
    assert.match(r.err, new RegExp(`bad\\.jsonl:${at}: .*${words}`), `line ${at}`);
  }
  await fails(['import', 'texts', copy, put(t, 'nul.jsonl', jsonl(bad.slice(-1))), '--model', 'bad'], /nul\.jsonl:1: /);
  await fails(['import', 'texts', copy, put(t, 'utf.jsonl', Buffer.from('{"image":"i-00","text":"\xff"}\n', 'latin1')), '--model', 'bad'], /utf\.jsonl:1: unable to decode byte 0xff/);
  await fails(['import', 'texts', copy, put(t, 'none.jsonl', '\n'), '--model', 'bad'], /has no texts/);
  await fails(['map-texts', copy, '--model', 'bad', '--mapping', 'words'], /no model bad/);
  assert.equal(await counts(), was);
  await says(['import', 'texts', copy, put(t, 'said.jsonl', texts()), '--model', 'clip', '--set', 'old', '--recipe', 'temperature 0'], /24 texts .* 0 new/);
  assert.equal(await counts(), was);
  for (const [rows, words] of [['tench,n09', /rows\.csv:2: .*not the wnid/], ['tench,n01440764\nTench,n02012849', /rows\.csv:3: .*another class/]]) {
    await fails(['map-texts', copy, '--model', 'clip', '--mapping', 'bad', '--csv', put(t, 'rows.csv', `text,wnid\n${rows}\n`)], words);
  }
  assert.equal(await counts(), was);
});

test('an import that was cut off is completed, and nothing is mapped before', async (t) => {
  const copy = copyOf(t, dir);
  const many = jsonl([...Array(3)].flatMap((_, k) => IMAGES.slice(k * 8, k * 8 + 8)).map(({ image, wnid }) => ({ image, text: SAID[wnid], scores: Object.fromEntries([...Array(600)].map((_, i) => [`t${i}`, i])) })));
  const file = put(t, 'many.jsonl', many);
  await must(['import', 'texts', copy, file, '--model', 'long', '--set', 'old']);
  await sql(copy, 'DELETE FROM text_block WHERE id = (SELECT max(id) FROM text_block)');
  const found = async () => { const r = await fails(['check', copy], /./); return r.out + r.err; };
  assert.match(await found(), /texts: the import of many\.jsonl was cut off/);
  await fails(['map-texts', copy, '--model', 'long', '--mapping', 'words'], /many\.jsonl was cut off after \d+ of 24 texts: run it again/);
  await says(['import', 'texts', copy, file, '--model', 'long', '--set', 'old'], /24 texts .* [1-9]\d* new/);
  await must(['map-texts', copy, '--model', 'long', '--mapping', 'words']);
  await sql(copy, `DELETE FROM prediction_block WHERE id = (SELECT max(id) FROM prediction_block);
    DELETE FROM text_unmapped WHERE id = (SELECT max(id) FROM text_unmapped)`);
  assert.match(await found(), /texts: long@words has predictions of \d+ of the 24 texts of many\.jsonl/);
  await must(['map-texts', copy, '--model', 'long', '--mapping', 'words']);
  await must(['check', copy]);
  assert.equal((await score(copy, 'long@words')).top1_correct, '12');
});

test('nothing is said of a sealed set, nor of its images elsewhere', async (t) => {
  const copy = copyOf(t, dir);
  const list = `image,wnid\n${IMAGES.slice(0, 8).map((r) => `${r.image},${r.wnid}\n`).join('')}`;
  await must(['import', 'set', copy, 'part', put(t, 'part.csv', list), '--sealed']);
  await fails(['export', 'text-shares', copy, '--set', 'part'], /sealed/);
  await fails(['export', 'unmapped-texts', copy, '--set', 'part', '--model', 'clip@words'], /sealed/);
  assert.deepEqual([(await share(copy, 'clip@words')).images, (await share(copy, 'clip@words')).ambiguous], ['16', '8']);
});
