#include "model/fields.h"

#include <limits.h>
#include <string.h>

#include "base/alloc.h"
#include "base/fn.h"
#include "model/binary.h"

// ---- the block

// Place the arrays behind the struct; returns the bytes of the whole block. With `place` false only counts.
static size_t lay_out(ctModel* m, bool place) {
#define X(type, name, ...)             \
  const size_t name = (size_t)m->name; \
  (void)name;
#include "corten/fields/model_sizes.def"
#undef X
  size_t offset = CTI_ALIGNED(sizeof(ctModel));
#define X(type, field, rows, cols, ...)                      \
  if (place) m->field = (type*)(void*)((ctByte*)m + offset); \
  offset += CTI_ALIGNED(sizeof(type) * (size_t)(rows) * (size_t)(cols));
#include "corten/fields/model.def"
#undef X
  return offset;
}

int64_t cti_model_measure(const ctModel* sizes, ctiLargest* largest) {
#define X(type, name, ...)          \
  const int64_t name = sizes->name; \
  (void)name;
#include "corten/fields/model_sizes.def"
#undef X
  int64_t bytes = sizeof(ctModel);
#define X(type, field, rows, cols, ...) CTI_MEASURE(bytes, largest, type, field, rows, cols);
#include "corten/fields/model.def"
#undef X
  return bytes;
}

// A hash of how long the arrays of a data are.
static uint64_t sizes_id(const ctModel* m) {
  uint64_t id = 1469598103934665603u;
#define X(type, name, ...)                 \
  const uint64_t name = (uint64_t)m->name; \
  (void)name;
#include "corten/fields/model_sizes.def"
#undef X
#define X(type, field, rows, cols, ...) id = (id ^ (uint64_t)(rows) * (uint64_t)(cols)) * 1099511628211u;
#include "corten/fields/data.def"
#undef X
  return id;
}

ctStatus cti_model_check_sizes(const ctModel* m, ctError* err) {
  const char* wrong = cti_sizes_check(m);
  if (wrong)
    return cti_error(err, CT_ERR_ARGUMENT,
                     "the size %s of the model was set to what no model has: sizes are only read", wrong);
  if (m->sizes_id == sizes_id(m) && m->nbuffer == (ctSize)lay_out((ctModel*)(uintptr_t)m, false))
    return CT_OK;
  return cti_error(err, CT_ERR_ARGUMENT,
                   "a size of the model was changed after it was made: sizes are only read");
}

ctStatus cti_model_alloc(ctModel** out, const ctModel* sizes, const ctAllocator* allocator, ctError* err) {
  *out = NULL;
  if (!allocator) allocator = cti_allocator_default();
  ctModel counted = {0};
#define X(type, name, ...) counted.name = sizes->name;
#include "corten/fields/model_sizes.def"
#undef X
  ctiLargest largest = {0};
  int64_t measured = cti_model_measure(&counted, &largest);
  if (largest.elements > INT_MAX || measured >= CTI_SIZE_MAX)
    return cti_error(err, CT_ERR_LIMIT, "the model is too large: field %s", largest.name);
  size_t bytes = lay_out(&counted, false);
  ctModel* m = cti_alloc(allocator, bytes, CTI_ALIGN);
  if (!m) return cti_error_memory(err);
  memset(m, 0, bytes);
  *m = counted;
  m->nbuffer = (ctSize)bytes;
  m->sizes_id = sizes_id(m);
  m->allocator = *allocator;
  lay_out(m, true);
  *out = m;
  return CT_OK;
}

void ct_model_free(ctModel* m) {
  if (!m) return;
  ctAllocator allocator = m->allocator;
  cti_release(&allocator, m);
}

ctStatus ct_model_copy(ctModel** out, const ctModel* m, ctError* err) {
  if (!out || !m) return cti_error(err, CT_ERR_ARGUMENT, "ct_model_copy: out and m must not be NULL");
  *out = NULL;
  ctModel* copy = cti_alloc(&m->allocator, (size_t)m->nbuffer, CTI_ALIGN);
  if (!copy) return cti_error_memory(err);
  memcpy(copy, m, (size_t)m->nbuffer);
  lay_out(copy, true);
  *out = copy;
  return CT_OK;
}

size_t ct_model_bytes(const ctModel* m) {
  return m ? (size_t)m->nbuffer : 0;
}

// ---- fields by name

size_t ct_field_size(ctFieldType type) {
  static const size_t bytes[CT_FIELD_COUNT] = {
      [CT_FIELD_REAL] = sizeof(ctReal),       [CT_FIELD_FLOAT] = sizeof(float),
      [CT_FIELD_INT] = sizeof(int),           [CT_FIELD_SIZE] = sizeof(ctSize),
      [CT_FIELD_BYTE] = sizeof(ctByte),       [CT_FIELD_BOOL] = sizeof(ctBool),
      [CT_FIELD_CHAR] = sizeof(char),         [CT_FIELD_POINTER] = sizeof(uintptr_t),
      [CT_FIELD_CONTACT] = sizeof(ctContact),
  };
  return (unsigned)type < CT_FIELD_COUNT ? bytes[type] : 0;
}

const ctiFieldRow* cti_field_find(const ctiFieldRow* table, int count, const char* name) {
  for (int i = 0; i < count; i++) {
    if (strcmp(table[i].info.name, name) == 0) return &table[i];
  }
  return NULL;
}

