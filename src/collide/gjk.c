#include "collide/convex.h"

#include "math/points.h"

// Meshes with fewer vertices are searched exhaustively.
#define SUPPORT_CLIMB_FROM 10
// A component counts in the choice of a start when it is at least this share of the largest: tan(22.5 deg).
#define SUPPORT_SHARE CT_R(0.41421356237309503)

CT_FN void cti_convex_init(ctiConvex* c, const ctiShape* shape, const ctReal origin[3]) {
  c->type = shape->type == CT_GEOM_SPHERE ? CTI_CONVEX_POINT : shape->type;
  cti_sub3(c->pos, shape->pos, origin);
  c->mat = shape->mat;
  c->size = shape->size;
  c->radius = shape->type == CT_GEOM_SPHERE || shape->type == CT_GEOM_CAPSULE ? shape->size[0] : 0;
  c->skin = 0;
  c->polytope = shape->type == CT_GEOM_BOX || shape->type == CT_GEOM_MESH || shape->type == CT_GEOM_SDF;
  c->vert = (const float*)0;
  c->nvert = 0;
  c->graph_adr = c->graph_id = c->graph_to = c->extrema = (const int*)0;
  if (shape->data < 0 || (shape->type != CT_GEOM_MESH && shape->type != CT_GEOM_SDF)) return;
  const ctModel* m = shape->m;
  c->vert = m->mesh_vert + 3 * m->mesh_vertadr[shape->data];
  c->nvert = m->mesh_vertnum[shape->data];
  int graph = m->mesh_graphadr[shape->data];
  if (graph < 0 || c->nvert < SUPPORT_CLIMB_FROM) return;
  const int* head = m->mesh_graph + graph;
  c->graph_adr = head + 2;
  c->graph_id = c->graph_adr + head[0];
  c->graph_to = c->graph_id + head[0];
  c->extrema = m->mesh_extrema + 27 * shape->data;
}

CT_FN void cti_convex_fill(ctiConvex* c) {
  c->skin = c->radius;
  c->radius = 0;
}

// Climb the hull from the extreme vertex of a nearby direction: on to the highest neighbour, while there is
// one.
static CT_FN int support_climb(const ctiConvex* c, const ctReal dir[3]) {
  ctReal largest = 0;
  for (int i = 0; i < 3; i++) largest = cti_abs(dir[i]) > largest ? cti_abs(dir[i]) : largest;
  const ctReal share = SUPPORT_SHARE * largest;
  const int x = (dir[0] > share) - (dir[0] < -share), y = (dir[1] > share) - (dir[1] < -share),
            z = (dir[2] > share) - (dir[2] < -share);
  const float* vert = c->vert;
  const int *id = c->graph_id, *adr = c->graph_adr, *first = c->graph_to;
  size_t at = (size_t)c->extrema[9 * x + 3 * y + z + 13], best = at;
  ctReal most = cti_height(vert + 3 * (size_t)id[at], dir);
  for (bool moved = true; moved; at = best) {
    moved = false;
    for (const int* to = first + adr[at]; *to >= 0; to++) {
      const size_t other = (size_t)*to;
      const ctReal height = cti_height(vert + 3 * (size_t)id[other], dir);
      if (height > most) {
        most = height;
        best = other;
        moved = true;
      }
    }
  }
  return id[at];
}

static CT_FN int support_corner(ctReal local[3], const ctReal size[3], const ctReal dir[3]) {
  int id = 0;
  for (int i = 0; i < 3; i++) {
    id |= (dir[i] >= 0) << i;
    local[i] = dir[i] >= 0 ? size[i] : -size[i];
  }
  return id;
}

static CT_FN int support_local(ctReal local[3], const ctiConvex* c, const ctReal dir[3]) {
  switch (c->type) {
    case CT_GEOM_CAPSULE:
      local[0] = local[1] = 0;
      local[2] = dir[2] >= 0 ? c->size[1] : -c->size[1];
      return dir[2] >= 0;
    case CT_GEOM_ELLIPSOID:
      for (int i = 0; i < 3; i++) local[i] = c->size[i] * dir[i];
      cti_normalize3(local);
      for (int i = 0; i < 3; i++) local[i] *= c->size[i];
      return -1;
    case CT_GEOM_CYLINDER: {
      ctReal across = cti_sqrt(dir[0] * dir[0] + dir[1] * dir[1]);
      if (across > CTI_MINVAL) {
        local[0] = dir[0] / across * c->size[0];
        local[1] = dir[1] / across * c->size[0];
      } else {
        local[0] = c->size[0];  // any rim point: keep one
        local[1] = 0;
      }
      local[2] = dir[2] >= 0 ? c->size[1] : -c->size[1];
      return dir[2] >= 0;
    }
    case CT_GEOM_BOX: return support_corner(local, c->size, dir);
    default: {
      const int id = c->graph_adr ? support_climb(c, dir) : cti_max_dot(c->vert, c->nvert, dir);
      const float* vert = c->vert + 3 * (size_t)id;
      local[0] = (ctReal)vert[0];
      local[1] = (ctReal)vert[1];
      local[2] = (ctReal)vert[2];
      return id;
    }
  }
}

