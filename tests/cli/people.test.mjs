/* people.test.mjs - the commands about people: worker list, show, block, note, forget and pay;
 * export participants and pay. No server runs. */
import assert from 'node:assert/strict';
import path from 'node:path';
import test from 'node:test';

import { Client, holdout, must, startServer } from '../http/lib.mjs';
import { WIDE, answer, newStudy, next } from '../http/study.mjs';
import { sqlite } from '../load/tools.mjs';

const HEAD = 'participant_id,pseudonym,verified,consent_version,joined_at,outcome,code,grids_answered,'
  + 'minutes,elapsed_minutes,hourly_rate,pay_state,bonus,pay_reason,blocked,forgotten,STUDY_ID,SESSION_ID';

/* A study that people answered; `grids` says how many each did. The server is stopped again. */
async function answered(t, grids) {
  const dir = await newStudy(t);
  const server = await startServer(t, dir, { env: WIDE });
  const client = new Client(server.url);
  for (const [id, n] of Object.entries(grids)) {
    const r = await client.json('POST', '/api/v1/campaigns/main/places',
      { external_id: id, parameters: { STUDY_ID: 'study-1', SESSION_ID: `session of ${id}` } });
    assert.equal(r.status, 201, JSON.stringify(r.body));
    for (let i = 0; i < n; i++) {
      const grid = await next(client, r.body.place);
      await answer(client, grid.assignment, { client_id: `${grid.assignment}-1`, active_ms: 90000 });
    }
    await next(client, r.body.place);
  }
  await server.stop();
  return dir;
}

const listed = async (dir, ...more) => JSON.parse(await must(['worker', 'list', dir, '--json', '--panel-ids', ...more]));

test('people are listed, shown, blocked and written about', async (t) => {
  const dir = await answered(t, { ada: 2, 'b, "b"': 1 });
  const [ada, b] = await listed(dir);
  assert.deepEqual([ada.id, ada.source, ada.grids_answered, ada.minutes, ada.blocked],
    ['ada', 'panel', 2, 3, false]);
  assert.equal(b.id, 'b, "b"');
  await must(['worker', 'block', dir, ada.pseudonym, '--reason', 'clicks everything']);
  await must(['worker', 'note', dir, '--id', 'ada', '--text', 'answered the mail']);
  assert.deepEqual((await listed(dir, '--filter', 'blocked')).map((w) => w.id), ['ada']);
  const shown = JSON.parse(await must(['worker', 'show', dir, '--id', 'ada', '--source', 'panel', '--json', '--panel-ids']));
  assert.deepEqual(shown.notes.map((n) => [n.kind, n.text, n.by]),
    [['note', 'answered the mail', null], ['block', 'clicks everything', null]]);
  assert.deepEqual(shown.campaigns.map((c) => [c.campaign, c.grids_answered, c.outcome]), [['main', 2, 'complete']]);
  assert.match(await must(['worker', 'show', dir, ada.pseudonym]), /clicks everything/);
  await must(['worker', 'unblock', dir, ada.pseudonym]);
  assert.deepEqual(await listed(dir, '--filter', 'blocked'), []);
  assert.match(await must(['worker', 'list', dir, '--panel-ids']), new RegExp(`^${b.pseudonym}\tworker\tb, "b"\t1\t1\t1\\.5\t$`, 'm'));
});

test('what cannot be done is said, with the usage where that helps', async (t) => {
  const dir = await answered(t, { ada: 1 });
  const [ada] = await listed(dir);
  for (const [code, says, ...args] of [
    [2, /--reason/, 'worker', 'block', dir, ada.pseudonym],
    [2, /--text/, 'worker', 'note', dir, ada.pseudonym],
    [2, /one person/, 'worker', 'show', dir],
    [2, /one person/, 'worker', 'show', dir, ada.pseudonym, '--id', 'ada'],
    [1, /pseudonym nobody/, 'worker', 'show', dir, 'nobody'],
    [1, /nobody has that id/, 'worker', 'forget', dir, '--id', 'eve', '--yes'],
    [1, /panel id/, 'worker', 'note', dir, ada.pseudonym, '--text', 'is ADA'],
    [2, /--filter/, 'worker', 'list', dir, '--filter', 'good'],
    [2, /--campaign/, 'export', 'participants', dir],
    [1, /no such campaign/, 'export', 'participants', dir, '--campaign', 'nothing'],
    [2, /--list/, 'export', 'pay', dir, '--campaign', 'main'],
    [2, /either/, 'worker', 'pay', dir, '--campaign', 'main'],
  ]) {
    const r = await holdout(args);
    assert.equal(r.code, code, `${args.join(' ')}\n${r.err}`);
    assert.match(r.err, says);
    assert.equal(r.out, '');
  }
});

