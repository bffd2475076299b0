// Rays against deformables and skins (host code).
#include "corten/collide.h"
#include "data/data.h"
#include "math/quat.h"
#include "math/vec3.h"
#include "query/ray.h"

// A ray and what is known of its nearest hit.
typedef struct FlexHit {
  const ctReal *point, *dir;
  ctReal dir2, best;
  int vertex;
  ctReal normal[3];
} FlexHit;

// A hit at `x` on a piece with the corners `at`, of which the nearest is named.
static void take(FlexHit* h, ctReal x, const ctReal normal[3], const ctReal* const* at, const int* id,
                 int n) {
  if (x < 0 || (h->best >= 0 && x >= h->best)) return;
  ctReal least = -1;
  h->best = x;
  cti_copy3(h->normal, normal);
  for (int i = 0; i < n; i++) {
    ctReal rel[3];
    for (int k = 0; k < 3; k++) rel[k] = h->point[k] + x * h->dir[k] - at[i][k];
    ctReal dist2 = cti_dot3(rel, rel);
    if (least >= 0 && dist2 >= least) continue;
    least = dist2;
    h->vertex = id[i];
  }
}

// Does the ray come near a ball?
static bool passes(const FlexHit* h, const ctReal center[3], ctReal radius) {
  ctReal rel[3], across[3];
  cti_sub3(rel, center, h->point);
  cti_cross3(across, rel, h->dir);
  return cti_dot3(across, across) <= radius * radius * h->dir2 * (1 + CT_R(1e-6));
}

static void meet_vertices(FlexHit* h, const ctReal* vert, int n, ctReal radius) {
  const ctReal unturned[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, size[3] = {radius, 0, 0};
  for (int i = 0; i < n; i++) {
    const ctReal* at = vert + 3 * (size_t)i;
    ctReal normal[3];
    if (!passes(h, at, radius)) continue;
    take(h, cti_ray_primitive(CT_GEOM_SPHERE, at, unturned, size, h->point, h->dir, normal), normal, &at, &i,
         1);
  }
}

static void meet_edges(FlexHit* h, const ctReal* vert, const int* edge, int n, ctReal radius) {
  for (int i = 0; i < n; i++) {
    const int* id = edge + 2 * (size_t)i;
    const ctReal* at[2] = {vert + 3 * (size_t)id[0], vert + 3 * (size_t)id[1]};
    ctReal center[3], axis[3], quat[4], mat[9], normal[3], size[3] = {radius, 0, 0};
    for (int k = 0; k < 3; k++) center[k] = CT_R(0.5) * (at[0][k] + at[1][k]);
    cti_sub3(axis, at[1], at[0]);
    size[1] = CT_R(0.5) * cti_norm3(axis);
    if (!passes(h, center, radius + size[1])) continue;
    cti_quat_z_to_vec(quat, axis);
    cti_quat_to_mat(mat, quat);
    take(h, cti_ray_primitive(CT_GEOM_CAPSULE, center, mat, size, h->point, h->dir, normal), normal, at, id,
         2);
  }
}

static void meet_triangle(FlexHit* h, const ctReal* vert, int a, int b, int c) {
  const int id[3] = {a, b, c};
  const ctReal* at[3] = {vert + 3 * (size_t)a, vert + 3 * (size_t)b, vert + 3 * (size_t)c};
  ctReal normal[3];
  take(h, cti_ray_triangle(at[0], at[1], at[2], h->point, h->dir, normal), normal, at, id, 3);
}

static void meet_faces(FlexHit* h, const ctModel* m, int flex, const ctReal* vert, int layer) {
  static const int face[4][3] = {{0, 1, 2}, {0, 1, 3}, {0, 2, 3}, {1, 2, 3}};
  const int dim = m->flex_dim[flex];
  for (int i = 0; i < m->flex_elemnum[flex]; i++) {
    const int* e = m->flex_elem + m->flex_elemdataadr[flex] + (size_t)(dim + 1) * (size_t)i;
    if (dim == 2) meet_triangle(h, vert, e[0], e[1], e[2]);
    if (dim < 3 || m->flex_elemlayer[m->flex_elemadr[flex] + i] != layer) continue;
    for (int k = 0; k < 4; k++) meet_triangle(h, vert, e[face[k][0]], e[face[k][1]], e[face[k][2]]);
  }
}

static bool hit_begin(FlexHit* h, const ctReal* point, const ctReal* dir) {
  h->point = point;
  h->dir = dir;
  h->dir2 = cti_dot3(dir, dir);
  h->best = h->vertex = -1;
  cti_zero3(h->normal);
  return h->dir2 >= CTI_MINVAL * CTI_MINVAL;
}

ctReal ct_ray_flex(const ctModel* m, const ctData* d, int flex, const ctFlexLook* look, const ctReal* point,
                   const ctReal* dir, int* vertex, ctReal* normal) {
  const ctFlexLook everything = {.vertices = true, .edges = true, .skin = true};
  FlexHit h;
  if (vertex) *vertex = -1;
  if (normal) cti_zero3(normal);
  if (!cti_data_fits(m, d) || !point || !dir || flex < 0 || flex >= m->nflex || !hit_begin(&h, point, dir))
    return -1;
  if (!look) look = &everything;
  const ctReal* vert = d->flexvert_xpos + 3 * (size_t)m->flex_vertadr[flex];
  const bool skin = look->skin && m->flex_dim[flex] > 1;
  if (look->edges || skin) {
    meet_edges(&h, vert, m->flex_edge + 2 * (size_t)m->flex_edgeadr[flex], m->flex_edgenum[flex],
               m->flex_radius[flex]);
  } else if (look->vertices) {
    meet_vertices(&h, vert, m->flex_vertnum[flex], m->flex_radius[flex]);
  }
  if (look->faces || skin) meet_faces(&h, m, flex, vert, skin ? 0 : look->layer);
  if (vertex) *vertex = h.vertex;
  if (normal) cti_copy3(normal, h.normal);
  return h.best;
}

ctReal ct_ray_skin(int nface, int nvert, const int* face, const float* vert, const ctReal* point,
                   const ctReal* dir, int* vertex) {
  FlexHit h;
  if (vertex) *vertex = -1;
  if (nface < 0 || nvert < 0 || (nface > 0 && (!face || !vert)) || !point || !dir ||
      !hit_begin(&h, point, dir))
    return -1;
  for (size_t i = 0; i < 3 * (size_t)nface; i++) {
    if (face[i] < 0 || face[i] >= nvert) return -1;
  }
  for (size_t i = 0; i < (size_t)nface; i++) {
    ctReal x[3][3], normal[3];
    const int* id = face + 3 * i;
    for (int k = 0; k < 9; k++) x[k / 3][k % 3] = (ctReal)vert[3 * (size_t)id[k / 3] + (size_t)(k % 3)];
    const ctReal* at[3] = {x[0], x[1], x[2]};
    take(&h, cti_ray_triangle(x[0], x[1], x[2], point, dir, normal), normal, at, id, 3);
  }
  if (vertex) *vertex = h.vertex;
  return h.best;
}
