"""Derivatives: closed forms, the data left alone, the same bits on any number of threads, what is refused."""

import pathlib

import numpy as np
import pytest

import corten

PENDULUM = """<mujoco><option timestep="0.001"/><worldbody><body pos="0 0 1"><joint axis="0 1 0"/>
  <geom type="sphere" size=".05" pos="0 0 -.5" mass="2"/></body></worldbody><actuator><motor joint="j"/></actuator></mujoco>""".replace("<joint ", '<joint name="j" ')

SCENE = """<mujoco><worldbody><geom type="plane" size="5 5 .1"/>
  <body pos="0 0 .09"><freejoint/><geom type="box" size=".1 .1 .1"/><site name="s"/>
    <body pos=".2 0 0"><joint name="h" axis="0 1 0" damping=".1" limited="true" range="-30 30"/><geom type="capsule" size=".03" fromto="0 0 0 .2 0 0"/></body></body>
  </worldbody><actuator><position joint="h" kp="5"/><general joint="h" dyntype="filter" dynprm=".1"/></actuator>
  <sensor><accelerometer site="s"/><jointpos joint="h"/><jointvel joint="h"/></sensor></mujoco>"""

DOUBLE = corten._core.real == "d"
needs_double = pytest.mark.skipif(not DOUBLE, reason="differences need more digits than float has")


@needs_double
def test_a_pendulum_has_a_closed_form():
    m = corten.Model.from_xml_string(PENDULUM)
    d = corten.Data(m)
    d.qpos[0], d.qvel[0] = 0.4, 0.7
    corten.forward(m, d)
    inertia, h = float(corten.full_mass(m, d)[0, 0]), 0.001
    slope = -2 * 9.81 * 0.5 * np.cos(0.4) / inertia
    A, B, C, D = corten.transition_fd(m, d, 1e-6, True)
    assert A == pytest.approx(np.array([[1 + h * h * slope, h], [h * slope, 1]]), abs=1e-9)
    assert B == pytest.approx(np.array([[h * h / inertia], [h / inertia]]), abs=1e-9)
    assert C.shape == (0, 2) and D.shape == (0, 1)
    fq, fv, fa, *_ = corten.inverse_fd(m, d, 1e-6)
    assert fq[0, 0] == pytest.approx(-slope * inertia, abs=1e-5) and fa[0, 0] == pytest.approx(inertia, abs=1e-8)
    assert fv[0, 0] == pytest.approx(0, abs=1e-8)


def test_the_data_is_not_touched_and_threads_change_nothing():
    m = corten.Model.from_xml_string(SCENE)
    d = corten.Data(m)
    d.ctrl[:] = 0.3
    corten.step(m, d, 40)
    raw = {name: np.array(getattr(d, name)) for name in ("qpos", "qvel", "qacc", "act", "xpos", "M", "efc_force", "sensordata", "time")}
    first = corten.transition_fd(m, d)
    for name, value in raw.items():
        assert np.array_equal(np.array(getattr(d, name)), value), name
    for threads in (2, 3, 0):
        for a, b in zip(first, corten.transition_fd(m, d, threads=threads)):
            assert np.array_equal(a, b)
    for a, b in zip(corten.inverse_fd(m, d), corten.inverse_fd(m, d, threads=3)):
        assert np.array_equal(a, b)


@needs_double
def test_the_matrices_predict_the_next_step():
    m = corten.Model.from_xml_string(SCENE)
    d = corten.Data(m)
    d.ctrl[:] = 0.3
    corten.step(m, d, 40)
    A, B, C, D = corten.transition_fd(m, d, 1e-6, True)
    rng = np.random.default_rng(0)
    dx, du = 1e-6 * rng.normal(size=A.shape[0]), 1e-6 * rng.normal(size=m.nu)
    plain, moved = d.__copy__(), d.__copy__()
    moved.qpos[:] = corten.integrate_pos(m, moved.qpos, dx[: m.nv])
    moved.qvel[:] += dx[m.nv : 2 * m.nv]
    moved.act[:] += dx[2 * m.nv :]
    moved.ctrl[:] += du
    corten.step(m, plain)
    corten.step(m, moved)
    change = np.concatenate([corten.differentiate_pos(m, plain.qpos, moved.qpos, 1.0), moved.qvel - plain.qvel, moved.act - plain.act])
    assert change == pytest.approx(A @ dx + B @ du, abs=1e-3 * np.abs(change).max())
    assert moved.sensordata - plain.sensordata == pytest.approx(C @ dx + D @ du, abs=2e-2 * np.abs(moved.sensordata - plain.sensordata).max())


FLIGHT = """<mujoco><worldbody><geom type="plane" size="5 5 .1"/>
  <body pos="0 0 3" gravcomp="{gravcomp}"><freejoint/><geom type="box" size=".1 .07 .1"/>
    <body pos=".2 0 0"><joint name="h" axis="0 1 0" damping="{damping}" range="-60 60" limited="true"/><geom type="capsule" size=".03" fromto="0 0 0 .2 0 0"/>
      <body pos=".2 0 0"><joint name="k" type="ball" damping="{damping}"/><geom type="capsule" size=".03" fromto="0 0 0 0 .2 0"/></body></body></body>
  <body pos="1 0 3"><freejoint/><geom type="box" size=".05 .1 .2"/></body>
  </worldbody><actuator><position joint="h" kp="5" kv=".4"/><general joint="h" dyntype="filter" dynprm=".1"/></actuator>
  <sensor><jointvel joint="h"/></sensor></mujoco>"""


