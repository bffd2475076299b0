"""The functions mju_*: vectors, quaternions, poses, matrices. Results go to the first argument, as there."""

import math

import numpy as np

from corten import _core

from ._arguments import REAL, ints, matrix, out
from ._arguments import vec as _vec
from ._constants import mjMAXVAL, mjMINVAL
from ._enums import mjtGeom, mjtObj, mjtWarning
from ._errors import FatalError

_EPS = mjMINVAL


def _same(name1, size1, name2, size2):
    if size1 != size2:
        raise TypeError(f"{name1} and {name2} should have the same size")


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
    return int(math.copysign(math.floor(abs(x) + 0.5), x))  # halves go away from zero


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


# ---- vectors

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


# ---- quaternions and poses

def _mul_quat(a, b):
    a0, a1, a2, a3 = a
    b0, b1, b2, b3 = b
    return (
        a0 * b0 - a1 * b1 - a2 * b2 - a3 * b3,
        a0 * b1 + a1 * b0 + a2 * b3 - a3 * b2,
        a0 * b2 - a1 * b3 + a2 * b0 + a3 * b1,
        a0 * b3 + a1 * b2 - a2 * b1 + a3 * b0,
    )


def _rotate(v, q):
    w, x, y, z = q
    if w == 1 and x == 0 and y == 0 and z == 0:
        return v
    v0, v1, v2 = v
    # v + 2 w (u x v) + 2 u x (u x v), with u the vector part
    t0, t1, t2 = (w * v0 + y * v2 - z * v1, w * v1 + z * v0 - x * v2, w * v2 + x * v1 - y * v0)
    return (v0 + 2 * (y * t2 - z * t1), v1 + 2 * (z * t0 - x * t2), v2 + 2 * (x * t1 - y * t0))


def _quat_mat(q):
    w, x, y, z = q
    if w == 1 and x == 0 and y == 0 and z == 0:
        return (1, 0, 0, 0, 1, 0, 0, 0, 1)
    return (
        w * w + x * x - y * y - z * z, 2 * (x * y - w * z), 2 * (x * z + w * y),
        2 * (x * y + w * z), w * w - x * x + y * y - z * z, 2 * (y * z - w * x),
        2 * (x * z - w * y), 2 * (y * z + w * x), w * w - x * x - y * y + z * z,
    )  # fmt: skip


def _mat_quat(m):
    m = [m[0:3], m[3:6], m[6:9]]
    trace = m[0][0] + m[1][1] + m[2][2]
    if trace > 0:
        w = 0.5 * math.sqrt(1 + trace)
        q = [w, 0.25 * (m[2][1] - m[1][2]) / w, 0.25 * (m[0][2] - m[2][0]) / w, 0.25 * (m[1][0] - m[0][1]) / w]
    elif m[0][0] > m[1][1] and m[0][0] > m[2][2]:
        x = 0.5 * math.sqrt(1 + m[0][0] - m[1][1] - m[2][2])
        q = [0.25 * (m[2][1] - m[1][2]) / x, x, 0.25 * (m[1][0] + m[0][1]) / x, 0.25 * (m[0][2] + m[2][0]) / x]
    elif m[1][1] > m[2][2]:
        y = 0.5 * math.sqrt(1 - m[0][0] + m[1][1] - m[2][2])
        q = [0.25 * (m[0][2] - m[2][0]) / y, 0.25 * (m[0][1] + m[1][0]) / y, y, 0.25 * (m[2][1] + m[1][2]) / y]
    else:
        z = 0.5 * math.sqrt(1 - m[0][0] - m[1][1] + m[2][2])
        q = [0.25 * (m[1][0] - m[0][1]) / z, 0.25 * (m[0][2] + m[2][0]) / z, 0.25 * (m[1][2] + m[2][1]) / z, z]
    norm = math.sqrt(sum(x * x for x in q))
    return (1, 0, 0, 0) if norm < _EPS else tuple(x / norm for x in q)


def _axis_angle_quat(axis, angle):
    if angle == 0:
        return (1, 0, 0, 0)
    s = math.sin(angle / 2)
    return (math.cos(angle / 2), axis[0] * s, axis[1] * s, axis[2] * s)


def _quat_vel(q, dt):
    w, x, y, z = q
    sin = math.sqrt(x * x + y * y + z * z)
    if sin < _EPS:
        axis = (1, 0, 0) if sin == 0 else (x / sin, y / sin, z / sin)
        sin = 0.0 if sin < _EPS else sin
    else:
        axis = (x / sin, y / sin, z / sin)
    speed = 2 * math.atan2(sin, w)
    if speed > math.pi:  # the short way round
        speed -= 2 * math.pi
    speed /= dt
    return tuple(a * speed for a in axis)


