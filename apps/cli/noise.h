// Smooth random controls: every channel is a random walk that is pulled back to its centre, with a standard
// deviation of a strength times half its range (or the strength, without a range).
#pragma once

#include <corten/corten.h>
#include <stdbool.h>

typedef struct {
  uint64_t random;
  double keep, add;
  double* walk;    // nu, standard deviation 1
  double* centre;  // nu
} cli_Noise;

/// The seed of a world: that of the run for world 0, so that it is what a single run would be.
#define CLI_WORLD_SEED(seed, world) ((uint64_t)(seed) + (uint64_t)(world)*0xd1342543de82ef95u)

/// Room for nu channels. @return false when there is none
bool cli_noise_open(cli_Noise* n, const ctModel* m);
void cli_noise_close(cli_Noise* n);

/// Begin at the controls `centre`. `interval`: seconds between two draws.
void cli_noise_start(cli_Noise* n, const ctModel* m, const ctReal* centre, uint64_t seed, double interval);

/// The next controls.
void cli_noise_draw(cli_Noise* n, const ctModel* m, double strength, ctReal* ctrl);
