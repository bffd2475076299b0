"""MjrContext and what draws into it: pictures in memory, by the engine's renderer."""

import weakref

import numpy as np

from corten import _core

from ._drawing import MjrRect, _struct
from ._enums import mjtDepthMap, mjtFramebuffer, mjtRndFlag
from ._errors import FatalError
from ._scene import MjvScene

COLOUR, DEPTH, SEGMENTATION = range(3)

MjrRendererInfo = _struct("MjrRendererInfo", "Who draws.", renderer=(str, ""), backend=(str, ""))


class MjrContext:
    """A renderer of one model, and the picture it has drawn. There is no window: the picture is the offscreen buffer."""

    def __init__(self, model=None, fontscale=150):
        self.currentBuffer, self.windowAvailable = int(mjtFramebuffer.mjFB_OFFSCREEN), 0
        self.readDepthMap, self.readPixelFormat = mjtDepthMap.mjDEPTH_ZERONEAR, 0x1907
        self.fontScale, self.offWidth, self.offHeight, self.offSamples = int(fontscale), 0, 0, 0
        self._model, self._core, self._size = model, None, None
        self._rgb = self._drawn = self._depth = None
        if model is not None:
            if not hasattr(_core, "make_renderer"):
                raise FatalError("this module was built without OpenGL (Debian packages libgl-dev, libegl-dev)")
            self.offWidth, self.offHeight = int(model.vis.global_.offwidth), int(model.vis.global_.offheight)
            self.offSamples = int(model.vis.quality.offsamples)
            self._clear()

    def _clear(self):
        self._rgb = np.zeros((self.offHeight, self.offWidth, 3), np.uint8)  # the lower row first, as in OpenGL
        self._depth = np.ones((self.offHeight, self.offWidth), np.float32)  # zero near, one far
        self._drawn = None  # what the last call of mjr_render drew, until its depth is asked for

    def _picture(self, scene, height, width, kind):
        """One picture of a scene, the upper row first; segmentation in numbers of geoms."""
        if self._model is None:
            raise FatalError("the context has been freed")
        if scene._core is None:
            raise FatalError("the scene is empty: call mjv_updateScene first")
        if self._core is None:
            samples = max(self.offSamples, 1)
            self._core = _core.make_renderer(self._model, height, width, 0, samples, (0.0, 0.0, 0.0))
        elif self._size != (height, width):
            self._core.resize(height, width)
        self._size = (height, width)
        items, numbers = scene._draw_list()
        if kind == SEGMENTATION:
            items["id"], items["type"] = numbers, 0
        pixels = self._core.draw(scene._core, items, kind)
        shape, dtype = {COLOUR: ((3,), np.uint8), DEPTH: ((), np.float32), SEGMENTATION: ((2,), np.int32)}[kind]
        picture = np.frombuffer(pixels, dtype).reshape(height, width, *shape)
        return picture[..., 0] if kind == SEGMENTATION else picture

    def _find_depth(self):
        """The depth of what was drawn last, as OpenGL has it: zero at the near plane, one at the far one."""
        if self._drawn is None:
            return self._depth
        viewport, scene, version = self._drawn
        if scene._version != version:
            raise FatalError("the scene was updated after mjr_render: read its depth before that")
        metres = self._picture(scene, viewport.height, viewport.width, DEPTH).astype(float)
        eye = scene.camera[0]
        near, far = eye.frustum_near, eye.frustum_far
        reached = (far - metres) / (far - near) * (1 if eye.orthographic else near / metres)
        self._depth[_rows(viewport)] = (1 - reached)[::-1]
        self._drawn = None
        return self._depth

    def free(self):
        """Give back what the driver holds."""
        if self._core is not None:
            self._core.close()
        self._core = self._model = None


def _rows(viewport):
    return (slice(viewport.bottom, viewport.bottom + viewport.height), slice(viewport.left, viewport.left + viewport.width))


def _check(viewport, con):
    if not isinstance(con, MjrContext) or not isinstance(viewport, MjrRect):
        raise TypeError("expected an MjrRect and an MjrContext")
    if min(viewport.left, viewport.bottom, viewport.width, viewport.height) < 0:
        raise ValueError("the numbers of a viewport must be non-negative")


def _check_fit(viewport, con):
    if viewport.left + viewport.width > con.offWidth or viewport.bottom + viewport.height > con.offHeight:
        raise FatalError(
            f"a viewport of {viewport.width} x {viewport.height} does not fit the buffer of {con.offWidth} x {con.offHeight}: "
            '<visual><global offwidth="" offheight=""/></visual>'
        )


def _segment_colours(numbers, ids):
    """Numbers of geoms as colours: 24 bits of number + 1, or colours that are easily told apart."""
    code = (numbers + 1).astype(np.uint32)
    if not ids:
        code = np.where(code, (code * np.uint32(2654435761)) >> np.uint32(8), 0)
    return np.stack([code & 255, (code >> 8) & 255, (code >> 16) & 255], axis=-1).astype(np.uint8)