void cti_field_fill(ctField* out, const ctiFieldRow* row, const void* base, int64_t rows, int64_t cols) {
  const char* at = (const char*)base + row->offset;
  out->name = row->info.name;
  out->type = row->info.type;
  out->ndim = row->info.ndim;
  if (row->inside) {
    out->data = (void*)at;
    out->rows = row->inside;
    out->cols = 1;
  } else {
    memcpy(&out->data, at, sizeof(void*));
    if (rows * cols == 0) out->data = NULL;
    out->rows = rows;
    out->cols = cols;
  }
}

// Arrays first, so that a row's index among them is its index in the shapes.
static const ctiFieldRow model_rows[] = {
#define X(type, name, rows, cols, doc) CTI_FIELD_ARRAY(ctModel, type, CT_PLACE_BLOCK, name, rows, cols, doc)
#include "corten/fields/model.def"
#undef X
#define X(type, name, doc) CTI_FIELD_INSIDE(ctModel, type, CT_PLACE_SIZE, #name, name, 1, doc)
#include "corten/fields/model_sizes.def"
#undef X
#define X(type, name, count, doc) CTI_FIELD_INSIDE(ctModel, type, CT_PLACE_MEMBER, #name, name, count, doc)
#include "corten/fields/model_scalars.def"
#undef X
#define X(type, name, count, doc) \
  CTI_FIELD_INSIDE(ctModel, type, CT_PLACE_MEMBER, "opt." #name, opt.name, count, doc)
#include "corten/fields/option.def"
#undef X
#define X(type, name, count, doc) \
  CTI_FIELD_INSIDE(ctModel, type, CT_PLACE_MEMBER, "stat." #name, stat.name, count, doc)
#include "corten/fields/statistic.def"
#undef X
#define GROUP(group)
#define END(group)
#define X(group, type, name, count, doc) \
  CTI_FIELD_INSIDE(ctModel, type, CT_PLACE_MEMBER, "vis." #group "." #name, vis.group.name, count, doc)
#include "corten/fields/visual.def"
#undef X
#undef GROUP
#undef END
};
#define MODEL_ROW_COUNT CT_COUNT_OF(model_rows)

// The arrays by number.
enum {
#define X(type, name, ...) ARRAY_##name,
#include "corten/fields/model.def"
#undef X
};

// Rows and columns of the i-th array.
static void model_shape(const ctModel* m, int i, int64_t* rows_out, int64_t* cols_out) {
#define X(type, name, ...)      \
  const int64_t name = m->name; \
  (void)name;
#include "corten/fields/model_sizes.def"
#undef X
  switch (i) {
#define X(type, name, rows, cols, ...) \
  case ARRAY_##name:                   \
    *rows_out = rows;                  \
    *cols_out = cols;                  \
    break;
#include "corten/fields/model.def"
#undef X
    default: break;
  }
}

void cti_model_field_at(const ctModel* m, int i, ctField* out) {
  int64_t rows = 0, cols = 0;
  if (!model_rows[i].inside) model_shape(m, i, &rows, &cols);
  cti_field_fill(out, &model_rows[i], m, rows, cols);
}

const ctiFieldRow* cti_model_field_row(const char* name) {
  return cti_field_find(model_rows, MODEL_ROW_COUNT, name);
}

ctStatus ct_model_field(const ctModel* m, const char* name, ctField* out) {
  if (!m || !name || !out) return CT_ERR_ARGUMENT;
  const ctiFieldRow* row = cti_model_field_row(name);
  if (!row) return CT_ERR_NOT_FOUND;
  cti_model_field_at(m, (int)(row - model_rows), out);
  return CT_OK;
}

int ct_model_field_count(void) {
  return MODEL_ROW_COUNT;
}

const char* ct_model_field_name(int i) {
  return i >= 0 && i < MODEL_ROW_COUNT ? model_rows[i].info.name : NULL;
}

const ctFieldInfo* ct_model_field_info(int i) {
  return i >= 0 && i < MODEL_ROW_COUNT ? &model_rows[i].info : NULL;
}

const char* ct_model_compare(const ctModel* a, const ctModel* b) {
  if (!a || !b) return a == b ? NULL : "";
  for (int i = 0; i < MODEL_ROW_COUNT; i++) {
    ctField fa, fb;
    cti_model_field_at(a, i, &fa);
    cti_model_field_at(b, i, &fb);
    if (!cti_field_equal(&fa, &fb)) return fa.name;
  }
  return NULL;
}

bool cti_field_equal(const ctField* a, const ctField* b) {
  if (a->type != b->type || a->rows != b->rows || a->cols != b->cols) return false;
  size_t bytes = ct_field_size(a->type) * (size_t)(a->rows * a->cols);
  return bytes == 0 || memcmp(a->data, b->data, bytes) == 0;
}

double cti_field_number(const ctField* f, int64_t i) {
  switch (f->type) {
    case CT_FIELD_REAL: return (double)((const ctReal*)f->data)[i];
    case CT_FIELD_FLOAT: return (double)((const float*)f->data)[i];
    case CT_FIELD_INT: return ((const int*)f->data)[i];
    case CT_FIELD_SIZE: return (double)((const ctSize*)f->data)[i];
    case CT_FIELD_BYTE: return ((const ctByte*)f->data)[i];
    case CT_FIELD_BOOL: return ((const ctBool*)f->data)[i] ? 1 : 0;
    default: return 0;
  }
}
