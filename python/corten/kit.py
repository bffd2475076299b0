"""The kit of parts: joints, motors, muscles, tendons, sensors with errors and a solver, without a model.

    from corten import kit
    biceps = kit.muscle_preset("biceps")
    pull = kit.muscle_equilibrium(biceps, length=0.40, activation=0.5)
    print(pull.force, pull.by_length)

Every function calls the one of the same name in C (`ct_kit_...` in `corten/kit.h`); docs/kit.md has the equations. Records
(`Pose`, `Muscle`, ...) have the fields of their struct, given by name: `Motor(mode="servo", target=1, damping=2)`. Numbers that
make no sense raise `corten.Error`.
"""

import numpy as np

from . import _core

_REAL = np.dtype(np.float32 if ", float," in _core.build_info else np.float64)
_KINDS = {"r": _REAL, "i": np.dtype(np.int32), "u": np.dtype(np.uint32), "s": np.dtype(np.uint64)}

JOINTS = ("fixed", "revolute", "prismatic", "universal", "cylindrical", "planar", "spherical", "free")
MOTORS = ("off", "force", "velocity", "position", "servo")
MUSCLES = ("biceps", "quadriceps", "gastrocnemius", "soleus")
STATIONS = ("point", "sphere", "cylinder", "pulley")
_JOINT_SIZES = ((0, 0), (1, 1), (1, 1), (2, 2), (2, 2), (3, 3), (4, 3), (7, 6))

# ---- records

_dtypes = {}


def _make_dtypes():
    for name, size, rows in _core.kit_records():
        names, formats, offsets = [], [], []
        for field, code, offset, length in rows:
            base = _KINDS.get(code) or _dtypes[code]
            count = length // base.itemsize
            shape = (6, 6) if (name, field) == ("Sensor", "matrix") else (count,)
            names.append(field)
            formats.append(base if count == 1 else (base, shape))
            offsets.append(offset)
        _dtypes[name] = np.dtype({"names": names, "formats": formats, "offsets": offsets, "itemsize": size})


_make_dtypes()


class _Record:
    """A struct of the kit. Fields are attributes; arrays are views."""

    __slots__ = ("_array",)
    _start = {}
    _words = {}

    def __init__(self, **fields):
        self._array = np.zeros(1, _dtypes[type(self).__name__])
        for name, value in {**self._start, **fields}.items():
            setattr(self, name, value)

    def __getattr__(self, name):
        if name.startswith("_") or name not in self._array.dtype.names:
            raise AttributeError(f"{type(self).__name__} has no field {name!r}", name=name, obj=self)
        value = self._array[name]
        if value.dtype.names:
            kind = _by_dtype[value.dtype]
            flat = value.reshape(-1)
            return _view(kind, flat) if flat.size == 1 else [_view(kind, flat[k : k + 1]) for k in range(flat.size)]
        return value[0].item() if value.ndim == 1 else value[0]

    def __setattr__(self, name, value):
        if name.startswith("_"):
            return object.__setattr__(self, name, value)
        if name not in self._array.dtype.names:
            raise AttributeError(f"{type(self).__name__} has no field {name!r}", name=name, obj=self)
        if name in self._words and isinstance(value, str):
            value = _word(value, self._words[name], name)
        field = self._array[name]
        if field.dtype.names:
            items = [value] if isinstance(value, _Record) else list(value)
            if len(items) != field.reshape(-1).size:
                raise ValueError(f"{name}: expected {field.reshape(-1).size} records")
            for k, item in enumerate(items):
                field.reshape(-1)[k] = item._array[0]
        else:
            field[0] = value

    def copy(self):
        """Another one with the same numbers."""
        return _view(type(self), self._array.copy())

    def __repr__(self):
        fields = ", ".join(f"{name}={getattr(self, name)!r}" for name in self._array.dtype.names)
        return f"{type(self).__name__}({fields})"

    def __dir__(self):
        return [*super().__dir__(), *self._array.dtype.names]


def _view(kind, array):
    record = object.__new__(kind)
    record._array = array
    return record


def _word(value, words, what):
    if value not in words:
        raise ValueError(f"{what}: {value!r} is none of {', '.join(words)}")
    return words.index(value)


