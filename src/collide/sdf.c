#include "collide/sdf.h"

#include "collide/pairs.h"

// The value where there is no field.
#define SDF_FAR CT_R(1e10)
// Points beyond an octree are looked up this far inside of it.
#define SDF_INSIDE CT_R(1e-6)

CT_FN ctReal cti_sdf_ball(const ctReal x[3], ctReal radius, ctReal* gradient) {
  if (gradient) {
    cti_copy3(gradient, x);
    cti_normalize3(gradient);
  }
  return cti_norm3(x) - radius;
}

CT_FN ctReal cti_sdf_capsule(const ctReal size[3], const ctReal x[3], ctReal* gradient) {
  ctReal rel[3] = {x[0], x[1], x[2] - cti_clamp(x[2], -size[1], size[1])};
  return cti_sdf_ball(rel, size[0], gradient);
}

// With q = |x / size| and r = |x / size^2|: q (q - 1) / r, which is the distance to first order at the
// surface.
static CT_FN ctReal sdf_ellipsoid(const ctReal size[3], const ctReal x[3], ctReal* gradient) {
  ctReal u[3], v[3];
  for (int i = 0; i < 3; i++) {
    u[i] = x[i] / size[i];
    v[i] = u[i] / size[i];
  }
  ctReal q = cti_norm3(u), r = cti_norm3(v);
  if (r < CTI_MINVAL) {
    // the centre: the nearest surface is at the shortest axis
    int least = size[1] < size[0] ? 1 : 0;
    if (size[2] < size[least]) least = 2;
    if (gradient) {
      cti_zero3(gradient);
      gradient[least] = 1;
    }
    return -size[least];
  }
  if (gradient) {
    for (int i = 0; i < 3; i++) {
      gradient[i] = (2 * q - 1) * v[i] / (q * r) - q * (q - 1) * v[i] / (size[i] * size[i] * r * r * r);
    }
    cti_normalize3(gradient);
  }
  return q * (q - 1) / r;
}

CT_FN ctReal cti_sdf_cylinder(const ctReal size[3], const ctReal x[3], ctReal* gradient) {
  ctReal rim = cti_sqrt(x[0] * x[0] + x[1] * x[1]), sign = x[2] < 0 ? CT_R(-1) : CT_R(1);
  ctReal over = rim - size[0], above = cti_abs(x[2]) - size[1];
  // shares of the side and of the end
  ctReal side = over > above, end = !(over > above), value = over > above ? over : above;
  if (over > 0 && above > 0) {
    value = cti_sqrt(over * over + above * above);
    side = over / value;
    end = above / value;
  }
  if (gradient) {
    ctReal scale = rim < CTI_MINVAL ? 0 : side / rim;
    gradient[0] = x[0] * scale;
    gradient[1] = x[1] * scale;
    gradient[2] = sign * end;
  }
  return value;
}

// Inside a box the gradient turns smoothly from face to face, and the value is the distance to the surface
// along it.
static CT_FN ctReal sdf_box(const ctReal size[3], const ctReal x[3], ctReal* gradient) {
  ctReal over[3], away[3], most = -1;
  bool inside = true;
  for (int i = 0; i < 3; i++) {
    over[i] = cti_abs(x[i]) - size[i];
    inside = inside && over[i] <= 0;
    away[i] = over[i] > 0 ? over[i] : 0;
  }
  ctReal value = cti_norm3(away);
  if (inside) {
    for (int i = 0; i < 3; i++) {
      ctReal deep = 1 - cti_abs(x[i]) / size[i];
      away[i] = 1 / (deep > CTI_MINVAL ? deep : CTI_MINVAL);
    }
    cti_normalize3(away);
    for (int i = 0; i < 3; i++) {
      ctReal path = over[i] / away[i];
      if (i == 0 || path > most) most = path;
    }
    value = most;
  } else if (gradient) {
    cti_normalize3(away);
  }
  for (int i = 0; gradient && i < 3; i++) gradient[i] = x[i] < 0 ? -away[i] : away[i];
  return value;
}

// The leaf of an octree that holds a point.
static CT_FN int sdf_leaf(const ctModel* m, int root, const ctReal x[3]) {
  int at = root;
  for (;;) {
    const int* child = m->oct_child + 8 * at;
    if (child[0] < 0) return at;
    const ctReal* center = m->oct_aabb + 6 * at;
    int corner = (x[0] > center[0]) | (x[1] > center[1]) << 1 | (x[2] > center[2]) << 2;
    at = root + child[corner];
  }
}

