"""Random constraints beside the oracle: rows, and what the solvers make of them."""

import pytest

mujoco = pytest.importorskip("mujoco", reason="the oracle (mujoco wheel) is not installed")

import corten
from compare import Pair
from constrained import constrained_model
from solvers import survey

pytestmark = pytest.mark.skipif(corten._core.real != "d", reason="the oracle computes in double")

BLOCK = 15


@pytest.mark.parametrize("block", range(10))
def test_random_constraints(block):
    solved, states, ahead, behind = 0, 0, 0, 0
    for seed in range(BLOCK * block, BLOCK * (block + 1)):
        report = survey(Pair(constrained_model(seed)), f"constrained model {seed}", states=1, seed=seed)
        assert report.left_out == 0, report.name
        assert report.ok, f"{report.name}: {report.row_failed[:3]} {report.solvers['Newton'].behind[:3]}"
        states += report.states
        for tally in report.solvers.values():
            solved, ahead, behind = solved + tally.solved, ahead + tally.ahead, behind + len(tally.behind)
    assert states >= 0.8 * BLOCK
    # solutions that one of both has not reached: neither may be far behind the other
    assert behind <= ahead + 0.1 * solved
