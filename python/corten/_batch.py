"""Batch: many worlds of one model, stepped together."""

import operator
import time
from typing import NamedTuple

import numpy as np

from . import _core
from ._enums import State
from ._fields import DATA_FIELDS, MODEL_FIELDS, casts, no_attribute
from ._objects import Data, record_dtype, seed_of
from ._queries import contact_force

_BACKENDS = ("auto", "cpu", "cuda")
_PRECISIONS = (None, "single", "double")
_STATE_NAMES = ("state", *_core.state_names)
_DATA_NAMES = frozenset(field.name for field in DATA_FIELDS)
_MODEL_NAMES = frozenset(field.name for field in MODEL_FIELDS)
# fields that are whole numbers or truth: a batch carries them as reals, and gives them as what they are
_WHOLE = {field.name: np.dtype(field.code) for field in DATA_FIELDS if field.code in ("i", "q", "B", "?")}


# Seconds between two looks at the signals.
_PIECE = 0.1


def _in_pieces(count, work):
    """Call work(begin, end) for pieces of [0, count) that take about a tenth of a second, so that Ctrl-C is heard."""
    begin, size = 0, 16
    while True:
        end = min(begin + size, count)
        start = time.perf_counter()
        work(begin, end)
        if end >= count:
            return
        spent = time.perf_counter() - start
        begin, size = end, max(1, min(2 * size, int(size * _PIECE / max(spent, 1e-9))))


class BatchProfile(NamedTuple):
    """Where the time of steps goes, and on what."""

    steps: int  # of all worlds together
    seconds: float  # of these; on the CPU those of all threads together
    stages: dict  # seconds by stage; empty for worlds of a GPU that have one thread each
    lanes: int  # threads that run a world
    processors: int  # threads of the CPU, or multiprocessors of the GPU
    resident: int  # worlds at a time on one of them
    hertz: float  # clock of the GPU; 0 on the CPU
    step_bytes: int  # memory of the GPU that a world takes while it is stepped; 0 on the CPU
    array_bytes: int  # of that, for arrays of the model's size
    arena_bytes: int  # most that contacts, constraint rows and scratch of a world have taken of it


# the stages of a step that do not contain one another
_STAGES = ("pos_kinematics", "pos_inertia", "pos_collision", "pos_make", "pos_project", "velocity", "actuation", "constraint", "advance")


class BatchInfo(NamedTuple):
    """Backend, size and memory of a batch."""

    backend: str
    nworld: int
    threads: int
    device: int  # -1 for the CPU
    real_bytes: int
    bytes_per_world: int
    bytes: int
    device_name: str

    @property
    def precision(self):
        """Of the numbers of the worlds, "single" or "double"."""
        return "double" if self.real_bytes == 8 else "single"


def _assign(batch, name, array, key, value):
    """`batch.ctrl[key] = value` where the memory is that of a GPU: through the host, as for an array there."""
    values = np.empty(array.shape, _core.real)
    whole = key is Ellipsis or (isinstance(key, slice) and key == slice(None))
    if not whole:
        batch.transfer(name, None, values, False)
    values[key] = value
    batch.transfer(name, None, values, True)


