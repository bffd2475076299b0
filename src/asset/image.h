// Pictures from PNG files: textures and height fields.
#pragma once

#include "base/alloc.h"
#include "base/error.h"

typedef struct ctiImage {
  int width, height, channels;
  bool srgb;            // the file says that its numbers are sRGB
  unsigned char* data;  // rows from top to bottom, 8 bits a channel; in the region
} ctiImage;

// Decode a PNG to 1, 3 or 4 channels: the numbers as they are in the file, their high bytes where there are
// two. One channel is the grey or red one; alpha is left out, or full where there is none. `file` names it in
// messages. Pictures beyond 32,768 pixels a side or 1 GiB are refused before anything is allocated.
// CT_ERR_SYNTAX, CT_ERR_LIMIT or CT_ERR_MEMORY.
ctStatus cti_image_from_png(ctiImage* out, const void* bytes, size_t size, int channels, const char* file,
                            ctiRegion* region, ctError* err);

// Encode a picture of 1, 3 or 4 channels; the bytes live in the region. CT_ERR_ARGUMENT (a picture without
// pixels) or CT_ERR_MEMORY.
ctStatus cti_image_to_png(void** bytes, size_t* size, const ctiImage* image, ctiRegion* region, ctError* err);
