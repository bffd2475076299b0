// Any bytes are a mesh or an error. Every other input goes all the way to the hull.
#include "asset/mesh_files.h"
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  FuzzHeap heap = {0};
  const ctAllocator allocator = fuzz_allocator(&heap);
  ctiRegion* region = cti_region_create(&allocator);
  FUZZ_CHECK(region);
  ctiMeshSource source;
  cti_mesh_source_default(&source);
  source.data = (const char*)data;
  source.size = size;
  source.file = FUZZ_FILE;
  source.needs_hull = true;
  ctError err = {0};
  ctStatus status;
  if (size & 1) {
    ctiMesh mesh;
    status = cti_mesh_build(&mesh, &source, region, &err);
  } else {
    ctiRawMesh raw;
    bool flat;
    status = cti_mesh_load(&raw, &flat, &source, region, &err);
    for (int i = 0; status == CT_OK && i < 3 * raw.nface; i++)
      FUZZ_CHECK(raw.face[i] >= 0 && raw.face[i] < raw.nvert);
  }
  FUZZ_CHECK(status == CT_OK ? err.status == CT_OK : err.message[0] != 0);
  cti_region_free(region);
  FUZZ_CHECK(heap.blocks == 0);
  return 0;
}
