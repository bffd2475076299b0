// A batch on the GPU beside one on the CPU, both in the precision of the GPU. By hand where there is a GPU,
// and as a test without one, see simt/warp.h:
//   gpu_batch bits MODEL...                 every number of the state, and what was reported, after 500 steps
//                                           with control noise; again with the worlds in another order and
//                                           number
//   gpu_batch matrix SECONDS MODEL...       the same with every integrator, solver and cone
//   gpu_batch noise MODEL...                noisy sensors after 50 steps
//   gpu_batch sensors MODEL...              each of the model's sensors alone, and late: worlds of a GPU then
//   have
//                                           room for what that one reads, and no more
//   gpu_batch outputs MODEL...              outputs that are asked for one after the other
//   gpu_batch values MODEL...               worlds with another medium each
//   gpu_batch profile MODEL...              the same steps with a clock, which says where the time goes
//   gpu_batch derive MODEL...               derivatives of a step, by steps of the batch
//   gpu_batch count REPORT MODEL            without a GPU: what warps do, see simt/launch.cc
//   gpu_batch speed WORLDS,... MODEL...     steps a second
// GPU_BATCH_STEPS is the number of steps of a comparison, if not 500, GPU_BATCH_WORLDS that of worlds, if not
// 100. CUDA_DEVICE_MAX_CONNECTIONS=32 lets comparisons of one model share the GPU; models with data of
// different size take turns.
#define _POSIX_C_SOURCE 200809L

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "corten/corten.h"

#define HOLD 10  // steps with the same controls

static int steps = 500;   // GPU_BATCH_STEPS
static int worlds = 100;  // GPU_BATCH_WORLDS

static void check(ctStatus status, const ctError* err) {
  if (status == CT_OK || status >= CT_STEP_DIVERGED) return;
  fprintf(stderr, "%s\n", err->message);
  exit(1);
}

// NULL, with a line that says why, when the engine cannot load it.
static ctModel* load(const char* path) {
  ctModel* m = NULL;
  ctError err = {0};
  if (ct_model_load(&m, path, NULL, &err) != CT_OK) printf("%-34s not loaded: %s\n", path, err.message);
  return m;
}

static ctBatch* create(const ctModel* m, int nworld, ctBackend backend) {
  ctBatchOptions opt = {0};
  opt.backend = backend;
  opt.threads = 1;  // models side by side fill the processors
  opt.precision = sizeof(ctReal) == 8 ? CT_PRECISION_DOUBLE : CT_PRECISION_SINGLE;
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
  for (int i = 0; i < steps; i += HOLD) {
    set_controls(b, m, id, nworld, i);
    check(ct_batch_step(b, HOLD, &err), &err);
  }
  ctReal* state = calloc((size_t)(nworld * ct_batch_width(b, "state")), sizeof(ctReal));
  check(ct_batch_get(b, "state", NULL, 0, state, &err), &err);
  return state;
}

// Behind the state of a world: its status, and how many warnings of each kind it has, with the last.
enum { REPORT = 1 + 2 * CT_WARN_COUNT };

static void report_world(ctBatch* b, int w, ctReal* out) {
  const ctWarningStat* warning = ct_batch_warnings(b, w);
  *out++ = (ctReal)ct_batch_status(b)[w];
  for (int i = 0; i < CT_WARN_COUNT; i++) {
    *out++ = (ctReal)warning[i].number;
    *out++ = (ctReal)(warning[i].number ? warning[i].lastinfo : 0);
  }
}

// Worlds `id` of a batch as a table of states and reports, a row a world.
static ctReal* states_of(const ctModel* m, ctBackend backend, const int* id, int nworld, size_t* width) {
  ctBatch* b = create(m, nworld, backend);
  const size_t size = (size_t)ct_batch_width(b, "state");
  *width = size + REPORT;
  ctReal *state = roll(b, m, id, nworld), *out = calloc((size_t)nworld * *width, sizeof(ctReal));
  for (int w = 0; w < nworld; w++) {
    memcpy(out + (size_t)w * *width, state + (size_t)w * size, size * sizeof(ctReal));
    report_world(b, w, out + (size_t)w * *width + size);
  }
  free(state);
  ct_batch_free(b);
  return out;
}

