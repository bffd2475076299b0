// Threads that help a step. What is computed never depends on them.
#pragma once

#include "base/fn.h"
#include "corten/data.h"

// One piece of a loop: items [begin, end), run by `worker` of [0, count).
typedef void (*ctiLoop)(void* context, int begin, int end, int worker);

// Step code knows threads only as somebody who runs a loop; NULL in a data, and on the GPU, for nobody.
typedef struct ctiThreads {
  int count;
  void* pool;
  void (*run)(void* pool, int count, ctiLoop loop, void* context);
} ctiThreads;
