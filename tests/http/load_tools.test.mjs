/* Tests of the tools that other tests rely on: a load client, a verifier and preloaded shims that
 * see nothing would let everything pass. Needs no holdout: the replies come from a small server
 * here. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import { before, describe, it } from 'node:test';
import {
  buildTools, keepEnv, load, must, root, run, shim, sqlite, tempDir, verify,
} from '../load/tools.mjs';

before(buildTools);

/* A stand-in for the API: endless grids, each person gets 5. `spoil` may answer instead. */
async function standIn(t, spoil = () => false) {
  const state = { seq: 0, people: new Map(), answers: new Map(), lent: new Set(), events: 0 };
  const token = (kind) => `${kind}${String(++state.seq).padStart(21, '0')}`;
  const reply = (res, status, body, headers = {}) => {
    const text = JSON.stringify(body);
    res.writeHead(status, {
      'content-type': 'application/json', 'content-length': text.length, ...headers,
    });
    res.end(text);
  };
  const routes = [
    [/^\/api\/v1\/campaigns\/load\/places$/, (res) => {
      const place = token('P');
      state.people.set(place, 0);
      reply(res, 201, { place, grids: 5 });
    }],
    [/^\/api\/v1\/places\/(.+)\/next$/, (res, body, place) => {
      const done = state.people.get(place);
      if (done === 5) {
        return reply(res, 200, { progress: { done: 5 }, done: true, reason: 'finished' });
      }
      state.people.set(place, done + 1);
      const assignment = token('A');
      state.lent.add(assignment);
      return reply(res, 200, {
        progress: { done, total: 5, note: 'a "quoted\\" } text' }, done: false, assignment,
        cells: 48, lease_until: Date.now() + 400,
      });
    }],
    [/^\/api\/v1\/assignments\/(.+)\/answer$/, (res, body, assignment) => {
      assert.ok(state.lent.has(assignment));
      const old = state.answers.get(assignment);
      if (old && old.client_id !== body.client_id) return reply(res, 409, { status: 409 });
      const row = old || { ...body, event: ++state.events };
      state.answers.set(assignment, row);
      return reply(res, 200, { status: 'stored', event: row.event });
    }],
  ];
  const server = http.createServer((req, res) => {
    let text = '';
    req.on('data', (c) => { text += c; });
    req.on('end', () => {
      if (spoil(req, res, reply, state)) return;
      for (const [pattern, answer] of routes) {
        const m = pattern.exec(req.url);
        if (m) { answer(res, JSON.parse(text), m[1]); return; }
      }
      reply(res, 404, { status: 404 });
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => { server.closeAllConnections(); server.close(); });
  return { port: server.address().port, state };
}

const journal = (file) =>
  fs.readFileSync(file, 'utf8').trim().split('\n').map((l) => JSON.parse(l));

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

describe('load client', () => {
  it('journals what was acknowledged, through lost connections and refusals', async (t) => {
    let n = 0;
    const { port, state } = await standIn(t, (req, res, reply) => {
      n++;
      if (n % 17 === 0) { req.socket.destroy(); return true; }
      if (n % 13 === 0) { reply(res, 503, { status: 503 }, { 'retry-after': '1' }); return true; }
      return false;
    });
    const file = path.join(tempDir(t), 'journal');
    const r = await load('cycle', {
      port, clients: 20, count: 600, campaign: 'load', journal: file, duplicate: 0.3,
      conflict: 0.1, late: 0.05, 'late-ms': 100, abandon: 0.05, 'retry-ms': 5,
    });
    assert.equal(r.code, 0, r.mismatch);
    assert.equal(r.mismatches, 0);
    assert.ok(r.acknowledged >= 600);
    assert.equal(r.acknowledged, state.answers.size);
    for (const k of ['duplicates', 'conflicts', 'held', 'abandoned']) assert.ok(r[k] > 0, k);
    assert.ok(r.statuses[503] > 0 && r.statuses[0] > 0 && r.statuses[409] > 0);
    assert.ok(r.statuses[409] <= r.conflicts); /* the others met a refusal or were lost */
    const lines = journal(file);
    assert.equal(lines.length, r.acknowledged);
    for (const l of lines) {
      const a = state.answers.get(l.assignment);
      assert.deepEqual([a.client_id, a.selected, a.event], [l.client_id, l.selected, l.event]);
      assert.match(l.client_id, UUID);
    }
    assert.equal(new Set(lines.map((l) => l.client_id)).size, lines.length);
    assert.ok(r.p50_ms > 0 && r.p50_ms <= r.p90_ms && r.p90_ms <= r.p99_ms && r.p99_ms <= r.max_ms);
  });

  it('leases outside and measures inside in submit mode', async (t) => {
    const { port, state } = await standIn(t);
    const r = await load('submit', { port, clients: 8, count: 200, campaign: 'load' });
    assert.ok(r.acknowledged >= 200 && r.acknowledged === state.answers.size);
    assert.equal(r.answer.requests, r.acknowledged);
    assert.equal(r.next.requests, 0);
  });

  it('fails when the same answer again gets another body', async (t) => {
    const { port } = await standIn(t, (req, res, reply, state) => {
      if (!req.url.endsWith('/answer')) return false;
      reply(res, 200, { status: 'stored', event: ++state.events });
      return true;
    });
    const r = await load('cycle', { port, clients: 4, count: 100, campaign: 'load', duplicate: 1 });
    assert.equal(r.code, 1);
    assert.ok(r.mismatches > 0);
    assert.match(r.mismatch, /again|two replies/);
  });

  it('gives up on a server that is gone', async (t) => {
    const { port } = await standIn(t, (req) => { req.socket.destroy(); return true; });
    const r = await load('cycle', {
      port, clients: 4, seconds: 30, campaign: 'load', 'give-up': 0.3,
    });
    assert.equal(r.gave_up, true);
    assert.equal(r.acknowledged, 0);
    assert.ok(r.seconds < 5);
  });

  it('counts messages of event streams, however they are cut into pieces', async (t) => {
    const { port } = await standIn(t, (req, res) => {
      if (!req.url.startsWith('/events')) return false;
      res.writeHead(200, { 'content-type': 'text/event-stream' });
      res.write(': hello\n\n');
      for (let i = 0; i < 10; i++) {
        res.write('event: campaign\nda');
        res.write(`ta: {"seq":${i}}\n`);
        res.write('\nevent: campaign\ndata: {}\n\n');
      }
      return true;
    });
    const r = await load('events', { port, streams: 7, seconds: 1 });
    assert.equal(r.events.open, 7);
    assert.equal(r.events.messages, 7 * 20);
    assert.equal(r.events.heartbeats, 7);
  });

  it('reads pages of any size', async (t) => {
    const big = 'x'.repeat(300000);
    const { port } = await standIn(t, (req, res) => {
      if (req.url !== '/big') return false;
      res.writeHead(200, { 'content-length': big.length });
      res.end(big);
      return true;
    });
    const r = await load('read', { port, readers: 3, path: '/big', seconds: 0.5 });
    assert.ok(r.read.requests > 0);
    assert.equal(r.read_bytes, r.read.requests * big.length);
    assert.equal(r.errors, 0);
  });
});

const placeSql = (id) => `
    INSERT INTO place (id, token, campaign, person, code, consent_version, joined_at)
      VALUES (${id}, x'0${id}', 1, 1, 'c', '1', 0);`;

/* A project of two grids with N = 2, and one answer to the first of them. */
async function smallProject(t) {
  const dir = tempDir(t);
  const schema = ['0001_foundation', '0014_classify'].map((name) => fs.readFileSync(path.join(root, `migrations/${name}.sql`), 'utf8')).join('\n');
  const cells = [0, 1, 2, 3].map((i) => `(1, ${i}, 1, 0), (2, ${i}, 1, 0)`).join(', ');
  const db = path.join(dir, 'holdout.db');
  await sqlite(db, `${schema}
    INSERT INTO class (id, wnid, cid, synset, gloss) VALUES (1, 'n1', 0, 'x', '');
    INSERT INTO image (id, name, class, role) VALUES (1, 'i', 1, 'candidate');
    INSERT INTO campaign (id, name, kind, title, answers_per_grid, grids_per_place, max_share,
      places, lease_seconds, rule_text, state, created_at)
      VALUES (1, 'load', 'main', 't', 2, 20, 1, 100, 600, '', 'open', 0);
    INSERT INTO grid (id, campaign, class, name, created_at)
      VALUES (1, 1, 1, 'g1', 0), (2, 1, 1, 'g2', 0);
    INSERT INTO grid_cell (grid, position, image, role) VALUES ${cells};
    INSERT INTO person (id, pseudonym, kind, created_at)
      VALUES (1, 'a', 'worker', 0), (2, 'b', 'worker', 0), (3, 'c', 'worker', 0);
    ${placeSql(1)}
    INSERT INTO assignment (id, token, grid, person, place, leased_at, lease_until)
      VALUES (1, zeroblob(16), 1, 1, 1, 0, 0);
    INSERT INTO event (id, at, kind, subject) VALUES (5, 0, 'answer', 5);
    INSERT INTO answer (id, assignment, client_id, mask, surplus, at)
      VALUES (5, 1, 'id-1', 5, 0, 0);`);
  const file = path.join(dir, 'journal');
  const line = {
    assignment: 'A'.repeat(22), client_id: 'id-1', selected: [0, 2], status: 'stored', event: 5,
  };
  const write = (...lines) =>
    fs.writeFileSync(file, lines.map((l) => `${JSON.stringify(l)}\n`).join(''));
  write(line);
  return { dir, db, file, line, write };
}

/* One more answer by `person` to `grid`. */
const answerSql = (id, grid, person, more = {}) => `
  INSERT INTO assignment (id, token, grid, person, place, leased_at, lease_until)
    VALUES (${id}, randomblob(16), ${grid}, ${person}, NULL, 0, 0);
  INSERT INTO event (id, at, kind, subject)
    VALUES (${100 + id}, 0, '${more.kind ?? 'answer'}', ${100 + id});
  INSERT INTO answer (id, assignment, client_id, mask, surplus, at)
    VALUES (${100 + id}, ${id}, '${more.client ?? `id-${id}`}', 0, 0, 0);`;

describe('verifier', () => {
  it('accepts a database that keeps every promise', async (t) => {
    const p = await smallProject(t);
    const r = await verify(p.dir, p.file, '--exact');
    assert.deepEqual(r.violations, {});
    assert.equal(r.code, 0);
    assert.deepEqual([r.acknowledged, r.counted, r.surplus], [1, 1, 0]);
  });

  const broken = {
    'a lost answer': {
      sql: 'DELETE FROM answer; DELETE FROM event WHERE id = 5', kinds: ['missing'],
    },
    'another client id': { sql: "UPDATE answer SET client_id = 'id-9'", kinds: ['client_id'] },
    'another number of cells': { sql: 'UPDATE answer SET mask = 7', kinds: ['mask'] },
    'other cells': { sql: 'UPDATE answer SET mask = 6', kinds: ['mask'] },
    'a cell beyond the grid': { line: { selected: [0, 47] }, kinds: ['mask'] },
    'another status': { sql: 'UPDATE answer SET surplus = 1', kinds: ['status'] },
    'another event': { line: { event: 6 }, kinds: ['event'] },
    'an event without its answer': {
      sql: "INSERT INTO event (id, at, kind, subject) VALUES (9, 0, 'answer', 9)",
      kinds: ['half-done'],
    },
    'an answer with a wrong event': {
      sql: answerSql(2, 2, 2, { kind: 'x' }), kinds: ['half-done'],
    },
    'more than N answers': {
      sql: answerSql(2, 1, 2) + answerSql(3, 1, 3), kinds: ['too-many'],
    },
    'less than N answers': { flags: ['--expect-full'], kinds: ['too-few'] },
    'answers nobody was told of': {
      sql: answerSql(2, 1, 2), flags: ['--exact'], kinds: ['not-acknowledged'],
    },
    'a client id twice': {
      sql: answerSql(2, 2, 2, { client: 'id-1' }), kinds: ['client-id-twice'],
    },
    'a place of somebody else': { sql: 'UPDATE place SET person = 2', kinds: ['wrong-place'] },
    'a dangling reference': {
      sql: 'UPDATE assignment SET person = 77, place = NULL', kinds: ['foreign-key'],
    },
  };
  for (const [what, { sql, line, flags = [], kinds }] of Object.entries(broken)) {
    it(`finds ${what}`, async (t) => {
      const p = await smallProject(t);
      if (sql) await sqlite(p.db, sql);
      if (line) p.write({ ...p.line, ...line });
      const r = await verify(p.dir, p.file, ...flags);
      assert.deepEqual(Object.keys(r.violations), kinds, JSON.stringify(r.violations));
      assert.equal(r.code, 1);
    });
  }

  it('finds what a dropped index let in, and contradicting acknowledgements', async (t) => {
    const p = await smallProject(t);
    p.write(p.line, { ...p.line, event: 6 });
    const drop = (table, unique, index) => `
      UPDATE sqlite_schema SET sql = replace(sql, '${unique}', 'CHECK (1)') WHERE name = '${table}';
      DELETE FROM sqlite_schema WHERE name = '${index}';`;
    await sqlite(p.db, `PRAGMA writable_schema = ON;
      ${drop('assignment', 'UNIQUE (grid, person)', 'sqlite_autoindex_assignment_3')}
      ${drop('place', 'UNIQUE (campaign, person)', 'sqlite_autoindex_place_2')}`);
    await sqlite(p.db, `${placeSql(2)}
      INSERT INTO assignment (id, token, grid, person, place, leased_at, lease_until)
      VALUES (2, x'03', 1, 1, 1, 0, 0);`);
    const r = await verify(p.dir, p.file);
    for (const kind of ['contradicted', 'grid-twice', 'person-twice']) {
      assert.ok(r.violations[kind], kind);
    }
    assert.equal(r.code, 1);
  });

  it('refuses a file that is no journal', async (t) => {
    const p = await smallProject(t);
    fs.writeFileSync(p.file, '{"assignment":"x"}\n');
    await assert.rejects(verify(p.dir, p.file), /journal:1: not a journal line/);
  });
});

/* Writes rows in the sqlite3 program and kills it; what the kept copy then holds. */
async function killedWriter(t, synchronous) {
  const dir = tempDir(t);
  const keep = path.join(dir, 'keep');
  const db = path.join(dir, 'holdout.db');
  await sqlite(db, 'PRAGMA journal_mode = WAL; CREATE TABLE r (n INTEGER PRIMARY KEY, b BLOB);');
  const child = spawn('sqlite3', ['-batch', db], { env: { ...process.env, ...keepEnv(keep) } });
  child.stdin.write(`PRAGMA synchronous = ${synchronous}; PRAGMA journal_size_limit = 100000;
    PRAGMA wal_autocheckpoint = 20;\n`);
  for (let i = 1; i <= 500; i++) {
    child.stdin.write(`INSERT INTO r VALUES (${i}, randomblob(${(i * 97) % 5000}));\n`);
    if (i % 7 === 0) {
      child.stdin.write(`UPDATE r SET b = randomblob(3000) WHERE n = ${i >> 1};\n`);
    }
    if (i % 150 === 0) child.stdin.write('PRAGMA wal_checkpoint(TRUNCATE);\n');
  }
  child.stdin.write("SELECT 'written';\n");
  for await (const chunk of child.stdout) if (String(chunk).includes('written')) break;
  child.kill('SIGKILL');
  await once(child, 'close');
  const copy = path.join(keep, 'holdout.db');
  const out = await sqlite(copy, 'PRAGMA integrity_check; SELECT count(*) FROM r;');
  const [check, n] = out.trim().split('\n');
  return { check, n: Number(n) };
}

describe('shims', () => {
  it('keepwal keeps all that was flushed, through resets of the log', async (t) => {
    assert.deepEqual(await killedWriter(t, 'FULL'), { check: 'ok', n: 500 });
  });

  it('keepwal keeps nothing that was not flushed', async (t) => {
    assert.deepEqual(await killedWriter(t, 'OFF'), { check: 'ok', n: 0 });
  });

  it('slowflush delays every flush', async (t) => {
    const db = path.join(tempDir(t), 'x.db');
    const sql = `PRAGMA journal_mode = WAL; CREATE TABLE r (n);
      ${'INSERT INTO r VALUES (1);\n'.repeat(20)}`;
    const timed = async (env) => {
      const start = process.hrtime.bigint();
      fs.rmSync(db, { force: true });
      await sqlite(db, sql, { env });
      return Number(process.hrtime.bigint() - start) / 1e6;
    };
    const slow = await timed({ LD_PRELOAD: shim('slowflush'), HOLDOUT_FLUSH_US: '20000' });
    assert.ok(slow >= 22 * 20, `${slow} ms for at least 22 flushes of 20 ms`);
  });

  it('both shims together leave a program otherwise as it is', async (t) => {
    const dir = tempDir(t);
    const env = { ...keepEnv(path.join(dir, 'keep')), HOLDOUT_FLUSH_US: '100' };
    env.LD_PRELOAD = `${shim('slowflush')}:${shim('keepwal')}`;
    const r = await run('sqlite3', ['-batch', path.join(dir, 'holdout.db')],
      { env, input: 'CREATE TABLE r (n); INSERT INTO r VALUES (42); SELECT n FROM r;\n' });
    assert.deepEqual([r.code, r.out, r.err], [0, '42\n', '']);
    assert.equal(await must('cat', [path.join(root, 'VERSION')], { env }),
      fs.readFileSync(path.join(root, 'VERSION'), 'utf8'));
  });
});
