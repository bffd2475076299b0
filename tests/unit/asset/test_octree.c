#include "asset/mesh.h"
#include "asset/octree.h"
#include "xt.h"
#include "xt_alloc.h"

static ctError err;

static ctStatus build_sphere(ctiMesh* m, int level, ctiRegion* region) {
  double params[1] = {level};
  ctiMeshSource s;
  cti_mesh_source_default(&s);
  s.builtin = CTI_BUILTIN_SPHERE;
  s.params = params;
  s.nparam = 1;
  s.needs_sdf = true;
  return cti_mesh_build(m, &s, region, &err);
}

XT_TEST(octree, distance_to_a_box_is_exact_on_both_sides) {
  static const int face[36] = {0, 1, 3, 0, 3, 2, 4, 6, 7, 4, 7, 5, 0, 4, 5, 0, 5, 1,
                               2, 3, 7, 2, 7, 6, 0, 2, 6, 0, 6, 4, 1, 5, 7, 1, 7, 3};
  double vert[24], boxes[72];
  for (int i = 0; i < 8; i++) {
    vert[3 * i] = i & 4 ? 1 : -1;
    vert[3 * i + 1] = i & 2 ? 2 : -2;
    vert[3 * i + 2] = i & 1 ? 3 : -3;
  }
  for (int f = 0; f < 12; f++) {
    for (int k = 0; k < 3; k++) {
      double a = vert[3 * face[3 * f] + k], b = vert[3 * face[3 * f + 1] + k],
             c = vert[3 * face[3 * f + 2] + k];
      double low = fmin(a, fmin(b, c)), high = fmax(a, fmax(b, c));
      boxes[6 * f + k] = (low + high) / 2;
      boxes[6 * f + 3 + k] = (high - low) / 2;
    }
  }
  ctiRegion* region = cti_region_create(NULL);
  ctiBvh bvh;
  ctiDistanceField field;
  XT_INT(cti_bvh_build(&bvh, boxes, NULL, 12, 0, region, &err), CT_OK);
  XT_INT(cti_distance_init(&field, vert, face, 12, &bvh, region, &err), CT_OK);
  xtRng rng = xt_rng(1);
  for (int i = 0; i < 2000; i++) {
    const double size[3] = {1, 2, 3};
    double p[3], outside = 0, inside = -10;
    for (int k = 0; k < 3; k++) {
      p[k] = xt_uniform(&rng, -2 * size[k], 2 * size[k]);
      if (i % 3 == 0 && k < 2) p[k] = size[k] * (p[k] < 0 ? -1.5 : 1.5);  // beyond edges and corners
      double out = fabs(p[k]) - size[k];
      outside += out > 0 ? out * out : 0;
      inside = fmax(inside, out);
    }
    XT_NEAR(cti_distance(&field, p), outside > 0 ? sqrt(outside) : inside, 1e-12);
  }
  cti_region_free(region);
}
XT_TEST(octree, cells_are_those_of_mujoco) {
  // MuJoCo 4.0.0, builtin sphere with one subdivision
  static const int expected[7] = {1, 8, 64, 512, 3008, 11840, 29440};
  int count[7] = {0};
  ctiRegion* region = cti_region_create(NULL);
  ctiMesh m;
  XT_INT(build_sphere(&m, 1, region), CT_OK);
  XT_INT(m.noct, 44873);
  for (int i = 0; i < m.noct; i++) count[m.oct_depth[i]]++;
  XT_SAME(count, expected, 7);
  const double root[6] = {0, 0, 0, 1.1, 1.1, 1.1};
  XT_CLOSE(m.oct_aabb, root, 6, 1e-7, "root");
  XT_NEAR(m.oct_coeff[0], 0.971084, 1e-6);
  XT_NEAR(m.oct_coeff[8 + 7], -0.934172, 1e-6);
  cti_region_free(region);
}
XT_TEST(octree, values_follow_the_distance_and_are_continuous) {
  ctiRegion* region = cti_region_create(NULL);
  ctiMesh m;
  XT_INT(build_sphere(&m, 3, region), CT_OK);
  // One value a point: cells of all sizes that share a corner agree there.
  enum { N = 65 };
  double* seen = CTI_NEW_ARRAY(region, double, N* N* N);
  for (int i = 0; i < N * N * N; i++) seen[i] = (double)NAN;
  for (int i = 0; i < m.noct; i++) {
    const double* box = m.oct_aabb + 6 * i;
    for (int c = 0; c < 8; c++) {
      double value = m.oct_coeff[8 * i + c], radius = 0;
      int at = 0;
      for (int k = 0; k < 3; k++) {
        double x = box[k] + (c >> k & 1 ? box[3 + k] : -box[3 + k]);
        radius += x * x;
        at =
            at * N + (int)lround((x - m.oct_aabb[k] + m.oct_aabb[3 + k]) / (2 * m.oct_aabb[3 + k]) * (N - 1));
      }
      if (isnan(seen[at])) seen[at] = value;
      XT_TRUE(seen[at] == value);
      XT_NEAR(value, sqrt(radius) - 1,
              0.05);  // of the smooth sphere; interpolation bends it near larger cells
    }
  }
  cti_region_free(region);
}
XT_TEST(octree, failing_allocator_is_reported) {
  bool done = false;
  for (int at = 1; !done; at += 7) {
    xtAlloc counter = {.fail_at = at, .forever = true};
    ctAllocator a = xt_allocator(&counter);
    ctiRegion* region = cti_region_create(&a);
    if (region) {
      ctiMesh m;
      ctStatus status = build_sphere(&m, 0, region);
      XT_TRUE(status == CT_OK || status == CT_ERR_MEMORY);
      done = status == CT_OK;
    }
    cti_region_free(region);
    XT_INT(counter.held, 0);
  }
}

XT_MAIN()
