"""MjSpec: models that are built and changed before they are compiled, over corten.Spec.

Elements of the tree (bodies, geoms, joints, ...) and assets are those of a corten.Spec, whose attributes are the text of MJCF;
a table for each class translates names and enumerations. Elements that MJCF cannot say before they are complete (a sensor
without an object, an equality without bodies) are kept here and become elements when the spec is read or compiled.

What is attached is copied. Objects of the elements of the other spec lead to the copies afterwards, so that edits through them go
on; with `copy_during_attach` they stay with the other spec.
"""

import os
import time
import warnings
import zipfile
from typing import Union

import numpy as np

from corten import Element, Error, Spec, _core
from corten._spec import _as_text

from . import _enums as E
from ._errors import FatalError, as_value_error
from ._logs import timed
from ._messages import in_their_words
from ._structs import SIGNED, MjData, MjModel, signature_of
from ._spec_attributes import _ORIENTATIONS
from ._spec_attach import Attaching
from ._spec_copyback import copy_back
from ._spec_element import MjsDefault, MjsElement, _type_of
from ._spec_elements import _CLASSES, _KEPT, _PLURALS, _SECTIONS
from ._spec_plugins import add_instance, declare, tell_plugin
from ._spec_settings import MjsAuthored, MjsCompiler, _Option, _Statistic, _Visual

# ---- specs

def _given_files(include, assets, vfs):
    """All files in memory, as bytes."""
    if vfs is not None and assets:
        raise ValueError("only one of assets and vfs can be given")
    return _as_bytes({**(include or {}), **(assets or {}), **(vfs._all() if vfs is not None else {})})


def _as_bytes(files):
    return {name: content.encode() if isinstance(content, str) else content for name, content in files.items()}


