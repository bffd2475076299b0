// The faces of a hull bound it as half-spaces; outside, the nearest point lies on a face that sees the point.
#include "query/distance.h"

#include "collide/collide.h"
#include "collide/convex.h"
#include "collide/pairs.h"
#include "collide/sdf.h"
#include "data/arena.h"
#include "math/quat.h"
#include "math/vec3.h"
#include "query/motion.h"
#include "query/ray.h"

static CT_FN void face_corner(const ctModel* m, int mesh, int face, int i, ctReal out[3]) {
  int vert = m->mesh_polyvert[m->mesh_polyvertadr[face] + i];
  const float* v = m->mesh_vert + 3 * (m->mesh_vertadr[mesh] + vert);
  for (int k = 0; k < 3; k++) out[k] = (ctReal)v[k];
}

// Height of a point over a face.
static CT_FN ctReal face_height(const ctModel* m, int mesh, int face, const ctReal point[3]) {
  ctReal corner[3], rel[3];
  face_corner(m, mesh, face, 0, corner);
  cti_sub3(rel, point, corner);
  return cti_dot3(rel, m->mesh_polynormal + 3 * face);
}

// The vector from the nearest point of a face to a point that is `height` above it. Corners go round
// anticlockwise.
static CT_FN void vector_from_face(const ctModel* m, int mesh, int face, const ctReal point[3], ctReal height,
                                   ctReal path[3]) {
  const ctReal* normal = m->mesh_polynormal + 3 * face;
  int count = m->mesh_polyvertnum[face];
  ctReal a[3], b[3], edge[3], outward[3], rel[3], least = -1;
  cti_scale3(path, normal, height);
  face_corner(m, mesh, face, count - 1, a);
  for (int i = 0; i < count; i++) {
    face_corner(m, mesh, face, i, b);
    cti_sub3(edge, b, a);
    cti_cross3(outward, edge, normal);
    cti_sub3(rel, point, a);
    ctReal length2 = cti_dot3(edge, edge);
    if (cti_dot3(rel, outward) > 0 && length2 > 0) {
      cti_add_scaled3(rel, edge, -cti_clip(cti_dot3(rel, edge) / length2, 0, 1));
      ctReal dist2 = cti_dot3(rel, rel);
      if (least < 0 || dist2 < least) {
        least = dist2;
        cti_copy3(path, rel);
      }
    }
    cti_copy3(a, b);
  }
}

// Signed distance of a point, negative inside, and its gradient.
static CT_FN ctReal hull_distance(const ctModel* m, int mesh, const ctReal point[3], ctReal grad[3]) {
  int first = m->mesh_polyadr[mesh], count = m->mesh_polynum[mesh], top = first;
  ctReal highest = 0, nearest = -1;
  cti_zero3(grad);
  for (int face = first; face < first + count; face++) {
    ctReal height = face_height(m, mesh, face, point);
    if (face == first || height > highest) {
      highest = height;
      top = face;
    }
    if (height <= 0) continue;
    ctReal path[3];
    vector_from_face(m, mesh, face, point, height, path);
    ctReal dist2 = cti_dot3(path, path);
    if (nearest < 0 || dist2 < nearest) {
      nearest = dist2;
      cti_copy3(grad, path);
    }
  }
  if (nearest >= 0) return cti_normalize3(grad);
  if (count) cti_copy3(grad, m->mesh_polynormal + 3 * top);
  return highest;
}

// Does the ray from a point along a direction meet the hull? From inside it does.
static CT_FN bool hull_meets_ray(const ctModel* m, int mesh, const ctReal point[3], const ctReal dir[3]) {
  int first = m->mesh_polyadr[mesh], count = m->mesh_polynum[mesh];
  ctReal enter = 0, leave = CT_R(1e30);
  for (int face = first; face < first + count; face++) {
    ctReal height = face_height(m, mesh, face, point), rate = cti_dot3(dir, m->mesh_polynormal + 3 * face);
    if (rate == 0 && height > 0) return false;
    if (rate > 0) leave = cti_min(leave, -height / rate);
    if (rate < 0) enter = cti_max(enter, -height / rate);
  }
  return count > 0 && enter <= leave;
}

