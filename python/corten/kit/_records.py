"""Records: structs of the kit as NumPy sees them; and what the other files need to call the functions in C."""

import numpy as np

from .. import _core

REAL = np.dtype(np.float32 if ", float," in _core.build_info else np.float64)
CODES = {"r": REAL, "i": np.dtype(np.int32), "u": np.dtype(np.uint32), "s": np.dtype(np.uint64)}


def _dtypes():
    out = {}
    for name, size, rows in _core.kit_records():
        names, formats, offsets = [], [], []
        for field, code, offset, length in rows:
            base = CODES.get(code) or out[code]
            count = length // base.itemsize
            shape = (6, 6) if (name, field) == ("Sensor", "matrix") else (count,)
            names.append(field)
            formats.append(base if count == 1 else (base, shape))
            offsets.append(offset)
        out[name] = np.dtype({"names": names, "formats": formats, "offsets": offsets, "itemsize": size})
    return out


DTYPES = _dtypes()
BY_DTYPE = {}


class Record:
    """A struct of the kit. Fields are attributes; arrays are views."""

    __slots__ = ("_array",)
    _start = {}
    _words = {}

    def __init_subclass__(cls):
        BY_DTYPE[DTYPES[cls.__name__]] = cls

    def __init__(self, **fields):
        self._array = np.zeros(1, DTYPES[type(self).__name__])
        for name, value in {**self._start, **fields}.items():
            setattr(self, name, value)

    def __getattr__(self, name):
        if name.startswith("_") or name not in self._array.dtype.names:
            raise AttributeError(f"{type(self).__name__} has no field {name!r}", name=name, obj=self)
        value = self._array[name]
        if value.dtype.names:
            kind = BY_DTYPE[value.dtype]
            flat = value.reshape(-1)
            return view(kind, flat) if flat.size == 1 else [view(kind, flat[k : k + 1]) for k in range(flat.size)]
        return value[0].item() if value.ndim == 1 else value[0]

    def __setattr__(self, name, value):
        if name.startswith("_"):
            return object.__setattr__(self, name, value)
        if name not in self._array.dtype.names:
            raise AttributeError(f"{type(self).__name__} has no field {name!r}", name=name, obj=self)
        if name in self._words and isinstance(value, str):
            value = word(value, self._words[name], name)
        field = self._array[name]
        if field.dtype.names:
            items = [value] if isinstance(value, Record) else list(value)
            if len(items) != field.reshape(-1).size:
                raise ValueError(f"{name}: expected {field.reshape(-1).size} records")
            for k, item in enumerate(items):
                field.reshape(-1)[k] = item._array[0]
        else:
            field[0] = value

    def copy(self):
        """Another one with the same numbers."""
        return view(type(self), self._array.copy())

    def __repr__(self):
        fields = ", ".join(f"{name}={getattr(self, name)!r}" for name in self._array.dtype.names)
        return f"{type(self).__name__}({fields})"

    def __dir__(self):
        return [*super().__dir__(), *self._array.dtype.names]


def view(kind, array):
    """A record on memory that is there."""
    record = object.__new__(kind)
    record._array = array
    return record


def word(value, words, what):
    """The number of a word."""
    if value not in words:
        raise ValueError(f"{what}: {value!r} is none of {', '.join(words)}")
    return words.index(value)


def reals(*values):
    """Numbers as an array, for the call."""
    return np.array(values, REAL)


def array(value, shape=None, name="array"):
    """A copy that C may read and write."""
    array = np.array(value, REAL, order="C")
    if shape is not None and array.shape != shape:
        raise ValueError(f"{name}: expected shape {shape}, not {array.shape}")
    return array


def checked(value, kind, name):
    """The memory of a record, if it is of that kind."""
    if not isinstance(value, kind):
        raise TypeError(f"{name}: expected a {kind.__name__}, not {type(value).__name__}")
    return value._array


def stack(records, kind, name):
    """Records one behind the other; NumPy's own functions drop the gaps of a struct."""
    out = np.zeros(len(records), DTYPES[kind.__name__])
    for k, record in enumerate(records):
        out[k] = checked(record, kind, name)[0]
    return out


def call(name, *arguments):
    """A function in C; what is wrong with its arguments is raised."""
    _core.kit(name, *(a._array if isinstance(a, Record) else a for a in arguments))


def public(names):
    """What a file of the kit offers: its records, its functions and its tuples of words."""
    own = [name for name, value in names.items() if getattr(value, "__module__", "") == names["__name__"] or isinstance(value, tuple)]
    return [name for name in own if not name.startswith("_")]
