"""The tasks: what each observes, rewards and ends at.

A task works on many worlds at once. Its arrays have the world as first axis: `s.qpos` is (n, nq), and so are the outputs it
names. Numbers, noise and their order are those of Gymnasium's v5 tasks, so that the same seeds and actions give the same
observations; the models are read from Gymnasium's package.
"""

import importlib.util
import os

import numpy as np

INF = float("inf")


def model_path(xml_file):
    """A model of Gymnasium's package by name, or any other by its path."""
    if xml_file.startswith((".", "/", "~")):
        return os.path.expanduser(xml_file)
    package = importlib.util.find_spec("gymnasium").submodule_search_locations[0]
    return os.path.join(package, "envs", "mujoco", "assets", xml_file)


def _flat(array):
    return array.reshape(len(array), -1)


def _norm(array):
    return np.sqrt(np.square(array).sum(axis=1))


class Task:
    """What all share. `settings` are the keyword arguments of the environment, with their defaults."""

    xml_file, frame_skip, steps = "", 5, 1000
    outputs = ()  # fields of the data that it reads besides qpos and qvel
    settings = {}
    camera = {}  # where pictures are taken from, unless told otherwise

    def __init__(self, model, **settings):
        unknown = settings.keys() - self.settings.keys()
        if unknown:
            raise TypeError(f"{type(self).__name__} has no setting {', '.join(sorted(unknown))}")
        for name, value in {**self.settings, **settings}.items():
            setattr(self, name, value)
        self.model = model
        self.qpos0, self.qvel0 = model.qpos0.copy(), np.zeros(model.nv)
        self.dt = model.opt.timestep * self.frame_skip

    def start(self, rng):
        """(qpos, qvel) that an episode starts from."""
        scale = self.reset_noise_scale
        qpos = self.qpos0 + rng.uniform(-scale, scale, self.model.nq)
        return qpos, self.qvel0 + rng.uniform(-scale, scale, self.model.nv)

    def before(self, s):
        """What the reward needs of the state before a step."""
        return None

    def observe(self, s):
        raise NotImplementedError

    def judge(self, s, before, action, observation):
        """(reward, terminated, info) after a step."""
        raise NotImplementedError

    def reset_info(self, s):
        return {}

    def ctrl_cost(self, action):
        return self.ctrl_cost_weight * np.square(action).sum(axis=1)


def _never(reward):
    return np.zeros(len(reward), bool)


class HalfCheetah(Task):
    xml_file = "half_cheetah.xml"
    camera = dict(distance=4.0)
    settings = dict(forward_reward_weight=1.0, ctrl_cost_weight=0.1, reset_noise_scale=0.1,
                    exclude_current_positions_from_observation=True)  # fmt: skip

    def start(self, rng):
        scale = self.reset_noise_scale
        qpos = self.qpos0 + rng.uniform(-scale, scale, self.model.nq)
        return qpos, self.qvel0 + scale * rng.standard_normal(self.model.nv)

    def before(self, s):
        return s.qpos[:, 0].copy()

    def observe(self, s):
        first = 1 if self.exclude_current_positions_from_observation else 0
        return np.concatenate((s.qpos[:, first:], s.qvel), axis=1)

    def judge(self, s, before, action, observation):
        velocity = (s.qpos[:, 0] - before) / self.dt
        forward, cost = self.forward_reward_weight * velocity, self.ctrl_cost(action)
        reward = forward - cost
        info = dict(x_position=s.qpos[:, 0].copy(), x_velocity=velocity, reward_forward=forward, reward_ctrl=-cost)
        return reward, _never(reward), info

    def reset_info(self, s):
        return dict(x_position=s.qpos[:, 0].copy())


class _Walker(HalfCheetah):
    """What hops or walks in a plane: it has to stay upright."""

    def start(self, rng):
        return Task.start(self, rng)

    def observe(self, s):
        first = 1 if self.exclude_current_positions_from_observation else 0
        return np.concatenate((s.qpos[:, first:], np.clip(s.qvel, -10, 10)), axis=1)

    def healthy(self, s):
        z, angle = s.qpos[:, 1], s.qpos[:, 2]
        (low, high), (least, most) = self.healthy_z_range, self.healthy_angle_range
        return (low < z) & (z < high) & (least < angle) & (angle < most)

    def judge(self, s, before, action, observation):
        velocity = (s.qpos[:, 0] - before) / self.dt
        healthy = self.healthy(s)
        forward, survive = self.forward_reward_weight * velocity, healthy * self.healthy_reward
        cost = self.ctrl_cost(action)
        info = dict(x_position=s.qpos[:, 0].copy(), z_distance_from_origin=s.qpos[:, 1] - self.qpos0[1], x_velocity=velocity,
                    reward_forward=forward, reward_ctrl=-cost, reward_survive=survive)  # fmt: skip
        return forward + survive - cost, ~healthy & self.terminate_when_unhealthy, info

    def reset_info(self, s):
        return dict(x_position=s.qpos[:, 0].copy(), z_distance_from_origin=s.qpos[:, 1] - self.qpos0[1])


