// Constraint rows in the arena, and the writer that appends them. Step code.
//
// The Jacobian is dense (nefc x nv) or sparse (CSR), as the model's option says. Rows are counted before they
// are written: each kind of constraint runs twice over its objects, first without room (counting), then with.
#pragma once

#include "base/fn.h"
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

// ---- Constraint stage: equality rows. ----
//   reads   d->eq_active, xpos, xquat, xmat, site_x*, qpos, ten_length, ten_J, cdof, cdof_dot, cvel; m->eq_*
//   writes  rows; `efc_aref` correction through cti_equality_drift
//   before  kinematics, com, tendons; the drift: velocities

// CT_OK or CT_STEP_OVERFLOW (scratch).
CT_FN ctStatus cti_equality_rows(ctiRows* rows);

// Jdot v of the rows of one connect or weld: what their acceleration is when the joints do not accelerate.
// Returns the number of rows written to `out` (3 or 6).
CT_FN int cti_equality_drift(const ctModel* m, const ctData* d, int eq, ctReal out[6]);

// The torque on the first body of a weld, in world axes, that the forces of its three rotation rows make; the
// second body gets the opposite.
CT_FN void cti_weld_torque(ctReal out[3], const ctModel* m, const ctData* d, int eq, const ctReal force[3]);

// ---- Constraint stage: friction loss of dofs and tendons, limits of joints and tendons. ----
//   reads   d->qpos, ten_length, ten_J; m->dof_frictionloss, jnt_range, tendon_range ...
//   writes  rows
//   before  tendons

// ---- Constraint stage: rows of contacts. ----
//   reads   d->contact, cdof
//   writes  rows; contact.efc_address, contact.exclude
//   before  collision, com

// ---- Constraint stage: how stiff, damped and soft each row is. ----
//   reads   d->efc_type, efc_id, efc_pos, efc_margin, contact; m->*_solref, *_solimp, *_invweight0
//   writes  d->efc_diagA, efc_KBIP, efc_R, efc_D; contact.mu
//   before  the rows

// `exact`: the diagonal of J M^-1 J' for each row, or NULL for estimates from the default configuration.
CT_FN void cti_impedance(const ctModel* m, ctData* d, const ctReal* exact);

// ---- Constraint stage: the rows as the dual problem sees them: Y = J M^-1/2 and AR = Y Y' + diag(R). ----
//   reads   d->efc_J, efc_R, qLD, qLDiagInv
//   writes  d->efc_Y*, efc_AR*, nY, nA in the arena; with diagexact also efc_diagA, efc_R, efc_D, efc_KBIP
//   before  rows, impedance, mass factor
//
// Only for who needs it: the PGS solver and the noslip pass in forward dynamics, and the flag diagexact.

CT_FN bool cti_needs_dual(const ctModel* m, bool forward);

// CT_OK or CT_STEP_OVERFLOW (arena or scratch).
CT_FN ctStatus cti_project(const ctModel* m, ctData* d);
