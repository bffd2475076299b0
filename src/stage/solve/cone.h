// Solve stage: where the residual of an elliptic contact lies relative to its cone. Step code.
#pragma once

#include "math/vec3.h"
#include "stage/solve/cost.h"

typedef struct ctiConePoint {
  ctReal U[6];  // residuals scaled by the friction of their direction
  ctReal N, T;  // normal and tangential part
  ctReal mu;
  int zone;  // ctiRowState of the block: satisfied, quadratic or cone
} ctiConePoint;

// N, T and the zone from U.
CT_INLINE void cti_cone_locate(ctiConePoint* p, int dim) {
  ctReal square = 0;
  for (int k = 1; k < dim; k++) square += p->U[k] * p->U[k];
  p->N = p->U[0];
  p->T = cti_sqrt(square);
  if (p->N >= p->mu * p->T || (p->T <= 0 && p->N >= 0)) {
    p->zone = CTI_ROW_SATISFIED;
  } else if (p->mu * p->N + p->T <= 0 || (p->T <= 0 && p->N < 0)) {
    p->zone = CTI_ROW_QUADRATIC;
  } else {
    p->zone = CTI_ROW_CONE;
  }
}

// Residuals, or their rates along a line, in the scale of U.
CT_INLINE void cti_cone_scale(ctReal U[6], const ctContact* con, const ctReal* jar) {
  U[0] = jar[0] * con->mu;
  for (int k = 1; k < con->dim; k++) U[k] = jar[k] * con->friction[k - 1];
}

CT_INLINE void cti_cone_at(ctiConePoint* p, const ctContact* con, const ctReal* jar) {
  p->mu = con->mu;
  cti_cone_scale(p->U, con, jar);
  cti_cone_locate(p, con->dim);
}

// Stiffness across the cone's surface.
CT_INLINE ctReal cti_cone_stiffness(ctReal D0, ctReal mu) {
  return D0 / cti_max(CTI_MINVAL, mu * mu * (1 + mu * mu));
}
