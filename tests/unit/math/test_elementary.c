// The elementary functions against MPFR: accuracy everywhere, special values, symmetry, and the same bits
// always.
#include "math/elementary.h"

#include <mpfr.h>

#include "xt.h"

#define SWEEP 40000  // arguments per function and kind of sweep

typedef double (*Unary64)(double);
typedef float (*Unary32)(float);
typedef int (*ExactUnary)(mpfr_t, const mpfr_t, mpfr_rnd_t);

static const struct {
  const char* name;
  Unary64 f64, libm;
  Unary32 f32;
  ExactUnary exact;
  int parity;               // 1 even, -1 odd, 0 neither
  uint64_t hash64, hash32;  // of the results of a fixed sweep
} unary[] = {
    {"sin", cti_sin_f64, sin, cti_sin_f32, mpfr_sin, -1, 0xdf26ccf49e268482u, 0x08fd8bac21119c88u},
    {"cos", cti_cos_f64, cos, cti_cos_f32, mpfr_cos, 1, 0xa51943992469c9dcu, 0xd74848d04b9aa34du},
    {"tan", cti_tan_f64, tan, cti_tan_f32, mpfr_tan, -1, 0x553aa990ab10ca41u, 0x610cc16e37b1ebbdu},
    {"asin", cti_asin_f64, asin, cti_asin_f32, mpfr_asin, -1, 0xf1fcf3de15264b13u, 0xd8e511e5366015c1u},
    {"acos", cti_acos_f64, acos, cti_acos_f32, mpfr_acos, 0, 0x49db1ef4c1a80ca4u, 0xa7db974f520f927du},
    {"atan", cti_atan_f64, atan, cti_atan_f32, mpfr_atan, -1, 0x8e73a4adca75f7e8u, 0x9379dc7626582cfeu},
    {"exp", cti_exp_f64, exp, cti_exp_f32, mpfr_exp, 0, 0x479964f1559d889bu, 0x09d072683f768808u},
    {"log", cti_log_f64, log, cti_log_f32, mpfr_log, 0, 0xec9504cba849326au, 0xba54115f5c91aa63u},
    {"cbrt", cti_cbrt_f64, cbrt, cti_cbrt_f32, mpfr_cbrt, -1, 0x92020c4d8c8b7900u, 0xea157b5f4f7a49efu},
};

static const struct {
  const char* name;
  double (*f64)(double, double);
  double (*libm)(double, double);
  float (*f32)(float, float);
  int (*exact)(mpfr_t, const mpfr_t, const mpfr_t, mpfr_rnd_t);
  double limit;  // in ulp
  uint64_t hash64, hash32;
} binary[] = {
    {"atan2", cti_atan2_f64, atan2, cti_atan2_f32, mpfr_atan2, 1, 0x2c58241faca87db8u, 0xf312e3cfacaba974u},
    {"pow", cti_pow_f64, pow, cti_pow_f32, mpfr_pow, 2, 0x0e94508b210b239cu, 0x7c8faba543b803a4u},
};

// Arguments.

static double any_double(xtRng* rng) {
  return cti_from_bits_f64(xt_bits(rng));
}
static double common(xtRng* rng) {
  return xt_uniform(rng, -10, 10);
}
static double moderate(xtRng* rng) {
  return xt_uniform(rng, -1000, 1000);
}
static double unit(xtRng* rng) {
  return xt_uniform(rng, -1, 1);
}
static double any_sign(xtRng* rng, double x) {
  return xt_bits(rng) & 1 ? -x : x;
}

static double near_quarter_turn(xtRng* rng) {
  double turns = floor(ldexp(xt_uniform(rng, 0.5, 1), (int)(xt_bits(rng) % 60)));
  int64_t step = (int64_t)(xt_bits(rng) % 5) - 2;
  return any_sign(rng, cti_from_bits_f64(cti_bits_f64(turns * 0x1.921fb54442d18p0) + (uint64_t)step));
}

