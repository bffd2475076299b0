"""The functions mju_*: numbers, contact pyramids, rays and texts here, vectors, rotations and matrices from modules of their own."""

import math

import numpy as np

from corten import _core

from ._arguments import REAL, ints, out
from ._arguments import vec as _vec
from ._constants import mjMAXVAL, mjMINVAL
from ._enums import mjtGeom, mjtObj, mjtWarning
from ._errors import FatalError
from ._matrices import *
from ._matrices import _rows_of
from ._rotations import *
from ._vectors import *

_EPS = mjMINVAL


# ---- numbers


def mju_max(a, b):
    return float(a) if a > b else float(b)


def mju_min(a, b):
    return float(a) if a < b else float(b)


def mju_clip(x, min, max):
    return float(min) if x < min else float(max) if x > max else float(x)


def mju_sign(x):
    return float((x > 0) - (x < 0))


def mju_round(x):
    if not abs(x) < 2**31:
        return 2**31 - 1 if x > 0 else -(2**31)
    return min(int(math.copysign(math.floor(abs(x) + 0.5), x)), 2**31 - 1)  # halves go away from zero


def mju_isBad(x):
    return int(not -mjMAXVAL <= x <= mjMAXVAL)


def mju_sigmoid(x):
    if x <= 0 or x >= 1:
        return float(x >= 1)
    return x * x * x * (3 * x * (2 * x - 5) + 10)


def mju_springDamper(pos0, vel0, Kp, Kv, dt):
    # the roots of s^2 + Kv s + Kp
    root = Kv * Kv / 4 - Kp
    if abs(root) <= _EPS:
        r = -Kv / 2
        return math.exp(r * dt) * (pos0 + (vel0 - r * pos0) * dt)
    if root > 0:
        r1, r2 = -Kv / 2 - math.sqrt(root), -Kv / 2 + math.sqrt(root)
        c1, c2 = (pos0 * r2 - vel0) / (r2 - r1), (vel0 - pos0 * r1) / (r2 - r1)
        return c1 * math.exp(r1 * dt) + c2 * math.exp(r2 * dt)
    w = math.sqrt(-root)
    c = (vel0 + Kv / 2 * pos0) / w
    return math.exp(-Kv / 2 * dt) * (pos0 * math.cos(w * dt) + c * math.sin(w * dt))


def mju_Halton(index, base):
    fraction, result = 1 / base, 0.0
    while index > 0:
        index, digit = divmod(index, base)
        result += digit * fraction
        fraction /= base
    return result


_random = np.random.default_rng(0)


def mju_standardNormal(num2=None):
    """A random number of the normal distribution; the generator is NumPy's, not that of C."""
    return float(_random.standard_normal())


def mju_muscleGain(len, vel, lengthrange, acc0, prm):
    p = _vec(prm, 9, "prm").tolist()
    low, high, force, scale, lmin, lmax, vmax, fpmax, fvmax = p
    lengths = _vec(lengthrange, 2, "lengthrange").tolist()
    if force < 0:
        force = scale / max(_EPS, acc0)
    L0 = (lengths[1] - lengths[0]) / max(_EPS, high - low)
    L = low + (len - lengths[0]) / max(_EPS, L0)
    V = vel / max(_EPS, L0 * vmax)
    a, b = (lmin + 1) / 2, (1 + lmax) / 2
    if L < lmin or L > lmax:
        FL = 0.0
    elif L <= a:
        x = (L - lmin) / max(_EPS, a - lmin)
        FL = x * x / 2
    elif L <= 1:
        x = (1 - L) / max(_EPS, 1 - a)
        FL = 1 - x * x / 2
    elif L <= b:
        x = (L - 1) / max(_EPS, b - 1)
        FL = 1 - x * x / 2
    else:
        x = (lmax - L) / max(_EPS, lmax - b)
        FL = x * x / 2
    y = fvmax - 1
    if V <= -1:
        FV = 0.0
    elif V <= 0:
        FV = (V + 1) * (V + 1)
    elif V <= y:
        FV = fvmax - (y - V) * (y - V) / max(_EPS, y)
    else:
        FV = fvmax
    return -force * FL * FV


def mju_muscleBias(len, lengthrange, acc0, prm):
    low, high, force, scale, lmin, lmax, vmax, fpmax, fvmax = _vec(prm, 9, "prm").tolist()
    lengths = _vec(lengthrange, 2, "lengthrange").tolist()
    if force < 0:
        force = scale / max(_EPS, acc0)
    L0 = (lengths[1] - lengths[0]) / max(_EPS, high - low)
    L = low + (len - lengths[0]) / max(_EPS, L0)
    b = (1 + lmax) / 2
    if L <= 1:
        return 0.0
    if L <= b:
        x = (L - 1) / max(_EPS, b - 1)
        return -force * fpmax * x * x / 2
    x = (L - b) / max(_EPS, b - 1)
    return -force * fpmax * (0.5 + x)


def mju_muscleDynamics(ctrl, act, prm):
    rise, fall, width = _vec(prm, 3, "prm").tolist()
    ctrl, bounded = mju_clip(ctrl, 0, 1), mju_clip(act, 0, 1)
    rise, fall = rise * (0.5 + 1.5 * bounded), fall / (0.5 + 1.5 * bounded)
    change = ctrl - act
    if width < _EPS:
        tau = rise if change > 0 else fall
    else:
        tau = fall + (rise - fall) * mju_sigmoid(change / width + 0.5)
    return change / max(_EPS, tau)

# ---- contact pyramids


