/* deploy/holdout-shards, deploy/slurm and deploy/kubernetes: shards give what one process gives, lost ones are tried
 * again, and nobody waits forever. Slurm is played by a small program here; tests/nightly/slurm.test.mjs runs it. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';

import { bin, holdout, must, root, tempDir, until } from '../http/lib.mjs';
import { OPTIONS, results, shardsProgram, shardsProject } from './shards_world.mjs';
import { copyOf } from './tools.mjs';

const array = path.join(root, 'deploy', 'slurm', 'holdout-array');
const env = { HOLDOUT: bin };
const shards = (...args) => holdout(args.map(String), { binary: shardsProgram, env });
const done = async (...args) => {
  const r = await shards(...args);
  assert.equal(r.code, 0, `${args.join(' ')}: ${r.code ?? r.signal}\n${r.out}${r.err}`);
  return r.out.trim();
};

test('shards of every verb give what one process gives', async (t) => {
  const dir = await shardsProject(t, { images: 40 });
  const whole = copyOf(t, dir);
  const before = fs.readdirSync(dir);
  for (const verb of ['neighbors', 'features', 'predict']) {
    const scratch = path.join(tempDir(t), 'scratch');
    await done('snapshot', dir, scratch);
    assert.equal(await done('missing', scratch, 3), '1,2,3');
    await Promise.all([3, 1].map((i) => done('run', verb, scratch, i, 3, ...OPTIONS[verb])));
    assert.equal(await done('missing', scratch, 3), '2');
    const early = await shards('merge', verb, dir, scratch, 3, ...OPTIONS[verb]);
    assert.equal(early.code, 1);
    assert.match(early.err, /of 3 shards these are missing: 2; the other parts are kept/);
    assert.deepEqual(fs.readdirSync(dir), before, 'nobody but the merge opens the project to store');
    await done('run', verb, scratch, 2, 3, ...OPTIONS[verb]);
    await done('run', verb, scratch, 2, 3, ...OPTIONS[verb]);
    await done('merge', verb, dir, scratch, 3, ...OPTIONS[verb]);
    assert.deepEqual(fs.readdirSync(scratch), [], 'the snapshot is gone with the parts');
    await must([verb, whole, ...OPTIONS[verb]]);
    assert.deepEqual(await results(dir, verb), await results(whole, verb), verb);
    before.splice(0, before.length, ...fs.readdirSync(dir));
  }
  await must(['check', dir]);
});

test('a part is whole or resumed, and computed by one task at a time', async (t) => {
  const dir = await shardsProject(t, { images: 120, crop: 640 });
  const scratch = path.join(tempDir(t), 'scratch');
  await done('snapshot', dir, scratch);
  const partial = path.join(scratch, 'parts', '1-of-1.jsonl.partial');
  const args = ['run', 'features', scratch, '1', '1', ...OPTIONS.features, '--threads', '1'];
  const child = spawn(shardsProgram, args, { env: { ...process.env, ...env }, stdio: 'ignore', detached: true });
  const closed = once(child, 'close');
  await until(async () => fs.existsSync(partial) && fs.statSync(partial).size > 0, 'the shard is under way');
  const second = await shards(...args);
  assert.equal(second.code, 1);
  assert.match(second.err, /another task is computing shard 1\/1/);
  process.kill(-child.pid, 'SIGKILL'); /* the task and the program */
  await closed;
  /* The program may take longer to end than the shell that began it, and holds the lock until then. */
  await until(() => {
    try {
      return !process.kill(-child.pid, 0);
    } catch {
      return true;
    }
  }, 'all of the task is gone');
  assert.equal(await done('missing', scratch, 1), '1');
  assert.ok(fs.statSync(partial).size > 0);
  await done(...args);
  assert.equal(await done('missing', scratch, 1), '');
  await done('merge', 'features', dir, scratch, 1, ...OPTIONS.features);
  const whole = copyOf(t, dir);
  await must(['features', whole, ...OPTIONS.features]);
  assert.deepEqual(await results(dir, 'features'), await results(whole, 'features'));
});

test('wrong usage is said', async (t) => {
  for (const args of [[], ['run'], ['run', 'train', 'x', '1', '2'], ['merge', 'predict', 'x', 'y'], ['snapshot', 'x'], ['missing', 'x']]) {
    const r = await shards(...args);
    assert.equal(r.code, 2, args.join(' '));
    assert.match(r.err, /holdout-shards run VERB SCRATCH I N/);
  }
  const r = await shards('run', 'predict', tempDir(t), '1', '2');
  assert.equal(r.code, 1);
  assert.match(r.err, /has no snapshot of the project/);
  const front = await holdout(['predict', 'x'], { binary: array });
  assert.equal(front.code, 2);
  assert.match(front.err, /holdout-array VERB DIR N/);
});

