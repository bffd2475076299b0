"""Queries about a state that forward() has been run for: Jacobians, motion, mass, positions, histories."""

import os

import numpy as np

from . import _core
from ._enums import ObjType, State


def _reals(values):
    return np.ascontiguousarray(values, dtype=_core.real)


def _ask(model, data, name, ints=(), inputs=(), shapes=()):
    """Call a query of the engine; returns arrays of the given shapes."""
    outputs = tuple(np.empty(shape, _core.real) for shape in shapes)
    _core.ask(model, data, name, tuple(ints), tuple(_reals(i) for i in inputs), outputs)
    return outputs


def _jac(model):
    return (3, model.nv)


# ---- Jacobians

def jac_point(model, data, point, body):
    """(jacp, jacr) of a world point fixed to a body (number or name), each of shape (3, nv)."""
    return _ask(model, data, "jac_point", [model.body(body).id], [point], [_jac(model)] * 2)


def jac_point_dot(model, data, point, body):
    """Time derivative of jac_point() at the current velocity."""
    return _ask(model, data, "jac_point_dot", [model.body(body).id], [point], [_jac(model)] * 2)


def jac_object(model, data, type, id):
    """(jacp, jacr) of the origin of an object: ObjType BODY (centre of mass), XBODY (frame), GEOM or SITE."""
    return _ask(model, data, "jac_object", [type, id], [], [_jac(model)] * 2)


def jac_object_dot(model, data, type, id):
    """Time derivative of jac_object() at the current velocity."""
    return _ask(model, data, "jac_object_dot", [type, id], [], [_jac(model)] * 2)


def jac_body(model, data, body):
    """(jacp, jacr) of the frame of a body."""
    return jac_object(model, data, ObjType.XBODY, model.body(body).id)


def jac_body_com(model, data, body):
    """(jacp, jacr) of the centre of mass of a body."""
    return jac_object(model, data, ObjType.BODY, model.body(body).id)


def jac_geom(model, data, geom):
    """(jacp, jacr) of a geom."""
    return jac_object(model, data, ObjType.GEOM, model.geom(geom).id)


def jac_site(model, data, site):
    """(jacp, jacr) of a site."""
    return jac_object(model, data, ObjType.SITE, model.site(site).id)


def jac_axis(model, data, point, axis, body):
    """(jacp, jacaxis) of a point and a direction fixed to a body."""
    return _ask(model, data, "jac_axis", [model.body(body).id], [point, axis], [_jac(model)] * 2)


def jac_axis_dot(model, data, point, axis, body):
    """Time derivative of jac_axis() at the current velocity."""
    return _ask(model, data, "jac_axis_dot", [model.body(body).id], [point, axis], [_jac(model)] * 2)


def jac_subtree(model, data, body):
    """Jacobian of the centre of mass of a subtree, of shape (3, nv)."""
    return _ask(model, data, "jac_subtree", [model.body(body).id], [], [_jac(model)])[0]


def jac_subtree_dot(model, data, body):
    """Time derivative of jac_subtree() at the current velocity."""
    return _ask(model, data, "jac_subtree_dot", [model.body(body).id], [], [_jac(model)])[0]


def angular_momentum(model, data, body):
    """The matrix, of shape (3, nv), that turns qvel into the angular momentum of a subtree."""
    return _ask(model, data, "angular_momentum", [model.body(body).id], [], [_jac(model)])[0]


# ---- motion and forces

def object_velocity(model, data, type, id, local=False):
    """Velocity of an object's origin: rotation then translation, along world axes or its own."""
    return _ask(model, data, "object_velocity", [type, id, local], [], [6])[0]


def object_acceleration(model, data, type, id, local=False):
    """Acceleration of an object's origin, as an accelerometer measures it: rotation, then translation."""
    return _ask(model, data, "object_acceleration", [type, id, local], [], [6])[0]


def post_constraint(model, data):
    """Fill data.cacc, cfrc_int and cfrc_ext, where they are not current."""
    _ask(model, data, "post_constraint")


def subtree_velocity(model, data):
    """Fill data.subtree_linvel and subtree_angmom, where they are not current."""
    _ask(model, data, "subtree_velocity")


def bias_force(model, data, acceleration=False):
    """The joint force that explains the current velocity and gravity, and `data.qacc` too when `acceleration` is true
    (without armature). Needs velocities."""
    return _ask(model, data, "bias_force", [acceleration], [], [model.nv])[0]


def rows_mul(model, data, vector):
    """J times a vector of nv numbers, over all constraint rows."""
    return _ask(model, data, "rows_mul", [], [vector], [data.nefc])[0]


def rows_mul_transposed(model, data, vector):
    """J' times a vector with a number for each constraint row."""
    return _ask(model, data, "rows_mul_transposed", [], [vector], [model.nv])[0]


def contact_force(model, data, contact):
    """Force and torque of a contact in its own frame, normal first."""
    return _ask(model, data, "contact_force", [contact], [], [6])[0]


