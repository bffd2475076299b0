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
  XT_UNUSED;
  expect_agreement(CT_CONE_PYRAMIDAL, CT_JAC_DENSE);
}
XT_TEST(solve, solvers_agree_with_elliptic_cones) {
  XT_UNUSED;
  expect_agreement(CT_CONE_ELLIPTIC, CT_JAC_DENSE);
}
XT_TEST(solve, solvers_agree_with_sparse_jacobians) {
  XT_UNUSED;
  expect_agreement(CT_CONE_PYRAMIDAL, CT_JAC_SPARSE);
  expect_agreement(CT_CONE_ELLIPTIC, CT_JAC_SPARSE);
}

XT_TEST(solve, islands_are_numbered_by_their_smallest_tree) {
  XT_UNUSED;
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
  XT_UNUSED;
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

// ---- bad input: finite or counted, nothing hangs ----

static void expect_survives(const char* text) {
  ctModel* m = xt_load_string(text);
  for (int solver = 0; solver < CT_SOL_COUNT; solver++) {
    for (int cone = 0; cone < 2; cone++) {
      m->opt.solver = solver;
      m->opt.cone = cone;
      ctData* d = xt_data(m);
      for (int k = 0; k < 50; k++) ct_step(m, d);
      int warnings = 0;
      for (int i = 0; i < CT_WARN_COUNT; i++) warnings += d->warning[i].number;
      for (int i = 0; i < m->nv; i++) XT_TRUE(isfinite(d->qacc[i]) || warnings > 0);
      for (int i = 0; i < m->nq; i++) XT_TRUE(isfinite(d->qpos[i]) || warnings > 0);
      ct_data_free(d);
    }
  }
  ct_model_free(m);
}

#define ONE_BOX(geom, rest)                                                                        \
  "<mujoco><worldbody><geom type='plane' size='5 5 .1'/><body name='b' pos='0 0 .09'><freejoint/>" \
  "<geom type='box' size='.1 .1 .1' " geom "/></body></worldbody>" rest "</mujoco>"

XT_TEST(solve, redundant_equalities_survive) {
  XT_UNUSED;
  expect_survives(ONE_BOX("", "<equality><weld body1='b'/><weld body1='b'/><weld body1='b'/></equality>"));
}
XT_TEST(solve, contradicting_equalities_survive) {
  XT_UNUSED;
  expect_survives(
      ONE_BOX("",
              "<equality><connect body1='b' anchor='0 0 0'/><weld body1='b' relpose='1 2 3 1 0 0 0'/>"
              "<weld body1='b' relpose='-1 2 3 0 1 0 0'/></equality>"));
}
XT_TEST(solve, huge_friction_survives) {
  XT_UNUSED;
  expect_survives(ONE_BOX("friction='1e10 1e10 1e10' condim='6'", ""));
}
XT_TEST(solve, zero_impedance_width_survives) {
  XT_UNUSED;
  expect_survives(ONE_BOX("solimp='.9 .95 0 .5 2'", ""));
}

XT_TEST(solve, a_bad_warm_start_is_not_taken) {
  XT_UNUSED;
  ctModel* m = xt_load(MIXED);
  for (int solver = 0; solver < CT_SOL_COUNT; solver++) {
    m->opt.solver = solver;
    ctData* d = started(m);
    for (int i = 0; i < m->nv; i++) d->qacc_warmstart[i] = (ctReal)NAN;
    XT_INT(ct_forward(m, d), CT_OK);
    for (int i = 0; i < m->nv; i++) XT_TRUE(isfinite(d->qacc[i]));
    ct_data_free(d);
  }
  ct_model_free(m);
}

XT_MAIN(XT_CASE(solve, solvers_agree_with_pyramids), XT_CASE(solve, solvers_agree_with_elliptic_cones),
        XT_CASE(solve, solvers_agree_with_sparse_jacobians),
        XT_CASE(solve, islands_are_numbered_by_their_smallest_tree),
        XT_CASE(solve, contact_forces_carry_the_weight), XT_CASE(solve, redundant_equalities_survive),
        XT_CASE(solve, contradicting_equalities_survive), XT_CASE(solve, huge_friction_survives),
        XT_CASE(solve, zero_impedance_width_survives), XT_CASE(solve, a_bad_warm_start_is_not_taken))
