// Constraint stage: the rows of a step, how stiff they are, and the acceleration they ask for. Step code.
//
// The Jacobian is dense (nefc x nv) or sparse (CSR), as the model's option says.
#pragma once

#include "data/data.h"
#include "math/sparse.h"

// Is the Jacobian stored sparse? `auto` means from this many dofs on.
#define CTI_SPARSE_FROM 60
CT_INLINE bool cti_is_sparse(const ctModel* m) {
  if (CT_PLAIN) return false;
  return m->opt.jacobian == CT_JAC_SPARSE || (m->opt.jacobian == CT_JAC_AUTO && m->nv >= CTI_SPARSE_FROM);
}

// Do rows give up the memory of their terms once their references are known? In most worlds of a GPU nobody
// looks for them. They lie where the solver writes later, position and velocity in efc_force, the margin in
// efc_b; of the gains there is the damping, in efc_b, and what stiffness asks for, in efc_aref.
CT_INLINE bool cti_rows_are_lean(const ctData* d) {
  return CTI_LEAN && !(cti_data_const(d)->lifetimes & CTI_LIVE_TERMS);
}

// All rows: equalities, friction loss, limits, contacts; then their impedance, and their projection where a
// solver needs it.
//   reads   everything of the position stage, d->contact
//   writes  the efc_ arrays in the arena, d->ne, nf, nl, nefc, nJ; contact.efc_address, contact.exclude
//   before  kinematics, com, tendons, mass matrix, collision
// `forward`: the rows will be solved, not only asked for their forces at a known acceleration.
// CT_OK, or CT_STEP_OVERFLOW when the arena was too small: then there are no rows in this step, which is
// counted in d->warning[CT_WARN_CNSTRFULL].
CT_FN ctStatus cti_make_constraints(const ctModel* m, ctData* d, bool forward);

// Contacts that act as springs, packed into d->efm_con_ind and efm_con_val: elements, contact and columns of
// each; square of the time step times stiffness, force, and values. CT_OK or CT_STEP_OVERFLOW (then none
// act).
CT_FN ctStatus cti_passive_contacts(const ctModel* m, ctData* d);

// The rows of the discrete integrator again, once its metric is there: softness, projection, reference.
// CT_OK or CT_STEP_OVERFLOW (then there are no rows).
CT_FN ctStatus cti_discrete_rows(const ctModel* m, ctData* d, bool forward);

// r = J v and r = J' f over all rows.
CT_FN void cti_mul_J(const ctModel* m, const ctData* d, ctReal* r, const ctReal* v);
CT_FN void cti_mul_JT(const ctModel* m, const ctData* d, ctReal* r, const ctReal* f);

// Rows of a dense J that have a single element, which is 1: those of the friction of dofs, `n` from row
// `first` on, in the columns `col`. A team does without them: its lanes have a row each.
typedef struct ctiUnitRows {
  int first, n;
  const int* col;
} ctiUnitRows;
CT_INLINE ctiUnitRows cti_unit_rows(const int* type, const int* id, int ne, int nf) {
  ctiUnitRows units = {ne, 0, id + ne};
  while (CT_TEAM == 1 && units.n < nf && type[ne + units.n] == CT_CNSTR_FRICTION_DOF) units.n++;
  return units;
}

// r = J v and r = J' f for a dense J with such rows, of nr rows and nc columns in all.
CT_FN void cti_mul_J_with_units(ctReal* r, const ctReal* J, const ctiUnitRows* units, const ctReal* v, int nr,
                                int nc);
CT_FN void cti_mul_JT_with_units(ctReal* r, const ctReal* J, const ctiUnitRows* units, const ctReal* f,
                                 int nr, int nc);
CT_INLINE void cti_mul_dense_J(ctReal* r, const ctReal* J, const ctiUnitRows* units, const ctReal* v, int nr,
                               int nc) {
  if (CT_TEAM == 1 && units->n > 0) {
    cti_mul_J_with_units(r, J, units, v, nr, nc);
  } else {
    cti_mul_mat_vec(r, J, v, nr, nc);
  }
}
CT_INLINE void cti_mul_dense_JT(ctReal* r, const ctReal* J, const ctiUnitRows* units, const ctReal* f, int nr,
                                int nc) {
  if (CT_TEAM == 1 && units->n > 0) {
    cti_mul_JT_with_units(r, J, units, f, nr, nc);
  } else {
    cti_mul_mat_t_vec(r, J, f, nr, nc);
  }
}

// The torque on the first body of a weld, in world axes, that the forces of its three rotation rows make; the
// second body gets the opposite.
CT_FN void cti_weld_torque(ctReal out[3], const ctModel* m, const ctData* d, int eq, const ctReal force[3]);

// Jdot v of the rows of one connect or weld: what their acceleration is when the joints do not accelerate.
// Returns the number of rows written to `out` (3 or 6).
//   reads   d->cdof_dot, cvel
//   before  velocities
CT_FN int cti_equality_drift(const ctModel* m, const ctData* d, int eq, ctReal out[6]);

// How stiff, damped and soft each row is.
//   reads   d->efc_type, efc_id, efc_pos, efc_margin, contact; m->*_solref, *_solimp, *_invweight0
//   writes  d->efc_diagA, efc_KBIP, efc_R, efc_D; contact.mu
//   before  the rows
// `exact`: the diagonal of J M^-1 J' for each row, or NULL for estimates from the default configuration.
CT_FN void cti_impedance(const ctModel* m, ctData* d, const ctReal* exact);

// The acceleration each row asks for.
//   reads   d->efc_J, efc_pos, efc_margin, efc_KBIP, efc_R, qvel, contact
//   writes  d->efc_vel, efc_aref
//   before  impedance; velocities
CT_FN void cti_reference(const ctModel* m, ctData* d);

// The rows as the dual problem sees them: Y = J M^-1/2 and AR = Y Y' + diag(R). Only where it is needed: for
// the PGS solver and the noslip pass in forward dynamics, and for the flag diagexact.
//   reads   d->efc_J, efc_R, qLD, qLDiagInv
//   writes  d->efc_Y*, efc_AR*, nY, nA in the arena; with diagexact also efc_diagA, efc_R, efc_D, efc_KBIP
//   before  rows, impedance, mass factor
// CT_OK or CT_STEP_OVERFLOW (arena or scratch).
CT_FN ctStatus cti_project(const ctModel* m, ctData* d, bool forward);
