#include "stage/metric/metric.h"

#include "data/arena.h"
#include "data/awake.h"
#include "math/dense.h"
#include "math/sparse.h"
#include "stage/derivative/velocity.h"
#include "stage/force/force.h"
#include "stage/position/position.h"
#include "stage/position/reflected.h"
#include "stage/velocity/velocity.h"

CT_INLINE bool springs_on(const ctModel* m) {
  return !(m->opt.disableflags & CT_DSBL_SPRING);
}
CT_INLINE bool dampers_on(const ctModel* m) {
  return !(m->opt.disableflags & CT_DSBL_DAMPER);
}

// ---- joints: the diagonal ----

static CT_FN void add_joints(const ctModel* m, ctData* d) {
  const ctReal h = m->opt.timestep;
  CTI_EACH_LANES(i, cti_awake(d)->dof) {
    ctReal stiffness = springs_on(m) ? cti_dof_stiffness(m, d, i) : CT_R(0), damping = 0;
    if (dampers_on(m)) {
      ctiDamping b = cti_dof_damping(m, i);
      damping = cti_max(0, cti_damper_derivative(b.linear, b.poly, d->qvel[i]));
    }
    d->efm_diag[i] = h * damping + h * h * stiffness;
    d->efm_ck[i] = h * stiffness;
    d->efm_c[i] = -h * stiffness * d->qvel[i];
  }
  CT_TEAM_SYNC();
}

// ---- tendons and actuators: squares of sparse rows ----

// Does a tendon belong to the metric? Also while its spring is slack.
static CT_FN bool tendon_counts(const ctModel* m, int t) {
  ctiDamping b = cti_tendon_damping(m, t);
  return (springs_on(m) && cti_has_force(m->tendon_stiffness[t], m->tendon_stiffnesspoly + CT_NPOLY * t)) ||
         (dampers_on(m) && cti_damps(&b));
}

static CT_FN void add_tendons(const ctModel* m, ctData* d) {
  const ctReal h = m->opt.timestep;
  d->nefmT = 0;
  if (m->opt.solver == CT_SOL_PGS) return;
  CTI_EACH(t, cti_awake(d)->tendon) {
    if (!tendon_counts(m, t)) continue;
    ctReal stiffness = springs_on(m) ? cti_tendon_stiffness(m, d, t) : CT_R(0), damping = 0;
    if (dampers_on(m)) {
      ctiDamping b = cti_tendon_damping(m, t);
      damping = cti_max(0, cti_damper_derivative(b.linear, b.poly, d->ten_velocity[t]));
    }
    d->efm_tid[d->nefmT] = t;
    d->efm_ts[d->nefmT] = h * h * stiffness + h * damping;
    d->efm_tk[d->nefmT] = h * stiffness;
    d->nefmT++;
    int adr = m->ten_J_rowadr[t];
    cti_add_scaled_sparse(d->efm_c, d->ten_J + adr, m->ten_J_colind + adr,
                          -h * stiffness * d->ten_velocity[t], m->ten_J_rownnz[t]);
  }
}

static CT_FN ctStatus cover_actuators(const ctModel* m, ctData* d) {
  const ctReal h = m->opt.timestep;
  d->nefmA = 0;
  if (m->nactuator == 0 || m->opt.solver == CT_SOL_PGS || (m->opt.disableflags & CT_DSBL_ACTUATION))
    return CT_OK;
  size_t mark = cti_scratch_mark(d);
  ctReal* ctrl = CTI_SCRATCH(d, ctReal, m->nu, "metric.ctrl");
  if (!ctrl) return CT_STEP_OVERFLOW;
  cti_acting_controls(m, d, ctrl);
  CTI_EACH(i, cti_awake(d)->actuator) {
    ctReal by_length, by_velocity;
    cti_actuator_slopes(m, d, ctrl, i, &by_length, &by_velocity);
    ctReal stiffness = cti_max(0, -by_length), damping = cti_max(0, -by_velocity);
    if (stiffness == 0 && damping == 0) continue;
    d->efm_aid[d->nefmA] = i;
    d->efm_as[d->nefmA] = h * h * stiffness + h * damping;
    d->efm_ak[d->nefmA] = h * stiffness;
    d->nefmA++;
    for (int k = m->actuator_outadr[i]; k < m->actuator_outadr[i] + m->actuator_outnum[i]; k++) {
      int adr = d->moment_rowadr[k];
      cti_add_scaled_sparse(d->efm_ca, d->actuator_moment + adr, d->moment_colind + adr,
                            -h * stiffness * d->actuator_velocity[k], d->moment_rownnz[k]);
    }
  }
  cti_scratch_release(d, mark);
  return CT_OK;
}

