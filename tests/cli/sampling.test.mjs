/* Sampling from the command line: plans in sentences, revisions that replace what was decided against and nothing
 * else, replays, and requests that are refused with nothing half-made. The published study: tests/golden. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { before, test } from 'node:test';

import { holdout, linesIn, must, newProject, tempDir, wholeFile } from '../http/lib.mjs';
import { copyOf, fails, put, says, sql } from './tools.mjs';

const whole = wholeFile();

const CLASSES = 3;
const CANDIDATES = 12; /* of each class but the last, which has none; candidate j was selected by j of 10 */
const ORIGINALS = 4;   /* of each class; original j was selected by 7 + j of 10 */
const range = (n) => Array.from({ length: n }, (_, i) => i);
const wnid = (c) => `n0000000${c + 1}`;
const candidate = (c, j) => `cand-${c}-${String(j).padStart(2, '0')}`;
const number = (c, j) => c * CANDIDATES + j;
const original = (c, j) => 100 + c * ORIGINALS + j;
let study;

const listOf = async (dir, revision) => (await must(['export', 'set', dir, revision])).trimEnd().split('\n').slice(1);
const images = async (dir, revision) => (await listOf(dir, revision)).map((line) => line.split(',')[0]).sort();

/* One grid a class: its candidates, and its originals as positive controls; ten answers. */
function hitOf(c) {
  const label = c < CLASSES - 1 ? range(CANDIDATES).map((j) => number(c, j)) : [];
  const pos = range(ORIGINALS).map((j) => original(c, j));
  return { hit: c, uuid: `hit-${c}`, wnid: wnid(c), time: '2018-10-01 00:00:00', source_file: 'f', excluded: '', label, pos, neg: [], all: [...label, ...pos] };
}
function answerOf(c, v) {
  const { label, pos } = hitOf(c);
  let mask = 0n;
  label.forEach((_, j) => { if (v < j) mask |= 1n << BigInt(j); });
  pos.forEach((_, j) => { if (v < 7 + j) mask |= 1n << BigInt(label.length + j); });
  return `${c * 10 + v},${c},w${v},A,1538352000,60,${mask.toString(16).padStart(12, '0')}`;
}

before(async () => {
  study = await newProject(whole);
  const write = linesIn(tempDir(whole));
  const image = (idx, name, c, kind) => `${idx},${name},${wnid(c)},${kind},,`;
  const steps = [
    ['classes', write('classes.csv', ['cid,wnid,synset,gloss,wikipedia', ...range(CLASSES).map((c) => `${c},${wnid(c)},thing ${c},a thing,`)])],
    ['image-list', write('images.csv', ['idx,image,wnid,kind,source_id,date_taken',
      ...range(CLASSES - 1).flatMap((c) => range(CANDIDATES).map((j) => image(number(c, j), candidate(c, j), c, 'cand'))),
      ...range(CLASSES).flatMap((c) => range(ORIGINALS).map((j) => image(original(c, j), `orig-${c}-${j}`, c, 'val')))])],
    ['hits', write('hits.jsonl', range(CLASSES).map((c) => JSON.stringify(hitOf(c))))],
    ['votes', write('votes.csv', ['assignment,hit,worker,status,accept_time,duration_s,mask_hex',
      ...range(CLASSES).flatMap((c) => range(10).map((v) => answerOf(c, v)))])],
  ];
  for (const [what, file] of steps) await must(['import', what, study, file]);
});

const TOP = ['--strategy', 'top', '--size', '3'];
const best = (c, ...js) => js.map((j) => candidate(c, j));

