"""Rollouts and batches of corten.mujoco beside MuJoCo's own: what they give, and that no loop of Python does it."""

from pathlib import Path

import corten
import corten.mujoco as door
import corten.mujoco.batch
import corten.mujoco.rollout
import mujoco
import mujoco.batch
import mujoco.rollout
import numpy as np
import pytest

XML = """
<mujoco><option timestep=".005"/>
  <worldbody><geom type="plane" size="3 3 .1"/>
    <body pos="0 0 1"><joint name="a" axis="0 1 0" damping=".1"/><geom type="capsule" fromto="0 0 0 .3 0 0" size=".05" mass="{}"/>
      <body pos=".3 0 0"><joint name="b" axis="0 1 0"/><geom type="capsule" fromto="0 0 0 .3 0 0" size=".04"/></body></body>
    <body name="hand" mocap="true" pos="0 0 2"/>
  </worldbody>
  <actuator><motor joint="a" gear="3"/><general joint="b" dyntype="filter" dynprm=".1"/></actuator>
  <sensor><jointpos joint="a"/><jointvel joint="b"/><clock/></sensor>
</mujoco>
"""
BOTH = (door, mujoco)
ROOT = Path(__file__).parents[2]


def start_of(module, model, n):
    full = int(module.mjtState.mjSTATE_FULLPHYSICS)
    start = np.empty(module.mj_stateSize(model, full))
    module.mj_getState(model, module.MjData(model), start, full)
    starts = np.tile(start, (n, 1))
    starts[:, 1:3] = np.linspace(-1, 1, n)[:, None]
    return starts


@pytest.fixture
def no_loop(monkeypatch):
    """Whoever runs a world by itself in Python fails."""

    def loop(*_):
        raise AssertionError("a loop of Python")

    monkeypatch.setattr(door.rollout, "_one", loop)
    monkeypatch.setattr(door.batch, "mj_step", loop)
    monkeypatch.setattr(door.batch, "mj_forward", loop)


@pytest.mark.parametrize("threads", [0, 2])
@pytest.mark.parametrize("case", ["controls", "one control", "mocap", "warm", "models", "nothing"])
def test_rollouts_are_those_of_the_oracle(case, threads, no_loop):
    n, steps, found = 7, 20, []
    rng = np.random.default_rng(0)
    for module in BOTH:
        models = [module.MjModel.from_xml_string(XML.format(1 + 0.1 * i)) for i in range(n if case == "models" else 1)]
        model, rng = models[0], np.random.default_rng(0)
        options = {}
        if case in ("controls", "warm", "models"):
            options["control"] = rng.uniform(-1, 1, (n, steps, model.nu))
        if case == "one control":
            options["control"] = rng.uniform(-1, 1, (steps, model.nu))
        if case == "mocap":
            spec = int(module.mjtState.mjSTATE_CTRL | module.mjtState.mjSTATE_MOCAP_POS)
            options.update(control=rng.uniform(-1, 1, (n, 1, model.nu + 3)), control_spec=spec, nstep=steps)
        if case == "warm":
            options["initial_warmstart"] = rng.uniform(-1, 1, (n, model.nv))
        if case == "nothing":
            options["nstep"] = steps
        datas = [module.MjData(model) for _ in range(max(threads, 1))]
        with module.rollout.Rollout(nthread=threads) as pool:
            given = models if case == "models" else model
            found.append(pool.rollout(given, datas, start_of(module, model, n), **options))
    for ours, theirs in zip(*found):
        assert ours.shape == theirs.shape
        assert np.allclose(ours, theirs, rtol=0, atol=1e-11)


def test_a_rollout_that_diverges_repeats_what_was(no_loop):
    found, told = [], []
    for module in BOTH:
        model = module.MjModel.from_xml_string(XML.format(1))
        starts = start_of(module, model, 3)
        starts[1, 3] = 1e11  # a velocity
        data = module.MjData(model)
        module.set_mju_user_warning(told.append)
        try:
            found.append(module.rollout.rollout(model, data, starts, nstep=6))
        finally:
            module.set_mju_user_warning(None)
        assert data.warning.number.sum() == 0  # the last one was well
    assert len(told) == 2
    for ours, theirs in zip(*found):
        assert np.allclose(ours, theirs, rtol=0, atol=1e-11)
        assert (ours[1] == ours[1, 0]).all()


