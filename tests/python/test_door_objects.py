"""corten.mujoco by itself: objects, views, callbacks, installing, rollouts, specs. MuJoCo's module is not needed."""

import copy
import ctypes
import gc
import pickle
import subprocess
import sys
import warnings
import weakref

import corten
import corten.mujoco as mujoco
import numpy as np
import pytest

XML = """
<mujoco model="test">
  <size nkey="1"/>
  <worldbody>
    <geom name="floor" type="plane" size="3 3 0.1"/>
    <body name="box" pos="0 0 0.09">
      <freejoint name="root"/>
      <geom name="box" type="box" size="0.1 0.1 0.1"/>
    </body>
    <body name="arm" pos="1 0 1"><joint name="hinge" axis="0 1 0" damping="1"/><geom name="arm" size="0.1" pos="0.3 0 0"/></body>
  </worldbody>
  <actuator><general name="act" joint="hinge" gaintype="user" biastype="user" dyntype="user" actdim="1"/></actuator>
  <sensor><user name="mine" dim="2" needstage="vel" datatype="real"/><jointpos joint="hinge"/></sensor>
</mujoco>
"""


@pytest.fixture
def model():
    return mujoco.MjModel.from_xml_string(XML)


@pytest.fixture
def data(model):
    return mujoco.MjData(model)


def test_both_sides_can_be_mixed(model, data):
    assert isinstance(model, corten.Model) and isinstance(data, corten.Data)
    corten.step(model, data, 3)
    assert data.time == pytest.approx(0.006)
    assert corten.full_mass(model, data).shape == (7, 7)


def test_arrays_are_live_views(model, data):
    contact, rows = data.contact, data.qpos
    mujoco.mj_forward(model, data)
    assert len(contact) == data.ncon == 4
    data.contact[0].pos[:2] = 55
    assert contact.pos[0, 0] == 55 and contact[0].pos[1] == 55
    contact[1].friction = 0.5
    assert (data.contact.friction[1] == 0.5).all()
    force = data.efc_force
    force[:] = 3
    assert (data.efc_force == 3).all() and not force.flags.owndata
    alive = weakref.ref(data.efc_J)
    assert alive() is not None and alive() is data.efc_J
    data.qpos = 0.5
    assert (rows == 0.5).all()
    model.geom_matid[0] = -1  # indices too, as there
    model.body_parentid[2] = 0
    with pytest.raises(ValueError):
        data.qpos = np.zeros(3)
    with pytest.raises(AttributeError):
        data.nonsense = 1


def test_views_of_the_arena_outlive_it():
    """A view of an arena that was replaced by a larger one still reads memory that is there."""
    boxes = "".join(f'<body pos="{i * 0.1} 0 {0.05 + 0.01 * j}"><freejoint/><geom type="box" size=".2 .2 .05"/></body>'
                    for i in range(8) for j in range(4))  # fmt: skip
    text = f'<mujoco><worldbody><geom type="plane" size="9 9 1"/>{boxes}</worldbody></mujoco>'
    model = mujoco.MjModel.from_xml_string(text)
    data = mujoco.MjData(model)
    data.qpos[2::7] += np.arange(32) * 0.5
    data.qpos[2] = 0.04
    mujoco.mj_forward(model, data)
    few, size = data.contact.pos, data.narena
    held = few.copy()
    mujoco.mj_resetData(model, data)
    mujoco.mj_forward(model, data)
    assert data.ncon > 200
    assert np.isfinite(few).all() and few.shape == held.shape
    assert data.narena >= size
    rows = data.efc_J
    del data, model
    gc.collect()
    assert np.isfinite(rows).all()


def test_memory_is_held_by_views_only_as_long(model):
    data = mujoco.MjData(model)
    view, alive = data.qpos, weakref.ref(data)
    del data
    gc.collect()
    assert alive() is None
    view[:] = 1


