"""The kit of parts in Python: the same functions as in C, with arrays and records."""

import copy
import math
import pathlib
import pickle
import re
import subprocess
import sys

import corten
import numpy as np
import pytest
from corten import kit

REAL = kit.Pose().pos.dtype
ROOT = pathlib.Path(__file__).parents[2]
HEADER = (ROOT / "include" / "corten" / "kit.h").read_text()
TOLERANCE = 1e-12 if REAL == np.float64 else 1e-5


def test_records_have_the_fields_of_their_struct():
    pose = kit.Pose(pos=[1, 2, 3])
    assert list(pose.quat) == [1, 0, 0, 0]
    pose.pos[1] = 5
    assert list(pose.pos) == [1, 5, 3]
    body = kit.Rigid(pose=pose)
    body.pose.pos[0] = 9  # nested records are views
    assert body.pose.pos[0] == 9 and pose.pos[0] == 1
    with pytest.raises(AttributeError):
        pose.position = 1
    with pytest.raises(AttributeError):
        pose.position
    other = pose.copy()
    other.pos[0] = 7
    assert pose.pos[0] == 1
    assert "pos=" in repr(pose) and "pos" in dir(pose)


def test_every_member_of_every_struct_is_a_field():
    structs = re.findall(r"typedef struct ctKit(\w+) \{(.*?)\n\}", HEADER, re.S)
    assert len(structs) >= 18
    for name, body in structs:
        if name.startswith("Vec3"):
            continue  # plain arrays in Python
        members = re.findall(r"^\s+\w+ (\w+)(?:\[.*?\])*;", body, re.M)
        assert members and list(getattr(kit, name)()._array.dtype.names) == members, name


def test_words_are_those_of_the_header():
    for words, prefix in ((kit.JOINTS, "JOINT"), (kit.MOTORS, "MOTOR"), (kit.MUSCLES, "MUSCLE")):
        block = re.search(rf"#define CT_KIT_{prefix}_LIST(.*?)\n\n", HEADER, re.S)[1]
        assert tuple(word.lower() for word in re.findall(r"X\(([A-Z]+),", block)) == words
    stations = re.findall(r"CT_KIT_STATION_([A-Z]+),", HEADER)
    assert tuple(word.lower() for word in stations) == kit.STATIONS
    sizes = re.findall(r"X\([A-Z]+, (\d), (\d),", HEADER)
    assert [(int(nq), int(nv)) for nq, nv in sizes] == [(kit.Joint(kind=k).nq, kit.Joint(kind=k).nv) for k in kit.JOINTS]


@pytest.mark.parametrize("name", ["muscle_surface", "antagonists", "imu_allan"])
def test_examples_draw(name, tmp_path):
    pytest.importorskip("matplotlib")
    picture = tmp_path / "picture.png"
    subprocess.run([sys.executable, str(ROOT / "examples" / "kit" / f"{name}.py"), str(picture)], check=True, cwd=tmp_path, timeout=300)
    assert picture.read_bytes().startswith(b"\x89PNG")


def test_words_name_kinds():
    assert kit.Joint(kind="planar").kind == kit.JOINTS.index("planar")
    assert kit.Motor(mode="servo").mode == kit.MOTORS.index("servo")
    with pytest.raises(ValueError, match="revolute"):
        kit.Joint(kind="hinge")
    with pytest.raises(ValueError, match="biceps"):
        kit.muscle_preset("heart")


@pytest.mark.parametrize("kind", kit.JOINTS)
def test_joint_integration_and_difference_are_inverse(kind):
    joint = kit.Joint(kind=kind)
    q = kit.joint_zero(joint)
    v = np.linspace(0.2, 0.9, joint.nv)
    there = kit.joint_integrate(joint, q, v, 0.5)
    assert np.allclose(kit.joint_difference(joint, q, there), 0.5 * v, atol=TOLERANCE)
    twist = kit.joint_twist(joint, q, v)
    expected = kit.joint_subspace(joint, q) @ v
    assert np.allclose(np.concatenate([twist.angular, twist.linear]), expected, atol=TOLERANCE)
    assert kit.joint_subspace_rate(joint, q, v).shape == (6, joint.nv)


