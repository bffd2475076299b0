"""Settings of an MjSpec: attributes of the sections of MJCF under the names of MuJoCo's structs."""

import numpy as np

import corten
from corten import _core
from corten._spec import _as_text

from . import _enums as E
from ._errors import as_value_error
from ._spec_attributes import BOOL, INT, NUM, STR, VEC, _Attr, _SOLIMP, _SOLREF, _attrs, _live

def _said(spec, section, names):
    """Bits of the settings that were said."""
    return sum(1 << i for i, name in enumerate(names) if _core.spec_is_set(spec._core, section, name))


# in the order of MuJoCo's struct; where a name differs, as MJCF spells it
_COMPILER_FIELDS = (
    "autolimits boundmass boundinertia settotalmass balanceinertia fitaabb angle eulerseq discardvisual usethread fusestatic "
    "inertiafromgeom inertiagrouprange saveinertial savecompiled savecanonical alignfree conflict passthrough lengthrange meshdir "
    "texturedir"
).split()


class _Settings:
    """Attributes of a section of MJCF under the names of a struct."""

    _section, _table = "", {}

    def __init__(self, spec):
        self.__dict__["_spec"] = spec

    def _get_text(self, section, name):
        return _core.spec_get(self._spec._core, section, name)

    def __getattr__(self, name):
        row = self._table.get(name)
        if row is None:
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
        value = row.decode(self._get_text(self._section, row.text))
        if row.kind == VEC:
            return _live(value, self, name)
        return row.kind(value) if isinstance(row.kind, type) else value

    def __setattr__(self, name, value):
        if isinstance(getattr(type(self), name, None), property):
            object.__setattr__(self, name, value)
            return
        row = self._table.get(name)
        if row is None:
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
        with as_value_error():
            _core.spec_set(self._spec._core, self._section, row.text, row.encode(value, name))


class _Letters(list):
    """Letters of a text: writing to them sets it."""

    def __init__(self, text, owner, name):
        super().__init__(text)
        self._owner, self._name = owner, name

    def __setitem__(self, index, value):
        if isinstance(index, int) and index < 0:
            raise IndexError("index out of range")
        super().__setitem__(index, value)
        setattr(self._owner, self._name, "".join(self))


class MjsCompiler(_Settings):
    """How a spec is compiled."""

    _section = "compiler"
    _table = _attrs(
        autolimits=("autolimits", BOOL, 0, True), boundmass=("boundmass", NUM), boundinertia=("boundinertia", NUM),
        settotalmass=("settotalmass", NUM, 0, -1.0), balanceinertia=("balanceinertia", BOOL), fitaabb=("fitaabb", BOOL),
        discardvisual=("discardvisual", BOOL), fusestatic=("fusestatic", BOOL), usethread=("usethread", BOOL, 0, True),
        inertiafromgeom=_Attr("inertiafromgeom", E.mjtInertiaFromGeom, prefix="mjINERTIAFROMGEOM_"),
        inertiagrouprange=("inertiagrouprange", VEC, 2, [0.0, 5.0]), alignfree=("alignfree", BOOL),
        conflict=_Attr("conflict", E.mjtConflict, prefix="mjCONFLICT_"),
        saveinertial=("saveinertial", BOOL), meshdir=("meshdir", STR), texturedir=("texturedir", STR),
        passthrough=_Attr("passthrough", E.mjtPassthrough, prefix="mjPASSTHROUGH_"),
    )  # fmt: skip
    degree = property(
        lambda self: self._get_text("compiler", "angle") != "radian",
        lambda self, on: _core.spec_set(self._spec._core, "compiler", "angle", "degree" if on else "radian"),
    )
    eulerseq = property(
        lambda self: _Letters(self._get_text("compiler", "eulerseq") or "xyz", self, "eulerseq"),
        lambda self, letters: self._set_eulerseq("".join(letters)),
    )

    @property
    def authored(self):
        """Which of them were said: a bit for each, in the order of MuJoCo's struct."""
        return _said(self._spec, "compiler", _COMPILER_FIELDS)

    def _set_eulerseq(self, letters):
        if len(letters) > 3:
            raise ValueError("eulerseq may have at most 3 characters")
        with as_value_error():
            _core.spec_set(self._spec._core, "compiler", "eulerseq", letters)


_WORDS = {"integrator": ("mjINT_", E.mjtIntegrator), "cone": ("mjCONE_", E.mjtCone), "jacobian": ("mjJAC_", E.mjtJacobian),
          "solver": ("mjSOL_", E.mjtSolver)}  # fmt: skip