class Pose(_Record):
    """A frame in another: `pos`, `quat` (w x y z)."""

    __slots__ = ()
    _start = {"quat": (1, 0, 0, 0)}


class Twist(_Record):
    """Velocity of a frame: `angular`, `linear`."""

    __slots__ = ()


class Wrench(_Record):
    """Force on a frame: `torque`, `force`."""

    __slots__ = ()


class Mass(_Record):
    """Mass properties: `mass`, `com`, `inertia` about it (xx yy zz xy xz yz)."""

    __slots__ = ()


class Rigid(_Record):
    """A rigid body that moves: `pose`, `twist`, both in the world."""

    __slots__ = ()
    _start = {"pose": Pose()}


class Joint(_Record):
    """A joint: `kind` (one of JOINTS), `axis`, `axis2`."""

    __slots__ = ()
    _start = {"axis": (0, 0, 1), "axis2": (1, 0, 0)}
    _words = {"kind": JOINTS}

    @property
    def nq(self):
        """How many numbers a position has."""
        return _JOINT_SIZES[self.kind][0] if 0 <= self.kind < len(JOINTS) else 0

    @property
    def nv(self):
        """How many numbers a velocity has."""
        return _JOINT_SIZES[self.kind][1] if 0 <= self.kind < len(JOINTS) else 0


class Limit(_Record):
    """A soft limit of a coordinate: `lower`, `upper`, `margin`, `solref`, `solimp`."""

    __slots__ = ()

    def __init__(self, **fields):
        self._array = np.zeros(1, _dtypes["Limit"])
        _core.kit("limit_default", self._array)
        for name, value in fields.items():
            setattr(self, name, value)


class Row(_Record):
    """A constraint row: `distance`, `sign`, `impedance`, `stiffness`, `damping`, `reference`."""

    __slots__ = ()


class Motor(_Record):
    """A motor: `mode` (one of MOTORS), `target`, `stiffness`, `damping`, `max_force`, `max_velocity`."""

    __slots__ = ()
    _start = {"max_force": np.inf, "max_velocity": np.inf}
    _words = {"mode": MOTORS}


class Muscle(_Record):
    """A Hill-type muscle; muscle_default() and muscle_preset() make one."""

    __slots__ = ()


class MuscleState(_Record):
    """What a muscle remembers: `activation`, `fibre` (length)."""

    __slots__ = ()


class MuscleForce(_Record):
    """A muscle at work: `force`, `fibre`, `velocity`, `cosine`, `active`, `passive`, derivatives, `energy`."""

    __slots__ = ()


class Antagonists(_Record):
    """Two muscles that turn one joint: `muscle` (two), `rest`, `arm`."""

    __slots__ = ()


class Station(_Record):
    """A station of a tendon: `kind` (one of STATIONS), `body`, `place`, `radius`, `has_side`, `side`, `divisor`."""

    __slots__ = ()
    _start = {"place": Pose()}
    _words = {"kind": STATIONS}


class Tendon(_Record):
    """Spring and damper of a tendon: `rest` (two lengths), `stiffness`, `damping`, `slack`."""

    __slots__ = ()


class Sensor(_Record):
    """Errors of a sensor; sensor_default() makes one without any."""

    __slots__ = ()


class SensorState(_Record):
    """What a sensor remembers; sensor_reset() makes one."""

    __slots__ = ("_history",)  # samples on their way

    def __init__(self, **fields):
        self._history = np.zeros(0, _REAL)
        super().__init__(**fields)

    def copy(self):
        """Another one that goes on in the same way."""
        out = super().copy()
        out._history = self._history.copy()
        return out


class CgStats(_Record):
    """How a solve went: `iterations`, `converged`, `initial`, `residual`, `repaired`, `least_rate`, `most_rate`."""

    __slots__ = ()


_by_dtype = {_dtypes[kind.__name__]: kind for kind in _Record.__subclasses__()}

# ---- calls


def _reals(*values):
    return np.array(values, _REAL)


def _array(value, shape=None, name="array"):
    array = np.array(value, _REAL, order="C")
    if shape is not None and array.shape != shape:
        raise ValueError(f"{name}: expected shape {shape}, not {array.shape}")
    return array


