// Position stage: qpos -> world frames of bodies, joints, geoms and sites.
//   reads   m->body_*, m->jnt_*, m->geom_*, m->site_*; d->qpos, d->mocap_*
//   writes  d->xpos, xquat, xmat, xipos, xiquat, ximat, xanchor, xaxis, geom_x*, site_x*
//   before  nothing: first in the step
// qpos is not written: quaternions are normalised in copies.
#pragma once

#include "base/fn.h"
#include "corten/data.h"

CT_FN void cti_kinematics(const ctModel* m, ctData* d);

// Its two halves: the frames of bodies, and those of what is attached to them.
CT_FN void cti_body_frames(const ctModel* m, ctData* d);
CT_FN void cti_attached_frames(const ctModel* m, ctData* d);

// Compute the frames of the bodies of a tree that sleeps; true when one that has joints is not where it was.
CT_FN bool cti_tree_moved(const ctModel* m, ctData* d, int tree);

// ---- centres of mass, and everything seen from them ----
//   reads   d->xipos, ximat, xanchor, xaxis, xmat; m->body_mass, body_inertia
//   writes  d->subtree_com, cinert, cdof
//   before  kinematics
// cinert and cdof are in world axes about the centre of mass of the tree's root body's subtree.

CT_FN void cti_com(const ctModel* m, ctData* d);

// ---- cameras and lights, fixed, tracking or looking at a body ----
//   reads   d->xpos, xquat, xmat, subtree_com; m->cam_*, light_*
//   writes  d->cam_xpos, cam_xmat, light_xpos, light_xdir
//   before  kinematics, com

CT_FN void cti_cameras(const ctModel* m, ctData* d);

// ---- tendons, and what they add to inertia ----
//   reads   d->qpos, site_xpos, geom_xpos, geom_xmat, cdof, subtree_com; m->tendon_*, wrap_*, ten_J_*
//   writes  d->ten_length, ten_J, ten_wrapadr, ten_wrapnum, wrap_obj, wrap_xpos; adds to d->M
//   before  kinematics, com; the mass matrix before its tendon part

// Paths, lengths, gradients. CT_OK or CT_STEP_OVERFLOW (arena full: gradients zero).
CT_FN ctStatus cti_tendons(const ctModel* m, ctData* d);

// M += armature J'J, where M has elements.
CT_FN void cti_tendon_inertia(const ctModel* m, ctData* d);

// ---- mass matrix and its factor ----
//   reads   d->cinert, cdof; m->dof_armature, dof_M0, M_*
//   writes  d->crb, M, qLD, qLDiagInv
//   before  com

// Composite inertias and M.
CT_FN void cti_mass_matrix(const ctModel* m, ctData* d);

// Diagonal element of M for a dof, from the composite inertias: also for simple dofs, whose element is
// constant.
CT_FN ctReal cti_mass_diagonal(const ctModel* m, const ctData* d, int dof);

// M = L'DL. A singular pivot is clamped and counted; CT_OK or CT_STEP_SINGULAR.
CT_FN ctStatus cti_factor_mass(const ctModel* m, ctData* d);

// Matrices with the pattern of M, for the dofs that are awake: a copy; the factor in place, which returns a
// dof with a singular pivot, or -1; x = its inverse times x.
CT_FN void cti_awake_copy_rows(const ctModel* m, const ctData* d, ctReal* to, const ctReal* from);
CT_FN int cti_awake_factor(const ctModel* m, ctData* d, ctReal* ld, ctReal* diaginv);
CT_FN void cti_awake_solve(const ctModel* m, const ctData* d, const ctReal* ld, const ctReal* diaginv,
                           ctReal* x);

// x = M^-1 x, for all dofs
CT_FN void cti_solve_mass(const ctModel* m, const ctData* d, ctReal* x);

// r = M v
CT_FN void cti_mul_mass(const ctModel* m, const ctData* d, ctReal* r, const ctReal* v);

// ---- actuator lengths and moments, one row an output ----
//   reads   d->qpos, site_x*, ten_length, ten_J, contact, cdof, subtree_com; m->actuator_trn*, actuator_gear
//   writes  d->actuator_length, moment_rownnz, moment_rowadr, moment_colind, actuator_moment
//   before  kinematics, com, tendons; collision for adhesion

// CT_OK or CT_STEP_OVERFLOW (arena full: no moments).
CT_FN ctStatus cti_transmission(const ctModel* m, ctData* d);
