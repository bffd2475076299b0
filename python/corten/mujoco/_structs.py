"""MjModel, MjData and the small structs: the objects of corten under the names, and with the manners, of MuJoCo's module.

MjModel is a corten.Model and MjData a corten.Data, so that every function of corten takes them. All their arrays are views:
also those in the arena, which a corten.Data gives as copies, and those of indices, which a corten.Model keeps read-only.
"""

import copy
import operator
import os
import weakref

import numpy as np

from corten import Data, Error, Model, ObjType, _core, _named
from corten._fields import DATA_FIELDS, MODEL_FIELDS, Array, Fields, _shape, with_fields
from corten._objects import _KEPT, record_dtype

from ._enums import mjtTimer, mjtWarning
from ._errors import as_value_error

_NWARNING, _NTIMER = int(mjtWarning.mjNWARNING), int(mjtTimer.mjNTIMER)  # the engine counts one kind of warning more


# ---- arrays as views

class _Array(Array):
    """An array as a view that can be written to."""

    def __get__(self, owner, kind=None):
        if owner is None:
            return self
        field, block = self.field, owner._block
        if field.place == "arena":
            # kept until it is another one: programs hold weak references to arrays
            held = owner.__dict__.setdefault("_held", {})
            view, kept = _arena_view(block, field, owner), held.get(self.name)
            if kept is not None and kept.shape == view.shape:
                made = not view.flags.owndata
                if made != kept.flags.owndata and (not made or kept.ctypes.data == view.ctypes.data):
                    return kept
            held[self.name] = view
            return view
        if field.code == "S1" and field.name == "plugin_attr":  # numbers there
            value = np.frombuffer(block.snapshot(field.index)[0], np.int8)
        elif field.code == "S1":
            value = block.snapshot(field.index)[0]
        else:
            offset, rows, cols = block.place(field.index)
            value = np.ndarray(_shape(field, rows, cols), field.code, block, offset)
        owner.__dict__[self.name] = value
        return value


def _arena_view(block, field, owner):
    memory, offset, rows, cols = block.arena(field.index)
    if memory is None:  # nobody has made it: as many elements as the sizes say
        shape = _shape(field, _size(owner, field.rows), _size(owner, field.cols))
        return np.full(shape, -1 if field.name in _NO_INDEX else 0, field.code)
    shape = _shape(field, rows, cols)
    return np.ndarray(shape, field.code, memory, offset)


def _size(data, name):
    """A size of a data or of its model by its name, or a number."""
    if name.isdigit():
        return int(name)
    owner = data if isinstance(getattr(type(data), name, None), property) else data._model
    return int(getattr(owner, name))


_NO_INDEX = ("tendon_efcadr", "tree_island", "dof_island")  # -1 where nobody made them


def _with_views(cls):
    """Replace the arrays of a class of fields by views."""
    for name, field in cls._arrays.items():
        setattr(cls, name, _Array(name, field))
    return cls


class _Writing:
    """Assignment as there: a number for all elements, or what has the shape of the array."""

    def __setattr__(self, name, value):
        if name in self._arrays:
            _assign(getattr(self, name), value)
        elif isinstance(getattr(type(self), name, None), property):
            object.__setattr__(self, name, value)
        else:
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}", name=name, obj=self)

    def __delattr__(self, name):
        raise AttributeError(f"{type(self).__name__}.{name} cannot be deleted")


def _assign(target, value):
    if isinstance(target, bytes):
        raise AttributeError("text of a model cannot be set")
    target[...] = value


# ---- groups of settings: opt, stat, vis

_EMPTY = "<mujoco/>"
_AS_MUJOCO = (True, False, False, None, False, 0, 0, 0)  # URDF


