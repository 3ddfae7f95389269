/* decisions.test.mjs - decisions in bulk over HTTP: the preview is what happens, an undo puts back every
 * byte, grids that are handed out again get exactly as many answers as are asked for, and a decision
 * that was cut off goes on or is taken back. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { test } from 'node:test';

import { FaultFile } from '../load/tools.mjs';
import { Client, PASSWORD, faultBin, holdout, must, newProject, startServer, tempDir } from './lib.mjs';
import { WIDE, answer, join, newStudy, next, startStudy } from './study.mjs';

/* Everything that a decision about answers may change outside. */
const exportsOf = async (dir, campaign = 'main') => Promise.all([
  must(['export', 'frequencies', dir]), must(['export', 'workers', dir]),
  must(['export', 'votes', dir, '--campaign', campaign]),
  must(['export', 'participants', dir, '--campaign', campaign]),
]);

const participants = async (lead) =>
  (await lead.json('GET', '/api/v1/campaigns/main/participants?panel_ids=yes&limit=500')).body.items;
const pseudonyms = async (lead, ids) => {
  const list = await participants(lead);
  return ids.map((id) => list.find((p) => p.participant_id === id).pseudonym);
};

/* Answers every grid that a new person is given; their place. */
async function work(client, person, selected = [0]) {
  const place = await join(client, person);
  for (let grid = await next(client, place); !grid.done; grid = await next(client, place)) {
    const r = await answer(client, grid.assignment,
      { client_id: `${person}-${grid.assignment.slice(0, 8)}`, selected, active_ms: 60000 });
    assert.equal(r.status, 200, JSON.stringify(r.body));
  }
  return place;
}

const decide = (lead, body) => lead.json('POST', '/api/v1/decisions', body);
const undo = (lead, id, body = {}) => lead.json('POST', `/api/v1/decisions/${id}/undo`, body);
const decisions = async (lead) => (await lead.json('GET', '/api/v1/decisions')).body.items;

function made(r) {
  assert.equal(r.status, 201, JSON.stringify(r.body));
  assert.equal(r.body.decision.whole, true);
  return r.body.decision.id;
}

/* A study that twelve people answered, three of whom select everything. */
async function answered(t, options) {
  const study = await startStudy(t, options);
  const people = Array.from({ length: 12 }, (_, i) => `worker-${i}`);
  for (const [i, person] of people.entries()) {
    await work(study.client, person, i < 3 ? Array.from({ length: 22 }, (_, k) => k) : [i]);
  }
  return { ...study, lead: await new Client(study.server.url).login('lead') };
}

const counts = (effect, side) => effect.rows.map((r) => [r.label, r[side].n, r[side].selected, r[side].lo, r[side].hi]);

