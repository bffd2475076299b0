"""Saved states: the same bits afterwards, and nothing but whole states of the same model gets in."""

import pathlib
import struct

import numpy as np
import pytest

import corten

ROOT = pathlib.Path(__file__).resolve().parents[2]
MODELS = sorted((ROOT / "tests" / "models").rglob("*.xml")) + sorted((ROOT / "models").glob("*.xml"))
FIELDS = ("qpos", "qvel", "act", "history", "plastic", "qacc", "qacc_warmstart", "sensordata", "efc_force", "time")
INTEGRATORS = (corten.Integrator.EULER, corten.Integrator.RK4, corten.Integrator.IMPLICIT, corten.Integrator.IMPLICITFAST, corten.Integrator.SPRINGDAMPER)
SOLVERS = (corten.Solver.PGS, corten.Solver.CG, corten.Solver.NEWTON)


def load(path):
    try:
        return corten.Model.from_xml_path(path)
    except corten.Error as error:
        pytest.skip(str(error))


def disturb(model, data, seed=0):
    """A state in which every part of it matters."""
    rng = np.random.default_rng(seed)
    data.qvel[:] = rng.normal(size=model.nv)
    data.ctrl[:] = rng.normal(size=model.nu)
    data.qfrc_applied[:] = 0.1 * rng.normal(size=model.nv)
    data.xfrc_applied[1:] = 0.1 * rng.normal(size=(model.nbody - 1, 6))
    data.mocap_pos[:] += 0.1 * rng.normal(size=data.mocap_pos.shape)


def check_restores(model, steps):
    a = corten.Data(model)
    disturb(model, a)
    corten.step(model, a, steps)
    saved = corten.save_state(model, a)
    corten.step(model, a, steps)
    b = corten.Data(model)
    disturb(model, b, 1)
    corten.step(model, b, 3)
    corten.load_state(model, b, saved)
    corten.step(model, b, steps)
    for field in FIELDS:
        x, y = np.asarray(getattr(a, field)), np.asarray(getattr(b, field))
        assert x.tobytes() == y.tobytes(), field


@pytest.mark.parametrize("path", MODELS, ids=lambda p: p.stem)
def test_a_restored_run_has_the_same_bits(path):
    check_restores(load(path), 20)


@pytest.mark.parametrize("integrator", INTEGRATORS, ids=lambda i: i.name)
@pytest.mark.parametrize("solver", SOLVERS, ids=lambda s: s.name)
@pytest.mark.parametrize("name", ("constraint/mixed", "sensors/history", "smooth/plastic", "sensors/contacts"))
def test_with_every_integrator_and_solver(name, integrator, solver):
    model = load(ROOT / "tests" / "models" / (name + ".xml"))
    model.opt.integrator, model.opt.solver = integrator, solver
    check_restores(model, 15)


# ---- files

@pytest.fixture
def chain():
    model = load(ROOT / "tests" / "models" / "chain.xml")
    data = corten.Data(model)
    disturb(model, data)
    corten.step(model, data, 10)
    return model, data


def everything(model, data):
    return corten.get_state(model, data, (1 << 15) - 1).tobytes()


def refused(model, content):
    """The message; the data it was meant for is untouched."""
    data = corten.Data(model)
    data.qpos[0] = 0.25
    before = everything(model, data)
    with pytest.raises(corten.Error) as error:
        corten.load_state(model, data, bytes(content))
    assert everything(model, data) == before
    return str(error.value)


def test_through_a_file(chain, tmp_path):
    model, data = chain
    path = tmp_path / "state.cts"
    corten.save_state(model, data, path)
    other = corten.Data(model)
    corten.load_state(model, other, path)
    assert everything(model, other) == everything(model, data)


def test_truncated_anywhere(chain):
    model, data = chain
    content = corten.save_state(model, data)
    for length in [*range(0, 120), *range(120, len(content), 97), len(content) - 1]:
        refused(model, content[:length])
    refused(model, content + b"\0")


