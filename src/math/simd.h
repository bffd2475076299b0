// Vector code for the few dense kernels that pay for it.
//
// cti_dot4: four dot products at once, sharing loads and overlapping additions, written with vectors
// because compilers do not find the 4 lanes reliably. The plain version adds in the same order. So do
// cti_dot_sparse4 and cti_add_scaled_sparse4, for rows with the same columns, and cti_row_add, for short
// rows.
//
// CTI_SIMD_FN, CTI_SIMD_DISPATCH: a kernel is written once and compiled twice, for the base instruction set
// and for AVX2, chosen at run time. Neither contraction nor reassociation is allowed, so all versions give
// the same bits. CTI_SIMD_STAGE is a stage as a kernel: its few vectors gain as well, and none of its
// instructions has to copy an operand first.
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

#include "math/quat.h"
#include "math/sparse.h"

// Do four ascending indices follow each other?
CT_INLINE bool cti_is_run4(const int ind[4]) {
  return ind[3] - ind[0] == 3;
}

#if defined(__GNUC__) && defined(__x86_64__) && !defined(__cplusplus) && !defined(CT_NO_SIMD)

#define CTI_SIMD_FN    static inline __attribute__((always_inline))
#define CTI_SIMD_STAGE CTI_SIMD_FN

// Define `name`, which runs `body` on the best instruction set at hand. `word`: of step code,
// CT_FN in CTI_SIMD_DISPATCH; `result`: return type; `give`: the word return, or nothing for void; `params`,
// `args`: parenthesised parameters and their names.
#define CTI_SIMD_DISPATCH_AS(word, result, give, name, body, params, args) \
  __attribute__((target("avx2"))) static result body##_avx2 params {       \
    give body args;                                                        \
  }                                                                        \
  word result name params {                                                \
    if (__builtin_cpu_supports("avx2")) {                                  \
      give body##_avx2 args;                                               \
    } else {                                                               \
      give body args;                                                      \
    }                                                                      \
  }

#define CTI_SIMD
typedef ctReal ctiVec4 __attribute__((vector_size(4 * sizeof(ctReal))));
// what comparing them gives, and a where it is true, b elsewhere
#ifdef CT_SINGLE
typedef int32_t ctiMask4 __attribute__((vector_size(4 * sizeof(int32_t))));
#else
typedef int64_t ctiMask4 __attribute__((vector_size(4 * sizeof(int64_t))));
#endif
#define CTI_VEC4_PICK(mask, a, b) ((ctiVec4)(((ctiMask4)(a) & (mask)) | ((ctiMask4)(b) & ~(mask))))
// the same, wherever it lies in memory
typedef ctReal ctiVec4At __attribute__((vector_size(4 * sizeof(ctReal)), aligned(sizeof(ctReal)), may_alias));

typedef ctReal ctiPairAt __attribute__((vector_size(2 * sizeof(ctReal)), aligned(sizeof(ctReal)), may_alias));

// r += s a, for short rows that do not overlap
CTI_SIMD_FN void cti_row_add(ctReal* CT_RESTRICT r, const ctReal* CT_RESTRICT a, ctReal s, int n) {
  int k = 0;
  for (; k <= n - 8; k += 8) {
    *(ctiVec4At*)(r + k) += s * *(const ctiVec4At*)(a + k);
    *(ctiVec4At*)(r + k + 4) += s * *(const ctiVec4At*)(a + k + 4);
  }
  if (n & 4) {
    *(ctiVec4At*)(r + k) += s * *(const ctiVec4At*)(a + k);
    k += 4;
  }
  if (n & 2) *(ctiPairAt*)(r + k) += s * *(const ctiPairAt*)(a + k);
  if (n & 1) r[n - 1] += s * a[n - 1];
}

// r += s a, then r += t b
CTI_SIMD_FN void cti_row_add_two(ctReal* CT_RESTRICT r, const ctReal* CT_RESTRICT a, ctReal s,
                                 const ctReal* CT_RESTRICT b, ctReal t, int n) {
  int k = 0;
  for (; k <= n - 4; k += 4) {
    ctiVec4At* to = (ctiVec4At*)(r + k);
    *to = (*to + s * *(const ctiVec4At*)(a + k)) + t * *(const ctiVec4At*)(b + k);
  }
  if (n & 2) {
    ctiPairAt* to = (ctiPairAt*)(r + k);
    *to = (*to + s * *(const ctiPairAt*)(a + k)) + t * *(const ctiPairAt*)(b + k);
  }
  if (n & 1) r[n - 1] = (r[n - 1] + s * a[n - 1]) + t * b[n - 1];
}

