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

// ---- what a world has besides its state ----
// Measurements that last from step to step, where there are any; with the sleep flag also who sleeps and what
// trees asleep were left with, with the flag ipc the multipliers of contacts. Everything else of a data
// follows from these and the state.

// Number of reals of a world of this model.
CT_FN int cti_carried_size(const ctModel* m);

// Write them, or read them: `size` is what cti_carried_size() said when the row was made. After reading
// nothing is known of what sleeps but this: see ctiAwake.cold; `others`: nor of static bodies, the model may
// be another one.
CT_FN void cti_carried_store(const ctModel* m, const ctData* d, ctReal* row, size_t stride, int size);
CT_FN void cti_carried_load(const ctModel* m, ctData* d, const ctReal* row, size_t stride, int size,
                            bool others);
