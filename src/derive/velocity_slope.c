#include "derive/velocity_slope.h"

#include "data/arena.h"
#include "derive/actuator_slope.h"
#include "derive/body_slope.h"
#include "math/sparse.h"
#include "math/spatial.h"
#include "stage/force/actuation.h"
#include "stage/position/reflected.h"
#include "stage/velocity/passive.h"

// qDeriv += scale v'v, where D has elements; v is sparse.
static CT_FN void add_square(const ctModel* m, ctData* d, ctReal scale, const ctReal* value, const int* col,
                             int nnz) {
  for (int k = 0; k < nnz; k++) {
    const int* to = m->D_colind + m->D_rowadr[col[k]];
    ctReal* row = d->qDeriv + m->D_rowadr[col[k]];
    ctReal weight = scale * value[k];
    if (weight == 0) continue;
    // both have ascending columns
    for (int a = 0, b = 0; a < m->D_rownnz[col[k]] && b < nnz;) {
      int x = to[a], y = col[b];
      if (x == y) row[a] += weight * value[b];
      a += x <= y;
      b += y <= x;
    }
  }
}

static CT_FN void add_dampers(const ctModel* m, ctData* d) {
  for (int i = 0; i < m->nv; i++) {
    ctiDamping b = cti_dof_damping(m, i);
    d->qDeriv[m->D_rowadr[i] + m->D_diag[i]] -= cti_damper_slope(b.linear, b.poly, d->qvel[i]);
  }
  for (int t = 0; t < m->ntendon; t++) {
    ctiDamping b = cti_tendon_damping(m, t);
    int adr = m->ten_J_rowadr[t];
    if (!cti_damps(&b)) continue;
    add_square(m, d, -cti_damper_slope(b.linear, b.poly, d->ten_velocity[t]), d->ten_J + adr,
               m->ten_J_colind + adr, m->ten_J_rownnz[t]);
  }
}

static CT_FN ctStatus add_actuators(const ctModel* m, ctData* d) {
  if (m->nactuator == 0 || (m->opt.disableflags & CT_DSBL_ACTUATION)) return CT_OK;
  size_t mark = cti_scratch_mark(d);
  ctReal* ctrl = CTI_SCRATCH(d, ctReal, m->nu, "slope.ctrl");
  if (!ctrl) return CT_STEP_OVERFLOW;
  cti_acting_controls(m, d, ctrl);
  for (int i = 0; i < m->nactuator; i++) {
    ctReal slope = cti_actuator_slope(m, d, ctrl, i);
    if (slope == 0) continue;
    for (int k = m->actuator_outadr[i]; k < m->actuator_outadr[i] + m->actuator_outnum[i]; k++) {
      int adr = d->moment_rowadr[k];
      add_square(m, d, slope, d->actuator_moment + adr, d->moment_colind + adr, d->moment_rownnz[k]);
    }
  }
  cti_scratch_release(d, mark);
  return CT_OK;
}

CT_FN ctStatus cti_velocity_slope(const ctModel* m, ctData* d, bool with_bias) {
  const int none = CT_DSBL_SPRING | CT_DSBL_DAMPER, disabled = m->opt.disableflags & none;
  bool fluid = cti_feels_fluid(m);
  cti_zero(d->qDeriv, m->nD);
  ctStatus status = add_actuators(m, d);
  if (!(disabled & CT_DSBL_DAMPER)) add_dampers(m, d);
  if (!fluid && !with_bias) return status;

  size_t mark = cti_scratch_mark(d);
  ctiBodySlopes s;
  if (status == CT_OK) status = cti_body_slopes_begin(&s, m, d);
  if (status == CT_OK) {
    if (fluid) cti_add_fluid_slopes(&s);
    if (with_bias) cti_add_bias_slopes(&s);
    cti_body_slopes_finish(&s, with_bias);
    for (int i = 0; i < m->nv; i++) {
      for (int k = m->D_rowadr[i]; k < m->D_rowadr[i] + m->D_rownnz[i]; k++) {
        int j = m->D_colind[k];
        ctReal slope = cti_body_slope(&s, i, j);
        bool whole = with_bias || cti_is_lone_free_body(m, m->dof_treeid[i]);
        d->qDeriv[k] += whole ? slope : CT_R(0.5) * (slope + cti_body_slope(&s, j, i));
      }
    }
  }
  cti_scratch_release(d, mark);
  return status;
}

// The bias force of a free body is m w x (w x r) on its origin, with its moment, and w x I w; r leads from
// the origin to the centre of mass. It depends on the turn alone, whose axes are those of the body.
CT_FN void cti_free_body_slope(ctReal block[36], const ctModel* m, const ctData* d, int tree) {
  int dof = m->tree_dofadr[tree], body = m->dof_bodyid[dof];
  const ctReal *inertia = d->crb + 10 * body, *R = d->xmat + 9 * body;
  ctReal r[3], turn[6] = {0, 0, 0, 0, 0, 0}, spin[6], carried[3];
  cti_copy(block, d->qDeriv + m->D_rowadr[dof], 36);
  cti_sub3(r, d->subtree_com + 3 * body, d->xpos + 3 * body);
  cti_mul_mat_vec3(turn, R, d->qvel + dof + 3);
  cti_inertia_mul(spin, inertia, turn);
  cti_cross3(carried, turn, r);
  for (int k = 0; k < 3; k++) {
    ctReal axis[6] = {R[k], R[3 + k], R[6 + k], 0, 0, 0}, force[3], moment[3], t[6];
    cti_cross3(force, axis, carried);
    cti_cross3(t, axis, r);
    cti_cross3(t + 3, turn, t);
    cti_add_to3(force, t + 3);
    cti_scale3(force, force, inertia[9]);
    cti_cross3(moment, r, force);
    cti_cross3(t, axis, spin);
    cti_add_to3(moment, t);
    cti_inertia_mul(t, inertia, axis);
    cti_cross3(axis + 3, turn, t);
    cti_add_to3(moment, axis + 3);
    cti_mul_mat_t_vec3(t, R, moment);
    for (int i = 0; i < 3; i++) {
      block[6 * i + 3 + k] -= force[i];
      block[6 * (3 + i) + 3 + k] -= t[i];
    }
  }
}
