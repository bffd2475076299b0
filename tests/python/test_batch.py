"""Batches: arrays without copies, work, model values, errors."""

import copy
import ctypes
import gc
import signal
import threading
import time

import corten
import numpy as np
import pytest

BALL = """
<mujoco>
  <option timestep="0.01"/>
  <worldbody>
    <geom type="plane" size="5 5 0.1"/>
    <body name="ball" pos="0 0 1">
      <joint name="x" type="slide" axis="1 0 0"/><joint name="z" type="slide" axis="0 0 1"/>
      <geom size="0.1" mass="1"/>
      <site name="center"/>
    </body>
  </worldbody>
  <actuator><motor joint="x"/></actuator>
  <sensor><framepos objtype="site" objname="center"/></sensor>
  <keyframe><key name="high" qpos="0 4"/></keyframe>
</mujoco>
"""


@pytest.fixture
def ball():
    return corten.Model.from_xml_string(BALL)


@pytest.fixture
def batch(ball):
    with corten.Batch(ball, 6, "cpu", threads=2) as batch:
        yield batch


def serial(model, start, controls):
    """What single data give, from a speed and a row of controls each."""
    rows = []
    for qvel, ctrl in zip(start, controls):
        data = corten.Data(model)
        data.qvel, data.ctrl = qvel, ctrl
        corten.step(model, data, 20)
        rows.append((data.qpos.copy(), data.sensordata.copy()))
    return [np.array(column) for column in zip(*rows)]


# ---- arrays ----


def test_body_forces_are_those_of_a_data():
    """Also with Runge-Kutta, which evaluates the dynamics several times in a step."""
    for integrator in ("Euler", "RK4"):
        model = corten.Model.from_xml_string(f"""
        <mujoco>
          <option timestep="0.01" integrator="{integrator}"/>
          <worldbody>
            <geom type="plane" size="1 1 1"/>
            <body pos="0 0 0.12"><freejoint/><geom size="0.1"/></body>
          </worldbody>
        </mujoco>""")
        data, batch = corten.Data(model), corten.Batch(model, 2, "cpu")
        batch.output("cfrc_ext", "cacc")
        for _ in range(15):
            corten.step(model, data, 3)
            corten.post_constraint(model, data)
            batch.step(3)
            assert np.array_equal(batch.cfrc_ext[1], data.cfrc_ext)
            assert np.array_equal(batch.cacc[1], data.cacc)
        assert data.ncon > 0


def test_arrays_have_the_shape_of_the_field_and_one_row_a_world(ball, batch):
    data = corten.Data(ball)
    for name in ("qpos", "qvel", "ctrl", "xfrc_applied", "mocap_pos", "qacc_warmstart", "act"):
        assert batch.view(name).shape == (6, *getattr(data, name).shape), name
    assert batch.time.shape == (6,)
    batch.output("xpos", "ncon", "sensordata")
    assert batch.xpos.shape == (6, 2, 3) and batch.ncon.shape == (6,) and batch.sensordata.shape == (6, 3)
    assert batch.view("state").shape == (6, corten.state_size(ball))
    assert batch.outputs == ("xpos", "ncon", "sensordata")


def test_arrays_are_the_memory_of_the_batch(batch):
    qpos, state = batch.qpos, batch.view("state")
    assert np.shares_memory(qpos, state) and np.shares_memory(qpos, batch.qpos)
    qpos[3] = [0.5, 2]
    assert (batch.get("qpos", 3) == [[0.5, 2]]).all()
    batch.step(10)
    assert qpos[3, 1] < 2


def test_arrays_stay_where_they_are_when_fields_are_added(batch):
    batch.output("sensordata")
    batch.vary("body_mass")
    sensors, mass = batch.sensordata, batch.body_mass
    batch.output("xpos", "qacc")
    batch.vary("geom_friction")
    batch.update()
    batch.step()
    assert np.shares_memory(sensors, batch.sensordata) and np.shares_memory(mass, batch.body_mass)
    assert np.allclose(sensors[:, 2], 1)


def test_arrays_outlive_the_batch(ball):
    batch = corten.Batch(ball, 3, "cpu")
    qpos = batch.qpos
    batch.step(5)
    expected = qpos.copy()
    batch.close()
    del batch
    gc.collect()
    assert (qpos == expected).all()
    qpos[:] = 7


