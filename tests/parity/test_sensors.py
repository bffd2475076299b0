"""Every kind of sensor beside the oracle: at random states, and over runs with delays and intervals."""

import pathlib

import numpy as np
import pytest

mujoco = pytest.importorskip("mujoco", reason="the oracle (mujoco wheel) is not installed")

import corten
from compare import Pair

ROOT = pathlib.Path(__file__).resolve().parents[2]
MODELS = sorted((ROOT / "tests" / "models" / "sensors").glob("*.xml")) + [ROOT / "tests" / "models" / "mjcf" / "sensors.xml"]
TOLERANCE = 1e-9


def worst(pair):
    """Largest error of a sensor, relative to its largest number where that is above one; and its name."""
    m, errors = pair.oracle_model, []
    for i in range(m.nsensor):
        part = slice(m.sensor_adr[i], m.sensor_adr[i] + m.sensor_dim[i])
        ours, theirs = pair.data.sensordata[part], pair.oracle.sensordata[part]
        scale = max(1.0, np.abs(theirs).max(initial=0))
        errors.append((np.abs(ours - theirs).max(initial=0) / scale, mujoco.mjtSensor(m.sensor_type[i]).name, i))
    return max(errors)


@pytest.mark.parametrize("path", MODELS, ids=lambda p: p.stem)
def test_at_random_states(path):
    pair = Pair(path)
    pair.tighten()
    rng = np.random.default_rng(1)
    for _ in range(20):
        pair.set_random_state(rng)
        mujoco.mj_forward(pair.oracle_model, pair.oracle)
        corten.forward(pair.model, pair.data)
        error = worst(pair)
        assert error[0] <= TOLERANCE, error


@pytest.mark.parametrize("path", MODELS, ids=lambda p: p.stem)
def test_over_100_steps(path):
    pair = Pair(path)
    pair.tighten()
    pair.set_random_state(np.random.default_rng(2))
    for _ in range(100):
        mujoco.mj_step(pair.oracle_model, pair.oracle)
        corten.step(pair.model, pair.data)
        error = worst(pair)
        assert error[0] <= TOLERANCE, error


def test_every_kind_is_in_the_models():
    seen = set()
    for path in MODELS:
        seen |= set(mujoco.MjModel.from_xml_path(str(path)).sensor_type)
    missing = {name for name, k in mujoco.mjtSensor.__members__.items() if int(k) not in seen}
    assert missing == {"mjSENS_PLUGIN"}


# ---- history

HISTORY = """<mujoco><option timestep="{dt}"/><worldbody><body><joint type="slide"/><geom size="1"/></body></worldbody>
<sensor><clock {attributes}/></sensor></mujoco>"""


@pytest.mark.parametrize("dt", (1, 0.1, 0.01, 0.002))
@pytest.mark.parametrize("attributes", (
    'nsample="3"', 'nsample="4" delay="{2}"', 'nsample="4" interval="{2}"', 'nsample="3" interval="{2.5} -{1.5}"', 'nsample="3" interval="{0.3}"',
    'nsample="3" interval="{0.3} -{0.1}"', 'nsample="5" interval="{3}" delay="{4}" interp="linear"', 'nsample="5" interval="{1.7}" delay="{3.1}" interp="cubic"',
    'nsample="1" delay="{1}"', 'nsample="2" delay="{7}" interp="linear"', 'interval="{2}"',
))
def test_clock_through_history(dt, attributes):
    """Bit for bit: which steps take a sample, when, and what is read."""
    for number in ("0.1", "0.3", "1.5", "1.7", "2.5", "3.1", "1", "2", "3", "4", "7"):
        attributes = attributes.replace("{" + number + "}", repr(float(number) * dt))
    pair = Pair(HISTORY.format(dt=dt, attributes=attributes))
    np.testing.assert_array_equal(pair.data.history, pair.oracle.history)
    for _ in range(200):
        mujoco.mj_step(pair.oracle_model, pair.oracle)
        corten.step(pair.model, pair.data)
        np.testing.assert_array_equal(pair.data.history, pair.oracle.history)
        np.testing.assert_allclose(pair.data.sensordata, pair.oracle.sensordata, rtol=1e-13, atol=1e-15)


def test_a_clock_set_back_keeps_the_samples_in_order():
    pair = Pair(HISTORY.format(dt=1, attributes='nsample="3"'))
    for time in (None, None, None, None, 2, 1.5, 0, 3.5, 2.5, 3.5):
        if time is not None:
            pair.data.time = pair.oracle.time = time
        mujoco.mj_step(pair.oracle_model, pair.oracle)
        corten.step(pair.model, pair.data)
        np.testing.assert_array_equal(pair.data.history, pair.oracle.history)


