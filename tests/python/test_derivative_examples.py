"""What derivatives are for: feedback that balances, trajectories through contact, parameters from a recording."""

import importlib.util
import math
import pathlib

import numpy as np
import pytest

import corten

pytestmark = pytest.mark.skipif(corten._core.real != "d", reason="differences need more digits than float has")


def feedback(A, B, Q, R, sweeps=3000):
    """The gain K of u = -K x, by iteration of the Riccati equation."""
    P = Q
    for _ in range(sweeps):
        K = np.linalg.solve(R + B.T @ P @ B, B.T @ P @ A)
        P = Q + A.T @ P @ (A - B @ K)
    return K


CART_POLE = """<mujoco><option timestep="0.01"/><worldbody><body><joint name="x" type="slide" axis="1 0 0"/><geom type="box" size=".2 .1 .1" mass="1"/>
  <body><joint name="a" axis="0 1 0"/><geom type="capsule" size=".03" fromto="0 0 0 0 0 1" mass=".2"/></body></body></worldbody>
  <actuator><motor joint="x" gear="10"/></actuator></mujoco>"""


def test_lqr_balances_a_cart_pole():
    m = corten.Model.from_xml_string(CART_POLE)
    d = corten.Data(m)
    got = corten.linearize(m, d, "analytic")
    K = feedback(got.A, got.B, np.diag([1.0, 10, 1, 1]), np.eye(1))
    d.qpos[:] = [0.3, 0.2]
    for _ in range(1000):
        d.ctrl[:] = -K @ np.concatenate([d.qpos, d.qvel])
        corten.step(m, d)
    assert np.abs(np.concatenate([d.qpos, d.qvel])).max() < 1e-3


LEG = """<mujoco><option timestep="0.005"/><worldbody><geom type="plane" size="5 5 .1" friction="1"/>
  <body name="foot" pos="0 0 .03"><joint name="x" type="slide" axis="1 0 0"/><joint name="z" type="slide" axis="0 0 1"/><joint name="turn" axis="0 1 0"/>
    <geom type="box" size=".1 .05 .03" mass="1"/>
    <body pos="0 0 .03"><joint name="ankle" axis="0 1 0"/><geom type="capsule" size=".03" fromto="0 0 0 0 0 .4" mass="2"/>
      <body pos="0 0 .4"><joint name="knee" axis="0 1 0"/><geom type="capsule" size=".035" fromto="0 0 0 0 0 .4" mass="3"/>
        <body name="trunk" pos="0 0 .4"><joint name="hip" axis="0 1 0"/><geom type="capsule" size=".08" fromto="0 0 .05 0 0 .5" mass="10"/>
  </body></body></body></body></worldbody>
  <actuator><motor joint="ankle" gear="50"/><motor joint="knee" gear="50"/><motor joint="hip" gear="50"/></actuator></mujoco>"""


def standing_height(m, d):
    """The height at which the floor just carries the leg."""
    low, high = -1e-2, 1e-2
    for _ in range(60):
        d.qpos[:] = 0
        d.qpos[1] = (low + high) / 2
        d.qvel[:] = 0
        corten.forward(m, d)
        if d.qacc[1] > 0:
            low = d.qpos[1]
        else:
            high = d.qpos[1]
    return float(d.qpos[1])


def test_lqr_balances_a_leg_on_its_foot():
    m = corten.Model.from_xml_string(LEG)
    d = corten.Data(m)
    rest = np.zeros(m.nq)
    rest[1] = standing_height(m, d)
    d.qpos[:], d.qvel[:] = rest, 0
    got = corten.linearize(m, d)
    assert got.method == "analytic" and got.report["contacts"] == 4
    assert np.abs(np.linalg.eigvals(got.A)).max() > 1.01  # it falls
    # where the foot stands is nobody's business: friction holds it
    Q = np.diag([0.0, 0, 1, 10, 10, 10, 0, 0, 0.1, 1, 1, 1])
    K = feedback(got.A, got.B, Q, 0.1 * np.eye(3))
    d.qpos[3:] += [0.02, -0.02, 0.03]
    for i in range(1000):
        if i == 300:
            d.qvel[5] += 0.1  # a push
        d.ctrl[:] = -K @ np.concatenate([d.qpos - rest, d.qvel])
        corten.step(m, d)
    assert np.abs(d.qpos[2:]).max() < 0.02 and np.abs(d.qvel).max() < 0.02
    assert d.body("trunk").xpos[2] == pytest.approx(0.86, abs=0.01)


# A two-link arm on a table pushes a block that slides with friction. The block is not actuated: all there is is contact.
PUSHER = """<mujoco><option timestep="0.01" cone="elliptic" gravity="0 0 0"/><default><joint damping=".2"/><geom contype="0" conaffinity="0"/></default><worldbody>
  <body pos="0 0 .1"><joint name="shoulder" axis="0 0 1"/><geom type="capsule" size=".03" fromto="0 0 0 .4 0 0"/>
    <body pos=".4 0 0"><joint name="elbow" axis="0 0 1"/><geom type="capsule" size=".03" fromto="0 0 0 .4 0 0"/>
      <body pos=".4 0 0"><geom name="tip" type="sphere" size=".05" contype="1" conaffinity="2"/></body></body></body>
  <body name="block" pos=".55 .62 .1"><joint name="along" type="slide" axis="0 1 0" damping="3"/><geom name="block" type="box" size=".15 .1 .1" mass=".5" contype="2" conaffinity="1"/></body>
  </worldbody><actuator><motor joint="shoulder" gear="3"/><motor joint="elbow" gear="3"/></actuator></mujoco>"""


