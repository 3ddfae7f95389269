/* Distances of near-duplicates against an independent program: squared distances are equal whole numbers, structural
 * similarity agrees to 1e-9, in pictures as they are and as JPEG. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';

import { golden, must, needsGolden, tempDir } from '../http/lib.mjs';

const THRESHOLDS = { l2: 1.2e8, dssim: 0.2205 };

for (const type of ['ppm', 'jpeg']) {
  test(`distances of ${type} pictures are those of the published search`, needsGolden, async (t) => {
    const source = path.join(golden, 'imagenetv2', 'near_duplicate_images');
    const folder = type === 'ppm' ? tempDir(t) : source;
    if (type === 'ppm') execFileSync('tar', ['-xJf', path.join(source, 'ppm.tar.xz'), '-C', folder]);
    const file = (name) => path.join(folder, type, `${name}.${type === 'ppm' ? 'ppm' : 'jpg'}`);
    const [head, ...rows] = fs.readFileSync(path.join(source, `expected_${type}.csv`), 'utf8').trim().split(/\r?\n/);
    assert.equal(head, 'a,b,l2_squared,dssim,l2_below_threshold,dssim_below_threshold');
    assert.equal(rows.length, 91);
    for (const row of rows) {
      const [a, b, l2, dssim, nearL2, nearDssim] = row.split(',');
      const distance = async (metric) => (await must(['distance', file(a), file(b), '--metric', metric])).trim();
      const [pixels, structure] = await Promise.all([distance('l2'), distance('dssim')]);
      assert.equal(pixels, l2, row);
      assert.ok(Math.abs(structure - dssim) < 1e-9, `${row}: ${structure}`);
      assert.equal(l2 <= THRESHOLDS.l2, nearL2 === '1', row);
      assert.equal(structure <= THRESHOLDS.dssim, nearDssim === '1', row);
    }
  });
}
