/* export_set.mjs - the export of a set against cp: node export_set.mjs PROGRAM FOLDER IMAGES ROUNDS. FOLDER is an empty
 * one on the disk that is measured. Prints a line of JSON for each round: seconds of the export as copies, of `cp -r` of
 * the same files with the flush that the export does too, and of the export as hard links. Files are read from the
 * cache in both; what is measured is writing. */
import { execFileSync } from 'node:child_process';
import { randomFillSync } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';

import { png } from './png.mjs';

const [program, folder, images, rounds] = [process.argv[2], process.argv[3], Number(process.argv[4]), Number(process.argv[5])];
const CLASSES = Math.max(1, images / 10);
const SIDE = 192; /* noise of that side is a file of 110 KB, like the photographs of the published set */
const wnid = (i) => `n${String(i % CLASSES).padStart(8, '0')}`;
const at = (...names) => path.join(folder, ...names);
const project = at('project');
const holdout = (...args) => execFileSync(program, args, { stdio: ['ignore', 'ignore', 'pipe'] });
const run = (command, ...args) => execFileSync(command, args, { stdio: 'inherit' });
const seconds = (work) => {
  const begun = process.hrtime.bigint();
  work();
  return Number(process.hrtime.bigint() - begun) / 1e9;
};

function prepare() {
  const raw = Buffer.alloc((1 + 3 * SIDE) * SIDE);
  const rows = ['cid,wnid,synset,gloss,wikipedia'], list = ['image,wnid'];
  for (let i = 0; i < CLASSES; i++) rows.push(`${i},${wnid(i)},thing ${i},a thing,`);
  for (let i = 0; i < images; i++) {
    randomFillSync(raw);
    for (let y = 0; y < SIDE; y++) raw[y * (1 + 3 * SIDE)] = 0;
    fs.mkdirSync(at('pictures', wnid(i)), { recursive: true });
    fs.writeFileSync(at('pictures', wnid(i), `image-${i}.png`), png(SIDE, SIDE, raw));
    list.push(`image-${i},${wnid(i)}`);
  }
  fs.writeFileSync(at('password'), 'correct horse battery staple\n');
  fs.writeFileSync(at('classes.csv'), `${rows.join('\n')}\n`);
  fs.writeFileSync(at('list.csv'), `${list.join('\n')}\n`);
  holdout('init', project, '--admin-password-file', at('password'));
  holdout('import', 'classes', project, at('classes.csv'));
  holdout('import', 'images', project, at('pictures'), '--keep', 'link');
  holdout('import', 'set', project, 'set', at('list.csv'));
}

/* A new folder each time; what is flushed is the file system, so nothing else may be waiting for the disk. */
function timed(name, work) {
  run('sync', '-f', folder);
  const took = seconds(() => work(at(name)));
  fs.rmSync(at(name), { recursive: true });
  return took;
}
const exported = (...options) => (target) =>
  holdout('export', 'set', project, 'set', '--format', 'folder', '--output', target, '--quiet', ...options);

prepare();
for (let i = 0; i < rounds; i++) {
  /* Whoever comes second finds the disk as the first left it: they take turns. */
  const ours = () => timed('copied', exported());
  const theirs = () => timed('cp', (target) => { run('cp', '-r', at('pictures'), target); run('sync', '-f', target); });
  const first = (i % 2 ? theirs : ours)(), second = (i % 2 ? ours : theirs)();
  const [copy, cp] = i % 2 ? [second, first] : [first, second];
  const link = timed('linked', exported('--link'));
  console.log(JSON.stringify({ images, copy, cp, link, ratio: Number((cp / copy).toFixed(3)) }));
}
