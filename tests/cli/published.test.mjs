/* The published study's files as they are: several in one command and in any order, named by what they are called,
 * lists of HITs that do not count, and messages that count what the files have. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { before, test } from 'node:test';

import { must, newProject, tempDir, wholeFile } from '../http/lib.mjs';
import { copyOf, fails, put, says, sql } from './tools.mjs';

const whole = wholeFile();
const range = (n) => Array.from({ length: n }, (_, i) => i);
const wnid = (k) => `n0000000${k + 1}`;
const name = (i) => `image-${String(i).padStart(2, '0')}`;
const uuid = (i) => `3c7987e5-737d-4f07-9905-35b1d76c18${String(i).padStart(2, '0')}`;
const IMAGES = 8;
let study; /* three classes, eight candidates and two originals of each */

/* class_info.json: a list, with synonyms as lists and quotes in glosses. */
const CLASS_INFO = JSON.stringify(range(3).map((k) => ({ cid: k, wnid: wnid(k), synset: [`thing ${k}`, `a "${k}"`], gloss: 'has 2" in it' })), null, 1);

before(async () => {
  study = await newProject(whole);
  const file = (at, text) => {
    const full = path.join(tempDir(whole), at);
    fs.writeFileSync(full, text);
    return full;
  };
  await must(['import', 'classes', study, file('class_info.json', CLASS_INFO)]);
  await must(['import', 'image-list', study, file('images.csv', ['idx,image,wnid,kind,source_id,date_taken',
    ...range(3 * IMAGES).map((i) => `${i},${name(i)},${wnid(i % 3)},cand,,`),
    ...range(6).map((i) => `${100 + i},original-${i},${wnid(i % 3)},val,,`)].join('\n'))]);
});

/* A HIT as the study wrote it: names, not numbers. */
const hit = (i, k = 0) => ({ uuid: uuid(i), hit_id: `HIT${i}`, wnid: wnid(k), images_to_label: [name(k), name(k + 3)], images_pos_control: [`original-${k}`],
  images_neg_control: [`original-${(k + 1) % 3}`], images_all: [name(k), `original-${k}`, name(k + 3), `original-${(k + 1) % 3}`] });
const list = (...hits) => JSON.stringify(hits);

test('class_info.json', async (t) => {
  assert.equal(await sql(study, 'SELECT cid, wnid, synset, gloss FROM class WHERE cid = 1;'), `1|${wnid(1)}|thing 1|a "1"|has 2" in it\n`);
  await says(['import', 'classes', copyOf(t, study), put(t, 'class_info.json', CLASS_INFO)], /3 classes read, 0 new or changed/);
  await fails(['import', 'classes', study, put(t, 'c.json', '[{"cid": 9, "wnid": "n9", "synset": ["x"]}, 7]')], /c\.json: entry 2: a class must be an object/);
  await fails(['import', 'classes', study, put(t, 'c.json', `[{"cid": 9, "wnid": "n9", "synset": ["x"]}, {"cid": 10, "wnid": "n9", "synset": ["x"]}]`)],
    /entry 2: class n9 is already in entry 1/);
  await fails(['import', 'classes', study, put(t, 'c.json', '[{]')], /c\.json:1: /);

  const dir = copyOf(t, study);
  const pages = put(t, 'wikipedia_pages.json', JSON.stringify({ [wnid(0)]: ['https://en.wikipedia.org/wiki/A', 'https://en.wikipedia.org/wiki/B'], n99: ['x'] }));
  const similar = put(t, 'similar.json', JSON.stringify({ [wnid(0)]: [wnid(0), wnid(2)] }));
  await says(['import', 'classes', dir, put(t, 'class_info.json', CLASS_INFO), '--wikipedia', pages, '--similar', similar], /3 classes read, 1 new or changed/);
  assert.equal(await sql(dir, `SELECT wikipedia FROM class WHERE wnid = '${wnid(0)}'; SELECT k.wnid FROM similar_class s JOIN class k ON k.id = s.other ORDER BY s.rank;`),
    `https://en.wikipedia.org/wiki/A|https://en.wikipedia.org/wiki/B\n${wnid(0)}\n${wnid(2)}\n`);
  await fails(['import', 'classes', dir, put(t, 'class_info.json', CLASS_INFO), '--similar', put(t, 's.json', '[]')], /s\.json: --similar must be a JSON object/);
  await fails(['import', 'classes', dir, put(t, 'class_info.json', CLASS_INFO), '--wikipedia', put(t, 'w.json', '{\n"a": ]}')], /w\.json:2: /);
});

