// What is implicit in the integrator: its metric X = M + R, R of damping, actuators and, in part, the bias
// force. Host code.
#pragma once

#include "corten/data.h"

// X, factored: nv x nv, or with the pattern of M.
typedef struct ctiImplicitMetric {
  const ctModel* m;
  bool tree;             // it has the pattern of M
  ctReal *at, *diaginv;  // nv x nv, or nC; nv
  int* pivot;            // nv
} ctiImplicitMetric;

// Is there an R?
bool cti_implicit_any(const ctModel* m);

// Does it change with the state? Where it is constant, as in most models, its derivative is not computed.
bool cti_implicit_varies(const ctModel* m);

// Is R the same at all states that are within the limits of their actuator forces? And is this one? Then X
// changes with M alone, and cti_integrate_again() takes that of another step from the same position.
bool cti_implicit_stays(const ctModel* m);
bool cti_implicit_within(const ctModel* m, const ctData* d);

// Has X the pattern of M? Not where the derivative of the bias force is in it.
bool cti_implicit_keeps_pattern(const ctModel* m);

// out += R v. CT_OK or CT_STEP_OVERFLOW.
ctStatus cti_implicit_product(const ctModel* m, ctData* d, const ctReal* v, ctReal* out);

// X of the data. CT_OK, CT_STEP_OVERFLOW or CT_STEP_SINGULAR.
ctStatus cti_implicit_factor(const ctiImplicitMetric* metric, ctData* d);

// P = X^-1 P, a panel.
void cti_implicit_solve(const ctiImplicitMetric* metric, ctReal* P, int columns);
