"""Attributes of MjSpec's elements: a table for each class translates names and enumerations into the text of MJCF."""

import numpy as np

from corten._spec import _as_text

from . import _enums as E

# ---- attributes

NUM, INT, BOOL, STR, VEC, STRS = "num", "int", "bool", "str", "vec", "strs"


class _Attr:
    """How an attribute of a class is said in MJCF: its name there, its kind (one of the above, or an enumeration with the
    prefix of its members), how many numbers it has (0: any), and its value where the text says nothing."""

    def __init__(self, text, kind, size=0, default=None, prefix=None, words=None):
        self.text, self.kind, self.size, self.default = text, kind, size, default
        if isinstance(kind, type):
            members = {key.removeprefix(prefix).lower(): value for key, value in kind.__members__.items()}
            self.words = {**members, **(words or {})}
            self.names = {int(value): word for word, value in self.words.items()}

    def decode(self, text):
        """From text to a value."""
        kind = self.kind
        if text is None or text == "":
            return self.missing()
        if kind == NUM:
            return float(text.split()[0])
        if kind == INT:
            return int(float(text.split()[0]))
        if kind == BOOL:
            return text == "true"
        if kind == STR:
            return text
        if kind == STRS:
            return text.split()
        if kind == VEC:
            numbers = [float(word) for word in text.split()]
            if self.text == "scale" and len(numbers) == 1:
                numbers *= 3
            if self.size and len(numbers) < self.size:
                numbers += (self.default if self.default is not None else [0.0] * self.size)[len(numbers) :]
            return numbers
        return self.words.get(text.lower(), 0)

    def missing(self):
        if self.default is not None:
            return list(self.default) if self.kind == VEC else self.default
        return {NUM: 0.0, INT: 0, BOOL: False, STR: "", VEC: [0.0] * self.size, STRS: []}.get(self.kind, 0)

    def encode(self, value, name):
        """From a value to text."""
        kind = self.kind
        if kind in (STR, STRS):
            if kind == STR and not isinstance(value, str):
                raise TypeError(f"{name} should be a string, got {value!r}")
            return value if isinstance(value, str) else " ".join(value)
        if isinstance(value, (str, bytes)):
            raise TypeError(f"{name} should be a number, got {value!r}")
        if kind == BOOL:
            return "true" if value else "false"
        if kind == INT:
            return str(int(value))
        if kind == NUM:
            return repr(float(np.asarray(value).reshape(-1)[0]))
        if kind == VEC:
            numbers = np.asarray(value, float)
            if numbers.ndim == 0:
                more = numbers if name == "scale" else 0.0  # one scale is that of all axes
                numbers = np.concatenate([[float(numbers)], np.full(max(0, self.size - 1), float(more))])
            numbers = numbers.reshape(-1)
            self.check_size(numbers, name)
            if np.isnan(numbers).any():
                return ""
            if name == "size" and self.size == 3:
                numbers = np.concatenate([numbers, np.zeros(3 - len(numbers))])
            return " ".join(repr(float(x)) for x in numbers)
        if int(value) not in self.names:
            raise ValueError(f"{name}: {value!r} is no {kind.__name__}")
        return self.names[int(value)]

    def check_size(self, numbers, name):
        if name == "size" and self.size == 3:
            if not 1 <= len(numbers) <= 3:
                raise ValueError("size should be a list/array of size 1 to 3.")
        elif self.size and len(numbers) != self.size and name not in ("stiffness", "damping"):
            raise ValueError(f"{name} should be a list/array of size {self.size}.")


class _Live(np.ndarray):
    """Numbers of an attribute: writing to them sets it."""

    def __setitem__(self, index, value):
        super().__setitem__(index, value)
        owner = getattr(self, "_owner", None)
        if owner is not None:
            setattr(owner, self._name, np.array(self))

    def __array_finalize__(self, obj):
        self._owner = None


def _live(values, owner, name, dtype=float):
    array = np.array(values, dtype).view(_Live)
    array._owner, array._name = owner, name
    return array


def _attrs(**table):
    return {name: row if isinstance(row, _Attr) else _Attr(*row) for name, row in table.items()}


_nan = float("nan")
_SOLREF, _SOLIMP = [0.02, 1.0], [0.9, 0.95, 0.001, 0.5, 2.0]


def _limited(text):
    return _Attr(text, E.mjtLimited, prefix="mjLIMITED_", default=E.mjtLimited.mjLIMITED_AUTO)


def _place():
    return _attrs(pos=("pos", VEC, 3), quat=("quat", VEC, 4, [1.0, 0, 0, 0]))


_MODE = _Attr("mode", E.mjtCamLight, prefix="mjCAMLIGHT_")
_USER = ("user", VEC)

