/* What deploy/ promises: the nginx snippet in front of a real server (TLS, cookies, addresses, events),
 * TLS by the server itself, units that systemd accepts, a Dockerfile that copies what is there. Parts
 * that need nginx or systemd run where those are installed; their texts are checked everywhere. */
import assert from 'node:assert/strict';
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import https from 'node:https';
import net from 'node:net';
import path from 'node:path';
import { test } from 'node:test';
import tls from 'node:tls';

import { Client, PASSWORD, bin, holdout, must, newProject, root, startServer, tempDir } from '../http/lib.mjs';
import { addOnnx, writer } from '../http/model_world.mjs';
import { newStudy } from '../http/study.mjs';
import { sanitized } from '../load/tools.mjs';
import { confined } from './confined.mjs';

delete process.env.TMPDIR; /* the unit keeps its project on a disk */

const PATH = `${process.env.PATH}:/usr/sbin:/sbin`;
const text = (name) => fs.readFileSync(path.join(root, 'deploy', name), 'utf8');
const installed = (program, ...args) => spawnSync(program, args, { env: { ...process.env, PATH } }).error === undefined;

/* Free now; nginx cannot take port 0. */
async function freePort() {
  const server = net.createServer();
  await new Promise((resolve) => { server.listen(0, '127.0.0.1', resolve); });
  const { port } = server.address();
  await new Promise((resolve) => { server.close(resolve); });
  return port;
}

function certificate(dir) {
  const [cert, key] = [path.join(dir, 'cert.pem'), path.join(dir, 'key.pem')];
  execFileSync('openssl', ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2',
    '-subj', '/CN=study.example', '-addext', 'subjectAltName=DNS:study.example', '-keyout', key, '-out', cert], { stdio: 'ignore' });
  return { cert, key };
}

/* One HTTPS request, checked against the certificate: { status, headers, body }. */
function ask(port, ca, target, { method = 'GET', headers = {}, body, from = '127.0.0.1' } = {}) {
  return new Promise((resolve, reject) => {
    const r = https.request({
      host: '127.0.0.1', port, path: target, method, ca, servername: 'study.example', localAddress: from, agent: false,
      headers: { host: 'study.example', ...headers },
    }, (reply) => {
      let all = '';
      reply.setEncoding('utf8').on('data', (c) => { all += c; });
      reply.on('end', () => resolve({ status: reply.statusCode, headers: reply.headers, body: all }));
    });
    r.on('error', reject);
    r.end(body);
  });
}
const form = (fields) => ({ method: 'POST', headers: { 'content-type': 'application/x-www-form-urlencoded' }, body: String(new URLSearchParams(fields)) });
const json = (value) => ({ method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(value) });

test('TLS by tls_cert and tls_key', async (t) => {
  const dir = await newProject(t);
  const { cert, key } = certificate(tempDir(t));
  const ca = fs.readFileSync(cert);
  fs.writeFileSync(path.join(dir, 'config.ini'), `[server]\ntls_cert = ${cert}\ntls_key = ${key}\npublic_url = https://study.example\n`);
  const server = await startServer(t, dir);
  assert.match(server.url, /^https:/);
  const { port } = new URL(server.url);
  assert.equal((await ask(port, ca, '/readyz')).status, 200);
  const login = await ask(port, ca, '/login', form({ login: 'admin', password: PASSWORD }));
  assert.equal(login.status, 303);
  assert.match(login.headers['set-cookie'][0], /; Secure/);
  /* TLS 1.2 and up, with forward secrecy and no MAC of SHA-1. */
  const speaks = (options) => new Promise((resolve) => {
    const s = tls.connect({ host: '127.0.0.1', port, ca, servername: 'study.example', ...options });
    s.once('secureConnect', () => { resolve(s.getProtocol()); s.destroy(); });
    s.once('error', () => resolve(null));
  });
  const weak = { minVersion: 'TLSv1', ciphers: 'ALL:@SECLEVEL=0' };
  assert.equal(await speaks({}), 'TLSv1.3');
  assert.equal(await speaks({ maxVersion: 'TLSv1.2' }), 'TLSv1.2');
  for (const maxVersion of ['TLSv1', 'TLSv1.1']) assert.equal(await speaks({ ...weak, maxVersion }), null, maxVersion);
  assert.equal(await speaks({ maxVersion: 'TLSv1.2', ciphers: 'ECDHE-ECDSA-AES128-SHA:@SECLEVEL=0' }), null);
  /* Plain HTTP on that port is no way in, and harms nobody. */
  await assert.rejects(fetch(`http://127.0.0.1:${port}/readyz`));
  assert.equal((await ask(port, ca, '/readyz')).status, 200);
  assert.equal((await holdout(['doctor', dir, '--ready'])).code, 0);
  await server.stop();
  assert.match((await holdout(['doctor', dir, '--ready'])).out, /fail +server +none is running/);
  fs.writeFileSync(cert, 'not a certificate');
  const r = await holdout(['serve', dir, '--port', '0']);
  assert.equal(r.code, 1);
  assert.match(r.err, /certificate|TLS/i);
});

