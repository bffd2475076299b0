// The words of step code, which is valid C17, valid C++17 and valid CUDA: what they mean on a CPU. Device
// code has read cuda/device.h before, which has the same words for a GPU.
//
// A world is run by a team of lanes, on a CPU by one. All lanes of a team run the same code with the same
// numbers, except inside loops that are split between them; what such a loop calls belongs to one lane and
// contains no such loop itself.
#pragma once

#include "corten/base.h"

#ifndef CT_FN
// ---- marks ----

#define CT_FN                       // a function of the step: every one has this mark or another of these
#define CT_INLINE static inline     // a small function that lives in a header
#define CT_KERNEL_NOINLINE          // a function with several callers that a GPU has once
#define CT_PLAIN_NOINLINE           // ... even in the solver of plain problems, where all else is inlined
#define CT_KERNEL_INLINE            // a stage: kernels have it in their own code
#define CT_KERNEL_INLINE_KEPT       // ... that other stages call, too
#define CT_CONST      static const  // a constant table
#define CT_UNROLL(n)  // before a loop: how far a GPU unrolls it, so that hot code fits into its cache
#if defined(__GNUC__)
#define CT_COLD __attribute__((noinline))  // a function that few models need: it stays out of its callers
#else
#define CT_COLD
#endif

#define CT_ON_HOST 1  // functions of the user can be called
#define CT_PLAIN   0  // 1 in the solver of plain problems (stage/solve/problem.h), which has no code for others

// ---- words of a team ----

#define CT_TEAM 1  // lanes of the team
#define CT_LANE 0  // this lane, 0 .. CT_TEAM - 1

// The lanes wait for each other and see what the others have written: behind every split loop, and before one
// that writes what was just read.
#define CT_TEAM_SYNC() ((void)0)

// Worlds wait for each other, to run the same code: for speed alone.
#define CT_BARRIER() ((void)0)

// The largest n of worlds beside each other, so that their arrays begin at the same place.
#define CT_WARP_MAX(n) (n)

// sum + x of lane 0, + x of lane 1, ...: the sum that a plain loop gives; only the first `left` lanes have an
// x. The same for three sums.
CT_INLINE ctReal cti_team_add(ctReal sum, ctReal x, int left) {
  (void)left;
  return sum + x;
}
CT_INLINE void cti_team_add3(ctReal sum[3], const ctReal x[3], int left) {
  (void)left;
  for (int i = 0; i < 3; i++) sum[i] += x[i];
}

// x of lane k, which may be another for each.
CT_INLINE ctReal cti_team_from(ctReal x, int k) {
  (void)k;
  return x;
}

// Is p true: in which lanes, as bits; in one of them; in how many; in how many before this one.
CT_INLINE unsigned cti_team_ballot(bool p) {
  return p;
}
CT_INLINE bool cti_team_any(bool p) {
  return p;
}
CT_INLINE int cti_team_count(bool p) {
  return p;
}
CT_INLINE int cti_team_rank(bool p) {
  (void)p;
  return 0;
}

// The largest n of the lanes.
CT_INLINE int cti_team_max(int n) {
  return n;
}

// The sum of n of the lanes before this one, and of all.
CT_INLINE int cti_team_before(int n, int* total) {
  *total = n;
  return 0;
}
#endif

// A loop over i < n, each i by one lane, in no particular order between lanes.
#ifndef CT_LANES
#define CT_LANES(i, n) for (int i = CT_LANE; i < (n); i += CT_TEAM)
#endif

// ---- of all processors ----

#if defined(__cplusplus) || defined(__GNUC__)
#define CT_RESTRICT __restrict__
#else
#define CT_RESTRICT restrict
#endif

// A literal in the engine's precision: float builds never compute in double.
#define CT_R(x) ((ctReal)(x))

#define CT_COUNT_OF(array) ((int)(sizeof(array) / sizeof((array)[0])))

// A constant copy of a struct of pointers and sizes: the compiler then knows that no store in the loops below
// can change them, and keeps them in registers.
#define CT_COPY(T, name, from) const T name = *(from)
