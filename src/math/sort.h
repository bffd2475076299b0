// Stable merge sort: insertion-sorted runs, merged bottom-up between the array and scratch memory of the
// same size. No recursion, no allocation; equal keys keep their order. Step code; run by a whole team, which
// merges from single items on: each finds its place by itself.
//
// CTI_DEFINE_SORT makes a sort for another element type:
//   CTI_DEFINE_SORT(name, Type, Context, LESS)
// defines  static name(Type* a, int n, Type* scratch, Context context)  where LESS(x, y, context) says
// whether x must come before y. Context is a pointer type; pass NULL where it is not needed.
#pragma once

#include "base/fn.h"

#define CTI_SORT_RUN 16

#define CTI_DEFINE_SORT(name, Type, Context, LESS)                                                 \
  static CT_FN void name(Type* a, int n, Type* scratch, Context context) {                         \
    (void)context;                                                                                 \
    Type *from = a, *to = scratch;                                                                 \
    ctSize run = CT_TEAM > 1 ? 1 : CTI_SORT_RUN;                                                   \
    /* sort runs in place */                                                                       \
    for (int start = 0; start < n && run > 1; start += CTI_SORT_RUN) {                             \
      int end = n - start < CTI_SORT_RUN ? n : start + CTI_SORT_RUN;                               \
      for (int i = start + 1; i < end; i++) {                                                      \
        Type item = a[i];                                                                          \
        int k = i;                                                                                 \
        for (; k > start && LESS(item, a[k - 1], context); k--) a[k] = a[k - 1];                   \
        a[k] = item;                                                                               \
      }                                                                                            \
    }                                                                                              \
    /* merge neighbours from one buffer into the other, doubling the run */                        \
    for (; run < n; run *= 2) {                                                                    \
      /* by a team: behind those of its own run, and of the other one */                           \
      CT_LANES(i, CT_TEAM > 1 ? n : 0) {                                                           \
        ctSize start = i & -(2 * run);                                                             \
        ctSize mid = n - start < run ? n : start + run;                                            \
        ctSize end = n - mid < run ? n : mid + run;                                                \
        ctSize lo = i < mid ? mid : start, hi = i < mid ? end : mid;                               \
        while (lo < hi) {                                                                          \
          ctSize k = (lo + hi) / 2;                                                                \
          if (i < mid ? LESS(from[k], from[i], context) : !LESS(from[i], from[k], context)) {      \
            lo = k + 1;                                                                            \
          } else {                                                                                 \
            hi = k;                                                                                \
          }                                                                                        \
        }                                                                                          \
        to[i + lo - mid] = from[i];                                                                \
      }                                                                                            \
      for (ctSize start = 0; start < n && CT_TEAM == 1; start += 2 * run) {                        \
        ctSize mid = n - start < run ? n : start + run;                                            \
        ctSize end = n - mid < run ? n : mid + run;                                                \
        ctSize left = start, right = mid;                                                          \
        for (ctSize k = start; k < end; k++) {                                                     \
          /* the right one only when strictly smaller: stable */                                   \
          int take_right = left == mid || (right < end && LESS(from[right], from[left], context)); \
          to[k] = take_right ? from[right++] : from[left++];                                       \
        }                                                                                          \
      }                                                                                            \
      CT_TEAM_SYNC();                                                                              \
      Type* swap = from;                                                                           \
      from = to;                                                                                   \
      to = swap;                                                                                   \
    }                                                                                              \
    if (from != a) {                                                                               \
      CT_LANES(i, n) a[i] = from[i];                                                               \
      CT_TEAM_SYNC();                                                                              \
    }                                                                                              \
  }
