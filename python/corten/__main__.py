"""python -m corten, and the command `corten` that pip installs: the program that came with the package."""

import os
import sys
from pathlib import Path


def main():
    """Become the program, with the arguments of this one."""
    program = Path(__file__).with_name("corten-program")
    if not program.exists():
        sys.exit("corten: this package was built without the command-line program (CORTEN_CLI=ON builds it)")
    sys.stdout.flush()
    os.execv(program, ["corten", *sys.argv[1:]])


if __name__ == "__main__":
    main()
