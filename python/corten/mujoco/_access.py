"""Access by name, and rows of what the elements of a spec became."""

import operator

import numpy as np

from corten import _core, _named
from corten._fields import DATA_FIELDS, MODEL_FIELDS, _shape

from ._views import _describe

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
