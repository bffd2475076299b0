#include "data/arena.h"

#define ARENA_ALIGNED(bytes) (((bytes) + 63) / 64 * 64)

// Take `bytes` of what is left, or note how much would have been enough.
static CT_FN bool arena_fits(ctData* d, size_t bytes, const char* name) {
  size_t used = d->parena + d->pstack + bytes;
  if (used > d->maxuse_arena) d->maxuse_arena = used;
  if (used <= d->narena) return true;
  if (used > d->arena_wanted) d->arena_wanted = used;
  d->arena_full = name;
  return false;
}

CT_FN void* cti_scratch(ctData* d, size_t bytes, const char* name) {
  size_t all = CT_ALIKE(d->pstack + ARENA_ALIGNED(bytes));
  if (!arena_fits(d, all - d->pstack, name)) return (void*)0;
  d->pstack = all;
  return d->arena + d->narena - all;
}

CT_FN void* cti_arena(ctData* d, size_t bytes, const char* name) {
  size_t begin = CT_ALIKE(d->parena), all = begin + ARENA_ALIGNED(bytes);
  if (!arena_fits(d, all - d->parena, name)) return (void*)0;
  d->parena = all;
  return d->arena + begin;
}

CT_FN void* cti_arena_more(ctData* d, size_t bytes, const char* name) {
  bytes = ARENA_ALIGNED(bytes);
  if (!arena_fits(d, bytes, name)) return (void*)0;
  ctByte* at = d->arena + d->parena;
  d->parena += bytes;
  return at;
}
