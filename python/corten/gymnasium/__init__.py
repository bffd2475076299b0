"""Gymnasium's MuJoCo tasks on corten: one world, or many at once.

    import gymnasium
    import corten.gymnasium

    env = gymnasium.make("corten/Ant-v5")
    envs = gymnasium.make_vec("corten/Ant-v5", num_envs=64)

Importing the module registers `corten/Ant-v5`, `corten/HalfCheetah-v5`, ... with the observations, rewards, ends of episodes
and settings of the originals. Vector environments are a corten.Batch: `backend`, `threads`, `device` and `precision` are its
settings, `autoreset_mode` is Gymnasium's.
"""

import gymnasium as _gymnasium

from ._envs import Env, VectorEnv
from ._tasks import TASKS

__all__ = ["TASKS", "Env", "VectorEnv", "register"]


def register():
    """Register the tasks with Gymnasium; importing this module has done so."""
    for name, task in TASKS.items():
        if f"corten/{name}-v5" not in _gymnasium.registry:
            _gymnasium.register(
                id=f"corten/{name}-v5",
                entry_point="corten.gymnasium:Env",
                vector_entry_point="corten.gymnasium:VectorEnv",
                max_episode_steps=task.steps,
                kwargs={"task": name},
            )


register()
