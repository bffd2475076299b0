// Solve stage: the cost of violating the rows, its forces and its curvature.
//
// Each row has a residual `jar` = J qacc - aref. Equalities cost D jar^2 / 2; friction is quadratic up to its
// limit and linear beyond; limits and contacts cost when jar is negative; a contact with an elliptic cone
// costs as one block, by its distance to the cone. Forces are minus the slopes. Step code.
#pragma once

#include "base/fn.h"
#include "math/vec3.h"
#include "stage/solve/problem.h"

typedef enum ctiRowState {
  CTI_ROW_SATISFIED,
  CTI_ROW_QUADRATIC,
  CTI_ROW_LINEARNEG,
  CTI_ROW_LINEARPOS,
  CTI_ROW_CONE
} ctiRowState;

// States and forces of all rows at `jar`, into prob->state and prob->force; with `curved` also the Hessians
// of cones, see cti_cone_hessian(). Returns the cost.
CT_FN ctReal cti_row_costs(ctiProblem* prob, const ctReal* jar, bool curved);

// Is an elliptic row the first of its contact?
CT_INLINE bool cti_begins_cone(const ctiProblem* prob, int i) {
  return i == prob->ne + prob->nf || prob->type[i - 1] != CT_CNSTR_CONTACT_ELLIPTIC ||
         prob->id[i - 1] != prob->id[i];
}

// ---- where the residual of an elliptic contact lies relative to its cone ----

typedef struct ctiConePoint {
  ctReal U[6];  // residuals scaled by the friction of their direction
  ctReal N, T;  // normal and tangential part
  ctReal mu;
  int zone;  // ctiRowState of the block: satisfied, quadratic or cone
} ctiConePoint;

CT_INLINE int cti_cone_zone(ctReal N, ctReal T, ctReal mu) {
  if (N >= mu * T || (T <= 0 && N >= 0)) return CTI_ROW_SATISFIED;
  return mu * N + T <= 0 || (T <= 0 && N < 0) ? CTI_ROW_QUADRATIC : CTI_ROW_CONE;
}

// N, T and the zone from U + alpha V. A contact has two tangents, or more.
CT_INLINE void cti_cone_locate(ctiConePoint* p, const ctReal U[6], const ctReal V[6], ctReal alpha, int dim) {
  ctReal u = U[1] + alpha * V[1], v = U[2] + alpha * V[2], square = u * u + v * v;
  if (dim > 3) {
    for (int k = 3; k < dim; k++) {
      u = U[k] + alpha * V[k];
      square += u * u;
    }
  }
  p->N = U[0] + alpha * V[0];
  p->T = cti_sqrt(square);
  p->zone = cti_cone_zone(p->N, p->T, p->mu);
}

// Residuals, or their rates along a line, in the scale of U.
CT_INLINE void cti_cone_scale(ctReal U[6], const ctContact* con, const ctReal* jar) {
  U[0] = jar[0] * con->mu;
  U[1] = jar[1] * con->friction[0];
  U[2] = jar[2] * con->friction[1];
  // the compiler computes ahead with all six: what is left over from the stack may be subnormal, and slow
  U[3] = U[4] = U[5] = 0;
  if (con->dim > 3) {
    for (int k = 3; k < con->dim; k++) U[k] = jar[k] * con->friction[k - 1];
  }
}

CT_INLINE void cti_cone_at(ctiConePoint* p, const ctContact* con, const ctReal* jar) {
  p->mu = con->mu;
  cti_cone_scale(p->U, con, jar);
  cti_cone_locate(p, p->U, p->U, 0, con->dim);
}

// Stiffness across the cone's surface.
CT_INLINE ctReal cti_cone_stiffness(ctReal D0, ctReal mu) {
  return D0 / cti_max(CTI_MINVAL, mu * mu * (1 + mu * mu));
}
