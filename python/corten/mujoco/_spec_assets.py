"""Assets of an MjSpec, deformables, and the small sections: keys, pairs, numbers, texts."""

import numpy as np

from corten import _core
from corten._spec import _as_text

from . import _enums as E
from ._spec_devices import _obj_name
from ._spec_attributes import _live
from ._spec_element import MjsElement
from ._images import png

class MjsMaterial(MjsElement):
    """A material."""

    _kind = "material"

    @property
    def textures(self):
        names = self._extra.get("textures")
        if names is None:
            names = [""] * int(E.mjtTextureRole.mjNTEXROLE)
            names[int(E.mjtTextureRole.mjTEXROLE_RGB)] = self._get_text("texture") or ""
        return _Texts(names, self)

    @textures.setter
    def textures(self, names):
        names, count = list(names), int(E.mjtTextureRole.mjNTEXROLE)
        if len(names) != count:
            raise ValueError(f"textures must have exactly {count} elements, got {len(names)}")
        self._extra["textures"] = names
        self._set_text("texture", names[int(E.mjtTextureRole.mjTEXROLE_RGB)] if len(names) > 1 else "")


class _Texts(list):
    """Texts of an attribute: writing to them sets it."""

    def __init__(self, texts, owner):
        super().__init__(texts)
        self._owner = owner

    def __setitem__(self, index, value):
        if isinstance(index, int) and index < 0:
            raise IndexError("index out of range")
        super().__setitem__(index, value)
        self._owner.textures = list(self)


class _Filed(MjsElement):
    """An asset with a file. Only those that are read from MJCF are named after it."""

    def _set_text(self, name, text):
        named = self.name
        super()._set_text(name, text)
        if name == "file" and not named and self._element is not None and self.name:
            super()._set_text("name", "")


class MjsTexture(_Filed):
    """A texture. Pixels given as bytes become an image among the files of the spec, which its `file` names."""

    _kind = "texture"

    @property
    def data(self):
        return self._extra.get("pixels", b"")

    @data.setter
    def data(self, pixels):
        pixels = bytes(pixels)
        self._extra["pixels"] = pixels
        channels = self.nchannel or 3
        if not pixels or len(pixels) != self.width * self.height * channels:
            return  # sizes may come later: compile() asks again
        self._set_text("name", self.name or f"texture_{self.id}")
        name = f"{self.name}.pixels.png"
        self._spec._made_assets[name] = png(pixels, self.width, self.height, channels)
        self._set_text("file", name)

    _SIDES = ("fileright", "fileleft", "fileup", "filedown", "filefront", "fileback")
    cubefiles = property(
        lambda self: [self._get_text(side) or "" for side in self._SIDES],
        lambda self, files: [self._set_text(side, file) for side, file in zip(self._SIDES, files, strict=True)],
    )

    def _complete(self):
        """Pixels may have been given before the sizes; now they must fit."""
        pixels, channels = self.data, self.nchannel or 3
        if pixels and len(pixels) != self.width * self.height * channels:
            sizes = f"{self.width} x {self.height} pixels of {channels} channels"
            raise ValueError(f"Error: texture {self.name!r}: {len(pixels)} bytes of data for {sizes}")
        if pixels and not self.file:
            self.data = pixels

    def _fill(self, values):
        letters = values.get("gridlayout")
        if letters is not None and len(letters) != 12:
            raise ValueError(f"gridlayout should have length 12, got {len(letters)}")
        super()._fill(values)

    @property
    def gridlayout(self):
        return list((self._get_text("gridlayout") or "." * 12).ljust(12, "\0"))

    @gridlayout.setter
    def gridlayout(self, letters):
        if any(len(letter) != 1 for letter in letters):
            raise ValueError("gridlayout: list elements must be single characters")
        if len(letters) > 12:
            raise ValueError("gridlayout may have at most 12 characters")
        self._set_text("gridlayout", "".join(letters))


class MjsMesh(_Filed):
    """A mesh. Cells of a volume (`usernode`, `usertet`) are for deformables that are made of it: `body.make_flex(mesh=...)`."""

    _kind = "mesh"

    def _builtin(self, name, *params):
        self._set_text("builtin", name)
        self._set_text("params", _as_text(np.array(params, float)))

    def make_sphere(self, subdivision):
        self._builtin("sphere", subdivision)

    def make_hemisphere(self, resolution):
        self._builtin("hemisphere", resolution)

    def make_cone(self, nedge, radius):
        self._builtin("cone", nedge, radius)

    def make_supersphere(self, resolution, e, n):
        self._builtin("supersphere", resolution, e, n)

    def make_supertorus(self, resolution, radius, s, t):
        self._builtin("supertorus", resolution, radius, s, t)

    def make_wedge(self, resolution, fov, gamma):
        self._builtin("wedge", *resolution, *fov, gamma)

    def make_plate(self, resolution):
        self._builtin("plate", *resolution)

    def make_grid(self, count, spacing, dim=3):
        self._builtin("grid", *count, *spacing, dim)

    def make_box(self, count, spacing, dim=3):
        self._builtin("box", *count, *spacing, dim)

    def make_cylinder(self, count, spacing, dim=3):
        self._builtin("cylinder", *count, *spacing, dim)

    def make_ellipsoid(self, count, spacing, dim=3):
        self._builtin("ellipsoid", *count, *spacing, dim)

    def make_square(self, count, spacing):
        self._builtin("square", *count, *spacing)

    def make_disc(self, count, spacing):
        self._builtin("disc", *count, *spacing)

    usernode = property(
        lambda self: _live(self._extra.get("node", []), self, "usernode"),
        lambda self, value: self._extra.__setitem__("node", np.array(value, float).ravel()),
    )
    usertet = property(
        lambda self: _live(self._extra.get("tet", []), self, "usertet", int),
        lambda self, value: self._extra.__setitem__("tet", np.array(value, int).ravel()),
    )


