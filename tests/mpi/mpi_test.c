// libcorten_mpi: mpirun -n N mpi_test PART [...]. Rank 0 compares with a batch of its own; a failure ends all
// ranks.
//
//   same FILE      every call, compared number by number; prints one hash
//   faults FOLDER  wrong models, arguments and files
//   save FILE, load FILE
//   vanish         the last rank ends in the middle: the others return within the timeout
//   sleep          half the worlds rest; balance() evens the work out
#define _POSIX_C_SOURCE 200809L
#include <corten/corten.h>
#include <corten/mpi.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifdef ct_version  // built as a program of another version
const char* ct_version(void) {
  return "0.0.1";
}
#endif

enum { WORLDS = 37, STEPS = 20 };

static int rank, ranks;

#define CHECK(condition)                                                     \
  do {                                                                       \
    if (!(condition)) {                                                      \
      fprintf(stderr, "rank %d, line %d: %s\n", rank, __LINE__, #condition); \
      MPI_Abort(MPI_COMM_WORLD, 1);                                          \
    }                                                                        \
  } while (0)
#define GOOD(call)                                                            \
  do {                                                                        \
    ctStatus good_ = (call);                                                  \
    if (good_ != CT_OK) {                                                     \
      fprintf(stderr, "rank %d, line %d: %s\n", rank, __LINE__, err.message); \
      MPI_Abort(MPI_COMM_WORLD, 1);                                           \
    }                                                                         \
  } while (0)

static const char model_text[] =
    "<mujoco><option timestep='.005'/><worldbody><geom type='plane' size='5 5 .1'/>"
    "<body pos='0 0 .5'><freejoint/><geom type='capsule' size='.1 .2'/>"
    "<body pos='0 0 .3'><joint name='j' axis='0 1 0'/><geom type='box' size='.05 .05 .2' pos='0 0 "
    ".2'/></body></body></worldbody>"
    "<actuator><motor joint='j' ctrlrange='-1 1' gear='3'/></actuator>"
    "<sensor><jointpos joint='j' noise='.01'/><clock/></sensor><keyframe><key qpos='0 0 1 1 0 0 0 "
    ".3'/></keyframe></mujoco>";

static ctModel* load_text(const char* text) {
  ctError err = {0};
  ctModel* m = NULL;
  GOOD(ct_model_load_string(&m, text, strlen(text), NULL, &err));
  return m;
}

static double pseudo(int i) {
  return fmod(sin(i * 12.9898) * 43758.5453, 1);
}

// ---- the same as one batch

static void same(const char* file) {
  ctError err = {0};
  ctModel* m = load_text(model_text);
  ctMpiBatch* b = NULL;
  ctMpiOptions opt = {.batch = {.backend = CT_BACKEND_CPU, .threads = 1 + rank % 2}};
  GOOD(ct_mpi_batch_create(&b, MPI_COMM_WORLD, rank == 0 ? m : NULL, WORLDS, &opt, &err));
  ctBatch* one = NULL;
  if (rank == 0) GOOD(ct_batch_create(&one, m, WORLDS, &(ctBatchOptions){.backend = CT_BACKEND_CPU}, &err));
  CHECK(ct_model_compare(ct_mpi_batch_model(b), m) == NULL);
  const int nq = m->nq, ns = m->nsensordata;
  ctReal ctrl[WORLDS], got[WORLDS * 16], want[WORLDS * 16];
  int order[WORLDS], some[5] = {36, 3, 17, 0, 20};
  for (int i = 0; i < WORLDS; i++) order[i] = (i * 7) % WORLDS;

#define BOTH(mpi_call, one_call) \
  GOOD(mpi_call);                \
  if (rank == 0) GOOD(one_call)
  BOTH(ct_mpi_batch_set_noise(b, true, 7, &err), ct_batch_set_noise(one, true, 7, &err));
  BOTH(ct_mpi_batch_vary(b, "body_mass", &err), ct_batch_vary(one, "body_mass", &err));
  BOTH(ct_mpi_batch_output(b, "sensordata", &err), ct_batch_output(one, "sensordata", &err));
  ctReal mass[WORLDS * 3];
  for (int i = 0; i < 3 * WORLDS; i++) mass[i] = i % 3 ? (ctReal)(1 + fabs(pseudo(i))) : 0;
  BOTH(ct_mpi_batch_set(b, "body_mass", NULL, 0, rank == 0 ? mass : NULL, 0, &err),
       ct_batch_set(one, "body_mass", NULL, 0, mass, &err));
  BOTH(ct_mpi_batch_update(b, &err), ct_batch_update(one, &err));
  for (int step = 0; step < STEPS; step++) {
    for (int i = 0; i < WORLDS; i++) ctrl[i] = (ctReal)pseudo(step * 100 + i);
    BOTH(ct_mpi_batch_set(b, "ctrl", order, WORLDS, rank == ranks - 1 ? ctrl : NULL, ranks - 1, &err),
         ct_batch_set(one, "ctrl", order, WORLDS, ctrl, &err));
    BOTH(ct_mpi_batch_step(b, 3, &err), ct_batch_step(one, 3, &err));
    if (step == 8) {
      BOTH(ct_mpi_batch_reset(b, some, 5, 0, &err), ct_batch_reset(one, some, 5, 0, &err));
    }
    if (step == 10) GOOD(ct_mpi_batch_balance(b, &err));
    if (step == 14) {
      int counts[64];
      for (int r = 0; r < ranks; r++) counts[r] = 1;
      counts[ranks - 1] = WORLDS - (ranks - 1);
      GOOD(ct_mpi_batch_distribute(b, counts, &err));
      ctMpiInfo info;
      CHECK(ct_mpi_batch_info(b, &info) == CT_OK && info.count == counts[rank] && info.nworld == WORLDS);
    }
    ctMpiGather* gather = NULL;
    GOOD(ct_mpi_batch_gather_begin(b, "sensordata", rank == 0 ? got : NULL, 0, &gather, &err));
    GOOD(ct_mpi_batch_gather_end(b, gather, &err));
    if (rank == 0) {
      GOOD(ct_batch_get(one, "sensordata", NULL, 0, want, &err));
      CHECK(memcmp(got, want, sizeof(ctReal) * (size_t)(WORLDS * ns)) == 0);
    }
    GOOD(ct_mpi_batch_get(b, "qpos", order, WORLDS, got, -1, &err));
    if (rank == 0) {
      GOOD(ct_batch_get(one, "qpos", order, WORLDS, want, &err));
      CHECK(memcmp(got, want, sizeof(ctReal) * (size_t)(WORLDS * nq)) == 0);
    }
  }
  // one more gathering, beside steps
  ctMpiGather* gather = NULL;
  GOOD(ct_mpi_batch_gather_begin(b, "sensordata", rank == 0 ? got : NULL, 0, &gather, &err));
  if (rank == 0) GOOD(ct_batch_get(one, "sensordata", NULL, 0, want, &err));
  BOTH(ct_mpi_batch_step(b, 2, &err), ct_batch_step(one, 2, &err));
  GOOD(ct_mpi_batch_gather_end(b, gather, &err));
  if (rank == 0) CHECK(memcmp(got, want, sizeof(ctReal) * (size_t)(WORLDS * ns)) == 0);
  BOTH(ct_mpi_batch_forward(b, &err), ct_batch_forward(one, &err));

  double mean[16], sum[16], least[16], most[16];
  int64_t bins[5];
  GOOD(ct_mpi_batch_reduce(b, "qpos", CT_MPI_MEAN, mean, &err));
  GOOD(ct_mpi_batch_reduce(b, "qpos", CT_MPI_SUM, sum, &err));
  GOOD(ct_mpi_batch_reduce(b, "qpos", CT_MPI_MIN, least, &err));
  GOOD(ct_mpi_batch_reduce(b, "qpos", CT_MPI_MAX, most, &err));
  GOOD(ct_mpi_batch_histogram(b, "qpos", 2, 0, 1, 5, bins, &err));
  CHECK(bins[0] + bins[1] + bins[2] + bins[3] + bins[4] == WORLDS);
  uint64_t hash = 0, own = 0;
  GOOD(ct_mpi_batch_hash(b, &hash, &err));
  if (rank == 0) {
    GOOD(ct_batch_hash(one, &own, &err));
    CHECK(hash == own);
    GOOD(ct_batch_get(one, "qpos", NULL, 0, want, &err));
    for (int k = 0; k < nq; k++) {
      long double exact = 0;
      double low = HUGE_VAL, high = -HUGE_VAL;
      for (int i = 0; i < WORLDS; i++) {
        double x = (double)want[i * nq + k];
        exact += (long double)x;
        low = fmin(low, x);
        high = fmax(high, x);
      }
      CHECK(fabs((double)(sum[k] - exact)) <= 1e-15 * fabs((double)exact));
      CHECK(fabs(mean[k] - (double)(exact / WORLDS)) <= 1e-15 * fabs((double)exact));
      CHECK(least[k] == low && most[k] == high);
    }
    uint64_t bits;
    for (int k = 0; k < nq; k++) {
      memcpy(&bits, &sum[k], sizeof(bits));
      hash = (hash ^ bits) * 1099511628211u;
    }
    printf("%016llx\n", (unsigned long long)hash);
  }
  if (file) GOOD(ct_mpi_batch_save(b, file, &err));
  ct_batch_free(one);
  ct_mpi_batch_free(b);
  ct_model_free(m);
}

// ---- saved by some ranks, loaded by others

static ctMpiBatch* plain(const ctModel* m) {
  ctError err = {0};
  ctMpiBatch* b = NULL;
  GOOD(ct_mpi_batch_create(&b, MPI_COMM_WORLD, m, WORLDS,
                           &(ctMpiOptions){.batch = {.backend = CT_BACKEND_CPU, .threads = 1}}, &err));
  return b;
}

static void save_or_load(const char* file, bool load) {
  ctError err = {0};
  ctModel* m = load_text(model_text);
  ctMpiBatch* b = plain(m);
  uint64_t hash;
  if (load) {
    GOOD(ct_mpi_batch_load(b, file, &err));
  } else {
    ctReal ctrl[WORLDS];
    for (int i = 0; i < WORLDS; i++) ctrl[i] = (ctReal)pseudo(i);
    GOOD(ct_mpi_batch_set(b, "ctrl", NULL, 0, ctrl, 0, &err));
    GOOD(ct_mpi_batch_step(b, 50, &err));
    GOOD(ct_mpi_batch_save(b, file, &err));
  }
  GOOD(ct_mpi_batch_step(b, 50, &err));
  GOOD(ct_mpi_batch_hash(b, &hash, &err));
  if (rank == 0) printf("%016llx\n", (unsigned long long)hash);
  ct_mpi_batch_free(b);
  ct_model_free(m);
}

// ---- trouble

#define FAILS(call, expected, words)                                                                      \
  do {                                                                                                    \
    err = (ctError){0};                                                                                   \
    ctStatus fails_ = (call);                                                                             \
    if (fails_ != (expected) || !strstr(err.message, words)) {                                            \
      fprintf(stderr, "rank %d, line %d: status %d, \"%s\"\n", rank, __LINE__, (int)fails_, err.message); \
      MPI_Abort(MPI_COMM_WORLD, 1);                                                                       \
    }                                                                                                     \
  } while (0)

static void faults(const char* folder) {
  ctError err = {0};
  ctModel* m = load_text(model_text);
  ctModel* other =
      load_text("<mujoco><worldbody><body><freejoint/><geom size='.1'/></body></worldbody></mujoco>");
  ctMpiBatch* b = NULL;
  char path[4096];
  FAILS(ct_mpi_batch_create(&b, MPI_COMM_WORLD, rank == 0 ? NULL : m, WORLDS, NULL, &err), CT_ERR_ARGUMENT,
        "must not be NULL");
  CHECK(b == NULL);
  FAILS(ct_mpi_batch_create(&b, MPI_COMM_WORLD, m, ranks - 1, NULL, &err), CT_ERR_ARGUMENT, "too few");
  if (ranks > 1)
    FAILS(ct_mpi_batch_create(&b, MPI_COMM_WORLD, rank == ranks - 1 ? other : m, WORLDS, NULL, &err),
          CT_ERR_INVALID, "another model");
  b = plain(m);
  FAILS(ct_mpi_batch_get(b, "nothing", NULL, 0, NULL, 0, &err), CT_ERR_NOT_FOUND, "nothing");
  FAILS(ct_mpi_batch_get(b, "qpos", NULL, 0, NULL, 0, &err), CT_ERR_ARGUMENT, "NULL");
  FAILS(ct_mpi_batch_get(b, "qpos", (int[]){1, 1}, 2, NULL, 0, &err), CT_ERR_ARGUMENT, "twice");
  FAILS(ct_mpi_batch_get(b, "qpos", (int[]){WORLDS}, 1, NULL, 0, &err), CT_ERR_ARGUMENT, "no world");
  FAILS(ct_mpi_batch_reset(b, (int[]){-1}, 1, -1, &err), CT_ERR_ARGUMENT, "no world");
  FAILS(ct_mpi_batch_get(b, "qpos", NULL, 0, NULL, ranks, &err), CT_ERR_ARGUMENT, "no rank");
  FAILS(ct_mpi_batch_output(b, "nothing", &err), CT_ERR_NOT_FOUND, "nothing");
  // trouble of one rank is heard by all
  FAILS(ct_mpi_batch_output(b, rank == ranks - 1 ? "nothing" : "xpos", &err), CT_ERR_NOT_FOUND, "nothing");
  int bad[64] = {0};
  FAILS(ct_mpi_batch_distribute(b, bad, &err), CT_ERR_ARGUMENT, "at least one");
  FAILS(ct_mpi_batch_save(b, "/nowhere/at/all", &err), CT_ERR_IO, "opened");
  FAILS(ct_mpi_batch_load(b, "/nowhere/at/all", &err), CT_ERR_NOT_FOUND, "opened");
  // a disk without room
  if (access("/dev/full", W_OK) == 0) {
    snprintf(path, sizeof(path), "%s/full", folder);
    char part[4200];
    snprintf(part, sizeof(part), "%s.part", path);
    if (rank == 0) {
      FILE* old = fopen(path, "w");
      fputs("old", old);
      fclose(old);
      unlink(part);
      CHECK(symlink("/dev/full", part) == 0);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    err = (ctError){0};
    CHECK(ct_mpi_batch_save(b, path, &err) == CT_ERR_IO);
    char text[8] = "";
    FILE* old = fopen(path, "r");
    CHECK(old && fgets(text, sizeof(text), old) && strcmp(text, "old") == 0);
    fclose(old);
  }
  // files that are none, cut short, or of another batch
  snprintf(path, sizeof(path), "%s/good", folder);
  ctMpiBatch* strange = NULL;
  GOOD(ct_mpi_batch_create(&strange, MPI_COMM_WORLD, other, WORLDS, NULL, &err));
  ctMpiBatch* again = plain(m);
  GOOD(ct_mpi_batch_save(again, path, &err));
  FAILS(ct_mpi_batch_load(strange, path, &err), CT_ERR_INVALID, "another model");
  GOOD(ct_mpi_batch_load(b, path, &err));  // no rank has an output that others lack
  GOOD(ct_mpi_batch_output(b, "xpos", &err));
  FAILS(ct_mpi_batch_load(b, path, &err), CT_ERR_INVALID, "outputs");
  if (rank == 0) CHECK(truncate(path, 5000) == 0);
  MPI_Barrier(MPI_COMM_WORLD);
  FAILS(ct_mpi_batch_load(again, path, &err), CT_ERR_SYNTAX, "cut short");
  if (rank == 0) CHECK(truncate(path, 3) == 0);
  MPI_Barrier(MPI_COMM_WORLD);
  FAILS(ct_mpi_batch_load(again, path, &err), CT_ERR_SYNTAX, "no saved batch");
  // a world in trouble is only that world's
  ctReal speed[8] = {0};
  speed[0] = (ctReal)NAN;
  GOOD(ct_mpi_batch_set(again, "qvel", (int[]){5}, 1, speed, 0, &err));
  err = (ctError){0};
  CHECK(ct_mpi_batch_step(again, 1, &err) == CT_STEP_DIVERGED);
  ctReal z[WORLDS * 8];
  GOOD(ct_mpi_batch_get(again, "qpos", NULL, 0, z, -1, &err));
  for (int i = 0; i < WORLDS; i++) CHECK(isfinite((double)z[8 * i + 2]));
  ct_mpi_batch_free(again);
  ct_mpi_batch_free(strange);
  ct_mpi_batch_free(b);
  ct_mpi_batch_free(NULL);
  ct_model_free(other);
  ct_model_free(m);
  if (rank == 0) printf("ok\n");
}

static void vanish(void) {
  ctError err = {0};
  ctModel* m = load_text(model_text);
  ctMpiBatch* b = NULL;
  ctMpiOptions opt = {.batch = {.backend = CT_BACKEND_CPU, .threads = 1}, .timeout = 2};
  GOOD(ct_mpi_batch_create(&b, MPI_COMM_WORLD, m, WORLDS, &opt, &err));
  GOOD(ct_mpi_batch_step(b, 10, &err));
  if (rank == ranks - 1) {
    sleep(60);
    _exit(0);
  }
  double start = ct_clock();
  CHECK(ct_mpi_batch_step(b, 10, &err) == CT_ERR_IO);
  CHECK(ct_clock() - start < 10 && strstr(err.message, "waited"));
  CHECK(ct_mpi_batch_forward(b, &err) == CT_ERR_IO && strstr(err.message, "lost"));
  ct_mpi_batch_free(b);
  printf("rank %d: %s\n", rank, err.message);
  fflush(stdout);
  MPI_Abort(MPI_COMM_WORLD, 3);
}

// Bodies that sleep cost little: those of the first half are at rest from the start.
static void sleepers(void) {
  ctError err = {0};
  char text[8000] =
      "<mujoco><option timestep='.005'><flag sleep='enable'/></option><worldbody><geom type='plane' size='50 "
      "50 .1'/>";
  for (int i = 0; i < 30; i++)
    snprintf(text + strlen(text), sizeof(text) - strlen(text),
             "<body pos='%d %d .1'><freejoint/><geom type='box' size='.1 .1 .1'/></body>", i % 6, i / 6);
  strcat(text, "</worldbody></mujoco>");
  ctModel* m = load_text(text);
  enum { MANY = 400 };
  ctMpiBatch* b = NULL;
  GOOD(ct_mpi_batch_create(&b, MPI_COMM_WORLD, m, MANY,
                           &(ctMpiOptions){.batch = {.backend = CT_BACKEND_CPU, .threads = 1}}, &err));
  GOOD(ct_mpi_batch_step(b, 300, &err));  // all fall asleep
  ctReal* speed = calloc((size_t)MANY * (size_t)m->nv, sizeof(ctReal));
  int* ids = malloc(MANY * sizeof(int));
  for (int i = 0; i < MANY / 2; i++) ids[i] = MANY / 2 + i;
  ctMpiInfo before, after;
  double times[2];
  for (int part = 0; part < 2; part++) {
    for (int i = 0; i < MANY / 2 * m->nv; i++) speed[i] = (ctReal)(i % 6 == 5 ? 3 : 0);
    GOOD(ct_mpi_batch_set(b, "qvel", ids, MANY / 2, speed, 0, &err));
    MPI_Barrier(MPI_COMM_WORLD);
    double start = ct_clock();
    for (int i = 0; i < 10; i++) GOOD(ct_mpi_batch_step(b, 5, &err));
    times[part] = ct_clock() - start;
    ct_mpi_batch_info(b, part ? &after : &before);
    if (part == 0) GOOD(ct_mpi_batch_balance(b, &err));
  }
  ct_mpi_batch_info(b, &after);
  printf("rank %d: %d worlds before, %d after\n", rank, before.count, after.count);
  if (rank == 0) printf("seconds before %.3f, after %.3f\n", times[0], times[1]);
  free(speed);
  free(ids);
  ct_mpi_batch_free(b);
  ct_model_free(m);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const char *part = argc > 1 ? argv[1] : "same", *path = argc > 2 ? argv[2] : NULL;
  if (strcmp(part, "same") == 0) same(path);
  if (strcmp(part, "save") == 0) save_or_load(path, false);
  if (strcmp(part, "load") == 0) save_or_load(path, true);
  if (strcmp(part, "faults") == 0) faults(path);
  if (strcmp(part, "vanish") == 0) vanish();
  if (strcmp(part, "sleep") == 0) sleepers();
  MPI_Finalize();
  return 0;
}
