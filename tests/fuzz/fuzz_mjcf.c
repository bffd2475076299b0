// Any text is a model or an error; what is a model is written to text that is one too.
#include <string.h>

#include "fuzz_spec.h"

// A compiled model becomes a spec that compiles to as much of everything, and is written as well. Sizes that
// come from fitting to a flat mesh cannot be said.
static void decompile(const ctModel* model, const ctAllocator* allocator) {
  ctVfs* files = NULL;
  ctSpec* spec = NULL;
  ctModel* again = NULL;
  ctError err = {0};
  ctStatus status = ct_vfs_create(&files, allocator, &err);
  if (status == CT_OK) status = ct_spec_from_model(&spec, model, files, NULL, &err);
  FUZZ_CHECK(status == CT_OK || status == CT_ERR_MEMORY || status == CT_ERR_UNSUPPORTED);
  if (status == CT_OK) status = ct_model_compile(&again, spec, &err);
  if (status == CT_OK) {
    const ctLoadOptions opt = {.allocator = allocator, .vfs = files};
    FUZZ_CHECK(again->nq == model->nq && again->nv == model->nv && again->nu == model->nu);
    FUZZ_CHECK(again->ngeom == model->ngeom && again->nsensordata == model->nsensordata);
    ct_model_free(fuzz_write_and_read(spec, &opt));
  } else if (spec && status != CT_ERR_MEMORY && status != CT_ERR_LIMIT &&
             !strstr(err.message, "positive number")) {
    fprintf(stderr, "%s\n", err.message);
    FUZZ_CHECK(false);
  }
  ct_model_free(again);
  ct_spec_free(spec);
  ct_vfs_free(files);
}

// Every index is followed; the numbers may be nonsense.
static void step(const ctModel* model) {
  ctData* d = NULL;
  if (ct_data_create(&d, model, NULL) == CT_OK) (void)ct_step_n(model, d, 2);
  ct_data_free(d);
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  FuzzHeap heap = {0};
  const ctAllocator allocator = fuzz_allocator(&heap);
  const ctLoadOptions opt = {.allocator = &allocator};
  ctSpec* spec = NULL;
  ctModel* model = NULL;
  ctError err = {0};
  ctStatus status = ct_spec_load_string(&spec, (const char*)data, size, &opt, &err);
  if (status == CT_OK) status = ct_model_compile(&model, spec, &err);
  FUZZ_CHECK((status == CT_OK) == (model != NULL));
  if (status == CT_OK) {
    FUZZ_CHECK(err.status == CT_OK);
    ct_model_free(fuzz_write_and_read(spec, &opt));
    decompile(model, &allocator);
    step(model);
  } else {
    FUZZ_CHECK(err.status == status && err.message[0] != 0);
  }
  ct_model_free(model);
  ct_spec_free(spec);
  FUZZ_CHECK(heap.blocks == 0);
  return 0;
}
