"""What a program may get wrong without ending its process, and files that are whole or not there."""

import os
import signal
import subprocess
import sys
import threading
import time

import corten
import numpy as np
import pytest

MODEL = "<mujoco><worldbody><geom type='plane' size='1 1 1'/><body><freejoint/><geom name='ball' size='.1'/></body></worldbody></mujoco>"


@pytest.fixture
def ball():
    return corten.Model.from_xml_string(MODEL)


def test_indices_are_read_only(ball):
    with pytest.raises(ValueError, match="read-only"):
        ball.geom_bodyid[:] = 10**6
    with pytest.raises(ValueError, match="read-only"):
        corten.Data(ball).body_awake_ind[:] = 10**6
    ball.geom_contype[:] = 3  # leads nowhere
    corten.step(ball, corten.Data(ball))


def test_indices_set_as_a_whole_are_checked(ball):
    with pytest.raises(corten.Error, match="geom_bodyid"):
        ball.geom_bodyid = 10**6
    assert ball.geom_bodyid.tolist() == [0, 1] and not ball.geom_bodyid.flags.writeable
    ball.geom_condim = 4
    ball.geom("ball").condim = 6
    assert ball.geom_condim.tolist() == [4, 6]
    with pytest.raises(corten.Error, match="geom_condim"):
        ball.geom("ball").condim = 100
    assert ball.geom_condim.tolist() == [4, 6]


def test_indices_can_be_written_when_asked_for(ball):
    ball.writable("geom_condim")[1] = 1
    ball.check()
    ball.writable("geom_condim")[1] = 100
    with pytest.raises(corten.Error, match="geom_condim"):
        ball.check()


def test_a_state_is_read_no_further_than_it_goes(ball):
    with pytest.raises(corten.Error):
        corten.load_state(ball, corten.Data(ball), "/dev/zero")


def test_saves_keep_the_old_file_when_the_disk_is_full(ball, tmp_path):
    path = tmp_path / "model.ctb"
    ball.save(path)
    before = path.read_bytes()
    code = (
        "import sys, resource, signal, corten\n"
        "m = corten.Model.from_xml_path(sys.argv[1])\n"
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))\n"
        "try: m.save(sys.argv[1])\n"
        "except corten.Error as e: sys.exit(3)\n"
    )
    assert subprocess.run([sys.executable, "-c", code, str(path)]).returncode == 3
    assert path.read_bytes() == before and os.listdir(tmp_path) == ["model.ctb"]


def test_a_rollout_hears_an_interrupt(ball):
    batch = corten.Batch(ball, 16, threads=1)
    threading.Timer(0.5, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
    start = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        batch.rollout(nstep=2_000_000)
    assert time.monotonic() - start < 30  # it would take minutes


def test_a_rollout_in_pieces_is_the_same(ball):
    whole, pieces = (corten.Batch(ball, 3) for _ in range(2))
    whole.output("qpos")
    pieces.output("qpos")
    expected = np.concatenate([whole.rollout(nstep=7)["qpos"] for _ in range(11)], axis=1)
    assert np.array_equal(pieces.rollout(nstep=77)["qpos"], expected)


def test_a_forked_child_ends():
    code = (
        "import os, signal, corten\n"
        f'batch = corten.Batch(corten.Model.from_xml_string("{MODEL}"), 8, threads=2)\n'
        "batch.step(3)\n"
        "child = os.fork()\n"
        "if child == 0:\n"
        "    signal.alarm(20)\n"
        "    batch.step(2)\n"
        "else:\n"
        "    status = os.waitpid(child, 0)[1]\n"
        "    raise SystemExit(status != 0)\n"
    )
    assert subprocess.run([sys.executable, "-c", code], timeout=60).returncode == 0
