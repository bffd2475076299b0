"""Write corten/__init__.pyi from the field tables, the enumerations and the named kinds of the built module.

PYTHONPATH=<build>/python python tools/stubs.py          write it
PYTHONPATH=<build>/python python tools/stubs.py --check   exit 1 when it is out of date
"""

import keyword
import sys
from pathlib import Path

import corten
from corten import _core

STUB = Path(__file__).parent.parent / "python" / "corten" / "__init__.pyi"

ELEMENTS = {
    "f": "float32",
    "i": "int32",
    "q": "int64",
    "B": "uint8",
    "?": "bool_",
    "P": "uintp",
    "d": "float64",
}
SCALARS = {"d": "float", "f": "float", "i": "int", "q": "int", "B": "int", "?": "bool"}

HEAD = '''\
# Made by tools/stubs.py from the field tables: do not edit.
from collections.abc import Callable, Mapping, Sequence
from enum import IntEnum, IntFlag
from os import PathLike
from typing import Any, Generic, NamedTuple, SupportsIndex, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

__version__: str

_T = TypeVar("_T", bound=np.generic)
_Assets = Mapping[str, bytes]

class _Array(Generic[_T]):
    """A view; setting it copies into it."""
    def __get__(self, obj: object, owner: object = None, /) -> NDArray[_T]: ...
    def __set__(self, obj: object, value: ArrayLike, /) -> None: ...

class Error(Exception):
    status: int
    file: str | None
    line: int | None
    column: int | None
    element: str | None
    message: str

class SimulationWarning(RuntimeWarning): ...
'''

MODEL = """
    @classmethod
    def from_xml_path(cls, path: str | PathLike[str], assets: _Assets | None = None, *, max_memory: int = 0, max_elements: int = 0, max_arena: int = 0) -> Model: ...
    @classmethod
    def from_xml_string(cls, text: str | bytes, assets: _Assets | None = None, *, max_memory: int = 0, max_elements: int = 0, max_arena: int = 0) -> Model: ...
    @classmethod
    def from_bytes(cls, content: bytes) -> Model: ...
    def to_bytes(self) -> bytes: ...
    @property
    def remarks(self) -> tuple[str, ...]: ...
    def save(self, path: str | PathLike[str]) -> tuple[str, ...]: ...
    def check(self) -> None: ...
    def writable(self, name: str) -> NDArray[Any]: ...
    def name2id(self, type: int, name: str) -> int: ...
    def id2name(self, type: int, id: int) -> str | None: ...
    def to_text(self) -> str: ...
    def set_callbacks(
        self,
        *,
        sensor: Callable[[Model, Data, int], float | Sequence[float] | NDArray[Any]] | None = None,
        dyn: Callable[[Model, Data, int], float | Sequence[float] | NDArray[Any]] | None = None,
        gain: Callable[[Model, Data, int], float] | None = None,
        bias: Callable[[Model, Data, int], float] | None = None,
    ) -> None: ...
    def update(self) -> None: ...
    def copy(self) -> Model: ...
    def __copy__(self) -> Model: ...
    def __deepcopy__(self, memo: Any) -> Model: ...
"""

DATA = """
    def writable(self, name: str) -> NDArray[Any]: ...
    def __init__(self, model: Model) -> None: ...
    timing: bool
    @property
    def model(self) -> Model: ...
    @property
    def status(self) -> Status: ...
    def set_threads(self, count: int) -> None: ...
    def set_noise(self, seed: int, world: int = 0) -> None: ...
    def clear_noise(self) -> None: ...
    def to_text(self) -> str: ...
    def copy(self) -> Data: ...
    def __copy__(self) -> Data: ...
    def __deepcopy__(self, memo: Any) -> Data: ...
"""