def mju_rotVecQuat(res, vec, quat):
    out(res, 3, "res").flat = _rotate(_vec(vec, 3, "vec").tolist(), _vec(quat, 4, "quat").tolist())


def mju_negQuat(res, quat):
    w, x, y, z = _vec(quat, 4, "quat").tolist()
    out(res, 4, "res").flat = (w, -x, -y, -z)


def mju_mulQuat(res, quat1, quat2):
    out(res, 4, "res").flat = _mul_quat(_vec(quat1, 4, "quat1").tolist(), _vec(quat2, 4, "quat2").tolist())


def mju_mulQuatAxis(res, quat, axis):
    q, a = _vec(quat, 4, "quat").tolist(), _vec(axis, 3, "axis").tolist()
    out(res, 4, "res").flat = _mul_quat(q, (0.0, *a))


def mju_axisAngle2Quat(res, axis, angle):
    out(res, 4, "res").flat = _axis_angle_quat(_vec(axis, 3, "axis").tolist(), angle)


def mju_quat2Vel(res, quat, dt):
    out(res, 3, "res").flat = _quat_vel(_vec(quat, 4, "quat").tolist(), dt)


def mju_subQuat(res, qa, qb):
    a, (w, x, y, z) = _vec(qa, 4, "qa").tolist(), _vec(qb, 4, "qb").tolist()
    out(res, 3, "res").flat = _quat_vel(_mul_quat((w, -x, -y, -z), a), 1)


def mju_quat2Mat(res, quat):
    out(res, 9, "res").flat = _quat_mat(_vec(quat, 4, "quat").tolist())


def mju_mat2Quat(quat, mat):
    out(quat, 4, "quat").flat = _mat_quat(_vec(mat, 9, "mat").tolist())


def mju_derivQuat(res, quat, vel):
    v = _vec(vel, 3, "vel").tolist()
    product = _mul_quat((0.0, *v), _vec(quat, 4, "quat").tolist())
    out(res, 4, "res").flat = tuple(0.5 * x for x in product)


def mju_quatIntegrate(quat, vel, scale):
    x, y, z = _vec(vel, 3, "vel").tolist()
    norm = math.sqrt(x * x + y * y + z * z)
    axis = (1, 0, 0) if norm < _EPS else (x / norm, y / norm, z / norm)
    turn = _axis_angle_quat(axis, scale * (0 if norm < _EPS else norm))
    q = out(quat, 4, "quat").ravel().tolist()
    norm = math.sqrt(sum(x * x for x in q))
    q = (1, 0, 0, 0) if norm < _EPS else q if abs(norm - 1) <= _EPS else [x / norm for x in q]
    quat.flat = _mul_quat(q, turn)


def mju_quatZ2Vec(quat, vec):
    out(quat, 4, "quat").flat = (1, 0, 0, 0)
    x, y, z = _vec(vec, 3, "vec").tolist()
    norm = math.sqrt(x * x + y * y + z * z)
    if norm < _EPS:
        return
    x, y, z = x / norm, y / norm, z / norm
    sin = math.sqrt(x * x + y * y)
    angle = math.atan2(sin, z)
    if abs(sin) < 1e-10:
        if z < 0:
            quat.flat = (0, 1, 0, 0)
        return
    quat.flat = _axis_angle_quat((-y / sin, x / sin, 0.0), angle)


def mju_mat2Rot(quat, mat):
    # the rotation nearest to a matrix, found by turning it step by step from the one given
    m = _vec(mat, 9, "mat").reshape(3, 3)
    q = out(quat, 4, "quat").ravel().tolist()
    for iteration in range(500):
        r = np.array(_quat_mat(q)).reshape(3, 3)
        omega = sum(np.cross(r[:, i], m[:, i]) for i in range(3))
        omega /= abs(sum(r[:, i] @ m[:, i] for i in range(3))) + _EPS
        angle = float(np.linalg.norm(omega))
        if angle < 1e-9:
            break
        q = _mul_quat(_axis_angle_quat((omega / angle).tolist(), angle), q)
        norm = math.sqrt(sum(x * x for x in q))
        q = [x / norm for x in q]
    quat.flat = q
    return iteration


