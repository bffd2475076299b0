"""Fusing static bodies and discarding what is only seen, on models that do not ask for it."""

import pytest

mujoco = pytest.importorskip("mujoco", reason="the oracle (mujoco wheel) is not installed")

import corten
from compare import compare_models
from models import gymnasium_models
from pending import entries, settle
from test_parity import OWN, name_of, public


@pytest.mark.parametrize("what", ["fusestatic", "discardvisual"])
@pytest.mark.parametrize("path", [*OWN, *gymnasium_models(), *public()], ids=lambda p: p.stem)
def test_simplified_model(path, what):
    def make_spec():
        spec = mujoco.MjSpec.from_file(str(path))
        setattr(spec.compiler, what, True)
        return spec

    try:
        theirs = make_spec().compile()
    except ValueError:
        pytest.skip("the oracle does not load it either")
    name = name_of(path)
    if name in entries("model"):
        pytest.skip("pending: test_parity.py tries it")
    ours = corten.Spec.from_xml_path(path)
    setattr(ours.compiler, what, "true")
    settle("compile", name, compare_models(ours.compile(), theirs, what, make_spec))