def test_the_model_stays_alive():
    batch = corten.Batch(corten.Model.from_xml_string(BALL), 3, "cpu")
    gc.collect()
    batch.step(3)
    assert batch.model.nq == 2


# ---- work ----


@pytest.mark.parametrize("threads", [1, 2, 3])
def test_a_batch_is_a_serial_loop(ball, threads):
    rng = np.random.default_rng(1)
    start, controls = rng.normal(size=(6, 2)), rng.normal(size=(6, 1))
    qpos, sensors = serial(ball, start, controls)
    with corten.Batch(ball, 6, "cpu", threads=threads) as batch:
        batch.output("sensordata")
        batch.qvel, batch.ctrl = start, controls
        batch.step(20)
        assert (batch.qpos == qpos).all() and (batch.sensordata == sensors).all()
        assert np.allclose(batch.time, 0.2)


def test_a_rollout_is_steps_with_their_controls(ball):
    controls = np.random.default_rng(2).normal(size=(4, 15, 1))
    with corten.Batch(ball, 4, "cpu") as one, corten.Batch(ball, 4, "cpu") as many:
        for batch in (one, many):
            batch.output("sensordata", "qpos", "ncon")
        recorded = many.rollout(controls)
        assert {name: array.shape for name, array in recorded.items()} == {
            "sensordata": (4, 15, 3), "qpos": (4, 15, 2), "ncon": (4, 15)
        }
        for i in range(15):
            one.ctrl = controls[:, i]
            one.step()
            assert (recorded["qpos"][:, i] == one.qpos).all()
            assert (recorded["sensordata"][:, i] == one.sensordata).all()
        same = many.rollout(nstep=3)["qpos"]
        one.step(3)
        assert (same[:, -1] == one.qpos).all()


def test_a_rollout_with_the_same_controls_everywhere(batch):
    batch.output("qpos")
    recorded = batch.rollout(np.ones((5, 1)))["qpos"]
    assert recorded.shape == (6, 5, 2) and (recorded == recorded[:1]).all() and recorded[0, -1, 0] > 0


def test_forward_computes_without_advancing(batch):
    batch.output("sensordata")
    batch.qpos[:, 1] = np.arange(6)
    batch.forward()
    assert (batch.sensordata[:, 2] == 1 + np.arange(6)).all() and (batch.time == 0).all()


def test_get_makes_an_output(batch):
    assert np.allclose(batch.get("xpos")[:, 1, 2], 1) and batch.outputs == ("xpos",)
    assert batch.get("xpos", [5, 1]).shape == (2, 2, 3)
    assert batch.get("xpos", slice(-3, None)).shape == (3, 2, 3)


def test_set_takes_rows_one_row_or_a_number(batch):
    batch.set("qvel", [[1, 2], [3, 4]], ids=[4, 0])
    assert (batch.qvel[[4, 0]] == [[1, 2], [3, 4]]).all() and (batch.qvel[1] == 0).all()
    batch.set("qvel", [5, 6])
    assert (batch.qvel == [5, 6]).all()
    batch.qvel = 0
    assert (batch.qvel == 0).all()
    batch.set("qvel", [7, 8], ids=slice(1, 3))
    assert (batch.qvel[1:3] == [7, 8]).all() and (batch.qvel[3:] == 0).all()


def test_reset_by_ids_mask_and_keyframe(batch):
    batch.step(10)
    fallen = batch.qpos[0, 1]
    batch.reset(ids=[1, 2])
    batch.reset(mask=np.arange(6) == 3, key="high")
    batch.reset([4], key=0)
    assert list(batch.qpos[:, 1]) == [fallen, 0, 0, 4, 4, fallen]
    batch.reset(ids=[])
    batch.reset(ids=slice(0, 0))
    assert batch.qpos[0, 1] == fallen
    batch.reset()
    assert (batch.qpos == 0).all() and (batch.time == 0).all()


