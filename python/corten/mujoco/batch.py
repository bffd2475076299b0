"""Many simulations of a model on threads: `batch.Batch(model, nsim, nthread)`, as MuJoCo's module has it.

Each simulation has an MjData of its own, and a model of its own once a field is expanded. `corten.Batch` is the faster way: its
worlds are stepped side by side in C, and on a GPU.
"""

import difflib
import os
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from corten import Error, _core
from corten._fields import DATA_FIELDS as _DATA
from corten._fields import MODEL_FIELDS as _MODEL

from . import _callbacks
from ._callbacks import get_mju_user_warning
from ._arguments import REAL
from ._enums import mjtEnableBit, mjtSleepPolicy, mjtStage, mjtState, mjtWarning
from ._errors import FatalError
from ._functions import (
    mj_comPos,
    mj_forward,
    mj_fwdPosition,
    mj_fwdVelocity,
    mj_jac,
    mj_kinematics,
    mj_ray,
    mj_resetData,
    mj_resetDataKeyframe,
    mj_setConst,
    mj_stateSize,
    mj_step,
)
from ._steps import raise_of_clock
from ._structs import MjData, MjModel

_SPEC = int(mjtState.mjSTATE_INTEGRATION)
_ACC, _NONE = int(mjtStage.mjSTAGE_ACC), int(mjtStage.mjSTAGE_NONE)

# the parts of a state by the name of their field, in the order of their bits
_PARTS = {
    {"warmstart": "qacc_warmstart", "plugin": "plugin_state"}.get(name, name): int(value)
    for key, value in mjtState.__members__.items()
    for name in [key.removeprefix("mjSTATE_").lower()]
    if int(value) & (int(value) - 1) == 0 and key != "mjNSTATE" and int(value) & _SPEC
}
_COUNTS = ("ncon", "ne", "nf", "nl", "nefc", "nJ", "nA", "nisland", "nidof")
DATA_FIELDS = frozenset(
    [*(f.name for f in _DATA if f.place in ("array", "inside") and f.ndim > 0 and f.code in "difB?q"), *_COUNTS, *_PARTS]
) - {"plugin_state", "plugin", "plugin_data"}  # fmt: skip
_ASSETS = ("mesh_", "tex_data", "hfield_data", "skin_", "text_", "name", "paths", "oct_", "bvh_child", "bvh_depth", "bvh_nodeid")
MODEL_FIELDS = frozenset(
    f.name for f in _MODEL
    if (f.place == "array" and f.code in "difB?q" and not f.name.startswith(_ASSETS)) or f.name.startswith("opt.")
)  # fmt: skip


class SimulationError(Exception):
    """Some simulations of a call failed: `ids` are their numbers; they kept their states, the others ran."""

    def __init__(self, ids, message, ncall=None):
        super().__init__(message)
        self.ids, self.ncall = ids, ncall


def _near(name, names):
    found = difflib.get_close_matches(name, names, n=1)
    return f"; did you mean {found[0]!r}?" if found else ""


def _structural(field, part):
    """Whether the numbers of a model field lead to others, and are the same in every simulation."""
    free = field.endswith(("contype", "conaffinity", "condim", "group", "priority"))
    return part.dtype.kind in "iu" and part.dtype.itemsize >= 4 and not free


def _ids(ids, nsim):
    """Numbers of simulations, in order; None for all."""
    if ids is None:
        return None
    ids = np.asarray(ids)
    if ids.dtype == bool:
        if ids.shape != (nsim,):
            raise ValueError(f"a mask has shape ({nsim},), got {ids.shape}")
        return None if ids.all() else np.flatnonzero(ids)
    if ids.ndim != 1 or (ids.size and ids.dtype.kind not in "iu"):
        raise ValueError("ids should be a list of integers")
    ids = ids.astype(np.int64)
    for i in ids:
        if not 0 <= i < nsim:
            raise ValueError(f"ids should be in [0, {nsim}), got {i}")
    for a, b in zip(ids, ids[1:]):
        if a >= b:
            raise ValueError(f"ids should increase, got {a} before {b}")
    return ids