test('files of HITs, of which pilots and bad ones do not count', async (t) => {
  const files = [put(t, '2018-08-06_17:33_pilot.json', list(hit(0), hit(1))), put(t, 'submitted-1.json', list(hit(2), hit(3))), put(t, 'submitted-2.json', list(hit(4, 1)))];
  const bad = put(t, 'hit_blacklist_live.json', JSON.stringify({ HIT3: 'HIT with missing images' }));
  const pilots = put(t, 'pilots.txt', '2018-08-06_17:33_pilot.json\n');
  const dir = copyOf(t, study);
  await says(['import', 'hits', dir, ...files, '--exclude', bad, '--exclude', pilots], /5 hits read, 3 of them excluded; 5 new grids\./);
  assert.equal(await sql(dir, 'SELECT name, excluded FROM grid ORDER BY name;'),
    `${uuid(0)}|excluded\n${uuid(1)}|excluded\n${uuid(2)}|\n${uuid(3)}|HIT with missing images\n${uuid(4)}|\n`);
  await says(['import', 'hits', dir, ...files, '--exclude', bad, '--exclude', pilots], /5 hits read, 3 of them excluded; 0 new grids\./);
  await must(['check', dir]);
  /* Imported before anybody knew which are bad. */
  const late = copyOf(t, study);
  await says(['import', 'hits', late, ...files], /5 hits read, 0 of them excluded; 5 new grids/);
  await must(['import', 'hits', late, ...files, '--exclude', bad]);
  assert.equal(await sql(late, 'SELECT name, excluded FROM grid WHERE excluded IS NOT NULL;'), `${uuid(3)}|HIT with missing images\n`);
  await must(['check', late]);

  const csv = put(t, 'exclude.csv', `hit,reason\n${uuid(2)},pilot\nnowhere.json,pilot\n`);
  const other = copyOf(t, study);
  const r = await says(['import', 'hits', other, ...files, '--exclude', csv], /5 hits read, 1 of them excluded/);
  assert.match(r.err, /1 of the 2 names in --exclude are neither a HIT nor a file that was read; the first is nowhere\.json/);
  assert.equal(await sql(other, 'SELECT name, excluded FROM grid WHERE excluded IS NOT NULL;'), `${uuid(2)}|pilot\n`);

  const third = copyOf(t, study);
  const was = await sql(third, '.dump');
  await fails(['import', 'hits', third, files[0], put(t, 'again.json', list(hit(5), hit(1)))], /again\.json: entry 2: this uuid or hit number appears twice/);
  await fails(['import', 'hits', third, files[0], put(t, 'broken.json', '[{]')], /broken\.json:1: /);
  await fails(['import', 'hits', third, files[0], '--exclude', put(t, 'x.json', '{"": "why"}')], /x\.json: entry 1: this needs the uuid of a HIT/);
  assert.equal(await sql(third, '.dump'), was, 'nothing of the good file is written');
});

test('what a corrected file of HITs excludes does not count, and says so', async (t) => {
  const dir = copyOf(t, study);
  const [was, now] = [list(hit(0), hit(1)), list(hit(0), { ...hit(1), excluded: 'wrong images' })].map((text, i) => put(t, `h${i}.json`, text));
  await must(['import', 'hits', dir, was]);
  await says(['import', 'hits', dir, now], /2 hits read, 1 of them excluded; 0 new grids\./);
  assert.equal(await sql(dir, 'SELECT name, excluded FROM grid WHERE excluded IS NOT NULL; SELECT reason FROM grid_exclusion;'),
    `${uuid(1)}|wrong images\nwrong images\n`);
  await says(['import', 'hits', dir, was], /2 hits read, 1 of them excluded; 0 new grids\./);
  await must(['check', dir]);
});

test('files that begin with a byte order mark', async (t) => {
  const dir = copyOf(t, study);
  const marked = (file, text) => put(t, file, `\ufeff${text}`);
  await says(['import', 'classes', dir, marked('class_info.json', CLASS_INFO), '--similar', marked('s.json', '{}')], /3 classes read, 0 new or changed/);
  await says(['import', 'hits', dir, marked('h.json', list(hit(0), hit(1))), '--exclude', marked('x.txt', `${uuid(1)}\r\n`)], /2 hits read, 1 of them excluded; 2 new/);
  await says(['import', 'blacklist', dir, marked('b.json', `{"${name(0)}": "unclear"}`)], /1 read, 1 new/);
  await says(['import', 'override', dir, marked('o.txt', `${name(1)}\n`)], /1 read, 1 new/);
  assert.equal(await sql(dir, 'SELECT name FROM near_duplicate_keep;'), `${name(1)}\n`);
  await says(['import', 'sets', dir, marked('set-b-0.json', DATASETS[0].text)], /1 new revisions/);
  await says(['import', 'reviews', dir, marked('set-b-0_review.json', JSON.stringify({ [wnid(0)]: { reviewed: true, problematic: false } }))], /1 read, 1 new/);
});

