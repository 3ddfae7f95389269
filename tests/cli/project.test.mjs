/* Making, serving and migrating a project; help, usage and exit codes of every command. */
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { test } from 'node:test';

import { PASSWORD, bin, holdout, must, newProject, startServer } from '../http/lib.mjs';
import { sqlite, tempDir } from '../load/tools.mjs';

const dump = (dir) => sqlite(path.join(dir, 'holdout.db'), '.dump');

function passwordFile(t, text = `${PASSWORD}\n`) {
  const file = path.join(tempDir(t), 'password');
  fs.writeFileSync(file, text);
  return file;
}

/* A command that fails: exit code, a message that fits, nothing on standard output. */
async function fails(args, code, message, options) {
  const r = await holdout(args, options);
  assert.equal(r.code, code, `${args.join(' ')}: ${r.code ?? r.signal}\n${r.out}${r.err}`);
  assert.match(r.err, message);
  assert.equal(r.out, '', args.join(' '));
  return r;
}

test('init makes a project once', async (t) => {
  const dir = path.join(tempDir(t), 'deep', 'project');
  await must(['init', dir, '--admin-password-file', passwordFile(t), '--admin', 'ada']);
  assert.deepEqual(fs.readdirSync(dir).filter((n) => !n.includes('lock')).sort(),
    ['config.ini', 'exports', 'holdout.db', 'images', 'models']);
  assert.deepEqual(JSON.parse(await must(['user', 'list', dir, '--json'])).map((u) => [u.login, u.role]), [['ada', 'admin']]);
  await must(['check', dir]);
  const before = await dump(dir);
  await fails(['init', dir, '--admin-password-file', passwordFile(t)], 1, /already holds a project\. Nothing was changed/);
  assert.equal(await dump(dir), before);
});

test('init that is refused leaves nothing', async (t) => {
  const dir = path.join(tempDir(t), 'project');
  for (const [password, code, message] of [['short', 1, /12/], ['', 1, /12/], ['x'.repeat(1025), 1, /1024/]]) {
    await fails(['init', dir, '--admin-password-file', passwordFile(t, `${password}\n`)], code, message);
    assert.ok(!fs.existsSync(dir));
  }
  await fails(['init', dir, '--admin-password-file', path.join(dir, 'none')], 1, /none/);
  await fails(['init', dir, '--admin-password-file', passwordFile(t), '--admin', 'Not A Login'], 2, /login name/);
  await fails(['init', dir], 2, /no terminal/);
  assert.ok(!fs.existsSync(dir));
  const file = path.join(tempDir(t), 'file');
  fs.writeFileSync(file, 'not a folder');
  await fails(['init', file, '--admin-password-file', passwordFile(t)], 1, /./);
  assert.equal(fs.readFileSync(file, 'utf8'), 'not a folder');
});

test("the database is its owner's alone, its log as well", async (t) => {
  const dir = await newProject(t);
  const mode = (name) => fs.statSync(path.join(dir, name)).mode & 0o077;
  for (const name of ['.', 'images', 'models', 'exports', 'config.ini', 'holdout.db']) assert.equal(mode(name), 0, name);
  const server = await startServer(t, dir);
  await must(['user', 'list', dir]);
  for (const name of ['holdout.db', 'holdout.db-wal', 'holdout.db-shm']) assert.equal(mode(name), 0, name);
  await server.stop();
});

test('one server at a time, on a port that is free', async (t) => {
  const dir = await newProject(t);
  const first = await startServer(t, dir);
  await fails(['serve', dir, '--port', '0'], 1, /another process already serves .*; stop it first/);
  assert.equal((await fetch(`${first.url}/readyz`)).status, 200, 'the first one does not mind');
  const other = await newProject(t);
  const { port } = new URL(first.url);
  await fails(['serve', other, '--port', port], 1, new RegExp(`port ${port} on 127\\.0\\.0\\.1 is in use: .*--port`));
  await fails(['serve', other, '--port', '65536'], 2, /--port must be/);
  await fails(['serve', other, '--bind', 'not an address'], 1, /cannot listen/);
  await (await startServer(t, other)).stop();
});

test('a server ends well on every signal that means so', async (t) => {
  const dir = await newProject(t);
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) {
    const server = await startServer(t, dir);
    const idle = net.connect(Number(new URL(server.url).port), '127.0.0.1'); /* a client that says nothing */
    await once(idle, 'connect');
    idle.on('error', () => {}); /* a connection that was not accepted yet is reset */
    const gone = new Promise((resolve) => { idle.once('close', resolve); });
    await server.stop(signal); /* asserts exit 0 */
    await gone;
    assert.match(server.log, /"msg":"stopping".*\n.*"msg":"stopped"/);
  }
});

