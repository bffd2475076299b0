#include "asset/mesh_files.h"
#include "xt.h"
#include "xt_alloc.h"

enum { SIZE = 16 + 4 * (12 + 12 + 8 + 12) };

static ctError err;

static void write_tetra(char bytes[SIZE]) {
  const int32_t counts[4] = {4, 4, 4, 4}, face[12] = {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3};
  const float vert[12] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1},
              normal[12] = {1, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
  const float texcoord[8] = {0.25f, 0.5f, 0, 0, 1, 1, 0, 1};
  memcpy(bytes, counts, 16);
  memcpy(bytes + 16, vert, 48);
  memcpy(bytes + 64, normal, 48);
  memcpy(bytes + 112, texcoord, 32);
  memcpy(bytes + 144, face, 48);
}

static ctStatus decode(const char* bytes, size_t size) {
  ctiRegion* region = cti_region_create(NULL);
  ctiRawMesh mesh;
  ctStatus status = cti_msh_decode(&mesh, bytes, size, region, &err);
  cti_region_free(region);
  return status;
}

XT_TEST(msh, reads_all_arrays) {
  XT_UNUSED;
  char bytes[SIZE];
  write_tetra(bytes);
  ctiRegion* region = cti_region_create(NULL);
  ctiRawMesh mesh;
  XT_INT(cti_msh_decode(&mesh, bytes, SIZE, region, &err), CT_OK);
  XT_INT(mesh.nvert, 4);
  XT_INT(mesh.nnormal, 4);
  XT_INT(mesh.ntexcoord, 4);
  XT_INT(mesh.nface, 4);
  XT_NEAR(mesh.vert[3], 1, 0);
  XT_NEAR(mesh.normal[7], 1, 0);
  XT_NEAR(mesh.texcoord[0], 0.25, 0);
  XT_INT(mesh.face[11], 3);
  cti_region_free(region);
}
XT_TEST(msh, every_other_size_is_refused) {
  XT_UNUSED;
  char bytes[SIZE + 8] = {0};
  write_tetra(bytes);
  for (size_t n = 0; n < sizeof(bytes); n++) {
    char* copy = (char*)malloc(n + 1);
    memcpy(copy, bytes, n);
    XT_INT(decode(copy, n), n == SIZE ? CT_OK : CT_ERR_SYNTAX);
    free(copy);
  }
}
XT_TEST(msh, bad_counts_are_refused_before_memory_is_taken) {
  XT_UNUSED;
  static const int32_t counts[][4] = {
      {3, 0, 0, 0},         {-4, 0, 0, 0},           {4, 2, 0, 4}, {4, 0, 3, 4}, {4, 0, 0, -1},
      {INT32_MAX, 0, 0, 0}, {1 << 27, 0, 0, 1 << 28}};
  for (int i = 0; i < (int)(sizeof(counts) / sizeof(counts[0])); i++) {
    char bytes[SIZE];
    write_tetra(bytes);
    memcpy(bytes, counts[i], 16);
    xtAlloc counter = {0};
    ctAllocator a = xt_allocator(&counter);
    ctiRegion* region = cti_region_create(&a);
    int before = counter.calls;
    ctiRawMesh mesh;
    XT_INT(cti_msh_decode(&mesh, bytes, SIZE, region, &err), CT_ERR_SYNTAX);
    XT_INT(counter.calls, before);
    cti_region_free(region);
  }
}
XT_TEST(msh, reader_is_chosen_by_type_then_extension) {
  XT_UNUSED;
  char bytes[SIZE];
  write_tetra(bytes);
  static const struct {
    const char *file, *type;
    ctStatus status;
  } cases[] = {{"a/b.MSH", NULL, CT_OK},          {"b.obj", "model/vnd.mujoco.msh", CT_OK},
               {"b.msh", "model/unknown", CT_OK}, {"b.dae", NULL, CT_ERR_UNSUPPORTED},
               {NULL, NULL, CT_ERR_UNSUPPORTED},  {"msh", NULL, CT_ERR_UNSUPPORTED}};
  for (int i = 0; i < (int)(sizeof(cases) / sizeof(cases[0])); i++) {
    ctiRegion* region = cti_region_create(NULL);
    ctiRawMesh mesh;
    XT_INT(cti_mesh_decode(&mesh, cases[i].file, cases[i].type, bytes, SIZE, region, &err), cases[i].status);
    cti_region_free(region);
  }
}

XT_MAIN(XT_CASE(msh, reads_all_arrays), XT_CASE(msh, every_other_size_is_refused),
        XT_CASE(msh, bad_counts_are_refused_before_memory_is_taken),
        XT_CASE(msh, reader_is_chosen_by_type_then_extension))
