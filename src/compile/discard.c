// Visual elements are discarded: materials, textures, geoms that touch nothing, meshes nobody uses then.
#include "compile/scale.h"
#include "compile/simplify.h"

// Keep the elements of a list for which `keep` holds; `e` is each of them.
#define KEEP_IF(list, keep)                         \
  {                                                 \
    int kept_ = 0;                                  \
    for (int i_ = 0; i_ < (list).count; i_++) {     \
      const ctiElement* e = &(list).data[i_]->head; \
      if (!(keep)) continue;                        \
      (list).data[kept_++] = (list).data[i_];       \
    }                                               \
    *count += (list).count - kept_;                 \
    (list).count = kept_;                           \
  }

static bool referred(const ctiNameMap* names, int kind, const ctiElement* e) {
  return e->name && cti_names_find(&names[kind], e->name) >= 0;
}

static bool is_visual(const ctiGeom* g, const ctiNameMap* names) {
  return g->contype == 0 && g->conaffinity == 0 && g->fluidshape == 0 &&
         !referred(names, CT_OBJ_GEOM, &g->head);
}

// Whether the inertia of the body would change without its visual geoms.
static bool weighs(const ctiBuild* b, const ctiBuildBody* body, const ctiNameMap* names) {
  if (!body->inferred) return false;
  for (int i = body->geomadr; i < body->geomadr + body->geomnum; i++) {
    if (is_visual(b->geom[i].spec, names) && cti_geom_counts(b, &b->geom[i])) return true;
  }
  return false;
}

// Bodies that would become lighter keep what they had.
static ctStatus adopt_inertias(ctSpec* spec, const ctiNameMap* names, ctError* err) {
  ctiBuild b;
  ctStatus status = cti_build_inertias(&b, spec, err);
  for (int i = 1; status == CT_OK && i < b.sizes.nbody; i++) {
    const ctiBuildBody* body = &b.body[i];
    if (!weighs(&b, body, names)) continue;
    if (cti_compiler_of(spec, &body->spec->head)->inertiafromgeom == CTI_TRUE) {
      status = cti_spec_error(err, CT_ERR_INVALID, &body->spec->head,
                              "without its visual geoms it would have another inertia, which "
                              "inertiafromgeom=\"true\" infers from them; \"auto\" lets it keep what it has");
      continue;
    }
    cti_set_inertial((ctiBody*)(uintptr_t)body->spec, &body->spec->head, body->mass, body->ipos, body->iquat,
                     body->inertia);
  }
  cti_region_free(b.region);
  return status;
}

// Without the inertia of anything in doubt, files need not be read.
static bool any_inertia_in_doubt(const ctSpec* spec, ctiBody** bodies, int n, const ctiNameMap* names) {
  for (int i = 1; i < n; i++) {
    int how = cti_compiler_of(spec, &bodies[i]->head)->inertiafromgeom;
    if (how == CTI_FALSE || (how == CTI_AUTO && bodies[i]->has_inertial)) continue;
    for (int k = 0; k < bodies[i]->geoms.count; k++) {
      if (is_visual(bodies[i]->geoms.data[k], names)) return true;
    }
  }
  return false;
}

static void forget_looks(ctSpec* spec, ctiBody** bodies, int n) {
  for (int i = 0; i < n; i++) {
    for (int k = 0; k < bodies[i]->geoms.count; k++) bodies[i]->geoms.data[k]->material = NULL;
    for (int k = 0; k < bodies[i]->sites.count; k++) bodies[i]->sites.data[k]->material = NULL;
    for (int k = 0; k < bodies[i]->lights.count; k++) bodies[i]->lights.data[k]->texture = NULL;
  }
  for (int i = 0; i < spec->tendons.count; i++) spec->tendons.data[i]->material = NULL;
  for (int i = 0; i < spec->meshes.count; i++) spec->meshes.data[i]->material = NULL;
  for (int i = 0; i < spec->skins.count; i++) spec->skins.data[i]->material = NULL;
  for (int i = 0; i < spec->materials.count; i++) {
    for (int k = 0; k < CT_TEXROLE_COUNT; k++) spec->materials.data[i]->texture[k] = NULL;
  }
  for (int i = 0; i < spec->classes.count; i++) {
    ctiClass* c = spec->classes.data[i];
    c->geom.material = c->site.material = c->tendon.material = c->mesh.material = c->light.texture = NULL;
    for (int k = 0; k < CT_TEXROLE_COUNT; k++) c->material.texture[k] = NULL;
  }
}

static ctStatus discard(ctSpec* spec, ctiRegion* region, int* count, ctError* err) {
  int n;
  ctiBody** bodies = cti_spec_bodies(spec->world, region, &n);
  ctiNameMap* names = cti_referred_names(spec, region);
  if (!bodies || !names) return cti_error_memory(err);
  if (any_inertia_in_doubt(spec, bodies, n, names)) CT_TRY(adopt_inertias(spec, names, err));
  // meshes of what is left are used as well
  ctiNameMap used;
  cti_names_init(&used, cti_region_allocator(region));
  for (int i = 0; i < n; i++) {
    KEEP_IF(bodies[i]->geoms, !is_visual((const ctiGeom*)(const void*)e, names))
    for (int k = 0; k < bodies[i]->geoms.count + bodies[i]->sites.count; k++) {
      int geoms = bodies[i]->geoms.count;
      const char* mesh = k < geoms ? bodies[i]->geoms.data[k]->mesh : bodies[i]->sites.data[k - geoms]->mesh;
      if (mesh && cti_names_add(&used, mesh, 1) == CT_ERR_MEMORY) return cti_error_memory(err);
    }
  }
  KEEP_IF(spec->meshes, referred(names, CT_OBJ_MESH, e) || (e->name && cti_names_find(&used, e->name) >= 0))
  KEEP_IF(spec->materials, referred(names, CT_OBJ_MATERIAL, e))
  KEEP_IF(spec->textures, referred(names, CT_OBJ_TEXTURE, e))
  forget_looks(spec, bodies, n);
  return CT_OK;
}

ctStatus ct_spec_discard_visual(ctSpec* spec, int* count, ctError* err) {
  int discarded = 0;
  if (count) *count = 0;
  if (!spec) return cti_error(err, CT_ERR_ARGUMENT, "ct_spec_discard_visual: spec must not be NULL");
  CT_TRY(cti_refuse_scaled(spec, err));
  ctiRegion* region = cti_region_create(&spec->allocator);
  ctStatus status = region ? discard(spec, region, &discarded, err) : cti_error_memory(err);
  cti_region_free(region);
  if (count) *count = discarded;
  return status;
}
