// The public calls: arguments checked, arena grown, then the step code. Host code.
#include "corten/sim.h"

#include "base/error.h"
#include "data/arena.h"
#include "data/grow.h"
#include "step/pipeline.h"

typedef ctStatus Stage(const ctModel* m, ctData* d);

// Run a stage; false when the arena turned out too small. What was dropped then is not counted, for the stage
// will run again.
static bool attempt(const ctModel* m, ctData* d, Stage* stage, ctStatus* trouble) {
  ctWarningStat contacts = d->warning[CT_WARN_CONTACTFULL], rows = d->warning[CT_WARN_CNSTRFULL];
  ctStatus status = stage(m, d);
  bool done = !cti_arena_short(d);
  if (done || status != CT_STEP_OVERFLOW) *trouble = cti_worse(*trouble, status);
  if (done) return true;
  d->warning[CT_WARN_CONTACTFULL] = contacts;
  d->warning[CT_WARN_CNSTRFULL] = rows;
  return false;
}

// Run a stage behind the checks every call makes, with as large an arena as it needs.
static ctStatus run(const ctModel* m, ctData* d, Stage* stage) {
  if (!m || !d) return CT_ERR_ARGUMENT;
  ctStatus trouble = CT_OK;
  do CT_TRY(cti_data_grow(d));
  while (!attempt(m, d, stage, &trouble));
  return trouble;
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

// Both halves, for a second half that needs a larger arena: the arrays of the first one are lost with it.
static ctStatus both_halves(const ctModel* m, ctData* d) {
  ctStatus status = cti_step1(m, d);
  return cti_arena_short(d) ? status : cti_worse(status, cti_step2(m, d));
}

ctStatus ct_step2(const ctModel* m, ctData* d) {
  if (!m || !d) return CT_ERR_ARGUMENT;
  ctStatus trouble = CT_OK;
  return attempt(m, d, cti_step2, &trouble) ? trouble : cti_worse(trouble, run(m, d, both_halves));
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
