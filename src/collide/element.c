#include "collide/element.h"

#include "collide/collide.h"
#include "collide/pairs.h"
#include "collide/sdf.h"
#include "math/simplex.h"

// ---- contacts by formula ----

CT_FN int cti_plane_vertex(ctiPoint* out, const ctiShape* plane, const ctReal vertex[3], ctReal radius,
                           ctReal margin) {
  ctReal rel[3];
  cti_column3(out->normal, plane->mat, 2);
  cti_sub3(rel, vertex, plane->pos);
  out->dist = cti_dot3(rel, out->normal) - radius;
  if (out->dist > margin) return 0;
  cti_along3(out->pos, vertex, out->normal, -(radius + CT_R(0.5) * out->dist));
  cti_zero3(out->tangent);
  return 1;
}

// The two deepest hold it.
CT_FN int cti_plane_section(ctiPoint* out, const ctiShape* plane, const ctReal vertex[3],
                            const ctiFlexElement* e, ctReal margin) {
  ctReal along[3], across[3];
  cti_sub3(along, e->at[1], e->at[0]);
  cti_normalize3(along);
  cti_cross3(across, along, e->director);
  int n = 0;
  for (int i = 0; i < 4; i++) {
    ctReal corner[3];
    cti_along3(corner, vertex, e->director, i & 2 ? e->half[0] : -e->half[0]);
    cti_add_scaled3(corner, across, i & 1 ? e->half[1] : -e->half[1]);
    if (!cti_plane_vertex(out + n, plane, corner, 0, margin)) continue;
    // the deepest comes first
    for (int k = n++; k > 0 && out[k].dist < out[k - 1].dist; k--) {
      const ctiPoint t = out[k];
      out[k] = out[k - 1];
      out[k - 1] = t;
    }
  }
  return n < 2 ? n : 2;
}

// A ball that leaves along `normal`, from the first shape to the second.
static CT_FN int ball_point(ctiPoint* out, const ctReal center[3], ctReal radius, const ctReal normal[3],
                            ctReal dist, ctReal margin) {
  if (dist > margin) return 0;
  out->dist = dist;
  cti_copy3(out->normal, normal);
  cti_along3(out->pos, center, normal, radius + CT_R(0.5) * dist);
  cti_zero3(out->tangent);
  return 1;
}

// A ball around `center` and one around the nearest point `at` of an element. Where both are one they leave
// along x.
static CT_FN int two_balls(ctiPoint* out, const ctReal center[3], ctReal radius, const ctReal at[3],
                           ctReal radius2, ctReal margin) {
  ctReal n[3];
  cti_sub3(n, at, center);
  ctReal length = cti_normalize3(n);
  return ball_point(out, center, radius, n, length - radius - radius2, margin);
}

static CT_FN int ball_triangle(ctiPoint* out, const ctReal center[3], ctReal radius, const ctiFlexElement* e,
                               ctReal margin) {
  ctReal weight[3], at[3];
  cti_triangle_nearest(weight, e->at, center);
  cti_weigh3(at, e->at, weight, 3);
  return two_balls(out, center, radius, at, e->radius, margin);
}

static CT_FN int ball_tet(ctiPoint* out, const ctReal center[3], ctReal radius, const ctiFlexElement* e,
                          ctReal margin) {
  ctReal weight[4], at[3], normal[3] = {1, 0, 0}, height;
  bool inside = cti_tet_nearest(weight, normal, &height, e->at, center);
  cti_scale3(normal, normal, -1);
  if (inside) return ball_point(out, center, radius, normal, height - radius - e->radius, margin);
  cti_weigh3(at, e->at, weight, 4);
  return two_balls(out, center, radius, at, e->radius, margin);
}

// A shape that is no geom of the model, at its place.
static CT_FN ctiShape placed_shape(int type, const ctModel* m, const ctReal* pos, const ctReal* mat,
                                   const ctReal* size) {
  ctiShape s;
  s.type = type;
  s.pos = pos;
  s.mat = mat;
  s.size = size;
  s.m = m;
  s.data = s.plugin = -1;
  s.aabb = (const ctReal*)0;
  return s;
}

