// Hill-type muscles: F0 (a fl(l) fv(v) + fp(l) + damping v) cos(pennation) = F0 ft(tendon).
// Zajac 1989 has the structure, Thelen 2003 the exponentials, Millard et al. 2013 the damped fibre.
#include "stage/force/muscle.h"
#include "kit/kit.h"
#include "math/quat.h"

#define LEAST_FIBRE  CT_R(0.2)      // of the optimal length
#define MOST_SINE    CT_R(0.99499)  // of the pennation angle, where its cosine is 0.1
#define SEARCH_STEPS 200

#define AS_ROW(id, keyword, force, fibre, tendon, pennation, source) {force, fibre, tendon, pennation},
static const double presets[][4] = {CT_KIT_MUSCLE_LIST(AS_ROW)};

void ct_kit_muscle_default(ctReal max_force, ctReal optimal_length, ctReal slack_length, ctReal pennation,
                           ctKitMuscle* out) {
  out->max_force = max_force;
  out->optimal_length = optimal_length;
  out->slack_length = slack_length;
  out->pennation = pennation;
  out->max_velocity = 10;
  out->activation = CT_R(0.01);
  out->deactivation = CT_R(0.04);
  out->width = CT_R(0.45);
  out->passive_strain = CT_R(0.6);
  out->passive_shape = 4;
  out->tendon_strain = CT_R(0.049);
  out->tendon_shape = 3;
  out->curvature = CT_R(0.25);
  out->lengthening = CT_R(1.4);
  out->damping = CT_R(0.1);
}

ctStatus ct_kit_muscle_preset(int preset, ctKitMuscle* out) {
  if (preset < 0 || preset >= CT_KIT_MUSCLE_COUNT || !out) return CT_ERR_ARGUMENT;
  const double* p = presets[preset];
  ct_kit_muscle_default((ctReal)p[0], (ctReal)p[1], (ctReal)p[2], (ctReal)(p[3] * CTI_PI / 180), out);
  return CT_OK;
}

ctStatus ct_kit_muscle_check(const ctKitMuscle* u) {
  if (!u) return CT_ERR_ARGUMENT;
  const ctReal positive[] = {u->max_force,     u->optimal_length, u->max_velocity,   u->activation,
                             u->deactivation,  u->width,          u->passive_strain, u->passive_shape,
                             u->tendon_strain, u->tendon_shape,   u->curvature,      u->damping};
  for (int k = 0; k < CT_COUNT_OF(positive); k++) {
    if (!cti_kit_positive(positive[k])) return CT_ERR_INVALID;
  }
  bool ok = cti_kit_not_negative(u->slack_length) && cti_kit_finite(u->lengthening) && u->lengthening > 1 &&
            u->pennation >= 0 && u->pennation < CT_R(0.5 * CTI_PI) && u->passive_shape < 30 &&
            u->tendon_shape < 30;
  return ok ? CT_OK : CT_ERR_INVALID;
}

// ---- curves ----

// exp(x) less the first `order` terms of its series, without cancellation.
static ctReal exp_rest(ctReal x, int order) {
  if (x > 1) {
    ctReal rest = cti_exp(x), term = 1;
    for (int n = 0; n < order; n++) {
      rest -= term;
      term *= x / (ctReal)(n + 1);
    }
    return rest;
  }
  ctReal term = 1, sum = 0;
  for (int n = 1; n <= 20; n++) {
    if (n > order) sum += term;
    term *= x / (ctReal)n;
  }
  return sum;
}

// An elastic element: nothing at 0, 1 at strain 1, exponential between, a line beyond. With slope and energy.
static ctReal elastic(ctReal x, ctReal shape, ctReal* slope, ctReal* energy) {
  ctReal scale = 1 / exp_rest(shape, 2);
  if (x <= 0) {
    *slope = *energy = 0;
    return 0;
  }
  if (x <= 1) {
    *slope = shape * exp_rest(shape * x, 1) * scale;
    *energy = exp_rest(shape * x, 3) / shape * scale;
    return exp_rest(shape * x, 2) * scale;
  }
  ctReal more = x - 1;
  *slope = shape * exp_rest(shape, 1) * scale;
  *energy = exp_rest(shape, 3) / shape * scale + more + CT_R(0.5) * *slope * more * more;
  return 1 + *slope * more;
}