SPEC = """
class Element:
    def __getattr__(self, name: str) -> Any: ...
    def __setattr__(self, name: str, value: Any) -> None: ...
    @property
    def spec(self) -> Spec: ...
    @property
    def tag(self) -> str: ...
    @property
    def name(self) -> str | None: ...
    @property
    def parent(self) -> Element | None: ...
    @property
    def children(self) -> list[Element]: ...
    def attributes(self) -> dict[str, Any]: ...
    def add(self, tag: str, **attributes: Any) -> Element: ...
    def add_xml(self, text: str) -> Element | None: ...
    def attach(self, other: Spec | Element, prefix: str = "", suffix: str = "") -> Element | None: ...
    def remove(self) -> None: ...

class Default:
    name: str
    def add(self, name: str) -> Default: ...
    def __getattr__(self, tag: str) -> Any: ...

class Spec:
    modelname: str
    def __init__(self, *, max_memory: int = 0, max_elements: int = 0, max_arena: int = 0) -> None: ...
    @classmethod
    def from_xml_path(cls, path: str | PathLike[str], assets: _Assets | None = None, *, max_memory: int = 0, max_elements: int = 0, max_arena: int = 0) -> Spec: ...
    @classmethod
    def from_xml_string(cls, text: str | bytes, assets: _Assets | None = None, *, max_memory: int = 0, max_elements: int = 0, max_arena: int = 0) -> Spec: ...
    @classmethod
    def from_model(cls, model: Model) -> Spec: ...
    @property
    def assets(self) -> dict[str, bytes]: ...
    @property
    def remarks(self) -> tuple[str, ...]: ...
    @property
    def world(self) -> Element: ...
    def add(self, tag: str, **attributes: Any) -> Element: ...
    def add_xml(self, text: str) -> Element | None: ...
    def find(self, type: int, name: str) -> Element | None: ...
    def default(self, name: str = "main") -> Default: ...
    def attach(self, other: Spec | Element, prefix: str = "", suffix: str = "",
               to: Element | None = None) -> Element | None: ...
    def copy(self) -> Spec: ...
    def __copy__(self) -> Spec: ...
    def __deepcopy__(self, memo: Any) -> Spec: ...
    def fuse_static(self) -> int: ...
    def discard_visual(self) -> int: ...
    def to_xml(self, folder: str | PathLike[str] | None = None) -> str: ...
    def save(self, path: str | PathLike[str], assets: bool = False) -> None: ...
    def compile(self) -> Model: ...
    def recompile(self, model: Model, data: Data) -> tuple[Model, Data]: ...
"""

RENDER = """
class Camera:
    kind: str
    id: int
    lookat: Sequence[float]
    distance: float
    azimuth: float
    elevation: float
    def __init__(self, kind: str = "free", id: int = 0, lookat: Sequence[float] = (0.0, 0.0, 0.0), distance: float = 1.0,
                 azimuth: float = 90.0, elevation: float = -45.0) -> None: ...

class Renderer:
    model: Model
    height: int
    width: int
    def __init__(self, model: Model, height: SupportsIndex = 240, width: SupportsIndex = 320, *, backend: str = "auto",
                 samples: SupportsIndex = 0, background: Sequence[float] = (0.0, 0.0, 0.0)) -> None: ...
    def camera(self, name: str | SupportsIndex | None = None) -> Camera: ...
    def show(self, *names: str) -> None: ...
    def hide(self, *names: str) -> None: ...
    def update(self, data: Data, camera: Camera | str | SupportsIndex | None = None, *, selected: SupportsIndex = 0) -> None: ...
    def render(self) -> NDArray[np.uint8]: ...
    def depth(self) -> NDArray[np.float32]: ...
    def segmentation(self) -> NDArray[np.int32]: ...
    def upload(self) -> None: ...
    @property
    def name(self) -> str: ...
    def close(self) -> None: ...
    def __enter__(self) -> Renderer: ...
    def __exit__(self, *reason: object) -> None: ...
"""

BATCH = """
class BatchArray:
    @property
    def shape(self) -> tuple[int, ...]: ...
    @property
    def device(self) -> int: ...
    @property
    def __cuda_array_interface__(self) -> dict[str, Any]: ...
    def __dlpack__(self, *, stream: int | None = None, max_version: tuple[int, int] | None = None,
                   dl_device: tuple[int, int] | None = None, copy: bool | None = None) -> Any: ...
    def __dlpack_device__(self) -> tuple[int, int]: ...

class BatchInfo(NamedTuple):
    backend: str
    nworld: int
    threads: int
    device: int
    real_bytes: int
    bytes_per_world: int
    bytes: int
    device_name: str
    @property
    def precision(self) -> str: ...

class Batch:
    def __init__(self, model: Model, nworld: SupportsIndex, backend: str = "auto", *, threads: SupportsIndex = 0,
                 device: SupportsIndex = 0, precision: str | None = None, stream: int = 0, reset_bad: bool = False,
                 reset_key: str | SupportsIndex | None = None) -> None: ...
    def close(self) -> None: ...
    def __enter__(self) -> Batch: ...
    def __exit__(self, *reason: object) -> None: ...
    @property
    def model(self) -> Model: ...
    @property
    def nworld(self) -> int: ...
    @property
    def info(self) -> BatchInfo: ...
    @property
    def precision(self) -> str: ...
    def copy(self) -> Batch: ...
    def __copy__(self) -> Batch: ...
    def __deepcopy__(self, memo: Any) -> Batch: ...
    def step(self, n: SupportsIndex = 1) -> None: ...
    def forward(self) -> None: ...
    def sync(self) -> None: ...
    def rollout(self, ctrl: ArrayLike | None = None, nstep: SupportsIndex | None = None
                ) -> dict[str, NDArray[Any]]: ...
    def reset(self, ids: ArrayLike | slice | None = None, mask: ArrayLike | None = None,
              key: str | SupportsIndex | None = None) -> None: ...
    def output(self, *names: str) -> None: ...
    @property
    def outputs(self) -> tuple[str, ...]: ...
    def vary(self, *names: str) -> None: ...
    def update(self) -> None: ...
    def set_noise(self, seed: int) -> None: ...
    def clear_noise(self) -> None: ...
    def data(self, world: SupportsIndex) -> Data: ...
    def world_model(self, world: SupportsIndex) -> Model: ...
    def contacts(self, world: SupportsIndex) -> _ContactArray: ...
    def contact_forces(self, world: SupportsIndex) -> NDArray[np.float64]: ...
    def view(self, name: str) -> Any: ...
    def get(self, name: str, ids: ArrayLike | slice | None = None) -> NDArray[Any]: ...
    def set(self, name: str, values: ArrayLike, ids: ArrayLike | slice | None = None) -> None: ...
    def __getattr__(self, name: str) -> Any: ...
    def __setattr__(self, name: str, value: Any) -> None: ...
    @property
    def status(self) -> NDArray[np.int32]: ...
    @property
    def warnings(self) -> Any: ...
    def save(self) -> bytes: ...
    def restore(self, saved: bytes) -> None: ...
"""

