"""The functions mju_* of matrices: dense, banded, sparse. Results go to the first argument, as there."""

import math

import numpy as np

from ._arguments import REAL, ints, matrix, out
from ._arguments import vec as _vec
from ._constants import mjMINVAL
from ._errors import FatalError
from ._rotations import _mat_quat
from ._vectors import _same

_EPS = mjMINVAL


def _mat(values, name):
    array = np.asarray(values, REAL)
    if array.ndim == 1:
        array = array[:, None]
    if array.ndim != 2:
        raise TypeError(f"{name} should be a matrix, got {array.ndim} dimensions")
    return array


def mju_transpose(res, mat):
    m = _mat(mat, "mat")
    matrix(res, m.shape[::-1], "res")[...] = m.T


def mju_symmetrize(res, mat):
    m = _mat(mat, "mat")
    if m.shape[0] != m.shape[1]:
        raise TypeError("mat should be a square matrix")
    matrix(res, m.shape, "res")[...] = (m + m.T) / 2


def mju_eye(mat):
    m = matrix(mat, (None, None), "mat")
    if m.ndim != 2 or m.shape[0] != m.shape[1]:
        raise TypeError("mat should be a square matrix")
    m[...] = np.eye(len(m))


def mju_mulMatVec(res, mat, vec):
    m, v = _mat(mat, "mat"), _vec(vec, None, "vec")
    if m.shape[1] != v.size:
        raise TypeError("size of vec should equal the number of columns in mat")
    if out(res, None, "res").size != m.shape[0]:
        raise TypeError("size of res should equal the number of rows in mat")
    res.flat = m @ v


def mju_mulMatTVec(res, mat, vec):
    m, v = _mat(mat, "mat"), _vec(vec, None, "vec")
    if m.shape[0] != v.size:
        raise TypeError("size of vec should equal the number of rows in mat")
    if out(res, None, "res").size != m.shape[1]:
        raise TypeError("size of res should equal the number of columns in mat")
    res.flat = v @ m


def mju_mulVecMatVec(vec1, mat, vec2):
    a, m, b = _vec(vec1, None, "vec1"), _mat(mat, "mat"), _vec(vec2, None, "vec2")
    if m.shape != (a.size, b.size):
        raise TypeError("vec1, mat and vec2 should have sizes that fit")
    return float(a @ m @ b)


def _product(shape_of, multiply, text):
    def function(res, mat1, mat2):
        a, b = _mat(mat1, "mat1"), _mat(mat2, "mat2")
        shape = shape_of(a, b)
        if shape is None:
            raise TypeError(text)
        matrix(res, shape, "res")[...] = multiply(a, b)

    return function


mju_mulMatMat = _product(
    lambda a, b: (a.shape[0], b.shape[1]) if a.shape[1] == b.shape[0] else None,
    lambda a, b: a @ b,
    "#columns in mat1 should equal #rows in mat2",
)
mju_mulMatMatT = _product(
    lambda a, b: (a.shape[0], b.shape[0]) if a.shape[1] == b.shape[1] else None,
    lambda a, b: a @ b.T,
    "#columns in mat1 should equal #columns in mat2",
)
mju_mulMatTMat = _product(
    lambda a, b: (a.shape[1], b.shape[1]) if a.shape[0] == b.shape[0] else None,
    lambda a, b: a.T @ b,
    "#rows in mat1 should equal #rows in mat2",
)


def mju_sqrMatTD(res, mat, diag):
    m = _mat(mat, "mat")
    weights = np.ones(m.shape[0]) if diag is None else _vec(diag, m.shape[0], "diag")
    matrix(res, (m.shape[1], m.shape[1]), "res")[...] = m.T @ (weights[:, None] * m)


def mju_cholFactor(mat, mindiag):
    m = matrix(mat, (None, None), "mat")
    n = m.shape[0]
    if m.ndim != 2 or m.shape != (n, n):
        raise TypeError("mat should be a square matrix")
    rank = n
    for j in range(n):
        pivot = m[j, j] - m[j, :j] @ m[j, :j]
        if pivot < mindiag:
            pivot, rank = mindiag, rank - 1
        m[j, j] = root = math.sqrt(pivot)
        m[j + 1 :, j] = (m[j + 1 :, j] - m[j + 1 :, :j] @ m[j, :j]) / root
    return rank


