// Surfaces that never cross: distances that are kept, in both precisions; the same bits whatever the arena
// and the threads; options that were written afterwards; too little memory.
#include <math.h>

#include "xt_model.h"

#define CLOTH                                                                                           \
  "<flexcomp name='c' type='grid' count='6 6 1' spacing='.03 .03 .03' radius='.001' mass='.036' "       \
  "pos='0 0 .12' euler='3 2 0'><elasticity young='1e5' poisson='.3' thickness='.001' elastic2d='both' " \
  "damping='.002'/></flexcomp>"
#define WORLD(obstacle, cloth)                                                                              \
  "<mujoco><option timestep='.002' integrator='discrete'><flag ipc='enable'/></option><worldbody>" obstacle \
      cloth "</worldbody></mujoco>"
#define BALL "<geom type='sphere' size='.1'/>"

static double least_height(const ctModel* m, const ctData* d, double radius) {
  double least = 1e30;
  for (int i = 0; i < m->nflexvert; i++) {
    const ctReal* x = d->flexvert_xpos + 3 * i;
    least = fmin(least, sqrt((double)(x[0] * x[0] + x[1] * x[1] + x[2] * x[2])) - radius);
  }
  return least;
}

XT_TEST(ipc, keeps_a_millimetre_from_a_ball) {
  ctModel* m = xt_load_string(WORLD(BALL, CLOTH));
  ctData* d = xt_data(m);
  bool touched = false;
  for (int i = 0; i < 300; i++) {
    XT_INT(ct_step(m, d), CT_OK);
    XT_INT(ct_forward_position(m, d), CT_OK);
    XT_INT(d->ncon, 0);
    XT_TRUE(least_height(m, d, 0.1) > 0);
    for (int v = 0; v < m->nflexvert; v++) touched = touched || d->flexvert_lambda[v] > 0;
  }
  XT_TRUE(touched);
  XT_TRUE(least_height(m, d, 0.1) > 0.9e-3);
  xt_no_warnings(d);
  ct_data_free(d);
  ct_model_free(m);
}

// A cloth over a cloth over the corner of a box, with both kinds of Jacobian.
XT_TEST(ipc, gives_the_same_bits_with_threads_and_from_a_copy) {
  ctModel* m = xt_load_string(
      WORLD("<geom type='box' size='.03 .04 .05'/>", CLOTH
            "<flexcomp name='b' type='grid' count='4 4 1' spacing='.03 .03 .03' radius='.001' mass='.016' "
            "pos='.01 .02 .14' euler='5 1 20'><edge equality='true'/></flexcomp>"));
  ctData *a = xt_data(m), *b = xt_data(m), *copy = xt_data(m);
  XT_INT(ct_data_set_threads(b, 2, NULL), CT_OK);
  for (int i = 0; i < 60; i++) {
    XT_INT(ct_step(m, a), CT_OK);
    XT_INT(ct_step(m, b), CT_OK);
  }
  XT_INT(ct_data_copy(m, a, copy), CT_OK);
  for (int i = 0; i < 60; i++) {
    XT_INT(ct_step(m, a), CT_OK);
    XT_INT(ct_step(m, b), CT_OK);
    XT_INT(ct_step(m, copy), CT_OK);
  }
  XT_TRUE(memcmp(a->qpos, b->qpos, sizeof(ctReal) * (size_t)m->nq) == 0);
  XT_TRUE(memcmp(a->qpos, copy->qpos, sizeof(ctReal) * (size_t)m->nq) == 0);
  XT_TRUE(memcmp(a->flexvert_lambda, b->flexvert_lambda, sizeof(ctReal) * (size_t)m->nflexvert) == 0);
  ct_data_reset(m, a);
  for (int v = 0; v < m->nflexvert; v++) XT_TRUE(a->flexvert_lambda[v] == 0 && a->flexvert_conage[v] == 0);
  ct_data_free(a);
  ct_data_free(b);
  ct_data_free(copy);
  ct_model_free(m);
}

