// Batches on the CPU: the bits of a serial loop, whatever the threads and the number of worlds.
#include <limits.h>

#include "xt_model.h"

#define STEPS 12

// A control for each world and step, never the same.
static ctReal control(int world, int step, int k) {
  return (ctReal)(0.3 * sin(1.3 * world + 0.7 * step + 2.1 * k));
}

static ctBatch* make(const ctModel* m, int nworld, int threads) {
  ctBatchOptions opt = {.backend = CT_BACKEND_CPU, .threads = threads};
  ctBatch* b = NULL;
  ctError err = {0};
  if (ct_batch_create(&b, m, nworld, &opt, &err) != CT_OK) fail_msg("%s", err.message);
  return b;
}

// What a loop over single data gives: the state after all steps, and the sensors.
static void serial(const ctModel* m, int nworld, ctReal* state, ctReal* sensors) {
  int n = ct_data_state_size(m, CT_STATE_INTEGRATION);
  for (int w = 0; w < nworld; w++) {
    ctData* d = xt_data(m);
    for (int i = 0; i < STEPS; i++) {
      for (int k = 0; k < m->nu; k++) d->ctrl[k] = control(w, i, k);
      ct_step(m, d);
    }
    ct_data_get_state(m, d, state + (size_t)w * (size_t)n, CT_STATE_INTEGRATION);
    memcpy(sensors + (size_t)w * (size_t)m->nsensordata, d->sensordata,
           sizeof(ctReal) * (size_t)m->nsensordata);
    ct_data_free(d);
  }
}

static void set_controls(ctBatch* b, const ctModel* m, int nworld, int step) {
  ctReal* ctrl = calloc((size_t)(nworld * m->nu) + 1, sizeof(ctReal));
  for (int w = 0; w < nworld; w++) {
    for (int k = 0; k < m->nu; k++) ctrl[w * m->nu + k] = control(w, step, k);
  }
  XT_INT(ct_batch_set(b, "ctrl", NULL, 0, ctrl, NULL), CT_OK);
  free(ctrl);
}

XT_TEST(batch, steps_with_a_clock_are_the_same) {
  enum { WORLDS = 5, N = 7 };
  ctModel* m = xt_load("models/humanoid.xml");
  size_t n = (size_t)ct_data_state_size(m, CT_STATE_INTEGRATION);
  ctBatch *plain = make(m, WORLDS, 2), *timed = make(m, WORLDS, 2);
  ctBatchProfile p;
  XT_INT(ct_batch_step(plain, N, NULL), CT_OK);
  XT_INT(ct_batch_profile(timed, N, &p, NULL), CT_OK);
  ctReal *a = calloc(WORLDS * n, sizeof(ctReal)), *b = calloc(WORLDS * n, sizeof(ctReal));
  XT_INT(ct_batch_get(plain, "state", NULL, 0, a, NULL), CT_OK);
  XT_INT(ct_batch_get(timed, "state", NULL, 0, b, NULL), CT_OK);
  XT_TRUE(memcmp(a, b, WORLDS * n * sizeof(ctReal)) == 0);
  XT_INT(p.timer[CT_TIMER_STEP].number, WORLDS * N);
  XT_INT(p.timer[CT_TIMER_POS_COLLISION].number, WORLDS * N);
  XT_TRUE(p.timer[CT_TIMER_STEP].duration > p.timer[CT_TIMER_CONSTRAINT].duration);
  XT_TRUE(p.timer[CT_TIMER_CONSTRAINT].duration > 0);
  XT_INT(p.lanes, 1);
  XT_INT(p.processors, 2);
  // a second look counts anew; no steps take no time
  XT_INT(ct_batch_profile(timed, 0, &p, NULL), CT_OK);
  XT_INT(p.timer[CT_TIMER_STEP].number, 0);
  XT_INT(ct_batch_profile(timed, -1, &p, NULL), CT_ERR_ARGUMENT);
  XT_INT(ct_batch_profile(timed, 1, NULL, NULL), CT_ERR_ARGUMENT);
  XT_INT(ct_batch_profile(NULL, 1, &p, NULL), CT_ERR_ARGUMENT);
  free(a);
  free(b);
  ct_batch_free(plain);
  ct_batch_free(timed);
  ct_model_free(m);
}

static const char* const models[] = {"models/humanoid.xml",
                                     "tests/models/sensors/contacts.xml",
                                     "tests/models/mjcf/sensors.xml",
                                     "tests/models/sensors/accelerations.xml",
                                     "tests/models/sensors/accelerations_many.xml",
                                     "tests/models/smooth/delay_cubic.xml",
                                     "tests/models/smooth/plastic.xml"};

