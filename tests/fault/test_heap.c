// A step makes no heap call: with constraint rows, contacts, meshes, islands, sensors and tendons, for every
// integrator, solver, cone and kind of Jacobian, on threads and in batches. The proof is an allocator that
// fails: a run is taken once, so that the arena has grown, and once more from the same start without memory.
#include "xt_alloc.h"
#include "xt_model.h"

#define STEPS 20

// Contacts, limits, friction, equalities and tendons, in several islands.
static const char* const rich[] = {"tests/models/constraint/mixed.xml", "tests/models/constraint/limits.xml",
                                   "tests/models/constraint/equality.xml"};

// The rest of the engine, each with the options it asks for.
static const char* const models[] = {"models/humanoid.xml",
                                     "tests/models/chain.xml",
                                     "tests/models/simple_bodies.xml",
                                     "tests/models/springs.xml",
                                     "tests/models/mjcf/diagexact.xml",
                                     "tests/models/mjcf/files.xml",
                                     "tests/models/mjcf/mesh_trees.xml",
                                     "tests/models/mjcf/options.xml",
                                     "tests/models/mjcf/sensors.xml",
                                     "tests/models/mjcf/tendons.xml",
                                     "tests/models/sensors/contacts.xml",
                                     "tests/models/sensors/history_rk4.xml",
                                     "tests/models/sensors/rays.xml",
                                     "tests/models/sensors/sdf_mesh.xml",
                                     "tests/models/sensors/tactile.xml",
                                     "tests/models/smooth/actuator_dcmotor.xml",
                                     "tests/models/smooth/delay_cubic.xml",
                                     "tests/models/smooth/fluid_ellipsoid.xml",
                                     "tests/models/smooth/muscles.xml",
                                     "tests/models/smooth/plastic.xml",
                                     "tests/models/smooth/wrap_cylinder.xml",
                                     "tests/models/solver/immovable.xml",
                                     "tests/models/smooth/length_range.xml"};

static const int integrators[] = {CT_INT_EULER, CT_INT_RK4, CT_INT_IMPLICIT, CT_INT_IMPLICITFAST,
                                  CT_INT_SPRINGDAMPER};

typedef struct Seen {
  int contacts, rows, islands, meshes;
} Seen;

static ctModel* load(const char* path, xtAlloc* counter, ctAllocator* allocator) {
  char full[600];
  snprintf(full, sizeof(full), "%s/%s", CT_SOURCE_DIR, path);
  *allocator = xt_allocator(counter);
  ctLoadOptions opt = {.allocator = allocator};
  ctModel* m = NULL;
  ctError err = {0};
  if (ct_model_load(&m, full, &opt, &err) != CT_OK) fail_msg("%s: %s", path, err.message);
  return m;
}

static int largest(int a, int b) {
  return a > b ? a : b;
}

static void run(const ctModel* m, ctData* d, Seen* seen, const char* name) {
  XT_INT(ct_data_reset(m, d), CT_OK);
  for (int i = 0; i < m->nv; i++) d->qvel[i] = (ctReal)(0.3 * sin(1.0 + i));
  for (int i = 0; i < m->nu; i++) d->ctrl[i] = (ctReal)(0.1 * cos(1.0 + i));
  for (int k = 0; k < STEPS; k++) {
    ctStatus status = ct_step(m, d);
    if (status != CT_OK) fail_msg("%s: step %d: %s", name, k, ct_status_text(status));
    if (!seen) continue;
    seen->contacts = largest(seen->contacts, d->ncon);
    seen->rows = largest(seen->rows, d->nefc);
    seen->islands = largest(seen->islands, d->nisland);
    seen->meshes = largest(seen->meshes, d->ncon > 0 ? m->nmesh : 0);
  }
  XT_INT(ct_step1(m, d), CT_OK);
  XT_INT(ct_step2(m, d), CT_OK);
  XT_INT(ct_forward(m, d), CT_OK);
  XT_INT(ct_inverse(m, d), CT_OK);
}

static void expect_no_heap_call(const ctModel* m, xtAlloc* counter, int threads, Seen* seen,
                                const char* name) {
  ctData* d = xt_data(m);
  if (threads > 1) XT_INT(ct_data_set_threads(d, threads, NULL), CT_OK);
  run(m, d, seen, name);
  int before = counter->calls;
  counter->fail_at = before + 1;
  counter->forever = true;
  run(m, d, NULL, name);
  if (counter->calls != before) fail_msg("%s: %d heap calls", name, counter->calls - before);
  xt_no_warnings(d);
  counter->fail_at = 0;
  ct_data_free(d);
}

