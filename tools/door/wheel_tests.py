"""MuJoCo's own Python tests, as its wheel carries them, run with MuJoCo and through the door.

python tools/door/wheel_tests.py [file ...]     needs mujoco==4.0.0, pytest, absl-py, etils

Prints for each file how many tests pass with MuJoCo and how many of these through the door, and the names of those that fail.
"""

import importlib.util
import os
import shutil
import sys

import report

# windows are left out: viewer; and egl, which tests the binding of OpenGL
FILES = ("bindings specs rollout batch vfs thread_safety memory_leak minimize msh2obj renderer render").split()

PLUGIN = """
from etils import epath
epath.resource_path = lambda name: epath.Path({folder!r})
"""


def main():
    wheel = importlib.util.find_spec("mujoco").submodule_search_locations[0]

    def place(test, folder):
        return shutil.copy(os.path.join(wheel, f"{test}_test.py"), folder)

    report.run(sys.argv[1:] or FILES, place, PLUGIN.format(folder=wheel), "egl")


if __name__ == "__main__":
    main()
