// Plane and a primitive. The plane is infinite, its normal is its z axis.
#include "collide/convex.h"
#include "collide/pairs.h"
#include "data/arena.h"

// Report the surface point `point` of the second shape, which is `dist` above the plane.
static CT_FN void plane_point(ctiPoint* out, const ctReal normal[3], const ctReal point[3], ctReal dist) {
  out->dist = dist;
  cti_along3(out->pos, point, normal, CT_R(-0.5) * dist);
  cti_copy3(out->normal, normal);
  cti_zero3(out->tangent);
}

static CT_FN ctReal plane_height(const ctiShape* plane, const ctReal normal[3], const ctReal point[3]) {
  ctReal rel[3];
  cti_sub3(rel, point, plane->pos);
  return cti_dot3(rel, normal);
}

static CT_FN int plane_ball(ctiPoint* out, const ctiShape* plane, const ctReal center[3], ctReal radius,
                            ctReal margin) {
  ctReal normal[3], point[3];
  cti_column3(normal, plane->mat, 2);
  ctReal height = plane_height(plane, normal, center);
  if (height > margin + radius) return 0;
  cti_along3(point, center, normal, -radius);
  plane_point(out, normal, point, height - radius);
  return 1;
}

CT_FN int cti_plane_sphere(ctiPoint* out, const ctiShape* a, const ctiShape* b, ctReal margin, ctData* d) {
  (void)d;
  return plane_ball(out, a, b->pos, b->size[0], margin);
}

// Both ends as balls; the axis is the natural first tangent.
CT_FN int cti_plane_capsule(ctiPoint* out, const ctiShape* a, const ctiShape* b, ctReal margin, ctData* d) {
  (void)d;
  ctReal axis[3], end[3];
  int n = 0;
  cti_column3(axis, b->mat, 2);
  for (int side = 0; side < 2; side++) {
    cti_along3(end, b->pos, axis, side ? -b->size[1] : b->size[1]);
    n += plane_ball(out + n, a, end, b->size[0], margin);
  }
  for (int i = 0; i < n; i++) cti_copy3(out[i].tangent, axis);
  return n;
}

// The lowest point: where the surface normal is against the plane's.
CT_FN int cti_plane_ellipsoid(ctiPoint* out, const ctiShape* a, const ctiShape* b, ctReal margin, ctData* d) {
  (void)d;
  ctReal normal[3], local[3], point[3];
  cti_column3(normal, a->mat, 2);
  cti_mul_mat_t_vec3(local, b->mat, normal);
  for (int i = 0; i < 3; i++) local[i] *= -b->size[i];
  cti_normalize3(local);
  for (int i = 0; i < 3; i++) local[i] *= b->size[i];
  cti_mul_mat_vec3(point, b->mat, local);
  cti_add_to3(point, b->pos);
  ctReal dist = plane_height(a, normal, point);
  if (dist > margin) return 0;
  plane_point(out, normal, point, dist);
  return 1;
}

// The lowest rim point, the other end of its side line, and two more points of the lower rim that make an
// equilateral triangle with the first.
CT_FN int cti_plane_cylinder(ctiPoint* out, const ctiShape* a, const ctiShape* b, ctReal margin, ctData* d) {
  (void)d;
  ctReal normal[3], axis[3], rim[3], side[3], point[3];
  ctReal radius = b->size[0];
  cti_column3(normal, a->mat, 2);
  cti_column3(axis, b->mat, 2);
  ctReal slope = cti_dot3(normal, axis);
  if (slope > 0) {
    cti_scale3(axis, axis, -1);
    slope = -slope;
  }
  // direction in the disc that goes down fastest; lying flat, any will do: the cylinder's own x
  cti_scale3(rim, axis, slope);
  cti_sub3(rim, rim, normal);
  ctReal length = cti_norm3(rim);
  if (length < CT_R(1e-12)) {
    cti_column3(rim, b->mat, 0);
    cti_scale3(rim, rim, radius);
  } else {
    cti_scale3(rim, rim, radius / length);
  }
  ctReal height = plane_height(a, normal, b->pos);
  cti_scale3(axis, axis, b->size[1]);
  slope *= b->size[1];
  ctReal drop = cti_dot3(rim, normal);

  ctReal dist = height + slope + drop;
  if (dist > margin) return 0;
  int n = 0;
  cti_add3(point, b->pos, axis);
  cti_add_to3(point, rim);
  plane_point(out + n++, normal, point, dist);

  dist = height - slope + drop;
  if (dist <= margin) {
    cti_sub3(point, b->pos, axis);
    cti_add_to3(point, rim);
    plane_point(out + n++, normal, point, dist);
  }

  dist = height + slope - CT_R(0.5) * drop;
  if (dist <= margin) {
    cti_cross3(side, rim, axis);
    cti_normalize3(side);
    ctReal half = radius * cti_sqrt(CT_R(3)) / 2;
    for (int k = 0; k < 2; k++) {
      cti_add3(point, b->pos, axis);
      cti_add_scaled3(point, rim, CT_R(-0.5));
      cti_add_scaled3(point, side, k ? -half : half);
      plane_point(out + n++, normal, point, dist);
    }
  }
  return n;
}

// Corners on the lower half, in the order of their numbers, at most four.
CT_FN int cti_plane_box(ctiPoint* out, const ctiShape* a, const ctiShape* b, ctReal margin, ctData* d) {
  (void)d;
  ctReal normal[3], local[3], corner[3];
  cti_column3(normal, a->mat, 2);
  ctReal height = plane_height(a, normal, b->pos);
  int n = 0;
  for (int i = 0; i < 8 && n < 4; i++) {
    for (int k = 0; k < 3; k++) local[k] = i & (1 << k) ? b->size[k] : -b->size[k];
    cti_mul_mat_vec3(corner, b->mat, local);
    ctReal rise = cti_dot3(normal, corner);
    if (rise > 0 || height + rise > margin) continue;
    cti_add_to3(corner, b->pos);
    plane_point(out + n++, normal, corner, height + rise);
  }
  return n;
}

// ---- plane and mesh ----
// The deepest vertex, then up to three more corners of the hull's polygon that lies flattest ---- on the
// plane.

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
  ctReal(*at)[3] = (ctReal(*)[3])CTI_SCRATCH(d, ctReal, 3 * (int64_t)n, "plane_mesh.corners");
  for (int i = 0; at && i < n; i++) plane_mesh_vertex(at[i], p, vert[(start + i) % n]);
  if (at) cti_manifold_corners(c, (const ctReal(*)[3])at, n);
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
