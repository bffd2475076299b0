"""Renderer: pictures of a model, as arrays of NumPy."""

import numpy as np

from ._drawing import MjvCamera, MjvOption, mjv_defaultFreeCamera
from ._enums import mjtCamera, mjtCatBit, mjtDepthMap, mjtFontScale, mjtObj
from ._functions import mj_name2id
from ._render import COLOUR, DEPTH, SEGMENTATION, MjrContext
from ._scene import MjvScene, mjv_updateScene


class Renderer:
    """Draws what update_scene() has taken over: colours, depth in metres, or the objects of pixels."""

    def __init__(self, model, height=240, width=320, max_geom=10000, font_scale=mjtFontScale.mjFONTSCALE_150):
        self._context = None
        for name, size, most in (("width", width, model.vis.global_.offwidth), ("height", height, model.vis.global_.offheight)):
            if size > most:
                raise ValueError(
                    f"Image {name} {size} > framebuffer {name} {most}. A larger one is set in the model: "
                    f'<visual><global off{name}="{size}"/></visual>'
                )
        self._model, self._height, self._width = model, height, width
        self._scene, self._option = MjvScene(model, max_geom), MjvOption()
        self._context = MjrContext(model, font_scale)
        self._context.readDepthMap = mjtDepthMap.mjDEPTH_ZEROFAR
        self._kind = COLOUR

    @property
    def model(self):
        """The model."""
        return self._model

    @property
    def scene(self):
        """What is drawn; shapes may be added to it."""
        return self._scene

    @property
    def height(self):
        """Pixels."""
        return self._height

    @property
    def width(self):
        """Pixels."""
        return self._width

    def enable_depth_rendering(self):
        """From now on render() gives distances along the look of the camera, in metres."""
        self._kind = DEPTH

    def disable_depth_rendering(self):
        """Colours again."""
        if self._kind == DEPTH:
            self._kind = COLOUR

    def enable_segmentation_rendering(self):
        """From now on render() gives the id and the kind of the object of each pixel, -1 and -1 for nothing."""
        self._kind = SEGMENTATION

    def disable_segmentation_rendering(self):
        """Colours again."""
        if self._kind == SEGMENTATION:
            self._kind = COLOUR

    def update_scene(self, data, camera=-1, scene_option=None):
        """Take over what there is to see. The camera is a name, a number (-1: the free one) or an MjvCamera."""
        if not isinstance(camera, MjvCamera):
            camera = self._find_camera(camera)
        mjv_updateScene(self._model, data, scene_option or self._option, None, camera, mjtCatBit.mjCAT_ALL, self._scene)

    def _find_camera(self, which):
        number = which
        if isinstance(which, str):
            number = mj_name2id(self._model, mjtObj.mjOBJ_CAMERA, which)
            if number == -1:
                raise ValueError(f'The camera "{which}" does not exist.')
        if not -1 <= number < self._model.ncam:
            raise ValueError(f"The camera id {number} is out of range [-1, {self._model.ncam}).")
        camera = MjvCamera()
        if number == -1:
            mjv_defaultFreeCamera(self._model, camera)
        else:
            camera.type, camera.fixedcamid = mjtCamera.mjCAMERA_FIXED, number
        return camera

    def render(self, *, out=None):
        """The picture, the upper row first: a new array, or `out`, which must have its shape."""
        if self._context is None:
            raise RuntimeError("render cannot be called after close.")
        shape = (self._height, self._width, *{COLOUR: (3,), DEPTH: (), SEGMENTATION: (2,)}[self._kind])
        if out is not None and out.shape != shape:
            raise ValueError(f"Expected `out.shape == {shape}`. Got `out.shape={out.shape}` instead.")
        picture = self._context._picture(self._scene, self._height, self._width, self._kind)
        if self._kind == SEGMENTATION:
            picture = self._objects(picture)
        if out is None:
            return picture
        np.copyto(out, picture, casting="unsafe")
        return out

    def _objects(self, numbers):
        """Numbers of geoms to the objects they belong to."""
        table = np.full((self._scene.ngeom + 1, 2), -1, np.int32)  # the last row is for nothing
        known = min(len(self._scene._items), self._scene.ngeom)
        table[:known, 0], table[:known, 1] = self._scene._items["id"][:known], self._scene._items["type"][:known]
        for i, geom in self._scene._geoms._made.items():
            if i < self._scene.ngeom:
                table[i] = geom.objid, geom.objtype
        return table[numbers]

    def close(self):
        """Give back what the driver holds."""
        if self._context is not None:
            self._context.free()
        self._context = None

    def __enter__(self):
        return self

    def __exit__(self, *unused):
        self.close()

    def __del__(self):
        self.close()


__all__ = ["Renderer"]
