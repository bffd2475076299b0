"""Contacts, warnings, timers and statistics of the solver: records of a data, one and many."""

import operator

import numpy as np

from corten._fields import DATA_FIELDS
from corten._objects import record_dtype

from ._enums import mjtTimer, mjtWarning
from ._views import _describe

_NWARNING, _NTIMER = int(mjtWarning.mjNWARNING), int(mjtTimer.mjNTIMER)  # the engine counts one kind of warning more

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
