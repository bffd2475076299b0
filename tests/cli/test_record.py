"""Recording a run, playing controls back, drawing."""

import csv
import io
import os
import resource
import signal
import struct
import subprocess
import threading
import time
import zipfile
import zlib

import numpy as np
import pytest
from conftest import ROOT

ARM = """<mujoco model="arm">
  <option timestep="0.01"><flag contact="disable"/></option>
  <worldbody>
    <body name="arm"><joint name="shoulder, left" axis="0 1 0"/><geom type="capsule" fromto="0 0 0 0.4 0 0" size="0.04"/>
      <body pos="0.4 0 0"><joint type="ball"/><geom size="0.1"/><site name="s"/></body></body>
    <body pos="0 1 0"><freejoint name="free"/><geom size="0.1"/></body>
  </worldbody>
  <actuator><motor name="m" joint="shoulder, left"/><motor joint="shoulder, left" gear="2"/></actuator>
  <sensor><gyro name="gyro" site="s" noise="0.1"/><framequat objtype="site" objname="s"/><jointpos joint="shoulder, left"/></sensor>
  <keyframe><key name="k" time="3"/></keyframe>
</mujoco>"""


@pytest.fixture
def arm(model):
    return model(ARM)


def png_size(path):
    content = path.read_bytes()
    assert content[:8] == b"\x89PNG\r\n\x1a\n"
    at, data = 8, b""
    while at < len(content):
        length, kind = struct.unpack(">I4s", content[at:at + 8])
        if kind == b"IHDR":
            size = struct.unpack(">II", content[at + 8:at + 16])
        if kind == b"IDAT":
            data += content[at + 8:at + 8 + length]
        at += 12 + length
    pixels = zlib.decompress(data)
    return size, len(set(pixels))


def run_ok(corten, *args):
    result = corten("run", *args, "--quiet")
    assert result.returncode == 0, result.stderr
    return result


# ---- recording

def test_npz_holds_every_step(corten, arm, tmp_path):
    path = tmp_path / "a.npz"
    run_ok(corten, arm, "--steps", 50, "--ctrl-noise", 1, "--record", path)
    a = np.load(path)
    assert {k: a[k].shape for k in ("time", "qpos", "qvel", "ctrl", "sensordata")} == {
        "time": (50,), "qpos": (50, 12), "qvel": (50, 10), "ctrl": (50, 2), "sensordata": (50, 8)}
    np.testing.assert_allclose(a["time"], 0.01 * np.arange(50), atol=1e-12)
    assert len(a["channels"]) == len(a["units"]) == 1 + 12 + 10 + 2 + 8
    named = dict(zip(a["channels"], a["units"]))
    assert named["qpos.shoulder, left"] == "rad" and named["qvel.free.vx"] == "m/s" and named["sensor.gyro.y"] == "rad/s"
    # sensors and state of a row belong together
    np.testing.assert_array_equal(a["sensordata"][:, 7], a["qpos"][:, 0])
    assert a["ctrl"].std() > 0.1


def test_csv_holds_the_same_numbers(corten, arm, tmp_path):
    run_ok(corten, arm, "--steps", 20, "--ctrl-noise", 1, "--record", tmp_path / "a.npz")
    run_ok(corten, arm, "--steps", 20, "--ctrl-noise", 1, "--record", tmp_path / "a.csv")
    a = np.load(tmp_path / "a.npz")
    with open(tmp_path / "a.csv", newline="") as file:
        rows = list(csv.reader(file))
    whole = np.hstack([a["time"][:, None], a["qpos"], a["qvel"], a["ctrl"], a["sensordata"]])
    np.testing.assert_array_equal(np.array(rows[1:], float), whole)
    assert rows[0][0] == "time [s]" and rows[0][1] == "qpos.shoulder, left [rad]"


@pytest.mark.parametrize("ending", ("npz", "csv"))
def test_played_back_it_is_the_same_run(corten, arm, tmp_path, ending):
    first, second = tmp_path / f"a.{ending}", tmp_path / f"b.{ending}"
    run_ok(corten, arm, "--steps", 100, "--ctrl-noise", 1, "--record", first)
    run_ok(corten, arm, "--steps", 100, "--ctrl", first, "--record", second)
    assert first.read_bytes() == second.read_bytes()