// Newton's method from above falls to the root of a convex function.
static ctReal elastic_inverse(ctReal force, ctReal shape) {
  if (!(force > 0)) return (ctReal)NAN;
  ctReal whole = exp_rest(shape, 2), slope, energy;
  if (force >= 1) {
    elastic(2, shape, &slope, &energy);
    return 1 + (force - 1) / slope;
  }
  ctReal x = cti_min(shape, cti_sqrt(2 * whole * force)) / shape;
  for (int i = 0; i < SEARCH_STEPS; i++) {
    ctReal excess = elastic(x, shape, &slope, &energy) - force;
    ctReal next = x - excess / slope;
    if (!(next < x)) break;
    x = next;
  }
  return x;
}

ctReal ct_kit_muscle_active(const ctKitMuscle* u, ctReal length, ctReal* slope) {
  ctReal off = length - 1, value = cti_exp(-off * off / u->width);
  if (slope) *slope = -2 * off / u->width * value;
  return value;
}

ctReal ct_kit_muscle_passive(const ctKitMuscle* u, ctReal length, ctReal* slope) {
  ctReal own, energy, value = elastic((length - 1) / u->passive_strain, u->passive_shape, &own, &energy);
  if (slope) *slope = own / u->passive_strain;
  return value;
}

ctReal ct_kit_muscle_tendon(const ctKitMuscle* u, ctReal length, ctReal* slope) {
  ctReal own, energy, value = elastic((length - 1) / u->tendon_strain, u->tendon_shape, &own, &energy);
  if (slope) *slope = own / u->tendon_strain;
  return value;
}

// Hill's hyperbola when shortening; a second one with the same slope at rest, up to `lengthening`.
ctReal ct_kit_muscle_speed(const ctKitMuscle* u, ctReal velocity, ctReal* slope) {
  ctReal v = velocity, rise = 1 + 1 / u->curvature, excess = u->lengthening - 1;
  if (v <= 0) {
    ctReal below = 1 - v / u->curvature;
    if (slope) *slope = rise / (below * below);
    return (1 + v) / below;
  }
  ctReal half = excess / rise, below = v + half;
  if (slope) *slope = excess * half / (below * below);
  return 1 + excess * v / below;
}

ctReal ct_kit_muscle_active_inverse(const ctKitMuscle* u, ctReal force, bool longer) {
  if (!(force > 0 && force <= 1)) return (ctReal)NAN;
  ctReal off = cti_sqrt(-u->width * cti_log(force));
  return longer ? 1 + off : 1 - off;
}

ctReal ct_kit_muscle_passive_inverse(const ctKitMuscle* u, ctReal force) {
  return 1 + u->passive_strain * elastic_inverse(force, u->passive_shape);
}

ctReal ct_kit_muscle_tendon_inverse(const ctKitMuscle* u, ctReal force) {
  return 1 + u->tendon_strain * elastic_inverse(force, u->tendon_shape);
}

ctReal ct_kit_muscle_speed_inverse(const ctKitMuscle* u, ctReal force) {
  if (!(force > -u->curvature && force < u->lengthening)) return (ctReal)NAN;
  if (force <= 1) return (force - 1) / (1 + force / u->curvature);
  ctReal excess = u->lengthening - 1, half = excess / (1 + 1 / u->curvature);
  return half * (force - 1) / (u->lengthening - force);
}

// ---- the fibre ----

// A fibre of some length, normalised: its width across stays, so it stands steeper when it is short.
typedef struct Fibre {
  ctReal length, cosine;
  ctReal active, active_slope, passive, passive_slope;
} Fibre;

static ctReal least_fibre(const ctKitMuscle* u) {
  return cti_max(LEAST_FIBRE, cti_sin(u->pennation) / MOST_SINE);
}

