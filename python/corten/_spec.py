"""Specs: models that are built and changed before they are compiled."""

import os
from pathlib import Path

import numpy as np

from . import _core
from ._enums import ObjType
from ._objects import Data, Model, _plugins, _urdf

_TEXT, _KEYWORD, _BOOL, _INT, _REAL = range(5)

# what `spec.geoms` lists and `spec.geom(name)` finds
_KINDS = {
    "body": "bodies", "frame": "frames", "joint": "joints", "geom": "geoms", "site": "sites", "camera": "cameras",
    "light": "lights", "mesh": "meshes", "hfield": "hfields", "texture": "textures", "material": "materials",
    "pair": "pairs", "exclude": "excludes", "equality": "equalities", "tendon": "tendons", "actuator": "actuators",
    "sensor": "sensors", "numeric": "numerics", "text": "texts", "tuple": "tuples", "key": "keys", "flex": "flexes",
}  # fmt: skip
_FRAME = 100  # CT_OBJ_FRAME


def _type_of(kind):
    return _FRAME if kind == "frame" else int(ObjType[kind.upper()])


def _as_text(value):
    """A value as it would stand in a file."""
    if isinstance(value, str):
        return value
    if value is None:
        return ""
    if isinstance(value, Element):
        if value.name is None:
            raise ValueError(f"{value!r} has no name to refer to it by")
        return value.name
    if isinstance(value, (bool, np.bool_)):
        return "true" if value else "false"
    if isinstance(value, (int, np.integer)):
        return str(int(value))
    if isinstance(value, (float, np.floating)):
        return repr(float(value))
    return " ".join(_as_text(item) for item in np.asarray(value).ravel().tolist()) if len(value) else ""


def _pairs(attributes):
    # keywords of Python need an underscore: class_="thin"
    return tuple(text for name, value in attributes.items() for text in (name.rstrip("_"), _as_text(value)))


def _from_text(text, kind, most):
    """The value of an attribute: None when it is not set."""
    if text == "":
        return None
    if kind == _BOOL:
        return text == "true"
    if kind not in (_INT, _REAL):
        return text
    convert = int if kind == _INT else float
    values = [convert(word) for word in text.split()]
    return values[0] if most == 1 else np.array(values)