static int count_different(const ctReal* a, const ctReal* b, const int* row_of_b, int nworld, size_t width) {
  int different = 0;
  for (int w = 0; w < nworld; w++) {
    different += memcmp(a + (size_t)w * width, b + (size_t)row_of_b[w] * width, sizeof(ctReal) * width) != 0;
  }
  return different;
}

static uint64_t hash(const void* bytes, size_t n) {
  uint64_t h = 1469598103934665603ull;
  for (size_t i = 0; i < n; i++) h = (h ^ ((const unsigned char*)bytes)[i]) * 1099511628211ull;
  return h;
}

// ---- many comparisons at once: one alone leaves most of the GPU idle

enum { THREADS = 32 };

typedef enum Result { NOT_RUN, SAME, DIFFERENT } Result;

typedef struct Work {
  Result (*compare)(const struct Work* x, int item);  // prints its own line
  char** paths;
  int items;
  Result* results;
  double end;
  atomic_int next;
} Work;

static void* work_thread(void* context) {
  Work* x = context;
  for (;;) {
    int item = atomic_fetch_add(&x->next, 1);
    if (item >= x->items || ct_clock() > x->end) return NULL;
    x->results[item] = x->compare(x, item);
    fflush(stdout);
  }
}

static int work_through(Work* x) {
  x->results = calloc((size_t)x->items, sizeof(Result));
  pthread_t threads[THREADS];
  for (int t = 0; t < THREADS; t++) pthread_create(&threads[t], NULL, work_thread, x);
  for (int t = 0; t < THREADS; t++) pthread_join(threads[t], NULL);
  int total[3] = {0};
  for (int i = 0; i < x->items; i++) total[x->results[i]]++;
  printf("%d same, %d different, %d not run\n", total[SAME], total[DIFFERENT], total[NOT_RUN]);
  free(x->results);
  return total[DIFFERENT] != 0;
}

static int* numbers(int n) {
  int* id = calloc((size_t)n, sizeof(int));
  for (int i = 0; i < n; i++) id[i] = i;
  return id;
}
static void turn(int* id, int n) {
  for (int i = 0; i < n; i++) id[i] = n - 1 - i;
}

// The same worlds on the CPU, on the GPU, and there in another order among others.
static Result compare_bits(const Work* x, int item) {
  ctModel* m = load(x->paths[item]);
  if (!m) return NOT_RUN;
  int *id = numbers(worlds), *place = numbers(worlds), *turned = numbers(2 * worlds);
  turn(place, worlds);
  turn(turned, worlds);
  size_t width;
  ctReal* cpu = states_of(m, CT_BACKEND_CPU, id, worlds, &width);
  ctReal* gpu = states_of(m, CT_BACKEND_CUDA, id, worlds, &width);
  ctReal* permuted = states_of(m, CT_BACKEND_CUDA, turned, 2 * worlds, &width);
  int different = count_different(cpu, gpu, id, worlds, width);
  int moved = count_different(cpu, permuted, place, worlds, width);
  bool same = different == 0 && moved == 0;
  printf("%-34s %016llx %s", x->paths[item],
         (unsigned long long)hash(gpu, sizeof(ctReal) * (size_t)worlds * width),
         same ? "same bits\n" : "DIFFERENT");
  if (!same) printf(": %d worlds, %d when permuted\n", different, moved);
  free(cpu);
  free(gpu);
  free(permuted);
  free(id);
  free(place);
  free(turned);
  ct_model_free(m);
  return same ? SAME : DIFFERENT;
}

// ---- sensors with noise

