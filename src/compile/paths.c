// Paths of asset files, one after another in one text: height fields, meshes, skins, textures, then the
// content types of textures.
#include <string.h>

#include "compile/build.h"

// Visit each text in order; `adr` is the field with its address, NULL before there is a model.
typedef void Visit(ctiBuild* b, const char* text, int* adr, int* at);

static void each_path(ctiBuild* b, Visit* visit) {
  const ctModel *n = &b->sizes, *m = b->m;
  int at = 0;
  for (int i = 0; i < n->nhfield; i++) visit(b, b->hfield[i].path, m ? m->hfield_pathadr + i : NULL, &at);
  for (int i = 0; i < n->nmesh; i++) visit(b, b->mesh_path[i], m ? m->mesh_pathadr + i : NULL, &at);
  for (int i = 0; i < n->nskin; i++) visit(b, b->skin[i].path, m ? m->skin_pathadr + i : NULL, &at);
  for (int i = 0; i < n->ntex; i++) visit(b, b->texture_path[i], m ? m->tex_pathadr + i : NULL, &at);
  for (int i = 0; i < n->ntex; i++) {
    visit(b, b->spec->textures.data[i]->content_type, m ? m->tex_contenttypeadr + i : NULL, &at);
  }
}

static void count(ctiBuild* b, const char* text, int* adr, int* at) {
  (void)adr, (void)at;
  if (text) b->sizes.npaths += (ctSize)strlen(text) + 1;
}

static void write(ctiBuild* b, const char* text, int* adr, int* at) {
  *adr = text ? *at : -1;
  if (!text) return;
  size_t size = strlen(text) + 1;
  memcpy(b->m->paths + *at, text, size);
  *at += (int)size;
}

void cti_count_paths(ctiBuild* b) {
  b->sizes.npaths = 0;
  each_path(b, count);
  if (b->sizes.npaths == 0) b->sizes.npaths = 1;
}

ctStatus cti_pass_fill_paths(ctiBuild* b) {
  each_path(b, write);
  return CT_OK;
}
