// Solve stage: the cost of the rows along a line. Step code.
#pragma once

#include "stage/solve/cone.h"

// Cost (relative to alpha = 0), slope and curvature along a line.
typedef struct ctiLinePoint {
  ctReal alpha, cost, slope, curvature;
} ctiLinePoint;

// What the points of a line share for an elliptic contact.
typedef struct ctiConeLine {
  ctiConePoint start;
  ctReal V[6];    // change of U
  ctReal UV, VV;  // products of the tangential parts, at the start
  ctReal stiffness, cost;
  int dim;
} ctiConeLine;

// Elliptic contacts of the problem.
CT_FN int cti_count_cones(const ctiProblem* prob);

// Begin the line jar + alpha * jv: fill `lines`, one for each elliptic contact.
CT_FN void cti_begin_line(const ctiProblem* prob, const ctReal* jar, const ctReal* jv, ctiConeLine* lines);

// Add the rows' part at p->alpha.
CT_FN void cti_row_line(const ctiProblem* prob, const ctiConeLine* lines, const ctReal* jar, const ctReal* jv,
                        ctiLinePoint* p);
