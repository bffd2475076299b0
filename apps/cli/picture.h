// Pictures and arrays of pixels as files. What is written appears whole or not at all.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

typedef struct {
  int width, height;
  int channels;        // 1 to 4 in a PNG, any in an array
  int bits;            // of a channel in a PNG, 8 or 16
  const void* pixels;  // row by row, the upper one first
  const char* type;    // of an array, as NumPy writes it: "<f4"
} cli_Picture;

bool cli_ends_with(const char* path, const char* end);

/// Write .png or .npy, by the name. @return CLI_OK, or CLI_FAILED with one line on stderr
int cli_picture_save(const cli_Picture* picture, const char* path);

/// Write a picture in the form of PNG. @return whether that went well
bool cli_picture_write(const cli_Picture* picture, FILE* file);
