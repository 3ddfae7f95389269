/* infer.mjs - images per second and peak memory beside onnxruntime, the same models and threads, in turn.
 *
 *     node infer.mjs [--rounds N] [--seconds S] [--models a,b] [--batches 1,16] [--threads 1,2]
 *
 * A round times `holdout infer` and then the peer for S seconds each; the table has medians over rounds of both
 * rates and of their ratio. One JSON line a row on standard output, the table on standard error. Called by
 * tests/bench/run. */
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { parseArgs } from 'node:util';

import { Onnxruntime, median, models, program, withoutOnnxruntime } from './peer.mjs';

const { values } = parseArgs({ options: {
  rounds: { type: 'string', default: '5' },
  seconds: { type: 'string', default: '1' },
  models: { type: 'string', default: 'resnet50,resnet18,vgg16,squeezenet1_1,mobilenet_v2,densenet121,efficientnet_b0,alexnet' },
  batches: { type: 'string', default: '1,16' },
  threads: { type: 'string', default: '1' },
} });
const list = (s) => s.split(',').filter(Boolean);
const names = list(values.models);
const { dir, missing } = models(names);
const reason = missing ?? withoutOnnxruntime();
if (reason) {
  console.error(`SKIPPED: ${reason}`);
  process.exit(0);
}
const seconds = Number(values.seconds);

/* Repeats that take about `seconds`. */
function ours(model, input, batch, threads, repeat) {
  const r = spawnSync(program, ['infer', model, '--input', '-', '--shape', `${batch},3,224,224`, '--output',
    '/dev/null', '--threads', String(threads), '--repeat', String(repeat)], { input, maxBuffer: 1 << 24 });
  if (r.status !== 0) throw new Error(r.stderr.toString());
  return JSON.parse(r.stdout.toString());
}

const rows = [];
for (const name of names) {
  for (const threads of list(values.threads).map(Number)) {
    for (const batch of list(values.batches).map(Number)) {
      const model = path.join(dir, `${name}.onnx`);
      const peer = new Onnxruntime(model, threads);
      const { idle } = await peer.answer();
      const ask = { time: seconds, shape: [batch, 3, 224, 224], input: path.join(dir, `${name}.in.f32`) };
      const data = new Float32Array(batch * 3 * 224 * 224).map((_, i) => ((i * 7919) % 1999) / 999.5 - 1);
      const input = Buffer.from(data.buffer);
      let first = ours(model, input, batch, threads, 2);
      const repeat = Math.max(2, Math.ceil(first.images_per_second * seconds / batch));
      await peer.ask({ ...ask, time: seconds / 2 });
      const rates = { ours: [], peer: [], ratio: [] };
      let memory = { ours: 0, peer: 0 };
      for (let i = 0; i < Number(values.rounds); i++) {
        first = ours(model, input, batch, threads, repeat);
        const other = await peer.ask(ask);
        rates.ours.push(first.images_per_second);
        rates.peer.push(median(other.rates));
        rates.ratio.push(rates.ours.at(-1) / rates.peer.at(-1));
        memory = { ours: Math.max(memory.ours, first.peak_bytes), peer: other.peak - idle };
      }
      await peer.close();
      const row = { model: name, threads, batch, ours: median(rates.ours), peer: median(rates.peer),
        ratio: median(rates.ratio), memory: memory.ours / memory.peer, memory_ours: memory.ours,
        memory_peer: memory.peer };
      rows.push(row);
      console.log(JSON.stringify(row));
      console.error(`${name.padEnd(18)} threads ${threads} batch ${String(batch).padStart(2)}  ${row.ours.toFixed(1).padStart(7)} / ${row.peer.toFixed(1).padStart(7)} images/s = ${row.ratio.toFixed(2)}   memory ${(memory.ours / 1e6).toFixed(0)} / ${(memory.peer / 1e6).toFixed(0)} MB = ${row.memory.toFixed(2)}`);
    }
  }
}
const one = rows.filter((r) => r.threads === rows[0].threads);
const mean = Math.exp(one.reduce((a, r) => a + Math.log(r.ratio), 0) / one.length);
console.error(`geometric mean ${mean.toFixed(3)}, least ${Math.min(...one.map((r) => r.ratio)).toFixed(2)}, most memory ${Math.max(...rows.map((r) => r.memory)).toFixed(2)} x`);
console.log(JSON.stringify({ geometric_mean: mean, least: Math.min(...one.map((r) => r.ratio)) }));
