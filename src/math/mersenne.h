// The 64-bit Mersenne twister (Matsumoto and Nishimura), for numbers that must be those of other programs.
#pragma once

#include <stdint.h>

#define CTI_MERSENNE_SIZE 312

typedef struct ctiMersenne {
  uint64_t state[CTI_MERSENNE_SIZE];
  int next;
} ctiMersenne;

static inline void cti_mersenne_start(ctiMersenne* r, uint64_t seed) {
  r->state[0] = seed;
  for (int i = 1; i < CTI_MERSENNE_SIZE; i++) {
    uint64_t last = r->state[i - 1];
    r->state[i] = 6364136223846793005u * (last ^ (last >> 62)) + (uint64_t)i;
  }
  r->next = CTI_MERSENNE_SIZE;
}

// Regenerate the whole state: each word from its own high half, its neighbour's low half, and one 156 further
// on.
static inline void cti_mersenne_turn(ctiMersenne* r) {
  const uint64_t low = 0x7fffffffu, matrix = 0xb5026f5aa96619e9u;
  for (int i = 0; i < CTI_MERSENNE_SIZE; i++) {
    uint64_t x = (r->state[i] & ~low) | (r->state[(i + 1) % CTI_MERSENNE_SIZE] & low);
    r->state[i] = r->state[(i + 156) % CTI_MERSENNE_SIZE] ^ (x >> 1) ^ (x & 1 ? matrix : 0);
  }
  r->next = 0;
}

static inline uint64_t cti_mersenne_next(ctiMersenne* r) {
  if (r->next == CTI_MERSENNE_SIZE) cti_mersenne_turn(r);
  uint64_t x = r->state[r->next++];
  x ^= (x >> 29) & 0x5555555555555555u;
  x ^= (x << 17) & 0x71d67fffeda60000u;
  x ^= (x << 37) & 0xfff7eee000000000u;
  return x ^ (x >> 43);
}

// From 0 to below 1, all 64 bits rounded to a double.
static inline double cti_mersenne_uniform(ctiMersenne* r) {
  double x = (double)cti_mersenne_next(r) / 18446744073709551616.0;
  return x < 1 ? x : 0x1.fffffffffffffp-1;
}
