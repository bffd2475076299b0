#include "xt_model.h"

#include "data/arena.h"

XT_TEST(data_state, restores_a_simulation_bit_for_bit) {
  ctModel* m = xt_load("tests/models/chain.xml");
  ctData *a = xt_data(m), *b = xt_data(m);
  for (int i = 0; i < m->nu; i++) a->ctrl[i] = (ctReal)0.3;
  ct_step_n(m, a, 50);
  int n = ct_data_state_size(m, CT_STATE_INTEGRATION);
  ctReal* state = malloc(sizeof(ctReal) * (size_t)n);
  XT_INT(ct_data_get_state(m, a, state, CT_STATE_INTEGRATION), CT_OK);
  XT_INT(ct_data_set_state(m, b, state, CT_STATE_INTEGRATION), CT_OK);
  ct_step_n(m, a, 50);
  ct_step_n(m, b, 50);
  const char* differs = ct_data_compare(m, a, b);
  if (differs) fail_msg("%s differs", differs);
  free(state);
  ct_data_free(a);
  ct_data_free(b);
  ct_model_free(m);
}

XT_TEST(data_state, has_the_sizes_of_its_parts) {
  ctModel* m = xt_load("tests/models/chain.xml");
  XT_INT(ct_data_state_size(m, CT_STATE_TIME), 1);
  XT_INT(ct_data_state_size(m, CT_STATE_QPOS | CT_STATE_QVEL), m->nq + m->nv);
  XT_INT(ct_data_state_size(m, CT_STATE_XFRC_APPLIED), 6 * m->nbody);
  XT_INT(ct_data_state_size(m, 0), 0);
  XT_INT(ct_data_state_size(m, 1u << CT_STATE_COUNT), -1);
  XT_INT(ct_data_state_size(NULL, CT_STATE_TIME), -1);
  ct_model_free(m);
}

XT_TEST(data_copy, continues_like_the_original) {
  ctModel* m = xt_load("tests/models/springs.xml");
  ctData *a = xt_data(m), *b = xt_data(m);
  ct_step_n(m, a, 20);
  XT_INT(ct_data_copy(m, a, b), CT_OK);
  XT_TRUE(ct_data_compare(m, a, b) == NULL);
  ct_step_n(m, a, 20);
  ct_step_n(m, b, 20);
  XT_TRUE(ct_data_compare(m, a, b) == NULL);
  ct_data_free(a);
  ct_data_free(b);
  ct_model_free(m);
}

XT_TEST(data_reset, forgets_everything) {
  ctModel* m = xt_load("tests/models/chain.xml");
  ctData *a = xt_data(m), *fresh = xt_data(m);
  a->ctrl[0] = 1;
  a->xfrc_applied[7] = 3;
  ct_step_n(m, a, 10);
  XT_INT(ct_data_reset(m, a), CT_OK);
  XT_TRUE(ct_data_compare(m, a, fresh) == NULL);
  XT_INT(ct_data_reset_keyframe(m, a, 0), CT_ERR_ARGUMENT);
  XT_INT(ct_data_reset(NULL, a), CT_ERR_ARGUMENT);
  ct_data_free(a);
  ct_data_free(fresh);
  ct_model_free(m);
}

XT_TEST(data_fields, every_listed_name_is_found) {
  ctModel* m = xt_load("tests/models/pendulum.xml");
  ctData* d = xt_data(m);
  XT_TRUE(ct_data_field_count() > 180);
  for (int i = 0; i < ct_data_field_count(); i++) {
    ctField f;
    XT_INT(ct_data_field(m, d, ct_data_field_name(i), &f), CT_OK);
    const ctFieldInfo* info = ct_data_field_info(i);
    XT_TEXT(info->name, f.name);
    XT_INT(info->type, f.type);
    XT_INT(info->ndim, f.ndim);
    XT_TRUE(strlen(info->doc) > 3);
    XT_TRUE(f.rows * f.cols == 0 || f.data != NULL);
  }
  ctField f;
  XT_INT(ct_data_field(m, d, "qpos", &f), CT_OK);
  XT_TRUE(f.data == d->qpos);
  XT_INT(ct_data_field(m, d, "efc_J", &f), CT_OK);
  XT_INT(f.rows, 0);
  XT_INT(ct_data_field(m, d, "position", &f), CT_ERR_NOT_FOUND);
  ct_data_free(d);
  ct_model_free(m);
}

