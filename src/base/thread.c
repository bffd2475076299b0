// One job at a time. A thread joins the job under the lock, then claims pieces with an atomic counter until
// none are left. The caller closes the job when it runs out of pieces itself, so a thread that wakes late
// finds it closed and is not waited for. Before sleeping, everybody looks for a short while: steps follow
// each other closely.
#define _GNU_SOURCE              // sched_getaffinity
#define _POSIX_C_SOURCE 200809L  // clock_gettime

#include "base/thread.h"

#include <pthread.h>
#include <stdatomic.h>
#include <time.h>
#include <unistd.h>

#if defined(__linux__)
#include <sched.h>
#endif

#include "base/error.h"

enum { LOOKS_BEFORE_SLEEP = 2000 };

typedef struct Worker {
  ctiPool* pool;
  pthread_t thread;
  int number;
} Worker;

struct ctiPool {
  ctAllocator allocator;
  Worker* workers;
  int nworker;  // threads besides the caller
  pid_t owner;  // the process they live in: a fork has the pool without them

  pthread_mutex_t lock;
  pthread_cond_t start;  // a job was opened, or the pool stops
  pthread_cond_t done;   // the last thread left the job
  bool open;             // under the lock: threads may join
  bool stopping;         // under the lock

  // The job; constant while open.
  ctiPoolFunction function;
  void* context;
  int count, grain;
  int64_t pieces;

  atomic_flag busy;           // a run is under way
  atomic_uint serial;         // changes with every job and when the pool stops
  atomic_int running;         // threads inside the job; changed under the lock
  atomic_int_least64_t next;  // piece to claim
};

static void relax(void) {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#endif
}

static void run_piece(ctiPoolFunction function, void* context, int count, int grain, int64_t piece,
                      int worker) {
  int64_t begin = piece * grain, end = begin + grain;
  function(context, (int)begin, (int)(end < count ? end : count), worker);
}

static void claim_pieces(ctiPool* pool, int worker) {
  for (;;) {
    int64_t piece = atomic_fetch_add_explicit(&pool->next, 1, memory_order_relaxed);
    if (piece >= pool->pieces) return;
    run_piece(pool->function, pool->context, pool->count, pool->grain, piece, worker);
  }
}

// Wait for something newer than the job `seen`, join it if it is still open. False when the pool stops.
static bool join_job(ctiPool* pool, unsigned* seen, bool* joined) {
  for (int i = 0;
       i < LOOKS_BEFORE_SLEEP && atomic_load_explicit(&pool->serial, memory_order_relaxed) == *seen; i++) {
    relax();
  }
  pthread_mutex_lock(&pool->lock);
  while (atomic_load(&pool->serial) == *seen) pthread_cond_wait(&pool->start, &pool->lock);
  *seen = atomic_load(&pool->serial);
  *joined = pool->open;
  if (*joined) atomic_fetch_add(&pool->running, 1);
  bool go_on = !pool->stopping;
  pthread_mutex_unlock(&pool->lock);
  return go_on;
}

static void leave_job(ctiPool* pool) {
  pthread_mutex_lock(&pool->lock);
  if (atomic_fetch_sub(&pool->running, 1) == 1) pthread_cond_signal(&pool->done);
  pthread_mutex_unlock(&pool->lock);
}

static void* worker_main(void* argument) {
  Worker* worker = (Worker*)argument;
  ctiPool* pool = worker->pool;
  unsigned seen = 0;
  bool joined = false;
  while (join_job(pool, &seen, &joined)) {
    if (!joined) continue;
    claim_pieces(pool, worker->number);
    leave_job(pool);
  }
  return NULL;
}

// Nobody may join any more; wait for those who did.
static void finish_job(ctiPool* pool) {
  pthread_mutex_lock(&pool->lock);
  pool->open = false;
  pthread_mutex_unlock(&pool->lock);
  for (int i = 0; i < LOOKS_BEFORE_SLEEP && atomic_load(&pool->running) > 0; i++) relax();
  if (atomic_load(&pool->running) == 0) return;
  pthread_mutex_lock(&pool->lock);
  while (atomic_load(&pool->running) > 0) pthread_cond_wait(&pool->done, &pool->lock);
  pthread_mutex_unlock(&pool->lock);
}