@pytest.mark.parametrize("kind", kit.JOINTS)
def test_joint_in_a_spec(kind):
    joint = kit.Joint(kind=kind, axis=[0, 0.6, 0.8], axis2=[1, 0, 0])
    spec = corten.Spec()
    body = spec.world.add("body", name="b")
    body.add("geom", size=0.1)
    kit.joint_to_spec(joint, body, "j")
    model = spec.compile()
    data = corten.Data(model)
    assert (model.nq, model.nv) == (joint.nq, joint.nv)
    q = kit.joint_integrate(joint, kit.joint_zero(joint), np.linspace(0.3, 0.7, joint.nv))
    data.qpos[:] = q
    corten.forward(model, data)
    assert np.allclose(data.xpos[1], kit.joint_pose(joint, q).pos, atol=TOLERANCE)


def test_poses_and_masses():
    a = kit.Pose(pos=[1, 0, 0], quat=[math.sqrt(0.5), 0, 0, math.sqrt(0.5)])
    assert np.allclose(kit.pose_point(a, [1, 0, 0]), [1, 1, 0], atol=TOLERANCE)
    back = kit.pose_mul(a, kit.pose_inverse(a))
    assert np.allclose(back.pos, 0, atol=TOLERANCE)
    twist = kit.pose_log(kit.Pose(), a)
    assert np.allclose(kit.pose_exp(kit.Pose(), twist).pos, a.pos, atol=TOLERANCE)
    t, w = kit.Twist(angular=[1, 2, 3], linear=[4, 5, 6]), kit.Wrench(torque=[6, 5, 4], force=[3, 2, 1])
    assert kit.power(kit.twist_out(a, t), kit.wrench_out(a, w)) == pytest.approx(kit.power(t, w))
    assert np.allclose(kit.twist_in(a, kit.twist_out(a, t)).linear, t.linear, atol=10 * TOLERANCE)
    assert np.allclose(kit.wrench_in(a, kit.wrench_out(a, w)).torque, w.torque, atol=10 * TOLERANCE)
    box = kit.mass_box([0.1, 0.2, 0.3], 1000)
    both = kit.mass_add(box, kit.mass_move(a, box))
    assert both.mass == pytest.approx(2 * box.mass)
    frame, moments = kit.mass_principal(both)
    assert moments[0] >= moments[1] >= moments[2] and frame.pos[0] == pytest.approx(0.5)
    body = kit.Rigid(twist=kit.Twist(linear=[1, 0, 0]))
    kit.rigid_step(body, box, kit.Wrench(force=[box.mass, 0, 0]), 0.1)
    assert body.twist.linear[0] == pytest.approx(1.1)
    assert kit.rigid_acceleration(body, box, kit.Wrench(force=[0, box.mass, 0])).linear[1] == pytest.approx(1)
    assert kit.mass_momentum(box, body.twist).force[0] == pytest.approx(1.1 * box.mass)


def test_limits_and_motors_and_couplings():
    limit = kit.Limit(lower=-1, upper=1)
    assert kit.limit_row(limit, 0, 0) is None
    row = kit.limit_row(limit, 1.1, 0)
    assert row.distance == pytest.approx(-0.1) and row.sign == -1
    assert kit.limit_force(limit, 1.1, 0, 0, 1) < 0
    force, derivative = kit.motor_force(kit.Motor(mode="position", target=1, stiffness=10, damping=2), 0.5, 1)
    assert force == pytest.approx(3) and list(derivative) == [-10, -2]
    residual, gradient = kit.gear(2, 4, 2)
    assert residual == 0 and list(gradient) == [1, -2]
    assert kit.differential(1, 2, 1, 3)[0] == 0
    residual, gradient = kit.network([[1, 1]], [0.4, 0.7], [1], [[1, 0, 2], [-1, 0, 3]])
    assert residual[0] == pytest.approx(0.1) and list(gradient[0]) == [0, 0, 5]
    residual, gradient = kit.connect(kit.Pose(pos=[1, 0, 0]), [0, 0, 1], kit.Pose(), [1, 0, 1])
    assert np.allclose(residual, 0) and gradient.shape == (3, 12)
    assert kit.coupling_row(0.1, 0).reference < 0


