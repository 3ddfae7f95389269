/* What leads look at: one grid with its scores, one assignment in its worker's order, the plan of a
 * draft, previews that store nothing. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';

import { Client, must } from './lib.mjs';
import { FULL, SMALL, answer, lease, startStudy } from './study.mjs';

const near = (a, b) => assert.ok(Math.abs(a - b) < 1e-9, `${a} is not ${b}`);
const mean = (list) => list.reduce((a, b) => a + b, 0) / list.length;

/* Three people answer the full grid, each with other positions of their own order. */
const SELECTED = [[0, 5, 47], [], [1, 2, 3, 4, 5, 6, 7, 8]];

async function answered(t) {
  const study = await startStudy(t);
  const lead = await new Client(study.client.url).login('lead');
  for (const [i, selected] of SELECTED.entries()) {
    const { assignment } = await lease(study.client, `person-${i}`, FULL);
    const r = await answer(study.client, assignment,
      { selected, client_id: `client-${i}-0`, active_ms: 1000 * (i + 1), device: { cell: [150, 150], columns: 8, pointer: 'mouse' } });
    assert.equal(r.status, 200, JSON.stringify(r.body));
  }
  const list = (await lead.json('GET', '/api/v1/campaigns/main/grids')).body.items;
  const { id } = list.find((g) => g.cells === FULL);
  const grid = (await lead.json('GET', `/api/v1/grids/${id}`)).body;
  return { ...study, lead, id, grid };
}

test('one grid as JSON: frequencies, controls, agreement', async (t) => {
  const { grid } = await answered(t);
  assert.equal(grid.cells.length, FULL);
  assert.equal(grid.assignments.length, SELECTED.length);
  assert.deepEqual(grid.assignments.map((a) => a.selected), SELECTED.map((s) => s.length));
  assert.deepEqual(grid.assignments.map((a) => a.state), ['stored', 'stored', 'stored']);
  assert.deepEqual(grid.assignments.map((a) => a.active_seconds), [1, 2, 3]);
  const votes = grid.cells.reduce((n, c) => n + c.frequency.selected, 0);
  assert.equal(votes, SELECTED.flat().length);
  assert.ok(grid.cells.every((c) => c.frequency.n === SELECTED.length));

  /* Of n answers of which s selected a cell: each finds s-1 or n-s-1 of n-1 others on its side. */
  const n = SELECTED.length;
  const expected = mean(grid.cells.map(({ frequency: { selected: s } }) =>
    (s * (s - 1) + (n - s) * (n - s - 1)) / (n - 1) / n));
  near(mean(grid.assignments.map((a) => a.agreement)), expected);
  near(grid.summary.agreement, expected);
  near(mean(grid.assignments.map((a) => a.relative)), 0);

  /* Who selected nothing has every negative control right and no positive one. */
  const controls = (role) => grid.cells.filter((c) => c.role === role).length;
  const [positive, negative] = [controls('positive control'), controls('negative control')];
  assert.ok(positive > 0 && negative > 0);
  assert.match(grid.assignments[1].controls.text, new RegExp(`\\(0/${positive} pos, ${negative}/${negative} neg\\)`));
  near(grid.assignments[1].controls.accuracy, negative / (positive + negative));
  assert.equal(grid.summary.answers, 3);
  const { least, median, most, mean: average } = grid.summary.seconds;
  assert.ok(least <= median && median <= most && least <= average && average <= most);
});