test('standard input is read once', async (t) => {
  const dir = copyOf(t, study);
  await says(['import', 'hits', dir, put(t, 'h.json', list(hit(0))), '-'], /2 hits read, 0 of them excluded; 2 new/, { input: list(hit(1)) });
  const once = /standard input can only be read once/;
  await fails(['import', 'hits', dir, '-', '--exclude', '-'], once, { code: 2, input: list(hit(2)) });
  await fails(['import', 'sets', dir, '-', '-'], once, { code: 2, input: JSON.stringify({ name: 'a-0', image_filenames: [[name(0), wnid(0)]] }) });
});

test('a list of HITs is no blacklist of images', async (t) => {
  const dir = copyOf(t, study);
  await must(['import', 'hits', dir, put(t, 'h.json', list({ ...hit(0), uuid: 'pilot-hit' }))]);
  const was = await sql(dir, '.dump');
  await fails(['import', 'blacklist', dir, put(t, 'hit_blacklist_live.json', JSON.stringify({ [uuid(3)]: 'HIT with missing images' }))],
    /hit_blacklist_live\.json: entry 1: 3c7987e5-.* is the id of a HIT, not of an image.*import hits --exclude/);
  await fails(['import', 'blacklist', dir, put(t, 'b.csv', `image,reason\n${name(0)},unclear\npilot-hit,unclear\n`)], /b\.csv:3: pilot-hit is the id of a HIT/);
  assert.equal(await sql(dir, '.dump'), was);
  /* An image may well be called so. */
  await must(['import', 'image-list', dir, put(t, 'i.csv', `idx,image,wnid,kind\n500,${uuid(3)},${wnid(0)},cand\n`)]);
  await says(['import', 'blacklist', dir, put(t, 'b.json', JSON.stringify({ [uuid(3)]: 'unclear' }))], /1 read, 1 new/);
});

test('a file of another kind is refused, or what it does not do is said', async (t) => {
  const dir = copyOf(t, study);
  const info = put(t, 'class_info.json', CLASS_INFO);
  const similar = put(t, 'wnid_to_most_similar_wnids.json', JSON.stringify({ [wnid(0)]: [wnid(0), wnid(2)] }));
  const review = put(t, 'set-b-0_review.json', JSON.stringify({ [wnid(0)]: { reviewed: true, problematic: false } }));
  const was = await sql(dir, '.dump');
  /* Every file of HITs has wnids, every list of images the column image. */
  await fails(['import', 'classes', dir, put(t, 'hits.jsonl', JSON.stringify(hit(0)))], /hits\.jsonl:1: "synset" must give the words for the class/);
  await fails(['import', 'classes', dir, put(t, 'hits.json', list(hit(0), hit(1)))], /hits\.json: entry 1: "synset" must give the words for the class/);
  for (const [head, other] of [['row,image,wnid', 'row'], ['image,stage', 'stage'], ['image,p1,p2', 'p1']]) {
    const rows = put(t, 'list.csv', `${head}\n${head.split(',').map((c) => (c === 'image' ? name(0) : '1')).join()}\n`);
    await fails(['import', 'blacklist', dir, rows], new RegExp(`list\\.csv:1: there is no column reason, and the column "${other}" is not one of a blacklist\\. A list without reasons`));
  }
  await fails(['import', 'near-duplicates', dir, similar], /similar_wnids\.json: entry 1: n00000001 is a class, not an image/);
  await fails(['import', 'blacklist', dir, put(t, 'b.csv', `image,note\n${wnid(1)},x\n`)], /b\.csv:2: n00000002 is a class, not an image/);
  for (const option of ['--similar', '--wikipedia']) {
    await fails(['import', 'classes', dir, info, option, review], new RegExp(`set-b-0_review\\.json: entry 1: what ${option} has for class n00000001 is not a list of strings`));
    await fails(['import', 'classes', dir, info, option, put(t, 'n.json', JSON.stringify({ [name(0)]: [name(1)] }))],
      new RegExp(`n\\.json: ${option} must have a list for each wnid, but none of its 1 names is a class of .*class_info\\.json`));
  }
  await fails(['import', 'sets', dir, put(t, 'a b-0.json', DATASETS[0].text)], /a b-0\.json:\d+: revision a b-0: The name of a set must be/);
  assert.equal(await sql(dir, '.dump'), was);
  await says(['import', 'classes', dir, info, '--similar', similar, '--wikipedia', put(t, 'w.json', '{}')], /3 classes read/);
  await says(['import', 'blacklist', dir, put(t, 'b.csv', `note,image\nx,${name(0)}\n`)], /1 read, 1 new/);
  await says(['import', 'override', dir, put(t, 'o.csv', `image,reason\n${name(1)}\n`)], /warning: 1 of the 2 names are not \(yet\) images of the project; the first is image,reason\./);
  assert.doesNotMatch((await says(['import', 'override', dir, put(t, 'o.txt', `${name(2)}\n`)], /1 new/)).err, /warning/);
});

