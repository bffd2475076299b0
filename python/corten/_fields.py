"""Attributes made from the engine's field tables: what Model, Data and groups such as `opt` share."""

import contextlib
import difflib
import keyword
from typing import NamedTuple

import numpy as np

from . import _core


class Field(NamedTuple):
    """One row of a field table. `index` is its number there."""

    index: int
    name: str
    code: str  # NumPy's code of the element type
    ndim: int
    place: str  # "array": in the block, "arena": comes and goes with the steps, "size" or "inside" the struct
    rows: str  # what counts the rows: a size of the model or data by name, or a number
    cols: str
    doc: str

    @property
    def description(self):
        """For docstrings: what the field is, then shape and element type."""
        kind = {"S1": "bytes", "V": "records"}.get(self.code) or np.dtype(self.code).name
        if self.ndim == 0:
            return self.doc
        shape = self.rows if self.ndim == 1 else f"{self.rows} x {self.cols}"
        return f"{self.doc} [{shape}, {kind}]"


MODEL_FIELDS = [Field(i, *row) for i, row in enumerate(_core.model_fields)]
DATA_FIELDS = [Field(i, *row) for i, row in enumerate(_core.data_fields)]


# Whole numbers that lead nowhere: masks, groups and the like. All others are indices and counts, which the engine trusts.
_FREE = frozenset(
    "body_contype body_conaffinity geom_contype geom_conaffinity geom_group geom_priority jnt_group site_group cam_output "
    "tendon_group actuator_group skin_group tex_colorspace".split()
)


def is_index(field):
    """Whether the numbers of an array lead to others: such arrays are read-only."""
    return field.code in ("i", "q", "P") and field.ndim > 0 and field.name not in _FREE or field.name == "wrap_prm"


class Fields:
    """An object whose attributes are fields of an engine struct.

    Scalars are properties of the class, arrays are attributes of kind Array. Those of indices and counts are read-only, for
    a number that leads nowhere would end the process: set such an array of a model as a whole, and it is checked.
    """

    def writable(self, name):
        """A view of an array of indices or counts that can be written to. Nothing looks at what is written there: a wrong
        number may end the process in the next step. `Model.check()` says whether all of them are good."""
        field = self._arrays.get(name)
        if field is None or field.place == "arena":
            raise no_attribute(self, name)
        return _view(self._block, field, True)

    def _check(self):
        raise AttributeError("the engine computes this; writable() gives a view that can be written to")

    @contextlib.contextmanager
    def _unlocked(self, field):
        """What is written meanwhile stays when it leads somewhere."""
        array = getattr(self, field.name)
        before = array.copy()
        array.flags.writeable = True
        try:
            yield
            self._check()
        except BaseException:
            array[...] = before
            raise
        finally:
            array.flags.writeable = False

    _arrays: dict[str, Field] = {}

    def __init__(self, block):
        self.__dict__["_block"] = block

    def __getattr__(self, name):  # reached when there is no such attribute
        raise no_attribute(self, name)

    def __setattr__(self, name, value):
        field = self._arrays.get(name)
        if field is None:
            if not isinstance(getattr(type(self), name, None), property):
                raise no_attribute(self, name)
            object.__setattr__(self, name, value)
        elif field.code in ("S1", "V"):
            raise AttributeError(f"{field.name} cannot be set")
        elif field.place == "arena":
            copy = np.array(getattr(self, name))
            fill(copy, value, field.name)
            self._block.overwrite(field.index, copy)
        elif is_index(field):
            with self._unlocked(field):
                fill(getattr(self, name), value, field.name)
        else:
            fill(getattr(self, name), value, field.name)


