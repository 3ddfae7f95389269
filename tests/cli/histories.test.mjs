/* Histories from the command line: blacklist, near-duplicates, reviews of neighbours, revisions and their reviews. What
 * is refused says where and writes nothing, published forms mean the same as ours, a killed import is completed by the
 * next, `check`, backups and the audit know of all of it. The published study: tests/golden/histories.test.mjs. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { before, test } from 'node:test';

import { faultBin, holdout, must, newProject, tempDir, wholeFile } from '../http/lib.mjs';
import { png } from '../http/study.mjs';
import { FaultFile } from '../load/tools.mjs';
import { copyOf, fails, put, says, sql } from './tools.mjs';

const whole = wholeFile();
const wnid = (k) => `n0000000${k + 1}`;
const name = (i) => `image-${String(i).padStart(4, '0')}`;
const range = (from, to) => Array.from({ length: to - from }, (_, i) => from + i);
const pairs = (images) => images.map((i) => [name(i), wnid(i % 3)]);
const jsonl = (rows) => rows.map((row) => `${JSON.stringify(row)}\n`).join('');
let study; /* four classes and nothing else; copied by who changes it */

/* Three revisions of two images a class; the second lacks one, the third is as long as the first again. */
const HISTORY = [
  { name: 'mine-b-0', parent: null, size: 6, is_valid: true, target_size: 6, seed: 1, add: pairs(range(0, 6)), remove: [] },
  { name: 'mine-b-1', parent: 'mine-b-0', size: 5, is_valid: false, target_size: 6, seed: 2, add: pairs([6]), remove: [name(0), name(1)] },
  { name: 'mine-b-2', parent: 'mine-b-1', size: 6, is_valid: true, target_size: 6, seed: 3, add: pairs([7]), remove: [] },
];

before(async () => {
  study = await newProject(whole);
  const file = path.join(tempDir(whole), 'classes.csv');
  fs.writeFileSync(file, ['cid,wnid,synset,gloss,wikipedia', ...range(0, 4).map((k) => `${k},${wnid(k)},thing ${k},a thing,`)].join('\n'));
  await must(['import', 'classes', study, file]);
});

/* Every statement that was made about images, without numbers of events. */
const said = (dir) => sql(dir, 'SELECT name, banned, reason, note FROM blacklisting ORDER BY 1; SELECT a, b, same FROM near_duplicate ORDER BY 1, 2;'
  + ' SELECT name, keep FROM near_duplicate_keep ORDER BY 1; SELECT name, metric, distance FROM review_distance ORDER BY 1, 2;'
  + ' SELECT name, metric, reviewer, date, neighbours FROM neighbour_review ORDER BY 1, 2, 3, 4;');
const revisions = (dir) => sql(dir, "SELECT s.name, r.number, p.number, r.valid, hex(l.digest), json_extract(r.parameters, '$.dataset.seed'), t.state FROM revision r"
  + ' JOIN image_set s ON s.id = r.image_set JOIN set_list l ON l.id = r.list LEFT JOIN revision p ON p.id = r.parent'
  + ' JOIN revision_state t ON t.revision = r.id ORDER BY 1, 2; SELECT count(*) FROM set_list; SELECT name FROM image ORDER BY name;');
const reviews = (dir) => sql(dir, 'SELECT r.number, k.wnid, w.reviewed, w.problematic FROM class_review w JOIN revision r ON r.id = w.revision'
  + ' JOIN class k ON k.id = w.class ORDER BY 1, 2, w.event;');