_TABLES = {
    "body": {
        **_place(),
        **_attrs(
            childclass=("childclass", STR), mocap=("mocap", BOOL), gravcomp=("gravcomp", NUM), userdata=_USER,
            sleep=_Attr("sleep", E.mjtSleepPolicy, prefix="mjSLEEP_"),
        ),
    },
    "frame": {**_place(), **_attrs(childclass=("childclass", STR), massscale=("massscale", NUM), scale=("scale", VEC, 3, [1.0] * 3),
                                  scaling=_Attr("scaling", E.mjtScaling, prefix="mjSCALING_"))},
    "geom": {
        **_place(),
        **_attrs(
            type=_Attr("type", E.mjtGeom, prefix="mjGEOM_"), contype=("contype", INT), conaffinity=("conaffinity", INT),
            condim=("condim", INT), group=("group", INT), priority=("priority", INT), size=("size", VEC, 3),
            material=("material", STR), friction=("friction", VEC, 3), mass=("mass", NUM, 0, _nan), density=("density", NUM),
            typeinertia=_Attr("shellinertia", E.mjtGeomInertia, prefix="mjINERTIA_", words={"false": 0, "true": 1}),
            solmix=("solmix", NUM), solref=("solref", VEC, 2, _SOLREF), solimp=("solimp", VEC, 5, _SOLIMP),
            margin=("margin", NUM), gap=("gap", NUM), adhesion=("adhesion", NUM), surfacevel=("surfacevel", VEC, 6),
            fromto=("fromto", VEC, 6, [_nan, 0, 0, 0, 0, 0]), hfieldname=("hfield", STR), meshname=("mesh", STR),
            fitscale=("fitscale", NUM), rgba=("rgba", VEC, 4), castshadow=("castshadow", BOOL),
            fluid_coefs=("fluidcoef", VEC, 5), userdata=_USER,
        ),
    },
    "joint": _attrs(
        type=_Attr("type", E.mjtJoint, prefix="mjJNT_", default=E.mjtJoint.mjJNT_HINGE), group=("group", INT),
        pos=("pos", VEC, 3), axis=("axis", VEC, 3, [0.0, 0, 1]), springdamper=("springdamper", VEC, 2),
        limited=_limited("limited"), actfrclimited=_limited("actuatorfrclimited"),
        solref_limit=("solreflimit", VEC, 2, _SOLREF), solimp_limit=("solimplimit", VEC, 5, _SOLIMP),
        solref_friction=("solreffriction", VEC, 2, _SOLREF), solimp_friction=("solimpfriction", VEC, 5, _SOLIMP),
        stiffness=("stiffness", VEC, 3), range=("range", VEC, 2), actfrcrange=("actuatorfrcrange", VEC, 2),
        actgravcomp=("actuatorgravcomp", BOOL), margin=("margin", NUM), ref=("ref", NUM), springref=("springref", NUM),
        springyield=("springyield", NUM), armature=("armature", NUM), damping=("damping", VEC, 3),
        frictionloss=("frictionloss", NUM), userdata=_USER,
        align=_Attr("align", E.mjtAlignFree, prefix="mjALIGNFREE_", default=E.mjtAlignFree(2)),
    ),
    "site": {
        **_place(),
        **_attrs(
            type=_Attr("type", E.mjtGeom, prefix="mjGEOM_", default=E.mjtGeom.mjGEOM_SPHERE), group=("group", INT),
            material=("material", STR), meshname=("mesh", STR), size=("size", VEC, 3, [0.005] * 3),
            fromto=("fromto", VEC, 6, [_nan, 0, 0, 0, 0, 0]), rgba=("rgba", VEC, 4), userdata=_USER,
        ),
    },
    "camera": {
        **_place(),
        **_attrs(
            proj=_Attr("projection", E.mjtProjection, prefix="mjPROJ_"), fovy=("fovy", NUM), ipd=("ipd", NUM),
            resolution=("resolution", VEC, 2), mode=_MODE, targetbody=("target", STR), focal_length=("focal", VEC, 2),
            focal_pixel=("focalpixel", VEC, 2), principal_length=("principal", VEC, 2),
            principal_pixel=("principalpixel", VEC, 2), sensor_size=("sensorsize", VEC, 2), userdata=_USER,
        ),
    },
    "light": _attrs(
        type=_Attr("type", E.mjtLightType, prefix="mjLIGHT_"), castshadow=("castshadow", BOOL), active=("active", BOOL),
        pos=("pos", VEC, 3), dir=("dir", VEC, 3), bulbradius=("bulbradius", NUM), intensity=("intensity", NUM),
        range=("range", NUM), attenuation=("attenuation", VEC, 3), cutoff=("cutoff", NUM), softness=("softness", NUM),
        exponent=("exponent", NUM), ambient=("ambient", VEC, 3), diffuse=("diffuse", VEC, 3), specular=("specular", VEC, 3),
        mode=_MODE, targetbody=("target", STR), texture=("texture", STR),
    ),
    "actuator": _attrs(
        group=("group", INT), nsample=("nsample", INT), delay=("delay", NUM), ctrlrange=("ctrlrange", VEC, 2),
        userdata=_USER, ctrllimited=_limited("ctrllimited"), forcelimited=_limited("forcelimited"),
        forcerange=("forcerange", VEC, 2), lengthrange=("lengthrange", VEC, 2), gear=("gear", VEC, 6),
        damping=("damping", VEC, 3), armature=("armature", NUM), cranklength=("cranklength", NUM),
        slidersite=("slidersite", STR), refsite=("refsite", STR), inheritrange=("inheritrange", NUM),
        actlimited=_limited("actlimited"), actrange=("actrange", VEC, 2), actdim=("actdim", INT),
        actearly=("actearly", BOOL), dyntype=_Attr("dyntype", E.mjtDyn, prefix="mjDYN_"),
        gaintype=_Attr("gaintype", E.mjtGain, prefix="mjGAIN_"), biastype=_Attr("biastype", E.mjtBias, prefix="mjBIAS_"),
        dynprm=("dynprm", VEC, 10), gainprm=("gainprm", VEC, 10), biasprm=("biasprm", VEC, 10),
        velrange=("velrange", VEC, 2), ffrange=("ffrange", VEC, 2),
    ),
    "tendon": _attrs(
        group=("group", INT), limited=_limited("limited"), actfrclimited=_limited("actuatorfrclimited"),
        range=("range", VEC, 2), actfrcrange=("actuatorfrcrange", VEC, 2), solref_limit=("solreflimit", VEC, 2, _SOLREF),
        solimp_limit=("solimplimit", VEC, 5, _SOLIMP), solref_friction=("solreffriction", VEC, 2, _SOLREF),
        solimp_friction=("solimpfriction", VEC, 5, _SOLIMP), frictionloss=("frictionloss", NUM),
        springlength=("springlength", VEC, 2, [-1.0, -1.0]), springyield=("springyield", NUM), margin=("margin", NUM),
        stiffness=("stiffness", VEC, 3), damping=("damping", VEC, 3), armature=("armature", NUM), userdata=_USER,
        width=("width", NUM, 0, 0.003), material=("material", STR), rgba=("rgba", VEC, 4, [0.5, 0.5, 0.5, 1.0]),
    ),
    "material": _attrs(
        texrepeat=("texrepeat", VEC, 2), texuniform=("texuniform", BOOL), emission=("emission", NUM),
        specular=("specular", NUM), shininess=("shininess", NUM), reflectance=("reflectance", NUM),
        metallic=("metallic", NUM), roughness=("roughness", NUM), rgba=("rgba", VEC, 4),
    ),
    "texture": _attrs(
        type=_Attr("type", E.mjtTexture, prefix="mjTEXTURE_"), colorspace=_Attr("colorspace", E.mjtColorSpace, prefix="mjCOLORSPACE_"),
        content_type=("content_type", STR), file=("file", STR), gridsize=("gridsize", VEC, 2),
        builtin=_Attr("builtin", E.mjtBuiltin, prefix="mjBUILTIN_"), rgb1=("rgb1", VEC, 3), rgb2=("rgb2", VEC, 3),
        mark=_Attr("mark", E.mjtMark, prefix="mjMARK_"), markrgb=("markrgb", VEC, 3), random=("random", NUM),
        width=("width", INT), height=("height", INT), embed=_Attr("embed", E.mjtEmbed, prefix="mjEMBED_", default=E.mjtEmbed.mjEMBED_AUTO), hflip=("hflip", BOOL), vflip=("vflip", BOOL), nchannel=("nchannel", INT),
    ),
    "mesh": _attrs(
        content_type=("content_type", STR), file=("file", STR), uservert=("vertex", VEC), usernormal=("normal", VEC),
        usertexcoord=("texcoord", VEC), userface=("face", VEC), refpos=("refpos", VEC, 3),
        refquat=("refquat", VEC, 4, [1.0, 0, 0, 0]), scale=("scale", VEC, 3, [1.0] * 3), smoothnormal=("smoothnormal", BOOL),
        maxhullvert=("maxhullvert", INT), inertia=_Attr("inertia", E.mjtMeshInertia, prefix="mjMESH_INERTIA_"),
        material=("material", STR),
    ),
    "skin": _attrs(
        file=("file", STR), material=("material", STR), rgba=("rgba", VEC, 4), inflate=("inflate", NUM), vert=("vertex", VEC),
        texcoord=("texcoord", VEC), face=("face", VEC), group=("group", INT),
    ),
    "flex": _attrs(
        vertbody=("body", STRS), nodebody=("node", STRS), vert=("vertex", VEC), node=("nodecoord", VEC), elem=("element", VEC),
        texcoord=("texcoord", VEC), elemtexcoord=("elemtexcoord", VEC), dim=("dim", INT, 0, 2), group=("group", INT),
        radius=("radius", NUM, 0, 0.005), material=("material", STRS), rgba=("rgba", VEC, 4, [0.5, 0.5, 0.5, 1.0]),
        flatskin=("flatskin", BOOL), cellcount=("cellcount", VEC, 3, [1.0] * 3), contype=("contype", INT, 0, 1),
        conaffinity=("conaffinity", INT, 0, 1), condim=("condim", INT, 0, 3), priority=("priority", INT),
        friction=("friction", VEC, 3, [1.0, 0.005, 0.0001]), solmix=("solmix", NUM, 0, 1.0), solref=("solref", VEC, 2, _SOLREF),
        solimp=("solimp", VEC, 5, _SOLIMP), margin=("margin", NUM), gap=("gap", NUM), activelayers=("activelayers", INT, 0, 1),
        passive=("passive", BOOL), edgestiffness=("edgestiffness", NUM), edgedamping=("edgedamping", NUM), young=("young", NUM),
        poisson=("poisson", NUM), shear=("shear", NUM), damping=("damping", NUM), thickness=("thickness", NUM, 0, -1.0),
        stressyield=("yield", VEC, 2), sectionsize=("sectionsize", VEC, 2),
        selfcollide=_Attr("selfcollide", E.mjtFlexSelf, default=E.mjtFlexSelf.mjFLEXSELF_AUTO, prefix="mjFLEXSELF_"),
        section=_Attr("section", E.mjtFlexSection, prefix="mjFLEXSECTION_"),
    ),
    "key": _attrs(
        time=("time", NUM), qpos=("qpos", VEC), qvel=("qvel", VEC), act=("act", VEC), mpos=("mpos", VEC), mquat=("mquat", VEC),
        ctrl=("ctrl", VEC), plastic=("plastic", VEC),
    ),
    "hfield": _attrs(
        content_type=("content_type", STR), file=("file", STR), nrow=("nrow", INT), ncol=("ncol", INT), size=("size", VEC, 4),
        userdata=("elevation", VEC),
    ),
    "pair": _attrs(
        geomname1=("geom1", STR), geomname2=("geom2", STR), condim=("condim", INT, 0, 3),
        friction=("friction", VEC, 5, [1.0, 1.0, 0.005, 0.0001, 0.0001]), solref=("solref", VEC, 2, _SOLREF),
        solreffriction=("solreffriction", VEC, 2), solimp=("solimp", VEC, 5, _SOLIMP), margin=("margin", NUM), gap=("gap", NUM),
        adhesion=("adhesion", NUM),
    ),
    "exclude": _attrs(bodyname1=("body1", STR), bodyname2=("body2", STR)),
    "numeric": _attrs(data=("data", VEC), size=("size", INT)),
    "text": _attrs(data=("data", STR)),
    "tuple": _attrs(),
    "plugin": _attrs(),
    "equality": _attrs(
        active=("active", BOOL, 0, True), solref=("solref", VEC, 2, _SOLREF), solimp=("solimp", VEC, 5, _SOLIMP),
    ),
    "sensor": _attrs(
        cutoff=("cutoff", NUM), noise=("noise", NUM), userdata=_USER, nsample=("nsample", INT), delay=("delay", NUM),
        dim=("dim", INT), interval=("interval", VEC, 2),
    ),
}  # fmt: skip

