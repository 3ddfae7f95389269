/* Jobs: started, watched, cancelled; processes and servers that are killed; what a request may not say.
 * The job is `stall`, which only the program with fault hooks has. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';

import { Client, faultBin, logLines, newProject, startServer, until } from './lib.mjs';
import { newToken } from './study.mjs';
import { FaultFile, sqlite } from '../load/tools.mjs';

const FAULT = { binary: faultBin };
const LONG = { steps: 100000, 'step-ms': 20 };

async function serve(t, dir, env = {}) {
  const server = await startServer(t, dir, { ...FAULT, env: { HOLDOUT_JOBS_JOBS_AT_ONCE: '2', ...env } });
  const client = await new Client(server.url).login();
  return { server, client, dir };
}
const begin = async (t, env) => serve(t, await newProject(t, FAULT), env);

async function start(client, args, kind = 'stall') {
  const r = await client.json('POST', '/api/v1/jobs', { kind, arguments: args });
  assert.equal(r.status, 202, JSON.stringify(r.body));
  assert.equal(r.headers.get('location'), `/api/v1/jobs/${r.body.id}`);
  return r.body.id;
}
const get = async (client, id) => (await client.json('GET', `/api/v1/jobs/${id}`)).body;
const reached = (client, id, state) => until(async () => {
  const job = await get(client, id);
  return job.state === state ? job : null;
}, `job ${id} is ${state}`);
const log = (dir, id) => fs.readFileSync(path.join(dir, 'jobs', `${id}.log`), 'utf8');
const pidOf = async (dir, id) => until(async () =>
  Number(await sqlite(path.join(dir, 'holdout.db'), `SELECT pid FROM job WHERE id = ${id};`)), 'a pid');

/* Nobody may have waited for a process whose parent was killed. */
const isGone = (pid) => {
  try {
    return / [ZX] /.test(fs.readFileSync(`/proc/${pid}/stat`, 'utf8').replace(/^.*\)/, ''));
  } catch {
    return true;
  }
};

/* What the files of a process are; one may be closed between the list and the look. */
const filesOf = (pid) => fs.readdirSync(`/proc/${pid}/fd`).map((fd) => {
  try {
    return fs.readlinkSync(`/proc/${pid}/fd/${fd}`);
  } catch (e) {
    assert.equal(e.code, 'ENOENT');
    return '';
  }
});

/* No process began before the one before it had ended, or was killed. */
function neverTwice(text, killed = []) {
  let running = null;
  for (const [, what, pid] of text.matchAll(/^(begin|end) (\d+)$/gm)) {
    if (what === 'begin') assert.ok(running === null || killed.includes(running), text);
    running = what === 'begin' ? Number(pid) : null;
  }
}

test('a job runs, says how far it is, and ends', async (t) => {
  const { client, dir } = await begin(t);
  assert.match(await client.page('/jobs'), /No jobs yet/);
  const id = await start(client, { steps: 90, 'step-ms': 10 });
  const running = await until(async () => {
    const job = await get(client, id);
    return job.progress.done > 0 && job.state === 'running' ? job : null;
  }, 'progress');
  assert.equal(running.progress.total, 90);
  assert.equal(running.note, 'stalls');
  assert.equal(running.command, 'holdout stall DIR --steps 90 --step-ms 10');
  assert.match(await client.page(`/jobs/${id}`), /data-live-topic="jobs"/);
  assert.match(await client.page('/jobs'), /Waiting and running/);
  const done = await reached(client, id, 'done');
  assert.equal(done.progress.percent, 100);
  assert.equal(done.starts, 1);
  assert.match(log(dir, id), /^== \S+ start 1: holdout stall DIR .*\nbegin \d+\nend \d+\n$/);
  const list = (await client.json('GET', '/api/v1/jobs')).body;
  assert.deepEqual([list.items.length, list.next], [1, null]);
  const metrics = await (await client.get('/metrics')).text();
  assert.match(metrics, /^holdout_jobs\{state="done"\} 1$/m);
  const words = (await client.page('/history')).replace(/<[^>]+>/g, '');
  assert.match(words, /started the job\s+Stall|started the job\s+stall/i);
});

