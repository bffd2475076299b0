#!/usr/bin/env python3
"""The documents hold together: every page is linked from docs/README.md, every relative link and anchor resolves, every name of the C API
that a page mentions exists, and the reference that tools/docs builds leaves out nothing public.

Needs neither Doxygen nor Sphinx nor a build. tests/python/test_docs.py runs the code in the pages.
"""

import ast
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
PAGES = sorted([*ROOT.glob("*.md"), *DOCS.rglob("*.md"), ROOT / "src" / "README.md", ROOT / "python" / "README.md"])
LINK = re.compile(r"!?\[[^\]]*\]\(([^)\s]+)\)")
FENCE = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)

# Names of the API in text; a prefix of several names ends in an underscore or a star.
C_NAME = re.compile(r"\b(?:ct_[a-z0-9_]*[a-z0-9]|ct[A-Z][A-Za-z]+|CT_[A-Z0-9_]*[A-Z0-9])\b(?!\*|_)")
NOT_THE_API = {"CT_FN", "CT_INLINE", "CT_CONST", "CT_R", "CT_RESTRICT", "CT_TRY", "CT_BARRIER", "CT_WARP_MAX", "CT_UNROLL", "CT_LANES", "CT_TEAM", "CT_TEAM_SYNC", "CT_PLAIN", "CT_PLAIN_NOINLINE", "CT_KERNEL_INLINE", "CT_COLD"}  # words of src/
INTERNAL = {"CT_UPPER", "ctPascal", "ct_noun_verb"}  # patterns in STYLE.md


def anchors(text):
    """What the headings of a page are called in links."""
    headings = re.findall(r"^#+ (.*)$", FENCE.sub("", text), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).strip().replace(" ", "-") for heading in headings}


def links(page):
    """(target as written, file, anchor) of the relative links of a page."""
    for target in LINK.findall(FENCE.sub("", page.read_text())):
        if not re.match(r"[a-z]+:", target):
            path, _, anchor = target.partition("#")
            yield target, (page.parent / path).resolve() if path else page, anchor


def broken_links():
    for page in PAGES:
        for target, file, anchor in links(page):
            if not file.exists():
                yield f"{page.relative_to(ROOT)}: {target} does not exist"
            elif anchor and anchor not in anchors(file.read_text()):
                yield f"{page.relative_to(ROOT)}: {target}: no such heading"


def pages_without_link():
    linked = {file for _, file, _ in links(DOCS / "README.md")}
    for page in DOCS.rglob("*.md"):
        if page != DOCS / "README.md" and page.resolve() not in linked:
            yield f"docs/README.md does not link {page.relative_to(DOCS)}"


def api_words():
    """Every word of the public headers after preprocessing, with the names of macros; in both precisions."""
    words = NOT_THE_API | INTERNAL | {"CT_SINGLE", "CT_STATIC_LIBRARY"}  # the last two are looked at, not defined
    for precision in ("-UCT_SINGLE", "-DCT_SINGLE"):
        command = ["cc", "-E", "-dD", precision, f"-I{ROOT / 'include'}", "-x", "c", "-"]
        made = subprocess.run(command, input="#include <corten/corten.h>\n#include <corten/render.h>\n", capture_output=True, text=True, check=True)
        words |= set(re.findall(r"\w+", made.stdout))
    return words


def unknown_names():
    known = api_words()
    for page in PAGES:
        if page.name == "CHANGELOG.md":  # names what is gone
            continue
        for name in sorted(set(C_NAME.findall(page.read_text())) - known):
            yield f"{page.relative_to(ROOT)}: there is no {name}"


def doxygen_settings():
    text = re.sub(r"\\\n", " ", (ROOT / "tools" / "docs.d" / "Doxyfile").read_text())
    return dict(re.findall(r"^(\w+)\s*=\s*(.*)$", text, re.MULTILINE))


def missing_from_the_c_reference():
    """Doxygen reads every header, and documents what has a comment; tests/gates/documented.py holds that everything has."""
    settings = doxygen_settings()
    inputs = [ROOT / path for path in settings["INPUT"].split()]
    patterns = settings["FILE_PATTERNS"].split()
    read = {file for folder in inputs for pattern in patterns for file in folder.glob(pattern)}
    for header in (ROOT / "include" / "corten").glob("*.h"):
        if header not in read:
            yield f"Doxygen does not read {header.name}"
        elif "/// @file" not in header.read_text():
            yield f"{header.name} has no @file: Doxygen leaves out its functions"
    skipped = {name for key in ("EXCLUDE", "EXCLUDE_SYMBOLS", "EXCLUDE_PATTERNS") for name in settings.get(key, "").split()}
    yield from (f"Doxygen leaves out {name}" for name in sorted(skipped))
    functions = set()
    for header in (ROOT / "include" / "corten").glob("*.h"):
        lines = header.read_text().splitlines()
        for number, line in enumerate(lines):
            if line.startswith("CT_API"):
                name = re.search(r"\b(ct_\w+)\(", " ".join(lines[number : number + 2]))
                functions.add(name[1])
                if not lines[number - 1].startswith("///"):
                    yield f"{header.name}:{number + 1}: {name[1]} has no comment"
    if not functions:
        yield "no CT_API functions were found: this check is out of date"


def missing_from_the_python_reference():
    """Names in __all__ of the package that the page of the reference does not have; enumerations come by themselves."""
    tree = ast.parse((ROOT / "python" / "corten" / "__init__.py").read_text())
    exported = next(
        {item.value for item in node.value.elts if isinstance(item, ast.Constant)}
        for node in tree.body
        if isinstance(node, ast.Assign) and node.targets[0].id == "__all__"
    )
    page = (ROOT / "tools" / "docs.d" / "python.rst").read_text()
    listed = set(re.findall(r"^\.\. auto\w+:: (\w+)$", page, re.MULTILINE))
    yield from (f"tools/docs.d/python.rst lacks {name}" for name in sorted(exported - listed))
    yield from (f"tools/docs.d/python.rst has {name}, which is not public" for name in sorted(listed - exported))


def main():
    checks = (broken_links, pages_without_link, unknown_names, missing_from_the_c_reference, missing_from_the_python_reference)
    bad = [line for check in checks for line in check()]
    for line in bad:
        print(line)
    if not bad:
        print(f"{len(PAGES)} pages, {sum(1 for page in PAGES for _ in links(page))} links")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
