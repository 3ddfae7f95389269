/* What every reply says beside its content, and what the log does not say. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';

import { Client, PASSWORD, holdout, logLines, must, setCookies, startServer } from './lib.mjs';
import { exchange, send } from './raw.mjs';
import { newWorld, options, people, routes, target } from './routes.mjs';
import { ROLES, WIDE, answer, join, lease, newStudy, newToken, startStudy } from './study.mjs';
import { tempDir } from '../load/tools.mjs';

/* The directives of a policy: name -> sources. */
const policy = (text) => new Map(text.split(';').map((d) => {
  const [name, ...sources] = d.trim().split(/\s+/);
  return [name, sources];
}));

function assertGuarded(headers, what) {
  const get = (name) => { assert.ok(headers.has(name), `${what}: no ${name}`); return headers.get(name); };
  const csp = policy(get('content-security-policy'));
  assert.deepEqual(csp.get('default-src'), ["'none'"], what);
  assert.equal(get('x-content-type-options'), 'nosniff', what);
  assert.equal(get('cross-origin-resource-policy'), 'same-origin', what);
  assert.match(get('x-request-id'), /^\d+$/, what);
  get('cache-control');
  assert.equal(headers.get('server'), null, what);
  assert.equal(headers.get('x-powered-by'), null, what);
  if (/^image\/(jpeg|png)$/.test(headers.get('content-type'))) return; /* a photograph, no document */
  if (csp.has('sandbox')) { /* a chart on its own: nothing at all */
    assert.deepEqual([...csp.keys()], ['default-src', 'frame-ancestors', 'sandbox'], what);
    return;
  }
  for (const name of ['script-src', 'style-src', 'connect-src', 'form-action']) assert.deepEqual(csp.get(name), ["'self'"], `${what} ${name}`);
  assert.deepEqual(csp.get('img-src'), ["'self'", 'data:', 'blob:'], what);
  for (const name of ['base-uri', 'frame-ancestors']) assert.deepEqual(csp.get(name), ["'none'"], `${what} ${name}`);
  assert.ok(!/unsafe|http|\*/.test([...csp.values()].flat().join(' ')), what);
  assert.equal(get('referrer-policy'), 'no-referrer', what);
  assert.equal(get('cross-origin-opener-policy'), 'same-origin', what);
  assert.match(get('permissions-policy'), /camera=\(\)/, what);
}

/* What an exchange() gave, as fetch would show it. */
const asHeaders = (r) => new Headers(Object.entries(r.headers).flatMap(([k, vs]) => vs.map((v) => [k, v])));

test('every kind of reply is guarded', async (t) => {
  const world = await newWorld(await startStudy(t));
  const signedIn = people(world);
  const statuses = new Set();
  const see = (r, what) => {
    statuses.add(r.status);
    assertGuarded(r.headers instanceof Headers ? r.headers : asHeaders(r), `${what}: ${r.status}`);
    return r;
  };
  for (const route of routes) {
    for (const role of ['nobody', 'worker', 'admin']) {
      const nobody = role === 'nobody';
      const client = nobody ? new Client(world.url) : await signedIn(role, route);
      const what = options(world, route, nobody ? 'admin' : role, { csrf: client.csrf });
      const r = see(await client.fetch(await target(world, route, nobody ? 'admin' : role), what), `${route.name} ${role}`);
      await r.body?.cancel();
    }
  }
  const { token } = await newToken(world.dir, 'admin');
  const headers = { Authorization: `Bearer ${token}` };
  const known = await send(world.url, 'GET', '/classes', { headers });
  for (const at of ['/classes', '/static/css/tokens.css', '/api/v1/classes']) {
    see(await send(world.url, 'GET', at, { headers: { ...headers, 'If-None-Match': '*' } }), at);
  }
  assert.ok(known.headers.etag);
  see(await send(world.url, 'GET', '/nothing'), 'not there');
  see(await send(world.url, 'GET', '/%'), 'malformed');
  see(await send(world.url, 'PUT', '/login'), 'method');
  see(await send(world.url, 'BREW', '/api/v1/images'), 'unknown method');
  see(await send(world.url, 'POST', '/login', { body: 'x'.repeat(9000) }), 'too large');
  see(await send(world.url, 'POST', '/api/v1/campaigns/main/places', { body: '{}' }), 'content type');
  const place = await join(new Client(world.url), 'ann');
  see(await send(world.url, 'POST', `/api/v1/places/${place}/next`, { body: '{', headers: { 'Content-Type': 'application/json' } }), 'json');
  const { assignment } = await lease(new Client(world.url), 'bob');
  await answer(new Client(world.url), assignment);
  see(await new Client(world.url).fetch(`/api/v1/assignments/${assignment}/answer`, {
    method: 'POST', headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ client_id: 'client-0002', selected: [] }),
  }), 'conflict');
  for (const status of [200, 201, 204, 303, 304, 400, 401, 403, 404, 405, 409, 413, 415]) {
    assert.ok(statuses.has(status), `a reply ${status} was seen`);
  }
});

