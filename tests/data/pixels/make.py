#!/usr/bin/python3
"""Makes the images here and pixels.csv: what Pillow's Image.open(file).convert("RGB") gives for each.

    make.py FOLDER

pixels.csv: file, width, height, bytes in hex, row by row. Made with
Pillow 9.4.0 (Debian 12's python3-pil); later versions open 16-bit gray as I;16 and clip it just the same.
Read by tests/unit/image/pillow_test.c."""
import io
import os
import struct
import sys
import zlib

from PIL import Image

GRAY, RGB, PALETTE, GRAY_ALPHA, RGBA = 0, 2, 3, 4, 6
ADAM7 = [(0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2)]
CHANNELS = {GRAY: 1, RGB: 3, PALETTE: 1, GRAY_ALPHA: 2, RGBA: 4}


def samples(count, most, seed):
    """Numbers from 0 to most with both ends among them."""
    state, out = seed, [0, most, most // 2, 1, most - 1]
    while len(out) < count:
        state = (state * 1664525 + 1013904223) % 2 ** 32
        out.append((state >> 8) % (most + 1))
    return out[:count]


def pack(values, depth):
    if depth == 16:
        return struct.pack('>%dH' % len(values), *values)
    bits = ''.join(format(v, '0%db' % depth) for v in values)
    bits += '0' * (-len(bits) % 8)
    return bytes(int(bits[i:i + 8], 2) for i in range(0, len(bits), 8))


def png(kind, depth, width, height, values, chunks=(), interlaced=False):
    def chunk(tag, data):
        return struct.pack('>I', len(data)) + tag + data + struct.pack('>I', zlib.crc32(tag + data))
    per = CHANNELS[kind]
    at = lambda x, y: values[(y * width + x) * per:(y * width + x + 1) * per]
    rows = b''
    for x0, y0, dx, dy in ADAM7 if interlaced else [(0, 0, 1, 1)]:
        for y in range(y0, height, dy):
            row = sum((at(x, y) for x in range(x0, width, dx)), [])
            rows += b'\0' + pack(row, depth) if row else b''
    head = struct.pack('>IIBBBBB', width, height, depth, kind, 0, 0, int(interlaced))
    return (b'\x89PNG\r\n\x1a\n' + chunk(b'IHDR', head) + b''.join(chunk(*c) for c in chunks) +
            chunk(b'IDAT', zlib.compress(rows)) + chunk(b'IEND', b''))


def jpeg(mode, strip_adobe=False, **more):
    """A smooth picture of that mode; strip_adobe takes the APP14 marker out."""
    per = len(mode)
    im = Image.frombytes(mode, (16, 16), bytes((x * (5 + 3 * c) + y * (9 - 2 * c)) % 256 if c % 2 else
                                               (x * 7 + y * 8) for y in range(16) for x in range(16) for c in range(per)))
    out = io.BytesIO()
    im.save(out, 'JPEG', quality=92, **more)
    data = out.getvalue()
    at = data.find(b'\xff\xee')
    return data[:at] + data[at + 2 + struct.unpack('>H', data[at + 2:at + 4])[0]:] if strip_adobe else data


def cases():
    w, h = 5, 3
    n = w * h
    for depth in (1, 2, 4, 8, 16):
        yield 'gray%d.png' % depth, png(GRAY, depth, w, h, samples(n, 2 ** depth - 1, depth))
    yield 'gray16_low.png', png(GRAY, 16, w, h, [0, 1, 127, 128, 254, 255, 256, 257, 511, 512, 4095, 32767, 32768, 65280, 65535])
    yield 'gray8_trns.png', png(GRAY, 8, w, h, samples(n, 255, 1), [(b'tRNS', b'\0\x7f')])
    yield 'gray1_trns.png', png(GRAY, 1, w, h, samples(n, 1, 1), [(b'tRNS', b'\0\1')])
    yield 'gray16_trns.png', png(GRAY, 16, w, h, samples(n, 65535, 2), [(b'tRNS', b'\x7f\xff')])
    for depth in (8, 16):
        most = 2 ** depth - 1
        yield 'gray_alpha%d.png' % depth, png(GRAY_ALPHA, depth, w, h, samples(2 * n, most, 3))
        yield 'rgb%d.png' % depth, png(RGB, depth, w, h, samples(3 * n, most, 4))
        yield 'rgba%d.png' % depth, png(RGBA, depth, w, h, samples(4 * n, most, 5))
        first = samples(3, most, 4)
        yield 'rgb%d_trns.png' % depth, png(RGB, depth, w, h, samples(3 * n, most, 4), [(b'tRNS', struct.pack('>3H', *first))])
    clear = sum(([17 * i, 255 - 11 * i, 9 * i, 0] for i in range(n)), [])
    yield 'rgba8_clear.png', png(RGBA, 8, w, h, clear)
    yield 'rgba8_interlaced.png', png(RGBA, 8, 9, 7, samples(4 * 63, 255, 6), interlaced=True)
    yield 'gray16_interlaced.png', png(GRAY, 16, 9, 7, samples(63, 700, 7), interlaced=True)
    for depth in (1, 2, 4, 8):
        entries = min(2 ** depth, 20)
        colours = [(b'PLTE', bytes(samples(3 * entries, 255, 8 + depth)))]
        used = samples(n, entries - 1, depth)
        yield 'palette%d.png' % depth, png(PALETTE, depth, w, h, used, colours)
        yield 'palette%d_trns.png' % depth, png(PALETTE, depth, w, h, used, colours + [(b'tRNS', bytes(samples(entries, 255, 9)))])
    yield 'rgb8_gamma.png', png(RGB, 8, w, h, samples(3 * n, 255, 4), [(b'gAMA', struct.pack('>I', 100000)), (b'sBIT', bytes([5, 6, 5]))])
    yield 'gray.jpg', jpeg('L')
    yield 'rgb.jpg', jpeg('RGB', subsampling=2)
    yield 'rgb_progressive.jpg', jpeg('RGB', progressive=True)
    yield 'cmyk.jpg', jpeg('CMYK')
    yield 'cmyk_unmarked.jpg', jpeg('CMYK', strip_adobe=True)


folder = sys.argv[1]
with open(os.path.join(folder, 'pixels.csv'), 'w') as table:
    print('file,width,height,rgb', file=table)
    for name, data in cases():
        path = os.path.join(folder, name)
        with open(path, 'wb') as f:
            f.write(data)
        im = Image.open(path).convert('RGB')
        print(name, im.width, im.height, im.tobytes().hex(), sep=',', file=table)
