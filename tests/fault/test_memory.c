// Failing allocators and truncated files: a clear status, nothing leaked, nothing half built.
#include "xt_alloc.h"
#include "xt_model.h"

static const char model_path[] = CT_SOURCE_DIR "/tests/models/chain.xml";

static char* slurp(const char* path, size_t* size) {
  FILE* f = fopen(path, "rb");
  XT_TRUE(f != NULL);
  fseek(f, 0, SEEK_END);
  *size = (size_t)ftell(f);
  rewind(f);
  char* text = malloc(*size + 1);
  XT_INT(fread(text, 1, *size, f), *size);
  text[*size] = 0;
  fclose(f);
  return text;
}

static void run_out_at_any_point(const char* path) {
  bool loaded = false;
  for (int fail = 1; !loaded; fail++) {
    XT_TRUE(fail < 100000);
    xtAlloc counter = {.fail_at = fail};
    ctAllocator allocator = xt_allocator(&counter);
    ctLoadOptions opt = {.allocator = &allocator};
    ctModel* m = NULL;
    ctData* d = NULL;
    ctError err = {0};
    ctStatus status = ct_model_load(&m, path, &opt, &err);
    if (status == CT_OK) status = ct_data_create(&d, m, &err);
    loaded = status == CT_OK;
    if (!loaded) {
      XT_INT(status, CT_ERR_MEMORY);
      XT_HAS(err.message, "memory");
      XT_TRUE(d == NULL);
    }
    ct_data_free(d);
    ct_model_free(m);
    XT_INT(counter.held, 0);
  }
}

XT_TEST(memory, running_out_at_any_point_is_reported_and_leaks_nothing) {
  run_out_at_any_point(model_path);
  run_out_at_any_point(CT_SOURCE_DIR "/tests/models/mjcf/attach_bodies.xml");
  run_out_at_any_point(CT_SOURCE_DIR "/tests/parity/deformables/flex_words.xml");
  run_out_at_any_point(CT_SOURCE_DIR "/tests/models/urdf/mimic_gripper.urdf");
  run_out_at_any_point(CT_SOURCE_DIR "/tests/models/urdf/packages/any/box.urdf");
}

// Every call on derivatives, one after another.
static ctStatus derive_everything(const ctModel* m, const ctData* d, ctBatch* b, ctReal* room, ctReal* states,
                                  ctError* err) {
  enum { SIZE = 4096 };
  ctReal *A = room, *B = room + SIZE, *C = room + 2 * SIZE, *D = room + 3 * SIZE;
  ctDerive* w = NULL;
  ctDeriveError error = {.eps = (ctReal)1e-4};
  ctStatus status = ct_derive_create(&w, m, 2, err);
  if (status == CT_OK) status = ct_derive_linearize(w, d, CT_DERIVE_AUTO, NULL, A, B, C, D, NULL, err);
  if (status == CT_OK) status = ct_derive_linearize(w, d, CT_DERIVE_IMPLICIT, NULL, A, B, C, D, NULL, err);
  if (status == CT_OK) status = ct_derive_transition_fd(w, d, NULL, A, B, C, D, err);
  if (status == CT_OK) status = ct_derive_check(w, d, CT_DERIVE_AUTO, &error, 1, NULL, err);
  if (status == CT_OK) status = ct_derive_rollout(w, d, NULL, 2, states, err);
  if (status == CT_OK) status = ct_derive_rollout_vjp(w, states, 2, CT_DERIVE_AUTO, A, NULL, B, C, err);
  if (status == CT_OK)
    status = ct_derive_linearize_batch(w, b, CT_DERIVE_AUTO, NULL, A, B, NULL, NULL, NULL, err);
  if (status == CT_OK) status = ct_derive_transition_fd_batch(w, b, NULL, A, B, C, D, err);
  ct_derive_free(w);
  return status;
}

XT_TEST(memory, derivatives_that_run_out_of_it_say_so_and_leak_nothing) {
  ctReal* room = calloc((size_t)4 * 4096 + 3 * 1024, sizeof(ctReal));
  bool done = false;
  for (int fail = 1; !done; fail++) {
    XT_TRUE(fail < 1000);
    xtAlloc counter = {0};
    ctAllocator allocator = xt_allocator(&counter);
    ctLoadOptions opt = {.allocator = &allocator};
    ctBatchOptions how = {.backend = CT_BACKEND_CPU, .threads = 1};
    ctModel* m;
    ctData* d;
    ctBatch* b;
    ctError err = {0};
    XT_INT(ct_model_load(&m, model_path, &opt, &err), CT_OK);
    XT_INT(ct_data_create(&d, m, &err), CT_OK);
    XT_INT(ct_batch_create(&b, m, 2, &how, &err), CT_OK);
    XT_TRUE(ct_derive_state_size(m) * ct_derive_state_size(m) * 2 <= 4096 && m->nv > 0);
    XT_TRUE(ct_data_state_size(m, CT_STATE_INTEGRATION) <= 1024);
    counter.fail_at = counter.calls + fail;
    ctStatus status = derive_everything(m, d, b, room, room + (size_t)4 * 4096, &err);
    done = counter.calls < counter.fail_at;
    XT_INT(status, done ? CT_OK : CT_ERR_MEMORY);
    if (!done) XT_HAS(err.message, "memory");
    ct_batch_free(b);
    ct_data_free(d);
    ct_model_free(m);
    XT_INT(counter.held, 0);
  }
  free(room);
}

