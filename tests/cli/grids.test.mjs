/* `holdout grids`: what is planned, what it costs, what it leaves out; the same seed and data give the
 * same plan, a killed one is completed. Composition of single grids: tests/unit/domain/plan_test.c. */
import assert from 'node:assert/strict';
import path from 'node:path';
import { test } from 'node:test';

import { holdout, must, newProject } from '../http/lib.mjs';
import { sqlite } from '../load/tools.mjs';

const WNIDS = ['n00000001', 'n00000002', 'n00000003'];
/* Each class's nearest is the next one. */
const CLASSES = WNIDS.map((wnid, cid) => `${JSON.stringify({
  cid, wnid, synset: [`thing ${cid}`], gloss: 'a thing', similar: [wnid, WNIDS[(cid + 1) % 3]],
})}\n`).join('');

const query = async (dir, sql) => (await sqlite(path.join(dir, 'holdout.db'), `.timeout 20000\n${sql}`)).split('\n').filter(Boolean);
const plan = async (dir, ...options) => JSON.parse(await must(['grids', dir, '--json', ...options]));

/* The image list of { wnid: { role: count } }. */
function imageList(classes) {
  const rows = ['idx,image,wnid,kind,source_id,date_taken'];
  for (const [wnid, roles] of Object.entries(classes)) {
    for (const [role, count] of Object.entries(roles)) {
      for (let i = 0; i < count; i++) rows.push(`${rows.length - 1},${wnid}-${role}-${i},${wnid},${role},,`);
    }
  }
  return `${rows.join('\n')}\n`;
}

const IMAGES = {
  n00000001: { candidate: 100, original: 30, gold: 4 },
  n00000002: { candidate: 5, original: 25, gold: 4 },
  n00000003: { original: 10 },
};

async function project(t, images = IMAGES, classes = CLASSES) {
  const dir = await newProject(t);
  await must(['import', 'classes', dir, '-'], { input: classes });
  await must(['import', 'image-list', dir, '-'], { input: imageList(images) });
  return dir;
}

/* Grids of a campaign as [wnid, special, [role, image]...]. */
async function stored(dir, campaign = 'main') {
  const grids = new Map();
  for (const row of await query(dir, 'SELECT g.number, k.wnid, g.special, c.role, i.name FROM grid g JOIN class k ON k.id = g.class'
    + ' JOIN grid_cell c ON c.grid = g.id JOIN image i ON i.id = c.image JOIN campaign m ON m.id = g.campaign'
    + ` WHERE m.name = '${campaign}' ORDER BY g.number, c.position;`)) {
    const [number, wnid, special, role, image] = row.split('|');
    const grid = grids.get(number) ?? { wnid, special: special === '1', cells: [] };
    grid.cells.push([Number(role), image]);
    grids.set(number, grid);
  }
  return [...grids.values()];
}

const inRole = (grid, role) => grid.cells.filter((c) => c[0] === role).map((c) => c[1]);

