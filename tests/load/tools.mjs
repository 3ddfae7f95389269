/* tools.mjs - what tests need around build/load, build/verify and the shims: building them,
 * running them, a project with work in it, fault switches, power cuts. Used by
 * tests/http/{load_tools,durability,failures,overload,exactly_n}.test.mjs. */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { faultBin, must as holdout, newProject, root, startServer } from '../http/lib.mjs';

export { bin, faultBin, root, tempDir } from '../http/lib.mjs';
export { holdout };
/* The thread sanitizer's own interceptors and keepwal.so cannot both stand before the C library. */
export const underTsan = /[/]tsan(-[a-z]+)*[/]/.test(faultBin);
export const sanitized = /[/](asan|tsan)(-[a-z]+)*[/]/.test(faultBin);

const at = (name) => path.join(root, 'build', name);
export const shim = (name) => at(`shim/${name}.so`);

/* make without what an outer make put into the environment: its job server is not for us. Test
 * files run side by side, so one at a time. */
export function make(...args) {
  const env = { ...process.env };
  for (const name of ['MAKEFLAGS', 'MFLAGS', 'MAKELEVEL', 'MAKEOVERRIDES']) delete env[name];
  fs.mkdirSync(at(''), { recursive: true });
  execFileSync('flock', [at('.load-tools.lock'), 'make', '-s', ...args],
    { cwd: root, env, stdio: ['ignore', 'inherit', 'inherit'] });
}

export const buildTools = () => make('-f', 'tests/load/rules.mk');

/* Runs a program to its end: { code, signal, out, err }. */
export async function run(command, args, { env = {}, input, timeout = 60000, cwd } = {}) {
  const child = spawn(command, args, {
    env: { ...process.env, ...env }, cwd, stdio: ['pipe', 'pipe', 'pipe'],
  });
  const text = { out: '', err: '' };
  child.stdout.setEncoding('utf8').on('data', (c) => { text.out += c; });
  child.stderr.setEncoding('utf8').on('data', (c) => { text.err += c; });
  child.stdin.on('error', () => {}); /* a program that ended early reads no input */
  child.stdin.end(input ?? '');
  const timer = setTimeout(() => child.kill('SIGKILL'), timeout);
  const [code, signal] = await once(child, 'close');
  clearTimeout(timer);
  return { code, signal, ...text };
}

/* A program that has to succeed. */
export async function must(command, args, options) {
  const r = await run(command, args, options);
  if (r.code !== 0) {
    const what = `${path.basename(command)} ${args.join(' ')}`;
    throw new Error(`${what}: exit ${r.code ?? r.signal}\n${r.out}${r.err}`);
  }
  return r.out;
}

/* A server may be writing: it is waited for, as every program here does. */
export const sqlite = (file, sql, options = {}) =>
  must('sqlite3', ['-batch', '-bail', '-cmd', '.timeout 10000', file], { ...options, input: `${sql}\n` });

/* build/load; the result's `code` is its exit status, 1 when a reply broke the contract. */
export async function load(mode, options, runOptions = {}) {
  const args = [mode];
  for (const [name, value] of Object.entries(options)) args.push(`--${name}`, String(value));
  const r = await run(at('load'), args, { timeout: 120000, ...runOptions });
  if (!r.out.startsWith('{')) throw new Error(`load ${args.join(' ')}: ${r.err}`);
  return { code: r.code, ...JSON.parse(r.out) };
}

/* build/verify: { code, acknowledged, counted, surplus, violations: {kind: {n, first}} }. */
export async function verify(dir, journals, ...flags) {
  const r = await run(at('verify'), [dir, ...[].concat(journals), ...flags]);
  if (!r.out.startsWith('{')) throw new Error(`verify: exit ${r.code}: ${r.err}`);
  return { code: r.code, ...JSON.parse(r.out) };
}

/* The switches of server/base/fault.h, turned while the server runs. */
export class FaultFile {
  constructor(dir) {
    this.path = path.join(dir, 'fault-switches');
    fs.writeFileSync(this.path, Buffer.alloc(32));
    this.fd = fs.openSync(this.path, 'r+');
    this.env = { HOLDOUT_FAULT_FILE: this.path };
  }

