"""Mistakes in calls of corten.mujoco: each raises what MuJoCo's own module raises."""

import copy
import pickle

import corten
import corten.mujoco as door
import numpy as np
import pytest

theirs = pytest.importorskip("mujoco")

XML = """
<mujoco>
  <worldbody>
    <geom name="floor" type="plane" size="3 3 .1"/>
    <body name="box" pos="0 0 .09"><freejoint/><geom name="box" type="box" size=".1 .1 .1"/><site name="site"/></body>
    <body name="arm" pos="1 0 1"><joint name="hinge"/><geom size=".1" pos=".3 0 0"/></body>
  </worldbody>
  <actuator><motor joint="hinge"/></actuator>
  <sensor><jointpos joint="hinge"/></sensor>
  <keyframe><key name="home"/></keyframe>
</mujoco>
"""


def read_only(*shape):
    array = np.zeros(shape)
    array.flags.writeable = False
    return array


z = np.zeros
# shapes, kinds and memory of arrays
ARRAYS = {
    "short output": lambda M, m, d: M.mj_jacSite(m, d, z((3, m.nv - 1)), None, 0),
    "flat output": lambda M, m, d: M.mj_jacSite(m, d, z(3 * m.nv), None, 0),
    "output of float32": lambda M, m, d: M.mj_jacSite(m, d, z((3, m.nv), np.float32), None, 0),
    "read-only output": lambda M, m, d: M.mj_jacSite(m, d, read_only(3, m.nv), None, 0),
    "output that is a list": lambda M, m, d: M.mj_jacSite(m, d, [[0.0] * m.nv] * 3, None, 0),
    "point of two": lambda M, m, d: M.mj_jac(m, d, z((3, m.nv)), None, z(2), 1),
    "state too short": lambda M, m, d: M.mj_getState(m, d, z(3), M.mjtState.mjSTATE_INTEGRATION),
    "state to set too short": lambda M, m, d: M.mj_setState(m, d, z(3), M.mjtState.mjSTATE_INTEGRATION),
    "unknown state": lambda M, m, d: M.mj_stateSize(m, 1 << 30),
    "read-only state": lambda M, m, d: M.mj_getState(m, d, read_only(m.nq), M.mjtState.mjSTATE_QPOS),
    "mass matrix of the wrong size": lambda M, m, d: M.mj_fullM(m, d, z((2, 2))),
    "vector of the wrong size": lambda M, m, d: M.mj_mulM(m, d, z(m.nv), z(m.nv + 1)),
    "result of the wrong size": lambda M, m, d: M.mj_mulM(m, d, z(m.nv - 1), z(m.nv)),
    "quaternion of three": lambda M, m, d: M.mju_mulQuat(z(4), z(3), z(4)),
    "read-only quaternion": lambda M, m, d: M.mju_mulQuat(read_only(4), z(4), z(4)),
    "vectors of two sizes": lambda M, m, d: M.mju_add(z(3), z(3), z(4)),
    "matrices that do not fit": lambda M, m, d: M.mju_mulMatMat(z((2, 2)), z((2, 3)), z((2, 2))),
    "text for numbers": lambda M, m, d: M.mju_norm3("abc"),
    "positions too short": lambda M, m, d: M.mj_integratePos(m, z(2), z(m.nv), 0.1),
    "force of two": lambda M, m, d: M.mj_applyFT(m, d, z(2), z(3), z(3), 1, z(m.nv)),
    "field of the wrong size": lambda M, m, d: setattr(d, "qpos", z(3)),
    "field of a model of the wrong size": lambda M, m, d: setattr(m, "body_mass", z(2)),
    "text for a field": lambda M, m, d: setattr(d, "qpos", "abc"),
}
# numbers of objects, names, states
NUMBERS = {
    "keyframe that is not there": lambda M, m, d: M.mj_resetDataKeyframe(m, d, 3),
    "contact that is not there": lambda M, m, d: M.mj_contactForce(m, d, 99, z(6)),
    "number that is no number": lambda M, m, d: M.mj_jacSite(m, d, z((3, m.nv)), None, "site"),
    "name of nothing": lambda M, m, d: m.body("nobody"),
    "number of nothing": lambda M, m, d: m.geom(99),
    "name of nothing in a data": lambda M, m, d: d.joint("nothing"),
    "attribute that is not there": lambda M, m, d: m.no_such_field,
    "attribute of a data to set": lambda M, m, d: setattr(d, "no_such_field", 1),
    "fewer arguments": lambda M, m, d: M.mj_step(m),
    "data first": lambda M, m, d: M.mj_step(d, m),
    "no model": lambda M, m, d: M.mj_step(None, d),
    "unknown word": lambda M, m, d: M.mj_step(m, d, steps=3),
    "steps that are no number": lambda M, m, d: M.mj_step(m, d, nstep="x"),
    "member of an enumeration": lambda M, m, d: M.mjtObj(1234),
    "constructor of a model": lambda M, m, d: M.MjModel(),
    "data of nothing": lambda M, m, d: M.MjData(None),
}
# numbers that MuJoCo does not look at: it reads what lies beyond its arrays
BEYOND = {
    "body that is not there": lambda M, m, d: M.mj_jac(m, d, z((3, m.nv)), None, z(3), 99),
    "negative body": lambda M, m, d: M.mj_jacBody(m, d, z((3, m.nv)), None, -1),
    "site that is not there": lambda M, m, d: M.mj_jacSite(m, d, z((3, m.nv)), None, 7),
    "geom that is not there": lambda M, m, d: M.mj_geomDistance(m, d, 0, 77, 1.0, None),
}
# models
MODELS = {
    "no XML": lambda M, m, d: M.MjModel.from_xml_string("<mujoco"),
    "unknown element": lambda M, m, d: M.MjModel.from_xml_string("<mujoco><worldbody><goem/></worldbody></mujoco>"),
    "unknown attribute": lambda M, m, d: M.MjModel.from_xml_string("<mujoco><worldbody><geom sise='1'/></worldbody></mujoco>"),
    "a body without mass": lambda M, m, d: M.MjModel.from_xml_string("<mujoco><worldbody><body><freejoint/></body></worldbody></mujoco>"),
    "no file": lambda M, m, d: M.MjModel.from_xml_path("/nowhere/model.xml"),
    "no binary file": lambda M, m, d: M.MjModel.from_binary_path("/nowhere/model.mjb"),
    "number for text": lambda M, m, d: M.MjModel.from_xml_string(3),
    "assets that are no files": lambda M, m, d: M.MjModel.from_xml_string(XML, {"a": 3}),
    "pickle that is none": lambda M, m, d: pickle.loads(pickle.dumps(m)[:-30]),
    "spec that cannot be read": lambda M, m, d: M.MjSpec.from_string("<mujoco"),
    "element of no spec": lambda M, m, d: M.MjSpec().delete(3),
    "keyword of nothing": lambda M, m, d: M.MjSpec().worldbody.add_geom(colour=3),
    "size of four": lambda M, m, d: M.MjSpec().worldbody.add_geom(size=[1, 2, 3, 4]),
    "name that is taken": lambda M, m, d: [spec.worldbody.add_body(name="a") for spec in [M.MjSpec()] for _ in range(2)],
}
CASES = {**ARRAYS, **NUMBERS, **MODELS}