FUNCTIONS = """
def apply_force(model: Model, data: Data, force: ArrayLike | None, torque: ArrayLike | None, point: ArrayLike,
                body: str | SupportsIndex, qfrc: NDArray[np.floating[Any]]) -> None: ...
def build_info() -> str: ...
def energy(model: Model, data: Data) -> tuple[float, float]: ...
def full_mass(model: Model, data: Data) -> NDArray[np.float64]: ...
def get_state(model: Model, data: Data, which: int = ...) -> NDArray[np.float64]: ...
def reset_keyframe(model: Model, data: Data, key: str | SupportsIndex) -> None: ...
def set_state(model: Model, data: Data, state: ArrayLike, which: int = ...) -> None: ...
def state_size(model: Model, which: int = ...) -> int: ...
def step(model: Model, data: Data, /, nstep: int = 1) -> None: ...
"""

# Functions of _queries.py: types of their arguments by name, and what they give; an array when nothing is said.
_ID = "str | SupportsIndex"
ARGUMENTS = {
    "model": "Model", "data": "Data", "to": "Data", "body": _ID, "geom": _ID, "geom1": _ID, "geom2": _ID, "distmax": "float", "geomgroup": "ArrayLike | None", "skip_static": "bool", "skip_body": "str | SupportsIndex | None", "site": _ID, "sensor": _ID, "actuator": _ID, "key": _ID, "type": "int", "id": "int",
    "contact": "int", "local": "bool", "dt": "float", "mass": "float", "time": "float", "interp": "int", "phase": "float", "which": "int", "part": "int",
    "matrix": "NDArray[np.floating[Any]]", "times": "ArrayLike | None", "path": "str | PathLike[str] | None",
}
SOURCES = {"copy_state": "Data", "load_state": "bytes | str | PathLike[str]"}
_ARRAY, _PAIR = "NDArray[np.float64]", "tuple[NDArray[np.float64], NDArray[np.float64]]"
RETURNS = {
    **dict.fromkeys(("jac_point", "jac_point_dot", "jac_object", "jac_object_dot", "jac_body", "jac_body_com", "jac_geom", "jac_site", "jac_axis", "jac_axis_dot"), _PAIR),
    **dict.fromkeys(("post_constraint", "subtree_velocity", "add_mass", "set_total_mass", "copy_state", "set_keyframe", "load_state", "set_sensor_history", "set_ctrl_history"), "None"),
    "site_contains": "bool", "geom_distance": "tuple[float, NDArray[np.float64]]",
    "ray_cast": "tuple[float, int, NDArray[np.float64]]", "ray_cast_many": "tuple[NDArray[np.float64], NDArray[np.int32], NDArray[np.float64]]", "total_mass": "float", "save_state": "bytes", "kkt_residual": "tuple[float, float]",
}


def queries():
    """A line for each public function of _queries.py."""
    import inspect

    from corten import _queries

    for name, function in inspect.getmembers(_queries, inspect.isfunction):
        if name.startswith("_"):
            continue
        words = []
        for argument in inspect.signature(function).parameters.values():
            kind = SOURCES[name] if argument.name == "source" else ARGUMENTS.get(argument.name, "ArrayLike")
            words.append(f"{argument.name}: {kind}" + ("" if argument.default is argument.empty else " = ..."))
        yield f"def {name}({', '.join(words)}) -> {RETURNS.get(name, _ARRAY)}: ..."


STAGES = [
    "forward",
    "forward_acceleration",
    "forward_actuation",
    "forward_constraint",
    "forward_position",
    "forward_velocity",
    "inverse",
    "reset",
    "step1",
    "step2",
]


