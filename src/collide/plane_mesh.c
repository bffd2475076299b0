// Plane and mesh: the deepest vertex, then up to three more corners of the hull's polygon that lies flattest
// on the plane.
#include "collide/colliders.h"
#include "collide/convex.h"
#include "collide/spread.h"
#include "data/arena.h"

// The mesh as this file sees it.
typedef struct PlaneMesh {
  const ctModel* m;
  int mesh, vertadr;
  const ctiShape* shape;
  ctReal up[3];   // normal of the plane, in the frame of the mesh
  ctReal height;  // of the mesh's centre above the plane
} PlaneMesh;

static CT_FN void plane_mesh_vertex(ctReal out[3], const PlaneMesh* p, int vertex) {
  const float* v = p->m->mesh_vert + 3 * (p->vertadr + vertex);
  for (int i = 0; i < 3; i++) out[i] = (ctReal)v[i];
}

// The polygon around a vertex that looks most against the plane's normal, -1 for none.
static CT_FN int plane_mesh_polygon(const PlaneMesh* p, int vertex) {
  const ctModel* m = p->m;
  int best = -1;
  ctReal least = 0;
  for (int i = 0; i < m->mesh_polymapnum[p->vertadr + vertex]; i++) {
    int poly = m->mesh_polyadr[p->mesh] + m->mesh_polymap[m->mesh_polymapadr[p->vertadr + vertex] + i];
    ctReal look = cti_dot3(m->mesh_polynormal + 3 * poly, p->up);
    if (best >= 0 && look >= least) continue;
    least = look;
    best = poly;
  }
  return best;
}

// Which corners of a polygon touch, counted from the deepest, at `start`. False without scratch.
static CT_FN bool plane_mesh_spread(int c[4], const PlaneMesh* p, const int* vert, int n, int start,
                                    ctData* d) {
  size_t mark = cti_scratch_mark(d);
  ctReal(*at)[3] = (ctReal(*)[3])CTI_SCRATCH(d, ctReal, 3 * n, "plane_mesh.corners");
  for (int i = 0; at && i < n; i++) plane_mesh_vertex(at[i], p, vert[(start + i) % n]);
  if (at) cti_spread(c, (const ctReal(*)[3])at, n);
  cti_scratch_release(d, mark);
  return at != (ctReal(*)[3])0;
}

static CT_FN int plane_mesh_point(ctiPoint* out, const PlaneMesh* p, const ctReal normal[3], int vertex,
                                  bool any, ctReal margin) {
  ctReal local[3], point[3];
  plane_mesh_vertex(local, p, vertex);
  ctReal rise = cti_dot3(local, p->up), dist = p->height + rise;
  if (dist > margin || (!any && rise > 0)) return 0;
  cti_mul_mat_vec3(point, p->shape->mat, local);
  cti_add_to3(point, p->shape->pos);
  out->dist = dist;
  cti_along3(out->pos, point, normal, CT_R(-0.5) * dist);
  cti_copy3(out->normal, normal);
  cti_zero3(out->tangent);
  return 1;
}

CT_FN int cti_plane_mesh(ctiPoint* out, const ctiShape* a, const ctiShape* b, ctReal margin, ctData* d) {
  if (b->data < 0) return 0;
  ctReal normal[3], down[3], rel[3], point[3];
  cti_column3(normal, a->mat, 2);
  cti_scale3(down, normal, -1);
  PlaneMesh p;
  p.m = b->m;
  p.mesh = b->data;
  p.vertadr = b->m->mesh_vertadr[b->data];
  p.shape = b;
  cti_mul_mat_t_vec3(p.up, b->mat, normal);
  cti_sub3(rel, b->pos, a->pos);
  p.height = cti_dot3(rel, normal);

  ctiConvex hull;
  cti_convex_init(&hull, b, b->pos);
  int deepest = cti_support(point, &hull, down);
  int n = plane_mesh_point(out, &p, normal, deepest, true, margin);
  if (n == 0) return 0;
  int poly = plane_mesh_polygon(&p, deepest);
  if (poly < 0) return n;

  const int* vert = p.m->mesh_polyvert + p.m->mesh_polyvertadr[poly];
  int count = p.m->mesh_polyvertnum[poly], start = 0, c[4] = {0, 1, 2, 3};
  while (start < count && vert[start] != deepest) start++;
  if (start == count) return n;
  if (count > 4 && !plane_mesh_spread(c, &p, vert, count, start, d)) return n;
  for (int i = 1; i < 4 && i < count; i++) {
    n += plane_mesh_point(out + n, &p, normal, vert[(start + c[i]) % count], false, margin);
  }
  return n;
}
