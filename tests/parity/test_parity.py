"""The live oracle: every field of model and data equals MuJoCo's, on our own models, random ones, and public ones."""

import pathlib

import pytest

mujoco = pytest.importorskip("mujoco", reason="the oracle (mujoco wheel) is not installed")

import corten
from compare import ORACLE_VERSION, Pair
from generate import random_model
from models import gymnasium_models

ROOT = pathlib.Path(__file__).resolve().parents[2]
OWN = sorted((ROOT / "tests" / "models").rglob("*.xml")) + sorted((ROOT / "models").glob("*.xml"))
SHARED = ROOT.parent / "shared" / "models"
PENDING = ROOT / "tests" / "parity" / "pending.txt"


def pending(kind):
    """Entries of the list of what does not match yet. The list can only shrink."""
    lines = [line.split("#")[0].split() for line in PENDING.read_text().splitlines()]
    return {words[1] for words in lines if words and words[0] == kind}


def check(rows):
    fields = pending("field")
    bad = [r for r in rows if not r.ok and r.field not in fields]
    assert not bad, "\n" + "\n".join(f"{r.what:10} {r.field:24} {r.error:.2e} > {r.tolerance:.0e} {r.note}" for r in bad[:20])


def test_oracle_is_the_pinned_version():
    assert mujoco.__version__ == ORACLE_VERSION


def check_file(path, name, states):
    if name in pending("model"):
        with pytest.raises(corten.Error):
            corten.Model.from_xml_path(str(path))
        return
    pair = Pair(path)
    check(pair.compare_model())
    if name in pending("run"):
        return
    pair.tighten()
    # long runs magnify the last bits of every contact: they are compared where there are none
    free = not (pair.oracle_model.ngeom > 1 and not pair.oracle_model.opt.disableflags & 0x11)
    runs = ("forward", "inverse", "step", "100 steps") if free else ("forward", "inverse", "step")
    check(pair.compare_runs(states=states, runs=runs))


@pytest.mark.parametrize("path", OWN, ids=lambda p: p.stem)
def test_own_model(path):
    check_file(path, str(path.relative_to(ROOT)), states=5)


@pytest.mark.parametrize("block", range(10))
def test_random_models(block):
    for seed in range(20 * block, 20 * block + 20):
        text = random_model(seed)
        pair = Pair(text)
        try:
            check(pair.compare_model())
            check(pair.compare_runs(seed=seed, states=1, runs=("forward", "inverse", "step")))
        except AssertionError as error:
            raise AssertionError(f"random model {seed}: {error}") from None


def _public():
    return sorted(p for p in SHARED.rglob("*.xml")) if SHARED.is_dir() else []


@pytest.mark.skipif(not SHARED.is_dir(), reason="no public models beside the project")
@pytest.mark.parametrize("path", _public(), ids=lambda p: str(p.relative_to(SHARED)))
def test_public_model(path):
    name = str(path.relative_to(SHARED))
    try:
        mujoco.MjModel.from_xml_path(str(path))
    except ValueError:
        pytest.skip("the oracle does not load it either")
    check_file(path, name, states=2)


@pytest.mark.parametrize("path", gymnasium_models(), ids=lambda p: p.stem)
def test_gymnasium_model(path):
    check_file(path, "gymnasium/" + path.name, states=2)
