#include "data/awake.h"
#include "data/scenery.h"
#include "math/quat.h"
#include "math/simd.h"
#include "math/spatial.h"
#include "stage/position/point_motion.h"
#include "stage/position/position.h"

// Frame of the body before its joints move it: the parent's, or the mocap target's.
CTI_SIMD_FN void body_rest_frame(ctReal pos[3], ctReal quat[4], const ctModel* m, const ctData* d, int i) {
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
  cti_vec4_quat_mul(quat, d->xquat + 4 * parent, local_quat);
}

// Move the frame by one slide, ball or hinge; the joint's anchor and axis are where they were before it
// moved.
CTI_SIMD_FN void move_by_joint(ctReal pos[3], ctReal quat[4], const ctModel* m, ctData* d, int j) {
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

CTI_SIMD_FN void body_frame(const ctModel* m, ctData* d, int i) {
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

CTI_SIMD_FN void body_frames_simd(const ctModel* m, ctData* d, int begin, int end) {
  for (int i = begin; i < end; i++) body_frame(m, d, i);
}
static CT_FN void body_frames(const ctModel* m, ctData* d, int begin, int end);
CTI_SIMD_DISPATCH(void, , body_frames, body_frames_simd, (const ctModel* m, ctData* d, int begin, int end),
                  (m, d, begin, end))

// Frame fixed to a body, with short cuts for frames that coincide with one already known.
CTI_SIMD_FN void attached_frame(const ctData* d, ctReal out_pos[3], ctReal out_quat[4], ctReal out_mat[9],
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
  cti_vec4_quat_mul(out_quat, d->xquat + 4 * body, quat);
  cti_quat_to_mat(out_mat, out_quat);
}

static CT_FN void world_frame(ctReal* pos, ctReal* quat, ctReal* mat) {
  cti_zero3(pos);
  cti_quat_unit(quat);
  for (int k = 0; k < 9; k++) mat[k] = k % 4 == 0 ? CT_R(1) : CT_R(0);
}

CT_KERNEL_INLINE void cti_body_frames(const ctModel* m, ctData* d) {
  world_frame(d->xpos, d->xquat, d->xmat);
  world_frame(d->xipos, d->xiquat, d->ximat);
  cti_scenery_forget(d);
  if (CT_TEAM > 1) {
    CTI_EACH_OUTWARD(i, cti_awake(d)->mover, m->body_parentid) body_frame(m, d, i);
  } else {
    CTI_EACH_SPAN(s, cti_moving_bodies(d)) body_frames(m, d, s->begin, s->end);
  }
}

CT_FN bool cti_tree_moved(const ctModel* m, ctData* d, int tree) {
  bool moved = false;
  for (int i = m->tree_bodyadr[tree]; i < m->tree_bodyadr[tree] + m->tree_bodynum[tree]; i++) {
    ctReal pos[3], quat[4];
    cti_copy3(pos, d->xpos + 3 * i);
    cti_copy4(quat, d->xquat + 4 * i);
    body_frames(m, d, i, i + 1);
    if (m->body_jntnum[i] == 0) continue;
    moved = moved || !cti_same_bits(pos, d->xpos + 3 * i, 3) || !cti_same_bits(quat, d->xquat + 4 * i, 4);
  }
  return moved;
}

CTI_SIMD_STAGE void attached_frames_simd(const ctModel* m, ctData* d) {
  const ctiAwake* awake = cti_awake(d);
  const ctiSpans bodies = cti_moving_bodies(d), geoms = cti_moving_geoms(d);
  CTI_EACH_LANES(i, bodies) {
    attached_frame(d, d->xipos + 3 * i, d->xiquat + 4 * i, d->ximat + 9 * i, i, m->body_ipos + 3 * i,
                   m->body_iquat + 4 * i, m->body_sameframe[i]);
  }
  CT_TEAM_SYNC();
  CTI_EACH_LANES(i, geoms) {
    attached_frame(d, d->geom_xpos + 3 * i, d->geom_xquat + 4 * i, d->geom_xmat + 9 * i, m->geom_bodyid[i],
                   m->geom_pos + 3 * i, m->geom_quat + 4 * i, m->geom_sameframe[i]);
  }
  CTI_EACH_LANES(i, awake->site) {
    attached_frame(d, d->site_xpos + 3 * i, d->site_xquat + 4 * i, d->site_xmat + 9 * i, m->site_bodyid[i],
                   m->site_pos + 3 * i, m->site_quat + 4 * i, m->site_sameframe[i]);
  }
  CT_TEAM_SYNC();
}
CTI_SIMD_DISPATCH_AS(CT_KERNEL_INLINE, void, , cti_attached_frames, attached_frames_simd,
                     (const ctModel* m, ctData* d), (m, d))

CT_KERNEL_INLINE_KEPT void cti_kinematics(const ctModel* m, ctData* d) {
  cti_body_frames(m, d);
  cti_attached_frames(m, d);
}

// ---- centres of mass, and everything seen from them ----
//   reads   d->xipos, ximat, xanchor, xaxis, xmat; m->body_mass, body_inertia
//   writes  d->subtree_com, cinert, cdof
//   before  kinematics
// cinert and cdof are in world axes about the centre of mass of the tree's root body's subtree.

// What sleeps adds to what it hangs on by the centre it fell asleep with. For the world that is a sum which
// only changes with the lists.
static CT_FN void add_sleeping_trees(const ctModel* m, ctData* d) {
  ctiAwake* awake = &cti_data(d)->awake;
  if (!awake->com_known) {
    cti_zero3(awake->rest_com);
    CTI_EACH_ASLEEP(t, awake->tree, m->ntree) {
      int root = m->tree_bodyadr[t];
      if (m->body_parentid[root] > 0) continue;
      cti_add_scaled3(awake->rest_com, d->subtree_com + 3 * root, m->body_subtreemass[root]);
    }
    awake->com_known = true;
  }
  cti_add_to3(d->subtree_com, awake->rest_com);
  CTI_EACH(t, awake->hung) {
    int root = m->tree_bodyadr[t];
    cti_add_scaled3(d->subtree_com + 3 * m->body_parentid[root], d->subtree_com + 3 * root,
                    m->body_subtreemass[root]);
  }
  CT_TEAM_SYNC();
}

CTI_SIMD_FN void divide_by_mass(const ctModel* m, ctData* d, int i) {
  ctReal* com = d->subtree_com + 3 * i;
  if (m->body_subtreemass[i] < CTI_MINVAL) {
    cti_copy3(com, d->xipos + 3 * i);
  } else {
    cti_scale3(com, com, 1 / m->body_subtreemass[i]);
  }
}

CTI_SIMD_STAGE void subtree_centres(const ctModel* m, ctData* d) {
  const ctiSpans bodies = cti_awake(d)->body;
  cti_scale3(d->subtree_com, d->xipos, m->body_mass[0]);
  CTI_EACH_LANES(i, bodies) cti_scale3(d->subtree_com + 3 * i, d->xipos + 3 * i, m->body_mass[i]);
  CT_TEAM_SYNC();
  if (cti_some_asleep(m, d)) add_sleeping_trees(m, d);
  cti_awake_add_inward(d->subtree_com, 3, true, m, d);
  divide_by_mass(m, d, 0);
  CTI_EACH_LANES(i, bodies) divide_by_mass(m, d, i);
  CT_TEAM_SYNC();
}

// Motion of each dof of a joint about the point `com`.
CTI_SIMD_FN void joint_motions(const ctModel* m, ctData* d, int j, const ctReal com[3]) {
  ctReal* cdof = d->cdof + 6 * m->jnt_dofadr[j];
  const ctReal* mat = d->xmat + 9 * m->jnt_bodyid[j];
  ctReal offset[3];
  cti_sub3(offset, com, d->xanchor + 3 * j);
  switch (m->jnt_type[j]) {
    case CT_JOINT_FREE:
      for (int k = 0; k < 3; k++) {
        cti_zero6(cdof);
        cdof[3 + k] = 1;
        cdof += 6;
      }
      // its rotations are those of a ball
      // fall through
    case CT_JOINT_BALL:
      for (int k = 0; k < 3; k++) {
        ctReal axis[3] = {mat[k], mat[3 + k], mat[6 + k]};
        cti_motion_of_hinge(cdof, axis, offset);
        cdof += 6;
      }
      break;
    case CT_JOINT_SLIDE: cti_motion_of_slide(cdof, d->xaxis + 3 * j); break;
    default: cti_motion_of_hinge(cdof, d->xaxis + 3 * j, offset);
  }
}

CTI_SIMD_STAGE void com_simd(const ctModel* m, ctData* d) {
  const ctiAwake* awake = cti_awake(d);
  subtree_centres(m, d);
  for (int k = 0; k < 10; k++) d->cinert[k] = 0;
  CTI_EACH_LANES(i, awake->body) {
    const ctReal* com = d->subtree_com + 3 * m->body_rootid[i];
    ctReal offset[3];
    cti_sub3(offset, d->xipos + 3 * i, com);
    cti_inertia_about(d->cinert + 10 * i, m->body_inertia + 3 * i, d->ximat + 9 * i, offset, m->body_mass[i]);
  }
  CTI_EACH_LANES(j, awake->jnt) joint_motions(m, d, j, d->subtree_com + 3 * m->body_rootid[m->jnt_bodyid[j]]);
  CT_TEAM_SYNC();
}
CTI_SIMD_DISPATCH_AS(CT_KERNEL_INLINE_KEPT, void, , cti_com, com_simd, (const ctModel* m, ctData* d), (m, d))

// ---- cameras and lights, fixed, tracking or looking at a body ----
//   reads   d->xpos, xquat, xmat, subtree_com; m->cam_*, light_*
//   writes  d->cam_xpos, cam_xmat, light_xpos, light_xdir
//   before  kinematics, com

// Where a camera or light with a target looks.
static CT_FN const ctReal* target_of(const ctData* d, int mode, int target) {
  return mode == CT_CAMLIGHT_TARGETBODYCOM ? d->subtree_com + 3 * target : d->xpos + 3 * target;
}

CT_INLINE bool looks_at_target(int mode, int target) {
  return (mode == CT_CAMLIGHT_TARGETBODY || mode == CT_CAMLIGHT_TARGETBODYCOM) && target >= 0;
}

// Position: fixed to the body, or at a constant offset from its frame or from the centre of its subtree.
static CT_FN void tracked_position(ctReal out[3], const ctData* d, int mode, int body, const ctReal* local,
                                   const ctReal* offset, const ctReal* offset_com) {
  if (mode == CT_CAMLIGHT_TRACK) {
    cti_add3(out, d->xpos + 3 * body, offset);
  } else if (mode == CT_CAMLIGHT_TRACKCOM) {
    cti_add3(out, d->subtree_com + 3 * body, offset_com);
  } else {
    cti_mul_mat_vec3(out, d->xmat + 9 * body, local);
    cti_add_to3(out, d->xpos + 3 * body);
  }
}

// Camera axes as columns: it looks against z, x is level.
static CT_FN void look_at(ctReal mat[9], const ctReal from[3], const ctReal at[3]) {
  ctReal x[3], y[3], z[3];
  const ctReal up[3] = {0, 0, 1};
  cti_sub3(z, from, at);
  cti_normalize3(z);
  cti_cross3(x, up, z);
  cti_normalize3(x);
  cti_cross3(y, z, x);
  cti_normalize3(y);
  for (int k = 0; k < 3; k++) {
    mat[3 * k] = x[k];
    mat[3 * k + 1] = y[k];
    mat[3 * k + 2] = z[k];
  }
}

static CT_FN void camera_frame(const ctModel* m, ctData* d, int i) {
  int mode = m->cam_mode[i], body = m->cam_bodyid[i], target = m->cam_targetbodyid[i];
  ctReal* pos = d->cam_xpos + 3 * i;
  ctReal* mat = d->cam_xmat + 9 * i;
  tracked_position(pos, d, mode, body, m->cam_pos + 3 * i, m->cam_pos0 + 3 * i, m->cam_poscom0 + 3 * i);
  if (mode == CT_CAMLIGHT_TRACK || mode == CT_CAMLIGHT_TRACKCOM) {
    for (int k = 0; k < 9; k++) mat[k] = m->cam_mat0[9 * i + k];
  } else if (looks_at_target(mode, target)) {
    look_at(mat, pos, target_of(d, mode, target));
  } else {
    ctReal quat[4];
    cti_quat_mul(quat, d->xquat + 4 * body, m->cam_quat + 4 * i);
    cti_quat_to_mat(mat, quat);
  }
}

static CT_FN void light_frame(const ctModel* m, ctData* d, int i) {
  int mode = m->light_mode[i], body = m->light_bodyid[i], target = m->light_targetbodyid[i];
  ctReal* pos = d->light_xpos + 3 * i;
  ctReal* dir = d->light_xdir + 3 * i;
  tracked_position(pos, d, mode, body, m->light_pos + 3 * i, m->light_pos0 + 3 * i, m->light_poscom0 + 3 * i);
  if (mode == CT_CAMLIGHT_TRACK || mode == CT_CAMLIGHT_TRACKCOM) {
    cti_copy3(dir, m->light_dir0 + 3 * i);
  } else if (looks_at_target(mode, target)) {
    cti_sub3(dir, target_of(d, mode, target), pos);
  } else {
    cti_mul_mat_vec3(dir, d->xmat + 9 * body, m->light_dir + 3 * i);
  }
  cti_normalize3(dir);
}

CT_FN void cti_cameras(const ctModel* m, ctData* d) {
  CTI_EACH_LANES(i, cti_awake(d)->cam) camera_frame(m, d, i);
  CTI_EACH_LANES(i, cti_awake(d)->light) light_frame(m, d, i);
  CT_TEAM_SYNC();
}

// ---- how points and frames fixed to bodies move with the dofs ----

CT_FN void cti_add_relative_gradient(ctReal* row, const ctModel* m, const ctData* d, const ctReal wrench0[6],
                                     int body0, const ctReal wrench1[6], int body1, ctReal scale) {
  int i = cti_last_dof(m, body0), j = cti_last_dof(m, body1);
  // dofs are numbered outwards: the larger of the two cannot be on the other chain
  while (i != j) {
    if (j > i) {
      row[j] += scale * cti_dot6(d->cdof + 6 * j, wrench1);
      j = m->dof_parentid[j];
    } else {
      row[i] -= scale * cti_dot6(d->cdof + 6 * i, wrench0);
      i = m->dof_parentid[i];
    }
  }
}

CT_FN void cti_add_gradient(ctReal* row, const ctModel* m, const ctData* d, const ctReal wrench[6], int body,
                            ctReal scale) {
  for (int k = cti_last_dof(m, body); k >= 0; k = m->dof_parentid[k]) {
    row[k] += scale * cti_dot6(d->cdof + 6 * k, wrench);
  }
}

CT_FN void cti_add_force_at(const ctModel* m, const ctData* d, ctReal* qfrc, const ctReal force[3],
                            const ctReal torque[3], const ctReal point[3], int body) {
  // the same wrench about the tree's centre of mass, where the motion axes are
  ctReal arm[3], wrench[6];
  cti_sub3(arm, point, d->subtree_com + 3 * m->body_rootid[body]);
  cti_cross3(wrench, arm, force);
  cti_add_to3(wrench, torque);
  cti_copy3(wrench + 3, force);
  cti_add_gradient(qfrc, m, d, wrench, body, 1);
}
