// Any bytes are a mesh or an error, and what is a mesh is consistent.
#include "asset/gmsh.h"
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  FuzzHeap heap = {0};
  const ctAllocator allocator = fuzz_allocator(&heap);
  ctiRegion* region = cti_region_create(&allocator);
  FUZZ_CHECK(region);
  ctError err = {0};
  ctiGmsh mesh;
  ctStatus status = cti_gmsh_decode(&mesh, (const char*)data, size, region, &err);
  FUZZ_CHECK(status == CT_OK ? err.status == CT_OK : err.message[0] != 0);
  if (status == CT_OK) {
    FUZZ_CHECK(mesh.dim >= 1 && mesh.dim <= 3 && mesh.npoint > 0 && mesh.nelement > 0);
    for (int i = 0; i < mesh.nelement * (mesh.dim + 1); i++)
      FUZZ_CHECK(mesh.element[i] >= 0 && mesh.element[i] < mesh.npoint);
    for (int i = 0; i < 3 * mesh.npoint; i++) FUZZ_CHECK(mesh.point[i] - mesh.point[i] == 0);
  }
  cti_region_free(region);
  FUZZ_CHECK(heap.blocks == 0);
  return 0;
}
