#include "stage/position/cameras.h"

#include "math/quat.h"

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
  for (int i = 0; i < m->ncam; i++) camera_frame(m, d, i);
  for (int i = 0; i < m->nlight; i++) light_frame(m, d, i);
}
