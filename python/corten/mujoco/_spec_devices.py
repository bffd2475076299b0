"""Actuators, sensors, equalities and tendons of an MjSpec."""

import functools

import numpy as np

import corten
from corten import _core
from corten._spec import _as_text

from . import _enums as E
from ._errors import as_value_error
from ._spec_attributes import _live
from ._spec_element import MjsDefault, MjsElement

_TRANSMISSIONS = {
    "joint": E.mjtTrn.mjTRN_JOINT, "jointinparent": E.mjtTrn.mjTRN_JOINTINPARENT, "cranksite": E.mjtTrn.mjTRN_SLIDERCRANK,
    "tendon": E.mjtTrn.mjTRN_TENDON, "site": E.mjtTrn.mjTRN_SITE, "body": E.mjtTrn.mjTRN_BODY,
}  # fmt: skip


_INPUTS = {1: "pos", 2: "vel", 4: "ff", 8: "voltage", 16: "none", 32: "pressure"}
_CHARTS = {1: "expmap", 2: "quat"}  # of orientations


def _damping(kv, dampratio):
    """How a servo says its damping: negative, or as a positive ratio."""
    if kv is not None and kv >= 0 and dampratio is not None and dampratio >= 0:
        raise ValueError("kv and dampratio cannot both be set")
    return -kv if kv is not None and kv >= 0 else max(dampratio or 0.0, 0.0)


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

    @property
    def ctrlspec(self):
        """What the controls mean: bits; 0: what goes without saying."""
        words = (self._get_text("input") or "").split()
        return sum(bit for bit, word in self._inputs().items() if word in words)

    @ctrlspec.setter
    def ctrlspec(self, bits):
        self._set_text("input", " ".join(word for bit, word in self._inputs().items() if int(bits) & bit))

    def _inputs(self):
        return _CHARTS if self.gaintype == E.mjtGain.mjGAIN_SO3 else _INPUTS

    @property
    def type(self):
        """The element it is written with."""
        return self._extra.get("type") or E.mjtActuator[f"mjACTUATOR_{'GENERAL' if self._element.tag == 'plugin' else self._element.tag.upper()}"]

    @type.setter
    def type(self, value):
        self._extra["type"] = E.mjtActuator(value)

    def _become(self, gain, bias, dyn, gainprm=None, biasprm=None, dynprm=None):
        if self._get_text("input"):
            self._set_text("input", "")
        self.gaintype, self.biastype, self.dyntype = gain, bias, dyn
        for name, value in (("gainprm", gainprm), ("biasprm", biasprm), ("dynprm", dynprm)):
            if value is not None:
                setattr(self, name, [*value, *[0.0] * (10 - len(value))])

    def set_to_motor(self):
        self._become(E.mjtGain.mjGAIN_FIXED, E.mjtBias.mjBIAS_NONE, E.mjtDyn.mjDYN_NONE, [1.0])

    def set_to_position(self, kp, kv=None, dampratio=None, timeconst=None, inheritrange=0.0):
        filtered = timeconst is not None and timeconst > 0
        dyn = E.mjtDyn.mjDYN_FILTEREXACT if filtered else E.mjtDyn.mjDYN_NONE
        bias = [0.0, -kp, _damping(kv, dampratio)]
        self._become(E.mjtGain.mjGAIN_FIXED, E.mjtBias.mjBIAS_AFFINE, dyn, [kp], bias, [timeconst] if filtered else None)
        self.inheritrange, self.ctrlspec = inheritrange, 1

    def set_to_velocity(self, kv):
        self._become(E.mjtGain.mjGAIN_FIXED, E.mjtBias.mjBIAS_AFFINE, E.mjtDyn.mjDYN_NONE, [kv], [0.0, 0.0, -kv])
        self.ctrlspec = 2

    def set_to_intvelocity(self, kp, kv=None, dampratio=None, timeconst=None, inheritrange=0.0):
        self.set_to_position(kp, kv, dampratio, timeconst, inheritrange)
        self.dyntype, self.ctrlspec = E.mjtDyn.mjDYN_INTEGRATOR, 2

    def set_to_orientation(self, kp, kv=None, dampratio=None, ctrlspec=0):
        self._become(E.mjtGain.mjGAIN_SO3, E.mjtBias.mjBIAS_SO3, E.mjtDyn.mjDYN_NONE, [kp], [0.0, -kp, _damping(kv, dampratio)])
        self.ctrlspec = ctrlspec

    def set_to_pid(self, kp, kv=None, dampratio=None, ki=0.0, imax=0.0, slewmax=0.0, inheritrange=0.0, ctrlspec=0):
        ki, imax, slewmax = max(ki, 0.0), max(imax, 0.0), max(slewmax, 0.0)
        dyn = E.mjtDyn.mjDYN_PID if ki or slewmax else E.mjtDyn.mjDYN_NONE
        bias = [0.0, -kp, _damping(kv, dampratio)]
        self._become(E.mjtGain.mjGAIN_PID, E.mjtBias.mjBIAS_AFFINE, dyn, [ki], bias, [imax, slewmax])
        self.inheritrange, self.ctrlspec = inheritrange, ctrlspec

    def set_to_dcmotor(self, motorconst, resistance, nominal=None, saturation=None, inductance=None, cogging=None, controller=None,
                       thermal=None, lugre=None, ctrlspec=0):  # fmt: skip
        words = dict(motorconst=motorconst, resistance=resistance, nominal=nominal, saturation=saturation, inductance=inductance,
                     cogging=cogging, controller=controller, thermal=thermal, lugre=lugre)  # fmt: skip
        # the engine works out the numbers: those of a motor alone
        trial = corten.Spec()
        body = trial.world.add("body")
        body.add("joint", name="joint")
        body.add("geom", size=1)
        said = {name: value for name, value in words.items() if value is not None and np.any(value)}
        inputs = " ".join(word for bit, word in enumerate(("pos", "vel", "ff", "voltage")) if ctrlspec >> bit & 1)
        if inputs:
            said["input"] = inputs
        with as_value_error():
            trial.add("actuator/dcmotor", joint="joint", **said)
            model = trial.compile()
        self._become(E.mjtGain.mjGAIN_DCMOTOR, E.mjtBias.mjBIAS_DCMOTOR, E.mjtDyn.mjDYN_DCMOTOR, model.actuator_gainprm[0],
                     model.actuator_biasprm[0], model.actuator_dynprm[0])  # fmt: skip
        self.actdim, self.actlimited, self.actearly, self.ctrlspec = int(model.actuator_actnum[0]), 0, True, ctrlspec

    def set_to_damper(self, kv):
        self._become(E.mjtGain.mjGAIN_AFFINE, E.mjtBias.mjBIAS_NONE, E.mjtDyn.mjDYN_NONE, [0.0, 0.0, -kv])
        self.ctrllimited = 1

    def set_to_cylinder(self, timeconst, bias, area, diameter=-1.0):
        area = np.pi / 4 * diameter**2 if diameter >= 0 else area
        biasprm = list(np.atleast_1d(np.asarray(bias, float)))
        self._become(E.mjtGain.mjGAIN_FIXED, E.mjtBias.mjBIAS_AFFINE, E.mjtDyn.mjDYN_FILTER, [area], biasprm, [timeconst])
        self.ctrlspec = 32

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


