/* make.mjs - writes OUT.sql and OUT.json, the fixture of the present schema: a small project made by
 * HOLDOUT_BIN, through its commands and its server where they can, by SQL where they cannot. How to use
 * it: README.md. Knows commands of all versions so far; a table that stays empty is an error. */
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';

import { Client, PASSWORD, holdout, must, newProject, startServer, tempDir } from '../../http/lib.mjs';
import { CLASSES, answer, join, next, png } from '../../http/study.mjs';

/* For tables that no command fills in a project this small; `event` becomes a new event's number. */
const BY_HAND = {
  synset: "INSERT INTO synset VALUES (1, 'n00000001', 'apple', 'a round fruit'), (2, 'n00000002', 'pear|pear tree', 'a fruit'), (9, 'n00000009', 'fruit', 'what grows')",
  hypernym: 'INSERT INTO hypernym VALUES (1, 9), (2, 9)',
  invite: "INSERT INTO invite (hash, role, note, created_by, created_at, expires_at) VALUES (randomblob(32), 'lead', 'for a colleague', 1, 1795190000000, 1795199000000)",
  answer_state: "INSERT INTO event (at, account, kind, subject) VALUES (1795195000000, 1, 'answer.state', 1); INSERT INTO answer_state (id, answer, field, value, rule) SELECT max(id), (SELECT min(id) FROM answer), 'analysis', 'out', 'too fast' FROM event",
  image_decision: "INSERT INTO event (at, account, kind, subject) VALUES (1795195000000, 1, 'image.quarantine', 1); INSERT INTO image_decision SELECT max(id), 1, 'quarantine', 'unclear rights' FROM event",
  flag: "INSERT INTO event (at, kind, subject) VALUES (1795195000000, 'flag', 2); INSERT INTO flag SELECT max(id), 2, (SELECT min(person) FROM place), NULL, 'other', 'odd' FROM event",
  arrival: "INSERT INTO arrival SELECT id, '{\"PROLIFIC_PID\":\"ann\",\"STUDY_ID\":\"s1\",\"SESSION_ID\":\"x1\"}' FROM place LIMIT 1",
  place_outcome: "INSERT INTO event (at, kind, subject) VALUES (1795195000000, 'place.outcome', 1); INSERT INTO place_outcome SELECT max(id), 1, 'complete' FROM event",
  image_set: "INSERT INTO event (at, account, kind, subject) VALUES (1795195000000, 1, 'set.create', 1); INSERT INTO image_set SELECT max(id), 'originals', 'original' FROM event",
  revision: "INSERT INTO event (at, account, kind, subject) VALUES (1795195000000, 1, 'revision.create', (SELECT max(id) FROM image_set)); INSERT INTO revision SELECT max(id), (SELECT max(id) FROM image_set), 0, NULL, 'import', '{}', 1, randomblob(32) FROM event",
  revision_image: 'INSERT INTO revision_image SELECT (SELECT max(id) FROM revision), 0, min(image), (SELECT min(id) FROM class) FROM grid_cell',
  revision_state: "INSERT INTO event (at, account, kind, subject) VALUES (1795195000000, 1, 'revision.state', (SELECT max(id) FROM revision)); INSERT INTO revision_state SELECT max(id), (SELECT max(id) FROM revision), 'frozen', 'complete' FROM event",
  model: "INSERT INTO event (at, account, kind) VALUES (1795195000000, 1, 'model.add'); INSERT INTO model (id, name, kind) SELECT max(id), 'resnet50', 'import' FROM event",
  model_facts: "INSERT INTO event (at, account, kind, subject) VALUES (1795195000000, 1, 'model.facts', (SELECT min(id) FROM model)); INSERT INTO model_facts SELECT min(m.id), (SELECT max(id) FROM event), 'standard', 'ResNet', 'ResNet-50', 2015, 'ILSVRC 2012', 25557032 FROM model m",
  model_removal: "INSERT INTO event (at, account, kind) VALUES (1795195000000, 1, 'model.add'); INSERT INTO model (id, name, kind) SELECT max(id), 'alexnet', 'import' FROM event; INSERT INTO event (at, account, kind, subject) VALUES (1795195000000, 1, 'model.remove', (SELECT max(id) FROM model)); INSERT INTO model_removal SELECT max(id), (SELECT max(id) FROM model), 1, 'not needed' FROM event",
  prediction_source: "INSERT INTO event (at, account, kind, subject) VALUES (1795195000000, 1, 'predictions.source', (SELECT min(id) FROM model)); INSERT INTO prediction_source SELECT max(id), (SELECT min(id) FROM model), 'import', 'unknown', 'top.npy', '{}', randomblob(32), NULL, 1, 0 FROM event",
  prediction_block: "INSERT INTO prediction_block (source, records, least, most, data) SELECT max(id), 1, 1, 1, x'010000000000' FROM prediction_source",
  feature_source: "INSERT INTO event (at, account, kind, subject) VALUES (1795195000000, 1, 'features.source', (SELECT min(id) FROM model)); INSERT INTO feature_source SELECT max(id), (SELECT min(id) FROM model), 'flatten', 2, 'engine', '{}', randomblob(32) FROM event",
  place_visit: "INSERT INTO place_visit (place, hash, own, at) SELECT min(id), randomblob(32), 1, 1795195000000 FROM place",
  flag_counted: 'INSERT INTO flag_counted SELECT id, id FROM flag',
  flag_dismissal: "INSERT INTO event (at, account, kind, subject) VALUES (1795195000000, 1, 'flag.dismiss', (SELECT min(id) FROM flag)); INSERT INTO flag_dismissal SELECT max(id), (SELECT min(id) FROM flag), 0, max(id) FROM event",
  feature_block: "INSERT INTO feature_block (source, first, records, images) SELECT max(id), 0, 1, x'01000000' FROM feature_source",
  feature_only: 'INSERT INTO feature_only SELECT (SELECT min(id) FROM model), 1, max(id) FROM event',
  job: "INSERT INTO event (at, account, kind) VALUES (1795195000000, 1, 'job.start'); INSERT INTO job (id, kind, arguments, title, state, ended_at) SELECT max(id), 'predict', '[\"--model\",\"resnet50\"]', 'resnet50 on all images', 'cancelled', 1795195000000 FROM event",
  review_round: "INSERT INTO event (at, account, kind, subject) VALUES (1795195000000, 1, 'round.start', (SELECT max(id) FROM revision)); INSERT INTO review_round SELECT max(id), (SELECT max(id) FROM revision), 20, 10, 7 FROM event",
  review_turn: "INSERT INTO event (at, account, kind, subject) VALUES (1795195000000, 1, 'round.turn', 1); INSERT INTO review_turn SELECT max(id), (SELECT id FROM review_round), 1, 1, 0 FROM event",
  review_mark: 'INSERT INTO review_mark SELECT (SELECT id FROM review_turn), image, 0, 0 FROM set_list_image WHERE class = 1 AND list = (SELECT list FROM revision ORDER BY id DESC LIMIT 1)',
  remeasurement: 'INSERT INTO remeasurement SELECT (SELECT max(id) FROM campaign), (SELECT max(id) FROM revision)',
  campaign_apart: 'INSERT INTO campaign_apart SELECT max(id), min(id) FROM campaign',
  pay: "INSERT INTO event (at, account, kind, subject) VALUES (1795195000000, 1, 'place.pay', 1); INSERT INTO pay (id, place, state, bonus_cents, reason) SELECT max(id), 1, 'approved', 25, 'careful' FROM event",
  seal_opening: "INSERT INTO event (at, account, kind, subject) VALUES (1795195000000, 1, 'revision.state', (SELECT max(id) FROM sealed_revision)); INSERT INTO revision_state SELECT max(id), (SELECT max(id) FROM sealed_revision), 'unsealed', 'opened with the originals' FROM event; INSERT INTO seal_opening SELECT max(id), (SELECT min(id) FROM revision), 1 FROM revision_state",
  revision_pin: "INSERT INTO revision_pin SELECT min(id), 1, 'chosen' FROM revision",
  score_decision: "INSERT INTO event (at, account, kind, subject) VALUES (1795195000000, 1, 'predictions.choose', (SELECT min(id) FROM revision)); INSERT INTO score_decision SELECT max(id), (SELECT min(id) FROM revision), (SELECT min(id) FROM model), (SELECT min(id) FROM prediction_source), 'the first one', NULL FROM event",
  grid_option: "INSERT INTO event (at, kind) VALUES (1795195000000, 'campaign.create'); INSERT INTO campaign (name, kind, title, imported, answers_per_grid, grids_per_place, max_share, places, lease_seconds, rule_text, state, created_at, task) VALUES ('objects', 'pilot', 'Objects', 1, 3, 1, 1, 10, 600, '', 'closed', 1795195000000, 'classify'); INSERT INTO grid (campaign, class, name, created_at) SELECT max(id), 1, 'objects-1', 1795195000000 FROM campaign; INSERT INTO grid_cell SELECT max(id), 0, (SELECT min(id) FROM image), 0 FROM grid; INSERT INTO grid_option SELECT max(id), 0, 1, 0 FROM grid; INSERT INTO grid_option SELECT max(id), 1, 2, 0 FROM grid",
  label_plan_campaign: "INSERT INTO label_plan_campaign SELECT (SELECT max(id) FROM campaign WHERE kind = 'pilot'), (SELECT max(id) FROM label_plan)",
  grid_exclusion: "INSERT INTO event (at, account, kind, subject) VALUES (1795195000000, 1, 'grid.exclude', (SELECT max(id) FROM grid)); INSERT INTO grid_exclusion SELECT max(id), (SELECT max(id) FROM grid), '' FROM event",
  image_filled: 'INSERT INTO image_filled SELECT (SELECT max(id) FROM event), 1, 8',
  near_unread: 'INSERT INTO near_unread SELECT max(s.id), (SELECT max(id) FROM image) FROM near_search s',
  near_verdict: "INSERT INTO event (at, account, kind) VALUES (1795195000000, 1, 'near.look'); INSERT INTO near_verdict SELECT (SELECT min(name) FROM image WHERE role = 'candidate'), (SELECT max(name) FROM image WHERE role = 'candidate'), max(id), 'not', 0 FROM event",
  near_look: "INSERT INTO near_look SELECT event, a, '[\"' || b || '\"]', NULL, NULL FROM near_verdict",
  near_calibration: "INSERT INTO event (at, account, kind) VALUES (1795195000000, 1, 'near.calibrate'); INSERT INTO near_calibration SELECT 'l2', max(id), 'blur', (SELECT space FROM near_search LIMIT 1), x'000000000000f03f' FROM event",
  account_saw: "INSERT INTO account_saw SELECT min(id), 1, 'page', 1795195000000 FROM account",
  guide_version: "INSERT INTO event (at, account, kind) VALUES (1795195000000, 1, 'guide.write'); INSERT INTO guide_version SELECT max(id), 'n00000001', 'A round fruit.', 'first' FROM event",
  class_relation: "INSERT INTO event (at, account, kind) VALUES (1795195000000, 1, 'class.relate'); INSERT INTO class_relation SELECT max(id), 1, 2, 'confusable', 'both are fruit' FROM event",
  label_suggestion: 'INSERT INTO label_suggestion SELECT review, position, class, position % 2 FROM label_review_label',
  label_stand: "INSERT INTO event (at, account, kind, subject) VALUES (1795195000000, 1, 'labels.stand', (SELECT max(id) FROM label_review)); INSERT INTO label_stand SELECT max(id), (SELECT max(id) FROM label_review), 0, 1, 'keep' FROM event",
  superclass_list: "INSERT INTO event (at, account, kind) VALUES (1795195000000, 1, 'superclasses.create'); INSERT INTO superclass_list SELECT max(id), 'kinds', 1, 'by hand', x'558d50df5a7f4712a98b1e8c18e3ac3764414ae4371f48a51c71ed50e1808972' FROM event",
  superclass_member: "INSERT INTO superclass_member SELECT (SELECT max(id) FROM superclass_list), min(id), 'fruit' FROM class",
  training_list: "INSERT INTO event (at, account, kind) VALUES (1795195000000, 1, 'training.create'); INSERT INTO training_list SELECT max(id), 'fruit', 'fruit', 'group', '{}', 1, 7, 1, 80, 1 FROM event",
  training_image: "INSERT INTO training_image SELECT (SELECT max(id) FROM training_list), 0, id, class FROM image WHERE role = 'original' LIMIT 1",
  training_state: "INSERT INTO event (at, account, kind, subject) VALUES (1795195000000, 1, 'training.open', (SELECT max(id) FROM training_list)); INSERT INTO training_state SELECT max(id), (SELECT max(id) FROM training_list), 'open' FROM event",
  training_answer: "INSERT INTO event (at, account, kind, subject) VALUES (1795195000000, 2, 'training.answer', (SELECT max(id) FROM training_list)); INSERT INTO training_answer SELECT (SELECT max(id) FROM event), list, position, 2, class, 1, 1, 0, 0, NULL FROM training_image",
  training_suggestion: "INSERT INTO event (at, account, kind, subject) VALUES (1795195000000, 2, 'training.suggest', (SELECT max(id) FROM training_list)); INSERT INTO training_suggestion SELECT (SELECT max(id) FROM event), list, position, 2, NULL, 'problematic', 'a drawing', 0 FROM training_image",
  training_need: "INSERT INTO event (at, account, kind, subject) VALUES (1795195000000, 1, 'training.need', (SELECT max(id) FROM label_review)); INSERT INTO training_need SELECT max(id), 'label-review', (SELECT max(id) FROM label_review), 'fruit', 1 FROM event",
  review_shown: "INSERT INTO event (at, account, kind, subject) VALUES (1795195000000, 1, 'review.shown', (SELECT max(id) FROM revision)); INSERT INTO review_shown SELECT (SELECT max(id) FROM revision), 2, 1, max(id) FROM event",
  evaluation: "INSERT INTO event (at, account, kind) VALUES (1795195000000, 1, 'evaluation.create'); INSERT INTO evaluation SELECT max(id), 'people', 'class', '[]', 1, 7, 1 FROM event",
  evaluation_set: 'INSERT INTO evaluation_set SELECT (SELECT max(id) FROM evaluation), 0, (SELECT min(id) FROM revision), 1, 0, NULL',
  evaluation_class: 'INSERT INTO evaluation_class SELECT (SELECT max(id) FROM evaluation), id FROM class',
  evaluation_image: 'INSERT INTO evaluation_image SELECT (SELECT max(id) FROM evaluation), 0, l.image, 0, NULL FROM set_list_image l WHERE l.list = (SELECT list FROM revision ORDER BY id LIMIT 1) ORDER BY l.image DESC LIMIT 1',
  evaluation_state: "INSERT INTO event (at, account, kind, subject) VALUES (1795195000000, 1, 'evaluation.open', (SELECT max(id) FROM evaluation)); INSERT INTO evaluation_state SELECT max(id), (SELECT max(id) FROM evaluation), 'open' FROM event",
  evaluation_person: "INSERT INTO event (at, account, kind, subject) VALUES (1795195000000, 1, 'evaluation.assign', (SELECT max(id) FROM evaluation)); INSERT INTO evaluation_person SELECT max(id), (SELECT max(id) FROM evaluation), (SELECT max(id) FROM account), 1 FROM event",
  evaluation_answer: "INSERT INTO event (at, account, kind, subject) VALUES (1795195000000, (SELECT max(id) FROM account), 'evaluation.answer', (SELECT max(id) FROM evaluation)); INSERT INTO evaluation_answer SELECT max(id), (SELECT max(id) FROM evaluation), 0, (SELECT max(id) FROM account), 1, 4000 FROM event",
  evaluation_source: "INSERT INTO event (at, account, kind) VALUES (1795195000000, 1, 'model.add'); INSERT INTO model (id, name, kind) SELECT max(id), 'person-2', 'import' FROM event; INSERT INTO event (at, account, kind, subject) VALUES (1795195000000, 1, 'predictions.import', (SELECT max(id) FROM model)); INSERT INTO prediction_source SELECT max(id), (SELECT max(id) FROM model), 'import', 'unknown', 'evaluation people', '{}', randomblob(32), (SELECT min(id) FROM revision), 1, 0 FROM event; INSERT INTO prediction_block (source, records, least, most, data) SELECT (SELECT max(id) FROM prediction_source), 1, image, image, CAST(char(image, 0, 0, 0, 0, 0) AS BLOB) FROM evaluation_image; INSERT INTO evaluation_source SELECT (SELECT max(id) FROM prediction_source), (SELECT max(id) FROM evaluation), (SELECT max(id) FROM account), 0",
};
const EXPORTS = [['frequencies'], ['workers'], ['votes'], ['votes', '--format', 'long'], ['hits'],
  ['participants', '--campaign', 'main'], ['pool'], ['histograms'], ['blacklist'], ['near-duplicates'], ['set', 'best/0']];

