/* The seal is on the content: copies of a sealed revision, lists that hold most of one, what opens them, and what
 * exports say of images that were scored before. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { before, test } from 'node:test';

import { must, newProject, tempDir, wholeFile } from '../http/lib.mjs';
import { copyOf, fails, put, says, sql } from './tools.mjs';

const WNIDS = ['n00000001', 'n00000002'];
const name = (i) => `image-${i}`;
const range = (from, to) => Array.from({ length: to - from }, (_, i) => from + i);
const list = (images, shift = 0) => ['image,wnid', ...images.map((i) => `${name(i)},${WNIDS[(i + shift) % 2]}`)].join('\n');
const whole = wholeFile();
let study; /* originals 0 to 9, "pilot" 20 to 24 and 30 to 39 frozen, "matched" 20 to 29 sealed; one model said something of all */

before(async () => {
  study = await newProject(whole);
  const file = (text, as) => {
    const at = path.join(tempDir(whole), as);
    fs.writeFileSync(at, text);
    return at;
  };
  await must(['import', 'classes', study, file(['cid,wnid,synset,gloss,wikipedia', ...WNIDS.map((w, i) => `${i},${w},thing ${i},a thing,`)].join('\n'), 'classes.csv')]);
  await must(['import', 'set', study, 'val', file(list(range(0, 10)), 'val.csv'), '--role', 'original']);
  await must(['import', 'set', study, 'pilot', file(list([...range(20, 25), ...range(30, 40)]), 'pilot.csv')]);
  await must(['import', 'set', study, 'matched', file(list(range(20, 30)), 'matched.csv'), '--sealed']);
  const said = [...range(0, 10), ...range(20, 40)].map((i) => JSON.stringify({ image: name(i), labels: [WNIDS[(i + 1) % 2], WNIDS[i % 2]], scores: [0.75, 0.25] }));
  await must(['import', 'predictions', study, file(`${said.join('\n')}\n`, 'said.jsonl'), '--model', 'm']);
});

const csv = (t, images, shift) => put(t, 'list.csv', list(images, shift));
const states = async (dir) => Object.fromEntries((await must(['set', 'list', dir])).trim().split('\n').slice(1)
  .map((l) => l.split(',')).map((c) => [`${c[0]}/${c[1]}`, c[5]]));

test('a copy of a sealed revision is asked about, and sealed whenever it comes', async (t) => {
  const dir = copyOf(t, study);
  const copy = put(t, 'copy.csv', await must(['export', 'set', dir, 'matched/0', '--format', 'list']));
  const was = await sql(dir, '.dump');
  for (const more of [[], ['--role', 'original'], ['--role', 'original', '--sealed'], ['--dry-run']]) {
    await fails(['import', 'set', dir, 'copy', copy, ...more],
      /copy\.csv shares 10 of its 10 images with a sealed revision \(matched\/0\).*--unseal REASON, .*Nothing was written/);
  }
  await fails(['import', 'set', dir, 'copy', copy, '--unseal', 'x'.repeat(501)], /Give a reason of 1 to 500 bytes/);
  assert.equal(await sql(dir, '.dump'), was);
  /* The set's own list again is nothing new. */
  await says(['import', 'set', dir, 'matched', copy], /matched\/0 has these images already.*sealed/);
  await must(['import', 'set', dir, 'hidden', copy, '--sealed']);
  await fails(['score', dir, '--set', 'hidden'], /hidden\/0 is sealed/);
  /* Made after the copy: the same images in other order, with another role too. */
  await must(['import', 'set', dir, 'early', csv(t, range(40, 44))]);
  await must(['import', 'set', dir, 'early-val', csv(t, range(40, 44).reverse()), '--role', 'original']);
  await must(['import', 'set', dir, 'late', csv(t, [43, 40, 41, 42]), '--sealed']);
  await fails(['score', dir, '--set', 'early'], /early\/0 has the same images as late\/0, which is sealed/);
  await fails(['score', dir, '--set', 'early-val'], /early-val\/0 has the same images as late\/0/);
  await fails(['export', 'predictions', dir, '--set', 'early'], /same images as late\/0/);
  await fails(['set', 'freeze', dir, 'early', '--reason', 'again'], /is already frozen.*because late\/0 has the same images/);
  await must(['set', 'freeze', dir, 'late', '--reason', 'final']);
  await says(['export', 'predictions', dir, '--set', 'early'], /no predictions/);
});

