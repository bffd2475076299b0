// A data as the engine sees it, and where its arrays lie. Step code: a GPU world lays itself out in the same
// way.
#pragma once

#include "base/fn.h"
#include "data/box_tree.h"

// One piece of a loop: items [begin, end), run by `worker` of [0, count).
typedef void (*ctiLoop)(void* context, int begin, int end, int worker);

// What step code knows of the threads that help a step: how to run a loop on them. What is computed never
// depends on them.
typedef struct ctiThreads {
  int count;
  void* pool;
  void (*run)(void* pool, int count, ctiLoop loop, void* context);
} ctiThreads;

// Ids from `begin` up to `end`, which is not one of them; and a list of such spans, ascending and apart.
typedef struct ctiSpan {
  int begin, end;
} ctiSpan;
typedef struct ctiSpans {
  ctiSpan* at;
  int n;
} ctiSpans;

// Lists of what is awake, and how many there are of each at most. `body` has static bodies too, `mover` does
// not, both are without the world; `hung` has the trees that sleep below a body other than the world.
// clang-format off
#define CTI_AWAKE_LISTS(X)                                                                               \
  X(tree, ntree) X(hung, ntree) X(dof, nv) X(jnt, njnt) X(body, nbody) X(mover, nbody) X(geom, ngeom)    \
  X(site, nsite) X(cam, ncam) X(light, nlight) X(tendon, ntendon) X(actuator, nactuator) X(sensor, nsensor)
// clang-format on

// World-aligned bounds of a body. Of those at rest, in the order of the sweep: `top` is how far up this one
// or one before it reaches along the axis.
typedef struct ctiBounds {
  ctReal lo[3], hi[3], top;
  int body;
} ctiBounds;

// What a step computes, see data/awake.h.
typedef struct ctiAwake {
#define X(list, count) ctiSpans list;
  CTI_AWAKE_LISTS(X)
#undef X
  bool on;       // the sleep flag, when the lists were made
  bool edited;   // the caller may have written to the data since the last step
  bool shown;    // the caller reads the data after this step
  bool changed;  // the lists were made since the last step
  bool cold;     // nothing has been computed for what is asleep or static: a data that was just filled

  bool com_known;  // rest_com is that of these lists
  // broad phase: the boxes of bodies that sleep or are static, sorted along an axis
  ctiBounds* resting;
  int nresting;  // -1: to be made
  int resting_axis;
  int* before;           // tree_asleep before somebody was woken by others, for a step that is taken again
  bool has_before;       // somebody was
  ctReal* rest_qpos;     // positions of the joints that sleep
  ctReal* rod_director;  // of rods with a rectangular section: 3 an element, from flex_plasticadr on
  ctReal rest_com[3];    // centre of mass of all trees that sleep, times their mass
} ctiAwake;

// A tree that has just been woken; it counts up to -1, when it may sleep.
#define CTI_MIN_AWAKE   10
#define CTI_FULLY_AWAKE (-(1 + CTI_MIN_AWAKE))

// Static geoms, where they are many: see data/scenery.h.
typedef struct ctiScenery {
  int ngeom;         // 0: few
  bool on;           // this step leaves out what is static
  bool trusted;      // the model cannot have changed since `numbers` were noted
  bool shared;       // ... nor will anybody before the next step: worlds of a batch share it
  uint64_t numbers;  // counts those of the model that were noted
  uint64_t frames;   // ... from which the frames in the data come. 0: others
  uint64_t tree;     // ... and the boxes
  // what moves
  ctiSpan *body_span, *geom_span;
  int nbody_span, ngeom_span;
  ctiBoxTree box_tree;
  ctReal margin;  // the largest of a static body
  // the model as it was noted
  const ctModel* model;
  uint64_t signature, updates;
  ctReal* number;
  ctByte* frame;
} ctiScenery;

// The metric that the discrete integrator solves in: M with what springs and dampers add to it over a step.
// It is the sum of a matrix in the pattern of M, of the stiffness of deformables (d->efm_K_*), and of squares
// of sparse rows. In the arena.
typedef struct ctiMetric {
  bool on;
  const ctReal *H, *LD, *Dinv;  // M, drag and the diagonal of joints, in the pattern of M; a factor with what
                                // all of the metric has on the diagonal
  int* K_rowsuper;              // of the stiffness of deformables: how many rows behind each have its columns
  ctReal* force;                // nv: smooth forces with the shift
  int nrow;                     // squares: scale times row' row
  int ncoupling;  // the first of them, which hold trees together; those behind belong to twists of rods
  int *rownnz, *rowadr, *colind;
  ctReal *value, *scale;
} ctiMetric;

// Pairs of geoms that cannot touch after a small motion: for those who look at nudged states again and again.
// A search among meshes that is bound to find nothing is left out. Host code.
typedef struct ctiApart {
  uint32_t* bits;  // of pair geom1 * ngeom + geom2
  ctReal slack;    // while pairs are noted: those that are farther than this beyond their reach; then 0
} ctiApart;