test('files that are refused name the place, and nothing is written', async (t) => {
  const dir = copyOf(t, study);
  await must(['import', 'sets', dir, put(t, 'h.jsonl', jsonl(HISTORY.slice(0, 1)))]);
  const was = await sql(dir, '.dump');
  const [first, second] = HISTORY;
  const long = 'x'.repeat(501);
  const cases = [
    ['blacklist', 'image,reason\na,wrong class\na,unclear\n', /:3: image a is in the list with another reason in line 2/],
    ['blacklist', 'image,reason_code\na,3\n', /gives reasons as codes: name the file/],
    ['blacklist', `image,reason\na,${long}\n`, /:2: The note on a reason must be text of at most 500 bytes/],
    ['blacklist', 'image,reason\n,unclear\n', /:2: an image's name has/],
    ['blacklist', 'picture\na\n', /image/],
    ['blacklist', '{"a": 1}', /: entry 1: the reason of a is not text/],
    ['blacklist', '{"a": "x",\n\n "b": 1}', /: entry 2: the reason of b/],
    ['blacklist', '["a"]', /f: the file must be a JSON object, \{\.\.\.\}\. Nothing was written/],
    ['blacklist', '{"a": "x", "a": "y"}', /duplicate/],
    ['near-duplicates', 'a,b\nx,\n', /:2: an image's name has/],
    ['near-duplicates', 'a,c\nx,y\n', /\bb\b/],
    ['near-duplicates', '{"x": "y"}', /: entry 1: the near-duplicates of x are not a list/],
    ['near-duplicates', '{"x": [1]}', /: entry 1: the near-duplicates of x are not all names/],
    ['near-duplicates', '[["x", "y"]]', /f: the file must be a JSON object/],
    ['override', '["x", 1]', /: entry 2: this is not an image's name/],
    ['override', '{"x": 1}', /f: the file must be a JSON list/],
    ['override', `${'x'.repeat(256)}\n`, /:1: an image's name has/],
    ['review-thresholds', 'image,metric,min_unreviewed_distance\na,l2,1\na,l2,2\n', /:3: another distance of a by l2 is in line 2/],
    ['review-thresholds', 'image,metric,min_unreviewed_distance\na,l3,1\n', /:2: This project finds neighbours by l2, fc7, dssim, not by "l3"/],
    ['review-thresholds', 'image,metric,min_unreviewed_distance\na,l2,-1\n', /:2: The distance of a neighbour of a is below 0/],
    ['review-thresholds', 'image,metric,min_unreviewed_distance\na,l2,inf\n', /:2: min_unreviewed_distance must be a number/],
    ['nn-reviews', jsonl([{ image: 'a', metric: 'l2', reviewer: 'x', date: 'd', references: ['b', 7] }]), /:1: a review must have reviewer, date and references/],
    ['nn-reviews', '[{"image": "a"}]', /f: the file must be a JSON object/],
    ['nn-reviews', '{"b": {},\n "a": [{"metric": "l2"}]}', /: entry 2: the reviews of a are not an object/],
    ['nn-reviews', jsonl([{ image: 'a', metric: 'l9', reviewer: 'x', date: 'd', references: [] }]), /:1: This project finds neighbours by/],
    ['sets', jsonl([{ ...second, parent: 'mine-b-9' }]), /:1: the parent mine-b-9 of mine-b-1 is neither in the files nor in the project/],
    ['sets', jsonl([{ ...second, remove: [name(9)] }]), /:1: image image-0009 is removed, but the parent of mine-b-1 does not have it/],
    ['sets', jsonl([{ ...second, add: pairs([2]) }]), /:1: image image-0002 is added, but it is already in mine-b-1/],
    ['sets', jsonl([{ ...second, size: 7 }]), /:1: mine-b-1 says that it has 7 images, but has 5/],
    ['sets', jsonl([{ ...second, sha256_sorted: 'ab' }]), /:1: sha256_sorted of mine-b-1 does not match its images/],
    ['sets', jsonl([{ ...second, add: [[name(6), 'n99999999']] }]), /:1: class n99999999 is not in the project/],
    ['sets', jsonl([{ ...first, size: undefined, add: pairs(range(0, 5)) }]), /:1: the project already has mine-b\/0 with other images/],
    ['sets', jsonl([{ ...second, parent: 'mine-b-1' }]), /:1: revision mine-b-1 names itself as its parent/],
    ['sets', jsonl([first, first]), /:2: revision mine-b-0 appears twice/],
    ['sets', jsonl([{ name: 'x-1', add: pairs([0]) }, { name: 'x-01', add: pairs([1]) }]), /:2: revision x-01 is number 1 of the set x, and so is x-1 in line 1/],
    ['sets', jsonl([{ ...second, name: 'other-1' }]), /:1: the parent mine-b-0 of other-1 belongs to the set mine-b/],
    ['sets', jsonl([{ name: 'a b-1', add: [] }]), /The name of a set must be/],
    ['sets', jsonl([{ name: 'x-1', images: [] }]), /:1: a revision must list its images as "add" and "remove", or as "image_filenames"/],
    ['sets', '', /has no revision/],
    ['reviews', jsonl([{ name: 'mine-b-4', not_reviewed: [], problematic: [] }]), /:1: there is no revision mine-b-4; import it first/],
    ['reviews', jsonl([{ name: 'mine-b-0', not_reviewed: ['n9'], problematic: [] }]), /:1: class n9 is not in the project/],
    ['reviews', jsonl([{ name: 'mine-b-0', not_reviewed: [] }]), /:1: a review must have name, and the lists of classes not_reviewed and problematic/],
  ];
  for (const [what, text, message] of cases) await fails(['import', what, dir, put(t, 'f', text)], message);
  const one = put(t, 'one.json', JSON.stringify({ [wnid(0)]: { reviewed: true } }));
  await fails(['import', 'reviews', dir, one], /one\.json:1: there is no revision one; import it first, or name another with --set SET\/NUMBER/);
  await fails(['import', 'reviews', dir, one, '--set', 'mine-b/0'], /: entry 1: class n00000001 has no reviewed and problematic/);
  await fails(['import', 'reviews', dir, put(t, 'list', '[]'), '--set', 'mine-b/0'], /list: the file must be a JSON object/);
  await fails(['import', 'sets', dir, put(t, 'o', jsonl([second])), '--role', 'original'], /has the role "new"/);
  const numbers = [{ name: 'x-1', add: pairs([0]) }, { name: 'plain', add: pairs([1]) }, { name: 'y-1', add: pairs([2]) }, { name: 'bare', add: pairs([3]) }];
  const twice = await fails(['import', 'set', dir, 'one', put(t, 'n', jsonl(numbers))], /:3: revision y-1 is number 1 of the set one, and so is x-1 in line 1/);
  assert.match(twice.err, /:4: revision bare is number 0 of the set one, and so is plain in line 2/);
  for (const args of [['review-status', dir, 'none'], ['diff', dir, 'mine-b', 'mine-b/7'], ['audit', dir, 'none/1']]) {
    assert.equal((await fails(args, /There is no (image set|revision)/)).out.split('\n').length <= 2, true);
  }
  assert.equal(await sql(dir, '.dump'), was);
});

test('published forms mean the same as CSV and JSON lines', async (t) => {
  const [ours, theirs] = [copyOf(t, study), copyOf(t, study)];
  const review = { reviewer: 'one', date: '2018-10-12', references: ['b', 'c'] };
  const files = [
    ['blacklist', 'image,reason\na,Drawing\nb,not a skunk\n', '{"a": "Drawing", "b": "not a skunk"}'],
    ['near-duplicates', 'a,b\na,b\nb,a\nb,c\nc,c\n', '{"b": ["a", "c"]}'],
    ['override', 'a\n\nb\n', '["b", "a"]'],
    ['nn-reviews', jsonl([{ image: 'a', metric: 'fc7', ...review }]), JSON.stringify({ a: { fc7: review } })],
  ];
  for (const [what, own, published] of files) {
    await must(['import', what, ours, put(t, 'own', own)]);
    await must(['import', what, theirs, put(t, 'published', published)]);
  }
  assert.equal(await said(ours), await said(theirs));
  assert.match(await said(ours), /^a\|1\|drawing\|Drawing\nb\|1\|class\|not a skunk\na\|b\|1\nb\|c\|1\na\|1\nb\|1\na\|fc7\|one\|/);

  await must(['import', 'sets', ours, put(t, 'history.jsonl', jsonl(HISTORY))]);
  const images = new Map();
  const datasets = HISTORY.map((line) => {
    line.remove.forEach((image) => images.delete(image));
    line.add.forEach(([image, label]) => images.set(image, label));
    return put(t, `${line.name}.json`, JSON.stringify({ seed: line.seed, is_valid: line.is_valid, target_size: 6,
      starting_from: line.parent && `../data/datasets/${line.parent}.json`, image_filenames: [...images] }, null, 1));
  });
  await must(['import', 'sets', theirs, ...datasets]);
  assert.equal(await revisions(ours), await revisions(theirs));
  const state = [{ name: 'mine-b-0', not_reviewed: [wnid(1)], problematic: [wnid(0)] }];
  await says(['import', 'reviews', ours, put(t, 'r.jsonl', jsonl(state))], /Reviews of classes: 3 in the 1 row read, 2 new\./);
  await must(['import', 'reviews', theirs, put(t, 'r.json', JSON.stringify(Object.fromEntries(
    [0, 1, 2].map((k) => [wnid(k), { reviewed: k !== 1, problematic: k === 0 }])))), '--set', 'mine-b/0']);
  assert.equal(await reviews(ours), await reviews(theirs));
  assert.equal(await reviews(ours), `0|${wnid(0)}|1|1\n0|${wnid(2)}|1|0\n`);
});

test('reasons become words of the list, and stay as they were written', async (t) => {
  const dir = copyOf(t, study);
  const file = put(t, 'black.csv', 'image,reason_code\na,0\nb,1\nc,7\n');
  fs.writeFileSync(path.join(path.dirname(file), 'black_reasons.csv'), 'code,count,reason\n0,9,invalid image (selected)\n1,1,wrong class\n');
  await fails(['import', 'blacklist', dir, file], /:4: reason code 7 is not in the file of reasons/);
  const codes = put(t, 'codes.csv', 'code,reason\n0,painting\n1,very small fox\n7,unclear and near-duplicate of x\n');
  await must(['import', 'blacklist', dir, file, '--reasons', codes]);
  assert.equal(await said(dir), 'a|1|drawing|painting\nb|1|unclear|very small fox\nc|1|near-duplicate|unclear and near-duplicate of x\n');
  const without = put(t, 'plain.csv', 'image\nd\n');
  await says(['import', 'blacklist', dir, without, '--dry-run'], /Blacklist entries: 1 read, 1 new \(dry run\)/);
  await must(['import', 'blacklist', dir, without]);
  const own = put(t, 'own.csv', 'image,reason,note\na,harmful,\nd,other,too dark\n');
  await says(['import', 'blacklist', dir, own], /2 read, 2 new/);
  assert.equal(await sql(dir, "SELECT reason, note FROM blacklisting WHERE name IN ('a', 'd') ORDER BY name, event;"),
    'drawing|painting\nharmful|\nother|imported without a reason\nother|too dark\n', 'nothing is forgotten');
  const out = await must(['export', 'blacklist', dir]);
  assert.equal(out, 'image,reason,note\na,harmful,\nb,unclear,very small fox\nc,near-duplicate,unclear and near-duplicate of x\nd,other,too dark\n');
  await says(['import', 'blacklist', dir, put(t, 'again.csv', out)], /4 read, 0 new/);
  const elsewhere = copyOf(t, study);
  await must(['import', 'blacklist', elsewhere, put(t, 'again.csv', out)]);
  assert.equal(await must(['export', 'blacklist', elsewhere]), out);
});

test('a history under another name, its status, and what differs', async (t) => {
  const dir = copyOf(t, study);
  const file = put(t, 'h.jsonl', jsonl(HISTORY));
  await says(['import', 'set', dir, 'v2', file, '--dry-run'], /3 revisions of 8 images read, 8 of these are new to the project \(dry run\)/);
  await says(['import', 'set', dir, 'v2', file, '--sealed'], /3 new revisions, sealed/);
  await says(['import', 'set', dir, 'v2', file, '--sealed'], /0 new revisions/);
  await must(['import', 'reviews', dir, '--set', 'v2', put(t, 'r.jsonl', jsonl([
    { name: 'mine-b-0', not_reviewed: [], problematic: [wnid(2)] }, { name: 'mine-b-1', not_reviewed: [wnid(0)], problematic: [] }]))]);
  await must(['import', 'blacklist', dir, put(t, 'b.csv', `image,reason\n${name(0)},unclear\n${name(3)},unclear\n`)]);
  const rows = (await must(['review-status', dir, 'v2'])).trim().split('\n').slice(1).map((line) => line.split(','));
  assert.deepEqual(rows.map((r) => [...r.slice(0, 15), r[16]]), [
    ['mine-b-0', '', '6', '1', '', '', '', '0', '0', '', '3', '1', '2', 'v2/0', 'sealed', ''],
    ['mine-b-1', 'mine-b-0', '5', '0', '1', '2', '2', '1', '1', '0', '2', '0', '1', 'v2/1', 'sealed', wnid(1)],
    ['mine-b-2', 'mine-b-1', '6', '1', '1', '0', '1', '0', '0', '1', '0', '0', '1', 'v2/2', 'sealed', ''],
  ]);
  assert.equal((await must(['review-status', dir, 'v2/1'])).trim().split('\n')[1], rows[1].join());
  assert.equal(await must(['review-status', dir]), await must(['review-status', dir, 'v2']));
  assert.equal((await says(['diff', dir, 'v2/0', 'v2/2'], /2 added, 2 removed, in 2 classes/)).out,
    `change,image,wnid,reason\nremoved,${name(0)},${wnid(0)},\nremoved,${name(1)},${wnid(1)},\nadded,${name(6)},${wnid(0)},\nadded,${name(7)},${wnid(1)},\n`);
  /* A list without a word about its size: as many as most classes have. */
  await must(['import', 'set', dir, 'plain', put(t, 'l.csv', `image,wnid\n${pairs([0, 1, 2, 3, 4]).map((p) => p.join()).join('\n')}\n`), '--sealed']);
  assert.match(await must(['review-status', dir, 'plain']), new RegExp(`\nplain/0,,5,0,,,,1,1,,0,0,2,plain/0,sealed,[0-9a-f]{64},${wnid(2)}\n$`));
});

test('a file of review distances replaces what was known', async (t) => {
  const dir = copyOf(t, study);
  const distances = (...rows) => put(t, 'd.csv', ['image,metric,min_unreviewed_distance', ...rows].map((row) => `${row}\n`).join(''));
  const known = () => sql(dir, 'SELECT name, metric, distance, max(event) AS e FROM review_distance GROUP BY 1, 2 ORDER BY 1, 2;')
    .then((out) => out.trim().split('\n').map((line) => line.split('|').slice(0, 3).join(' ')));
  await says(['import', 'review-thresholds', dir, distances('a,l2,5', 'a,fc7,6', 'b,missing,0', 'c,l2,1')], /6 in the 4 rows read, 6 new\./);
  const second = distances('a,l2,5', 'c,l2,2');
  const before = await sql(dir, '.dump');
  await says(['import', 'review-thresholds', dir, second, '--dry-run'], /2 read, 1 new \(dry run\)[^]*4 images known earlier are not listed and count as cleared[^]*\(dry run\)/);
  assert.equal(await sql(dir, '.dump'), before);
  await says(['import', 'review-thresholds', dir, second], /2 read, 1 new\.[^]*4 images known earlier are not listed and count as cleared/);
  const cleared = ['a fc7 1.0e+100', 'a l2 5.0', 'b dssim 1.0e+100', 'b fc7 1.0e+100', 'b l2 1.0e+100', 'c l2 2.0'];
  assert.deepEqual(await known(), cleared);
  const was = await sql(dir, '.dump');
  const again = await says(['import', 'review-thresholds', dir, second], /2 read, 0 new\./);
  assert.doesNotMatch(again.err, /cleared/);
  assert.equal(await sql(dir, '.dump'), was);
  await fails(['import', 'review-thresholds', dir, distances('a,l2,-1')], /:2: The distance/);
  assert.equal(await sql(dir, '.dump'), was);
});

test('an audit finds everything that is wrong, whoever made the set', async (t) => {
  const dir = copyOf(t, study);
  const pictures = path.join(tempDir(t), 'pictures');
  fs.mkdirSync(path.join(pictures, wnid(0)), { recursive: true });
  for (const one of ['gone.png', 'there.png']) fs.writeFileSync(path.join(pictures, wnid(0), one), png(one, 40, 30));
  await must(['import', 'images', dir, pictures]);
  await must(['import', 'image-list', dir, put(t, 'i.csv', `image,wnid,kind\nval-1,${wnid(1)},val\nval-2,${wnid(1)},val\nmoved,${wnid(2)},cand\n`)]);
  const members = ['gone', 'there', 'val-1', 'moved', 'banned', 'twin-1', 'twin-2', 'copy'];
  await must(['import', 'set', dir, 's', put(t, 's.csv', `image,wnid\n${members.map((m) => `${m},${wnid(/gone|there/.test(m) ? 0 : 1)}`).join('\n')}\n`)]);
  await must(['import', 'blacklist', dir, put(t, 'b.csv', 'image,reason\nbanned,harmful\n')]);
  await must(['import', 'near-duplicates', dir, put(t, 'n.csv', 'a,b\ntwin-1,elsewhere\nelsewhere,twin-2\ncopy,val-2\ncopy,n00000001_7.JPEG\n')]);
  const [file] = (await sql(dir, "SELECT lower(hex(s.sha256)) FROM image i JOIN source s ON s.id = i.source WHERE i.name = 'gone';")).trim().split('\n');
  fs.rmSync(path.join(dir, 'images', file.slice(0, 2), `${file}.source`));
  const rows = [
    `blacklisted,${wnid(1)},banned,harmful`,
    `component_has_imagenet_image,${wnid(1)},copy,n00000001_7.JPEG val-2`,
    `missing_file,${wnid(0)},gone,`,
    `original_image,${wnid(1)},val-1,`,
    `same_component,${wnid(1)},twin-1 twin-2,through images that the project has not`,
    `wrong_class,${wnid(1)},moved,${wnid(2)}`,
  ];
  assert.deepEqual((await must(['audit', dir, 's'])).trim().split('\n').slice(1), rows);
  const few = (await must(['audit', dir, 's', '--answers', '3'])).trim().split('\n').filter((r) => r.startsWith('few_assignments'));
  assert.equal(few.length, members.length);
  assert.equal(few[0], `few_assignments,${wnid(0)},gone,0 of 3 answers`);
  await fails(['audit', dir, 's', '--strict'], /the audit of s\/0 found something/);

  /* Classes that were imported before their names had to be plain. */
  await sql(dir, `UPDATE class SET wnid = 'a "b", c' WHERE wnid = '${wnid(1)}';`);
  assert.equal((await must(['audit', dir, 's'])).split('\n').find((r) => r.startsWith('blacklisted')), 'blacklisted,"a ""b"", c",banned,harmful');
  assert.match(await must(['export', 'near-duplicates', dir, '--images']), /^copy,"a ""b"", c",/m);
  await must(['import', 'set', dir, 's', put(t, 's2.csv', `image,wnid\ngone,${wnid(0)}\nthere,${wnid(0)}\ncopy,"a ""b"", c"\n`)]);
  assert.match(await must(['review-status', dir, 's/1']), /,"a ""b"", c"\n$/);
  await fails(['audit', dir, 's', '--answers', '-1'], /answers/, { code: 2 });
});

test('killed imports are completed by the next', async (t) => {
  const big = range(0, 400);
  const history = [{ name: 'big-0', add: pairs(big) }, { name: 'big-1', parent: 'big-0', add: pairs(range(400, 700)), remove: big.slice(0, 300).map(name) }];
  const steps = [
    ['blacklist', put(t, 'b.csv', `image,reason\n${big.map((i) => `${name(i)},unclear`).join('\n')}\n`)],
    ['near-duplicates', put(t, 'n.csv', `a,b\n${big.map((i) => `${name(i)},${name(i + 1)}`).join('\n')}\n`)],
    ['sets', put(t, 'h.jsonl', jsonl(history))],
    ['reviews', put(t, 'r.jsonl', jsonl(history.map((h) => ({ name: h.name, not_reviewed: [wnid(0)], problematic: [wnid(1)] }))))],
  ];
  const state = async (dir) => await said(dir) + await revisions(dir) + await reviews(dir);
  const reference = copyOf(t, study);
  for (const [what, file] of steps) await must(['import', what, reference, file]);
  const whole_ = await state(reference);
  let kills = 0;
  for (const n of [1, 2, 4, 7]) {
    const dir = copyOf(t, study);
    const faults = new FaultFile(tempDir(t));
    for (const [what, file] of steps) {
      faults.killAfter(n);
      const r = await holdout(['import', what, dir, file], { binary: faultBin, env: faults.env });
      assert.ok(r.signal === 'SIGKILL' || r.code === 0, r.err);
      kills += r.signal === 'SIGKILL';
      faults.killAfter(0);
      await must(['import', what, dir, file]);
    }
    faults.close();
    assert.equal(await state(dir), whole_, `killed at write ${n}`);
    await must(['check', dir]);
  }
  assert.ok(kills >= 4, `${kills} kills`);
});

test('backups have all of it, and check finds what was damaged', async (t) => {
  const dir = copyOf(t, study);
  await must(['import', 'blacklist', dir, put(t, 'b.csv', 'image,reason\na,unclear\n')]);
  await must(['import', 'near-duplicates', dir, put(t, 'n.csv', 'a,b\na,b\n')]);
  await must(['import', 'override', dir, put(t, 'o.txt', 'a\n')]);
  await must(['import', 'review-thresholds', dir, put(t, 't.csv', 'image,metric,min_unreviewed_distance\na,l2,5\nb,missing,0.0\n')]);
  await must(['import', 'nn-reviews', dir, put(t, 'r.jsonl', jsonl([{ image: 'a', metric: 'l2', reviewer: 'x', date: 'd', references: ['b'] }]))]);
  await must(['import', 'sets', dir, put(t, 'h.jsonl', jsonl(HISTORY))]);
  await must(['import', 'reviews', dir, put(t, 's.jsonl', jsonl([{ name: 'mine-b-0', not_reviewed: [], problematic: [] }]))]);
  const target = path.join(tempDir(t), 'backup');
  const again = path.join(tempDir(t), 'again');
  await must(['backup', dir, target]);
  await must(['restore', target, again]);
  assert.equal(await said(again), await said(dir));
  assert.equal(await revisions(again), await revisions(dir));
  assert.equal(await must(['review-status', again]), await must(['review-status', dir]));

  await must(['check', dir]);
  const sampled = 'UPDATE revision SET seed = 1, as_of = 1, newest_image = 1, vote_view = (SELECT min(id) FROM vote_view), inputs = \'{}\', facts = \'{}\'';
  const damage = [
    ["UPDATE blacklisting SET reason = '';", /^database: blacklist entry of a .* has no matching reason/m],
    ["UPDATE neighbour_review SET neighbours = '7';", /^database: review of neighbours of a does not list names/m],
    ['UPDATE revision SET parent = id WHERE number = 1;', /^database: revision \d+ has a parent of another set, or a later one/m],
    ['UPDATE revision SET seed = 1;', /^database: revision \d+ was sampled, but it is not recorded from what/m],
    ["UPDATE revision SET removals = x'00';", /^database: revision \d+ has removals that cannot be read/m],
    ['UPDATE class_review SET carried = 1;', /^database: review of class \d+ in revision \d+ was not carried over when it was made/m],
    [`${sampled} WHERE number = 1;`, /^set: mine-b\/1 does not give exactly one reason for each image of its parent that is gone/m],
    [`${sampled} WHERE number = 2; INSERT INTO class_review (revision, class, event, reviewed, problematic, carried) SELECT r.id, k.id, r.id, 1, 0, 1 FROM revision r, class k WHERE r.number = 2 AND k.wnid = '${wnid(1)}';`,
      /^set: mine-b\/2 carried over the final review of classes whose images changed/m],
  ];
  for (const [change, message] of damage) {
    const broken = path.join(tempDir(t), 'broken');
    fs.cpSync(dir, broken, { recursive: true });
    await sql(broken, change);
    const r = await holdout(['check', broken]);
    assert.equal(r.code, 1, change);
    assert.match(r.out, message);
  }
});
