"""The functions mj_* that ask: Jacobians, masses, forces, histories, rays and distances. Results go into arrays that the caller gives."""


import numpy as np

from corten import Error, _core

from ._arguments import REAL, ints, matrix, out
from ._arguments import vec as _vec
from ._enums import mjtObj
from ._errors import FatalError
from ._rotations import _mul_quat, _quat_mat, _rotate
from ._steps import _in_place

_ask = _core.ask

# ---- Jacobians




def _jacobians(m, jacp, jacr, names=("jacp", "jacr")):
    shape = (3, m.nv)
    for jac, name in zip((jacp, jacr), names):
        if jac is None:
            continue
        if not isinstance(jac, np.ndarray) or jac.dtype != REAL or not jac.flags.writeable or not jac.flags.c_contiguous:
            raise TypeError(f"{name} should be a writeable, C-contiguous array of {REAL.name}")
        if jac.shape != shape:
            raise TypeError(f"{name} should be of shape (3, nv)")
    return jacp, jacr


def _ids(count, id, call, kind):
    if not 0 <= id < count:
        raise FatalError(f"{call}: invalid {kind} id {id}")
    return int(id)


def mj_jac(m, d, jacp, jacr, point, body):
    """Jacobians of a world point fixed to a body."""
    _ask(m, d, "jac_point", (_ids(m.nbody, body, "mj_jac", "body"),), (_vec(point, 3, "point"),), _jacobians(m, jacp, jacr))


def mj_jacDot(m, d, jacp, jacr, point, body):
    """Time derivatives of mj_jac."""
    body = _ids(m.nbody, body, "mj_jacDot", "body")
    _ask(m, d, "jac_point_dot", (body,), (_vec(point, 3, "point"),), _jacobians(m, jacp, jacr))


def _object_jac(kind, count, call, d, m, jacp, jacr, id):
    _ask(m, d, "jac_object", (kind, _ids(count, id, call, "object")), (), _jacobians(m, jacp, jacr))


def mj_jacBody(m, d, jacp, jacr, body):
    """Jacobians of the frame of a body."""
    _object_jac(int(mjtObj.mjOBJ_XBODY), m.nbody, "mj_jacBody", d, m, jacp, jacr, body)


def mj_jacBodyCom(m, d, jacp, jacr, body):
    """Jacobians of the centre of mass of a body."""
    _object_jac(int(mjtObj.mjOBJ_BODY), m.nbody, "mj_jacBodyCom", d, m, jacp, jacr, body)


def mj_jacGeom(m, d, jacp, jacr, geom):
    """Jacobians of a geom."""
    _object_jac(int(mjtObj.mjOBJ_GEOM), m.ngeom, "mj_jacGeom", d, m, jacp, jacr, geom)


def mj_jacSite(m, d, jacp, jacr, site):
    """Jacobians of a site."""
    _object_jac(int(mjtObj.mjOBJ_SITE), m.nsite, "mj_jacSite", d, m, jacp, jacr, site)


def mj_jacSubtreeCom(m, d, jacp, body):
    """Jacobian of the centre of mass of a subtree."""
    jacp, _ = _jacobians(m, jacp, None)
    if jacp is not None:
        _ask(m, d, "jac_subtree", (_ids(m.nbody, body, "mj_jacSubtreeCom", "body"),), (), (jacp,))


def mj_jacPointAxis(m, d, jacPoint, jacAxis, point, axis, body):
    """Jacobians of a point and an axis fixed to a body."""
    inputs = _vec(point, 3, "point"), _vec(axis, 3, "axis")
    outputs = _jacobians(m, jacPoint, jacAxis, ("jacPoint", "jacAxis"))
    _ask(m, d, "jac_axis", (_ids(m.nbody, body, "mj_jacPointAxis", "body"),), inputs, outputs)


def mj_angmomMat(m, d, mat, body):
    """The matrix that turns qvel into the angular momentum of a subtree."""
    _jacobians(m, mat, None, ("mat", ""))
    _ask(m, d, "angular_momentum", (_ids(m.nbody, body, "mj_angmomMat", "body"),), (), (mat,))

# ---- mass


def mj_fullM(m, d, dst):
    """The mass matrix, dense."""
    if out(dst, None, "dst").shape != (m.nv, m.nv):
        raise TypeError("dst should be of shape (nv, nv)")
    _core.full_mass(m, d, matrix(dst, (m.nv, m.nv), "dst"))


