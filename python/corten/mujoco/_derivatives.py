"""Derivatives by finite differences: mjd_transitionFD and mjd_inverseFD, as there. The data stays as it is."""

from corten import Error, _core
from corten._derive import _INVERSE_FD, _TRANSITION

from ._arguments import matrix
from ._errors import FatalError


def mjd_transitionFD(m, d, eps, flg_centered, A, B, C, D):
    """The step as a linear map: A and B of the next state by state and controls, C and D of the sensors likewise. States are
    qpos (along the joints), qvel and act. Each may be None."""
    nx, nu, ns = 2 * m.nv + m.na, m.nu, m.nsensordata
    if m.opt.integrator == 1:
        raise FatalError("mjd_transitionFD: RK4 integrator is not supported")
    _derive("mjd_transitionFD", m, d, _TRANSITION, eps, flg_centered, dict(A=(A, nx, nx), B=(B, nx, nu), C=(C, ns, nx), D=(D, ns, nu)))


def mjd_inverseFD(m, d, eps, flg_actuation, DfDq, DfDv, DfDa, DsDq, DsDv, DsDa, DmDq):
    """Inverse dynamics as a linear map: forces, sensors and the mass matrix by position, velocity and acceleration, with a row
    for each of these. Each may be None."""
    nv, ns = m.nv, m.nsensordata
    _derive("mjd_inverseFD", m, d, _INVERSE_FD, eps, flg_actuation, dict(
        DfDq=(DfDq, nv, nv), DfDv=(DfDv, nv, nv), DfDa=(DfDa, nv, nv), DsDq=(DsDq, nv, ns), DsDv=(DsDv, nv, ns),
        DsDa=(DsDa, nv, ns), DmDq=(DmDq, nv, m.nC)))  # fmt: skip


def _derive(call, m, d, kind, eps, flag, outputs):
    for name, (given, *shape) in outputs.items():
        if given is not None:
            matrix(given, tuple(shape), name)
    if m.nhistory:
        raise FatalError(f"{call}: delays are not supported")
    try:
        _core.derive(m, d, kind, eps, bool(flag), 1, tuple(given for given, *_ in outputs.values()), 0)
    except Error as error:
        raise FatalError(f"{call}: {error}") from None


__all__ = ["mjd_inverseFD", "mjd_transitionFD"]
