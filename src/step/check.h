// Bad numbers: found before they spread.
#pragma once

#include "base/fn.h"
#include "corten/data.h"

// Look for a bad number in a vector. When there is one, count it, reset the data unless autoreset is
// disabled, and return CT_STEP_DIVERGED.
CT_FN ctStatus cti_check(const ctModel* m, ctData* d, const ctReal* v, int n, ctWarningType warning);
