#include "stage/solve/cost.h"

#include "math/dense.h"
#include "math/vec3.h"

// The place of an elliptic contact's residual relative to its cone.
typedef struct ConePoint {
  ctReal U[6];  // residuals scaled by the friction of their direction
  ctReal N, T;  // normal and tangential part
  ctReal mu;
  int zone;  // ctiRowState of the block: satisfied, quadratic or cone
} ConePoint;

static CT_FN void locate_in_cone(ConePoint* p, const ctContact* con, const ctReal* jar) {
  p->mu = con->mu;
  p->U[0] = jar[0] * con->mu;
  ctReal square = 0;
  for (int k = 1; k < con->dim; k++) {
    p->U[k] = jar[k] * con->friction[k - 1];
    square += p->U[k] * p->U[k];
  }
  p->N = p->U[0];
  p->T = cti_sqrt(square);
  if (p->N >= p->mu * p->T || (p->T <= 0 && p->N >= 0)) {
    p->zone = CTI_ROW_SATISFIED;
  } else if (p->mu * p->N + p->T <= 0 || (p->T <= 0 && p->N < 0)) {
    p->zone = CTI_ROW_QUADRATIC;
  } else {
    p->zone = CTI_ROW_CONE;
  }
}

// Stiffness across the cone's surface.
CT_INLINE ctReal cone_stiffness(ctReal D0, ctReal mu) {
  return D0 / cti_max(CTI_MINVAL, mu * mu * (1 + mu * mu));
}

// Second derivatives by the residuals, dim x dim.
static CT_FN void cone_hessian(ctContact* con, const ConePoint* p, ctReal Dm) {
  int n = con->dim;
  ctReal T = cti_max(p->T, CTI_MINVAL), mu = p->mu, gap = p->N - mu * p->T, scale[6];
  scale[0] = mu;
  for (int k = 1; k < n; k++) scale[k] = con->friction[k - 1];
  for (int r = 0; r < n; r++) {
    for (int c = 0; c < n; c++) {
      ctReal h;
      if (r == 0 && c == 0) {
        h = 1;
      } else if (r == 0 || c == 0) {
        h = -mu * p->U[r == 0 ? c : r] / T;
      } else {
        // curvature of (N - mu T)^2 / 2 by the tangential directions
        h = (mu * p->N / (T * T * T)) * p->U[r] * p->U[c];
        if (r == c) h -= mu * gap / T;
      }
      con->H[r * n + c] = Dm * h * scale[r] * scale[c];
    }
  }
}

static CT_FN ctReal cone_cost(ctiProblem* prob, ctContact* con, int i, const ctReal* jar, bool curved) {
  ConePoint p;
  locate_in_cone(&p, con, jar + i);
  ctReal cost = 0;
  for (int k = 0; k < con->dim; k++) {
    prob->state[i + k] = p.zone;
    prob->force[i + k] = 0;
  }
  if (p.zone == CTI_ROW_QUADRATIC) {
    for (int k = 0; k < con->dim; k++) {
      prob->force[i + k] = -prob->D[i + k] * jar[i + k];
      cost += prob->D[i + k] * jar[i + k] * jar[i + k] / 2;
    }
  } else if (p.zone == CTI_ROW_CONE) {
    ctReal Dm = cone_stiffness(prob->D[i], p.mu), gap = p.N - p.mu * p.T;
    cost = Dm * gap * gap / 2;
    prob->force[i] = -Dm * gap * p.mu;
    for (int k = 1; k < con->dim; k++)
      prob->force[i + k] = Dm * gap * p.mu / p.T * p.U[k] * con->friction[k - 1];
    if (curved) cone_hessian(con, &p, Dm);
  }
  return cost;
}