class _Option(_Settings):
    """Physics options of a spec, under the names of MjOption."""

    _section = "option"
    _table = _attrs(
        timestep=("timestep", NUM, 0, 0.002), impratio=("impratio", NUM, 0, 1.0), tolerance=("tolerance", NUM, 0, 1e-8),
        ls_tolerance=("ls_tolerance", NUM, 0, 0.01), noslip_tolerance=("noslip_tolerance", NUM, 0, 1e-6),
        ccd_tolerance=("ccd_tolerance", NUM, 0, 1e-6), gravity=("gravity", VEC, 3, [0.0, 0, -9.81]), wind=("wind", VEC, 3),
        magnetic=("magnetic", VEC, 3, [0.0, -0.5, 0]), density=("density", NUM), viscosity=("viscosity", NUM),
        o_margin=("o_margin", NUM), o_solref=("o_solref", VEC, 2, _SOLREF), o_solimp=("o_solimp", VEC, 5, _SOLIMP),
        o_friction=("o_friction", VEC, 5, [1, 1, 0.005, 0.0001, 0.0001]), iterations=("iterations", INT, 0, 100),
        ls_iterations=("ls_iterations", INT, 0, 50), noslip_iterations=("noslip_iterations", INT),
        ccd_iterations=("ccd_iterations", INT, 0, 35), sdf_iterations=("sdf_iterations", INT, 0, 10),
        sdf_initpoints=("sdf_initpoints", INT, 0, 40), sleep_tolerance=("sleep_tolerance", NUM, 0, 0.001),
        **{name: _Attr(name, kind, prefix=prefix) for name, (prefix, kind) in _WORDS.items()},
    )  # fmt: skip

    def __setattr__(self, name, value):
        if name in _WORDS:
            prefix, kind = _WORDS[name]
            word = kind(value).name.removeprefix(prefix)
            words = {"EULER": "Euler", "NEWTON": "Newton", "RK4": "RK4", "PGS": "PGS", "CG": "CG"}
            with as_value_error():
                _core.spec_set(self._spec._core, "option", name, words.get(word, word.lower()))
            return
        super().__setattr__(name, value)

    def _flags(self, enum, prefix, on):
        bits = 0
        for key, bit in enum.__members__.items():
            if key.startswith(prefix):
                bits |= int(bit) if self._get_text("option/flag", key.removeprefix(prefix).lower()) == on else 0
        return bits

    def _set_flags(self, enum, prefix, value, on, off):
        for key, bit in enum.__members__.items():
            if key.startswith(prefix):
                word = on if int(value) & int(bit) else off
                if self._get_text("option/flag", key.removeprefix(prefix).lower()) != word:
                    _core.spec_set(self._spec._core, "option/flag", key.removeprefix(prefix).lower(), word)

    disableflags = property(
        lambda self: self._flags(E.mjtDisableBit, "mjDSBL_", "disable"),
        lambda self, value: self._set_flags(E.mjtDisableBit, "mjDSBL_", value, "disable", "enable"),
    )
    enableflags = property(
        lambda self: self._flags(E.mjtEnableBit, "mjENBL_", "enable"),
        lambda self, value: self._set_flags(E.mjtEnableBit, "mjENBL_", value, "enable", "disable"),
    )


class _Statistic(_Settings):
    _section = "statistic"
    _table = _attrs(
        meaninertia=("meaninertia", NUM), meanmass=("meanmass", NUM), meansize=("meansize", NUM), extent=("extent", NUM),
        center=("center", VEC, 3),
    )  # fmt: skip


class _VisualGroup:
    """A group of drawing settings: numbers or texts by their names in MJCF."""

    def __init__(self, spec, group):
        self.__dict__.update(_spec=spec, _section=f"visual/{group}")

    def __eq__(self, other):
        return isinstance(other, _VisualGroup) and self._section == other._section and self._spec is other._spec

    __hash__ = None

    def __getattr__(self, name):
        value = corten._spec._number(_core.spec_get(self._spec._core, self._section, name.rstrip("_")))
        return _live(value, self, name) if isinstance(value, np.ndarray) else value

    def __setattr__(self, name, value):
        with as_value_error():
            _core.spec_set(self._spec._core, self._section, name.rstrip("_"), _as_text(value))


class _Visual:
    def __init__(self, spec):
        for group in ("global", "quality", "headlight", "map", "scale", "rgba"):
            setattr(self, group, _VisualGroup(spec, group))
        self.global_ = getattr(self, "global")


class MjsAuthored:
    """Which settings of a spec were said: a bit for each, in the order of MuJoCo's structs."""

    _visual = {group: tuple(names) for group, names in {
        "global": "cameraid orthographic fovy ipd azimuth elevation linewidth glow realtime offwidth offheight ellipsoidinertia "
                  "bvactive".split(),
        "quality": "shadowsize offsamples numslices numstacks numquads".split(),
        "headlight": "ambient diffuse specular active".split(),
        "map": "stiffness stiffnessrot force torque alpha fogstart fogend znear zfar haze shadowclip shadowscale actuatortendon".split(),
        "scale": "forcewidth contactwidth contactheight connect com camera light selectpoint jointlength jointwidth actuatorlength "
                 "actuatorwidth framelength framewidth constraint slidercrank frustum".split(),
        "rgba": "fog haze force inertia joint actuator actuatornegative actuatorpositive com camera light selectpoint connect "
                "contactpoint contactforce contactfriction contacttorque contactgap rangefinder constraint slidercrank crankbroken "
                "frustum bv bvactive".split(),
    }.items()}  # fmt: skip

    def __init__(self, spec):
        self._spec = spec

    option = property(lambda self: _said(self._spec, "option", (*_Option._table, "actuatorgroupdisable")))
    disableactuator = property(
        lambda self: _bits_of(_core.spec_get(self._spec._core, "option", "actuatorgroupdisable"))
        if _core.spec_is_set(self._spec._core, "option", "actuatorgroupdisable") else 0)

    def _flags(self, enum, prefix):
        members = {key.removeprefix(prefix).lower(): int(bit) for key, bit in enum.__members__.items() if key.startswith(prefix)}
        return sum(bit for name, bit in members.items() if _core.spec_is_set(self._spec._core, "option/flag", name))

    disableflags = property(lambda self: self._flags(E.mjtDisableBit, "mjDSBL_"))
    enableflags = property(lambda self: self._flags(E.mjtEnableBit, "mjENBL_"))

    def __getattr__(self, name):
        group = name.removeprefix("visual_")
        if not name.startswith("visual_") or group not in self._visual:
            raise AttributeError(f"'MjsAuthored' object has no attribute {name!r}")
        return _said(self._spec, f"visual/{group}", self._visual[group])

    def __dir__(self):
        return sorted({*object.__dir__(self), *(f"visual_{group}" for group in self._visual)})


def _bits_of(text):
    """Numbers of groups as bits."""
    return sum(1 << int(word) for word in text.split())
