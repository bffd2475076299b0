"""Stable-Baselines3 on all worlds of a corten.Batch: an adapter of its VecEnv, and PPO with it.

    python sb3.py                                   corten/Hopper-v5 on 32 worlds, 300,000 steps
    python sb3.py corten/Ant-v5 --worlds 64 --steps 2000000

Single environments need no adapter: `PPO("MlpPolicy", "corten/Hopper-v5")`, or `make_vec_env("corten/Hopper-v5", 4)`.
"""

import argparse

import gymnasium
import numpy as np
from gymnasium.vector import AutoresetMode
from stable_baselines3 import PPO
from stable_baselines3.common.vec_env import VecEnv, VecMonitor, VecNormalize

import corten.gymnasium


class BatchVecEnv(VecEnv):
    """A vector environment of Gymnasium as Stable-Baselines3 has them: worlds start again in the step that ends them."""

    def __init__(self, task, worlds, **settings):
        self.envs = gymnasium.make_vec(task, worlds, autoreset_mode=AutoresetMode.SAME_STEP, **settings)
        self.render_mode = self.envs.render_mode
        super().__init__(worlds, self.envs.single_observation_space, self.envs.single_action_space)

    def reset(self):
        seeds, self._seeds = self._seeds, [None] * self.num_envs
        return self.envs.reset(seed=None if seeds[0] is None else seeds)[0]

    def step_async(self, actions):
        self._actions = actions

    def step_wait(self):
        observations, rewards, terminated, truncated, info = self.envs.step(self._actions)
        infos = [{} for _ in range(self.num_envs)]
        for i in np.flatnonzero(terminated | truncated):
            infos[i]["terminal_observation"] = info["final_obs"][i]
            infos[i]["TimeLimit.truncated"] = bool(truncated[i] and not terminated[i])
        return observations, rewards, terminated | truncated, infos

    def get_images(self):
        return self.envs.render()

    def close(self):
        self.envs.close()

    # worlds of a batch have no objects of their own

    def get_attr(self, attr_name, indices=None):
        return [getattr(self.envs.unwrapped, attr_name)] * len(list(self._get_indices(indices)))

    def set_attr(self, attr_name, value, indices=None):
        setattr(self.envs.unwrapped, attr_name, value)

    def env_method(self, method_name, *args, indices=None, **kwargs):
        raise NotImplementedError(f"{method_name}: worlds of a batch have no methods of their own")

    def env_is_wrapped(self, wrapper_class, indices=None):
        return [False] * len(list(self._get_indices(indices)))


def main():
    words = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    words.add_argument("task", nargs="?", default="corten/Hopper-v5")
    words.add_argument("--worlds", type=int, default=32)
    words.add_argument("--steps", type=int, default=300_000)
    words.add_argument("--seed", type=int, default=1)
    given = words.parse_args()
    envs = VecNormalize(VecMonitor(BatchVecEnv(given.task, given.worlds)))
    agent = PPO("MlpPolicy", envs, n_steps=64, batch_size=256, seed=given.seed, device="cpu", verbose=1)
    agent.learn(given.steps)
    envs.close()


if __name__ == "__main__":
    main()
