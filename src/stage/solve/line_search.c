// The line search of Newton and CG: safeguarded Newton steps in one dimension.
#include "math/dense.h"
#include "math/simd.h"
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

#ifdef CTI_SIMD
// friction_line() for rows from i to `end` by fours, whose parts are added one after another. Returns where
// those end.
CTI_SIMD_FN int friction_lines_simd(const ctiProblem* prob, int i, int end, const ctReal* jar,
                                    const ctReal* jv, LinePoint* p) {
  CT_COPY(ctiProblem, rows, prob);
  LinePoint at = *p;
  for (; i + 4 <= end; i += 4) {
    const ctiVec4 D = *(const ctiVec4At*)(rows.D + i), limit = *(const ctiVec4At*)(rows.frictionloss + i);
    const ctiVec4 v = *(const ctiVec4At*)(jv + i), x0 = *(const ctiVec4At*)(jar + i);
    const ctiVec4 edge = *(const ctiVec4At*)(rows.R + i) * limit, along = at.alpha * v, x = x0 + along;
    const ctiVec4 one = {1, 1, 1, 1}, none = {0, 0, 0, 0};
    // beyond the limit on either side, or within
    const ctiMask4 low = x <= -edge, low0 = x0 <= -edge, high = (x >= edge) & ~low,
                   high0 = (x0 >= edge) & ~low0, in = ~(low | high), in0 = ~(low0 | high0),
                   same = ~((low ^ low0) | (high ^ high0));
    const ctiVec4 push = CTI_VEC4_PICK(low, -one, one) * limit;
    const ctiVec4 value = CTI_VEC4_PICK(in, D * x * x / 2, -limit * (edge / 2 + CTI_VEC4_PICK(low, x, -x))),
                  value0 =
                      CTI_VEC4_PICK(in0, D * x0 * x0 / 2, -limit * (edge / 2 + CTI_VEC4_PICK(low0, x0, -x0)));
    const ctiVec4 stays = CTI_VEC4_PICK(in, D * along * (x + x0) / 2, push * along);
    const ctiVec4 cost = CTI_VEC4_PICK(same, stays, value - value0);
    const ctiVec4 slope = CTI_VEC4_PICK(in, D * x * v, push * v);
    const ctiVec4 curvature = CTI_VEC4_PICK(in, D * v * v, none);
    for (int k = 0; k < 4; k++) {
      at.cost += cost[k];
      at.slope += slope[k];
      at.curvature += curvature[k];
    }
  }
  *p = at;
  return i;
}
CTI_SIMD_DISPATCH_AS(static, int, return, friction_lines, friction_lines_simd,
                     (const ctiProblem* prob, int i, int end, const ctReal* jar, const ctReal* jv,
                      LinePoint* p),
                     (prob, i, end, jar, jv, p))
#endif

// Those of all rows of friction; returns where they end.
static CT_FN int all_friction_lines(const ctiProblem* prob, const ctReal* jar, const ctReal* jv,
                                    LinePoint* p) {
  int i = prob->ne;
  const int end = prob->ne + prob->nf;
#ifdef CTI_SIMD
  i = friction_lines(prob, i, end, jar, jv, p);
#endif
  for (; i < end; i++) friction_line(prob, i, jar[i], jar[i] + p->alpha * jv[i], jv[i], p);
  return i;
}

// Cost of an elliptic contact at a point of its line.
static CT_FN ctReal cone_value(const ctReal* D, int dim, const ctiConePoint* at, ctReal stiffness,
                               const ctReal* x) {
  ctReal cost = 0;
  if (at->zone == CTI_ROW_QUADRATIC) {
    for (int k = 0; k < dim; k++) cost += D[k] * x[k] * x[k] / 2;
  } else if (at->zone == CTI_ROW_CONE) {
    ctReal gap = at->N - at->mu * at->T;
    cost = stiffness * gap * gap / 2;
  }
  return cost;
}