def _mass_product(name, question, doc):
    def function(m, d, res, vec):
        if out(res, None, "res").size != m.nv:
            raise TypeError("res should be of size nv")
        v = _vec(vec, None, "vec")
        if v.size != m.nv:
            raise TypeError("vec should be of size nv")
        target = res if res.flags.c_contiguous and not np.may_share_memory(res, v) else np.empty(m.nv, REAL)
        _ask(m, d, question, (), (v,), (target,))
        if target is not res:
            res.flat = target

    function.__name__, function.__doc__ = name, doc
    return function


mj_mulM = _mass_product("mj_mulM", "mul_mass", "The mass matrix times a vector.")
mj_mulM2 = _mass_product("mj_mulM2", "mul_mass_half", "The root of the mass matrix times a vector.")


def _solve(m, d, question, x, y):
    target, source = matrix(x, (None, m.nv), "x"), np.ascontiguousarray(y, REAL)
    if source.size != target.size or source.size % max(1, m.nv):
        raise TypeError("x and y should have rows of nv numbers")
    rows = target.reshape(-1, m.nv)
    for row, vector in zip(rows, source.reshape(-1, m.nv)):
        answer = np.empty(m.nv, REAL)
        _ask(m, d, question, (), (np.ascontiguousarray(vector),), (answer,))
        row[...] = answer


def mj_solveM(m, d, x, y):
    """Solve with the mass matrix, a row at a time."""
    _solve(m, d, "solve_mass", x, y)


def mj_solveM2(m, d, x, y, sqrtInvD):
    """Solve with the root of the mass matrix, a row at a time. The diagonal is the engine's own."""
    _vec(sqrtInvD, m.nv, "sqrtInvD")
    _solve(m, d, "solve_mass_half", x, y)


def mj_addM(m, d, dst, rownnz, rowadr, colind):
    """Add the mass matrix to a sparse one of the same pattern or more."""
    values = out(dst, None, "dst").reshape(-1)
    nnz, adr, columns = (np.asarray(a) for a in (rownnz, rowadr, colind))
    mass, counts, starts, cols = d.M, m.M_rownnz, m.M_rowadr, m.M_colind
    for i in range(m.nv):
        where = {int(c): int(adr[i]) + k for k, c in enumerate(columns[adr[i] : adr[i] + nnz[i]])}
        for k in range(starts[i], starts[i] + counts[i]):
            if int(cols[k]) not in where:
                raise FatalError("mj_addM: the pattern lacks elements of the mass matrix")
            values[where[int(cols[k])]] += mass[k]


def mj_rne(m, d, flg_acc, result):
    """The force that explains velocity and gravity, and acceleration when flg_acc."""
    if out(result, None, "result").size != m.nv:
        raise TypeError("result should have length nv")
    _ask(m, d, "bias_force", (int(flg_acc),), (), (result,))


def mj_mulJacVec(m, d, res, vec):
    """The Jacobian of the constraint rows times a vector."""
    if out(res, None, "res").size != d.nefc:
        raise TypeError("res should be of length nefc")
    v = _vec(vec, None, "vec")
    if v.size != m.nv:
        raise TypeError("vec should be of length nv")
    _ask(m, d, "rows_mul", (), (v,), (res,))


def mj_mulJacTVec(m, d, res, vec):
    """The transposed Jacobian of the constraint rows times a vector."""
    if out(res, None, "res").size != m.nv:
        raise TypeError("res should be of length nv")
    v = _vec(vec, None, "vec")
    if v.size != d.nefc:
        raise TypeError("vec should be of length nefc")
    _ask(m, d, "rows_mul_transposed", (), (v,), (res,))

# ---- forces and motion


def mj_applyFT(m, d, force, torque, point, body, qfrc_target):
    """Add to a joint force the effect of a force and torque at a point of a body."""
    force = None if force is None else _vec(force, 3, "force")
    torque = None if torque is None else _vec(torque, 3, "torque")
    if out(qfrc_target, None, "qfrc_target").size != m.nv:
        raise TypeError("qfrc_target should be of size nv")
    body = _ids(m.nbody, body, "mj_applyFT", "body")
    _in_place(qfrc_target, lambda q: _core.apply_force(m, d, force, torque, _vec(point, 3, "point"), body, q))


