"""Exceptions, and the way of the engine's errors to them."""

import contextlib

from corten import Error

from ._messages import in_their_words


class FatalError(Exception):
    """What a call answers that ends the program in C."""

    __module__ = "corten.mujoco"


class UnexpectedError(Exception):
    """What should not happen."""

    __module__ = "corten.mujoco"


@contextlib.contextmanager
def as_value_error(describe=None):
    """Trouble with a model is a ValueError; its cause is the corten.Error. `describe`: as in_their_words()."""
    try:
        yield
    except Error as error:
        raise ValueError(in_their_words(str(error), describe)) from error


__all__ = ["FatalError", "UnexpectedError"]
