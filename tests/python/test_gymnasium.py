"""corten.gymnasium: the tasks with one world and with many, against each other and against Gymnasium's own."""

import numpy as np
import pytest

gymnasium = pytest.importorskip("gymnasium", reason="gymnasium is not installed")

import corten
import corten.gymnasium  # noqa: E402
from gymnasium.vector import AutoresetMode  # noqa: E402

TASKS = sorted(corten.gymnasium.TASKS)


def originals():
    pytest.importorskip("mujoco", reason="the mujoco wheel is not installed")
    try:
        import gymnasium.envs.mujoco  # noqa: F401
    except ImportError as error:
        pytest.skip(f"the tasks of Gymnasium cannot be imported: {error}")


def close(mine, theirs):
    np.testing.assert_allclose(mine, theirs, rtol=1e-9, atol=1e-9)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("task", TASKS)
def test_one_world_is_as_the_original(task):
    originals()
    mine, theirs = gymnasium.make(f"corten/{task}-v5"), gymnasium.make(f"{task}-v5")
    assert mine.observation_space == theirs.observation_space and mine.action_space == theirs.action_space
    (a, info), (b, other) = mine.reset(seed=7), theirs.reset(seed=7)
    close(a, b)
    assert info.keys() == other.keys()
    theirs.action_space.seed(1)
    for _ in range(15):
        action = theirs.action_space.sample()
        (a, r, end, cut, info), (b, s, over, trunc, other) = mine.step(action), theirs.step(action)
        close(a, b)
        close(r, s)
        assert (end, cut) == (over, trunc) and info.keys() == other.keys()
        for key in other:
            close(info[key], other[key])
        if end:
            break


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("task", ["Hopper", "Ant", "InvertedPendulum", "Reacher"])
@pytest.mark.parametrize("mode", [AutoresetMode.NEXT_STEP, AutoresetMode.SAME_STEP])
def test_many_worlds_are_as_the_original(task, mode):
    originals()
    theirs = gymnasium.make_vec(f"{task}-v5", 3, vectorization_mode="sync", vector_kwargs={"autoreset_mode": mode})
    mine = gymnasium.make_vec(f"corten/{task}-v5", 3, autoreset_mode=mode, threads=2)
    (a, info), (b, other) = mine.reset(seed=3), theirs.reset(seed=3)
    close(a, b)
    assert info.keys() == other.keys()
    theirs.action_space.seed(1)
    ends = 0
    for _ in range(55 if task != "Ant" else 20):
        action = theirs.action_space.sample()
        (a, r, end, cut, info), (b, s, over, trunc, other) = mine.step(action), theirs.step(action)
        close(a, b)
        close(r, s)
        assert (end == over).all() and (cut == trunc).all()
        ends += int((end | cut).sum())
        assert info.keys() >= {key for key in other if key not in ("final_obs", "_final_obs", "final_info", "_final_info")}
        if mode == AutoresetMode.SAME_STEP and (end | cut).any():
            for i in np.flatnonzero(end | cut):
                close(info["final_obs"][i], other["final_obs"][i])
    assert task == "Ant" or ends > 0


@pytest.mark.parametrize("task", TASKS)
def test_many_worlds_are_as_one(task):
    """Without the originals: each world goes as an environment of its own with its seed."""
    many = gymnasium.make_vec(f"corten/{task}-v5", 3)
    singles = [gymnasium.make(f"corten/{task}-v5", disable_env_checker=True) for _ in range(3)]
    a, _ = many.reset(seed=11)
    for i, env in enumerate(singles):
        assert np.array_equal(a[i], env.reset(seed=11 + i)[0])
    rng, done = np.random.default_rng(0), np.zeros(3, bool)
    for _ in range(12):
        actions = rng.uniform(many.action_space.low, many.action_space.high).astype(np.float32)
        a, rewards, ended, cut, _ = many.step(actions)
        for i, env in enumerate(singles):
            if done[i]:
                b = env.reset()[0]
                done[i] = False
                assert np.array_equal(a[i], b) and rewards[i] == 0
                continue
            b, reward, end, trunc, _ = env.step(actions[i])
            np.testing.assert_allclose(a[i], b, rtol=1e-12, atol=1e-12)
            assert rewards[i] == pytest.approx(float(reward), rel=1e-6) and (ended[i], cut[i]) == (end, trunc)
            done[i] = end or trunc
    many.close()


def test_time_limits_and_modes():
    many = gymnasium.make_vec("corten/Reacher-v5", 2)
    assert many.metadata["autoreset_mode"] == AutoresetMode.NEXT_STEP and many.max_episode_steps == 50
    many.reset(seed=0)
    still = np.zeros(many.action_space.shape, np.float32)
    cuts = [many.step(still)[3].all() for _ in range(51)]
    assert cuts.index(True) == 49 and not cuts[50]
    short = gymnasium.make_vec("corten/Reacher-v5", 2, autoreset_mode=AutoresetMode.DISABLED, max_episode_steps=2)
    short.reset(seed=0)
    short.step(still)
    assert short.step(still)[3].all()
    with pytest.raises(ValueError, match="has ended"):
        short.step(still)
    short.reset(options={"reset_mask": np.array([True, True])})
    short.step(still)