/* Plays sbatch: runs each task at once and one by one, then what depends on them; each call is noted, and how the last
 * merging job ended. `lose`, a folder: a task with a file of its number in it loses the file, and ends. */
function playSlurm(t) {
  const dir = tempDir(t);
  const program = (name, text) => fs.writeFileSync(path.join(dir, name), `#!/bin/sh\n${text}`, { mode: 0o755 });
  program('sinfo', 'echo node\n');
  program('sbatch', `list= script=
for a; do
    case $a in
    --array=*) list=$(echo "\${a#*=}" | tr , ' ') ;;
    --dependency=*) script=merge ;;
    -*) ;;
    *) break ;;
    esac
    echo "$a" >>'${dir}/calls'
    shift
done
echo run "$@" >>'${dir}/calls'
for i in $list; do
    if [ -e '${dir}/lose/'$i ]; then rm '${dir}/lose/'$i; else SLURM_ARRAY_TASK_ID=$i "$@" >>'${dir}/log' 2>&1; fi
done
if [ "$script" = merge ]; then
    "$@" >>'${dir}/log' 2>&1
    echo $? >>'${dir}/ended'
fi
echo '17;cluster'
`);
  fs.mkdirSync(path.join(dir, 'lose'));
  const read = (name) => fs.readFileSync(path.join(dir, name), 'utf8');
  return { lose: (i) => fs.writeFileSync(path.join(dir, 'lose', String(i)), ''), calls: () => read('calls'), log: () => read('log'),
    ended: () => read('ended').trim().split('\n').map(Number),
    env: { ...env, PATH: `${dir}:${process.env.PATH}`, ARRAY_OPTIONS: '--mem=1G --cpus-per-task=2', MERGE_OPTIONS: '' } };
}

test('holdout-array submits, submits lost shards again, and merges', async (t) => {
  const slurm = playSlurm(t);
  const dir = await shardsProject(t, { images: 40 });
  const whole = copyOf(t, dir);
  slurm.lose(2);
  const args = ['predict', dir, '3', ...OPTIONS.predict];
  const r = await holdout(args, { binary: array, env: slurm.env });
  assert.equal(r.code, 0, r.err + slurm.log());
  const calls = slurm.calls();
  assert.deepEqual([...calls.matchAll(/^--array=(.*)$/gm)].map(([, list]) => list), ['1,2,3', '2']);
  assert.match(calls, /^--requeue$/m);
  assert.match(calls, /^--mem=1G$/m);
  assert.match(calls, /^--dependency=afterany:17$/m);
  assert.match(calls, /^--nodelist=/m);
  assert.match(slurm.log(), /Round 2 of 3: job 17 computes shards 2, then job 17 merges/);
  await must(['predict', whole, ...OPTIONS.predict]);
  assert.deepEqual(await results(dir, 'predict'), await results(whole, 'predict'));
});

test('holdout-array gives up after its rounds, and continues when asked again', async (t) => {
  const slurm = playSlurm(t);
  const dir = await shardsProject(t, { images: 40 });
  const args = ['features', dir, '2', ...OPTIONS.features];
  const scratch = path.join(tempDir(t), 'scratch');
  const failing = path.join(tempDir(t), 'holdout');
  fs.writeFileSync(failing, `#!/bin/sh\ncase "$*" in *2/2*) exit 1 ;; esac\nexec '${bin}' "$@"\n`, { mode: 0o755 });
  await holdout(args, { binary: array, env: { ...slurm.env, SCRATCH: scratch, HOLDOUT: failing } });
  assert.equal([...slurm.calls().matchAll(/^--array=/gm)].length, 3);
  assert.match(slurm.log(), /gave up after 3 rounds; of 2 shards these are missing: 2\. Nothing was merged/);
  assert.equal(slurm.ended()[0], 1, 'the innermost, which is the last');
  assert.ok(!fs.existsSync(path.join(dir, 'features')));
  assert.equal((await holdout(args, { binary: array, env: { ...slurm.env, SCRATCH: scratch } })).code, 0);
  assert.ok(fs.existsSync(path.join(dir, 'features')));
  assert.equal([...slurm.calls().matchAll(/^--array=2$/gm)].length, 3, 'what was there was not computed again');
});

