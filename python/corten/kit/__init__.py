"""The kit of parts: joints, motors, muscles, tendons, sensors with errors and a solver, without a model.

    from corten import kit
    biceps = kit.muscle_preset("biceps")
    pull = kit.muscle_equilibrium(biceps, length=0.40, activation=0.5)
    print(pull.force, pull.by_length)

Every function calls the one of the same name in C (`ct_kit_...` in `corten/kit.h`); docs/kit.md has the equations. Records
(`Pose`, `Muscle`, ...) have the fields of their struct, given by name: `Motor(mode="servo", target=1, damping=2)`. Numbers that
make no sense raise `corten.Error`.
"""

from . import _batch, _joints, _muscles, _rigid, _sensors, _tendons
from ._batch import *
from ._joints import *
from ._muscles import *
from ._rigid import *
from ._sensors import *
from ._tendons import *

__all__ = sorted(name for part in (_batch, _joints, _muscles, _rigid, _sensors, _tendons) for name in part.__all__)