test('labels, padding and parts do not hide a sealed revision', async (t) => {
  const dir = copyOf(t, study);
  const refused = (images, shift, message) => fails(['import', 'set', dir, 'other', csv(t, images, shift)], message);
  await refused(range(20, 30), 1, /shares 10 of its 10 images/);
  await refused([20, 21, 22, 50, 51], 0, /shares 3 of its 5 images/);
  await refused([...range(20, 26), ...range(50, 90)], 0, /shares 6 of its 46 images/);
  /* Two parts of five images, each among many others. */
  await must(['import', 'set', dir, 'part-1', csv(t, [...range(20, 25), ...range(50, 60)])]);
  await refused([25, ...range(60, 70)], 0, /shares 1 of its 11 images/);
  await must(['import', 'set', dir, 'apart', csv(t, range(60, 70))]);
  const sets = ['a', 'b'].map((s, i) => ({ name: `${s}-0`, parent: null, add: [...range(24 + 3 * i, 27 + 3 * i), ...range(100 + 20 * i, 120 + 20 * i)].map((n) => [name(n), WNIDS[n % 2]]), remove: [] }));
  await fails(['import', 'sets', dir, put(t, 'sets.jsonl', `${sets.map((s) => JSON.stringify(s)).join('\n')}\n`)], /shares 3 of its 23 images with a sealed revision \(matched\/0\)/);
  assert.equal((await states(dir))['matched/0'], 'sealed');
});

test('--unseal opens it on record', async (t) => {
  const dir = copyOf(t, study);
  await says(['import', 'set', dir, 'copy', csv(t, range(20, 28)), '--unseal', 'a rehearsal'], /copy\/0 is a new revision, frozen.\nmatched\/0 is unsealed early: copy\/0 has 8 of its images/);
  assert.deepEqual(await states(dir), { 'val/0': 'frozen', 'pilot/0': 'frozen', 'matched/0': 'unsealed', 'copy/0': 'frozen' });
  assert.equal(await sql(dir, "SELECT t.reason FROM revision_state t JOIN event e ON e.id = t.id WHERE e.kind = 'set.unsealed';"), 'a rehearsal\n');
  const out = path.join(tempDir(t), 'matched');
  await must(['export', 'set', dir, 'matched/0', '--format', 'folder', '--output', out]);
  const m = JSON.parse(fs.readFileSync(path.join(out, 'manifest.json'), 'utf8'));
  assert.equal(m.unsealed_early, true);
  assert.deepEqual(m.openings.map((o) => [o.set, o.through, o.images, o.reason]), [['matched/0', 'copy/0', 8, 'a rehearsal']]);
  assert.match(fs.readFileSync(path.join(out, 'README.md'), 'utf8'), /matched\/0 was unsealed through copy\/0, which has 8 of its images: a rehearsal/);
  const other = path.join(tempDir(t), 'copy');
  await must(['export', 'set', dir, 'copy/0', '--format', 'folder', '--output', other]);
  const n = JSON.parse(fs.readFileSync(path.join(other, 'manifest.json'), 'utf8'));
  assert.equal(n.unsealed_early, false);
  assert.deepEqual(n.openings, m.openings);
});

test('what is opened later counts as if it had been asked at the import', async (t) => {
  const dir = copyOf(t, study);
  await must(['import', 'set', dir, 'most', csv(t, range(20, 27), 1), '--sealed']);
  await must(['set', 'freeze', dir, 'most', '--reason', 'wanted']);
  assert.equal((await states(dir))['matched/0'], 'unsealed');
});

test('a revision that is opened opens the drafts that it was made from, and no other', async (t) => {
  const dir = copyOf(t, study);
  const images = (from, to) => range(from, to).map((i) => [name(i), WNIDS[i % 2]]);
  const sets = [['d-0', null, images(30, 40), []], ['d-1', 'd-0', images(50, 52), images(38, 40)],
    ['d-2', 'd-1', images(60, 62), images(30, 31)], ['d-3', 'd-0', images(52, 58), images(33, 40)]]
    .map(([set, parent, add, remove]) => JSON.stringify({ name: set, parent, add, remove: remove.map(([image]) => image) }));
  await must(['import', 'sets', dir, put(t, 'sets.jsonl', `${sets.join('\n')}\n`), '--sealed']);
  const shown = async () => (await must(['export', 'predictions', dir, '--set', 'pilot'])).trim().split('\n').length - 1;
  assert.equal(await shown(), 0);
  const was = await sql(dir, '.dump');
  await says(['set', 'freeze', dir, 'd/2', '--reason', 'final', '--dry-run'], /d\/0, which it was made from, would be unsealed with it/);
  assert.equal(await sql(dir, '.dump'), was);
  await says(['set', 'freeze', dir, 'd/2', '--reason', 'final'], /d\/2 is frozen now\.\nd\/0, which it was made from, is unsealed with it\.\nd\/1, which/);
  const of = async (set) => (await states(dir))[set];
  assert.deepEqual([await of('d/0'), await of('d/1'), await of('d/2'), await of('d/3')], ['unsealed', 'unsealed', 'frozen', 'sealed']);
  assert.equal(await shown(), 7); /* the branch hides its own three */
  const manifest = async (set) => {
    const out = path.join(tempDir(t), 'out');
    await must(['export', 'set', dir, set, '--format', 'folder', '--output', out]);
    return JSON.parse(fs.readFileSync(path.join(out, 'manifest.json'), 'utf8'));
  };
  const frozen = await manifest('d/2'), draft = await manifest('d/1');
  assert.deepEqual([frozen.unsealed_early, frozen.openings], [false, []]);
  assert.deepEqual([draft.unsealed_early, draft.openings.map((o) => [o.set, o.through, o.images, o.reason])],
    [true, [['d/1', 'd/2', 9, 'final']]]);
});