XT_TEST(ipc, takes_the_room_it_needs_or_says_so) {
  ctModel* m = xt_load_string(WORLD(BALL, CLOTH));
  ctData* d = xt_data(m);
  for (int i = 0; i < 150; i++) XT_INT(ct_step(m, d), CT_OK);
  ctData* next = xt_data(m);
  XT_INT(ct_data_copy(m, d, next), CT_OK);
  XT_INT(ct_step(m, next), CT_OK);
  int full = 0;
  for (int part = 0; part < 40; part++) {
    const bool fixed = part % 2;
    ctData* small = xt_data(m);
    XT_INT(ct_data_copy(m, d, small), CT_OK);
    small->narena = (d->maxuse_arena / 40 * (size_t)(part / 2 * 2) + 64) / 64 * 64;
    small->arena_fixed = fixed;
    ctStatus status = ct_step(m, small);
    if (fixed) {
      full += status == CT_STEP_OVERFLOW;
      // a step that is not taken leaves no trace; one that is taken with a warning lacked room for some of
      // its trials and went another way, to the solver's tolerance
      const bool taken =
          memcmp(small->flexvert_lambda, d->flexvert_lambda, sizeof(ctReal) * (size_t)m->nflexvert) != 0;
      for (int i = 0; taken && status != CT_OK && i < m->nflexvert; i++)
        XT_NEAR(small->flexvert_lambda[i], next->flexvert_lambda[i], XT_TOL(1e-4, 1e-3));
      for (int i = 0; i < m->nq; i++) XT_TRUE(isfinite((double)small->qpos[i]));
    } else {
      // the step is taken again with more
      XT_INT(status, CT_OK);
      XT_TRUE(memcmp(small->qpos, next->qpos, sizeof(ctReal) * (size_t)m->nq) == 0);
      XT_TRUE(memcmp(small->flexvert_conage, next->flexvert_conage, sizeof(int) * (size_t)m->nflexvert) == 0);
    }
    ct_data_free(small);
  }
  XT_TRUE(full > 5);
  ct_data_free(next);
  ct_data_free(d);
  ct_model_free(m);
}

XT_TEST(ipc, follows_options_that_are_written) {
  ctModel* m = xt_load_string(WORLD("<geom type='plane' size='1 1 1'/>", CLOTH));
  ctData* d = xt_data(m);
  m->opt.solver = CT_SOL_CG;
  m->opt.jacobian = CT_JAC_DENSE;
  for (int i = 0; i < 120; i++) XT_INT(ct_step(m, d), CT_OK);
  XT_INT(d->ncon, 0);
  // ordinary contacts, once the flag is off
  m->opt.enableflags &= ~CT_ENBL_IPC;
  d->qpos[2] -= (ctReal)0.002;
  XT_INT(ct_step(m, d), CT_OK);
  XT_TRUE(d->ncon > 0);
  ct_data_free(d);
  ct_model_free(m);
  // a chain that turns is refused when the flag comes later
  m = xt_load_string(
      "<mujoco><option integrator='discrete'/><worldbody><body name='x'><joint type='hinge'/><geom size='.1' "
      "contype='0' conaffinity='0'/><flexcomp name='c' type='grid' count='3 3 1' spacing='.1 .1 .1' "
      "radius='.001' "
      "mass='1'><pin id='0'/><edge equality='true'/></flexcomp></body></worldbody></mujoco>");
  d = xt_data(m);
  m->opt.enableflags |= CT_ENBL_IPC;
  XT_INT(ct_step(m, d), CT_ERR_UNSUPPORTED);
  ct_data_free(d);
  ct_model_free(m);
}

XT_TEST(ipc, refuses_what_does_not_go_with_it) {
  XT_HAS(xt_refused("<mujoco><option integrator='Euler'><flag ipc='enable'/></option></mujoco>"), "discrete");
  XT_HAS(
      xt_refused("<mujoco><option integrator='discrete' solver='PGS'><flag ipc='enable'/></option></mujoco>"),
      "Newton");
}

XT_MAIN()
