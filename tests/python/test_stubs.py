"""The type stubs say what the module has."""

import importlib.util
from pathlib import Path

import corten
import pytest

TOOL = Path(__file__).parents[2] / "tools" / "stubs.py"


@pytest.fixture(scope="module")
def stubs():
    spec = importlib.util.spec_from_file_location("stubs", TOOL)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_stubs_are_up_to_date(stubs):
    if corten._core.real != "d":
        pytest.skip("the stubs are those of the double build")
    assert stubs.STUB.read_text() == stubs.render(), "run tools/stubs.py"


def test_the_stubs_are_python(stubs):
    compile(stubs.STUB.read_text(), "__init__.pyi", "exec")


def test_every_public_name_is_in_the_stubs(stubs):
    text = stubs.STUB.read_text()
    for name in corten.__all__:
        assert f"class {name}" in text or f"def {name}(" in text, name
