"""Nonlinear least squares with bounds: `minimize.least_squares(x0, residual)`, as MuJoCo's module has it.

The method is Levenberg and Marquardt's: each step minimises the quadratic model of the objective with a regularizer, inside the
bounds; the regularizer grows until a step reduces the objective, and shrinks where the model is good.
"""

import abc
import dataclasses
import enum
import sys
import time

import numpy as np

from ._matrices import mju_boxQP


class Verbosity(enum.Enum):
    SILENT = 0
    FINAL = 1
    ITER = 2
    FULLITER = 3


class Status(enum.Enum):
    FACTORIZATION_FAILED = enum.auto()
    NO_IMPROVEMENT = enum.auto()
    MAX_ITER = enum.auto()
    DX_TOL = enum.auto()
    G_TOL = enum.auto()


_MESSAGES = {
    Status.FACTORIZATION_FAILED: "factorization failed",
    Status.NO_IMPROVEMENT: "insufficient reduction",
    Status.MAX_ITER: "maximum iterations reached",
    Status.DX_TOL: "norm(dx) < tol",
    Status.G_TOL: "norm(gradient) < tol",
}


@dataclasses.dataclass
class IterLog:
    """An iteration: the candidate it began with, and with FULLITER what it computed."""

    candidate: np.ndarray
    objective: np.float64
    reduction: np.float64
    regularizer: np.float64
    residual: np.ndarray | None = None
    jacobian: np.ndarray | None = None
    grad: np.ndarray | None = None
    step: np.ndarray | None = None


class Norm(abc.ABC):
    """How large a residual is."""

    @abc.abstractmethod
    def value(self, r):
        """The norm of a column."""

    @abc.abstractmethod
    def grad_hess(self, r, proj):
        """Gradient and Hessian of the norm, projected: proj' g and proj' H proj."""


class Quadratic(Norm):
    """Half the sum of squares."""

    def value(self, r):
        return 0.5 * (r.T @ r).item()

    def grad_hess(self, r, proj):
        return proj.T @ r, proj.T @ proj


def _column(x):
    return np.asarray(x, np.float64).reshape(-1, 1)


def _bounds(bounds, n):
    if bounds is None:
        return None
    if len(bounds) != 2:
        raise ValueError("bounds should be a pair of lower and upper bounds")
    pair = [_column(bound) for bound in bounds]
    if any(bound.size != n for bound in pair):
        raise ValueError(f"bounds should have {n} numbers each")
    if not all(np.isfinite(bound).all() for bound in pair):
        raise ValueError("bounds should be finite")
    if (pair[0] >= pair[1]).any():
        raise ValueError("lower bounds should be smaller than upper bounds")
    return pair


def jacobian_fd(residual, x, r, eps, n_res, bounds=None):
    """The Jacobian by finite differences, stepping away from the nearer bound, and the number of evaluations."""
    x = _column(x)
    n = x.size
    scale = np.maximum(1.0, np.abs(x))
    if bounds is None:
        moved = x + eps * scale
    else:
        lower, upper = _column(bounds[0]), _column(bounds[1])
        up = upper - x >= x - lower
        moved = np.where(up, np.minimum(x + eps * scale, upper), np.maximum(x - eps * scale, lower))
    step = moved - x
    points = np.repeat(x, n, axis=1)
    points[np.arange(n), np.arange(n)] = moved[:, 0]
    values = residual(points)
    return (values - r) / step.T, n_res + n


def check_jacobian(residual, x, r, jac, eps, n_res, bounds=None, output=None, name="Jacobian"):
    """Compare a Jacobian with finite differences; ValueError when they disagree."""
    if not np.isfinite(jac).all():
        raise ValueError(f"User-provided {name} must contain only finite values")
    by_differences, n_res = jacobian_fd(residual, x, r, eps, n_res, bounds)
    if not np.isfinite(by_differences).all():
        raise ValueError(f"Finite-difference {name} must contain only finite values")
    scale = max(1.0, float(np.abs(by_differences).max(initial=0)))
    if by_differences.shape != np.shape(jac) or np.abs(by_differences - jac).max(initial=0) > 1e-3 * scale:
        raise ValueError(f"User-provided {name} does not match finite differences")
    print(f"User-provided {name} matches finite differences", file=output)
    return n_res


