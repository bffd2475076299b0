"""Functions of a model and a data that take or give arrays."""

import numpy as np

from . import _core
from ._enums import SleepState, State


def build_info():
    """One line that says how the engine was built."""
    return _core.build_info


def reset_keyframe(model, data, key):
    """Back to a keyframe, given by number or by name."""
    _core.reset_keyframe(model, data, model.key(key).id)


def tree_state(model, data, tree):
    """Whether a tree is awake or asleep, a SleepState. All at once: data.tree_awake."""
    return SleepState(int(data.tree_awake[_tree(model, tree)]))


def body_state(model, data, body):
    """Whether a body, given by number or by name, is awake, asleep or static, a SleepState. All at once: data.body_awake."""
    return SleepState(int(data.body_awake[model.body(body).id]))


def tree_cycle(model, data, tree):
    """The trees that wake with a tree: itself first, then those it fell asleep with."""
    first = _tree(model, tree)
    trees, following = [first], int(data.tree_asleep[first])
    while 0 <= following < model.ntree and following != first and len(trees) < model.ntree:
        trees.append(following)
        following = int(data.tree_asleep[following])
    return trees


def wake(model, data, tree=None):
    """Wake a tree and all that sleep with it; every tree when none is named."""
    _core.wake(model, data, -1 if tree is None else _tree(model, tree))


def sleep(model, data, trees):
    """Put trees (one, or several that then wake together) to sleep where they are; their velocities become zero.
    Needs the sleep flag, policies that allow it, and no applied forces."""
    _core.sleep(model, data, np.atleast_1d(np.asarray(trees, np.intc)))


def _tree(model, tree):
    if not 0 <= tree < model.ntree:
        raise IndexError(f"there is no tree {tree}: the model has {model.ntree}")
    return int(tree)


def state_size(model, which=State.INTEGRATION):
    """How many numbers the chosen parts of the state (State bits) have."""
    return _core.state_size(model, which)


def get_state(model, data, which=State.INTEGRATION):
    """The chosen parts of the state as one array."""
    state = np.empty(_core.state_size(model, which), _core.real)
    _core.get_state(model, data, state, which)
    return state


def set_state(model, data, state, which=State.INTEGRATION):
    """Set the chosen parts of the state from what get_state() gave; bit for bit."""
    _core.set_state(model, data, _reals(state), which)


def full_mass(model, data):
    """The mass matrix as an array of shape (nv, nv). Needs positions."""
    out = np.empty((model.nv, model.nv), _core.real)
    _core.full_mass(model, data, out)
    return out


def energy(model, data):
    """Potential and kinetic energy, also written to data.energy. Needs positions and velocities."""
    return _core.energy(model, data)


def apply_force(model, data, force, torque, point, body, qfrc):
    """Add to `qfrc`, an array of nv numbers such as data.qfrc_applied, the effect of a force and a torque
    (either may be None) at a point of the world that is fixed to a body, given by number or by name."""
    if not isinstance(qfrc, np.ndarray) or qfrc.dtype != _core.real or qfrc.shape != (model.nv,):
        raise ValueError(f"qfrc must be an array of {model.nv} numbers of type {np.dtype(_core.real)}")
    force, torque = (None if vector is None else _reals(vector) for vector in (force, torque))
    _core.apply_force(model, data, force, torque, _reals(point), model.body(body).id, qfrc)


def _reals(values):
    return np.ascontiguousarray(values, dtype=_core.real)