@needs_double
@pytest.mark.parametrize("integrator", [corten.Integrator.EULER, corten.Integrator.IMPLICIT, corten.Integrator.IMPLICITFAST])
@pytest.mark.parametrize("damping", [0, 0.2])
@pytest.mark.parametrize("around", [False, True])
def test_free_flight_is_what_the_whole_problem_says(integrator, damping, around):
    """With nothing touched the Hessian is left out, unless sensors need the acceleration."""
    m = corten.Model.from_xml_string(FLIGHT.format(damping=damping, gravcomp=0.5 if around else 0))
    m.opt.integrator = integrator
    d = corten.Data(m)
    rng = np.random.default_rng(3)
    d.qvel[:] = rng.normal(size=m.nv)
    d.ctrl[:] = 0.3
    if around:
        d.xfrc_applied[2] = rng.normal(size=6)
    corten.step(m, d, 20)
    assert d.nefc == 0
    free, whole = corten.linearize(m, d, "analytic", sensors=False), corten.linearize(m, d, "analytic", sensors=True)
    assert free.report["active_rows"] == 0
    for a, b in zip(free[:2], whole[:2]):
        assert a == pytest.approx(b, abs=1e-11 * max(1, np.abs(b).max()))
    for a, b in zip(free[:2], corten.transition_fd(m, d, 1e-6, True, sensors=False)[:2]):
        assert a == pytest.approx(b, abs=1e-6 * max(1, np.abs(b).max()))


def by_hand(m, d, eps):
    """A and B by forward differences of whole steps."""

    def after(name=None, i=0):
        e = d.__copy__()
        if name == "qpos":
            e.qpos[:] = corten.integrate_pos(m, e.qpos, eps * np.eye(m.nv)[i])
        elif name:
            getattr(e, name)[i] += eps
        corten.step(m, e)
        return e

    base = after()

    def column(e):
        return np.concatenate([corten.differentiate_pos(m, base.qpos, e.qpos, 1.0), e.qvel - base.qvel, e.act - base.act]) / eps

    states = [column(after(name, i)) for name, n in (("qpos", m.nv), ("qvel", m.nv), ("act", m.na)) for i in range(n)]
    return np.array(states).T, np.array([column(after("ctrl", i)) for i in range(m.nu)]).reshape(m.nu, len(states)).T


def agree_by_hand(m, d, eps, tolerance):
    got = corten.transition_fd(m, d, eps, sensors=False)[:2]
    for a, b in zip(got, by_hand(m, d, eps)):
        assert a == pytest.approx(b, abs=tolerance * np.abs(b).max(initial=1))
    return got


SERVOS = """<mujoco><option integrator="implicitfast"/><worldbody>
  <body><joint name="a" axis="0 1 0" damping=".3" frictionloss=".05"/><geom type="capsule" size=".03" fromto="0 0 0 .3 0 0"/>
    <body pos=".3 0 0"><joint name="b" axis="0 1 0" damping=".2" actuatorfrcrange="-.4 .4"/><geom type="capsule" size=".03" fromto="0 0 0 .3 0 0"/></body></body>
  </worldbody><actuator><position joint="a" kp="20" kv="3" forcerange="-2 2"/><position joint="b" kp="20" kv="3"/></actuator>
  <sensor><jointactuatorfrc joint="a"/></sensor></mujoco>"""


@needs_double
@pytest.mark.parametrize("integrator", [corten.Integrator.EULER, corten.Integrator.IMPLICITFAST])
@pytest.mark.parametrize("ctrl", [(0, 0), (3, 0), (0, 3), (3, 3), (-3, 0.01), "edge"])
def test_columns_share_the_metric_of_their_position_only_where_it_is_the_same(integrator, ctrl):
    m = corten.Model.from_xml_string(SERVOS)
    m.opt.integrator, m.opt.tolerance = integrator, 0
    d = corten.Data(m)
    d.qpos[:], d.qvel[:] = (0.2, -0.1), (0.4, -0.3)
    # at the edge, a nudge of the velocity takes the force of the first servo over its limit, and the damping away
    d.ctrl[:] = ((2 - 5e-7 + 3 * 0.4) / 20 + 0.2, 0) if ctrl == "edge" else ctrl
    eps = 1e-6
    A, B = agree_by_hand(m, d, eps, 2e-7)
    whole = corten.transition_fd(m, d, eps)
    for a, b in zip((A, B), whole):
        assert a == pytest.approx(b, abs=1e-8 * np.abs(b).max())
    for a, b in zip((A, B), corten.transition_fd(m, d, eps, sensors=False, threads=3)):
        assert np.array_equal(a, b)


@needs_double
@pytest.mark.parametrize("gap", [0.5, 1e-3, 5e-7, -1e-3])
@pytest.mark.parametrize("far", [0, 1e4])
@pytest.mark.parametrize("integrator", ["Euler", "RK4"])
def test_meshes_that_a_nudge_brings_together_are_looked_at(gap, far, integrator):
    """Searches among meshes that are far apart are left out; what a nudge can reach is not."""
    # octahedra, a corner over a face, whose boxes overlap
    mesh = '<mesh name="m" vertex=".1 0 0 -.1 0 0 0 .1 0 0 -.1 0 0 0 .1 0 0 -.1"/>'
    beside = -(0.1 / 3**0.5 + 0.1 + gap) / 3**0.5
    m = corten.Model.from_xml_string(f"""<mujoco><option tolerance="0" iterations="50" ccd_tolerance="1e-12" gravity="0 0 0" integrator="{integrator}"/><asset>{mesh}</asset><worldbody>
      <body pos="{far} 0 0"><geom type="mesh" mesh="m"/></body>
      <body pos="{far} 0 0"><joint type="slide" axis="1 1 1"/><joint axis="0 0 1"/><geom type="mesh" mesh="m" pos="{beside} {beside} {beside}" zaxis="1 1 1"/></body>
      </worldbody></mujoco>""")
    d, eps = corten.Data(m), 1e-6
    d.qvel[0] = 1 if integrator == "RK4" else 0  # within the step it comes 1e-3 closer, which RK4 sees
    A = agree_by_hand(m, d, eps, 1e-6)[0]
    assert (abs(A[2, 0]) > 0.1) == (gap < (0.01 if integrator == "RK4" else 1e-6))  # it meets the other mesh


