#include "derive/implicit.h"

#include "base/error.h"
#include "derive/panel.h"
#include "math/dense.h"
#include "math/tree_ldl.h"
#include "stage/derivative/velocity.h"
#include "stage/position/reflected.h"
#include "stage/velocity/velocity.h"

// ---- which part ----

bool cti_implicit_any(const ctModel* m) {
  if (m->opt.integrator != CT_INT_EULER) return true;
  if (m->opt.disableflags & (CT_DSBL_EULERDAMP | CT_DSBL_DAMPER)) return false;
  for (int i = 0; i < m->nv; i++) {
    ctiDamping b = cti_dof_damping(m, i);
    if (cti_damps(&b)) return true;
  }
  return false;
}

// Does an actuator's part of R change with the state, but for limits of its force? Not that of a constant
// gain at a joint of one dof.
static bool actuator_varies(const ctModel* m, int i) {
  int gain = m->actuator_gaintype[i], bias = m->actuator_biastype[i];
  bool joint =
      m->actuator_trntype[i] == CT_TRN_JOINT && m->jnt_type[m->actuator_trnid[2 * i]] >= CT_JOINT_SLIDE;
  bool constant = gain == CT_GAIN_FIXED && (bias == CT_BIAS_NONE || bias == CT_BIAS_AFFINE);
  return !joint || !constant;
}

// Of one at a joint.
static bool is_limited(const ctModel* m, int actuator) {
  return m->actuator_forcelimited[actuator] || m->jnt_actfrclimited[m->actuator_trnid[2 * actuator]];
}

// Does R change with the state, but for limits of forces?
static bool varies_within(const ctModel* m) {
  if (m->opt.integrator == CT_INT_IMPLICIT || m->ntendon > 0 || m->opt.density > 0 || m->opt.viscosity > 0)
    return true;
  for (int i = 0; i < m->nv; i++) {
    ctiDamping b = cti_dof_damping(m, i);
    if (b.poly[0] != 0 || b.poly[1] != 0) return true;
  }
  if (m->opt.integrator == CT_INT_EULER) return false;
  for (int i = 0; i < m->nactuator; i++) {
    if (actuator_varies(m, i)) return true;
  }
  for (int t = 0; t < m->ntree; t++) {
    if (cti_is_lone_free_body(m, t)) return true;
  }
  return false;
}

bool cti_implicit_varies(const ctModel* m) {
  if (varies_within(m)) return true;
  for (int i = 0; m->opt.integrator != CT_INT_EULER && i < m->nactuator; i++) {
    if (is_limited(m, i)) return true;
  }
  return false;
}

bool cti_implicit_stays(const ctModel* m) {
  return (m->opt.integrator == CT_INT_EULER || m->opt.integrator == CT_INT_IMPLICITFAST) && m->nflex == 0 &&
         m->nplugin == 0 && !varies_within(m);
}

// Limits count a little before they are reached, so that rounding does not matter.
static bool is_near(ctReal force, const ctReal range[2]) {
  const ctReal near = CT_R(1e-6) * (cti_abs(range[0]) + cti_abs(range[1]));
  return force <= range[0] + near || force >= range[1] - near;
}

bool cti_implicit_within(const ctModel* m, const ctData* d) {
  if (m->opt.integrator == CT_INT_EULER) return true;
  for (int i = 0; i < m->nactuator; i++) {
    const int joint = m->actuator_trnid[2 * i];
    const bool own = m->actuator_forcelimited[i] &&
                     is_near(d->actuator_force[m->actuator_outadr[i]], m->actuator_forcerange + 2 * i);
    const bool total = m->jnt_actfrclimited[joint] &&
                       is_near(d->qfrc_actuator[m->jnt_dofadr[joint]], m->jnt_actfrcrange + 2 * joint);
    if (own || total) return false;
  }
  return true;
}

// ---- its elements ----

// Call `add` with every element of R, the part of the metric beside M, and where M has it (-1: nowhere).
// CT_OK or CT_STEP_OVERFLOW.
typedef void Add(void* context, int i, int j, int in_M, ctReal value);

