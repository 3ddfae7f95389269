/* gap_world.mjs - sets with other classes than the originals, and models that look better on the originals only because
 * of the classes that the new set lacks. */
import { must } from './lib.mjs';

const wnid = (k) => `n${String(k + 1).padStart(8, '0')}`;
const CLASSES = 24;
export const COMMON = 19;
/* 24 classes of originals; the new set lacks five that are easy for every model. */
const ORIGINALS = Array.from({ length: CLASSES * 10 }, (_, i) => ({ image: `o-${i}`, k: Math.floor(i / 10), i: i % 10 }));
const FRESH = Array.from({ length: COMMON * 10 }, (_, i) => ({ image: `n-${i}`, k: Math.floor(i / 10), i: i % 10 }));
/* Right about how many of ten originals and ten new images of a class that both have. */
export const MODELS = { small: [4, 5], large: [6, 7] };
const right = ({ k, i }, of) => k >= COMMON || i < of;

/* Imports all of it; `file` writes a text and returns where. */
export async function addGapWorld(dir, file) {
  const list = (rows) => `image,wnid\n${rows.map(({ image, k }) => `${image},${wnid(k)}\n`).join('')}`;
  await must(['import', 'classes', dir, file('classes.csv', `cid,wnid,synset,gloss\n${Array.from({ length: CLASSES }, (_, k) => `${k},${wnid(k)},class ${k},\n`).join('')}`)]);
  await must(['import', 'set', dir, 'old', file('old.csv', list(ORIGINALS)), '--role', 'original']);
  await must(['import', 'set', dir, 'fresh', file('fresh.csv', list(FRESH))]);
  await must(['import', 'set', dir, 'even', file('even.csv', list(ORIGINALS.filter(({ i }) => i > 6)))]);
  await must(['import', 'set', dir, 'same', file('same.csv', list(ORIGINALS.filter(({ k }) => k === 3)))]);
  await must(['import', 'set', dir, 'none', file('none.csv', list(ORIGINALS.filter(({ k }) => k >= COMMON)))]);
  for (const [name, [old, fresh]] of Object.entries(MODELS)) {
    const rows = [...ORIGINALS.map((o) => [o, right(o, old)]), ...FRESH.map((f) => [f, right(f, fresh)])];
    const lines = rows.map(([{ image, k }, yes]) => JSON.stringify({ image, labels: [wnid(yes ? k : (k + 1) % CLASSES)] }));
    await must(['import', 'predictions', dir, file(`${name}.jsonl`, lines.join('\n')), '--model', name]);
  }
}