def test_any_altered_byte(chain):
    model, data = chain
    content = bytearray(corten.save_state(model, data))
    for at in [*range(0, 120), *range(120, len(content), 53)]:
        altered = bytearray(content)
        altered[at] ^= 0x40
        refused(model, altered)


def resealed(content):
    """The same bytes with a right checksum."""
    h = 0xCBF29CE484222325
    for byte in content[:-8]:
        h = (h ^ byte) * 0x100000001B3 & (1 << 64) - 1
    return bytes(content[:-8]) + struct.pack("=Q", h)


def test_resealing_is_what_the_engine_does(chain):
    content = corten.save_state(*chain)
    assert resealed(content) == content


@pytest.mark.parametrize("at, number, words", ((12, 3, "version 3"), (16, 4 if np.dtype(corten._core.real).itemsize == 8 else 8, "reals of"), (20, 14, "14 parts"), (8, 0x04030201, "byte order")))
def test_of_another_format(chain, at, number, words):
    model, data = chain
    content = bytearray(corten.save_state(model, data))
    content[at:at + 4] = struct.pack("=I", number)
    assert words in refused(model, resealed(content))


def test_with_a_number_that_is_not_finite(chain):
    model, data = chain
    content = bytearray(corten.save_state(model, data))
    kind = np.dtype(corten._core.real)
    front = len(content) - 8 - corten.state_size(model, 2**15 - 1) * kind.itemsize  # between head and checksum
    for bad in (np.nan, np.inf):
        content[front:front + kind.itemsize] = np.array(bad, kind).tobytes()  # time is the first part
        assert "time" in refused(model, resealed(content)) and "finite" in refused(model, resealed(content))
    state = corten.get_state(model, data)
    state[3] = np.nan
    before = everything(model, data)
    with pytest.raises(corten.Error):
        corten.set_state(model, data, state)
    assert everything(model, data) == before


def test_of_another_model(chain):
    model, data = chain
    other = load(ROOT / "tests" / "models" / "springs.xml")
    assert "another model" in refused(other, corten.save_state(model, data))
    one = corten.Model.from_xml_string('<mujoco><worldbody><body><joint name="a"/><geom size="1"/></body></worldbody></mujoco>')
    two = corten.Model.from_xml_string('<mujoco><worldbody><body><joint name="b"/><geom size="1"/></body></worldbody></mujoco>')
    slide = corten.Model.from_xml_string('<mujoco><worldbody><body><joint name="a" type="slide"/><geom size="1"/></body></worldbody></mujoco>')
    heavy = corten.Model.from_xml_string('<mujoco><worldbody><body><joint name="a"/><geom size="2"/></body></worldbody></mujoco>')
    saved = corten.save_state(one, corten.Data(one))
    for stranger in (two, slide):
        assert "another model" in refused(stranger, saved)
    corten.load_state(heavy, corten.Data(heavy), saved)


def test_not_a_state_at_all(chain):
    model, _ = chain
    for content in (b"", b"hello", b"<mujoco/>", bytes(4096), b"CORTENS\0"):
        refused(model, content)


# ---- keyframes

def test_keyframes_take_the_current_state():
    model = corten.Model.from_xml_string(
        '<mujoco><worldbody><body mocap="true"><geom size="1"/></body><body pos="3 0 0"><freejoint/><geom size="1"/></body></worldbody><keyframe><key name="home"/></keyframe></mujoco>')
    data = corten.Data(model)
    disturb(model, data)
    corten.step(model, data, 7)
    corten.set_keyframe(model, data, "home")
    other = corten.Data(model)
    corten.reset_keyframe(model, other, "home")
    for field in ("time", "qpos", "qvel", "act", "ctrl", "mocap_pos", "mocap_quat"):
        np.testing.assert_array_equal(getattr(other, field), getattr(data, field))


# ---- noise

