"""Conjugate gradients, batched vectors and contacts."""

import numpy as np

from ._records import REAL, Record, array, call, public, reals


class CgStats(Record):
    """How a solve went: `iterations`, `converged`, `initial`, `residual`, `repaired`, `least_rate`, `most_rate`."""

    __slots__ = ()


def cg_solve(matrix, b, block=None, tolerance=1e-10, most=1000, x=None):
    """Solve by conjugate gradients with block-Jacobi preconditioner; returns the solution and CgStats."""
    matrix, b, stats = array(matrix), array(b), CgStats()
    block = np.array(np.ones(b.size) if block is None else block, np.int32)
    x = np.zeros_like(b) if x is None else array(x, b.shape, "x")
    work = np.zeros(int((block.astype(np.int64) ** 2).sum()) + 4 * b.size, REAL)
    call("cg_solve", matrix, b, block, reals(tolerance, most), x, work, stats)
    return x, stats


def max_dot(points, direction):
    """Which of the points (n x 3, single precision) is farthest along a direction, and how far."""
    which, most = np.zeros(1, np.int32), reals(0)
    call("max_dot", np.array(points, np.float32, order="C"), array(direction, (3,), "direction"), which, most)
    return which.item(), most.item()


def _groups(name, width, a, b):
    a, b = array(a), array(b)
    if a.shape != b.shape or a.shape[-2:] != (3, width):
        raise ValueError(f"expected arrays of shape (count, 3, {width})")
    out = np.zeros(a.size // 3, REAL)
    call(name, a, b, out)
    return out.reshape(*a.shape[:-2], width)


def dot4(a, b):
    """Dot products of groups of four vectors: (count, 3, 4) to (count, 4)."""
    return _groups("dot4", 4, a, b)


def dot8(a, b):
    """Dot products of groups of eight vectors: (count, 3, 8) to (count, 8)."""
    return _groups("dot8", 8, a, b)


def integrate8(force, inverse_mass, gravity, timestep, velocity, position):
    """Advance groups of eight points; force, velocity and position are (count, 3, 8). Returns both anew."""
    force, velocity, position, inverse_mass = (array(x) for x in (force, velocity, position, inverse_mass))
    if force.shape[-2:] != (3, 8) or velocity.shape != force.shape or position.shape != force.shape:
        raise ValueError("expected arrays of shape (count, 3, 8)")
    call("integrate8", force, inverse_mass, array(gravity, (3,), "gravity"), reals(timestep), velocity, position)
    return velocity, position


def box_overlap(boxes, least, most):
    """Which boxes (6 x n: least x, y, z, largest x, y, z) overlap a box."""
    boxes = array(boxes)
    out = np.zeros(boxes.size // 6, np.uint8)
    call("box_overlap", boxes, np.concatenate([array(least, (3,), "least"), array(most, (3,), "most")]), out)
    return out.astype(bool)


def normal_force(distance, velocity, free, mass, solref=(0.02, 1), solimp=(0.9, 0.95, 0.001, 0.5, 2), margin=0.0, timestep=0.0):
    """Normal forces of contacts that know nothing of each other, as soft as in the engine."""
    arrays = [np.array(x) for x in np.broadcast_arrays(*(array(x) for x in (distance, velocity, free, mass)))]
    out = np.zeros_like(arrays[0])
    law = array(solref, (2,), "solref"), array(solimp, (5,), "solimp"), reals(margin, timestep)
    call("normal_force", *(np.atleast_1d(x) for x in arrays), *law, np.atleast_1d(out))
    return out


__all__ = public(globals())
