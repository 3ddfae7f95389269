/* Lists of classes and images: sorts and filters against doing the same here, pages that hold every
 * image exactly once while votes arrive, one image's page, what is refused. */
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { Client, must, newProject, startServer } from './lib.mjs';
import { FULL, WIDE, answer, join, lease, next, startStudy } from './study.mjs';

const ok = async (client, at) => {
  const r = await client.json('GET', at);
  assert.equal(r.status, 200, `${at}: ${JSON.stringify(r.body)}`);
  return r.body;
};

/* Somebody new answers one grid of the campaign, other cells each time. */
let people = 0;
async function vote(client, campaign) {
  const number = ++people;
  const grid = await next(client, await join(client, `voter-${number}`, campaign));
  const selected = Array.from({ length: grid.cells }, (_, i) => i).filter((i) => (i * 7 + number) % 3 === 0);
  const r = await answer(client, grid.assignment, { client_id: `voter-${number}-1`, selected });
  assert.equal(r.status, 200, JSON.stringify(r.body));
}

/* A project of images by name in two classes, with votes; the campaign takes more. */
async function large(t) {
  const dir = await newProject(t);
  await must(['generate', dir, '--images', '420', '--classes', '2', '--answers-per-grid', '1000', '--votes', '24000']);
  const server = await startServer(t, dir, { env: WIDE });
  const lead = await new Client(server.url).login('admin');
  return { dir, lead, worker: new Client(server.url) };
}