// A segment with a radius as a capsule; the pose lies in `mat` and `pos`, its size in `size`.
static CT_FN ctiShape segment_capsule(const ctiFlexElement* e, const ctModel* m, ctReal pos[3], ctReal mat[9],
                                      ctReal size[3]) {
  ctReal x[3], y[3], z[3];
  for (int i = 0; i < 3; i++) pos[i] = CT_R(0.5) * (e->at[0][i] + e->at[1][i]);
  cti_sub3(z, e->at[0], e->at[1]);
  size[0] = e->radius;
  size[1] = CT_R(0.5) * cti_normalize3(z);
  size[2] = 0;
  cti_across3(x, z);
  cti_cross3(y, z, x);
  for (int i = 0; i < 3; i++) {
    mat[3 * i] = x[i];
    mat[3 * i + 1] = y[i];
    mat[3 * i + 2] = z[i];
  }
  return placed_shape(CT_GEOM_CAPSULE, m, pos, mat, size);
}

static CT_FN void turn_over(ctiPoint* out, int n) {
  for (int i = 0; i < n; i++) cti_scale3(out[i].normal, out[i].normal, -1);
}

static CT_FN int geom_segment(ctiPoint* out, const ctiShape* geom, const ctiFlexElement* e, ctReal margin,
                              ctData* d) {
  ctReal pos[3], mat[9], size[3];
  ctiShape s = segment_capsule(e, geom->m, pos, mat, size);
  int n;
  switch (geom->type) {
    case CT_GEOM_SPHERE: return cti_sphere_capsule(out, geom, &s, margin, d);
    case CT_GEOM_CAPSULE: return cti_capsule_capsule(out, geom, &s, margin, d);
    default: n = cti_capsule_box(out, &s, geom, margin, d); break;
  }
  turn_over(out, n);
  return n;
}

// The ends of a capsule as balls, then the corners of the triangle beside its axis.
static CT_FN int capsule_triangle(ctiPoint* out, const ctiShape* capsule, const ctiFlexElement* e,
                                  ctReal margin) {
  ctReal axis[3], center[3], rel[3];
  const ctReal radius = capsule->size[0], half = capsule->size[1];
  int n = 0;
  cti_column3(axis, capsule->mat, 2);
  for (int side = -1; side <= 1; side += 2) {
    cti_along3(center, capsule->pos, axis, (ctReal)side * half);
    n += ball_triangle(out + n, center, radius, e, margin);
  }
  for (int i = 0; i < 3; i++) {
    cti_sub3(rel, e->at[i], capsule->pos);
    ctReal foot = cti_dot3(rel, axis);
    if (!(cti_abs(foot) < half)) continue;
    cti_along3(center, capsule->pos, axis, foot);
    n += two_balls(out + n, center, radius, e->at[i], e->radius, margin);
  }
  return n;
}

// The corners of the triangle inside the box, grown by how far the triangle reaches, then the corners of the
// box as points.
static CT_FN int box_triangle(ctiPoint* out, const ctiShape* box, const ctiFlexElement* e, ctReal margin) {
  const ctReal reach = e->radius + margin;
  int n = 0;
  for (int i = 0; i < 3; i++) {
    ctReal rel[3], local[3], most = 0, normal[3];
    int axis = -1;
    bool inside = true;
    cti_sub3(rel, e->at[i], box->pos);
    cti_mul_mat_t_vec3(local, box->mat, rel);
    for (int k = 0; k < 3; k++) {
      ctReal over = cti_abs(local[k]) - box->size[k];
      if (over > reach) inside = false;
      if (axis >= 0 && over <= most) continue;
      most = over;
      axis = k;
    }
    if (!inside) continue;
    cti_column3(normal, box->mat, axis);
    if (!(local[axis] > 0)) cti_scale3(normal, normal, -1);
    out[n].dist = most - e->radius;
    cti_copy3(out[n].normal, normal);
    cti_along3(out[n].pos, e->at[i], normal, -(e->radius + CT_R(0.5) * out[n].dist));
    cti_zero3(out[n].tangent);
    n++;
  }
  for (int i = 0; i < 8; i++) {
    ctReal local[3], corner[3];
    for (int k = 0; k < 3; k++) local[k] = i >> k & 1 ? box->size[k] : -box->size[k];
    cti_mul_mat_vec3(corner, box->mat, local);
    cti_add_to3(corner, box->pos);
    n += ball_triangle(out + n, corner, 0, e, margin);
  }
  return n;
}