test('answers, out and in again', async (t) => {
  const { dir, lead } = await answered(t);
  await t.test('the preview is what happens; undo, and undo of undo, put back every byte', async () => {
    const people = await pseudonyms(lead, ['worker-0', 'worker-1', 'worker-2']);
    const before = await exportsOf(dir);
    const preview = await decide(lead, { people, value: 'out', preview: true });
    assert.equal(preview.status, 200);
    const { effect, digest, subjects } = preview.body.preview;
    assert.deepEqual([subjects, preview.body.preview.people, preview.body.decision], [6, 3, null]);
    assert.deepEqual(await decisions(lead), [], 'a preview writes nothing');
    assert.deepEqual(await exportsOf(dir), before);

    const out = made(await decide(lead, { people, value: 'out', reason: 'select everything', digest }));
    const after = await exportsOf(dir);
    assert.notDeepEqual(after[0], before[0]);
    assert.notDeepEqual(after[1], before[1]);
    await must(['check', dir]);
    const now = (await decide(lead, { people, value: 'in', preview: true })).body.preview.effect;
    assert.deepEqual(counts(now, 'before'), counts(effect, 'after'), 'the preview said so');
    assert.deepEqual(counts(now, 'after'), counts(effect, 'before'));
    assert.deepEqual(now.images.map((i) => i.bins.map((b) => b.before)),
      effect.images.map((i) => i.bins.map((b) => b.after)));

    /* The frequencies, counted by hand from the answers that stay. */
    const total = (csv) => csv.trim().split('\n').slice(1).reduce((n, l) => n + Number(l.split(',')[2]), 0);
    assert.equal(total(after[0]), effect.rows.reduce((n, r) => n + r.after.n, 0));
    assert.equal(total(before[0]) - total(after[0]), 3 * (22 + 48));

    const again = await decide(lead, { people, value: 'out', reason: 'twice' });
    assert.deepEqual([again.status, again.body.decision, again.body.changed], [200, null, 0]);

    const back = made(await undo(lead, out));
    assert.deepEqual(await exportsOf(dir), before, 'undone');
    assert.deepEqual((await decisions(lead)).map((d) => d.state), ['in effect', 'undone']);
    made(await undo(lead, back));
    assert.deepEqual(await exportsOf(dir), after, 'the undo undone');
    assert.deepEqual((await decisions(lead)).map((d) => d.state), ['in effect', 'undone', 'in effect again']);
    made(await undo(lead, out));
    assert.deepEqual(await exportsOf(dir), before, 'and undone again');
    const none = await undo(lead, out);
    assert.deepEqual([none.status, none.body.changed], [200, 0], 'nothing of it holds any more');
    await must(['check', dir]);
  });

  await t.test('the newest decision holds, answer by answer', async () => {
    const [a, b] = await pseudonyms(lead, ['worker-0', 'worker-1']);
    const both = made(await decide(lead, { people: [a, b], value: 'out', reason: 'both' }));
    made(await decide(lead, { people: [b], value: 'in', reason: 'b was right' }));
    const alone = await must(['export', 'frequencies', dir]);
    const r = await undo(lead, both);
    assert.equal(r.body.changed, 2, 'only those of a: about b something newer was decided');
    made(await decide(lead, { people: [a], value: 'out', reason: 'again' }));
    assert.equal(await must(['export', 'frequencies', dir]), alone);
  });

  await t.test('the list is filtered by chips and sorted by heads', async () => {
    const listed = async (query) => [...(await lead.page(`/decisions?${query}`)).matchAll(/<tr id="decision-(\d+)"/g)].map((m) => Number(m[1]));
    const all = await decisions(lead);
    const ids = (list) => list.map((d) => d.id);
    const largest = (sign) => [...all].sort((a, b) => sign * (b.subjects - a.subjects) || b.id - a.id);
    assert.deepEqual(await listed(''), ids(all));
    assert.deepEqual(await listed('order=rising'), ids(all).reverse());
    assert.deepEqual(await listed('sort=about'), ids(largest(1)));
    assert.deepEqual(await listed('sort=about&order=rising'), ids(largest(-1)));
    assert.deepEqual(await listed('show=answers&page=9'), ids(all));
    const undone = ids(all.filter((d) => d.undone_by));
    assert.ok(undone.length > 0 && undone.length < all.length);
    assert.deepEqual(await listed('show=undone'), undone);
    assert.match(await lead.page('/decisions?show=pay'), /No such decision/);
    assert.match(await lead.page('/decisions?sort=about'), /aria-sort="descending"><a class="sort"\s+href="[^"]*sort=about&amp;order=rising">About/);
    for (const query of ['show=some', 'sort=luck', 'order=up', 'page=0']) {
      assert.equal((await lead.get(`/decisions?${query}`)).status, 400, query);
    }
    assert.equal((await lead.get(`/decisions/${all[0].id}?page=x`)).status, 400);
  });

  await t.test('a reason that names somebody is erased with them', async () => {
    const [a, b] = await pseudonyms(lead, ['worker-4', 'worker-5']);
    const id = made(await decide(lead, { people: [a], value: 'out', reason: 'sits beside worker-5' }));
    made(await undo(lead, made(await undo(lead, id))));
    assert.equal((await lead.post(`/workers/${b}/forget`)).status, 303);
    const texts = async () => [await lead.page('/decisions'), await lead.page(`/workers/${a}`),
      JSON.stringify((await lead.json('GET', '/api/v1/decisions')).body)];
    /* What was typed is looked through in slices, after the reply. */
    const end = Date.now() + 20000;
    while ((await texts()).some((text) => text.includes('worker-5')) && Date.now() < end) await sleep(50);
    for (const text of await texts()) assert.ok(!text.includes('worker-5') && text.includes('[erased]'), text);
    await must(['check', dir]);
  });
});

