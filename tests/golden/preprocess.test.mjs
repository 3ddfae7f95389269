/* Images as models get them, against what Pillow and torchvision make of the same files. The bytes must be equal:
 * the bounds of the golden data (1 in 99.9 %, 3 everywhere) leave room that is not needed. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';

import { golden, must, needsGolden, tempDir } from '../http/lib.mjs';

test('preprocessed images have the bytes of Pillow and torchvision', needsGolden, async (t) => {
  const folder = path.join(golden, 'preprocess');
  const [head, ...rows] = fs.readFileSync(path.join(folder, 'expected.csv'), 'utf8').trim().split(/\r?\n/);
  assert.equal(head, 'jpeg,resize_shorter,center_crop,filter,output,sha256_16');
  assert.ok(rows.length >= 24);
  const out = path.join(tempDir(t), 'out.rgb');
  for (const row of rows) {
    const [jpeg, resize, crop, filter, name, sha] = row.split(',');
    await must(['preprocess', path.join(folder, jpeg), '--resize', resize, '--crop', crop, '--filter', filter, '--output', out]);
    const bytes = fs.readFileSync(out);
    assert.equal(bytes.length, crop * crop * 3, name);
    assert.equal(createHash('sha256').update(bytes).digest('hex').slice(0, 16), sha, name);
  }
});
