/* The ONNX project's own test data and exported architectures through `holdout infer`: the results must be
 * those of other engines, whatever the number of threads and images in a batch. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';

import { golden, holdout, must, needsGolden, newProject, tempDir } from '../http/lib.mjs';

const at = (...parts) => path.join(golden, 'onnx', ...parts);

/* Protocol buffers: [field, number or bytes] of one message. */
function* fields(b) {
  let i = 0;
  const varint = () => {
    let n = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = b[i++];
      n |= BigInt(byte & 127) << shift;
      if (byte < 128) return Number(BigInt.asIntN(64, n));
    }
  };
  while (i < b.length) {
    const key = varint();
    const wire = key & 7;
    if (wire === 0) yield [key >> 3, varint()];
    else {
      const n = wire === 2 ? varint() : wire === 1 ? 8 : 4;
      yield [key >> 3, b.subarray(i, i + n)];
      i += n;
    }
  }
}

const asFloats = (b) => new Float32Array(b.buffer.slice(b.byteOffset, b.byteOffset + b.length));

/* A TensorProto: dimensions and floats, which stand in raw_data or packed in float_data. */
function tensor(file) {
  const t = { dims: [], data: new Float32Array() };
  for (const [field, value] of fields(fs.readFileSync(file))) {
    if (field === 1) t.dims.push(...(typeof value === 'number' ? [value] : varints(value)));
    if (field === 4 || field === 9) t.data = asFloats(value);
  }
  return t;
}
const varints = (b) => [...fields(Buffer.concat([...split(b)].map((v) => Buffer.concat([Buffer.from([8]), v]))))].map(([, v]) => v);
function* split(b) {
  for (let from = 0, i = 0; i < b.length; i++) {
    if (b[i] < 128) {
      yield b.subarray(from, i + 1);
      from = i + 1;
    }
  }
}

function near(got, want, relative, absolute, what) {
  assert.equal(got.length, want.length, `${what}: number of results`);
  for (let i = 0; i < want.length; i++) {
    const off = Math.abs(got[i] - want[i]);
    assert.ok(off <= absolute + relative * Math.abs(want[i]), `${what}: result ${i} is ${got[i]}, not ${want[i]}`);
  }
}
const largest = (v) => v.reduce((m, x) => Math.max(m, Math.abs(x)), 0);
function deviation(v) {
  const mean = v.reduce((a, x) => a + x, 0) / v.length;
  return Math.sqrt(v.reduce((a, x) => a + (x - mean) ** 2, 0) / v.length);
}

async function infer(t, model, dims, data, more = []) {
  const dir = tempDir(t);
  const input = path.join(dir, 'in.f32');
  const output = path.join(dir, 'out.f32');
  fs.writeFileSync(input, Buffer.from(data.buffer, data.byteOffset, data.byteLength));
  await must(['infer', model, '--input', input, '--shape', dims.join(','), '--output', output, ...more]);
  return asFloats(fs.readFileSync(output));
}

const operators = golden ? fs.readdirSync(at('operators')).sort() : ['operators'];
for (const name of operators) {
  test(`operator ${name}`, needsGolden, async (t) => {
    const x = tensor(at('operators', name, 'input_0.pb'));
    const y = tensor(at('operators', name, 'output_0.pb'));
    near(await infer(t, at('operators', name, 'model.onnx'), x.dims, x.data), y.data, 1e-3, 1e-7, name);
  });
}

for (const name of ['bvlc_alexnet', 'resnet50', 'squeezenet', 'vgg19']) {
  test(`light ${name}`, needsGolden, async (t) => {
    const n = 3 * 224 * 224;
    const x = Float32Array.from({ length: n }, (_, i) => Math.fround(i) / n);
    const y = tensor(at(`light_${name}_output_0.pb`));
    const got = await infer(t, at(`light_${name}.onnx`), [1, 3, 224, 224], x);
    near(got, y.data, 1e-3, 1e-7 * largest(y.data), name);
  });
}

for (const name of ['squeezenet1_1', 'mobilenet_v2']) {
  test(`torchvision ${name}: PyTorch's logits, whatever runs beside an image`, needsGolden, async (t) => {
    const model = at('torchvision', `${name}.onnx`);
    const x = asFloats(fs.readFileSync(at('torchvision', `${name}.in.f32`)));
    const want = asFloats(fs.readFileSync(at('torchvision', `${name}.out.f32`)));
    near(await infer(t, model, [2, 3, 224, 224], x), want, 0, 1e-3 * deviation(want), name);

    /* Five images in blocks of two or four, over one thread or three: the first and the last are the same image,
     * beside others and in a block that is not full. */
    const five = new Float32Array(5 * 150528);
    for (let i = 0; i < 5; i++) five.set(x.subarray((i % 2) * 150528, (i % 2 + 1) * 150528), i * 150528);
    for (const batch of ['2', '4']) {
      const one = await infer(t, model, [5, 3, 224, 224], five, ['--batch', batch, '--threads', '1']);
      const many = await infer(t, model, [5, 3, 224, 224], five, ['--batch', batch, '--threads', '3']);
      assert.deepEqual(many, one, 'three threads give other bits');
      assert.deepEqual(one.slice(4000, 5000), one.slice(0, 1000), 'the place in the batch gives other bits');
      assert.deepEqual(one.slice(3000, 4000), one.slice(1000, 2000), 'the place in the batch gives other bits');
    }
  });
}