// r += s[0] a[0], then s[1] a[1], and so on for `count` rows that do not overlap r
CTI_SIMD_FN void cti_row_add_each(ctReal* CT_RESTRICT r, const ctReal* const* a, const ctReal* s, int count,
                                  int n) {
  int k = 0;
  for (; k <= n - 4; k += 4) {
    ctiVec4 sum = *(const ctiVec4At*)(r + k);
    for (int i = 0; i < count; i++) sum += s[i] * *(const ctiVec4At*)(a[i] + k);
    *(ctiVec4At*)(r + k) = sum;
  }
  if (n & 2) {
    ctiPairAt pair = *(const ctiPairAt*)(r + k);
    for (int i = 0; i < count; i++) pair += s[i] * *(const ctiPairAt*)(a[i] + k);
    *(ctiPairAt*)(r + k) = pair;
    k += 2;
  }
  if (n & 1) {
    for (int i = 0; i < count; i++) r[k] += s[i] * a[i][k];
  }
}

// r += (s[0] a[0] + s[1] a[1]) + (s[2] a[2] + s[3] a[3]), from element `first` of each a on
CTI_SIMD_FN void cti_row_add_four(ctReal* CT_RESTRICT r, const ctReal* const a[4], int first,
                                  const ctReal s[4], int n) {
  const ctReal *a0 = a[0] + first, *a1 = a[1] + first, *a2 = a[2] + first, *a3 = a[3] + first;
  int k = 0;
  for (; k <= n - 4; k += 4) {
    *(ctiVec4At*)(r + k) += (s[0] * *(const ctiVec4At*)(a0 + k) + s[1] * *(const ctiVec4At*)(a1 + k)) +
                            (s[2] * *(const ctiVec4At*)(a2 + k) + s[3] * *(const ctiVec4At*)(a3 + k));
  }
  if (n & 2) {
    *(ctiPairAt*)(r + k) += (s[0] * *(const ctiPairAt*)(a0 + k) + s[1] * *(const ctiPairAt*)(a1 + k)) +
                            (s[2] * *(const ctiPairAt*)(a2 + k) + s[3] * *(const ctiPairAt*)(a3 + k));
    k += 2;
  }
  if (n & 1) r[k] += (s[0] * a0[k] + s[1] * a1[k]) + (s[2] * a2[k] + s[3] * a3[k]);
}

// r[k] += a[k] s for k < 4
CTI_SIMD_FN void cti_vec4_add(ctReal r[4], const ctReal a[4], ctReal s) {
  *(ctiVec4At*)r += *(const ctiVec4At*)a * s;
}

// cti_quat_mul(); slow when b was just written number by number
CTI_SIMD_FN void cti_vec4_quat_mul(ctReal r[4], const ctReal a[4], const ctReal b[4]) {
  const ctiVec4 v = *(const ctiVec4At*)b;
  const ctiVec4 x = {v[1], v[0], v[3], v[2]}, y = {v[2], v[3], v[0], v[1]}, z = {v[3], v[2], v[1], v[0]};
  const ctiVec4 sign_x = {-1, 1, -1, 1}, sign_y = {-1, 1, 1, -1}, sign_z = {-1, -1, 1, 1};
  *(ctiVec4At*)r = (a[0] * v + a[1] * (sign_x * x)) + (a[2] * (sign_y * y) + a[3] * (sign_z * z));
}

// sum + a[3] b[3], then + a[2] b[2], down to a[0] b[0]
CTI_SIMD_FN ctReal cti_add_down4(ctReal sum, const ctReal a[4], const ctReal b[4]) {
  const ctiVec4 product = *(const ctiVec4At*)a * *(const ctiVec4At*)b;
  return (((sum + product[3]) + product[2]) + product[1]) + product[0];
}

// sum - a[3] b[3], then - a[2] b[2], down to a[0] b[0]
CTI_SIMD_FN ctReal cti_sub_down4(ctReal sum, const ctReal a[4], const ctReal b[4]) {
  const ctiVec4 product = *(const ctiVec4At*)a * *(const ctiVec4At*)b;
  return (((sum - product[3]) - product[2]) - product[1]) - product[0];
}