static ctReal* noisy_sensors(const ctModel* m, ctBackend backend, int nworld) {
  ctBatch* b = create(m, nworld, backend);
  ctError err = {0};
  check(ct_batch_output(b, "sensordata", &err), &err);
  check(ct_batch_set_noise(b, true, 7, &err), &err);
  check(ct_batch_step(b, 50, &err), &err);
  ctReal* out = calloc((size_t)(nworld * m->nsensordata) + 1, sizeof(ctReal));
  if (m->nsensordata) check(ct_batch_get(b, "sensordata", NULL, 0, out, &err), &err);
  ct_batch_free(b);
  return out;
}

static Result compare_noise(const Work* x, int item) {
  ctModel* m = load(x->paths[item]);
  if (!m) return NOT_RUN;
  for (int i = 0; i < m->nsensor; i++) m->sensor_noise[i] = (ctReal)0.1;
  ctReal *cpu = noisy_sensors(m, CT_BACKEND_CPU, worlds), *gpu = noisy_sensors(m, CT_BACKEND_CUDA, worlds);
  bool same = memcmp(cpu, gpu, sizeof(ctReal) * (size_t)worlds * (size_t)m->nsensordata) == 0;
  printf("%-34s %d noisy numbers %s\n", x->paths[item], m->nsensordata, same ? "same bits" : "DIFFERENT");
  free(cpu);
  free(gpu);
  ct_model_free(m);
  return same ? SAME : DIFFERENT;
}

// ---- sensors, each alone

enum { MOST_SENSORS = 400 };

typedef enum Delay { AT_ONCE, DELAYED, DELAYED_IN_BATCH, DELAYS } Delay;

// The model with sensor i alone; what may be delayed has a history. NULL: it cannot have one.
static ctModel* with_sensor(const ctSpec* all, int i, Delay delay) {
  ctSpec* spec;
  ctModel* m = NULL;
  ctError err = {0};
  ctElement* sensor[MOST_SENSORS];
  check(ct_spec_copy(&spec, all, &err), &err);
  int n = ct_spec_list(spec, CT_OBJ_SENSOR, sensor, MOST_SENSORS);
  for (int k = 0; k < n; k++) {
    if (k != i) check(ct_spec_remove(spec, sensor[k], &err), &err);
  }
  const char* by = delay == DELAYED ? "0.003" : "0";
  const bool able = delay == AT_ONCE || (ct_element_set(spec, sensor[i], "nsample", "3", &err) == CT_OK &&
                                         ct_element_set(spec, sensor[i], "delay", by, &err) == CT_OK);
  if (able) check(ct_model_compile(&m, spec, &err), &err);
  ct_spec_free(spec);
  return m;
}

static ctReal* readings(const ctModel* m, ctBackend backend, Delay delay) {
  ctBatch* b = create(m, worlds, backend);
  int* id = numbers(worlds);
  ctError err = {0};
  check(ct_batch_output(b, "sensordata", &err), &err);
  set_controls(b, m, id, worlds, 0);
  if (delay == DELAYED_IN_BATCH) {
    ctReal* by = calloc((size_t)worlds, sizeof(ctReal));
    for (int w = 0; w < worlds; w++) by[w] = (ctReal)(w + 1) * m->opt.timestep;
    check(ct_batch_vary(b, "sensor_delay", &err), &err);
    check(ct_batch_set(b, "sensor_delay", NULL, 0, by, &err), &err);
    free(by);
  }
  check(ct_batch_step(b, 6, &err), &err);
  ctReal* out = calloc((size_t)(worlds * m->nsensordata) + 1, sizeof(ctReal));
  check(ct_batch_get(b, "sensordata", NULL, 0, out, &err), &err);
  free(id);
  ct_batch_free(b);
  return out;
}