static double near_one(xtRng* rng) {
  double step = ldexp(xt_uniform(rng, -1, 1), -(int)(xt_bits(rng) % 56));
  return any_sign(rng, 1 + step);
}

static double near_end_of_exp(xtRng* rng) {
  return xt_bits(rng) & 1 ? xt_uniform(rng, -746.5, -700) : xt_uniform(rng, 705, 710.5);
}

static double subnormal(xtRng* rng) {
  return any_sign(rng, cti_from_bits_f64(xt_bits(rng) >> (12 + xt_bits(rng) % 50)));
}

static double (*const arguments[])(xtRng*) = {any_double,        common,   moderate,        unit,
                                              near_quarter_turn, near_one, near_end_of_exp, subnormal};

// Pairs: everything against everything; alike; bases and exponents for which pow just does or does not
// overflow.
static void any_pair(double pair[2], xtRng* rng) {
  pair[0] = any_double(rng);
  pair[1] = any_double(rng);
}

static void common_pair(double pair[2], xtRng* rng) {
  pair[0] = common(rng);
  pair[1] = common(rng);
}

static void alike_pair(double pair[2], xtRng* rng) {
  pair[0] = any_double(rng);
  pair[1] = any_sign(rng, pair[0] * ldexp(xt_uniform(rng, 0.5, 1), (int)(xt_bits(rng) % 20) - 10));
}

static void power_pair(double pair[2], xtRng* rng) {
  pair[0] = xt_bits(rng) & 1 ? fabs(any_double(rng)) : fabs(near_one(rng));
  pair[1] = xt_uniform(rng, -1085, 1030) / log2(pair[0]);
}

static void whole_power_pair(double pair[2], xtRng* rng) {
  pair[0] = common(rng);
  pair[1] = (double)(int)(xt_bits(rng) % 600) - 300;
}

static void (*const pairs[])(double[2], xtRng*) = {any_pair, common_pair, alike_pair, power_pair,
                                                   whole_power_pair};

// Errors.

// Distance in units of the last place of the exact result, with the exponents of the precision in question.
static double ulp_error(double got, mpfr_t exact, int bits, int lowest, int highest) {
  if (mpfr_nan_p(exact)) return got != got ? 0 : HUGE_VAL;
  if (got != got) return HUGE_VAL;
  if (mpfr_zero_p(exact)) return got == 0 ? 0 : HUGE_VAL;
  if (mpfr_inf_p(exact)) return isinf(got) && (got > 0) == (mpfr_sgn(exact) > 0) ? 0 : HUGE_VAL;
  long exponent = (long)mpfr_get_exp(exact);
  if (exponent > highest) return isinf(got) && (got > 0) == (mpfr_sgn(exact) > 0) ? 0 : HUGE_VAL;
  long place = exponent - bits > lowest ? exponent - bits : lowest;
  mpfr_t gap;
  mpfr_init2(gap, 160);
  if (isinf(got)) {  // stands for the first number beyond the largest
    mpfr_set_si_2exp(gap, got > 0 ? 1 : -1, highest, MPFR_RNDN);
  } else {
    mpfr_set_d(gap, got, MPFR_RNDN);
  }
  mpfr_sub(gap, gap, exact, MPFR_RNDN);
  mpfr_mul_2si(gap, gap, -place, MPFR_RNDN);
  double error = fabs(mpfr_get_d(gap, MPFR_RNDU));
  mpfr_clear(gap);
  return error;
}

static double ulp_error_f64(double got, mpfr_t exact) {
  return ulp_error(got, exact, 53, -1074, 1024);
}

// The same for float against a double that is exact enough: its own error is below 2^-28 ulp of float.
static double ulp_error_f32(float got, double exact) {
  if (exact != exact || got != got) return (exact != exact) == (got != got) ? 0 : HUGE_VAL;
  if (exact == (double)got) return 0;
  if (fabs(exact) >= 0x1p128) return isinf(got) && (got > 0) == (exact > 0) ? 0 : HUGE_VAL;
  int exponent;
  frexp(exact, &exponent);
  double value = isinf(got) ? copysign(0x1p128, (double)got) : (double)got;
  return ldexp(fabs(value - exact), -(exponent - 24 > -149 ? exponent - 24 : -149));
}

