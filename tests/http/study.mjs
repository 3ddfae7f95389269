/* study.mjs - a small study for tests: images drawn here, two classes, one open campaign, an
 * account and an API token for every role. Knows the command line and the file formats of imports; of pages,
 * how those of workers name a button, a code and what a form carries along. */
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import zlib from 'node:zlib';

import { Client, PASSWORD, must, newProject, startServer, tempDir } from './lib.mjs';
import { plain } from './page_forms.mjs';

export const ROLES = ['worker', 'expert', 'lead', 'admin'];
/* Besides "admin": one login per role, a second administrator whose sessions nothing ends, and
 * somebody to whom things are done. */
const ACCOUNTS = new Map([
  ['worker', 'worker'], ['expert', 'expert'], ['lead', 'lead'], ['keeper', 'admin'],
  ['victim', 'worker'],
]);
export const rank = (role) => ROLES.indexOf(role) + 1; /* 0: nobody */

/* Tests sign in and join more often than one address may, and flag whatever is shown first. Jobs stay in the
 * queue where a test does not say otherwise. */
export const WIDE = {
  HOLDOUT_JOBS_JOBS_AT_ONCE: '0',
  HOLDOUT_WORK_FLAGS_TO_QUARANTINE: '1000',
  HOLDOUT_LIMITS_LOGINS_PER_ADDRESS_HOUR: '1000000',
  HOLDOUT_LIMITS_PLACES_PER_ADDRESS_HOUR: '1000000',
};

const crcTable = Int32Array.from({ length: 256 }, (_, n) => {
  let c = n;
  for (let k = 0; k < 8; k++) c = (c >>> 1) ^ (c & 1 ? 0xedb88320 : 0);
  return c;
});

function crc32(bytes) {
  let c = -1;
  for (const b of bytes) c = crcTable[(c ^ b) & 0xff] ^ (c >>> 8);
  return ~c >>> 0;
}

function pngChunk(type, data) {
  const b = Buffer.alloc(12 + data.length);
  b.writeUInt32BE(data.length, 0);
  b.write(type, 4, 'latin1');
  data.copy(b, 8);
  b.writeUInt32BE(crc32(b.subarray(4, 8 + data.length)), 8 + data.length);
  return b;
}

/* An RGB image of its own for every seed. `says` may claim another size than there is data for. */
export function png(seed, width = 24, height = 16, says = [width, height]) {
  const colour = createHash('sha256').update(String(seed)).digest();
  const row = 1 + 3 * width;
  const raw = Buffer.alloc(row * height);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      for (let k = 0; k < 3; k++) raw[y * row + 1 + 3 * x + k] = colour[k] + x * colour[3 + k] + y;
    }
  }
  const head = Buffer.alloc(13);
  head.writeUInt32BE(says[0], 0);
  head.writeUInt32BE(says[1], 4);
  head.set([8, 2], 8); /* bits per channel, RGB */
  return Buffer.concat([
    Buffer.from([137, 80, 78, 71, 13, 10, 26, 10]), pngChunk('IHDR', head),
    pngChunk('IDAT', zlib.deflateSync(raw)), pngChunk('IEND', Buffer.alloc(0)),
  ]);
}

/* Each is the other's nearest: negative controls come from there. */
export const CLASSES = [
  { cid: 0, wnid: 'n00000001', synset: ['apple'], gloss: 'a round fruit', similar: ['n00000001', 'n00000002'] },
  { cid: 1, wnid: 'n00000002', synset: ['pear', 'pear tree'], gloss: 'a fruit, longer than round',
    similar: ['n00000002', 'n00000001'] },
].map((c) => `${JSON.stringify(c)}\n`).join('');
export const SMALL = 22; /* cells of the one grid of apples, with all controls that there are */
export const FULL = 48;  /* of the one of pears */

/* FOLDER/WNID/WNID-PREFIX-NUMBER.png, `count` of each class. */
export function writeImages(folder, prefix, counts) {
  for (const [wnid, count] of Object.entries(counts)) {
    fs.mkdirSync(path.join(folder, wnid), { recursive: true });
    for (let i = 0; i < count; i++) {
      const name = `${wnid}-${prefix}-${i}`;
      fs.writeFileSync(path.join(folder, wnid, `${name}.png`), png(name));
    }
  }
}

