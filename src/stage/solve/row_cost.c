#include "stage/solve/row_cost.h"

#include "math/vec3.h"

// Second derivatives by the residuals, dim x dim.
static CT_FN void cone_hessian(ctContact* con, const ctiConePoint* p, ctReal Dm) {
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
  ctiConePoint p;
  cti_cone_at(&p, con, jar + i);
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
    ctReal Dm = cti_cone_stiffness(prob->D[i], p.mu), gap = p.N - p.mu * p.T;
    cost = Dm * gap * gap / 2;
    prob->force[i] = -Dm * gap * p.mu;
    for (int k = 1; k < con->dim; k++)
      prob->force[i + k] = Dm * gap * p.mu / p.T * p.U[k] * con->friction[k - 1];
    if (curved) cone_hessian(con, &p, Dm);
  }
  return cost;
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
  const ctiProblem rows = *prob;
  int* CT_RESTRICT state = rows.state;
  ctReal *CT_RESTRICT force = rows.force, sum = *cost;
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

CT_FN ctReal cti_row_costs(ctiProblem* prob, const ctReal* jar, bool curved) {
  int i = prob->ne, nfriction = prob->ne + prob->nf;
  ctReal cost = equality_costs(prob, jar);
  for (; i < nfriction; i++) cost += friction_cost(prob, i, jar[i]);
  while ((i = limit_costs(prob, i, jar, &cost)) < prob->nefc) {
    ctContact* con = prob->contact + prob->id[i];
    cost += cone_cost(prob, con, i, jar, curved);
    i += con->dim;
  }
  return cost;
}

// ---- Solve stage: the cost of the rows along a line. Step code. ----

// Costs along a line are differences to its start, computed without cancellation: near the minimum they are
// far smaller than the costs themselves.

