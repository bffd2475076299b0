// Trees in an order that keeps the Hessian narrow.
#include "stage/solve/hessian.h"
#include "stage/solve/order.h"

#include "xt_model.h"

enum { SIDE = 4, BOXES = SIDE * SIDE * SIDE };

// A block of boxes that touch, numbered without sense: neighbours are far apart.
static ctModel* block(void) {
  static char text[20000];
  char* at = text;
  at += sprintf(at, "<mujoco><option jacobian='sparse'/><worldbody><geom type='plane' size='0 0 1'/>");
  for (int i = 0; i < BOXES; i++) {
    int k = i * 37 % BOXES, x = k % SIDE, y = k / SIDE % SIDE, z = k / SIDE / SIDE;
    at += sprintf(at, "<body pos='%g %g %g'><freejoint/><geom type='box' size='.1 .1 .1'/></body>",
                  0.199 * x + 0.002 * z, 0.199 * y, 0.099 + 0.199 * z);
  }
  sprintf(at, "</worldbody></mujoco>");
  return xt_load_string(text);
}

XT_TEST(order, it_is_a_permutation_that_keeps_trees_together) {
  ctModel* m = block();
  ctData* d = xt_data(m);
  XT_INT(ct_forward(m, d), CT_OK);
  ctiProblem p;
  cti_problem_whole(&p, m, d);
  int place[6 * BOXES], seen[6 * BOXES] = {0};
  XT_TRUE(cti_order_trees(&p, place));
  for (int i = 0; i < m->nv; i++) {
    XT_TRUE(place[i] >= 0 && place[i] < m->nv && !seen[place[i]]++);
    if (i % 6 > 0) XT_INT(place[i], place[i - 1] + 1);
  }
  ct_data_free(d);
  ct_model_free(m);
}

// A front of this block is a layer of SIDE^2 boxes; without an order it would be most of the boxes.
XT_TEST(order, the_factor_stays_narrow) {
  ctModel* m = block();
  ctData* d = xt_data(m);
  XT_INT(ct_forward(m, d), CT_OK);
  ctiProblem p;
  ctiHessian h;
  cti_problem_whole(&p, m, d);
  XT_TRUE(cti_hessian_allocate(&h, &p));
  XT_TRUE(h.place != NULL);
  XT_TRUE(h.sky.size < m->nv * 6 * SIDE * SIDE);
  ct_data_free(d);
  ct_model_free(m);
}

XT_TEST(order, the_solution_is_that_of_the_dense_problem) {
  ctModel* m = block();
  ctData *sparse = xt_data(m), *dense = xt_data(m);
  for (int cone = 0; cone < CT_CONE_COUNT; cone++) {
    m->opt.cone = cone;
    m->opt.jacobian = CT_JAC_SPARSE;
    XT_INT(ct_forward(m, sparse), CT_OK);
    m->opt.jacobian = CT_JAC_DENSE;
    XT_INT(ct_forward(m, dense), CT_OK);
    XT_TRUE(sparse->nefc > 4 * BOXES);
    XT_INT(sparse->solver_niter[0], dense->solver_niter[0]);
    XT_CLOSE(sparse->qacc, dense->qacc, m->nv, XT_TOL(1e-12, 5e-5), "qacc");
  }
  ct_data_free(sparse);
  ct_data_free(dense);
  ct_model_free(m);
}

XT_TEST(order, few_trees_stay_as_they_are) {
  ctModel* m = xt_load_string(
      "<mujoco><option jacobian='sparse'/><worldbody><geom type='plane' size='0 0 1'/>"
      "<body pos='0 0 .09'><freejoint/><geom size='.1'/></body></worldbody></mujoco>");
  ctData* d = xt_data(m);
  XT_INT(ct_forward(m, d), CT_OK);
  ctiProblem p;
  cti_problem_whole(&p, m, d);
  int place[6];
  XT_TRUE(!cti_order_trees(&p, place));
  ct_data_free(d);
  ct_model_free(m);
}

XT_MAIN()
