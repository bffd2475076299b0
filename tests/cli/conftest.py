"""Helpers shared by the tests of the command line. CORTEN_BIN names the program to test."""

import os
import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


class Program:
    """The program under test; every call is one run of it."""

    def __init__(self, path):
        self.path = path

    def __call__(self, *args, timeout=60, **options):
        options.setdefault("stdout", subprocess.PIPE)
        options.setdefault("stderr", subprocess.PIPE)
        env = {**os.environ, "LC_ALL": "C", **options.pop("env", {})}
        command = [self.path, *map(str, args)]
        return subprocess.run(command, env=env, text=True, encoding="utf-8", timeout=timeout, **options)


@pytest.fixture(scope="session")
def corten():
    path = os.environ.get("CORTEN_BIN")
    if not path or not os.access(path, os.X_OK):
        pytest.exit("CORTEN_BIN must name the corten program", returncode=2)
    return Program(str(Path(path).resolve()))


@pytest.fixture(scope="session")
def humanoid():
    return ROOT / "models" / "humanoid.xml"


@pytest.fixture
def model(tmp_path):
    """Writes the text of a model to a file and returns its path."""

    def write(text, name="model.xml"):
        path = tmp_path / name
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    return write


def assert_one_error_line(result, path, position=True):
    """Exit code 1, nothing on stdout, one line on stderr: the file, the position where there is one, the message."""
    assert result.returncode == 1, (result.returncode, result.stderr[:2000])
    assert result.stdout == ""
    assert result.stderr.endswith("\n") and result.stderr.count("\n") == 1, result.stderr[:2000]
    assert len(result.stderr) < 2048
    where = re.escape(str(path)) + (r":[1-9]\d*:[1-9]\d*" if position else "")
    assert re.match(where + r": \S", result.stderr), result.stderr
