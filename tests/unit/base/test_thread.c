#define _POSIX_C_SOURCE 200809L  // nanosleep
#include <pthread.h>
#include <stdatomic.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/error.h"
#include "base/thread.h"
#include "xt.h"
#include "xt_alloc.h"

// ---- thread

static ctiPool* new_pool(int threads) {
  ctiPool* pool = NULL;
  XT_INT(cti_pool_create(&pool, threads, NULL, NULL), CT_OK);
  XT_INT(cti_pool_size(pool), threads);
  return pool;
}

// Every item is visited once, in the piece it belongs to, by a worker that exists and is alone under its
// number.
typedef struct Visit {
  int count, grain, workers;
  int* visits;  // plain ints: two threads on one item would be a race that a sanitizer sees
  atomic_int active[64];
  atomic_int faults;
} Visit;
static void visit(void* context, int begin, int end, int worker) {
  Visit* v = (Visit*)context;
  bool good = worker >= 0 && worker < v->workers && begin % v->grain == 0 && begin < end;
  good = good && end == (begin + v->grain < v->count ? begin + v->grain : v->count);
  good = good && atomic_fetch_add(&v->active[worker], 1) == 0;
  for (int i = begin; i < end; i++) v->visits[i]++;
  atomic_fetch_sub(&v->active[worker], 1);
  if (!good) atomic_fetch_add(&v->faults, 1);
}
static void check_visits(ctiPool* pool, int count, int grain) {
  static int visits[5000];
  memset(visits, 0, sizeof(visits));
  Visit v = {.count = count, .grain = grain, .workers = cti_pool_size(pool), .visits = visits};
  cti_pool_run(pool, count, grain, visit, &v);
  XT_INT(atomic_load(&v.faults), 0);
  for (int i = 0; i < count; i++) XT_INT(visits[i], 1);
}
XT_TEST(pool, every_item_is_visited_once) {
  for (int threads = 1; threads <= 5; threads++) {
    ctiPool* pool = new_pool(threads);
    const int counts[] = {0, 1, 2, 3, 10, 100, 1001, 5000}, grains[] = {1, 2, 7, 100, 10000};
    for (int i = 0; i < 8; i++) {
      for (int k = 0; k < 5; k++) check_visits(pool, counts[i], grains[k]);
    }
    cti_pool_free(pool);
  }
  check_visits(NULL, 1000, 7);
}
XT_TEST(pool, many_short_runs_follow_each_other) {
  ctiPool* pool = new_pool(4);
  for (int i = 0; i < 3000; i++) check_visits(pool, 1 + i % 40, 1 + i % 3);
  cti_pool_free(pool);
}
XT_TEST(pool, wakes_after_having_slept) {
  ctiPool* pool = new_pool(3);
  for (int i = 0; i < 10; i++) {
    nanosleep(&(struct timespec){.tv_nsec = 3000000}, NULL);
    check_visits(pool, 500, 1);
  }
  cti_pool_free(pool);
}

static void note_order(void* context, int begin, int end, int worker) {
  int* order = (int*)context;
  XT_INT(worker, 0);
  for (int i = begin; i < end; i++) order[1 + order[0]++] = i;
}
XT_TEST(pool, no_pool_means_in_order) {
  int order[101] = {0};
  cti_pool_run(NULL, 100, 3, note_order, order);
  for (int i = 0; i < 100; i++) XT_INT(order[i + 1], i);
}
XT_TEST(pool, grain_below_one_counts_as_one) {
  int order[11] = {0};
  cti_pool_run(NULL, 10, 0, note_order, order);
  cti_pool_run(NULL, -5, 1, note_order, order);
  XT_INT(order[0], 10);
}

// Sum of pieces in an order that depends on the pieces alone: equal bits whatever the pool.
static void sum_piece(void* context, int begin, int end, int worker) {
  (void)worker;
  double sum = 0;
  for (int i = begin; i < end; i++) sum += 1.0 / (1 + i);
  ((double*)context)[begin / 16] = sum;
}
XT_TEST(pool, results_do_not_depend_on_the_number_of_threads) {
  double expected[64], sums[64];
  cti_pool_run(NULL, 1000, 16, sum_piece, expected);
  for (int threads = 1; threads < 6; threads++) {
    ctiPool* pool = new_pool(threads);
    cti_pool_run(pool, 1000, 16, sum_piece, sums);
    XT_SAME(sums, expected, 63);
    cti_pool_free(pool);
  }
}

typedef struct Nest {
  ctiPool* pool;
  int sums[32];
} Nest;
static void inner(void* context, int begin, int end, int worker) {
  (void)worker;
  for (int i = begin; i < end; i++) *(int*)context += i;  // serial, or a sanitizer would complain
}
static void outer(void* context, int begin, int end, int worker) {
  (void)worker;
  Nest* nest = (Nest*)context;
  for (int i = begin; i < end; i++) cti_pool_run(nest->pool, 100, 3, inner, &nest->sums[i]);
}
XT_TEST(pool, nested_runs_are_serial) {
  Nest nest = {.pool = new_pool(4)};
  cti_pool_run(nest.pool, 32, 1, outer, &nest);
  for (int i = 0; i < 32; i++) XT_INT(nest.sums[i], 4950);
  cti_pool_free(nest.pool);
}

