// Muscles of the kit.
#include "corten/kit.h"

#include <float.h>

#include "base/fn.h"
#include "xt.h"

static ctKitMuscle preset(int k) {
  ctKitMuscle m;
  XT_INT(ct_kit_muscle_preset(k, &m), CT_OK);
  return m;
}

static double rest_length(const ctKitMuscle* m) {
  return (double)m->slack_length + (double)m->optimal_length * cos((double)m->pennation);
}

typedef ctReal Curve(const ctKitMuscle*, ctReal, ctReal*);

XT_TEST(curve, slope_is_its_derivative_everywhere) {
  const double e = XT_TOL(1e-6, 1e-2);
  ctKitMuscle m = preset(0);
  m.tendon_strain = CT_R(0.2);  // gentle enough for differences in float
  const struct {
    Curve* curve;
    double lo, hi;
  } table[] = {{ct_kit_muscle_active, 0.3, 1.8},
               {ct_kit_muscle_passive, 0.9, 1.8},
               {ct_kit_muscle_tendon, 0.95, 1.4},
               {ct_kit_muscle_speed, -1.5, 1.5}};
  for (int c = 0; c < 4; c++) {
    for (double x = table[c].lo; x < table[c].hi; x += 0.0137) {
      ctReal slope;
      table[c].curve(&m, (ctReal)x, &slope);
      double more = (double)table[c].curve(&m, (ctReal)(x + e), NULL),
             less = (double)table[c].curve(&m, (ctReal)(x - e), NULL);
      // curves have one kink in their second derivative
      XT_NEAR(slope, (more - less) / (2 * e), XT_TOL(2e-4, 0.6));
    }
  }
}

XT_TEST(curve, inverse_gives_back_what_went_in) {
  ctKitMuscle m = preset(1);
  for (double f = 1e-4; f < 2; f *= 1.3) {
    XT_NEAR(ct_kit_muscle_passive(&m, ct_kit_muscle_passive_inverse(&m, (ctReal)f), NULL), f,
            XT_TOL(1e-11, 2e-4) * fmax(f, 1e-2));
    XT_NEAR(ct_kit_muscle_tendon(&m, ct_kit_muscle_tendon_inverse(&m, (ctReal)f), NULL), f,
            XT_TOL(1e-10, 2e-3) * fmax(f, 1e-2));
  }
  for (double f = -0.2; f < 1.39; f += 0.01)
    XT_NEAR(ct_kit_muscle_speed(&m, ct_kit_muscle_speed_inverse(&m, (ctReal)f), NULL), f,
            XT_TOL(1e-13, 1e-5));
  for (int side = 0; side < 2; side++) {
    for (double f = 1e-3; f <= 1; f += 0.0123) {
      ctReal length = ct_kit_muscle_active_inverse(&m, (ctReal)f, side == 1);
      XT_TRUE(side == 1 ? length >= 1 : length <= 1);
      XT_NEAR(ct_kit_muscle_active(&m, length, NULL), f, XT_TOL(1e-13, 1e-5));
    }
  }
  XT_TRUE(isnan((double)ct_kit_muscle_active_inverse(&m, 0, true)));
  XT_TRUE(isnan((double)ct_kit_muscle_speed_inverse(&m, 2)));
  XT_TRUE(isnan((double)ct_kit_muscle_tendon_inverse(&m, -1)));
}

XT_TEST(muscle, pulls_with_its_peak_force_at_optimal_length) {
  for (int k = 0; k < CT_KIT_MUSCLE_COUNT; k++) {
    ctKitMuscle m = preset(k);
    ctKitMuscleForce f;
    XT_INT(ct_kit_muscle_rigid(&m, (ctReal)rest_length(&m), 0, 1, &f), CT_OK);
    XT_NEAR(f.force / m.max_force, cos((double)m.pennation), XT_TOL(1e-12, 1e-4));
  }
}

