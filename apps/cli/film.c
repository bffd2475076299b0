#define _DEFAULT_SOURCE
#include "film.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "command.h"
#include "output.h"
#include "picture.h"

// The name of the video without its ending, and a folder of that name.
static int make_folder(cli_Film* f, const char* path) {
  const char* dot = strrchr(path, '.');
  int n = dot && !strchr(dot, '/') ? (int)(dot - path) : (int)strlen(path);
  snprintf(f->folder, sizeof(f->folder), "%.*s-pictures", n, path);
  if (mkdir(f->folder, 0777) == 0 || errno == EEXIST) return CLI_OK;
  fprintf(stderr, "corten render: %s: %s\n", f->folder, strerror(errno));
  return CLI_FAILED;
}

int cli_film_open(cli_Film* f, const char* path, int width, int height, double rate) {
  ctError err = {0};
  *f = (cli_Film){.width = width, .height = height};
  ctStatus status = ct_video_open(&f->video, path, width, height, rate, &err);
  if (status == CT_OK) return CLI_OK;
  if (status != CT_ERR_NOT_FOUND) return cli_fail(&err);
  int code = make_folder(f, path);
  if (code == CLI_OK)
    fprintf(stderr, "corten render: there is no ffmpeg (Debian package ffmpeg): pictures go to %s\n",
            f->folder);
  return code;
}

int cli_film_add(cli_Film* f, const unsigned char* rgb) {
  ctError err = {0};
  f->count++;
  if (f->video) return ct_video_frame(f->video, rgb, &err) == CT_OK ? CLI_OK : cli_fail(&err);
  char path[sizeof(f->folder) + 16];
  snprintf(path, sizeof(path), "%s/%06d.png", f->folder, f->count);
  const cli_Picture picture = {
      .width = f->width, .height = f->height, .channels = 3, .bits = 8, .pixels = rgb};
  return cli_picture_save(&picture, path);
}

int cli_film_close(cli_Film* f, const char* path) {
  ctError err = {0};
  bool video = f->video != NULL;
  ctStatus status = ct_video_close(f->video, &err);
  f->video = NULL;
  if (status != CT_OK) return cli_fail(&err);
  if (f->count > 0) printf("%s: %d pictures\n", video ? path : f->folder, f->count);
  return CLI_OK;
}