def test_worlds_have_their_own_models(batch):
    batch.vary("opt.gravity", "body_mass")
    batch.view("opt.gravity")[:, 2] = -np.arange(6)
    batch.step()
    assert np.allclose(batch.qvel[:, 1], -0.01 * np.arange(6))
    batch.reset()
    batch.body_mass[:, 1] = 1 + np.arange(6)
    batch.ctrl = 1
    batch.update()
    batch.step()
    assert np.allclose(batch.qvel[:, 0], 0.01 / (1 + np.arange(6)))
    assert (batch.get("body_subtreemass")[:, 0] == 1 + np.arange(6)).all()


def test_save_and_restore_go_on_bit_for_bit(batch):
    batch.output("sensordata")
    batch.qvel = np.random.default_rng(3).normal(size=(6, 2))
    batch.step(30)
    saved = batch.save()
    batch.step(40)
    qpos, sensors = batch.qpos.copy(), batch.sensordata.copy()
    batch.restore(saved)
    batch.step(40)
    assert (batch.qpos == qpos).all() and (batch.sensordata == sensors).all()
    with pytest.raises(corten.Error, match="another model"):
        batch.restore(saved[:-1])
    with pytest.raises(TypeError):
        batch.restore("text")


def test_a_bad_number_marks_its_world_only(batch):
    batch.ctrl[2] = np.nan
    batch.qvel[4] = np.inf
    batch.step(3)
    numbers = batch.warnings.number
    assert numbers.shape == (6, len(corten.WarningType))
    assert numbers[2, corten.WarningType.BADCTRL] == 3 and numbers[4, corten.WarningType.BADQVEL] == 1
    assert (numbers[[0, 1, 3, 5]] == 0).all()
    assert batch.status[4] == corten.Status.STEP_DIVERGED and (batch.status[[0, 1, 3, 5]] == 0).all()
    assert (batch.qpos[0] == batch.qpos[5]).all() and np.isfinite(batch.qpos).all()


def test_bad_worlds_start_again(ball):
    with corten.Batch(ball, 3, "cpu", reset_bad=True, reset_key="high") as batch:
        batch.qvel[1] = np.inf
        batch.step()
        assert batch.status[1] == corten.Status.STEP_DIVERGED
        assert batch.qpos[1, 1] == 4 and batch.qpos[0, 1] < 1


def test_info(ball):
    with corten.Batch(ball, 100, "cpu", threads=2) as batch:
        info = batch.info
        assert info.backend == "cpu" and info.nworld == batch.nworld == 100
        assert info.threads == 2 and info.device == -1
        assert info.real_bytes == batch.qpos.itemsize
        assert info.bytes > 100 * info.bytes_per_world >= 100 * batch.view("state")[0].nbytes
        assert info.precision == batch.precision == ("double" if batch.qpos.itemsize == 8 else "single")
        assert repr(batch) == f"<corten.Batch: 100 worlds on cpu, {info.precision} precision>"


# ---- errors ----


def test_creation_is_checked(ball):
    with pytest.raises(corten.Error, match="at least one world"):
        corten.Batch(ball, 0)
    with pytest.raises(TypeError, match="nworld must be a whole number"):
        corten.Batch(ball, 2.5)
    with pytest.raises(TypeError, match="expected a corten.Model"):
        corten.Batch(corten.Data(ball), 2)
    with pytest.raises(ValueError, match="backend is one of auto, cpu, cuda"):
        corten.Batch(ball, 2, "gpu")
    with pytest.raises(ValueError, match="single or double"):
        corten.Batch(ball, 2, precision="half")
    with pytest.raises(corten.Error, match="threads"):
        corten.Batch(ball, 2, "cpu", threads=-1)
    with pytest.raises(KeyError, match="no key named 'low'"):
        corten.Batch(ball, 2, reset_key="low")


def test_too_many_worlds_say_how_many_would_fit(ball):
    with pytest.raises(corten.Error, match="there is room for") as info:
        corten.Batch(ball, 2**31 - 1, "cpu")
    assert info.value.status == corten.Status.ERR_LIMIT