class Element:
    """An element of a spec. Its attributes are those of MJCF: `geom.size = 0.1`, `geom.type = "box"`, `joint.axis`.

    Numbers are given and taken as numbers or arrays, the rest as text; None where nothing is set. A name that is a keyword
    of Python ends with an underscore: `class_`.
    """

    __slots__ = ("_handle", "_spec")
    __module__ = "corten"

    def __init__(self, spec, handle):
        object.__setattr__(self, "_spec", spec)
        object.__setattr__(self, "_handle", handle)

    def _describe(self):
        return _core.element_describe(self._handle)

    @property
    def spec(self):
        """The spec it belongs to."""
        return self._spec

    @property
    def tag(self):
        """As in a file: "geom", "motor"."""
        return self._describe()[1]

    @property
    def parent(self):
        """The frame or body it stands in, None for the world and in sections."""
        return self._spec._element(self._describe()[4])

    @property
    def children(self):
        """What stands directly in a body, frame, tendon or tuple."""
        return [Element(self._spec, handle) for handle in _core.element_children(self._handle)]

    def attributes(self):
        """All attributes that are set, by name: {"size": array([0.1, 0.0, 0.0]), ...}."""
        values = {name: getattr(self, name) for name in _core.element_attrs(self._handle) if name != "class"}
        return {name: value for name, value in values.items() if value is not None}

    def add(self, tag, **attributes):
        """Add an element inside: `body.add("geom", size=0.1)`. `class_` chooses the default class."""
        return self._spec._element(_core.spec_add(self._spec._core, self._handle, tag, _pairs(attributes)))

    def add_xml(self, text):
        """Add an element given as text, with everything inside it. Returns the first element."""
        return self._spec._element(_core.spec_add_xml(self._spec._core, self._handle, text))

    def attach(self, other, prefix="", suffix=""):
        """Copy a spec, or a body or frame of any spec, to here, with all that belongs to it. Returns the copy."""
        spec, part = (other, None) if isinstance(other, Spec) else (other._spec, other._handle)
        made = _core.spec_attach(self._spec._core, self._handle, spec._core, part, prefix, suffix)
        return self._spec._element(made)

    def set_frame(self, frame):
        """Put it into a frame of the same body, or out of its frame (None)."""
        _core.element_set_frame(self._handle, None if frame is None else frame._handle)

    def to_frame(self):
        """Let a body become a frame of the body it stands in, with everything in it. It must not be used afterwards. Returns the frame."""
        return self._spec._element(_core.spec_dissolve(self._spec._core, self._handle))

    def remove(self, alone=False):
        """Remove it, what stands inside, and what refers to any of it; `alone` leaves what refers to it, which must be changed before
        the next compilation. It must not be used afterwards."""
        (_core.spec_remove_alone if alone else _core.spec_remove)(self._spec._core, self._handle)

    def move(self, place):
        """Put an element of a section to another place among those of its kind: its number in the compiled model."""
        _core.spec_move(self._spec._core, self._handle, place)

    def set_class(self, name):
        """Say that it belongs to another default class. Its values stay."""
        _core.element_set_class(self._spec._core, self._handle, name)

    @property
    def plugin_use(self):
        """(plugin, instance, {attribute: value}) of what computes for a body, geom, mesh, actuator or sensor; of an instance its own."""
        return _core.element_plugin(self._handle)

    def use_plugin(self, plugin=None, instance=None, **config):
        """Let a plugin, or an instance of one, compute for it; neither: none. `config` has the attributes of the plugin."""
        pairs = tuple(word for name, value in config.items() for word in (name, _as_text(value)))
        _core.element_set_plugin(self._spec._core, self._handle, plugin, instance, pairs)

    def __getattr__(self, name):
        name = name.rstrip("_") if name != "_" else name
        row = _core.element_attrs(self._handle).get(name)
        if row is None:
            raise AttributeError(f"<{self.tag}> has no attribute {name!r}", name=name, obj=self)
        return _from_text(_core.element_get(self._handle, name), row[0], row[2])

    def __setattr__(self, name, value):
        _core.element_set(self._spec._core, self._handle, name.rstrip("_"), _as_text(value))

    def __dir__(self):
        return [*object.__dir__(self), *_core.element_attrs(self._handle)]

    @property
    def name(self):
        """None when it has none."""
        return self._describe()[2]

    def __reduce__(self):
        raise TypeError("an Element cannot be pickled: pickle its spec, and find it there by name")

    def __eq__(self, other):
        return isinstance(other, Element) and self._describe()[0] == other._describe()[0]

    def __hash__(self):
        return hash(self._describe()[0])

    def __repr__(self):
        name = self.name
        return f"<corten.Element {self.tag}{'' if name is None else ' ' + repr(name)}>"


class _Settings:
    """Attributes of a section: `spec.option.timestep = 0.001`, `spec.option.flag.contact = "disable"`."""

    __slots__ = ("_path", "_spec")

    def __init__(self, spec, path):
        object.__setattr__(self, "_spec", spec)
        object.__setattr__(self, "_path", path)

    def __getattr__(self, name):
        inner = f"{self._path}/{name}"
        if inner in _SECTIONS:
            return _Settings(self._spec, inner)
        return _number(_core.spec_get(self._spec._core, self._path, name))

    def __setattr__(self, name, value):
        _core.spec_set(self._spec._core, self._path, name, _as_text(value))


_SECTIONS = {
    "compiler", "compiler/lengthrange", "option", "option/flag", "size", "statistic",
    *(f"visual/{group}" for group in ("global", "quality", "headlight", "map", "scale", "rgba")),
}  # fmt: skip


def _number(text):
    """The text as numbers or a bool where it is one, else as it is; None when it is empty."""
    if text in ("", "true", "false"):
        return {"": None, "true": True, "false": False}[text]
    try:
        values = [float(word) for word in text.split()]
    except ValueError:
        return text
    return values[0] if len(values) == 1 else np.array(values)


class _Template:
    """What a default class says for a kind of element."""

    __slots__ = ("_class", "_spec", "_tag")

    def __init__(self, spec, class_name, tag):
        for name, value in (("_spec", spec), ("_class", class_name), ("_tag", tag)):
            object.__setattr__(self, name, value)

    def __getattr__(self, name):
        return _number(_core.spec_get_default(self._spec._core, self._class, self._tag, name.rstrip("_")))

    def __setattr__(self, name, value):
        _core.spec_set_default(self._spec._core, self._class, self._tag, name.rstrip("_"), _as_text(value))


