// Pictures one after the other: a video, or PNG files where there is no ffmpeg.
#pragma once

#include <corten/render.h>

typedef struct {
  ctVideo* video;     // NULL: files in a folder
  char folder[4096];  // "" while there is a video
  int width, height, count;
} cli_Film;

/// @return CLI_OK, or CLI_FAILED with a line on stderr
int cli_film_open(cli_Film* f, const char* path, int width, int height, double rate);
int cli_film_add(cli_Film* f, const unsigned char* rgb);
/// Say what was written. Closes it in any case.
int cli_film_close(cli_Film* f, const char* path);