def mju_cholSolve(res, mat, vec):
    m, x = _mat(mat, "mat"), _vec(vec, None, "vec").copy()
    n = m.shape[0]
    if m.shape != (n, n):
        raise TypeError("mat should be a square matrix")
    _same("res", out(res, None, "res").size, "mat", n)
    _same("vec", x.size, "mat", n)
    for i in range(n):
        x[i] = (x[i] - m[i, :i] @ x[:i]) / m[i, i]
    for i in reversed(range(n)):
        x[i] = (x[i] - m[i + 1 :, i] @ x[i + 1 :]) / m[i, i]
    res.flat = x


def mju_cholUpdate(mat, x, flg_plus):
    m = matrix(mat, (None, None), "mat")
    n = m.shape[0]
    if m.ndim != 2 or m.shape != (n, n):
        raise TypeError("mat should be a square matrix")
    v = out(x, n, "x")
    rank = n
    for k in range(n):
        if v[k] == 0:
            continue
        square = m[k, k] ** 2 + (v[k] ** 2 if flg_plus else -(v[k] ** 2))
        if square < _EPS:
            square, rank = _EPS, rank - 1
        r = math.sqrt(square)
        c, s = r / m[k, k], v[k] / m[k, k]
        m[k, k] = r
        below = slice(k + 1, n)
        m[below, k] = (m[below, k] + (s if flg_plus else -s) * v[below]) / c
        v[below] = c * v[below] - s * m[below, k]
    return rank


def mju_eig3(eigval, eigvec, quat, mat):
    for given, size, name in ((eigval, 3, "eigval"), (eigvec, 9, "eigvec"), (quat, 4, "quat")):
        out(given, size, name)
    m = _vec(mat, 9, "mat").reshape(3, 3)
    values, vectors = np.linalg.eigh((m + m.T) / 2)
    values, vectors = values[::-1], vectors[:, ::-1].copy()
    if np.linalg.det(vectors) < 0:
        vectors[:, 2] = -vectors[:, 2]
    eigval.flat, eigvec.flat = values, vectors
    quat.flat = _mat_quat(vectors.ravel().tolist())
    return 1


def mju_boxQP(res, R, index, H, g, lower, upper):
    H, g = _mat(H, "H"), _vec(g, None, "g")
    n = g.size
    _same("res", out(res, None, "res").size, "g", n)
    low = np.full(n, -np.inf) if lower is None else _vec(lower, n, "lower")
    high = np.full(n, np.inf) if upper is None else _vec(upper, n, "upper")
    if H.shape != (n, n):
        raise TypeError("H should be of shape (n, n)")
    H = np.tril(H) + np.tril(H, -1).T  # what is above the diagonal is not read
    matrix(R, (n, n + 7), "R")
    if index is not None:
        ints(index, n, "index")
    if np.any(low >= high):
        raise FatalError("mju_boxQP: upper bound must be greater than lower bound")
    x = np.clip(res.ravel(), low, high)
    free = np.ones(n, bool)
    rank = 0
    for _ in range(100):
        gradient = H @ x + g
        free = ~(((x <= low) & (gradient > 0)) | ((x >= high) & (gradient < 0)))
        ids = np.flatnonzero(free)
        rank = len(ids)
        if rank == 0 or np.linalg.norm(gradient[free]) < 1e-16:
            break
        try:
            factor = np.linalg.cholesky(H[np.ix_(ids, ids)])
        except np.linalg.LinAlgError:
            return -1
        search = np.zeros(n)
        search[ids] = -np.linalg.solve(factor.T, np.linalg.solve(factor, gradient[ids]))
        slope = search @ gradient
        if slope >= 0:
            break
        value, step = x @ (H @ x / 2 + g), 1.0
        while True:
            candidate = np.clip(x + step * search, low, high)
            if candidate @ (H @ candidate / 2 + g) - value <= 0.1 * step * slope or step < 1e-22:
                break
            step *= 0.5
        if np.array_equal(candidate, x):
            break
        x = candidate
    res.flat = x
    if rank:
        factor = np.linalg.cholesky(H[np.ix_(ids, ids)])
        R.reshape(-1)[: rank * rank] = factor.ravel()
    if index is not None:
        index[:rank] = np.flatnonzero(free)
    return rank


# band matrices: the rows of the band, then dense rows

def _band_row(row, ntotal, nband, ndense):
    """(address of the row, first column, number of columns)"""
    if row < ntotal - ndense:
        return row * nband, row - nband + 1, nband
    return (ntotal - ndense) * nband + (row - ntotal + ndense) * ntotal, 0, ntotal


def _band_size(ntotal, nband, ndense):
    return (ntotal - ndense) * nband + ndense * ntotal


def mju_bandDiag(i, ntotal, nband, ndense):
    adr, first, _ = _band_row(i, ntotal, nband, ndense)
    return adr + i - first


