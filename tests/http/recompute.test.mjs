/* The dashboard's numbers for the demo's votes, against an independent recomputation from the exports,
 * before and after a spammer is left out. The published votes: tests/golden/dashboard.test.mjs. */
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';

import { Client, must, startServer, tempDir } from './lib.mjs';
import { compare, exported } from './recompute.mjs';

test('the numbers of the demo, computed again from its exports', async (t) => {
  const dir = path.join(tempDir(t), 'demo');
  await must(['demo', dir, '--size', 'small', '--no-visitors', '--quiet']);
  const server = await startServer(t, dir);
  const [login, password] = fs.readFileSync(path.join(dir, 'demo-login.txt'), 'utf8').split('\n');
  const lead = new Client(server.url);
  await lead.login(login, password);
  const [main] = await exported(dir, ['pictures']);
  const beside = await exported(dir, ['pilot']);
  await compare(lead, [main], { name: 'pictures', beside, classes: 100 });
});