test('a port taken by somebody else, and a client of it', async (t) => {
  const dir = await newProject(t);
  const holder = net.createServer().listen(0, '127.0.0.1');
  t.after(() => holder.close());
  await once(holder, 'listening');
  await fails(['serve', dir, '--port', String(holder.address().port)], 1, /is in use/);
});

/* Every command that opens a project, with arguments that would do. */
const PROJECT_COMMANDS = [['check'], ['serve', '--port', '0'], ['user', 'list'], ['token', 'list'], ['export', 'frequencies'],
  ['import', 'classes', '-'], ['grids']];
const withDir = (command, dir) => {
  const words = ['user', 'token', 'export', 'import'].includes(command[0]) ? 2 : 1;
  return [...command.slice(0, words), dir, ...command.slice(words)];
};

test('a database of a newer program is left alone', async (t) => {
  const dir = await newProject(t);
  await sqlite(path.join(dir, 'holdout.db'), 'PRAGMA user_version = 99;');
  const before = await dump(dir);
  for (const command of [...PROJECT_COMMANDS, ['migrate']]) {
    await fails(withDir(command, dir), 1, /version 99, .*Use a newer program/);
  }
  assert.equal(await dump(dir), before);
});

test('a migration that is not the one of this program', async (t) => {
  const dir = await newProject(t);
  await sqlite(path.join(dir, 'holdout.db'), "UPDATE migration SET checksum = '0123456789abcdef';");
  for (const command of [...PROJECT_COMMANDS, ['migrate']]) {
    await fails(withDir(command, dir), 1, /Migration 0001 of this database differs from the one/);
  }
});

test('migrate needs the project for itself', async (t) => {
  const dir = await newProject(t);
  const server = await startServer(t, dir);
  await fails(['migrate', dir], 1, /is in use: stop the server/);
  await fails(['migrate', dir, '--dry-run'], 1, /is in use/);
  await must(['user', 'list', dir]); /* others may work beside it */
  await server.stop();
  await must(['migrate', dir]);
  /* Somebody restores or migrates: nobody else comes in. */
  const holder = spawn('flock', ['-x', path.join(dir, 'lock'), 'sh', '-c', 'echo held; read line'], { stdio: ['pipe', 'pipe', 'inherit'] });
  t.after(() => holder.kill('SIGKILL'));
  await once(holder.stdout, 'data');
  for (const command of PROJECT_COMMANDS) await fails(withDir(command, dir), 1, /being migrated or restored/);
  holder.stdin.end('\n');
  await once(holder, 'close');
  await must(['check', dir]);
});

test('what is no project', async (t) => {
  const dir = tempDir(t);
  for (const command of PROJECT_COMMANDS) await fails(withDir(command, dir), 1, /is not a project: it has no holdout\.db/);
  fs.writeFileSync(path.join(dir, 'holdout.db'), 'this is no database, whatever its name says '.repeat(50));
  for (const command of PROJECT_COMMANDS) await fails(withDir(command, dir), 1, /database/);
  assert.deepEqual(fs.readFileSync(path.join(dir, 'holdout.db'), 'utf8').slice(0, 10), 'this is no');
});

test('config.ini: a mistake is named by file and line, before anything starts', async (t) => {
  const dir = await newProject(t);
  fs.appendFileSync(path.join(dir, 'config.ini'), '\n[server]\nport = many\n');
  const line = fs.readFileSync(path.join(dir, 'config.ini'), 'utf8').split('\n').indexOf('port = many') + 1;
  const message = new RegExp(`config\\.ini:${line}: .*port`);
  for (const command of [['serve', dir], ['check', dir]]) await fails(command, 1, message);
  assert.match((await holdout(['check', dir, '--config-only'])).out, message); /* tests/cli/doctor.test.mjs: all of them */
  fs.writeFileSync(path.join(dir, 'config.ini'), '[server]\nprot = 1\n');
  await fails(['check', dir], 1, /config\.ini:2: .*prot/);
  fs.writeFileSync(path.join(dir, 'config.ini'), '');
  await must(['check', dir, '--config-only']);
  await fails(['check', dir, '--config', 'server.port=-1'], 1, /server\.port/);
  await fails(['check', dir, '--config=server.port=-1'], 1, /server\.port/);
  await fails(['check', dir, '--set', 'server.port=-1'], 1, /server\.port/); /* as it was called once */
  await fails(['check', dir, '--set', 'server.none=1'], 1, /server\.none/);
  await fails(['check', dir], 1, /port/, { env: { HOLDOUT_SERVER_PORT: 'x' } });
});