static void compare_with_serial(const ctModel* m, int nworld, int threads) {
  size_t n = (size_t)ct_data_state_size(m, CT_STATE_INTEGRATION), ns = (size_t)m->nsensordata;
  size_t worlds = (size_t)nworld;
  ctReal *expected = calloc(worlds * n, sizeof(ctReal)), *got = calloc(worlds * n, sizeof(ctReal));
  ctReal *read = calloc(worlds * ns + 1, sizeof(ctReal)), *felt = calloc(worlds * ns + 1, sizeof(ctReal));
  serial(m, nworld, expected, felt);
  ctBatch* b = make(m, nworld, threads);
  XT_INT(ct_batch_output(b, "sensordata", NULL), CT_OK);
  for (int i = 0; i < STEPS; i++) {
    set_controls(b, m, nworld, i);
    XT_INT(ct_batch_step(b, 1, NULL), CT_OK);
  }
  XT_INT(ct_batch_get(b, "state", NULL, 0, got, NULL), CT_OK);
  XT_TRUE(memcmp(expected, got, worlds * n * sizeof(ctReal)) == 0);
  XT_INT(ct_batch_get(b, "sensordata", NULL, 0, read, NULL), CT_OK);
  XT_TRUE(memcmp(felt, read, worlds * ns * sizeof(ctReal)) == 0);
  ct_batch_free(b);
  free(expected);
  free(got);
  free(read);
  free(felt);
}

XT_TEST(batch, has_the_bits_of_a_serial_loop) {
  static const int threads[] = {1, 2, 7}, sizes[] = {1, 3, 40};
  for (size_t k = 0; k < sizeof(models) / sizeof(models[0]); k++) {
    ctModel* m = xt_load(models[k]);
    for (int i = 0; i < 9; i++) compare_with_serial(m, sizes[i / 3], threads[i % 3]);
    ct_model_free(m);
  }
}

XT_TEST(batch, a_thousand_worlds_too) {
  ctModel* m = xt_load("tests/models/pendulum.xml");
  compare_with_serial(m, 1000, 7);
  ct_model_free(m);
}

XT_TEST(batch, rollout_is_steps_with_outputs) {
  ctModel* m = xt_load("models/humanoid.xml");
  enum { WORLDS = 5 };
  size_t nu = (size_t)m->nu, n = (size_t)ct_data_state_size(m, CT_STATE_INTEGRATION);
  ctBatch *a = make(m, WORLDS, 2), *b = make(m, WORLDS, 1);
  ct_batch_output(a, "qpos", NULL);
  ct_batch_output(a, "ncon", NULL);
  size_t nout = (size_t)m->nq + 1;
  ctReal* ctrl = calloc(WORLDS * STEPS * nu, sizeof(ctReal));
  ctReal* out = calloc(WORLDS * STEPS * nout, sizeof(ctReal));
  for (size_t w = 0; w < WORLDS; w++) {
    for (size_t i = 0; i < STEPS; i++) {
      for (size_t k = 0; k < nu; k++) ctrl[(w * STEPS + i) * nu + k] = control((int)w, (int)i, (int)k);
    }
  }
  XT_INT(ct_batch_rollout(a, STEPS, ctrl, out, NULL), CT_OK);
  ctReal *pos = calloc(WORLDS * (size_t)m->nq, sizeof(ctReal)), *sa = calloc(WORLDS * n, sizeof(ctReal)),
         *sb = calloc(WORLDS * n, sizeof(ctReal));
  for (int i = 0; i < STEPS; i++) {
    set_controls(b, m, WORLDS, i);
    XT_INT(ct_batch_step(b, 1, NULL), CT_OK);
    XT_INT(ct_batch_get(b, "qpos", NULL, 0, pos, NULL), CT_OK);
    for (size_t w = 0; w < WORLDS; w++) {
      const ctReal* row = out + (w * STEPS + (size_t)i) * nout;
      XT_TRUE(memcmp(row, pos + w * (size_t)m->nq, sizeof(ctReal) * (size_t)m->nq) == 0);
      XT_TRUE(row[m->nq] >= 0);
    }
  }
  ct_batch_get(a, "state", NULL, 0, sa, NULL);
  ct_batch_get(b, "state", NULL, 0, sb, NULL);
  XT_TRUE(memcmp(sa, sb, WORLDS * n * sizeof(ctReal)) == 0);
  free(ctrl), free(out), free(pos), free(sa), free(sb);
  ct_batch_free(a);
  ct_batch_free(b);
  ct_model_free(m);
}

