// A batch on the GPU beside one on the CPU, both in the precision of the GPU. Needs a GPU; run by hand:
//   gpu_batch bits MODEL...                 every number of the state after 500 steps with control noise
//   gpu_batch matrix SECONDS MODEL...       the same with every integrator, solver and cone, a few at once,
//                                           in another order and number of worlds than on the CPU
//   gpu_batch speed WORLDS,... MODEL...     steps a second
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "corten/corten.h"

#define STEPS 500
#define HOLD  10  // steps with the same controls

static void check(ctStatus status, const ctError* err) {
  if (status == CT_OK || status >= CT_STEP_DIVERGED) return;
  fprintf(stderr, "%s\n", err->message);
  exit(1);
}

static ctModel* load(const char* path) {
  ctModel* m = NULL;
  ctError err = {0};
  check(ct_model_load(&m, path, NULL, &err), &err);
  return m;
}

static ctBatch* create(const ctModel* m, int nworld, ctBackend backend) {
  ctBatchOptions opt = ct_batch_options();
  opt.backend = backend;
  opt.double_gpu = sizeof(ctReal) == 8;
  ctBatch* b = NULL;
  ctError err = {0};
  check(ct_batch_create(&b, m, nworld, &opt, &err), &err);
  return b;
}

// Noise by world and step alone, so that worlds in another order or number get the same.
static void set_controls(ctBatch* b, const ctModel* m, const int* id, int nworld, int step) {
  ctReal* ctrl = calloc((size_t)(nworld * m->nu) + 1, sizeof(ctReal));
  for (int w = 0; w < nworld; w++) {
    for (int k = 0; k < m->nu; k++) {
      unsigned h = (unsigned)id[w] * 2654435761u + (unsigned)step * 40503u + (unsigned)k * 9176u;
      h ^= h >> 15, h *= 2246822519u, h ^= h >> 13, h *= 3266489917u, h ^= h >> 16;
      ctReal x = (ctReal)((double)h / 4294967296.0 - 0.5);
      const ctReal* range = m->actuator_ctrlrange + 2 * k;
      ctrl[w * m->nu + k] =
          m->actuator_ctrllimited[k] ? range[0] + (x + (ctReal)0.5) * (range[1] - range[0]) : x;
    }
  }
  ctError err = {0};
  if (m->nu) check(ct_batch_set(b, "ctrl", NULL, 0, ctrl, &err), &err);
  free(ctrl);
}

static ctReal* roll(ctBatch* b, const ctModel* m, const int* id, int nworld) {
  ctError err = {0};
  for (int i = 0; i < STEPS; i += HOLD) {
    set_controls(b, m, id, nworld, i);
    check(ct_batch_step(b, HOLD, &err), &err);
  }
  ctReal* state = calloc((size_t)(nworld * ct_batch_width(b, "state")), sizeof(ctReal));
  check(ct_batch_get(b, "state", NULL, 0, state, &err), &err);
  return state;
}

// The same worlds in another order, and in another number, on the GPU.
static bool same_when_permuted(const ctModel* m, const ctReal* expected, int nworld, int n) {
  int* id = calloc((size_t)(2 * nworld), sizeof(int));
  for (int w = 0; w < 2 * nworld; w++) id[w] = w < nworld ? nworld - 1 - w : w;
  ctBatch* b = create(m, 2 * nworld, CT_BACKEND_CUDA);
  ctReal* state = roll(b, m, id, 2 * nworld);
  bool same = true;
  for (int w = 0; w < nworld; w++)
    same = same && memcmp(state + (size_t)w * (size_t)n, expected + (size_t)id[w] * (size_t)n,
                          sizeof(ctReal) * (size_t)n) == 0;
  free(id);
  free(state);
  ct_batch_free(b);
  return same;
}

static uint64_t hash(const void* bytes, size_t n) {
  uint64_t h = 1469598103934665603ull;
  for (size_t i = 0; i < n; i++) h = (h ^ ((const unsigned char*)bytes)[i]) * 1099511628211ull;
  return h;
}

