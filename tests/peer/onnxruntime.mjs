/* onnxruntime.mjs - runs one model in onnxruntime as a child process that answers commands, so that it can be
 * timed in turn with others:
 *
 *     node onnxruntime.mjs MODEL.onnx THREADS
 *
 * One JSON object a line on standard input: {"run": FILE.f32, "shape": [...], "output": FILE.f32} writes the
 * first output; {"time": SECONDS, "shape": [...], "input": FILE.f32} runs for that long and answers with the
 * images per second of every run. The first answer is {"ready": true, "idle": BYTES}; each tells the peak
 * memory (VmHWM), from which the idle process's has to be taken off. Used by peer.mjs. */
import fs from 'node:fs';
import readline from 'node:readline';

const peak = () => Number(/VmHWM:\s+(\d+)/.exec(fs.readFileSync('/proc/self/status', 'utf8'))[1]) * 1024;
const [path, threads] = process.argv.slice(2);
const { default: ort } = await import('onnxruntime-node');
const floats = (file) => {
  const b = fs.readFileSync(file);
  return new Float32Array(b.buffer.slice(b.byteOffset, b.byteOffset + b.length));
};
const say = (object) => process.stdout.write(`${JSON.stringify({ ...object, peak: peak() })}\n`);

const idle = peak();
const session = await ort.InferenceSession.create(path, { intraOpNumThreads: Number(threads),
  interOpNumThreads: 1, executionMode: 'sequential', graphOptimizationLevel: 'all' });
const run = async (tensor) => (await session.run({ [session.inputNames[0]]: tensor }))[session.outputNames[0]];
say({ ready: true, idle });

for await (const line of readline.createInterface({ input: process.stdin })) {
  const ask = JSON.parse(line);
  const all = floats(ask.run ?? ask.input);
  const wanted = ask.shape.reduce((a, b) => a * b, 1);
  const data = new Float32Array(wanted);
  for (let i = 0; i < wanted; i += all.length) data.set(all.subarray(0, Math.min(all.length, wanted - i)), i);
  const tensor = new ort.Tensor('float32', data, ask.shape);
  if (ask.run) {
    const y = await run(tensor);
    fs.writeFileSync(ask.output, Buffer.from(y.data.buffer, y.data.byteOffset, y.data.byteLength));
    say({ dims: y.dims });
  } else {
    const rates = [];
    const end = performance.now() + ask.time * 1000;
    do {
      const t = performance.now();
      await run(tensor);
      rates.push(ask.shape[0] / ((performance.now() - t) / 1000));
    } while (performance.now() < end);
    say({ rates });
  }
}
