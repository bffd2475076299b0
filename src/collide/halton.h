// Points spread evenly, the same in every run. Step code.
#pragma once

#include "base/fn.h"

// Element `i` of the Halton sequence of a base, from 0 to 1.
CT_INLINE ctReal cti_halton(int i, int base) {
  ctReal part = 1, sum = 0;
  for (; i > 0; i /= base) {
    part /= (ctReal)base;
    sum += part * (ctReal)(i % base);
  }
  return sum;
}