static Result compare_sensors(const Work* x, int item) {
  ctSpec* all;
  ctError err = {0};
  check(ct_spec_load(&all, x->paths[item], NULL, &err), &err);
  const int n = ct_spec_list(all, CT_OBJ_SENSOR, NULL, 0);
  int different = 0;
  for (int i = 0; i < DELAYS * n && n <= MOST_SENSORS; i++) {
    const Delay delay = (Delay)(i % DELAYS);
    ctModel* m = with_sensor(all, i / DELAYS, delay);
    if (!m) continue;
    ctReal *cpu = readings(m, CT_BACKEND_CPU, delay), *gpu = readings(m, CT_BACKEND_CUDA, delay);
    if (memcmp(cpu, gpu, sizeof(ctReal) * (size_t)(worlds * m->nsensordata)) != 0) {
      static const char* const how[DELAYS] = {"", ", delayed,", ", delayed in the batch,"};
      printf("%-34s sensor %d%s DIFFERENT\n", x->paths[item], i / DELAYS, how[delay]);
      different++;
    }
    free(cpu);
    free(gpu);
    ct_model_free(m);
  }
  printf("%-34s %d sensors: %s\n", x->paths[item], n, different ? "DIFFERENT" : "same bits");
  ct_spec_free(all);
  return n <= MOST_SENSORS && !different ? SAME : DIFFERENT;
}

// ---- values of the model that differ from world to world

// The state after some steps in media that the model does not know of.
static ctReal* in_media(const ctModel* m, ctBackend backend, size_t* width) {
  ctBatch* b = create(m, worlds, backend);
  ctError err = {0};
  ctReal* density = calloc((size_t)worlds, sizeof(ctReal));
  for (int w = 0; w < worlds; w++) density[w] = (ctReal)(300 * w);
  check(ct_batch_vary(b, "opt.density", &err), &err);
  check(ct_batch_set(b, "opt.density", NULL, 0, density, &err), &err);
  check(ct_batch_step(b, steps, &err), &err);
  *width = (size_t)ct_batch_width(b, "state");
  ctReal* state = calloc((size_t)worlds * *width, sizeof(ctReal));
  check(ct_batch_get(b, "state", NULL, 0, state, &err), &err);
  free(density);
  ct_batch_free(b);
  return state;
}

static Result compare_values(const Work* x, int item) {
  ctModel* m = load(x->paths[item]);
  if (!m) return NOT_RUN;
  size_t width;
  ctReal *cpu = in_media(m, CT_BACKEND_CPU, &width), *gpu = in_media(m, CT_BACKEND_CUDA, &width);
  const bool matters = worlds > 1 && memcmp(cpu, cpu + width, sizeof(ctReal) * width) != 0;
  const bool same = matters && memcmp(cpu, gpu, sizeof(ctReal) * (size_t)worlds * width) == 0;
  printf("%-34s %d media: %s\n", x->paths[item], worlds, same ? "same bits" : "DIFFERENT");
  free(cpu);
  free(gpu);
  ct_model_free(m);
  return same ? SAME : DIFFERENT;
}

// ---- outputs, those among them that worlds of a GPU have no room for without being asked

static const char* const outputs[] = {"sensordata",
                                      "xpos",
                                      "crb",
                                      "qacc",
                                      "qH",
                                      "ximat",
                                      "geom_xmat",
                                      "xaxis",
                                      "cvel",
                                      "qfrc_bias",
                                      "qfrc_constraint",
                                      "subtree_linvel",
                                      "subtree_angmom",
                                      "energy",
                                      "cacc",
                                      "cfrc_int",
                                      "cfrc_ext",
                                      "qDeriv"};
#define OUTPUTS (sizeof(outputs) / sizeof(outputs[0]))

