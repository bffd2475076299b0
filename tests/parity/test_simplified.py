"""Fusing static bodies and discarding what is only seen, on models that do not ask for it."""

import pathlib

import pytest

mujoco = pytest.importorskip("mujoco", reason="the oracle (mujoco wheel) is not installed")

import corten
from compare import NOT_COMPARED, SINGLE, SINGLE_TOLERANCE, _lookup, field_error
from corten._fields import MODEL_FIELDS
from models import gymnasium_models
from test_parity import OWN, SHARED, _public, pending

# what is left out may be the mesh with the largest numbers
TOLERANCE = 1e-9


def _models():
    return [*OWN, *gymnasium_models(), *_public()]


@pytest.mark.parametrize("what", ["fusestatic", "discardvisual"])
@pytest.mark.parametrize("path", _models(), ids=lambda p: p.stem)
def test_simplified_model(path, what):
    try:
        theirs = mujoco.MjSpec.from_file(str(path))
        setattr(theirs.compiler, what, True)
        theirs = theirs.compile()
        ours = corten.Spec.from_xml_path(path)
    except (ValueError, corten.Error):
        pytest.skip("does not load")
    if path.is_relative_to(SHARED) and str(path.relative_to(SHARED)) in pending("model"):
        pytest.skip("pending")
    setattr(ours.compiler, what, "true")
    ours = ours.compile()
    fields = pending("field")
    bad = {}
    for name in (field.name for field in MODEL_FIELDS):
        reference = _lookup(theirs, name)
        if reference is None or name in NOT_COMPARED or name in fields:
            continue
        error, _ = field_error(_lookup(ours, name), reference)
        if error > (SINGLE_TOLERANCE if name in SINGLE else TOLERANCE):
            bad[name] = error
    assert not bad
