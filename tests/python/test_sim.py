"""Running simulations: the calls, their errors, threads."""

import signal
import threading
import time

import corten
import numpy as np
import pytest

STAGES = [
    corten.forward_position,
    corten.forward_velocity,
    corten.forward_actuation,
    corten.forward_acceleration,
    corten.forward_constraint,
]


def test_steps_advance_time(model, data):
    corten.step(model, data)
    corten.step(model, data, 9)
    corten.step(model, data, nstep=10)
    corten.step(model, data, nstep=0)
    assert np.isclose(data.time, 20 * model.opt.timestep)


def test_many_steps_are_the_same_as_one_by_one(model):
    one, many = corten.Data(model), corten.Data(model)
    for data in (one, many):
        data.ctrl = [0.3, -0.2]
    corten.step(model, many, 50)
    for _ in range(50):
        corten.step(model, one)
    assert (one.qpos == many.qpos).all() and (one.qvel == many.qvel).all()


def test_halves_and_stages_make_the_whole(model):
    whole, halves, stages = corten.Data(model), corten.Data(model), corten.Data(model)
    corten.step(model, whole)
    corten.step1(model, halves)
    corten.step2(model, halves)
    assert (whole.qpos == halves.qpos).all()
    for stage in STAGES:
        stage(model, stages)
    corten.reset(model, whole)
    corten.forward(model, whole)
    assert (whole.qacc == stages.qacc).all()


def test_inverse_explains_forward(model, data):
    data.ctrl = [1, 2]
    data.qvel = np.linspace(-1, 1, model.nv)
    corten.forward(model, data)
    corten.inverse(model, data)
    tolerance = 1e6 * np.finfo(data.qacc.dtype).eps  # forces are of the order of a hundred
    assert np.allclose(data.qfrc_inverse, data.qfrc_actuator, atol=tolerance)


def test_reset_goes_back(model, data):
    corten.step(model, data, 10)
    corten.reset(model, data)
    assert data.time == 0 and (data.qpos == model.qpos0).all() and (data.qvel == 0).all()


def test_a_keyframe_that_is_not_there(model, data):
    with pytest.raises(IndexError, match="no key 0"):
        corten.reset_keyframe(model, data, 0)
    with pytest.raises(KeyError, match="no key named 'home'"):
        corten.reset_keyframe(model, data, "home")


def test_a_keyframe_by_number_and_by_name(xml):
    key = '<keyframe><key name="up" time="3" ctrl="1 2"/></keyframe></mujoco>'
    try:
        model = corten.Model.from_xml_string(xml.replace("</mujoco>", key))
    except corten.Error as error:
        if error.status != corten.Status.ERR_UNSUPPORTED:
            raise
        pytest.skip("the engine has no keyframes yet")
    for which in (0, "up"):
        data = corten.Data(model)
        corten.reset_keyframe(model, data, which)
        assert data.time == 3 and list(data.ctrl) == [1, 2] and model.key("up").ctrl.shape == (2,)


def test_trouble_in_a_step_is_counted_not_raised(model, data):
    data.qvel[0] = np.inf
    corten.step(model, data, 5)
    assert data.warning[corten.WarningType.BADQVEL].number == 1
    assert data.time == 4 * model.opt.timestep or data.time == 5 * model.opt.timestep


@pytest.mark.parametrize("call", [corten.step, corten.forward, corten.reset, corten.energy, corten.full_mass])
def test_arguments_are_checked(call, model, data):
    for wrong in ((data, model), (model, model), (None, data), (model, 3)):
        with pytest.raises((TypeError, AttributeError)):
            call(*wrong)
    with pytest.raises(TypeError):
        call(model)


def test_the_number_of_steps_is_checked(model, data):
    for wrong in (1.5, "3", None):
        with pytest.raises(TypeError):
            corten.step(model, data, wrong)
    with pytest.raises(ValueError, match="negative"):
        corten.step(model, data, -1)
    with pytest.raises(TypeError):
        corten.step(model, data, steps=1)
    with pytest.raises(TypeError):
        corten.step(model, data, 1, nstep=1)


def test_a_data_of_another_model_is_refused(model, data):
    other = corten.Model.from_xml_string(
        "<mujoco><worldbody><body><geom size='1'/></body></worldbody></mujoco>"
    )
    with pytest.raises(ValueError, match="other sizes"):
        corten.step(other, data)
    edited = model.copy()
    edited.opt.gravity[:] = 0
    corten.step(edited, data)  # the same sizes: allowed
    assert data.qvel[2] == 0