class _Group(_Writing, Fields):
    """Settings of a model, or of their own: then they live in an empty model."""

    def __init__(self, block=None):
        Fields.__init__(self, _core.load_string(_EMPTY, None, (0, 0, 0)) if block is None else block)

    def _copy_from(self, other):
        if type(other) is not type(self):
            raise TypeError(f"expected {type(self).__name__}, got {type(other).__name__}")
        for name in self._names:
            mine = getattr(self, name)
            if isinstance(mine, _Group):
                mine._copy_from(getattr(other, name))
            else:
                setattr(self, name, getattr(other, name))

    def __copy__(self):
        made = type(self)._own()
        made._copy_from(self)
        return made

    def __deepcopy__(self, memo):
        return self.__copy__()

    @classmethod
    def _own(cls):
        made = cls.__new__(cls)
        _Group.__init__(made)
        return made

    def __reduce__(self):
        return _group_from, (type(self), {name: _plain(getattr(self, name)) for name in self._names})

    def __eq__(self, other):
        if type(other) is not type(self):
            return NotImplemented
        return all(np.array_equal(getattr(self, name), getattr(other, name)) for name in self._names)

    __hash__ = None

    def __repr__(self):
        return _describe(type(self).__name__, {name: getattr(self, name) for name in sorted(self._names)})


def _plain(value):
    return {n: _plain(getattr(value, n)) for n in value._names} if isinstance(value, _Group) else np.copy(value)


def _group_from(cls, values):
    made = cls._own()

    def fill(group, values):
        for name, value in values.items():
            inner = getattr(group, name)
            if isinstance(inner, _Group):
                fill(inner, value)
            else:
                setattr(group, name, value if value.shape else value.item())

    fill(made, values)
    return made


def _describe(title, values):
    return f"<{title}\n" + "".join(f"  {name}: {value!r}\n" for name, value in values.items()) + ">"


class MjOption(_Group):
    """Physics options."""

    __module__ = "corten.mujoco"


class MjStatistic(_Group):
    """Sizes of a model, for drawing and for solvers."""

    __module__ = "corten.mujoco"

    def __init__(self, block=None):
        super().__init__(block)
        if block is None:
            for name in self._names:
                setattr(self, name, 0)


class MjVisual(_Group):
    """Drawing settings."""

    __module__ = "corten.mujoco"

    def __init__(self, block=None):
        if block is None:
            raise TypeError("mujoco._structs.MjVisual: No constructor defined!")
        super().__init__(block)


def _inner_group(name, owner_name):
    key = f"_{name}_group"

    def get(self):
        group = self.__dict__.get(key)
        if group is None:
            group = self.__dict__[key] = type(self)._groups[name](self._block)
        return group

    def put(self, value):
        get(self)._copy_from(value)

    return property(get, put, doc=f"{owner_name} settings: {name.strip('_')}")


def _make_group(cls, prefix):
    _with_views(with_fields(cls, MODEL_FIELDS, prefix))
    for name in list(cls._groups):
        head = name.strip("_")
        inner = type(f"MjVisual{head.capitalize()}", (_Group,), {"__module__": __name__})
        inner.__qualname__ = f"MjVisual.{head.capitalize()}"
        cls._groups[name] = _make_group(inner, f"{prefix}{head}.")
        setattr(cls, head.capitalize(), inner)
        setattr(cls, name, _inner_group(name, cls.__name__))
    return cls


_make_group(MjOption, "opt.")
_make_group(MjStatistic, "stat.")
_make_group(MjVisual, "vis.")
MjVisualHeadlight, MjVisualRgba = MjVisual.Headlight, MjVisual.Rgba


# ---- records: contacts and statistics

class _Record:
    """A small struct: `_r` is a record in the memory of a data, or its own."""

    __slots__ = ("_r",)
    _dtype = None

    def __init__(self):
        object.__setattr__(self, "_r", np.zeros(1, self._dtype)[0])

    @classmethod
    def _at(cls, record):
        made = cls.__new__(cls)
        object.__setattr__(made, "_r", record)
        return made

    def __copy__(self):
        return self._at(np.array([self._r], self._dtype)[0])

    def __deepcopy__(self, memo):
        return self.__copy__()

    def __reduce__(self):
        return _record_from, (type(self), np.array([self._r], self._dtype).tobytes())

    def __eq__(self, other):
        if type(other) is not type(self):
            return NotImplemented
        return all(np.array_equal(self._r[name], other._r[name]) for name in self._dtype.names)

    __hash__ = None

    def __repr__(self):
        return _describe(type(self).__name__, {name: getattr(self, name) for name in sorted(self._dtype.names)})


