"""Finite differences beside the oracle's, and the analytic velocity derivative against differences."""

import pathlib

import numpy as np
import pytest

mujoco = pytest.importorskip("mujoco", reason="the oracle (mujoco wheel) is not installed")

import corten

pytestmark = pytest.mark.skipif(corten._core.real != "d", reason="the oracle computes in double")

ROOT = pathlib.Path(__file__).resolve().parents[2]
MODELS = [ROOT / "models" / "humanoid.xml"] + [
    path for folder in ("smooth", "constraint", "solver", "sensors") for path in sorted((ROOT / "tests" / "models" / folder).glob("*.xml"))]


def pair(path, steps=60):
    theirs, ours = mujoco.MjModel.from_xml_path(str(path)), corten.Model.from_xml_path(str(path))
    # early stops of the solver would show as noise of both
    for m in (theirs, ours):
        m.opt.tolerance = 0
        m.opt.iterations = 50
    oracle, data = mujoco.MjData(theirs), corten.Data(ours)
    rng = np.random.default_rng(1)
    for _ in range(steps):
        oracle.ctrl[:] = 0.3 * rng.normal(size=theirs.nu)
        mujoco.mj_step(theirs, oracle)
    mujoco.mj_forward(theirs, oracle)
    for name in ("qpos", "qvel", "act", "ctrl", "qacc", "qacc_warmstart", "history", "plastic"):
        if np.size(getattr(oracle, name)):
            getattr(data, name)[:] = getattr(oracle, name)
    data.time = oracle.time
    return theirs, oracle, ours, data


def same(a, b, tolerance):
    return a.size == 0 or np.abs(a - b).max() <= tolerance * max(1, np.abs(a).max())


@pytest.mark.parametrize("path", MODELS, ids=lambda path: path.stem)
@pytest.mark.parametrize("centered", [False, True], ids=["forward", "centered"])
def test_transition(path, centered):
    theirs, oracle, ours, data = pair(path)
    nx, nu, ns = 2 * theirs.nv + theirs.na, theirs.nu, theirs.nsensordata
    expected = [np.zeros((nx, nx)), np.zeros((nx, nu)), np.zeros((ns, nx)), np.zeros((ns, nu))]
    got = corten.transition_fd(ours, data, 1e-6, centered)
    if ours.nplastic:
        return  # the oracle's numbers are wrong there; see test_yielding_springs
    try:
        mujoco.mjd_transitionFD(theirs, oracle, 1e-6, centered, *expected)
    except mujoco.FatalError as refused:
        assert "RK4" in str(refused) or "delay" in str(refused) or "history" in str(refused).lower()
        assert all(np.isfinite(x).all() for x in got)
        return
    for name, a, b in zip("ABCD", expected, got):
        assert same(a, b, 1e-6), (name, np.abs(a - b).max())


# Where a difference is not a derivative: both are right, and differ.
KINKS = {
    "straight_tendon": "the gradient of a straight tendon jumps",
    "rays": "a ray that passes the edge of a shape",
    "wrench": "contacts found by iteration: their last digits, divided by eps",
}


@pytest.mark.parametrize("path", [path for path in MODELS if path.stem not in KINKS], ids=lambda path: path.stem)
def test_inverse(path):
    theirs, oracle, ours, data = pair(path)
    nv, ns = theirs.nv, theirs.nsensordata
    for actuation in (False, True):
        expected = [np.zeros((nv, nv)) for _ in range(3)] + [np.zeros((nv, ns)) for _ in range(3)] + [np.zeros((nv, theirs.nC))]
        try:
            mujoco.mjd_inverseFD(theirs, oracle, 1e-6, actuation, *expected)
        except mujoco.FatalError as refused:
            assert "RK4" in str(refused) or "noslip" in str(refused)
            return
        oracle.qacc[:] = data.qacc
        got = corten.inverse_fd(ours, data, 1e-6, actuation)
        for name, a, b in zip(("fq", "fv", "fa", "sq", "sv", "sa", "mq"), expected, got):
            assert same(a, b, 1e-6), (actuation, name, np.abs(a - b).max())