class Array:
    """An array as an attribute of a class of fields. Its docstring is the description in the field list.

    Arrays never move, so that the view of one is created when it is first read and then kept in the instance, where it
    is found before this object is; a view holds the memory (the block), not its owner. What the arena holds comes and
    goes: each time it is read, a copy is made.
    """

    def __init__(self, name, field):
        self.name, self.field, self.__doc__ = name, field, field.description

    def __get__(self, owner, kind=None):
        if owner is None:
            return self
        if self.field.place == "arena" or self.field.code == "S1":
            return _copy(owner._block, self.field)
        view = owner.__dict__[self.name] = _view(owner._block, self.field)
        return view

    def __repr__(self):
        return f"<array {self.field.name}>"


def _shape(field, rows, cols):
    return (rows, cols) if field.ndim == 2 else (rows * cols,)


def _view(block, field, writable=False):
    offset, rows, cols = block.place(field.index)
    view = np.ndarray(_shape(field, rows, cols), field.code, block, offset)
    view.flags.writeable = writable or not is_index(field)
    return view


def _copy(block, field):
    content, rows, cols = block.snapshot(field.index)
    if field.code == "S1":
        return content
    return np.ndarray(_shape(field, rows, cols), field.code, content)


def fill(target, value, name):
    """Copy into an array what has its shape, or a single number."""
    array = np.asarray(value)
    if array.shape and array.shape != target.shape:
        raise ValueError(f"{name} has shape {target.shape}, got {array.shape}")
    if array.dtype != target.dtype and not casts(array.dtype, target.dtype):
        raise TypeError(f"{name} is an array of {target.dtype}, got {array.dtype}")
    target[...] = array


def casts(source, target):
    """Whether numbers of one type may be stored as another."""
    return target == bool or np.can_cast(source, target, "same_kind")


def no_attribute(obj, name, more=()):
    """An AttributeError that knows the nearest names."""
    known = [attribute for attribute in (*dir(type(obj)), *more) if not attribute.startswith("_")]
    near = [] if name.startswith("_") else difflib.get_close_matches(name, known, n=3)
    hint = f"; did you mean {' or '.join(near)}?" if near else ""
    return AttributeError(f"{type(obj).__name__} has no attribute {name!r}{hint}", name=name, obj=obj)


def _scalar(field):
    index = field.index

    def get(self):
        return self._block.get_scalar(index)

    def put(self, value):
        self._block.set_scalar(index, value)

    return property(get, None if field.place == "size" else put, doc=field.description)


def _group(name):
    """A group of fields as an attribute, created when first read."""

    def get(self):
        key = f"_{name}_group"
        group = self.__dict__.get(key)
        if group is None:
            group = self.__dict__[key] = type(self)._groups[name](self._block)
        return group

    return property(get, doc=_GROUP_DOCS.get(name, f"the settings of {name.strip('_')}"))


_GROUP_DOCS = {
    "opt": "physics options; may be changed between steps",
    "vis": "drawing settings, which the engine keeps and does not use",
    "stat": "statistics of the model",
}


def _show(self):
    values = ", ".join(f"{name}={getattr(self, name)!r}" for name in type(self)._names)
    return f"{type(self).__name__}({values})"


def with_fields(cls, fields, prefix=""):
    """Give a class the fields whose name begins with `prefix`; a dot in the rest makes a group."""
    groups, names = {}, []
    cls._arrays, cls._table = {}, fields
    for field in fields:
        if not field.name.startswith(prefix):
            continue
        head, dot, _ = field.name[len(prefix) :].partition(".")
        name = head + "_" if keyword.iskeyword(head) else head
        if dot:
            groups.setdefault(name, head)
        elif field.ndim == 0:
            setattr(cls, name, _scalar(field))
        else:
            cls._arrays[name] = field
            setattr(cls, name, Array(name, field))
        if name not in names:
            names.append(name)
    cls._names = names
    cls._groups = {}
    for name, head in groups.items():
        group = type(name.strip("_").capitalize(), (Fields,), {"__repr__": _show, "__module__": "corten"})
        cls._groups[name] = with_fields(group, fields, f"{prefix}{head}.")
        setattr(cls, name, _group(name))
    return cls
