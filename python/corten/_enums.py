"""The enumerations, made from the engine's lists: `JointType.HINGE`, `DisableBit.CONTACT`."""

from enum import IntEnum, IntFlag

from . import _core


def _make(name, bits, members):
    # an identifier cannot begin with a digit: TextureType._2D
    members = {f"_{key}" if key[0].isdigit() else key: value for key, value in members.items()}
    return (IntFlag if bits else IntEnum)(name, members, module="corten")


globals().update({name: _make(name, *row) for name, row in _core.enums.items()})

__all__ = list(_core.enums)
