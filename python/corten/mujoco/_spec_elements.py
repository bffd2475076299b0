"""Elements of an MjSpec: bodies and what hangs on them, actuators, sensors, assets, default classes."""

import numpy as np

import corten
from corten import Error, _core
from corten._spec import _as_text

from . import _enums as E
from ._errors import as_value_error
from ._structs import _describe
from ._spec_attributes import MjsOrientation, VEC, _ORIENTATIONS, _TABLES, _TURNED, _live, _nan

# ---- elements

class MjsElement:
    """An element of a spec."""

    _kind, _table = "", {}
    _plain = ("_spec", "_element", "_pending", "info", "_extra")

    def __init__(self, spec, element, pending=None):
        self.__dict__.update(_spec=spec, _element=element, _pending=pending, info="", _extra={})

    # text in and out: of the element, or kept until it is complete

    def _get_text(self, name):
        if self._element is None:
            self._alive()
            return self._pending.get(name)
        try:
            return _core.element_get(self._element._handle, name)
        except Error:
            return None

    def _alive(self):
        if self._extra.get("removed"):
            raise ValueError(f"{self._kind} is not in this model")

    def _set_text(self, name, text):
        if self._element is None:
            self._alive()
            if text:
                self._pending[name] = text
            else:
                self._pending.pop(name, None)
            return
        with as_value_error():
            _core.element_set(self._spec._core, self._element._handle, name, text)

    @property
    def name(self):
        return self._get_text("name") or ""

    @name.setter
    def name(self, value):
        other = self._spec._find(self._kind, value) if value and self._kind else None
        if other is not None and other is not self and other != self:
            raise ValueError(f"Error: repeated name '{value}' in {self._kind}")
        self._set_text("name", value)

    @property
    def id(self):
        return self._spec._index(self)

    signature = property(lambda self: self._spec._signature())
    compiler = property(lambda self: self._spec.compiler)

    @property
    def classname(self):
        return MjsDefault(self._spec, self._get_text("class") or "main")

    @classname.setter
    def classname(self, value):
        self._set_text("class", getattr(value, "name", value))

    def _bound(self, model):
        if model.signature != self.signature:
            raise ValueError("The mjSpec does not match mjModel. Please recompile the mjSpec.")
        id = _core.name2id(model, _type_of(self._kind), self.name) if self.name else -1
        id = id if id >= 0 else self.id
        if id < 0:
            raise KeyError(f"the model has no {self._kind} {self.name!r}")
        return self._kind, id

    def __getattr__(self, name):
        row = self._table.get(name)
        if row is None:
            raise AttributeError(f"'{type(self).__name__}' object has no attribute {name!r}", name=name, obj=self)
        value = row.decode(self._get_text(row.text))
        if row.kind == VEC:
            whole = name in ("userface", "resolution", "gridsize", "face")
            return _live(value, self, name, int if whole else float)
        if isinstance(row.kind, type):
            return row.kind(value)
        return value

    def __setattr__(self, name, value):
        if name in self._plain or isinstance(getattr(type(self), name, None), property):
            object.__setattr__(self, name, value)
            return
        row = self._table.get(name)
        if row is None:
            raise AttributeError(f"'{type(self).__name__}' object has no attribute {name!r}", name=name, obj=self)
        self._set_text(row.text, row.encode(value, name))

    def __dir__(self):
        return sorted({*object.__dir__(self), *self._table})

    def _fill(self, values):
        turns = [name for name in _ORIENTATIONS if values.get(name) is not None]
        inertial = [name for name in _ORIENTATIONS if values.get(f"i{name}") is not None]
        for group, prefix in ((turns, ""), (inertial, "i")):
            if len(group) > 1:
                raise ValueError(f"Only one of: {prefix}axisangle, {prefix}xyaxes, {prefix}zaxis, or {prefix}euler can be set.")
        for name, value in values.items():
            if name in turns and self._kind in _TURNED:
                setattr(self.alt, name, value)
            elif name[1:] in inertial and self._kind == "body":
                setattr(self.ialt, name[1:], value)
            elif value is not None:
                known = name in self._table or name == "info" or isinstance(getattr(type(self), name, None), property)
                if not known:
                    options = ", ".join(sorted({*self._table, "name", "info"}))
                    raise TypeError(f"Invalid {name} keyword argument. Valid options are: {options}.")
                setattr(self, name, value)

    def __eq__(self, other):
        if not isinstance(other, MjsElement):
            return NotImplemented
        if self._element is None or other._element is None:
            return self is other
        return self._element == other._element

    def __hash__(self):
        return id(self) if self._element is None else hash(self._element)

    def __repr__(self):
        return _describe(type(self).__name__, {"name": self.name, "id": self.id})


