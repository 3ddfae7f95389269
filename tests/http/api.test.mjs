/* The JSON API: what is refused and with which words, who holds what, what is over. */
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { Client, PASSWORD, faultBin, must, startServer } from './lib.mjs';
import { send } from './raw.mjs';
import { newWorld, routes, target } from './routes.mjs';
import { FULL, SMALL, WIDE, answer, join, lease, newStudy, newToken, next, startStudy } from './study.mjs';
import { FaultFile, sqlite, tempDir } from '../load/tools.mjs';

const HOUR = 3600e3;

/* RFC 9457 with a word that programs may rely on. */
function assertProblem(r, status, code) {
  assert.equal(r.status, status, JSON.stringify(r.body));
  assert.match(r.headers.get('content-type'), /^application\/problem\+json/);
  assert.deepEqual(Object.keys(r.body).sort(), ['code', 'detail', 'request', 'status', 'title', 'type']);
  assert.equal(r.body.status, status);
  assert.match(r.body.code, /^[a-z][a-z_-]*$/);
  assert.equal(String(r.body.request), r.headers.get('x-request-id'));
  for (const k of ['type', 'title', 'detail']) assert.ok(r.body[k].length > 0, k);
  if (code) assert.equal(r.body.code, code);
}

const bearer = (token) => ({ authorization: `Bearer ${token}` });

/* A body as it is. */
async function post(client, at, body, type = 'application/json') {
  const r = await client.fetch(at, { method: 'POST', body, headers: { 'content-type': type } });
  const text = await r.text();
  return { status: r.status, headers: r.headers, body: JSON.parse(text) };
}

/* The address says it all: any body that can be read is fine, and so is none. */
const NO_BODY = ['/api/v1/places/:place/next', '/api/v1/assignments/:assignment/extend', '/api/v1/decisions/:decision/continue',
  '/api/v1/jobs/:job/cancel'];

test('bodies that are not the JSON they should be', async (t) => {
  const world = await newWorld(await startStudy(t));
  const client = await new Client(world.url).login('admin');
  const json = routes.filter((r) => r.api && r.method === 'POST');
  assert.ok(json.length >= 4);
  const headers = { 'x-csrf-token': client.csrf };
  for (const route of json) {
    const at = await target(world, route);
    const send1 = async (body, type = 'application/json') => {
      const r = await client.fetch(at, { method: 'POST', body, headers: { ...headers, 'content-type': type } });
      return { status: r.status, headers: r.headers, body: JSON.parse(await r.text()) };
    };
    await t.test(route.name, async () => {
      for (const bad of ['{', '{"client_id":}', '[]', '"text"', '1', 'null', '{"a":1,"a":2}', '{} {}', "{'a':1}",
        '{"a":1,}', '{"a":"\xff"}', '{"a":"\\ud800"}', '{"a":1e999}', '{"a":99999999999999999999}',
        `{"a":${'['.repeat(3000)}`, '\0', '{"a":"\0"}']) {
        const latin1 = Buffer.from(bad, 'latin1');
        assertProblem(await send1(latin1), 400, 'json');
      }
      if (NO_BODY.includes(route.pattern)) return;
      assertProblem(await send1('client_id=x', 'application/x-www-form-urlencoded'), 415, 'content-type');
      assertProblem(await send1('{}', 'text/plain'), 415, 'content-type');
      assertProblem(await send1('{}', 'text/json'), 415, 'content-type');
      const bare = await send(world.url, 'POST', at, { body: '{}', headers: { Cookie: cookie(client), ...csrfLine(client) } });
      assert.equal(bare.status, 415, bare.body);
      const empty = await send(world.url, 'POST', at, { headers: { Cookie: cookie(client), ...csrfLine(client) } });
      assert.equal(empty.status, 415, empty.body);
    });
  }
});

const cookie = (client) => [...client.cookies].map(([k, v]) => `${k}=${v}`).join('; ');
const csrfLine = (client) => ({ 'X-CSRF-Token': client.csrf });