test('a value between the layers, standard input and output, speed', needsGolden, async (t) => {
  const model = at('torchvision', 'squeezenet1_1.onnx');
  const x = fs.readFileSync(at('torchvision', 'squeezenet1_1.in.f32'));
  const shape = ['--shape', '2,3,224,224', '--threads', '1'];
  const r = await holdout(['infer', model, '--input', '-', '--output', '-', ...shape, '--repeat', '2'], { input: x });
  assert.equal(r.code, 0, r.err);
  const said = JSON.parse(r.err);
  assert.equal(said.images, 2);
  assert.equal(said.repeat, 2);
  assert.ok(said.images_per_second > 0 && said.peak_bytes > 1 << 20);

  const dir = tempDir(t);
  const output = path.join(dir, 'out');
  const list = JSON.parse(await must(['infer', model, '--input', at('torchvision', 'squeezenet1_1.in.f32'), '--output',
    output, ...shape, '--profile', '--json']));
  assert.ok(list.steps.length > 20);
  assert.ok(list.steps.every((s, i) => i === 0 || s.ms <= list.steps[i - 1].ms), 'slowest first');
  const first = list.steps.find((s) => s.op === 'Conv');
  assert.ok(first.node && first.how);
});

test('what does not fit is refused in a sentence', needsGolden, async (t) => {
  const model = at('torchvision', 'squeezenet1_1.onnx');
  const dir = tempDir(t);
  const input = path.join(dir, 'in');
  const output = path.join(dir, 'out');
  fs.writeFileSync(input, Buffer.alloc(4 * 3 * 224 * 224 + 4));
  const run = (shape, more = []) => holdout(['infer', model, '--input', input, '--output', output, '--shape', shape, ...more]);
  for (const [shape, code, words, more] of [
    ['1,3,224,224', 1, /holds more than the 602112 bytes/],
    ['2,3,224,224', 1, /holds less than the 1204224 bytes/],
    ['1,3,224', 1, /does not fit the model's input .*: N,3,224,224/],
    ['1,4,224,224', 1, /does not fit the model's input/],
    ['1,3,0,224', 2, /--shape/],
    ['1,3,x,224', 2, /--shape/],
    ['1,1,1,1,1,1,1,1,1', 2, /1 to 8 dimensions/],
    ['99999999,99999999,99999999', 2, /--shape/],
    ['1,3,224,224', 1, /no value|not there|nowhere/, ['--name', 'nowhere']],
    ['1,3,224,224', 2, /batch/, ['--batch', '100000']],
  ]) {
    const r = await run(shape, more);
    assert.equal(r.code, code, `${shape}: ${r.err}`);
    assert.match(r.err, words);
    assert.ok(!fs.existsSync(output), 'nothing is written');
  }
});

/* torchvision says billions of multiply-adds, of convolutions and products alone; the rest may add two in a hundred. */
test('operations are twice the published multiply-adds', needsGolden, async (t) => {
  const dir = await newProject(t);
  const classes = Array.from({ length: 1000 }, (_, cid) => JSON.stringify({ cid, wnid: `n${String(cid + 1).padStart(8, '0')}`,
    synset: [`class ${cid}`], gloss: 'a class', similar: [] }));
  await must(['import', 'classes', dir, '-'], { input: `${classes.join('\n')}\n` });
  for (const [name, billions] of [['squeezenet1_1', 0.349], ['mobilenet_v2', 0.301]]) {
    await must(['model', 'add', dir, at('torchvision', `${name}.onnx`)]);
    const { facts } = JSON.parse(await must(['model', 'list', dir, '--json'])).find((m) => m.name === name);
    const ratio = facts.flops / 2e9 / billions;
    assert.ok(ratio > 0.995 && ratio < 1.02, `${name}: ${facts.flops}`);
    /* The weights once, and not many times what the largest layer makes. */
    assert.ok(facts.weight_bytes >= 4 * facts.parameters * 0.98 && facts.weight_bytes < 4 * facts.parameters * 2);
    assert.ok(facts.run_bytes > 4 * 3 * 224 * 224 && facts.run_bytes < 64 << 20);
  }
});
