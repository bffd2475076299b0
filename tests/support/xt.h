// A thin layer over cmocka: tests register themselves, messages carry values.
//   XT_TEST(suite, claim) { ... }   as often as wanted, then   XT_MAIN()
#pragma once

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
// cmocka wants the four above first
#include <cmocka.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "corten/base.h"

// The tests of a program, in the order of their lines.
#define XT_MOST 256
static struct CMUnitTest xt_tests_[XT_MOST];
static int xt_lines_[XT_MOST];
static int xt_count_;

static inline void xt_add_(int line, const char* name, CMUnitTestFunction run) {
  if (xt_count_ == XT_MOST) abort();
  int at = xt_count_++;
  for (; at > 0 && xt_lines_[at - 1] > line; at--) {
    xt_tests_[at] = xt_tests_[at - 1];
    xt_lines_[at] = xt_lines_[at - 1];
  }
  xt_tests_[at] = (struct CMUnitTest)cmocka_unit_test_prestate_setup_teardown(run, NULL, NULL, NULL);
  xt_tests_[at].name = name;
  xt_lines_[at] = line;
}

// A program without tests fails: its file would look as if it tested something.
static inline int xt_run_(const char* file, CMFixtureFunction setup, CMFixtureFunction teardown) {
  if (xt_count_ > 0) return _cmocka_run_group_tests(file, xt_tests_, (size_t)xt_count_, setup, teardown);
  fprintf(stderr, "%s: no XT_TEST\n", file);
  return 1;
}

// Each test has a constructor that adds it; constructors may run in any order.
#define XT_TEST(suite, claim)                                              \
  static void suite##__##claim(void**);                                    \
  __attribute__((constructor)) static void suite##__##claim##__add(void) { \
    xt_add_(__LINE__, #suite "__" #claim, suite##__##claim);               \
  }                                                                        \
  static void suite##__##claim(__attribute__((unused)) void** xt_state_)

// The first runs before all tests, the second after them; either may be NULL.
#define XT_MAIN_WITH(setup, teardown)          \
  int main(void) {                             \
    return xt_run_(__FILE__, setup, teardown); \
  }
#define XT_MAIN() XT_MAIN_WITH(NULL, NULL)

#define XT_TRUE(condition)                                                            \
  do {                                                                                \
    if (!(condition)) fail_msg("%s:%d: %s is false", __FILE__, __LINE__, #condition); \
  } while (0)
#define XT_INT(a, b)                                                                                        \
  do {                                                                                                      \
    long long xt_a_ = (long long)(a), xt_b_ = (long long)(b);                                               \
    if (xt_a_ != xt_b_) fail_msg("%s:%d: %s is %lld, expected %lld", __FILE__, __LINE__, #a, xt_a_, xt_b_); \
  } while (0)
#define XT_TEXT(a, b)                                                               \
  do {                                                                              \
    const char *xt_a_ = (a), *xt_b_ = (b);                                          \
    if (strcmp(xt_a_, xt_b_) != 0)                                                  \
      fail_msg("%s:%d: \"%s\", expected \"%s\"", __FILE__, __LINE__, xt_a_, xt_b_); \
  } while (0)
#define XT_HAS(text, part)                                                                               \
  do {                                                                                                   \
    const char *xt_a_ = (text), *xt_b_ = (part);                                                         \
    if (!strstr(xt_a_, xt_b_)) fail_msg("%s:%d: \"%s\" lacks \"%s\"", __FILE__, __LINE__, xt_a_, xt_b_); \
  } while (0)
// |a - b| <= tol, absolute; NaN fails
#define XT_NEAR(a, b, tol)                                                                                   \
  do {                                                                                                       \
    double xt_a_ = (double)(a), xt_b_ = (double)(b), xt_t_ = (double)(tol);                                  \
    if (!(fabs(xt_a_ - xt_b_) <= xt_t_))                                                                     \
      fail_msg("%s:%d: %s is %.17g, expected %.17g within %g", __FILE__, __LINE__, #a, xt_a_, xt_b_, xt_t_); \
  } while (0)
// n reals, |a - b| <= tol * max(1, |b|); NaN fails
#define XT_CLOSE(a, b, n, tol, what)                                                                     \
  do {                                                                                                   \
    for (int xt_i_ = 0; xt_i_ < (int)(n); xt_i_++) {                                                     \
      double xt_a_ = (double)(a)[xt_i_], xt_b_ = (double)(b)[xt_i_];                                     \
      double xt_t_ = (double)(tol)*fmax(1, fabs(xt_b_));                                                 \
      if (!(fabs(xt_a_ - xt_b_) <= xt_t_))                                                               \
        fail_msg("%s:%d: %s: %s[%d] is %.17g, expected %.17g within %g", __FILE__, __LINE__, (what), #a, \
                 xt_i_, xt_a_, xt_b_, xt_t_);                                                            \
    }                                                                                                    \
  } while (0)
// bitwise equal
#define XT_SAME(a, b, n) XT_TRUE(memcmp((a), (b), sizeof(*(a)) * (size_t)(n)) == 0)

// Tolerance by precision: the second holds when ctReal is float.
#ifdef CT_SINGLE
#define XT_TOL(for_double, for_float) (for_float)
#else
#define XT_TOL(for_double, for_float) (for_double)
#endif

// Seeded random numbers for tests (splitmix64), independent of the library's own.
typedef struct xtRng {
  uint64_t state;
} xtRng;
static inline xtRng xt_rng(uint64_t seed) {
  return (xtRng){seed};
}
static inline uint64_t xt_bits(xtRng* rng) {
  uint64_t z = (rng->state += 0x9e3779b97f4a7c15u);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}
static inline double xt_uniform(xtRng* rng, double lo, double hi) {
  return lo + (hi - lo) * ((double)(xt_bits(rng) >> 11) * 0x1p-53);
}
static inline void xt_random_vec(ctReal* v, int n, xtRng* rng) {
  for (int i = 0; i < n; i++) v[i] = (ctReal)xt_uniform(rng, -1, 1);
}
static inline void xt_random_quat(ctReal q[4], xtRng* rng) {
  double norm = 0;
  do {
    xt_random_vec(q, 4, rng);
    norm = sqrt((double)q[0] * (double)q[0] + (double)q[1] * (double)q[1] + (double)q[2] * (double)q[2] +
                (double)q[3] * (double)q[3]);
  } while (norm < 0.1);
  for (int i = 0; i < 4; i++) q[i] = (ctReal)((double)q[i] / norm);
}