def test_numbers_that_are_none_are_named():
    model = door.MjModel.from_xml_string(XML.format(1))
    starts = start_of(door, model, 3)
    starts[2, 1] = np.nan
    with pytest.raises(corten.Error, match=r"qpos\[0\] is nan"):
        door.rollout.rollout(model, door.MjData(model), starts, nstep=2)


@pytest.mark.filterwarnings("ignore::corten.SimulationWarning")
@pytest.mark.parametrize("nthread", [1, 3])
@pytest.mark.parametrize("persistent", [False, True])
def test_batches_are_those_of_the_oracle(nthread, persistent, no_loop):
    found = []
    for module in BOTH:
        model, rng = module.MjModel.from_xml_string(XML.format(1)), np.random.default_rng(0)
        batch = module.batch.Batch(model, 5, nthread, persistent)
        sensors, places, contacts = batch.bind("sensordata"), batch.bind("xpos"), batch.bind("ncon")
        batch.bind("qpos")[:] = rng.uniform(-1, 1, (5, model.nq))
        for call in range(6):
            batch.bind("ctrl")[:] = rng.uniform(-1, 1, (5, model.nu))
            batch.step(nstep=1 + call, stage=module.mjtStage.mjSTAGE_ACC if call % 2 else module.mjtStage.mjSTAGE_NONE)
        batch.step(ids=[1, 3])
        batch.forward(ids=np.array([False, True, False, False, True]))
        rows = [np.array(x) for x in (batch.state, sensors, places, contacts, batch.warning)]
        # one goes wrong: it is counted, and starts again
        batch.bind("qvel")[2] = 1e11
        batch.step(nstep=2)
        rows += [np.array(batch.qpos), np.array(batch.time), np.array(batch.warning[:, :, 1])]
        found.append(rows)
    for ours, theirs in zip(*found):
        assert ours.shape == theirs.shape
        assert np.allclose(ours, theirs, rtol=0, atol=1e-11)


def test_simulations_with_values_of_their_own(no_loop):
    found = []
    for module in BOTH:
        model = module.MjModel.from_xml_string(XML.format(1))
        batch = module.batch.Batch(model, 4, 2)
        batch.expand("body_mass")[:, 1] = [0.5, 1, 2, 3]
        batch.step(nstep=10)
        found.append(np.array(batch.state))
    assert np.allclose(*found, rtol=0, atol=1e-11)
    assert len(np.unique(found[0][:, 1])) == 4


@pytest.mark.parametrize("persistent", [False, True])
@pytest.mark.parametrize("threads", [1, 3])
def test_simulations_do_not_depend_on_each_other(threads, persistent):
    """One data steps many simulations: their bits are those of a data each, in whatever order they come."""
    model = door.MjModel.from_xml_path(str(ROOT / "models" / "humanoid.xml"))
    n, rng = 6, np.random.default_rng(3)
    start, ctrl = 0.05 * rng.normal(size=(n, model.nq)), rng.uniform(-1, 1, (40, n, model.nu))
    batch = door.batch.Batch(model, n, threads, persistent=persistent)
    batch.bind("sensordata"), batch.bind("cvel")
    batch.qpos[:] += start
    for t in range(40):
        batch.ctrl[:] = ctrl[t]
        batch.step(ids=[0, 2, 5] if t % 3 == 1 else None, nstep=1 + t % 2)
    batch.qpos[4, 2] = 1e11
    batch.step()
    data, states, velocities = door.MjData(model), [], []
    for i in range(n):
        door.mj_resetData(model, data)
        data.qpos[:] += start[i]
        for t in range(40):
            data.ctrl[:] = ctrl[t, i]
            if t % 3 != 1 or i in (0, 2, 5):
                door.mj_step(model, data, 1 + t % 2)
        data.qpos[2] = 1e11 if i == 4 else data.qpos[2]
        door.mj_step(model, data)
        states.append(data.qpos.copy())
        velocities.append(data.cvel.copy())
    assert np.array_equal(batch.qpos, states) and np.array_equal(batch.cvel, velocities)
    bad = int(door.mjtWarning.mjWARN_BADQPOS)
    assert batch.warning[:, bad, 1].tolist() == [0, 0, 0, 0, 1, 0]
    batch.reset()
    assert not batch.warning.any()
