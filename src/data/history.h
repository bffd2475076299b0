// Samples of the past: ring buffers in d->history, of actuators and sensors. Step code.
//
// A buffer of n samples of k numbers: a slot for its owner, the index of the newest sample, n times, n times
// k values.
#pragma once

#include "base/fn.h"
#include "corten/data.h"

// One buffer; sample 0 is the oldest.
typedef struct ctiRing {
  int count, dim, first;
  ctReal *owner, *cursor, *times, *values;
} ctiRing;

CT_FN ctiRing cti_sensor_ring(const ctModel* m, const ctData* d, int sensor);

// The values at a time, held, on lines or on cubics between samples (interp 0, 1, 2); outside of the samples
// the nearest holds.
CT_FN void cti_ring_read(ctReal* out, const ctiRing* ring, ctReal time, int interp);

// Make room for a sample at a time and return where its values go. The oldest sample is dropped; a sample
// with that very time is written over. Times stay in order, also when the clock was set back.
CT_FN ctReal* cti_ring_add(ctiRing* ring, ctReal time);

// Empty buffers: samples of zero up to now, one per time step, or one per period for sensors that have one.
CT_FN void cti_history_reset(const ctModel* m, ctData* d);

// ---- past controls of actuators ----
//   reads   d->ctrl, time
//   writes  d->history

// Controls of an actuator as they were `delay` ago, interpolated as the actuator says; ctrlnum numbers.
CT_FN void cti_history_read(const ctModel* m, const ctData* d, int actuator, ctReal* out);

// At the end of a step: the controls of all actuators with buffers become their newest samples.
CT_FN void cti_history_push(const ctModel* m, ctData* d);
