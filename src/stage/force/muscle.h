// Force of muscles by activation, length and speed. Step code.
//
// Parameters are those of the gain and of the bias: operating range, peak force (negative: `scale` over the
// actuator's acceleration at rest), lmin, lmax, vmax, fpmax, fvmax. Lengths are in units of the optimal
// length.
#pragma once

#include "base/fn.h"
#include "corten/types.h"

// Force of a fully active muscle, negative because it pulls.
CT_FN ctReal cti_muscle_gain(const ctReal prm[CT_NGAIN], const ctReal lengthrange[2], ctReal acc0,
                             ctReal length, ctReal velocity);

// Derivative of the gain by velocity.
CT_FN ctReal cti_muscle_gain_derivative(const ctReal prm[CT_NGAIN], const ctReal lengthrange[2], ctReal acc0,
                                        ctReal length, ctReal velocity);

// Derivatives of gain and bias by length.
CT_FN ctReal cti_muscle_gain_by_length(const ctReal prm[CT_NGAIN], const ctReal lengthrange[2], ctReal acc0,
                                       ctReal length, ctReal velocity);
CT_FN ctReal cti_muscle_bias_by_length(const ctReal prm[CT_NBIAS], const ctReal lengthrange[2], ctReal acc0,
                                       ctReal length);

// Force of the stretched tissue.
CT_FN ctReal cti_muscle_bias(const ctReal prm[CT_NBIAS], const ctReal lengthrange[2], ctReal acc0,
                             ctReal length);

// Rate of activation. prm: time constants of activation and deactivation, width of the transition between
// them.
CT_FN ctReal cti_muscle_dynamics(const ctReal prm[CT_NDYN], ctReal control, ctReal act);
