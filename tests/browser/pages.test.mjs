/* pages.test.mjs - every page that the route table serves, as each kind of visitor sees it, with
 * nothing, with drawn JPEGs, with too many rows and with names that are too long: in light and dark,
 * from 320 to 2560 px. With HOLDOUT_SHOTS=FOLDER every page as a picture, too. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';

import {
  Client, LONG, PASSWORD, SHOTS, accessible, fitsWidth, launch, must, openPage, sendForm, shot, tempDir,
} from './lib.mjs';
import { sqlite } from '../load/tools.mjs';
import { bigSite, demoSite, emptySite, oddSite } from './world.mjs';

const SIZES = [[320, 640], [360, 740], [768, 1024], [1440, 900], [2560, 1440]];
const THEMES = ['light', 'dark'];

/* HOLDOUT_LOOK=all takes the slow looks, accessibility and picture, at every size in both themes; HOLDOUT_LONG=1 takes
 * every size, and accessibility in both themes; otherwise pages take turns, and axe looks at every other one. */
const ALL = process.env.HOLDOUT_LOOK === 'all';
const AXE = ['light 360', 'dark 1440'];
const TURNS = [{ axe: ['dark 1440'], widths: [2560, 1440] }, { axe: ['dark 1440'], widths: [1440, 320] },
  { axe: ['light 360'], widths: [320, 360] }, { axe: ['light 360'], widths: [360, 768] }];
/* Printed (with a dark screen) in every run; with HOLDOUT_LOOK=all every page of leads is. */
const PAPER = ['overview-big', 'campaign', 'class', 'people', 'measures', 'measures-fit'];
const PICTURES = ['light 360', 'dark 1440'];

/* Routes that answer GET with something else than a page; and the page of a guess, which wants two sets of equal classes:
 * apart.test.mjs looks at it. */
const NO_PAGE = /^\/(api|charts|static)\/|^\/duplicates\/(next|beyond|originals)$|^\/guide\/picture\/|^\/(events|healthz|readyz|metrics)$|:(position|example|rendition)$|\/shown\/:place$|^\/(labels|training|evaluations)\/:[a-z]+\/(next|:position\/image)$|\/blind(\/:place)?$|\.csv$|\/pay\/:list$/;

async function clientOf(site, login) {
  const client = new Client(site.url);
  return login ? client.login(login) : client;
}

/* A worker's way through forms: the addresses of a place and of the grid it holds. */
async function worker(site, campaign, id) {
  const client = new Client(site.url);
  const joined = await client.json('POST', `/api/v1/campaigns/${campaign}/places`, { external_id: id });
  assert.equal(joined.status, 201, JSON.stringify(joined.body));
  const place = `/work/place/${joined.body.place}`; /* without a grid yet */
  const next = async () => (await client.post(`${place}/next`)).headers.get('location');
  /* Submits the grid that is held, with every cell selected whose number `which` likes. */
  const submit = async (grid, which) => {
    const clientId = /name="client_id" value="([^"]+)"/.exec(await client.page(grid))[1];
    const body = new URLSearchParams({ client_id: clientId });
    for (let i = 0; i < 48; i++) if (which(i)) body.append('cell', String(i));
    const r = await client.fetch(grid, { method: 'POST', body });
    assert.equal(r.status, 303, await r.text());
    return r.headers.get('location');
  };
  return { client, place, next, submit };
}

/* A CLASSIFY campaign of three images with four labels each, one answered; the addresses of its pages. */
async function classifying(site, folder) {
  const list = async (sql) => (await sqlite(`${site.dir}/holdout.db`, sql)).trim().split('\n');
  const wnids = await list('SELECT wnid FROM class ORDER BY cid LIMIT 4;');
  const images = await list("SELECT name FROM image WHERE role = 'candidate' AND source IS NOT NULL ORDER BY id LIMIT 3;");
  const tasks = path.join(folder, 'tasks.csv');
  fs.writeFileSync(tasks, `image,label,known\n${images.flatMap((image, i) => wnids.map((wnid, k) => `${image},${wnid},${i === 0 && k < 2 ? 1 : 0}\n`)).join('')}`);
  await must(['classify', site.dir, '--tasks', tasks, '--campaign', 'labels', '--open', '--max-share', '1', '--same-image-again', '--grids-per-place', '3']);
  const client = new Client(site.url);
  const joined = await client.json('POST', '/api/v1/campaigns/labels/places', { external_id: 'ticks' });
  assert.equal(joined.status, 201, JSON.stringify(joined.body));
  const next = async () => (await client.json('POST', `/api/v1/places/${joined.body.place}/next`)).body;
  const r = await client.json('POST', `/api/v1/assignments/${(await next()).assignment}/answer`, { client_id: 'ticks-answer', selected: [0, 2], main: 2 });
  assert.equal(r.status, 200, JSON.stringify(r.body));
  const [row] = await list("SELECT a.grid || ' ' || a.id FROM assignment a JOIN answer w ON w.assignment = a.id WHERE w.main IS NOT NULL ORDER BY w.id DESC LIMIT 1;");
  const [grid, assignment] = row.split(' ');
  return { grid, assignment, place: `/work/place/${joined.body.place}`, held: `/work/assignment/${(await next()).assignment}` };
}

const peopleOf = async (client, campaign) =>
  (await client.json('GET', `/api/v1/campaigns/${campaign}/participants`)).body.items;

/* Everything that is looked at: { name, site, at, as, status, post, broken }. `post` are the fields
 * of a form that is sent to `at`; `broken` allows images to be missing. */
