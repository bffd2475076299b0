"""What a solver reports of its iterations, beside the oracle: both start at the same state and warm start."""

from pathlib import Path

import numpy as np
import pytest

mujoco = pytest.importorskip("mujoco", reason="the oracle (mujoco wheel) is not installed")

import corten
from compare import Pair
from solvers import CONES, SOLVERS, residual, set_variant, solution, survey

ROOT = Path(__file__).resolve().parents[2]
MODELS = [ROOT / "models" / "humanoid.xml", *sorted((ROOT / "tests" / "models" / "constraint").glob("*.xml"))]
PGS, CG, NEWTON = range(3)

pytestmark = pytest.mark.skipif(corten._core.real != "d", reason="the oracle computes in double")


def solved(path, solver, jacobian, island, steps):
    """Both engines after a forward() at the state the oracle reaches in some steps."""
    theirs = mujoco.MjModel.from_xml_path(str(path))
    ours = corten.Model.from_xml_path(path)
    for model in (theirs, ours):
        model.opt.solver, model.opt.jacobian = solver, jacobian
        if not island:
            model.opt.disableflags |= int(mujoco.mjtDisableBit.mjDSBL_ISLAND)
    a, b = mujoco.MjData(theirs), corten.Data(ours)
    for _ in range(steps):
        mujoco.mj_step(theirs, a)
    what = mujoco.mjtState.mjSTATE_INTEGRATION
    state = np.empty(mujoco.mj_stateSize(theirs, what))
    mujoco.mj_getState(theirs, a, state, what)
    corten.set_state(ours, b, state)
    mujoco.mj_forward(theirs, a)
    corten.forward(ours, b)
    return a, b


@pytest.mark.parametrize("path", MODELS, ids=lambda path: path.stem)
@pytest.mark.parametrize("solver", [PGS, CG, NEWTON])
def test_iterations_report_what_the_oracles_do(path, solver):
    theirs, ours = solved(path, solver, 0, False, 40)
    if theirs.nefc == 0:
        assert ours.nefc == 0 and ours.solver_niter[0] == 0
        return
    # a last iteration may fall on either side of the tolerance; conjugate directions amplify rounding from one
    # iteration to the next, and ours may stop earlier
    more = int(ours.solver_niter[0]) - int(theirs.solver_niter[0])
    assert more <= 1 and (solver == CG or more >= -1)
    for k in range(min(theirs.solver_niter[0], ours.solver_niter[0], 5 if solver == CG else 10)):
        a, b = theirs.solver[k], ours.solver[k]
        # below, both are what rounding leaves
        assert b.improvement == pytest.approx(a.improvement, rel=1e-5, abs=1e-11), k
        assert b.gradient == pytest.approx(a.gradient, rel=1e-5, abs=1e-9), k
        assert b.lineslope == pytest.approx(a.lineslope, rel=1e-4, abs=1e-8), k
        assert (b.nactive, b.nchange) == (a.nactive, a.nchange), k


@pytest.mark.parametrize("path", MODELS, ids=lambda path: path.stem)
@pytest.mark.parametrize("island", [False, True])
@pytest.mark.parametrize("jacobian", [0, 1])
def test_the_size_of_the_matrix(path, island, jacobian):
    for solver in (PGS, CG, NEWTON):
        theirs, ours = solved(path, solver, jacobian, island, 20)
        if solver == NEWTON and jacobian == 1:  # stored in another way: only that there is one
            assert ((ours.solver_nnz > 0) == (theirs.solver_nnz > 0)).all()
        else:
            assert (ours.solver_nnz == theirs.solver_nnz).all(), solver


@pytest.mark.parametrize("integrator", ["Euler", "RK4", "implicit"])
@pytest.mark.parametrize("solver", ["PGS", "CG"])
def test_forward_and_inverse_are_compared_at_the_start_of_a_step(integrator, solver):
    # few iterations: the difference is large
    text = f"""<mujoco><option integrator="{integrator}" solver="{solver}" iterations="4"><flag fwdinv="enable"/></option>
      <worldbody><geom type="plane" size="5 5 1"/><body pos="0 0 0.25"><freejoint/><geom type="box" size="0.3 0.3 0.3"/>
      <body pos="0.5 0 0"><joint damping="1"/><geom size="0.3"/></body></body></worldbody></mujoco>"""
    pair = Pair(text)
    calls = ((mujoco.mj_forward, pair.oracle_model, pair.oracle), (corten.forward, pair.model, pair.data))
    steps = ((mujoco.mj_step, pair.oracle_model, pair.oracle), (corten.step, pair.model, pair.data))
    for call, model, data in calls:
        data.qvel[:] = 0.3
        data.solver_fwdinv[:] = 77
        call(model, data)
        assert (np.asarray(data.solver_fwdinv) == 77).all()  # only steps compare
    for call, model, data in steps:
        call(model, data)
    assert pair.oracle.solver_fwdinv[1] > 1
    assert np.asarray(pair.data.solver_fwdinv) == pytest.approx(pair.oracle.solver_fwdinv, rel=1e-8, abs=1e-8)


@pytest.mark.parametrize("path", MODELS, ids=lambda path: path.stem)
def test_rows_and_solutions(path):
    """tools/solvers in small: every solver, both cones, dense and sparse, with islands and without."""
    report = survey(Pair(path), path.stem, states=3)
    assert report.states + report.empty > 0 and report.left_out == 0
    assert report.ok, report
    # the others end where the oracle's end; how far that is, is theirs
    for tally in report.solvers.values():
        assert len(tally.behind) <= 0.1 * tally.solved, tally.behind


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("cone", CONES)
def test_the_residual_is_what_the_oracles_functions_say(solver, cone):
    pair = Pair(ROOT / "tests" / "models" / "constraint" / "mixed.xml")
    set_variant(pair, solver, cone, "dense", "whole")
    for model in (pair.oracle_model, pair.model):
        model.opt.iterations = 1  # far from solved
    pair.set_random_state(np.random.default_rng(1))
    mujoco.mj_forward(pair.oracle_model, pair.oracle)
    corten.forward(pair.model, pair.data)
    ours = max(corten.kkt_residual(pair.model, pair.data))
    assert ours > 1e-6
    assert ours == pytest.approx(residual(pair, solution(pair.data)), rel=1e-9)