static Fibre fibre_at(const ctKitMuscle* u, ctReal length) {
  Fibre f;
  f.length = cti_max(length, least_fibre(u));
  ctReal sine = cti_sin(u->pennation) / f.length;
  f.cosine = cti_sqrt(1 - sine * sine);
  f.active = ct_kit_muscle_active(u, f.length, &f.active_slope);
  f.passive = ct_kit_muscle_passive(u, f.length, &f.passive_slope);
  return f;
}

// Normalised length of the fibre that leaves `along` for its part of the way.
static ctReal fibre_along(const ctKitMuscle* u, ctReal along) {
  ctReal across = cti_sin(u->pennation), way = cti_max(along, 0) / u->optimal_length;
  return cti_max(cti_sqrt(way * way + across * across), least_fibre(u));
}

static ctReal tendon_at(const ctKitMuscle* u, const Fibre* f, ctReal length, ctReal* slope) {
  ctReal tendon = (length - f->length * u->optimal_length * f->cosine) / u->slack_length;
  return ct_kit_muscle_tendon(u, tendon, slope);
}

// Velocity at which a fl fv(v) + damping v = load: on each side of rest a quadratic equation with one root.
static ctReal balance_velocity(const ctKitMuscle* u, ctReal active, ctReal load) {
  ctReal A = active, B = u->damping, p, q, r;
  if (load < A) {
    p = B / u->curvature;
    q = -(A + B + load / u->curvature);
    r = load - A;
  } else {
    ctReal excess = u->lengthening - 1, half = excess / (1 + 1 / u->curvature);
    p = B;
    q = A * u->lengthening + B * half - load;
    r = half * (A - load);
  }
  // p > 0 and r <= 0: one root on each side of zero; the one wanted by the stable formula
  ctReal root = cti_sqrt(q * q - 4 * p * r);
  if (load < A) return q > 0 ? CT_R(-0.5) * (q + root) / p : 2 * r / (root - q);
  return q < 0 ? CT_R(0.5) * (root - q) / p : -2 * r / (root + q);
}

static ctReal fibre_velocity(const ctKitMuscle* u, const Fibre* f, ctReal activation, ctReal length) {
  ctReal slope, load = tendon_at(u, f, length, &slope) / f->cosine - f->passive;
  return balance_velocity(u, activation * f->active, load);
}

static ctReal energy_of(const ctKitMuscle* u, const Fibre* f, ctReal length) {
  ctReal slope, fibre, tendon = 0;
  elastic((f->length - 1) / u->passive_strain, u->passive_shape, &slope, &fibre);
  if (u->slack_length > 0) {
    ctReal strain = (length - f->length * u->optimal_length * f->cosine) / u->slack_length - 1;
    elastic(strain / u->tendon_strain, u->tendon_shape, &slope, &tendon);
  }
  return u->max_force *
         (u->optimal_length * u->passive_strain * fibre + u->slack_length * u->tendon_strain * tendon);
}

static void report(ctKitMuscleForce* out, const ctKitMuscle* u, const Fibre* f, ctReal activation,
                   ctReal velocity, ctReal length) {
  out->fibre = f->length * u->optimal_length;
  out->velocity = velocity * u->optimal_length * u->max_velocity;
  out->cosine = f->cosine;
  out->active = u->max_force * activation * f->active * ct_kit_muscle_speed(u, velocity, (ctReal*)0);
  out->passive = u->max_force * f->passive;
  out->by_length = out->by_velocity = out->by_activation = 0;
  out->energy = energy_of(u, f, length);
}

static ctStatus check(const ctKitMuscle* u, ctReal length, ctReal activation, const void* out) {
  ctStatus status = ct_kit_muscle_check(u);
  if (status != CT_OK || !out) return status != CT_OK ? status : CT_ERR_ARGUMENT;
  return cti_kit_not_negative(length) && activation >= 0 && activation <= 1 ? CT_OK : CT_ERR_INVALID;
}

// ---- activation ----