def _record_from(cls, content):
    return cls._at(np.frombuffer(bytearray(content), cls._dtype)[0])


def _member(name, array):
    def get(self):
        value = self._r[name]
        return value if array else value.item()

    def put(self, value):
        if array:
            self._r[name][...] = value
        else:
            self._r[name] = value

    return property(get, put)


def _record_class(name, record, doc):
    dtype = np.dtype((np.void, record_dtype(record)))
    members = {key: _member(key, bool(dtype[key].shape)) for key in dtype.names}
    return type(name, (_Record,), {"__slots__": (), "__module__": "corten.mujoco", "__doc__": doc, "_dtype": dtype, **members})


MjContact = _record_class("MjContact", "contact", "A contact.")
MjWarningStat = _record_class("MjWarningStat", "warning", "How often a problem was met, and where last.")
MjTimerStat = _record_class("MjTimerStat", "timer", "Time spent in a stage.")
MjSolverStat = _record_class("MjSolverStat", "solver", "An iteration of the solver.")


class _RecordList:
    """Records of a data: by number, and their members as columns. It is live: each look sees the data as it is now."""

    __slots__ = ("_array",)
    _class = None

    def __init__(self, array):
        object.__setattr__(self, "_array", array)

    def _records(self):
        return self._array

    def __len__(self):
        return len(self._records())

    def __getitem__(self, index):
        records = self._records()
        if isinstance(index, slice):
            return [self._class._at(record) for record in records[index]]
        count = len(records)
        index = operator.index(index)
        if not -count <= index < count:
            raise IndexError(f"Index {index} out of range [0, {count})")
        return self._class._at(records[index])

    def __iter__(self):
        return (self._class._at(record) for record in self._records())

    def __eq__(self, other):
        if type(other) is not type(self):
            return NotImplemented
        return len(self) == len(other) and all(a == b for a, b in zip(self, other))

    __hash__ = None

    def __dir__(self):
        return [*object.__dir__(self), *self._class._dtype.names]

    def __getattr__(self, name):
        if name in self._class._dtype.names:
            return self._records()[name]
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

    def __setattr__(self, name, value):
        if name not in self._class._dtype.names:
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
        self._records()[name][...] = value

    def __repr__(self):
        return "[" + ",\n".join(map(repr, self)) + "]"


class _MjContactList(_RecordList):
    __slots__ = ()
    _class = MjContact

    def _records(self):
        memory, offset, rows, _ = self._array.arena(_CONTACT.index)  # here `_array` is the block
        if memory is None:
            return np.zeros(0, MjContact._dtype)
        return np.ndarray((rows,), MjContact._dtype, memory, offset)


class _MjWarningStatList(_RecordList):
    __slots__ = ()
    _class = MjWarningStat


class _MjTimerStatList(_RecordList):
    __slots__ = ()
    _class = MjTimerStat


class _MjSolverStatList(_RecordList):
    __slots__ = ()
    _class = MjSolverStat


_CONTACT = next(field for field in DATA_FIELDS if field.name == "contact")


def _list_property(name, cls, base, count=None):
    key = f"_{name}_list"

    def get(self):
        found = self.__dict__.get(key)
        if found is None:
            records = base.__get__(self)[:count]
            found = self.__dict__[key] = cls(records.view(cls._class._dtype, np.ndarray))
        return found

    return property(get, doc=base.__doc__)


# ---- access by name