class MjSpec(Attaching):
    """A model before it is compiled."""

    __module__ = "corten.mujoco"

    def __init__(self):
        self._start(Spec())

    def _start(self, spec, assets=None, parsed=None):
        """`assets` are the files that the user gave and may change, `parsed` those that the engine has read, as bytes."""
        self._spec, self._elements, self._loose, self._made_assets = spec, {}, [], dict(assets or {})
        self._parsed, self._signed, self._plugins_used, self._remarks = dict(parsed or {}), None, set(), []
        self.comment, self.parent, self.override_assets, self.copy_during_attach = "", None, True, False
        self.timer = np.zeros(int(E.mjtCTimer.mjNCTIMER))
        if not spec.modelname:
            spec.modelname = "MuJoCo Model"
        return self

    _core = property(lambda self: self._spec._core)
    _address = property(lambda self: id(self._core))

    @classmethod
    def _of(cls, spec, assets=None, parsed=None):
        return cls.__new__(cls)._start(spec, assets, parsed)

    @staticmethod
    def from_file(filename, include=None, assets=None, vfs=None):
        """Read a model file."""
        files = _given_files(include, assets, vfs)
        if os.path.splitext(filename)[1].lower() in (".stl", ".obj"):
            return MjSpec._of_mesh(filename, assets, files)
        with as_value_error():
            return MjSpec._of(Spec.from_urdf(filename, files or None, mujoco=True), assets, files)

    @classmethod
    def _of_mesh(cls, filename, assets, files):
        """A spec with a mesh that is read from a file, and has no name."""
        content = files.get(filename)
        if content is None:
            with open(filename, "rb") as file:
                content = file.read()
        spec = cls._of(Spec.from_xml_string("<mujoco/>", files), assets, {**files, filename: content})
        mesh = spec.add_mesh(name="mesh", file=filename)
        spec.compile()
        mesh.name = ""
        return spec

    @staticmethod
    def from_string(xml, include=None, assets=None, vfs=None):
        """Read a model from text."""
        files = _given_files(include, assets, vfs)
        xml = xml.decode() if isinstance(xml, bytes) else xml
        with as_value_error():
            return MjSpec._of(Spec.from_urdf_string(xml, files or None, mujoco=True), assets, files)

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
            try:
                made = self._make(element)
            except (Error, ValueError) as error:
                self._loose += loose[at:]
                raise error if isinstance(error, ValueError) else ValueError(str(error)) from error
            if made is None:
                self._loose.append(element)
                continue
            element.__dict__["_element"] = made
            self._elements[made._describe()[0]] = element
            if hasattr(element, "_made"):
                with as_value_error():
                    element._made()
            element._pending.clear()
            place = element._extra.pop("place", None)
            if place is not None:
                _core.spec_move(self._core, made._handle, min(place, len(_core.spec_list(self._core, _type_of(element._kind))) - 1))
        for element in self._elements.values():
            with as_value_error():
                tell_plugin(element)
                element._sync()

    def _make(self, element):
        """The element of a spec of one that was kept; None when it stays kept."""
        if hasattr(element, "_build"):
            return element._build()
        path, attributes = element._make()
        return self._spec.add(path, **{("class_" if name == "class" else name): text for name, text in attributes.items()})

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
        """Remove an element with what stands in it; with a body or frame, also what refers to any of it."""
        if isinstance(element, MjsDefault):
            with as_value_error():
                _core.spec_remove_class(self._core, element.name)
            return
        if not isinstance(element, MjsElement):
            raise TypeError(f"expected an element of the spec, got {element!r}")
        if self.parent is not None:
            raise ValueError("Cannot delete element from an attached mjSpec.")
        if element._spec is not self:
            raise ValueError("Element does not belong to this spec.")
        self._changed()
        element._alive()
        if element._element is None:
            element._extra.update(removed=True, name=element.name)
            self._loose.remove(element)
            return
        for known in self._elements.values():
            known._extra["name"] = known.name
        with as_value_error():
            if element._kind in ("body", "frame"):
                element._element.remove()
            else:
                _core.spec_remove_alone(self._core, element._element._handle)
        self._purge()

    def _take_apart(self, element):
        """Remove an element that will be made again, in its place."""
        element._extra["place"] = element.id
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

    def activate_plugin(self, name):
        """Say that the model uses a plugin; ValueError when there is none of that name."""
        with as_value_error():
            trial = Spec()
            add_instance(trial, name, "trial")
            trial.compile()
        declare(self, name)

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
    authored = property(lambda self: MjsAuthored(self))

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

    def copy(self):
        """A copy that shares nothing."""
        self._flush()
        made = MjSpec._of(self._spec.copy(), self._made_assets, self._parsed)
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
        if more and self._made_assets:
            raise ValueError("Cannot specify both 'vfs' and 'assets'.")
        for texture in self._all("texture"):
            texture._complete()
        files = _as_bytes({**self._parsed, **more, **self._made_assets})
        return self._spec if files == self._parsed else Spec.from_xml_string(self._spec.to_xml(), files)

    def compile(self, vfs=None):
        """Compile to a model."""
        self._flush()
        start = time.perf_counter()
        with as_value_error(self._describe), timed():
            model = MjModel._of(_core.compile_spec(self._complete(vfs)._core))
        told = {remark: in_their_words(remark, self._describe, "") for remark in model.remarks}
        for remark in [*self._remarks, *(theirs for ours, theirs in told.items() if theirs != ours)]:
            warnings.warn(remark, UserWarning, stacklevel=2)
        model.__dict__["_signed"] = self._signature()
        self._number()
        self.timer[int(E.mjtCTimer.mjCTIMER_TOTAL)] = time.perf_counter() - start
        return model

    def _describe(self, tag, name):
        """(kind, id, info, file) of an element that a message is about."""
        for kind in _CLASSES:
            for id, element in enumerate(self._all(kind)):
                if element._element is not None and element._element.tag == tag and element.name == name:
                    return kind, id, element.info, os.path.basename(element._get_text("file") or "")
        return tag, None, "", ""

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
        with as_value_error(self._describe), timed():
            new_model, new_data = _core.recompile_spec(self._complete(vfs)._core, model, data)
        made = MjModel._of(new_model)
        made.__dict__["_signed"] = self._signature()
        moved = MjData._of(made, new_data)
        self._carry_over(model, data, made, moved)
        self._number()
        return made, moved

    copy_back = copy_back

    def encode(self, filename, model=None):
        """Write a file of the kind that its name says: MJCF, or a binary model. Returns its length."""
        if filename.endswith(".xml"):
            self.to_file(filename)
        elif filename.endswith(".mjb"):
            (self.compile() if model is None else model).save(filename)
        else:
            raise FatalError(f"no encoder for {filename!r}: there are .xml and .mjb")
        return os.path.getsize(filename)

    def adopt_inertial(self, body):
        """Write down the inertia that a body has got from its geoms."""
        if self.compiler.inertiafromgeom == E.mjtInertiaFromGeom.mjINERTIAFROMGEOM_TRUE:
            raise ValueError("adopt_inertial: inertiafromgeom makes the compiler ignore inertias that are written down")
        model, id = self.compile(), body.id
        body.mass, body.ipos, body.iquat = model.body_mass[id], model.body_ipos[id], model.body_iquat[id]
        body.inertia = model.body_inertia[id]

    def dedup_assets(self):
        """Let elements share meshes and textures that say the same; returns how many were removed."""
        if self.parent is not None:
            raise ValueError("Cannot merge the assets of an attached mjSpec.")
        self._flush()
        removed = 0
        for kind, users in (("texture", (("material", "texture"),)), ("mesh", (("geom", "mesh"), ("site", "mesh")))):
            kept = {}
            for asset in self._all(kind):
                said = {name: str(value) for name, value in asset._element.attributes().items() if name != "name"}
                same = kept.setdefault((asset._element.tag, *sorted(said.items())), asset)
                if same is asset:
                    continue
                for user, attribute in users:
                    for element in self._all(user):
                        if element._get_text(attribute) == asset.name:
                            element._set_text(attribute, same.name)
                            element._extra.pop("textures", None)
                self.delete(asset)
                removed += 1
        return removed

    def fuse_static(self, vfs=None):
        """Fuse static bodies with their parents."""
        if vfs is not None:
            vfs._all()
        self._flush()
        self._changed()
        with as_value_error():
            return self._spec.fuse_static()

    def discard_visual(self, vfs=None):
        """Discard what is only seen."""
        if vfs is not None:
            vfs._all()
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
