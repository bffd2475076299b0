"""Windows, by corten.viewer: launch() simulates in one, launch_passive() shows what a program does.

The window is a process of its own with its own camera and options, which the user sets there. What a program sets in the handle's
`cam`, `opt` and `user_scn` does not reach it, and a warning says so.
"""

import contextlib
import copy
import sys
import threading
import warnings

import corten.viewer

from ._drawing import MjrRect, MjvCamera, MjvOption, MjvPerturb, mjv_defaultFreeCamera
from ._functions import mj_forward
from ._scene import MjvScene
from ._structs import MjData, MjModel

_SIZE = (1280, 800)


class Handle:
    """A window that shows what a program does: sync() shows the data and takes over what the user did."""

    def __init__(self, window):
        self._window = window
        self._lock = threading.RLock()
        self.cam, self.opt, self.perturb = MjvCamera(), MjvOption(), MjvPerturb()
        mjv_defaultFreeCamera(window.model, self.cam)
        self.user_scn = MjvScene(window.model, 1000)
        self._as_opened = (copy.copy(self.cam), copy.copy(self.opt))
        self._told = set()

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
        """Show the data as it is, then take over what the user did."""
        for what, same in (("cam", self.cam == self._as_opened[0]), ("opt", self.opt == self._as_opened[1]),
                           ("user_scn", self.user_scn.ngeom == 0)):  # fmt: skip
            if not same:
                self._ignored(what)
        with self._lock:
            self._window.sync()

    def _ignored(self, what):
        if what not in self._told:
            self._told.add(what)
            warnings.warn(f"the window does not take over {what}: cameras and options are set in the window", stacklevel=3)

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