test('who is chosen, and what is refused', async (t) => {
  const { dir, server, client, lead } = await answered(t);
  await t.test('what changed since the preview is shown anew', async () => {
    const place = await join(client, 'latecomer');
    const grid = await next(client, place);
    await answer(client, grid.assignment, { client_id: 'late-0001' });
    const people = await pseudonyms(lead, ['latecomer']);
    const html = await lead.page(`/decisions/new?person=${people[0]}&value=out`);
    const form = Object.fromEntries([...html.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)].map((m) => [m[1], m[2]]));
    assert.match(html, /1 answer \(1 person\)/);
    const second = await next(client, place);
    await answer(client, second.assignment, { client_id: 'late-0002' });
    const r = await decide(lead, { people, value: 'out', reason: 'late', digest: form.digest });
    assert.deepEqual([r.status, r.body.code], [409, 'decision-changed']);
    const page = await lead.post('/decisions', { ...form, reason: 'late <b>' });
    const text = await page.text();
    assert.equal(page.status, 409);
    assert.match(text, /Something has changed since the preview/);
    assert.match(text, /2 answers \(1 person\)/);
    assert.match(text, /late &lt;b&gt;/, 'what was typed is kept');
    assert.deepEqual(await decisions(lead), []);
    const digest = /name="digest" value="([^"]+)"/.exec(text)[1];
    const done = await lead.post('/decisions', { ...form, digest, reason: 'late' });
    assert.equal(done.status, 303, await done.text());
    assert.match(done.headers.get('location'), /^\/decisions\/\d+$/);
    const twice = await lead.post('/decisions', { ...form, digest, reason: 'late' });
    assert.equal(twice.status, 409, 'a double click changes nothing');
    assert.equal((await decisions(lead)).length, 1);
    assert.equal((await fetch(`${server.url}/readyz`)).status, 200);
  });

  await t.test('one campaign, one day, one answer, a view, all that fit', async () => {
    const [a] = await pseudonyms(lead, ['worker-0']);
    const ask = async (body) => (await decide(lead, { value: 'out', preview: true, ...body })).body.preview;
    assert.equal((await ask({ people: [a], campaign: 'main' })).subjects, 2);
    assert.equal((await ask({ people: [a], before: '2000-01-01' })).subjects, 0);
    assert.equal((await ask({ people: [a], before: '2999-12-31' })).subjects, 2);
    assert.equal((await ask({ fit: 'people' })).subjects, 24);
    assert.equal((await ask({ fit: 'people', by: 'answers', least: 3 })).subjects, 0);
    assert.equal((await ask({ fit: 'people', q: 'worker-3' })).subjects, 2);
    assert.equal((await ask({ fit: 'places', campaign: 'main', show: 'all' })).subjects, 24);
    const view = await lead.post('/views', { name: 'calm', kind: 'main', version: '0', do: 'save',
      rule: 'active-least', 'value-active-least': '3600' });
    assert.equal(view.status, 303, await view.text());
    const dropped = await ask({ view: 'calm' });
    assert.deepEqual([dropped.subjects, dropped.people], [24, 12]);
    const html = await lead.page(`/workers/${a}`);
    const one = Number(/decisions\/new\?answer=(\d+)/.exec(html)[1]);
    assert.equal((await ask({ answer: one })).subjects, 1);
    const id = made(await decide(lead, { answer: one, value: 'out', reason: 'a cat on the keyboard' }));
    const shown = await lead.page(`/decisions/${id}`);
    assert.match(shown, /a cat on the keyboard/);
    assert.match(await lead.page(`/workers/${a}`), /a cat on the keyboard/);
  });

  await t.test('what is wrong is said and changes nothing', async () => {
    const [a] = await pseudonyms(lead, ['worker-0']);
    const had = await decisions(lead);
    const before = await exportsOf(dir);
    for (const [body, status, code] of [
      [{ value: 'out', reason: 'x' }, 400, 'decision-choice'],
      [{ people: [a], value: 'nonsense', reason: 'x' }, 400, 'decision-value'],
      [{ people: [a], field: 'pay', value: 'out', reason: 'x' }, 400, 'decision-value'],
      [{ people: [a], value: 'undo', reason: 'x' }, 400, 'decision-value'],
      [{ people: [a], value: 'out' }, 400, 'decision-reason'],
      [{ people: [a], value: 'out', reason: ' ' }, 400, 'decision-reason'],
      [{ people: [a], value: 'out', reason: 'x'.repeat(1001) }, 400, 'decision-reason'],
      [{ people: [a], value: 'out', reason: 'worker-0 is careless' }, 400, 'text-names-person'],
      [{ people: [a], value: 'out', reason: 'x', before: '2026-02-30' }, 400, 'decision-date'],
      [{ people: [a], value: 'out', reason: 'x', digest: '0' }, 409, 'decision-changed'],
      [{ people: [a], value: 'out', reason: 'x', campaign: 'nothing' }, 404, 'no-campaign'],
      [{ people: ['nobody'], value: 'out', reason: 'x' }, 404, 'no-person'],
      [{ people: [{}], value: 'out', reason: 'x' }, 400, 'decision-choice'],
      [{ view: 'nothing', value: 'out', reason: 'x' }, 404, 'no-view'],
      [{ view: 'default', value: 'in', reason: 'x' }, 400, 'decision-choice'],
      [{ places: [999999], value: 'approved', reason: 'x' }, 404, 'no-place'],
      [{ places: [0], value: 'approved', reason: 'x' }, 400, 'decision-choice'],
      [{ people: [a], value: 'bonus', bonus: '-1', reason: 'x' }, 400, 'decision-bonus'],
      [{ view: 'default', value: 'approved', reason: 'x' }, 400, 'decision-choice'],
      [{ undo: 999999, reason: 'x' }, 404, 'no-decision'],
      [{ fit: 'people', by: 'gold', least: 'much', value: 'out', reason: 'x' }, 400, 'people-figure'],
      [{ fit: 'places', value: 'approved', reason: 'x' }, 400, 'decision-choice'],
    ]) {
      const r = await decide(lead, body);
      assert.deepEqual([r.status, r.body.code], [status, code], JSON.stringify(body));
    }
    assert.equal((await undo(lead, 999999)).status, 404);
    assert.equal((await lead.post('/decisions/999999/continue')).status, 404);
    assert.equal((await lead.get('/decisions/new?person=nobody')).status, 404);
    assert.deepEqual(await decisions(lead), had);
    assert.deepEqual(await exportsOf(dir), before);
  });

  await t.test('people sort and filter by what they did', async () => {
    const place = await join(client, 'one-grid');
    await answer(client, (await next(client, place)).assignment, { client_id: 'one-0001' });
    const [one, spammer] = await pseudonyms(lead, ['one-grid', 'worker-1']);
    const listed = async (query) => [...(await lead.page(`/workers?${query}`)).matchAll(/name="person" value="([^"]+)"/g)].map((m) => m[1]);
    assert.equal((await listed('')).length, 14);
    assert.equal((await listed('sort=answers&order=rising'))[0], one);
    assert.deepEqual(await listed('by=answers&most=1'), [one]);
    assert.deepEqual(await listed('q=worker-1'), [spammer]);
    assert.deepEqual(await listed('show=blocked'), []);
    const worst = await listed('sort=relative');
    assert.ok(worst.slice(0, 3).includes(spammer), 'who disagrees comes first');
    made(await decide(lead, { people: [spammer], value: 'out', reason: 'test' }));
    /* Lists may be two seconds old. */
    const end = Date.now() + 30000;
    while (!(await listed('show=out')).includes(spammer) && Date.now() < end) await sleep(50);
    assert.ok((await listed('show=out')).includes(spammer));
    assert.equal((await lead.get('/workers?by=answers&least=x')).status, 400);
  });
});

