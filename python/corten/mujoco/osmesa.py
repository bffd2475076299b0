"""Contexts of OpenGL under the name that programs ask for; the engine's renderer chooses by itself who draws."""

from .gl_context import GLContext

__all__ = ["GLContext"]
