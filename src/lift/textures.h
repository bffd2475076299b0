// Textures on their way back.
#pragma once

#include "asset/image.h"
#include "lift/lift.h"

// The words of a builtin texture that gives these pixels, if there are any: `found`.
ctStatus cti_lift_builtin(ctiTexture* t, bool* found, const ctiImage* image, const ctAllocator* allocator,
                          ctError* err);