XT_TEST(batch, values_of_a_world_are_those_of_a_model_that_has_them) {
  ctModel* m = xt_load("models/humanoid.xml");
  enum { WORLDS = 4 };
  ctBatch* b = make(m, WORLDS, 2);
  ctError err = {0};
  ctReal* mass = calloc((size_t)(WORLDS * m->nbody), sizeof(ctReal));
  XT_INT(ct_batch_set(b, "body_mass", NULL, 0, mass, &err), CT_ERR_INVALID);
  XT_HAS(err.message, "ct_batch_vary");
  XT_INT(ct_batch_vary(b, "body_mass", NULL), CT_OK);
  XT_INT(ct_batch_vary(b, "opt.gravity", NULL), CT_OK);
  XT_INT(ct_batch_get(b, "body_mass", NULL, 0, mass, NULL), CT_OK);
  for (int w = 0; w < WORLDS; w++) {
    for (int i = 0; i < m->nbody; i++) {
      XT_NEAR(mass[w * m->nbody + i], m->body_mass[i], 0);
      mass[w * m->nbody + i] *= (ctReal)(1 + 0.2 * w);
    }
  }
  XT_INT(ct_batch_set(b, "body_mass", NULL, 0, mass, NULL), CT_OK);
  XT_INT(ct_batch_update(b, NULL), CT_OK);
  const int id = 3;
  const ctReal moon[3] = {0, 0, (ctReal)-1.6};
  XT_INT(ct_batch_set(b, "opt.gravity", &id, 1, moon, NULL), CT_OK);
  XT_INT(ct_batch_step(b, 10, NULL), CT_OK);
  ctReal* state = calloc((size_t)(WORLDS * ct_batch_width(b, "state")), sizeof(ctReal));
  ctReal* alone = calloc((size_t)ct_batch_width(b, "state"), sizeof(ctReal));
  XT_INT(ct_batch_get(b, "state", NULL, 0, state, NULL), CT_OK);
  for (int w = 0; w < WORLDS; w++) {
    ctModel* own;
    XT_INT(ct_model_copy(&own, m, NULL), CT_OK);
    for (int i = 0; i < m->nbody; i++) own->body_mass[i] = mass[w * m->nbody + i];
    XT_INT(ct_model_update(own, NULL), CT_OK);
    if (w == id) memcpy(own->opt.gravity, moon, sizeof(moon));
    ctData* d = xt_data(own);
    ct_step_n(own, d, 10);
    ct_data_get_state(own, d, alone, CT_STATE_INTEGRATION);
    size_t n = (size_t)ct_batch_width(b, "state");
    XT_TRUE(memcmp(alone, state + (size_t)w * n, n * sizeof(ctReal)) == 0);
    ct_data_free(d);
    ct_model_free(own);
  }
  free(mass), free(state), free(alone);
  ct_batch_free(b);
  ct_model_free(m);
}

XT_TEST(batch, frames_and_shapes_of_a_world_are_where_its_values_put_them) {
  ctModel* m = xt_load_string(
      "<mujoco><worldbody><geom type='plane' size='5 5 .1'/><body pos='0 0 .5'><freejoint/>"
      "<geom type='box' size='.1 .2 .1'/><geom size='.1' pos='.3 0 0'/></body>"
      "<body pos='2 0 1'><joint axis='0 1 0'/><geom size='.1' pos='.2 0 0'/></body></worldbody></mujoco>");
  enum { WORLDS = 5 };
  ctBatch* b = make(m, WORLDS, 2);
  const char* const names[] = {"geom_pos", "geom_size", "body_ipos"};
  enum { FIELDS = sizeof(names) / sizeof(names[0]) };
  ctReal* values[FIELDS];
  for (int f = 0; f < FIELDS; f++) {
    XT_INT(ct_batch_vary(b, names[f], NULL), CT_OK);
    int width = ct_batch_width(b, names[f]);
    values[f] = calloc((size_t)(WORLDS * width), sizeof(ctReal));
    XT_INT(ct_batch_get(b, names[f], NULL, 0, values[f], NULL), CT_OK);
    // the first world stays as it is
    for (int w = 1; w < WORLDS; w++)
      for (int i = 3; i < width; i++) values[f][w * width + i] += (ctReal)(0.02 * w);
    XT_INT(ct_batch_set(b, names[f], NULL, 0, values[f], NULL), CT_OK);
  }
  XT_INT(ct_batch_update(b, NULL), CT_OK);
  XT_INT(ct_batch_step(b, 150, NULL), CT_OK);
  size_t n = (size_t)ct_batch_width(b, "state");
  ctReal *state = calloc(WORLDS * n, sizeof(ctReal)), *alone = calloc(n, sizeof(ctReal));
  XT_INT(ct_batch_get(b, "state", NULL, 0, state, NULL), CT_OK);
  for (int w = 0; w < WORLDS; w++) {
    ctModel* own;
    XT_INT(ct_model_copy(&own, m, NULL), CT_OK);
    memcpy(own->geom_pos, values[0] + w * 3 * m->ngeom, sizeof(ctReal) * 3 * (size_t)m->ngeom);
    memcpy(own->geom_size, values[1] + w * 3 * m->ngeom, sizeof(ctReal) * 3 * (size_t)m->ngeom);
    memcpy(own->body_ipos, values[2] + w * 3 * m->nbody, sizeof(ctReal) * 3 * (size_t)m->nbody);
    XT_INT(ct_model_update(own, NULL), CT_OK);
    ctData* d = xt_data(own);
    ct_step_n(own, d, 150);
    ct_data_get_state(own, d, alone, CT_STATE_INTEGRATION);
    XT_TRUE(memcmp(alone, state + (size_t)w * n, n * sizeof(ctReal)) == 0);
    ct_data_free(d);
    ct_model_free(own);
  }
  for (int f = 0; f < FIELDS; f++) free(values[f]);
  free(state), free(alone);
  ct_batch_free(b);
  ct_model_free(m);
}

