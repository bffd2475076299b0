"""dm_control's own tests, as its wheel carries them, run with MuJoCo and through the door: those without drawing.

python tools/door/dm_control_tests.py [file ...]     needs dm_control, pytest, mock
"""

import importlib.util
import os
import re
import subprocess
import sys
import tempfile

FILES = ("mujoco/engine_test mujoco/index_test mujoco/math_test mujoco/thread_safety_test mujoco/wrapper/core_test "
         "mujoco/wrapper/mjbindings_test mjcf/physics_test mjcf/element_test mjcf/attribute_test mjcf/copier_test mjcf/schema_test "
         "mjcf/skin_test mjcf/export_with_assets_test mjcf/export_with_assets_as_zip_test mjcf/traversal_utils_test "
         "mjcf/xml_validation_test suite/suite_test suite/loader_test suite/utils/randomizers_test "
         "suite/wrappers/action_noise_test suite/wrappers/action_scale_test rl/control_test").split()  # fmt: skip

# dm_control lists fields that MuJoCo 4.0 has no more: both runs go without them
PLUGIN = """
import os
if os.environ["DOOR"] == "1":
    import corten.mujoco
    corten.mujoco.install()
import mujoco
from dm_control.mujoco.wrapper.mjbindings import sizes
for kind, cls in (("mjmodel", mujoco.MjModel), ("mjdata", mujoco.MjData)):
    for field in [f for f in sizes.array_sizes[kind] if not hasattr(cls, f)]:
        del sizes.array_sizes[kind][field]
"""


def outcomes(path, folder, door):
    """{name: passed} of a test file."""
    env = dict(os.environ, DOOR="1" if door else "0", PYTHONPATH=folder, MUJOCO_GL="disable")
    command = [sys.executable, "-m", "pytest", "-p", "door_plugin", "-p", "no:cacheprovider", "-q", "-rA", "--tb=no", "--no-header", path]
    text = subprocess.run(command, capture_output=True, text=True, env=env, cwd=folder, timeout=900).stdout
    return {name: state == "PASSED" for state, name in re.findall(r"^(PASSED|FAILED|ERROR) \S*?::(.+?)(?: - .*)?$", text, re.MULTILINE)}


def main():
    package = importlib.util.find_spec("dm_control").submodule_search_locations[0]
    total = [0, 0]
    with tempfile.TemporaryDirectory() as folder:
        with open(os.path.join(folder, "door_plugin.py"), "w") as file:
            file.write(PLUGIN)
        for test in sys.argv[1:] or FILES:
            path = os.path.join(package, f"{test}.py")
            theirs, ours = outcomes(path, folder, False), outcomes(path, folder, True)
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
