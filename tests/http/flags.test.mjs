/* Flags on images: workers report by form and by JSON, k people hide an image, a lead decides. Needs
 * no knowledge of which image is where: a person flags a position, and what became hidden is asked
 * as a lead. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';

import { Client, must, startServer, tempDir } from './lib.mjs';
import { FULL, SMALL, answer, lease, startStudy } from './study.mjs';

const K = { HOLDOUT_WORK_FLAGS_TO_QUARANTINE: '2', HOLDOUT_WORK_FLAGS_PER_PERSON: '100', HOLDOUT_LIMITS_LOGINS_PER_ADDRESS_HOUR: '1000000' };
const IMAGES = 6 + 6 + 10 + 42;

const flag = (client, assignment, members) =>
  client.json('POST', `/api/v1/assignments/${assignment}/flags`, { position: 0, kind: 'other', ...members });

/* Of the first `n` photos, at once: one after the other each waits for the disk. */
const flagFirst = (client, { assignment }, n) => Promise.all(Array.from({ length: n },
  async (_, position) => assert.equal((await flag(client, assignment, { position })).body.status, 'stored')));

const flagAll = (client, person) => flagFirst(client, person, person.cells);

const typeOf = async (client, at) => {
  const r = await client.get(at);
  assert.equal(r.status, 200, at);
  await r.arrayBuffer();
  return r.headers.get('content-type');
};

/* The numbers of the images that stand behind a veil. */
async function veiled(client) {
  const ids = Array.from({ length: IMAGES }, (_, i) => i + 1);
  const types = await Promise.all(ids.map((id) => typeOf(client, `/images/${id}/grid`)));
  return ids.filter((_, i) => types[i] === 'image/svg+xml');
}

const queue = (html) => [...html.matchAll(/<form class="form" method="post" action="\/flags\/(\d+)"/g)].map((m) => Number(m[1]));

test('a flag is stored once and says nothing about the image', async (t) => {
  const { client } = await startStudy(t);
  const { assignment } = await lease(client, 'ann', FULL);
  const first = await flag(client, assignment, { position: 3, kind: 'private', note: 'my aunt' });
  assert.deepEqual([first.status, first.body], [200, { status: 'stored' }]);
  const again = await flag(client, assignment, { position: 3, kind: 'private', note: 'my aunt' });
  assert.deepEqual([again.status, again.body], [200, { status: 'known' }]);
  assert.deepEqual((await flag(client, assignment, { position: 3, kind: 'broken' })).body, { status: 'stored' });
});

test('what a flag must not be', async (t) => {
  const { client } = await startStudy(t);
  const { assignment } = await lease(client, 'ann', SMALL);
  for (const [members, code] of [
    [{ position: SMALL }, 'position'], [{ position: 47 }, 'position'], [{ position: 48 }, 'position'],
    [{ position: -1 }, 'position'], [{ position: '0' }, 'position'], [{ position: undefined }, 'position'],
    [{ kind: 'ugly' }, 'flag-kind'], [{ kind: 3 }, 'flag-kind'], [{ kind: undefined }, 'flag-kind'],
    [{ note: 7 }, 'flag-kind'], [{ note: 'x'.repeat(501) }, 'flag-note'],
  ]) {
    const r = await flag(client, assignment, members);
    assert.deepEqual([r.status, r.body.code], [400, code], JSON.stringify(members));
  }
  assert.equal((await flag(client, 'AAAAAAAAAAAAAAAAAAAAAA', {})).status, 404);
  assert.equal((await flag(client, 'no-token', {})).status, 404);
  const lead = await new Client(client.url).login('lead');
  assert.match(await lead.page('/flags?show=all'), /Nothing to decide/);
});

