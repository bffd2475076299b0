"""Time to load and compile a model, beside the oracle, in one run: python3 bench/compile_time.py MODEL..."""

import pathlib
import statistics
import subprocess
import sys

SHARED = pathlib.Path(__file__).resolve().parents[2] / "shared" / "models"
DEFAULT = ["shadow_hand/scene_right.xml", "bitcraze_crazyflie_2/scene.xml", "mujoco/humanoid/22_humanoids.xml",
           "mujoco/humanoid/humanoid100.xml"]  # fmt: skip
ROUNDS = 7


# One load in a fresh process: the oracle keeps assets it has seen.
ONCE = """import sys, time
if sys.argv[1] == "corten":
    from corten import Model
else:
    from mujoco import MjModel as Model
start = time.perf_counter()
Model.from_xml_path(sys.argv[2])
print(time.perf_counter() - start)
"""


def seconds(engine, path):
    line = [sys.executable, "-W", "ignore", "-c", ONCE, engine, str(path)]
    return float(subprocess.run(line, check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True).stdout.split()[-1])


def main():
    paths = [pathlib.Path(p) for p in sys.argv[1:]] or [SHARED / p for p in DEFAULT]
    print(f"{'model':40} {'corten':>10} {'mujoco':>10} {'ratio':>7}")
    for path in paths:
        if not path.exists():
            print(f"{path.name:40} is not here")
            continue
        # in turns, so that both see the same machine
        pairs = [(seconds("corten", path), seconds("mujoco", path)) for _ in range(ROUNDS)]
        ours, theirs = (statistics.median(column) for column in zip(*pairs))
        print(f"{path.parent.name + '/' + path.name:40} {1e3 * ours:8.2f}ms {1e3 * theirs:8.2f}ms {ours / theirs:7.2f}")


if __name__ == "__main__":
    main()
