#include "stage/force/acceleration.h"

#include "math/dense.h"
#include "math/spatial.h"
#include "stage/position/inertia.h"

CT_FN void cti_add_force_at(const ctModel* m, const ctData* d, ctReal* qfrc, const ctReal force[3],
                            const ctReal torque[3], const ctReal point[3], int body) {
  // the same wrench about the tree's centre of mass, where the motion axes are
  ctReal arm[3], wrench[6];
  cti_sub3(arm, point, d->subtree_com + 3 * m->body_rootid[body]);
  cti_cross3(wrench, arm, force);
  cti_add_to3(wrench, torque);
  cti_copy3(wrench + 3, force);
  while (body > 0 && m->body_dofnum[body] == 0) body = m->body_parentid[body];
  if (body == 0) return;
  for (int k = m->body_dofadr[body] + m->body_dofnum[body] - 1; k >= 0; k = m->dof_parentid[k]) {
    qfrc[k] += cti_dot6(d->cdof + 6 * k, wrench);
  }
}

static CT_FN void add_applied_wrenches(const ctModel* m, ctData* d) {
  for (int i = 1; i < m->nbody; i++) {
    const ctReal* f = d->xfrc_applied + 6 * i;
    bool none = f[0] == 0 && f[1] == 0 && f[2] == 0 && f[3] == 0 && f[4] == 0 && f[5] == 0;
    if (!none) cti_add_force_at(m, d, d->qfrc_smooth, f, f + 3, d->xipos + 3 * i, i);
  }
}

CT_FN void cti_smooth_acceleration(const ctModel* m, ctData* d) {
  for (int i = 0; i < m->nv; i++) {
    d->qfrc_smooth[i] = d->qfrc_passive[i] - d->qfrc_bias[i] + d->qfrc_applied[i] + d->qfrc_actuator[i];
  }
  add_applied_wrenches(m, d);
  cti_copy(d->qacc_smooth, d->qfrc_smooth, m->nv);
  cti_solve_mass(m, d, d->qacc_smooth);
}
