/* A write is only done when the page that asked for it was ours: CSRF tokens, and where nobody is
 * signed in yet, Sec-Fetch-Site. */
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { Client, PASSWORD, setCookies } from './lib.mjs';
import { send } from './raw.mjs';
import { fields, members, newWorld, options, people, routes, target } from './routes.mjs';
import { newToken, startStudy } from './study.mjs';
import { sqlite } from '../load/tools.mjs';

const guarded = routes.filter((r) => r.proof === 'csrf');
const open = routes.filter((r) => r.proof === 'public');

/* Every change makes an event: what was refused made none. */
const lastEvent = (world) => sqlite(`${world.dir}/holdout.db`, 'SELECT max(id) FROM event;');

/* Requests of one session, [[address, options]], each of which is refused; none of them changes anything. */
async function assertRefused(world, route, client, requests) {
  const before = await lastEvent(world);
  await Promise.all(requests.map(async ([at, what]) => {
    const r = await client.fetch(at, what);
    const text = await r.text();
    assert.equal(r.status, 403, text);
    if (route.api) assert.equal(JSON.parse(text).code, 'csrf');
    else assert.match(text, /<code>csrf<\/code>/);
  }));
  assert.equal(await lastEvent(world), before);
}

test('without the right token nothing is done', async (t) => {
  const world = await newWorld(await startStudy(t));
  const mine = await new Client(world.url).login('admin');
  const other = await new Client(world.url).login('admin'); /* the same person, another session */
  const wrong = {
    none: undefined,
    'another of the same form': `${mine.csrf.slice(0, -1)}${mine.csrf.endsWith('A') ? 'Q' : 'A'}`,
    shorter: mine.csrf.slice(0, -1),
    longer: `${mine.csrf}A`,
    "another session's": other.csrf,
    'the session itself': mine.cookies.get('holdout_session'),
  };
  assert.equal(new Set(Object.values(wrong)).size, 6);
  assert.ok(guarded.length >= 10);
  for (const route of guarded) {
    await t.test(route.name, async () => {
      const at = await target(world, route);
      const requests = Object.values(wrong).flatMap((csrf) => [
        [at, options(world, route, 'admin', { csrf })],
        [at, options(world, route, 'admin', { headers: csrf ? { 'x-csrf-token': csrf } : {} })],
      ]);
      /* Neither the address nor JSON is a place for it. */
      requests.push([`${at}?csrf=${mine.csrf}`, options(world, route, 'admin')]);
      if (route.method === 'POST') {
        requests.push([at, {
          method: 'POST', headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ ...members(world), csrf: mine.csrf }),
        }]);
      }
      await assertRefused(world, route, mine, requests);
    });
  }
});

test('the token is good in the header and in the field', async (t) => {
  const world = await newWorld(await startStudy(t));
  const signedIn = people(world);
  for (const route of guarded) {
    await t.test(route.name, async () => {
      const places = route.api ? ['header'] : ['header', 'field'];
      for (const place of places) {
        const client = await signedIn('admin', route);
        const at = await target(world, route); /* some fields are about what it makes */
        const what = place === 'header'
          ? options(world, route, 'admin', { headers: { 'x-csrf-token': client.csrf } })
          : options(world, route, 'admin', { csrf: client.csrf });
        const r = await client.fetch(at, what);
        assert.ok(r.status < 400, `${place}: ${r.status} ${await r.text()}`);
      }
    });
  }
});

test('a header that is wrong is not made good by the field', async (t) => {
  const world = await newWorld(await startStudy(t));
  const client = await new Client(world.url).login('admin');
  const route = guarded.find((r) => r.pattern === '/account/sessions/end');
  await assertRefused(world, route, client, [[route.pattern, options(world, route, 'admin',
    { csrf: client.csrf, headers: { 'x-csrf-token': 'wrong' } })]]);
});

test('the token ends with its session and needs its cookie', async (t) => {
  const world = await newWorld(await startStudy(t));
  const client = await new Client(world.url).login('admin');
  const { csrf } = client;
  const bare = new Client(world.url);
  bare.csrf = csrf;
  assert.equal((await bare.post('/account/sessions/end')).status, 401);
  assert.equal((await client.post('/logout')).status, 303);
  await client.login('admin');
  client.csrf = csrf;
  assert.equal((await client.post('/account/sessions/end')).status, 403);
});

test('an API token needs none, and none is taken from a cookie beside it', async (t) => {
  const world = await newWorld(await startStudy(t));
  const { token } = await newToken(world.dir, 'worker');
  const admin = await new Client(world.url).login('admin');
  const r = await admin.post('/admin/invites', { csrf: admin.csrf, role: 'admin', password: PASSWORD },
    { authorization: `Bearer ${token}` });
  assert.equal(r.status, 403, 'the weaker of the two counts');
});

test('a form of another site cannot sign in, join or use an invite', async (t) => {
  const world = await newWorld(await startStudy(t));
  assert.ok(open.length >= 3);
  for (const route of open) {
    await t.test(route.name, async () => {
      const body = route.api ? JSON.stringify(members(world))
        : String(new URLSearchParams(fields(world, route, 'worker')));
      const type = route.api ? 'application/json' : 'application/x-www-form-urlencoded';
      const at = await target(world, route);
      const from = (site) => send(world.url, route.method, at, {
        body, headers: { 'Content-Type': type, ...(site ? { 'Sec-Fetch-Site': site } : {}) },
      });
      const before = await lastEvent(world);
      /* A browser without Sec-Fetch-Site says where it stands in Origin alone. */
      for (const origin of ['https://elsewhere.example', 'null', `${world.url}.example`]) {
        const r = await send(world.url, route.method, at, {
          body, headers: { 'Content-Type': type, Origin: origin },
        });
        assert.equal(r.status, 403, origin);
      }
      for (const site of ['cross-site', 'same-site']) {
        const refused = await from(site);
        assert.equal(refused.status, 403, `${site}: ${refused.body}`);
        assert.match(refused.body, /sent from another site/);
        assert.equal(refused.headers['set-cookie'], undefined);
      }
      assert.equal(await lastEvent(world), before);
      for (const site of ['same-origin', 'none', undefined].slice(0, route.pattern.startsWith('/invite/') ? 1 : 3)) {
        const r = await from(site);
        assert.ok(r.status < 400, `${site}: ${r.status}\n${r.body}`);
      }
    });
  }
});

test('no session is looked at where the address is the capability', async (t) => {
  const world = await newWorld(await startStudy(t));
  const client = await new Client(world.url).login('admin');
  for (const route of routes.filter((r) => r.proof === 'capability' && r.write)) {
    const at = await target(world, route);
    const what = options(world, route, 'admin', { headers: { cookie: 'holdout_session=AAAAAAAAAAAAAAAAAAAAAA' } });
    const r = await new Client(world.url).fetch(at, what);
    assert.ok(r.status < 400, `${route.name}: ${r.status}\n${await r.text()}`);
    /* A place's secret is kept for who comes back; no other site can send it along. */
    const others = setCookies(r).filter((c) => !/^holdout_place_\d+=[^;]+; Path=\/work; HttpOnly; SameSite=Lax;/.test(c));
    assert.deepEqual(others, []);
  }
  assert.equal((await client.post('/login', { login: 'admin', password: PASSWORD })).status, 303);
});
