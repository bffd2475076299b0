"""Bodies that are held with the mouse: forces and places of an MjvPerturb are those of MuJoCo."""

import numpy as np
import pytest

import corten.mujoco as door

theirs = pytest.importorskip("mujoco", reason="the mujoco wheel is not installed")

XML = """<mujoco><worldbody>
  <body pos=".5 0 .2" euler="10 20 30"><freejoint/><geom type="box" size=".1 .2 .3" pos=".03 .02 .01" euler="30 10 5"/>
    <body pos=".2 .1 0"><joint/><geom size=".05" pos=".1 0 0"/></body></body>
  <body mocap="true" pos="1 1 1" euler="0 0 40"><geom type="box" size=".1 .2 .3" pos=".1 0 0" euler="10 0 0"/></body>
  <body pos="0 0 3"><geom size=".1"/></body></worldbody></mujoco>"""


def hold(kind, numbers, select, active, active2, paused):
    """What a hand makes of a body, in one of the modules."""
    model = kind.MjModel.from_xml_string(XML)
    data, pert, scene, camera = kind.MjData(model), kind.MjvPerturb(), kind.MjvScene(model, 100), kind.MjvCamera()
    data.qvel[:] = numbers[:7]
    kind.mj_forward(model, data)
    pert.select, pert.localpos, camera.distance = select, [0.1, 0.05, 0.02], 3
    kind.mjv_updateScene(model, data, kind.MjvOption(), pert, camera, kind.mjtCatBit.mjCAT_ALL, scene)
    kind.mjv_initPerturb(model, data, scene, pert)
    begun = [pert.refpos.copy(), pert.refquat.copy(), pert.refselpos.copy(), [pert.localmass]]
    scale = pert.scale
    pert.active, pert.active2 = active, active2
    pert.refselpos, pert.refpos = pert.refselpos + numbers[7:10], pert.refpos + numbers[10:13]
    if numbers[13:].any():
        pert.refquat = numbers[13:] / np.linalg.norm(numbers[13:])
    kind.mjv_applyPerturbForce(model, data, pert)
    kind.mjv_applyPerturbPose(model, data, pert, paused)
    return np.concatenate([*begun, data.xfrc_applied.ravel(), data.qpos, data.mocap_pos.ravel(), data.mocap_quat.ravel()]), scale


@pytest.mark.parametrize("select", range(5))
@pytest.mark.parametrize("active, active2", [(0, 0), (1, 0), (2, 0), (3, 0), (0, 1), (0, 2)])
def test_forces_and_places_are_those_of_mujoco(select, active, active2):
    for seed in range(4):
        numbers = np.random.default_rng(seed).normal(size=17) if seed else np.zeros(17)  # at first nothing moves
        for paused in (0, 1):
            (ours, scale), (expected, their_scale) = (hold(kind, numbers, select, active, active2, paused) for kind in (door, theirs))
            assert ours == pytest.approx(expected, rel=1e-9, abs=1e-9)
            assert scale == pytest.approx(their_scale, rel=1e-6)  # pictures are in single precision


def test_what_is_no_perturbation_is_refused():
    model = door.MjModel.from_xml_string(XML)
    with pytest.raises(TypeError, match="MjvPerturb"):
        door.mjv_applyPerturbForce(model, door.MjData(model), None)
    pert = door.MjvPerturb()
    pert.select, pert.active = 99, 1  # there is no such body
    data = door.MjData(model)
    door.mjv_applyPerturbForce(model, data, pert)
    assert not data.xfrc_applied.any()