XT_TEST(batch, a_world_whose_body_is_no_longer_simple_is_refused) {
  ctModel* m = xt_load_string(
      "<mujoco><worldbody><body name='ball'><freejoint/><geom size='.1'/></body></worldbody></mujoco>");
  ctBatch* b = make(m, 3, 2);
  ctError err = {0};
  const int id = 1;
  const ctReal ipos[6] = {0, 0, 0, 0, 0, (ctReal)0.1};
  XT_INT(ct_batch_vary(b, "body_ipos", NULL), CT_OK);
  XT_INT(ct_batch_set(b, "body_ipos", &id, 1, ipos, NULL), CT_OK);
  XT_INT(ct_batch_update(b, &err), CT_ERR_INVALID);
  XT_HAS(err.message, "world 1: body 1 (\"ball\") was compiled as simple");
  ct_batch_free(b);
  ct_model_free(m);
}

XT_TEST(batch, resets_some_worlds_and_leaves_the_others) {
  ctModel* m = xt_load("models/humanoid.xml");
  ctBatch* b = make(m, 6, 2);
  ct_batch_step(b, 5, NULL);
  ctReal before[6], time[6];
  const int ids[2] = {4, 1};
  const ctByte mask[6] = {1, 0, 0, 0, 0, 0};
  ct_batch_get(b, "time", NULL, 0, before, NULL);
  XT_INT(ct_batch_reset(b, ids, 2, -1, NULL), CT_OK);
  XT_INT(ct_batch_reset_mask(b, mask, -1, NULL), CT_OK);
  ct_batch_get(b, "time", NULL, 0, time, NULL);
  for (int w = 0; w < 6; w++) XT_NEAR(time[w], w == 0 || w == 1 || w == 4 ? 0 : before[w], 0);
  ct_batch_free(b);
  ct_model_free(m);
}

XT_TEST(batch, a_restored_sensor_holds_what_it_measured) {
  ctModel* m = xt_load_string(
      "<mujoco><worldbody><body><joint name='j' axis='0 1 0'/><geom size='.1' pos='.3 0 "
      "0'/></body></worldbody>"
      "<sensor><jointpos joint='j' nsample='2' interval='.01'/></sensor></mujoco>");
  ctBatch *a = make(m, 3, 2), *b = make(m, 3, 1);
  ct_batch_output(a, "sensordata", NULL);
  ct_batch_output(b, "sensordata", NULL);
  ct_batch_step(a, 7, NULL);
  size_t bytes = ct_batch_save_bytes(a, NULL, 0);
  void* kept = malloc(bytes);
  ct_batch_save_bytes(a, kept, bytes);
  XT_INT(ct_batch_load_bytes(b, kept, bytes, NULL), CT_OK);
  for (int i = 0; i < 12; i++) {
    ctReal x[3], y[3];
    ct_batch_step(a, 1, NULL);
    ct_batch_step(b, 1, NULL);
    ct_batch_get(a, "sensordata", NULL, 0, x, NULL);
    ct_batch_get(b, "sensordata", NULL, 0, y, NULL);
    XT_TRUE(memcmp(x, y, sizeof(x)) == 0 && x[0] != 0);
  }
  free(kept);
  ct_batch_free(a);
  ct_batch_free(b);
  ct_model_free(m);
}

