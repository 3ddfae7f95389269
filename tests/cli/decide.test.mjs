/* `holdout decide`: says what would change, changes it once, takes it back. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';

import { holdout, must, tempDir } from '../http/lib.mjs';
import { answeredStudy } from '../http/study.mjs';

/* A study with answers of three people; a function that writes a file. */
async function answered(t) {
  const dir = await answeredStudy(t);
  const work = tempDir(t);
  let n = 0;
  const file = (text) => {
    const name = path.join(work, `people-${++n}`);
    fs.writeFileSync(name, text);
    return name;
  };
  return { dir, file };
}

test('out, dry run, twice, undo, continue, and what is wrong', async (t) => {
  const { dir, file } = await answered(t);
  const before = await must(['export', 'frequencies', dir]);
  const out = ['decide', dir, '--out', '--people', file('ann\n\n eve \n')];
  const dry = await holdout([...out, '--dry-run']);
  assert.equal(dry.code, 0, dry.err);
  assert.match(dry.out, /^Exclude from the analysis: 2 answers of 2 people$/m);
  assert.match(dry.out, /^Candidates +0\.\d\d \(n .*\) -> 0\.\d\d \(n /m);
  assert.match(dry.err, /Excluding does not block/);
  assert.equal(await must(['export', 'frequencies', dir]), before);

  const done = JSON.parse(await must([...out, '--reason', 'hurried', '--json']));
  assert.deepEqual([done.changed, done.decision.subjects, done.decision.by, done.decision.state],
    [2, 2, 'command line', 'in effect']);
  assert.notEqual(await must(['export', 'frequencies', dir]), before);
  await must(['check', dir]);
  assert.equal(JSON.parse(await must([...out, '--reason', 'hurried', '--json'])).decision, null);
  const id = String(done.decision.id);
  assert.match((await holdout(['decide', dir, '--continue', id])).err, /2 of 2 answers written/);
  await must(['decide', dir, '--undo', id]);
  assert.equal(await must(['export', 'frequencies', dir]), before);
  const view = await holdout(['decide', dir, '--out', '--view', 'default', '--reason', 'x']);
  assert.equal(view.code, 0, view.err);
  assert.match(view.err, /Nothing would change/);

  for (const [args, code, said] of [
    [[], 2, /one of --out, --in, --undo ID and --continue ID/],
    [['--out', '--in', '--view', 'x', '--reason', 'x'], 2, /one of/],
    [['--out', '--reason', 'x'], 2, /either --people FILE or --view NAME/],
    [['--out', '--view', 'default'], 2, /needs --reason/],
    [['--undo', id, '--view', 'default'], 2, /need --out or --in/],
    [['--out', '--view', 'none', '--reason', 'x'], 1, /no (vote )?view/],
    [['--out', '--people', file('ann\nnobody\n'), '--reason', 'x'], 1, /people-\d+:2: nobody has that/],
    [['--out', '--people', file('\n'), '--reason', 'x'], 1, /names nobody/],
    [['--out', '--people', file('ann\n'), '--reason', 'ann hurried'], 1, /panel id/],
    [['--out', '--people', file('ann\n'), '--reason', 'x', '--before', 'today'], 1, /2026-11-20/],
    [['--out', '--people', file('ann\n'), '--reason', 'x', '--campaign', 'none'], 1, /no campaign|no such campaign/],
    [['--undo', '999999'], 1, /no such decision/],
    [['--continue', '999999'], 1, /no such decision/],
  ]) {
    const r = await holdout(['decide', dir, ...args]);
    assert.equal(r.code, code, args.join(' ') + r.err);
    assert.match(r.err, said, args.join(' '));
  }
  assert.equal(await must(['export', 'frequencies', dir]), before);
});
