"""Corten beside the oracle, field by field.

The oracle is the pinned `mujoco` wheel. Every field of model and data that both know is compared; the error of a field
is its largest difference, relative to the largest number of the field in the oracle.
"""

import dataclasses
import pathlib

import corten
import mujoco
import numpy as np
from corten._fields import DATA_FIELDS, MODEL_FIELDS

ORACLE_VERSION = "4.0.0"

# Fields that are not compared, each with its reason.
NOT_COMPARED = {
    "narena": "the arena grows by itself here",
    "nbuffer": "another layout",
    "plugin_data": "addresses",
    "vis.rgba.bv": "the oracle's Python module returns it empty",
    "vis.rgba.bvactive": "the oracle's Python module returns it empty",
    "solver_niter": "the oracle's Python module cuts it to the islands at hand",
    "solver_nnz": "as solver_niter",
    "contact": "compared by its members",
    "efc_state": "the oracle leaves it in the order of its islands",
    "efc_b": "inverse dynamics leaves what was there",
    "moment_rownnz": "compared as the dense matrix: one engine keeps an entry of rounding where the other drops it",
    "moment_rowadr": "as moment_rownnz",
    "moment_colind": "as moment_rownnz",
    "flg_rnepost": "the oracle computes more than is asked for in some steps",
}

# With a dual solver the oracle leaves its copies by island as they were in memory.
ISLAND_COPIES = ("iefc_", "iacc", "ifrc_")

DEFAULT_TOLERANCE = 1e-12

# What follows from a solve with M carries the condition number of M: the oracle itself moves by that much when its
# input moves in the last bit.
CONDITIONED = {
    "qLD", "qLDiagInv", "qH", "qHDiagInv", "qacc", "qacc_smooth", "qacc_warmstart", "qvel", "dof_invweight0",
    "body_invweight0", "actuator_acc0", "jnt_stiffness", "dof_damping",
}

# Stored as float32, or derived from such numbers: equal to its rounding.
SINGLE = {"mesh_vert", "mesh_normal", "mesh_polynormal", "cam_fovy", "cam_intrinsic", "mesh_pos", "mesh_quat"}
SINGLE_TOLERANCE = 1e-6

# What the constraint solver leaves, at the tight tolerance that comparisons run with.
SOLVED = {
    "qacc", "qacc_warmstart", "qvel", "qpos", "qfrc_constraint", "efc_force", "iefc_force", "ifrc_constraint", "iacc", "sensordata",
    "history", "cacc", "cfrc_int", "cfrc_ext", "qfrc_inverse",
}
SOLVED_TOLERANCE = 1e-8

# Once in a few hundred islands the oracle's Newton solver stops far from a solution: its forces do not explain its
# accelerations. There is nothing to compare then; that ours do is asked instead.
UNSOLVED_RESIDUAL = 1e-3

# Contacts between convex shapes come from an iteration that stops at the model's ccd_tolerance: what is built on them
# agrees to that, not to rounding.
CONVEX_PREFIXES = ("contact.", "efc_", "iefc_", "island_", "iacc", "ifrc_")
CONVEX_TYPES = {mujoco.mjtGeom.mjGEOM_HFIELD, mujoco.mjtGeom.mjGEOM_ELLIPSOID, mujoco.mjtGeom.mjGEOM_CYLINDER, mujoco.mjtGeom.mjGEOM_MESH}
CONVEX_TOLERANCE = 1e-6

# 100 steps let rounding grow along the trajectory.
STEPS100_TOLERANCE = 1e-7

EPSILON = float(np.finfo(float).eps)


@dataclasses.dataclass
class Row:
    """One field in one comparison."""

    what: str
    field: str
    error: float
    tolerance: float
    note: str = ""

    @property
    def ok(self):
        return self.error <= self.tolerance


def _lookup(owner, name):
    for part in name.split("."):
        owner = getattr(owner, "global_" if part == "global" else part, None)
    return owner


def _as_array(value):
    if isinstance(value, bytes):
        return np.frombuffer(value, np.uint8)
    return np.asarray(value)


def _dense_moment(model, data):
    dense = np.zeros((model.nu, model.nv))
    for row, (adr, nnz) in enumerate(zip(data.moment_rowadr, data.moment_rownnz)):
        dense[row, data.moment_colind[adr:adr + nnz]] = data.actuator_moment[adr:adr + nnz]
    return dense


def field_error(ours, reference):
    """(error, note): largest difference relative to the field's largest number; infinite when shapes differ."""
    ours, reference = _as_array(ours), _as_array(reference)
    if ours.shape != reference.shape:
        return np.inf, f"shape {ours.shape}, oracle {reference.shape}"
    if ours.size == 0:
        return 0.0, ""
    a, b = ours.astype(float), reference.astype(float)
    same = (a == b) | (np.isnan(a) & np.isnan(b))
    if same.all():
        return 0.0, ""
    if not np.isfinite(a).all() or not np.isfinite(b).all():
        return np.inf, "not finite"
    # numbers of order one go into every field: what is left after they cancel is rounding
    floor = 1e-3
    return float(np.abs(a - b).max() / max(np.abs(b).max(), floor)), ""


def rounding_of_forces(data):
    """What rounding of `efc_aref` and of J qacc, which is as large, does to the forces D (J qacc - aref) of two engines,
    relative to the largest. It matters for rows without inertia, such as limits of tendons that are straight at rest:
    their D is 1e15."""
    if data.nefc == 0:
        return 0.0
    return float(2 * EPSILON * (data.efc_D * np.abs(data.efc_aref)).max() / max(np.abs(data.efc_force).max(), 1e-3))