def test_shapes_and_types_are_checked(batch):
    with pytest.raises(ValueError, match=r"qpos has shape \(6, 2\), got \(5, 2\)"):
        batch.qpos = np.zeros((5, 2))
    with pytest.raises(ValueError, match=r"qpos has shape \(2, 2\), got \(6, 2\)"):
        batch.set("qpos", np.zeros((6, 2)), ids=[0, 1])
    with pytest.raises(TypeError, match="qpos is made of"):
        batch.qpos = np.zeros((6, 2), complex)
    with pytest.raises(TypeError, match="qpos is made of"):
        batch.qpos = "zero"
    for wrong in (np.zeros((6, 4, 2)), np.zeros((5, 4, 1)), np.zeros(4)):
        with pytest.raises(ValueError, match="ctrl has shape"):
            batch.rollout(wrong)
    with pytest.raises(ValueError, match="nstep is 3"):
        batch.rollout(np.zeros((4, 1)), nstep=3)
    with pytest.raises(TypeError, match="ctrl or nstep"):
        batch.rollout()
    with pytest.raises(ValueError, match="negative"):
        batch.rollout(nstep=-1)
    with pytest.raises(ValueError, match="n must be"):
        batch.step(-1)
    with pytest.raises(TypeError, match="n must be a whole number"):
        batch.step(1.5)
    assert (batch.qpos == 0).all() and (batch.time == 0).all()


def test_ids_are_checked(batch):
    for call in (batch.reset, lambda ids: batch.get("qpos", ids), lambda ids: batch.set("qpos", 0, ids)):
        with pytest.raises(corten.Error, match="there is no world 6"):
            call([0, 6])
        with pytest.raises(corten.Error, match="there is no world -1"):
            call([-1])
        with pytest.raises(corten.Error, match="there is no world 2147483647"):
            call([2**40])
        with pytest.raises(corten.Error, match="named twice"):
            call([1, 1])
        with pytest.raises(TypeError, match="whole numbers"):
            call([0.5])
        with pytest.raises(TypeError, match="whole numbers"):
            call([True, False])
    with pytest.raises(ValueError, match="mask has 6 bools"):
        batch.reset(mask=[1, 0, 0, 0, 0, 0])
    with pytest.raises(ValueError, match="mask has 6 bools"):
        batch.reset(mask=[True])
    with pytest.raises(TypeError, match="not both"):
        batch.reset(ids=[1], mask=np.ones(6, bool))
    with pytest.raises(IndexError):
        batch.reset(key=3)


def test_names_are_checked(batch):
    with pytest.raises(AttributeError, match="call output\\('xpos'\\) first"):
        batch.xpos
    with pytest.raises(AttributeError, match="call vary\\('body_mass'\\) first"):
        batch.body_mass
    with pytest.raises(AttributeError, match="did you mean qpos"):
        batch.qposs
    with pytest.raises(AttributeError, match="no attribute 'qposs'"):
        batch.qposs = 1
    with pytest.raises(AttributeError, match="no attribute"):
        batch.get("nothing")
    with pytest.raises(corten.Error, match="neither a part"):
        batch.output("nothing")
    with pytest.raises(corten.Error, match="another size in every step"):
        batch.output("efc_force")
    with pytest.raises(corten.Error, match="not made of real numbers"):
        batch.vary("body_parentid")
    batch.output("xpos")
    with pytest.raises(corten.Error, match="is an output"):
        batch.xpos = 0
    assert "xpos" in dir(batch) and "qpos" in dir(batch)


def test_a_closed_batch_refuses(ball):
    with corten.Batch(ball, 2, "cpu") as batch:
        pass
    calls = (batch.step, batch.forward, batch.reset, batch.save, batch.update, lambda: batch.qpos,
             lambda: batch.status, lambda: batch.info, lambda: batch.get("qpos"), lambda: batch.output("xpos"),
             lambda: setattr(batch, "qpos", 0), batch.__enter__)  # fmt: skip
    for call in calls:
        with pytest.raises(ValueError, match="closed"):
            call()
    batch.close()
    assert "closed" in repr(batch)


# ---- threads ----


def test_a_batch_in_use_refuses_a_second_thread(ball):
    batch = corten.Batch(ball, 2, "cpu", threads=1)
    thread = threading.Thread(target=batch.step, args=(300_000,))
    thread.start()
    while batch.time[0] == 0:
        time.sleep(0.001)
    for use in (batch.step, batch.save, lambda: batch.status, lambda: batch.get("qpos")):
        with pytest.raises(RuntimeError, match="another thread"):
            use()
    assert thread.is_alive()  # and Python went on meanwhile
    thread.join()
    batch.step()


