"""Evolution strategies over the ranks of MPI: a half cheetah learns to run.

    mpirun -n 2 python examples/mpi/evolve.py --generations 60

Augmented random search (Mania, Guy and Recht, 2018): a linear policy on normalised observations; every generation tries it with many
small random changes and their opposites, one in each world, and moves along those that did better. All ranks draw the same changes and
learn all returns, so that each has the policy: the result is the same for any number of ranks. The model is Gymnasium's
(`pip install gymnasium`); any model with a slider along x as its first joint will do.
"""

import argparse
import pathlib
import time

import corten
import corten.mpi
import numpy as np
from mpi4py import MPI


def find_model():
    import gymnasium

    return pathlib.Path(gymnasium.__file__).parent / "envs" / "mujoco" / "assets" / "half_cheetah.xml"


class Normaliser:
    """Mean and variance of the observations so far, from exact sums over all ranks."""

    def __init__(self, n):
        self.count, self.sum, self.squares = 1e-6, np.zeros(n), np.ones(n) * 1e-6

    def update(self, count, total, squares):
        self.count, self.sum, self.squares = self.count + count, self.sum + total, self.squares + squares

    @property
    def scale(self):
        mean = self.sum / self.count
        return mean, np.sqrt(np.maximum(self.squares / self.count - mean**2, 1e-8))


def observe(local):
    return np.concatenate([np.asarray(local.qpos)[:, 1:], np.asarray(local.qvel)], axis=1)


def episode(batch, policies, norm, steps, skip):
    """Returns of the rank's own worlds, each with its policy, and sums of what they saw. Sums are of fixed size: worlds are added in
    their order, whoever has them."""
    batch.reset()
    local = batch.local
    mean, deviation = norm.scale
    returns = np.zeros(local.nworld)
    seen = np.zeros((local.nworld, 2, len(mean)))
    before = np.asarray(local.qpos)[:, 0].copy()
    for _ in range(steps):
        state = observe(local)
        seen[:, 0] += state
        seen[:, 1] += state**2
        action = np.clip(np.einsum("wao,wo->wa", policies, (state - mean) / deviation), -1, 1)
        local.ctrl[:] = action
        local.step(skip)
        now = np.asarray(local.qpos)[:, 0].copy()
        speed = (now - before) / (skip * float(batch.model.opt.timestep))
        returns += speed - 0.1 * (action**2).sum(axis=1)
        before = now
    return returns, seen


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--model", default=None)
    parser.add_argument("--generations", type=int, default=60)
    parser.add_argument("--directions", type=int, default=32)
    parser.add_argument("--best", type=int, default=8, help="directions that count")
    parser.add_argument("--steps", type=int, default=500, help="control steps of an episode")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--plot", default=None, help="a picture of the returns (matplotlib)")
    args = parser.parse_args()
    comm = MPI.COMM_WORLD
    model = corten.Model.from_xml_path(args.model or find_model()) if comm.rank == 0 else None
    worlds = 2 * args.directions
    batch = corten.mpi.Batch(model, worlds, backend="cpu", threads=1)
    nobs, nact = batch.model.nq - 1 + batch.model.nv, batch.model.nu
    policy, norm = np.zeros((nact, nobs)), Normaliser(nobs)
    rng = np.random.default_rng(args.seed)
    width, rate, history = 0.03, 0.02, []
    for generation in range(args.generations):
        began = time.perf_counter()
        change = rng.normal(size=(args.directions, nact, nobs))
        both = np.concatenate([policy + width * change, policy - width * change])
        own = slice(batch.first, batch.first + batch.local.nworld)
        returns, seen = episode(batch, both[own], norm, args.steps, 5)
        returns, seen = (np.concatenate(comm.allgather(x)) for x in (returns, seen))
        total = seen.sum(axis=0)
        norm.update(worlds * args.steps, total[0], total[1])
        plus, minus = returns[: args.directions], returns[args.directions :]
        best = np.argsort(-np.maximum(plus, minus), kind="stable")[: args.best]
        spread = np.concatenate([plus[best], minus[best]]).std() + 1e-6
        policy = policy + rate / (args.best * spread) * np.tensordot(plus[best] - minus[best], change[best], 1)
        history.append((returns.mean(), returns.max()))
        if comm.rank == 0:
            seconds = time.perf_counter() - began
            print(f"generation {generation:3d}: mean return {returns.mean():8.1f}, best {returns.max():8.1f}  ({seconds:.1f} s)", flush=True)
    if comm.rank == 0 and args.plot:
        import matplotlib

        matplotlib.use("Agg")
        import matplotlib.pyplot as plt

        figure, axes = plt.subplots(figsize=(6, 3.5))
        axes.plot([x for x, _ in history], label="mean of all worlds")
        axes.plot([x for _, x in history], label="best world")
        axes.set(xlabel="generation", ylabel="return", title="half cheetah, evolution strategies")
        axes.legend()
        figure.tight_layout()
        figure.savefig(args.plot, dpi=120)
    batch.close()


if __name__ == "__main__":
    main()
