#include "asset/image.h"

#include <png.h>
#include <setjmp.h>
#include <string.h>

#define MAX_SIDE  32768
#define MAX_BYTES ((size_t)1 << 30)

// A picture on its way: bytes that are left, and what went wrong.
typedef struct Source {
  const unsigned char* at;
  size_t left;
  char message[160];
  jmp_buf failed;
} Source;

static void take_bytes(png_structp png, png_bytep out, size_t n) {
  Source* s = (Source*)png_get_io_ptr(png);
  if (n > s->left) png_error(png, "it is cut short");
  memcpy(out, s->at, n);
  s->at += n;
  s->left -= n;
}

static void fail(png_structp png, png_const_charp message) {
  Source* s = (Source*)png_get_error_ptr(png);
  strncpy(s->message, message, sizeof(s->message) - 1);
  longjmp(s->failed, 1);
}

static void ignore(png_structp png, png_const_charp message) {
  (void)png;
  (void)message;
}

// The library works in the region of the picture.
static png_voidp take_memory(png_structp png, png_alloc_size_t n) {
  return cti_region_alloc((ctiRegion*)png_get_mem_ptr(png), n, alignof(max_align_t));
}

static void leave_memory(png_structp png, png_voidp block) {
  (void)png;
  (void)block;
}

// Numbers as they are stored, whatever gamma they were made for: four channels of their highest 8 bits.
static void ask_for_rgba(png_structp png, png_infop info) {
  png_set_expand(png);
  png_set_strip_16(png);
  png_set_gray_to_rgb(png);
  png_set_add_alpha(png, 0xff, PNG_FILLER_AFTER);
  png_set_interlace_handling(png);
  png_read_update_info(png, info);
}

// Head and size; false when it is too large.
static bool read_head(png_structp png, png_infop info, ctiImage* out) {
  png_set_user_limits(png, MAX_SIDE, MAX_SIDE);
  png_read_info(png, info);
  out->width = (int)png_get_image_width(png, info);
  out->height = (int)png_get_image_height(png, info);
  out->srgb = png_get_valid(png, info, PNG_INFO_sRGB) != 0;
  return 4 * (size_t)out->width * (size_t)out->height <= MAX_BYTES;
}

static ctStatus read_pixels(png_structp png, png_infop info, ctiImage* out, ctiRegion* region, ctError* err) {
  const size_t row = 4 * (size_t)out->width, height = (size_t)out->height;
  out->data = cti_region_alloc(region, row * height, 1);
  png_bytep* rows = CTI_NEW_ARRAY(region, png_bytep, out->height);
  if (!out->data || !rows) return cti_error_memory(err);
  for (size_t i = 0; i < height; i++) rows[i] = out->data + i * row;
  ask_for_rgba(png, info);
  if (png_get_rowbytes(png, info) != row) png_error(png, "its rows have an unexpected length");
  png_read_image(png, rows);
  return CT_OK;
}

ctStatus cti_image_from_png(ctiImage* out, const void* bytes, size_t size, int channels, const char* file,
                            ctiRegion* region, ctError* err) {
  memset(out, 0, sizeof(*out));
  Source source = {.at = (const unsigned char*)bytes, .left = size};
  png_structp png = png_create_read_struct_2(PNG_LIBPNG_VER_STRING, &source, fail, ignore, region,
                                             take_memory, leave_memory);
  if (!png) return cti_error_memory(err);
  if (setjmp(source.failed)) {
    memset(out, 0, sizeof(*out));
    bool limit = strstr(source.message, "limit") != NULL;
    return cti_error_at(err, limit ? CT_ERR_LIMIT : CT_ERR_SYNTAX, file, 0, 0, NULL,
                        limit ? "the picture is too large: %s" : "not a readable PNG picture: %s",
                        source.message);
  }
  png_infop info = png_create_info_struct(png);
  if (!info) return cti_error_memory(err);
  png_set_read_fn(png, &source, take_bytes);
  if (!read_head(png, info, out)) {
    ctStatus status = cti_error_at(err, CT_ERR_LIMIT, file, 0, 0, NULL,
                                   "the picture is too large: %d x %d pixels", out->width, out->height);
    memset(out, 0, sizeof(*out));
    return status;
  }
  CT_TRY(read_pixels(png, info, out, region, err));
  // the first channels are kept: nothing is blended or mixed
  const size_t pixels = (size_t)out->width * (size_t)out->height, n = (size_t)channels;
  for (size_t i = 0; n < 4 && i < pixels; i++) memmove(out->data + i * n, out->data + 4 * i, n);
  out->channels = channels;
  return CT_OK;
}