test('answers: members of the wrong kind', async (t) => {
  const { dir, client } = await startStudy(t);
  const { assignment } = await lease(client, 'ann', SMALL);
  const wrong = {
    selected: [undefined, null, 0, '0', {}, [null], ['0'], [0.5], [1.0e0 + 0.25], [true], [[0]], [-1], [48], [64], [2 ** 31],
      [2 ** 40], [0, 0], [3, 5, 3], [21, 22], [22], [47], Array.from({ length: 49 }, (_, i) => i)],
    client_id: [undefined, null, 1, '', 'short12', 'x'.repeat(65), 'with space', 'sla/sh-0000', 'umläut-0000',
      '😀😀😀😀😀😀😀😀', 'nul-\0-0000', ['client-0001']],
    active_ms: ['1', -1, 0.5, null, 24 * HOUR + 1, 1e15],
    device: ['phone', 1, [], null, { text: 'x'.repeat(1024) }],
  };
  const codes = { selected: 'mask', client_id: null, active_ms: 'active-ms', device: 'device' };
  for (const [name, values] of Object.entries(wrong)) {
    for (const value of values) {
      await t.test(`${name} ${JSON.stringify(value)?.slice(0, 40)}`, async () => {
        assertProblem(await answer(client, assignment, { [name]: value }), 400, codes[name]);
      });
    }
  }
  assert.equal(Number(await sqlite(`${dir}/holdout.db`, 'SELECT count(*) FROM answer WHERE assignment = '
    + "(SELECT max(id) FROM assignment);")), 0, 'none of them was stored');
  const good = await answer(client, assignment, {
    selected: [21, 0], active_ms: 24 * HOUR, client_id: 'A'.repeat(64), device: { columns: 8 }, more: 'ignored',
  });
  assert.deepEqual([good.status, good.body.status], [200, 'stored']);
});

test('the last of 48 cells counts, and every position means the cell that was shown there', async (t) => {
  const { dir, client } = await startStudy(t);
  const { assignment } = await lease(client, 'ann', FULL);
  assertProblem(await answer(client, assignment, { selected: [48] }), 400, 'mask');
  const all = Array.from({ length: 48 }, (_, i) => i);
  const good = await answer(client, assignment, { selected: all });
  assert.equal(good.status, 200, JSON.stringify(good.body));
  assert.equal(await sqlite(`${dir}/holdout.db`, `SELECT printf('%x', mask) FROM answer WHERE id = ${good.body.event};`),
    'ffffffffffff\n');
  const other = await lease(client, 'bob', FULL);
  const one = await answer(client, other.assignment, { selected: [47] });
  const bits = await sqlite(`${dir}/holdout.db`, `SELECT sum(mask >> value & 1) FROM answer, generate_series(0, 47) WHERE id = ${one.body.event};`);
  assert.equal(bits, '1\n');
});

test('the same client id is the same answer, another one is too late', async (t) => {
  const { dir, client } = await startStudy(t);
  const { assignment } = await lease(client, 'ann', SMALL);
  const first = await answer(client, assignment, { client_id: 'client-0001', selected: [1, 2] });
  assert.equal(first.status, 200);
  /* Whatever else it says: what was stored first is kept. */
  for (const members of [{ selected: [1, 2] }, { selected: [] }, { selected: [3], active_ms: 1 }]) {
    const again = await answer(client, assignment, { client_id: 'client-0001', ...members });
    assert.deepEqual([again.status, again.body], [200, first.body]);
  }
  assertProblem(await answer(client, assignment, { client_id: 'client-0002', selected: [1, 2] }), 409, 'already-answered');
  const rows = await sqlite(`${dir}/holdout.db`, `SELECT count(*), max(client_id) FROM answer WHERE id = ${first.body.event};`);
  assert.equal(rows, '1|client-0001\n');
});

test('a token opens its own grid or place and nothing else', async (t) => {
  const { client } = await startStudy(t);
  const ann = await lease(client, 'ann');
  const bob = await lease(client, 'bob');
  assert.notEqual(ann.assignment, bob.assignment);
  const again = await join(client, 'ann');
  assert.notEqual(again, ann.place, 'an id does not give the secret away');
  assert.equal((await next(client, again)).assignment, ann.assignment, 'the same person has the same place');
  for (const token of ['AAAAAAAAAAAAAAAAAAAAAA', 'x', 'A'.repeat(21), 'A'.repeat(23), '!!!!!!!!!!!!!!!!!!!!!!', ann.place,
    `${ann.assignment}=`, ann.assignment.toLowerCase(), "' OR 1=1 --".padEnd(22, '-')]) {
    assertProblem(await answer(client, encodeURIComponent(token)), 404);
  }
  for (const token of [ann.assignment, 'AAAAAAAAAAAAAAAAAAAAAA', 'x']) {
    assertProblem(await client.json('POST', `/api/v1/places/${token}/next`), 404);
  }
  assert.equal((await next(client, ann.place)).assignment, ann.assignment, 'still held');
  assert.equal((await next(client, bob.place)).assignment, bob.assignment);
  const page = await client.page(`/work/assignment/${bob.assignment}`);
  assert.ok(!page.includes(ann.assignment) && !page.includes(ann.place));
  assert.equal((await client.get(`/work/assignment/${ann.place}`)).status, 404);
  assert.equal((await client.get(`/work/place/${ann.assignment}`)).status, 404);
  /* Bob cannot give Ann's answer under Bob's number: client ids belong to their assignment. */
  const a = await answer(client, ann.assignment, { client_id: 'client-same' });
  const b = await answer(client, bob.assignment, { client_id: 'client-same' });
  assert.notEqual(a.body.event, b.body.event);
});

