// A mesh and a signed distance field: over every triangle of the mesh the field is descended from a few
// starts. Where it ends below zero, the mesh is inside the field.
#include "collide/colliders.h"
#include "collide/field.h"
#include "collide/halton.h"

// Nodes of the tree that wait: one a level, which are split at the median.
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

// Frank and Wolfe's descent: each step goes a share of the way to the corner that lies deepest by the slope.
static CT_FN void sdf_mesh_descend(ctReal x[3], const SdfMesh* p, ctReal corner[3][3], int iterations) {
  for (int k = 0; k < iterations; k++) {
    ctReal slope[3], least = 0, share = CT_R(2) / (ctReal)(k + 2);
    int best = -1;
    cti_field(p->field, x, slope);
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
  ctReal u = cti_halton(i + 1, 2), v = cti_halton(i + 1, 3);
  if (u + v > 1) {
    u = 1 - u;
    v = 1 - v;
  }
  for (int k = 0; k < 3; k++) x[k] = (1 - u - v) * corner[0][k] + u * corner[1][k] + v * corner[2][k];
}

// The contact at x, given in the frame of the field, when it is inside.
static CT_FN int sdf_mesh_point(ctiPoint* out, const SdfMesh* p, const ctReal x[3]) {
  ctReal slope[3], middle[3], value = cti_field(p->field, x, slope);
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
