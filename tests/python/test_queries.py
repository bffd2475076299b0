"""Rays, distances, constants that follow an edit, threads, and single worlds of a batch."""

import corten
import numpy as np
import pytest

SCENE = """
<mujoco>
  <worldbody>
    <geom name="floor" type="plane" size="5 5 0.1" group="1"/>
    <body name="left" pos="-1 0 0.49"><freejoint/><geom name="ball" size="0.5"/></body>
    <body name="right" pos="1 0 0.49"><freejoint/><geom name="cube" type="box" size="0.5 0.5 0.5"/></body>
  </worldbody>
</mujoco>
"""


@pytest.fixture
def scene():
    return corten.Model.from_xml_string(SCENE)


@pytest.fixture
def placed(scene):
    data = corten.Data(scene)
    corten.forward(scene, data)
    return data


def test_ray(scene, placed):
    distance, geom, normal = corten.ray_cast(scene, placed, [-3, 0, 0.49], [1, 0, 0])
    assert distance == pytest.approx(1.5) and scene.geom(geom).name == "ball"
    np.testing.assert_allclose(normal, [-1, 0, 0], atol=1e-6)
    assert corten.ray_cast(scene, placed, [-3, 0, 5], [0, 0, 1])[:2] == (-1, -1)


def test_what_rays_do_not_see(scene, placed):
    down = [-1, 0, 3], [0, 0, -1]
    floor, ball = scene.geom("floor").id, scene.geom("ball").id
    assert corten.ray_cast(scene, placed, *down)[1] == ball
    assert corten.ray_cast(scene, placed, *down, skip_body="left")[1] == floor
    assert corten.ray_cast(scene, placed, *down, geomgroup=[0, 1, 0, 0, 0, 0])[1] == floor
    assert corten.ray_cast(scene, placed, *down, skip_body="left", skip_static=True)[1] == -1
    with pytest.raises(ValueError, match="geomgroup"):
        corten.ray_cast(scene, placed, *down, geomgroup=[1])


def test_many_rays_are_single_ones(scene, placed):
    rng = np.random.default_rng(0)
    points, targets = rng.normal(size=(50, 3)) * 3, rng.uniform([-2, -1, 0], [2, 1, 1], size=(50, 3))
    points[:, 2] = abs(points[:, 2]) + 1
    directions = targets - points
    distances, geoms, normals = corten.ray_cast_many(scene, placed, points, directions)
    assert geoms.dtype == np.int32 and len(set(geoms)) > 2
    for i in range(50):
        distance, geom, normal = corten.ray_cast(scene, placed, points[i], directions[i])
        assert distances[i] == distance and geoms[i] == geom
        np.testing.assert_array_equal(normals[i], normal)
    shared = corten.ray_cast_many(scene, placed, points[0], directions)
    repeated = corten.ray_cast_many(scene, placed, np.tile(points[0], (50, 1)), directions)
    for one, other in zip(shared, repeated):
        np.testing.assert_array_equal(one, other)
    assert [len(part) for part in corten.ray_cast_many(scene, placed, points[0], np.empty((0, 3)))] == [0, 0, 0]
    with pytest.raises(ValueError, match="shape"):
        corten.ray_cast_many(scene, placed, points, directions[:10])


def test_distance(scene, placed):
    distance, points = corten.geom_distance(scene, placed, "ball", "cube")
    assert distance == pytest.approx(1.0, abs=1e-6)
    np.testing.assert_allclose(points[:, 0], [-0.5, 0.5], atol=1e-5)
    assert corten.geom_distance(scene, placed, "ball", "cube", distmax=0.1)[0] == pytest.approx(0.1)
    assert corten.geom_distance(scene, placed, "ball", "floor")[0] == pytest.approx(-0.01, abs=1e-6)


def test_mass_follows_an_edit(scene):
    before = corten.total_mass(scene)
    scene.body_mass[1] += 27
    assert corten.total_mass(scene) == pytest.approx(before + 27)
    corten.set_total_mass(scene, 90)
    assert corten.total_mass(scene) == pytest.approx(90) and scene.body_mass.sum() == pytest.approx(90)
    assert scene.body_subtreemass[0] == pytest.approx(90)


