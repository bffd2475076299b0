#!/usr/bin/env python3
"""Rollouts and batches of MuJoCo's module and of corten.mujoco, in one run.

bench/door.py [--rounds N] [MODEL ...]

Microseconds of CPU per step of a world, one thread, the least of the rounds, in which both take turns: `mujoco.rollout` with 64
trajectories of 100 steps, and `mujoco.batch` with 64 simulations, one and five steps a call. Without models: an arm of five
joints, and those of the repository. A scene with static boxes: --boxes N spreads them around the model.
"""

import argparse
import random
import time
from pathlib import Path

import numpy as np

ARM = """
<mujoco model="arm"><option timestep="0.002"/><worldbody>{}</worldbody><actuator>{}</actuator>
<sensor>{}</sensor></mujoco>
"""


def arm():
    """Five links, a motor and a position sensor at each joint."""
    bodies = "".join(
        f"<body pos='0 0 {0.25 if i else 0.1}'><joint name='j{i}' axis='{'0 1 0' if i % 2 else '0 0 1'}' damping='1' "
        "armature='.05'/><geom type='capsule' fromto='0 0 0 0 0 .25' size='.03'/>" for i in range(5)) + "</body>" * 5  # fmt: skip
    motors = "".join(f"<motor joint='j{i}' gear='5' ctrlrange='-1 1'/>" for i in range(5))
    sensors = "".join(f"<jointpos joint='j{i}'/><jointvel joint='j{i}'/>" for i in range(5))
    return ARM.format(bodies, motors, sensors)


def with_boxes(module, path, count):
    """The model with boxes on the floor around it, as geoms of the world."""
    rng, spec = random.Random(1), module.MjSpec.from_file(str(path))
    for _ in range(count):
        x, y = rng.uniform(-30, 30), rng.uniform(-25, 25)
        spec.worldbody.add_geom(type=module.mjtGeom.mjGEOM_BOX, size=[0.1] * 3, pos=[x + (abs(x) < 1 and abs(y) < 1) * 2, y, 0.1])
    return spec.compile()


class Engine:
    """A module, and what it takes for its rows."""

    nworld, nstep = 64, 100

    def __init__(self, module, rollout, batch, source, boxes):
        self.module, self.rollout = module, rollout
        if source is None:
            self.model = module.MjModel.from_xml_string(arm())
        elif boxes:
            self.model = with_boxes(module, source, boxes)
        else:
            self.model = module.MjModel.from_xml_path(str(source))
        model = self.model
        self.data = module.MjData(model)
        if model.nkey:
            module.mj_resetDataKeyframe(model, self.data, 0)
        full = int(module.mjtState.mjSTATE_FULLPHYSICS)
        start = np.empty(module.mj_stateSize(model, full))
        module.mj_getState(model, self.data, start, full)
        self.start = np.tile(start, (self.nworld, 1))
        low, high = np.where(model.actuator_ctrllimited.astype(bool)[:, None], model.actuator_ctrlrange, [-1, 1]).T
        self.control = np.random.default_rng(0).uniform(0.3 * low, 0.3 * high, (self.nworld, self.nstep, model.nu))
        self.batch = batch.Batch(model, self.nworld, 1)
        self.batch.bind("sensordata")

    def rollout_row(self):
        self.rollout.rollout(self.model, self.data, self.start, self.control)
        return self.nworld * self.nstep

    def batch_rows(self, nstep):
        self.batch.state[:] = self.batch_start
        for t in range(self.nstep // nstep):
            self.batch.ctrl[:] = self.control[:, t]
            self.batch.step(nstep=nstep)
        return self.nworld * (self.nstep // nstep) * nstep

    def prepare(self):
        self.batch.reset(keyframe=0 if self.model.nkey else -1)
        self.batch_start = self.batch.state.copy()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("models", nargs="*", type=Path)
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--boxes", type=int, default=0)
    args = parser.parse_args()
    import mujoco
    import mujoco.batch
    import mujoco.rollout

    import corten.mujoco
    import corten.mujoco.batch
    import corten.mujoco.rollout

    root = Path(__file__).resolve().parents[1]
    print(f"{'us a step':<28}{'row':<12}{'MuJoCo':>8}{'Corten':>8}{'ratio':>7}")
    for source in args.models or [None, root / "models" / "humanoid.xml"]:
        both = [Engine(m, m.rollout, m.batch, source, args.boxes) for m in (mujoco, corten.mujoco)]
        for engine in both:
            engine.prepare()
        rows = {"rollout": lambda e: e.rollout_row(), "batch 1": lambda e: e.batch_rows(1), "batch 5": lambda e: e.batch_rows(5)}
        for name, row in rows.items():
            least = [np.inf, np.inf]
            for _ in range(args.rounds):
                for k, engine in enumerate(both):
                    before = time.process_time()
                    steps = row(engine)
                    least[k] = min(least[k], (time.process_time() - before) / steps * 1e6)
            label = "arm of 5 joints" if source is None else source.stem
            print(f"{label:<28}{name:<12}{least[0]:>8.2f}{least[1]:>8.2f}{least[0] / least[1]:>7.2f}", flush=True)


if __name__ == "__main__":
    main()