// Friction: quadratic within the limit, a constant force beyond.
static CT_FN ctReal friction_cost(ctiProblem* prob, int i, ctReal jar) {
  ctReal limit = prob->frictionloss[i], edge = prob->R[i] * limit;
  if (jar <= -edge) {
    prob->state[i] = CTI_ROW_LINEARNEG;
    prob->force[i] = limit;
    return -limit * (edge / 2 + jar);
  }
  if (jar >= edge) {
    prob->state[i] = CTI_ROW_LINEARPOS;
    prob->force[i] = -limit;
    return -limit * (edge / 2 - jar);
  }
  prob->state[i] = CTI_ROW_QUADRATIC;
  prob->force[i] = -prob->D[i] * jar;
  return prob->D[i] * jar * jar / 2;
}

CT_FN ctReal cti_row_costs(ctiProblem* prob, const ctReal* jar, bool curved) {
  ctReal cost = 0;
  int nfriction = prob->ne + prob->nf;
  for (int i = 0; i < prob->nefc; i++) {
    if (i >= prob->ne && i < nfriction) {
      cost += friction_cost(prob, i, jar[i]);
    } else if (prob->type[i] == CT_CNSTR_CONTACT_ELLIPTIC) {
      ctContact* con = prob->contact + prob->id[i];
      cost += cone_cost(prob, con, i, jar, curved);
      i += con->dim - 1;
    } else if (i >= prob->ne && jar[i] >= 0) {
      prob->state[i] = CTI_ROW_SATISFIED;
      prob->force[i] = 0;
    } else {
      prob->state[i] = CTI_ROW_QUADRATIC;
      prob->force[i] = -prob->D[i] * jar[i];
      cost += prob->D[i] * jar[i] * jar[i] / 2;
    }
  }
  return cost;
}

// Costs along a line are differences to its start, computed without cancellation: near the minimum they are
// far smaller than the costs themselves.

// D (x^2 - x0^2) / 2, and the derivatives at x.
CT_INLINE void add_quadratic(ctiLinePoint* p, ctReal D, ctReal x0, ctReal x, ctReal v) {
  p->cost += D * (p->alpha * v) * (x + x0) / 2;
  p->slope += D * x * v;
  p->curvature += D * v * v;
}

// One-sided row: costs only while negative.
static CT_FN void limit_line(ctReal D, ctReal x0, ctReal x, ctReal v, ctiLinePoint* p) {
  if (x < 0 && x0 < 0) {
    add_quadratic(p, D, x0, x, v);
  } else if (x < 0) {
    p->cost += D * x * x / 2;
    p->slope += D * x * v;
    p->curvature += D * v * v;
  } else if (x0 < 0) {
    p->cost -= D * x0 * x0 / 2;
  }
}

// Cost of friction beyond its limit, or within.
CT_INLINE ctReal friction_value(ctReal D, ctReal limit, ctReal edge, ctReal x) {
  if (x <= -edge) return -limit * (edge / 2 + x);
  if (x >= edge) return -limit * (edge / 2 - x);
  return D * x * x / 2;
}

// Where a friction row is: beyond its limit on either side, or within.
CT_INLINE int friction_side(ctReal edge, ctReal x) {
  return x <= -edge ? -1 : x >= edge ? 1 : 0;
}

static CT_FN void friction_line(const ctiProblem* prob, int i, ctReal x0, ctReal x, ctReal v,
                                ctiLinePoint* p) {
  ctReal limit = prob->frictionloss[i], edge = prob->R[i] * limit, D = prob->D[i];
  int side = friction_side(edge, x), side0 = friction_side(edge, x0);
  if (side == 0 && side0 == 0) {
    add_quadratic(p, D, x0, x, v);
    return;
  }
  if (side == side0) {
    p->cost += (ctReal)side * limit * (p->alpha * v);
  } else {
    p->cost += friction_value(D, limit, edge, x) - friction_value(D, limit, edge, x0);
  }
  if (side == 0) {
    p->slope += D * x * v;
    p->curvature += D * v * v;
  } else {
    p->slope += (ctReal)side * limit * v;
  }
}

