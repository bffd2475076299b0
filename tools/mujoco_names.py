#!/usr/bin/env python3
"""Write the tables of corten.mujoco that are facts about MuJoCo's module: enumerations and constants.

python tools/mujoco_names.py          write them, with the mujoco wheel installed
python tools/mujoco_names.py --check  exit 1 when they are out of date
"""

import sys
import textwrap
from pathlib import Path

import mujoco

FOLDER = Path(__file__).resolve().parents[1] / "python" / "corten" / "mujoco"

ENUMS = '''\
"""The enumerations, by their names and values. Made by tools/mujoco_names.py: do not edit."""

from enum import IntEnum


class _Enum(IntEnum):
    __str__ = lambda self: f"{type(self).__name__}.{self.name}"
    __format__ = int.__format__


def _make(name, members):
    pairs = (member.split("=") for member in members.split())
    return _Enum(name, {key: int(value) for key, value in pairs}, module=__name__)


_TABLE = {
'''

CONSTANTS = '''\
"""Constants. Made by tools/mujoco_names.py: do not edit."""

'''


def wrapped(words):
    lines = textwrap.wrap(" ".join(words), 108, break_long_words=False, break_on_hyphens=False)
    return "\n".join(f'        "{line} "' for line in lines)


def enums():
    kinds = {name: value for name, value in sorted(vars(mujoco).items()) if hasattr(value, "__members__")}
    rows = [
        f'    "{name}": (\n{wrapped(f"{key}={int(value)}" for key, value in kind.__members__.items())}\n    ),\n'
        for name, kind in kinds.items()
    ]
    names = "".join(f'    "{name}",\n' for name in kinds)
    return (
        ENUMS
        + "".join(rows)
        + "}\n\nglobals().update({name: _make(name, members) for name, members in _TABLE.items()})\n\n"
        + f"__all__ = [\n{names}]\n"
    )


def constants():
    values = {
        name: value
        for name, value in sorted(vars(mujoco).items())
        if name.startswith("mj") and isinstance(value, (int, float, tuple)) and not hasattr(value, "__members__")
    }
    return CONSTANTS + "".join(f"{name} = {value!r}\n" for name, value in values.items())


def main():
    stale = []
    for name, text in (("_enums.py", enums()), ("_constants.py", constants())):
        path = FOLDER / name
        if "--check" not in sys.argv[1:]:
            path.write_text(text)
        elif not path.exists() or path.read_text() != text:
            stale.append(name)
    if stale:
        print(f"{', '.join(stale)}: out of date, run tools/mujoco_names.py")
    return bool(stale)


if __name__ == "__main__":
    sys.exit(main())