// cti_dot_sparse() for indices most of which follow each other.
CTI_SIMD_FN ctReal cti_dot_runs(const ctReal* value, const int* ind, const ctReal* dense, int nnz) {
  ctiVec4 lane = {0, 0, 0, 0};
  int i = 0;
  for (; i <= nnz - 4; i += 4) {
    const int* at = ind + i;
    if (cti_is_run4(at)) {
      lane += *(const ctiVec4At*)(value + i) * *(const ctiVec4At*)(dense + at[0]);
    } else {
      const ctiVec4 v = {dense[at[0]], dense[at[1]], dense[at[2]], dense[at[3]]};
      lane += *(const ctiVec4At*)(value + i) * v;
    }
  }
  ctReal sum = (lane[0] + lane[2]) + (lane[1] + lane[3]);
  for (; i < nnz; i++) sum += value[i] * dense[ind[i]];
  return sum;
}

// cti_add_scaled_sparse(), likewise.
CTI_SIMD_FN void cti_add_scaled_runs(ctReal* CT_RESTRICT dense, const ctReal* CT_RESTRICT value,
                                     const int* CT_RESTRICT ind, ctReal s, int nnz) {
  int i = 0;
  for (; i <= nnz - 4; i += 4) {
    if (cti_is_run4(ind + i)) {
      cti_vec4_add(dense + ind[i], value + i, s);
    } else {
      for (int k = i; k < i + 4; k++) dense[ind[k]] += s * value[k];
    }
  }
  for (; i < nnz; i++) dense[ind[i]] += s * value[i];
}

