// EPA: grow a polytope inside the difference of two overlapping shapes until its nearest face is on the
// surface.
#include "collide/convex.h"
#include "data/arena.h"

#define EPA_EXTRA_CORNERS 8            // beyond one for each iteration
#define EPA_SLIVER        CT_R(1e-12)  // area over squared edges below which a face is one
#define EPA_NEVER         CT_R(1e30)   // the distance of a face that is gone, or has no direction
#define EPA_OFF_PLANE     CT_R(1e-10)  // a corner this far from a plane, over the size of the corners, is off it

typedef struct EpaFace {
  int corner[3];
  int next[3];       // face across edge corner[i], corner[i + 1]
  ctReal normal[3];  // outward, unit
  ctReal dist;       // of its plane from the origin
  bool alive;
} EpaFace;

typedef struct EpaPolytope {
  ctiCorner* corner;
  EpaFace* face;
  ctReal* near;  // distance of each face that may be nearest, EPA_NEVER of the others
  int ncorner, nface, max_corner, max_face;
  // horizon: edges seen from a new corner, in order
  int* edge_face;  // the face behind the edge
  int* edge_side;  // which of its edges
  int nedge;
  int* stack;  // faces and sides that wait
} EpaPolytope;

// Plane of a face; returns its distance. A sliver has no direction: it holds the surface together but is
// never nearest.
static CT_FN ctReal epa_plane(EpaFace* f, const ctiCorner* c) {
  const ctReal *p = c[f->corner[0]].w, *q = c[f->corner[1]].w, *r = c[f->corner[2]].w;
  ctReal e1[3], e2[3];
  cti_sub3(e1, q, p);
  cti_sub3(e2, r, p);
  cti_cross3(f->normal, e1, e2);
  ctReal area = cti_norm3(f->normal);
  ctReal size = cti_dot3(e1, e1) + cti_dot3(e2, e2);
  if (area > 0) cti_scale3(f->normal, f->normal, 1 / area);
  f->dist = cti_dot3(f->normal, p);
  return area > EPA_SLIVER * size ? f->dist : EPA_NEVER;
}

static CT_FN int epa_add_face(EpaPolytope* p, int i, int j, int k) {
  EpaFace* f = p->face + p->nface;
  f->corner[0] = i;
  f->corner[1] = j;
  f->corner[2] = k;
  f->alive = true;
  p->near[p->nface] = epa_plane(f, p->corner);
  return p->nface++;
}

// Faces of a polytope as rows of corners, turned outwards from the point between its corners.
static CT_FN void epa_solid(EpaPolytope* p, const int (*face)[3], const int (*next)[3], int n, bool flip) {
  for (int i = 0; i < n; i++) {
    epa_add_face(p, face[i][0], face[i][flip ? 2 : 1], face[i][flip ? 1 : 2]);
    for (int k = 0; k < 3; k++) p->face[i].next[k] = next[i][flip ? 2 - k : k];
  }
}

// Signed volume of four corners.
static CT_FN ctReal epa_volume(const EpaPolytope* p, int i, int j, int k, int l) {
  ctReal e1[3], e2[3], e3[3], c[3];
  cti_sub3(e1, p->corner[j].w, p->corner[i].w);
  cti_sub3(e2, p->corner[k].w, p->corner[i].w);
  cti_sub3(e3, p->corner[l].w, p->corner[i].w);
  cti_cross3(c, e1, e2);
  return cti_dot3(c, e3);
}

// The tetrahedron of the first four corners.
static CT_FN void epa_tetrahedron(EpaPolytope* p) {
  CT_CONST int face[4][3] = {{0, 1, 2}, {0, 3, 1}, {1, 3, 2}, {2, 3, 0}};
  CT_CONST int next[4][3] = {{1, 2, 3}, {3, 2, 0}, {1, 3, 0}, {2, 1, 0}};
  p->ncorner = 4;
  epa_solid(p, face, next, 4, epa_volume(p, 0, 1, 2, 3) > 0);
}

// The edge of the triangle 0, 1, 2 (from this corner to the next) that the segment between the tips 3 and 4
// passes outside of; -1 when it goes through the triangle, or beside a corner.
static CT_FN int epa_reflex_edge(const EpaPolytope* p) {
  ctReal side[3];
  for (int k = 0; k < 3; k++) side[k] = epa_volume(p, 3, 4, k, (k + 1) % 3);
  for (int k = 0; k < 3; k++) {
    ctReal one = side[k], two = side[(k + 1) % 3], three = side[(k + 2) % 3];
    if ((one < 0 && two > 0 && three > 0) || (one > 0 && two < 0 && three < 0)) return k;
  }
  return -1;
}

