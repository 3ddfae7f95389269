/* What people answer about potential labels changes no number of others; plans, grids, candidates and CLASSIFY campaigns are made from
 * pages. That plans of a sealed set tell nothing about models: seal.test.mjs. */
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { sqlite } from '../load/tools.mjs';
import { Client, must, tempDir } from './lib.mjs';
import { SETS, WNIDS, addModels, writer } from './model_world.mjs';
import { fieldsOf, formsOf, leadsTo } from './page_forms.mjs';
import { answer, join, startStudy } from './study.mjs';

/* What pages say of when they were made, where they are, and secrets of a session. */
const plain = (text) => text.replace(/\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?Z?)?/g, 'WHEN').replace(/name="csrf" value="[^"]*"|csrf" content="[^"]*"/g, 'CSRF').replace(/127\.0\.0\.1:\d+/g, 'HERE').replace(/_ms":\d+/g, 'MS');
const query = async (dir, sql) => (await sqlite(`${dir}/holdout.db`, `.timeout 20000\n${sql}`)).trim();

/* Two people find every label in every image: each has several candidates. */
async function ask(w) {
  for (const person of ['ann', 'bob']) {
    const place = await join(w.client, person, 'found');
    for (;;) {
      const { body } = await w.client.json('POST', `/api/v1/places/${place}/next`);
      if (!body?.assignment) break;
      await answer(w.client, body.assignment, { client_id: `${person}-answer-${body.assignment.slice(0, 6)}`, selected: Array.from({ length: body.cells }, (_, at) => at) });
    }
  }
}

/* What the default view says, everywhere that says it. */
async function numbers(w, lead) {
  const out = {};
  for (const what of ['frequencies', 'classes', 'histograms', 'pool', 'views']) out[what] = await must(['export', what, w.dir]);
  for (const at of ['/api/v1/classes', '/api/v1/images?limit=200', ...WNIDS.flatMap((wnid) => [`/api/v1/classes/${wnid}/frequencies`, `/classes/${wnid}`, `/classes/${wnid}?role=negatives`]), '/classes', '/images']) {
    out[at] = plain(await (await lead.get(at)).text()).replace(/data-live[^>]*|"version":"[^"]*"|(as_of|event|cursor)=?"?:?\d+/g, '');
  }
  return out;
}

/* The plan's button of the form of a campaign, as a browser without scripts sends it. */
async function plan(lead, at, typed) {
  const form = formsOf(await lead.page(at)).find((f) => leadsTo(f, '/campaigns/new'));
  return lead.post('/campaigns/new', Object.fromEntries(fieldsOf(form, typed)));
}

async function job(lead, said) {
  assert.equal(said.status, 303, await said.text());
  const at = `/api/v1${said.headers.get('location').replace(/\?.*/, '')}`;
  for (;;) {
    const { body } = await lead.json('GET', at);
    if (!body.is_open) return body;
    await new Promise((resolve) => { setTimeout(resolve, 50); });
  }
}

/* From a plan's page to a draft, with the version that the page showed and what was worked out there. */
async function launched(w, lead) {
  const [, at] = /href="(\/campaigns\/new\?of=asked[^"]*)"/.exec(await lead.page('/label-plans/potential/asked?answers=3&people=500'));
  const done = await job(lead, await plan(lead, at.replaceAll('&amp;', '&').replaceAll('&#38;', '&'), { campaign: 'second', title: 'Again' }));
  assert.match(done.command, /grids.*--kind potential --potential asked\/1 --campaign second --title Again --answers-per-grid 3.*--people 500/);
  assert.deepEqual([done.state, done.result?.url], ['done', '/campaigns/second'], done.note);
  assert.equal((await lead.json('GET', '/api/v1/campaigns')).body.items.find((k) => k.name === 'second').state, 'draft');
  const many = await lead.page('/campaigns/new?of=asked&answers=3&people=12');
  assert.match(many, /Not possible/);
  assert.ok(!formsOf(many).some((f) => leadsTo(f, '/campaigns/new')), 'what cannot be done has no button');
}

