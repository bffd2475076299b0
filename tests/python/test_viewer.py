"""corten.viewer: windows of a Python program, on a display that nobody looks at."""

import contextlib
import sys
import threading
import time
from pathlib import Path

import numpy as np
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
        windows.Hands(display, viewer._window._process).key("BackSpace")
        until(viewer, lambda: data.time == 0)
    assert not viewer.is_running()
    with pytest.raises(ValueError, match="not a mujoco.MjModel"):
        mujoco.viewer.launch_passive(data, model)
    with pytest.raises(ValueError, match="needs a model"):
        mujoco.viewer.launch()


BOX = """<mujoco><option gravity="0 0 0"/><worldbody><light pos="0 0 5"/>
  <body pos="0 0 1"><freejoint/><geom type="box" size=".3 .2 .1"/></body></worldbody></mujoco>"""


@pytest.fixture
def door(scene, monkeypatch):
    """A small window through the door, which begins without texts of its own."""
    import corten.mujoco as mujoco
    import corten.mujoco.viewer

    monkeypatch.setattr(corten.mujoco.viewer, "_SIZE", (400, 300))
    model = mujoco.MjModel.from_xml_string(BOX)
    data = mujoco.MjData(model)

    def launch(**options):
        viewer = mujoco.viewer.launch_passive(model, data, show_left_ui=False, show_right_ui=False, **options)
        viewer.cam.lookat, viewer.cam.distance = [0, 0, 1], 3
        viewer.sync()
        return viewer

    return mujoco, model, data, scene[2], launch


def share(pixels, colour, near=40):
    """Which part of pixels has a colour."""
    return float((np.abs(pixels - np.array(colour)).max(axis=-1) < near).mean())


def test_texts_figures_and_images_are_over_the_picture(door):
    mujoco, _, _, display, launch = door
    with launch() as viewer:
        assert viewer.viewport == mujoco.MjrRect(0, 0, 400, 300)
        image = np.zeros((40, 60, 3), np.uint8)
        image[:20], image[20:] = [255, 0, 0], [0, 0, 255]
        viewer.set_images((mujoco.MjrRect(300, 10, 60, 40), image))
        figure = mujoco.MjvFigure()
        mujoco.mjv_defaultFigure(figure)
        figure.linepnt[0], figure.title, figure.linename[0] = 50, "a plot", "ramp"
        figure.linedata[0, :100:2] = figure.linedata[0, 1:100:2] = np.arange(50)
        viewer.set_figures([(mujoco.MjrRect(10, 10, 150, 120), figure)])
        grid = mujoco.mjtGridPos
        viewer.set_texts([(None, grid.mjGRID_TOPRIGHT, "MMMMMMMM\nMMMM", None), (mujoco.mjtFont.mjFONT_BIG, grid.mjGRID_TOPLEFT, "M", "\u03a9")])
        until(viewer, lambda: share(display.screen()[252:268, 302:358], [255, 0, 0]) > 0.95)
        screen = display.screen()
        assert share(screen[272:288, 302:358], [0, 0, 255]) > 0.95  # the lower half, above the lower edge of the window
        plot = screen[172:288, 12:158]
        assert share(plot, [0, 0, 0]) > 0.7 and 0.01 < share(plot, [255, 77, 77]) < 0.1 and share(plot, [255, 255, 255], 100) > 0.005
        rows, columns = np.nonzero(np.abs(plot - [255, 77, 77]).max(axis=-1) < 40)
        line = columns < 100  # the rest is the legend, too
        assert np.corrcoef(rows[line], columns[line])[0, 1] < -0.9  # it goes up
        assert share(screen[5:40, 320:395], [255, 255, 255], 60) > 0.03 and share(screen[5:40, 5:60], [255, 255, 255], 60) > 0.03
        assert share(screen[45:150, 200:395], [255, 255, 255], 30) < 0.01
        viewer.clear_images()
        viewer.clear_figures()
        viewer.clear_texts()
        until(viewer, lambda: share(display.screen()[252:268, 302:358], [255, 0, 0]) == 0)
        assert share(display.screen()[172:288, 12:158], [0, 0, 0], 10) < 0.1
        with pytest.raises(ValueError, match="does not match target shape"):
            viewer.set_images((mujoco.MjrRect(0, 0, 61, 40), image))
        with pytest.raises(TypeError, match="MjvFigure"):
            viewer.set_figures((mujoco.MjrRect(0, 0, 61, 40), image))
        with pytest.raises(ValueError):
            viewer.set_texts((0, 99, "a", "b"))
        viewer.set_images([(mujoco.MjrRect(0, 0, 2000, 2000), np.zeros((2000, 2000, 3), np.uint8))] * 3)
        with pytest.raises(ValueError, match="at most 33554432"):  # 36 MB
            viewer.sync()
        viewer.clear_images()
        viewer.sync()
        assert viewer.is_running()


