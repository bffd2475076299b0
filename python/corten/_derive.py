"""Derivatives of a step and of inverse dynamics."""

from typing import NamedTuple

import numpy as np

from . import _core
from ._functions import state_size
from ._objects import Data

_TRANSITION, _INVERSE_FD, _LINEARIZE, _INVERSE = range(4)
_METHODS = ("auto", "analytic", "implicit", "fd")
_NUMBERS = {name: i for i, name in enumerate(_METHODS)}
_real, _empty = _core.real, np.empty


def transition_fd(model, data, eps=1e-6, centered=False, *, sensors=True, threads=1):
    """Finite differences of one step at the state of `data`, which stays as it is: the matrices A, B, C, D with

        next state = A x + B u,  sensors = C x + D u

    where x = (tangent of qpos, qvel, act) and u = ctrl. Sensors are read before the step advances; without them C and D
    are None, which saves their time. Columns are spread over `threads` (0: all processors) with the same numbers."""
    matrices = _matrices(model, sensors)
    _core.derive(model, data, _TRANSITION, eps, centered, threads, matrices, 0)
    return matrices


class Linearization(tuple):
    """The matrices A, B, C, D of linearize(), also as attributes, and which part came how."""

    def __new__(cls, matrices, report):
        self = tuple.__new__(cls, matrices)
        self._report = report
        return self

    @property
    def method(self):
        """What was done: "analytic" (closed forms), "implicit" (differences of inverse dynamics) or "fd" (of steps)."""
        return _METHODS[self._report[0]]

    @property
    def reason(self):
        """What stood in the way of a method that is better, or None."""
        return self._report[1]

    @property
    def report(self):
        """Which part came how: a dict of `method` and `reason`; `sensors_by_differences`; and with closed forms the numbers of
        `active_rows` and of `edges` (rows about to act, slide or let go), of `contacts` that push, of those `contacts_by_differences` whose geometry was differenced, of
        `wraps_by_differences`, and `switching`: contacts and wraps that come or go, or that other features would make, within the size of a difference."""
        names = ("sensors_by_differences", "active_rows", "edges", "contacts", "contacts_by_differences", "wraps_by_differences", "switching")
        return {"method": self.method, "reason": self.reason, **dict(zip(names, self._report[2:]))}

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


def _method(name):
    number = _NUMBERS.get(name)
    if number is None:
        raise ValueError(f'method must be "auto", "analytic", "implicit" or "fd", not {name!r}')
    return number


def linearize(model, data, method="auto", *, eps=1e-6, centered=True, sensors=True, threads=1):
    """The matrices A, B, C, D of transition_fd() without steps: forces are differentiated at the acceleration that the solver
    found, and everything else follows by formulas. Many times as fast as differences of steps, and without the noise of a
    solver that stops early. `method`: "analytic" takes closed forms, "implicit" differences of inverse dynamics, "fd" is
    transition_fd(); "auto" takes the first of them that the model allows, and the result says which, and why. Sensors
    without a closed form cost differences: leave them out when they are not needed."""
    chosen = _method(method)
    matrices = _matrices(model, sensors)
    return Linearization(matrices, _core.derive(model, data, _LINEARIZE, eps, centered, threads, matrices, chosen))


class DerivativeError(NamedTuple):
    """How far differences of one size are from a linearisation: see check_derivatives()."""

    eps: float
    centered: float
    forward: float
    worst: str


def check_derivatives(model, data, method="auto", sizes=(1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8), *, threads=1):
    """Compare linearize() at the state of `data` with differences of steps of several sizes: a DerivativeError for each. `centered`
    and `forward` are the largest differences of an element, over the largest one of its matrix; `worst` names the element that is
    farthest from centred differences. Errors fall with the size (squared, when centred) until rounding and the solver's tolerance are
    larger; what stays large is a contact or friction that a nudge switches, or a solver that has not converged."""
    rows = _core.check_derivatives(model, data, _method(method), threads, tuple(float(x) for x in sizes))[1]
    return [DerivativeError(*row) for row in rows]