CT_FN ctReal cti_sdf_octree(const ctModel* m, int mesh, const ctReal x[3], ctReal* gradient) {
  const int root = m->mesh_octadr[mesh];
  if (root < 0) return SDF_FAR;
  const ctReal* whole = m->oct_aabb + 6 * root;
  // outside of the tree: from its nearest point on, straight; looked up a little inside
  ctReal y[3], away[3];
  for (int i = 0; i < 3; i++) {
    ctReal lo = whole[i] - whole[3 + i], hi = whole[i] + whole[3 + i];
    away[i] = x[i] - cti_clamp(x[i], lo, hi);
    y[i] = cti_clamp(x[i], lo + SDF_INSIDE, hi - SDF_INSIDE);
  }
  const int leaf = sdf_leaf(m, root, y);
  const ctReal *box = m->oct_aabb + 6 * leaf, *value = m->oct_coeff + 8 * leaf;
  ctReal t[3], width[3];
  for (int i = 0; i < 3; i++) {
    width[i] = 2 * box[3 + i];
    t[i] = (y[i] - (box[i] - box[3 + i])) / width[i];
  }
  ctReal sum = 0, slope[3] = {0, 0, 0};
  for (int k = 0; k < 8; k++) {
    ctReal w[3], sign[3];
    for (int i = 0; i < 3; i++) {
      bool upper = (k >> i) & 1;
      w[i] = upper ? t[i] : 1 - t[i];
      sign[i] = upper ? CT_R(1) : CT_R(-1);
    }
    sum += value[k] * (w[0] * w[1] * w[2]);
    slope[0] += value[k] * (sign[0] * w[1] * w[2]);
    slope[1] += value[k] * (w[0] * sign[1] * w[2]);
    slope[2] += value[k] * (w[0] * w[1] * sign[2]);
  }
  ctReal far = cti_norm3(away);
  for (int i = 0; gradient && i < 3; i++) gradient[i] = away[i] != 0 ? away[i] / far : slope[i] / width[i];
  return sum + far;
}

// Value at a point in the frame of the shape; `gradient` (NULL when not wanted) receives the direction in
// which it grows. Shapes: sphere, capsule, ellipsoid, cylinder, box, sdf.
static CT_FN ctReal sdf_value(const ctiShape* s, const ctReal x[3], ctReal* gradient) {
  switch (s->type) {
    case CT_GEOM_SPHERE: return cti_sdf_ball(x, s->size[0], gradient);
    case CT_GEOM_CAPSULE: return cti_sdf_capsule(s->size, x, gradient);
    case CT_GEOM_ELLIPSOID: return sdf_ellipsoid(s->size, x, gradient);
    case CT_GEOM_CYLINDER: return cti_sdf_cylinder(s->size, x, gradient);
    case CT_GEOM_BOX: return sdf_box(s->size, x, gradient);
    case CT_GEOM_SDF: return cti_sdf_geom(s->m, s->plugin, s->data, x, gradient);
    default: return SDF_FAR;
  }
}

// ---- a signed distance field and another shape ----
//
// From points spread over the common part of their boxes, descend A + B + |max(A, B)| and then, in one step,
// max(A, B), where A and B are the fields. Every start that ends inside both is a point of contact.

// Element `i` of the Halton sequence of a base, from 0 to 1: points spread evenly, the same in every run.
CT_INLINE ctReal halton(int i, int base) {
  ctReal part = 1, sum = 0;
  for (; i > 0; i /= base) {
    part /= (ctReal)base;
    sum += part * (ctReal)(i % base);
  }
  return sum;
}

// Backtracking: a step is halved from 1 until it gains this share of what the slope promises.
#define SDF_GAIN CT_R(0.1)
// The shortest step is the first below this; any gain will do there.
#define SDF_SHORTEST CT_R(1e-4)

// Both shapes, seen in the frame of the first: x is at turn x + shift in that of the second.
typedef struct SdfPair {
  const ctiShape *a, *b;
  ctReal turn[9], shift[3];
} SdfPair;

// Two fields at a point and, where wanted, their gradients.
typedef struct SdfValue {
  ctReal a, b;
  ctReal slope_a[3], slope_b[3];
} SdfValue;