class Default:
    """A default class: `default.geom.size = 0.1`. It holds for elements and classes made afterwards."""

    __module__ = "corten"

    def __init__(self, spec, name):
        self._spec, self.name = spec, name

    def add(self, name):
        """A class that starts as a copy of this one."""
        _core.spec_add_class(self._spec._core, name, self.name)
        return Default(self._spec, name)

    def remove(self):
        """Remove it and those inside it. What was made with it keeps its values, and belongs to the class around it."""
        _core.spec_remove_class(self._spec._core, self.name)

    def __getattr__(self, tag):
        if tag.startswith("_"):
            raise AttributeError(tag)
        return _Template(self._spec, self.name, tag)


class Spec:
    """An editable model: read from a file or built by code, compiled any number of times.

        spec = corten.Spec()
        ball = spec.world.add("body", name="ball", pos=[0, 0, 1])
        ball.add("freejoint")
        ball.add("geom", size=0.1)
        spec.add("sensor/framepos", objtype="body", objname=ball)
        model = spec.compile()

    Every attribute of MJCF can be set and read by its name. For one thread at a time.
    """

    __module__ = "corten"

    def __init__(self, *, max_memory=0, max_elements=0, max_arena=0, plugins=None):
        self._core = _core.make_spec(None, None, None, (max_memory, max_elements, max_arena, _plugins(plugins)))
        self._folder = None

    @classmethod
    def _of(cls, core, folder=None):
        """`folder`: where it was read from; None: files are seen from the current folder."""
        spec = cls.__new__(cls)
        spec._core, spec._folder = core, folder
        return spec

    @classmethod
    def from_xml_path(cls, path, assets=None, *, max_memory=0, max_elements=0, max_arena=0, plugins=None):
        """Read a model file. `assets` maps names of files to bytes; they are looked up before the disk is.
        Limits and plugins: as Model.from_xml_path()."""
        path = os.fspath(path)
        # names of files in memory are as they are; those on disk are found again from another folder too
        folder = os.path.dirname(path if assets else os.path.abspath(path))
        return cls._of(_core.make_spec(path, None, assets, (max_memory, max_elements, max_arena, _plugins(plugins))), folder)

    @classmethod
    def from_xml_string(cls, text, assets=None, *, max_memory=0, max_elements=0, max_arena=0, plugins=None):
        """Read a model from text. `assets` maps names of files the text refers to, to bytes. Limits and
        plugins: as Model.from_xml_path()."""
        return cls._of(_core.make_spec(None, text, assets, (max_memory, max_elements, max_arena, _plugins(plugins))))

    @classmethod
    def from_urdf(cls, path, assets=None, **options):
        """Read a URDF file. What it says is kept, or named in `remarks`. Options, by keyword:

        mujoco=True, or lossless=False: read it as MuJoCo does: static links are fused, visuals discarded.
        floating_base=True: the root gets a free joint. actuators=True: transmissions become motors.
        package_path: a folder, or several, in which packages (package://name/...) are looked for first.
        balance_inertia=True: moments of inertia that no body has become their mean.
        strict_inertia=True: refuse these, and links that move and have no mass, which are adjusted otherwise, with a remark.
        bound_mass, bound_inertia: what links weigh at least. total_mass: what the robot weighs.
        `assets`: as from_xml_path().
        """
        path = os.fspath(path)
        folder = os.path.dirname(path if assets else os.path.abspath(path))
        return cls._of(_core.make_spec(path, None, assets, (0, 0, 0, None, _urdf(**options))), folder)

    @classmethod
    def from_urdf_string(cls, text, assets=None, **options):
        """Read URDF text. Options: as from_urdf()."""
        return cls._of(_core.make_spec(None, text, assets, (0, 0, 0, None, _urdf(**options))))

    @classmethod
    def from_model(cls, model):
        """The spec of a compiled model, to edit or write one that came without its source; compiled, it is that model.

        What MJCF text has no place for, pictures and some meshes, becomes files in memory: `assets`.
        """
        return cls._of(_core.spec_of_model(model))

    @property
    def assets(self):
        """The files in memory that the spec was read from, or that were created for it: {name: bytes}."""
        files = _core.spec_files(self._core)
        return {name: content for name, content in files.items() if os.path.basename(name) != _PICKLED}

    @property
    def remarks(self):
        """Remarks made when the spec was read, edited, or created from a model. A tuple of lines."""
        return tuple(text for _, text in _core.spec_remarks(self._core))

    def _element(self, handle):
        return None if handle is None else Element(self, handle)

    @property
    def world(self):
        """The body everything stands in."""
        return self._element(_core.spec_world(self._core))

    @property
    def modelname(self):
        """The name of the model, the attribute of <mujoco>."""
        return _core.spec_get(self._core, "mujoco", "model")

    @modelname.setter
    def modelname(self, name):
        _core.spec_set(self._core, "mujoco", "model", name)

    def add(self, tag, **attributes):
        """Add an element of a section: `spec.add("actuator/motor", joint="hip")`, `spec.add("asset/mesh", file="a.stl")`."""
        return self._element(_core.spec_add(self._core, None, tag, _pairs(attributes)))

    def add_xml(self, text):
        """Add a section given as text: "<actuator>...</actuator>". Returns the first element."""
        return self._element(_core.spec_add_xml(self._core, None, text))

    def find(self, type, name):
        """The element of a kind (ObjType) with a name, None when there is none."""
        return self._element(_core.spec_find(self._core, int(type), name))

    def default(self, name="main"):
        """A default class."""
        return Default(self, name)

    def is_set(self, section, name):
        """Whether a setting was said, by a file or by code: `spec.is_set("option", "timestep")`."""
        return _core.spec_is_set(self._core, section, name)

    def attach(self, other, prefix="", suffix="", to=None):
        """Copy a spec, or a body or frame of any spec, into the world or into `to`. Returns the copy."""
        return (to or self.world).attach(other, prefix, suffix)

    def copy(self):
        """A copy that shares nothing."""
        return type(self)._of(_core.copy_spec(self._core), self._folder)

    __copy__ = copy

    def __deepcopy__(self, memo):
        return self.copy()

    def __reduce__(self):
        # as text with the files in memory; files on disk stay there, named as seen from the folder of the spec
        return _spec_from, (type(self), self.to_xml(), self.assets, self._folder)

    def to_xml(self, folder=None):
        """The spec as MJCF text that reads back to the same model.

        Files are named as seen from `folder`, "" for the current one; None is where the spec was read from.
        """
        return _core.spec_write(self._core, None if folder is None else os.fspath(folder))

    def save(self, path, assets=False):
        """Write the spec as an MJCF file, with the files it needs named as seen from there.

        Those that are only in memory are written beside it when `assets` is true; they replace files of the same names.
        """
        _core.spec_save(self._core, os.fspath(path))
        for name, content in self.assets.items() if assets else ():
            beside = Path(path).parent / name
            beside.parent.mkdir(parents=True, exist_ok=True)
            _core.write_file(beside, content)

    def fuse_static(self):
        """Fuse static bodies with their parents where the motion stays the same; returns how many."""
        return _core.spec_fuse_static(self._core)

    def discard_visual(self):
        """Discard elements that only matter for drawing; returns how many."""
        return _core.spec_discard_visual(self._core)

    def compile(self):
        """Compile to a model."""
        return Model._of(_core.compile_spec(self._core))

    def recompile(self, model, data):
        """A new model and data; what has a name keeps its state. The old ones stay as they are."""
        new_model, new_data = _core.recompile_spec(self._core, model, data)
        model = Model._of(new_model)
        return model, Data._of(model, new_data)

    def __repr__(self):
        return f"<corten.Spec {self.modelname!r}: {len(self.bodies)} bodies, {len(self.geoms)} geoms>"


_PICKLED = "corten-pickled-spec.xml"  # the text of a spec that was pickled, as a file in memory


def _spec_from(cls, text, assets, folder):
    if folder is None:
        return cls._of(_core.make_spec(None, text, assets, (0, 0, 0)))
    path = os.path.join(folder, _PICKLED)
    return cls._of(_core.make_spec(path, None, {**assets, path: text.encode()}, (0, 0, 0)), folder)


def _add_kind(kind, plural):
    type_ = _type_of(kind)

    def find(self, name):
        found = self.find(type_, name)
        if found is None:
            raise KeyError(f"there is no {kind} called {name!r}")
        return found

    def every(self):
        return [Element(self, handle) for handle in _core.spec_list(self._core, type_)]

    find.__name__, find.__doc__ = kind, f"The {kind} of a name; KeyError when there is none."
    setattr(Spec, kind, find)
    setattr(Spec, plural, property(every, doc=f"All {plural}, in the order of the compiled model."))


def _add_section(name):
    setattr(Spec, name, property(lambda self: _Settings(self, name), doc=f"The settings in <{name}>."))


for _kind, _plural in _KINDS.items():
    _add_kind(_kind, _plural)
for _name in ("compiler", "option", "size", "statistic", "visual"):
    _add_section(_name)
