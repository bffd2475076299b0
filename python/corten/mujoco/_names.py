"""The table of names: for each name of MuJoCo's module, whether it is here and why when it is not."""

import fnmatch
import sys

SAME, WRAPPER, ABSENT = "same", "thin wrapper", "absent"

_DRAWING = "pictures are made by `corten.Renderer`, windows by `corten.viewer`"
_TEXT = "texts and plots are not drawn into pictures; `corten run --plot` plots"
_HAND = "what the mouse does is worked out by the window: `corten.viewer`"
_PLUGINS = "plugins are handed to the loader: `corten.Model.from_xml_path(path, plugins=...)`; those that come with MuJoCo are built in"

# what is absent, by name or pattern, and why; what corten has instead stands in backquotes
ABSENT_NAMES = {
    "mjr_text": _TEXT,
    "mjr_overlay": _TEXT,
    "mjr_label": _TEXT,
    "mjr_figure": _TEXT,
    "mjr_changeFont": _TEXT,
    "mjr_*": "there is one buffer of pixels, and nothing beside it: `corten.Renderer`",
    "mjr_uploadMesh": "a mesh is taken over when a renderer is made: `corten.Renderer`",
    "mjv_select": "what a pixel shows is in `corten.Renderer.segmentation`",
    "mjv_movePerturb": _HAND,
    "mjv_*": _DRAWING,
    "MjrVertexAttribute": _DRAWING,
    "mj_printScene": _DRAWING,
    "mj_printFormattedScene": _DRAWING,
    "mj_load*Plugin*": _PLUGINS,
    "mj_maxContact": "the arena grows: no number of contacts is assumed",
    "get_mju_user_malloc": "memory is given to a model, in C: `ctAllocator`",
    "set_mju_user_malloc": "memory is given to a model, in C: `ctAllocator`",
    "get_mju_user_free": "memory is given to a model, in C: `ctAllocator`",
    "set_mju_user_free": "memory is given to a model, in C: `ctAllocator`",
    "Mj*Vec": "lists of a spec are lists of Python and arrays of NumPy",
    "rendering": _DRAWING,
    "mujoco": "the package does not contain itself",
    "_version": "use `__version__`",
    "_core_version": "use `__version__`",
    "_EXPECTED_VERSION": "use `__version__`",
    "_SYSTEM": "private to the other module",
    "_Mj*": "private to the other module",
    "_bind*": "private to the other module",
    "_load_all_bundled_plugins": _PLUGINS,
}

# functions that are corten's own under another name
_SAME = {
    "mj_step", "mj_step1", "mj_step2", "mj_forward", "mj_inverse", "mj_fwdPosition", "mj_fwdVelocity", "mj_fwdActuation",
    "mj_fwdAcceleration", "mj_fwdConstraint", "mj_resetData",
}  # fmt: skip


def reason(name):
    """Why a name is absent, None when nothing is known of it."""
    if name in ABSENT_NAMES:
        return ABSENT_NAMES[name]
    return next((why for pattern, why in ABSENT_NAMES.items() if fnmatch.fnmatchcase(name, pattern)), None)


def missing(name):
    """The AttributeError for a name that is not here."""
    why = reason(name)
    text = f"corten.mujoco has no {name}" + (f": {why}" if why else "")
    return AttributeError(text, name=name, obj=sys.modules[__package__])


def names(of=None):
    """{name: (state, why)} for names of MuJoCo's module, or of all that are here: state is "same" for what is corten's own,
    "thin wrapper" for what is built on it, "absent" with the reason."""
    here = vars(sys.modules[__package__])
    table = {}
    for name in sorted(here if of is None else of):
        if name in here:
            table[name] = (SAME if name in _SAME else WRAPPER, "")
        else:
            table[name] = (ABSENT, reason(name))
    if of is None:
        table.update({name: (ABSENT, why) for name, why in ABSENT_NAMES.items() if "*" not in name and name not in here})
    return table
