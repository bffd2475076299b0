"""Corten, a physics engine for robots and articulated bodies.

    import corten
    model = corten.Model.from_xml_path("arm.xml")
    data = corten.Data(model)
    corten.step(model, data, nstep=100)
    print(data.time, data.qpos)

Arrays of a model and of a data (`model.body_mass`, `data.qpos`) are NumPy views: they change as the
simulation runs, and writing to them changes the simulation. What a step makes anew each time
(`data.contact`, `data.efc_*` and the other arrays of the arena) is given as a read-only copy of the moment
it is asked for.
"""

from . import _core
from ._core import (
    Error,
    forward,
    forward_acceleration,
    forward_actuation,
    forward_constraint,
    forward_position,
    forward_velocity,
    inverse,
    reset,
    step,
    step1,
    step2,
)
from ._enums import *
from ._enums import __all__ as _enum_names
from ._functions import (
    apply_force,
    build_info,
    energy,
    full_mass,
    get_state,
    reset_keyframe,
    set_state,
    state_size,
)
from ._objects import Data, Model
from ._spec import Default, Element, Spec

__version__ = _core.version

__all__ = [
    "Data",
    "Default",
    "Element",
    "Error",
    "Model",
    "Spec",
    "apply_force",
    "build_info",
    "energy",
    "forward",
    "forward_acceleration",
    "forward_actuation",
    "forward_constraint",
    "forward_position",
    "forward_velocity",
    "full_mass",
    "get_state",
    "inverse",
    "reset",
    "reset_keyframe",
    "set_state",
    "state_size",
    "step",
    "step1",
    "step2",
    *_enum_names,
]
