/* lib.test.mjs - a server starts on a free port, answers, and ends well when told to. */
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { Client, holdout, logLines, newProject, startProject, startServer } from './lib.mjs';

test('start, answer, sign in, stop', async (t) => {
  const { server, client } = await startProject(t);
  assert.equal((await client.get('/healthz')).status, 200);
  await client.login();
  assert.ok(client.csrf.length >= 20);
  await assert.rejects(new Client(server.url).login('admin', 'not the password'), /sign-in of admin/);
  await server.stop();
  assert.ok(logLines(server).length > 0);
  await assert.rejects(client.get('/healthz'), /fetch failed/);
});

test('a server that cannot start says why', async (t) => {
  const dir = await newProject(t);
  await assert.rejects(startServer(t, dir, { env: { HOLDOUT_SERVER_LOG_LEVEL: 'loud' } }), /one of: debug/);
  const r = await holdout(['serve']);
  assert.equal(r.code, 2);
});