test('k people hide an image; a lead clears it or takes it down', async (t) => {
  const { dir, client, server } = await startStudy(t, { env: K });
  const ann = await lease(client, 'ann', FULL);
  const bob = await lease(client, 'bob', FULL);
  await flag(client, ann.assignment, { position: 5, kind: 'disturbing', note: 'blood <b>' });
  await answer(client, ann.assignment);
  await answer(client, bob.assignment);
  let lead = await new Client(client.url).login('lead');
  const expert = await new Client(client.url).login('expert');
  assert.deepEqual(await veiled(lead), []);
  await flagAll(client, bob);
  const hidden = await veiled(lead);
  assert.equal(hidden.length, 1, 'only the image that two people flagged');
  const at = `/images/${hidden[0]}/grid`;

  assert.equal(await typeOf(lead, `${at}?reveal=1`), 'image/jpeg');
  assert.equal(await typeOf(expert, `${at}?reveal=1`), 'image/svg+xml');
  const page = await lead.page('/flags');
  assert.ok(queue(page).includes(hidden[0]));
  assert.match(page, /blood &lt;b&gt;/);
  assert.match(page, /2 people/);

  const decide = (decision, reason = '') => lead.post(`/flags/${hidden[0]}`, { decision, reason });
  assert.equal((await decide('clear')).status, 303);
  assert.deepEqual(await veiled(lead), []);
  assert.ok(!queue(await lead.page('/flags')).includes(hidden[0]), 'decided');
  assert.equal((await decide('quarantine')).status, 303);
  assert.deepEqual(await veiled(lead), hidden);
  assert.equal((await decide('takedown')).status, 400, 'a takedown needs a reason');
  assert.equal((await decide('takedown', 'asked by the author')).status, 303);
  assert.match(await lead.page('/flags?show=all'), /asked by the author/);
  assert.equal((await lead.post('/flags/99999', { decision: 'clear' })).status, 404);
  assert.equal((await lead.post(`/flags/${hidden[0]}`, { decision: 'burn' })).status, 400);

  await server.stop();
  const next = await startServer(t, dir, { env: K });
  lead = await new Client(next.url).login('lead');
  assert.deepEqual(await veiled(lead), hidden, 'hidden after a restart');
});

test('the queue goes page by page and shows every image once', async (t) => {
  const { client } = await startStudy(t);
  const full = await lease(client, 'ann', FULL);
  const small = await lease(client, 'bob', SMALL);
  await flagAll(client, full);
  await flagAll(client, small);
  const lead = await new Client(client.url).login('lead');
  for (const query of ['', '?sort=newest', '?show=all', '?show=open&sort=reports']) {
    const seen = [];
    let pages = 0;
    for (let at = `/flags${query}`; at; pages++) {
      const html = await lead.page(at);
      seen.push(...queue(html));
      at = /href="([^"]+)" rel="next"/.exec(html)?.[1].replaceAll('&amp;', '&');
    }
    assert.equal(pages, 2, query);
    assert.ok(seen.length > FULL && seen.length <= FULL + SMALL, `${seen.length}`);
    assert.equal(new Set(seen).size, seen.length);
  }
  assert.match(await lead.page('/flags?page=9'), /Page 2 of 2/, 'the last');
});