def check_norm(r, norm, eps, output=None):
    """Compare the gradient and Hessian of a norm with finite differences; ValueError when they disagree."""
    r, eye = _column(r), np.eye(np.size(r))
    grad, hess = norm.grad_hess(r, eye)
    for what, value in (("gradient", grad), ("Hessian", hess)):
        if not np.isfinite(value).all():
            raise ValueError(f"User-provided norm {what} must contain only finite values")
    check_jacobian(lambda x: np.array([[norm.value(x[:, [i]]) for i in range(x.shape[1])]]), r, np.array([[norm.value(r)]]),
                   np.asarray(grad).reshape(1, -1), eps, 0, output=output, name="norm gradient")  # fmt: skip
    check_jacobian(lambda x: np.hstack([np.asarray(norm.grad_hess(x[:, [i]], eye)[0]).reshape(-1, 1) for i in range(x.shape[1])]),
                   r, np.asarray(grad).reshape(-1, 1), np.asarray(hess), eps, 0, output=output, name="norm Hessian")  # fmt: skip


def _scale(x_scale, n):
    if x_scale is None:
        return np.ones((n, 1))
    if isinstance(x_scale, str):
        if x_scale != "jac":
            raise ValueError(f"x_scale is numbers or 'jac', not {x_scale!r}")
        return None
    scale = np.asarray(x_scale, np.float64)
    if scale.ndim > 1 or (scale.ndim == 1 and scale.size != n):
        raise ValueError(f"x_scale should be a number or have shape ({n},), got {scale.shape}")
    if not np.isfinite(scale).all() or (scale <= 0).any():
        raise ValueError("x_scale should be positive and finite")
    return np.broadcast_to(scale.reshape(-1, 1), (n, 1)).copy()


def _step(hess, grad, mu, room):
    """The step of the regularized problem, inside what room the bounds leave; None when it has no factor."""
    n = grad.size
    matrix = hess + mu * np.eye(n)
    if room is None:
        try:
            np.linalg.cholesky(matrix)
            return -np.linalg.solve(matrix, grad)
        except np.linalg.LinAlgError:
            return None
    out = np.zeros(n)
    good = np.isfinite(matrix).all() and np.isfinite(grad).all()
    rank = mju_boxQP(out, np.zeros((n, n + 7)), np.zeros(n, np.int32), matrix, grad.ravel(), room[0].ravel(), room[1].ravel()) if good else -1
    return None if rank < 0 else out.reshape(-1, 1)


def _gradient_norm(grad, x, bounds):
    """Of the part of the gradient that the bounds do not hold."""
    if bounds is None:
        return float(np.linalg.norm(grad))
    free = ~(((x <= bounds[0]) & (grad > 0)) | ((x >= bounds[1]) & (grad < 0)))
    return float(np.linalg.norm(grad[free]))