def kkt_residual(model, data):
    """How well the constraints were solved, as (balance, force): the imbalance of the equation of motion, and the distance
    of the forces from those the constraints exert at qacc, both relative to the largest force; zero at the solution."""
    balance, force = _ask(model, data, "kkt_residual", shapes=[1, 1])
    return float(balance[0]), float(force[0])


def site_contains(model, data, site, point):
    """Whether a world point is in the volume of a site (number or name)."""
    return _core.site_contains(model, data, model.site(site).id, _reals(point))


# ---- shapes

def geom_distance(model, data, geom1, geom2, distmax=np.inf):
    """(distance, fromto) of two geoms (numbers or names): the smallest signed distance, negative where they overlap, and
    the nearest points as an array of shape (2, 3). Beyond `distmax`, which is then the distance, nothing is searched for,
    and the points are zero."""
    fromto = np.zeros((2, 3), _core.real)
    limit = min(float(distmax), float(np.finfo(_core.real).max) ** 0.5)
    return _core.geom_distance(model, data, model.geom(geom1).id, model.geom(geom2).id, limit, fromto), fromto


def ray_cast(model, data, point, direction, geomgroup=None, skip_static=False, skip_body=None):
    """(distance, geom, normal) of the nearest geom along a ray: the distance in lengths of `direction`, the number of the
    geom and the surface normal; (-1, -1, zeros) when nothing is hit.

    geomgroup: six flags, geoms of which groups are seen; skip_static: not those of bodies that never move; skip_body: not
    those of this body (number or name). Geoms with alpha 0 are not seen."""
    rays = ray_cast_many(model, data, point, np.reshape(direction, (1, 3)), geomgroup, skip_static, skip_body)
    return float(rays[0][0]), int(rays[1][0]), rays[2][0]


def ray_cast_many(model, data, point, direction, geomgroup=None, skip_static=False, skip_body=None):
    """(distances, geoms, normals) of many rays, as ray_cast() gives them: `direction` has shape (n, 3), `point` too, or (3,)
    for one origin of all."""
    direction, point = _reals(direction), _reals(point)
    if direction.ndim != 2 or direction.shape[1] != 3 or point.shape not in ((3,), direction.shape):
        raise ValueError(f"directions have shape (n, 3), points (n, 3) or (3,); got {direction.shape} and {point.shape}")
    n = len(direction)
    dist, geom, normal = np.empty(n, _core.real), np.empty(n, np.int32), np.empty((n, 3), _core.real)
    groups = None if geomgroup is None else np.ascontiguousarray(np.asarray(geomgroup, bool), np.uint8)
    body = -1 if skip_body is None else model.body(skip_body).id
    _core.cast_rays(model, data, point, direction, groups, skip_static, body, dist, geom, normal)
    return dist, geom, normal


def ray_geom(model, data, geom, point, direction):
    """(distance, normal) of a ray and one geom (number or name), as ray_cast() gives them; transparent geoms are seen."""
    normal = np.zeros(3, _core.real)
    return _core.ray_geom(model, data, model.geom(geom).id, _reals(point), _reals(direction), normal), normal


def ray_shape(type, pos, mat, size, point, direction):
    """(distance, normal) of a ray and a shape by itself: a plane, sphere, capsule, ellipsoid, cylinder or box (GeomType)
    of a size, with its centre at `pos` and its axes the columns of `mat`."""
    normal = np.zeros(3, _core.real)
    parts = (_reals(part) for part in (pos, mat, size, point, direction))
    return _core.ray_shape(type, *parts, normal), normal


def ray_flex(model, data, flex, point, direction, vertices=True, edges=True, faces=False, skin=True, layer=0):
    """(distance, vertex, normal) of a ray and one deformable (number or name): the distance in lengths of `direction`, the
    vertex nearest to the hit and the surface normal there; (-1, -1, zeros) when nothing is hit.

    What of it is met: balls around its `vertices`, capsules around its `edges`, its triangles (`faces`; of tetrahedra those
    of `layer`, counted from the surface), and what is drawn as its `skin`."""
    normal = np.zeros(3, _core.real)
    number = model.name2id(ObjType.FLEX, flex) if isinstance(flex, str) else int(flex)
    if isinstance(flex, str) and number < 0:
        raise KeyError(f"there is no deformable {flex!r}")
    dist, vertex = _core.ray_flex(model, data, number, vertices, edges, faces, skin, layer, _reals(point), _reals(direction), normal)
    return dist, vertex, normal


def ray_skin(faces, vertices, point, direction):
    """(distance, vertex) of a ray and a surface of triangles: `faces` has rows of three vertices, `vertices` rows of three
    numbers. The vertex is the one nearest to the hit; (-1, -1) when nothing is hit."""
    faces = np.ascontiguousarray(np.reshape(faces, (-1, 3)), np.int32)
    vertices = np.ascontiguousarray(np.reshape(vertices, (-1, 3)), np.float32)
    if faces.size and (faces.min() < 0 or faces.max() >= len(vertices)):
        raise IndexError("a face has an index that leads to no vertex")
    return _core.ray_skin(faces, vertices, _reals(point), _reals(direction))


