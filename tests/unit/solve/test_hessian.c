// The Hessian of the primal problem after rows have come and gone.
#include "stage/solve/hessian.h"

#include "stage/solve/row_cost.h"
#include "xt_model.h"

#define NV   3
#define ROWS 4

typedef struct Case {
  ctModel* m;
  ctData* d;
  ctiProblem p;
  ctiHessian h;
  ctReal M[NV], J[ROWS * NV], D[ROWS];
  int one[NV], adr[NV], col[NV], type[ROWS], state[ROWS];
} Case;

// A unit mass matrix and rows of one stiffness, all active.
static void start(Case* c, ctReal stiffness) {
  c->m = xt_load_string("<mujoco><worldbody><body><freejoint/><geom size='.1'/></body></worldbody></mujoco>");
  c->d = xt_data(c->m);
  xtRng rng = xt_rng(2);
  xt_random_vec(c->J, ROWS * NV, &rng);
  for (int i = 0; i < NV; i++) {
    c->M[i] = 1;
    c->one[i] = 1;
    c->adr[i] = c->col[i] = i;
  }
  for (int i = 0; i < ROWS; i++) {
    c->D[i] = stiffness;
    c->type[i] = CT_CNSTR_LIMIT_JOINT;
    c->state[i] = CTI_ROW_QUADRATIC;
  }
  c->p = (ctiProblem){.nv = NV,
                      .nefc = ROWS,
                      .M = c->M,
                      .M_rownnz = c->one,
                      .M_rowadr = c->adr,
                      .M_colind = c->col,
                      .J = c->J,
                      .type = c->type,
                      .D = c->D,
                      .state = c->state,
                      .d = c->d};
  XT_TRUE(cti_hessian_allocate(&c->h, &c->p));
  XT_INT(cti_hessian_make(&c->h), NV);
}

static void finish(Case* c) {
  ct_data_free(c->d);
  ct_model_free(c->m);
}

// What is left is the mass matrix, not the rounding of what was taken away.
static void expect_mass_matrix_after_all_leave(ctReal stiffness) {
  Case c;
  start(&c, stiffness);
  // on the way a few stiff rows may drown the rest
  int rank = 0;
  for (int i = 0; i < ROWS; i++) {
    c.state[i] = CTI_ROW_SATISFIED;
    rank = cti_hessian_update(&c.h, false);
  }
  XT_INT(rank, NV);
  ctReal b[NV] = {1, -2, 3}, x[NV];
  cti_hessian_solve(&c.h, x, b);
  XT_CLOSE(x, b, NV, XT_TOL(1e-5, 1e-2), "mass matrix");
  finish(&c);
}

XT_TEST(hessian, rows_leave_no_trace) {
  expect_mass_matrix_after_all_leave((ctReal)1e2);
  expect_mass_matrix_after_all_leave((ctReal)1e9);
}

XT_TEST(hessian, rows_that_outweigh_all_else_leave_no_trace) {
  expect_mass_matrix_after_all_leave((ctReal)1e15);
  expect_mass_matrix_after_all_leave((ctReal)1e25);
}

XT_MAIN()
