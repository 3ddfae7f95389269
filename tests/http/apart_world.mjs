/* apart_world.mjs - two classes of pictures in a set of originals and a new one; new pictures are larger. Three pictures in
 * a row are of one uploader. */
import fs from 'node:fs';
import path from 'node:path';

import { PASSWORD, must, newProject, tempDir } from './lib.mjs';
import { png } from './study.mjs';

export const WNIDS = ['n00000001', 'n00000002'];
export const EACH = 15; /* of either set in each class */
const range = (n) => Array.from({ length: n }, (_, i) => i);

export const IMAGES = ['original', 'candidate'].flatMap((role) => WNIDS.flatMap((wnid, k) => range(EACH).map((i) => ({
  name: `${role}-${k}-${i}`, role, wnid, author: `${role}-${k}-${Math.floor(i / 3)}` }))));
export const named = (name) => IMAGES.find((i) => i.name === name);

export async function apartWorld(t) {
  const dir = await newProject(t);
  const folder = tempDir(t);
  const write = (name, lines) => {
    fs.writeFileSync(path.join(folder, name), `${lines.join('\n')}\n`);
    return path.join(folder, name);
  };
  IMAGES.forEach((i, seed) => fs.writeFileSync(path.join(folder, `${i.name}.png`),
    i.role === 'original' ? png(seed, 40 + seed % 7, 30) : png(seed, 60 + seed % 9, 45)));
  await must(['import', 'classes', dir, write('classes.csv', ['cid,wnid,synset,gloss,wikipedia', ...WNIDS.map((w, i) => `${i},${w},thing ${i},a thing,`)])]);
  await must(['import', 'images', dir, write('images.csv', ['id,path,class,role,author', ...IMAGES.map((i) => `${i.name},${i.name}.png,${i.wnid},${i.role},${i.author}`)])]);
  for (const [set, role, ...more] of [['old', 'original', '--role', 'original'], ['fresh', 'candidate']]) {
    await must(['import', 'set', dir, set, write(`${set}.csv`, ['image,wnid', ...IMAGES.filter((i) => i.role === role).map((i) => `${i.name},${i.wnid}`)]), ...more]);
  }
  await must(['user', 'add', dir, 'expert', '--role', 'expert', '--password-file', write('password', [PASSWORD])]);
  return dir;
}
