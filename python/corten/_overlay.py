"""What a program draws over the picture of a window: rectangles, lines, texts and images, as bytes that the window reads."""

import struct

import numpy as np

_RECT, _LINE, _TEXT, _IMAGE = range(4)
MOST_BYTES = 32 << 20  # CT_OVERLAY_BYTES_MAX
WHITE, NOTHING = (1.0, 1.0, 1.0, 1.0), (0.0, 0.0, 0.0, 0.0)


def _thing(kind, points, rgba, anchor, inside, width=1.0, align=(0, 0), back=NOTHING, text=b"", size=(0, 0), pixels=b""):
    points = np.asarray(points, np.float32).reshape(-1, 2)
    head = struct.pack("=5I", kind, bool(inside), len(points), len(text), size[0] | size[1] << 16)
    floats = np.array([*anchor, *rgba, width, *align, *back], np.float32)
    if not (np.isfinite(points).all() and np.isfinite(floats).all()):
        raise ValueError("places, colours and widths must be finite")
    text = text + bytes(4 - len(text) % 4) if text else b""
    return b"".join((head, floats.tobytes(), points.tobytes(), text, pixels, bytes(-len(pixels) % 4)))


def rect(left, top, right, bottom, rgba=WHITE, *, anchor=(0, 0), inside=False):
    """A filled rectangle."""
    return _thing(_RECT, (left, top, right, bottom), rgba, anchor, inside)


def line(points, rgba=WHITE, *, width=1.0, anchor=(0, 0), inside=False):
    """A line through points: rows of x and y."""
    return _thing(_LINE, points, rgba, anchor, inside, width=width)


def text(x, y, words, rgba=WHITE, *, scale=1.0, align=(0, 0), back=NOTHING, anchor=(0, 0), inside=False):
    """Text. Its lines end with a newline, a tab begins a second column; `align` says which point of it lies at x and y, `back` is a box behind it."""
    return _thing(_TEXT, (x, y), rgba, anchor, inside, width=scale, align=align, back=back, text=words.replace("\0", " ").encode())


def image(left, top, pixels, *, right=None, bottom=None, anchor=(0, 0), inside=False):
    """Pixels: height x width x 3 bytes, the upper row first, as large as they are or stretched to `right` and `bottom`."""
    pixels = np.ascontiguousarray(pixels)
    if pixels.ndim != 3 or pixels.shape[2] != 3 or pixels.dtype != np.uint8:
        raise ValueError(f"an image has height x width x 3 bytes, not {pixels.shape} of {pixels.dtype}")
    height, width = pixels.shape[:2]
    if not (0 < width < 1 << 16 and 0 < height < 1 << 16):
        raise ValueError(f"an image of {width} x {height} pixels cannot be shown")
    corners = (left, top, left + width if right is None else right, top + height if bottom is None else bottom)
    return _thing(_IMAGE, corners, WHITE, anchor, inside, size=(width, height), pixels=pixels.tobytes())


def join(things):
    """All of them, for the window."""
    whole = b"".join(things)
    if len(whole) > MOST_BYTES:
        raise ValueError(f"what is drawn over the picture has {len(whole)} bytes, at most {MOST_BYTES} are shown")
    return whole + bytes(-len(whole) % 8)
