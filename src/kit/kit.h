// What the parts of the kit share. Host code in the subset of step code.
#pragma once

#include "corten/kit.h"
#include "math/elementary.h"

// Is it a number?
CT_INLINE bool cti_kit_finite(ctReal x) {
  return x - x == 0;
}

CT_INLINE bool cti_kit_all_finite(const ctReal* x, int n) {
  bool ok = true;
  for (int i = 0; i < n; i++) ok = ok && cti_kit_finite(x[i]);
  return ok;
}

// A number above zero that is not infinite.
CT_INLINE bool cti_kit_positive(ctReal x) {
  return x > 0 && cti_kit_finite(x);
}

CT_INLINE bool cti_kit_not_negative(ctReal x) {
  return x >= 0 && cti_kit_finite(x);
}
