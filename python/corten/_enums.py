"""The enumerations, made from the engine's lists: `JointType.HINGE`, `DisableBit.CONTACT`."""

from enum import IntEnum, IntFlag

from . import _core


def _make(name, bits, members):
    # an identifier cannot begin with a digit: TextureType._2D
    members = {f"_{key}" if key[0].isdigit() else key: value for key, value in members.items()}
    enum = (IntFlag if bits else IntEnum)(name, members, module="corten")
    enum.__doc__ = _DOCS.get(name)
    return enum


_DOCS = {
    "Status": "What a call returned: `Error.status`, `Batch.status`.",
    "JointType": "Type of a joint.",
    "GeomType": "Shape of a geom or site.",
    "SensorType": "What a sensor measures: `model.sensor_type`.",
    "Integrator": "How a step goes from accelerations to the next state: `model.opt.integrator`.",
    "Cone": "Friction cone of contacts: `model.opt.cone`.",
    "Jacobian": "How the constraint Jacobian is stored: `model.opt.jacobian`.",
    "Solver": "Constraint solver: `model.opt.solver`.",
    "CamLight": "How a camera or light moves with its body.",
    "Projection": "Projection of a camera.",
    "LightType": "Type of a light.",
    "TextureType": "What a texture covers: a surface, a cube or the sky.",
    "TextureRole": "What a texture of a material stands for.",
    "ColorSpace": "How the numbers of a texture encode colours.",
    "EqType": "Type of an equality constraint.",
    "TendonType": "Type of a tendon: a weighted sum of joints, or a path in space.",
    "WrapType": "Station of a tendon's path.",
    "TrnType": "What an actuator acts on.",
    "DynType": "How the activation of an actuator evolves.",
    "GainType": "How the gain of an actuator is computed.",
    "BiasType": "How the bias of an actuator is computed.",
    "ObjType": "Kind of an object: for `name2id`, `id2name`, `jac_object`, `Spec.find`.",
    "Stage": "Stage of a step that a sensor belongs to.",
    "DataType": "What the numbers of a sensor are, for cutoffs and noise.",
    "SameFrame": "Which frames of a body coincide with that of a geom or site.",
    "SleepPolicy": "Whether a tree of bodies may sleep: `model.tree_sleep_policy`.",
    "SleepState": "Whether a tree or body is awake, asleep, or static: `tree_state`, `body_state`, `data.body_awake`.",
    "ConstraintType": "Kind of a constraint row: `data.efc_type`.",
    "ContactExclude": "Why a contact has no constraint rows: `contact.exclude`.",
    "WarningType": "Kind of a problem inside a step: index of `data.warning`.",
    "TimerType": "Part of a step that is timed: index of `data.timer`.",
    "Part": "Part of a stage: for `run_part`.",
    "DisableBit": "Parts of the physics that are switched off: bits of `model.opt.disableflags`.",
    "EnableBit": "Parts of the physics that are switched on: bits of `model.opt.enableflags`.",
    "State": "Parts of a state: bits for `get_state` and `set_state`.",
}

globals().update({name: _make(name, *row) for name, row in _core.enums.items()})

__all__ = list(_core.enums)
