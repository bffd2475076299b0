// Counting expected trouble. Step code.
#pragma once

#include "base/fn.h"
#include "corten/data.h"

// One more warning of a kind, at an index.
CT_INLINE void cti_warn(ctData* d, ctWarningType type, int info) {
  d->warning[type].number++;
  d->warning[type].lastinfo = info;
}