def test_settings_and_bad_input():
    env = gymnasium.make("corten/Ant-v5", include_cfrc_ext_in_observation=False, frame_skip=2)
    assert env.observation_space.shape == (27,) and env.unwrapped.dt == pytest.approx(0.02)
    with pytest.raises(TypeError, match="no setting nonsense"):
        gymnasium.make("corten/Ant-v5", nonsense=1)
    with pytest.raises(ValueError, match="render_mode must be None or one of human, rgb_array"):
        corten.gymnasium.Env("Ant", render_mode="nonsense")
    with pytest.raises(ValueError, match='"cuda:N"'):
        gymnasium.make_vec("corten/Ant-v5", 2, device="tpu")
    many = gymnasium.make_vec("corten/Hopper-v5", 2)
    many.reset(seed=[5, 9])
    with pytest.raises(ValueError, match="shape"):
        many.step(np.zeros((3, 3)))
    with pytest.raises(ValueError, match="seeds"):
        many.reset(seed=[1, 2, 3])


_Batch = corten.Batch


class _Elsewhere:
    """A batch as on a GPU: what it holds is copied back and forth, in single precision; there are no arrays to write to."""

    def __init__(self, model, nworld, backend, **options):
        assert backend == "cuda"
        self._near = _Batch(model, nworld, "cpu", threads=options["threads"])
        self.info = self._near.info._replace(backend="cuda", real_bytes=4)
        self.calls = []

    def output(self, *names):
        self._near.output(*names)

    def get(self, name, ids=None):
        return self._near.get(name, ids)

    def set(self, name, values, ids=None):
        self.calls.append(name)
        self._near.set(name, values, ids)

    def step(self, n):
        self._near.step(n)

    def close(self):
        self._near.close()


@pytest.mark.parametrize("task", ["Ant", "Humanoid", "Reacher"])
@pytest.mark.parametrize("mode", list(AutoresetMode)[:2])
def test_worlds_whose_memory_is_elsewhere(monkeypatch, task, mode):
    near = gymnasium.make_vec(f"corten/{task}-v5", 3, autoreset_mode=mode, max_episode_steps=9)
    monkeypatch.setattr(corten, "Batch", _Elsewhere)
    far = gymnasium.make_vec(f"corten/{task}-v5", 3, autoreset_mode=mode, max_episode_steps=9, device="cuda")
    monkeypatch.undo()
    assert np.array_equal(near.reset(seed=2)[0], far.reset(seed=2)[0])
    assert far.unwrapped.batch.calls == ["state"]  # all worlds at once
    rng = np.random.default_rng(0)
    for _ in range(25):
        actions = rng.uniform(-1, 1, near.action_space.shape).astype(np.float32)
        mine, theirs = near.step(actions), far.step(actions)
        for a, b in zip(mine[:4], theirs[:4]):
            assert np.array_equal(a, b)
    far.close()


def test_devices_as_other_libraries_name_them():
    from corten.gymnasium import _envs

    assert _envs._machine("cpu", 0) == ("cpu", 0) and _envs._machine("cuda", 1) == ("cuda", 1)
    assert _envs._machine("cpu", "cuda") == ("cuda", 0) and _envs._machine("cpu", "cuda:3") == ("cuda", 3)
    many = gymnasium.make_vec("corten/Hopper-v5", 2, device="cpu")
    assert many.unwrapped.batch.info.backend == "cpu"


def test_pictures(driver):
    one = gymnasium.make("corten/Hopper-v5", render_mode="rgb_array", width=96, height=64)
    one.reset(seed=3)
    frame = one.render()
    assert frame.shape == (64, 96, 3) and frame.dtype == np.uint8 and len(np.unique(frame)) > 20
    assert one.metadata["render_fps"] == 125 and corten.gymnasium.Env("Hopper").render() is None
    many = gymnasium.make_vec("corten/Hopper-v5", 3, render_mode="rgb_array", width=96, height=64)
    many.reset(seed=3)
    frames = many.render()
    assert len(frames) == 3 and np.array_equal(frames[0], frame)  # the same seed
    for _ in range(10):
        many.step(many.action_space.sample())
    later = many.render()
    assert all(not np.array_equal(a, b) for a, b in zip(frames, later, strict=True)) and not np.array_equal(later[0], later[1])
    many.close()
    both = gymnasium.make("corten/Hopper-v5", render_mode="rgbd_tuple", camera_name="track")
    both.reset(seed=3)
    pixels, depth = both.render()
    assert pixels.shape == (480, 480, 3) and depth.shape == (480, 480) and 0 < depth.min() < depth.max() <= 1
    with pytest.raises(ValueError, match="same time"):
        corten.gymnasium.Env("Hopper", render_mode="rgb_array", camera_id=0, camera_name="track")


def test_wrappers_that_training_programs_use():
    """CleanRL's stack around a vector environment: episodes are counted, observations and rewards are scaled."""
    from gymnasium.wrappers.vector import (
        ClipAction,
        NormalizeObservation,
        NormalizeReward,
        RecordEpisodeStatistics,
        TransformObservation,
    )

    envs = RecordEpisodeStatistics(gymnasium.make_vec("corten/Hopper-v5", 8))
    envs = NormalizeReward(NormalizeObservation(ClipAction(envs)), gamma=0.99)
    envs = TransformObservation(envs, lambda observation: np.clip(observation, -10, 10))
    envs.reset(seed=1)
    rng, lengths = np.random.default_rng(0), []
    for _ in range(150):
        observation, reward, _, _, info = envs.step(rng.normal(0, 2, envs.action_space.shape).astype(np.float32))
        assert observation.shape == (8, 11) and np.abs(observation).max() <= 10 and np.isfinite(reward).all()
        if "episode" in info:
            lengths += info["episode"]["l"][info["_episode"]].tolist()
    assert len(lengths) > 8 and all(1 < length < 150 for length in lengths)
