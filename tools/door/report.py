"""Tests of a package, run with MuJoCo and through the door: what wheel_tests.py and dm_control_tests.py share."""

import os
import re
import subprocess
import sys
import tempfile

INSTALL = """
import os
if os.environ["DOOR"] == "1":
    import corten.mujoco
    corten.mujoco.install()
"""


def outcomes(path, folder, door, drawing):
    """{name: passed} of a test file."""
    env = dict(os.environ, DOOR="1" if door else "0", PYTHONPATH=folder, MUJOCO_GL=drawing)
    command = [sys.executable, "-m", "pytest", "-p", "door_plugin", "-p", "no:cacheprovider", "-q", "-rA", "--tb=no", "--no-header", path]
    text = subprocess.run(command, capture_output=True, text=True, env=env, cwd=folder, timeout=3600).stdout
    found = {}
    states = r"^(PASSED|FAILED|ERROR|SUBFAILED\S*|SUBPASSED\S*)(?:\([^)]*\))? \S*?::(.+?)(?: - .*)?$"
    for state, name in re.findall(states, text, re.MULTILINE):
        if not state.startswith("SUBPASSED"):
            found[name] = found.get(name, True) and state == "PASSED"
    return found


def run(tests, place, plugin, drawing):
    """Run each test file that place(test, folder) gives, both ways, and print how many pass and which do not; `plugin` is code that
    runs before the tests."""
    total = [0, 0]
    with tempfile.TemporaryDirectory() as folder:
        with open(os.path.join(folder, "door_plugin.py"), "w") as file:
            file.write(INSTALL + plugin)
        for test in tests:
            path = place(test, folder)
            theirs, ours = (outcomes(path, folder, door, drawing) for door in (False, True))
            good = [name for name, passed in theirs.items() if passed]
            failed = [name for name in good if not ours.get(name, False)]
            total[0] += len(good)
            total[1] += len(good) - len(failed)
            print(f"{test}: {len(good) - len(failed)} of {len(good)}", flush=True)
            for name in failed:
                print(f"  {name}")
    print(f"all: {total[1]} of {total[0]}")
