// A signed distance field and another shape: from points spread over the common part of their boxes, descend
// A + B + |max(A, B)| and then, in one step, max(A, B), where A and B are the fields. Every start that ends
// inside both is a point of contact.
#include "collide/colliders.h"
#include "collide/field.h"
#include "collide/halton.h"

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
  v->a = cti_field(p->a, x, slopes ? v->slope_a : (ctReal*)0);
  v->b = cti_field(p->b, y, slopes ? v->slope_b : (ctReal*)0);
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

CT_FN int cti_sdf_pair(ctiPoint* out, const ctiShape* a, const ctiShape* b, ctReal margin, ctData* d) {
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
    for (int k = 0; k < 3; k++) x[k] = lo[k] + (hi[k] - lo[k]) * cti_halton(i, k == 0 ? 2 : (k == 1 ? 3 : 5));
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
