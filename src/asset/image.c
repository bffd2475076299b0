#include "asset/image.h"

#include <png.h>
#include <setjmp.h>
#include <string.h>

#define MAX_SIDE  32768
#define MAX_BYTES ((size_t)1 << 30)

// One PNG on its way into memory. libpng reports errors by jumping back.
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
