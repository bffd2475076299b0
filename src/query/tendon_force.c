// What spatial tendons do to the bodies along their paths.
#include "math/sparse.h"
#include "math/vec3.h"
#include "query/post_constraint.h"
#include "stage/position/reflected.h"
#include "stage/velocity/passive.h"
#include "stage/velocity/tendon_bias.h"

static CT_FN ctReal actuator_tension(const ctModel* m, const ctData* d, int t) {
  ctReal sum = 0;
  for (int i = 0; i < m->nactuator; i++) {
    int out = m->actuator_outadr[i];
    if (cti_acts_on(m, i, true, t)) sum += m->actuator_gear[6 * out] * d->actuator_force[out];
  }
  return sum;
}

// An equality couples two tendons, or one and a constant.
static CT_FN ctReal equality_tension(const ctModel* m, const ctData* d, int row, int t) {
  int eq = d->efc_id[row], second = m->eq_obj2id[eq];
  if (m->eq_type[eq] != CT_EQ_TENDON) return 0;
  if (m->eq_obj1id[eq] == t) return d->efc_force[row];
  if (second != t) return 0;
  const ctReal* c = m->eq_data + CT_NEQDATA * eq;
  ctReal x = d->ten_length[t] - m->tendon_length0[t];
  return -d->efc_force[row] * (c[1] + x * (2 * c[2] + x * (3 * c[3] + x * 4 * c[4])));
}

// Of both limits the lower comes first, where it has a row.
static CT_FN ctReal limit_tension(const ctModel* m, const ctData* d, int row, int t) {
  bool second =
      row > d->ne + d->nf && d->efc_type[row - 1] == CT_CNSTR_LIMIT_TENDON && d->efc_id[row - 1] == t;
  bool lower = !second && d->ten_length[t] - m->tendon_range[2 * t] < m->tendon_margin[t];
  return lower ? d->efc_force[row] : -d->efc_force[row];
}

static CT_FN ctReal constraint_tension(const ctModel* m, const ctData* d, int t) {
  ctReal sum = 0;
  for (int i = 0; i < d->ne + d->nf + d->nl; i++) {
    int type = d->efc_type[i];
    if (type == CT_CNSTR_EQUALITY) sum += equality_tension(m, d, i, t);
    if (type == CT_CNSTR_FRICTION_TENDON && d->efc_id[i] == t) sum += d->efc_force[i];
    if (type == CT_CNSTR_LIMIT_TENDON && d->efc_id[i] == t) sum += limit_tension(m, d, i, t);
  }
  return sum;
}

// Inertia along the tendon resists the acceleration of its length.
static CT_FN ctReal inertia_tension(const ctModel* m, const ctData* d, int t) {
  ctReal armature = cti_tendon_armature(m, t);
  if (armature == 0) return 0;
  int adr = m->ten_J_rowadr[t];
  ctReal acc = cti_dot_sparse(d->ten_J + adr, m->ten_J_colind + adr, d->qacc, m->ten_J_rownnz[t]);
  return -armature * (acc + cti_tendon_drift(m, d, t));
}

// All that acts along a tendon; positive makes it longer.
static CT_FN ctReal tendon_tension(const ctModel* m, const ctData* d, int t) {
  const int no_passive = CT_DSBL_SPRING | CT_DSBL_DAMPER;
  ctReal sum = inertia_tension(m, d, t) + constraint_tension(m, d, t);
  if ((m->opt.disableflags & no_passive) != no_passive)
    sum += cti_tendon_spring_force(m, d, t) + cti_tendon_damper_force(m, d, t);
  if (!(m->opt.disableflags & CT_DSBL_ACTUATION)) sum += actuator_tension(m, d, t);
  return sum;
}

// A straight piece pushes its ends apart.
static CT_FN void push_apart(const ctModel* m, ctData* d, const ctReal* from, int body0, const ctReal* to,
                             int body1, ctReal force) {
  const ctReal no_torque[3] = {0, 0, 0};
  ctReal dir[3];
  if (body0 == body1) return;
  cti_sub3(dir, to, from);
  cti_normalize3(dir);
  cti_add_external(m, d, body0, dir, no_torque, from, -force);
  cti_add_external(m, d, body1, dir, no_torque, to, force);
}

// The points of the path, as the position stage has left them: sites, pairs of points on a geom, pulleys.
static CT_FN void push_along_path(const ctModel* m, ctData* d, int t, ctReal tension) {
  int w = m->tendon_adr[t], last_body = -1;
  const ctReal* last = (const ctReal*)0;
  ctReal divisor = 1;
  for (int k = d->ten_wrapadr[t]; k < d->ten_wrapadr[t] + d->ten_wrapnum[t]; k++) {
    const ctReal* point = d->wrap_xpos + 3 * k;
    int geom = d->wrap_obj[k], body;
    if (geom >= 0) {
      body = m->geom_bodyid[geom];
    } else {
      // geoms of the model that the path does not touch have no points
      while (m->wrap_type[w] != CT_WRAP_SITE && m->wrap_type[w] != CT_WRAP_PULLEY) w++;
      if (m->wrap_type[w] == CT_WRAP_PULLEY) {
        divisor = m->wrap_prm[w++];
        last = (const ctReal*)0;
        continue;
      }
      body = m->site_bodyid[m->wrap_objid[w++]];
    }
    if (last) push_apart(m, d, last, last_body, point, body, tension / divisor);
    last = point;
    last_body = body;
  }
}

CT_FN void cti_tendon_external(const ctModel* m, ctData* d) {
  for (int t = 0; t < m->ntendon; t++) {
    if (m->tendon_type[t] != CT_TENDON_SPATIAL) continue;
    ctReal tension = tendon_tension(m, d, t);
    if (tension != 0) push_along_path(m, d, t, tension);
  }
}
