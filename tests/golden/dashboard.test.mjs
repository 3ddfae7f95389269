/* The dashboard's numbers for the published grids and the synthetic votes on them, against an independent
 * recomputation from what the program exports of them. */
import { test } from 'node:test';

import { Client, needsGolden, startServer } from '../http/lib.mjs';
import { compare, exported } from '../http/recompute.mjs';
import { studyProject } from './study.mjs';

test('the numbers of the published votes, computed again from the exports', needsGolden, async (t) => {
  const { dir } = await studyProject(t, { votes: true });
  const server = await startServer(t, dir);
  const lead = await new Client(server.url).login();
  await compare(lead, dir, await exported(dir, ['imported']), { name: 'imported' });
});
