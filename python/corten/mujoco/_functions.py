"""The functions mj_*: a model and a data first, results into arrays that the caller gives, as there."""

import os
import warnings

import numpy as np

import corten
from corten import Error, Part, _core

from ._arguments import REAL, ints, matrix, out
from ._arguments import vec as _vec
from ._constants import mjMINVAL, mjVERSION_HEADER
from ._enums import mjtCone, mjtEnableBit, mjtIntegrator, mjtJacobian, mjtObj, mjtSolver, mjtState
from ._errors import FatalError, as_value_error
from ._math import _mul_quat, _quat_mat, _rotate, mju_warningText
from ._structs import MjModel, MjOption

_ask = _core.ask

# ---- steps and stages

_user_warning = _clock_errors = None  # set by _callbacks


def _heard(call, m, d, args):
    """Run a call; tell the user's function of warnings what it counted, and raise what the user's clock raised."""
    if _clock_errors is not None:
        call(m, d, *args)
        if _clock_errors:
            error = _clock_errors[0]
            _clock_errors.clear()
            raise error
        return
    before = d.warning.number.copy()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", corten.SimulationWarning)
        call(m, d, *args)
    for kind in np.flatnonzero(d.warning.number > before):
        text = mju_warningText(int(kind), int(d.warning[kind].lastinfo))
        _user_warning(f"{text} Time = {d.time:.4f}.")


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
        if _user_warning is _clock_errors is None:
            _core.step(m, d, nstep)
        else:
            _heard(_core.step, m, d, (nstep,))
    except Error as error:
        raise _fatal(m, error) from error


def _stage(name, call, doc, *args):
    """A function of model and data only."""

    def function(m, d):
        try:
            if _user_warning is _clock_errors is None:
                call(m, d, *args)
            else:
                _heard(call, m, d, args)
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
    "mj_crb": _of_part(Part.MASS),
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
    """Frames, centres of mass, cameras, tendons."""
    for part in (Part.KINEMATICS, Part.COM, Part.CAMERAS, Part.TENDONS):
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
    """Nothing: models have no flexes."""
    _checked(m, d)


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
    mj_mulM(m, d, force, d.qacc)
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


# ---- names and models

def mj_name2id(m, type, name):
    """Id of an object with a name, -1 when there is none."""
    return _core.name2id(m, type, name.decode() if isinstance(name, bytes) else name)


def mj_id2name(m, type, id):
    """Name of an object, None when it has none."""
    return _core.id2name(m, type, id)


def mj_version():
    """The version of MuJoCo whose module this is like."""
    return mjVERSION_HEADER


def mj_versionString():
    """The version of MuJoCo whose module this is like."""
    number = mjVERSION_HEADER
    return f"{number // 1000000}.{number // 1000 % 1000}.{number % 1000}"


def mj_isPyramidal(m):
    return int(m.opt.cone == mjtCone.mjCONE_PYRAMIDAL)


def mj_isSparse(m):
    jacobian = m.opt.jacobian
    return int(jacobian == mjtJacobian.mjJAC_SPARSE or (jacobian == mjtJacobian.mjJAC_AUTO and m.nv >= 60))


def mj_isDual(m):
    return int(m.opt.solver == mjtSolver.mjSOL_PGS or m.opt.noslip_iterations > 0)


def mj_getTotalmass(m):
    """Sum of the masses of all bodies."""
    return _core.total_mass(m)


def mj_setTotalmass(m, newmass):
    """Scale all masses and inertias to a total mass."""
    _core.set_total_mass(m, float(newmass))


def mj_setConst(m, d):
    """Compute again what follows from the numbers of a model. The data comes to stand at qpos0."""
    light = np.flatnonzero((m.body_simple == 2) & (m.body_mass < mjMINVAL))  # their mass is all that sliders move
    if light.size:
        raise FatalError(f"setInertia0: moving body {light[0]} has 0 mass")
    try:
        _core.update_model(m)
    except Error as error:
        raise FatalError(str(error)) from error
    d.qpos[:] = m.qpos0
    for part in (Part.KINEMATICS, Part.COM, Part.CAMERAS, Part.TENDONS, Part.MASS, Part.FACTOR, Part.TRANSMISSION):
        _run(m, d, part)


def mj_sizeModel(m):
    """Bytes of the model in binary form."""
    return len(_core.model_mjb(m))


def mj_saveModel(m, filename=None, buffer=None):
    """Write the model in binary form (.mjb) to a file or into an array of bytes."""
    content = _core.model_mjb(m)
    if filename is not None:
        with open(filename, "wb") as file:
            file.write(content)
    elif buffer is not None:
        if not isinstance(buffer, np.ndarray) or buffer.dtype != np.uint8 or not buffer.flags.writeable:
            raise TypeError("buffer should be a writeable array of uint8")
        if buffer.size < len(content):
            raise FatalError(f"mj_saveModel: buffer too small, need {len(content)} bytes")
        buffer.flat[: len(content)] = np.frombuffer(content, np.uint8)


def mj_saveLastXML(filename, m):
    """Write a model as MJCF: every number as it was compiled."""
    try:
        _core.save_mjcf(m, filename)
    except Error as error:
        raise FatalError(str(error)) from error


def mj_printModel(m, filename):
    """Write everything in a model as text."""
    _write(filename, _core.print_model(m))


