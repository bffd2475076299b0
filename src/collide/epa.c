// EPA: grow a polytope inside the difference of two overlapping shapes until its nearest face is on the
// surface.
#include "collide/convex.h"
#include "data/arena.h"

#define EPA_EXTRA_CORNERS 8            // beyond one for each iteration
#define EPA_SLIVER        CT_R(1e-12)  // area over squared edges below which a face is one
#define EPA_NEVER         CT_R(1e30)   // the distance of a face that is gone, or has no direction
#define EPA_OFF_PLANE     CT_R(1e-10)  // a corner this far from a plane, over the size of the corners, is off it

// A side of a face, the edge from corner[side] to the corner after, as one number: two hexadecimal digits in
// the tables below.
#define EPA_SIDE(face, side) ((face) << 4 | (side))
#define EPA_FACE_OF(edge)    ((edge) >> 4)
#define EPA_SIDE_OF(edge)    ((edge)&15)

typedef struct EpaFace {
  int corner[3];
  int next[3];       // across each side, the same edge as a side of the face there
  ctReal normal[3];  // outward, unit
  ctReal dist;       // of its plane from the origin
  bool alive;
} EpaFace;

typedef struct EpaPolytope {
  ctiCorner* corner;
  EpaFace* face;
  ctReal* near;  // distance of each face that may be nearest, EPA_NEVER of the others
  int ncorner, nface, max_corner, max_face;
  int* edge;  // horizon: edges seen from a new corner, in order, as sides of the faces behind them
  int nedge;
  int* stack;  // sides that wait
} EpaPolytope;

// Plane of a face; returns its distance. A sliver has no direction: it holds the surface together but is
// never nearest.
CT_INLINE ctReal epa_plane(EpaFace* f, const ctiCorner* c) {
  const ctReal *p = c[f->corner[0]].w, *q = c[f->corner[1]].w, *r = c[f->corner[2]].w;
  ctReal e1[3], e2[3], n[3];
  cti_sub3(e1, q, p);
  cti_sub3(e2, r, p);
  cti_cross3(n, e1, e2);
  const ctReal area = cti_norm3(n), size = cti_dot3(e1, e1) + cti_dot3(e2, e2);
  if (area > 0) cti_scale3(n, n, 1 / area);
  const ctReal dist = cti_dot3(n, p);
  cti_copy3(f->normal, n);
  f->dist = dist;
  return area > EPA_SLIVER * size ? dist : EPA_NEVER;
}

CT_INLINE int epa_add_face(EpaPolytope* p, int i, int j, int k) {
  EpaFace* f = p->face + p->nface;
  f->corner[0] = i;
  f->corner[1] = j;
  f->corner[2] = k;
  f->alive = true;
  p->near[p->nface] = epa_plane(f, p->corner);
  return p->nface++;
}

