// Textures of a model, in the memory of the driver.
#pragma once

#include "context.h"

// Fill `out` (ntex names; 0: not made yet). CT_ERR_LIMIT when one is larger than the driver allows,
// CT_ERR_INVALID when its pixels are not in the model.
ctStatus textures_upload(GLuint* out, const Gl* g, const ctModel* m, ctError* err);
