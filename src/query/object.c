#include "query/object.h"

#include "math/spatial.h"

CT_FN int cti_object_frame(const ctModel* m, const ctData* d, int type, int id, const ctReal** pos,
                           const ctReal** mat) {
  switch (type) {
    case CT_OBJ_BODY:
      *pos = d->xipos + 3 * id;
      *mat = d->ximat + 9 * id;
      return id;
    case CT_OBJ_GEOM:
      *pos = d->geom_xpos + 3 * id;
      *mat = d->geom_xmat + 9 * id;
      return m->geom_bodyid[id];
    case CT_OBJ_SITE:
      *pos = d->site_xpos + 3 * id;
      *mat = d->site_xmat + 9 * id;
      return m->site_bodyid[id];
    case CT_OBJ_CAMERA:
      *pos = d->cam_xpos + 3 * id;
      *mat = d->cam_xmat + 9 * id;
      return m->cam_bodyid[id];
    default:
      *pos = d->xpos + 3 * id;
      *mat = d->xmat + 9 * id;
      return id;
  }
}

CT_FN void cti_object_quat(ctReal quat[4], const ctModel* m, const ctData* d, int type, int id) {
  switch (type) {
    case CT_OBJ_BODY: cti_copy4(quat, d->xiquat + 4 * id); break;
    case CT_OBJ_GEOM: cti_copy4(quat, d->geom_xquat + 4 * id); break;
    case CT_OBJ_SITE: cti_copy4(quat, d->site_xquat + 4 * id); break;
    case CT_OBJ_CAMERA: cti_quat_mul(quat, d->xquat + 4 * m->cam_bodyid[id], m->cam_quat + 4 * id); break;
    default: cti_copy4(quat, d->xquat + 4 * id);
  }
}

static CT_FN void to_local(ctReal v[6], const ctReal* mat) {
  cti_mul_mat_t_vec3(v, mat, v);
  cti_mul_mat_t_vec3(v + 3, mat, v + 3);
}

CT_FN void cti_object_velocity(ctReal out[6], const ctModel* m, const ctData* d, int type, int id,
                               bool local) {
  const ctReal *pos, *mat;
  int body = cti_object_frame(m, d, type, id, &pos, &mat);
  cti_motion_shift(out, d->cvel + 6 * body, pos, d->subtree_com + 3 * m->body_rootid[body]);
  if (local) to_local(out, mat);
}

CT_FN void cti_object_acceleration(ctReal out[6], const ctModel* m, const ctData* d, int type, int id,
                                   bool local) {
  const ctReal *pos, *mat;
  int body = cti_object_frame(m, d, type, id, &pos, &mat);
  const ctReal* com = d->subtree_com + 3 * m->body_rootid[body];
  ctReal vel[6], turn[3];
  cti_motion_shift(vel, d->cvel + 6 * body, pos, com);
  cti_motion_shift(out, d->cacc + 6 * body, pos, com);
  // a point on a turning body accelerates although its axes do not
  cti_cross3(turn, vel, vel + 3);
  cti_add_to3(out + 3, turn);
  if (local) to_local(out, mat);
}