test('two leads, and pay', async (t) => {
  const { dir, server, client, lead } = await answered(t);
  await t.test('two leads at once', async () => {
    const other = await new Client(server.url).login('keeper');
    const people = await pseudonyms(lead, Array.from({ length: 9 }, (_, i) => `worker-${i}`));
    const before = await exportsOf(dir);
    const rs = await Promise.all(Array.from({ length: 8 }, (_, i) =>
      decide(i % 2 ? other : lead, { people: people.slice(i % 3, 6 + (i % 4)), value: 'out', reason: `lead ${i}` })));
    for (const r of rs) {
      assert.ok([200, 201].includes(r.status) || r.body.code === 'decision-unfinished'
        || r.body.code === 'decision-changed', JSON.stringify(r.body));
    }
    const list = await decisions(lead);
    assert.ok(list.length > 0 && list.every((d) => d.whole));
    const changed = rs.reduce((n, r) => n + (r.body.changed ?? 0), 0);
    assert.equal(list.reduce((n, d) => n + d.subjects, 0), changed);
    await must(['check', dir]);
    for (const d of list) made(await undo(lead, d.id));
    assert.deepEqual(await exportsOf(dir), before);
  });

  await t.test('pay of chosen participants, with sums and undo', async () => {
    const list = await participants(lead);
    const places = list.slice(0, 3).map((p) => p.place);
    const pay = (body) => decide(lead, { field: 'pay', places, ...body });
    const short = await pay({ value: 'rejected', reason: 'too fast', preview: true });
    assert.ok(short.body.preview.warnings.some((w) => w.code === 'short-reason'));
    assert.equal((await pay({ value: 'rejected' })).status, 400, 'a reason is due');
    const rejected = made(await pay({ value: 'rejected', reason: 'too fast, in all grids' }));
    let rows = (await participants(lead)).slice(0, 3);
    assert.deepEqual(rows.map((p) => [p.pay_state, p.pay_reason]), Array(3).fill(['rejected', 'too fast, in all grids']));
    const bonus = await pay({ value: 'bonus', bonus: '1.50', preview: true });
    assert.deepEqual(bonus.body.preview.money.map((m) => [m.currency, m.places, m.bonus_before, m.bonus_after]), [['USD', 3, 0, 4.5]]);
    const more = made(await pay({ value: 'bonus', bonus: '1.50', reason: 'for the wait', digest: bonus.body.preview.digest }));
    rows = (await participants(lead)).slice(0, 3);
    assert.deepEqual(rows.map((p) => [p.pay_state, p.bonus]), Array(3).fill(['rejected', 1.5]));
    assert.equal((await lead.post(`/campaigns/main/participants/${places[0]}/pay`, { decision: 'approve', bonus: '2' })).status, 303);
    const back = await undo(lead, more);
    assert.equal(back.body.changed, 2, 'about one somebody decided since');
    assert.equal((await undo(lead, rejected)).body.changed, 2, 'its state holds again');
    rows = (await participants(lead)).slice(0, 3);
    assert.deepEqual(rows.map((p) => [p.pay_state, p.bonus]), [['approved', 2], ['pending', 0], ['pending', 0]]);
    const all = await decide(lead, { fit: 'places', campaign: 'main', show: 'to-decide', value: 'approved', reason: 'done' });
    assert.equal(all.body.changed, (await participants(lead)).length - 1);
    assert.equal((await participants(lead)).filter((p) => p.pay_state === 'approved').length, 12);
    await must(['check', dir]);
    assert.equal((await next(client, await join(client, 'new'))).done, false);
  });
});