def test_named_access(model, data):
    assert model.geom("box") is model.geom(1) and model.geom("box").size is model.geom(1).size
    model.body("arm").pos = [1, 2, 3]
    assert model.body_pos[2].tolist() == [1, 2, 3]
    data.joint("hinge").qpos = 0.3
    assert data.qpos[7] == 0.3 and data.jnt("root").qpos.shape == (7,) and data.joint("root").cdof.shape == (6, 6)
    with pytest.raises(KeyError, match=r"Invalid name 'bad'. Valid names: \['arm', 'box', 'floor'\]"):
        model.geom("bad")
    with pytest.raises(IndexError, match="Invalid index 3. Valid indices from 0 to 2"):
        data.geom(3)
    assert repr(model.geom("box")).startswith("<_MjModelGeomViews") and "size:" in repr(model.geom("box"))
    assert data.actuator("act").moment.tolist() == [0, 0, 0, 0, 0, 0, 1] or data.actuator("act").moment.shape == (7,)
    assert (model.body("box").name, model.body("box").id) == ("box", 1)


def test_classes_have_their_attributes():
    for name in ("body_mass", "opt", "nq", "geom_size", "names"):
        assert hasattr(mujoco.MjModel, name)
    for name in ("qpos", "contact", "efc_J", "time", "warning"):
        assert hasattr(mujoco.MjData, name) and name in dir(mujoco.MjData)


def test_copies_and_pickles(model, data):
    mujoco.mj_step(model, data, 3)
    for again in (copy.copy(model), copy.deepcopy(model), pickle.loads(pickle.dumps(model))):
        assert type(again) is mujoco.MjModel and again.to_bytes() == model.to_bytes()
    for again in (copy.copy(data), copy.deepcopy(data), pickle.loads(pickle.dumps(data))):
        assert type(again) is mujoco.MjData and np.array_equal(again.qpos, data.qpos)
        assert [w.number for w in again.warning] == [w.number for w in data.warning]
    assert len(copy.copy(data).contact) == data.ncon
    assert copy.copy(data).model is model and copy.deepcopy(data).model is not model
    option = copy.copy(model.opt)
    option.timestep = 0.1
    assert model.opt.timestep == 0.002 and option != model.opt
    model.opt = option
    assert model.opt == option and model.opt.timestep == 0.1
    assert pickle.loads(pickle.dumps(option)) == option
    assert pickle.loads(pickle.dumps(mujoco.mjtGeom.mjGEOM_BOX)) is mujoco.mjtGeom.mjGEOM_BOX
    other = mujoco.MjData(model)
    mujoco.mj_copyData(other, model, data)
    assert np.array_equal(other.qpos, data.qpos) and other.ncon == data.ncon


def test_a_pickled_data_has_its_contacts_and_rows(model, data):
    for jacobian in (mujoco.mjtJacobian.mjJAC_DENSE, mujoco.mjtJacobian.mjJAC_SPARSE):
        model.opt.jacobian = jacobian
        mujoco.mj_step(model, data)
        other = pickle.loads(pickle.dumps(data))
        assert data.ncon > 0 and other.ncon == data.ncon and other.nefc == data.nefc
        for name in ("efc_J", "efc_force", "efc_type", "efc_aref", "efc_J_colind"):
            assert np.array_equal(getattr(other, name), getattr(data, name)), name
        assert np.array_equal(other.contact.dist, data.contact.dist) and np.array_equal(other.contact.geom, data.contact.geom)
        forces = np.zeros((2, 6))
        for force, each in zip(forces, (data, other)):
            mujoco.mj_contactForce(model, each, 0, force)
        assert np.array_equal(*forces) and forces[0, 0] > 0
        mujoco.mj_step(model, data)
        mujoco.mj_step(other.model, other)
        assert np.array_equal(other.qpos, data.qpos)


