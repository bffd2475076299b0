"""Environments: one world on a corten.Data, many on a corten.Batch."""

import gymnasium
import numpy as np
from gymnasium.spaces import Box
from gymnasium.utils import seeding
from gymnasium.vector import AutoresetMode
from gymnasium.vector.utils import batch_space

import corten

from ._pictures import MODES, Pictures
from ._tasks import TASKS, model_path

_STATE = corten.State.INTEGRATION


class _Arrays:
    """Arrays with the world as first axis, by name."""


def _make_task(task, xml_file, frame_skip, settings):
    kind = TASKS[task] if isinstance(task, str) else task
    model = corten.Model.from_xml_path(model_path(xml_file or kind.xml_file))
    made = kind(model, **settings)
    if frame_skip is not None:
        made.frame_skip = frame_skip
        made.dt = model.opt.timestep * frame_skip
    return made


def _action_space(model):
    low, high = model.actuator_ctrlrange.copy().astype(np.float32).T
    return Box(low, high, dtype=np.float32)


class _World:
    """One simulation with the arrays that a task reads: views of a Data, with an axis in front."""

    def __init__(self, task):
        self.task, self.model = task, task.model
        self.data = corten.Data(self.model)
        self.arrays = _Arrays()
        for name in ("qpos", "qvel", "ctrl", *task.outputs):
            setattr(self.arrays, name, getattr(self.data, name)[None])
        self._forces = "cfrc_ext" in task.outputs

    def start(self, rng):
        """A new episode: the observation."""
        qpos, qvel = self.task.start(rng)
        corten.reset(self.model, self.data)
        self.data.qpos[:], self.data.qvel[:] = qpos, qvel
        corten.forward(self.model, self.data)
        # a start has no contact forces on bodies: nothing has computed them
        return self.task.observe(self.arrays)

    def step(self, n):
        corten.step(self.model, self.data, n)
        if self._forces:
            corten.post_constraint(self.model, self.data)


class Env(gymnasium.Env):
    """A task with one world. `task` is its name; `xml_file`, `frame_skip`, the settings, and those of pictures (`render_mode`,
    `width`, `height`, `camera_id`, `camera_name`, `default_camera_config`) are those of the original."""

    metadata = {"render_modes": ["human", *MODES]}

    def __init__(self, task, xml_file=None, frame_skip=None, render_mode=None, **settings):
        pictures = _split(settings)
        self.task = _make_task(task, xml_file, frame_skip, settings)
        self.render_mode = _known(render_mode, ("human", *MODES))
        self.metadata = {"render_modes": ["human", *MODES], "render_fps": round(1 / self.task.dt)}
        self._window = None
        self._pictures = _pictures(self.task, render_mode, pictures)
        self._world = _World(self.task)
        self.model, self.data = self.task.model, self._world.data
        self.action_space = _action_space(self.model)
        size = self.task.observe(self._world.arrays).shape[1]
        self.observation_space = Box(-np.inf, np.inf, (size,), np.float64)
        self.frame_skip, self.dt = self.task.frame_skip, self.task.dt

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        observation = self._world.start(self.np_random)
        if self.render_mode == "human":
            self.render()
        return observation[0], _first(self.task.reset_info(self._world.arrays))

    def step(self, action):
        task, arrays = self.task, self._world.arrays
        action = np.asarray(action)
        if action.shape != self.action_space.shape:
            raise ValueError(f"Action dimension mismatch. Expected {self.action_space.shape}, found {action.shape}")
        before = task.before(arrays)
        self.data.ctrl[:] = action
        self._world.step(self.frame_skip)
        observation = task.observe(arrays)
        reward, terminated, info = task.judge(arrays, before, action[None], observation)
        if self.render_mode == "human":
            self.render()
        return observation[0], reward[0], bool(terminated[0]), False, _first(info)

    def render(self):
        """A picture, as render_mode says; "human": a window shows the state."""
        if self.render_mode == "human":
            if self._window is None:
                import corten.viewer

                self._window = corten.viewer.launch_passive(self.model, self.data)
            self._window.sync()
            return None
        return None if self._pictures is None else self._pictures.draw(self.data)

    def close(self):
        for open_ in (self._window, self._pictures):
            if open_ is not None:
                open_.close()
        self._window = None


_PICTURE_SETTINGS = ("width", "height", "camera_id", "camera_name", "default_camera_config")


