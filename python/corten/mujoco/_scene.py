"""MjvScene over the engine's scenes: what there is to see of a model and a data, with room for shapes of the program."""

import numpy as np

from corten import _core

from ._constants import mjRNDSTRING
from ._drawing import MjvCamera, MjvGeom, MjvGLCamera, MjvLight, MjvOption
from ._enums import mjtCamera, mjtCatBit, mjtFrame, mjtGeom, mjtLabel, mjtMouse, mjtObj, mjtRndFlag, mjtVisFlag
from ._errors import FatalError

_F32 = np.float32

# the records of corten/scene.h
ITEM = np.dtype(
    [("shape", "i4"), ("data", "i4"), ("material", "i4"), ("type", "i4"), ("id", "i4"), ("body", "i4"), ("mark", "?"),
     ("castshadow", "?"), ("pos", "f4", 3), ("mat", "f4", (3, 3)), ("size", "f4", 3), ("rgba", "f4", 4), ("emission", "f4"),
     ("specular", "f4"), ("shininess", "f4"), ("reflectance", "f4"), ("label", "S64")], align=True,
)  # fmt: skip
LIGHT = np.dtype(
    [("id", "i4"), ("directional", "?"), ("spot", "?"), ("castshadow", "?"), ("pos", "f4", 3), ("dir", "f4", 3),
     ("ambient", "f4", 3), ("diffuse", "f4", 3), ("specular", "f4", 3), ("attenuation", "f4", 3), ("cutoff", "f4"),
     ("exponent", "f4")], align=True,
)  # fmt: skip
assert ITEM.itemsize == _core.item_size and LIGHT.itemsize == _core.light_size

# shapes of the engine's scenes, and the types of geoms that they are: the first eight have the same numbers
_HULL, _LABEL = 8, 13
_TYPE_OF = {8: mjtGeom.mjGEOM_MESH, 9: mjtGeom.mjGEOM_ARROW, 10: mjtGeom.mjGEOM_LINE, 11: mjtGeom.mjGEOM_SKIN,
            12: mjtGeom.mjGEOM_FLEX, 13: mjtGeom.mjGEOM_LABEL}  # fmt: skip
_SHAPE_OF = {int(kind): shape for shape, kind in _TYPE_OF.items() if shape != _HULL}
_SHAPE_OF |= {kind: kind for kind in range(8)} | {int(mjtGeom.mjGEOM_SDF): 7, int(mjtGeom.mjGEOM_ARROW1): 9}
_COMMON = ("pos", "mat", "size", "rgba", "emission", "specular", "shininess", "reflectance")

# flags under the engine's names; None: it does not show this
_OTHER = {"CONSTRAINT": "equality", "PERTFORCE": "perturb", "SCLINERTIA": None, "PERTOBJ": None, "BODYBVH": None, "MESHBVH": None,
          "SDFITER": None}  # fmt: skip


def _names(enum, prefix, other):
    """The engine's name of each member, in order."""
    words = [name.removeprefix(prefix) for name in enum.__members__ if name.startswith(prefix)]
    return [other.get(word, word.lower()) for word in words]


_FLAGS = _names(mjtVisFlag, "mjVIS_", _OTHER)
_FRAMES = _names(mjtFrame, "mjFRAME_", {})
_LABELS = _names(mjtLabel, "mjLABEL_", {"CONTACTPOINT": "contact", "CONSTRAINT": "equality", "SELPNT": None})
_DRAWN = {mjtRndFlag.mjRND_SHADOW: "shadow", mjtRndFlag.mjRND_WIREFRAME: "wireframe", mjtRndFlag.mjRND_REFLECTION: "reflection",
          mjtRndFlag.mjRND_SKYBOX: "skybox", mjtRndFlag.mjRND_FOG: "fog", mjtRndFlag.mjRND_HAZE: "haze"}  # fmt: skip
_GROUPS = ("geomgroup", "sitegroup", "jointgroup", "tendongroup", "actuatorgroup", "skingroup", "flexgroup")


