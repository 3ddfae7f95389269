/* study.mjs - the published study as files that the program reads: what the golden tests share. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';

import { golden, must, newProject } from '../http/lib.mjs';
import { tempDir } from '../load/tools.mjs';

export const LIMIT = { limit: 600000 };
/* Without golden data the tests are skipped, but their files are read all the same. */
export const at = (...parts) => path.join(golden ?? '', 'imagenetv2', ...parts);
export const lines = (text) => text.trimEnd().split('\n');

/* golden/NAME.xz unpacked into a folder of the test. */
export function unpack(folder, ...parts) {
  const file = path.join(folder, path.basename(parts.at(-1), '.xz'));
  const fd = fs.openSync(file, 'w');
  execFileSync('xz', ['-dc', at(...parts)], { stdio: ['ignore', fd, 'inherit'] });
  fs.closeSync(fd);
  return file;
}

async function make(dir, files, votes) {
  const steps = [['classes', at('classes', 'classes.jsonl')], ['image-list', files.images],
    ...(votes ? [['hits', files.hits], ['votes', files.votes]] : [])];
  for (const [what, file] of steps) await must(['import', what, dir, file, '--quiet'], LIMIT);
}

/* Importing the study takes ten seconds and several files of tests begin with it: in one run of the suite the first
 * to come makes it, the others wait and copy. tests/run names the folder, and removes it. */
async function copyOf(name, dir, build) {
  const folder = path.join(process.env.HOLDOUT_STUDY_CACHE, name);
  const [kept, ready, failed] = ['project', 'ready', 'failed'].map((file) => path.join(folder, file));
  if (fs.mkdirSync(folder, { recursive: true })) {
    await build().catch((e) => {
      fs.writeFileSync(failed, e.message);
      throw e;
    });
    fs.cpSync(dir, kept, { recursive: true });
    fs.writeFileSync(ready, '');
    return;
  }
  const until = Date.now() + LIMIT.limit;
  while (!fs.existsSync(ready)) {
    assert.ok(!fs.existsSync(failed) && Date.now() < until, 'the study could not be imported: see the test that did');
    await new Promise((resolve) => { setTimeout(resolve, 50); });
  }
  fs.rmSync(dir, { recursive: true });
  fs.cpSync(kept, dir, { recursive: true });
}

/* A project with the study's classes and images, with `votes` its hits and votes too, and what its files are. */
export async function studyProject(t, { votes = false } = {}) {
  const dir = await newProject(t);
  const folder = tempDir(t);
  const files = {
    images: unpack(folder, 'hits', 'images.csv.xz'),
    hits: unpack(folder, 'hits', 'hits.jsonl.xz'),
    votes: unpack(folder, 'votes_synth', 'votes.csv.xz'),
  };
  const build = () => make(dir, files, votes);
  await (process.env.HOLDOUT_STUDY_CACHE ? copyOf(votes ? 'votes' : 'images', dir, build) : build());
  return { dir, ...files };
}
