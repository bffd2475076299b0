"""Hill-type muscles, alone and in groups against each other."""

import numpy as np

from ._records import DTYPES, REAL, Record, array, call, checked, public, reals, stack, view, word

MUSCLES = ("biceps", "quadriceps", "gastrocnemius", "soleus")


class Muscle(Record):
    """A Hill-type muscle; muscle_default() and muscle_preset() make one."""

    __slots__ = ()


class MuscleState(Record):
    """What a muscle remembers: `activation`, `fibre` (length)."""

    __slots__ = ()


class MuscleForce(Record):
    """A muscle at work: `force`, `fibre`, `velocity`, `cosine`, `active`, `passive`, derivatives, `energy`."""

    __slots__ = ()


class Antagonist(Record):
    """A muscle of a group that turns one joint: `muscle`, `rest`, `arm` (its sign is the side), `weight`."""

    __slots__ = ()
    _start = {"weight": 1}


def muscle_default(max_force, optimal_length, slack_length, pennation=0.0):
    """A muscle of that force, fibre, tendon and pennation (rad), with typical curves."""
    out = Muscle()
    call("muscle_default", reals(max_force, optimal_length, slack_length, pennation), out)
    return out


def muscle_preset(name):
    """One of MUSCLES."""
    out = Muscle()
    call("muscle_preset", np.array([word(name, MUSCLES, "muscle")], np.int32), out)
    return out


def muscle_check(muscle):
    """Raise corten.Error where a number makes no sense."""
    call("muscle_check", checked(muscle, Muscle, "muscle"))


def _curve(which, muscle, x):
    x = array(x)
    value, slope = np.zeros_like(x), np.zeros_like(x)
    call(
        "muscle_curve",
        checked(muscle, Muscle, "muscle"),
        np.array([which], np.int32),
        np.atleast_1d(x),
        np.atleast_1d(value),
        np.atleast_1d(slope),
    )
    return value, slope


def muscle_active(muscle, length):
    """Active force by normalised fibre length, and its slope."""
    return _curve(0, muscle, length)


def muscle_passive(muscle, length):
    """Force of the parallel element by normalised fibre length, and its slope."""
    return _curve(1, muscle, length)


def muscle_tendon(muscle, length):
    """Force of the tendon by normalised tendon length, and its slope."""
    return _curve(2, muscle, length)


def muscle_speed(muscle, velocity):
    """Factor of the active force by normalised velocity, and its slope."""
    return _curve(3, muscle, velocity)


def _inverse(which, muscle, force):
    force = array(force)
    out = np.zeros_like(force)
    call("muscle_inverse", checked(muscle, Muscle, "muscle"), np.array([which], np.int32), np.atleast_1d(force), np.atleast_1d(out))
    return out


def muscle_active_inverse(muscle, force, longer=False):
    """Normalised fibre length of an active force, below or beyond the optimal length."""
    return _inverse(4 if longer else 3, muscle, force)


def muscle_passive_inverse(muscle, force):
    """Normalised fibre length of a passive force."""
    return _inverse(0, muscle, force)


def muscle_tendon_inverse(muscle, force):
    """Normalised tendon length of a force."""
    return _inverse(1, muscle, force)


def muscle_speed_inverse(muscle, force):
    """Normalised velocity of a factor."""
    return _inverse(2, muscle, force)


def muscle_activation_rate(muscle, excitation, activation):
    """Rate of activation."""
    out = reals(0)
    call("muscle_activation_rate", checked(muscle, Muscle, "muscle"), reals(excitation, activation), out)
    return out.item()


def _many(*values):
    """Numbers, or arrays that go together: flat copies, and the shape."""
    arrays = np.broadcast_arrays(*(np.asarray(v, REAL) for v in values))
    return [np.array(a.reshape(-1)) for a in arrays], arrays[0].shape


def muscle_rigid(muscle, length, velocity, activation):
    """Force with a tendon that does not stretch. Arrays give an array of records with the fields of MuscleForce."""
    values, shape = _many(length, velocity, activation)
    out = np.zeros(values[0].size, DTYPES["MuscleForce"])
    call("muscle_rigid", checked(muscle, Muscle, "muscle"), *values, out)
    return out.reshape(shape) if shape else view(MuscleForce, out)


def muscle_elastic(muscle, state, length):
    """Force with an elastic tendon for a fibre of known length."""
    out = MuscleForce()
    call("muscle_elastic", checked(muscle, Muscle, "muscle"), checked(state, MuscleState, "state"), reals(length), out)
    return out


def muscle_equilibrium(muscle, length, activation):
    """The fibre at rest in equilibrium with an elastic tendon. Arrays as in muscle_rigid()."""
    values, shape = _many(length, activation)
    out = np.zeros(values[0].size, DTYPES["MuscleForce"])
    call("muscle_equilibrium", checked(muscle, Muscle, "muscle"), *values, out)
    return out.reshape(shape) if shape else view(MuscleForce, out)


def muscle_step(muscle, state, excitation, length, timestep):
    """Advance the state, in place; returns the force."""
    out = MuscleForce()
    call("muscle_step", checked(muscle, Muscle, "muscle"), checked(state, MuscleState, "state"), reals(excitation, length, timestep), out)
    return out


def antagonists_excite(group, effort, cocontraction):
    """Excitations of a group: each side gets the co-contraction, the one that is wanted the effort too."""
    out = np.zeros(len(group), REAL)
    call("antagonists_excite", stack(group, Antagonist, "group"), reals(effort, cocontraction), out)
    return out


def antagonists_step(group, states, excitation, angle, timestep):
    """Advance the states of a group, in place; returns torque, stiffness and all forces."""
    n = len(group)
    if len(states) != n:
        raise ValueError(f"states: expected {n} of them, not {len(states)}")
    all_states = stack(states, MuscleState, "states")
    out, force = np.zeros(2, REAL), np.zeros(n, DTYPES["MuscleForce"])
    excitation = array(excitation, (n,), "excitation")
    call("antagonists_step", stack(group, Antagonist, "group"), all_states, excitation, reals(angle, timestep), out, force)
    for k, state in enumerate(states):
        state._array[0] = all_states[k]
    return out[0].item(), out[1].item(), [view(MuscleForce, force[k : k + 1]) for k in range(n)]


__all__ = public(globals())