test('the page of jobs is filtered by chips and sorted by heads', async (t) => {
  const { client } = await begin(t, { HOLDOUT_JOBS_JOBS_AT_ONCE: '1' });
  const long = await start(client, { steps: 30, 'step-ms': 20 });
  await reached(client, long, 'done');
  const failed = await start(client, { fail: 'no room' });
  await reached(client, failed, 'failed');
  const runs = await start(client, LONG);
  const never = await start(client, { ...LONG, say: 'b' });
  assert.equal((await client.json('POST', `/api/v1/jobs/${never}/cancel`)).status, 202);
  const listed = async (query) => [...(await client.page(`/jobs?${query}`)).matchAll(/<tr id="job-(\d+)"/g)].map((m) => Number(m[1]));
  assert.deepEqual(await listed(''), [runs, never, failed, long], 'what runs comes first');
  assert.deepEqual(await listed('order=rising'), [runs, long, failed, never]);
  assert.deepEqual((await listed('sort=took')).filter((id) => id !== runs), [long, failed, never], 'the longest first, what never began last');
  assert.deepEqual(await listed('show=open'), [runs]);
  assert.deepEqual(await listed('show=done'), [long]);
  assert.deepEqual(await listed('show=failed&page=3'), [failed]);
  assert.deepEqual(await listed('show=cancelled'), [never]);
  assert.deepEqual(await listed('kind=stall'), [runs, never, failed, long]);
  assert.match(await client.page('/jobs?kind=export-set'), /No such job/);
  assert.match(await client.page('/jobs?show=failed'), /data-live-url="\/jobs\?show=failed"/);
  for (const query of ['show=lost', 'kind=export', 'sort=luck', 'order=up', 'page=0']) {
    assert.equal((await client.get(`/jobs?${query}`)).status, 400, query);
  }
});

/* Names of the topics that an event stream tells, as they come. */
async function* topics(client, names, signal) {
  const r = await fetch(new URL(`/events?topics=${names}`, client.url), {
    signal, headers: { cookie: [...client.cookies].map(([k, v]) => `${k}=${v}`).join('; ') } });
  let text = '';
  for await (const piece of r.body.pipeThrough(new TextDecoderStream())) {
    text += piece;
    for (let at; (at = text.indexOf('\n\n')) >= 0; text = text.slice(at + 2)) {
      const m = /^event: (\S+)$/m.exec(text.slice(0, at));
      if (m) yield m[1];
    }
  }
}

test('live pages hear of jobs and models, whichever process stored them', async (t) => {
  const { client, dir } = await begin(t);
  const over = new AbortController();
  const heard = topics(client, 'jobs,models', over.signal);
  await start(client, { steps: 1 });
  assert.equal((await heard.next()).value, 'jobs');
  await sqlite(path.join(dir, 'holdout.db'), `BEGIN;
    INSERT INTO event (at, kind) VALUES (1, 'model.add');
    INSERT INTO model (id, name, kind) SELECT max(id), 'm', 'import' FROM event;
    COMMIT;`);
  while ((await heard.next()).value !== 'models') { /* the job's end */ }
  over.abort();
});

test('what a job says is shown as text, and why it failed', async (t) => {
  const { client } = await begin(t);
  const id = await start(client, { say: '<script>alert(1)</script>', fail: 'the disk & <b>the rest</b> are gone' });
  const failed = await reached(client, id, 'failed');
  assert.equal(failed.note, 'the disk & <b>the rest</b> are gone');
  const html = await client.page(`/jobs/${id}`);
  assert.ok(html.includes('&lt;script&gt;alert(1)&lt;/script&gt;?[31m ?'), html);
  assert.ok(html.includes('the disk &amp; &lt;b&gt;the rest&lt;/b&gt; are gone'), html);
  assert.ok(!html.includes('<script>alert'));
  const r = await client.post(`/jobs/${id}/again`);
  assert.equal(r.status, 303);
  const again = Number(/^\/jobs\/(\d+)$/.exec(r.headers.get('location'))[1]);
  assert.notEqual(again, id);
  assert.equal((await reached(client, again, 'failed')).title, failed.title);
});

test('two run at once, the third waits; cancelling one lets it in', async (t) => {
  const { client, dir } = await begin(t);
  const a = await start(client, { ...LONG, say: 'a' });
  const b = await start(client, { ...LONG, say: 'b' });
  const c = await start(client, { ...LONG, say: 'c' });
  assert.equal(await start(client, { ...LONG, say: 'b' }), b, 'the same again is the one that is open');
  await reached(client, a, 'running');
  await reached(client, b, 'running');
  assert.equal((await get(client, c)).state, 'queued');
  const pid = await pidOf(dir, a);
  assert.equal(Number(fs.readFileSync(`/proc/${pid}/stat`, 'utf8').replace(/^.*\) /, '').split(' ')[16]), 10);
  assert.deepEqual(filesOf(pid).filter((to) => /socket:|eventfd|serve\.lock/.test(to)), []);
  assert.equal((await client.post(`/jobs/${a}/cancel`)).status, 303);
  assert.match((await reached(client, a, 'cancelled')).note, /kept/);
  await reached(client, c, 'running');
  const over = await client.json('POST', `/api/v1/jobs/${a}/cancel`);
  assert.deepEqual([over.status, over.body.code], [409, 'job-over']);
  const waits = await start(client, { ...LONG, say: 'd' });
  const r = await client.json('POST', `/api/v1/jobs/${waits}/cancel`);
  assert.deepEqual([r.status, r.body.state, r.body.starts], [202, 'cancelled', 0]);
});

