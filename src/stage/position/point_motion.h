// How points and frames fixed to bodies move with the dofs: gradients of lengths and angles. Step code.
//   reads   d->cdof, subtree_com
//   before  com
#pragma once

#include "corten/data.h"
#include "math/sparse.h"
#include "math/spatial.h"

// Last dof that moves a body, -1 when it is fixed to the world.
CT_INLINE int cti_last_dof(const ctModel* m, int body) {
  int mover = m->body_weldid[body];
  return m->body_dofnum[mover] ? m->body_dofadr[mover] + m->body_dofnum[mover] - 1 : -1;
}

// Unit force along `dir` at a point of a body (or a unit torque), about the point the motion axes refer to.
CT_INLINE void cti_wrench_at(ctReal wrench[6], const ctModel* m, const ctData* d, const ctReal dir[3],
                             const ctReal point[3], int body) {
  ctReal arm[3];
  cti_sub3(arm, point, d->subtree_com + 3 * m->body_rootid[body]);
  cti_cross3(wrench, arm, dir);
  cti_copy3(wrench + 3, dir);
}

// row[k] += scale * (motion of dof k) . wrench over the dofs that move `body1`, minus those with `wrench0`
// that move `body0`. Dofs that move both are left out: what is measured between two bodies does not change
// with them.
CT_FN void cti_add_relative_gradient(ctReal* row, const ctModel* m, const ctData* d, const ctReal wrench0[6],
                                     int body0, const ctReal wrench1[6], int body1, ctReal scale);

// The same over all dofs of one body.
CT_FN void cti_add_gradient(ctReal* row, const ctModel* m, const ctData* d, const ctReal wrench[6], int body,
                            ctReal scale);

// qfrc += effect of the world `force` and `torque` at the world `point` fixed to a body.
CT_FN void cti_add_force_at(const ctModel* m, const ctData* d, ctReal* qfrc, const ctReal force[3],
                            const ctReal torque[3], const ctReal point[3], int body);
