"""Texts, figures and images of programs, as things that a window draws over its picture."""

import numpy as np

from corten import _overlay

from ._drawing import MjrRect, MjvFigure
from ._enums import mjtFont, mjtGridPos

# the font of windows: pixels of a letter, and of a line
_LETTER, _LINE, _PAD, _EDGE = 7, 15, 6, 10
_BIG = 2.0
_LEGEND_ROWS = 20  # names in one column

_GRID = {mjtGridPos.mjGRID_TOPLEFT: (0, 0), mjtGridPos.mjGRID_TOPRIGHT: (1, 0), mjtGridPos.mjGRID_BOTTOMLEFT: (0, 1),
         mjtGridPos.mjGRID_BOTTOMRIGHT: (1, 1), mjtGridPos.mjGRID_TOP: (0.5, 0), mjtGridPos.mjGRID_BOTTOM: (0.5, 1),
         mjtGridPos.mjGRID_LEFT: (0, 0.5), mjtGridPos.mjGRID_RIGHT: (1, 0.5)}  # fmt: skip


def text_things(texts):
    """Texts (font, gridpos, left column, right column); those in one corner stand below each other."""
    things, used = [], dict.fromkeys(_GRID, 0)
    for font, place, left, right in texts:
        place = mjtGridPos(mjtGridPos.mjGRID_TOPLEFT if place is None else int(place))
        scale = _BIG if font == mjtFont.mjFONT_BIG else 1.0
        columns = [("" if words is None else str(words)).split("\n") for words in (left, right)]
        count = max(map(len, columns))
        first, second = ([*words, *[""] * (count - len(words))] for words in columns)
        lines = [f"{a}\t{b}" if b else a for a, b in zip(first, second, strict=True)]
        x, y = _GRID[place]
        down = (_EDGE + used[place]) * (1 - 2 * y) if y != 0.5 else used[place]
        things.append(_overlay.text(_EDGE * (1 - 2 * x), down, "\n".join(lines), scale=scale, align=(x, y), back=(0, 0, 0, 0.35), anchor=(x, y), inside=True))
        used[place] += count * _LINE * scale + _EDGE
    return things


def image_things(images):
    """Images in rectangles, which count from the lower left corner of the window."""
    things = []
    for rect, image in images:
        _check_rect(rect)
        image = np.asarray(image)
        if image.shape[:2] != (rect.height, rect.width):
            raise ValueError(f"Image shape {image.shape[:2]} does not match target shape {(rect.height, rect.width)}")
        things.append(_overlay.image(rect.left, -rect.bottom - rect.height, image, anchor=(0, 1)))
    return things


def _check_rect(rect):
    if not isinstance(rect, MjrRect):
        raise TypeError(f"expected MjrRect, got {type(rect).__name__}")


def figure_things(figures):
    """Plots in rectangles, which count from the lower left corner of the window."""
    things = []
    for rect, figure in figures:
        _check_rect(rect)
        if not isinstance(figure, MjvFigure):
            raise TypeError(f"expected MjvFigure, got {type(figure).__name__}")
        things += _figure(rect, figure)
    return things


def _ranges(figure, lines):
    """Of both axes: as the figure says, wider where the data is and it shall be."""
    ranges = np.array(figure.range, float)
    data = np.concatenate(lines) if lines else np.zeros((0, 2))
    for axis in range(2):
        low, high = ranges[axis]
        if len(data) and (figure.flg_extend or not low < high):
            seen = (data[:, axis].min(), data[:, axis].max())
            low, high = (min(low, seen[0]), max(high, seen[1])) if low < high else seen
        if axis == 1 and figure.flg_symmetric:
            high = max(abs(low), abs(high))
            low = -high
        ranges[axis] = (low, high) if low < high else (low - 0.5, low + 0.5)
    return ranges


def _format(form, number):
    try:
        return form % number
    except (TypeError, ValueError):
        return f"{number:.3g}"