ctStatus ct_kit_muscle_activation_rate(const ctKitMuscle* u, ctReal excitation, ctReal activation,
                                       ctReal* out) {
  ctStatus status = check(u, 0, activation, out);
  if (status != CT_OK) return status;
  if (!cti_kit_finite(excitation)) return CT_ERR_INVALID;
  ctReal prm[CT_NDYN] = {0};
  prm[0] = u->activation;
  prm[1] = u->deactivation;
  *out = cti_muscle_dynamics(prm, excitation, activation);
  return CT_OK;
}

// ---- forces ----

ctStatus ct_kit_muscle_rigid(const ctKitMuscle* u, ctReal length, ctReal velocity, ctReal activation,
                             ctKitMuscleForce* out) {
  ctStatus status = check(u, length, activation, out);
  if (status != CT_OK) return status;
  if (!cti_kit_finite(velocity)) return CT_ERR_INVALID;
  ctReal along = length - u->slack_length;
  Fibre f = fibre_at(u, fibre_along(u, along));
  bool shortest = f.length <= least_fibre(u);
  ctReal way = shortest ? 0 : f.cosine, unit = u->optimal_length * u->max_velocity;
  ctReal v = velocity * way / unit, slope;
  ctReal speed = ct_kit_muscle_speed(u, v, &slope), a = activation;
  ctReal stress = a * f.active * speed + f.passive + u->damping * v,
         viscous = a * f.active * slope + u->damping;
  report(out, u, &f, a, v, length);
  out->force = u->max_force * stress * f.cosine;
  if (!(out->force > 0)) {
    // muscles do not push
    out->force = 0;
    return CT_OK;
  }
  // how the cosine of the pennation grows as the whole gets longer
  ctReal steeper = shortest ? 0 : (1 - f.cosine * f.cosine) / (f.length * u->optimal_length);
  ctReal elastic_part = (a * f.active_slope * speed + f.passive_slope) * way / u->optimal_length;
  out->by_length =
      u->max_force * ((elastic_part + viscous * velocity * steeper / unit) * f.cosine + stress * steeper);
  out->by_velocity = u->max_force * f.cosine * viscous * way / unit;
  out->by_activation = u->max_force * f.active * speed * f.cosine;
  return CT_OK;
}

ctStatus ct_kit_muscle_elastic(const ctKitMuscle* u, const ctKitMuscleState* state, ctReal length,
                               ctKitMuscleForce* out) {
  if (!state) return CT_ERR_ARGUMENT;
  ctStatus status = check(u, length, state->activation, out);
  if (status != CT_OK) return status;
  if (!(u->slack_length > 0) || !cti_kit_positive(state->fibre)) return CT_ERR_INVALID;
  Fibre f = fibre_at(u, state->fibre / u->optimal_length);
  ctReal slope, tendon = tendon_at(u, &f, length, &slope);
  report(out, u, &f, state->activation, fibre_velocity(u, &f, state->activation, length), length);
  out->force = u->max_force * tendon;
  out->by_length = u->max_force * slope / u->slack_length;
  return CT_OK;
}

// ---- searches over the length of the fibre ----

typedef struct Search {
  const ctKitMuscle* muscle;
  ctReal activation, length;
  ctReal start, reach;  // of a step: where the fibre begins, how far it goes at unit velocity
} Search;

typedef ctReal Residual(const Search* s, ctReal fibre);

// Pull of the fibre at rest, less that of the tendon.
static ctReal at_rest(const Search* s, ctReal fibre) {
  Fibre f = fibre_at(s->muscle, fibre);
  ctReal slope;
  return (s->activation * f.active + f.passive) * f.cosine - tendon_at(s->muscle, &f, s->length, &slope);
}

// End of a step, less where its velocity leads.
static ctReal at_end(const Search* s, ctReal fibre) {
  Fibre f = fibre_at(s->muscle, fibre);
  return fibre - s->start - s->reach * fibre_velocity(s->muscle, &f, s->activation, s->length);
}