def mj_contactForce(m, d, id, result):
    """Force and torque of a contact in its frame; zero when there is no such contact."""
    out(result, 6, "result")
    if not 0 <= id < d.ncon:
        result[...] = 0
        return
    _in_place(result, lambda r: _ask(m, d, "contact_force", (int(id),), (), (r,)))


def mj_objectVelocity(m, d, objtype, objid, res, flg_local):
    """Velocity of an object: rotation, then translation."""
    _motion("object_velocity", m, d, objtype, objid, res, flg_local)


def mj_objectAcceleration(m, d, objtype, objid, res, flg_local):
    """Acceleration of an object: rotation, then translation."""
    _motion("object_acceleration", m, d, objtype, objid, res, flg_local)


def _motion(question, m, d, objtype, objid, res, flg_local):
    out(res, 6, "res")
    try:
        _in_place(res, lambda r: _ask(m, d, question, (int(objtype), int(objid), int(flg_local)), (), (r,)))
    except Error as error:
        raise FatalError(str(error)) from error




def mj_local2Global(d, xpos, xmat, pos, quat, body, sameframe):
    """From a frame in a body to one in the world."""
    p, q, b = _vec(pos, 3, "pos").tolist(), _vec(quat, 4, "quat").tolist(), int(body)
    out(xpos, 3, "xpos"), out(xmat, 9, "xmat")
    if sameframe:  # 1, 3: the frame of the body, 2, 4: of its inertia; 3 and 4 only the rotation
        where, turn = ("xpos", "xmat") if sameframe in (1, 3) else ("xipos", "ximat")
        xmat.flat = getattr(d, turn)[b]
        if sameframe in (1, 2):
            xpos.flat = getattr(d, where)[b]
            return
    else:
        xmat.flat = _quat_mat(_mul_quat(d.xquat[b].tolist(), q))
    xpos.flat = [a + c for a, c in zip(d.xpos[b].tolist(), _rotate(p, d.xquat[b].tolist()))]

# ---- histories


def mj_readSensor(m, d, id, time, result, interp):
    """What a sensor gave at a time, from its history, into `result`, which is returned."""
    return _read(m, d, True, id, time, result, interp, m.sensor_dim)


def mj_readCtrl(m, d, id, time, result, interp):
    """What the controls of an actuator were at a time, into `result`, which is returned."""
    return _read(m, d, False, id, time, result, interp, m.actuator_ctrlnum)


def _read(m, d, sensor, id, time, result, interp, sizes):
    if not 0 <= id < len(sizes):
        raise IndexError(f"invalid id {id}")
    if out(result, None, "result").size != sizes[id]:
        raise TypeError(f"result should be of size {sizes[id]}")
    _core.read_history(m, d, sensor, int(id), float(time), int(interp), result)
    return result


def mj_initSensorHistory(m, d, id, times, values, phase):
    """Fill the history of a sensor, oldest sample first."""
    _fill(m, d, True, id, times, values, phase)


def mj_initCtrlHistory(m, d, id, times, values):
    """Fill the history of an actuator, oldest sample first."""
    _fill(m, d, False, id, times, values, 0.0)


def _fill(m, d, sensor, id, times, values, phase):
    sizes, samples = (m.sensor_dim, m.sensor_history) if sensor else (m.actuator_ctrlnum, m.actuator_history)
    if not 0 <= id < len(sizes):
        raise IndexError(f"invalid id {id}")
    rows, dim = int(samples[id, 0]), int(sizes[id])
    times = None if times is None else _vec(times, rows, "times")
    given = np.asarray(values)
    if given.ndim == 2 and given.shape != (rows, dim):
        raise TypeError(f"values should be of shape {(rows, dim)}, got {given.shape}")
    _core.set_history(m, d, sensor, int(id), times, _vec(values, rows * dim, "values"), float(phase))

# ---- shapes


def mj_geomDistance(m, d, geom1, geom2, distmax, fromto):
    """Smallest signed distance between two geoms, at most distmax; nearest points into `fromto`."""
    into = np.zeros(6, REAL)
    dist = _core.geom_distance(m, d, _ids(m.ngeom, geom1, "mj_geomDistance", "geom"),
                               _ids(m.ngeom, geom2, "mj_geomDistance", "geom"), float(distmax), into)  # fmt: skip
    if fromto is not None:
        out(fromto, 6, "fromto").flat = into
    return dist