def test_a_long_run_can_be_interrupted(batch):
    # a background job starts with the signal ignored
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    timer = threading.Timer(0.2, signal.raise_signal, [signal.SIGINT])
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        batch.step(2**31 - 1)
    timer.join()
    signal.signal(signal.SIGINT, before)
    batch.step()


# ---- memory shared with other libraries ----


def shared(batch, name):
    """What a GPU would give, of memory on the CPU."""
    return batch._batch.array(name, batch._batch.shape(name), True)


@pytest.mark.parametrize("name", ["qpos", "xpos", "time", "mocap_pos"])
def test_dlpack_shares_memory(batch, name):
    batch.output("xpos")
    batch.step()
    array = shared(batch, name)
    assert array.__dlpack_device__() == (1, 0) and array.device == -1
    taken = np.from_dlpack(array)
    assert taken.shape == array.shape == batch.view(name).shape
    assert taken.strides == batch.view(name).strides or taken.size == 0
    assert (taken == batch.view(name)).all() and (np.shares_memory(taken, batch.view(name)) or taken.size == 0)


def test_dlpack_tensors_keep_the_batch(ball):
    batch = corten.Batch(ball, 3, "cpu")
    batch.step(3)
    expected = batch.qpos.copy()
    taken = np.from_dlpack(shared(batch, "qpos"))
    batch.close()
    del batch
    gc.collect()
    assert (taken == expected).all()


class _Tensor(ctypes.Structure):
    _fields_ = [("data", ctypes.c_void_p), ("device", ctypes.c_int32 * 2), ("ndim", ctypes.c_int32),
                ("code", ctypes.c_uint8), ("bits", ctypes.c_uint8), ("lanes", ctypes.c_uint16),
                ("shape", ctypes.POINTER(ctypes.c_int64)), ("strides", ctypes.POINTER(ctypes.c_int64)),
                ("byte_offset", ctypes.c_uint64)]  # fmt: skip


class _Versioned(ctypes.Structure):
    _fields_ = [("version", ctypes.c_uint32 * 2), ("context", ctypes.c_void_p), ("deleter", ctypes.c_void_p),
                ("flags", ctypes.c_uint64), ("tensor", _Tensor)]  # fmt: skip


def tensor_in(capsule, name, kind):
    get = ctypes.pythonapi.PyCapsule_GetPointer
    get.restype, get.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    return kind.from_address(get(capsule, name))


