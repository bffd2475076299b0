"""Constraint rows and solvers beside the oracle, at a tolerance where the solution is unique.

Each state is solved by every solver, with both cones, dense and sparse, with islands and without. Rows are compared element by
element. A solver stops by the size of its whole residual: the error of a solution is its largest difference, relative to its
largest number. States whose contacts differ are left out: they belong
to the survey of collisions. Solutions that differ by more than the tolerance have not both converged; the residuals
say who is ahead.
"""

import dataclasses
import itertools

import corten
import mujoco
import numpy as np
from compare import field_error, rounding_of_forces, vector_error

SOLVERS = {"Newton": 2, "CG": 1, "PGS": 0}
CONES = {"pyramidal": 0, "elliptic": 1}
JACOBIANS = {"dense": 0, "sparse": 1}
ISLANDS = {"islands": True, "whole": False}

ROW_FIELDS = ("efc_type", "efc_id", "efc_pos", "efc_margin", "efc_vel", "efc_aref", "efc_R", "efc_D", "efc_J")
SOLVED_FIELDS = ("qacc", "qfrc_constraint", "efc_force")
ROW_TOLERANCE = 1e-9
SOLVED_TOLERANCE = 1e-8
CONTACT_TOLERANCE = 1e-10

# A residual below this is rounding: nobody can do better.
ROUNDING = 1e-13

# Dense matrices grow with the square of the dofs or rows: beyond, a variant is left out.
MOST_DENSE_DOFS = 300
MOST_DUAL_ROWS = 600


@dataclasses.dataclass
class Tally:
    """What one solver did over all states and variants of a model."""

    solved: int = 0  # solutions compared
    error: float = 0.0  # largest within tolerance
    ahead: int = 0  # further apart, and our residual is the smaller
    behind: list = dataclasses.field(default_factory=list)  # further apart, and it is the larger
    spread: float = 0.0  # largest distance to our own Newton solution within tolerance
    apart: int = 0  # how often it is beyond
    ours: int = 0  # iterations
    theirs: int = 0

    @property
    def same(self):
        return self.solved - self.ahead - len(self.behind)


@dataclasses.dataclass
class Report:
    """A model."""

    name: str
    nv: int = 0
    rows: int = 0  # most rows of a state
    states: int = 0  # compared
    empty: int = 0  # without any row
    left_out: int = 0  # contacts differ
    row_error: float = 0.0
    row_field: str = ""
    row_failed: list = dataclasses.field(default_factory=list)
    solvers: dict = dataclasses.field(default_factory=lambda: {name: Tally() for name in SOLVERS})

    @property
    def ok(self):
        """The rows are the same, and so is the solution of the solver that always converges."""
        return not self.row_failed and not self.solvers["Newton"].behind


def contacts_agree(pair):
    """Do both engines see the same contacts?"""
    ours, theirs = pair.data.contact, pair.oracle.contact
    if pair.data.ncon != pair.oracle.ncon:
        return False
    if pair.oracle.ncon == 0:
        return True
    same = all((np.asarray(getattr(ours, f)) == np.asarray(getattr(theirs, f))).all() for f in ("geom", "dim", "exclude"))
    return same and all(
        field_error(np.asarray(getattr(ours, f)), np.asarray(getattr(theirs, f)).reshape(np.asarray(getattr(ours, f)).shape))[0] < CONTACT_TOLERANCE
        for f in ("dist", "pos", "frame")
    )


def set_variant(pair, solver, cone, jacobian, islands):
    """The same options in both models."""
    island = int(mujoco.mjtDisableBit.mjDSBL_ISLAND)
    for model in (pair.oracle_model, pair.model):
        model.opt.solver, model.opt.cone, model.opt.jacobian = SOLVERS[solver], CONES[cone], JACOBIANS[jacobian]
        flags = int(model.opt.disableflags)
        model.opt.disableflags = flags & ~island if ISLANDS[islands] else flags | island


def solution(data):
    return {name: np.array(getattr(data, name), float) for name in SOLVED_FIELDS}


