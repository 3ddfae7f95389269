/* Heads that others may read otherwise: whoever is in front (a proxy) and we must agree where each
 * request ends, or one client writes another's. Whatever is not exactly as RFC 9112 says is refused
 * with 400, and nothing behind it on the connection is believed. */
import assert from 'node:assert/strict';
import net from 'node:net';
import { test } from 'node:test';

import { Client } from './lib.mjs';
import { exchange } from './raw.mjs';
import { startStudy } from './study.mjs';

const BEHIND = 'GET /healthz HTTP/1.1\r\nHost: behind\r\nConnection: close\r\n\r\n';
/* How many replies came on the connection. */
const replies = (r) => (r ? 1 + (r.body.match(/HTTP\/1\.1 \d/g) ?? []).length : 0);

/* Bytes that no head may hold, put where each could pass unseen. */
const bent = (from, to) => [from.replace('\r\nX', `${to}X`), from.replace('x1\r\n', `x1${to}`), from.replace(/\r\n\r\n/, `\r\n${to}`)];
const PLAIN = 'GET /healthz HTTP/1.1\r\nHost: a\r\nX: x1\r\nY: y\r\n\r\n';

const MALFORMED = {
  'a space before the colon': 'POST /login HTTP/1.1\r\nHost: a\r\nContent-Length : 5\r\n\r\nhello',
  'a tab before the colon': 'POST /login HTTP/1.1\r\nHost: a\r\nContent-Length\t: 5\r\n\r\nhello',
  'a name with a control character': 'POST /login HTTP/1.1\r\nHost: a\r\n\vContent-Length: 5\r\n\r\nhello',
  'a name with a space': 'GET /healthz HTTP/1.1\r\nHost: a\r\nX y: z\r\n\r\n',
  'a name with parentheses': 'GET /healthz HTTP/1.1\r\nHost: a\r\nX(y): z\r\n\r\n',
  'a name of other letters': Buffer.from('GET /healthz HTTP/1.1\r\nHost: a\r\nX\xe9: z\r\n\r\n', 'latin1'),
  'no name': 'GET /healthz HTTP/1.1\r\nHost: a\r\n: z\r\n\r\n',
  'two hosts': 'GET /healthz HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n',
  'the same host twice': 'GET /healthz HTTP/1.1\r\nHost: a\r\nhost: a\r\n\r\n',
  'no host': 'GET /healthz HTTP/1.1\r\nX: a\r\n\r\n',
  'a host that is none': 'GET /healthz HTTP/1.1\r\nHost: a b\r\n\r\n',
  'two hosts in one': 'GET /healthz HTTP/1.1\r\nHost: a, b\r\n\r\n'.replace(', b', '\x01b'),
  'a port that is no number': 'GET /healthz HTTP/1.1\r\nHost: a:8x\r\n\r\n',
  'two ports': 'GET /healthz HTTP/1.1\r\nHost: a:80:81\r\n\r\n',
  'an address that is open': 'GET /healthz HTTP/1.1\r\nHost: [::1\r\n\r\n',
  'a name behind an address': 'GET /healthz HTTP/1.1\r\nHost: [::1]a:80\r\n\r\n',
  'another host in the address': 'GET http://b/healthz HTTP/1.1\r\nHost: a\r\n\r\n',
  'another port in the address': 'GET http://a:81/healthz HTTP/1.1\r\nHost: a:80\r\n\r\n',
  'somebody in front of the host': 'GET http://a@b/healthz HTTP/1.1\r\nHost: a\r\n\r\n',
  'NUL in a value': 'GET /healthz HTTP/1.1\r\nHost: a\r\nX: a\0b\r\n\r\n',
  'NUL at a value\'s end': 'GET /healthz HTTP/1.1\r\nHost: a\r\nX: a\0\r\n\r\n',
  'NUL in a name': 'GET /healthz HTTP/1.1\r\nHost: a\r\nX\0: a\r\n\r\n',
  'NUL before a line': 'GET /healthz HTTP/1.1\r\nHost: a\r\n\0X: a\r\n\r\n',
  'NUL in the address': 'GET /health\0z HTTP/1.1\r\nHost: a\r\n\r\n',
  'CR in a value': 'GET /healthz HTTP/1.1\r\nHost: a\r\nX: a\rb\r\n\r\n',
  'two CR at an end': 'GET /healthz HTTP/1.1\r\nHost: a\r\nX: a\r\r\n\r\n',
  'a line that continues': 'GET /healthz HTTP/1.1\r\nHost: a\r\nX: a\r\n b\r\n\r\n',
  'a length that continues': 'POST /login HTTP/1.1\r\nHost: a\r\nContent-Length:\r\n 5\r\n\r\nhello',
  'a coding that continues': 'POST /login HTTP/1.1\r\nHost: a\r\nTransfer-Encoding:\r\n chunked\r\n\r\n0\r\n\r\n',
  'two spaces in the request line': 'GET  /healthz HTTP/1.1\r\nHost: a\r\n\r\n',
  'a tab in the request line': 'GET\t/healthz HTTP/1.1\r\nHost: a\r\n\r\n',
  'a control character in the address': 'GET /healthz?\x01 HTTP/1.1\r\nHost: a\r\n\r\n',
  'a method that is no word': 'G(T /healthz HTTP/1.1\r\nHost: a\r\n\r\n',
  'lengths that differ': 'POST /login HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nhello',
  'the same length twice': 'POST /login HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nContent-Length: 5\r\n\r\nhello',
  'a list of lengths': 'POST /login HTTP/1.1\r\nHost: a\r\nContent-Length: 5, 5\r\n\r\nhello',
  'a length with a sign': 'POST /login HTTP/1.1\r\nHost: a\r\nContent-Length: +5\r\n\r\nhello',
  'length and coding': 'POST /login HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
  'a coding that nobody knows': 'POST /login HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: xchunked\r\n\r\n0\r\n\r\n',
  'two codings': 'POST /login HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n\r\n0\r\n\r\n',
  'a coding in HTTP/1.0': 'POST /login HTTP/1.0\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
  ...Object.fromEntries(['\n', '\r', '\n\0', '\0\r\n'].flatMap((end) => bent(PLAIN, end).map((bytes, i) => [`${JSON.stringify(end)} ends line ${i + 1}`, bytes]))),
};