test('grids handed out again get exactly what is asked for, by 60 people at once', async (t) => {
  const { dir, server, client } = await startStudy(t, { answers: '3' });
  const lead = await new Client(server.url).login('lead');
  for (let i = 0; i < 3; i++) await work(client, `first-${i}`);
  const refused = await next(client, await join(client, 'too-late'));
  assert.equal(refused.reason, 'none-left');
  const people = await pseudonyms(lead, ['first-0', 'first-1']);
  const preview = (await decide(lead, { people, value: 'out', preview: true })).body.preview;
  assert.equal(preview.effect.reopened, 4);
  const id = made(await decide(lead, { people, value: 'out', reason: 'careless', reopen: true }));
  const rush = await Promise.all(Array.from({ length: 60 }, async (_, i) => {
    const mine = new Client(server.url);
    const place = await join(mine, `rush-${i}`);
    let stored = 0, surplus = 0;
    for (let grid = await next(mine, place); !grid.done; grid = await next(mine, place)) {
      const r = await answer(mine, grid.assignment, { client_id: `rush-${i}-${stored + surplus}-xx` });
      stored += r.body.status === 'stored';
      surplus += r.body.status === 'surplus';
    }
    return [stored, surplus];
  }));
  assert.deepEqual([0, 1].map((k) => rush.reduce((n, r) => n + r[k], 0)), [4, 0]);
  const grids = (await lead.json('GET', '/api/v1/campaigns/main/grids')).body.items;
  assert.deepEqual(grids.map((g) => g.answers), [5, 5]);
  await must(['check', dir]);

  /* All were answered: undoing takes no slot back, and asks for none more. */
  made(await undo(lead, id));
  assert.equal((await next(client, await join(client, 'after-undo'))).reason, 'none-left');
  await must(['check', dir]);
  await server.stop();
  const restarted = await startServer(t, dir, { env: WIDE });
  const again = new Client(restarted.url);
  assert.equal((await next(again, await join(again, 'after-restart'))).reason, 'none-left');
});