def _split(settings):
    """The settings of pictures, taken out of the others."""
    return {name: settings.pop(name) for name in _PICTURE_SETTINGS if name in settings}


def _known(mode, modes):
    if mode is not None and mode not in modes:
        raise ValueError(f"render_mode must be None or one of {', '.join(modes)}, not {mode!r}")
    return mode


def _pictures(task, mode, settings):
    """Who draws; None when nothing is drawn."""
    camera = settings.pop("default_camera_config", None)
    if mode in MODES:
        return Pictures(task.model, mode, task.camera if camera is None else camera, **settings)
    return None


def _first(info):
    return {name: values[0] for name, values in info.items()}


def _machine(backend, device):
    """(backend, number) of a device as other libraries name it, too: "cpu", "cuda", "cuda:1"."""
    if not isinstance(device, str):
        return backend, device
    kind, _, number = device.partition(":")
    if kind not in ("cpu", "cuda") or not (number or "0").isdigit():
        raise ValueError(f'device must be a number, "cpu", "cuda" or "cuda:N", not {device!r}')
    return kind, int(number or 0)


class VectorEnv(gymnasium.vector.VectorEnv):
    """A task with many worlds, a corten.Batch.

    Worlds have random generators of their own, seeded as Gymnasium's vector environments seed theirs. `backend`, `threads`,
    `device` and `precision` are settings of the batch, `device="cuda"` stands for backend and number; `autoreset_mode` says when a
    world that has ended starts again. render() gives a tuple with a picture of each world.
    """

    def __init__(self, task, num_envs=1, xml_file=None, frame_skip=None, render_mode=None, max_episode_steps=None,
                 autoreset_mode=AutoresetMode.NEXT_STEP, backend="cpu", threads=0, device=0, precision=None,
                 **settings):  # fmt: skip
        pictures = _split(settings)
        backend, device = _machine(backend, device)
        self.render_mode, self.num_envs = _known(render_mode, MODES), num_envs
        self.autoreset_mode = AutoresetMode(autoreset_mode)
        self.task = _make_task(task, xml_file, frame_skip, settings)
        self.metadata = {"render_modes": list(MODES), "render_fps": round(1 / self.task.dt), "autoreset_mode": self.autoreset_mode}
        self._pictures, self._shown = _pictures(self.task, render_mode, pictures), None
        self.model = self.task.model
        self.max_episode_steps = max_episode_steps
        self.frame_skip, self.dt = self.task.frame_skip, self.task.dt

        self.batch = corten.Batch(self.model, num_envs, backend, threads=threads, device=device, precision=precision)
        if self.task.outputs:
            self.batch.output(*self.task.outputs)
        # memory of the CPU is shared with the batch; of a GPU, or in single precision, there are copies in double precision
        info = self.batch.info
        self._shared = info.backend == "cpu" and info.real_bytes == 8
        self._spare = _World(self.task)  # where episodes start, before they go to the batch
        self._state_size = corten.state_size(self.model, _STATE)
        self._arrays = _Arrays()
        for name in ("qpos", "qvel", "ctrl", *self.task.outputs):
            setattr(self._arrays, name, getattr(self.batch, name) if self._shared else self._fetch(name))

        self.single_action_space = _action_space(self.model)
        size = self.task.observe(self._spare.arrays).shape[1]
        self.single_observation_space = Box(-np.inf, np.inf, (size,), np.float64)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self._rng = [None] * num_envs
        self._ended = np.zeros(num_envs, bool)  # worlds that start again in the next step
        self._age = np.zeros(num_envs, np.int64)
        self._observations = np.zeros((num_envs, size))

    def _fetch(self, name):
        """A copy of a field of all worlds."""
        values = np.array(self.batch.get(name), np.float64)
        return values.reshape(self.num_envs, *getattr(self._spare.arrays, name).shape[1:])

    def _gather(self):
        if not self._shared:
            for name in ("qpos", "qvel", *self.task.outputs):
                getattr(self._arrays, name)[...] = self._fetch(name)

    def reset(self, *, seed=None, options=None):
        mask = None if options is None else options.get("reset_mask")
        worlds = range(self.num_envs) if mask is None else np.flatnonzero(mask)
        if seed is None:
            seeds = [None] * self.num_envs
        else:
            seeds = [seed + i for i in range(self.num_envs)] if isinstance(seed, (int, np.integer)) else list(seed)
        if len(seeds) != self.num_envs:
            raise ValueError(f"{len(seeds)} seeds for {self.num_envs} worlds")
        for i in worlds:
            if seeds[i] is not None or self._rng[i] is None:
                self._rng[i], _ = seeding.np_random(seeds[i])
        info = self._start(worlds)
        self._ended[list(worlds)] = False
        return self._observations.copy(), info

    def _start(self, worlds):
        """New episodes in some worlds; what they have to say. They go to the batch together."""
        worlds = np.asarray(worlds, int)
        states, infos = np.empty((len(worlds), self._state_size)), []
        spare, mine = self._spare, self._arrays
        for k, i in enumerate(worlds):
            self._observations[i] = spare.start(self._rng[i])[0]
            infos.append(_first(self.task.reset_info(spare.arrays)))
            states[k] = corten.get_state(self.model, spare.data, _STATE)
            for name in ("qpos", "qvel", *self.task.outputs):
                getattr(mine, name)[i] = getattr(spare.arrays, name)[0]
        self.batch.set("state", states, ids=worlds)
        self._age[worlds] = 0
        return _joined(infos, worlds, self.num_envs)

    def step(self, actions):
        task, arrays = self.task, self._arrays
        actions = np.asarray(actions)
        if actions.shape != self.action_space.shape:
            raise ValueError(f"expected actions of shape {self.action_space.shape}, got {actions.shape}")
        if self.autoreset_mode == AutoresetMode.DISABLED and self._ended.any():
            raise ValueError("a world has ended: reset it with options={'reset_mask': ...}")
        again = self._ended.copy()
        before = task.before(arrays)
        arrays.ctrl[...] = actions
        if not self._shared:
            self.batch.set("ctrl", arrays.ctrl)
        self.batch.step(self.frame_skip)
        self._gather()
        self._age += 1

        observation = task.observe(arrays)
        reward, terminated, info = task.judge(arrays, before, actions, observation)
        reward = np.asarray(reward, np.float64)
        truncated = np.zeros(self.num_envs, bool)
        if self.max_episode_steps is not None:
            truncated = self._age >= self.max_episode_steps
        self._observations[...] = observation
        infos = _masked(info, ~again)
        if again.any():  # these do not step: they start
            worlds = np.flatnonzero(again)
            _merge(infos, self._start(worlds))
            reward[again], terminated[again], truncated[again] = 0, False, False
        ended = terminated | truncated
        self._ended = ended
        if self.autoreset_mode == AutoresetMode.SAME_STEP and ended.any():
            worlds = np.flatnonzero(ended)
            last = np.full(self.num_envs, None, object)
            for i in worlds:
                last[i] = self._observations[i].copy()
            final = _masked(info, ended)
            infos = _masked(info, ~ended)
            _merge(infos, self._start(worlds))
            infos.update(final_obs=last, _final_obs=ended.copy(), final_info=final, _final_info=ended.copy())
            self._ended = np.zeros(self.num_envs, bool)
        return self._observations.copy(), reward, terminated, truncated, infos

    def render(self):
        """A picture of each world, None without a render_mode."""
        if self._pictures is None:
            return None
        if self._shown is None:
            self._shown = corten.Data(self.model)
        frames = []
        for state in np.asarray(self.batch.get("state"), np.float64):
            corten.set_state(self.model, self._shown, state, _STATE)
            corten.forward(self.model, self._shown)
            frames.append(self._pictures.draw(self._shown))
        return tuple(frames)

    def close_extras(self, **kwargs):
        if self._pictures is not None:
            self._pictures.close()
        self.batch.close()


def _masked(info, mask):
    """An info of arrays with, for each key, which worlds it holds for."""
    infos = {}
    for name, values in info.items():
        values = np.array(values)
        values[~mask] = 0
        infos[name], infos["_" + name] = values, mask.copy()
    return infos


def _joined(infos, worlds, count):
    """The infos of some worlds as arrays."""
    mask = np.zeros(count, bool)
    mask[list(worlds)] = True
    joined = {}
    for name in infos[0] if infos else ():
        values = np.array([info[name] for info in infos])
        whole = np.zeros((count, *values.shape[1:]), values.dtype)
        whole[mask] = values
        joined[name], joined["_" + name] = whole, mask.copy()
    return joined


def _merge(infos, more):
    for name, values in more.items():
        if name.startswith("_"):
            continue
        mask = more["_" + name]
        if name in infos:
            infos[name][mask] = values[mask]
            infos["_" + name] |= mask
        else:
            infos[name], infos["_" + name] = values, mask
