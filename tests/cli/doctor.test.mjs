/* What `doctor` finds, one thing at a time, and every mistake of a configuration at once. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { before, test } from 'node:test';

import { bin, holdout, must, newProject, startServer, tempDir, wholeFile } from '../http/lib.mjs';
import { sqlite } from '../load/tools.mjs';

const whole = wholeFile();

delete process.env.TMPDIR; /* doctor says so of a folder in memory */

let project;
before(async () => { project = await newProject(whole); });

const copyOf = (t) => {
  const dir = path.join(tempDir(t), 'project');
  fs.cpSync(project, dir, { recursive: true });
  return dir;
};
const configured = (dir, text) => fs.writeFileSync(path.join(dir, 'config.ini'), text);

/* { code, of: what -> [[state, text], ...] }; what a line says stands in the JSON too. */
async function doctor(args, options) {
  const json = await holdout(['doctor', ...args, '--json'], options);
  const { checks, failed, warnings } = JSON.parse(json.out);
  assert.equal(json.code, failed ? 1 : 0, json.out + json.err);
  for (const state of ['ok', 'warn', 'fail']) {
    const n = checks.filter((c) => c.state === state).length;
    assert.equal(n, { ok: checks.length - failed - warnings, warn: warnings, fail: failed }[state]);
  }
  const of = {};
  for (const c of checks) (of[c.what] ??= []).push([c.state, c.text]);
  return { code: json.code, of };
}
const says = async (dir, what, state, text, { args = [], ...options } = {}) => {
  const { of } = await doctor([dir, ...args], options);
  const found = (of[what] ?? []).filter(([s, words]) => s === state && text.test(words));
  assert.equal(found.length, 1, `${what}: ${JSON.stringify(of[what])}`);
};

test('the machine alone, and a project that is fine', async (t) => {
  const alone = await doctor([]);
  assert.deepEqual(Object.keys(alone.of).sort(), ['clock', 'fonts', 'libraries', 'models']);
  assert.match(alone.of.libraries[0][1], /holdout \S+, SQLite 3\.\S+, libmicrohttpd \S+, GnuTLS \d\S+, libsodium \S+, jansson \S+, oneDNN \d\S+/);
  const dir = copyOf(t);
  configured(dir, '[server]\nport = 0\n');
  const r = await holdout(['doctor', dir]);
  assert.equal(r.code, 0, r.out + r.err);
  for (const line of r.out.trimEnd().split('\n')) assert.match(line, /^(ok   |warn |fail ) [a-z][a-z ]{11} \S/);
  for (const what of ['config', 'permissions', 'database', 'wal', 'descriptors', 'address', 'server']) {
    assert.match(r.out, new RegExp(`^ok {4}${what} `, 'm'));
  }
  assert.match(r.out, /^(ok|warn) +file system /m);
  assert.match(r.out, /^warn {2}backup +none was made yet/m);
  assert.match(r.err, /^\d+ ok, \d+ warnings, 0 failed$/m);
});