test('a revision replaces what was decided against, and nothing else', async (t) => {
  const dir = copyOf(t, study);
  const first = await says(['sample', dir, '--set', 'top', ...TOP], /n00000003: needs 3 more, 0 candidates there\.\n(.*\n)*top\/0: 6 images, incomplete/);
  assert.equal(first.out, 'top/0\n');
  assert.deepEqual(await images(dir, 'top/0'), [...best(0, 9, 10, 11), ...best(1, 9, 10, 11)]);
  await must(['import', 'blacklist', dir, put(t, 'b.csv', `image,reason\n${candidate(0, 10)},drawing\n`)]);
  await must(['import', 'near-duplicates', dir, put(t, 'n.csv', `a,b\n${candidate(1, 11)},orig-0-1\n${candidate(1, 3)},n01440764_18.JPEG\n`)]);
  const next = JSON.parse(await must(['sample', dir, '--set', 'top', '--parent', 'top/0', '--json', ...TOP]));
  assert.deepEqual([next.set, next.number, next.images, next.valid], ['top', 1, 6, false]);
  assert.deepEqual([next.facts.removed, next.facts.added, next.facts.carried, next.facts.missing], [2, 2, 4, 3]);
  assert.deepEqual(next.facts.short, [{ wnid: wnid(2), missing: 3, originals: 0, few_originals: false }]);
  assert.deepEqual(await images(dir, 'top/1'), [...best(0, 8, 9, 11), ...best(1, 8, 9, 10)]);

  /* image, class, reason: 0 blacklisted, 3 near-duplicate */
  const removals = await sql(dir, "SELECT hex(removals) FROM revision WHERE number = 1;");
  const ids = (await sql(dir, `SELECT id FROM image WHERE name IN ('${candidate(0, 10)}', '${candidate(1, 11)}') ORDER BY name;`)).trim().split('\n').map(Number);
  const bytes = Buffer.from(removals.trim(), 'hex');
  assert.deepEqual([0, 9].map((at) => [bytes.readUInt32LE(at), bytes[at + 8]]), [[ids[0], 0], [ids[1], 3]]);
  assert.equal(bytes.length, 18);

  /* The earlier one comes out again as it was before these decisions; a name of the study's own form works too. */
  await says(['sample', dir, '--replay', 'top/0'], /^top\/0 comes out the same: 6 images in the same order\.\n$/);
  await says(['sample', dir, '--replay', 'top-1'], /^top\/1 comes out the same/);
  assert.deepEqual(await listOf(dir, 'top-0'), await listOf(dir, 'top/0'));
  await must(['check', dir]);
});