def mj_ray(m, d, pnt, vec, geomgroup, flg_static, bodyexclude, geomid=None, normal=None):
    """Distance to the nearest geom along a ray, -1 when there is none."""
    dist, geom, into = np.empty(1, REAL), np.empty(1, np.int32), np.empty(3, REAL)
    direction = _vec(vec, 3, "vec")
    if not direction.any():
        raise FatalError("mj_ray: vector length is too small")
    groups = _groups(geomgroup)
    _core.cast_rays(m, d, _vec(pnt, 3, "pnt"), direction, groups, not flg_static, int(bodyexclude), dist, geom, into)
    if geomid is not None:
        ints(geomid, 1, "geomid")[...] = geom
    if normal is not None:
        out(normal, 3, "normal").flat = into
    return float(dist[0])


def _groups(geomgroup):
    if geomgroup is None:
        return None
    groups = np.ascontiguousarray(np.asarray(geomgroup).ravel() != 0, np.uint8)
    if groups.size != 6:
        raise TypeError("geomgroup should be of size 6")
    return groups


def mj_multiRay(m, d, pnt, vec, geomgroup, flg_static, bodyexclude, geomid, dist, normal, nray, cutoff):
    """Distances to the nearest geoms along many rays from a point; those beyond `cutoff` are not seen."""
    directions = _vec(vec, 3 * nray, "vec")
    out(dist, nray, "dist")
    into = np.empty((nray, 3), REAL)
    distances, geoms = np.empty(nray, REAL), np.empty(nray, np.int32)
    _core.cast_rays(m, d, _vec(pnt, 3, "pnt"), directions, _groups(geomgroup), not flg_static, int(bodyexclude), distances,
                    geoms, into)  # fmt: skip
    far = distances * np.linalg.norm(directions.reshape(-1, 3), axis=1) > cutoff
    distances[far], geoms[far], into[far] = -1, -1, 0
    dist.flat = distances
    if geomid is not None:
        ints(geomid, nray, "geomid").flat = geoms
    if normal is not None:
        out(normal, 3 * nray, "normal").flat = into


def _one_geom(m, d, geomid, pnt, vec, normal, call, kinds):
    if int(m.geom_type[_ids(m.ngeom, geomid, call, "geom")]) not in kinds:
        raise FatalError(f"{call}: geom {geomid} is of another type")
    into = np.zeros(3, REAL)
    dist = _core.ray_geom(m, d, int(geomid), _vec(pnt, 3, "pnt"), _vec(vec, 3, "vec"), into)
    if normal is not None:
        out(normal, 3, "normal").flat = into
    return dist


def mj_rayMesh(m, d, geomid, pnt, vec, normal=None):
    """Distance along a ray to a geom that is a mesh."""
    return _one_geom(m, d, geomid, pnt, vec, normal, "mj_rayMesh", (7, 8))


def mj_rayHfield(m, d, geomid, pnt, vec, normal=None):
    """Distance along a ray to a geom that is a height field."""
    return _one_geom(m, d, geomid, pnt, vec, normal, "mj_rayHfield", (1,))


def mj_rayFlex(m, d, flex_layer, flg_vert, flg_edge, flg_face, flg_skin, flexid, pnt, vec, vertid=None, normal=None):
    """Distance along a ray to a deformable, with the nearest vertex and the surface normal."""
    into = np.zeros(3, REAL)
    dist, vertex = _core.ray_flex(m, d, _ids(m.nflex, flexid, "mj_rayFlex", "flex"), bool(flg_vert), bool(flg_edge), bool(flg_face),
                                  bool(flg_skin), int(flex_layer), _vec(pnt, 3, "pnt"), _vec(vec, 3, "vec"), into)  # fmt: skip
    if vertid is not None:
        ints(vertid, 1, "vertid")[...] = vertex
    if normal is not None:
        out(normal, 3, "normal").flat = into
    return dist


def mj_insideSite(m, d, siteid, point):
    """1 when a world point is in the volume of a site, else 0."""
    if not 0 <= siteid < m.nsite:
        raise FatalError(f"mj_insideSite: invalid site id {siteid}")
    return int(_core.site_contains(m, d, int(siteid), _vec(point, 3, "point")))


__all__ = [name for name in globals() if name.startswith(("mj_", "mju_threadpool", "mju_writeLog", "mju_getXML"))]
