// The life of a data: layout of its block, arena, reset, creation, growth, threads.
#include "data/data.h"

#include "base/kinds.h"
#include "data/arena.h"
#include "data/awake.h"
#include "data/history.h"
#include "data/state.h"
#include "math/dense.h"
#include "math/quat.h"
#include "model/binary.h"
#include "model/plugin.h"

// Arrays of the arena start at multiples of this many bytes. On a GPU worlds are small, and nobody needs
// more.
#if defined(__CUDACC__)
#define DATA_ALIGN CTI_PACKED_ALIGN
#else
#define DATA_ALIGN CTI_WIDE_ALIGN
#endif
#define DATA_ALIGNED(bytes) (((size_t)(bytes) + DATA_ALIGN - 1) / DATA_ALIGN * DATA_ALIGN)

// Arrays behind those of data.def, for the engine alone: X(type, member of ctiAwake, count). Of `n` things at
// most every other one begins a span; while nobody sleeps there is one.
#define SPAN_ROOM(n) (((n) + 1) / 2)
#define PRIVATE_ARRAYS(X, S)   \
  CTI_AWAKE_LISTS(S)           \
  X(ctiBounds, resting, nbody) \
  X(ctReal, rest_qpos, nq) X(int, before, ntree) X(ctReal, rod_director, nplastic)

// The same for members of ctiScenery: X(type, name, member, count).
// clang-format off
#define SCENERY_ARRAYS(X)                                                                                \
  X(ctiSpan, body_span, body_span, SPAN_ROOM(nbody)) X(ctiSpan, geom_span, geom_span, SPAN_ROOM(ngeom)) \
  X(ctiBoxNode, box_tree_node, box_tree.node, ngeom) X(float, box_tree_box, box_tree.box, 6 * (ngeom))  \
  X(int, box_tree_member, box_tree.member, ngeom)                                                        \
  X(ctReal, scenery_number, number, 15 * (nbody) + 8 * (ngeom)) X(ctByte, scenery_frame, frame, nbody + ngeom)
// clang-format on

// Arrays by number, those of data.def first.
enum {
#define X(type, field, ...) ARRAY_##field,
#include "corten/fields/data.def"
#undef X
#define X(type, array, ...) ARRAY_##array,
#define S(list, ...)        ARRAY_list_##list,
  PRIVATE_ARRAYS(X, S) SCENERY_ARRAYS(X)
#undef S
#undef X
};

// The lifetime of an array; 0: it is always there.
CT_INLINE unsigned lifetime_of(int array) {
  switch (array) {
#define X(field, room) \
  case ARRAY_##field: return CTI_LIVE_##room;
    CTI_OPTIONAL_ARRAYS(X)
    CTI_TRANSIENT_ARRAYS(X)
#undef X
    default: return 0;
  }
}

// Where the next array goes, in bytes: behind those that stay, or in the memory behind them that transient
// arrays share.
typedef struct Places {
  size_t stay, position, velocity, metric;
} Places;

// Where an array lies, and room for it; none where nobody needs it.
CT_INLINE size_t take_place(Places* at, int array, size_t bytes, unsigned lifetimes) {
  const size_t align = lifetimes & CTI_LIVE_WIDE ? CTI_WIDE_ALIGN : CTI_PACKED_ALIGN;
  const unsigned lifetime = lifetime_of(array);
  size_t* place = &at->stay;
  if (lifetime && !(lifetimes & lifetime)) {
    if (!(lifetime & CTI_LIVE_TRANSIENT)) return at->stay;
    place = lifetime & CTI_LIVE_POSITION    ? &at->position
            : lifetime == CTI_LIVE_VELOCITY ? &at->velocity
                                            : &at->metric;
  }
  const size_t here = *place;
  *place = here + (bytes + align - 1) / align * align;
  return here;
}

CT_INLINE size_t larger(size_t a, size_t b) {
  return a > b ? a : b;
}

