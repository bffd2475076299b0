// The arena of a data: arrays of a step grow up from the bottom, scratch grows down from the top. Step code.
//
// Arrays that worlds take together begin at the same place in each, see CT_WARP_MAX.
//
// Scratch is taken between a mark and its release:
//   size_t mark = cti_scratch_mark(d);
//   ctReal* v = CTI_SCRATCH(d, ctReal, m->nv, "stage.v");
//   if (!v) ...   // full: the arena grows and the step is taken again
//   cti_scratch_release(d, mark);
#pragma once

#include "data/data.h"

CT_INLINE size_t cti_scratch_mark(const ctData* d) {
  return cti_data_const(d)->pstack;
}
CT_INLINE void cti_scratch_release(ctData* d, size_t mark) {
  cti_data(d)->pstack = mark;
}

// Did a request not fit, and may the arena grow? A step that finds so before it has advanced ends there:
// it will be taken again with a larger arena, so that no result depends on the size.
CT_INLINE bool cti_arena_short(const ctData* d) {
  const ctiData* own = cti_data_const(d);
  bool may_grow = !d->arena_fixed && (own->arena_limit == 0 || d->narena < own->arena_limit);
  return own->arena_wanted > d->narena && may_grow;
}

// `bytes` of scratch, or NULL when the arena is full. `name` says who asks, for reports.
CT_FN void* cti_scratch(ctData* d, size_t bytes, const char* name);

// `bytes` that stay until the next step begins, or NULL when the arena is full.
CT_FN void* cti_arena(ctData* d, size_t bytes, const char* name);

// The same right behind what was taken last.
CT_FN void* cti_arena_more(ctData* d, size_t bytes, const char* name);

// The same for `count` items. More than an int can count, or fewer than none, do not fit in any arena: ints
// lead into these arrays. A count that is a product is an int64_t.
CT_PLAIN_NOINLINE void* cti_scratch_items(ctData* d, int64_t count, size_t size, const char* name);
CT_PLAIN_NOINLINE void* cti_arena_items(ctData* d, int64_t count, size_t size, const char* name);

#define CTI_SCRATCH(d, T, count, name) ((T*)cti_scratch_items((d), (int64_t)(count), sizeof(T), (name)))
#define CTI_ARENA(d, T, count, name)   ((T*)cti_arena_items((d), (int64_t)(count), sizeof(T), (name)))

// Scratch that is read over and over, between a mark and its release. Plain code has it in the memory of the
// multiprocessor, and ends where that does not suffice: NULL.
#if CT_PLAIN
typedef struct __align__(16) ctiShared {
  unsigned used[CT_TEAM];  // bytes, by each lane: they need not wait for each other
}
ctiShared;
// Behind the boxes of a block, which is a team.
CT_INLINE unsigned cti_shared_bytes(void) {
  unsigned all;
  asm("mov.u32 %0, %%dynamic_smem_size;" : "=r"(all));
  return all - CT_TEAM * (unsigned)CTI_BOX_BYTES;
}
CT_INLINE ctiShared* cti_shared_memory(void) {
  return (ctiShared*)(cti_box + CT_TEAM);
}
CT_INLINE unsigned cti_shared_mark(void) {
  return cti_shared_memory()->used[CT_LANE];
}
CT_INLINE void cti_shared_release(unsigned mark) {
  CT_TEAM_SYNC();
  cti_shared_memory()->used[CT_LANE] = mark;
}
CT_INLINE void* cti_shared_items(int64_t count, size_t size) {
  ctiShared* fast = cti_shared_memory();
  const unsigned used = fast->used[CT_LANE], left = cti_shared_bytes() - used;
  const unsigned bytes = ((unsigned)count * (unsigned)size + 15) / 16 * 16;
  if (count < 0 || count > left || bytes > left) return (void*)0;
  fast->used[CT_LANE] = used + bytes;
  return (ctByte*)fast + used;
}
#define CTI_SHARED(d, T, count, name) ((T*)cti_shared_items((int64_t)(count), sizeof(T)))
#else
CT_INLINE unsigned cti_shared_mark(void) {
  return 0;
}
CT_INLINE void cti_shared_release(unsigned mark) {
  (void)mark;
}
#define CTI_SHARED(d, T, count, name) CTI_SCRATCH(d, T, count, name)
#endif

// A pointer `x` to a struct of which a team needs one, not one for every lane: in scratch, and NULL when that
// is full. Plain code is inlined and keeps its members in registers.
#if CT_PLAIN
#define CTI_STRUCT(d, T, x, name) \
  T x##_own;                      \
  T* x = &x##_own
#else
#define CTI_STRUCT(d, T, x, name) T* x = CTI_SCRATCH(d, T, 1, name)
#endif

// Groups of arrays that are made together, as bits: the column of corten/fields/data_arena.def.
typedef enum ctiArenaGroup {
  CTI_GROUP_ROWS = 1,
  CTI_GROUP_SPARSE = 2,
  CTI_GROUP_SETS = 4,
  CTI_GROUP_ISLANDS = 8,
  CTI_GROUP_COPIES = 16,
  CTI_GROUP_OTHER = 32,
  CTI_GROUP_TERMS = 64
} ctiArenaGroup;

// Make the arrays of some groups, as large as the sizes in the data say. False when the arena is full.
CT_INLINE bool cti_take_arrays(const ctModel* m, ctData* d, int wanted) {
#define X(type, name, ...)      \
  const int64_t name = m->name; \
  (void)name;
#include "corten/fields/model_sizes.def"
#undef X
#define X(type, name, ...)      \
  const int64_t name = d->name; \
  (void)name;
#include "corten/fields/data_sizes.def"
#undef X
  bool ok = true;
#define X(type, field, rows, cols, group, ...) \
  if (wanted & CTI_GROUP_##group)              \
    ok = ok && (d->field = CTI_ARENA(d, type, (int64_t)(rows) * (cols), #field)) != (type*)0;
#include "corten/fields/data_arena.def"
#undef X
  return ok;
}