def least_squares(x0, residual, bounds=None, jacobian=None, norm=Quadratic(), eps=np.finfo(np.float64).eps ** 0.5, mu_min=1e-6,
                  mu_max=1e8, mu_factor=10.0**0.1, xtol=1e-8, gtol=1e-8, max_iter=100, verbose=Verbosity.ITER, output=None,
                  iter_callback=None, check_derivatives=False, x_scale=None):  # fmt: skip
    """(x, trace): the best point found, and a log of the iterations.

    residual takes points as columns and gives residuals as columns; jacobian(x, r), where there is none, is finite-differenced.
    x_scale: sizes of the variables, or "jac" for those of the columns of the Jacobian."""
    verbose = Verbosity(verbose)
    output = sys.stdout if output is None else output
    say = (lambda text: None) if verbose == Verbosity.SILENT else (lambda text: print(text, file=output))
    x = _column(x0).copy()
    n = x.size
    bounds, fixed = _bounds(bounds, n), _scale(x_scale, n)
    if bounds is not None:
        x = np.clip(x, *bounds)
    start, n_res, mu, trace, status = time.perf_counter(), 1, 0.0, [], Status.MAX_ITER
    r = _column(residual(x))
    y = norm.value(r)
    if check_derivatives and not isinstance(norm, Quadratic):
        check_norm(r, norm, eps, output)
    for i in range(max_iter):
        if jacobian is None:
            jac, n_res = jacobian_fd(residual, x, r, eps, n_res, bounds)
        else:
            jac = np.asarray(jacobian(x, r), np.float64).reshape(r.size, n)
            if check_derivatives and i == 0:
                n_res = check_jacobian(residual, x, r, jac, eps, n_res, bounds, output)
        sizes = fixed
        if sizes is None:
            lengths = np.linalg.norm(jac, axis=0).reshape(-1, 1)
            sizes = 1 / np.where(lengths > 0, lengths, 1)
        grad, hess = norm.grad_hess(r, jac)
        grad = np.asarray(grad).reshape(-1, 1)
        scaled_grad, scaled_hess = grad * sizes, hess * sizes * sizes.T
        free = _gradient_norm(grad, x, bounds)
        log = IterLog(candidate=x.copy(), objective=np.float64(y), reduction=np.float64(0), regularizer=np.float64(mu))
        if verbose == Verbosity.FULLITER:
            log.residual, log.jacobian, log.grad = r.copy(), jac.copy(), grad.copy()
        trace.append(log)
        if free < gtol or free == 0:
            status = Status.G_TOL
            if iter_callback is not None:
                iter_callback(trace)
            break
        # grow the regularizer until the objective is reduced
        accepted = None
        while True:
            room = None if bounds is None else [(bound - x) / sizes for bound in bounds]
            step = _step(scaled_hess, scaled_grad, mu, room)
            if step is not None:
                candidate = x + step * sizes
                if bounds is not None:
                    candidate = np.clip(candidate, *bounds)
                r_new = _column(residual(candidate))
                n_res += 1
                y_new = norm.value(r_new) if np.isfinite(r_new).all() else np.inf
                if np.isfinite(y_new) and y_new < y:
                    accepted = candidate, r_new, y_new, step
                    break
                small = np.linalg.norm(candidate - x) < xtol * (xtol + np.linalg.norm(x))
                if small:
                    status = Status.DX_TOL
                    break
            mu = max(mu_min, mu * mu_factor**3)
            if mu > mu_max:
                status = Status.NO_IMPROVEMENT if step is not None else Status.FACTORIZATION_FAILED
                break
        if accepted is None:
            if iter_callback is not None:
                iter_callback(trace)
            break
        candidate, r_new, y_new, step = accepted
        expected = -float((scaled_grad.T @ step).item() + 0.5 * (step.T @ scaled_hess @ step).item())
        ratio = (y - y_new) / expected if expected > 0 else 0
        log.reduction, log.regularizer = np.float64(y - y_new), np.float64(mu)
        if verbose == Verbosity.FULLITER:
            log.step = candidate - x
        if verbose.value >= Verbosity.ITER.value:
            say(f"iter: {i:<3d} y: {y:<10.4g} log10mu: {np.log10(max(mu, 1e-30)):>5.1f} ratio: {ratio:<10.2g} "
                f"dx: {np.linalg.norm(candidate - x):<10.2g} reduction: {y - y_new:<10.2g}")  # fmt: skip
        if iter_callback is not None:
            iter_callback(trace)
        moved = float(np.linalg.norm(candidate - x))
        size = float(np.linalg.norm(x))
        x, r, y = candidate, r_new, y_new
        mu = mu * mu_factor**3 if ratio < 0.25 else mu / mu_factor**3 if ratio > 0.75 else mu
        mu = 0.0 if mu < mu_min else mu
        if moved < xtol * (xtol + max(size, 1.0)):
            status = Status.DX_TOL
            break
    note = " exact minimum found." if status == Status.G_TOL and y == 0 else ""
    say(f"Terminated after {len(trace) - 1 if trace else 0} iterations: {_MESSAGES[status]}.{note} y: {y:<.4g}, Residual evals: {n_res}, "
        f"time: {1e3 * (time.perf_counter() - start):.1f} ms")  # fmt: skip
    return x.reshape(np.shape(x0)), trace