def test_dlpack_structs_say_what_the_array_is(batch):
    batch.output("xpos")
    array, view = shared(batch, "xpos"), batch.xpos
    plain = array.__dlpack__()
    versioned = array.__dlpack__(max_version=(1, 1), stream=None, dl_device=(1, 0), copy=None)
    newer = tensor_in(versioned, b"dltensor_versioned", _Versioned)
    assert list(newer.version) == [1, 0] and newer.flags == 0 and newer.deleter
    for tensor in (tensor_in(plain, b"dltensor", _Tensor), newer.tensor):
        assert tensor.data == view.ctypes.data and list(tensor.device) == [1, 0] and tensor.byte_offset == 0
        assert (tensor.code, tensor.bits, tensor.lanes) == (2, 8 * view.itemsize, 1)
        assert tensor.ndim == 3 and tensor.shape[:3] == list(view.shape)
        assert tensor.strides[:3] == [stride // view.itemsize for stride in view.strides]


def test_dlpack_refuses_what_it_cannot_do(batch):
    array = shared(batch, "qpos")
    with pytest.raises(BufferError, match="shared, not copied"):
        array.__dlpack__(copy=True)
    with pytest.raises(BufferError, match="stay on their device"):
        array.__dlpack__(dl_device=(2, 0))
    with pytest.raises(TypeError):
        array.__dlpack__(stream="main")
    with pytest.raises(TypeError):
        array.__dlpack__(max_version=1)
    with pytest.raises(AttributeError, match="not on a GPU"):
        array.__cuda_array_interface__
    assert not hasattr(array, "__cuda_array_interface__")
    assert repr(array).startswith("<corten.BatchArray: (6, 2) of float")


@pytest.mark.parametrize("key", [slice(None), Ellipsis, 2, slice(1, 4), (slice(None), 1), [0, 3]])
def test_elements_are_set_as_those_of_an_array(batch, key):
    array, wanted = shared(batch, "qvel"), np.array(batch.get("qvel"))
    wanted[key] = 0.25
    array[key] = 0.25
    assert (batch.get("qvel") == wanted).all()
    with pytest.raises((IndexError, ValueError)):
        array[99] = 1.0
    with pytest.raises(TypeError, match="cannot be deleted"):
        del array[0]


def gpu_batch(model, nworld):
    try:
        return corten.Batch(model, nworld, "cuda")
    except corten.Error as error:
        if error.status != corten.Status.ERR_UNSUPPORTED:
            raise
        return None


def test_without_a_gpu_auto_is_the_cpu_and_cuda_says_why(ball):
    if gpu_batch(ball, 1):
        pytest.skip("there is a GPU")
    with pytest.raises(corten.Error, match="GPU") as info:
        corten.Batch(ball, 2, "cuda")
    assert info.value.status == corten.Status.ERR_UNSUPPORTED
    assert corten.Batch(ball, 2).info.backend == "cpu"


def test_arrays_on_a_gpu(ball):
    batch = gpu_batch(ball, 4)
    if not batch:
        pytest.skip("there is no GPU")
    batch.output("sensordata")
    batch.set("qvel", np.arange(8.0).reshape(4, 2))
    batch.step(3)
    array = batch.qpos
    face = array.__cuda_array_interface__
    assert face["version"] == 3 and face["shape"] == (4, 2) and face["typestr"] in ("<f4", "<f8")
    assert face["data"][0] != 0 and array.__dlpack_device__() == (2, batch.info.device)
    with pytest.raises(BufferError, match="GPU"):
        memoryview(array)
    kept = batch.sensordata
    with pytest.raises(BufferError, match="let go"):
        batch.output("xpos")
    del kept
    batch.output("xpos")
    assert batch.get("qpos").shape == (4, 2)
    batch.qvel[1:] = 0.5
    assert (batch.get("qvel")[1:] == 0.5).all()


def test_precision_on_a_gpu(ball):
    batch = gpu_batch(ball, 4)
    if not batch:
        pytest.skip("there is no GPU")
    assert batch.precision == "single" and "single precision" in repr(batch)  # a GPU asked for by name
    own = "double" if np.dtype(corten.Data(ball).qpos.dtype).itemsize == 8 else "single"
    assert corten.Batch(ball, 4).precision == own  # "auto" changes nothing
    assert corten.Batch(ball, 4, precision="single").info.backend == "cuda" or own == "single"


def test_noise_and_copies_on_a_gpu():
    model = corten.Model.from_xml_string(
        "<mujoco><worldbody><body><joint name='j'/><geom size='1'/></body></worldbody>"
        "<sensor><jointpos joint='j' noise='0.1'/></sensor></mujoco>"
    )
    batch = gpu_batch(model, 3)
    if not batch:
        pytest.skip("there is no GPU")
    batch.output("sensordata", "ncon")
    batch.set_noise(5)
    batch.step()
    noisy = batch.get("sensordata")
    for world in range(3):
        data = corten.Data(model)
        data.set_noise(5, world)
        corten.step(model, data)
        assert noisy[world, 0] == pytest.approx(data.sensordata[0], rel=1e-5) and noisy[world, 0] != 0
    again = copy.copy(batch)
    batch.step(10)
    again.step(10)
    np.testing.assert_array_equal(again.get("sensordata"), batch.get("sensordata"))
    assert again.get("ncon").dtype == np.int32
    assert batch.data(1).time == pytest.approx(0.022)


def test_profile_measures_stages_and_changes_nothing(ball):
    plain, timed = corten.Batch(ball, 6, "cpu", threads=2), corten.Batch(ball, 6, "cpu", threads=2)
    plain.step(7)
    profile = timed.profile(7)
    np.testing.assert_array_equal(plain.get("state"), timed.get("state"))
    assert (profile.steps, profile.lanes, profile.processors, profile.hertz, profile.step_bytes) == (42, 1, 2, 0, 0)
    assert {"pos_kinematics", "pos_collision", "constraint", "advance"} <= set(profile.stages)
    assert 0 < sum(profile.stages.values()) <= profile.seconds
    assert timed.profile(0).steps == 0
    with pytest.raises(ValueError, match="n must be"):
        timed.profile(-1)