// Two tetrahedra over the triangle 0, 1, 2 with tips 3 and 4 on its two sides; where they do not make a
// convex whole, the edge between the tips takes the place of the one it passes outside of.
static CT_FN void epa_double_pyramid(EpaPolytope* p) {
  CT_CONST int face[6][3] = {{0, 1, 3}, {1, 2, 3}, {2, 0, 3}, {1, 0, 4}, {2, 1, 4}, {0, 2, 4}};
  CT_CONST int next[6][3] = {{3, 1, 2}, {4, 2, 0}, {5, 0, 1}, {0, 5, 4}, {1, 3, 5}, {2, 4, 3}};
  CT_CONST int hull_face[6][3] = {{0, 4, 3}, {4, 1, 3}, {1, 2, 3}, {2, 0, 3}, {2, 1, 4}, {0, 2, 4}};
  CT_CONST int hull_next[6][3] = {{5, 1, 3}, {4, 2, 0}, {4, 3, 1}, {5, 0, 2}, {2, 1, 5}, {3, 4, 0}};
  bool flip = epa_volume(p, 0, 1, 2, 3) < 0;
  int reflex = epa_reflex_edge(p);
  if (reflex < 0) {
    epa_solid(p, face, next, 6, flip);
    return;
  }
  for (; reflex > 0; reflex--) {
    ctiCorner first = p->corner[0];
    p->corner[0] = p->corner[1];
    p->corner[1] = p->corner[2];
    p->corner[2] = first;
  }
  epa_solid(p, hull_face, hull_next, 6, flip);
}

// A triangle: the farthest corners on both of its sides, or on one when it is a face of the difference.
static CT_FN bool epa_from_triangle(EpaPolytope* p, const ctiConvex* a, const ctiConvex* b, ctReal scale) {
  ctReal e1[3], e2[3], dir[3], rel[3];
  cti_sub3(e1, p->corner[1].w, p->corner[0].w);
  cti_sub3(e2, p->corner[2].w, p->corner[0].w);
  cti_cross3(dir, e1, e2);
  if (cti_normalize3(dir) < CTI_MINVAL * CTI_MINVAL) return false;
  bool side[2];
  for (int i = 0; i < 2; i++) {
    ctReal along[3];
    ctiCorner* c = p->corner + 3 + i;
    cti_scale3(along, dir, i ? CT_R(-1) : CT_R(1));
    cti_support_pair(c, a, b, along);
    cti_sub3(rel, c->w, p->corner[0].w);
    side[i] = cti_dot3(rel, along) > EPA_OFF_PLANE * scale;
  }
  if (side[0] && side[1]) {
    p->ncorner = 5;
    epa_double_pyramid(p);
    return true;
  }
  if (!side[0] && !side[1]) return false;
  if (side[1]) p->corner[3] = p->corner[4];
  epa_tetrahedron(p);
  return true;
}

// A segment: the farthest corners in three directions around it make a triangle, and its ends the tips.
static CT_FN bool epa_from_segment(EpaPolytope* p, const ctiConvex* a, const ctiConvex* b, ctReal scale) {
  const ctReal half = CT_R(-0.5), sine = CT_R(0.86602540378443864676);  // of 120 degrees
  ctReal e[3], u[3], v[3];
  ctiCorner end[2] = {p->corner[0], p->corner[1]};
  cti_sub3(e, end[1].w, end[0].w);
  cti_normalize3(e);
  cti_across3(u, e);
  cti_cross3(v, e, u);
  for (int i = 0; i < 3; i++) {
    ctReal dir[3];
    for (int k = 0; k < 3; k++) dir[k] = i == 0 ? u[k] : half * u[k] + (i == 1 ? sine : -sine) * v[k];
    cti_support_pair(p->corner + i, a, b, dir);
  }
  p->corner[3] = end[0];
  p->corner[4] = end[1];
  ctReal size = scale * scale * scale * EPA_OFF_PLANE;
  ctReal first = epa_volume(p, 0, 1, 2, 3), second = epa_volume(p, 0, 1, 2, 4);
  if (first * second < 0 && cti_abs(first) > size && cti_abs(second) > size) {
    p->ncorner = 5;
    epa_double_pyramid(p);
    return true;
  }
  // the segment lies on the surface: what spans a volume will do
  p->corner[3] = cti_abs(first) > cti_abs(second) ? end[0] : end[1];
  if (cti_abs(epa_volume(p, 0, 1, 2, 3)) > size) {
    epa_tetrahedron(p);
    return true;
  }
  ctiCorner tip = p->corner[0];
  p->corner[0] = end[0];
  p->corner[1] = end[1];
  p->corner[2] = tip;
  return epa_from_triangle(p, a, b, scale);
}