def ilqr(m, d, controls, final_cost, running=1e-3, rounds=60):
    """Iterative LQR: linearise along the trajectory, solve backwards, step forwards. `final_cost(x)`: number, gradient, Hessian."""
    nx, steps = 2 * m.nv, len(controls)

    def cost(rollout, u):
        x = np.concatenate([rollout.qpos[-1], rollout.qvel[-1]])
        return final_cost(x)[0] + running * (u**2).sum() / 2

    rollout = corten.Rollout(m, d, controls)
    best, damping, history = cost(rollout, controls), 1e-3, []
    for _ in range(rounds):
        matrices = corten.linearize_states(m, rollout.states[:-1], threads=1)
        x = np.concatenate([rollout.qpos[-1], rollout.qvel[-1]])
        _, v, V = final_cost(x)
        gains, shifts = np.zeros((steps, m.nu, nx)), np.zeros((steps, m.nu))
        for t in range(steps - 1, -1, -1):
            A, B = matrices[t].A, matrices[t].B
            Quu = running * np.eye(m.nu) + B.T @ V @ B + damping * np.eye(m.nu)
            Qu, Qux = running * controls[t] + B.T @ v, B.T @ V @ A
            shifts[t], gains[t] = -np.linalg.solve(Quu, Qu), -np.linalg.solve(Quu, Qux)
            v = A.T @ v + Qux.T @ shifts[t] + gains[t].T @ (Qu + (Quu - damping * np.eye(m.nu)) @ shifts[t])
            V = A.T @ V @ A + Qux.T @ gains[t] + gains[t].T @ Qux + gains[t].T @ (Quu - damping * np.eye(m.nu)) @ gains[t]
            V = (V + V.T) / 2
        for size in 0.6 ** np.arange(12):
            trial, u = d.__copy__(), np.zeros_like(controls)
            for t in range(steps):
                dx = np.concatenate([trial.qpos - rollout.qpos[t], trial.qvel - rollout.qvel[t]])
                u[t] = trial.ctrl[:] = controls[t] + size * shifts[t] + gains[t] @ dx
                corten.step(m, trial)
            new = corten.Rollout(m, d, u)
            if cost(new, u) < best:
                break
        else:
            damping *= 10
            if damping > 1e6:
                break
            continue
        gained, best, rollout, controls, damping = best - cost(new, u), cost(new, u), new, u, max(damping / 3, 1e-6)
        history.append(best)
        if gained < 1e-7:
            break
    return rollout, controls, history


def test_ilqr_pushes_a_block_to_a_target_through_contact():
    m = corten.Model.from_xml_string(PUSHER)
    d = corten.Data(m)
    d.qpos[:2] = [0.1, 1.0]
    target, block = 0.25, m.nv - 1

    def final_cost(x):
        weights = np.array([0, 0, 500.0, 0.1, 0.1, 5])
        off = x - np.array([0, 0, target, 0, 0, 0])
        return (weights * off**2).sum() / 2, weights * off, np.diag(weights)

    start = np.tile([0.6, 0.1], (80, 1))
    first = corten.Rollout(m, d, start)
    assert first.qpos[-1, block] > 0.02, "the first guess must touch the block"
    rollout, controls, history = ilqr(m, d, start, final_cost)
    assert rollout.qpos[-1, block] == pytest.approx(target, abs=0.01)
    assert abs(rollout.qvel[-1, block]) < 0.2
    assert (np.diff(history) < 0).all() and history[-1] < 0.1 * final_cost(np.concatenate([first.qpos[-1], first.qvel[-1]]))[0]


SLIDE = """<mujoco><option timestep="0.005" cone="elliptic"/><worldbody><geom name="floor" type="plane" size="9 9 .1" friction="{mu} .005 .0001"/>
  <body pos="0 0 .0998"><freejoint/><geom type="box" size=".1 .1 .1" friction=".01 .005 .0001"/></body></worldbody></mujoco>"""


def test_friction_is_found_from_a_recorded_slide():
    truth, steps = 0.37, 60

    def slide(mu):
        m = corten.Model.from_xml_string(SLIDE.format(mu=mu))
        d = corten.Data(m)
        d.qvel[0] = 2.5
        return m, corten.Rollout(m, d, steps=steps)

    recorded = slide(truth)[1].qpos[:, 0]
    mu = 0.2
    for _ in range(8):
        m, rollout = slide(mu)
        nudged = corten.Model.from_xml_string(SLIDE.format(mu=mu + 1e-6))
        # sensitivity of the state: s' = A s + what one step changes with the coefficient
        s, along = np.zeros(2 * m.nv), []
        for t, got in enumerate(corten.linearize_states(m, rollout.states[:-1])):
            along.append(s[0])
            a, b = corten.Data(m), corten.Data(nudged)
            for model, data in ((m, a), (nudged, b)):
                corten.set_state(model, data, rollout.states[t])
                corten.step(model, data)
            change = np.concatenate([corten.differentiate_pos(m, a.qpos, b.qpos, 1.0), b.qvel - a.qvel]) / 1e-6
            s = got.A @ s + change
        along.append(s[0])
        error, slope = rollout.qpos[:, 0] - recorded, np.array(along)
        mu -= (slope @ error) / (slope @ slope)
    assert mu == pytest.approx(truth, rel=0.01)


def example(name):
    path = pathlib.Path(__file__).resolve().parents[2] / "examples" / "derivatives" / f"{name}.py"
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_torch_swings_a_pendulum_up():
    pytest.importorskip("torch")
    assert example("torch_rollout").main(rounds=120) == pytest.approx(math.pi, abs=0.05)


def test_jax_throws_a_ball_through_a_bounce():
    pytest.importorskip("jax")
    assert example("jax_rollout").main() < 1e-3