static void count_items(void* context, int begin, int end, int worker) {
  (void)worker;
  atomic_fetch_add((atomic_int*)context, end - begin);
}
static void* other_caller(void* argument) {
  for (int i = 0; i < 300; i++) {
    atomic_int total = 0;
    cti_pool_run((ctiPool*)argument, 200, 3, count_items, &total);
    if (atomic_load(&total) != 200) return argument;
  }
  return NULL;
}
XT_TEST(pool, two_callers_do_not_disturb_each_other) {
  ctiPool* pool = new_pool(3);
  pthread_t thread;
  void* result = NULL;
  XT_INT(pthread_create(&thread, NULL, other_caller, pool), 0);
  XT_TRUE(other_caller(pool) == NULL);
  pthread_join(thread, &result);
  XT_TRUE(result == NULL);
  cti_pool_free(pool);
}

static void meet(void* context, int begin, int end, int worker) {
  (void)begin, (void)end, (void)worker;
  atomic_int* arrived = (atomic_int*)context;
  atomic_fetch_add(arrived, 1);
  for (int i = 0; i < 2000 && atomic_load(arrived) < 2; i++)
    nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
}
XT_TEST(pool, threads_take_part) {
  ctiPool* pool = new_pool(2);
  atomic_int arrived = 0;
  cti_pool_run(pool, 2, 1, meet,
               &arrived);  // each piece waits for the other: only two threads can do it quickly
  XT_INT(atomic_load(&arrived), 2);
  cti_pool_free(pool);
}
XT_TEST(pool, idle_pool_uses_no_time) {
  ctiPool* pool = new_pool(4);
  check_visits(pool, 1000, 1);
  nanosleep(&(struct timespec){.tv_nsec = 20000000}, NULL);  // let everybody fall asleep
  struct timespec before, after;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &before);
  nanosleep(&(struct timespec){.tv_nsec = 100000000}, NULL);
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &after);
  double used = (double)(after.tv_sec - before.tv_sec) + 1e-9 * (double)(after.tv_nsec - before.tv_nsec);
  XT_TRUE(used < 0.05);  // three spinning threads would use 0.3 s, or all of a small machine
  cti_pool_free(pool);
}
XT_TEST(pool, creation_and_end_without_work) {
  for (int i = 0; i < 50; i++) cti_pool_free(new_pool(1 + i % 6));
  cti_pool_free(NULL);
}
XT_TEST(pool, bad_numbers_of_threads_are_refused) {
  ctError err;
  ctiPool* pool = NULL;
  XT_INT(cti_pool_create(&pool, 0, NULL, &err), CT_ERR_ARGUMENT);
  XT_HAS(err.message, "number of threads is 0, allowed are 1 to 1024");
  XT_INT(cti_pool_create(&pool, CTI_POOL_MAX + 1, NULL, &err), CT_ERR_ARGUMENT);
  XT_TRUE(pool == NULL);
  XT_INT(cti_pool_size(NULL), 1);
}
XT_TEST(pool, every_failing_allocation_is_reported_and_leaks_nothing) {
  for (int fail = 1;; fail++) {
    xtAlloc counter = {.fail_at = fail};
    ctAllocator a = xt_allocator(&counter);
    ctiPool* pool = NULL;
    ctStatus status = cti_pool_create(&pool, 2, &a, NULL);
    cti_pool_free(pool);
    XT_INT(counter.held, 0);
    if (status == CT_OK) break;
    XT_INT(status, CT_ERR_MEMORY);
  }
}
XT_TEST(cpu, there_is_one) {
  XT_TRUE(cti_cpu_count() >= 1);
}

// ---- clock

XT_TEST(clock, never_goes_back) {
  int64_t last = cti_clock_ns();
  for (int i = 0; i < 10000; i++) {
    int64_t now = cti_clock_ns();
    XT_TRUE(now >= last);
    last = now;
  }
}
XT_TEST(clock, moves) {
  int64_t start = cti_clock_ns();
  while (cti_clock_ns() == start) {
  }
  XT_TRUE(cti_clock_ns() > start);
}

static void count_item(void* context, int begin, int end, int worker) {
  (void)worker;
  *(int*)context += end - begin;
}

// The child has the pool without its threads: work is done here, and the end does not wait for them.
XT_TEST(pool, a_forked_child_goes_on_alone) {
  ctiPool* pool = new_pool(3);
  pid_t child = fork();
  if (child == 0) {
    alarm(20);  // a child that hangs is killed, and the test fails
    int count = 0;
    cti_pool_run(pool, 100, 7, count_item, &count);
    cti_pool_free(pool);
    _exit(count == 100 ? 0 : 1);
  }
  int status = -1;
  XT_INT(waitpid(child, &status, 0), child);
  XT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  cti_pool_free(pool);
}

XT_MAIN()
