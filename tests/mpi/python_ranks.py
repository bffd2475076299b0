"""Run by test_mpi.py under mpirun: every method of corten.mpi.Batch. Rank 0 prints what must not depend on the number of ranks."""

import sys

import corten
import corten.mpi
import numpy as np
from mpi4py import MPI

comm, file = MPI.COMM_WORLD, sys.argv[1]
XML = """<mujoco><worldbody><geom type="plane" size="5 5 .1"/><body pos="0 0 .5"><freejoint/><geom type="capsule" size=".1 .2"/>
  <body pos="0 0 .3"><joint name="j" axis="0 1 0"/><geom size=".1"/></body></body></worldbody>
  <actuator><motor joint="j"/></actuator><sensor><jointpos joint="j" noise=".01"/></sensor></mujoco>"""
N = 23
batch = corten.mpi.Batch(corten.Model.from_xml_string(XML) if comm.rank == 0 else None, N, backend="cpu", threads=1)
batch.set_noise(3)
batch.output("sensordata")
batch.vary("body_mass")
rng = np.random.default_rng(0)
for k in range(6):
    ctrl = rng.uniform(-1, 1, (N, batch.model.nu))
    batch.set("ctrl", ctrl if comm.rank == 0 else None)
    batch.step(3)
    if k == 2 and comm.size > 1:
        counts = [1] * comm.size
        counts[0] = N - (comm.size - 1)
        batch.distribute(counts)
        assert batch.local.nworld == counts[comm.rank] and batch.counts == counts
before = batch.hash()
batch.balance()
assert batch.hash() == before and sum(batch.counts) == N and min(batch.counts) > 0
record = batch.rollout(nstep=2)
assert record["sensordata"].shape[:2] == (batch.local.nworld, 2)
batch.reset([3, 20])
order = rng.permutation(N)
rows = batch.get("qpos", order, root=None)
assert np.array_equal(batch.get("qpos", root=None)[order], rows)
assert (batch.get("sensordata") is None) == (comm.rank != 0)
mean, most = batch.reduce("qpos", "mean"), batch.reduce("qpos", "max")
np.testing.assert_allclose(mean, rows.mean(axis=0), rtol=1e-12, atol=1e-15)
assert np.array_equal(most, rows.max(axis=0))
counts, _ = batch.histogram("qpos", np.linspace(-10, 10, 5), 2)
assert counts.sum() == N
batch.save(file)
batch.step(2)
after = batch.hash()
batch.load(file)
batch.step(2)
assert batch.hash() == after
try:
    batch.output("nothing" if comm.rank == comm.size - 1 else "xpos")
    raise SystemExit("an unknown name was accepted")
except (corten.Error, corten.mpi.RankError) as error:
    assert "nothing" in str(error)
for wrong in (lambda: batch.distribute([0] * comm.size), lambda: batch.get("qpos", [1, 1]), lambda: batch.load("/nowhere/at/all")):
    try:
        wrong()
        raise SystemExit("a wrong call was accepted")
    except (ValueError, IndexError, OSError, corten.mpi.RankError):
        pass
if comm.rank == 0:
    print(f"{after:016x}", rows.tobytes().hex()[:64], mean.tobytes().hex()[:64])
batch.close()