test('the pages of a grid and of its assignments', async (t) => {
  const { lead, id, grid } = await answered(t);
  const html = await lead.page(`/campaigns/main/grids/${id}`);
  assert.equal([...html.matchAll(/<li class="card/g)].length, FULL);
  for (const [i, a] of grid.assignments.entries()) {
    assert.ok(html.includes(a.url) && html.includes(a.controls.text) && html.includes(a.who));
    const page = await lead.page(a.url);
    const cards = [...page.matchAll(/<li class="card( selected)?"/g)];
    assert.equal(cards.length, FULL);
    assert.deepEqual(cards.flatMap((c, at) => (c[1] ? [at] : [])), SELECTED[i], 'as the worker saw it');
    assert.match(page, /<dt>pointer<\/dt><dd>mouse<\/dd>/);
    assert.match(page, /<dt>cell<\/dt><dd>150 x 150<\/dd>/);
  }
  const orders = await Promise.all(grid.assignments.map(async (a) =>
    [...(await lead.page(a.url)).matchAll(/class="mono name">([^<]+)/g)].map((m) => m[1])));
  assert.notDeepEqual(orders[0], orders[1], 'an order for each');
  assert.deepEqual([...orders[0]].sort(), grid.cells.map((c) => c.image).sort());
});

test('what is not there, and cursors', async (t) => {
  const { lead, id, grid } = await answered(t);
  const status = async (at) => (await lead.get(at)).status;
  assert.equal(await status(`/campaigns/other/grids/${id}`), 404);
  assert.equal(await status('/campaigns/main/grids/999'), 404);
  assert.equal(await status('/campaigns/main/grids/x'), 404);
  assert.equal(await status('/campaigns/main/assignments/999'), 404);
  assert.equal(await status(`/campaigns/other/assignments/${grid.assignments[0].id}`), 404);
  assert.equal(await status('/api/v1/grids/999'), 404);
  assert.equal(await status('/api/v1/campaigns/other/grids'), 404);
  assert.equal(await status('/api/v1/campaigns/main/grids?limit=0'), 400);
  const first = (await lead.json('GET', '/api/v1/campaigns/main/grids?limit=1')).body;
  const second = (await lead.json('GET', `/api/v1/campaigns/main/grids?limit=1&after=${first.next}`)).body;
  assert.deepEqual([...first.items, ...second.items].map((g) => g.cells).sort((a, b) => a - b), [SMALL, FULL]);
  assert.equal(second.next, null);
  assert.match(await lead.page('/campaigns/main?show=complete'), /No such grid/);
});

test('a grid that was lent and not answered', async (t) => {
  const { client } = await startStudy(t);
  const lead = await new Client(client.url).login('lead');
  await lease(client, 'ann', SMALL);
  const { id } = (await lead.json('GET', '/api/v1/campaigns/main/grids')).body.items.find((g) => g.cells === SMALL);
  const grid = (await lead.json('GET', `/api/v1/grids/${id}`)).body;
  assert.deepEqual([grid.assignments[0].state, grid.assignments[0].controls, grid.summary], ['leased', null, null]);
  assert.match(await lead.page(grid.assignments[0].url), /, not\s+answered yet/);
  assert.match(await lead.page(`/campaigns/main/grids/${id}`), /no answer/);
});

const hashOf = (dir) => {
  const hash = createHash('sha256');
  for (const name of ['holdout.db', 'holdout.db-wal']) {
    const file = path.join(dir, name);
    if (fs.existsSync(file)) hash.update(fs.readFileSync(file));
  }
  return hash.digest('hex');
};

test('previews show the task and store nothing', async (t) => {
  const { dir, client } = await startStudy(t);
  const lead = await new Client(client.url).login('lead');
  const items = (await lead.json('GET', '/api/v1/campaigns/main/grids')).body.items;
  /* A checkpoint in the background may move bytes in some round; a preview that wrote would in all. */
  let untouched = false;
  for (let round = 0; round < 10 && !untouched; round++) {
    const before = hashOf(dir);
    for (const { id, cells } of items) {
      const html = await lead.page(`/campaigns/main/preview?grid=${id}`);
      const images = [...html.matchAll(/<label class="cell">.*?<img src="([^"]+)"/g)].map((m) => m[1]);
      assert.equal(images.length, cells);
      assert.ok(images.every((at) => /^\/images\/\d+\/grid$/.test(at)), images.join(' '));
      assert.equal((await lead.get(images[0])).headers.get('content-type'), 'image/jpeg');
    }
    assert.match(await lead.page('/campaigns/main/preview'), /data-preview/);
    assert.match(await lead.page('/campaigns/main/preview/start'), /Preview/);
    untouched = hashOf(dir) === before;
  }
  assert.ok(untouched, 'the database is the same, byte by byte');
  assert.equal((await lead.get('/campaigns/main/preview?grid=999')).status, 404);
  assert.equal((await lead.get('/campaigns/other/preview')).status, 404);
});

test('a draft shows its plan before it is opened', async (t) => {
  const { dir, client } = await startStudy(t);
  await must(['grids', dir, '--campaign', 'later', '--kind', 're-measurement', '--answers-per-grid', '10',
    '--grids-per-place', '2', '--max-share', '1', '--pay', '150', '--seed', '2']);
  const lead = await new Client(client.url).login('lead');
  const r = await lead.get('/campaigns/later');
  assert.deepEqual([r.status, r.headers.get('location')], [303, '/campaigns/later/plan']);
  const html = await lead.page('/campaigns/later/plan');
  const tile = (label) => new RegExp(`<dt>${label}</dt>\\s*<dd class="tile-value">([^<]*)`).exec(html)?.[1];
  const grids = Number(tile('Grids'));
  assert.ok(grids > 0);
  assert.equal(tile('People needed'), String(Math.ceil(grids * 10 / 2)));
  assert.equal(tile('Cost').trim(), (Math.ceil(grids * 10 / 2) * 1.5).toFixed(2));
  assert.equal(tile('Pay per hour').trim(), '6.00'); /* 1.50 for 15 minutes */
  assert.match(tile('Classes covered'), /^\d+ → \d+$/);
  assert.match(html, /too few originals/);
  assert.match(html, /action="\/campaigns\/later\/state\/open"/);
  assert.equal((await lead.post('/campaigns/later/state/open')).status, 303);
  assert.doesNotMatch(await lead.page('/campaigns/later'), /Classes covered/);
  assert.equal((await lead.get('/campaigns/later/plan')).headers.get('location'), '/campaigns/later');
});

/* The rail as text: "Group: entry, entry", a count behind its entry. */
const rail = (html) => /<ul class="areas">([^]*?)<\/nav>/.exec(html)[1].split('class="area-group"').slice(1).map((group) => {
  const name = /class="area-name"[^>]*>([^<]*)/.exec(group)?.[1];
  const entries = [...group.matchAll(/<a href[^>]*>([^]*?)<\/a>/g)].map((m) => m[1].replace(/<[^>]*>/g, '').trim());
  return (name ? `${name}: ` : '') + entries.join(', ');
});

test('the rail has groups, says each role its areas, and counts open flags', async (t) => {
  const { client } = await startStudy(t);
  const [expert, lead, boss] = await Promise.all(['expert', 'lead', 'keeper'].map((login) => new Client(client.url).login(login)));
  const { assignment } = await lease(client, 'ann');
  for (const position of [0, 1]) {
    const r = await client.json('POST', `/api/v1/assignments/${assignment}/flags`, { position, kind: 'other' });
    assert.equal(r.status, 200, JSON.stringify(r.body));
  }
  assert.deepEqual(rail(await expert.page('/sets')), ['Overview', 'Collect: Campaigns', 'Data: Classes, Images, Duplicates',
    'Labels: Label review, Training, Evaluations, Guide', 'Test sets: Sets, Picks, Vote views', 'Numbers: Models, Measures, Label sources', 'Project: Help']);
  const open = ['Overview', 'Collect: Campaigns, People, Flags 2 to decide, Decisions', 'Data: Classes, Images, Duplicates, Objects',
    'Labels: Label review, Training, Evaluations, Guide', 'Test sets: Sets, Picks, Vote views', 'Numbers: Models, Measures, Label sources, Label plans, Jobs', 'Project: History, Help'];
  assert.deepEqual(rail(await lead.page('/')), open);
  assert.equal(rail(await boss.page('/help')).at(-1), 'Project: History, Admin, Help');
  assert.match(await lead.page('/flags'), /<a href="\/classes\/n0000000\d">(apple|pear)<\/a>/);
  assert.match(await lead.page('/classes/n00000002'), /<nav class="crumbs"[^]*?<span>pear<\/span><\/nav>/);
  const [, image] = /action="\/flags\/(\d+)"/.exec(await lead.page('/flags'));
  assert.equal((await lead.post(`/flags/${image}`, { decision: 'clear', reason: '' })).status, 303);
  assert.equal(rail(await lead.page('/'))[1], 'Collect: Campaigns, People, Flags 1 to decide, Decisions');
});

test('what a campaign holds as files: links for leads, no command line', async (t) => {
  const { client } = await startStudy(t);
  const section = async (role) => {
    const page = await (await new Client(client.url).login(role)).page('/campaigns/main');
    return page.slice(page.indexOf('id="exports-head"'));
  };
  const lead = await section('lead');
  assert.match(lead, /<a href="\/campaigns\/main\/participants\.csv" download>/);
  assert.doesNotMatch(lead, /holdout export|<code>/);
  assert.doesNotMatch(await section('expert'), /participants\.csv/, 'only leads may open it');
});
