/* Clients that take more than their share: bodies that nobody asked for, requests that never end. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import net from 'node:net';
import { test } from 'node:test';

import { Client, bin, logLines, newProject, startServer } from './lib.mjs';
import { routes } from './routes.mjs';
import { newToken, startStudy } from './study.mjs';
import { exchange, parse } from './raw.mjs';

/* The head alone is sent; the reply has to come without the body. */
async function ask(url, head) {
  const socket = net.connect(Number(new URL(url).port), '127.0.0.1');
  const chunks = [];
  socket.on('data', (c) => chunks.push(c));
  socket.on('error', () => {});
  socket.write(`${head}\r\n\r\n`);
  await once(socket, 'close');
  return parse(Buffer.concat(chunks));
}
const post = (at, ...lines) => [`POST ${at} HTTP/1.1`, 'Host: localhost', ...lines].join('\r\n');

test('who may not send a body is told so before it is read', async (t) => {
  const world = await startStudy(t);
  world.url = world.server.url;
  const { token } = await newToken(world.dir, 'worker');
  for (const route of routes.filter((r) => r.write && r.method === 'POST' && r.role !== 'none')) {
    const at = route.pattern.replace(/:\w+/g, '1');
    const want = route.api ? [401] : [303, 401];
    for (const lines of [[`Content-Length: ${route.limit}`], ['Transfer-Encoding: chunked'],
      [`Content-Length: ${route.limit}`, 'Expect: 100-continue']]) {
      const r = await ask(world.url, post(at, ...lines));
      assert.ok(want.includes(r?.status), `${route.name} ${lines}: ${r?.status}`);
      assert.deepEqual(r.headers.connection, ['close']);
    }
    const large = await ask(world.url, post(at, `Content-Length: ${route.limit + 1}`));
    assert.equal(large?.status, 413, route.name);
    if (route.role !== 'worker') {
      const r = await ask(world.url, post(at, `Content-Length: ${route.limit}`, `Authorization: Bearer ${token}`));
      assert.equal(r?.status, 403, route.name);
    }
  }
  const elsewhere = await ask(world.url, post('/login', 'Content-Length: 9', 'Origin: https://elsewhere.example'));
  assert.equal(elsewhere?.status, 403);
  const forged = await ask(world.url, post('/account/password', 'Content-Length: 9', 'X-CSRF-Token: guessed',
    `Cookie: ${[...(await new Client(world.url).login()).cookies].map(([k, v]) => `${k}=${v}`).join('; ')}`));
  assert.equal(forged?.status, 403);
  assert.equal((await ask(world.url, post('/nothing', 'Content-Length: 9')))?.status, 404);
});

test('a body is asked for when it will be read', async (t) => {
  const { server } = await startStudy(t);
  const socket = net.connect(Number(new URL(server.url).port), '127.0.0.1');
  socket.write(`${post('/login', 'Content-Length: 7', 'Connection: close', 'Content-Type: application/x-www-form-urlencoded', 'Expect: 100-continue')}\r\n\r\n`);
  const [first] = await once(socket, 'data');
  assert.match(String(first), /^HTTP\/1\.1 100 /);
  socket.write('login=x');
  const [second] = await once(socket, 'data');
  assert.match(String(second), /^HTTP\/1\.1 4\d\d /);
  socket.destroy();
});

test('clients that never finish keep nobody out', async (t) => {
  const dir = await newProject(t);
  const server = await startServer(t, dir, {
    env: { HOLDOUT_SERVER_CONNECTIONS: '8', HOLDOUT_SERVER_HEAD_SECONDS: '3600', HOLDOUT_SERVER_BODY_SECONDS: '1' },
  });
  const port = Number(new URL(server.url).port);
  const probe = async () => assert.equal((await ask(server.url, 'GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: close'))?.status, 200);
  let ended = 0;
  const slow = await Promise.all(Array.from({ length: 8 }, async (_, i) => {
    const socket = net.connect(port, '127.0.0.1');
    socket.on('error', () => {}).on('close', () => { ended++; });
    await once(socket, 'connect');
    socket.write(i % 2 ? 'GET /healthz HTTP/1.1\r\nHos' : 'G');
    return socket;
  }));
  for (let i = 0; i < 20; i++) await probe();
  assert.ok(ended >= 1 && ended <= 8, `${ended} of the slow ones gave way`);
  for (const s of slow) s.destroy();
  /* A body that stops half-way ends by itself. */
  const stuck = net.connect(port, '127.0.0.1');
  stuck.on('error', () => {}).write(`${post('/login', 'Content-Length: 900')}\r\n\r\nlogin=`);
  await once(stuck.resume(), 'close');
});

