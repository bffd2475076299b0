// Solve stage: an order of the trees of a problem in which neighbours are close, so that the factor of the
// Hessian stays narrow. Step code.
#pragma once

#include "stage/solve/problem.h"

// The place of each dof: trees as Cuthill and McKee number them (1969), the dofs of a tree as they are. False
// when there are too few trees to put in order, or the scratch is full.
CT_FN bool cti_order_trees(const ctiProblem* p, int* place);
