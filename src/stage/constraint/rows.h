// Constraint rows in the arena, and the writer that appends them. Step code.
//
// The Jacobian is dense (nefc x nv) or sparse (CSR), as the model's option says. Rows are counted before they
// are written: each kind of constraint runs twice over its objects, first without room (counting), then with.
#pragma once

#include "corten/data.h"
#include "math/sparse.h"

// Is the Jacobian stored sparse? `auto` means from this many dofs on.
#define CTI_SPARSE_FROM 60
CT_INLINE bool cti_is_sparse(const ctModel* m) {
  return m->opt.jacobian == CT_JAC_SPARSE || (m->opt.jacobian == CT_JAC_AUTO && m->nv >= CTI_SPARSE_FROM);
}

typedef struct ctiRows {
  const ctModel* m;
  ctData* d;
  bool sparse;
  bool counting;
  int nefc;  // rows so far
  int nJ;    // entries of the Jacobian so far
} ctiRows;

// What a row says besides its Jacobian.
typedef struct ctiRow {
  ctConstraintType type;
  int id;
  ctReal pos, margin, frictionloss;
} ctiRow;

// Append a row whose Jacobian has `value[k]` at dof `dof[k]`, ascending. Returns false when the row is empty
// and was dropped: no entries in sparse mode, only zeros in dense mode.
CT_FN bool cti_add_row(ctiRows* rows, const ctiRow* row, const int* dof, const ctReal* value, int n);

// The same without the test, for constraints of several rows: they are dropped together or not at all.
CT_FN void cti_append_row(ctiRows* rows, const ctiRow* row, const int* dof, const ctReal* value, int n);

// Are `count` rows, nv reals apart, all empty?
CT_FN bool cti_block_is_empty(const ctiRows* rows, const ctReal* value, int n, int count);

// The dofs that move either of two bodies, ascending, into `dof` (nv ints); with `apart`, without those that
// move both.
CT_FN int cti_pair_dofs(const ctModel* m, int body1, int body2, bool apart, int* dof);

// Motion of a world point fixed to a body with one dof: rotation then translation. Zero when the dof does not
// move it.
CT_FN void cti_point_motion(ctReal motion[6], const ctModel* m, const ctData* d, int dof, int body,
                            const ctReal point[3]);

// Does a dof move a body?
CT_FN bool cti_dof_moves(const ctModel* m, int dof, int body);

// r = J v and r = J' f over all rows.
CT_FN void cti_mul_J(const ctModel* m, const ctData* d, ctReal* r, const ctReal* v);
CT_FN void cti_mul_JT(const ctModel* m, const ctData* d, ctReal* r, const ctReal* f);
