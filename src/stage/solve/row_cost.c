#include "stage/solve/row_cost.h"

#include "data/contact.h"
#include "math/vec3.h"

// Second derivatives by the residuals, dim x dim.
CT_INLINE void cone_hessian(ctReal* H, const ctContact* con, const ctiConePoint* p, ctReal Dm) {
  int n = con->dim;
  ctReal T = cti_max(p->T, CTI_MINVAL), mu = p->mu, gap = p->N - mu * p->T;
  ctReal scale[6] = {mu, 0, 0, 0, 0, 0};
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
      H[r * n + c] = Dm * h * scale[r] * scale[c];
    }
  }
}

// Of a contact: D, residuals, states and forces of its rows; its Hessian into H, unless that is NULL.
static CT_PLAIN_NOINLINE ctReal cone_cost(const ctContact* con, const ctReal* D, const ctReal* jar,
                                          int* state, ctReal* force, ctReal* H) {
  ctiConePoint p;
  cti_cone_at(&p, con, jar);
  ctReal cost = 0;
  for (int k = 0; k < con->dim; k++) {
    state[k] = p.zone;
    force[k] = 0;
  }
  if (p.zone == CTI_ROW_QUADRATIC) {
    for (int k = 0; k < con->dim; k++) {
      force[k] = -D[k] * jar[k];
      cost += D[k] * jar[k] * jar[k] / 2;
    }
  } else if (p.zone == CTI_ROW_CONE) {
    ctReal Dm = cti_cone_stiffness(D[0], p.mu), gap = p.N - p.mu * p.T;
    cost = Dm * gap * gap / 2;
    force[0] = -Dm * gap * p.mu;
    for (int k = 1; k < con->dim; k++) force[k] = Dm * gap * p.mu / p.T * p.U[k] * con->friction[k - 1];
    if (H) cone_hessian(H, con, &p, Dm);
  }
  return cost;
}

static CT_FN ctReal contact_cost(ctiProblem* prob, int i, const ctReal* jar, bool curved) {
  ctReal* H = curved ? cti_cone_hessian(prob->d, prob->id[i]) : (ctReal*)0;
  return cone_cost(prob->contact + prob->id[i], prob->D + i, jar + i, prob->state + i, prob->force + i, H);
}

// Equalities: always quadratic.
static CT_FN ctReal equality_costs(ctiProblem* prob, const ctReal* jar) {
  ctReal cost = 0;
  for (int i = 0; i < prob->ne; i++) {
    prob->state[i] = CTI_ROW_QUADRATIC;
    prob->force[i] = -prob->D[i] * jar[i];
    cost += prob->D[i] * jar[i] * jar[i] / 2;
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

// Rows that cost only while negative, from row i to the next elliptic contact; returns where that is. Without
// branches: neighbours seldom agree.
static CT_FN int limit_costs(ctiProblem* prob, int i, const ctReal* jar, ctReal* cost) {
  CT_COPY(ctiProblem, rows, prob);
  int* CT_RESTRICT state = rows.state;
  ctReal* CT_RESTRICT force = rows.force;
  ctReal sum = *cost;
  for (; i < rows.nefc && rows.type[i] != CT_CNSTR_CONTACT_ELLIPTIC; i++) {
    ctReal D = rows.D[i], x = jar[i];
    bool satisfied = x >= 0;
    state[i] = satisfied ? CTI_ROW_SATISFIED : CTI_ROW_QUADRATIC;
    force[i] = satisfied ? 0 : -D * x;
    sum += satisfied ? 0 : D * x * x / 2;
  }
  *cost = sum;
  return i;
}

// State and force of one row, for a cone those of all its rows at its first; returns what is added to the
// cost.
static CT_FN ctReal row_cost(ctiProblem* prob, int i, const ctReal* jar, bool curved) {
  ctReal D = prob->D[i], x = jar[i];
  bool limit = i >= prob->ne + prob->nf;
  if (limit && prob->type[i] == CT_CNSTR_CONTACT_ELLIPTIC)
    return cti_begins_cone(prob, i) ? contact_cost(prob, i, jar, curved) : CT_R(0);
  if (!limit && i >= prob->ne) return friction_cost(prob, i, x);
  bool satisfied = limit && x >= 0;
  prob->state[i] = satisfied ? CTI_ROW_SATISFIED : CTI_ROW_QUADRATIC;
  prob->force[i] = satisfied ? 0 : -D * x;
  return satisfied ? 0 : D * x * x / 2;
}

CT_FN ctReal cti_row_costs(ctiProblem* prob, const ctReal* jar, bool curved) {
  if (CT_TEAM > 1) {
    ctReal sum = 0;
    for (int first = 0; first < prob->nefc; first += CT_TEAM) {
      int row = first + CT_LANE;
      ctReal term = row < prob->nefc ? row_cost(prob, row, jar, curved) : CT_R(0);
      sum = cti_team_add(sum, term, prob->nefc - first);
    }
    CT_TEAM_SYNC();
    return sum;
  }
  int i = prob->ne, nfriction = prob->ne + prob->nf;
  ctReal cost = equality_costs(prob, jar);
  for (; i < nfriction; i++) cost += friction_cost(prob, i, jar[i]);
  while ((i = limit_costs(prob, i, jar, &cost)) < prob->nefc) {
    cost += contact_cost(prob, i, jar, curved);
    i += prob->contact[prob->id[i]].dim;
  }
  return cost;
}