static ctStatus for_implicit_part(const ctModel* m, ctData* d, Add* add, void* context) {
  const ctReal h = m->opt.timestep;
  if (m->opt.integrator == CT_INT_EULER) {
    for (int i = 0; i < m->nv; i++) {
      ctiDamping b = cti_dof_damping(m, i);
      add(context, i, i, m->M_rowadr[i] + m->M_rownnz[i] - 1,
          h * cti_damper_derivative(b.linear, b.poly, d->qvel[i]));
    }
    return CT_OK;
  }
  bool fast = m->opt.integrator == CT_INT_IMPLICITFAST;
  CT_TRY(cti_velocity_derivative(m, d, !fast));
  for (int i = 0; i < m->nv; i++) {
    if (fast && cti_is_lone_free_body(m, m->dof_treeid[i])) continue;
    for (int k = m->D_rowadr[i]; k < m->D_rowadr[i] + m->D_rownnz[i]; k++) {
      int j = m->D_colind[k], in_M = m->mapM2D[k];
      if (!fast) add(context, i, j, in_M, -h * d->qDeriv[k]);
      if (!fast || in_M < 0) continue;
      // its symmetric part, where M has elements
      add(context, i, j, in_M, -h / 2 * d->qDeriv[k]);
      add(context, j, i, in_M, -h / 2 * d->qDeriv[k]);
    }
  }
  for (int t = 0; fast && t < m->ntree; t++) {
    if (!cti_is_lone_free_body(m, t)) continue;
    ctReal block[36];
    int dof = m->tree_dofadr[t];
    cti_free_body_derivative(block, m, d, t);
    for (int i = 0; i < 36; i++) add(context, dof + i / 6, dof + i % 6, -1, -h * block[i]);
  }
  return CT_OK;
}

typedef struct Product {
  const ctReal* v;
  ctReal* out;
} Product;

static void add_to_product(void* context, int i, int j, int in_M, ctReal value) {
  Product* p = context;
  (void)in_M;
  p->out[i] += value * p->v[j];
}

// The lower triangle, where M has elements.
static void add_to_tree(void* context, int i, int j, int in_M, ctReal value) {
  ctReal* at = context;
  if (j <= i) at[in_M] += value;
}

typedef struct Dense {
  ctReal* at;
  int n;
} Dense;

static void add_to_dense(void* context, int i, int j, int in_M, ctReal value) {
  Dense* x = context;
  (void)in_M;
  x->at[(int64_t)i * x->n + j] += value;
}

ctStatus cti_implicit_product(const ctModel* m, ctData* d, const ctReal* v, ctReal* out) {
  Product product = {v, out};
  return for_implicit_part(m, d, add_to_product, &product);
}

// ---- the metric ----

bool cti_implicit_keeps_pattern(const ctModel* m) {
  if (m->opt.integrator == CT_INT_EULER) return true;
  if (m->opt.integrator != CT_INT_IMPLICITFAST) return false;
  for (int t = 0; t < m->ntree; t++) {
    if (cti_is_lone_free_body(m, t)) return false;
  }
  return true;
}

ctStatus cti_implicit_factor(const ctiImplicitMetric* metric, ctData* d) {
  const ctModel* m = metric->m;
  if (metric->tree) {
    cti_copy(metric->at, d->M, m->nC);
    CT_TRY(for_implicit_part(m, d, add_to_tree, metric->at));
    return cti_ldl_factor(metric->at, metric->diaginv, m->M_rownnz, m->M_rowadr, m->M_colind, 0, m->nv) < 0
               ? CT_OK
               : CT_STEP_SINGULAR;
  }
  Dense x = {metric->at, m->nv};
  for (int64_t i = 0; i < (int64_t)m->nv * m->nv; i++) metric->at[i] = 0;
  for (int i = 0; i < m->nv; i++) {
    for (int e = m->M_rowadr[i]; e < m->M_rowadr[i] + m->M_rownnz[i]; e++) {
      int j = m->M_colind[e];
      metric->at[(int64_t)i * m->nv + j] = metric->at[(int64_t)j * m->nv + i] = d->M[e];
    }
  }
  CT_TRY(for_implicit_part(m, d, add_to_dense, &x));
  return cti_lu_factor(x.at, metric->pivot, x.n) == 0 ? CT_OK : CT_STEP_SINGULAR;
}

void cti_implicit_solve(const ctiImplicitMetric* metric, ctReal* P, int columns) {
  const ctModel* m = metric->m;
  if (metric->tree && columns == 1) {
    cti_ldl_solve(P, metric->at, metric->diaginv, m->M_rownnz, m->M_rowadr, m->M_colind, 0, m->nv);
  } else if (metric->tree) {
    cti_panel_tree(P, columns, m, metric->at, metric->diaginv);
  } else {
    cti_panel_lu(P, columns, metric->at, metric->pivot, m->nv);
  }
}
