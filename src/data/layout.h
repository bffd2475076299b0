// Where the arrays of a data lie. Step code: a GPU world lays itself out in the same way.
#pragma once

#include "base/fn.h"
#include "corten/data.h"

// Bytes of the fixed arrays of a model's data.
CT_FN size_t cti_data_array_bytes(const ctModel* m);

// Point the arrays of `d` into `block`, which has cti_data_array_bytes() bytes.
CT_FN void cti_data_lay_out(const ctModel* m, ctData* d, ctByte* block);

// Forget the arrays in the arena: every step begins with an empty one.
CT_FN void cti_data_clear_arena(ctData* d);
