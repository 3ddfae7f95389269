/* Sixty bodies of 2 MiB at once that nobody signed in for, then sixty that an expert sends slowly: others are served,
 * and memory stays where it was, or below what limits.body_mb says. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import fs from 'node:fs';
import net from 'node:net';
import { it } from 'node:test';

import { newProject, must, startServer } from '../http/lib.mjs';

const POSTS = 60;
const SIZE = 2 << 20;
const BODIES_MIB = 16;
const residentMiB = (pid) => Number(/^VmRSS:\s+(\d+)/m.exec(fs.readFileSync(`/proc/${pid}/status`, 'utf8'))[1]) / 1024;

/* All but the last byte, so that nothing is ever complete; the first line of the reply, '' when there is none yet. */
async function hold(port, ...lines) {
  const socket = net.connect(port, '127.0.0.1').on('error', () => {});
  const post = { socket, reply: '' };
  socket.setEncoding('latin1').on('data', (c) => { post.reply ||= c.split('\r\n')[0]; });
  await once(socket, 'connect');
  socket.write(['POST /classes/x/decisions HTTP/1.1', 'Host: greedy', `Content-Length: ${SIZE}`, 'Content-Type: application/x-www-form-urlencoded', ...lines, '', ''].join('\r\n'));
  socket.write(Buffer.alloc(SIZE - 1, 'x'));
  return post;
}

it(`${POSTS} greedy posts`, async (t) => {
  const dir = await newProject(t);
  const server = await startServer(t, dir, { env: { HOLDOUT_LIMITS_BODY_MB: String(BODIES_MIB) } });
  const port = Number(new URL(server.url).port);
  const token = (await must(['token', 'create', dir, '--login', 'admin', '--name', 'greedy'])).trim();
  const served = async (what) => { for (let i = 0; i < 20; i++) assert.equal((await fetch(`${server.url}/login`)).status, 200, what); };
  const before = residentMiB(server.child.pid);
  const answered = async (posts, n) => {
    const end = Date.now() + 15000;
    while (posts.filter((p) => p.reply).length < n && Date.now() < end) await new Promise((resolve) => { setTimeout(resolve, 20); });
    return posts.filter((p) => p.reply).length;
  };
  const anonymous = await Promise.all(Array.from({ length: POSTS }, () => hold(port)));
  assert.equal(await answered(anonymous, POSTS), POSTS, 'each is answered without its last byte');
  for (const p of anonymous) assert.match(p.reply, / (303|401) /);
  await served('beside anonymous ones');
  const nobody = residentMiB(server.child.pid);
  assert.ok(nobody - before < 16, `${before} to ${nobody} MiB`);
  for (const p of anonymous) p.socket.destroy();
  const signed = await Promise.all(Array.from({ length: POSTS }, () => hold(port, `Authorization: Bearer ${token}`)));
  await served('beside signed-in ones');
  await answered(signed, 1);
  const somebody = residentMiB(server.child.pid);
  assert.ok(somebody - before < 2 * BODIES_MIB + 16, `${before} to ${somebody} MiB`);
  for (const p of signed.filter((s) => s.reply)) assert.match(p.reply, / 503 /);
  for (const p of signed) p.socket.destroy();
  console.log(`fact: ${POSTS} anonymous posts of 2 MiB: ${before.toFixed(0)} to ${nobody.toFixed(0)} MiB; ${POSTS} of an expert with room for ${BODIES_MIB} MiB: ${somebody.toFixed(0)} MiB; others served`);
});