// Each of them in a batch that has taken steps without it, and those asked for before beside it.
static ctReal* all_outputs(const ctModel* m, ctBackend backend, int nworld, size_t* count) {
  ctBatch* b = create(m, nworld, backend);
  ctReal* out = NULL;
  ctError err = {0};
  *count = 0;
  for (size_t i = 0; i < OUTPUTS; i++) {
    check(ct_batch_step(b, 2, &err), &err);
    check(ct_batch_output(b, outputs[i], &err), &err);
    check(ct_batch_step(b, 1, &err), &err);
    for (size_t k = 0; k <= i; k++) {
      const size_t n = (size_t)ct_batch_width(b, outputs[k]) * (size_t)nworld;
      out = realloc(out, sizeof(ctReal) * (*count + n + 1));
      if (n > 0) check(ct_batch_get(b, outputs[k], NULL, 0, out + *count, &err), &err);
      *count += n;
    }
  }
  ct_batch_free(b);
  return out;
}

static Result compare_outputs(const Work* x, int item) {
  ctModel* m = load(x->paths[item]);
  if (!m) return NOT_RUN;
  size_t n = 0, other = 0;
  ctReal *cpu = all_outputs(m, CT_BACKEND_CPU, worlds, &n),
         *gpu = all_outputs(m, CT_BACKEND_CUDA, worlds, &other);
  bool same = n == other && memcmp(cpu, gpu, sizeof(ctReal) * n) == 0;
  printf("%-34s %zu numbers of outputs %s\n", x->paths[item], n, same ? "same bits" : "DIFFERENT");
  free(cpu);
  free(gpu);
  ct_model_free(m);
  return same ? SAME : DIFFERENT;
}

// ---- derivatives of a step, by steps of the batch

// A, then B, of all worlds, after some steps.
static ctReal* derivatives(const ctModel* m, ctBackend backend, const int* id, int nworld, size_t* count) {
  ctBatch* b = create(m, nworld, backend);
  free(roll(b, m, id, nworld));
  ctError err = {0};
  ctDerive* w = NULL;
  check(ct_derive_create(&w, m, 1, &err), &err);
  const size_t nx = (size_t)ct_derive_state_size(m), na = (size_t)nworld * nx * nx;
  *count = na + (size_t)nworld * nx * (size_t)m->nu;
  ctReal* out = calloc(*count + 1, sizeof(ctReal));
  check(ct_derive_transition_fd_batch(w, b, NULL, out, m->nu ? out + na : NULL, NULL, NULL, &err), &err);
  ct_derive_free(w);
  ct_batch_free(b);
  return out;
}

static Result compare_derivatives(const Work* x, int item) {
  ctModel* m = load(x->paths[item]);
  if (!m) return NOT_RUN;
  int* id = numbers(worlds);
  size_t n;
  ctReal *cpu = derivatives(m, CT_BACKEND_CPU, id, worlds, &n),
         *gpu = derivatives(m, CT_BACKEND_CUDA, id, worlds, &n);
  bool same = memcmp(cpu, gpu, sizeof(ctReal) * n) == 0;
  printf("%-34s %zu derivatives %s\n", x->paths[item], n, same ? "same bits" : "DIFFERENT");
  free(cpu);
  free(gpu);
  free(id);
  ct_model_free(m);
  return same ? SAME : DIFFERENT;
}

// ---- steps with a clock

static ctReal* stepped(const ctModel* m, ctBackend backend, ctBatchProfile* p, size_t* width) {
  ctBatch* b = create(m, worlds, backend);
  ctError err = {0};
  check(p ? ct_batch_profile(b, steps, p, &err) : ct_batch_step(b, steps, &err), &err);
  *width = (size_t)ct_batch_width(b, "state");
  ctReal* state = calloc((size_t)worlds * *width + 1, sizeof(ctReal));
  check(ct_batch_get(b, "state", NULL, 0, state, &err), &err);
  ct_batch_free(b);
  return state;
}