def test_errors(model, data):
    with pytest.raises(ValueError, match="nonsense"):
        mujoco.MjModel.from_xml_string("<mujoco><nonsense/></mujoco>")
    with pytest.raises(ValueError, match="no such file"):
        mujoco.MjModel.from_xml_path("/nowhere/at/all.xml")
    with pytest.raises(TypeError, match="No constructor"):
        mujoco.MjModel()
    with pytest.raises(TypeError):
        mujoco.MjData(3)
    with pytest.raises(TypeError, match=r"jacp should be of shape \(3, nv\)"):
        mujoco.mj_jacBody(model, data, np.zeros((3, 2)), None, 1)
    with pytest.raises(TypeError):
        mujoco.mj_jacBody(model, data, np.zeros((3, 7), int), None, 1)
    with pytest.raises(TypeError):
        mujoco.mju_mulQuat([0, 0, 0, 0], [1, 0, 0, 0], [1, 0, 0, 0])
    frozen = np.zeros(4)
    frozen.flags.writeable = False
    with pytest.raises(TypeError, match="writeable"):
        mujoco.mju_mulQuat(frozen, [1, 0, 0, 0], [1, 0, 0, 0])
    with pytest.raises(mujoco.FatalError):
        mujoco.mj_jacBody(model, data, np.zeros((3, 7)), None, 9)
    with pytest.raises(ValueError, match="Repeated"):
        mujoco.MjModel.from_xml_string("<mujoco/>", {"a.xml": b"1", "path/a.xml": b"2"})


def test_callbacks(model, data):
    seen = []

    def control(m, d):
        assert m is model and d is data
        seen.append("control")
        jac = np.zeros((3, m.nv))
        mujoco.mj_jacBody(m, d, jac, None, 2)  # functions may be called from there
        d.ctrl[0] = 2.5

    def passive(m, d):
        d.qfrc_passive[6] += 7

    def sensor(m, d, stage):
        seen.append(stage)
        d.sensordata[:2] = [3, 4]

    try:
        mujoco.set_mjcb_control(control)
        mujoco.set_mjcb_passive(passive)
        mujoco.set_mjcb_sensor(sensor)
        mujoco.set_mjcb_act_gain(lambda m, d, i: 2.0)
        mujoco.set_mjcb_act_bias(lambda m, d, i: 0.5)
        mujoco.set_mjcb_act_dyn(lambda m, d, i: 0.25)
        assert mujoco.get_mjcb_control() is control
        data.act[0] = 1
        mujoco.mj_forward(model, data)
        assert data.ctrl[0] == 2.5 and data.qfrc_passive[6] == 7
        assert seen == [int(mujoco.mjtStage.mjSTAGE_VEL), "control"]
        assert data.sensordata[:2].tolist() == [3, 4]
        assert data.actuator_force[0] == 2.5 and data.act_dot[0] == 0.25
        later = mujoco.MjModel.from_xml_string(XML)  # models made afterwards have them too
        mujoco.set_mjcb_control(None)
        mujoco.mj_forward(later, mujoco.MjData(later))
        mujoco.set_mjcb_contactfilter(lambda m, d, a, b: 1)
        mujoco.mj_forward(model, data)
        assert data.ncon == 0

        def trouble(m, d):
            raise KeyError("mine")

        mujoco.set_mjcb_control(trouble)
        with pytest.raises(KeyError, match="mine"):
            mujoco.mj_step(model, data)
        with pytest.raises(TypeError, match="Optional"):
            mujoco.set_mjcb_control(3)
    finally:
        mujoco.mj_resetCallbacks()
    assert mujoco.get_mjcb_sensor() is None
    mujoco.mj_forward(model, data)
    assert data.ncon == 4 and data.qfrc_passive[6] == -data.qvel[6]