XT_TEST(heap, every_integrator_solver_cone_and_jacobian_steps_without_it) {
  Seen seen = {0};
  for (size_t i = 0; i < sizeof(rich) / sizeof(rich[0]); i++) {
    xtAlloc counter = {0};
    ctAllocator allocator;
    ctModel* m = load(rich[i], &counter, &allocator);
    for (size_t k = 0; k < sizeof(integrators) / sizeof(integrators[0]); k++) {
      for (int variant = 0; variant < CT_SOL_COUNT * 8; variant++) {
        char name[80];
        m->opt.integrator = integrators[k];
        m->opt.solver = variant % CT_SOL_COUNT;
        m->opt.cone = variant / CT_SOL_COUNT % 2;
        m->opt.jacobian = variant / CT_SOL_COUNT / 2 % 2;
        bool island = variant / CT_SOL_COUNT / 4 == 0;
        m->opt.disableflags = island ? 0 : CT_DSBL_ISLAND;
        m->opt.noslip_iterations = variant % 5 == 0 ? 3 : 0;
        snprintf(name, sizeof(name), "%s, integrator %d, variant %d", rich[i] + 13, integrators[k], variant);
        expect_no_heap_call(m, &counter, 1, &seen, name);
      }
    }
    ct_model_free(m);
    XT_INT(counter.held, 0);
  }
  XT_TRUE(seen.contacts >= 8 && seen.rows > 40 && seen.islands > 2);
}

XT_TEST(heap, every_part_of_the_engine_steps_without_it) {
  Seen seen = {0};
  for (size_t i = 0; i < sizeof(models) / sizeof(models[0]); i++) {
    xtAlloc counter = {0};
    ctAllocator allocator;
    ctModel* m = load(models[i], &counter, &allocator);
    expect_no_heap_call(m, &counter, 1, &seen, models[i]);
    ct_model_free(m);
    XT_INT(counter.held, 0);
  }
  XT_TRUE(seen.meshes > 0);
}

XT_TEST(heap, neither_do_threads_touch_it) {
  for (size_t i = 0; i < sizeof(rich) / sizeof(rich[0]); i++) {
    xtAlloc counter = {0};
    ctAllocator allocator;
    ctModel* m = load(rich[i], &counter, &allocator);
    expect_no_heap_call(m, &counter, 2, NULL, rich[i]);
    ct_model_free(m);
  }
}

XT_TEST(heap, nor_batches_once_their_workspaces_have_grown) {
  for (size_t i = 0; i < sizeof(rich) / sizeof(rich[0]); i++) {
    xtAlloc counter = {0};
    ctAllocator allocator;
    ctModel* m = load(rich[i], &counter, &allocator);
    ctBatchOptions opt = {0};
    opt.backend = CT_BACKEND_CPU;
    opt.threads = 1;  // which thread takes which world, and grows for it, is left to chance
    ctBatch* b = NULL;
    XT_INT(ct_batch_create(&b, m, 5, &opt, NULL), CT_OK);
    XT_INT(ct_batch_output(b, "sensordata", NULL), CT_OK);
    XT_INT(ct_batch_step(b, STEPS, NULL), CT_OK);
    XT_INT(ct_batch_reset(b, NULL, 0, -1, NULL), CT_OK);
    int before = counter.calls;
    counter.fail_at = before + 1;
    counter.forever = true;
    XT_INT(ct_batch_step(b, STEPS, NULL), CT_OK);
    XT_INT(ct_batch_forward(b, NULL), CT_OK);
    if (counter.calls != before) fail_msg("%s: %d heap calls", rich[i], counter.calls - before);
    counter.fail_at = 0;
    ct_batch_free(b);
    ct_model_free(m);
    XT_INT(counter.held, 0);
  }
}

// The counter above would notice: a data that has to grow asks, and gets nothing.
XT_TEST(heap, growing_without_memory_is_a_status_and_leaves_the_state) {
  xtAlloc counter = {0};
  ctAllocator allocator;
  ctModel* m = load("tests/models/constraint/mixed.xml", &counter, &allocator);
  ctData* d = xt_data(m);
  int n = ct_data_state_size(m, CT_STATE_INTEGRATION), before = counter.calls;
  ctReal *start = calloc((size_t)n, sizeof(ctReal)), *end = calloc((size_t)n, sizeof(ctReal));
  XT_INT(ct_data_get_state(m, d, start, CT_STATE_INTEGRATION), CT_OK);
  d->narena = 64;  // too small
  counter.fail_at = before + 1;
  counter.forever = true;
  XT_INT(ct_step(m, d), CT_ERR_MEMORY);
  XT_TRUE(counter.calls > before);
  XT_INT(ct_data_get_state(m, d, end, CT_STATE_INTEGRATION), CT_OK);
  XT_SAME(start, end, n);
  counter.fail_at = 0;
  XT_INT(ct_step(m, d), CT_OK);
  XT_TRUE(d->nefc > 0);
  free(end);
  free(start);
  ct_data_free(d);
  ct_model_free(m);
}

XT_MAIN()
