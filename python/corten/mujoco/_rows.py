"""The functions mj_* of contacts and constraint rows by hand."""

import numpy as np

from corten import Error, Part, _core

from ._arguments import REAL, out
from ._arguments import vec as _vec
from ._enums import mjtConstraint, mjtConstraintState
from ._records import MjContact
from ._steps import _run

_STATE = mjtConstraintState


def mj_island(m, d):
    """Find the sets of trees that constraint rows connect."""
    _run(m, d, Part.ISLANDS)


def mj_addContact(m, d, con):
    """Add a contact behind mj_collision and before mj_makeConstraint. 0, or 1 when there is no room."""
    if not isinstance(con, MjContact):
        raise TypeError("con should be an MjContact")
    before = np.array(d.contact._records())
    try:
        _core.make_rows(d, (len(before) + 1, 0, 0, 0, 0, 0), False)
    except Error:
        return 1
    records = d.contact._records()
    records[:-1], records[-1] = before, con._r
    return 0


def _cone(d, i, jar, con, hessian):
    """The rows of an elliptic contact: their cost, state and forces."""
    dim, mu = int(con.dim), float(con.mu)
    scale = np.array([mu, *con.friction[: dim - 1]])
    u, D = jar * scale, d.efc_D[i : i + dim]
    N, T = u[0], np.linalg.norm(u[1:])
    if N >= mu * T:
        return 0.0, _STATE.mjCNSTRSTATE_SATISFIED, np.zeros(dim)
    if mu * N + T <= 0:
        return 0.5 * float(D @ (jar * jar)), _STATE.mjCNSTRSTATE_QUADRATIC, -D * jar
    gap, weight = N - mu * T, float(D[0]) / (mu * mu * (1 + mu * mu))
    slope = np.array([1.0, *(-mu * u[1:] / T)])
    if hessian:
        # second derivatives of the cost by jar
        curve = np.outer(slope, slope)
        along = np.outer(u[1:], u[1:]) / T**3 - np.eye(dim - 1) / T
        curve[1:, 1:] += gap * mu * along
        con.H[: dim * dim] = (weight * curve * np.outer(scale, scale)).ravel()
    return 0.5 * weight * gap * gap, _STATE.mjCNSTRSTATE_CONE, -weight * gap * slope * scale


def _row(d, i, jar):
    """Any other row: its cost, state and force."""
    D, R, loss = float(d.efc_D[i]), float(d.efc_R[i]), float(d.efc_frictionloss[i])
    if d.ne <= i < d.ne + d.nf and abs(jar) >= R * loss:
        sign = 1 if jar > 0 else -1
        state = _STATE.mjCNSTRSTATE_LINEARPOS if sign > 0 else _STATE.mjCNSTRSTATE_LINEARNEG
        return -0.5 * R * loss * loss + sign * loss * jar, state, -sign * loss
    if i >= d.ne + d.nf and jar >= 0:
        return 0.0, _STATE.mjCNSTRSTATE_SATISFIED, 0.0
    return 0.5 * D * jar * jar, _STATE.mjCNSTRSTATE_QUADRATIC, -D * jar


def mj_constraintUpdate(m, d, jar, cost=None, flg_coneHessian=0):
    """Forces and states of the constraint rows at `jar`, J times acceleration less reference, and their effect on the joints."""
    numbers = np.asarray(jar)
    if numbers.size != d.nefc:
        raise TypeError("size of jar should equal nefc")
    numbers = _vec(jar, d.nefc, "jar")
    total, i = 0.0, 0
    while i < d.nefc:
        if d.efc_type[i] == mjtConstraint.mjCNSTR_CONTACT_ELLIPTIC:
            con = d.contact[int(d.efc_id[i])]
            rows = slice(i, i + int(con.dim))
            more, state, force = _cone(d, i, numbers[rows], con, flg_coneHessian)
        else:
            rows = slice(i, i + 1)
            more, state, force = _row(d, i, float(numbers[i]))
        d.efc_state[rows], d.efc_force[rows] = int(state), force
        total, i = total + more, rows.stop
    if d.nefc:
        _core.ask(m, d, "rows_mul_transposed", (), (np.ascontiguousarray(d.efc_force, REAL),), (d.qfrc_constraint,))
    else:
        d.qfrc_constraint[:] = 0
    if cost is not None:
        out(cost, 1, "cost")[...] = total


__all__ = ["mj_island", "mj_addContact", "mj_constraintUpdate"]
