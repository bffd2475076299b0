// The line search of Newton and CG: safeguarded Newton steps in one dimension.
#include "math/dense.h"
#include "math/vec3.h"
#include "stage/solve/primal.h"

// ---- the cost of the rows along a line ----

// Cost (relative to alpha = 0), slope and curvature along a line.
typedef struct LinePoint {
  ctReal alpha, cost, slope, curvature;
} LinePoint;

// Costs along a line are differences to its start, computed without cancellation: near the minimum they are
// far smaller than the costs themselves.

// D (x^2 - x0^2) / 2, and the derivatives at x.
CT_INLINE void add_quadratic(LinePoint* p, ctReal D, ctReal x0, ctReal x, ctReal v) {
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

CT_INLINE void friction_line(const ctiProblem* prob, int i, ctReal x0, ctReal x, ctReal v, LinePoint* p) {
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

// The line of the elliptic contact that begins at row i.
static CT_FN void begin_cone(const ctiProblem* prob, const ctReal* jar, const ctReal* jv, int i,
                             ctiConeLine* line) {
  const ctContact* con = prob->contact + prob->id[i];
  cti_cone_at(&line->start, con, jar + i);
  cti_cone_scale(line->V, con, jv + i);
  const ctReal *U = line->start.U, *V = line->V;
  ctReal VV = V[1] * V[1] + V[2] * V[2], UV = U[1] * V[1] + U[2] * V[2];
  if (con->dim > 3) {
    for (int k = 3; k < con->dim; k++) {
      VV += V[k] * V[k];
      UV += U[k] * V[k];
    }
  }
  line->VV = VV;
  line->UV = UV;
  line->dim = con->dim;
  line->stiffness = cti_cone_stiffness(prob->D[i], con->mu);
  line->cost = cone_value(prob, i, con->dim, &line->start, line->stiffness, jar + i);
}

// Begin the line jar + alpha * jv: fill `lines`, one for each elliptic contact. A team looks for them by the
// number of their contact.
static CT_FN void begin_line(const ctiProblem* prob, const ctReal* jar, const ctReal* jv,
                             ctiConeLine* lines) {
  if (CT_TEAM > 1) {
    for (int i = prob->ne + prob->nf + CT_LANE; i < prob->nefc; i += CT_TEAM) {
      if (prob->type[i] != CT_CNSTR_CONTACT_ELLIPTIC || cti_row_in_cone(prob, i) > 0) continue;
      begin_cone(prob, jar, jv, i, lines + prob->id[i]);
    }
    CT_TEAM_SYNC();
    return;
  }
  for (int i = prob->ne + prob->nf; i < prob->nefc; i++) {
    if (prob->type[i] != CT_CNSTR_CONTACT_ELLIPTIC) continue;
    begin_cone(prob, jar, jv, i, lines);
    i += lines++->dim - 1;
  }
}

// On the surface of the cone: derivatives of its distance N - mu T, and its change from the start.
static CT_FN void surface_line(const ctiConeLine* line, const ctiConePoint* at, LinePoint* p) {
  ctReal UV = line->UV + p->alpha * line->VV, mu = at->mu, inverse = 1 / at->T, gap = at->N - mu * at->T;
  ctReal dT = UV * inverse, ddT = (line->VV - dT * dT) * inverse, dgap = line->V[0] - mu * dT;
  p->slope += line->stiffness * gap * dgap;
  p->curvature += line->stiffness * (dgap * dgap - gap * mu * ddT);
  if (line->start.zone != CTI_ROW_CONE) return;
  ctReal gap0 = line->start.N - mu * line->start.T;
  ctReal rate = line->V[0] - mu * (UV + line->UV) / (at->T + line->start.T);
  p->cost += line->stiffness * (p->alpha * rate) * (gap + gap0) / 2;
}

// Where the line is at p->alpha.
static CT_FN const ctiConePoint* cone_point(const ctiConeLine* line, ctReal alpha, ctiConePoint* moved) {
  if (alpha == 0) return &line->start;
  moved->mu = line->start.mu;
  cti_cone_locate(moved, line->start.U, line->V, alpha, line->dim);
  return moved;
}

static CT_FN void cone_line(const ctiProblem* prob, const ctiConeLine* line, int i, const ctReal* jar,
                            const ctReal* jv, LinePoint* p) {
  ctiConePoint moved;
  const ctiConePoint* at = cone_point(line, p->alpha, &moved);
  ctReal x[6];
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

// The part of that which belongs to row `own` of the contact.
static CT_FN void cone_row_line(const ctiProblem* prob, const ctiConeLine* line, int i, int own,
                                const ctReal* jar, const ctReal* jv, LinePoint* p) {
  ctiConePoint moved;
  const ctiConePoint* at = cone_point(line, p->alpha, &moved);
  ctReal x[6];
  if (at->zone == CTI_ROW_CONE && own == 0) surface_line(line, at, p);
  if (at->zone == CTI_ROW_QUADRATIC) {
    for (int k = 0; k < line->dim; k++) x[k] = jar[i + k] + p->alpha * jv[i + k];
    ctReal D = prob->D[i + own], v = jv[i + own], moved_to = jar[i + own] + p->alpha * v;
    if (line->start.zone == CTI_ROW_QUADRATIC) {
      add_quadratic(p, D, jar[i + own], moved_to, v);
    } else {
      p->slope += D * moved_to * v;
      p->curvature += D * v * v;
    }
  }
  if (at->zone != line->start.zone && own == 0)
    p->cost += cone_value(prob, i, line->dim, at, line->stiffness, x) - line->cost;
}

// Rows that cost only while negative, from row i to the next elliptic contact; returns where that is. Without
// branches: neighbours seldom agree.
static CT_FN int limit_lines(const ctiProblem* prob, int i, const ctReal* jar, const ctReal* jv,
                             LinePoint* p) {
  CT_COPY(ctiProblem, rows, prob);
  LinePoint at = *p;
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

// What one row adds to each of p->cost, slope and curvature, which are zero: a cone's surface is its first
// row's.
static CT_FN void one_line(const ctiProblem* prob, const ctiConeLine* lines, int i, const ctReal* jar,
                           const ctReal* jv, LinePoint* p) {
  ctReal D = prob->D[i], v = jv[i], x0 = jar[i], x = x0 + p->alpha * v;
  if (i < prob->ne) {
    add_quadratic(p, D, x0, x, v);
  } else if (i < prob->ne + prob->nf) {
    friction_line(prob, i, x0, x, v, p);
  } else if (prob->type[i] == CT_CNSTR_CONTACT_ELLIPTIC) {
    int k = cti_row_in_cone(prob, i);
    cone_row_line(prob, lines + prob->id[i], i - k, k, jar, jv, p);
  } else {
    bool was = x0 < 0, is = x < 0;
    ctReal a = was == is ? p->alpha * v : is ? x : -x0, b = was == is ? x + x0 : is ? x : x0;
    p->cost = was || is ? D * a * b / 2 : 0;
    p->slope = is ? D * x * v : 0;
    p->curvature = is ? D * v * v : 0;
  }
}

// The same sums by a team, a lane for each row from row `begin` on.
static CT_FN void team_line(const ctiProblem* prob, const ctiConeLine* lines, const ctReal* jar,
                            const ctReal* jv, int begin, LinePoint* p) {
  for (int first = begin; first < prob->nefc; first += CT_TEAM) {
    int i = first + CT_LANE, left = prob->nefc - first;
    LinePoint at;
    at.alpha = p->alpha;
    at.cost = at.slope = at.curvature = 0;
    if (i < prob->nefc) one_line(prob, lines, i, jar, jv, &at);
    ctReal sum[3] = {p->cost, p->slope, p->curvature}, own[3] = {at.cost, at.slope, at.curvature};
    cti_team_add3(sum, own, left);
    p->cost = sum[0];
    p->slope = sum[1];
    p->curvature = sum[2];
  }
}

// Add the part of the rows from row `begin` on at p->alpha.
static CT_FN void row_line(const ctiProblem* prob, const ctiConeLine* lines, const ctReal* jar,
                           const ctReal* jv, int begin, LinePoint* p) {
  if (CT_TEAM > 1) {
    team_line(prob, lines, jar, jv, begin, p);
    return;
  }
  int i = begin, nfriction = prob->ne + prob->nf;
  LinePoint at = *p;
  for (; i < prob->ne; i++) add_quadratic(&at, prob->D[i], jar[i], jar[i] + at.alpha * jv[i], jv[i]);
  for (; i < nfriction; i++) friction_line(prob, i, jar[i], jar[i] + at.alpha * jv[i], jv[i], &at);
  *p = at;
  while ((i = limit_lines(prob, i, jar, jv, p)) < prob->nefc) {
    cone_line(prob, lines, i, jar, jv, p);
    i += lines++->dim;
  }
}

// ---- the search ----

// Gauss part along the line, relative to its start: linear and quadratic term. With many equalities it has
// theirs, too: the rows that are left begin behind them.
typedef struct GaussLine {
  ctReal linear, quadratic;
  int begin;
} GaussLine;

// From this many rows on.
#define LINE_MANY_EQUALITIES 1024

static CT_RARE void add_equalities(GaussLine* gauss, const ctiPrimal* s) {
  const ctiProblem* p = s->p;
  ctReal linear = 0, quadratic = 0;
  for (int first = 0; first < p->ne; first += CT_TEAM) {
    int i = first + CT_LANE;
    ctReal stiff = i < p->ne ? p->D[i] * s->jv[i] : CT_R(0);
    linear = cti_team_add(linear, i < p->ne ? stiff * s->jar[i] : CT_R(0), p->ne - first);
    quadratic = cti_team_add(quadratic, i < p->ne ? stiff * s->jv[i] : CT_R(0), p->ne - first);
  }
  gauss->linear += linear;
  gauss->quadratic += quadratic / 2;
  gauss->begin = p->ne;
}

static CT_FN LinePoint primal_line_at(const ctiPrimal* s, const GaussLine* gauss, ctReal alpha) {
  LinePoint at;
  at.alpha = alpha;
  at.cost = alpha * (gauss->linear + alpha * gauss->quadratic);
  at.slope = gauss->linear + 2 * alpha * gauss->quadratic;
  at.curvature = 2 * gauss->quadratic;
  row_line(s->p, s->cones, s->jar, s->jv, gauss->begin, &at);
  return at;
}

// A narrower bracket, as a part of its place, holds one point.
#define CTI_BRACKET (sizeof(ctReal) == 4 ? CT_R(1e-4) : CT_R(1e-13))

// A search along a line: as many points as the options allow, the start among them.
typedef struct LineSearch {
  ctiPrimal* s;
  const GaussLine* gauss;
  ctReal enough;  // slope that counts as none
  int left;       // points that may still be looked at
} LineSearch;

static CT_FN LinePoint look_at(LineSearch* l, ctReal alpha) {
  l->left--;
  l->s->evaluations++;
  return primal_line_at(l->s, l->gauss, alpha);
}

// Where a Newton step from a point leads.
CT_INLINE ctReal newton_step(const LinePoint* p) {
  return p->curvature > 0 ? p->alpha - p->slope / p->curvature : p->alpha;
}

CT_INLINE bool is_flat(const LineSearch* l, const LinePoint* p) {
  return cti_abs(p->slope) < l->enough;
}

// One end of a bracket, and the point its Newton step leads to.
typedef struct LineEnd {
  LinePoint at, next;
} LineEnd;

// Move an end to a point on its side that is less steep.
static CT_FN bool move_end(LineEnd* e, const LinePoint* p) {
  bool better = (p->slope < 0) == (e->at.slope < 0) && cti_abs(p->slope) < cti_abs(e->at.slope);
  if (better) e->at = *p;
  return better;
}

static CT_FN LinePoint lower_of(const LinePoint* a, const LinePoint* b) {
  return a->cost < b->cost ? *a : *b;
}

// The ends come closer by their Newton steps and by the middle.
static CT_FN LinePoint close_bracket(LineSearch* l, LineEnd a, LineEnd b) {
  while (l->left > 0) {
    if (is_flat(l, &a.next)) return a.next;
    if (is_flat(l, &b.next)) return b.next;
    ctReal width = cti_abs(a.at.alpha - b.at.alpha);
    if (width < CTI_BRACKET * cti_abs(a.at.alpha)) break;
    LinePoint middle = look_at(l, (a.at.alpha + b.at.alpha) / 2);
    if (is_flat(l, &middle)) return middle;
    const LinePoint candidate[3] = {a.next, b.next, middle};
    bool moved_a = false, moved_b = false;
    for (int i = 0; i < 3; i++) {
      moved_a = move_end(&a, &candidate[i]) || moved_a;
      moved_b = move_end(&b, &candidate[i]) || moved_b;
    }
    if (!moved_a && !moved_b) break;
    if (moved_a) a.next = look_at(l, newton_step(&a.at));
    if (moved_b) b.next = look_at(l, newton_step(&b.at));
  }
  return lower_of(&a.at, &b.at);
}

// Newton in one dimension from the start of the line; once it has turned, between two ends.
static CT_FN ctReal bottom_of_line(ctiPrimal* s, const GaussLine* gauss, ctReal enough) {
  int most = s->p->opt->ls_iterations > 0 ? s->p->opt->ls_iterations : 0;
  LineSearch l = {s, gauss, enough, most};
  LinePoint start = look_at(&l, 0), before = start;
  s->lineslope = start.slope;
  if (!(start.slope < 0) || !(start.curvature > 0)) return 0;
  LinePoint at = look_at(&l, newton_step(&start));
  bool down = at.slope < 0;
  while (l.left > 0 && !is_flat(&l, &at) && (at.slope < 0) == down) {
    ctReal next = newton_step(&at);
    if (next == at.alpha) break;
    before = at;
    at = look_at(&l, next);
  }
  if (l.left > 0 && !is_flat(&l, &at) && (at.slope < 0) != down) {
    LineEnd a, b;
    a.at = at;
    a.next = look_at(&l, newton_step(&at));
    b.at = before;
    b.next = at;
    at = close_bracket(&l, a, b);
  }
  s->lineslope = at.slope;
  s->improvement = -at.cost;
  return at.alpha;
}

CT_FN ctReal cti_primal_line_search(ctiPrimal* s) {
  const ctiProblem* p = s->p;
  cti_problem_mul_M(p, s->Mv, s->search);
  cti_problem_mul_J(p, s->jv, s->search);
  ctReal norm = cti_team_norm(s->search, p->nv);
  s->evaluations = 0;
  s->improvement = s->lineslope = 0;
  if (!(norm >= CTI_MINVAL)) return 0;
  begin_line(p, s->jar, s->jv, s->cones);
  GaussLine gauss;
  gauss.linear = 0;
  for (int first = 0; first < p->nv; first += CT_TEAM) {
    int i = first + CT_LANE;
    ctReal term = i < p->nv ? s->search[i] * (s->Ma[i] - p->qfrc_smooth[i]) : CT_R(0);
    gauss.linear = cti_team_add(gauss.linear, term, p->nv - first);
  }
  gauss.quadratic = cti_team_dot(s->search, s->Mv, p->nv) / 2;
  gauss.begin = 0;
  if (p->ne >= LINE_MANY_EQUALITIES) add_equalities(&gauss, s);
  return bottom_of_line(s, &gauss, p->opt->tolerance * p->opt->ls_tolerance * norm / p->scale);
}