XT_TEST(arena, hands_out_both_ends_and_reports_what_is_missing) {
  ctModel* m = xt_load("tests/models/pendulum.xml");
  ctData* d = xt_data(m);
  size_t mark = cti_scratch_mark(d);
  ctByte *low = cti_arena(d, 100, "low"), *high = cti_scratch(d, 100, "high");
  XT_TRUE(low == cti_data(d)->arena);
  XT_TRUE(high >= low + 128 && high + 100 <= cti_data(d)->arena + d->narena);
  XT_TRUE(cti_scratch(d, d->narena, "too much") == NULL);
  XT_TEXT(cti_data(d)->arena_full, "too much");
  XT_TRUE(cti_data(d)->arena_wanted > d->narena);
  cti_scratch_release(d, mark);
  XT_INT(cti_data(d)->pstack, 0);
  ct_data_free(d);
  ct_model_free(m);
}

// Ints lead into arrays of the arena: one that is larger than they count is none.
XT_TEST(arena, counts_beyond_an_int_do_not_fit) {
  ctModel* m = xt_load("tests/models/pendulum.xml");
  ctData* d = xt_data(m);
  const int64_t counts[] = {
      (int64_t)INT32_MAX + 1, (int64_t)1 << 32, ((int64_t)1 << 32) + 1, -1, INT64_MIN, INT64_MAX};
  for (int i = 0; i < 6; i++) {
    XT_TRUE(cti_arena_items(d, counts[i], sizeof(ctReal), "many") == NULL);
    XT_TRUE(cti_scratch_items(d, counts[i], sizeof(ctReal), "many") == NULL);
    XT_TEXT(cti_data(d)->arena_full, "many");
    XT_INT(cti_data(d)->parena + cti_data(d)->pstack, 0);
  }
  ct_data_free(d);
  ct_model_free(m);
}

// Counts that each fit into an int, but not together, or not times their columns.
XT_TEST(data_create, sizes_beyond_an_int_are_refused) {
  ctModel* m = xt_load("tests/models/pendulum.xml");
  ctModel kept = *m;
  ctData* d = NULL;
  ctError err = {0};
  m->nbody = 400 << 20;  // times 6, for velocities
  XT_INT(ct_data_create(&d, m, &err), CT_ERR_LIMIT);
  XT_TRUE(d == NULL);
  *m = kept;
  m->nhistory = m->nuserdata = 1 << 30;
  XT_INT(ct_data_create(&d, m, &err), CT_ERR_LIMIT);
  XT_HAS(err.message, "state");
  XT_TRUE(d == NULL);
  *m = kept;
  ct_model_free(m);
}

XT_TEST(data_create, sizes_that_were_changed_are_refused) {
  ctModel* m = xt_load("tests/models/pendulum.xml");
  int* const sizes[] = {&m->nbody, &m->nq, &m->nv, &m->ngeom, &m->nsensordata, &m->nmeshvert, &m->nuserdata};
  for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
    const int kept = *sizes[i], wrong[] = {-1, kept + 7};
    for (int k = 0; k < 2; k++) {
      ctData* d = NULL;
      ctError err = {0};
      *sizes[i] = wrong[k];
      XT_INT(ct_data_create(&d, m, &err), CT_ERR_ARGUMENT);
      XT_HAS(err.message, "only read");
      XT_TRUE(d == NULL);
    }
    *sizes[i] = kept;
  }
  ct_data_free(xt_data(m));
  ct_model_free(m);
}

// A step that does not fit is taken again: its bits do not depend on the arena it started with.
static void compare_small_with_large(const ctModel* m, size_t bytes, bool halves) {
  ctData *small = xt_data(m), *large = xt_data(m);
  ctReal *a = calloc(1, sizeof(ctReal) * (size_t)ct_data_state_size(m, CT_STATE_INTEGRATION)),
         *b = calloc(1, sizeof(ctReal) * (size_t)ct_data_state_size(m, CT_STATE_INTEGRATION));
  XT_INT(ct_step_n(m, large, 3), CT_OK);  // has grown by now
  ct_data_reset(m, large);
  for (int i = 0; i < 20; i++) {
    small->narena = small->narena < bytes ? small->narena : bytes;
    XT_INT(ct_step(m, large), CT_OK);
    XT_INT(halves ? ct_step1(m, small) : ct_step(m, small), CT_OK);
    if (halves) small->narena = cti_data(small)->parena + cti_data(small)->pstack;
    if (halves) XT_INT(ct_step2(m, small), CT_OK);
    xt_no_warnings(small);
    XT_INT(ct_data_get_state(m, small, a, CT_STATE_INTEGRATION), CT_OK);
    XT_INT(ct_data_get_state(m, large, b, CT_STATE_INTEGRATION), CT_OK);
    XT_TRUE(memcmp(a, b, sizeof(ctReal) * (size_t)ct_data_state_size(m, CT_STATE_INTEGRATION)) == 0);
  }
  free(a);
  free(b);
  ct_data_free(small);
  ct_data_free(large);
}

