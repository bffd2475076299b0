// Derivatives of a step: closed forms against differences, many states, what is refused.
#include "xt_model.h"

static const char scene[] =
    "<mujoco><option tolerance='0' iterations='50'/><worldbody><geom type='plane' size='5 5 .1'/>"
    "<body pos='0 0 .09'><freejoint/><geom type='box' size='.1 .1 .1'/>"
    "<body pos='.2 0 0'><joint name='h' axis='0 1 0' damping='.1' limited='true' range='-30 30'/>"
    "<geom type='capsule' size='.03' fromto='0 0 0 .2 0 0'/></body></body>"
    "<body pos='0 0 .37'><joint type='slide' axis='0 0 1'/><joint axis='1 0 0'/><geom type='sphere' "
    "size='.19'/></body>"
    "</worldbody><actuator><position joint='h' kp='5'/><general joint='h' dyntype='filter' dynprm='.1'/>"
    "</actuator><sensor><jointvel joint='h'/></sensor></mujoco>";

typedef struct {
  ctModel* m;
  ctData* d;
  ctDerive* w;
  int nx;
  ctReal* matrix[4];
  ctError err;
} Fixture;

static void begin(Fixture* f, int threads) {
  *f = (Fixture){0};
  f->m = xt_load_string(scene);
  f->d = xt_data(f->m);
  f->d->ctrl[0] = (ctReal)0.3;
  f->d->ctrl[1] = (ctReal)-0.2;
  for (int i = 0; i < 40; i++) ct_step(f->m, f->d);
  f->nx = ct_derive_state_size(f->m);
  XT_INT(ct_derive_create(&f->w, f->m, threads, &f->err), CT_OK);
  for (int k = 0; k < 4; k++) f->matrix[k] = calloc((size_t)(f->nx * f->nx) * 8, sizeof(ctReal));
}

static void end(Fixture* f) {
  for (int k = 0; k < 4; k++) free(f->matrix[k]);
  ct_derive_free(f->w);
  ct_data_free(f->d);
  ct_model_free(f->m);
}

static double largest(const ctReal* a, const ctReal* b, int n) {
  double worst = 0, scale = 1;
  for (int i = 0; i < n; i++) {
    worst = fmax(worst, fabs((double)(a[i] - (b ? b[i] : 0))));
    scale = fmax(scale, fabs((double)a[i]));
  }
  return b ? worst / scale : worst;
}

// Single precision: differences of 1e-3 of numbers of 1e-7 relative error, and of their own truncation.
#define AGREES (sizeof(ctReal) == 8 ? 1e-6 : 5e-2)

XT_TEST(linearize, closed_forms_are_what_differences_of_inverse_dynamics_say) {
  Fixture f;
  ctDeriveReport r;
  begin(&f, 1);
  int n = f.nx * f.nx;
  // nudges that single precision can see are deeper than contacts
  const bool touches = sizeof(ctReal) == 8;
  if (!touches) f.m->opt.disableflags |= CT_DSBL_CONTACT;
  XT_INT(ct_derive_linearize(f.w, f.d, CT_DERIVE_ANALYTIC, NULL, f.matrix[0], f.matrix[1], NULL, NULL, &r,
                             &f.err),
         CT_OK);
  XT_INT(r.method, CT_DERIVE_ANALYTIC);
  assert_null(r.reason);
  XT_TRUE(!touches || r.contacts >= 4);
  XT_INT(ct_derive_linearize(f.w, f.d, CT_DERIVE_IMPLICIT, NULL, f.matrix[2], f.matrix[3], NULL, NULL, &r,
                             &f.err),
         CT_OK);
  XT_TRUE(largest(f.matrix[0], f.matrix[2], n) < AGREES);
  XT_TRUE(largest(f.matrix[1], f.matrix[3], f.nx * f.m->nu) < AGREES);
  end(&f);
}

