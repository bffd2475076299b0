#!/usr/bin/env python3
"""Write what follows from the field lists: the struct members of the public headers and docs/fields.md.

tools/members.py            write them
tools/members.py --check    exit 1 and name the files that are out of date

A header holds the members of a list between two lines,

  // members of fields/model.def, by tools/members.py
  // end of members

which also switch clang-format off and on.
"""

import re
import sys
import textwrap
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
INCLUDE = ROOT / "include" / "corten"
PAGE = ROOT / "docs" / "fields.md"
HEADERS = ("model.h", "data.h", "types.h")
WIDTH = 110

# The lists in the order of the page, with what their fields are called in C.
LISTS = {
    "model_sizes": ("Sizes of a model", "m->{}"),
    "model_scalars": ("Flags of a model", "m->{}"),
    "option": ("Options", "m->opt.{}"),
    "model": ("Arrays of a model", "m->{}"),
    "statistic": ("Statistics", "m->stat.{}"),
    "visual": ("Drawing", "m->vis.{}"),
    "data_scalars": ("Scalars of a data", "d->{}"),
    "data_sizes": ("Sizes of a data", "d->{}"),
    "data": ("Arrays of a data", "d->{}"),
    "data_arena": ("Arrays in the arena of a data", "d->{}"),
}


class Field(NamedTuple):
    group: str  # of drawing settings, else ""
    type: str
    name: str
    shape: tuple[str, ...]  # rows and columns of an array, count of a short one, nothing for a scalar
    pointer: bool  # an array behind a pointer
    doc: str


class Section(NamedTuple):
    title: str
    fields: list[Field]


def parse_field(line, where):
    """X(...) of any list: the number of arguments says which."""
    match = re.fullmatch(r'X\((.*), "([^"]+)"\)', line)
    if not match:
        raise SystemExit(f"{where}: a field is X(..., \"description\"), not {line}")
    words, doc = [word.strip() for word in match[1].split(",")], match[2]
    group = words.pop(0) if words[0] in ("global", "quality", "headlight", "map", "scale", "rgba") else ""
    type_, name, *shape = words
    pointer = len(shape) >= 2
    shape = shape[:2]  # behind them: the group of an arena array
    if shape and shape[-1] == "1":
        shape.pop()
    return Field(group, type_, name, tuple(shape), pointer, doc)


def read_list(name):
    """The sections of a list. A comment before fields is the title of a section; the first of a file is not."""
    sections, title, path = [], None, INCLUDE / "fields" / f"{name}.def"
    blocks = path.read_text().split("\n\n")
    for number, block in enumerate(blocks):
        lines = block.strip().split("\n")
        title = " ".join(line[2:].strip() for line in lines if line.startswith("//"))
        fields = [parse_field(line, path.name) for line in lines if line.startswith("X(")]
        if fields:
            sections.append(Section("" if number == 0 else title, fields))
    return sections


# ---- headers -------------------------------------------------------------------------------------------------


def declaration(field):
    if field.pointer:
        return f"{field.type}* {field.name};"
    return f"{field.type} {field.name}{f'[{field.shape[0]}]' if field.shape else ''};"


def members(sections, indent="  "):
    """The members of a list, each with its description behind it."""
    lines = []
    for section in sections:
        group = section.fields[0].group
        if section.title and not group:
            lines += [f"{indent}// {section.title}"]
        if group:
            lines += [f"{indent}struct {{"]
        inner = indent + ("  " if group else "")
        column = max(len(declaration(field)) for field in section.fields) + 2
        for field in section.fields:
            shape = f"[{' x '.join(field.shape)}] " if field.pointer else ""
            texts = textwrap.wrap(shape + field.doc, WIDTH - len(inner) - column - 5, break_long_words=False,
                                  break_on_hyphens=False)
            lines += [f"{inner}{declaration(field):<{column}}///< {texts[0]}"]
            lines += [f"{inner}{'':<{column}}///< {text}" for text in texts[1:]]
        if group:
            lines += [f"{indent}}} {group};  ///< {section.title}"]
        lines.append("")
    return "\n".join(lines[:-1]) + "\n"


REGION = re.compile(
    r"(  // members of fields/(\w+)\.def, by tools/members\.py\n  // clang-format off\n)(.*?)"
    r"(  // clang-format on\n  // end of members\n)", re.S)


def header(path):
    return REGION.sub(lambda m: m[1] + members(read_list(m[2])) + m[4], path.read_text())


# ---- the page ------------------------------------------------------------------------------------------------

INTRO = """\
# Fields

Made by `tools/members.py` from the lists in `include/corten/fields/`: do not edit.

Every number of a model and of a data. Names, shapes and meaning are MuJoCo's; what is Corten's own (callbacks, clock, noise, threads, growth of the arena)
stands in `corten/model.h` and `corten/data.h` beside these members. In C the fields are members of `ctModel` and `ctData`, and found by name
with `ct_model_field()` and `ct_data_field()`; in Python they are attributes of `corten.Model` and `corten.Data`; on the command line
`corten info --fields` lists them. Shapes are in sizes of the model and of the data. Units are SI with radians; quaternions are w x y z;
matrices are stored row by row; an id of -1 means none. A reference (`solref`) is a time constant and a damping ratio, or stiffness and damping with a
minus sign; an impedance (`solimp`) is its value at distance 0 and at `width`, the width, and midpoint and power of the curve between.
"""


def row(field, spelling):
    name = spelling.format(f"{field.group}.{field.name}" if field.group else field.name)
    shape = " x ".join(field.shape).replace(" * ", "*")
    return f"| `{name}` | {field.type} | {shape} | {field.doc.replace('|', chr(92) + '|')} |"


def page():
    lines = [INTRO]
    for name, (title, spelling) in LISTS.items():
        lines += [f"## {title}", ""]
        for section in read_list(name):
            if section.title:
                lines += [f"### {section.title[0].upper()}{section.title[1:]}", ""]
            lines += ["| name | type | shape | description |", "| --- | --- | --- | --- |"]
            lines += [*(row(field, spelling) for field in section.fields), ""]
    return "\n".join(lines)


def main():
    wanted = {INCLUDE / name: header(INCLUDE / name) for name in HEADERS} | {PAGE: page()}
    stale = [path for path, text in wanted.items() if not path.exists() or path.read_text() != text]
    if "--check" in sys.argv[1:]:
        for path in stale:
            print(f"{path.relative_to(ROOT)} is not what the field lists say: run tools/members.py")
        return 1 if stale else 0
    for path in stale:
        path.write_text(wanted[path])
    return 0


if __name__ == "__main__":
    sys.exit(main())
