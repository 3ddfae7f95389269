/* views.test.mjs - named vote views: made with a preview, saved as versions, never over somebody
 * else's; what a view counts is counted again here, from the answers. */
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { Client, must } from './lib.mjs';
import { FULL, answer, join, lease, next, startStudy } from './study.mjs';

/* People and what they did on the full grid: shown positions, active time. */
const PEOPLE = [
  { selected: [0, 1, 2, 3], active_ms: 30000 },
  { selected: [0, 1, 5, 40], active_ms: 25000 },
  { selected: [...Array(FULL).keys()], active_ms: 2000 },
  { selected: [], active_ms: 3000 },
];

/* [{ person, active_s, cells: ["image,wnid", selected] }], as they answered. */
async function voted(t) {
  const study = await startStudy(t);
  const lead = await new Client(study.server.url).login('lead');
  const votes = [];
  for (const [i, p] of PEOPLE.entries()) {
    const grid = await lease(study.client, `person-${i}`, FULL);
    assert.equal((await answer(study.client, grid.assignment, { client_id: `client-${i}-x`, ...p })).status, 200);
  }
  const grids = (await lead.json('GET', '/api/v1/campaigns/main/grids')).body.items;
  for (const { id } of grids) {
    const { assignments, class: number } = (await lead.json('GET', `/api/v1/grids/${id}`)).body;
    const wnid = `n${String(number).padStart(8, '0')}`; /* the study's classes were imported in order */
    for (const a of assignments) {
      const page = await lead.page(a.url);
      const cells = [...page.matchAll(/<li class="card( selected)?"[^]*?class="mono name">([^<]+)/g)]
        .map((m) => [`${m[2]},${wnid}`, Boolean(m[1])]);
      votes.push({ person: a.who, active_s: a.active_seconds, cells });
    }
  }
  return { ...study, lead, votes };
}

const VIEW = { name: 'slow', description: 'who took their time', kind: 'main', as_of: 'all', version: '0' };
const save = (client, fields) => client.post('/views', { ...VIEW, do: 'save', form_page: '/views/new', ...fields });

async function saved(client, fields = {}) {
  const r = await save(client, fields);
  assert.equal(r.status, 303, await r.text());
  return r.headers.get('location');
}

const rows = (csv) => csv.trim().split('\n').slice(1).map((line) => line.split(','));
const frequencies = async (client, name) => rows(await client.page(`/views/${name}/frequencies.csv`));

/* The same from the votes: "image,wnid" to [answers, selected]. */
function recount(votes) {
  const sums = new Map();
  for (const v of votes) {
    for (const [image, selected] of v.cells) {
      const [n, k] = sums.get(image) ?? [0, 0];
      sums.set(image, [n + 1, k + selected]);
    }
  }
  return sums;
}

function assertCounts(csv, votes) {
  const expected = recount(votes);
  assert.equal(csv.length, expected.size);
  for (const [image, wnid, n, k] of csv) {
    assert.deepEqual([Number(n), Number(k)], expected.get(`${image},${wnid}`), image);
  }
}

const views = async (client) => (await client.json('GET', '/api/v1/views')).body.items;
const versionOn = (html) => /name="version" value="(\d+)"/.exec(html)[1];

