// Constraint stage: what deformables keep: the strain of a cell or face of their cage. Step code.
//   reads   d->xpos, xmat, cdof; m->flex_stiffness, which holds the modes of strain of each element
//   before  kinematics, com
#pragma once

#include "stage/position/flex.h"

// Modes of strain of one element, rows of one equality.
typedef struct ctiStrain {
  int count;  // of modes, a row each
  int n;      // dofs of all rows, ascending
  int nodes;
  int node[CTI_CAGE_NODES];
  int flex;
  ctReal rot[9], weight;
  const ctReal* modes;  // 3 a node each
  const ctReal* x;      // nodes, and where they are at rest
  const ctReal* rest;
} ctiStrain;

// The element that the data of an equality names. `dof` (nv) receives the dofs. False when the scratch is
// full: to be released by the caller.
CT_FN bool cti_strain_begin(ctiStrain* s, const ctModel* m, ctData* d, int eq, int* dof);

// Row k: its Jacobian at the dofs, and its position; `row` (nv) is work space.
CT_FN ctReal cti_strain_row(const ctiStrain* s, const ctModel* m, const ctData* d, int k, const int* dof,
                            ctReal* value, ctReal* row);
