"""Tendons: paths through points and around objects, weighted sums of joints, springs."""

import numpy as np

from ._records import REAL, Record, array, call, checked, public, reals, stack
from ._rigid import Pose, Twist

STATIONS = ("point", "sphere", "cylinder", "pulley")


class Station(Record):
    """A station of a tendon: `kind` (one of STATIONS), `body`, `place`, `radius`, `has_side`, `side`, `divisor`."""

    __slots__ = ()
    _start = {"place": Pose()}
    _words = {"kind": STATIONS}


class Tendon(Record):
    """Spring and damper of a tendon: `rest` (two lengths), `stiffness`, `damping`, `slack`."""

    __slots__ = ()


def path_check(path, nbody):
    """Raise corten.Error where the path cannot be followed."""
    call("path_check", stack(path, Station, "path"), np.array([nbody], np.int32))


def path_length(path, bodies):
    """Length, gradient by the world twists of the bodies (n x 6), and the points it passes (n x 3)."""
    poses = stack(bodies, Pose, "bodies")
    length, gradient = reals(0), np.zeros((poses.size, 6), REAL)
    point, count = np.zeros((2 * len(path), 3), REAL), np.zeros(1, np.int32)
    call("path_length", stack(path, Station, "path"), poses, length, gradient, point, count)
    return length.item(), gradient, point[: count[0]]


def path_velocity(gradient, twists):
    """Rate of the length when the bodies move."""
    out = reals(0)
    call("path_velocity", array(gradient), stack(twists, Twist, "twists"), out)
    return out.item()


def path_jacobian(gradient, jacobian):
    """Gradient by joints from that by bodies; `jacobian` is (nbody, 6, nv)."""
    jacobian = array(jacobian)
    out = np.zeros(jacobian.shape[-1], REAL)
    call("path_jacobian", array(gradient), jacobian, out)
    return out


def fixed_length(coef, q):
    """Length of a fixed tendon."""
    coef, out = array(coef), reals(0)
    call("fixed_length", coef, array(q, coef.shape, "q"), out)
    return out.item()


def tendon_joints(jacobian):
    """How many joints move a tendon, by its gradient by joints."""
    out = np.zeros(1, np.int32)
    call("tendon_joints", array(jacobian), out)
    return out.item()


def tendon_force(tendon, length, velocity):
    """Force along the gradient of the length: negative when it pulls."""
    out = reals(0)
    call("tendon_force", checked(tendon, Tendon, "tendon"), reals(length, velocity), out)
    return out.item()


__all__ = public(globals())