// A ball that diverges in its first step: a velocity that is no number a simulation can have.
static ctReal height_after_divergence(const ctModel* m, const ctBatchOptions* opt) {
  ctBatch* b = NULL;
  ctError err = {0};
  if (ct_batch_create(&b, m, 1, opt, &err) != CT_OK) fail_msg("%s", err.message);
  ctReal vel[6] = {0, 0, (ctReal)1e12, 0, 0, 0}, pos[7];
  XT_INT(ct_batch_set(b, "qvel", NULL, 0, vel, &err), CT_OK);
  XT_INT(ct_batch_step(b, 1, &err), CT_STEP_DIVERGED);
  XT_INT(ct_batch_get(b, "qpos", NULL, 0, pos, &err), CT_OK);
  ct_batch_free(b);
  return pos[2];
}

XT_TEST(batch, options_left_zero_mean_the_default_state) {
  const char* world = "<worldbody><body pos='0 0 1'><freejoint/><geom size='.1'/></body></worldbody>";
  char text[512];
  snprintf(text, sizeof(text), "<mujoco>%s</mujoco>", world);
  ctModel* without = xt_load_string(text);
  snprintf(text, sizeof(text),
           "<mujoco>%s<keyframe><key qpos='0 0 2 1 0 0 0'/><key qpos='0 0 3 1 0 0 0'/></keyframe></mujoco>",
           world);
  ctModel* with = xt_load_string(text);
  const ctBatchOptions plain = {.backend = CT_BACKEND_CPU, .threads = 4, .reset_bad = true};
  XT_NEAR(height_after_divergence(without, &plain), 1, 0);
  XT_NEAR(height_after_divergence(with, &plain), 1, 0);
  ctBatchOptions keyed = plain;
  keyed.reset_to_key = true;
  XT_NEAR(height_after_divergence(with, &keyed), 2, 0);
  keyed.reset_key = 1;
  XT_NEAR(height_after_divergence(with, &keyed), 3, 0);

  // a key that is not there, looked at only when it is used
  ctBatch* b = NULL;
  ctError err = {0};
  keyed.reset_key = 2;
  XT_INT(ct_batch_create(&b, with, 1, &keyed, &err), CT_ERR_ARGUMENT);
  XT_HAS(err.message, "reset_key 2");
  keyed.reset_key = -1;
  XT_INT(ct_batch_create(&b, with, 1, &keyed, &err), CT_ERR_ARGUMENT);
  keyed.reset_to_key = false;
  XT_INT(ct_batch_create(&b, with, 1, &keyed, &err), CT_OK);
  ct_batch_free(b);
  ct_model_free(with);
  ct_model_free(without);
}

XT_TEST(batch, goes_on_bit_for_bit_after_restoring) {
  ctModel* m = xt_load("models/humanoid.xml");
  ctBatch *a = make(m, 3, 2), *b = make(m, 3, 1), *other = make(m, 4, 1);
  ct_batch_step(a, 20, NULL);
  size_t bytes = ct_batch_save_bytes(a, NULL, 0);
  void* kept = malloc(bytes);
  XT_INT((int)ct_batch_save_bytes(a, kept, bytes), (int)bytes);
  ct_batch_step(a, 20, NULL);
  ctError err = {0};
  XT_INT(ct_batch_load_bytes(other, kept, bytes, &err), CT_ERR_ARGUMENT);
  XT_INT(ct_batch_load_bytes(b, kept, bytes - 1, &err), CT_ERR_ARGUMENT);
  XT_INT(ct_batch_load_bytes(b, kept, bytes, &err), CT_OK);
  ct_batch_step(b, 20, NULL);
  void *x = malloc(bytes), *y = malloc(bytes);
  ct_batch_save_bytes(a, x, bytes);
  ct_batch_save_bytes(b, y, bytes);
  XT_TRUE(memcmp(x, y, bytes) == 0);

  // the same through a file
  const char* path = "batch_test.ctw";
  XT_INT(ct_batch_save(a, path, &err), CT_OK);
  XT_INT(ct_batch_step(b, 3, NULL), CT_OK);
  XT_INT(ct_batch_load(other, path, &err), CT_ERR_ARGUMENT);
  XT_INT(ct_batch_load(b, path, &err), CT_OK);
  remove(path);
  ct_batch_save_bytes(b, y, bytes);
  XT_TRUE(memcmp(x, y, bytes) == 0);
  XT_INT(ct_batch_load(b, path, &err), CT_ERR_NOT_FOUND);
  XT_INT(ct_batch_save(b, "no/such/folder.ctw", &err), CT_ERR_IO);
  XT_INT(ct_batch_save(NULL, path, &err), CT_ERR_ARGUMENT);
  XT_INT(ct_batch_load(b, NULL, &err), CT_ERR_ARGUMENT);
  free(kept), free(x), free(y);
  ct_batch_free(a);
  ct_batch_free(b);
  ct_batch_free(other);
  ct_model_free(m);
}