/* deploy/nginx.conf as it is, but for ports, paths of the certificate and of nginx's own files. */
async function startNginx(t, upstream) {
  const dir = tempDir(t);
  const { cert, key } = certificate(dir);
  const [plain, tls] = [await freePort(), await freePort()];
  let conf = text('nginx.conf');
  const change = (from, to) => {
    assert.ok(conf.includes(from), from);
    conf = conf.replaceAll(from, to);
  };
  change('server 127.0.0.1:8080;', `server 127.0.0.1:${upstream};`);
  change('    listen 80;\n    listen [::]:80;\n', `    listen 127.0.0.1:${plain};\n`);
  change('    listen 443 ssl http2;\n    listen [::]:443 ssl http2;\n', `    listen 127.0.0.1:${tls} ssl http2;\n`);
  change('/etc/ssl/study.example/fullchain.pem', cert);
  change('/etc/ssl/study.example/key.pem', key);
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((n) => `${n}_temp_path ${dir}/${n};`).join(' ');
  const file = path.join(dir, 'nginx.conf');
  fs.writeFileSync(file, `worker_processes 1; daemon off; pid ${dir}/pid; error_log stderr;
events { worker_connections 256; }
http { access_log off; ${temporary}
${conf}
}
`);
  const env = { ...process.env, PATH };
  execFileSync('nginx', ['-t', '-q', '-e', 'stderr', '-c', file], { env, stdio: ['ignore', 'ignore', 'pipe'] });
  const child = spawn('nginx', ['-e', 'stderr', '-c', file], { env, stdio: ['ignore', 'ignore', 'pipe'] });
  let err = '';
  child.stderr.on('data', (c) => { err += c; });
  const closed = once(child, 'close');
  t.after(async () => {
    child.kill('SIGQUIT');
    await closed;
  });
  const ca = fs.readFileSync(cert);
  for (;;) {
    assert.equal(child.exitCode, null, err);
    try {
      await ask(tls, ca, '/healthz');
      break;
    } catch (e) {
      if (e.code !== 'ECONNREFUSED') throw e;
    }
  }
  return { plain, tls, ca };
}

