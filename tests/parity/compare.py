"""Corten beside the oracle, element by element.

The oracle is the pinned `mujoco` wheel. Every field of model, data and contacts that both know is compared; exceptions.py lists
the few that are not.

One tolerance holds for nearly every field: the error of an element is |ours - oracle| / scale, and TOLERANCE bounds the largest. What
differs is the scale, the size of the numbers that went into the element. It is

  - the element itself, but not less than FLOOR: lengths, masses and angles of order one go into everything, and what they leave when
    they cancel is rounding; and
  - how fast the element changes with what it was computed from. All inputs of the oracle (state, controls, and every real number of
    the model) are moved by MOVE, relative to themselves, and the call is made again: (change of the element) / MOVE is what an
    element is worth to somebody who knows the inputs to rounding only. A badly conditioned mass matrix, forces that nearly cancel,
    rows without inertia and solver tolerances show themselves that way, each where it matters and nowhere else.

The second is asked for only when the first is not enough. It explains no more than WORST of the field's largest number: where
the oracle jumps (another contact, another active set) there is nothing to compare, and pending.txt has to say so.
"""

import copy
import dataclasses
import pathlib

import corten
import mujoco
import numpy as np
from corten._fields import DATA_FIELDS, MODEL_FIELDS
from exceptions import EMPTY, NOT_COMPARED

ORACLE_VERSION = "4.0.0"

# 4500 roundings. The largest error over all models at hand is about half of it.
TOLERANCE = 1e-12
FLOOR = 1e-3
MOVE = 1e-13
MOVES = 8
WORST = 1e-6

# Kept in single precision, or computed from such numbers by one or two operations in single precision.
SINGLE = {"mesh_normal", "mesh_polynormal", "cam_fovy", "cam_intrinsic"}
SINGLE_TOLERANCE = 2 * float(np.finfo(np.float32).eps)

# Rows whose elements share a scale. Components of rotations and directions are parts of a unit vector. The box around a plane is
# 1e10 wide, and so are the boxes around that box: their middles are what is left of such numbers.
SHARED_BY_ROW = ("quat", "mat", "mat0", "dir", "dir0", "axis", "bvh_aabb")

# What the constraint solver leaves. Once in a few hundred islands the oracle's Newton solver stops far from a solution: its forces
# do not explain its accelerations. There is nothing to compare then; that ours do is asked instead.
SOLVED = {
    "qacc", "qacc_warmstart", "qvel", "qpos", "qfrc_constraint", "efc_force", "iefc_force", "iefc_state", "ifrc_constraint", "iacc", "sensordata",
    "history", "cacc", "cfrc_int", "cfrc_ext", "qfrc_inverse",
}
UNSOLVED_RESIDUAL = 1e-3
SOLVED_RESIDUAL = 1e-8

# An iteration stops when a step gains less than 1e-15 of the cost, which is flat there: forces may then be off by the root of it,
# 3e-8 of themselves. Newton's last step is far smaller than that. The largest error over all models at hand is 3.5e-11.
SOLVED_TOLERANCE = 1e-10

# With a dual solver the oracle leaves its copies by island as they were in memory.
ISLAND_COPIES = ("iefc_", "iacc", "ifrc_")

INPUTS = ("qpos", "qvel", "act", "ctrl", "qfrc_applied", "xfrc_applied", "mocap_pos", "mocap_quat", "qacc_warmstart", "qacc")
CALLS = {
    "forward": (mujoco.mj_forward, corten.forward),
    "inverse": (mujoco.mj_inverse, corten.inverse),
    "step": (mujoco.mj_step, corten.step),
}
STATE = mujoco.mjtState.mjSTATE_INTEGRATION

# Spread and speed of states to begin a run with: near the model's own pose, so that what touches there goes on touching.
GENTLE = (0.02, 0.2)
EPSILON = float(np.finfo(float).eps)
WARNINGS = [name.removeprefix("mjWARN_") for name in mujoco.mjtWarning.__members__ if name.startswith("mjWARN_")]