def linearize_states(model, states, method="auto", *, eps=1e-6, centered=True, sensors=False, threads=0):
    """linearize() at many states at once, `threads` (0: all processors) sharing them with the same numbers for any. `states`: a row
    each, as get_state() gives them. Returns a list of Linearization, which share four large
    arrays."""
    chosen = _method(method)
    states = np.array(states, _core.real, order="C")
    if states.ndim != 2:
        raise ValueError(f"states must have a row for each state, not shape {states.shape}")
    n = len(states)
    stacks = tuple(None if x is None else np.zeros((n, *x.shape), _core.real) for x in _matrices(model, sensors))
    holder = Data(model)
    reports = _core.linearize_states(model, holder, n, chosen, eps, centered, threads, (*stacks, states))
    return [Linearization(tuple(None if x is None else x[i] for x in stacks), r) for i, r in enumerate(reports)]


def linearize_batch(batch, method="auto", *, eps=1e-6, centered=True, sensors=False, threads=0):
    """linearize() of every world of a batch, which stays as it is: a list of Linearization. Computed on `threads` of the CPU, also
    for a batch on a GPU. Worlds that have values of their own in the model are refused."""
    if batch._values:
        raise ValueError(f"linearize_batch: the worlds have {batch._values[0]} of their own: take each by itself")
    return linearize_states(batch.model, batch.get("state"), method, eps=eps, centered=centered, sensors=sensors, threads=threads)


def transition_fd_batch(batch, eps=0.0, centered=False, *, sensors=False):
    """transition_fd() of every world of a batch, by its own steps: one number is nudged in all worlds at once, and the batch steps
    them wherever it does, on threads or on a GPU, in its precision. Returns A, B, C, D with a first axis for the worlds. Worlds may have
    values of their own; they stay as they are. `eps` 0: 1e-6, in single precision 1e-3. Solvers stop at the tolerance of the model: let it be
    small. With `sensors` the batch gets the output "sensordata"."""
    core, model = batch._open(), batch.model
    if sensors:
        batch.output("sensordata")
    stacks = tuple(None if x is None else np.zeros((batch.nworld, *x.shape), _core.real) for x in _matrices(model, sensors))
    _core.transition_fd_batch(model, Data(model), core, eps, centered, stacks)
    return stacks


