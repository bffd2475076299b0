#include "asset/load.h"

#include <math.h>
#include <string.h>

#include "asset/decode.h"

static ctStatus check_multiple(const char* what, int count, int width, ctError* err) {
  if (count < 0 || count % width != 0) {
    return cti_error(err, CT_ERR_INVALID, "%s has %d numbers: must be a multiple of %d", what, count, width);
  }
  if (count / width > CTI_MESH_MAX_COUNT) {
    return cti_error(err, CT_ERR_LIMIT, "%s has %d rows, at most %d are allowed", what, count / width,
                     CTI_MESH_MAX_COUNT);
  }
  return CT_OK;
}

static void* copy_array(const void* from, int count, size_t size, ctiRegion* region) {
  void* to = cti_region_array(region, (size_t)count, size, size);
  if (to && count > 0) memcpy(to, from, size * (size_t)count);
  return to;
}

static ctStatus copy_arrays(ctiRawMesh* out, const ctiMeshSource* s, ctiRegion* region, ctError* err) {
  CT_TRY(check_multiple("vertex", s->nvertex, 3, err));
  CT_TRY(check_multiple("normal", s->nnormal, 3, err));
  CT_TRY(check_multiple("texcoord", s->ntexcoord, 2, err));
  CT_TRY(check_multiple("face", s->nface, 3, err));
  *out = (ctiRawMesh){.nvert = s->nvertex / 3,
                      .nnormal = s->nnormal / 3,
                      .ntexcoord = s->ntexcoord / 2,
                      .nface = s->nface / 3};
  out->vert = cti_widen(s->vertex, (size_t)s->nvertex, region);
  out->normal = (float*)copy_array(s->normal, s->nnormal, sizeof(float), region);
  out->texcoord = (float*)copy_array(s->texcoord, s->ntexcoord, sizeof(float), region);
  out->face = (int*)copy_array(s->face, s->nface, sizeof(int), region);
  if (!out->vert || !out->normal || !out->texcoord || !out->face) return cti_error_memory(err);
  return CT_OK;
}

static ctStatus read_source(ctiRawMesh* out, bool* flat, const ctiMeshSource* s, ctiRegion* region,
                            ctError* err) {
  int given = (s->data != NULL) + (s->builtin != CTI_BUILTIN_NONE) + (s->nvertex > 0);
  if (given > 1) return cti_error(err, CT_ERR_INVALID, "only one of file, builtin and vertex may be given");
  if (given == 0) return cti_error(err, CT_ERR_INVALID, "one of file, builtin and vertex must be given");
  if (s->data) return cti_mesh_decode(out, s->file, s->content_type, s->data, s->size, region, err);
  if (s->builtin != CTI_BUILTIN_NONE) {
    return cti_builtin_make(out, flat, s->builtin, s->params, s->nparam, region, err);
  }
  return copy_arrays(out, s, region, err);
}

static ctStatus check_finite(const ctiRawMesh* m, ctError* err) {
  for (int i = 0; i < 3 * m->nvert; i++) {
    if (!isfinite(m->vert[i])) return cti_error(err, CT_ERR_INVALID, "vertex %d is not finite", i / 3);
  }
  for (int i = 0; i < 3 * m->nnormal; i++) {
    if (!isfinite(m->normal[i])) return cti_error(err, CT_ERR_INVALID, "normal %d is not finite", i / 3);
  }
  return CT_OK;
}

static ctStatus check_indices(const char* what, const int* index, int nface, int count, ctError* err) {
  for (int i = 0; index && i < 3 * nface; i++) {
    if (index[i] < 0 || index[i] >= count) {
      return cti_error(err, CT_ERR_INVALID, "face %d refers to %s %d, but there are %d (counted from 0)",
                       i / 3, what, index[i], count);
    }
  }
  return CT_OK;
}

static ctStatus check_mesh(const ctiRawMesh* m, ctError* err) {
  if (m->nvert < 4)
    return cti_error(err, CT_ERR_INVALID, "there are %d vertices, at least 4 are needed", m->nvert);
  CT_TRY(check_finite(m, err));
  CT_TRY(check_indices("vertex", m->face, m->nface, m->nvert, err));
  CT_TRY(check_indices("normal", m->facenormal, m->nface, m->nnormal, err));
  CT_TRY(check_indices("texture coordinate", m->facetexcoord, m->nface, m->ntexcoord, err));
  if (m->ntexcoord > 0 && !m->facetexcoord && m->ntexcoord != m->nvert) {
    return cti_error(err, CT_ERR_INVALID, "there are %d vertices and %d texture coordinates: must be as many",
                     m->nvert, m->ntexcoord);
  }
  return CT_OK;
}

ctStatus cti_mesh_load(ctiRawMesh* out, bool* flat, const ctiMeshSource* source, ctiRegion* region,
                       ctError* err) {
  *out = (ctiRawMesh){0};
  *flat = false;
  CT_TRY(read_source(out, flat, source, region, err));
  return check_mesh(out, err);
}
