#!/usr/bin/env python3
"""Steps per second of a batch on the CPU, beside mujoco.rollout and mujoco.batch.Batch, in one run.

    PYTHONPATH=build/py/python bench/batch.py [--models DIR] [--threads 2] [--worlds 64] [--rounds 10] [--cpu-time]

All four begin at the same states and get the same controls; a round runs them one after the other, and the best round of
each counts. Rounds are short and many, so that some have the machine for themselves. Their own batch is measured with and
without `persistent`, and the faster is compared.
"""

import argparse
import time
from pathlib import Path

import corten
import mujoco
import mujoco.batch
import mujoco.rollout
import numpy as np


def find_models(folder):
    import gymnasium

    assets = Path(gymnasium.__file__).parent / "envs" / "mujoco" / "assets"
    return {
        "humanoid": folder / "mujoco" / "humanoid" / "humanoid.xml",
        "half_cheetah": assets / "half_cheetah.xml",
        "shadow_hand": folder / "shadow_hand" / "scene_right.xml",
    }


class Ours:
    def __init__(self, path, worlds, threads):
        self.batch = corten.Batch(corten.Model.from_xml_path(path), worlds, "cpu", threads=threads)

    def start(self, qpos, qvel):
        self.batch.reset()
        self.batch.qpos, self.batch.qvel = qpos, qvel

    def call(self, ctrl, nstep):
        self.batch.ctrl[:] = ctrl
        self.batch.step(nstep)


class TheirBatch:
    persistent = False

    def __init__(self, path, worlds, threads):
        model = mujoco.MjModel.from_xml_path(str(path))
        self.batch = mujoco.batch.Batch(model, worlds, threads, self.persistent)
        self.ctrl, self.qpos, self.qvel = (self.batch.bind(name) for name in ("ctrl", "qpos", "qvel"))

    def start(self, qpos, qvel):
        self.batch.reset()
        self.qpos[:], self.qvel[:] = qpos, qvel

    def call(self, ctrl, nstep):
        self.ctrl[:] = ctrl
        self.batch.step(nstep=nstep)


class TheirPersistentBatch(TheirBatch):
    persistent = True


class TheirRollout:
    def __init__(self, path, worlds, threads):
        self.model = mujoco.MjModel.from_xml_path(str(path))
        self.data = [mujoco.MjData(self.model) for _ in range(threads)]
        self.rollout = mujoco.rollout.Rollout(nthread=threads)
        self.what = mujoco.mjtState.mjSTATE_FULLPHYSICS
        self.worlds = worlds

    def start(self, qpos, qvel):
        d = mujoco.MjData(self.model)
        self.state = np.empty((self.worlds, mujoco.mj_stateSize(self.model, self.what)))
        for row, d.qpos[:], d.qvel[:] in zip(self.state, qpos, qvel):
            mujoco.mj_getState(self.model, d, row, self.what)

    def call(self, ctrl, nstep):
        ctrl = np.broadcast_to(ctrl[:, None], (self.worlds, nstep, ctrl.shape[1]))
        states, _ = self.rollout.rollout(self.model, self.data, self.state, ctrl)
        self.state = states[:, -1].copy()


ENGINES = {"corten": Ours, "rollout": TheirRollout, "batch": TheirBatch, "persistent": TheirPersistentBatch}


def inputs(path, worlds, calls, nstep):
    """Starts a little apart, and smooth controls inside their ranges that change with every call."""
    model = mujoco.MjModel.from_xml_path(str(path))
    rng = np.random.default_rng(0)
    qvel = 0.01 * rng.normal(size=(worlds, model.nv))
    qpos = np.tile(model.qpos0, (worlds, 1))
    low, high = np.where(model.actuator_ctrllimited[:, None], model.actuator_ctrlrange, [-1, 1]).T
    keep = 1 / (1 + nstep * model.opt.timestep / 0.1)
    walk, ctrl = np.zeros((worlds, model.nu)), []
    for _ in range(calls):
        walk = keep * walk + np.sqrt(1 - keep * keep) * rng.normal(size=walk.shape)
        ctrl.append((low + high) / 2 + 0.15 * (high - low) * walk)
    return qpos, qvel, ctrl


def measure(path, worlds, threads, total, nstep, rounds, clock, names=tuple(ENGINES)):
    """Steps per second of each engine, best of the rounds."""
    engines = {name: ENGINES[name](path, worlds, threads) for name in names}
    qpos, qvel, controls = inputs(path, worlds, total // nstep, nstep)
    best = dict.fromkeys(names, 0.0)
    for _ in range(rounds):
        for name, engine in engines.items():
            engine.start(qpos, qvel)
            began = clock()
            for ctrl in controls:
                engine.call(ctrl, nstep)
            best[name] = max(best[name], worlds * total / (clock() - began))
    return best


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--models", type=Path, default=Path(__file__).resolve().parents[2] / "shared" / "models")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--worlds", type=int, default=64)
    parser.add_argument("--steps", type=int, default=100)
    parser.add_argument("--rounds", type=int, default=10)
    parser.add_argument("--cpu-time", action="store_true", help="CPU seconds instead of the wall clock, for busy machines")
    args = parser.parse_args()
    clock = time.process_time if args.cpu_time else time.perf_counter
    print(f"{args.worlds} worlds, {args.steps} steps, {args.threads} threads; steps/s, best of {args.rounds} rounds")
    print(f"{'model':14}{'a call':>7}{'corten':>10}{'rollout':>10}{'batch':>10}{'persist.':>10}"
          f"{'/rollout':>10}{'/batch':>8}{'scaling':>9}")  # fmt: skip
    for name, path in find_models(args.models).items():
        for nstep in (1, 100):
            best = measure(path, args.worlds, args.threads, args.steps, nstep, args.rounds, clock)
            one = measure(path, args.worlds, 1, args.steps, nstep, args.rounds, clock, ("corten",))["corten"]
            ours, theirs = best["corten"], max(best["batch"], best["persistent"])
            print(f"{name:14}{nstep:7}" + "".join(f"{speed:10,.0f}" for speed in best.values())
                  + f"{ours / best['rollout']:10.2f}{ours / theirs:8.2f}{ours / one:9.2f}", flush=True)  # fmt: skip


if __name__ == "__main__":
    main()