class _InTree(MjsElement):
    """An element that stands in a body or frame."""

    @property
    def parent(self):
        """The body it stands in."""
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
        raise NotImplementedError("corten moves no elements: add the element to the frame, or attach the body to it")

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
        """Copy a frame of any spec into this body."""
        return self._spec._attach(self._element, frame, prefix, suffix)

    def to_frame(self):
        """Replace the body by a frame with what stands in it."""
        place = self._element
        above = place.parent
        frame = above.add("frame", pos=place.pos, quat=place.quat)
        for child in place.children:
            if child.tag in ("body", "frame"):
                frame.attach(child)
            elif child.tag not in ("joint", "freejoint", "inertial"):
                frame.add(child.tag, **{("class_" if k == "class" else k): v for k, v in child.attributes().items()})
        place.remove()
        return self._spec._wrap(frame)

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
        """Copy a body of any spec into this frame."""
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
        """Copy a body of any spec to where the site is."""
        return self._spec._attach(self._spec._frame_at(self), body, prefix, suffix)


class MjsCamera(_InTree):
    """A camera."""

    _kind = "camera"


class MjsLight(_InTree):
    """A light."""

    _kind = "light"


_TRANSMISSIONS = {
    "joint": E.mjtTrn.mjTRN_JOINT, "jointinparent": E.mjtTrn.mjTRN_JOINTINPARENT, "cranksite": E.mjtTrn.mjTRN_SLIDERCRANK,
    "tendon": E.mjtTrn.mjTRN_TENDON, "site": E.mjtTrn.mjTRN_SITE, "body": E.mjtTrn.mjTRN_BODY,
}  # fmt: skip


