#include "asset/image.h"

#include <png.h>
#include <setjmp.h>
#include <string.h>

#include "base/alloc.h"

// ---- reading

#define MAX_SIDE  32768
#define MAX_BYTES ((size_t)1 << 30)

// One PNG that is read. libpng reports errors by jumping back.
typedef struct Decoder {
  png_structp png;
  png_infop info;
  const unsigned char *at, *end;
  char message[128];
  jmp_buf jump;
} Decoder;

static void on_error(png_structp png, png_const_charp message) {
  Decoder* d = png_get_error_ptr(png);
  strncpy(d->message, message, sizeof(d->message) - 1);
  longjmp(d->jump, 1);
}

static void on_warning(png_structp png, png_const_charp message) {
  (void)png;
  (void)message;
}

static void read_bytes(png_structp png, png_bytep out, size_t size) {
  Decoder* d = png_get_io_ptr(png);
  if (size > (size_t)(d->end - d->at)) png_error(png, "the file is too short");
  memcpy(out, d->at, size);
  d->at += size;
}

// Size of the picture; false with a message.
static bool read_header(Decoder* d, uint32_t* width, uint32_t* height) {
  if (setjmp(d->jump)) return false;
  png_set_user_limits(d->png, UINT32_MAX >> 1, UINT32_MAX >> 1);
  png_set_read_fn(d->png, d, read_bytes);
  png_read_info(d->png, d->info);
  *width = png_get_image_width(d->png, d->info);
  *height = png_get_image_height(d->png, d->info);
  return true;
}

// Every pixel as red, green, blue and alpha; false with a message.
static bool read_pixels(Decoder* d, unsigned char* data, uint32_t width, uint32_t height) {
  if (setjmp(d->jump)) return false;
  png_set_expand(d->png);
  png_set_strip_16(d->png);
  png_set_gray_to_rgb(d->png);
  png_set_add_alpha(d->png, 255, PNG_FILLER_AFTER);
  int passes = png_set_interlace_handling(d->png);
  png_read_update_info(d->png, d->info);
  for (int pass = 0; pass < passes; pass++) {
    for (uint32_t row = 0; row < height; row++) png_read_row(d->png, data + (size_t)4 * width * row, NULL);
  }
  png_read_end(d->png, NULL);
  return true;
}

// libpng finds sRGB in colour profiles too: only the chunk counts, which stands before the pixels.
static bool has_srgb_chunk(const unsigned char* bytes, size_t size) {
  for (size_t at = 8; at + 12 <= size;) {
    const unsigned char* chunk = bytes + at;
    if (memcmp(chunk + 4, "sRGB", 4) == 0) return true;
    if (memcmp(chunk + 4, "IDAT", 4) == 0) return false;
    at += 12 + ((size_t)chunk[0] << 24 | (size_t)chunk[1] << 16 | (size_t)chunk[2] << 8 | (size_t)chunk[3]);
  }
  return false;
}

static void keep_channels(unsigned char* data, size_t pixels, int channels) {
  for (size_t i = 0; i < pixels; i++) {
    for (int k = 0; k < channels; k++) data[i * (size_t)channels + (size_t)k] = data[4 * i + (size_t)k];
  }
}

static ctStatus decode(Decoder* d, ctiImage* out, int channels, const char* file, ctiRegion* region,
                       ctError* err) {
  uint32_t width, height;
  if (!read_header(d, &width, &height))
    return cti_error_at(err, CT_ERR_SYNTAX, file, 0, 0, NULL, "not a readable PNG picture: %s", d->message);
  size_t pixels = (size_t)width * height;
  if (width > MAX_SIDE || height > MAX_SIDE || 4 * pixels > MAX_BYTES)
    return cti_error_at(err, CT_ERR_LIMIT, file, 0, 0, NULL, "the picture is too large: %u x %u pixels",
                        (unsigned)width, (unsigned)height);
  unsigned char* data = cti_region_alloc(region, 4 * pixels, 1);
  if (!data) return cti_error_memory(err);
  if (!read_pixels(d, data, width, height))
    return cti_error_at(err, CT_ERR_SYNTAX, file, 0, 0, NULL, "the PNG picture is damaged: %s", d->message);
  keep_channels(data, pixels, channels);
  *out = (ctiImage){.width = (int)width, .height = (int)height, .channels = channels, .data = data};
  return CT_OK;
}

ctStatus cti_image_from_png(ctiImage* out, const void* bytes, size_t size, int channels, const char* file,
                            ctiRegion* region, ctError* err) {
  Decoder d = {.at = bytes, .end = (const unsigned char*)bytes + size};
  memset(out, 0, sizeof(*out));
  d.png = png_create_read_struct(PNG_LIBPNG_VER_STRING, &d, on_error, on_warning);
  d.info = d.png ? png_create_info_struct(d.png) : NULL;
  ctStatus status = d.info ? decode(&d, out, channels, file, region, err) : cti_error_memory(err);
  png_destroy_read_struct(&d.png, &d.info, NULL);
  out->srgb = status == CT_OK && has_srgb_chunk(bytes, size);
  return status;
}

// ---- writing

// One PNG that is written. libpng reports errors by jumping back.
typedef struct Encoder {
  png_structp png;
  png_infop info;
  CTI_ARRAY(unsigned char) bytes;
  const ctAllocator* allocator;
  jmp_buf jump;
} Encoder;

static void on_write_error(png_structp png, png_const_charp message) {
  (void)message;
  Encoder* e = png_get_error_ptr(png);
  longjmp(e->jump, 1);
}

static void on_write_warning(png_structp png, png_const_charp message) {
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
  e.png = png_create_write_struct(PNG_LIBPNG_VER_STRING, &e, on_write_error, on_write_warning);
  e.info = e.png ? png_create_info_struct(e.png) : NULL;
  bool ok = e.info && encode(&e, image);
  png_destroy_write_struct(&e.png, &e.info);
  *bytes = ok ? e.bytes.data : NULL;
  *size = ok ? (size_t)e.bytes.count : 0;
  return ok ? CT_OK : cti_error_memory(err);
}
