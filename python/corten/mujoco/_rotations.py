"""The functions mju_* of quaternions, poses and axes, and their derivatives. Results go to the first argument, as there."""

import math

import numpy as np

from ._arguments import REAL, out
from ._arguments import vec as _vec
from ._constants import mjMINVAL
from ._errors import FatalError

_EPS = mjMINVAL


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


__all__ = [name for name in globals() if name.startswith(("mju_", "mjd_"))]