@needs_double
@pytest.mark.parametrize("integrator", list(corten.Integrator))
@pytest.mark.parametrize("touches", [False, True])
def test_every_integrator_has_the_differences_of_its_whole_steps(integrator, touches):
    m = corten.Model.from_xml_string(SCENE)
    m.opt.integrator, m.opt.tolerance, m.opt.iterations = integrator, 0, 50
    d = corten.Data(m)
    d.qpos[2] += 0 if touches else 1
    d.qvel[3:] = (1, 2, 3, -4)
    d.ctrl[:] = 0.3
    corten.step(m, d, 3)
    assert (d.ncon > 0) == touches
    agree_by_hand(m, d, 1e-6, 1e-5)


# Contacts of several kinds, both cones, integrators with an implicit part, tendons, wraps, fluids, equalities.
ANALYTIC = ["humanoid", "constraint/mixed", "constraint/equality", "constraint/limits", "sensors/contacts", "smooth/wrap_sphere",
            "smooth/wrap_cylinder", "smooth/tendon_pulley", "smooth/fluid_ellipsoid", "smooth/actuator_muscle", "chain", "springs"]
IMPLICIT = ["smooth/orientation", "smooth/integrator_implicit", "smooth/integrator_implicitfast", "smooth/transmission_tendon"]
INTEGRATORS = [corten.Integrator.EULER, corten.Integrator.IMPLICIT, corten.Integrator.IMPLICITFAST]


def shaken(name, cone=None, integrator=None, steps=150):
    root = pathlib.Path(__file__).resolve().parents[2]
    path = root / "models" / "humanoid.xml" if name == "humanoid" else root / "tests" / "models" / f"{name}.xml"
    m = corten.Model.from_xml_path(str(path))
    m.opt.tolerance, m.opt.iterations, m.opt.ccd_tolerance = 0, 50, 1e-12
    if cone is not None:
        m.opt.cone = cone
    if integrator is not None:
        m.opt.integrator = integrator
    d, rng = corten.Data(m), np.random.default_rng(2)
    for _ in range(steps):
        d.ctrl[:] = 0.3 * rng.normal(size=m.nu)
        corten.step(m, d)
    return m, d


def agree(got, expected, tolerance):
    for letter, a, b in zip("ABCD", expected, got):
        if a is not None and a.size:
            assert np.abs(a - b).max() <= tolerance * max(1, np.abs(a).max()), (letter, np.abs(a - b).max())


@needs_double
@pytest.mark.parametrize("name", ANALYTIC + IMPLICIT)
@pytest.mark.parametrize("cone", list(corten.Cone))
def test_linearize_is_what_centred_differences_say(name, cone):
    m, d = shaken(name, cone)
    sensors = name != "sensors/contacts"  # which sort contacts: they jump
    expected, got = corten.transition_fd(m, d, 1e-6, True, sensors=sensors), corten.linearize(m, d, sensors=sensors)
    assert got.method == ("analytic" if name in ANALYTIC else "implicit")
    assert (got.reason is None) == (name in ANALYTIC)
    agree(got, expected, 1e-5)
    agree(corten.linearize(m, d, "implicit", sensors=sensors), expected, 1e-5)
    for a, b in zip(got, corten.linearize(m, d, sensors=sensors, threads=3)):
        assert np.array_equal(a, b)


@needs_double
@pytest.mark.parametrize("name", ["humanoid", "chain", "constraint/mixed", "sensors/contacts"])
@pytest.mark.parametrize("integrator", INTEGRATORS)
def test_closed_forms_follow_the_integrator(name, integrator):
    m, d = shaken(name, integrator=integrator)
    got = corten.linearize(m, d, "analytic", sensors=False)
    agree(got, corten.transition_fd(m, d, 1e-7, True, sensors=False), 1e-6)


