/* study.mjs - the published study as files that the program reads: what the golden tests share. */
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';

import { bin, golden, must, newProject, oncePer } from '../http/lib.mjs';
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

/* A project with the study's classes and images, with `votes` its hits and votes too, and what its files are. */
export async function studyProject(t, { votes = false } = {}) {
  const folder = tempDir(t);
  const files = {
    images: unpack(folder, 'hits', 'images.csv.xz'),
    hits: unpack(folder, 'hits', 'hits.jsonl.xz'),
    votes: unpack(folder, 'votes_synth', 'votes.csv.xz'),
  };
  const add = async (to, steps) => {
    for (const [what, file] of steps) await must(['import', what, to, file, '--quiet'], LIMIT);
  };
  const images = () => newProject(t, {
    what: 'published study',
    build: (to) => add(to, [['classes', at('classes', 'classes.jsonl')], ['image-list', files.images]]),
  });
  if (!votes) return { dir: await images(), ...files };
  const dir = path.join(folder, 'project');
  await oncePer(['published study', 'votes', bin], dir, async () => {
    fs.renameSync(await images(), dir);
    await add(dir, [['hits', files.hits], ['votes', files.votes]]);
  });
  return { dir, ...files };
}