def trouble(module, call):
    model = module.MjModel.from_xml_string(XML)
    data = module.MjData(model)
    module.mj_forward(model, data)
    try:
        call(module, model, data)
    except Exception as error:
        return error
    return None


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", CASES)
def test_the_same_kind_of_trouble(name):
    ours, oracle = trouble(door, CASES[name]), trouble(theirs, CASES[name])
    kinds = [None if error is None else type(error).__name__ for error in (ours, oracle)]
    assert kinds[0] == kinds[1], (ours, oracle)


@pytest.mark.parametrize("name", BEYOND)
def test_objects_that_are_not_there(name):
    assert isinstance(trouble(door, BEYOND[name]), door.FatalError)


def test_what_the_engine_refuses_says_so_in_its_words():
    with pytest.raises(ValueError) as caught:
        door.MjModel.from_xml_string('<mujoco><extension><plugin plugin="nobody.knows"/></extension><worldbody><body><plugin plugin="nobody.knows"/></body></worldbody></mujoco>')
    assert "nobody.knows" in str(caught.value) and isinstance(caught.value.__cause__, corten.Error)


def test_nothing_falls_back_to_the_other_module():
    for name in ("mj_loadPluginLibrary", "mj_maxContact", "mjr_figure", "no_such_name"):
        with pytest.raises(AttributeError):
            getattr(door, name)
    assert not [name for name, value in vars(door).items() if getattr(value, "__module__", "").split(".")[0] == "mujoco"]


def test_a_model_that_was_changed_badly_does_not_spoil_the_copy():
    model = door.MjModel.from_xml_string(XML)
    other = copy.deepcopy(model)
    model.geom_type[:] = 99
    with pytest.raises(corten.Error):
        corten._core.check_model(model)
    door.mj_step(other, door.MjData(other))