// A root between lo, where the residual is negative, and hi, where it is not: secants and bisections in turn.
static ctReal find_root(Residual* residual, const Search* s, ctReal lo, ctReal hi) {
  ctReal below = residual(s, lo), above = residual(s, hi);
  for (int i = 0; i < SEARCH_STEPS && above > 0; i++) {
    ctReal mid = CT_R(0.5) * (lo + hi);
    if (i % 2 == 0) mid = lo - (hi - lo) * below / (above - below);
    if (!(mid > lo && mid < hi)) mid = CT_R(0.5) * (lo + hi);
    if (!(mid > lo && mid < hi)) break;
    ctReal value = residual(s, mid);
    if (value < 0) {
      lo = mid;
      below = value;
    } else {
      hi = mid;
      above = value;
    }
  }
  return hi;
}

ctStatus ct_kit_muscle_equilibrium(const ctKitMuscle* u, ctReal length, ctReal activation,
                                   ctKitMuscleForce* out) {
  ctStatus status = check(u, length, activation, out);
  if (status != CT_OK) return status;
  if (u->slack_length == 0) return ct_kit_muscle_rigid(u, length, 0, activation, out);
  Search s = {u, activation, length, 0, 0};
  ctReal least = least_fibre(u), slack = fibre_along(u, length - u->slack_length), fibre = slack;
  bool shortest = true;
  if (slack > least && at_rest(&s, least) < 0) {
    fibre = find_root(at_rest, &s, least, slack);
    shortest = false;
  } else if (slack > least) {
    fibre = least;
  }
  Fibre f = fibre_at(u, fibre);
  ctReal slope, tendon = tendon_at(u, &f, length, &slope);
  report(out, u, &f, activation, 0, length);
  out->force = u->max_force * tendon;
  ctReal stiff = slope / u->slack_length;
  if (shortest) {
    out->by_length = u->max_force * stiff;
    return CT_OK;
  }
  // implicit differentiation of the balance
  ctReal sine = cti_sin(u->pennation), pull = activation * f.active + f.passive;
  ctReal steeper = sine * sine / (f.length * f.length * f.length * f.cosine);
  ctReal by_fibre = (activation * f.active_slope + f.passive_slope) * f.cosine + pull * steeper +
                    stiff * u->optimal_length / f.cosine;
  if (by_fibre == 0) return CT_OK;  // slack: nothing pulls
  ctReal lever = stiff * u->optimal_length / f.cosine;
  out->by_length = u->max_force * stiff * (1 - lever / by_fibre);
  out->by_activation = u->max_force * lever * f.active * f.cosine / by_fibre;
  return CT_OK;
}

// ---- steps ----

// Exact for the time constant at the beginning.
static ctReal next_activation(const ctKitMuscle* u, ctReal excitation, ctReal activation, ctReal timestep) {
  ctReal rate, excess = cti_clip(excitation, 0, 1) - activation;
  ct_kit_muscle_activation_rate(u, excitation, activation, &rate);
  if (excess == 0) return activation;
  return cti_clip(activation + excess * (1 - cti_exp(-timestep * rate / excess)), 0, 1);
}

// Without a tendon the fibre follows the whole.
static ctStatus step_without_tendon(const ctKitMuscle* u, ctKitMuscleState* state, ctReal length,
                                    ctReal timestep, ctKitMuscleForce* out) {
  Fibre before = fibre_at(u, state->fibre / u->optimal_length);
  ctReal way = length - before.length * before.cosine * u->optimal_length;
  ctStatus status = ct_kit_muscle_rigid(u, length, timestep > 0 ? way / timestep : 0, state->activation, out);
  if (status == CT_OK) state->fibre = out->fibre;
  return status;
}

