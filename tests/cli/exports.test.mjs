/* `holdout export hits` and `export votes`: what comes out goes into another project and gives the
 * same numbers there. The published study, byte for byte: tests/golden/exports.test.mjs. */
import assert from 'node:assert/strict';
import path from 'node:path';
import { test } from 'node:test';

import { holdout, must, newProject } from '../http/lib.mjs';
import { CLASSES, answer, lease, startStudy } from '../http/study.mjs';
import { sqlite } from '../load/tools.mjs';

const query = async (dir, sql) => (await sqlite(path.join(dir, 'holdout.db'), `.timeout 20000\n${sql}`)).split('\n').filter(Boolean);
const lines = (text) => text.trimEnd().split('\n');
const VOTES = 'assignment,hit,worker,status,accept_time,duration_s,mask_hex';

/* A project that knows the classes and, by name and number, the images of another one. */
async function reader(t, dir, classes = CLASSES) {
  const other = await newProject(t);
  await must(['import', 'classes', other, '-'], { input: classes });
  const rows = await query(dir, "SELECT row_number() OVER (ORDER BY i.id) - 1, i.name, k.wnid, i.role FROM image i JOIN class k ON k.id = i.class;");
  await must(['import', 'image-list', other, '-'],
    { input: `idx,image,wnid,kind\n${rows.map((r) => r.replaceAll('|', ',')).join('\n')}\n` });
  return other;
}

const cells = (dir) => query(dir, 'SELECT g.name, g.number, k.wnid, g.special, c.position, c.role, i.name FROM grid g JOIN class k ON k.id = g.class'
  + ' JOIN grid_cell c ON c.grid = g.id JOIN image i ON i.id = c.image ORDER BY g.name, c.position;');

test('a campaign that was answered here gives the same frequencies elsewhere', async (t) => {
  const { dir, server, client } = await startStudy(t);
  for (const [person, selected] of [['ann', [0, 5]], ['ben', [1]], ['cat', []], ['dan', [2, 3, 4]]]) {
    const grid = await lease(client, person, 22);
    const r = await answer(client, grid.assignment, { client_id: `answer-of-${person}`, selected, active_ms: 31400 });
    assert.ok(r.status < 300, JSON.stringify(r.body));
  }
  await server.stop();
  /* One answer is taken out of the analysis, another one came too late. */
  await query(dir, "INSERT INTO event (at, kind) VALUES (unixepoch() * 1000, 'answer.state');"
    + " INSERT INTO answer_state (id, answer, field, value, rule) SELECT max(e.id), (SELECT min(id) FROM answer), 'analysis', 'out', 'test' FROM event e;"
    + ' UPDATE answer SET surplus = 1 WHERE id = (SELECT max(id) FROM answer);');
  const answers = Number(await query(dir, 'SELECT count(*) FROM answer;'));

  const hits = await must(['export', 'hits', dir]);
  const votes = await holdout(['export', 'votes', dir]);
  assert.equal(votes.code, 0, votes.err);
  assert.match(votes.err, /^1 surplus answers are left out/);
  const rows = lines(votes.out);
  assert.equal(rows[0], VOTES);
  assert.equal(rows.length - 1, answers - 1);
  assert.equal(rows.slice(1).filter((r) => r.split(',')[3] === 'R').length, 1);
  for (const row of rows.slice(1)) assert.match(row, /^\d+,[12],[^,]+,[SR],\d{10},(31|0),[0-9a-f]{12}$/);
  for (const name of ['ann', 'ben', 'cat', 'dan']) assert.ok(!votes.out.includes(name), 'pseudonyms only');
  const known = await must(['export', 'votes', dir, '--panel-ids']);
  const workers = new Set(lines(known).slice(1).map((r) => r.split(',')[2]));
  assert.ok(workers.size >= 3 && [...workers].every((w) => ['ann', 'ben', 'cat', 'dan'].includes(w)), [...workers].join());

  const first = await reader(t, dir);
  await must(['import', 'hits', first, '-'], { input: hits });
  await must(['import', 'votes', first, '-'], { input: votes.out });
  const sorted = async (p) => lines(await must(['export', 'frequencies', p])).sort();
  assert.deepEqual(await sorted(first), await sorted(dir));
  assert.ok((await sorted(dir)).length >= 23);
  assert.deepEqual(await cells(first), await cells(dir));
  await must(['check', first]);

  /* Pixels alone have no number; the list that the other project got has. */
  const refused = await holdout(['export', 'hits', dir, '--format', 'jsonl']);
  assert.equal(refused.code, 1);
  assert.equal(refused.out, '');
  assert.match(refused.err, /has no number in an image list, .*Nothing was written\. Use --format study/);
  const jsonl = await must(['export', 'hits', first, '--format', 'jsonl']);
  const second = await reader(t, dir);
  await must(['import', 'hits', second, '-'], { input: jsonl });
  await must(['import', 'votes', second, '-'], { input: votes.out });
  assert.deepEqual(await sorted(second), await sorted(dir));
  assert.equal(await must(['export', 'hits', second, '--format', 'jsonl']), jsonl);
  assert.equal(await must(['export', 'votes', second]), votes.out);

  /* The long form counts what the frequencies count. */
  const counted = new Map();
  const long = lines(await must(['export', 'votes', dir, '--format', 'long']));
  assert.equal(long[0], 'task,worker,label');
  for (const row of long.slice(1)) {
    const [task, , label] = row.split(',');
    const key = task.replace(':', ',');
    const [n, k] = counted.get(key) ?? [0, 0];
    counted.set(key, [n + 1, k + Number(label)]);
  }
  assert.deepEqual([...counted].map(([key, n]) => `${key},${n}`).sort(), (await sorted(dir)).filter((l) => !l.startsWith('image,')));
});

