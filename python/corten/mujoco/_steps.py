"""Steps, stages, resets and states: the functions mj_* that advance or set a data."""

import numpy as np

import corten
from corten import Error, Part, _core

from ._arguments import REAL, out
from ._arguments import vec as _vec
from ._enums import mjtEnableBit, mjtIntegrator, mjtJacobian, mjtSolver, mjtState, mjtWarning
from ._errors import FatalError
from ._math import mju_warningText
from ._structs import MjModel

_ask = _core.ask

# ---- steps and stages


_clock_errors = None  # set by _callbacks


def hear_warnings(function):
    """Tell a function the text of every kind of warning that a call counts; None: Python warns."""
    if function is None:
        _core.hear_warnings(None)
        return

    def hear(kind, info, time):
        if kind < mjtWarning.mjNWARNING:
            function(f"{mju_warningText(kind, info)} Time = {time:.4f}.")

    _core.hear_warnings(hear)


def _timed(call, m, d, args):
    """Run a call, and raise what the user's clock raised."""
    call(m, d, *args)
    raise_of_clock()


def raise_of_clock():
    """Raise what the user's clock raised meanwhile."""
    if _clock_errors:
        error = _clock_errors[0]
        _clock_errors.clear()
        raise error


def _fatal(m, error):
    """What ends a program in C: options of a model that are none, in MuJoCo's words."""
    solver, integrator = int(m.opt.solver), int(m.opt.integrator)
    if not 0 <= solver <= mjtSolver.mjSOL_NEWTON:
        return FatalError(f"mj_fwdConstraint: unknown solver type {solver}")
    if integrator not in mjtIntegrator.__members__.values():
        return FatalError("mj_step: invalid integrator")
    return FatalError(str(error))


def mj_step(m, d, nstep=1):
    """Advance the simulation. Optionally, repeat nstep times."""
    try:
        if _clock_errors is None:
            _core.step(m, d, nstep)
        else:
            _timed(_core.step, m, d, (nstep,))
    except Error as error:
        raise _fatal(m, error) from error


def _stage(name, call, doc, *args):
    """A function of model and data only."""

    def function(m, d):
        try:
            if _clock_errors is None:
                call(m, d, *args)
            else:
                _timed(call, m, d, args)
        except Error as error:
            raise _fatal(m, error) from error

    function.__name__ = function.__qualname__ = name
    function.__doc__ = doc
    return function


def _of_part(part):
    return _core.run_part, f"Compute {part.name.lower().replace('_', ' ')}.", int(part)


_STAGES = {
    "mj_forward": (_core.forward, "Compute everything of the current state without advancing."),
    "mj_inverse": (_core.inverse, "From qpos, qvel and qacc to the force that explains them."),
    "mj_step1": (_core.step1, "First half of a step: what does not depend on the inputs."),
    "mj_step2": (_core.step2, "Second half of a step."),
    "mj_fwdPosition": (_core.forward_position, "What depends on positions."),
    "mj_fwdVelocity": (_core.forward_velocity, "What depends on velocities."),
    "mj_fwdActuation": (_core.forward_actuation, "Actuator forces."),
    "mj_fwdAcceleration": (_core.forward_acceleration, "Accelerations without constraints."),
    "mj_fwdConstraint": (_core.forward_constraint, "Constraint forces and accelerations."),
    "mj_resetData": (_core.reset, "Back to the default state."),
    "mj_kinematics": _of_part(Part.KINEMATICS),
    "mj_comPos": _of_part(Part.COM),
    "mj_camlight": _of_part(Part.CAMERAS),
    "mj_tendon": _of_part(Part.TENDONS),
    "mj_transmission": _of_part(Part.TRANSMISSION),
    "mj_crb": _of_part(Part.CRB),
    "mj_makeM": _of_part(Part.MASS),
    "mj_factorM": _of_part(Part.FACTOR),
    "mj_collision": _of_part(Part.COLLISION),
    "mj_makeConstraint": _of_part(Part.CONSTRAINTS),
    "mj_comVel": _of_part(Part.COM_VELOCITY),
    "mj_passive": _of_part(Part.PASSIVE),
    "mj_referenceConstraint": _of_part(Part.REFERENCE),
    "mj_subtreeVel": _of_part(Part.SUBTREE_VELOCITY),
    "mj_rnePostConstraint": _of_part(Part.BODY_FORCES),
    "mj_sensorPos": _of_part(Part.SENSE_POSITION),
    "mj_sensorVel": _of_part(Part.SENSE_VELOCITY),
    "mj_sensorAcc": _of_part(Part.SENSE_ACCELERATION),
    "mj_energyPos": _of_part(Part.ENERGY_POSITION),
    "mj_energyVel": _of_part(Part.ENERGY_VELOCITY),
    "mj_checkPos": _of_part(Part.CHECK_POSITION),
    "mj_checkVel": _of_part(Part.CHECK_VELOCITY),
    "mj_checkAcc": _of_part(Part.CHECK_ACCELERATION),
    "mj_invPosition": _of_part(Part.INVERSE_POSITION),
    "mj_invVelocity": (_core.forward_velocity, "What depends on velocities."),
    "mj_invConstraint": _of_part(Part.INVERSE_CONSTRAINT),
    "mj_compareFwdInv": _of_part(Part.COMPARE),
    "mj_Euler": _of_part(Part.ADVANCE_EULER),
}
globals().update({name: _stage(name, *row) for name, row in _STAGES.items()})

