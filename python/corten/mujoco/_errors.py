"""Exceptions, and the way of the engine's errors to them."""

import contextlib

from corten import Error


class FatalError(Exception):
    """What a call answers that ends the program in C."""

    __module__ = "corten.mujoco"


class UnexpectedError(Exception):
    """What should not happen."""

    __module__ = "corten.mujoco"


@contextlib.contextmanager
def as_value_error():
    """Trouble with a model is a ValueError; its text is that of corten.Error, which is its cause."""
    try:
        yield
    except Error as error:
        raise ValueError(str(error)) from error


__all__ = ["FatalError", "UnexpectedError"]
