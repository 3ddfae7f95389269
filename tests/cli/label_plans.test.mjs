/* Plans of potential labels, grids that ask about them, frozen plans of candidates: what they hold, what is refused, that a
 * sealed set's labels give no model away. Rules of candidates: tests/unit/domain; published numbers: tests/golden. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { before, test } from 'node:test';

import { holdout, must, newProject, tempDir } from '../http/lib.mjs';
import { sqlite } from '../load/tools.mjs';

const CLASSES = 8, ORIGINALS = 12, CANDIDATES = 60;
const wnid = (i) => `n0000000${1 + ((i % CLASSES) + CLASSES) % CLASSES}`;
const ofClass = (k) => Array.from({ length: CANDIDATES }, (_, i) => `${wnid(k)}-c-${i}`);
const query = async (dir, sql) => (await sqlite(path.join(dir, 'holdout.db'), `.timeout 20000\n${sql}`)).split('\n').filter(Boolean);
const csv = (text) => {
  const [head, ...rows] = text.trim().split('\n').map((line) => line.split(','));
  return rows.map((row) => Object.fromEntries(head.map((name, i) => [name, row[i]])));
};
const fails = async (args, message, code = 1) => {
  const r = await holdout(args);
  assert.deepEqual([r.code, message.test(r.err)], [code, true], `${args.join(' ')}: ${r.err}`);
};

/* What a model says of an image of class k: its own class first, then `step` and twice that further on. */
const says = (k, step) => [wnid(k), wnid(k + step), wnid(k + 2 * step)];
const MODELS = { one: 1, two: 2, three: 3, four: 5 };

async function project(t) {
  const dir = await newProject(t), folder = tempDir(t);
  const file = (name, text) => {
    fs.writeFileSync(path.join(folder, name), text);
    return path.join(folder, name);
  };
  const classes = Array.from({ length: CLASSES }, (_, i) => `${JSON.stringify({ cid: i, wnid: wnid(i), synset: [`thing ${i}`], gloss: 'a thing', similar: [wnid(i), wnid(i + 1)] })}\n`).join('');
  const images = Array.from({ length: CLASSES }, (_, k) => [
    ...ofClass(k).map((name) => [name, k, 'candidate']), ...Array.from({ length: ORIGINALS }, (_, i) => [`${wnid(k)}-o-${i}`, k, 'original'])]).flat();
  await must(['import', 'classes', dir, '-'], { input: classes });
  await must(['import', 'image-list', dir, '-'], { input: `idx,image,wnid,kind,source_id,date_taken\n${images.map(([name, k, kind], i) => `${i},${name},${wnid(k)},${kind},,\n`).join('')}` });
  const set = images.filter(([name, , kind]) => kind === 'candidate' && Number(name.split('-')[2]) < 50);
  const rows = `image,wnid\n${set.map(([name, k]) => `${name},${wnid(k)}\n`).join('')}`;
  await must(['import', 'set', dir, 'closed', file('set.csv', rows), '--sealed']);
  for (const [model, step] of Object.entries(MODELS)) {
    const said = images.map(([image, k]) => `${JSON.stringify({ image, labels: says(k, step), scores: [0.5, 0.25, 0.125] })}\n`).join('');
    await must(['import', 'predictions', dir, file(`${model}.jsonl`, said), '--model', model]);
  }
  return { dir, file };
}

let world;
before(async () => {
  const cleanUp = [];
  world = await project({ after: (f) => cleanUp.push(f) });
  process.on('exit', () => cleanUp.reverse().forEach((f) => f()));
});
const potential = (...options) => ['potential', 'freeze', world.dir, '--name', 'asked', '--set', 'closed', '--models', 'one,two,three', ...options];

