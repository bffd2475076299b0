// Force stage: all smooth forces together, and the acceleration they alone would cause.
//   reads   d->qfrc_passive, qfrc_bias, qfrc_applied, qfrc_actuator, xfrc_applied, qLD
//   writes  d->qfrc_smooth, qacc_smooth
//   before  passive, bias, actuation, factor
#pragma once

#include "base/fn.h"
#include "corten/data.h"

CT_FN void cti_smooth_acceleration(const ctModel* m, ctData* d);

// qfrc += effect of the world `force` and `torque` at the world `point` fixed to a body.
CT_FN void cti_add_force_at(const ctModel* m, const ctData* d, ctReal* qfrc, const ctReal force[3],
                            const ctReal torque[3], const ctReal point[3], int body);
