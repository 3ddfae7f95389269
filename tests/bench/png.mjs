/* png.mjs - PNG files of pixels that a benchmark draws: `raw` is, for every row, a zero and then RGB. */
import zlib from 'node:zlib';

const crcTable = Int32Array.from({ length: 256 }, (_, n) => {
  let c = n;
  for (let k = 0; k < 8; k++) c = (c >>> 1) ^ (c & 1 ? 0xedb88320 : 0);
  return c;
});

function chunk(type, data) {
  const b = Buffer.alloc(12 + data.length);
  b.writeUInt32BE(data.length, 0);
  b.write(type, 4, 'latin1');
  data.copy(b, 8);
  let c = -1;
  for (const x of b.subarray(4, 8 + data.length)) c = crcTable[(c ^ x) & 0xff] ^ (c >>> 8);
  b.writeUInt32BE(~c >>> 0, 8 + data.length);
  return b;
}

export function png(width, height, raw) {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, 2], 8); /* bits per channel, RGB */
  return Buffer.concat([Buffer.from([137, 80, 78, 71, 13, 10, 26, 10]), chunk('IHDR', head),
    chunk('IDAT', zlib.deflateSync(raw, { level: 1 })), chunk('IEND', Buffer.alloc(0))]);
}
