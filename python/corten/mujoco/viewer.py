"""Windows, by corten.viewer: launch() simulates in one, launch_passive() shows what a program does.

The window is a process of its own. sync() brings it what a program sets in the handle's `cam`, `opt` and `user_scn`, and back what the user
does with them there.
"""

import contextlib
import copy
import sys
import threading
import warnings

import numpy as np

import corten.viewer
from corten import _core

from ._drawing import MjrRect, MjvCamera, MjvOption, MjvPerturb
from ._enums import mjtCamera
from ._functions import mj_forward
from ._scene import _FLAGS, _FRAMES, _GROUPS, _LABELS, ITEM, MjvScene, _camera_tuple, _fill_item
from ._structs import MjData, MjModel

_SIZE = (1280, 800)


def _option_numbers(opt, numbers):
    """An MjvOption in the numbers of the window, where that has such options."""
    numbers, many = list(numbers), len(_core.show_names)
    for name, on in zip(_FLAGS, opt.flags.tolist(), strict=True):
        if name:
            numbers[_core.show_names.index(name)] = int(on != 0)
    numbers[many:-3] = [int(on != 0) for group in _GROUPS for on in getattr(opt, group).tolist()]
    numbers[-3] = _core.frame_names.index(_FRAMES[opt.frame] or "none")
    numbers[-2] = _core.label_names.index(_LABELS[opt.label] or "none")
    return numbers


def _take_option(opt, numbers):
    """The other way round."""
    many = len(_core.show_names)
    for i, name in enumerate(_FLAGS):
        if name:
            opt.flags[i] = int(numbers[_core.show_names.index(name)])
    for k, group in enumerate(_GROUPS):
        setattr(opt, group, [int(on) for on in numbers[many + 6 * k : many + 6 * k + 6]])
    frame, label = _core.frame_names[int(numbers[-3])], _core.label_names[int(numbers[-2])]
    opt.frame = _FRAMES.index(frame) if frame in _FRAMES else 0
    opt.label = _LABELS.index(label) if label in _LABELS else 0


class Handle:
    """A window that shows what a program does: sync() shows the data and takes over what the user did."""

    def __init__(self, window):
        self._window = window
        self._lock = threading.RLock()
        self.cam, self.opt, self.perturb = MjvCamera(), MjvOption(), MjvPerturb()
        self.user_scn = MjvScene(window.model, 10000)
        self._items, self._told = b"", set()
        self._take_view()

    @property
    def m(self):
        """The model."""
        return self._window.model

    @property
    def d(self):
        """The data."""
        return self._window.data

    @property
    def viewport(self):
        """The window as it was opened."""
        return MjrRect(0, 0, *_SIZE)

    def is_running(self):
        """Whether the window is open."""
        return self._window.is_running()

    def lock(self):
        """Hold this while the data is changed by another thread."""
        return self._lock

    def sync(self, state_only=False):
        """Show the data as it is, with the camera, options and shapes of the handle, then take over what the user did."""
        with self._lock:
            if self.cam != self._known[0]:
                kind, number, x, y, z, *rest = _camera_tuple(self.m, self.cam)
                self._window.camera = corten.Camera(("free", "tracking", "fixed")[kind], number, (x, y, z), *rest)
            if self.opt != self._known[1]:
                self._window._send_option(_option_numbers(self.opt, self._window._option))
            items = self._user_items()
            if items != self._items:
                self._window._send_items(items)
                self._items = items
            self._window.sync()
            self._take_view()

    def _take_view(self):
        """The handle has what the window has."""
        camera = self._window.camera
        self.cam.type = getattr(mjtCamera, f"mjCAMERA_{camera.kind.upper()}")
        self.cam.fixedcamid = camera.id if camera.kind == "fixed" else -1
        self.cam.trackbodyid = camera.id if camera.kind == "tracking" else -1
        self.cam.lookat, self.cam.distance = camera.lookat, camera.distance
        self.cam.azimuth, self.cam.elevation = camera.azimuth, camera.elevation
        _take_option(self.opt, self._window._option)
        self.perturb.select = self._window.selected
        self._known = (copy.copy(self.cam), copy.copy(self.opt))

    def _user_items(self):
        """The shapes of user_scn, as bytes."""
        items = np.zeros(self.user_scn.ngeom, ITEM)
        drawn = [_fill_item(items[i], self.user_scn.geoms[i]) for i in range(len(items))]
        return items[np.array(drawn, bool)].tobytes()

    def _ignored(self, what):
        if what not in self._told:
            self._told.add(what)
            warnings.warn(f"the window does not take over {what}", stacklevel=3)

    def set_texts(self, texts):
        """Not shown: issues a warning."""
        self._ignored("texts")

    def set_figures(self, viewports_figures):
        """Not shown: issues a warning."""
        self._ignored("figures")

    def set_images(self, viewports_images):
        """Not shown: issues a warning."""
        self._ignored("images")

    def clear_texts(self):
        """There are none."""

    clear_figures = clear_images = clear_texts

    def _changed(self, number):
        self._ignored("changes of height fields, meshes and textures")

    update_hfield = update_mesh = update_texture = _changed

    def close(self):
        """Close the window."""
        self._window.close()

    def __enter__(self):
        return self

    def __exit__(self, *unused):
        self.close()


def launch_passive(model, data, *, key_callback=None, show_left_ui=True, show_right_ui=True):
    """Open a window for a program that steps by itself."""
    if not isinstance(model, MjModel):
        raise ValueError(f"`model` is not a mujoco.MjModel: got {model!r}")
    if not isinstance(data, MjData):
        raise ValueError(f"`data` is not a mujoco.MjData: got {data!r}")
    if key_callback is not None and not callable(key_callback):
        raise ValueError(f"`key_callback` is not callable: got {key_callback!r}")
    mj_forward(model, data)
    width, height = _SIZE
    window = corten.viewer.launch_passive(model, data, width=width, height=height, panels=bool(show_left_ui or show_right_ui))
    handle = Handle(window)
    if key_callback is not None:
        handle._ignored("key_callback")
    return handle


def launch(model=None, data=None, *, loader=None, show_left_ui=True, show_right_ui=True):
    """Simulate in a window until it is closed."""
    if loader is not None:
        if model is not None or data is not None:
            raise ValueError("model and data are given by the loader")
        model, data = loader()[:2]
    if model is None:
        raise ValueError("a window needs a model: launch(model), launch_from_path(path)")
    corten.viewer.launch(model, MjData(model) if data is None else data, panels=bool(show_left_ui or show_right_ui))


def launch_from_path(path):
    """Simulate a model file in a window until it is closed."""
    launch(MjModel.from_binary_path(path) if path.endswith(".mjb") else MjModel.from_xml_path(path))


def launch_repl(model, data):
    """Open a window for an interpreter, which goes on meanwhile."""
    return launch_passive(model, data)


if __name__ == "__main__":
    with contextlib.suppress(KeyboardInterrupt):
        _arguments = [word.removeprefix("--mjcf=") for word in sys.argv[1:] if word != "--mjcf"]
        if len(_arguments) != 1:
            sys.exit("usage: python -m corten.mujoco.viewer --mjcf=MODEL")
        launch_from_path(_arguments[0])