test('nginx in front', async (t) => {
  if (!installed('nginx', '-v')) {
    t.diagnostic('nginx is not installed: its snippet was not run');
    return;
  }
  const dir = await newStudy(t);
  fs.writeFileSync(path.join(dir, 'config.ini'), `[server]\npublic_url = https://study.example\ntrusted_proxies = 127.0.0.1
connections_per_address = 4\n[limits]\nplaces_per_address_hour = 3\n`);
  const server = await startServer(t, dir);
  const { plain, tls, ca } = await startNginx(t, new URL(server.url).port);

  const moved = await fetch(`http://127.0.0.1:${plain}/work?x=1`, { redirect: 'manual', headers: { host: 'study.example' } });
  assert.equal(moved.status, 301);
  assert.match(moved.headers.get('location'), /^https:\/\/.*\/work\?x=1$/);
  const page = await ask(tls, ca, '/login');
  assert.equal(page.status, 200);
  assert.ok(page.headers['strict-transport-security']);

  const login = await ask(tls, ca, '/login', form({ login: 'lead', password: PASSWORD }));
  assert.equal(login.status, 303, login.body);
  const cookie = login.headers['set-cookie'][0];
  assert.match(cookie, /; Secure/);
  const signedIn = { headers: { cookie: cookie.split(';')[0] } };
  assert.equal((await ask(tls, ca, '/', signedIn)).status, 200);
  assert.equal((await ask(tls, ca, '/metrics', signedIn)).status, 403);

  /* Two addresses have two quotas; what a client says of itself gives it no third. */
  const join = (from, n, headers = {}) => ask(tls, ca, '/api/v1/campaigns/main/places',
    { ...json({ external_id: `p-${from}-${n}` }), from, headers: { 'content-type': 'application/json', ...headers } });
  for (const from of ['127.0.0.2', '127.0.0.3']) {
    for (let n = 0; n < 3; n++) assert.equal((await join(from, n)).status, 201);
    assert.equal((await join(from, 3)).status, 429);
    assert.equal((await join(from, 4, { 'x-forwarded-for': '203.0.113.9' })).status, 429);
  }

  /* An answer is told by an event that comes through at once, on a stream that stays open. */
  const stream = await new Promise((resolve, reject) => {
    https.get({ host: '127.0.0.1', port: tls, path: '/events?topics=votes', ca, servername: 'study.example', agent: false,
      headers: { host: 'study.example', accept: 'text/event-stream', ...signedIn.headers } }, resolve).on('error', reject);
  });
  assert.equal(stream.statusCode, 200);
  let heard = '';
  const event = new Promise((resolve) => {
    stream.setEncoding('utf8').on('data', (c) => {
      heard += c;
      if (/^event: votes$/m.test(heard)) resolve();
    });
  });
  const { place } = JSON.parse((await join('127.0.0.4', 0)).body);
  const grid = JSON.parse((await ask(tls, ca, `/api/v1/places/${place}/next`, json({}))).body);
  assert.equal((await ask(tls, ca, `/api/v1/assignments/${grid.assignment}/answer`, json({ client_id: 'by-proxy-1', selected: [1] }))).status, 200);
  await event;
  stream.destroy();

  /* More connections than one address may have: the proxy's do not count as one person's. */
  const many = await Promise.all(Array.from({ length: 12 }, () => ask(tls, ca, '/healthz')));
  assert.ok(many.every((r) => r.status === 200));
  const tries = [];
  for (let i = 0; i < 14; i++) tries.push((await ask(tls, ca, '/login', { from: '127.0.0.9' })).status);
  assert.equal(tries[0], 200);
  assert.equal(tries.at(-1), 429);
  /* nginx sends nothing larger than the project takes. */
  const large = await ask(tls, ca, '/api/v1/campaigns/main/places', { method: 'POST', headers: { 'content-length': 65 << 20, expect: '100-continue' } });
  assert.equal(large.status, 413);
  await server.stop();
  assert.equal((await ask(tls, ca, '/readyz')).status, 502);
});

test('units that systemd accepts, and hardened', async (t) => {
  const unit = text('holdout@.service');
  for (const line of ['User=holdout', 'ProtectSystem=strict', 'NoNewPrivileges=yes', 'CapabilityBoundingSet=', 'Restart=on-failure', 'UMask=0077',
    'PrivateDevices=yes', 'SystemCallFilter=@system-service']) {
    assert.ok(unit.split('\n').includes(line), line);
  }
  assert.match(unit, /^MemoryMax=\d/m);
  assert.match(unit, /^TimeoutStopSec=\d/m);
  assert.match(text('holdout-backup@.service'), /^ExecStart=\S+ backup \S+ \S+ --keep [2-9]$/m);
  if (!installed('systemd-analyze', '--version')) {
    t.diagnostic('systemd-analyze is not installed: the units were read, not verified');
    return;
  }
  const dir = tempDir(t);
  for (const name of ['holdout@.service', 'holdout-backup@.service', 'holdout-backup@.timer']) {
    fs.writeFileSync(path.join(dir, name.replace('@', '@study')), text(name).replaceAll('/usr/local/bin/holdout', bin));
  }
  const r = spawnSync('systemd-analyze', ['verify', '--man=no', ...fs.readdirSync(dir).map((f) => path.join(dir, f))], { encoding: 'utf8' });
  const about = r.stderr.split('\n').filter((l) => l.includes('holdout'));
  assert.deepEqual(about, [], r.stderr);
});