ctStatus ct_kit_muscle_step(const ctKitMuscle* u, ctKitMuscleState* state, ctReal excitation, ctReal length,
                            ctReal timestep, ctKitMuscleForce* out) {
  if (!state) return CT_ERR_ARGUMENT;
  ctStatus status = check(u, length, state->activation, out);
  if (status != CT_OK) return status;
  if (!cti_kit_positive(state->fibre) || !cti_kit_not_negative(timestep) || !cti_kit_finite(excitation))
    return CT_ERR_INVALID;
  state->activation = next_activation(u, excitation, state->activation, timestep);
  if (u->slack_length == 0) return step_without_tendon(u, state, length, timestep, out);
  ctReal least = least_fibre(u), start = cti_max(state->fibre / u->optimal_length, least), fibre = start;
  Search s = {u, state->activation, length, start, timestep * u->max_velocity};
  Fibre f = fibre_at(u, start);
  ctReal velocity = fibre_velocity(u, &f, state->activation, length);
  if (velocity > 0 && timestep > 0) {
    // where the tendon is slack nothing lengthens the fibre
    ctReal slack = fibre_along(u, length - u->slack_length);
    if (slack > start) fibre = find_root(at_end, &s, start, slack);
  } else if (velocity < 0 && timestep > 0) {
    fibre = at_end(&s, least) < 0 ? find_root(at_end, &s, least, start) : least;
  }
  state->fibre = fibre * u->optimal_length;
  return ct_kit_muscle_elastic(u, state, length, out);
}

// ---- antagonists ----

static ctStatus check_group(const ctKitAntagonist* group, int n) {
  if (n < 0 || (n > 0 && !group)) return CT_ERR_ARGUMENT;
  for (int k = 0; k < n; k++) {
    const ctKitAntagonist* a = &group[k];
    ctStatus status = ct_kit_muscle_check(&a->muscle);
    if (status != CT_OK) return status;
    if (!cti_kit_finite(a->rest) || !cti_kit_finite(a->arm) || a->arm == 0 ||
        !(a->weight >= 0 && a->weight <= 1)) {
      return CT_ERR_INVALID;
    }
  }
  return CT_OK;
}

ctStatus ct_kit_antagonists_excite(const ctKitAntagonist* group, int n, ctReal effort, ctReal cocontraction,
                                   ctReal* out) {
  ctStatus status = check_group(group, n);
  if (status != CT_OK || (n > 0 && !out)) return status != CT_OK ? status : CT_ERR_ARGUMENT;
  if (!(effort >= -1 && effort <= 1) || !(cocontraction >= 0 && cocontraction <= 1)) return CT_ERR_INVALID;
  for (int k = 0; k < n; k++) {
    ctReal own = cti_max(0, group[k].arm > 0 ? effort : -effort);
    out[k] = group[k].weight * (cocontraction + (1 - cocontraction) * own);
  }
  return CT_OK;
}

ctStatus ct_kit_antagonists_step(const ctKitAntagonist* group, int n, ctKitMuscleState* state,
                                 const ctReal* excitation, ctReal angle, ctReal timestep, ctReal* torque,
                                 ctReal* stiffness, ctKitMuscleForce* force) {
  ctStatus status = check_group(group, n);
  if (status != CT_OK) return status;
  if ((n > 0 && (!state || !excitation)) || !torque) return CT_ERR_ARGUMENT;
  if (!cti_kit_finite(angle) || !cti_kit_not_negative(timestep)) return CT_ERR_INVALID;
  // all of them first: a group moves as a whole or not at all
  for (int k = 0; k < n; k++) {
    bool ok = group[k].rest - group[k].arm * angle >= 0 && state[k].activation >= 0 &&
              state[k].activation <= 1 && cti_kit_positive(state[k].fibre) && cti_kit_finite(excitation[k]);
    if (!ok) return CT_ERR_INVALID;
  }
  ctReal sum = 0, stiff = 0;
  for (int k = 0; k < n; k++) {
    const ctKitAntagonist* a = &group[k];
    ctKitMuscleForce f;
    status = ct_kit_muscle_step(&a->muscle, &state[k], excitation[k], a->rest - a->arm * angle, timestep, &f);
    if (status != CT_OK) return status;
    sum += a->arm * f.force;
    stiff += a->arm * a->arm * f.by_length;
    if (force) force[k] = f;
  }
  *torque = sum;
  if (stiffness) *stiffness = stiff;
  return CT_OK;
}
