/* raw.mjs - requests as bytes on a socket, for what no well-behaved client sends. One request a
 * connection: what comes until the server closes it is the reply. */
import net from 'node:net';

export function parse(bytes) {
  const text = bytes.toString('latin1');
  const end = text.indexOf('\r\n\r\n');
  if (end < 0) return null; /* cut without a reply */
  const [line, ...rest] = text.slice(0, end).split('\r\n');
  const headers = {};
  for (const h of rest) {
    const colon = h.indexOf(':');
    const name = h.slice(0, colon).toLowerCase();
    headers[name] = [...(headers[name] ?? []), h.slice(colon + 1).trim()];
  }
  return { status: Number(line.split(' ')[1]), headers, body: text.slice(end + 4) };
}

/* Sends the bytes and reads to the end: { status, headers: {name: [value]}, body }, null when the
 * server cut the connection without a word. */
export function exchange(url, bytes) {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const chunks = [];
    const socket = net.connect(Number(port), hostname);
    socket.on('connect', () => socket.write(bytes));
    socket.on('data', (c) => chunks.push(c));
    /* A refused body may still be on its way when the server closes: the reply counts. */
    socket.on('error', (e) => { if (e.code !== 'ECONNRESET' && e.code !== 'EPIPE') reject(e); });
    socket.on('close', () => resolve(parse(Buffer.concat(chunks))));
  });
}

/* Header lines, Host and Connection: close before a body. */
export function request(method, target, { headers = {}, body = '', chunked = false } = {}) {
  const lines = [`${method} ${target} HTTP/1.1`, 'Host: localhost', 'Connection: close'];
  for (const [name, value] of Object.entries(headers)) lines.push(`${name}: ${value}`);
  const bytes = Buffer.from(body);
  if (chunked) {
    lines.push('Transfer-Encoding: chunked', '', '');
    const size = bytes.length ? `${bytes.length.toString(16)}\r\n` : '';
    return Buffer.concat([Buffer.from(lines.join('\r\n') + size), bytes,
      Buffer.from(`${size ? '\r\n' : ''}0\r\n\r\n`)]);
  }
  if (bytes.length) lines.push(`Content-Length: ${bytes.length}`);
  return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`), bytes]);
}

export const send = (url, method, target, options) =>
  exchange(url, request(method, target, options));
