"""Model and Data."""

import operator
import os

import numpy as np

from . import _core, _named
from ._enums import ObjType, Status
from ._fields import DATA_FIELDS, MODEL_FIELDS, Fields, with_fields


def _urdf(lossless=True, mujoco=False, floating_base=False, actuators=False, package_path=None, balance_inertia=False, bound_mass=0, bound_inertia=0, total_mass=0, strict_inertia=False):
    """The options of URDF for the core."""
    if min(bound_mass, bound_inertia, total_mass) < 0:
        raise ValueError("bound_mass, bound_inertia and total_mass must not be negative")
    if package_path is not None:
        single = isinstance(package_path, (str, os.PathLike))
        package_path = os.pathsep.join(os.fspath(folder) for folder in ([package_path] if single else package_path))
    return (mujoco or not lossless, floating_base, actuators, package_path, balance_inertia, bound_mass, bound_inertia, total_mass, strict_inertia)


def _plugins(paths):
    """The plugins of libraries, for the loader: one path, several, or None."""
    if paths is None:
        return None
    return _core.open_plugins((paths,) if isinstance(paths, (str, bytes, os.PathLike)) else tuple(paths))


class Model(Fields):
    """A compiled model. Created by `from_xml_path`, `from_xml_string` or `Spec.compile`, shared by any number of Data."""

    __module__ = "corten"

    def __init__(self):
        raise TypeError("use Model.from_xml_path(path) or Model.from_xml_string(text)")

    @classmethod
    def _of(cls, block):
        model = cls.__new__(cls)
        Fields.__init__(model, block)
        return model

    @classmethod
    def from_xml_path(cls, path, assets=None, *, max_memory=0, max_elements=0, max_arena=0, plugins=None):
        """Load a model file. `assets` maps names of files to bytes; they are looked up before the disk is.

        max_memory is how many bytes loading may take, max_elements how many elements replicas and attached models may have,
        max_arena how far the arena of a Data may grow; 0 stands for the default. A model that asks for more is an Error.

        `plugins` is the path of a shared library with plugins, or several. Their code runs in this process, and they stay open.
        """
        return cls._of(_core.load_path(os.fspath(path), assets, (max_memory, max_elements, max_arena, _plugins(plugins))))

    @classmethod
    def from_xml_string(cls, text, assets=None, *, max_memory=0, max_elements=0, max_arena=0, plugins=None):
        """Load a model from text. `assets` maps names of files the text refers to, to bytes. Limits: as from_xml_path()."""
        return cls._of(_core.load_string(text, assets, (max_memory, max_elements, max_arena, _plugins(plugins))))

    @classmethod
    def from_urdf(cls, path, assets=None, **options):
        """Load a URDF file. Options: as Spec.from_urdf(), which reads it for editing."""
        return cls._of(_core.load_path(os.fspath(path), assets, (0, 0, 0, None, _urdf(**options))))

    @classmethod
    def from_bytes(cls, content):
        """The model that to_bytes() wrote, bit for bit; or one in MuJoCo's binary form (.mjb)."""
        return cls._of(_core.model_of_bytes(content, ()))

    def to_bytes(self):
        """The model in binary form, as save() writes it to a .ctb file."""
        return _core.model_bytes(self)

    def to_mjb(self):
        """The model in MuJoCo 4.0's own binary form (.mjb), which from_xml_path() and from_bytes() read, too."""
        return _core.model_mjb(self)

    @property
    def remarks(self):
        """Remarks made when the model was loaded: settings without effect, unused elements. A tuple of lines."""
        return _core.remarks(self)

    def save(self, path):
        """Write the model: as MJCF where the path ends in .xml or .mjcf, in MuJoCo's binary form for .mjb, else in our own (.ctb).

        MJCF says every number as it was compiled. What its text has no place for, pictures and some meshes, is written
        to files beside it, whose names begin like its own. Remarks on what does not come back as it was are returned.
        """
        path = os.fspath(path)
        if path.endswith((".xml", ".mjcf")):
            return tuple(text for _, text in _core.save_mjcf(self, path))
        if path.endswith(".mjb"):
            _core.write_file(path, self.to_mjb())
        else:
            _core.save_model(self, path)
        return ()

    def _check(self):
        _core.check_model(self)

    def check(self):
        """Raise when an index or a count of the model leads to nothing: after edits through `writable()`."""
        _core.check_model(self)

    def set_callbacks(self, *, sensor=None, dyn=None, gain=None, bias=None, control=None, passive=None,
                      contact_filter=None):
        """Functions called inside a step, all replaced at once: none keeps what the engine does.

        Those for sensors and actuators of kind `user` are called as f(model, data, id) and may read the data: `sensor`
        gives the numbers of a sensor, `dyn` the rates of an actuator's activations, `gain` and `bias` one number.
        `control(model, data)` is called before actuation and may write the inputs; `passive(model, data)` may add to
        `data.qfrc_passive`; both may ask questions about the data. `contact_filter(model, data, geom1, geom2)` says
        whether two geoms pass through each other, in place of their contype and conaffinity. What they raise ends the
        step and comes out of it. Nothing may be simulated with the model meanwhile; worlds of a batch cannot have them."""
        functions = {"sensor": sensor, "dyn": dyn, "gain": gain, "bias": bias, "control": control, "passive": passive,
                     "contact_filter": contact_filter}  # fmt: skip
        for kind, function in functions.items():
            if function is not None and not callable(function):
                raise TypeError(f"{kind} must be a function of model, data and id, or None; got {function!r}")
        self.__dict__["_callbacks"] = functions
        _core.enable_callbacks(self, *(f is not None for f in functions.values()))

    def name2id(self, type, name):
        """Id of the object of a type (ObjType) with a name, -1 when there is none."""
        return _core.name2id(self, type, name)

    def id2name(self, type, id):
        """Name of an object, None when it has none or there is no such object."""
        return _core.id2name(self, type, id)

    def to_text(self):
        """Everything in the model as readable text."""
        return _core.print_model(self)

    def update(self):
        """Compute again what follows from numbers that were changed: which frames coincide, bounds, masses of subtrees,
        inverse weights, lengths and strengths at the reference configuration.

        A number written to a model is used from the next call on, and changes nothing else in it; what the compiler had
        worked out from it stays until update(): also that a geom, a site or an inertia lies in the frame of its body.
        Damping ratios, spring lengths and statistics keep the numbers they were given at compilation. Nothing may be
        simulated with the model meanwhile.
        """
        _core.update_model(self)

    def copy(self):
        """An independent copy."""
        model = type(self)._of(_core.copy_model(self))
        if "_callbacks" in self.__dict__:
            model.set_callbacks(**self._callbacks)
        return model

    def __copy__(self):
        return self.copy()

    def __deepcopy__(self, memo):
        return self.copy()

    def __reduce__(self):
        # the binary form, bit for bit; callbacks go along where they can be pickled
        return _model_from, (type(self), _core.model_bytes(self), self.remarks, self.__dict__.get("_callbacks"))

    def __repr__(self):
        return (
            f"<corten.Model: {self.nbody} bodies, {self.njnt} joints, {self.ngeom} geoms, "
            f"nq={self.nq} nv={self.nv} nu={self.nu} na={self.na}>"
        )