# Models without tendons and inner states of motors, whose part MuJoCo's derivative leaves out or simplifies.
FREE = ("humanoid", "fluid_box", "fluid_ellipsoid", "gyroscope", "springs_poly", "actuator_servo", "actuator_muscle", "gravcomp",
        "transmission_joint", "transmission_site")


@pytest.mark.parametrize("path", [path for path in MODELS if path.stem in FREE], ids=lambda path: path.stem)
def test_velocity_derivative_is_that_of_differences(path):
    theirs, oracle, ours, data = pair(path)
    corten.forward(ours, data)
    analytic = corten.smooth_velocity_derivative(ours, data)
    smooth, v = np.zeros((ours.nv, ours.nv)), data.qvel.copy()
    for i in range(ours.nv):
        sides = []
        for step in (1e-6, -1e-6):
            data.qvel[:] = v
            data.qvel[i] += step
            corten.forward(ours, data)
            sides.append(data.qfrc_passive + data.qfrc_actuator - data.qfrc_bias)
        smooth[:, i] = (sides[0] - sides[1]) / 2e-6
    assert same(smooth, analytic, 2e-6), np.abs(smooth - analytic).max()


def test_yielding_springs():
    # beyond its yield the rest position follows: the spring is a constant force, and the step a shift of both
    m = corten.Model.from_xml_string("""<mujoco><option timestep="0.01" gravity="0 0 0"/><worldbody><body><joint type="slide" stiffness="10" springyield=".1"/>
      <geom size=".1" mass="1"/></body></worldbody></mujoco>""")
    d = corten.Data(m)
    assert m.nplastic > 0
    d.qpos[0] = 0.05
    A = corten.transition_fd(m, d, 1e-6, True)[0]
    assert A == pytest.approx(np.array([[1 - 10e-4, 0.01], [-0.1, 1]]), abs=1e-8)


def test_ranges_of_controls():
    text = """<mujoco><worldbody><body><joint/><geom size=".1"/></body></worldbody>
      <actuator><motor joint="" ctrlrange="-1 1" ctrllimited="true"/></actuator></mujoco>""".replace('joint=""', 'joint="j"').replace("<joint/>", '<joint name="j"/>')
    theirs, ours = mujoco.MjModel.from_xml_string(text), corten.Model.from_xml_string(text)
    oracle, data = mujoco.MjData(theirs), corten.Data(ours)
    for u in (-2, -1, -1 + 5e-7, 0, 1 - 5e-7, 1, 2):
        for centered in (False, True):
            oracle.ctrl[0] = data.ctrl[0] = u
            B = np.zeros((2, 1))
            mujoco.mjd_transitionFD(theirs, oracle, 1e-6, centered, None, B, None, None)
            assert corten.transition_fd(ours, data, 1e-6, centered)[1] == pytest.approx(B, abs=1e-9), (u, centered)


def test_rotations():
    rng = np.random.default_rng(3)
    for k in range(200):
        a, b = (q / np.linalg.norm(q) for q in rng.normal(size=(2, 4)))
        if k % 4 == 0:  # close to each other
            b = a + 1e-7 * rng.normal(size=4)
            b /= np.linalg.norm(b)
        Da, Db = np.zeros(9), np.zeros(9)
        mujoco.mjd_subQuat(b, a, Da, Db)
        by_start, by_end = corten.quat_difference_derivative(a, b)
        assert by_end.ravel() == pytest.approx(Da, abs=1e-9) and by_start.ravel() == pytest.approx(Db, abs=1e-9)
        v, h = rng.normal(size=3), 10.0 ** rng.uniform(-6, 0.5)
        Dq, Dv, Dh = np.zeros(9), np.zeros(9), np.zeros(3)
        mujoco.mjd_quatIntegrate(v, h, Dq, Dv, Dh)
        by_quat, by_turn = corten.quat_integration_derivative(v, h)
        assert by_quat.ravel() == pytest.approx(Dq, abs=1e-12) and by_turn.ravel() == pytest.approx(Dv, abs=1e-9)
