// EPA: grow a polytope inside the difference of two overlapping shapes until its nearest face is on the
// surface.
#include "collide/ccd.h"
#include "data/arena.h"

#define EPA_EXTRA_CORNERS 8            // beyond one for each iteration
#define EPA_SLIVER        CT_R(1e-12)  // area over squared edges below which a face is one

typedef struct EpaFace {
  int corner[3];
  int next[3];       // face across edge corner[i], corner[i + 1]
  ctReal normal[3];  // outward, unit
  ctReal dist;       // of its plane from the origin
  bool alive, sliver;
} EpaFace;

typedef struct EpaPolytope {
  ctiCorner* corner;
  EpaFace* face;
  int ncorner, nface, max_corner, max_face;
  // horizon: edges seen from a new corner, in order
  int* edge_face;  // the face behind the edge
  int* edge_side;  // which of its edges
  int nedge;
  int* stack;  // faces and sides that wait
} EpaPolytope;

// Plane of a face. A sliver has no direction: it holds the surface together but is never nearest.
static CT_FN void epa_plane(EpaFace* f, const ctiCorner* c) {
  const ctReal *p = c[f->corner[0]].w, *q = c[f->corner[1]].w, *r = c[f->corner[2]].w;
  ctReal e1[3], e2[3];
  cti_sub3(e1, q, p);
  cti_sub3(e2, r, p);
  cti_cross3(f->normal, e1, e2);
  ctReal area = cti_norm3(f->normal);
  ctReal size = cti_dot3(e1, e1) + cti_dot3(e2, e2);
  f->sliver = !(area > EPA_SLIVER * size);
  if (area > 0) cti_scale3(f->normal, f->normal, 1 / area);
  f->dist = cti_dot3(f->normal, p);
}

static CT_FN int epa_add_face(EpaPolytope* p, int i, int j, int k) {
  EpaFace* f = p->face + p->nface;
  f->corner[0] = i;
  f->corner[1] = j;
  f->corner[2] = k;
  f->alive = true;
  epa_plane(f, p->corner);
  return p->nface++;
}

// A corner that is not on the affine hull of those at hand, found along both signs of a direction.
static CT_FN bool epa_off_plane(EpaPolytope* p, const ctiConvex* a, const ctiConvex* b, const ctReal dir[3],
                                ctReal scale) {
  for (int sign = 0; sign < 2; sign++) {
    ctReal along[3], rel[3];
    cti_scale3(along, dir, sign ? CT_R(-1) : CT_R(1));
    ctiCorner* c = p->corner + p->ncorner;
    cti_support_pair(c, a, b, along);
    cti_sub3(rel, c->w, p->corner[0].w);
    if (cti_abs(cti_dot3(rel, along)) > CT_R(1e-10) * scale) {
      p->ncorner++;
      return true;
    }
  }
  return false;
}

// From the simplex of GJK to a tetrahedron.
static CT_FN bool epa_tetrahedron(EpaPolytope* p, const ctiGjk* s, const ctiConvex* a, const ctiConvex* b) {
  ctReal scale = 0, e1[3], e2[3], dir[3];
  for (int i = 0; i < s->n; i++) {
    p->corner[i] = s->corner[i];
    scale += cti_norm3(s->corner[i].w);
  }
  p->ncorner = s->n;
  if (p->ncorner == 1) {
    for (int i = 0; i < 3 && p->ncorner == 1; i++) {
      cti_zero3(dir);
      dir[i] = 1;
      epa_off_plane(p, a, b, dir, scale);
    }
    if (p->ncorner == 1) return false;
    scale += cti_norm3(p->corner[1].w);
  }
  if (p->ncorner == 2) {
    cti_sub3(e1, p->corner[1].w, p->corner[0].w);
    cti_normalize3(e1);
    cti_across3(dir, e1);
    if (!epa_off_plane(p, a, b, dir, scale)) {
      cti_cross3(e2, e1, dir);
      if (!epa_off_plane(p, a, b, e2, scale)) return false;
    }
  }
  if (p->ncorner == 3) {
    cti_sub3(e1, p->corner[1].w, p->corner[0].w);
    cti_sub3(e2, p->corner[2].w, p->corner[0].w);
    cti_cross3(dir, e1, e2);
    if (cti_normalize3(dir) < CTI_MINVAL * CTI_MINVAL || !epa_off_plane(p, a, b, dir, scale)) return false;
  }
  // outward orientation
  cti_sub3(e1, p->corner[1].w, p->corner[0].w);
  cti_sub3(e2, p->corner[2].w, p->corner[0].w);
  cti_cross3(dir, e1, e2);
  cti_sub3(e1, p->corner[3].w, p->corner[0].w);
  if (cti_dot3(dir, e1) > 0) {
    ctiCorner swap = p->corner[1];
    p->corner[1] = p->corner[2];
    p->corner[2] = swap;
  }
  CT_CONST int face[4][3] = {{0, 1, 2}, {0, 3, 1}, {1, 3, 2}, {2, 3, 0}};
  CT_CONST int next[4][3] = {{1, 2, 3}, {3, 2, 0}, {1, 3, 0}, {2, 1, 0}};
  for (int i = 0; i < 4; i++) {
    epa_add_face(p, face[i][0], face[i][1], face[i][2]);
    for (int k = 0; k < 3; k++) p->face[i].next[k] = next[i][k];
  }
  return true;
}

