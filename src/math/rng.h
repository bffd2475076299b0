// Random numbers without state: Philox-4x32 with 10 rounds turns a counter into 128 random bits, so that a
// number depends only on who asks for it (seed, world, step, stream, index) and never on order or threads.
// Step code.
#pragma once

#include "math/elementary.h"

// Who asks. `stream` names the use (one noise source, one actuator, ...), `index` counts within it.
typedef struct ctiRngKey {
  uint32_t seed;
  uint32_t world;
  uint64_t step;
  uint32_t stream;
} ctiRngKey;

// The generator proper: ten rounds of two 32x32-bit products, keys advancing by the Weyl constants.
CT_INLINE void cti_philox(uint32_t out[4], const uint32_t counter[4], const uint32_t key[2]) {
  uint32_t c0 = counter[0], c1 = counter[1], c2 = counter[2], c3 = counter[3];
  uint32_t k0 = key[0], k1 = key[1];
  for (int round = 0; round < 10; round++) {
    uint64_t p0 = (uint64_t)0xD2511F53u * c0;
    uint64_t p1 = (uint64_t)0xCD9E8D57u * c2;
    c0 = (uint32_t)(p1 >> 32) ^ c1 ^ k0;
    c1 = (uint32_t)p1;
    c2 = (uint32_t)(p0 >> 32) ^ c3 ^ k1;
    c3 = (uint32_t)p0;
    k0 += 0x9E3779B9u;
    k1 += 0xBB67AE85u;
  }
  out[0] = c0;
  out[1] = c1;
  out[2] = c2;
  out[3] = c3;
}

CT_INLINE void cti_rng_bits(uint32_t out[4], const ctiRngKey* key, uint32_t index) {
  uint32_t counter[4] = {(uint32_t)key->step, (uint32_t)(key->step >> 32), key->stream, index};
  uint32_t seed[2] = {key->seed, key->world};
  cti_philox(out, counter, seed);
}

// Bits to a real in [0,1), all multiples of one half ulp of 1 equally likely.
CT_INLINE ctReal cti_rng_real(uint32_t high, uint32_t low) {
#ifdef CT_SINGLE
  (void)low;
  return (ctReal)(high >> 8) * 0x1p-24f;
#else
  return (ctReal)(((uint64_t)high << 32 | low) >> 11) * 0x1p-53;
#endif
}

// Two uniform numbers in [0,1).
CT_INLINE void cti_rng_uniform2(ctReal r[2], const ctiRngKey* key, uint32_t index) {
  uint32_t bits[4];
  cti_rng_bits(bits, key, index);
  r[0] = cti_rng_real(bits[0], bits[1]);
  r[1] = cti_rng_real(bits[2], bits[3]);
}

CT_INLINE ctReal cti_rng_uniform(const ctiRngKey* key, uint32_t index) {
  ctReal r[2];
  cti_rng_uniform2(r, key, index);
  return r[0];
}

// Two independent standard normal numbers (Box-Muller).
CT_INLINE void cti_rng_normal2(ctReal r[2], const ctiRngKey* key, uint32_t index) {
  ctReal u[2], sine, cosine;
  cti_rng_uniform2(u, key, index);
  // 1 - u is in (0,1], exact, and safe for the logarithm
  ctReal radius = cti_sqrt(-2 * cti_log(1 - u[0]));
  cti_sincos(CT_R(6.28318530717958647692) * u[1], &sine, &cosine);
  r[0] = radius * cosine;
  r[1] = radius * sine;
}

CT_INLINE ctReal cti_rng_normal(const ctiRngKey* key, uint32_t index) {
  ctReal r[2];
  cti_rng_normal2(r, key, index);
  return r[0];
}