class MjsActuator(MjsElement):
    """An actuator."""

    _kind = "actuator"

    def _transmission(self):
        for name, kind in _TRANSMISSIONS.items():
            target = self._get_text(name)
            if target:
                return name, kind, target
        return None, self._extra.get("trntype", E.mjtTrn.mjTRN_UNDEFINED), self._extra.get("target", "")

    def _transmit(self):
        """Say what it acts on, when both parts are known."""
        kind, target = self._extra.get("trntype"), self._extra.get("target")
        if kind is None or not target:
            return
        name = next(name for name, value in _TRANSMISSIONS.items() if value == kind)
        for other in _TRANSMISSIONS:
            if other != name and self._get_text(other):
                self._set_text(other, "")
        self._set_text(name, target)

    @property
    def trntype(self):
        return E.mjtTrn(self._transmission()[1])

    @trntype.setter
    def trntype(self, value):
        self._extra.setdefault("target", self._transmission()[2])
        self._extra["trntype"] = E.mjtTrn(value)
        self._transmit()

    @property
    def target(self):
        return self._transmission()[2]

    @target.setter
    def target(self, value):
        known = self._transmission()[1]
        if known != E.mjtTrn.mjTRN_UNDEFINED:
            self._extra.setdefault("trntype", known)
        self._extra["target"] = value
        self._transmit()

    def _become(self, gain, bias, dyn, gainprm=None, biasprm=None, dynprm=None):
        self.gaintype, self.biastype, self.dyntype = gain, bias, dyn
        for name, value in (("gainprm", gainprm), ("biasprm", biasprm), ("dynprm", dynprm)):
            if value is not None:
                setattr(self, name, [*value, *[0.0] * (10 - len(value))])

    def set_to_motor(self):
        self._become(E.mjtGain.mjGAIN_FIXED, E.mjtBias.mjBIAS_NONE, E.mjtDyn.mjDYN_NONE, [1.0])

    def set_to_position(self, kp, kv=None, dampratio=None, timeconst=None, inheritrange=0.0):
        kv = -1.0 * kv if kv is not None else (dampratio if dampratio is not None else 0.0)
        dyn = E.mjtDyn.mjDYN_FILTEREXACT if timeconst else E.mjtDyn.mjDYN_NONE
        self._become(E.mjtGain.mjGAIN_FIXED, E.mjtBias.mjBIAS_AFFINE, dyn, [kp], [0.0, -kp, kv], [timeconst] if timeconst else None)
        self.inheritrange = inheritrange

    def set_to_velocity(self, kv):
        self._become(E.mjtGain.mjGAIN_FIXED, E.mjtBias.mjBIAS_AFFINE, E.mjtDyn.mjDYN_NONE, [kv], [0.0, 0.0, -kv])

    def set_to_intvelocity(self, kp, kv=None, dampratio=None, timeconst=None, inheritrange=0.0):
        self.set_to_position(kp, kv, dampratio, timeconst, inheritrange)
        self.dyntype, self.actlimited = E.mjtDyn.mjDYN_INTEGRATOR, 1

    def set_to_damper(self, kv):
        self._become(E.mjtGain.mjGAIN_AFFINE, E.mjtBias.mjBIAS_NONE, E.mjtDyn.mjDYN_NONE, [0.0, 0.0, -kv])
        self.ctrllimited = 1

    def set_to_cylinder(self, timeconst, bias, area, diameter=-1.0):
        area = np.pi / 4 * diameter**2 if diameter >= 0 else area
        biasprm = list(np.atleast_1d(np.asarray(bias, float)))
        self._become(E.mjtGain.mjGAIN_FIXED, E.mjtBias.mjBIAS_AFFINE, E.mjtDyn.mjDYN_FILTER, [area], biasprm, [timeconst])

    def set_to_muscle(self, timeconst=None, tausmooth=0.0, range=None, force=-1.0, scale=-1.0, lmin=-1.0, lmax=-1.0, vmax=-1.0,
                      fpmax=-1.0, fvmax=-1.0):  # fmt: skip
        rates = [0.01, 0.04] if timeconst is None else list(np.ravel(timeconst))
        lengths = [0.75, 1.05] if range is None else list(np.ravel(range))
        chosen = [value if value >= 0 else default for value, default in
                  ((scale, 200.0), (lmin, 0.5), (lmax, 1.6), (vmax, 1.5), (fpmax, 1.3), (fvmax, 1.2))]  # fmt: skip
        prm = [*lengths, force, *chosen]
        muscle = E.mjtGain.mjGAIN_MUSCLE, E.mjtBias.mjBIAS_MUSCLE, E.mjtDyn.mjDYN_MUSCLE
        self._become(*muscle, prm, prm, [*rates, tausmooth])

    def set_to_adhesion(self, gain):
        self._become(E.mjtGain.mjGAIN_FIXED, E.mjtBias.mjBIAS_NONE, E.mjtDyn.mjDYN_NONE, [gain])
        self.ctrllimited = 1


_KEYWORDS = {
    "JOINTACTFRC": "jointactuatorfrc", "TENDONACTFRC": "tendonactuatorfrc", "GEOMDIST": "distance", "GEOMNORMAL": "normal",
    "GEOMFROMTO": "fromto",
}  # fmt: skip
_SENSOR_TAGS = {
    int(value): _KEYWORDS.get(key.removeprefix("mjSENS_"), key.removeprefix("mjSENS_").lower())
    for key, value in E.mjtSensor.__members__.items()
}
_SENSOR_TYPES = {tag: kind for kind, tag in _SENSOR_TAGS.items()}
_SENSOR_SIZES = {
    **dict.fromkeys("accelerometer velocimeter gyro force torque magnetometer ballangvel framepos framexaxis frameyaxis framezaxis "
                    "framelinvel frameangvel framelinacc frameangacc subtreecom subtreelinvel subtreeangmom normal".split(), 3),
    "ballquat": 4, "framequat": 4, "fromto": 6, "camprojection": 2,
}  # fmt: skip
_SITE = "touch accelerometer velocimeter gyro force torque magnetometer camprojection insidesite".split()


def _obj_name(kind):
    return E.mjtObj(kind).name.removeprefix("mjOBJ_").lower()


def _obj_kind(name):
    return E.mjtObj[f"mjOBJ_{name.upper()}"]


