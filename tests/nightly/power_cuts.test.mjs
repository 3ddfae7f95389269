/* A hundred power cuts in a row under load, every other one with a torn log: whatever was acknowledged in any
 * of the lives is there after all of them. */
import assert from 'node:assert/strict';
import path from 'node:path';
import { before, it } from 'node:test';
import { buildTools, holdout, project, tempDir, verify } from '../load/tools.mjs';
import { lifeAndPowerCut, tearTail } from '../load/power.mjs';

before(buildTools);

const ROUNDS = 100;
const CHECK_EVERY = 20; /* a full recount takes longer than a life */

it(`loses nothing acknowledged in ${ROUNDS} power cuts under load`, async (t) => {
  const dir = await project(t, { grids: 1000, 'answers-per-grid': 1000, images: 20000, lease: 3600 });
  const journal = path.join(tempDir(t), 'journal');
  let torn = 0;
  let last;
  for (let round = 0; round < ROUNDS; round++) {
    /* From the first answer to half a second later: the cut comes at any moment between checkpoints. */
    await lifeAndPowerCut(t, dir, { ms: (round * 37) % 500, journal, seed: round });
    if (round % 2 === 1) torn += tearTail(path.join(dir, 'holdout.db-wal'));
    last = await verify(dir, journal);
    assert.deepEqual(last.violations, {}, `round ${round}`);
    if ((round + 1) % CHECK_EVERY === 0) await holdout(['check', dir]);
  }
  assert.ok(torn > ROUNDS / 4, `${torn} torn logs`);
  console.log(`fact: ${ROUNDS} power cuts, ${torn} torn logs, ${last.acknowledged} answers acknowledged, 0 lost`);
});
