"""The functions mj_*: a model and a data first, results into arrays that the caller gives, as there."""

from . import _models, _queries, _ranges, _rows, _steps
from ._arguments import REAL
from ._models import *
from ._queries import *
from ._ranges import *
from ._rows import *
from ._steps import *
from ._steps import _realloc_con_efc  # noqa: F401

__all__ = [*_steps.__all__, *_models.__all__, *_queries.__all__, *_ranges.__all__, *_rows.__all__]
