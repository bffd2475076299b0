// Growing the arena between steps: host code, the only heap call of a running simulation.
#pragma once

#include "corten/data.h"

// Make the arena as large as the last steps wanted. CT_OK (also when there is nothing to do) or
// CT_ERR_MEMORY.
ctStatus cti_data_grow(ctData* d);