// ---- a capsule and a tetrahedron ----

CT_CONST int tet_edge[6][2] = {{0, 1}, {1, 2}, {2, 0}, {2, 3}, {0, 3}, {1, 3}};

// Does the segment from p to q meet the inside of a tetrahedron? It is clipped by the four faces.
static CT_FN bool segment_meets_tet(const ctReal p[3], const ctReal q[3], const ctReal* const* at) {
  ctReal from = 0, to = 1;
  if (cti_tet_flat(at)) return false;
  for (int i = 0; i < 4; i++) {
    ctReal n[3], hp, hq;
    if (!cti_tet_height(n, &hp, at, i, p) || !cti_tet_height(n, &hq, at, i, q)) return false;
    if (hp > 0 && hq > 0) return false;
    if (hp > 0 && hp / (hp - hq) > from) from = hp / (hp - hq);
    if (hq > 0 && hp / (hp - hq) < to) to = hp / (hp - hq);
  }
  return from <= to;
}

// The axis along which a segment in a tetrahedron is least deep: a normal of a face, which the deeper end
// touches, or one across an edge and the segment, where they cross.
static CT_FN int segment_leaves_tet(ctiPoint* out, const ctReal p[3], const ctReal q[3], ctReal radius,
                                    const ctiFlexElement* e, ctReal margin) {
  ctReal best = -1, normal[3] = {1, 0, 0}, center[3];
  bool found = false;
  cti_copy3(center, p);
  for (int i = 0; i < 4; i++) {
    ctReal n[3], hp, hq;
    if (!cti_tet_height(n, &hp, e->at, i, p) || !cti_tet_height(n, &hq, e->at, i, q)) continue;
    ctReal height = hp < hq ? hp : hq;
    if (found && height <= best) continue;
    found = true;
    best = height;
    cti_copy3(normal, n);
    cti_copy3(center, hp < hq ? p : q);
  }
  ctReal axis[3];
  cti_sub3(axis, q, p);
  for (int k = 0; k < 6; k++) {
    const ctReal *a = e->at[tet_edge[k][0]], *b = e->at[tet_edge[k][1]];
    ctReal edge[3], n[3], rel[3], s, t;
    cti_sub3(edge, b, a);
    cti_cross3(n, edge, axis);
    if (cti_normalize3(n) < CTI_MINVAL) continue;
    for (int side = 0; side < 2; side++) {
      if (side) cti_scale3(n, n, -1);
      ctReal top = cti_dot3(n, e->at[0]);
      for (int i = 1; i < 4; i++) {
        ctReal h = cti_dot3(n, e->at[i]);
        if (h > top) top = h;
      }
      ctReal height = cti_dot3(n, p) - top;
      if (found && height <= best) continue;
      found = true;
      best = height;
      cti_copy3(normal, n);
      cti_segments_nearest(&s, &t, p, q, a, b);
      cti_sub3(rel, q, p);
      cti_along3(center, p, rel, s);
    }
  }
  cti_scale3(normal, normal, -1);
  return found ? ball_point(out, center, radius, normal, best - radius - e->radius, margin) : 0;
}