const cleanUp = [];
const t = { after: (f) => cleanUp.push(f) };
const out = process.argv[2];
const dir = await newProject(t);
const work = tempDir(t);
const sql = (text) => execFileSync('sqlite3', ['-bail', path.join(dir, 'holdout.db')], { input: text.startsWith('.') ? text : `${text};\n`, encoding: 'utf8' });
const file = (name, text) => {
  fs.writeFileSync(path.join(work, name), text);
  return path.join(work, name);
};
const can = async (...command) => (await holdout([...command, '--help'])).code === 0;

await must(['import', 'classes', dir, file('classes.jsonl', CLASSES)]);
const images = {};
for (const [role, count] of [['original', 4], ['candidate', 6]]) {
  for (const wnid of ['n00000001', 'n00000002']) {
    fs.mkdirSync(path.join(work, role, wnid), { recursive: true });
    for (let i = 0; i < count; i++) {
      const bytes = png(`${role}-${wnid}-${i}`, 6, 4);
      images[`${role}/${wnid}/${wnid}-${role}-${i}.png`] = bytes.toString('base64');
      fs.writeFileSync(path.join(work, role, wnid, `${wnid}-${role}-${i}.png`), bytes);
    }
  }
  await must(['import', 'images', dir, path.join(work, role), '--role', role]);
}
await must(['grids', dir, '--campaign', 'main', '--open', '--answers-per-grid', '3', '--grids-per-place', '2',
  '--max-share', '1', '--same-image-again', '--pay', '300', '--seed', '1']);
