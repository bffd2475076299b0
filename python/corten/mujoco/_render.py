"""Drawing with OpenGL: not there. The classes can be mentioned."""

from ._drawing import MjrContext, MjrRect

__all__ = ["MjrContext", "MjrRect"]