static CT_FN int capsule_tet(ctiPoint* out, const ctiShape* capsule, const ctiFlexElement* e, ctReal margin) {
  ctReal axis[3], end[2][3], center[3] = {0, 0, 0}, nearest[3] = {0, 0, 0}, least = -1;
  cti_column3(axis, capsule->mat, 2);
  for (int i = 0; i < 2; i++)
    cti_along3(end[i], capsule->pos, axis, i ? capsule->size[1] : -capsule->size[1]);
  if (segment_meets_tet(end[0], end[1], e->at))
    return segment_leaves_tet(out, end[0], end[1], capsule->size[0], e, margin);
  for (int i = 0; i < 8; i++) {
    ctReal p[3], q[3], rel[3], s, t;
    if (i < 2) {
      ctReal weight[4], normal[3], height;
      cti_copy3(p, end[i]);
      cti_tet_nearest(weight, normal, &height, e->at, p);
      cti_weigh3(q, e->at, weight, 4);
    } else {
      const ctReal *a = e->at[tet_edge[i - 2][0]], *b = e->at[tet_edge[i - 2][1]];
      cti_segments_nearest(&s, &t, end[0], end[1], a, b);
      for (int k = 0; k < 3; k++) {
        p[k] = end[0][k] + s * (end[1][k] - end[0][k]);
        q[k] = a[k] + t * (b[k] - a[k]);
      }
    }
    cti_sub3(rel, q, p);
    ctReal dist2 = cti_dot3(rel, rel);
    if (least >= 0 && dist2 >= least) continue;
    least = dist2;
    cti_copy3(center, p);
    cti_copy3(nearest, q);
  }
  return two_balls(out, center, capsule->size[0], nearest, e->radius, margin);
}

// ---- the convex search ----

CT_FN void cti_convex_element(ctiConvex* c, const ctiFlexElement* e, const ctReal origin[3]) {
  c->type = CTI_CONVEX_ELEMENT;
  c->mat = c->size = (const ctReal*)0;
  c->radius = e->radius;
  c->skin = 0;
  c->polytope = true;
  c->vert = (const float*)0;
  c->nvert = e->dim + 1;
  c->graph_adr = c->graph_id = c->graph_to = c->extrema = (const int*)0;
  cti_zero3(c->pos);
  for (int i = 0; i < c->nvert; i++) {
    cti_sub3(c->prism[i], e->at[i], origin);
    cti_add_scaled3(c->pos, c->prism[i], CT_R(1) / (ctReal)c->nvert);
  }
}

static CT_FN int convex_point(ctiPoint* out, ctiConvex* p, ctiConvex* q, const ctReal origin[3],
                              const ctModel* m, ctReal margin, ctData* d) {
  ctiCcd r;
  const ctReal tolerance = m->opt.ccd_tolerance;
  const int iterations = m->opt.ccd_iterations;
  // segments are searched as capsules are
  const bool capsule = p->type != CTI_CONVEX_ELEMENT && q->nvert == 2;
  if (!(capsule ? cti_ccd(&r, p, q, margin, tolerance, iterations, d)
                : cti_ccd_cores(&r, p, q, margin, tolerance, iterations, d)))
    return 0;
  out->dist = r.dist;
  cti_copy3(out->normal, r.normal);
  for (int i = 0; i < 3; i++) out->pos[i] = origin[i] + CT_R(0.5) * (r.a[i] + r.b[i]);
  cti_zero3(out->tangent);
  return 1;
}

// ---- normals of round geoms ----
// A triangle is thin: where it lies deep in a round geom, the search may leave through it along its own
// normal. There the normal is that of the geom's surface nearest to the contact.

