// Whether the indices of a model lead to something that is there.
#pragma once

#include "corten/model.h"

// The first field with an index that is out of range; NULL when all are good.
const char* cti_model_check(const ctModel* m);