def _is_its_state(model):
    """Whether nothing but the state of a simulation is the simulation's own: then one data can step them all."""
    return model.nflex == model.nplugin == 0 and not model.opt.enableflags & mjtEnableBit.mjENBL_SLEEP


def _whole(x, shape, low, high, name):
    values = np.asarray(x)
    if values.dtype.kind not in "iu" or (values.size and (values.min() < low or values.max() >= high)):
        raise ValueError(f"{name} should be integers in [{low}, {high}), got {x}")
    return np.broadcast_to(values, shape)


class Batch:
    """`nsim` simulations of a copy of a model, on `nthread` threads (0: as many as there are processors)."""

    def __init__(self, model, nsim, nthread=0, persistent=False):
        if model.opt.enableflags & mjtEnableBit.mjENBL_SLEEP and not persistent:
            raise ValueError("a model with sleeping needs persistent=True")
        if (model.tree_sleep_policy == mjtSleepPolicy.mjSLEEP_INIT).any():  # data are made by a step
            self._check_callbacks()
        set_ = self.__dict__
        set_["_model"] = model.__copy__()
        set_["nsim"], set_["nthread"], set_["persistent"] = int(nsim), int(nthread) or os.cpu_count(), persistent
        set_["_datas"] = [MjData(self._model) for _ in range(nsim)]
        set_["_shared"] = [] if persistent or not _is_its_state(model) else [MjData(self._model) for _ in range(min(nsim, self.nthread))]
        for data in (*self._datas, *self._shared) if not persistent else ():  # nobody sees their timers
            _core.set_timing(data, 0)
        set_["_models"], set_["models"] = None, None
        set_["_pool"] = ThreadPoolExecutor(self.nthread)
        set_["nstate"] = mj_stateSize(self._model, _SPEC)
        set_["state"] = np.zeros((nsim, self.nstate), REAL)
        set_["_bound"], set_["_expanded"], set_["_derived"] = {}, {}, {}
        set_["_status"], set_["_errors"] = np.zeros(nsim, np.int32), [""] * nsim
        set_["warning"] = np.zeros((nsim, int(mjtWarning.mjNWARNING), 2), np.int32)
        at = 0
        for name, bit in _PARTS.items():
            width = mj_stateSize(self._model, bit)
            part = self.state[:, at : at + width]
            shape = np.shape(getattr(self._datas[0], name, 0.0))
            self._bound[name] = part[:, 0] if name == "time" else part.reshape(nsim, *shape) if shape and width else part
            at += width
        for i in range(nsim):
            _core.get_state(self._model, self._datas[i], self.state[i], _SPEC)

    @property
    def status(self):
        view = self._status.view()
        view.flags.writeable = False
        return view

    def error(self, sim):
        """What went wrong in a simulation in its last call, "" when nothing did."""
        return self._errors[sim]

    # ---- fields

    def bind(self, name):
        """A field of all simulations, (nsim, ...): a view of the state, or filled by every call."""
        found = self._bound.get(name)
        if found is None:
            if name not in DATA_FIELDS:
                raise ValueError(self._not_bindable(name))
            template = np.asarray(getattr(self._datas[0], name))
            kind = np.int32 if name in _COUNTS else template.dtype
            found = self._bound[name] = np.zeros((self.nsim, *template.shape), kind)
            for i, data in enumerate(self._datas):
                found[i] = getattr(data, name)
        if name in _PARTS:
            return found
        view = found.view()
        view.flags.writeable = False
        return view

    def _not_bindable(self, name):
        if name in MODEL_FIELDS:
            return f"{name!r} is a field of the model: use expand({name!r})"
        if f"opt.{name}" in MODEL_FIELDS:
            return f"{name!r} is an option: use expand('opt.{name}')"
        if any(f.name == name and f.place == "arena" for f in _DATA):
            return f"{name!r} is in the arena, its size changes"
        if isinstance(getattr(MjData, name, None), property):
            return f"{name!r} cannot be bound; scalars bind() accepts: {', '.join(sorted(_COUNTS))}"
        return f"no field {name!r}{_near(name, DATA_FIELDS)}"

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        try:
            return self.bind(name)
        except ValueError as error:
            raise AttributeError(str(error)) from None

    def __setattr__(self, name, value):
        if name in _PARTS:
            self.bind(name)[...] = value
        elif name in DATA_FIELDS:
            raise ValueError(f"{name} is computed by every call: what is written there would be lost")
        else:
            raise AttributeError(f"a Batch has no field {name!r} to write{_near(name, DATA_FIELDS)}")

    def _template(self, name):
        owner = self._model.opt if name.startswith("opt.") else self._model
        values = np.asarray(getattr(owner, name.removeprefix("opt.")))
        if values.dtype == np.int64 and name.startswith("opt."):
            values = values.astype(np.int32)
        if name == "bvh_aabb":
            values = values[: self._body_nodes()]
        return values

    def _body_nodes(self):
        model = self._model
        owned = model.body_bvhadr >= 0
        return int((model.body_bvhadr + model.body_bvhnum)[owned].max(initial=0))

    def expand(self, name):
        """Give a field of the model values of its own in every simulation, (nsim, ...)."""
        if self.models is not None:
            raise FatalError("expand: the caller's models are set; set_models(None) first")
        if name not in MODEL_FIELDS:
            if f"opt.{name}" in MODEL_FIELDS:
                raise ValueError(f"{name!r} is an option: use expand('opt.{name}')")
            if name in DATA_FIELDS:
                raise ValueError(f"{name!r} is a field of the data: use bind({name!r})")
            if any(f.name == name for f in _MODEL):
                raise ValueError(f"{name!r} is asset data, or shared for another reason: it cannot be expanded")
            raise ValueError(f"no field {name!r}{_near(name, MODEL_FIELDS)}")
        if name not in self._expanded:
            self._own_models()
            template = self._template(name)
            values = self._derived.pop(name, None)
            self._expanded[name] = np.tile(template, (self.nsim, *[1] * template.ndim)) if values is None else values
        return self._expanded[name]

    def expanded(self, name):
        """The values that expand() or set_const() gave a field, read-only; None where it is shared."""
        if name not in MODEL_FIELDS:
            raise ValueError(f"no field {name!r} of the model{_near(name, MODEL_FIELDS)}")
        found = self._expanded.get(name, self._derived.get(name))
        if found is None:
            return None
        view = found.view()
        view.flags.writeable = False
        return view

    def _own_models(self):
        if self._models is None:
            self.__dict__["_models"] = [self._model.__copy__() for _ in range(self.nsim)]

    def _model_of(self, i):
        if self.models is not None:
            return self.models if isinstance(self.models, MjModel) else self.models[i]
        if self._models is None:
            return self._model
        model, kinds = self._models[i], False
        for name, values in self._expanded.items():
            _put(model, name, values[i])
            kinds = kinds or values.dtype.kind == "i"
        if kinds:  # kinds and indices that are none would lead astray
            try:
                _core.check_model(model)
            except Error as error:
                raise FatalError(str(error)) from error
        return model

    # ---- calls

    @staticmethod
    def _check_callbacks():
        for kind in ("control", "passive", "contactfilter", "sensor", "act_dyn", "act_gain", "act_bias"):
            function = getattr(_callbacks, f"get_mjcb_{kind}")()
            if function is not None and not _callbacks.is_of_c(function):
                raise ValueError(f"mjcb_{kind} is a function of Python, which threads cannot call")

    def _run(self, ids, work, count=None):
        self._check_callbacks()
        chosen = range(self.nsim) if ids is None else ids.tolist()

        def one(i):
            self._status[i], self._errors[i] = 0, ""
            data, before = self._datas[i], self.state[i].copy()
            counted = data.warning.number.copy()
            try:
                model = self._model_of(i)
                work(i, model, data)
            except (FatalError, ValueError) as error:
                self._status[i], self._errors[i] = 1, str(error)
                self.state[i] = before
                return
            for name, values in self._bound.items():
                if name not in _PARTS:
                    values[i] = getattr(data, name)
            new = np.maximum(data.warning.number - counted, 0)
            self.warning[i, :, 1] += new
            self.warning[i, new > 0, 0] = data.warning.lastinfo[new > 0]

        list(self._pool.map(one, chosen))
        failed = np.array([i for i in chosen if self._status[i]], np.int64)
        if failed.size:
            text = ", ".join(map(str, failed))
            raise SimulationError(
                failed, f"{failed.size} of {count or len(chosen)} simulations ({text}); simulation {failed[0]}: {self.error(failed[0])}"
            )

    def _advance(self, ids, nstep, stage, work):
        """Simulations by one call for each thread; those that cannot be run so by `work`, which finds the words."""
        self._check_callbacks()
        chosen = np.arange(self.nsim, dtype=np.int32) if ids is None else ids.astype(np.int32)
        try:
            if isinstance(self.models, MjModel) or self.models is self._models is None:
                models = (self._model_of(0),)
            else:
                for i in chosen.tolist():
                    self._model_of(i)
                models = self.models or self._models
        except FatalError:
            self._run(ids, work)
            return
        how = (_SPEC, int(nstep), int(stage), self.nsim)
        fields = tuple(part for name, values in self._bound.items() if name not in _PARTS for part in (name, values))
        for i in np.flatnonzero(self._status[chosen]):
            self._status[chosen[i]], self._errors[chosen[i]] = 0, ""

        # a step computes everything anew; the caller's warning handler hears of each simulation by itself
        shared = nstep > 0 and self._shared and models[0] is self._model and get_mju_user_warning() is None

        def run(worker, share):
            datas = [self._shared[worker]] if shared else self._datas
            return _core.step_worlds(models, datas, share, self.state, how, self.warning, fields)

        workers = min(self.nthread, len(chosen))
        shares = np.array_split(chosen, workers) if workers > 1 else [chosen]
        tasks = range(len(shares)), shares
        left = [i for part in (self._pool.map(run, *tasks) if workers > 1 else map(run, *tasks)) for i in part]
        raise_of_clock()
        if left:
            self._run(np.array(left), work, len(chosen))

    def _load(self, i, model, data):
        row = self.state[i]
        if np.isfinite(row).all():
            _core.set_state(model, data, row, _SPEC)
            return
        for name in _PARTS:  # numbers that are none are for the step to find
            if name == "time":
                data.time = self._bound["time"][i]
            elif hasattr(data, name):
                getattr(data, name)[...] = self._bound[name][i].reshape(getattr(data, name).shape)

    def _store(self, i, model, data):
        _core.get_state(model, data, self.state[i], _SPEC)

    def _stages(self, model, data, stage):
        if stage >= _ACC:
            mj_forward(model, data)
        elif stage > _NONE:
            mj_fwdPosition(model, data)
            if stage >= int(mjtStage.mjSTAGE_VEL):
                mj_fwdVelocity(model, data)

    def step(self, ids=None, nstep=1, stage=_NONE):
        """Advance by nstep steps; `stage` (mjtStage): compute the stages up to it at the new state."""

        def work(i, model, data):
            self._load(i, model, data)
            mj_step(model, data, int(nstep))
            self._stages(model, data, int(stage))
            self._store(i, model, data)

        self._advance(_ids(ids, self.nsim), nstep, stage, work)

    def forward(self, ids=None, stage=_ACC):
        """Compute the stages up to `stage` without advancing."""

        def work(i, model, data):
            self._load(i, model, data)
            self._stages(model, data, int(stage))
            self._store(i, model, data)

        self._advance(_ids(ids, self.nsim), 0, stage, work)

    def reset(self, ids=None, keyframe=-1, stage=_ACC):
        """Back to the default state (-1) or to keyframes, one for all or one each; then compute stages."""
        ids = _ids(ids, self.nsim)
        chosen = np.arange(self.nsim) if ids is None else ids
        keys = dict(zip(chosen.tolist(), _whole(keyframe, (len(chosen),), -1, self._model.nkey, "keyframe").tolist()))

        self.warning[chosen] = 0

        def work(i, model, data):
            if keys[i] < 0:
                mj_resetData(model, data)
            else:
                mj_resetDataKeyframe(model, data, keys[i])
            self._stages(model, data, int(stage))
            self._store(i, model, data)

        self._run(ids, work)

    def set_const(self, ids=None):
        """mj_setConst in every simulation; what it derives has values of its own then."""
        if self.models is not None:
            raise FatalError("set_const: the caller's models are set; set_models(None) first")
        self._own_models()
        names = [name for name in _CONSTANTS if name not in self._expanded]
        values = {name: np.stack([self._template(name)] * self.nsim) for name in names if name not in self._derived}
        self._derived.update(values)

        def work(i, model, data):
            spare = MjData(model)
            mj_setConst(model, spare)
            for name in names:
                self._derived[name][i] = np.asarray(getattr(model, name))[: self._derived[name].shape[1]]
            for name, values in self._expanded.items():
                if name in _CONSTANTS:
                    values[i] = np.asarray(getattr(model, name))[: values.shape[1]]

        self._run(_ids(ids, self.nsim), work)

    def set_models(self, models):
        """Run simulation i on models[i], or all on one model; None: on the batch's own."""
        if models is not None and (self._expanded or self._derived):
            raise FatalError("set_models: the batch has per-simulation fields")
        if models is None or isinstance(models, MjModel):
            self.__dict__["models"] = models
            return
        models = tuple(models)
        if len(models) != self.nsim:
            raise ValueError(f"set_models wants a model per simulation, {self.nsim}, got {len(models)}")
        self.__dict__["models"] = models

    def get_model(self, sim, model=None):
        """A copy of the model that a simulation runs on."""
        self._check_sim(sim)
        found = self._model_of(sim)
        if model is None:
            return found.__copy__()
        for field in _MODEL:
            if field.place == "array" and field.code in "difB?q":
                getattr(model, field.name)[...] = getattr(found, field.name)
        model.opt = found.opt
        return model

    def get_data(self, sim, data=None):
        """A copy of the data of a simulation."""
        self._check_sim(sim)
        model = self._model_of(sim)
        data = MjData(model) if data is None else data
        if self.persistent:
            _core.copy_into(model, data, self._datas[sim])
        _core.set_state(model, data, self.state[sim], _SPEC)
        return data

    def _check_sim(self, sim):
        if not 0 <= sim < self.nsim:
            raise IndexError(f"simulations are in [0, {self.nsim}), got {sim}")

    def rollout(self, nstep, control=None, control_spec=int(mjtState.mjSTATE_CTRL), record=("qpos",), ids=None, out=None):
        """Advance by nstep steps with a control for each, and record fields or parts of the state after each."""
        ids = _ids(ids, self.nsim)
        chosen = list(range(self.nsim)) if ids is None else ids.tolist()
        place = {i: k for k, i in enumerate(chosen)}
        out, data = dict(out or {}), self._datas[0]
        for item in record:
            if isinstance(item, str):
                if item not in DATA_FIELDS:
                    raise ValueError(self._not_bindable(item))
                template = np.asarray(getattr(data, item))
                shape, kind = template.shape, np.int32 if item in _COUNTS else template.dtype
            else:
                shape, kind = (mj_stateSize(self._model, item),), REAL
            whole = (len(chosen), nstep, *shape)
            if item in out:
                if not isinstance(out[item], np.ndarray) or out[item].shape != whole or out[item].dtype != kind:
                    raise ValueError(f"out[{item!r}] should be an array of {np.dtype(kind).name} of shape {whole}")
            else:
                out[item] = np.empty(whole, kind)
        if control is not None:
            width = mj_stateSize(self._model, control_spec)
            control = np.ascontiguousarray(control, REAL)
            if control.shape != (len(chosen), nstep, width):
                raise ValueError(f"control should have shape {(len(chosen), nstep, width)}, got {control.shape}")

        def work(i, model, data):
            self._load(i, model, data)
            k = place[i]
            for t in range(nstep):
                if control is not None:
                    _core.set_state(model, data, control[k, t], int(control_spec))
                before = int(data.warning.number.sum())
                mj_step(model, data)
                for item in record:
                    if isinstance(item, str):
                        out[item][k, t] = getattr(data, item)
                    else:
                        _core.get_state(model, data, out[item][k, t], int(item))
                if int(data.warning.number.sum()) != before:  # it diverged: the rest repeats what was
                    for item in record:
                        out[item][k, t + 1 :] = out[item][k, t]
                    break
            self._store(i, model, data)

        self._run(ids, work)
        return {item: out[item] for item in record}

    def jac(self, body, point, ids=None):
        """(jacp, jacr) of a world point on a body in each simulation, from its state."""
        ids = _ids(ids, self.nsim)
        chosen = list(range(self.nsim)) if ids is None else ids.tolist()
        bodies = _whole(body, (len(chosen),), 0, self._model.nbody, "body")
        points = np.broadcast_to(np.asarray(point, REAL), (len(chosen), 3))
        jacp, jacr = (np.zeros((len(chosen), 3, self._model.nv), REAL) for _ in range(2))
        for k, i in enumerate(chosen):
            model, data = self._model_of(i), self._spare(i)
            mj_kinematics(model, data)
            mj_comPos(model, data)
            mj_jac(model, data, jacp[k], jacr[k], points[k], int(bodies[k]))
        return jacp, jacr

    def ray(self, pnt, vec, geomgroup=None, flg_static=True, bodyexclude=-1, ids=None, normal=False):
        """(distances, geoms[, normals]) of rays in each simulation, from its state."""
        ids = _ids(ids, self.nsim)
        chosen = list(range(self.nsim)) if ids is None else ids.tolist()
        pnt, vec = np.asarray(pnt, REAL), np.asarray(vec, REAL)
        pnt, vec = (a.reshape(1, 1, 3) if a.ndim == 1 else a[None] if a.ndim == 2 else a for a in (pnt, vec))
        nray = max(pnt.shape[1], vec.shape[1])
        pnt, vec = (np.broadcast_to(a, (len(chosen), nray, 3)) for a in (pnt, vec))
        exclude = _whole(bodyexclude, (nray,), -1, self._model.nbody, "bodyexclude")
        dist, geom = np.zeros((len(chosen), nray), REAL), np.zeros((len(chosen), nray), np.int32)
        normals = np.zeros((len(chosen), nray, 3), REAL)
        for k, i in enumerate(chosen):
            model, data = self._model_of(i), self._spare(i)
            mj_kinematics(model, data)
            for j in range(nray):
                hit = np.zeros(1, np.int32)
                dist[k, j] = mj_ray(model, data, pnt[k, j], vec[k, j], geomgroup, flg_static, int(exclude[j]), hit, normals[k, j])
                geom[k, j] = hit[0]
        return (dist, geom, normals) if normal else (dist, geom)

    def _spare(self, i):
        """A data at the state of a simulation, whose own stays as it is."""
        model = self._model_of(i)
        data = self.__dict__.setdefault("_extra", MjData(self._model))
        _core.set_state(model, data, self.state[i], _SPEC)
        return data


