/* `check` finds each kind of damage, one at a time, and nothing on a sound project. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';

import { holdout, must, startServer } from '../http/lib.mjs';
import { answeredStudy } from '../http/study.mjs';
import { sqlite, tempDir } from '../load/tools.mjs';

const inImages = (dir, test_) => fs.readdirSync(path.join(dir, 'images'), { recursive: true, withFileTypes: true })
  .filter((e) => e.isFile()).map((e) => path.join(e.parentPath ?? e.path, e.name)).filter(test_);

/* What is done, what check must say. SQL runs as another program's would: without foreign keys. */
const damage = {
  'a rendition is gone': [(dir) => fs.rmSync(inImages(dir, (f) => f.includes('grid'))[0]), /^missing: .*grid/m],
  'a source file is gone': [(dir) => fs.rmSync(inImages(dir, (f) => !/grid|view/.test(path.basename(f)))[0]), /^missing: /m],
  'a source file is longer': [(dir) => fs.appendFileSync(inImages(dir, (f) => !/grid|view/.test(path.basename(f)))[0], 'x'), /^size: .* instead of /m],
  'a rendition is empty': [(dir) => fs.writeFileSync(inImages(dir, (f) => f.includes('grid'))[0], ''), /^size: .*grid.* is empty/m],
  'a file of nobody': [(dir) => fs.writeFileSync(path.join(dir, 'images', 'stray.jpg'), 'x'), /^orphan: images\/stray\.jpg/m],
  'a file that looks like one of ours': [(dir) => {
    const like = inImages(dir, (f) => f.includes('grid'))[0];
    const name = path.basename(like);
    fs.writeFileSync(path.join(path.dirname(like), `${name[0] === '0' ? '1' : '0'}${name.slice(1)}`), 'x');
  }, /^orphan: /m],
  'an image counter': ['UPDATE image_count SET n = n + 1;', /^counter: \d+ image counts/m],
  'an image counter that is gone': ['DELETE FROM image_count;', /^counter: /m],
  'a source without an image': ["INSERT INTO source (sha256, bytes, type, width, height) VALUES (zeroblob(32), 1, 'png', 1, 1);", /^orphan: 1 sources/m],
  'an image without its source': ['DELETE FROM source WHERE id = 1;', /names a missing row of source/],
  'an answer without its event': ['DELETE FROM event WHERE id = (SELECT max(id) FROM answer);', /answer \d+ has no event/],
  'an event of another kind': ["UPDATE event SET kind = 'place.join' WHERE id = (SELECT max(id) FROM answer);", /answer \d+ has no event of its kind/],
  'an answer of nobody': ['DELETE FROM assignment WHERE id = 1;', /names a missing row of assignment/],
  'an answer beyond its grid': ['UPDATE answer SET mask = 1 << 60 WHERE id = (SELECT max(id) FROM answer);', /selects a cell that its grid does not have/],
  'too many answers': ['UPDATE campaign SET answers_per_grid = 1;', /^rule: \d+ grids have more accepted answers/m],
  'a cell is gone': ['DELETE FROM grid_cell WHERE position = 3;', /cells that are not numbered from 0/],
  'an image twice on a grid': ['UPDATE grid_cell SET image = (SELECT image FROM grid_cell c WHERE c.grid = grid_cell.grid AND c.position = 0) WHERE position = 1;', /shows image \d+ twice/],
  "somebody else's place": ['UPDATE place SET person = 1 WHERE id = 1;', /does not match the person and campaign of its place/],
  'a broken index': ['PRAGMA writable_schema = 1; DELETE FROM sqlite_schema WHERE name = \'image_class\';', /^database: .*\n.*never used/m],
};

test('each kind of damage is found', async (t) => {
  const sound = await answeredStudy(t);
  assert.match((await holdout(['check', sound])).err, /Nothing wrong: \d+ pairs of image and class, 66 image files/);
  assert.deepEqual(JSON.parse(await must(['check', sound, '--json'])).findings, 0);
  for (const [what, [how, finding]] of Object.entries(damage)) {
    await t.test(what, async (t2) => {
      const dir = path.join(tempDir(t2), 'project');
      fs.cpSync(sound, dir, { recursive: true });
      if (typeof how === 'function') how(dir);
      else await sqlite(path.join(dir, 'holdout.db'), how);
      const r = await holdout(['check', dir]);
      assert.equal(r.code, 1, r.out + r.err);
      assert.match(r.out + r.err, finding);
      assert.match(r.err, /holdout: \d+ findings?$/m);
      const json = await holdout(['check', dir, '--json']);
      assert.equal(json.code, 1);
      assert.ok(JSON.parse(json.out.trimEnd().split('\n').at(-1)).findings >= 1);
    });
  }
  await must(['check', sound]);
});

test('check beside a running server', async (t) => {
  const dir = await answeredStudy(t);
  const server = await startServer(t, dir);
  await must(['check', dir]);
  assert.equal((await fetch(`${server.url}/readyz`)).status, 200);
});