// What has few corners, and does not turn. A prism has three below, three above; a horizontal direction looks
// above.
static CT_FN int support_few(ctReal out[3], const ctiConvex* c, const ctReal dir[3]) {
  if (c->type == CTI_CONVEX_POINT) {
    cti_along3(out, c->pos, dir, c->skin);
    return 0;
  }
  const bool prism = c->type == CTI_CONVEX_PRISM;
  int best = dir[2] < 0 || !prism ? 0 : 3;
  const int end = prism ? best + 3 : c->nvert;
  ctReal most = cti_dot3(c->prism[best], dir);
  for (int i = best + 1; i < end; i++) {
    ctReal height = cti_dot3(c->prism[i], dir);
    if (height > most) {
      most = height;
      best = i;
    }
  }
  cti_along3(out, c->prism[best], dir, c->skin);
  return best;
}

static CT_FN int support_geom(ctReal out[3], const ctiConvex* c, const ctReal dir[3]) {
  ctReal turned[3], local[3];
  cti_mul_mat_t_vec3(turned, c->mat, dir);
  int id = support_local(local, c, turned);
  cti_mul_mat_vec3(out, c->mat, local);
  cti_add_to3(out, c->pos);
  if (c->skin > 0) cti_add_scaled3(out, dir, c->skin);
  return id;
}

CT_KERNEL_NOINLINE int cti_support(ctReal out[3], const ctiConvex* c, const ctReal dir[3]) {
  return c->type >= CTI_CONVEX_PRISM ? support_few(out, c, dir) : support_geom(out, c, dir);
}

CT_FN void cti_support_pair(ctiCorner* out, const ctiConvex* a, const ctiConvex* b, const ctReal dir[3]) {
  ctReal back[3];
  cti_scale3(back, dir, -1);
  out->ia = cti_support(out->a, a, dir);
  out->ib = cti_support(out->b, b, back);
  cti_sub3(out->w, out->a, out->b);
}

// ---- GJK: walk a simplex inside the difference of two shapes towards the origin ----

// Progress below this share of the squared distance is rounding.
#define GJK_STALL CT_R(1e-14)
// A bound within this share of the distance: from here on a thin simplex may lose its direction to rounding.
#define GJK_NEAR_END CT_R(1e-3)
// Squared volume over squared edges below which a tetrahedron is flat.
#define GJK_FLAT CT_R(1e-20)
// Squared distance over squared corners below which the shapes touch.
#define GJK_TOUCH CT_R(1e-22)
// Beyond the cutoff by this share of the distance between the centres: far more than rounding.
#define GJK_CLEAR CT_R(1e-3)

// Weights of the point of segment p, q that is nearest to the origin; the mask of corners with weight.
static CT_FN unsigned gjk_segment(ctReal w[2], const ctReal p[3], const ctReal q[3]) {
  ctReal e[3];
  cti_sub3(e, q, p);
  ctReal length2 = cti_dot3(e, e), t = -cti_dot3(p, e);
  if (!(t > 0)) {
    w[0] = 1;
    w[1] = 0;
    return 1;
  }
  if (t >= length2) {
    w[0] = 0;
    w[1] = 1;
    return 2;
  }
  w[1] = t / length2;
  w[0] = 1 - w[1];
  return 3;
}

