// Outputs that are gathered after a step, and model values of every world.
#include <string.h>

#include "base/alloc.h"
#include "cuda/gpu.h"

// The member of `base` that holds a field, or the address of it.
static ctkItem find_member(const ctField* f, const void* base, size_t size, int column, int width) {
  ctkItem item = {.column = column, .width = width, .type = (int)f->type};
  const char* at = f->data;
  if (at >= (const char*)base && at < (const char*)base + size) {
    item.offset = (size_t)(at - (const char*)base);
    return item;
  }
  item.pointer = true;
  for (size_t i = 0; i + sizeof(void*) <= size; i += sizeof(void*)) {
    const void* member;
    memcpy(&member, (const char*)base + i, sizeof(member));
    if (member == f->data) item.offset = i;
  }
  return item;
}

static ctStatus upload_items(Gpu* g, ctkItem** device, const ctkItem* items, int count, ctError* err) {
  gpu_drop(g, *device, sizeof(ctkItem) * (size_t)(count - 1));
  CT_TRY(gpu_alloc(g, (void**)device, sizeof(ctkItem) * (size_t)count, err));
  return gpu_copy(g, *device, items, sizeof(ctkItem) * (size_t)count, err);
}

ctStatus gpu_add_output(void* self, const char* name, int width, ctError* err) {
  Gpu* g = (Gpu*)self;
  CT_TRY(gpu_settle(g, err));
  ctField f;
  CT_TRY(ct_data_field(g->m, g->probe, name, &f));
  ctkItem item = find_member(&f, g->probe, sizeof(ctData), g->k.output_width, width);
  if (width > 0 && item.pointer && item.offset == 0)
    return cti_error(err, CT_ERR_INVALID, "\"%s\" cannot be an output on the GPU", name);
  ctReal* wider;
  size_t n = (size_t)g->nworld, old = n * (size_t)g->k.output_width * sizeof(ctReal);
  CT_TRY(gpu_alloc(g, (void**)&wider, old + n * (size_t)width * sizeof(ctReal), err));
  if (old) CT_TRY(gpu_copy(g, wider, g->k.output, old, err));
  gpu_drop(g, g->k.output, old);
  g->k.output = wider;
  g->k.output_width += width;
  if (cti_array_push(&g->outputs, NULL, item) != CT_OK) return cti_error_memory(err);
  return upload_items(g, &g->device_outputs, g->outputs.data, g->outputs.count, err);
}

ctStatus gpu_add_values(void* self, const char* name, int width, ctError* err) {
  Gpu* g = (Gpu*)self;
  CT_TRY(gpu_settle(g, err));
  ctField f;
  CT_TRY(ct_model_field(g->m, name, &f));
  ctkItem item = find_member(&f, g->m, sizeof(ctModel), g->k.value_width, width);
  size_t n = (size_t)g->nworld, old_width = (size_t)g->k.value_width, all = old_width + (size_t)width;
  ctReal* wider;
  CT_TRY(gpu_stage(g, n * (size_t)width * sizeof(ctReal), err));
  CT_TRY(gpu_alloc(g, (void**)&wider, n * all * sizeof(ctReal), err));
  for (size_t w = 0; w < n; w++)
    memcpy(g->staging + w * (size_t)width, f.data, (size_t)width * sizeof(ctReal));
  if (old_width) {
    CT_TRY(gpu_copy_rows(g, wider, all * sizeof(ctReal), g->k.value_rows, old_width * sizeof(ctReal),
                         old_width * sizeof(ctReal), n, err));
  }
  CT_TRY(gpu_copy_rows(g, wider + old_width, all * sizeof(ctReal), g->staging, (size_t)width * sizeof(ctReal),
                       (size_t)width * sizeof(ctReal), n, err));
  gpu_drop(g, g->k.value_rows, n * old_width * sizeof(ctReal));
  g->k.value_rows = wider;
  g->k.value_width = (int)all;
  if (cti_array_push(&g->values, NULL, item) != CT_OK) return cti_error_memory(err);
  return upload_items(g, &g->device_values, g->values.data, g->values.count, err);
}

// On the host, world by world: constants change seldom.
ctStatus gpu_update(void* self, ctError* err) {
  Gpu* g = (Gpu*)self;
  CT_TRY(gpu_settle(g, err));
  size_t n = (size_t)g->nworld, width = (size_t)g->k.value_width;
  ctiColumn all = {CTI_STORE_VALUES, 0, g->k.value_width};
  CT_TRY(gpu_stage(g, n * width * sizeof(ctReal), err));
  CT_TRY(gpu_transfer(g, all, false, err));
  ctModel* m;
  CT_TRY(ct_model_copy(&m, g->m, err));
  ctStatus status = CT_OK;
  for (size_t w = 0; w < n && status == CT_OK; w++) {
    for (int pass = 0; pass < 2; pass++) {
      if (pass == 1) status = ct_model_update(m, err);
      for (int i = 0; i < g->values.count; i++) {
        const ctkItem* item = &g->values.data[i];
        char* member = (char*)m + item->offset;
        ctReal *there = item->pointer ? *(ctReal**)(void*)member : (ctReal*)(void*)member,
               *here = g->staging + w * width + (size_t)item->column;
        memcpy(pass == 0 ? there : here, pass == 0 ? here : there, sizeof(ctReal) * (size_t)item->width);
      }
    }
  }
  ct_model_free(m);
  return status == CT_OK ? gpu_transfer(g, all, true, err) : status;
}