NOISY = """<mujoco><option timestep="0.01"/><worldbody><body name="b" quat="1 2 3 4"><freejoint/><geom size="0.1"/><site name="s"/></body></worldbody><sensor>
<gyro site="s" noise="0.1"/><framequat objtype="body" objname="b" noise="0.05"/><framezaxis objtype="body" objname="b" noise="0.05"/>
<insidesite site="s" objtype="body" objname="b" noise="2"/><clock/><clock noise="0.5" nsample="3" delay="0.02"/></sensor></mujoco>"""


def noisy_run(seed, world, steps=5, start=None):
    model = corten.Model.from_xml_string(NOISY)
    data = corten.Data(model)
    if start is not None:
        corten.load_state(model, data, start)
    if seed is not None:
        data.set_noise(seed, world)
    out = []
    for _ in range(steps):
        corten.step(model, data)
        out.append(data.sensordata.copy())
    return np.array(out), corten.save_state(model, data)


def test_noise_is_off_at_first_and_repeats_bit_for_bit():
    clean, _ = noisy_run(None, 0)
    a, middle = noisy_run(7, 3)
    assert (a[:, :3] != clean[:, :3]).any()
    np.testing.assert_array_equal(a[:, 11], clean[:, 11])  # no noise attribute
    np.testing.assert_array_equal(a, noisy_run(7, 3)[0])
    for seed, world in ((8, 3), (7, 4)):
        assert (noisy_run(seed, world)[0][:, :3] != a[:, :3]).all()
    # a restored run goes on with the noise of its steps
    longer, _ = noisy_run(7, 3, 10)
    np.testing.assert_array_equal(noisy_run(7, 3, 5, middle)[0], longer[5:])


def test_noise_keeps_lengths_and_signs():
    data, _ = noisy_run(1, 0, 200)
    np.testing.assert_allclose(np.linalg.norm(data[:, 3:7], axis=1), 1, atol=1e-12)
    np.testing.assert_allclose(np.linalg.norm(data[:, 7:10], axis=1), 1, atol=1e-12)
    assert (data[:, 10] >= 0).all()


def test_noise_has_the_deviation_it_says():
    noise = noisy_run(11, 0, 4000)[0][:, :3] - noisy_run(None, 0, 4000)[0][:, :3]
    # 12,000 numbers: the deviation of the mean is 0.0009, that of the deviation 0.00065
    assert abs(noise.mean()) < 0.005 and abs(noise.std() - 0.1) < 0.004


# ---- text

def test_text_names_what_it_shows(chain):
    model, data = chain
    text = model.to_text()
    assert "body_mass" in text and "opt.timestep" in text and all(model.body(i).name in text for i in range(model.nbody))
    text = data.to_text()
    assert "qpos" in text and f"{data.time:g}" in text


# ---- room

# One body with many feet: few dofs, for which little is set aside, and hundreds of rows.
CROWD = """<mujoco><option solver="PGS"/><worldbody><geom type="plane" size="0 0 1"/><body pos="0 0 0.0999"><freejoint/>{}</body></worldbody></mujoco>""".format(
    "".join(f'<geom type="box" size="0.1 0.1 0.1" pos="{x} {y} 0"/>' for x in range(5) for y in range(5)))


@pytest.mark.parametrize("way", ("file", "copy", "copy_state"))
def test_a_fresh_data_has_the_room_the_old_one_needed(way):
    """Without it the first step after a restore would drop constraints, and take another course."""
    model = corten.Model.from_xml_string(CROWD)
    a = corten.Data(model)
    corten.step(model, a, 5)
    fresh = corten.Data(model)
    if way == "file":
        b = fresh
        corten.load_state(model, b, corten.save_state(model, a))
    elif way == "copy":
        b = a.copy()
    else:
        b = fresh
        corten.copy_state(model, b, a)
    corten.step(model, a, 5)
    corten.step(model, b, 5)
    assert a.nefc > 300
    for field in FIELDS:
        assert np.asarray(getattr(a, field)).tobytes() == np.asarray(getattr(b, field)).tobytes(), field
