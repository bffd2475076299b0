// What the kernels of a batch know of its worlds, and what they are asked to do.
#pragma once

#include "corten/data.h"
#include "step/step.h"

// Threads of a block at most, and blocks at a time on a multiprocessor. Large blocks keep neighbours in the
// same code (see CT_BARRIER): most of the time is spent waiting for instructions and memory.
#ifndef CTK_BLOCK
#define CTK_BLOCK 512
#endif
#ifndef CTK_BLOCKS
#define CTK_BLOCKS 1
#endif

// A field of the data or the model and the column of its numbers in a store. `offset`: of the member in the
// struct, which holds the numbers or (`pointer`) their address.
typedef struct ctkItem {
  size_t offset;
  int column, width, type;
  bool pointer;
} ctkItem;

// Problems of the solver of plain problems, by how much memory of a multiprocessor they need: with less, more
// of them are there at a time.
#define CTK_PLAIN_CLASSES 5

typedef struct ctkWorlds {
  const ctModel* model;
  int nworld;
  int nprocessor;      // multiprocessors of the GPU
  ctReal* state;       // number k of world w at [k * nworld + w]
  ctReal* output;      // likewise
  ctReal* carried;     // likewise: sensor data that lasts from step to step
  ctReal* value_rows;  // one row for each world
  const ctkItem *outputs, *values;
  int ncarried, noutput, nvalue, output_width, value_width;
  int* status;
  ctWarningStat* warnings;
  int* done;           // steps of the task at hand
  size_t* wanted;      // bytes of arena that a world has used, or ran out of
  int* nshort;         // worlds that ran out
  int* order;          // world of each thread
  int* ready;          // places of worlds that wait for the solver of plain problems: a list for each class,
                       // and one for those that it leaves to the solver of all others
  int* nready;         // how many are in each
  unsigned* work_key;  // what a world's last step was like: equal numbers, equal work; larger, more of it
  unsigned needs;      // ctiNeed bits of the outputs
  unsigned lifetimes;  // ctiLifetime bits of the model and the outputs
  bool reset_bad;
  int reset_key;
  bool noise;                        // of sensors
  uint32_t noise_seed, noise_first;  // ... and the number of the first world
} ctkWorlds;

typedef struct ctkTask {
  const int* ids;  // NULL: all worlds
  int count;
  bool reset;  // to the default state or `key`; otherwise run
  int key;
  int nstep;
  int until;                             // steps done when this launch ends
  bool advance;                          // false: forward only
  const ctReal* controls;                // one row for each world and step; NULL: as they are
  ctReal* record;                        // likewise outputs
  int slots;                             // worlds at a time, for teams
  int lanes;                             // threads of a warp that have a world
  int evaluations;                       // of the dynamics in a step
  int workers;                           // teams of a world that solve its islands
  int problem_bytes[CTK_PLAIN_CLASSES];  // of a plain problem, ascending; 0 where others solve
} ctkTask;

// Streams that leave that of a batch and join it again, and the events by which they do.
typedef struct ctkSides {
  void* stream[CTK_PLAIN_CLASSES - 1];
  void* begun;
  void* ended[CTK_PLAIN_CLASSES - 1];
} ctkSides;

// Memory for putting the worlds in order.
typedef struct ctkOrder {
  int* ids;          // 0, 1, 2, ...
  unsigned* sorted;  // work keys
  void* scratch;
  size_t bytes;  // of scratch
} ctkOrder;

// Seconds of the device by stage, for teams; without one, nothing is waited for.
typedef struct ctkClock {
  double seconds[CTI_STAGE_COUNT];
} ctkClock;

// How a kernel is launched; tests/cuda/simt has its own way.
#if defined(__cplusplus) && !defined(CTK_LAUNCH)
#define CTK_LAUNCH(kernel, grid, block, shared, stream, ...) \
  kernel<<<grid, block, shared, stream>>>(__VA_ARGS__)
#endif

#ifdef __cplusplus
extern "C" {
#endif

// Kernels whose worlds keep their data in local memory, by class; ctk_launch_local() returns a cudaError_t.
int ctk_class_count(void);
size_t ctk_class_bytes(int i);
int ctk_launch_local(int i, const ctkWorlds* k, const ctkTask* task, void* stream);

// ---- teams: a world is run by some lanes of a warp, its data in device memory, stage by stage ----

// Bytes that a world takes besides its arrays and its arena.
size_t ctk_team_head_bytes(const ctkWorlds* k);

// Run the task with `lanes` (8, 16 or 32) for each world: `bytes` of `memory` for each of task->slots; with a
// clock (may be NULL) that adds up. Returns a cudaError_t.
int ctk_launch_teams(const ctkWorlds* k, const ctkTask* task, int lanes, ctByte* memory, size_t bytes,
                     ctkClock* clock, const ctkSides* sides, void* stream);

// Worlds at a time on a multiprocessor, in the stages of a step, and in the solver of plain problems. They
// return a cudaError_t.
int ctk_teams_resident(int lanes, int* worlds);
int ctk_plain_resident(int problem_bytes, int* worlds);

// The solver of plain problems: how much fast memory the classes of problems have, which returns a
// cudaError_t; and that stage of a step, a warp for each world.
int ctk_plain_bytes(int bytes[CTK_PLAIN_CLASSES]);
void ctk_launch_plain(const ctkWorlds* k, const ctkTask* task, ctByte* memory, size_t bytes, int first,
                      int step, int evaluation, const ctkSides* sides, void* stream);

// ---- the order of worlds ----

// The scratch that is needed; worlds as they come; worlds by their work_key. They return
// cudaError_t.
int ctk_order_bytes(const ctkWorlds* k, size_t* bytes);
int ctk_order_begin(const ctkWorlds* k, const ctkOrder* o, void* stream);
int ctk_order(const ctkWorlds* k, const ctkOrder* o, void* stream);

#ifdef __cplusplus
}
#endif
