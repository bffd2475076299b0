"""Elements of the tree of an MjSpec: bodies, frames and what stands in them."""

from xml.sax.saxutils import quoteattr

import numpy as np

from corten import _core
from corten._spec import _as_text

from . import _enums as E
from ._errors import as_value_error
from ._spec_attributes import MjsOrientation, _live, _nan
from ._spec_element import MjsElement

class _InTree(MjsElement):
    """An element that stands in a body or frame."""

    @property
    def parent(self):
        """The body it stands in; None for one that was removed."""
        if self._element is None:
            return None
        above = self._element.parent
        while above is not None and above.tag == "frame":
            above = above.parent
        return self._spec._wrap(above)

    @property
    def frame(self):
        """The frame it stands in, None when it stands in a body."""
        above = self._element.parent
        return self._spec._wrap(above) if above is not None and above.tag == "frame" else None

    def set_frame(self, frame):
        """Put it into a frame of its body."""
        with as_value_error():
            self._element.set_frame(None if frame is None else frame._element)

    alt = property(lambda self: MjsOrientation(self), lambda self, value: None)


_CHILDREN = {"body": "bodies", "geom": "geoms", "joint": "joints", "site": "sites", "camera": "cameras", "light": "lights",
             "frame": "frames"}  # fmt: skip


class _Holder(_InTree):
    """A body or frame: it has elements inside."""

    def _add(self, tag, default, values):
        attributes = {"class_": default.name} if default is not None and tag not in ("body", "frame") else {}
        if tag == "body" and default is not None:
            attributes["childclass"] = default.name
        self._spec._changed()
        with as_value_error():
            element = self._spec._wrap(self._element.add(tag, **attributes))
        try:
            element._fill(values)
        except BaseException:
            element._element.remove()
            raise
        return element

    def add_body(self, default=None, **values):
        return self._add("body", default, values)

    def add_geom(self, default=None, **values):
        return self._add("geom", default, values)

    def add_joint(self, default=None, **values):
        return self._add("joint", default, values)

    def add_site(self, default=None, **values):
        return self._add("site", default, values)

    def add_camera(self, default=None, **values):
        return self._add("camera", default, values)

    def add_light(self, default=None, **values):
        return self._add("light", default, values)

    def add_frame(self, default=None, **values):
        target = default if isinstance(default, MjsFrame) else self
        return _Holder._add(target, "frame", None, values)

    def _inside(self, kind, deep=False):
        """Elements of a kind in here, those in frames too; in bodies inside only when `deep`."""
        found = []

        def walk(element):
            for child in element.children:
                tag = "joint" if child.tag == "freejoint" else child.tag
                if tag == kind:
                    found.append(self._spec._wrap(child))
                if tag == "frame" or (tag == "body" and deep):
                    walk(child)

        walk(self._element)
        return found

    def find_all(self, kind):
        """All elements of a kind (its name or an mjtObj) in this subtree."""
        if not isinstance(kind, str):
            kind = E.mjtObj(kind).name.removeprefix("mjOBJ_").lower()
        if kind not in _CHILDREN:
            raise ValueError("body.find_all supports the types: body, frame, geom, site, joint, light, camera.")
        return self._inside(kind, deep=True)


_AUTO_WORDS = ("false", "auto", "true")
_AUTO = {word: number for number, word in enumerate(_AUTO_WORDS)}


