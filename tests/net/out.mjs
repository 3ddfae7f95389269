/* out.mjs - writes what was answered, a file for each answer, readable where it is text. */
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';

import { sqlite } from '../load/tools.mjs';
import { same, sameHead } from './same.mjs';

const MOST = 1 << 21; /* bytes of a text that is kept; of a longer one its hash */

/* A name for a file: the text as far as that is one, and its hash where something was lost. */
export function slug(text) {
  const plain = text.replace(/^\/+/, '').replace(/[^A-Za-z0-9.,=_-]+/g, '-').replace(/^\.+/, '').slice(0, 80);
  const lost = plain !== text.replace(/^\//, '');
  return `${plain || 'root'}${lost ? `~${createHash('sha1').update(text).digest('hex').slice(0, 8)}` : ''}`;
}

const digest = (bytes) => `sha256 ${createHash('sha256').update(bytes).digest('hex')}, ${bytes.length} bytes\n`;

/* Text as it is, made equal; of other bytes the hash. */
function shown(what, bytes) {
  const text = bytes.toString('utf8');
  if (text.includes('\0') || !Buffer.from(text).equals(bytes)) return digest(bytes);
  const t = same(what, text);
  return t.length > MOST ? digest(Buffer.from(t)) : t;
}

export class Out {
  constructor(folder) {
    this.folder = folder;
  }

  put(file, text) {
    const at = path.join(this.folder, file);
    fs.mkdirSync(path.dirname(at), { recursive: true });
    if (fs.existsSync(at)) throw new Error(`recorded twice: ${file}`);
    fs.writeFileSync(at, text);
  }

  /* Status, headers and body of a reply to `what`; its body. A stream is left at its head: what comes and when goes by
   * the clock. */
  async reply(file, what, r) {
    const stream = /^text\/event-stream/.test(r.headers.get('content-type') ?? '');
    if (stream) await r.body?.cancel();
    const body = stream ? Buffer.from('(a stream)\n') : Buffer.from(await r.arrayBuffer());
    this.put(file, `${same('', what)}\n${r.status}\n${sameHead(what, r.headers, body.toString('utf8'))}\n${shown(what, body)}`);
    return body;
  }

  /* What a command printed and how it ended. */
  command(file, args, { code, signal, out, err }) {
    const what = `holdout ${args.join(' ')}`;
    const err1 = err.replace(/^.*\r/gm, ''); /* progress */
    this.put(file, `${same('', what)}\nexit ${code ?? signal}\n--- error\n${same(what, err1)}--- output\n${shown(what, Buffer.from(out))}`);
  }

  /* Every file below a folder. */
  tree(file, folder) {
    const list = fs.readdirSync(folder, { recursive: true, withFileTypes: true }).filter((f) => f.isFile())
      .map((f) => path.join(f.parentPath ?? f.path, f.name)).sort();
    const text = list.map((f) => `=== ${path.relative(folder, f)}\n${shown('', fs.readFileSync(f))}`);
    this.put(file, text.join(''));
  }

  /* Every table of a project, row by row: what its writes left, and the history of them. */
  async tables(dir, as = 'rows') {
    const db = path.join(dir, 'holdout.db');
    const names = (await sqlite(db, "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name;")).trim().split('\n');
    for (const name of names) {
      const rows = await sqlite(db, `.mode quote\n.headers on\nSELECT * FROM "${name}" ORDER BY 1, 2;`)
        .catch(() => sqlite(db, `.mode quote\n.headers on\nSELECT * FROM "${name}" ORDER BY 1;`));
      this.put(`${as}/${name}.txt`, shown(`rows of ${name}`, Buffer.from(rows)));
    }
  }
}
