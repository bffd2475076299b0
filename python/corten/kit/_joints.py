"""Joints, their limits and motors, couplings."""

import numpy as np

from .. import _core
from ._records import DTYPES, REAL, Record, array, call, checked, public, reals, word
from ._rigid import Pose, Twist

JOINTS = ("fixed", "revolute", "prismatic", "universal", "cylindrical", "planar", "spherical", "free")
MOTORS = ("off", "force", "velocity", "position", "servo")
_SIZES = ((0, 0), (1, 1), (1, 1), (2, 2), (2, 2), (3, 3), (4, 3), (7, 6))


class Joint(Record):
    """A joint: `kind` (one of JOINTS), `axis`, `axis2`."""

    __slots__ = ()
    _start = {"axis": (0, 0, 1), "axis2": (1, 0, 0)}
    _words = {"kind": JOINTS}

    @property
    def nq(self):
        """How many numbers a position has."""
        return _SIZES[self.kind][0] if 0 <= self.kind < len(JOINTS) else 0

    @property
    def nv(self):
        """How many numbers a velocity has."""
        return _SIZES[self.kind][1] if 0 <= self.kind < len(JOINTS) else 0


class JointState(Record):
    """Where a joint is and how it moves: `position` (7), `velocity` (6), of which the first nq and nv count."""

    __slots__ = ()


class Limit(Record):
    """A soft limit of a coordinate: `lower`, `upper`, `margin`, `solref`, `solimp`."""

    __slots__ = ()

    def __init__(self, **fields):
        self._array = np.zeros(1, DTYPES["Limit"])
        _core.kit("limit_default", self._array)
        for name, value in fields.items():
            setattr(self, name, value)


class Row(Record):
    """A constraint row: `distance`, `sign`, `impedance`, `stiffness`, `damping`, `reference`."""

    __slots__ = ()


class Motor(Record):
    """A motor: `mode` (one of MOTORS), `target`, `stiffness`, `damping`, `max_force`, `max_velocity`."""

    __slots__ = ()
    _start = {"max_force": np.inf, "max_velocity": np.inf}
    _words = {"mode": MOTORS}


class JointCommand(Record):
    """What a joint shall do: `mode` (one of MOTORS), `position`, `velocity`, `force`."""

    __slots__ = ()
    _words = {"mode": MOTORS}


def joint_check(joint):
    """Raise corten.Error where the kind is unknown or an axis is no unit vector."""
    call("joint_check", checked(joint, Joint, "joint"))


def joint_zero(joint):
    """The position at which the child's frame is the parent's."""
    out = np.zeros(joint.nq, REAL)
    call("joint_zero", checked(joint, Joint, "joint"), out)
    return out


def joint_pose(joint, q):
    """Position to pose of the child in the parent."""
    out = Pose()
    call("joint_pose", checked(joint, Joint, "joint"), array(q, (joint.nq,), "q"), out)
    return out


def joint_subspace(joint, q):
    """Motion subspace, 6 x nv."""
    out = np.zeros((6, joint.nv), REAL)
    call("joint_subspace", checked(joint, Joint, "joint"), array(q, (joint.nq,), "q"), out)
    return out


def joint_subspace_rate(joint, q, v):
    """Its rate in the child's axes."""
    out = np.zeros((6, joint.nv), REAL)
    call("joint_subspace_rate", checked(joint, Joint, "joint"), array(q, (joint.nq,), "q"), array(v, (joint.nv,), "v"), out)
    return out


def joint_twist(joint, q, v):
    """Velocity to twist of the child in its own axes."""
    out = Twist()
    call("joint_twist", checked(joint, Joint, "joint"), array(q, (joint.nq,), "q"), array(v, (joint.nv,), "v"), out)
    return out


def joint_integrate(joint, q, v, time=1.0):
    """The position after a time with a velocity, on the manifold."""
    out = np.zeros(joint.nq, REAL)
    call("joint_integrate", checked(joint, Joint, "joint"), array(q, (joint.nq,), "q"), array(v, (joint.nv,), "v"), reals(time), out)
    return out


def joint_difference(joint, start, end):
    """The velocity that brings `start` to `end` in unit time."""
    out = np.zeros(joint.nv, REAL)
    call("joint_difference", checked(joint, Joint, "joint"), array(start, (joint.nq,), "start"), array(end, (joint.nq,), "end"), out)
    return out


def joint_to_spec(joint, body, name=None):
    """Add the engine's joints of a kind to a body of a spec: `name`, or name_1, name_2, ... where they are several."""
    _core.spec_add_kit_joint(body.spec._core, body._handle, checked(joint, Joint, "joint"), name)


