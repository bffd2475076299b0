"""Reading pictures that the program has written."""

import struct
import zlib

import numpy as np


def read_png(path):
    """(height, width, channels) array of a PNG without interlacing."""
    content = path.read_bytes()
    assert content[:8] == b"\x89PNG\r\n\x1a\n"
    at, data = 8, b""
    while at < len(content):
        size, kind = struct.unpack(">I4s", content[at : at + 8])
        body = content[at + 8 : at + 8 + size]
        if kind == b"IHDR":
            width, height, bits, colour = struct.unpack(">IIBB", body[:10])
        data += body if kind == b"IDAT" else b""
        at += 12 + size
    channels = 3 if colour == 2 else 1
    step = channels * bits // 8
    rows = np.frombuffer(zlib.decompress(data), np.uint8).reshape(height, 1 + width * step)
    out = np.zeros((height, width * step), np.uint8)
    for y in range(height):
        line = rows[y, 1:].astype(int)
        above = out[y - 1].astype(int) if y else np.zeros(width * step, int)
        for x in range(width * step):
            a, b, c = (out[y, x - step] if x >= step else 0), above[x], (above[x - step] if x >= step else 0)
            a, c = int(a), int(c)
            p = a + b - c
            paeth = min((abs(p - a), 0, a), (abs(p - b), 1, b), (abs(p - c), 2, c))[2]
            out[y, x] = (line[x] + [0, a, b, (a + b) // 2, paeth][rows[y, 0]]) & 255
    if bits == 16:
        return out.view(">u2").reshape(height, width, channels)
    return out.reshape(height, width, channels)
