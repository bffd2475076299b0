#include "asset/mesh_files.h"
#include "xt.h"
#include "xt_alloc.h"

#define TETRA "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\n"
#define FACES "f 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"

static ctiRawMesh mesh;
static ctError err;
static ctiRegion* region;

static ctStatus decode(const char* text) {
  cti_region_free(region);
  region = cti_region_create(NULL);
  memset(&err, 0, sizeof(err));
  return cti_obj_decode(&mesh, text, strlen(text), region, &err);
}

static void expect_faces(const int* faces, int n) {
  XT_INT(mesh.nface, n);
  XT_SAME(mesh.face, faces, 3 * n);
}

static const int tetra_faces[] = {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3};

XT_TEST(obj, reads_vertices_and_faces) {
  XT_INT(decode(TETRA FACES), CT_OK);
  const double vert[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
  XT_INT(mesh.nvert, 4);
  XT_SAME(mesh.vert, vert, 12);
  expect_faces(tetra_faces, 4);
  XT_INT(mesh.nnormal + mesh.ntexcoord, 0);
}
XT_TEST(obj, faces_may_come_before_their_vertices) {
  XT_INT(decode(FACES TETRA), CT_OK);
  expect_faces(tetra_faces, 4);
}
XT_TEST(obj, negative_indices_count_back) {
  XT_INT(decode(TETRA "f -4 -2 -3\nf -4 -3 -1\nf -4 -1 -2\nf -3 -2 -1\n"), CT_OK);
  expect_faces(tetra_faces, 4);
}
XT_TEST(obj, layout_of_lines_does_not_matter) {
  XT_INT(decode("# head\r\no a\ng b\ns off\nusemtl x\nmtllib y.mtl\n\n  v\t0 0 0 # c\nv 1. +0 .0e0 0.5 "
                "0.5\nv 0 1 0\rv 0 0 1\n"
                "f 1 3 \\\n 2\nf 1 2 4#x\nl 1 2\nf 1 2\nf 1\nfo 9 9 9\n f  1\t4   3  \nf 2 3 4"),
         CT_OK);
  expect_faces(tetra_faces, 4);
}
XT_TEST(obj, normals_and_texture_coordinates_have_their_own_indices) {
  XT_INT(decode(TETRA "vt .25 .75\nvt .5\nvn 1 0 0\nvn 0 2 0\nf 1/1/1 3/2/2 2/1/1\nf 1/2/2 2/1/1 4/1/2\n"),
         CT_OK);
  const int texture[] = {0, 1, 0, 1, 0, 0}, normal[] = {0, 1, 0, 1, 0, 1};
  const float coordinates[] = {0.25f, 0.25f, 0.5f, 1};  // v is turned upside down
  XT_INT(mesh.ntexcoord, 2);
  XT_INT(mesh.nnormal, 2);
  XT_SAME(mesh.texcoord, coordinates, 4);
  XT_SAME(mesh.facetexcoord, texture, 6);
  XT_SAME(mesh.facenormal, normal, 6);
}
XT_TEST(obj, incomplete_texture_coordinates_and_normals_are_dropped) {
  XT_INT(decode(TETRA "vt 0 0\nvn 0 0 1\nf 1/1/1 3/1/1 2/1/1\nf 1 2 4\n"), CT_OK);
  XT_INT(mesh.ntexcoord, 0);
  XT_INT(mesh.nnormal, 0);
  XT_INT(mesh.nface, 2);
  XT_INT(decode(TETRA "vt 0 0\nf 1/5 3/1 2/1\n"), CT_OK);
  XT_INT(mesh.ntexcoord, 0);
}
XT_TEST(obj, quads_are_cut_along_the_shorter_diagonal) {
  const int first[] = {0, 1, 2, 0, 2, 3}, second[] = {0, 1, 3, 1, 2, 3};
  XT_INT(decode("v 0 0 0\nv 2 0 0\nv 1 1 0\nv 0 2 0\nf 1 2 3 4\n"), CT_OK);
  expect_faces(first, 2);
  XT_INT(decode("v 0 0 0\nv 1 0 0\nv 2 2 0\nv 0 1 0\nf 1 2 3 4\n"), CT_OK);
  expect_faces(second, 2);
  XT_INT(decode("v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3 4\n"), CT_OK);  // a tie
  expect_faces(second, 2);
}
XT_TEST(obj, a_polygon_of_more_than_a_hundred_corners_is_left_out) {
  enum { MOST = CTI_POLYGON_MAX + 1 };
  int out[3 * MOST], left[MOST];
  float at[3 * MOST];
  for (int n = CTI_POLYGON_MAX; n <= MOST; n++) {
    for (int i = 0; i < n; i++) {
      double angle = 2 * 3.14159265358979 * i / n;
      at[3 * i] = (float)cos(angle);
      at[3 * i + 1] = (float)sin(angle);
      at[3 * i + 2] = 0;
    }
    XT_INT(cti_triangulate(out, at, n, left), n == MOST ? 0 : n - 2);
  }
}
XT_TEST(obj, convex_polygons_keep_their_area) {
  xtRng rng = xt_rng(3);
  for (int round = 0; round < 200; round++) {
    enum { MOST = 12 };
    int n = 5 + (int)(xt_bits(&rng) % (MOST - 4)), out[3 * MOST], left[MOST];
    float at[3 * MOST];
    // around the origin, where every corner is an ear
    for (int i = 0; i < n; i++) {
      double angle = 2 * 3.14159265358979 * (i + xt_uniform(&rng, 0, 0.5)) / n;
      at[3 * i] = (float)cos(angle);
      at[3 * i + 1] = (float)sin(angle);
      at[3 * i + 2] = 0;
    }
    XT_INT(cti_triangulate(out, at, n, left), n - 2);
    double area = 0, whole = 0;
    for (int i = 0; i < n - 2; i++) {
      const float *a = at + 3 * out[3 * i], *b = at + 3 * out[3 * i + 1], *c = at + 3 * out[3 * i + 2];
      double part =
          (double)(b[0] - a[0]) * (double)(c[1] - a[1]) - (double)(b[1] - a[1]) * (double)(c[0] - a[0]);
      XT_TRUE(part > 0);
      area += part;
    }
    for (int i = 0; i < n; i++) {
      const float *a = at + 3 * i, *b = at + 3 * ((i + 1) % n);
      whole += (double)a[0] * (double)b[1] - (double)a[1] * (double)b[0];
    }
    XT_NEAR(area, whole, 1e-5);
  }
}
XT_TEST(obj, rejects_malformed_lines_and_names_them) {
  static const struct {
    const char *text, *message;
  } cases[] = {
      {"v x 0 0\n", "line 1: expected a number"},
      {"v 1 2\n", "line 1: too few numbers for a vertex"},
      {"v 0 0 nan\n", "line 1: number is not finite"},
      {"\nv 1e99 0 0\n", "line 2: number is not finite"},
      {"v 0x1 0 0\n", "expected a number"},
      {TETRA "f 0 1 2\n", "line 5: expected a whole number"},
      {TETRA "f a b c\n", "line 5: expected a whole number"},
      {TETRA "f 1 2 -5\n", "reaches before the first vertex"},
      {TETRA "f 1 2 99999999999999999999\n", "expected a whole number"},
      {TETRA "f 1 2 9\n", "vertex 9, but there are 4"},
      {TETRA "vn 0 0 1\nf 1//1 2//1 3//2\n", "normal 2, but there are 1"},
      {TETRA "f 1x 2 3\n", "a corner is written"},
      {TETRA "vn 1 0\n", "too few numbers for a normal"},
  };
  for (int i = 0; i < (int)(sizeof(cases) / sizeof(cases[0])); i++) {
    XT_INT(decode(cases[i].text), CT_ERR_SYNTAX);
    XT_HAS(err.message, cases[i].message);
    XT_INT(mesh.nvert, 0);
  }
}
XT_TEST(obj, every_truncation_ends_well) {
  const char* text = TETRA "vt 0 1\nvn 0 0 1\nf 1/1/1 2/1/1 3/1/1 4/1/1\nf -1 -2 \\\n -3\n";
  for (size_t n = 0; n <= strlen(text); n++) {
    ctiRegion* r = cti_region_create(NULL);
    char* copy = (char*)malloc(n + 1);  // exact size: reading beyond it is caught by sanitizers
    memcpy(copy, text, n);
    ctStatus status = cti_obj_decode(&mesh, copy, n, r, &err);
    XT_TRUE(status == CT_OK || status == CT_ERR_SYNTAX);
    free(copy);
    cti_region_free(r);
  }
}
XT_TEST(obj, failing_allocator_is_reported) {
  const char* text = TETRA "vt 0 1\nvn 0 0 1\nf 1/1/1 2/1/1 3/1/1 4/1/1\n";
  bool done = false;
  for (int at = 1; !done; at++) {
    xtAlloc counter = {.fail_at = at, .forever = true};
    ctAllocator a = xt_allocator(&counter);
    ctiRegion* r = cti_region_create(&a);
    if (r) {
      ctStatus status = cti_obj_decode(&mesh, text, strlen(text), r, &err);
      XT_TRUE(status == CT_OK || status == CT_ERR_MEMORY);
      done = status == CT_OK;
    }
    cti_region_free(r);
    XT_INT(counter.held, 0);
  }
}

XT_MAIN()
