"""Models whose numbers were changed after compiling: what update() makes of them, beside mj_setConst()."""
import mujoco
import numpy as np
import pytest
from compare import compare_models, lookup

import corten

TEXT = """<mujoco>
<asset><mesh name="tet" vertex="0 0 0 .2 0 0 0 .3 0 0 0 .4"/>
  <hfield name="hill" nrow="3" ncol="3" size="1 2 .3 .1" elevation="0 0 0 0 1 0 0 0 0"/></asset>
<worldbody>
  <geom type="plane" size="2 2 .1"/><geom type="hfield" hfield="hill" pos="9 0 0"/><geom type="box" size=".1 .1 .1" pos="1 1 1"/>
  <site name="ws"/><light pos="0 0 3" dir="0 0 -1"/><camera pos="0 -2 1"/>
  <body name="a" pos="0 0 1"><joint name="ja" axis="0 1 0" stiffness="2"/><geom size=".1" fluidshape="ellipsoid"/>
    <geom type="box" size=".1 .2 .1" pos="0 0 .3"/><geom type="ellipsoid" size=".1 .2 .1" pos=".3 0 0" fluidshape="ellipsoid"/>
    <site name="sa" pos=".1 0 0"/><light mode="trackcom" pos="0 0 1"/>
    <body name="b" pos="0 0 .5" quat=".9 .1 .1 .1"><joint name="jb" type="ball" pos="0 .1 0"/><geom type="capsule" size=".05 .1"/>
      <geom type="cylinder" size=".05 .1" contype="0" conaffinity="0"/><site name="sb"/><camera mode="track" pos="0 0 .4"/></body></body>
  <body name="c" pos="2 0 1" simple="false"><freejoint/><geom type="box" size=".1 .2 .3"/><site name="sc"/></body>
  <body name="d" pos="3 0 1" simple="false"><joint name="jd" type="slide"/><geom size=".1"/></body>
  <body name="e" pos="4 0 1"><joint name="je"/><geom type="mesh" mesh="tet"/><geom type="box" mesh="tet"/><site name="se"/></body>
  <flexcomp name="f" type="grid" dim="2" count="3 3 1" spacing=".1 .1 .1" pos="0 0 3" radius=".02" mass="1"><edge equality="true"/></flexcomp>
</worldbody>
<tendon><spatial name="t" stiffness="3"><site site="sa"/><site site="sc"/></spatial>
  <fixed name="tf"><joint joint="ja" coef="2"/><joint joint="jd" coef="3"/></fixed></tendon>
<equality><connect body1="b" body2="c" anchor="0 .1 .2"/><weld body1="a" body2="d"/><joint joint1="ja" joint2="jd"/>
  <weld body1="b" body2="e" anchor=".1 0 0" relpose="0 0 1 1 .1 0 0"/><connect site1="sa" site2="sb"/></equality>
<actuator><position joint="ja" kp="10" dampratio="1"/><motor tendon="t"/><motor joint="ja" gear="2"/><position joint="jd" kp="3" kv="2"/>
  <general site="sc" gear="1 0 0 0 1 0"/></actuator>
</mujoco>"""

# what mj_setConst() reads
INPUTS = """qpos0 body_pos body_quat body_ipos body_iquat body_mass body_inertia body_gravcomp jnt_pos jnt_axis dof_armature geom_size
  geom_pos geom_quat geom_margin geom_gap geom_surfacevel geom_adhesion site_pos site_quat cam_pos cam_quat light_pos light_dir
  hfield_size tendon_stiffness tendon_armature actuator_gear actuator_damping actuator_armature""".split()
ROTATIONS = [name for name in INPUTS if name.endswith("quat")]


def both():
    return mujoco.MjModel.from_xml_string(TEXT), corten.Model.from_xml_string(TEXT)


def check(theirs, ours):
    mujoco.mj_setConst(theirs, mujoco.MjData(theirs))
    ours.update()
    known = {"efmC_perm", "nefmCvert"}  # patterns of the oracle's solver for deformables
    worse = [row for row in compare_models(ours, theirs) if row.error > row.tolerance and row.field not in known]
    assert not worse


@pytest.mark.parametrize("name", INPUTS)
def test_fields_that_were_changed(name):
    theirs, ours = both()
    values = before = lookup(theirs, name).copy()
    values = values * 1.2 + np.random.default_rng(0).uniform(0.01, 0.05, values.shape)
    if name in ROTATIONS:
        values /= np.linalg.norm(values, axis=1, keepdims=True)
    if name in ("body_ipos", "body_iquat"):
        values[6:] = before[6:]  # the vertices of the deformable are simple
    for model in (theirs, ours):
        lookup(model, name)[...] = values
    check(theirs, ours)


@pytest.mark.parametrize("offset", [0, 5e-7, 2e-6, 0.1])
@pytest.mark.parametrize("kind", ["geom", "site"])
def test_frames_that_meet_and_part(kind, offset):
    # on that of the body, on its inertial frame, and beside them
    theirs, ours = both()
    for model in (theirs, ours):
        pos, quat = getattr(model, f"{kind}_pos"), getattr(model, f"{kind}_quat")
        body = getattr(model, f"{kind}_bodyid")[-1]
        model.body_iquat[body] = [-0.6, -0.8, 0, 0]
        pos[-1], quat[-1] = model.body_ipos[body] + [offset, 0, 0], [0.6, 0.8, 0, 0]
        pos[1], quat[1] = [0, offset, 0], [1, 0, 0, 0]
    check(theirs, ours)


def test_shapes_that_become_round_stir_no_fluid():
    theirs, ours = both()
    for model in (theirs, ours):
        model.geom_size[5] = 0.1
    check(theirs, ours)


@pytest.mark.parametrize("field", ["body_ipos", "body_iquat"])
def test_simple_bodies_stay_simple(field):
    text = """<mujoco><worldbody><body name="box"><freejoint/><geom size=".1"/></body></worldbody></mujoco>"""
    theirs, ours = mujoco.MjModel.from_xml_string(text), corten.Model.from_xml_string(text)
    for model in (theirs, ours):
        getattr(model, field)[1] = [0.6, 0.8, 0, 0][: getattr(model, field).shape[1]]
    with pytest.raises(mujoco.FatalError, match="compiled as simple"):
        mujoco.mj_setConst(theirs, mujoco.MjData(theirs))
    with pytest.raises(corten.Error, match='body 1 ."box". was compiled as simple'):
        ours.update()


def test_what_was_moved_is_seen_where_it_is():
    text = """<mujoco><worldbody><body><joint/><geom size=".1"/><geom size=".1" pos="0 0 1"/><site/></body></worldbody></mujoco>"""
    theirs, ours = mujoco.MjModel.from_xml_string(text), corten.Model.from_xml_string(text)
    places = []
    for model in (theirs, ours):
        model.geom_pos[0, 1], model.site_pos[0, 1] = 0.3, 0.2
    check(theirs, ours)
    for model, data, forward in ((theirs, mujoco.MjData(theirs), mujoco.mj_forward), (ours, corten.Data(ours), corten.forward)):
        forward(model, data)
        places.append(np.vstack([data.geom_xpos, data.site_xpos, data.xipos]))
    np.testing.assert_allclose(places[1], places[0], atol=1e-15)
