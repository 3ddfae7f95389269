/* The edges of HTTP: how much, which methods, which addresses. Sizes and methods are read from the
 * golden route table. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';

import { Client } from './lib.mjs';
import { exchange, request, send } from './raw.mjs';
import { newWorld, routes, target } from './routes.mjs';
import { newToken, startStudy } from './study.mjs';

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'];

const jsonType = { 'Content-Type': 'application/json' };

function assertTooLarge(route, r) {
  assert.equal(r.status, 413, r.body);
  if (route.api) assert.equal(JSON.parse(r.body).code, 'body-limit');
  else assert.ok(r.body.includes(`larger than the ${route.limit} bytes`), r.body);
}

test('a body of one byte too many is refused, however it is sent', async (t) => {
  const world = await newWorld(await startStudy(t));
  /* A body without a length is counted while it is read, which is not done for everybody. */
  const { token } = await newToken(world.dir, 'admin');
  for (const route of routes) {
    await t.test(route.name, async () => {
      const at = await target(world, route);
      for (const chunked of [false, true]) {
        const most = 'x'.repeat(route.limit);
        const who = chunked ? { Authorization: `Bearer ${token}` } : {};
        assertTooLarge(route, await send(world.url, route.method, at,
          { body: `${most}x`, chunked, headers: { ...jsonType, ...who } }));
        const fits = await send(world.url, route.method, at, { body: most, chunked, headers: jsonType });
        assert.notEqual(fits.status, 413, fits.body);
        assert.ok(fits.status < 500, `${fits.status}\n${fits.body}`);
      }
    });
  }
});

test('an announced body that is too large is refused before it is sent', async (t) => {
  const { server } = await startStudy(t);
  for (const length of ['8193', '99999999999999999999', '18446744073709551616']) {
    const r = await exchange(server.url, 'POST /login HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n'
      + `Expect: 100-continue\r\nContent-Length: ${length}\r\n\r\n`);
    assert.ok([413, 400].includes(r.status), `${length}: ${r.status}`);
  }
  assert.equal((await new Client(server.url).get('/healthz')).status, 200);
});

test('two answers to where a body ends are none', async (t) => {
  const { server } = await startStudy(t);
  const start = 'POST /login HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n';
  for (const framing of [
    'Content-Length: 5\r\nContent-Length: 6\r\n\r\nlogin=',
    'Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    'Transfer-Encoding: gzip\r\n\r\n',
    'Content-Length: -1\r\n\r\n',
    'Content-Length: five\r\n\r\n',
    'Transfer-Encoding: chunked\r\n\r\nzz\r\nlogin=\r\n0\r\n\r\n',
  ]) {
    const r = await exchange(server.url, start + framing);
    assert.ok(r === null || [400, 413].includes(r.status), `${framing}: ${r?.status}`);
  }
  assert.equal((await new Client(server.url).get('/healthz')).status, 200);
});

/* The table's own meaning, told once more: which methods an address answers. */
const matches = (pattern, at) => new RegExp(`^${pattern.replace(/:[a-z]+/g, '[^/]+').replace(/\*[a-z]+/, '.+')}$`).test(at.replace(/\?.*/, ''));

test('other methods get 405 and the list of those that work', async (t) => {
  const world = await newWorld(await startStudy(t));
  for (const pattern of new Set(routes.map((r) => r.pattern))) {
    await t.test(pattern, async () => {
      const at = await target(world, routes.find((r) => r.pattern === pattern));
      const have = new Set(routes.filter((r) => matches(r.pattern, at)).map((r) => r.method));
      if (have.has('GET')) have.add('HEAD');
      const allow = METHODS.filter((m) => have.has(m)).join(', ');
      for (const method of [...METHODS, 'OPTIONS', 'BREW'].filter((m) => !have.has(m))) {
        const r = await send(world.url, method, at);
        assert.equal(r.status, 405, `${method}: ${r.body}`);
        assert.deepEqual(r.headers.allow, [allow]);
        if (pattern.startsWith('/api/') && method !== 'HEAD') assert.equal(JSON.parse(r.body).code, 'method');
      }
    });
  }
});

test('addresses that are not there', async (t) => {
  const { dir, server } = await startStudy(t);
  const { token } = await newToken(dir, 'admin');
  for (const at of ['/nothing', '/login/', '//login', '/api', '/api/v1', '/api/v1/nothing', '/LOGIN',
    '/static/', '/static/../config.ini', '/static/%2e%2e/config.ini', '/static/css', '/static/css/',
    '/static//etc/passwd', '/images/0', '/images/1/source', '/images/9999999/grid', '/images/-1/grid',
    '/work/place/', '/work/place/AAAAAAAAAAAAAAAAAAAAAA', '/work/place/short',
    '/work/assignment/AAAAAAAAAAAAAAAAAAAAAA', '/work/assignment/AAAAAAAAAAAAAAAAAAAAAA/0',
    '/work/campaign/none', '/invite/AAAAAAAAAAAAAAAAAAAAAA', '/holdout.db', '/config.ini']) {
    const r = await send(server.url, 'GET', at, { headers: { Authorization: `Bearer ${token}` } });
    assert.equal(r.status, 404, `${at}: ${r.status}\n${r.body.slice(0, 500)}`);
    if (at.startsWith('/api/')) assert.equal(JSON.parse(r.body).status, 404);
  }
});

