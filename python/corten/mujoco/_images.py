"""PNG files from pixels."""

import struct
import zlib


def png(pixels, width, height, channels):
    """Rows of bytes as a PNG file: 1 grey, 2 grey and alpha, 3 RGB, 4 RGBA."""
    colour = {1: 0, 2: 4, 3: 2, 4: 6}.get(channels)
    if colour is None:
        raise ValueError(f"a texture has 1 to 4 channels, got {channels}")
    row = width * channels
    lines = b"".join(b"\0" + pixels[y * row : (y + 1) * row] for y in range(height))
    parts = ((b"IHDR", struct.pack(">IIBBBBB", width, height, 8, colour, 0, 0, 0)), (b"IDAT", zlib.compress(lines)), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(data)) + tag + data + struct.pack(">I", zlib.crc32(tag + data)) for tag, data in parts
    )
