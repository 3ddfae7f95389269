/* lib.mjs - a project, a server on it and clients, for tests over HTTP, of commands and in the
 * browser. The program under test is HOLDOUT_BIN. Knows the contract of the command line, the
 * sign-in form and the CSRF field; no other page. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after } from 'node:test';
import { fileURLToPath } from 'node:url';

export const root = path.dirname(path.dirname(path.dirname(fileURLToPath(import.meta.url))));
export const bin = path.resolve(root, process.env.HOLDOUT_BIN || 'holdout');
export const faultBin = path.resolve(root, process.env.HOLDOUT_FAULT_BIN || 'build/release-fault/holdout');
export const golden = process.env.HOLDOUT_GOLDEN || null;
export const PASSWORD = 'correct horse battery staple';

/* Sanitizers make everything slower; a limit that is only there to end a hang can be generous. */
const LIMIT_MS = 30000;

/* The options of a test that needs published data: test('...', needsGolden, () => ...). */
export const needsGolden = golden ? {} : { skip: 'SKIPPED: HOLDOUT_GOLDEN is not set' };

/* A folder that is gone when the test is over; `t` is the test's context. */
export function tempDir(t) {
  const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'holdout-test-'));
  t.after(() => fs.rmSync(dir, { recursive: true, force: true }));
  return dir;
}

/* In place of `t` for what the tests of a file share: it is gone after the last of them. */
export function wholeFile() {
  const gone = [];
  after(async () => { for (const f of gone.reverse()) await f(); });
  return { after: (f) => gone.push(f) };
}

/* A function that writes a file of lines into a folder and says its path. */
export const linesIn = (folder) => (name, rows) => {
  const file = path.join(folder, name);
  fs.writeFileSync(file, `${rows.join('\n')}\n`);
  return file;
};

/* Runs a command to its end: { code, signal, out, err }. */
export async function holdout(args, { binary = bin, env = {}, input = '', cwd, limit = 120000 } = {}) {
  const child = spawn(binary, args, {
    env: { ...process.env, ...env }, cwd, stdio: ['pipe', 'pipe', 'pipe'],
  });
  const text = { out: '', err: '' };
  child.stdout.setEncoding('utf8').on('data', (c) => { text.out += c; });
  child.stderr.setEncoding('utf8').on('data', (c) => { text.err += c; });
  child.stdin.on('error', () => {}); /* a command that ended early reads no input */
  child.stdin.end(input);
  const timer = setTimeout(() => child.kill('SIGKILL'), limit);
  const [code, signal] = await once(child, 'close');
  clearTimeout(timer);
  return { code, signal, ...text };
}

/* A command that has to succeed; its standard output. */
export async function must(args, options) {
  const r = await holdout(args, options);
  assert.equal(r.code, 0, `holdout ${args.join(' ')}: exit ${r.code ?? r.signal}\n${r.out}${r.err}`);
  return r.out;
}

/* What many tests begin with is made once and copied: in one run of a suite, where tests/run names the folder and
 * removes it, or in one file of tests. */
let ownFolder = null;
function keptIn() {
  if (process.env.HOLDOUT_STUDY_CACHE) return process.env.HOLDOUT_STUDY_CACHE;
  if (!ownFolder) {
    ownFolder = fs.mkdtempSync(path.join(os.tmpdir(), 'holdout-kept-'));
    process.on('exit', () => fs.rmSync(ownFolder, { recursive: true, force: true }));
  }
  return ownFolder;
}

async function copyFolder(from, to) {
  const [code] = await once(spawn('cp', ['-a', from, to], { stdio: ['ignore', 'ignore', 'inherit'] }), 'close');
  assert.equal(code, 0, `cp ${from} ${to}`);
}

/* The project that build() makes in `dir`, which is not there yet. `what` says all that it depends on. The first to
 * come makes it, the others wait and copy. */
