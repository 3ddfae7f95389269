/* bad_network.mjs - what lies between a worker and the server: a proxy that delays, loses and is cut
 * off. Losses are drawn from a seed, so that a run can be repeated. */
import http from 'node:http';

/* Numbers in [0, 1), the same for the same seed (mulberry32). */
function draws(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let x = Math.imul(state ^ (state >>> 15), state | 1);
    x ^= x + Math.imul(x ^ (x >>> 7), x | 61);
    return ((x ^ (x >>> 14)) >>> 0) / 4294967296;
  };
}

/* A proxy before `target`. `loss`: share of requests that are lost, half of them on the way there, half
 * on the way back, when the server has done what it was asked. `delay`: milliseconds before each reply.
 * The result's url stands for the server's; `down` true: nothing comes through; `lost` counts. */
export async function badNetwork(t, target, { loss = 0, delay = 0, seed = 1 } = {}) {
  const random = draws(seed);
  const agent = new http.Agent({ keepAlive: true });
  const net = { down: false, lost: { there: 0, back: 0 }, requests: 0 };
  const sockets = new Set();

  const server = http.createServer((req, res) => {
    net.requests++;
    const drawn = random();
    if (net.down || drawn < loss / 2) {
      net.lost.there += net.down ? 0 : 1;
      req.socket.destroy();
      return;
    }
    const lostBack = drawn < loss;
    const { host, ...headers } = req.headers;
    const forward = http.request(new URL(req.url, target), {
      agent, method: req.method, headers: { ...headers, host: new URL(net.url).host },
    }, (reply) => {
      if (lostBack) {
        net.lost.back++;
        reply.resume();
        reply.on('end', () => req.socket.destroy());
        return;
      }
      setTimeout(() => {
        res.writeHead(reply.statusCode, reply.headers);
        reply.pipe(res);
      }, delay);
    });
    forward.on('error', () => req.socket.destroy());
    req.pipe(forward);
  });
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    if (net.down) socket.destroy();
  });
  await new Promise((resolve) => { server.listen(0, '127.0.0.1', resolve); });
  net.url = `http://127.0.0.1:${server.address().port}`;
  net.cut = () => {
    net.down = true;
    for (const socket of sockets) socket.destroy();
  };
  net.mend = () => { net.down = false; };
  t.after(() => {
    for (const socket of sockets) socket.destroy();
    agent.destroy();
    return new Promise((resolve) => { server.close(resolve); });
  });
  return net;
}