def test_constants_follow_an_update(scene):
    weights, masses = scene.body_invweight0.copy(), scene.body_subtreemass.copy()
    scene.body_mass[1] *= 2
    np.testing.assert_array_equal(scene.body_subtreemass, masses)  # nothing else changes by itself
    scene.update()
    assert scene.body_subtreemass[1] == 2 * masses[1]
    assert scene.body_invweight0[1, 0] == pytest.approx(weights[1, 0] / 2)


def test_threads_do_not_change_bits(scene):
    data = [corten.Data(scene) for _ in range(2)]
    data[1].set_threads(2)
    for one in data:
        corten.step(scene, one, 100)
    np.testing.assert_array_equal(data[0].qpos, data[1].qpos)
    with pytest.raises(corten.Error, match="threads"):
        data[0].set_threads(-1)


def test_sensor_types(scene):
    model = corten.Model.from_xml_string("<mujoco><sensor><clock/><e_kinetic/></sensor></mujoco>")
    assert [corten.SensorType(i).name for i in model.sensor_type] == ["CLOCK", "E_KINETIC"]


def test_worlds_of_a_batch(scene):
    with corten.Batch(scene, 3, "cpu") as batch:
        batch.vary("opt.gravity", "body_mass")
        batch.set("opt.gravity", [[0, 0, -9.81], [0, 0, -20], [0, 0, 5]])
        batch.body_mass[:, 1] *= [1, 2, 3]
        batch.step(30)
        for world in range(3):
            data = batch.data(world)
            np.testing.assert_array_equal(data.qpos, batch.qpos[world])
            np.testing.assert_array_equal(data.model.opt.gravity, batch.get("opt.gravity")[world])
            assert data.ncon == batch.get("ncon", [world])[0]
            contacts, forces = batch.contacts(world), batch.contact_forces(world)
            assert len(contacts) == data.ncon and forces.shape == (data.ncon, 6)
            for i in range(data.ncon):
                np.testing.assert_array_equal(forces[i], corten.contact_force(data.model, data, i))
        assert batch.data(0).ncon > 0 and batch.data(2).ncon == 0
        # a data of a world goes on as the world does
        data = batch.data(1)
        corten.step(data.model, data, 10)
        batch.step(10)
        np.testing.assert_array_equal(data.qpos, batch.qpos[1])
        with pytest.raises(IndexError, match="there is no world 3: they are 0 to 2"):
            batch.data(3)


def test_whole_numbers_are_whole(scene):
    with corten.Batch(scene, 2, "cpu") as batch:
        batch.output("ncon", "solver_niter", "flg_energypos", "xpos")
        rolled = batch.rollout(nstep=3)
        for name, kind in (("ncon", "i"), ("solver_niter", "i"), ("flg_energypos", "b"), ("xpos", "f")):
            for array in (batch.view(name), batch.get(name), rolled[name]):
                assert array.dtype.kind == kind, name
        assert batch.ncon.tolist() == rolled["ncon"][:, -1].tolist() and batch.ncon.min() > 0
        with pytest.raises(ValueError, match="read-only"):
            batch.ncon[:] = 1
        batch.xpos[:] = 0


def test_noise_of_worlds():
    model = corten.Model.from_xml_string(
        "<mujoco><worldbody><body><joint name='j'/><geom size='1'/></body></worldbody>"
        "<sensor><jointpos joint='j' noise='0.1'/></sensor></mujoco>"
    )
    with corten.Batch(model, 3, "cpu") as batch:
        batch.output("sensordata")
        batch.set_noise(5)
        batch.step()
        for world in range(3):
            data = corten.Data(model)
            data.set_noise(5, world)
            corten.step(model, data)
            assert batch.sensordata[world, 0] == data.sensordata[0] != 0
        batch.clear_noise()
        batch.reset()
        batch.step()
        assert not batch.sensordata.any()


def test_precision_is_a_choice(scene):
    own = "double" if np.dtype(corten.Data(scene).qpos.dtype).itemsize == 8 else "single"
    other = "single" if own == "double" else "double"
    for backend in ("auto", "cpu"):
        for precision in (None, own):
            assert corten.Batch(scene, 2, backend, precision=precision).precision == own
    with pytest.raises(corten.Error, match=f"not in {other}"):
        corten.Batch(scene, 2, "cpu", precision=other)
