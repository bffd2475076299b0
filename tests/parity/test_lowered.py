"""Numbers that are worked out from the words of an element are MuJoCo's, to the last bit where they are single."""

import itertools

import corten
import numpy as np
import pytest

mujoco = pytest.importorskip("mujoco", reason="the mujoco wheel is not installed")

BODY = '<worldbody><body><joint name="j"/><geom size=".1"/></body></worldbody>'
NOMINAL = ("12 0 600", "12 .6 600", "12 .6", "12 .06 600")
CLASSES = ("", "<general damping='1e-4'/>", "<dcmotor damping='1e-4' motorconst='.02' resistance='.4'/>", "<dcmotor damping='1e-4' nominal='12 .6 600'/>")


def load(module, text):
    try:
        return module.from_xml_string(f"<mujoco>{text}</mujoco>")
    except (ValueError, corten.Error):
        return None


@pytest.mark.parametrize("nominal", NOMINAL)
@pytest.mark.parametrize("default", CLASSES)
def test_the_nominal_point_of_a_motor(default, nominal):
    loaded = 0
    for resistance, constant, damping in itertools.product(
        ("", 'resistance=".4"'), ("", 'motorconst=".03"', 'motorconst=".03 .01"', 'motorconst="0 .01"'), ("", 'damping="1e-4"', 'damping="1e-2"', 'damping="0 1e-3"')
    ):  # fmt: skip
        motor = f'<dcmotor joint="j" nominal="{nominal}" {resistance} {constant} {damping}/>'
        text = f"<default>{default}</default>{BODY}<actuator>{motor}</actuator>"
        ours, theirs = load(corten.Model, text), load(mujoco.MjModel, text)
        assert (ours is None) == (theirs is None), motor
        if ours is not None:
            loaded += 1
            assert np.allclose(ours.actuator_gainprm, theirs.actuator_gainprm, rtol=1e-14, atol=0), motor
    assert loaded >= 12


def test_the_lens_of_a_camera_in_pixels():
    rng = np.random.default_rng(0)
    for _ in range(100):
        focal, principal = rng.uniform(1, 1500, (2, 2))
        width, height = rng.integers(10, 4000, 2)
        size = rng.uniform(0.001, 0.1, 2)
        text = (
            f'<worldbody><camera focalpixel="{focal[0]} {focal[1]}" principalpixel="{principal[0]} {principal[1]}" resolution="{width} {height}" '
            f'sensorsize="{size[0]} {size[1]}"/></worldbody>'
        )
        assert np.array_equal(load(corten.Model, text).cam_intrinsic, load(mujoco.MjModel, text).cam_intrinsic), text
