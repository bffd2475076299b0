// Solve stage: the cost of violating the rows, its forces and its curvature.
//
// Each row has a residual `jar` = J qacc - aref. Equalities cost D jar^2 / 2; friction is quadratic up to its
// limit and linear beyond; limits and contacts cost when jar is negative; a contact with an elliptic cone
// costs as one block, by its distance to the cone. Forces are minus the slopes. Step code.
#pragma once

#include "base/fn.h"
#include "stage/solve/problem.h"

typedef enum ctiRowState {
  CTI_ROW_SATISFIED,
  CTI_ROW_QUADRATIC,
  CTI_ROW_LINEARNEG,
  CTI_ROW_LINEARPOS,
  CTI_ROW_CONE
} ctiRowState;

// States and forces of all rows at `jar`, into prob->state and prob->force; with `curved` also the Hessians
// of cones, into contact.H. Returns the cost.
CT_FN ctReal cti_row_costs(ctiProblem* prob, const ctReal* jar, bool curved);
