/* backups.mjs - a study with two answers that is backed up, and what lies in a folder of backups. Used by
 * tests/cli/backup.test.mjs and tests/cli/backup_generations.test.mjs. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { before } from 'node:test';

import { Client, holdout, must, startServer, tempDir, wholeFile } from '../http/lib.mjs';
import { WIDE, answer, lease, newStudy } from '../http/study.mjs';

export const SOURCES = 66;
export const FILES = 3 * SOURCES;
const whole = wholeFile();
let study; /* two grids, two answers; copied by who changes it */
export const theStudy = () => study;

before(async () => {
  study = await newStudy(whole);
  const server = await startServer(whole, study, { env: WIDE });
  const client = new Client(server.url);
  for (const person of ['ann', 'bob']) {
    const { assignment } = await lease(client, person);
    assert.equal((await answer(client, assignment, { selected: [0, 1, 2] })).status, 200);
  }
  await server.stop();
});

export const copyOf = (t, from = study) => {
  const dir = path.join(tempDir(t), 'project');
  fs.cpSync(from, dir, { recursive: true });
  return dir;
};
export const fails = async (args, message, options) => {
  const r = await holdout(args, options);
  assert.equal(r.code, 1, `${args.join(' ')}: ${r.code ?? r.signal}\n${r.out}${r.err}`);
  assert.match(r.err, message);
  return r;
};
const STAMP = /^\d{8}T\d{9}Z$/;
export const generations = (target) => fs.readdirSync(target).filter((f) => STAMP.test(f)).sort().map((f) => path.join(target, f));
export const newest = (target) => generations(target).at(-1);
export const manifest = (target) => JSON.parse(fs.readFileSync(path.join(newest(target), 'manifest.json'), 'utf8'));
export const part = (target, which) => path.join(newest(target), manifest(target)[which].file);
export const unfinished = (target) => (fs.existsSync(target) ? fs.readdirSync(target) : []).find((f) => f.endsWith('Z.unfinished'));
export const names = (dir) => fs.readdirSync(dir).sort();
export const imageFiles = (dir, end) => fs.readdirSync(path.join(dir, 'images'), { recursive: true })
  .filter((f) => f.endsWith(end)).sort().map((f) => path.join(dir, 'images', f));
