"""Derivatives by finite differences: mjd_transitionFD and mjd_inverseFD, as there."""

import numpy as np

from corten import _core

from ._arguments import REAL, matrix
from ._enums import mjtState
from ._errors import FatalError
from ._functions import mj_differentiatePos, mj_inverse, mj_integratePos, mj_step

_ALL = int(mjtState.mjSTATE_INTEGRATION)


class _Point:
    """Where a data stands: the whole state, to come back to."""

    def __init__(self, m, d):
        self.m, self.d = m, d
        self.state = np.empty(_core.state_size(m, _ALL), REAL)
        _core.get_state(m, d, self.state, _ALL)
        self.acc = d.qacc.copy()

    def back(self):
        _core.set_state(self.m, self.d, self.state, _ALL)
        self.d.qacc[:] = self.acc


def _difference(m, first, second, h):
    """(second - first) / h of two states (qpos, qvel, act), positions along the joints."""
    out = np.empty(2 * m.nv + m.na, REAL)
    mj_differentiatePos(m, out[: m.nv], h, first[0], second[0])
    out[m.nv : 2 * m.nv] = (second[1] - first[1]) / h
    out[2 * m.nv :] = (second[2] - first[2]) / h
    return out


def mjd_transitionFD(m, d, eps, flg_centered, A, B, C, D):
    """The step as a linear map: A and B of the next state by state and controls, C and D of the sensors likewise. States are
    qpos (along the joints), qvel and act. Each may be None; the data ends where it began."""
    nx, nu, ns = 2 * m.nv + m.na, m.nu, m.nsensordata
    for name, given, shape in (("A", A, (nx, nx)), ("B", B, (nx, nu)), ("C", C, (ns, nx)), ("D", D, (ns, nu))):
        if given is not None:
            matrix(given, shape, name)
    if m.opt.integrator == 1:
        raise FatalError("mjd_transitionFD: RK4 integrator is not supported")
    if m.nhistory:
        raise FatalError("mjd_transitionFD: delays are not supported")
    point = _Point(m, d)

    def after(nudge=None):
        point.back()
        if nudge is not None:
            nudge()
        mj_step(m, d)
        return (d.qpos.copy(), d.qvel.copy(), d.act.copy()), d.sensordata.copy()

    def column(nudge, forward=True, backward=False):
        plus = after(lambda: nudge(eps)) if forward else None
        minus = after(lambda: nudge(-eps)) if backward or flg_centered else None
        if plus is not None and minus is not None:
            return _difference(m, minus[0], plus[0], 2 * eps), (plus[1] - minus[1]) / (2 * eps)
        if plus is not None:
            return _difference(m, base[0], plus[0], eps), (plus[1] - base[1]) / eps
        return _difference(m, minus[0], base[0], eps), (base[1] - minus[1]) / eps

    base = after()

    def nudge_position(i):
        def nudge(h):
            v = np.zeros(m.nv, REAL)
            v[i] = 1
            mj_integratePos(m, d.qpos, v, h)

        return nudge

    def nudge_in(array, i):
        def nudge(h):
            array[i] += h

        return nudge

    if A is not None or C is not None:
        nudges = [nudge_position(i) for i in range(m.nv)]
        nudges += [nudge_in(d.qvel, i) for i in range(m.nv)] + [nudge_in(d.act, i) for i in range(m.na)]
        for i, nudge in enumerate(nudges):
            state, sensors = column(nudge)
            if A is not None:
                A.reshape(nx, nx)[:, i] = state
            if C is not None:
                C.reshape(ns, nx)[:, i] = sensors
    if B is not None or D is not None:
        for i in range(nu):
            low, high = m.actuator_ctrlrange[i] if m.actuator_ctrllimited[_actuator_of(m, i)] else (-np.inf, np.inf)
            ctrl = _ctrl_of(point, m, i)
            forward, backward = low <= ctrl + eps <= high, low <= ctrl - eps <= high
            if flg_centered and forward and backward:
                state, sensors = column(nudge_in(d.ctrl, i))
            elif forward or not backward:
                plus = after(lambda: nudge_in(d.ctrl, i)(eps))  # noqa: B023
                state, sensors = _difference(m, base[0], plus[0], eps), (plus[1] - base[1]) / eps
            else:
                minus = after(lambda: nudge_in(d.ctrl, i)(-eps))  # noqa: B023
                state, sensors = _difference(m, minus[0], base[0], eps), (base[1] - minus[1]) / eps
            if B is not None:
                B.reshape(nx, nu)[:, i] = state
            if D is not None:
                D.reshape(ns, nu)[:, i] = sensors
    point.back()


def _actuator_of(m, control):
    """The actuator that a control belongs to."""
    return int(np.searchsorted(m.actuator_ctrladr, control, side="right")) - 1


def _ctrl_of(point, m, i):
    """A control as it was at the start."""
    point.back()
    return float(point.d.ctrl[i])


def mjd_inverseFD(m, d, eps, flg_actuation, DfDq, DfDv, DfDa, DsDq, DsDv, DsDa, DmDq):
    """Inverse dynamics as a linear map: forces, sensors and the mass matrix by position, velocity and acceleration, with a row
    for each of these. Each may be None; the data ends where it began."""
    nv, ns, nc = m.nv, m.nsensordata, m.nC
    outputs = dict(DfDq=(DfDq, nv), DfDv=(DfDv, nv), DfDa=(DfDa, nv), DsDq=(DsDq, ns), DsDv=(DsDv, ns), DsDa=(DsDa, ns),
                   DmDq=(DmDq, nc))  # fmt: skip
    if m.nhistory:
        raise FatalError("mjd_inverseFD: delays are not supported")
    for name, (given, width) in outputs.items():
        if given is not None:
            matrix(given, (nv, width), name)
    point = _Point(m, d)

    def answer():
        mj_inverse(m, d)
        force = d.qfrc_inverse.copy()
        if flg_actuation:
            _core.forward_actuation(m, d)
            force -= d.qfrc_actuator
        return force, d.sensordata.copy(), d.M.copy()

    base = answer()
    for i in range(nv):
        for kind, f, s, mass in (("q", DfDq, DsDq, DmDq), ("v", DfDv, DsDv, None), ("a", DfDa, DsDa, None)):
            if f is None and s is None and mass is None:
                continue
            point.back()
            if kind == "q":
                v = np.zeros(nv, REAL)
                v[i] = 1
                mj_integratePos(m, d.qpos, v, eps)
            elif kind == "v":
                d.qvel[i] += eps
            else:
                d.qacc[i] += eps
            moved = answer()
            for out, width, k in ((f, nv, 0), (s, ns, 1), (mass, nc, 2)):
                if out is not None:
                    out.reshape(nv, width)[i] = (moved[k] - base[k]) / eps
    point.back()
    mj_inverse(m, d)


__all__ = ["mjd_inverseFD", "mjd_transitionFD"]
