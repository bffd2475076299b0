// Constraint stage: how rows are written, and the dofs they have. Step code.
//
// Rows are counted before they are written: each kind of constraint runs twice over its objects, first
// without room (counting), then with.
#pragma once

#include "base/fn.h"
#include "corten/data.h"

typedef struct ctiRowWriter {
  const ctModel* m;
  ctData* d;
  bool sparse;
  bool counting;
  int nefc;    // rows so far
  int64_t nJ;  // entries of the Jacobian so far; the arena has no room for more than an int counts
} ctiRowWriter;

// What a row says besides its Jacobian.
typedef struct ctiRow {
  ctConstraintType type;
  int id;
  ctReal pos, margin, frictionloss;
} ctiRow;

// Append a row whose Jacobian has `value[k]` at dof `dof[k]`, ascending.
CT_FN void cti_append_row(ctiRowWriter* rows, const ctiRow* row, const int* dof, const ctReal* value, int n);

// The same, unless the row is empty: no entries in sparse mode, only zeros in dense mode. Then false.
// Constraints of several rows are dropped together or not at all.
CT_FN bool cti_add_row(ctiRowWriter* rows, const ctiRow* row, const int* dof, const ctReal* value, int n);

// Are `count` rows, nv reals apart, all empty?
CT_FN bool cti_rows_are_empty(const ctiRowWriter* rows, const ctReal* value, int n, int count);

// The dofs on the paths from the world to two bodies, which rows of D begin with. Where paths part they lead
// into different subtrees: one goes on with smaller dofs than the other.
typedef struct ctiPaths {
  const int *low, *high;
  int nlow, nhigh, same;  // lengths, and how many dofs at their beginning are in both
  bool crossed;           // the low one is that of the second body
} ctiPaths;

CT_FN ctiPaths cti_find_paths(const ctModel* m, int body1, int body2);

// The dofs that move either of the two bodies, ascending, into `dof` (nv ints); with `apart`, without those
// that move both. Returns how many.
CT_FN int cti_list_dofs(const ctiPaths* p, bool apart, int* dof);

// ---- equality.c ----

// The rows of equality constraints. CT_OK or CT_STEP_OVERFLOW.
//   reads   d->eq_active, frames, cdof, tendons, edges of deformables
//   before  kinematics, com, tendons, deformables
CT_FN ctStatus cti_equality_rows(ctiRowWriter* rows);