test('potential labels of a sealed set: not of few models, not of other ones, and without who said what', async () => {
  const { dir, file } = world;
  await fails(['potential', 'freeze', dir, '--name', 'x', '--set', 'closed', '--models', 'one,two'], /fewer than 3 models would tell.*Nothing was made/s);
  await fails(['potential', 'freeze', dir, '--name', 'x', '--set', 'closed', '--candidates', '--models', 'one'], /--set, or take every candidate/, 2);
  await fails(['potential', 'freeze', dir, '--name', 'x', '--set', 'closed'], /--models, or a file/, 2);
  await fails([...potential('--labels', file('bad.csv', `image,wnid,source\nnobody,${wnid(0)},me\n${wnid(0)}-c-0,n9,me\n${wnid(0)}-c-59,${wnid(1)},me\n${wnid(0)}-c-1,${wnid(1)},me\n${wnid(0)}-c-1,${wnid(1)},me\n`))],
    /bad\.csv:2: there is no image nobody.*bad\.csv:3: .*n9.*bad\.csv:4: the plan is not about image .*-59.*bad\.csv:6: the image has this label twice/s);
  assert.deepEqual(await query(dir, 'SELECT count(*) FROM label_plan_list;'), ['0']);

  const named = file('more.csv', `image,wnid,source\n${wnid(0)}-c-0,${wnid(5)},model four\n`);
  const dry = await holdout(potential('--labels', named, '--dry-run'));
  assert.match(dry.err, /400 images with 2401 potential labels, 6\.00 on average/);
  const made = JSON.parse(await must(potential('--labels', named, '--quiet', '--json')));
  /* Own class, and 1, 2 | 2, 4 | 3, 6 further on: six labels; one image has the seventh by the file. */
  assert.deepEqual([made.version, made.images, made.labels, made.sealed, made.models, made.top, made.file], [1, 400, 400 * 6 + 1, true, ['one', 'three', 'two'], 5, 'more.csv']);
  const rows = csv(await must(['export', 'potential', dir, 'asked']));
  assert.equal(rows.length, made.labels);
  assert.deepEqual([...new Set(rows.map((row) => row.source))].sort(), ['proposed', 'set']);
  assert.deepEqual(rows.filter((row) => row.source === 'set').every((row) => row.image.startsWith(row.wnid)), true);
  assert.deepEqual(await query(dir, "SELECT count(*) FROM label_plan_label WHERE source IS NOT NULL OR origin > 1;"), ['0']);
  /* The models are logged; the same again is the same version; other models would tell by what they add. */
  const [detail] = await query(dir, "SELECT detail FROM event WHERE kind = 'labels.potential';");
  assert.deepEqual(JSON.parse(detail).models, ['one', 'three', 'two']);
  assert.equal(JSON.parse(await must(potential('--labels', named, '--quiet', '--json'))).version, 1);
  await fails(['potential', 'freeze', dir, '--name', 'more', '--set', 'closed', '--models', 'one,two,three,four'], /asked\/1 has sealed images of these with labels of other models/);
  assert.equal(JSON.parse(await must(potential('--top', '1', '--quiet', '--json'))).version, 2);
  /* And in the manifest of the set. */
  const folder = path.join(dir, 'exports', 'closed');
  await must(['export', 'set', dir, 'closed/0', '--format', 'folder', '--output', folder, '--quiet']);
  const manifest = JSON.parse(fs.readFileSync(path.join(folder, 'manifest.json'), 'utf8'));
  assert.deepEqual(manifest.label_plans.map((p) => [p.name, p.version, p.models, p.top]), [['asked', 1, ['one', 'three', 'two'], 5], ['asked', 2, ['one', 'three', 'two'], 1]]);
  await fails(['potential', 'show', dir, 'asked/7'], /has no version 7: its newest is 2/);
  assert.deepEqual(csv(await must(['potential', 'list', dir, 'asked'])).map((row) => [row.version, row.labels]), [['2', '400'], ['1', String(made.labels)]]);

  /* Of images that are not sealed, who named a label is kept. */
  const open = file('open.csv', `image,wnid\n${ofClass(0).slice(50).map((name) => `${name},${wnid(0)}\n`).join('')}`);
  await must(['import', 'set', dir, 'open', open, '--role', 'original']);
  const who = file('who.csv', `image,wnid,source\n${wnid(0)}-c-50,${wnid(1)},an expert\n`);
  await must(['potential', 'freeze', dir, '--name', 'open', '--set', 'open', '--models', 'one', '--top', '2', '--labels', who, '--quiet']);
  const sources = csv(await must(['export', 'potential', dir, 'open']));
  assert.deepEqual(sources.slice(0, 4).map((row) => [row.wnid, row.source]),
    [[wnid(0), 'set+models'], [wnid(1), 'an expert'], [wnid(0), 'set+models'], [wnid(1), 'models']]);
});

const grids = (...options) => ['grids', world.dir, '--kind', 'potential', '--campaign', 'found', '--potential', 'asked/1', '--answers-per-grid', '9', '--title', 'Find it', '--seed', '4', ...options];

