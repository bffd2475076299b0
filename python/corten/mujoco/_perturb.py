"""Bodies that are held with the mouse: what an MjvPerturb says becomes a force, or a place."""

import numpy as np

from ._arguments import REAL
from ._drawing import MjvPerturb
from ._enums import mjtJoint, mjtObj, mjtPertBit
from ._math import mju_mulPose, mju_mulQuat, mju_negPose, mju_subQuat
from ._queries import mj_jac, mj_objectVelocity, mj_solveM
from ._scene import mjv_cameraInModel, mjv_frustumHeight


def _selected(m, pert):
    if not isinstance(pert, MjvPerturb):
        raise TypeError(f"expected MjvPerturb, got {type(pert).__name__}")
    return pert.select if 0 < pert.select < m.nbody else 0


def _held_point(d, body, pert):
    return d.xpos[body] + d.xmat[body].reshape(3, 3) @ pert.localpos


def _jacobian(m, d, body, point):
    jacobian = np.zeros((3, m.nv), REAL)
    mj_jac(m, d, jacobian, None, point, body)
    return jacobian


def _local_mass(m, d, body, point):
    """The mass that a hand feels there: three over the trace of the inverse; 1 for what does not move."""
    jacobian = _jacobian(m, d, body, point)
    moved = np.zeros_like(jacobian)
    mj_solveM(m, d, moved, jacobian)
    trace = float(np.sum(moved * jacobian))
    return 3 / trace if trace > 1e-15 else 1.0


def mjv_initPerturb(m, d, scn, pert):
    """Begin to hold the selected body: where it is becomes where it should be."""
    body = _selected(m, pert)
    if not body:
        return
    _begin(m, d, body, pert)
    head, forward, up = np.zeros((3, 3), REAL)
    mjv_cameraInModel(head, forward, up, scn)
    pert.scale = mjv_frustumHeight(scn) * float(forward @ (pert.refselpos - head))


def _begin(m, d, body, pert):
    quat = np.zeros(4, REAL)
    mju_mulQuat(quat, d.xquat[body], m.body_iquat[body])
    pert.refpos, pert.refquat = d.xipos[body], quat
    pert.refselpos = _held_point(d, body, pert)
    pert.localmass = _local_mass(m, d, body, pert.refselpos)


def mjv_applyPerturbForce(m, d, pert):
    """A damped spring from the held point, or the orientation, to its reference, into `xfrc_applied` of the selected body."""
    body, active = _selected(m, pert), pert.active | pert.active2
    if not body or not active:
        return
    velocity, force, torque = np.zeros(6, REAL), np.zeros(3), np.zeros(3)
    mj_objectVelocity(m, d, mjtObj.mjOBJ_BODY, body, velocity, 0)
    stiffness, stiffness_turn = float(m.vis.map.stiffness), float(m.vis.map.stiffnessrot)
    weight = float(m.body_invweight0[body, 1])
    inertia = 1 / weight if weight > 1e-15 else 1.0
    if active & mjtPertBit.mjPERT_TRANSLATE:
        point = _held_point(d, body, pert)
        away = pert.refselpos - point
        force = pert.localmass * (stiffness * away - np.sqrt(stiffness) * (_jacobian(m, d, body, point) @ d.qvel))
        torque = np.cross(point - d.xipos[body], force)
        # spinning about the line of the pull is damped, which the force cannot do
        length = float(np.linalg.norm(away))
        line = away / length if length > 1e-15 else np.array([1.0, 0, 0])
        torque -= inertia * np.sqrt(stiffness_turn) * float(line @ velocity[:3]) * line
    if active & mjtPertBit.mjPERT_ROTATE:
        turn, quat = np.zeros(3, REAL), np.zeros(4, REAL)
        mju_mulQuat(quat, d.xquat[body], m.body_iquat[body])
        mju_subQuat(turn, pert.refquat.astype(REAL), quat)  # in the axes of the body
        world = d.ximat[body].reshape(3, 3) @ turn
        torque = torque + inertia * (stiffness_turn * world - np.sqrt(stiffness_turn) * velocity[:3])
    d.xfrc_applied[body, :3], d.xfrc_applied[body, 3:] = force, torque


def mjv_applyPerturbPose(m, d, pert, flg_paused):
    """Put the selected body where it should be: a mocap body, or while paused the free tree that it belongs to."""
    body = _selected(m, pert)
    if not body or not pert.active | pert.active2:
        return
    pos, quat, root = np.zeros(3, REAL), np.zeros(4, REAL), int(m.body_rootid[body])
    mju_negPose(pos, quat, m.body_ipos[body], m.body_iquat[body])
    mju_mulPose(pos, quat, pert.refpos.astype(REAL), pert.refquat.astype(REAL), pos.copy(), quat.copy())
    mocap = int(m.body_mocapid[body])
    if mocap >= 0:
        d.mocap_pos[mocap], d.mocap_quat[mocap] = pos, quat
    elif flg_paused and m.body_jntnum[root] == 1 and m.jnt_type[m.body_jntadr[root]] == mjtJoint.mjJNT_FREE:
        back, turned = np.zeros(3, REAL), np.zeros(4, REAL)  # from the selected body to the root
        mju_negPose(back, turned, d.xpos[body], d.xquat[body])
        mju_mulPose(back, turned, back.copy(), turned.copy(), d.xpos[root], d.xquat[root])
        mju_mulPose(pos, quat, pos.copy(), quat.copy(), back, turned)
        first = int(m.jnt_qposadr[m.body_jntadr[root]])
        d.qpos[first : first + 3], d.qpos[first + 3 : first + 7] = pos, quat


__all__ = ["mjv_applyPerturbForce", "mjv_applyPerturbPose", "mjv_initPerturb"]