test('a head that is not as the standard says is refused, and all that follows it', async (t) => {
  const { server } = await startStudy(t, { env: { HOLDOUT_SERVER_HEAD_SECONDS: '1', HOLDOUT_SERVER_BODY_SECONDS: '1' } });
  await Promise.all(Object.entries(MALFORMED).map(async ([name, bytes]) => {
    const r = await exchange(server.url, Buffer.concat([Buffer.from(bytes), Buffer.from(BEHIND)]));
    /* An end of line that is none leaves a head without an end: that one is only cut. */
    assert.ok(r === null || (r.status === 400 && r.headers.connection?.includes('close')), `${name}: ${r?.status} ${r?.body}`);
    /* The library says twice that a length is none; what matters is that nothing behind is served. */
    assert.ok(replies(r) <= 1 || !r.body.includes('HTTP/1.1 200'), `${name}: ${r?.body}`);
  }));
  assert.equal((await new Client(server.url).get('/healthz')).status, 200);
});

test('what the standard allows is served', async (t) => {
  const { server } = await startStudy(t);
  const head = 'GET /healthz HTTP/1.1\r\nHost: a\r\n';
  for (const [name, bytes] of Object.entries({
    plain: PLAIN.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n'),
    'empty and padded values': `${head}X:\r\nY: \t z \t\r\nConnection: close\r\n\r\n`,
    'a host with port': 'GET /healthz HTTP/1.1\r\nHost: [::1]:8080\r\nConnection: close\r\n\r\n',
    'a host without a name': 'GET /healthz HTTP/1.1\r\nHost:\r\nConnection: close\r\n\r\n',
    'the same host in the address': 'GET http://A:80/healthz?x=/ HTTP/1.1\r\nHost: a:80\r\nConnection: close\r\n\r\n',
    'no host in HTTP/1.0': 'GET /healthz HTTP/1.0\r\n\r\n',
    'odd but allowed names': `${head}X!#$%&'*+-.^_\`|~9: z\r\nConnection: close\r\n\r\n`,
    'other letters in a value': Buffer.from(`${head}X: caf\xe9\r\nConnection: close\r\n\r\n`, 'latin1'),
    'a long head': `${head}X: ${'y'.repeat(11000)}\r\nZ: z\r\nConnection: close\r\n\r\n`,
    'a query': `${head.replace('healthz', 'healthz?a=1&b=2&&c=%20+d')}Cookie: a=b; c=d\r\nConnection: close\r\n\r\n`,
    'an empty line before': `\r\n${head}Connection: close\r\n\r\n`,
  })) {
    assert.equal((await exchange(server.url, bytes))?.status, 200, name);
  }
  /* Byte by byte, and two in one piece. */
  const socket = net.connect(Number(new URL(server.url).port), '127.0.0.1').setNoDelay(true);
  let text = '';
  socket.on('data', (c) => { text += c; });
  const until = (n) => new Promise((resolve) => {
    const look = () => (text.match(/ 200 OK/g)?.length >= n ? resolve() : setImmediate(look));
    look();
  });
  for (const c of `${head}X: y\r\n\r\n`) await new Promise((resolve) => { socket.write(c, resolve); });
  await until(1);
  socket.write(`${head}\r\n${head}\r\n`);
  await until(3);
  socket.destroy();
});

test('behind a chunked body nothing is believed', async (t) => {
  const { server } = await startStudy(t);
  const head = 'POST /login HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n'
    + 'Content-Type: application/x-www-form-urlencoded\r\n\r\n';
  for (const body of ['0\r\n\r\n', '5\r\nlogin\r\n0\r\n\r\n', '5\nlogin\n0\n\n', '5;x=\ny\r\nlogin\r\n0\r\n\r\n', '5\r\nlogin\r\n0\r\nX: y\r\n\r\n']) {
    const r = await exchange(server.url, head + body + BEHIND);
    assert.ok(r === null || r.status >= 400, `${JSON.stringify(body)}: ${r?.status}`);
    assert.ok(replies(r) <= 1, JSON.stringify(body));
    if (r) assert.deepEqual(r.headers.connection, ['close']);
  }
});
