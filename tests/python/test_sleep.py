"""Sleeping from Python: states and calls, batches whose worlds sleep each by itself, saved states."""

import warnings

import numpy as np
import pytest

import corten
from corten import SleepPolicy, SleepState
from sleepy import Events, scene

TOWER = """
<mujoco><option timestep=".002"><flag sleep="enable"/></option>
<worldbody><geom type="plane" size="5 5 .1"/>
<body name="lower" pos="0 0 .0999"><freejoint/><geom type="box" size=".1 .1 .1"/></body>
<body name="upper" pos="0 0 .2997"><freejoint/><geom type="box" size=".1 .1 .1"/></body>
<body name="alone" pos="2 0 .0999" sleep="allowed"><freejoint/><geom type="box" size=".1 .1 .1"/></body>
</worldbody></mujoco>"""


def model_of(text):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return corten.Model.from_xml_string(text)


def test_states_and_calls():
    m = model_of(TOWER)
    d = corten.Data(m)
    assert m.tree_sleep_policy[2] == SleepPolicy.ALLOWED
    assert corten.tree_state(m, d, 0) == SleepState.AWAKE
    corten.step(m, d, nstep=400)
    assert corten.tree_state(m, d, 0) == SleepState.ASLEEP
    assert corten.body_state(m, d, "upper") == SleepState.ASLEEP
    assert corten.body_state(m, d, 0) == SleepState.STATIC
    assert corten.tree_cycle(m, d, 1) == [1, 0]
    assert corten.tree_cycle(m, d, 2) == [2]
    corten.wake(m, d, 1)
    assert d.ntree_awake == 2
    corten.wake(m, d)
    assert d.ntree_awake == 3
    corten.sleep(m, d, [2, 0])
    assert corten.tree_cycle(m, d, 0) == [0, 2]
    with pytest.raises(corten.Error, match="sleeps already"):
        corten.sleep(m, d, 2)
    with pytest.raises(IndexError):
        corten.tree_state(m, d, 3)
    with pytest.raises(IndexError):
        corten.wake(m, d, -1)
    m.opt.enableflags = 0
    with pytest.raises(corten.Error, match="sleep flag is off"):
        corten.sleep(m, d, 1)


def test_the_list_is_not_for_writing():
    m = model_of(TOWER)
    d = corten.Data(m)
    with pytest.raises(ValueError, match="read-only"):
        d.tree_asleep[:] = 10**8


def test_a_start_that_cannot_be_asleep_is_a_warning_with_its_place():
    with pytest.warns(UserWarning, match=r':2:\d+: body "b": sleep="init" has no effect.*body "a"'):
        corten.Model.from_xml_string("""<mujoco><option><flag sleep="enable"/></option><worldbody>
<body name="a"><freejoint/><geom size=".1"/></body><body name="b" pos=".15 0 0" sleep="init"><freejoint/><geom size=".1"/></body>
</worldbody></mujoco>""")


OUTPUTS = ["qpos", "qvel", "qacc", "tree_asleep", "xpos", "qfrc_bias", "qfrc_passive", "qacc_smooth", "qfrc_constraint", "sensordata", "M"]


@pytest.mark.parametrize("seed", [0, 3, 6, 7])
def test_worlds_sleep_each_by_itself(seed):
    m = model_of(scene(seed))
    rng = np.random.default_rng(seed)
    push = rng.normal(size=(5, m.nv)) * 0.05
    datas = [corten.Data(m) for _ in range(5)]
    batches = [corten.Batch(m, 5, threads=threads) for threads in (1, 2)]
    for d, v in zip(datas, push):
        d.qvel[:] += v
    for b in batches:
        b.output(*OUTPUTS)
        b.qvel[:] += push
    slept = 0
    for n in (1, 7, 40, 3, 120, 1, 1, 200, 60):
        for d in datas:
            corten.step(m, d, n)
        slept += sum(int((d.tree_asleep >= 0).sum()) for d in datas)
        for b in batches:
            b.step(n)
            for name in OUTPUTS:
                ours = np.stack([np.ravel(getattr(d, name)) for d in datas])
                assert np.array_equal(np.reshape(b.get(name), ours.shape), ours), (n, name)
    assert slept > 0 or m.ntree == 0
    # saved and loaded into another batch, and one that lies on another number of threads
    again = corten.Batch(m, 5, threads=2)
    again.output(*OUTPUTS)
    again.restore(batches[0].save())
    batches[0].step(50)
    again.step(50)
    for name in OUTPUTS:
        assert np.array_equal(batches[0].get(name), again.get(name)), name


@pytest.mark.parametrize("seed", [0, 4, 8])
def test_saved_states_keep_who_sleeps(seed, tmp_path):
    m = model_of(scene(seed))
    a, b = corten.Data(m), corten.Data(m)
    corten.step(m, a, 300)
    corten.save_state(m, a, str(tmp_path / "s.cts"))
    corten.load_state(m, b, str(tmp_path / "s.cts"))
    events = Events(m, seed, every=60)
    for step in range(300):
        events(step, a, b)
        corten.step(m, a)
        corten.step(m, b)
        for name in ("tree_asleep", "qpos", "qvel", "qacc", "sensordata", "qfrc_passive"):
            assert np.array_equal(getattr(a, name), getattr(b, name)), (step, name)


def test_the_flag_can_be_switched():
    m = model_of(TOWER)
    plain = corten.Data(m)
    d = corten.Data(m)
    corten.step(m, d, 400)
    assert d.ntree_awake == 0
    m.opt.enableflags = int(m.opt.enableflags) & ~int(corten.EnableBit.SLEEP)
    corten.step(m, d)
    assert d.ntree_awake == 3
    m.opt.enableflags = int(m.opt.enableflags) | int(corten.EnableBit.SLEEP)
    corten.step(m, d, 100)
    assert d.ntree_awake == 0
    assert plain.ntree_awake == 3