XT_TEST(files, every_truncation_is_an_error_with_a_position) {
  size_t size;
  char* text = slurp(model_path, &size);
  while (size > 0 && text[size - 1] != '>') size--;
  for (size_t n = 0; n < size; n++) {
    ctModel* m = NULL;
    ctError err = {0};
    ctStatus status = ct_model_load_string(&m, text, n, NULL, &err);
    XT_TRUE(status != CT_OK && m == NULL);
    XT_TRUE(err.message[0] != 0);
    if (n > 0) XT_TRUE(err.line >= 1 && err.column >= 1);
  }
  free(text);
}

XT_TEST(files, flipped_bytes_never_crash) {
  size_t size;
  char* text = slurp(model_path, &size);
  xtRng rng = xt_rng(7);
  for (int i = 0; i < 3000; i++) {
    size_t at = xt_bits(&rng) % size;
    char old = text[at];
    text[at] = (char)xt_bits(&rng);
    ctModel* m = NULL;
    ctError err = {0};
    ctStatus status = ct_model_load_string(&m, text, size, NULL, &err);
    XT_TRUE((status == CT_OK) == (m != NULL));
    if (m) {
      ctData* d = xt_data(m);
      ct_step_n(m, d, 2);
      ct_data_free(d);
    }
    ct_model_free(m);
    text[at] = old;
  }
  free(text);
}

XT_TEST(arguments, null_is_a_status_never_a_crash) {
  ctModel* m = xt_load("tests/models/pendulum.xml");
  ctData* d = xt_data(m);
  ctModel* none = NULL;
  XT_INT(ct_model_load(NULL, "x", NULL, NULL), CT_ERR_ARGUMENT);
  XT_INT(ct_model_load(&none, NULL, NULL, NULL), CT_ERR_ARGUMENT);
  XT_INT(ct_model_load_string(&none, NULL, 3, NULL, NULL), CT_ERR_ARGUMENT);
  XT_INT(ct_data_create(NULL, m, NULL), CT_ERR_ARGUMENT);
  XT_INT(ct_step(NULL, d), CT_ERR_ARGUMENT);
  XT_INT(ct_step(m, NULL), CT_ERR_ARGUMENT);
  XT_INT(ct_step_n(m, d, -1), CT_ERR_ARGUMENT);
  XT_INT(ct_forward(m, NULL), CT_ERR_ARGUMENT);
  XT_INT(ct_inverse(NULL, NULL), CT_ERR_ARGUMENT);
  XT_INT(ct_energy_compute(m, NULL), CT_ERR_ARGUMENT);
  XT_INT(ct_model_compile(&none, NULL, NULL), CT_ERR_ARGUMENT);
  ct_model_free(NULL);
  ct_data_free(NULL);
  ct_spec_free(NULL);
  ct_data_free(d);
  ct_model_free(m);
}

XT_TEST(numbers, bad_ones_are_counted_and_reset) {
  ctModel* m = xt_load("tests/models/chain.xml");
  ctData* d = xt_data(m);
  d->qvel[3] = (ctReal)NAN;
  XT_INT(ct_step(m, d), CT_STEP_DIVERGED);
  XT_INT(d->warning[CT_WARN_BADQVEL].number, 1);
  XT_INT(d->warning[CT_WARN_BADQVEL].lastinfo, 3);
  XT_INT(ct_step(m, d), CT_OK);
  d->qpos[2] = (ctReal)INFINITY;
  XT_INT(ct_step(m, d), CT_STEP_DIVERGED);
  XT_INT(d->warning[CT_WARN_BADQPOS].lastinfo, 2);
  d->qfrc_applied[1] = (ctReal)1e30;
  XT_INT(ct_step(m, d), CT_STEP_DIVERGED);
  XT_INT(d->warning[CT_WARN_BADQACC].number, 1);
  d->ctrl[1] = (ctReal)NAN;
  XT_INT(ct_step(m, d), CT_STEP_DIVERGED);
  XT_INT(d->warning[CT_WARN_BADCTRL].lastinfo, 1);
  for (int i = 0; i < m->nv; i++) XT_TRUE(isfinite((double)d->qvel[i]));
  ct_data_free(d);
  ct_model_free(m);
}

XT_MAIN()
