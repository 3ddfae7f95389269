/* readme.test.mjs - "A real study in twelve steps" of README.md: its commands are taken out of it and run in their
 * order as they are printed, with small drawn images; what it leaves to a person (signing in, opening, answering,
 * reviewing) is done over HTTP between them. */
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';

import { Client, PASSWORD, bin, root, startServer, tempDir } from '../http/lib.mjs';
import { WIDE, answer, next, writeImages } from '../http/study.mjs';

const WNIDS = ['n01440764', 'n01443537']; /* tench, goldfish: WordNet knows them */
const ORIGINALS = 24;
const CANDIDATES = 42;
const wide = { ...process.env, ...WIDE };

/* [number, [command...]] of every step: what stands in backquotes and begins with ./holdout, or continues the one before. */
function steps() {
  const text = fs.readFileSync(path.join(root, 'README.md'), 'utf8');
  const part = /## A real study in twelve steps\n([^]*?)\n## |\n\nA manifest \(/.exec(text)[1].split('\n\nA manifest (')[0];
  return [...part.matchAll(/^(\d+)\. ([^]*?)(?=^\d+\. |$(?![^]))/gm)].map(([, n, body]) => [Number(n),
    [...body.matchAll(/`(\.\/holdout [^`]*)`/g)].map((m) => m[1].replace(/\s+/g, ' '))]);
}

/* The folder that a newcomer stands in: the program and what they bring along. */
function newcomer(t) {
  const cwd = tempDir(t);
  fs.symlinkSync(bin, path.join(cwd, 'holdout'));
  fs.writeFileSync(path.join(cwd, 'classes.csv'), 'cid,wnid,synset,gloss,wikipedia\n'
    + `0,${WNIDS[0]},"tench, Tinca tinca",a fish,\n1,${WNIDS[1]},"goldfish, Carassius auratus",a small fish,\n`);
  fs.writeFileSync(path.join(cwd, 'consent.txt'), 'We keep your answers.\n');
  for (const [folder, count] of [['originals', ORIGINALS], ['pool', CANDIDATES], ['train', 4]]) {
    writeImages(path.join(cwd, folder), folder, Object.fromEntries(WNIDS.map((wnid) => [wnid, count])));
  }
  return cwd;
}

test('the twelve steps run as they are printed', async (t) => {
  const cwd = newcomer(t);
  const todo = new Map(steps());
  assert.deepEqual([...todo.keys()], [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
  /* In a shell, as one types it; /backups becomes a folder that one may write. */
  const sh = (command, options = {}) => {
    const line = command.replaceAll('/backups/', `${cwd}/backups/`);
    const r = spawnSync('/bin/sh', ['-c', line], { cwd, env: wide, encoding: 'utf8', timeout: process.env.TSAN_OPTIONS ? 600000 : 120000, ...options });
    assert.equal(r.status, 0, `${command}: ${r.status ?? r.signal}\n${r.stdout}${r.stderr}`);
    return r.stdout + r.stderr;
  };
  const step = (n) => todo.get(n).map((command) => sh(command));

  /* 1: the program asks on the terminal, twice. */
  const [init] = todo.get(1);
  await typed(init, cwd, PASSWORD);
  step(2);
  const imports = step(3);
  assert.match(imports[1], new RegExp(`${2 * CANDIDATES} `));
  /* 4: the plan, and "the same without --dry-run". */
  const [dry] = todo.get(4);
  const plan = sh(dry);
  assert.match(plan, /\d+\.\d\d USD/);
  assert.doesNotMatch(plan, /has no title/);
  sh(dry.replace(' --dry-run', ''));
  const [link] = step(5);
  const start = /\/work\/campaign\/main\?key=[A-Za-z0-9_-]{22}&PROLIFIC_PID=/.exec(link);
  assert.ok(start, link);
  assert.match(link, /public_url/);

  /* 6, 7: serve, sign in, preview, open, watch. */
  const [serve] = todo.get(6);
  assert.equal(serve, './holdout serve study');
  const server = await startServer(t, path.join(cwd, 'study'), { env: WIDE });
  const lead = await new Client(server.url).login();
  const total = (html) => /0 of (\d+) grids/.exec(html)[1];
  const promised = total(await lead.page('/campaigns/main/preview'));
  assert.equal((await lead.post('/campaigns/main/state/open')).status, 303);
  const key = /key=([^&]*)/.exec(start[0])[1];
  await answerAll(server.url, key, promised);
  assert.match(await lead.page('/'), /<h1/);
  assert.match(await lead.page('/campaigns/main'), /All \d+ answers are in/);

  const [, list] = step(8);
  assert.match(list, /^person-0$/m);
  step(9);
  const kept = fs.readdirSync(path.join(cwd, 'backups/study'));
  assert.equal(kept.filter((name) => /^\d{4}/.test(name)).length, 1, kept.join(' '));

  const [trained, found] = step(10);
  assert.match(trained, /8 new images/);
  assert.match(found, /l2: \d+ candidates compared with \d+ images/);
  await reviewAll(lead);

  /* 11: between the draw and the next revision somebody reviews: one image is thrown out, and it alone is replaced. */
  const [draw, again, ...states] = todo.get(11);
  sh(draw);
  const drawn = images(sh('./holdout export set study my-set/0'));
  fs.writeFileSync(path.join(cwd, 'blacklist.csv'), `image,reason\n${drawn[0]},class\n`);
  sh('./holdout import blacklist study blacklist.csv');
  sh(again);
  const next = images(sh('./holdout export set study my-set/1'));
  assert.deepEqual([drawn.filter((i) => !next.includes(i)), next.length], [[drawn[0]], drawn.length]);
  states.forEach((command) => sh(command));
  assert.match(sh('./holdout set list study'), /^my-set,1,.*,released,/m);
  const [, frequencies] = step(12);
  assert.match(frequencies, new RegExp(`${WNIDS[0]}-pool-0`));
  assert.ok(fs.existsSync(path.join(cwd, 'my-set', 'manifest.json')), fs.readdirSync(path.join(cwd, 'my-set')).join(' '));
});

/* Looks at every candidate that looks like another image, and says that it is not the same photo. */
async function reviewAll(client) {
  for (let looks = 0; looks < 1000; looks++) {
    const at = (await client.get('/duplicates/next')).headers.get('location');
    if (at === '/duplicates') return;
    const html = await client.page(at);
    const form = Object.fromEntries([...html.matchAll(/name="(seen|searches|again)" value="(\d+)"/g)].map(([, name, value]) => [name, value]));
    for (const [, name] of html.matchAll(/name="(say-\d+)" value="not"/g)) form[name] = 'not';
    assert.equal((await client.post(at.split('?')[0], form)).status, 303);
  }
  assert.fail('the review does not end');
}

const images = (csv) => csv.trimEnd().split('\n').slice(1).map((line) => line.split(',')[0]).sort();

/* A command that asks on the terminal gets `line` for each prompt. What is typed ahead of a prompt is thrown away, as
 * terminals do, so that it is typed until the command ends. */
async function typed(command, cwd, line) {
  const child = spawn('script', ['-qec', command, '/dev/null'], { cwd, stdio: ['pipe', 'pipe', 'inherit'] });
  let out = '';
  child.stdout.setEncoding('utf8').on('data', (text) => { out += text; });
  child.stdin.on('error', () => {});
  const typing = setInterval(() => child.stdin.write(`${line}\n`), 200);
  const timer = setTimeout(() => child.kill('SIGKILL'), 60000);
  const [code] = await once(child, 'close');
  clearTimeout(timer);
  clearInterval(typing);
  assert.equal(code, 0, out);
}

/* Person after person, until nobody gets a grid any more; every second photo is selected. */
async function answerAll(url, key, promised) {
  const client = new Client(url);
  for (let person = 0; person < 200; person++) {
    const r = await client.json('POST', '/api/v1/campaigns/main/places', { key, external_id: `person-${person}`, consent: '1' });
    assert.equal(r.status, 201, JSON.stringify(r.body));
    for (let done = 0; ; done++) {
      const grid = await next(client, r.body.place);
      if (grid.done && done === 0) return;
      if (grid.done) break;
      if (done === 0) assert.equal(String(grid.progress.total), promised, 'as the preview said');
      const selected = Array.from({ length: grid.cells }, (_, i) => i).filter((i) => i % 2 === 0);
      const sent = await answer(client, grid.assignment, { client_id: `answer-${person}-${done}`, selected });
      assert.equal(sent.status, 200, JSON.stringify(sent.body));
    }
  }
  assert.fail('the campaign is never complete');
}