# ---- mass

def add_mass(model, data, matrix):
    """Add the mass matrix to the lower triangle of `matrix`, of shape (nv, nv), in place."""
    if not isinstance(matrix, np.ndarray) or matrix.dtype != _core.real or matrix.shape != (model.nv, model.nv):
        raise ValueError(f"matrix must be an array of shape ({model.nv}, {model.nv}) of type {np.dtype(_core.real)}")
    _core.ask(model, data, "add_mass", (), (), (matrix,))


def mul_mass(model, data, vector):
    """M times a vector."""
    return _ask(model, data, "mul_mass", [], [vector], [model.nv])[0]


def solve_mass(model, data, vector):
    """M^-1 times a vector."""
    return _ask(model, data, "solve_mass", [], [vector], [model.nv])[0]


def mul_mass_half(model, data, vector):
    """R times a vector, with M = R'R."""
    return _ask(model, data, "mul_mass_half", [], [vector], [model.nv])[0]


def solve_mass_half(model, data, vector):
    """R'^-1 times a vector, with M = R'R."""
    return _ask(model, data, "solve_mass_half", [], [vector], [model.nv])[0]


def total_mass(model):
    """Mass of the whole model: the sum of `model.body_mass`, as it is now."""
    return _core.total_mass(model)


def set_total_mass(model, mass):
    """Scale all masses and inertias, as they are now, to a total mass. Masses of subtrees follow, the other constants with
    `model.update()`."""
    _core.set_total_mass(model, mass)


# ---- positions

def differentiate_pos(model, start, end, dt=1.0):
    """The velocity that leads from one position to another in time dt."""
    out = np.empty(model.nv, _core.real)
    _core.positions(model, 0, _reals(start), _reals(end), out, dt)
    return out


def integrate_pos(model, qpos, qvel, dt=1.0):
    """A position moved by a velocity for a time, as a new array."""
    out = np.array(qpos, dtype=_core.real)
    _core.positions(model, 1, _reals(qvel), None, out, dt)
    return out


def normalize_pos(model, qpos):
    """A position with all its quaternions of length one, as a new array."""
    out = np.array(qpos, dtype=_core.real)
    _core.positions(model, 2, None, None, out, 0.0)
    return out


# ---- state

def copy_state(model, to, source, which=State.INTEGRATION):
    """Copy the chosen parts of the state between two data of a model."""
    _core.copy_state(model, to, source, which)


def extract_state(model, state, which, part):
    """From a state vector with the parts `which`, the vector with the parts `part`."""
    out = np.empty(_core.state_size(model, part), _core.real)
    _core.extract_state(model, _reals(state), which, out, part)
    return out


def set_keyframe(model, data, key):
    """Make the current state a keyframe of the model, in the place of one it has (number or name)."""
    _core.ask(model, data, "set_keyframe", (model.key(key).id,), (), ())


def save_state(model, data, path=None):
    """The whole state as bytes, also written to a file (*.cts) when a path is given."""
    if path is not None:
        _core.save_state_file(model, data, path)
    return _core.save_state(model, data)


def load_state(model, data, source):
    """Restore a state from bytes or from a file that save_state() wrote; bit for bit. On failure nothing changes."""
    if isinstance(source, (str, os.PathLike)):
        with open(source, "rb") as file:  # no more than a state of this model has, and a byte that is too many
            source = file.read(len(_core.save_state(model, data)) + 1)
    _core.load_state(model, data, source)


def read_sensor(model, data, sensor, time, interp=-1):
    """What a sensor gave at `time` minus its delay, from its history. interp: 0 hold, 1 linear, 2 cubic, -1 its own."""
    i = model.sensor(sensor).id
    out = np.empty(model.sensor_dim[i], _core.real)
    _core.read_history(model, data, True, i, time, interp, out)
    return out


def read_ctrl(model, data, actuator, time, interp=-1):
    """What the controls of an actuator were at `time` minus its delay, from its history."""
    i = model.actuator(actuator).id
    out = np.empty(model.actuator_ctrlnum[i], _core.real)
    _core.read_history(model, data, False, i, time, interp, out)
    return out


def set_sensor_history(model, data, sensor, times, values, phase=0.0):
    """Fill the history of a sensor, oldest sample first; `times` None keeps those it has."""
    times = None if times is None else _reals(times)
    _core.set_history(model, data, True, model.sensor(sensor).id, times, _reals(values), phase)


def set_ctrl_history(model, data, actuator, times, values):
    """Fill the history of an actuator, oldest sample first; `times` None keeps those it has."""
    times = None if times is None else _reals(times)
    _core.set_history(model, data, False, model.actuator(actuator).id, times, _reals(values), 0.0)