test('the queue is filtered by state and sorted by reports; a decision goes back to it', async (t) => {
  const { client } = await startStudy(t, { env: K });
  const ann = await lease(client, 'ann', FULL);
  const bob = await lease(client, 'bob', FULL);
  await flagFirst(client, ann, 1);
  await flagAll(client, bob); /* one of them the photo that ann flagged */
  for (const { assignment } of [ann, bob]) await answer(client, assignment);
  const lead = await new Client(client.url).login('lead');
  const all = queue(await lead.page('/flags'));
  assert.equal(all.length, FULL);
  const held = queue(await lead.page('/flags?show=quarantine'));
  assert.deepEqual(held, [all[0]], 'two people flagged it: it is hidden, and first');
  const open = await lead.page('/flags?show=open&sort=newest');
  assert.ok(!queue(open).includes(held[0]));
  assert.equal(queue(open).length, FULL - 1);
  assert.match(open, /type="radio" name="show" value="open" checked/);
  assert.match(open, /type="radio" name="sort" value="newest" checked/);
  const [, cleared] = queue(open);
  const back = new RegExp(`action="/flags/${cleared}"[^]*?name="back" value="([^"]+)"`).exec(open)[1].replaceAll('&amp;', '&');
  const r = await lead.post(`/flags/${cleared}`, { decision: 'clear', reason: '', was: 'open', back });
  assert.deepEqual([r.status, r.headers.get('location')], [303, `${back}#flag-${cleared}`]);
  const after = await lead.page(back);
  assert.equal(queue(after)[1], cleared, 'it keeps its place');
  assert.deepEqual(queue(await lead.page('/flags?show=clear')), [cleared]);
  assert.ok(!queue(await lead.page('/flags?show=open')).includes(cleared));
  assert.equal((await lead.post(`/flags/${held[0]}`, { decision: 'takedown', reason: 'asked', was: 'quarantine', back: '//elsewhere' })).headers.get('location'),
    `/flags#flag-${held[0]}`, 'nowhere else');
  assert.deepEqual(queue(await lead.page('/flags?show=takedown')), held);
  assert.match(await lead.page('/flags?show=quarantine'), /No such image/);
  for (const query of ['show=burnt', 'sort=luck', 'page=0', 'page=x']) {
    assert.equal((await lead.get(`/flags?${query}`)).status, 400, query);
  }
});

test('the form without a script', async (t) => {
  const { client } = await startStudy(t);
  const { assignment } = await lease(client, 'ann', SMALL);
  const at = `/work/assignment/${assignment}/flag`;
  const html = await client.page(`${at}?position=4`);
  assert.equal([...html.matchAll(/name="cell"/g)].length, SMALL);
  assert.match(html, /name="cell" value="4" checked/);
  assert.equal([...html.matchAll(/checked/g)].length, 1);
  const send = (fields) => client.fetch(at, { method: 'POST', body: new URLSearchParams(fields) });

  let r = await send([['kind', 'broken'], ['note', 'it is <gray>']]);
  assert.equal(r.status, 400);
  let again = await r.text();
  assert.match(again, /Choose at least one photo/);
  assert.match(again, /value="it is &lt;gray&gt;"/, 'what was typed is kept');
  r = await send([['cell', '1'], ['cell', '2']]);
  assert.equal(r.status, 400);
  again = await r.text();
  assert.match(again, /Say what is wrong/);
  assert.match(again, /name="cell" value="1" checked/);
  r = await send([['cell', '1'], ['kind', 'broken'], ['note', 'x'.repeat(501)]]);
  assert.equal(r.status, 400);
  r = await send([['cell', '1'], ['kind', 'ugly']]);
  assert.equal(r.status, 400);

  r = await send([['cell', '1'], ['cell', '2'], ['kind', 'broken'], ['note', 'gray']]);
  assert.deepEqual([r.status, r.headers.get('location')], [303, `${at}?sent=1`]);
  assert.match(await client.page(`${at}?sent=1`), /Thank you/);
  const lead = await new Client(client.url).login('lead');
  assert.equal(queue(await lead.page('/flags')).length, 2);
});

/* `n` people who hold the full grid and have answered nothing. */
async function newcomers(client, n, names) {
  const found = [];
  for (let i = 0; found.length < n; i++) {
    const person = await lease(client, `${names}-${i}`);
    if (person.cells === FULL) found.push(person);
    assert.ok(i < 8 * n);
  }
  return found;
}

