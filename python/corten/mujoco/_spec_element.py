"""What elements of an MjSpec share, and default classes."""

import corten
from corten import Error, _core

from ._errors import as_value_error
from ._spec_attributes import VEC, _ORIENTATIONS, _TABLES, _TURNED, _live
from ._views import _describe


def _type_of(kind):
    return corten._spec._type_of(kind)


class MjsElement:
    """An element of a spec."""

    _kind, _table = "", {}
    _plain = ("_spec", "_element", "_pending", "info", "_extra")

    def __init__(self, spec, element, pending=None):
        self.__dict__.update(_spec=spec, _element=element, _pending=pending, info="", _extra={})

    # text in and out: of the element, or kept until it is complete

    def _get_text(self, name):
        if self._element is None:
            self._alive()
            return self._pending.get(name)
        try:
            return _core.element_get(self._element._handle, name)
        except Error:
            return None

    def _sync(self):
        """Before the spec is read: write what is kept beside the element."""

    def _alive(self):
        if self._extra.get("removed"):
            raise ValueError(f"{self._kind} is not in this model")

    def _set_text(self, name, text):
        if self._element is None:
            self._alive()
            if text:
                self._pending[name] = text
            else:
                self._pending.pop(name, None)
            return
        with as_value_error():
            _core.element_set(self._spec._core, self._element._handle, name, text)

    @property
    def name(self):
        if self._extra.get("removed"):
            return self._extra.get("name", "")
        return self._get_text("name") or ""

    @name.setter
    def name(self, value):
        other = self._spec._find(self._kind, value) if value and self._kind else None
        if other is not None and other is not self and other != self:
            raise ValueError(f"Error: repeated name '{value}' in {self._kind}")
        self._set_text("name", value)

    @property
    def id(self):
        return self._spec._index(self)

    signature = property(lambda self: self._spec._signature())
    compiler = property(lambda self: self._extra.get("origin", self._spec).compiler)  # of the spec it came from

    @property
    def classname(self):
        return MjsDefault(self._spec, self._get_text("class") or "main")

    @classname.setter
    def classname(self, value):
        name = getattr(value, "name", value)
        if self._element is None:
            self._set_text("class", name)
            return
        with as_value_error():
            _core.element_set_class(self._spec._core, self._element._handle, name)

    def _bound(self, model):
        if self._extra.get("removed"):
            raise IndexError("Invalid index -1")
        if model.signature != self.signature:
            raise ValueError("The mjSpec does not match mjModel. Please recompile the mjSpec.")
        id = _core.name2id(model, _type_of(self._kind), self.name) if self.name else -1
        id = id if id >= 0 else self.id
        if id < 0:
            raise KeyError(f"the model has no {self._kind} {self.name!r}")
        return self._kind, id

    def __getattr__(self, name):
        row = self._table.get(name)
        if row is None:
            raise AttributeError(f"'{type(self).__name__}' object has no attribute {name!r}", name=name, obj=self)
        value = row.decode(self._get_text(row.text))
        if row.kind == VEC:
            whole = name in ("userface", "resolution", "gridsize", "face")
            return _live(value, self, name, int if whole else float)
        if isinstance(row.kind, type):
            return row.kind(value)
        return value

    def __setattr__(self, name, value):
        if name in self._plain or isinstance(getattr(type(self), name, None), property):
            object.__setattr__(self, name, value)
            return
        row = self._table.get(name)
        if row is None:
            raise AttributeError(f"'{type(self).__name__}' object has no attribute {name!r}", name=name, obj=self)
        self._set_text(row.text, row.encode(value, name))

    def __dir__(self):
        return sorted({*object.__dir__(self), *self._table})

    def _fill(self, values):
        turns = [name for name in _ORIENTATIONS if values.get(name) is not None]
        inertial = [name for name in _ORIENTATIONS if values.get(f"i{name}") is not None]
        for group, prefix in ((turns, ""), (inertial, "i")):
            if len(group) > 1:
                raise ValueError(f"Only one of: {prefix}axisangle, {prefix}xyaxes, {prefix}zaxis, or {prefix}euler can be set.")
        for name, value in values.items():
            if name in turns and self._kind in _TURNED:
                setattr(self.alt, name, value)
            elif name[1:] in inertial and self._kind == "body":
                setattr(self.ialt, name[1:], value)
            elif value is not None:
                known = name in self._table or name in self._plain or isinstance(getattr(type(self), name, None), property)
                if not known:
                    options = ", ".join(sorted({*self._table, "name", "info"}))
                    raise TypeError(f"Invalid {name} keyword argument. Valid options are: {options}.")
                setattr(self, name, value)

    def __eq__(self, other):
        if not isinstance(other, MjsElement):
            return NotImplemented
        if self._element is None or other._element is None:
            return self is other
        return self._element == other._element

    def __hash__(self):
        return id(self) if self._element is None else hash(self._element)

    def __repr__(self):
        return _describe(type(self).__name__, {"name": self.name, "id": self.id})


class MjsDefault:
    """A default class: `default.geom.rgba = ...`."""

    _TAGS = {"geom": "geom", "joint": "joint", "site": "site", "camera": "camera", "light": "light", "material": "material",
             "mesh": "mesh", "texture": "texture", "pair": "pair", "equality": "equality", "tendon": "tendon",
             "actuator": "general"}  # fmt: skip

    def __init__(self, spec, name):
        self.__dict__.update(_spec=spec, _name=name)

    @property
    def name(self):
        return self._name

    def __getattr__(self, kind):
        if kind not in self._TAGS:
            raise AttributeError(f"'MjsDefault' object has no attribute {kind!r}")
        return _Template(self._spec, self._name, kind, self._TAGS[kind])

    def __eq__(self, other):
        return isinstance(other, MjsDefault) and (self._spec, self._name) == (other._spec, other._name)

    __hash__ = None


class _Template(MjsElement):
    """What a default class says for a kind of element."""

    _plain = (*MjsElement._plain, "_class", "_tag", "_table")

    def __init__(self, spec, class_name, kind, tag):
        self.__dict__.update(_spec=spec, _class=class_name, _tag=tag, _table=_TABLES[kind], _element=None, _pending={},
                             info="", _extra={})  # fmt: skip

    def _get_text(self, name):
        try:
            return _core.spec_get_default(self._spec._core, self._class, self._tag, name)
        except Error:
            return None

    def _set_text(self, name, text):
        with as_value_error():
            _core.spec_set_default(self._spec._core, self._class, self._tag, name, text)
