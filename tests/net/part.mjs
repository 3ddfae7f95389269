/* part.mjs NAME FOLDER: records one part (tests/net/run). */
import fs from 'node:fs';
import path from 'node:path';

import { startServer, must, tempDir } from '../http/lib.mjs';
import { addModels, writer } from '../http/model_world.mjs';
import { newWorld } from '../http/routes.mjs';
import { WIDE, newStudy, startStudy } from '../http/study.mjs';
import { addAccounts, bigSite, demoSite, emptySite, oddSite } from '../browser/world.mjs';
import { demoCommands, demoWrites, help, studyCommands } from './commands.mjs';
import { emptyForms, emptyRows, plausible } from './forms.mjs';
import { jobs } from './jobs.mjs';
import { Out } from './out.mjs';
import { STARTS, everybody, everyRoute, linked } from './pages.mjs';
import { picked } from './picked.mjs';

const [name, folder] = process.argv.slice(2);
const out = new Out(folder);
const SITE = { admin: 'boss' };

/* What tests/http/lib.mjs takes for a test: what it makes goes when the part is over. */
const ends = [];
const t = { after: (f) => ends.push(f) };

/* The number of jobs that wait is in every lead's page, and behind it in its hash: until the runner has counted. */
const settled = () => new Promise((resolve) => { setTimeout(resolve, 3000); });

async function site(make, options) {
  const { dir, url, server } = await make(t);
  await linked(out, await everybody(url, SITE), STARTS, { others: ['expert', 'worker'], levels: 2, ...options });
  await server.stop();
  await out.tables(dir);
}

const parts = {
  /* The drawn world with sets, baselines and people: read by command, then over HTTP. */
  async demo() {
    const dir = path.join(tempDir(t), 'project');
    out.command('made.txt', ['demo'], { code: 0, out: await must(['demo', dir, '--size', 'tiny', '--quiet']), err: '' });
    await demoCommands(out, t, dir);
    await addAccounts(t, dir);
    await site(async () => {
      const server = await startServer(t, dir, { env: WIDE });
      return { dir, url: server.url, server };
    }, { levels: 3, most: 900 });
    out.tree('drawn.txt', path.join(dir, 'demo-images'));
    await demoWrites(out, t, dir);
  },
  async study() {
    const dir = await newStudy(t);
    await addModels(dir, writer(tempDir(t)));
    const server = await startServer(t, dir, { env: WIDE });
    const world = Object.assign(await newWorld({ dir, server }), { models: Promise.resolve() });
    const clients = await everybody(world.url);
    const starts = await everyRoute(out, world, clients, settled);
    await linked(out, clients, [...starts, ...STARTS].filter((at) => !/^\/(static|events|metrics)/.test(at)), { others: ['expert'], levels: 2, each: 2 });
    await server.stop();
    await out.tables(dir);
  },
  async forms() {
    const first = await startStudy(t);
    await emptyRows(out, first);
    await first.server.stop();
    const second = await startStudy(t);
    await emptyForms(out, second);
    await second.server.stop();
  },
  async writes() {
    const study = await startStudy(t);
    await plausible(out, study);
    await study.server.stop();
    await out.tables(study.dir);
  },
  async commands() {
    const dir = await newStudy(t);
    await addModels(dir, writer(tempDir(t)));
    await studyCommands(out, t, dir);
    await out.tables(dir);
  },
  async jobs() {
    const dir = await newStudy(t);
    await addModels(dir, writer(tempDir(t)));
    await jobs(out, t, dir);
  },
  empty: () => site(emptySite),
  odd: () => site(oddSite, { most: 500 }),
  big: () => site(bigSite, { most: 250, each: 2, levels: 1 }),
  help: () => help(out),
  tests: () => picked(out),
};

process.env.LD_PRELOAD = process.env.NET_LIBRARY; /* for the programs that are started from here, not for node */
fs.mkdirSync(folder, { recursive: true });
try {
  await parts[name]();
} catch (e) {
  console.error(`${name}: ${e.stack}`);
  process.exitCode = 1;
} finally {
  for (const f of ends.reverse()) await f();
}
