// Numbers that are none, or far too large, in any input of a step: a counted warning and a status, and a data
// that can go on; never a crash, a hang or a silent NaN.
#include "data/data.h"
#include "xt_model.h"

static const char* const models[] = {
    "tests/models/chain.xml",
    "tests/models/springs.xml",
    "tests/models/smooth/fluid_ellipsoid.xml",
    "tests/models/smooth/integrator_implicitfast.xml",
    "tests/models/smooth/integrator_rk4.xml",
    "tests/models/smooth/length_range.xml",
    "tests/models/mjcf/tendons.xml",
    "tests/models/constraint/mixed.xml",
    "models/humanoid.xml",
};

static const char* const inputs[] = {"qpos",      "qvel",         "act",
                                     "ctrl",      "qfrc_applied", "xfrc_applied",
                                     "mocap_pos", "mocap_quat",   "qacc_warmstart"};

static bool is_finite(const ctModel* m, const ctData* d, const char* name) {
  ctField f;
  XT_INT(ct_data_field(m, (ctData*)d, name, &f), CT_OK);
  for (int64_t i = 0; i < f.rows * f.cols; i++) {
    if (!isfinite((double)((const ctReal*)f.data)[i])) return false;
  }
  return true;
}

static int warnings(const ctData* d) {
  int sum = 0;
  for (int i = 0; i < CT_WARN_COUNT; i++) sum += d->warning[i].number;
  return sum;
}

// One bad number, then some steps with it taken back, as a user would after reading the status.
static void try_one(const ctModel* m, ctData* d, const char* name, int64_t index, ctReal bad) {
  ct_data_reset(m, d);
  ctField f;
  XT_INT(ct_data_field(m, d, name, &f), CT_OK);
  ctReal kept = ((ctReal*)f.data)[index];
  ((ctReal*)f.data)[index] = bad;
  ctStatus status = ct_step_n(m, d, 3);
  bool clean = is_finite(m, d, "qpos") && is_finite(m, d, "qvel") && is_finite(m, d, "act");
  // either nothing came of it, or the status and the counters tell
  if (status == CT_OK) {
    if (!clean) fail_msg("%s[%d] = %g: not finite, and nobody says so", name, (int)index, (double)bad);
  } else if (warnings(d) == 0) {
    fail_msg("%s[%d] = %g: status %d without a warning", name, (int)index, (double)bad, (int)status);
  }
  if (m->opt.disableflags & CT_DSBL_AUTORESET) return;
  ((ctReal*)f.data)[index] = kept;
  ct_step_n(m, d, 3);
  if (!is_finite(m, d, "qpos") || !is_finite(m, d, "qvel")) {
    fail_msg("%s[%d] = %g: does not recover", name, (int)index, (double)bad);
  }
}

static void try_model(const char* path, bool autoreset) {
  ctModel* m = xt_load(path);
  if (!autoreset) m->opt.disableflags |= CT_DSBL_AUTORESET;
  ctData* d = xt_data(m);
  const ctReal bad[] = {(ctReal)NAN, (ctReal)INFINITY, -(ctReal)INFINITY, (ctReal)1e30, -(ctReal)1e30};
  for (size_t k = 0; k < sizeof(inputs) / sizeof(inputs[0]); k++) {
    ctField f;
    XT_INT(ct_data_field(m, d, inputs[k], &f), CT_OK);
    int64_t count = f.rows * f.cols, stride = count > 24 ? count / 24 : 1;
    for (int64_t i = 0; i < count; i += stride) {
      for (size_t v = 0; v < sizeof(bad) / sizeof(bad[0]); v++) try_one(m, d, inputs[k], i, bad[v]);
    }
  }
  ct_data_free(d);
  ct_model_free(m);
}

XT_TEST(bad_input, any_bad_number_is_told_and_survived) {
  for (size_t i = 0; i < sizeof(models) / sizeof(models[0]); i++) try_model(models[i], true);
}

XT_TEST(bad_input, without_reset_too) {
  for (size_t i = 0; i < sizeof(models) / sizeof(models[0]); i++) try_model(models[i], false);
}

XT_TEST(bad_input, the_warning_names_the_place) {
  ctModel* m = xt_load("tests/models/chain.xml");
  ctData* d = xt_data(m);
  d->qvel[3] = (ctReal)NAN;
  XT_INT(ct_step(m, d), CT_STEP_DIVERGED);
  XT_INT(d->warning[CT_WARN_BADQVEL].number, 1);
  XT_INT(d->warning[CT_WARN_BADQVEL].lastinfo, 3);
  ct_data_free(d);
  ct_model_free(m);
}

