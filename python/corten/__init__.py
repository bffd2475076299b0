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
    BatchArray,
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
from ._batch import Batch, BatchInfo
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
from ._queries import (
    add_mass,
    angular_momentum,
    contact_force,
    copy_state,
    differentiate_pos,
    extract_state,
    inside_site,
    integrate_pos,
    jac_axis,
    jac_axis_dot,
    jac_body,
    jac_body_com,
    jac_geom,
    jac_object,
    jac_object_dot,
    jac_point,
    jac_point_dot,
    jac_site,
    jac_subtree,
    jac_subtree_dot,
    kkt_residual,
    load_state,
    mul_mass,
    mul_mass_half,
    normalize_pos,
    object_acceleration,
    object_velocity,
    post_constraint,
    read_ctrl,
    read_sensor,
    save_state,
    set_ctrl_history,
    set_keyframe,
    set_sensor_history,
    set_total_mass,
    solve_mass,
    solve_mass_half,
    subtree_velocity,
    total_mass,
)

__version__ = _core.version

__all__ = [
    "Batch",
    "BatchArray",
    "BatchInfo",
    "Data",
    "Default",
    "Element",
    "Error",
    "Model",
    "Spec",
    "add_mass",
    "angular_momentum",
    "apply_force",
    "build_info",
    "contact_force",
    "copy_state",
    "differentiate_pos",
    "energy",
    "extract_state",
    "forward",
    "forward_acceleration",
    "forward_actuation",
    "forward_constraint",
    "forward_position",
    "forward_velocity",
    "full_mass",
    "get_state",
    "inside_site",
    "integrate_pos",
    "inverse",
    "jac_axis",
    "jac_axis_dot",
    "jac_body",
    "jac_body_com",
    "jac_geom",
    "jac_object",
    "jac_object_dot",
    "jac_point",
    "jac_point_dot",
    "jac_site",
    "jac_subtree",
    "jac_subtree_dot",
    "kkt_residual",
    "load_state",
    "mul_mass",
    "mul_mass_half",
    "normalize_pos",
    "object_acceleration",
    "object_velocity",
    "post_constraint",
    "read_ctrl",
    "read_sensor",
    "reset",
    "reset_keyframe",
    "save_state",
    "set_ctrl_history",
    "set_keyframe",
    "set_sensor_history",
    "set_state",
    "set_total_mass",
    "solve_mass",
    "solve_mass_half",
    "state_size",
    "step",
    "step1",
    "step2",
    "subtree_velocity",
    "total_mass",
    *_enum_names,
]
