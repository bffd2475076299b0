#!/usr/bin/env python3
"""Write include/corten/single.h: the link name in single precision of every public function.

tools/single.py            write it
tools/single.py --check    exit 1 when it is out of date
"""

import re
import sys
from pathlib import Path

HEADERS = Path(__file__).resolve().parents[1] / "include" / "corten"
OUT = HEADERS / "single.h"

HEAD = """\
/// @file
/// Link names of the library in single precision, so that a program that was compiled for the other precision
/// does not link. Included by base.h when CT_SINGLE is defined; written by tools/single.py.
#pragma once

// clang-format off
"""


def public_functions():
    """Names of all functions that the headers declare with CT_API, sorted."""
    text = "".join(path.read_text() for path in sorted(HEADERS.glob("*.h")))
    return sorted(set(re.findall(r"^CT_API\b[^;(]*?\b(ct_\w+)\(", text, re.MULTILINE)))


def main():
    names = public_functions()
    width = max(map(len, names))
    text = HEAD + "".join(f"#define {name:{width}} {name}_single\n" for name in names) + "// clang-format on\n"
    if "--check" not in sys.argv[1:]:
        OUT.write_text(text)
    elif not OUT.exists() or OUT.read_text() != text:
        print("include/corten/single.h is out of date: run tools/single.py")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