XT_TEST(linearize, many_states_have_the_bits_of_one) {
  enum { STATES = 5 };
  for (int threads = 1; threads <= 3; threads++) {
    Fixture f;
    begin(&f, threads);
    const int n = f.nx * f.nx, size = ct_data_state_size(f.m, CT_STATE_INTEGRATION);
    ctReal* states = calloc((size_t)(STATES * size), sizeof(ctReal));
    for (int i = 0; i < STATES; i++) {
      ct_data_get_state(f.m, f.d, states + i * size, CT_STATE_INTEGRATION);
      XT_INT(ct_derive_linearize(f.w, f.d, CT_DERIVE_AUTO, NULL, f.matrix[0] + (i > 0 ? n : 0), NULL, NULL,
                                 NULL, NULL, &f.err),
             CT_OK);
      if (i < STATES - 1) ct_step(f.m, f.d);
    }
    ctReal* all = calloc((size_t)(STATES * n), sizeof(ctReal));
    XT_INT(ct_derive_linearize_states(f.w, states, STATES, CT_DERIVE_AUTO, NULL, all, NULL, NULL, NULL, NULL,
                                      &f.err),
           CT_OK);
    // the first and the last are at hand
    assert_memory_equal(all, f.matrix[0], sizeof(ctReal) * (size_t)n);
    assert_memory_equal(all + (STATES - 1) * n, f.matrix[0] + n, sizeof(ctReal) * (size_t)n);
    free(all);
    free(states);
    end(&f);
  }
}

XT_TEST(linearize, a_batch_is_linearised_world_by_world) {
  Fixture f;
  begin(&f, 2);
  const int n = f.nx * f.nx;
  ctBatchOptions opt = {.backend = CT_BACKEND_CPU, .threads = 1};
  ctBatch* b = NULL;
  XT_INT(ct_batch_create(&b, f.m, 3, &opt, &f.err), CT_OK);
  XT_INT(ct_batch_step(b, 20, &f.err), CT_OK);
  XT_INT(ct_derive_linearize_batch(f.w, b, CT_DERIVE_AUTO, NULL, f.matrix[0], NULL, NULL, NULL, NULL, &f.err),
         CT_OK);
  assert_memory_equal(f.matrix[0], f.matrix[0] + 2 * n, sizeof(ctReal) * (size_t)n);
  XT_TRUE(largest(f.matrix[0], NULL, n) > 0.5);
  XT_INT(ct_batch_vary(b, "body_mass", &f.err), CT_OK);
  XT_INT(ct_derive_linearize_batch(f.w, b, CT_DERIVE_AUTO, NULL, f.matrix[0], NULL, NULL, NULL, NULL, &f.err),
         CT_ERR_UNSUPPORTED);
  assert_non_null(strstr(f.err.message, "body_mass"));
  ct_batch_free(b);
  end(&f);
}

XT_TEST(linearize, a_batch_steps_for_its_own_differences) {
  Fixture f;
  begin(&f, 1);
  const int n = f.nx * f.nx, nb = f.nx * f.m->nu, ns = ct_data_state_size(f.m, CT_STATE_INTEGRATION);
  ctBatchOptions opt = {.backend = CT_BACKEND_CPU, .threads = 2};
  ctBatch* b = NULL;
  uint64_t before, after;
  ctReal* row = calloc((size_t)ns, sizeof(ctReal));
  XT_INT(ct_batch_create(&b, f.m, 2, &opt, &f.err), CT_OK);
  ct_data_get_state(f.m, f.d, row, CT_STATE_INTEGRATION);
  const int last = 1;
  XT_INT(ct_batch_set(b, "state", &last, 1, row, &f.err), CT_OK);
  XT_INT(ct_batch_hash(b, &before, &f.err), CT_OK);
  XT_INT(ct_derive_transition_fd_batch(f.w, b, NULL, f.matrix[0], f.matrix[1], NULL, NULL, &f.err), CT_OK);
  XT_INT(ct_batch_hash(b, &after, &f.err), CT_OK);
  XT_TRUE(before == after);
  XT_INT(ct_derive_transition_fd(f.w, f.d, NULL, f.matrix[2], f.matrix[3], NULL, NULL, &f.err), CT_OK);
  // single precision has the noise of its solver, which differs
  const double agrees = sizeof(ctReal) == 8 ? 1e-7 : 0.3;
  XT_TRUE(largest(f.matrix[2], f.matrix[0] + n, n) < agrees);
  XT_TRUE(largest(f.matrix[3], f.matrix[1] + nb, nb) < agrees);
  XT_INT(ct_derive_transition_fd_batch(f.w, NULL, NULL, NULL, NULL, NULL, NULL, &f.err), CT_ERR_ARGUMENT);
  XT_INT(ct_derive_transition_fd_batch(NULL, b, NULL, NULL, NULL, NULL, NULL, &f.err), CT_ERR_ARGUMENT);
  free(row);
  ct_batch_free(b);
  end(&f);
}

