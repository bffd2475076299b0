// Accelerations of bodies and the forces on them, after the constraint solve: computed when somebody asks.
//   reads   d->qacc, cdof, cdof_dot, cvel, cinert, xfrc_applied, contact, efc_force
//   writes  d->cacc, cfrc_int, cfrc_ext, flg_rnepost; subtree_linvel, subtree_angmom, flg_subtreevel
//   before  the constraint solve; the second: velocities
#pragma once

#include "base/fn.h"
#include "corten/data.h"

CT_FN void cti_post_constraint(const ctModel* m, ctData* d);
CT_FN void cti_subtree_velocity(const ctModel* m, ctData* d);

// cfrc_ext of a body += a world force and torque at a point, times `sign`. The world takes what it gets.
CT_FN void cti_add_external(const ctModel* m, ctData* d, int body, const ctReal force[3],
                            const ctReal torque[3], const ctReal point[3], ctReal sign);

// cfrc_ext += what spatial tendons pull and push at the points of their paths.
CT_FN void cti_tendon_external(const ctModel* m, ctData* d);

// Force and torque of a contact in its own frame (normal first), zero when it has no rows.
CT_FN void cti_contact_wrench(const ctModel* m, const ctData* d, int contact, ctReal out[6]);
