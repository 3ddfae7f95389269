/* Flags on images: workers report by form and by JSON, k people hide an image, a lead decides. Needs
 * no knowledge of which image is where: a person flags a position, and what became hidden is asked
 * as a lead. */
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { Client, startServer } from './lib.mjs';
import { FULL, SMALL, lease, startStudy } from './study.mjs';

const K = { HOLDOUT_WORK_FLAGS_TO_QUARANTINE: '2', HOLDOUT_LIMITS_LOGINS_PER_ADDRESS_HOUR: '1000000' };
const IMAGES = 6 + 6 + 10 + 42;

const flag = (client, assignment, members) =>
  client.json('POST', `/api/v1/assignments/${assignment}/flags`, { position: 0, kind: 'other', ...members });

async function flagAll(client, { assignment, cells }) {
  for (let position = 0; position < cells; position++) {
    assert.equal((await flag(client, assignment, { position })).body.status, 'stored');
  }
}

const typeOf = async (client, at) => {
  const r = await client.get(at);
  assert.equal(r.status, 200, at);
  await r.arrayBuffer();
  return r.headers.get('content-type');
};

/* The numbers of the images that stand behind a veil. */
async function veiled(client) {
  const hidden = [];
  for (let id = 1; id <= IMAGES; id++) {
    if (await typeOf(client, `/images/${id}/grid`) === 'image/svg+xml') hidden.push(id);
  }
  return hidden;
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
  assert.match(await lead.page('/flags?all=1'), /Nothing to decide/);
});

test('k people hide an image; a lead clears it or takes it down', async (t) => {
  const { dir, client, server } = await startStudy(t, { env: K });
  const ann = await lease(client, 'ann', FULL);
  const bob = await lease(client, 'bob', FULL);
  await flag(client, ann.assignment, { position: 5, kind: 'disturbing', note: 'blood <b>' });
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
  assert.match(await lead.page('/flags?all=1'), /asked by the author/);
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
  const seen = [];
  let pages = 0;
  for (let at = '/flags'; at; pages++) {
    const html = await lead.page(at);
    seen.push(...queue(html));
    at = /<nav class="pages"[^>]*><a class="button" href="([^"]+)"/.exec(html)?.[1].replaceAll('&amp;', '&');
  }
  assert.equal(pages, 2);
  assert.ok(seen.length > FULL && seen.length <= FULL + SMALL, `${seen.length}`);
  assert.equal(new Set(seen).size, seen.length);
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