def _pyramid(pyramid, force, mu):
    """How many of the directions in `mu` are used. MuJoCo's module takes its size for the dimension of the contact, which has
    one direction less: the last of them is left out."""
    if pyramid.size != 2 * mu.size:
        raise TypeError("size of pyramid should be twice as large as size of mu")
    if force.size != mu.size + 1:
        raise TypeError("size of force should be exactly one larger than size of mu")
    return mu.size - 1


def mju_encodePyramid(pyramid, force, mu):
    mu, f = _vec(mu, None, "mu"), _vec(force, None, "force")
    n = _pyramid(out(pyramid, None, "pyramid"), f, mu)
    normal = f[0] / max(1, n)
    tangent = np.minimum(normal, f[1 : n + 1] / mu[:n])
    pyramid.reshape(-1)[0 : 2 * n : 2] = 0.5 * (normal + tangent)
    pyramid.reshape(-1)[1 : 2 * n : 2] = 0.5 * (normal - tangent)


def mju_decodePyramid(force, pyramid, mu):
    mu, p = _vec(mu, None, "mu"), _vec(pyramid, None, "pyramid")
    n = _pyramid(p, out(force, None, "force"), mu)
    first, second = p[0 : 2 * n : 2], p[1 : 2 * n : 2]
    force.reshape(-1)[: n + 1] = [p[: 2 * n].sum(), *((first - second) * mu[:n])]

# ---- rays


def mju_rayGeom(pos, mat, size, pnt, vec, geomtype, normal=None):
    parts = [_vec(v, n, name) for v, n, name in (
        (pos, 3, "pos"), (mat, 9, "mat"), (size, 3, "size"), (pnt, 3, "pnt"), (vec, 3, "vec"))]  # fmt: skip
    into = np.zeros(3, REAL)
    if not (geomtype == mjtGeom.mjGEOM_PLANE or mjtGeom.mjGEOM_SPHERE <= geomtype <= mjtGeom.mjGEOM_BOX):
        raise FatalError(f"mju_rayGeom: unexpected geom type {int(geomtype)}")
    dist = _core.ray_shape(int(geomtype), *parts, into)
    if normal is not None:
        out(normal, 3, "normal").flat = into
    return dist


def mju_raySkin(nface, nvert, face, vert, pnt, vec, vertid):
    faces, verts = np.asarray(face), np.asarray(vert)
    if faces.ndim == 0 or verts.ndim == 0:
        raise TypeError("face and vert should be arrays")
    if nface < 0 or nvert < 0:
        raise ValueError("nface and nvert must not be negative")
    if faces.size != 3 * nface or verts.size != 3 * nvert:
        raise TypeError("face should have 3 * nface numbers, vert 3 * nvert")
    faces, verts = faces.reshape(-1, 3).astype(np.int64), verts.reshape(-1, 3).astype(float)
    if faces.size and (faces.min() < 0 or faces.max() >= nvert):
        raise ValueError("face has an index that leads to no vertex")
    best, nearest = _core.ray_skin(np.ascontiguousarray(faces, np.int32), np.ascontiguousarray(verts, np.float32),
                                   _vec(pnt, 3, "pnt"), _vec(vec, 3, "vec"))  # fmt: skip
    if vertid is not None:
        ints(vertid, 1, "vertid")[...] = nearest
    return best


# ---- text


_TYPE_NAMES = {int(kind): key.removeprefix("mjOBJ_").lower() for key, kind in mjtObj.__members__.items() if key != "mjNOBJECT"}
for _none in (mjtObj.mjOBJ_UNKNOWN, mjtObj.mjOBJ_DEFAULT, mjtObj.mjOBJ_MODEL):
    del _TYPE_NAMES[int(_none)]


def mju_type2Str(type):
    return _TYPE_NAMES.get(int(type))


def mju_str2Type(str):
    text = str.decode() if isinstance(str, bytes) else str
    return next((kind for kind, name in _TYPE_NAMES.items() if name == text.lower()), 0)


def mju_writeNumBytes(nbytes):
    units = ["", "K", "M", "G", "T", "P", "E"]
    power = 0  # the largest unit that leaves nothing over
    while power + 1 < len(units) and nbytes > 0 and nbytes % (1 << 10 * (power + 1)) == 0:
        power += 1
    return f"{nbytes >> 10 * power}{units[power]}"


_WARNINGS = {
    mjtWarning.mjWARN_INERTIA: "Inertia matrix is too close to singular at DOF {}. Check model.",
    mjtWarning.mjWARN_CONTACTFULL: "Too many contacts: {} were kept.",
    mjtWarning.mjWARN_CNSTRFULL: "Too many constraints: row {}.",
    mjtWarning.mjWARN_BADQPOS: "Nan, Inf or huge value in QPOS at DOF {}. The simulation is unstable.",
    mjtWarning.mjWARN_BADQVEL: "Nan, Inf or huge value in QVEL at DOF {}. The simulation is unstable.",
    mjtWarning.mjWARN_BADQACC: "Nan, Inf or huge value in QACC at DOF {}. The simulation is unstable.",
    mjtWarning.mjWARN_BADCTRL: "Nan, Inf or huge value in CTRL at ACTUATOR {}. The simulation is unstable.",
}


def mju_warningText(warning, info):
    return _WARNINGS.get(warning, "Unknown warning type {}.").format(info)


def mju_printMat(mat):
    for row in _mat(mat, "mat"):
        print(" ".join(f"{x:9.3g}" for x in row))
    print()


def mju_printMatSparse(mat, rownnz, rowadr, colind):
    values = _vec(mat, None, "mat")
    nnz, adr, columns = _rows_of(rownnz, rowadr, colind)
    for i in range(len(nnz)):
        print("  ".join(f"{columns[k]}: {values[k]:9.3g}" for k in range(adr[i], adr[i] + nnz[i])))
    print()


__all__ = [name for name in globals() if name.startswith(("mju_", "mjd_"))]