def test_muscle_takes_arrays():
    muscle = kit.muscle_preset("soleus")
    rest = muscle.slack_length + muscle.optimal_length * math.cos(muscle.pennation)
    force = kit.muscle_rigid(muscle, rest + np.linspace(-0.01, 0.01, 5)[:, None], np.zeros(3), 1.0)
    assert force.shape == (5, 3)
    assert force["force"][2, 0] == pytest.approx(kit.muscle_rigid(muscle, rest, 0, 1).force)
    balance = kit.muscle_equilibrium(muscle, rest, [0, 0.5, 1])
    assert (np.diff(balance["force"]) > 0).all()
    value, slope = kit.muscle_active(muscle, [0.9, 1.0, 1.1])
    assert value[1] == 1 and slope[1] == 0 and slope[0] > 0
    assert np.allclose(kit.muscle_active(muscle, kit.muscle_active_inverse(muscle, [0.3, 0.9, 1]))[0], [0.3, 0.9, 1], atol=TOLERANCE)
    assert (kit.muscle_active_inverse(muscle, [0.3, 0.9], longer=True) > 1).all()
    for curve, inverse in (
        (kit.muscle_passive, kit.muscle_passive_inverse),
        (kit.muscle_tendon, kit.muscle_tendon_inverse),
        (kit.muscle_speed, kit.muscle_speed_inverse),
    ):
        assert np.allclose(curve(muscle, inverse(muscle, [0.2, 0.7, 1.1]))[0], [0.2, 0.7, 1.1], rtol=1e-3 if REAL == np.float32 else 1e-9)


def test_muscle_steps_and_antagonists():
    biceps = kit.muscle_preset("biceps")
    state = kit.MuscleState(activation=0, fibre=biceps.optimal_length)
    for _ in range(500):
        force = kit.muscle_step(biceps, state, 1, 0.39, 1e-3)
    assert state.activation == pytest.approx(1, abs=1e-5)
    assert force.force == pytest.approx(kit.muscle_equilibrium(biceps, 0.39, state.activation).force, rel=1e-3)
    assert kit.muscle_elastic(biceps, state, 0.39).force == force.force
    assert kit.muscle_activation_rate(biceps, 1, 0.5) > 0
    group = [kit.Antagonist(muscle=biceps, rest=0.39, arm=arm, weight=weight) for arm, weight in ((0.04, 1), (0.02, 0.5), (-0.04, 1))]
    excitation = kit.antagonists_excite(group, 0.5, 0.1)
    assert np.allclose(excitation, [0.55, 0.275, 0.1], atol=TOLERANCE)
    states = [kit.MuscleState(activation=0, fibre=biceps.optimal_length) for _ in group]
    for _ in range(200):
        torque, stiffness, forces = kit.antagonists_step(group, states, excitation, 0, 1e-3)
    assert torque > 0 and stiffness > 0 and forces[0].force > forces[1].force > forces[2].force
    assert torque == pytest.approx(sum(a.arm * f.force for a, f in zip(group, forces, strict=True)))
    with pytest.raises(ValueError, match="states"):
        kit.antagonists_step(group, states[:2], excitation, 0, 1e-3)


@pytest.mark.parametrize("kind", kit.JOINTS)
def test_a_driven_joint_goes_where_it_is_told(kind):
    joint, motor = kit.Joint(kind=kind), kit.Motor(stiffness=40, damping=20)
    state = kit.joint_state_zero(joint)
    command = kit.joint_command_hold(joint, state)
    assert command.mode == kit.MOTORS.index("position")
    goal = kit.joint_integrate(joint, state.position[: joint.nq], np.linspace(0.3, 0.8, joint.nv))
    command.position[: joint.nq] = goal
    for _ in range(2000):
        force, derivative = kit.joint_drive(joint, motor, state, command)
        kit.joint_state_step(joint, state, force, 2e-3)
    assert np.allclose(kit.joint_difference(joint, state.position[: joint.nq], goal), 0, atol=1e-3)
    assert derivative.shape == (joint.nv, 2) and (derivative == [-40, -20]).all()
    with pytest.raises(ValueError, match="servo"):
        kit.joint_command_hold(joint, state, "brake")


