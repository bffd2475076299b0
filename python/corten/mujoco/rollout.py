"""Open-loop trajectories from many initial states: `rollout.rollout(model, data, initial_state, control)`.

Each trajectory runs on one of the data given, on as many threads as there are; the loops are in C. `corten.Batch` does the same
with the worlds side by side.
"""

from concurrent.futures import ThreadPoolExecutor

import numpy as np

from corten import _core

from ._arguments import REAL
from ._enums import mjtState
from ._functions import mj_resetData, mj_stateSize, mj_step
from ._steps import raise_of_clock
from ._structs import MjModel

_PHYSICS = int(mjtState.mjSTATE_FULLPHYSICS)
_CTRL = int(mjtState.mjSTATE_CTRL)
_USER = int(mjtState.mjSTATE_USER)
_WARMSTART = int(mjtState.mjSTATE_WARMSTART)


class Rollout:
    """Threads for rollouts; 0 or None runs them on the caller's."""

    def __init__(self, *, nthread=None):
        self.nthread = nthread or 0
        self._pool = ThreadPoolExecutor(self.nthread) if self.nthread > 0 else None
        self._open = True

    def __enter__(self):
        return self

    def __exit__(self, *reason):
        self.close()

    def close(self):
        """End the threads."""
        self._open = False
        if self._pool is not None:
            self._pool.shutdown()

    def rollout(self, model, data, initial_state, control=None, *, control_spec=_CTRL, skip_checks=False, nstep=None,
                initial_warmstart=None, state=None, sensordata=None, chunk_size=None):  # fmt: skip
        """States (nbatch, nstep, nstate) and sensor values (nbatch, nstep, nsensordata) along the trajectories.

        initial_state has shape (nbatch, nstate), control (nbatch, nstep, ncontrol); where nbatch or nstep is 1, or an axis is
        left out, the same holds for all."""
        if not self._open:
            raise RuntimeError("rollout requested after thread pool shutdown")
        models = [model] if isinstance(model, MjModel) else list(model)
        datas = list(data) if isinstance(data, (list, tuple)) else [data]
        if not datas:
            raise ValueError("The list of data instances is empty")
        if len(datas) > 1 and self.nthread == 0:
            raise ValueError("More than one data instance passed but rollout is configured to run on main thread")
        if self.nthread > 0 and len(datas) != self.nthread:
            raise ValueError(f"Length of data: {len(datas)} not equal to nthread: {self.nthread}")
        for i, each in enumerate(datas):
            if each.threadpool:
                raise ValueError(f"data[{i}] has a thread pool: its rollouts have threads of their own")
        _whole_numbers(nstep=(nstep, 0), chunk_size=(chunk_size, 1))
        if not skip_checks:
            if int(control_spec) & ~_USER:
                raise ValueError("control_spec can only contain bits in mjSTATE_USER")
            given = dict(initial_state=initial_state, initial_warmstart=initial_warmstart, control=control, state=state,
                         sensordata=sensordata)  # fmt: skip
            _check(given)
        start, warm = _with_axes(initial_state, 2), _with_axes(initial_warmstart, 2)
        control, state, sensordata = (_with_axes(array, 3) for array in (control, state, sensordata))
        nbatch = _size(0, 1, initial_state=start, initial_warmstart=warm, control=control, state=state, sensordata=sensordata)
        if nbatch == 1:
            nbatch = max(1, len(models))
        if len(models) not in (1, nbatch) and not (skip_checks and len(models) > nbatch):
            raise ValueError(f"nbatch inferred as {nbatch} but model is length {len(models)}")
        nstep = _size(1, 1 if nstep is None else int(nstep), control=control, state=state, sensordata=sensordata)

        sizes = [(mj_stateSize(m, _PHYSICS), mj_stateSize(m, control_spec), m.nv, m.nsensordata) for m in models]
        if any(size != sizes[0] for size in sizes):
            raise ValueError("models are not compatible")
        nstate, ncontrol, nv, nsensordata = sizes[0]
        for name, array, width in (("initial_state", start, nstate), ("state", state, nstate), ("control", control, ncontrol),
                                   ("initial_warmstart", warm, nv), ("sensordata", sensordata, nsensordata)):  # fmt: skip
            if array is not None and array.shape[-1] != width:
                raise ValueError(f"trailing dimension of {name} must be {width}, got {array.shape[-1]}")
        state = np.empty((nbatch, nstep, nstate), REAL) if state is None else state
        sensordata = np.empty((nbatch, nstep, nsensordata), REAL) if sensordata is None else sensordata

        workers = min(len(datas), nbatch) if self._pool is not None else 1
        flags = sum(bit for bit, array, axis in ((1, start, 0), (2, warm, 0), (4, control, 0), (8, control, 1))
                    if array is not None and array.shape[axis] > 1)  # fmt: skip

        def run(k):
            first = k
            while first >= 0:
                sizes = (nbatch, nstep, first, workers, int(control_spec), flags)
                first = _core.rollout_worlds(models, datas[k], sizes, start, warm, control, state, sensordata)
                raise_of_clock()
                if first >= 0:  # it could not be run
                    _one(models[first % len(models)], datas[k], _row(start, first), _row(warm, first),
                         _row(control, first), int(control_spec), state[first], sensordata[first])  # fmt: skip
                    first = first + workers if first + workers < nbatch else -1

        if self._pool is None:
            run(0)
        else:
            for done in [self._pool.submit(run, k) for k in range(workers)]:
                done.result()
        return state, sensordata