XT_TEST(muscle, derivatives_with_rigid_tendon_are_differences) {
  for (int k = 0; k < CT_KIT_MUSCLE_COUNT; k++) {
    ctKitMuscle m = preset(k);
    const double L0 = rest_length(&m), e = XT_TOL(1e-6, 2e-3) * (double)m.optimal_length,
                 ea = XT_TOL(1e-6, 1e-2);
    for (int i = 0; i < 60; i++) {
      xtRng rng = xt_rng((uint64_t)i);
      double L = L0 + (double)m.optimal_length * xt_uniform(&rng, -0.4, 0.5),
             V = (double)m.optimal_length * xt_uniform(&rng, -3, 3), a = xt_uniform(&rng, 0.05, 0.95);
      ctKitMuscleForce f, p, q;
      XT_INT(ct_kit_muscle_rigid(&m, (ctReal)L, (ctReal)V, (ctReal)a, &f), CT_OK);
      const double unit = (double)m.max_force / (double)m.optimal_length, tol = XT_TOL(1e-4, 0.1);
      ct_kit_muscle_rigid(&m, (ctReal)(L + e), (ctReal)V, (ctReal)a, &p);
      ct_kit_muscle_rigid(&m, (ctReal)(L - e), (ctReal)V, (ctReal)a, &q);
      // muscles do not push: there is a corner where the force ends
      if (p.force == 0 || q.force == 0) continue;
      XT_NEAR((double)f.by_length / unit, (double)(p.force - q.force) / (2 * e) / unit, tol);
      ct_kit_muscle_rigid(&m, (ctReal)L, (ctReal)(V + e), (ctReal)a, &p);
      ct_kit_muscle_rigid(&m, (ctReal)L, (ctReal)(V - e), (ctReal)a, &q);
      if (p.force == 0 || q.force == 0) continue;
      XT_NEAR((double)f.by_velocity / unit, (double)(p.force - q.force) / (2 * e) / unit, tol);
      ct_kit_muscle_rigid(&m, (ctReal)L, (ctReal)V, (ctReal)(a + ea), &p);
      ct_kit_muscle_rigid(&m, (ctReal)L, (ctReal)V, (ctReal)(a - ea), &q);
      if (p.force == 0 || q.force == 0) continue;
      XT_NEAR(f.by_activation / m.max_force, (double)(p.force - q.force) / (2 * ea) / (double)m.max_force,
              tol);
    }
  }
}

XT_TEST(muscle, equilibrium_balances_fibre_and_tendon_for_every_length_and_activation) {
  for (int k = 0; k < CT_KIT_MUSCLE_COUNT; k++) {
    ctKitMuscle m = preset(k);
    const double L0 = rest_length(&m), l = (double)m.optimal_length;
    for (double L = L0 - 1.5 * l; L < L0 + 1.2 * l; L += 0.05 * l) {
      if (L < 0) continue;
      for (int s = 0; s <= 10; s++) {
        ctReal a = (ctReal)s / 10;
        ctKitMuscleForce f;
        XT_INT(ct_kit_muscle_equilibrium(&m, (ctReal)L, a, &f), CT_OK);
        XT_TRUE(f.force >= 0 && f.fibre > 0);
        // fibres that are as short as they can be lean on their own ends
        double least = fmax(0.2, sin((double)m.pennation) / 0.99499);
        if ((double)(f.fibre / m.optimal_length) <= least * (1 + 1e-6)) continue;
        XT_NEAR((f.active + f.passive) * f.cosine / m.max_force, f.force / m.max_force, XT_TOL(1e-9, 2e-3));
      }
    }
  }
}

XT_TEST(muscle, derivatives_of_the_equilibrium_are_differences) {
#ifndef CT_SINGLE  // the tendon is too stiff for differences in float
  for (int k = 0; k < CT_KIT_MUSCLE_COUNT; k++) {
    ctKitMuscle m = preset(k);
    const double L0 = rest_length(&m), l = m.optimal_length, e = 1e-6 * l, unit = m.max_force / l;
    for (double x = 0.02; x < 0.6; x += 0.05) {
      ctKitMuscleForce f, p, q;
      ct_kit_muscle_equilibrium(&m, L0 + x * l, 0.4, &f);
      ct_kit_muscle_equilibrium(&m, L0 + x * l + e, 0.4, &p);
      ct_kit_muscle_equilibrium(&m, L0 + x * l - e, 0.4, &q);
      XT_NEAR(f.by_length / unit, (p.force - q.force) / (2 * e) / unit, 1e-4);
      ct_kit_muscle_equilibrium(&m, L0 + x * l, 0.4 + 1e-6, &p);
      ct_kit_muscle_equilibrium(&m, L0 + x * l, 0.4 - 1e-6, &q);
      XT_NEAR(f.by_activation / m.max_force, (p.force - q.force) / 2e-6 / m.max_force, 1e-4);
    }
  }
#endif
}

XT_TEST(muscle, fibre_velocity_balances_the_forces_at_zero_activation_too) {
  xtRng rng = xt_rng(8);
  for (int i = 0; i < 2000; i++) {
    ctKitMuscle m = preset(i % CT_KIT_MUSCLE_COUNT);
    double l = xt_uniform(&rng, 0.5, 1.6);
    ctKitMuscleState s = {i % 3 ? (ctReal)xt_uniform(&rng, 0, 1) : 0, (ctReal)(l * (double)m.optimal_length)};
    ctKitMuscleForce f;
    double L = (double)s.fibre * 0.9 + (double)m.slack_length * xt_uniform(&rng, 0.98, 1.06);
    XT_INT(ct_kit_muscle_elastic(&m, &s, (ctReal)L, &f), CT_OK);
    double v = (double)f.velocity / ((double)m.optimal_length * (double)m.max_velocity);
    double pull = (double)(f.active + f.passive) / (double)m.max_force + (double)m.damping * v;
    XT_NEAR(pull * (double)f.cosine, f.force / m.max_force, XT_TOL(1e-10, 5e-4) * fmax(1, fabs(pull)));
  }
}