test('the plan, its cost and its coverage are shown before and after it is made', async (t) => {
  const dir = await project(t);
  const options = ['--seed', '5', '--pay', '150', '--minutes', '15', '--grids-per-place', '4', '--max-share', '1'];
  const dry = await plan(dir, '--dry-run', ...options);
  assert.equal(await query(dir, 'SELECT count(*) FROM campaign;').then((r) => r[0]), '0');
  /* Class 1: three chunks with nine originals, one special grid for the other eleven. Class 2: five
   * candidates, so 3 + 19 originals. Class 3: 10 originals, which 20 covered ones are impossible of. */
  assert.deepEqual([dry.grids, dry.special, dry.candidates_lacking, dry.candidates_shown], [5, 1, 105, 105]);
  const special = Math.floor((48 - 11) / 2);
  assert.equal(dry.shown_again, 3 * 42 - 100 + special);
  assert.deepEqual(dry.left_out, { hidden: 0, answered: 0 });
  assert.deepEqual(dry.cost, {
    answers: 50, grids_per_person: 4, places: 13, pay_cents: 13 * 150, currency: 'USD', hours: 50 * 15 / 4 / 60,
    minutes_per_place: 15, hourly_cents: 600, short_of_work: false,
  });
  const { of_classes: rows, ...totals } = dry.coverage;
  assert.deepEqual(totals, {
    target: 20, answers: 10, classes: 3, reached: 0, reached_after: 2, below_after: 0, impossible: 1, open: 105, open_after: 0,
  });
  assert.deepEqual(rows.map((r) => [r.wnid, r.originals, r.covered, r.covered_after]),
    [['n00000001', 30, 0, 20], ['n00000002', 25, 0, 22], ['n00000003', 10, 0, 0]]);

  const text = await holdout(['grids', dir, '--dry-run', ...options]);
  for (const line of [/grids +5, 1 of them special/, /105 get the answers they lack/, /answers wanted +50, 10 a grid/,
    /places needed +13, 4 grids each/, /pay +19\.50 USD, 1\.50 a place/, /3\.1 h, 15 min a place: 6\.00 USD an hour/,
    /0 of 3 classes now, 2 after/, /n00000003 +0 covered after, 10 originals: impossible/]) assert.match(text.out, line);
  assert.match(text.err, /1 classes have fewer than 20 originals to show: import more/);

  const made = await plan(dir, ...options);
  assert.deepEqual(made, { ...dry, dry_run: false });
  const grids = await stored(dir);
  assert.deepEqual(grids.map((g) => [g.wnid, g.special, g.cells.length]), [
    ['n00000001', false, 48], ['n00000001', false, 48], ['n00000001', false, 48], ['n00000001', true, 48],
    /* 3 + floor(37 / 2) negatives are more than class 3 has */
    ['n00000002', false, 5 + 22 + 10]]);
  assert.deepEqual([0, 1, 2].map((role) => inRole(grids[3], role).length), [special, 11, 48 - 11 - special]);
  assert.equal(new Set(grids.slice(0, 4).flatMap((g) => inRole(g, 1))).size, 20);
  assert.ok(inRole(grids[0], 2).every((image) => image.startsWith('n00000002-original')));
  assert.equal((await query(dir, "SELECT min(number), max(number) FROM grid;"))[0], '1|5');
  await must(['check', dir]);

  /* Another project, the same seed: the same plan. */
  const twin = await project(t);
  await plan(twin, ...options);
  assert.deepEqual(await stored(twin), grids);
  /* One class alone is planned as among the others. */
  const one = await plan(twin, '--campaign', 'one', '--class', 'n00000002', ...options);
  assert.deepEqual(one.coverage.of_classes.map((r) => r.wnid), ['n00000002']);
  assert.deepEqual(await stored(twin, 'one'), grids.slice(4));
});

test('images of a class that overlaps are no negative controls, however near it is', async (t) => {
  const dir = await project(t);
  const fromNegatives = async (campaign) => {
    await plan(dir, '--campaign', campaign, '--class', WNIDS[0], '--seed', '1');
    return new Set((await stored(dir, campaign)).flatMap((g) => inRole(g, 2)).map((image) => image.slice(0, 9)));
  };
  assert.deepEqual([...await fromNegatives('before')], [WNIDS[1]]);
  await must(['import', 'relations', dir, '-'], { input: `a,b,kind\n${WNIDS[0]},${WNIDS[1]},contains\n` });
  assert.deepEqual([...await fromNegatives('after')], [WNIDS[2]]);
  await must(['import', 'relations', dir, '-'], { input: `a,b,kind\n${WNIDS[0]},${WNIDS[1]},confusable\n` });
  assert.deepEqual([...await fromNegatives('confusable')], [WNIDS[1]]);
});

test('without coverage no special grids, with gold fewer candidates', async (t) => {
  const dir = await project(t);
  const none = await plan(dir, '--coverage', '0', '--campaign', 'none');
  assert.deepEqual([none.grids, none.special, none.coverage.impossible], [4, 0, 0]);
  const gold = await plan(dir, '--coverage', '0', '--gold', '2', '--campaign', 'gold');
  /* Class 1 has 4 of its own and 4 from the nearest, class 2 only its own. */
  assert.deepEqual([gold.grids, gold.gold_cells], [4, 8]);
  for (const g of await stored(dir, 'gold')) {
    const images = inRole(g, 3);
    assert.equal(images.length, 2);
    assert.equal(images.filter((i) => i.startsWith(g.wnid)).length, g.wnid === 'n00000001' ? 1 : 2);
    assert.equal(inRole(g, 0).length + 2, g.wnid === 'n00000001' ? 42 : 7);
  }
  const short = await holdout(['grids', dir, '--dry-run', '--gold', '1', '--campaign', 'x', '--class', 'n00000003']);
  assert.equal(short.code, 1);
  assert.match(short.err, /no class has candidate images: import some first/);
});

