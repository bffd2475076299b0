"""Models, data, batches and specs can be pickled and copied, bit for bit, and so go to other processes."""

import copy
import multiprocessing
import pickle

import corten
import numpy as np
import pytest

SCENE = """
<mujoco>
  <worldbody>
    <geom type="plane" size="5 5 0.1"/>
    <body pos="0 0 0.3">
      <freejoint/>
      <geom name="box" type="box" size="0.1 0.1 0.1"/>
      <body pos="0.2 0 0"><joint name="arm" axis="0 1 0"/><geom type="capsule" size="0.03 0.1"/></body>
    </body>
  </worldbody>
  <actuator><position name="drive" joint="arm" kp="2" delay="0.01" nsample="8"/></actuator>
  <sensor><jointpos joint="arm" noise="0.1"/><clock/></sensor>
</mujoco>
"""

WAYS = [lambda x: pickle.loads(pickle.dumps(x)), copy.copy, copy.deepcopy]


@pytest.fixture
def scene():
    return corten.Model.from_xml_string(SCENE)


@pytest.fixture
def moving(scene):
    data = corten.Data(scene)
    data.ctrl[:] = 0.7
    corten.step(scene, data, 200)
    return data


def advance(data):
    """For other processes: more steps, as a vector."""
    corten.step(data.model, data, 50)
    return corten.get_state(data.model, data)


def mass_of(model):
    return corten.total_mass(model)


def roll(batch):
    batch.step(20)
    return batch.get("state"), batch.sensordata.copy()


def bodies_of(spec):
    return spec.compile().to_bytes()


@pytest.mark.parametrize("way", WAYS)
def test_model(scene, way):
    scene.body_mass[1] = 3.5
    scene.opt.timestep = 0.001
    again = way(scene)
    assert again is not scene and again.to_bytes() == scene.to_bytes()
    again.body_mass[1] = 1
    assert scene.body_mass[1] == 3.5


def test_remarks_of_a_model_go_along():
    with pytest.warns(UserWarning):
        model = corten.Model.from_xml_string('<mujoco><option><flag nativeccd="disable"/></option></mujoco>')
    assert model.remarks
    for way in WAYS:
        assert way(model).remarks == model.remarks


@pytest.mark.parametrize("way", WAYS)
def test_data_goes_on_bit_for_bit(moving, way):
    moving.set_noise(5, 2)
    moving.timing = True
    again = way(moving)
    # a pickle goes without the arena, which the next step computes; all else is there
    for field in corten.Data._table:
        if field.place in ("array", "inside") and field.code != "P":
            assert again._block.snapshot(field.index) == moving._block.snapshot(field.index), field.name
    np.testing.assert_array_equal(again.warning.number, moving.warning.number)
    np.testing.assert_array_equal(again.solver.improvement, moving.solver.improvement)
    assert again.timing and again.status == moving.status
    np.testing.assert_array_equal(advance(again), advance(moving))
    np.testing.assert_array_equal(again.sensordata, moving.sensordata)  # the noise too


def test_a_copy_has_contacts_and_rows(moving):
    again = moving.copy()
    assert moving.ncon > 0 and again.to_text() == moving.to_text()
    again.contact  # memory of its own: the first may go
    text = moving.to_text()
    del moving
    assert again.to_text() == text


def test_trouble_goes_along(scene):
    data = corten.Data(scene)
    data.qvel[0] = np.nan
    with pytest.warns(corten.SimulationWarning):
        corten.step(scene, data)
    for way in WAYS:
        assert way(data).status == corten.Status.STEP_DIVERGED
        assert way(data).warning.number.sum() == 1


def test_model_and_data_stay_together(moving):
    model, data = pickle.loads(pickle.dumps((moving.model, moving)))
    assert data.model is model


@pytest.mark.parametrize("way", WAYS)
def test_batch_goes_on_bit_for_bit(scene, way):
    batch = corten.Batch(scene, 3, "cpu", threads=2)
    batch.output("sensordata", "ncon")
    batch.vary("body_mass", "opt.gravity")
    batch.body_mass[:, 1] += np.arange(3)
    batch.update()
    batch.get("xpos")
    batch.set_noise(7)
    batch.ctrl[:] = [[0.1], [0.2], [0.3]]
    batch.step(50)
    again = way(batch)
    assert again.outputs == batch.outputs and again.info[:5] == batch.info[:5]
    np.testing.assert_array_equal(again.body_mass, batch.body_mass)
    for mine, other in zip(roll(batch), roll(again)):
        np.testing.assert_array_equal(mine, other)
    assert again.save() == batch.save()


@pytest.mark.parametrize("way", WAYS)
def test_spec(scene, way):
    spec = corten.Spec.from_xml_string(SCENE)
    spec.geom("box").size = [0.2, 0.1, 0.1]
    again = way(spec)
    assert again.to_xml() == spec.to_xml()
    assert again.compile().to_bytes() == spec.compile().to_bytes()
    with pytest.raises(TypeError, match="pickle its spec"):
        pickle.dumps(spec.geom("box"))


TETRAHEDRON = b"v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"
MESH = (
    '<mujoco><compiler meshdir="parts"/><asset><mesh name="a" file="a.obj"/></asset>'
    '<worldbody><geom type="mesh" mesh="a"/></worldbody></mujoco>'
)


def test_spec_with_files_on_disk(tmp_path, monkeypatch):
    (tmp_path / "parts").mkdir()
    (tmp_path / "parts" / "a.obj").write_bytes(TETRAHEDRON)
    (tmp_path / "model.xml").write_text(MESH)
    monkeypatch.chdir(tmp_path)
    spec = corten.Spec.from_xml_path("model.xml")
    pickled, model = pickle.dumps(spec), spec.compile()
    monkeypatch.chdir("/")
    again = pickle.loads(pickled)
    assert again.assets == {}
    np.testing.assert_array_equal(again.compile().mesh_vert, model.mesh_vert)
    assert pickle.loads(pickle.dumps(again)).to_xml() == spec.to_xml()


def test_spec_with_files_in_memory():
    files = {"model.xml": MESH.encode(), "parts/a.obj": TETRAHEDRON}
    for spec in (corten.Spec.from_xml_string(MESH, files), corten.Spec.from_xml_path("model.xml", files)):
        again = pickle.loads(pickle.dumps(spec))
        assert again.assets == spec.assets
        assert again.compile().to_bytes() == spec.compile().to_bytes()


@pytest.mark.parametrize("method", ["spawn", "forkserver", "fork"])
@pytest.mark.filterwarnings("ignore:.*multi-threaded.*fork:DeprecationWarning")
def test_pool(scene, moving, method):
    batch = corten.Batch(scene, 2, "cpu", threads=1)
    batch.output("sensordata")
    with multiprocessing.get_context(method).Pool(2) as pool:
        states = pool.map(advance, [moving, moving])
        masses = pool.map(mass_of, [scene, scene])
        rolled = pool.map(roll, [batch])
        compiled = pool.map(bodies_of, [corten.Spec.from_xml_string(SCENE)])
    expected = advance(moving)
    for state in states:
        np.testing.assert_array_equal(state, expected)
    assert masses == [corten.total_mass(scene)] * 2
    np.testing.assert_array_equal(rolled[0][0], roll(batch)[0])
    assert compiled == [scene.to_bytes()]