def _set_options(core, opt):
    for name, on in zip(_FLAGS, opt.flags.tolist(), strict=True):
        if name:
            core.show(name, on)
    for group in _GROUPS:
        for number, on in enumerate(getattr(opt, group).tolist()):
            core.show(f"{group}:{number}", on)
    for word, names, number in (("frame", _FRAMES, opt.frame), ("label", _LABELS, opt.label)):
        if not 0 <= number < len(names):
            raise FatalError(f"unknown {word} type {number}")
        core.show(f"{word}:{names[number] or 'none'}", True)


def _camera_tuple(model, cam):
    """A camera as the engine takes it."""
    kind = mjtCamera(cam.type)
    if kind == mjtCamera.mjCAMERA_USER:
        raise NotImplementedError("mjCAMERA_USER: set a free, tracking or fixed camera; `corten.Camera` has no other kind")
    if kind == mjtCamera.mjCAMERA_FIXED:
        if not 0 <= cam.fixedcamid < model.ncam:
            raise FatalError("fixed camera id is outside valid range")
    else:
        if kind == mjtCamera.mjCAMERA_TRACKING and not 0 <= cam.trackbodyid < model.nbody:
            raise FatalError("track body id is outside valid range")
        if bool(cam.orthographic) != bool(model.vis.global_.orthographic):
            raise NotImplementedError("a camera is orthographic when <visual><global orthographic> of the model says so")
    number = cam.fixedcamid if kind == mjtCamera.mjCAMERA_FIXED else max(cam.trackbodyid, 0)
    x, y, z = cam.lookat.tolist()
    return (int(kind), number, x, y, z, cam.distance, cam.azimuth, cam.elevation)


def _geom(item, category, segid):
    """A shape of the engine as an MjvGeom."""
    geom = MjvGeom()
    shape = int(item["shape"])
    geom.type = int(_TYPE_OF.get(shape, shape))
    data = int(item["data"])
    geom.dataid = 2 * data + (shape == _HULL) if shape in (7, _HULL) and data >= 0 else data
    geom.objtype, geom.objid, geom.matid = int(item["type"]), int(item["id"]), int(item["material"])
    geom.category, geom.segid, geom.castshadow = category, segid, int(item["castshadow"])
    for name in _COMMON:
        setattr(geom, name, item[name])
    geom.transparent = int(geom.rgba[3] < 1)
    geom.label = item["label"].decode(errors="replace")
    return geom


def _fill_item(item, geom):
    """An MjvGeom as a shape of the engine; False when there is nothing to draw."""
    if geom.type == mjtGeom.mjGEOM_NONE:
        return False
    if geom.type not in _SHAPE_OF:
        raise NotImplementedError(f"a shape of type {geom.type} cannot be drawn: `corten.Renderer` has no such shape")
    item["shape"] = _SHAPE_OF[geom.type]
    item["data"] = geom.dataid
    if item["shape"] == 7 and geom.dataid >= 0:
        item["shape"], item["data"] = (_HULL if geom.dataid % 2 else 7), geom.dataid // 2
    item["material"], item["type"], item["id"], item["body"] = geom.matid, geom.objtype, geom.objid, 0
    item["castshadow"], item["mark"] = geom.castshadow, item["shape"] == _LABEL
    for name in _COMMON:
        item[name] = getattr(geom, name)
    item["label"] = geom.label.encode()[:63]
    return True


class _Geoms:
    """The geoms of a scene, made when they are asked for: those of the engine first, then room for the program's."""

    def __init__(self, scene):
        self._scene = scene
        self._made = {}

    def __len__(self):
        return self._scene.maxgeom

    def __getitem__(self, index):
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(len(self)))]
        if not -len(self) <= index < len(self):
            raise IndexError("geom index out of range")
        index = int(index) % len(self)
        if index not in self._made:
            scene = self._scene
            known = index < len(scene._items)
            self._made[index] = _geom(scene._items[index], int(scene._categories[index]), index) if known else MjvGeom()
        return self._made[index]

    def __iter__(self):
        return (self[i] for i in range(len(self)))


