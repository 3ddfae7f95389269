/* Small ONNX files for tests, written without any library: enough of protobuf for a model of a few nodes, and a
 * small classifier (convolution, ReLU, global average, matrix product) with weights from a seed. */

const varint = (n) => {
  const bytes = [];
  let v = BigInt.asUintN(64, BigInt(n));
  do {
    bytes.push(Number(v & 127n) | (v > 127n ? 128 : 0));
    v >>= 7n;
  } while (v);
  return Buffer.from(bytes);
};
const number = (field, n) => Buffer.concat([varint(field << 3), varint(n)]);
const bytes = (field, b) => Buffer.concat([varint((field << 3) | 2), varint(b.length), b]);
const text = (field, s) => bytes(field, Buffer.from(s));
const message = (...parts) => Buffer.concat(parts.flat());

const FLOAT = 1;
const INT64 = 7;
const floats = (values) => Buffer.from(Float32Array.from(values).buffer);

export function tensor(name, dims, values) {
  return message(dims.map((d) => number(1, d)), number(2, FLOAT), text(8, name), bytes(9, floats(values)));
}
export function wholeTensor(name, values) {
  return message(number(1, values.length), number(2, INT64), text(8, name),
    bytes(9, Buffer.from(BigInt64Array.from(values, BigInt).buffer)));
}
/* Weights in another file: `location` as the model names it. */
export function externalTensor(name, dims, location, offset, length) {
  const entry = (key, value) => bytes(13, message(text(1, key), text(2, String(value))));
  return message(dims.map((d) => number(1, d)), number(2, FLOAT), text(8, name),
    entry('location', location), entry('offset', offset), entry('length', length), number(14, 1));
}
const ints = (name, values) => bytes(5, message(text(1, name), values.map((v) => number(8, v)), number(20, 7)));
const int = (name, value) => bytes(5, message(text(1, name), number(3, value), number(20, 2)));
const word = (name, value) => bytes(5, message(text(1, name), text(4, value), number(20, 3)));
const float = (name, value) => bytes(5, message(text(1, name), varint((2 << 3) | 5), floats([value]), number(20, 1)));
const floatList = (name, values) => bytes(5, message(text(1, name), values.map((v) => [varint((7 << 3) | 5), floats([v])]).flat(), number(20, 6)));
/* Attributes as a node takes them: { mode: 'linear', axes: [2, 3], antialias: 1, scales: { floats: [2] }, a: { float: 1 } } */
export const attributes = (all) => Object.entries(all).map(([name, v]) => {
  if (typeof v === 'string') return word(name, v);
  if (Array.isArray(v)) return ints(name, v);
  if (typeof v === 'number') return int(name, v);
  return v.floats ? floatList(name, v.floats) : float(name, v.float);
});

export function node(op, inputs, outputs, ...attributes) {
  return message(inputs.map((i) => text(1, i)), outputs.map((o) => text(2, o)), text(3, `${op}_${outputs[0]}`), text(4, op), attributes);
}
/* A dimension that is a text is open. */
const port = (name, dims) => message(text(1, name), bytes(2, bytes(1, message(number(1, FLOAT),
  bytes(2, message(dims.map((d) => bytes(1, typeof d === 'string' ? text(2, d) : number(1, d)))))))));

export function model({ nodes, initializers, inputs, outputs, opset = 13 }) {
  const graph = message(nodes.map((n) => bytes(1, n)), text(2, 'test'), initializers.map((i) => bytes(5, i)),
    inputs.map(([name, dims]) => bytes(11, port(name, dims))), outputs.map(([name, dims]) => bytes(12, port(name, dims))));
  return message(number(1, 8), text(2, 'holdout-tests'), bytes(7, graph), bytes(8, message(text(1, ''), number(2, opset))));
}

/* A row of numbers that looks random and is always the same. */
export function numbers(n, seed, scale = 1) {
  let state = (seed * 2654435761 + 12345) >>> 0;
  return Array.from({ length: n }, () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.fround(scale * (state / 2 ** 31 - 1));
  });
}

/* classes scores from a side x side image; the value "features" has `channels` numbers. options: side 'S' leaves
 * it open, softmax ends in one, seed draws other weights, external names a file for the weights (given back). */
export function classifier({ classes = 2, side = 32, channels = 8, seed = 1, softmax = false, external = null } = {}) {
  const conv = numbers(channels * 27, seed, 0.4);
  const gemm = numbers(channels * classes, seed + 1, 2);
  const bias = numbers(classes, seed + 2, 0.1);
  const outside = external ? floats([...conv, ...gemm]) : null;
  const nodes = [
    node('Conv', ['image', 'conv_w'], ['conv'], ints('kernel_shape', [3, 3]), ints('pads', [1, 1, 1, 1]), ints('strides', [2, 2])),
    node('Relu', ['conv'], ['relu']),
    node('GlobalAveragePool', ['relu'], ['pooled']),
    node('Flatten', ['pooled'], ['features'], int('axis', 1)),
    node('Gemm', ['features', 'gemm_w', 'gemm_b'], [softmax ? 'logits' : 'scores'], int('transB', 1)),
    ...(softmax ? [node('Softmax', ['logits'], ['scores'], int('axis', 1))] : []),
  ];
  const file = model({
    nodes,
    initializers: external
      ? [externalTensor('conv_w', [channels, 3, 3, 3], external, 0, conv.length * 4),
        externalTensor('gemm_w', [classes, channels], external, conv.length * 4, gemm.length * 4), tensor('gemm_b', [classes], bias)]
      : [tensor('conv_w', [channels, 3, 3, 3], conv), tensor('gemm_w', [classes, channels], gemm), tensor('gemm_b', [classes], bias)],
    inputs: [['image', ['N', 3, side, side]]],
    outputs: [['scores', ['N', classes]]],
  });
  return external ? { file, weights: outside } : file;
}
