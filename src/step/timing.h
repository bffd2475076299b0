// Time spent in the stages: measured only when the host has set a clock, never on a GPU.
//   double t = cti_timer_start(d);
//   ... the stage ...
//   cti_timer_stop(d, CT_TIMER_POSITION, t);
#pragma once

#include "base/fn.h"
#include "corten/data.h"

CT_INLINE double cti_timer_start(const ctData* d) {
#ifdef __CUDA_ARCH__
  (void)d;
  return 0;
#else
  return d->now ? d->now() : 0;
#endif
}

CT_INLINE void cti_timer_stop(ctData* d, ctTimerType timer, double start) {
#ifdef __CUDA_ARCH__
  (void)d;
  (void)timer;
  (void)start;
#else
  if (!d->now) return;
  d->timer[timer].duration += d->now() - start;
  d->timer[timer].number++;
#endif
}