static uint64_t mix(uint64_t hash, uint64_t bits) {
  for (int i = 0; i < 64; i += 8) hash = (hash ^ (bits >> i & 0xff)) * 0x100000001b3u;
  return hash;
}

// Accuracy.

XT_TEST(accuracy, f64_unary_is_within_one_ulp) {
  mpfr_t in, out;
  mpfr_inits2(53, in, (mpfr_ptr)0);
  mpfr_inits2(120, out, (mpfr_ptr)0);
  for (int f = 0; f < CT_COUNT_OF(unary); f++) {
    double worst = 0, where = 0;
    for (int kind = 0; kind < CT_COUNT_OF(arguments); kind++) {
      xtRng rng = xt_rng((uint64_t)(100 * f + kind));
      for (int i = 0; i < SWEEP; i++) {
        double x = arguments[kind](&rng);
        mpfr_set_d(in, x, MPFR_RNDN);
        unary[f].exact(out, in, MPFR_RNDN);
        double error = ulp_error_f64(unary[f].f64(x), out);
        if (error > worst) worst = error, where = x;
      }
    }
    print_message("  %s f64: %.3f ulp at %a\n", unary[f].name, worst, where);
    if (!(worst <= 1)) fail_msg("%s is off by %g ulp at %a", unary[f].name, worst, where);
  }
  mpfr_clears(in, out, (mpfr_ptr)0);
}

XT_TEST(accuracy, f64_binary_is_within_its_limit) {
  mpfr_t a, b, out;
  mpfr_inits2(53, a, b, (mpfr_ptr)0);
  mpfr_inits2(120, out, (mpfr_ptr)0);
  for (int f = 0; f < CT_COUNT_OF(binary); f++) {
    double worst = 0, where[2] = {0, 0};
    for (int kind = 0; kind < CT_COUNT_OF(pairs); kind++) {
      xtRng rng = xt_rng((uint64_t)(100 * f + kind));
      for (int i = 0; i < SWEEP; i++) {
        double x[2];
        pairs[kind](x, &rng);
        mpfr_set_d(a, x[0], MPFR_RNDN);
        mpfr_set_d(b, x[1], MPFR_RNDN);
        binary[f].exact(out, a, b, MPFR_RNDN);
        double error = ulp_error_f64(binary[f].f64(x[0], x[1]), out);
        if (error > worst) worst = error, where[0] = x[0], where[1] = x[1];
      }
    }
    print_message("  %s f64: %.3f ulp at %a, %a\n", binary[f].name, worst, where[0], where[1]);
    if (!(worst <= binary[f].limit))
      fail_msg("%s is off by %g ulp at %a, %a", binary[f].name, worst, where[0], where[1]);
  }
  mpfr_clears(a, b, out, (mpfr_ptr)0);
}

XT_TEST(accuracy, f32_unary_is_within_one_ulp) {
  const uint32_t stride = 4099;  // prime, so that all patterns of low bits occur
  for (int f = 0; f < CT_COUNT_OF(unary); f++) {
    double worst = 0;
    float where = 0;
    for (uint64_t bits = 0; bits < (uint64_t)1 << 32; bits += stride) {
      float x = cti_from_bits_f32((uint32_t)bits);
      double error = ulp_error_f32(unary[f].f32(x), unary[f].libm((double)x));
      if (error > worst) worst = error, where = x;
    }
    print_message("  %s f32: %.3f ulp at %a\n", unary[f].name, worst, (double)where);
    if (!(worst <= 1)) fail_msg("%s is off by %g ulp at %a", unary[f].name, worst, (double)where);
  }
}