class Pair:
    """A model in both engines."""

    def __init__(self, source):
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

    def compare_model(self):
        rows = []
        condition = self._condition_at_qpos0()
        for name in (field.name for field in MODEL_FIELDS):
            reference = _lookup(self.oracle_model, name)
            if name in NOT_COMPARED or reference is None:
                continue
            error, note = field_error(_lookup(self.model, name), reference)
            rows.append(Row("model", name, error, self._tolerance(name, condition, DEFAULT_TOLERANCE), note))
        return rows

    def compare_data(self, what, base=DEFAULT_TOLERANCE):
        rows = []
        condition = self._condition()
        rounding = rounding_of_forces(self.oracle)
        unsolved = what in ("forward", "step") and self._is_newton() and self._residual(self.oracle) > UNSOLVED_RESIDUAL
        if unsolved:
            rows.append(Row(what, "residual", self._residual(self.data), max(SOLVED_TOLERANCE, rounding), "the oracle has not solved"))
        for name in (field.name for field in DATA_FIELDS):
            if unsolved and (name in SOLVED or name == "iefc_state"):
                continue
            reference = _lookup(self.oracle, name)
            if name in NOT_COMPARED or reference is None or self._is_unset(name):
                continue
            ours = _lookup(self.data, name)
            if name == "actuator_moment":
                ours, reference = _dense_moment(self.model, self.data), _dense_moment(self.oracle_model, self.oracle)
            # arrays that no stage has made are empty here and zeros there
            if _as_array(ours).size == 0:
                continue
            error, note = field_error(ours, reference)
            rows.append(Row(what, name, error, self._tolerance(name, condition, base), note))
        return rows

    def set_random_state(self, rng):
        """A random state and random inputs, the same in both."""
        mujoco.mj_resetData(self.oracle_model, self.oracle)
        corten.reset(self.model, self.data)
        o, nv = self.oracle, self.oracle_model.nv
        mujoco.mj_integratePos(self.oracle_model, o.qpos, 0.5 * rng.normal(size=nv), 1)
        o.qvel[:] = rng.normal(size=nv)
        o.qacc[:] = rng.normal(size=nv)
        o.ctrl[:] = rng.normal(size=self.oracle_model.nu)
        o.qfrc_applied[:] = 0.1 * rng.normal(size=nv)
        o.xfrc_applied[1:] = 0.1 * rng.normal(size=(self.oracle_model.nbody - 1, 6))
        for name in ("qpos", "qvel", "qacc", "ctrl", "qfrc_applied", "xfrc_applied"):
            getattr(self.data, name)[...] = getattr(o, name)

    def compare_runs(self, seed=0, states=3, runs=("forward", "inverse", "step", "100 steps")):
        """All fields after each kind of call, from random states."""
        calls = {
            "forward": (mujoco.mj_forward, corten.forward, {}),
            "inverse": (mujoco.mj_inverse, corten.inverse, {}),
            "step": (mujoco.mj_step, corten.step, {}),
            "100 steps": (mujoco.mj_step, corten.step, {"nstep": 100}),
        }
        rng = np.random.default_rng(seed)
        rows = []
        for what in runs:
            theirs, ours, extra = calls[what]
            for _ in range(states):
                self.set_random_state(rng)
                theirs(self.oracle_model, self.oracle, **extra)
                ours(self.model, self.data, **extra)
                rows += self.compare_data(what, STEPS100_TOLERANCE if what == "100 steps" else DEFAULT_TOLERANCE)
        return worst(rows)

    def _tolerance(self, name, condition, base):
        if name in SINGLE:
            base = max(base, SINGLE_TOLERANCE)
        if name in SOLVED and self.oracle.nefc > 0:
            base = max(base, SOLVED_TOLERANCE, rounding_of_forces(self.oracle))
        if (name in SOLVED or name.startswith(CONVEX_PREFIXES)) and self._has_convex_contact():
            base = max(base, CONVEX_TOLERANCE)
        # rounding of a solve is amplified by the condition number
        return max(base, 1e-16 * condition) if name in CONDITIONED else base

    def _is_unset(self, name):
        dual = self.oracle_model.opt.solver == mujoco.mjtSolver.mjSOL_PGS
        # what the oracle's noslip pass changes, it changes in efc_force
        before_noslip = self.oracle_model.opt.noslip_iterations > 0 and name == "iefc_force"
        return (dual and name.startswith(ISLAND_COPIES)) or before_noslip

    def _has_convex_contact(self):
        kinds = self.oracle_model.geom_type[self.oracle.contact.geom[self.oracle.contact.geom.min(axis=1) >= 0]]
        plane = (kinds == mujoco.mjtGeom.mjGEOM_PLANE).any(axis=1)
        return bool((np.isin(kinds, list(CONVEX_TYPES)).any(axis=1) & ~plane).any()) if kinds.size else False

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

    def _condition(self):
        if self.oracle_model.nv == 0:
            return 1.0
        full = np.zeros((self.oracle_model.nv, self.oracle_model.nv))
        mujoco.mj_fullM(self.oracle_model, self.oracle, full)
        return float(np.linalg.cond(full)) if full.any() else 1.0

    def _condition_at_qpos0(self):
        mujoco.mj_resetData(self.oracle_model, self.oracle)
        mujoco.mj_forward(self.oracle_model, self.oracle)
        return self._condition()


def worst(rows):
    """For each kind of call and field, the row that is furthest from its tolerance."""
    best = {}
    for row in rows:
        key = (row.what, row.field)
        if key not in best or row.error / row.tolerance > best[key].error / best[key].tolerance:
            best[key] = row
    return sorted(best.values(), key=lambda r: -r.error / r.tolerance)