def test_keys_come_without_sync(door):
    _, _, _, display, launch = door
    keys = []
    with launch(key_callback=keys.append) as viewer:
        windows.Hands(display, viewer._window._process).key("space", "a", "Right")
        deadline = time.time() + 20
        while len(keys) < 3 and time.time() < deadline:
            time.sleep(0.02)
        assert keys == [32, 65, 262]
        viewer.sync()
        assert viewer.is_running()


def test_what_the_mouse_holds_is_a_perturbation(door):
    mujoco, model, data, display, launch = door
    with launch() as viewer:
        hands = windows.Hands(display, viewer._window._process)
        here = ("mousemove", "--window", hands.window, 200, 150)
        hands.do(*here, "click", 1, "click", 1)
        until(viewer, lambda: viewer.perturb.select == 1)
        until(viewer, lambda: viewer.perturb.localpos.any())
        hands.do(*here, "keydown", "ctrl", "mousedown", 3)
        time.sleep(0.3)
        hands.do("mousemove", "--window", hands.window, 240, 150)
        pert = viewer.perturb
        until(viewer, lambda: pert.active == 1 and pert.refselpos[0] > 0.05)
        for _ in range(5):
            viewer.sync()  # what is on the way comes
            time.sleep(0.02)
        assert pert.select == 1 and pert.localmass > 0 and data.xfrc_applied[1, 0] > 0
        alone = mujoco.MjData(model)
        mujoco.mj_forward(model, alone)
        mujoco.mjv_applyPerturbForce(model, alone, pert)
        assert alone.xfrc_applied[1] == pytest.approx(data.xfrc_applied[1], abs=1e-9)
        assert pert.refpos - data.xipos[1] == pytest.approx(pert.refselpos - (data.xpos[1] + pert.localpos), abs=1e-6)
        for _ in range(20):
            mujoco.mj_step(model, data)
            viewer.sync()
        assert data.qpos[0] > 0.001  # it comes
        hands.do("mouseup", 3, "keyup", "ctrl")
        until(viewer, lambda: pert.active == 0)
        assert not data.xfrc_applied.any() and pert.select == 1
        # a program holds a body itself
        pert.active, pert.refselpos = 1, [0, 0, 3]
        viewer.sync()
        assert data.xfrc_applied[1, 2] > 0
        pert.active, pert.select = 0, 0
        viewer.sync()
        assert not data.xfrc_applied.any()


def test_figures_may_have_anything_in_them():
    """No numbers, too many points, ranges of nothing, formats that are none, bars, no room."""
    import corten.mujoco as mujoco
    from corten.mujoco._overlays import figure_things

    def draw(rect=(0, 0, 100, 80), **members):
        figure = mujoco.MjvFigure()
        mujoco.mjv_defaultFigure(figure)
        figure.linepnt[0] = 4
        figure.linedata[0, :8] = [0, 1, 1, 3, 2, np.nan, 3, -2]
        for name, value in members.items():
            setattr(figure, name, value)
        return figure_things([(mujoco.MjrRect(*rect), figure)])

    usual = draw()
    assert len(usual) == 2 + 2 * 4 + 1  # rectangles, grid and numbers, the line
    assert len(draw(flg_legend=0, flg_ticklabel=[0, 0])) == 2 + 4 + 1
    assert len(draw(flg_barplot=1)) == len(usual)  # three points are one bar
    assert len(draw(linepnt=[5000] + 99 * [0])) == len(usual)
    for members in ({"range": [[1, 1], [2, 1]]}, {"flg_extend": 0}, {"xformat": "%s %s", "yformat": "%"}, {"flg_symmetric": 1, "flg_selection": 1, "highlightid": 0},
                    {"gridsize": [0, 7]}, {"linepnt": 100 * [-1]}, {"rect": (0, 0, 1, 1)}, {"rect": (-50, -50, 10, 10)}):  # fmt: skip
        assert all(isinstance(thing, bytes) for thing in draw(**members))