test('what cannot be done is refused, with what can', async () => {
  await fails(['grids', world.dir, '--kind', 'potential'], /name it with --potential/, 2);
  await fails(['grids', world.dir, '--potential', 'asked'], /is for --kind potential/, 2);
  await fails(grids('--class', wnid(0)), /give no --set, --class/, 2);
  await fails(['grids', world.dir, '--kind', 'potential', '--potential', 'none'], /no plan of potential labels none\. Choose one of: asked, open/);
  /* An image of 7 labels with 9 answers each needs 63 people, and 9 for CLASSIFY. */
  const r = await holdout(grids('--people', '70', '--dry-run', '--grids-per-place', '40', '--max-share', '1', '--people-a-day', '10'));
  assert.equal(r.code, 1);
  assert.match(r.out, /an image is shown to 72 different people at most: 7 grids x 9 answers, 9 for CLASSIFY/);
  assert.match(r.out, /MORE THAN CAN BE HAD, 8 days with 10 a day/);
  assert.match(r.out, /--top 5, 8 answers: 2401 labels, 7 an image at most; \d+ grids; 65 people \(an image 65\)/);
  assert.match(r.out, /--top 1, 9 answers: 401 labels, 2 an image at most/);
  assert.match(r.err, /takes 72 different people \(an image alone 72\), and 70 can be had\. Nothing was planned\. Possible: 8 answers for each of at most 7 labels/);
  assert.equal((await holdout(grids('--people', '70'))).code, 1);
  await fails(grids('--people', '10'), /Even one answer of each model.*Find more people/s);
  assert.deepEqual(await query(world.dir, "SELECT count(*) FROM campaign WHERE kind = 'potential';"), ['0']);
});

test('grids ask about every pair once, with controls that do not have the label', async () => {
  const { dir } = world;
  const plan = JSON.parse(await must(grids('--json', '--quiet', '--people', '72', '--grids-per-place', '40', '--max-share', '1')));
  assert.deepEqual([plan.potential.pairs, plan.potential.planned, plan.potential.answered, plan.potential.way.people_of_image, plan.potential.way.possible],
    [2401, 2401, 0, 72, true]);
  const cells = (await query(dir, "SELECT g.number, k.wnid, c.role, i.name, o.wnid FROM campaign m JOIN grid g ON g.campaign = m.id JOIN class k ON k.id = g.class JOIN grid_cell c ON c.grid = g.id JOIN image i ON i.id = c.image JOIN class o ON o.id = i.class WHERE m.name = 'found' ORDER BY g.number;")).map((row) => row.split('|'));
  const asked = csv(await must(['export', 'potential', dir, 'asked/1'])).map((row) => `${row.image} ${row.wnid}`);
  const shown = cells.filter(([, , role]) => role === '0').map(([, label, , image]) => `${image} ${label}`);
  assert.deepEqual([...new Set(shown)].sort(), asked.sort());
  const has = new Set(asked);
  for (const [, label, role, image, own] of cells) {
    if (role === '1') assert.deepEqual([own, image.includes('-o-')], [label, true]);
    if (role === '2') assert.ok(own !== label && !has.has(`${image} ${label}`), `${image} is a negative control of ${label}`);
  }
  /* What models say of the originals is looked at, too: of its own class they never say the one that is 5 or 7 further on. */
  for (const [, label, role, , own] of cells) if (role === '2') assert.ok([1, 3].some((k) => own === wnid(WNIDS.indexOf(label) + k)), `${own} for ${label}`);
  /* The same plan again is the same draft; the campaign knows its plan. */
  await must(grids('--quiet', '--grids-per-place', '40', '--max-share', '1', '--open'));
  assert.deepEqual(await query(dir, "SELECT p.name, p.version, m.state FROM label_plan_campaign c JOIN campaign m ON m.id = c.campaign JOIN label_plan p ON p.id = c.plan;"), ['asked|1|open']);
  assert.deepEqual(JSON.parse(await must(['potential', 'show', dir, 'asked/1'])).campaigns, ['found']);
  const again = await holdout(['grids', dir, '--kind', 'potential', '--campaign', 'other', '--potential', 'asked/1', '--dry-run']);
  assert.match(again.err, /2401 of the pairs also wait for answers in campaigns that are not closed/);
});
const WNIDS = Array.from({ length: CLASSES }, (_, i) => wnid(i));