XT_TEST(muscle, passive_energy_never_grows) {
  xtRng rng = xt_rng(9);
  const double steps[] = {1e-4, 1e-3, 1e-2, 1};
  for (int i = 0; i < 400; i++) {
    ctKitMuscle m = preset(i % CT_KIT_MUSCLE_COUNT);
    double L = rest_length(&m) + (double)m.optimal_length * xt_uniform(&rng, -0.5, 0.8);
    ctKitMuscleState s = {0, (ctReal)((double)m.optimal_length * xt_uniform(&rng, 0.6, 1.5))};
    ctKitMuscleForce f;
    XT_INT(ct_kit_muscle_elastic(&m, &s, (ctReal)L, &f), CT_OK);
    // lengths are rounded, and the elements pull at them
    double energy = (double)f.energy, pull = (double)(f.force + f.passive),
           rounding = 16 * (double)XT_TOL(DBL_EPSILON, FLT_EPSILON) * (L * pull + energy);
    for (int n = 0; n < 50; n++) {
      XT_INT(ct_kit_muscle_step(&m, &s, 0, (ctReal)L, (ctReal)steps[i % 4], &f), CT_OK);
      XT_TRUE((double)f.energy <= energy + rounding);
      energy = (double)f.energy;
    }
  }
}

XT_TEST(muscle, settles_where_its_equilibrium_is) {
  for (int k = 0; k < CT_KIT_MUSCLE_COUNT; k++) {
    ctKitMuscle m = preset(k);
    ctReal L = (ctReal)rest_length(&m);
    ctKitMuscleState s = {CT_R(0.1), m.optimal_length};
    ctKitMuscleForce f, rest;
    for (int i = 0; i < 3000; i++) XT_INT(ct_kit_muscle_step(&m, &s, CT_R(0.6), L, CT_R(1e-3), &f), CT_OK);
    XT_INT(ct_kit_muscle_equilibrium(&m, L, s.activation, &rest), CT_OK);
    XT_NEAR(s.activation, 0.6, XT_TOL(1e-9, 1e-5));
    XT_NEAR(f.force / m.max_force, rest.force / m.max_force, XT_TOL(1e-8, 5e-3));
  }
}

XT_TEST(muscle, activates_faster_than_it_relaxes) {
  ctKitMuscle m = preset(0);
  ctReal up, down;
  XT_INT(ct_kit_muscle_activation_rate(&m, 1, CT_R(0.5), &up), CT_OK);
  XT_INT(ct_kit_muscle_activation_rate(&m, 0, CT_R(0.5), &down), CT_OK);
  XT_TRUE(up > -down && down < 0);
}

// Biceps muscles on both sides of a joint: `front` that bend it, `back` that stretch it.
static void make_group(ctKitAntagonist* group, int front, int back) {
  for (int k = 0; k < front + back; k++) {
    group[k].muscle = preset(0);
    group[k].rest = (ctReal)(1.02 * rest_length(&group[k].muscle));
    group[k].arm = k < front ? CT_R(0.04) : CT_R(-0.04);
    group[k].weight = 1;
  }
}

// Torque and stiffness after a second.
static void hold(const ctKitAntagonist* group, int n, double effort, double cocontraction, double out[2]) {
  ctKitMuscleState s[8];
  ctReal u[8], torque = 0, stiffness = 0;
  for (int k = 0; k < n; k++) s[k] = (ctKitMuscleState){0, group[k].muscle.optimal_length};
  XT_INT(ct_kit_antagonists_excite(group, n, (ctReal)effort, (ctReal)cocontraction, u), CT_OK);
  for (int i = 0; i < 500; i++)
    XT_INT(ct_kit_antagonists_step(group, n, s, u, 0, CT_R(2e-3), &torque, &stiffness, NULL), CT_OK);
  out[0] = (double)torque;
  out[1] = (double)stiffness;
}

XT_TEST(antagonists, stiffen_without_torque_when_both_sides_pull) {
  ctKitAntagonist group[6];
  for (int each = 1; each <= 3; each++) {
    double loose[2], tense[2];
    make_group(group, each, each);
    hold(group, 2 * each, 0, 0.1, loose);
    hold(group, 2 * each, 0, 0.5, tense);
    XT_NEAR(loose[0], 0, XT_TOL(1e-9, 1e-3));
    XT_NEAR(tense[0], 0, XT_TOL(1e-9, 1e-3));
    XT_TRUE(tense[1] > 1.3 * loose[1]);
  }
}

