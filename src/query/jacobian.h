// Jacobians: how points, axes and centres of mass move with the dofs, and how that changes. Step code.
//   reads   d->cdof, subtree_com, xipos; for time derivatives d->cvel, cdof_dot too
//   before  com; for time derivatives com velocity
//
// Matrices have 3 rows of nv numbers. Outputs may be NULL.
#pragma once

#include "base/fn.h"
#include "corten/data.h"

// Translation of a world point fixed to a body, and rotation of the body.
CT_FN void cti_jac(const ctModel* m, const ctData* d, const ctReal point[3], int body, ctReal* jacp,
                   ctReal* jacr);

// Their time derivatives, the point moving with the body.
CT_FN void cti_jac_dot(const ctModel* m, const ctData* d, const ctReal point[3], int body, ctReal* jacp,
                       ctReal* jacr);

// out += weight * translation of a point of a body (or, with `rate`, its time derivative).
CT_FN void cti_add_jac(const ctModel* m, const ctData* d, const ctReal point[3], int body, ctReal weight,
                       bool rate, ctReal* out);

// Centre of mass of a subtree, or the time derivative.
CT_FN void cti_jac_subtree(const ctModel* m, const ctData* d, int body, bool rate, ctReal* out);

// Angular momentum of a subtree about its centre of mass, as a matrix that multiplies qvel.
CT_FN void cti_angular_momentum(const ctModel* m, const ctData* d, int body, ctReal* out);