# ---- tactile: shapes whose contacts come from an iteration, which the readings do not depend on

@pytest.mark.parametrize("geom", ('type="ellipsoid" size="0.3 0.2 0.1"', 'type="cylinder" size="0.2 0.15"', 'type="capsule" size="0.1 0.2"',
                                  'type="box" size="0.2 0.15 0.1"', 'size="0.2"'))
def test_tactile_by_shape(geom):
    pair = Pair(f"""<mujoco><asset><mesh name="plate" builtin="plate" params="7 6" scale="0.4 0.4 0.05"/></asset><worldbody>
      <body><freejoint/><geom type="box" size="0.4 0.4 0.05"/><geom name="skin" type="mesh" mesh="plate" contype="0" conaffinity="0"/></body>
      <body pos="0 0 0.05"><freejoint/><geom {geom}/></body></worldbody><sensor><tactile geom="skin" mesh="plate"/></sensor></mujoco>""")
    rng, felt = np.random.default_rng(3), 0
    for _ in range(20):
        pair.set_random_state(rng)
        pair.oracle.qpos[:] = pair.data.qpos[:] = pair.oracle_model.qpos0
        pair.oracle.qpos[10:14] = pair.data.qpos[10:14] = rng.normal(size=4)
        mujoco.mj_forward(pair.oracle_model, pair.oracle)
        corten.forward(pair.model, pair.data)
        felt += (pair.oracle.sensordata > 0).sum()
        np.testing.assert_allclose(pair.data.sensordata, pair.oracle.sensordata, rtol=1e-12, atol=1e-12)
    assert felt > 20


# ---- enclosure: the oracle searches to 1e-5 or so, and around cylinders and boxes may stop at a smaller value

ZONES = {"sphere": "0.7", "capsule": "0.5 0.4", "ellipsoid": "0.6 0.5 0.8", "cylinder": "0.6 0.7", "box": "0.6 0.5 0.7"}
THINGS = {"sphere": "0.2", "capsule": "0.1 0.2", "ellipsoid": "0.1 0.2 0.3", "cylinder": "0.15 0.25", "box": "0.1 0.2 0.3"}


def support(kind, size, n):
    """Largest n . x over a shape at the origin, for rows n."""
    s = np.array([float(x) for x in size.split()])
    return {
        "sphere": lambda: np.full(len(n), s[0]),
        "capsule": lambda: s[0] + s[1] * np.abs(n[:, 2]),
        "ellipsoid": lambda: np.linalg.norm(n * s, axis=1),
        "cylinder": lambda: s[0] * np.hypot(n[:, 0], n[:, 1]) + s[1] * np.abs(n[:, 2]),
        "box": lambda: np.abs(n) @ s,
    }[kind]()


@pytest.mark.parametrize("zone", ZONES)
@pytest.mark.parametrize("thing", THINGS)
def test_enclosed_is_the_largest_difference_of_supports(zone, thing):
    pair = Pair(f"""<mujoco><worldbody><site name="zone" type="{zone}" size="{ZONES[zone]}"/><body><freejoint/>
      <geom name="thing" type="{thing}" size="{THINGS[thing]}"/></body></worldbody>
      <sensor><insidesite site="zone" objtype="geom" objname="thing" enclosed="true"/></sensor></mujoco>""")
    rng = np.random.default_rng(4)
    n = rng.normal(size=(20000, 3))
    n = np.vstack([n / np.linalg.norm(n, axis=1)[:, None], np.eye(3), -np.eye(3)])
    for k in range(8):
        pair.set_random_state(rng)
        pair.oracle.qpos[:3] = pair.data.qpos[:3] = (0.1 + 0.1 * k) * rng.normal(size=3)
        pair.oracle.qpos[3:] = pair.data.qpos[3:] = rng.normal(size=4)
        mujoco.mj_forward(pair.oracle_model, pair.oracle)
        corten.forward(pair.model, pair.data)
        turned = n @ pair.data.geom_xmat[0].reshape(3, 3)
        sampled = (n @ pair.data.geom_xpos[0] + support(thing, THINGS[thing], turned) - support(zone, ZONES[zone], n)).max()
        ours, theirs = pair.data.sensordata[0], pair.oracle.sensordata[0]
        assert sampled - 1e-9 <= ours <= sampled + 0.03  # directions are 0.02 apart
        assert ours >= theirs - 1e-6
        if zone in ("sphere", "capsule", "ellipsoid"):
            assert abs(ours - theirs) < 1e-4