test('nothing about an image shows before it is answered, and nothing of others', async (t) => {
  const { client } = await startStudy(t);
  const { assignment, ...rest } = await lease(client, 'ann', SMALL);
  assert.deepEqual(Object.keys(rest).sort(), ['cells', 'done', 'lease_until', 'place', 'progress']);
  const page = await client.page(`/work/assignment/${assignment}`);
  for (const word of ['original', 'candidate', 'n00000001', 'n00000002', 'control', 'gold']) {
    assert.ok(!page.toLowerCase().includes(word), word);
  }
  const image = await client.get(`/work/assignment/${assignment}/21`);
  assert.equal(image.status, 200);
  assert.match(image.headers.get('content-type'), /^image\/jpeg/);
  assert.equal(image.headers.get('etag'), null, 'a tag of the content would show repetition');
  assert.equal(image.headers.get('last-modified'), null);
  for (const at of ['22', '48', '-1', '1x', '0.0', 'a', '99999999999999999999']) {
    assert.equal((await client.get(`/work/assignment/${assignment}/${at}`)).status, 404, at);
  }
});

test('joining: names, states of the campaign, places', async (t) => {
  const { dir, server, client } = await startStudy(t);
  const places = '/api/v1/campaigns/main/places';
  const bad = [{ external_id: 1 }, { external_id: null }, { source: [] }, { external_id: 'x'.repeat(129) },
    { source: 'x'.repeat(129) }, { key: 1 }, { parameters: [] }, { parameters: { a: 1 } }, { parameters: { a: 'x'.repeat(129) } }];
  for (const body of bad) assertProblem(await client.json('POST', places, body), 400);
  assertProblem(await client.json('POST', '/api/v1/campaigns/none/places', {}), 404, 'no-campaign');
  const twice = [await join(client, 'x'.repeat(128)), await join(client, 'x'.repeat(128))];
  assert.equal((await next(client, twice[0])).assignment, (await next(client, twice[1])).assignment, 'one place');
  const nameless = [await client.json('POST', places, {}), await client.json('POST', places, {})];
  assert.notEqual(nameless[0].body.place, nameless[1].body.place, 'nobody is not one person');

  const ann = await lease(client, 'ann');
  const bob = await join(client, 'bob');
  const lead = await new Client(server.url).login('lead');
  for (const state of ['paused', 'closed']) {
    assert.equal((await lead.post(`/campaigns/main/state/${state}`)).status, 303);
    assertProblem(await client.json('POST', places, { external_id: 'late' }), 409, 'campaign-not-open');
    const refused = await next(client, bob);
    assert.deepEqual([refused.done, refused.reason], [true, 'not-open']);
  }
  /* Who holds a grid may finish it, and it counts. */
  const kept = await answer(client, ann.assignment);
  assert.deepEqual([kept.status, kept.body.status], [200, 'stored']);
  assert.equal((await lead.post('/campaigns/main/state/draft')).status, 404);
  assert.equal((await lead.post('/campaigns/main/state/open')).status, 303);
  assert.equal((await next(client, bob)).done, false);
  await sqlite(`${dir}/holdout.db`, 'UPDATE campaign SET places = 3;');
  await server.stop();
  const again = await startServer(t, dir, { env: WIDE });
  const late = await new Client(again.url).json('POST', places, { external_id: 'one too many' });
  assertProblem(late, 409, 'study-full');
});