test('a process that is killed is started again, but not for ever', async (t) => {
  const { client, dir } = await begin(t);
  const id = await start(client, { steps: 3, 'step-ms': 60000 }); /* too slow to get anywhere */
  const killed = [];
  for (let i = 1; i <= 3; i++) {
    const pid = await until(async () => {
      const now = await pidOf(dir, id);
      return killed.includes(now) ? null : now;
    }, 'another process');
    killed.push(pid);
    process.kill(pid, 'SIGKILL');
  }
  const failed = await reached(client, id, 'failed');
  assert.match(failed.note, /3 times in a row .* signal 9/);
  assert.equal(failed.starts, 3);
  neverTwice(log(dir, id), killed);

  const other = await start(client, { steps: 60, 'step-ms': 10 });
  const pid = await pidOf(dir, other);
  process.kill(pid, 'SIGKILL');
  const done = await reached(client, other, 'done');
  assert.equal(done.starts, 2);
  neverTwice(log(dir, other), [pid]);
});

test('a server that is killed takes its jobs along; the next one goes on with them', async (t) => {
  const { server, client, dir } = await begin(t);
  const id = await start(client, { steps: 50, 'step-ms': 10 });
  const pid = await pidOf(dir, id);
  await server.stop('SIGKILL');
  const next = await serve(t, dir);
  const done = await reached(next.client, id, 'done');
  assert.ok(done.starts >= 2);
  assert.ok(isGone(pid));
  neverTwice(log(dir, id));
});

test('a server waits for a process of the one before it, and kills it in the end', async (t) => {
  const dir = await newProject(t, FAULT);
  const faults = new FaultFile(path.dirname(dir));
  t.after(() => faults.close());
  const first = await serve(t, dir, faults.env);
  const id = await start(first.client, { steps: 40, 'step-ms': 10, stubborn: true });
  const slow = await start(first.client, { ...LONG, stubborn: true });
  const pids = [await pidOf(dir, id), await pidOf(dir, slow)];
  await first.server.stop('SIGKILL');
  const next = await serve(t, dir, faults.env);
  await until(() => logLines(next.server).some((l) => l.msg === 'job of an earlier server ends first'), 'adoption');
  await reached(next.client, id, 'done');
  neverTwice(log(dir, id));
  faults.clock(11000);
  await until(() => logLines(next.server).some((l) => l.msg === 'job killed: it did not stop'), 'a kill');
  await until(() => isGone(pids[1]), 'its end');
  await until(async () => (await get(next.client, slow)).starts === 2, 'another start');
  neverTwice(log(dir, slow), pids);
  /* Nor does this one stop by itself, once it listens. */
  await until(() => log(dir, slow).match(/^begin /gm)?.length === 2, 'two beginnings');
  await next.client.json('POST', `/api/v1/jobs/${slow}/cancel`);
  await until(async () => (await get(next.client, slow)).state === 'stopping', 'told');
  faults.clock(30000);
  await reached(next.client, slow, 'cancelled');
});

/* More than a server can watch: more than twice the jobs that may run at once. They are processes that hold their
 * job's log as a job of an earlier server does, and end when they are told to. */
test('a server that finds more processes of earlier ones than it can watch watches the rest later', async (t) => {
  const dir = await newProject(t, FAULT);
  const MANY = 20;
  fs.mkdirSync(path.join(dir, 'jobs'), { recursive: true });
  const children = Array.from({ length: MANY }, (_, i) => {
    const fd = fs.openSync(path.join(dir, 'jobs', `${1001 + i}.log`), 'a');
    const child = spawn('sh', ['-c', 'flock -x 1 && exec sleep 1000'], { stdio: ['ignore', fd, 'ignore'] });
    fs.closeSync(fd);
    t.after(() => child.kill('SIGKILL'));
    return child;
  });
  await until(() => children.every((c) => fs.readFileSync(`/proc/${c.pid}/comm`, 'utf8') === 'sleep\n'), 'locks');
  const rows = children.map((c, i) => `INSERT INTO event (id, at, kind) VALUES (${1001 + i}, 1, 'job.start');
    INSERT INTO job (id, kind, arguments, title, state, starts, pid, started_at)
    VALUES (${1001 + i}, 'stall', '["--steps","1"]', 'stall ${i}', 'running', 1, ${c.pid}, 1);`);
  await sqlite(path.join(dir, 'holdout.db'), `BEGIN; ${rows.join('\n')} COMMIT;`);
  const { server, client } = await serve(t, dir);
  for (let id = 1001; id <= 1000 + MANY; id++) {
    const done = await reached(client, id, 'done');
    assert.equal(done.starts, 2, 'it ended first and began again');
  }
  const adopted = logLines(server).filter((l) => l.msg === 'job of an earlier server ends first');
  assert.deepEqual(adopted.map((l) => l.job).sort(), children.map((_, i) => 1001 + i));
});