/* Two grids, SMALL and FULL, 100 answers each, so that nobody is refused. */
export const newStudy = (t, { answers = '100', ...options } = {}) => newProject(t,
  { ...options, what: ['study', answers], build: (dir) => fill(dir, tempDir(t), answers, options) });

async function fill(dir, work, answers, options) {
  const file = (name, text) => {
    fs.writeFileSync(path.join(work, name), text);
    return path.join(work, name);
  };
  await must(['import', 'classes', dir, file('classes.jsonl', CLASSES)], options);
  writeImages(path.join(work, 'originals'), 'original', { n00000001: 6, n00000002: 6 });
  writeImages(path.join(work, 'candidates'), 'candidate', { n00000001: 10, n00000002: 42 });
  await must(['import', 'images', dir, path.join(work, 'originals'), '--role', 'original'], options);
  await must(['import', 'images', dir, path.join(work, 'candidates')], options);
  writeImages(path.join(work, 'references'), 'reference', { n00000001: 1, n00000002: 1 });
  await must(['import', 'images', dir, path.join(work, 'references'), '--role', 'reference'], options);
  await must(['grids', dir, '--campaign', 'main', '--open', '--answers-per-grid', answers,
    '--grids-per-place', '2', '--max-share', '1', '--same-image-again', '--seed', '1'], options);
  const password = file('password', `${PASSWORD}\n`);
  for (const [login, role] of ACCOUNTS) {
    await must(['user', 'add', dir, login, '--role', role, '--password-file', password], options);
  }
}

/* An API token of an account; the administrator's may have less than their role. */
export async function newToken(dir, login, role = login) {
  const out = await must(['token', 'create', dir, '--login', login, '--name', 'test', '--role', role,
    '--json']);
  return JSON.parse(out);
}

/* The study, its server and a client in one. */
export async function startStudy(t, { env = {}, ...options } = {}) {
  const dir = await newStudy(t, options);
  const server = await startServer(t, dir, { env: { ...WIDE, ...env }, ...options });
  return { dir, server, client: new Client(server.url) };
}

/* A person joins: the token of their place. */
export async function join(client, person, campaign = 'main') {
  const r = await client.json('POST', `/api/v1/campaigns/${campaign}/places`, { external_id: person });
  if (r.status !== 201) throw new Error(`join: ${r.status} ${JSON.stringify(r.body)}`);
  return r.body.place;
}

export const next = async (client, place) =>
  (await client.json('POST', `/api/v1/places/${place}/next`)).body;

/* A person joins and asks for a grid, of `cells` cells when that is given: who got the
 * other one answers that first. */
export async function lease(client, person, cells) {
  const place = await join(client, person);
  let grid = await next(client, place);
  if (cells && grid.cells !== cells) {
    await answer(client, grid.assignment, { client_id: `other-grid-${person}` });
    grid = await next(client, place);
  }
  if (grid.done || (cells && grid.cells !== cells)) throw new Error(JSON.stringify(grid));
  return { place, ...grid };
}

export const answer = (client, assignment, members = {}, headers = {}) =>
  client.json('POST', `/api/v1/assignments/${assignment}/answer`,
    { client_id: 'client-0001', selected: [0], active_ms: 900, ...members }, headers);

/* The folder of a study that three people answered: of one grid each, the first three images. No server runs. */
export async function answeredStudy(t) {
  const { dir, server, client } = await startStudy(t);
  for (const person of ['ann', 'bob', 'eve']) {
    const { assignment } = await lease(client, person);
    await answer(client, assignment, { selected: [0, 1, 2] });
  }
  await server.stop();
  return dir;
}

/* --- workers' pages --- */

/* A page, or with `fields` a form's reply: { status, html, at }, redirects followed. */
export async function see(client, target, fields) {
  let r = fields ? await client.post(target, fields) : await client.get(target);
  let at = target;
  while (r.status === 303) {
    at = r.headers.get('location');
    r = await client.get(at);
  }
  return { status: r.status, html: await r.text(), at };
}

export const can = (html, label) => new RegExp(`<button[^>]*>${label}</button>`).test(html);
export const codeOf = (html) => /<output class="code">([^<]*)</.exec(html)?.[1] ?? null;
export const hidden = (html) => Object.fromEntries([...html.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)">/g)]
  .map(([, name, value]) => [name, plain(value)]));