void cti_pool_run(ctiPool* pool, int count, int grain, ctiPoolFunction function, void* context) {
  if (count <= 0) return;
  if (grain < 1) grain = 1;
  int64_t pieces = ((int64_t)count + grain - 1) / grain;
  bool alone = !pool || pool->nworker == 0 || pieces == 1 || pool->owner != getpid();
  if (alone || atomic_flag_test_and_set(&pool->busy)) {
    for (int64_t piece = 0; piece < pieces; piece++) run_piece(function, context, count, grain, piece, 0);
    return;
  }

  pthread_mutex_lock(&pool->lock);
  pool->function = function;
  pool->context = context;
  pool->count = count;
  pool->grain = grain;
  pool->pieces = pieces;
  atomic_store(&pool->next, 0);
  pool->open = true;
  atomic_fetch_add(&pool->serial, 1);
  pthread_cond_broadcast(&pool->start);
  pthread_mutex_unlock(&pool->lock);

  claim_pieces(pool, 0);
  finish_job(pool);
  atomic_flag_clear(&pool->busy);
}

ctStatus cti_pool_create(ctiPool** out, int threads, const ctAllocator* a, ctError* err) {
  *out = NULL;
  if (threads < 1 || threads > CTI_POOL_MAX) {
    return cti_error(err, CT_ERR_ARGUMENT, "number of threads is %d, allowed are 1 to %d", threads,
                     CTI_POOL_MAX);
  }
  ctiPool* pool = CTI_ALLOC(a, ctiPool, 1);
  Worker* workers = CTI_ALLOC(a, Worker, threads);
  if (!pool || !workers) {
    cti_release(a, workers);
    cti_release(a, pool);
    return cti_error_memory(err);
  }
  pool->allocator = a ? *a : *cti_allocator_default();
  pool->owner = getpid();
  pool->workers = workers;
  atomic_flag_clear(&pool->busy);
  pthread_mutex_init(&pool->lock, NULL);
  pthread_cond_init(&pool->start, NULL);
  pthread_cond_init(&pool->done, NULL);

  for (int i = 0; i < threads - 1; i++) {
    Worker* worker = &workers[i];
    worker->pool = pool;
    worker->number = i + 1;
    if (pthread_create(&worker->thread, NULL, worker_main, worker) != 0) {
      cti_pool_free(pool);
      return cti_error(err, CT_ERR_LIMIT, "the system refused thread %d of %d", i + 2, threads);
    }
    pool->nworker++;
  }
  *out = pool;
  return CT_OK;
}

static void release(ctiPool* pool) {
  const ctAllocator allocator = pool->allocator;
  cti_release(&allocator, pool->workers);
  cti_release(&allocator, pool);
}

void cti_pool_free(ctiPool* pool) {
  if (!pool) return;
  // the threads are the parent's, and so is the lock, in whatever state the fork found it
  if (pool->owner != getpid()) {
    release(pool);
    return;
  }
  pthread_mutex_lock(&pool->lock);
  pool->stopping = true;
  atomic_fetch_add(&pool->serial, 1);
  pthread_cond_broadcast(&pool->start);
  pthread_mutex_unlock(&pool->lock);
  for (int i = 0; i < pool->nworker; i++) pthread_join(pool->workers[i].thread, NULL);

  pthread_cond_destroy(&pool->done);
  pthread_cond_destroy(&pool->start);
  pthread_mutex_destroy(&pool->lock);
  release(pool);
}

int cti_pool_size(const ctiPool* pool) {
  return pool ? pool->nworker + 1 : 1;
}

int cti_cpu_count(void) {
#if defined(__linux__)
  cpu_set_t set;
  CPU_ZERO(&set);
  if (sched_getaffinity(0, sizeof(set), &set) == 0 && CPU_COUNT(&set) > 0) return CPU_COUNT(&set);
#endif
  long online = sysconf(_SC_NPROCESSORS_ONLN);
  return online > 0 && online < CTI_POOL_MAX ? (int)online : 1;
}

size_t cti_memory_free(void) {
#if defined(_SC_AVPHYS_PAGES)
  long pages = sysconf(_SC_AVPHYS_PAGES), bytes = sysconf(_SC_PAGESIZE);
  return pages > 0 && bytes > 0 ? (size_t)pages * (size_t)bytes : 0;
#else
  return 0;
#endif
}

// ---- clock

int64_t cti_clock_ns(void) {
  struct timespec t = {0};
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}
