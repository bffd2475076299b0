"""corten view, in windows of a display that nobody looks at, driven by mouse and keys."""

import os
import shutil
import signal
import socket
import struct
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from pictures import read_png

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import display as windows  # noqa: E402

WORLD = """<mujoco><option timestep="0.01"/><worldbody><light pos="0 0 3"/><geom type="plane" size="2 2 .1" rgba=".5 .5 .5 1"/>
  <body name="ball" pos="0 0 .6"><freejoint/><geom size=".3" rgba="1 0 0 1"/></body></worldbody></mujoco>"""
SIZE = ("--width", "160", "--height", "120")


@pytest.fixture(scope="module")
def display(corten):
    lacks = windows.missing() + ([] if os.path.exists(corten.path + "-view") else ["corten-view"])
    if lacks:
        print(f"NOTICE: corten view is not tested: no {', '.join(lacks)}")
        pytest.skip(f"no {', '.join(lacks)}")
    with windows.display() as name:
        yield name


class View(windows.Hands):
    """A window of the program."""

    def __init__(self, corten, display, folder, *args):
        self.folder = folder
        self.pictures = 0
        command = [corten.path, "view", *(("--bare", *SIZE) if "--width" not in args else ()), *map(str, args)]
        super().__init__(display, subprocess.Popen(command, cwd=folder, env={**os.environ, "DISPLAY": display}, stdout=subprocess.PIPE,
                                                   stderr=subprocess.PIPE, text=True))  # fmt: skip

    def picture(self):
        """What the window shows, without panels."""
        self.pictures += 1
        path = self.folder / f"corten-{self.pictures:03d}.png"
        self.key("ctrl+p")
        self.until(path.exists, "the picture")
        time.sleep(0.3)
        return read_png(path).astype(int)

    def close(self):
        self.key("ctrl+q")
        out, err = self.process.communicate(timeout=20)
        assert (self.process.returncode, out, err) == (0, "", "")


@pytest.fixture
def view(corten, display, tmp_path):
    views = []

    def start(*args):
        views.append(View(corten, display, tmp_path, *args))
        return views[-1]

    yield start
    for one in views:
        if one.process.poll() is None:
            one.process.kill()


@pytest.fixture
def world(tmp_path):
    path = tmp_path / "world.xml"
    path.write_text(WORLD)
    return path


def drawn(corten, tmp_path, *args):
    path = tmp_path / "drawn.png"
    assert corten("render", *args, "--png", path, *SIZE).returncode == 0
    return read_png(path).astype(int)


def differ(a, b):
    """Part of the pixels that are not about the same."""
    return (np.abs(a - b).max(axis=2) > 24).mean()


def centre_of_red(picture):
    ys, xs = np.nonzero((picture[:, :, 0] > 1.7 * picture[:, :, 1]) & (picture[:, :, 0] > 80))
    return int(xs.mean()), int(ys.mean())


def test_the_window_shows_what_pictures_show(corten, view, world, tmp_path):
    one = view(world, "--paused")
    assert differ(one.picture(), drawn(corten, tmp_path, world)) < 0.005
    one.key(*["Right"] * 15)  # single steps: the ball falls
    fallen = one.picture()
    assert differ(fallen, drawn(corten, tmp_path, world, "--time", 0.15)) < 0.005
    assert differ(fallen, drawn(corten, tmp_path, world)) > 0.01
    one.key("BackSpace")
    assert differ(one.picture(), drawn(corten, tmp_path, world)) < 0.005
    one.close()


def test_the_simulation_runs_and_pauses(corten, view, world, tmp_path):
    one = view(world)
    time.sleep(1.5)
    rest = drawn(corten, tmp_path, world, "--time", 2)
    assert differ(one.picture(), rest) < 0.005
    one.key("space", "Tab", "F1", "f", "c", "e", "l", "j", "1", "bracketright", "minus", "equal", "F1", "Tab")  # nothing breaks
    one.close()


