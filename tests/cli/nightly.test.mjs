/* The nightly run itself: parts by name, what passed is not run again, one table. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';

import { root, tempDir } from '../http/lib.mjs';

test('the nightly run resumes and adds up', (t) => {
  const dir = tempDir(t);
  const file = path.join(dir, 'parts.json');
  const sh = (script) => ['sh', '-c', script];
  fs.writeFileSync(file, JSON.stringify([
    { name: 'fine', what: 'passes', minutes: 1, command: sh(`echo run >> ${dir}/fine; echo "# fact: 3 apples"; echo "7 passed, 0 failed, 1 skipped"`) },
    { name: 'broken', what: 'fails until mended', minutes: 1, command: sh(`echo run >> ${dir}/broken; echo the reason; test -e ${dir}/mended`) },
    { name: 'stuck', what: 'ends by its limit', minutes: 0.002, command: sh('sleep 60') },
  ]));
  const nightly = (...args) => spawnSync(path.join(root, 'tests', 'nightly', 'run'), args,
    { encoding: 'utf8', env: { ...process.env, HOLDOUT_NIGHTLY_PARTS: file, HOLDOUT_NIGHTLY_DIR: path.join(dir, 'results') } });
  const runs = (name) => fs.readFileSync(path.join(dir, name), 'utf8').split('\n').length - 1;

  assert.match(nightly('list').stdout, /^fine +not run +passes$/m);
  let r = nightly('fine', 'broken');
  assert.equal(r.status, 1);
  assert.match(r.stdout, /^broken: .* FAILED, .*\nthe reason$/m);
  assert.match(r.stdout, /^fine +passed +\d+ s +7 passed, 0 failed, 1 skipped\n +3 apples$/m);
  assert.match(r.stdout, /^stuck +not run/m);
  assert.match(r.stdout, /^1 passed, 1 failed, 1 not run, \d+ s in all$/m);

  fs.writeFileSync(path.join(dir, 'mended'), '');
  r = nightly('fine broken');
  assert.equal(r.status, 0, r.stdout);
  assert.deepEqual([runs('fine'), runs('broken')], [1, 2], 'what passed is not run again');
  assert.equal(nightly('fine', '--again').status, 0);
  assert.equal(runs('fine'), 2);

  r = nightly();
  assert.equal(r.status, 1);
  assert.match(r.stdout, /^stuck +FAILED +\d+ s +stopped after 0\.002 minutes$/m);
  assert.equal(nightly('nothing').status, 2);
});
