"""Programs written for MuJoCo, run with MuJoCo and through the door: are the numbers the same?

python tools/door/compare.py [suite ...]       suites: gymnasium, dm_control, robotics, metaworld, myosuite, packages

Each suite runs in a process of its own with MuJoCo 4.0, and in another with `import mujoco` finding corten; what is not installed
is left out. A task counts as the same when the observations and rewards of its first 20 steps differ by at most 1e-9 (relative
to their size where that is above one), with random actions of a fixed seed.
"""

import os
import pickle
import subprocess
import sys
import tempfile
import traceback
import warnings

import numpy as np

STEPS = 20


def gym_tasks(names, make):
    for name in names:

        def run(name=name):
            env = make(name)
            observation, _ = env.reset(seed=0)
            env.action_space.seed(0)
            rows = [flat(observation)]
            for _ in range(STEPS):
                observation, reward, terminated, truncated, _ = env.step(env.action_space.sample())
                rows.append(np.append(flat(observation), [reward, terminated]))
                if terminated or truncated:
                    break
            env.close()
            return np.concatenate(rows)

        yield name, run


def flat(observation):
    if isinstance(observation, dict):
        return np.concatenate([flat(observation[key]) for key in sorted(observation)])
    return np.asarray(observation, float).ravel()


def gymnasium_suite():
    import gymnasium

    names = sorted(name for name, spec in gymnasium.registry.items() if name.endswith("-v5") and "mujoco" in str(spec.entry_point))
    yield from gym_tasks(names, gymnasium.make)


def robotics_suite():
    import gymnasium
    import gymnasium_robotics

    gymnasium.register_envs(gymnasium_robotics)
    names = sorted(name for name, spec in gymnasium.registry.items() if "gymnasium_robotics" in str(spec.entry_point))
    latest = {}
    for name in names:
        base, version = name.rsplit("-v", 1)
        latest[base] = max(latest.get(base, 0), int(version))
    chosen = [f"{base}-v{version}" for base, version in latest.items() if "Dense" not in base]
    yield from gym_tasks(sorted(chosen), gymnasium.make)


def metaworld_suite():
    import gymnasium
    import metaworld

    for name in sorted(metaworld.ML1.ENV_NAMES):
        yield from gym_tasks([name], lambda name: gymnasium.make("Meta-World/MT1", env_name=name, seed=0))


def myosuite_suite():
    import myosuite  # noqa: F401
    from myosuite.utils import gym

    names = sorted(name for name in gym.envs.registry if name.startswith("myo") and "Fati" not in name and "Sarc" not in name and "Reaf" not in name)
    yield from gym_tasks(names, gym.make)


def dm_control_suite():
    os.environ["MUJOCO_GL"] = "disable"
    import mujoco
    from dm_control.mujoco.wrapper.mjbindings import sizes

    # dm_control lists fields that MuJoCo 4.0 has no more: both runs go without them
    for kind, cls in (("mjmodel", mujoco.MjModel), ("mjdata", mujoco.MjData)):
        for field in [field for field in sizes.array_sizes[kind] if not hasattr(cls, field)]:
            del sizes.array_sizes[kind][field]
    from dm_control import suite

    for domain, task in suite.ALL_TASKS:

        def run(domain=domain, task=task):
            env = suite.load(domain, task, task_kwargs={"random": 0})
            step, rng, spec = env.reset(), np.random.RandomState(0), env.action_spec()
            rows = [flat(step.observation)]
            for _ in range(STEPS):
                step = env.step(rng.uniform(spec.minimum, spec.maximum, spec.shape))
                rows.append(np.append(flat(step.observation), step.reward))
            return np.concatenate(rows)

        yield f"{domain}/{task}", run


def packages_suite():
    """One example of each further package."""
    from importlib import import_module

    examples = import_module("examples")
    for name, run in examples.EXAMPLES.items():
        yield name, run


SUITES = {"gymnasium": gymnasium_suite, "dm_control": dm_control_suite, "robotics": robotics_suite, "metaworld": metaworld_suite,
          "myosuite": myosuite_suite, "packages": packages_suite}  # fmt: skip


def child(mode, suite, path):
    warnings.simplefilter("ignore")
    if mode == "door":
        import corten.mujoco

        corten.mujoco.install()
    results = {}
    try:
        for name, run in SUITES[suite]():
            try:
                results[name] = run()
            except Exception:
                results[name] = traceback.format_exc(limit=-3)
            with open(path, "wb") as file:
                pickle.dump(results, file)
    except Exception:
        results["(the suite)"] = traceback.format_exc(limit=-3)
    with open(path, "wb") as file:
        pickle.dump(results, file)


def same(mine, theirs):
    if mine.shape != theirs.shape:
        return np.inf
    scale = np.maximum(1, np.abs(theirs))
    return float(np.max(np.abs(mine - theirs) / scale, initial=0))


def main():
    chosen = [name for name in sys.argv[1:] if name in SUITES] or list(SUITES)
    for suite in chosen:
        results = {}
        with tempfile.TemporaryDirectory() as folder:
            for mode in ("original", "door"):
                path = os.path.join(folder, mode)
                subprocess.run([sys.executable, __file__, "--child", mode, suite, path], stdout=subprocess.DEVNULL,
                               stderr=subprocess.DEVNULL, timeout=1500)  # fmt: skip
                with open(path, "rb") as file:
                    results[mode] = pickle.load(file)
        ran = {name: value for name, value in results["original"].items() if not isinstance(value, str)}
        equal, different, failed = [], [], []
        for name, theirs in ran.items():
            mine = results["door"].get(name, "the process ended")
            if isinstance(mine, str):
                failed.append((name, mine.strip().splitlines()[-1]))
            else:
                error = same(mine, theirs)
                (equal if error <= 1e-9 else different).append((name, error))
        print(f"{suite}: {len(results['original'])} tasks, {len(ran)} run with MuJoCo 4.0; of these {len(equal)} the same, "
              f"{len(different)} different, {len(failed)} fail", flush=True)  # fmt: skip
        for name, error in different:
            print(f"  {name}: differs by {error:.1e}")
        for name, text in failed:
            print(f"  {name}: {text[:200]}")
        for name, text in results["original"].items():
            if isinstance(text, str):
                print(f"  ({name} does not run with MuJoCo 4.0: {text.strip().splitlines()[-1][:120]})")


if __name__ == "__main__":
    if sys.argv[1:2] == ["--child"]:
        child(*sys.argv[2:])
    else:
        main()