test('API tokens: made, listed, used, revoked, over with their account', async (t) => {
  const { dir, server } = await startStudy(t);
  const client = await new Client(server.url).login('expert');
  const bad = [{}, { name: 1 }, { name: '' }, { name: 'x'.repeat(1000) }, { name: 'x', role: 'lead' }, { name: 'x', role: 'king' },
    { name: 'x', role: 1 }, { name: 'x', days: 0 }, { name: 'x', days: 366 }, { name: 'x', days: 1.5 }, { name: 'x', days: '1' }];
  for (const body of bad) {
    const r = await client.json('POST', '/api/v1/tokens', { password: PASSWORD, ...body });
    assertProblem(r, body.role === 'lead' ? 403 : 400);
  }
  /* A session that somebody left open is not enough. */
  assertProblem(await client.json('POST', '/api/v1/tokens', { name: 'x' }), 403, 'password-missing');
  assertProblem(await client.json('POST', '/api/v1/tokens', { name: 'x', password: 'wrong wrong wrong' }), 403, 'password-wrong');
  const made = await client.json('POST', '/api/v1/tokens', { password: PASSWORD, name: 'script', role: 'worker', days: 2 });
  assert.equal(made.status, 201, JSON.stringify(made.body));
  assert.match(made.body.token, /^hld_[A-Za-z0-9_-]{22}$/);
  assert.equal(made.headers.get('cache-control'), 'no-store');
  const list = await client.json('GET', '/api/v1/tokens');
  assert.equal(list.body.items[0].id, made.body.id);
  assert.ok(!JSON.stringify(list.body).includes(made.body.token.slice(4)), 'never shown again');

  const bare = new Client(server.url);
  const use = (token, at = '/api/v1/tokens') => bare.json('GET', at, undefined, bearer(token));
  assert.equal((await use(made.body.token)).status, 200);
  assertProblem(await use(made.body.token, '/api/v1/campaigns'), 403, 'role');
  for (const token of ['', 'hld_', made.body.token.slice(4), `${made.body.token}A`, made.body.token.toUpperCase()]) {
    assertProblem(await use(token), 401);
  }
  assert.equal((await bare.json('GET', '/api/v1/tokens', undefined, { authorization: `Token ${made.body.token}` })).status, 200);

  /* One's own only. */
  const other = await new Client(server.url).login('worker');
  assertProblem(await other.json('DELETE', `/api/v1/tokens/${made.body.id}`), 404);
  assert.equal((await client.json('DELETE', `/api/v1/tokens/${made.body.id}`)).status, 204);
  assertProblem(await use(made.body.token), 401, 'token');
  for (const id of ['0', '-1', 'x', '99999', '99999999999999999999']) {
    assertProblem(await client.json('DELETE', `/api/v1/tokens/${id}`), 404);
  }

  /* Demoted and disabled accounts. */
  const { token } = await newToken(dir, 'expert');
  assert.equal((await use(token, '/api/v1/campaigns')).status, 200);
  await must(['user', 'role', dir, 'expert', 'worker']);
  assertProblem(await use(token, '/api/v1/campaigns'), 403, 'role');
  assertProblem(await client.json('GET', '/api/v1/campaigns'), 401, 'auth'); /* the session is over */
  await client.login('expert');
  await must(['user', 'disable', dir, 'expert']);
  assertProblem(await use(token), 401, 'token');
  assertProblem(await client.json('GET', '/api/v1/tokens'), 401, 'auth');
  assert.equal((await new Client(server.url).post('/login', { login: 'expert', password: PASSWORD })).status, 401);
  await must(['user', 'enable', dir, 'expert']);
  assert.equal((await use(token)).status, 200);
});

/* The study on a server whose clock the test moves. */
async function movedClock(t, env = {}) {
  const dir = await newStudy(t);
  const faults = new FaultFile(tempDir(t));
  const server = await startServer(t, dir, { binary: faultBin, env: { ...WIDE, ...faults.env, ...env } });
  return { dir, faults, server, client: new Client(server.url) };
}

/* A use of a session moves its end, but that is written beside the reply: the clock may move on only afterwards. */
async function sessionLivesUntil(dir, at) {
  const until = () => sqlite(`${dir}/holdout.db`, 'SELECT max(expires_at) FROM session;');
  while (Number(await until()) < at);
}

