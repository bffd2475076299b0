// Actuators that the program around the engine computes.
#include "base/fn.h"
#include "xt_model.h"

static const char arm[] =
    "<mujoco><option timestep='0.01' gravity='0 0 0'/><worldbody><body><joint name='j' axis='0 1 0'/>"
    "<geom size='.1' pos='.3 0 0'/></body></worldbody><actuator>"
    "<general joint='j' dyntype='user' gaintype='user' biastype='user' actdim='2'/>"
    "<general joint='j' gaintype='user' biastype='user'/></actuator></mujoco>";

static void rates(void* context, const ctModel* m, const ctData* d, int actuator, ctReal* act_dot) {
  const ctReal* scale = context;
  XT_INT(actuator, 0);
  XT_INT(m->actuator_actnum[actuator], 2);
  act_dot[0] = scale[0] * d->ctrl[0];
  act_dot[1] = d->act[0];
}

static ctReal gain(void* context, const ctModel* m, const ctData* d, int actuator) {
  (void)context;
  (void)m;
  (void)d;
  return (ctReal)(2 + actuator);
}

static ctReal bias(void* context, const ctModel* m, const ctData* d, int actuator) {
  (void)context;
  (void)m;
  return (ctReal)(10 * (actuator + 1)) + d->time;
}

XT_TEST(callbacks, without_functions_gains_are_one_and_the_rest_zero) {
  ctModel* m = xt_load_string(arm);
  ctData* d = xt_data(m);
  d->ctrl[1] = CT_R(0.5);
  d->act[0] = 3;
  d->act[1] = 4;
  ct_forward(m, d);
  XT_NEAR(d->act_dot[0], 0, 0);
  XT_NEAR(d->act_dot[1], 0, 0);
  XT_NEAR(d->actuator_force[0], 4, 0);
  XT_NEAR(d->actuator_force[1], 0.5, 0);
  ct_data_free(d);
  ct_model_free(m);
}

XT_TEST(callbacks, rates_gains_and_biases_are_what_the_functions_say) {
  ctModel* m = xt_load_string(arm);
  ctReal scale = 5;
  m->user = (ctCallbacks){.context = &scale, .dyn = rates, .gain = gain, .bias = bias};
  ctData* d = xt_data(m);
  d->ctrl[0] = 2;
  d->ctrl[1] = CT_R(0.5);
  d->act[0] = 3;
  d->act[1] = 4;
  ct_forward(m, d);
  XT_NEAR(d->act_dot[0], 10, 0);
  XT_NEAR(d->act_dot[1], 3, 0);
  XT_NEAR(d->actuator_force[0], 2 * 4 + 10, 0);
  XT_NEAR(d->actuator_force[1], 3 * 0.5 + 20, 0);
  ct_step(m, d);
  XT_NEAR(d->act[0], 3.1, XT_TOL(1e-15, 1e-6));
  XT_NEAR(d->act[1], 4.03, XT_TOL(1e-14, 1e-6));
  xt_no_warnings(d);
  ct_data_free(d);
  ct_model_free(m);
}

// Not a number as often as the context says.
static ctReal not_a_number(void* context, const ctModel* m, const ctData* d, int actuator) {
  int* left = context;
  (void)m;
  (void)d;
  (void)actuator;
  return *left > 0 && (*left)-- ? (ctReal)NAN : 0;
}

XT_TEST(callbacks, a_bad_number_is_told_and_survived) {
  ctModel* m = xt_load_string(arm);
  int left = 1;
  m->user = (ctCallbacks){.context = &left, .bias = not_a_number};
  ctData* d = xt_data(m);
  XT_INT(ct_step(m, d), CT_STEP_DIVERGED);
  XT_INT(d->warning[CT_WARN_BADQACC].number, 1);
  XT_TRUE(isfinite((double)d->qpos[0]));
  XT_INT(ct_step(m, d), CT_OK);
  left = 1000;
  for (int i = 0; i < 3; i++) XT_INT(ct_step(m, d), CT_STEP_DIVERGED);
  ct_data_free(d);
  ct_model_free(m);
}

XT_TEST(callbacks, worlds_on_threads_call_them_and_gpus_refuse) {
  ctModel* m = xt_load_string(arm);
  ctReal scale = 5;
  m->user = (ctCallbacks){.context = &scale, .dyn = rates, .gain = gain, .bias = bias};
  ctBatchOptions opt = {0};
  opt.backend = CT_BACKEND_CPU;
  opt.threads = 2;
  ctBatch* b;
  XT_INT(ct_batch_create(&b, m, 8, &opt, NULL), CT_OK);
  XT_INT(ct_batch_step(b, 3, NULL), CT_OK);
  ctData* d = xt_data(m);
  ct_step_n(m, d, 3);
  ctReal got[8];
  XT_INT(ct_batch_get(b, "qpos", NULL, 0, got, NULL), CT_OK);
  for (int i = 0; i < 8; i++) XT_TRUE(got[i] == d->qpos[0]);
  ct_data_free(d);
  ct_batch_free(b);
  opt.backend = CT_BACKEND_CUDA;
  ctError err;
  XT_INT(ct_batch_create(&b, m, 8, &opt, &err), CT_ERR_UNSUPPORTED);
  XT_TRUE(strstr(err.message, "model->user") != NULL);
  ct_model_free(m);
}

XT_MAIN()
