"""Steps per second of Gymnasium's MuJoCo tasks: the originals, the same through the door, and corten's own.

python tools/door/gym_speed.py [task ...]      needs gymnasium[mujoco] and mujoco

Single environments run in processes of their own, in turns; the middle of five runs counts. Vector environments have 64
worlds; AsyncVectorEnv has a process for each, corten two threads.
"""

import statistics
import subprocess
import sys
import time
import warnings

STEPS, WORLDS, RUNS = 1500, 64, 5


def single(kind, task):
    if kind == "door":
        import corten.mujoco

        corten.mujoco.install()
    import gymnasium

    if kind == "corten":
        import corten.gymnasium  # noqa: F401
    env = gymnasium.make(f"{'corten/' if kind == 'corten' else ''}{task}-v5")
    env.reset(seed=0)
    env.action_space.seed(0)
    actions = [env.action_space.sample() for _ in range(STEPS)]
    start = time.perf_counter()
    for action in actions:
        _, _, terminated, truncated, _ = env.step(action)
        if terminated or truncated:
            env.reset()
    return STEPS / (time.perf_counter() - start)


def vector(kind, task):
    import gymnasium

    if kind == "corten":
        import corten.gymnasium  # noqa: F401

        env = gymnasium.make_vec(f"corten/{task}-v5", num_envs=WORLDS, threads=2)
        steps = 150
    else:
        env = gymnasium.make_vec(f"{task}-v5", num_envs=WORLDS, vectorization_mode="async")
        steps = 60
    env.reset(seed=0)
    env.action_space.seed(0)
    actions = [env.action_space.sample() for _ in range(steps)]
    start = time.perf_counter()
    for action in actions:
        env.step(action)
    speed = WORLDS * steps / (time.perf_counter() - start)
    env.close()
    return speed


def measured(what, kind, task):
    command = [sys.executable, "-W", "ignore", __file__, "--run", what, kind, task]
    return float(subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()[-1])


def main():
    tasks = sys.argv[1:] or ["Ant", "Humanoid"]
    print("task                     what             steps/s   of the original")
    for task in tasks:
        for what, kinds in (("single", ("original", "door", "corten")), ("vector", ("original", "corten"))):
            runs = {kind: [] for kind in kinds}
            for _ in range(RUNS if what == "single" else 3):
                for kind in kinds:
                    runs[kind].append(measured(what, kind, task))
            middle = {kind: statistics.median(values) for kind, values in runs.items()}
            for kind in kinds:
                print(f"{task:24} {what:6} {kind:9} {middle[kind]:9.0f} {middle[kind] / middle['original']:8.2f}", flush=True)


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    if sys.argv[1:2] == ["--run"]:
        print({"single": single, "vector": vector}[sys.argv[2]](*sys.argv[3:]))
    else:
        main()