class Batch:
    """Many worlds of one model, on the threads of the CPU or on a GPU.

    Parts of the state (`qpos`, `qvel`, `act`, `ctrl`, `time`, `xfrc_applied`, ...), outputs registered with
    `output()` and model values varied with `vary()` are attributes. Their first axis is the world, the others
    are those of the field in a Data or a Model. On the CPU they are NumPy arrays, on a GPU BatchArray objects
    that other libraries use through DLPack or the CUDA array interface; both share the memory of the batch. Outputs
    that are whole numbers (`ncon`, `solver_niter`) are given as such on the CPU: a read-only copy.

        with corten.Batch(model, 1000) as batch:
            batch.output("sensordata")
            batch.ctrl[:] = 0.1
            batch.step(5)
            print(batch.sensordata.mean(axis=0))
    """

    __module__ = "corten"
    _batch = None

    def __init__(self, model, nworld, backend="auto", *, threads=0, device=0, precision=None, stream=0,
                 reset_bad=False, reset_key=None, first_world=0):
        """Create `nworld` worlds at the model's default state.

        backend: "cpu", "cuda", or "auto" for the GPU when there is one that has the precision.
        precision: "single" or "double". None is that of the library, as for Data; only backend="cuda", said by
        name, is single then. It is never changed silently: see `precision` and `info`.
        threads: of the CPU, 0 for all processors. device, stream (the address of a CUDA stream): of the GPU.
        reset_bad: worlds that diverge restart, from the keyframe `reset_key` when given.
        first_world: number of the first world, where the batch is a part of a larger one: noise goes by it.
        """
        if backend not in _BACKENDS:
            raise ValueError(f"backend is one of {', '.join(_BACKENDS)}, not {backend!r}")
        if precision not in _PRECISIONS:
            raise ValueError(f"precision is single or double, not {precision!r}")
        key = -1 if reset_key is None else model.key(reset_key).id
        names = self.__dict__
        names["_outputs"], names["_values"] = [], []
        names["_history"], names["_noise"] = [], None
        names["_options"] = dict(backend=backend, threads=threads, device=device, precision=precision,
                                 reset_bad=reset_bad, reset_key=reset_key, first_world=first_world)  # fmt: skip
        names["_batch"] = _core.make_batch(
            model, _whole(nworld, "nworld"), _BACKENDS.index(backend), _whole(threads, "threads"),
            _whole(device, "device"), _PRECISIONS.index(precision), stream, reset_bad, key, _whole(first_world, "first_world"),
        )
        names["_model"] = model

    # ---- life ----

    def _open(self):
        if self._batch is None:
            raise ValueError("this Batch is closed")
        return self._batch

    def close(self):
        """Free the worlds. Arrays taken before keep their memory until they are deleted, too."""
        self.__dict__["_batch"] = None

    def __enter__(self):
        self._open()
        return self

    def __exit__(self, *reason):
        self.close()

    @property
    def model(self):
        """The model of all worlds."""
        return self._model

    @property
    def nworld(self):
        """The number of worlds."""
        return self.info.nworld

    @property
    def info(self):
        """Backend, threads and memory."""
        backend, *rest = self._open().info()
        return BatchInfo(_BACKENDS[backend], *rest)

    def __repr__(self):
        if self._batch is None:
            return "<corten.Batch: closed>"
        info = self.info
        return f"<corten.Batch: {info.nworld} worlds on {info.backend}, {info.precision} precision>"

    @property
    def precision(self):
        """Of the numbers of the worlds, "single" or "double"."""
        return self.info.precision

    def copy(self):
        """A batch of its own of the same model, with the same worlds, outputs and values, going on bit for bit."""
        return self._like(self._model, self._options, self._history, self._noise, self.save())

    __copy__ = copy

    def __deepcopy__(self, memo):
        return self.copy()

    def __reduce__(self):
        # a stream of the GPU belongs to its process: the new batch has its own
        return Batch._like, (self._model, self._options, self._history, self._noise, self.save())

    @staticmethod
    def _like(model, options, history, noise, saved):
        batch = Batch(model, _saved_worlds(saved), **options)
        for call, *names in history:
            getattr(batch, call)(*names)
        if noise is not None:
            batch.set_noise(noise)
        batch.restore(saved)
        return batch

    # ---- work ----

    def step(self, n=1):
        """Advance all worlds by n steps with constant inputs, then gather the outputs.

        Problems in a world do not raise: see `status` and `warnings`."""
        batch = self._open()
        _in_pieces(_whole(n, "n"), lambda begin, end: batch.step(end - begin))

    def profile(self, n=10):
        """Advance all worlds by n steps, and measure the stages: a BatchProfile. Slower than step(), with the same results."""
        timers, *rest = self._open().profile(_whole(n, "n"))
        seconds, steps = timers["step"]
        stages = {name: timers[name][0] for name in _STAGES if timers[name][1] > 0}
        return BatchProfile(steps, seconds, stages, *rest)

    def forward(self):
        """Compute everything of the current states without advancing, then gather the outputs."""
        self._open().forward()

    def sync(self):
        """Wait until the GPU has finished."""
        self._open().sync()

    def rollout(self, ctrl=None, nstep=None):
        """Advance by one step for each row of controls and record the outputs of every step.

        ctrl: of shape (nworld, nstep, nu), or (nstep, nu) for the same in all worlds; None leaves the
        controls as they are for `nstep` steps.
        Returns a dict from the name of each output to an array of shape (nworld, nstep, ...).
        """
        batch, nworld = self._open(), self.nworld
        if ctrl is None:
            if nstep is None:
                raise TypeError("rollout() needs ctrl or nstep")
            nstep = _whole(nstep, "nstep")
            if nstep < 0:
                raise ValueError(f"nstep must not be negative, got {nstep}")
        else:
            ctrl = _numbers(ctrl, "ctrl")
            steps = ctrl.shape[-2] if ctrl.ndim in (2, 3) else 0
            if nstep is not None and nstep != steps:
                raise ValueError(f"ctrl has {steps} steps, nstep is {nstep}")
            nstep, nu = steps, self._model.nu
            if ctrl.shape not in ((nworld, nstep, nu), (nstep, nu)):
                raise ValueError(
                    f"ctrl has shape {ctrl.shape}; expected (nworld, nstep, nu) with {nworld} worlds and "
                    f"{nu} controls, or (nstep, nu)"
                )
            ctrl = np.ascontiguousarray(np.broadcast_to(ctrl, (nworld, nstep, nu)))
        shapes = {name: batch.shape(name) for name in self._outputs}
        sizes = [int(np.prod(shape, dtype=int)) for shape in shapes.values()]
        recorded = np.empty((nworld, nstep, sum(sizes)), _core.real)

        def piece(begin, end):
            if (begin, end) == (0, nstep):
                batch.rollout(nstep, sum(sizes), ctrl, recorded)
                return
            controls = None if ctrl is None else np.ascontiguousarray(ctrl[:, begin:end])
            part = np.empty((nworld, end - begin, sum(sizes)), _core.real)
            batch.rollout(end - begin, sum(sizes), controls, part)
            recorded[:, begin:end] = part

        _in_pieces(nstep, piece)
        ends = np.cumsum([0, *sizes])
        return {
            name: _as_is(name, recorded[:, :, begin : begin + size].reshape(nworld, nstep, *shape))
            for (name, shape), begin, size in zip(shapes.items(), ends, sizes)
        }

    def reset(self, ids=None, mask=None, key=None):
        """Back to the default state, or to a keyframe given by number or name; all worlds, those with the
        given ids, or those whose mask is true."""
        batch = self._open()
        key = -1 if key is None else self._model.key(key).id
        if mask is not None:
            if ids is not None:
                raise TypeError("reset() takes ids or a mask, not both")
            mask = np.asarray(mask)
            if mask.dtype != bool or mask.shape != (self.nworld,):
                raise ValueError(
                    f"a mask has {self.nworld} bools, got {mask.dtype} of shape {mask.shape}"
                )
            ids = np.flatnonzero(mask)
        batch.reset(_ids(ids, self.nworld), key)

    # ---- fields ----

    def output(self, *names):
        """Gather fields of the data after each step(), forward() and rollout(). They are attributes from
        then on, zero until the first such call."""
        batch = self._open()
        for name in names:
            batch.output(name)
            if name not in self._outputs:
                self._outputs.append(name)
                self._history.append(("output", name))

    @property
    def outputs(self):
        """Names of the outputs, in the order in which they were registered."""
        self._open()
        return tuple(self._outputs)

    def vary(self, *names):
        """Give every world its own values of real fields of the model ("body_mass", "opt.gravity"). They
        start as those of the model, and are attributes from then on. update()
        recomputes what depends on them."""
        batch = self._open()
        for name in names:
            batch.vary(name)
            if name not in self._values:
                self._values.append(name)
                self._history.append(("vary", name))

    def update(self):
        """Compute the constants that depend on the values of each world's model: Model.update() for every world."""
        self._open().update()
        if ("update",) not in self._history:
            self._history.append(("update",))

    def set_noise(self, seed):
        """Let sensors with a `noise` attribute be noisy: world w is as Data.set_noise(seed, w)."""
        self._open().set_noise(True, seed_of(seed))
        self.__dict__["_noise"] = seed

    def clear_noise(self):
        """No noise, as at first."""
        self._open().set_noise(False, 0)
        self.__dict__["_noise"] = None

    # ---- single worlds

    def data(self, world):
        """A Data with the state of a world, and everything computed for it as forward() does: contacts, rows of
        constraints and whatever is no output. It is a copy; its model has the values of the world."""
        world = _world(world, self.nworld)
        data = Data(self.world_model(world))
        _core.set_state(data.model, data, self.get("state", [world])[0], State.INTEGRATION)
        if self._noise is not None:
            data.set_noise(self._noise, self._options["first_world"] + world)
        _core.forward(data.model, data)
        return data

    def world_model(self, world):
        """The model of a world: that of the batch, or a copy with the world's own values where some were given."""
        world = _world(world, self.nworld)
        if not self._values:
            return self._model
        model = self._model.copy()
        for name in self._values:
            *groups, last = name.split(".")
            owner = model
            for group in groups:
                owner = getattr(owner, group)
            setattr(owner, last, self.get(name, [world])[0])
        if ("update",) in self._history:
            model.update()
        return model

    def render(self, ids=None, height=120, width=160, *, camera=None, columns=None, **options):
        """A picture of worlds side by side, the first 16 unless `ids` names others: an array of bytes. `camera` is what
        Renderer.update() takes, `options` are those of a Renderer."""
        from ._render import Renderer

        ids = list(range(min(self.nworld, 16)) if ids is None else ids)
        if not ids:
            raise ValueError("a picture needs a world")
        columns = min(len(ids), int(np.ceil(np.sqrt(len(ids))))) if columns is None else operator.index(columns)
        if columns < 1:
            raise ValueError(f"columns must be positive, got {columns}")
        picture = np.zeros((-(-len(ids) // columns) * height, columns * width, 3), np.uint8)
        with Renderer(self._model, height, width, **options) as renderer:
            for i, world in enumerate(ids):
                renderer.update(self.data(world), camera)
                y, x = i // columns * height, i % columns * width
                picture[y : y + height, x : x + width] = renderer.render()
        return picture

    def contacts(self, world):
        """The contacts of a world in its current state, as `Data.contact` gives them."""
        return self.data(world).contact

    def contact_forces(self, world):
        """Forces and torques of these contacts in their own frames, of shape (contacts, 6): see contact_force()."""
        data = self.data(world)
        forces = [contact_force(data.model, data, i) for i in range(data.ncon)]
        return np.array(forces, _core.real).reshape(data.ncon, 6)

    def view(self, name):
        """A part of the state, an output or model values, by name, without a copy. "state" is all of it."""
        batch = self._open()
        if name not in _STATE_NAMES and name not in self._outputs and name not in self._values:
            raise _missing(self, name)
        array = batch.array(name, batch.shape(name), name not in _STATE_NAMES)
        if array.device >= 0:
            return array
        return _as_is(name, np.asarray(array))

    def get(self, name, ids=None):
        """A copy of what view() gives, on the host, for all worlds or those with the given ids (a list or a
        slice); also of a field of the data that is no output yet: it becomes one, computed for the current
        state."""
        batch, ids = self._open(), _ids(ids, self.nworld)
        shape = batch.shape(name)
        if shape is None:
            raise _missing(self, name)
        count = self.nworld if ids is None else len(ids)
        values = np.empty((count, *shape), _core.real)
        batch.transfer(name, ids, values, False)
        if name in _DATA_NAMES and name not in (*_STATE_NAMES, *self._values, *self._outputs):
            self._outputs.append(name)
            self._history.append(("output", name))
        return _as_is(name, values)

    def set(self, name, values, ids=None):
        """Set a part of the state or model values, for all worlds or those with the given ids. Values have
        a row for each world, or are the same for all."""
        batch, ids = self._open(), _ids(ids, self.nworld)
        shape = batch.shape(name)
        if shape is None:
            raise _missing(self, name)
        shape = (self.nworld if ids is None else len(ids), *shape)
        values = _numbers(values, name)
        if values.shape not in (shape, shape[1:], ()):
            raise ValueError(f"{name} has shape {shape}, got {values.shape}")
        values = np.ascontiguousarray(np.broadcast_to(values, shape))
        batch.transfer(name, ids, values, True)

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return self.view(name)

    def __setattr__(self, name, value):
        if name in _STATE_NAMES or name in self._values or name in self._outputs:
            self.set(name, value)
        else:
            raise _missing(self, name)

    def __dir__(self):
        return sorted({*object.__dir__(self), *_STATE_NAMES, *self._outputs, *self._values})

    # ---- reports ----

    @property
    def status(self):
        """The first problem of each world since its last reset (corten.Status), 0 for none; a copy."""
        return np.frombuffer(self._open().status(), np.int32)

    @property
    def warnings(self):
        """The warnings each world has counted, a copy: `warnings.number[:, corten.WarningType.BADQACC]`."""
        records = np.frombuffer(self._open().warnings(), record_dtype("warning"))
        return records.reshape(self.nworld, -1).view(np.recarray)

    def save(self):
        """Everything needed to continue the worlds bit for bit, as bytes."""
        return self._open().save()

    def restore(self, saved):
        """Back to what save() of a batch with the same model, worlds, outputs and values gave."""
        self._open().restore(saved)

    def save_worlds(self, first=0, count=None):
        """The same for some worlds, as records of one size: for moving them to another batch."""
        return self._open().save_worlds(first, self.nworld - first if count is None else count)

    def load_worlds(self, saved, first=0, count=None):
        """Go on from such records of a batch with the same model, outputs and values."""
        self._open().load_worlds(first, self.nworld - first if count is None else count, saved)

    def hash(self):
        """A number that stands for the states of all worlds, bit for bit; those of the parts of a larger batch add up to that of
        the whole, modulo 2**64."""
        return self._open().hash()


def _as_is(name, values):
    """Whole numbers and truth as such, as a copy that cannot be written to; reals as they are."""
    kind = _WHOLE.get(name)
    if kind is None or name in _STATE_NAMES:
        return values
    values = values.astype(kind)
    values.flags.writeable = False
    return values


def _saved_worlds(saved):
    """The number of worlds that save() wrote: it stands after the mark and the signature of the model."""
    return int(np.frombuffer(saved, np.int32, 1, 16)[0])


def _world(world, nworld):
    world = _whole(world, "world")
    if not -nworld <= world < nworld:
        raise IndexError(f"there is no world {world}: they are 0 to {nworld - 1}")
    return world % nworld


def _whole(value, name):
    try:
        return operator.index(value)
    except TypeError:
        raise TypeError(f"{name} must be a whole number, got {value!r}") from None


def _numbers(values, name):
    values = np.asarray(values)
    if not casts(values.dtype, np.dtype(_core.real)):
        raise TypeError(f"{name} is made of {np.dtype(_core.real)}, got {values.dtype}")
    return values.astype(_core.real, copy=False)


def _ids(ids, nworld):
    """Ids as an array of int32, None for all worlds. The engine checks whether they exist."""
    if ids is None:
        return None
    if isinstance(ids, slice):
        ids = np.arange(nworld)[ids]
    ids = np.asarray(ids)
    if ids.size == 0:
        return np.empty(0, np.int32)
    if ids.dtype.kind not in "iu" or ids.ndim > 1:
        raise TypeError(f"ids are whole numbers in one dimension, got {ids.dtype} of shape {ids.shape}")
    limits = np.iinfo(np.int32)
    return np.ascontiguousarray(np.clip(np.atleast_1d(ids), limits.min, limits.max), np.int32)


def _missing(batch, name):
    """Why there is no such attribute, and the remedy."""
    if name in _MODEL_NAMES:
        text = f"{name} is the same in all worlds: call vary({name!r}) first"
    elif name in _DATA_NAMES:
        text = f"{name} is not gathered: call output({name!r}) first"
    else:
        return no_attribute(batch, name, (*_STATE_NAMES, *_DATA_NAMES, *_MODEL_NAMES))
    return AttributeError(text, name=name, obj=batch)
