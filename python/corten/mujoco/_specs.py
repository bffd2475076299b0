"""MjSpec: models that are built and changed before they are compiled, over corten.Spec.

Elements of the tree (bodies, geoms, joints, ...) and assets are those of a corten.Spec, whose attributes are the text of MJCF;
a table for each class translates names and enumerations. Elements that MJCF cannot say before they are complete (a sensor
without an object, an equality without bodies) are kept here and become elements when the spec is read or compiled.

What is attached is copied: edits of the other spec afterwards do not follow.
"""

import os
import time
import zipfile
from typing import Union

import numpy as np

import corten
from corten import Element, Error, Spec, _core
from corten._spec import _as_text

from . import _enums as E
from ._errors import as_value_error
from ._structs import SIGNED, MjData, MjModel, signature_of
from ._spec_attributes import BOOL, INT, NUM, STR, VEC, _Attr, _ORIENTATIONS, _SOLIMP, _SOLREF, _attrs, _live
from ._spec_elements import MjsDefault, MjsElement, _CLASSES, _KEPT, _PLURALS, _SECTIONS, _kind, _plural, _type_of

# ---- settings

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
    )  # fmt: skip
    degree = property(
        lambda self: self._get_text("compiler", "angle") != "radian",
        lambda self, on: _core.spec_set(self._spec._core, "compiler", "angle", "degree" if on else "radian"),
    )
    eulerseq = property(
        lambda self: _Letters(self._get_text("compiler", "eulerseq") or "xyz", self, "eulerseq"),
        lambda self, letters: self._set_eulerseq("".join(letters)),
    )

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


# ---- specs

def _given_files(include, assets, vfs):
    """All files in memory, as bytes."""
    if vfs is not None and assets:
        raise ValueError("only one of assets and vfs can be given")
    files = {**(include or {}), **(assets or {}), **(vfs._all() if vfs is not None else {})}
    return {name: content.encode() if isinstance(content, str) else content for name, content in files.items()}


