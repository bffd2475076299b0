"""The list of fields that are not compared is complete and has nothing in it that is not needed; and the comparison itself notices."""

import pathlib

import numpy as np
import pytest

mujoco = pytest.importorskip("mujoco", reason="the oracle (mujoco wheel) is not installed")

import compare
import corten
from compare import TOLERANCE, Pair, explained_error, field_error, lookup
from corten._fields import DATA_FIELDS, MODEL_FIELDS
from exceptions import EMPTY, NOT_COMPARED, NOT_OURS, OWN_FIELDS

ROOT = pathlib.Path(__file__).resolve().parents[2]
MIXED = ROOT / "tests" / "models" / "constraint" / "mixed.xml"

pytestmark = pytest.mark.skipif(corten._core.real != "d", reason="the oracle computes in double")


def members(struct):
    return {name for name in dir(struct) if not name.startswith("_") and not callable(getattr(struct, name))}


@pytest.fixture(scope="module")
def mixed():
    return Pair(MIXED)


# ---- the lists


@pytest.mark.parametrize("what", ["model", "data"])
def test_every_member_of_the_oracles_is_a_field_or_listed(mixed, what):
    theirs = members(mixed.oracle_model if what == "model" else mixed.oracle)
    ours = {field.name.split(".")[0] for field in (MODEL_FIELDS if what == "model" else DATA_FIELDS)}
    groups = {"opt", "stat", "vis"}
    assert theirs - (ours - groups) == set(NOT_OURS[what])


def test_every_field_is_one_of_the_oracles(mixed):
    for fields, struct in ((MODEL_FIELDS, mixed.oracle_model), (DATA_FIELDS, mixed.oracle)):
        # numbers and names of plugins are the engine's own fields
        assert [f.name for f in fields if lookup(struct, f.name) is None] == (list(OWN_FIELDS) if fields is MODEL_FIELDS else [])
    assert set(compare.CONTACT) == members(mixed.oracle.contact)


def groups_of(struct, prefix):
    """Members of a struct of options, with dots."""
    out = set()
    for name in members(struct):
        value = getattr(struct, name)
        simple = isinstance(value, (int, float, bool, np.ndarray))
        out |= {prefix + name} if simple else groups_of(value, prefix + name + ".")
    return out


@pytest.mark.parametrize("group", ["opt", "stat", "vis"])
def test_every_option_of_the_oracles_is_compared(mixed, group):
    theirs = {name.replace("global_", "global") for name in groups_of(getattr(mixed.oracle_model, group), group + ".")}
    assert theirs == {f.name for f in MODEL_FIELDS if f.name.startswith(group + ".")}


@pytest.mark.parametrize("name", NOT_COMPARED)
def test_what_is_not_compared_differs(name):
    entry = NOT_COMPARED[name]
    pair = Pair(ROOT / entry.witness)
    pair.tighten()
    if entry.call == "model":
        error, _ = field_error(lookup(pair.model, name), lookup(pair.oracle_model, name))
        assert error > TOLERANCE, f"{name} agrees now: remove it from exceptions.py"
        return
    theirs, ours = compare.CALLS[entry.call]
    rng = np.random.default_rng(0)
    for _ in range(5):
        pair.set_random_state(rng)
        theirs(pair.oracle_model, pair.oracle)
        ours(pair.model, pair.data)
        if field_error(lookup(pair.data, name), lookup(pair.oracle, name))[0] > TOLERANCE:
            return
    pytest.fail(f"{name} agrees now: remove it from exceptions.py")


@pytest.mark.parametrize("empty", EMPTY, ids=lambda e: e.reason)
def test_what_may_be_empty_is_empty(empty):
    pair = Pair(ROOT / empty.witness)
    pair.oracle_model.opt.jacobian = pair.model.opt.jacobian = empty.jacobian
    mujoco.mj_forward(pair.oracle_model, pair.oracle)
    corten.forward(pair.model, pair.data)
    assert empty.when(pair.oracle_model, pair.oracle)
    missing = {name for name in empty.fields if np.size(lookup(pair.oracle, name)) > 0 and np.size(lookup(pair.data, name)) == 0}
    assert missing, f"no field is missing although {empty.reason}: remove the entry from exceptions.py"


# ---- the comparison itself


def test_an_empty_field_is_a_difference(mixed, monkeypatch):
    real = compare.data_values
    monkeypatch.setattr(compare, "data_values", lambda m, d, names=None: real(m, d, names) | ({"qfrc_bias": np.zeros(0)} if d is mixed.data else {}))
    mixed.set_random_state(np.random.default_rng(0))
    bad = {row.field: row.note for row in mixed.run("forward") if not row.ok}
    assert set(bad) == {"qfrc_bias"} and "empty here" in bad["qfrc_bias"]


@pytest.mark.parametrize("field", ["qfrc_bias", "xpos", "efc_J", "efc_aref", "efc_D", "contact.friction", "contact.solimp", "cinert", "qLD", "qacc"])
def test_one_small_element_that_is_off_is_a_difference(mixed, monkeypatch, field):
    real = compare.data_values

    def values(m, d, names=None):
        out = real(m, d, names)
        if d is mixed.data:
            # the smallest number that is not rounding, by a millionth of itself
            flat = out[field] = out[field].copy()
            size = np.where(np.abs(flat) < 1e-2, np.inf, np.abs(flat))
            flat.flat[size.argmin()] *= 1 + 1e-6
        return out

    monkeypatch.setattr(compare, "data_values", values)
    mixed.tighten()
    mixed.set_random_state(np.random.default_rng(0))
    assert [row.field for row in mixed.run("forward") if not row.ok] == [field]


def test_errors_are_those_of_elements():
    large = np.array([1e9, 1.0, 1e-3])
    assert field_error(large + [0, 1e-6, 0], large)[0] == pytest.approx(1e-6)
    assert field_error(large[:2], large)[0] == np.inf
    assert field_error(np.array([np.nan, 1]), np.array([1.0, 1]))[0] == np.inf
    # explained by inputs that move by 1e-13, but only in the element that moves, and never more than a millionth
    moved = [large + [0, 1e-9, 0]]
    assert explained_error("", large + [0, 1e-9, 0], large, moved) < TOLERANCE
    assert explained_error("", large + [0, 0, 1e-9], large, moved) > TOLERANCE
    small = np.array([1.0, 1.0])
    assert explained_error("", small + 1e-3, small, [small + 1e-3]) > TOLERANCE