def _kind(value, kind, name):
    if not isinstance(value, kind):
        raise TypeError(f"{name}: expected a {kind.__name__}, not {type(value).__name__}")
    return value._array


def _stack(records, kind, name):
    """Records one behind the other; NumPy's own functions drop the gaps of a struct."""
    out = np.zeros(len(records), _dtypes[kind.__name__])
    for k, record in enumerate(records):
        out[k] = _kind(record, kind, name)[0]
    return out


def _call(name, *arguments):
    _core.kit(name, *(a._array if isinstance(a, _Record) else a for a in arguments))


def pose_mul(a, b):
    """The frame `b`, given in `a`, seen from where `a` is seen."""
    out = Pose()
    _call("pose_mul", _kind(a, Pose, "a"), _kind(b, Pose, "b"), out)
    return out


def pose_inverse(a):
    """The frame in which `a` is given, seen from `a`."""
    out = Pose()
    _call("pose_inverse", _kind(a, Pose, "a"), out)
    return out


def pose_point(a, point):
    """A point given in the frame, seen from outside."""
    out = np.zeros(3, _REAL)
    _call("pose_point", _kind(a, Pose, "a"), _array(point, (3,), "point"), out)
    return out


def pose_exp(a, twist, time=1.0):
    """The frame after a time with a constant twist in its own axes."""
    out = Pose()
    _call("pose_exp", _kind(a, Pose, "a"), _kind(twist, Twist, "twist"), _reals(time), out)
    return out


def pose_log(a, b):
    """The twist, in the axes of `a`, that brings it to `b` in unit time."""
    out = Twist()
    _call("pose_log", _kind(a, Pose, "a"), _kind(b, Pose, "b"), out)
    return out


def twist_out(a, twist):
    """A twist given in the frame `a`, at the outer origin and in the outer axes."""
    out = Twist()
    _call("twist_out", _kind(a, Pose, "a"), _kind(twist, Twist, "twist"), out)
    return out


def twist_in(a, twist):
    """The other way."""
    out = Twist()
    _call("twist_in", _kind(a, Pose, "a"), _kind(twist, Twist, "twist"), out)
    return out


def wrench_out(a, wrench):
    """A wrench given in the frame `a`, about the outer origin and in the outer axes."""
    out = Wrench()
    _call("wrench_out", _kind(a, Pose, "a"), _kind(wrench, Wrench, "wrench"), out)
    return out


def wrench_in(a, wrench):
    """The other way."""
    out = Wrench()
    _call("wrench_in", _kind(a, Pose, "a"), _kind(wrench, Wrench, "wrench"), out)
    return out


def power(twist, wrench):
    """Power of a wrench on a twist of the same frame."""
    out = _reals(0)
    _call("power", _kind(twist, Twist, "twist"), _kind(wrench, Wrench, "wrench"), out)
    return out.item()


def mass_check(mass):
    """Raise corten.Error where no body can have it."""
    _call("mass_check", _kind(mass, Mass, "mass"))


def mass_add(a, b):
    """Two bodies given in one frame, as one."""
    out = Mass()
    _call("mass_add", _kind(a, Mass, "a"), _kind(b, Mass, "b"), out)
    return out


def mass_move(pose, mass):
    """A body given in a frame, seen from outside."""
    out = Mass()
    _call("mass_move", _kind(pose, Pose, "pose"), _kind(mass, Mass, "mass"), out)
    return out


def mass_principal(mass):
    """Principal frame and the moments in it, decreasing."""
    frame, moments = Pose(), np.zeros(3, _REAL)
    _call("mass_principal", _kind(mass, Mass, "mass"), frame, moments)
    return frame, moments


def mass_momentum(mass, twist):
    """Momentum about the frame's origin."""
    out = Wrench()
    _call("mass_momentum", _kind(mass, Mass, "mass"), _kind(twist, Twist, "twist"), out)
    return out


def mass_box(size, density):
    """A box of half sizes `size`."""
    out = Mass()
    _call("mass_box", _array(size, (3,), "size"), _reals(density), out)
    return out


def rigid_acceleration(body, mass, wrench):
    """Rate of a body's twist under a wrench, in world axes at its frame."""
    out = Twist()
    _call("rigid_acceleration", _kind(body, Rigid, "body"), _kind(mass, Mass, "mass"), _kind(wrench, Wrench, "wrench"), out)
    return out


