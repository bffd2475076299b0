// Pictures of textures: drawn by a formula or cut from files.
#pragma once

#include "compile/build.h"

enum { CTI_PICTURE_NONE, CTI_PICTURE_GRADIENT, CTI_PICTURE_CHECKER, CTI_PICTURE_FLAT };

// A colour from 0 to 1 as a byte.
unsigned char cti_color_byte(double x);

// The picture of a builtin texture.
ctStatus cti_texture_draw(ctiBuild* b, const ctiTexture* s, ctiImage* out);

// The picture of a texture made from one file or from a file a side; `path` is that of the single file, NULL
// for others. A texture left by reference has no pixels.
ctStatus cti_texture_read(ctiBuild* b, const ctiTexture* s, const char** path, ctiImage* out);