class MjsBody(_Holder):
    """A body."""

    _kind = "body"

    @property
    def name(self):
        if self._extra.get("removed"):
            return self._extra.get("name", "")
        return self._get_text("name") or ("world" if self._element.parent is None else "")

    @name.setter
    def name(self, value):
        MjsElement.name.fset(self, value)

    fuse = property(lambda self: _AUTO.get(self._get_text("fuse"), 2), lambda self, v: self._set_text("fuse", _AUTO_WORDS[int(v)]))
    simple = property(lambda self: _AUTO.get(self._get_text("simple"), 2), lambda self, v: self._set_text("simple", _AUTO_WORDS[int(v)]))

    def add_freejoint(self, **values):
        for name in values:
            if name not in ("align", "group", "name"):
                raise TypeError(f"Invalid {name} keyword argument. Valid options are: align, group, name.")
        self._spec._changed()
        with as_value_error():
            element = self._spec._wrap(self._element.add("freejoint"))
        if "align" in values:
            values["align"] = int(values["align"])
        element._fill(values)
        return element

    def find_child(self, name):
        return next((body for body in self._inside("body", deep=True) if body.name == name), None)

    def attach_frame(self, frame, prefix=None, suffix=None):
        """Bring a frame of another spec into this body."""
        return self._spec._attach(self._element, frame, prefix, suffix)

    def to_frame(self):
        """Replace the body by a frame with what stands in it."""
        self._spec._flush()
        self._spec._changed()
        with as_value_error():
            return self._spec._wrap(self._element.to_frame())

    def make_flex(self, name, type=None, dim=3, dof=None, count=None, cellcount=None, spacing=None, scale=None, radius=0.0, mass=1.0,
                  inertiabox=0.005, equality=0, rigid=0, flatskin=0, elastic2d=0, pos=None, quat=None, origin=None, file=None, mesh=None,
                  vfs=None):  # fmt: skip
        """Make a deformable with its bodies, as <flexcomp> does, and return it."""
        spec, told = self._spec, dict(dof=dof, count=count, cellcount=cellcount, spacing=spacing, scale=scale, pos=pos, quat=quat,
                                      origin=origin)  # fmt: skip
        if file is not None and mesh is not None:
            raise ValueError("make_flex: both 'file' and 'mesh' are given")
        known = spec._find("mesh", mesh) if mesh is not None else None
        if mesh is not None and known is None:
            raise ValueError(f"make_flex: mesh '{mesh}' not found")
        if known is not None and len(known.usertet):
            told.update(type="direct", point=known.usernode, element=known.usertet)
            dim = 3
        else:
            told.update(type=type or ("mesh" if mesh is not None else "grid"), file=file, mesh=mesh)
            dim = None if known is not None and dim == 3 else dim  # that of the mesh
        told.update(dim=dim, radius=radius, mass=mass, inertiabox=inertiabox, rigid=bool(rigid), flatskin=True if flatskin else None)
        words = {"name": name, **{key: _as_text(value) for key, value in told.items() if value is not None}}
        edge = "" if not equality else f'<edge equality="{ {1: "true", 2: "vert", 3: "strain"}[int(equality)] }"/>'
        bend = "" if not elastic2d else f'<elasticity elastic2d="{("none", "bend", "stretch", "both")[int(elastic2d)]}"/>'
        text = " ".join(f"{key}={quoteattr(value)}" for key, value in words.items())
        spec._flush()
        spec._changed()
        with as_value_error():
            self._element.add_xml(f"<flexcomp {text}>{edge}{bend}</flexcomp>")
        return spec._find("flex", name)

    # inertia is an element of its own inside the body

    def _inertial(self, make):
        found = next((child for child in self._element.children if child.tag == "inertial"), None)
        if found is None and make:
            with as_value_error():
                found = self._element.add("inertial", pos=[0, 0, 0], mass=self._extra.get("mass", 1), diaginertia=[1, 1, 1])
        return found

    def _get_inertial(self, name, missing):
        found = self._inertial(False)
        value = getattr(found, name) if found is not None else None
        return missing if value is None else value

    def _set_inertial(self, name, value):
        with as_value_error():
            setattr(self._inertial(True), name, value)

    @property
    def mass(self):
        return self._get_inertial("mass", 0.0)

    @mass.setter
    def mass(self, value):
        self._set_inertial("mass", float(value))

    @property
    def ipos(self):
        return _live(self._get_inertial("pos", [_nan, 0, 0]), self, "ipos")

    @ipos.setter
    def ipos(self, value):
        self._set_inertial("pos", np.asarray(value, float))

    @property
    def iquat(self):
        return _live(self._get_inertial("quat", [1.0, 0, 0, 0]), self, "iquat")

    @iquat.setter
    def iquat(self, value):
        self._set_inertial("quat", np.asarray(value, float))

    @property
    def inertia(self):
        return _live(self._get_inertial("diaginertia", [0.0, 0, 0]), self, "inertia")

    @inertia.setter
    def inertia(self, value):
        self._set_inertial("diaginertia", np.asarray(value, float))

    @property
    def fullinertia(self):
        return _live(self._get_inertial("fullinertia", [_nan, 0, 0, 0, 0, 0]), self, "fullinertia")

    @fullinertia.setter
    def fullinertia(self, value):
        numbers = np.asarray(value, float)
        found = self._inertial(True)
        mass, pos = found.mass, found.pos
        found.remove()
        with as_value_error():
            self._element.add("inertial", mass=mass, pos=pos, fullinertia=numbers)

    @property
    def explicitinertial(self):
        return self._inertial(False) is not None

    @explicitinertial.setter
    def explicitinertial(self, value):
        if not value and self._inertial(False) is not None:
            self._inertial(False).remove()

    @property
    def ialt(self):
        return MjsOrientation(_Inertial(self))


class _Inertial:
    """The inertial frame of a body as something that can be turned."""

    def __init__(self, body):
        self._body = body

    def _get_text(self, name):
        found = self._body._inertial(False)
        return _core.element_get(found._handle, name) if found is not None else None

    def _set_text(self, name, text):
        found = self._body._inertial(True)
        _core.element_set(self._body._spec._core, found._handle, name, text)


class MjsFrame(_Holder):
    """A frame: what stands in it is moved along."""

    _kind = "frame"

    def attach_body(self, body, prefix=None, suffix=None):
        """Bring a body of another spec into this frame."""
        return self._spec._attach(self._element, body, prefix, suffix)


class MjsGeom(_InTree):
    """A geom."""

    _kind = "geom"
    fluid_ellipsoid = property(
        lambda self: float(self._get_text("fluidshape") == "ellipsoid"),
        lambda self, on: self._set_text("fluidshape", "ellipsoid" if on else "none"),
    )


class MjsJoint(_InTree):
    """A joint."""

    _kind = "joint"

    def __getattr__(self, name):
        if name == "type" and self._element.tag == "freejoint":
            return E.mjtJoint.mjJNT_FREE
        return super().__getattr__(name)

    def __setattr__(self, name, value):
        if name == "align" and self._element.tag == "freejoint":
            self._set_text("align", {0: "false", 1: "true"}.get(int(value), "auto"))
        elif name == "type" and self._element.tag == "freejoint" and int(value) == 0:
            return
        else:
            super().__setattr__(name, value)


class MjsSite(_InTree):
    """A site."""

    _kind = "site"

    def attach_body(self, body, prefix=None, suffix=None):
        """Bring a body of another spec to where the site is."""
        return self._spec._attach(self._spec._frame_at(self), body, prefix, suffix)


class MjsCamera(_InTree):
    """A camera."""

    _kind = "camera"


class MjsLight(_InTree):
    """A light."""

    _kind = "light"