def rigid_step(body, mass, wrench, timestep):
    """Advance a body, in place."""
    _call("rigid_step", _kind(body, Rigid, "body"), _kind(mass, Mass, "mass"), _kind(wrench, Wrench, "wrench"), _reals(timestep))


def joint_check(joint):
    """Raise corten.Error where the kind is unknown or an axis is no unit vector."""
    _call("joint_check", _kind(joint, Joint, "joint"))


def joint_zero(joint):
    """The position at which the child's frame is the parent's."""
    out = np.zeros(joint.nq, _REAL)
    _call("joint_zero", _kind(joint, Joint, "joint"), out)
    return out


def joint_pose(joint, q):
    """Position to pose of the child in the parent."""
    out = Pose()
    _call("joint_pose", _kind(joint, Joint, "joint"), _array(q, (joint.nq,), "q"), out)
    return out


def joint_subspace(joint, q):
    """Motion subspace, 6 x nv."""
    out = np.zeros((6, joint.nv), _REAL)
    _call("joint_subspace", _kind(joint, Joint, "joint"), _array(q, (joint.nq,), "q"), out)
    return out


def joint_subspace_rate(joint, q, v):
    """Its rate in the child's axes."""
    out = np.zeros((6, joint.nv), _REAL)
    _call("joint_subspace_rate", _kind(joint, Joint, "joint"), _array(q, (joint.nq,), "q"), _array(v, (joint.nv,), "v"), out)
    return out


def joint_twist(joint, q, v):
    """Velocity to twist of the child in its own axes."""
    out = Twist()
    _call("joint_twist", _kind(joint, Joint, "joint"), _array(q, (joint.nq,), "q"), _array(v, (joint.nv,), "v"), out)
    return out


def joint_integrate(joint, q, v, time=1.0):
    """The position after a time with a velocity, on the manifold."""
    out = np.zeros(joint.nq, _REAL)
    _call("joint_integrate", _kind(joint, Joint, "joint"), _array(q, (joint.nq,), "q"), _array(v, (joint.nv,), "v"), _reals(time), out)
    return out


def joint_difference(joint, start, end):
    """The velocity that brings `start` to `end` in unit time."""
    out = np.zeros(joint.nv, _REAL)
    _call("joint_difference", _kind(joint, Joint, "joint"), _array(start, (joint.nq,), "start"), _array(end, (joint.nq,), "end"), out)
    return out


def joint_to_spec(joint, body, name=None):
    """Add the engine's joints of a kind to a body of a spec: `name`, or name_1, name_2, ... where they are several."""
    _core.spec_add_kit_joint(body.spec._core, body._handle, _kind(joint, Joint, "joint"), name)


def limit_check(limit):
    """Raise corten.Error where it is reversed or not finite."""
    _call("limit_check", _kind(limit, Limit, "limit"))


def limit_row(limit, position, velocity, timestep=0.0):
    """The row of the nearer limit, None where it does not act."""
    row, active = Row(), np.zeros(1, np.int32)
    _call("limit_row", _kind(limit, Limit, "limit"), _reals(position, velocity, timestep), row, active)
    return row if active[0] else None


def limit_force(limit, position, velocity, free, mobility, timestep=0.0):
    """Force of the limit on its own; `free`: acceleration without it, `mobility`: acceleration by unit force."""
    out = _reals(0)
    _call("limit_force", _kind(limit, Limit, "limit"), _reals(position, velocity, free, mobility, timestep), out)
    return out.item()


def motor_check(motor):
    """Raise corten.Error where it makes no sense."""
    _call("motor_check", _kind(motor, Motor, "motor"))


def motor_force(motor, position, velocity):
    """Force, and its derivatives by position and velocity."""
    force, derivative = _reals(0), np.zeros(2, _REAL)
    _call("motor_force", _kind(motor, Motor, "motor"), _reals(position, velocity), force, derivative)
    return force.item(), derivative