/* A plan from labels of a file that is uploaded, without a model; a bad row is refused with its place. */
async function uploaded(w, lead) {
  const send = (labels, name = 'mine') => {
    const body = new FormData();
    for (const [field, value] of Object.entries({ csrf: lead.csrf, name, set: 'fresh', top: '5' })) body.append(field, value);
    body.append('labels', new Blob([labels]), '../mine.csv');
    return lead.fetch('/label-plans', { method: 'POST', body });
  };
  const [{ image, wnid }] = SETS.fresh, other = WNIDS.find((one) => one !== wnid);
  const made = await job(lead, await send(`image,wnid,source\n${image},${other},a person\n`));
  assert.deepEqual([made.state, made.result?.url], ['done', '/label-plans/potential/mine'], made.note);
  assert.deepEqual((await must(['export', 'potential', w.dir, 'mine'])).trim().split('\n').filter((row) => row.includes('person')), [`${image},${other},a person`]);
  assert.match(await lead.page('/label-plans/potential/mine'), /those of\s+mine-[0-9a-f]{8}\.csv/);
  const bad = await job(lead, await send(`image,wnid\n${image},${other}\nnobody,${other}\n`));
  assert.equal(bad.state, 'failed');
  assert.match(await lead.page(bad.url), /mine-[0-9a-f]{8}\.csv:3: there is no image nobody/);
  for (const [labels, name, says] of [['', 'mine', /Choose the models/], ['x', '../mine', /name must be/], [Buffer.from([0xff, 0xfe, 0]), 'mine', /no text in UTF-8/]]) {
    const r = await send(labels, name);
    assert.equal(r.status, 400, name);
    assert.match(await r.text(), says);
  }
}