async function listOf({ empty, demo, big, odd, folder }) {
  const labels = await classifying(demo, folder);
  const admin = await clientOf(demo, 'boss');
  await admin.post('/admin/invites', { password: PASSWORD, role: 'expert', note: 'Ada <Lovelace>' });
  const invite = `/invite/${admin.cookies.get('holdout_once').slice('invite.'.length)}`;
  admin.cookies.delete('holdout_once');
  await admin.post('/admin/tokens', { password: PASSWORD, name: 'nightly export of everything', role: 'expert', days: '30' });
  admin.cookies.delete('holdout_once');

  const fresh = await worker(demo, 'pictures', 'fresh');
  const left = await worker(demo, 'pictures', 'left');
  await left.submit(await left.next(), (i) => i < 3);
  assert.equal((await left.client.post(`${left.place}/leave`, { how: 'forget', sure: '1' })).status, 303);
  const holding = await worker(demo, 'pictures', 'holding');
  const grid = await holding.next();
  for (const kind of ['private', 'other']) {
    const r = await holding.client.post(`${grid}/flag`, { cell: '1', kind, note: 'my <aunt> & "dog"' });
    assert.equal(r.status, 303, await r.text());
  }
  const done = await worker(demo, 'two', 'done');
  for (let at = await done.next(); at.startsWith('/work/assignment/');) {
    at = await done.submit(at, (i) => i % 3 === 0);
  }
  const viewer = await clientOf(demo, 'lead');
  const grids = (await viewer.json('GET', '/api/v1/campaigns/two/grids')).body.items;
  const most = grids.reduce((a, b) => (b.answers > a.answers ? b : a)).id;
  const { assignments: [assignment] } = (await viewer.json('GET', `/api/v1/grids/${most}`)).body;
  const [oddGrid] = (await (await clientOf(odd, 'lead')).json('GET', '/api/v1/campaigns/long/grids')).body.items;
  const missing = await worker(odd, 'long', 'missing');
  const missingGrid = await missing.next();
  const stopped = await worker(odd, 'shut', 'stopped');
  const answered = await worker(odd, 'shut', 'answered');
  const kept = await answered.next();
  assert.match(await answered.submit(kept, () => false), /^\/work\//);
  const lead = await clientOf(odd, 'lead');
  assert.equal((await lead.post('/campaigns/shut/state/paused')).status, 303);

  const paid = await peopleOf(viewer, 'two');
  const notes = `/workers/${paid[0].pseudonym}/notes`;
  for (const [at, fields] of [
    [notes, { kind: 'block', text: 'selects <everything> & answers "no" by mail' }],
    [`/campaigns/two/participants/${paid[0].place}/pay`,
      { decision: 'reject', bonus: '1.5', reason: 'all 48 cells, in <every> grid' }],
  ]) {
    const r = await viewer.post(at, fields);
    assert.equal(r.status, 303, await r.text());
  }
  await worker(demo, 'pictures', 'gone');
  const gone = (await peopleOf(viewer, 'pictures')).at(-1);
  assert.equal((await viewer.post(`/workers/${gone.pseudonym}/forget`)).status, 303);
  const decision = await viewer.json('POST', '/api/v1/decisions',
    { people: [paid[0].pseudonym], value: 'out', reason: 'selects <everything> & more', reopen: true });
  assert.equal(decision.status, 201, JSON.stringify(decision.body));
  const decided = decision.body.decision.id;
  const voter = /\/workers\/p[0-9a-z]+/.exec(await (await clientOf(big, 'lead')).page('/workers'))[0];

  const VIEW = { description: 'Who <hurries> & who "disagrees" is left out', kind: 'main', version: '0', as_of: 'now',
    rule: 'relative-least', 'value-relative-least': '0' };
  for (const name of ['calm', 'x'.repeat(40)]) {
    const r = await (await clientOf(big, 'lead')).post('/views', { ...VIEW, name, do: 'save' });
    assert.equal(r.status, 303, await r.text());
  }

  await must(['near-metrics', demo.dir, 'small', '--kind', 'l2', '--size', '16', '--threshold', '2e5']);
  await must(['neighbors', demo.dir, '--metric', 'small', '--all', '--quiet']);
  const near = /href="(\/duplicates\/\d+)"/.exec(await viewer.page('/duplicates'))[1];

  /* Two leads review labels: they disagree about one image, another is problematic, a third is open. */
  await must(['label-review', 'create', demo.dir, 'mugs', '--set', 'originals', '--images', '9', '--random', '4', '--reviewers', '2', '--repeats', '0', '--suggest', 'random_features_64',
    '--again', '--seed', '3', '--experts', 'lead,boss']);
  for (const [who, verdict] of [[viewer, 'correct'], [admin, 'wrong']]) {
    for (const at of [0, 1]) {
      const said = (await who.json('GET', `/api/v1/label-reviews/mugs/items/${at}`)).body.labels.map(({ wnid }) => [wnid, at ? 'correct' : verdict]);
      const r = await who.json('POST', `/api/v1/label-reviews/mugs/items/${at}`,
        { verdicts: Object.fromEntries(said), comment: 'a <drawing>, or "so"', ...(at ? { problematic: 'drawing' } : {}) });
      assert.equal(r.status, 201, JSON.stringify(r.body));
    }
  }

  /* What the guide says of the first class, and how it relates to the second. */
  const [kind, cousin] = [...new Set([...(await admin.page('/classes')).matchAll(/\/classes\/(n\d{8})/g)].map((m) => m[1]))];
  const text = '# How to tell\n\nA *wide* one, never `thin`.\n\n- round\n- [its cousin](guide:' + cousin + ')\n\n> Seen from above, both look alike.\n\n![no](https://example.org/no.png)\n';
  for (const [version, was] of [[text, 0], [`${text}\nA <b>later</b> line, and a long${'long'.repeat(30)} word.\n`, -1]]) {
    assert.equal((await admin.json('POST', `/api/v1/guide/${kind}`, { text: version, reason: 'as "seen"', was })).status, 201);
  }
  await admin.json('POST', '/api/v1/guide/relations', { a: kind, b: cousin, kind: 'contains', note: 'every <one> of them' });

  /* A lead trains: one answer is right, one is wrong; of the other list nothing is answered. */
  const wnids = [...(await admin.page('/classes')).matchAll(/\/classes\/(n\d{8})/g)].map((m) => m[1]);
  for (const name of ['learn', 'fresh-eyes']) await must(['training', 'create', demo.dir, name, '--of', 'group', '--classes', [...new Set(wnids)].join(), '--set', 'originals', '--seed', '5', '--images', '24']);
  for (const at of [0, 1]) {
    const r = await viewer.json('POST', `/api/v1/training/learn/items/${at}`, { wnid: wnids[0] });
    assert.equal(r.status, 201, JSON.stringify(r.body));
    await viewer.json('POST', `/api/v1/training/learn/items/${at}/suggest`, { wnid: wnids[0], verdict: 'unclear', comment: 'a <drawing>, or "so"' });
  }

  /* An evaluation that one is through with, another that is begun, a third to choose among few classes. */
  const evaluate = (name, ...options) => must(['evaluation', 'create', demo.dir, name, '--original', 'originals', '--seed', '4', '--people', 'lead', ...options]);
  await evaluate('through', '--images', '2');
  for (let at; (at = (await viewer.json('GET', '/api/v1/evaluations/through/next')).body).position !== null;) {
    await viewer.json('POST', `/api/v1/evaluations/through/items/${at.position}`, { wnid: wnids[0], active_ms: 4000 });
  }
  await evaluate('begun', '--images', '4');
  await evaluate('few', '--images', '3', '--among');

  /* One of each end, and one that runs while it is looked at. */
  const startJob = async (args) => {
    const r = await viewer.json('POST', '/api/v1/jobs', { kind: 'stall', arguments: args });
    assert.equal(r.status, 202, JSON.stringify(r.body));
    return r.body;
  };
  const ended = async ({ id }) => {
    for (;;) {
      const job = (await viewer.json('GET', `/api/v1/jobs/${id}`)).body;
      if (!job.is_open) return job.url;
      await new Promise((resolve) => { setTimeout(resolve, 20); });
    }
  };
  await ended(await startJob({ steps: 1 }));
  const failed = await ended(await startJob({ fail: `<nowhere> & ${'far'.repeat(60)}`, say: `file ${'x'.repeat(180)}` }));
  const running = await startJob({ steps: 3, 'step-ms': 60000 });
  await startJob({ steps: 4, 'step-ms': 60000 });

  /* One set is reviewed by somebody who says a lot; another blindly. */
  const long = 's'.repeat(63);
  const photo = (n, kind = 'cand') => `${kind}-n00000001-${n}-photo`;
  const said = await lead.json('POST', '/api/v1/classes/n00000001/decisions', {
    revision: `${long}/0`, reviewed: true, problematic: true, near_duplicates: [[photo(1), photo(2), photo(0, 'val')]],
    images: [{ image: photo(0), banned: true, reason: 'other', note: `a <b>drawing</b> ${'of a shark '.repeat(30)}` }],
  }, { 'if-match': '*' });
  assert.equal(said.status, 201, JSON.stringify(said.body));
  assert.equal((await lead.post('/sets/under-construction/0/rounds', { originals: '50', repeats: '50' })).status, 303);
  const [{ id: shark }] = (await lead.json('GET', '/api/v1/classes/n00000001/frequencies?limit=1')).body.items;

  const nobody = '';
  return [
    ['login', demo, '/login', nobody],
    ['login-wrong', demo, '/login', nobody, { status: 401, post: { login: 'lead', password: 'wrong', next: '/classes' } }],
    ['invite', demo, invite, nobody],
    ['invite-short', demo, invite, nobody, { status: 400, post: { login: 'ada', new_password: 'short' } }],
    ['invite-taken', demo, invite, nobody, { status: 409, post: { login: 'lead', new_password: PASSWORD } }],
    ['invite-over', demo, '/invite/AAAAAAAAAAAAAAAAAAAAAA', nobody, { status: 404 }],
    ['error-401', demo, '/logout', nobody, { status: 401, post: {} }],
    ['error-403-role', demo, '/admin', 'expert', { status: 403 }],
    ['error-403-worker', demo, '/', 'worker', { status: 403 }],
    ['error-403-csrf', demo, '/logout', 'lead', { status: 403, post: { csrf: 'old' } }],
    ['error-404', demo, '/nothing/here', nobody, { status: 404 }],
    ['error-404-lead', demo, '/nothing/here', 'lead', { status: 404 }],
    ['error-405', demo, '/logout', 'lead', { status: 405 }],
    ['error-409', odd, '/campaigns/imported/state/open', 'lead', { status: 409, post: {} }],
    ['error-413', demo, '/login', nobody, { status: 413, post: { login: 'x'.repeat(20000) } }],

    ['overview', demo, '/', 'lead'],
    ['overview-empty', empty, '/', 'lead'],
    ['overview-big', big, '/', 'expert'],
    ['overview-odd', odd, '/', 'boss'],
    ['help', demo, '/help', 'lead'],
    ['help-worker', demo, '/help', 'worker'],
    ['help-lead', demo, '/help/lead', 'lead'],
    ['help-expert', demo, '/help/expert', 'expert'],
    ['help-numbers', demo, '/help/numbers', 'lead'],
    ['help-sets', demo, '/help/sets', 'lead'],
    ['help-models', demo, '/help/models', 'lead'],
    ['help-admin', demo, '/help/admin', 'boss'],
    ['help-none', demo, '/help/nothing', 'lead', { status: 404 }],
    ['work-help', demo, '/work/help', nobody],
    ['work-help-labels', demo, '/work/help?task=classify', nobody],
    ['work-labels-start', demo, '/work/campaign/labels', nobody],
    ['work-labels', demo, labels.held, nobody],
    ['work-labels-place', demo, labels.place, nobody],
    ['account', demo, '/account', 'boss'],
    ['account-worker', demo, '/account', 'worker'],
    ['account-wrong', demo, '/account/password', 'lead', { status: 403, post: { old_password: 'wrong', new_password: PASSWORD } }],
    ['admin', demo, '/admin', 'boss'],
    ['admin-empty', empty, '/admin', 'boss'],
    ['admin-invite', demo, '/admin/invites', 'boss', { post: { password: PASSWORD, role: 'lead', note: 'Grace' } }],
    ['admin-token', demo, '/admin/tokens', 'boss', { post: { password: PASSWORD, name: 'monitoring', role: 'worker', days: '1' } }],
    ['admin-wrong', demo, '/admin/accounts/2/disable', 'boss', { status: 403, post: { password: 'wrong' } }],
    ['campaigns', demo, '/campaigns', 'lead'],
    ['campaigns-empty', empty, '/campaigns', 'lead'],
    ['campaigns-odd', odd, '/campaigns', 'expert'],
    ['campaign-new', empty, '/campaigns/new', 'lead'],
    ['campaign-new-none', empty, '/campaigns/new?task=classify', 'lead'],
    ['campaign-new-potential', odd, `/campaigns/new?of=${'p'.repeat(63)}&people=20`, 'lead'],
    ['campaign-new-classify', odd, `/campaigns/new?task=classify&of=${'c'.repeat(63)}`, 'lead'],
    ['campaign-new-wrong', odd, '/campaigns/new', 'lead', { status: 400, post: { task: 'contains', campaign: 'not a name', title: '' } }],
    ['campaign', demo, '/campaigns/two', 'lead'],
    ['campaign-expert', demo, '/campaigns/pictures', 'expert'],
    ['campaign-big', big, '/campaigns/bench', 'lead'],
    ['campaign-long', odd, '/campaigns/long', 'lead'],
    ['campaign-draft', odd, '/campaigns/draft', 'lead'],
    ['campaign-paused', odd, '/campaigns/shut', 'lead'],
    ['campaign-imported', odd, '/campaigns/imported', 'lead'],
    ['campaign-plan', odd, '/campaigns/draft/plan', 'lead'],
    ['grid', demo, `/campaigns/two/grids/${most}`, 'lead'],
    ['grid-odd', odd, `/campaigns/long/grids/${oddGrid.id}`, 'lead'],
    ['grid-none', demo, '/campaigns/two/grids/999999', 'lead', { status: 404 }],
    ['assignment', demo, assignment.url, 'lead'],
    ['preview', demo, `/campaigns/two/preview?grid=${most}`, 'lead'],
    ['preview-start', demo, '/campaigns/two/preview/start', 'lead'],
    ['classify-campaign', demo, '/campaigns/labels', 'lead'],
    ['classify-grid', demo, `/campaigns/labels/grids/${labels.grid}`, 'lead'],
    ['classify-assignment', demo, `/campaigns/labels/assignments/${labels.assignment}`, 'lead'],
    ['classify-preview', demo, '/campaigns/labels/preview', 'lead'],
    ['flags', demo, '/flags', 'lead'],
    ['flags-all', demo, '/flags?show=all', 'lead'],
    ['flags-none', empty, '/flags', 'lead'],
    ['people', demo, '/workers', 'lead'],
    ['people-empty', empty, '/workers', 'lead'],
    ['people-sorted', big, '/workers?sort=relative&by=answers&least=1&page=2', 'lead'],
    ['people-big', big, '/workers', 'lead'],
    ['people-none', demo, '/workers?show=forgotten&q=%3Cnobody%3E', 'lead'],
    ['person', demo, `/workers/${paid[0].pseudonym}`, 'lead'],
    ['person-gone', demo, `/workers/${gone.pseudonym}`, 'lead'],
    ['person-big', big, voter, 'lead'],
    ['person-forget', demo, `/workers/${paid[0].pseudonym}/forget`, 'lead'],
    ['person-note-wrong', demo, notes, 'lead', { status: 400, post: { kind: 'block', text: '' } }],
    ['decisions', demo, '/decisions', 'lead'],
    ['decisions-empty', empty, '/decisions', 'lead'],
    ['decision', demo, `/decisions/${decided}`, 'lead'],
    ['decision-none', demo, '/decisions/999999', 'lead', { status: 404 }],
    ['decision-new', demo, `/decisions/new?person=${paid[0].pseudonym}&value=in`, 'lead'],
    ['decision-new-big', big, '/decisions/new?fit=people&value=out', 'lead'],
    ['decision-new-nobody', demo, '/decisions/new', 'lead'],
    ['decision-new-pay', demo, `/decisions/new?place=${paid[0].place}&value=approved`, 'lead'],
    ['decision-undo', demo, `/decisions/new?undo=${decided}`, 'lead'],
    ['decision-wrong', demo, '/decisions', 'lead', { status: 400, post: { person: paid[0].pseudonym, value: 'out', reason: '' } }],
    ['decision-changed', demo, '/decisions', 'lead', { status: 409, post: { person: paid[0].pseudonym, value: 'in', reason: 'was <wrong>', digest: '0' } }],
    ['participants', demo, '/campaigns/two/participants', 'lead'],
    ['participants-all', demo, '/campaigns/pictures/participants', 'lead'],
    ['participants-none', odd, '/campaigns/draft/participants', 'lead'],
    ['jobs', demo, '/jobs', 'lead'],
    ['jobs-empty', empty, '/jobs', 'lead'],
    ['job', demo, running.url, 'lead'],
    ['job-failed', demo, failed, 'lead'],
    ['job-none', demo, '/jobs/999999', 'lead', { status: 404 }],
    ['views', big, '/views', 'lead'],
    ['views-empty', empty, '/views', 'lead'],
    ['view', big, '/views/calm', 'lead'],
    ['view-people', big, '/views/calm?page=2', 'lead'],
    ['view-default', demo, '/views/default', 'lead'],
    ['view-nothing', empty, '/views/default', 'lead'],
    ['view-long', big, `/views/${'x'.repeat(40)}`, 'lead'],
    ['view-new', demo, '/views/new', 'lead'],
    ['view-new-empty', empty, '/views/new', 'lead'],
    ['view-edit', big, '/views/calm/edit', 'lead'],
    ['view-preview', big, '/views', 'lead', { post: { ...VIEW, name: 'calmer', do: 'preview' } }],
    ['view-wrong', big, '/views', 'lead', { status: 400, post: { ...VIEW, name: 'Not <Good>', do: 'save' } }],
    ['view-changed', big, '/views', 'lead', { status: 409, post: { ...VIEW, name: 'calm', version: '1', do: 'save' } }],
    ['view-none', demo, '/views/none', 'lead', { status: 404 }],
    ['history', demo, '/history', 'lead'],
    ['history-empty', empty, '/history?area=images', 'lead'],
    ['history-singles', big, '/history?singles=1&area=answers', 'lead'],
    ['history-person', demo, `/history?person=${paid[0].pseudonym}`, 'lead'],
    ['history-odd', odd, '/history?area=campaigns', 'lead'],
    ['history-wrong', demo, '/history?from=yesterday', 'lead', { status: 400 }],
    ['classes', demo, '/classes', 'lead'],
    ['classes-empty', empty, '/classes', 'lead'],
    ['classes-big', big, '/classes', 'lead'],
    ['classes-odd', odd, '/classes', 'lead'],
    ['classes-search', demo, '/classes?q=Feline', 'lead'],
    ['classes-none', demo, '/classes?q=%3Cnothing%20like%20this%3E', 'lead'],
    ['class', demo, '/classes/n02129604', 'lead'],
    ['class-filter', demo, '/classes/n02129604?role=originals', 'lead'],
    ['class-long', odd, '/classes/n00000001', 'lead'],
    ['class-one', odd, '/classes/n00000002', 'lead'],
    ['class-many', odd, '/classes/n00000003', 'lead'],
    ['class-none', odd, '/classes/n00000004', 'lead'],
    ['classes-difference', big, '/classes?sort=difference&only=short&page=2', 'lead'],
    ['class-cards', demo, '/classes/n02129604?show=cards&sort=date&answers=10', 'lead'],
    ['class-table', demo, '/classes/n02129604?show=table&role=all&blacklist=all&near_duplicates=all&originals=0', 'expert'],
    ['class-targets', demo, '/classes/n02129604?bin=targets&least=0.5', 'lead'],
    ['class-wrong', demo, '/classes/n02129604?bin=9', 'lead', { status: 400 }],
    ['duplicates', demo, '/duplicates', 'lead'],
    ['duplicates-empty', empty, '/duplicates', 'expert'],
    ['duplicates-quality', demo, '/duplicates/quality', 'lead'],
    ['duplicates-quality-empty', empty, '/duplicates/quality', 'expert'],
    ['duplicate', demo, near, 'expert'],
    ['duplicate-none', demo, '/duplicates/999999', 'lead', { status: 404 }],
    ['images', demo, '/images', 'lead'],
    ['images-cards', demo, '/images?show=cards&sort=sharpness&gray=1', 'lead'],
    ['images-empty', empty, '/images', 'lead'],
    ['images-big', big, '/images?sort=frequency&page=30&as_of=1', 'lead'],
    ['images-odd', odd, '/images', 'lead'],
    ['images-none', demo, '/images?from=1800&to=1801', 'lead'],
    ['objects', demo, '/objects', 'lead'],
    ['objects-empty', empty, '/objects', 'lead'],
    ['image', demo, '/images/3', 'lead'],
    ['image-expert', demo, '/images/3', 'expert'],
    ['image-odd', odd, '/images/8', 'lead'],
    ['image-none', demo, '/images/999999', 'lead', { status: 404 }],

    ['models', demo, '/models', 'lead'],
    ['models-empty', empty, '/models', 'lead'],
    ['models-odd', odd, '/models?sort=change&scale=logit', 'expert'],
    ['models-sealed', odd, '/models?new=under-construction', 'lead', { status: 403 }],
    ['model', demo, '/models/random_features_64', 'lead'],
    ['model-sources', demo, '/models/random_features_64/sources?set=originals', 'lead'],
    ['model-odd', odd, `/models/${'m'.repeat(63)}`, 'lead'],
    ['model-in-words', odd, `/models/speaker@by_wnid?set=${'s'.repeat(63)}`, 'lead'],
    ['model-texts', odd, `/models/speaker@by_wnid/texts?set=${'s'.repeat(63)}`, 'lead'],
    ['model-texts-said', odd, `/models/speaker/texts?set=${'o'.repeat(63)}`, 'expert'],
    ['model-texts-none', odd, '/models/partial/texts', 'lead', { status: 404 }],
    ['model-none', demo, '/models/none', 'lead', { status: 404 }],
    ['guide', demo, '/guide?q=a', 'expert'],
    ['guide-odd', odd, '/guide', 'expert'],
    ['guide-empty', empty, '/guide', 'expert'],
    ['guide-print', demo, '/guide/print', 'expert'],
    ['guide-class', demo, `/guide/${wnids[0]}`, 'lead'],
    ['guide-none', demo, '/guide/none', 'expert', { status: 404 }],
    ['guide-edit', demo, `/guide/${wnids[0]}/edit`, 'expert'],
    ['guide-changed', demo, `/guide/${wnids[0]}/edit`, 'lead', { status: 412, post: { text: 'Mine.', reason: 'mine', was: '0', do: 'save' } }],
    ['guide-history', demo, `/guide/${wnids[0]}/history`, 'lead'],
    ['guide-pair', demo, `/guide/${wnids[0]}/with/${wnids.find((w) => w !== wnids[0])}`, 'expert'],
    ['guide-relations', demo, `/guide/${wnids[0]}/relations?class_query=a`, 'lead'],
    ['label-plans', odd, '/label-plans', 'lead'],
    ['label-plans-empty', empty, '/label-plans', 'lead'],
    ['potential-plan', odd, `/label-plans/potential/${'p'.repeat(63)}?people=20&answers=9`, 'lead'],
    ['candidate-plan', odd, `/label-plans/candidates/${'c'.repeat(63)}`, 'lead'],
    ['candidate-plan-none', odd, `/label-plans/candidates/${'c'.repeat(63)}?stage=mis`, 'lead'],
    ['label-reviews', demo, '/labels', 'lead'],
    ['label-reviews-none', empty, '/labels', 'expert'],
    ['training', demo, '/training', 'lead'],
    ['training-none', empty, '/training', 'expert'],
    ['training-list', demo, '/training/learn', 'lead'],
    ['training-list-none', demo, '/training/none', 'lead', { status: 404 }],
    ['training-item', demo, '/training/learn/2', 'lead'],
    ['training-item-told', demo, '/training/learn/0', 'lead'],
    ['training-item-found', demo, '/training/learn/2', 'lead', { post: { class_query: 'a', do: 'find', seen: 0 } }],
    ['label-review', demo, '/labels/mugs', 'lead'],
    ['label-review-none', demo, '/labels/none', 'lead', { status: 404 }],
    ['label-agreement', demo, '/labels/mugs/agreement', 'lead'],
    ['label-images', demo, '/labels/mugs/images', 'lead'],
    ['label-images-classes', demo, '/labels/mugs/images?rows=classes', 'lead'],
    ['label-new', demo, '/labels/new', 'lead'],
    ['label-new-empty', empty, '/labels/new', 'lead'],
    ['label-new-plan', demo, '/labels/new', 'lead', { post: { name: 'planned', set: 'originals/0', suggest: 'random_features_64', experts: 'boss', do: 'plan' } }],
    ['label-new-wrong', demo, '/labels/new', 'lead', { status: 400, post: { name: 'planned', set: 'originals/0', reviewers: 'ten', do: 'plan' } }],
    ['label-item', demo, '/labels/mugs/2', 'boss'],
    ['label-item-saved', demo, '/labels/mugs/0', 'boss'],
    ['label-item-found', demo, '/labels/mugs/2', 'boss', { post: { class_query: 'a', do: 'find' } }],
    ['label-item-wrong', demo, '/labels/mugs/2', 'boss', { status: 400, post: { problematic: 'other', do: 'save' } }],
    ['label-adjudicate', demo, '/labels/mugs/adjudicate/0', 'lead'],
    ['evaluations', demo, '/evaluations', 'lead'],
    ['evaluations-none', empty, '/evaluations', 'lead'],
    ['evaluations-expert', empty, '/evaluations', 'expert'],
    ['evaluation', demo, '/evaluations/through', 'lead'],
    ['evaluation-begun', demo, '/evaluations/begun', 'lead'],
    ['evaluation-item', demo, '/evaluations/begun/0', 'lead'],
    ['evaluation-item-found', demo, '/evaluations/begun/0', 'lead', { post: { class_query: 'a', do: 'find' } }],
    ['evaluation-item-wrong', demo, '/evaluations/begun/0', 'lead', { status: 400, post: { do: 'save' } }],
    ['evaluation-item-among', demo, '/evaluations/few/0', 'lead'],
    ['label-sources', odd, `/label-sources?set=${'o'.repeat(63)}`, 'lead'],
    ['label-sources-empty', empty, '/label-sources', 'expert'],
    ['label-source', odd, `/label-sources/${'l'.repeat(63)}?set=${'o'.repeat(63)}`, 'expert'],
    ['label-source-reviews', odd, `/label-sources/reviewed?set=${'o'.repeat(63)}`, 'lead'],
    ['label-source-sealed', odd, '/label-sources/reviewed?set=under-construction', 'lead'],
    ['models-labels', odd, `/models?original=${'o'.repeat(63)}&new=${'o'.repeat(63)}&new_labels=reviewed:lenient`, 'expert'],
    ['measures', demo, '/measures', 'lead'],
    ['measures-named', demo, '/measures?models=random_features_64,random_features_32&top=5', 'expert'],
    ['measures-odd', odd, '/measures', 'lead'],
    ['measures-classes', demo, '/measures/classes', 'lead'],
    ['measures-classes-one', demo, '/measures/classes?models=random_features_64&show=standing-out', 'expert'],
    ['measures-plans', demo, '/measures/plans', 'lead'],
    ['measures-subsets', demo, '/measures/subsets', 'lead'],
    ['measures-subsets-odd', odd, '/measures/subsets', 'expert'],
    ['measures-subset-odd', odd, `/measures/subsets/${'s'.repeat(63)}`, 'lead'],
    ['measures-label-errors', demo, '/measures/label-errors', 'lead'],
    ['measures-label-errors-empty', empty, '/measures/label-errors', 'expert'],
    ['measures-images', demo, '/measures/images', 'lead'],
    ['measures-images-missed', demo, '/measures/images?show=missed&sort=disagreement&top=5', 'expert'],
    ['measures-images-empty', empty, '/measures/images', 'expert'],
    ['measures-images-labels', odd, `/measures/images?set=${'o'.repeat(63)}&labels=${'l'.repeat(63)}`, 'expert'],
    ['measures-confusions', demo, '/measures/confusions', 'expert'],
    ['measures-confusions-odd', odd, '/measures/confusions', 'expert'],
    ['measures-confusions-empty', empty, '/measures/confusions', 'expert'],
    ['measures-class', demo, '/measures/classes/n02129604?set=originals', 'expert'],
    ['measures-class-odd', odd, `/measures/classes/n00000001?set=${'o'.repeat(63)}&labels=${'l'.repeat(63)}`, 'expert'],
    ['measures-said', demo, '/measures/said', 'expert'],
    ['measures-said-empty', empty, '/measures/said', 'expert'],
    ['measures-valid', demo, '/measures/valid?by=people', 'lead'],
    ['measures-valid-odd', odd, `/measures/valid?set=${'o'.repeat(63)}&labels=${'l'.repeat(63)}`, 'expert'],
    ['measures-cooccurrence', odd, `/measures/cooccurrence?set=${'o'.repeat(63)}`, 'expert'],
    ['measures-cooccurrence-none', demo, '/measures/cooccurrence', 'expert'],
    ['measures-cooccurrence-empty', empty, '/measures/cooccurrence', 'expert'],
    ['measures-pairs', odd, `/measures/pairs?set=${'o'.repeat(63)}&labels=${'m'.repeat(63)}`, 'expert'],
    ['measures-pairs-none', demo, '/measures/pairs', 'expert'],
    ['measures-superclasses', odd, '/measures/superclasses', 'lead'],
    ['measures-people', odd, '/measures/people', 'expert'],
    ['measures-people-none', demo, '/measures/people', 'lead'],
    ['measures-statistics', demo, '/measures/statistics', 'lead'],
    ['measures-classes-empty', empty, '/measures/classes', 'expert'],
    ['measures-adjusted', demo, '/measures/adjusted', 'lead'],
    ['measures-corrected', demo, '/measures?bins=corrected', 'lead'],
    ['measures-corrected-odd', odd, '/measures?bins=corrected', 'expert'],
    ['measures-adjusted-odd', odd, '/measures/adjusted?subset=near-duplicates', 'expert'],
    ['measures-adjusted-empty', empty, '/measures/adjusted', 'expert'],
    ['measures-difficulty', demo, '/measures/difficulty?spread=1.5', 'lead'],
    ['measures-difficulty-empty', empty, '/measures/difficulty?true_shift=4&true_spread=0', 'expert'],
    ['measures-fit', demo, '/measures/fit', 'lead'],
    ['measures-fit-odd', odd, '/measures/fit?scale=probit&by=family', 'expert'],
    ['measures-fit-empty', empty, '/measures/fit', 'expert'],
    ['measures-empty', empty, '/measures', 'expert'],
    ['measures-sealed', odd, '/measures?new=under-construction', 'lead', { status: 403 }],
    ['sets', odd, '/sets', 'lead'],
    ['sets-empty', empty, '/sets', 'expert'],
    ['set', odd, `/sets/${'s'.repeat(63)}`, 'lead'],
    ['revision', demo, '/sets/originals/0?class=n02129604', 'lead'],
    ['revision-sealed', odd, '/sets/under-construction/0?from=46', 'lead'],
    ['review', odd, '/sets/under-construction/0/review', 'lead'],
    ['review-long', odd, `/sets/${long}/0/review?only=bad`, 'expert'],
    ['review-class', demo, '/sets/originals/0/n02129604', 'expert'],
    ['review-class-long', odd, `/sets/${long}/0/n00000001?seen=0`, 'expert'],
    ['review-blind', odd, '/sets/under-construction/0/n00000003', 'lead'],
    ['review-changed', odd, '/classes/n00000001/decisions', 'expert', { status: 412, post: {
      seen: '0', flags: '1', problematic: '1', [`was-${shark}`]: '||', [`reason-${shark}`]: 'class', near: `${photo(3)} ${photo(4)}` } }],
    ['bias-none', odd, '/sets/under-construction/0/bias', 'lead'],
    ['differences', demo, '/sets/originals/0/differences?original=all&stat=sharpness', 'expert'],
    ['discriminator-none', odd, `/sets/${'s'.repeat(63)}/0/discriminator?features=${'m'.repeat(63)}`, 'expert'],
    ['discriminator-sealed', odd, '/sets/under-construction/0/discriminator', 'lead', { status: 403 }],
    ['which-none', odd, `/sets/${'s'.repeat(63)}/0/blind`, 'expert', { status: 404 }],
    ['differences-none', odd, '/sets/under-construction/0/differences', 'lead'],
    ['picks', demo, '/picks', 'lead'],
    ['picks-empty', empty, '/picks', 'expert'],
    ['picks-odd', odd, '/picks', 'lead'],
    ['picks-class', demo, '/picks/n02129604', 'lead'],
    ['picks-all', demo, '/picks/n02129604?show=all&originals=all', 'expert'],
    ['picks-long', odd, '/picks/n00000001', 'lead'],
    ['picks-none', demo, '/picks/n02129604?keyword=none%20of%20these', 'lead', { status: 404 }],
    ['revision-audit', odd, '/sets/under-construction/0/audit?answers=99', 'lead'],
    ['revision-diff', odd, `/sets/under-construction/diff?a=${'s'.repeat(63)}`, 'lead'],
    ['sample', empty, '/sets/new', 'lead'],
    ['sample-none', empty, '/sets/new?set=none&do=plan', 'lead', { status: 400 }],
    ['sample-plan', odd, '/sets/new?set=long&strategy=top&answers=1&do=plan', 'lead'],
    ['sample-plan-big', big, '/sets/new?set=big&strategy=matched&answers=1&original-answers=1&do=plan&classes=all', 'expert'],

    ['study', demo, '/campaigns/two/study', 'lead'],
    ['study-long', odd, '/campaigns/long/study', 'lead'],
    ['study-wrong', demo, '/campaigns/two/study', 'lead', { status: 400, post: { return_url: 'javascript:alert(1)', source: '<b>' } }],
    ['study-consent-wrong', demo, '/campaigns/two/study/consent', 'lead', { status: 400, post: { consent_text: ' ', consent_version: '<b>' } }],
    ['study-imported', odd, '/campaigns/imported/study', 'lead', { status: 404 }],
    ['work-start', demo, '/work/campaign/pictures?PROLIFIC_PID=abc', nobody],
    ['work-start-long', odd, '/work/campaign/long', nobody],
    ['work-start-paused', odd, '/work/campaign/shut', nobody],
    ['work-start-none', demo, '/work/campaign/none', nobody, { status: 404 }],
    ['work-join-paused', odd, '/work/campaign/shut', nobody, { status: 409, post: { worker: 'late' } }],
    ['work-declined', demo, '/work/campaign/pictures/declined', nobody],
    ['work-leave', demo, `${fresh.place}/leave`, nobody],
    ['work-leave-unsure', demo, `${fresh.place}/leave`, nobody, { status: 400, post: { how: 'forget' } }],
    ['work-leave-done', demo, `${done.place}/leave`, nobody],
    ['work-left', demo, left.place, nobody],
    ['work-place', demo, fresh.place, nobody],
    ['work-place-holding', demo, holding.place, nobody],
    ['work-place-done', demo, done.place, nobody],
    ['work-place-paused', odd, answered.place, nobody],
    ['work-place-paused-new', odd, stopped.place, nobody],
    ['work-grid', demo, grid, nobody],
    ['work-grid-missing', odd, missingGrid, nobody, { broken: true }],
    ['work-grid-wrong', demo, grid, nobody, { status: 400, post: { client_id: 'short', cell: '0' } }],
    ['work-flag', demo, `${grid}/flag?position=3`, nobody],
    ['work-flag-sent', demo, `${grid}/flag?sent=1`, nobody],
    ['work-flag-missing', odd, `${missingGrid}/flag`, nobody, { broken: true }],
    ['work-flag-wrong', demo, `${grid}/flag`, nobody, { status: 400, post: { kind: 'other', note: 'which?' } }],
    ['work-grid-unknown', demo, '/work/assignment/AAAAAAAAAAAAAAAAAAAAAA', nobody, { status: 404 }],
  ].map(([name, site, at, as, more = {}]) => ({ name, site, at, as, status: 200, ...more }));
}

/* Entries of one site and one login each: they share a page. */
function byVisitor(list) {
  const groups = new Map();
  for (const e of list) {
    const key = `${e.site.url} ${e.as}`;
    groups.set(key, [...(groups.get(key) ?? []), e]);
  }
  return [...groups.values()].sort((a, b) => b.length - a.length);
}

/* The browser reports a reply that is an error as an error of the page; the one looked at may be. */
function noOtherProblems(page, { status, broken, at, site }) {
  const asked = new URL(at, site.url).href;
  const photos = asked.replace(/\/flag$/, '/'); /* a report shows its grid's */
  assert.deepEqual(page.problems.filter((p) => {
    const [, got, url] = /Failed to load resource.* status of (\d+) .* (\S+)$/.exec(p) ?? [];
    return !(Number(got) === status && url === asked) && !(broken && got === '404' && url.startsWith(photos));
  }), []);
}

async function checkOnce(page, { broken }) {
  const got = await page.evaluate(() => ({
    lang: document.documentElement.lang,
    title: document.title,
    headings: [...document.querySelectorAll('h1')].map((h) => h.innerText.trim()),
    mains: document.querySelectorAll('main#main').length,
    ids: [...document.querySelectorAll('[id]')].map((e) => e.id),
    broken: [...document.images].filter((i) => i.hasAttribute('src') && i.complete && i.naturalWidth === 0).map((i) => i.src),
  }));
  assert.equal(got.lang, 'en');
  assert.match(got.title, /^\S.* · \S/);
  assert.equal(got.headings.length, 1);
  assert.ok(got.headings[0].length > 0);
  assert.equal(got.mains, 1);
  assert.deepEqual(got.ids.filter((id, i) => got.ids.indexOf(id) !== i), [], 'ids are unique');
  if (!broken) assert.deepEqual(got.broken, [], 'images that did not load');
}

/* Tables that are broader than their box, scrolled to their end: the heads of rows that are then not in view. */
const lostHeads = (page) => page.evaluate(() => [...document.querySelectorAll('.table-wrap')].flatMap((wrap) => {
  if (wrap.scrollWidth <= wrap.clientWidth + 1 || wrap.offsetParent === null || getComputedStyle(wrap).overflowX === 'visible') return [];
  wrap.scrollLeft = wrap.scrollWidth;
  const box = wrap.getBoundingClientRect();
  const row = wrap.querySelector('tbody th[scope="row"]');
  const found = row && row.getBoundingClientRect().left >= box.left - 1 && row.getBoundingClientRect().right <= box.right + 1;
  wrap.scrollLeft = 0;
  return row && !found ? [wrap.id] : [];
}));

/* As on A4 between its margins. */
async function print(page, { name }) {
  await page.setViewportSize({ width: 680, height: 960 });
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
  await accessible(page);
  await shot(page, `${name}-print`, { fullPage: ALL });
  await page.emulateMedia({ media: 'screen' });
}

let turn = 0;

/* What stands around a page is the same for one visitor: axe looks at it once, then at what the page has of its own;
 * colours, which are a few variables of the theme, on every third page. */
async function check(page, entry, csrf, first) {
  const contrast = ALL || LONG || turn % 3 === 0;
  const every = ALL || LONG || first || turn % 2 === 0;
  const { axe: looked, widths } = TURNS[Math.floor(turn++ / 2) % TURNS.length];
  const sizes = SIZES.filter(([width]) => ALL || LONG || SHOTS || widths.includes(width));
  if (sizes.length === widths.length) sizes.sort(([a], [b]) => widths.indexOf(a) - widths.indexOf(b));
  page.problems.length = 0;
  await page.emulateMedia({ colorScheme: 'light' });
  const reply = entry.post ? await sendForm(page, entry.at, { csrf, ...entry.post }) : await page.goto(entry.at);
  assert.equal(reply.status(), entry.status, `${entry.at}: ${await reply.text()}`);
  await checkOnce(page, entry);
  for (const [width, height] of sizes) {
    if (page.viewportSize().width !== width) await page.setViewportSize({ width, height });
    await fitsWidth(page);
    await page.evaluate(() => window.scrollTo(0, 0)); /* what has the focus may have scrolled it under the bar at the top */
    assert.deepEqual(await lostHeads(page), [], `${entry.at} at ${width} px: the first column stays`);
    for (const colorScheme of THEMES) {
      const look = `${colorScheme} ${width}`;
      const [axe, picture] = [ALL || (every && (LONG ? AXE : looked).includes(look)), SHOTS && (ALL || PICTURES.includes(look))];
      if (axe || picture) await page.emulateMedia({ colorScheme });
      if (axe) await accessible(page, { within: first || ALL || LONG ? null : 'main', contrast });
      if (picture) {
        await shot(page, `${entry.name}-${width}-${colorScheme}`, { fullPage: ALL });
      }
    }
  }
  if (ALL ? !/^work-/.test(entry.name) : PAPER.includes(entry.name)) await print(page, entry);
  noOtherProblems(page, entry);
}

async function pageRoutes() {
  const lines = (await must(['version', '--routes'])).split('\n').filter(Boolean);
  const routes = lines.map((line) => line.split(/\s+/)).filter(([method]) => method === 'GET');
  return routes.map(([, pattern]) => pattern).filter((pattern) => !NO_PAGE.test(pattern));
}

const fits = (pattern, at) =>
  new RegExp(`^${pattern.replace(/:[a-z]+/g, '[^/]+')}$`).test(at.replace(/\?.*/, ''));

test('every page, every size, light and dark', { concurrency: 2 }, async (t) => {
  const [browser, empty, demo, big, odd] = await Promise.all([
    launch(t), emptySite(t), demoSite(t, [['--campaign', 'two', '--grids-per-place', '2', '--pay', '120']]), bigSite(t), oddSite(t),
  ]);
  const list = await listOf({ empty, demo, big, odd, folder: tempDir(t) });
  const queue = byVisitor(list);
  const lane = async () => {
    for (let group = queue.shift(); group; group = queue.shift()) {
      const { site, as } = group[0];
      const { cookies, csrf } = await clientOf(site, as);
      const page = await openPage(browser, `${site.url}/login`, { cookies });
      for (const entry of group) await t.test(entry.name, () => check(page, entry, csrf, entry === group[0]));
      await page.context().close();
    }
  };
  await Promise.all([lane(), lane()]);
  await t.test('all routes that are pages were looked at', async () => {
    const routes = await pageRoutes();
    assert.ok(routes.length > 10);
    const seen = list.filter((e) => e.status === 200 && !e.post);
    assert.deepEqual(routes.filter((r) => !seen.some((e) => fits(r, e.at))), []);
  });
});
