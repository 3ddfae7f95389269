/* Agreement, McNemar's test and paired intervals against statsmodels, NLTK and SciPy: they count new cases, and the unit
 * test that holds ours against what they once said (tests/unit/stats/peers_test.c) runs over these; what is kept is what
 * they say still. */
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import test from 'node:test';

import { here } from './peer.mjs';

const python = '/usr/bin/python3';
const installed = spawnSync(python, ['-c', 'import statsmodels, nltk, scipy'], { stdio: 'ignore' }).status === 0;
const root = path.join(here, '../..');
const ask = (seed) => execFileSync(python, [path.join(here, 'agreement.py'), String(seed)], { encoding: 'utf8' });
const numbers = (text) => text.trim().split('\n').flatMap((line) => Object.values(JSON.parse(line)).flat()).filter((v) => typeof v === 'number');

test('what is kept is what the peers say', { skip: installed ? false : 'python3-statsmodels, python3-nltk or python3-scipy is not installed' }, () => {
  const [kept, said] = [fs.readFileSync(path.join(root, 'tests/data/agreement/peers.jsonl'), 'utf8'), ask(1)].map(numbers);
  assert.equal(kept.length, said.length);
  kept.forEach((v, i) => assert.ok(Math.abs(v - said[i]) < 1e-12, `${v}, not ${said[i]}`));
});

test('ours are theirs on new cases', { skip: installed ? false : 'they are not installed' }, (t) => {
  const build = process.env.HOLDOUT_UNIT ?? path.join(root, 'build/release/tests/unit');
  const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'holdout-peers-'));
  t.after(() => fs.rmSync(dir, { recursive: true }));
  for (const seed of [2, 3, 4]) {
    const file = path.join(dir, 'peers.jsonl');
    fs.writeFileSync(file, ask(seed));
    const out = execFileSync(path.join(build, 'stats/peers_test'), { cwd: root, env: { ...process.env, HOLDOUT_PEERS: file }, encoding: 'utf8' });
    t.diagnostic(`seed ${seed}: ${/\d+ coefficients.*/.exec(out)?.[0]}`);
  }
});
