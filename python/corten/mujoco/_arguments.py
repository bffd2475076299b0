"""Arguments as MuJoCo's module takes them: outputs are arrays of the right type, inputs whatever becomes one."""

import numpy as np

from corten import _core

REAL = np.dtype(_core.real)


def out(array, size, name):
    """An array of `size` reals (any number when None) to write to."""
    if not isinstance(array, np.ndarray) or array.dtype != REAL:
        raise TypeError(f"{name} should be an array of {REAL.name}, got {_kind(array)}")
    if not array.flags.writeable:
        raise TypeError(f"{name} should be writeable")
    if size is not None and array.size != size:
        raise TypeError(f"{name} should be of size {size}, got {array.size}")
    return array


def matrix(array, shape, name, contiguous=True):
    """An output of two dimensions; None in `shape` stands for any number. A flat array of as many numbers will do."""
    out(array, None, name)
    if contiguous and not array.flags.c_contiguous:
        raise TypeError(f"{name} should be C-contiguous")
    if array.ndim == 2:
        good = all(want is None or want == have for want, have in zip(shape, array.shape))
    else:
        good = None in shape or array.size == shape[0] * shape[1]
    if not good:
        raise TypeError(f"{name} should be of shape {shape}, got {array.shape}")
    return array


def vec(values, size, name):
    """An input of `size` reals (any number when None), as a flat array."""
    try:
        array = np.ascontiguousarray(values, REAL)
    except (TypeError, ValueError):
        raise TypeError(f"{name} should be numbers, got {_kind(values)}") from None
    if size is not None and array.size != size:
        raise TypeError(f"{name} should be of size {size}, got {array.size}")
    return array if array.ndim == 1 else array.reshape(-1)


def ints(array, size, name):
    """An array of integers to write to."""
    if not isinstance(array, np.ndarray) or array.dtype != np.int32 or not array.flags.writeable:
        raise TypeError(f"{name} should be a writeable array of int32, got {_kind(array)}")
    if size is not None and array.size != size:
        raise TypeError(f"{name} should be of size {size}, got {array.size}")
    return array


def _kind(value):
    return f"an array of {value.dtype}" if isinstance(value, np.ndarray) else type(value).__name__