static CT_FN void sdf_look(SdfValue* v, const SdfPair* p, const ctReal x[3], bool slopes) {
  ctReal y[3];
  cti_mul_mat_vec3(y, p->turn, x);
  cti_add_to3(y, p->shift);
  v->a = sdf_value(p->a, x, slopes ? v->slope_a : (ctReal*)0);
  v->b = sdf_value(p->b, y, slopes ? v->slope_b : (ctReal*)0);
  if (slopes) cti_mul_mat_t_vec3(v->slope_b, p->turn, v->slope_b);
}

static CT_FN ctReal sdf_most(const SdfValue* v) {
  return v->a > v->b ? v->a : v->b;
}

// What is descended: the larger field alone, or with both.
static CT_FN ctReal sdf_cost(const SdfValue* v, bool alone) {
  ctReal most = sdf_most(v);
  return alone ? most : v->a + v->b + cti_abs(most);
}

static CT_FN void sdf_slope(ctReal out[3], const SdfValue* v, bool alone) {
  const ctReal* most = v->a > v->b ? v->slope_a : v->slope_b;
  if (alone) {
    cti_copy3(out, most);
    return;
  }
  cti_add3(out, v->slope_a, v->slope_b);
  cti_add_scaled3(out, most, sdf_most(v) > 0 ? CT_R(1) : CT_R(-1));
}

// One step down from x; false when there is none.
static CT_FN bool sdf_step(ctReal x[3], const SdfPair* p, bool alone) {
  SdfValue v;
  ctReal slope[3], y[3];
  sdf_look(&v, p, x, true);
  sdf_slope(slope, &v, alone);
  const ctReal cost = sdf_cost(&v, alone), steep = cti_dot3(slope, slope);
  for (ctReal step = 1;; step *= CT_R(0.5)) {
    cti_along3(y, x, slope, -step);
    sdf_look(&v, p, y, false);
    ctReal gain = cost - sdf_cost(&v, alone);
    if (!(gain >= SDF_GAIN * step * steep)) {
      if (step > SDF_SHORTEST) continue;
      if (!(gain > 0)) return false;
    }
    cti_copy3(x, y);
    return true;
  }
}

// The common part of the boxes of both shapes, in the frame of the first.
static CT_FN bool sdf_common_box(ctReal lo[3], ctReal hi[3], const SdfPair* p) {
  const ctReal *p1 = p->a->aabb, *p2 = p->b->aabb;
  ctReal center[3], back[3];
  cti_sub3(center, p2, p->shift);
  cti_mul_mat_t_vec3(back, p->turn, center);
  for (int i = 0; i < 3; i++) {
    ctReal half = 0;
    for (int k = 0; k < 3; k++) half += cti_abs(p->turn[3 * k + i]) * p2[3 + k];
    ctReal lo1 = p1[i] - p1[3 + i], hi1 = p1[i] + p1[3 + i], lo2 = back[i] - half, hi2 = back[i] + half;
    lo[i] = lo1 > lo2 ? lo1 : lo2;
    hi[i] = hi1 < hi2 ? hi1 : hi2;
    if (lo[i] > hi[i]) return false;
  }
  return true;
}

// The contact at x, which lies inside both shapes.
static CT_FN void sdf_point(ctiPoint* out, const SdfPair* p, const ctReal x[3]) {
  SdfValue v;
  ctReal normal[3], middle[3];
  sdf_look(&v, p, x, true);
  cti_normalize3(v.slope_a);
  cti_normalize3(v.slope_b);
  cti_sub3(normal, v.slope_a, v.slope_b);
  cti_normalize3(normal);
  out->dist = sdf_most(&v);
  cti_along3(middle, x, normal, CT_R(0.5) * out->dist);
  cti_mul_mat_vec3(out->normal, p->a->mat, normal);
  cti_mul_mat_vec3(out->pos, p->a->mat, middle);
  cti_add_to3(out->pos, p->a->pos);
  cti_zero3(out->tangent);
}