// The same for a triangle: inside, or the nearest of its edges.
static CT_FN unsigned gjk_triangle(ctReal w[3], const ctReal p[3], const ctReal q[3], const ctReal r[3]) {
  ctReal e1[3], e2[3], n[3], c[3];
  cti_sub3(e1, q, p);
  cti_sub3(e2, r, p);
  cti_cross3(n, e1, e2);
  ctReal area2 = cti_dot3(n, n);
  if (area2 > 0) {
    // barycentric coordinates of the projection of the origin, from edges: small triangles keep their digits
    cti_cross3(c, e2, p);
    w[1] = cti_dot3(c, n) / area2;
    cti_cross3(c, p, e1);
    w[2] = cti_dot3(c, n) / area2;
    w[0] = 1 - w[1] - w[2];
    if (w[0] > 0 && w[1] > 0 && w[2] > 0) {
      ctReal sum = w[0] + w[1] + w[2];
      for (int i = 0; i < 3; i++) w[i] /= sum;
      return 7;
    }
  } else {
    w[0] = w[1] = w[2] = -1;
  }
  const ctReal* at[3] = {p, q, r};
  ctReal least = -1;
  unsigned best = 0;
  ctReal keep[3] = {0, 0, 0};
  for (int i = 0; i < 3; i++) {
    // only edges that the origin lies beyond, unless the triangle is degenerate
    int j = (i + 1) % 3, k = (i + 2) % 3;
    if (w[k] > 0) continue;
    ctReal u[2], x[3];
    unsigned mask = gjk_segment(u, at[i], at[j]);
    for (int d = 0; d < 3; d++) x[d] = u[0] * at[i][d] + u[1] * at[j][d];
    ctReal dist2 = cti_dot3(x, x);
    if (least >= 0 && dist2 >= least) continue;
    least = dist2;
    best = (mask & 1 ? 1u << i : 0) | (mask & 2 ? 1u << j : 0);
    keep[i] = u[0];
    keep[j] = u[1];
    keep[k] = 0;
  }
  cti_copy3(w, keep);
  return best;
}

// Signed volume (times six) of the tetrahedron of the origin and a triangle.
CT_INLINE ctReal gjk_volume(const ctReal p[3], const ctReal q[3], const ctReal r[3]) {
  ctReal c[3];
  cti_cross3(c, q, r);
  return cti_dot3(p, c);
}

// The same for a tetrahedron; 15 when the origin is inside.
static CT_FN unsigned gjk_tetrahedron(ctReal w[4], const ctiCorner* s) {
  CT_CONST int face[4][3] = {{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}};  // opposite corner i
  ctReal e1[3], e2[3], e3[3];
  cti_sub3(e1, s[1].w, s[0].w);
  cti_sub3(e2, s[2].w, s[0].w);
  cti_sub3(e3, s[3].w, s[0].w);
  ctReal whole = gjk_volume(e1, e2, e3);
  // a flat tetrahedron has no inside
  bool flat = whole * whole <= GJK_FLAT * (cti_dot3(e1, e1) * cti_dot3(e2, e2) * cti_dot3(e3, e3));
  bool outside[4] = {true, true, true, true}, any = true;
  if (!flat) {
    w[1] = -gjk_volume(s[0].w, e2, e3) / whole;
    w[2] = -gjk_volume(s[0].w, e3, e1) / whole;
    w[3] = -gjk_volume(s[0].w, e1, e2) / whole;
    w[0] = 1 - w[1] - w[2] - w[3];
    any = false;
    for (int i = 0; i < 4; i++) {
      outside[i] = !(w[i] > 0);
      any = any || outside[i];
    }
  }
  if (!any) return 15;
  ctReal least = -1, keep[4] = {0, 0, 0, 0};
  unsigned best = 0;
  for (int i = 0; i < 4; i++) {
    if (!outside[i]) continue;
    const int* f = face[i];
    ctReal u[3], x[3];
    unsigned mask = gjk_triangle(u, s[f[0]].w, s[f[1]].w, s[f[2]].w);
    for (int d = 0; d < 3; d++) x[d] = u[0] * s[f[0]].w[d] + u[1] * s[f[1]].w[d] + u[2] * s[f[2]].w[d];
    ctReal dist2 = cti_dot3(x, x);
    if (least >= 0 && dist2 >= least) continue;
    least = dist2;
    best = 0;
    keep[0] = keep[1] = keep[2] = keep[3] = 0;
    for (int k = 0; k < 3; k++) {
      if (!(mask & (1u << k))) continue;
      best |= 1u << f[k];
      keep[f[k]] = u[k];
    }
  }
  for (int i = 0; i < 4; i++) w[i] = keep[i];
  return best;
}

// Instead of a sum of weighted corners, the point of a triangle's plane that is nearest to the origin: its
// direction is the normal of the plane, exactly level for an upright triangle. Not for one that has no
// normal.
static CT_FN void gjk_project(ctReal v[3], const ctiCorner* c, ctReal v2) {
  ctReal e1[3], e2[3], n[3];
  cti_sub3(e1, c[1].w, c[0].w);
  cti_sub3(e2, c[2].w, c[0].w);
  cti_cross3(n, e1, e2);
  ctReal area2 = cti_dot3(n, n), height = cti_dot3(n, c[0].w);
  if (area2 > 0 && height * height < v2 * area2) cti_scale3(v, n, height / area2);
}