  int32(offset, value) {
    const b = Buffer.alloc(4);
    b.writeInt32LE(value);
    fs.writeSync(this.fd, b, 0, 4, offset);
  }

  clock(ms) {
    const b = Buffer.alloc(8);
    b.writeBigInt64LE(BigInt(ms));
    fs.writeSync(this.fd, b, 0, 8, 0);
  }

  failSync(n) { this.int32(8, n); }

  failSpace(n) { this.int32(12, n); }

  shortWrite(n) { this.int32(16, n); }

  killAfter(n) { this.int32(20, n); }

  arenaAfter(n) { this.int32(24, n); }

  /* How many allocations are left before the one that fails; 0 after it. */
  arenaLeft() {
    const b = Buffer.alloc(4);
    fs.readSync(this.fd, b, 0, 4, 24);
    return b.readInt32LE();
  }

  close() { fs.closeSync(this.fd); }
}

/* A project with one open campaign "load": grids, classes and images by name. */
export async function project(t, options = {}) {
  const o = {
    images: 4000, classes: 20, grids: 50, 'answers-per-grid': 10, votes: 0, campaign: 'load',
    lease: 600, 'grids-per-place': 20, seed: 1, ...options,
  };
  const flags = Object.entries(o).flatMap(([k, v]) => [`--${k}`, String(v)]);
  return newProject(t, { what: ['generate', ...flags], build: (dir) => holdout(['generate', dir, ...flags]) });
}

/* Limits that would stop a load test from one address. */
const OPEN_LIMITS = {
  HOLDOUT_LIMITS_PLACES_PER_ADDRESS_HOUR: '1000000',
  HOLDOUT_SERVER_CONNECTIONS: '2000',
  HOLDOUT_SERVER_CONNECTIONS_PER_ADDRESS: '2000',
  HOLDOUT_SERVER_ACCESS_LOG: 'false',
};

/* A server as startServer's, with open limits; kill() is kill -9. */
export async function serve(t, dir, { program, env = {} } = {}) {
  const server = await startServer(t, dir, { binary: program, env: { ...OPEN_LIMITS, ...env } });
  server.port = new URL(server.url).port;
  server.kill = () => server.stop('SIGKILL');
  return server;
}

/* Environment for a server whose flushed state is kept in `keep`. */
export function keepEnv(keep) {
  fs.mkdirSync(keep, { recursive: true });
  return {
    LD_PRELOAD: shim('keepwal'), HOLDOUT_KEEP_DIR: keep,
    ASAN_OPTIONS: `${process.env.ASAN_OPTIONS || ''}:verify_asan_link_order=0`,
  };
}

/* What the disk holds after the power came back: the files as of their last flush. */
export function powerCut(dir, keep) {
  for (const end of ['', '-wal', '-shm']) {
    fs.rmSync(path.join(dir, `holdout.db${end}`), { force: true });
  }
  for (const name of ['holdout.db', 'holdout.db-wal']) {
    const from = path.join(keep, name);
    if (fs.existsSync(from)) fs.copyFileSync(from, path.join(dir, name));
  }
  fs.rmSync(keep, { recursive: true, force: true });
}

/* The most memory that a running process has had, in MiB. */
export const peakMiB = (pid) => Number(/^VmHWM:\s*(\d+)/m.exec(fs.readFileSync(`/proc/${pid}/status`, 'utf8'))[1]) / 1024;

export const sleep = (ms) => new Promise((resolve) => { setTimeout(resolve, ms); });

export async function post(url, body) {
  const r = await fetch(url, {
    method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body),
  });
  const text = await r.text();
  let json = null;
  try { json = JSON.parse(text); } catch { /* the caller sees the text */ }
  return { status: r.status, headers: r.headers, text, json };
}

/* A person joins and asks for a grid. */
export async function lease(url, person) {
  const place = await post(`${url}/api/v1/campaigns/load/places`,
    { source: 'test', external_id: person });
  const next = await post(`${url}/api/v1/places/${place.json.place}/next`, {});
  return { place: place.json.place, ...next.json };
}
