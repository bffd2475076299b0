// Noise of sensors: off unless d->noise is set. Step code.
#pragma once

#include "base/fn.h"
#include "corten/data.h"

// Add noise to what sensor `i` has measured.
CT_FN void cti_sense_noise(const ctModel* m, const ctData* d, int i, ctReal* out);