export async function oncePer(what, dir, build) {
  const folder = path.join(keptIn(), createHash('sha256').update(JSON.stringify(what)).digest('hex').slice(0, 16));
  const [kept, ready, failed] = ['project', 'ready', 'failed'].map((file) => path.join(folder, file));
  if (fs.mkdirSync(folder, { recursive: true })) {
    await build().catch((e) => {
      fs.writeFileSync(failed, e.message);
      throw e;
    });
    await copyFolder(dir, kept);
    fs.writeFileSync(ready, '');
    return;
  }
  const until = Date.now() + 600e3;
  while (!fs.existsSync(ready)) {
    assert.ok(!fs.existsSync(failed) && Date.now() < until, `${JSON.stringify(what)} could not be made: see the test that came first`);
    await new Promise((resolve) => { setTimeout(resolve, 20); });
  }
  await copyFolder(kept, dir);
}

/* A new project with the account "admin" (password PASSWORD); its folder. `what` and `build`, with both: what is put
 * into it beyond that, once for all who ask for the same. */
export async function newProject(t, { binary = bin, env = {}, what = 'init', build = null } = {}) {
  const base = tempDir(t);
  const dir = path.join(base, 'project');
  await oncePer([what, binary, env], dir, async () => {
    const file = path.join(base, 'password');
    fs.writeFileSync(file, `${PASSWORD}\n`);
    await must(['init', dir, '--admin-password-file', file], { binary, env });
    await build?.(dir);
  });
  return dir;
}

/* `holdout serve` on a free port: { url, child, log, stop() }. Stopped at the end of the test if
 * the test did not; either way it must end with 0. */
export async function startServer(t, dir, { binary = bin, args = [], env = {}, command = ['serve', dir] } = {}) {
  const child = spawn(binary, [...command, '--port', '0', ...args], {
    env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'],
  });
  const server = { child, url: null, out: '', log: '', stopped: null };
  const closed = once(child, 'close').then(([code, signal]) => code ?? signal);
  child.stderr.setEncoding('utf8').on('data', (c) => { server.log += c; });
  child.stdout.setEncoding('utf8').on('data', (c) => { server.out += c; });

  server.stop = (signal = 'SIGTERM') => {
    server.stopped ??= (async () => {
      child.kill(signal);
      const timer = setTimeout(() => child.kill('SIGKILL'), LIMIT_MS);
      const code = await closed;
      clearTimeout(timer);
      if (signal !== 'SIGKILL') assert.equal(code, 0, `serve ended with ${code}\n${server.log}`);
    })();
    return server.stopped;
  };
  t.after(() => server.stop());

  const ready = new Promise((resolve) => {
    child.stdout.on('data', () => {
      const m = /^listening on (http\S+)$/m.exec(server.out);
      if (m) resolve(m[1]);
    });
  });
  const timer = setTimeout(() => child.kill('SIGKILL'), LIMIT_MS);
  server.url = await Promise.race([ready, closed.then(() => null)]);
  clearTimeout(timer);
  if (!server.url) {
    server.stopped = closed;
    assert.fail(`serve did not start\n${server.out}${server.log}`);
  }
  return server;
}

/* A project, its server and a client in one. */
export async function startProject(t, options = {}) {
  const dir = await newProject(t, options);
  const server = await startServer(t, dir, options);
  return { dir, server, client: new Client(server.url) };
}

/* The lines of a server's log as objects; every line must be one. Of a server that runs, the last may not be whole yet. */
export const logLines = (server) =>
  server.log.slice(0, server.log.lastIndexOf('\n') + 1).split('\n').filter(Boolean).map((line) => JSON.parse(line));

/* Until `look` gives something; the machine may be slow, so the limit is only there to end a hang. */
export async function until(look, what) {
  for (const end = Date.now() + 60000; Date.now() < end;) {
    const found = await look();
    if (found) return found;
    await new Promise((resolve) => { setTimeout(resolve, 15); });
  }
  throw new Error(`not in a minute: ${what}`);
}