class MjvScene:
    """What is to be drawn. mjv_updateScene fills it; programs may change its shapes and add their own, up to maxgeom."""

    def __init__(self, model=None, maxgeom=0):
        self._members = {}
        self.maxgeom, self.ngeom = int(maxgeom), 0
        self.geomorder = np.zeros(self.maxgeom, np.int32)
        self.nlight, self.lights = 0, tuple(MjvLight() for _ in range(100))
        self.camera = (MjvGLCamera(), MjvGLCamera())
        self.enabletransform, self.scale, self.stereo, self.status = 0, 1.0, 0, 0
        self.translate, self.rotate = np.zeros(3, _F32), np.array([1, 0, 0, 0], _F32)
        self.flags = np.array([int(on) for _, on, _ in mjRNDSTRING], np.uint8)
        self.framewidth, self.framergb = 0, np.ones(3, _F32)
        self.nflex = self.nskin = 0
        self._model = self._core = self._shown = None
        self._version = 0  # how often it was updated
        self._clear()

    @property
    def geoms(self):
        """Its shapes: `ngeom` of them are drawn."""
        return self._geoms

    def _clear(self):
        self._items, self._categories = np.zeros(0, ITEM), np.zeros(0, np.int32)
        self._geoms = _Geoms(self)
        self.ngeom = 0

    def _update(self, model, data, opt, pert, camera):
        if self._model is not model:
            self._core, self._model, self._shown = _core.make_scene(model), model, None
        shown = (opt.flags.tobytes(), opt.frame, opt.label, *(getattr(opt, group).tobytes() for group in _GROUPS))
        if shown != self._shown:
            _set_options(self._core, opt)
            self._shown = shown
        self._core.update(model, data, camera, 0 if pert is None else max(pert.select, 0))
        fixed = camera[0] == mjtCamera.mjCAMERA_FIXED
        self._eyes = float(model.cam_ipd[camera[1]] if fixed else model.vis.global_.ipd)  # how far apart
        self._version += 1

    def _take_geoms(self, catmask):
        items = np.frombuffer(self._core.items(), ITEM)
        moves = (self._model.body_weldid[items["body"]] > 0) | (self._model.body_mocapid[items["body"]] >= 0)
        moves |= np.isin(items["type"], (int(mjtObj.mjOBJ_TENDON), int(mjtObj.mjOBJ_SKIN), int(mjtObj.mjOBJ_FLEX)))
        category = np.where(items["mark"], int(mjtCatBit.mjCAT_DECOR), np.where(moves, 2, 1)).astype(np.int32)
        chosen = np.flatnonzero(category & int(catmask))
        self.status = int(len(chosen) > self.maxgeom)  # as there: what does not fit is not drawn
        chosen = chosen[: self.maxgeom]
        self._items, self._categories = items[chosen], category[chosen]
        self._geoms, self.ngeom = _Geoms(self), len(chosen)

    def _take_camera(self):
        pos, forward, up, near, far, bottom, top, left, right, parallel = self._core.view()
        aside = np.cross(forward, up) * self._eyes / 2
        for eye, shift in zip(self.camera, (-aside, aside), strict=True):
            eye.pos, eye.forward, eye.up = pos + shift, forward, up
            eye.frustum_near, eye.frustum_far, eye.frustum_bottom, eye.frustum_top = near, far, bottom, top
            eye.frustum_center, eye.frustum_width = (left + right) / 2, (right - left) / 2
            eye.orthographic = parallel

    def _take_lights(self):
        lights = np.frombuffer(self._core.lights(), LIGHT)
        self.nlight = len(lights)
        for light, found in zip(self.lights, lights, strict=False):
            light.id, light.headlight = int(found["id"]), int(found["id"] < 0)
            light.type = 1 if found["directional"] else 0 if found["spot"] else 2
            light.castshadow, light.cutoff, light.exponent = int(found["castshadow"]), found["cutoff"], found["exponent"]
            for name in ("pos", "dir", "ambient", "diffuse", "specular", "attenuation"):
                setattr(light, name, found[name])

    def _draw_list(self):
        """The shapes to draw, those that the program touched or added included, and the number of the geom of each."""
        for flag, name in _DRAWN.items():
            self._core.show(name, bool(self.flags[flag]))
        if not 0 <= self.ngeom <= self.maxgeom:
            raise FatalError(f"ngeom is {self.ngeom}, maxgeom {self.maxgeom}")
        known = min(len(self._items), self.ngeom)
        items = np.zeros(self.ngeom, ITEM)
        items[:known] = self._items[:known]
        drawn = np.ones(self.ngeom, bool)
        touched = {i for i in self._geoms._made if i < known} | set(range(known, self.ngeom))
        for i in sorted(touched):
            mark = bool(items[i]["mark"])
            drawn[i] = _fill_item(items[i], self._geoms[i])
            items[i]["mark"] |= mark
        return items[drawn], np.flatnonzero(drawn)


