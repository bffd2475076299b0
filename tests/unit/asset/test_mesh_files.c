#include "asset/mesh_files.h"
#include "xt.h"
#include "xt_alloc.h"

// ---- stl

enum { HEAD = 84, RECORD = 50, TRIANGLES = 4, SIZE = HEAD + RECORD * TRIANGLES };

static ctError err;

// A tetrahedron; every triangle repeats its vertices.
static void write_tetra(char bytes[SIZE]) {
  static const float point[4][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  static const int face[TRIANGLES][3] = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};
  memset(bytes, 0, SIZE);
  bytes[80] = TRIANGLES;
  for (int i = 0; i < TRIANGLES; i++) {
    for (int k = 0; k < 3; k++) memcpy(bytes + HEAD + RECORD * i + 12 + 12 * k, point[face[i][k]], 12);
  }
}

static ctStatus decode(ctiRawMesh* mesh, const char* bytes, size_t size) {
  ctiRegion* region = cti_region_create(NULL);
  ctStatus status = cti_stl_decode(mesh, bytes, size, region, &err);
  cti_region_free(region);
  return status;
}

XT_TEST(stl, merges_equal_vertices_in_order_of_appearance) {
  char bytes[SIZE];
  write_tetra(bytes);
  ctiRegion* region = cti_region_create(NULL);
  ctiRawMesh mesh;
  XT_INT(cti_stl_decode(&mesh, bytes, SIZE, region, &err), CT_OK);
  const int face[] = {0, 1, 2, 0, 2, 3, 0, 3, 1, 2, 1, 3};
  const double vert[] = {0, 0, 0, 0, 1, 0, 1, 0, 0, 0, 0, 1};
  XT_INT(mesh.nvert, 4);
  XT_INT(mesh.nface, 4);
  XT_SAME(mesh.face, face, 12);
  XT_SAME(mesh.vert, vert, 12);
  cti_region_free(region);
}
XT_TEST(stl, a_header_that_begins_with_solid_may_be_binary) {
  char bytes[SIZE];
  ctiRawMesh mesh;
  write_tetra(bytes);
  memcpy(bytes, "solid thing", 11);
  XT_INT(decode(&mesh, bytes, SIZE), CT_OK);
}

#define FACET(a, b, c)                                                                              \
  "  facet normal 0 0 nan\n    outer loop\n      vertex " a "\n      vertex " b "\n      vertex " c \
  "\n    endloop\n  endfacet\n"

XT_TEST(stl, text_is_read_as_the_same_mesh) {
  const char* text = "solid a facet of \xc3\xa4\r\n" FACET("0 0 0", "0 1 0", "1 0 0")
      FACET("-0 0 0", "1 0 0", "0 0 1.0e0") "endsolid a\nSOLID second\n" FACET("0 0 0", "0 0 1", "0 1. 0")
          FACET("1 0 0", "0 1 0", "0 0 1") "endsolid\n";
  char bytes[SIZE];
  ctiRawMesh binary, mesh;
  write_tetra(bytes);
  ctiRegion* region = cti_region_create(NULL);
  XT_INT(cti_stl_decode(&binary, bytes, SIZE, region, &err), CT_OK);
  XT_INT(cti_stl_decode(&mesh, text, strlen(text), region, &err), CT_OK);
  XT_INT(mesh.nface, 4);
  XT_INT(mesh.nvert, 4);
  XT_SAME(mesh.face, binary.face, 12);
  XT_SAME(mesh.vert, binary.vert, 12);
  cti_region_free(region);
}

XT_TEST(stl, text_that_goes_wrong_says_in_which_line) {
  static const struct {
    const char *text, *message;
  } cases[] = {
      {"solid\nendsolid\n", "no triangles"},
      {"solid facet\nendsolid\n", "no triangles"},
      {"solid\nfacet normal 0 0 1\nouter loop\nvertex 0 0 zero\n", "line 4: \"zero\" where a finite number"},
      {"solid\nfacet normal 0 0 1\nouter loop\nvertex 0 0 1e60\n", "line 4: \"1e60\" where a finite number"},
      {"solid\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nendloop\n", "line 5: \"endloop\" where vertex"},
      {"solid\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\n", "ends in line 5 where vertex should follow"},
      {"solid\nfacet normal 0 0 1\nouter lop\n", "line 3: \"lop\" where loop"},
      {"solid x\nfacets\nfacet\n", "line 2: \"facets\" where facet or endsolid"}};
  for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
    ctiRawMesh mesh;
    XT_INT(decode(&mesh, cases[i].text, strlen(cases[i].text)), CT_ERR_SYNTAX);
    XT_HAS(err.message, cases[i].message);
  }
}

