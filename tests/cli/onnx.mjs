/* onnx.mjs - what an ONNX file holds, by a walk over its protobuf that knows nothing but the wire format:
 * weights by name, nodes in order. For tests that compute again what a model says. */
import fs from 'node:fs';

/* Every field of a message as [number, value]: numbers for varints, bytes for everything else. */
function fields(bytes) {
  const all = [];
  let at = 0;
  const varint = () => {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = bytes[at++];
      value |= BigInt(byte & 127) << shift;
      if (byte < 128) {
        return Number(BigInt.asIntN(64, value));
      }
    }
  };
  const take = (n) => bytes.subarray(at, at += n);
  while (at < bytes.length) {
    const key = varint();
    const wire = key & 7;
    const value = wire === 0 ? varint() : take(wire === 1 ? 8 : wire === 5 ? 4 : varint());
    all.push([key >> 3, value]);
  }
  return all;
}

const of = (message, number) => message.filter(([n]) => n === number).map(([, value]) => value);
const text = (bytes) => Buffer.from(bytes).toString('utf8');

function readTensor(bytes) {
  const tensor = fields(bytes);
  const raw = of(tensor, 9)[0];
  return { name: text(of(tensor, 8)[0]), dims: of(tensor, 1), type: of(tensor, 2)[0],
    data: new Float32Array(raw.buffer.slice(raw.byteOffset, raw.byteOffset + raw.length)) };
}

function readNode(bytes) {
  const node = fields(bytes);
  const attributes = of(node, 5).map((a) => {
    const attribute = fields(a);
    return [text(of(attribute, 1)[0]), of(attribute, 8).length ? of(attribute, 8) : of(attribute, 3)[0]];
  });
  return { op: text(of(node, 4)[0]), inputs: of(node, 1).map(text), outputs: of(node, 2).map(text),
    attributes: Object.fromEntries(attributes) };
}

/* { weights: { name: { dims, data } }, nodes: [{ op, inputs, outputs, attributes }] } */
export function readOnnx(file) {
  const graph = fields(of(fields(fs.readFileSync(file)), 7)[0]);
  const weights = of(graph, 5).map(readTensor);
  return { weights: Object.fromEntries(weights.map((w) => [w.name, w])), nodes: of(graph, 1).map(readNode) };
}