test('the next revision is sampled as its parent was, and says what is otherwise', async (t) => {
  const dir = copyOf(t, study);
  const own = `${wnid(0)}=.5,${wnid(1)}=.25`;
  const how = {
    k: ['--strategy', 'threshold', '--thresholds', own, '--size', '5', '--answers', '8', '--seed', '41'],
    m: ['--strategy', 'matched', '--size', '4', '--answers', '7', '--originals-least', '3', '--original-answers', '6', '--upward'],
  };
  for (const [set, options] of Object.entries(how)) {
    await must(['sample', dir, '--set', set, ...options, '--quiet']);
    const was = await images(dir, `${set}/0`);
    const lost = was.at(set === 'k' ? -1 : 0);
    await must(['import', 'blacklist', dir, put(t, 'b.csv', `image,reason\n${lost},drawing\n`)]);
    const plan = await says(['sample', dir, '--parent', `${set}/0`, '--plan'], new RegExp(`\\nCompared with ${set}/0: replaces 1: 1 blacklisted\\. \\d+ of its images stay\\.\\n$`));
    assert.doesNotMatch(plan.err, /instead of/);
    const next = JSON.parse(await must(['sample', dir, '--parent', `${set}/0`, '--json']));
    assert.deepEqual([next.set, next.number, next.facts.removed, next.facts.added, next.facts.changes], [set, 1, 1, 1, []]);
    const is = await images(dir, `${set}/1`);
    assert.deepEqual(was.filter((name) => !is.includes(name)), [lost]);
    assert.equal(is.length, was.length);
    await says(['sample', dir, '--replay', `${set}/1`], /comes out the same/);
    const parameters = async (n) => {
      const { parent, newest_class: _, ...rest } = JSON.parse(await sql(dir, `SELECT parameters FROM revision r JOIN image_set s ON s.id = r.image_set WHERE s.name = '${set}' AND r.number = ${n};`));
      return [parent, rest];
    };
    assert.deepEqual((await parameters(1))[1], (await parameters(0))[1]);
    assert.equal((await parameters(1))[0], `${set}/0`);
  }
  /* What an option says overrides, and is said: also another strategy, which drops what only the one before looks at. */
  const changed = await says(['sample', dir, '--parent', 'm/1', '--answers', '11', '--no-upward', '--plan'],
    /Compared with m\/1: answers 11 instead of 7\.\n(.*\n)*Compared with m\/1: removes 8 and adds 0: 8 too few answers\. \d+ of its images stay\.\n/);
  assert.match(changed.err, /Compared with m\/1: upward no instead of yes\./);
  await says(['sample', dir, '--parent', 'm/1', '--size', '2', '--plan'], /Compared with m\/1: size 2 instead of 4\.\nCompared with m\/1: removes 4 and adds 0: 4 not drawn\. 4 of its images stay\.\n/);
  const other = JSON.parse(await must(['sample', dir, '--parent', 'm/1', '--strategy', 'top', '--size', '2', '--json', '--quiet']));
  assert.deepEqual(other.facts.changes.map((c) => `${c.name}: ${c.was}, ${c.is}`).sort(),
    ['original answers: 6, none', 'originals: 3, none', 'size: 4, 2', 'strategy: matched, top', 'upward: yes, none']);
  await says(['sample', dir, '--parent', 'k/1', '--thresholds', 'none', '--plan'], /Compared with k\/1: thresholds none instead of \{"n00000001":0\.5,"n00000002":0\.25\}\./);
  await fails(['sample', dir, '--parent', 'm/1', '--upward', '--no-upward', '--plan'], /contradict/, { code: 2 });

  /* A list that was imported does not say how it was sampled. */
  await must(['import', 'set', dir, 'lists', put(t, 'l.csv', `image,wnid\n${candidate(0, 9)},${wnid(0)}\n`), '--sealed']);
  await fails(['sample', dir, '--parent', 'lists/0'], /lists\/0 was imported and does not say how it was sampled\. Choose a strategy \(--strategy /);
  const plan = await says(['sample', dir, '--parent', 'lists/0', ...TOP], /Compared with lists\/0: .*\n(.*\n)*lists\/1: /);
  assert.doesNotMatch(plan.err, /instead of/);
  await must(['check', dir]);
});

test('votes that move an image to another bin are the reason why it is not drawn', async (t) => {
  const dir = copyOf(t, study);
  await must(['sample', dir, '--set', 'm', '--strategy', 'matched', '--size', '4', '--originals-least', '4', '--quiet']);
  const was = await images(dir, 'm/0');
  /* Everybody's answers again, and nobody selects the candidates of the highest bin any more. */
  const hits = range(CLASSES - 1).map((c) => ({ ...hitOf(c), hit: 90 + c, uuid: `again-${c}`, label: hitOf(c).label, pos: [], all: hitOf(c).label }));
  await must(['import', 'hits', dir, put(t, 'h.jsonl', hits.map((h) => JSON.stringify(h)).join('\n'))]);
  await must(['import', 'votes', dir, put(t, 'v.csv', ['assignment,hit,worker,status,accept_time,duration_s,mask_hex',
    ...range(CLASSES - 1).flatMap((c) => range(10).map((v) => `${900 + c * 10 + v},${90 + c},x${v},A,1538352000,60,000000000000`))].join('\n'))]);
  const r = await says(['sample', dir, '--parent', 'm/0', '--plan'], /Compared with m\/0: removes (\d+) and adds 0: \1 moved to another bin by votes\. \d+ of its images stay\.\n/);
  assert.equal(Number(/removes (\d+)/.exec(r.err)[1]), was.length);
});

test('the same seed draws the same, another seed does not', async (t) => {
  const dir = copyOf(t, study);
  const draw = async (seed) => {
    const r = JSON.parse(await must(['sample', dir, '--set', 's', '--strategy', 'threshold', '--threshold', '0.2', '--size', '5', '--seed', seed, '--json', '--quiet']));
    return (await listOf(dir, `s/${r.number}`)).join();
  };
  const [one, again, other] = [await draw('7'), await draw('7'), await draw('8')];
  assert.equal(again, one);
  assert.notEqual(other, one);
  assert.equal((await must(['set', 'list', dir])).trimEnd().split('\n').length, 4);
});

test('a plan says what is missing where, and writes nothing', async (t) => {
  const dir = copyOf(t, study);
  const before_ = await sql(dir, '.dump');
  await must(['sample', dir, '--plan', '--strategy', 'matched', '--size', '4', '--originals-least', '4', '--quiet']);
  const r = await says(['sample', dir, '--plan', '--strategy', 'matched', '--size', '4', '--originals-least', '4'],
    /n00000003: needs 1 more in bin \[\.6,\.8\), 0 candidates there\. needs 3 more in bin \[\.8,1\], 0 candidates there\.\n/);
  assert.deepEqual(r.out.split('\n').slice(0, 6), [
    'wnid,bin,target,carried_over,available,upward_sampled,blacklisted,few_assignments,below_threshold,near_duplicate,unreviewed',
    'n00000001,0,0,0,2,0,0,0,0,0,0', 'n00000001,1,0,0,2,0,0,0,0,0,0', 'n00000001,2,0,0,2,0,0,0,0,0,0',
    'n00000001,3,1,0,2,0,0,0,0,0,0', 'n00000001,4,3,0,4,0,0,0,0,0,0']);
  await says(['sample', dir, '--set', 'm', '--dry-run', '--strategy', 'matched', '--size', '4'],
    /n00000001: has 4 originals with enough answers; 20 are needed\.\n/);
  await says(['sample', dir, '--plan', '--strategy', 'threshold', '--size', '6', '--thresholds', `${wnid(0)}=.5, ${wnid(1)}=1`],
    /n00000002: needs 4 more, 12 candidates there: 2 drawn, 10 below the threshold\.\n/);
  assert.equal(await sql(dir, '.dump'), before_);
});

test('a view that filters by what is measured warns wherever it is sampled', async (t) => {
  const dir = copyOf(t, study);
  const view = (name, filters) => sql(dir, "INSERT INTO event (at, kind) VALUES (1, 'views.create');"
    + ' INSERT INTO vote_view (id, name, description, kinds, campaigns, filters)'
    + ` SELECT max(id), '${name}', 'Why', (SELECT kind FROM campaign), '', '${JSON.stringify(filters)}' FROM event;`);
  await view('careful', [{ rule: 'active-least', value: 1 }, { rule: 'negative-least', value: 80 }]);
  await view('slow', [{ rule: 'active-least', value: 1 }]);
  const warning = /warning: View careful, people with at least 80 % of negative controls right: Negative controls are /;
  const plan = ['sample', dir, ...TOP, '--set', 'w'];
  await says([...plan, '--view', 'careful', '--plan'], warning);
  await says([...plan, '--view', 'careful', '--dry-run'], warning);
  assert.doesNotMatch((await holdout([...plan, '--view', 'slow', '--plan'])).err, /warning/);
  await says([...plan, '--view', 'careful'], warning);
  const out = path.join(tempDir(t), 'out');
  await must(['export', 'set', dir, 'w', '--format', 'folder', '--output', out]);
  const { votes } = JSON.parse(fs.readFileSync(path.join(out, 'manifest.json'), 'utf8'));
  assert.equal(votes.view, 'careful');
  assert.deepEqual(votes.filters.map((f) => [f.rule, f.value, f.text, f.warning !== undefined && f.warning !== null]), [
    ['active-least', 1, 'at least 1 s of active time', false],
    ['negative-least', 80, 'people with at least 80 % of negative controls right', true]]);
  assert.match(fs.readFileSync(path.join(out, 'README.md'), 'utf8'), /people with at least 80 % of negative controls right: Negative controls are/);
  /* Saved again since: the child's votes are counted by the newer version, and that is said. */
  await view('careful', [{ rule: 'active-least', value: 1 }]);
  await says(['sample', dir, '--parent', 'w/0', '--plan'], /Compared with w\/0: view as saved in event \d+ instead of event \d+\.\n/);
  await must(['sample', dir, '--replay', 'w/0']);
});

test('a candidate that no search by an enabled metric has seen is refused', async (t) => {
  const dir = copyOf(t, study);
  const ask = (set) => ['--set', set, '--strategy', 'top', '--size', '2', '--answers', '0'];
  const distances = (...rows) => put(t, 'd.csv', ['image,metric,min_unreviewed_distance', ...rows].map((row) => `${row}\n`).join(''));
  await must(['sample', dir, ...ask('before'), '--quiet']);
  /* Listed ones alone were searched. */
  await must(['import', 'review-thresholds', dir, distances(`${candidate(0, 1)},l2,1e9`, `${candidate(0, 2)},l2,1`), '--listed-only']);
  const r = await says(['sample', dir, ...ask('s'), '--plan'], /n00000001: needs 1 more, 12 candidates there: 1 drawn, 1 not reviewed, 10 not searched\./);
  assert.match(r.out, /^wnid,ok,.*,unreviewed,unsearched,limit,not_picked,hidden\nn00000001,1,0,0,0,0,1,10,0,0,0\n/);
  assert.match(await must(['audit', dir, 'before/0']), /\nnot_searched,/);
  assert.match(await must(['export', 'pool', dir]), /,unreviewed,hidden,unsearched\n/);
  await must(['sample', dir, '--replay', 'before/0']);
  /* As published: what is not listed has nothing left to review; what comes later was not searched. */
  await says(['import', 'review-thresholds', dir, distances(`${candidate(0, 2)},l2,1`)], /now and are not listed count as searched; those that come later do not/);
  await must(['sample', dir, ...ask('s'), '--quiet']);
  assert.doesNotMatch(await must(['export', 'pool', dir]), /unsearched/);
  await must(['import', 'image-list', dir, put(t, 'l.csv', `idx,image,wnid,kind,source_id,date_taken\n9001,late-one,${wnid(0)},cand,,\n`)]);
  await says(['sample', dir, ...ask('s'), '--plan'], /\n?1 candidates were never searched for near-duplicates/);
  const out = path.join(path.dirname(dir), 'exported');
  await must(['set', 'freeze', dir, 's/0', '--reason', 'final']);
  await must(['export', 'set', dir, 's/0', '--format', 'folder', '--output', out]);
  assert.deepEqual(JSON.parse(fs.readFileSync(path.join(out, 'manifest.json'))).near_duplicate_metrics,
    [{metric: 'l2', target: 1.2e8, unlisted_count_as_searched: true}]);
  for (const set of ['before/0', 's/0']) await must(['sample', dir, '--replay', set]);
  /* Importing the same again covers the new ones. */
  await must(['import', 'review-thresholds', dir, distances(`${candidate(0, 2)},l2,1`)]);
  assert.doesNotMatch((await says(['sample', dir, ...ask('s'), '--plan'], /3 classes are short/)).err, /never searched/);
});

test('picked images alone', async (t) => {
  const dir = copyOf(t, study);
  await must(['import', 'picks', dir, put(t, 'p.csv', `image,stage\n${candidate(0, 1)},picked\n${candidate(0, 2)},pruned\n${candidate(1, 5)},picked\n`)]);
  const r = await says(['sample', dir, '--set', 'p', '--strategy', 'top', '--size', '2', '--answers', '0', '--picked', '--plan'], /n00000001: needs 1 more, 12 candidates there: 1 drawn, 11 not picked\./);
  assert.match(r.out, /^wnid,ok,.*,unreviewed,unsearched,limit,not_picked,hidden\nn00000001,1,0,0,0,0,0,0,0,11,0\n/);
  await must(['sample', dir, '--set', 'p', '--strategy', 'top', '--size', '2', '--answers', '0', '--picked', '--quiet']);
  assert.deepEqual(await images(dir, 'p'), [candidate(0, 1), candidate(1, 5)]);
});

test('as many flags as the project says hide an image', async (t) => {
  const dir = copyOf(t, study);
  await must(['import', 'near-duplicates', dir, put(t, 'n.csv', `a,b\n${candidate(0, 11)},${candidate(0, 5)}\n`)]);
  const out = async () => (await must(['export', 'near-duplicates', dir, '--images'])).trim().split('\n').slice(1).map((row) => row.split(',').at(-1));
  const before_ = await out();
  assert.deepEqual([...before_].sort(), ['0', '1']);
  const stays = candidate(0, before_[0] === '0' ? 5 : 11);
  await sql(dir, `INSERT INTO event (at, kind, subject) VALUES (1795195000000, 'flag', 2);
    INSERT INTO flag SELECT (SELECT max(id) FROM event), id, (SELECT min(id) FROM person), NULL, 'other', 'odd' FROM image WHERE name = '${stays}';
    INSERT INTO flag_counted SELECT max(id), max(id) FROM flag;`);
  assert.deepEqual(await out(), before_);
  fs.appendFileSync(path.join(dir, 'config.ini'), '\n[work]\nflags_to_quarantine = 1\n');
  assert.deepEqual(await out(), [...before_].reverse());
});

test('the list of candidates in an export says what kept each out then', async (t) => {
  const dir = copyOf(t, study);
  const picked = [2, 3, 4].map((j) => candidate(0, j));
  await must(['import', 'picks', dir, put(t, 'p.csv', `image,stage\n${picked.map((name) => `${name},picked\n`).join('')}`)]);
  await sql(dir, "UPDATE image SET author = 'ann';");
  await must(['sample', dir, '--set', 'p', '--strategy', 'top', '--size', '2', '--answers', '0', '--picked', '--uploader-most', '1', '--quiet']);
  await must(['import', 'picks', dir, put(t, 'q.csv', `image,stage\n${candidate(0, 5)},picked\n`)]);
  const target = path.join(tempDir(t), 'out');
  await must(['export', 'set', dir, 'p', '--format', 'folder', '--pool', '--output', target]);
  const [header, ...rows] = fs.readFileSync(path.join(target, 'pool.csv'), 'utf8').trim().split('\n').map((row) => row.split(','));
  const where = (column) => rows.filter((row) => row[header.indexOf(column)] === '1').map((row) => row[0]);
  assert.deepEqual(where('in_set'), [candidate(0, 4)]);
  assert.deepEqual(where('limit'), [candidate(0, 2), candidate(0, 3)]);
  assert.equal(where('not_picked').length, rows.length - picked.length);
  assert.ok(where('not_picked').includes(candidate(0, 5)));
});

test('sub-classes in the proportions of the originals', async (t) => {
  const dir = copyOf(t, study);
  await sql(dir, `UPDATE image SET keyword = CASE WHEN name LIKE 'orig-%' THEN iif(name LIKE '%-3', 'terrier', 'hound')
    ELSE iif(name > 'cand-0-02' AND name < 'cand-0-06', 'terrier', iif(name LIKE '%-11', 'wolf', 'hound')) END;`);
  const keyword = ['--strategy', 'keyword', '--size', '4', '--answers', '0'];
  const r = await says(['sample', dir, '--plan', ...keyword], /n00000002: needs 1 more for "terrier", 0 candidates there\.\n/);
  assert.deepEqual(r.out.split('\n').slice(0, 5), [
    'wnid,keyword,originals,target,carried_over,available,missing,blacklisted,few_assignments,below_threshold,near_duplicate,unreviewed',
    'n00000001,hound,3,3,0,8,0,0,0,0,0,0', 'n00000001,terrier,1,1,0,3,0,0,0,0,0,0',
    'n00000002,hound,3,3,0,11,0,0,0,0,0,0', 'n00000002,terrier,1,1,0,0,1,0,0,0,0,0']);
  await must(['sample', dir, '--set', 'k', ...keyword, '--quiet', '--seed', '3']);
  const drawn = await images(dir, 'k');
  assert.equal(drawn.length, 7);
  assert.equal(drawn.filter((name) => name > 'cand-0-02' && name < 'cand-0-06').length, 1);
  assert.ok(!drawn.some((name) => name.endsWith('-11')));
  await must(['sample', dir, '--replay', 'k/0']);
  await says(['sample', dir, '--plan', ...keyword, '--keywords', '1'], /: 8 of 12 images/);
  await says(['sample', dir, '--plan', ...keyword, '--together'], /: 7 of 12 images/);
});

test('what cannot be sampled is refused, and nothing is half-made', async (t) => {
  const dir = copyOf(t, study);
  const list = put(t, 'list.csv', `image,wnid\norig-0-0,${wnid(0)}\n`);
  await must(['import', 'set', dir, 'val', list, '--role', 'original']);
  await must(['sample', dir, '--set', 'mine', ...TOP, '--quiet']);
  const was = await sql(dir, '.dump');
  const cases = [
    [['--set', 'x'], /--strategy must be/, 2],
    [['--strategy', 'best', '--set', 'x'], /--strategy must be/, 2],
    [TOP, /--set is missing/, 2],
    [[...TOP, '--set', 'a b'], /The name of a set/],
    [['--strategy', 'top', '--size', '-1', '--set', 'x'], /size/, 2],
    [['--strategy', 'top', '--size', '0', '--set', 'x'], /size/, 2],
    [[...TOP, '--seed', '-3', '--set', 'x'], /seed/, 2],
    [[...TOP, '--upward', '--set', 'x'], /--upward is for --strategy matched/, 2],
    [[...TOP, '--threshold', '.5', '--set', 'x'], /--threshold is for --strategy threshold/, 2],
    [['--strategy', 'matched', '--upward', '--no-upward', '--set', 'x'], /contradict/, 2],
    [['--strategy', 'threshold', '--threshold', '1.5', '--set', 'x'], /threshold/, 2],
    [[...TOP, '--set', 'val'], /has the role "original"/],
    [[...TOP, '--set', 'x', '--parent', 'mine/0'], /mine\/0 is not a revision of the set x/],
    [[...TOP, '--set', 'mine', '--parent', 'mine/7'], /There is no revision mine\/7/],
    [[...TOP, '--set', 'x', '--parent', 'nobody'], /There is no image set nobody/],
    [[...TOP, '--set', 'x', '--view', 'nobody'], /view/],
    [[...TOP, '--set', 'x', '--answers', '11'], /No image can be sampled/],
    [['--strategy', 'matched', '--set', 'x', '--original-answers', '11'], /No original has 11 answers/],
    [['--strategy', 'keyword', '--set', 'x'], /No original has a keyword/],
    [['--strategy', 'threshold', '--set', 'x', '--thresholds', 'n99999999=.5'], /A threshold is given for n99999999, but there is no such class/],
    [['--strategy', 'threshold', '--set', 'x', '--thresholds', `${wnid(0)}=2`], /:2: a threshold must be a number from 0 to 1/],
    [['--strategy', 'threshold', '--set', 'x', '--thresholds', put(t, 't.csv', `wnid,threshold\n${wnid(0)},.5\n${wnid(0)},.6\n`)], /t\.csv:3: the class n00000001 appears twice/],
    [['--strategy', 'threshold', '--set', 'x', '--thresholds', put(t, 't.json', '{"a": "b"}')], /"a" must be a threshold/],
    [['--strategy', 'threshold', '--set', 'x', '--thresholds', put(t, 'u.json', '{')], /u\.json:1:/],
    [['--strategy', 'threshold', '--set', 'x', '--thresholds', path.join(dir, 'nothing')], /nothing/],
    [['--replay', 'val/0'], /val\/0 was not sampled here/],
    [['--replay', 'mine/3'], /There is no revision mine\/3/],
  ];
  for (const [args, message, code] of cases) await fails(['sample', dir, ...args], message, { code });
  assert.equal(await sql(dir, '.dump'), was);

  /* A project without a single candidate. */
  const empty = await newProject(t);
  await fails(['sample', empty, '--set', 'x', ...TOP], /There are no candidates/);
});

test('a replay that comes out otherwise says so', async (t) => {
  const dir = copyOf(t, study);
  await must(['sample', dir, '--set', 'r', ...TOP, '--quiet']);
  await sql(dir, `UPDATE set_list_image SET image = (SELECT id FROM image WHERE name = '${candidate(0, 0)}') WHERE position = 0;`);
  await sql(dir, `UPDATE image SET keyword = 'k' WHERE name = '${candidate(0, 1)}';`);
  await fails(['sample', dir, '--replay', 'r/0'], /r\/0 differs from what is stored: 1 of its images are missing, and 1 others came instead/);
  await sql(dir, `UPDATE image SET role = 'gold' WHERE name = '${candidate(0, 11)}';`);
  await fails(['sample', dir, '--replay', 'r/0'], /warning: What it was sampled from has changed: images\./);
});