// From the simplex of GJK to a solid.
static CT_FN bool epa_start(EpaPolytope* p, const ctiGjk* s, const ctiConvex* a, const ctiConvex* b) {
  ctReal scale = 0;
  for (int i = 0; i < s->n; i++) {
    p->corner[i] = s->corner[i];
    scale += cti_norm3(s->corner[i].w);
  }
  int n = s->n;
  for (int i = 0; i < 6 && n == 1; i++) {
    // one corner: another one, along any axis
    ctReal dir[3] = {0, 0, 0}, rel[3];
    dir[i / 2] = i % 2 ? CT_R(-1) : CT_R(1);
    cti_support_pair(p->corner + 1, a, b, dir);
    cti_sub3(rel, p->corner[1].w, p->corner[0].w);
    ctReal far = cti_norm3(rel);
    scale += cti_norm3(p->corner[1].w);
    if (far > EPA_OFF_PLANE * scale) n = 2;
  }
  if (n == 2) return epa_from_segment(p, a, b, scale);
  if (n == 3) return epa_from_triangle(p, a, b, scale);
  if (n < 4) return false;
  epa_tetrahedron(p);
  return true;
}

static CT_FN void epa_remove(EpaPolytope* p, int face) {
  p->face[face].alive = false;
  p->near[face] = EPA_NEVER;
}

// The side of face `g` that runs from corner `from` to corner `to`, 3 for none.
static CT_FN int epa_side(const EpaFace* g, int from, int to) {
  if (g->corner[0] == from && g->corner[1] == to) return 0;
  if (g->corner[1] == from && g->corner[2] == to) return 1;
  return g->corner[2] == from && g->corner[0] == to ? 2 : 3;
}

// Remove the faces that see corner `c` and list the edges around the hole, in order.
static CT_FN bool epa_horizon(EpaPolytope* p, int first, const ctReal w[3]) {
  CT_CONST int after[3] = {1, 2, 0};
  // walk depth first over edges, so that the horizon comes out as one loop
  int top = 0;
  p->nedge = 0;
  epa_remove(p, first);
  for (int side = 2; side >= 0; side--) p->stack[top++] = first << 2 | side;
  while (top > 0) {
    const int packed = p->stack[--top], side = packed & 3;
    const EpaFace* f = p->face + (packed >> 2);
    const int to = f->next[side];
    const EpaFace* g = p->face + to;
    if (!g->alive) continue;
    // the same edge, seen from there
    const int back = epa_side(g, f->corner[after[side]], f->corner[side]);
    if (back == 3) return false;
    if (cti_dot3(g->normal, w) <= g->dist) {
      if (p->nedge >= p->max_face) return false;
      p->edge_face[p->nedge] = to;
      p->edge_side[p->nedge++] = back;
      continue;
    }
    epa_remove(p, to);
    if (top + 2 > 3 * p->max_face) return false;
    p->stack[top++] = to << 2 | after[after[back]];
    p->stack[top++] = to << 2 | after[back];
  }
  return p->nedge >= 3;
}

// Cover the hole with faces to corner `c`.
static CT_FN bool epa_cover(EpaPolytope* p, int c) {
  int first = p->nface;
  if (p->nface + p->nedge > p->max_face) return false;
  for (int i = 0; i < p->nedge; i++) {
    EpaFace* g = p->face + p->edge_face[i];
    int side = p->edge_side[i];
    int from = g->corner[(side + 1) % 3], to = g->corner[side];
    int f = epa_add_face(p, from, to, c);
    g->next[side] = f;
    p->face[f].next[0] = p->edge_face[i];
    p->face[f].next[1] = i + 1 < p->nedge ? f + 1 : first;
    p->face[f].next[2] = i > 0 ? f - 1 : first + p->nedge - 1;
  }
  // the loop must be closed, or the surface has been torn by rounding
  for (int i = 0; i < p->nedge; i++) {
    int k = i + 1 < p->nedge ? i + 1 : 0;
    if (p->face[first + i].corner[1] != p->face[first + k].corner[0]) return false;
  }
  return true;
}

static CT_FN int epa_nearest_face(const EpaPolytope* p) {
  int best = -1;
  ctReal least = EPA_NEVER;
  for (int i = 0; i < p->nface; i++) {
    if (!(p->near[i] < least)) continue;
    least = p->near[i];
    best = i;
  }
  return best;
}

// A corner that the polytope has. Corners of a prism (`prism`: the first shape is one) count as one and the
// same, as they do in MuJoCo: against flat shapes the search then ends at the first corner of the other shape
// that comes back, often short of the true depth. Contacts with height fields are tuned to that, so it is
// kept.
static CT_FN bool epa_known(const EpaPolytope* p, const ctiCorner* c, bool exact, bool prism) {
  for (int i = 0; i < p->ncorner; i++) {
    const ctiCorner* k = p->corner + i;
    if (exact) {
      if ((prism || k->ia == c->ia) && k->ib == c->ib) return true;
    } else if (k->w[0] == c->w[0] && k->w[1] == c->w[1] && k->w[2] == c->w[2]) {
      return true;
    }
  }
  return false;
}