PAIRS = {
    "plane sphere": ('type="plane" size="1 1 1"', 'type="sphere" size=".1"', ".09"),
    "plane capsule": ('type="plane" size="1 1 1"', 'type="capsule" size=".1 .2" euler="80 20 0"', ".12"),
    "plane box": ('type="plane" size="1 1 1"', 'type="box" size=".1 .15 .1" euler="20 30 0"', ".16"),
    "sphere sphere": ('type="sphere" size=".2"', 'type="sphere" size=".1" pos=".05 .08 0"', ".27"),
    "sphere capsule": ('type="sphere" size=".2"', 'type="capsule" size=".1 .3" euler="70 20 0"', ".28"),
    "capsule capsule": ('type="capsule" size=".1 .4" euler="90 20 0"', 'type="capsule" size=".1 .4" euler="0 80 10"', ".19"),
    "capsule end": ('type="capsule" size=".1 .2" euler="10 20 0"', 'type="capsule" size=".1 .4" euler="0 80 10" pos=".1 0 0"', ".38"),
    "sphere box face": ('type="sphere" size=".2"', 'type="box" size=".3 .3 .1" euler="10 8 0"', ".28"),
    "sphere box edge": ('type="sphere" size=".2"', 'type="box" size=".2 .5 .2" euler="3 45 0"', ".45"),
    "sphere box corner": ('type="sphere" size=".2"', 'type="box" size=".2 .2 .2" euler="45 35 0"', ".5"),
    "sphere in box": ('type="sphere" size=".05"', 'type="box" size=".3 .3 .3" euler="5 8 0"', ".28"),
    "capsule box": ('type="capsule" size=".1 .4" euler="90 20 0"', 'type="box" size=".2 .3 .1" euler="5 8 3"', ".19"),
    "capsule end box": ('type="capsule" size=".1 .2" euler="10 20 0"', 'type="box" size=".4 .3 .1" euler="5 8 3"', ".36"),
    "capsule box edge": ('type="capsule" size=".1 .3" euler="90 20 0"', 'type="box" size=".2 .3 .2" euler="3 45 10"', ".35"),
    "capsule box corner": ('type="capsule" size=".1 .4" euler="90 20 0"', 'type="box" size=".2 .2 .2" euler="45 35 0"', ".4"),
    "box box": ('type="box" size=".4 .4 .1"', 'type="box" size=".2 .2 .1" euler="4 3 20"', ".2"),
    "box over box": ('type="box" size=".2 .2 .1" euler="4 3 20"', 'type="box" size=".4 .4 .1"', ".2"),
    "box across box": ('type="box" size=".4 .2 .1"', 'type="box" size=".2 .4 .1" euler="1 .7 10"', ".194"),
    "box box edges": ('type="box" size=".4 .1 .1" euler="45 0 0"', 'type="box" size=".1 .4 .1" euler="0 45 20"', ".27"),
    "ellipsoid box": ('type="ellipsoid" size=".2 .3 .15"', 'type="box" size=".2 .3 .1" euler="5 8 3"', ".24"),
    "cylinder plane": ('type="plane" size="1 1 1"', 'type="cylinder" size=".1 .1" euler="30 10 0"', ".12"),
}
DIFFERENCED = {"ellipsoid box", "cylinder plane"}


@needs_double
@pytest.mark.parametrize("pair", PAIRS)
@pytest.mark.parametrize("cone", list(corten.Cone))
@pytest.mark.parametrize("condim", [1, 3, 4, 6])
def test_contacts_of_every_pair_have_their_derivative(pair, cone, condim):
    first, second, height = PAIRS[pair]
    if "plane" in pair:
        bodies = f'<geom {first}/><body pos="0 0 {height}"><freejoint/><geom {second}/></body>'
    else:
        # joints below both, and below each
        bodies = f"""<body><joint type="slide" axis="1 2 3"/><joint axis="1 1 0" pos="0 0 -.5"/><inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/>
          <body><joint axis="1 .2 0"/><joint axis="0 1 .3" pos=".1 .2 .3"/><geom {first}/></body>
          <body pos="0 0 {height}"><joint type="slide" axis="0 0 1"/><joint type="slide" axis="1 0 0"/><joint type="ball" pos="0 .1 .2"/><geom {second}/></body></body>"""
    m = corten.Model.from_xml_string(f"""<mujoco><option cone="{cone.name.lower()}" tolerance="0" iterations="50" ccd_tolerance="1e-12"/>
      <default><geom condim="{condim}" friction=".7 .02 .01" margin=".002"/></default><worldbody>{bodies}</worldbody></mujoco>""")
    d = corten.Data(m)
    d.qvel[:] = np.random.default_rng(1).normal(size=m.nv) * 0.3
    corten.forward(m, d)
    got = corten.linearize(m, d, "analytic")
    assert got.report["contacts"] >= 1
    assert got.report["contacts_by_differences"] == (got.report["contacts"] if pair in DIFFERENCED else 0)
    agree(got, corten.transition_fd(m, d, 1e-7, True), 2e-6)


@needs_double
def test_boxes_that_lie_on_each_other_have_the_derivative_of_one_side():
    m = corten.Model.from_xml_string("""<mujoco><option tolerance="0" iterations="50"/><worldbody><geom type="box" size=".3 .3 .1"/>
      <body pos="0 0 .199"><freejoint/><geom type="box" size=".2 .1 .1"/></body></worldbody></mujoco>""")
    d = corten.Data(m)
    got = corten.linearize(m, d, "analytic")
    assert got.report["contacts"] == 4 and got.report["contacts_by_differences"] == 0 and got.report["switching"] == 4
    # lifting and shifting keep the features
    fd = corten.transition_fd(m, d, 1e-8, True)
    for k in range(3):
        assert got.A[:, k] == pytest.approx(fd[0][:, k], abs=1e-5 * np.abs(fd[0]).max()), k


FORCES = """<mujoco><option tolerance="0" iterations="50" wind="1 .5 0" density="100" viscosity=".2"/><worldbody>
  <body name="hand" mocap="true" pos=".3 0 .9"><geom size=".05" contype="0" conaffinity="0"/></body>
  <body name="a" pos="0 0 1" gravcomp=".7"><joint type="ball" damping=".2" stiffness="2"/><geom type="box" size=".1 .2 .3"/>
    <body name="b" pos=".2 0 0" gravcomp="1.2"><joint axis="0 1 1" name="h" actuatorgravcomp="true"/><geom type="capsule" size=".05 .2"/></body></body>
  <body name="c" pos="1 0 1"><freejoint/><geom type="ellipsoid" size=".1 .2 .15" fluidshape="ellipsoid"/></body></worldbody>
  <equality><weld body1="hand" body2="b" solref=".1 1"/><connect body1="a" body2="c" anchor=".5 0 0" solref=".2 1"/></equality><actuator><motor joint="h"/></actuator></mujoco>"""