// ---- passive contacts of deformables: rows that are packed ----

// Of `d->efm_con_*`: elements and contact, then the columns; scale and force, then the values.
#define CONTACT_HEAD 2

static CT_FN int count_contacts(const ctData* d) {
  int n = 0;
  for (int at = 0; at < d->nefmcon; at += CONTACT_HEAD + d->efm_con_ind[at]) n++;
  return n;
}

// Their shift: scale is h^2 times the stiffness.
static CT_FN void shift_contacts(const ctModel* m, ctData* d) {
  for (int at = 0, n; at < d->nefmcon; at += CONTACT_HEAD + n) {
    const int* col = d->efm_con_ind + at + CONTACT_HEAD;
    const ctReal* value = d->efm_con_val + at + CONTACT_HEAD;
    n = d->efm_con_ind[at];
    ctReal rate = cti_dot_sparse(value, col, d->qvel, n);
    cti_add_scaled_sparse(d->efm_c, value, col, -d->efm_con_val[at] / m->opt.timestep * rate, n);
  }
}

// ---- all squares in one list ----

static CT_FN void add_row(ctiMetric* metric, int* at, ctReal scale, const ctReal* value, const int* col,
                          int n) {
  int row = metric->nrow++;
  metric->rowadr[row] = *at;
  metric->rownnz[row] = n;
  metric->scale[row] = scale;
  for (int k = 0; k < n; k++) {
    metric->colind[*at + k] = col[k];
    metric->value[*at + k] = value[k];
  }
  *at += n;
}

static CT_FN bool list_rows(const ctModel* m, ctData* d, ctiMetric* metric) {
  const int twists = cti_metric_twists(m);
  int64_t rows = d->nefmT + count_contacts(d) + twists, elements = d->nefmcon + 2 * (int64_t)twists;
  for (int i = 0; i < d->nefmT; i++) elements += m->ten_J_rownnz[d->efm_tid[i]];
  for (int i = 0; i < d->nefmA; i++) {
    int first = m->actuator_outadr[d->efm_aid[i]], count = m->actuator_outnum[d->efm_aid[i]];
    rows += count;
    for (int k = first; k < first + count; k++) elements += d->moment_rownnz[k];
  }
  metric->nrow = metric->ncoupling = 0;
  if (rows == 0) return true;
  metric->rownnz = CTI_ARENA(d, int, rows, "metric.rownnz");
  metric->rowadr = CTI_ARENA(d, int, rows, "metric.rowadr");
  metric->scale = CTI_ARENA(d, ctReal, rows, "metric.scale");
  metric->colind = CTI_ARENA(d, int, elements, "metric.colind");
  metric->value = CTI_ARENA(d, ctReal, elements, "metric.value");
  if (!metric->rownnz || !metric->rowadr || !metric->scale || !metric->colind || !metric->value) return false;
  int at = 0;
  for (int i = 0; i < d->nefmT; i++) {
    int t = d->efm_tid[i], adr = m->ten_J_rowadr[t];
    if (d->efm_ts[i] != 0)
      add_row(metric, &at, d->efm_ts[i], d->ten_J + adr, m->ten_J_colind + adr, m->ten_J_rownnz[t]);
  }
  for (int i = 0; i < d->nefmA; i++) {
    int first = m->actuator_outadr[d->efm_aid[i]], count = m->actuator_outnum[d->efm_aid[i]];
    for (int k = first; k < first + count; k++) {
      int adr = d->moment_rowadr[k];
      add_row(metric, &at, d->efm_as[i], d->actuator_moment + adr, d->moment_colind + adr,
              d->moment_rownnz[k]);
    }
  }
  for (int k = 0; k < d->nefmcon; k += CONTACT_HEAD + d->efm_con_ind[k])
    add_row(metric, &at, d->efm_con_val[k], d->efm_con_val + k + CONTACT_HEAD,
            d->efm_con_ind + k + CONTACT_HEAD, d->efm_con_ind[k]);
  metric->ncoupling = metric->nrow;
  return twists == 0 || cti_metric_add_twists(m, d, metric, at);
}

