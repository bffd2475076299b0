// What stays of solids that are pulled and crushed: another shape of the same volume.
#include <math.h>

#include "xt_model.h"

static const int corner[6][2] = {{0, 1}, {1, 2}, {2, 0}, {2, 3}, {0, 3}, {1, 3}};

// 36 times the squared volume of a tetrahedron, from its squared edges: the determinant of the products of
// the edges at its first corner.
static double volume(const double edge[6]) {
  double square[4][4] = {{0}}, g[3][3];
  for (int k = 0; k < 6; k++)
    square[corner[k][0]][corner[k][1]] = square[corner[k][1]][corner[k][0]] = edge[k];
  for (int i = 0; i < 3; i++) {
    for (int j = 0; j < 3; j++) g[i][j] = (square[0][i + 1] + square[0][j + 1] - square[i + 1][j + 1]) / 2;
  }
  return g[0][0] * (g[1][1] * g[2][2] - g[1][2] * g[2][1]) -
         g[0][1] * (g[1][0] * g[2][2] - g[1][2] * g[2][0]) +
         g[0][2] * (g[1][0] * g[2][1] - g[1][1] * g[2][0]);
}

// One element at rest over the corner of a cube, its tip moved far in one step.
static double volume_after(double x, double y, double z, double* moved) {
  ctModel* m = xt_load_string(
      "<mujoco><option timestep='1e-6' gravity='0 0 0'/><worldbody>"
      "<flexcomp name='f' type='direct' dim='3' radius='.01' mass='1' point='0 0 0  1 0 0  0 1 0  0 0 1'"
      " element='0 1 2 3'><elasticity young='10' poisson='.3' yield='.02'/></flexcomp></worldbody></mujoco>");
  ctData* d = xt_data(m);
  const double to[3] = {x, y, z};
  for (int k = 0; k < 3; k++) d->qpos[9 + k] = (ctReal)to[k];
  XT_INT(ct_step(m, d), CT_OK);
  double edge[6];
  *moved = 0;
  for (int k = 0; k < 6; k++) {
    double rest = (double)m->flexedge_length0[m->flex_elemedge[k]];
    edge[k] = rest * rest + (double)d->plastic[k];
    *moved = fmax(*moved, fabs((double)d->plastic[k]));
  }
  double v = volume(edge);
  ct_data_free(d);
  ct_model_free(m);
  return v;
}

XT_TEST(flex_yield, keeps_the_volume_however_far_a_solid_is_deformed) {
  static const double tip[][3] = {{0, 0, 0.1}, {0, 0, 0.5}, {0.3, 0, 0}, {1, 1, 0},  {3, 0, 0},
                                  {-2, 1, 4},  {0, 0, -3},  {5, 5, 5},   {0, 0, 20}, {-9, 9, 1}};
  for (size_t i = 0; i < sizeof(tip) / sizeof(tip[0]); i++) {
    double moved, v = volume_after(tip[i][0], tip[i][1], tip[i][2], &moved);
    XT_TRUE(moved > 0.05);
    // products of squares of the edges go into it
    double scale = 1 + moved * moved * moved;
    XT_NEAR(v, 1, (sizeof(ctReal) == 4 ? 1e-5 : 1e-13) * scale);
  }
}

XT_MAIN()