def mju_euler2Quat(quat, euler, seq):
    angles = _vec(euler, 3, "euler").tolist()
    out(quat, 4, "quat")
    if len(seq) != 3:
        raise FatalError("mju_euler2Quat: seq must contain exactly 3 characters")
    q = (1.0, 0.0, 0.0, 0.0)
    for i, letter in enumerate(seq):
        if letter not in "xyzXYZ":
            raise FatalError(f"mju_euler2Quat: seq[{i}] is '{letter}', should be one of x, y, z, X, Y, Z")
        turn = [math.cos(angles[i] / 2), 0.0, 0.0, 0.0]
        turn[1 + "xyz".index(letter.lower())] = math.sin(angles[i] / 2)
        # lower case turns about the axes that move along, upper case about those that stay
        q = _mul_quat(q, turn) if letter.islower() else _mul_quat(turn, q)
    quat.flat = q


def mju_mulPose(posres, quatres, pos1, quat1, pos2, quat2):
    p1, p2 = _vec(pos1, 3, "pos1").tolist(), _vec(pos2, 3, "pos2").tolist()
    q1, q2 = _vec(quat1, 4, "quat1").tolist(), _vec(quat2, 4, "quat2").tolist()
    q = _mul_quat(q1, q2)
    norm = math.sqrt(sum(x * x for x in q))
    out(quatres, 4, "quatres").flat = (1, 0, 0, 0) if norm < _EPS else [x / norm for x in q]
    out(posres, 3, "posres").flat = [a + b for a, b in zip(p1, _rotate(p2, q1))]


def mju_negPose(posres, quatres, pos, quat):
    w, x, y, z = _vec(quat, 4, "quat").tolist()
    p = _vec(pos, 3, "pos").tolist()
    out(quatres, 4, "quatres").flat = (w, -x, -y, -z)
    out(posres, 3, "posres").flat = [-a for a in _rotate(p, (w, -x, -y, -z))]


def mju_trnVecPose(res, pos, quat, vec):
    p, q = _vec(pos, 3, "pos").tolist(), _vec(quat, 4, "quat").tolist()
    out(res, 3, "res").flat = [a + b for a, b in zip(p, _rotate(_vec(vec, 3, "vec").tolist(), q))]


def mju_transformSpatial(res, vec, flg_force, newpos, oldpos, rotnew2old):
    v = _vec(vec, 6, "vec").copy()
    shift = _vec(newpos, 3, "newpos") - _vec(oldpos, 3, "oldpos")
    if flg_force:
        v[:3] -= np.cross(shift, v[3:])
    else:
        v[3:] -= np.cross(shift, v[:3])
    if rotnew2old is not None:
        turn = _vec(rotnew2old, 9, "rotnew2old").reshape(3, 3).T
        v = np.concatenate([turn @ v[:3], turn @ v[3:]])
    out(res, 6, "res").flat = v


def mjd_subQuat(qa, qb, Da, Db):
    for name, given in (("Da", Da), ("Db", Db)):
        if given is not None:
            out(given, 9, name)
    axis = np.empty(3, REAL)
    mju_subQuat(axis, _vec(qa, 4, "qa"), _vec(qb, 4, "qb"))
    half = float(np.linalg.norm(axis)) / 2
    norm = 2 * half
    axis = axis / norm if norm >= _EPS else np.array([1.0, 0, 0])
    half = half if norm >= _EPS else 0.0
    cross = _cross_matrix(axis)
    coef = 1 / 3 * half * half if half < 6e-8 else 1 - half / math.tan(half)
    derivative = np.eye(3) + half * cross + coef * cross @ cross
    if Da is not None:
        Da.flat = derivative
    if Db is not None:
        Db.flat = -derivative.T


def mjd_quatIntegrate(vel, scale, Dquat, Dvel, Dscale):
    v = _vec(vel, 3, "vel")
    for name, given, size in (("Dquat", Dquat, 9), ("Dvel", Dvel, 9), ("Dscale", Dscale, 3)):
        if given is not None:
            out(given, size, name)
    turn = scale * v
    x = float(np.linalg.norm(turn))
    axis = turn / x if x >= _EPS else np.array([1.0, 0, 0])
    cross = _cross_matrix(axis)
    if x < 1e-8:
        a, b = x / 2, x * x / 6
        c = x
    else:
        a, b, c = (1 - math.cos(x)) / x, 1 - math.sin(x) / x, math.sin(x)
    if Dquat is not None:
        Dquat.flat = (np.eye(3) + c * cross + (1 - math.cos(x)) * cross @ cross).T
    right = np.eye(3) - a * cross + b * cross @ cross
    if Dvel is not None:
        Dvel.flat = right
    if Dscale is not None:
        Dscale.flat = right @ v