await must(['user', 'add', dir, 'expert', '--role', 'expert', '--password-file', file('password', `${PASSWORD}\n`)]);
const token = (await must(['token', 'create', dir, '--login', 'admin', '--name', 'script'])).trim();
if (await can('study')) await must(['study', dir, 'main', '--consent-file', file('consent.txt', 'We store your answers.\n')]);
if (await can('import', 'participants')) await must(['import', 'participants', dir, file('people.csv', 'participant_id\nann\nzoe\n'), '--campaign', 'main']);
if (await can('import', 'texts')) {
  await must(['import', 'texts', dir, file('said.jsonl', ['an apple', 'a fig'].map((text, i) => `${JSON.stringify({ image: `n00000001-original-${i}`, text, prompt: 'What is it?' })}\n`).join('')), '--model', 'speaker']);
  await must(['map-texts', dir, '--model', 'speaker', '--mapping', 'words', '--csv', file('decided.csv', 'text,wnid\npomme,n00000001\n')]);
}
const server = await startServer(t, dir);
const client = new Client(server.url);
const places = {};
for (const [person, grids] of [['ann', 2], ['bob', 1], ['eve', 2]]) {
  places[person] = await join(client, person);
  for (let i = 0; i < grids; i++) {
    const { assignment } = await next(client, places[person]);
    await answer(client, assignment, { client_id: `${person}-answer-${i}`, selected: person === 'eve' ? [0, 5, 7] : [1, 2] });
  }
}
await new Client(server.url).login();
await server.stop();
if (await can('worker', 'note')) await must(['worker', 'note', dir, '--source', 'panel', '--id', 'bob', '--text', 'asked a good question']);
if (await can('decide')) {
  await must(['decide', dir, '--out', '--reopen', '--people', file('out.txt', 'eve\n'), '--reason', 'clicks at random']);
}
if (await can('import', 'set')) {
  const names = Object.keys(images).filter((name) => name.startsWith('original/')).map((name) => name.slice('original/'.length));
  await must(['import', 'set', dir, 'originals', file('set.csv', `image,wnid\n${names.map((name) => `${name},${name.split('/')[0]}\n`).join('')}`), '--role', 'original']);
}
/* What sets are made of: decisions about images, a sampled revision, and a review that took an image out of it. */
if (await can('import', 'labels')) await must(['import', 'labels', dir, file('labels.csv', 'image,label\nn00000001-original-0,n00000001\n'), '--name', 'real']);
if (await can('potential', 'freeze')) await must(['potential', 'freeze', dir, '--name', 'asked', '--set', 'originals', '--labels', file('more.csv', 'image,wnid,source\nn00000001/n00000001-original-0.png,n00000002,by hand\n')]);
if (await can('plan')) await must(['plan', dir, file('plan.json', '{"name": "main", "original": "originals", "new": "best"}')]);
if (await can('subset')) await must(['subset', dir, 'some', 'problematic,class:n00000001']);
if (await can('sample')) {
  const name = (wnid, i) => `${wnid}-candidate-${i}`;
  await must(['import', 'blacklist', dir, file('blacklist.csv', `image,reason\n${name('n00000001', 5)},drawing\n`)]);
  await must(['import', 'near-duplicates', dir, file('pairs.csv', `a,b\n${name('n00000002', 4)},${name('n00000002', 5)}\n`)]);
  await must(['import', 'override', dir, file('override.txt', `${name('n00000002', 5)}\n`)]);
  await must(['import', 'review-thresholds', dir, file('distances.csv', `image,metric,min_unreviewed_distance\n${name('n00000001', 0)},l2,130000000\n`)]);
  await must(['import', 'nn-reviews', dir, file('neighbours.jsonl', `${JSON.stringify({ image: name('n00000001', 0), metric: 'l2', reviewer: 'r', date: '2018-10-01', references: [name('n00000001', 1)] })}\n`)]);
  await must(['import', 'picks', dir, file('picks.csv', `image,stage,note\n${name('n00000001', 1)},picked,clear\n`)]);
  await must(['grids', dir, '--campaign', 'again', '--kind', 'pilot', '--same-image-again', '--seed', '2']);
  await must(['sample', dir, '--strategy', 'top', '--set', 'best', '--size', '2', '--answers', '1', '--seed', '3']);
  const review = await startServer(t, dir);
  const lead = await new Client(review.url).login();
  const first = (await must(['export', 'set', dir, 'best/0'])).split('\n').find((line) => line.endsWith(',n00000001'));
  const said = await lead.json('POST', '/api/v1/classes/n00000001/decisions',
    { revision: 'best/0', reviewed: true, images: [{ image: first.split(',')[0], banned: true, reason: 'unclear', note: '' }] }, { 'if-match': '*' });
  if (said.status >= 300) throw new Error(`${said.status} ${JSON.stringify(said.body)}`);
  await review.stop();
}