test('what may be kept, and what may not', async (t) => {
  const world = await newWorld(await startStudy(t));
  const cache = async (client, at) => {
    const r = await client.get(at, { accept: 'text/html' });
    assert.ok(r.status < 400, `${at}: ${r.status}`);
    await r.body?.cancel();
    return [r.headers.get('cache-control'), r.headers.get('etag')];
  };
  const bare = new Client(world.url);
  const { place, assignment } = await lease(bare, 'ann');
  const [form] = await Promise.all([target(world, routes.find((r) => r.pattern === '/invite/:invite'))]);
  for (const at of [`/work/place/${place}`, `/work/assignment/${assignment}`, form, '/work/campaign/main']) {
    assert.deepEqual(await cache(bare, at), ['no-store', null], at);
  }
  const admin = await new Client(world.url).login('admin');
  for (const at of ['/', '/classes', '/campaigns', '/campaigns/main', '/account', '/admin']) {
    const [control, tag] = await cache(admin, at);
    assert.equal(control, 'private, no-cache', at);
    assert.match(tag, /^"[0-9a-f]{16}"$/);
  }
  for (const at of ['/images/1/grid', '/images/1/view', `/work/assignment/${assignment}/0`]) {
    assert.equal((await cache(admin, at))[0], 'private, max-age=86400, immutable', at);
  }
  assert.equal((await cache(bare, '/static/css/tokens.css'))[0], 'no-cache');
  const hashed = /\/static\/css\/tokens\.[0-9a-f]{8}\.css/.exec(await bare.page('/login'))[0];
  assert.deepEqual((await cache(bare, hashed))[0], 'public, max-age=31536000, immutable');
  assert.equal((await bare.get(hashed.replace(/[0-9a-f]{8}/, '00000000'))).status, 404);
  for (const [method, at] of [['POST', '/login'], ['GET', '/classes'], ['GET', '/nothing']]) {
    const r = await bare.fetch(at, { method });
    assert.equal(r.headers.get('cache-control'), 'no-store', at);
  }
  /* A secret is shown once and kept by nobody. */
  assert.equal((await admin.post('/admin/tokens', { password: PASSWORD, name: 'x', role: 'worker', days: '1', login: 'admin' })).status, 303);
  const once = await admin.get('/admin');
  assert.match(await once.text(), /hld_[A-Za-z0-9_-]{22}/);
  assert.deepEqual([once.headers.get('cache-control'), once.headers.get('etag')], ['no-store', null]);
  assert.doesNotMatch(await admin.page('/admin'), /hld_[A-Za-z0-9_-]{22}/);
});

test('what names people is kept by nobody', async (t) => {
  const world = await newWorld(await startStudy(t));
  const { assignment } = await lease(new Client(world.url), 'panel-id-of-ann');
  await answer(new Client(world.url), assignment, { client_id: world.unique('client-id') });
  const { items } = (await world.keeper.json('GET', '/api/v1/campaigns/main/participants?panel_ids=yes&limit=500')).body;
  const { pseudonym } = items.find((p) => p.participant_id === 'panel-id-of-ann');
  const admin = await new Client(world.url).login('admin');
  await admin.post(`/workers/${pseudonym}`, { kind: 'note', text: 'careful' });
  let shown = 0;
  for (const route of routes.filter((r) => !r.write && r.pattern !== '/events')) {
    const at = (await target(world, { ...route, pattern: route.pattern.replace(':person', pseudonym) })).split('?');
    for (const query of ['', '?panel_ids=yes', '?singles=1'].slice(0, /participants|history/.test(at[0]) ? 3 : 1)) {
      const r = await admin.get(at[0] + (query || (at[1] ? `?${at[1]}` : '')));
      const text = await r.text();
      if (!text.includes(pseudonym) && !text.includes('panel-id-of-ann')) continue;
      shown++;
      assert.equal(r.headers.get('cache-control'), 'no-store', route.name + query);
    }
  }
  assert.ok(shown >= 8, `${shown} replies name somebody`);
});

const attributes = (line) => new Map(line.split(';').map((part) => {
  const [name, value = ''] = part.trim().split('=');
  return [name.toLowerCase(), value];
}));

