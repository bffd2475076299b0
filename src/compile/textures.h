// Pictures of textures: drawn by a formula or cut from files.
#pragma once

#include "compile/build.h"

enum { CTI_PICTURE_NONE, CTI_PICTURE_GRADIENT, CTI_PICTURE_CHECKER, CTI_PICTURE_FLAT };

enum { CTI_MARK_NONE, CTI_MARK_EDGE, CTI_MARK_CROSS, CTI_MARK_RANDOM, CTI_MARK_COUNT };
#define CTI_MARK_SEED 42  // of random marks: the stars of everybody's sky

// Whether an edge or a cross runs over a pixel of a face.
bool cti_mark_covers(int mark, int row, int col, int width, int height);

// The picture of a builtin texture.
ctStatus cti_texture_draw(ctiBuild* b, const ctiTexture* s, ctiImage* out);