def test_the_mouse_turns_the_camera_and_pulls_bodies(view, world):
    one = view(world, "--paused")
    before = one.picture()
    one.do("mousemove", "--window", one.window, 20, 20, "mousedown", 1)
    for x in range(20, 100, 10):
        one.do("mousemove", "--window", one.window, x, 20)
    one.do("mouseup", 1)
    turned = one.picture()
    assert differ(before, turned) > 0.02
    # the ball is red: hold it where it is, and pull it aside while the simulation is paused: it follows
    x, y = centre_of_red(turned)
    one.do("mousemove", "--window", one.window, x, y, "click", "--repeat", 2, "--delay", 80, 1)
    time.sleep(0.5)
    one.do("keydown", "ctrl", "mousedown", 3)
    for i in range(10):
        one.do("mousemove", "--window", one.window, x + 2 * i, y)
        time.sleep(0.05)
    one.do("mouseup", 3, "keyup", "ctrl")
    time.sleep(0.5)
    at = centre_of_red(one.picture())
    assert abs(at[0] - (x + 18)) < 6 and abs(at[1] - y) < 6
    one.close()


def test_labels_are_those_of_pictures(corten, view, world, display, tmp_path):
    one = view(world, "--paused")
    one.key("l")  # the first kind: bodies
    labelled = drawn(corten, tmp_path, world, "--show", "label:body")[:90]
    assert differ(labelled, drawn(corten, tmp_path, world)[:90]) > 0.003
    one.until(lambda: differ(display.screen()[:90, :160], labelled) < 0.001, "the label")  # below is a line of help
    one.close()


def test_panels_have_plots(view, world, display):
    """The section of contacts is opened with the mouse; the number of contacts is a line that jumps as the ball lands."""
    one = view(world, "--width", "640", "--height", "480")
    time.sleep(1)

    def line():
        return display.screen()[311:361, 18:304].min(axis=2) > 110  # light pixels, below the section's name in the one panel of a narrow window

    assert line().any(axis=0).mean() < 0.7
    one.do("mousemove", "--window", one.window, 120, 281, "click", 1)
    one.until(lambda: line().any(axis=0).mean() > 0.9, "the plot")
    assert np.ptp(np.nonzero(line())[0]) > 30  # the jump
    one.close()


def test_a_file_that_changes_is_loaded_again(corten, view, world, tmp_path):
    one = view(world, "--paused")
    red = one.picture()
    time.sleep(0.6)
    world.write_text(WORLD.replace('size=".3" rgba="1 0 0 1"', 'size=".3" rgba="0 1 0 1"'))
    time.sleep(2)
    green = one.picture()
    assert differ(red, green) > 0.01 and differ(green, drawn(corten, tmp_path, world)) < 0.005
    world.write_text("<mujoco><worldbody><bdy/></worldbody></mujoco>")  # the old one stays, and the window says why
    time.sleep(2)
    assert differ(one.picture(), green) < 0.005
    one.close()


def test_states_come_from_another_program(corten, view, world, tmp_path):
    address = tmp_path / "s"
    one = view(world, "--listen", address)
    with socket.socket(socket.AF_UNIX) as bad:  # garbage is cut off, and the next is heard
        bad.connect(str(address))
        bad.sendall(os.urandom(4096))
    with socket.socket(socket.AF_UNIX) as bad:
        bad.connect(str(address))
        bad.sendall(b"CTVIEW1\n" + struct.pack("=I", 4_000_000_000) + bytes(64))
    time.sleep(0.5)
    one.key("Escape")
    with socket.socket(socket.AF_UNIX) as good:
        good.connect(str(address))
        state = [3.0, 0.5, 0, 1.2, 1, 0, 0, 0] + 6 * [0.0]  # time, qpos, qvel
        good.sendall(b"CTVIEW1\n")
        for x in np.linspace(0, 0.5, 50):
            good.sendall(struct.pack(f"=I{len(state)}d", len(state), *(state[:1] + [x] + state[2:])))
        time.sleep(1)
    moved = WORLD.replace("</mujoco>", '<keyframe><key qpos=".5 0 1.2 1 0 0 0"/></keyframe></mujoco>')
    world.write_text(moved)
    assert differ(one.picture(), drawn(corten, tmp_path, world, "--keyframe", 0)) < 0.005
    one.close()
    assert not address.exists()