def test_warnings_reach_the_user(model, data):
    told = []
    mujoco.set_mju_user_warning(told.append)
    try:
        data.qpos[0] = np.nan
        mujoco.mj_checkPos(model, data)
    finally:
        mujoco.set_mju_user_warning(None)
    assert "QPOS" in told[0] and data.warning[mujoco.mjtWarning.mjWARN_BADQPOS].number == 1
    heard = []
    mujoco.set_mju_user_warning(ctypes.CFUNCTYPE(None, ctypes.c_char_p)(heard.append))
    try:
        data.qpos[0] = np.nan
        mujoco.mj_checkPos(model, data)
    finally:
        mujoco.set_mju_user_warning(None)
    assert b"QPOS" in heard[0]
    # steps leave Python's warnings alone: what the program warns of in its loop is seen once
    mujoco.set_mju_user_warning(told.append)
    try:
        with warnings.catch_warnings(record=True) as seen:
            warnings.simplefilter("default")
            for _ in range(3):
                mujoco.mj_step(model, data)
                warnings.warn("of the program")
    finally:
        mujoco.set_mju_user_warning(None)
    assert len(seen) == 1 and len(told) == 1
    fresh = mujoco.MjData(model)
    fresh.qvel[0] = np.inf
    with pytest.warns(corten.SimulationWarning):
        mujoco.mj_step(model, fresh)


def test_timers_run(model, data):
    mujoco.mj_step(model, data, 5)
    step = data.timer[mujoco.mjtTimer.mjTIMER_STEP]
    assert step.number == 5 and step.duration > 0


def test_the_schema_names_attributes():
    text = mujoco.mj_printSchema(False, True)
    assert "conaffinity" in text and "worldbody" in text and "kp" in text
    assert mujoco.mj_printSchema(True, False).startswith("<table>")


def test_models_to_files(model, data, tmp_path):
    mujoco.mj_saveModel(model, str(tmp_path / "m.mjb"))
    assert mujoco.MjModel.from_binary_path(str(tmp_path / "m.mjb")).to_bytes() == model.to_bytes()
    buffer = np.zeros(mujoco.mj_sizeModel(model), np.uint8)
    mujoco.mj_saveModel(model, buffer=buffer)
    assert buffer.tobytes() == model.to_mjb()
    mujoco.mj_saveLastXML(str(tmp_path / "m.xml"), model)
    assert mujoco.MjModel.from_xml_path(str(tmp_path / "m.xml")).nbody == 3
    mujoco.mj_printModel(model, str(tmp_path / "m.txt"))
    mujoco.mj_printData(model, data, str(tmp_path / "d.txt"))
    assert "qpos" in (tmp_path / "d.txt").read_text()
    assert mujoco.mju_getXMLDependencies(str(tmp_path / "m.xml")) == [str(tmp_path / "m.xml")]


def test_rollouts(model):
    from corten.mujoco import rollout

    datas = [mujoco.MjData(model) for _ in range(2)]
    size = mujoco.mj_stateSize(model, mujoco.mjtState.mjSTATE_FULLPHYSICS)
    start = np.zeros((3, size))
    mujoco.mj_getState(model, datas[0], start[0], mujoco.mjtState.mjSTATE_FULLPHYSICS)
    start[1:] = start[0]
    start[:, 10] += [0.1, 0.2, 0.3]
    state, sensors = rollout.rollout(model, datas, start, np.zeros((3, 10, 1)))
    assert state.shape == (3, 10, size) and sensors.shape == (3, 10, 3)
    alone, _ = rollout.rollout(model, datas[0], start[1], nstep=10)
    assert np.array_equal(alone[0], state[1])
    with pytest.raises(ValueError, match="trailing dimension of initial_state"):
        rollout.rollout(model, datas, start[:, 1:])


PROGRAM = """
import sys, mujoco, mujoco.rollout, mujoco.viewer
from mujoco import MjModel, mjtObj
assert mujoco.__name__ == "corten.mujoco" and sys.argv[1:] == ["--word", "x"]
m = MjModel.from_xml_string("<mujoco><worldbody><body><freejoint/><geom size='.1'/></body></worldbody></mujoco>")
d = mujoco.MjData(m)
mujoco.mj_step(m, d)
try:
    mujoco.viewer.launch()
except ValueError as error:
    print("told:", error)
try:
    import mujoco.nothing_there
except ModuleNotFoundError:
    print("time", d.time)
"""


