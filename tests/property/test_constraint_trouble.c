// Constraints that cannot be met, are there twice, or are made of bad numbers: the result is finite or a
// warning is counted, and nothing hangs.
#include "xt_model.h"

static const ctSolver solvers[] = {CT_SOL_PGS, CT_SOL_CG, CT_SOL_NEWTON};

static int warnings(const ctData* d) {
  int count = 0;
  for (int i = 0; i < CT_WARN_COUNT; i++) count += d->warning[i].number;
  return count;
}

static bool finite(const ctReal* x, int n) {
  for (int i = 0; i < n; i++) {
    if (!isfinite((double)x[i])) return false;
  }
  return true;
}

// What is done to a model or data before it runs.
typedef void Spoil(ctModel* m, ctData* d);

// Every solver, cone, Jacobian, with and without noslip. Returns the warnings of all runs together.
static int run(const char* text, Spoil* spoil, int steps) {
  int counted = 0;
  for (int k = 0; k < 3 * 2 * 2 * 2; k++) {
    ctModel* m = xt_load_string(text);
    m->opt.solver = (int)solvers[k % 3];
    m->opt.cone = k / 3 % 2;
    m->opt.jacobian = k / 6 % 2;
    m->opt.noslip_iterations = k / 12 % 2 * 3;
    ctData* d = xt_data(m);
    if (spoil) spoil(m, d);
    for (int i = 0; i < steps; i++) {
      int before = warnings(d);
      ct_step(m, d);
      bool good = finite(d->qacc, m->nv) && finite(d->qpos, m->nq) && finite(d->qvel, m->nv);
      if (!good && warnings(d) == before) fail_msg("run %d: a bad number in step %d without a warning", k, i);
    }
    counted += warnings(d);
    ct_data_free(d);
    ct_model_free(m);
  }
  return counted;
}

XT_TEST(constraint_trouble, contradicting_equalities_compromise) {
  const char* text =
      "<mujoco><worldbody><body name='a'><joint name='x' type='slide' axis='1 0 0'/><geom size='.1'/></body>"
      "<body name='b' pos='1 0 0'><freejoint/><geom size='.1'/></body></worldbody><equality>"
      "<joint joint1='x' polycoef='1 0 0 0 0'/><joint joint1='x' polycoef='-1 0 0 0 0'/>"
      "<connect body1='b' anchor='.3 0 0'/><weld body1='b' relpose='0 0 2 1 0 0 0'/>"
      "<weld body1='b' relpose='0 1 0 0 1 0 0'/></equality></mujoco>";
  XT_INT(run(text, NULL, 300), 0);
  // two equal wishes are met in the middle
  ctModel* m = xt_load_string(text);
  ctData* d = xt_data(m);
  for (int i = 0; i < 1000; i++) ct_step(m, d);
  XT_NEAR(d->qpos[0], 0, XT_TOL(1e-6, 1e-3));
  ct_data_free(d);
  ct_model_free(m);
}

XT_TEST(constraint_trouble, the_same_constraint_many_times_is_that_constraint) {
  char text[3000] =
      "<mujoco><option tolerance='1e-14'/><worldbody><body name='b' pos='0 0 1'><freejoint/>"
      "<geom type='box' size='.1 .2 .3'/></body></worldbody><equality>";
  for (int i = 0; i < 12; i++) strcat(text, "<weld body1='b'/>");
  strcat(text, "</equality></mujoco>");
  XT_INT(run(text, NULL, 200), 0);
  ctModel* m = xt_load_string(text);
  ctData* d = xt_data(m);
  for (int i = 0; i < 500; i++) XT_INT(ct_step(m, d), CT_OK);
  XT_NEAR(d->qpos[2], 1, 1e-3);
  ct_data_free(d);
  ct_model_free(m);
}

#define RESTING                                                                                 \
  "<mujoco><worldbody><geom type='plane' size='5 5 .1'/><body pos='0 0 .1'><freejoint/>"        \
  "<geom type='box' size='.1 .1 .1' condim='6'/></body><body pos='0 0 .3'><joint type='slide' " \
  "axis='0 0 1' range='-.1 .1' limited='true' frictionloss='1'/><geom size='.1'/></body>"       \
  "</worldbody></mujoco>"

static void infinite_friction(ctModel* m, ctData* d) {
  (void)d;
  for (int i = 0; i < 3 * m->ngeom; i++) m->geom_friction[i] = (ctReal)INFINITY;
}
static void huge_friction(ctModel* m, ctData* d) {
  (void)d;
  for (int i = 0; i < 3 * m->ngeom; i++) m->geom_friction[i] = (ctReal)1e30;
}
static void no_friction(ctModel* m, ctData* d) {
  (void)d;
  for (int i = 0; i < 3 * m->ngeom; i++) m->geom_friction[i] = 0;
}
static void infinite_frictionloss(ctModel* m, ctData* d) {
  (void)d;
  for (int i = 0; i < m->nv; i++) m->dof_frictionloss[i] = (ctReal)INFINITY;
}
XT_TEST(constraint_trouble, friction_of_any_size) {
  run(RESTING, infinite_friction, 100);
  run(RESTING, huge_friction, 100);
  run(RESTING, infinite_frictionloss, 100);
  // rows of the least friction are stiff beyond float: lost pivots are counted there
  int lost = run(RESTING, no_friction, 100);
  XT_TRUE(lost == 0 || sizeof(ctReal) == sizeof(float));
}