def test_controls_made_elsewhere(corten, arm, tmp_path):
    ctrl = np.arange(20.0).reshape(10, 2)
    np.savez(tmp_path / "c.npz", ctrl=ctrl)
    run_ok(corten, arm, "--steps", 12, "--ctrl", tmp_path / "c.npz", "--record", tmp_path / "a.npz")
    np.testing.assert_array_equal(np.load(tmp_path / "a.npz")["ctrl"], np.vstack([ctrl, ctrl[-1:], ctrl[-1:]]))
    # with times: held until the next
    np.savez(tmp_path / "d.npz", time=np.array([0, 0.05]), ctrl=ctrl[:2])
    run_ok(corten, arm, "--steps", 8, "--ctrl", tmp_path / "d.npz", "--record", tmp_path / "a.npz")
    np.testing.assert_array_equal(np.load(tmp_path / "a.npz")["ctrl"][:, 0], [0, 0, 0, 0, 0, 2, 2, 2])
    (tmp_path / "plain.csv").write_text("0.0,1,2\n0.05,3,4\n")
    run_ok(corten, arm, "--steps", 8, "--ctrl", tmp_path / "plain.csv", "--record", tmp_path / "a.npz")
    np.testing.assert_array_equal(np.load(tmp_path / "a.npz")["ctrl"][:, 1], [2, 2, 2, 2, 2, 4, 4, 4])


def test_noise_of_sensors_is_off_until_asked_for(corten, arm, tmp_path):
    readings = []
    for extra in ([], ["--sensor-noise"], ["--sensor-noise"], ["--sensor-noise", "--seed", "5"]):
        run_ok(corten, arm, "--steps", 20, "--record", tmp_path / "a.npz", *extra)
        readings.append(np.load(tmp_path / "a.npz")["sensordata"])
    clean, noisy, again, other = readings
    assert (noisy[:, :3] != clean[:, :3]).all() and (noisy[:, 3:] == clean[:, 3:]).all()
    np.testing.assert_array_equal(noisy, again)
    assert (other[:, :3] != noisy[:, :3]).all()


def test_states_continue_a_run(corten, arm, tmp_path):
    run_ok(corten, arm, "--steps", 60, "--record", tmp_path / "whole.npz", "--keyframe", "k")
    run_ok(corten, arm, "--steps", 25, "--keyframe", "k", "--save-state", tmp_path / "s.cts")
    run_ok(corten, arm, "--steps", 35, "--state", tmp_path / "s.cts", "--record", tmp_path / "rest.npz")
    whole, rest = np.load(tmp_path / "whole.npz"), np.load(tmp_path / "rest.npz")
    for name in ("time", "qpos", "qvel", "sensordata"):
        np.testing.assert_array_equal(whole[name][25:], rest[name])


# ---- pictures

def has_cairo(corten):
    return "without cairo" not in corten("run", ROOT / "models" / "humanoid.xml", "--steps", "1", "--plot", "/dev/null").stderr


def test_a_picture_of_chosen_channels(corten, arm, tmp_path):
    if not has_cairo(corten):
        pytest.skip("built without cairo")
    run_ok(corten, arm, "--steps", 200, "--ctrl-noise", 1, "--record", tmp_path / "a.npz", "--plot", tmp_path / "all.png")
    (width, tall), colours = png_size(tmp_path / "all.png")
    assert width == 1400 and colours > 50
    result = corten("plot", tmp_path / "a.npz", "--channels", "qpos.shoulder*,ctrl")
    assert result.returncode == 0 and result.stderr == ""
    (_, short), _ = png_size(tmp_path / "a.png")
    assert short < tall
    listed = corten("plot", tmp_path / "a.npz", "--channels", "list").stdout.splitlines()
    assert "time [s]" in listed and "sensor.gyro.x [rad/s]" in listed


def test_pictures_of_odd_tables(corten, tmp_path):
    if not has_cairo(corten):
        pytest.skip("built without cairo")
    for text in ("a\n1\n", "time [s],x\n0,nan\n1,nan\n", "x\n1\nnan\n-inf\n3\n", "time,x\n0,1e300\n1,-1e300\n", "time,x\n1,0\n1,0\n"):
        (tmp_path / "a.csv").write_text(text)
        result = corten("plot", tmp_path / "a.csv")
        assert result.returncode == 0, (text, result.stderr)
        png_size(tmp_path / "a.png")