const link = (html, rel) => {
  const m = new RegExp(`href="([^"]+)" rel="${rel}"`).exec(html);
  return m ? m[1].replaceAll('&amp;', '&') : null;
};
const namesOf = (html) => [...html.matchAll(/<th scope="row" class="long mono"><a href="[^"]*">([^<]+)/g)].map((m) => m[1]);

test('every image stands on exactly one page while votes arrive', async (t) => {
  const { dir, lead, worker } = await large(t);
  const all = (await must(['export', 'frequencies', dir])).trim().split('\n').slice(1).map((l) => l.split(','));
  const wnid = all[0][1];
  for (const [start, list] of [
    ['/images?sort=frequency', '/api/v1/images'],
    ['/images?sort=answers&order=rising', '/api/v1/images'],
    [`/classes/${wnid}?sort=frequency&role=all&blacklist=all&near_duplicates=all&show=table`, `/api/v1/classes/${wnid}/frequencies`],
  ]) {
    const { total } = await ok(lead, `${list}?limit=1`);
    assert.ok(total > 250, 'some pages');
    const forward = [];
    let last = null;
    for (let at = start; at; ) {
      const html = await lead.page(at);
      forward.push(namesOf(html));
      last = at;
      at = link(html, 'next');
      await vote(worker, 'bench');
    }
    assert.equal(forward.flat().length, total, start);
    assert.equal(new Set(forward.flat()).size, total, start);
    /* Back again: the same pages, though more votes have come. */
    const back = [];
    for (let at = last; at; ) {
      const html = await lead.page(at);
      back.unshift(namesOf(html));
      at = link(html, 'prev');
      await vote(worker, 'bench');
    }
    assert.deepEqual(back, forward, start);
    assert.match(await lead.page(last), /Newer votes have arrived: show them/);
  }
});

test('the same for scripts, and for the order of classes', async (t) => {
  const dir = await newProject(t);
  await must(['generate', dir, '--images', '230', '--classes', '23', '--answers-per-grid', '1000', '--votes', '9600']);
  const server = await startServer(t, dir, { env: WIDE });
  const lead = await new Client(server.url).login('admin');
  const worker = new Client(server.url);
  for (const [start, key] of [['/api/v1/images?sort=frequency&limit=97', 'image'], ['/api/v1/classes?sort=candidates&limit=5', 'wnid'],
    ['/api/v1/classes?sort=answers&limit=5', 'wnid']]) {
    const items = [];
    let total = 0;
    for (let at = start; at; ) {
      const body = await ok(lead, at);
      items.push(...body.items.map((i) => i[key]));
      ({ next_url: at, total } = body);
      await vote(worker, 'bench');
    }
    assert.equal(items.length, total, start);
    assert.equal(new Set(items).size, total, start);
  }
});

/* ---- sorts and filters ---- */

const frequency = (i) => (i.n ? i.selected / i.n : null);
const SORTS = {
  id: (i) => i.id,
  name: (i) => i.image,
  frequency,
  answers: (i) => i.n,
  date: (i) => i.taken_at || null,
  sharpness: (i) => i.sharpness,
  brightness: (i) => i.brightness,
  saturation: (i) => i.saturation,
};

/* Unknown values last; equal frequencies by answers; then by id. */
function sorted(items, sort, falling) {
  const sign = falling ? -1 : 1;
  const by = (a, b) => (a === b ? 0 : a === null ? 1 : b === null ? -1 : a < b ? -sign : sign);
  const value = SORTS[sort];
  return [...items].sort((a, b) => by(value(a), value(b)) || (sort === 'frequency' ? by(a.n, b.n) : 0) || a.id - b.id);
}

const bin = (i) => (i.n ? String(Math.min(5, 1 + Math.floor((5 * i.selected) / i.n))) : 'none');
const ROLES = { candidates: 'candidate', originals: 'original', references: 'reference', gold: 'gold' };
const FILTERS = [
  ...Object.entries(ROLES).map(([word, role]) => [`role=${word}`, (i) => i.role === role]),
  ...['1', '2', '3', '4', '5', 'none'].map((b) => [`bin=${b}`, (i) => bin(i) === b]),
  ['answers=3', (i) => i.n >= 3],
  ['from=2005', (i) => i.taken_at >= '2005'],
  ['to=2005-06', (i) => i.taken_at && i.taken_at < '2005-07'],
  ['from=2004-02-10&to=2010-03-04', (i) => i.taken_at >= '2004-02-10' && i.taken_at < '2010-03-05'],
  ['bin=1,5', (i) => ['1', '5'].includes(bin(i))],
  ['bin=2&bin=none&bin=4', (i) => ['2', 'none', '4'].includes(bin(i))],
  ['least=0.25&most=0.5', (i) => i.n > 0 && frequency(i) >= 0.25 && frequency(i) <= 0.5],
  ['most=0.999', (i) => i.n > 0 && frequency(i) < 1],
  ['least=0&most=1&blacklist=without', () => true],
  ['blacklist=only', () => false],
  ['role=candidates&bin=1&answers=2', (i) => i.role === 'candidate' && bin(i) === '1' && i.n >= 2],
];

test('sorts and filters of images by name', async (t) => {
  const { lead } = await large(t);
  const { items, next: more } = await ok(lead, '/api/v1/images?limit=1000');
  assert.equal(more, null);
  assert.ok(items.some((i) => i.n === 0) && items.some((i) => i.n > 2));
  const ids = (list) => list.map((i) => i.id);
  for (const sort of Object.keys(SORTS)) {
    for (const order of ['rising', 'falling']) {
      const got = await ok(lead, `/api/v1/images?sort=${sort}&order=${order}&limit=1000`);
      assert.deepEqual(ids(got.items), ids(sorted(items, sort, order === 'falling')), `${sort} ${order}`);
    }
  }
  for (const [query, fits] of FILTERS) {
    const got = await ok(lead, `/api/v1/images?sort=name&${query}&limit=1000`);
    assert.deepEqual(ids(got.items), ids(sorted(items.filter(fits), 'name')), query);
    assert.equal(got.total, got.items.length);
  }
  for (const [query] of FILTERS.slice(0, 4)) {
    const own = await ok(lead, `/api/v1/classes/n00000001/frequencies?${query}&limit=1000`);
    assert.ok(own.items.every((i) => i.class === 1), query);
  }
});

test('statistics, flags and hidden images of drawn ones', async (t) => {
  const { client, server } = await startStudy(t, { env: { HOLDOUT_WORK_FLAGS_TO_QUARANTINE: '2', HOLDOUT_WORK_FLAGS_PER_PERSON: '100' } });
  const lead = await new Client(server.url).login('lead');
  const { items } = await ok(lead, '/api/v1/images?limit=1000');
  assert.ok(items.every((i) => i.pixels && i.sharpness >= 0 && i.brightness > 0));
  const ids = (list) => list.map((i) => i.id);
  for (const sort of ['sharpness', 'brightness', 'saturation']) {
    const got = await ok(lead, `/api/v1/images?sort=${sort}&order=rising&limit=1000`);
    const values = got.items.map((i) => i[sort]);
    assert.deepEqual(values, [...values].sort((a, b) => a - b), sort);
    assert.equal(new Set(ids(got.items)).size, items.length);
  }
  const gray = async (g) => (await ok(lead, `/api/v1/images?gray=${g}&limit=1000`)).items;
  assert.deepEqual(ids([...await gray(0), ...await gray(1)]).sort((a, b) => a - b), ids(items));

  /* Two people flag one image, one of them another; then a lead clears the first. */
  const { assignment } = await lease(client, 'ann', FULL);
  const other = await lease(client, 'bob', FULL);
  const flag = (a, position) => client.json('POST', `/api/v1/assignments/${a}/flags`, { position, kind: 'private', note: '<b>mine</b>' });
  for (let position = 0; position < FULL; position++) {
    assert.ok((await flag(assignment, position)).status < 300);
  }
  assert.ok((await flag(other.assignment, 0)).status < 300);
  /* Flags count once whoever sent them has answered. */
  for (const a of [assignment, other.assignment]) assert.ok((await answer(client, a)).status < 300);
  const state = async (word, more = '') => ok(lead, `/api/v1/images?state=${word}&limit=1000${more}`);
  const before = await state('hidden');
  assert.equal((await state('flagged')).total, FULL);
  assert.deepEqual(before.items.map((i) => i.hidden), [true]);
  const { id } = before.items[0];
  assert.equal((await lead.post(`/flags/${id}`, { decision: 'clear', reason: 'a "public" <place>' })).status, 303);
  assert.equal((await state('hidden')).total, 0);
  assert.equal((await state('flagged')).total, FULL);
  assert.equal((await state('hidden', `&as_of=${before.as_of}`)).total, 1, 'as of then it was');

  const html = await lead.page(`/images/${id}`);
  for (const text of ['decision: clear', 'a &quot;public&quot; &lt;place&gt;', 'flag: private', '&lt;b&gt;mine&lt;/b&gt;']) {
    assert.ok(html.includes(text), text);
  }
  const expert = await (await new Client(server.url).login('expert')).page(`/images/${id}`);
  assert.ok(!expert.includes('decision: clear') && !expert.includes('mine'), 'for leads alone');
});

/* ---- one image ---- */

test('one image: its frequencies, its grids, what is not there', async (t) => {
  const { client, server } = await startStudy(t);
  const lead = await new Client(server.url).login('lead');
  const { assignment } = await lease(client, 'ann', FULL);
  await answer(client, assignment, { selected: [...Array(FULL).keys()] });
  const { items } = await ok(lead, '/api/v1/classes/n00000002/frequencies?limit=1000');
  const one = items.find((i) => i.n === 1 && i.role === 'candidate');
  const html = await lead.page(`/images/${one.id}`);
  assert.ok(html.includes(one.image) && html.includes(one.text) && html.includes('1 of 1'));
  assert.match(html, /<a href="\/campaigns\/main\/grids\/\d+">/);
  assert.match(html, new RegExp(`src="/images/${one.id}/view"`));
  assert.match(html, /SHA-256<\/dt><dd class="name">[0-9a-f]{64}</);
  const reference = (await ok(lead, '/api/v1/images?role=references')).items[0];
  assert.match(await lead.page(`/images/${reference.id}`), /Not on any grid yet/);
  for (const at of ['/images/0', '/images/999999', '/images/x', '/images/1x', '/images/-1', '/images/99999999999999999999']) {
    assert.equal((await lead.get(at)).status, 404, at);
  }
  assert.equal((await lead.get(`/images/${one.id}?view=none`)).status, 404);
});

/* ---- classes ---- */

test('classes: sorts, filters, the page says the same', async (t) => {
  const dir = await newProject(t);
  await must(['generate', dir, '--images', '1100', '--classes', '110', '--votes', '24000']);
  const server = await startServer(t, dir, { env: WIDE });
  const lead = await new Client(server.url).login('admin');
  const { items, total } = await ok(lead, '/api/v1/classes?limit=1000');
  assert.equal(items.length, total);
  const last = (v) => (v === null ? Infinity : v);
  const values = {
    cid: (k) => k.cid, images: (k) => k.images, answers: (k) => k.answers, coverage: (k) => k.coverage.covered,
    originals: (k) => last(k.originals.frequency), candidates: (k) => last(k.candidates.frequency), difference: (k) => last(k.difference?.value ?? null),
  };
  for (const [sort, value] of Object.entries(values)) {
    for (const [order, sign] of [['rising', 1], ['falling', -1]]) {
      const got = await ok(lead, `/api/v1/classes?sort=${sort}&order=${order}&limit=1000`);
      const key = (k) => (value(k) === Infinity ? Infinity : sign * value(k));
      const expected = [...items].sort((a, b) => (key(a) === key(b) ? 0 : key(a) - key(b)) || a.cid - b.cid);
      assert.deepEqual(got.items.map((k) => k.cid), expected.map((k) => k.cid), `${sort} ${order}`);
    }
  }
  const few = (k, from) => k.histogram.target.some((n, i) => i >= from && k.histogram.candidates[i] < n);
  const only = {
    below: (k) => k.coverage.covered < k.coverage.target, 'no-originals': () => false,
    'short-top': (k) => few(k, 4), short: (k) => few(k, 0),
  };
  for (const [word, fits] of Object.entries(only)) {
    const got = await ok(lead, `/api/v1/classes?only=${word}&limit=1000`);
    assert.deepEqual(got.items.map((k) => k.cid), items.filter(fits).map((k) => k.cid), word);
  }
  for (const k of items) {
    assert.equal(k.histogram.target.reduce((a, b) => a + b, 0), k.histogram.originals.some((n) => n) ? 10 : 0);
    const d = k.difference;
    assert.ok(d === null || Math.abs(d.value - (k.originals.frequency - k.candidates.frequency)) < 1e-12);
    assert.ok(d === null || (d.lo < d.value && d.value < d.hi && d.lo >= -1 && d.hi <= 1), JSON.stringify(d));
  }
  const first = await lead.page('/classes?sort=difference');
  assert.match(first, /Page 1 of 2/);
  assert.match(first, /aria-sort="descending"/);
  assert.match(first, /Difference<\/a>[^]*[+\u2212]0\.\d\d<span class="brief muted">[+\u2212]\d\.\d\d to [+\u2212]\d\.\d\d</);
  assert.doesNotMatch(first, /\bGap\b/);
  const second = await lead.page(link(first, 'next'));
  const wnids = (html) => [...html.matchAll(/<td class="mono">(n\d+)</g)].map((m) => m[1]);
  const order = (await ok(lead, '/api/v1/classes?sort=difference&limit=1000')).items.map((k) => k.wnid);
  assert.deepEqual([...wnids(first), ...wnids(second)], order);
  assert.match(await lead.page('/classes?only=no-originals'), /No class matches/);
  await gridsOf(lead);
});

/* Its grids, page by page, against doing the same here. */
async function gridsOf(lead) {
  const { items } = await ok(lead, '/api/v1/campaigns/bench/grids?limit=1000');
  const complete = (g) => g.answers >= g.wanted;
  const ids = (list) => list.map((g) => g.id);
  const fewest = (sign) => items.toSorted((a, b) => sign * (a.answers - b.answers) || a.id - b.id);
  assert.ok(items.length > 100 && new Set(items.map((g) => g.answers)).size > 1);
  for (const [query, expected] of [['', items], ['order=falling', items.toReversed()], ['sort=answers', fewest(1)],
    ['sort=answers&order=falling', fewest(-1)], ['show=open&sort=answers', fewest(1).filter((g) => !complete(g))],
    ['show=complete', items.filter(complete)]]) {
    const listed = [];
    for (let at = `/campaigns/bench?${query}`; at;) {
      const html = await lead.page(at);
      listed.push(...[...html.matchAll(/<th scope="row" class="mono"><a href="\/campaigns\/bench\/grids\/(\d+)"/g)].map((m) => Number(m[1])));
      at = /href="([^"]+)#grids-head" rel="next"/.exec(html)?.[1].replaceAll('&amp;', '&');
    }
    assert.deepEqual(listed, ids(expected), query);
  }
}