class Hopper(_Walker):
    xml_file, frame_skip = "hopper.xml", 4
    camera = dict(distance=3.0, lookat=(0.0, 0.0, 1.15), elevation=-20.0)
    settings = dict(forward_reward_weight=1.0, ctrl_cost_weight=1e-3, healthy_reward=1.0, terminate_when_unhealthy=True,
                    healthy_state_range=(-100.0, 100.0), healthy_z_range=(0.7, INF), healthy_angle_range=(-0.2, 0.2),
                    reset_noise_scale=5e-3, exclude_current_positions_from_observation=True)  # fmt: skip

    def healthy(self, s):
        low, high = self.healthy_state_range
        state = np.concatenate((s.qpos[:, 2:], s.qvel), axis=1)
        return super().healthy(s) & ((low < state) & (state < high)).all(axis=1)


class Walker2d(_Walker):
    xml_file, frame_skip = "walker2d_v5.xml", 4
    camera = dict(distance=4.0, lookat=(0.0, 0.0, 1.15), elevation=-20.0)
    settings = dict(forward_reward_weight=1.0, ctrl_cost_weight=1e-3, healthy_reward=1.0, terminate_when_unhealthy=True,
                    healthy_z_range=(0.8, 2.0), healthy_angle_range=(-1.0, 1.0), reset_noise_scale=5e-3,
                    exclude_current_positions_from_observation=True)  # fmt: skip


def _plane_info(s, velocity=None):
    info = dict(x_position=s.qpos[:, 0].copy(), y_position=s.qpos[:, 1].copy(), distance_from_origin=_norm(s.qpos[:, :2]))
    if velocity is not None:
        info.update(x_velocity=velocity[:, 0], y_velocity=velocity[:, 1])
    return info


class Swimmer(Task):
    xml_file, frame_skip = "swimmer.xml", 4
    settings = dict(forward_reward_weight=1.0, ctrl_cost_weight=1e-4, reset_noise_scale=0.1,
                    exclude_current_positions_from_observation=True)  # fmt: skip

    def before(self, s):
        return s.qpos[:, :2].copy()

    def observe(self, s):
        first = 2 if self.exclude_current_positions_from_observation else 0
        return np.concatenate((s.qpos[:, first:], s.qvel), axis=1)

    def judge(self, s, before, action, observation):
        velocity = (s.qpos[:, :2] - before) / self.dt
        forward, cost = self.forward_reward_weight * velocity[:, 0], self.ctrl_cost(action)
        reward = forward - cost
        return reward, _never(reward), dict(_plane_info(s, velocity), reward_forward=forward, reward_ctrl=-cost)

    def reset_info(self, s):
        return _plane_info(s)


class Ant(Task):
    xml_file = "ant.xml"
    camera = dict(distance=4.0)
    outputs = ("xpos", "cfrc_ext")
    settings = dict(forward_reward_weight=1, ctrl_cost_weight=0.5, contact_cost_weight=5e-4, healthy_reward=1.0, main_body=1,
                    terminate_when_unhealthy=True, healthy_z_range=(0.2, 1.0), contact_force_range=(-1.0, 1.0),
                    reset_noise_scale=0.1, exclude_current_positions_from_observation=True,
                    include_cfrc_ext_in_observation=True)  # fmt: skip

    def __init__(self, model, **settings):
        super().__init__(model, **settings)
        self.body = model.body(self.main_body).id

    start = HalfCheetah.start

    def before(self, s):
        return s.xpos[:, self.body, :2].copy()

    def forces(self, s):
        return np.clip(s.cfrc_ext, *self.contact_force_range)

    def observe(self, s):
        first = 2 if self.exclude_current_positions_from_observation else 0
        parts = [s.qpos[:, first:], s.qvel]
        if self.include_cfrc_ext_in_observation:
            parts.append(_flat(self.forces(s)[:, 1:]))
        return np.concatenate(parts, axis=1)

    def judge(self, s, before, action, observation):
        velocity = (s.xpos[:, self.body, :2] - before) / self.dt
        z, (low, high) = s.qpos[:, 2], self.healthy_z_range
        healthy = np.isfinite(s.qpos).all(axis=1) & np.isfinite(s.qvel).all(axis=1) & (low <= z) & (z <= high)
        forward, survive = velocity[:, 0] * self.forward_reward_weight, healthy * self.healthy_reward
        cost = self.ctrl_cost(action)
        contact = self.contact_cost_weight * np.square(_flat(self.forces(s))).sum(axis=1)
        info = dict(_plane_info(s, velocity), reward_forward=forward, reward_ctrl=-cost, reward_contact=-contact,
                    reward_survive=survive)  # fmt: skip
        return forward + survive - (cost + contact), ~healthy & self.terminate_when_unhealthy, info

    def reset_info(self, s):
        return _plane_info(s)