/* A body that has just begun may still come fast. Whoever begins many at once keeps out nobody but themselves. */
test('bodies that one address begins all the time keep no other address out', async (t) => {
  const { server } = await startStudy(t, { env: { HOLDOUT_SERVER_CONNECTIONS: '16' } });
  const port = Number(new URL(server.url).port);
  const head = 'POST /login HTTP/1.1\r\nHost: a\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 500\r\n\r\n';
  const begin = () => new Promise((resolve) => {
    const socket = net.connect({ port, host: '127.0.0.1', localAddress: '127.0.0.2' }, () => socket.write(`${head}a`, () => resolve(socket)));
    socket.on('error', () => resolve(socket));
    t.after(() => socket.destroy());
  });
  for (let round = 0; round < 5; round++) {
    await Promise.all(Array.from({ length: 40 }, begin));
    for (let i = 0; i < 3; i++) assert.equal((await exchange(server.url, 'GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n'))?.status, 200);
  }
});

/* Replies that nobody takes: more of them than the kernel holds, on every connection. */
async function takeNothing(t, { url, n, from = '127.0.0.2' }) {
  const port = Number(new URL(url).port);
  const { body } = await exchange(url, 'GET /work/help HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
  const asset = /\/static\/css\/panels[^"]*/.exec(body)[0];
  const many = `GET ${asset} HTTP/1.1\r\nHost: a\r\n\r\n`.repeat(2000);
  return Promise.all(Array.from({ length: n }, () => new Promise((resolve) => {
    const socket = net.connect({ port, host: '127.0.0.1', localAddress: from }, () => resolve(socket));
    socket.on('error', () => {}).pause().write(many);
    t.after(() => socket.destroy());
  })));
}
const healthy = async (url) => (await ask(url, 'GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: close'))?.status;

test('clients that do not take their replies keep nobody out', async (t) => {
  const { server } = await startStudy(t, { env: { HOLDOUT_SERVER_CONNECTIONS: '8' } });
  for (let round = 0; round < 4; round++) {
    await takeNothing(t, { url: server.url, n: 8 });
    await new Promise((resolve) => { setTimeout(resolve, 300); });
    for (let i = 0; i < 3; i++) assert.equal(await healthy(server.url), 200, `round ${round}`);
  }
});

test('a reply has its time, and more for what the client takes', async (t) => {
  const { server } = await startStudy(t, { env: { HOLDOUT_SERVER_BODY_SECONDS: '2' } });
  const began = Date.now();
  const [stuck] = await takeNothing(t, { url: server.url, n: 1 });
  const [slow] = await takeNothing(t, { url: server.url, n: 1 });
  let bytes = 0, ended = false;
  slow.on('close', () => { ended = true; });
  for (let i = 0; i < 40; i++) { /* far above a body's rate, never at once */
    bytes += slow.read()?.length ?? 0;
    await new Promise((resolve) => { setTimeout(resolve, 150); });
  }
  assert.ok(bytes > 100000 && !ended, `${bytes} ${ended}`);
  stuck.resume();
  await once(stuck, 'close');
  assert.ok(Date.now() - began < 30e3, `${Date.now() - began} ms`);
});

test('when descriptors run out, whoever waits gives way and the log says what to do', async (t) => {
  const dir = await newProject(t);
  const server = await startServer(t, dir, {
    binary: 'bash', command: ['-c', 'ulimit -n 100; exec "$@"', 'serve', bin, 'serve', dir],
  });
  const port = Number(new URL(server.url).port);
  const idle = [];
  const warned = () => logLines(server).find((l) => /descriptors/.test(l.msg));
  while (!warned() && idle.length < 300) {
    const socket = net.connect(port, '127.0.0.1').on('error', () => {});
    await once(socket, 'connect');
    idle.push(socket);
    if (idle.length > 60) assert.equal((await ask(server.url, 'GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: close'))?.status, 200);
  }
  assert.equal(warned()?.level, 'warn');
  assert.match(warned().msg, /LimitNOFILE/);
  for (const s of idle) s.destroy();
});