def test_a_state_goes_out_and_in_bit_for_bit(model, data):
    data.ctrl = [0.1, 0.2]
    corten.step(model, data, 7)
    state = corten.get_state(model, data)
    assert state.shape == (corten.state_size(model),)
    corten.step(model, data, 20)
    after = data.qpos.copy()
    corten.set_state(model, data, state)
    corten.step(model, data, 20)
    assert (data.qpos == after).all()


def test_parts_of_a_state(model, data):
    both = corten.State.QPOS | corten.State.QVEL
    assert corten.state_size(model, both) == model.nq + model.nv
    assert (corten.get_state(model, data, both)[: model.nq] == data.qpos).all()
    with pytest.raises(ValueError, match="state: expected"):
        corten.set_state(model, data, [1.0, 2.0], both)
    with pytest.raises(ValueError, match="unknown bits"):
        corten.state_size(model, 1 << 20)


def test_mass_matrix_and_energy_agree(model, data):
    data.qvel = np.linspace(1, 2, model.nv)
    corten.forward(model, data)
    mass = corten.full_mass(model, data)
    assert mass.shape == (model.nv, model.nv) and np.allclose(mass, mass.T)
    potential, kinetic = corten.energy(model, data)
    assert np.isclose(kinetic, 0.5 * data.qvel @ mass @ data.qvel)
    assert list(data.energy) == [potential, kinetic]


def test_a_force_on_the_free_body_is_its_generalised_force(model, data):
    corten.forward(model, data)
    qfrc = np.zeros(model.nv, data.qvel.dtype)
    corten.apply_force(model, data, [1, 2, 3], None, data.body("base").xpos, "base", qfrc)
    corten.apply_force(model, data, [1, 0, 0], [0, 0, 0], data.body("base").xpos, 1, qfrc)
    assert np.allclose(qfrc[:3], [2, 2, 3]) and np.allclose(qfrc[6:], 0)
    with pytest.raises(ValueError, match="qfrc"):
        corten.apply_force(model, data, [1, 2, 3], None, [0, 0, 0], 1, np.zeros(3))
    with pytest.raises(ValueError, match="force"):
        corten.apply_force(model, data, [1, 2], None, [0, 0, 0], 1, qfrc)
    with pytest.raises(IndexError):
        corten.apply_force(model, data, [1, 2, 3], None, [0, 0, 0], 9, qfrc)


# ---- threads ----


def run_in_background(model, data, nstep):
    thread = threading.Thread(target=corten.step, args=(model, data, nstep))
    thread.start()
    return thread


def test_python_goes_on_while_a_step_runs(model, data):
    thread = run_in_background(model, data, 60_000)
    turns = 0
    while thread.is_alive():
        turns += 1
        time.sleep(0.0005)
    assert turns > 20  # with the GIL held there would be at most a few


def test_threads_step_their_own_data_of_one_model(model):
    alone = corten.Data(model)
    corten.step(model, alone, 500)
    datas = [corten.Data(model) for _ in range(4)]
    threads = [run_in_background(model, data, 500) for data in datas]
    for thread in threads:
        thread.join()
    for data in datas:
        assert (data.qpos == alone.qpos).all()


def test_a_data_in_use_refuses_a_second_thread(model, data):
    thread = run_in_background(model, data, 200_000)
    while data.time == 0:
        pass
    for use in (
        lambda: corten.step(model, data),
        lambda: data.contact,
        lambda: data.efc_force,
        data.copy,
        lambda: corten.get_state(model, data),
    ):
        with pytest.raises(RuntimeError, match="another thread"):
            use()
    assert thread.is_alive()
    thread.join()
    corten.step(model, data)


@pytest.fixture
def interruptible():
    """Background jobs may begin with interrupts ignored."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def test_a_long_run_can_be_interrupted(model, data, interruptible):
    timer = threading.Timer(0.2, signal.raise_signal, [signal.SIGINT])
    began = time.monotonic()
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        corten.step(model, data, 10**9)
    timer.join()
    assert time.monotonic() - began < 30
    corten.step(model, data)


def test_a_stage_may_run_any_number_of_times():
    """The constraint stage gives back what it took: after many runs it still solves."""
    text = "".join(f'<body pos="{i} 0 0.09"><freejoint/><geom size="0.1"/></body>' for i in range(6))
    model = corten.Model.from_xml_string(f'<mujoco><worldbody><geom type="plane" size="9 9 1"/>{text}</worldbody></mujoco>')
    data = corten.Data(model)
    corten.forward(model, data)
    force = data.efc_force.copy()
    for _ in range(500):
        corten.forward_constraint(model, data)
    assert np.allclose(data.efc_force, force)
    assert data.nisland == 6 and data.status == corten.Status.OK
