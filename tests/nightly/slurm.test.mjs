/* deploy/slurm on a real Slurm: one node with two slots, made here and stopped at the end. Each verb runs as an array
 * job, a shard of each is killed in the middle, and what is stored in the end is what one process stores that nobody
 * disturbs. Needs root, as slurmd does, and the packages of `tools/deps.sh nightly`. */
import assert from 'node:assert/strict';
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import fs from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { it } from 'node:test';

import { OPTIONS, results, shardsProject } from '../cli/shards_world.mjs';
import { copyOf } from '../cli/tools.mjs';
import { bin, holdout, must, root, tempDir, until } from '../http/lib.mjs';

const PATH = `${process.env.PATH}:/usr/sbin:/sbin`;
const SLOTS = 2;
const SHARDS = 4;
const missing = ['munged', 'slurmctld', 'slurmd', 'sbatch'].filter((p) => spawnSync('which', [p], { env: { PATH } }).status !== 0);
const skip = missing.length ? `SKIPPED: ${missing.join(', ')} not installed (tools/deps.sh nightly installs them)`
  : process.getuid() !== 0 && 'SKIPPED: slurmd needs root';
if (skip) console.log(`fact: ${skip}`); /* for the table of the nightly run */
async function patiently(look, what, seconds = 300) {
  for (const end = Date.now() + seconds * 1000; Date.now() < end;) {
    const found = await look();
    if (found) return found;
    await new Promise((resolve) => { setTimeout(resolve, 100); });
  }
  throw new Error(`not in ${seconds} s: ${what}`);
}

/* Free now; each of the daemons wants one of its own. */
async function freePorts(n) {
  const servers = await Promise.all(Array.from({ length: n }, () => new Promise((resolve) => {
    const s = net.createServer();
    s.listen(0, '127.0.0.1', () => resolve(s));
  })));
  const ports = servers.map((s) => s.address().port);
  await Promise.all(servers.map((s) => new Promise((resolve) => { s.close(resolve); })));
  return ports;
}

/* A cluster of one node: the environment in which sbatch and the rest speak to it. The daemons are children of this
 * process, so that the nightly run ends them too if it has to end this. */
