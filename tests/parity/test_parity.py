"""The live oracle: every field of model and data equals MuJoCo's, on our own models, random ones, and public ones."""

import pathlib

import pytest

mujoco = pytest.importorskip("mujoco", reason="the oracle (mujoco wheel) is not installed")

import corten
from compare import ORACLE_VERSION, Pair
from constrained import constrained_model
from generate import random_model
from models import gymnasium_models
from pending import KINDS, entries, lines, settle

ROOT = pathlib.Path(__file__).resolve().parents[2]
OWN = sorted((ROOT / "tests" / "models").rglob("*.xml")) + sorted((ROOT / "models").glob("*.xml"))
SHARED = ROOT.parent / "shared" / "models"

pytestmark = pytest.mark.skipif(corten._core.real != "d", reason="the oracle computes in double")

# Beyond, a hundred steps take seconds.
MOST_DOFS = 150


def public():
    # deformables have comparisons of their own (test_flex_*.py): strain modes are compared as spaces, what only makes the oracle
    # faster (efm0_*, efmC_perm) not at all, and the oracle cannot change the numbers of such models
    return sorted(p for p in SHARED.rglob("*.xml") if "<flex" not in p.read_text()) if SHARED.is_dir() else []


def name_of(path):
    """As pending.txt has it."""
    if path.is_relative_to(SHARED):
        return str(path.relative_to(SHARED))
    return str(path.relative_to(ROOT)) if path.is_relative_to(ROOT) else "gymnasium/" + path.name


def test_oracle_is_the_pinned_version():
    assert mujoco.__version__ == ORACLE_VERSION


def test_pending_names_models_that_are_there():
    names = {name_of(path) for path in [*OWN, *public(), *gymnasium_models()]}
    for kind, name, *_ in lines():
        assert kind in KINDS
        # a model that is not at hand cannot be tried
        assert name in names or not SHARED.is_dir(), f"{name} is not there. Remove it from pending.txt"


def check_file(path, states):
    name = name_of(path)
    if name in entries("model"):
        with pytest.raises(corten.Error):
            corten.Model.from_xml_path(str(path))
            pytest.fail(f"{name} loads now. Remove it from pending.txt")
        return
    pair = Pair(path)
    settle("compile", name, pair.compare_model())
    if name in entries("compile"):
        return  # another model moves in another way
    pair.tighten()
    rows = pair.compare_runs(states=states)
    if 0 < pair.oracle_model.nv <= MOST_DOFS:
        rows += pair.compare_one_step() + (pair.compare_steps() or [])
    settle("run", name, rows)


@pytest.mark.parametrize("path", OWN, ids=lambda p: p.stem)
def test_own_model(path):
    check_file(path, states=5)


@pytest.mark.parametrize("block", range(10))
def test_random_models(block):
    for seed in range(20 * block, 20 * block + 20):
        pair = Pair(random_model(seed))
        settle("random", f"random model {seed}", pair.compare_model() + pair.compare_runs(seed=seed, states=1))


@pytest.mark.parametrize("block", range(5))
def test_random_constraints(block):
    for seed in range(10 * block, 10 * block + 10):
        pair = Pair(constrained_model(seed))
        pair.tighten()
        settle("random", f"constrained model {seed}", pair.compare_model() + pair.compare_one_step(seed, steps=30))


@pytest.mark.skipif(not SHARED.is_dir(), reason="no public models beside the project")
@pytest.mark.parametrize("path", public(), ids=lambda p: str(p.relative_to(SHARED)))
def test_public_model(path):
    try:
        mujoco.MjModel.from_xml_path(str(path))
    except ValueError:
        pytest.skip("the oracle does not load it either")
    check_file(path, states=2)


@pytest.mark.parametrize("path", gymnasium_models(), ids=lambda p: p.stem)
def test_gymnasium_model(path):
    check_file(path, states=2)
