// Life of the threads of a data. Host code.
#include "data/threads.h"

#include "base/error.h"
#include "base/thread.h"

static void run(void* pool, int count, ctiLoop loop, void* context) {
  cti_pool_run((ctiPool*)pool, count, 1, loop, context);
}

static void release(ctData* d) {
  if (!d->threads) return;
  cti_pool_free((ctiPool*)d->threads->pool);
  cti_release(&d->allocator, d->threads);
  d->threads = NULL;
}

ctStatus ct_data_set_threads(ctData* d, int count, ctError* err) {
  if (!d) return cti_error(err, CT_ERR_ARGUMENT, "ct_data_set_threads: d must not be NULL");
  if (count == 0) count = cti_cpu_count();
  if (count < 1 || count > CTI_POOL_MAX) {
    return cti_error(err, CT_ERR_ARGUMENT, "ct_data_set_threads: %d threads, 1 to %d are possible", count,
                     CTI_POOL_MAX);
  }
  release(d);
  if (count == 1) return CT_OK;
  ctiPool* pool;
  CT_TRY(cti_pool_create(&pool, count, &d->allocator, err));
  d->threads = cti_alloc(&d->allocator, sizeof(ctiThreads), _Alignof(ctiThreads));
  if (!d->threads) {
    cti_pool_free(pool);
    return cti_error_memory(err);
  }
  *d->threads = (ctiThreads){count, pool, run};
  return CT_OK;
}
