"""Batches over the ranks of MPI: the same bits for any number of them, files, and ranks in trouble."""

import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import time

import pytest

BIN = pathlib.Path(os.environ.get("CORTEN_BIN", "build/release/bin"))
MODEL = pathlib.Path(__file__).resolve().parents[2] / "models" / "humanoid.xml"
HERE = pathlib.Path(__file__).resolve().parent
pytestmark = pytest.mark.skipif(not shutil.which("mpirun") or not (BIN / "mpi_test").exists(), reason="no MPI, or mpi_test is not built")


def start(ranks, *command):
    options = ["--oversubscribe", "--allow-run-as-root", "--quiet"]
    return subprocess.Popen(["mpirun", *options, "-n", str(ranks), *map(str, command)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                            env=dict(os.environ, OMPI_MCA_rmaps_base_oversubscribe="1"))  # fmt: skip


def run(ranks, *command, code=0):
    process = start(ranks, *command)
    out, err = process.communicate(timeout=120)
    assert process.returncode == code, out + err
    return out


@pytest.fixture(scope="module")
def one_rank():
    return run(1, BIN / "mpi_test", "same")


@pytest.mark.parametrize("ranks", [2, 3, 5, 8])
def test_the_same_bits_for_any_number_of_ranks(ranks, one_rank):
    assert re.fullmatch("[0-9a-f]{16}\n", one_rank)
    assert run(ranks, BIN / "mpi_test", "same") == one_rank


@pytest.mark.parametrize("ranks", [1, 3])
def test_what_is_wrong_is_heard_by_all_ranks(ranks, tmp_path):
    assert run(ranks, BIN / "mpi_test", "faults", tmp_path) == "ok\n"


def test_ranks_of_two_versions():
    process = start(1, BIN / "mpi_test", "same", ":", "-n", "1", BIN / "mpi_test_old", "same")
    out, err = process.communicate(timeout=60)
    assert process.returncode != 0 and "rank 1 runs version 0.0.1" in out + err


def test_a_file_is_read_by_another_number_of_ranks(tmp_path):
    saved = run(3, BIN / "mpi_test", "save", tmp_path / "batch")
    assert not (tmp_path / "batch.part").exists()
    assert {run(n, BIN / "mpi_test", "load", tmp_path / "batch") for n in (1, 2, 5)} == {saved}


def test_a_rank_that_does_not_come_ends_the_others():
    process = start(3, BIN / "mpi_test", "vanish")
    out, err = process.communicate(timeout=60)
    assert process.returncode != 0
    assert "a rank was lost" in out + err


def test_a_rank_that_is_killed_ends_the_run():
    process = start(2, BIN / "corten-mpi", MODEL, "--worlds", "64", "--steps", "1000000", "--backend", "cpu", "--threads", "1")
    deadline = time.time() + 30
    children = []
    while len(children) < 2 and time.time() < deadline:
        time.sleep(0.2)
        found = subprocess.run(["pgrep", "-P", str(process.pid), "-f", "corten-mpi"], capture_output=True, text=True).stdout.split()
        children = found if found else children
    assert children, "the ranks were not seen"
    time.sleep(1)
    os.kill(int(children[-1]), signal.SIGKILL)
    began = time.time()
    process.communicate(timeout=30)
    assert process.returncode != 0 and time.time() - began < 10


def test_worlds_move_to_ranks_with_less_to_do():
    counts = re.findall(r"rank (\d): (\d+) worlds before, (\d+) after", run(2, BIN / "mpi_test", "sleep"))
    after = {int(rank): int(n) for rank, _, n in counts}
    assert after[0] > after[1] and sum(after.values()) == 400


def test_bench_has_the_hash_of_one_batch():
    options = [MODEL, "--worlds", "20", "--steps", "20", "--backend", "cpu", "--threads", "1", "--hash"]
    alone = subprocess.run([BIN / "corten", "bench", *options], capture_output=True, text=True, check=True).stdout
    together = run(3, BIN / "corten", "bench", "--mpi", *options)
    assert re.search("hash [0-9a-f]{16}", alone).group() == re.search("hash [0-9a-f]{16}", together).group()
    assert len(re.findall(r"^ +\d +\d+ +1 ", together, re.M)) == 3


def test_python(tmp_path):
    pytest.importorskip("mpi4py", reason="mpi4py is not installed")
    said = {run(n, sys.executable, HERE / "python_ranks.py", tmp_path / "batch") for n in (1, 2, 3)}
    assert len(said) == 1 and re.match("[0-9a-f]{16} ", said.pop())


@pytest.mark.parametrize("option", ["--json", "--precision=single", "--plugins=libshapes.so"])
def test_bench_refuses_what_ranks_do_not_do(option):
    said = subprocess.run([BIN / "corten", "bench", "--mpi", MODEL, option], capture_output=True, text=True)
    assert said.returncode == 2 and "--mpi goes without" in said.stderr