/* A CLASSIFY campaign wholly from pages: what it takes, planned by a job, opened, answered. */
async function launchedTasks(w, lead, fu) {
  assert.ok(fu > 0);
  const at = '/campaigns/new?task=classify';
  const page = await lead.page(at);
  assert.match(page, new RegExp(`${fu} images and \\d+ checks`));
  assert.match(await lead.page('/label-plans/candidates/chosen'), /href="\/campaigns\/new\?task=classify(&#38;|&amp;|&)of=chosen\/1"/);
  assert.match(await lead.page(`${at}&one=9999`), /There are not so many images whose objects are known/);
  assert.match(await lead.page(`${at}&people=3`), /This takes \d+ different people, and 3 can be had/);
  for (const [fields, says] of [[{ campaign: 'found' }, /already a campaign/], [{ campaign: 'A b' }, /must be 1 to 64/], [{ campaign: 'fine', title: ' ' }, /read above the task/],
    [{ campaign: 'fine', of: 'nothing/7' }, /no plan of candidate labels/], [{ campaign: 'fine', task: 'both' }, /contains or classify/], [{ campaign: 'fine', pay: '-1' }, /pay/]]) {
    const r = await plan(lead, at, fields);
    assert.ok(r.status >= 400 && r.status < 500, JSON.stringify(fields));
    assert.match(await r.text(), says);
  }
  const easy = Number(/up to (\d+) images with one object \((\d+) easy/.exec(page.replace(/\s+/g, ' '))[2]);
  const done = await job(lead, await plan(lead, `${at}&of=chosen/1&answers=2&grids=50&one=${Math.min(easy, 1)}`, { campaign: 'objects', title: 'What is there?', 'none-of-these': 'true' }));
  assert.deepEqual([done.state, done.result?.url], ['done', '/campaigns/objects'], done.note);
  assert.match(await lead.page('/campaigns/objects/plan'), /one photo each/);
  assert.equal((await lead.post('/campaigns/objects/state/open', { was: 'draft' })).status, 303);
  const place = await join(w.client, 'zoe', 'objects');
  const { body: one } = await w.client.json('POST', `/api/v1/places/${place}/next`);
  assert.ok(one.options.length >= 2 && one.cells === 1, JSON.stringify(one));
  assert.equal((await answer(w.client, one.assignment, { client_id: 'zoe-answer', selected: [], main: undefined })).status, 200);
  const known = await query(w.dir, "SELECT count(*) FROM grid_cell c JOIN grid g ON g.id = c.grid JOIN campaign k ON k.id = g.campaign WHERE k.name = 'objects' AND c.role = 3;");
  assert.equal(Number(known), Math.min(easy, 1));
}

test('answers about potential labels change no number that others have', async (t) => {
  const study = await startStudy(t, { env: { HOLDOUT_JOBS_JOBS_AT_ONCE: '1' } }), file = writer(tempDir(t));
  const w = { ...study, file, run: (...args) => must([...args, '--quiet']) };
  await addModels(w.dir, file);
  const place = await join(w.client, 'eve');
  for (let i = 0; i < 2; i++) {
    const { body } = await w.client.json('POST', `/api/v1/places/${place}/next`);
    await answer(w.client, body.assignment, { client_id: `eve-answer-${i}`, selected: [3, 4, 5, 6] });
  }
  const lead = await new Client(w.server.url).login('lead');
  const before = await numbers(w, lead);
  await w.run('potential', 'freeze', w.dir, '--name', 'asked', '--set', 'fresh', '--models', 'sharp,dull');
  await w.run('grids', w.dir, '--kind', 'potential', '--campaign', 'found', '--potential', 'asked', '--answers-per-grid', '2', '--seed', '3', '--title', 'Find', '--max-share', '1', '--same-image-again', '--grids-per-place', '9', '--open');
  await ask(w);
  const [answers] = (await query(w.dir, "SELECT count(*) FROM answer w JOIN assignment a ON a.id = w.assignment JOIN grid g ON g.id = a.grid JOIN campaign k ON k.id = g.campaign WHERE k.kind = 'potential';")).split('\n');
  assert.ok(Number(answers) >= 4, answers);
  const after = await numbers(w, lead);
  for (const [at, text] of Object.entries(before)) assert.equal(after[at], text, at);
  await must(['check', w.dir]);
  /* They count where they are asked for: by pair, and frozen. */
  await w.run('candidates', 'freeze', w.dir, '--name', 'chosen', '--potential', 'asked', '--least', '1');
  const coverage = (await (await lead.get('/api/v1/label-plans/potential/asked/coverage.csv')).text()).trim().split('\n').slice(1).map((row) => row.split(','));
  assert.equal(coverage.length, 2 * SETS.fresh.length);
  assert.ok(coverage.every(([, , , shown]) => shown === '2'), 'every pair has its two answers');
  const page = await lead.page('/label-plans/potential/asked?answers=2');
  assert.match(page, new RegExp(`${2 * SETS.fresh.length} of ${2 * SETS.fresh.length} pairs have\\s+2 answers`));
  const { body } = await lead.json('GET', '/api/v1/label-plans/candidates/chosen');
  assert.equal(body.fu + body.easy + body.mis + body.amb, SETS.fresh.length);
  assert.equal(body.amb, 0);
  const stages = (await (await lead.get('/api/v1/label-plans/candidates/chosen/file.csv')).text());
  assert.equal(stages, await must(['export', 'candidates', w.dir, 'chosen']));
  for (const stage of ['fu', 'easy', 'mis', 'amb']) {
    const some = (await lead.json('GET', `/api/v1/label-plans/candidates/chosen?stage=${stage}`)).body.items;
    assert.deepEqual([some.length, some.every((row) => row.stage === stage)], [body[stage], true]);
    assert.match(await lead.page(`/label-plans/candidates/chosen?stage=${stage}`), some.length ? new RegExp(some[0].image) : /No image has this stage/);
  }
  /* Experts can be asked about what was found; a job makes that of the version that was shown. */
  const [head, ...lines] = stages.trim().split('\n').map((row) => row.split(','));
  const found = lines.flatMap((row) => row[head.indexOf('candidates')].split('+').filter(Boolean)).length;
  const asks = (await lead.json('GET', '/api/v1/label-reviews/new?name=x&set=fresh&candidates=chosen')).body;
  assert.deepEqual([asks.labels_of_contains, asks.labels_of_classify, asks.labels_of_sources], [found, 0, 0]);
  assert.equal((await lead.json('GET', '/api/v1/label-reviews/new?name=x&set=fresh&candidates=chosen/7')).status, 404);
  assert.match(await lead.page('/labels/new?candidates=chosen'), /name="candidates" value="chosen\/1"\s+checked/);
  const review = { name: 'found', set: 'fresh', candidates: 'chosen/1' };
  assert.match(await (await lead.post('/labels/new', { ...review, do: 'plan' })).text(), new RegExp(`Found by people</dt><dd>${found} `));
  assert.match((await job(lead, await lead.post('/labels/new', { ...review, do: 'make' }))).command, /label-review create.*--candidates chosen\/1/);
  assert.match(await lead.page('/labels/found'), /Candidate labels: chosen\/1/);
  const made = (await lead.json('GET', '/api/v1/label-reviews/found')).body;
  assert.deepEqual([made.candidates, made.sources], ['chosen/1', null]);
  /* Who saw an image before cannot be asked about it again: counted as the command counts it. */
  const most = Number(await query(w.dir, `SELECT max(n) FROM (SELECT count(*) AS n FROM assignment a JOIN grid_cell c ON c.grid = a.grid
    WHERE c.image IN (SELECT image FROM label_plan_image) GROUP BY c.image);`));
  const takes = (await lead.json('GET', '/api/v1/label-plans/potential/asked?answers=3&people=12')).body;
  assert.ok(most >= 2);
  assert.deepEqual([takes.seen, takes.way.people_of_image, takes.way.possible], [most, 2 * 3 + 9 + most, false]);
  assert.match(await lead.page('/label-plans/potential/asked'), new RegExp(`those who saw it before: up to ${most} people`));
  await launched(w, lead);
  await launchedTasks(w, lead, body.fu);
  await uploaded(w, lead);
});
