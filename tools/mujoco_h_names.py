#!/usr/bin/env python3
"""Hold corten/mujoco.h against MuJoCo's header, function by function, and write docs/mujoco-h.md.

tools/mujoco_h_names.py          write it, with the mujoco wheel installed and a C compiler
tools/mujoco_h_names.py --check  exit 1 when it is out of date, or a function is neither there nor explained
"""

import fnmatch
import re
import subprocess
import sys
from pathlib import Path

import mujoco

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "mujoco-h.md"

_DRAWING = "scenes and pictures are `ctScene` and `ctRenderer` (corten/scene.h, corten/render.h), windows `corten/viewer.h`"
_PLUGIN = "plugins and decoders are handed to the loader: `ctLoadOptions`, `ct_plugin_library_open`; those that come with MuJoCo are built in"
_RESOURCE = "files are on the disk or in an `mjVFS`; there are no other providers"
_COPIED = "what is attached is copied, and belongs to the spec that it is in"

# by name or pattern: what differs
THIN = {
    "mj_recompile": "a macro: the variables `m` and `d` are given the new model and data, other pointers to the old ones are void",
    "mj_copyModel": "into a new model only",
    "mj_setState": "refuses numbers that are not finite",
    "mj_saveLastXML": "the model as it was compiled, not the text that was loaded",
    "mj_freeLastXML": "nothing is kept",
    "mj_parse": "kinds of files are told apart by their content",
    "mj_encode": "`.xml`, `.mjb` and `.ctb`",
    "mj_*Cache*": "nothing is kept: files are read when a model is compiled",
    "mj_projectConstraint": "nothing: mj_makeConstraint() has done it",
    "mj_inverseSkip": "not with the flag invdiscrete",
    "mj_solveM2": "the diagonal is the engine's own, not `sqrtInvD`",
    "mj_multiRay": "nothing beyond `cutoff` is seen; MuJoCo sees planes also there",
    "mj_addContact": "behind mj_collision() and before mj_makeConstraint()",
    "mj_markStack": "memory of the thread, from the heap",
    "mj_freeStack": "memory of the thread, from the heap",
    "mj_stackAlloc*": "memory of the thread, from the heap",
    "mj_print*Model": "in another format; numbers are written as they are",
    "mj_print*Data": "in another format; numbers are written as they are",
    "mj_resetDataDebug": "fills arrays of reals",
    "mj_setLengthRange": "only limits, equalities and the pull act, whatever the options of the model say",
    "mjv_copyData": "copies everything",
    "mju_eig3": "eigenvectors may point the other way; returns its own count of rotations",
    "mju_warningText": "own words for a full arena and a singular inertia",
    "mju_*LogConfig": "no file is written until a program asks for one",
    "mjs_attach": _COPIED,
    "mjs_setDeepCopy": _COPIED,
    "mjs_getTimer": "the time of the whole compilation only",
    "mjs_isWarning": "remarks of this compiler",
    "mjs_numWarnings": "remarks of this compiler",
    "mjs_getWarning": "remarks of this compiler",
    "mjs_makeFlex": "`equality` 2, of vertices, is refused",
    "mjs_*PluginAttributes": "in C++ only: they are a std::map",
    "mjs_activatePlugin": "plugins that are built in",
}
# by name or pattern: what is not there, and what there is instead
ABSENT = {
    "mj_print*Scene": _DRAWING,
    "mjv_*": _DRAWING,
    "mjr_*": _DRAWING,
    "mjui_*": "`corten/viewer.h` has its own panel",
    "mjp_*": _PLUGIN,
    "mj_load*Plugin*": _PLUGIN,
    "mjc_*": "distance fields are asked by the collider only",
    "mju_*Resource*": _RESOURCE,
    "mj_*mountVFS": _RESOURCE,
    "mju_getXMLDependencies": "`ct_spec_load` names a file that it does not find",
    "mj_copyBack": "`ct_spec_from_model` gives a spec of any model",
    "mj_maxContact": "the arena grows: no number of contacts is assumed",
    "mj_printSchema": "docs/mjcf.md",
    "mjs_getOriginSpec": _COPIED,
    "mjs_findSpec": _COPIED,
}
GROUPS = {"mj": "models, data, steps, queries", "mjs": "models built by code", "mju": "mathematics, messages", "mjd": "derivatives",
          "mjv": "scenes", "mjr": "drawing", "mjui": "widgets", "mjp": "plugins", "mjc": "distance fields"}  # fmt: skip