/* Four revisions, the last of them of the first's; each a dataset as published. */
const DATASETS = [['set-b-0', null, [0, 1, 2, 3]], ['set-b-1', 'set-b-0', [0, 1, 2, 4]], ['set-b-2', 'set-b-1', [4, 5, 1, 2]], ['set-b-10', 'set-b-0', [7, 8, 9]]]
  .map(([own, parent, images]) => ({ own, text: JSON.stringify({ is_valid: true, starting_from: parent && `../data/datasets/${parent}.json`,
    image_filenames: images.map((i) => [name(i), wnid(i % 3)]) }, null, 1) }));
const tree = (dir) => sql(dir, "SELECT s.name, r.number, coalesce(p.number, ''), hex(l.digest) FROM revision r JOIN image_set s ON s.id = r.image_set"
  + ' JOIN set_list l ON l.id = r.list LEFT JOIN revision p ON p.id = r.parent ORDER BY 1, 2;');

test('revisions in any order of files and lines', async (t) => {
  const folder = tempDir(t);
  const files = DATASETS.map(({ own, text }) => {
    fs.writeFileSync(path.join(folder, `${own}.json`), text);
    return path.join(folder, `${own}.json`);
  });
  const [sorted, reversed, mixed] = [copyOf(t, study), copyOf(t, study), copyOf(t, study)];
  await must(['import', 'sets', sorted, ...files]);
  await says(['import', 'sets', reversed, ...[...files].reverse()], /4 new revisions/);
  await must(['import', 'sets', mixed, ...[2, 0, 3, 1].map((i) => files[i])]);
  assert.equal(await tree(reversed), await tree(sorted));
  assert.equal(await tree(mixed), await tree(sorted));
  assert.equal((await tree(sorted)).split('\n').map((line) => line.split('|').slice(0, 3).join()).join(' '), 'set-b,0, set-b,1,0 set-b,2,1 set-b,10,0 ');

  /* As changes, each needs its parent's images first. */
  const changes = [{ name: 'c-0', parent: null, add: [[name(0), wnid(0)]], remove: [] }, { name: 'c-1', parent: 'c-0', add: [[name(1), wnid(1)]], remove: [] },
    { name: 'c-2', parent: 'c-1', add: [], remove: [name(0)] }];
  const jsonl = (rows) => rows.map((row) => `${JSON.stringify(row)}\n`).join('');
  await must(['import', 'sets', sorted, put(t, 'c.jsonl', jsonl(changes))]);
  await must(['import', 'sets', reversed, put(t, 'c2.jsonl', jsonl([changes[2]])), put(t, 'c1.jsonl', jsonl([changes[1], changes[0]]))]);
  assert.equal(await tree(reversed), await tree(sorted));
  assert.match(await must(['export', 'set', reversed, 'c/2']), /^image,wnid\nimage-01,n00000002\n$/);

  const was = await sql(mixed, '.dump');
  const [, one, two] = changes;
  await fails(['import', 'sets', mixed, put(t, 'round.jsonl', jsonl([{ ...one, parent: 'c-2' }, two]))], /round\.jsonl:1: the parents of c-1 lead back to itself/);
  await fails(['import', 'sets', mixed, put(t, 'f1.jsonl', jsonl([two])), put(t, 'f2.jsonl', jsonl([one]))], /f2\.jsonl:1: the parent c-0 of c-1 is neither in the files nor in the project/);
  await fails(['import', 'sets', mixed, put(t, 'f1.jsonl', jsonl([two, changes[0]])), put(t, 'f2.jsonl', jsonl([{ ...one, add: [[name(0), wnid(0)]] }]))],
    /f2\.jsonl:1: image image-00 is added, but it is already in c-1/);
  assert.equal(await sql(mixed, '.dump'), was);
});