XT_TEST(arena, grows_and_no_bit_changes) {
  ctModel* m = xt_load("models/humanoid.xml");
  for (int integrator = 0; integrator < CT_INT_COUNT; integrator++) {
    if (integrator == CT_INT_DISCRETE) continue;
    m->opt.integrator = integrator;
    for (size_t bytes = 64; bytes < 1 << 18; bytes *= 4) compare_small_with_large(m, bytes, false);
    if (integrator != CT_INT_RK4) compare_small_with_large(m, 64, true);
  }
  for (int solver = 0; solver < CT_SOL_COUNT; solver++) {
    m->opt.solver = solver;
    compare_small_with_large(m, 1024, false);
  }
  ct_model_free(m);
}

// Delayed sensors measure when the rest of the step has been computed: they, too, can find the arena short.
XT_TEST(arena, histories_are_written_once) {
  ctModel* m = xt_load("tests/models/mjcf/sensor_attributes.xml");
  for (int integrator = 0; integrator < CT_INT_COUNT; integrator++) {
    if (integrator == CT_INT_DISCRETE) continue;
    m->opt.integrator = integrator;
    for (size_t bytes = 64; bytes < 1 << 15; bytes += 448) compare_small_with_large(m, bytes, false);
  }
  ct_model_free(m);
}

XT_TEST(arena, drops_and_says_so_where_growing_is_forbidden) {
  ctModel* m = xt_load("models/humanoid.xml");
  ctData* d = xt_data(m);
  d->narena = 64;
  d->arena_fixed = true;
  XT_INT(ct_step(m, d), CT_STEP_OVERFLOW);
  XT_INT(ct_step(m, d), CT_STEP_OVERFLOW);
  XT_INT(d->narena, 64);
  XT_TRUE(d->time > 0);
  ct_data_free(d);
  ct_model_free(m);
}

// Where the arena may not grow a step has the bits of one with room, or says that it has not.
static void lacks_and_says_so(const char* path) {
  ctModel* m = xt_load(path);
  int n = ct_data_state_size(m, CT_STATE_INTEGRATION);
  ctReal *a = calloc((size_t)n, sizeof(ctReal)), *b = calloc((size_t)n, sizeof(ctReal));
  for (size_t bytes = 64; bytes < 1 << 16; bytes += bytes / 16 / 64 * 64 + 64) {
    ctData *small = xt_data(m), *large = xt_data(m);
    for (int i = 0; i < 20; i++) XT_INT(ct_step(m, large), CT_OK);
    ct_data_copy(m, large, small);
    const size_t all = small->narena;
    small->narena = bytes < all ? bytes : all;
    small->arena_fixed = true;
    ct_step(m, large);
    bool said = ct_step(m, small) == CT_STEP_OVERFLOW;
    ct_data_get_state(m, small, a, CT_STATE_INTEGRATION);
    ct_data_get_state(m, large, b, CT_STATE_INTEGRATION);
    const int warned = small->warning[CT_WARN_CONTACTFULL].number + small->warning[CT_WARN_CNSTRFULL].number;
    XT_TRUE(said == (warned > 0));
    XT_TRUE(said || memcmp(a, b, sizeof(ctReal) * (size_t)n) == 0);
    small->narena = all;
    XT_INT(ct_step(m, small), CT_OK);  // nor is it said again
    ct_data_free(small);
    ct_data_free(large);
  }
  free(a);
  free(b);
  ct_model_free(m);
}

XT_TEST(arena, what_a_step_lacks_is_said) {
  lacks_and_says_so("models/humanoid.xml");
  lacks_and_says_so("tests/models/mjcf/tendons.xml");
  lacks_and_says_so("tests/models/mjcf/constraints.xml");
  lacks_and_says_so("tests/models/mismatch/wedge_bins.xml");
}