class MjsSensor(MjsElement):
    """A sensor. Its kind is part of the element in MJCF: it is made anew when that changes."""

    _kind = "sensor"

    def _objects(self, tag):
        """(attribute, kind) of the objects that a sensor of a tag is attached to; attribute None: objtype and objname."""
        if tag in _SITE:
            return "site", "camera" if tag == "camprojection" else None
        if tag == "rangefinder":
            return ("camera" if self._extra.get("objtype") == E.mjtObj.mjOBJ_CAMERA else "site"), None
        for word in ("joint", "ball"):
            if tag.startswith(word):
                return "joint", None
        for word in ("tendon", "actuator"):
            if tag.startswith(word):
                return word, None
        if tag.startswith("subtree"):
            return "body", None
        if tag in ("distance", "normal", "fromto"):
            return "two", None
        if tag == "contact":
            return "contact", None
        return None, None

    @property
    def type(self):
        if self._element is not None:
            return E.mjtSensor(_SENSOR_TYPES[self._element.tag])
        return E.mjtSensor(self._extra.get("type", 0))

    @type.setter
    def type(self, value):
        self._loosen()
        self._extra["type"] = int(value)

    def _loosen(self):
        """Take the element apart, to be made again when the spec is read."""
        if self._element is None:
            return
        self._extra.update(type=int(self.type), objtype=self.objtype, objname=self.objname, reftype=self.reftype,
                           refname=self.refname)  # fmt: skip
        texts = {name: self._get_text(name) for name in _core.element_attrs(self._element._handle)}
        keep = {row.text for row in self._table.values()} | {"name"}
        self._pending.update({name: text for name, text in texts.items() if text and name in keep})
        self._spec._take_apart(self)

    def _object(self, which):
        """(kind, name) of the first or second object."""
        if self._element is None:
            keys = ("objtype", "objname") if which == 0 else ("reftype", "refname")
            return self._extra.get(keys[0], E.mjtObj.mjOBJ_UNKNOWN), self._extra.get(keys[1], "")
        get = lambda name: _core.element_attrs(self._element._handle).get(name) and self._get_text(name)
        kind = get("objtype" if which == 0 else "reftype")
        name = get("objname" if which == 0 else "refname")
        if kind:
            return _obj_kind(kind), name or ""
        names = ("site", "camera", "joint", "tendon", "actuator", "body", "geom1", "body1") if which == 0 else ("camera", "geom2", "body2")
        for attribute in names:
            if get(attribute):
                return _obj_kind(attribute.rstrip("12")), get(attribute)
        return E.mjtObj.mjOBJ_UNKNOWN, ""

    objtype = property(lambda self: E.mjtObj(self._object(0)[0]), lambda self, v: self._put("objtype", E.mjtObj(v)))
    objname = property(lambda self: self._object(0)[1], lambda self, v: self._put("objname", v))
    reftype = property(lambda self: E.mjtObj(self._object(1)[0]), lambda self, v: self._put("reftype", E.mjtObj(v)))
    refname = property(lambda self: self._object(1)[1], lambda self, v: self._put("refname", v))
    intprm = property(
        lambda self: _live(self._extra.get("intprm", [0, 0, 0]), self, "intprm", int),
        lambda self, value: self._put("intprm", np.asarray(value, int)),
    )
    needstage = property(
        lambda self: E.mjtStage(self._extra.get("needstage", E.mjtStage.mjSTAGE_ACC)), lambda self, v: self._put("needstage", int(v))
    )
    datatype = property(
        lambda self: E.mjtDataType(self._extra.get("datatype", 0)), lambda self, v: self._put("datatype", int(v))
    )

    def _put(self, name, value):
        self._loosen()
        self._extra[name] = value

    def _say_contact(self, attributes, objtype, objname, reftype, refname):
        """Which contacts, which of their data, in which order, how many: intprm has the last three."""
        words = {int(E.mjtObj.mjOBJ_XBODY): "subtree", int(E.mjtObj.mjOBJ_SITE): "site"}
        for kind, name, number in ((objtype, objname, "1"), (reftype, refname, "2")):
            if name:
                word = words.get(int(kind), _obj_name(kind))
                attributes[word if word == "site" else word + number] = name
        data, order, count = (int(x) for x in self.intprm)
        fields = [key.removeprefix("mjCONDATA_").lower() for key in E.mjtConDataField.__members__ if key != "mjNCONDATA"]
        for what, good in (("num (intprm[2]) must be positive in sensor", count > 0),
                           (f"data spec (intprm[0]) must be positive, got {data}", data > 0),
                           (f"data spec must have fewer bits than {1 << len(fields)}, got {data}", data < 1 << len(fields)),
                           (f"unknown reduction criterion. got {order}", 0 <= order < 4)):  # fmt: skip
            if not good:
                raise ValueError(f"Error: {what}")
        attributes["data"] = " ".join(name for i, name in enumerate(fields) if data >> i & 1)
        attributes["reduce"] = ("none", "mindist", "maxforce", "netforce")[order]
        attributes["num"] = str(count)

    def get_data_size(self):
        """How many numbers the sensor gives."""
        tag = _SENSOR_TAGS[int(self.type)]
        return _SENSOR_SIZES.get(tag, int(self.dim) or 1)

    def _make(self):
        tag = _SENSOR_TAGS[self._extra.get("type", 0)]
        attributes = dict(self._pending)
        kind, second = self._objects(tag)
        objtype, objname = self._extra.get("objtype"), self._extra.get("objname", "")
        reftype, refname = self._extra.get("reftype"), self._extra.get("refname", "")
        if kind == "contact":
            self._say_contact(attributes, objtype, objname, reftype, refname)
        elif kind == "two":
            attributes[f"{_obj_name(objtype)}1"] = objname
            attributes[f"{_obj_name(reftype)}2"] = refname
        elif kind:
            attributes[kind] = objname
            if second:
                attributes[second] = refname
        elif objname:
            attributes["objtype"], attributes["objname"] = _obj_name(objtype), objname
            if refname:
                attributes["reftype"], attributes["refname"] = _obj_name(reftype), refname
        if tag == "user":
            attributes.setdefault("dim", "1")
            stage = E.mjtStage(self.needstage).name.removeprefix("mjSTAGE_").lower()
            data = E.mjtDataType(self.datatype).name.removeprefix("mjDATATYPE_").lower()
            attributes.update(needstage=stage, datatype=data)
        elif "dim" in attributes:
            del attributes["dim"]
        return f"sensor/{tag}", attributes


