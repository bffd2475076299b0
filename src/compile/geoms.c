// Geoms and sites: places, sizes, trees of boxes, and their arrays in the model.
#include <math.h>
#include <string.h>

#include "asset/bvh.h"
#include "compile/build.h"
#include "math/elementary.h"
#include "spec/orient.h"
#include "stage/velocity/fluid.h"
#include "step/derived.h"

// ---- places and sizes

// Frame and length of a shape given by the two ends of its axis.
static ctStatus place_segment(ctReal pos[3], ctReal quat[4], ctReal size[3], const ctiBuild* b, int type,
                              const double ends[6], const ctiElement* e) {
  const double given[3] = {(double)pos[0], (double)pos[1], (double)pos[2]};
  CT_TRY(cti_check_segment(b->err, type, given, e));
  ctReal from[3], to[3], axis[3];
  cti_to_real(from, ends, 3);
  cti_to_real(to, ends + 3, 3);
  cti_sub3(axis, from, to);
  ctReal half = cti_norm3(axis) / 2;
  if (!cti_has_length(half))
    return cti_spec_error(b->err, CT_ERR_INVALID, e,
                          "the two points of fromto coincide, or are too far apart");
  for (int i = 0; i < 3; i++) pos[i] = (from[i] + to[i]) / 2;
  cti_orient_along(quat, axis);
  // boxes and ellipsoids are square across the segment
  if (cti_shape_sizes[type].length == 2) {
    size[1] = size[0];
    size[2] = half;
  } else {
    size[1] = half;
  }
  return CT_OK;
}

static ctStatus check_size(const ctiBuild* b, int type, const ctReal size[3], const ctiElement* e) {
  if (type == CT_GEOM_PLANE) {
    if (!(size[2] > 0)) {
      return cti_spec_error(
          b->err, CT_ERR_INVALID, e,
          "the size of a plane is two half sizes (0 or less for infinite) and a positive grid spacing");
    }
    return CT_OK;
  }
  for (int i = 0; i < cti_shape_sizes[type].plain; i++) {
    if (!(size[i] > 0)) {
      return cti_spec_error(b->err, CT_ERR_INVALID, e, "size needs %d positive number%s, number %d is %g",
                            cti_shape_sizes[type].plain, cti_shape_sizes[type].plain > 1 ? "s" : "", i + 1,
                            (double)size[i]);
    }
  }
  return CT_OK;
}

ctStatus cti_check_condim(const ctiBuild* b, int condim, const ctiElement* e) {
  if (condim == 1 || condim == 3 || condim == 4 || condim == 6) return CT_OK;
  return cti_spec_error(b->err, CT_ERR_INVALID, e, "condim is 1, 3, 4 or 6, not %d", condim);
}

static ctStatus place_geom(ctiBuild* b, ctiBuildGeom* g) {
  const ctiGeom* s = g->spec;
  CT_TRY(cti_check_condim(b, s->condim, &s->head));
  cti_to_real(g->pos, s->pos, 3);
  cti_to_real(g->size, s->size, 3);
  if (isnan(s->fromto[0])) {
    CT_TRY(cti_resolve_orient(g->quat, b, &s->orient, &s->head));
  } else {
    CT_TRY(place_segment(g->pos, g->quat, g->size, b, s->type, s->fromto, &s->head));
  }
  CT_TRY(cti_leave_frames(g->pos, g->quat, b, s->head.frame));
  // the size of a mesh, or of what is fitted to one, follows from it
  if (!s->mesh && !s->hfield) CT_TRY(check_size(b, s->type, g->size, &s->head));
  if (s->type == CT_GEOM_PLANE && b->body[g->body].moves) {
    return cti_spec_error(b->err, CT_ERR_INVALID, &s->head,
                          "a plane can only be part of a body that does not move");
  }
  return CT_OK;
}