// The stages make up the step, unless a world has one thread.
static bool adds_up(const ctBatchProfile* p) {
  static const ctTimerType stages[] = {CT_TIMER_POS_KINEMATICS, CT_TIMER_POS_INERTIA, CT_TIMER_POS_COLLISION,
                                       CT_TIMER_POS_MAKE,       CT_TIMER_VELOCITY,    CT_TIMER_ACTUATION,
                                       CT_TIMER_CONSTRAINT,     CT_TIMER_ADVANCE};
  const ctTimerStat step = p->timer[CT_TIMER_STEP];
  double left = step.duration;
  for (size_t i = 0; i < sizeof(stages) / sizeof(stages[0]); i++) {
    const ctTimerStat t = p->timer[stages[i]];
    if (p->lanes > 1 && (t.number != step.number || !(t.duration > 0))) return false;
    left -= t.duration;
  }
  return step.number == (int64_t)steps * worlds && step.duration > 0 && p->processors > 0 && p->hertz > 0 &&
         p->array_bytes > 0 && p->arena_bytes > 0 && p->array_bytes + p->arena_bytes < p->step_bytes &&
         (p->lanes == 1 || (p->resident > 0 && left < 1e-9 && left > -1e-9));
}

static Result compare_profile(const Work* x, int item) {
  ctModel* m = load(x->paths[item]);
  if (!m) return NOT_RUN;
  ctBatchProfile p;
  size_t width;
  ctReal *cpu = stepped(m, CT_BACKEND_CPU, NULL, &width), *gpu = stepped(m, CT_BACKEND_CUDA, &p, &width);
  bool same = memcmp(cpu, gpu, sizeof(ctReal) * (size_t)worlds * width) == 0 && adds_up(&p);
  printf("%-34s %d lanes, %d resident, %zu bytes (arrays %zu, arena %zu), %.3g s a step of a world: %s\n",
         x->paths[item], p.lanes, p.resident, p.step_bytes, p.array_bytes, p.arena_bytes,
         p.timer[CT_TIMER_STEP].duration / (double)p.timer[CT_TIMER_STEP].number,
         same ? "same bits" : "DIFFERENT");
  free(cpu);
  free(gpu);
  ct_model_free(m);
  return same ? SAME : DIFFERENT;
}

// ---- every integrator, solver and cone

static const int integrators[] = {CT_INT_EULER, CT_INT_RK4, CT_INT_IMPLICIT, CT_INT_IMPLICITFAST,
                                  CT_INT_SPRINGDAMPER};
static const int solvers[] = {CT_SOL_NEWTON, CT_SOL_CG, CT_SOL_PGS};
static const int cones[] = {CT_CONE_PYRAMIDAL, CT_CONE_ELLIPTIC};
enum { CASES = 30 };

static Result compare_case(const Work* x, int item) {
  const char* path = x->paths[item / CASES];
  ctModel* m = load(path);
  if (!m) return NOT_RUN;
  int i = item % CASES;
  m->opt.integrator = integrators[i % 5];
  m->opt.solver = solvers[i / 5 % 3];
  m->opt.cone = cones[i / 15];
  int *id = numbers(worlds), *place = numbers(worlds);
  turn(place, worlds);
  size_t width;
  ctReal* cpu = states_of(m, CT_BACKEND_CPU, id, worlds, &width);
  ctReal* gpu = states_of(m, CT_BACKEND_CUDA, place, worlds, &width);
  bool same = count_different(cpu, gpu, place, worlds, width) == 0;
  printf("%-34s integrator %d solver %d cone %d %s\n", path, m->opt.integrator, m->opt.solver, m->opt.cone,
         same ? "same bits" : "DIFFERENT");
  free(cpu);
  free(gpu);
  free(id);
  free(place);
  ct_model_free(m);
  return same ? SAME : DIFFERENT;
}

// ---- speed

