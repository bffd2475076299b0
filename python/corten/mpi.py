"""One batch over the ranks of MPI, through mpi4py: `mpirun -n 4 python program.py`.

    from mpi4py import MPI
    import corten, corten.mpi

    model = corten.Model.from_xml_path("humanoid.xml") if MPI.COMM_WORLD.rank == 0 else None
    batch = corten.mpi.Batch(model, 100000)
    batch.output("sensordata")
    batch.step(5)
    mean = batch.reduce("sensordata", "mean")      # on every rank, the same bits for any number of them

Worlds are spread in contiguous blocks; `batch.local` is the corten.Batch of this rank, with its arrays. Every method is
collective: all ranks call it, with the same arguments where nothing else is said, and when one fails all raise.
"""

import fractions
import os
import struct
import time

import numpy as np
from mpi4py import MPI

from . import _core
from ._batch import Batch as _Batch
from ._objects import Model

__all__ = ["Batch", "RankError"]

_MAGIC = b"CTMPIB1\0"
_HEAD = struct.Struct("=8sQQqii")
_PIECE = 1 << 28


class RankError(RuntimeError):
    """A rank failed: its number and what it said."""

    def __init__(self, rank, message):
        super().__init__(f"rank {rank}: {message}")
        self.rank = rank


class Batch:
    """Worlds of one model on many ranks. See the module."""

    def __init__(self, model, nworld, comm=None, **options):
        """`model` on rank 0; other ranks pass None and get a copy of it. `options` are those of corten.Batch; on a GPU a rank
        takes the device of its number on its machine unless `device` is given."""
        self.comm = (MPI.COMM_WORLD if comm is None else comm).Dup()
        self.rank, self.ranks, self.nworld = self.comm.rank, self.comm.size, int(nworld)
        self._noise, self.local = None, None
        self._work_seconds = 0.0  # of this rank, in steps since worlds were moved last

        def prepare():
            if self.rank == 0 and not isinstance(model, Model):
                raise TypeError("rank 0 has the model")
            if self.nworld < self.ranks:
                raise ValueError(f"{nworld} worlds are too few for {self.ranks} ranks: each has at least one")
            return model.to_bytes() if model is not None else None

        content = self._together(prepare)
        theirs = self.comm.bcast((_core.version, _core.real, content) if self.rank == 0 else None)

        def compare():
            if theirs[0] != _core.version:
                raise RuntimeError(f"this rank runs version {_core.version}, rank 0 {theirs[0]}")
            if theirs[1] != _core.real:
                raise RuntimeError("this rank has another precision than rank 0")
            if content is not None and content != theirs[2]:
                raise ValueError("this rank has another model than rank 0")
            return model if model is not None else Model.from_bytes(theirs[2])

        self.model = self._together(compare)
        self._model_hash = _core.hash_bytes(theirs[2])
        self._options = options
        if "device" not in options and options.get("backend") == "cuda":
            machine = self.comm.Split_type(MPI.COMM_TYPE_SHARED)
            self._options = dict(options, device=machine.rank)
            machine.Free()
        self._first = [self.nworld * r // self.ranks for r in range(self.ranks + 1)]
        self.local = self._together(lambda: self._make_local(self._first))

    # ---- agreeing

    def _together(self, work):
        """work() on every rank; when one raises, all do."""
        try:
            result, trouble = work(), None
        except Exception as error:  # noqa: BLE001: whatever it was, the others must hear of it
            result, trouble = None, error
        said = self.comm.allgather(None if trouble is None else str(trouble) or type(trouble).__name__)
        if trouble is not None:
            raise trouble
        for rank, message in enumerate(said):
            if message is not None:
                raise RankError(rank, message)
        return result

    def _timed(self, work):
        def counted():
            began = time.perf_counter()
            try:
                return work()
            finally:
                self._work_seconds += time.perf_counter() - began

        return self._together(counted)

    def _make_local(self, first):
        begin, end = first[self.rank], first[self.rank + 1]
        local = _Batch(self.model, end - begin, first_world=begin, **self._options)
        for call, *names in self.local._history if self.local is not None else ():
            getattr(local, call)(*names)
        if self._noise is not None:
            local.set_noise(self._noise)
        return local

    @property
    def first(self):
        """Number of the first world of this rank."""
        return self._first[self.rank]

    @property
    def counts(self):
        """Worlds of each rank."""
        return [b - a for a, b in zip(self._first, self._first[1:])]

    # ---- as those of corten.Batch

    def step(self, n=1):
        self._timed(lambda: self.local.step(n))

    def forward(self):
        self._timed(self.local.forward)

    def rollout(self, ctrl=None, nstep=None):
        """corten.Batch.rollout() with the controls of the rank's own worlds; a record of these."""
        return self._timed(lambda: self.local.rollout(ctrl, nstep))

    def output(self, *names):
        self._together(lambda: self.local.output(*names))

    def vary(self, *names):
        self._together(lambda: self.local.vary(*names))

    def update(self):
        self._together(self.local.update)

    def set_noise(self, seed):
        self._noise = seed
        self._together(lambda: self.local.set_noise(seed))

    def reset(self, ids=None, key=None):
        """`ids` are numbers in the whole batch."""

        def work():
            if ids is None:
                return self.local.reset(key=key)
            chosen = self._ids(ids)
            own = chosen[(chosen >= self.first) & (chosen < self._first[self.rank + 1])] - self.first
            return self.local.reset(own, key=key) if len(own) else None

        self._together(work)

    def _ids(self, ids):
        chosen = np.arange(self.nworld) if ids is None else np.asarray(ids, dtype=np.int64)
        if len(np.unique(chosen)) != len(chosen) or (len(chosen) and (chosen.min() < 0 or chosen.max() >= self.nworld)):
            raise IndexError(f"ids are different numbers from 0 to {self.nworld - 1}")
        return chosen

    def _own(self, chosen):
        """Places in `chosen` of this rank's worlds."""
        return np.flatnonzero((chosen >= self.first) & (chosen < self._first[self.rank + 1]))

    def get(self, name, ids=None, root=0):
        """Rows of the chosen worlds, on rank `root`; on all ranks with root=None. Others get None."""

        def read():
            chosen = self._ids(ids)
            place = self._own(chosen)
            # reading may register an output, on all ranks alike
            rows = self.local.get(name, chosen[place] - self.first if len(place) else [0])
            return chosen, place, np.ascontiguousarray(rows[: len(place)])

        chosen, place, rows = self._together(read)
        pieces = self.comm.allgather((place, rows)) if root is None else self.comm.gather((place, rows), root)
        if pieces is None:
            return None
        result = np.empty((len(chosen), *rows.shape[1:]), rows.dtype)
        for where, part in pieces:
            result[where] = part
        return result

    def set(self, name, values=None, ids=None, root=0):
        """Write rows, which rank `root` has, to the chosen worlds."""
        chosen = self._together(lambda: self._ids(ids))
        values = self.comm.bcast(np.asarray(values) if self.rank == root else None, root)
        place = self._own(chosen)

        def write():
            if len(values) != len(chosen):
                raise ValueError(f"{len(values)} rows for {len(chosen)} worlds")
            if len(place):
                self.local.set(name, values[place], chosen[place] - self.first)

        self._together(write)

    def reduce(self, name, how="mean"):
        """"sum", "mean", "min" or "max" of every number of a name over all worlds, on every rank. Sums are exact and rounded
        once: the bits do not depend on the number of ranks."""
        rows = self._together(lambda: np.asarray(self.local.get(name), dtype=float))
        if how in ("min", "max"):
            own = getattr(rows, how)(axis=0)
            return self.comm.allreduce(own, op=MPI.Op.Create(np.minimum if how == "min" else np.maximum, True))
        if how not in ("sum", "mean"):
            raise ValueError(f"how is sum, mean, min or max, not {how!r}")
        sums = _exact_sums(rows.reshape(len(rows), -1))
        self.comm.Allreduce(MPI.IN_PLACE, sums, MPI.SUM)
        over = self.nworld if how == "mean" else 1
        return np.array([_round(x) / over for x in sums]).reshape(rows.shape[1:])

    def histogram(self, name, bins, column=0):
        """np.histogram() of one number of a name over all worlds, on every rank: counts and edges. `bins` are the edges."""
        rows = self._together(lambda: np.asarray(self.local.get(name), dtype=float))
        counts, edges = np.histogram(rows.reshape(len(rows), -1)[:, column], bins)
        return self.comm.allreduce(counts), edges

    def hash(self):
        """corten.Batch.hash() over all worlds."""
        return self.comm.allreduce(self._together(self.local.hash)) & 0xFFFFFFFFFFFFFFFF

    # ---- worlds as records

    def balance(self):
        """Move worlds so that all ranks need about the same time, by that of their steps since the last call."""
        cost = [max(x, 1e-12) / n for x, n in zip(self.comm.allgather(self._work_seconds), self.counts)]
        share = np.cumsum(np.repeat(cost, self.counts))
        ends = [int(np.searchsorted(share, share[-1] * r / self.ranks)) + 1 for r in range(1, self.ranks)]
        for r in range(self.ranks - 1):  # every rank keeps at least one world
            ends[r] = min(max(ends[r], (ends[r - 1] if r else 0) + 1), self.nworld - (self.ranks - 1 - r))
        self.distribute(np.diff([0, *ends, self.nworld]).tolist())

    def distribute(self, counts):
        """Move worlds so that rank r has counts[r] of them, bit for bit."""

        def check():
            if len(counts) != self.ranks or min(counts) < 1 or sum(counts) != self.nworld:
                raise ValueError(f"each of {self.ranks} ranks has at least one world, all together {self.nworld}")

        self._together(check)
        to = [0, *np.cumsum(counts).tolist()]
        begin, end = self.first, self._first[self.rank + 1]
        parts = []
        for r in range(self.ranks):
            low, high = max(begin, to[r]), min(end, to[r + 1])
            parts.append(self.local.save_worlds(low - begin, high - low) if high > low else b"")
        received = self.comm.alltoall(parts)
        local = self._together(lambda: self._make_local(to))
        self._together(lambda: local.load_worlds(b"".join(received)))
        self.local.close()
        self.local, self._first, self._work_seconds = local, to, 0.0

    def save(self, path):
        """Write all worlds to one file, every rank its part; it replaces `path` when it is complete."""
        temporary = os.fspath(path) + ".part"
        record = len(self.local.save_worlds(0, 1))
        file = self._together(lambda: MPI.File.Open(self.comm, temporary, MPI.MODE_CREATE | MPI.MODE_WRONLY))

        def write():
            if self.rank == 0:
                head = _HEAD.pack(_MAGIC, self._model_hash, record, self.nworld, np.dtype(_core.real).itemsize, 1)
                file.Write_at(0, head)
            content = self.local.save_worlds()
            for at in range(0, len(content), _PIECE):
                file.Write_at(_HEAD.size + self.first * record + at, content[at : at + _PIECE])

        file.Set_size(0)
        try:
            self._together(write)
            file.Sync()
        except BaseException:
            file.Close()
            if self.rank == 0 and os.path.exists(temporary):
                os.unlink(temporary)
            raise
        file.Close()
        self._together(lambda: os.replace(temporary, path) if self.rank == 0 else None)

    def load(self, path):
        """Go on from such a file, on any number of ranks; also from one that libcorten_mpi wrote."""

        def read():
            record = len(self.local.save_worlds(0, 1))
            with open(path, "rb") as file:
                head = file.read(_HEAD.size)
                if len(head) < _HEAD.size or head[:8] != _MAGIC:
                    raise ValueError(f"{path}: this is no saved batch")
                _, model, size, worlds, real, version = _HEAD.unpack(head)
                if (model, real, version) != (self._model_hash, np.dtype(_core.real).itemsize, 1):
                    raise ValueError(f"{path}: it was saved from another model, version or precision")
                if (size, worlds) != (record, self.nworld):
                    raise ValueError(f"{path}: it has {worlds} worlds of {size} bytes, not {self.nworld} of {record}: other outputs or values")
                if os.path.getsize(path) != _HEAD.size + worlds * size:
                    raise ValueError(f"{path}: it is cut short, or longer than it says")
                file.seek(_HEAD.size + self.first * record)
                self.local.load_worlds(file.read(self.local.nworld * record))

        self._together(read)

    def close(self):
        """Free the worlds of this rank."""
        self.local.close()
        self.comm.Free()


# A double is a whole number times 2^-1074. Sums of such numbers in limbs of 32 bits are exact, so that it does not matter who adds
# what first; they are rounded once, at the end.
_LIMBS, _LOWEST = 68, -1074


def _exact_sums(rows):
    """For each column of `rows` its limbs, and how many numbers are not finite."""
    n, width = rows.shape
    sums = np.zeros((width, _LIMBS + 1), np.int64)
    sums[:, -1] = n - np.isfinite(rows).sum(axis=0)
    first = np.arange(width) * _LIMBS
    for at in range(0, n, 1 << 20):  # sums of so many limbs are whole numbers that a double holds
        part = np.where(np.isfinite(rows[at : at + (1 << 20)]), rows[at : at + (1 << 20)], 0.0)
        fraction, exponent = np.frexp(np.abs(part))
        bits, shift = np.ldexp(fraction, 53).astype(np.uint64), exponent.astype(np.int64) - 53 - _LOWEST
        bits >>= np.maximum(-shift, 0).astype(np.uint64)  # below the smallest normal number the bits there are zero
        shift = np.maximum(shift, 0)
        by = (shift % 32).astype(np.uint64)
        low, high = bits << by, (bits >> np.uint64(32)) >> (np.uint64(32) - by)
        for k, limb in enumerate((low & np.uint64(0xFFFFFFFF), low >> np.uint64(32), high)):
            place = (first + shift // 32 + k).ravel()
            sums[:, :-1] += np.bincount(place, np.copysign(limb, part).ravel(), width * _LIMBS).astype(np.int64).reshape(width, _LIMBS)
    return sums


def _round(limbs):
    if limbs[-1]:
        return np.nan
    return float(fractions.Fraction(sum(int(x) << (32 * i) for i, x in enumerate(limbs[:-1])), 1 << -_LOWEST))
