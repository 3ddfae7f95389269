/* The drill under load: generations are made while people answer, some of them killed half-way; what comes back has
 * everything that was acknowledged before the backup began, is sound, and serves. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { before, it } from 'node:test';
import { holdout as run } from '../http/lib.mjs';
import { FaultFile, buildTools, faultBin, holdout, lease, load, peakMiB, post, project, serve, tempDir, verify } from '../load/tools.mjs';

before(buildTools);

const ROUNDS = 12;
const KEEP = 4;

it('restores every generation that it made under load', async (t) => {
  const dir = await project(t, { grids: 2000, 'answers-per-grid': 200, images: 40000, lease: 3600 });
  const base = tempDir(t);
  const target = path.join(base, 'backups');
  const journal = path.join(base, 'journal');
  const faults = new FaultFile(base);
  t.after(() => faults.close());
  const server = await serve(t, dir);
  let over = false;
  const working = load('cycle', {
    port: server.port, campaign: 'load', clients: 32, seconds: 600, journal, 'give-up': 1, duplicate: 0.1,
  }, { timeout: 900000 });
  working.then(() => { over = true; });
  const made = [];
  let kills = 0;
  while (!fs.existsSync(journal)) await new Promise((resolve) => { setTimeout(resolve, 10); });
  for (let round = 0; round < ROUNDS; round++) {
    if (round % 3 === 1) {
      faults.killAfter(5 + round);
      const r = await run(['backup', dir, target, '--keep', String(KEEP)], { binary: faultBin, env: faults.env });
      faults.killAfter(0);
      kills += r.signal === 'SIGKILL';
      continue;
    }
    const before_ = path.join(base, `journal-${round}`);
    fs.copyFileSync(journal, before_);
    fs.truncateSync(before_, fs.readFileSync(before_).lastIndexOf(10) + 1); /* whole lines */
    const said = JSON.parse(await holdout(['backup', dir, target, '--json', '--keep', String(KEEP)]));
    made.push({ ...said, journal: before_ });
    assert.equal(over, false, 'the load goes on meanwhile');
  }
  assert.ok(kills >= 3, `${kills} kills`);
  const peak = peakMiB(server.child.pid);
  await server.stop();
  const r = await working;
  assert.equal(r.mismatches, 0, r.mismatch);
  const kept = fs.readdirSync(target).filter((f) => /^\d{8}T\d{9}Z$/.test(f)).sort();
  assert.deepEqual(kept, made.slice(-KEEP).map((m) => m.generation));

  let answers = 0;
  for (const m of made.slice(-KEEP)) {
    const again = path.join(base, `again-${m.generation}`);
    await holdout(['backup', '--verify', path.join(target, m.generation)]);
    await holdout(['restore', path.join(target, m.generation), again]);
    const v = await verify(again, m.journal);
    assert.deepEqual(v.violations, {});
    assert.ok(v.acknowledged >= answers);
    answers = v.acknowledged;
  }
  const again = path.join(base, `again-${kept.at(-1)}`);
  await holdout(['check', again, '--hash']);
  const restored = await serve(t, again);
  const l = await lease(restored.url, 'somebody new');
  const reply = await post(`${restored.url}/api/v1/assignments/${l.assignment}/answer`, { client_id: '00000000-0000-4000-8000-000000000001', selected: [0], active_ms: 900 });
  assert.equal(reply.status, 200, reply.text);
  await restored.stop();
  const seconds = made.map((m) => m.seconds).sort((a, b) => a - b);
  console.log(`fact: ${made.length} backups beside ${Math.round(r.answers_per_second)} answers a second, ${kills} killed; ${answers} answers restored, 0 lost`);
  console.log(`fact: a backup took ${seconds[seconds.length >> 1]} s (median), answers meanwhile p99 ${r.answer.p99_ms} ms`);
  console.log(`fact: server at most ${peak.toFixed(0)} MiB`);
});
