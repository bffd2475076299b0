#include "stage/solve/islands.h"

#include "data/arena.h"
#include "data/threads.h"
#include "stage/constraint/island.h"
#include "stage/solve/problem.h"
#include "stage/solve/solve.h"

// What came of an island.
typedef struct IslandResult {
  ctStatus status;
  int niter, nnz;
  ctWarningStat warning[CT_WARN_COUNT];
} IslandResult;

typedef struct IslandWork {
  const ctModel* m;
  ctData* data;  // one for each worker: the same arrays, but its own scratch and warnings
  const ctiIslandColumns* columns;
  IslandResult* results;
} IslandWork;

// Warnings of the island alone are left in `d`.
static CT_FN void solve_one(const IslandWork* w, ctData* d, int k) {
  IslandResult* result = &w->results[k];
  for (int i = 0; i < CT_WARN_COUNT; i++) d->warning[i].number = d->warning[i].lastinfo = 0;
  size_t mark = cti_scratch_mark(d);
  ctiProblem p;
  p.niter = p.nnz = 0;
  result->status = CT_STEP_OVERFLOW;
  if (cti_problem_island(&p, w->m, d, w->columns, k)) result->status = cti_solve_island(w->m, &p, k);
  result->niter = p.niter;
  result->nnz = p.nnz;
  for (int i = 0; i < CT_WARN_COUNT; i++) result->warning[i] = d->warning[i];
  cti_scratch_release(d, mark);
}

static CT_FN void solve_some(void* context, int begin, int end, int worker) {
  const IslandWork* w = (const IslandWork*)context;
  for (int k = begin; k < end; k++) solve_one(w, &w->data[worker], k);
}

// Give each worker an equal part of what is left of the arena.
static CT_FN void split_scratch(ctData* parts, const ctData* d, int count) {
  size_t bytes = (d->narena - d->parena - d->pstack) / (size_t)count / 64 * 64;
  for (int i = 0; i < count; i++) {
    parts[i] = *d;
    parts[i].arena = d->arena + d->parena + bytes * (size_t)i;
    parts[i].narena = bytes;
    parts[i].parena = parts[i].pstack = parts[i].arena_wanted = parts[i].maxuse_arena = 0;
  }
}

// What the workers would have needed, for the whole arena.
static CT_FN void join_scratch(ctData* d, const ctData* parts, int count) {
  size_t held = d->parena + d->pstack;
  for (int i = 0; i < count; i++) {
    size_t used = held + (size_t)count * parts[i].maxuse_arena;
    if (used > d->maxuse_arena) d->maxuse_arena = used;
    if (parts[i].arena_wanted == 0) continue;
    // parts are cut to whole lines
    size_t wanted = held + (size_t)count * (parts[i].arena_wanted + 64);
    if (wanted > d->arena_wanted) d->arena_wanted = wanted;
    d->arena_full = parts[i].arena_full;
  }
}

static CT_FN ctStatus report_islands(ctData* d, const IslandResult* results) {
  ctStatus status = CT_OK;
  for (int k = 0; k < d->nisland; k++) {
    // an island without room stops the solve
    if (status != CT_STEP_OVERFLOW) {
      bool full = results[k].status == CT_STEP_OVERFLOW;
      if (full || status == CT_OK) status = results[k].status;
    }
    if (k < CT_NISLAND) {
      d->solver_niter[k] = results[k].niter;
      d->solver_nnz[k] = results[k].nnz;
    }
    for (int i = 0; i < CT_WARN_COUNT; i++) {
      if (results[k].warning[i].number == 0) continue;
      d->warning[i].number += results[k].warning[i].number;
      d->warning[i].lastinfo = results[k].warning[i].lastinfo;
    }
  }
  return status;
}

// The workers' data are copies with a part of the scratch each; a single worker needs none.
static CT_FN bool run_islands(IslandWork* work, ctData* d) {
  if (!d->threads) {
    ctWarningStat seen[CT_WARN_COUNT];
    for (int i = 0; i < CT_WARN_COUNT; i++) seen[i] = d->warning[i];
    work->data = d;
    solve_some(work, 0, d->nisland, 0);
    for (int i = 0; i < CT_WARN_COUNT; i++) d->warning[i] = seen[i];
    return true;
  }
  int count = d->threads->count;
  work->data = CTI_SCRATCH(d, ctData, count, "islands.data");
  if (!work->data) return false;
  split_scratch(work->data, d, count);
  d->threads->run(d->threads->pool, d->nisland, solve_some, work);
  join_scratch(d, work->data, count);
  return true;
}

CT_FN ctStatus cti_solve_islands(const ctModel* m, ctData* d) {
  size_t mark = cti_scratch_mark(d);
  ctiIslandColumns columns;
  ctStatus status = cti_gather_islands(m, d);
  if (status == CT_OK && !cti_island_columns(&columns, m, d)) status = CT_STEP_OVERFLOW;
  IslandWork work;
  work.m = m;
  work.columns = &columns;
  work.results = CTI_SCRATCH(d, IslandResult, d->nisland, "islands.results");
  if (status == CT_OK && work.results && run_islands(&work, d)) {
    status = report_islands(d, work.results);
  } else {
    status = CT_STEP_OVERFLOW;
  }
  if (status != CT_STEP_OVERFLOW) cti_scatter_islands(m, d);
  cti_scratch_release(d, mark);
  return status;
}
