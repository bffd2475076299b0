// Life of a data: create, free, reset, copy, grow.
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/thread.h"
#include "data/arena.h"
#include "data/grow.h"
#include "data/layout.h"
#include "data/reset.h"
#include "model/fields.h"

#define HEAD_BYTES   CTI_ALIGNED(sizeof(ctData))
#define SOLVER_BYTES CTI_ALIGNED(sizeof(ctSolverStat) * CT_NISLAND * CT_NSOLVER)

// A block is the struct, the statistics of the solver, the arrays.
static void lay_out_block(const ctModel* m, ctData* d) {
  d->solver = (ctSolverStat*)(void*)((ctByte*)d + HEAD_BYTES);
  cti_data_lay_out(m, d, (ctByte*)d + HEAD_BYTES + SOLVER_BYTES);
}

#define ARENA_SPARE 16384

// First size of the arena; it grows when a step asks for more.
static size_t arena_guess(const ctModel* m) {
  size_t nv = (size_t)m->nv, vectors = 32 * (nv + (size_t)m->nbody) * sizeof(ctReal);
  // a usual number of contacts, of rows, and the matrix of the solver
  size_t contacts = (m->opt.disableflags & CT_DSBL_CONTACT) || m->ngeom < 2 ? 0 : 200 * sizeof(ctContact);
  size_t rows = m->opt.disableflags & CT_DSBL_CONSTRAINT ? 0 : 600 * (nv + 24) * sizeof(ctReal);
  size_t matrix = m->opt.disableflags & CT_DSBL_CONSTRAINT ? 0 : nv * nv * sizeof(ctReal);
  return CTI_ALIGNED(vectors + contacts + rows + matrix + ARENA_SPARE);
}

ctStatus ct_data_create(ctData** out, const ctModel* m, ctError* err) {
  if (!out || !m) return cti_error(err, CT_ERR_ARGUMENT, "ct_data_create: out and m must not be NULL");
  *out = NULL;
  size_t bytes = HEAD_BYTES + SOLVER_BYTES + cti_data_array_bytes(m), narena = arena_guess(m);
  ctByte* block = cti_alloc(&m->allocator, bytes, CTI_ALIGN);
  ctByte* arena = cti_alloc(&m->allocator, narena, CTI_ALIGN);
  if (!block || !arena) {
    cti_release(&m->allocator, block);
    cti_release(&m->allocator, arena);
    return cti_error_memory(err);
  }
  ctData* d = (ctData*)(void*)block;
  memset(block, 0, bytes);
  d->allocator = m->allocator;
  d->nbuffer = bytes;
  d->arena = arena;
  d->narena = narena;
  lay_out_block(m, d);
  cti_data_reset(m, d);
  *out = d;
  return CT_OK;
}

void ct_data_free(ctData* d) {
  if (!d) return;
  ct_data_set_threads(d, 1, NULL);
  ctAllocator allocator = d->allocator;
  cti_release(&allocator, d->arena);
  cti_release(&allocator, d);
}

ctStatus cti_data_grow(ctData* d) {
  if (d->arena_wanted <= d->narena || d->arena_fixed) return CT_OK;
  // what was asked for first is known, what would have followed is not: leave room for it
  size_t bytes = CTI_ALIGNED(d->arena_wanted + d->arena_wanted / 2 + ARENA_SPARE);
  ctByte* arena = cti_alloc(&d->allocator, bytes, CTI_ALIGN);
  if (!arena) return CT_ERR_MEMORY;
  cti_release(&d->allocator, d->arena);
  d->arena = arena;
  d->narena = bytes;
  d->arena_wanted = 0;
  cti_data_clear_arena(d);
  return CT_OK;
}

ctStatus ct_data_reset(const ctModel* m, ctData* d) {
  if (!m || !d) return CT_ERR_ARGUMENT;
  cti_data_reset(m, d);
  return CT_OK;
}

ctStatus ct_data_reset_keyframe(const ctModel* m, ctData* d, int key) {
  if (!m || !d || key < 0 || key >= m->nkey) return CT_ERR_ARGUMENT;
  cti_data_reset(m, d);
  cti_data_set_keyframe(m, d, key);
  return CT_OK;
}

ctStatus ct_data_copy(const ctModel* m, ctData* to, const ctData* from) {
  if (!m || !to || !from || to->nbuffer != from->nbuffer) return CT_ERR_ARGUMENT;
  if (to == from) return CT_OK;
  // keep what belongs to the destination's own memory
  ctData own = *to;
  memcpy(to, from, from->nbuffer);
  lay_out_block(m, to);
  to->arena = own.arena;
  to->narena = own.narena;
  to->arena_fixed = own.arena_fixed;
  to->allocator = own.allocator;
  to->threads = own.threads;
  to->user = own.user;
  to->arena_wanted = 0;
  cti_data_clear_arena(to);
  return CT_OK;
}

size_t ct_data_bytes(const ctData* d) {
  return d ? d->nbuffer + d->narena : 0;
}

double ct_clock(void) {
  return (double)cti_clock_ns() * 1e-9;
}
