// Islands in threads: the same bits for any number.
#include "data/data.h"
#include "xt_model.h"

// Many small piles, each an island of its own.
static ctModel* piles(void) {
  static char text[20000];
  char* at = text;
  at += sprintf(at, "<mujoco><worldbody><geom type='plane' size='0 0 1'/>");
  for (int i = 0; i < 30; i++) {
    at += sprintf(at, "<body pos='%d %d .11'><freejoint/><geom type='box' size='.1 .1 .1'/></body>", i % 6,
                  i / 6);
    at += sprintf(at, "<body pos='%d.03 %d .3'><freejoint/><geom type='box' size='.1 .1 .09'/></body>", i % 6,
                  i / 6);
  }
  sprintf(at, "</worldbody></mujoco>");
  return xt_load_string(text);
}

static void run(const ctModel* m, int threads, int steps, ctReal* state) {
  ctData* d = xt_data(m);
  XT_INT(ct_data_set_threads(d, threads, NULL), CT_OK);
  XT_INT(ct_step_n(m, d, steps), CT_OK);
  xt_no_warnings(d);
  XT_TRUE(d->nisland >= 20);
  XT_INT(ct_data_get_state(m, d, state, CT_STATE_INTEGRATION), CT_OK);
  ct_data_free(d);
}

XT_TEST(threads, any_number_gives_the_same_bits) {
  ctModel* m = piles();
  size_t bytes = sizeof(ctReal) * (size_t)ct_data_state_size(m, CT_STATE_INTEGRATION);
  ctReal *one = malloc(bytes), *many = malloc(bytes);
  for (int solver = 0; solver < CT_SOL_COUNT; solver++) {
    m->opt.solver = solver;
    m->opt.noslip_iterations = solver == CT_SOL_NEWTON ? 2 : 0;
    run(m, 1, 40, one);
    for (int threads = 2; threads <= 7; threads += 5) {
      run(m, threads, 40, many);
      XT_TRUE(memcmp(one, many, bytes) == 0);
    }
  }
  free(one);
  free(many);
  ct_model_free(m);
}

XT_TEST(threads, a_copy_has_its_own) {
  ctModel* m = piles();
  ctData *a = xt_data(m), *b = xt_data(m);
  XT_INT(ct_data_set_threads(a, 2, NULL), CT_OK);
  XT_INT(ct_data_copy(m, a, b), CT_OK);
  XT_TRUE(cti_data(a)->threads != NULL && cti_data(b)->threads == NULL);
  XT_INT(ct_step(m, b), CT_OK);
  ct_data_free(a);
  ct_data_free(b);
  ct_model_free(m);
}

XT_TEST(threads, bad_numbers_are_refused) {
  ctModel* m = piles();
  ctData* d = xt_data(m);
  ctError err = {0};
  XT_INT(ct_data_set_threads(NULL, 2, &err), CT_ERR_ARGUMENT);
  XT_INT(ct_data_set_threads(d, -1, &err), CT_ERR_ARGUMENT);
  XT_INT(ct_data_set_threads(d, 1000000, &err), CT_ERR_ARGUMENT);
  XT_INT(ct_data_set_threads(d, 0, &err), CT_OK);
  XT_INT(ct_data_set_threads(d, 2, &err), CT_OK);
  XT_INT(ct_step(m, d), CT_OK);
  XT_INT(ct_data_set_threads(d, 1, &err), CT_OK);
  XT_TRUE(cti_data(d)->threads == NULL);
  XT_INT(ct_step(m, d), CT_OK);
  ct_data_free(d);
  ct_model_free(m);
}

XT_MAIN()