/* An imported study in which every candidate of the list, and originals beside, got `answers`. */
async function importAnswers(dir, campaign, wnid, images, answers) {
  const names = [...images];
  const hit = { hit: 1, uuid: `${campaign}-hit`, wnid, images_to_label: names, images_pos_control: [], images_neg_control: [], images_all: names };
  await must(['import', 'hits', dir, '-', '--campaign', campaign], { input: JSON.stringify([hit]) });
  const rows = Array.from({ length: answers }, (_, i) => `${i},1,w${i},S,1535546579,30,1`);
  await must(['import', 'votes', dir, '-', '--campaign', campaign],
    { input: `assignment,hit,worker,status,accept_time,duration_s,mask_hex\n${rows.join('\n')}\n` });
}

test('what has its answers, or is hidden, is not planned again', async (t) => {
  const dir = await project(t);
  const answered = Array.from({ length: 40 }, (_, i) => `n00000001-candidate-${i}`);
  const started = Array.from({ length: 20 }, (_, i) => `n00000001-candidate-${40 + i}`);
  await importAnswers(dir, 'first', 'n00000001', [...answered, 'n00000001-original-0'], 10);
  await importAnswers(dir, 'second', 'n00000001', [...started, 'n00000001-original-1'], 9);
  await query(dir, "INSERT INTO event (at, kind) VALUES (5, 'image.quarantine');"
    + " INSERT INTO image_decision (id, image, decision, reason) SELECT max(e.id), i.id, 'quarantine', 'test' FROM event e, image i"
    + " WHERE i.name = 'n00000001-candidate-99' GROUP BY i.id;");
  const sum = await plan(dir, '--kind', 'top-up', '--class', 'n00000001', '--coverage', '0', '--seed', '1');
  assert.deepEqual(sum.left_out, { hidden: 1, answered: 40 });
  assert.equal(sum.candidates_lacking, 59);
  assert.deepEqual([sum.coverage.open, sum.coverage.open_after, sum.coverage.of_classes[0].covered], [59, 0, 1]);
  const planned = new Set((await stored(dir)).flatMap((g) => inRole(g, 0)));
  const all = Array.from({ length: 99 }, (_, i) => `n00000001-candidate-${i}`);
  assert.deepEqual([...planned].sort(), all.slice(40).sort());
  /* The least covered originals come first: those with answers are not among the first six. */
  const controls = (await stored(dir)).flatMap((g) => inRole(g, 1));
  assert.equal(new Set(controls).size, 6);
  assert.ok(!controls.includes('n00000001-original-0') && !controls.includes('n00000001-original-1'));
  /* What waits in that draft would be answered twice. */
  const again = await holdout(['grids', dir, '--campaign', 'again', '--kind', 'top-up', '--class', 'n00000001', '--dry-run']);
  assert.match(again.err, /\d+ of the images are also waiting for answers in campaigns that are not closed/);
  /* A re-measurement measures what was measured before. */
  const anew = await plan(dir, '--campaign', 'anew', '--kind', 're-measurement', '--class', 'n00000001', '--dry-run');
  assert.deepEqual([anew.candidates_lacking, anew.left_out.answered, anew.coverage.of_classes[0].covered], [99, 0, 0]);
  /* Nothing is left: said, with what to do. */
  await importAnswers(dir, 'third', 'n00000002', Array.from({ length: 5 }, (_, i) => `n00000002-candidate-${i}`), 10);
  const nothing = await holdout(['grids', dir, '--campaign', 'nothing', '--class', 'n00000002', '--coverage', '0']);
  assert.equal(nothing.code, 1);
  assert.match(nothing.err, /Nothing is left to plan: 5 candidates have 10 answers already/);
});