_rk4 = _stage("mj_RungeKutta", *_of_part(Part.ADVANCE_RK4))


def mj_RungeKutta(m, d, N):
    """The end of a step by Runge-Kutta of order 4."""
    if N != 4:
        raise FatalError(f"mj_RungeKutta: only order 4 is there, got {N}")
    _rk4(m, d)


_implicit = _stage("mj_implicit", *_of_part(Part.ADVANCE_IMPLICIT))


def mj_implicit(m, d):
    """The end of a step by the implicit integrator of the model."""
    if m.opt.integrator not in (mjtIntegrator.mjINT_IMPLICIT, mjtIntegrator.mjINT_IMPLICITFAST):
        raise FatalError("mj_implicit: integrator must be implicit or implicitfast")
    _implicit(m, d)


def mj_fwdKinematics(m, d):
    """Frames, centres of mass, cameras, deformables, tendons."""
    for part in (Part.KINEMATICS, Part.COM, Part.CAMERAS, Part.FLEXES, Part.TENDONS):
        _run(m, d, part)


def _run(m, d, part):
    try:
        _core.run_part(m, d, part)
    except Error as error:
        raise FatalError(str(error)) from error


def mj_projectConstraint(m, d):
    """Nothing: mj_makeConstraint has projected the rows where a solver needs it."""
    _checked(m, d)


def mj_flex(m, d):
    """Vertices and edges of deformables."""
    _run(m, d, Part.FLEXES)


def _checked(m, d):
    if not isinstance(m, corten.Model) or not isinstance(d, corten.Data):
        raise TypeError("expected an MjModel and an MjData")


_NONE, _POS, _VEL = 0, 1, 2


def mj_forwardSkip(m, d, skipstage, skipsensor):
    """mj_forward without the stages up to skipstage (mjtStage), and without sensors when skipsensor."""
    if skipstage < _POS:
        mj_fwdPosition(m, d)
        if not skipsensor:
            mj_sensorPos(m, d)
    if skipstage < _VEL:
        mj_fwdVelocity(m, d)
        if not skipsensor:
            mj_sensorVel(m, d)
    control = m._callbacks.get("control") if isinstance(m, MjModel) else None
    if control is not None:
        control(m, d)
    mj_fwdActuation(m, d)
    mj_fwdAcceleration(m, d)
    mj_fwdConstraint(m, d)
    if not skipsensor:
        mj_sensorAcc(m, d)


def mj_inverseSkip(m, d, skipstage, skipsensor):
    """mj_inverse without the stages up to skipstage (mjtStage), and without sensors when skipsensor."""
    if m.opt.enableflags & mjtEnableBit.mjENBL_INVDISCRETE:
        raise FatalError("mj_inverseSkip: the flag invdiscrete needs mj_inverse")
    if skipstage < _POS:
        mj_invPosition(m, d)
        if not skipsensor:
            mj_sensorPos(m, d)
    if skipstage < _VEL:
        mj_invVelocity(m, d)
        if not skipsensor:
            mj_sensorVel(m, d)
    mj_invConstraint(m, d)
    force = np.empty(m.nv, REAL)
    _ask(m, d, "mul_mass", (), (d.qacc,), (force,))
    d.qfrc_inverse[:] = d.qfrc_bias + force - d.qfrc_passive - d.qfrc_constraint
    if not skipsensor:
        mj_sensorAcc(m, d)

# ---- resets and states


def mj_resetDataKeyframe(m, d, key):
    """Back to a keyframe; to the default state when there is no such keyframe."""
    if 0 <= key < m.nkey:
        _core.reset_keyframe(m, d, key)
    else:
        mj_resetData(m, d)


def mj_resetDataDebug(m, d, debug_value):
    """mj_resetData, then every array that is computed filled with a byte."""
    mj_resetData(m, d)
    kept = {"qpos", "qvel", "act", "ctrl", "mocap_pos", "mocap_quat", "eq_active", "plastic", "history", "userdata",
            "qfrc_applied", "xfrc_applied", "qacc_warmstart"}  # fmt: skip
    for field in type(d)._arrays.values():
        if field.place == "array" and field.code == _core.real and field.name not in kept:
            getattr(d, field.name).view(np.uint8)[...] = debug_value


def mj_resetCtrl(m, d):
    """Controls to their defaults: zero, and the identity for a quaternion."""
    fresh = corten.Data(m)
    d.ctrl[:] = fresh.ctrl