def test_tendon_path():
    path = [
        kit.Station(kind="point", place=kit.Pose(pos=[-1, 0, 0])),
        kit.Station(kind="cylinder", radius=0.5, body=0, has_side=1, side=[0, 1, 0]),
        kit.Station(kind="point", place=kit.Pose(pos=[1, 0, 0]), body=1),
    ]
    length, gradient, points = kit.path_length(path, [kit.Pose(), kit.Pose()])
    # two tangents and the arc between them
    assert length == pytest.approx(2 * math.sqrt(0.75) + 0.5 * (math.pi - 2 * math.acos(0.5)))
    assert len(points) == 4
    twist = kit.Twist(linear=[1, 0, 0])
    assert kit.path_velocity(gradient, [kit.Twist(), twist]) == pytest.approx(math.cos(math.radians(30)))
    jacobian = np.zeros((2, 6, 1))
    jacobian[1, 3, 0] = 1
    assert kit.path_jacobian(gradient, jacobian)[0] == pytest.approx(math.cos(math.radians(30)))
    assert kit.tendon_force(kit.Tendon(rest=[0.5, 0.5], stiffness=10), 0.7, 0) == pytest.approx(-2)
    assert kit.fixed_length([1, -2], [0.5, 0.25]) == 0
    assert kit.tendon_joints([1, 0, -2]) == 2
    with pytest.raises(corten.Error):
        kit.path_check(path[:2], 2)


def test_sensors():
    sensor = kit.sensor_default(3, 0.01)
    sensor.density[:3] = 0.1
    sensor.delay = 2
    truth = np.arange(30.0).reshape(10, 3)
    at_once = kit.sensor_read(sensor, kit.sensor_reset(sensor), truth)
    state = kit.sensor_reset(sensor)
    assert np.array_equal(at_once, [kit.sensor_read(sensor, state, row) for row in truth])
    assert state.step == 10
    sensor.density[:] = 0
    assert np.array_equal(kit.sensor_read(sensor, kit.sensor_reset(sensor), truth)[2:], truth[:-2])
    assert np.allclose(kit.imu(kit.Rigid(), kit.Twist()), [0, 0, 9.81, 0, 0, 0])
    assert list(kit.force_torque(kit.Wrench(force=[0, 0, 1]), kit.Pose(pos=[1, 0, 0]))) == [0, 0, 1, 0, 1, 0]
    assert kit.touch([1, 2, -3], 0.5, 2, 1) == (3, 6, True)
    assert kit.rangefinder(9, 0.1, 5) == -1
    assert list(kit.magnetometer(kit.Pose(), [1, 0, 0])) == [1, 0, 0]
    white = kit.sensor_default(1, 0.01)
    white.density[0] = 0.2
    samples = kit.sensor_read(white, kit.sensor_reset(white), np.zeros((100000, 1)))
    # 100 means of 1000: four standard errors
    assert kit.allan(samples[:, 0], 1000, 0.01) == pytest.approx(0.2 / math.sqrt(10), rel=0.4)
    assert kit.allan(samples[:, 0], 10, 0.01) == pytest.approx(0.2 / math.sqrt(0.1), rel=0.04)


def test_states_of_sensors_can_be_copied_and_pickled():
    sensor = kit.sensor_default(2, 0.01)
    sensor.density[:2], sensor.walk[:2], sensor.delay = 0.1, 0.1, 3
    state = kit.sensor_reset(sensor)
    kit.sensor_read(sensor, state, np.zeros((5, 2)))
    others = [state.copy(), copy.deepcopy(state), pickle.loads(pickle.dumps(state))]
    expected = kit.sensor_read(sensor, state, np.ones((5, 2)))
    for other in others:
        assert np.array_equal(kit.sensor_read(pickle.loads(pickle.dumps(sensor)), other, np.ones((5, 2))), expected)
    with pytest.raises(corten.Error):
        kit.sensor_read(sensor, kit.SensorState(), np.zeros(2))


