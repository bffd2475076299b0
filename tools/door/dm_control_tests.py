"""dm_control's own tests, as its wheel carries them, run with MuJoCo and through the door: those without drawing.

python tools/door/dm_control_tests.py [file ...]     needs dm_control, pytest, mock
"""

import importlib.util
import os
import sys

import report

FILES = ("mujoco/engine_test mujoco/index_test mujoco/math_test mujoco/thread_safety_test mujoco/wrapper/core_test "
         "mujoco/wrapper/mjbindings_test mjcf/physics_test mjcf/element_test mjcf/attribute_test mjcf/copier_test mjcf/schema_test "
         "mjcf/skin_test mjcf/export_with_assets_test mjcf/export_with_assets_as_zip_test mjcf/traversal_utils_test "
         "mjcf/xml_validation_test suite/suite_test suite/loader_test suite/utils/randomizers_test "
         "suite/wrappers/action_noise_test suite/wrappers/action_scale_test rl/control_test").split()  # fmt: skip

# dm_control lists fields that MuJoCo 4.0 has no more: both runs go without them
PLUGIN = """
import mujoco
from dm_control.mujoco.wrapper.mjbindings import sizes
for kind, cls in (("mjmodel", mujoco.MjModel), ("mjdata", mujoco.MjData)):
    for field in [f for f in sizes.array_sizes[kind] if not hasattr(cls, f)]:
        del sizes.array_sizes[kind][field]
"""


def main():
    package = importlib.util.find_spec("dm_control").submodule_search_locations[0]
    report.run(sys.argv[1:] or FILES, lambda test, folder: os.path.join(package, f"{test}.py"), PLUGIN, "disable")


if __name__ == "__main__":
    main()