// ---- points and objects in zones: signed distances to the shapes a site can have ----

// A shape in space; `mesh` is its mesh, -1 for the others.
typedef struct PlacedShape {
  int type, mesh;
  ctReal pos[3], mat[9];
  const ctReal* size;
} PlacedShape;

static CT_FN PlacedShape shape_at(int type, int mesh, const ctReal pos[3], const ctReal mat[9],
                                  const ctReal* size) {
  PlacedShape s;
  s.type = type;
  s.mesh = type == CT_GEOM_MESH ? mesh : -1;
  s.size = size;
  cti_copy3(s.pos, pos);
  for (int k = 0; k < 9; k++) s.mat[k] = mat[k];
  return s;
}

// A site keeps the frame of its mesh's file; the mesh itself is centred.
static CT_FN PlacedShape site_shape(const ctModel* m, const ctData* d, int site) {
  PlacedShape s = shape_at(m->site_type[site], m->site_dataid[site], d->site_xpos + 3 * site,
                           d->site_xmat + 9 * site, m->site_size + 3 * site);
  if (s.mesh < 0) return s;
  ctReal shift[3], turn[9];
  cti_mul_mat_vec3(shift, s.mat, m->mesh_pos + 3 * s.mesh);
  cti_add_to3(s.pos, shift);
  cti_quat_to_mat(turn, m->mesh_quat + 4 * s.mesh);
  cti_mul_mat3(s.mat, d->site_xmat + 9 * site, turn);
  return s;
}

static CT_FN PlacedShape inside_geom(const ctModel* m, const ctData* d, int geom) {
  return shape_at(m->geom_type[geom], m->geom_dataid[geom], d->geom_xpos + 3 * geom, d->geom_xmat + 9 * geom,
                  m->geom_size + 3 * geom);
}

CT_INLINE ctReal sign_of(ctReal x) {
  return x < 0 ? CT_R(-1) : CT_R(1);
}

// ---- signed distance of a point in the shape's frame, and its gradient ----

// A corner made of axes: q are distances beyond each face, e the directions of the faces.
static CT_FN ctReal distance_to_corner(const ctReal* q, ctReal e[][3], int n, ctReal grad[3]) {
  ctReal outside = 0;
  int nearest = 0;
  cti_zero3(grad);
  for (int k = 0; k < n; k++) {
    if (q[k] > q[nearest]) nearest = k;
    if (q[k] > 0) outside += q[k] * q[k];
  }
  if (outside <= 0) {
    cti_copy3(grad, e[nearest]);
    return q[nearest];
  }
  outside = cti_sqrt(outside);
  for (int k = 0; k < n; k++) {
    if (q[k] > 0) cti_add_scaled3(grad, e[k], q[k] / outside);
  }
  return outside;
}

static CT_FN ctReal distance_to_box(const ctReal p[3], const ctReal size[3], ctReal grad[3]) {
  ctReal q[3], e[3][3] = {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}};
  for (int k = 0; k < 3; k++) {
    q[k] = cti_abs(p[k]) - size[k];
    e[k][k] = sign_of(p[k]);
  }
  return distance_to_corner(q, e, 3, grad);
}