/* As much of YAML as these files use: mappings and lists by indentation, "texts", [lists] and {}. */
function yaml(text) {
  const lines = text.split('\n').filter((l) => /\S/.test(l) && !/^\s*#/.test(l))
    .map((l) => ({ depth: l.search(/\S/), body: l.trim() }));
  const scalar = (s) => {
    if (/^["[{]/.test(s)) return JSON.parse(s);
    return /^\d+$/.test(s) ? Number(s) : { true: true, false: false }[s] ?? s;
  };
  const block = (depth) => {
    const list = lines[0].body.startsWith('- ');
    const out = list ? [] : {};
    while (lines.length && lines[0].depth === depth && lines[0].body.startsWith('- ') === list) {
      if (list) { /* its first line is a mapping's, two columns further in */
        lines[0] = { depth: depth + 2, body: lines[0].body.slice(2) };
        out.push(block(depth + 2));
        continue;
      }
      const [, key, value] = /^([^\s:]+):\s*(.*)$/.exec(lines.shift().body);
      assert.ok(!(key in out), `${key} once`);
      out[key] = value === '' ? block(lines[0].depth) : scalar(value);
    }
    assert.ok(!lines.length || lines[0].depth <= depth, `${lines[0]?.body}: indentation`);
    return out;
  };
  const all = block(0);
  assert.equal(lines.length, 0);
  return all;
}

test('Kubernetes: an indexed Job between a snapshot and a merge, each with few rights', async () => {
  const text = fs.readFileSync(path.join(root, 'deploy', 'kubernetes', 'shards.yaml'), 'utf8');
  const [settings, ...jobs] = text.split(/^---$/m).map(yaml);
  assert.deepEqual([settings.kind, ...jobs.map((j) => j.kind)], ['ConfigMap', 'Job', 'Job', 'Job']);
  assert.deepEqual(jobs.map((j) => j.metadata.labels.step), ['snapshot', 'shards', 'merge']);
  assert.ok(Object.values(settings.data).every((v) => typeof v === 'string'), 'a ConfigMap has texts only');
  const [snapshot, indexed, merge] = jobs;
  const { spec } = indexed;
  assert.equal(spec.completionMode, 'Indexed');
  assert.equal(String(spec.completions), settings.data.SHARDS);
  assert.ok(spec.backoffLimitPerIndex >= 1);
  assert.deepEqual(spec.podFailurePolicy.rules[0].onPodConditions, [{ type: 'DisruptionTarget' }]);
  for (const job of jobs) {
    const pod = job.spec.template.spec;
    assert.equal(job.apiVersion, 'batch/v1');
    assert.equal(pod.restartPolicy, 'Never'); /* backoffLimitPerIndex and podFailurePolicy demand it */
    assert.equal(pod.automountServiceAccountToken, false);
    assert.deepEqual([pod.securityContext.runAsNonRoot, pod.securityContext.runAsUser], [true, 10001]);
    assert.equal(pod.securityContext.seccompProfile.type, 'RuntimeDefault');
    const [c] = pod.containers;
    assert.deepEqual([c.securityContext.readOnlyRootFilesystem, c.securityContext.allowPrivilegeEscalation], [true, false]);
    assert.deepEqual(c.securityContext.capabilities.drop, ['ALL']);
    for (const kind of ['requests', 'limits']) assert.ok(c.resources[kind].cpu && c.resources[kind].memory);
    assert.deepEqual(c.volumeMounts.map((m) => m.name).sort(), pod.volumes.map((v) => v.name).sort());
    assert.equal(Boolean(pod.affinity), job !== indexed, 'what opens the project runs on the node of its server');
  }
  /* The user is the image's. */
  assert.match(fs.readFileSync(path.join(root, 'deploy', 'Dockerfile'), 'utf8'), /useradd --system --uid 10001/);
  const [shard] = spec.template.spec.containers;
  assert.deepEqual(shard.volumeMounts[0], { name: 'study', mountPath: '/study/shards', subPath: 'shards' });
  assert.match(merge.spec.template.spec.containers[0].command[2], /^exec holdout-shards merge \$VERB \/study\/project \/study\/shards \$SHARDS/);
  assert.deepEqual(snapshot.spec.template.spec.containers[0].command, ['holdout-shards', 'snapshot', '/study/project', '/study/shards']);
});

test('the commands of the Kubernetes file do it', async (t) => {
  const dir = await shardsProject(t, { images: 40 });
  const whole = copyOf(t, dir);
  const text = fs.readFileSync(path.join(root, 'deploy', 'kubernetes', 'shards.yaml'), 'utf8');
  const commands = text.split(/^---$/m).slice(1).map((d) => yaml(d).spec.template.spec.containers[0].command);
  const pod = async (command, more = {}) => {
    const args = command.map((word) => word.replaceAll('/study', path.dirname(dir)));
    const r = await holdout(args.slice(1), { binary: args[0], env: { ...env, PATH: `${path.join(root, 'deploy')}:${process.env.PATH}`,
      VERB: 'predict', OPTIONS: OPTIONS.predict.join(' '), SHARDS: '2', THREADS: '1', ...more } });
    assert.equal(r.code, 0, r.err);
  };
  const [snapshot, shard, merge] = commands;
  await pod(snapshot);
  for (const i of [0, 1]) await pod(shard, { JOB_COMPLETION_INDEX: String(i) });
  await must(['check', dir]);
  await pod(merge);
  await must(['predict', whole, ...OPTIONS.predict]);
  assert.deepEqual(await results(dir, 'predict'), await results(whole, 'predict'));
});