/* All cookies that signing in, making secrets and signing out set. */
async function cookieLines(url, prefix = '') {
  const client = new Client(url);
  const lines = [];
  const take = (r) => { lines.push(...setCookies(r)); return r; };
  take(await client.post('/login', { login: 'admin', password: PASSWORD }));
  await client.login('admin');
  take(await client.post('/admin/invites', { password: PASSWORD, role: 'worker', days: '1' }));
  take(await client.get('/admin'));
  take(await client.post('/admin/tokens', { password: PASSWORD, name: 'x', role: 'worker', days: '1' }));
  take(await client.post('/logout'));
  assert.deepEqual([...new Set(lines.map((l) => l.split('=')[0]))].sort(),
    ['holdout_browser', 'holdout_once', 'holdout_session'].map((name) => prefix + name));
  assert.ok(lines.length >= 5, lines.join('\n'));
  return lines;
}

test('cookies are for the server only, and for TLS where there is some', async (t) => {
  const dir = await newStudy(t);
  const plain = await startServer(t, dir, { env: WIDE });
  const signedInBefore = new Client(plain.url).login('admin');
  await signedInBefore;
  for (const line of await cookieLines(plain.url)) {
    const a = attributes(line);
    assert.ok(a.has('httponly') && /^(Lax|Strict)$/.test(a.get('samesite')) && a.has('max-age'), line);
    assert.ok(a.get('path') === '/' || a.get('path') === '/admin', line);
    assert.ok(!a.has('secure') && !a.has('domain'), line);
  }
  await plain.stop();
  const tls = await startServer(t, dir, { env: { ...WIDE, HOLDOUT_SERVER_PUBLIC_URL: 'https://study.example' } });
  /* Its name keeps other hosts of the domain, and pages without TLS, from setting it. */
  for (const line of await cookieLines(tls.url, '__Host-')) {
    const a = attributes(line);
    assert.ok(a.has('secure') && a.get('path') === '/' && !a.has('domain'), line);
  }
  /* One of before there was TLS signs nobody in, and goes when somebody signs in. */
  const old = new Client(tls.url);
  old.cookies.set('holdout_session', (await signedInBefore).cookies.get('holdout_session'));
  assert.equal((await old.get('/account')).status, 303);
  await old.login('admin');
  assert.deepEqual([...old.cookies.keys()].sort(), ['__Host-holdout_browser', '__Host-holdout_session']);
  await tls.stop();
  const proxied = await startServer(t, dir, { env: { ...WIDE, HOLDOUT_SERVER_TRUSTED_PROXIES: '127.0.0.1' } });
  const signIn = (proto) => send(proxied.url, 'POST', '/login', {
    body: String(new URLSearchParams({ login: 'admin', password: PASSWORD })),
    headers: { 'Content-Type': 'application/x-www-form-urlencoded', ...(proto ? { 'X-Forwarded-Proto': proto } : {}) },
  });
  const secure = await signIn('https');
  assert.ok(attributes(secure.headers['set-cookie'][0]).has('secure'));
  assert.match(secure.headers['strict-transport-security'][0], /^max-age=\d{7,}/);
  const not = await signIn();
  assert.ok(!attributes(not.headers['set-cookie'][0]).has('secure'));
  assert.equal(not.headers['strict-transport-security'], undefined);
});

test('what X-Forwarded-* says counts from proxies only', async (t) => {
  const { dir, server } = await startStudy(t, { env: { HOLDOUT_LIMITS_LOGINS_PER_ADDRESS_HOUR: '1' } });
  const tryFrom = (address) => send(server.url, 'POST', '/login', {
    body: 'login=admin&password=x', headers: { 'Content-Type': 'application/x-www-form-urlencoded', 'X-Forwarded-For': address, 'X-Forwarded-Proto': 'https' },
  });
  const first = await tryFrom('192.0.2.1');
  assert.equal(first.status, 401);
  assert.equal(first.headers['strict-transport-security'], undefined);
  assert.equal((await tryFrom('192.0.2.2')).status, 429, 'a made-up address is no new one');
  /* A proxy that nobody named: said once in the log, on the admin page and by doctor. */
  const warned = () => logLines(server).filter((l) => l.level === 'warn' && /X-Forwarded-For/.test(l.msg));
  assert.match((await holdout(['doctor', dir])).out, /^warn +proxy +127\.0\.0\.1 sends X-Forwarded-For/m);
  await server.stop(); /* all of its log is here then */
  assert.deepEqual(warned().map((l) => l.from), ['127.0.0.1']);
  const again = await startServer(t, dir);
  const admin = await new Client(again.url).login('admin');
  assert.match(await admin.page('/admin'), /Requests from 127\.0\.0\.1 name the client they come from/);
});

test('a redirect after signing in stays here', async (t) => {
  const { client } = await startStudy(t);
  const to = async (next) => {
    const r = await client.post('/login', { login: 'admin', password: PASSWORD, next });
    assert.equal(r.status, 303, `${JSON.stringify(next)}: ${await r.text()}`);
    return r.headers.get('location');
  };
  for (const next of ['https://example.com/', '//example.com', '/\\example.com', '\\\\example.com', 'javascript:alert(1)',
    '/\texample', '/a\r\nSet-Cookie: x=y', ' //example.com', 'classes', '', `/${'a'.repeat(2000)}`]) {
    assert.equal(await to(next), '/', JSON.stringify(next));
  }
  assert.equal(await to('/classes?q=a&b=%2F'), '/classes?q=a&b=%2F');
});