/* The cells of a column. */
const column = (csv, name) => {
  const [head, ...rows] = csv.trimEnd().split('\n').map((line) => line.split(','));
  return rows.map((row) => row[head.indexOf(name)]);
};

test('exports join on one pseudonym, and no panel id is in any of them unless it is asked for and recorded', async (t) => {
  const ids = ['panel-id-of-ada', 'panel-id-of-bob', 'panel-id-of-cy'];
  const dir = await answered(t, Object.fromEntries(ids.map((id, i) => [id, 1 + i % 2])));
  const lists = {
    votes: ['export', 'votes', dir], long: ['export', 'votes', dir, '--format', 'long'], workers: ['export', 'workers', dir],
    participants: ['export', 'participants', dir, '--campaign', 'main'],
  };
  const others = [['export', 'hits', dir], ['export', 'frequencies', dir], ['export', 'views', dir], ['export', 'pool', dir],
    ['worker', 'list', dir], ['worker', 'list', dir, '--json']];
  const names = {};
  for (const [what, args] of Object.entries(lists)) {
    const csv = await must(args);
    names[what] = [...new Set(column(csv, what === 'participants' ? 'pseudonym' : 'worker'))].sort();
    for (const id of ids) assert.ok(!csv.includes(id), `${what} names ${id}`);
  }
  assert.equal(names.participants.length, 3);
  for (const what of Object.keys(lists)) assert.deepEqual(names[what], names.participants, what);
  const people = JSON.parse(await must(['worker', 'list', dir, '--json']));
  assert.deepEqual(people.map((p) => p.pseudonym).sort(), names.participants);
  for (const args of [...others, ['worker', 'show', dir, names.votes[0], '--json']]) {
    const text = await must(args);
    for (const id of [...ids, 'session of']) assert.ok(!text.includes(id), `${args.join(' ')} names ${id}`);
  }
  const server = await startServer(t, dir, { env: WIDE });
  const lead = await new Client(server.url).login('lead');
  const csv = await (await lead.get('/campaigns/main/participants.csv')).text();
  assert.deepEqual(column(csv, 'pseudonym').sort(), names.participants);
  const json = await (await lead.get('/api/v1/campaigns/main/participants')).text();
  for (const id of [...ids, 'session of']) assert.ok(!csv.includes(id) && !json.includes(id));
  const recorded = async () => (await lead.json('GET', '/api/v1/history?area=people&limit=200')).body.items
    .filter((e) => e.kind === 'export.panel-ids').length;
  assert.equal(await recorded(), 0, 'nothing so far had panel ids');
  assert.match(await (await lead.get('/campaigns/main/participants.csv?panel_ids=yes')).text(), /^participant_id,pseudonym,[^]*panel-id-of-ada,/);
  assert.match(await (await lead.get('/api/v1/campaigns/main/participants?panel_ids=yes')).text(), /panel-id-of-bob/);
  assert.equal((await lead.get('/campaigns/main/pay/approve.csv')).status, 200);
  assert.equal(await recorded(), 3);
  for (const args of [...Object.values(lists), ['worker', 'list', dir], ['worker', 'show', dir, names.votes[0]]]) {
    assert.match(await must([...args, '--panel-ids']), /panel-id-of-/, args.join(' '));
  }
  await must(['export', 'pay', dir, '--campaign', 'main', '--list', 'approve']);
  assert.equal(await recorded(), 10);
  assert.match(await lead.page('/history'), /exported panel ids of people in/);
});

