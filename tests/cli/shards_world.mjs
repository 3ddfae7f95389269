/* shards_world.mjs - a project with something to search, classify and compute features of, and all results that it has
 * as texts, for tests that share the work among tasks. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';

import { must, newProject, root, tempDir } from '../http/lib.mjs';
import { CLASSES, png } from '../http/study.mjs';
import { classifier } from './onnx_file.mjs';
import { sql } from './tools.mjs';

export const shardsProgram = path.join(root, 'deploy', 'holdout-shards');
/* What each verb is given besides its shard. */
export const OPTIONS = { neighbors: ['--all', '--memory', '1'], features: ['--model', 'm'], predict: ['--model', 'm'] };

/* Ten originals, the others candidates, the last ten with the bytes of earlier ones. The model looks at images of
 * `crop` pixels, the search at `side`: larger ones take longer. */
export async function shardsProject(t, { images, crop = 32, side = 24 }) {
  const dir = await newProject(t);
  const folder = tempDir(t);
  const put = (name, bytes) => {
    fs.writeFileSync(path.join(folder, name), bytes);
    return path.join(folder, name);
  };
  await must(['import', 'classes', dir, '-'], { input: CLASSES });
  const lines = Array.from({ length: images }, (_, i) => JSON.stringify({
    path: put(`${i}.png`, png(`picture ${i < images - 10 ? i : i - 20}`, 64, 64)), id: `image ${i}`, class: 'n00000001',
    role: i < 10 ? 'original' : 'candidate' }));
  await must(['import', 'images', dir, put('images.jsonl', lines.join('\n')), '--quiet']);
  await must(['model', 'add', dir, put('m.onnx', classifier({ side: 'S', channels: 16 })), '--quiet',
    '--recipe', put('recipe.json', JSON.stringify({ features: 'features', resize: crop, crop }))]);
  await must(['near-metrics', dir, 'l2', '--size', String(side), '--threshold', '1e5']);
  await must(['near-metrics', dir, 'dssim', '--size', String(side), '--window', '7']);
  return dir;
}

/* What the verb has stored in a project, whatever the order it was stored in; features are in the order of their file. */
export async function results(dir, verb) {
  if (verb === 'neighbors') {
    const all = [];
    for (const metric of ['l2', 'dssim']) all.push(await must(['export', 'neighbors', dir, '--metric', metric]));
    return all;
  }
  if (verb === 'features') {
    const [source, ...more] = (await sql(dir, 'SELECT id FROM feature_source')).trim().split('\n');
    assert.equal(more.length, 0, 'the parts are of one source');
    return [await sql(dir, 'SELECT group_concat(hex(images), \'\') FROM (SELECT images FROM feature_block ORDER BY id)'),
      fs.readFileSync(path.join(dir, 'features', `${source}.f32`), 'hex')];
  }
  const blocks = (await sql(dir, 'SELECT k, hex(data) FROM prediction_block b JOIN prediction_source s ON s.id = b.source')).trim().split('\n');
  return blocks.flatMap((line) => {
    const [k, hex] = line.split('|');
    return hex.match(new RegExp(`.{${2 * (4 + 6 * k)}}`, 'g'));
  }).sort();
}
