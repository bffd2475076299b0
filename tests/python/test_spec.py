"""Specs: building and changing models from Python."""

import copy
import pathlib
import runpy

import corten
import numpy as np
import pytest


def arm():
    return corten.Spec.from_xml_string("""
    <mujoco model="arm"><compiler angle="radian"/>
      <default><default class="thin"><geom size=".02"/></default></default>
      <asset><material name="red" rgba="1 0 0 1"/></asset>
      <worldbody><body name="arm"><joint name="hip" range="-1 1"/><geom name="g" size=".1" material="red"/>
        <body name="fore" childclass="thin"><joint name="elbow"/><geom/></body></body></worldbody>
      <actuator><motor name="drive" joint="hip"/></actuator>
      <sensor><jointpos name="bend" joint="elbow"/></sensor>
    </mujoco>""")


def same(a, b):
    for field in ("body_pos", "body_mass", "geom_size", "jnt_range", "qpos0", "actuator_gear", "names"):
        np.testing.assert_array_equal(getattr(a, field), getattr(b, field), field)


def test_a_model_built_by_code_equals_the_one_of_the_text():
    spec = corten.Spec()
    spec.modelname = "arm"
    spec.compiler.angle = "radian"
    thin = spec.default().add("thin")
    thin.geom.size = 0.02
    red = spec.add("asset/material", name="red", rgba=[1, 0, 0, 1])
    body = spec.world.add("body", name="arm")
    hip = body.add("joint", name="hip", range=(-1, 1))
    body.add("geom", name="g", size=0.1, material=red)
    fore = body.add("body", name="fore", childclass="thin")
    fore.add("joint", name="elbow")
    fore.add("geom")
    spec.add("actuator/motor", name="drive", joint=hip)
    spec.add_xml("<sensor><jointpos name='bend' joint='elbow'/></sensor>")
    same(spec.compile(), arm().compile())


def test_attributes_have_the_types_of_their_values():
    spec = arm()
    geom = spec.geom("g")
    assert geom.type == "sphere" and geom.material == "red" and geom.mesh is None
    np.testing.assert_array_equal(geom.size, [0.1, 0, 0])
    assert geom.density == 1000.0 and geom.contype == 1 and isinstance(geom.contype, int)
    assert geom.shellinertia is False and geom.class_ == "main"
    geom.size = [1, 2, 3]
    geom.type = "box"
    geom.euler = (0, 0, 90)
    assert geom.quat is None
    np.testing.assert_array_equal(geom.attributes()["euler"], [0, 0, 90])
    geom.material = None
    assert geom.material is None
    model = spec.compile()
    np.testing.assert_allclose(model.geom("g").size, [1, 2, 3])
    with pytest.raises(AttributeError, match="has no attribute 'sise'"):
        geom.sise
    with pytest.raises(corten.Error, match='did you mean "size"'):
        geom.sise = 1
    with pytest.raises(corten.Error, match="sphere"):
        geom.type = "spher"


def test_settings_and_defaults():
    spec = corten.Spec()
    spec.option.timestep = 0.01
    spec.option.flag.gravity = "disable"
    spec.visual.map.znear = 0.5
    spec.default().geom.friction = 0.25
    assert spec.option.timestep == 0.01 and spec.option.flag.gravity == "disable"
    np.testing.assert_array_equal(spec.option.gravity, [0, 0, -9.81])
    geom = spec.world.add("geom", size=1)
    assert geom.friction[0] == 0.25 == spec.default().geom.friction[0]
    model = spec.compile()
    assert model.opt.timestep == 0.01 and model.opt.disableflags != 0
    with pytest.raises(corten.Error, match="timestep must be positive"):
        spec.option.timestep = -1


def test_the_tree_can_be_walked():
    spec = arm()
    assert [body.name for body in spec.bodies] == ["world", "arm", "fore"]
    fore = spec.body("fore")
    assert fore.parent == spec.body("arm") and fore.parent.parent == spec.world and spec.world.parent is None
    assert [child.tag for child in spec.body("arm").children] == ["joint", "geom", "body"]
    assert len({fore, spec.body("fore")}) == 1 and fore.tag == "body" and fore.spec is spec
    assert spec.find(corten.ObjType.JOINT, "none") is None
    with pytest.raises(KeyError, match="no joint called 'none'"):
        spec.joint("none")


