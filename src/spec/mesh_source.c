#include "spec/mesh_source.h"

#include <math.h>
#include <string.h>

static float* to_floats(ctiRegion* region, const ctiReals* r) {
  float* out = CTI_NEW_ARRAY(region, float, r->count);
  for (int i = 0; out && i < r->count; i++) out[i] = (float)r->data[i];
  return out;
}

static int find_builtin(const char* word) {
  static const char* const words[CTI_BUILTIN_COUNT] = {
#define X(id, keyword, fewest, most) keyword,
      CTI_MESH_BUILTINS(X)
#undef X
  };
  for (int i = 0; i < CTI_BUILTIN_COUNT; i++) {
    if (strcmp(words[i], word) == 0) return i;
  }
  return -1;
}

// Arrays and settings of the source; the file is read by the caller.
ctStatus cti_mesh_describe(ctiMeshSource* source, const ctiMeshAsset* s, ctiRegion* region, ctError* err) {
  cti_mesh_source_default(source);
  source->name = s->head.name;
  source->content_type = s->content_type;
  if (s->builtin) {
    int shape = find_builtin(s->builtin);
    if (shape < 0)
      return cti_spec_error(err, CT_ERR_INVALID, &s->head, "\"%s\" is not a builtin mesh", s->builtin);
    source->builtin = (ctiMeshBuiltin)shape;
  }
  source->params = s->params.data;
  source->nparam = s->params.count;
  source->vertex = to_floats(region, &s->vertex);
  source->normal = to_floats(region, &s->normal);
  source->texcoord = to_floats(region, &s->texcoord);
  int* face = CTI_NEW_ARRAY(region, int, s->face.count);
  if (!source->vertex || !source->normal || !source->texcoord || !face) return cti_error_memory(err);
  for (int i = 0; i < s->face.count; i++) {
    const double vertex = s->face.data[i];
    if (!(vertex >= 0 && vertex <= INT32_MAX) || vertex != floor(vertex))
      return cti_spec_error(err, CT_ERR_INVALID, &s->head, "face: %g is not the number of a vertex", vertex);
    face[i] = (int)vertex;
  }
  source->face = face;
  source->nvertex = s->vertex.count;
  source->nnormal = s->normal.count;
  source->ntexcoord = s->texcoord.count;
  source->nface = s->face.count;
  memcpy(source->scale, s->scale, sizeof(s->scale));
  source->map = s->map;
  memcpy(source->refpos, s->refpos, sizeof(s->refpos));
  memcpy(source->refquat, s->refquat, sizeof(s->refquat));
  source->inertia = (ctiMeshInertia)s->inertia;
  source->smoothnormal = s->smoothnormal;
  source->maxhullvert = s->maxhullvert;
  return CT_OK;
}