// The unit normal of an ellipsoid at its point nearest to x. That is size^2 x / (size^2 + t), with t from a
// monotonous Newton iteration.
static CT_FN bool ellipsoid_normal(ctReal out[3], const ctReal size[3], const ctReal x[3]) {
  int least = size[1] < size[0] ? 1 : 0;
  if (size[2] < size[least]) least = 2;
  ctReal t = -size[least] * size[least] + size[least] * cti_abs(x[least]);
  for (int i = 0; i < 3; i++) {
    ctReal start = size[i] * (cti_abs(x[i]) - size[i]);
    if (start > t) t = start;
  }
  for (int k = 0; k < 50; k++) {
    ctReal value = -1, slope = 0;
    for (int i = 0; i < 3; i++) {
      ctReal below = size[i] * size[i] + t, y = below > CTI_MINVAL ? size[i] * x[i] / below : 0;
      value += y * y;
      if (below > CTI_MINVAL) slope -= 2 * y * y / below;
    }
    if (!(value > 0) || !(slope < 0)) break;
    ctReal step = -value / slope;
    t += step;
    if (step <= CTI_MINVAL * size[least] * size[least]) break;
  }
  for (int i = 0; i < 3; i++) {
    ctReal below = size[i] * size[i] + t;
    out[i] = below > CTI_MINVAL ? x[i] / below : 0;
  }
  return cti_normalize3(out) > CTI_MINVAL;
}

#define CYLINDER_END  CT_R(0.95)  // from this part of its half length on a cylinder counts as flat
#define CYLINDER_FLAT CT_R(0.25)  // and where an end is nearer than this part of the distance to the mantle

static CT_FN bool cylinder_normal(ctReal out[3], const ctReal size[3], const ctReal x[3]) {
  ctReal across = cti_sqrt(x[0] * x[0] + x[1] * x[1]), along = cti_abs(x[2]);
  if (along > CYLINDER_END * size[1] || across < CTI_MINVAL) return false;
  if (size[1] - along < CYLINDER_FLAT * (size[0] - across)) return false;
  out[0] = x[0] / across;
  out[1] = x[1] / across;
  out[2] = 0;
  return true;
}

static CT_FN void round_normal(ctiPoint* point, const ctiShape* geom) {
  ctReal rel[3], local[3], normal[3], world[3];
  cti_sub3(rel, point->pos, geom->pos);
  cti_mul_mat_t_vec3(local, geom->mat, rel);
  if (geom->type == CT_GEOM_ELLIPSOID) {
    // deep inside, the nearest surface may be across the flat side: stay on that of the search
    const ctReal* size = geom->size;
    const int least = size[0] <= size[1] && size[0] <= size[2] ? 0 : (size[1] <= size[2] ? 1 : 2);
    cti_mul_mat_t_vec3(normal, geom->mat, point->normal);
    if (local[least] * normal[least] < 0) local[least] = -local[least];
  }
  bool found = geom->type == CT_GEOM_ELLIPSOID ? ellipsoid_normal(normal, geom->size, local)
                                               : cylinder_normal(normal, geom->size, local);
  if (!found) return;
  cti_mul_mat_vec3(world, geom->mat, normal);
  cti_copy3(point->normal, world);
}

static CT_FN int geom_convex(ctiPoint* out, const ctiShape* geom, const ctiFlexElement* e, ctReal margin,
                             ctData* d) {
  ctiConvex p, q;
  cti_convex_init(&p, geom, geom->pos);
  cti_convex_element(&q, e, geom->pos);
  if (!convex_point(out, &p, &q, geom->pos, geom->m, margin, d)) return 0;
  if (e->dim == 2 && (geom->type == CT_GEOM_ELLIPSOID || geom->type == CT_GEOM_CYLINDER))
    round_normal(out, geom);
  return 1;
}

// An edge of a rod with a rectangular section as a box.
static CT_FN ctiShape segment_box(const ctiFlexElement* e, const ctModel* m, ctReal pos[3], ctReal mat[9],
                                  ctReal size[3]) {
  ctReal x[3], z[3];
  cti_sub3(x, e->at[1], e->at[0]);
  size[0] = CT_R(0.5) * cti_normalize3(x);
  size[1] = e->half[0];
  size[2] = e->half[1];
  cti_cross3(z, x, e->director);
  for (int i = 0; i < 3; i++) {
    pos[i] = CT_R(0.5) * (e->at[0][i] + e->at[1][i]);
    mat[3 * i] = x[i];
    mat[3 * i + 1] = e->director[i];
    mat[3 * i + 2] = z[i];
  }
  return placed_shape(CT_GEOM_BOX, m, pos, mat, size);
}