@needs_double
def test_forces_from_outside_welds_and_winds_have_closed_forms():
    m = corten.Model.from_xml_string(FORCES)
    d, rng = corten.Data(m), np.random.default_rng(0)
    d.xfrc_applied[:] = rng.normal(size=d.xfrc_applied.shape)
    d.qfrc_applied[:] = rng.normal(size=m.nv)
    corten.step(m, d, 50)
    d.qvel[:] += 0.3 * rng.normal(size=m.nv)
    agree(corten.linearize(m, d, "analytic"), corten.transition_fd(m, d, 1e-7, True), 1e-6)
    corten.forward(m, d)
    with pytest.raises(corten.Error, match="gravity compensation by actuators"):
        corten.inverse_derivative(m, d)


@needs_double
@pytest.mark.parametrize("jacobian", [0, 1])
@pytest.mark.parametrize("solver", list(corten.Solver))
def test_closed_forms_do_not_mind_the_solver(jacobian, solver):
    m, d = shaken("constraint/mixed", steps=60)
    m.opt.jacobian = jacobian
    corten.forward(m, d)
    d.qacc_warmstart[:] = d.qacc
    expected = corten.transition_fd(m, d, 1e-7, True)
    m.opt.solver, m.opt.iterations = solver, 3000
    agree(corten.linearize(m, d, "analytic"), expected, 1e-6)


INSTRUMENTS = """<mujoco><option magnetic=".3 .2 -.5" tolerance="0" iterations="50"/><worldbody><geom type="plane" size="5 5 .1"/><site name="w" pos=".2 .3 .1" euler="10 20 30"/>
  <body name="a" pos="0 0 .12"><freejoint/><geom type="box" size=".2 .15 .1"/><site name="s" pos=".05 .02 .03" euler="20 40 10"/><camera name="c" pos=".1 0 .2" euler="5 6 7"/>
    <body name="b" pos=".2 0 .1"><joint name="h" axis="0 1 .2" damping=".1"/><geom name="g" type="capsule" size=".03" fromto="0 0 0 .2 0 .1"/><site name="t" pos=".1 0 .05" euler="5 5 50"/>
      <body name="e" pos=".2 0 .1"><joint name="ball" type="ball"/><geom type="box" size=".05 .04 .03" pos=".05 0 0"/><site name="u" pos=".05 0 .01"/></body></body></body>
  <body name="f" pos="1 0 .5"><joint name="sl" type="slide" axis="1 0 1"/><joint name="h2" axis="0 0 1"/><geom size=".1" pos=".1 0 0"/><site name="v" pos=".1 .1 0"/></body></worldbody>
  <tendon><spatial name="ten" stiffness="3"><site site="t"/><site site="v"/></spatial><fixed name="fix"><joint joint="h" coef="1"/><joint joint="sl" coef="-.5"/></fixed></tendon>
  <actuator><position name="p" joint="h" kp="5" kv=".2"/><general name="q" joint="sl" dyntype="filter" dynprm=".1" gainprm="2"/>{more}</actuator>
  <sensor>{sensors}</sensor></mujoco>"""
PLAIN = ['accelerometer site="u"', 'velocimeter site="u"', 'gyro site="u"', 'magnetometer site="u"', 'jointpos joint="h"', 'jointvel joint="sl"', 'tendonpos tendon="ten"',
         'tendonvel tendon="ten"', 'tendonvel tendon="fix"', 'actuatorpos actuator="p"', 'actuatorvel actuator="p"', 'actuatorfrc actuator="p"', 'actuatorfrc actuator="q"',
         'ballquat joint="ball"', 'ballangvel joint="ball"', 'subtreecom body="a"', 'subtreecom body="b"', 'subtreecom body="e"', "clock"]  # fmt: skip
OF_MUSCLES = ['actuatorpos actuator="mu"', 'actuatorvel actuator="mu"', 'actuatorfrc actuator="mu"', 'tendonactuatorfrc tendon="ten"', 'actuatorvel actuator="sa"', 'actuatorfrc actuator="sa"']
OBJECTS = ['body" objname="e', 'xbody" objname="e', 'site" objname="t', 'geom" objname="g', 'camera" objname="c']
REFERENCES = [None, 'site" refname="v', 'site" refname="s', 'xbody" refname="b', 'site" refname="w']


@needs_double
@pytest.mark.parametrize("muscles", [False, True])
def test_sensors_have_closed_forms(muscles):
    sensors = PLAIN + (OF_MUSCLES if muscles else ['jointactuatorfrc joint="h"', 'jointactuatorfrc joint="sl"'])
    for kind in ("framepos", "framequat", "framexaxis", "frameyaxis", "framezaxis", "framelinvel", "frameangvel", "framelinacc", "frameangacc"):
        for thing in OBJECTS:
            for ref in REFERENCES if "acc" not in kind else [None]:
                sensors.append(f'{kind} objtype="{thing}"' + (f' reftype="{ref}"' if ref else ""))
    more = """<muscle name="mu" tendon="ten" lengthrange=".3 1.5" force="5"/>
      <general name="sa" site="u" gear="1 .5 .2 .1 .3 .2" biastype="affine" biasprm="0 0 -.3"/>""" if muscles else ""
    m = corten.Model.from_xml_string(INSTRUMENTS.format(sensors="".join(f"<{x}/>" for x in sensors), more=more))
    d, rng = corten.Data(m), np.random.default_rng(1)
    for _ in range(30):
        d.ctrl[:] = 0.3 * rng.normal(size=m.nu)
        corten.step(m, d)
    d.qvel[:] += 0.3 * rng.normal(size=m.nv)
    got, expected = corten.linearize(m, d, "analytic"), corten.transition_fd(m, d, 1e-7, True)
    assert got.report["sensors_by_differences"] is False
    assert corten.linearize(m, d, "implicit").report["sensors_by_differences"] is True
    corten.forward(m, d)
    exact = corten.inverse_derivative(m, d, True, sensors=True)[3:]
    coarse, fine = (corten.inverse_fd(m, d, eps, True, mass=False)[3:6] for eps in (2e-6, 1e-6))
    for a, b, c in zip(exact, coarse, fine):
        assert np.abs(a - (2 * c - b)).max() <= 2e-6 * max(1, np.abs(a).max())
    for i, text in enumerate(sensors):
        rows = slice(m.sensor_adr[i], m.sensor_adr[i] + m.sensor_dim[i])
        for a, b in zip(got[2:], expected[2:]):
            assert np.abs(a[rows] - b[rows]).max() <= 2e-6 * max(1, np.abs(b[rows]).max()), text


