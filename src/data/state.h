// State vectors: the chosen parts one after another, in the order of their bits. Step code.
#pragma once

#include "base/fn.h"
#include "corten/data.h"

// Number of reals in one part.
CT_FN int cti_state_part_size(const ctModel* m, int bit);

// Number of reals in the parts of `which`.
CT_FN int cti_state_size(const ctModel* m, unsigned which);

// Write the parts to `state`, or read them from it; `stride` reals lie between one number and the next.
CT_FN void cti_state_store(const ctModel* m, const ctData* d, ctReal* state, size_t stride, unsigned which);
CT_FN void cti_state_load(const ctModel* m, ctData* d, const ctReal* state, size_t stride, unsigned which);
