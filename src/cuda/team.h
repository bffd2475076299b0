// Worlds that are run by teams of lanes: their memory, and how a team finds its own.
#pragma once

#include "cuda/world.h"
#include "step/step.h"

// Threads of a block: small blocks make room for others soon.
#ifndef CTK_TEAM_BLOCK
#define CTK_TEAM_BLOCK 128
#endif

// ---- the memory of a world ----

typedef struct Slot {
  ctiData data;
  int done;         // steps of the task
  bool skips;       // nothing more to do in this step
  bool stopped;     // the arena was too small: the host will give it a larger one
  ctStatus status;  // of the step at hand
  ctiAttempt before;
  ctiMidStep mid;
} Slot;

#define ALIGNED(bytes) (((bytes) + 63) / 64 * 64)

// The struct, the model with the values of this world, arrays, arena.
static inline __host__ __device__ size_t model_bytes(const ctkWorlds& k) {
  return k.nvalue ? ALIGNED(sizeof(ctModel)) : 0;
}

typedef struct World {
  Slot* slot;
  const ctModel* m;
  ctData* d;
  int w;
} World;

// Where the worlds of a launch lie: `slots` of them from number `first` of the task on.
typedef struct Slots {
  ctByte* memory;
  size_t bytes;  // of each
  int first;
} Slots;

static inline __host__ __device__ int slot_count(const ctkTask& task, const Slots& slots) {
  const int left = task.count - slots.first;
  return left < task.slots ? left : task.slots;
}

// The place of this team.
static inline __device__ int team_place(void) {
  return (int)(blockIdx.x * blockDim.y + threadIdx.y);
}

// The world at a place, or none.
static inline __device__ bool find_world(World* out, const ctkWorlds& k, const ctkTask& task,
                                         const Slots& slots, int place) {
  const int i = slots.first + place;
  if (place >= task.slots || i >= task.count) return false;
  ctByte* at = slots.memory + (size_t)place * slots.bytes;
  out->w = task.ids ? task.ids[i] : k.order[i];
  out->slot = (Slot*)at;
  out->m = k.nvalue ? (const ctModel*)(at + ALIGNED(sizeof(Slot))) : k.model;
  out->d = &out->slot->data.open;
  return true;
}

// A world joins a list of those that wait for the solver of plain problems.
static inline __device__ void make_ready(const ctkWorlds& k, int place, int list) {
  if (CT_LANE == 0) k.ready[list * k.nworld + atomicAdd(k.nready + list, 1)] = place;
}