static int compare(const char* path, const ctModel* m) {
  enum { WORLDS = 100 };
  int id[WORLDS];
  for (int w = 0; w < WORLDS; w++) id[w] = w;
  ctBatch *cpu = create(m, WORLDS, CT_BACKEND_CPU), *gpu = create(m, WORLDS, CT_BACKEND_CUDA);
  ctReal *a = roll(cpu, m, id, WORLDS), *b = roll(gpu, m, id, WORLDS);
  int n = ct_batch_width(cpu, "state"), different = 0;
  for (int w = 0; w < WORLDS; w++) {
    different +=
        memcmp(a + (size_t)w * (size_t)n, b + (size_t)w * (size_t)n, sizeof(ctReal) * (size_t)n) != 0;
  }
  bool permuted = same_when_permuted(m, b, WORLDS, n);
  printf("%-34s %s %s  %016llx\n", path, different ? "DIFFERENT" : "same bits",
         permuted ? "" : "PERMUTED DIFFERS",
         (unsigned long long)hash(b, sizeof(ctReal) * (size_t)(WORLDS * n)));
  if (different) printf("   %d of %d worlds differ\n", different, WORLDS);
  free(a);
  free(b);
  ct_batch_free(cpu);
  ct_batch_free(gpu);
  return different != 0 || !permuted;
}

static int test_bits(int argc, char** argv) {
  int failed = 0;
  for (int i = 0; i < argc; i++) {
    ctModel* m = load(argv[i]);
    failed += compare(argv[i], m);
    fflush(stdout);
    ct_model_free(m);
  }
  printf("%d passed, %d failed\n", argc - failed, failed);
  return failed != 0;
}

// ---- every integrator, solver and cone

static const int integrators[] = {CT_INT_EULER, CT_INT_RK4, CT_INT_IMPLICIT, CT_INT_IMPLICITFAST,
                                  CT_INT_SPRINGDAMPER};
static const int solvers[] = {CT_SOL_NEWTON, CT_SOL_CG, CT_SOL_PGS};
static const int cones[] = {CT_CONE_PYRAMIDAL, CT_CONE_ELLIPTIC};
enum { CASES = 30, MATRIX_THREADS = 12 };

typedef struct Matrix {
  char** paths;
  int count;     // of models
  int* results;  // model by model: 0 not run, 1 same, 2 different
  double end;
  atomic_int next;
} Matrix;

static void choose_case(ctModel* m, int i) {
  m->opt.integrator = integrators[i % 5];
  m->opt.solver = solvers[i / 5 % 3];
  m->opt.cone = cones[i / 15];
}

static bool same_in_another_order(const ctModel* m) {
  enum { WORLDS = 32, MORE = 40 };
  int id[WORLDS], turned[MORE];
  for (int w = 0; w < WORLDS; w++) id[w] = w;
  for (int w = 0; w < MORE; w++) turned[w] = MORE - 1 - w;
  ctBatchOptions opt = ct_batch_options();
  opt.backend = CT_BACKEND_CPU;
  opt.threads = 1;
  ctBatch *cpu = NULL, *gpu = create(m, MORE, CT_BACKEND_CUDA);
  ctError err = {0};
  check(ct_batch_create(&cpu, m, WORLDS, &opt, &err), &err);
  ctReal *a = roll(cpu, m, id, WORLDS), *b = roll(gpu, m, turned, MORE);
  size_t n = (size_t)ct_batch_width(cpu, "state");
  bool same = true;
  for (size_t w = 0; w < WORLDS; w++)
    same = same && memcmp(a + w * n, b + (MORE - 1 - w) * n, sizeof(ctReal) * n) == 0;
  free(a);
  free(b);
  ct_batch_free(cpu);
  ct_batch_free(gpu);
  return same;
}

