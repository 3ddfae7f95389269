/* Vote views on the command line: frequencies of a named view, the views themselves, classes; every
 * number recomputed here from the answers. */
import assert from 'node:assert/strict';
import path from 'node:path';
import { test } from 'node:test';

import { holdout, must } from '../http/lib.mjs';
import { answer, lease, startStudy } from '../http/study.mjs';
import { sqlite } from '../load/tools.mjs';

const query = async (dir, sql) => (await sqlite(path.join(dir, 'holdout.db'), `.timeout 20000\n${sql}`)).split('\n').filter(Boolean);
const lines = (text) => text.trimEnd().split('\n');

/* A version of a view, as the server would write it. */
const makeView = (dir, name, filters, asOf = 'NULL') => query(dir,
  "INSERT INTO event (at, kind) VALUES (unixepoch() * 1000, 'views.create');"
  + ' INSERT INTO vote_view (id, name, description, kinds, campaigns, filters, as_of)'
  + ` SELECT max(id), '${name}', 'Why, and how', 'main', '', '${JSON.stringify(filters)}', ${asOf} FROM event;`);

/* The answers one by one: {id, ms, selected, cells: [{image, wnid, on}]}. */
async function answersOf(dir) {
  const rows = await query(dir, 'SELECT w.id, w.active_ms, c.position, i.name, k.wnid, (w.mask >> c.position) & 1 FROM answer w'
    + ' JOIN assignment a ON a.id = w.assignment JOIN grid g ON g.id = a.grid JOIN grid_cell c ON c.grid = g.id'
    + ' JOIN image i ON i.id = c.image JOIN class k ON k.id = g.class ORDER BY w.id, c.position;');
  const answers = new Map();
  for (const row of rows) {
    const [id, ms, , image, wnid, on] = row.split('|');
    const a = answers.get(id) ?? { id: Number(id), ms: Number(ms), selected: 0, cells: [] };
    a.cells.push({ image, wnid, on: Number(on) });
    a.selected += Number(on);
    answers.set(id, a);
  }
  return [...answers.values()];
}

function frequencies(answers) {
  const pairs = new Map();
  for (const { image, wnid, on } of answers.flatMap((a) => a.cells)) {
    const key = `${image},${wnid}`;
    const p = pairs.get(key) ?? [0, 0];
    pairs.set(key, [p[0] + 1, p[1] + on]);
  }
  return [...pairs].map(([key, [n, k]]) => `${key},${n},${k}`).sort();
}

test('frequencies of a view leave out what its filters say, up to its event', async (t) => {
  const { dir, server, client } = await startStudy(t);
  for (const [person, selected, ms] of [['ann', [0, 5], 31400], ['ben', [1], 900], ['cat', [], 25000], ['dan', [2, 3], 20000]]) {
    const grid = await lease(client, person, 22);
    const r = await answer(client, grid.assignment, { client_id: `answer-of-${person}`, selected, active_ms: ms });
    assert.ok(r.status < 300, JSON.stringify(r.body));
  }
  await server.stop();
  const all = await answersOf(dir);
  assert.ok(all.length >= 4); /* the study comes with some */
  await makeView(dir, 'slow', [{ rule: 'active-least', value: 20 }, { rule: 'not-none' }]);
  await makeView(dir, 'early', [], all[1].id);

  const of = async (...view) => {
    const r = await holdout(['export', 'frequencies', dir, ...view]);
    assert.equal(r.code, 0, r.err);
    assert.equal(lines(r.out)[0], 'image,wnid,n_assignments,n_selected');
    return { rows: lines(r.out).slice(1).sort(), note: r.err };
  };
  const kept = all.filter((a) => a.ms >= 20000 && a.selected > 0);
  assert.equal(kept.length, 2); /* others were quick, one selected nothing */
  const slow = await of('--view', 'slow');
  assert.deepEqual(slow.rows, frequencies(kept));
  assert.match(slow.note, new RegExp(`^View slow up to event \\d+: ${kept.length} answers from \\d people; ${all.length - kept.length} are left out\\.`));
  assert.match(slow.note, /\nwarning: View slow, at least one cell selected: Leaves out answers because of what they say/);
  assert.doesNotMatch((await of('--view', 'early')).note, /warning/);
  assert.deepEqual((await of('--view', 'early')).rows, frequencies(all.slice(0, 2)));
  assert.deepEqual((await of()).rows, frequencies(all));
  assert.deepEqual((await of('--view', 'default')).rows, frequencies(all));

  const none = await holdout(['export', 'frequencies', dir, '--view', 'fast']);
  assert.equal(none.code, 1);
  assert.match(none.err, /There is no view with that name/);
  assert.equal(none.out, '');

  const views = lines(await must(['export', 'views', dir]));
  assert.equal(views[0], 'view,event,versions,as_of,kinds,campaigns,filters,description');
  assert.deepEqual(views.slice(1).map((v) => v.split(',')[0]), ['default', 'early', 'slow']);
  assert.match(views[2], new RegExp(`^early,\\d+,1,${all[1].id},main,,\\[\\],"Why, and how"$`));
  assert.match(views[3], /"\[\{""rule"": ""active-least"", ""value"": 20\}, \{""rule"": ""not-none""\}\]"/);
  await must(['check', dir]);
});

test('what is exported of classes adds up to the frequencies', async (t) => {
  const { dir, server, client } = await startStudy(t);
  for (const person of ['ann', 'ben', 'cat']) {
    const grid = await lease(client, person, 22);
    await answer(client, grid.assignment, { client_id: `answer-of-${person}`, selected: [0, 1, 2], active_ms: 30000 });
  }
  await server.stop();
  const roles = new Map((await query(dir, "SELECT i.name, i.role, k.wnid FROM image i JOIN class k ON k.id = i.class;"))
    .map((row) => { const [name, role, wnid] = row.split('|'); return [name, { role, wnid }]; }));
  const rows = lines(await must(['export', 'classes', dir]));
  const head = rows[0].split(',');
  const frequent = (await answersOf(dir)).flatMap((a) => a.cells);
  assert.ok(rows.length > 1);
  for (const line of rows.slice(1)) {
    const row = Object.fromEntries(line.split(',').map((value, i) => [head[i], value]));
    for (const [name, role] of [['original', 'original'], ['candidate', 'candidate']]) {
      const votes = frequent.filter((c) => c.wnid === row.wnid && roles.get(c.image).role === role && roles.get(c.image).wnid === row.wnid);
      const selected = votes.filter((c) => c.on).length;
      assert.equal(Number(row[`${name}_votes`]), votes.length, `${name} of ${row.wnid}`);
      assert.equal(Number(row[`${name}_selected`]), selected);
      if (votes.length) {
        assert.ok(Number(row[`${name}_lo`]) <= selected / votes.length && selected / votes.length <= Number(row[`${name}_hi`]));
      }
    }
  }
});