def test_senders_of_garbage_are_cut_off_one_after_the_other(view, world, tmp_path):
    address = tmp_path / "s"
    one = view(world, "--listen", address)
    nans = struct.pack("=I14d", 14, *[float("nan")] * 14)
    camera, option, items, overlay, hands, keys, none = (kind << 28 for kind in (1, 2, 3, 4, 5, 6, 15))
    head = struct.pack("=I", overlay | 10)  # a thing over the picture, without its points, text and pixels
    things = [head + struct.pack("=5I", *whole) + struct.pack("=13f", *13 * [number]) + bytes(8) for whole, number in [
        ((0, 0, 2, 0, 0), 1), ((9, 0, 0, 0, 0), 1), ((1, 0, 1 << 30, 0, 0), 1), ((2, 0, 1, 1 << 31, 0), 1), ((3, 0, 1, 0, 0xFFFFFFFF), 1),
        ((3, 0, 1, 0, 1 | 1 << 16), 1), ((2, 0, 1, 0xFFFFFFFF, 0), 1), ((1, 0, 1, 0, 0), float("nan")), ((1, 7, 0, 0, 0), 1)]]  # fmt: skip
    for garbage in [b"", b"CT", b"CTVIEW1", b"CTVIEW9\n", b"CTVIEW1\n\1", b"CTVIEW1\n" + struct.pack("=I", 14) + bytes(50), b"CTVIEW1\n" + nans * 3,
                    b"CTVIEW1\n" + struct.pack("=I", 0) * 1000, b"CTVIEW1\n" + struct.pack("=I3d", 3, 1, 2, 3), b"\0" * 100000,
                    b"CTVIEW1\n" + struct.pack("=I8d", camera | 8, *[float("nan")] * 8), b"CTVIEW1\n" + struct.pack("=I8d", camera | 8, 2, 7, *[1] * 6),
                    b"CTVIEW1\n" + struct.pack("=I", camera | 0xFFFFFFF), b"CTVIEW1\n" + struct.pack("=I", option) + struct.pack("=I2d", option | 2, 1, 9),
                    b"CTVIEW1\n" + struct.pack("=I", items | 2300) + b"\xff" * 18400, b"CTVIEW1\n" + struct.pack("=I", items | 23) + bytes(10),
                    b"CTVIEW1\n" + struct.pack("=I", none | 1) + bytes(8), b"CTVIEW1\n" + struct.pack("=I", hands | 1) + bytes(8),
                    b"CTVIEW1\n" + struct.pack("=I", keys | 1) + bytes(8), b"CTVIEW1\n" + struct.pack("=I", overlay | 0xFFFFFFF) + bytes(80),
                    *(b"CTVIEW1\n" + thing for thing in things)]:  # fmt: skip
        with socket.socket(socket.AF_UNIX) as sender:
            sender.connect(str(address))
            try:
                sender.sendall(garbage)
            except OSError:
                pass  # cut off meanwhile
            time.sleep(0.1)
    one.picture()  # it goes on
    one.close()


def test_a_window_that_is_closed_while_it_loads(view, world, tmp_path):
    one = view(world, "--paused")
    # a model that takes a while, dropped on the file; the window is closed meanwhile
    rows = "".join(f'<body pos="{i} 0 1"><freejoint/><geom size=".1"/></body>' for i in range(1500))
    world.write_text(f"<mujoco><worldbody>{rows}</worldbody></mujoco>")
    time.sleep(0.7)
    one.close()


def test_a_driver_that_is_too_old(corten, display, world):
    said = corten("view", world, env={"DISPLAY": display, "MESA_GL_VERSION_OVERRIDE": "2.1"})
    assert said.returncode == 1 and "no window with OpenGL 3.3" in said.stderr


def test_videos(view, world, tmp_path):
    if not shutil.which("ffmpeg"):
        pytest.skip("no ffmpeg")
    one = view(world)
    one.key("ctrl+r")
    time.sleep(1.5)
    one.key("ctrl+r")
    one.until((tmp_path / "corten-001.mp4").exists, "the video")
    one.close()
    assert (tmp_path / "corten-001.mp4").stat().st_size > 1000


def test_a_window_that_is_closed_ends_the_program(view, world):
    one = view(world)
    one.process.send_signal(signal.SIGTERM)  # exec: this is the window's own process
    one.process.wait(timeout=10)
    one = view(world)
    one.do("windowclose", one.window)
    one.process.wait(timeout=10)


def test_without_a_display(corten, world):
    if not os.path.exists(corten.path + "-view"):
        pytest.skip("no corten-view")
    said = corten("view", world, env={"DISPLAY": "", "WAYLAND_DISPLAY": ""})
    assert said.returncode == 1 and "no window can be opened here" in said.stderr and "corten render" in said.stderr


def test_what_is_wrong_is_said_before_a_window_opens(corten, world, tmp_path):
    for args, message in [((tmp_path / "none.xml",), "there is no such file"), ((world, "--keyframe", "x"), "there is no keyframe"), (("-",), "needs a MODEL file")]:
        said = corten("view", *args, env={"DISPLAY": ""})
        assert said.returncode in (1, 2) and message in said.stderr