def connect(a, anchor_a, b, anchor_b):
    """Residual (3) and gradient (3 x 12) of a point of one body held on a point of another."""
    residual, gradient = np.zeros(3, _REAL), np.zeros((3, 12), _REAL)
    _call("connect", _kind(a, Pose, "a"), _array(anchor_a, (3,), "anchor_a"), _kind(b, Pose, "b"), _array(anchor_b, (3,), "anchor_b"), residual, gradient)
    return residual, gradient


def gear(coef, y, x):
    """Residual of y = polynomial(x) and its gradient by y and x; a single number is a ratio."""
    coef = (0, coef, 0, 0, 0) if np.ndim(coef) == 0 else coef
    residual, gradient = _reals(0), np.zeros(2, _REAL)
    _call("gear", _array(coef, (5,), "coef"), _reals(y, x), residual, gradient)
    return residual.item(), gradient


def differential(ratio, carrier, left, right):
    """Residual of a differential and its gradient by carrier, left and right."""
    residual, gradient = _reals(0), np.zeros(3, _REAL)
    _call("differential", _reals(ratio, carrier, left, right), residual, gradient)
    return residual.item(), gradient


def network(weight, length, rest, jacobian):
    """Residuals and gradient of nodes that keep weighted sums of tendon lengths."""
    weight, length, rest, jacobian = (_array(x) for x in (weight, length, rest, jacobian))
    residual, gradient = np.zeros(rest.size, _REAL), np.zeros((rest.size, jacobian.shape[-1]), _REAL)
    _call("network", weight, length, rest, jacobian, residual, gradient)
    return residual, gradient


def coupling_row(residual, velocity, solref=(0.02, 1), solimp=(0.9, 0.95, 0.001, 0.5, 2), timestep=0.0):
    """How hard a coupling is held."""
    out = Row()
    _call("coupling_row", _array(solref, (2,), "solref"), _array(solimp, (5,), "solimp"), _reals(residual, velocity, timestep), out)
    return out


def muscle_default(max_force, optimal_length, slack_length, pennation=0.0):
    """A muscle of that force, fibre, tendon and pennation (rad), with typical curves."""
    out = Muscle()
    _call("muscle_default", _reals(max_force, optimal_length, slack_length, pennation), out)
    return out


def muscle_preset(name):
    """One of MUSCLES."""
    out = Muscle()
    _call("muscle_preset", np.array([_word(name, MUSCLES, "muscle")], np.int32), out)
    return out


def muscle_check(muscle):
    """Raise corten.Error where a number makes no sense."""
    _call("muscle_check", _kind(muscle, Muscle, "muscle"))


def _curve(which, muscle, x):
    x = _array(x)
    value, slope = np.zeros_like(x), np.zeros_like(x)
    _call("muscle_curve", _kind(muscle, Muscle, "muscle"), np.array([which], np.int32), np.atleast_1d(x), np.atleast_1d(value), np.atleast_1d(slope))
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
    force = _array(force)
    out = np.zeros_like(force)
    _call("muscle_inverse", _kind(muscle, Muscle, "muscle"), np.array([which], np.int32), np.atleast_1d(force), np.atleast_1d(out))
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
    out = _reals(0)
    _call("muscle_activation_rate", _kind(muscle, Muscle, "muscle"), _reals(excitation, activation), out)
    return out.item()


def _many(*values):
    """Numbers, or arrays that go together: flat copies, and the shape."""
    arrays = np.broadcast_arrays(*(np.asarray(v, _REAL) for v in values))
    return [np.array(a.reshape(-1)) for a in arrays], arrays[0].shape


def muscle_rigid(muscle, length, velocity, activation):
    """Force with a tendon that does not stretch. Arrays give an array of records with the fields of MuscleForce."""
    values, shape = _many(length, velocity, activation)
    out = np.zeros(values[0].size, _dtypes["MuscleForce"])
    _call("muscle_rigid", _kind(muscle, Muscle, "muscle"), *values, out)
    return out.reshape(shape) if shape else _view(MuscleForce, out)


def muscle_elastic(muscle, state, length):
    """Force with an elastic tendon for a fibre of known length."""
    out = MuscleForce()
    _call("muscle_elastic", _kind(muscle, Muscle, "muscle"), _kind(state, MuscleState, "state"), _reals(length), out)
    return out


