// Solutions of nudged problems with the factor of the base point. Host code.
#pragma once

#include "corten/data.h"

typedef struct ctiChord {
  ctReal* factor;  // nv x nv: Cholesky factor of the Hessian
  ctReal* start;   // nv: the solution at the base point
  ctReal* rows;    // 6 nv
} ctiChord;

// May the solver of the model be replaced? It must be one that finds the solution itself.
bool cti_chord_possible(const ctModel* m);

// Factor at the solution that the data has. False when there are no rows, or no factor.
bool cti_chord_begin(ctiChord* chord, const ctModel* m, ctData* d);

// d->qacc and qfrc_constraint, as the solver leaves them; with `rows` also the forces of the rows, which take
// another iteration. False when the iterations do not settle: then nothing of that counts.
//   before  smooth force, reference
bool cti_chord_solve(const ctiChord* chord, const ctModel* m, ctData* d, bool rows);

// M + J' (curvature of the rows) J, at the states that the rows have; `rows`: 6 nv.
void cti_dense_hessian(const ctModel* m, const ctData* d, ctReal* out, ctReal* rows);