static CT_FN ctReal cone_value(const ctiProblem* prob, int i, const ctContact* con, const ConePoint* at,
                               const ctReal* x) {
  ctReal cost = 0;
  if (at->zone == CTI_ROW_QUADRATIC) {
    for (int k = 0; k < con->dim; k++) cost += prob->D[i + k] * x[k] * x[k] / 2;
  } else if (at->zone == CTI_ROW_CONE) {
    ctReal gap = at->N - at->mu * at->T;
    cost = cone_stiffness(prob->D[i], at->mu) * gap * gap / 2;
  }
  return cost;
}

// On the cone, along a line from `start` to `at` with the velocity V of its scaled residuals.
static CT_FN void cone_surface_line(ctReal Dm, const ConePoint* at, const ConePoint* start, const ctReal* V,
                                    int dim, ctiLinePoint* p) {
  // derivatives of N - mu T
  ctReal UV = 0, VV = 0, UV0 = 0;
  for (int k = 1; k < dim; k++) {
    UV += at->U[k] * V[k];
    UV0 += start->U[k] * V[k];
    VV += V[k] * V[k];
  }
  ctReal gap = at->N - at->mu * at->T, dT = UV / at->T;
  ctReal ddT = (VV - dT * dT) / at->T, dgap = V[0] - at->mu * dT;
  p->slope += Dm * gap * dgap;
  p->curvature += Dm * (dgap * dgap - gap * at->mu * ddT);
  if (start->zone != CTI_ROW_CONE) return;
  ctReal gap0 = start->N - start->mu * start->T, change = V[0] - at->mu * (UV + UV0) / (at->T + start->T);
  p->cost += Dm * (p->alpha * change) * (gap + gap0) / 2;
}

static CT_FN void cone_line(const ctiProblem* prob, const ctContact* con, int i, const ctReal* jar,
                            const ctReal* jv, ctiLinePoint* p) {
  ctReal x[6], V[6];
  for (int k = 0; k < con->dim; k++) {
    x[k] = jar[i + k] + p->alpha * jv[i + k];
    V[k] = jv[i + k] * (k == 0 ? con->mu : con->friction[k - 1]);
  }
  ConePoint at, start;
  locate_in_cone(&at, con, x);
  locate_in_cone(&start, con, jar + i);
  if (at.zone == CTI_ROW_QUADRATIC && start.zone == CTI_ROW_QUADRATIC) {
    for (int k = 0; k < con->dim; k++) add_quadratic(p, prob->D[i + k], jar[i + k], x[k], jv[i + k]);
    return;
  }
  if (at.zone != start.zone)
    p->cost += cone_value(prob, i, con, &at, x) - cone_value(prob, i, con, &start, jar + i);
  if (at.zone == CTI_ROW_QUADRATIC) {
    for (int k = 0; k < con->dim; k++) {
      p->slope += prob->D[i + k] * x[k] * jv[i + k];
      p->curvature += prob->D[i + k] * jv[i + k] * jv[i + k];
    }
  } else if (at.zone == CTI_ROW_CONE) {
    cone_surface_line(cone_stiffness(prob->D[i], at.mu), &at, &start, V, con->dim, p);
  }
}

CT_FN void cti_row_line(const ctiProblem* prob, const ctReal* jar, const ctReal* jv, ctiLinePoint* p) {
  int nfriction = prob->ne + prob->nf;
  for (int i = 0; i < prob->nefc; i++) {
    if (prob->type[i] == CT_CNSTR_CONTACT_ELLIPTIC) {
      const ctContact* con = prob->contact + prob->id[i];
      cone_line(prob, con, i, jar, jv, p);
      i += con->dim - 1;
      continue;
    }
    ctReal x = jar[i] + p->alpha * jv[i];
    if (i < prob->ne) {
      add_quadratic(p, prob->D[i], jar[i], x, jv[i]);
    } else if (i < nfriction) {
      friction_line(prob, i, jar[i], x, jv[i], p);
    } else {
      limit_line(prob->D[i], jar[i], x, jv[i], p);
    }
  }
}
