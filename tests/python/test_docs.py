"""The code in the documents runs as written, and every public name of the module is explained.

Python blocks of a page are one script. C blocks of a page are one program: blocks that begin with #include, static or typedef stand at
file scope, the rest is the body of main(); a block with a main() of its own is a program of its own. A block marked `python gpu` needs a GPU.
"""

import importlib.util
import inspect
import os
import re
import subprocess
from pathlib import Path

import corten
import pytest

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", ROOT / "python" / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
BLOCK = re.compile(r"^```(c|python)( gpu)?\n(.*?)^```$", re.MULTILINE | re.DOTALL)
FILE_SCOPE = ("#include", "static ", "typedef ")
FLAGS = ["-std=c17", "-Wall", "-Wextra", "-Wpedantic", "-Werror"]


def blocks(page, language):
    """(needs a GPU, code) of every block of a language; the code starts at its line, for messages."""
    text = page.read_text()
    found = [(bool(m[2]), text.count("\n", 0, m.start(3)), m[3]) for m in BLOCK.finditer(text) if m[1] == language]
    return [(gpu, "\n" * line + code if language == "python" else code) for gpu, line, code in found]


def pages_with(language):
    found = [page for page in PAGES if blocks(page, language)]
    return pytest.mark.parametrize("page", found, ids=[str(page.relative_to(ROOT)) for page in found])


@pytest.fixture
def workplace(tmp_path, monkeypatch):
    """A folder that looks like the repository to a reader who loads models, and where files may be written."""
    (tmp_path / "models").symlink_to(ROOT / "models")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def left_in(workplace):
    """What code of the documents leaves in the checkout of a reader, besides its own programs."""
    return sorted(path.name for path in workplace.iterdir() if path.name != "models" and not path.name.startswith("program"))


def has_gpu():
    model = corten.Model.from_xml_string("<mujoco/>")
    try:
        corten.Batch(model, 1, backend="cuda").close()
    except corten.Error as error:
        if error.status != corten.Status.ERR_UNSUPPORTED:
            raise
        return False
    return True


@pages_with("python")
def test_python_runs(page, workplace, capsys, no_driver):
    names = {}
    for gpu, code in blocks(page, "python"):
        if no_driver and "corten.Renderer" in code:
            continue  # a notice has been given
        if gpu and not has_gpu():
            with capsys.disabled():
                print(f"\nNOTICE: {page.name}: a block that needs a GPU was not run")
            continue
        exec(compile(code, str(page), "exec"), names)
    assert left_in(workplace) == []


def programs(page):
    """The C programs of a page."""
    outside, inside = [], []
    for _, code in blocks(page, "c"):
        if "int main(" in code:
            yield code
        else:
            (outside if code.startswith(FILE_SCOPE) else inside).append(code)
    if inside:
        yield "\n".join([*outside, "int main(void) {", *inside, "return 0;\n}\n"])


def build_with_library():
    """A build of this tree in double precision that has the shared library, None when there is none."""
    given = os.environ.get("CORTEN_BUILD")
    for build in [Path(given)] if given else [ROOT / "build" / "dev", ROOT / "build" / "release"]:
        if (build / "src" / "libcorten.so").exists():
            return build / "src"
    return None


@pages_with("c")
def test_c_compiles_and_runs(page, workplace, capsys):
    library = build_with_library()
    if library is None:
        with capsys.disabled():
            print("\nNOTICE: no libcorten.so in build/dev or build/release: C in the documents was not compiled")
        pytest.skip("no library")
    for i, code in enumerate(programs(page)):
        source, program = workplace / f"program{i}.c", workplace / f"program{i}"
        source.write_text(code)
        include, libs = f"-I{ROOT / 'include'}", [f"-L{library}", "-lcorten", f"-Wl,-rpath,{library}"]
        if "corten/render.h" in code:
            render = library.parent / "render"
            if not (render / "libcorten_render.so").exists():
                with capsys.disabled():
                    print(f"\nNOTICE: {page.name}: a program that draws was not compiled, there is no libcorten_render.so")
                continue
            libs = [f"-L{render}", "-lcorten_render", f"-Wl,-rpath,{render}", *libs]
        made = subprocess.run(["cc", *FLAGS, include, str(source), "-o", str(program), *libs], capture_output=True, text=True)
        assert made.returncode == 0, made.stderr
        ran = subprocess.run([str(program)], capture_output=True, text=True, timeout=60)
        assert ran.returncode == 0, ran.stdout + ran.stderr
        assert ran.stdout, "a program of the documents says something"
    assert left_in(workplace) == []


def test_names_of_the_module_exist():
    """What a page calls corten.something, the module has."""
    bad = []
    for page in PAGES:
        for dotted in re.findall(r"\bcorten((?:\.[A-Za-z]\w*)+)", page.read_text()):
            first = dotted.split(".")[1]
            known = hasattr(corten, first) or importlib.util.find_spec(f"corten.{first}") is not None
            if first not in ("h", "xml", "pc") and not known:
                bad.append(f"{page.relative_to(ROOT)}: corten{dotted}")
    assert not bad


def public_members(cls):
    for name in dir(cls):
        member = inspect.getattr_static(cls, name)
        inherited = any(name in vars(base) for base in (object, int, tuple, BaseException))
        if not name.startswith("_") and not inherited:
            yield name, member


def test_every_public_name_is_explained():
    bad = []
    for name in corten.__all__:
        thing = getattr(corten, name)
        own = vars(thing).get("__doc__") if inspect.isclass(thing) else thing.__doc__  # not that of a base
        if not own:
            bad.append(name)
        if inspect.isclass(thing) and not hasattr(thing, "__members__"):
            bad += [f"{name}.{member}" for member, value in public_members(thing) if not inspect.getdoc(value)]
    assert not bad