# what mj_setConst derives
_CONSTANTS = ("body_subtreemass", "body_invweight0", "dof_invweight0", "dof_M0", "tendon_length0", "tendon_invweight0",
              "actuator_length0", "actuator_acc0")  # fmt: skip


def _put(model, name, value):
    owner = model.opt if name.startswith("opt.") else model
    name = name.removeprefix("opt.")
    if np.ndim(value) == 0:
        setattr(owner, name, value.item())
    else:
        getattr(owner, name)[: len(value)] = value


class _Named:
    """One object in all simulations: its rows of the fields of data and model, (nsim, ...)."""

    def __init__(self, batch, kind, key, data):
        model = batch._model
        view = getattr(model, kind)(key)
        self.__dict__.update(_batch=batch, _kind=kind, id=view.id, name=view.name, _data=data)

    def _find(self, attribute):
        """(field, in the data?, the view of the first simulation)"""
        batch = self._batch
        owners = [(batch._datas[0], True)] if self._data else []
        for owner, of_data in (*owners, (batch._model, False)):
            views = getattr(owner, self._kind, None)
            row = type(views(self.id))._rows.get(attribute) if views else None
            if row is not None:
                return row[0], of_data, getattr(views(self.id), attribute)
        known = [*getattr(batch._model, self._kind)(self.id)._rows]
        if self._data:
            views = getattr(batch._datas[0], self._kind)(self.id)
            known += [*views._rows]
            if attribute in dir(views):
                raise AttributeError(f"{attribute!r} is not a slice of a field")
        raise AttributeError(f"{attribute!r} is not a field of a {self._kind}{_near(attribute, known)}")

    def _slice(self, whole, field, view, of_data):
        """The part of (nsim, ...) values that a view is of the field of one simulation."""
        owner = self._batch._datas[0] if of_data else self._batch._model
        base = np.asarray(getattr(owner, field))
        if view.size == 0:
            return np.zeros((self._batch.nsim, *view.shape), base.dtype)
        start = (view.__array_interface__["data"][0] - base.__array_interface__["data"][0]) // base.itemsize
        width = int(np.prod(base.shape[1:], dtype=int))
        first, rows = start // width, max(1, view.size // width)
        part = whole[:, first : first + rows]
        return part[:, 0] if view.ndim < part.ndim - 1 else part

    def __getattr__(self, attribute):
        field, of_data, view = self._find(attribute)
        batch = self._batch
        if of_data:
            return self._slice(batch.bind(field), field, view, True)
        if field in batch._expanded:
            return self._slice(batch._expanded[field], field, view, False)
        if field in batch._derived:
            values = self._slice(batch._derived[field], field, view, False).view()
        else:
            values = np.stack([getattr(getattr(batch._model_of(i), self._kind)(self.id), attribute) for i in range(batch.nsim)])
        values.flags.writeable = False
        return values

    def __setattr__(self, attribute, value):
        if attribute in ("id", "name"):
            raise AttributeError(f"{attribute} cannot be set")
        field, of_data, view = self._find(attribute)
        batch = self._batch
        if of_data:
            if field not in _PARTS:
                raise ValueError(f"{field} is computed by every call: what is written there would be lost")
            self._slice(batch.bind(field), field, view, True)[...] = value
            return
        if batch.models is not None:
            raise ValueError("the caller's models are set with set_models: write to them")
        if _structural(field, np.asarray(view)) and field not in batch._expanded:
            raise ValueError(f"{field} is structural: it is the same in every simulation")
        self._slice(batch.expand(field), field, view, False)[...] = value


def _add_kinds():
    both = ("actuator", "body", "camera", "geom", "joint", "light", "sensor", "site", "tendon")
    for kind in (*both, "equality", "keyframe", "material", "numeric", "pair"):

        def accessor(self, key, kind=kind):
            return _Named(self, kind, key, kind in both)

        accessor.__name__, accessor.__doc__ = kind, f"The {kind} with a name or number, in all simulations."
        setattr(Batch, kind, accessor)


_add_kinds()
