// How fast threads step a model, each with a data of its own, and what the timers say.
#include <mujoco/mujoco.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define MOST 64

static mjModel* m;
static mjData* d[MOST];
static int nstep = 1000;

static mjtNum now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (mjtNum)((double)t.tv_sec + 1e-9 * (double)t.tv_nsec);
}

static void* simulate(void* data) {
  for (int i = 0; i < nstep; i++) mj_step(m, data);
  return NULL;
}

int main(int argc, char** argv) {
  char error[1000] = "";
  if (argc < 2) {
    printf("usage: testspeed MODEL [STEPS [THREADS]]\n");
    return 2;
  }
  if (argc > 2) nstep = atoi(argv[2]);
  int threads = argc > 3 ? mjMAX(1, mjMIN(MOST, atoi(argv[3]))) : 1;
  mjcb_time = now;
  m = mj_loadXML(argv[1], NULL, error, sizeof(error));
  if (!m) mju_error("could not load the model: %s", error);
  pthread_t thread[MOST];
  for (int i = 0; i < threads; i++) d[i] = mj_makeData(m);
  mjtNum start = now();
  for (int i = 0; i < threads; i++) pthread_create(&thread[i], NULL, simulate, d[i]);
  for (int i = 0; i < threads; i++) pthread_join(thread[i], NULL);
  double spent = (double)(now() - start);
  printf("%.0f steps per second on %d threads\n", threads * nstep / spent, threads);
  printf("steps counted: %d\n", (int)d[0]->timer[mjTIMER_STEP].number);
  for (int i = 0; i < threads; i++) mj_deleteData(d[i]);
  mj_deleteModel(m);
  return 0;
}