def _model_from(cls, content, remarks, callbacks):
    model = cls._of(_core.model_of_bytes(content, remarks))
    if callbacks is not None:
        model.set_callbacks(**callbacks)
    return model


def seed_of(seed, name="seed"):
    """A number of 32 bits."""
    seed = operator.index(seed)
    if not 0 <= seed < 2**32:
        raise ValueError(f"{name} must be 0 to {2**32 - 1}, got {seed}")
    return seed


class Data(Fields):
    """The state of one simulation of a model, and everything computed from it. For one thread at a time."""

    __module__ = "corten"

    def __init__(self, model):
        Fields.__init__(self, _core.make_data(model))
        self.__dict__["_model"] = model

    @classmethod
    def _of(cls, model, block):
        data = cls.__new__(cls)
        Fields.__init__(data, block)
        data.__dict__["_model"] = model
        return data

    @property
    def model(self):
        """The model this data was made from."""
        return self._model

    @property
    def contact(self):
        """The contacts of the last step, a read-only copy: `contact.dist`, `contact[0].geom`."""
        content, rows, _ = self._block.snapshot(_CONTACT)
        return _records("contact", rows, content)

    @property
    def timing(self):
        """Whether the time of each stage is measured into `timer`. Off by default."""
        return _core.get_timing(self)

    @timing.setter
    def timing(self, on):
        _core.set_timing(self, bool(on))

    @property
    def status(self):
        """The first trouble that steps met since the last reset (corten.Status), OK for none. `warning` counts all."""
        return Status(_core.status(self))

    def set_threads(self, count):
        """Let threads solve the islands of a step: `count` in all, 1 for none (as at first), 0 for as many as there are
        processors. The results have the same bits for any number. A copy has none."""
        _core.set_threads(self, count)

    def set_noise(self, seed, world=0):
        """Add noise to sensors with a `noise` attribute: the same seed, world and step give the same bits."""
        _core.set_noise(self, True, seed_of(seed), seed_of(world, "world"))

    def clear_noise(self):
        """Switch noise off, as it is by default."""
        _core.set_noise(self, False, 0, 0)

    def to_text(self):
        """Everything in the data as readable text."""
        return _core.print_data(self._model, self)

    def copy(self):
        """An independent copy, with the same model."""
        return type(self)._of(self._model, _core.copy_data(self))

    def __copy__(self):
        return self.copy()

    def __deepcopy__(self, memo):
        return self.copy()

    def __reduce__(self):
        # as copy(): everything but the arena, bit for bit; threads and memory are those of the new data
        fields = {f.name: self._block.snapshot(f.index)[0] for f in _KEPT}
        records = {name: getattr(self, name).tobytes() for name in _core.records if name != "contact"}
        settings = _core.get_noise(self), self.timing, int(self.status)
        return _data_from, (type(self), self._model, fields, records, settings)

    def __repr__(self):
        return f"<corten.Data: time={self.time:g}, {self.ncon} contacts, {self.nefc} constraint rows>"


