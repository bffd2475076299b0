#include "asset/builtin.h"
#include "xt.h"

static ctError err;

typedef struct Case {
  ctiMeshBuiltin shape;
  double params[7];
  int nparam, nvert, nface;
  bool flat;
} Case;

// Counts from the manual of the format.
static const Case cases[] = {
    {CTI_BUILTIN_SPHERE, {0}, 1, 12, 20, false},
    {CTI_BUILTIN_SPHERE, {3}, 1, 642, 1280, false},
    {CTI_BUILTIN_HEMISPHERE, {0}, 1, 6, 8, false},
    {CTI_BUILTIN_HEMISPHERE, {5}, 1, 2 + 2 * 6 * 7, 4 * 6 * 7, false},
    {CTI_BUILTIN_CONE, {5, 0}, 2, 6, 0, false},
    {CTI_BUILTIN_CONE, {5, 0.5}, 2, 10, 0, false},
    {CTI_BUILTIN_SUPERSPHERE, {6, 0.5, 2}, 3, 32, 60, false},
    {CTI_BUILTIN_SUPERTORUS, {6, 0.3, 1, 1}, 4, 36, 72, false},
    {CTI_BUILTIN_WEDGE, {3, 4, 60, 30, 0.5}, 5, 12, 0, false},
    {CTI_BUILTIN_PLATE, {3, 4}, 2, 12, 12, true},
    {CTI_BUILTIN_GRID, {2, 3, 4, 1, 1, 1}, 6, 24, 0, false},
    {CTI_BUILTIN_GRID, {2, 3, 1, 1, 1, 1, 2}, 7, 6, 4, true},
    {CTI_BUILTIN_BOX, {3, 3, 3, 1, 1, 1}, 6, 27, 0, false},
    {CTI_BUILTIN_BOX, {3, 4, 2, 1, 2, 3, 2}, 7, 22, 32, true},
    {CTI_BUILTIN_CYLINDER, {3, 3, 3, 1, 2, 3, 2}, 7, 25, 40, true},
    {CTI_BUILTIN_ELLIPSOID, {4, 3, 3, 1, 2, 3}, 6, 35, 0, false},
    {CTI_BUILTIN_SQUARE, {3, 2, 1, 1, 1, 1}, 6, 6, 4, true},
    {CTI_BUILTIN_DISC, {5, 5, 1, 1, 1, 1}, 6, 25, 32, true},
};