test('images whose stage needs people become tasks with their candidates as options; the others need none', async () => {
  const { dir } = world;
  /* An imported study: nine people about the own label and the next one of three images. */
  const found = [[0, 9, 9], [1, 9, 1], [2, 0, 5]];
  const idx = async (image) => Number((await query(dir, `SELECT idx FROM image WHERE name = '${image}';`))[0]);
  const hits = [], votes = ['assignment,hit,worker,status,accept_time,duration_s,mask_hex'];
  for (const [i, ...selected] of found) {
    const cell = await idx(`${wnid(0)}-c-${i}`);
    for (const [k, n] of selected.entries()) {
      const hit = hits.length;
      hits.push(JSON.stringify({ hit, uuid: `u${hit}`, wnid: wnid(k), excluded: false, label: [cell], pos: [], neg: [], all: [cell] }));
      for (let w = 0; w < 9; w++) votes.push(`A${hit}-${w},${hit},w${w},A,1534522281,9,${w < n ? 1 : 0}`);
    }
  }
  await must(['import', 'hits', dir, '-'], { input: `${hits.join('\n')}\n` });
  await must(['import', 'votes', dir, '-'], { input: `${votes.join('\n')}\n` });
  await must(['candidates', 'freeze', dir, '--name', 'voted', '--potential', 'asked/1', '--view', 'default', '--quiet']);
  const stages = new Map(csv(await must(['export', 'candidates', dir, 'voted'])).map((row) => [row.image, row]));
  const of = (i) => stages.get(`${wnid(0)}-c-${i}`);
  assert.deepEqual([of(0).stage, of(0).candidates, of(1).stage, of(1).candidates, of(2).stage, of(3).stage],
    ['fu', `${wnid(0)}+${wnid(1)}`, 'easy', wnid(0), 'mis', 'amb']);

  /* Experts are asked about candidates; of an image without any, about every label that somebody found. Where from is not told. */
  const review = ['label-review', 'create', dir, 'found', '--set', 'closed', '--models', 'one', '--by', 'class', '--seed', '1', '--candidates', 'voted'];
  await fails([...review.slice(0, -1), 'nothing'], /no plan of candidates? labels nothing/);
  assert.match((await holdout([...review, '--dry-run'])).err, /People found 4 of the labels in CONTAINS grids and ticked 0 in CLASSIFY tasks/);
  await must(review);
  const asked = await query(dir, `SELECT i.name, group_concat(c.wnid || '=' || l.origins) FROM label_review_label l JOIN class c ON c.id = l.class
    JOIN label_review_image r ON r.review = l.review AND r.position = l.position JOIN image i ON i.id = r.image
    WHERE i.name IN ('${wnid(0)}-c-0', '${wnid(0)}-c-1', '${wnid(0)}-c-2', '${wnid(0)}-c-3') GROUP BY i.name ORDER BY i.name, c.wnid;`);
  assert.deepEqual(asked, [`0|${wnid(0)}=67,${wnid(1)}=64`, `1|${wnid(0)}=67`, `2|${wnid(0)}=3,${wnid(1)}=64`, `3|${wnid(0)}=3`].map((row) => `${wnid(0)}-c-${row}`));
  assert.deepEqual(await query(dir, "SELECT detail FROM event WHERE kind = 'label-review.create';"), ['{"sources":[],"candidates":["voted/1"]}']);
  await must(['label-review', 'change', dir, 'found', '--close']);

  const classify = (...options) => ['classify', dir, '--plan', 'voted/1', '--campaign', 'objects', '--title', 'Which objects?', '--seed', '2', ...options];
  await fails(['classify', dir, '--campaign', 'x'], /name the plan/, 2);
  const dry = await holdout(classify('--dry-run'));
  assert.match(dry.out, /tasks +1 images of the stage fu; 1 easy, 1 mis, 397 amb and 0 hidden ones need none\n +answers wanted +9, 9 a task/);
  /* Checks: the easy image, which all who were asked found; filled up with what nobody found or proposed. */
  await fails(classify('--checks-one', '2'), /1 images of which it is known that they show one object \(1 of them easy.*and 0 that show two/s);
  await fails(classify('--checks-two', '1'), /0 that show two. Nothing was planned/);
  await fails(classify('--checks-one', '1', '--same-image-again'), /checked by what they said themselves/, 2);
  await fails(classify('--people', '5'), /takes 27 different people, those who saw an image before among them, and 5 can be had/);
  assert.deepEqual(await query(dir, "SELECT count(*) FROM campaign WHERE name = 'objects';"), ['0']);
  const checked = JSON.parse(await must(classify('--quiet', '--json', '--campaign', 'checked', '--checks-one', '1')));
  assert.deepEqual([checked.tasks, checked.checks, checked.checks_one, checked.people_of_image, checked.saw_before], [2, 1, 1, 27, 18]); /* nine people, twice each: by an imported study */
  const [check] = await query(dir, "SELECT i.name, group_concat(w.wnid || '=' || o.known) FROM campaign m JOIN grid g ON g.campaign = m.id JOIN grid_cell c ON c.grid = g.id AND c.role = 3 JOIN image i ON i.id = c.image JOIN grid_option o ON o.grid = g.id JOIN class w ON w.id = o.class WHERE m.name = 'checked';");
  const [image, known] = check.split('|');
  assert.equal(image, `${wnid(0)}-c-1`);
  assert.equal(known.split(',').filter((o) => o.endsWith('=1')).join(), `${wnid(0)}=1`);
  assert.ok(known.split(',').length >= 2, known);

  const made = JSON.parse(await must(classify('--quiet', '--json', '--none-of-these')));
  assert.deepEqual([made.tasks, made.stages, made.answers_per_task], [1, { easy: 1, fu: 1, mis: 1, amb: 397 }, 9]);
  assert.deepEqual(await query(dir, "SELECT m.task, m.none_of_these, m.state, i.name, k.wnid, group_concat(o.position || ':' || w.wnid) FROM campaign m JOIN grid g ON g.campaign = m.id JOIN class k ON k.id = g.class JOIN grid_cell c ON c.grid = g.id JOIN image i ON i.id = c.image JOIN grid_option o ON o.grid = g.id JOIN class w ON w.id = o.class WHERE m.name = 'objects' GROUP BY g.id ORDER BY o.position;"),
    [`classify|1|draft|${wnid(0)}-c-0|${wnid(0)}|0:${wnid(0)},1:${wnid(1)}`]);
  assert.equal(JSON.parse(await must(classify('--quiet', '--json', '--none-of-these', '--open'))).tasks, 1);
  assert.deepEqual(JSON.parse(await must(['candidates', 'show', dir, 'voted'])).campaigns, ['checked', 'objects']);
  await fails(['grids', dir, '--campaign', 'objects'], /already a campaign named objects/);
});

test('without votes every image is amb; frozen plans name their view, and check finds one that was changed', async () => {
  const { dir } = world;
  const dry = await holdout(['candidates', 'freeze', dir, '--name', 'c', '--potential', 'asked/1', '--dry-run']);
  assert.match(dry.err, /amb: 400 images.*Fewer than 5 people were asked about 2401 of the 2401 pairs.*dry run/s);
  assert.deepEqual(await query(dir, "SELECT count(*) FROM vote_view WHERE name = 'potential';"), ['0']);
  const made = JSON.parse(await must(['candidates', 'freeze', dir, '--name', 'c', '--potential', 'asked/1', '--quiet', '--json']));
  assert.deepEqual([made.version, made.view, made.potential, made.sealed], [1, 'potential', 'asked/1', true]);
  assert.equal(JSON.parse(await must(['candidates', 'freeze', dir, '--name', 'c', '--potential', 'asked/1', '--quiet', '--json'])).version, 1);
  await fails(['classify', dir, '--campaign', 'x', '--plan', 'c'], /Nobody has to choose/);
  await fails(['candidates', 'freeze', dir, '--name', '.c', '--potential', 'asked'], /name must be 1 to 63/);
  await fails(['candidates', 'freeze', dir, '--name', 'c', '--potential', 'asked', '--tau', '0.0001'], /tau/, 2);
  await must(['check', dir]);
  await query(dir, "UPDATE label_plan_image SET stage = 'easy' WHERE list = (SELECT list FROM label_plan WHERE kind = 'candidates' AND name = 'c') AND image = (SELECT min(image) FROM label_plan_image);");
  await fails(['check', dir], /./);
  assert.match((await holdout(['check', dir])).out, /plans of labels: one of 400 images does not match its digest/);
});