test('the record of a planned grid, with gold and special', async (t) => {
  const dir = await newProject(t);
  const classes = CLASSES;
  const wnids = ['n00000001', 'n00000002'];
  const list = wnids.flatMap((w) => [['candidate', 60], ['original', 25], ['gold', 2]]
    .flatMap(([kind, n]) => Array.from({ length: n }, (_, i) => `${w}-${kind}-${i},${w},${kind}`)));
  await must(['import', 'classes', dir, '-'], { input: classes });
  await must(['import', 'image-list', dir, '-'], { input: `idx,image,wnid,kind\n${list.map((l, i) => `${1000 + i},${l}`).join('\n')}\n` });
  await must(['grids', dir, '--gold', '2', '--seed', '3']);
  const hits = JSON.parse(await must(['export', 'hits', dir]));
  assert.ok(hits.length >= 6 && hits.some((h) => h.special) && hits.some((h) => !h.special));
  hits.forEach((h, i) => {
    assert.equal(h.hit, i + 1);
    assert.equal(h.uuid, `main-${i + 1}`);
    assert.deepEqual([h.submitted, h.hit_id, h.hit_type_id, h.excluded], [false, h.uuid, 'main', '']);
    assert.match(h.time, /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{6}\+00:00$/);
    assert.equal(h.images_gold.length, 2);
    assert.ok(h.images_gold.every((g) => h.images_to_label.includes(g) && g.includes('gold')));
    const parts = [...h.images_to_label, ...h.images_pos_control, ...h.images_neg_control];
    assert.deepEqual([...h.images_all].sort(), parts.sort());
    if (!('special' in h)) assert.deepEqual([h.images_to_label.length, h.images_pos_control.length, h.images_neg_control.length], [42, 3, 3]);
  });
  const jsonl = lines(await must(['export', 'hits', dir, '--format', 'jsonl'])).map((l) => JSON.parse(l));
  assert.deepEqual(jsonl.map((h) => h.all.map((i) => list[i - 1000].split(',')[0])), hits.map((h) => h.images_all));
  assert.deepEqual(jsonl.map((h) => h.gold.length), hits.map(() => 2));

  const other = await reader(t, dir, classes);
  await must(['import', 'hits', other, '-'], { input: JSON.stringify(hits) });
  assert.deepEqual(await cells(other), await cells(dir));
  /* What the record says stays with it: the same list comes out again. */
  assert.deepEqual(JSON.parse(await must(['export', 'hits', other])), hits);
  const stray = [{ ...hits[0], uuid: 'x', hit: 99, images_gold: [hits[0].images_pos_control[0]] }];
  const refused = await holdout(['import', 'hits', other, '-'], { input: JSON.stringify(stray) });
  assert.equal(refused.code, 1);
  assert.match(refused.err, /: entry 1: a gold image is not among those to label/);
});

test('which campaign is meant', async (t) => {
  const dir = await newProject(t);
  for (const what of ['hits', 'votes']) {
    assert.match((await holdout(['export', what, dir])).err, /the project has no campaign/);
  }
  await must(['import', 'classes', dir, '-'], { input: CLASSES });
  await must(['import', 'image-list', dir, '-'], { input: 'image,wnid,kind\na,n00000001,candidate\nb,n00000001,candidate\n' });
  await must(['grids', dir, '--campaign', 'one', '--coverage', '0']);
  assert.equal(JSON.parse(await must(['export', 'hits', dir])).length, 1);
  assert.equal(await must(['export', 'votes', dir]), `${VOTES}\n`);
  await must(['grids', dir, '--campaign', 'two', '--coverage', '0']);
  for (const what of ['hits', 'votes']) {
    const several = await holdout(['export', what, dir]);
    assert.equal(several.code, 2);
    assert.match(several.err, /the project has 2 campaigns: choose one with --campaign/);
    assert.match((await holdout(['export', what, dir, '--campaign', 'three'])).err, /there is no campaign three/);
    assert.equal((await holdout(['export', what, dir, '--campaign', 'one', '--format', 'xml'])).code, 2);
  }
  assert.equal(JSON.parse(await must(['export', 'hits', dir, '--campaign', 'two']))[0].uuid, 'two-1');
});