// Add the corner behind those of the simplex and keep those that carry its nearest point. False when that
// point would come no nearer than the squared distance `v2`: then the simplex stays as it was. `exact`: only
// corners count.
static CT_FN bool gjk_advance(ctiGjk* s, ctReal v2, bool exact) {
  ctReal w[4] = {1, 0, 0, 0}, v[3];
  unsigned mask = 1;
  const int count = s->n + 1;
  switch (count) {
    case 2: mask = gjk_segment(w, s->corner[0].w, s->corner[1].w); break;
    case 3: mask = gjk_triangle(w, s->corner[0].w, s->corner[1].w, s->corner[2].w); break;
    default: mask = gjk_tetrahedron(w, s->corner); break;
  }
  cti_zero3(v);
  for (int i = 0; i < count; i++) {
    if (mask & (1u << i)) cti_add_scaled3(v, s->corner[i].w, w[i]);
  }
  if (mask != 15 && cti_dot3(v, v) >= v2) return false;
  int n = 0;
  for (int i = 0; i < count; i++) {
    if (!(mask & (1u << i))) continue;
    if (n != i) s->corner[n] = s->corner[i];
    s->weight[n++] = w[i];
  }
  s->n = n;
  if (exact && n == 3) gjk_project(v, s->corner, v2);
  cti_copy3(s->v, v);
  return true;
}

static CT_FN bool gjk_known(const ctiGjk* s, const ctiCorner* c, bool exact) {
  for (int i = 0; i < s->n; i++) {
    const ctiCorner* k = s->corner + i;
    if (exact && k->ia == c->ia && k->ib == c->ib) return true;
    if (k->w[0] == c->w[0] && k->w[1] == c->w[1] && k->w[2] == c->w[2]) return true;
  }
  return false;
}

static CT_KERNEL_NOINLINE void gjk(ctiGjk* s, const ctiConvex* a, const ctiConvex* b, ctReal cutoff,
                                   ctReal tolerance, int iterations) {
  const bool exact = a->polytope && b->polytope;
  const ctReal radius = a->radius + b->radius;
  ctReal dir[3];
  s->overlap = s->separated = false;
  cti_sub3(dir, b->pos, a->pos);
  const ctReal centers = cti_normalize3(dir);
  cti_support_pair(s->corner, a, b, dir);
  // most shapes that are apart are parted by a plane across the line of their centres
  if (-cti_dot3(s->corner[0].w, dir) > cutoff + radius + GJK_CLEAR * centers) {
    s->separated = true;
    return;
  }
  s->n = 1;
  s->weight[0] = 1;
  cti_copy3(s->v, s->corner[0].w);
  ctiGjk best;  // of the simplices near the end, the one whose distance is known best
  ctReal best_gap = -1;

  for (int i = 1; i < iterations; i++) {
    ctReal v2 = cti_dot3(s->v, s->v), scale2 = 0;
    for (int k = 0; k < s->n; k++) {
      ctReal w2 = cti_dot3(s->corner[k].w, s->corner[k].w);
      if (w2 > scale2) scale2 = w2;
    }
    if (s->n == 4 || v2 <= GJK_TOUCH * scale2 || v2 < CTI_MINVAL * CTI_MINVAL) {
      s->overlap = true;
      return;
    }
    ctiCorner* next = s->corner + s->n;
    const ctReal length = cti_sqrt(v2);
    cti_scale3(dir, s->v, -1 / length);
    cti_support_pair(next, a, b, dir);
    const ctReal bound = -cti_dot3(next->w, dir);  // the shapes are at least `bound` apart
    if (bound > cutoff + radius) {
      s->separated = true;
      return;
    }
    // no corner farther out: v is the nearest point
    if (gjk_known(s, next, exact) || length - bound <= GJK_STALL * length) return;
    // for curved shapes: the squared distance is within half the squared tolerance, and v nearer than that
    if (!exact && length * (length - bound) <= CT_R(0.5) * tolerance * tolerance) return;
    const ctReal gap = length - bound;
    if (bound > 0 && gap <= GJK_NEAR_END * length && (best_gap < 0 || gap < best_gap)) {
      best = *s;
      best_gap = gap;
    }
    if (gjk_advance(s, v2, exact)) continue;
    // rounding took over; nothing separates the shapes when there were corners beyond
    s->overlap = bound <= 0;
    if (best_gap >= 0 && best_gap < gap) *s = best;
    return;
  }
  s->overlap = s->n == 4;
}

