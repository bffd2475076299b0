"""python -m corten.mujoco program.py [arguments]: run a program with `import mujoco` finding this package.

python -m corten.mujoco -m module [arguments]: the same for a module.
"""

import runpy
import sys

from corten.mujoco import install


def main():
    if len(sys.argv) < 2 or sys.argv[1] in ("-h", "--help"):
        print(__doc__.strip())
        return 0 if len(sys.argv) > 1 else 2
    install()
    if sys.argv[1] == "-m":
        if len(sys.argv) < 3:
            print("python -m corten.mujoco -m: which module?", file=sys.stderr)
            return 2
        del sys.argv[:2]
        runpy.run_module(sys.argv[0], run_name="__main__", alter_sys=True)
    else:
        del sys.argv[0]
        sys.path[0] = __import__("os").path.dirname(__import__("os").path.abspath(sys.argv[0]))
        runpy.run_path(sys.argv[0], run_name="__main__")
    return 0


if __name__ == "__main__":
    sys.exit(main())