def theirs():
    """The functions of MuJoCo's header, in its order."""
    text = re.sub(r"//[^\n]*", "", (Path(mujoco.__file__).parent / "include" / "mujoco" / "mujoco.h").read_text())
    return re.findall(r"^MJAPI\s+(?!extern)[^;]*?\b(mj\w+)\s*\([^;]*?\);", text, re.MULTILINE | re.DOTALL)


def ours():
    """The functions and macros of corten/mujoco.h, in C and C++."""
    names = set()
    for language in ("c", "c++"):
        flags = ["-x", language, "-E", f"-I{ROOT / 'include'}", "-"]
        for more in ([], ["-dM"]):
            text = subprocess.run(["cc", *more, *flags], input="#include <corten/mujoco.h>\n", capture_output=True, text=True, check=True).stdout
            names |= set(re.findall(r"#define (mj\w+)" if more else r"\b(mj\w+)\s*\([^;{}]*\)\s*\{", text))
    return names


def why(name, table):
    """What a table says of a name, None when it says nothing."""
    return table.get(name) or next((text for pattern, text in table.items() if fnmatch.fnmatchcase(name, pattern)), None)


def names():
    """{name: ("same", ""), ("thin", what differs), or ("absent", why)}, with None where nothing is said."""
    here, table = ours(), {}
    for name in theirs():
        if name not in here:
            table[name] = ("absent", why(name, ABSENT))
        else:
            text = why(name, THIN)
            table[name] = ("thin", text) if text else ("same", "")
    return table


def rows(table, state):
    """Functions of a state with one reason, together."""
    together = {}
    for name, (kind, text) in table.items():
        if kind == state:
            together.setdefault(text, []).append(name)
    return "".join(f"| {', '.join(f'`{name}`' for name in found)} | {text} |\n" for text, found in together.items())


def page(table):
    count = lambda group, state: sum(name.split("_")[0] == group and kind == state for name, (kind, _) in table.items())
    total = {state: sum(kind == state for kind, _ in table.values()) for state in ("same", "thin", "absent")}
    text = f"""# MuJoCo's C functions, one by one

`corten/mujoco.h` against the header of MuJoCo 4.0: of its {len(table)} functions {total["same"]} are there, {total["thin"]} more differ in what the second table says, and
{total["absent"]} are absent: a source that uses one does not compile. Written by `tools/mujoco_h_names.py`; [from-mujoco.md](from-mujoco.md) is the introduction.

| functions | | there | thin | absent |
| --- | --- | --- | --- | --- |
"""
    for group, what in GROUPS.items():
        text += f"| `{group}_*` | {what} | {' | '.join(str(count(group, state)) for state in total)} |\n"
    text += "\n## Thin\n\n| functions | what differs |\n| --- | --- |\n" + rows(table, "thin")
    return text + "\n## Absent\n\n| functions | instead |\n| --- | --- |\n" + rows(table, "absent")


def main():
    table = names()
    unsaid = [name for name, (state, text) in table.items() if state == "absent" and not text]
    if unsaid:
        print(f"neither there nor explained: {', '.join(unsaid)}")
        return 1
    text = page(table)
    if "--check" not in sys.argv[1:]:
        PAGE.write_text(text)
    elif not PAGE.exists() or PAGE.read_text() != text:
        print(f"{PAGE.name}: out of date, run tools/mujoco_h_names.py")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