test('predictions of sealed images stay in, also where another set has them', async (t) => {
  const dir = copyOf(t, study);
  const all = ['export', 'predictions', dir, '--set', 'pilot'];
  const r = await says(all, /5 of the 15 images are also in a sealed revision and were left out/);
  const rows = r.out.trim().split('\n').slice(1).map((l) => l.split(',')[0]);
  assert.deepEqual(rows, range(30, 40).map(name));
  await must(['set', 'freeze', dir, 'matched', '--reason', 'final']);
  assert.equal((await must(all)).trim().split('\n').length, 16);
});

test('an answer about one sealed image is no score of an open set', async (t) => {
  const dir = copyOf(t, study);
  const one = JSON.stringify({ image: name(20), labels: [WNIDS[0], WNIDS[1]], scores: [0.75, 0.25] });
  const r = await says(['import', 'predictions', dir, '--set', 'pilot', '--model', 'one', put(t, 'one.jsonl', one)], / 1 new; 1 new models/);
  assert.doesNotMatch(r.err, /warning/);
  assert.equal((await must(['set', 'sources', dir, 'pilot', '--model', 'one'])).trim().split('\n').length, 1);
  const scored = async () => JSON.parse(await must(['score', dir, '--set', 'pilot', '--json'])).left_out.map((m) => `${m.model}: ${m.reason}`);
  assert.deepEqual(await scored(), ['one: no predictions about pilot']);
  await must(['set', 'freeze', dir, 'matched', '--reason', 'final']);
  assert.deepEqual(await scored(), ['one: predictions about 1 of 15 images of pilot']);
  assert.equal((await must(['set', 'sources', dir, 'pilot', '--model', 'one'])).trim().split('\n').length, 2);
});

test('answers about the sealed part of an open set are no score of it', async (t) => {
  const dir = copyOf(t, study);
  const some = range(20, 23).map((i) => JSON.stringify({ image: name(i), labels: [WNIDS[i % 2]] })).join('\n');
  await must(['import', 'predictions', dir, '--set', 'matched', '--model', 'm', put(t, 'some.jsonl', some)]);
  const sources = async () => (await must(['set', 'sources', dir, 'pilot'])).trim().split('\n').slice(1).map((l) => l.split(','))
    .map(([model, , , file, images]) => [model, file, Number(images)]);
  assert.deepEqual(await sources(), [['m', 'said.jsonl', 15]]);
  await must(['set', 'freeze', dir, 'matched', '--reason', 'final']);
  assert.deepEqual(await sources(), [['m', 'said.jsonl', 15], ['m', 'some.jsonl', 3]]);
});

test('a manifest counts images that were scored before', async (t) => {
  const dir = copyOf(t, study);
  const before = async (set) => {
    const out = path.join(tempDir(t), 'out');
    await must(['export', 'set', dir, set, '--format', 'folder', '--output', out]);
    const m = JSON.parse(fs.readFileSync(path.join(out, 'manifest.json'), 'utf8'));
    return [m.scored_before, fs.readFileSync(path.join(out, 'README.md'), 'utf8'), m.unsealed_early];
  };
  const was = { images: 5, of: 10, models: 1, sets: [{ set: 'pilot/0', images: 5, models: 1 }] };
  const [sealed, readme] = await before('matched/0');
  assert.deepEqual(sealed, was);
  assert.match(readme, /5 of its 10 images have been scored in other sets already \(1 model\): 5 in pilot\/0/);
  assert.deepEqual((await before('pilot/0'))[0], { images: 0, of: 15, models: 0, sets: [] });
  await must(['set', 'freeze', dir, 'matched', '--reason', 'final']);
  /* What comes afterwards was not before. */
  await must(['import', 'set', dir, 'later', csv(t, range(20, 30), 1)]);
  const [now, text] = await before('matched/0');
  assert.deepEqual(now, was);
  assert.match(text, /5 of its 10 images had been scored in other sets before it was frozen/);
  assert.equal((await before('matched/0'))[2], false);
  assert.equal((await before('later/0'))[0].images, 10);
});

test('the audit says where the images were scored', async (t) => {
  const dir = copyOf(t, study);
  await must(['import', 'set', dir, 'twin', csv(t, range(20, 30)), '--sealed']);
  await says(['audit', dir, 'matched/0'], /twin\/0 has the same images/);
  await says(['audit', dir, 'matched/0'], /5 of its 10 images have been scored in other sets already \(1 model\): 5 in pilot\/0/);
});
