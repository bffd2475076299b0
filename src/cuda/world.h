// What both forms of the kernels do with a world: its model, its outputs, its reports. Run by all lanes of
// its team.
#pragma once

#include "cuda/worlds.h"
#include "data/arena.h"
#include "data/awake.h"
#include "data/state.h"
#include "step/step.h"

// Pointers of a world's model into its own values; scalars are copied into the struct.
static inline __device__ const ctModel* world_model(ctModel* own, const ctkWorlds& k, int w) {
  if (k.nvalue == 0) return k.model;
  CT_LANES(i, (int)(sizeof(ctModel) / sizeof(uint64_t)))
  ((uint64_t*)own)[i] = ((const uint64_t*)k.model)[i];
  CT_TEAM_SYNC();
  for (int i = 0; i < k.nvalue; i++) {
    const ctkItem& item = k.values[i];
    ctReal* numbers = k.value_rows + (size_t)w * k.value_width + item.column;
    ctByte* member = (ctByte*)own + item.offset;
    if (item.pointer) {
      *(ctReal**)member = numbers;
    } else {
      for (int n = 0; n < item.width; n++) ((ctReal*)member)[n] = numbers[n];
    }
  }
  return own;
}

static inline __device__ ctReal item_number(const ctkItem& item, const ctByte* at, int n) {
  switch (item.type) {
    case CT_FIELD_REAL: return ((const ctReal*)at)[n];
    case CT_FIELD_FLOAT: return (ctReal)((const float*)at)[n];
    case CT_FIELD_INT: return (ctReal)((const int*)at)[n];
    case CT_FIELD_SIZE: return (ctReal)((const ctSize*)at)[n];
    case CT_FIELD_BYTE: return (ctReal)((const ctByte*)at)[n];
    default: return ((const ctBool*)at)[n] ? (ctReal)1 : (ctReal)0;
  }
}

static inline __device__ void gather_outputs(const ctkWorlds& k, const ctData* d, ctReal* out,
                                             size_t stride) {
  for (int i = 0; i < k.noutput; i++) {
    const ctkItem& item = k.outputs[i];
    const ctByte* member = (const ctByte*)d + item.offset;
    const ctByte* at = item.pointer ? *(const ctByte* const*)member : member;
    CT_LANES(n, item.width) out[(size_t)(item.column + n) * stride] = item_number(item, at, n);
  }
}

static inline __device__ void note_warnings(const ctkWorlds& k, const ctData* d, int w) {
  ctWarningStat* seen = k.warnings + (size_t)CT_WARN_COUNT * (size_t)w;
  CT_LANES(i, CT_WARN_COUNT) {
    if (d->warning[i].number == 0) continue;
    seen[i].number += d->warning[i].number;
    seen[i].lastinfo = d->warning[i].lastinfo;
  }
}

static inline __device__ void clear_warnings(ctData* d) {
  for (int i = 0; i < CT_WARN_COUNT; i++) d->warning[i].number = d->warning[i].lastinfo = 0;
}

static inline __device__ void start_again(const ctModel* m, ctData* d, int key) {
  ctWarningStat seen[CT_WARN_COUNT];
  for (int i = 0; i < CT_WARN_COUNT; i++) seen[i] = d->warning[i];
  cti_reset(m, d);
  if (key >= 0) cti_data_set_keyframe(m, d, key);
  for (int i = 0; i < CT_WARN_COUNT; i++) d->warning[i] = seen[i];
}

// A world whose arena is too small for it will get more.
static inline __device__ void ask_for_more(const ctkWorlds& k, const ctData* d, int w) {
  if (CT_LANE != 0) return;
  k.wanted[w] = cti_data_const(d)->arena_wanted;
  atomicAdd(k.nshort, 1);
}

// What is asleep from the beginning is settled by a step without time, which needs an arena as well.
static inline __device__ void clear_world(const ctkWorlds& k, const ctkTask& task, const ctModel* m,
                                          ctData* d, int w) {
  start_again(m, d, task.key);
  if (cti_arena_short(d)) {
    ask_for_more(k, d, w);
    return;
  }
  cti_state_store(m, d, k.state + w, (size_t)k.nworld, CT_STATE_INTEGRATION);
  k.status[w] = CT_OK;
  for (int i = 0; i < CT_WARN_COUNT; i++) k.warnings[(size_t)CT_WARN_COUNT * w + i].number = 0;
  cti_carried_store(m, d, k.carried + w, (size_t)k.nworld, k.ncarried);
  k.done[w] = task.nstep;
}

static inline __device__ unsigned up_to(int n, unsigned most) {
  return (unsigned)n < most ? (unsigned)n : most;
}

// Rows and contacts decide where arrays lie and how long loops are, iterations how often they run.
static inline __device__ unsigned work_key(const ctData* d) {
  int iterations = 0;
  for (int i = 0; i < CT_NISLAND; i++) iterations += d->solver_niter[i];
  return up_to(d->nefc, 4095) << 20 | up_to(d->ncon, 1023) << 10 | up_to(iterations, 1023);
}