// Place all arrays from `at` on; `d` may be NULL: then they are only measured.
CT_INLINE void place_arrays(const ctModel* m, ctData* d, ctByte* block, unsigned lifetimes, Places* at) {
  // the sizes of the model as plain names, which the lists of fields use
#define X(type, name, ...)             \
  const size_t name = (size_t)m->name; \
  (void)name;
#include "corten/fields/model_sizes.def"
#undef X
#define PLACE(owner, type, array, number, member, count)                                   \
  {                                                                                        \
    const size_t here = take_place(at, number, sizeof(type) * (size_t)(count), lifetimes); \
    if (d) (owner)->member = (type*)(void*)(block + here);                                 \
  }
#define X(type, field, rows, cols, ...) \
  PLACE(d, type, field, ARRAY_##field, field, (size_t)(rows) * (size_t)(cols))
#include "corten/fields/data.def"
#undef X
  ctiAwake* awake = d ? &cti_data(d)->awake : (ctiAwake*)0;
  const bool sleeps = (lifetimes & CTI_LIVE_SLEEP) != 0;
#define X(type, array, count) PLACE(awake, type, array, ARRAY_##array, array, count)
#define S(list, count) \
  PLACE(awake, ctiSpan, list, ARRAY_list_##list, list.at, sleeps ? SPAN_ROOM(count) : count > 0)
  PRIVATE_ARRAYS(X, S)
#undef S
#undef X
  ctiScenery* scenery = d ? &cti_data(d)->scenery : (ctiScenery*)0;
#define X(type, array, member, count) PLACE(scenery, type, array, ARRAY_##array, member, count)
  SCENERY_ARRAYS(X)
#undef X
#undef PLACE
}

// What passes lies behind what stays, and begins at the same place: positions are over when velocities come,
// as these are when the integrator does.
static CT_FN Places begin_places(const ctModel* m, unsigned lifetimes) {
  Places size = {0, 0, 0, 0};
  place_arrays(m, (ctData*)0, (ctByte*)0, lifetimes, &size);
  const Places begin = {0, size.stay, size.stay, size.stay};
  return begin;
}

CT_FN size_t cti_data_array_bytes(const ctModel* m, unsigned lifetimes) {
  Places at = begin_places(m, lifetimes);
  place_arrays(m, (ctData*)0, (ctByte*)0, lifetimes, &at);
  return larger(at.position, larger(at.velocity, at.metric));
}

CT_FN void cti_data_lay_out(const ctModel* m, ctData* d, ctByte* block, unsigned lifetimes) {
  Places at = begin_places(m, lifetimes);
  place_arrays(m, d, block, lifetimes, &at);
  cti_data(d)->lifetimes = lifetimes;
}

#if defined(CTK_POISON)
CT_FN void cti_data_end_life(const ctModel* m, ctData* d, unsigned lifetimes) {
  const unsigned over = lifetimes & ~cti_data(d)->lifetimes;
#define X(type, name, ...)     \
  const ctSize name = m->name; \
  (void)name;
#include "corten/fields/model_sizes.def"
#undef X
  CT_TEAM_SYNC();
#define X(type, field, rows, cols, ...)                                                   \
  if (lifetime_of(ARRAY_##field) & over & CTI_LIVE_TRANSIENT) {                           \
    uint32_t* at = (uint32_t*)(void*)d->field;                                            \
    CT_LANES(i, (int)(sizeof(type) * (size_t)(rows) * (size_t)(cols) / sizeof(uint32_t))) \
    at[i] = UINT32_MAX;                                                                   \
  }
#include "corten/fields/data.def"
#undef X
  CT_TEAM_SYNC();
}
#endif

CT_FN void cti_data_clear_arena(ctData* d) {
  cti_data(d)->metric.on = false;
  cti_data(d)->metric.nrow = 0;
  cti_data(d)->row_weight = (ctReal*)0;
  cti_data(d)->parena = cti_data(d)->pstack = 0;
  d->ncon = d->ne = d->nf = d->nl = d->nefc = d->nJ = d->nY = d->nA = d->nisland = d->nidof = 0;
#define X(type, field, rows, cols, ...) d->field = (type*)0;
#include "corten/fields/data_arena.def"
#undef X
}

// ---- the arena ----

// Take `bytes` of what is left, or note how much would have been enough.
static CT_FN bool arena_fits(ctiData* d, size_t bytes, const char* name) {
  size_t used = d->parena + d->pstack + bytes;
  if (used > d->open.maxuse_arena) d->open.maxuse_arena = used;
  if (used <= d->open.narena) return true;
  if (used > d->arena_wanted) d->arena_wanted = used;
  d->arena_full = name;
  return false;
}

CT_FN void* cti_scratch(ctData* open, size_t bytes, const char* name) {
  ctiData* d = cti_data(open);
  size_t all = CT_WARP_MAX(d->pstack + DATA_ALIGNED(bytes));
  if (!arena_fits(d, all - d->pstack, name)) return (void*)0;
  d->pstack = all;
  return d->arena + open->narena - all;
}

CT_FN void* cti_arena(ctData* open, size_t bytes, const char* name) {
  ctiData* d = cti_data(open);
  size_t begin = CT_WARP_MAX(d->parena), all = begin + DATA_ALIGNED(bytes);
  if (!arena_fits(d, all - d->parena, name)) return (void*)0;
  d->parena = all;
  return d->arena + begin;
}

CT_FN void* cti_arena_more(ctData* open, size_t bytes, const char* name) {
  ctiData* d = cti_data(open);
  bytes = DATA_ALIGNED(bytes);
  if (!arena_fits(d, bytes, name)) return (void*)0;
  ctByte* at = d->arena + d->parena;
  d->parena += bytes;
  return at;
}

// Whether ints lead to all of so many items; notes who asked when they do not.
static CT_FN bool items_fit(ctData* d, int64_t count, const char* name) {
  if (count >= 0 && count <= INT32_MAX) return true;
  cti_data(d)->arena_full = name;
  return false;
}

CT_PLAIN_NOINLINE void* cti_scratch_items(ctData* d, int64_t count, size_t size, const char* name) {
  return items_fit(d, count, name) ? cti_scratch(d, (size_t)count * size, name) : (void*)0;
}

CT_PLAIN_NOINLINE void* cti_arena_items(ctData* d, int64_t count, size_t size, const char* name) {
  return items_fit(d, count, name) ? cti_arena(d, (size_t)count * size, name) : (void*)0;
}

// ---- back to a known state. Step code: a GPU world resets itself ----

// The arrays of data.def lie in one piece, from the first of them to the first of those for the engine alone.
static CT_FN void clear_arrays(ctData* d) {
  ctByte *first = (ctByte*)d->qpos, *end = (ctByte*)cti_data(d)->awake.tree.at;
#if defined(__CUDACC__)
  uint64_t* words = (uint64_t*)first;
  CT_TEAM_SYNC();  // some lanes may still read
  for (ptrdiff_t i = CT_LANE; i < (end - first) / (ptrdiff_t)sizeof(uint64_t); i += CT_TEAM) words[i] = 0;
  CT_TEAM_SYNC();
#else
  memset(first, 0, (size_t)(end - first));
#endif
}

static CT_FN void clear_reports(ctData* d) {
  for (int i = 0; i < CT_NISLAND; i++) d->solver_niter[i] = d->solver_nnz[i] = 0;
  for (int i = 0; i < CT_WARN_COUNT; i++) d->warning[i].lastinfo = d->warning[i].number = 0;
  for (int i = 0; i < CT_TIMER_COUNT; i++) {
    d->timer[i].duration = 0;
    d->timer[i].number = 0;
  }
  d->solver_fwdinv[0] = d->solver_fwdinv[1] = 0;
}

// Yielding springs rest where the model says.
CT_FN void cti_plastic_reference(ctReal* plastic, const ctModel* m) {
  for (int j = 0; j < m->njnt; j++) {
    int adr = m->jnt_plasticadr[j];
    if (adr >= 0) cti_copy(plastic + adr, m->qpos_spring + m->jnt_qposadr[j], cti_joint_nq(m->jnt_type[j]));
  }
  for (int t = 0; t < m->ntendon; t++) {
    int adr = m->tendon_plasticadr[t];
    if (adr >= 0) cti_copy(plastic + adr, m->tendon_lengthspring + 2 * t, 2);
  }
}

// Controls are zero, but a quaternion that turns nothing is not; the same holds for those of the past.
static CT_FN void reset_controls(const ctModel* m, ctData* d) {
  for (int i = 0; i < m->nactuator; i++) {
    if (m->actuator_gaintype[i] != CT_GAIN_SO3 || m->actuator_ctrlspec[i] != CTI_CHART_QUAT) continue;
    d->ctrl[m->actuator_ctrladr[i]] = 1;
    int count = m->actuator_history[2 * i];
    for (int k = 0; k < count; k++) d->history[m->actuator_historyadr[i] + 2 + count + 4 * k] = 1;
  }
}

static CT_FN void reset_plugins(const ctModel* m, ctData* d) {
  for (int i = 0; i < m->nplugin; i++) {
    const ctPlugin* p = cti_plugin_of(m, i);
    d->plugin[i] = m->plugin[i];
    if (CT_ON_HOST && p && p->reset)
      p->reset(p, m->plugin_prm + CT_NPLUGINPRM * i, d->plugin_state + m->plugin_stateadr[i]);
  }
}

CT_FN void cti_data_reset(const ctModel* m, ctData* d) {
  clear_arrays(d);
  clear_reports(d);
  cti_data_clear_arena(d);
  d->time = d->energy[0] = d->energy[1] = 0;
  d->flg_energypos = d->flg_energyvel = d->flg_subtreevel = d->flg_rnepost = false;
  cti_copy(d->qpos, m->qpos0, m->nq);
  cti_plastic_reference(d->plastic, m);
  cti_history_reset(m, d);
  reset_controls(m, d);
  reset_plugins(m, d);
  for (int i = 0; i < m->neq; i++) d->eq_active[i] = m->eq_active0[i];
  for (int i = 0; i < m->nbody; i++) {
    int mocap = m->body_mocapid[i];
    if (mocap < 0) continue;
    cti_copy3(d->mocap_pos + 3 * mocap, m->body_pos + 3 * i);
    cti_copy4(d->mocap_quat + 4 * mocap, m->body_quat + 4 * i);
    cti_normalize4(d->mocap_quat + 4 * mocap);
  }
  for (int i = 0; i < m->ntree; i++) d->tree_asleep[i] = CTI_FULLY_AWAKE;
  cti_awake_rebuild(m, d);
  ctiAwake* awake = &cti_data(d)->awake;
  awake->edited = awake->shown = awake->cold = true;
  cti_data(d)->scenery.frames = 0;
}

CT_FN void cti_data_set_keyframe(const ctModel* m, ctData* d, int key) {
  d->time = m->key_time[key];
  cti_copy(d->qpos, m->key_qpos + key * m->nq, m->nq);
  cti_copy(d->qvel, m->key_qvel + key * m->nv, m->nv);
  cti_copy(d->act, m->key_act + key * m->na, m->na);
  cti_copy(d->mocap_pos, m->key_mpos + key * 3 * m->nmocap, 3 * m->nmocap);
  cti_copy(d->mocap_quat, m->key_mquat + key * 4 * m->nmocap, 4 * m->nmocap);
  cti_copy(d->ctrl, m->key_ctrl + key * m->nu, m->nu);
  cti_copy(d->plastic, m->key_plastic + key * m->nplastic, m->nplastic);
}

// ---- host code: the public calls ----
#ifndef __cplusplus
#include <limits.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/thread.h"
#include "model/fields.h"

// ---- life of a data: create, free, reset, copy, grow ----

#define HEAD_BYTES   CTI_ALIGNED(sizeof(ctiData))
#define SOLVER_BYTES CTI_ALIGNED(sizeof(ctSolverStat) * CT_NISLAND * CT_NSOLVER)

// A block is the struct, the statistics of the solver, the arrays.
static void lay_out_block(const ctModel* m, ctData* d) {
  d->solver = (ctSolverStat*)(void*)((ctByte*)d + HEAD_BYTES);
  cti_data_lay_out(m, d, (ctByte*)d + HEAD_BYTES + SOLVER_BYTES, CTI_LIVE_ALL);
}

#define ARENA_SPARE 16384
#define GUESS_MOST  ((size_t)16 << 20)

// First size of the arena; it grows when a step asks for more.
static size_t arena_guess(const ctModel* m) {
  size_t nv = (size_t)m->nv, vectors = 32 * (nv + (size_t)m->nbody) * sizeof(ctReal);
  // a usual number of contacts, of rows, and the matrix of the solver
  size_t contacts = (m->opt.disableflags & CT_DSBL_CONTACT) || m->ngeom < 2 ? 0 : 200 * sizeof(ctContact);
  size_t rows = 600 * (nv + 24) * sizeof(ctReal), matrix = nv * nv * sizeof(ctReal);
  if (rows > GUESS_MOST) rows = GUESS_MOST;
  if (matrix > GUESS_MOST) matrix = GUESS_MOST;  // trees that do not touch need but a small part of it
  if (m->opt.disableflags & CT_DSBL_CONSTRAINT) rows = matrix = 0;
  size_t guess = CTI_ALIGNED(vectors + contacts + rows + matrix + ARENA_SPARE);
  return m->max_arena && guess > m->max_arena ? CTI_ALIGNED(m->max_arena) : guess;
}

int64_t cti_data_measure(const ctModel* sizes, ctiLargest* largest) {
#define X(type, name, ...)          \
  const int64_t name = sizes->name; \
  (void)name;
#include "corten/fields/model_sizes.def"
#undef X
  int64_t bytes = HEAD_BYTES + SOLVER_BYTES;
#define X(type, field, rows, cols, ...) CTI_MEASURE(bytes, largest, type, field, rows, cols);
#include "corten/fields/data.def"
#undef X
#define X(type, array, count) CTI_MEASURE(bytes, largest, type, array, count, 1);
#define S(list, count)        X(ctiSpan, list.at, SPAN_ROOM(count))
  PRIVATE_ARRAYS(X, S)
#undef S
#undef X
#define X(type, array, member, count) CTI_MEASURE(bytes, largest, type, array, count, 1);
  SCENERY_ARRAYS(X)
#undef X
  return bytes;
}

ctStatus cti_data_create(ctData** out, const ctModel* m, ctError* err) {
  ctiLargest largest = {0};
  int64_t measured = cti_sizes_check(m) ? 0 : cti_data_measure(m, &largest);
  if (largest.elements > INT_MAX || measured >= CTI_SIZE_MAX)
    return cti_error(err, CT_ERR_LIMIT, "ct_data_create: the data is too large: field %s", largest.name);
  if (cti_state_size(m, (1u << CT_STATE_COUNT) - 1) == INT_MAX)
    return cti_error(err, CT_ERR_LIMIT, "ct_data_create: the state is too large: it has at most %d numbers",
                     INT_MAX - 1);
  CT_TRY(cti_model_check_sizes(m, err));
  size_t bytes = HEAD_BYTES + SOLVER_BYTES + cti_data_array_bytes(m, CTI_LIVE_ALL), narena = arena_guess(m);
  ctByte* block = cti_alloc(&m->allocator, bytes, CTI_ALIGN);
  ctByte* arena = cti_alloc(&m->allocator, narena, CTI_ALIGN);
  if (!block || !arena) {
    cti_release(&m->allocator, block);
    cti_release(&m->allocator, arena);
    return cti_error_memory(err);
  }
  ctiData* d = (ctiData*)(void*)block;
  memset(block, 0, bytes);
  d->allocator = m->allocator;
  d->nbuffer = bytes;
  d->sizes_id = m->sizes_id;
  d->arena_limit = m->max_arena ? m->max_arena : CT_ARENA_LIMIT;
  d->needs = CTI_NEED_SHOWN;
  d->arena = arena;
  d->open.narena = narena;
  lay_out_block(m, &d->open);
  cti_data_reset(m, &d->open);
  *out = &d->open;
  return CT_OK;
}

void ct_data_free(ctData* d) {
  if (!d) return;
  ct_data_set_threads(d, 1, NULL);
  ctAllocator allocator = cti_data(d)->allocator;
  cti_release(&allocator, cti_data(d)->arena);
  cti_release(&allocator, d);
}

ctStatus cti_data_grow(ctData* open) {
  ctiData* d = cti_data(open);
  if (!cti_arena_short(open)) return CT_OK;
  // what was asked for first is known, what would have followed is not: leave room for it
  size_t bytes = CTI_ALIGNED(d->arena_wanted + d->arena_wanted / 2 + ARENA_SPARE);
  if (d->arena_limit && bytes > d->arena_limit) bytes = CTI_ALIGNED(d->arena_limit);
  ctByte* arena = cti_alloc(&d->allocator, bytes, CTI_ALIGN);
  if (!arena) return CT_ERR_MEMORY;
  cti_release(&d->allocator, d->arena);
  d->arena = arena;
  open->narena = bytes;
  d->arena_wanted = 0;
  cti_data_clear_arena(open);
  return CT_OK;
}

ctiLoan cti_loan_begin(ctData* d) {
  ctiData* own = cti_data(d);
  ctiLoan loan = {own->arena, d->narena, own->parena, own->pstack, own->arena_wanted, d->maxuse_arena};
  own->arena_wanted = 0;
  return loan;
}

bool cti_loan_more(ctiLoan* loan, ctData* d) {
  ctiData* own = cti_data(d);
  if (own->arena_wanted <= d->narena) return false;
  size_t bytes = CTI_ALIGNED(own->arena_wanted + own->arena_wanted / 2);
  ctByte* arena = cti_alloc(&own->allocator, bytes, CTI_ALIGN);
  if (!arena) return false;
  if (own->arena != loan->arena) cti_release(&own->allocator, own->arena);
  own->arena = arena;
  d->narena = bytes;
  own->parena = own->pstack = own->arena_wanted = 0;
  return true;
}

bool cti_loan_end(const ctiLoan* loan, ctData* d) {
  ctiData* own = cti_data(d);
  bool full = own->arena_wanted > d->narena;
  if (own->arena != loan->arena) cti_release(&own->allocator, own->arena);
  own->arena = loan->arena;
  d->narena = loan->narena;
  own->parena = loan->parena;
  own->pstack = loan->pstack;
  own->arena_wanted = loan->wanted;
  d->maxuse_arena = loan->maxuse;
  return full;
}

// The arrays of the last step, at the same places in the destination's arena. Where that is too small and
// may not grow, they are left out.
// An address in the arena, or in the block, of `from`, as it is in `to`.
static const void* moved(const void* at, const ctData* from, const ctData* to) {
  const ctiData *source = cti_data_const(from), *own = cti_data_const(to);
  const ctByte *address = at, *block = (const ctByte*)from;
  if (!at) return NULL;
  bool inside = address >= block && address < block + source->nbuffer;
  return inside ? (const ctByte*)to + (address - block) : own->arena + (address - source->arena);
}

static void copy_metric(const ctData* from, ctData* to) {
  const ctiMetric* theirs = &cti_data_const(from)->metric;
  ctiMetric* own = &cti_data(to)->metric;
  *own = *theirs;
  cti_data(to)->row_weight = (ctReal*)moved(cti_data_const(from)->row_weight, from, to);
  if (!theirs->on) return;
  own->H = moved(theirs->H, from, to);
  own->LD = moved(theirs->LD, from, to);
  own->Dinv = moved(theirs->Dinv, from, to);
  own->K_rowsuper = (int*)moved(theirs->K_rowsuper, from, to);
  own->force = (ctReal*)moved(theirs->force, from, to);
  own->rownnz = (int*)moved(theirs->rownnz, from, to);
  own->rowadr = (int*)moved(theirs->rowadr, from, to);
  own->colind = (int*)moved(theirs->colind, from, to);
  own->value = (ctReal*)moved(theirs->value, from, to);
  own->scale = (ctReal*)moved(theirs->scale, from, to);
}

static void copy_arena(const ctData* from, ctData* to) {
  const ctiData* source = cti_data_const(from);
  ctiData* own = cti_data(to);
  cti_data_clear_arena(to);
  if (source->parena > to->narena) own->arena_wanted = source->parena;
  if (cti_data_grow(to) != CT_OK || source->parena > to->narena) return;
  memcpy(own->arena, source->arena, source->parena);
  own->parena = source->parena;
#define X(type, field, rows, cols, ...) \
  if (from->field) to->field = (type*)(void*)(own->arena + ((const ctByte*)from->field - source->arena));
#include "corten/fields/data_arena.def"
#undef X
#define X(type, name, ...) to->name = from->name;
#include "corten/fields/data_sizes.def"
#undef X
  copy_metric(from, to);
}

ctStatus ct_data_copy(const ctModel* m, const ctData* from, ctData* to) {
  if (!cti_data_fits(m, to) || !cti_data_fits(m, from) ||
      cti_data(to)->nbuffer != cti_data_const(from)->nbuffer)
    return CT_ERR_ARGUMENT;
  if (to == from) return CT_OK;
  // keep what belongs to the destination's own memory
  ctiData own = *cti_data(to);
  memcpy(to, from, own.nbuffer);
  lay_out_block(m, to);
  to->narena = own.open.narena;
  to->arena_fixed = own.open.arena_fixed;
  to->user = own.open.user;
  cti_data(to)->arena = own.arena;
  cti_data(to)->arena_limit = own.arena_limit;
  cti_data(to)->allocator = own.allocator;
  cti_data(to)->threads = own.threads;
  cti_data(to)->arena_wanted = 0;
  copy_arena(from, to);
  return CT_OK;
}

// The arrays themselves; false when the arena is full.
static bool take_rows(const ctModel* m, ctData* d, const ctRowCounts* n) {
  cti_data_clear_arena(d);
  d->efm_active = d->nefmK = d->nefmcon = d->nefmT = d->nefmA = d->nefmdof = d->nefmL = 0;
  d->ncon = n->ncon;
  d->ne = n->ne;
  d->nf = n->nf;
  d->nl = n->nl;
  d->nefc = n->nefc;
  d->nJ = n->nJ;
  d->contact = CTI_ARENA(d, ctContact, n->ncon, "contact");
  int groups = CTI_GROUP_ROWS | CTI_GROUP_TERMS | (n->sparse ? CTI_GROUP_SPARSE : 0);
  return d->contact && cti_take_arrays(m, d, groups);
}

ctStatus ct_data_make_rows(const ctModel* m, ctData* d, const ctRowCounts* n) {
  if (!n || !cti_data_fits(m, d)) return CT_ERR_ARGUMENT;
  if (n->ncon < 0 || n->ne < 0 || n->nf < 0 || n->nl < 0 || n->nJ < 0) return CT_ERR_ARGUMENT;
  if ((int64_t)n->ne + n->nf + n->nl > n->nefc) return CT_ERR_ARGUMENT;
  while (!take_rows(m, d, n)) {
    bool grows = cti_arena_short(d);
    ctStatus status = grows ? cti_data_grow(d) : CT_STEP_OVERFLOW;
    if (status == CT_OK) continue;
    cti_data(d)->arena_wanted = 0;
    cti_data_clear_arena(d);
    return status;
  }
  ctiData* own = cti_data(d);
  memset(own->arena, 0, own->parena);
  own->parena_rows = own->parena_metric = own->parena;
  for (int i = 0; i < n->ncon; i++) {
    ctContact* c = &d->contact[i];
    c->geom1 = c->geom2 = c->efc_address = -1;
    for (int k = 0; k < 2; k++) c->geom[k] = c->flex[k] = c->elem[k] = c->vert[k] = -1;
  }
  return CT_OK;
}

ctStatus ct_data_set_arena_limit(ctData* d, size_t bytes) {
  if (!d) return CT_ERR_ARGUMENT;
  cti_data(d)->arena_limit = bytes ? bytes : CT_ARENA_LIMIT;
  return CT_OK;
}

size_t ct_data_bytes(const ctData* d) {
  return d ? cti_data_const(d)->nbuffer + d->narena : 0;
}

double ct_clock(void) {
  return (double)cti_clock_ns() * 1e-9;
}

// ---- life of the threads of a data ----

static void run(void* pool, int count, ctiLoop loop, void* context) {
  cti_pool_run((ctiPool*)pool, count, 1, loop, context);
}

static void release(ctiData* d) {
  if (!d->threads) return;
  cti_pool_free((ctiPool*)d->threads->pool);
  cti_release(&d->allocator, d->threads);
  d->threads = NULL;
}

ctStatus ct_data_set_threads(ctData* open, int count, ctError* err) {
  ctiData* d = cti_data(open);
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

#endif