static ctStatus place_site(ctiBuild* b, ctiBuildSite* t) {
  const ctiSite* s = t->spec;
  cti_to_real(t->pos, s->pos, 3);
  cti_to_real(t->size, s->size, 3);
  if (isnan(s->fromto[0])) {
    CT_TRY(cti_resolve_orient(t->quat, b, &s->orient, &s->head));
  } else {
    CT_TRY(place_segment(t->pos, t->quat, t->size, b, s->type, s->fromto, &s->head));
  }
  CT_TRY(cti_leave_frames(t->pos, t->quat, b, s->head.frame));
  if (s->type == CT_GEOM_PLANE || s->type == CT_GEOM_HFIELD || s->type == CT_GEOM_SDF) {
    return cti_spec_error(b->err, CT_ERR_INVALID, &s->head,
                          "a site is a sphere, capsule, ellipsoid, cylinder, box or mesh");
  }
  return check_size(b, s->type, t->size, &s->head);
}

ctStatus cti_pass_geoms(ctiBuild* b) {
  for (int i = 0; i < b->sizes.ngeom; i++) CT_TRY(place_geom(b, &b->geom[i]));
  for (int i = 0; i < b->sizes.nsite; i++) CT_TRY(place_site(b, &b->site[i]));
  return CT_OK;
}

// The material of a geom or site: its own, or else that of its mesh. NULL: none.
static const char* material_of(const ctiBuild* b, const char* own, const char* mesh) {
  int id = !own && mesh ? cti_names_find(&b->names[CT_OBJ_MESH], mesh) : -1;
  return id < 0 ? own : b->spec->meshes.data[id]->material;
}

static ctStatus check_material(const ctiBuild* b, const char* name, const ctiElement* e) {
  int id;
  return name ? cti_find_object(&id, b, CT_OBJ_MATERIAL, name, e) : CT_OK;
}

ctStatus cti_pass_geom_materials(ctiBuild* b) {
  for (int i = 0; i < b->sizes.ngeom; i++)
    CT_TRY(check_material(b, material_of(b, b->geom[i].spec->material, b->geom[i].spec->mesh),
                          &b->geom[i].spec->head));
  for (int i = 0; i < b->sizes.nsite; i++)
    CT_TRY(check_material(b, material_of(b, b->site[i].spec->material, b->site[i].spec->mesh),
                          &b->site[i].spec->head));
  return CT_OK;
}

// ---- arrays

// The velocity of the surface is given in the frame of the geom's file; a mesh was moved to its centre and
// turned to its principal axes.
static void place_surfacevel(const ctiBuild* b, ctReal out[6], const ctiBuildGeom* g) {
  cti_to_real(out, g->spec->surfacevel, 6);
  // also primitives that were fitted to a mesh
  int id = g->spec->mesh ? cti_names_find(&b->names[CT_OBJ_MESH], g->spec->mesh) : -1;
  if (id < 0) return;
  const ctiMesh* mesh = &b->mesh[id];
  ctReal spin[3], linear[3], turned[3];
  ctReal pos[3], back[4];
  cti_to_real(pos, mesh->pos, 3);
  cti_to_real(back, mesh->quat, 4);
  cti_copy3(linear, out);
  cti_copy3(spin, out + 3);
  cti_cross3(turned, spin, pos);
  cti_add_to3(linear, turned);
  cti_quat_conj(back, back);
  cti_quat_rotate(out, back, linear);
  cti_quat_rotate(out + 3, back, spin);
}