static void measure(const char* path, const ctModel* m, int nworld) {
  double begin = ct_clock();
  ctBatch* b = create(m, nworld, CT_BACKEND_CUDA);
  int* id = numbers(nworld);
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
  int taken = 0;
  for (int i = 6; spent < 1.5 && i < 60; i++) {
    set_controls(b, m, id, nworld, i);
    double t = ct_clock();
    ct_batch_step(b, HOLD, &err);
    check(ct_batch_sync(b, &err), &err);
    spent += ct_clock() - t;
    taken += HOLD;
  }
  ctBatchInfo info;
  ct_batch_info(b, &info);
  int bad = 0;
  const int* status = ct_batch_status(b);
  for (int w = 0; w < nworld; w++) bad += status[w] != CT_OK;
  printf("%-28s %8d worlds %12.0f steps/s  first step %.2f s  %6zu bytes a world  %d in trouble\n", path,
         nworld, (double)nworld * taken / spent, first, info.bytes_per_world, bad);
  fflush(stdout);
  free(id);
  ct_batch_free(b);
}

// ---- what warps do in the middle of a motion, without a GPU: the report of simt/launch.cc

// The CPU comes to a state with contacts; the first steps find room for them.
static void count_work(const ctModel* m, const char* report) {
  ctBatch *cpu = create(m, worlds, CT_BACKEND_CPU), *gpu = create(m, worlds, CT_BACKEND_CUDA);
  int* id = numbers(worlds);
  ctReal* state = roll(cpu, m, id, worlds);
  ctError err = {0};
  check(ct_batch_set(gpu, "state", NULL, 0, state, &err), &err);
  check(ct_batch_step(gpu, HOLD, &err), &err);
  check(ct_batch_sync(gpu, &err), &err);
  setenv("CORTEN_SIMT_REPORT", report, 1);
  check(ct_batch_step(gpu, HOLD, &err), &err);
  check(ct_batch_sync(gpu, &err), &err);
  free(state);
  free(id);
  ct_batch_free(cpu);
  ct_batch_free(gpu);
}

typedef Result Compare(const Work* x, int item);

static const struct {
  const char* name;
  Compare* compare;
} comparisons[] = {{"bits", compare_bits},       {"noise", compare_noise},   {"outputs", compare_outputs},
                   {"sensors", compare_sensors}, {"values", compare_values}, {"derive", compare_derivatives},
                   {"profile", compare_profile}};

int main(int argc, char** argv) {
  if (getenv("GPU_BATCH_STEPS")) steps = atoi(getenv("GPU_BATCH_STEPS"));
  if (getenv("GPU_BATCH_WORLDS")) worlds = atoi(getenv("GPU_BATCH_WORLDS"));
  for (size_t i = 0; argc > 2 && i < sizeof(comparisons) / sizeof(comparisons[0]); i++) {
    if (strcmp(argv[1], comparisons[i].name) != 0) continue;
    Work x = {.compare = comparisons[i].compare, .paths = argv + 2, .items = argc - 2, .end = 1e300};
    return work_through(&x);
  }
  if (argc > 3 && strcmp(argv[1], "matrix") == 0) {
    Work x = {.compare = compare_case, .paths = argv + 3, .items = CASES * (argc - 3)};
    x.end = ct_clock() + atof(argv[2]);
    return work_through(&x);
  }
  if (argc == 4 && strcmp(argv[1], "count") == 0) {
    ctModel* m = load(argv[3]);
    if (!m) return 1;
    count_work(m, argv[2]);
    ct_model_free(m);
    return 0;
  }
  if (argc > 3 && strcmp(argv[1], "speed") == 0) {
    for (int i = 3; i < argc; i++) {
      ctModel* m = load(argv[i]);
      if (!m) continue;
      for (const char* at = argv[2]; *at;) {
        measure(argv[i], m, atoi(at));
        at += strcspn(at, ",");
        if (*at) at++;
      }
      ct_model_free(m);
    }
    return 0;
  }
  fprintf(
      stderr,
      "usage: %s bits|noise|sensors|outputs|values|derive|profile MODEL... | matrix SECONDS MODEL... | speed "
      "WORLDS,... MODEL...\n",
      argv[0]);
  return 2;
}