test('a draft is completed by the same plan, and by no other', async (t) => {
  const dir = await project(t);
  await plan(dir, '--seed', '5');
  const before = await stored(dir);
  await query(dir, 'PRAGMA foreign_keys = 0; DELETE FROM grid_cell WHERE grid > 2; DELETE FROM grid WHERE id > 2;');
  const done = await holdout(['grids', dir, '--seed', '5', '--open']);
  assert.equal(done.code, 0, done.err);
  assert.match(done.err, /Completing the draft main/);
  assert.deepEqual(await stored(dir), before);
  assert.equal((await query(dir, 'SELECT state FROM campaign;'))[0], 'open');
  const taken = await holdout(['grids', dir, '--seed', '5']);
  assert.match(taken.err, /there is already a campaign named main/);

  await plan(dir, '--campaign', 'other', '--seed', '6');
  const other = await stored(dir, 'other');
  await must(['import', 'image-list', dir, '-'], { input: 'image,wnid,kind\nlater,n00000001,candidate\n' });
  const changed = await holdout(['grids', dir, '--campaign', 'other', '--open']);
  assert.equal(changed.code, 1);
  assert.match(changed.err, /changed since the draft other was planned, .*Nothing was written/);
  assert.deepEqual(await stored(dir, 'other'), other);
});

test('the terms of a campaign are those of the options, and bad ones are named', async (t) => {
  const dir = await project(t);
  await must(['grids', dir, '--gold', '3', '--coverage', '7', '--bulk-select', '--layout', 'v2', '--min-screen', '900',
    '--population', 'students', '--instruction-version', '4', '--opens', '2027-01-31T10:00Z', '--closes', '2027-02-01',
    '--max-share', '0.25', '--quiet']);
  assert.deepEqual(await query(dir, 'SELECT gold_per_grid, coverage, bulk_select, layout, min_screen, population,'
    + ' instruction_version, opens_at, closes_at, max_share FROM campaign;'),
  [`3|7|1|v2|900|students|4|${Date.UTC(2027, 0, 31, 10)}|${Date.UTC(2027, 1, 1)}|0.25`]);
  const bad = [
    ['--gold', '7'], ['--coverage', '-1'], ['--layout', 'wide'], ['--kind', 'mainly'], ['--min-screen', 'x'],
    ['--max-share', '0'], ['--max-share', '1.01'], ['--max-share', 'nan'], ['--max-share', ''], ['--opens', 'tomorrow'],
    ['--opens', '2027-02-30'], ['--opens', '2027-01-01T10:00'], ['--opens', '2027-01-02', '--closes', '2027-01-01'],
  ];
  for (const options of bad) {
    const r = await holdout(['grids', dir, '--campaign', 'bad', ...options]);
    assert.equal(r.code, 2, options.join(' '));
    assert.match(r.err, new RegExp(`--(${options.filter((o) => o.startsWith('--')).map((o) => o.slice(2)).join('|')})`));
  }
  for (const kind of ['training', 'evaluation']) {
    const r = await holdout(['grids', dir, '--campaign', 'bad', '--kind', kind]);
    assert.equal(r.code, 1, kind);
    assert.match(r.err, new RegExp(`kind ${kind} cannot be planned yet.*Nothing was planned.*--kind pilot, main`, 's'));
  }
  assert.equal((await query(dir, "SELECT count(*) FROM campaign WHERE name = 'bad';"))[0], '0');
});

test('too few places, too small a share, no nearness: said', async (t) => {
  const lonely = CLASSES.split('\n').filter(Boolean).map((l) => JSON.stringify({ ...JSON.parse(l), similar: undefined })).join('\n');
  const dir = await project(t, IMAGES, lonely);
  const r = await holdout(['grids', dir, '--dry-run', '--places', '3']);
  assert.equal(r.code, 0, r.err);
  assert.match(r.out, /1 grid each \(--max-share 0\.02 allows no more\)/);
  assert.match(r.err, /The campaign has 3 places and needs \d+: it will not be answered in full/);
  assert.match(r.err, /The nearest class of 3 classes is not known .*drawn at random/);
});

