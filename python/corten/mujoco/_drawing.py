"""The structs of drawing: cameras, options, lights, shapes. They hold numbers; _scene.py and _render.py use them."""

import copy

import numpy as np

from ._constants import mjVISSTRING
from ._enums import mjtGeom
from ._structs import _describe


class _Struct:
    """Members with types and defaults; `_table` is {name: (dtype or int or float or str, default)}."""

    _table = {}

    def __init__(self):
        for name, (kind, default) in self._table.items():
            value = np.array(default, kind) if isinstance(default, (list, np.ndarray)) else default
            self.__dict__[name] = copy.copy(value)

    def __setattr__(self, name, value):
        if name not in self._table:
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
        kind = self._table[name][0]
        held = self.__dict__[name]
        if isinstance(held, np.ndarray):
            held[...] = value
        elif kind is int:
            if isinstance(value, float):
                raise TypeError(f"{name} should be an integer, got {value!r}")
            self.__dict__[name] = int(value)
        elif kind is float:
            self.__dict__[name] = float(value)
        else:
            self.__dict__[name] = value

    def __copy__(self):
        return copy.deepcopy(self)

    def __deepcopy__(self, memo):
        made = type(self).__new__(type(self))
        made.__dict__.update({name: copy.deepcopy(value) for name, value in self.__dict__.items()})
        return made

    def __eq__(self, other):
        if type(other) is not type(self):
            return NotImplemented
        return all(np.array_equal(getattr(self, name), getattr(other, name)) for name in self._table)

    __hash__ = None

    def __repr__(self):
        return _describe(type(self).__name__, {name: getattr(self, name) for name in sorted(self._table)})


def _struct(title, doc, /, **table):
    return type(title, (_Struct,), {"__module__": __name__, "__doc__": doc, "_table": table})


_I0, _I_1, _F0, _F32 = (int, 0), (int, -1), (float, 0.0), np.float32
_GROUPS = (np.uint8, [1, 1, 1, 0, 0, 0])
_VISIBLE = [int(on) for _, on, _ in mjVISSTRING]

MjvCamera = _struct(
    "MjvCamera", "A camera of a viewer.", type=_I0, fixedcamid=_I_1, trackbodyid=_I_1, lookat=(float, [0.0] * 3),
    distance=(float, 2.0), azimuth=(float, 90.0), elevation=(float, -45.0), orthographic=_I0,
)  # fmt: skip
MjvGLCamera = _struct(
    "MjvGLCamera", "A camera as OpenGL wants it.", pos=(_F32, [0] * 3), forward=(_F32, [0] * 3), up=(_F32, [0] * 3),
    frustum_center=_F0, frustum_width=_F0, frustum_bottom=_F0, frustum_top=_F0, frustum_near=_F0, frustum_far=_F0,
    orthographic=_I0,
)  # fmt: skip
MjvGeom = _struct(
    "MjvGeom", "A shape to be drawn.", type=(int, 1001), dataid=_I_1, objtype=_I0, objid=_I0, category=_I0, matid=_I_1,
    texid=_I_1, texcoord=_I0, texuniform=_I0, segid=_I0, texrepeat=(_F32, [0, 0]), size=(_F32, [0.1] * 3),
    pos=(_F32, [0] * 3), mat=(_F32, np.eye(3)), rgba=(_F32, [0.5, 0.5, 0.5, 1]), emission=_F0, specular=(float, 0.5),
    shininess=(float, 0.5), reflectance=_F0, label=(str, ""), camdist=_F0, modelrbound=_F0, transparent=_I0,
    castshadow=(int, 1),
)  # fmt: skip
MjvLight = _struct(
    "MjvLight", "A light.", id=_I0, pos=(_F32, [0] * 3), dir=(_F32, [0] * 3), type=_I0, texid=_I0,
    attenuation=(_F32, [0] * 3), cutoff=_F0, exponent=_F0, ambient=(_F32, [0] * 3), diffuse=(_F32, [0] * 3),
    specular=(_F32, [0] * 3), headlight=_I0, castshadow=_I0, bulbradius=_F0, intensity=_F0, range=_F0, softness=_F0,
)  # fmt: skip
MjvOption = _struct(
    "MjvOption", "What a viewer shows.", label=_I0, frame=_I0, geomgroup=_GROUPS, sitegroup=_GROUPS, jointgroup=_GROUPS,
    tendongroup=_GROUPS, actuatorgroup=_GROUPS, flexgroup=_GROUPS, skingroup=_GROUPS, flags=(np.uint8, _VISIBLE),
    bvh_depth=(int, 1), flex_layer=_I0,
)  # fmt: skip
MjvPerturb = _struct(
    "MjvPerturb", "How a viewer pulls at bodies.", select=_I0, flexselect=_I_1, skinselect=_I_1, active=_I0, active2=_I0,
    refpos=(float, [0.0] * 3), refquat=(float, [1.0, 0, 0, 0]), refselpos=(float, [0.0] * 3), localpos=(float, [0.0] * 3),
    localmass=_F0, scale=(float, 1.0),
)  # fmt: skip


def _spread(number, base):
    """A number between 0 and 1, far from those of its neighbours: its digits behind the point, backwards."""
    part, sum_ = 1.0, 0.0
    while number:
        part /= base
        number, digit = divmod(number, base)
        sum_ += part * digit
    return sum_


