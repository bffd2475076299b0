// The words of step code (base/fn.h) as they are on a GPU. Device code reads this before everything else:
// units.cmake begins each unit with it.
//
// Device code is compiled in three variants, each a library of its own: `threads` and `teams`, which run
// worlds, and `plain`, the solver that teams have for plain problems. Macros of the build:
//
//   macro        set in             what it means
//   CTK_THREADS  threads            a world is run by one thread: CT_TEAM is 1
//   CTK_TEAMS    teams              a world is run by a team of 8, 16 or 32 lanes, part by part of a step;
//                                   kernels have their stages in their own code
//   CTK_PLAIN    plain              CT_PLAIN is 1: code for plain problems alone, all of it inlined
//   CTK_LANES    plain: 32          the lanes of a team; teams find them in their launch
//   CTK_LEAN     all three          data is that of a world of a batch: what its steps need, and no more
//   CTK_POISON   none; all three    arrays that are dead are filled with NaN, so that late reads are caught;
//                in tests/cuda      a plain problem that gets less memory than was said ends the program
//   CT_SINGLE    all three; not in  ctReal is float; on a CPU with CORTEN_SINGLE, also in programs for such a
//                corten_cuda_f64    library
//   CT_NO_SIMD   none               no vector code; only the CPU has any (math/simd.h), and this with
//                                   CORTEN_SIMD off
//
// Step sources that are compiled one by one (tests/gates/gpu_unit.sh) have neither of the first three: teams
// whose stages are functions. The build for a CPU has none that begins with CTK_.
#pragma once

#include "corten/base.h"

// ---- marks ----

#if defined(CTK_PLAIN)
#define CT_PLAIN 1
#else
#define CT_PLAIN 0
#endif

#define CT_PRAGMA(text) _Pragma(#text)
#define CT_UNROLL(n)    CT_PRAGMA(unroll n)
#ifdef __CUDA_ARCH__
#define CTI_NOT_INLINE __noinline__
#else  // the host's compiler wonders at such words
#define CTI_NOT_INLINE
#endif
#if CT_PLAIN
#define CT_FN                 __forceinline__ __device__
#define CT_KERNEL_NOINLINE    __forceinline__ __device__
#define CT_PLAIN_NOINLINE     inline __device__ CTI_NOT_INLINE
#define CT_KERNEL_INLINE      __forceinline__ __device__
#define CT_KERNEL_INLINE_KEPT CT_KERNEL_INLINE
#define CT_COLD               __device__
#else
#define CT_FN              __device__
#define CT_KERNEL_NOINLINE __device__ CTI_NOT_INLINE
#define CT_PLAIN_NOINLINE  __device__
#ifdef CTK_TEAMS
#define CT_KERNEL_INLINE      __forceinline__ __device__
#define CT_KERNEL_INLINE_KEPT CT_KERNEL_INLINE __attribute__((used))
#else
#define CT_KERNEL_INLINE      __device__
#define CT_KERNEL_INLINE_KEPT CT_KERNEL_INLINE
#endif
#define CT_COLD __device__ CTI_NOT_INLINE
#endif
#define CT_INLINE static inline __device__
#define CT_CONST  static __device__ const

#if defined(__CUDA_ARCH__)
#define CT_ON_HOST 0
#else
#define CT_ON_HOST 1
#endif

// ---- words of a team ----

// One lane, where worlds are run by threads; else neighbours in a warp, which are the x of a block. Where
// their number is known the code is much shorter.
#ifdef CTK_THREADS
#define CT_TEAM 1
#define CT_LANE 0
#elif defined(CTK_LANES)
#define CT_TEAM CTK_LANES
#define CT_LANE ((int)threadIdx.x)
#else
#define CT_TEAM cti_team_lanes()
#define CT_LANE ((int)threadIdx.x)
static inline __device__ int cti_team_lanes(void) {
  int lanes = (int)blockDim.x;
  __builtin_assume(lanes >= 8 && lanes <= 32);
  return lanes;
}
#endif

// Thread by thread: worlds of a warp may arrive from different places, or a different number of times.
#define CT_BARRIER()                                                \
  do {                                                              \
    if (CT_TEAM == 1) asm volatile("barrier.sync 0;" ::: "memory"); \
  } while (0)
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800
#define CT_WARP_MAX(n) (n)
#else
#define CT_WARP_MAX(n) (CT_TEAM == 1 ? (size_t)__reduce_max_sync(__activemask(), (unsigned)(n)) : (size_t)(n))
#endif

#if CT_PLAIN  // most of these loops run once
#define CT_LANES(i, n) CT_UNROLL(1) for (int i = CT_LANE; i < (n); i += CT_TEAM)
#endif

// The lanes of this team among those of the warp.
CT_INLINE unsigned cti_team_mask(void) {
  if (CT_TEAM == 32) return 0xffffffffu;
  return (0xffffffffu >> (32 - CT_TEAM)) << (threadIdx.y * CT_TEAM & 31);
}
CT_INLINE void cti_team_sync(void) {
  if (CT_TEAM > 1) __syncwarp(cti_team_mask());
}
#define CT_TEAM_SYNC() cti_team_sync()

