"""The functions mju_* of vectors. Results go to the first argument, as there."""

import math

import numpy as np

from ._arguments import REAL, ints, out
from ._arguments import vec as _vec
from ._constants import mjMINVAL

_EPS = mjMINVAL


def _same(name1, size1, name2, size2):
    if size1 != size2:
        raise TypeError(f"{name1} and {name2} should have the same size")


def _fixed(n):
    """The functions of vectors of n numbers."""

    def zero(res):
        out(res, n, "res")[...] = 0

    def copy(res, data):
        out(res, n, "res").flat = _vec(data, n, "data")

    return zero, copy


mju_zero3, mju_copy3 = _fixed(3)
mju_zero4, mju_copy4 = _fixed(4)


def mju_unit4(res):
    out(res, 4, "res").flat = (1, 0, 0, 0)


def mju_add3(res, vec1, vec2):
    out(res, 3, "res").flat = _vec(vec1, 3, "vec1") + _vec(vec2, 3, "vec2")


def mju_sub3(res, vec1, vec2):
    out(res, 3, "res").flat = _vec(vec1, 3, "vec1") - _vec(vec2, 3, "vec2")


def mju_addTo3(res, vec):
    out(res, 3, "res").flat += _vec(vec, 3, "vec")


def mju_subFrom3(res, vec):
    out(res, 3, "res").flat -= _vec(vec, 3, "vec")


def mju_addToScl3(res, vec, scl):
    out(res, 3, "res").flat += _vec(vec, 3, "vec") * scl


def mju_addScl3(res, vec1, vec2, scl):
    out(res, 3, "res").flat = _vec(vec1, 3, "vec1") + _vec(vec2, 3, "vec2") * scl


def mju_scl3(res, vec, scl):
    out(res, 3, "res").flat = _vec(vec, 3, "vec") * scl


def mju_dot3(vec1, vec2):
    a, b = _vec(vec1, 3, "vec1").tolist(), _vec(vec2, 3, "vec2").tolist()
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def mju_dist3(pos1, pos2):
    a, b = _vec(pos1, 3, "pos1").tolist(), _vec(pos2, 3, "pos2").tolist()
    return math.sqrt(sum((x - y) * (x - y) for x, y in zip(a, b)))


def mju_norm3(vec):
    x, y, z = _vec(vec, 3, "vec").tolist()
    return math.sqrt(x * x + y * y + z * z)


def mju_normalize3(vec):
    x, y, z = out(vec, 3, "vec").ravel().tolist()
    norm = math.sqrt(x * x + y * y + z * z)
    vec.flat = (1, 0, 0) if norm < _EPS else (x / norm, y / norm, z / norm)
    return norm


def mju_normalize4(vec):
    w, x, y, z = out(vec, 4, "vec").ravel().tolist()
    norm = math.sqrt(w * w + x * x + y * y + z * z)
    if norm < _EPS:
        vec.flat = (1, 0, 0, 0)
    elif abs(norm - 1) > _EPS:
        vec.flat = (w / norm, x / norm, y / norm, z / norm)
    return norm


def mju_cross(res, a, b):
    (a0, a1, a2), (b0, b1, b2) = _vec(a, 3, "a").tolist(), _vec(b, 3, "b").tolist()
    out(res, 3, "res").flat = (a1 * b2 - a2 * b1, a2 * b0 - a0 * b2, a0 * b1 - a1 * b0)


def mju_mulMatVec3(res, mat, vec):
    out(res, 3, "res").flat = _vec(mat, 9, "mat").reshape(3, 3) @ _vec(vec, 3, "vec")


def mju_mulMatTVec3(res, mat, vec):
    out(res, 3, "res").flat = _vec(vec, 3, "vec") @ _vec(mat, 9, "mat").reshape(3, 3)


def mju_zero(res):
    out(res, None, "res")[...] = 0


def mju_fill(res, val):
    out(res, None, "res")[...] = val


def mju_copy(res, vec):
    v = _vec(vec, None, "vec")
    _same("res", out(res, None, "res").size, "vec", v.size)
    res.flat = v


def mju_sum(vec):
    return float(np.add.reduce(_vec(vec, None, "vec")))


def mju_L1(vec):
    return float(np.abs(_vec(vec, None, "vec")).sum())


def mju_scl(res, vec, scl):
    v = _vec(vec, None, "vec")
    _same("res", out(res, None, "res").size, "vec", v.size)
    res.flat = v * scl


def _two(combine):
    def function(res, vec1, vec2):
        a, b = _vec(vec1, None, "vec1"), _vec(vec2, None, "vec2")
        _same("res", out(res, None, "res").size, "vec1", a.size)
        _same("res", res.size, "vec2", b.size)
        res.flat = combine(a, b)

    return function


def _one(combine):
    def function(res, vec):
        v = _vec(vec, None, "vec")
        _same("res", out(res, None, "res").size, "vec", v.size)
        res.flat = combine(res.ravel(), v)

    return function


mju_add, mju_sub = _two(np.add), _two(np.subtract)
mju_addTo, mju_subFrom = _one(np.add), _one(np.subtract)


def mju_addToScl(res, vec, scl):
    v = _vec(vec, None, "vec")
    _same("res", out(res, None, "res").size, "vec", v.size)
    res.flat = res.ravel() + v * scl


def mju_addScl(res, vec1, vec2, scl):
    a, b = _vec(vec1, None, "vec1"), _vec(vec2, None, "vec2")
    _same("res", out(res, None, "res").size, "vec1", a.size)
    _same("res", res.size, "vec2", b.size)
    res.flat = a + b * scl


def mju_norm(res):
    return float(np.linalg.norm(_vec(res, None, "res")))


def mju_normalize(res):
    norm = float(np.linalg.norm(out(res, None, "res")))
    if norm < _EPS:
        res[...] = 0
        res.flat[0] = 1
    else:
        res /= norm
    return norm


def mju_dot(vec1, vec2):
    a, b = _vec(vec1, None, "vec1"), _vec(vec2, None, "vec2")
    _same("vec1", a.size, "vec2", b.size)
    return float(a @ b)


def mju_isZero(vec):
    return int(not np.any(_vec(vec, None, "vec")))


def mju_insertionSort(list):
    out(list, None, "list").sort()


def mju_insertionSortInt(list):
    ints(list, None, "list").sort()


def _convert(target, source):
    def function(res, vec):
        if not isinstance(res, np.ndarray) or res.dtype != target or not res.flags.writeable:
            raise TypeError(f"res should be a writeable array of {np.dtype(target).name}")
        values = np.asarray(vec, source).ravel()
        _same("res", res.size, "vec", values.size)
        res.flat = values

    return function


mju_f2n, mju_n2f = _convert(REAL, np.float32), _convert(np.float32, REAL)
mju_d2n, mju_n2d = _convert(REAL, np.float64), _convert(np.float64, REAL)


__all__ = [name for name in globals() if name.startswith(("mju_", "mjd_"))]
