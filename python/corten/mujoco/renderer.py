"""The renderer: not there yet. The class can be mentioned, not made."""

from ._drawing import Renderer

__all__ = ["Renderer"]
