// The workspace of derivatives: a data for each worker, and what all of them read. Host code.
#pragma once

#include "base/thread.h"
#include "corten/derive.h"
#include "data/state.h"
#include "model/fields.h"

// The point that a step ends at: qpos, qvel, act one after another; and what its sensors read.
typedef struct ctiOutcome {
  ctReal *next, *sensors;
} ctiOutcome;

// One thread's part.
typedef struct ctiDeriver {
  ctData* d;
  ctiOutcome plus, minus;
  ctReal* column;   // one of A and B
  ctReal* tangent;  // a direction to nudge in: nv numbers, zero between uses
  bool follows;     // its data has been a copy of the caller's
  bool ready;       // its data has the stages of the base point
  bool metric;      // its data has the metric of steps from there, see cti_implicit_stays()
  ctStatus status;  // the first trouble
} ctiDeriver;

// Memory that stays from call to call.
typedef enum ctiDeriveMemory {
  CTI_DERIVE_COLUMNS,
  CTI_DERIVE_PIVOTS,
  CTI_DERIVE_REALS,
  CTI_DERIVE_INTS,
  CTI_DERIVE_BOOLS,
  CTI_DERIVE_FACTOR,
  CTI_DERIVE_APART,
  CTI_DERIVE_MEMORIES
} ctiDeriveMemory;

struct ctDerive {
  const ctModel* m;
  ctAllocator allocator;
  int threads;
  ctiPool* pool;
  ctiDeriver* workers;
  void* block;  // all numbers
  void* memory[CTI_DERIVE_MEMORIES];
  size_t bytes[CTI_DERIVE_MEMORIES];
  ctReal* state;                // the base point, CT_STATE_INTEGRATION
  ctReal *qacc, *force, *mass;  // of inverse dynamics at the base point
  ctiOutcome base;
  struct ctiSolo* solos;  // of each thread, made when many states are asked for
};

// Is a number of the data, where the derivatives are asked for, not finite?
bool cti_derive_bad_state(const ctModel* m, const ctData* d);

// The size of a nudge when none is given, for numbers of so many bytes.
#define CTI_DERIVE_EPS_OF(bytes) ((bytes) == 8 ? CT_R(1e-6) : CT_R(1e-3))
#define CTI_DERIVE_EPS           CTI_DERIVE_EPS_OF(sizeof(ctReal))

// To which sides a number is nudged.
typedef struct ctiSides {
  bool plus, minus;
} ctiSides;

// A control of the value u stays in its range; both are false where it is out of it.
ctiSides cti_control_sides(const ctModel* m, int control, ctReal u, ctReal eps, bool centered);

// (to - from) / h of qpos, qvel and act one after another, positions in the tangent at `from`.
void cti_derive_difference(const ctModel* m, const ctReal* from, const ctReal* to, ctReal h, ctReal* out);

// Move the position of a worker's data along a dof.
void cti_derive_move(const ctModel* m, ctiDeriver* k, int dof, ctReal step);

// Run `column` for 0 to count on all threads.
void cti_derive_columns(ctDerive* w, int count, ctiPoolFunction column, void* context);

// The checks of every call: eps is a number, nobody may sleep; workspace and data belong together, and the
// state is finite.
ctStatus cti_derive_check_model(const char* call, const ctModel* m, ctReal eps, ctError* err);
ctStatus cti_derive_check(const char* call, const ctDerive* w, const ctData* d, ctReal eps, ctError* err);

// Memory of at least so many bytes, as the last call has left it. NULL when there is no more.
void* cti_derive_memory(ctDerive* w, ctiDeriveMemory which, size_t bytes);

// Make the data of a worker one that goes on from w->state as the caller's would. The state itself is still
// to be loaded.
ctStatus cti_derive_follow(const ctDerive* w, ctiDeriver* k, const ctData* d);

// One thread's own workspace, for whole linearisations side by side.
typedef struct ctiSolo {
  ctDerive* w;
  ctData* at;
} ctiSolo;
