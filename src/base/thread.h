// The library's own thread pool. Optional: NULL stands for "no threads" everywhere. What a loop computes must
// not depend on the pool, and the pool helps: pieces are cut by count and grain alone, whoever runs them.
#pragma once

#include <stdint.h>

#include "base/alloc.h"
#include "corten/error.h"

typedef struct ctiPool ctiPool;

// One piece of a loop: items [begin, end). `worker` is in [0, cti_pool_size), and no two pieces of one run
// have the same number at the same time, so it may pick scratch memory. It must not pick results.
typedef void (*ctiPoolFunction)(void* context, int begin, int end, int worker);

// A pool of `threads` in all: the caller of cti_pool_run() is number 0, so `threads - 1` are started.
// CT_ERR_ARGUMENT (threads outside 1 to CTI_POOL_MAX), CT_ERR_MEMORY or CT_ERR_LIMIT (the system has no more
// threads).
#define CTI_POOL_MAX 1024
ctStatus cti_pool_create(ctiPool** out, int threads, const ctAllocator* a, ctError* err);

// Stop and join the threads. No run may be under way. NULL is ignored. In a child of fork(), which has none
// of the threads, the memory alone is released.
void cti_pool_free(ctiPool* pool);

// Number of threads that may call the function, the caller included; 1 for NULL.
int cti_pool_size(const ctiPool* pool);

// Call `function` for the pieces [0, grain), [grain, 2 grain), ... of [0, count) and return when all are
// done. With NULL, in a child of fork(), with one piece, inside another run of the same pool, or while
// another thread uses the pool, the pieces are run here, in order, as worker 0: a nested call therefore
// brings its own scratch. Never fails. A `grain` below 1 counts as 1.
void cti_pool_run(ctiPool* pool, int count, int grain, ctiPoolFunction function, void* context);

// Processors this process may use, at least 1.
int cti_cpu_count(void);

// Bytes of memory that are free, 0 when the system does not say.
size_t cti_memory_free(void);

// ---- clock

// Time, for measurements only: nothing that is simulated ever reads a clock. Thread-safe.

// Nanoseconds since some fixed moment; never goes back.
int64_t cti_clock_ns(void);
