"""Poses, twists, wrenches, masses, rigid bodies."""

import numpy as np

from ._records import REAL, Record, array, call, checked, public, reals


class Pose(Record):
    """A frame in another: `pos`, `quat` (w x y z)."""

    __slots__ = ()
    _start = {"quat": (1, 0, 0, 0)}


class Twist(Record):
    """Velocity of a frame: `angular`, `linear`."""

    __slots__ = ()


class Wrench(Record):
    """Force on a frame: `torque`, `force`."""

    __slots__ = ()


class Mass(Record):
    """Mass properties: `mass`, `com`, `inertia` about it (xx yy zz xy xz yz)."""

    __slots__ = ()


class Rigid(Record):
    """A rigid body that moves: `pose`, `twist`, both in the world."""

    __slots__ = ()
    _start = {"pose": Pose()}


def pose_mul(a, b):
    """The frame `b`, given in `a`, seen from where `a` is seen."""
    out = Pose()
    call("pose_mul", checked(a, Pose, "a"), checked(b, Pose, "b"), out)
    return out


def pose_inverse(a):
    """The frame in which `a` is given, seen from `a`."""
    out = Pose()
    call("pose_inverse", checked(a, Pose, "a"), out)
    return out


def pose_point(a, point):
    """A point given in the frame, seen from outside."""
    out = np.zeros(3, REAL)
    call("pose_point", checked(a, Pose, "a"), array(point, (3,), "point"), out)
    return out


def pose_exp(a, twist, time=1.0):
    """The frame after a time with a constant twist in its own axes."""
    out = Pose()
    call("pose_exp", checked(a, Pose, "a"), checked(twist, Twist, "twist"), reals(time), out)
    return out


def pose_log(a, b):
    """The twist, in the axes of `a`, that brings it to `b` in unit time."""
    out = Twist()
    call("pose_log", checked(a, Pose, "a"), checked(b, Pose, "b"), out)
    return out


def twist_out(a, twist):
    """A twist given in the frame `a`, at the outer origin and in the outer axes."""
    out = Twist()
    call("twist_out", checked(a, Pose, "a"), checked(twist, Twist, "twist"), out)
    return out


def twist_in(a, twist):
    """The other way."""
    out = Twist()
    call("twist_in", checked(a, Pose, "a"), checked(twist, Twist, "twist"), out)
    return out


def wrench_out(a, wrench):
    """A wrench given in the frame `a`, about the outer origin and in the outer axes."""
    out = Wrench()
    call("wrench_out", checked(a, Pose, "a"), checked(wrench, Wrench, "wrench"), out)
    return out


def wrench_in(a, wrench):
    """The other way."""
    out = Wrench()
    call("wrench_in", checked(a, Pose, "a"), checked(wrench, Wrench, "wrench"), out)
    return out


def power(twist, wrench):
    """Power of a wrench on a twist of the same frame."""
    out = reals(0)
    call("power", checked(twist, Twist, "twist"), checked(wrench, Wrench, "wrench"), out)
    return out.item()


def mass_check(mass):
    """Raise corten.Error where no body can have it."""
    call("mass_check", checked(mass, Mass, "mass"))


def mass_add(a, b):
    """Two bodies given in one frame, as one."""
    out = Mass()
    call("mass_add", checked(a, Mass, "a"), checked(b, Mass, "b"), out)
    return out


def mass_move(pose, mass):
    """A body given in a frame, seen from outside."""
    out = Mass()
    call("mass_move", checked(pose, Pose, "pose"), checked(mass, Mass, "mass"), out)
    return out


def mass_principal(mass):
    """Principal frame and the moments in it, decreasing."""
    frame, moments = Pose(), np.zeros(3, REAL)
    call("mass_principal", checked(mass, Mass, "mass"), frame, moments)
    return frame, moments


def mass_momentum(mass, twist):
    """Momentum about the frame's origin."""
    out = Wrench()
    call("mass_momentum", checked(mass, Mass, "mass"), checked(twist, Twist, "twist"), out)
    return out


def mass_box(size, density):
    """A box of half sizes `size`."""
    out = Mass()
    call("mass_box", array(size, (3,), "size"), reals(density), out)
    return out


def rigid_acceleration(body, mass, wrench):
    """Rate of a body's twist under a wrench, in world axes at its frame."""
    out = Twist()
    call("rigid_acceleration", checked(body, Rigid, "body"), checked(mass, Mass, "mass"), checked(wrench, Wrench, "wrench"), out)
    return out


def rigid_step(body, mass, wrench, timestep):
    """Advance a body, in place."""
    call("rigid_step", checked(body, Rigid, "body"), checked(mass, Mass, "mass"), checked(wrench, Wrench, "wrench"), reals(timestep))


__all__ = public(globals())
