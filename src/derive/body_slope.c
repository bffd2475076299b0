#include "derive/body_slope.h"

#include "data/arena.h"
#include "derive/fluid_slope.h"
#include "math/dense.h"
#include "math/spatial.h"
#include "stage/velocity/fluid.h"

CT_FN bool cti_feels_fluid(const ctModel* m) {
  const int none = CT_DSBL_SPRING | CT_DSBL_DAMPER;
  return cti_has_fluid(m) && (m->opt.disableflags & none) != none;
}

CT_FN ctStatus cti_body_slopes_begin(ctiBodySlopes* s, const ctModel* m, ctData* d) {
  s->m = m;
  s->d = d;
  s->bias = false;
  s->matrix = CTI_SCRATCH(d, ctReal, 36 * m->nbody, "slope.matrix");
  s->rate = CTI_SCRATCH(d, ctReal, 6 * m->nv, "slope.rate");
  s->right = CTI_SCRATCH(d, ctReal, 6 * m->nv, "slope.right");
  s->left = CTI_SCRATCH(d, ctReal, 6 * m->nv, "slope.left");
  s->inert = CTI_SCRATCH(d, ctReal, 6 * m->nv, "slope.inert");
  if (!s->matrix || !s->rate || !s->right || !s->left || !s->inert) return CT_STEP_OVERFLOW;
  cti_zero(s->matrix, 36 * m->nbody);
  return CT_OK;
}

CT_FN void cti_add_fluid_slopes(ctiBodySlopes* s) {
  for (int i = 1; i < s->m->nbody; i++) {
    ctiFluidShape shape;
    for (int cursor = 0; cti_fluid_shape(&shape, s->m, s->d, i, &cursor);) {
      const ctReal* com = s->d->subtree_com + 3 * s->m->body_rootid[i];
      cti_add_fluid_slope(s->matrix + 36 * i, s->m, &shape, com);
    }
  }
}

// S of the bias force I a + v x* (I v), whose acceleration a falls by v x dv: minus, because it is on the
// other side.
CT_FN void cti_add_bias_slopes(ctiBodySlopes* s) {
  for (int i = 1; i < s->m->nbody; i++) {
    const ctReal *inertia = s->d->cinert + 10 * i, *v = s->d->cvel + 6 * i;
    ctReal momentum[6], *matrix = s->matrix + 36 * i;
    cti_inertia_mul(momentum, inertia, v);
    for (int k = 0; k < 6; k++) {
      ctReal unit[6] = {0, 0, 0, 0, 0, 0}, t[6], carried[6], turned[6], gyro[6];
      unit[k] = 1;
      cti_cross_motion(t, v, unit);
      cti_inertia_mul(carried, inertia, t);
      cti_cross_force(turned, unit, momentum);
      cti_inertia_mul(t, inertia, unit);
      cti_cross_force(gyro, v, t);
      for (int r = 0; r < 6; r++) matrix[6 * r + k] -= turned[r] + gyro[r] - carried[r];
    }
  }
}

// Rates of the dofs from `dof` on that move together, from the velocity with all of them.
static CT_FN void group_rates(ctiBodySlopes* s, ctReal velocity[6], int dof, int n) {
  for (int k = dof; k < dof + n; k++) cti_add_scaled6(velocity, s->d->cdof + 6 * k, s->d->qvel[k]);
  for (int k = dof; k < dof + n; k++) {
    cti_cross_motion(s->rate + 6 * k, velocity, s->d->cdof + 6 * k);
    cti_add_to6(s->rate + 6 * k, s->d->cdof_dot + 6 * k);
  }
}

// Dofs of a body change the accelerations of everything they carry: their axes turn with what comes before
// them, and turn what comes after.
static CT_FN void body_rates(ctiBodySlopes* s, int body) {
  const ctModel* m = s->m;
  ctReal velocity[6];
  cti_copy6(velocity, s->d->cvel + 6 * m->body_parentid[body]);
  for (int j = m->body_jntadr[body]; j < m->body_jntadr[body] + m->body_jntnum[body]; j++) {
    int dof = m->jnt_dofadr[j];
    switch (m->jnt_type[j]) {
      case CT_JOINT_FREE:
        group_rates(s, velocity, dof, 3);
        group_rates(s, velocity, dof + 3, 3);
        break;
      case CT_JOINT_BALL: group_rates(s, velocity, dof, 3); break;
      default: group_rates(s, velocity, dof, 1);
    }
  }
}

static CT_FN void dof_products(ctiBodySlopes* s, int dof) {
  const ctReal* matrix = s->matrix + 36 * s->m->dof_bodyid[dof];
  const ctReal *motion = s->d->cdof + 6 * dof, *crb = s->d->crb + 10 * s->m->dof_bodyid[dof];
  ctReal *right = s->right + 6 * dof, *left = s->left + 6 * dof;
  for (int r = 0; r < 6; r++) right[r] = cti_dot6(matrix + 6 * r, motion);
  cti_zero6(left);
  for (int r = 0; r < 6; r++) cti_add_scaled6(left, matrix + 6 * r, motion[r]);
  if (!s->bias) return;
  ctReal t[6];
  cti_inertia_mul(s->inert + 6 * dof, crb, motion);
  cti_inertia_mul(t, crb, s->rate + 6 * dof);
  cti_add_scaled6(right, t, -1);
}

CT_FN void cti_body_slopes_finish(ctiBodySlopes* s, bool bias) {
  const ctModel* m = s->m;
  s->bias = bias;
  for (int i = m->nbody - 1; i > 0; i--) {
    int parent = m->body_parentid[i];
    if (parent > 0) cti_add_to(s->matrix + 36 * parent, s->matrix + 36 * i, 36);
  }
  for (int i = 1; i < m->nbody; i++) {
    if (bias) body_rates(s, i);
    for (int k = m->body_dofadr[i]; k < m->body_dofadr[i] + m->body_dofnum[i]; k++) dof_products(s, k);
  }
}

CT_FN ctReal cti_body_slope(const ctiBodySlopes* s, int row, int col) {
  const ctReal* cdof = s->d->cdof;
  // bodies that both move are those of the outer of the two
  if (col >= row) return cti_dot6(cdof + 6 * row, s->right + 6 * col);
  ctReal slope = cti_dot6(s->left + 6 * row, cdof + 6 * col);
  return s->bias ? slope - cti_dot6(s->inert + 6 * row, s->rate + 6 * col) : slope;
}