// Extremes that a model may ask for.
XT_TEST(bad_input, extreme_models_end_in_numbers_or_warnings) {
#define ONE(option, joint, inside) \
  "<mujoco>" option "<worldbody><body><joint " joint "/>" inside "</body></worldbody></mujoco>"
  static const char* const texts[] = {
      ONE("", "stiffness='1e30' ref='1'", "<geom size='.1'/>"),
      ONE("", "damping='1e30'", "<geom size='.1'/>"),
      ONE("", "damping='-1e6'", "<geom size='.1'/>"),
      ONE("", "armature='-5'", "<geom size='.1'/>"),
      ONE("", "armature='1e30'", "<geom size='.1'/>"),
      ONE("", "frictionloss='1e30'", "<geom size='.1' pos='.3 0 0'/>"),
      ONE("", "range='0 1' solreflimit='1e-9 1'", "<geom size='.1'/>"),
      ONE("", "range='0 1' solimplimit='0 0 0 0 0'", "<geom size='.1'/>"),
      ONE("<option timestep='1e-15'/>", "", "<geom size='.1'/>"),
      ONE("<option timestep='1e6'/>", "", "<geom size='.1' pos='.3 0 0'/>"),
      ONE("<option iterations='0' ls_iterations='0'/>", "range='1 2'", "<geom size='.1'/>"),
      ONE("", "", "<inertial pos='0 0 0' mass='1e-14' diaginertia='1e-14 1e-14 1e-14'/>"),
      ONE("", "", "<inertial pos='1e9 0 0' mass='1e20' diaginertia='1 1 1'/>"),
  };
  for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
    ctModel* m = xt_load_string(texts[i]);
    ctData* d = xt_data(m);
    ctStatus status = ct_step_n(m, d, 50);
    bool clean = is_finite(m, d, "qpos") && is_finite(m, d, "qvel");
    if (!clean && status == CT_OK) fail_msg("not finite, and nobody says so: %s", texts[i]);
    if (status != CT_OK && warnings(d) == 0)
      fail_msg("status %d without a warning: %s", (int)status, texts[i]);
    ct_data_free(d);
    ct_model_free(m);
  }
}

// ---- edits of a model, and what does not belong together

XT_TEST(bad_input, a_time_step_that_is_none_advances_nothing) {
  ctModel* m = xt_load("models/humanoid.xml");
  const ctReal bad[] = {(ctReal)NAN, (ctReal)INFINITY, -(ctReal)INFINITY};
  for (size_t i = 0; i < 3; i++) {
    ctData* d = xt_data(m);
    m->opt.timestep = bad[i];
    XT_INT(ct_step_n(m, d, 5), CT_STEP_DIVERGED);
    XT_INT(d->warning[CT_WARN_BADQPOS].number, 5);
    XT_TRUE(d->time == 0);
    XT_INT(ct_step1(m, d), CT_OK);
    XT_INT(ct_step2(m, d), CT_STEP_DIVERGED);
    XT_TRUE(d->time == 0 && is_finite(m, d, "qpos"));
    ct_data_free(d);
  }
  ct_model_free(m);
}

XT_TEST(bad_input, the_data_of_another_model_is_refused) {
  ctModel *m = xt_load("models/humanoid.xml"), *other = xt_load("tests/models/chain.xml"), *copy = NULL;
  ctData *d = xt_data(m), *e = xt_data(other);
  XT_INT(ct_step(m, e), CT_ERR_ARGUMENT);
  XT_INT(ct_step_n(other, d, 2), CT_ERR_ARGUMENT);
  XT_INT(ct_forward(other, d), CT_ERR_ARGUMENT);
  XT_INT(ct_step2(other, d), CT_ERR_ARGUMENT);
  XT_INT(ct_data_reset(other, d), CT_ERR_ARGUMENT);
  XT_INT(ct_data_copy(m, d, e), CT_ERR_ARGUMENT);
  XT_INT(ct_data_save_bytes(m, e, NULL, 0), 0);
  XT_TEXT(ct_data_compare(m, d, e), "");
  // a copy of the model is the same model
  XT_INT(ct_model_copy(&copy, m, NULL), CT_OK);
  XT_INT(ct_step(copy, d), CT_OK);
  ct_model_free(copy);
  ct_data_free(d);
  ct_data_free(e);
  ct_model_free(m);
  ct_model_free(other);
}