XT_TEST(state_file, comes_back_bit_for_bit_and_only_whole) {
  const char* path = "test_state_file.cts";
  ctModel* m = xt_load("tests/models/sensors/history.xml");
  ctData *a = xt_data(m), *b = xt_data(m);
  ctError err = {0};
  ct_step_n(m, a, 20);
  XT_INT(ct_data_save(m, a, path, &err), CT_OK);
  XT_INT(ct_data_load(m, b, path, &err), CT_OK);
  ct_step_n(m, a, 20);
  ct_step_n(m, b, 20);
  XT_TRUE(ct_data_compare(m, a, b) == NULL);
  size_t size = ct_data_save_bytes(m, a, NULL, 0);
  unsigned char* bytes = malloc(size + 1);
  // an address that no real could have
  XT_INT(ct_data_save_bytes(m, a, bytes + 1, size), size);
  XT_INT(ct_data_load_bytes(m, b, bytes + 1, size, &err), CT_OK);
  ct_data_reset(m, b);
  ctData* fresh = xt_data(m);
  for (size_t cut = 0; cut < size; cut += 7)
    XT_INT(ct_data_load_bytes(m, b, bytes + 1, cut, &err), CT_ERR_SYNTAX);
  XT_TRUE(ct_data_compare(m, b, fresh) == NULL);
  XT_INT(ct_data_load(m, b, "no/such/file.cts", &err), CT_ERR_NOT_FOUND);
  XT_INT(ct_data_save(m, b, "no/such/file.cts", &err), CT_ERR_IO);
  XT_HAS(err.file, "file.cts");
  remove(path);
  free(bytes);
  ct_data_free(fresh);
  ct_data_free(a);
  ct_data_free(b);
  ct_model_free(m);
}

XT_TEST(data, contacts_and_rows_are_made_for_what_is_restored) {
  static const char xml[] =
      "<mujoco><worldbody><geom type='plane' size='1 1 1'/><body pos='0 0 .05'><freejoint/><geom "
      "size='.1'/></body>"
      "</worldbody></mujoco>";
  ctModel* m = xt_load_string(xml);
  ctData *d = NULL, *other = NULL;
  XT_INT(ct_data_create(&d, m, NULL), CT_OK);
  XT_INT(ct_data_create(&other, m, NULL), CT_OK);
  XT_INT(ct_forward(m, d), CT_OK);
  const ctRowCounts n = {d->ncon, d->ne, d->nf, d->nl, d->nefc, d->nJ, d->efc_J_rownnz != NULL};
  assert_true(n.ncon > 0 && n.nefc > 0);
  XT_INT(ct_data_make_rows(m, other, &n), CT_OK);
  XT_INT(other->ncon, d->ncon);
  XT_INT(other->nefc, d->nefc);
  XT_INT(other->contact[0].geom[0], -1);
  XT_INT(other->contact[0].efc_address, -1);
  for (int i = 0; i < n.nefc; i++) XT_NEAR(other->efc_force[i], 0, 0);
  // filled, they answer as the original
  memcpy(other->contact, d->contact, (size_t)n.ncon * sizeof(ctContact));
  memcpy(other->efc_force, d->efc_force, (size_t)n.nefc * sizeof(ctReal));
  ctReal a[6], b[6];
  XT_INT(ct_contact_force(m, d, 0, a), CT_OK);
  XT_INT(ct_contact_force(m, other, 0, b), CT_OK);
  for (int i = 0; i < 6; i++) XT_NEAR(a[i], b[i], 0);
  // more than there was room for; then more than there may be, which leaves none
  const ctRowCounts many = {10000, 0, 0, 0, 20000, 20000 * 6, false};
  XT_INT(ct_data_make_rows(m, other, &many), CT_OK);
  XT_INT(other->nefc, 20000);
  const ctRowCounts most = {100000000, 0, 0, 0, 100000000, 0, false};
  XT_INT(ct_data_make_rows(m, other, &most), CT_STEP_OVERFLOW);
  XT_INT(other->ncon, 0);
  XT_INT(other->nefc, 0);
  const ctRowCounts bad = {1, 2, 2, 0, 3, 0, false}, negative = {-1, 0, 0, 0, 0, 0, false};
  XT_INT(ct_data_make_rows(m, other, &bad), CT_ERR_ARGUMENT);
  XT_INT(ct_data_make_rows(m, other, &negative), CT_ERR_ARGUMENT);
  XT_INT(ct_data_make_rows(m, other, NULL), CT_ERR_ARGUMENT);
  XT_INT(ct_step(m, other), CT_OK);
  ct_data_free(d);
  ct_data_free(other);
  ct_model_free(m);
}

XT_MAIN()