def mj_printData(m, d, filename):
    """Write everything in a data as text."""
    _write(filename, _core.print_data(m, d))


def mj_printFormattedModel(m, filename, float_format="%9.2g"):
    """mj_printModel: numbers are written as they are, whatever the format."""
    mj_printModel(m, filename)


def mj_printFormattedData(m, d, filename, float_format="%9.2g"):
    """mj_printData: numbers are written as they are, whatever the format."""
    mj_printData(m, d, filename)


def _write(filename, text):
    with open(filename, "w") as file:
        file.write(text)


def mj_loadTexture(m, id):
    """(pixels, colorspace) of a texture: a copy, or what its file holds."""
    if not 0 <= id < m.ntex:
        raise ValueError(f"mj_loadTexture: texture {id} is out of range: there are {m.ntex}")
    if m.tex_adr[id] >= 0:
        return m.texture(int(id)).data.copy(), int(m.tex_colorspace[id])
    made = _with_pixels(m, [int(id)])
    return made.texture(int(id)).data.copy(), int(made.tex_colorspace[id])


def mj_embedAssets(m):
    """A copy of a model with the pixels of textures that are left in their files."""
    return _with_pixels(m, np.flatnonzero(m.tex_adr < 0).tolist())


def _with_pixels(m, ids):
    """A copy of a model with the pixels of some textures."""
    for id in ids:
        path = m.paths[m.tex_pathadr[id] :].split(b"\0")[0].decode()
        if not os.path.exists(path):
            raise ValueError(f"texture {id}: there is no file '{path}'")
    spec = corten.Spec.from_model(m)
    for id in ids:
        spec.textures[id].embed = "true"
    with as_value_error():
        return MjModel._of(_core.compile_spec(spec._core))


_SECTIONS = {
    "worldbody": ("body", "frame", "joint", "freejoint", "geom", "site", "camera", "light"),
    "asset": ("mesh", "texture", "material", "skin"),
    "tendon": ("spatial", "fixed"),
    "actuator": ("general", "motor", "position", "velocity", "intvelocity", "damper", "cylinder", "muscle", "adhesion"),
    "keyframe": ("key",),
}
_NEEDED = {"adhesion": {"body": "b"}}


def mj_printSchema(flg_html, flg_pad):
    """The elements of MJCF that can be built without others, with their attributes; docs/mjcf.md has all."""
    spec, lines = corten.Spec(), [(0, "mujoco", ["model"])]
    body = spec.world.add("body", name="b")
    body.add("geom", size=0.1)
    for section, tags in _SECTIONS.items():
        lines.append((1, section, []))
        for tag in tags:
            place, path = (body, tag) if section == "worldbody" else (spec, f"{section}/{tag}")
            try:
                element = place.add(path, **_NEEDED.get(tag, {}))
            except Error:
                continue
            lines.append((2, tag, list(_core.element_attrs(element._handle))))
    if flg_html:
        rows = "".join(f"<tr><td>{'&nbsp;' * 4 * depth}{tag}</td><td>{' '.join(names)}</td></tr>\n" for depth, tag, names in lines)
        return f"<table>\n{rows}</table>\n"
    pad = 24 if flg_pad else 0
    return "".join(f"{'  ' * depth + tag:{pad}} {' '.join(names)}".rstrip() + "\n" for depth, tag, names in lines)


def mj_actuatorInputName(m, id, input):
    """What an input of an actuator is called: "" for the only one."""
    count = int(m.actuator_ctrlnum[id])
    return "" if count == 1 else f"{input}"


def mj_defaultOption(opt):
    """Options to their defaults."""
    opt._copy_from(MjOption())


def mj_defaultVisual(vis):
    """Drawing settings to their defaults."""
    vis._copy_from(MjModel.from_xml_string("<mujoco/>").vis)


def mj_defaultSolRefImp(solref=None, solimp=None):
    """The default parameters of constraints."""
    if solref is not None:
        out(solref, 2, "solref").flat = (0.02, 1)
    if solimp is not None:
        out(solimp, 5, "solimp").flat = (0.9, 0.95, 0.001, 0.5, 2)


def mj_resetCallbacks():
    """Remove all callbacks."""
    from . import _callbacks

    _callbacks.reset()


def mju_threadpool(d, nthread):
    """Let threads solve the islands of a step."""
    d.set_threads(max(1, nthread))
    d.__dict__["_threads"] = nthread if nthread > 1 else 0


def mju_writeLog(type, msg):
    """Append a line to the log file, MUJOCO_LOG.TXT in the current folder."""
    with open("MUJOCO_LOG.TXT", "a") as file:
        file.write(f"{type}: {msg}\n\n")


def mju_getXMLDependencies(filename):
    """The file, and the files that it includes or refers to."""
    import xml.etree.ElementTree as tree

    found, folder = [filename], os.path.dirname(filename)
    for element in tree.parse(filename).iter():
        for key in ("file", *(f"file{side}" for side in ("right", "left", "up", "down", "front", "back"))):
            if element.get(key):
                name = os.path.join(folder, element.get(key))
                found.extend(mju_getXMLDependencies(name) if element.tag in ("include", "model") else [name])
    return list(dict.fromkeys(found))


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
    far = distances > cutoff
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
