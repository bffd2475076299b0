#include "data/layout.h"

// Arrays start at multiples of this many bytes.
#define DATA_ALIGN          64
#define DATA_ALIGNED(bytes) (((size_t)(bytes) + DATA_ALIGN - 1) / DATA_ALIGN * DATA_ALIGN)

CT_FN size_t cti_data_array_bytes(const ctModel* m) {
  // the sizes of the model as plain names, which the lists of fields use
#define X(type, name, ...)             \
  const size_t name = (size_t)m->name; \
  (void)name;
#include "corten/fields/model_sizes.def"
#undef X
  size_t bytes = 0;
#define X(type, field, rows, cols, ...) bytes += DATA_ALIGNED(sizeof(type) * (size_t)(rows) * (size_t)(cols));
#include "corten/fields/data.def"
#undef X
  return bytes;
}

CT_FN void cti_data_lay_out(const ctModel* m, ctData* d, ctByte* block) {
#define X(type, name, ...)             \
  const size_t name = (size_t)m->name; \
  (void)name;
#include "corten/fields/model_sizes.def"
#undef X
  size_t offset = 0;
#define X(type, field, rows, cols, ...)      \
  d->field = (type*)(void*)(block + offset); \
  offset += DATA_ALIGNED(sizeof(type) * (size_t)(rows) * (size_t)(cols));
#include "corten/fields/data.def"
#undef X
}

CT_FN void cti_data_clear_arena(ctData* d) {
  d->parena = 0;
  d->pstack = 0;
  d->ncon = d->ne = d->nf = d->nl = d->nefc = d->nJ = d->nY = d->nA = d->nisland = d->nidof = 0;
#define X(type, field, rows, cols, ...) d->field = (type*)0;
#include "corten/fields/data_arena.def"
#undef X
}
