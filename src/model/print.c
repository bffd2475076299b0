#include "model/print.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/fn.h"
#include "model/fields.h"

// Rows of one field; what lies beyond is counted only.
#define MAX_ROWS 200
#define MAX_COLS 24

void cti_print(ctiPrinter* p, const char* format, ...) {
  va_list args;
  va_start(args, format);
  size_t left = p->length < p->size ? p->size - p->length : 0;
  int n = cti_vformat(left ? p->buffer + p->length : NULL, left, format, args);
  va_end(args);
  if (n > 0) p->length += (size_t)n;
}

// Whose rows a field has: the beginning of its name says.
static const struct {
  const char* prefix;
  ctObjType type;
} owners[] = {
    {"body_", CT_OBJ_BODY},
    {"jnt_", CT_OBJ_JOINT},
    {"geom_", CT_OBJ_GEOM},
    {"site_", CT_OBJ_SITE},
    {"cam_", CT_OBJ_CAMERA},
    {"light_", CT_OBJ_LIGHT},
    {"mesh_", CT_OBJ_MESH},
    {"hfield_", CT_OBJ_HFIELD},
    {"tex_", CT_OBJ_TEXTURE},
    {"mat_", CT_OBJ_MATERIAL},
    {"pair_", CT_OBJ_PAIR},
    {"exclude_", CT_OBJ_EXCLUDE},
    {"eq_", CT_OBJ_EQUALITY},
    {"tendon_", CT_OBJ_TENDON},
    {"ten_", CT_OBJ_TENDON},
    {"sensor_", CT_OBJ_SENSOR},
    {"actuator_", CT_OBJ_ACTUATOR},
    {"numeric_", CT_OBJ_NUMERIC},
    {"key_", CT_OBJ_KEY},
    {"xanchor", CT_OBJ_JOINT},
    {"xaxis", CT_OBJ_JOINT},
    {"x", CT_OBJ_BODY},
    {"c", CT_OBJ_BODY},
    {"subtree_", CT_OBJ_BODY},
};

static const char* row_name(const ctModel* m, const ctField* f, int row) {
  for (int i = 0; i < CT_COUNT_OF(owners); i++) {
    if (strncmp(f->name, owners[i].prefix, strlen(owners[i].prefix)) != 0) continue;
    const char* name =
        f->rows == ct_model_count(m, owners[i].type) ? ct_model_id2name(m, owners[i].type, row) : NULL;
    return name ? name : "";
  }
  return "";
}

static void print_contact(ctiPrinter* p, const ctContact* c) {
  cti_print(p, " geoms %d %d  dist %.9g  pos %.9g %.9g %.9g  normal %.9g %.9g %.9g  dim %d  row %d",
            c->geom[0], c->geom[1], (double)c->dist, (double)c->pos[0], (double)c->pos[1], (double)c->pos[2],
            (double)c->frame[0], (double)c->frame[1], (double)c->frame[2], c->dim, c->efc_address);
}

static void print_element(ctiPrinter* p, const ctField* f, int64_t i) {
  const char* at = (const char*)f->data + (size_t)i * ct_field_size(f->type);
  switch (f->type) {
    case CT_FIELD_REAL: cti_print(p, " %.9g", (double)*(const ctReal*)(const void*)at); break;
    case CT_FIELD_FLOAT: cti_print(p, " %.9g", (double)*(const float*)(const void*)at); break;
    case CT_FIELD_INT: cti_print(p, " %d", *(const int*)(const void*)at); break;
    case CT_FIELD_SIZE: cti_print(p, " %" PRId64, *(const int64_t*)(const void*)at); break;
    case CT_FIELD_BYTE: cti_print(p, " %u", (unsigned)*(const ctByte*)(const void*)at); break;
    case CT_FIELD_BOOL: cti_print(p, " %s", *(const ctBool*)(const void*)at ? "true" : "false"); break;
    case CT_FIELD_CONTACT: print_contact(p, (const ctContact*)(const void*)at); break;
    default: cti_print(p, " ?");
  }
}

void cti_print_field(ctiPrinter* p, const ctModel* m, const ctField* f) {
  bool raw = f->type == CT_FIELD_CHAR || f->type == CT_FIELD_POINTER;
  int64_t count = f->rows * f->cols;
  if (!f->data || count == 0) return;
  bool short_row = f->ndim == 0 || (f->ndim == 1 && count <= 8);
  cti_print(p, "%-24s", f->name);
  if (raw) {
    cti_print(p, " (%" PRId64 " %s)\n", count, f->type == CT_FIELD_CHAR ? "characters" : "addresses");
    return;
  }
  if (short_row) {
    for (int64_t i = 0; i < count; i++) print_element(p, f, i);
    cti_print(p, "\n");
    return;
  }
  cti_print(p, " (%" PRId64 " x %" PRId64 ")\n", f->rows, f->cols);
  for (int64_t row = 0; row < f->rows && row < MAX_ROWS; row++) {
    cti_print(p, "  %5" PRId64 " %-20s", row, row_name(m, f, (int)row));
    for (int64_t k = 0; k < f->cols && k < MAX_COLS; k++) print_element(p, f, row * f->cols + k);
    cti_print(p, f->cols > MAX_COLS ? " ...\n" : "\n");
  }
  if (f->rows > MAX_ROWS) cti_print(p, "  ... %" PRId64 " more rows\n", f->rows - MAX_ROWS);
}

size_t ct_model_print(const ctModel* m, char* buffer, size_t size) {
  ctiPrinter p = {buffer, buffer ? size : 0, 0};
  if (p.size) buffer[0] = 0;
  if (!m) return 0;
  cti_print(&p, "model \"%s\"\n\n", m->names);
  for (int i = 0; i < ct_model_field_count(); i++) {
    ctField f;
    cti_model_field_at(m, i, &f);
    cti_print_field(&p, m, &f);
  }
  return p.length;
}
