#!/usr/bin/env python3
"""Time of a step beside MuJoCo's, on one thread, in one run: bench/steps.py [--rounds N] MODEL.xml...

Both engines begin every round with the same state, get the same random controls, which hold for HOLD steps, and take the
same number of steps, in turns; the state that MuJoCo ends with is where the next round begins. Processor time, the median
over rounds. Contacts, constraint rows and iterations are ours at the end of each round, the mean.
"""

import argparse
import math
import statistics
import sys
import time

import corten
import mujoco
import numpy as np

ROUND = 0.02  # seconds that steps of a round take, about
HOLD = 25
STATE = ("qpos", "qvel", "act", "qacc_warmstart", "mocap_pos", "mocap_quat")


def controls(model, rng, n):
    """A row for each of `n` times."""
    span = np.where(model.actuator_ctrllimited[:, None], model.actuator_ctrlrange, [-1.0, 1.0])
    return span[:, 0] + rng.random((n, model.nu)) * (span[:, 1] - span[:, 0])


def spent(step, model, data, rows):
    start = time.process_time()
    for row in rows:
        data.ctrl[:] = row
        step(model, data, HOLD)
    return time.process_time() - start


class Pair:
    """One model in both engines."""

    def __init__(self, path):
        self.theirs, self.ours = mujoco.MjModel.from_xml_path(path), corten.Model.from_xml_path(path)
        if self.theirs.nu != len(self.theirs.actuator_ctrllimited):
            raise ValueError("controls with several numbers are not made up here")
        self.data = (mujoco.MjData(self.theirs), corten.Data(self.ours))
        self.start = {name: getattr(self.data[0], name).copy() for name in STATE}
        self.state = self.start

    def run(self, engine, rows):
        """Seconds that engine 0, MuJoCo, or 1 takes for HOLD steps with each row of controls."""
        data = self.data[engine]
        data.time = 0
        for name, values in self.state.items():
            getattr(data, name)[:] = values
        return spent((mujoco.mj_step, corten.step)[engine], (self.theirs, self.ours)[engine], data, rows)

    def go_on(self):
        """From where MuJoCo is, unless it is nowhere."""
        self.state = {name: getattr(self.data[0], name).copy() for name in STATE}
        if any(int(w.number) for w in self.data[0].warning) or not np.isfinite(self.state["qpos"]).all():
            mujoco.mj_resetData(self.theirs, self.data[0])
            self.state = self.start


def measure(path, rounds):
    pair, rng = Pair(path), np.random.default_rng(0)
    n = max(1, int(ROUND / max(pair.run(0, controls(pair.theirs, rng, 1)), 1e-6)))
    times, counts = ([], []), []
    for i in range(rounds + 1):
        rows = controls(pair.theirs, rng, n)
        for engine in (0, 1) if i % 2 else (1, 0):
            seconds = pair.run(engine, rows)
            if i > 0:  # the first warms up
                times[engine].append(1e6 * seconds / (n * HOLD))
        data = pair.data[1]
        counts.append((data.ncon, data.nefc, int(np.sum(data.solver_niter))))
        pair.go_on()
    ratio = statistics.median(a / b for a, b in zip(*times))
    return *map(statistics.median, times), ratio, *np.mean(counts, axis=0)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=40)
    parser.add_argument("models", nargs="+")
    opt = parser.parse_args()
    print("| model | MuJoCo, us | here, us | ratio | contacts | rows | iterations |\n| --- | --: | --: | --: | --: | --: | --: |")
    ratios = []
    for path in opt.models:
        try:
            theirs, ours, ratio, con, rows, iterations = measure(path, opt.rounds)
        except (ValueError, corten.Error) as error:
            print(f"{path}: {error}", file=sys.stderr)
            continue
        ratios.append(ratio)
        name = "/".join(path.split("/")[-2:]).removesuffix(".xml")
        print(f"| {name} | {theirs:.1f} | {ours:.1f} | {ratio:.2f} | {con:.1f} | {rows:.0f} | {iterations:.1f} |", flush=True)
    if ratios:
        print(f"\ngeometric mean of the ratios: {math.exp(statistics.fmean(map(math.log, ratios))):.2f}")


if __name__ == "__main__":
    main()