test('an undo takes back the slots that nobody took', async (t) => {
  const { dir, server, client } = await startStudy(t, { answers: '1' });
  const lead = await new Client(server.url).login('lead');
  await work(client, 'first');
  const id = made(await decide(lead, { fit: 'people', value: 'out', reason: 'test', reopen: true }));
  const place = await join(client, 'second');
  const held = await next(client, place);
  assert.equal(held.done, false);
  const back = made(await undo(lead, id));
  assert.equal((await next(client, await join(client, 'third'))).reason, 'none-left');
  assert.equal((await answer(client, held.assignment)).body.status, 'stored', 'what was lent counts');
  await must(['check', dir]);
  made(await undo(lead, back));
  assert.equal((await next(client, await join(client, 'fourth'))).done, false, 'and is asked for again');
  await must(['check', dir]);
});

test('beside a server the command line reopens grids too', async (t) => {
  const { dir, server, client } = await startStudy(t, { answers: '1' });
  await work(client, 'first');
  const file = path.join(tempDir(t), 'people');
  fs.writeFileSync(file, 'first\n');
  const r = JSON.parse(await must(['decide', dir, '--out', '--people', file, '--reason', 'test',
    '--reopen', '--json']));
  const place = await join(client, 'second');
  assert.equal((await next(client, place)).done, false);
  await must(['decide', dir, '--undo', String(r.decision.id)]);
  assert.equal((await next(client, await join(client, 'third'))).reason, 'none-left');
  await must(['check', dir]);
  assert.equal((await fetch(`${server.url}/readyz`)).status, 200);
});


