#include "noise.h"

#include <math.h>
#include <stdlib.h>

#define NOISE_TIME 0.1  // seconds over which the noise forgets

static uint64_t next_random(uint64_t* state) {
  uint64_t z = *state += 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

// Nearly normal, mean 0, variance 1: the sum of four uniform numbers has the variance 4/12.
static double next_normal(uint64_t* state) {
  double sum = 0;
  for (int i = 0; i < 4; i++) sum += (double)(next_random(state) >> 11) * 0x1p-53 - 0.5;
  return sum * sqrt(3);
}

bool cli_noise_open(cli_Noise* n, const ctModel* m) {
  *n = (cli_Noise){.walk = calloc(2 * (size_t)m->nu + 1, sizeof(double))};
  if (n->walk) n->centre = n->walk + m->nu;
  return n->walk != NULL;
}

void cli_noise_close(cli_Noise* n) {
  free(n->walk);
  n->walk = NULL;
}

void cli_noise_start(cli_Noise* n, const ctModel* m, const ctReal* centre, uint64_t seed, double interval) {
  n->random = seed;
  n->keep = 1 / (1 + interval / NOISE_TIME);
  n->add = sqrt(1 - n->keep * n->keep);
  for (int i = 0; i < m->nu; i++) {
    n->walk[i] = 0;
    n->centre[i] = (double)centre[i];
  }
}

void cli_noise_draw(cli_Noise* n, const ctModel* m, double strength, ctReal* ctrl) {
  for (int i = 0; i < m->nu; i++) {
    const ctReal* range = m->actuator_ctrlrange + 2 * i;
    const double width = (double)(range[1] - range[0]);
    double scale = m->actuator_ctrllimited[i] && isfinite(width) ? width / 2 : 1;
    n->walk[i] = n->keep * n->walk[i] + n->add * next_normal(&n->random);
    ctrl[i] = (ctReal)(n->centre[i] + strength * scale * n->walk[i]);
  }
}
