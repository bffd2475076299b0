// Columns of a store: world by world in host memory, as the kernels like them on the device.
#include "cuda/gpu.h"

static bool is_row_major(ctiStore store) {
  return store == CTI_STORE_VALUES;
}

static ctReal* store_of(const Gpu* g, ctiStore store) {
  ctReal* const stores[CTI_STORE_COUNT] = {g->k.state, g->k.carried, g->k.output, g->k.value_rows};
  return stores[store];
}

// The columns as they lie on the device, to or from the staging memory: column by column, or row by row.
ctStatus gpu_transfer(Gpu* g, ctiColumn c, bool to_device, ctError* err) {
  size_t n = (size_t)g->nworld, width = (size_t)c.width * sizeof(ctReal);
  if (is_row_major(c.store)) {
    size_t pitch = (size_t)g->k.value_width * sizeof(ctReal);
    char* at = (char*)(g->k.value_rows + c.offset);
    return to_device ? gpu_copy_rows(g, at, pitch, g->staging, width, width, n, err)
                     : gpu_copy_rows(g, g->staging, width, at, pitch, width, n, err);
  }
  ctReal* at = store_of(g, c.store) + (size_t)c.offset * n;
  return to_device ? gpu_copy(g, at, g->staging, width * n, err)
                   : gpu_copy(g, g->staging, at, width * n, err);
}

static ctReal* staged(const Gpu* g, ctiColumn c, int world, int k) {
  return is_row_major(c.store) ? g->staging + (size_t)world * (size_t)c.width + (size_t)k
                               : g->staging + (size_t)k * (size_t)g->nworld + (size_t)world;
}

ctStatus gpu_read(void* self, ctiColumn c, const int* ids, int nids, void* values, ctError* err) {
  Gpu* g = (Gpu*)self;
  CT_TRY(gpu_settle(g, err));
  CT_TRY(gpu_stage(g, (size_t)g->nworld * (size_t)c.width * sizeof(ctReal), err));
  CT_TRY(gpu_transfer(g, c, false, err));
  char* to = values;
  for (int i = 0; i < nids; i++) {
    for (int k = 0; k < c.width; k++, to += g->real_bytes)
      gpu_convert(to, g->real_bytes, staged(g, c, ids ? ids[i] : i, k), (int)sizeof(ctReal), 1);
  }
  return CT_OK;
}

ctStatus gpu_write(void* self, ctiColumn c, const int* ids, int nids, const void* values, ctError* err) {
  Gpu* g = (Gpu*)self;
  CT_TRY(gpu_settle(g, err));
  CT_TRY(gpu_stage(g, (size_t)g->nworld * (size_t)c.width * sizeof(ctReal), err));
  if (ids) CT_TRY(gpu_transfer(g, c, false, err));
  const char* from = values;
  for (int i = 0; i < nids; i++) {
    for (int k = 0; k < c.width; k++, from += g->real_bytes)
      gpu_convert(staged(g, c, ids ? ids[i] : i, k), (int)sizeof(ctReal), from, g->real_bytes, 1);
  }
  return gpu_transfer(g, c, true, err);
}

ctStatus gpu_view(void* self, ctiColumn c, ctBatchView* view, ctError* err) {
  Gpu* g = (Gpu*)self;
  CT_TRY(gpu_settle(g, err));
  bool rows = is_row_major(c.store);
  view->device = g->device;
  view->real_bytes = (int)sizeof(ctReal);
  view->data =
      rows ? g->k.value_rows + c.offset : store_of(g, c.store) + (size_t)c.offset * (size_t)g->nworld;
  view->stride[0] = rows ? g->k.value_width : 1;
  view->stride[1] = rows ? 1 : g->nworld;
  return CT_OK;
}
