#include "stage/position/kinematics.h"

#include "math/quat.h"

// Frame of the body before its joints move it: the parent's, or the mocap target's.
static CT_FN void body_rest_frame(ctReal pos[3], ctReal quat[4], const ctModel* m, const ctData* d, int i) {
  int parent = m->body_parentid[i], mocap = m->body_mocapid[i];
  const ctReal* local_pos = m->body_pos + 3 * i;
  const ctReal* local_quat = m->body_quat + 4 * i;
  ctReal target[4];
  if (mocap >= 0) {
    local_pos = d->mocap_pos + 3 * mocap;
    cti_copy4(target, d->mocap_quat + 4 * mocap);
    cti_normalize4(target);
    local_quat = target;
  }
  if (parent == 0) {
    cti_copy3(pos, local_pos);
    cti_copy4(quat, local_quat);
    return;
  }
  cti_mul_mat_vec3(pos, d->xmat + 9 * parent, local_pos);
  cti_add_to3(pos, d->xpos + 3 * parent);
  cti_quat_mul(quat, d->xquat + 4 * parent, local_quat);
}

// Move the frame by one slide, ball or hinge; the joint's anchor and axis are where they were before it
// moved.
static CT_FN void move_by_joint(ctReal pos[3], ctReal quat[4], const ctModel* m, ctData* d, int j) {
  ctReal* anchor = d->xanchor + 3 * j;
  ctReal* axis = d->xaxis + 3 * j;
  const ctReal* local_pos = m->jnt_pos + 3 * j;
  int adr = m->jnt_qposadr[j], type = m->jnt_type[j];
  // most joints sit in the origin of their body
  bool off = local_pos[0] != 0 || local_pos[1] != 0 || local_pos[2] != 0;
  cti_quat_rotate(axis, quat, m->jnt_axis + 3 * j);
  cti_copy3(anchor, pos);
  if (off) {
    ctReal arm[3];
    cti_quat_rotate(arm, quat, local_pos);
    cti_add_to3(anchor, arm);
  }
  if (type == CT_JOINT_SLIDE) {
    cti_add_scaled3(pos, axis, d->qpos[adr] - m->qpos0[adr]);
    return;
  }
  ctReal turn[4];
  if (type == CT_JOINT_BALL) {
    cti_copy4(turn, d->qpos + adr);
    cti_normalize4(turn);
  } else {
    cti_quat_axis_angle(turn, m->jnt_axis + 3 * j, d->qpos[adr] - m->qpos0[adr]);
  }
  cti_quat_mul(quat, quat, turn);
  if (off) {
    // the anchor stays where it is
    ctReal arm[3];
    cti_quat_rotate(arm, quat, local_pos);
    cti_sub3(pos, anchor, arm);
  }
}

static CT_FN void body_frame(const ctModel* m, ctData* d, int i) {
  ctReal* pos = d->xpos + 3 * i;
  ctReal* quat = d->xquat + 4 * i;
  int jnt = m->body_jntadr[i], njnt = m->body_jntnum[i];
  if (njnt == 1 && m->jnt_type[jnt] == CT_JOINT_FREE) {
    const ctReal* q = d->qpos + m->jnt_qposadr[jnt];
    cti_copy3(pos, q);
    cti_copy4(quat, q + 3);
    cti_normalize4(quat);
    cti_copy3(d->xanchor + 3 * jnt, pos);
    cti_copy3(d->xaxis + 3 * jnt, m->jnt_axis + 3 * jnt);
  } else {
    body_rest_frame(pos, quat, m, d, i);
    for (int j = jnt; j < jnt + njnt; j++) move_by_joint(pos, quat, m, d, j);
    cti_renormalize4(quat);
  }
  cti_quat_to_mat(d->xmat + 9 * i, quat);
}

// Frame fixed to a body, with short cuts for frames that coincide with one already known.
CT_INLINE void attached_frame(const ctData* d, ctReal out_pos[3], ctReal out_quat[4], ctReal out_mat[9],
                              int body, const ctReal* pos, const ctReal* quat, int sameframe) {
  const ctReal* xpos = d->xpos + 3 * body;
  const ctReal* xmat = d->xmat + 9 * body;
  if (sameframe == CT_SAMEFRAME_BODY) {
    cti_copy3(out_pos, xpos);
  } else if (sameframe == CT_SAMEFRAME_INERTIA) {
    cti_copy3(out_pos, d->xipos + 3 * body);
  } else {
    cti_mul_mat_vec3(out_pos, xmat, pos);
    cti_add_to3(out_pos, xpos);
  }
  const ctReal* known = (const ctReal*)0;
  if (sameframe == CT_SAMEFRAME_BODY || sameframe == CT_SAMEFRAME_BODYROT) {
    known = xmat;
    cti_copy4(out_quat, d->xquat + 4 * body);
  } else if (sameframe == CT_SAMEFRAME_INERTIA || sameframe == CT_SAMEFRAME_INERTIAROT) {
    known = d->ximat + 9 * body;
    cti_copy4(out_quat, d->xiquat + 4 * body);
  }
  if (known) {
    for (int k = 0; k < 9; k++) out_mat[k] = known[k];
    return;
  }
  cti_quat_mul(out_quat, d->xquat + 4 * body, quat);
  cti_quat_to_mat(out_mat, out_quat);
}

static CT_FN void world_frame(ctReal* pos, ctReal* quat, ctReal* mat) {
  cti_zero3(pos);
  cti_quat_unit(quat);
  for (int k = 0; k < 9; k++) mat[k] = k % 4 == 0 ? CT_R(1) : CT_R(0);
}

CT_FN void cti_kinematics(const ctModel* m, ctData* d) {
  world_frame(d->xpos, d->xquat, d->xmat);
  world_frame(d->xipos, d->xiquat, d->ximat);
  for (int i = 1; i < m->nbody; i++) body_frame(m, d, i);
  for (int i = 1; i < m->nbody; i++) {
    attached_frame(d, d->xipos + 3 * i, d->xiquat + 4 * i, d->ximat + 9 * i, i, m->body_ipos + 3 * i,
                   m->body_iquat + 4 * i, m->body_sameframe[i]);
  }
  for (int i = 0; i < m->ngeom; i++) {
    attached_frame(d, d->geom_xpos + 3 * i, d->geom_xquat + 4 * i, d->geom_xmat + 9 * i, m->geom_bodyid[i],
                   m->geom_pos + 3 * i, m->geom_quat + 4 * i, m->geom_sameframe[i]);
  }
  for (int i = 0; i < m->nsite; i++) {
    attached_frame(d, d->site_xpos + 3 * i, d->site_xquat + 4 * i, d->site_xmat + 9 * i, m->site_bodyid[i],
                   m->site_pos + 3 * i, m->site_quat + 4 * i, m->site_sameframe[i]);
  }
}
