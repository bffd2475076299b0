// The solvers agree with each other, with islands and without, and survive bad input.
#include "xt_model.h"

#define MIXED "tests/models/constraint/mixed.xml"

static void tighten(ctModel* m) {
  m->opt.tolerance = XT_TOL((ctReal)1e-15, (ctReal)1e-7);
  m->opt.iterations = 1000;
  m->opt.ls_iterations = 100;
  m->opt.ls_tolerance = XT_TOL((ctReal)1e-6, (ctReal)1e-2);
}

// Some steps into the motion, so that everything touches and slides.
static ctData* started(const ctModel* m) {
  ctData* d = xt_data(m);
  for (int i = 0; i < m->nv; i++) d->qvel[i] = (ctReal)(0.3 * sin(1.0 + i));
  for (int k = 0; k < 20; k++) XT_INT(ct_step(m, d), CT_OK);
  XT_TRUE(d->nefc > 20);
  xt_no_warnings(d);
  return d;
}

// qacc with another option set, at the same state.
static void solve_as(ctModel* m, ctData* d, ctSolver solver, int disable, ctReal* qacc) {
  ctOption saved = m->opt;
  m->opt.solver = solver;
  m->opt.disableflags |= disable;
  if (solver == CT_SOL_PGS) m->opt.iterations = 50000;
  XT_INT(ct_forward(m, d), CT_OK);
  memcpy(qacc, d->qacc, sizeof(ctReal) * (size_t)m->nv);
  m->opt = saved;
}

static void expect_agreement(int cone, int jacobian) {
  ctModel* m = xt_load(MIXED);
  tighten(m);
  m->opt.cone = cone;
  m->opt.jacobian = jacobian;
  ctData* d = started(m);
  ctReal newton[64], other[64], balance, force;
  XT_TRUE(m->nv <= 64);
  solve_as(m, d, CT_SOL_NEWTON, 0, newton);
  XT_TRUE(d->nisland > 2);
  XT_INT(ct_kkt_residual(m, d, &balance, &force), CT_OK);
  XT_NEAR(balance, 0, XT_TOL(1e-10, 1e-3));
  XT_NEAR(force, 0, XT_TOL(1e-8, 1e-2));
  solve_as(m, d, CT_SOL_NEWTON, CT_DSBL_ISLAND, other);
  XT_CLOSE(other, newton, m->nv, XT_TOL(1e-9, 1e-2), "islands off");
  solve_as(m, d, CT_SOL_NEWTON, CT_DSBL_WARMSTART, other);
  XT_CLOSE(other, newton, m->nv, XT_TOL(1e-9, 1e-2), "cold start");
#ifndef CT_SINGLE
  solve_as(m, d, CT_SOL_CG, 0, other);
  XT_CLOSE(other, newton, m->nv, 1e-6, "CG");
  solve_as(m, d, CT_SOL_PGS, 0, other);
  XT_CLOSE(other, newton, m->nv, 1e-5, "PGS");
  solve_as(m, d, CT_SOL_PGS, CT_DSBL_ISLAND, other);
  XT_CLOSE(other, newton, m->nv, 1e-5, "PGS, islands off");
#endif
  ct_data_free(d);
  ct_model_free(m);
}

XT_TEST(solve, solvers_agree_with_pyramids) {
  expect_agreement(CT_CONE_PYRAMIDAL, CT_JAC_DENSE);
}
XT_TEST(solve, solvers_agree_with_elliptic_cones) {
  expect_agreement(CT_CONE_ELLIPTIC, CT_JAC_DENSE);
}
XT_TEST(solve, solvers_agree_with_sparse_jacobians) {
  expect_agreement(CT_CONE_PYRAMIDAL, CT_JAC_SPARSE);
  expect_agreement(CT_CONE_ELLIPTIC, CT_JAC_SPARSE);
}

XT_TEST(solve, islands_are_numbered_by_their_smallest_tree) {
  ctModel* m = xt_load(MIXED);
  ctData* d = started(m);
  int next = 0;
  for (int t = 0; t < m->ntree; t++) {
    XT_TRUE(d->tree_island[t] <= next);
    if (d->tree_island[t] == next) next++;
  }
  XT_INT(next, d->nisland);
  // box and ball touch, the falling one touches nothing
  XT_INT(d->tree_island[0], d->tree_island[1]);
  XT_INT(d->tree_island[m->ntree - 1], -1);
  for (int i = 0; i < m->nv; i++) XT_INT(d->map_idof2dof[d->map_dof2idof[i]], i);
  for (int i = 0; i < d->nefc; i++) XT_INT(d->map_iefc2efc[d->map_efc2iefc[i]], i);
  ct_data_free(d);
  ct_model_free(m);
}

XT_TEST(solve, contact_forces_carry_the_weight) {
  ctModel* m = xt_load_string(
      "<mujoco><worldbody><geom type='plane' size='5 5 .1'/><body pos='0 0 .1'><freejoint/>"
      "<geom type='box' size='.1 .1 .1' mass='3'/></body></worldbody></mujoco>");
  for (int cone = 0; cone < 2; cone++) {
    m->opt.cone = cone;
    ctData* d = xt_data(m);
    for (int k = 0; k < 1000; k++) XT_INT(ct_step(m, d), CT_OK);
    ctReal sum = 0, out[6];
    for (int i = 0; i < d->ncon; i++) {
      XT_INT(ct_contact_force(m, d, i, out), CT_OK);
      sum += out[0];
    }
    XT_NEAR(sum, 3 * 9.81, XT_TOL(1e-4, 1e-2));
    XT_INT(ct_contact_force(m, d, d->ncon, out), CT_ERR_ARGUMENT);
    XT_INT(ct_contact_force(m, d, -1, out), CT_ERR_ARGUMENT);
    ct_data_free(d);
  }
  ct_model_free(m);
}

