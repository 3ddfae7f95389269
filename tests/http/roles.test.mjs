/* Every route of the golden table, without login and with every role, by session and by API token.
 * What must come out is read from the table. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import { test } from 'node:test';

import { Client, must } from './lib.mjs';
import { goldenFile, newWorld, options, people, routes, routesAndHeads, target } from './routes.mjs';
import { ROLES, newToken, rank, startStudy } from './study.mjs';

test('the route table is the golden one', async () => {
  assert.equal(await must(['version', '--routes']), fs.readFileSync(goldenFile, 'utf8'),
    'a route or its role changed: see that it is meant, then copy `holdout version --routes`');
});

/* The reply, read to its end unless that never comes. */
async function outcome(reply) {
  const stream = (reply.headers.get('content-type') ?? '').startsWith('text/event-stream');
  if (stream) await reply.body?.cancel();
  return { status: reply.status, headers: reply.headers, text: stream ? '' : await reply.text() };
}

function assertRefused(route, at, signedIn, r) {
  const what = `${r.status}\n${r.text}`;
  if (signedIn) {
    assert.equal(r.status, 403, what);
  } else if (route.api || route.write) {
    assert.equal(r.status, 401, what);
  } else {
    assert.equal(r.status, 303, what);
    const location = new URL(r.headers.get('location'), 'http://localhost');
    assert.deepEqual([location.pathname, location.searchParams.get('next')], ['/login', at]);
  }
  if (route.api && route.method !== 'HEAD') {
    assert.match(r.headers.get('content-type'), /^application\/problem\+json/);
    assert.equal(JSON.parse(r.text).code, signedIn ? 'role' : 'auth');
  }
}

const assertDone = (r) => assert.ok(r.status >= 200 && r.status < 400, `${r.status}\n${r.text}`);

test('routes by session', async (t) => {
  const world = await newWorld(await startStudy(t));
  const signedIn = people(world);
  for (const route of routesAndHeads) {
    await t.test(route.name, async () => {
      for (const role of ['nobody', ...ROLES]) {
        const nobody = role === 'nobody';
        const client = nobody ? new Client(world.url) : await signedIn(role, route);
        const at = await target(world, route, nobody ? 'admin' : role);
        const login = nobody ? 'admin' : role;
        const r = await outcome(await client.fetch(at, options(world, route, login, { csrf: client.csrf })));
        if (rank(role) < rank(route.role)) assertRefused(route, at, !nobody, r);
        else assertDone(r);
      }
    });
  }
});

/* One that nobody has. */
const WRONG = 'hld_AAAAAAAAAAAAAAAAAAAAAA';

/* Only a person at a browser may do these, whatever the token's role. */
const SESSION_ONLY = [
  'POST /account/password', 'POST /account/sessions/end', 'POST /admin/accounts/:account/disable',
  'POST /admin/accounts/:account/enable', 'POST /admin/accounts/:account/role',
  'POST /admin/invites', 'POST /admin/invites/:invite/revoke', 'POST /admin/tokens',
  'POST /admin/tokens/:token/revoke', 'POST /api/v1/tokens', 'POST /logout',
];

test('routes by API token', async (t) => {
  const world = await newWorld(await startStudy(t));
  const tokens = {};
  /* All of the administrator: what counts is the token's role. */
  for (const role of ROLES) tokens[role] = (await newToken(world.dir, 'admin', role)).token;
  for (const route of routesAndHeads) {
    await t.test(route.name, async () => {
      const send = async (at, token) => outcome(await new Client(world.url).fetch(at,
        options(world, route, 'admin', { headers: { authorization: `Bearer ${token}` } })));
      for (const role of ROLES) {
        const at = await target(world, route);
        if (role === ROLES[0] && route.role !== 'none') {
          const wrong = await send(at, WRONG); /* it changes nothing: the right one asks for the same */
          assert.equal(wrong.status, route.api || route.write ? 401 : 303, `${wrong.status}\n${wrong.text}`);
        }
        const r = await send(at, tokens[role]);
        if (rank(role) < rank(route.role)) {
          assertRefused(route, at, true, r);
        } else if (SESSION_ONLY.includes(route.name)) {
          assert.equal(r.status, 403, r.text);
          assert.match(r.text, /An API token cannot do this/);
        } else {
          assertDone(r);
        }
      }
    });
  }
  for (const name of SESSION_ONLY) assert.ok(routes.some((r) => r.name === name), name);
});