def residual(pair, given):
    """How far a solution is from solving the problem: corten.kkt_residual(), its larger part, from the oracle's own
    functions, so that both are judged alike."""
    model, data = pair.oracle_model, pair.oracle
    kept = solution(data)
    jar, joint, inertial = np.empty(data.nefc), np.empty(model.nv), np.empty(model.nv)
    mujoco.mj_mulJacVec(model, data, jar, given["qacc"])
    mujoco.mj_constraintUpdate(model, data, jar - data.efc_aref, None, 0)
    asked = np.array(data.efc_force)
    for name, values in kept.items():
        getattr(data, name)[...] = values
    mujoco.mj_mulJacTVec(model, data, joint, given["efc_force"])
    mujoco.mj_mulM(model, data, inertial, given["qacc"])
    force = np.abs(given["efc_force"] - asked).max() / max(np.abs(asked).max(), np.abs(given["efc_force"]).max(), 1e-15)
    size = max(np.abs(inertial).max(), np.abs(data.qfrc_smooth).max(), np.abs(joint).max(), 1e-15)
    return float(max(force, np.abs(inertial - data.qfrc_smooth - joint).max() / size))


def _niter(data):
    return int(np.asarray(data.solver_niter)[: max(1, data.nisland)].sum())


def _compare_rows(pair, report, where):
    for name in ROW_FIELDS:
        error, note = field_error(getattr(pair.data, name), getattr(pair.oracle, name))
        if error > report.row_error:
            report.row_error, report.row_field = error, name
        if not error <= ROW_TOLERANCE:
            report.row_failed.append(f"{where}: {name} {error:.1e} {note}")
            return False
    return True


def _compare_solution(pair, tally, where):
    tally.solved += 1
    tally.ours += _niter(pair.data)
    tally.theirs += _niter(pair.oracle)
    error = max(vector_error(getattr(pair.data, f), getattr(pair.oracle, f))[0] for f in SOLVED_FIELDS)
    if error <= max(SOLVED_TOLERANCE, rounding_of_forces(pair.oracle)):
        tally.error = max(tally.error, error)
        return
    ours, theirs = residual(pair, solution(pair.data)), residual(pair, solution(pair.oracle))
    if ours <= max(theirs, ROUNDING):
        tally.ahead += 1
    else:
        tally.behind.append(f"{where}: {error:.1e}, residual {ours:.1e}, the oracle's {theirs:.1e}")


def _compare_with_newton(pair, tally, newton):
    error = max(vector_error(getattr(pair.data, f), newton[f])[0] for f in SOLVED_FIELDS)
    if error <= SOLVED_TOLERANCE:
        tally.spread = max(tally.spread, error)
    else:
        tally.apart += 1


def survey(pair, name, states=20, seed=0, solvers=tuple(SOLVERS)):
    """A Report of a model, loaded as a compare.Pair. Its options are changed."""
    report = Report(name, nv=pair.oracle_model.nv)
    if report.nv == 0:
        return report
    pair.tighten()
    for model in (pair.oracle_model, pair.model):
        model.opt.iterations = 500
        # what a solver leaves is asked of the solver, not of the pass behind it
        model.opt.noslip_iterations = 0
    for k in range(states):
        _survey_state(pair, report, [seed, k], solvers)
    return report


def _survey_state(pair, report, seed, solvers):
    counted = False
    for cone, jacobian, islands in itertools.product(CONES, JACOBIANS, ISLANDS):
        if jacobian == "dense" and report.nv > MOST_DENSE_DOFS:
            continue
        newton = None
        for solver in solvers:
            where = f"state {seed[1]} {solver} {cone} {jacobian} {islands}"
            if solver == "PGS" and pair.oracle.nefc > MOST_DUAL_ROWS:
                continue
            set_variant(pair, solver, cone, jacobian, islands)
            pair.set_random_state(np.random.default_rng(seed))
            mujoco.mj_forward(pair.oracle_model, pair.oracle)
            corten.forward(pair.model, pair.data)
            if not counted:
                counted = True
                if not contacts_agree(pair):
                    report.left_out += 1
                    return
                if pair.oracle.nefc == 0 and pair.data.nefc == 0:
                    report.empty += 1
                    return
                report.states += 1
            report.rows = max(report.rows, pair.oracle.nefc)
            if not _compare_rows(pair, report, where):
                continue
            tally = report.solvers[solver]
            _compare_solution(pair, tally, where)
            if solver == "Newton":
                newton = solution(pair.data)
            elif newton:
                _compare_with_newton(pair, tally, newton)