XT_TEST(batch, a_bad_world_is_marked_and_the_others_do_not_notice) {
  ctModel* m = xt_load("models/humanoid.xml");
  ctBatch *a = make(m, 4, 2), *b = make(m, 4, 2);
  const int bad = 2;
  ctReal* ctrl = calloc((size_t)m->nu, sizeof(ctReal));
  ctrl[1] = (ctReal)NAN;
  XT_INT(ct_batch_set(a, "ctrl", &bad, 1, ctrl, NULL), CT_OK);
  ctError err = {0};
  XT_INT(ct_batch_step(a, 3, &err), CT_STEP_DIVERGED);
  XT_HAS(err.message, "world 2");
  XT_INT(ct_batch_step(b, 3, NULL), CT_OK);
  const int* status = ct_batch_status(a);
  size_t n = (size_t)ct_batch_width(a, "state");
  ctReal *x = calloc(4 * n, sizeof(ctReal)), *y = calloc(4 * n, sizeof(ctReal));
  ct_batch_get(a, "state", NULL, 0, x, NULL);
  ct_batch_get(b, "state", NULL, 0, y, NULL);
  for (int w = 0; w < 4; w++) {
    XT_INT(status[w], w == bad ? CT_STEP_DIVERGED : CT_OK);
    XT_INT(ct_batch_warnings(a, w)[CT_WARN_BADCTRL].number, w == bad ? 3 : 0);
    if (w != bad) XT_TRUE(memcmp(x + (size_t)w * n, y + (size_t)w * n, n * sizeof(ctReal)) == 0);
  }
  XT_INT(ct_batch_reset(a, &bad, 1, -1, NULL), CT_OK);
  XT_INT(ct_batch_step(a, 3, NULL), CT_OK);
  free(ctrl), free(x), free(y);
  ct_batch_free(a);
  ct_batch_free(b);
  ct_model_free(m);
}

XT_TEST(batch, says_what_is_wrong) {
  ctModel* m = xt_load("models/humanoid.xml");
  ctBatch* b = NULL;
  ctError err = {0};
  XT_INT(ct_batch_create(&b, m, 0, NULL, &err), CT_ERR_ARGUMENT);
  XT_TRUE(b == NULL);
  ctBatchOptions opt = {0};
  opt.backend = CT_BACKEND_CPU;
  XT_INT(ct_batch_create(&b, m, 2000000000, &opt, &err), CT_ERR_LIMIT);
  XT_HAS(err.message, "there is room for");
  opt.backend = CT_BACKEND_CUDA;
  ctStatus status = ct_batch_create(&b, m, 2, &opt, &err);
  if (status == CT_OK)
    ct_batch_free(b);  // there is a GPU
  else
    XT_INT(status, CT_ERR_UNSUPPORTED);
  b = make(m, 3, 1);
  ctReal numbers[100];
  const int out_of_range[2] = {0, 3}, twice[2] = {1, 1};
  XT_INT(ct_batch_get(b, "time", out_of_range, 2, numbers, &err), CT_ERR_ARGUMENT);
  XT_HAS(err.message, "no world 3");
  XT_INT(ct_batch_get(b, "time", twice, 2, numbers, &err), CT_ERR_ARGUMENT);
  XT_HAS(err.message, "twice");
  XT_INT(ct_batch_get(b, "nothing", NULL, 0, numbers, &err), CT_ERR_NOT_FOUND);
  XT_INT(ct_batch_output(b, "efc_J", &err), CT_ERR_INVALID);
  XT_INT(ct_batch_vary(b, "body_parentid", &err), CT_ERR_INVALID);
  XT_INT(ct_batch_output(b, "ncon", NULL), CT_OK);
  XT_INT(ct_batch_set(b, "ncon", NULL, 0, numbers, &err), CT_ERR_INVALID);
  XT_INT(ct_batch_reset(b, NULL, 0, 99, &err), CT_ERR_ARGUMENT);
  XT_INT(ct_batch_step(b, -1, &err), CT_ERR_ARGUMENT);
  XT_INT(ct_batch_step(NULL, 1, &err), CT_ERR_ARGUMENT);
  XT_INT(ct_batch_width(b, "qpos"), m->nq);
  XT_INT(ct_batch_width(b, "nothing"), -1);
  ct_batch_free(b);
  ct_batch_free(NULL);
  ct_model_free(m);
}

