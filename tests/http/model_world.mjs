/* model_world.mjs - the small study with sets, one small ONNX model and imported predictions, and what must come
 * out of them, counted here. */
import fs from 'node:fs';
import path from 'node:path';

import { must } from './lib.mjs';
import { classifier } from '../cli/onnx_file.mjs';

export const WNIDS = ['n00000001', 'n00000002'];
const images = (wnid, kind, from, n) =>
  Array.from({ length: n }, (_, i) => ({ image: `${wnid}-${kind}-${from + i}`, wnid }));

/* `closed` is sealed; none of its images is in another set. */
export const SETS = {
  originals: [...images(WNIDS[0], 'original', 0, 6), ...images(WNIDS[1], 'original', 0, 6)],
  fresh: [...images(WNIDS[0], 'candidate', 0, 5), ...images(WNIDS[1], 'candidate', 0, 20)],
  closed: [...images(WNIDS[0], 'candidate', 5, 5), ...images(WNIDS[1], 'candidate', 20, 10)],
};

/* A model that is right about all images but every `wrong`th; surer the later the image comes. */
export function predictions(list, wrong) {
  return list.map(({ image, wnid }, i) => {
    const best = i % wrong === wrong - 1 ? WNIDS[1 - WNIDS.indexOf(wnid)] : wnid;
    const p = 0.6 + 0.01 * i;
    return { image, labels: [best, WNIDS[1 - WNIDS.indexOf(best)]], scores: [p, 1 - p] };
  });
}
export const rightOf = (list, wrong) => list.length - Math.floor(list.length / wrong);

/* Writes files into a folder; their paths. */
export const writer = (folder) => (name, text) => {
  fs.writeFileSync(path.join(folder, name), text);
  return path.join(folder, name);
};

export async function importSet(dir, file, name, options = [], list = SETS[name]) {
  const rows = list.map(({ image, wnid }) => `${image},${wnid}\n`).join('');
  await must(['import', 'set', dir, name, file(`${name}.csv`, `image,wnid\n${rows}`), ...options]);
}

export async function importModel(dir, file, name, set, wrong) {
  const rows = predictions(SETS[set], wrong).map((p) => `${JSON.stringify(p)}\n`).join('');
  await must(['import', 'predictions', dir, file(`${name}-${set}.jsonl`, rows), '--model', name]);
}

/* Every model is imported on all sets; "net" has a file and has predicted nothing. */
export const MODELS = { sharp: { originals: 12, fresh: 6, closed: 3 }, dull: { originals: 3, fresh: 5, closed: 2 } };

export const onnx = () => classifier({ classes: 2, side: 32 });
const RECIPE = { resize: 32, crop: 32 };

export async function addOnnx(dir, file) {
  const at = file('net.onnx', onnx());
  file('net.json', JSON.stringify(RECIPE));
  await must(['model', 'add', dir, at, '--name', 'net', '--note', 'made for <tests> & "more"']);
}

export async function addModels(dir, file) {
  await importSet(dir, file, 'originals', ['--role', 'original']);
  await importSet(dir, file, 'fresh');
  await importSet(dir, file, 'closed', ['--sealed']);
  for (const [name, sets] of Object.entries(MODELS)) {
    for (const [set, wrong] of Object.entries(sets)) await importModel(dir, file, name, set, wrong);
  }
  await addOnnx(dir, file);
}

/* Into DIR/models/, where nobody added it yet. */
export function dropModel(dir, name, bytes = onnx()) {
  fs.mkdirSync(path.dirname(path.join(dir, 'models', name)), { recursive: true });
  fs.writeFileSync(path.join(dir, 'models', name), bytes);
  fs.writeFileSync(path.join(dir, 'models', name.replace(/onnx$/, 'json')), JSON.stringify(RECIPE));
}
