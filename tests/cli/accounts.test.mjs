/* Accounts and API tokens from the shell, also beside a running server. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';

import { Client, PASSWORD, holdout, must, newProject, startServer } from '../http/lib.mjs';
import { WIDE } from '../http/study.mjs';
import { sqlite, tempDir } from '../load/tools.mjs';

const dump = (dir) => sqlite(path.join(dir, 'holdout.db'), '.dump');

/* { dir, fails, add, users } on a new project. */
async function shell(t) {
  const dir = await newProject(t);
  const file = path.join(tempDir(t), 'password');
  const password = (text) => { fs.writeFileSync(file, text); return ['--password-file', file]; };
  return {
    dir, password,
    add: (login, role) => must(['user', 'add', dir, login, '--role', role, ...password(`${PASSWORD}\n`)]),
    users: async () => new Map(JSON.parse(await must(['user', 'list', dir, '--json'])).map((u) => [u.login, u])),
    /* Refused: exit code, message, and nothing changed. */
    async refused(code, message, ...args) {
      const before = await dump(dir);
      const r = await holdout([...args.slice(0, 2), dir, ...args.slice(2)]);
      assert.equal(r.code, code, `${args.join(' ')}: ${r.code}\n${r.err}`);
      assert.match(r.err, message);
      assert.equal(await dump(dir), before, args.join(' '));
    },
  };
}

test('adding accounts', async (t) => {
  const { dir, add, users, password, refused } = await shell(t);
  for (const role of ['worker', 'expert', 'lead', 'admin']) await add(`a-${role}`, role);
  await must(['user', 'add', dir, 'plain', ...password(`${PASSWORD}\r\nsecond line\n`)]);
  const all = await users();
  assert.deepEqual([...all.values()].map((u) => [u.login, u.role]), [['a-admin', 'admin'], ['a-expert', 'expert'], ['a-lead', 'lead'],
    ['a-worker', 'worker'], ['admin', 'admin'], ['plain', 'worker']]);
  assert.match(await must(['user', 'list', dir]), /^id\tlogin\trole\tstate\tcreated\n(.*\n)*1\tadmin\tadmin\tactive\t\d{4}-/);
  const good = password(`${PASSWORD}\n`);
  await refused(1, /plain is taken/, 'user', 'add', 'plain', ...good);
  for (const login of ['A', 'x', 'UPPER', 'with space', 'umläut', 'x'.repeat(65), 'a/b']) {
    await refused(2, /login name must have 2 to 64/, 'user', 'add', login, ...good);
  }
  await refused(2, /is not a role: choose worker/, 'user', 'add', 'new', '--role', 'king', ...good);
  await refused(2, /no terminal/, 'user', 'add', 'new');
  await refused(1, /12/, 'user', 'add', 'new', ...password('short\n'));
  for (const verb of [['role', 'nobody', 'lead'], ['disable', 'nobody'], ['enable', 'nobody'], ['password', 'nobody']]) {
    await refused(1, /no account nobody/, 'user', ...verb, ...(verb[0] === 'password' ? good : []));
  }
  await refused(1, /no role "king"/, 'user', 'role', 'plain', 'king');
});

test('the last administrator stays one', async (t) => {
  const { dir, add, users, refused } = await shell(t);
  await refused(1, /last administrator/, 'user', 'role', 'admin', 'lead');
  await refused(1, /last administrator/, 'user', 'disable', 'admin');
  await add('second', 'admin');
  await must(['user', 'disable', dir, 'second']);
  await refused(1, /last administrator/, 'user', 'role', 'admin', 'worker'); /* a disabled one is none */
  await refused(1, /last administrator/, 'user', 'disable', 'admin');
  await must(['user', 'enable', dir, 'second']);
  await must(['user', 'role', dir, 'admin', 'lead']);
  await refused(1, /last administrator/, 'user', 'role', 'second', 'lead');
  await refused(1, /last administrator/, 'user', 'disable', 'second');
  const all = await users();
  assert.deepEqual([all.get('admin').role, all.get('second').role, all.get('second').disabled], ['lead', 'admin', false]);
});

test('changes count at once for who is signed in', async (t) => {
  const { dir, add, password } = await shell(t);
  await add('eve', 'lead');
  const server = await startServer(t, dir, { env: WIDE });
  const eve = () => new Client(server.url).login('eve');
  const over = async (client) => assert.equal((await client.get('/account')).status, 303);
  let client = await eve();
  await must(['user', 'role', dir, 'eve', 'expert']);
  await over(client);
  client = await eve();
  assert.equal((await client.get('/metrics')).status, 403);
  await must(['user', 'password', dir, 'eve', ...password('another long password\n')]);
  await over(client);
  await assert.rejects(eve(), /sign-in of eve: 401/);
  client = await new Client(server.url).login('eve', 'another long password');
  await must(['user', 'disable', dir, 'eve']);
  await over(client);
  await assert.rejects(new Client(server.url).login('eve', 'another long password'), /401/);
  await must(['user', 'enable', dir, 'eve']);
  await over(client);
  await new Client(server.url).login('eve', 'another long password');
});

test('API tokens', async (t) => {
  const { dir, add, refused } = await shell(t);
  await add('eve', 'expert');
  const text = (await must(['token', 'create', dir, '--login', 'eve', '--name', 'cron job'])).trim();
  assert.match(text, /^hld_[A-Za-z0-9_-]{22}$/);
  const other = JSON.parse(await must(['token', 'create', dir, '--login', 'eve', '--name', 'b', '--role', 'worker', '--days', '1', '--json']));
  assert.ok(new Date(other.expires_at) - Date.now() <= 86400e3);
  assert.ok(!(await dump(dir)).includes(text), 'the text is stored nowhere');
  await refused(2, /needs --login and --name/, 'token', 'create', '--login', 'eve');
  await refused(1, /no account/, 'token', 'create', '--login', 'adam', '--name', 'x');
  await refused(1, /cannot have the role lead/, 'token', 'create', '--login', 'eve', '--name', 'x', '--role', 'lead');
  await refused(1, /no such role/, 'token', 'create', '--login', 'eve', '--name', 'x', '--role', 'king');
  await refused(1, /name/, 'token', 'create', '--login', 'eve', '--name', '');
  for (const days of ['0', '366', '-1', 'x', '1.5', '99999999999999999999']) {
    await refused(2, /--days must be/, 'token', 'create', '--login', 'eve', '--name', 'x', '--days', days);
  }
  await refused(2, /not the number of a token/, 'token', 'revoke', 'x');
  await refused(1, /no such token/, 'token', 'revoke', '99');

  const server = await startServer(t, dir);
  const use = async (token) => (await new Client(server.url).get('/api/v1/classes', { authorization: `Bearer ${token}` })).status;
  assert.deepEqual([await use(text), await use(other.token)], [200, 403]);
  const list = async () => JSON.parse(await must(['token', 'list', dir, '--login', 'eve', '--json'])).map((r) => [r.name, r.role, r.state]);
  assert.deepEqual(await list(), [['b', 'worker', 'open'], ['cron job', 'expert', 'open']]);
  await must(['token', 'revoke', dir, '1']);
  assert.deepEqual([await use(text), await use(other.token)], [401, 403]);
  assert.deepEqual(await list(), [['b', 'worker', 'open'], ['cron job', 'expert', 'revoked']]);
  assert.match(await must(['token', 'list', dir]), /^id\tlogin\trole\tstate\texpires\tname\n/);
  await must(['user', 'disable', dir, 'eve']);
  await refused(1, /disabled/, 'token', 'create', '--login', 'eve', '--name', 'x');
});