XT_TEST(batch, a_world_is_its_state) {
  ctModel* m = xt_load("models/humanoid.xml");
  ctBatch* b = make(m, 100, 2);
  ctBatchInfo info;
  XT_INT(ct_batch_info(b, &info), CT_OK);
  size_t state = sizeof(ctReal) * (size_t)ct_data_state_size(m, CT_STATE_INTEGRATION);
  XT_TRUE(info.bytes_per_world <= state + 100 + sizeof(ctReal) * (size_t)m->nsensordata);
  ctBatchView view;
  XT_INT(ct_batch_view(b, "qvel", &view, NULL), CT_OK);
  XT_INT((int)view.shape[0], 100);
  XT_INT((int)view.shape[1], m->nv);
  ((ctReal*)view.data)[view.stride[0] * 7 + 3] = 5;
  ctReal speed[100];
  const int id = 7;
  XT_INT(ct_batch_get(b, "qvel", &id, 1, speed, NULL), CT_OK);
  XT_NEAR(speed[3], 5, 0);
  // a field that is no output is computed for the current state
  ctReal* xpos = calloc((size_t)(100 * 3 * m->nbody), sizeof(ctReal));
  XT_INT(ct_batch_get(b, "xpos", NULL, 0, xpos, NULL), CT_OK);
  XT_TRUE(xpos[3 * m->nbody + 5] != 0);
  free(xpos);
  ct_batch_free(b);
  ct_model_free(m);
}

// Every field of the data with a fixed size, after a forward pass, is what a single data has when it is asked
// for all that is computed on demand.
XT_TEST(batch, every_output_is_computed_or_refused) {
  ctModel* m = xt_load("models/humanoid.xml");
  ctData* d = xt_data(m);
  ctBatch* b = make(m, 2, 1);
  for (int k = 0; k < m->nv; k++) d->qvel[k] = (ctReal)(0.1 * k);
  for (int k = 0; k < m->nu; k++) d->ctrl[k] = (ctReal)0.5;
  for (int w = 0; w < 2; w++) {
    XT_INT(ct_batch_set(b, "qvel", &w, 1, d->qvel, NULL), CT_OK);
    XT_INT(ct_batch_set(b, "ctrl", &w, 1, d->ctrl, NULL), CT_OK);
  }
  XT_INT(ct_forward(m, d), CT_OK);
  XT_INT(ct_energy_compute(m, d), CT_OK);
  XT_INT(ct_subtree_velocity_compute(m, d), CT_OK);
  XT_INT(ct_body_forces_compute(m, d), CT_OK);
  int compared = 0, refused = 0;
  for (int i = 0; i < ct_data_field_count(); i++) {
    const ctFieldInfo* info = ct_data_field_info(i);
    ctField f;
    ctError err = {0};
    if (ct_batch_output(b, info->name, &err) != CT_OK) {
      XT_TRUE(strstr(err.message, info->name) != NULL);  // by name
      refused++;
      continue;
    }
    XT_INT(ct_data_field(m, d, info->name, &f), CT_OK);
    if (f.type != CT_FIELD_REAL || !f.data) continue;
    size_t n = (size_t)(f.rows * f.cols);
    ctReal* got = calloc(2 * n, sizeof(ctReal));
    XT_INT(ct_batch_forward(b, NULL), CT_OK);
    XT_INT(ct_batch_get(b, info->name, NULL, 0, got, NULL), CT_OK);
    if (memcmp(got + n, f.data, sizeof(ctReal) * n) != 0) fail_msg("%s is not what a data has", info->name);
    free(got);
    compared++;
  }
  XT_TRUE(compared > 50 && refused > 0);
  ct_batch_free(b);
  ct_data_free(d);
  ct_model_free(m);
}

// The precision is a choice: none is the library's own, and another one is refused where it is not to be
// had.
XT_TEST(batch, keeps_the_precision) {
  ctModel* m = xt_load("tests/models/pendulum.xml");
  ctPrecision own = sizeof(ctReal) == 8 ? CT_PRECISION_DOUBLE : CT_PRECISION_SINGLE;
  ctPrecision other = sizeof(ctReal) == 8 ? CT_PRECISION_SINGLE : CT_PRECISION_DOUBLE;
  const ctPrecision good[] = {CT_PRECISION_AUTO, own};
  const ctBackend backends[] = {CT_BACKEND_AUTO, CT_BACKEND_CPU};
  ctBatchInfo info;
  ctError err = {0};
  for (int i = 0; i < 4; i++) {
    ctBatchOptions opt = {.precision = good[i / 2], .backend = backends[i % 2]};
    ctBatch* b = NULL;
    XT_INT(ct_batch_create(&b, m, 2, &opt, &err), CT_OK);
    XT_INT(ct_batch_info(b, &info), CT_OK);
    XT_INT(info.real_bytes, sizeof(ctReal));
    ct_batch_free(b);
  }
  ctBatch* b = NULL;
  ctBatchOptions opt = {.precision = other, .backend = CT_BACKEND_CPU};
  XT_INT(ct_batch_create(&b, m, 2, &opt, &err), CT_ERR_UNSUPPORTED);
  XT_HAS(err.message, other == CT_PRECISION_SINGLE ? "not in single" : "not in double");
  opt.precision = (ctPrecision)7;
  XT_INT(ct_batch_create(&b, m, 2, &opt, &err), CT_ERR_ARGUMENT);
  ct_model_free(m);
}