class Rollout:
    """Steps with stored states, and gradients back through them.

        rollout = corten.Rollout(model, data, ctrl)     # ctrl: steps x nu
        loss = ((rollout.qpos[-1] - target) ** 2).sum()
        start, controls = rollout.vjp(grad)             # grad: (steps + 1) x nx, loss by each state

    A state is x = (tangent of qpos, qvel, act), as in linearize(): the gradient by an orientation has three numbers."""

    __module__ = "corten"

    def __init__(self, model, data, ctrl=None, steps=None, *, threads=1):
        """From the state of `data`, which stays as it is, with the rows of `ctrl`; without, `steps` steps with the controls of the
        data."""
        if ctrl is None and steps is None:
            raise ValueError("Rollout: ctrl or steps must be given")
        if ctrl is not None:
            ctrl = np.array(ctrl, _core.real, order="C")
            if ctrl.ndim != 2 or ctrl.shape[1] != model.nu:
                raise ValueError(f"ctrl must have the shape (steps, {model.nu}), not {ctrl.shape}")
            if steps is not None and steps != len(ctrl):
                raise ValueError(f"ctrl has {len(ctrl)} rows, not {steps}")
            steps = len(ctrl)
        self.model, self.steps, self._threads = model, int(steps), threads
        self._holder = Data(model)
        self.states = np.zeros((self.steps + 1, state_size(model)), _core.real)
        _core.derive_rollout(model, data, self.steps, threads, (ctrl, self.states))

    @property
    def qpos(self):
        """Positions, (steps + 1) x nq."""
        return self.states[:, 1 : 1 + self.model.nq]

    @property
    def qvel(self):
        """Velocities, (steps + 1) x nv."""
        return self.states[:, 1 + self.model.nq : 1 + self.model.nq + self.model.nv]

    @property
    def act(self):
        """Activations, (steps + 1) x na."""
        first = 1 + self.model.nq + self.model.nv
        return self.states[:, first : first + self.model.na]

    def vjp(self, states, sensors=None, *, method="auto"):
        """The gradient of a number by the first state and by the controls, from its gradient by each state, (steps + 1) x nx, and by
        the sensors that each step reads, steps x nsensordata."""
        m, n = self.model, self.steps
        nx = 2 * m.nv + m.na
        states = np.array(states, _core.real, order="C")
        if states.shape != (n + 1, nx):
            raise ValueError(f"the gradient by the states must have the shape {(n + 1, nx)}, not {states.shape}")
        if sensors is not None:
            sensors = np.array(sensors, _core.real, order="C")
            if sensors.shape != (n, m.nsensordata):
                raise ValueError(f"the gradient by the sensors must have the shape {(n, m.nsensordata)}, not {sensors.shape}")
        start, ctrl = np.zeros(nx, _core.real), np.zeros((n, m.nu), _core.real)
        _core.rollout_vjp(m, self._holder, n, _method(method), self._threads, (self.states, states, sensors, start, ctrl))
        return start, ctrl


def _matrices(model, sensors):
    """Room for A, B, C, D: a call writes all of them, or raises."""
    shapes = model.__dict__.get("_derive_shapes")
    if shapes is None:
        nx, nu, ns = 2 * model.nv + model.na, model.nu, model.nsensordata
        shapes = model.__dict__["_derive_shapes"] = (nx, nx), (nx, nu), (ns, nx), (ns, nu)
    a, b, c, d = shapes
    if not sensors:
        return _empty(a, _real), _empty(b, _real), None, None
    return _empty(a, _real), _empty(b, _real), _empty(c, _real), _empty(d, _real)


def inverse_fd(model, data, eps=1e-6, actuation=False, *, sensors=True, mass=True, threads=1):
    """Finite differences of inverse dynamics at (qpos, qvel, qacc) of `data`, which stays as it is: the matrices DfDq,
    DfDv, DfDa, DsDq, DsDv, DsDa and DmDq. Row i belongs to input i, as in MuJoCo: DfDq has shape (nv, nv), DsDq
    (nv, nsensordata), DmDq (nv, nC) of the mass matrix as it is stored. f is qfrc_inverse, less qfrc_actuator with
    `actuation`."""
    nv, ns = model.nv, model.nsensordata
    forces = [np.zeros((nv, nv), _core.real) for _ in range(3)]
    measured = [np.zeros((nv, ns), _core.real) if sensors else None for _ in range(3)]
    inertia = np.zeros((nv, model.nC), _core.real) if mass else None
    _core.derive(model, data, _INVERSE_FD, eps, actuation, threads, (*forces, *measured, inertia), 0)
    return (*forces, *measured, inertia)


def inverse_derivative(model, data, actuation=False, *, sensors=False):
    """Derivatives of inverse dynamics at (qpos, qvel, qacc) of `data` in closed form: DfDq, DfDv and DfDa of inverse_fd(), and with
    `sensors` DsDq, DsDv and DsDa, many times as fast. Where there is no closed form, corten.Error says why."""
    nv, ns = model.nv, model.nsensordata
    forces = tuple(np.empty((nv, nv), _core.real) for _ in range(3))
    measured = tuple(np.empty((nv, ns), _core.real) for _ in range(3)) if sensors else ()
    _core.derive(model, data, _INVERSE, 1.0, actuation, 1, forces + (measured or (None, None, None)), 0)
    return forces + measured


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
