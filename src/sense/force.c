// Sensors of the force and torque that hold a body to its parent.
#include "math/vec3.h"
#include "query/post_constraint.h"
#include "sense/readers.h"

// The interaction of a site's body with its parent, at the site: force and moment.
static CT_FN void sensed_wrench(const ctModel* m, ctData* d, int site, ctReal force[3], ctReal moment[3]) {
  cti_post_constraint(m, d);
  int body = m->site_bodyid[site];
  const ctReal* f = d->cfrc_int + 6 * body;
  ctReal arm[3];
  cti_sub3(arm, d->site_xpos + 3 * site, d->subtree_com + 3 * m->body_rootid[body]);
  cti_cross3(moment, arm, f + 3);
  cti_sub3(moment, f, moment);
  cti_copy3(force, f + 3);
}

CT_FN void cti_sense_force(const ctModel* m, ctData* d, int i, ctReal* out) {
  ctReal force[3], moment[3];
  int site = m->sensor_objid[i];
  sensed_wrench(m, d, site, force, moment);
  cti_mul_mat_t_vec3(out, d->site_xmat + 9 * site, force);
}

CT_FN void cti_sense_torque(const ctModel* m, ctData* d, int i, ctReal* out) {
  ctReal force[3], moment[3];
  int site = m->sensor_objid[i];
  sensed_wrench(m, d, site, force, moment);
  cti_mul_mat_t_vec3(out, d->site_xmat + 9 * site, moment);
}