def joint_state_zero(joint):
    """A state at rest, where the child's frame is the parent's."""
    out = JointState()
    call("joint_state_zero", checked(joint, Joint, "joint"), out)
    return out


def joint_state_step(joint, state, acceleration, timestep):
    """Advance a state, in place: the velocity by the acceleration, then the position by the new velocity."""
    acceleration = array(acceleration, (joint.nv,), "acceleration")
    call("joint_state_step", checked(joint, Joint, "joint"), checked(state, JointState, "state"), acceleration, reals(timestep))


def limit_check(limit):
    """Raise corten.Error where it is reversed or not finite."""
    call("limit_check", checked(limit, Limit, "limit"))


def limit_row(limit, position, velocity, timestep=0.0):
    """The row of the nearer limit, None where it does not act."""
    row, active = Row(), np.zeros(1, np.int32)
    call("limit_row", checked(limit, Limit, "limit"), reals(position, velocity, timestep), row, active)
    return row if active[0] else None


def limit_force(limit, position, velocity, free, mobility, timestep=0.0):
    """Force of the limit on its own; `free`: acceleration without it, `mobility`: acceleration by unit force."""
    out = reals(0)
    call("limit_force", checked(limit, Limit, "limit"), reals(position, velocity, free, mobility, timestep), out)
    return out.item()


def motor_check(motor):
    """Raise corten.Error where it makes no sense."""
    call("motor_check", checked(motor, Motor, "motor"))


def motor_force(motor, position, velocity):
    """Force, and its derivatives by position and velocity."""
    force, derivative = reals(0), np.zeros(2, REAL)
    call("motor_force", checked(motor, Motor, "motor"), reals(position, velocity), force, derivative)
    return force.item(), derivative


def joint_command_hold(joint, state, mode="position"):
    """A command to stay at the position of a state."""
    out = JointCommand()
    mode = np.array([word(mode, MOTORS, "mode") if isinstance(mode, str) else mode], np.int32)
    call("joint_command_hold", checked(joint, Joint, "joint"), checked(state, JointState, "state"), mode, out)
    return out


def joint_drive(joint, motor, state, command):
    """Force on each number of a joint by a motor's gains and a command, and nv x 2 derivatives."""
    force, derivative = np.zeros(joint.nv, REAL), np.zeros((joint.nv, 2), REAL)
    records = (
        checked(joint, Joint, "joint"),
        checked(motor, Motor, "motor"),
        checked(state, JointState, "state"),
        checked(command, JointCommand, "command"),
    )
    call("joint_drive", *records, force, derivative)
    return force, derivative


def connect(a, anchor_a, b, anchor_b):
    """Residual (3) and gradient (3 x 12) of a point of one body held on a point of another."""
    residual, gradient = np.zeros(3, REAL), np.zeros((3, 12), REAL)
    call(
        "connect",
        checked(a, Pose, "a"),
        array(anchor_a, (3,), "anchor_a"),
        checked(b, Pose, "b"),
        array(anchor_b, (3,), "anchor_b"),
        residual,
        gradient,
    )
    return residual, gradient


def gear(coef, y, x):
    """Residual of y = polynomial(x) and its gradient by y and x; a single number is a ratio."""
    coef = (0, coef, 0, 0, 0) if np.ndim(coef) == 0 else coef
    residual, gradient = reals(0), np.zeros(2, REAL)
    call("gear", array(coef, (5,), "coef"), reals(y, x), residual, gradient)
    return residual.item(), gradient


def differential(ratio, carrier, left, right):
    """Residual of a differential and its gradient by carrier, left and right."""
    residual, gradient = reals(0), np.zeros(3, REAL)
    call("differential", reals(ratio, carrier, left, right), residual, gradient)
    return residual.item(), gradient


def network(weight, length, rest, jacobian):
    """Residuals and gradient of nodes that keep weighted sums of tendon lengths."""
    weight, length, rest, jacobian = (array(x) for x in (weight, length, rest, jacobian))
    residual, gradient = np.zeros(rest.size, REAL), np.zeros((rest.size, jacobian.shape[-1]), REAL)
    call("network", weight, length, rest, jacobian, residual, gradient)
    return residual, gradient


def coupling_row(residual, velocity, solref=(0.02, 1), solimp=(0.9, 0.95, 0.001, 0.5, 2), timestep=0.0):
    """How hard a coupling is held."""
    out = Row()
    call("coupling_row", array(solref, (2,), "solref"), array(solimp, (5,), "solimp"), reals(residual, velocity, timestep), out)
    return out


__all__ = public(globals())
