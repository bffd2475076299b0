// Stable merge sort: insertion-sorted runs, merged bottom-up between the array and scratch memory of the
// same size. No recursion, no allocation; equal keys keep their order. Step code.
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
    /* sort runs in place */                                                                       \
    for (int start = 0; start < n; start += CTI_SORT_RUN) {                                        \
      int end = n - start < CTI_SORT_RUN ? n : start + CTI_SORT_RUN;                               \
      for (int i = start + 1; i < end; i++) {                                                      \
        Type item = a[i];                                                                          \
        int k = i;                                                                                 \
        for (; k > start && LESS(item, a[k - 1], context); k--) a[k] = a[k - 1];                   \
        a[k] = item;                                                                               \
      }                                                                                            \
    }                                                                                              \
    /* merge neighbours from one buffer into the other, doubling the run */                        \
    Type *from = a, *to = scratch;                                                                 \
    for (ctSize run = CTI_SORT_RUN; run < n; run *= 2) {                                           \
      for (ctSize start = 0; start < n; start += 2 * run) {                                        \
        ctSize mid = n - start < run ? n : start + run;                                            \
        ctSize end = n - mid < run ? n : mid + run;                                                \
        ctSize left = start, right = mid;                                                          \
        for (ctSize k = start; k < end; k++) {                                                     \
          /* the right one only when strictly smaller: stable */                                   \
          int take_right = left == mid || (right < end && LESS(from[right], from[left], context)); \
          to[k] = take_right ? from[right++] : from[left++];                                       \
        }                                                                                          \
      }                                                                                            \
      Type* swap = from;                                                                           \
      from = to;                                                                                   \
      to = swap;                                                                                   \
    }                                                                                              \
    if (from != a) {                                                                               \
      for (int i = 0; i < n; i++) a[i] = from[i];                                                  \
    }                                                                                              \
  }