// The line of an elliptic contact: D, residuals and their rates of its rows.
static CT_PLAIN_NOINLINE void begin_cone(ctiConeLine* line, const ctContact* con, const ctReal* D,
                                         const ctReal* jar, const ctReal* jv) {
  cti_cone_at(&line->start, con, jar);
  cti_cone_scale(line->V, con, jv);
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
  line->stiffness = cti_cone_stiffness(D[0], con->mu);
  line->cost = cone_value(D, con->dim, &line->start, line->stiffness, jar);
}

// Begin the line jar + alpha * jv: fill `lines`, one for each elliptic contact. A team looks for them by the
// number of their contact.
static CT_FN void begin_line(const ctiProblem* prob, const ctReal* jar, const ctReal* jv,
                             ctiConeLine* lines) {
  if (CT_TEAM > 1) {
    for (int i = prob->ne + prob->nf + CT_LANE; i < prob->nefc; i += CT_TEAM) {
      if (prob->type[i] != CT_CNSTR_CONTACT_ELLIPTIC || !cti_begins_cone(prob, i)) continue;
      begin_cone(lines + prob->id[i], prob->contact + prob->id[i], prob->D + i, jar + i, jv + i);
      lines[prob->id[i]].first = i;
    }
    CT_TEAM_SYNC();
    return;
  }
  for (int i = prob->ne + prob->nf; i < prob->nefc; i++) {
    if (prob->type[i] != CT_CNSTR_CONTACT_ELLIPTIC) continue;
    begin_cone(lines, prob->contact + prob->id[i], prob->D + i, jar + i, jv + i);
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
    p->cost += cone_value(prob->D + i, line->dim, at, line->stiffness, x) - line->cost;
}

// The part of that which belongs to row `own` of the contact: what it adds to cost, slope and curvature.
static CT_PLAIN_NOINLINE LinePoint cone_row_line(const ctiConeLine* line, const ctReal* D_of,
                                                 const ctReal* jar, const ctReal* jv, int own, ctReal alpha) {
  ctiConePoint moved;
  LinePoint sum = {alpha, 0, 0, 0}, *p = &sum;
  const ctiConePoint* at = cone_point(line, p->alpha, &moved);
  ctReal x[6];
  if (at->zone == CTI_ROW_CONE && own == 0) surface_line(line, at, p);
  if (at->zone == CTI_ROW_QUADRATIC) {
    for (int k = 0; k < line->dim; k++) x[k] = jar[k] + p->alpha * jv[k];
    ctReal D = D_of[own], v = jv[own], moved_to = jar[own] + p->alpha * v;
    if (line->start.zone == CTI_ROW_QUADRATIC) {
      add_quadratic(p, D, jar[own], moved_to, v);
    } else {
      p->slope += D * moved_to * v;
      p->curvature += D * v * v;
    }
  }
  if (at->zone != line->start.zone && own == 0)
    p->cost += cone_value(D_of, line->dim, at, line->stiffness, x) - line->cost;
  return sum;
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

// What a lane of a team knows of its row while it looks along a line.
typedef struct LineRow {
  ctReal D, v, x0;
  bool cone;
} LineRow;

CT_INLINE LineRow line_row(const ctiProblem* prob, const ctReal* jar, const ctReal* jv, int i) {
  LineRow row = {0, 0, 0, false};
  if (i >= prob->nefc) return row;
  row.D = prob->D[i];
  row.v = jv[i];
  row.x0 = jar[i];
  row.cone = prob->type[i] == CT_CNSTR_CONTACT_ELLIPTIC;
  return row;
}

// What one row adds to each of p->cost, slope and curvature, which are zero: a cone's surface is its first
// row's.
static CT_FN void one_line(const ctiProblem* prob, const ctiConeLine* lines, int i, const LineRow* row,
                           const ctReal* jar, const ctReal* jv, LinePoint* p) {
  ctReal D = row->D, v = row->v, x0 = row->x0, x = x0 + p->alpha * v;
  if (i < prob->ne) {
    add_quadratic(p, D, x0, x, v);
  } else if (i < prob->ne + prob->nf) {
    friction_line(prob, i, x0, x, v, p);
  } else if (row->cone) {
    const int first = lines[prob->id[i]].first, k = i - first;
    *p = cone_row_line(lines + prob->id[i], prob->D + first, jar + first, jv + first, k, p->alpha);
  } else {
    bool was = x0 < 0, is = x < 0;
    ctReal a = was == is ? p->alpha * v : is ? x : -x0, b = was == is ? x + x0 : is ? x : x0;
    p->cost = was || is ? D * a * b / 2 : 0;
    p->slope = is ? D * x * v : 0;
    p->curvature = is ? D * v * v : 0;
  }
}

// The same sums by a team, a lane for each row from row `begin` on. The first row of a lane is known.
static CT_FN void team_line(const ctiProblem* prob, const ctiConeLine* lines, const ctReal* jar,
                            const ctReal* jv, const LineRow* own_row, int begin, LinePoint* p) {
  for (int first = begin; first < prob->nefc; first += CT_TEAM) {
    int i = first + CT_LANE, left = prob->nefc - first;
    const LineRow row = first == begin ? *own_row : line_row(prob, jar, jv, i);
    LinePoint at;
    at.alpha = p->alpha;
    at.cost = at.slope = at.curvature = 0;
    if (i < prob->nefc) one_line(prob, lines, i, &row, jar, jv, &at);
    ctReal sum[3] = {p->cost, p->slope, p->curvature}, own[3] = {at.cost, at.slope, at.curvature};
    cti_team_add3(sum, own, left);
    p->cost = sum[0];
    p->slope = sum[1];
    p->curvature = sum[2];
  }
}

// Add the part of the rows from row `begin` on at p->alpha.
static CT_FN void row_line(const ctiProblem* prob, const ctiConeLine* lines, const ctReal* jar,
                           const ctReal* jv, const LineRow* own, int begin, LinePoint* p) {
  if (CT_TEAM > 1) {
    team_line(prob, lines, jar, jv, own, begin, p);
    return;
  }
  int i = begin;
  LinePoint at = *p;
  for (; i < prob->ne; i++) add_quadratic(&at, prob->D[i], jar[i], jar[i] + at.alpha * jv[i], jv[i]);
  *p = at;
  if (prob->nf > 0) i = all_friction_lines(prob, jar, jv, p);
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

static CT_COLD void add_equalities(GaussLine* gauss, const ctiPrimal* s) {
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

// A narrower bracket, as a part of its place, holds one point.
#define CTI_BRACKET (sizeof(ctReal) == 4 ? CT_R(1e-4) : CT_R(1e-13))

// A slope that is less of that at the start is mostly rounding.
#define CTI_LEVEL (sizeof(ctReal) == 4 ? CT_R(1e-5) : CT_R(0))

// A search along a line: as many points as the options allow, the start among them.
typedef struct LineSearch {
  const ctiProblem* p;
  const ctiConeLine* cones;
  const ctReal *jar, *jv;
  LineRow own;  // of this lane
  GaussLine gauss;
  ctReal enough;  // slope that counts as none
  int left;       // points that may still be looked at
} LineSearch;

static CT_FN LinePoint look_at(const LineSearch* l, ctReal alpha) {
  LinePoint at;
  at.alpha = alpha;
  at.cost = alpha * (l->gauss.linear + alpha * l->gauss.quadratic);
  at.slope = l->gauss.linear + 2 * alpha * l->gauss.quadratic;
  at.curvature = 2 * l->gauss.quadratic;
  row_line(l->p, l->cones, l->jar, l->jv, &l->own, l->gauss.begin, &at);
  return at;
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
CT_INLINE bool move_end(LineEnd* e, const LinePoint* p) {
  bool better = (p->slope < 0) == (e->at.slope < 0) && cti_abs(p->slope) < cti_abs(e->at.slope);
  if (better) e->at = *p;
  return better;
}

// The end with the lower cost. Points may have run out before either cost less than the start, which then
// stays.
static CT_FN LinePoint better_end(const LineEnd* a, const LineEnd* b) {
  LinePoint best = a->at.cost <= b->at.cost ? a->at : b->at;
  if (!(best.cost < 0)) best.alpha = 0;
  return best;
}

// What is looked at: the start, points of Newton's method in one dimension until it has turned, and then,
// between two ends, the points their Newton steps lead to and the middle.
typedef enum LinePhase { LINE_START, LINE_FIRST, LINE_DOWN, LINE_MIDDLE, LINE_END_A, LINE_END_B } LinePhase;

// The bottom of the line. Points are looked at in one place, so that the GPU has that code once, inlined.
static CT_FN LinePoint bottom_of_line(LineSearch* l) {
  LineEnd a, b;  // the last point and the one before it; once there is a bracket, its ends
  LinePhase phase = LINE_START;
  bool down = true, also_b = false;
  for (ctReal alpha = 0;;) {
    const LinePoint at = look_at(l, alpha);
    l->left--;
    switch (phase) {
      case LINE_START:
        if (!(at.slope < 0) || !(at.curvature > 0)) return at;
        l->enough = cti_max(l->enough, CTI_LEVEL * -at.slope);
        a.at = at;
        phase = LINE_FIRST;
        alpha = newton_step(&at);
        continue;
      case LINE_FIRST:
        down = at.slope < 0;
        phase = LINE_DOWN;
        // fall through
      case LINE_DOWN:
        if (l->left <= 0 || is_flat(l, &at)) return at;
        alpha = newton_step(&at);
        b.at = a.at;
        a.at = at;
        if ((at.slope < 0) != down) {
          b.next = at;
          phase = LINE_END_A;
        } else if (alpha == at.alpha) {
          return at;
        }
        continue;
      case LINE_MIDDLE: {
        if (is_flat(l, &at)) return at;
        const LinePoint from_a = a.next, from_b = b.next;
        bool also_a = move_end(&a, &from_a);
        also_b = move_end(&b, &from_a);
        also_a = move_end(&a, &from_b) || also_a;
        also_b = move_end(&b, &from_b) || also_b;
        also_a = move_end(&a, &at) || also_a;
        also_b = move_end(&b, &at) || also_b;
        if (!also_a && !also_b) return better_end(&a, &b);
        phase = also_a ? LINE_END_A : LINE_END_B;
        alpha = newton_step(also_a ? &a.at : &b.at);
        continue;
      }
      case LINE_END_A:
        a.next = at;
        if (!also_b) break;
        phase = LINE_END_B;
        alpha = newton_step(&b.at);
        continue;
      case LINE_END_B: b.next = at; break;
    }
    // the bracket at hand
    bool narrow = cti_abs(a.at.alpha - b.at.alpha) < CTI_BRACKET * cti_abs(a.at.alpha);
    if (l->left > 0 && is_flat(l, &a.next)) return a.next;
    if (l->left > 0 && is_flat(l, &b.next)) return b.next;
    if (l->left <= 0 || narrow) return better_end(&a, &b);
    phase = LINE_MIDDLE;
    alpha = (a.at.alpha + b.at.alpha) / 2;
  }
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
  const int most = p->opt->ls_iterations > 0 ? p->opt->ls_iterations : 0;
  LineSearch l;
  l.p = p;
  l.cones = s->cones;
  l.jar = s->jar;
  l.jv = s->jv;
  if (CT_TEAM > 1) l.own = line_row(p, s->jar, s->jv, gauss.begin + CT_LANE);
  l.gauss = gauss;
  l.enough = p->opt->tolerance * p->opt->ls_tolerance * norm / p->scale;
  l.left = most;
  LinePoint at = bottom_of_line(&l);
  s->evaluations = most - l.left;
  s->lineslope = cti_abs(at.slope) / norm;
  s->improvement = at.alpha == 0 ? 0 : -at.cost;
  return at.alpha;
}
