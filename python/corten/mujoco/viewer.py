"""Windows, by corten.viewer: launch() simulates in one, launch_passive() shows what a program does.

The window is a process of its own. sync() brings it what a program sets in the handle's `cam`, `opt`, `user_scn`, its texts, figures and images,
and back what the user does there: `cam`, `opt`, `perturb`. Keys come at once, by a thread of their own.
"""

import contextlib
import copy
import sys
import threading
import warnings

import numpy as np

import corten.viewer
from corten import _core

from ._arguments import REAL
from ._drawing import MjrRect, MjvCamera, MjvOption, MjvPerturb
from ._enums import mjtCamera, mjtPertBit
from ._functions import mj_forward
from ._math import mju_mulQuat
from ._overlays import figure_things, image_things, text_things
from ._perturb import _begin, mjv_applyPerturbForce, mjv_applyPerturbPose
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
        self._over = {"images": [], "figures": [], "texts": []}  # drawn in this order
        self._redraw, self._pull, self._pushed, self._clicked = False, None, 0, (0, None)
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
        """The part of the window that panels leave free, from its lower left corner on."""
        left, _, width, height = self._window.area
        return MjrRect(left, 0, width, height)

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
            if self.opt != self._known[1] or self.perturb.select != self._known[2]:
                numbers = _option_numbers(self.opt, self._window._option)
                numbers[-1] = self.perturb.select if 0 < self.perturb.select < self.m.nbody else 0
                self._window._send_option(numbers)
            items = self._user_items()
            if items != self._items:
                self._window._send_items(items)
                self._items = items
            if self._redraw:
                self._window.set_overlay([thing for things in self._over.values() for thing in things])
                self._redraw = False
            self._window.sync()
            self._take_view()
            self._take_pull()

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
        self._known = (copy.copy(self.cam), copy.copy(self.opt), self.perturb.select)

    def _take_pull(self):
        """The user holds a body: `perturb` says how, and the force goes into `xfrc_applied`, as it does with one that the program has set."""
        pull, pert = self._window.pull, self.perturb
        if pull is not None:
            pert.select, pert.localpos = pull.body, pull.point
            if self._pull is None or self._pull.body != pull.body:
                _begin(self.m, self.d, pull.body, pert)
            pert.active = int(mjtPertBit.mjPERT_TRANSLATE if pull.move else mjtPertBit.mjPERT_ROTATE)
            if pull.move:
                pert.refpos = pert.refpos + (np.array(pull.target) - pert.refselpos)
                pert.refselpos = pull.target
            else:
                quat = np.zeros(4, REAL)
                mju_mulQuat(quat, np.array(pull.quat, REAL), self.m.body_iquat[pull.body])
                pert.refquat = quat
        else:
            if self._pull is not None:
                pert.active = 0
            if pert.select != self._clicked[0] or self._window._hands[7:10] != self._clicked[1]:  # another body was chosen, or point
                self._clicked = (pert.select, self._window._hands[7:10])
                pert.localpos = self._clicked[1]
        self._pull = pull
        held = pert.select if (pert.active | pert.active2) and 0 < pert.select < self.m.nbody else 0
        if self._pushed and self._pushed != held:
            self.d.xfrc_applied[self._pushed] = 0
        self._pushed = held
        mjv_applyPerturbPose(self.m, self.d, pert, 0)
        mjv_applyPerturbForce(self.m, self.d, pert)

    def _user_items(self):
        """The shapes of user_scn, as bytes."""
        items = np.zeros(self.user_scn.ngeom, ITEM)
        drawn = [_fill_item(items[i], self.user_scn.geoms[i]) for i in range(len(items))]
        return items[np.array(drawn, bool)].tobytes()

    def _ignored(self, what):
        if what not in self._told:
            self._told.add(what)
            warnings.warn(f"the window does not take over {what}", stacklevel=3)

    def _set_over(self, kind, make, given):
        things = make([given] if isinstance(given, tuple) else given)
        with self._lock:
            self._over[kind], self._redraw = things, True

    def set_texts(self, texts):
        """Show texts from the next sync on: (font, gridpos, left column, right column), or a list of such."""
        self._set_over("texts", text_things, texts)

    def set_figures(self, viewports_figures):
        """Show plots from the next sync on: (MjrRect, MjvFigure), or a list of such."""
        self._set_over("figures", figure_things, viewports_figures)

    def set_images(self, viewports_images):
        """Show images from the next sync on: (MjrRect, height x width x 3 bytes), or a list of such."""
        self._set_over("images", image_things, viewports_images)

    def clear_texts(self):
        """Show no texts from the next sync on."""
        self.set_texts([])

    def clear_figures(self):
        """Show no plots from the next sync on."""
        self.set_figures([])

    def clear_images(self):
        """Show no images from the next sync on."""
        self.set_images([])

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
    panels = bool(show_left_ui or show_right_ui)
    return Handle(corten.viewer.launch_passive(model, data, width=width, height=height, panels=panels, key_callback=key_callback))


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
