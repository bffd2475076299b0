"""What is written means the same to the oracle."""

import pathlib

import pytest

mujoco = pytest.importorskip("mujoco", reason="the oracle (mujoco wheel) is not installed")

import corten
import numpy as np
from compare import field_error, vector_error
from constrained import constrained_model
from corten._fields import MODEL_FIELDS
from generate import random_model

ROOT = pathlib.Path(__file__).resolve().parents[2]
OWN = sorted((ROOT / "tests" / "models").rglob("*.xml")) + sorted((ROOT / "models").glob("*.xml"))
NOT_COMPARED = {"nbuffer", "narena", "npaths", "paths", "hfield_pathadr", "mesh_pathadr", "tex_pathadr", "tex_contenttypeadr"}


@pytest.mark.parametrize("path", OWN, ids=lambda p: p.stem)
def test_the_oracle_reads_the_same_model(path):
    theirs = mujoco.MjModel.from_xml_path(str(path))
    written = mujoco.MjModel.from_xml_string(corten.Spec.from_xml_path(path).to_xml(folder=""))
    for name in (field.name for field in MODEL_FIELDS):
        if "." in name or name in NOT_COMPARED or not hasattr(theirs, name):
            continue
        a, b = getattr(theirs, name), getattr(written, name)
        if isinstance(a, bytes):
            assert a == b, name
        else:
            np.testing.assert_allclose(a, b, rtol=1e-12, atol=1e-14, err_msg=name)


# As in tests/python/test_decompile.py: a model keeps vertices in single precision, and rounding numbers hulls and trees.
SINGLE = {"mesh_vert", "mesh_normal", "mesh_pos", "mesh_quat", "geom_size", "geom_aabb", "geom_rbound", "bvh_aabb", "dof_length", "skin_bonevertweight"}
HULL = ("mesh_graph", "mesh_extrema", "mesh_poly", "nmeshgraph", "nmeshpoly")
TREE = ("bvh_nodeid", "bvh_aabb")


def check_compiled(theirs, model):
    spec = corten.Spec.from_model(model)
    written = mujoco.MjModel.from_xml_string(spec.to_xml(), assets=spec.assets)
    hull = any("its hull" in line for line in spec.remarks)
    for name in (field.name for field in MODEL_FIELDS):
        if "." in name or name in NOT_COMPARED or not hasattr(theirs, name):
            continue
        if (hull and name.startswith(HULL)) or (theirs.nmesh > 0 and name in TREE):
            continue
        a, b = getattr(theirs, name), getattr(written, name)
        if isinstance(a, bytes):
            assert a == b, name
            continue
        # a vertex is a float where the file has it, and another where the mesh has been centred: what differs is the rounding of
        # the largest coordinate
        single = name in SINGLE or name == "mesh_polynormal"
        error, note = (vector_error if single else field_error)(b, a)
        assert error <= (1e-6 if single else 1e-9), (name, error, note)


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize("path", OWN, ids=lambda p: p.stem)
def test_the_oracle_reads_a_compiled_model(path):
    check_compiled(mujoco.MjModel.from_xml_path(str(path)), corten.Model.from_xml_path(path))


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize("make", [random_model, constrained_model])
@pytest.mark.parametrize("seed", range(20))
def test_the_oracle_reads_compiled_random_models(make, seed):
    text = make(seed)
    check_compiled(mujoco.MjModel.from_xml_string(text), corten.Model.from_xml_string(text))
