"""Derivatives of a step and of inverse dynamics."""

import numpy as np

from . import _core

_TRANSITION, _INVERSE, _LINEARIZE = range(3)


def transition_fd(model, data, eps=1e-6, centered=False, *, sensors=True, threads=1):
    """Finite differences of one step at the state of `data`, which stays as it is: the matrices A, B, C, D with

        next state = A x + B u,  sensors = C x + D u

    where x = (tangent of qpos, qvel, act) and u = ctrl. Sensors are read before the step advances; without them C and D
    are None, which saves their time. Columns are spread over `threads` (0: all processors) with the same numbers."""
    matrices = _matrices(model, sensors)
    _core.derive(model, data, _TRANSITION, eps, centered, threads, matrices)
    return matrices


class Linearization(tuple):
    """The matrices A, B, C, D of linearize(), also as attributes."""

    def __new__(cls, matrices, by_differences):
        self = super().__new__(cls, matrices)
        self._by_differences = by_differences
        return self

    @property
    def by_differences(self):
        """None, or why the matrices are finite differences of steps."""
        return self._by_differences

    @property
    def A(self):
        """The next state by the state."""
        return self[0]

    @property
    def B(self):
        """The next state by the controls."""
        return self[1]

    @property
    def C(self):
        """The sensors by the state; None when they were not asked for."""
        return self[2]

    @property
    def D(self):
        """The sensors by the controls; None when they were not asked for."""
        return self[3]


def linearize(model, data, method="auto", *, eps=1e-6, centered=True, sensors=True, threads=1):
    """The matrices A, B, C, D of transition_fd() by implicit differentiation: forces are differenced at the acceleration that
    the solver found, everything else follows by formulas. Faster than differences of steps, and without the noise of a solver
    that stops early. `method`: "hybrid" is that, "differences" is transition_fd(), "auto" takes the second where the first
    does not hold (RK4 and implicitspringdamper, noslip, yielding springs) and says so in `by_differences`."""
    if method not in ("auto", "hybrid", "differences"):
        raise ValueError(f'method must be "auto", "hybrid" or "differences", not {method!r}')
    matrices = _matrices(model, sensors)
    kind = _TRANSITION if method == "differences" else _LINEARIZE
    why = _core.derive(model, data, kind, eps, centered, threads, matrices)
    if why and method == "hybrid":
        raise ValueError(f"linearize: {why} leaves only finite differences: use method=\"auto\"")
    return Linearization(matrices, "method" if method == "differences" else why)


def _matrices(model, sensors):
    nx, nu, ns = 2 * model.nv + model.na, model.nu, model.nsensordata
    shapes = [(nx, nx), (nx, nu)] + ([(ns, nx), (ns, nu)] if sensors else [])
    return (*(np.zeros(shape, _core.real) for shape in shapes), *[None] * (4 - len(shapes)))


def inverse_fd(model, data, eps=1e-6, actuation=False, *, sensors=True, mass=True, threads=1):
    """Finite differences of inverse dynamics at (qpos, qvel, qacc) of `data`, which stays as it is: the matrices DfDq,
    DfDv, DfDa, DsDq, DsDv, DsDa and DmDq. Row i belongs to input i, as in MuJoCo: DfDq has shape (nv, nv), DsDq
    (nv, nsensordata), DmDq (nv, nC) of the mass matrix as it is stored. f is qfrc_inverse, less qfrc_actuator with
    `actuation`."""
    nv, ns = model.nv, model.nsensordata
    forces = [np.zeros((nv, nv), _core.real) for _ in range(3)]
    measured = [np.zeros((nv, ns), _core.real) if sensors else None for _ in range(3)]
    inertia = np.zeros((nv, model.nC), _core.real) if mass else None
    _core.derive(model, data, _INVERSE, eps, actuation, threads, (*forces, *measured, inertia))
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
