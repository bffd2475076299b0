// Columns of a linearised step in closed form. Host code.
#pragma once

#include "derive/derive.h"

// Where the columns go and what they are taken at. A column has g, M (a - z), R z (nv numbers each), then the
// next activations; columns are positions, velocities, activations, controls.
typedef struct ctiAnalytic {
  ctDerive* w;
  ctData* d;                  // with everything that forward dynamics leaves, and the forces of the rows at a
  const ctReal *a, *z, *gap;  // acceleration, that of the integrator, a - z (NULL: zero)
  ctReal eps;
  bool implicit;  // is there an R?
  bool inverse;   // g without applied forces, and without actuators unless `actuation`
  bool actuation;
  ctReal* by_acc;  // nv x nsensordata: sensors by acceleration; NULL: no sensors, or not in closed form
  ctReal* columns;
  int64_t stride;
  ctDeriveReport* report;
} ctiAnalytic;

// What has no closed form, as words that go on "because of ..."; NULL when there is nothing. The second: in
// the state at hand, after forward dynamics.
const char* cti_analytic_obstacle(const ctModel* m);
const char* cti_analytic_state_obstacle(const ctModel* m, const ctData* d);

// Fill the columns. CT_OK, CT_ERR_MEMORY, CT_STEP_OVERFLOW or the status of an evaluation.
ctStatus cti_analytic_columns(const ctiAnalytic* task);