XT_TEST(antagonists, pull_by_their_number_and_weight) {
  ctKitAntagonist group[5];
  double one[2], three[2], light[2], back[2];
  make_group(group, 1, 2);
  hold(group, 3, 0.6, 0, one);
  make_group(group, 3, 2);
  hold(group, 5, 0.6, 0, three);
  hold(group, 5, -0.6, 0, back);
  // what is not excited pulls passively on both sides; three muscles add three times one
  ctKitMuscleForce rest;
  XT_INT(ct_kit_muscle_equilibrium(&group[0].muscle, group[0].rest, 0, &rest), CT_OK);
  double passive = 0.04 * 2 * (double)rest.force;
  XT_NEAR(three[0] + passive, 3 * (one[0] + passive), 1e-3 * three[0]);
  XT_TRUE(back[0] < 0 && one[0] > 0);
  // two of the three at half weight pull as one at effort 0.6 and two at 0.3
  group[1].weight = group[2].weight = CT_R(0.5);
  hold(group, 5, 0.6, 0, light);
  double half[2];
  make_group(group, 1, 2);
  hold(group, 3, 0.3, 0, half);
  XT_NEAR(light[0] + passive, one[0] + 2 * half[0] + 3 * passive, 1e-3 * three[0]);
}

XT_TEST(antagonists, that_make_no_sense_are_refused_and_nothing_moves) {
  ctKitAntagonist group[2];
  make_group(group, 1, 1);
  const ctKitMuscleState start = {CT_R(0.2), group[0].muscle.optimal_length};
  ctKitMuscleState s[2] = {start, start};
  const ctReal good[2] = {CT_R(0.5), CT_R(0.5)}, bad[2] = {CT_R(0.5), (ctReal)NAN};
  ctReal u[2], torque;
  XT_INT(ct_kit_antagonists_excite(group, 2, 2, 0, u), CT_ERR_INVALID);
  XT_INT(ct_kit_antagonists_excite(group, 2, 0, CT_R(-0.1), u), CT_ERR_INVALID);
  XT_INT(ct_kit_antagonists_step(group, 2, s, bad, 0, CT_R(1e-3), &torque, NULL, NULL), CT_ERR_INVALID);
  XT_INT(ct_kit_antagonists_step(group, 2, s, good, 100, CT_R(1e-3), &torque, NULL, NULL), CT_ERR_INVALID);
  group[1].arm = 0;
  XT_INT(ct_kit_antagonists_step(group, 2, s, good, 0, CT_R(1e-3), &torque, NULL, NULL), CT_ERR_INVALID);
  make_group(group, 1, 1);
  group[1].weight = CT_R(1.5);
  XT_INT(ct_kit_antagonists_excite(group, 2, 0, 0, u), CT_ERR_INVALID);
  XT_INT(ct_kit_antagonists_excite(NULL, 2, 0, 0, u), CT_ERR_ARGUMENT);
  XT_SAME(&s[0].activation, &start.activation, 1);
  XT_SAME(&s[0].fibre, &start.fibre, 1);
}

XT_TEST(muscle, that_makes_no_sense_is_refused) {
  ctKitMuscle good = preset(3), m;
  ctKitMuscleForce f;
  ctKitMuscleState s = {0, good.optimal_length};
  const ctReal bad[] = {0, -1, (ctReal)NAN, (ctReal)INFINITY};
  for (int i = 0; i < 4; i++) {
    m = good;
    m.optimal_length = bad[i];
    XT_INT(ct_kit_muscle_rigid(&m, CT_R(0.3), 0, 1, &f), CT_ERR_INVALID);
    m = good;
    m.max_force = bad[i];
    XT_INT(ct_kit_muscle_equilibrium(&m, CT_R(0.3), 1, &f), CT_ERR_INVALID);
    m = good;
    m.damping = bad[i];
    XT_INT(ct_kit_muscle_step(&m, &s, 1, CT_R(0.3), CT_R(1e-3), &f), CT_ERR_INVALID);
    XT_INT(ct_kit_muscle_rigid(&good, i ? bad[i] : -1, 0, 1, &f), CT_ERR_INVALID);
  }
  XT_INT(ct_kit_muscle_rigid(&good, CT_R(0.3), 0, CT_R(1.1), &f), CT_ERR_INVALID);
  XT_INT(ct_kit_muscle_preset(99, &m), CT_ERR_ARGUMENT);
  s.fibre = 0;
  XT_INT(ct_kit_muscle_elastic(&good, &s, CT_R(0.3), &f), CT_ERR_INVALID);
}

XT_MAIN()
