"""MuJoCo's Python module, over corten: `import corten.mujoco as mujoco`.

Programs written for MuJoCo 4.0 run with that line changed, or unchanged with `python -m corten.mujoco program.py` or after
`corten.mujoco.install()`. An MjModel is a corten.Model and an MjData a corten.Data: both sides can be mixed.
`corten.mujoco.names()` says for each name of MuJoCo's module whether it is here, and why when it is not.
"""

from . import _callbacks, _constants, _derivatives, _drawing, _enums, _errors, _functions, _math, _perturb, _render, _scene, _specs, _structs, glfw
from ._callbacks import *
from ._constants import *
from ._derivatives import *
from ._drawing import *
from ._enums import *
from ._errors import *
from ._functions import *
from ._logs import *
from ._install import install, installed, uninstall
from ._math import *
from ._names import missing, names
from ._perturb import *
from ._render import *
from ._scene import *
from ._spec_attributes import MjsOrientation
from ._spec_elements import *
from ._specs import *
from ._records import MjContact, MjSolverStat, MjTimerStat, MjWarningStat
from ._structs import MjData, MjModel, MjVfs
from ._views import MjOption, MjStatistic, MjVisual, MjVisualHeadlight, MjVisualRgba
from .gl_context import GLContext
from .renderer import Renderer

MJTNUM_DTYPE = _functions.REAL.type
MJTNUM_BYTES = _functions.REAL.itemsize
HEADERS_DIR = PLUGINS_DIR = ""
PLUGIN_HANDLES = []
__version__ = mj_versionString()


# the other module has these in its private modules, where programs look for them
for _module in (_drawing, _scene, _render, _perturb):
    for _name in _module.__all__:
        setattr(_functions if _name.startswith("mj") else _structs, _name, vars(_module)[_name])
for _name in (*_math.__all__, *_derivatives.__all__):
    setattr(_functions, _name, vars(_math).get(_name) or vars(_derivatives)[_name])
del _name, _module


def __getattr__(name):
    raise missing(name)