class _Humanoid(Task):
    outputs = ("xipos", "cinert", "cvel", "qfrc_actuator", "cfrc_ext", "ten_length", "ten_velocity")
    _observed = dict(exclude_current_positions_from_observation=True, include_cinert_in_observation=True,
                     include_cvel_in_observation=True, include_qfrc_actuator_in_observation=True,
                     include_cfrc_ext_in_observation=True)  # fmt: skip

    def observe(self, s):
        parts = [s.qpos[:, 2:] if self.exclude_current_positions_from_observation else s.qpos, s.qvel]
        if self.include_cinert_in_observation:
            parts.append(_flat(s.cinert[:, 1:]))
        if self.include_cvel_in_observation:
            parts.append(_flat(s.cvel[:, 1:]))
        if self.include_qfrc_actuator_in_observation:
            parts.append(s.qfrc_actuator[:, 6:])
        if self.include_cfrc_ext_in_observation:
            parts.append(_flat(s.cfrc_ext[:, 1:]))
        return np.concatenate(parts, axis=1)

    def tendons(self, s):
        return dict(tendon_length=s.ten_length.copy(), tendon_velocity=s.ten_velocity.copy())


class Humanoid(_Humanoid):
    xml_file = "humanoid.xml"
    camera = dict(distance=4.0, lookat=(0.0, 0.0, 2.0), elevation=-20.0)
    settings = dict(forward_reward_weight=1.25, ctrl_cost_weight=0.1, contact_cost_weight=5e-7, contact_cost_range=(-INF, 10.0),
                    healthy_reward=5.0, terminate_when_unhealthy=True, healthy_z_range=(1.0, 2.0), reset_noise_scale=1e-2,
                    **_Humanoid._observed)  # fmt: skip

    def before(self, s):
        mass = self.model.body_mass
        return np.einsum("b,nbj->nj", mass, s.xipos)[:, :2] / mass.sum()

    def judge(self, s, before, action, observation):
        velocity = (self.before(s) - before) / self.dt
        z, (low, high) = s.qpos[:, 2], self.healthy_z_range
        healthy = (low < z) & (z < high)
        forward, survive = self.forward_reward_weight * velocity[:, 0], healthy * self.healthy_reward
        cost = self.ctrl_cost(s.ctrl)
        contact = np.clip(self.contact_cost_weight * np.square(_flat(s.cfrc_ext)).sum(axis=1), *self.contact_cost_range)
        info = dict(_plane_info(s, velocity), **self.tendons(s), reward_survive=survive, reward_forward=forward,
                    reward_ctrl=-cost, reward_contact=-contact)  # fmt: skip
        return forward + survive - (cost + contact), ~healthy & self.terminate_when_unhealthy, info

    def reset_info(self, s):
        return dict(_plane_info(s), **self.tendons(s))


class HumanoidStandup(_Humanoid):
    xml_file = "humanoidstandup.xml"
    camera = dict(distance=4.0, lookat=(0.0, 0.0, 0.8925), elevation=-20.0)
    settings = dict(uph_cost_weight=1, ctrl_cost_weight=0.1, impact_cost_weight=0.5e-6, impact_cost_range=(-INF, 10.0),
                    reset_noise_scale=1e-2, **_Humanoid._observed)  # fmt: skip

    def judge(self, s, before, action, observation):
        up = s.qpos[:, 2] / self.model.opt.timestep
        cost = self.ctrl_cost(s.ctrl)
        impact = np.clip(self.impact_cost_weight * np.square(_flat(s.cfrc_ext)).sum(axis=1), *self.impact_cost_range)
        reward = up - cost - impact + 1
        info = dict(self.reset_info(s), reward_linup=up, reward_quadctrl=-cost, reward_impact=-impact)
        return reward, _never(reward), info

    def reset_info(self, s):
        return dict(x_position=s.qpos[:, 0].copy(), y_position=s.qpos[:, 1].copy(),
                    z_distance_from_origin=s.qpos[:, 2] - self.qpos0[2], **self.tendons(s))  # fmt: skip


class InvertedPendulum(Task):
    xml_file, frame_skip = "inverted_pendulum.xml", 2
    camera = dict(distance=2.04)
    settings = dict(reset_noise_scale=0.01)

    def observe(self, s):
        return np.concatenate((s.qpos, s.qvel), axis=1)

    def judge(self, s, before, action, observation):
        terminated = ~np.isfinite(observation).all(axis=1) | (np.abs(observation[:, 1]) > 0.2)
        reward = (~terminated).astype(float)
        return reward, terminated, dict(reward_survive=(~terminated).astype(int))