# three sliders, pushed into the limits of tendons between them: a cost of many pieces along every line
def _pushed(seed):
    rng = np.random.default_rng(seed)
    bodies = "".join(
        f'<body pos="{i} 0 0"><joint name="j{i}" type="slide"/><geom size=".1" mass="{rng.uniform(0.5, 2)}"/></body>' for i in range(3)
    )
    tendons = "".join(
        f'<fixed range="{rng.uniform(-0.6, 0)} {rng.uniform(0.02, 0.6)}" margin="0.5" '
        f'solreflimit="{rng.uniform(0.01, 0.1)} {rng.uniform(0.3, 1.5)}">'
        + "".join(f'<joint joint="j{i}" coef="{rng.uniform(-1, 1)}"/>' for i in range(3))
        + "</fixed>"
        for _ in range(12)
    )
    flags = '<option iterations="1"><flag warmstart="disable" contact="disable"/></option>'
    text = f"<mujoco>{flags}<worldbody>{bodies}</worldbody><tendon>{tendons}</tendon></mujoco>"
    return text, rng.uniform(-1, 1, 3), rng.uniform(-3, 3, 3), rng.uniform(-50, 50, 3)


# a chain of hinges with dry friction: lines with kinks far apart, where a Newton step can lead far uphill
def _rubbing(seed):
    rng = np.random.default_rng(seed)
    bodies = "".join(
        f'<body pos="0 0 -.2"><joint axis="{i % 2} {1 - i % 2} 0" frictionloss="{0.1 + 0.1 * i}" armature=".01"/>'
        '<geom type="capsule" fromto="0 0 0 0 0 -.2" size=".02" contype="0" conaffinity="0"/>'
        for i in range(6)
    )
    text = f'<mujoco><option timestep=".004" iterations="5"/><worldbody>{bodies}{"</body>" * 6}</worldbody></mujoco>'
    return text, rng.normal(size=6), 0.05 * rng.normal(size=6), 0.3 * rng.normal(size=6)


@pytest.mark.parametrize("solver", [CG, NEWTON])
@pytest.mark.parametrize("problem", [_pushed, _rubbing])
@pytest.mark.parametrize("iterations", [1, 2, 3, 4, 5, 6, 8, 50])
def test_line_searches_that_are_cut_short(iterations, problem, solver):
    for seed in range(40):
        text, qpos, qvel, force = problem(seed)
        theirs, ours = mujoco.MjModel.from_xml_string(text), corten.Model.from_xml_string(text)
        a, b = mujoco.MjData(theirs), corten.Data(ours)
        for model, data in ((theirs, a), (ours, b)):
            model.opt.solver, model.opt.ls_iterations = solver, iterations
            data.qpos[:], data.qvel[:], data.qfrc_applied[:] = qpos, qvel, force
        mujoco.mj_forward(theirs, a)
        corten.forward(ours, b)
        np.testing.assert_allclose(b.qacc, a.qacc, rtol=1e-9, atol=1e-9 * np.abs(a.qacc).max(), err_msg=str(seed))
        if iterations > 4:  # with fewer points the oracle, too, may end above the start
            assert min((b.solver[k].improvement for k in range(b.solver_niter[0])), default=0) > -1e-9, seed


# Cones bend along a line: a search is over when the slope is small enough, not when it has found the bottom.
@pytest.mark.parametrize("solver", [CG, NEWTON])
@pytest.mark.parametrize("iterations", [1, 2, 3])
def test_line_searches_on_cones(iterations, solver):
    text = """<mujoco><option cone="elliptic"><flag warmstart="disable"/></option><worldbody><geom type="plane" size="5 5 1" friction="0.6"/>
      <body pos="0 0 .1"><freejoint/><geom type="box" size=".2 .15 .1"/></body>
      <body pos="1 0 .15"><freejoint/><geom size=".15" condim="6" friction="0.8 0.02 0.01"/></body></worldbody></mujoco>"""
    theirs, ours = mujoco.MjModel.from_xml_string(text), corten.Model.from_xml_string(text)
    looked = np.zeros(2)
    for seed in range(40):
        rng = np.random.default_rng(seed)
        a, b = mujoco.MjData(theirs), corten.Data(ours)
        qvel, force = rng.normal(size=12), 5 * rng.normal(size=12)
        for model, data in ((theirs, a), (ours, b)):
            model.opt.solver, model.opt.iterations = solver, iterations
            data.qvel[:], data.qfrc_applied[:] = qvel, force
            data.qpos[2] -= 0.002
            data.qpos[9] -= 0.002
        mujoco.mj_forward(theirs, a)
        corten.forward(ours, b)
        points = np.array([[d.solver[k].neval for k in range(iterations)] for d in (a, b)], int)
        assert (np.abs(points[0] - points[1]) <= 1).all(), seed  # the last one may fall on either side
        looked += points.sum(axis=1)
        np.testing.assert_allclose(b.qacc, a.qacc, rtol=1e-9, atol=1e-9 * np.abs(a.qacc).max(), err_msg=str(seed))
    # searches go on for some points, and as long as the oracle's
    assert looked[0] > 40 * 3 and abs(looked[1] / looked[0] - 1) < 0.1, looked