def _data_from(cls, model, fields, records, settings):
    data = cls._of(model, _core.make_data(model))
    for field in _KEPT:
        data._block.overwrite(field.index, fields[field.name])
    for name, content in records.items():
        view = getattr(data, name)
        view[...] = np.frombuffer(content, view.dtype)
    noise, data.timing, status = settings
    _core.set_noise(data, *noise)
    _core.status(data, status)
    return data


def _record_dtype(itemsize, members):
    names, codes, counts, offsets = zip(*members)
    formats = [(code, (count,)) if count else code for code, count in zip(codes, counts)]
    return np.dtype(
        (np.record, {"names": names, "formats": formats, "offsets": offsets, "itemsize": itemsize})
    )


def record_dtype(name):
    """The type of the records of a list such as "warning"."""
    return _DTYPES[name]


def _records(name, count, buffer, offset=0):
    return np.ndarray.__new__(np.recarray, (count,), _DTYPES[name], buffer, offset)


def _record_view(name, offset, count):
    """A property for an array of small structs inside the data."""
    key = f"_{name}_view"

    def get(self):
        view = self.__dict__.get(key)
        if view is None:
            start = self._block.solver_offset() if name == "solver" else offset
            view = self.__dict__[key] = _records(name, count, self._block, start)
        return view

    return property(get, doc=_RECORD_DOCS[name])


_RECORD_DOCS = {
    "warning": "problems since the last reset, a record for each kind (WarningType): how often, and where last",
    "timer": "time spent, a record for each stage (TimerType): seconds and calls; filled while `timing` is on",
    "solver": "iterations of the constraint solver: 200 records for each of the first 20 islands",
}
_DTYPES = {name: _record_dtype(*row[2:]) for name, row in _core.records.items()}
_KEPT = [field for field in DATA_FIELDS if field.place in ("array", "inside") and field.code != "P"]
_CONTACT = next(field.index for field in DATA_FIELDS if field.name == "contact")

with_fields(Model, MODEL_FIELDS)
with_fields(Data, [field for field in DATA_FIELDS if field.name != "contact"])  # a property above
for _name, (_offset, _count, *_) in _core.records.items():
    if _name != "contact":
        setattr(Data, _name, _record_view(_name, _offset, _count))
_named.add_accessors(Model, Data, ObjType)
