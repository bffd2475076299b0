"""The fields that are not compared, each with its reason and a model that shows it: the only such list.

test_exceptions.py runs every witness. An entry whose field agrees there is no longer needed, and the test says so.
"""

import dataclasses

import mujoco

CHAIN = "tests/models/chain.xml"
MIXED = "tests/models/constraint/mixed.xml"
ACTUATORS = "tests/models/mjcf/actuators.xml"


@dataclasses.dataclass(frozen=True)
class NotCompared:
    reason: str
    witness: str  # a model, below the root of the project
    call: str = "forward"  # after this call the field differs


# Both engines have the field, and it holds something else.
NOT_COMPARED = {
    "narena": NotCompared("the arena grows by itself here", CHAIN, "model"),
    "nbuffer": NotCompared("another layout of the block", CHAIN, "model"),
    "vis.rgba.bv": NotCompared("the oracle's Python module returns it empty", CHAIN, "model"),
    "vis.rgba.bvactive": NotCompared("the oracle's Python module returns it empty", CHAIN, "model"),
    "solver_niter": NotCompared("at the tolerance of these comparisons the last iterations only move rounding; test_solver.py compares it",
                                "tests/models/mjcf/sensor_attributes.xml"),
    "solver_nnz": NotCompared("Newton's sparse matrix and rows that nothing moves are stored in another way; test_solver.py compares the rest",
                              "tests/models/solver/immovable.xml"),
    "efc_state": NotCompared("the oracle leaves it in the order of its islands; iefc_state is compared", MIXED),
    "moment_rownnz": NotCompared("one engine keeps an entry of rounding where the other drops it; the dense matrix is compared", ACTUATORS),
    "moment_rowadr": NotCompared("as moment_rownnz", ACTUATORS),
    "moment_colind": NotCompared("as moment_rownnz", ACTUATORS),
    "flg_rnepost": NotCompared("the oracle computes more than is asked for in some steps", "tests/models/sensors/history_rk4.xml", "step"),
}

# Members of the oracle's structs that are no fields here.
# Fields of the model that the oracle does not have.
OWN_FIELDS = ("plugin_prm", "plugin_kind")

NOT_OURS = {
    "model": {
        "opt": "compared by its members", "stat": "compared by its members", "vis": "compared by its members",
        "signature": "a hash of the oracle's own layout",
    },
    "data": {
        "model": "the Python object", "signature": "a hash of the oracle's own layout",
        "bvh_active": "what a renderer draws",
        "maxuse_arena": "memory", "maxuse_con": "memory", "maxuse_efc": "memory", "maxuse_stack": "memory", "narena": "memory",
        "nbuffer": "memory", "parena": "memory", "pbase": "memory", "pstack": "memory", "threadpool": "memory",
        "nplugin": "a size of the model", "timer": "time", "solver": "test_solver.py compares it", "warning": "compared by its members",
    },
}


def _no_islands(model, data):
    return data.nisland == 0


def _dense(model, data):
    return not mujoco.mj_isSparse(model)


def _primal(model, data):
    return data.nA == 0


def _no_weights(model, data):
    return data.nY == 0


def _explicit(model, data):
    return not data.efm_active


@dataclasses.dataclass(frozen=True)
class Empty:
    """Arrays that no stage has made: empty here, and of full size with a filler in the oracle."""

    reason: str
    fields: tuple
    when: object  # of the oracle's model and data
    witness: str
    filler: tuple = (0, -1)  # the only values the oracle may hold then; () for memory that nobody wrote
    jacobian: int = 0  # of the witness


EMPTY = [
    Empty("there are no islands", (
        "tree_island", "map_itree2tree", "dof_island", "map_dof2idof", "map_idof2dof", "efc_island", "map_efc2iefc", "map_iefc2efc",
        "iefc_type", "iefc_id", "iefc_frictionloss", "iefc_D", "iefc_R", "iefc_aref", "iefc_state", "iefc_force"), _no_islands, CHAIN),
    Empty("matrices of rows are dense", (
        "efc_J_rownnz", "efc_J_rowadr", "efc_J_rowsuper", "efc_J_colind", "efc_Y_rownnz", "efc_Y_rowadr", "efc_Y_colind",
        "efc_AR_rownnz", "efc_AR_rowadr", "efc_AR_colind"), _dense, MIXED, ()),
    Empty("the solver is primal", ("efc_AR_rownnz", "efc_AR_rowadr", "efc_AR_colind"), _primal, MIXED, jacobian=1),
    Empty("no stage needs it", ("efc_Y_rownnz", "efc_Y_rowadr", "efc_Y_colind"), _no_weights, MIXED, jacobian=1),
    Empty("no soft body is integrated implicitly", (
        "efm_K_rowadr", "efm_K_rownnz", "efm_aid", "efm_ak", "efm_as", "efm_c", "efm_ca", "efm_ck", "efm_diag", "efm_fluid", "efm_sdiag",
        "efm_tid", "efm_tk", "efm_ts"), _explicit, CHAIN),
]
