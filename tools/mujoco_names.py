#!/usr/bin/env python3
"""Write the tables of corten.mujoco and of corten/mujoco.h that are facts about MuJoCo: enumerations and constants.

python tools/mujoco_names.py          write them, with the mujoco wheel installed
python tools/mujoco_names.py --check  exit 1 when they are out of date
"""

import sys
import textwrap
from pathlib import Path

import mujoco

ROOT = Path(__file__).resolve().parents[1]
FOLDER = ROOT / "python" / "corten" / "mujoco"
HEADER = ROOT / "include" / "corten" / "mujoco_enums.h"

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


C_HEAD = """\
/// @file
/// Enumerations and constants of MuJoCo 4.0, by their names and values. Included by corten/mujoco.h; written
/// by tools/mujoco_names.py.
#pragma once

// clang-format off
"""


def c_enums():
    text = C_HEAD
    drawing = ("mjr", "mjtButton", "mjtEvent", "mjtItem", "mjtSection", "mjtFont", "mjtGridPos", "mjtFramebuffer", "mjtDepthMap")
    for name, kind in sorted(vars(mujoco).items()):
        if hasattr(kind, "__members__") and not name.startswith(drawing):
            members = ", ".join(f"{key} = {int(value)}" for key, value in kind.__members__.items())
            lines = textwrap.wrap(members, 106, break_long_words=False, initial_indent="  ", subsequent_indent="  ")
            text += f"/// As there.\ntypedef enum {name}_ {{\n" + "\n".join(lines) + f"\n}} {name};\n"
    numbers = {name: value for name, value in sorted(vars(mujoco).items())
               if name.startswith("mj") and isinstance(value, (int, float)) and not hasattr(value, "__members__")}  # fmt: skip
    known = ("mjMINVAL", "mjMAXVAL")
    text += "".join(f"#define {name} {value!r}\n" for name, value in numbers.items() if name not in known)
    quoted = lambda part: '"' + part.replace("\\", "\\\\").replace('"', '\\"') + '"'
    for name, value in sorted(vars(mujoco).items()):
        if not name.endswith("STRING"):
            continue
        rows = [f"{{{', '.join(map(quoted, row))}}}" if isinstance(row, tuple) else quoted(row) for row in value]
        lines = [f"  {row}," for row in rows]
        size = f"[{len(value)}][3]" if isinstance(value[0], tuple) else f"[{len(value)}]"
        text += f"/// As there.\nstatic const char* const {name}{size} = {{\n" + "\n".join(lines) + "\n};\n"
    return text + "// clang-format on\n"


def main():
    stale = []
    for path, text in ((FOLDER / "_enums.py", enums()), (FOLDER / "_constants.py", constants()), (HEADER, c_enums())):
        name = path.name
        if "--check" not in sys.argv[1:]:
            path.write_text(text)
        elif not path.exists() or path.read_text() != text:
            stale.append(name)
    if stale:
        print(f"{', '.join(stale)}: out of date, run tools/mujoco_names.py")
    return bool(stale)


if __name__ == "__main__":
    sys.exit(main())