// d of (last state . weights) by a control, beside a difference of rollouts
XT_TEST(linearize, a_rollout_goes_back_through_time) {
  enum { STEPS = 6 };
  Fixture f;
  begin(&f, 2);
  const int size = ct_data_state_size(f.m, CT_STATE_INTEGRATION), nu = f.m->nu, nv = f.m->nv;
  ctReal* states = calloc((size_t)((STEPS + 1) * size), sizeof(ctReal));
  ctReal* grad = calloc((size_t)((STEPS + 1) * f.nx), sizeof(ctReal));
  ctReal ctrl[STEPS * 2] = {0}, by_ctrl[STEPS * 2];
  XT_INT(nu, 2);
  grad[STEPS * f.nx + nv + 6] = 1;  // velocity of the hinge
  XT_INT(ct_derive_rollout(f.w, f.d, ctrl, STEPS, states, &f.err), CT_OK);
  XT_INT(ct_derive_rollout_vjp(f.w, states, STEPS, CT_DERIVE_AUTO, grad, NULL, NULL, by_ctrl, &f.err), CT_OK);
  const double eps = sizeof(ctReal) == 8 ? 1e-6 : 1e-2;
  double end_of[2];
  for (int side = 0; side < 2; side++) {
    ctrl[2 * 2] = (ctReal)(side ? eps : -eps);
    XT_INT(ct_derive_rollout(f.w, f.d, ctrl, STEPS, states, &f.err), CT_OK);
    end_of[side] = (double)states[STEPS * size + 1 + f.m->nq + 6];
  }
  const double slope = (end_of[1] - end_of[0]) / (2 * eps);
  XT_TRUE(fabs(slope) > 1e-3);
  XT_TRUE(fabs(slope - (double)by_ctrl[2 * 2]) < AGREES * fabs(slope));
  free(grad);
  free(states);
  end(&f);
}

