/* Which pixels models get: Pillow's, whatever people are shown, and results that were made from others stay apart. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';

import { must, newProject, root } from '../http/lib.mjs';
import { CLASSES, png } from '../http/study.mjs';
import { sqlite, tempDir } from '../load/tools.mjs';
import { classifier } from './onnx_file.mjs';

const folder = path.join(root, 'tests/data/pixels');
const query = (dir, sql) => sqlite(path.join(dir, 'holdout.db'), `.timeout 20000\n${sql}`);

test('an image as a model gets it has the bytes of Pillow', async (t) => {
  const out = path.join(tempDir(t), 'rgb');
  const [, ...lines] = fs.readFileSync(path.join(folder, 'pixels.csv'), 'utf8').trimEnd().split('\n');
  for (const line of lines.filter((l) => /^(rgba8_clear|palette8_trns|gray16_low|cmyk_unmarked)\./.test(l))) {
    const [file, width, height, rgb] = line.split(',');
    await must(['preprocess', path.join(folder, file), '--resize', '0', '--crop', width, '--output', out]);
    const above = Math.floor((width - height) / 2) * width * 3;
    assert.equal(fs.readFileSync(out).subarray(above, above + rgb.length / 2).toString('hex'), rgb, file);
  }
});

/* Makes what is stored look as if an earlier version, whose rule of pixels had no name, had stored it. */
async function makeOld(dir, table, what) {
  const [id, engine, recipe, hash] = JSON.parse(await query(dir, `SELECT json_array(s.id, s.engine, s.recipe, hex(m.hash))
    FROM ${table} s JOIN model m ON m.id = s.model;`));
  assert.match(engine, /, pixels 2$/);
  const old = engine.replace(/, pixels 2$/, '');
  const digest = createHash('sha256').update([what, hash.toLowerCase(), old, recipe].join('\n')).digest('hex');
  await query(dir, `UPDATE ${table} SET engine = '${old}', digest = x'${digest}' WHERE id = ${id};`);
}

test('results from other pixels are not added to', async (t) => {
  const dir = await newProject(t);
  const files = tempDir(t);
  const put = (name, bytes) => {
    fs.writeFileSync(path.join(files, name), bytes);
    return path.join(files, name);
  };
  const add = (list) => must(['import', 'images', dir, '--set', 'images.tiny=true', '--quiet', put('m.jsonl',
    list.map((file) => `${JSON.stringify({ path: file, id: path.basename(file), class: 'n00000001' })}\n`).join(''))]);
  const run = async (what) => JSON.parse(await must([what, dir, '--model', 'm', '--json']));
  await must(['import', 'classes', dir, '-'], { input: CLASSES });
  await must(['model', 'add', dir, put('m.onnx', classifier()), '--recipe', put('r.json', '{"features": "features"}')]);
  await add([0, 1, 2].map((i) => put(`${i}.png`, png(i, 5, 3))));
  const features = 'features features';
  for (const what of ['predict', 'features']) assert.equal((await run(what)).computed, 3);
  await makeOld(dir, 'prediction_source', 'predictions');
  await makeOld(dir, 'feature_source', features);

  /* No image gives models other pixels since: what is there is gone on with. */
  await add([put('3.png', png(3, 5, 3)), path.join(folder, 'rgb16.png')]);
  for (const what of ['predict', 'features']) {
    const { already, computed } = await run(what);
    assert.deepEqual([already, computed], [3, 2], what);
  }
  /* One does: all is computed under a name of its own, and then gone on with. */
  await add([path.join(folder, 'rgba8_clear.png')]);
  for (const what of ['predict', 'features']) {
    assert.deepEqual([(await run(what)).computed, (await run(what)).computed], [6, 0], what);
  }
  const names = await query(dir, 'SELECT engine FROM prediction_source ORDER BY id;');
  assert.match(names, /^[^\n]*kernels \w+\n[^\n]*kernels \w+, pixels 2\n$/);
});