class MjSpec:
    """A model before it is compiled."""

    __module__ = "corten.mujoco"

    def __init__(self):
        self._start(Spec())

    def _start(self, spec, assets=None):
        self._spec, self._elements, self._loose, self._made_assets = spec, {}, [], dict(assets or {})
        self._parsed_assets, self._signed = set(self._made_assets), None
        self.comment, self.parent, self.override_assets = "", None, True
        self.timer = np.zeros(int(E.mjtCTimer.mjNCTIMER))
        if not spec.modelname:
            spec.modelname = "MuJoCo Model"
        return self

    _core = property(lambda self: self._spec._core)
    _address = property(lambda self: id(self._core))

    @classmethod
    def _of(cls, spec, assets=None):
        return cls.__new__(cls)._start(spec, assets)

    @staticmethod
    def from_file(filename, include=None, assets=None, vfs=None):
        """Read a model file."""
        files = _given_files(include, assets, vfs)
        with as_value_error():
            return MjSpec._of(Spec.from_urdf(filename, files or None, mujoco=True), files)

    @staticmethod
    def from_string(xml, include=None, assets=None, vfs=None):
        """Read a model from text."""
        files = _given_files(include, assets, vfs)
        xml = xml.decode() if isinstance(xml, bytes) else xml
        with as_value_error():
            return MjSpec._of(Spec.from_urdf_string(xml, files or None, mujoco=True), files)

    @staticmethod
    def from_zip(file):
        """Read a zip file with a model and its assets."""
        with zipfile.ZipFile(file) as archive:
            names = [name for name in archive.namelist() if not name.endswith("/")]
            model = next((name for name in names if name.endswith(".xml")), None)
            if model is None:
                raise ValueError("No XML file found in zip file.")
            folder = os.path.dirname(model)
            assets = {os.path.relpath(name, folder or "."): archive.read(name) for name in names if not name.endswith(".xml")}
            return MjSpec.from_string(archive.read(model), assets=assets)

    def to_zip(self, file):
        """Write a zip file with the model and its assets."""
        if isinstance(file, str) and os.path.dirname(file):
            os.makedirs(os.path.dirname(file), exist_ok=True)
        with zipfile.ZipFile(file, "w") as archive:
            for name, content in {**self.assets, self.modelname + ".xml": self.to_xml()}.items():
                archive.writestr(zipfile.ZipInfo(name), content)

    # elements

    def _wrap(self, element):
        """The object of an element: always the same."""
        if element is None:
            return None
        address, tag, _, kind, _ = element._describe()
        found = self._elements.get(address)
        if found is None or found._element is None:
            name = "frame" if tag == "frame" else _KIND_NAMES.get(kind)
            cls = _CLASSES.get(name)
            if cls is None:
                raise ValueError(f"elements <{tag}> have no class")
            found = self._elements[address] = cls(self, element, {})
        return found

    def _changed(self):
        self._signed = None

    def _signature(self):
        """A number for how many elements of each kind there are: that of the models they are compiled to."""
        if self._signed is None:
            self._flush()
            self._signed = signature_of(len(_core.spec_list(self._core, _type_of(kind))) for kind in SIGNED)
        return self._signed

    def _flush(self):
        """Make elements of those that were kept."""
        if self._loose:
            self._changed()
        loose, self._loose = self._loose, []
        for at, element in enumerate(loose):
            path, attributes = element._make()
            attributes = {("class_" if name == "class" else name): text for name, text in attributes.items()}
            try:
                made = self._spec.add(path, **attributes)
            except Error as error:
                self._loose = loose[at:]
                raise ValueError(str(error)) from error
            element.__dict__["_element"] = made
            self._elements[made._describe()[0]] = element
            if hasattr(element, "_made"):
                with as_value_error():
                    element._made()
            element._pending.clear()

    def _all(self, kind):
        made = [self._wrap(Element(self._spec, handle)) for handle in _core.spec_list(self._core, _type_of(kind))]
        return made + [element for element in self._loose if element._kind == kind]

    def _index(self, element):
        for i, other in enumerate(self._all(element._kind)):
            if other is element or (element._element is not None and other == element):
                return i
        return -1

    def _find(self, kind, name):
        element = self._spec.find(_type_of(kind), name) if name else None
        if element is not None:
            return self._wrap(element)
        return next((e for e in self._loose if e._kind == kind and e.name == name and name), None)

    def _add(self, kind, default, values):
        self._changed()
        if kind in _KEPT:
            element = _CLASSES[kind](self, None, {})
            if default is not None:
                element._pending["class"] = default.name
            element._fill(values)
            self._loose.append(element)
            return element
        with as_value_error():
            element = self._wrap(self._spec.add(_SECTIONS[kind], **({"class_": default.name} if default is not None else {})))
        element._fill(values)
        return element

    @property
    def worldbody(self):
        return self._wrap(self._spec.world)

    def delete(self, element):
        """Remove an element with what stands in it and what refers to it."""
        if not isinstance(element, MjsElement):
            raise TypeError(f"expected an element of the spec, got {element!r}")
        if element._spec is not self:
            raise ValueError("Element does not belong to this spec.")
        self._changed()
        element._alive()
        if element._element is None:
            self._loose.remove(element)
            return
        with as_value_error():
            element._element.remove()
        self._purge()

    def _take_apart(self, element):
        """Remove an element that will be made again."""
        element._element.remove()
        self._purge()
        element._extra.pop("removed", None)
        self._loose.append(element)

    def _purge(self):
        """Objects of elements that were removed, with others perhaps, no longer lead to them."""
        live = {_core.element_describe(handle)[0] for kind in _CLASSES for handle in _core.spec_list(self._core, _type_of(kind))}
        for address, element in list(self._elements.items()):
            if address not in live:
                element.__dict__["_element"] = None
                element._extra["removed"] = True
                del self._elements[address]

    # default classes

    @property
    def default(self):
        return MjsDefault(self, "main")

    def add_default(self, name, parent=None):
        with as_value_error():
            _core.spec_add_class(self._core, name, "main" if parent is None else parent.name)
        return MjsDefault(self, name)

    def find_default(self, name):
        try:
            _core.spec_get_default(self._core, name, "geom", "size")
        except Error:
            return None
        return MjsDefault(self, name)

    # settings

    compiler = property(lambda self: MjsCompiler(self))
    option = property(lambda self: _Option(self))
    stat = property(lambda self: _Statistic(self))
    visual = property(lambda self: _Visual(self))

    @property
    def modelname(self):
        return self._spec.modelname

    @modelname.setter
    def modelname(self, name):
        self._spec.modelname = name

    meshdir = property(lambda self: self.compiler.meshdir, lambda self, value: setattr(self.compiler, "meshdir", value))
    texturedir = property(lambda self: self.compiler.texturedir, lambda self, value: setattr(self.compiler, "texturedir", value))
    strippath = property(
        lambda self: _core.spec_get(self._core, "compiler", "strippath") == "true",
        lambda self, on: _core.spec_set(self._core, "compiler", "strippath", "true" if on else "false"),
    )

    @property
    def modelfiledir(self):
        return self._spec._folder or ""

    @modelfiledir.setter
    def modelfiledir(self, folder):
        self._spec._folder = folder

    @property
    def assets(self):
        """Files in memory, by name; more can be put in."""
        return self._made_assets

    @assets.setter
    def assets(self, files):
        self._made_assets = dict(files)

    # whole specs

    def _frame_at(self, site):
        """A frame where a site is, turned as it is."""
        place = {"pos": site._get_text("pos")}
        turn = next((name for name in _ORIENTATIONS if site._get_text(name)), "quat")
        place[turn] = site._get_text(turn)
        return site._element.parent.add("frame", **place)

    def _attach(self, place, part, prefix, suffix):
        other = part._spec
        other._flush()
        self._flush()
        self._changed()
        self._made_assets.update(other._made_assets)
        with as_value_error():
            return self._wrap(place.attach(part._element, prefix or "", suffix or ""))

    def attach(self, child, prefix=None, suffix=None, site=None, frame=None):
        """Copy a spec to a site or frame of this one; returns the frame with the copy."""
        child._flush()
        self._flush()
        self._changed()
        if site is None and frame is None:
            raise ValueError("Either site or frame must be specified.")
        if site is not None and frame is not None:
            raise ValueError("Only one of site or frame can be specified.")
        where = site if site is not None else frame
        if isinstance(where, str):
            found = self._find("site" if site is not None else "frame", where)
            if found is None:
                raise ValueError(f"no site or frame called {where!r}")
            where = found
        elif where._spec is not self:
            raise ValueError("Frame spec does not match parent spec." if frame is not None else "Site spec does not match parent spec.")
        self._made_assets.update(child._made_assets)
        place = self._frame_at(where) if site is not None else where._element.add("frame")
        with as_value_error():
            place.attach(child._spec, prefix or "", suffix or "")
        child.parent = self
        return self._wrap(place)

    def copy(self):
        """A copy that shares nothing."""
        self._flush()
        made = MjSpec._of(self._spec.copy(), self._made_assets)
        made.comment = self.comment
        return made

    __copy__ = copy

    def __deepcopy__(self, memo):
        return self.copy()

    def to_xml(self):
        """The spec as MJCF."""
        self._flush()
        with as_value_error():
            return self._complete().to_xml()

    def to_file(self, filename):
        """Write the spec as an MJCF file."""
        self._flush()
        with as_value_error():
            self._complete().save(filename)

    def _complete(self, vfs=None):
        """The spec with the files in memory that were given after it was read."""
        more = vfs._all() if vfs is not None else {}
        if set(self._made_assets) | set(more) == self._parsed_assets:
            return self._spec
        return Spec.from_xml_string(self._spec.to_xml(), _given_files(more, self._made_assets, None))

    def compile(self, vfs=None):
        """Compile to a model."""
        self._flush()
        start = time.perf_counter()
        with as_value_error():
            model = MjModel._of(_core.compile_spec(self._complete(vfs)._core))
        model.__dict__["_signed"] = self._signature()
        self._number()
        self.timer[int(E.mjtCTimer.mjCTIMER_TOTAL)] = time.perf_counter() - start
        return model

    def _number(self):
        """Remember which object each element with a state has become."""
        for kind in ("joint", "actuator", "body"):
            for id, element in enumerate(self._all(kind)):
                element._extra["compiled"] = id

    def _carry_over(self, model, data, made, moved):
        """State of the elements that were there before, by their objects: names are carried over already."""
        for kind, fields in (("joint", ("qpos", "qvel", "qacc_warmstart")), ("actuator", ("ctrl", "act"))):
            for id, element in enumerate(self._all(kind)):
                before = element._extra.get("compiled")
                if before is None or before >= _core.count(model, _type_of(kind)):
                    continue
                old, new = getattr(data, kind)(before), getattr(moved, kind)(id)
                for name in fields:
                    if getattr(old, name).shape == getattr(new, name).shape:
                        getattr(new, name)[...] = getattr(old, name)
        for id, element in enumerate(self._all("body")):
            before = element._extra.get("compiled")
            if before is None or before >= model.nbody or min(model.body_mocapid[before], made.body_mocapid[id]) < 0:
                continue
            for name in ("mocap_pos", "mocap_quat"):
                getattr(moved, name)[made.body_mocapid[id]] = getattr(data, name)[model.body_mocapid[before]]

    def recompile(self, model, data, vfs=None):
        """A new model and data; what was there before keeps its state."""
        self._flush()
        with as_value_error():
            new_model, new_data = _core.recompile_spec(self._complete(vfs)._core, model, data)
        made = MjModel._of(new_model)
        made.__dict__["_signed"] = self._signature()
        moved = MjData._of(made, new_data)
        self._carry_over(model, data, made, moved)
        self._number()
        return made, moved

    def fuse_static(self):
        """Fuse static bodies with their parents."""
        self._flush()
        self._changed()
        with as_value_error():
            return self._spec.fuse_static()

    def discard_visual(self):
        """Discard what is only seen."""
        self._flush()
        self._changed()
        with as_value_error():
            return self._spec.discard_visual()

    @staticmethod
    def resolve_orientation(degree, sequence, orientation):
        """The quaternion of another way to say a rotation."""
        angle = "degree" if degree else "radian"
        name = next((name for name in _ORIENTATIONS if orientation._get(name)), None)
        if name is None:
            return np.array([1.0, 0, 0, 0])
        text = _as_text(orientation._get(name))
        xml = (f'<mujoco><compiler angle="{angle}" eulerseq="{"".join(sequence)}"/><worldbody><site {name}="{text}"/>'
               "</worldbody></mujoco>")  # fmt: skip
        with as_value_error():
            return np.array(MjModel.from_xml_string(xml).site_quat[0])

    def __repr__(self):
        return f"<mujoco.MjSpec {self.modelname!r}>"


_KIND_NAMES = {_type_of(kind): kind for kind in _CLASSES if kind != "frame"}


def _add_kind(kind, plural):
    def find(self, name):
        return self._find(kind, name)

    find.__name__, find.__doc__ = kind, f"The {kind} of a name, None when there is none."
    setattr(MjSpec, kind, find)
    setattr(MjSpec, plural, property(lambda self: self._all(kind)))
    if kind in _SECTIONS or kind in _KEPT:

        def add(self, default=None, **values):
            return self._add(kind, default, values)

        add.__name__, add.__doc__ = f"add_{kind}", f"Add a {kind}."
        setattr(MjSpec, f"add_{kind}", add)


for _kind, _plural in _PLURALS.items():
    _add_kind(_kind, _plural)


from_zip = MjSpec.from_zip


def to_zip(spec, file):
    """Write a zip file with a model and its assets."""
    spec.to_zip(file)


MjStruct = Union[tuple(_CLASSES.values())]

__all__ = [name for name in globals() if name.startswith("Mj")] + ["from_zip", "to_zip"]