XT_TEST(accuracy, f32_binary_is_within_its_limit) {
  for (int f = 0; f < CT_COUNT_OF(binary); f++) {
    double worst = 0;
    float where[2] = {0, 0};
    xtRng rng = xt_rng((uint64_t)f);
    for (int i = 0; i < 1000000; i++) {
      uint64_t bits = xt_bits(&rng);
      float x = cti_from_bits_f32((uint32_t)bits), y = cti_from_bits_f32((uint32_t)(bits >> 32));
      if (i % 4 == 1) x = (float)common(&rng), y = (float)common(&rng);
      if (i % 4 == 2) y = x * (float)xt_uniform(&rng, -10, 10);
      if (i % 4 == 3) x = fabsf(x), y = (float)(xt_uniform(&rng, -152, 130) / log2((double)x));
      double error = ulp_error_f32(binary[f].f32(x, y), binary[f].libm((double)x, (double)y));
      if (error > worst) worst = error, where[0] = x, where[1] = y;
    }
    print_message("  %s f32: %.3f ulp at %a, %a\n", binary[f].name, worst, (double)where[0],
                  (double)where[1]);
    if (!(worst <= binary[f].limit)) fail_msg("%s is off by %g ulp", binary[f].name, worst);
  }
}

// The doubles closest to multiples of pi/2 in the whole range: 61 bits cancel.
XT_TEST(accuracy, reduction_survives_the_hardest_arguments) {
  const double hardest[] = {0x1.6ac5b262ca1ffp+849, 0x1.921fb54442d18p+0, 0x1.6c6cbc45dc8dep+5, 0x1p1023,
                            0x1.fffffffffffffp1023};
  mpfr_t in, out;
  mpfr_inits2(53, in, (mpfr_ptr)0);
  mpfr_inits2(120, out, (mpfr_ptr)0);
  for (int i = 0; i < CT_COUNT_OF(hardest); i++) {
    for (int f = 0; f < 3; f++) {
      mpfr_set_d(in, hardest[i], MPFR_RNDN);
      unary[f].exact(out, in, MPFR_RNDN);
      double error = ulp_error_f64(unary[f].f64(hardest[i]), out);
      if (!(error <= 1)) fail_msg("%s is off by %g ulp at %a", unary[f].name, error, hardest[i]);
    }
  }
  mpfr_clears(in, out, (mpfr_ptr)0);
}

// Special values.

static void check_same(const char* name, double x, double y, double got, double want) {
  bool same = want != want ? got != got : cti_bits_f64(got) == cti_bits_f64(want);
  if (!same) fail_msg("%s(%g, %g) is %g, expected %g", name, x, y, got, want);
}

XT_TEST(special, values_follow_annex_f) {
  const double inf = HUGE_VAL, nan = (double)NAN, half_pi = 0x1.921fb54442d18p0, pi = 0x1.921fb54442d18p1;
  const struct {
    const char* name;
    double x, want;
  } table[] = {
      {"sin", 0.0, 0.0},
      {"sin", -0.0, -0.0},
      {"sin", inf, nan},
      {"sin", -inf, nan},
      {"sin", nan, nan},
      {"cos", 0.0, 1},
      {"cos", -0.0, 1},
      {"cos", inf, nan},
      {"cos", nan, nan},
      {"tan", 0.0, 0.0},
      {"tan", -0.0, -0.0},
      {"tan", inf, nan},
      {"tan", nan, nan},
      {"asin", 0.0, 0.0},
      {"asin", -0.0, -0.0},
      {"asin", 1, half_pi},
      {"asin", -1, -half_pi},
      {"asin", 1.5, nan},
      {"asin", nan, nan},
      {"acos", 1, 0.0},
      {"acos", -1, pi},
      {"acos", 0.0, half_pi},
      {"acos", -2, nan},
      {"acos", inf, nan},
      {"acos", nan, nan},
      {"atan", 0.0, 0.0},
      {"atan", -0.0, -0.0},
      {"atan", inf, half_pi},
      {"atan", -inf, -half_pi},
      {"atan", nan, nan},
      {"exp", 0.0, 1},
      {"exp", -0.0, 1},
      {"exp", inf, inf},
      {"exp", -inf, 0.0},
      {"exp", nan, nan},
      {"log", 1, 0.0},
      {"log", 0.0, -inf},
      {"log", -0.0, -inf},
      {"log", inf, inf},
      {"log", -1, nan},
      {"log", -inf, nan},
      {"log", nan, nan},
      {"cbrt", 0.0, 0.0},
      {"cbrt", -0.0, -0.0},
      {"cbrt", inf, inf},
      {"cbrt", -inf, -inf},
      {"cbrt", nan, nan},
      {"cbrt", 27, 3},
      {"cbrt", -0x1p-1074, -0x1p-358},
  };
  for (int i = 0; i < CT_COUNT_OF(table); i++) {
    double x = table[i].x, want = table[i].want;
    for (int f = 0; f < CT_COUNT_OF(unary); f++) {
      if (strcmp(unary[f].name, table[i].name) != 0) continue;
      check_same(table[i].name, x, 0, unary[f].f64(x), want);
      if ((double)(float)x == x)
        check_same(table[i].name, x, 1, (double)unary[f].f32((float)x), (double)(float)want);
    }
  }
}