// Noise of a world is that of a single data told to be this world; other worlds have other noise.
XT_TEST(batch, noise_is_that_of_the_world) {
  ctModel* m = xt_load_string(
      "<mujoco><worldbody><body><joint name='j'/><geom size='1'/></body></worldbody>"
      "<sensor><jointpos joint='j' noise='0.1'/></sensor></mujoco>");
  ctBatch* b = make(m, 3, 2);
  ctData* d = NULL;
  XT_INT(ct_data_create(&d, m, NULL), CT_OK);
  ctReal quiet[3], noisy[3];
  XT_INT(ct_batch_output(b, "sensordata", NULL), CT_OK);
  XT_INT(ct_batch_step(b, 1, NULL), CT_OK);
  XT_INT(ct_batch_get(b, "sensordata", NULL, 0, quiet, NULL), CT_OK);
  XT_INT(ct_batch_reset(b, NULL, 0, -1, NULL), CT_OK);
  XT_INT(ct_batch_set_noise(b, true, 5, NULL), CT_OK);
  XT_INT(ct_batch_step(b, 1, NULL), CT_OK);
  XT_INT(ct_batch_get(b, "sensordata", NULL, 0, noisy, NULL), CT_OK);
  for (int w = 0; w < 3; w++) {
    ct_data_reset(m, d);
    ct_data_set_noise(d, true, 5, (uint32_t)w);
    ct_step(m, d);
    XT_NEAR(noisy[w], d->sensordata[0], 0);
    XT_TRUE(noisy[w] != quiet[w] && noisy[w] != noisy[(w + 1) % 3]);
  }
  XT_INT(ct_batch_set_noise(NULL, true, 5, NULL), CT_ERR_ARGUMENT);
  ct_data_free(d);
  ct_batch_free(b);
  ct_model_free(m);
}

// The rows of a store are as wide as all its fields together.
XT_TEST(batch, fields_beyond_an_int_are_refused) {
  ctModel* m = xt_load("tests/models/pendulum.xml");
  ctBatch* b = make(m, 1, 1);
  ctError err = {0};
  XT_INT(ct_batch_output(b, "qpos", &err), CT_OK);
  int kept = m->nv;
  m->nv = INT_MAX;
  XT_INT(ct_batch_output(b, "qvel", &err), CT_ERR_LIMIT);
  XT_HAS(err.message, "qvel");
  m->nv = kept;
  XT_INT(ct_batch_output(b, "qvel", &err), CT_OK);
  ct_batch_free(b);
  ct_model_free(m);
}

// What the load options allow holds for the workers of a batch.
XT_TEST(batch, arenas_have_the_limit_of_the_model) {
  ctModel* m = NULL;
  const size_t most = 2500 * sizeof(ctReal);
  const ctLoadOptions opt = {.max_arena = most};
  XT_INT(ct_model_load(&m, CT_SOURCE_DIR "/models/humanoid.xml", &opt, NULL), CT_OK);
  ctData* d = xt_data(m);
  for (int threads = 1; threads <= 2; threads++) {
    ctBatch* b = make(m, 4, threads);
    ctBatchInfo info;
    ctError err = {0};
    XT_INT(ct_batch_step(b, 200, &err), CT_STEP_OVERFLOW);
    for (int w = 0; w < 4; w++) XT_INT(ct_batch_status(b)[w], CT_STEP_OVERFLOW);
    XT_INT(ct_batch_info(b, &info), CT_OK);
    size_t worlds = info.bytes_per_world * 4, arrays = ct_data_bytes(d) - d->narena;
    XT_TRUE(info.bytes <= worlds + (size_t)threads * (arrays + most + 64));
    ct_batch_free(b);
  }
  ct_data_free(d);
  ct_model_free(m);
}

XT_MAIN()