def mju_dense2Band(res, mat, ntotal, nband, ndense):
    m = _mat(mat, "mat")
    out(res, _band_size(ntotal, nband, ndense), "res")
    if m.size != ntotal * ntotal:
        raise TypeError("mat should have ntotal rows and columns")
    m = m.reshape(ntotal, ntotal)
    for i in range(ntotal):
        adr, first, _ = _band_row(i, ntotal, nband, ndense)
        for j in range(max(first, 0), i + 1):
            res.flat[adr + j - first] = m[i, j]


def _band_dense(mat, ntotal, nband, ndense):
    band = _vec(mat, _band_size(ntotal, nband, ndense), "mat")
    m = np.zeros((ntotal, ntotal), REAL)
    for i in range(ntotal):
        adr, first, _ = _band_row(i, ntotal, nband, ndense)
        for j in range(max(first, 0), i + 1):
            m[i, j] = band[adr + j - first]
    return m


def mju_band2Dense(res, mat, ntotal, nband, ndense, flg_sym):
    m = _band_dense(mat, ntotal, nband, ndense)
    matrix(res, (ntotal, ntotal), "res")[...] = m + np.tril(m, -1).T if flg_sym else m


def mju_bandMulMatVec(res, mat, vec, ntotal, nband, ndense, nvec, flg_sym):
    m = _band_dense(mat, ntotal, nband, ndense)
    m = m + np.tril(m, -1).T if flg_sym else m
    vectors = _vec(vec, ntotal * nvec, "vec").reshape(nvec, ntotal)
    out(res, ntotal * nvec, "res").flat = vectors @ m.T


def mju_cholFactorBand(mat, ntotal, nband, ndense, diagadd, diagmul):
    band = out(mat, _band_size(ntotal, nband, ndense), "mat")
    m = _band_dense(band, ntotal, nband, ndense)
    least = math.inf
    for j in range(ntotal):
        m[j, j] += diagadd + diagmul * m[j, j]
    for j in range(ntotal):
        pivot = m[j, j] - m[j, :j] @ m[j, :j]
        if pivot < _EPS:
            return 0.0
        least = min(least, math.sqrt(pivot))
        m[j, j] = math.sqrt(pivot)
        m[j + 1 :, j] = (m[j + 1 :, j] - m[j + 1 :, :j] @ m[j, :j]) / m[j, j]
    mju_dense2Band(band, m, ntotal, nband, ndense)
    return least


def mju_cholSolveBand(res, mat, vec, ntotal, nband, ndense):
    m = _band_dense(mat, ntotal, nband, ndense)
    out(res, ntotal, "res")
    mju_cholSolve(res, m, _vec(vec, ntotal, "vec"))


# sparse matrices: rows of values and columns

def _rows_of(rownnz, rowadr, colind):
    return (np.asarray(part, np.int64).ravel() for part in (rownnz, rowadr, colind))


def mju_dense2sparse(res, mat, rownnz, rowadr, colind):
    m = _mat(mat, "mat")
    for given, name in ((rownnz, "rownnz"), (rowadr, "rowadr")):
        if ints(given, None, name).size != m.shape[0]:
            raise TypeError(f"#rows in mat should equal size of {name}")
    out(res, None, "res")
    if ints(colind, None, "colind").size != res.size:
        raise TypeError("size of colind should equal size of res")
    at = 0
    for i, row in enumerate(m):
        columns = np.flatnonzero(row)
        if at + len(columns) > res.size:
            return 1
        rownnz[i], rowadr[i] = len(columns), at
        res[at : at + len(columns)] = row[columns]
        colind[at : at + len(columns)] = columns
        at += len(columns)
    return 0


def mju_sparse2dense(res, mat, rownnz, rowadr, colind):
    m = matrix(res, (None, None), "res")
    values = _vec(mat, None, "mat")
    nnz, adr, columns = _rows_of(rownnz, rowadr, colind)
    if m.ndim != 2 or len(nnz) != m.shape[0]:
        raise TypeError("#rows in res should equal size of rownnz")
    m[...] = 0
    for i in range(len(nnz)):
        span = slice(adr[i], adr[i] + nnz[i])
        m[i, columns[span]] = values[span]


def mju_sym2dense(res, mat, rownnz, rowadr, colind):
    mju_sparse2dense(res, mat, rownnz, rowadr, colind)
    lower = np.tril(res)
    res[...] = lower + np.tril(lower, -1).T


__all__ = [name for name in globals() if name.startswith(("mju_", "mjd_"))]