/* ---- views ---- */

const VIEW = { name: 'slow', description: 'who took their time', kind: 'main', as_of: 'all', version: '0', do: 'save',
  rule: 'active-least', 'value-active-least': '20' };

test('lists under a named vote view', async (t) => {
  const { client, server } = await startStudy(t);
  const lead = await new Client(server.url).login('lead');
  for (const [i, seconds] of [30, 25, 2, 40, 1].entries()) {
    const { assignment } = await lease(client, `person-${i}`, FULL);
    const selected = Array.from({ length: FULL }, (_, j) => j).filter((j) => (j + i) % 3 === 0);
    await answer(client, assignment, { client_id: `client-${i}-y`, selected, active_ms: seconds * 1000 });
  }
  assert.equal((await lead.post('/views', VIEW)).status, 303);
  const csv = (await lead.page('/views/slow/frequencies.csv')).trim().split('\n').slice(1).map((l) => l.split(','));
  const expected = new Map(csv.map(([image, wnid, n, k]) => [`${image} ${wnid}`, [Number(n), Number(k)]]));
  const sums = { original: [0, 0], candidate: [0, 0] };
  let seen = 0;
  for (const wnid of ['n00000001', 'n00000002']) {
    const { items } = await ok(lead, `/api/v1/classes/${wnid}/frequencies?view=slow&limit=1000`);
    for (const i of items) {
      const [n, k] = expected.get(`${i.image} ${wnid}`) ?? [0, 0];
      assert.deepEqual([i.n, i.selected, i.view], [n, k, 'slow'], i.image);
      seen += n > 0;
      if (wnid === 'n00000002' && `n0000000${i.class}` === wnid && sums[i.role]) {
        sums[i.role][0] += n;
        sums[i.role][1] += k;
      }
    }
  }
  assert.equal(seen, [...expected.values()].filter(([n]) => n > 0).length);
  const [pear] = (await ok(lead, '/api/v1/classes?view=slow&q=n00000002')).items;
  for (const [role, f] of [['original', pear.originals], ['candidate', pear.candidates]]) {
    assert.deepEqual([f.n, f.selected], sums[role], role);
    assert.ok(f.lo <= f.frequency && f.frequency <= f.hi && f.lo < f.hi, JSON.stringify(f)); /* 0 and 1 may be had */
  }
  /* Two of five were fast; whose grid was of which class is drawn. Statistics may be two seconds old. */
  const votes = async (query) => (await ok(lead, `/api/v1/classes${query}`)).items.reduce((n, k) => n + k.candidates.n, 0);
  const slow = await votes('?view=slow');
  for (const deadline = Date.now() + 60000; await votes('') <= slow;) {
    assert.ok(Date.now() < deadline, `${await votes('')} votes without a filter, ${slow} with it`);
  }
  for (const at of ['/classes?view=slow', '/classes/n00000002?view=slow&show=cards', '/images?view=slow&sort=frequency', '/images/20?view=slow']) {
    assert.match(await lead.page(at), /Votes as counted by the view slow/, at);
  }
  assert.ok((await lead.page('/classes?view=slow')).includes('href="/classes/n00000002?view=slow"'));

  /* A page's links keep the moment under a view too. */
  const before = await ok(lead, '/api/v1/images?view=slow&sort=frequency&limit=20');
  const { assignment } = await lease(client, 'late', FULL);
  await answer(client, assignment, { client_id: 'client-late', selected: [0], active_ms: 60000 });
  const again = await ok(lead, `/api/v1/images?view=slow&sort=frequency&limit=20&as_of=${before.as_of}&images=${before.images}`);
  assert.deepEqual(again.items, before.items);
  assert.notDeepEqual((await ok(lead, '/api/v1/images?view=slow&sort=frequency&limit=20')).items, before.items);
});