/* A model, and a job that runs it on the project's images, of a server that is started like the unit does. */
async function jobUnder(t, unit) {
  const dir = await newStudy(t);
  const file = writer(tempDir(t));
  await addOnnx(dir, file);
  const { script, options } = confined(tempDir(t), unit, bin);
  const doctor = await holdout(['doctor'], { binary: script });
  const server = await startServer(t, dir, { binary: script });
  const client = await new Client(server.url).login();
  const made = await client.json('POST', '/api/v1/jobs', { kind: 'predict', arguments: { model: 'net' } });
  assert.equal(made.status, 202, JSON.stringify(made.body));
  let job;
  do {
    job = (await client.json('GET', `/api/v1/jobs/${made.body.id}`)).body;
    await new Promise((resolve) => { setTimeout(resolve, 20); });
  } while (!['done', 'failed', 'cancelled'].includes(job.state));
  await server.stop();
  return { options, doctor, job, log: fs.readFileSync(path.join(dir, 'jobs', `${made.body.id}.log`), 'utf8') };
}

test('jobs that run models work under what the unit forbids', { skip: sanitized && 'sanitizers need what the unit forbids' }, async (t) => {
  const unit = text('holdout@.service');
  const { options, doctor, job, log } = await jobUnder(t, unit);
  assert.deepEqual(options.map((o) => o.split('=')[0]), ['nnp', 'nofile', 'families', 'syscalls']);
  assert.equal(job.state, 'done', JSON.stringify(job) + log);
  assert.match(doctor.out, /^ok +models +oneDNN \S+ generates code for this processor/m);
  /* And that the test would see it: */
  const denied = await jobUnder(t, unit.replace('[Service]', '[Service]\nMemoryDenyWriteExecute=yes'));
  assert.equal(denied.job.state, 'failed');
  assert.match(denied.log, /oneDNN could not make code for a layer/);
  assert.match(denied.doctor.out, /^fail +models +.*MemoryDenyWriteExecute= out of the unit/m);
  assert.equal(denied.doctor.code, 1);
});

test('every command of units, Dockerfile and documents is one', async () => {
  const known = [...(await must(['--help'])).matchAll(/^ {2}([a-z-]+(?: [a-z-]+)?) {2,}\S/gm)].map((m) => m[1]);
  const texts = [...fs.readdirSync(path.join(root, 'deploy'), { withFileTypes: true }).filter((e) => e.isFile()).map((e) => text(e.name)),
    ...fs.readdirSync(path.join(root, 'docs')).filter((f) => f.endsWith('.md')).map((f) => fs.readFileSync(path.join(root, 'docs', f), 'utf8'))];
  let n = 0;
  for (const all of texts) {
    for (const [, a, b] of all.matchAll(/(?:^ExecStart(?:Pre)?=\/usr\/local\/bin\/holdout|`holdout|^ {4}(?:sudo -u holdout )?holdout) ([a-z-]+)(?: ([a-z-]+))?/gm)) {
      n++;
      assert.ok(known.includes(a) || known.includes(`${a} ${b}`), `${a} ${b ?? ''}`);
    }
  }
  assert.ok(n > 20, String(n));
  const docker = text('Dockerfile');
  assert.match(docker, /^USER holdout$/m);
  assert.match(docker, /^HEALTHCHECK /m);
  assert.match(docker, /^VOLUME \/data$/m);
  /* Each library that the program needs stands among those that the image installs. */
  const packages = docker.slice(docker.lastIndexOf('FROM')).match(/lib[a-z0-9-]+/g);
  const needed = execFileSync('readelf', ['-d', bin], { encoding: 'utf8' });
  for (const [, so] of needed.matchAll(/\(NEEDED\).*\[lib([a-z0-9]+)\.so/g)) {
    if (['m', 'c', 'asan', 'ubsan', 'tsan', 'gcc_s'].includes(so)) continue;
    assert.ok(packages.some((p) => p.startsWith(`lib${so}`)), `lib${so} is not in the image`);
  }
});