// Faces of a polytope as rows of corners, and what is across their sides, turned outwards from the point
// between its corners. Turned around, the sides of all faces come in the opposite order.
static CT_FN void epa_solid(EpaPolytope* p, const int (*face)[3], const int (*next)[3], int n, bool flip) {
  for (int i = 0; i < n; i++) {
    const int *c = face[i], *to = next[i];
    epa_add_face(p, c[0], c[flip ? 2 : 1], c[flip ? 1 : 2]);
    int* across = p->face[i].next;
    for (int k = 0; k < 3; k++) across[flip ? 2 - k : k] = flip ? to[k] + 2 - 2 * EPA_SIDE_OF(to[k]) : to[k];
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
  CT_CONST int next[4][3] = {{0x12, 0x22, 0x32}, {0x31, 0x20, 0x00}, {0x11, 0x30, 0x01}, {0x21, 0x10, 0x02}};
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
  CT_CONST int next[6][3] = {{0x30, 0x12, 0x21}, {0x40, 0x22, 0x01}, {0x50, 0x02, 0x11},
                             {0x00, 0x52, 0x41}, {0x10, 0x32, 0x51}, {0x20, 0x42, 0x31}};
  CT_CONST int hull_face[6][3] = {{0, 4, 3}, {4, 1, 3}, {1, 2, 3}, {2, 0, 3}, {2, 1, 4}, {0, 2, 4}};
  CT_CONST int hull_next[6][3] = {{0x52, 0x12, 0x31}, {0x41, 0x22, 0x01}, {0x40, 0x32, 0x11},
                                  {0x50, 0x02, 0x21}, {0x20, 0x10, 0x51}, {0x30, 0x42, 0x00}};
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

// Remove the faces that see corner `c` and list the edges around the hole, in order.
static CT_FN bool epa_horizon(EpaPolytope* p, int first, const ctReal w[3]) {
  CT_CONST int after[3] = {1, 2, 0};
  // walk depth first over edges, so that the horizon comes out as one loop
  EpaFace* face = p->face;
  const int max_face = p->max_face;
  int *stack = p->stack, *horizon = p->edge, top = 3, nedge = 0;
  epa_remove(p, first);
  for (int side = 0; side < 3; side++) stack[2 - side] = face[first].next[side];
  while (top > 0) {
    const int edge = stack[--top], to = EPA_FACE_OF(edge), side = EPA_SIDE_OF(edge);
    const EpaFace* g = face + to;
    if (!g->alive) continue;
    if (cti_dot3(g->normal, w) <= g->dist) {
      if (nedge >= max_face) return false;
      horizon[nedge++] = edge;
      continue;
    }
    epa_remove(p, to);
    if (top + 2 > 3 * max_face) return false;
    stack[top++] = g->next[after[after[side]]];
    stack[top++] = g->next[after[side]];
  }
  p->nedge = nedge;
  return nedge >= 3;
}

// Cover the hole with faces to corner `c`. The edges must be a closed loop, or the surface has been torn by
// rounding.
static CT_FN bool epa_cover(EpaPolytope* p, int c) {
  CT_CONST int after[3] = {1, 2, 0};
  const int first = p->nface, end = first + p->nedge;
  if (end > p->max_face) return false;
  EpaFace* face = p->face;
  int last = -1;
  for (int f = first; f < end; f++) {
    const int edge = p->edge[f - first], side = EPA_SIDE_OF(edge);
    EpaFace* g = face + EPA_FACE_OF(edge);
    const int from = g->corner[after[side]], to = g->corner[side];
    if (f > first && from != last) return false;
    last = to;
    epa_add_face(p, from, to, c);
    g->next[side] = EPA_SIDE(f, 0);
    face[f].next[0] = edge;
    face[f].next[1] = EPA_SIDE(f + 1, 2);
    face[f].next[2] = EPA_SIDE(f - 1, 1);
  }
  face[end - 1].next[1] = EPA_SIDE(first, 2);
  face[first].next[2] = EPA_SIDE(end - 1, 1);
  return last == face[first].corner[0];
}

static CT_FN int epa_nearest_face(const EpaPolytope* p) {
  const ctReal* near = p->near;
  const int n = p->nface;
  int best = -1;
  ctReal least = EPA_NEVER;
  for (int i = 0; i < n; i++) {
    if (!(near[i] < least)) continue;
    least = near[i];
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
      if (k->ib == c->ib && (prism || k->ia == c->ia)) return true;
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

// For each face also its distance, a place on the horizon, and three on the stack.
CT_FN size_t cti_epa_bytes(int iterations) {
  const size_t corners = (size_t)epa_corners(iterations), faces = 6 * corners;
  return corners * sizeof(ctiCorner) + faces * (sizeof(EpaFace) + sizeof(ctReal) + 4 * sizeof(int));
}

static CT_FN bool epa_scratch(EpaPolytope* p, ctData* d, int iterations) {
  p->ncorner = p->nface = p->nedge = 0;
  p->max_corner = epa_corners(iterations);
  p->max_face = 6 * p->max_corner;
  // one piece; what needs the widest alignment comes first
  p->corner = (ctiCorner*)(void*)CTI_SCRATCH(d, ctByte, cti_epa_bytes(iterations), "epa.polytope");
  if (!p->corner) return false;
  p->face = (EpaFace*)(void*)(p->corner + p->max_corner);
  p->near = (ctReal*)(void*)(p->face + p->max_face);
  p->edge = (int*)(void*)(p->near + p->max_face);
  p->stack = p->edge + p->max_face;
  return true;
}

static CT_FN bool epa_run(ctiCcd* out, EpaPolytope* p, const ctiConvex* a, const ctiConvex* b,
                          ctReal tolerance, int iterations) {
  const bool exact = a->polytope && b->polytope, prism = a->type == CTI_CONVEX_PRISM;
  int nearest = epa_nearest_face(p);
  if (nearest < 0) return false;
  const EpaFace* best = p->face + nearest;  // stays what it is when it is removed
  for (int i = 0; i < iterations && nearest >= 0; i++) {
    best = p->face + nearest;
    ctiCorner* c = p->corner + p->ncorner;
    cti_support_pair(c, a, b, best->normal);
    ctReal gain = cti_dot3(c->w, best->normal) - best->dist;
    if (gain <= (exact ? CT_R(1e-15) : tolerance) || p->ncorner + 1 >= p->max_corner ||
        epa_known(p, c, exact, prism))
      break;
    p->ncorner++;
    if (!epa_horizon(p, nearest, c->w) || !epa_cover(p, p->ncorner - 1)) break;
    nearest = epa_nearest_face(p);
  }
  epa_result(out, p, best);
  return true;
}

// Penetration from the simplex that GJK ended with: outward normal and depth of the face of the difference
// that is nearest to the origin, and the three corners of that face. False without scratch.
CT_KERNEL_NOINLINE bool cti_epa(ctiCcd* out, const ctiGjk* start, const ctiConvex* a, const ctiConvex* b,
                                ctReal tolerance, int iterations, ctData* d) {
  size_t mark = cti_scratch_mark(d);
  EpaPolytope p;
  bool done = epa_scratch(&p, d, iterations) && epa_start(&p, start, a, b) &&
              epa_run(out, &p, a, b, tolerance, iterations);
  cti_scratch_release(d, mark);
  return done;
}