def test_removal_takes_along_what_refers():
    spec = arm()
    spec.body("fore").remove()
    model = spec.compile()
    assert (model.nbody, model.nsensor, model.nu) == (2, 0, 1)


def test_attachment_and_copies():
    spec, leg = corten.Spec(), arm()
    frame = spec.world.add("frame", pos=[1, 2, 3])
    copied = frame.attach(leg.body("arm"), prefix="left_")
    spec.attach(leg, prefix="right_", suffix="_x")
    assert copied.name == "left_arm" and copied.parent == frame
    other = copy.deepcopy(spec)
    del leg, spec
    model = other.compile()
    assert model.nbody == 5 and model.body("right_arm_x").id > 0
    np.testing.assert_allclose(model.body("left_arm").pos, [1, 2, 3])


def test_files_in_memory_outlive_the_spec_they_came_with():
    mesh = b"v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"
    child = corten.Spec.from_xml_string(
        "<mujoco><asset><mesh name='m' file='a.obj'/></asset><worldbody><body name='b'><geom type='mesh' mesh='m'/>"
        "</body></worldbody></mujoco>", assets={"a.obj": mesh})
    spec = corten.Spec()
    spec.attach(child, prefix="x")
    spec = spec.copy()
    del child
    assert spec.compile().nmeshvert == 4


def test_recompiling_keeps_the_state_by_name():
    spec = arm()
    model = spec.compile()
    data = corten.Data(model)
    data.qpos[:] = [0.1, 0.2]
    data.ctrl[:] = 3
    data.time = 7
    spec.world.add_xml("<body name='first'><joint name='new'/><geom size='1'/></body>")
    spec.joint("hip").remove()
    new_model, new_data = spec.recompile(model, data)
    assert new_data.model is new_model and new_data.time == 7 and new_model.nu == 0
    np.testing.assert_array_equal(new_data.joint("elbow").qpos, [0.2])
    np.testing.assert_array_equal(data.qpos, [0.1, 0.2])
    corten.step(new_model, new_data)


def test_errors_leave_everything_as_it_was():
    spec = arm()
    before = spec.compile()
    with pytest.raises(corten.Error, match="needs the attribute"):
        spec.add("sensor/jointpos")
    with pytest.raises(corten.Error, match="needs a parent"):
        spec.add("geom", size=1)
    with pytest.raises(corten.Error) as error:
        spec.world.add_xml("<body>\n<geom size='1'/><geom sise='1'/></body>")
    assert error.value.line == 2
    with pytest.raises(TypeError):
        corten._core.spec_world(corten)
    same(before, spec.compile())


def test_the_example_runs(capsys):
    runpy.run_path(str(pathlib.Path(__file__).parents[2] / "examples" / "spec" / "build.py"))
    assert capsys.readouterr().out.startswith("4 servos, torso at 0.")


def test_remarks_of_a_compilation_belong_to_its_model():
    spec = corten.Spec.from_xml_string(
        '<mujoco><option><flag nativeccd="disable"/></option><default><default class="unused"/></default><worldbody/></mujoco>')
    with pytest.warns(UserWarning, match="nativeccd"):
        first = spec.compile()
    assert any("uses this class" in line for line in first.remarks)
    # each compilation says it again, once; copies speak too, and so does what is simplified first
    for again in (spec, spec.copy()):
        with pytest.warns(UserWarning):
            assert again.compile().remarks == first.remarks
    spec.compiler.fusestatic = True
    with pytest.warns(UserWarning):
        assert len(spec.compile().remarks) == len(first.remarks)


def test_what_is_replicated_and_cannot_be_is_said():
    spec = corten.Spec.from_xml_string(
        '<mujoco><worldbody><body name="a"><joint name="a"/><geom size="1"/></body><replicate count="2"><body><joint name="b"/>'
        '<geom size="1"/></body></replicate></worldbody><equality><joint joint1="a" joint2="b"/></equality></mujoco>')
    with pytest.warns(UserWarning, match="left out"):
        model = spec.compile()
    assert model.neq == 0