def muscle_equilibrium(muscle, length, activation):
    """The fibre at rest in equilibrium with an elastic tendon. Arrays as in muscle_rigid()."""
    values, shape = _many(length, activation)
    out = np.zeros(values[0].size, _dtypes["MuscleForce"])
    _call("muscle_equilibrium", _kind(muscle, Muscle, "muscle"), *values, out)
    return out.reshape(shape) if shape else _view(MuscleForce, out)


def muscle_step(muscle, state, excitation, length, timestep):
    """Advance the state, in place; returns the force."""
    out = MuscleForce()
    _call("muscle_step", _kind(muscle, Muscle, "muscle"), _kind(state, MuscleState, "state"), _reals(excitation, length, timestep), out)
    return out


def antagonists_excite(effort, cocontraction):
    """Excitations of both muscles."""
    out = np.zeros(2, _REAL)
    _call("antagonists_excite", _reals(effort, cocontraction), out)
    return out


def antagonists_step(pair, states, excitation, angle, timestep):
    """Advance both states, in place; returns torque, stiffness and both forces."""
    both = _stack(states, MuscleState, "states")
    out, force = np.zeros(2, _REAL), np.zeros(2, _dtypes["MuscleForce"])
    _call("antagonists_step", _kind(pair, Antagonists, "pair"), both, _array(excitation, (2,), "excitation"), _reals(angle, timestep), out, force)
    for k, state in enumerate(states):
        state._array[0] = both[k]
    return out[0].item(), out[1].item(), [_view(MuscleForce, force[k : k + 1]) for k in range(2)]


def path_check(path, nbody):
    """Raise corten.Error where the path cannot be followed."""
    _call("path_check", _stack(path, Station, "path"), np.array([nbody], np.int32))


def path_length(path, bodies):
    """Length, gradient by the world twists of the bodies (n x 6), and the points it passes (n x 3)."""
    poses = _stack(bodies, Pose, "bodies")
    length, gradient = _reals(0), np.zeros((poses.size, 6), _REAL)
    point, count = np.zeros((2 * len(path), 3), _REAL), np.zeros(1, np.int32)
    _call("path_length", _stack(path, Station, "path"), poses, length, gradient, point, count)
    return length.item(), gradient, point[: count[0]]


def path_velocity(gradient, twists):
    """Rate of the length when the bodies move."""
    out = _reals(0)
    _call("path_velocity", _array(gradient), _stack(twists, Twist, "twists"), out)
    return out.item()


def path_jacobian(gradient, jacobian):
    """Gradient by joints from that by bodies; `jacobian` is (nbody, 6, nv)."""
    jacobian = _array(jacobian)
    out = np.zeros(jacobian.shape[-1], _REAL)
    _call("path_jacobian", _array(gradient), jacobian, out)
    return out


def fixed_length(coef, q):
    """Length of a fixed tendon."""
    coef, out = _array(coef), _reals(0)
    _call("fixed_length", coef, _array(q, coef.shape, "q"), out)
    return out.item()


def tendon_force(tendon, length, velocity):
    """Force along the gradient of the length: negative when it pulls."""
    out = _reals(0)
    _call("tendon_force", _kind(tendon, Tendon, "tendon"), _reals(length, velocity), out)
    return out.item()


def sensor_default(count, timestep):
    """A sensor without errors."""
    out = Sensor()
    _call("sensor_default", np.array([count], np.int32), _reals(timestep), out)
    return out


def sensor_check(sensor):
    """Raise corten.Error where a number makes no sense."""
    _call("sensor_check", _kind(sensor, Sensor, "sensor"))


def sensor_reset(sensor):
    """The state at the beginning."""
    out = SensorState()
    _call("sensor_reset", _kind(sensor, Sensor, "sensor"), out)
    out._history = np.zeros((sensor.delay + 1) * sensor.count, _REAL)
    return out


def sensor_read(sensor, state, truth):
    """A sample of `count` numbers, or one for each row of `truth`; the state goes on."""
    truth = _array(truth)
    out = np.zeros_like(truth)
    _call("sensor_read", _kind(sensor, Sensor, "sensor"), _kind(state, SensorState, "state"), truth, state._history, out)
    return out


