// A mesh or height field that is used at several sizes has an instance for each: the first use keeps the
// name, the others are called name@1, name@2 and so on, at the end of the list.
#include <stdio.h>
#include <string.h>

#include "compile/scale.h"

// A size of an asset. `record` is the asset as authored, then the instance.
typedef struct Instance {
  const char *asset, *name;
  ctiStretch stretch;
  const void* record;
} Instance;
typedef CTI_ARRAY(Instance) Instances;

static bool same(const ctiStretch* a, const ctiStretch* b) {
  if (a->uniform || b->uniform) return a->uniform && b->uniform && a->factor == b->factor;
  return memcmp(a->map, b->map, sizeof(a->map)) == 0;
}

// Point `*reference` to the instance of a size, which is new when nobody has used it yet.
static ctStatus use(ctiScaleWork* w, Instances* list, ctObjType type, const char** reference,
                    const ctiStretch* s) {
  const ctiElement* asset = cti_scale_find(w, type, *reference);
  if (!asset) return CT_OK;  // refused later
  int uses = 0;
  for (int i = 0; i < list->count; i++) {
    const Instance* known = &list->data[i];
    if (strcmp(known->asset, *reference) != 0) continue;
    if (same(&known->stretch, s)) {
      *reference = known->name;
      return CT_OK;
    }
    uses++;
  }
  Instance added = {.asset = asset->name, .name = asset->name, .stretch = *s, .record = asset};
  if (uses > 0) {
    size_t room = strlen(asset->name) + 16;
    char* name = CTI_NEW_ARRAY(w->region, char, room);
    if (!name) return cti_error_memory(w->err);
    snprintf(name, room, "%s@%d", asset->name, uses);
    const ctiElement* taken = cti_scale_find(w, type, name);
    if (taken)
      return cti_spec_error(w->err, CT_ERR_INVALID, taken,
                            "this name is needed: \"%s\" is used at several scales", asset->name);
    added.name = cti_intern(&w->spec->strings, name);
  }
  if (!added.name || cti_array_push(list, cti_region_allocator(w->region), added) != CT_OK)
    return cti_error_memory(w->err);
  *reference = added.name;
  return CT_OK;
}

// All geoms come before all sites.
static ctStatus collect(ctiScaleWork* w, Instances* meshes, Instances* hfields) {
  ctiStretch own;
  for (int i = 0; i < w->nbody; i++) {
    for (int k = 0; k < w->body[i]->geoms.count; k++) {
      ctiGeom* g = w->body[i]->geoms.data[k];
      if (!g->mesh && !g->hfield) continue;
      CT_TRY(cti_stretch_turned(&own, w, &cti_place_of(w, &g->head)->stretch, &g->orient, &g->head));
      const char* trouble = g->hfield ? cti_stretch_needs_axes(&own) : NULL;
      if (trouble) return cti_spec_error(w->err, CT_ERR_INVALID, &g->head, "%s", trouble);
      if (g->mesh) CT_TRY(use(w, meshes, CT_OBJ_MESH, &g->mesh, &own));
      if (g->hfield) CT_TRY(use(w, hfields, CT_OBJ_HFIELD, &g->hfield, &own));
    }
  }
  for (int i = 0; i < w->nbody; i++) {
    for (int k = 0; k < w->body[i]->sites.count; k++) {
      ctiSite* t = w->body[i]->sites.data[k];
      if (!t->mesh) continue;
      CT_TRY(cti_stretch_turned(&own, w, &cti_place_of(w, &t->head)->stretch, &t->orient, &t->head));
      CT_TRY(use(w, meshes, CT_OBJ_MESH, &t->mesh, &own));
    }
  }
  return CT_OK;
}

static ctStatus stretch_mesh(ctiScaleWork* w, ctiMeshAsset* m, const ctiStretch* s) {
  bool along = true;
  for (int i = 0; i < 9 && !s->uniform; i++) along = along && (i % 4 == 0 || s->map[i] == 0);
  for (int i = 0; i < 3 && along; i++) m->scale[i] *= s->uniform ? s->factor : s->map[4 * i];
  if (along) return CT_OK;
  double* map = CTI_NEW_ARRAY(w->spec->region, double, 9);
  if (!map) return cti_error_memory(w->err);
  memcpy(map, s->map, sizeof(s->map));
  m->map = map;
  return CT_OK;
}

static ctStatus stretch_hfield(ctiScaleWork* w, ctiHField* h, const ctiStretch* s) {
  (void)w;
  static const double axes[4][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0, 0, 1}};
  for (int i = 0; i < 4; i++) h->size[i] *= cti_stretch_along(s, axes[i]);
  return CT_OK;
}

// Copies of the authored records come first, then each has its size.
#define MAKE(instances, record_, list, stretch_)                                    \
  for (int i = 0; i < (instances).count; i++) {                                     \
    Instance* made = &(instances).data[i];                                          \
    if (made->name == made->asset) continue;                                        \
    record_* copy = CTI_NEW(w->spec->region, record_);                              \
    if (!copy || cti_array_push(&w->spec->list, w->spec->in_region, copy) != CT_OK) \
      return cti_error_memory(w->err);                                              \
    *copy = *(const record_*)made->record;                                          \
    copy->head.name = made->name;                                                   \
    made->record = copy;                                                            \
  }                                                                                 \
  for (int i = 0; i < (instances).count; i++)                                       \
    CT_TRY(stretch_(w, (record_*)(uintptr_t)(instances).data[i].record, &(instances).data[i].stretch));

ctStatus cti_scale_assets(ctiScaleWork* w) {
  Instances meshes = {0}, hfields = {0};
  CT_TRY(collect(w, &meshes, &hfields));
  MAKE(meshes, ctiMeshAsset, meshes, stretch_mesh)
  MAKE(hfields, ctiHField, hfields, stretch_hfield)
  return CT_OK;
}

bool cti_scale_is_shell(const ctiScaleWork* w, const ctiGeom* g) {
  bool shaped = g->type == CT_GEOM_MESH || g->type == CT_GEOM_SDF;
  const ctiMeshAsset* mesh =
      shaped ? (const ctiMeshAsset*)(const void*)cti_scale_find(w, CT_OBJ_MESH, g->mesh) : NULL;
  return g->shellinertia || (mesh && mesh->inertia == CTI_INERTIA_SHELL);
}