class MjsEquality(MjsElement):
    """An equality constraint."""

    _kind = "equality"
    _TAGS = {0: "connect", 1: "weld", 2: "joint", 3: "tendon"}

    @property
    def type(self):
        if self._element is not None:
            return E.mjtEq(next(k for k, tag in self._TAGS.items() if tag == self._element.tag))
        return E.mjtEq(self._extra.get("type", 0))

    @type.setter
    def type(self, value):
        self._put("type", int(value))

    def _loosen(self):
        if self._element is None:
            return
        self._extra.update(type=int(self.type), name1=self.name1, name2=self.name2, objtype=self.objtype, data=np.array(self.data))
        self._pending.update(
            {row.text: text for row in self._table.values() if (text := self._get_text(row.text))}, name=self.name
        )
        self._spec._take_apart(self)

    def _put(self, name, value):
        self._loosen()
        self._extra[name] = value

    def _pair(self):
        names = {"connect": ("body", "site"), "weld": ("body", "site"), "joint": ("joint",), "tendon": ("tendon",)}
        for kind in names[self._element.tag]:
            if self._get_text(f"{kind}1"):
                return kind, self._get_text(f"{kind}1"), self._get_text(f"{kind}2") or ""
        return "body", "", ""

    objtype = property(
        lambda self: _obj_kind(self._pair()[0]) if self._element is not None else E.mjtObj(self._extra.get("objtype", 0)),
        lambda self, value: self._put("objtype", int(value)),
    )
    name1 = property(
        lambda self: self._pair()[1] if self._element is not None else self._extra.get("name1", ""),
        lambda self, value: self._put("name1", value),
    )
    name2 = property(
        lambda self: self._pair()[2] if self._element is not None else self._extra.get("name2", ""),
        lambda self, value: self._put("name2", value),
    )

    @property
    def data(self):
        if self._element is None:
            return _live(self._extra.get("data", [0.0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0]), self, "data")
        numbers = np.zeros(12)
        get = lambda name: [float(word) for word in (self._get_text(name) or "").split()]
        tag = self._element.tag
        if tag in ("connect", "weld"):
            anchor = get("anchor")
            numbers[: len(anchor)] = anchor
        if tag == "weld":
            pose, torque = get("relpose"), get("torquescale")
            numbers[3 : 3 + len(pose)] = pose
            numbers[10] = torque[0] if torque else 1
        if tag in ("joint", "tendon"):
            poly = get("polycoef")
            numbers[: len(poly)] = poly
        return _live(numbers, self, "data")

    @data.setter
    def data(self, value):
        numbers = np.zeros(12)
        given = np.asarray(value, float).ravel()
        numbers[: len(given)] = given
        self._put("data", numbers)

    def _make(self):
        tag = self._TAGS[self._extra.get("type", 0)]
        attributes, data = dict(self._pending), self._extra.get("data")
        kind = {"joint": "joint", "tendon": "tendon"}.get(tag)
        if kind is None:
            kind = "site" if self._extra.get("objtype") == E.mjtObj.mjOBJ_SITE else "body"
        attributes[f"{kind}1"] = self._extra.get("name1", "")
        if self._extra.get("name2"):
            attributes[f"{kind}2"] = self._extra["name2"]
        if data is None:
            data = np.array([0.0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0])
        if tag == "connect" and kind == "body":
            attributes["anchor"] = _as_text(data[:3])
        elif tag == "weld":
            attributes["torquescale"] = _as_text(float(data[10]))
            if kind == "body":
                attributes["anchor"] = _as_text(data[:3])
                if data[6:10].any():
                    attributes["relpose"] = _as_text(data[3:10])
        elif tag in ("joint", "tendon"):
            attributes["polycoef"] = _as_text(data[:5])
        return f"equality/{tag}", attributes


