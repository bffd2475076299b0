"""MuJoCo's own Python tests, as its wheel carries them, run with MuJoCo and through the door.

python tools/door/wheel_tests.py [file ...]     needs mujoco==4.0.0, pytest, absl-py, etils

Prints for each file how many tests pass with MuJoCo and how many of these through the door, and the names of those that fail.
"""

import importlib.util
import os
import re
import shutil
import subprocess
import sys
import tempfile

# windows are left out: viewer; and egl, which tests the binding of OpenGL
FILES = ("bindings specs rollout batch vfs thread_safety memory_leak minimize msh2obj renderer render").split()

PLUGIN = """
import os
if os.environ["DOOR"] == "1":
    import corten.mujoco
    corten.mujoco.install()
from etils import epath
epath.resource_path = lambda name: epath.Path({folder!r})
"""


def outcomes(test, folder, door):
    """{name: passed} of a test file."""
    env = dict(os.environ, DOOR="1" if door else "0", PYTHONPATH=folder, MUJOCO_GL="egl")
    command = [sys.executable, "-m", "pytest", "-p", "door_plugin", "-p", "no:cacheprovider", "-q", "-rA", "--tb=no", "--no-header",
               os.path.join(folder, f"{test}_test.py")]  # fmt: skip
    text = subprocess.run(command, capture_output=True, text=True, env=env, cwd=folder, timeout=900).stdout
    found = {}
    for state, name in re.findall(r"^(PASSED|FAILED|ERROR|SUBFAILED\S*|SUBPASSED\S*)(?:\([^)]*\))? \S*?::(\S+)", text, re.MULTILINE):
        if not state.startswith("SUBPASSED"):
            found[name] = found.get(name, True) and state == "PASSED"
    return found


def main():
    wheel = importlib.util.find_spec("mujoco").submodule_search_locations[0]
    total = [0, 0]
    with tempfile.TemporaryDirectory() as folder:
        with open(os.path.join(folder, "door_plugin.py"), "w") as file:
            file.write(PLUGIN.format(folder=wheel))
        for test in sys.argv[1:] or FILES:
            shutil.copy(os.path.join(wheel, f"{test}_test.py"), folder)
            theirs, ours = outcomes(test, folder, False), outcomes(test, folder, True)
            good = [name for name, passed in theirs.items() if passed]
            failed = [name for name in good if not ours.get(name, False)]
            total[0] += len(good)
            total[1] += len(good) - len(failed)
            print(f"{test}: {len(good) - len(failed)} of {len(good)}", flush=True)
            for name in failed:
                print(f"  {name}")
    print(f"all: {total[1]} of {total[0]}")


if __name__ == "__main__":
    main()
