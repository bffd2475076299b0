// The public calls: arguments checked, arena grown, then the step code. Host code.
#include "corten/sim.h"

#include "data/grow.h"
#include "step/pipeline.h"

// Run one stage function behind the checks every call makes.
static ctStatus run(const ctModel* m, ctData* d, ctStatus (*stage)(const ctModel* m, ctData* d)) {
  if (!m || !d) return CT_ERR_ARGUMENT;
  ctStatus status = cti_data_grow(d);
  return status == CT_OK ? stage(m, d) : status;
}

ctStatus ct_step(const ctModel* m, ctData* d) {
  return run(m, d, cti_step);
}

ctStatus ct_step_n(const ctModel* m, ctData* d, int n) {
  if (!m || !d || n < 0) return CT_ERR_ARGUMENT;
  ctStatus first = CT_OK;
  for (int i = 0; i < n; i++) {
    ctStatus status = run(m, d, cti_step);
    if (status == CT_ERR_MEMORY) return status;
    first = cti_worse(first, status);
  }
  return first;
}

ctStatus ct_forward(const ctModel* m, ctData* d) {
  return run(m, d, cti_forward);
}

ctStatus ct_inverse(const ctModel* m, ctData* d) {
  return run(m, d, cti_inverse);
}

ctStatus ct_step1(const ctModel* m, ctData* d) {
  return run(m, d, cti_step1);
}

// The second half works on arrays that the first has put into the arena: it must not move.
ctStatus ct_step2(const ctModel* m, ctData* d) {
  return m && d ? cti_step2(m, d) : CT_ERR_ARGUMENT;
}

ctStatus ct_forward_position(const ctModel* m, ctData* d) {
  return run(m, d, cti_forward_position);
}

ctStatus ct_forward_velocity(const ctModel* m, ctData* d) {
  return m && d ? cti_forward_velocity(m, d) : CT_ERR_ARGUMENT;
}

ctStatus ct_forward_actuation(const ctModel* m, ctData* d) {
  return m && d ? cti_forward_actuation(m, d) : CT_ERR_ARGUMENT;
}

ctStatus ct_forward_acceleration(const ctModel* m, ctData* d) {
  return m && d ? cti_forward_acceleration(m, d) : CT_ERR_ARGUMENT;
}

ctStatus ct_forward_constraint(const ctModel* m, ctData* d) {
  return m && d ? cti_forward_constraint(m, d) : CT_ERR_ARGUMENT;
}
