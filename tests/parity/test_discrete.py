"""The discrete integrator beside the oracle, without deformables: metric, rows, accelerations, steps, inverse."""

import numpy as np
import pytest

mujoco = pytest.importorskip("mujoco", reason="the oracle (mujoco wheel) is not installed")

import corten

METRIC = "efm_c efm_diag efm_ck efm_sdiag efm_fluid efm_ca".split()
ROWS = "efc_KBIP efc_diagA efc_R efc_D efc_vel efc_aref".split()
PGS, CG, NEWTON = 0, 1, 2

LINKS = """<mujoco><option timestep=".01" integrator="discrete" {option}/><worldbody>
  <body pos="0 0 1"><joint name="hinge" axis="0 1 0" stiffness="3" damping=".2"/>
    <geom type="capsule" size=".05" fromto="0 0 0 .3 0 0" {geom}/><site name="a" pos=".3 0 0"/>
    <body pos=".3 0 0"><joint type="ball" stiffness="2" damping=".3"/><geom type="box" size=".1 .05 .02" pos=".1 0 0" {geom}/>
      <site name="b" pos=".2 0 0"/></body></body>
  <body pos="0 .5 1"><joint name="slide" type="slide" axis="1 0 0" stiffness="40" damping="1"/><geom size=".06" {geom}/>
    <site name="c"/></body>
  <body pos="0 -.6 1"><freejoint/><geom type="box" size=".1 .06 .03" {geom}/><site name="d"/></body></worldbody>
  <tendon><spatial name="taut" stiffness="30" damping=".5" springlength=".1"><site site="b"/><site site="c"/></spatial>
    <fixed name="sum" stiffness="5" damping=".1"><joint joint="hinge" coef="1"/><joint joint="slide" coef="2"/></fixed>
    <spatial stiffness="30" springlength="0 5"><site site="a"/><site site="d"/></spatial></tendon>
  <actuator><position joint="hinge" kp="20" kv="1"/><velocity joint="slide" kv="3"/><motor joint="hinge"/>
    <position tendon="taut" kp="10" dampratio=".5"/>
    <general joint="slide" gaintype="affine" gainprm="1 2 3" biastype="affine" biasprm="0 -1 -2"/>
    <muscle joint="hinge" lengthrange="-1 1" ctrllimited="true" ctrlrange="0 1"/>
    <position joint="hinge" kp="300" forcerange="-1 1"/></actuator>
  <equality><joint joint1="hinge" joint2="slide" polycoef="0 .5 0 0 0"/></equality></mujoco>"""

TOUCHING = """<mujoco><option timestep="{h}" integrator="discrete"/><worldbody><geom type="plane" size="5 5 .1"/>
  <body pos="0 0 .09"><freejoint/><geom type="box" size=".1 .1 .1" condim="{condim}" friction=".8 .01 .001"/></body>
  <body pos=".5 0 .1" euler="3 5 0"><freejoint/><geom type="capsule" size=".05 .1" condim="{condim}"/></body>
  <body pos="0 1 .5"><joint name="h" axis="0 1 0" limited="true" range="-20 5" frictionloss=".3" stiffness="5" damping=".1"/>
    <geom type="capsule" size=".04" fromto="0 0 0 .3 0 0"/>
    <body pos=".3 0 0"><joint type="ball" limited="true" range="0 5" damping=".02" stiffness=".5"/><geom size=".05"/></body></body>
  <body pos="1 1 .5"><joint name="s" type="slide" axis="0 0 1" limited="true" range="-.1 .01" damping="3"/><geom size=".05"/>
  </body></worldbody>
  <tendon><fixed limited="true" range="-.1 .02" frictionloss=".2" stiffness="3" damping=".4">
    <joint joint="h" coef="1"/><joint joint="s" coef="1"/></fixed></tendon>
  <equality><joint joint1="h" joint2="s" polycoef="0 1 0 0 0"/></equality></mujoco>"""


def error(theirs, ours):
    a, b = np.asarray(theirs, float).ravel(), np.asarray(ours, float).ravel()
    assert a.shape == b.shape
    return np.abs(a - b).max(initial=0) / max(1, np.abs(a).max(initial=0))