// Case by case, so that all models get their share of the time.
static void* matrix_thread(void* context) {
  Matrix* x = context;
  for (;;) {
    int item = atomic_fetch_add(&x->next, 1), model = item % x->count, i = item / x->count * 7 % CASES;
    if (item >= CASES * x->count || ct_clock() > x->end) return NULL;
    ctModel* m = load(x->paths[model]);
    choose_case(m, i);
    bool same = same_in_another_order(m);
    x->results[CASES * model + i] = same ? 1 : 2;
    printf("%-34s integrator %d solver %d cone %d %s\n", x->paths[model], m->opt.integrator, m->opt.solver,
           m->opt.cone, same ? "same bits" : "DIFFERENT");
    fflush(stdout);
    ct_model_free(m);
  }
}

static int test_matrix(double seconds, int count, char** paths) {
  Matrix x = {.paths = paths, .count = count, .end = ct_clock() + seconds};
  x.results = calloc((size_t)(CASES * count), sizeof(int));
  pthread_t threads[MATRIX_THREADS];
  for (int t = 0; t < MATRIX_THREADS; t++) pthread_create(&threads[t], NULL, matrix_thread, &x);
  for (int t = 0; t < MATRIX_THREADS; t++) pthread_join(threads[t], NULL);
  int total[3] = {0};
  for (int model = 0; model < count; model++) {
    int seen[3] = {0};
    for (int i = 0; i < CASES; i++) seen[x.results[CASES * model + i]]++;
    printf("%-34s %2d same, %d different, %d not run\n", paths[model], seen[1], seen[2], seen[0]);
    for (int k = 0; k < 3; k++) total[k] += seen[k];
  }
  printf("%d same, %d different, %d not run\n", total[1], total[2], total[0]);
  free(x.results);
  return total[2] != 0;
}

static void measure(const char* path, const ctModel* m, int nworld) {
  double begin = ct_clock();
  ctBatch* b = create(m, nworld, CT_BACKEND_CUDA);
  int* id = calloc((size_t)nworld, sizeof(int));
  for (int w = 0; w < nworld; w++) id[w] = w;
  ctError err = {0};
  set_controls(b, m, id, nworld, 0);
  ct_batch_step(b, 1, &err);
  check(ct_batch_sync(b, &err), &err);
  double first = ct_clock() - begin;
  // settle into contacts, then measure
  for (int i = 1; i < 6; i++) {
    set_controls(b, m, id, nworld, i);
    ct_batch_step(b, HOLD, &err);
  }
  check(ct_batch_sync(b, &err), &err);
  double spent = 0;
  int steps = 0;
  for (int i = 6; spent < 1.5 && i < 60; i++) {
    set_controls(b, m, id, nworld, i);
    double t = ct_clock();
    ct_batch_step(b, HOLD, &err);
    check(ct_batch_sync(b, &err), &err);
    spent += ct_clock() - t;
    steps += HOLD;
  }
  ctBatchInfo info;
  ct_batch_info(b, &info);
  int bad = 0;
  const int* status = ct_batch_status(b);
  for (int w = 0; w < nworld; w++) bad += status[w] != CT_OK;
  printf("%-28s %8d worlds %12.0f steps/s  first step %.2f s  %6zu bytes a world  %d in trouble\n", path,
         nworld, (double)nworld * steps / spent, first, info.bytes_per_world, bad);
  fflush(stdout);
  free(id);
  ct_batch_free(b);
}

int main(int argc, char** argv) {
  if (argc > 2 && strcmp(argv[1], "bits") == 0) return test_bits(argc - 2, argv + 2);
  if (argc > 3 && strcmp(argv[1], "speed") == 0) {
    for (int i = 3; i < argc; i++) {
      ctModel* m = load(argv[i]);
      for (const char* at = argv[2]; *at;) {
        measure(argv[i], m, atoi(at));
        at += strcspn(at, ",");
        if (*at) at++;
      }
      ct_model_free(m);
    }
    return 0;
  }
  if (argc > 3 && strcmp(argv[1], "matrix") == 0) return test_matrix(atof(argv[2]), argc - 3, argv + 3);
  fprintf(stderr, "usage: %s bits MODEL... | matrix SECONDS MODEL... | speed WORLDS,... MODEL...\n", argv[0]);
  return 2;
}