// Every pair of remarkable numbers, against the C library, whose special cases are those of the standard.
XT_TEST(special, pairs_follow_annex_f) {
  const double list[] = {
      0.0, -0.0, 1,    -1,    2,     -2,     3,        -3,        0.5,         -0.5,
      1.5, -1.5, 1e30, -1e30, 1e-30, -1e-30, HUGE_VAL, -HUGE_VAL, (double)NAN, 9007199254740993.0};
  for (int i = 0; i < CT_COUNT_OF(list); i++) {
    for (int j = 0; j < CT_COUNT_OF(list); j++) {
      double x = list[i], y = list[j];
      check_same("atan2", x, y, cti_atan2_f64(x, y), atan2(x, y));
      check_same("atan2f", x, y, (double)cti_atan2_f32((float)x, (float)y),
                 (double)(float)atan2((double)(float)x, (double)(float)y));
      check_same("pow", x, y, cti_pow_f64(x, y), pow(x, y));
      check_same("powf", x, y, (double)cti_pow_f32((float)x, (float)y),
                 (double)(float)pow((double)(float)x, (double)(float)y));
      check_same("fmod", x, y, cti_fmod_f64(x, y), fmod(x, y));
      check_same("fmodf", x, y, (double)cti_fmod_f32((float)x, (float)y), (double)fmodf((float)x, (float)y));
    }
  }
}

XT_TEST(special, not_a_number_has_one_pattern) {
  for (int f = 0; f < CT_COUNT_OF(unary); f++) {
    double bad = cti_from_bits_f64(0xfff8000000000123u);
    XT_TRUE(cti_bits_f64(unary[f].f64(bad)) == 0x7ff8000000000000u);
    XT_TRUE(cti_bits_f32(unary[f].f32((float)bad)) == 0x7fc00000u);
  }
}

// Identities.

XT_TEST(identity, odd_and_even_functions_are_so_in_every_bit) {
  for (int f = 0; f < CT_COUNT_OF(unary); f++) {
    if (unary[f].parity == 0) continue;
    xtRng rng = xt_rng(7);
    for (int i = 0; i < 20000; i++) {
      double x = i % 2 ? any_double(&rng) : moderate(&rng), sign = unary[f].parity;
      double a = unary[f].f64(x), b = sign * unary[f].f64(-x);
      float c = unary[f].f32((float)x), d = (float)sign * unary[f].f32((float)-x);
      check_same(unary[f].name, x, 0, a, b);
      check_same(unary[f].name, x, 1, (double)c, (double)d);
    }
  }
}

XT_TEST(identity, sincos_is_sin_and_cos) {
  for (int kind = 0; kind < CT_COUNT_OF(arguments); kind++) {
    xtRng rng = xt_rng((uint64_t)kind);
    for (int i = 0; i < 20000; i++) {
      double x = arguments[kind](&rng), s, c;
      float s32, c32;
      cti_sincos_f64(x, &s, &c);
      cti_sincos_f32((float)x, &s32, &c32);
      check_same("sin", x, 0, s, cti_sin_f64(x));
      check_same("cos", x, 0, c, cti_cos_f64(x));
      check_same("sinf", x, 1, (double)s32, (double)cti_sin_f32((float)x));
      check_same("cosf", x, 1, (double)c32, (double)cti_cos_f32((float)x));
    }
  }
}