class Chaotic(Exception):
    """Inputs moved by rounding lead elsewhere."""


@dataclasses.dataclass
class Row:
    """One field in one comparison."""

    what: str
    field: str
    error: float
    tolerance: float = TOLERANCE
    note: str = ""

    @property
    def ok(self):
        return self.error <= self.tolerance


# ---- values


def lookup(owner, name):
    for part in name.split("."):
        owner = getattr(owner, "global_" if part == "global" else part, None)
    return owner


def as_array(value):
    return np.frombuffer(value, np.uint8) if isinstance(value, bytes) else np.asarray(value)


def _real(value):
    return np.atleast_1d(np.array(as_array(value), float))


def _dense_moment(model, data):
    dense = np.zeros((model.nu, model.nv))
    for row, (adr, nnz) in enumerate(zip(data.moment_rowadr, data.moment_rownnz)):
        dense[row, data.moment_colind[adr:adr + nnz]] = data.actuator_moment[adr:adr + nnz]
    return dense


def _used_wraps(name):
    """The points that paths have: behind them stands what longer paths have left."""

    def used(model, data):
        values = np.array(getattr(data, name), float)
        points = int(data.ten_wrapadr[-1] + data.ten_wrapnum[-1]) if model.ntendon else 0
        return values.reshape(2 * len(values), -1)[:points] if len(values) else values
    return used


SPECIAL = {"actuator_moment": _dense_moment, "wrap_xpos": _used_wraps("wrap_xpos"), "wrap_obj": _used_wraps("wrap_obj")}


def model_values(model):
    return {f.name: _real(lookup(model, f.name)) for f in MODEL_FIELDS if f.name not in NOT_COMPARED and lookup(model, f.name) is not None}


def data_values(model, data, names=None):
    """All fields of a data of either engine, contacts by member."""
    out = {}
    for name in (f.name for f in DATA_FIELDS) if names is None else names:
        if name in NOT_COMPARED or name == "contact":
            continue
        out[name] = SPECIAL[name](model, data) if name in SPECIAL else _real(lookup(data, name))
    if names is None:
        for name in CONTACT:
            # one matrix is nine numbers in one module, three by three in the other
            out["contact." + name] = np.array(getattr(data.contact, name), float).ravel()
        number = data.warning["number"] if isinstance(data.warning, np.ndarray) else data.warning.number
        out["warning.number"] = np.array(number[: len(WARNINGS)], float)
    return out


CONTACT = corten.Data(corten.Model.from_xml_string("<mujoco/>")).contact.dtype.names


# ---- errors


def scale_of(name, reference):
    scale = np.maximum(np.abs(reference), FLOOR)
    if name.endswith(SHARED_BY_ROW) and reference.ndim == 2 and reference.size:
        scale = np.maximum(scale, scale.max(axis=1, keepdims=True))
    return scale


def difference(ours, reference):
    with np.errstate(invalid="ignore"):
        return np.where((ours == reference) | (np.isnan(ours) & np.isnan(reference)), 0.0, np.abs(ours - reference))


def field_error(ours, reference, name=""):
    """(error, note): the largest |ours - reference| / scale, with nothing known but the numbers; infinite when shapes differ."""
    ours, reference = _real(ours), _real(reference)
    if ours.shape != reference.shape:
        return np.inf, f"shape {ours.shape}, oracle {reference.shape}"
    off = difference(ours, reference)
    if not np.isfinite(off).all():
        return np.inf, "not finite"
    return float((off / scale_of(name, reference)).max(initial=0)), ""


def vector_error(ours, reference):
    """(error, note) of a field as a whole: its largest difference, relative to its largest number."""
    ours, reference = _real(ours), _real(reference)
    error, note = field_error(ours, reference)
    if note:
        return error, note
    return float(difference(ours, reference).max(initial=0) / max(FLOOR, np.abs(reference).max(initial=0))), ""


