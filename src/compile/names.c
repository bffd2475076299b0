// The text of all names: the model's first, then kind after kind.
#include "model/names.h"

#include <string.h>

#include "compile/build.h"

// Name of an object of a kind, "" when it has none.
static const char* name_of(const ctiBuild* b, ctObjType type, int id) {
  const ctiElement* e = NULL;
  switch (type) {
    case CT_OBJ_BODY: e = &b->body[id].spec->head; break;
    case CT_OBJ_JOINT: e = &b->joint[id].spec->head; break;
    case CT_OBJ_GEOM: e = &b->geom[id].spec->head; break;
    case CT_OBJ_SITE: e = &b->site[id].spec->head; break;
    case CT_OBJ_CAMERA: e = &b->camera[id].spec->head; break;
    case CT_OBJ_LIGHT: e = &b->light[id].spec->head; break;
    case CT_OBJ_MESH: e = &b->spec->meshes.data[id]->head; break;
    case CT_OBJ_HFIELD: e = &b->spec->hfields.data[id]->head; break;
    case CT_OBJ_SKIN: e = &b->spec->skins.data[id]->head; break;
    case CT_OBJ_TEXTURE: e = &b->spec->textures.data[id]->head; break;
    case CT_OBJ_MATERIAL: e = &b->spec->materials.data[id]->head; break;
    case CT_OBJ_PAIR: e = &b->pair[id].spec->head; break;
    case CT_OBJ_EXCLUDE: e = &b->exclude[id].spec->head; break;
    case CT_OBJ_EQUALITY: e = &b->spec->equalities.data[id]->head; break;
    case CT_OBJ_TENDON: e = &b->tendon[id].spec->head; break;
    case CT_OBJ_ACTUATOR: e = &b->actuator[id].spec->head; break;
    case CT_OBJ_SENSOR: e = &b->sensor[id].spec->head; break;
    case CT_OBJ_NUMERIC: e = &b->spec->numerics.data[id]->head; break;
    case CT_OBJ_TEXT: e = &b->spec->texts.data[id]->head; break;
    case CT_OBJ_TUPLE: e = &b->spec->tuples.data[id]->head; break;
    case CT_OBJ_KEY: e = &b->spec->keys.data[id]->head; break;
    default: break;
  }
  return e && e->name ? e->name : "";
}

void cti_count_names(ctiBuild* b) {
  ctModel* n = &b->sizes;
  n->nnames = (ctSize)strlen(b->spec->modelname) + 1;
  for (int k = 0; k < cti_named_kind_count; k++) {
    int count = cti_named_count(n, &cti_named_kinds[k]);
    n->nnames_map += 2 * count;
    for (int i = 0; i < count; i++) n->nnames += (ctSize)strlen(name_of(b, cti_named_kinds[k].type, i)) + 1;
  }
}

ctStatus cti_pass_names(ctiBuild* b) {
  ctModel* m = b->m;
  strcpy(m->names, b->spec->modelname);
  int at = (int)strlen(m->names) + 1;
  for (int k = 0; k < cti_named_kind_count; k++) {
    int* address = cti_named_addresses(m, &cti_named_kinds[k]);
    for (int i = 0; i < cti_named_count(m, &cti_named_kinds[k]); i++) {
      const char* name = name_of(b, cti_named_kinds[k].type, i);
      address[i] = at;
      strcpy(m->names + at, name);
      at += (int)strlen(name) + 1;
    }
  }
  cti_names_map_build(m);
  return CT_OK;
}