test('addresses that cannot be read', async (t) => {
  const { dir, server } = await startStudy(t);
  for (const at of ['/%', '/%zz', '/%e', '/login%', '/%ff', '/%c0%af', '/%ed%a0%80', '/classes/%80',
    'login', '*']) {
    const r = await send(server.url, 'GET', at);
    assert.ok(r && [400, 404].includes(r.status), `${at}: ${r?.status}`);
  }
  for (const at of ['/healthz', '/%68ealthz', 'http://localhost/healthz', '/healthz?a=%zz&&=', '/healthz?']) {
    assert.equal((await send(server.url, 'GET', at)).status, 200, at);
  }
  for (const bytes of ['GET\r\n\r\n', 'GET / HTTP/9.9\r\n\r\n', `GET /${'a'.repeat(100000)} HTTP/1.1\r\nHost: localhost\r\n\r\n`,
    `GET / HTTP/1.1\r\nHost: localhost\r\nX: ${'a'.repeat(100000)}\r\n\r\n`, 'GET / HTTP/1.1\r\n\r\n',
    'GET / HTTP/1.1\r\nHost: localhost\r\nno colon\r\n\r\n']) {
    const r = await exchange(server.url, bytes);
    assert.ok(r === null || (r.status >= 400 && r.status < 506 && r.status !== 500), `${JSON.stringify(bytes).slice(0, 60)}: ${r?.status}`);
  }
  /* What is asked of the role is asked of the address as it is understood. */
  const hidden = await send(server.url, 'GET', '/images/1%2fgrid');
  assert.equal(hidden.status, 303);
  /* Long text that is told back is cut between characters. */
  const { token } = await newToken(dir, 'admin');
  for (const at of ['/api/v1/classes/X/frequencies', '/campaigns/X', '/classes/X', '/work/campaign/X']) {
    for (const pad of ['', 'a', 'aa', 'aaa']) {
      const r = await send(server.url, 'GET', at.replace('X', pad + encodeURIComponent('😀'.repeat(600))),
        { headers: { Authorization: `Bearer ${token}` } });
      assert.equal(r.status, 404, r.body);
    }
  }
  assert.equal((await new Client(server.url).get('/healthz')).status, 200);
});

test('HEAD is GET without the body', async (t) => {
  const world = await newWorld(await startStudy(t));
  const { token } = await newToken(world.dir, 'admin');
  const headers = { Authorization: `Bearer ${token}` };
  /* What differs from one request to the next (of a page that leads to a draw, which one), and what a stream has that is
   * not begun. */
  const stable = (h) => Object.fromEntries(Object.entries(h)
    .filter(([k]) => !['date', 'x-request-id', 'transfer-encoding'].includes(k))
    .map(([k, v]) => [k, k === 'location' ? String(v).replace(/\?.*\bseed=.*/, '') : v]));
  for (const route of routes.filter((r) => !r.write && r.pattern !== '/events')) {
    const at = await target(world, route);
    const get = await send(world.url, 'GET', at, { headers });
    const head = await send(world.url, 'HEAD', at, { headers });
    assert.equal(head.status, get.status, route.name);
    assert.equal(head.body, '', route.name);
    const of = ({ 'content-length': length, ...rest }) => (route.pattern === '/metrics' ? rest : { ...rest, 'content-length': length });
    const a = of(stable(head.headers));
    /* Pages count jobs beside their names; one that was noticed between the two requests is there afterwards too. */
    const same = isDeepStrictEqual(a, of(stable(get.headers)));
    if (!same) assert.deepEqual(a, of(stable((await send(world.url, 'GET', at, { headers })).headers)), route.name);
  }
});

const metric = async (url, token, name) => {
  const r = await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${token}` } });
  return Number(new RegExp(`^holdout_${name} (\\S+)$`, 'm').exec(await r.text())[1]);
};

test('event streams have their limit, and HEAD takes none of them', async (t) => {
  const { dir, server } = await startStudy(t, { env: { HOLDOUT_SERVER_EVENT_STREAMS: '2' } });
  const { token } = await newToken(dir, 'admin');
  const headers = { authorization: `Bearer ${token}` };
  for (let i = 0; i < 5; i++) {
    assert.equal((await send(server.url, 'HEAD', '/events', { headers })).status, 200);
  }
  /* The stream of a connection that closed is given back a moment later. */
  while (await metric(server.url, token, 'http_event_streams') > 0);
  const streams = [await fetch(`${server.url}/events`, { headers }), await fetch(`${server.url}/events`, { headers })];
  for (const s of streams) assert.equal(s.status, 200);
  const full = await send(server.url, 'GET', '/events', { headers });
  assert.equal(full.status, 503);
  assert.ok(Number(full.headers['retry-after'][0]) >= 1);
  await Promise.all(streams.map((s) => s.body.cancel()));
  assert.equal((await send(server.url, 'GET', '/events?topics=votes,weather', { headers })).status, 400);
});