static void fill_geom(const ctiBuild* b, ctModel* m, int i) {
  const ctiBuildGeom* g = &b->geom[i];
  const ctiGeom* s = g->spec;
  m->geom_type[i] = s->type;
  m->geom_contype[i] = s->contype;
  m->geom_conaffinity[i] = s->conaffinity;
  m->geom_condim[i] = s->condim;
  m->geom_bodyid[i] = g->body;
  m->geom_matid[i] = -1;
  m->geom_dataid[i] = g->mesh >= 0 ? g->mesh : g->hfield;
  const char* material = material_of(b, s->material, s->mesh);
  if (material) m->geom_matid[i] = cti_names_find(&b->names[CT_OBJ_MATERIAL], material);
  m->geom_group[i] = s->group;
  m->geom_priority[i] = s->priority;
  m->geom_castshadow[i] = s->castshadow;
  m->geom_solmix[i] = (ctReal)s->solmix;
  cti_to_real(m->geom_solref + CT_NREF * i, s->solref, CT_NREF);
  cti_to_real(m->geom_solimp + CT_NIMP * i, s->solimp, CT_NIMP);
  cti_copy3(m->geom_size + 3 * i, g->size);
  cti_copy3(m->geom_pos + 3 * i, g->pos);
  cti_copy4(m->geom_quat + 4 * i, g->quat);
  cti_to_real(m->geom_friction + 3 * i, s->friction, 3);
  m->geom_margin[i] = (ctReal)s->margin;
  m->geom_gap[i] = (ctReal)s->gap;
  place_surfacevel(b, m->geom_surfacevel + 6 * i, g);
  m->geom_adhesion[i] = (ctReal)s->adhesion;
  if (s->fluidshape) {
    m->geom_fluid[CT_NFLUID * i + CTI_FLUID_SCALE] = 1;
    cti_to_real(m->geom_fluid + CT_NFLUID * i + CTI_FLUID_BLUNT, s->fluidcoef, 5);
  }
  memcpy(m->geom_rgba + 4 * i, s->rgba, sizeof(s->rgba));
  cti_fill_user(m->geom_user, i, m->nuser_geom, &s->user);
}

static void fill_site(const ctiBuild* b, ctModel* m, int i) {
  const ctiBuildSite* t = &b->site[i];
  const ctiSite* s = t->spec;
  m->site_type[i] = s->type;
  m->site_bodyid[i] = t->body;
  m->site_dataid[i] = t->mesh;
  m->site_matid[i] = -1;
  const char* material = material_of(b, s->material, s->mesh);
  if (material) m->site_matid[i] = cti_names_find(&b->names[CT_OBJ_MATERIAL], material);
  m->site_group[i] = s->group;
  cti_copy3(m->site_size + 3 * i, t->size);
  cti_copy3(m->site_pos + 3 * i, t->pos);
  cti_copy4(m->site_quat + 4 * i, t->quat);
  memcpy(m->site_rgba + 4 * i, s->rgba, sizeof(s->rgba));
  cti_fill_user(m->site_user, i, m->nuser_site, &s->user);
}

ctStatus cti_pass_fill_geoms(ctiBuild* b) {
  ctModel* m = b->m;
  for (int i = 0; i < m->ngeom; i++) fill_geom(b, m, i);
  for (int i = 0; i < m->nsite; i++) fill_site(b, m, i);
  return cti_model_frames(m, b->err);
}

// ---- bounds

// Boxes and radii of geoms, and the tree of boxes of every body.

// The tree of boxes of the geoms of a body that can touch something; they are split by their positions.
static ctStatus build_tree(ctiBuild* b, int body, int* next) {
  ctModel* m = b->m;
  int n = m->body_geomnum[body], count = 0;
  int* geoms = CTI_NEW_ARRAY(b->region, int, n);
  double* boxes = CTI_NEW_ARRAY(b->region, double, 6 * (size_t)n);
  double* centres = CTI_NEW_ARRAY(b->region, double, 3 * (size_t)n);
  if (!geoms || !boxes || !centres) return cti_error_memory(b->err);
  for (int i = m->body_geomadr[body]; i < m->body_geomadr[body] + n; i++) {
    if (!cti_geom_collides(m->geom_contype[i], m->geom_conaffinity[i])) continue;
    cti_box_of_geom(boxes + 6 * count, centres + 3 * count, m, i);
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

ctStatus cti_pass_bounds(ctiBuild* b) {
  ctModel* m = b->m;
  for (int i = 0; i < m->ngeom; i++)
    if (b->geom[i].mesh >= 0) bound_mesh(m, &b->mesh[b->geom[i].mesh], i);
  cti_model_shapes(m);
  int next = 0;
  for (int i = 0; i < m->nbody; i++) {
    m->body_bvhadr[i] = -1;
    if (m->body_geomnum[i] > 0) CT_TRY(build_tree(b, i, &next));
  }
  return CT_OK;
}
