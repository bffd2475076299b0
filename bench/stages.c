// Time of each stage of a step beside the reference engine's, on the same states of a rollout with random
// controls, in one run:
//   bench_stages LIBRARY MODEL.xml...
// The least of several runs counts for each stage and state; the table shows the mean over the states.
#include <math.h>
#include <string.h>

#include "base/thread.h"
#include "collide/collide.h"
#include "corten/corten.h"
#include "data/data.h"
#include "oracle.h"
#include "stage/constraint/constraint.h"
#include "stage/position/position.h"
#include "step/step.h"

#define STATES  20
#define APART   25  // steps between two states
#define REPEATS 15

static void kinematics(const ctModel* m, ctData* d) {
  cti_data_clear_arena(d);
  cti_kinematics(m, d);
  cti_com(m, d);
  cti_cameras(m, d);
}
static void tendons(const ctModel* m, ctData* d) {
  cti_tendons(m, d);
}
static void inertia(const ctModel* m, ctData* d) {
  cti_mass_matrix(m, d);
  cti_tendon_inertia(m, d);
  cti_factor_mass(m, d);
}
static void collision(const ctModel* m, ctData* d) {
  cti_collision(m, d);
}
static void rows(const ctModel* m, ctData* d) {
  cti_make_constraints(m, d, true);
}
static void transmission(const ctModel* m, ctData* d) {
  cti_transmission(m, d);
}
static void velocity(const ctModel* m, ctData* d) {
  cti_forward_velocity(m, d);
}
static void actuation(const ctModel* m, ctData* d) {
  cti_forward_actuation(m, d);
}
static void acceleration(const ctModel* m, ctData* d) {
  cti_forward_acceleration(m, d);
}
static void solve(const ctModel* m, ctData* d) {
  cti_forward_constraint(m, d);
}

// The stages in order: ours, and the calls that do the same there.
static const struct {
  const char* name;
  void (*ours)(const ctModel* m, ctData* d);
  const char* theirs[4];
  bool smooth;
} stages[] = {
    {"kinematics", kinematics, {"mj_kinematics", "mj_comPos", "mj_camlight", "mj_flex"}, true},
    {"tendons", tendons, {"mj_tendon"}, true},
    {"inertia", inertia, {"mj_makeM", "mj_factorM"}, true},
    {"collision", collision, {"mj_collision"}, false},
    {"constraint rows", rows, {"mj_makeConstraint", "mj_island", "mj_projectConstraint"}, false},
    {"transmission", transmission, {"mj_transmission"}, true},
    {"velocity", velocity, {"mj_fwdVelocity"}, true},
    {"actuation", actuation, {"mj_fwdActuation"}, true},
    {"acceleration", acceleration, {"mj_fwdAcceleration"}, true},
    {"solve", solve, {"mj_fwdConstraint"}, false},
};
#define NSTAGE ((int)(sizeof(stages) / sizeof(stages[0])))

static double now(void) {
  return 1e-3 * (double)cti_clock_ns();
}

typedef struct Bench {
  const Oracle* oracle;
  void *their_model, *their_data;
  OracleStage* calls[NSTAGE][4];
  OracleStage* step;
  ctModel* m;
  ctData* d;
  double* states;  // STATES rows
  ctReal* state;   // one, in our precision
  int nstate;
  double ours[NSTAGE + 1], theirs[NSTAGE + 1];  // microseconds, the last is the whole step
} Bench;

static void set_states(Bench* b, int i) {
  const double* from = b->states + (size_t)i * (size_t)b->nstate;
  b->oracle->set_state(b->their_model, b->their_data, from, CT_STATE_INTEGRATION);
  for (int k = 0; k < b->nstate; k++) b->state[k] = (ctReal)from[k];
  ct_data_set_state(b->m, b->d, b->state, CT_STATE_INTEGRATION);
}

// Controls are drawn anew every step, around zero.
static void record(Bench* b) {
  int nu = b->m->nu;
  double* ctrl = calloc((size_t)nu + 1, sizeof(double));
  unsigned seed = 1;
  if (b->m->nkey > 0) b->oracle->reset_key(b->their_model, b->their_data, 0);
  for (int i = 0; i < STATES * APART; i++) {
    for (int k = 0; k < nu; k++) {
      seed = seed * 1664525u + 1013904223u;
      ctrl[k] = 0.5 * ((double)(seed >> 8) / 8388608.0 - 1);
    }
    b->oracle->set_state(b->their_model, b->their_data, ctrl, CT_STATE_CTRL);
    if (i % APART == 0) {
      b->oracle->get_state(b->their_model, b->their_data, b->states + (size_t)(i / APART) * (size_t)b->nstate,
                           CT_STATE_INTEGRATION);
    }
    b->step(b->their_model, b->their_data);
  }
  free(ctrl);
}