@needs_double
def test_a_check_tells_how_far_differences_are():
    m = corten.Model.from_xml_string(SCENE)
    m.opt.tolerance, m.opt.iterations = 0, 50
    d = corten.Data(m)
    d.ctrl[:] = 0.3
    corten.step(m, d, 40)
    before = bytes(memoryview(d._block))
    errors = corten.check_derivatives(m, d, sizes=[1e-4, 1e-5, 1e-6])
    assert bytes(memoryview(d._block)) == before
    assert [e.eps for e in errors] == [1e-4, 1e-5, 1e-6]
    got = corten.linearize(m, d)
    for e in errors:
        for centered, said in ((True, e.centered), (False, e.forward)):
            fd = corten.transition_fd(m, d, e.eps, centered)
            assert said == pytest.approx(max(np.abs(a - b).max(initial=0) / max(1, np.abs(a).max(initial=0)) for a, b in zip(got, fd)))
        assert " by " in e.worst and ("joint " in e.worst or "sensor " in e.worst)
    assert errors[2].centered < errors[1].centered < errors[0].centered and errors[2].centered < errors[2].forward
    for bad in (0.0, -1.0, float("nan")):
        with pytest.raises(corten.Error, match="eps must be positive"):
            corten.check_derivatives(m, d, sizes=[1e-6, bad])
    with pytest.raises(ValueError, match="method must be"):
        corten.check_derivatives(m, d, "exact")
    assert corten.check_derivatives(m, d, sizes=[]) == []


def test_a_check_names_what_a_number_belongs_to():
    # large differences of a pendulum are off by the curvature of its gravity
    m = corten.Model.from_xml_string("""<mujoco><worldbody><body><joint name="hip" axis="0 1 0"/><geom size=".1" pos="0 0 -.5"/></body></worldbody>
      <actuator><general name="pump" joint="hip" dyntype="integrator" gainprm="3"/></actuator><sensor><jointpos name="angle" joint="hip"/></sensor></mujoco>""")
    d = corten.Data(m)
    d.qpos[0] = 0.7
    (error,) = corten.check_derivatives(m, d, sizes=[0.3])
    assert error.worst == "qvel of joint hip by qpos of joint hip"


def test_linearize_says_how():
    m = corten.Model.from_xml_string(SCENE)
    d = corten.Data(m)
    corten.step(m, d, 40)
    got = corten.linearize(m, d)
    assert got.method == "analytic" and got.reason is None and not got.report["sensors_by_differences"]
    assert got.report["contacts"] == 4 and got.report["contacts_by_differences"] == 0 and got.report["active_rows"] >= 4
    assert corten.linearize(m, d, sensors=False).report["sensors_by_differences"] is False
    assert corten.linearize(m, d, "implicit").method == "implicit"
    assert corten.linearize(m, d, "fd").method == "fd"
    m.opt.enableflags = int(corten.EnableBit.DIAGEXACT)
    got = corten.linearize(m, d)
    assert got.method == "implicit" and got.reason == "the flag diagexact"
    with pytest.raises(corten.Error, match="because of the flag diagexact"):
        corten.linearize(m, d, "analytic")
    m.opt.enableflags = 0
    m.opt.integrator = corten.Integrator.RK4
    got = corten.linearize(m, d)
    assert got.method == "fd" and got.reason == "the integrator"
    for method in ("analytic", "implicit"):
        with pytest.raises(corten.Error, match="because of the integrator"):
            corten.linearize(m, d, method)
    with pytest.raises(ValueError, match="method must be"):
        corten.linearize(m, d, "exact")


def test_the_report_counts_rows_at_an_edge():
    # a slider in its stop, and one that just touches it
    text = """<mujoco><option gravity="0 0 0"/><worldbody>{}<body><joint type="slide" axis="1 0 0" range="-1 1" limited="true"/><geom size=".1" contype="0" conaffinity="0"/></body>
      <body><joint type="slide" axis="1 0 0" range="-1 1" limited="true" margin=".1"/><geom size=".1" contype="0" conaffinity="0"/></body></worldbody></mujoco>"""
    m = corten.Model.from_xml_string(text.format(""))
    d = corten.Data(m)
    d.qpos[:] = [1.01, 0.5]
    assert corten.linearize(m, d).report["edges"] == 0
    d.qpos[1] = 0.9 + 1e-12
    got = corten.linearize(m, d).report
    assert got["active_rows"] == 2 and got["edges"] == 1


def test_linearize_leaves_the_data_alone():
    m = corten.Model.from_xml_string(SCENE)
    d = corten.Data(m)
    d.ctrl[:] = 0.3
    corten.step(m, d, 40)
    before = bytes(memoryview(d._block))
    for method in ("analytic", "implicit", "fd"):
        corten.linearize(m, d, method)
        assert bytes(memoryview(d._block)) == before, method
    corten.inverse_derivative(m, d)
    corten.Rollout(m, d, steps=3).vjp(np.ones((4, 2 * m.nv + m.na)))
    assert bytes(memoryview(d._block)) == before


