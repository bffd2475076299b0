"""Renderer: pictures of a model."""

import html
import operator
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from . import _core
from ._objects import Data, Model

_BACKENDS = ("auto", "egl", "osmesa")
_KINDS = ("free", "tracking", "fixed")


@dataclass
class Camera:
    """Where a picture is taken from: `Renderer.camera()` gives one to begin with.

    A camera of kind "free" looks at a point from azimuth, elevation (degrees) and distance, one of kind "tracking" likewise at the
    centre of mass of the body `id`, one of kind "fixed" is the camera `id` of the model.
    """

    kind: str = "free"
    id: int = 0
    lookat: tuple = (0.0, 0.0, 0.0)
    distance: float = 1.0
    azimuth: float = 90.0
    elevation: float = -45.0

    __module__ = "corten"

    def _tuple(self):
        if self.kind not in _KINDS:
            raise ValueError(f"a camera is free, tracking or fixed, not {self.kind!r}")
        x, y, z = (float(v) for v in self.lookat)
        return (_KINDS.index(self.kind), operator.index(self.id), x, y, z, float(self.distance), float(self.azimuth), float(self.elevation))


class Renderer:
    """Draws pictures of a model without a screen: through EGL, on a GPU or in software, or by OSMesa.

        with corten.Renderer(model, 480, 640) as renderer:
            renderer.update(data, camera="side")
            pixels = renderer.render()

    `samples` are the samples per pixel that smooth edges (0: what the model says), `background` is the colour where there is no sky.
    A renderer may be used by one thread at a time.
    """

    __module__ = "corten"

    def __init__(self, model, height=240, width=320, *, backend="auto", samples=0, background=(0.0, 0.0, 0.0)):
        if not hasattr(_core, "make_renderer"):
            raise RuntimeError("this module was built without OpenGL (Debian packages libgl-dev, libegl-dev)")
        if backend not in _BACKENDS:
            raise ValueError(f"backend must be one of {', '.join(_BACKENDS)}, not {backend!r}")
        if not isinstance(model, Model):
            raise TypeError(f"model must be a corten.Model, not {type(model).__name__}")
        self.model = model
        self.height = operator.index(height)
        self.width = operator.index(width)
        colour = tuple(float(x) for x in background)
        if len(colour) != 3:
            raise ValueError("background must be three numbers: red, green, blue")
        samples = operator.index(samples)
        for name, value in (("height", self.height), ("width", self.width)):
            if not 1 <= value <= 16384:
                raise ValueError(f"{name} must be 1 to 16384, got {value}")
        if not 0 <= samples <= 64:
            raise ValueError(f"samples must be 0 to 64, got {samples}")
        self._core = _core.make_renderer(model, self.height, self.width, _BACKENDS.index(backend), samples, colour)

    def camera(self, name=None):
        """A Camera by the name or number of a camera of the model, "free", or "track:BODY"; None: the one to begin with."""
        if name is not None and not isinstance(name, str):
            number = operator.index(name)
            name = "free" if number == -1 else str(number)
        kind, number, x, y, z, distance, azimuth, elevation = self._core.find_camera(name)
        return Camera(_KINDS[kind], number, (x, y, z), distance, azimuth, elevation)

    def show(self, *names):
        """Show more from the next update on: "contactforce", "joint", "frame:body", "geomgroup:3", ..."""
        for name in names:
            self._core.show(name, True)

    def hide(self, *names):
        """Show less from the next update on: "shadow", "skybox", "static", "geomgroup:0", ..."""
        for name in names:
            self._core.show(name, False)

    def update(self, data, camera=None, *, selected=0):
        """Take over what there is to see of a Data, whose positions must be current.

        The camera is a Camera, or what camera() takes. The body `selected` glows.
        """
        if not isinstance(data, Data):
            raise TypeError(f"data must be a corten.Data, not {type(data).__name__}")
        if not isinstance(camera, Camera):
            camera = self.camera(camera)
        selected = operator.index(selected)
        if not 0 <= selected < self.model.nbody:
            raise ValueError(f"selected must be a body, 0 to {self.model.nbody - 1}, got {selected}")
        self._core.update(self.model, data, camera._tuple(), selected)

    def render(self):
        """Colours: an array of height x width x 3 bytes, the upper row first."""
        return np.frombuffer(self._core.colour(), np.uint8).reshape(self.height, self.width, 3)

    def depth(self):
        """Distances along the look of the camera in metres: height x width, float32. The far clipping plane where there is nothing."""
        return np.frombuffer(self._core.depth(), np.float32).reshape(self.height, self.width)

    def segmentation(self):
        """What each pixel shows: height x width x 2, the id of the object and its kind (corten.ObjType); -1 and -1 for nothing."""
        return np.frombuffer(self._core.segmentation(), np.int32).reshape(self.height, self.width, 2)

    def upload(self):
        """Take over textures and height fields of the model again, after they were changed."""
        self._core.upload()

    @property
    def name(self):
        """Who draws, as the driver says."""
        return self._core.name()

    def close(self):
        """Give back what the driver holds. Calls fail afterwards."""
        self._core.close()

    def __enter__(self):
        return self

    def __exit__(self, *unused):
        self.close()

    def __repr__(self):
        return f"<corten.Renderer {self.width} x {self.height}>"


class Replay:
    """A motion as a page for browsers, without network: positions (one row of `qpos` for each time) of a model.

        replay = corten.Replay(model, qpos, time)
        replay.save("run.html")

    At the end of a cell of a notebook it shows itself.
    """

    __module__ = "corten"

    def __init__(self, model, qpos, time=None):
        self.model = model
        self.qpos = np.atleast_2d(np.asarray(qpos, float))
        if self.qpos.ndim != 2 or self.qpos.shape[1] != model.nq or len(self.qpos) == 0:
            raise ValueError(f"qpos has rows of {model.nq} numbers, one for each time, not the shape {np.shape(qpos)}")
        self.time = np.arange(len(self.qpos)) * float(model.opt.timestep) if time is None else np.asarray(time, float)
        if self.time.shape != (len(self.qpos),) or not (np.diff(self.time) > 0).all():
            raise ValueError(f"time has {len(self.qpos)} numbers that rise")

    def save(self, path):
        """Write the page."""
        program = Path(__file__).with_name("corten-program")
        if not program.exists():
            raise RuntimeError("this package was built without the command-line program, which writes replays (CORTEN_CLI=ON builds it)")
        with tempfile.TemporaryDirectory(prefix="corten-") as folder:
            model, table = Path(folder) / "model.ctb", Path(folder) / "motion.csv"
            model.write_bytes(self.model.to_bytes())
            names = ["time", *(f"qpos.{i}" for i in range(self.model.nq))]
            np.savetxt(table, np.column_stack([self.time, self.qpos]), "%.9g", ",", header=",".join(names), comments="")
            said = subprocess.run([program, "render", model, "--recording", table, "--html", path], capture_output=True, text=True)
        if said.returncode != 0:
            raise RuntimeError(said.stderr.strip())

    def _repr_html_(self):
        with tempfile.TemporaryDirectory(prefix="corten-") as folder:
            self.save(Path(folder) / "replay.html")
            page = (Path(folder) / "replay.html").read_text()
        return f'<iframe srcdoc="{html.escape(page)}" width="100%" height="520" style="border:0"></iframe>'

    def __repr__(self):
        return f"<corten.Replay of {len(self.qpos)} states, {self.time[-1] - self.time[0]:g} s>"