class _Views:
    """One object: `id`, `name`, and its rows of arrays. Views are made when first asked for, and kept."""

    _rows, _kind, _type = {}, "", 0

    def __init__(self, block, arrays, model, id):
        # the owner of the arrays is not kept: it keeps this
        self.__dict__.update(_block=block, _arrays=arrays, _model_block=model, id=id)

    @property
    def name(self):
        return _core.id2name(_ModelFields(self._model_block), self._type, self.id) or ""

    def __getattr__(self, attribute):
        row = self._rows.get(attribute)
        if row is None:
            special = _SPECIAL.get((self._kind, attribute))
            if special is None or special[0] != self._of:
                raise AttributeError(f"{type(self).__name__!r} object has no attribute {attribute!r}")
            return special[1](self)
        field, counted_by = row
        array, id = _field_view(self._block, self._arrays[field]), self.id
        if counted_by is None:
            view = array[id] if array.ndim == 2 else array[id : id + 1]
        else:
            begin, end = _named._range(_ModelFields(self._model_block), self._kind, counted_by, id)
            one = array.ndim == 2 and end == begin + 1 and self._kind != "joint"
            view = array[begin] if one else array[begin:end]
        self.__dict__[attribute] = view
        return view

    def __setattr__(self, attribute, value):
        if attribute in ("id", "name"):
            raise AttributeError(f"can't set attribute {attribute!r}")
        getattr(self, attribute)[...] = value

    def __dir__(self):
        more = [name for (kind, name), (of, _) in _SPECIAL.items() if (kind, of) == (self._kind, self._of)]
        return ["id", "name", *self._rows, *more]

    def __repr__(self):
        return _describe(type(self).__name__, {name: getattr(self, name) for name in sorted(dir(self)) if name[0] != "_"})


def _field_view(block, field):
    offset, rows, cols = block.place(field.index)
    return np.ndarray(_shape(field, rows, cols), field.code, block, offset)


class _ModelFields:
    """The fields of a model by its block alone."""

    def __init__(self, block):
        self._block = block

    def __getattr__(self, name):
        field = _MODEL_BY_NAME[name]
        return self._block.get_scalar(field.index) if field.ndim == 0 else _field_view(self._block, field)


_MODEL_BY_NAME = {field.name: field for field in MODEL_FIELDS}
_DATA_BY_NAME = {field.name: field for field in DATA_FIELDS}


def _plastic(prefix, size):
    """The numbers of a spring that has yielded; none where it cannot."""

    def get(views):
        model = _ModelFields(views._model_block)
        begin = int(getattr(model, f"{prefix}_plasticadr")[views.id])
        count = size(model, views.id) if begin >= 0 else 0
        return _field_view(views._block, _DATA_BY_NAME["plastic"])[max(begin, 0) : max(begin, 0) + count]

    return get


def _joint_numbers(model, id):
    return (7, 4, 1, 1)[model.jnt_type[id]]


def _moment(views):
    """The rows of an actuator's outputs in the moment matrix, dense: a read-only copy."""
    model, data = _ModelFields(views._model_block), views._block
    begin, end = _named._range(model, "actuator", "nout", views.id)
    dense = np.zeros((end - begin, model.nv))
    nnz, adr, col, value = (
        _field_view(data, _DATA_BY_NAME[name]) for name in ("moment_rownnz", "moment_rowadr", "moment_colind", "actuator_moment")
    )
    for row in range(begin, end):
        span = slice(adr[row], adr[row] + nnz[row])
        dense[row - begin, col[span]] = value[span]
    dense.flags.writeable = False
    return dense[0] if len(dense) == 1 else dense


def _tendon_colind(views):
    model = _ModelFields(views._model_block)
    begin, count = int(model.ten_J_rowadr[views.id]), int(model.ten_J_rownnz[views.id])
    return model.ten_J_colind[begin : begin + count]


def _pixels(views):
    model, id = _ModelFields(views._model_block), views.id
    shape = int(model.tex_height[id]), int(model.tex_width[id]), int(model.tex_nchannel[id])
    begin = int(model.tex_adr[id])
    return model.tex_data[begin : begin + np.prod(shape)].reshape(shape)


_SPECIAL = {
    ("texture", "data"): ("MjModel", _pixels),
    ("joint", "plastic"): ("MjData", _plastic("jnt", _joint_numbers)),
    ("tendon", "plastic"): ("MjData", _plastic("tendon", lambda model, id: 2)),
    ("actuator", "moment"): ("MjData", _moment),
    ("tendon", "J_colind"): ("MjModel", _tendon_colind),
    ("tendon", "_limited"): ("MjModel", lambda views: views.limited),
}