def _cross_matrix(a):
    return np.array([[0, -a[2], a[1]], [a[2], 0, -a[0]], [-a[1], a[0], 0]])


# ---- matrices

def _mat(values, name):
    array = np.asarray(values, REAL)
    if array.ndim == 1:
        array = array[:, None]
    if array.ndim != 2:
        raise TypeError(f"{name} should be a matrix, got {array.ndim} dimensions")
    return array


def mju_transpose(res, mat):
    m = _mat(mat, "mat")
    matrix(res, m.shape[::-1], "res")[...] = m.T


def mju_symmetrize(res, mat):
    m = _mat(mat, "mat")
    if m.shape[0] != m.shape[1]:
        raise TypeError("mat should be a square matrix")
    matrix(res, m.shape, "res")[...] = (m + m.T) / 2


def mju_eye(mat):
    m = matrix(mat, (None, None), "mat")
    if m.ndim != 2 or m.shape[0] != m.shape[1]:
        raise TypeError("mat should be a square matrix")
    m[...] = np.eye(len(m))


def mju_mulMatVec(res, mat, vec):
    m, v = _mat(mat, "mat"), _vec(vec, None, "vec")
    if m.shape[1] != v.size:
        raise TypeError("size of vec should equal the number of columns in mat")
    if out(res, None, "res").size != m.shape[0]:
        raise TypeError("size of res should equal the number of rows in mat")
    res.flat = m @ v


def mju_mulMatTVec(res, mat, vec):
    m, v = _mat(mat, "mat"), _vec(vec, None, "vec")
    if m.shape[0] != v.size:
        raise TypeError("size of vec should equal the number of rows in mat")
    if out(res, None, "res").size != m.shape[1]:
        raise TypeError("size of res should equal the number of columns in mat")
    res.flat = v @ m


def mju_mulVecMatVec(vec1, mat, vec2):
    a, m, b = _vec(vec1, None, "vec1"), _mat(mat, "mat"), _vec(vec2, None, "vec2")
    if m.shape != (a.size, b.size):
        raise TypeError("vec1, mat and vec2 should have sizes that fit")
    return float(a @ m @ b)


def _product(shape_of, multiply, text):
    def function(res, mat1, mat2):
        a, b = _mat(mat1, "mat1"), _mat(mat2, "mat2")
        shape = shape_of(a, b)
        if shape is None:
            raise TypeError(text)
        matrix(res, shape, "res")[...] = multiply(a, b)

    return function


mju_mulMatMat = _product(
    lambda a, b: (a.shape[0], b.shape[1]) if a.shape[1] == b.shape[0] else None,
    lambda a, b: a @ b,
    "#columns in mat1 should equal #rows in mat2",
)
mju_mulMatMatT = _product(
    lambda a, b: (a.shape[0], b.shape[0]) if a.shape[1] == b.shape[1] else None,
    lambda a, b: a @ b.T,
    "#columns in mat1 should equal #columns in mat2",
)
mju_mulMatTMat = _product(
    lambda a, b: (a.shape[1], b.shape[1]) if a.shape[0] == b.shape[0] else None,
    lambda a, b: a.T @ b,
    "#rows in mat1 should equal #rows in mat2",
)


def mju_sqrMatTD(res, mat, diag):
    m = _mat(mat, "mat")
    weights = np.ones(m.shape[0]) if diag is None else _vec(diag, m.shape[0], "diag")
    matrix(res, (m.shape[1], m.shape[1]), "res")[...] = m.T @ (weights[:, None] * m)


def mju_cholFactor(mat, mindiag):
    m = matrix(mat, (None, None), "mat")
    n = m.shape[0]
    if m.ndim != 2 or m.shape != (n, n):
        raise TypeError("mat should be a square matrix")
    rank = n
    for j in range(n):
        pivot = m[j, j] - m[j, :j] @ m[j, :j]
        if pivot < mindiag:
            pivot, rank = mindiag, rank - 1
        m[j, j] = root = math.sqrt(pivot)
        m[j + 1 :, j] = (m[j + 1 :, j] - m[j + 1 :, :j] @ m[j, :j]) / root
    return rank