# ---- long recordings

@pytest.mark.parametrize("ending", ("npz", "csv"))
def test_long_recordings_stay_on_disk(corten, arm, tmp_path, ending):
    path, steps = tmp_path / f"a.{ending}", 200_000
    # 33 numbers a row: 53 MB, were they kept
    limit = 32 << 20
    result = corten("run", arm, "--steps", steps, "--quiet", "--record", path,
                    preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_DATA, (limit, limit)))
    assert result.returncode == 0, result.stderr
    with open(path, "rb") as file:
        rows = len(np.load(file)["time"]) if ending == "npz" else sum(1 for _ in file) - 1
    assert rows == steps
    assert not list(tmp_path.glob(".corten-*"))


def recorded(path):
    """The rows of a recording, or of what is left of one."""
    if ".npz" in path.name:
        a = np.load(path)
        assert len(a["time"]) == len(a["sensordata"])
        return np.column_stack([a[name] for name in ("time", "qpos", "qvel", "ctrl", "sensordata")])
    return np.loadtxt(path, delimiter=",", skiprows=1, ndmin=2)


def stop_recording(corten, arm, path, number, seconds):
    path.write_text("old")
    part = path.with_name(path.name + ".part")
    child = subprocess.Popen([corten.path, "run", arm, "--time", "1e9", "--quiet", "--record", path], stdout=subprocess.DEVNULL)
    deadline = time.monotonic() + 60
    while not part.exists() and time.monotonic() < deadline:
        time.sleep(0.01)
    time.sleep(seconds)
    assert path.read_text() == "old"
    child.send_signal(number)
    assert child.wait(60) == (-number if number == signal.SIGKILL else 128 + number)
    return part


@pytest.mark.parametrize("number", (signal.SIGINT, signal.SIGTERM, signal.SIGHUP))
@pytest.mark.parametrize("ending", ("npz", "csv"))
def test_interrupted_recordings_are_whole(corten, arm, tmp_path, ending, number):
    path = tmp_path / f"a.{ending}"
    stop_recording(corten, arm, path, number, 0.3)
    rows = recorded(path)
    assert rows.shape[0] > 1 and rows.shape[1] == 33
    assert set(tmp_path.iterdir()) == {path, arm}


@pytest.mark.parametrize("ending", ("npz", "csv"))
def test_killed_recordings_are_there_up_to_their_last_second(corten, arm, tmp_path, ending):
    path = tmp_path / f"a.{ending}"
    part = stop_recording(corten, arm, path, signal.SIGKILL, 2.5)
    assert path.read_text() == "old"
    if ending == "csv":  # the last line may be cut
        part.write_text(part.read_text().rpartition("\n")[0] + "\n")
    rows = recorded(part)
    assert rows.shape[1] == 33
    np.testing.assert_allclose(rows[:, 0], 0.01 * np.arange(len(rows)), atol=1e-6)
    # the same rows as those of a run that ends
    steps = min(len(rows), 500)
    run_ok(corten, arm, "--steps", steps, "--record", tmp_path / f"b.{ending}")
    np.testing.assert_array_equal(recorded(tmp_path / f"b.{ending}"), rows[:steps])
    # the command line reads it, and the next run leaves it alone
    assert "qpos" in corten("plot", part, "--channels", "list").stdout
    result = corten("run", arm, "--steps", 5, "--quiet", "--record", path)
    assert result.returncode == 0 and f"{part}: the rows of a run that did not end" in result.stderr
    assert len(recorded(path)) == 5 and part.exists() and not part.with_name(part.name + "-2").exists()


def test_a_full_disk_ends_the_run_and_says_why(corten, arm, tmp_path):
    path, limit = tmp_path / "a.npz", 200_000
    result = corten("run", arm, "--time", "1e9", "--quiet", "--record", path,
                    preexec_fn=lambda: (signal.signal(signal.SIGXFSZ, signal.SIG_IGN), resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))))
    assert result.returncode == 1 and "File too large" in result.stderr and f"{path}.part" in result.stderr
    assert not path.exists()
    assert len(recorded(tmp_path / "a.npz.part")) > 0


