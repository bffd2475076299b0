// Pictures from PNG files: textures and height fields.
#pragma once

#include "base/error.h"
#include "base/region.h"

typedef struct ctiImage {
  int width, height, channels;
  unsigned char* data;  // rows from top to bottom, 8 bits a channel; in the region
  bool srgb;            // the file says so
} ctiImage;

// Decode a PNG to the first 1, 2, 3 or 4 channels of RGBA, as they are stored. `file` names it in messages.
// Pictures beyond 32,768 pixels a side or 1 GiB are refused before anything is allocated. CT_ERR_SYNTAX,
// CT_ERR_LIMIT or CT_ERR_MEMORY.
ctStatus cti_image_from_png(ctiImage* out, const void* bytes, size_t size, int channels, const char* file,
                            ctiRegion* region, ctError* err);