// What a step computes only when somebody reads it: the energy flag, sensors, or the outputs of a batch.
// Of a data of its own a caller may read anything (SHOWN), of a world of a batch only outputs.
typedef enum ctiNeed {
  CTI_NEED_ENERGY = 1,
  CTI_NEED_SUBTREE_VELOCITY = 2,
  CTI_NEED_BODY_FORCES = 4,
  CTI_NEED_SHOWN = 8
} ctiNeed;

// A data with what only the engine needs. Every ctData* points to the first member of one.
typedef struct ctiData {
  ctData open;

  // arena: arrays grow up from the bottom, scratch grows down from the top
  ctByte* arena;
  size_t parena;           // bytes used by arrays
  size_t parena_rows;      // bytes used by arrays without those of the solver
  size_t parena_metric;    // ... and without those of the metric
  size_t pstack;           // bytes used by scratch
  size_t arena_wanted;     // bytes a full arena would have needed; it grows, and the step is taken again
  const char* arena_full;  // who last asked for more than there was; NULL: nobody

  size_t arena_limit;     // bytes it may grow to, 0: no limit; see ct_data_set_arena_limit()
  uint64_t sizes_id;      // that of the model it was created for; calls refuse a data that does not fit
  ctiAwake awake;         // what a step computes
  ctiScenery scenery;     // what it leaves out
  ctiMetric metric;       // of this step
  ctReal* row_weight;     // in the arena: what rows of deformables weigh; NULL: there are none
  ctReal* cone_hessian;   // in the arena of a GPU's world, see cti_cone_hessian()
  unsigned lifetimes;     // ctiLifetime bits of what it has memory for
  unsigned needs;         // ctiNeed bits: what a step computes besides; kept by a reset
  ctiThreads* threads;    // NULL: none, and on the GPU
  ctiApart* apart;        // the same
  size_t nbuffer;         // bytes of this struct with its fixed arrays
  ctAllocator allocator;  // the model's
} ctiData;

// Worlds of a GPU have what their steps need, and no more.
#ifdef CTK_LEAN
#define CTI_LEAN 1
#else
#define CTI_LEAN 0
#endif

CT_INLINE ctiData* cti_data(ctData* d) {
  return (ctiData*)d;
}
CT_INLINE const ctiData* cti_data_const(const ctData* d) {
  return (const ctiData*)d;
}

// ---- where arrays lie ----

// Optional arrays are needed by few models, transient ones during a part of a step only. A world of a GPU has
// optional arrays where its model needs them, and transient ones in memory that they share, packed; any other
// data has all of them, without overlap and aligned for vector instructions. A lifetime says when an array is
// read.
typedef enum ctiLifetime {
  CTI_LIVE_MOMENTA = 1,     // of subtrees
  CTI_LIVE_FORCES = 2,      // on bodies, and their accelerations
  CTI_LIVE_INVERSE = 4,     // inverse dynamics
  CTI_LIVE_DERIVATIVE = 8,  // of forces by velocity
  CTI_LIVE_LU = 16,         // its factor, for the integrator `implicit`
  CTI_LIVE_SLEEP = 32,
  CTI_LIVE_WIDE = 64,  // all arrays, aligned
  // what somebody reads when its part of the step is over; the first three last until there are rows, and
  // sensors of positions have been read
  CTI_LIVE_SHAPES = 128,     // frames of geoms
  CTI_LIVE_FRAMES = 256,     // of joints and inertias
  CTI_LIVE_COMPOSITE = 512,  // inertias
  CTI_LIVE_VELOCITY = 1024,  // from velocities until the state advances
  CTI_LIVE_METRIC = 2048,    // the integrator
  CTI_LIVE_TERMS = 4096,     // of rows: position, margin, gains, velocity
  CTI_LIVE_SCENERY = 8192,   // never on a GPU
  CTI_LIVE_ALL = 16383
} ctiLifetime;
#define CTI_LIVE_POSITION  (CTI_LIVE_SHAPES | CTI_LIVE_FRAMES | CTI_LIVE_COMPOSITE)
#define CTI_LIVE_TRANSIENT (CTI_LIVE_POSITION | CTI_LIVE_VELOCITY | CTI_LIVE_METRIC)
// clang-format off
#define CTI_OPTIONAL_ARRAYS(X)                                                                         \
  X(subtree_linvel, MOMENTA) X(subtree_angmom, MOMENTA)                                              \
  X(cacc, FORCES) X(cfrc_int, FORCES) X(cfrc_ext, FORCES)                                            \
  X(qfrc_inverse, INVERSE) X(qDeriv, DERIVATIVE) X(qLU, LU)                                          \
  X(resting, SLEEP) X(rest_qpos, SLEEP) X(before, SLEEP)                                             \
  X(body_span, SCENERY) X(geom_span, SCENERY) X(box_tree_node, SCENERY) X(box_tree_box, SCENERY)\
  X(box_tree_member, SCENERY) X(scenery_number, SCENERY) X(scenery_frame, SCENERY)