class InvertedDoublePendulum(Task):
    xml_file = "inverted_double_pendulum.xml"
    camera = dict(distance=4.1225, lookat=(0.0, 0.0, 0.12250000000000005))
    outputs = ("site_xpos", "qfrc_constraint")
    settings = dict(healthy_reward=10.0, reset_noise_scale=0.1)

    def start(self, rng):
        scale = self.reset_noise_scale
        qpos = self.qpos0 + rng.uniform(-scale, scale, self.model.nq)
        return qpos, self.qvel0 + rng.standard_normal(self.model.nv) * scale

    def observe(self, s):
        angles = s.qpos[:, 1:]
        forces = np.clip(s.qfrc_constraint[:, :1], -10, 10)
        return np.concatenate((s.qpos[:, :1], np.sin(angles), np.cos(angles), np.clip(s.qvel, -10, 10), forces), axis=1)

    def judge(self, s, before, action, observation):
        x, y = s.site_xpos[:, 0, 0], s.site_xpos[:, 0, 2]
        terminated = y <= 1
        far = 0.01 * x**2 + (y - 2) ** 2
        fast = 1e-3 * s.qvel[:, 1] ** 2 + 5e-3 * s.qvel[:, 2] ** 2
        alive = self.healthy_reward * (~terminated)
        return alive - far - fast, terminated, dict(reward_survive=alive, distance_penalty=-far, velocity_penalty=-fast)


class _Reaching(Task):
    """An arm whose tip is to be brought somewhere."""

    outputs = ("xpos",)
    bodies = ()

    def __init__(self, model, **settings):
        super().__init__(model, **settings)
        self.ids = [model.body(name).id for name in self.bodies]

    def places(self, s):
        return [s.xpos[:, id] for id in self.ids]

    def control_reward(self, action):
        return -np.square(action).sum(axis=1) * self.reward_control_weight


class Reacher(_Reaching):
    xml_file, frame_skip, steps = "reacher.xml", 2, 50
    bodies = ("fingertip", "target")
    settings = dict(reward_dist_weight=1, reward_control_weight=1)

    def start(self, rng):
        qpos = rng.uniform(-0.1, 0.1, self.model.nq) + self.qpos0
        goal = rng.uniform(-0.2, 0.2, 2)
        while np.linalg.norm(goal) >= 0.2:
            goal = rng.uniform(-0.2, 0.2, 2)
        qpos[-2:] = goal
        qvel = self.qvel0 + rng.uniform(-0.005, 0.005, self.model.nv)
        qvel[-2:] = 0
        return qpos, qvel

    def observe(self, s):
        tip, target = self.places(s)
        angles = s.qpos[:, :2]
        return np.concatenate((np.cos(angles), np.sin(angles), s.qpos[:, 2:], s.qvel[:, :2], (tip - target)[:, :2]), axis=1)

    def judge(self, s, before, action, observation):
        tip, target = self.places(s)
        near, control = -_norm(tip - target) * self.reward_dist_weight, self.control_reward(action)
        reward = near + control
        return reward, _never(reward), dict(reward_dist=near, reward_ctrl=control)


class Pusher(_Reaching):
    xml_file, steps = "pusher_v5.xml", 100
    camera = dict(distance=4.0)
    bodies = ("tips_arm", "object", "goal")
    settings = dict(reward_near_weight=0.5, reward_dist_weight=1, reward_control_weight=0.1)

    def start(self, rng):
        qpos = self.qpos0.copy()
        while True:
            place = np.concatenate((rng.uniform(-0.3, 0, 1), rng.uniform(-0.2, 0.2, 1)))
            if np.linalg.norm(place) > 0.17:
                break
        qpos[-4:-2], qpos[-2:] = place, 0
        qvel = self.qvel0 + rng.uniform(-0.005, 0.005, self.model.nv)
        qvel[-4:] = 0
        return qpos, qvel

    def observe(self, s):
        return np.concatenate((s.qpos[:, :7], s.qvel[:, :7], *self.places(s)), axis=1)

    def judge(self, s, before, action, observation):
        tip, thing, goal = self.places(s)
        near = -_norm(thing - tip) * self.reward_near_weight
        dist = -_norm(thing - goal) * self.reward_dist_weight
        control = self.control_reward(action)
        reward = dist + control + near
        return reward, _never(reward), dict(reward_dist=dist, reward_ctrl=control, reward_near=near)


TASKS = {task.__name__: task for task in (
    Ant, HalfCheetah, Hopper, Humanoid, HumanoidStandup, InvertedDoublePendulum, InvertedPendulum, Pusher, Reacher, Swimmer,
    Walker2d)}  # fmt: skip
