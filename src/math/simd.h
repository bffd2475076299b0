// Vector code for the few dense kernels that pay for it.
//
// cti_dot4: four dot products at once, sharing loads and overlapping additions, written with vectors
// because compilers do not find the 4 lanes reliably. The plain version adds in the same order.
//
// CTI_KERNEL, CTI_DISPATCH: a kernel is written once and compiled twice, for the base instruction set and for
// AVX2, chosen at run time. Neither contraction nor reassociation is allowed, so all versions give the same
// bits.
//
// CT_NO_SIMD, C++ and CUDA units and other processors get the plain versions.
//
// Measured in nanoseconds, plain / AVX2, an AMD EPYC, gcc 12 -O3, doubles, J of 2n x n:
//            J v          J' v         J' D J           Cholesky
//   n = 27   310 / 140    185 / 141    3606 / 3012      1380 / 860
//   n = 60   1216 / 526   868 / 497    33652 / 21166    10400 / 4450
//   n = 120  4987 / 1996  3369 / 1987  245110 / 145760  64600 / 29900
// A single cti_dot gains less (at most 1.6 at n = 64): its additions wait for each other, so it stays plain.
// Rank-one updates gain under 15 %. With 4 fixed lanes wider registers are not expected to help.
#pragma once

#include "math/dense.h"

#if defined(__GNUC__) && defined(__x86_64__) && !defined(__cplusplus) && !defined(CT_NO_SIMD)

#define CTI_KERNEL static inline __attribute__((always_inline))

// Define `name`, which runs the kernel `body` on the best instruction set at hand. `result`: return type;
// `give`: the word return, or nothing for void; `params`, `args`: parenthesised parameters and their names.
#define CTI_DISPATCH(result, give, name, body, params, args)         \
  __attribute__((target("avx2"))) static result body##_avx2 params { \
    give body args;                                                  \
  }                                                                  \
  result name params {                                               \
    if (__builtin_cpu_supports("avx2")) {                            \
      give body##_avx2 args;                                         \
    } else {                                                         \
      give body args;                                                \
    }                                                                \
  }

typedef ctReal ctiLanes __attribute__((vector_size(4 * sizeof(ctReal))));
// the same, wherever it lies in memory
typedef ctReal ctiLanesAt
    __attribute__((vector_size(4 * sizeof(ctReal)), aligned(sizeof(ctReal)), may_alias));

// out[k] = cti_dot(ak, b, n) for k < 4
CTI_KERNEL void cti_dot4(ctReal out[4], const ctReal* a0, const ctReal* a1, const ctReal* a2,
                         const ctReal* a3, const ctReal* b, int n) {
  ctiLanes l0 = {0, 0, 0, 0}, l1 = l0, l2 = l0, l3 = l0;
  int i = 0;
  for (; i <= n - 4; i += 4) {
    ctiLanes v = *(const ctiLanesAt*)(b + i);
    l0 += *(const ctiLanesAt*)(a0 + i) * v;
    l1 += *(const ctiLanesAt*)(a1 + i) * v;
    l2 += *(const ctiLanesAt*)(a2 + i) * v;
    l3 += *(const ctiLanesAt*)(a3 + i) * v;
  }
  out[0] = (l0[0] + l0[2]) + (l0[1] + l0[3]);
  out[1] = (l1[0] + l1[2]) + (l1[1] + l1[3]);
  out[2] = (l2[0] + l2[2]) + (l2[1] + l2[3]);
  out[3] = (l3[0] + l3[2]) + (l3[1] + l3[3]);
  if (i < n) {
    ctReal t0 = a0[i] * b[i], t1 = a1[i] * b[i], t2 = a2[i] * b[i], t3 = a3[i] * b[i];
    for (i++; i < n; i++) {
      t0 += a0[i] * b[i];
      t1 += a1[i] * b[i];
      t2 += a2[i] * b[i];
      t3 += a3[i] * b[i];
    }
    out[0] += t0;
    out[1] += t1;
    out[2] += t2;
    out[3] += t3;
  }
}

#else

#define CTI_KERNEL CT_INLINE

#define CTI_DISPATCH(result, give, name, body, params, args) \
  CT_FN result name params {                                 \
    give body args;                                          \
  }

CT_INLINE void cti_dot4(ctReal out[4], const ctReal* a0, const ctReal* a1, const ctReal* a2, const ctReal* a3,
                        const ctReal* b, int n) {
  const ctReal* const a[4] = {a0, a1, a2, a3};
  ctReal lane[4][4] = {{0, 0, 0, 0}, {0, 0, 0, 0}, {0, 0, 0, 0}, {0, 0, 0, 0}};
  int i = 0;
  CT_UNROLL(2)
  for (; i <= n - 4; i += 4) {
    for (int k = 0; k < 4; k++) {
      ctReal v = b[i + k];
      for (int r = 0; r < 4; r++) lane[r][k] += a[r][i + k] * v;
    }
  }
  for (int r = 0; r < 4; r++) out[r] = (lane[r][0] + lane[r][2]) + (lane[r][1] + lane[r][3]);
  if (i == n) return;
  for (int r = 0; r < 4; r++) {
    ctReal tail = a[r][i] * b[i];
    if (i + 1 < n) tail += a[r][i + 1] * b[i + 1];
    if (i + 2 < n) tail += a[r][i + 2] * b[i + 2];
    out[r] += tail;
  }
}

#endif

// The same for rows of a matrix.
CTI_KERNEL void cti_dot_rows4(ctReal out[4], const ctReal* a, int stride, const ctReal* b, int n) {
  cti_dot4(out, a, a + stride, a + 2 * stride, a + 3 * stride, b, n);
}