class MjsTendon(MjsElement):
    """A tendon. Whether it is fixed or spatial, the first station of its path decides."""

    _kind = "tendon"

    def _make(self):
        path = self._extra.get("path", [])
        tag = "fixed" if path and path[0][0] == "joint" else "spatial"
        attributes = dict(self._pending)
        if tag == "fixed":
            for name in ("width", "material", "rgba"):
                attributes.pop(name, None)
        return f"tendon/{tag}", attributes

    def _made(self):
        for tag, attributes in self._extra.pop("path", []):
            self._element.add(tag, **attributes)

    def _wrap_in(self, tag, **attributes):
        if self._element is not None:
            with as_value_error():
                self._element.add(tag, **attributes)
        else:
            self._extra.setdefault("path", []).append((tag, attributes))
        return MjsWrap(self, len(self.path) - 1)

    def wrap_site(self, name):
        return self._wrap_in("site", site=name)

    def wrap_geom(self, name, sidesite=""):
        return self._wrap_in("geom", geom=name, **({"sidesite": sidesite} if sidesite else {}))

    def wrap_joint(self, name, coef):
        return self._wrap_in("joint", joint=name, coef=coef)

    def wrap_pulley(self, divisor):
        return self._wrap_in("pulley", divisor=divisor)

    def default(self):
        return MjsDefault(self._spec, "main")

    @property
    def path(self):
        return MjsTendonPath(self)


class MjsWrap:
    """A station of a tendon's path."""

    def __init__(self, tendon, index):
        self._tendon, self._index = tendon, index

    def __eq__(self, other):
        return isinstance(other, MjsWrap) and (self._tendon, self._index) == (other._tendon, other._index)

    __hash__ = None

    def _row(self):
        if self._tendon._element is None:
            return self._tendon._extra["path"][self._index]
        child = self._tendon._element.children[self._index]
        return child.tag, child.attributes()

    @property
    def type(self):
        tag, attributes = self._row()
        if tag == "geom":
            geom = self._tendon._spec.geom(attributes["geom"])
            return E.mjtWrap.mjWRAP_CYLINDER if geom and geom.type == E.mjtGeom.mjGEOM_CYLINDER else E.mjtWrap.mjWRAP_SPHERE
        return E.mjtWrap[f"mjWRAP_{tag.upper()}"]

    @property
    def target(self):
        tag, attributes = self._row()
        return None if tag == "pulley" else getattr(self._tendon._spec, tag)(attributes[tag])

    coef = property(lambda self: float(self._row()[1].get("coef", 0)))
    divisor = property(lambda self: float(self._row()[1].get("divisor", 0)))

    @property
    def sidesite(self):
        name = self._row()[1].get("sidesite")
        return self._tendon._spec.site(name) if name else None