_ORIENTATIONS = {"axisangle": 4, "xyaxes": 6, "zaxis": 3, "euler": 3}
_TURNED = ("body", "frame", "geom", "site", "camera")


class MjsOrientation:
    """Another way to say a rotation."""

    def __init__(self, owner=None, prefix=""):
        self.__dict__.update(_owner=owner, _prefix=prefix)

    def _get(self, name):
        text = self._owner._get_text(self._prefix + name) if self._owner is not None else None
        return [float(word) for word in text.split()] if text else None

    @property
    def type(self):
        for name in _ORIENTATIONS:
            if self._get(name):
                return E.mjtOrientation[f"mjORIENTATION_{name.upper()}"]
        return E.mjtOrientation.mjORIENTATION_QUAT

    def __getattr__(self, name):
        if name not in _ORIENTATIONS:
            raise AttributeError(name)
        return _live(self._get(name) or [0.0] * _ORIENTATIONS[name], self, name)

    def __setattr__(self, name, value):
        if name == "type":
            return
        if name not in _ORIENTATIONS:
            raise AttributeError(name)
        numbers = np.asarray(value, float).ravel()
        if len(numbers) != _ORIENTATIONS[name]:
            raise ValueError(f"{name} should be a list/array of size {_ORIENTATIONS[name]}.")
        self._owner._set_text(self._prefix + name, _as_text(numbers))
