// Delayed controls: ring buffers by hand, without a model file.
#include "data/history.h"
#include "xt.h"

#define SAMPLES 4

// One actuator with one control and four samples.
typedef struct Bench {
  ctModel m;
  ctData d;
  int history[2], adr, ctrladr, ctrlnum;
  ctReal delay, buffer[2 + 2 * SAMPLES], ctrl;
} Bench;

static void set_up(Bench* b, int interp, double delay) {
  memset(b, 0, sizeof(*b));
  b->history[0] = SAMPLES;
  b->history[1] = interp;
  b->ctrlnum = 1;
  b->delay = (ctReal)delay;
  b->m.nactuator = 1;
  b->m.nhistory = 2 + 2 * SAMPLES;
  b->m.opt.timestep = CT_R(0.25);
  b->m.actuator_history = b->history;
  b->m.actuator_historyadr = &b->adr;
  b->m.actuator_ctrladr = &b->ctrladr;
  b->m.actuator_ctrlnum = &b->ctrlnum;
  b->m.actuator_delay = &b->delay;
  b->d.history = b->buffer;
  b->d.ctrl = &b->ctrl;
  cti_history_reset(&b->m, &b->d);
}

static double read_at(Bench* b, double time) {
  ctReal out;
  b->d.time = (ctReal)(time + (double)b->delay);
  cti_history_read(&b->m, &b->d, 0, &out);
  return (double)out;
}

// Samples at 0, 1/4, 1/2, 3/4 with the values 1, 3, 2, 5.
static void push_samples(Bench* b) {
  const double values[SAMPLES] = {1, 3, 2, 5};
  for (int i = 0; i < SAMPLES; i++) {
    b->d.time = CT_R(0.25) * (ctReal)i;
    b->ctrl = (ctReal)values[i];
    cti_history_push(&b->m, &b->d);
  }
}

XT_TEST(history, starts_with_zeros_up_to_one_step_before_time_zero) {
  Bench b;
  set_up(&b, 0, 0.5);
  XT_NEAR(b.buffer[1], SAMPLES - 1, 0);
  XT_NEAR(b.buffer[2], -1, 0);
  XT_NEAR(b.buffer[2 + SAMPLES - 1], -0.25, 0);
  XT_NEAR(read_at(&b, -3), 0, 0);
  XT_NEAR(read_at(&b, 3), 0, 0);
}

XT_TEST(history, a_delay_of_three_steps_is_three_steps) {
  Bench b;
  set_up(&b, 0, 0.75);
  for (int i = 0; i < 12; i++) {
    ctReal out;
    b.d.time = CT_R(0.25) * (ctReal)i;
    b.ctrl = (ctReal)(i + 1);
    cti_history_read(&b.m, &b.d, 0, &out);
    XT_NEAR(out, i < 3 ? 0 : i - 2, 0);
    cti_history_push(&b.m, &b.d);
  }
}

XT_TEST(history, holds_the_last_value_between_samples) {
  Bench b;
  set_up(&b, 0, 0.5);
  push_samples(&b);
  XT_NEAR(read_at(&b, 0.3), 3, 0);
  XT_NEAR(read_at(&b, 0.5), 2, 0);
  XT_NEAR(read_at(&b, -1), 1, 0);
  XT_NEAR(read_at(&b, 9), 5, 0);
}

XT_TEST(history, lines_join_the_samples_and_end_flat) {
  Bench b;
  set_up(&b, 1, 0.5);
  push_samples(&b);
  XT_NEAR(read_at(&b, 0.125), 2, XT_TOL(1e-15, 1e-6));
  XT_NEAR(read_at(&b, 0.625), 3.5, XT_TOL(1e-15, 1e-6));
  XT_NEAR(read_at(&b, -1), 1, 0);
  XT_NEAR(read_at(&b, 9), 5, 0);
}

// Through the samples, with a slope that does not jump.
XT_TEST(history, cubics_pass_the_samples_smoothly) {
  Bench b;
  set_up(&b, 2, 0.5);
  push_samples(&b);
  XT_NEAR(read_at(&b, 0.25), 3, XT_TOL(1e-15, 1e-6));
  XT_NEAR(read_at(&b, 0.5), 2, XT_TOL(1e-15, 1e-6));
  const double e = XT_TOL(1e-6, 1e-3);
  double before = (read_at(&b, 0.25) - read_at(&b, 0.25 - e)) / e;
  double after = (read_at(&b, 0.25 + e) - read_at(&b, 0.25)) / e;
  // the slope at a sample is that between its neighbours: (2 - 1) / 0.5
  XT_NEAR(before, 2, XT_TOL(1e-3, 0.5));
  XT_NEAR(after, 2, XT_TOL(1e-3, 0.5));
}

XT_MAIN()
