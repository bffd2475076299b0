// Bounding boxes and radii of geoms, and the tree of boxes of every body.
#include "compile/build.h"

// Half size of a plane's box: as good as infinite, and finite.
#define INFINITE CT_R(1e10)

static void set_box(ctReal box[6], ctReal x, ctReal y, ctReal z) {
  cti_zero3(box);
  box[3] = x;
  box[4] = y;
  box[5] = z;
}

// Box (centre, half sizes) in the geom's own frame; returns the radius about its centre, 0 for a plane.
static ctReal bound_shape(ctReal box[6], int type, const ctReal s[3]) {
  switch (type) {
    case CT_GEOM_SPHERE: set_box(box, s[0], s[0], s[0]); return s[0];
    case CT_GEOM_CAPSULE: set_box(box, s[0], s[0], s[0] + s[1]); return s[0] + s[1];
    case CT_GEOM_CYLINDER: set_box(box, s[0], s[0], s[1]); return cti_sqrt(s[0] * s[0] + s[1] * s[1]);
    case CT_GEOM_ELLIPSOID: set_box(box, s[0], s[1], s[2]); return cti_max(cti_max(s[0], s[1]), s[2]);
    case CT_GEOM_BOX: set_box(box, s[0], s[1], s[2]); return cti_norm3(s);
    default:
      set_box(box, INFINITE, INFINITE, INFINITE / 2);
      box[2] = -INFINITE / 2;
      return 0;
  }
}

// Box and position of a geom in the inertial frame of its body.
static void box_in_body(double out[6], double pos[3], const ctModel* m, int geom) {
  int body = m->geom_bodyid[geom];
  const ctReal* box = m->geom_aabb + 6 * geom;
  ctReal inv[4], quat[4], mat[9], at[3], centre[3];
  cti_quat_conj(inv, m->body_iquat + 4 * body);
  cti_quat_mul(quat, inv, m->geom_quat + 4 * geom);
  cti_quat_to_mat(mat, quat);
  cti_sub3(at, m->geom_pos + 3 * geom, m->body_ipos + 3 * body);
  cti_quat_rotate(at, inv, at);
  cti_mul_mat_vec3(centre, mat, box);
  for (int i = 0; i < 3; i++) {
    pos[i] = (double)at[i];
    out[i] = (double)(centre[i] + at[i]);
    out[3 + i] = (double)(cti_abs(mat[3 * i]) * box[3] + cti_abs(mat[3 * i + 1]) * box[4] +
                          cti_abs(mat[3 * i + 2]) * box[5]);
  }
}

// The tree of boxes of the geoms of a body that can touch something; they are split by their positions.
static ctStatus build_tree(ctiBuild* b, int body, int* next) {
  ctModel* m = b->m;
  int n = m->body_geomnum[body], count = 0;
  int* geoms = CTI_NEW_ARRAY(b->region, int, n);
  double* boxes = CTI_NEW_ARRAY(b->region, double, 6 * n);
  double* centres = CTI_NEW_ARRAY(b->region, double, 3 * n);
  if (!geoms || !boxes || !centres) return cti_error_memory(b->err);
  for (int i = m->body_geomadr[body]; i < m->body_geomadr[body] + n; i++) {
    if (!cti_geom_collides(m->geom_contype[i], m->geom_conaffinity[i])) continue;
    box_in_body(boxes + 6 * count, centres + 3 * count, m, i);
    geoms[count++] = i;
  }
  if (count == 0) return CT_OK;
  ctiBvh tree;
  CT_TRY(cti_bvh_build(&tree, boxes, centres, count, 0, b->region, b->err));
  m->body_bvhadr[body] = *next;
  m->body_bvhnum[body] = tree.count;
  for (int k = 0; k < tree.count; k++, ++*next) {
    m->bvh_depth[*next] = tree.depth[k];
    m->bvh_child[2 * *next] = tree.child[2 * k];
    m->bvh_child[2 * *next + 1] = tree.child[2 * k + 1];
    m->bvh_nodeid[*next] = tree.nodeid[k] >= 0 ? geoms[tree.nodeid[k]] : -1;
    cti_to_real(m->bvh_aabb + 6 * *next, tree.aabb + 6 * k, 6);
  }
  return CT_OK;
}

// A mesh has the box of its vertices, about its own centre.
static void bound_mesh(ctModel* m, const ctiMesh* mesh, int geom) {
  ctReal* box = m->geom_aabb + 6 * geom;
  for (int k = 0; k < 3; k++) {
    box[k] = (ctReal)((mesh->aabb[3 + k] + mesh->aabb[k]) / 2);
    box[3 + k] = (ctReal)((mesh->aabb[3 + k] - mesh->aabb[k]) / 2);
  }
  m->geom_rbound[geom] = cti_norm3(m->geom_size + 3 * geom);
}

// From the deepest to the highest point of the field.
static void bound_hfield(ctModel* m, const double size[4], int geom) {
  ctReal* box = m->geom_aabb + 6 * geom;
  double tall = size[2] > size[3] ? size[2] : size[3];
  set_box(box, (ctReal)size[0], (ctReal)size[1], (ctReal)((size[2] + size[3]) / 2));
  box[2] = (ctReal)((size[2] - size[3]) / 2);
  m->geom_rbound[geom] = cti_sqrt((ctReal)(size[0] * size[0] + size[1] * size[1] + tall * tall));
}

ctStatus cti_pass_bounds(ctiBuild* b) {
  ctModel* m = b->m;
  for (int i = 0; i < m->ngeom; i++) {
    int body = m->geom_bodyid[i];
    if (b->geom[i].mesh >= 0) {
      bound_mesh(m, &b->mesh[b->geom[i].mesh], i);
    } else if (b->geom[i].hfield >= 0) {
      bound_hfield(m, b->spec->hfields.data[b->geom[i].hfield]->size, i);
    } else {
      m->geom_rbound[i] = bound_shape(m->geom_aabb + 6 * i, m->geom_type[i], m->geom_size + 3 * i);
    }
    m->body_contype[body] |= m->geom_contype[i];
    m->body_conaffinity[body] |= m->geom_conaffinity[i];
    m->body_margin[body] = cti_max(m->body_margin[body], m->geom_margin[i] + m->geom_gap[i]);
  }
  int next = 0;
  for (int i = 0; i < m->nbody; i++) {
    m->body_bvhadr[i] = -1;
    if (m->body_geomnum[i] > 0) CT_TRY(build_tree(b, i, &next));
  }
  return CT_OK;
}