test('reviews are of the revision that their file is named after', async (t) => {
  const dir = copyOf(t, study);
  await must(['import', 'sets', dir, ...DATASETS.map(({ own, text }) => put(t, `${own}.json`, text))]);
  const review = (...reviewed) => JSON.stringify(Object.fromEntries(range(3).map((k) => [wnid(k), { reviewed: reviewed.includes(k), problematic: false }])));
  const files = [put(t, 'set-b-1_review.json', review(0, 1)), put(t, 'set-b-0_review.json', review(2)), put(t, 'set-b-10_review.json', review())];
  await says(['import', 'reviews', dir, ...files], /Reviews of classes: 9 read, 3 new\.\n3 revisions\./);
  const reviewed = (of) => sql(of, 'SELECT r.number, k.wnid FROM class_review w JOIN revision r ON r.id = w.revision JOIN class k ON k.id = w.class WHERE w.reviewed ORDER BY 1, 2;');
  assert.equal(await reviewed(dir), `0|${wnid(2)}\n1|${wnid(0)}\n1|${wnid(1)}\n`);
  await says(['import', 'reviews', dir, ...files], /9 read, 0 new/);

  const was = await sql(dir, '.dump');
  await fails(['import', 'reviews', dir, files[0], put(t, 'set-b-7_review.json', review(0))], /set-b-7_review\.json:1: there is no revision set-b-7/);
  await fails(['import', 'reviews', dir, ...files, '--set', 'set-b/1'], /--set set-b\/1 is one revision, but there are 3 files/, { code: 2 });
  await fails(['import', 'reviews', dir, files[0], put(t, 'x-b-1_review.json', review(0)), '--set', 'set-b'], /the review of set-b\/1 appears twice/);
  await fails(['import', 'reviews', dir, files[0], put(t, 'set-b-2_review.json', JSON.stringify({ n9: { reviewed: true, problematic: true } }))],
    /set-b-2_review\.json: entry 1: class n9 is not in the project/);
  await fails(['import', 'reviews', dir, files[0], put(t, 'set-b-2_wnids.txt', `${wnid(0)}\n${wnid(1)}\n`)],
    /set-b-2_wnids\.txt:1: .*; the file must be a JSON object, \{\.\.\.\}\. Nothing was written\./);
  assert.equal(await sql(dir, '.dump'), was);
  /* Under another name the numbers are the published ones. */
  await must(['import', 'set', dir, 'mine', put(t, 'h.jsonl', `${JSON.stringify({ name: 'set-b-0', add: [[name(0), wnid(0)]], remove: [] })}\n`)]);
  await says(['import', 'reviews', dir, put(t, 'set-b-0_review.json', JSON.stringify({ [wnid(0)]: { reviewed: true, problematic: true } })), '--set', 'mine'], /1 revisions/);
});

test('messages count what was in the file', async (t) => {
  const dir = copyOf(t, study);
  await says(['import', 'near-duplicates', dir, put(t, 'e.csv', 'a,b\na,b\nb,a\nb,c\nc,c\n')], /Pairs of near-duplicates: 2 in the 4 rows read, 2 new\.\n1 rows? name/);
  await says(['import', 'near-duplicates', dir, put(t, 'e.json', '{"b": ["a", "c"], "a": ["b"]}')], /2 in the 3 rows read, 0 new/);
  await says(['import', 'review-thresholds', dir, put(t, 'r.csv', `image,metric,min_unreviewed_distance\n${name(0)},l2,1\n${name(1)},missing,\n`)],
    /Review distances: 4 in the 2 rows read, 4 new/);
  await says(['import', 'blacklist', dir, put(t, 'b.csv', 'image,reason\na,unclear\nb,unclear\na,unclear\n')], /Blacklist entries: 2 in the 3 rows read, 2 new/);
});

test('a set with the name of a revision is pointed out', async (t) => {
  const dir = copyOf(t, study);
  await must(['import', 'sets', dir, put(t, 'set-b-0.json', DATASETS[0].text)]);
  const rows = `image,wnid\n${name(5)},${wnid(2)}\n`;
  await says(['import', 'set', dir, 'set-b-0', put(t, 's.csv', rows)], /The set set-b-0 has the name under which the revision set-b\/0 is published/);
  const quiet = await says(['import', 'set', dir, 'set-b-7', put(t, 's.csv', rows)], /is a new revision/);
  assert.doesNotMatch(quiet.err, /has the name under which/);
  await says(['import', 'sets', dir, put(t, 'set-b-7.json', DATASETS[2].text.replace('set-b-1', 'set-b-0'))], /The set set-b-\d has the name under which the revision set-b\/\d is published/);
});