// out[k] = cti_dot(ak, b, n) for k < 4
CTI_SIMD_FN void cti_dot4(ctReal out[4], const ctReal* a0, const ctReal* a1, const ctReal* a2,
                          const ctReal* a3, const ctReal* b, int n) {
  ctiVec4 l0 = {0, 0, 0, 0}, l1 = l0, l2 = l0, l3 = l0;
  int i = 0;
  for (; i <= n - 4; i += 4) {
    ctiVec4 v = *(const ctiVec4At*)(b + i);
    l0 += *(const ctiVec4At*)(a0 + i) * v;
    l1 += *(const ctiVec4At*)(a1 + i) * v;
    l2 += *(const ctiVec4At*)(a2 + i) * v;
    l3 += *(const ctiVec4At*)(a3 + i) * v;
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

// out[k] = cti_dot_sparse(a[k], ind, b, nnz) for k < 4
CTI_SIMD_FN void cti_dot_sparse4(ctReal out[4], const ctReal* const a[4], const int* ind, const ctReal* b,
                                 int nnz) {
  const ctReal *a0 = a[0], *a1 = a[1], *a2 = a[2], *a3 = a[3];
  ctiVec4 l0 = {0, 0, 0, 0}, l1 = l0, l2 = l0, l3 = l0;
  int i = 0;
  for (; i <= nnz - 4; i += 4) {
    ctiVec4 v = {b[ind[i]], b[ind[i + 1]], b[ind[i + 2]], b[ind[i + 3]]};
    l0 += *(const ctiVec4At*)(a0 + i) * v;
    l1 += *(const ctiVec4At*)(a1 + i) * v;
    l2 += *(const ctiVec4At*)(a2 + i) * v;
    l3 += *(const ctiVec4At*)(a3 + i) * v;
  }
  ctReal s0 = (l0[0] + l0[2]) + (l0[1] + l0[3]), s1 = (l1[0] + l1[2]) + (l1[1] + l1[3]);
  ctReal s2 = (l2[0] + l2[2]) + (l2[1] + l2[3]), s3 = (l3[0] + l3[2]) + (l3[1] + l3[3]);
  for (; i < nnz; i++) {
    ctReal v = b[ind[i]];
    s0 += a0[i] * v;
    s1 += a1[i] * v;
    s2 += a2[i] * v;
    s3 += a3[i] * v;
  }
  out[0] = s0;
  out[1] = s1;
  out[2] = s2;
  out[3] = s3;
}

#else

#define CTI_SIMD_FN    CT_INLINE
#define CTI_SIMD_STAGE static CT_KERNEL_INLINE

#define CTI_SIMD_DISPATCH_AS(word, result, give, name, body, params, args) \
  word result name params {                                                \
    give body args;                                                        \
  }

CT_INLINE void cti_vec4_add(ctReal r[4], const ctReal a[4], ctReal s) {
  for (int k = 0; k < 4; k++) r[k] += a[k] * s;
}

CT_INLINE void cti_vec4_quat_mul(ctReal r[4], const ctReal a[4], const ctReal b[4]) {
  cti_quat_mul(r, a, b);
}

CT_INLINE ctReal cti_add_down4(ctReal sum, const ctReal a[4], const ctReal b[4]) {
  for (int k = 3; k >= 0; k--) sum += a[k] * b[k];
  return sum;
}

CT_INLINE ctReal cti_sub_down4(ctReal sum, const ctReal a[4], const ctReal b[4]) {
  for (int k = 3; k >= 0; k--) sum -= a[k] * b[k];
  return sum;
}

CT_INLINE ctReal cti_dot_runs(const ctReal* value, const int* ind, const ctReal* dense, int nnz) {
  return cti_dot_sparse(value, ind, dense, nnz);
}

CT_INLINE void cti_add_scaled_runs(ctReal* CT_RESTRICT dense, const ctReal* CT_RESTRICT value,
                                   const int* CT_RESTRICT ind, ctReal s, int nnz) {
  cti_add_scaled_sparse(dense, value, ind, s, nnz);
}

// Lanes whose rows have different lengths run the tails of loops that are unrolled one after the other.
CT_INLINE void cti_row_add(ctReal* CT_RESTRICT r, const ctReal* CT_RESTRICT a, ctReal s, int n) {
  CT_UNROLL(1)
  for (; n > 1; n -= 2, r += 2, a += 2) {
    r[0] += s * a[0];
    r[1] += s * a[1];
  }
  if (n > 0) r[0] += s * a[0];
}

CT_INLINE void cti_row_add_two(ctReal* CT_RESTRICT r, const ctReal* CT_RESTRICT a, ctReal s,
                               const ctReal* CT_RESTRICT b, ctReal t, int n) {
  CT_UNROLL(1)
  for (; n > 1; n -= 2, r += 2, a += 2, b += 2) {
    r[0] = (r[0] + s * a[0]) + t * b[0];
    r[1] = (r[1] + s * a[1]) + t * b[1];
  }
  if (n > 0) r[0] = (r[0] + s * a[0]) + t * b[0];
}

CT_INLINE void cti_row_add_each(ctReal* CT_RESTRICT r, const ctReal* const* a, const ctReal* s, int count,
                                int n) {
  for (int i = 0; i < count; i++) cti_row_add(r, a[i], s[i], n);
}

CT_INLINE void cti_row_add_four(ctReal* CT_RESTRICT r, const ctReal* const a[4], int first, const ctReal s[4],
                                int n) {
  const ctReal *a0 = a[0] + first, *a1 = a[1] + first, *a2 = a[2] + first, *a3 = a[3] + first;
  for (int k = 0; k < n; k++) r[k] += (s[0] * a0[k] + s[1] * a1[k]) + (s[2] * a2[k] + s[3] * a3[k]);
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

CT_INLINE void cti_dot_sparse4(ctReal out[4], const ctReal* const a[4], const int* ind, const ctReal* b,
                               int nnz) {
  ctReal lane[4][4] = {{0, 0, 0, 0}, {0, 0, 0, 0}, {0, 0, 0, 0}, {0, 0, 0, 0}};
  int i = 0;
  CT_UNROLL(1)
  for (; i <= nnz - 4; i += 4) {
    for (int k = 0; k < 4; k++) {
      ctReal v = b[ind[i + k]];
      for (int r = 0; r < 4; r++) lane[r][k] += a[r][i + k] * v;
    }
  }
  for (int r = 0; r < 4; r++) out[r] = (lane[r][0] + lane[r][2]) + (lane[r][1] + lane[r][3]);
  CT_UNROLL(1)
  for (; i < nnz; i++) {
    ctReal v = b[ind[i]];
    for (int r = 0; r < 4; r++) out[r] += a[r][i] * v;
  }
}

#endif

#define CTI_SIMD_DISPATCH(result, give, name, body, params, args) \
  CTI_SIMD_DISPATCH_AS(CT_FN, result, give, name, body, params, args)

// The same for rows of a matrix.
CTI_SIMD_FN void cti_dot_rows4(ctReal out[4], const ctReal* a, int stride, const ctReal* b, int n) {
  cti_dot4(out, a, a + stride, a + 2 * stride, a + 3 * stride, b, n);
}

// dense += s[0] a[0], then s[1] a[1], ... at the places `ind`
CTI_SIMD_FN void cti_add_scaled_sparse4(ctReal* CT_RESTRICT dense, const ctReal* const a[4],
                                        const int* CT_RESTRICT ind, const ctReal s[4], int nnz) {
  const ctReal *a0 = a[0], *a1 = a[1], *a2 = a[2], *a3 = a[3];
  ctReal s0 = s[0], s1 = s[1], s2 = s[2], s3 = s[3];
  CT_UNROLL(2)
  for (int i = 0; i < nnz; i++) {
    ctReal sum = dense[ind[i]] + s0 * a0[i];
    sum += s1 * a1[i];
    sum += s2 * a2[i];
    dense[ind[i]] = sum + s3 * a3[i];
  }
}
