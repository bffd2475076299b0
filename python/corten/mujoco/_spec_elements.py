"""The elements of an MjSpec: one class for each kind."""

import corten

from ._spec_assets import (
    MjsExclude,
    MjsFlex,
    MjsHField,
    MjsKey,
    MjsMaterial,
    MjsMesh,
    MjsNumeric,
    MjsPair,
    MjsSkin,
    MjsText,
    MjsTexture,
    MjsTuple,
)
from ._spec_attributes import _TABLES
from ._spec_devices import MjsActuator, MjsEquality, MjsSensor, MjsTendon, MjsTendonPath, MjsWrap
from ._spec_element import MjsDefault, MjsElement, _type_of
from ._spec_plugins import MjsPlugin, give_plugins
from ._spec_tree import _CHILDREN, MjsBody, MjsCamera, MjsFrame, MjsGeom, MjsJoint, MjsLight, MjsSite, _Holder

_CLASSES = {cls._kind: cls for cls in (
    MjsBody, MjsFrame, MjsGeom, MjsJoint, MjsSite, MjsCamera, MjsLight, MjsActuator, MjsSensor, MjsEquality, MjsTendon,
    MjsMaterial, MjsTexture, MjsMesh, MjsSkin, MjsFlex, MjsHField, MjsKey, MjsPair, MjsExclude, MjsNumeric, MjsText, MjsTuple,
    MjsPlugin)}  # fmt: skip
_PLURALS = {kind: corten._spec._KINDS.get(kind, kind + "s") for kind in _CLASSES}
give_plugins(MjsBody, MjsGeom, MjsMesh, MjsActuator, MjsSensor)
for _kind, _cls in _CLASSES.items():
    _cls._table = _TABLES[_kind]

# how each kind is added: as an element at once, or kept until it is complete
_SECTIONS = {"actuator": "actuator/general", "material": "asset/material", "texture": "asset/texture", "mesh": "asset/mesh",
             "skin": "asset/skin", "key": "keyframe/key"}  # fmt: skip
_KEPT = ("sensor", "equality", "tendon", "hfield", "pair", "exclude", "numeric", "text", "tuple", "flex", "plugin")


def _children_of(kind, plural):
    def first(self):
        found = self._inside(kind)
        return found[0] if found else None

    def following(self, element):
        found = self._inside(kind)
        at = found.index(element) + 1
        return found[at] if at < len(found) else None

    setattr(_Holder, plural, property(lambda self: self._inside(kind)))
    setattr(MjsBody, f"first_{kind}", first)
    setattr(MjsBody, f"next_{kind}", following)


for _kind, _plural in _CHILDREN.items():
    _children_of(_kind, _plural)


__all__ = [name for name in globals() if name.startswith("Mjs")]