def test_default_classes_of_actuators_can_be_read():
    spec = corten.Spec.from_xml_string(
        '<mujoco><default><position kp="3" kv="2" ctrlrange="-1 1"/><default class="soft"><position dampratio=".5"/></default></default></mujoco>')
    assert spec.default().position.kp == 3
    assert spec.default().position.kv == 2
    assert list(spec.default().motor.ctrlrange) == [-1, 1]
    assert spec.default("soft").position.dampratio == 0.5
    # a damping ratio replaces a gain
    assert not spec.default("soft").position.kv
    spec.default().muscle.force = 7
    assert spec.default().muscle.force == 7
    with pytest.raises(corten.Error):
        spec.default().motor.kp


# ---- deformables


def test_flexes_are_elements_like_others():
    spec = corten.Spec()
    for i in range(3):
        body = spec.world.add("body", name=f"p{i}", pos=[0.1 * i, 0, 0])
        body.add("inertial", pos=[0, 0, 0], mass=0.1, diaginertia=[1e-5] * 3)
        body.add("joint", type="slide", axis=[1, 0, 0])
    flex = spec.add("deformable/flex", name="rope", dim=1, body="p0 p1 p2", element=[0, 1, 1, 2])
    flex.edgestiffness, flex.selfcollide = 100, "none"
    model = spec.compile()
    assert [f.name for f in spec.flexes] == ["rope"] and spec.flex("rope").edgestiffness == 100
    assert model.flex_edgestiffness[0] == 100 and model.flex_selfcollide[0] == 0 and model.flex_vertbodyid.tolist() == [1, 2, 3]
    # who refers to what is removed goes too
    spec.body("p1").remove()
    assert spec.flexes == []


def test_flexcomp_is_carried_out_when_it_is_added_and_taken_back_when_it_fails():
    spec = corten.Spec()
    rod = '<flexcomp name="{}" type="grid" dim="1" count="4 1 1" spacing=".1 .1 .1"><elasticity young="1e4"/>{}</flexcomp>'
    flex = spec.world.add_xml(rod.format("rod", ""))
    assert flex.name == "rod" and len(spec.bodies) == 1 + 4 + 3
    with pytest.raises(corten.Error, match="out of range"):
        spec.world.add_xml(rod.format("other", '<pin id="4"/>'))
    assert len(spec.bodies) == 8 and len(spec.flexes) == 1
    assert spec.copy().compile().nflex == 1


def test_elements_move_change_class_and_go_alone():
    spec = corten.Spec.from_xml_string("""<mujoco><option timestep="0.01"/>
      <extension><plugin plugin="mujoco.pid"><instance name="pid"><config key="kp" value="4"/></instance></plugin></extension>
      <default><default class="a"><geom size="2"/></default></default>
      <worldbody><body name="b"><joint name="j"/><geom name="g" class="a"/><site name="s"/></body></worldbody>
      <actuator><general name="x" joint="j"/></actuator>
      <sensor><gyro name="p" site="s"/><jointpos name="q" joint="j"/></sensor></mujoco>""")
    assert spec.is_set("option", "timestep") and not spec.is_set("option", "gravity")
    spec.sensor("q").move(0)
    assert [sensor.name for sensor in spec.sensors] == ["q", "p"]
    spec.geom("g").set_class("main")
    assert spec.geom("g").class_ == "main" and spec.geom("g").size[0] == 2
    spec.default("a").remove()
    assert "class" not in spec.to_xml()
    spec.actuator("x").use_plugin(instance="pid")
    assert spec.actuator("x").plugin_use == (None, "pid", {}) and spec.compile().nplugin == 1
    spec.actuator("x").use_plugin("mujoco.pid", kp=3)
    assert spec.actuator("x").plugin_use == ("mujoco.pid", None, {"kp": "3"})
    spec.site("s").remove(alone=True)
    with pytest.raises(corten.Error, match="s"):
        spec.compile()
    spec.sensor("p").remove()
    assert spec.compile().nsensor == 1
    with pytest.raises(corten.Error):
        spec.sensor("q").move(3)
    with pytest.raises(corten.Error):
        spec.geom("g").move(0)