class MjsTendonPath:
    """The stations of a tendon."""

    def __init__(self, tendon):
        self._tendon = tendon

    def __len__(self):
        if self._tendon._element is None:
            return len(self._tendon._extra.get("path", []))
        return len(self._tendon._element.children)

    def __getitem__(self, index):
        if not -len(self) <= index < len(self):
            raise IndexError(f"no station {index}")
        return MjsWrap(self._tendon, index % len(self))

    def __iter__(self):
        return (MjsWrap(self._tendon, i) for i in range(len(self)))


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


class MjsTexture(MjsElement):
    """A texture."""

    _kind = "texture"


class MjsMesh(MjsElement):
    """A mesh."""

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


class MjsSkin(MjsElement):
    _kind = "skin"


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


_CLASSES = {cls._kind: cls for cls in (
    MjsBody, MjsFrame, MjsGeom, MjsJoint, MjsSite, MjsCamera, MjsLight, MjsActuator, MjsSensor, MjsEquality, MjsTendon,
    MjsMaterial, MjsTexture, MjsMesh, MjsSkin, MjsFlex, MjsHField, MjsKey, MjsPair, MjsExclude, MjsNumeric, MjsText, MjsTuple)}  # fmt: skip
_PLURALS = {kind: corten._spec._KINDS.get(kind, kind + "s") for kind in _CLASSES}
for _kind, _cls in _CLASSES.items():
    _cls._table = _TABLES[_kind]

# how each kind is added: as an element at once, or kept until it is complete
_SECTIONS = {"actuator": "actuator/general", "material": "asset/material", "texture": "asset/texture", "mesh": "asset/mesh",
             "skin": "asset/skin", "key": "keyframe/key"}  # fmt: skip
_KEPT = ("sensor", "equality", "tendon", "hfield", "pair", "exclude", "numeric", "text", "tuple", "flex")


def _type_of(kind):
    return corten._spec._type_of(kind)


def _children_of(kind, plural):
    def first(self):
        found = self._inside(kind)
        return found[0] if found else None

    def following(self, element):
        found = self._inside(kind)
        at = found.index(element) + 1
        return found[at] if at < len(found) else None

    setattr(_Holder, plural, property(lambda self: self._inside(kind)))
    setattr(MjsBody, f"first_{kind}", first)
    setattr(MjsBody, f"next_{kind}", following)


for _kind, _plural in _CHILDREN.items():
    _children_of(_kind, _plural)


# ---- default classes

class MjsDefault:
    """A default class: `default.geom.rgba = ...`."""

    _TAGS = {"geom": "geom", "joint": "joint", "site": "site", "camera": "camera", "light": "light", "material": "material",
             "mesh": "mesh", "texture": "texture", "pair": "pair", "equality": "equality", "tendon": "tendon",
             "actuator": "general"}  # fmt: skip

    def __init__(self, spec, name):
        self.__dict__.update(_spec=spec, _name=name)

    @property
    def name(self):
        return self._name

    def __getattr__(self, kind):
        if kind not in self._TAGS:
            raise AttributeError(f"'MjsDefault' object has no attribute {kind!r}")
        return _Template(self._spec, self._name, kind, self._TAGS[kind])

    def __eq__(self, other):
        return isinstance(other, MjsDefault) and (self._spec, self._name) == (other._spec, other._name)

    __hash__ = None


class _Template(MjsElement):
    """What a default class says for a kind of element."""

    _plain = (*MjsElement._plain, "_class", "_tag", "_table")

    def __init__(self, spec, class_name, kind, tag):
        self.__dict__.update(_spec=spec, _class=class_name, _tag=tag, _table=_TABLES[kind], _element=None, _pending={},
                             info="", _extra={})  # fmt: skip

    def _get_text(self, name):
        try:
            return _core.spec_get_default(self._spec._core, self._class, self._tag, name)
        except Error:
            return None

    def _set_text(self, name, text):
        with as_value_error():
            _core.spec_set_default(self._spec._core, self._class, self._tag, name, text)


__all__ = [name for name in globals() if name.startswith("Mjs")]
