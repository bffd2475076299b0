#!/usr/bin/env python3
"""How far rollouts run apart from the reference engine's, beside how far it runs apart from itself.

    PYTHONPATH=build/py/python bench/divergence.py [--models DIR] [--steps 200]

Default settings, smooth random controls. Both engines start at the same state; the reference starts a few times more
with positions and velocities moved by 1e-13. Printed is the largest difference in qpos after some steps: ours, then the
median and the largest of the reference's own. Iterations are means over all steps: of our rollout, of theirs, and of
ours in single steps from each of their states.
"""

import argparse
from pathlib import Path

import corten
import mujoco
import numpy as np

MARKS = (1, 20, 50, 100, 200)
MOVES = 9


def find_models(folder):
    humanoid = folder / "mujoco" / "humanoid"
    names = ("humanoid", "humanoid100", "22_humanoids")
    return {**{name: humanoid / f"{name}.xml" for name in names}, "shadow_hand": folder / "shadow_hand" / "scene_right.xml"}


def controls(model, steps):
    rng = np.random.default_rng(1)
    low, high = np.where(model.actuator_ctrllimited[:, None], model.actuator_ctrlrange, [-1, 1]).T
    keep = 1 / (1 + model.opt.timestep / 0.1)
    walk = np.zeros(model.nu)
    for _ in range(steps):
        walk = keep * walk + np.sqrt(1 - keep * keep) * rng.normal(size=model.nu)
        yield (low + high) / 2 + 0.1 * (high - low) * walk


def rollout(model, data, step, ctrl):
    """qpos after every step, and the iterations of each."""
    path, iterations = [], []
    for data.ctrl[:] in ctrl:
        step(model, data)
        path.append(data.qpos.copy())
        iterations.append(data.solver_niter.sum())
    return np.array(path), np.mean(iterations)


def single_steps(theirs, ours, ctrl):
    """Mean iterations of our steps, each from a state of theirs."""
    what = mujoco.mjtState.mjSTATE_INTEGRATION
    a, b = mujoco.MjData(theirs), corten.Data(ours)
    state = np.empty(mujoco.mj_stateSize(theirs, what))
    counts = []
    for a.ctrl[:] in ctrl:
        mujoco.mj_getState(theirs, a, state, what)
        corten.set_state(ours, b, state)
        corten.step(ours, b)
        mujoco.mj_step(theirs, a)
        counts.append((b.solver_niter.sum(), a.solver_niter.sum()))
    return np.mean(counts, axis=0)


def compare(path, steps):
    theirs, ours = mujoco.MjModel.from_xml_path(str(path)), corten.Model.from_xml_path(path)
    ctrl = list(controls(theirs, steps))
    start = mujoco.MjData(theirs)
    reference, their_iterations = rollout(theirs, start, mujoco.mj_step, ctrl)
    path_of_ours, our_iterations = rollout(ours, corten.Data(ours), corten.step, ctrl)
    rng, moved = np.random.default_rng(2), []
    for _ in range(MOVES):
        data = mujoco.MjData(theirs)
        mujoco.mj_integratePos(theirs, data.qpos, 1e-13 * rng.choice([-1, 1], theirs.nv), 1)
        data.qvel[:] += 1e-13 * rng.choice([-1, 1], theirs.nv)
        moved.append(np.abs(rollout(theirs, data, mujoco.mj_step, ctrl)[0] - reference).max(axis=1))
    apart = np.abs(path_of_ours - reference).max(axis=1)
    return apart, np.array(moved), our_iterations, their_iterations, single_steps(theirs, ours, ctrl)[0]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--models", type=Path, default=Path(__file__).resolve().parents[2] / "shared" / "models")
    parser.add_argument("--steps", type=int, default=200)
    args = parser.parse_args()
    for name, path in find_models(args.models).items():
        apart, moved, ours, theirs, same = compare(path, args.steps)
        print(f"{name}: iterations {ours:.3f} of ours, {theirs:.3f} of theirs, {same:.3f} of ours at their states")
        for mark in (m for m in MARKS if m <= args.steps):
            own = moved[:, mark - 1]
            print(f"  {mark:4} steps: ours {apart[mark - 1]:.1e}, its own {np.median(own):.1e} to {own.max():.1e}", flush=True)


if __name__ == "__main__":
    main()