def imu(body, acceleration, gravity=(0, 0, -9.81), mount=None):
    """What an IMU feels: acceleration less gravity (3), angular velocity (3), in its own axes."""
    out = np.zeros(6, _REAL)
    _call("imu", _kind(body, Rigid, "body"), _kind(acceleration, Twist, "acceleration"), _array(gravity, (3,), "gravity"), _kind(mount or Pose(), Pose, "mount"), out)
    return out


def force_torque(wrench, mount=None):
    """What a force and torque sensor feels: force, then torque."""
    out = np.zeros(6, _REAL)
    _call("force_torque", _kind(wrench, Wrench, "wrench"), _kind(mount or Pose(), Pose, "mount"), out)
    return out


def touch(force, area, on=0.0, off=0.0, touched=False):
    """Total force, pressure and whether the pad is touched; hand `touched` back with the next call."""
    switch, out = np.array([touched], np.int32), np.zeros(3, _REAL)
    _call("touch", _array(force).reshape(-1), _reals(area, on, off), switch, out)
    return out[0].item(), out[1].item(), bool(switch[0])


def rangefinder(distance, least, most):
    """What a rangefinder says; -1: nothing there."""
    out = _reals(0)
    _call("rangefinder", _reals(distance, least, most), out)
    return out.item()


def magnetometer(body, field, mount=None):
    """What a magnetometer feels of a field in the world."""
    out = np.zeros(3, _REAL)
    _call("magnetometer", _kind(body, Pose, "body"), _array(field, (3,), "field"), _kind(mount or Pose(), Pose, "mount"), out)
    return out


def allan(samples, m, timestep):
    """Overlapping Allan deviation for averages over `m` samples."""
    samples, out = _array(samples), _reals(0)
    _call("allan", samples, np.array([m], np.int32), _reals(timestep), np.zeros(samples.size + 1), out)
    return out.item()


def cg_solve(matrix, b, block=None, tolerance=1e-10, most=1000, x=None):
    """Solve by conjugate gradients with block-Jacobi preconditioner; returns the solution and CgStats."""
    matrix, b, stats = _array(matrix), _array(b), CgStats()
    block = np.array(np.ones(b.size) if block is None else block, np.int32)
    x = np.zeros_like(b) if x is None else _array(x, b.shape, "x")
    work = np.zeros(int((block.astype(np.int64) ** 2).sum()) + 4 * b.size, _REAL)
    _call("cg_solve", matrix, b, block, _reals(tolerance, most), x, work, stats)
    return x, stats


def max_dot(points, direction):
    """Which of the points (n x 3, single precision) is farthest along a direction, and how far."""
    which, most = np.zeros(1, np.int32), _reals(0)
    _call("max_dot", np.array(points, np.float32, order="C"), _array(direction, (3,), "direction"), which, most)
    return which.item(), most.item()


def _groups(name, width, a, b):
    a, b = _array(a), _array(b)
    if a.shape != b.shape or a.shape[-2:] != (3, width):
        raise ValueError(f"expected arrays of shape (count, 3, {width})")
    out = np.zeros(a.size // 3, _REAL)
    _call(name, a, b, out)
    return out.reshape(*a.shape[:-2], width)


def dot4(a, b):
    """Dot products of groups of four vectors: (count, 3, 4) to (count, 4)."""
    return _groups("dot4", 4, a, b)


def dot8(a, b):
    """Dot products of groups of eight vectors: (count, 3, 8) to (count, 8)."""
    return _groups("dot8", 8, a, b)


def box_overlap(boxes, least, most):
    """Which boxes (6 x n: least x, y, z, largest x, y, z) overlap a box."""
    boxes = _array(boxes)
    out = np.zeros(boxes.size // 6, np.uint8)
    _call("box_overlap", boxes, np.concatenate([_array(least, (3,), "least"), _array(most, (3,), "most")]), out)
    return out.astype(bool)


__all__ = [
    "JOINTS",
    "MOTORS",
    "MUSCLES",
    "STATIONS",
    *(kind.__name__ for kind in _Record.__subclasses__()),
    *sorted(
        name
        for name, value in globals().items()
        if callable(value) and not name.startswith("_") and not isinstance(value, type) and getattr(value, "__module__", "") == __name__
    ),
]