def _bones(name, each=None):
    """A list with something of every bone of a skin; `each` numbers of every one stand in one array."""

    def read(self):
        kept = self._extra.get(name)
        if kept is None:
            kept = self._of_bones(name)
            kept = kept if each is None else np.array(kept, float).ravel()
        return kept

    def write(self, value):
        if "bodyname" not in self._extra:  # from now on they are kept here
            self._extra.update({other: self._of_bones(other) for other in self._BONE})
        self._extra[name] = list(value) if each is None else np.array(value, float).ravel()

    return property(read, write)


class MjsSkin(MjsElement):
    """A skin over bodies."""

    _kind = "skin"
    _BONE = {"bodyname": "body", "bindpos": "bindpos", "bindquat": "bindquat", "vertid": "vertid", "vertweight": "vertweight"}
    bodyname, vertid, vertweight = _bones("bodyname"), _bones("vertid"), _bones("vertweight")
    bindpos, bindquat = _bones("bindpos", 3), _bones("bindquat", 4)

    def _of_bones(self, name):
        bones = self._element.children if self._element is not None else []
        return [getattr(bone, self._BONE[name]) for bone in bones]

    def _sync(self):
        if "bodyname" not in self._extra:
            return
        names, n = self._extra["bodyname"], len(self._extra["bodyname"])
        places = np.ravel(self._extra["bindpos"]), np.ravel(self._extra["bindquat"])
        if not n == len(self.vertid) == len(self.vertweight) or [len(x) for x in places] != [3 * n, 4 * n]:
            raise ValueError("bodyname, bindpos, bindquat, vertid and vertweight of a skin must be of as many bones")
        for bone in self._element.children:
            bone.remove()
        for i, name in enumerate(names):
            self._element.add("bone", body=name, bindpos=places[0][3 * i : 3 * i + 3], bindquat=places[1][4 * i : 4 * i + 4],
                              vertid=np.asarray(self.vertid[i], int), vertweight=np.asarray(self.vertweight[i], float))  # fmt: skip


class MjsFlex(MjsElement):
    """A deformable."""

    _kind = "flex"
    # what the element itself says; the rest belongs to its parts
    _OWN = ("name", "body", "node", "vertex", "nodecoord", "element", "texcoord", "elemtexcoord", "dim", "group", "radius", "material",
            "rgba", "flatskin", "cellcount", "dof")  # fmt: skip
    _ELASTIC2D = ("none", "bend", "stretch", "both")
    elastic2d = property(
        lambda self: self._ELASTIC2D.index(self._get_text("elastic2d") or "none"),
        lambda self, kind: self._set_text("elastic2d", self._ELASTIC2D[kind]),
    )
    order = property(
        lambda self: {"trilinear": 1, "quadratic": 2}.get(self._get_text("dof"), 0),
        lambda self, order: self._set_text("dof", ("", "trilinear", "quadratic")[order]),
    )

    def _make(self):
        return "deformable/flex", {name: text for name, text in self._pending.items() if name in self._OWN}

    def _made(self):
        for name, text in self._pending.items():
            if name not in self._OWN:
                _core.element_set(self._spec._core, self._element._handle, name, text)


class MjsHField(MjsElement):
    _kind = "hfield"

    def _make(self):
        return "asset/hfield", dict(self._pending)


class MjsKey(MjsElement):
    _kind = "key"


class MjsPair(MjsElement):
    _kind = "pair"

    def _make(self):
        return "contact/pair", dict(self._pending)


class MjsExclude(MjsElement):
    _kind = "exclude"

    def _make(self):
        return "contact/exclude", dict(self._pending)


class MjsNumeric(MjsElement):
    _kind = "numeric"

    def _make(self):
        return "custom/numeric", {name: text for name, text in self._pending.items() if not (name == "size" and text == "0")}


class MjsText(MjsElement):
    _kind = "text"

    def _make(self):
        return "custom/text", dict(self._pending)


class MjsTuple(MjsElement):
    _kind = "tuple"
    objtype = property(lambda self: self._extra.get("objtype", []), lambda self, v: self._extra.__setitem__("objtype", list(v)))
    objname = property(lambda self: self._extra.get("objname", []), lambda self, v: self._extra.__setitem__("objname", list(v)))
    objprm = property(lambda self: self._extra.get("objprm", []), lambda self, v: self._extra.__setitem__("objprm", list(v)))

    def _make(self):
        return "custom/tuple", dict(self._pending)

    def _made(self):
        numbers = self.objprm or [0.0] * len(self.objname)
        for kind, name, number in zip(self.objtype, self.objname, numbers):
            self._element.add("element", objtype=_obj_name(kind), objname=name, prm=number)