XT_TEST(identity, exact_functions_match_the_c_library) {
  xtRng rng = xt_rng(11);
  for (int i = 0; i < 100000; i++) {
    double x = i % 2 ? any_double(&rng) : 0.5 * floor(moderate(&rng)),
           y = i % 4 < 2 ? any_double(&rng) : common(&rng);
    float u = (float)x, v = (float)y;
    check_same("floor", x, 0, cti_floor_f64(x), floor(x));
    check_same("floorf", x, 1, (double)cti_floor_f32(u), (double)floorf(u));
    check_same("round", x, 0, cti_round_f64(x), round(x));
    check_same("roundf", x, 1, (double)cti_round_f32(u), (double)roundf(u));
    check_same("fmod", x, y, cti_fmod_f64(x, y), fmod(x, y));
    check_same("fmodf", x, y, (double)cti_fmod_f32(u, v), (double)fmodf(u, v));
    check_same("copysign", x, y, cti_copysign_f64(x, y), copysign(x, y));
    check_same("sqrt", x, 0, cti_sqrt_f64(x), sqrt(x));
  }
}

XT_TEST(identity, names_without_ending_work_on_the_real) {
  XT_TRUE(sizeof(cti_sin(CT_R(1))) == sizeof(ctReal));
  XT_TRUE(cti_min(2, 1) == 1 && cti_max(2, 1) == 2);
  XT_TRUE(cti_clip(5, 0, 1) == 1 && cti_clip(-5, 0, 1) == 0 && cti_clip(CT_R(0.5), 0, 1) == CT_R(0.5));
  XT_TRUE(cti_is_bad(CT_R(NAN)) && cti_is_bad(CT_R(HUGE_VAL)) && cti_is_bad(CT_R(-2e10)) &&
          !cti_is_bad(CT_R(1e9)));
}

// The same bits, whatever the compiler, its options and the machine.

XT_TEST(bits, results_of_a_fixed_sweep_hash_to_known_values) {
  int changed = 0;
  for (int f = 0; f < CT_COUNT_OF(unary) + CT_COUNT_OF(binary); f++) {
    bool one = f < CT_COUNT_OF(unary);
    int g = one ? f : f - CT_COUNT_OF(unary);
    uint64_t hash64 = 0xcbf29ce484222325u, hash32 = hash64;
    xtRng rng = xt_rng(2024);
    for (int i = 0; i < 100000; i++) {
      uint64_t bits = xt_bits(&rng);
      double x = cti_from_bits_f64(bits), y = cti_from_bits_f64(xt_bits(&rng));
      float u = cti_from_bits_f32((uint32_t)bits), v = cti_from_bits_f32((uint32_t)(bits >> 32));
      if (i % 3) {
        double reach = i % 3 == 1 ? 1 : 100;
        x = xt_uniform(&rng, -reach, reach);
        y = xt_uniform(&rng, -reach, reach);
        u = (float)x;
        v = (float)y;
      }
      hash64 = mix(hash64, cti_bits_f64(one ? unary[g].f64(x) : binary[g].f64(x, y)));
      hash32 = mix(hash32, cti_bits_f32(one ? unary[g].f32(u) : binary[g].f32(u, v)));
    }
    const char* name = one ? unary[g].name : binary[g].name;
    if (hash64 != (one ? unary[g].hash64 : binary[g].hash64) ||
        hash32 != (one ? unary[g].hash32 : binary[g].hash32)) {
      print_message("  %s: 0x%016llx, 0x%016llx\n", name, (unsigned long long)hash64,
                    (unsigned long long)hash32);
      changed++;
    }
  }
  XT_INT(changed, 0);
}

XT_MAIN()
