// Where an object is, how it moves and accelerates. Step code.
//   before  the stage that the answer depends on
#pragma once

#include "base/fn.h"
#include "corten/data.h"

// Position, rotation matrix and body of a body (inertial frame), xbody, geom, site or camera. Returns the
// body's id.
CT_FN int cti_object_frame(const ctModel* m, const ctData* d, int type, int id, const ctReal** pos,
                           const ctReal** mat);

// Orientation of the same.
CT_FN void cti_object_quat(ctReal quat[4], const ctModel* m, const ctData* d, int type, int id);

// Velocity of the object's origin: rotation then translation, along world axes or the object's own.
CT_FN void cti_object_velocity(ctReal out[6], const ctModel* m, const ctData* d, int type, int id,
                               bool local);

// The same for acceleration, gravity included as an upward one: from d->cacc where cti_post_constraint() has
// made it, otherwise from the dofs that move the body.
CT_FN void cti_object_acceleration(ctReal out[6], const ctModel* m, const ctData* d, int type, int id,
                                   bool local);

// ---- Jacobians: how points, axes and centres of mass move with the dofs, and how that changes ----
//   reads   d->cdof, subtree_com, xipos; for time derivatives d->cvel, cdof_dot too
//   before  com; for time derivatives com velocity
//
// Matrices have 3 rows of nv numbers. Outputs may be NULL.
