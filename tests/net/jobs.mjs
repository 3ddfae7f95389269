/* jobs.mjs - commands that the server runs as jobs, one after the other: what each says in the end, and its log. */
import fs from 'node:fs';
import path from 'node:path';

import { Client, startServer } from '../http/lib.mjs';
import { dropModel } from '../http/model_world.mjs';
import { WIDE } from '../http/study.mjs';
import { sqlite } from '../load/tools.mjs';
import { slug } from './out.mjs';

const JOBS = [
  ['model add', { file: 'dropped.onnx', name: 'dropped', note: 'by a job' }],
  ['model add', { file: 'none.onnx', name: 'none' }],
  ['predict', { model: 'dropped', set: 'fresh', threads: 1 }],
  ['export set', { set: 'fresh', format: 'folder', pool: true }],
  ['train', { name: 'trained', role: 'candidate', filters: 2, patch: 3, side: 8, threads: 1 }],
  ['features', { model: 'trained', set: 'fresh', threads: 1 }],
  ['sample', { set: 'sampled', strategy: 'top', answers: 0, size: 2, seed: 4 }],
  ['sample', { set: 'wanted', strategy: 'matched', size: 2 }],
];

/* Asked beside the server and beside the count of programs: how often it takes is not for the recording. */
async function ended(dir, id) {
  const state = () => sqlite(path.join(dir, 'holdout.db'), `SELECT state FROM job WHERE id = ${id};`, { env: { LD_PRELOAD: '' } });
  for (const limit = Date.now() + 60000; Date.now() < limit;) {
    if (/^(done|failed|cancelled)/.test(await state())) return;
    await new Promise((resolve) => { setTimeout(resolve, 40); });
  }
  throw new Error(`job ${id} has not ended`);
}

export async function jobs(out, t, dir) {
  dropModel(dir, 'dropped.onnx');
  const server = await startServer(t, dir, { env: { ...WIDE, HOLDOUT_JOBS_JOBS_AT_ONCE: '1' } });
  const client = await new Client(server.url).login('lead');
  for (const [kind, options] of JOBS) {
    const r = await client.json('POST', '/api/v1/jobs', { kind, arguments: options });
    const name = `${slug(kind)}-${r.body.id ?? 'refused'}`;
    out.put(`started/${name}.txt`, `${r.status}\n${JSON.stringify(r.body, null, 1)}\n`);
    if (r.status !== 202) continue;
    await ended(dir, r.body.id);
    await out.reply(`ended/${name}.txt`, `GET /api/v1/jobs/${r.body.id}`, await client.fetch(`/api/v1/jobs/${r.body.id}`));
    await out.reply(`page/${name}.txt`, `GET /jobs/${r.body.id}`, await client.fetch(`/jobs/${r.body.id}`, { headers: { accept: 'text/html' } }));
    const log = path.join(dir, 'jobs', `${r.body.id}.log`);
    if (fs.existsSync(log)) out.command(`log/${name}.txt`, [kind], { code: 0, out: fs.readFileSync(log, 'utf8'), err: '' });
  }
  await server.stop();
  out.tree('exports.txt', path.join(dir, 'exports'));
  await out.tables(dir);
}