XT_TEST(mesh, formats_that_are_not_read_are_named) {
  ctiRawMesh mesh;
  ctiRegion* region = cti_region_create(NULL);
  XT_INT(cti_mesh_decode(&mesh, "a/b.PLY", NULL, "ply", 3, region, &err), CT_ERR_UNSUPPORTED);
  XT_HAS(err.message, "PLY files are not read; convert it to OBJ or STL");
  XT_INT(cti_mesh_decode(&mesh, "b.glb", NULL, "glTF", 4, region, &err), CT_ERR_UNSUPPORTED);
  XT_HAS(err.message, "glTF files are not read");
  XT_INT(cti_mesh_decode(&mesh, "b.xyz", NULL, "", 0, region, &err), CT_ERR_UNSUPPORTED);
  XT_HAS(err.message, "is not a mesh file");
  cti_region_free(region);
}
XT_TEST(stl, every_other_size_is_refused) {
  char bytes[SIZE + 60] = {0};
  ctiRawMesh mesh;
  write_tetra(bytes);
  for (size_t n = 0; n < sizeof(bytes); n++) {
    if (n == SIZE) continue;
    char* copy = (char*)malloc(n + 1);
    memcpy(copy, bytes, n);
    XT_INT(decode(&mesh, copy, n), CT_ERR_SYNTAX);
    free(copy);
  }
}
XT_TEST(stl, huge_counts_are_refused_before_memory_is_taken) {
  char bytes[SIZE];
  write_tetra(bytes);
  memset(bytes + 80, 0xff, 4);
  xtAlloc counter = {0};
  ctAllocator a = xt_allocator(&counter);
  ctiRegion* region = cti_region_create(&a);
  int before = counter.calls;
  ctiRawMesh mesh;
  XT_INT(cti_stl_decode(&mesh, bytes, SIZE, region, &err), CT_ERR_SYNTAX);
  XT_INT(counter.calls, before);
  cti_region_free(region);
}
XT_TEST(stl, no_triangles_and_bad_numbers_are_refused) {
  char bytes[SIZE];
  ctiRawMesh mesh;
  write_tetra(bytes);
  bytes[80] = 0;
  XT_INT(decode(&mesh, bytes, HEAD), CT_ERR_SYNTAX);
  XT_HAS(err.message, "no triangles");
  const float bad[2] = {NAN, INFINITY};
  for (int i = 0; i < 2; i++) {
    write_tetra(bytes);
    memcpy(bytes + HEAD + RECORD + 12, &bad[i], 4);
    XT_INT(decode(&mesh, bytes, SIZE), CT_ERR_SYNTAX);
    XT_HAS(err.message, "triangle 1");
  }
}

// ---- msh

enum { MSH_SIZE = 16 + 4 * (12 + 12 + 8 + 12) };

static ctError err_msh;

static void write_tetra_msh(char bytes[MSH_SIZE]) {
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

static ctStatus decode_msh(const char* bytes, size_t size) {
  ctiRegion* region = cti_region_create(NULL);
  ctiRawMesh mesh;
  ctStatus status = cti_msh_decode(&mesh, bytes, size, region, &err_msh);
  cti_region_free(region);
  return status;
}

XT_TEST(msh, reads_all_arrays) {
  char bytes[MSH_SIZE];
  write_tetra_msh(bytes);
  ctiRegion* region = cti_region_create(NULL);
  ctiRawMesh mesh;
  XT_INT(cti_msh_decode(&mesh, bytes, MSH_SIZE, region, &err_msh), CT_OK);
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
  char bytes[MSH_SIZE + 8] = {0};
  write_tetra_msh(bytes);
  for (size_t n = 0; n < sizeof(bytes); n++) {
    char* copy = (char*)malloc(n + 1);
    memcpy(copy, bytes, n);
    XT_INT(decode_msh(copy, n), n == MSH_SIZE ? CT_OK : CT_ERR_SYNTAX);
    free(copy);
  }
}
XT_TEST(msh, bad_counts_are_refused_before_memory_is_taken) {
  static const int32_t counts[][4] = {
      {3, 0, 0, 0},         {-4, 0, 0, 0},           {4, 2, 0, 4}, {4, 0, 3, 4}, {4, 0, 0, -1},
      {INT32_MAX, 0, 0, 0}, {1 << 27, 0, 0, 1 << 28}};
  for (int i = 0; i < (int)(sizeof(counts) / sizeof(counts[0])); i++) {
    char bytes[MSH_SIZE];
    write_tetra_msh(bytes);
    memcpy(bytes, counts[i], 16);
    xtAlloc counter = {0};
    ctAllocator a = xt_allocator(&counter);
    ctiRegion* region = cti_region_create(&a);
    int before = counter.calls;
    ctiRawMesh mesh;
    XT_INT(cti_msh_decode(&mesh, bytes, MSH_SIZE, region, &err_msh), CT_ERR_SYNTAX);
    XT_INT(counter.calls, before);
    cti_region_free(region);
  }
}
XT_TEST(msh, reader_is_chosen_by_type_then_extension) {
  char bytes[MSH_SIZE];
  write_tetra_msh(bytes);
  static const struct {
    const char *file, *type;
    ctStatus status;
  } cases[] = {{"a/b.MSH", NULL, CT_OK},          {"b.obj", "model/vnd.mujoco.msh", CT_OK},
               {"b.msh", "model/unknown", CT_OK}, {"b.ply", NULL, CT_ERR_UNSUPPORTED},
               {NULL, NULL, CT_ERR_UNSUPPORTED},  {"msh", NULL, CT_ERR_UNSUPPORTED}};
  for (int i = 0; i < (int)(sizeof(cases) / sizeof(cases[0])); i++) {
    ctiRegion* region = cti_region_create(NULL);
    ctiRawMesh mesh;
    XT_INT(cti_mesh_decode(&mesh, cases[i].file, cases[i].type, bytes, MSH_SIZE, region, &err_msh),
           cases[i].status);
    cti_region_free(region);
  }
}

XT_MAIN()