def compare(xml, seed, solver=NEWTON, cone=0, disable=0, enable=0, noslip=0):
    models = mujoco.MjModel.from_xml_string(xml), corten.Model.from_xml_string(xml)
    for m in models:
        m.opt.solver, m.opt.cone, m.opt.noslip_iterations = solver, cone, noslip
        m.opt.disableflags |= disable
        m.opt.enableflags |= enable
        m.opt.tolerance, m.opt.iterations, m.opt.ls_tolerance, m.opt.ls_iterations = 1e-14, 500, 1e-6, 100
    rng = np.random.RandomState(seed)
    theirs, ours = mujoco.MjData(models[0]), corten.Data(models[1])
    mujoco.mj_integratePos(models[0], theirs.qpos, 0.1 * rng.randn(models[0].nv), 1)
    theirs.qvel[:] = 0.5 * rng.randn(models[0].nv)
    theirs.ctrl[:] = rng.randn(models[0].nu)
    theirs.act[:] = rng.rand(models[0].na)
    for name in "qpos qvel ctrl act".split():
        getattr(ours, name)[:] = getattr(theirs, name)
    mujoco.mj_forward(models[0], theirs)
    corten.forward(models[1], ours)
    for name in "nefc nisland nefmT nefmA efm_active".split():
        assert getattr(theirs, name) == getattr(ours, name), name
    lists = {"efm_ts": theirs.nefmT, "efm_tk": theirs.nefmT, "efm_as": theirs.nefmA, "efm_ak": theirs.nefmA}
    wrong = {name: error(getattr(theirs, name)[:n], getattr(ours, name)[:n]) for name, n in lists.items()}
    wrong |= {name: error(getattr(theirs, name), getattr(ours, name)) for name in METRIC + (ROWS if theirs.nefc else [])}
    assert not {name: size for name, size in wrong.items() if not size < 1e-10}
    # both solvers end at a tolerance; rows multiply what is left by their stiffness
    for name, enough in {"qacc_smooth": 1e-10, "qacc": 1e-8, "qfrc_constraint": 1e-7}.items():
        assert error(getattr(theirs, name), getattr(ours, name)) < enough, name
    mujoco.mj_inverse(models[0], theirs)
    corten.inverse(models[1], ours)
    assert error(theirs.qfrc_inverse, ours.qfrc_inverse) < 1e-5
    for _ in range(10):
        mujoco.mj_step(models[0], theirs)
        corten.step(models[1], ours)
    assert error(theirs.qpos, ours.qpos) < 1e-7 and error(theirs.qvel, ours.qvel) < 1e-6


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("solver", [PGS, CG, NEWTON])
def test_springs_dampers_and_actuators(solver, seed):
    compare(LINKS.format(option="", geom=""), seed, solver)


@pytest.mark.parametrize("geom", ["", 'fluidshape="ellipsoid"'])
@pytest.mark.parametrize("seed", range(3))
def test_fluid(geom, seed):
    compare(LINKS.format(option='density="100" viscosity=".5"', geom=geom), seed)


@pytest.mark.parametrize("disable", [1 << 5, 1 << 6, 1 << 11, 1 << 15])
def test_switched_off(disable):
    compare(LINKS.format(option="", geom=""), 1, disable=disable)


@pytest.mark.parametrize("cone", [0, 1])
@pytest.mark.parametrize("condim", [1, 3, 4, 6])
@pytest.mark.parametrize("solver", [PGS, CG, NEWTON])
def test_rows(solver, condim, cone):
    compare(TOUCHING.format(h=0.005, condim=condim), condim, solver, cone)


@pytest.mark.parametrize("cone", [0, 1])
@pytest.mark.parametrize("condim", [1, 3, 6])
def test_rows_that_a_long_step_cannot_follow(condim, cone):
    compare(TOUCHING.format(h=0.03, condim=condim), condim, NEWTON, cone)
    compare(TOUCHING.format(h=0.03, condim=condim), condim, NEWTON, cone, noslip=3)


@pytest.mark.parametrize("solver", [PGS, NEWTON])
def test_exact_diagonal(solver):
    compare(TOUCHING.format(h=0.005, condim=3), 3, solver, enable=1 << 3)
    compare(LINKS.format(option="", geom=""), 2, solver, enable=1 << 3)


def test_a_stiff_spring_does_not_explode():
    xml = """<mujoco><option timestep=".05" integrator="discrete" gravity="0 0 0"/><worldbody><body>
      <joint type="slide" axis="1 0 0" stiffness="400" damping="2"/><geom size=".1" mass="1"/></body></worldbody></mujoco>"""
    m = corten.Model.from_xml_string(xml)
    d = corten.Data(m)
    d.qpos[0] = 0.1
    corten.step(m, d)
    # v+ = h (-k x) / (m + h b + h^2 k)
    assert d.qvel[0] == pytest.approx(-0.05 * 40 / (1 + 0.1 + 1), rel=1e-14)


def test_halves_of_a_step_are_the_step():
    m = corten.Model.from_xml_string(TOUCHING.format(h=0.005, condim=3))
    whole, halves = corten.Data(m), corten.Data(m)
    for _ in range(20):
        corten.step(m, whole)
        corten.step1(m, halves)
        corten.step2(m, halves)
    assert np.array_equal(whole.qpos, halves.qpos) and np.array_equal(whole.qvel, halves.qvel)


def test_finite_differences():
    xml = LINKS.format(option="", geom="")
    theirs, ours = mujoco.MjModel.from_xml_string(xml), corten.Model.from_xml_string(xml)
    d, e = mujoco.MjData(theirs), corten.Data(ours)
    nx = 2 * theirs.nv + theirs.na
    A = np.zeros((nx, nx))
    mujoco.mjd_transitionFD(theirs, d, 1e-6, True, A, None, None, None)
    result = corten.transition_fd(ours, e, eps=1e-6, centered=True)
    assert np.asarray(result[0] if isinstance(result, tuple) else result.A) == pytest.approx(A, abs=1e-6)