// Numbers are handed from lane to lane through shared memory, four for each: with masks that are not constant
// the shuffles of a warp cost far more.
typedef struct __align__(16) ctiFour {
  ctReal x[4];
}
ctiFour;
typedef struct __align__(16) ctiFourInts {
  int x[4];
}
ctiFourInts;
extern __shared__ ctiFour cti_box[];
#define CTI_BOX_BYTES sizeof(ctiFour)  // for each thread of a block

CT_INLINE ctiFour* cti_team_box(void) {
  return cti_box + threadIdx.y * CT_TEAM;
}

// What lanes without an x add: unlike zero it changes no sum, not even minus zero.
#define CTI_NOTHING ((ctReal)-0.0)

CT_INLINE ctReal cti_team_add(ctReal sum, ctReal x, int left) {
  if (CT_TEAM == 1) return sum + x;
  const int n = left < CT_TEAM ? left : CT_TEAM;
  const ctiFour* box = cti_team_box();
  ((ctReal*)box)[CT_LANE] = CT_LANE < n ? x : CTI_NOTHING;
  CT_TEAM_SYNC();
  CT_UNROLL(2)
  for (int k = 0; k < n; k += 4) {
    const ctiFour v = box[k / 4];
    sum += v.x[0];
    sum += v.x[1];
    sum += v.x[2];
    sum += v.x[3];
  }
  CT_TEAM_SYNC();
  return sum;
}
CT_INLINE void cti_team_add3(ctReal sum[3], const ctReal x[3], int left) {
  if (CT_TEAM == 1) {
    for (int i = 0; i < 3; i++) sum[i] += x[i];
    return;
  }
  const int n = left < CT_TEAM ? left : CT_TEAM;
  ctiFour* box = cti_team_box();
#if CT_PLAIN
  // lane k adds up the sum k % 4, of which there are three
  const ctReal none = CTI_NOTHING;
  const ctiFour mine = {{CT_LANE < n ? x[0] : none, CT_LANE < n ? x[1] : none, CT_LANE < n ? x[2] : none, 0}};
  const int which = CT_LANE & 3;
  ctReal part = which == 0 ? sum[0] : which == 1 ? sum[1] : sum[2];
  box[CT_LANE] = mine;
  CT_TEAM_SYNC();
  CT_UNROLL(1)
  for (int k = 0; k < n; k += 4) {
    for (int i = 0; i < 4; i++) part += box[k + i].x[which];
  }
  for (int i = 0; i < 3; i++) sum[i] = __shfl_sync(0xffffffffu, part, i);
  CT_TEAM_SYNC();
  return;
#endif
  ctiFour own = {{x[0], x[1], x[2], 0}};
  box[CT_LANE] = own;
  CT_TEAM_SYNC();
  ctReal a = sum[0], b = sum[1], c = sum[2];
  CT_UNROLL(4)
  for (int k = 0; k < n; k++) {
    const ctiFour v = box[k];
    a += v.x[0];
    b += v.x[1];
    c += v.x[2];
  }
  sum[0] = a;
  sum[1] = b;
  sum[2] = c;
  CT_TEAM_SYNC();
}
CT_INLINE ctReal cti_team_from(ctReal x, int k) {
  if (CT_TEAM == 1) return x;
  if (CT_TEAM == 32) return __shfl_sync(0xffffffffu, x, k);
  ctReal* box = (ctReal*)cti_team_box();
  box[CT_LANE] = x;
  CT_TEAM_SYNC();
  x = box[k];
  CT_TEAM_SYNC();
  return x;
}
CT_INLINE unsigned cti_team_ballot(bool p) {
  if (CT_TEAM == 1) return p;
  if (CT_TEAM == 32) return __ballot_sync(0xffffffffu, p);
  return __ballot_sync(cti_team_mask(), p) >> (threadIdx.y * CT_TEAM & 31) & (0xffffffffu >> (32 - CT_TEAM));
}
CT_INLINE bool cti_team_any(bool p) {
  return CT_TEAM == 1 ? p : cti_team_ballot(p) != 0;
}
CT_INLINE int cti_team_count(bool p) {
  return CT_TEAM == 1 ? (int)p : __popc(cti_team_ballot(p));
}
CT_INLINE int cti_team_rank(bool p) {
  return CT_TEAM == 1 ? 0 : __popc(cti_team_ballot(p) & ((1u << CT_LANE) - 1));
}
CT_INLINE int cti_team_max(int n) {
  if (CT_TEAM == 1) return n;
#if defined(CTK_LANES) && __CUDA_ARCH__ >= 800
  if (CT_TEAM == 32) return __reduce_max_sync(0xffffffffu, n);
#endif
  int* box = (int*)cti_team_box();
  box[CT_LANE] = n;
  CT_TEAM_SYNC();
  for (int k = 0; k < CT_TEAM; k++) n = box[k] > n ? box[k] : n;
  CT_TEAM_SYNC();
  return n;
}
CT_INLINE int cti_team_before(int n, int* total) {
  if (CT_TEAM == 1) {
    *total = n;
    return 0;
  }
  int* box = (int*)cti_team_box();
  int before = 0, sum = 0;
  box[CT_LANE] = n;
  CT_TEAM_SYNC();
  CT_UNROLL(4)
  for (int k = 0; k < CT_TEAM; k++) {
    before = k == CT_LANE ? sum : before;
    sum += box[k];
  }
  CT_TEAM_SYNC();
  *total = sum;
  return before;
}