/* 5 grids of 10 answers; the share of 2 % is one grid a person. */
test('a place that pays for more work than a person gets: priced by the real minutes, warned, and mended', async (t) => {
  const dir = await project(t);
  const cost = (await plan(dir, '--dry-run', '--pay', '150')).cost;
  assert.deepEqual([cost.places, cost.pay_cents, cost.minutes_per_place, cost.hourly_cents, cost.short_of_work], [50, 7500, 0.75, 12000, true]);
  assert.ok(Math.abs(cost.hours - 50 * 0.75 / 60) < 1e-9);
  const r = await holdout(['grids', dir, '--pay', '150', '--seed', '5']);
  assert.match(r.out, /pay +75\.00 USD, 1\.50 a place\n +work +0\.6 h, 0\.75 min a place: 120\.00 USD an hour/);
  assert.match(r.err, /warning: A person can do only 1 of the 20 grids that the pay is for\. That is about 0\.75 min of work at 120\.00 USD an hour, not 15 min at 6\.00\./);
  assert.match(r.err, /Let a person do more with --max-share 0\.1, or price the place by its work with --grids-per-place 1 --minutes 0\.75 --pay 8\. Run this command again/);
  /* The remedy as it is printed, on the draft that is there. */
  const dry = await holdout(['grids', dir, '--grids-per-place', '1', '--minutes', '0.75', '--pay', '8', '--dry-run']);
  assert.doesNotMatch(dry.err, /A person can do only/);
  assert.deepEqual(await query(dir, 'SELECT pay_cents, grids_per_place, expected_minutes FROM campaign;'), ['150|20|15.0']);
  const mended = await holdout(['grids', dir, '--grids-per-place', '1', '--minutes', '0.75', '--pay', '8', '--title', 'Find the things']);
  assert.equal(mended.code, 0, mended.err);
  assert.match(mended.out, /pay +4\.00 USD, 0\.08 a place\n +work +0\.6 h, 0\.75 min a place: 6\.40 USD an hour/);
  assert.match(mended.err, /Completing the draft main with its own seed and the terms given now/);
  assert.doesNotMatch(mended.err, /warning: /);
  assert.deepEqual(await query(dir, 'SELECT pay_cents, grids_per_place, expected_minutes, title FROM campaign;'), ['8|1|0.75|Find the things']);
  assert.equal((await query(dir, "SELECT count(*) FROM event WHERE kind = 'campaign.terms';"))[0], '1');
  /* One that is opened at once can no longer be changed, and is not said to be. */
  const open = await holdout(['grids', dir, '--campaign', 'opened', '--pay', '150', '--seed', '5', '--open']);
  assert.match(open.err, /--pay 8\. This campaign is open and keeps its terms: give these options to the next one\./);
  assert.doesNotMatch(open.err, /Run this command again/);
  /* More of the answers to each: all five grids, which still are not twenty. */
  const more = await holdout(['grids', dir, '--campaign', 'more', '--pay', '150', '--max-share', '0.1', '--dry-run']);
  assert.match(more.err, /only 5 of the 20 grids .* Price the place by its work with --grids-per-place 5 --minutes 3\.75 --pay 38\./);
});

test('--pay says its unit', async (t) => {
  const dir = await project(t);
  for (const amount of ['1.50', '-1', '1000001', '']) {
    const r = await holdout(['grids', dir, '--pay', amount, '--dry-run']);
    assert.equal(r.code, 2, amount);
    assert.match(r.err, /--pay is in cents: a whole number from 0 to 1000000, such as 150 for 1\.50/);
  }
  assert.match(await must(['grids', '--help']), /--pay CENTS +pay per person, in cents: 150 is 1\.50/);
  await must(['grids', dir, '--quiet']);
  assert.match((await holdout(['study', dir, 'main', '--floor', '9.00'])).err, /--floor is in cents: .*150 for 1\.50/);
});

test('a campaign without a title asks for one', async (t) => {
  const dir = await project(t);
  assert.match((await holdout(['grids', dir, '--dry-run'])).err, /warning: The campaign has no title, .*--title\./);
  assert.match((await holdout(['grids', dir])).err, /warning: The campaign has no title, .*Give it one: run this command again with --title/);
  assert.match((await holdout(['study', dir, 'main'])).err, /warning: The campaign main has no title, .*holdout grids again with its --campaign and with --title/);
  assert.match((await holdout(['grids', dir, '--open'])).err, /warning: The campaign has no title, .*\. Plan the next one with --title\./);
  assert.match((await holdout(['study', dir, 'main'])).err, /The campaign main has no title, .*Plan the next one with --title/);
  assert.doesNotMatch((await holdout(['grids', dir, '--campaign', 'named', '--title', 'Find the things', '--dry-run'])).err, /no title/);
});