test('a view counts what its filters let through, and says who is left out', async (t) => {
  const { lead, dir, votes } = await voted(t);
  const everything = await frequencies(lead, 'default');
  assertCounts(everything, votes);
  assert.deepEqual(rows(await must(['export', 'frequencies', dir])), everything);

  assert.equal(await saved(lead, { rule: 'active-least', 'value-active-least': '20' }), '/views/slow');
  const slow = votes.filter((v) => v.active_s === null || v.active_s >= 20);
  assert.ok(slow.length < votes.length && slow.length >= 2);
  assertCounts(await frequencies(lead, 'slow'), slow);
  assert.equal(await must(['export', 'frequencies', dir, '--view', 'slow']), await lead.page('/views/slow/frequencies.csv'));

  const html = await lead.page('/views/slow');
  for (const v of votes) {
    const partly = votes.some((w) => w.person === v.person && !slow.includes(w));
    assert.equal(html.includes(`/workers/${v.person}"`), partly, `${v.person} is left out or not`);
  }
  assert.match(html, /at least 20 s of active time/);
  assert.match(html, /\/decisions\/new\?view=slow"/);

  await saved(lead, { name: 'neither', rule: 'not-all', kind: 'main' });
  assertCounts(await frequencies(lead, 'neither'), votes.filter((v) => !v.cells.every(([, s]) => s)));
  /* The seed of a draw is typed, stored, and comes back with the form; left empty it is 1. */
  const drawn = { rule: 'random-votes', 'value-random-votes': '1' };
  for (const [name, typed, seed] of [['draw', '77', 77], ['usual', '', 1]]) {
    await saved(lead, { ...drawn, name, 'seed-random-votes': typed });
    assert.deepEqual((await views(lead)).find((v) => v.name === name).filters.map((f) => [f.rule, f.value, f.seed]), [['random-votes', 1, seed]]);
    assert.match(await lead.page(`/views/${name}/edit`), new RegExp(`name="seed-random-votes" value="${seed}"`));
  }
  await saved(lead, { name: 'pilots', kind: 'pilot' });
  assert.deepEqual(await frequencies(lead, 'pilots'), []);
  assert.match(await lead.page('/views/pilots'), /No answers are counted by this view/);
});

test('a preview shows the effect and stores nothing', async (t) => {
  const { lead, votes } = await voted(t);
  const r = await lead.post('/views', { ...VIEW, do: 'preview', rule: 'positive-least',
    'value-positive-least': '90', as_of: 'now' });
  const html = await r.text();
  assert.equal(r.status, 200, html);
  assert.match(html, /Not saved yet/);
  assert.match(html, /Positive controls are originals/);
  const row = (label) => {
    const m = new RegExp(`<th scope="row"[^>]*>(?:<strong>)?${label}[^]*?</tr>`).exec(html)[0];
    return [...m.matchAll(/<td class="number">([^<]*)</g)].map((c) => c[1]);
  };
  assert.deepEqual(row('No filter').slice(0, 4), [String(votes.length), '0', String(PEOPLE.length), '0']);
  const [answers, left] = row('Every filter');
  assert.equal(Number(answers) + Number(left), votes.length);
  assert.deepEqual((await views(lead)).map((v) => v.name), ['default']);
  /* "Now" is the moment of the preview. */
  const event = /name="as_of_event" value="(\d+)"/.exec(html)[1];
  assert.ok(Number(event) > 0 && /value="event" checked/.test(html));
});

test('versions: the newest counts, nobody saves over what they have not seen', async (t) => {
  const { lead, client } = await voted(t);
  const keeper = await new Client(client.url).login('keeper');
  await saved(lead);
  const seen = versionOn(await lead.page('/views/slow/edit'));
  assert.equal(versionOn(await keeper.page('/views/slow/edit')), seen);
  await saved(keeper, { description: 'theirs & <better>', version: seen });

  const r = await save(lead, { description: 'mine', version: seen });
  const html = await r.text();
  assert.equal(r.status, 409);
  assert.match(html, /Somebody else has saved another version/);
  assert.ok(html.includes('theirs &amp; &lt;better&gt;') && html.includes('by keeper'));
  assert.ok(html.includes('value="mine"'), 'what was typed is kept');
  assert.equal((await views(lead))[1].description, 'theirs & <better>');

  await saved(lead, { description: 'mine', version: versionOn(html) });
  const [, view] = await views(lead);
  assert.deepEqual([view.version, view.description, view.account], [3, 'mine', 'lead']);
  /* The same again is no new version. */
  await saved(lead, { description: 'mine', version: String(view.id) });
  assert.equal((await views(lead))[1].version, 3);

  const taken = await save(lead, {});
  const page = await taken.text();
  assert.equal(taken.status, 409);
  assert.match(page, /There is already a view with this name/);
  assert.equal(versionOn(page), '0');
  const told = (await lead.json('GET', '/api/v1/history?area=views')).body.items.map((e) => [e.who, e.sentence]);
  assert.deepEqual(told.slice(0, 3), [['lead', 'saved version 3 of the view slow'],
    ['keeper', 'saved version 2 of the view slow'], ['lead', 'saved version 1 of the view slow']]);
});

test('a view as of now stays what it was', async (t) => {
  const { lead, client, votes } = await voted(t);
  await saved(lead, { as_of: 'now' });
  const before = await frequencies(lead, 'slow');
  const place = await join(client, 'late');
  const grid = await next(client, place);
  assert.equal((await answer(client, grid.assignment)).status, 200);
  assert.deepEqual(await frequencies(lead, 'slow'), before);
  assertCounts(before, votes);
  const sum = (list) => list.reduce((n, [, , shown]) => n + Number(shown), 0);
  assert.equal(sum(await frequencies(lead, 'default')), sum(before) + grid.cells);
  /* A block counts from now on, wherever the view ends. */
  await saved(lead, { name: 'free', rule: 'not-blocked' });
  assert.equal(sum(await frequencies(lead, 'free')), sum(before) + grid.cells);
  const blocked = votes[0].person;
  assert.equal((await lead.post(`/workers/${blocked}/notes`, { kind: 'block', text: 'why' })).status, 303);
  assert.equal(sum(await frequencies(lead, 'free')), sum(before) + grid.cells
    - votes.filter((v) => v.person === blocked).flatMap((v) => v.cells).length);
});

test('what no view can be is refused, and what was typed is kept', async (t) => {
  const { client, server } = await startStudy(t);
  const lead = await new Client(server.url).login('lead');
  for (const [fields, status, says] of [
    [{ name: 'Not <Good>' }, 400, /name must be 1 to 40/], [{ name: '' }, 400, /name must be 1 to 40/],
    [{ name: 'new' }, 400, /nor &quot;new&quot;/], [{ name: 'default' }, 409, /cannot be changed/],
    [{ kind: '' }, 400, /chooses no campaign/], [{ kind: 'party' }, 400, /not a kind of campaign/],
    [{ campaign: 'nowhere' }, 400, /is not a campaign/],
    [{ rule: 'active-least', 'value-active-least': 'long' }, 400, /needs a number/],
    [{ rule: 'active-least', 'value-active-least': '-1' }, 400, /value between/],
    [{ rule: 'gold-least', 'value-gold-least': '1e9' }, 400, /value between/],
    [{ rule: 'random-votes', 'value-random-votes': '1', 'seed-random-votes': '0.5' }, 400, /seed of the draw must be a whole number/],
    [{ rule: 'random-votes', 'value-random-votes': '1', 'seed-random-votes': '9e99' }, 400, /seed of the draw must be a whole number/],
    [{ rule: 'random-votes', 'value-random-votes': '1', 'seed-random-votes': '9007199254740993' }, 400, /seed of the draw must be a whole number/],
    [{ as_of: 'event', as_of_event: '' }, 400, /number of an event/],
    [{ as_of: 'event', as_of_event: '999999999' }, 400, /between 1 and/],
    [{ description: 'x'.repeat(401) }, 400, /at most 400/],
  ]) {
    const r = await save(lead, { description: 'kept <as> typed', ...fields });
    const html = await r.text();
    assert.equal(r.status, status, `${JSON.stringify(fields)}\n${html}`);
    assert.match(html, says, JSON.stringify(fields));
    assert.ok('description' in fields || html.includes('kept &lt;as&gt; typed'));
  }
  const every = new URLSearchParams({ ...VIEW, csrf: lead.csrf, do: 'save' });
  const form = await lead.page('/views/new');
  for (const [, name, value] of form.matchAll(/name="(rule|value-[^"]+)" value="([^"]*)"/g)) every.append(name, value);
  const r = await lead.fetch('/views', { method: 'POST', body: every });
  assert.equal(r.status, 400);
  assert.match(await r.text(), /at most 8 filters/);
  assert.deepEqual((await views(lead)).map((v) => v.name), ['default']);
  for (const target of ['/views/none', '/views/none/edit', '/views/none/frequencies.csv', '/views/new?copy=none']) {
    assert.equal((await lead.get(target)).status, 404, target);
  }
  assert.equal((await lead.get('/views/default/edit')).status, 409);
  assert.equal((await client.get('/views')).status, 303, 'nobody is sent to sign in');
});
