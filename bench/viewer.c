// What a window costs the thread that simulates: processor time a step, without and with one that is drawn,
// in turns.
//
//   bench_viewer MODEL [ROUNDS]        needs a display; Xvfb is one
#define _POSIX_C_SOURCE 200809L
#include <corten/corten.h>
#include <corten/viewer.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define FRAME_SECONDS (1.0 / 60)
#define ROUND_SECONDS 0.5

typedef struct Job {
  ctViewer* viewer;
  ctModel* m;
  ctData* d;
  int rounds;
  atomic_bool drawing;
} Job;

static double thread_seconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// Processor time of a step in microseconds, over the same motion each time.
static double time_steps(Job* job, int steps, bool window) {
  atomic_store(&job->drawing, window);
  nanosleep(&(struct timespec){.tv_nsec = 50000000}, NULL);
  (void)ct_data_reset(job->m, job->d);
  double start = thread_seconds(), next = ct_clock();
  for (int i = 0; i < steps; i++) {
    (void)ct_step(job->m, job->d);
    if (window && ct_clock() >= next) {
      (void)ct_viewer_sync(job->viewer, job->m, job->d);
      next = ct_clock() + FRAME_SECONDS;
    }
  }
  return 1e6 * (thread_seconds() - start) / steps;
}

static int compare(const void* a, const void* b) {
  double x = *(const double*)a, y = *(const double*)b;
  return x < y ? -1 : x > y;
}

static void* simulate(void* context) {
  Job* job = context;
  double* times[2];
  for (int k = 0; k < 2; k++) times[k] = calloc((size_t)job->rounds, sizeof(double));
  int steps = (int)(1e6 * ROUND_SECONDS / time_steps(job, 2000, false)) + 1;
  for (int i = 0; i < job->rounds && times[0] && times[1]; i++) {
    for (int k = 0; k < 2; k++) times[k][i] = time_steps(job, steps, k == 1);
  }
  for (int k = 0; k < 2 && times[0] && times[1]; k++) {
    qsort(times[k], (size_t)job->rounds, sizeof(double), compare);
    printf("%s window: %.3f us a step at best, %.3f in the middle\n", k ? "with" : "without", times[k][0],
           times[k][job->rounds / 2]);
  }
  for (int k = 0; k < 2; k++) free(times[k]);
  ct_viewer_close(job->viewer);
  return NULL;
}

int main(int argc, char** argv) {
  Job job = {.rounds = argc > 2 ? atoi(argv[2]) : 20};
  ctError err = {0};
  const ctViewerOption option = {.width = 640, .height = 480};
  if (argc < 2 || job.rounds < 1 || ct_model_load(&job.m, argv[1], NULL, &err) != CT_OK ||
      ct_data_create(&job.d, job.m, &err) != CT_OK || ct_forward(job.m, job.d) != CT_OK ||
      ct_viewer_create(&job.viewer, job.m, &option, &err) != CT_OK) {
    fprintf(stderr, "bench_viewer MODEL [ROUNDS]: %s\n", err.message);
    return 1;
  }
  pthread_t thread;
  if (pthread_create(&thread, NULL, simulate, &job) != 0) return 1;
  int frames = 0;
  while (ct_viewer_is_open(job.viewer)) {
    if (atomic_load(&job.drawing)) {
      frames += ct_viewer_draw(job.viewer);
    } else {
      nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    }
  }
  pthread_join(thread, NULL);
  printf("%d pictures were drawn\n", frames);
  ct_viewer_free(job.viewer);
  ct_data_free(job.d);
  ct_model_free(job.m);
  return 0;
}