def _find(model, kind, type, key, count):
    if isinstance(key, str):
        id = _core.name2id(model, type, key) if key else -1
        if id < 0:
            names = sorted(filter(None, (_core.id2name(model, type, i) for i in range(count))))
            raise KeyError(f"Invalid name {key!r}. Valid names: {names}")
        return id
    id = operator.index(key)
    if not 0 <= id < count:
        raise IndexError(f"Invalid index {id}. Valid indices from 0 to {count - 1}")
    return id


def _accessor(cls, kind, model_of):
    key, type = f"_{kind}_views", cls._type

    def accessor(self, name=""):
        model = model_of(self)
        views = self.__dict__.setdefault(key, {})
        found = views.get(name)  # by number; names are looked up
        if found is not None and not isinstance(name, str):
            return found
        id = _find(model, kind, type, name, _core.count(model, type))
        found = views.get(id)
        if found is None:
            found = views[id] = cls(self._block, _FIELDS_OF[cls._of], model._block, id)
        return found

    accessor.__name__, accessor.__doc__ = kind, f"The {kind} with a name or number."
    return accessor


_FIELDS_OF = {"MjModel": _MODEL_BY_NAME, "MjData": _DATA_BY_NAME}


def _add_accessors(owner, base, model_of):
    for kind, named in base._named.items():
        title = f"_{owner.__name__}{kind.capitalize()}Views"
        cls = type(title, (_Views,), {"__module__": __name__, "_rows": named._rows, "_kind": kind,
                                      "_type": named._type, "_of": owner.__name__})  # fmt: skip
        owner._views[kind] = cls
        for name in {kind, _named._PREFIX.get(kind, kind), *_named._ALIASES.get(kind, [])}:
            setattr(owner, name, _accessor(cls, kind, model_of))


# ---- signatures: a model and the spec that it was compiled from have the same

SIGNED = ("body", "joint", "geom", "site", "camera", "light", "mesh", "hfield", "texture", "material", "pair", "exclude", "equality",
          "tendon", "actuator", "sensor", "numeric", "text", "tuple", "key")  # fmt: skip
_SIGNED_TYPES = [int(ObjType[kind.upper()]) for kind in SIGNED]


def signature_of(counts):
    """A number of 64 bits for the numbers of objects of each kind."""
    value = 0xCBF29CE484222325
    for count in counts:
        value = ((value ^ count) * 0x100000001B3) & (2**64 - 1)
    return value


# ---- models

class MjVfs:
    """Files in memory, by name: `vfs["model.xml"] = b"..."`."""

    __module__ = "corten.mujoco"

    def __init__(self):
        self._files = {}

    def _all(self):
        if self._files is None:
            raise RuntimeError("VFS is closed")
        return self._files

    def close(self):
        """Forget all files."""
        self._files = None

    def __enter__(self):
        self._all()
        return self

    def __exit__(self, *reason):
        self.close()

    def __setitem__(self, name, content):
        if name in self._all():
            raise ValueError(f"Repeated file name {name!r}")
        self._files[name] = bytes(content)

    def __delitem__(self, name):
        del self._all()[name]

    def __contains__(self, name):
        return name in self._all()

    def __len__(self):
        return len(self._all())


def _files(assets, vfs):
    """The files of a dict and of a file system, for the engine."""
    if vfs is not None and assets:
        raise ValueError("only one of assets and vfs can be given")
    files = dict(vfs._all()) if vfs is not None else {}
    seen = set()
    for name, content in (assets or {}).items():
        base = os.path.basename(name).lower()
        if base in seen:
            raise ValueError(f"Repeated file name in assets dict: {name}")
        seen.add(base)
        files[name] = content
    return files or None


_models, _datas = weakref.WeakSet(), weakref.WeakSet()  # all there are: callbacks are set for all
_clock = []  # the user's function of time, when there is one