// Result from a face: the projection of the origin, as weights of its corners.
static CT_FN void epa_result(ctiCcd* out, const EpaPolytope* p, const EpaFace* f) {
  const ctReal *q0 = p->corner[f->corner[0]].w, *q1 = p->corner[f->corner[1]].w,
               *q2 = p->corner[f->corner[2]].w;
  ctReal x[3], e[3], u[3], c[3], w[3], sum = 0;
  const ctReal* q[3] = {q0, q1, q2};
  cti_scale3(x, f->normal, f->dist);
  for (int i = 0; i < 3; i++) {
    cti_sub3(e, q[(i + 1) % 3], x);
    cti_sub3(u, q[(i + 2) % 3], x);
    cti_cross3(c, e, u);
    w[i] = cti_dot3(c, f->normal);
    sum += w[i];
  }
  cti_zero3(out->a);
  cti_zero3(out->b);
  for (int i = 0; i < 3; i++) {
    const ctiCorner* k = p->corner + f->corner[i];
    ctReal share = cti_abs(sum) > 0 ? w[i] / sum : CT_R(1) / 3;
    cti_add_scaled3(out->a, k->a, share);
    cti_add_scaled3(out->b, k->b, share);
    out->simplex[(i + 1) % 3] = *k;  // the newest corner, the last of its face, comes first
  }
  out->n = 3;
  out->dist = -f->dist;
  cti_copy3(out->normal, f->normal);
}

#define EPA_MOST_ITERATIONS 100000

// A file cannot ask for more iterations, a program that edits its model could.
static CT_FN int epa_corners(int iterations) {
  if (iterations < 0) iterations = 0;
  if (iterations > EPA_MOST_ITERATIONS) iterations = EPA_MOST_ITERATIONS;
  return iterations + EPA_EXTRA_CORNERS;
}

CT_FN size_t cti_epa_bytes(int iterations) {
  const size_t corners = (size_t)epa_corners(iterations), faces = 6 * corners, aligned = 4 * 64;
  return corners * sizeof(ctiCorner) + faces * (sizeof(EpaFace) + sizeof(ctReal) + 5 * sizeof(int)) + aligned;
}

static CT_FN bool epa_scratch(EpaPolytope* p, ctData* d, int iterations) {
  p->ncorner = p->nface = p->nedge = 0;
  p->max_corner = epa_corners(iterations);
  p->max_face = 6 * p->max_corner;
  p->corner = CTI_SCRATCH(d, ctiCorner, p->max_corner, "epa.corner");
  p->face = CTI_SCRATCH(d, EpaFace, p->max_face, "epa.face");
  p->near = CTI_SCRATCH(d, ctReal, p->max_face, "epa.near");
  int* rest = CTI_SCRATCH(d, int, 5 * (int64_t)p->max_face, "epa.edges");
  if (!p->corner || !p->face || !p->near || !rest) return false;
  p->edge_face = rest;
  p->edge_side = rest + p->max_face;
  p->stack = rest + 2 * p->max_face;
  return true;
}

static CT_FN bool epa_run(ctiCcd* out, EpaPolytope* p, const ctiConvex* a, const ctiConvex* b,
                          ctReal tolerance, int iterations) {
  const bool exact = a->polytope && b->polytope, prism = a->type == CTI_CONVEX_PRISM;
  int first = epa_nearest_face(p);
  if (first < 0) return false;
  EpaFace best = p->face[first];
  for (int i = 0; i < iterations; i++) {
    int nearest = epa_nearest_face(p);
    if (nearest < 0) break;
    best = p->face[nearest];
    ctiCorner* c = p->corner + p->ncorner;
    cti_support_pair(c, a, b, best.normal);
    ctReal gain = cti_dot3(c->w, best.normal) - best.dist;
    if (gain <= (exact ? CT_R(1e-15) : tolerance) || p->ncorner + 1 >= p->max_corner ||
        epa_known(p, c, exact, prism))
      break;
    p->ncorner++;
    if (!epa_horizon(p, nearest, c->w) || !epa_cover(p, p->ncorner - 1)) break;
  }
  epa_result(out, p, &best);
  return true;
}

// Penetration from the simplex that GJK ended with: outward normal and depth of the face of the difference
// that is nearest to the origin, and the three corners of that face. False without scratch.
CT_APART bool cti_epa(ctiCcd* out, const ctiGjk* start, const ctiConvex* a, const ctiConvex* b,
                      ctReal tolerance, int iterations, ctData* d) {
  size_t mark = cti_scratch_mark(d);
  EpaPolytope p;
  bool done = epa_scratch(&p, d, iterations) && epa_start(&p, start, a, b) &&
              epa_run(out, &p, a, b, tolerance, iterations);
  cti_scratch_release(d, mark);
  return done;
}