def mjr_render(viewport, scn, con):
    """Draw a scene into a part of the picture."""
    _check(viewport, con)
    _check_fit(viewport, con)
    if not viewport.width * viewport.height:
        return
    if not isinstance(scn, MjvScene):
        raise TypeError(f"expected MjvScene, got {type(scn).__name__}")
    if scn.flags[mjtRndFlag.mjRND_SEGMENT]:
        numbers = con._picture(scn, viewport.height, viewport.width, SEGMENTATION)
        picture = _segment_colours(numbers, scn.flags[mjtRndFlag.mjRND_IDCOLOR])
    else:
        picture = con._picture(scn, viewport.height, viewport.width, COLOUR)
    con._rgb[_rows(viewport)] = picture[::-1]
    con._drawn = (MjrRect(**vars(viewport)), scn, scn._version)


def mjr_readPixels(rgb, depth, viewport, con):
    """Copy a part of the picture, the lower row first; either output may be None."""
    _check(viewport, con)
    colours, depths = _buffers(rgb, depth, viewport)
    _check_fit(viewport, con)
    if rgb is not None:
        colours[...] = con._rgb[_rows(viewport)]
    if depth is not None:
        found = con._find_depth()[_rows(viewport)]
        depths[...] = 1 - found if con.readDepthMap == mjtDepthMap.mjDEPTH_ZEROFAR else found


def _buffers(rgb, depth, viewport):
    shape = (viewport.height, viewport.width)
    return (None if rgb is None else _pixels("rgb", rgb, np.uint8, (*shape, 3)),
            None if depth is None else _pixels("depth", depth, np.float32, shape))  # fmt: skip


def _pixels(name, array, dtype, shape):
    """The head of a buffer of the program, as pixels."""
    if not isinstance(array, np.ndarray) or array.dtype != dtype:
        raise TypeError(f"{name} must be an array of {np.dtype(dtype).name}")
    if not array.flags.c_contiguous:
        raise ValueError(f"{name} buffer must be C-contiguous")
    if array.size < np.prod(shape):
        raise ValueError(f"{name} buffer is too small: {shape} pixels, {array.size} numbers")
    return array.reshape(-1)[: np.prod(shape)].reshape(shape)


def mjr_drawPixels(rgb, depth, viewport, con):
    """Copy pixels into a part of the picture, the lower row first; either may be None."""
    _check(viewport, con)
    colours, depths = _buffers(rgb, depth, viewport)
    _check_fit(viewport, con)
    if rgb is not None:
        con._rgb[_rows(viewport)] = colours
    if depth is not None:
        con._find_depth()[_rows(viewport)] = depths


def mjr_resizeOffscreen(width, height, con):
    """Another size of the picture."""
    con.offWidth, con.offHeight = int(width), int(height)
    con._clear()


_current = None  # the context that mjr_rectangle draws into, as OpenGL has one that is current


def mjr_setBuffer(framebuffer, con):
    """Draw into this context; there is one buffer only, the offscreen one."""
    global _current
    _current = weakref.ref(con)


def mjr_rectangle(viewport, r, g, b, a):
    """Fill a part of the picture of the context that mjr_setBuffer() named last."""
    con = _current() if _current is not None else None
    if con is None:
        raise FatalError("mjr_rectangle: call mjr_setBuffer first")
    _check(viewport, con)
    _check_fit(viewport, con)
    part = con._rgb[_rows(viewport)]
    part[...] = np.round(part * (1 - a) + 255 * a * np.array([r, g, b]))


def mjr_restoreBuffer(con):
    """There is one buffer only: the offscreen one."""


def mjr_maxViewport(con):
    """The whole picture."""
    return MjrRect(0, 0, con.offWidth, con.offHeight)


def _upload(what, count):
    def function(m, con, number):
        if not 0 <= number < getattr(m, count):
            raise FatalError(f"{what} {number} is out of range")
        if con._core is not None:
            con._core.upload()

    function.__doc__ = f"Take over a {what} of the model after it was changed."
    return function


mjr_uploadTexture, mjr_uploadHField = _upload("texture", "ntex"), _upload("height field", "nhfield")


def mjr_findRect(x, y, rect):
    """Which of some rectangles a point is in; -1 for none. The first one is the whole window."""
    for i in range(len(rect) - 1, 0, -1):
        r = rect[i]
        if r.left <= x < r.left + r.width and r.bottom <= y < r.bottom + r.height:
            return i
    return -1


def mjr_finish():
    """Everything is drawn when a call returns."""


def mjr_getError():
    """Trouble of the driver raises when it happens: always 0."""
    return 0


def mjr_defaultRendererInfo(info):
    """An MjrRendererInfo to its defaults."""
    info.renderer = info.backend = ""


def mjr_getRendererInfo(info):
    """Who draws."""
    info.renderer, info.backend = "classic", "opengl"


__all__ = ["MjrContext", "MjrRendererInfo", *(name for name in globals() if name.startswith("mjr_"))]
