#!/usr/bin/env python3
"""Everything public is explained: types, their members, enumerators and calls in include/corten/*.h.

Each has a comment of its own for Doxygen (/// before or ///< behind). Enumerators that a list CT_*_LIST makes share that of their enumeration, and counts (CT_*_COUNT) need none.
"""

import re
import sys
from pathlib import Path

# mujoco*.h have MuJoCo's names, which its manual explains, and code of inline functions
HEADERS = sorted(
    path for path in (Path(__file__).resolve().parents[2] / "include" / "corten").glob("*.h") if not path.name.startswith("mujoco")
)
NEEDS_NONE = re.compile(r"CT_\w+_LIST\(|CT_\w+_COUNT\b|struct( \w+;| \{)|\}|extern \"C\"|static inline")


def undocumented(lines):
    """Numbers of the lines on which something begins that has no comment."""
    explained = False  # a comment stands before what comes next
    begins = True  # the next line of code begins a declaration
    open_brackets = 0  # of a call that goes on over several lines
    macro = False  # in a #define of several lines
    for number, line in enumerate(lines, 1):
        text = line.strip()
        code = text.partition("//")[0].strip()
        if macro or text.startswith("#"):
            macro = text.endswith("\\")
        elif text.startswith("///"):
            explained = True
        elif not code:
            explained = False
        else:
            if begins and not (explained or "///<" in text or NEEDS_NONE.match(code)):
                yield number
            open_brackets += code.count("(") - code.count(")")
            begins = open_brackets == 0 and code.endswith((";", ",", "{"))
            explained = explained and not begins


def main():
    bad = [
        f"{path.name}:{number}: {lines[number - 1].strip()}"
        for path in HEADERS
        for lines in [path.read_text().splitlines()]
        for number in undocumented(lines)
    ]
    for line in bad:
        print(f"no comment: {line}")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