XT_TEST(builtin, counts_are_those_of_the_manual) {
  for (int i = 0; i < (int)(sizeof(cases) / sizeof(cases[0])); i++) {
    const Case* c = &cases[i];
    ctiRegion* region = cti_region_create(NULL);
    ctiRawMesh m;
    bool flat;
    XT_INT(cti_builtin_make(&m, &flat, c->shape, c->params, c->nparam, region, &err), CT_OK);
    XT_INT(m.nvert, c->nvert);
    XT_INT(m.nface, c->nface);
    XT_INT(flat, c->flat);
    for (int k = 0; k < 3 * m.nface; k++) XT_TRUE(m.face[k] >= 0 && m.face[k] < m.nvert);
    for (int k = 0; k < 3 * m.nvert; k++) XT_TRUE(isfinite(m.vert[k]));
    cti_region_free(region);
  }
}
XT_TEST(builtin, closed_shapes_meet_every_edge_once_in_each_direction) {
  static const int closed[] = {0, 1, 2, 3, 6, 7};
  for (int i = 0; i < (int)(sizeof(closed) / sizeof(closed[0])); i++) {
    const Case* c = &cases[closed[i]];
    ctiRegion* region = cti_region_create(NULL);
    ctiRawMesh m;
    XT_INT(cti_builtin_make(&m, NULL, c->shape, c->params, c->nparam, region, &err), CT_OK);
    double volume = 0;
    for (int f = 0; f < m.nface; f++) {
      const double *p = m.vert + 3 * m.face[3 * f], *q = m.vert + 3 * m.face[3 * f + 1],
                   *r = m.vert + 3 * m.face[3 * f + 2];
      volume += p[0] * (q[1] * r[2] - q[2] * r[1]) + p[1] * (q[2] * r[0] - q[0] * r[2]) +
                p[2] * (q[0] * r[1] - q[1] * r[0]);
      for (int k = 0; k < 3; k++) {
        int from = m.face[3 * f + k], to = m.face[3 * f + (k + 1) % 3], same = 0, back = 0;
        for (int e = 0; e < 3 * m.nface; e++) {
          int a = m.face[e], b = m.face[e % 3 == 2 ? e - 2 : e + 1];
          same += a == from && b == to;
          back += a == to && b == from;
        }
        XT_INT(same, 1);
        XT_INT(back, 1);
      }
    }
    XT_TRUE(volume > 0);
    cti_region_free(region);
  }
}
XT_TEST(builtin, round_shapes_are_round) {
  ctiRegion* region = cti_region_create(NULL);
  ctiRawMesh m;
  const double sphere[] = {2}, ellipsoid[] = {4, 5, 6, 1, 2, 3};
  XT_INT(cti_builtin_make(&m, NULL, CTI_BUILTIN_SPHERE, sphere, 1, region, &err), CT_OK);
  for (int i = 0; i < m.nvert; i++) {
    const double* v = m.vert + 3 * i;
    XT_NEAR(v[0] * v[0] + v[1] * v[1] + v[2] * v[2], 1, 1e-6);
  }
  XT_INT(cti_builtin_make(&m, NULL, CTI_BUILTIN_ELLIPSOID, ellipsoid, 6, region, &err), CT_OK);
  for (int i = 1; i < m.nvert; i++) {  // the first is the centre
    double x = m.vert[3 * i] / 1.5, y = m.vert[3 * i + 1] / 4, z = m.vert[3 * i + 2] / 7.5;
    XT_NEAR(x * x + y * y + z * z, 1, 1e-6);
  }
  cti_region_free(region);
}
XT_TEST(builtin, tactile_shapes_carry_a_frame_at_every_vertex) {
  ctiRegion* region = cti_region_create(NULL);
  ctiRawMesh m;
  const double params[] = {3, 4, 60, 30, 0.5};
  XT_INT(cti_builtin_make(&m, NULL, CTI_BUILTIN_WEDGE, params, 5, region, &err), CT_OK);
  XT_INT(m.nnormal, 3 * m.nvert);
  for (int i = 0; i < m.nvert; i++) {
    for (int a = 0; a < 3; a++) {
      for (int b = 0; b < 3; b++) {
        const float *p = m.normal + 9 * i + 3 * a, *q = m.normal + 9 * i + 3 * b;
        XT_NEAR(p[0] * q[0] + p[1] * q[1] + p[2] * q[2], a == b, 1e-6);
      }
    }
  }
  cti_region_free(region);
}
XT_TEST(builtin, bad_params_are_refused) {
  static const Case bad[] = {
      {CTI_BUILTIN_SPHERE, {5}, 1, 0, 0, false},
      {CTI_BUILTIN_SPHERE, {-1}, 1, 0, 0, false},
      {CTI_BUILTIN_SPHERE, {1, 2}, 2, 0, 0, false},
      {CTI_BUILTIN_SPHERE, {(double)NAN}, 1, 0, 0, false},
      {CTI_BUILTIN_HEMISPHERE, {11}, 1, 0, 0, false},
      {CTI_BUILTIN_CONE, {2, 0.5}, 2, 0, 0, false},
      {CTI_BUILTIN_CONE, {4, 1.1}, 2, 0, 0, false},
      {CTI_BUILTIN_SUPERSPHERE, {2, 1, 1}, 3, 0, 0, false},
      {CTI_BUILTIN_SUPERSPHERE, {3, -1, 1}, 3, 0, 0, false},
      {CTI_BUILTIN_SUPERTORUS, {3, 0, 1, 1}, 4, 0, 0, false},
      {CTI_BUILTIN_WEDGE, {0, 1, 60, 30, 0}, 5, 0, 0, false},
      {CTI_BUILTIN_WEDGE, {1, 1, 181, 30, 0}, 5, 0, 0, false},
      {CTI_BUILTIN_PLATE, {0, 1}, 2, 0, 0, false},
      {CTI_BUILTIN_GRID, {2, 2, 2, 1, 1, 1, 4}, 7, 0, 0, false},
      {CTI_BUILTIN_GRID, {2, 2, 2, 1, 1, 1, 2}, 7, 0, 0, false},
      {CTI_BUILTIN_BOX, {1, 2, 2, 1, 1, 1}, 6, 0, 0, false},
      {CTI_BUILTIN_SQUARE, {2, 2, 2, 1, 1, 1}, 6, 0, 0, false},
      {CTI_BUILTIN_DISC, {2, 2, 1, 1, 1}, 5, 0, 0, false},
  };
  for (int i = 0; i < (int)(sizeof(bad) / sizeof(bad[0])); i++) {
    ctiRegion* region = cti_region_create(NULL);
    ctiRawMesh m;
    XT_INT(cti_builtin_make(&m, NULL, bad[i].shape, bad[i].params, bad[i].nparam, region, &err),
           CT_ERR_INVALID);
    cti_region_free(region);
  }
  ctiRegion* region = cti_region_create(NULL);
  ctiRawMesh m;
  const double huge[] = {1e300, 1e9, 1e9, 1, 1, 1};
  XT_INT(cti_builtin_make(&m, NULL, CTI_BUILTIN_GRID, huge, 6, region, &err), CT_ERR_LIMIT);
  cti_region_free(region);
}

XT_MAIN()
