/* innocent.mjs - a thread with a worker who asks for grids, answers them and joins again under new ids, and
 * times what they wait. A thread of its own, so that it waits for the server and not for those who
 * keep the test busy. Every message is answered with the times since the message before; 'end' ends it. */
import assert from 'node:assert/strict';
import { parentPort, workerData } from 'node:worker_threads';

import { Client } from '../http/lib.mjs';
import { answer, join, next } from '../http/study.mjs';

const client = new Client(workerData.url);
let waited = [];
let over = false;
parentPort.on('message', (message) => {
  parentPort.postMessage(waited);
  waited = [];
  over = message === 'end';
  if (over) parentPort.close();
});

async function timed(what) {
  const from = performance.now();
  const r = await what();
  waited.push(performance.now() - from);
  return r;
}

for (let i = 0; !over; i++) {
  const place = await timed(() => join(client, `innocent-${i}`));
  const grid = await timed(() => next(client, place));
  const r = await timed(() => answer(client, grid.assignment, { client_id: `innocent-${i}` }));
  assert.equal(r.status, 200);
}