// D (x^2 - x0^2) / 2, and the derivatives at x.
CT_INLINE void add_quadratic(ctiLinePoint* p, ctReal D, ctReal x0, ctReal x, ctReal v) {
  p->cost += D * (p->alpha * v) * (x + x0) / 2;
  p->slope += D * x * v;
  p->curvature += D * v * v;
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

CT_INLINE void friction_line(const ctiProblem* prob, int i, ctReal x0, ctReal x, ctReal v, ctiLinePoint* p) {
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

// Cost of an elliptic contact at a point of its line.
static CT_FN ctReal cone_value(const ctiProblem* prob, int i, int dim, const ctiConePoint* at,
                               ctReal stiffness, const ctReal* x) {
  ctReal cost = 0;
  if (at->zone == CTI_ROW_QUADRATIC) {
    for (int k = 0; k < dim; k++) cost += prob->D[i + k] * x[k] * x[k] / 2;
  } else if (at->zone == CTI_ROW_CONE) {
    ctReal gap = at->N - at->mu * at->T;
    cost = stiffness * gap * gap / 2;
  }
  return cost;
}

CT_FN int cti_count_cones(const ctiProblem* prob) {
  int count = 0;
  for (int i = prob->ne + prob->nf; i < prob->nefc; i++) {
    if (prob->type[i] != CT_CNSTR_CONTACT_ELLIPTIC) continue;
    i += prob->contact[prob->id[i]].dim - 1;
    count++;
  }
  return count;
}

CT_FN void cti_begin_line(const ctiProblem* prob, const ctReal* jar, const ctReal* jv, ctiConeLine* lines) {
  for (int i = prob->ne + prob->nf; i < prob->nefc; i++) {
    if (prob->type[i] != CT_CNSTR_CONTACT_ELLIPTIC) continue;
    const ctContact* con = prob->contact + prob->id[i];
    cti_cone_at(&lines->start, con, jar + i);
    cti_cone_scale(lines->V, con, jv + i);
    const ctReal *U = lines->start.U, *V = lines->V;
    ctReal VV = V[1] * V[1] + V[2] * V[2], UV = U[1] * V[1] + U[2] * V[2];
    if (con->dim > 3) {
      for (int k = 3; k < con->dim; k++) {
        VV += V[k] * V[k];
        UV += U[k] * V[k];
      }
    }
    lines->VV = VV;
    lines->UV = UV;
    lines->dim = con->dim;
    lines->stiffness = cti_cone_stiffness(prob->D[i], con->mu);
    lines->cost = cone_value(prob, i, con->dim, &lines->start, lines->stiffness, jar + i);
    lines++;
    i += con->dim - 1;
  }
}

// On the surface of the cone: derivatives of its distance N - mu T, and its change from the start.
static CT_FN void surface_line(const ctiConeLine* line, const ctiConePoint* at, ctiLinePoint* p) {
  ctReal UV = line->UV + p->alpha * line->VV, mu = at->mu, inverse = 1 / at->T, gap = at->N - mu * at->T;
  ctReal dT = UV * inverse, ddT = (line->VV - dT * dT) * inverse, dgap = line->V[0] - mu * dT;
  p->slope += line->stiffness * gap * dgap;
  p->curvature += line->stiffness * (dgap * dgap - gap * mu * ddT);
  if (line->start.zone != CTI_ROW_CONE) return;
  ctReal gap0 = line->start.N - mu * line->start.T;
  ctReal rate = line->V[0] - mu * (UV + line->UV) / (at->T + line->start.T);
  p->cost += line->stiffness * (p->alpha * rate) * (gap + gap0) / 2;
}

static CT_FN void cone_line(const ctiProblem* prob, const ctiConeLine* line, int i, const ctReal* jar,
                            const ctReal* jv, ctiLinePoint* p) {
  ctiConePoint moved;
  const ctiConePoint* at = &line->start;
  ctReal x[6];
  if (p->alpha != 0) {
    moved.mu = line->start.mu;
    cti_cone_locate(&moved, line->start.U, line->V, p->alpha, line->dim);
    at = &moved;
  }
  if (at->zone == CTI_ROW_CONE) {
    surface_line(line, at, p);
  } else if (at->zone == CTI_ROW_QUADRATIC) {
    bool stays = line->start.zone == CTI_ROW_QUADRATIC;
    for (int k = 0; k < line->dim; k++) {
      x[k] = jar[i + k] + p->alpha * jv[i + k];
      if (stays) {
        add_quadratic(p, prob->D[i + k], jar[i + k], x[k], jv[i + k]);
      } else {
        p->slope += prob->D[i + k] * x[k] * jv[i + k];
        p->curvature += prob->D[i + k] * jv[i + k] * jv[i + k];
      }
    }
  }
  if (at->zone != line->start.zone)
    p->cost += cone_value(prob, i, line->dim, at, line->stiffness, x) - line->cost;
}

// Rows that cost only while negative, from row i to the next elliptic contact; returns where that is. Without
// branches: neighbours seldom agree.
static CT_FN int limit_lines(const ctiProblem* prob, int i, const ctReal* jar, const ctReal* jv,
                             ctiLinePoint* p) {
  const ctiProblem rows = *prob;
  ctiLinePoint at = *p;
  for (; i < rows.nefc && rows.type[i] != CT_CNSTR_CONTACT_ELLIPTIC; i++) {
    ctReal D = rows.D[i], v = jv[i], x0 = jar[i], x = x0 + at.alpha * v;
    bool was = x0 < 0, is = x < 0;
    // the change of x^2: as a product, or all of it
    ctReal a = was == is ? at.alpha * v : is ? x : -x0, b = was == is ? x + x0 : is ? x : x0;
    at.cost += was || is ? D * a * b / 2 : 0;
    at.slope += is ? D * x * v : 0;
    at.curvature += is ? D * v * v : 0;
  }
  *p = at;
  return i;
}

CT_FN void cti_row_line(const ctiProblem* prob, const ctiConeLine* lines, const ctReal* jar, const ctReal* jv,
                        ctiLinePoint* p) {
  int i = 0, nfriction = prob->ne + prob->nf;
  ctiLinePoint at = *p;
  for (; i < prob->ne; i++) add_quadratic(&at, prob->D[i], jar[i], jar[i] + at.alpha * jv[i], jv[i]);
  for (; i < nfriction; i++) friction_line(prob, i, jar[i], jar[i] + at.alpha * jv[i], jv[i], &at);
  *p = at;
  while ((i = limit_lines(prob, i, jar, jv, p)) < prob->nefc) {
    cone_line(prob, lines, i, jar, jv, p);
    i += lines++->dim;
  }
}
