"""corten.viewer: windows of a Python program, on a display that nobody looks at."""

import contextlib
import sys
import threading
import time
from pathlib import Path

import pytest

import corten
import corten.viewer

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import display as windows  # noqa: E402

BALL = "<mujoco><worldbody><body pos='0 0 1'><freejoint/><geom size='.1'/></body></worldbody></mujoco>"


@pytest.fixture(scope="module")
def display():
    if windows.missing() or not Path(corten.__file__).with_name("corten-program-view").exists():
        pytest.skip("no Xvfb, xdotool or corten-view")
    with windows.display() as name:
        yield name


@pytest.fixture
def scene(display, monkeypatch):
    monkeypatch.setenv("DISPLAY", display)
    model = corten.Model.from_xml_string(BALL)
    return model, corten.Data(model), display


def is_green(colour):
    return colour[1] > 1.5 * colour[0] and colour[1] > 1.5 * colour[2]


def until(window, done):
    deadline = time.time() + 20
    while not done():
        assert time.time() < deadline
        window.sync()
        time.sleep(0.02)


def test_a_passive_window_tells_what_the_user_does(scene):
    model, data, display = scene
    with corten.viewer.launch_passive(model, data, width=200, height=150, panels=False) as window:
        hands = windows.Hands(display, window._process)
        corten.step(model, data, nstep=50)
        window.sync()
        assert window.is_running() and not window.paused and window.speed == 1
        hands.key("space", "equal")
        until(window, lambda: window.paused and window.speed == 2)
        hands.key("Right", "Right")
        until(window, lambda: window.steps == 2)
        assert data.time == pytest.approx(0.1)
        hands.key("BackSpace")  # the reset comes back
        until(window, lambda: data.time == 0 and data.qpos[2] == 1)
        assert window.changed
        hands.key("ctrl+q")
        until(window, lambda: not window.is_running())
        window.sync()  # nothing happens
    assert "closed" in repr(window)


def test_camera_and_options_go_both_ways(scene):
    model, data, display = scene
    corten.forward(model, data)
    with corten.viewer.launch_passive(model, data, width=200, height=150, panels=False) as window:
        hands = windows.Hands(display, window._process)
        camera = window.camera
        assert camera == corten.Renderer(model).camera()  # as pictures have it
        camera.azimuth, camera.distance = 30.0, 7.0
        window.camera = camera
        window.show("contactforce", "label:body", "frame:world", "geomgroup:4")
        window.hide("geomgroup:0", "shadow")
        window.sync()
        hands.key("j")  # the user shows joints
        until(window, lambda: window._option[corten._core.show_names.index("joint")] == 1)
        assert window.camera == camera and window._option[corten._core.show_names.index("contactforce")] == 1
        assert window._option[corten._core.show_names.index("shadow")] == 0 and window._option[-2] == 1 and window._option[-3] == 1
        hands.do("mousemove", "--window", hands.window, 20, 20, "mousedown", 1, "mousemove", "--window", hands.window, 60, 20, "mouseup", 1)
        until(window, lambda: window.camera.azimuth != 30)  # and turns the camera
        assert window.camera.distance == 7 and window.selected == 0
        with pytest.raises(ValueError, match="contactforce"):
            window.show("contactforces")
        with pytest.raises(ValueError):
            window.hide("geomgroup:9")


def test_launch_simulates_until_the_window_is_closed(scene, monkeypatch):
    model, data, display = scene
    opened, Window = [], corten.viewer.Window
    monkeypatch.setattr(corten.viewer, "Window", lambda *args, **options: opened.append(Window(*args, **options)) or opened[-1])

    def close():
        while not opened:
            time.sleep(0.05)
        hands = windows.Hands(display, opened[0]._process)
        time.sleep(1)
        hands.key("ctrl+q")

    thread = threading.Thread(target=close)
    thread.start()
    assert corten.viewer.launch(model, data, width=200, height=150) is data
    thread.join()
    assert data.time > 0.5  # about real time


def test_what_is_wrong_is_said(scene, monkeypatch):
    model, data, _ = scene
    with pytest.raises(TypeError, match="Model"):
        corten.viewer.launch_passive(data, model)
    monkeypatch.setenv("DISPLAY", "")
    with pytest.raises(RuntimeError, match="no window can be opened here"), contextlib.closing(corten.viewer.launch_passive(model, data)):
        pass


def test_windows_through_the_door(scene):
    import corten.mujoco as mujoco
    import corten.mujoco.viewer

    _, _, display = scene
    model = mujoco.MjModel.from_xml_string(BALL)
    data = mujoco.MjData(model)
    with mujoco.viewer.launch_passive(model, data, show_left_ui=False, show_right_ui=False) as viewer:
        assert viewer.is_running() and viewer.m is model and viewer.d is data
        for _ in range(20):
            with viewer.lock():
                mujoco.mj_step(model, data)
            viewer.sync()
        # what a program sets in the handle is seen: a far camera, a shape of its own; the mouse changes the camera again
        viewer.cam.distance, viewer.cam.azimuth = 9, 40
        viewer.opt.flags[mujoco.mjtVisFlag.mjVIS_JOINT] = 1
        viewer.opt.geomgroup[0] = 0
        mujoco.mjv_initGeom(viewer.user_scn.geoms[0], mujoco.mjtGeom.mjGEOM_SPHERE, [1, 0, 0], viewer.cam.lookat, [1, 0, 0, 0, 1, 0, 0, 0, 1], [0, 1, 0, 1])
        viewer.user_scn.ngeom = 1
        until(viewer, lambda: is_green(display.screen()[380:420, 590:630].mean(axis=(0, 1))))
        assert (viewer.cam.distance, viewer.cam.azimuth) == (9, 40) and viewer.opt.flags[mujoco.mjtVisFlag.mjVIS_JOINT] == 1
        hands = windows.Hands(display, viewer._window._process)
        hands.do("mousemove", "--window", hands.window, 20, 20, "mousedown", 1, "mousemove", "--window", hands.window, 90, 20, "mouseup", 1)
        until(viewer, lambda: viewer.cam.azimuth != 40)
        viewer.user_scn.ngeom = 0
        until(viewer, lambda: not is_green(display.screen()[380:420, 590:630].mean(axis=(0, 1))))
        with pytest.warns(UserWarning, match="does not take over texts"):
            viewer.set_texts([])
        windows.Hands(display, viewer._window._process).key("BackSpace")
        until(viewer, lambda: data.time == 0)
    assert not viewer.is_running()
    with pytest.raises(ValueError, match="not a mujoco.MjModel"):
        mujoco.viewer.launch_passive(data, model)
    with pytest.raises(ValueError, match="needs a model"):
        mujoco.viewer.launch()
