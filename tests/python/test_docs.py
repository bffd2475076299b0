"""The Python of the documents runs as written."""

import re
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[2] / "docs"


@pytest.mark.parametrize("name", ["batch.md"])
def test_examples_run(name, capsys):
    blocks = re.findall(r"^```python\n(.*?)^```", (DOCS / name).read_text(), re.MULTILINE | re.DOTALL)
    assert blocks
    names = {}
    for block in blocks:
        exec(compile(block, name, "exec"), names)
    assert "1000 worlds on" in capsys.readouterr().out
