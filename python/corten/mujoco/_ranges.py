"""mj_setLengthRange: how short and how long an actuator can be, found by pulling it."""

import math

import numpy as np

from corten import Error, _core

from ._arguments import REAL
from ._enums import mjtBias, mjtDisableBit, mjtEnableBit, mjtGain, mjtLRMode, mjtTrn
from ._errors import FatalError
from ._steps import mj_resetData

_QUIET = sum(getattr(mjtDisableBit, f"mjDSBL_{name}") for name in "CONTACT SPRING DAMPER GRAVITY FRICTIONLOSS ACTUATION SENSOR".split())
_TINY = 1e-15


def _wanted(m, i, mode):
    gain, bias = int(m.actuator_gaintype[i]), int(m.actuator_biastype[i])
    muscle = gain == mjtGain.mjGAIN_MUSCLE or bias == mjtBias.mjBIAS_MUSCLE
    user = gain == mjtGain.mjGAIN_USER or bias == mjtBias.mjBIAS_USER
    return mode == mjtLRMode.mjLRMODE_ALL or (muscle and mode != mjtLRMode.mjLRMODE_NONE) or (user and mode == mjtLRMode.mjLRMODE_MUSCLEUSER)


def _limits(m, i):
    kind, id = int(m.actuator_trntype[i]), int(m.actuator_trnid[i, 0])
    if kind in (mjtTrn.mjTRN_JOINT, mjtTrn.mjTRN_JOINTINPARENT) and m.jnt_limited[id]:
        return m.jnt_range[id]
    return m.tendon_range[id] if kind == mjtTrn.mjTRN_TENDON and m.tendon_limited[id] else None


def _pull(m, d, output, opt, sign):
    """The smallest and largest length at the end of a damped simulation."""
    decay = math.exp(-m.opt.timestep / max(0.01, opt.timeconst))
    row, answer, seen = np.zeros(m.nv, REAL), np.zeros(m.nv, REAL), []
    mj_resetData(m, d)
    while d.time < opt.inttotal:
        d.qvel[:] *= decay
        before = d.time
        _core.step1(m, d)
        at = slice(d.moment_rowadr[output], d.moment_rowadr[output] + d.moment_rownnz[output])
        row[:] = 0
        row[d.moment_colind[at]] = d.actuator_moment[at]
        _core.ask(m, d, "solve_mass", (), (row,), (answer,))
        force = opt.accel / max(_TINY, np.linalg.norm(answer))
        if opt.maxforce > 0:
            force = min(force, opt.maxforce / max(_TINY, np.linalg.norm(row)))
        d.qfrc_applied[:] = sign * force * row
        _core.step2(m, d)
        if d.time <= before:
            raise FatalError("mj_setLengthRange: the simulation that looks for the range fails")
        if d.time > opt.inttotal - opt.interval:
            seen.append(float(d.actuator_length[output]))
    return min(seen), max(seen)


def mj_setLengthRange(m, d, index, opt):
    """Set the length range of an actuator: that of its limits, or how short and how long it gets when it is pulled. `d` is used up."""
    if not 0 <= index < m.nactuator:
        raise FatalError(f"mj_setLengthRange: there is no actuator {index}")
    if not _wanted(m, index, opt.mode):
        return
    limits, kept = _limits(m, index), (m.opt.enableflags, m.opt.disableflags, m.opt.timestep)
    for k in range(m.actuator_outadr[index], m.actuator_outadr[index] + m.actuator_outnum[index]):
        if opt.useexisting and m.actuator_lengthrange[k, 0] < m.actuator_lengthrange[k, 1]:
            continue
        if opt.uselimit and limits is not None:
            m.actuator_lengthrange[k] = limits
            continue
        try:  # only limits, equalities and the pull act
            m.opt.enableflags &= ~int(mjtEnableBit.mjENBL_SLEEP)
            m.opt.disableflags |= _QUIET
            if opt.timestep > 0:
                m.opt.timestep = opt.timestep
            ends = _pull(m, d, k, opt, -1), _pull(m, d, k, opt, 1)
        except Error as error:
            raise FatalError(str(error)) from error
        finally:
            m.opt.enableflags, m.opt.disableflags, m.opt.timestep = kept
        least, most = ends[0][0], ends[1][1]
        m.actuator_lengthrange[k] = least, most
        if not least < most or any(high - low > opt.tolrange * (most - least) for low, high in ends):
            raise FatalError(f"mj_setLengthRange: the range of actuator {index} is not found, it ends between {ends[0]} and {ends[1]}")


__all__ = ["mj_setLengthRange"]