// Remove the faces that see corner `c` and list the edges around the hole, in order.
static CT_FN bool epa_horizon(EpaPolytope* p, int first, const ctReal w[3]) {
  // walk depth first over edges, so that the horizon comes out as one loop
  int top = 0;
  p->nedge = 0;
  p->face[first].alive = false;
  for (int side = 2; side >= 0; side--) p->stack[top++] = 3 * first + side;
  while (top > 0) {
    int packed = p->stack[--top], from = packed / 3, side = packed % 3;
    int to = p->face[from].next[side];
    EpaFace* g = p->face + to;
    if (!g->alive) continue;
    int back = 0;
    while (back < 3 && g->next[back] != from) back++;
    if (back == 3) return false;
    // two faces may share two edges: the right one has the same corners
    int a = p->face[from].corner[side], b = p->face[from].corner[(side + 1) % 3];
    for (int k = 0; k < 3; k++) {
      if (g->corner[k] == b && g->corner[(k + 1) % 3] == a) back = k;
    }
    if (cti_dot3(g->normal, w) <= g->dist) {
      if (p->nedge >= p->max_face) return false;
      p->edge_face[p->nedge] = to;
      p->edge_side[p->nedge++] = back;
      continue;
    }
    g->alive = false;
    if (top + 2 > 3 * p->max_face) return false;
    p->stack[top++] = 3 * to + (back + 2) % 3;
    p->stack[top++] = 3 * to + (back + 1) % 3;
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
  for (int i = 0; i < p->nface; i++) {
    if (p->face[i].alive && !p->face[i].sliver && (best < 0 || p->face[i].dist < p->face[best].dist))
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

static CT_FN bool epa_scratch(EpaPolytope* p, ctData* d, int iterations) {
  p->ncorner = p->nface = p->nedge = 0;
  p->max_corner = iterations + EPA_EXTRA_CORNERS;
  p->max_face = 6 * p->max_corner;
  p->corner = CTI_SCRATCH(d, ctiCorner, p->max_corner, "epa.corner");
  p->face = CTI_SCRATCH(d, EpaFace, p->max_face, "epa.face");
  p->edge_face = CTI_SCRATCH(d, int, p->max_face, "epa.edge_face");
  p->edge_side = CTI_SCRATCH(d, int, p->max_face, "epa.edge_side");
  p->stack = CTI_SCRATCH(d, int, 3 * p->max_face, "epa.stack");
  return p->corner && p->face && p->edge_face && p->edge_side && p->stack;
}

static CT_FN bool epa_run(ctiCcd* out, EpaPolytope* p, const ctiConvex* a, const ctiConvex* b,
                          ctReal tolerance, int iterations) {
  const bool exact = a->polytope && b->polytope, prism = a->type == CT_GEOM_NONE;
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

CT_FN bool cti_epa(ctiCcd* out, const ctiGjk* start, const ctiConvex* a, const ctiConvex* b, ctReal tolerance,
                   int iterations, ctData* d) {
  size_t mark = cti_scratch_mark(d);
  EpaPolytope p;
  bool done = epa_scratch(&p, d, iterations) && epa_tetrahedron(&p, start, a, b) &&
              epa_run(out, &p, a, b, tolerance, iterations);
  cti_scratch_release(d, mark);
  return done;
}
