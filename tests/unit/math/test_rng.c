#include "math/rng.h"

#include "xt.h"

// Published known answers of Philox-4x32-10.
typedef struct Known {
  uint32_t counter[4], key[2], out[4];
} Known;

static const Known known[] = {
    {{0, 0, 0, 0}, {0, 0}, {0x6627e8d5u, 0xe169c58du, 0xbc57ac4cu, 0x9b00dbd8u}},
    {{0xffffffffu, 0xffffffffu, 0xffffffffu, 0xffffffffu},
     {0xffffffffu, 0xffffffffu},
     {0x408f276du, 0x41c83b0eu, 0xa20bc7c6u, 0x6d5451fdu}},
    {{0x243f6a88u, 0x85a308d3u, 0x13198a2eu, 0x03707344u},
     {0xa4093822u, 0x299f31d0u},
     {0xd16cfe09u, 0x94fdccebu, 0x5001e420u, 0x24126ea1u}},
};

XT_TEST(rng, generator_gives_the_published_answers) {
  for (int i = 0; i < (int)(sizeof(known) / sizeof(known[0])); i++) {
    uint32_t out[4];
    cti_philox(out, known[i].counter, known[i].key);
    XT_SAME(out, known[i].out, 4);
  }
}

XT_TEST(rng, every_part_of_the_key_matters) {
  ctiRngKey keys[6] = {{1, 2, 3, 4}, {2, 2, 3, 4}, {1, 3, 3, 4}, {1, 2, 4, 4}, {1, 2, 3, 5}, {1, 2, 3, 4}};
  keys[5].step += (uint64_t)1 << 40;
  uint32_t first[4], other[4];
  cti_rng_bits(first, &keys[0], 0);
  for (int i = 1; i < 6; i++) {
    cti_rng_bits(other, &keys[i], 0);
    XT_TRUE(memcmp(first, other, sizeof first) != 0);
  }
  cti_rng_bits(other, &keys[0], 1);
  XT_TRUE(memcmp(first, other, sizeof first) != 0);
  cti_rng_bits(other, &keys[0], 0);
  XT_SAME(other, first, 4);
}

XT_TEST(rng, extreme_bits_stay_within_zero_and_one) {
  XT_NEAR(cti_rng_real(0, 0), 0, 0);
  XT_TRUE(cti_rng_real(UINT32_MAX, UINT32_MAX) < 1);
  XT_NEAR(cti_rng_real(0x80000000u, 0), 0.5, 0);
}

XT_TEST(rng, uniform_numbers_have_the_right_moments) {
  // standard errors of mean and second moment of 20000 numbers: 0.0021 and 0.0021; five of them
  ctiRngKey key = {7, 0, 0, 0};
  double mean = 0, square = 0;
  int n = 20000;
  for (int i = 0; i < n; i++) {
    double u = (double)cti_rng_uniform(&key, (uint32_t)i);
    mean += u / n;
    square += u * u / n;
  }
  XT_NEAR(mean, 0.5, 0.0105);
  XT_NEAR(square, 1 / 3.0, 0.0105);
}

XT_TEST(rng, normal_numbers_have_the_right_moments) {
  // standard errors for 20000 pairs: mean 0.005, variance 0.007, covariance 0.007, fourth moment 0.05; five
  // of them
  ctiRngKey key = {7, 1, 0, 0};
  double mean = 0, square = 0, fourth = 0, mixed = 0;
  int n = 20000;
  for (int i = 0; i < n; i++) {
    ctReal r[2];
    cti_rng_normal2(r, &key, (uint32_t)i);
    double a = (double)r[0], b = (double)r[1];
    mean += (a + b) / (2 * n);
    square += (a * a + b * b) / (2 * n);
    fourth += (a * a * a * a + b * b * b * b) / (2 * n);
    mixed += a * b / n;
  }
  XT_NEAR(mean, 0, 0.025);
  XT_NEAR(square, 1, 0.035);
  XT_NEAR(fourth, 3, 0.25);
  XT_NEAR(mixed, 0, 0.035);
}

XT_TEST(rng, one_number_is_the_first_of_a_pair) {
  ctiRngKey key = {1, 2, 3, 4};
  ctReal pair[2], one = cti_rng_normal(&key, 5);
  cti_rng_normal2(pair, &key, 5);
  XT_SAME(&one, pair, 1);
  one = cti_rng_uniform(&key, 5);
  cti_rng_uniform2(pair, &key, 5);
  XT_SAME(&one, pair, 1);
}

XT_MAIN()