def test_solver_and_lanes():
    rng = np.random.default_rng(1)
    root = rng.normal(size=(30, 60))
    matrix, b = root @ root.T, rng.normal(size=30)
    x, stats = kit.cg_solve(matrix, b, block=[3] * 10, tolerance=1e-4 if REAL == np.float32 else 1e-10)
    assert stats.converged and np.allclose(matrix @ x, b, atol=1e-2 if REAL == np.float32 else 1e-8)
    points = rng.normal(size=(200, 3)).astype(np.float32)
    which, most = kit.max_dot(points, [1, 2, 3])
    assert which == np.argmax(points.astype(REAL) @ np.array([1, 2, 3], REAL)) and most > 0
    a, c = rng.normal(size=(2, 5, 3, 8)).astype(REAL)
    assert np.allclose(kit.dot8(a, c), (a * c).sum(1), atol=1e-6)
    assert np.allclose(kit.dot4(a[..., :4], c[..., :4]), (a * c).sum(1)[:, :4], atol=1e-6)
    moved = kit.integrate8(a, np.full((5, 8), 2.0), [0, 0, -10], 0.1, c, np.zeros_like(a))
    speed = c + 0.1 * (2 * a + np.array([0, 0, -10])[:, None])
    assert np.allclose(moved[0], speed, atol=1e-6) and np.allclose(moved[1], 0.1 * speed, atol=1e-6)
    forces = kit.normal_force([-0.01, -0.0005, 0.001], 0, [-9.81, -9.81, -9.81], 2.0)
    assert forces[0] > forces[1] > 0 == forces[2] and kit.normal_force(0.1, 0, 0, 1) == 0
    limit = kit.Limit(lower=0)
    assert forces[1] == pytest.approx(kit.limit_force(limit, -0.0005, 0, -9.81, 0.5), rel=1e-4)
    boxes = np.array([[0, 5], [0, 0], [0, 0], [1, 6], [1, 1], [1, 1]], float)
    assert list(kit.box_overlap(boxes, [0.5] * 3, [2] * 3)) == [True, False]


@pytest.mark.parametrize(
    "call",
    [
        lambda: kit.mass_check(kit.Mass(mass=-1)),
        lambda: kit.joint_check(kit.Joint(kind="revolute", axis=[0, 0, 2])),
        lambda: kit.limit_check(kit.Limit(lower=1, upper=0)),
        lambda: kit.motor_check(kit.Motor(mode="position", stiffness=-1)),
        lambda: kit.muscle_check(kit.muscle_default(100, 0, 0.1)),
        lambda: kit.muscle_rigid(kit.muscle_preset("biceps"), math.nan, 0, 1),
        lambda: kit.sensor_check(kit.sensor_default(3, 0)),
        lambda: kit.tendon_force(kit.Tendon(rest=[1, 0]), 1, 0),
        lambda: kit.cg_solve([[-1.0]], [1.0]),
        lambda: kit.joint_state_step(kit.Joint(kind="revolute"), kit.JointState(), [math.nan], 1e-3),
        lambda: kit.antagonists_excite([kit.Antagonist(muscle=kit.muscle_preset("biceps"), rest=0.4)], 0.5, 0),
        lambda: kit.normal_force(0, 0, 0, 1, solref=[math.nan, 1]),
    ],
)
def test_numbers_that_make_no_sense_raise(call):
    with pytest.raises(corten.Error) as caught:
        call()
    assert caught.value.status == corten.Status.ERR_INVALID


def test_wrong_types_and_sizes_raise():
    with pytest.raises(TypeError, match="Pose"):
        kit.pose_inverse(kit.Twist())
    with pytest.raises(ValueError, match="shape"):
        kit.joint_pose(kit.Joint(kind="revolute"), [1, 2])
    with pytest.raises(ValueError):
        kit.Antagonist(muscle=[kit.muscle_preset("biceps")] * 2)
    with pytest.raises(corten.Error):
        kit.cg_solve(np.eye(3), np.ones(3), block=[2])