test('only people who answered hide an image, a few each', async (t) => {
  const { client } = await startStudy(t, { env: { ...K, HOLDOUT_WORK_FLAGS_PER_PERSON: '4' } });
  const people = await newcomers(client, 30, 'p');
  /* Everybody has an order of their own: one flags all that there are, so that each image has a flag. */
  await flagAll(client, people[0]);
  for (const person of people.slice(1)) await flagFirst(client, person, 12);
  const lead = await new Client(client.url).login('lead');
  assert.deepEqual(await veiled(lead), [], 'nobody has answered');
  assert.equal(queue(await lead.page('/flags')).length, FULL, 'but all of them are shown');
  await answer(client, people[0].assignment);
  assert.deepEqual(await veiled(lead), [], 'one has');
  for (const person of people.slice(1)) await answer(client, person.assignment);
  const hidden = (await veiled(lead)).length;
  assert.ok(hidden > 0 && hidden <= 30 * 4 / 2, `${hidden} by 30 people with 4 images each, 2 for one`);
  await flag(client, people[1].assignment, { position: 20 });
  assert.equal((await veiled(lead)).length, hidden, 'that person has no image left');
});

test('people on the list of participants hide an image before they answer', async (t) => {
  const { dir, client } = await startStudy(t, { env: K });
  const list = path.join(tempDir(t), 'list.csv');
  const names = Array.from({ length: 60 }, (_, i) => `listed-${i}`);
  fs.writeFileSync(list, ['external_id', ...names, ''].join('\n'));
  await must(['import', 'participants', dir, list, '--campaign', 'main']);
  for (const person of await newcomers(client, 2, 'listed')) await flagAll(client, person);
  assert.equal((await veiled(await new Client(client.url).login('lead'))).length, FULL);
});

test('a surge is shown; its flags are dismissed by one click and restored by another', async (t) => {
  const { client } = await startStudy(t, { env: { ...K, HOLDOUT_WORK_FLAGS_SURGE: '90' } });
  const lead = await new Client(client.url).login('lead');
  const people = [await lease(client, 'ann', FULL), await lease(client, 'bob', FULL)];
  await flagAll(client, people[0]);
  assert.doesNotMatch(await lead.page('/flags'), /A surge of flags/);
  await flagAll(client, people[1]);
  for (const { assignment } of people) await answer(client, assignment);
  assert.equal((await veiled(lead)).length, FULL);

  let html = await lead.page('/flags');
  assert.match(html, /2 people sent 96 flags on 48 images/);
  assert.match(html, /48 of the images are hidden\./);
  const of = (name, text) => new RegExp(`name="${name}" value="([^"]+)"`).exec(text)[1];
  let r = await lead.post('/flags/dismiss', { first: of('first', html), last: of('last', html) });
  assert.equal(r.status, 303);
  html = await lead.page(r.headers.get('location'));
  assert.match(html, /96 flags dismissed/);
  assert.deepEqual([await veiled(lead), queue(html)], [[], []]);

  const action = of('action', html);
  r = await lead.post('/flags/restore', { action });
  html = await lead.page(r.headers.get('location'));
  assert.match(html, /96 flags restored/);
  const again = async (at, fields) => lead.page((await lead.post(`/flags/${at}`, fields)).headers.get('location'));
  assert.match(await again('restore', { action }), /Nothing had to change: these flags were restored already\./);
  assert.equal((await veiled(lead)).length, FULL);

  r = await lead.post('/flags/dismiss', { person: of('person', html) });
  assert.match(await lead.page(r.headers.get('location')), /48 flags dismissed/);
  assert.match(await again('dismiss', { person: of('person', html) }), /Nothing had to change: these flags were dismissed/);
  assert.deepEqual(await veiled(lead), [], 'one person is not enough');
  assert.equal(queue(await lead.page('/flags')).length, FULL, 'the other flags still wait');
  assert.match(await lead.page('/flags?show=all'), /48 flags, dismissed/);

  for (const [at, fields, status] of [
    ['dismiss', {}, 400], ['dismiss', { first: 'x', last: '3' }, 400], ['dismiss', { person: 'pnobody' }, 404],
    ['restore', {}, 404], ['restore', { action: '-1' }, 404],
  ]) assert.equal((await lead.post(`/flags/${at}`, fields)).status, status, JSON.stringify(fields));
  assert.match(await lead.page('/history'), /dismissed a flag of the image/);
});
