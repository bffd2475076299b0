"""MjModel, MjData and the small structs: the objects of corten under the names, and with the manners, of MuJoCo's module.

MjModel is a corten.Model and MjData a corten.Data, so that every function of corten takes them. All their arrays are views:
also those in the arena, which a corten.Data gives as copies, and those of indices, which a corten.Model keeps read-only.
"""

import copy
import os
import weakref

import numpy as np

from corten import Data, Error, Model, ObjType, _core
from corten._fields import DATA_FIELDS, MODEL_FIELDS, Fields
from corten._objects import _KEPT

# what programs look for here stands here too, though it has modules of its own
from ._access import _add_accessors, _bind, _bind_many
from ._errors import as_value_error
from ._logs import timed
from ._records import (  # noqa: F401
    _NTIMER,
    _NWARNING,
    MjContact,
    MjSolverStat,
    MjTimerStat,
    MjWarningStat,
    _list_property,
    _MjContactList,
    _MjSolverStatList,
    _MjTimerStatList,
    _MjWarningStatList,
)
from ._views import (  # noqa: F401
    _AS_MUJOCO,
    MjOption,
    MjStatistic,
    MjVisual,
    MjVisualHeadlight,
    MjVisualRgba,
    _describe,
    _inner_group,
    _with_views,
    _Writing,
)

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
        with as_value_error(), timed():
            return MjModel._of(_core.load_path(os.fspath(filename), _files(assets, vfs), (0, 0, 0, None, _AS_MUJOCO)))

    @staticmethod
    def from_xml_string(xml, assets=None, vfs=None):
        """Load a model from text; `assets` maps names of files it refers to, to bytes."""
        xml = xml.decode() if isinstance(xml, bytes) else xml
        with as_value_error(), timed():
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
        block, rows = self._block, {}
        for field in _ROWS:
            if block.arena(field.index)[0] is not None:
                rows[field.name] = block.snapshot(field.index)[0]
        counts = tuple(int(getattr(self, name)) for name in ("ncon", "ne", "nf", "nl", "nefc", "nJ"))
        return _data_from, (type(self), self._model, fields, records, counts, rows)

    def __repr__(self):
        return f"<mujoco.MjData object at {id(self):#x}>"

    __str__ = __repr__


_BASE = {name: vars(Data)[name] for name in ("warning", "timer", "solver")}


# contacts and constraint rows; what a solver leaves beside them is not kept
_ROWS = [f for f in DATA_FIELDS if f.place == "arena" and (f.name == "contact" or f.rows in ("nefc", "nJ"))]


def _data_from(cls, model, fields, records, counts, rows):
    data = cls(model)
    if counts[0] or counts[4]:
        _core.make_rows(data, counts, "efc_J_rownnz" in rows)
        for field in _ROWS:
            if field.name in rows and data._block.arena(field.index)[0] is not None:
                data._block.overwrite(field.index, rows[field.name])
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
