/* Two leads at one page: what the slower one sends is about what they saw, and nobody overwrites a decision that they
 * have not seen. The page comes back with what was typed and says how things stand. */
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { Client } from './lib.mjs';
import { fieldsOf, formsOf } from './page_forms.mjs';
import { answer, join, next, startStudy } from './study.mjs';

async function twoLeads(t) {
  const { server } = await startStudy(t);
  const client = new Client(server.url);
  const place = await join(client, 'ann');
  for (let grid = await next(client, place); !grid.done; grid = await next(client, place)) {
    await client.json('POST', `/api/v1/assignments/${grid.assignment}/flags`, { position: 0, kind: 'other', note: 'odd' });
    await answer(client, grid.assignment, { client_id: `${grid.assignment}-1`, active_ms: 60000 });
  }
  const logins = ['lead', 'keeper'];
  return Promise.all(logins.map((login) => new Client(server.url).login(login)));
}

/* The page's first form for `action`, to be sent later as it stands now. */
async function formOf(lead, page, action) {
  const form = formsOf(await lead.page(page)).find((f) => action.test(f.action));
  assert.ok(form, `${page} has a form for ${action}`);
  return form;
}

async function send(lead, form, typed, value) {
  const button = form.controls.find((c) => c.tag === 'button' && c.value === value);
  const r = await lead.fetch(form.action, { method: 'POST', body: fieldsOf(form, typed, button) });
  return { status: r.status, location: r.headers.get('location'), html: await r.text() };
}

/* The Undo of what was done, as the next page has it. */
const undoOf = (html) => formsOf(html.slice(html.indexOf('data-toast')))[0];

test('pay that somebody decided about meanwhile', async (t) => {
  const [a, b] = await twoLeads(t);
  const page = '/campaigns/main/participants';
  const [mine, theirs] = await Promise.all([a, b].map((lead) => formOf(lead, page, /participants\/\d+\/pay$/)));
  assert.equal((await send(a, mine, {}, 'approve')).status, 303);
  const late = await send(b, theirs, { reason: 'far too fast' }, 'reject');
  assert.equal(late.status, 409);
  assert.match(late.html, /Somebody else decided about this pay meanwhile: it is approved now/);
  assert.match(late.html, /value="far too fast"/, 'what was typed');
  const again = formsOf(late.html).find((f) => f.action === theirs.action);
  assert.equal((await send(b, again, { reason: 'far too fast' }, 'reject')).status, 303, 'now it was seen');
});

test('the state of a campaign that somebody changed meanwhile', async (t) => {
  const [a, b] = await twoLeads(t);
  const close = await formOf(a, '/campaigns/main', /state\/closed$/);
  const [pause, closeToo] = await Promise.all([/state\/paused$/, /state\/closed$/].map((to) => formOf(b, '/campaigns/main', to)));
  assert.equal((await send(a, close, {})).status, 303);
  const undo = undoOf(await a.page('/campaigns/main'));
  const late = await send(b, pause, {});
  assert.equal(late.status, 409);
  assert.match(late.html, /it is closed now/);
  assert.equal((await send(b, closeToo, {})).status, 303, 'what is so already is no quarrel');
  const open = await formOf(b, '/campaigns/main', /state\/open$/);
  assert.equal((await send(b, open, {})).status, 303);
  const stop = await formOf(b, '/campaigns/main', /state\/paused$/);
  assert.equal((await send(b, stop, {})).status, 303);
  const undone = await send(a, undo, {});
  assert.equal(undone.status, 409, 'an undo of what holds no more');
  assert.match(undone.html, /it is paused now/);
});

test('an image that somebody decided about meanwhile', async (t) => {
  const [a, b] = await twoLeads(t);
  const [mine, theirs] = await Promise.all([a, b].map((lead) => formOf(lead, '/flags', /^\/flags\/\d+$/)));
  assert.equal((await send(a, mine, { reason: 'its author asked for it' }, 'takedown')).status, 303);
  const late = await send(b, theirs, { reason: 'looks fine' }, 'clear');
  assert.equal(late.status, 409);
  assert.match(late.html, /it is taken down now/);
  const image = Number(/\d+/.exec(mine.action)[0]);
  assert.match(await b.page(`/images/${image}`), /Taken down on/);
  const again = await formOf(b, `/flags?show=all`, new RegExp(`^${mine.action}$`));
  assert.equal((await send(b, again, { reason: 'asked again' }, 'clear')).status, 303, 'now it was seen');
});
