"""Access by name: `model.body("arm").mass`, `data.joint("elbow").qpos`.

An object of a model owns rows of arrays. Which arrays, the field tables tell: those counted by the size that
counts the object's kind (a body's are the arrays with `nbody` rows), and those the object has a range of (a
joint's degrees of freedom are rows of the arrays with `nv` rows).
"""

import difflib
import keyword
import operator

from . import _core
from ._fields import DATA_FIELDS, MODEL_FIELDS, fill, is_index, no_attribute

# kinds whose arrays have a shorter prefix than the kind's name, and other names of the accessors
_PREFIX = {"joint": "jnt", "camera": "cam", "texture": "tex", "material": "mat", "equality": "eq"}
_ALIASES = {"key": ["keyframe"], "tendon": ["ten"]}

# more prefixes that are left out of the attributes' names
_MORE_PREFIXES = {"joint": ["dof_"], "tendon": ["ten_"], "sensor": ["sensor"]}

# rows an object has a range of, by the size that counts them: the arrays with the first row and the number of
# rows; without the second, the range ends where that of the next object begins
_RANGES = {
    "joint": {"nq": ("jnt_qposadr", None), "nv": ("jnt_dofadr", None)},
    "actuator": {
        "nu": ("actuator_ctrladr", "actuator_ctrlnum"),
        "nout": ("actuator_outadr", "actuator_outnum"),
        "na": ("actuator_actadr", "actuator_actnum"),
    },
    "sensor": {"nsensordata": ("sensor_adr", "sensor_dim")},
    "numeric": {"nnumericdata": ("numeric_adr", "numeric_size")},
    "tuple": {"ntupledata": ("tuple_adr", "tuple_size")},
}

# a joint's bodyid is that of its degrees of freedom, one each, as in MuJoCo; the awake_ind arrays are lists
_LEFT_OUT = {"jnt_bodyid", "body_awake_ind", "parent_awake_ind", "dof_awake_ind"}


class Named:
    """One object of a model: `id`, `name`, and its rows of arrays, as views."""

    _kind = ""
    _type = 0
    _rows = {}  # attribute: (field, size that counts the rows if a range)

    def __init__(self, owner, model, id):
        self.__dict__.update(_owner=owner, _model=model, id=id)

    @property
    def name(self):
        return _core.id2name(self._model, self._type, self.id) or ""

    def __getattr__(self, attribute):
        raise no_attribute(self, attribute)

    def __setattr__(self, attribute, value):
        if attribute not in self._rows:
            raise no_attribute(self, attribute)
        field = self._owner._arrays.get(self._rows[attribute][0])
        if field is not None and is_index(field):
            with self._owner._unlocked(field):
                fill(getattr(self, attribute), value, attribute)
        else:
            fill(getattr(self, attribute), value, attribute)

    def __repr__(self):
        return f"<corten.{type(self._owner).__name__} {self._kind} {self.name!r} (id {self.id})>"


_DOCS = {field.name: field.doc for field in (*MODEL_FIELDS, *DATA_FIELDS)}


def _row(field):
    """A property: the object's row of an array."""

    def get(self):
        array, id = getattr(self._owner, field), self.id
        return array[id] if array.ndim == 2 else array[id : id + 1]

    return property(get, doc=f"row of `{field}`: {_DOCS[field]}")


def _rows(field, counted_by):
    """A property: the object's range of rows of an array."""

    def get(self):
        array = getattr(self._owner, field)
        begin, end = _range(self._model, self._kind, counted_by, self.id)
        # an actuator with one output has a row, a joint always a table
        if array.ndim == 2 and end == begin + 1 and self._kind != "joint":
            return array[begin]
        return array[begin:end]

    return property(get, doc=f"rows of `{field}`: {_DOCS[field]}")


def _range(model, kind, counted_by, id):
    first, number = _RANGES[kind][counted_by]
    begins = getattr(model, first)
    begin = int(begins[id])
    if begin < 0:
        return 0, 0
    if number:
        return begin, begin + int(getattr(model, number)[id])
    return begin, int(begins[id + 1]) if id + 1 < len(begins) else getattr(model, counted_by)


def _find(model, kind, type, key):
    """Id of an object given by name or number."""
    if isinstance(key, str):
        id = _core.name2id(model, type, key)
        if id < 0:
            raise KeyError(_no_name(model, kind, type, key))
        return id
    id, count = operator.index(key), _core.count(model, type)
    if not 0 <= id < count:
        raise IndexError(f"no {kind} {id}: the model has {count}")
    return id


def _no_name(model, kind, type, key):
    all_names = (_core.id2name(model, type, id) for id in range(_core.count(model, type)))
    names = [name for name in all_names if name]
    near = difflib.get_close_matches(key, names, n=3)
    if near:
        return f"no {kind} named {key!r}; did you mean {' or '.join(map(repr, near))}?"
    return f"no {kind} named {key!r}; there are {', '.join(names) or 'none'}"


def _attributes(kind, prefix, count, fields):
    """The rows of a kind: {attribute: (field, size that counts the rows if a range)}."""
    ranges = _RANGES.get(kind, {})
    rows = {}
    for field in fields:
        if field.place != "array" or field.name in _LEFT_OUT or field.name.startswith("name_"):
            continue
        if field.rows != count and field.rows not in ranges:
            continue
        name = field.name
        for known in (f"{prefix}_", *_MORE_PREFIXES.get(kind, [])):
            if name.startswith(known):
                name = name[len(known) :]
                break
        name += "_" if keyword.iskeyword(name) else ""  # yield_
        rows.setdefault(name, (field.name, None if field.rows == count else field.rows))
    return rows


def _accessor(named, model_of):
    kind, type = named._kind, named._type

    def accessor(self, key):
        model = model_of(self)
        return named(self, model, _find(model, kind, type, key))

    accessor.__name__ = kind
    accessor.__doc__ = f"The {kind} with a name or number."
    return accessor


def add_accessors(Model, Data, ObjType):
    """Give both classes a method for each kind of object that has rows in them."""
    counts = {field.name: field.rows for field in MODEL_FIELDS}
    for owner, fields, model_of in (
        (Model, MODEL_FIELDS, lambda model: model),
        (Data, DATA_FIELDS, lambda data: data.model),
    ):
        owner._named = {}
        for type_ in ObjType:
            kind = type_.name.lower()
            prefix = _PREFIX.get(kind, kind)
            count = counts.get(f"name_{prefix}adr")
            rows = _attributes(kind, prefix, count, fields) if count else {}
            if not rows or kind in owner._arrays:
                continue
            named = type(
                owner.__name__ + kind.capitalize(),
                (Named,),
                {
                    "__module__": "corten",
                    "_kind": kind,
                    "_type": int(type_),
                    "_rows": rows,
                    **{name: _rows(*row) if row[1] else _row(row[0]) for name, row in rows.items()},
                },
            )
            owner._named[kind] = named
            for name in {kind, prefix, *_ALIASES.get(kind, [])}:
                setattr(owner, name, _accessor(named, model_of))