XT_TEST(bad_input, comparing_nothing_is_no_crash) {
  ctModel* m = xt_load("tests/models/chain.xml");
  ctData* d = xt_data(m);
  XT_TRUE(ct_model_compare(NULL, NULL) == NULL && ct_data_compare(m, NULL, NULL) == NULL);
  XT_TEXT(ct_model_compare(m, NULL), "");
  XT_TEXT(ct_model_compare(NULL, m), "");
  XT_TEXT(ct_data_compare(m, d, NULL), "");
  XT_TEXT(ct_data_compare(NULL, d, d), "");
  XT_TRUE(ct_model_compare(m, m) == NULL && ct_data_compare(m, d, d) == NULL);
  ct_data_free(d);
  ct_model_free(m);
}

// Whatever a program or a file says, loops end and rooms are not too small.
XT_TEST(bad_input, extreme_iterations_end) {
  const int extreme[] = {INT32_MIN, -1, 0, INT32_MAX};
  ctModel* m = xt_load("tests/models/constraint/mixed.xml");
  for (size_t i = 0; i < 4; i++) {
    for (int solver = 0; solver < CT_SOL_COUNT; solver++) {
      ctData* d = xt_data(m);
      m->opt.solver = solver;
      m->opt.iterations = extreme[i] == INT32_MAX ? 100 : extreme[i];
      m->opt.ls_iterations = m->opt.ccd_iterations = extreme[i];
      m->opt.noslip_iterations = extreme[i] == INT32_MAX ? 3 : extreme[i];
      ct_step_n(m, d, 20);
      XT_TRUE(is_finite(m, d, "qpos"));
      ct_data_free(d);
    }
  }
  ct_model_free(m);
}

// The arena stays below its limit, and the step says what it had to drop.
XT_TEST(bad_input, an_arena_has_a_limit) {
  ctModel* m = xt_load("models/humanoid.xml");
  ctData* d = xt_data(m);
  XT_INT(ct_data_set_arena_limit(d, d->narena), CT_OK);
  size_t limit = d->narena;
  m->opt.jacobian = CT_JAC_DENSE;
  m->opt.solver = CT_SOL_PGS;
  cti_data(d)->arena_wanted = 2 * limit;
  ct_step_n(m, d, 300);
  XT_TRUE(d->narena <= limit);
  XT_INT(ct_data_set_arena_limit(NULL, 1), CT_ERR_ARGUMENT);
  ct_data_free(d);
  ct_model_free(m);
  // a small one from the start
  ctModel* small = NULL;
  const size_t most = 2500 * sizeof(ctReal);
  const ctLoadOptions opt = {.max_arena = most};
  char path[512];
  snprintf(path, sizeof(path), "%s/models/humanoid.xml", CT_SOURCE_DIR);
  XT_INT(ct_model_load(&small, path, &opt, NULL), CT_OK);
  d = xt_data(small);
  XT_INT(ct_step_n(small, d, 200), CT_STEP_OVERFLOW);
  XT_TRUE(d->narena <= most + 64 &&
          d->warning[CT_WARN_CNSTRFULL].number + d->warning[CT_WARN_CONTACTFULL].number > 0);
  ct_data_free(d);
  ct_model_free(small);
}

// 65,536 rows of as many dofs: a count that is zero in 32 bits.
XT_TEST(bad_input, a_jacobian_beyond_an_int_is_an_overflow) {
  static const char text[] =
      "<mujoco><option jacobian='dense'/><worldbody><replicate count='65536'><body><joint frictionloss='1'/>"
      "<geom size='.1' contype='0' conaffinity='0'/></body></replicate></worldbody></mujoco>";
  const ctLoadOptions opt = {.max_memory = SIZE_MAX};
  ctModel* m = NULL;
  XT_INT(ct_model_load_string(&m, text, strlen(text), &opt, NULL), CT_OK);
  ctData* d = xt_data(m);
  XT_INT(m->nv, 65536);
  XT_INT(ct_step(m, d), CT_STEP_OVERFLOW);
  XT_INT(d->warning[CT_WARN_CNSTRFULL].number, 1);
  XT_INT(d->nefc, 0);
  ct_data_free(d);
  ct_model_free(m);
}

XT_MAIN()