def _member(name):
    return property(lambda self: self._members[name], lambda self, value: self._members.__setitem__(name, value))


# members are those of the class, so that classes made from it can reach them by super()
for _name in ("maxgeom", "ngeom", "geomorder", "nlight", "lights", "camera", "enabletransform", "scale", "stereo", "status", "translate",
              "rotate", "flags", "framewidth", "framergb", "nflex", "nskin"):  # fmt: skip
    setattr(MjvScene, _name, _member(_name))
del _name


def mjv_updateScene(m, d, opt, pert, cam, catmask, scn):
    """Take over what there is to see, its lights and the camera."""
    _check(opt=(opt, MjvOption), cam=(cam, MjvCamera), scn=(scn, MjvScene))
    scn._update(m, d, opt, pert, _camera_tuple(m, cam))
    scn._take_geoms(catmask)
    scn._take_camera()
    scn._take_lights()


def mjv_updateCamera(m, d, cam, scn):
    """Take over the camera only."""
    _check(cam=(cam, MjvCamera), scn=(scn, MjvScene))
    scn._update(m, d, MjvOption(), None, _camera_tuple(m, cam))
    scn._take_camera()


def mjv_cameraFrame(headpos, forward, up, right, d, cam):
    """Position and axes of a camera; each output may be None."""
    view = _view_of(d, cam)
    for out, value in ((headpos, view[0]), (forward, view[1]), (up, view[2]), (right, np.cross(view[1], view[2]))):
        if out is not None:
            out[...] = np.reshape(value, out.shape)


def _view_of(data, cam):
    core = _core.make_scene(data.model)
    core.update(data.model, data, _camera_tuple(data.model, cam), 0)
    return core.view()


def mjv_averageCamera(cam1, cam2):
    """The camera between two eyes."""
    made = MjvGLCamera()
    for name in MjvGLCamera._table:
        first, second = getattr(cam1, name), getattr(cam2, name)
        setattr(made, name, first if name in ("frustum_near", "frustum_far", "orthographic") else (first + second) / 2)
    made.forward = made.forward / np.linalg.norm(made.forward)
    up = made.up - made.forward * (made.up @ made.forward)
    made.up = up / np.linalg.norm(up)
    return made


def mjv_cameraInModel(headpos, forward, up, scn):
    """Position and axes of the camera of a scene."""
    _check(scn=(scn, MjvScene))
    eye = mjv_averageCamera(*scn.camera)
    for out, value in ((headpos, eye.pos), (forward, eye.forward), (up, eye.up)):
        out[...] = np.reshape(value, out.shape)


def mjv_frustumHeight(scn):
    """Height of the view at a distance of one from the camera."""
    _check(scn=(scn, MjvScene))
    eye = scn.camera[0]
    if eye.frustum_near < 1e-15:
        raise FatalError("mjvScene frustum_near too small")
    return (eye.frustum_top - eye.frustum_bottom) / eye.frustum_near