class MjModel(_Writing, Model):
    """A compiled model."""

    __module__ = "corten.mujoco"
    _views = {}

    def __init__(self):
        raise TypeError("mujoco._structs.MjModel: No constructor defined!")

    @classmethod
    def _of(cls, block):
        model = cls.__new__(cls)
        Fields.__init__(model, block)
        _models.add(model)
        if _callbacks:
            model._arm()
        return model

    @property
    def _callbacks(self):
        return _callbacks

    def _arm(self):
        _core.enable_callbacks(self, *(name in _callbacks for name in _CALLBACKS))

    @staticmethod
    def from_xml_path(filename, assets=None, vfs=None):
        """Load a model from a file; `assets` maps names of files to bytes."""
        with as_value_error():
            return MjModel._of(_core.load_path(os.fspath(filename), _files(assets, vfs), (0, 0, 0, None, _AS_MUJOCO)))

    @staticmethod
    def from_xml_string(xml, assets=None, vfs=None):
        """Load a model from text; `assets` maps names of files it refers to, to bytes."""
        xml = xml.decode() if isinstance(xml, bytes) else xml
        with as_value_error():
            return MjModel._of(_core.load_string(xml, _files(assets, vfs), (0, 0, 0, None, _AS_MUJOCO)))

    @staticmethod
    def from_binary_path(filename, assets=None, vfs=None):
        """Load a model in binary form, as mj_saveModel writes it."""
        files = _files(assets, vfs) or {}
        if filename in files:
            content = files[filename]
        else:
            try:
                with open(filename, "rb") as file:
                    content = file.read()
            except OSError as error:
                raise ValueError(f"Error opening file '{filename}': {error.strerror}") from None
        with as_value_error():
            return MjModel._of(_core.model_of_bytes(content, ()))

    @property
    def ngravcomp(self):
        """How many bodies have gravity compensation; the flag switches it."""
        return max(1, int(np.count_nonzero(self.body_gravcomp))) if self.flg_gravcomp else 0

    opt = _inner_group("opt", "physics")
    stat = _inner_group("stat", "statistics")
    vis = _inner_group("vis", "drawing")

    @property
    def _address(self):
        return np.frombuffer(self._block, np.uint8, 1).ctypes.data

    @property
    def _size_fields(self):
        return tuple(field.name for field in MODEL_FIELDS if field.place == "size")

    @property
    def _sizes(self):
        return np.array([getattr(self, name) for name in self._size_fields], np.int64)

    @property
    def _all_fields(self):
        return tuple(self._names)

    @property
    def nbuffer(self):
        return len(memoryview(self._block))

    @property
    def narena(self):
        return 0

    @property
    def signature(self):
        """A number for how many objects of each kind there are."""
        found = self.__dict__.get("_signed")
        if found is None:
            found = self.__dict__["_signed"] = signature_of(_core.count(self, kind) for kind in _SIGNED_TYPES)
        return found

    def bind_scalar(self, element):
        """The rows of the object that an element of a spec became."""
        return _bind(self, self, element)

    def bind(self, elements):
        """The rows of the objects that an element, or a sequence of them, became."""
        return _bind_many(self, elements)

    def __repr__(self):
        return f"<mujoco.MjModel object at {id(self):#x}>"

    __str__ = __repr__


MjModel._arrays = Model._arrays
_with_views(MjModel)
MjModel._groups = {"opt": MjOption, "stat": MjStatistic, "vis": MjVisual}
_add_accessors(MjModel, Model, lambda model: model)


# ---- data