test('findings', async (t) => {
  await says(tempDir(t), 'project', 'fail', /is not a project: `holdout init/);
  const dir = copyOf(t);
  const db = path.join(dir, 'holdout.db');

  configured(dir, '[server]\nport = many\nprot = 1\n');
  const { of } = await doctor([dir]);
  assert.deepEqual(of.config.map(([s, text]) => [s, /config\.ini:(\d)/.exec(text)[1]]), [['fail', '2'], ['fail', '3']]);
  configured(dir, '');

  const taken = net.createServer();
  await new Promise((resolve) => { taken.listen(0, '127.0.0.1', resolve); });
  await says(dir, 'server', 'fail', /could not listen on 127\.0\.0\.1 port \d+ \(Address already in use\)/, { args: ['--set', `server.port=${taken.address().port}`] });
  taken.close();

  configured(dir, '[server]\nbind = 0.0.0.0\nport = 0\n');
  await says(dir, 'address', 'warn', /can be reached from outside without TLS/);
  configured(dir, '[server]\nport = 0\npublic_url = https://study.example\n');
  await says(dir, 'address', 'warn', /neither tls_cert nor trusted_proxies is set/);
  configured(dir, '[server]\nport = 0\ntrusted_proxies = 127.0.0.1\n');
  await says(dir, 'address', 'warn', /trusted_proxies is set, but public_url is empty/);
  configured(dir, '[server]\nport = 0\ntrusted_proxies = 127.0.0.1\npublic_url = https://study.example\n');
  await says(dir, 'address', 'ok', /https:\/\/study\.example, by a proxy/);
  configured(dir, '[server]\nport = 0\ntls_cert = cert.pem\ntls_key = key.pem\npublic_url = https://study.example\n');
  await says(dir, 'tls', 'fail', /tls_cert names .*cert\.pem, which cannot be read/);
  fs.writeFileSync(path.join(dir, 'cert.pem'), '');
  fs.writeFileSync(path.join(dir, 'key.pem'), '', { mode: 0o644 });
  fs.chmodSync(path.join(dir, 'key.pem'), 0o644);
  await says(dir, 'tls', 'warn', /everybody can read the key/);
  fs.chmodSync(path.join(dir, 'key.pem'), 0o600);
  await says(dir, 'tls', 'ok', /can be read/);
  configured(dir, '[server]\nport = 0\n');

  fs.chmodSync(db, 0o644);
  await says(dir, 'permissions', 'warn', /others may read .*holdout\.db .*chmod 600/);
  fs.chmodSync(db, 0o600);
  fs.chmodSync(path.join(dir, 'config.ini'), 0o640);
  await says(dir, 'permissions', 'warn', /others may read .*config\.ini.*chmod 600/);
  fs.chmodSync(path.join(dir, 'config.ini'), 0o600);
  fs.chmodSync(dir, 0o755);
  await says(dir, 'permissions', 'warn', /others may look into .*chmod 700/);
  fs.chmodSync(dir, 0o700);
  await says(dir, 'permissions', 'ok', /only its owner can read/);
  fs.writeFileSync(path.join(dir, 'holdout.db.version-2-x'), '');
  await says(dir, 'copies', 'warn', /1 copies of the database from before a migration/);
  fs.rmSync(path.join(dir, 'holdout.db.version-2-x'));

  const target = path.join(tempDir(t), 'backup');
  await must(['backup', dir, target]);
  await says(dir, 'backup', 'ok', /the last one is of 20/);
  await sqlite(db, `UPDATE setting SET value = ${Date.now() - 9 * 86400000} WHERE key = 'backup.last';`);
  await says(dir, 'backup', 'warn', /the last one is 9 days old/);
  await sqlite(db, 'PRAGMA user_version = 99;');
  await says(dir, 'database', 'fail', /version 99/);
  fs.writeFileSync(db, 'not a database at all, although its name says so'.repeat(100));
  await says(dir, 'database', 'fail', /database/);
});

test('descriptors: fewer than the connections that are configured', async (t) => {
  const dir = copyOf(t);
  const child = spawn('bash', ['-c', 'ulimit -n 400; exec "$@"', 'doctor', bin, 'doctor', dir, '--set', 'server.port=0'], { stdio: ['ignore', 'pipe', 'ignore'] });
  let out = '';
  child.stdout.on('data', (c) => { out += c; });
  assert.equal((await once(child, 'close'))[0], 1);
  assert.match(out, /^fail {2}descriptors +a process may open 400 files, and 1024 connections need \d+/m);
});

test('a server: ready, and one that hangs', async (t) => {
  const dir = copyOf(t);
  const server = await startServer(t, dir);
  await says(dir, 'server', 'ok', new RegExp(`^${server.url} is ready$`));
  server.child.kill('SIGSTOP');
  const hanging = await doctor([dir]);
  server.child.kill('SIGCONT');
  assert.match(hanging.of.server[0][1], /answers \/readyz with 0 instead of 200/);
  assert.equal(hanging.of.server[0][0], 'fail');
  await server.stop();
  await says(dir, 'server', 'ok', /none is running/, { args: ['--set', 'server.port=0'] });
});

test('check --config-only names every mistake, whatever else is broken', async (t) => {
  const dir = copyOf(t);
  configured(dir, ['[server]', 'port = many', 'bind = nowhere', '[work', 'just words', '[limits]', 'body_mb = 0', 'body_mb = 7',
    'body_mb = 8', '[nothing]', 'x = 1', `[server]`, `log_level = ${'x'.repeat(300)}`, 'tls_cert = a.pem', '; a comment', '', 'threads = 2'].join('\n'));
  fs.writeFileSync(path.join(dir, 'holdout.db'), 'broken');
  const r = await holdout(['check', dir, '--config-only', '--set', 'server.queue=1', '--set', 'nonsense'], { env: { HOLDOUT_IMAGES_QUALITY: '7', HOLDOUT_WORK_NOTHING: '1' } });
  assert.equal(r.code, 1);
  const lines = r.out.trimEnd().split('\n');
  const at = lines.map((l) => /config\.ini:(\d+): /.exec(l)?.[1]).filter(Boolean).map(Number);
  assert.deepEqual(at, [2, 3, 4, 5, 7, 8, 9, 11, 13]);
  for (const text of ['server.queue = 1: expected', 'nonsense: there is no such option', 'HOLDOUT_IMAGES_QUALITY', 'HOLDOUT_WORK_NOTHING', 'tls_key is missing',
    'given twice, first in line 7']) {
    assert.equal(lines.filter((l) => l.includes(text)).length >= 1, true, `${text}\n${r.out}`);
  }
  assert.match(r.err, new RegExp(`${lines.length} mistakes in the configuration`));
  const json = await holdout(['check', dir, '--config-only', '--json']);
  assert.equal(JSON.parse(json.out.trimEnd().split('\n').at(-1)).findings, 10);
  configured(dir, '');
  assert.match((await holdout(['check', dir, '--config-only'])).err, /The configuration is fine/);
  assert.match((await holdout(['check', path.join(dir, 'nowhere'), '--config-only'])).err, /is not a folder/);
});

test('jobs that nobody runs', async (t) => {
  const dir = copyOf(t);
  const db = path.join(dir, 'holdout.db');
  const port = ['--set', 'server.port=0'];
  await says(dir, 'jobs', 'ok', /^0 running, 0 waiting$/, { args: port });
  await sqlite(db, `INSERT INTO event (at, kind) VALUES (1, 'job.start');
    INSERT INTO job (id, kind, arguments, title, state, started_at) SELECT max(id), 'predict', '[]', 'x', 'queued', 1 FROM event;`);
  await says(dir, 'jobs', 'warn', /^1 waiting: they continue when the server runs/, { args: port });
  const server = await startServer(t, dir, { env: { HOLDOUT_JOBS_JOBS_AT_ONCE: '0' } });
  await says(dir, 'jobs', 'warn', /^1 waiting, but jobs_at_once is 0/, { args: [...port, '--set', 'jobs.jobs_at_once=0'] });
  await server.stop();
  await sqlite(db, "UPDATE job SET state = 'running';");
  const log = path.join(dir, 'jobs', `${(await sqlite(db, 'SELECT id FROM job;')).trim()}.log`);
  fs.mkdirSync(path.dirname(log), { recursive: true });
  const holder = spawn('flock', [log, 'cat'], { stdio: ['pipe', 'pipe', 'inherit'] });
  holder.stdin.write('locked\n');
  await once(holder.stdout, 'data');
  await says(dir, 'jobs', 'warn', /^job \d+ is running, but its server is not/, { args: port });
  holder.stdin.end();
  await once(holder, 'close');
});