def explained_error(name, ours, reference, moved, rounding=0.0):
    """The error, where `moved` are what the oracle says of moved inputs, and the largest numbers of the field are known to
    `rounding` of themselves anyway."""
    same = [m for m in moved if m.shape == reference.shape]
    if not same:
        return field_error(ours, reference, name)[0]
    change = np.max([difference(m, reference) for m in same], axis=0) / MOVE
    largest = max(FLOOR, np.abs(reference).max(initial=0))
    scale = np.maximum(scale_of(name, reference), np.minimum(change, WORST / TOLERANCE * largest))
    if rounding > WORST:
        scale = np.maximum(scale, rounding / TOLERANCE * largest)
    return float((difference(ours, reference) / scale).max(initial=0))


def rounding_of_forces(data):
    """What rounding of `efc_aref` and of J qacc, which is as large, does to the forces D (J qacc - aref) of two engines,
    relative to the largest. It matters for rows without inertia, such as limits of tendons that are straight at rest:
    their D is 1e15."""
    if data.nefc == 0:
        return 0.0
    return float(2 * EPSILON * (data.efc_D * np.abs(data.efc_aref)).max() / max(np.abs(data.efc_force).max(), 1e-3))


def tolerance_of(name, rows=0):
    if name in SINGLE:
        return SINGLE_TOLERANCE
    return SOLVED_TOLERANCE if name in SOLVED and rows > 0 else TOLERANCE


def _moved_model(model, rng):
    """A copy of the oracle's model with every real number moved."""
    model = copy.copy(model)
    for name in (f.name for f in MODEL_FIELDS):
        values = lookup(model, name)
        if isinstance(values, np.ndarray) and values.dtype == np.float64:
            values *= 1 + MOVE * rng.uniform(-1, 1, values.shape)
    return model


def _moved_constants(model):
    """What the oracle derives from the numbers of a model, moved: weights, lengths, accelerations at rest."""
    rng, out = np.random.default_rng(0), []
    for _ in range(MOVES):
        moved = _moved_model(model, rng)
        mujoco.mj_setConst(moved, mujoco.MjData(moved))
        out.append(model_values(moved))
    return out


def _moved_specs(make):
    """What the oracle compiles from moved lengths, limits and springs. The ranges of actuators' lengths are the ends of simulations,
    which mj_setConst() does not repeat."""
    rng, out = np.random.default_rng(0), []
    for _ in range(MOVES):
        spec = make()
        for elements, names in ((spec.bodies, ["pos"]), (spec.geoms, ["pos", "size"]), (spec.sites, ["pos"]), (spec.joints, ["range", "damping", "stiffness"])):
            for element in elements:
                for name in names:
                    value = getattr(element, name)
                    setattr(element, name, value * (1 + MOVE * rng.uniform(-1, 1, np.shape(value))))
        out.append(model_values(spec.compile()))
    return out


def compare_models(model, oracle, what="model", make_spec=None):
    """The rows of all fields of two models; `make_spec` makes the oracle's spec."""
    ours, theirs = model_values(model), model_values(oracle)
    moved, rows = None, []
    for name, reference in theirs.items():
        error, note = field_error(ours[name], reference, name)
        if error > tolerance_of(name) and not note and name == "actuator_lengthrange" and make_spec:
            error = explained_error(name, ours[name], reference, [m[name] for m in _moved_specs(make_spec)])
        elif error > tolerance_of(name) and not note:
            moved = moved or _moved_constants(oracle)
            error = explained_error(name, ours[name], reference, [m[name] for m in moved])
        rows.append(Row(what, name, error, tolerance_of(name), note))
    return rows


