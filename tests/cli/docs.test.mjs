/* The documents against the program: every metric, every line of the log, every limiting option, every
 * file and command that they name. What is added to the program without a word about it fails here. */
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';

import { Client, holdout, must, newProject, root, startServer, tempDir } from '../http/lib.mjs';

const read = (...name) => fs.readFileSync(path.join(root, ...name), 'utf8');
const docs = fs.readdirSync(path.join(root, 'docs')).filter((f) => f.endsWith('.md'));
const operations = read('docs', 'operations.md');

/* The rows of the table under a heading of a document, as lists of cells. */
function table(text, head) {
  const lines = text.slice(text.indexOf(head)).split('\n');
  assert.ok(text.includes(head), head);
  const rows = [];
  for (const line of lines.slice(2)) {
    if (!line.startsWith('|')) break;
    rows.push(line.slice(1, -1).split('|').map((c) => c.trim()));
  }
  return rows;
}

test('metrics', async (t) => {
  const dir = await newProject(t);
  const server = await startServer(t, dir);
  const client = await new Client(server.url).login();
  const text = await (await client.get('/metrics')).text();
  const real = [...text.matchAll(/^# HELP (\S+) (.*)\n# TYPE \S+ (\S+)$/gm)].map(([, name, help, type]) => [`\`${name}\``, type, help]);
  assert.ok(real.length > 20);
  assert.deepEqual(table(operations, '| metric | type | meaning |'), real);
  const named = new Set([...operations.matchAll(/`(holdout_[a-z_]+)/g), ...read('docs', 'limits.md').matchAll(/`(holdout_[a-z_]+)/g)].map((m) => m[1]));
  for (const name of named) assert.ok(real.some(([n]) => n === `\`${name}\``), name);
});

/* Messages are literals in the source, with their fields right behind. */
test('lines of the log', () => {
  const inSource = new Map();
  for (const file of fs.readdirSync(path.join(root, 'server'), { recursive: true })) {
    if (!file.endsWith('.c') || file.endsWith('base/log.c')) continue;
    const source = read('server', file);
    for (const [, level, msg, rest] of source.matchAll(/log_(?:msg|text)\(\s*LOG_(\w+),\s*"([^"]*)"([^;]*)\);/g)) {
      inSource.set(msg.replace('%s', '...'), [level.toLowerCase(), [...rest.matchAll(/LOG_(?:TEXT|NUM)\("(\w+)"/g)].map((m) => m[1])]);
    }
    for (const [, msg] of source.matchAll(/complain\(r, "([^"]+)"/g)) inSource.set(msg, ['warn', ['template', 'name']]);
    for (const [, msg] of source.matchAll(/log_failure\(c, "([^"]+)"/g)) inSource.set(msg, ['error', ['req', 'path', 'rule', 'detail', 'arena_bytes']]);
    const calls = [...source.matchAll(/log_(?:msg|text|line)\(/g)].length;
    const known = [...source.matchAll(/log_(?:msg|text)\(\s*LOG_\w+,\s*(?:"|what)/g)].length;
    assert.equal(calls, known, `${file}: a message that this test cannot read`);
  }
  inSource.set('log lines dropped', ['warn', ['lines']]);
  const documented = new Map(table(operations, '| msg | level | fields | meaning |')
    .map(([msg, level, fields]) => [msg.replaceAll('`', ''), [level, fields.split(' ').filter(Boolean).map((f) => f.replaceAll('`', ''))]]));
  assert.deepEqual([...documented].sort(), [...inSource].sort());
  const log = read('server', 'base', 'log.c');
  for (const [field] of table(operations, '| field | meaning |')) assert.ok(log.includes(`\\"${field.replaceAll('`', '')}\\":`), field);
});

test('options that limit', () => {
  const example = read('config.example.ini');
  const rows = table(read('docs', 'limits.md'), '| option | default | least | most | at the limit |');
  assert.ok(rows.length > 10);
  for (const [option, otherwise, least, most] of rows) {
    const [section, key] = option.replaceAll('`', '').split('.');
    const part = example.slice(example.indexOf(`[${section}]`));
    assert.ok(part.includes(`(a whole number from ${least} to ${most})\n;${key} = ${otherwise}\n`), option);
  }
});

test('what the documents name is there', async () => {
  const help = await must(['--help']);
  const commands = [...help.matchAll(/^ {2}([a-z][a-z-]*(?: [a-z-]+)?) {2,}\S/gm)].map((m) => m[1]);
  let n = 0;
  for (const file of docs) {
    const text = read('docs', file);
    for (const [, a, b, rest] of text.matchAll(/(?:`|^ {4}(?:sudo -u holdout )?)holdout ([a-z][a-z-]*)(?: ([a-z][a-z-]*))?([^`\n]*)/gm)) {
      const name = [`${a} ${b}`, a].find((c) => commands.includes(c));
      assert.ok(name, `${file}: holdout ${a} ${b ?? ''}`);
      const options = (await holdout([...name.split(' '), '--help'])).out;
      for (const [, option] of rest.matchAll(/--([a-z-]+)/g)) assert.ok(options.includes(`--${option}`), `${file}: ${name} --${option}`);
      n++;
    }
    for (const [, link] of text.matchAll(/\]\(([^):]+)\)/g)) assert.ok(fs.existsSync(path.join(root, 'docs', link)), `${file}: ${link}`);
    for (const [link] of text.matchAll(/\bdeploy\/[A-Za-z@.-]+[A-Za-z]/g)) assert.ok(fs.existsSync(path.join(root, link)), `${file}: ${link}`);
  }
  assert.ok(n > 15, String(n));
});

test('the bench says what is missing before it measures', (t) => {
  const tools = tempDir(t);
  for (const tool of ['sh', 'dirname', 'sed']) fs.symlinkSync(execFileSync('sh', ['-c', `command -v ${tool}`], { encoding: 'utf8' }).trim(), path.join(tools, tool));
  const r = spawnSync('/bin/sh', [path.join(root, 'tests/bench/run'), '--quick', 'submit', 'images'], { env: { PATH: tools }, encoding: 'utf8' });
  assert.equal(r.status, 1, r.stderr);
  assert.match(r.stderr, /images: wrk/);
  assert.match(r.stderr, /tools\/deps\.sh bench/);
  assert.equal(r.stdout, '');
});