const commands = async () => [...(await must(['--help'])).matchAll(/^ {2}(\S+(?: \S+)?) {2,}\S/gm)].map((m) => m[1].split(' '));

test('every command has help, refuses what it does not know, and says how it is used', async (t) => {
  const all = await commands();
  assert.ok(all.length >= 20, String(all.length));
  for (const words of all) {
    await t.test(words.join(' '), async () => {
      for (const flag of ['--help', '-h']) {
        const r = await holdout([...words, flag]);
        assert.deepEqual([r.code, r.err], [0, '']);
        assert.ok(r.out.startsWith(`usage: holdout ${words.join(' ')} `), r.out);
        for (const common of ['--json', '--quiet', '--dry-run', '--help']) assert.ok(r.out.includes(common), common);
      }
      await fails([...words, '--no-such-option'], 2, /unknown option --no-such-option\nusage: holdout/);
      await fails([...words, '--quiet=1'], 2, /--quiet takes no value/);
      await fails([...words, ...Array(1100).fill('x')], 2, /too many arguments\nusage:/);
      await fails([...words, ...Array(50).fill('-q')], 2, /too many/);
      if (!['version', 'doctor', 'difficulty', 'multilabel'].includes(words[0])) await fails(words, 2, /an argument is missing\nusage: holdout/);
      const text = (await must([...words, '--help']));
      const [, example] = /\n\nfor example: holdout (.+)\n$/.exec(text);
      assert.ok(example.startsWith(`${words.join(' ')} `), example);
      for (const [, option] of example.matchAll(/ --([a-z-]+)/g)) assert.match(text, new RegExp(`^ {2}--${option}\\b`, 'm'));
      for (const [, name] of text.matchAll(/^ {2}--([a-z-]+) [A-Z]/gm)) {
        await fails([...words, `--${name}`], 2, new RegExp(`--${name} needs a value`));
      }
    });
  }
});

test('an example is never a mistake of usage', async (t) => {
  const cwd = tempDir(t);
  await must(['init', path.join(cwd, 'study'), '--admin-password-file', passwordFile(t)]);
  for (const words of await commands()) {
    if (['demo', 'serve', 'stall'].includes(words[0])) continue;
    const [, example] = /\n\nfor example: holdout (.+)\n$/.exec(await must([...words, '--help']));
    const r = spawnSync('sh', ['-c', `"$0" ${example}`, bin], { cwd, encoding: 'utf8', input: '' });
    assert.ok(r.status !== 2 || /there is no terminal/.test(r.stderr), `${example}\n${r.stderr}`);
  }
});

test('no command, a wrong one, a part of one', async () => {
  for (const args of [[], ['import'], ['sreve'], ['import', 'nothing'], ['--nothing'], ['']]) {
    const r = await holdout(args);
    assert.deepEqual([r.code, r.out], [2, ''], args.join(' '));
    assert.match(r.err, /usage: holdout COMMAND/);
  }
  for (const args of [['--help'], ['-h'], ['help']]) assert.match(await must(args), /usage: holdout COMMAND/);
  assert.match(await must(['version']), /^holdout \d+\.\d+\S* \(SQLite 3\.\d+\.\d+\)\n$/);
  assert.ok(JSON.parse(await must(['version', '--json'])).holdout);
});

test('a reader that has seen enough ends a command quietly', async () => {
  const child = spawn('sh', ['-c', '{ "$1" version --routes; echo "$?" >&3; } | head -n 0', 'sh', bin], { stdio: ['ignore', 'pipe', 'pipe', 'pipe'] });
  const closed = once(child, 'close');
  const said = { 2: '', 3: '' };
  for (const i of [2, 3]) child.stdio[i].on('data', (c) => { said[i] += c; });
  await closed;
  assert.equal(said[2], '');
  assert.match(said[3], /^(141|0)\n$/, 'the end that a signal makes, as of other tools; 0 when head was slower');
});

test('what else failed is said, also when nobody reads the output any more', async (t) => {
  const dir = await newProject(t);
  const r = spawnSync('sh', ['-c', '{ sleep 0.5; "$0" import classes "$1" - < /proc/self/mem; echo "$?" >&2; } | true', bin, dir], { encoding: 'utf8' });
  assert.match(r.stderr, /^holdout: .*Input\/output error\n1\n$/);
});

test('output that nobody reads is a failure', async () => {
  const full = fs.openSync('/dev/full', 'w');
  const child = spawn(bin, ['version', '--routes'], { stdio: ['ignore', full, 'pipe'] });
  const closed = once(child, 'close');
  let err = '';
  child.stderr.on('data', (c) => { err += c; });
  assert.equal((await closed)[0], 1);
  assert.match(err, /cannot write the output/);
  fs.closeSync(full);
});
