// Any text with <robot> is a model or an error, however it is read; what is a model is written to MJCF that
// is one of the same size.
#include "fuzz_spec.h"

// A mesh that robots of the corpus refer to.
static const char dae[] =
    "<COLLADA><library_geometries><geometry id='g'><mesh><source id='p'><float_array count='12'>0 0 0 1 0 0 "
    "0 1 0 0 "
    "0 1</float_array></source><vertices id='v'><input semantic='POSITION' "
    "source='#p'/></vertices><triangles><input "
    "semantic='VERTEX' source='#v' offset='0'/><p>0 2 1 0 1 3 0 3 2 1 2 3</p></triangles></mesh></geometry>"
    "</library_geometries></COLLADA>";

static void read_as(const char* data, size_t size, const ctUrdfOptions* urdf) {
  FuzzHeap heap = {0};
  const ctAllocator allocator = fuzz_allocator(&heap);
  ctVfs* files = NULL;
  ctSpec* spec = NULL;
  ctModel* model = NULL;
  ctError err = {0};
  ctStatus status = ct_vfs_create(&files, &allocator, &err);
  if (status == CT_OK) status = ct_vfs_add(files, "a.dae", dae, sizeof(dae) - 1, &err);
  const ctLoadOptions opt = {.allocator = &allocator, .urdf = urdf, .vfs = files};
  if (status == CT_OK) status = ct_spec_load_string(&spec, data, size, &opt, &err);
  if (status == CT_OK) status = ct_model_compile(&model, spec, &err);
  FUZZ_CHECK((status == CT_OK) == (model != NULL));
  if (status == CT_OK) {
    ctModel* again = fuzz_write_and_read(spec, &opt);
    if (again) {
      FUZZ_CHECK(again->nq == model->nq && again->nv == model->nv && again->nu == model->nu);
      FUZZ_CHECK(again->ngeom == model->ngeom && again->nbody == model->nbody && again->neq == model->neq);
    }
    ct_model_free(again);
  } else {
    FUZZ_CHECK(err.status == status && err.message[0] != 0);
  }
  ct_model_free(model);
  ct_spec_free(spec);
  ct_vfs_free(files);
  FUZZ_CHECK(heap.blocks == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const ctUrdfOptions lossless = {.actuators = true, .floating_base = size % 2 == 0},
                      as_mujoco = {.mujoco = true};
  // MJCF has a fuzzer of its own, and a mesh alone is a file for the reader of meshes
  read_as((const char*)data, size, size % 4 == 3 ? &as_mujoco : &lossless);
  return 0;
}