CT_KERNEL_NOINLINE int cti_sdf_pair(ctiPoint* out, const ctiShape* a, const ctiShape* b, ctReal margin,
                                    ctData* d) {
  (void)margin;  // these contacts are of points inside both shapes
  (void)d;
  SdfPair p;
  ctReal rel[3], lo[3], hi[3];
  if (!a->aabb || !b->aabb) return 0;
  p.a = a;
  p.b = b;
  cti_mul_mat_t_mat3(p.turn, b->mat, a->mat);
  cti_sub3(rel, a->pos, b->pos);
  cti_mul_mat_t_vec3(p.shift, b->mat, rel);
  if (!sdf_common_box(lo, hi, &p)) return 0;
  int n = 0;
  for (int i = 0; i < a->m->opt.sdf_initpoints && n < CTI_MAX_POINTS; i++) {
    ctReal x[3];
    for (int k = 0; k < 3; k++) x[k] = lo[k] + (hi[k] - lo[k]) * halton(i, k == 0 ? 2 : (k == 1 ? 3 : 5));
    for (int j = 0; j < a->m->opt.sdf_iterations; j++) {
      if (!sdf_step(x, &p, false)) break;
    }
    sdf_step(x, &p, true);
    SdfValue v;
    sdf_look(&v, &p, x, false);
    if (sdf_most(&v) < 0) sdf_point(out + n++, &p, x);
  }
  return n;
}

// ---- a mesh and a signed distance field ----
// Over every triangle of the mesh the field is descended from a few starts. Where it ends below zero, the
// mesh is inside the field.

// Nodes on the stack: one per level of the tree, which is split at the median.
#define SDF_MESH_STACK 64
// Points this near to each other are one.
#define SDF_MESH_SAME CT_R(1e-12)
// Share of a size within which rounding is forgiven.
#define SDF_MESH_SLACK CT_R(1e-6)

// The field, seen in the frame of the mesh: x is at turn x + shift in that of the field.
typedef struct SdfMesh {
  const ctiShape *mesh, *field;
  ctReal turn[9], shift[3];
} SdfMesh;

// Corner of a face, in the frame of the field.
static CT_FN void sdf_mesh_corner(ctReal out[3], const SdfMesh* p, int face, int i) {
  const ctModel* m = p->mesh->m;
  const int mesh = p->mesh->data, vertex = m->mesh_face[3 * (m->mesh_faceadr[mesh] + face) + i];
  const float* at = m->mesh_vert + 3 * (m->mesh_vertadr[mesh] + vertex);
  ctReal x[3] = {(ctReal)at[0], (ctReal)at[1], (ctReal)at[2]};
  cti_mul_mat_vec3(out, p->turn, x);
  cti_add_to3(out, p->shift);
}

// Frank and Wolfe's descent: each step goes a part of the distance to the corner that the gradient calls
// deepest.
static CT_FN void sdf_mesh_descend(ctReal x[3], const SdfMesh* p, ctReal corner[3][3], int iterations) {
  for (int k = 0; k < iterations; k++) {
    ctReal slope[3], least = 0, share = CT_R(2) / (ctReal)(k + 2);
    int best = -1;
    sdf_value(p->field, x, slope);
    for (int i = 0; i < 3; i++) {
      ctReal height = cti_dot3(slope, corner[i]);
      if (best >= 0 && height >= least) continue;
      best = i;
      least = height;
    }
    for (int i = 0; i < 3; i++) x[i] = (1 - share) * x[i] + share * corner[best][i];
  }
}

// Start `i` in a triangle: two numbers between 0 and 1 are weights, turned over where they are too much.
static CT_FN void sdf_mesh_start(ctReal x[3], ctReal corner[3][3], int i) {
  ctReal u = halton(i + 1, 2), v = halton(i + 1, 3);
  if (u + v > 1) {
    u = 1 - u;
    v = 1 - v;
  }
  for (int k = 0; k < 3; k++) x[k] = (1 - u - v) * corner[0][k] + u * corner[1][k] + v * corner[2][k];
}

// The contact at x, given in the frame of the field, when it is inside.
static CT_FN int sdf_mesh_point(ctiPoint* out, const SdfMesh* p, const ctReal x[3]) {
  ctReal slope[3], middle[3], value = sdf_value(p->field, x, slope);
  if (!(value < 0)) return 0;
  cti_normalize3(slope);
  out->dist = value;
  cti_along3(middle, x, slope, CT_R(-0.5) * value);
  cti_mul_mat_vec3(out->normal, p->field->mat, slope);
  cti_scale3(out->normal, out->normal, -1);
  cti_mul_mat_vec3(out->pos, p->field->mat, middle);
  cti_add_to3(out->pos, p->field->pos);
  cti_zero3(out->tangent);
  return 1;
}

