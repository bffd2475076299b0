"""Steps per second of Gymnasium's MuJoCo tasks: the originals, the same through the door, and corten's own.

python tools/door/gym_speed.py [task ...]      needs gymnasium[mujoco] and mujoco

Single environments run in processes of their own, in turns; the middle of five runs counts. Vector environments have 64
worlds; AsyncVectorEnv has a process for each, corten two threads. The time of the processors is that of all processes, without
their start: it tells more than steps per second where other programs are running.
"""

import resource
import statistics
import subprocess
import sys
import time
import warnings

STEPS, WORLDS, RUNS = 1500, 64, 5


def processors():
    """Seconds of processor time of this process and of those it has ended."""
    return sum(sum(resource.getrusage(who)[:2]) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))


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
    start, used = time.perf_counter(), processors()
    for action in actions:
        _, _, terminated, truncated, _ = env.step(action)
        if terminated or truncated:
            env.reset()
    return STEPS / (time.perf_counter() - start), (processors() - used) / STEPS


def vector(kind, task, idle=False):
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
    steps = 0 if idle else steps
    actions = [env.action_space.sample() for _ in range(steps)]
    start, used = time.perf_counter(), processors()
    for action in actions:
        env.step(action)
    spent = time.perf_counter() - start
    env.close()
    cost = processors() - used
    if idle:
        return cost
    starting = 0 if kind == "corten" else vector(kind, task, True)  # what its processes take without a step
    return WORLDS * steps / spent, (cost - starting) / (WORLDS * steps)


def measured(what, kind, task):
    command = [sys.executable, "-W", "ignore", __file__, "--run", what, kind, task]
    words = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()
    return float(words[-2]), float(words[-1])


def main():
    tasks = sys.argv[1:] or ["Ant", "Humanoid"]
    print("task                     what             steps/s   of the original   us of processors per step")
    for task in tasks:
        for what, kinds in (("single", ("original", "door", "corten")), ("vector", ("original", "corten"))):
            runs = {kind: [] for kind in kinds}
            for _ in range(RUNS if what == "single" else 3):
                for kind in kinds:
                    runs[kind].append(measured(what, kind, task))
            middle = {kind: statistics.median(speed for speed, _ in values) for kind, values in runs.items()}
            cost = {kind: statistics.median(used for _, used in values) for kind, values in runs.items()}
            for kind in kinds:
                print(f"{task:24} {what:6} {kind:9} {middle[kind]:9.0f} {middle[kind] / middle['original']:8.2f} {1e6 * cost[kind]:20.0f}",
                      flush=True)  # fmt: skip


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    if sys.argv[1:2] == ["--run"]:
        print(*{"single": single, "vector": vector}[sys.argv[2]](*sys.argv[3:]))
    else:
        main()