test('sessions, tokens and invites end when they say', async (t) => {
  const { dir, faults, server } = await movedClock(t);
  const client = await new Client(server.url).login('lead');
  const admin = await new Client(server.url).login('admin');
  const made = await client.json('POST', '/api/v1/tokens', { password: PASSWORD, name: 'a day', days: 1 });
  await admin.post('/admin/invites', { password: PASSWORD, role: 'worker', days: '2' });
  const invite = admin.cookies.get('holdout_once').slice('invite.'.length);
  const use = () => new Client(server.url).json('GET', '/api/v1/campaigns', undefined, bearer(made.body.token));
  const status = async (who) => (await who.get('/account')).status;

  faults.clock(24 * HOUR - 60e3);
  assert.equal((await use()).status, 200);
  assert.equal((await new Client(server.url).get(`/invite/${invite}`)).status, 200);
  faults.clock(24 * HOUR + 60e3);
  assertProblem(await use(), 401, 'token');
  faults.clock(48 * HOUR + 60e3);
  assert.equal((await new Client(server.url).get(`/invite/${invite}`)).status, 404);

  /* A session lives on while it is used: seven days from its last use. */
  faults.clock(6 * 24 * HOUR);
  assert.equal(await status(client), 200);
  await sessionLivesUntil(dir, Date.now() + 12 * 24 * HOUR);
  faults.clock(7 * 24 * HOUR + 60e3);
  assert.equal(await status(client), 200);
  assert.equal(await status(admin), 303, 'the one that was not used is over');
  assertProblem(await admin.json('GET', '/api/v1/campaigns'), 401, 'auth');
  faults.clock(15 * 24 * HOUR);
  assert.equal(await status(client), 303);
  assert.equal((await client.post('/account/sessions/end')).status, 401);
});

test('a session ends for good, however busy it is', async (t) => {
  const { dir, faults, server } = await movedClock(t, { HOLDOUT_SESSION_SESSION_HOURS: '24', HOLDOUT_SESSION_SESSION_MOST_HOURS: '48' });
  const from = Date.now();
  const client = await new Client(server.url).login('lead');
  for (let hour = 8; hour < 48; hour += 8) {
    faults.clock(hour * HOUR - 60e3);
    assert.equal((await client.get('/account')).status, 200, `after ${hour} hours`);
    await sessionLivesUntil(dir, from + Math.min(hour + 23, 48) * HOUR);
  }
  faults.clock(48 * HOUR - 60e3);
  assert.equal((await client.get('/account')).status, 200);
  faults.clock(48 * HOUR + 60e3);
  assert.equal((await client.get('/account')).status, 303);
});

test('an answer counts whatever became of the session and the lease', async (t) => {
  const { faults, server } = await movedClock(t);
  const client = await new Client(server.url).login('worker');
  const { assignment } = await lease(client, 'ann');
  faults.clock(30 * 24 * HOUR);
  const r = await answer(client, assignment);
  assert.deepEqual([r.status, r.body.status], [200, 'stored']);
});

test('too often is 429 with the time to wait', async (t) => {
  const { client } = await startStudy(t, {
    env: { HOLDOUT_LIMITS_PLACES_PER_ADDRESS_HOUR: '2', HOLDOUT_LIMITS_LOGINS_PER_ADDRESS_HOUR: '2' },
  });
  for (let i = 0; i < 2; i++) await join(client, `person-${i}`);
  const refused = await client.json('POST', '/api/v1/campaigns/main/places', {});
  assertProblem(refused, 429, 'rate');
  const wait = Number(refused.headers.get('retry-after'));
  assert.ok(wait >= 1 && wait <= 3600, String(wait));
  assert.equal((await client.post('/work/campaign/main', { worker: 'x' })).status, 429);
  for (let i = 0; i < 2; i++) assert.equal((await client.post('/login', { login: 'admin', password: 'wrong' })).status, 401);
  const login = await client.post('/login', { login: 'admin', password: PASSWORD });
  assert.equal(login.status, 429, 'also for the right password');
  assert.ok(Number(login.headers.get('retry-after')) >= 1);
});