test('text of visitors is shown as text', async (t) => {
  const { client, dir, server } = await startStudy(t);
  const evil = '"><script>alert(1)</script>&\'';
  const html = async (r) => {
    const text = await r.text();
    assert.ok(!text.includes('<script>alert'), text);
    return text;
  };
  const file = path.join(tempDir(t), 'classes.csv');
  const cell = `"${evil.replaceAll('"', '""')}"`;
  fs.writeFileSync(file, `cid,wnid,synset,gloss,wikipedia\n2,zzz,${cell},${cell},\n`);
  await must(['import', 'classes', dir, file]);
  assert.match(await html(await client.post('/login', { login: evil, password: 'x', next: `/${evil}` })), /&lt;script&gt;/);
  await html(await client.get(`/work/campaign/main?worker=${encodeURIComponent(evil)}`));
  await html(await client.get(`/login?next=/${encodeURIComponent(evil)}`));
  const admin = await new Client(server.url).login('admin');
  for (const at of ['/classes', '/classes/zzz', `/classes?q=${encodeURIComponent(evil)}`, `/classes/${encodeURIComponent(evil)}`]) {
    await html(await admin.get(at));
  }
  await admin.post('/admin/invites', { password: PASSWORD, role: 'worker', note: evil });
  await admin.post('/admin/tokens', { password: PASSWORD, role: 'worker', name: evil });
  assert.match(await html(await admin.get('/admin')), /&lt;script&gt;/);
  await html(await admin.get('/account'));
});

test('no secret is in the log, nor who a worker is', async (t) => {
  const world = await newWorld(await startStudy(t, { env: { HOLDOUT_SERVER_LOG_LEVEL: 'debug' } }));
  const secrets = new Map([['password', PASSWORD]]);
  const keep = (what, value) => { assert.ok(value?.length >= 8, what); secrets.set(`${what} ${secrets.size}`, value); return value; };
  for (const role of ROLES) {
    const client = await new Client(world.url).login(role);
    keep('session', client.cookies.get('holdout_session'));
    keep('csrf', client.csrf);
    keep('token', (await newToken(world.dir, role)).token);
    await client.get(`/account?token=${[...secrets.values()].at(-1)}`);
  }
  const bare = new Client(world.url);
  const tokens = [...secrets].filter(([k]) => k.startsWith('token')).map(([, v]) => v);
  for (const token of tokens) await bare.get('/api/v1/images', { authorization: `Bearer ${token}` });
  const worker = keep('worker', 'panel-id-5f3a9c');
  const { place, assignment } = await lease(bare, worker);
  keep('place', place);
  keep('assignment', assignment);
  await bare.get(`/work/campaign/main?PROLIFIC_PID=${worker}`);
  for (const at of [`/work/place/${place}`, `/work/assignment/${assignment}`, `/work/assignment/${assignment}/0`, `/work/assignment/${assignment}/99`,
    `/work/place/${assignment}`, `/nothing/${assignment}`, `/work/assignment/${assignment}%zz`, `/work/assignment/${assignment}%`]) {
    await send(world.url, 'GET', at);
    await send(world.url, 'BREW', at);
    await exchange(world.url, `GET ${at} HTTP/9.9\r\n\r\n`);
    await exchange(world.url, `GET ${at} HTTP/1.1\r\nHost: localhost\r\nX: ${'a'.repeat(40000)}\r\n\r\n`);
  }
  await answer(bare, assignment, { selected: [99] });
  await answer(bare, assignment, { client_id: keep('client', 'client-id-of-a-worker') });
  await answer(bare, assignment, { client_id: 'another-client-id' });
  const link = await target(world, routes.find((r) => r.pattern === '/invite/:invite' && !r.write));
  keep('invite', link.split('/').at(-1));
  await bare.get(link);
  await bare.post(link, { login: 'n', new_password: 'short' });
  await bare.post('/login', { login: 'admin', password: keep('typed', 'a password that is wrong') });
  await world.server.stop();
  const lines = logLines(world.server);
  assert.ok(lines.filter((l) => l.msg === 'request').length >= 40, world.server.log);
  assert.ok(lines.some((l) => l.route === '/work/assignment/:assignment'));
  for (const [what, value] of secrets) {
    const at = world.server.log.split('\n').find((l) => l.includes(value));
    assert.equal(at, undefined, what);
  }
  for (const line of lines.filter((l) => l.msg === 'request')) {
    for (const k of ['time', 'level', 'req', 'method', 'route', 'account', 'status', 'ms', 'bytes']) assert.ok(k in line, k);
  }
});