#define CTI_TRANSIENT_ARRAYS(X)                                                                        \
  X(geom_xpos, SHAPES) X(geom_xquat, SHAPES) X(geom_xmat, SHAPES)                                    \
  X(xanchor, FRAMES) X(xaxis, FRAMES) X(xiquat, FRAMES) X(ximat, FRAMES)                             \
  X(crb, COMPOSITE)                                                                                  \
  X(cvel, VELOCITY) X(cdof_dot, VELOCITY) X(qfrc_spring, VELOCITY) X(qfrc_damper, VELOCITY)          \
  X(qfrc_gravcomp, VELOCITY) X(qfrc_fluid, VELOCITY) X(qfrc_adhesion, VELOCITY)                      \
  X(qfrc_passive, VELOCITY) X(qfrc_bias, VELOCITY)                                                   \
  X(qH, METRIC) X(qHDiagInv, METRIC)
// clang-format on

#define CTI_WIDE_ALIGN   64
#define CTI_PACKED_ALIGN 16

// Bytes of the fixed arrays of a model's data.
CT_FN size_t cti_data_array_bytes(const ctModel* m, unsigned lifetimes);

// Point the arrays of `d` into `block`, which has cti_data_array_bytes() bytes. Optional arrays that
// are not needed point to what comes next and must not be touched.
CT_FN void cti_data_lay_out(const ctModel* m, ctData* d, ctByte* block, unsigned lifetimes);

// Marks arrays as dead. Builds that test kernels fill them with NaN, so that late reads are caught; a data
// with memory of its own for them keeps them.
#if defined(CTK_POISON)
CT_FN void cti_data_end_life(const ctModel* m, ctData* d, unsigned lifetimes);
#else
CT_INLINE void cti_data_end_life(const ctModel* m, ctData* d, unsigned lifetimes) {
  (void)m, (void)d, (void)lifetimes;
}
#endif

// Rooms that the steps of a model need; that a field of the data needs to be read, and a field of the model
// to be another one in each world. Host code.
unsigned cti_model_lifetimes(const ctModel* m);
unsigned cti_field_lifetime(const char* field);
unsigned cti_value_lifetime(const char* field);

// Forget the arrays in the arena: every step begins with an empty one.
CT_FN void cti_data_clear_arena(ctData* d);

// The needs of a field of the data.
unsigned cti_data_needs(const char* field);

#ifndef __cplusplus
#include "model/fields.h"

// The row of a field of the data, NULL when there is none.
const ctiFieldRow* cti_data_field_row(const char* name);

// Whether both are there and the data is one of the model, or of another with the same sizes.
static inline bool cti_data_fits(const ctModel* m, const ctData* d) {
  return m && d && m->sizes_id == cti_data_const(d)->sizes_id;
}

// Memory for a data, in its default state.
ctStatus cti_data_create(ctData** out, const ctModel* m, ctError* err);

// Bytes that a data of a model with these sizes takes at most, without its arena.
int64_t cti_data_measure(const ctModel* sizes, ctiLargest* largest);
#endif

// ---- back to a known state. Step code: a GPU world resets itself ----

// Default state: everything computed becomes zero, warnings and timers too. The arena keeps its size.
CT_FN void cti_data_reset(const ctModel* m, ctData* d);

// The references of yielding springs that the model starts with.
CT_FN void cti_plastic_reference(ctReal* plastic, const ctModel* m);

// The state of a keyframe, on top of a reset.
CT_FN void cti_data_set_keyframe(const ctModel* m, ctData* d, int key);

// ---- growing the arena between steps: host code, the only heap call of a running simulation ----

// Make the arena as large as the last steps wanted. CT_OK (also when there is nothing to do) or
// CT_ERR_MEMORY.
ctStatus cti_data_grow(ctData* d);

#ifndef __cplusplus
// Scratch for a query between steps: the arena's, and where that does not suffice the heap's. What the last
// step left in the arena stays.
//   ctiLoan loan = cti_loan_begin(d);
//   do ...  // with scratch
//   while (cti_loan_more(&loan, d));
//   bool full = cti_loan_end(&loan, d);
typedef struct ctiLoan {
  ctByte* arena;
  size_t narena, parena, pstack, wanted, maxuse;
} ctiLoan;
ctiLoan cti_loan_begin(ctData* d);

// Whether something did not fit, and there is room for it now.
bool cti_loan_more(ctiLoan* loan, ctData* d);

// Whether something did not fit: there was no memory.
bool cti_loan_end(const ctiLoan* loan, ctData* d);
#endif

// ---- counting expected trouble ----

// One more warning of a kind, at an index.
CT_INLINE void cti_warn(ctData* d, ctWarningType type, int info) {
  d->warning[type].number++;
  d->warning[type].lastinfo = info;
}
