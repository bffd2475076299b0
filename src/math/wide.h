// Registers of 256 bits, for functions with the attribute target("avx2"): as many numbers as fit, and the
// instructions by the precision of ctReal. Only where CTI_MANY is defined (math/points.h).
#pragma once

#include "math/points.h"

#ifdef CTI_MANY
#include <immintrin.h>

#ifdef CT_SINGLE
typedef __m256 ctiWide;
#define CTI_WIDE                 8
#define CTI_W(call)              _mm256_##call##_ps
#define CTI_W_COMPARE(a, b, how) _mm256_cmp_ps(a, b, how)
#else
typedef __m256d ctiWide;
#define CTI_WIDE                 4
#define CTI_W(call)              _mm256_##call##_pd
#define CTI_W_COMPARE(a, b, how) _mm256_cmp_pd(a, b, how)
#endif
#endif
