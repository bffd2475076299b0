"""Contexts of OpenGL: not there. The class can be mentioned, not made."""

from ._drawing import GLContext

__all__ = ["GLContext"]
