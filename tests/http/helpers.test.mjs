/* helpers.test.mjs - more slow requests at once than the helper threads' queue holds: everybody
 * gets a reply, some the refusal. */
import assert from 'node:assert/strict';
import http from 'node:http';
import { test } from 'node:test';

import { newProject, startServer } from './lib.mjs';
import { WIDE } from './study.mjs';

const AT_ONCE = 330; /* two run, 256 wait */

function signIn(url) {
  const body = 'login=nobody&password=not-a-password-of-anybody';
  return new Promise((resolve, reject) => {
    const req = http.request(new URL('/login', url), {
      method: 'POST', agent: false,
      headers: { 'Content-Type': 'application/x-www-form-urlencoded', 'Content-Length': body.length },
    }, (res) => {
      let text = '';
      res.setEncoding('utf8').on('data', (part) => { text += part; });
      res.on('end', () => resolve({ status: res.statusCode, retry: res.headers['retry-after'], text }));
    });
    req.on('error', reject);
    req.end(body);
  });
}

test('a full queue of slow requests refuses with 503 and loses nobody', async (t) => {
  const dir = await newProject(t);
  const server = await startServer(t, dir, {
    args: ['--set', 'server.connections_per_address=1000'], env: { ...WIDE, HOLDOUT_LIMITS_LOGINS_PER_ACCOUNT_HOUR: '1000000' },
  });
  const replies = await Promise.all(Array.from({ length: AT_ONCE }, () => signIn(server.url)));
  const refused = replies.filter((r) => r.status === 503);
  assert.ok(refused.length > 0, 'none was refused');
  for (const r of refused) {
    assert.ok(Number(r.retry) >= 1);
    assert.match(r.text, /<h1>Busy at the moment<\/h1>/);
  }
  const others = replies.filter((r) => r.status !== 503);
  assert.ok(others.length >= 256);
  assert.ok(others.every((r) => r.status === others[0].status && r.text.length > 0));
});