def mju_cholSolve(res, mat, vec):
    m, x = _mat(mat, "mat"), _vec(vec, None, "vec").copy()
    n = m.shape[0]
    if m.shape != (n, n):
        raise TypeError("mat should be a square matrix")
    _same("res", out(res, None, "res").size, "mat", n)
    _same("vec", x.size, "mat", n)
    for i in range(n):
        x[i] = (x[i] - m[i, :i] @ x[:i]) / m[i, i]
    for i in reversed(range(n)):
        x[i] = (x[i] - m[i + 1 :, i] @ x[i + 1 :]) / m[i, i]
    res.flat = x


def mju_cholUpdate(mat, x, flg_plus):
    m = matrix(mat, (None, None), "mat")
    n = m.shape[0]
    if m.ndim != 2 or m.shape != (n, n):
        raise TypeError("mat should be a square matrix")
    v = out(x, n, "x")
    rank = n
    for k in range(n):
        if v[k] == 0:
            continue
        square = m[k, k] ** 2 + (v[k] ** 2 if flg_plus else -(v[k] ** 2))
        if square < _EPS:
            square, rank = _EPS, rank - 1
        r = math.sqrt(square)
        c, s = r / m[k, k], v[k] / m[k, k]
        m[k, k] = r
        below = slice(k + 1, n)
        m[below, k] = (m[below, k] + (s if flg_plus else -s) * v[below]) / c
        v[below] = c * v[below] - s * m[below, k]
    return rank


def mju_eig3(eigval, eigvec, quat, mat):
    for given, size, name in ((eigval, 3, "eigval"), (eigvec, 9, "eigvec"), (quat, 4, "quat")):
        out(given, size, name)
    m = _vec(mat, 9, "mat").reshape(3, 3)
    values, vectors = np.linalg.eigh((m + m.T) / 2)
    values, vectors = values[::-1], vectors[:, ::-1].copy()
    if np.linalg.det(vectors) < 0:
        vectors[:, 2] = -vectors[:, 2]
    eigval.flat, eigvec.flat = values, vectors
    quat.flat = _mat_quat(vectors.ravel().tolist())
    return 1


def mju_boxQP(res, R, index, H, g, lower, upper):
    H, g = _mat(H, "H"), _vec(g, None, "g")
    n = g.size
    _same("res", out(res, None, "res").size, "g", n)
    low = np.full(n, -np.inf) if lower is None else _vec(lower, n, "lower")
    high = np.full(n, np.inf) if upper is None else _vec(upper, n, "upper")
    if H.shape != (n, n):
        raise TypeError("H should be of shape (n, n)")
    matrix(R, (n, n + 7), "R")
    if index is not None:
        ints(index, n, "index")
    if np.any(low >= high):
        raise FatalError("mju_boxQP: upper bound must be greater than lower bound")
    x = np.clip(res.ravel(), low, high)
    free = np.ones(n, bool)
    rank = 0
    for _ in range(100):
        gradient = H @ x + g
        free = ~(((x <= low) & (gradient > 0)) | ((x >= high) & (gradient < 0)))
        ids = np.flatnonzero(free)
        rank = len(ids)
        if rank == 0 or np.linalg.norm(gradient[free]) < 1e-16:
            break
        try:
            factor = np.linalg.cholesky(H[np.ix_(ids, ids)])
        except np.linalg.LinAlgError:
            return -1
        search = np.zeros(n)
        search[ids] = -np.linalg.solve(factor.T, np.linalg.solve(factor, gradient[ids]))
        slope = search @ gradient
        if slope >= 0:
            break
        value, step = x @ (H @ x / 2 + g), 1.0
        while True:
            candidate = np.clip(x + step * search, low, high)
            if candidate @ (H @ candidate / 2 + g) - value <= 0.1 * step * slope or step < 1e-22:
                break
            step *= 0.5
        if np.array_equal(candidate, x):
            break
        x = candidate
    res.flat = x
    if rank:
        factor = np.linalg.cholesky(H[np.ix_(ids, ids)])
        R.reshape(-1)[: rank * rank] = factor.ravel()
    if index is not None:
        index[:rank] = np.flatnonzero(free)
    return rank


# band matrices: the rows of the band, then dense rows

def _band_row(row, ntotal, nband, ndense):
    """(address of the row, first column, number of columns)"""
    if row < ntotal - ndense:
        return row * nband, row - nband + 1, nband
    return (ntotal - ndense) * nband + (row - ntotal + ndense) * ntotal, 0, ntotal


def _band_size(ntotal, nband, ndense):
    return (ntotal - ndense) * nband + ndense * ntotal


def mju_bandDiag(i, ntotal, nband, ndense):
    adr, first, _ = _band_row(i, ntotal, nband, ndense)
    return adr + i - first