static void set_impedance(ctModel* m, const ctReal solimp[5]) {
  for (int i = 0; i < m->ngeom; i++) memcpy(m->geom_solimp + 5 * i, solimp, sizeof(ctReal) * 5);
  for (int i = 0; i < m->njnt; i++) memcpy(m->jnt_solimp + 5 * i, solimp, sizeof(ctReal) * 5);
  for (int i = 0; i < m->nv; i++) memcpy(m->dof_solimp + 5 * i, solimp, sizeof(ctReal) * 5);
}
static void no_width(ctModel* m, ctData* d) {
  (void)d;
  set_impedance(m, (const ctReal[5]){(ctReal)0.1, (ctReal)0.9, 0, (ctReal)0.5, 2});
}
static void flat_step(ctModel* m, ctData* d) {
  (void)d;
  set_impedance(m, (const ctReal[5]){1, 1, 0, 0, 0});
}
static void wrong_way(ctModel* m, ctData* d) {
  (void)d;
  set_impedance(m, (const ctReal[5]){2, -1, -1, 3, -5});
}
static void no_solref(ctModel* m, ctData* d) {
  (void)d;
  for (int i = 0; i < 2 * m->ngeom; i++) m->geom_solref[i] = 0;
  for (int i = 0; i < 2 * m->njnt; i++) m->jnt_solref[i] = 0;
}
XT_TEST(constraint_trouble, impedance_without_width) {
  XT_INT(run(RESTING, no_width, 200), 0);
  XT_INT(run(RESTING, flat_step, 200), 0);
  run(RESTING, wrong_way, 200);
  run(RESTING, no_solref, 200);
}

static void no_impratio(ctModel* m, ctData* d) {
  (void)d;
  m->opt.impratio = 0;
}
static void infinite_impratio(ctModel* m, ctData* d) {
  (void)d;
  m->opt.impratio = (ctReal)INFINITY;
}
static void exact_diagonal(ctModel* m, ctData* d) {
  infinite_impratio(m, d);
  m->opt.enableflags |= CT_ENBL_DIAGEXACT;
}
XT_TEST(constraint_trouble, impratio_of_any_size) {
  run(RESTING, no_impratio, 40);
  run(RESTING, infinite_impratio, 40);
  run(RESTING, exact_diagonal, 40);
}

// A contact that cannot move what it touches, a tendon that is straight at rest, a weld that does not hold
// angles: their rows have no inertia.
#define IMMOVABLE                                                                                 \
  "<mujoco><worldbody><geom type='plane' size='5 5 .1'/><body pos='0 0 .05'><joint name='z' "     \
  "axis='0 0 1'/><geom size='.1' condim='6'/></body><body pos='0 0 1'><joint axis='0 1 0'/>"      \
  "<geom size='.1' pos='.2 0 0'/><site name='a' pos='.3 0 0'/><body name='b' pos='.5 0 0'>"       \
  "<joint type='ball'/><geom type='box' size='.05 .06 .07'/><site name='b' pos='.1 0 0'/></body>" \
  "</body></worldbody><tendon><spatial limited='true' range='.25 .26' frictionloss='1'>"          \
  "<site site='a'/><site site='b'/></spatial></tendon>"                                           \
  "<equality><weld body1='b' torquescale='0'/></equality></mujoco>"

XT_TEST(constraint_trouble, rows_without_inertia) {
  run(IMMOVABLE, NULL, 50);
  run(IMMOVABLE, exact_diagonal, 50);
  run(IMMOVABLE, infinite_impratio, 50);
}

static void bad_position(ctModel* m, ctData* d) {
  (void)m;
  d->qpos[0] = (ctReal)NAN;
}
static void bad_velocity(ctModel* m, ctData* d) {
  (void)m;
  d->qvel[6] = (ctReal)INFINITY;
}
static void bad_warmstart(ctModel* m, ctData* d) {
  for (int i = 0; i < m->nv; i++) d->qacc_warmstart[i] = (ctReal)NAN;
}
static void bad_force(ctModel* m, ctData* d) {
  (void)m;
  d->qfrc_applied[3] = (ctReal)NAN;
}
XT_TEST(constraint_trouble, bad_numbers_at_the_start) {
  XT_TRUE(run(RESTING, bad_position, 20) > 0);
  XT_TRUE(run(RESTING, bad_velocity, 20) > 0);
  XT_TRUE(run(RESTING, bad_force, 20) > 0);
  run(RESTING, bad_warmstart, 20);
}

// Rows cannot hold what is not finite: every solver's step says so, and the other tree does not just stop.
static const char* endless =
    "<mujoco><worldbody><body><joint axis='0 1 0' frictionloss='.1'/><geom size='.1' pos='1 0 0'/></body>"
    "<body pos='0 3 0'><joint name='b' axis='0 1 0' frictionloss='.1'/><geom size='.1' pos='1 0 0'/></body>"
    "</worldbody><actuator><motor joint='b'/></actuator></mujoco>";

static void push_without_end(ctModel* m, ctData* d) {
  m->actuator_gear[0] = XT_TOL(1e308, 1e38f);
  d->ctrl[0] = 1000;
}

XT_TEST(constraint_trouble, forces_without_end_are_reported) {
  XT_INT(run(endless, push_without_end, 1), 24);
  ctModel* m = xt_load_string(endless);
  ctData* d = xt_data(m);
  push_without_end(m, d);
  XT_INT(ct_step(m, d), CT_STEP_DIVERGED);
  XT_INT(d->warning[CT_WARN_BADQACC].number, 1);
  ct_data_free(d);
  ct_model_free(m);
}

XT_MAIN()