test('lists: ETag, cursors and their limits', async (t) => {
  const world = await newWorld(await startStudy(t));
  const { token } = await newToken(world.dir, 'admin');
  const client = new Client(world.url);
  const lists = routes.filter((r) => r.api && !r.write && r.proof !== 'capability' && !/\.(csv|markdown|latex)$|\/file$/.test(r.pattern));
  assert.ok(lists.length >= 6);
  for (const route of lists) {
    const at = await target(world, route);
    const get = (headers) => client.get(at, { ...bearer(token), ...headers });
    let first = await get();
    /* What commands brought in a moment ago may only now be noticed. */
    let next = await get();
    for (let i = 0; i < 50 && next.headers.get('etag') !== first.headers.get('etag'); i++) [first, next] = [next, await get()];
    assert.equal(next.headers.get('etag'), first.headers.get('etag'), `${route.name} is the same for two`);
    const tag = first.headers.get('etag');
    assert.equal(first.status, 200, route.name);
    assert.match(tag ?? '', /^"[0-9a-f]{16}"$/, route.name);
    assert.match(first.headers.get('cache-control'), /^(private, no-cache|no-store)$/);
    assert.ok((await first.text()).length > 2);
    for (const known of [tag, `W/${tag}`, `"x", ${tag}`, '*']) {
      const same = await get({ 'if-none-match': known });
      assert.deepEqual([same.status, same.headers.get('etag'), await same.text()], [304, tag, ''], `${route.name} ${known}`);
    }
    assert.equal((await get({ 'if-none-match': '"ffffffffffffffff"' })).status, 200);
  }
  const cursors = ['/api/v1/images', '/api/v1/classes/n00000002/frequencies'];
  for (const at of cursors) {
    for (const query of ['limit=0', 'limit=1001', 'limit=x', 'limit=-1', 'after=-1', 'after=x', 'limit=99999999999999999999']) {
      assertProblem(await client.json('GET', `${at}?${query}`, undefined, bearer(token)), 400, 'cursor');
    }
    const whole = (await client.json('GET', `${at}?limit=1000`, undefined, bearer(token))).body.items.map((i) => i.image);
    const pieces = [];
    for (let after = 0; after !== null;) {
      const { body } = await client.json('GET', `${at}?limit=7&after=${after}`, undefined, bearer(token));
      assert.ok(body.items.length <= 7);
      pieces.push(...body.items.map((i) => i.image));
      after = body.next;
    }
    assert.deepEqual(pieces, whole);
    assert.ok(whole.length > 20 && new Set(whole).size === whole.length);
  }
});

test('an answer changes the frequencies and their ETag', async (t) => {
  const { dir, client } = await startStudy(t);
  const { token } = await newToken(dir, 'expert');
  const at = '/api/v1/classes/n00000001/frequencies?limit=1000';
  const get = () => client.json('GET', at, undefined, bearer(token));
  const before = await get();
  assert.ok(before.body.items.every((i) => i.n === 0 && i.frequency === null), JSON.stringify(before.body.items[0]));
  const { assignment } = await lease(client, 'ann', SMALL);
  await answer(client, assignment, { selected: [0, 1, 2] });
  const after = await get();
  assert.notEqual(after.headers.get('etag'), before.headers.get('etag'));
  assert.equal(after.body.items.filter((i) => i.frequency === 1).length, 3);
  assert.equal(after.body.items.filter((i) => i.frequency === 0).length, 19);
});

test('openapi.json describes the API of the route table', async (t) => {
  const { client } = await startStudy(t);
  const { status, body } = await client.json('GET', '/api/openapi.json');
  assert.equal(status, 200);
  assert.match(body.openapi, /^3\.\d+\.\d+$/);
  assert.ok(body.info.title && body.info.version);
  const described = Object.entries(body.paths)
    .flatMap(([at, methods]) => Object.keys(methods).map((m) => `${m.toUpperCase()} ${at}`));
  const expected = routes.filter((r) => r.api)
    .map((r) => `${r.method} ${r.pattern.replace(/:([a-z]+)/g, '{$1}')}`);
  assert.deepEqual(described.sort(), expected.sort());

  const seen = new Set();
  for (const route of routes.filter((r) => r.api)) {
    const at = route.pattern.replace(/:([a-z]+)/g, '{$1}');
    const op = body.paths[at][route.method.toLowerCase()];
    assert.ok(op.summary.length > 0);
    assert.ok(Object.keys(op.responses).some((status) => /^2/.test(status)) && op.responses.default);
    const names = [...at.matchAll(/{([a-z]+)}/g)].map((m) => m[1]);
    assert.deepEqual(op.parameters.map((p) => [p.name, p.in, p.required]), names.map((n) => [n, 'path', true]));
    assert.equal(Boolean(op.security), route.role !== 'none');
    assert.equal(Boolean(op.requestBody), route.limit > 0);
    seen.add(op);
  }
  assert.equal(seen.size, expected.length);
  /* Every reference leads somewhere. */
  for (const [, ref] of JSON.stringify(body).matchAll(/"\$ref":"#\/([^"]+)"/g)) {
    assert.ok(ref.split('/').reduce((o, k) => o?.[k], body), ref);
  }
  for (const name of new Set([...seen].flatMap((op) => (op.security ?? []).flatMap(Object.keys)))) {
    assert.ok(body.components.securitySchemes[name], name);
  }
});
