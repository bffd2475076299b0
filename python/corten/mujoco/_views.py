"""Fields of a model or data as views that can be written to, and groups of settings: opt, stat, vis."""


import numpy as np

from corten import _core
from corten._fields import MODEL_FIELDS, Array, Fields, _shape, with_fields
from corten._objects import _urdf

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
_AS_MUJOCO = _urdf(mujoco=True)


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