def mju_dense2Band(res, mat, ntotal, nband, ndense):
    m = _mat(mat, "mat")
    out(res, _band_size(ntotal, nband, ndense), "res")
    if m.size != ntotal * ntotal:
        raise TypeError("mat should have ntotal rows and columns")
    m = m.reshape(ntotal, ntotal)
    for i in range(ntotal):
        adr, first, _ = _band_row(i, ntotal, nband, ndense)
        for j in range(max(first, 0), i + 1):
            res.flat[adr + j - first] = m[i, j]


def _band_dense(mat, ntotal, nband, ndense):
    band = _vec(mat, _band_size(ntotal, nband, ndense), "mat")
    m = np.zeros((ntotal, ntotal), REAL)
    for i in range(ntotal):
        adr, first, _ = _band_row(i, ntotal, nband, ndense)
        for j in range(max(first, 0), i + 1):
            m[i, j] = band[adr + j - first]
    return m


def mju_band2Dense(res, mat, ntotal, nband, ndense, flg_sym):
    m = _band_dense(mat, ntotal, nband, ndense)
    matrix(res, (ntotal, ntotal), "res")[...] = m + np.tril(m, -1).T if flg_sym else m


def mju_bandMulMatVec(res, mat, vec, ntotal, nband, ndense, nvec, flg_sym):
    m = _band_dense(mat, ntotal, nband, ndense)
    m = m + np.tril(m, -1).T if flg_sym else m
    vectors = _vec(vec, ntotal * nvec, "vec").reshape(nvec, ntotal)
    out(res, ntotal * nvec, "res").flat = vectors @ m.T


def mju_cholFactorBand(mat, ntotal, nband, ndense, diagadd, diagmul):
    band = out(mat, _band_size(ntotal, nband, ndense), "mat")
    m = _band_dense(band, ntotal, nband, ndense)
    least = math.inf
    for j in range(ntotal):
        m[j, j] += diagadd + diagmul * m[j, j]
    for j in range(ntotal):
        pivot = m[j, j] - m[j, :j] @ m[j, :j]
        if pivot < _EPS:
            return 0.0
        least = min(least, math.sqrt(pivot))
        m[j, j] = math.sqrt(pivot)
        m[j + 1 :, j] = (m[j + 1 :, j] - m[j + 1 :, :j] @ m[j, :j]) / m[j, j]
    mju_dense2Band(band, m, ntotal, nband, ndense)
    return least


def mju_cholSolveBand(res, mat, vec, ntotal, nband, ndense):
    m = _band_dense(mat, ntotal, nband, ndense)
    out(res, ntotal, "res")
    mju_cholSolve(res, m, _vec(vec, ntotal, "vec"))


# sparse matrices: rows of values and columns

def _rows_of(rownnz, rowadr, colind):
    return (np.asarray(part, np.int64).ravel() for part in (rownnz, rowadr, colind))


def mju_dense2sparse(res, mat, rownnz, rowadr, colind):
    m = _mat(mat, "mat")
    for given, name in ((rownnz, "rownnz"), (rowadr, "rowadr")):
        if ints(given, None, name).size != m.shape[0]:
            raise TypeError(f"#rows in mat should equal size of {name}")
    out(res, None, "res")
    if ints(colind, None, "colind").size != res.size:
        raise TypeError("size of colind should equal size of res")
    at = 0
    for i, row in enumerate(m):
        columns = np.flatnonzero(row)
        if at + len(columns) > res.size:
            return 1
        rownnz[i], rowadr[i] = len(columns), at
        res[at : at + len(columns)] = row[columns]
        colind[at : at + len(columns)] = columns
        at += len(columns)
    return 0


def mju_sparse2dense(res, mat, rownnz, rowadr, colind):
    m = matrix(res, (None, None), "res")
    values = _vec(mat, None, "mat")
    nnz, adr, columns = _rows_of(rownnz, rowadr, colind)
    if m.ndim != 2 or len(nnz) != m.shape[0]:
        raise TypeError("#rows in res should equal size of rownnz")
    m[...] = 0
    for i in range(len(nnz)):
        span = slice(adr[i], adr[i] + nnz[i])
        m[i, columns[span]] = values[span]


def mju_sym2dense(res, mat, rownnz, rowadr, colind):
    mju_sparse2dense(res, mat, rownnz, rowadr, colind)
    lower = np.tril(res)
    res[...] = lower + np.tril(lower, -1).T


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
