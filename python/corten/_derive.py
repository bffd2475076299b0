"""Derivatives of a step and of inverse dynamics."""

import numpy as np

from . import _core


def transition_fd(model, data, eps=1e-6, centered=False, *, sensors=True, threads=1):
    """Finite differences of one step at the state of `data`, which stays as it is: the matrices A, B, C, D with

        next state = A x + B u,  sensors = C x + D u

    where x = (tangent of qpos, qvel, act) and u = ctrl. Sensors are read before the step advances; without them C and D
    are None, which saves their time. Columns are spread over `threads` (0: all processors) with the same numbers."""
    nx, nu, ns = 2 * model.nv + model.na, model.nu, model.nsensordata
    shapes = [(nx, nx), (nx, nu)] + ([(ns, nx), (ns, nu)] if sensors else [])
    matrices = [np.zeros(shape, _core.real) for shape in shapes] + [None] * (4 - len(shapes))
    _core.derive(model, data, False, eps, centered, threads, tuple(matrices))
    return tuple(matrices)


def inverse_fd(model, data, eps=1e-6, actuation=False, *, sensors=True, mass=True, threads=1):
    """Finite differences of inverse dynamics at (qpos, qvel, qacc) of `data`, which stays as it is: the matrices DfDq,
    DfDv, DfDa, DsDq, DsDv, DsDa and DmDq. Row i belongs to input i, as in MuJoCo: DfDq has shape (nv, nv), DsDq
    (nv, nsensordata), DmDq (nv, nC) of the mass matrix as it is stored. f is qfrc_inverse, less qfrc_actuator with
    `actuation`."""
    nv, ns = model.nv, model.nsensordata
    forces = [np.zeros((nv, nv), _core.real) for _ in range(3)]
    measured = [np.zeros((nv, ns), _core.real) if sensors else None for _ in range(3)]
    inertia = np.zeros((nv, model.nC), _core.real) if mass else None
    _core.derive(model, data, True, eps, actuation, threads, (*forces, *measured, inertia))
    return (*forces, *measured, inertia)


def smooth_velocity_derivative(model, data):
    """The derivative of qfrc_passive + qfrc_actuator - qfrc_bias by qvel, analytic, of shape (nv, nv). Needs what
    forward() leaves."""
    out = np.empty((model.nv, model.nv), _core.real)
    _core.smooth_velocity(model, data, out)
    return out


def quat_difference_derivative(start, end):
    """The derivatives, 3 x 3 each, of the rotation vector from one orientation to another by the first and by the second, in
    their tangents."""
    start, end = (np.ascontiguousarray(q, _core.real) for q in (start, end))
    by_start, by_end = np.empty((3, 3), _core.real), np.empty((3, 3), _core.real)
    _core.quat_derivative(False, start, end, 0, by_start, by_end)
    return by_start, by_end


def quat_integration_derivative(vel, dt=1.0):
    """The derivatives, 3 x 3 each, of an orientation that has turned with a velocity for a time: by the orientation at the
    start, and by velocity times time."""
    vel = np.ascontiguousarray(vel, _core.real)
    by_quat, by_turn = np.empty((3, 3), _core.real), np.empty((3, 3), _core.real)
    _core.quat_derivative(True, vel, vel, dt, by_quat, by_turn)
    return by_quat, by_turn