def attribute(field, name):
    """One field as a line of a class."""
    if field.code == "S1":
        return read_only(name, "bytes", field.description)
    if field.ndim == 0 and field.place == "size":
        return read_only(name, SCALARS[field.code], field.description)
    kind = f"_Array[np.{ELEMENTS[field.code]}]" if field.ndim else SCALARS[field.code]
    return f'    {name}: {kind}\n    """{field.description}"""'


def read_only(name, kind, doc=""):
    body = f'\n        """{doc}"""' if doc else " ..."
    return f"    @property\n    def {name}(self) -> {kind}:{body}"


def last_name(field):
    name = field.name.rpartition(".")[2]
    return name + "_" if keyword.iskeyword(name) else name


def fields_of(cls, fields, prefix=""):
    """Lines for the fields of a class, and classes for its groups, those first."""
    lines, classes = [], []
    own = [f for f in fields if f.name.startswith(prefix) and "." not in f.name[len(prefix) :]]
    lines += [attribute(field, last_name(field)) for field in own]
    for name, group in cls._groups.items():
        inner, more = fields_of(group, fields, f"{prefix}{name.rstrip('_')}.")
        classes += more + [f"class _{group.__name__}:", *inner, ""]
        lines.append(read_only(name, f"_{group.__name__}", getattr(cls, name).__doc__))
    return lines, classes


def named_of(owner, by_name):
    """Classes of the named objects of an owner, and the lines of its accessors."""
    lines, classes = [], []
    for kind, named in owner._named.items():
        rows = [
            f"    {name}: _Array[np.{ELEMENTS[by_name[field].code]}]"
            for name, (field, _) in named._rows.items()
        ]
        classes += [f"class _{named.__name__}:", read_only("id", "int"), read_only("name", "str"), *rows, ""]
        names = sorted(
            name
            for name, method in vars(owner).items()
            if callable(method) and getattr(method, "__name__", "") == kind
        )
        lines += [
            f"    def {name}(self, key: str | SupportsIndex, /) -> _{named.__name__}: ..." for name in names
        ]
    return lines, classes


def records():
    """Record arrays: their members are arrays of the array, numbers or short arrays of one record."""
    lines, classes = [], []
    for name, (_, _, _, members) in _core.records.items():
        title = name.capitalize()
        for single in (True, False):
            classes.append(f"class _{title}{'Record' if single else 'Array'}:")
            if not single:
                classes += [
                    "    def __len__(self) -> int: ...",
                    f"    def __getitem__(self, i: SupportsIndex, /) -> _{title}Record: ...",
                ]
            for member, code, count, _ in members:
                array = f"_Array[np.{ELEMENTS[code]}]"
                classes.append(f"    {member}: {SCALARS[code] if single and not count else array}")
            classes.append("")
        lines.append(read_only(name, f"_{title}Array", getattr(corten.Data, name).__doc__))
    return lines, classes


def enums():
    lines = []
    for name, (bits, _) in _core.enums.items():
        lines += [f"class {name}({'IntFlag' if bits else 'IntEnum'}):"]
        members = getattr(corten, name).__members__
        lines += [f"    {member} = {int(value)}" for member, value in members.items()] + [""]
    return lines


def owner_of(cls, fields, head, extra=()):
    lines, groups = fields_of(cls, fields)
    accessors, named = named_of(cls, {field.name: field for field in fields})
    return [*groups, *named, f"class {cls.__name__}:", head.strip("\n"), *accessors, *extra, *lines, ""]


def spec_kinds():
    """Finding and listing by kind, and the settings."""
    from corten._spec import _KINDS

    lines = [f"    def {kind}(self, name: str) -> Element: ..." for kind in _KINDS]
    lines += [read_only(plural, "list[Element]") for plural in _KINDS.values()]
    return lines + [read_only(name, "Any") for name in ("compiler", "option", "size", "statistic", "visual")]


def render():
    from corten._fields import DATA_FIELDS, MODEL_FIELDS

    record_lines, record_classes = records()
    data_fields = [field for field in DATA_FIELDS if field.name not in _core.records]
    stages = [f"def {name}(model: Model, data: Data, /) -> None: ..." for name in STAGES]
    lines = [
        HEAD,
        *enums(),
        *record_classes,
        *owner_of(corten.Model, MODEL_FIELDS, MODEL),
        *owner_of(corten.Data, data_fields, DATA, record_lines),
        SPEC.strip("\n"),
        *spec_kinds(),
        BATCH,
        RENDER,
        FUNCTIONS.strip("\n"),
        *queries(),
        *stages,
    ]
    return "\n".join(lines) + "\n"


def main():
    text = render()
    if "--check" in sys.argv[1:]:
        return int(not STUB.exists() or STUB.read_text() != text)
    STUB.write_text(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