def test_archives_go_through_pipes(corten, arm, tmp_path):
    run_ok(corten, arm, "--steps", 50, "--record", tmp_path / "a.npz")
    os.mkfifo(tmp_path / "pipe.npz")
    got = []
    reader = threading.Thread(target=lambda: got.append((tmp_path / "pipe.npz").read_bytes()), daemon=True)
    reader.start()
    run_ok(corten, arm, "--steps", 50, "--record", tmp_path / "pipe.npz")
    reader.join(60)
    assert got == [(tmp_path / "a.npz").read_bytes()]
    assert zipfile.ZipFile(io.BytesIO(got[0])).testzip() is None


def test_archives_in_the_long_form_are_read(corten, arm, tmp_path, monkeypatch):
    # what numpy.savez writes beyond 4 GB, of a small array
    monkeypatch.setattr(zipfile, "ZIP64_LIMIT", 100)
    ctrl = np.arange(40.0).reshape(20, 2)
    np.savez(tmp_path / "c.npz", ctrl=ctrl)
    run_ok(corten, arm, "--steps", 20, "--ctrl", tmp_path / "c.npz", "--record", tmp_path / "a.npz")
    np.testing.assert_array_equal(np.load(tmp_path / "a.npz")["ctrl"], ctrl)


# ---- bad input: one line, exit code, nothing written

@pytest.mark.parametrize("args, code, words", [
    (["--record", "a.txt"], 2, ".npz"),
    (["--record", "no/such/folder/a.npz"], 1, "cannot be written"),
    (["--ctrl", "missing.npz"], 1, "cannot read"),
    (["--state", "missing.cts"], 1, "missing.cts"),
    (["--state", "x.cts", "--keyframe", "k"], 2, "exclude"),
    (["--channels", "qpos"], 2, "--plot"),
])
def test_misuse_of_run(corten, arm, tmp_path, args, code, words):
    result = corten("run", arm, "--steps", 2, "--quiet", *args, cwd=tmp_path)
    assert result.returncode == code and words in result.stderr and result.stderr.count("\n") == 1, result.stderr


@pytest.mark.parametrize("content, words", [
    (b"", "empty"),
    (b"time,ctrl.a,ctrl.b\n0,1\n", "row 2"),
    (b"time,ctrl.a,ctrl.b\n0,1,x\n", "row 2"),
    (b"time,ctrl.a,ctrl.b\n0,1,nan\n", "finite"),
    (b"time,ctrl.a,ctrl.b\n0,1,1\n0,1,1\n", "rise"),
    (b"time,ctrl.a\n0,1\n", "1 controls"),
    (b"time,ctrl.a,ctrl.b\n", "no rows"),
    (b"PK\x03\x04" + bytes(100), "cut short"),
    (bytes(300), "neither"),
])
def test_bad_controls(corten, arm, tmp_path, content, words):
    path = tmp_path / "c.csv"
    path.write_bytes(content)
    result = corten("run", arm, "--steps", 2, "--quiet", "--ctrl", path)
    assert result.returncode == 1 and words in result.stderr and result.stderr.count("\n") == 1, result.stderr


def test_damaged_archives(corten, arm, tmp_path):
    run_ok(corten, arm, "--steps", 5, "--record", tmp_path / "a.npz")
    content = (tmp_path / "a.npz").read_bytes()
    np.savez_compressed(tmp_path / "c.npz", ctrl=np.zeros((5, 2)))
    result = corten("run", arm, "--steps", 2, "--quiet", "--ctrl", tmp_path / "c.npz")
    assert result.returncode == 1 and "savez" in result.stderr
    rng = np.random.default_rng(0)
    bad = tmp_path / "b.npz"
    for length in range(0, len(content), 211):
        bad.write_bytes(content[:length])
        assert corten("run", arm, "--steps", 1, "--quiet", "--ctrl", bad).returncode == 1
    for _ in range(60):
        altered = bytearray(content)
        for at in rng.integers(0, len(content), 8):
            altered[at] = rng.integers(256)
        bad.write_bytes(altered)
        # numbers may have changed unseen; what must not happen is anything but success or one line
        result = corten("run", arm, "--steps", 1, "--quiet", "--ctrl", bad)
        assert result.returncode in (0, 1) and result.stderr.count("\n") <= 1
