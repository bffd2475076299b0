// Where the arrays of a model lie, and its fields by name and by number. The tables are built from the lists
// in corten/fields/; data uses the same kind of table.
#pragma once

#include "base/alloc.h"
#include "base/error.h"
#include "corten/model.h"
#include "corten/types.h"

#define CTI_ALIGN 64

// Next multiple of CTI_ALIGN.
#define CTI_ALIGNED(bytes) (((size_t)(bytes) + CTI_ALIGN - 1) / CTI_ALIGN * CTI_ALIGN)

// What takes most of a measured block, and the largest number of elements of an array that ints lead into.
typedef struct ctiLargest {
  const char* name;
  int64_t bytes, elements;
} ctiLargest;

// Bytes of a block, counted so that nothing wraps; `largest` is updated. Ints lead to every element of an
// array but those of texts and pictures, so more than INT_MAX of them are too many.
#define CTI_MEASURE(total, largest, type, field, rows, cols)                                          \
  do {                                                                                                \
    int64_t elements_ = cti_size_mul((rows), (cols)), bytes_ = cti_size_mul(sizeof(type), elements_); \
    (total) = cti_size_add((total), cti_size_add(bytes_, CTI_ALIGN));                                 \
    if (sizeof(type) > 1 && elements_ > (largest)->elements) (largest)->elements = elements_;         \
    if (bytes_ > (largest)->bytes) (largest)->bytes = bytes_, (largest)->name = #field;               \
  } while (0)

// Bytes that a model with these sizes takes at most. None of them may be negative.
int64_t cti_model_measure(const ctModel* sizes, ctiLargest* largest);

// Allocate a model with the sizes of `sizes` (its other members are ignored), all else zero.
ctStatus cti_model_alloc(ctModel** out, const ctModel* sizes, const ctAllocator* allocator, ctError* err);

// CT_ERR_ARGUMENT when its sizes are not those it was allocated with: its arrays have other lengths.
ctStatus cti_model_check_sizes(const ctModel* m, ctError* err);

// ---- tables of fields

// Field type of a C type in the lists.
#define CTI_FIELD_TYPE_ctReal    CT_FIELD_REAL
#define CTI_FIELD_TYPE_float     CT_FIELD_FLOAT
#define CTI_FIELD_TYPE_double    CT_FIELD_REAL
#define CTI_FIELD_TYPE_int       CT_FIELD_INT
#define CTI_FIELD_TYPE_ctSize    CT_FIELD_SIZE
#define CTI_FIELD_TYPE_ctByte    CT_FIELD_BYTE
#define CTI_FIELD_TYPE_ctBool    CT_FIELD_BOOL
#define CTI_FIELD_TYPE_char      CT_FIELD_CHAR
#define CTI_FIELD_TYPE_uintptr_t CT_FIELD_POINTER
#define CTI_FIELD_TYPE_ctContact CT_FIELD_CONTACT

typedef struct ctiFieldRow {
  ctFieldInfo info;
  size_t offset;  // in the struct
  int inside;     // elements inside the struct: 1 scalar, more a short array; 0 a pointer to an array
} ctiFieldRow;

// 1 when a column count is written as the literal 1, else 2.
#define CTI_NDIM(cols) ((int)(sizeof(#cols) == sizeof("1") && #cols[0] == '1' ? 1 : 2))

// Rows of a table: a number or a short array in the struct, an array behind a pointer.
#define CTI_FIELD_INSIDE(owner, type_, place_, name_, member, count, doc_) \
  {.info = {.name = (name_),                                               \
            .type = CTI_FIELD_TYPE_##type_,                                \
            .place = (place_),                                             \
            .ndim = (count) > 1 ? 1 : 0,                                   \
            .rows = #count,                                                \
            .cols = "1",                                                   \
            .doc = (doc_)},                                                \
   .offset = offsetof(owner, member),                                      \
   .inside = (count)},
#define CTI_FIELD_ARRAY(owner, type_, place_, member, rows_, cols_, doc_) \
  {.info = {.name = #member,                                              \
            .type = CTI_FIELD_TYPE_##type_,                               \
            .place = (place_),                                            \
            .ndim = CTI_NDIM(cols_),                                      \
            .rows = #rows_,                                               \
            .cols = #cols_,                                               \
            .doc = (doc_)},                                               \
   .offset = offsetof(owner, member)},

// Row of a name in a table, NULL when there is none.
const ctiFieldRow* cti_field_find(const ctiFieldRow* table, int count, const char* name);

// Fill in `out` for a row of the struct at `base`; `rows` and `cols` are the shape of an array.
void cti_field_fill(ctField* out, const ctiFieldRow* row, const void* base, int64_t rows, int64_t cols);

// ---- fields of a model

// Model fields by name and by number: the table behind ct_model_field().
const ctiFieldRow* cti_model_field_row(const char* name);  // NULL when there is none

// The i-th field, 0 <= i < ct_model_field_count().
void cti_model_field_at(const ctModel* m, int i, ctField* out);

// Same shape, same bits.
bool cti_field_equal(const ctField* a, const ctField* b);

// Element i of a field as a number; 0 for what is none (text, addresses, contacts).
double cti_field_number(const ctField* f, int64_t i);