@needs_double
@pytest.mark.parametrize("name", ["humanoid", "chain", "constraint/mixed", "constraint/equality", "smooth/tendon_pulley", "smooth/actuator_muscle"])
@pytest.mark.parametrize("actuation", [False, True])
def test_inverse_derivatives_are_what_differences_say(name, actuation):
    m, d = shaken(name)
    corten.forward(m, d)
    exact = corten.inverse_derivative(m, d, actuation)
    # forward differences of two sizes: what is left after Richardson
    coarse, fine = (corten.inverse_fd(m, d, eps, actuation, sensors=False, mass=False)[:3] for eps in (2e-7, 1e-7))
    for a, b, c in zip(exact, coarse, fine):
        assert np.abs(a - (2 * c - b)).max() <= 2e-6 * max(1, np.abs(a).max())


def test_states_and_batches_have_the_same_bits_on_any_threads():
    m = corten.Model.from_xml_string(SCENE)
    with corten.Batch(m, 7, "cpu") as batch:
        batch.ctrl[:] = np.random.default_rng(0).normal(size=(7, m.nu))
        batch.step(30)
        one = corten.linearize_batch(batch, sensors=True, threads=1)
        three = corten.linearize_batch(batch, sensors=True, threads=3)
        for i, (a, b) in enumerate(zip(one, three)):
            d = corten.Data(m)
            corten.set_state(m, d, batch.get("state", [i])[0])
            for x, y, z in zip(a, b, corten.linearize(m, d)):
                assert np.array_equal(x, y) and np.array_equal(x, z)
        batch.vary("body_mass")
        with pytest.raises(ValueError, match="body_mass of their own"):
            corten.linearize_batch(batch)


# a sensor that is read every other step keeps its last value, which is no part of the state
SLOW_SENSOR = SCENE.replace('<jointvel joint="h"/>', '<jointvel joint="h" interval=".004"/>')


@needs_double
@pytest.mark.parametrize("xml", [SCENE, SLOW_SENSOR])
@pytest.mark.parametrize("centered", [False, True])
def test_a_batch_takes_the_steps_of_its_own_differences(xml, centered):
    m = corten.Model.from_xml_string(xml)
    m.opt.tolerance, m.opt.iterations = 0, 50
    m.actuator_ctrllimited[0], m.actuator_ctrlrange[0] = True, (-1, 1)
    with corten.Batch(m, 4, "cpu", threads=2) as batch, corten.Batch(m, 4, "cpu", threads=1) as other:
        for b in (batch, other):
            b.output("xpos", "sensordata")
            b.ctrl[:] = [(0.3, 0), (-0.4, 0.1), (1, 0), (1.5, 0)]  # at a limit one side is left, beyond it none
            b.step(30)
        before = batch.save()
        got = corten.transition_fd_batch(batch, 1e-6, centered, sensors=True)
        assert batch.save() == before
        for a, b in zip(got, corten.transition_fd_batch(other, 1e-6, centered, sensors=True)):
            assert np.array_equal(a, b)
        assert not got[1][3, :, 0].any() and got[1][2, :, 0].any()
        for i in range(batch.nworld):
            d = batch.data(i)
            for a, b in zip(got, corten.transition_fd(m, d, 1e-6, centered)):
                assert a[i] == pytest.approx(b, abs=1e-8 * max(1, np.abs(b).max()))


@needs_double
def test_worlds_with_values_of_their_own_have_their_own_differences():
    m = corten.Model.from_xml_string(PENDULUM)
    with corten.Batch(m, 2, "cpu") as batch:
        batch.vary("dof_damping")
        batch.set("dof_damping", [[0.0], [0.5]])
        batch.qpos[:] = 0.4
        A = corten.transition_fd_batch(batch, centered=True)[0]
        for i, damping in enumerate((0.0, 0.5)):
            m.dof_damping[0] = damping
            d = corten.Data(m)
            d.qpos[0] = 0.4
            assert A[i] == pytest.approx(corten.transition_fd(m, d, centered=True)[0], abs=1e-9)


def test_differences_by_a_batch_refuse_what_cannot_be():
    m = corten.Model.from_xml_string(SCENE)
    with corten.Batch(m, 2, "cpu") as batch:
        batch.step(3)
        for eps in (-1.0, float("nan"), float("inf")):
            with pytest.raises(corten.Error, match="eps must be positive"):
                corten.transition_fd_batch(batch, eps)
        before = batch.save()
        batch.qvel[1, 2] = float("nan")
        with pytest.raises(corten.Error, match="world 1: a number of its state is not finite"):
            corten.transition_fd_batch(batch)
        batch.qvel[1, 2] = 1e12
        broken = batch.save()
        with pytest.raises(corten.Error, match="world 1: a nudged step met trouble"):
            corten.transition_fd_batch(batch)
        assert batch.save() == broken
        batch.restore(before)
        m.opt.enableflags |= int(corten.EnableBit.SLEEP)
        with pytest.raises(corten.Error, match="sleep"):
            corten.transition_fd_batch(batch)
    m.opt.enableflags = 0
    with pytest.raises(ValueError, match="closed"):
        corten.transition_fd_batch(batch)