// Points of one face behind the `n` there are; returns how many there are then.
static CT_FN int sdf_mesh_face(ctiPoint* out, int n, const SdfMesh* p, int face) {
  const ctOption* opt = &p->mesh->m->opt;
  ctReal corner[3][3], x[3];
  for (int i = 0; i < 3; i++) sdf_mesh_corner(corner[i], p, face, i);
  for (int i = 0; i < opt->sdf_initpoints && n < CTI_MAX_POINTS; i++) {
    sdf_mesh_start(x, corner, i);
    sdf_mesh_descend(x, p, corner, opt->sdf_iterations);
    n += sdf_mesh_point(out + n, p, x);
  }
  return n;
}

// A box in the frame of the mesh meets that of the field, along the axes of the field.
static CT_FN bool sdf_mesh_near(const SdfMesh* p, const ctReal aabb[6]) {
  const ctReal* whole = p->field->aabb;
  ctReal center[3];
  cti_mul_mat_vec3(center, p->turn, aabb);
  cti_add_to3(center, p->shift);
  for (int i = 0; i < 3; i++) {
    ctReal half = whole[3 + i];
    for (int k = 0; k < 3; k++) half += cti_abs(p->turn[3 * i + k]) * aabb[3 + k];
    if (cti_abs(center[i] - whole[i]) > half * (1 + SDF_MESH_SLACK)) return false;
  }
  return true;
}

// Starts that ended at the same place count once.
static CT_FN int sdf_mesh_distinct(ctiPoint* point, int n) {
  int kept = 0;
  for (int i = 0; i < n; i++) {
    bool known = false;
    for (int k = 0; k < kept && !known; k++) {
      ctReal rel[3];
      cti_sub3(rel, point[i].pos, point[k].pos);
      known = cti_dot3(rel, rel) < SDF_MESH_SAME * SDF_MESH_SAME;
    }
    if (!known) point[kept++] = point[i];
  }
  return kept;
}

CT_FN int cti_sdf_mesh(ctiPoint* out, const ctiShape* a, const ctiShape* b, ctReal margin, ctData* d) {
  (void)margin;  // these contacts are of points inside the field
  (void)d;
  const ctModel* m = a->m;
  if (a->data < 0 || !b->aabb || m->mesh_bvhnum[a->data] == 0) return 0;
  SdfMesh p;
  ctReal rel[3];
  p.mesh = a;
  p.field = b;
  cti_mul_mat_t_mat3(p.turn, b->mat, a->mat);
  cti_sub3(rel, a->pos, b->pos);
  cti_mul_mat_t_vec3(p.shift, b->mat, rel);
  const int root = m->mesh_bvhadr[a->data];
  int stack[SDF_MESH_STACK], top = 0, n = 0;
  stack[top++] = root;
  while (top > 0 && n < CTI_MAX_POINTS) {
    const int node = stack[--top];
    if (!sdf_mesh_near(&p, m->bvh_aabb + 6 * node)) continue;
    if (m->bvh_nodeid[node] >= 0) n = sdf_mesh_face(out, n, &p, m->bvh_nodeid[node]);
    for (int i = 0; i < 2; i++) {
      int child = m->bvh_child[2 * node + i];
      if (child >= 0 && top < SDF_MESH_STACK) stack[top++] = root + child;
    }
  }
  return sdf_mesh_distinct(out, n);
}

// ---- a triangle of a deformable and a signed distance field ----

CT_FN int cti_sdf_triangle(ctiPoint* out, const ctiShape* field, const ctReal* const* corner) {
  SdfMesh p;
  ctReal local[3][3], rel[3], x[3], best[3] = {0, 0, 0}, least = 0;
  const ctOption* opt = &field->m->opt;
  p.mesh = (const ctiShape*)0;
  p.field = field;
  for (int i = 0; i < 3; i++) {
    cti_sub3(rel, corner[i], field->pos);
    cti_mul_mat_t_vec3(local[i], field->mat, rel);
  }
  for (int i = 0; i < opt->sdf_initpoints; i++) {
    sdf_mesh_start(x, local, i);
    sdf_mesh_descend(x, &p, local, opt->sdf_iterations);
    ctReal value = sdf_value(field, x, (ctReal*)0);
    if (value >= least) continue;
    least = value;
    cti_copy3(best, x);
  }
  if (!(least < 0) || !sdf_mesh_point(out, &p, best)) return 0;
  cti_scale3(out->normal, out->normal, -1);  // the field is the first shape
  return 1;
}