XT_TEST(linearize, bad_arguments_are_refused_by_name) {
  Fixture f;
  begin(&f, 1);
  ctReal one[64] = {0};
  const ctDifferences bad[] = {{.eps = -1}, {.eps = (ctReal)NAN}, {.eps = (ctReal)INFINITY}};
  for (int i = 0; i < 3; i++) {
    XT_INT(ct_derive_linearize(f.w, f.d, CT_DERIVE_AUTO, &bad[i], NULL, NULL, NULL, NULL, NULL, &f.err),
           CT_ERR_ARGUMENT);
    assert_non_null(strstr(f.err.message, "eps"));
  }
  XT_INT(ct_derive_linearize(f.w, f.d, (ctDeriveMethod)7, NULL, NULL, NULL, NULL, NULL, NULL, &f.err),
         CT_ERR_ARGUMENT);
  XT_INT(ct_derive_linearize(NULL, f.d, CT_DERIVE_AUTO, NULL, NULL, NULL, NULL, NULL, NULL, &f.err),
         CT_ERR_ARGUMENT);
  XT_INT(ct_derive_linearize(f.w, NULL, CT_DERIVE_AUTO, NULL, NULL, NULL, NULL, NULL, NULL, &f.err),
         CT_ERR_ARGUMENT);
  XT_INT(ct_derive_linearize_states(f.w, NULL, 2, CT_DERIVE_AUTO, NULL, one, NULL, NULL, NULL, NULL, &f.err),
         CT_ERR_ARGUMENT);
  XT_INT(ct_derive_linearize_states(f.w, NULL, 0, CT_DERIVE_AUTO, NULL, NULL, NULL, NULL, NULL, NULL, &f.err),
         CT_OK);
  XT_INT(ct_derive_linearize_batch(f.w, NULL, CT_DERIVE_AUTO, NULL, NULL, NULL, NULL, NULL, NULL, &f.err),
         CT_ERR_ARGUMENT);
  ctDeriveError error = {.eps = 0};
  XT_INT(ct_derive_check(f.w, f.d, CT_DERIVE_AUTO, &error, 1, NULL, &f.err), CT_ERR_ARGUMENT);
  XT_INT(ct_derive_check(f.w, f.d, CT_DERIVE_AUTO, NULL, 1, NULL, &f.err), CT_ERR_ARGUMENT);
  XT_INT(ct_derive_check(NULL, f.d, CT_DERIVE_AUTO, NULL, 0, NULL, &f.err), CT_ERR_ARGUMENT);
  XT_INT(ct_derive_rollout(f.w, f.d, NULL, -1, one, &f.err), CT_ERR_ARGUMENT);
  XT_INT(ct_derive_rollout(f.w, f.d, NULL, 2, NULL, &f.err), CT_ERR_ARGUMENT);
  XT_INT(ct_derive_rollout_vjp(f.w, one, 2, CT_DERIVE_AUTO, NULL, NULL, NULL, NULL, &f.err), CT_ERR_ARGUMENT);
  f.d->qacc[0] = (ctReal)NAN;
  XT_INT(ct_derive_inverse(f.w, f.d, false, NULL, NULL, NULL, NULL, NULL, NULL, NULL, &f.err),
         CT_ERR_INVALID);
  f.d->qvel[0] = (ctReal)INFINITY;
  XT_INT(ct_derive_linearize(f.w, f.d, CT_DERIVE_AUTO, NULL, NULL, NULL, NULL, NULL, NULL, &f.err),
         CT_ERR_INVALID);
  f.d->qvel[0] = 0;
  f.m->opt.enableflags |= CT_ENBL_SLEEP;
  XT_INT(ct_derive_linearize(f.w, f.d, CT_DERIVE_AUTO, NULL, NULL, NULL, NULL, NULL, NULL, &f.err),
         CT_ERR_UNSUPPORTED);
  f.m->opt.enableflags = 0;
  f.m->opt.integrator = CT_INT_RK4;
  XT_INT(ct_derive_linearize(f.w, f.d, CT_DERIVE_ANALYTIC, NULL, NULL, NULL, NULL, NULL, NULL, &f.err),
         CT_ERR_UNSUPPORTED);
  assert_non_null(strstr(f.err.message, "integrator"));
  end(&f);
}

static void push(void* context, const ctModel* m, ctData* d) {
  (void)context;
  d->qfrc_passive[0] += d->qpos[0] * d->qpos[0];
  (void)m;
}

XT_TEST(linearize, functions_of_the_user_have_no_closed_form) {
  Fixture f;
  ctDeriveReport r;
  begin(&f, 1);
  f.m->user.passive = push;
  XT_INT(ct_derive_linearize(f.w, f.d, CT_DERIVE_ANALYTIC, NULL, f.matrix[0], NULL, NULL, NULL, NULL, &f.err),
         CT_ERR_UNSUPPORTED);
  assert_non_null(strstr(f.err.message, "function of the user"));
  XT_INT(ct_derive_linearize(f.w, f.d, CT_DERIVE_AUTO, NULL, f.matrix[0], NULL, NULL, NULL, &r, &f.err),
         CT_OK);
  XT_INT(r.method, CT_DERIVE_IMPLICIT);
  end(&f);
}

XT_MAIN()
