"""Contexts of OpenGL. The engine's renderer has its own, and leaves alone what is current in a thread: these do nothing."""

import contextlib


class GLContext:
    """Stands for a context of OpenGL, of which a program need not have one."""

    def __init__(self, max_width, max_height):
        self.max_width, self.max_height = max_width, max_height

    def make_current(self):
        """Nothing to do."""

    @contextlib.contextmanager
    def as_current(self):
        """Nothing to do."""
        yield self

    def free(self):
        """Nothing to do."""


__all__ = ["GLContext"]
