// Height fields: elevations between 0 and 1, rows from the lowest y upwards.
#include <math.h>
#include <string.h>

#include "compile/build.h"

// Stretch to the unit range and put the last row first: files and lists start at the top.
static ctStatus take(ctiBuild* b, const ctiHField* s, ctiBuildHField* out, const float* top_down) {
  int n = out->nrow * out->ncol;
  float low = INFINITY, high = -INFINITY;
  for (int i = 0; i < n; i++) {
    low = fminf(low, top_down[i]);
    high = fmaxf(high, top_down[i]);
  }
  if (!isfinite(low) || !isfinite(high))
    return cti_spec_error(b->err, CT_ERR_INVALID, &s->head, "an elevation is not a number");
  for (int r = 0; r < out->nrow; r++) {
    for (int c = 0; c < out->ncol; c++) {
      float z = top_down[(out->nrow - 1 - r) * out->ncol + c] - low;
      out->data[r * out->ncol + c] = high > low ? z / (high - low) : 0;
    }
  }
  return CT_OK;
}

static ctStatus set_size(ctiBuild* b, const ctiHField* s, ctiBuildHField* out, int nrow, int ncol) {
  if (nrow < 2 || ncol < 2)
    return cti_spec_error(b->err, CT_ERR_INVALID, &s->head,
                          "a height field has at least 2 rows and 2 columns");
  if ((int64_t)nrow * ncol > 100000000)
    return cti_spec_error(b->err, CT_ERR_LIMIT, &s->head, "the height field is too large: %d x %d", nrow,
                          ncol);
  out->nrow = nrow;
  out->ncol = ncol;
  out->data = CTI_NEW_ARRAY(b->region, float, (size_t)nrow*(size_t)ncol);
  return out->data ? CT_OK : cti_error_memory(b->err);
}

static ctStatus from_png(ctiBuild* b, const ctiHField* s, ctiBuildHField* out, const ctiFile* file) {
  ctiImage image;
  ctError inner = {0};
  ctStatus status = cti_image_from_png(&image, file->data, file->size, 3, out->path, b->region, &inner);
  if (status != CT_OK) return cti_spec_error(b->err, status, &s->head, "%s: %s", out->path, inner.message);
  CT_TRY(set_size(b, s, out, image.height, image.width));
  float* red = CTI_NEW_ARRAY(b->region, float, (size_t)image.width*(size_t)image.height);
  if (!red) return cti_error_memory(b->err);
  for (int i = 0; i < image.width * image.height; i++) red[i] = (float)image.data[3 * i];
  return take(b, s, out, red);
}

// nrow, ncol, then the elevations from the bottom up.
static ctStatus from_binary(ctiBuild* b, const ctiHField* s, ctiBuildHField* out, const ctiFile* file) {
  int head[2];
  if (file->size < sizeof(head))
    return cti_spec_error(b->err, CT_ERR_SYNTAX, &s->head, "%s is cut short", out->path);
  memcpy(head, file->data, sizeof(head));
  CT_TRY(set_size(b, s, out, head[0], head[1]));
  size_t n = (size_t)head[0] * (size_t)head[1];
  if (file->size != sizeof(head) + 4 * n) {
    return cti_spec_error(b->err, CT_ERR_SYNTAX, &s->head, "%s has not the length of %d x %d elevations",
                          out->path, head[0], head[1]);
  }
  float* flipped = CTI_NEW_ARRAY(b->region, float, n);
  if (!flipped) return cti_error_memory(b->err);
  for (int r = 0; r < head[0]; r++) {
    memcpy(flipped + (size_t)(head[0] - 1 - r) * (size_t)head[1],
           file->data + sizeof(head) + 4 * (size_t)r * (size_t)head[1], 4 * (size_t)head[1]);
  }
  return take(b, s, out, flipped);
}

static ctStatus make(ctiBuild* b, const ctiHField* s, ctiBuildHField* out) {
  for (int k = 0; k < 4; k++) {
    if (!(s->size[k] > 0))
      return cti_spec_error(b->err, CT_ERR_INVALID, &s->head, "size needs four positive numbers");
  }
  if (!s->file) {
    CT_TRY(set_size(b, s, out, s->nrow, s->ncol));
    if (s->elevation.count == 0) return CT_OK;
    if (s->elevation.count != out->nrow * out->ncol) {
      return cti_spec_error(b->err, CT_ERR_INVALID, &s->head, "elevation has %d numbers, nrow * ncol is %d",
                            s->elevation.count, s->nrow * s->ncol);
    }
    float* given = CTI_NEW_ARRAY(b->region, float, s->elevation.count);
    if (!given) return cti_error_memory(b->err);
    for (int i = 0; i < s->elevation.count; i++) given[i] = (float)s->elevation.data[i];
    return take(b, s, out, given);
  }
  ctiFile file;
  CT_TRY(
      cti_read_asset(b, &s->head, cti_compiler_of(b->spec, &s->head)->meshdir, s->file, &file, &out->path));
  bool png = file.size > 4 && memcmp(file.data, "\x89PNG", 4) == 0;
  ctStatus status = png ? from_png(b, s, out, &file) : from_binary(b, s, out, &file);
  cti_file_release(&file, &b->spec->allocator);
  return status;
}

ctStatus cti_pass_hfields(ctiBuild* b) {
  int n = b->spec->hfields.count;
  b->hfield = CTI_NEW_ARRAY(b->region, ctiBuildHField, n);
  if (!b->hfield) return cti_error_memory(b->err);
  for (int i = 0; i < n; i++) {
    b->at = &b->spec->hfields.data[i]->head;
    CT_TRY(make(b, b->spec->hfields.data[i], &b->hfield[i]));
    CT_TRY(CTI_GROW(b, nhfielddata, (int64_t)b->hfield[i].nrow * b->hfield[i].ncol,
                    &b->spec->hfields.data[i]->head));
  }
  for (int i = 0; i < b->sizes.ngeom; i++) {
    ctiBuildGeom* g = &b->geom[i];
    if (g->spec->hfield && g->spec->type != CT_GEOM_HFIELD)
      return cti_spec_error(b->err, CT_ERR_INVALID, &g->spec->head,
                            "only a geom of type=\"hfield\" has a height field");
    if (g->spec->type != CT_GEOM_HFIELD) continue;
    if (!g->spec->hfield)
      return cti_spec_error(b->err, CT_ERR_INVALID, &g->spec->head,
                            "a geom of this type needs the attribute \"hfield\"");
    CT_TRY(cti_find_object(&g->hfield, b, CT_OBJ_HFIELD, g->spec->hfield, &g->spec->head));
    const double* size = b->spec->hfields.data[g->hfield]->size;
    g->size[0] = (ctReal)size[0];
    g->size[1] = (ctReal)size[1];
    g->size[2] = (ctReal)(0.25 * size[2] + 0.5 * size[3]);
  }
  return CT_OK;
}

ctStatus cti_pass_fill_hfields(ctiBuild* b) {
  ctModel* m = b->m;
  int adr = 0;
  for (int i = 0; i < m->nhfield; i++) {
    const ctiBuildHField* h = &b->hfield[i];
    int n = h->nrow * h->ncol;
    cti_to_real(m->hfield_size + 4 * i, b->spec->hfields.data[i]->size, 4);
    m->hfield_nrow[i] = h->nrow;
    m->hfield_ncol[i] = h->ncol;
    m->hfield_adr[i] = adr;
    memcpy(m->hfield_data + adr, h->data, sizeof(float) * (size_t)n);
    adr += n;
  }
  return CT_OK;
}