/* A project with 3,000 answers, too many for one piece. */
async function bigProject(t) {
  const dir = await newProject(t);
  await must(['generate', dir, '--images', '12600', '--classes', '10', '--votes', String(48 * 3000)]);
  const file = path.join(tempDir(t), 'password');
  fs.writeFileSync(file, `${PASSWORD}\n`);
  await must(['user', 'add', dir, 'lead', '--role', 'lead', '--password-file', file]);
  return dir;
}

/* Kills a server at a later and later write of a decision, each time on a new copy, until that is cut
 * off in the middle; { dir, id }. */
async function cutOff(t, sound) {
  const faults = new FaultFile(tempDir(t));
  for (let n = 24; n < 600; n += 12) {
    const dir = path.join(tempDir(t), 'cut');
    fs.cpSync(sound, dir, { recursive: true });
    const server = await startServer(t, dir, { binary: faultBin, env: { ...WIDE, ...faults.env } });
    const lead = await new Client(server.url).login('lead');
    faults.killAfter(n);
    await decide(lead, { fit: 'people', value: 'out', reason: 'all' }).catch(() => null);
    faults.killAfter(0);
    await server.stop('SIGKILL');
    const check = await holdout(['check', dir]);
    const found = /^decision: (\d+) has (\d+) of its 3000 rows/m.exec(check.out);
    assert.equal(check.code, found ? 1 : 0, check.out + check.err);
    if (found && Number(found[2]) > 0) return { dir, id: Number(found[1]) };
  }
  return assert.fail('never cut off in the middle');
}

test('kill -9 in the middle: it goes on, or is taken back', async (t) => {
  const dir = await bigProject(t);
  const all = async (d) => (await exportsOf(d, 'bench')).join('\n');
  const before = await all(dir);
  const { dir: whole, id } = await cutOff(t, dir);
  const cut = path.join(tempDir(t), 'taken-back');
  fs.cpSync(whole, cut, { recursive: true });

  let server = await startServer(t, whole, { env: WIDE });
  let lead = await new Client(server.url).login('lead');
  const [shown] = await decisions(lead);
  assert.deepEqual([shown.id, shown.state, shown.subjects], [id, 'unfinished', 3000]);
  assert.ok(shown.written > 0 && shown.written < 3000);
  assert.match(await lead.page(`/decisions/${id}`), /Unfinished/);
  const other = await decide(lead, { fit: 'people', value: 'out', reason: 'other' });
  assert.deepEqual([other.status, other.body.code], [409, 'decision-unfinished']);
  assert.equal((await lead.post(`/decisions/${id}/continue`)).status, 303);
  assert.equal((await lead.post(`/decisions/${id}/continue`)).status, 303, 'twice is once');
  assert.equal((await decisions(lead))[0].state, 'in effect');
  await server.stop();
  await must(['check', whole]);
  const people = path.join(tempDir(t), 'people');
  const workers = JSON.parse(await must(['worker', 'list', dir, '--json']));
  fs.writeFileSync(people, (workers.items ?? workers).map((w) => w.pseudonym).join('\n'));
  await must(['decide', dir, '--out', '--people', people, '--reason', 'all']);
  assert.equal(await all(whole), await all(dir), 'as if it had not been cut off');

  server = await startServer(t, cut, { env: WIDE });
  lead = await new Client(server.url).login('lead');
  made(await undo(lead, id));
  assert.equal((await lead.json('GET', `/api/v1/decisions/${id}`)).body.state, 'undone');
  assert.equal((await lead.post(`/decisions/${id}/continue`)).status, 409, 'taken back is taken back');
  await server.stop();
  await must(['check', cut]);
  assert.equal(await all(cut), before);
});