// ---- distance and penetration: GJK while the shapes are apart, EPA when they overlap ----

// Surfaces from cores: move the points outwards by the radii.
static CT_FN void ccd_add_radii(ctiCcd* out, const ctiConvex* a, const ctiConvex* b) {
  out->dist -= a->radius + b->radius;
  cti_add_scaled3(out->a, out->normal, a->radius);
  cti_add_scaled3(out->b, out->normal, -b->radius);
}

static CT_FN void ccd_from_gjk(ctiCcd* out, const ctiGjk* s) {
  cti_zero3(out->a);
  cti_zero3(out->b);
  for (int i = 0; i < s->n; i++) {
    cti_add_scaled3(out->a, s->corner[i].a, s->weight[i]);
    cti_add_scaled3(out->b, s->corner[i].b, s->weight[i]);
    out->simplex[i] = s->corner[i];
  }
  out->n = s->n;
  cti_scale3(out->normal, s->v, -1);
  out->dist = cti_normalize3(out->normal);
}

// Cores nearer than this share of their radii touch: the direction between them is rounding.
#define CCD_TOUCH CT_R(1e-6)

// Search shapes as they are.
static CT_FN bool ccd_search(ctiCcd* out, const ctiConvex* a, const ctiConvex* b, ctReal cutoff,
                             ctReal tolerance, int iterations, ctData* d) {
  ctiGjk s;
  gjk(&s, a, b, cutoff, tolerance, iterations);
  if (s.separated) return false;
  if (!s.overlap) {
    ccd_from_gjk(out, &s);
  } else if (!cti_epa(out, &s, a, b, tolerance, iterations, d)) {
    // touching without an inside (flat shapes): the distance is zero
    ccd_from_gjk(out, &s);
    cti_sub3(out->normal, b->pos, a->pos);
    cti_normalize3(out->normal);
    out->dist = 0;
  }
  return true;
}

CT_KERNEL_NOINLINE bool cti_ccd_distance(ctiCcd* out, ctiConvex* a, ctiConvex* b, ctReal cutoff,
                                         ctReal tolerance, int iterations, ctData* d) {
  if (!ccd_search(out, a, b, cutoff, tolerance, iterations, d)) return false;
  if (a->radius + b->radius > 0) {
    if (out->dist <= tolerance) {
      // the cores touch: the whole shapes tell how deep
      cti_convex_fill(a);
      cti_convex_fill(b);
      if (!ccd_search(out, a, b, cutoff, tolerance, iterations, d)) return false;
    } else {
      ccd_add_radii(out, a, b);
    }
  }
  return out->dist <= cutoff;
}

CT_KERNEL_NOINLINE bool cti_ccd(ctiCcd* out, ctiConvex* a, ctiConvex* b, ctReal margin, ctReal tolerance,
                                int iterations, ctData* d) {
  // the margin is a layer around both shapes, which then must touch
  const ctReal layer = margin > 0 ? CT_R(0.5) * margin : 0;
  a->radius += layer;
  b->radius += layer;
  a->polytope = a->polytope && a->radius == 0;
  b->polytope = b->polytope && b->radius == 0;
  if (!cti_ccd_distance(out, a, b, 0, tolerance, iterations, d)) return false;
  // what overlaps by rounding alone touches
  if (a->radius + b->radius == 0 && out->dist > -CTI_MINVAL) return false;
  out->dist += 2 * layer;
  cti_add_scaled3(out->a, out->normal, -layer);
  cti_add_scaled3(out->b, out->normal, layer);
  return out->dist < margin;  // shapes that just touch do not
}

CT_FN bool cti_ccd_cores(ctiCcd* out, ctiConvex* a, ctiConvex* b, ctReal margin, ctReal tolerance,
                         int iterations, ctData* d) {
  ctiGjk s;
  const ctReal radius = a->radius + b->radius;
  gjk(&s, a, b, margin, tolerance, iterations);
  if (s.separated) return false;
  bool known = false;
  if (!s.overlap) {
    ccd_from_gjk(out, &s);
    known = out->dist > CCD_TOUCH * radius;
  }
  // as deep as the cores, and the radii
  if (!known) known = s.overlap && cti_epa(out, &s, a, b, tolerance, iterations, d);
  if (known) {
    ccd_add_radii(out, a, b);
    return out->dist < margin;
  }
  // flat cores that touch have no inside
  return cti_ccd(out, a, b, margin, tolerance, iterations, d);
}