def mjv_connector(geom, type, width, from_, to):
    """Make a shape that leads from one point to another: a capsule, cylinder, arrow or line."""
    start, end = np.ravel(from_).astype(float), np.ravel(to).astype(float)
    along, length = end - start, float(np.linalg.norm(end - start))
    whole = type in (mjtGeom.mjGEOM_ARROW, mjtGeom.mjGEOM_ARROW1, mjtGeom.mjGEOM_ARROW2, mjtGeom.mjGEOM_LINE)
    if not whole and type not in (mjtGeom.mjGEOM_CAPSULE, mjtGeom.mjGEOM_CYLINDER):
        raise FatalError(f"mjv_connector: invalid geom type {int(type)} for connector")
    geom.type = type
    geom.size = [width, width, length if whole else length / 2]
    geom.pos = start if whole else (start + end) / 2
    geom.mat = _towards(along / length) if length > 1e-15 else np.eye(3)


def _towards(axis):
    """The shortest rotation of z to a unit vector."""
    cross, cosine = np.cross((0, 0, 1), axis), float(axis[2])
    if cosine < -1 + 1e-12:
        return np.diag([1.0, -1.0, -1.0])
    skew = np.array([[0, -cross[2], cross[1]], [cross[2], 0, -cross[0]], [-cross[1], cross[0], 0]])
    return np.eye(3) + skew + skew @ skew / (1 + cosine)


def mjv_moveCamera(m, action, reldx, reldy, cam):
    """Move a camera by hand: mjtMouse says how, the distances are relative to the height of the picture."""
    _check(cam=(cam, MjvCamera))
    action = int(action)
    if not 1 <= action <= 7:
        raise FatalError(f"mjv_moveCamera: unexpected action {action}")
    if cam.type == mjtCamera.mjCAMERA_FIXED:
        return
    sine, cosine = (f(np.deg2rad(cam.azimuth)) for f in (np.sin, np.cos))
    sine_up, cosine_up = (f(np.deg2rad(cam.elevation)) for f in (np.sin, np.cos))
    right = np.array([sine, -cosine, 0])
    if action in (mjtMouse.mjMOUSE_ROTATE_V, mjtMouse.mjMOUSE_ROTATE_H):
        cam.azimuth = (cam.azimuth - 180 * reldx + 180) % 360 - 180
        cam.elevation = min(max(cam.elevation - 180 * reldy, -90), 90)
    elif action == mjtMouse.mjMOUSE_ZOOM:
        extent = m.stat.extent
        farther = cam.distance - np.log(1 + cam.distance / extent / 3) * reldy * 9 * extent
        cam.distance = min(max(farther, 0.01 * extent), 100 * extent)
    elif cam.type == mjtCamera.mjCAMERA_TRACKING:
        return
    elif action in (mjtMouse.mjMOUSE_MOVE_V, mjtMouse.mjMOUSE_MOVE_H):  # as much as the picture shows
        other = (0, 0, 1) if action == mjtMouse.mjMOUSE_MOVE_V else (cosine, sine, 0)
        scale = 2 * np.tan(np.deg2rad(m.vis.global_.fovy) / 2) * cam.distance
        cam.lookat = cam.lookat + scale * (reldy * np.array(other) - reldx * right)
    else:  # in metres, along the axes of the camera
        up, forward = (-sine_up * cosine, -sine_up * sine, cosine_up), (cosine_up * cosine, cosine_up * sine, sine_up)
        other = up if action == mjtMouse.mjMOUSE_MOVE_V_REL else forward
        cam.lookat = cam.lookat + reldx * right + reldy * np.array(other)


def _check(**given):
    for name, (value, cls) in given.items():
        if not isinstance(value, cls):
            raise TypeError(f"{name} must be {cls.__name__}, got {type(value).__name__}")


__all__ = ["MjvScene", *(name for name in globals() if name.startswith("mjv_"))]