def _remember_type(call, kind):
    def set_to(self, *args, **words):
        call(self, *args, **words)
        self._extra["type"] = kind

    return functools.wraps(call)(set_to)


for _name in [name for name in vars(MjsActuator) if name.startswith("set_to_")]:
    setattr(MjsActuator, _name, _remember_type(vars(MjsActuator)[_name], E.mjtActuator[f"mjACTUATOR_{_name[7:].upper()}"]))

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

_FIELDS = {tag: [key.removeprefix(prefix).lower() for key in enum.__members__ if key.startswith(prefix)] for tag, enum, prefix in
           (("contact", E.mjtConDataField, "mjCONDATA_"), ("rangefinder", E.mjtRayDataField, "mjRAYDATA_"))}  # fmt: skip
_REDUCTIONS = ["none", "mindist", "maxforce", "netforce"]


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
                           refname=self.refname, intprm=np.array(self.intprm))  # fmt: skip
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

    @property
    def intprm(self):
        """Which data, in which order, how many: of sensors of contacts; of rays the first."""
        numbers = self._extra.get("intprm", [0, 0, 0])
        if self._element is not None and self._element.tag in _FIELDS:
            said = (self._get_text("data") or "").split()
            numbers = [sum(1 << i for i, word in enumerate(_FIELDS[self._element.tag]) if word in said), 0, 0]
            if self._element.tag == "contact":
                numbers[1:] = _REDUCTIONS.index(self._get_text("reduce") or "none"), int(self._get_text("num") or 1)
        return _live(numbers, self, "intprm", int)

    @intprm.setter
    def intprm(self, value):
        numbers = np.zeros(3, int)
        given = np.asarray(value, int).ravel()
        numbers[: len(given)] = given
        self._put("intprm", numbers)

    needstage = property(
        lambda self: E.mjtStage(self._extra.get("needstage", E.mjtStage.mjSTAGE_ACC)), lambda self, v: self._put("needstage", int(v))
    )
    datatype = property(
        lambda self: E.mjtDataType(self._extra.get("datatype", 0)), lambda self, v: self._put("datatype", int(v))
    )

    def _put(self, name, value):
        self._loosen()
        self._extra[name] = value

    def _say_data(self, attributes, tag):
        """The fields that a sensor of contacts or rays gives."""
        data, fields = int(self.intprm[0]), _FIELDS[tag]
        count = "mjNCONDATA" if tag == "contact" else "mjNRAYDATA"
        for what, good in ((f"data spec (intprm[0]) must be positive, got {data}", data > 0),
                           (f"data spec intprm[0]={data} must have at least one bit set of the first {count} bits", data & (1 << len(fields)) - 1),
                           (f"data spec intprm[0]={data} has bits set beyond the first {count} bits", data < 1 << len(fields))):  # fmt: skip
            if not good:
                raise ValueError(f"Error: {what}")
        attributes["data"] = " ".join(name for i, name in enumerate(fields) if data >> i & 1)

    def _say_contact(self, attributes, objtype, objname, reftype, refname):
        """Which contacts, which of their data, in which order, how many: intprm has the last three."""
        words = {int(E.mjtObj.mjOBJ_XBODY): "subtree", int(E.mjtObj.mjOBJ_BODY): "body", int(E.mjtObj.mjOBJ_GEOM): "geom"}
        first = {**words, int(E.mjtObj.mjOBJ_SITE): "site"}
        if objname and int(objtype) not in first:
            raise ValueError("Error: first matching criterion: if set, must be (x)body, geom or site")
        if refname and int(reftype) not in words:
            raise ValueError("Error: second matching criterion: if set, must be (x)body or geom")
        if objname:
            attributes[{"site": "site"}.get(first[int(objtype)], first[int(objtype)] + "1")] = objname
        if refname:
            attributes[words[int(reftype)] + "2"] = refname
        _, order, count = (int(x) for x in self.intprm)
        if count <= 0:
            raise ValueError("Error: num (intprm[2]) must be positive in sensor")
        self._say_data(attributes, "contact")
        if not 0 <= order < len(_REDUCTIONS):
            raise ValueError(f"Error: unknown reduction criterion. got {order}")
        attributes["reduce"] = _REDUCTIONS[order]
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
            if tag in _FIELDS:
                self._say_data(attributes, tag)
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
    _TAGS = {int(E.mjtEq[f"mjEQ_{tag.upper()}"]): tag for tag in ("connect", "weld", "joint", "tendon", "flex", "flexstrain")}

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
