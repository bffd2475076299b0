"""What render() of an environment gives: the pictures of Gymnasium's MuJoCo environments, by corten.Renderer."""

import numpy as np

import corten

MODES = ("rgb_array", "depth_array", "rgbd_tuple")


class Pictures:
    """Draws one data after another. The renderer is made when the first picture is asked for."""

    def __init__(self, model, mode, settings, *, width=480, height=480, camera_id=None, camera_name=None):
        if camera_id is not None and camera_name is not None:
            raise ValueError("Both `camera_id` and `camera_name` cannot be specified at the same time.")
        self.model, self.mode = model, mode
        self._size, self._settings = (height, width), settings
        self._which = camera_name if camera_id is None else camera_id
        self._renderer = self._camera = None

    def _start(self, data):
        self._renderer = corten.Renderer(self.model, *self._size)
        if self._which not in (None, -1):
            self._camera = self._renderer.camera(self._which)
            return
        # where the originals stand, unless the task says otherwise; a tracked body only counts for cameras that track
        self._camera = corten.Camera("free", 0, tuple(np.median(data.geom_xpos, axis=0)), self.model.stat.extent)
        for name, value in self._settings.items():
            if name != "trackbodyid":
                setattr(self._camera, name, value)

    def draw(self, data):
        """A picture of a data whose positions are current."""
        if self._renderer is None:
            self._start(data)
        self._renderer.update(data, self._camera)
        colours = self._renderer.render() if self.mode != "depth_array" else None
        if self.mode == "rgb_array":
            return colours
        depth = self._depth(self._renderer.depth().astype(float))
        return depth if self.mode == "depth_array" else (colours, depth)

    def _depth(self, metres):
        """As the originals have it: that of OpenGL, from 0 at the near clipping plane to 1 at the far one."""
        extent, near_far = self.model.stat.extent, self.model.vis.map
        near, far = near_far.znear * extent, near_far.zfar * extent
        return (1 - near * (far - metres) / (metres * (far - near))).astype(np.float32)

    def close(self):
        if self._renderer is not None:
            self._renderer.close()
            self._renderer = None