class Pair:
    """A model in both engines."""

    def __init__(self, source):
        self.source = source
        if isinstance(source, pathlib.Path):
            self.oracle_model = mujoco.MjModel.from_xml_path(str(source))
            self.model = corten.Model.from_xml_path(str(source))
        else:
            self.oracle_model = mujoco.MjModel.from_xml_string(source)
            self.model = corten.Model.from_xml_string(source)
        self.oracle = mujoco.MjData(self.oracle_model)
        self.data = corten.Data(self.model)

    def tighten(self):
        """Let the solver go to the end, where its result is unique."""
        newton = self.oracle_model.opt.solver == mujoco.mjtSolver.mjSOL_NEWTON
        for m in (self.oracle_model, self.model):
            m.opt.tolerance, m.opt.ls_tolerance, m.opt.ls_iterations = 1e-15, 1e-6, 200
            m.opt.iterations = 500 if newton else 5000

    # ---- the model

    def compare_model(self):
        return compare_models(self.model, self.oracle_model, make_spec=self.make_spec)

    def make_spec(self):
        return mujoco.MjSpec.from_file(str(self.source)) if isinstance(self.source, pathlib.Path) else mujoco.MjSpec.from_string(self.source)

    # ---- the data

    def set_random_state(self, rng, spread=0.5, speed=1.0):
        """A random state and random inputs, the same in both."""
        mujoco.mj_resetData(self.oracle_model, self.oracle)
        corten.reset(self.model, self.data)
        o, nv = self.oracle, self.oracle_model.nv
        mujoco.mj_integratePos(self.oracle_model, o.qpos, spread * rng.normal(size=nv), 1)
        o.qvel[:] = speed * rng.normal(size=nv)
        o.qacc[:] = rng.normal(size=nv)
        o.ctrl[:] = rng.normal(size=self.oracle_model.nu)
        o.qfrc_applied[:] = 0.1 * rng.normal(size=nv)
        o.xfrc_applied[1:] = 0.1 * rng.normal(size=(self.oracle_model.nbody - 1, 6))
        for name in ("qpos", "qvel", "qacc", "ctrl", "qfrc_applied", "xfrc_applied"):
            getattr(self.data, name)[...] = getattr(o, name)

    def take_state(self):
        """Our data at the oracle's state."""
        state = np.empty(mujoco.mj_stateSize(self.oracle_model, STATE))
        mujoco.mj_getState(self.oracle_model, self.oracle, state, STATE)
        corten.set_state(self.model, self.data, state)
        # what has been counted is no part of it
        self.data.warning["number"][:] = self.oracle.warning.number[:] = 0

    def run(self, what, steps=1, names=None):
        """Make a call in both from the state at hand; the rows of all fields, or of those named."""
        theirs, ours = CALLS[what]
        start = np.empty(mujoco.mj_stateSize(self.oracle_model, STATE))
        mujoco.mj_getState(self.oracle_model, self.oracle, start, STATE)
        qacc = self.oracle.qacc.copy()
        extra = {"nstep": steps} if steps > 1 else {}
        theirs(self.oracle_model, self.oracle, **extra)
        ours(self.model, self.data, **extra)
        label = what if steps == 1 else f"{steps} steps"
        return self._rows(label, names, lambda: self._moved_runs(start, qacc, theirs, extra, names))

    def compare_runs(self, seed=0, states=3, runs=tuple(CALLS)):
        """All fields after each kind of call, from random states."""
        rng, rows = np.random.default_rng(seed), []
        for what in runs:
            for _ in range(states):
                self.set_random_state(rng)
                rows += self.run(what)
        return worst(rows)

    def compare_one_step(self, seed=0, steps=100, every=10):
        """One step from the oracle's own states along its way, where errors cannot grow."""
        self.set_random_state(np.random.default_rng(seed), *GENTLE)
        rows = []
        for k in range(steps):
            if k % every:
                mujoco.mj_step(self.oracle_model, self.oracle)
                continue
            self.take_state()
            rows += self.run("step")
        for row in rows:
            row.what = "one step"
        return worst(rows)

    def compare_steps(self, seed=0, steps=100):
        """Many steps from the same state, each engine on its own. None where the oracle does not know where they lead: its
        state at the end moves by more than WORST when the inputs at the start move by MOVE."""
        self.set_random_state(np.random.default_rng(seed), *GENTLE)
        try:
            return worst(self.run("step", steps))
        except Chaotic:
            return None

    def _rows(self, what, names, move):
        m, o = self.oracle_model, self.oracle
        ours, theirs = data_values(self.model, self.data, names), data_values(m, o, names)
        unsolved = "inverse" != what and self._is_newton() and self._residual(o) > UNSOLVED_RESIDUAL
        rounding, rows, moved = rounding_of_forces(o), [], None
        if unsolved:
            limit = max(SOLVED_RESIDUAL, rounding)
            rows.append(Row(what, "residual", self._residual(self.data), limit, "the oracle has not solved"))
        for name, reference in theirs.items():
            if self._is_unset(what, name) or (unsolved and name in SOLVED):
                continue
            if ours[name].size == 0 and reference.size > 0:
                note = self._missing(name, reference)
                rows.append(Row(what, name, np.inf if note else 0.0, TOLERANCE, note))
                continue
            error, note = field_error(ours[name], reference, name)
            tolerance = tolerance_of(name, o.nefc)
            if error > tolerance and not note:
                moved = moved or move()
                error = explained_error(name, ours[name], reference, [v[name] for v in moved], rounding if name in SOLVED else 0)
            rows.append(Row(what, name, error, tolerance, note))
        return rows

    def _missing(self, name, reference):
        """Why an empty field is not right, or nothing."""
        for empty in EMPTY:
            if name in empty.fields and empty.when(self.oracle_model, self.oracle):
                right = not empty.filler or any((reference == value).all() for value in empty.filler)
                return "" if right else f"empty here, and numbers in the oracle although {empty.reason}"
        return "empty here, and numbers in the oracle"

    def _moved_runs(self, start, qacc, call, extra, names):
        """The oracle after the same call from moved inputs: those of the state, then those of the model too."""
        rng, out = np.random.default_rng(0), []
        for k in range(MOVES):
            model = _moved_model(self.oracle_model, rng) if k % 2 else self.oracle_model
            data = mujoco.MjData(model)
            mujoco.mj_setState(model, data, start, STATE)
            data.qacc[:] = qacc
            for name in INPUTS:
                values = getattr(data, name)
                values += MOVE * np.maximum(1, np.abs(values)) * rng.uniform(-1, 1, values.shape)
            call(model, data, **extra)
            out.append(data_values(model, data, names))
            if "nstep" in extra and any(field_error(out[-1][name], getattr(self.oracle, name))[0] > WORST for name in ("qpos", "qvel")):
                raise Chaotic
        return out

    def _is_unset(self, what, name):
        """Does the oracle leave what was in memory?"""
        dual = self.oracle_model.opt.solver == mujoco.mjtSolver.mjSOL_PGS
        # what the oracle's noslip pass changes, it changes in efc_force
        before_noslip = self.oracle_model.opt.noslip_iterations > 0 and name == "iefc_force"
        return (dual and name.startswith(ISLAND_COPIES)) or before_noslip or (what == "inverse" and name == "efc_b")

    def _is_newton(self):
        # RK4 leaves the forces of its last stage beside the acceleration of the first
        opt = self.oracle_model.opt
        newton = opt.solver == mujoco.mjtSolver.mjSOL_NEWTON and opt.integrator != mujoco.mjtIntegrator.mjINT_RK4
        return self.oracle.nefc > 0 and newton and opt.noslip_iterations == 0

    def _residual(self, data):
        """How far M qacc is from the sum of forces, relative to them."""
        force = np.zeros(self.oracle_model.nv)
        mujoco.mj_mulM(self.oracle_model, self.oracle, force, np.array(data.qacc, float))
        total = np.asarray(data.qfrc_smooth) + np.asarray(data.qfrc_constraint)
        return float(np.abs(force - total).max() / max(1e-3, np.abs(data.qfrc_constraint).max()))


def worst(rows):
    """For each kind of call and field, the row that is furthest from its tolerance."""
    best = {}
    for row in rows:
        key = (row.what, row.field)
        if key not in best or row.error / row.tolerance > best[key].error / best[key].tolerance:
            best[key] = row
    return sorted(best.values(), key=lambda r: -r.error / r.tolerance)
