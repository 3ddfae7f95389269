/* classify_world.mjs - images of three classes, with the same ones asked about in both tasks: grids (campaign "contains") and
 * labels to tick ("objects"). Knows the command line and the workers' JSON. */
import fs from 'node:fs';
import path from 'node:path';

import { Client, must, newProject, startServer, tempDir } from './lib.mjs';
import { WIDE, join, next, writeImages } from './study.mjs';

export const LABELS = 14; /* classes */
const NAMES = ['apple', 'pear', 'car wheel', 'car', 'desk', 'monitor', 'mouse', 'guitar', 'stage', 'bottle', 'cup', 'plate', 'hat', 'shoe'];
export const wnid = (i) => `n${String(i + 1).padStart(8, '0')}`;
export const image = (i) => `${wnid(0)}-candidate-${i}`;
export const IMAGES = 12;

/* Rows of the list of candidates: image i with labels 0 to n - 1, those in `known` marked. */
export const rows = (i, n, known = []) => Array.from({ length: n }, (_, k) => `${image(i)},${wnid(k)},${known.includes(k) ? 1 : 0}\n`).join('');

/* `classify`: options of the campaign "objects"; `list`: its tasks, by default four labels of every image, the third and the
 * fourth image being checks with one and two objects. */
export async function build(dir, work, { answers = '9', classify = [], list } = {}) {
  const file = (name, text) => {
    fs.writeFileSync(path.join(work, name), text);
    return path.join(work, name);
  };
  await must(['import', 'classes', dir, file('classes.jsonl', NAMES.map((name, cid) => `${JSON.stringify({ cid, wnid: wnid(cid), synset: [name], gloss: `a ${name}, as everybody knows it`, similar: [wnid(cid), wnid((cid + 1) % LABELS)] })}\n`).join(''))]);
  for (const [role, counts] of [['original', { [wnid(0)]: 4, [wnid(1)]: 4 }], ['candidate', { [wnid(0)]: IMAGES }], ['reference', { [wnid(0)]: 3, [wnid(1)]: 1 }]]) {
    writeImages(path.join(work, role), role, counts);
    await must(['import', 'images', dir, path.join(work, role), '--role', role]);
  }
  await must(['grids', dir, '--campaign', 'contains', '--open', '--answers-per-grid', answers, '--max-share', '1', '--coverage', '0', '--seed', '1', '--grids-per-place', '1']);
  await must(['classify', dir, '--tasks', file('candidates.csv', `image,label,known\n${list ?? Array.from({ length: IMAGES }, (_, i) => rows(i, 4, [[], [], [0], [0, 3]][i] ?? [])).join('')}`),
    '--open', '--answers-per-grid', answers, '--max-share', '1', '--grids-per-place', '100', ...classify]);
}

export async function startClassify(t, { binary, env, ...options } = {}) {
  const dir = await newProject(t, { what: ['classify', JSON.stringify(options)], build: (at) => build(at, tempDir(t), options) });
  const server = await startServer(t, dir, { ...binary && { binary }, env: { ...WIDE, ...env } });
  return { dir, server, client: new Client(server.url) };
}

/* A person's next task of the campaign "objects". */
export async function task(client, person) {
  const place = await join(client, person, 'objects');
  return { place, ...await next(client, place) };
}

export const tick = (client, assignment, selected, main, more = {}) => client.json('POST', `/api/v1/assignments/${assignment}/answer`,
  { client_id: `client-${assignment}`, selected, ...main === undefined ? {} : { main }, ...more });