// The nearest point x of an ellipsoid has s^2 x + t x = s^2 p for some t; all in the octant of |p|.
static CT_FN ctReal distance_to_ellipsoid(const ctReal p[3], const ctReal s[3], ctReal grad[3]) {
  ctReal a[3], x[3], level = 0, low, high = 0, dist = 0;
  int thin = 0;
  for (int k = 0; k < 3; k++) {
    a[k] = cti_abs(p[k]);
    if (s[k] < s[thin]) thin = k;
    level += a[k] * a[k] / (s[k] * s[k]);
    high += s[k] * a[k];
  }
  low = -s[thin] * s[thin];
  // t between the pole of the thinnest axis and the bound from Cauchy's inequality: the left side falls
  for (int step = 0; step < 200 && high > low; step++) {
    ctReal t = CT_R(0.5) * (low + high), sum = 0;
    if (t <= low || t >= high) break;
    for (int k = 0; k < 3; k++) {
      ctReal term = s[k] * a[k] / (s[k] * s[k] + t);
      sum += term * term;
    }
    if (sum > 1) {
      low = t;
    } else {
      high = t;
    }
  }
  ctReal rest = 1;
  for (int k = 0; k < 3; k++) {
    ctReal room = s[k] * s[k] + high;
    x[k] = room > CTI_MINVAL ? s[k] * s[k] * a[k] / room : CT_R(0);
    if (k != thin) rest -= x[k] * x[k] / (s[k] * s[k]);
  }
  // the thinnest axis takes what the others leave: exact also where the point is in its plane
  x[thin] = s[thin] * cti_sqrt(cti_max(rest, 0));
  for (int k = 0; k < 3; k++) {
    grad[k] = sign_of(p[k]) * x[k] / (s[k] * s[k]);
    dist += (a[k] - x[k]) * (a[k] - x[k]);
  }
  cti_normalize3(grad);
  return level < 1 ? -cti_sqrt(dist) : cti_sqrt(dist);
}

static CT_FN ctReal local_distance(const ctModel* m, const PlacedShape* s, const ctReal p[3],
                                   ctReal grad[3]) {
  switch (s->type) {
    case CT_GEOM_CAPSULE: return cti_sdf_capsule(s->size, p, grad);
    case CT_GEOM_ELLIPSOID: return distance_to_ellipsoid(p, s->size, grad);
    case CT_GEOM_CYLINDER: return cti_sdf_cylinder(s->size, p, grad);
    case CT_GEOM_BOX: return distance_to_box(p, s->size, grad);
    case CT_GEOM_MESH: return hull_distance(m, s->mesh, p, grad);
    default: return cti_sdf_ball(p, s->size[0], grad);
  }
}

static CT_FN ctReal signed_distance(const ctModel* m, const PlacedShape* s, const ctReal point[3],
                                    ctReal grad[3]) {
  ctReal p[3];
  cti_sub3(p, point, s->pos);
  cti_mul_mat_t_vec3(p, s->mat, p);
  ctReal dist = local_distance(m, s, p, grad);
  cti_mul_mat_vec3(grad, s->mat, grad);
  return dist;
}

CT_FN bool cti_inside_site(const ctModel* m, const ctData* d, int site, const ctReal point[3]) {
  PlacedShape s = site_shape(m, d, site);
  ctReal p[3], level = 0;
  cti_sub3(p, point, s.pos);
  cti_mul_mat_t_vec3(p, s.mat, p);
  if (s.type == CT_GEOM_ELLIPSOID) {
    for (int k = 0; k < 3; k++) level += p[k] * p[k] / (s.size[k] * s.size[k]);
    return level <= 1;
  }
  ctReal grad[3];
  return local_distance(m, &s, p, grad) <= 0;
}

CT_FN bool cti_site_meets_ray(const ctModel* m, const ctData* d, int site, const ctReal point[3],
                              const ctReal dir[3]) {
  PlacedShape s = site_shape(m, d, site);
  if (s.type != CT_GEOM_MESH)
    return cti_ray_primitive(s.type, s.pos, s.mat, s.size, point, dir, (ctReal*)0) >= 0;
  ctReal p[3], v[3];
  cti_sub3(p, point, s.pos);
  cti_mul_mat_t_vec3(p, s.mat, p);
  cti_mul_mat_t_vec3(v, s.mat, dir);
  return hull_meets_ray(m, s.mesh, p, v);
}

// ---- the largest distance over a shape ----