/* ---- what is refused ---- */

test('parameters that lists do not know', async (t) => {
  const { client } = await startStudy(t);
  const lead = await new Client(client.url).login('lead');
  const wrong = ['sort=x', 'order=up', 'role=none', 'bin=6', 'gray=2', 'state=x', 'show=x', 'answers=-1', 'answers=x', 'as_of=-1',
    'as_of=99999999999999999999', 'images=-1', 'page=0', 'page=x', 'page=99999999999', 'from=yesterday', 'from=2013-13-01',
    'to=2013-05-11T10:00', 'bin=1,6', 'bin=5,targets,x', 'least=x', 'least=-0.1', 'most=1.01', 'most=nan', 'blacklist=x',
    'near_duplicates=x'];
  for (const at of ['/images', '/classes/n00000001', '/api/v1/images', '/api/v1/classes/n00000001/frequencies']) {
    for (const query of wrong) assert.equal((await lead.get(`${at}?${query}`)).status, 400, `${at}?${query}`);
    assert.equal((await lead.get(`${at}?view=none`)).status, 404);
  }
  for (const query of ['sort=x', 'order=up', 'only=x', 'as_of=-1', 'page=0', 'page=x']) {
    for (const at of ['/classes', '/api/v1/classes']) {
      assert.equal((await lead.get(`${at}?${query}`)).status, 400, `${at}?${query}`);
    }
  }
  assert.equal((await lead.json('GET', '/api/v1/images?sort=x')).body.code, 'list');
  /* What only a class has. */
  for (const query of ['near_duplicates=without', 'near_duplicates=only', 'bin=targets']) {
    assert.equal((await lead.get(`/images?${query}`)).status, 400, query);
    assert.equal((await lead.get(`/classes/n00000001?${query}`)).status, 200, query);
  }
  for (const query of ['originals=51', 'originals=-1', 'originals=x', 'others=-1', 'others=x', 'seen=x']) {
    assert.equal((await lead.get(`/classes/n00000001?${query}`)).status, 400, query);
  }
  assert.equal((await lead.get('/classes/none')).status, 404);
  /* Empty fields of a form, and pages behind the last, are fine. */
  assert.equal((await lead.get('/images?sort=&order=&role=&bin=&from=&to=&answers=&page=&view=')).status, 200);
  assert.match(await lead.page('/images?page=99999'), /Page 1 of 1/);
  assert.match(await lead.page('/images?as_of=999999999&images=999999'), /Page 1 of 1/);
  assert.match(await lead.page('/images?from=2013&sort=date'), /No image matches/);
});
