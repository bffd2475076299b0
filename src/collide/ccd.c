#include "collide/ccd.h"

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

// Search shapes as they are.
static CT_FN bool ccd_search(ctiCcd* out, const ctiConvex* a, const ctiConvex* b, ctReal cutoff,
                             ctReal tolerance, int iterations, ctData* d) {
  ctiGjk s;
  cti_gjk(&s, a, b, cutoff, tolerance, iterations);
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

CT_FN bool cti_ccd_distance(ctiCcd* out, ctiConvex* a, ctiConvex* b, ctReal cutoff, ctReal tolerance,
                            int iterations, ctData* d) {
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

CT_FN bool cti_ccd(ctiCcd* out, ctiConvex* a, ctiConvex* b, ctReal margin, ctReal tolerance, int iterations,
                   ctData* d) {
  // the margin is a layer around both shapes, which then must touch
  const ctReal layer = margin > 0 ? CT_R(0.5) * margin : 0;
  a->radius += layer;
  b->radius += layer;
  a->polytope = a->polytope && a->radius == 0;
  b->polytope = b->polytope && b->radius == 0;
  if (!cti_ccd_distance(out, a, b, 0, tolerance, iterations, d)) return false;
  out->dist += 2 * layer;
  cti_add_scaled3(out->a, out->normal, -layer);
  cti_add_scaled3(out->b, out->normal, layer);
  return out->dist < margin;  // shapes that just touch do not
}
