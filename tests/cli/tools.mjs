/* tools.mjs - what tests of commands share: copies of a project, small files, what a command says when it fails and
 * when it does not, SQL beside the program. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';

import { holdout, tempDir } from '../http/lib.mjs';
import { sqlite } from '../load/tools.mjs';

export function copyOf(t, project) {
  const dir = path.join(tempDir(t), 'project');
  fs.cpSync(project, dir, { recursive: true });
  return dir;
}

export function put(t, file, text) {
  const full = path.join(tempDir(t), file);
  fs.writeFileSync(full, text);
  return full;
}

export async function fails(args, message, { code = 1, ...options } = {}) {
  const r = await holdout(args, options);
  assert.equal(r.code, code, `${args.join(' ')}: ${r.code ?? r.signal}\n${r.out}${r.err}`);
  assert.match(r.err, message);
  return r;
}

export async function says(args, message, options = {}) {
  const r = await holdout(args, options);
  assert.equal(r.code, 0, r.err);
  assert.match(r.err, message);
  return r;
}

export const sql = (dir, text) => sqlite(path.join(dir, 'holdout.db'), text);

/* A NumPy file of rows; `header` changes what it says of itself. */
export function npy(vectors, header = {}) {
  const { descr = '<f4', order = 'False', shape = `(${vectors.length}, ${vectors[0]?.length ?? 8})` } = header;
  let text = `{'descr': '${descr}', 'fortran_order': ${order}, 'shape': ${shape}, }`;
  text += `${' '.repeat(63 - ((text.length + 10) % 64))}\n`;
  const begin = Buffer.from('\x93NUMPY\x01\x00\x00\x00', 'latin1');
  begin.writeUInt16LE(text.length, 8);
  return Buffer.concat([begin, Buffer.from(text), Buffer.from(Float32Array.from(vectors.flat()).buffer)]);
}
