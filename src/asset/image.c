#include "asset/image.h"

#include <png.h>
#include <string.h>

#define MAX_SIDE  32768
#define MAX_BYTES ((size_t)1 << 30)

ctStatus cti_image_from_png(ctiImage* out, const void* bytes, size_t size, int channels, const char* file,
                            ctiRegion* region, ctError* err) {
  static const png_uint_32 formats[5] = {0, PNG_FORMAT_GRAY, PNG_FORMAT_GA, PNG_FORMAT_RGB, PNG_FORMAT_RGBA};
  memset(out, 0, sizeof(*out));
  png_image image;
  memset(&image, 0, sizeof(image));
  image.version = PNG_IMAGE_VERSION;
  if (!png_image_begin_read_from_memory(&image, bytes, size)) {
    return cti_error_at(err, CT_ERR_SYNTAX, file, 0, 0, NULL, "not a readable PNG picture: %s",
                        image.message);
  }
  image.format = formats[channels];
  size_t need = (size_t)image.width * image.height * (size_t)channels;
  if (image.width > MAX_SIDE || image.height > MAX_SIDE || need > MAX_BYTES) {
    ctStatus status =
        cti_error_at(err, CT_ERR_LIMIT, file, 0, 0, NULL, "the picture is too large: %u x %u pixels",
                     (unsigned)image.width, (unsigned)image.height);
    png_image_free(&image);
    return status;
  }
  unsigned char* data = cti_region_alloc(region, need, 1);
  if (!data) {
    png_image_free(&image);
    return cti_error_memory(err);
  }
  if (!png_image_finish_read(&image, NULL, data, 0, NULL)) {
    return cti_error_at(err, CT_ERR_SYNTAX, file, 0, 0, NULL, "the PNG picture is damaged: %s",
                        image.message);
  }
  *out = (ctiImage){(int)image.width, (int)image.height, channels, data};
  return CT_OK;
}