def test_programs_run_unchanged(tmp_path):
    program = tmp_path / "program.py"
    program.write_text(PROGRAM)
    done = subprocess.run([sys.executable, "-m", "corten.mujoco", str(program), "--word", "x"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "told: a window needs a model" in done.stdout and "time 0.002" in done.stdout
    asked = subprocess.run([sys.executable, "-m", "corten.mujoco"], capture_output=True, text=True)
    assert asked.returncode == 2 and "program.py" in asked.stdout


def test_install_refuses_when_it_is_late():
    text = "import sys, types; sys.modules['mujoco'] = types.ModuleType('mujoco')\nimport corten.mujoco as m\nm.install()"
    done = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True)
    assert "mujoco has been imported already" in done.stderr
    text = "import corten.mujoco as m; m.install(); import mujoco; assert mujoco is m and m.installed(); m.uninstall(); assert not m.installed()"
    assert subprocess.run([sys.executable, "-c", text]).returncode == 0


def test_specs_are_built(tmp_path):
    spec = mujoco.MjSpec()
    spec.modelname = "built"
    spec.option.timestep = 0.01
    spec.option.integrator = mujoco.mjtIntegrator.mjINT_IMPLICITFAST
    body = spec.worldbody.add_body(name="b", pos=[0, 0, 1], euler=[0, 0, 90])
    geom = body.add_geom(name="g", type=mujoco.mjtGeom.mjGEOM_BOX, size=[0.1, 0.2, 0.3], rgba=[1, 0, 0, 1])
    joint = body.add_joint(name="j", type=mujoco.mjtJoint.mjJNT_HINGE, axis=[0, 1, 0], range=[-30, 30])
    site = body.add_site(name="s")
    geom.pos[2] = 0.5
    assert geom.pos.tolist() == [0, 0, 0.5] and geom.type == mujoco.mjtGeom.mjGEOM_BOX
    actuator = spec.add_actuator(name="a", trntype=mujoco.mjtTrn.mjTRN_JOINT, target="j")
    actuator.set_to_position(kp=10, kv=1)
    spec.add_sensor(name="gyro", type=mujoco.mjtSensor.mjSENS_GYRO, objtype=mujoco.mjtObj.mjOBJ_SITE, objname="s")
    other = spec.worldbody.add_body(name="c", pos=[1, 0, 0])
    other.add_freejoint(name="free")
    other.add_geom(size=[0.1])
    weld = spec.add_equality(type=mujoco.mjtEq.mjEQ_CONNECT, objtype=mujoco.mjtObj.mjOBJ_BODY, name1="b", name2="c")
    weld.data[:3] = [0, 0, 0.1]
    tendon = spec.add_tendon(name="t")
    tendon.wrap_joint("j", 2.0)
    spec.add_key(name="home", qpos=[0.1, 1, 0, 0, 1, 0, 0, 0])
    spec.add_exclude(bodyname1="b", bodyname2="c")
    model = spec.compile()
    assert (model.nbody, model.nu, model.nsensor, model.neq, model.ntendon, model.nkey, model.nexclude) == (3, 1, 1, 1, 1, 1, 1)
    assert model.opt.timestep == 0.01 and model.opt.integrator == mujoco.mjtIntegrator.mjINT_IMPLICITFAST
    assert np.allclose(model.jnt_range[0], np.radians([-30, 30])) and model.eq_data[0, 2] == 0.1
    assert model.actuator_biasprm[0, :3].tolist() == [0, -10, -1]
    assert model.bind(geom).rgba.tolist() == [1, 0, 0, 1] and model.bind([joint]).axis == [0, 1, 0]
    data = mujoco.MjData(model)
    data.bind(joint).qpos = 0.2
    assert data.qpos[0] == 0.2
    assert spec.body("b").geoms[0] == geom and spec.body("b") is body and spec.geom("nothing") is None
    assert site.parent is body and body.parent is spec.worldbody
    again = mujoco.MjSpec.from_string(spec.to_xml()).compile()
    assert again.nbody == 3 and np.allclose(again.body_quat, model.body_quat)
    changed, carried = spec.recompile(model, data)
    assert carried.qpos[0] == 0.2 and type(changed) is mujoco.MjModel
    spec.delete(geom)
    with pytest.raises(ValueError, match="does not match"):
        model.bind(joint)
    body.add_geom(size=[0.2])
    assert spec.compile().ngeom == 2
    with pytest.raises(ValueError, match="geom is not in this model"):
        geom.size  # noqa: B018
    with pytest.raises(ValueError, match="geom is not in this model"):
        spec.delete(geom)
    spec.to_file(str(tmp_path / "m.xml"))
    assert mujoco.MjSpec.from_file(str(tmp_path / "m.xml")).modelname == "built"
    copied = copy.deepcopy(spec)
    copied.worldbody.add_body(name="d")
    assert spec.body("d") is None and copied.body("d") is not None


def test_recompiled_models_keep_the_state_of_what_has_no_name():
    spec = mujoco.MjSpec()
    for x in (0, 1):
        body = spec.worldbody.add_body(pos=[x, 0, 0])
        body.add_geom(size=[0.1], pos=[0.2, 0, 0])
        body.add_joint(axis=[0, 1, 0])
    model = spec.compile()
    data = mujoco.MjData(model)
    data.qpos[:], data.qvel[:], data.time = [0.3, 0.4], [1, 2], 0.5
    spec.delete(spec.worldbody.bodies[0])
    first = spec.worldbody.add_body()
    first.add_geom(size=[0.1])
    first.add_freejoint()
    changed, carried = spec.recompile(model, data)
    assert carried.qpos[0] == 0.4 and carried.qvel[0] == 2 and carried.time == 0.5 and changed.nq == 8


def test_what_goes_with_a_body_is_gone():
    spec = mujoco.MjSpec()
    body = spec.worldbody.add_body(name="b")
    inner = body.add_body(name="inner")
    geoms = [inner.add_geom(name=f"g{i}", size=[0.1]) for i in range(50)]
    sensor = spec.add_sensor(type=mujoco.mjtSensor.mjSENS_FRAMEPOS, objtype=mujoco.mjtObj.mjOBJ_BODY, objname="inner")
    assert spec.compile().nsensor == 1 and sensor.objname == "inner"
    spec.delete(body)
    for element in (inner, *geoms, sensor):
        with pytest.raises(ValueError, match="is not in this model"):
            element.userdata  # noqa: B018
    assert (inner.name, geoms[7].name, inner.parent) == ("inner", "g7", None)  # names stay readable
    fresh = [spec.worldbody.add_geom(name=f"n{i}", size=[0.1]) for i in range(50)]  # perhaps where the others were
    assert [geom.name for geom in spec.geoms] == [geom.name for geom in fresh]


def test_specs_are_attached():
    arm = mujoco.MjSpec.from_string('<mujoco><worldbody><body name="a"><joint name="j"/><geom size=".1"/></body></worldbody>'
                                    '<actuator><motor name="m" joint="j"/></actuator></mujoco>')  # fmt: skip
    spec = mujoco.MjSpec()
    frame = spec.worldbody.add_frame(name="f", pos=[1, 2, 3])
    spec.attach(arm, prefix="left-", frame=frame)
    made = frame.attach_body(arm.body("a"), "right-", "")
    assert made.name == "right-a" and {body.name for body in spec.bodies} >= {"left-a", "right-a"}
    model = spec.compile()
    assert model.nu == 2 and model.body("right-a").pos.tolist() == [1, 2, 3]
    with pytest.raises(ValueError, match="site or frame"):
        spec.attach(arm)


def test_specs_refuse_what_is_wrong():
    spec = mujoco.MjSpec()
    body = spec.worldbody.add_body()
    with pytest.raises(ValueError, match="pos should be a list/array of size 3."):
        body.add_geom(pos=[0, 1])
    with pytest.raises(TypeError, match="Invalid vel keyword"):
        body.add_geom(vel=1)
    with pytest.raises(TypeError):
        body.add_geom(pos="pos")
    with pytest.raises(ValueError, match="Only one of"):
        body.add_geom(axisangle=[1, 0, 0, 1], euler=[1, 2, 3])
    assert not body.geoms
    body.add_geom(name="bad")
    with pytest.raises(ValueError, match="bad"):
        spec.compile()
    with pytest.raises(AttributeError):
        body.nonsense = 1


def test_least_squares():
    import io

    from corten.mujoco import minimize

    def residual(x):
        return np.stack([1 - x[0, :], 10 * (x[1, :] - x[0, :] ** 2)])

    out = io.StringIO()
    x, trace = minimize.least_squares(np.zeros(2), residual, output=out)
    assert np.allclose(x, 1) and "norm(gradient) < tol" in out.getvalue() and len(trace) > 3
    x, _ = minimize.least_squares(np.zeros(2), residual, bounds=[np.array([-2.0, -2]), np.array([0.5, 2])], verbose=0)
    assert np.allclose(x, [0.5, 0.25])
    with pytest.raises(ValueError, match="does not match"):
        minimize.least_squares(np.zeros(2), residual, jacobian=lambda x, r: np.eye(2), check_derivatives=True, verbose=0)


def test_batches_of_the_door(model):
    from corten.mujoco import batch

    many = batch.Batch(model, 3, 2)
    assert many.qpos.shape == (3, model.nq)
    many.joint("hinge").qpos = np.array([[0.1], [0.2], [0.3]])
    many.expand("opt.gravity")[1] = 0
    many.step(nstep=4)
    for i in range(3):
        own = copy.copy(model)
        own.opt.gravity = 0 if i == 1 else own.opt.gravity
        data = mujoco.MjData(own)
        data.joint("hinge").qpos = 0.1 * (i + 1)
        mujoco.mj_step(own, data, 4)
        assert np.allclose(many.qpos[i], data.qpos, rtol=0, atol=1e-15)
    many.reset([1])
    assert many.time.tolist() == [pytest.approx(0.008), 0, pytest.approx(0.008)]
    with pytest.raises(ValueError, match="did you mean 'qpos'"):
        many.bind("qpso")


CUBE = b"v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"


def test_objects_lead_to_what_was_attached():
    parent, child = mujoco.MjSpec(), mujoco.MjSpec()
    body = child.worldbody.add_body(name="b")
    geom = body.add_geom(name="g", size=[0.1, 0, 0])
    motor = child.add_actuator(name="m", target="b", trntype=mujoco.mjtTrn.mjTRN_BODY)
    frame = parent.worldbody.add_frame(pos=[1, 0, 0])
    assert frame.attach_body(body, prefix="x_") is body and (body.name, geom.name, motor.name) == ("x_b", "x_g", "x_m")
    body.pos = [0, 2, 0]
    geom.size[0] = 0.3
    model = parent.compile()
    assert model.body("x_b").pos.tolist() == [1, 2, 0] and model.geom("x_g").size[0] == 0.3 and model.nu == 1
    with pytest.raises(ValueError, match="in the parent spec"):
        frame.attach_body(body, prefix="y_")
    other = mujoco.MjSpec()
    other.worldbody.add_body(name="c").add_geom(size=[0.1, 0, 0])
    parent.attach(other, prefix="z_", frame=frame)
    with pytest.raises(ValueError, match="already attached"):
        parent.attach(other, prefix="w_", frame=frame)
    with pytest.raises(ValueError, match="from an attached mjSpec"):
        other.delete(other.body("c"))
    parent.copy_during_attach = True
    parent.attach(other, prefix="w_", frame=frame)
    assert [b.name for b in parent.bodies] == ["world", "x_b", "z_c", "w_c"]
    with pytest.raises(ValueError, match="Frame not found"):
        parent.attach(mujoco.MjSpec(), frame="nothing")


def test_files_of_attached_specs_stay_apart():
    """Two specs with different files of one name: each keeps its own."""
    parent = mujoco.MjSpec()
    frame = parent.worldbody.add_frame()
    for size, prefix in ((1, "a_"), (2, "b_")):
        xml = "<mujoco><asset><mesh file='part.obj'/></asset><worldbody><body><geom type='mesh' mesh='part'/></body></worldbody></mujoco>"
        child = mujoco.MjSpec.from_string(xml, assets={"part.obj": CUBE.replace(b"1 0 0", f"{size} 0 0".encode())})
        parent.attach(child, prefix=prefix, frame=frame)
    assert sorted(parent.assets) == ["a_part.obj", "b_part.obj"] and [m.name for m in parent.meshes] == ["a_part", "b_part"]
    model = parent.compile()
    assert model.body_mass[2] == pytest.approx(2 * model.body_mass[1])
    clash = mujoco.MjSpec.from_string("<mujoco/>", assets={"part.obj": b"other"})
    parent.override_assets = False
    with pytest.raises(ValueError, match="part.obj already exists"):
        parent.attach(clash, prefix="a_", frame=frame)


def test_elements_move_into_frames():
    spec = mujoco.MjSpec()
    body = spec.worldbody.add_body(name="b")
    geom = body.add_geom(name="g", size=[0.1, 0, 0])
    spec.add_sensor(name="s", type=mujoco.mjtSensor.mjSENS_FRAMEPOS, objtype=mujoco.mjtObj.mjOBJ_GEOM, objname="g")
    inside, outside = body.add_frame(pos=[0, 0, 1]), spec.worldbody.add_frame(pos=[1, 2, 3])
    body.set_frame(outside)
    geom.set_frame(inside)
    model = spec.compile()
    assert model.body_pos[1].tolist() == [1, 2, 3] and model.geom_pos[0].tolist() == [0, 0, 1] and model.nsensor == 1
    assert geom.frame is inside and body.frame is outside
    with pytest.raises(ValueError, match="another body"):
        geom.set_frame(outside)


def test_textures_from_bytes_and_meshes_with_materials():
    spec = mujoco.MjSpec()
    texture = spec.add_texture(name="t", type=mujoco.mjtTexture.mjTEXTURE_2D, width=2, height=1, nchannel=3)
    texture.data = bytes([1, 2, 3, 4, 5, 6])
    spec.add_material(name="red")
    mesh = spec.add_mesh(name="ball", material="red")
    mesh.make_sphere(subdivision=1)
    spec.worldbody.add_geom(type=mujoco.mjtGeom.mjGEOM_MESH, meshname="ball")
    model = spec.compile()
    assert texture.data == bytes([1, 2, 3, 4, 5, 6]) and model.tex_data.tolist() == [1, 2, 3, 4, 5, 6]
    assert model.geom_matid.tolist() == [0]
    texture.data = bytes([9] * 6)
    assert set(spec.compile().tex_data.tolist()) == {9}
    texture.width = 3
    with pytest.raises(ValueError, match="6 bytes of data for 3 x 1"):
        spec.compile()
    texture.width = 2
    late = spec.add_texture(name="late", type=mujoco.mjtTexture.mjTEXTURE_2D)
    late.data = bytes([7] * 12)
    with pytest.raises(ValueError, match="12 bytes of data for 0 x 0"):
        spec.compile()
    late.width = late.height = 2
    assert set(spec.compile().tex("late").data.ravel().tolist()) == {7}


def test_inertias_are_adopted_and_assets_shared():
    spec = mujoco.MjSpec.from_string("""<mujoco><asset><texture name="a" type="2d" builtin="flat" width="4" height="4"/>
      <texture name="b" type="2d" builtin="flat" width="4" height="4"/><material name="m" texture="b"/></asset>
      <worldbody><body name="b"><joint/><geom name="g" size=".1" pos="0 0 .2"/></body></worldbody></mujoco>""")
    before = spec.compile()
    spec.adopt_inertial(spec.body("b"))
    spec.geom("g").size = [0.3, 0, 0]
    after = spec.compile()
    assert after.body_mass[1] == pytest.approx(before.body_mass[1]) and after.body_inertia[1] == pytest.approx(before.body_inertia[1])
    assert spec.dedup_assets() == 1 and spec.compile().ntex == 1 and spec.dedup_assets() == 0
