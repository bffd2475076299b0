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


@pytest.mark.parametrize("integrator", list(corten.Integrator))
def test_every_integrator(integrator):
    m = corten.Model.from_xml_string(SCENE)
    if integrator == corten.Integrator.DISCRETE:
        pytest.skip("not supported yet")
    m.opt.integrator = integrator
    d = corten.Data(m)
    corten.step(m, d, 5)
    assert all(np.isfinite(x).all() for x in corten.transition_fd(m, d))


# Contacts of several kinds, both cones, all solvers, integrators with an implicit part.
MODELS = ["humanoid", "constraint/mixed", "constraint/equality", "constraint/limits", "smooth/integrator_implicit",
          "smooth/integrator_implicitfast", "smooth/orientation", "smooth/fluid_ellipsoid", "smooth/transmission_tendon", "chain"]


@needs_double
@pytest.mark.parametrize("name", MODELS)
@pytest.mark.parametrize("cone", list(corten.Cone))
def test_linearize_is_what_centred_differences_say(name, cone):
    root = pathlib.Path(__file__).resolve().parents[2]
    path = root / "models" / "humanoid.xml" if name == "humanoid" else root / "tests" / "models" / f"{name}.xml"
    m = corten.Model.from_xml_path(str(path))
    m.opt.cone, m.opt.tolerance, m.opt.iterations = cone, 0, 50
    d, rng = corten.Data(m), np.random.default_rng(2)
    for _ in range(150):
        d.ctrl[:] = 0.3 * rng.normal(size=m.nu)
        corten.step(m, d)
    got, expected = corten.linearize(m, d), corten.transition_fd(m, d, 1e-6, True)
    assert got.by_differences is None
    for letter, a, b in zip("ABCD", expected, got):
        if a.size:
            assert np.abs(a - b).max() <= 1e-5 * max(1, np.abs(a).max()), (letter, np.abs(a - b).max())
    for a, b in zip(got, corten.linearize(m, d, threads=3)):
        assert np.array_equal(a, b)


def test_linearize_says_when_it_took_differences():
    m = corten.Model.from_xml_string(SCENE)
    d = corten.Data(m)
    assert corten.linearize(m, d).by_differences is None
    assert corten.linearize(m, d, "differences").by_differences == "method"
    m.opt.integrator = corten.Integrator.RK4
    assert corten.linearize(m, d).by_differences == "the integrator"
    with pytest.raises(ValueError, match="only finite differences"):
        corten.linearize(m, d, "hybrid")
    with pytest.raises(ValueError, match="method must be"):
        corten.linearize(m, d, "exact")


@needs_double
def test_lqr_balances_a_cart_pole():
    m = corten.Model.from_xml_string("""<mujoco><option timestep="0.01"/><worldbody><body><joint name="x" type="slide" axis="1 0 0"/><geom type="box" size=".2 .1 .1" mass="1"/>
      <body><joint name="a" axis="0 1 0"/><geom type="capsule" size=".03" fromto="0 0 0 0 0 1" mass=".2"/></body></body></worldbody>
      <actuator><motor joint="x" gear="10"/></actuator></mujoco>""")
    d = corten.Data(m)
    A, B, _, _ = corten.linearize(m, d)
    P = Q = np.diag([1.0, 10, 1, 1])
    for _ in range(2000):  # the Riccati equation
        K = np.linalg.solve(np.eye(1) + B.T @ P @ B, B.T @ P @ A)
        P = Q + A.T @ P @ (A - B @ K)
    d.qpos[:] = [0.3, 0.2]
    for _ in range(1000):
        d.ctrl[:] = -K @ np.concatenate([d.qpos, d.qvel])
        corten.step(m, d)
    assert np.abs(np.concatenate([d.qpos, d.qvel])).max() < 1e-3


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
