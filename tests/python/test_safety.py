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
    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell may start us with interrupts ignored
    threading.Timer(0.5, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
    start = time.monotonic()
    try:
        with pytest.raises(KeyboardInterrupt):
            batch.rollout(nstep=2_000_000)
    finally:
        signal.signal(signal.SIGINT, before)
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


def replicated(depth, inside):
    return "<replicate count='1000' offset='1 0 0'>" * depth + inside + "</replicate>" * depth


def world(inside):
    return f"<worldbody>{inside}</worldbody>"


def chain(count):
    """Files of which each attaches the one before ten times."""
    files = {"m0.xml": b"<mujoco model='m0'><worldbody><body name='b'><geom size='1'/></body></worldbody></mujoco>"}
    for i in range(1, count):
        attach = "".join(f"<attach model='m' body='b' prefix='p{k}-'/>" for k in range(10))
        files[f"m{i}.xml"] = (
            f"<mujoco model='m{i}'><asset><model name='m' file='m{i - 1}.xml'/></asset>"
            f"<worldbody><body name='b'>{attach}</body></worldbody></mujoco>"
        ).encode()
    return files


HOSTILE = {
    "replicas": world(replicated(6, "<geom size='1'/>")),
    "bodies": world(replicated(2, "<body><joint/><geom size='1'/></body>")),
    "frames": world(replicated(3, "<frame/>")),
    "texture": "<asset><texture name='t' type='2d' builtin='flat' width='30000' height='30000'/></asset>",
    "cube": "<asset><texture name='t' type='cube' builtin='gradient' width='10000' height='10000'/></asset>",
    "numeric": "<custom><numeric name='n' size='1000000000'/></custom>",
    "hfield": "<asset><hfield name='h' nrow='9999' ncol='9999' size='1 1 1 1'/></asset>",
    "sensors": "<sensor><user dim='1000000000'/><user dim='1000000000'/><user dim='1000000000'/></sensor>",
    "userdata": "<size nuserdata='2147483647'/>",
    "keys": "<size nkey='1000000'/>" + world(replicated(1, "<body><freejoint/><geom size='1'/></body>")),
    "attach": "<asset><model name='m' file='m8.xml'/></asset><worldbody><attach model='m' body='b' prefix='x'/></worldbody>",
}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_small_file_takes_little_before_it_is_refused(name, tmp_path):
    for file, content in chain(9).items():
        (tmp_path / file).write_bytes(content)
    path = tmp_path / "model.xml"
    path.write_text(f"<mujoco>{HOSTILE[name]}</mujoco>")
    code = (
        "import resource, sys, time, corten\n"
        "before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss\n"
        "try: corten.Model.from_xml_path(sys.argv[1])\n"
        "except corten.Error as e: print(e, file=sys.stderr)\n"
        "else: sys.exit('it was loaded')\n"
        "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)\n"
    )
    done = subprocess.run([sys.executable, "-c", code, str(path)], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    assert "max_" in done.stderr or "at most" in done.stderr or "too large" in done.stderr, done.stderr
    assert int(done.stdout) < 300 * 1024  # kB: 256 MiB, and what a line of files adds


def test_many_free_bodies_take_little(tmp_path):
    """What was quadratic: the first guess of an arena."""
    code = (
        "import resource, corten\n"
        "resource.setrlimit(resource.RLIMIT_AS, (2 << 30, 2 << 30))\n"
        "body = '<body><freejoint/><geom size=\".1\"/></body>'\n"
        "m = corten.Model.from_xml_string(f'<mujoco><worldbody><replicate count=\"4000\" offset=\"1 0 0\">{body}</replicate></worldbody></mujoco>')\n"
        "d = corten.Data(m)\n"
        "corten.step(m, d)\n"
        "assert m.nv == 24000 and d.time > 0\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr


def test_limits_can_be_set():
    text = "<mujoco><custom><numeric name='n' size='100000'/></custom></mujoco>"
    assert corten.Model.from_xml_string(text).nnumericdata == 100000
    for make in (corten.Model.from_xml_string, lambda *a, **b: corten.Spec.from_xml_string(*a, **b).compile()):
        with pytest.raises(corten.Error, match="max_memory"):
            make(text, max_memory=300_000)
    many = "<mujoco><worldbody><replicate count='50'><geom size='1'/></replicate></worldbody></mujoco>"
    with pytest.raises(corten.Error, match="max_elements"):
        corten.Model.from_xml_string(many, max_elements=49)
    large = "<mujoco><custom><numeric name='n' size='50000000'/></custom></mujoco>"
    assert corten.Model.from_xml_string(large, max_memory=1 << 30).nnumericdata == 50_000_000
    with pytest.raises(ValueError, match="negative"):
        corten.Model.from_xml_string(many, max_memory=-1)
