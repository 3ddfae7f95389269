/* Thirty-two clients that send a byte now and then at a limit of thirty-two connections: everybody else is served. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import fs from 'node:fs';
import net from 'node:net';
import { it } from 'node:test';

import { newProject, startServer } from '../http/lib.mjs';

const LIMIT = 32;
const SECONDS = 115;
const residentMiB = (pid) => Number(/^VmRSS:\s+(\d+)/m.exec(fs.readFileSync(`/proc/${pid}/status`, 'utf8'))[1]) / 1024;

it(`${LIMIT} slow clients at a limit of ${LIMIT}`, async (t) => {
  const dir = await newProject(t);
  const server = await startServer(t, dir, { env: { HOLDOUT_SERVER_CONNECTIONS: String(LIMIT) } });
  const port = Number(new URL(server.url).port);
  const head = 'POST /login HTTP/1.1\r\nHost: slow\r\nContent-Length: 8000\r\n\r\n';
  const before = residentMiB(server.child.pid);
  let over = false;
  let ended = 0;
  /* Each comes again as soon as it was closed. Every second one is through with its head and slow with its body. */
  const slow = async (i) => {
    while (!over) {
      const socket = net.connect(port, '127.0.0.1').on('error', () => {});
      let at = i % 2 ? head.length : 0;
      if (at) socket.write(head);
      const timer = setInterval(() => socket.write(at < head.length ? head[at++] : 'x'), 500);
      await Promise.race([once(socket, 'close'), new Promise((resolve) => { const look = setInterval(() => { if (over) { clearInterval(look); resolve(); } }, 100); })]);
      clearInterval(timer);
      socket.destroy();
      ended++;
    }
  };
  const all = Promise.all(Array.from({ length: LIMIT }, (_, i) => slow(i)));
  const end = Date.now() + SECONDS * 1000;
  const times = [];
  while (Date.now() < end) {
    const start = performance.now();
    const r = await fetch(`${server.url}/healthz`, { headers: { connection: 'close' } }).catch((e) => e);
    assert.equal(r.status, 200, `after ${times.length} probes: ${r}`);
    await r.text();
    times.push(performance.now() - start);
    await new Promise((resolve) => { setTimeout(resolve, 50); });
  }
  const after = residentMiB(server.child.pid);
  over = true;
  await all;
  times.sort((a, b) => a - b);
  assert.ok(after - before < 32, `${after} MiB`);
  console.log(`fact: ${times.length} probes among ${LIMIT} slow clients, all served; p99 ${times[Math.floor(times.length * 0.99)].toFixed(1)} ms, longest ${times.at(-1).toFixed(1)} ms`);
  console.log(`fact: ${ended} slow connections were ended; ${before.toFixed(0)} MiB before, ${after.toFixed(0)} MiB after`);
});
