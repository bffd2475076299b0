#include "stage/velocity/bias.h"

#include "data/arena.h"
#include "math/dense.h"
#include "math/spatial.h"

// Outward: accelerations; `cfrc` receives the force each body needs.
static CT_FN void body_forces(const ctModel* m, const ctData* d, const ctReal* qacc, ctReal* cacc,
                              ctReal* cfrc) {
  // the world accelerates upwards instead of gravity pulling down
  cti_zero6(cacc);
  cti_zero6(cfrc);
  if (!(m->opt.disableflags & CT_DSBL_GRAVITY)) cti_scale3(cacc + 3, m->opt.gravity, -1);
  for (int i = 1; i < m->nbody; i++) {
    ctReal a[6], v[6];
    cti_copy6(v, d->cvel + 6 * i);
    cti_copy6(a, cacc + 6 * m->body_parentid[i]);
    int dof = m->body_dofadr[i];
    for (int k = dof; k < dof + m->body_dofnum[i]; k++) {
      cti_add_scaled6(a, d->cdof_dot + 6 * k, d->qvel[k]);
      if (qacc) cti_add_scaled6(a, d->cdof + 6 * k, qacc[k]);
    }
    ctReal force[6], momentum[6], gyroscopic[6];
    cti_inertia_mul(force, d->cinert + 10 * i, a);
    cti_inertia_mul(momentum, d->cinert + 10 * i, v);
    cti_cross_force(gyroscopic, v, momentum);
    cti_add_to6(force, gyroscopic);
    cti_copy6(cacc + 6 * i, a);
    cti_copy6(cfrc + 6 * i, force);
  }
}

CT_FN ctStatus cti_bias_force(const ctModel* m, ctData* d, const ctReal* qacc, ctReal* out) {
  size_t mark = cti_scratch_mark(d);
  ctReal* cacc = CTI_SCRATCH(d, ctReal, 6 * m->nbody, "bias.cacc");
  ctReal* cfrc = CTI_SCRATCH(d, ctReal, 6 * m->nbody, "bias.cfrc");
  if (!cacc || !cfrc) {
    cti_scratch_release(d, mark);
    cti_zero(out, m->nv);
    return CT_STEP_OVERFLOW;
  }
  body_forces(m, d, qacc, cacc, cfrc);
  // inward: each body carries what hangs on it
  for (int i = m->nbody - 1; i > 0; i--) {
    int parent = m->body_parentid[i];
    if (parent > 0) cti_add_to6(cfrc + 6 * parent, cfrc + 6 * i);
  }
  for (int k = 0; k < m->nv; k++) out[k] = cti_dot6(d->cdof + 6 * k, cfrc + 6 * m->dof_bodyid[k]);
  cti_scratch_release(d, mark);
  return CT_OK;
}
