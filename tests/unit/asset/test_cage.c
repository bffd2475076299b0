#include "asset/cage.h"

#include <math.h>

#include "asset/chain.h"
#include "xt.h"
#include "xt_alloc.h"

// The corner of a cell: its volume is a sixth, and monomials over it are known.
static const double corner[12] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
static const int tet[4] = {0, 1, 2, 3};
static const int surface[12] = {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3};

static double volume(const ctiCageMaterial* m, int cell) {
  ctiPoly one = {{1}};
  return cti_cage_integral(m, cell, &one, &one, &one);
}

XT_TEST(cage, material_of_a_tetrahedron_and_of_its_surface_is_the_same) {
  for (int order = 1; order <= 2; order++) {
    ctiRegion* region = cti_region_create(NULL);
    const ctiCage cage = {order, {1, 1, 1}};
    ctiCageMaterial solid, hollow;
    ctError err = {0};
    XT_INT(cti_cage_material(&solid, &cage, 3, corner, tet, 1, region, &err), CT_OK);
    XT_INT(cti_cage_material(&hollow, &cage, 2, corner, surface, 4, region, &err), CT_OK);
    // what is void counts a millionth
    XT_NEAR(volume(&solid, 0), 1.0 / 6 + 1e-6 * 5 / 6, 1e-14);
    int n = (2 * order + 1) * (2 * order + 1) * (2 * order + 1);
    for (int i = 0; i < n; i++) XT_NEAR(solid.moment[i], hollow.moment[i], 1e-14);
    cti_region_free(region);
  }
}

XT_TEST(cage, cells_that_material_hardly_reaches_are_empty) {
  ctiRegion* region = cti_region_create(NULL);
  const ctiCage cage = {1, {2, 1, 1}};
  const double reach[2] = {1.019, 1.021};
  for (int k = 0; k < 2; k++) {
    // a tip from the middle of one cell into the other
    const double point[12] = {reach[k], 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.9, 0.5, 0.5, 0.5, 0.9};
    ctiCageMaterial m;
    ctError err = {0};
    XT_INT(cti_cage_material(&m, &cage, 3, point, tet, 1, region, &err), CT_OK);
    XT_TRUE(!m.empty[0]);
    XT_INT(m.empty[1], k == 0);
  }
  cti_region_free(region);
}

XT_TEST(cage, shares_add_up_to_the_material) {
  for (int order = 1; order <= 2; order++) {
    ctiRegion* region = cti_region_create(NULL);
    const ctiCage cage = {order, {1, 1, 1}};
    // a full cell in six tetrahedra
    double point[24];
    static const int cell[24] = {0, 3, 1, 7, 0, 1, 4, 7, 1, 3, 2, 7, 1, 2, 6, 7, 1, 5, 4, 7, 1, 6, 5, 7};
    static const int at[8][3] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0},
                                 {0, 0, 1}, {1, 0, 1}, {1, 1, 1}, {0, 1, 1}};
    for (int i = 0; i < 24; i++) point[i] = at[i / 3][i % 3];
    ctiCageMaterial m;
    ctError err = {0};
    double mass[27], sum = 0;
    XT_INT(cti_cage_material(&m, &cage, 3, point, cell, 6, region, &err), CT_OK);
    cti_cage_masses(mass, &cage, &m);
    for (int i = 0; i < (int)cti_cage_node_count(&cage); i++) sum += mass[i];
    XT_NEAR(sum, 1, 1e-13);
    XT_NEAR(mass[0], order == 1 ? 1.0 / 8 : 1.0 / 216, 1e-14);
    cti_region_free(region);
  }
}

XT_TEST(chain, starts_at_its_first_line_or_at_the_lower_end) {
  static const struct {
    int line[6], first;
  } cases[] = {
      {{0, 1, 1, 2, 2, 3}, 0}, {{3, 2, 2, 1, 1, 0}, 3}, {{2, 3, 0, 1, 1, 2}, 0}, {{1, 0, 1, 2, 3, 2}, 0}};
  for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
    ctiRegion* region = cti_region_create(NULL);
    ctiChain chain;
    int order[4];
    XT_INT(cti_chain_make(&chain, cases[i].line, 3, 4, region, NULL), CT_OK);
    XT_TRUE(cti_chain_order(order, &chain));
    XT_INT(order[0], cases[i].first);
    XT_INT(order[3], 3 - cases[i].first);
    cti_region_free(region);
  }
}

XT_TEST(chain, rings_and_branches_are_none) {
  static const int ring[6] = {0, 1, 1, 2, 2, 0}, branch[6] = {0, 1, 1, 2, 1, 3}, two[4] = {0, 1, 2, 3};
  ctiRegion* region = cti_region_create(NULL);
  ctiChain chain;
  int order[4];
  cti_chain_make(&chain, ring, 3, 3, region, NULL);
  XT_TRUE(!cti_chain_order(order, &chain));
  cti_chain_make(&chain, branch, 3, 4, region, NULL);
  XT_TRUE(!cti_chain_order(order, &chain));
  cti_chain_make(&chain, two, 2, 4, region, NULL);
  XT_TRUE(!cti_chain_order(order, &chain));
  cti_region_free(region);
}

XT_MAIN()