static void time_ours(Bench* b, double* best) {
  double t = now();
  for (int s = 0; s < NSTAGE; s++) {
    stages[s].ours(b->m, b->d);
    double end = now();
    best[s] = fmin(best[s], end - t);
    t = end;
  }
}

static void time_theirs(Bench* b, double* best) {
  double t = now();
  for (int s = 0; s < NSTAGE; s++) {
    for (int k = 0; k < 4 && b->calls[s][k]; k++) b->calls[s][k](b->their_model, b->their_data);
    double end = now();
    best[s] = fmin(best[s], end - t);
    t = end;
  }
}

static void measure(Bench* b) {
  for (int i = 0; i < STATES; i++) {
    double ours[NSTAGE + 1], theirs[NSTAGE + 1];
    for (int s = 0; s <= NSTAGE; s++) ours[s] = theirs[s] = INFINITY;
    set_states(b, i);
    // an arena that is too small grows now, not while the clock runs
    for (int k = 0; k < 3; k++) ct_forward(b->m, b->d);
    set_states(b, i);
    for (int r = 0; r < REPEATS; r++) {
      time_ours(b, ours);
      time_theirs(b, theirs);
    }
    for (int r = 0; r < REPEATS; r++) {
      set_states(b, i);
      double t = now();
      ct_step(b->m, b->d);
      double middle = now();
      b->step(b->their_model, b->their_data);
      double end = now();
      ours[NSTAGE] = fmin(ours[NSTAGE], middle - t);
      theirs[NSTAGE] = fmin(theirs[NSTAGE], end - middle);
    }
    for (int s = 0; s <= NSTAGE; s++) {
      b->ours[s] += ours[s] / STATES;
      b->theirs[s] += theirs[s] / STATES;
    }
  }
}

static void print_row(const char* name, double ours, double theirs) {
  printf("  %-18s %10.2f %10.2f %8.2f\n", name, ours, theirs, theirs > 0.05 ? ours / theirs : NAN);
}

static void report(const Bench* b, const char* path) {
  printf("%s (nv %d)\n  %-18s %10s %10s %8s\n", path, b->m->nv, "us", "ours", "theirs", "ratio");
  double smooth[2] = {0, 0};
  for (int s = 0; s < NSTAGE; s++) {
    print_row(stages[s].name, b->ours[s], b->theirs[s]);
    if (!stages[s].smooth) continue;
    smooth[0] += b->ours[s];
    smooth[1] += b->theirs[s];
  }
  print_row("all smooth stages", smooth[0], smooth[1]);
  print_row("step", b->ours[NSTAGE], b->theirs[NSTAGE]);
}

static int run(const Oracle* oracle, const char* path) {
  Bench b = {.oracle = oracle};
  char message[1000] = "";
  ctError err = {0};
  b.their_model = oracle->load(path, NULL, message, sizeof(message));
  if (!b.their_model || ct_model_load(&b.m, path, NULL, &err) != CT_OK ||
      ct_data_create(&b.d, b.m, &err) != CT_OK) {
    fprintf(stderr, "%s: %s%s\n", path, message, err.message);
    return 1;
  }
  b.their_data = oracle->make_data(b.their_model);
  b.nstate = oracle->state_size(b.their_model, CT_STATE_INTEGRATION);
  if (b.nstate != ct_data_state_size(b.m, CT_STATE_INTEGRATION)) {
    fprintf(stderr, "%s: the two engines differ in the size of the state\n", path);
    return 1;
  }
  b.states = calloc((size_t)b.nstate * STATES, sizeof(double));
  b.state = calloc((size_t)b.nstate, sizeof(ctReal));
  *(void**)&b.step = oracle_symbol(oracle, "mj_step");
  for (int s = 0; s < NSTAGE; s++) {
    for (int k = 0; k < 4 && stages[s].theirs[k]; k++)
      *(void**)&b.calls[s][k] = oracle_symbol(oracle, stages[s].theirs[k]);
  }
  record(&b);
  measure(&b);
  report(&b, path);
  free(b.states);
  free(b.state);
  ct_data_free(b.d);
  ct_model_free(b.m);
  oracle->free_data(b.their_data);
  oracle->free_model(b.their_model);
  return 0;
}

int main(int argc, char** argv) {
  if (argc < 3) {
    fprintf(stderr, "usage: %s LIBRARY MODEL.xml...\n", argv[0]);
    return 2;
  }
  Oracle oracle = oracle_open(argv[1]);
  int failed = 0;
  for (int i = 2; i < argc; i++) failed |= run(&oracle, argv[i]);
  return failed;
}
