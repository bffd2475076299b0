// Pairs without a formula: one or several points from the convex search.
#include "collide/ccd.h"
#include "collide/colliders.h"
#include "collide/multi.h"

// Shapes with flat or straight parts.
static CT_FN bool convex_multiplies(const ctiShape* s) {
  return s->type == CT_GEOM_CAPSULE || s->type == CT_GEOM_CYLINDER || s->type == CT_GEOM_BOX ||
         s->type == CT_GEOM_MESH;
}

CT_FN int cti_convex_pair(ctiPoint* out, const ctiShape* a, const ctiShape* b, ctReal margin, ctData* d) {
  ctiConvex p, q;
  ctiCcd r;
  // work near the shapes, far from the origin of the world digits are lost
  cti_convex_init(&p, a, a->pos);
  cti_convex_init(&q, b, a->pos);
  if (!cti_ccd(&r, &p, &q, margin, a->m->opt.ccd_tolerance, a->m->opt.ccd_iterations, d)) return 0;
  if (convex_multiplies(a) && convex_multiplies(b) && !(a->m->opt.disableflags & CT_DSBL_MULTICCD)) {
    int n = cti_multi_contact(out, &r, a, &p, b, &q, margin, d);
    for (int i = 0; i < n; i++) cti_add_to3(out[i].pos, a->pos);
    if (n > 0) return n;
  }
  out->dist = r.dist;
  cti_copy3(out->normal, r.normal);
  for (int i = 0; i < 3; i++) out->pos[i] = a->pos[i] + CT_R(0.5) * (r.a[i] + r.b[i]);
  cti_zero3(out->tangent);
  return 1;
}