// Corners with balls around them are the extreme points of all shapes but cylinders and ellipsoids.
static CT_FN ctReal farthest_corner(const ctModel* m, const PlacedShape* zone, const PlacedShape* o) {
  ctReal best = 0, grad[3], point[3], radius = 0;
  int count = 1;
  if (o->type == CT_GEOM_SPHERE || o->type == CT_GEOM_CAPSULE) radius = o->size[0];
  if (o->type == CT_GEOM_CAPSULE) count = 2;
  if (o->type == CT_GEOM_BOX) count = 8;
  if (o->type == CT_GEOM_MESH) count = m->mesh_vertnum[o->mesh];
  for (int i = 0; i < count; i++) {
    ctReal corner[3] = {0, 0, 0};
    if (o->type == CT_GEOM_CAPSULE) corner[2] = i ? o->size[1] : -o->size[1];
    for (int k = 0; k < 3; k++) {
      if (o->type == CT_GEOM_BOX) corner[k] = i >> k & 1 ? o->size[k] : -o->size[k];
      if (o->type == CT_GEOM_MESH) corner[k] = (ctReal)m->mesh_vert[3 * (m->mesh_vertadr[o->mesh] + i) + k];
    }
    cti_mul_mat_vec3(point, o->mat, corner);
    cti_add_to3(point, o->pos);
    ctReal dist = signed_distance(m, zone, point, grad) + radius;
    if (i == 0 || dist > best) best = dist;
  }
  return best;
}

// The point of a cylinder or ellipsoid that is farthest along a direction.
static CT_FN void extreme_point(const PlacedShape* o, const ctReal dir[3], ctReal point[3]) {
  ctReal n[3];
  cti_mul_mat_t_vec3(n, o->mat, dir);
  if (o->type == CT_GEOM_CYLINDER) {
    ctReal flat = cti_sqrt(n[0] * n[0] + n[1] * n[1]);
    ctReal scale = flat > CTI_MINVAL ? o->size[0] / flat : CT_R(0);
    n[0] = flat > CTI_MINVAL ? n[0] * scale : o->size[0];
    n[1] *= scale;
    n[2] = sign_of(n[2]) * o->size[1];
  } else {
    ctReal norm = 0;
    for (int k = 0; k < 3; k++) norm += o->size[k] * o->size[k] * n[k] * n[k];
    norm = cti_sqrt(cti_max(norm, CTI_MINVAL * CTI_MINVAL));
    for (int k = 0; k < 3; k++) n[k] *= o->size[k] * o->size[k] / norm;
  }
  cti_mul_mat_vec3(point, o->mat, n);
  cti_add_to3(point, o->pos);
}

// Climb from a direction: the distance is convex, so the extreme point along its gradient is never lower.
static CT_FN ctReal climb(const ctModel* m, const PlacedShape* zone, const PlacedShape* o,
                          const ctReal dir[3]) {
  ctReal grad[3], point[3], best = 0;
  cti_copy3(grad, dir);
  for (int step = 0; step < 200; step++) {
    extreme_point(o, grad, point);
    ctReal dist = signed_distance(m, zone, point, grad);
    bool still = step > 0 && dist <= best + CT_R(1e-15) * (1 + cti_abs(best));
    if (step == 0 || dist > best) best = dist;
    if (still) break;
  }
  return best;
}

static CT_FN ctReal shape_protrusion(const ctModel* m, const PlacedShape* zone, const PlacedShape* o) {
  if (o->type != CT_GEOM_CYLINDER && o->type != CT_GEOM_ELLIPSOID) return farthest_corner(m, zone, o);
  // one climb may end on a lower summit: start at all corners, edges and faces of a cube around the zone
  ctReal best = 0;
  bool any = false;
  for (int i = 0; i < 27; i++) {
    ctReal dir[3] = {(ctReal)(i % 3 - 1), (ctReal)(i / 3 % 3 - 1), (ctReal)(i / 9 - 1)};
    if (i == 13) signed_distance(m, zone, o->pos, dir);
    cti_mul_mat_vec3(dir, zone->mat, dir);
    cti_normalize3(dir);
    ctReal top = climb(m, zone, o, dir);
    if (!any || top > best) best = top;
    any = true;
  }
  return best;
}

