// Pictures to PNG files.
#include <png.h>
#include <setjmp.h>
#include <string.h>

#include "asset/image.h"
#include "base/array.h"

// One PNG on its way out. libpng reports errors by jumping back.
typedef struct Encoder {
  png_structp png;
  png_infop info;
  CTI_ARRAY(unsigned char) bytes;
  const ctAllocator* allocator;
  jmp_buf jump;
} Encoder;

static void on_error(png_structp png, png_const_charp message) {
  (void)message;
  Encoder* e = png_get_error_ptr(png);
  longjmp(e->jump, 1);
}

static void on_warning(png_structp png, png_const_charp message) {
  (void)png;
  (void)message;
}

static void write_bytes(png_structp png, png_bytep data, size_t size) {
  Encoder* e = png_get_io_ptr(png);
  if (cti_array_append(&e->bytes, e->allocator, data, (int64_t)size) != CT_OK) png_error(png, "memory");
}

static void flush_bytes(png_structp png) {
  (void)png;
}

static bool encode(Encoder* e, const ctiImage* image) {
  static const int kinds[5] = {
      [1] = PNG_COLOR_TYPE_GRAY, [3] = PNG_COLOR_TYPE_RGB, [4] = PNG_COLOR_TYPE_RGB_ALPHA};
  if (setjmp(e->jump)) return false;
  png_set_user_limits(e->png, UINT32_MAX >> 1, UINT32_MAX >> 1);
  png_set_write_fn(e->png, e, write_bytes, flush_bytes);
  png_set_IHDR(e->png, e->info, (png_uint_32)image->width, (png_uint_32)image->height, 8,
               kinds[image->channels], PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT,
               PNG_FILTER_TYPE_DEFAULT);
  png_write_info(e->png, e->info);
  for (int row = 0; row < image->height; row++)
    png_write_row(e->png, image->data + (size_t)row * (size_t)image->width * (size_t)image->channels);
  png_write_end(e->png, NULL);
  return true;
}

ctStatus cti_image_to_png(void** bytes, size_t* size, const ctiImage* image, ctiRegion* region,
                          ctError* err) {
  bool colours = image->channels == 1 || image->channels == 3 || image->channels == 4;
  if (!colours || image->width <= 0 || image->height <= 0)
    return cti_error(err, CT_ERR_ARGUMENT, "a picture of %d x %d pixels and %d channels is no PNG",
                     image->width, image->height, image->channels);
  Encoder e = {.allocator = cti_region_allocator(region)};
  e.png = png_create_write_struct(PNG_LIBPNG_VER_STRING, &e, on_error, on_warning);
  e.info = e.png ? png_create_info_struct(e.png) : NULL;
  bool ok = e.info && encode(&e, image);
  png_destroy_write_struct(&e.png, &e.info);
  *bytes = ok ? e.bytes.data : NULL;
  *size = ok ? (size_t)e.bytes.count : 0;
  return ok ? CT_OK : cti_error_memory(err);
}