// ---- problems that are hard: still solved, by every solver ----

// Every solver has forces that explain its acceleration, and the acceleration of Newton. Gauss-Seidel creeps
// along rows that contradict each other, and stops far away: it can be left out.
static void expect_one_solution(ctModel* m, ctData* d, bool dual) {
  ctReal newton[6], other[6], balance, force;
  solve_as(m, d, CT_SOL_NEWTON, CT_DSBL_WARMSTART, newton);
  for (int solver = 0; solver < CT_SOL_COUNT; solver++) {
    // the others converge too slowly for the digits of float
    if (sizeof(ctReal) == sizeof(float) && solver != CT_SOL_NEWTON) continue;
    if (solver == CT_SOL_PGS && !dual) continue;
    solve_as(m, d, solver, CT_DSBL_WARMSTART, other);
    XT_INT(ct_kkt_residual(m, d, &balance, &force), CT_OK);
    // a primal solver keeps to the forces of its acceleration, a dual one to the acceleration of its forces
    XT_NEAR(balance, 0, XT_TOL(1e-6, 5e-3));
    XT_NEAR(force, 0, solver == CT_SOL_PGS ? 1e-5 : XT_TOL(1e-12, 1e-2));
    XT_CLOSE(other, newton, m->nv, XT_TOL(1e-6, 1e-3), "another solver");
  }
}

// A box is left alone for a second.
static ctData* after_a_second(ctModel* m, int cone, bool dual) {
  tighten(m);
  m->opt.cone = cone;
  ctData* d = xt_data(m);
  for (int k = 0; k < 500; k++) XT_INT(ct_step(m, d), CT_OK);
  xt_no_warnings(d);
  expect_one_solution(m, d, dual);
  return d;
}

// It rests between two heights, with both cones.
static void expect_rest(const char* text, double low, double high) {
  ctModel* m = xt_load_string(text);
  for (int cone = 0; cone < 2; cone++) {
    ctData* d = after_a_second(m, cone, true);
    for (int i = 0; i < m->nv; i++) XT_NEAR(d->qvel[i], 0, XT_TOL(1e-9, 1e-4));
    XT_TRUE(d->qpos[2] > (ctReal)low && d->qpos[2] < (ctReal)high);
    ct_data_free(d);
  }
  ct_model_free(m);
}

#define ONE_BOX(geom, rest)                                                                        \
  "<mujoco><worldbody><geom type='plane' size='5 5 .1'/><body name='b' pos='0 0 .09'><freejoint/>" \
  "<geom type='box' size='.1 .1 .1' " geom "/></body></worldbody>" rest "</mujoco>"

XT_TEST(solve, redundant_equalities_hold_between_their_wish_and_the_floor) {
  // the weld wants 0.09, the floor 0.1
  expect_rest(ONE_BOX("", "<equality><weld body1='b'/></equality>"), 0.09, 0.0999);
  expect_rest(ONE_BOX("", "<equality><weld body1='b'/><weld body1='b'/><weld body1='b'/></equality>"), 0.09,
              0.0999);
}

XT_TEST(solve, contradicting_equalities_have_one_solution) {
  ctModel* m = xt_load_string(
      ONE_BOX("",
              "<equality><connect body1='b' anchor='0 0 0'/><weld body1='b' relpose='1 2 3 1 0 0 0'/>"
              "<weld body1='b' relpose='-1 2 3 0 1 0 0'/></equality>"));
  for (int cone = 0; cone < 2; cone++) {
    ctData* d = after_a_second(m, cone, false);
    // three places are wished for, at 0, 1 and -1: by symmetry it stays in between
    XT_NEAR(d->qpos[0], 0, XT_TOL(1e-9, 1e-3));
    for (int i = 0; i < m->nv; i++) XT_TRUE(fabs((double)d->qvel[i]) < 3);
    ct_data_free(d);
  }
  ct_model_free(m);
}

// An ellipse carries the box whatever the friction. The edges of such a pyramid are so flat that they carry
// nothing: the box falls as if there were no floor.
XT_TEST(solve, huge_friction_holds_with_ellipses_and_not_with_pyramids) {
  ctModel* m = xt_load_string(ONE_BOX("friction='1e10 1e10 1e10' condim='6'", ""));
  ctData* d = after_a_second(m, CT_CONE_ELLIPTIC, true);
  XT_NEAR(d->qpos[2], 0.0999, XT_TOL(1e-4, 2e-4));
  XT_NEAR(d->qvel[2], 0, XT_TOL(1e-9, 1e-4));
  ct_data_free(d);
  d = after_a_second(m, CT_CONE_PYRAMIDAL, true);
  XT_NEAR(d->qvel[2], -9.81, XT_TOL(1e-6, 1e-3));
  ct_data_free(d);
  ct_model_free(m);
}

XT_TEST(solve, impedance_without_width_carries_the_box) {
  expect_rest(ONE_BOX("solimp='.9 .95 0 .5 2'", ""), 0.0997, 0.1);
}

XT_TEST(solve, a_bad_warm_start_is_not_taken) {
  ctModel* m = xt_load(MIXED);
  for (int solver = 0; solver < CT_SOL_COUNT; solver++) {
    m->opt.solver = solver;
    ctData* d = started(m);
    ctReal cold[64];
    solve_as(m, d, solver, CT_DSBL_WARMSTART, cold);
    for (int i = 0; i < m->nv; i++) d->qacc_warmstart[i] = (ctReal)NAN;
    XT_INT(ct_forward(m, d), CT_OK);
    XT_SAME(d->qacc, cold, m->nv);
    ct_data_free(d);
  }
  ct_model_free(m);
}

XT_MAIN()
