"""Settings of Sphinx for tools/docs."""

import inspect
import re

import corten

project = "Corten"
version = release = corten.__version__
author = "The Corten authors"
extensions = ["myst_parser", "sphinx.ext.autodoc"]
html_theme = "furo"
html_title = f"Corten {version}"
exclude_patterns = ["examples"]
myst_heading_anchors = 3
suppress_warnings = ["myst.xref_missing"]  # links to files that are no pages: LICENSE, examples
autodoc_member_order = "bysource"
autodoc_typehints = "none"
highlight_language = "none"

_FIELDS = {name for cls in (corten.Model, corten.Data) for name in cls._names}


def _skip(app, what, name, obj, skip, options):
    """The fields of Model and Data have a page of their own, docs/fields.md."""
    return True if what == "class" and name in _FIELDS and not inspect.isfunction(obj) else None


def _plain(app, what, name, obj, options, lines):
    """Docstrings are plain text with `code` in backquotes."""
    lines[:] = [re.sub(r"`([^`]+)`", r"``\1``", line).replace("*", r"\*") for line in lines]


def setup(app):
    app.connect("autodoc-process-docstring", _plain)
    app.connect("autodoc-skip-member", _skip)
