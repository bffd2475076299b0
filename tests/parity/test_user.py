"""Actuators and sensors that the user computes, beside the oracle's global callbacks."""

import numpy as np
import pytest

mujoco = pytest.importorskip("mujoco", reason="the oracle (mujoco wheel) is not installed")

import corten

XML = """<mujoco><option integrator="{integrator}"/><worldbody>
  <body><joint name="a" axis="0 1 0" damping=".1"/><geom size=".1" pos=".3 0 0"/>
    <body pos=".3 0 0"><joint name="b" axis="1 0 0"/><geom size=".1" pos=".3 .1 0"/></body></body></worldbody>
  <actuator>
    <general joint="a" dyntype="user" gaintype="user" biastype="user" ctrlrange="-1 1"/>
    <general joint="b" dyntype="user" gainprm="3" biastype="affine" biasprm="1 -2 -.1" actearly="true" actrange="-.5 .5"/>
    <general joint="b" dyntype="filter" dynprm=".1" gaintype="user"/>
    <general name="last" joint="a" gaintype="affine" gainprm="1 2 3" biastype="user" forcerange="-.2 .2"/>
  </actuator>
  <sensor><user dim="3" needstage="vel"/><actuatorfrc actuator="last"/></sensor></mujoco>"""


def rate(m, d, i):
    return np.sin(d.qpos[i % 2]) + d.ctrl[i]


def gain(m, d, i):
    return 1 + i + d.qvel[0] ** 2


def bias(m, d, i):
    return np.cos(d.time + i)


def numbers(m, d, i):
    return [d.time, d.qvel[0], d.qpos[1]]


SETTERS = [mujoco.set_mjcb_act_dyn, mujoco.set_mjcb_act_gain, mujoco.set_mjcb_act_bias, mujoco.set_mjcb_sensor]


@pytest.fixture
def callbacks_cleared():
    yield
    for setter in SETTERS:
        setter(None)


def sense(m, d, stage):
    if stage == mujoco.mjtStage.mjSTAGE_VEL.value:
        d.sensordata[:3] = numbers(m, d, 0)


@pytest.mark.parametrize("integrator", ["Euler", "RK4", "implicit", "implicitfast"])
def test_user_actuators(integrator, callbacks_cleared):
    xml = XML.format(integrator=integrator)
    theirs, ours = mujoco.MjModel.from_xml_string(xml), corten.Model.from_xml_string(xml)
    for setter, function in zip(SETTERS, [rate, gain, bias, sense]):
        setter(function)
    ours.set_callbacks(sensor=numbers, dyn=rate, gain=gain, bias=bias)
    a, b = mujoco.MjData(theirs), corten.Data(ours)
    rng = np.random.default_rng(0)
    for d in (a, b):
        d.qvel[:] = [0.3, -0.4]
    for _ in range(100):
        a.ctrl[:] = b.ctrl[:] = rng.normal(size=4)
        mujoco.mj_step(theirs, a)
        corten.step(ours, b)
    for name in ("qpos", "qvel", "act", "act_dot", "actuator_force", "sensordata"):
        np.testing.assert_allclose(getattr(b, name), getattr(a, name), rtol=1e-9, atol=1e-9, err_msg=name)
