// Any bytes are a model or an error. Of every other input the checksum is made right first: what stands
// behind it must be looked at as well. A model that loads can be stepped.
#include <string.h>

#include "base/strings.h"
#include "fuzz.h"

#define HEADER 32  // bytes before the records; the hash is the last 8 of them

// What loads can be written, or there is a reason.
static void decompile(const ctModel* model, const ctAllocator* allocator) {
  ctVfs* files = NULL;
  ctSpec* spec = NULL;
  if (ct_vfs_create(&files, allocator, NULL) == CT_OK) {
    ctError err = {0};
    ctStatus status = ct_spec_from_model(&spec, model, files, NULL, &err);
    FUZZ_CHECK((status == CT_OK) == (spec != NULL));
    FUZZ_CHECK(status == CT_OK || err.message[0] != 0);
    if (spec) (void)ct_spec_save_string(spec, NULL, NULL, 0, NULL, NULL);
  }
  ct_spec_free(spec);
  ct_vfs_free(files);
}

static void load(const uint8_t* data, size_t size) {
  FuzzHeap heap = {0};
  const ctAllocator allocator = fuzz_allocator(&heap);
  const ctLoadOptions opt = {.allocator = &allocator};
  ctModel* model = NULL;
  ctError err = {0};
  ctStatus status = ct_model_load_bytes(&model, data, size, &opt, &err);
  FUZZ_CHECK((status == CT_OK) == (model != NULL));
  ctData* d = NULL;
  if (model && ct_data_create(&d, model, NULL) == CT_OK) {
    // every index is followed: positions, contacts, forces, sensors; the numbers may be nonsense
    for (int i = 0; i < 2; i++) (void)ct_step(model, d);
    (void)ct_inverse(model, d);
    for (int i = 0; i < model->nkey && i < 2; i++) (void)ct_data_reset_keyframe(model, d, i);
    for (int t = 0; t < CT_OBJ_COUNT; t++) {
      for (int i = 0; i < ct_model_count(model, (ctObjType)t) && i < 4; i++)
        (void)ct_model_name2id(model, (ctObjType)t, ct_model_id2name(model, (ctObjType)t, i));
    }
    ct_data_free(d);
    decompile(model, &allocator);
  }
  ct_model_free(model);
  FUZZ_CHECK(heap.blocks == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size <= HEADER || !(data[size - 1] & 1)) {
    load(data, size);
    return 0;
  }
  uint8_t* copy = (uint8_t*)malloc(size);
  if (!copy) return 0;
  memcpy(copy, data, size);
  uint64_t bytes = size - HEADER, hash = cti_hash_bytes(copy + HEADER, size - HEADER);
  for (int i = 0; i < 8; i++) {
    copy[16 + i] = (uint8_t)(bytes >> 8 * i);
    copy[24 + i] = (uint8_t)(hash >> 8 * i);
  }
  load(copy, size);
  free(copy);
  return 0;
}