def _whole_numbers(**numbers):
    for name, (number, least) in numbers.items():
        if number is None:
            continue
        if not isinstance(number, (int, np.integer)) or isinstance(number, bool):
            raise ValueError(f"{name} must be an integer")
        if number < least:
            raise ValueError(f"{name} must be {'non-negative' if least == 0 else 'a positive integer'}")


def _one(model, data, start, warm, control, spec, state, sensordata):
    """One trajectory."""
    mj_resetData(model, data)
    _core.set_state(model, data, start, _PHYSICS)
    if warm is not None:
        _core.set_state(model, data, warm, _WARMSTART)
    for t in range(len(state)):
        if control is not None:
            _core.set_state(model, data, control[min(t, len(control) - 1)], spec)
        before = int(data.warning.number.sum())
        mj_step(model, data)
        _core.get_state(model, data, state[t], _PHYSICS)
        sensordata[t] = data.sensordata
        if int(data.warning.number.sum()) != before:  # it diverged: the rest repeats what was
            state[t + 1 :] = state[t]
            sensordata[t + 1 :] = sensordata[t]
            break


def _row(array, i):
    return None if array is None else array[i if len(array) > 1 else 0]


def _check(arrays):
    for name, array in arrays.items():
        if array is None:
            continue
        if not isinstance(array, (np.ndarray, float)):
            raise ValueError(f"{name} must be a numpy array or float")
        most = 2 if name.startswith("initial") else 3
        if np.ndim(array) > most:
            raise ValueError(f"{name} can have at most {most} dimensions")


def _with_axes(array, ndim):
    """The array with axes of length one in front, without a copy where it can be."""
    if array is None:
        return None
    array = np.asarray(array)
    array = array.reshape((1,) * (ndim - array.ndim) + array.shape)
    return array if array.dtype == REAL and array.flags.c_contiguous else np.ascontiguousarray(array, REAL)


def _size(axis, value, **arrays):
    for name, array in arrays.items():
        if array is None or array.shape[axis] == value:
            continue
        if value == 1:
            value = array.shape[axis]
        elif array.shape[axis] != 1:
            raise ValueError(f"dimension {axis} inferred as {value} but {name} has {array.shape[axis]}")
    return value


persistent_rollout = None


def shutdown_persistent_pool():
    """End the threads that persistent_pool keeps."""
    global persistent_rollout
    if persistent_rollout is not None:
        persistent_rollout.close()
    persistent_rollout = None


def rollout(model, data, initial_state, control=None, *, persistent_pool=False, **options):
    """As Rollout.rollout, with a thread for each data; `persistent_pool` keeps the threads for the next call."""
    global persistent_rollout
    count = len(data) if isinstance(data, (list, tuple)) and len(data) > 1 else 0
    if not persistent_pool:
        with Rollout(nthread=count) as pool:
            return pool.rollout(model, data, initial_state, control, **options)
    if persistent_rollout is None or persistent_rollout.nthread != count:
        shutdown_persistent_pool()
        persistent_rollout = Rollout(nthread=count)
    return persistent_rollout.rollout(model, data, initial_state, control, **options)
