#include "asset/hull.h"

#include <sys/resource.h>

#include "xt.h"

static ctError err;

static double* random_ball(ctiRegion* region, int n, xtRng* rng) {
  double* v = CTI_NEW_ARRAY(region, double, 3 * n);
  for (int i = 0; i < 3 * n; i++) v[i] = xt_uniform(rng, -1, 1);
  return v;
}

static double distance(const double* v, const int face[3], int point) {
  double a[3], b[3], n[3], sum = 0;
  for (int k = 0; k < 3; k++) {
    a[k] = v[3 * face[1] + k] - v[3 * face[0] + k];
    b[k] = v[3 * face[2] + k] - v[3 * face[0] + k];
  }
  n[0] = a[1] * b[2] - a[2] * b[1];
  n[1] = a[2] * b[0] - a[0] * b[2];
  n[2] = a[0] * b[1] - a[1] * b[0];
  for (int k = 0; k < 3; k++) sum += n[k] * (v[3 * point + k] - v[3 * face[0] + k]);
  return sum;
}

XT_TEST(hull, contains_all_points_with_faces_turned_outwards) {
  xtRng rng = xt_rng(1);
  for (int n = 4; n < 300; n *= 2) {
    ctiRegion* region = cti_region_create(NULL);
    double* v = random_ball(region, n, &rng);
    ctiHull h;
    XT_INT(cti_hull_make(&h, v, n, -1, region, &err), CT_OK);
    XT_INT(h.nface, 2 * h.nvert - 4);  // Euler
    for (int f = 0; f < h.nface; f++) {
      for (int i = 0; i < n; i++) XT_TRUE(distance(v, h.face_globalid + 3 * f, i) < 1e-12);
    }
    cti_region_free(region);
  }
}
XT_TEST(hull, graph_is_symmetric_and_matches_the_faces) {
  xtRng rng = xt_rng(2);
  ctiRegion* region = cti_region_create(NULL);
  double* v = random_ball(region, 60, &rng);
  ctiHull h;
  XT_INT(cti_hull_make(&h, v, 60, -1, region, &err), CT_OK);
  XT_INT(h.graph[0], h.nvert);
  XT_INT(h.graph[1], h.nface);
  XT_INT(h.ngraph, 2 + 3 * h.nvert + 6 * h.nface);
  int edges = 0;
  for (int i = 0; i < h.nvert; i++) {
    for (const int* e = h.edge_localid + h.vert_edgeadr[i]; *e >= 0; e++, edges++) {
      const int* back = h.edge_localid + h.vert_edgeadr[*e];
      while (*back >= 0 && *back != i) back++;
      XT_INT(*back, i);
    }
  }
  XT_INT(edges, 3 * h.nface);
  cti_region_free(region);
}
XT_TEST(hull, number_of_vertices_can_be_limited) {
  xtRng rng = xt_rng(3);
  ctiRegion* region = cti_region_create(NULL);
  double* v = random_ball(region, 400, &rng);
  for (int limit = 4; limit < 20; limit += 5) {
    ctiHull h;
    XT_INT(cti_hull_make(&h, v, 400, limit, region, &err), CT_OK);
    XT_INT(h.nvert, limit);
  }
  cti_region_free(region);
}
XT_TEST(hull, degenerate_points_are_explained) {
  const double place[12] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1},
               line[12] = {0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3};
  const double plane[15] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0, 3, 4, 0};
  ctiRegion* region = cti_region_create(NULL);
  ctiHull h;
  XT_INT(cti_hull_make(&h, place, 4, -1, region, &err), CT_ERR_INVALID);
  XT_HAS(err.message, "one place");
  XT_INT(cti_hull_make(&h, line, 4, -1, region, &err), CT_ERR_INVALID);
  XT_HAS(err.message, "one line");
  XT_INT(cti_hull_make(&h, plane, 5, -1, region, &err), CT_ERR_INVALID);
  XT_HAS(err.message, "one plane");
  XT_INT(h.ngraph, 0);
  cti_region_free(region);
}
XT_TEST(hull, extrema_are_farthest_in_their_direction) {
  xtRng rng = xt_rng(4);
  ctiRegion* region = cti_region_create(NULL);
  enum { N = 50 };
  double* v = random_ball(region, N, &rng);
  float f[3 * N];
  for (int i = 0; i < 3 * N; i++) f[i] = (float)v[i];
  ctiHull h;
  int extrema[27];
  XT_INT(cti_hull_make(&h, v, N, -1, region, &err), CT_OK);
  cti_hull_extrema(extrema, &h, f);
  for (int d = 0; d < 27; d++) {
    double dir[3] = {d / 9 - 1, d / 3 % 3 - 1, d % 3 - 1}, best = -10, found = 0;
    for (int i = 0; i < N; i++) {
      double along = dir[0] * v[3 * i] + dir[1] * v[3 * i + 1] + dir[2] * v[3 * i + 2];
      best = fmax(best, along);
      if (i == h.vert_globalid[extrema[d]]) found = along;
    }
    XT_NEAR(found, best, 1e-6);
  }
  XT_INT(extrema[13], 0);
  cti_region_free(region);
}
XT_TEST(hull, a_box_has_six_polygons) {
  double v[24];
  for (int i = 0; i < 8; i++) {
    v[3 * i] = i & 4 ? 1 : -1;
    v[3 * i + 1] = i & 2 ? 2 : -2;
    v[3 * i + 2] = i & 1 ? 3 : -3;
  }
  ctiRegion* region = cti_region_create(NULL);
  ctiHull h;
  ctiMesh m = {.nvert = 8};
  XT_INT(cti_hull_make(&h, v, 8, -1, region, &err), CT_OK);
  XT_INT(cti_polygons_merge(&m, &h, v, region, &err), CT_OK);
  XT_INT(cti_polygons_normals(&m, v, region, &err), CT_OK);
  XT_INT(m.npoly, 6);
  XT_INT(m.npolyvert, 24);
  for (int p = 0; p < 6; p++) {
    XT_INT(m.polyvertnum[p], 4);
    // outlines are counter-clockwise: normals point away from the centre, along one axis
    const double *n = m.polynormal + 3 * p, *corner = v + 3 * m.polyvert[m.polyvertadr[p]];
    XT_NEAR(fabs(n[0]) + fabs(n[1]) + fabs(n[2]), 1, 1e-15);
    XT_TRUE(n[0] * corner[0] + n[1] * corner[1] + n[2] * corner[2] > 0.5);
  }
  for (int i = 0; i < 8; i++) {
    XT_INT(m.polymapnum[i], 3);
    for (int k = 1; k < 3; k++) XT_TRUE(m.polymap[m.polymapadr[i] + k - 1] < m.polymap[m.polymapadr[i] + k]);
  }
  cti_region_free(region);
}

// In a sandbox without /dev/null, or with no file left to open.
XT_TEST(hull, opens_no_file) {
  xtRng rng = xt_rng(5);
  ctiRegion* region = cti_region_create(NULL);
  double* v = random_ball(region, 30, &rng);
  struct rlimit before, none;
  XT_INT(getrlimit(RLIMIT_NOFILE, &before), 0);
  none = (struct rlimit){.rlim_cur = 0, .rlim_max = before.rlim_max};
  XT_INT(setrlimit(RLIMIT_NOFILE, &none), 0);
  ctiHull h;
  FILE* null = fopen("/dev/null", "w");
  ctStatus status = cti_hull_make(&h, v, 30, -1, region, &err);
  XT_INT(setrlimit(RLIMIT_NOFILE, &before), 0);
  XT_TRUE(null == NULL);
  XT_INT(status, CT_OK);
  XT_TRUE(h.nvert > 4);
  cti_region_free(region);
}

XT_MAIN()