def _lines(figure):
    """(number, points) of the lines that have some; what is not finite is left out."""
    found = []
    for i, count in enumerate(np.clip(figure.linepnt, 0, figure.linedata.shape[1] // 2).tolist()):
        points = figure.linedata[i, : 2 * count].reshape(-1, 2).astype(float)
        points = points[np.isfinite(points).all(axis=1)]
        if len(points):
            found.append((i, points))
    return found


class _Pane:
    """Where lines are drawn: within the rectangle, with room for the title, numbers at the left and below, the label below."""

    def __init__(self, rect, figure, ranges, names):
        numbers = [bool(on) for on in figure.flg_ticklabel]
        wide = max(map(len, [*names[1], figure.minwidth])) * _LETTER + _PAD if numbers[1] else 0
        self.ranges = ranges
        self.left, self.right = rect.left + _PAD + wide, rect.left + rect.width - 2 * _PAD
        self.upper = _PAD - rect.bottom - rect.height + (_LINE + _PAD if figure.title else 0)
        self.lower = -rect.bottom - _PAD - _LINE * (numbers[0] + bool(figure.xlabel))
        self.right, self.lower = max(self.right, self.left + 1), max(self.lower, self.upper + 1)

    def part(self, axis, value):
        """From 0 to 1 along an axis."""
        return (value - self.ranges[axis, 0]) / np.ptp(self.ranges[axis])

    def x(self, value):
        return self.left + self.part(0, value) * (self.right - self.left)

    def y(self, value):
        return self.lower - self.part(1, value) * (self.lower - self.upper)


_AT = {"anchor": (0, 1)}  # rectangles count from the lower left corner


def _figure(rect, figure):
    lines = _lines(figure)
    ranges = _ranges(figure, [points for _, points in lines])
    words = (*np.array(figure.textrgb, float), 1.0)
    ticks = [np.linspace(*ranges[axis], max(int(figure.gridsize[axis]), 2)) for axis in range(2)]
    names = [[_format(form, x) for x in ticks[axis]] for axis, form in enumerate((figure.xformat, figure.yformat))]
    pane = _Pane(rect, figure, ranges, names)
    top, bottom = -rect.bottom - rect.height, -rect.bottom
    things = [_overlay.rect(rect.left, top, rect.left + rect.width, bottom, tuple(figure.figurergba.tolist()), **_AT),
              _overlay.rect(pane.left, pane.upper, pane.right, pane.lower, tuple(figure.panergba.tolist()), **_AT)]  # fmt: skip
    if figure.title:
        things.append(_overlay.text(rect.left + rect.width / 2, top + _PAD, figure.title, words, align=(0.5, 0), **_AT))
    if figure.xlabel:
        things.append(_overlay.text((pane.left + pane.right) / 2, bottom - _PAD, figure.xlabel, words, align=(0.5, 1), **_AT))
    things += _grid(figure, pane, ticks, names, words)
    for i, points in lines:
        things += _curve(figure, pane, i, points)
    if figure.flg_selection and ranges[0, 0] <= figure.selection <= ranges[0, 1]:
        x = pane.x(figure.selection)
        things.append(_overlay.line([(x, pane.upper), (x, pane.lower)], words, **_AT))
    return things + (_legend(figure, lines, pane) if figure.flg_legend else [])


def _grid(figure, pane, ticks, names, words):
    """Lines of the grid, and the numbers at their ends."""
    colour, width, things = (*np.array(figure.gridrgb, float), 1.0), figure.gridwidth, []
    for x, name in zip(ticks[0], names[0], strict=True):
        things.append(_overlay.line([(pane.x(x), pane.upper), (pane.x(x), pane.lower)], colour, width=width, **_AT))
        if figure.flg_ticklabel[0]:  # within the pane, the first at its left end, the last at its right
            things.append(_overlay.text(pane.x(x), pane.lower + 2, name, words, align=(pane.part(0, x), 0), **_AT))
    for y, name in zip(ticks[1], names[1], strict=True):
        things.append(_overlay.line([(pane.left, pane.y(y)), (pane.right, pane.y(y))], colour, width=width, **_AT))
        if figure.flg_ticklabel[1]:
            things.append(_overlay.text(pane.left - _PAD, pane.y(y), name, words, align=(1, 0.5), **_AT))
    return things


def _curve(figure, pane, i, points):
    """A line of a figure, as far as it is in the pane; of a bar plot its pieces, two points each."""
    (low, high), heights = pane.ranges
    inside = points[(points[:, 0] >= low) & (points[:, 0] <= high)]
    drawn = np.stack([pane.x(inside[:, 0]), pane.y(np.clip(inside[:, 1], *heights))], axis=1)
    pieces = drawn[: len(drawn) // 2 * 2].reshape(-1, 2, 2) if figure.flg_barplot else [drawn]
    colour, width = (*figure.linergb[i].tolist(), 1.0), figure.linewidth * (2 if i == figure.highlightid else 1)
    return [_overlay.line(piece, colour, width=width, **_AT) for piece in pieces]


def _legend(figure, lines, pane):
    """Names of lines in their colours, in the upper right corner of the pane."""
    named = [(figure.linename[i].decode(errors="replace"), figure.linergb[i]) for i, _ in lines if figure.linename[i]][:_LEGEND_ROWS]
    if not named:
        return []
    first, right = pane.upper + _PAD + figure.legendoffset * _LINE, pane.right - _PAD
    wide, half = max(len(name) for name, _ in named) * _LETTER, _PAD / 2
    box = _overlay.rect(right - wide - half, first - half, right + half, first + len(named) * _LINE + half, tuple(figure.legendrgba.tolist()), **_AT)
    return [box, *(_overlay.text(right, first + k * _LINE, name, (*colour.tolist(), 1.0), align=(1, 0), **_AT) for k, (name, colour) in enumerate(named))]