test('participants as CSV', async (t) => {
  const dir = await answered(t, { ada: 2, 'a=1+1': 1, 'b, "b"': 0 });
  const [head, ...rows] = (await must(['export', 'participants', dir, '--campaign', 'main', '--panel-ids'])).trimEnd().split('\n');
  assert.equal(head, HEAD);
  assert.equal(rows.length, 3);
  const ada = rows[0].split(',');
  assert.match(ada[4], /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  assert.ok(ada[6].length > 0, 'the code that was shown');
  assert.deepEqual([ada[0], ada[2], ada[5], ada[7], ada[8], ada[11], ada[12], ada[17]],
    ['ada', 'unverified', 'complete', '2', '3.00', 'pending', '0.00', 'session of ada']);
  assert.match(rows[1], /^a=1\+1,p[a-z0-9]{12},unverified,/);
  assert.match(rows[1], /,,,1,1\.50,/, 'still in it: no outcome, no code');
  assert.match(rows[2], /^"b, ""b""",p.*,0,,.*,"session of b, ""b"""$/);
});

test('pay from a file: every bad line is named and nothing written, then only what is new', async (t) => {
  const dir = await answered(t, { ada: 2, bob: 2, cy: 1 });
  const [, , cy] = await listed(dir);
  const bad = await holdout(['worker', 'pay', dir, '--campaign', 'main', '--file', '-'], {
    input: 'participant_id,decision,bonus,reason\nada,approve,,\neve,approve,,\nbob,perhaps,,\nbob,reject,,\n'
      + 'cy,approve,1.234,\nada,pending,,\ncy,reject,,is CY\n' });
  assert.equal(bad.code, 1);
  for (const line of [3, 4, 5, 6, 7, 8]) assert.match(bad.err, new RegExp(`:${line}: `), bad.err);
  assert.doesNotMatch(bad.err, /:2: /);
  const none = await holdout(['export', 'pay', dir, '--campaign', 'main', '--list', 'approve']);
  assert.equal(none.out, '');
  assert.match(none.err, /Nothing to approve/);
  const input = `participant_id,decision,bonus,reason\nada,approve,1.5,\nbob,reject,,"all, always"\n${cy.pseudonym},,0.25,\n`;
  const pay = (...more) => holdout(['worker', 'pay', dir, '--campaign', 'main', '--file', '-', ...more], { input });
  assert.match((await pay('--dry-run')).err, /3 decisions read, 0 new \(dry run\)/);
  assert.match((await pay()).err, /3 decisions read, 3 new\./);
  assert.match((await pay()).err, /3 decisions read, 0 new\./);
  const list = (name, ...more) => holdout(['export', 'pay', dir, '--campaign', 'main', '--list', name, ...more]);
  const approved = await list('approve');
  assert.equal(approved.out, 'ada\n');
  assert.equal((await list('reject')).out, 'participant_id,reason\nbob,"all, always"\n');
  assert.equal((await list('bonus')).out, 'ada,1.50\ncy,0.25\n');
  const after = /--after (\d+)/.exec(approved.err)[1];
  await must(['worker', 'pay', dir, '--campaign', 'main', '--file', '-'],
    { input: 'participant_id,decision\nbob,approve\n' });
  assert.equal((await list('approve', '--after', after)).out, 'bob\n');
});

test('everybody who is complete is approved at once; who is forgotten is counted, not named', async (t) => {
  const dir = await answered(t, { ada: 2, bob: 2, cy: 1 });
  const approve = (...more) => holdout(['worker', 'pay', dir, '--campaign', 'main', '--approve-all', ...more]);
  assert.match((await approve('--dry-run')).err, /^2 complete and pending: would be approved/);
  assert.match((await approve()).err, /^2 complete and pending: approved/);
  assert.match((await approve()).err, /^0 complete/);
  const forgotten = await holdout(['worker', 'forget', dir, '--id', 'ada']);
  assert.equal(forgotten.code, 0, forgotten.err);
  assert.match(forgotten.err, /Backups/);
  const list = await holdout(['export', 'pay', dir, '--campaign', 'main', '--list', 'approve']);
  assert.equal(list.out, 'bob\n');
  assert.match(list.err, /1 more person is not in the list/);
  assert.deepEqual((await listed(dir, '--filter', 'forgotten')).map((w) => [w.id, w.grids_answered]), [[null, 2]]);
});

test('who is forgotten is, also when copies of the id cannot be removed at once, and that is said', async (t) => {
  const dir = await answered(t, { ada: 1 });
  const database = path.join(dir, 'holdout.db');
  await sqlite(database, "CREATE TRIGGER stuck BEFORE UPDATE ON erasure WHEN new.step > 0 BEGIN SELECT RAISE(ABORT, 'stuck'); END;");
  const r = await holdout(['worker', 'forget', dir, '--id', 'ada']);
  assert.equal(r.code, 1);
  assert.match(r.err, /The person is forgotten, but copies of the id may still be in the database: .*stuck.*The server removes them the next time it runs\./);
  assert.deepEqual((await listed(dir, '--filter', 'forgotten')).map((w) => w.id), [null]);
  await sqlite(database, 'DROP TRIGGER stuck;');
  await must(['check', dir]);
});