def mj_setKeyframe(m, d, k):
    """Make the current state a keyframe of the model."""
    if k >= m.nkey:
        raise FatalError(f"mj_setKeyframe: index must be smaller than {m.nkey} (keyframes allocated in model)")
    if k < 0:
        raise FatalError("mj_setKeyframe: keyframe index cannot be negative")
    _ask(m, d, "set_keyframe", (int(k),), (), ())


_ALL_STATES = (1 << int(mjtState.mjNSTATE)) - 1


def _state_length(m, sig, call):
    sig = int(sig)
    if sig < 0:
        raise FatalError(f"{call}: invalid state signature {sig} < 0")
    if sig > _ALL_STATES:
        raise FatalError(f"{call}: invalid state signature {sig} >= 2^mjNSTATE")
    return _core.state_size(m, sig)


def mj_stateSize(m, sig):
    """How many numbers the chosen parts of the state have."""
    return _state_length(m, sig, "mj_stateSize")


def mj_getState(m, d, state, sig):
    """The chosen parts of the state into an array."""
    if out(state, None, "state").size != _state_length(m, sig, "mj_stateSize"):
        raise TypeError("state size should equal mj_stateSize(m, sig)")
    if state.flags.c_contiguous:
        _core.get_state(m, d, state, int(sig))
    else:
        numbers = np.empty(state.size, REAL)
        _core.get_state(m, d, numbers, int(sig))
        state.flat = numbers


def mj_setState(m, d, state, sig):
    """The chosen parts of the state from an array."""
    numbers = _vec(state, None, "state")
    if numbers.size != _state_length(m, sig, "mj_stateSize"):
        raise TypeError("state size should equal mj_stateSize(m, sig)")
    try:
        _core.set_state(m, d, numbers, int(sig))
    except Error as error:
        raise FatalError(str(error)) from error


def mj_extractState(m, src, srcsig, dst, dstsig):
    """From a state vector with some parts, a vector with fewer."""
    numbers = _vec(src, None, "src")
    if numbers.size != _state_length(m, srcsig, "mj_stateSize"):
        raise TypeError("src size should equal mj_stateSize(m, srcsig)")
    if out(dst, None, "dst").size != _state_length(m, dstsig, "mj_stateSize"):
        raise TypeError("dst size should equal mj_stateSize(m, dstsig)")
    if int(dstsig) & ~int(srcsig):
        raise FatalError("mj_extractState: dstsig is not a subset of srcsig")
    _core.extract_state(m, numbers, int(srcsig), dst, int(dstsig))


def mj_copyState(m, src, dst, sig):
    """Copy the chosen parts of the state from one data to another."""
    _state_length(m, sig, "mj_copyState")
    _core.copy_state(m, dst, src, int(sig))


def mj_copyData(dest, m, src):
    """Copy everything from one data to another."""
    _core.copy_into(m, dest, src)


def mj_differentiatePos(m, qvel, dt, qpos1, qpos2):
    """The velocity that leads from one position to another in time dt."""
    if out(qvel, None, "qvel").size != m.nv:
        raise TypeError("qvel should be of size nv")
    first, second = _vec(qpos1, m.nq, "qpos1"), _vec(qpos2, m.nq, "qpos2")
    if qvel.flags.c_contiguous:
        _core.positions(m, 0, first, second, qvel, float(dt))
    else:
        numbers = np.empty(m.nv, REAL)
        _core.positions(m, 0, first, second, numbers, float(dt))
        qvel.flat = numbers


def _realloc_con_efc(d, ncon, nefc, nJ=-1):
    """Room for contacts and rows that somebody fills; for programs that restore a data themselves."""
    sparse = d.model.opt.jacobian == mjtJacobian.mjJAC_SPARSE
    try:
        _core.make_rows(d, (ncon, 0, 0, 0, nefc, nefc * d.model.nv if nJ < 0 else nJ), sparse)
    except Error as error:
        size = f"{-(-int(d.narena) // 2**20)}M"
        raise FatalError(f'Insufficient arena memory, currently allocated memory="{size}". Increase using <size memory="X"/>.') from error


def _in_place(array, call):
    if array.flags.c_contiguous:
        call(array)
    else:
        numbers = np.ascontiguousarray(array)
        call(numbers)
        array[...] = numbers


def mj_integratePos(m, qpos, qvel, dt):
    """Move a position by a velocity, in place."""
    velocity = _vec(qvel, m.nv, "qvel")
    _in_place(out(qpos, m.nq, "qpos"), lambda q: _core.positions(m, 1, velocity, None, q, float(dt)))


def mj_normalizeQuat(m, qpos):
    """All quaternions of a position to length one, in place."""
    _in_place(out(qpos, m.nq, "qpos"), lambda q: _core.positions(m, 2, None, None, q, 0.0))


__all__ = [name for name in globals() if name.startswith(("mj_", "mju_threadpool", "mju_writeLog", "mju_getXML"))]
