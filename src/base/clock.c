#define _POSIX_C_SOURCE 200809L  // clock_gettime

#include "base/clock.h"

#include <time.h>

int64_t cti_clock_ns(void) {
  struct timespec t = {0};
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

double cti_clock_wall(void) {
  struct timespec t = {0};
  clock_gettime(CLOCK_REALTIME, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}
