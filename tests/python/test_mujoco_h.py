"""corten/mujoco.h: programs written for MuJoCo in C and C++ print the same with it as with MuJoCo's own headers and library."""

import pathlib
import re
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).parent.parent.parent
SAMPLES = ROOT / "examples" / "mujoco"
PROGRAMS = pathlib.Path(__file__).parent / "mujoco_h"
MODEL = ROOT / "models" / "humanoid.xml"


def library():
    found = [path for kind in ("dev", "release") for path in (ROOT / "build" / kind).glob("**/libcorten.so")]
    if not found:
        pytest.skip("no libcorten.so in build/dev or build/release")
    return found[0].parent


def compile_with(source, program, flags):
    compiler = ["g++", "-std=c++17"] if source.suffix == ".cc" else ["cc", "-std=gnu17"]
    done = subprocess.run([*compiler, "-O1", str(source), "-o", str(program), *flags, "-lpthread", "-lm"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


@pytest.fixture
def flags():
    """Those of a compiler, for our headers and for MuJoCo's."""
    mujoco = pytest.importorskip("mujoco", reason="the mujoco wheel is not installed")
    wheel = pathlib.Path(mujoco.__file__).parent
    theirs = [f"-I{wheel / 'include'}", str(next(wheel.glob("libmujoco.so.*"))), f"-Wl,-rpath,{wheel}"]
    ours = ["-Wall", "-Wextra", "-Werror", f"-I{ROOT / 'include'}", f"-I{ROOT / 'include' / 'corten' / 'compat'}", f"-L{library()}",
            "-lcorten", f"-Wl,-rpath,{library()}"]  # fmt: skip
    return ours, theirs


@pytest.fixture
def build(flags, tmp_path):
    """Both programs of a sample."""

    def both(name):
        programs = tmp_path / "ours", tmp_path / "theirs"
        for program, own in zip(programs, flags):
            compile_with(SAMPLES / name, program, own)
        return programs

    return both


def run(program, *arguments):
    done = subprocess.run([str(program), *map(str, arguments)], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def numbers(text):
    return [float(word) for word in re.findall(r"-?\d+\.?\d*(?:e[+-]?\d+)?", text)]


@pytest.mark.parametrize("name, arguments", [("basic.c", [MODEL, 0.1]), ("record.c", []), ("derivative.cc", [MODEL]),
                                             ("elements.c", [MODEL]), ("build.c", [])])  # fmt: skip
def test_the_same_output(build, name, arguments):
    ours, theirs = build(name)
    mine, other = run(ours, *arguments), run(theirs, *arguments)
    assert numbers(mine) == pytest.approx(numbers(other), rel=1e-3, abs=2e-6) and len(numbers(mine)) > 1


def test_every_function_is_there_or_explained():
    pytest.importorskip("mujoco", reason="the mujoco wheel is not installed")
    done = subprocess.run([sys.executable, str(ROOT / "tools" / "mujoco_h_names.py"), "--check"], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def words(text):
    return re.sub(r"-?\d+\.?\d*(?:e[+-]?\d+)?", "#", text).split()


@pytest.mark.parametrize("language", [".c", ".cc"])
@pytest.mark.parametrize("name", ["matrices", "defaults", "actuators", "spec", "more", "log", "returns"])
def test_functions_answer_the_same(build, tmp_path, name, language):
    source = tmp_path / f"{name}{language}"
    source.write_text((PROGRAMS / f"{name}.c").read_text())
    ours, theirs = build(source)
    mine, other = run(ours), run(theirs)
    assert words(mine) == words(other)
    assert numbers(mine) == pytest.approx(numbers(other), rel=1e-4, abs=1e-6) and len(numbers(mine)) > 20


LISTS = """\
name made 4
box 1 0
vertices 4 faces 4
tet mesh 4 4 geom 1 5 3 material 0 texture 20 220
tuple 1 1 2.5 numbers 1 9 text some words key 0.5 0.5
sum 14 of 4
left 0 said 2 40
"""


def test_texts_and_lists_in_cpp(flags, tmp_path):
    # MuJoCo's library has containers of another C++ library, so that only its headers can judge the program
    ours, theirs = flags
    compile_with(PROGRAMS / "lists.cc", tmp_path / "theirs.o", ["-c", *(flag for flag in theirs if flag.startswith("-I"))])
    compile_with(PROGRAMS / "lists.cc", tmp_path / "ours", ours)
    assert run(tmp_path / "ours") == LISTS


def test_a_model_built_by_code_in_cpp(build, tmp_path):
    source = tmp_path / "build.cc"
    source.write_text((SAMPLES / "build.c").read_text())
    ours, theirs = build(source)
    assert numbers(run(ours)) == pytest.approx(numbers(run(theirs)), rel=1e-3, abs=2e-6)


def test_threads_and_timers(build):
    ours, theirs = build("testspeed.c")
    for program in (ours, theirs):
        assert "steps counted: 100" in run(program, MODEL, 100, 3)


def test_models_go_both_ways(build, tmp_path):
    ours, theirs = build("compile.c")
    first = run(ours, MODEL, tmp_path / "ours.mjb")
    assert first == run(theirs, MODEL, tmp_path / "theirs.mjb")
    assert first == run(theirs, tmp_path / "ours.mjb", tmp_path / "a.txt") == run(ours, tmp_path / "theirs.mjb", tmp_path / "b.xml")


def test_errors_end_the_program(build, tmp_path):
    ours, _ = build("testspeed.c")
    done = subprocess.run([str(ours), str(tmp_path / "nothing.xml")], capture_output=True, text=True)
    assert done.returncode == 1 and "there is no such file" in done.stderr