// ---- the metric ----

static CT_FN bool take_arrays(const ctModel* m, ctData* d) {
#define TAKE(type, name, count)                 \
  d->name = CTI_ARENA(d, type, (count), #name); \
  if (!d->name) return false;
  TAKE(ctReal, efm_c, m->nv)
  TAKE(ctReal, efm_diag, m->nv)
  TAKE(ctReal, efm_ck, m->nv)
  TAKE(ctReal, efm_sdiag, m->nv)
  TAKE(ctReal, efm_fluid, m->nC)
  TAKE(int, efm_tid, m->ntendon)
  TAKE(ctReal, efm_ts, m->ntendon)
  TAKE(ctReal, efm_tk, m->ntendon)
  TAKE(int, efm_aid, m->nactuator)
  TAKE(ctReal, efm_as, m->nactuator)
  TAKE(ctReal, efm_ak, m->nactuator)
  TAKE(ctReal, efm_ca, m->nv)
#undef TAKE
  cti_team_zero(d->efm_c, m->nv);
  cti_team_zero(d->efm_diag, m->nv);
  cti_team_zero(d->efm_ck, m->nv);
  cti_team_zero(d->efm_fluid, m->nC);
  cti_team_zero(d->efm_ts, m->ntendon);
  cti_team_zero(d->efm_tk, m->ntendon);
  cti_team_zero(d->efm_as, m->nactuator);
  cti_team_zero(d->efm_ak, m->nactuator);
  cti_team_zero(d->efm_ca, m->nv);
  CT_LANES(i, m->ntendon) d->efm_tid[i] = 0;
  CT_LANES(i, m->nactuator) d->efm_aid[i] = 0;
  CT_TEAM_SYNC();
  ctiMetric* metric = &cti_data(d)->metric;
  metric->force = CTI_ARENA(d, ctReal, m->nv, "metric.force");
  return metric->force != (ctReal*)0;
}

// What is added to the diagonal of M by everything.
static CT_FN void sum_diagonal(const ctModel* m, ctData* d) {
  const ctiMetric* metric = cti_metric(d);
  CT_LANES(i, m->nv) {
    d->efm_sdiag[i] = d->efm_diag[i] + d->efm_fluid[m->M_rowadr[i] + m->M_rownnz[i] - 1];
  }
  CT_TEAM_SYNC();
  // contacts are not part of it
  const int contacts = count_contacts(d);
  for (int r = 0; r < metric->nrow; r++) {
    if (r == metric->ncoupling - contacts) r += contacts;
    if (r >= metric->nrow) break;
    for (int k = metric->rowadr[r]; k < metric->rowadr[r] + metric->rownnz[r]; k++)
      d->efm_sdiag[metric->colind[k]] += metric->scale[r] * metric->value[k] * metric->value[k];
  }
}

// Does anything but M reach the pattern of M?
static CT_FN bool adds_to_mass(const ctModel* m, const ctData* d) {
  bool adds = d->nefmK > 0 || (m->opt.density > 0 || m->opt.viscosity > 0);
  CTI_EACH_LANES(i, cti_awake(d)->dof) adds = adds || d->efm_sdiag[i] != 0;
  return cti_team_any(adds);
}

// H, and the factor of M with all that is on the diagonal: the whole metric where its pattern is that of M,
// and a rough one elsewhere.
static CT_FN ctStatus factor_backbone(const ctModel* m, ctData* d) {
  ctiMetric* metric = &cti_data(d)->metric;
  metric->H = d->M;
  metric->LD = d->qLD;
  metric->Dinv = d->qLDiagInv;
  if (!adds_to_mass(m, d)) return CT_OK;
  ctReal* H = CTI_ARENA(d, ctReal, m->nC, "metric.H");
  if (!H) return CT_STEP_OVERFLOW;
  metric->H = H;
  metric->LD = d->qH;
  metric->Dinv = d->qHDiagInv;
  CTI_EACH_LANES(i, cti_awake(d)->dof) {
    int last = m->M_rowadr[i] + m->M_rownnz[i] - 1;
    for (int k = m->M_rowadr[i]; k <= last; k++) {
      H[k] = d->M[k] + d->efm_fluid[k];
      d->qH[k] = H[k];
    }
    H[last] = d->M[last] + d->efm_fluid[last] + d->efm_diag[i];
    d->qH[last] = d->M[last] + d->efm_sdiag[i] + (d->nefmK ? cti_metric_diagonal(d, i) : CT_R(0));
  }
  CT_TEAM_SYNC();
  int bad = cti_awake_factor(m, d, d->qH, d->qHDiagInv);
  if (bad < 0) return CT_OK;
  cti_warn(d, CT_WARN_INERTIA, bad);
  return CT_STEP_SINGULAR;
}

static CT_FN void forget(ctData* d) {
  ctiMetric* metric = &cti_data(d)->metric;
  metric->on = false;
  metric->nrow = metric->ncoupling = 0;
  metric->K_rowsuper = metric->rownnz = metric->rowadr = metric->colind = (int*)0;
  metric->value = metric->scale = (ctReal*)0;
  d->efm_active = d->nefmK = d->nefmT = d->nefmA = d->nefmdof = d->nefmL = 0;
}

CT_KERNEL_NOINLINE ctStatus cti_metric_make(const ctModel* m, ctData* d) {
  forget(d);
  if (!cti_is_discrete(m)) return CT_OK;
  ctiMetric* metric = &cti_data(d)->metric;
  cti_data(d)->parena = cti_data(d)->parena_metric;
  ctStatus status = CT_OK;
  bool ok = take_arrays(m, d);
  if (ok) {
    add_joints(m, d);
    add_tendons(m, d);
    ok = cover_actuators(m, d) == CT_OK && cti_drag_metric(m, d, d->efm_fluid) == CT_OK;
    shift_contacts(m, d);
    ok = ok && (m->nflex == 0 || cti_metric_flexes(m, d)) && list_rows(m, d, metric);
  }
  if (!ok) {
    forget(d);
    return CT_STEP_OVERFLOW;
  }
  sum_diagonal(m, d);
  status = factor_backbone(m, d);
  if (status == CT_STEP_OVERFLOW) {
    forget(d);
    return status;
  }
  metric->on = true;
  if (d->efm_active == 0) d->efm_active = 1;
  cti_data(d)->parena_rows = cti_data(d)->parena;
  return status;
}

CT_FN void cti_metric_mul(const ctModel* m, const ctData* d, ctReal* r, const ctReal* v) {
  const ctiMetric* metric = cti_metric(d);
  cti_csr_mul_sym_vec(r, metric->H, m->M_rownnz, m->M_rowadr, m->M_colind, v, 0, m->nv);
  if (d->nefmK) {
    CT_LANES(i, m->nv) {
      int adr = d->efm_K_rowadr[i];
      r[i] += cti_dot_sparse(d->efm_K_val + adr, d->efm_K_colind + adr, v, d->efm_K_rownnz[i]);
    }
    CT_TEAM_SYNC();
  }
  for (int i = 0; i < metric->nrow; i++) {
    int adr = metric->rowadr[i];
    ctReal along = cti_dot_sparse(metric->value + adr, metric->colind + adr, v, metric->rownnz[i]);
    cti_team_add_scaled_sparse(r, metric->value + adr, metric->colind + adr, metric->scale[i] * along,
                               metric->rownnz[i]);
  }
}

// ---- lone free bodies ----

// Trees that rows of constraints or of the metric touch.
static CT_FN void mark_touched(const ctModel* m, const ctData* d, ctByte* touched) {
  const ctiMetric* metric = cti_metric(d);
  const bool sparse = d->nefc > 0 && d->efc_J_rownnz;
  for (int t = 0; t < m->ntree; t++) touched[t] = 0;
  for (int i = 0; i < d->nefc; i++) {
    if (sparse) {
      for (int k = d->efc_J_rowadr[i]; k < d->efc_J_rowadr[i] + d->efc_J_rownnz[i]; k++)
        touched[m->dof_treeid[d->efc_J_colind[k]]] = 1;
    } else {
      for (int k = 0; k < m->nv; k++) {
        if (d->efc_J[(int64_t)i * m->nv + k] != 0) touched[m->dof_treeid[k]] = 1;
      }
    }
  }
  for (int i = 0; i < metric->nrow; i++) {
    for (int k = metric->rowadr[i]; k < metric->rowadr[i] + metric->rownnz[i]; k++)
      touched[m->dof_treeid[metric->colind[k]]] = 1;
  }
  for (int i = 0; d->nefmK && i < m->nv; i++) {
    if (d->efm_K_rownnz[i] > 0) touched[m->dof_treeid[i]] = 1;
  }
}

// The block of a lone free body, both triangles, with the derivative of the bias force.
static CT_FN void free_body_block(ctReal block[36], const ctModel* m, const ctData* d, int tree) {
  const int dof = m->tree_dofadr[tree];
  const ctReal* H = cti_metric(d)->H;
  for (int k = 0; k < 36; k++) block[k] = 0;
  cti_add_free_body_bias(block, m, d, tree);
  for (int k = 0; k < 36; k++) block[k] *= -m->opt.timestep;
  for (int i = 0; i < 6; i++) {
    int adr = m->M_rowadr[dof + i];
    for (int k = adr; k < adr + m->M_rownnz[dof + i]; k++) {
      int j = m->M_colind[k] - dof;
      block[6 * i + j] += H[k];
      if (i != j) block[6 * j + i] += H[k];
    }
  }
}

static CT_FN void solve_free_body(const ctModel* m, ctData* d, int tree) {
  const int dof = m->tree_dofadr[tree];
  ctReal block[36], x[6];
  int pivot[6];
  free_body_block(block, m, d, tree);
  cti_copy(x, cti_metric(d)->force + dof, 6);
  if (cti_lu_factor(block, pivot, 6) != 0) return;
  cti_lu_solve(x, block, pivot, 6);
  cti_copy(d->qacc + dof, x, 6);
}

// Mark the trees that are touched, in scratch; NULL when no free body is left alone, or the scratch is full.
static CT_FN const ctByte* find_touched(const ctModel* m, ctData* d, ctStatus* status) {
  bool any = false;
  CTI_EACH(t, cti_awake(d)->tree) any = any || cti_is_lone_free_body(m, t);
  if (!any) return (const ctByte*)0;
  ctByte* touched = CTI_SCRATCH(d, ctByte, m->ntree, "metric.touched");
  if (!touched) {
    *status = CT_STEP_OVERFLOW;
    return touched;
  }
  if (CT_LANE == 0) mark_touched(m, d, touched);
  CT_TEAM_SYNC();
  return touched;
}

CT_FN ctStatus cti_metric_free_bodies(const ctModel* m, ctData* d) {
  if (!cti_metric(d)->on) return CT_OK;
  size_t mark = cti_scratch_mark(d);
  ctStatus status = CT_OK;
  const ctByte* touched = find_touched(m, d, &status);
  if (touched) {
    CTI_EACH(t, cti_awake(d)->tree) {
      if (cti_is_lone_free_body(m, t) && !touched[t]) solve_free_body(m, d, t);
    }
  }
  cti_scratch_release(d, mark);
  return status;
}

CT_FN ctStatus cti_metric_inverse(const ctModel* m, ctData* d, ctReal* force) {
  size_t mark = cti_scratch_mark(d);
  ctStatus status = CT_OK;
  cti_metric_mul(m, d, force, d->qacc);
  const ctByte* touched = find_touched(m, d, &status);
  if (touched) {
    CTI_EACH(t, cti_awake(d)->tree) {
      ctReal block[36];
      if (!cti_is_lone_free_body(m, t) || touched[t]) continue;
      free_body_block(block, m, d, t);
      cti_mul_mat_vec(force + m->tree_dofadr[t], block, d->qacc + m->tree_dofadr[t], 6, 6);
    }
  }
  for (int i = 0; i < m->nv; i++) force[i] -= d->efm_c[i] + d->efm_ca[i];
  cti_scratch_release(d, mark);
  return status;
}