test('a server that stops leaves its jobs in the queue', async (t) => {
  const { server, client, dir } = await begin(t);
  const id = await start(client, LONG);
  await reached(client, id, 'running');
  const pid = await pidOf(dir, id);
  await server.stop();
  assert.ok(isGone(pid));
  const db = path.join(dir, 'holdout.db');
  assert.equal((await sqlite(db, `SELECT state, deaths FROM job WHERE id = ${id};`)).trim(), 'queued|0');
  const none = await serve(t, dir, { HOLDOUT_JOBS_JOBS_AT_ONCE: '0' });
  assert.match(await none.client.page(`/jobs/${id}`), /No job starts here/);
  assert.equal((await get(none.client, id)).state, 'queued');
  await none.server.stop();
  const next = await serve(t, dir);
  await reached(next.client, id, 'running');
  neverTwice(log(dir, id));
});

test('what a request may not say', async (t) => {
  const { client } = await begin(t);
  const refused = async (body, code, status = 400) => {
    const r = await client.json('POST', '/api/v1/jobs', body);
    assert.deepEqual([r.status, r.body.code], [status, code], JSON.stringify(body));
  };
  await refused({}, 'job-kind');
  for (const kind of ['rm', 'serve', 'init', '', 'predict; ls', 7]) await refused({ kind }, 'job-kind');
  await refused({ kind: 'predict' }, 'job-option-missing');
  await refused({ kind: 'predict', arguments: [] }, 'job-arguments');
  await refused({ kind: 'predict', arguments: 'model' }, 'job-arguments');
  for (const name of ['output', 'shard', 'job', 'set.x', 'help', '--model', '']) {
    await refused({ kind: 'predict', arguments: { model: 'm', [name]: '1' } }, 'job-option');
  }
  for (const model of ['--all', '-q', '', 'a b', 'a/b', '../m', 'x'.repeat(65), '\u0001', null, 1.5, ['m'], { a: 1 }, false, '.m']) {
    await refused({ kind: 'predict', arguments: { model } }, 'job-value');
  }
  for (const set of ['a/b', 'a/', '/1', 'a/1/2', 'a/-1', 'a/+1', '--x', true.toString().repeat(20)]) {
    await refused({ kind: 'predict', arguments: { model: 'm', set } }, 'job-value');
  }
  for (const threads of [0, 257, '1e3', '2 ', -1]) {
    await refused({ kind: 'predict', arguments: { model: 'm', threads } }, 'job-value');
  }
  await refused({ kind: 'predict', arguments: { model: 'm', role: 'negative' } }, 'job-value');
  await refused({ kind: 'predict', arguments: { model: 'm', role: '' } }, 'job-value');
  for (const file of ['../x.onnx', '/etc/passwd', 'a/../b', '.hidden', 'a//b', '-x', 'a\nb', '']) {
    await refused({ kind: 'model add', arguments: { name: 'm', file } }, 'job-value');
  }
  const many = Object.fromEntries(Array.from({ length: 21 }, (_, i) => [`o${i}`, '1']));
  await refused({ kind: 'predict', arguments: many }, 'job-value');
  for (const id of ['0', '-1', 'x', '99999999', '9'.repeat(30)]) {
    const r = await client.json('GET', `/api/v1/jobs/${id}`);
    assert.deepEqual([r.status, r.body.code], [404, 'no-job'], id);
  }
  assert.equal((await client.json('GET', '/api/v1/jobs?limit=0')).body.code, 'cursor');
  assert.deepEqual((await client.json('GET', '/api/v1/jobs')).body, { items: [], next: null });
});

test('jobs are the leads’', async (t) => {
  const { server, client, dir } = await begin(t);
  const id = await start(client, { steps: 1 });
  await reached(client, id, 'done');
  for (const [role, allowed] of [['expert', false], ['lead', true]]) {
    const { token } = await newToken(dir, 'admin', role);
    const ask = (method, target, body) => fetch(`${server.url}${target}`, {
      method, body, headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' } });
    for (const target of ['/api/v1/jobs', `/api/v1/jobs/${id}`, '/jobs', `/jobs/${id}`]) {
      assert.equal((await ask('GET', target)).status, allowed ? 200 : 403, `${role} ${target}`);
    }
    const r = await ask('POST', '/api/v1/jobs', JSON.stringify({ kind: 'stall', arguments: { steps: 2 } }));
    assert.equal(r.status, allowed ? 202 : 403);
  }
});