if (await can('label-review', 'create')) {
  await must(['label-review', 'create', dir, 'fruit', '--set', 'originals', '--images', '2', '--seed', '1', '--experts', 'expert']);
  const desk = await startServer(t, dir);
  const expert = await new Client(desk.url).login('expert');
  await expert.fetch('/labels/fruit/0/image');
  const said = await expert.json('POST', '/api/v1/label-reviews/fruit/items/0', { verdicts: { n00000001: 'correct' } });
  if (said.status >= 300) throw new Error(`${said.status} ${JSON.stringify(said.body)}`);
  await desk.stop();
}
if (await can('neighbors')) {
  await must(['near-metrics', dir, 'l2', '--threshold', '1e9']); /* so that noise has near neighbours */
  await must(['neighbors', dir, '--metric', 'l2', '--all']);
}

const tables = sql("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%'").trim().split('\n');
/* Of each of these two one holds the rows and the other waits for them; names are there only while somebody is erased (0007). */
const PASSING = /^((identity|arrival)_[ab]|erasure_name)$/;
for (const table of tables.filter((one) => !PASSING.test(one))) {
  if (sql(`SELECT count(*) FROM ${table}`).trim() === '0' && BY_HAND[table]) sql(`PRAGMA foreign_keys = ON; ${BY_HAND[table]}`);
  if (sql(`SELECT count(*) FROM ${table}`).trim() === '0') throw new Error(`table ${table} is empty: teach make.mjs a row`);
}
/* Files that rows name and that importing again does not make. */
const files = {};
if (tables.includes('feature_source')) {
  const name = `features/${sql('SELECT id FROM feature_source').trim()}.f32`;
  files[name] = Buffer.alloc(8).toString('base64');
  fs.mkdirSync(path.join(dir, 'features'), { recursive: true });
  fs.writeFileSync(path.join(dir, name), Buffer.from(files[name], 'base64'));
}
await must(['check', dir]);
const exported = {};
for (const args of EXPORTS) {
  const r = await holdout(['export', args[0], dir, ...args.slice(1)]);
  if (r.code === 0) exported[args.join(' ')] = r.out;
}
const version = sql('PRAGMA user_version').trim();
fs.writeFileSync(`${out}.sql`, `${sql('.dump')}PRAGMA user_version=${version};\n`);
fs.writeFileSync(`${out}.json`, `${JSON.stringify({ login: 'admin', password: PASSWORD, token, places, exported, images, files }, null, 1)}\n`);
for (const f of cleanUp.reverse()) await f();
