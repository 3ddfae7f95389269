/* peer.mjs - what the comparisons share: models to run, the peer process, numbers. */
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import readline from 'node:readline';
import { fileURLToPath } from 'node:url';

export const here = path.dirname(fileURLToPath(import.meta.url));
export const program = process.env.HOLDOUT_BIN ?? path.join(here, '../../holdout');

/* The folder with the exported models, or why there is none. Exporting all takes about a minute and a
 * gigabyte; HOLDOUT_MODELS names a folder that is kept. */
export function models(names = []) {
  const dir = process.env.HOLDOUT_MODELS ?? path.join(here, '../../build/models');
  if (names.length > 0 && names.every((n) => fs.existsSync(path.join(dir, `${n}.onnx`)))) return { dir };
  const python = ['/usr/bin/python3', 'python3'].find((p) =>
    spawnSync(p, ['-c', 'import torch, torchvision, onnx'], { stdio: 'ignore' }).status === 0);
  if (!python) return { missing: 'python3-torch, python3-torchvision or python3-onnx is not installed' };
  execFileSync(python, [path.join(here, 'export.py'), dir, ...names], { stdio: ['ignore', 2, 2] });
  return { dir };
}

/* Why onnxruntime cannot be used here; null when it can. */
export function withoutOnnxruntime() {
  if (fs.existsSync(path.join(here, 'node_modules/onnxruntime-node'))) return null;
  return 'onnxruntime-node is not installed: npm ci --ignore-scripts in tests/peer';
}

export const floats = (file) => {
  const b = fs.readFileSync(file);
  return new Float32Array(b.buffer.slice(b.byteOffset, b.byteOffset + b.length));
};
export const median = (v) => {
  const s = [...v].sort((a, b) => a - b);
  const m = s.length >> 1;
  return s.length % 2 ? s[m] : (s[m - 1] + s[m]) / 2;
};
export const deviation = (v) => {
  let mean = 0;
  for (const x of v) mean += x / v.length;
  let sum = 0;
  for (const x of v) sum += (x - mean) ** 2;
  return Math.sqrt(sum / v.length);
};
/* NaN anywhere is the largest difference there is. */
export const difference = (a, b) => {
  if (a.length !== b.length) return Infinity;
  let most = 0;
  for (let i = 0; i < a.length; i++) {
    const d = Math.abs(a[i] - b[i]);
    if (!(d <= most)) most = Number.isNaN(d) ? Infinity : d;
  }
  return most;
};

export class Onnxruntime {
  constructor(model, threads) {
    this.child = spawn(process.execPath, [path.join(here, 'onnxruntime.mjs'), model, String(threads)],
      { stdio: ['pipe', 'pipe', 'inherit'] });
    this.lines = readline.createInterface({ input: this.child.stdout })[Symbol.asyncIterator]();
  }

  async answer() {
    const { value, done } = await this.lines.next();
    if (done) throw new Error('onnxruntime ended');
    return JSON.parse(value);
  }

  ask(object) {
    this.child.stdin.write(`${JSON.stringify(object)}\n`);
    return this.answer();
  }

  close() {
    this.child.stdin.end();
    return new Promise((resolve) => { this.child.on('close', resolve); });
  }
}
