"""The program that comes with the package: python -m corten is it."""

import pathlib
import subprocess
import sys

import corten
import pytest

program = pathlib.Path(corten.__file__).with_name("corten-program")


def command(*line, **options):
    return subprocess.run([sys.executable, "-m", "corten", *line], capture_output=True, text=True, **options)


@pytest.mark.skipif(not program.exists(), reason="the program was not built")
def test_module_runs_the_program():
    assert command("-V").stdout == f"corten {corten.__version__}\n"
    assert command("check", "-", input="<mujoco/>").stdout.startswith("ok  <stdin>")
    result = command("rum")
    assert result.returncode == 2 and "did you mean 'run'?" in result.stderr


@pytest.mark.skipif(program.exists(), reason="the program was built")
def test_a_package_without_the_program_says_so():
    result = command("-V")
    assert result.returncode == 1 and "without the command-line program" in result.stderr