@needs_double
def test_a_rollout_has_its_gradient():
    m = corten.Model.from_xml_string(SCENE)
    m.opt.tolerance, m.opt.iterations = 0, 50
    d, rng, steps = corten.Data(m), np.random.default_rng(3), 12
    corten.step(m, d, 40)
    ctrl = 0.3 * rng.normal(size=(steps, m.nu))
    base = corten.Rollout(m, d, ctrl)
    nx = 2 * m.nv + m.na
    by_state, by_sensor = rng.normal(size=(steps + 1, nx)), 1e-3 * rng.normal(size=(steps, m.nsensordata))

    def number(start, controls):
        from_here = d.__copy__()
        from_here.qpos[:] = corten.integrate_pos(m, d.qpos, start[: m.nv])
        from_here.qvel[:] += start[m.nv : 2 * m.nv]
        from_here.act[:] += start[2 * m.nv :]
        there, total = corten.Rollout(m, from_here, controls), 0.0
        for t in range(steps + 1):
            dx = np.concatenate([corten.differentiate_pos(m, base.qpos[t], there.qpos[t], 1.0), there.qvel[t] - base.qvel[t], there.act[t] - base.act[t]])
            total += by_state[t] @ dx
        for t in range(steps):
            corten.set_state(m, from_here, there.states[t])
            corten.forward(m, from_here)
            total += by_sensor[t] @ from_here.sensordata
        return total

    start, controls = base.vjp(by_state, by_sensor)
    for t, k in ((0, 0), (5, 1), (steps - 1, 0)):
        nudge = np.zeros_like(ctrl)
        nudge[t, k] = 1e-6
        slope = (number(np.zeros(nx), ctrl + nudge) - number(np.zeros(nx), ctrl - nudge)) / 2e-6
        assert controls[t, k] == pytest.approx(slope, rel=1e-5, abs=1e-6)
    for k in range(nx):
        nudge = np.zeros(nx)
        nudge[k] = 1e-7
        slope = (number(nudge, ctrl) - number(-nudge, ctrl)) / 2e-7
        assert start[k] == pytest.approx(slope, rel=1e-4, abs=1e-5 * np.abs(start).max())
    for threads in (2, 3):
        other = corten.Rollout(m, d, ctrl, threads=threads)
        for a, b in zip((start, controls), other.vjp(by_state, by_sensor)):
            assert np.array_equal(a, b)


def test_what_is_refused():
    m = corten.Model.from_xml_string(SCENE)
    d = corten.Data(m)
    for eps in (-1e-6, float("nan"), float("inf")):
        with pytest.raises(corten.Error, match="eps must be positive"):
            corten.transition_fd(m, d, eps)
    d.qvel[0] = float("nan")
    with pytest.raises(corten.Error, match="not finite"):
        corten.transition_fd(m, d)
    d.qvel[0] = 0
    m.opt.noslip_iterations = 3
    with pytest.raises(corten.Error, match="noslip"):
        corten.inverse_fd(m, d)
    m.opt.noslip_iterations = 0
    m.opt.enableflags = int(corten.EnableBit.SLEEP)
    with pytest.raises(corten.Error, match="sleep flag"):
        corten.transition_fd(m, d)


def test_every_call_refuses_bad_input_and_leaves_the_data():
    m = corten.Model.from_xml_string(SCENE)
    d = corten.Data(m)
    corten.step(m, d, 5)
    nx = 2 * m.nv + m.na
    calls = [lambda: corten.linearize(m, d), lambda: corten.transition_fd(m, d), lambda: corten.inverse_fd(m, d),
             lambda: corten.inverse_derivative(m, d), lambda: corten.Rollout(m, d, steps=2)]  # fmt: skip
    for field in ("qpos", "qvel", "act", "ctrl"):
        for bad in (float("nan"), float("inf")):
            kept = getattr(d, field)[0]
            getattr(d, field)[0] = bad
            before = bytes(memoryview(d._block))
            for call in calls:
                with pytest.raises(corten.Error, match="not finite"):
                    call()
            assert bytes(memoryview(d._block)) == before
            getattr(d, field)[0] = kept
    d.qacc[0] = float("nan")
    with pytest.raises(corten.Error, match="qacc is not finite"):
        corten.inverse_derivative(m, d)
    d.qacc[0] = 0
    for eps in (-1.0, float("nan"), float("inf")):
        for call in (corten.linearize, corten.transition_fd, corten.inverse_fd):
            with pytest.raises(corten.Error, match="eps must be positive"):
                call(m, d, eps=eps)
    other = corten.Data(corten.Model.from_xml_string(PENDULUM))
    with pytest.raises((ValueError, corten.Error)):
        corten.linearize(m, other)
    with pytest.raises(ValueError, match="shape"):
        corten.Rollout(m, d, np.zeros((3, m.nu + 1)))
    with pytest.raises(ValueError, match="ctrl or steps"):
        corten.Rollout(m, d)
    rollout = corten.Rollout(m, d, steps=2)
    with pytest.raises(ValueError, match="shape"):
        rollout.vjp(np.zeros((2, nx)))
    with pytest.raises(ValueError, match="shape"):
        rollout.vjp(np.zeros((3, nx)), np.zeros((2, 1)))
    with pytest.raises(ValueError, match="expected"):
        corten.linearize_states(m, np.zeros((2, 3)))
    states = np.array(rollout.states)
    states[1, 3] = float("nan")
    with pytest.raises(corten.Error, match="state 1: .*not finite"):
        corten.linearize_states(m, states)
    with pytest.raises(ValueError, match="matrix 0: expected"):
        corten._core.derive(m, d, 2, 1e-6, True, 1, (np.zeros(3), None, None, None), 0)
    with pytest.raises(corten.Error, match="there is no method 9"):
        corten._core.derive(m, d, 2, 1e-6, True, 1, (None, None, None, None), 9)
