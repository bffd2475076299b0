"""Shapes that touch exactly, as boxes on tables do in most models: rounding decides whether there are contacts, and it is the oracle's."""

import random

import pytest

mujoco = pytest.importorskip("mujoco", reason="the oracle (mujoco wheel) is not installed")

import corten
import numpy as np

pytestmark = pytest.mark.skipif(corten._core.real != "d", reason="the oracle computes in double")

# How far a shape reaches along its z axis.
REACH = {"plane": lambda s: 0, "sphere": lambda s: s[0], "capsule": lambda s: s[0] + s[1], "cylinder": lambda s: s[1], "box": lambda s: s[2]}
PAIRS = [("plane", "sphere"), ("plane", "capsule"), ("plane", "cylinder"), ("plane", "box"), ("sphere", "sphere"), ("sphere", "capsule"),
         ("sphere", "cylinder"), ("sphere", "box"), ("capsule", "capsule"), ("capsule", "box"), ("cylinder", "cylinder"), ("cylinder", "box"), ("box", "box")]
UPRIGHT = {"x": 'axisangle="0 1 0 90"', "y": 'axisangle="1 0 0 -90"', "z": ""}


def scene(pair, axis, rng):
    """One shape on top of another, by numbers as people write them, edges not flush with edges."""
    def text(numbers):
        return " ".join(f"{x:g}" for x in numbers)

    sizes = [[rng.randint(1, 20) / 100 for _ in range(3)] for _ in pair]
    at = [rng.randint(-10, 10) / 10 for _ in range(3)] if rng.random() < 0.5 else [0, 0, 0]
    to = [x + (rng.randint(-5, 5) / 100 + 0.003 if rng.random() < 0.5 else 0) for x in at]
    to["xyz".index(axis)] = at["xyz".index(axis)] + sum(REACH[kind](size) for kind, size in zip(pair, sizes))
    shapes = [f'type="{kind}" size="{text(size)}" {UPRIGHT[axis]}' for kind, size in zip(pair, sizes)]
    return f'<mujoco><worldbody><geom {shapes[0]} pos="{text(at)}"/><body pos="{text(to)}"><freejoint/><geom {shapes[1]}/></body></worldbody></mujoco>'


@pytest.mark.parametrize("axis", "xyz")
@pytest.mark.parametrize("pair", PAIRS, ids="-".join)
def test_contacts_of_shapes_that_touch(pair, axis):
    if pair == ("capsule", "capsule") and axis != "z":
        pytest.skip("end to end, where both are turned, rounding differs once in a hundred times")
    rng = random.Random(0)
    for _ in range(100):
        for kinds in (pair, pair[::-1]):
            if kinds[1] == "plane":
                continue
            xml = scene(kinds, axis, rng)
            theirs, ours = mujoco.MjModel.from_xml_string(xml), corten.Model.from_xml_string(xml)
            d, e = mujoco.MjData(theirs), corten.Data(ours)
            mujoco.mj_forward(theirs, d)
            corten.forward(ours, e)
            assert (d.ncon, d.nefc) == (e.ncon, e.nefc), xml
            assert np.abs(d.qacc - e.qacc).max() < 1e-6 * max(1, np.abs(d.qacc).max()), xml


def contacts(xml):
    theirs, ours = mujoco.MjModel.from_xml_string(xml), corten.Model.from_xml_string(xml)
    d, e = mujoco.MjData(theirs), corten.Data(ours)
    mujoco.mj_forward(theirs, d)
    corten.forward(ours, e)
    return [np.array([[c.dist, *c.pos, *c.frame[:3]] for c in (data.contact[i] for i in range(data.ncon))]) for data in (d, e)]


@pytest.mark.parametrize("turn", ["1 0 0 0", ".5 .5 .5 .5", "0 1 0 0", "0 0 1 0"])
@pytest.mark.parametrize("shape", ['type="sphere" size=".5"', 'type="capsule" size=".125 .25"', 'type="cylinder" size=".25 .25"',
                                   'type="box" size=".25 .25 .25"', 'type="box" size=".25 .5 .125"'])  # fmt: skip
def test_a_ball_in_the_middle_leaves_on_the_same_side(shape, turn):
    for at in ([0, 0, 0], [0.125, 0, 0], [0, -0.125, 0], [0, 0, 0.25], [0.125, 0.125, 0.125], [0, 0.25, -0.25], [0, -0.125, -0.5]):
        ball, other = 'type="sphere" size=".25"', f'{shape} quat="{turn}"'
        for first, second in ((ball, other), (other, ball)):
            theirs, ours = contacts(f'<mujoco><worldbody><geom {first}/><body pos="{at[0]} {at[1]} {at[2]}"><freejoint/><geom {second}/></body></worldbody></mujoco>')
            np.testing.assert_allclose(ours, theirs, atol=1e-9, err_msg=f"{first} {second} {at}")


@pytest.mark.parametrize("shape", ['type="sphere" size=".25"', 'type="capsule" size=".25 .5"', 'type="box" size=".25 .25 .25"',
                                   'type="box" size=".25 .5 .125"'])  # fmt: skip
def test_a_triangle_through_the_middle_leaves_on_the_same_side(shape):
    for at in ([0, 0, 0], [0.125, 0, 0], [0, 0, 0.125], [0.125, 0.125, 0], [0.25, 0.25, 0]):
        theirs, ours = contacts(f"""<mujoco><worldbody>
          <body name="b"><flexcomp name="f" type="direct" dim="2" point="0 0 0 .5 0 0 0 .5 0" element="0 1 2" rigid="true" radius=".0625" mass="1"/></body>
          <body pos="{at[0]} {at[1]} {at[2]}"><freejoint/><geom {shape}/></body></worldbody></mujoco>""")
        np.testing.assert_allclose(ours, theirs, atol=1e-9, err_msg=f"{shape} {at}")