_LINE_COLOURS = [[1, 0.3, 0.3], [0.1, 1, 0.1], [0.3, 0.3, 1], [0.1, 1, 1], [1, 0.2, 1], [1, 1, 0.1], [1, 0.6, 0.2], [0.6, 0.7, 0.4]]
_LINE_COLOURS += [[0.1 + 0.8 * _spread(i, base) for base in (2, 3, 5)] for i in range(8, 100)]

MjvFigure = _struct(
    "MjvFigure", "A plot.", title=(str, ""), xlabel=(str, ""), flg_legend=(int, 1), flg_extend=(int, 1), flg_barplot=_I0,
    flg_selection=_I0, flg_symmetric=_I0, flg_ticklabel=(np.int32, [1, 1]), gridsize=(np.int32, [2, 2]),
    gridrgb=(_F32, [0.4] * 3), gridwidth=(float, 1.0), figurergba=(_F32, [0, 0, 0, 1]), panergba=(_F32, [0, 0, 0, 1]),
    legendrgba=(_F32, [0, 0, 0, 0.3]), textrgb=(_F32, [1] * 3), linergb=(_F32, _LINE_COLOURS), linewidth=(float, 3.0),
    range=(_F32, [[0, 1], [0, 1]]), linepnt=(np.int32, [0] * 100), linedata=(_F32, np.zeros((100, 2002))),
    linename=("S100", [b""] * 100), legendoffset=_I0, subplot=_I0, highlight=(np.int32, [0, 0]), highlightid=_I_1,
    selection=_F0, xaxispixel=(np.int32, [0, 0]), yaxispixel=(np.int32, [0, 0]), xaxisdata=(_F32, [0, 0]),
    yaxisdata=(_F32, [0, 0]), xformat=(str, "%.0f"), yformat=(str, "%.2g"), minwidth=(str, "XXX"),
)  # fmt: skip
MjLROpt = _struct(
    "MjLROpt", "How length ranges are found.", mode=_I0, useexisting=_I0, uselimit=_I0, accel=_F0, maxforce=_F0,
    timeconst=_F0, timestep=_F0, inttotal=_F0, interval=_F0, tolrange=_F0,
)  # fmt: skip
MjPreContact = _struct(
    "MjPreContact", "A contact before its parameters are known.", dist=_F0, pos=(float, [0.0] * 3),
    normal=(float, [0.0] * 3), tangent=(float, [0.0] * 3),
)  # fmt: skip


def mj_defaultLROpt(opt):
    """Options of length ranges to their defaults."""
    for name, value in dict(mode=1, useexisting=1, uselimit=0, accel=20, maxforce=0, timeconst=1, timestep=0.01, inttotal=10,
                            interval=2, tolrange=0.05).items():  # fmt: skip
        setattr(opt, name, value)


class MjrRect:
    """A rectangle of pixels."""

    def __init__(self, left, bottom, width, height):
        self.left, self.bottom, self.width, self.height = left, bottom, width, height

    def __eq__(self, other):
        return isinstance(other, MjrRect) and vars(self) == vars(other)

    def __copy__(self):
        return MjrRect(**vars(self))

    def __repr__(self):
        return _describe("MjrRect", dict(sorted(vars(self).items())))


def _defaults(cls):
    def function(given):
        if not isinstance(given, cls):
            raise TypeError(f"expected {cls.__name__}, got {type(given).__name__}")
        fresh = cls()
        for name in cls._table:
            setattr(given, name, getattr(fresh, name))

    function.__doc__ = f"{cls.__name__} to its defaults."
    return function


mjv_defaultCamera, mjv_defaultOption = _defaults(MjvCamera), _defaults(MjvOption)
mjv_defaultPerturb, mjv_defaultFigure = _defaults(MjvPerturb), _defaults(MjvFigure)


def mjv_defaultFreeCamera(m, cam):
    """A free camera that sees the whole model, as the settings of the model say."""
    mjv_defaultCamera(cam)
    cam.lookat = m.stat.center
    cam.distance = 1.5 * m.stat.extent
    cam.azimuth, cam.elevation = m.vis.global_.azimuth, m.vis.global_.elevation
    cam.orthographic = int(m.vis.global_.orthographic)


def mjv_initGeom(geom, type, size, pos, mat, rgba):
    """Set the shape, place and colour of a geom to be drawn."""
    for name in geom._table:
        if name != "label":
            setattr(geom, name, MjvGeom._table[name][1])
    geom.type = type
    if size is not None:
        x, y, z = np.ravel(size)
        round_ = {mjtGeom.mjGEOM_SPHERE: (x, x, x), mjtGeom.mjGEOM_CAPSULE: (x, x, y), mjtGeom.mjGEOM_CYLINDER: (x, x, y)}
        geom.size = round_.get(type, (x, y, z))
    if pos is not None:
        geom.pos = np.asarray(pos).ravel()
    if mat is not None:
        geom.mat = np.reshape(mat, (3, 3))
    if rgba is not None:
        geom.rgba = np.asarray(rgba).ravel()


__all__ = [name for name in globals() if name.startswith(("Mj", "mjv_", "mj_"))]
