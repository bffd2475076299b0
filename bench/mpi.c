// What MPI costs: mpirun -n N bench_mpi MODEL [WORLDS CALLS ROUNDS]
//
// Three things in turns, so that all meet the same machine: rank 0 alone with a plain batch; every rank with
// a plain batch of its own, none waiting for another; every rank with its part of one batch over MPI. Each
// call steps every world and reads its sensordata, in the last case gathered to rank 0. Ratios are medians
// over the rounds.
#define _POSIX_C_SOURCE 200809L
#include <corten/corten.h>
#include <corten/mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { ALONE, APART, TOGETHER, KINDS };

static int rank, ranks;

static void check(ctStatus status, const ctError* err) {
  if (status == CT_OK || status >= CT_STEP_DIVERGED) return;
  fprintf(stderr, "rank %d: %s\n", rank, err->message);
  MPI_Abort(MPI_COMM_WORLD, 1);
}

// Wait for rank 0 without keeping a processor busy.
static void rest(void) {
  MPI_Request request;
  int done = 0;
  MPI_Ibarrier(MPI_COMM_WORLD, &request);
  while (MPI_Test(&request, &done, MPI_STATUS_IGNORE) == MPI_SUCCESS && !done)
    nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
}

static double plain(ctBatch* batch, int calls, ctReal* values) {
  ctError err = {0};
  double start = ct_clock();
  for (int i = 0; i < calls; i++) {
    check(ct_batch_step(batch, 1, &err), &err);
    check(ct_batch_get(batch, "sensordata", NULL, 0, values, &err), &err);
  }
  return ct_clock() - start;
}

static double together(ctMpiBatch* batch, int calls, ctReal* values) {
  ctError err = {0};
  double start = ct_clock();
  for (int i = 0; i < calls; i++) {
    check(ct_mpi_batch_step(batch, 1, &err), &err);
    check(ct_mpi_batch_get(batch, "sensordata", NULL, 0, values, 0, &err), &err);
  }
  return ct_clock() - start;
}

static int by_size(const void* a, const void* b) {
  double x = *(const double*)a, y = *(const double*)b;
  return (x > y) - (x < y);
}

static double median(double* values, int n) {
  qsort(values, (size_t)n, sizeof(double), by_size);
  return n % 2 ? values[n / 2] : (values[n / 2 - 1] + values[n / 2]) / 2;
}

static void report(double (*seconds)[KINDS], int rounds, int worlds, int calls, double bytes) {
  double* column = malloc((size_t)rounds * sizeof(double));
  if (!column) return;
  const char* const names[] = {"one rank alone", "every rank, apart", "one batch over MPI"};
  for (int k = 0; k < KINDS; k++) {
    for (int i = 0; i < rounds; i++) column[i] = seconds[i][k];
    double number = (double)worlds * calls * (k == ALONE ? 1 : ranks);
    printf("  %-20s %10.0f steps/s\n", names[k], number / median(column, rounds));
  }
  const int pairs[][2] = {{TOGETHER, ALONE}, {APART, ALONE}, {TOGETHER, APART}};
  const char* const says[] = {"over MPI against alone", "apart against alone", "over MPI against apart"};
  for (int p = 0; p < 3; p++) {
    for (int i = 0; i < rounds; i++) column[i] = seconds[i][pairs[p][1]] / seconds[i][pairs[p][0]];
    printf("  %-24s %6.1f %% of the speed of a rank\n", says[p], 100 * median(column, rounds));
  }
  printf("  %.0f bytes a world and step gathered\n", bytes / ((double)(rounds + 1) * calls * worlds * ranks));
  free(column);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  int worlds = argc > 2 ? atoi(argv[2]) : 256, calls = argc > 3 ? atoi(argv[3]) : 20,
      rounds = argc > 4 ? atoi(argv[4]) : 41;
  ctError err = {0};
  ctModel* m = NULL;
  if (argc < 2 || worlds < 1 || calls < 1 || rounds < 1) {
    if (rank == 0) fprintf(stderr, "mpirun -n N bench_mpi MODEL [WORLDS CALLS ROUNDS]\n");
    MPI_Abort(MPI_COMM_WORLD, 2);
  }
  check(ct_model_load(&m, argv[1], NULL, &err), &err);
  ctMpiBatch* batch = NULL;
  ctMpiOptions opt = {.batch = {.backend = CT_BACKEND_CPU, .threads = 1}};
  check(ct_mpi_batch_create(&batch, MPI_COMM_WORLD, m, worlds * ranks, &opt, &err), &err);
  check(ct_mpi_batch_output(batch, "sensordata", &err), &err);
  ctBatch* own = NULL;
  check(ct_batch_create(&own, m, worlds, &opt.batch, &err), &err);
  check(ct_batch_output(own, "sensordata", &err), &err);
  ctReal* values = calloc((size_t)worlds * (size_t)ranks * (size_t)m->nsensordata + 1, sizeof(ctReal));
  double(*seconds)[KINDS] = calloc((size_t)rounds, sizeof(*seconds));
  if (!values || !seconds) MPI_Abort(MPI_COMM_WORLD, 1);
  ctMpiInfo info;
  ct_mpi_batch_info(batch, &info);
  double bytes = -(double)info.bytes_sent;
  for (int i = -1; i < rounds; i++) {  // the first round warms up
    double* s = seconds[i < 0 ? 0 : i];
    // the same motion every time, from memory that was touched last
    check(ct_batch_reset(own, NULL, 0, -1, &err), &err);
    if (rank == 0) s[ALONE] = plain(own, calls, values);
    rest();
    check(ct_batch_reset(own, NULL, 0, -1, &err), &err);
    MPI_Barrier(MPI_COMM_WORLD);
    s[APART] = plain(own, calls, values);
    MPI_Allreduce(MPI_IN_PLACE, &s[APART], 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    check(ct_mpi_batch_reset(batch, NULL, 0, -1, &err), &err);
    s[TOGETHER] = together(batch, calls, values);
  }
  ct_mpi_batch_info(batch, &info);
  bytes += (double)info.bytes_sent;
  MPI_Allreduce(MPI_IN_PLACE, &bytes, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  if (rank == 0) report(seconds, rounds, worlds, calls, bytes);
  free(seconds);
  free(values);
  ct_batch_free(own);
  ct_mpi_batch_free(batch);
  ct_model_free(m);
  MPI_Finalize();
  return 0;
}
