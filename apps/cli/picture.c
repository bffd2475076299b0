#include "picture.h"

#include <corten/corten.h>
#include <errno.h>
#include <png.h>
#include <stdio.h>
#include <string.h>

#include "command.h"
#include "output.h"

bool cli_ends_with(const char* path, const char* end) {
  size_t n = strlen(path), k = strlen(end);
  return n > k && strcmp(path + n - k, end) == 0;
}

bool cli_picture_write(const cli_Picture* p, FILE* file) {
  const int colours[5] = {0, PNG_COLOR_TYPE_GRAY, PNG_COLOR_TYPE_GRAY_ALPHA, PNG_COLOR_TYPE_RGB,
                          PNG_COLOR_TYPE_RGB_ALPHA};
  png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
  png_infop info = png ? png_create_info_struct(png) : NULL;
  if (!info || setjmp(png_jmpbuf(png))) {
    png_destroy_write_struct(&png, &info);
    return false;
  }
  png_init_io(png, file);
  png_set_IHDR(png, info, (png_uint_32)p->width, (png_uint_32)p->height, p->bits, colours[p->channels],
               PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
  png_write_info(png, info);
  if (p->bits == 16) png_set_swap(png);
  size_t row = (size_t)p->width * (size_t)p->channels * (size_t)(p->bits / 8);
  for (int i = 0; i < p->height; i++) png_write_row(png, (png_const_bytep)p->pixels + row * (size_t)i);
  png_write_end(png, NULL);
  png_destroy_write_struct(&png, &info);
  return true;
}

// The array form of NumPy, version 1: the head is padded to a multiple of 64 bytes.
static bool write_npy(const cli_Picture* p, FILE* file) {
  char shape[64], head[192];
  if (p->channels == 1) {
    snprintf(shape, sizeof(shape), "(%d, %d)", p->height, p->width);
  } else {
    snprintf(shape, sizeof(shape), "(%d, %d, %d)", p->height, p->width, p->channels);
  }
  int n =
      snprintf(head, sizeof(head), "{'descr': '%s', 'fortran_order': False, 'shape': %s, }", p->type, shape);
  int size = (10 + n + 1 + 63) / 64 * 64 - 10;
  const unsigned char magic[10] = {0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0, (unsigned char)size, 0};
  size_t bytes = (size_t)p->width * (size_t)p->height * (size_t)p->channels * 4;
  return fwrite(magic, 1, 10, file) == 10 && fprintf(file, "%-*s\n", size - 1, head) == size &&
         fwrite(p->pixels, 1, bytes, file) == bytes;
}

int cli_picture_save(const cli_Picture* p, const char* path) {
  char temporary[4200];
  ctError err = {0};
  if (ct_file_begin(path, temporary, sizeof(temporary), &err) != CT_OK) return cli_fail(&err);
  FILE* file = fopen(temporary, "wb");
  bool ok = file && (cli_ends_with(path, ".npy") ? write_npy(p, file) : cli_picture_write(p, file));
  int why = errno;
  if (file && fclose(file) != 0 && ok) ok = false, why = errno;
  if (ct_file_end(path, temporary, ok, &err) != CT_OK) return cli_fail(&err);
  if (!ok) fprintf(stderr, "corten: cannot write '%s': %s\n", path, strerror(why));
  return ok ? CLI_OK : CLI_FAILED;
}