async function cluster(dir) {
  const file = (name) => path.join(dir, name);
  const env = { ...process.env, PATH, SLURM_CONF: file('slurm.conf') };
  const [controller, node] = await freePorts(2);
  const host = os.hostname().split('.')[0];
  for (const name of ['state', 'spool']) fs.mkdirSync(file(name));
  fs.writeFileSync(file('munge.key'), randomBytes(128), { mode: 0o600 });
  fs.writeFileSync(env.SLURM_CONF, `ClusterName=nightly
SlurmctldHost=${host}(127.0.0.1)
SlurmUser=root
SlurmctldPort=${controller}
SlurmdPort=${node}
AuthType=auth/munge
AuthInfo=socket=${file('munge.socket')}
CredType=cred/munge
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
ReturnToService=2
StateSaveLocation=${file('state')}
SlurmdSpoolDir=${file('spool')}
SlurmctldPidFile=${file('slurmctld.pid')}
SlurmdPidFile=${file('slurmd.pid')}
SlurmctldLogFile=${file('slurmctld.log')}
SlurmdLogFile=${file('slurmd.log')}
NodeName=${host} NodeAddr=127.0.0.1 CPUs=${SLOTS} RealMemory=1000
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
`);
  const daemons = [];
  const start = (program, ...args) => {
    const out = fs.openSync(file(`${program}.out`), 'a');
    const child = spawn(program, args, { env, stdio: ['ignore', out, out] });
    fs.closeSync(out);
    daemons.push({ child, closed: once(child, 'close') });
  };
  const ask = (program, ...args) => execFileSync(program, args, { env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim();
  const log = () => fs.readdirSync(dir).filter((f) => /\.(log|out)$/.test(f))
    .map((f) => `${f}:\n${fs.readFileSync(file(f), 'utf8').split('\n').slice(-20).join('\n')}`).join('\n');
  /* In the opposite order, each when the one before has ended. */
  const end = async () => {
    spawnSync('scancel', ['--user=root'], { env, timeout: 10000 });
    for (const { child, closed } of daemons.splice(0).reverse()) {
      const timer = setTimeout(() => child.kill('SIGKILL'), 20000);
      child.kill('SIGTERM');
      await closed;
      clearTimeout(timer);
    }
  };
  try {
    /* With a key, a socket and files of its own it disturbs no other munged. */
    start('munged', '--foreground', '--force', `--key-file=${file('munge.key')}`, `--socket=${file('munge.socket')}`,
      `--pid-file=${file('munged.pid')}`, `--log-file=${file('munged.log')}`, `--seed-file=${file('munge.seed')}`);
    await patiently(async () => fs.existsSync(file('munge.socket')), 'munged answers', 20);
    start('slurmctld', '-D', '-c');
    start('slurmd', '-D', '-c');
    await patiently(async () => spawnSync('sinfo', ['--noheader', '--format=%T'], { env, encoding: 'utf8' }).stdout.trim() === 'idle',
      'the node is idle', 60);
  } catch (e) {
    e.message += `\n${log()}`;
    await end();
    throw e;
  }
  return { env, ask, log, end };
}

/* The process of the program that writes this file; null: none. */
function writerOf(file) {
  for (const pid of fs.readdirSync('/proc').filter((p) => /^\d+$/.test(p))) {
    try {
      const args = fs.readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
      if (path.basename(args[0]) === 'holdout' && args.includes(file)) return Number(pid);
    } catch { /* it has just ended */ }
  }
  return null;
}

/* Submits a verb, kills the second shard when part of it is on the disk, and waits for the end: what was said. */
async function runKilled(c, verb, dir, scratch) {
  const submitted = await holdout([verb, dir, String(SHARDS), ...OPTIONS[verb]],
    { binary: path.join(root, 'deploy', 'slurm', 'holdout-array'), env: { ...c.env, HOLDOUT: bin, SCRATCH: scratch } });
  assert.equal(submitted.code, 0, submitted.err);
  assert.match(submitted.out, /^Round 1 of 3: job \d+ computes shards 1,2,3,4, then job \d+ merges/);
  const partial = path.join(scratch, 'parts', `2-of-${SHARDS}.jsonl.partial`);
  await until(async () => fs.existsSync(partial) && fs.statSync(partial).size > 1000, 'the second shard is under way');
  const victim = writerOf(partial);
  assert.ok(victim, 'the shard was over too soon');
  process.kill(victim, 'SIGSTOP'); /* else it may end while we look */
  const slots = c.ask('squeue', '--noheader', '--states=RUNNING').split('\n').length;
  process.kill(victim, 'SIGKILL');
  await patiently(async () => c.ask('squeue', '--noheader') === '', 'all jobs have ended');
  const logs = path.join(scratch, 'logs');
  const number = (f) => Number(/\d+/.exec(f)[0]);
  const merges = fs.readdirSync(logs).filter((f) => f.startsWith('merge')).sort((x, y) => number(x) - number(y));
  return { slots, said: merges.map((f) => fs.readFileSync(path.join(logs, f), 'utf8')) };
}

it('shards as an array job, one of them killed, are what one process stores', { skip }, async (t) => {
  const c = await cluster(tempDir(t));
  try {
    const dir = await shardsProject(t, { images: 300, crop: 800, side: 48 });
    const whole = copyOf(t, dir);
    for (const verb of ['neighbors', 'features', 'predict']) {
      const begun = Date.now();
      const scratch = path.join(tempDir(t), 'scratch');
      const { said, slots } = await runKilled(c, verb, dir, scratch);
      assert.ok(slots <= SLOTS);
      assert.equal(said.length, 2, said.join('\n'));
      assert.match(said[0], /^Round 2 of 3: job \d+ computes shards 2, then/);
      assert.deepEqual(fs.readdirSync(scratch), ['logs'], said.join('\n'));
      const seconds = ((Date.now() - begun) / 1000).toFixed(0);
      await must([verb, whole, ...OPTIONS[verb], '--threads', '1']);
      assert.deepEqual(await results(dir, verb), await results(whole, verb), verb);
      console.log(`fact: ${verb}: ${SHARDS} shards on ${slots} slots, one killed, equal to one process; ${seconds} s`);
    }
    await must(['check', dir]);
  } catch (e) {
    e.message += `\n${c.log()}`;
    throw e;
  } finally {
    await c.end();
  }
});
