/* near_world.mjs - a project whose candidates look like originals and like each other, searched and served. */
import fs from 'node:fs';
import path from 'node:path';

import { Client, PASSWORD, must, newProject, startServer, tempDir } from './lib.mjs';
import { classifier } from '../cli/onnx_file.mjs';
import { png } from './study.mjs';
import { sqlite } from '../load/tools.mjs';

const WNID = 'n02091134';
export const sql = (dir, query) => sqlite(path.join(dir, 'holdout.db'), query).then((out) => out.trim());

export async function addExpert(t, dir) {
  const file = path.join(tempDir(t), 'password');
  fs.writeFileSync(file, `${PASSWORD}\n`);
  await must(['user', 'add', dir, 'expert', '--role', 'expert', '--password-file', file]);
}

/* More images, each unlike all others: their names and roles. */
export async function addImages(t, dir, roles) {
  const folder = tempDir(t);
  const list = ['id,path,class,role,author,taken_at'];
  for (const [i, [id, role]] of Object.entries(roles).entries()) {
    fs.writeFileSync(path.join(folder, `${id}.png`), Buffer.concat([png(100 + i, 64, 64), Buffer.from(id)]));
    list.push(`${id},${id}.png,${WNID},${role},author-${id},2014-02-0${1 + i}`);
  }
  fs.writeFileSync(path.join(folder, 'images.csv'), `${list.join('\n')}\n`);
  await must(['import', 'images', dir, path.join(folder, 'images.csv')]);
}

/* Originals o-N, candidates c-N; c-0 and c-1 look like o-0, c-2 like o-2. */
export async function world(t) {
  const dir = await newProject(t);
  const folder = tempDir(t);
  const list = ['id,path,class,role,author,taken_at'];
  const add = (id, role, bytes) => {
    fs.writeFileSync(path.join(folder, `${id}.png`), bytes);
    list.push(`${id},${id}.png,${WNID},${role},author-${id},2014-01-0${1 + (list.length % 9)}`);
  };
  for (let i = 0; i < 4; i++) add(`o-${i}`, 'original', png(i, 64, 64));
  for (const [id, like] of [['c-0', 0], ['c-1', 0], ['c-2', 2]]) add(id, 'candidate', Buffer.concat([png(like, 64, 64), Buffer.from(id)]));
  for (let i = 3; i < 6; i++) add(`c-${i}`, 'candidate', png(10 + i, 64, 64));
  fs.writeFileSync(path.join(folder, 'images.csv'), `${list.join('\n')}\n`);
  fs.writeFileSync(path.join(folder, 'classes.csv'), `cid,wnid,synset,gloss,wikipedia\n0,${WNID},whippet,a dog,\n1,n02123045,tabby,a cat,\n`);
  await must(['import', 'classes', dir, path.join(folder, 'classes.csv')]);
  await must(['import', 'images', dir, path.join(folder, 'images.csv')]);
  await must(['near-metrics', dir, 'l2', '--size', 64, '--threshold', 10]);
  await must(['neighbors', dir]);
  await addExpert(t, dir);
  const server = await startServer(t, dir);
  const ids = Object.fromEntries((await sql(dir, 'SELECT name, id FROM image')).split('\n').map((line) => line.split('|')));
  return { dir, server, ids, lead: await new Client(server.url).login(), expert: await new Client(server.url).login('expert') };
}

/* Training images f-0 and f-1 without pixels; by the features of the model m, f-0 is like the candidate and f-1 like nobody.
 * Adds the model, and the metric deep with its threshold. */
export async function addFeatureOnly(t, dir, candidate = 'c-5') {
  const folder = tempDir(t);
  const file = (name, bytes) => {
    fs.writeFileSync(path.join(folder, name), bytes);
    return path.join(folder, name);
  };
  await must(['model', 'add', dir, file('m.onnx', classifier()), '--name', 'm', '--recipe', file('r.json', '{"features":"features"}')]);
  await must(['features', dir, '--model', 'm', '--quiet']);
  const [source, row] = (await sql(dir, `SELECT max(source), (SELECT count(*) FROM image WHERE id < (SELECT id FROM image WHERE name = '${candidate}')) FROM feature_block`)).split('|');
  const like = fs.readFileSync(path.join(dir, 'features', `${source}.f32`)).subarray(Number(row) * 32, Number(row) * 32 + 32);
  const header = "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 8), }\n";
  const rows = Buffer.concat([Buffer.from(`\x93NUMPY\x01\x00${String.fromCharCode(header.length)}\x00${header}`, 'latin1'), like, Buffer.from(Float32Array.from(Array(8).fill(9)).buffer)]);
  await must(['import', 'features', dir, file('x.npy', rows), '--model', 'm', '--names', file('n.csv', `image,wnid\nf-0,n02123045\nf-1,n02123045\n`)]);
  await must(['near-metrics', dir, 'deep', '--kind', 'feature', '--model', 'm', '--threshold', '1e-12']);
}