/* The Set-Cookie lines of a reply. Node 18 as Debian ships it joins them by commas, which stand
 * nowhere else in our cookies. */
export const setCookies = (r) => {
  const joined = r.headers.get('set-cookie');
  return joined ? joined.split(/, (?=(?:__Host-)?[a-z_]+=)/) : [];
};

/* One browser without a screen: keeps cookies, follows nothing by itself. */
export class Client {
  constructor(url) {
    this.url = url;
    this.cookies = new Map();
    this.csrf = '';
  }

  async fetch(target, { method = 'GET', headers = {}, body } = {}) {
    const all = { ...headers };
    if (this.cookies.size) {
      all.cookie = [...this.cookies].map(([k, v]) => `${k}=${v}`).join('; ');
    }
    const r = await fetch(new URL(target, this.url), { method, headers: all, body, redirect: 'manual' });
    for (const line of setCookies(r)) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(line);
      if (value === '' || /max-age=0(;|$)/i.test(line)) this.cookies.delete(name);
      else this.cookies.set(name, value);
    }
    return r;
  }

  get(target, headers) { return this.fetch(target, { headers }); }

  /* A page that has to be there; its HTML. */
  async page(target) {
    const r = await this.get(target, { accept: 'text/html' });
    const html = await r.text();
    assert.equal(r.status, 200, `GET ${target}: ${r.status} ${r.headers.get('location') ?? ''}\n${html}`);
    return html;
  }

  /* A form as the browser sends it, with the session's CSRF token when there is one. */
  post(target, fields = {}, headers = {}) {
    const body = new URLSearchParams(this.csrf ? { csrf: this.csrf, ...fields } : fields);
    return this.fetch(target, { method: 'POST', body, headers });
  }

  /* JSON there and back: { status, headers, body }, where body is undefined for none. */
  async json(method, target, data, headers = {}) {
    const r = await this.fetch(target, {
      method,
      body: data === undefined ? undefined : JSON.stringify(data),
      headers: {
        accept: 'application/json',
        ...(data === undefined ? {} : { 'content-type': 'application/json' }),
        ...(this.csrf && method !== 'GET' ? { 'x-csrf-token': this.csrf } : {}),
        ...headers,
      },
    });
    const text = await r.text();
    return { status: r.status, headers: r.headers, body: text ? JSON.parse(text) : undefined };
  }

  /* Signs in; the CSRF token comes from the page of one's own account. */
  async login(login = 'admin', password = PASSWORD) {
    const r = await this.post('/login', { login, password });
    assert.equal(r.status, 303, `sign-in of ${login}: ${r.status}\n${await r.text()}`);
    assert.ok(await this.signedIn(), 'the account page has a form with the CSRF token');
    return this;
  }

  /* Whether it still is, with the CSRF token of the session that it has now. */
  async signedIn() {
    const r = await this.get('/account', { accept: 'text/html' });
    const m = /name="csrf" value="([^"]+)"/.exec(await r.text());
    this.csrf = m?.[1] ?? '';
    return r.status === 200 && m !== null;
  }
}

/* The numbers that a page's event stream tells for a topic; the first is where the topic is now, if it ever moved. */
export async function* told(client, topic) {
  const r = await fetch(new URL(`/events?topics=${topic}`, client.url), {
    signal: AbortSignal.timeout(LIMIT_MS),
    headers: { cookie: [...client.cookies].map(([k, v]) => `${k}=${v}`).join('; ') } });
  let text = '';
  for await (const piece of r.body.pipeThrough(new TextDecoderStream())) {
    text += piece;
    for (let at; (at = text.indexOf('\n\n')) >= 0; text = text.slice(at + 2)) {
      const m = /"seq":(\d+)/.exec(text.slice(0, at));
      if (m) yield Number(m[1]);
    }
  }
}