CT_FN ctReal cti_protrusion(const ctModel* m, const ctData* d, int site, int type, int id) {
  PlacedShape zone = site_shape(m, d, site), o;
  if (type == CT_OBJ_SITE) {
    o = site_shape(m, d, id);
    return shape_protrusion(m, &zone, &o);
  }
  if (type == CT_OBJ_GEOM) {
    o = inside_geom(m, d, id);
    return shape_protrusion(m, &zone, &o);
  }
  // a body, or all bodies below it: they follow it in number
  ctReal best = 0;
  bool any = false;
  for (int body = id; body < m->nbody; body++) {
    int above = body;
    while (above > id) above = type == CT_OBJ_BODY ? -1 : m->body_parentid[above];
    if (above != id) continue;
    for (int g = m->body_geomadr[body]; g < m->body_geomadr[body] + m->body_geomnum[body]; g++) {
      o = inside_geom(m, d, g);
      ctReal dist = shape_protrusion(m, &zone, &o);
      if (!any || dist > best) best = dist;
      any = true;
    }
  }
  return best;
}

// ---- signed distance between two geoms ----
//   reads   d->geom_xpos, d->geom_xmat
//   before  kinematics

// Pairs whose collider is a convex search; boxes too, because their collider measures along its own axes.
static CT_FN bool distance_by_search(int type1, int type2) {
  return cti_collider(type1, type2) == cti_convex_pair || (type1 == CT_GEOM_BOX && type2 == CT_GEOM_BOX);
}

static CT_FN bool distance_search(ctiPoint* best, const ctiShape* a, const ctiShape* b, ctReal distmax,
                                  ctData* d) {
  ctiConvex p, q;
  ctiCcd r;
  cti_convex_init(&p, a, a->pos);
  cti_convex_init(&q, b, a->pos);
  if (!cti_ccd_distance(&r, &p, &q, distmax, a->m->opt.ccd_tolerance, a->m->opt.ccd_iterations, d))
    return false;
  best->dist = r.dist;
  cti_copy3(best->normal, r.normal);
  for (int i = 0; i < 3; i++) best->pos[i] = a->pos[i] + CT_R(0.5) * (r.a[i] + r.b[i]);
  return true;
}

static CT_FN bool distance_collide(ctiPoint* best, const ctiShape* a, const ctiShape* b, ctReal distmax,
                                   ctData* d) {
  ctiCollider collider = cti_collider(a->type, b->type);
  if (!collider) return false;
  size_t mark = cti_scratch_mark(d);
  ctiPoint* point = CTI_SCRATCH(d, ctiPoint, CTI_MAX_POINTS, "distance.points");
  int n = point ? collider(point, a, b, distmax, d) : 0;
  for (int i = 0; i < n; i++) {
    if (i == 0 || point[i].dist < best->dist) *best = point[i];
  }
  cti_scratch_release(d, mark);
  return n > 0;
}

CT_FN ctReal cti_geom_distance(const ctModel* m, ctData* d, int geom1, int geom2, ctReal distmax,
                               ctReal* fromto) {
  bool swap = m->geom_type[geom1] > m->geom_type[geom2];
  ctiShape a = cti_geom_shape(m, d, swap ? geom2 : geom1), b = cti_geom_shape(m, d, swap ? geom1 : geom2);
  ctiPoint best = {0, {0, 0, 0}, {0, 0, 0}, {0, 0, 0}};
  bool found = distance_by_search(a.type, b.type) ? distance_search(&best, &a, &b, distmax, d)
                                                  : distance_collide(&best, &a, &b, distmax, d);
  if (!found || best.dist > distmax) {
    if (fromto) {
      for (int i = 0; i < 6; i++) fromto[i] = 0;
    }
    return distmax;
  }
  if (fromto) {
    ctReal half = CT_R(0.5) * best.dist;
    cti_along3(fromto + (swap ? 3 : 0), best.pos, best.normal, -half);
    cti_along3(fromto + (swap ? 0 : 3), best.pos, best.normal, half);
  }
  return best.dist;
}