class MjData(_Writing, Data):
    """The state of a simulation, and everything computed from it."""

    __module__ = "corten.mujoco"
    _views = {}

    def __init__(self, model):
        if not isinstance(model, Model):
            raise TypeError(f"MjData(): incompatible constructor arguments: expected an MjModel, got {model!r}")
        try:
            Data.__init__(self, model)
        except Error as error:
            raise ValueError(str(error)) from error
        self._prepare()

    def _prepare(self):
        _datas.add(self)
        _core.set_timing(self, 2 if _clock else 1)

    @classmethod
    def _of(cls, model, block):
        data = super()._of(model, block)
        data._prepare()
        return data

    @property
    def contact(self):
        """The contacts of the last step: a live list."""
        found = self.__dict__.get("_contact_list")
        if found is None:
            found = self.__dict__["_contact_list"] = _MjContactList(self._block)
        return found

    @property
    def _address(self):
        return np.frombuffer(self._block, np.uint8, 1).ctypes.data

    @property
    def _all_fields(self):
        return tuple(self._names)

    signature = property(lambda self: self._model.signature)
    narena = property(lambda self: len(memoryview(self._block)))
    # bookkeeping of the other implementation: there is no stack, and the arena grows
    nbuffer = parena = pbase = pstack = maxuse_stack = maxuse_con = maxuse_efc = nplugin = property(lambda self: 0)
    threadpool = property(lambda self: self.__dict__.get("_threads", 0))

    @property
    def bvh_active(self):
        """Nothing is drawn: no node is marked."""
        return self.__dict__.setdefault("_bvh_active", np.zeros(self._model.nbvh, bool))

    def bind_scalar(self, element):
        """The rows of the object that an element of a spec became."""
        return _bind(self, self._model, element)

    def bind(self, elements):
        """The rows of the objects that an element, or a sequence of them, became."""
        return _bind_many(self, elements)

    def __deepcopy__(self, memo):
        """A copy with a copy of the model."""
        model = copy.deepcopy(self._model, memo)
        made = type(self)(model)
        _core.copy_into(model, made, self)
        return made

    def __reduce__(self):
        fields = {f.name: self._block.snapshot(f.index)[0] for f in _KEPT}
        records = {name: base.__get__(self).tobytes() for name, base in _BASE.items()}
        return _data_from, (type(self), self._model, fields, records)

    def __repr__(self):
        return f"<mujoco.MjData object at {id(self):#x}>"

    __str__ = __repr__


_BASE = {name: vars(Data)[name] for name in ("warning", "timer", "solver")}


def _data_from(cls, model, fields, records):
    data = cls(model)
    for field in _KEPT:
        data._block.overwrite(field.index, fields[field.name])
    for name, content in records.items():
        view = _BASE[name].__get__(data)
        view[...] = np.frombuffer(content, view.dtype)
    return data


MjData._arrays = Data._arrays
_with_views(MjData)
for _name, _class, _count in (
    ("warning", _MjWarningStatList, _NWARNING),
    ("timer", _MjTimerStatList, _NTIMER),
    ("solver", _MjSolverStatList, None),
):
    setattr(MjData, _name, _list_property(_name, _class, _BASE[_name], _count))
_add_accessors(MjData, Data, lambda data: data._model)


# ---- binding: rows of what the elements of a spec became

def _bind(owner, model, element):
    kind, id = element._bound(model)
    accessor = getattr(owner, kind, None)
    if accessor is None:
        raise ValueError(f"{type(owner).__name__} has no rows of a {kind}")
    return accessor(id)


class _Bound:
    """Several objects as one: reading gives the numbers of all, one after the other."""

    def __init__(self, elements):
        self.__dict__["elements"] = elements

    def __getattr__(self, name):
        numbers = []
        for element in self.elements:
            value = getattr(element, name)
            if isinstance(value, (str, bytes)) or not hasattr(value, "__iter__"):
                numbers.append(value)
            else:
                numbers.extend(value)
        return numbers

    def __setattr__(self, name, values):
        if not hasattr(values, "__iter__"):
            raise ValueError(f"Expected {len(self.elements)} values, got non-iterable {type(values).__name__}")
        values = list(values)
        if len(values) != len(self.elements):
            raise ValueError(f"Expected {len(self.elements)} values, got {len(values)}")
        for element, value in zip(self.elements, values):
            setattr(element, name, value)


def _bind_many(owner, elements):
    if isinstance(elements, (list, tuple)) or hasattr(elements, "__len__"):
        return _Bound([owner.bind_scalar(element) for element in elements])
    return owner.bind_scalar(elements)


# ---- callbacks: one for all models, as there

_callbacks = {}
_CALLBACKS = ("sensor", "dyn", "gain", "bias", "control", "passive", "contact_filter")


def set_clock(function):
    """Let timers read a function; None: the clock of the system."""
    _clock[:] = [] if function is None else [function]
    _core.clock = function
    for data in list(_datas):
        _core.set_timing(data, 2 if _clock else 1)


def set_callback(kind, function):
    """Set a function of _CALLBACKS for every model, None for none."""
    if function is None:
        _callbacks.pop(kind, None)
    else:
        _callbacks[kind] = function
    for model in list(_models):
        model._arm()
