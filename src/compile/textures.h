// Pictures of textures: drawn by a formula or cut from files.
#pragma once

#include "compile/build.h"

#define CTI_MARK_SEED 42  // of random marks: the stars of everybody's sky

// Whether an edge or a cross runs over a pixel of a face.
bool cti_mark_covers(int mark, int row, int col, int width, int height);

// The picture of a builtin texture.
ctStatus cti_texture_draw(ctiBuild* b, const ctiTexture* s, ctiImage* out);
