/* photos.mjs - a project with an open campaign for the figure `images`, and the addresses of its images
 * as one worker got them: node photos.mjs prepare PROGRAM FOLDER IMAGES, then with its server
 * node photos.mjs lease URL ADDRESSES, and node photos.mjs keep URL ADDRESSES
 * FOLDER to have the replies as files. The pictures are noise over colour, so that their renditions are
 * as large as those of photographs. */
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';

import { png } from './png.mjs';

const WNIDS = ['n00000001', 'n00000002'];
const SIDE = [320, 240];

/* How much noise there is differs, so that sizes do. */
function picture(seed) {
  const [width, height] = SIDE;
  let x = (seed * 2654435761) >>> 0 || 1;
  const random = () => { x ^= x << 13; x >>>= 0; x ^= x >>> 17; x ^= x << 5; x >>>= 0; return x; };
  const colour = [random() & 127, random() & 127, random() & 127];
  const amount = 6 + seed % 10;
  const raw = Buffer.alloc((1 + 3 * width) * height);
  for (let i = 0, y = 0; y < height; y++) {
    raw[i++] = 0;
    for (let c = 0; c < width; c++) {
      const noise = random() % (2 * amount) + (y + c >> 2 & 31);
      for (let k = 0; k < 3; k++) raw[i++] = colour[k] + noise;
    }
  }
  return png(width, height, raw);
}

function draw(folder, wnid, count, first) {
  fs.mkdirSync(path.join(folder, wnid), { recursive: true });
  for (let i = 0; i < count; i++) {
    fs.writeFileSync(path.join(folder, wnid, `${wnid}-${first + i}.png`), picture(first + i));
  }
}

function prepare(program, folder, images) {
  const dir = path.join(folder, 'photos');
  const run = (...args) => execFileSync(program, args, { stdio: ['ignore', 'ignore', 'pipe'] });
  const grids = Math.ceil(images / 42);
  fs.writeFileSync(path.join(folder, 'password'), 'correct horse battery staple\n');
  run('init', dir, '--admin-password-file', path.join(folder, 'password'));
  fs.writeFileSync(path.join(folder, 'classes.jsonl'), WNIDS.map((wnid, cid) => `${JSON.stringify({
    cid, wnid, synset: [wnid], gloss: 'noise', similar: [wnid, WNIDS[1 - cid]] })}\n`).join(''));
  run('import', 'classes', dir, path.join(folder, 'classes.jsonl'));
  draw(path.join(folder, 'candidate'), WNIDS[0], grids * 42, 0);
  for (const [cid, wnid] of WNIDS.entries()) {
    draw(path.join(folder, 'original'), wnid, grids * 3, 1000000 * (cid + 1));
  }
  run('import', 'images', dir, path.join(folder, 'original'), '--role', 'original', '-q');
  run('import', 'images', dir, path.join(folder, 'candidate'), '-q');
  run('grids', dir, '--campaign', 'load', '--class', WNIDS[0], '--open', '--answers-per-grid', '1',
    '--grids-per-place', '10000', '--max-share', '1', '--coverage', '0', '--seed', '1', '--same-image-again');
}

async function lease(url, file) {
  const post = async (at, body) => (await fetch(new URL(at, url), {
    method: 'POST', body: JSON.stringify(body), headers: { 'content-type': 'application/json' },
  })).json();
  const { place } = await post('/api/v1/campaigns/load/places', { external_id: 'bench' });
  const addresses = [];
  for (let grid; !(grid = await post(`/api/v1/places/${place}/next`, {})).done;) {
    for (let i = 0; i < grid.cells; i++) addresses.push(`/work/assignment/${grid.assignment}/${i}`);
    await post(`/api/v1/assignments/${grid.assignment}/answer`, { client_id: 'bench-0001', selected: [] });
  }
  fs.writeFileSync(file, addresses.map((a) => `${a}\n`).join(''));
}

async function keep(url, file, folder) {
  for (const address of fs.readFileSync(file, 'utf8').split('\n').filter(Boolean)) {
    const r = await fetch(new URL(address, url));
    if (r.status !== 200) throw new Error(`${address}: ${r.status}`);
    fs.mkdirSync(path.join(folder, path.dirname(address)), { recursive: true });
    fs.writeFileSync(path.join(folder, address), Buffer.from(await r.arrayBuffer()));
  }
}

const [verb, ...args] = process.argv.slice(2);
if (verb === 'prepare') prepare(args[0], args[1], Number(args[2]));
else if (verb === 'lease') await lease(args[0], args[1]);
else if (verb === 'keep') await keep(...args);
else throw new Error('prepare, lease or keep');
