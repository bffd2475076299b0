#include "model/layout.h"

#include <string.h>

#include "base/alloc.h"

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

ctStatus cti_model_alloc(ctModel** out, const ctModel* sizes, const ctAllocator* allocator, ctError* err) {
  *out = NULL;
  if (!allocator) allocator = cti_allocator_default();
  ctModel counted = {0};
#define X(type, name, ...) counted.name = sizes->name;
#include "corten/fields/model_sizes.def"
#undef X
  size_t bytes = lay_out(&counted, false);
  ctModel* m = cti_alloc(allocator, bytes, CTI_ALIGN);
  if (!m) return cti_error_memory(err);
  memset(m, 0, bytes);
  *m = counted;
  m->nbuffer = (ctSize)bytes;
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