// Edges of rods as boxes or capsules.
static CT_FN int rod_rod(ctiPoint* out, const ctModel* m, const ctiFlexElement* a, const ctiFlexElement* b,
                         ctReal margin, ctData* d) {
  ctReal pos[2][3], mat[2][9], size[2][3];
  ctiShape s = a->director ? segment_box(a, m, pos[0], mat[0], size[0])
                           : segment_capsule(a, m, pos[0], mat[0], size[0]);
  ctiShape t = b->director ? segment_box(b, m, pos[1], mat[1], size[1])
                           : segment_capsule(b, m, pos[1], mat[1], size[1]);
  const bool swap = s.type > t.type;
  const int n = cti_collider(swap ? t.type : s.type, swap ? s.type : t.type)(out, swap ? &t : &s,
                                                                             swap ? &s : &t, margin, d);
  for (int i = 0; swap && i < n; i++) cti_scale3(out[i].normal, out[i].normal, -1);
  return n;
}

CT_KERNEL_NOINLINE int cti_geom_element(ctiPoint* out, const ctiShape* geom, const ctiFlexElement* e,
                                        ctReal margin, ctData* d) {
  const int dim = e->dim;
  if (e->director &&
      (geom->type == CT_GEOM_SPHERE || geom->type == CT_GEOM_CAPSULE || geom->type == CT_GEOM_BOX)) {
    ctReal pos[3], mat[9], size[3];
    ctiShape box = segment_box(e, geom->m, pos, mat, size);
    return cti_collider(geom->type, CT_GEOM_BOX)(out, geom, &box, margin, d);
  }
  switch (geom->type) {
    case CT_GEOM_PLANE: return 0;  // meets vertices
    case CT_GEOM_HFIELD: return cti_hfield_element(out, geom, e, margin, d);
    case CT_GEOM_SDF: return dim == 2 ? cti_sdf_triangle(out, geom, e->at) : 0;
    case CT_GEOM_SPHERE:
      if (dim == 2) return ball_triangle(out, geom->pos, geom->size[0], e, margin);
      if (dim == 3) return ball_tet(out, geom->pos, geom->size[0], e, margin);
      return geom_segment(out, geom, e, margin, d);
    case CT_GEOM_CAPSULE:
      if (dim == 2) return capsule_triangle(out, geom, e, margin);
      if (dim == 3) return capsule_tet(out, geom, e, margin);
      return geom_segment(out, geom, e, margin, d);
    case CT_GEOM_BOX:
      if (dim == 2) return box_triangle(out, geom, e, margin);
      return dim == 1 ? geom_segment(out, geom, e, margin, d) : geom_convex(out, geom, e, margin, d);
    default: return geom_convex(out, geom, e, margin, d);
  }
}

CT_KERNEL_NOINLINE int cti_element_element(ctiPoint* out, const ctModel* m, const ctiFlexElement* a,
                                           const ctiFlexElement* b, ctReal margin, ctData* d) {
  if (a->dim == 1 && b->dim == 1) {
    if (a->director || b->director) return rod_rod(out, m, a, b, margin, d);
    ctReal pos[2][3], mat[2][9], size[2][3];
    ctiShape s = segment_capsule(a, m, pos[0], mat[0], size[0]);
    ctiShape t = segment_capsule(b, m, pos[1], mat[1], size[1]);
    return cti_capsule_capsule(out, &s, &t, margin, d);
  }
  ctiConvex p, q;
  cti_convex_element(&p, a, a->at[0]);
  cti_convex_element(&q, b, a->at[0]);
  return convex_point(out, &p, &q, a->at[0], m, margin, d);
}
