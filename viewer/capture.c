// Pictures and videos of what the window shows.
#define _POSIX_C_SOURCE 200809L
#include <png.h>
#include <stdio.h>
#include <stdlib.h>

#include "window.h"

#define VIDEO_RATE 30

// The scene without panels, again: what is on the screen has them.
static ctByte* read_picture(Window* w, const Sight* s) {
  ctByte* rgb = malloc(3 * (size_t)w->pixels[0] * (size_t)w->pixels[1]);
  ctError err;
  if (rgb && ct_render_color(w->renderer, s->m, &w->seen, rgb, &err) != CT_OK) {
    view_note(w, "%s", err.message);
    free(rgb);
    return NULL;
  }
  return rgb;
}

// A name that is free: corten-001.png, ...
static void free_name(Window* w, char* out, size_t size, const char* ending) {
  struct stat seen;
  do snprintf(out, size, "corten-%03d.%s", ++w->pictures, ending);
  while (stat(out, &seen) == 0 && w->pictures < 1000000);
}

void view_take_picture(Window* w, const Sight* s) {
  char path[64], temporary[128];
  ctByte* rgb = read_picture(w, s);
  if (!rgb) return;
  ctError err = {0};
  png_image image = {.version = PNG_IMAGE_VERSION,
                     .width = (png_uint_32)w->pixels[0],
                     .height = (png_uint_32)w->pixels[1],
                     .format = PNG_FORMAT_RGB};
  free_name(w, path, sizeof(path), "png");
  bool good = ct_file_begin(path, temporary, sizeof(temporary), &err) == CT_OK;
  if (good && !png_image_write_to_file(&image, temporary, 0, rgb, 0, NULL)) {
    view_fail(&err, CT_ERR_IO, "%s: %s", path, image.message);
    good = false;
  }
  if (temporary[0] && (err.status == CT_OK || !good)) {
    ctError end = {0};
    if (ct_file_end(path, temporary, good, &end) != CT_OK && good) err = end, good = false;
  }
  view_note(w, good ? "wrote %s" : "%s", good ? path : err.message);
  free(rgb);
}

void view_toggle_video(Window* w, const Sight* s) {
  (void)s;
  ctError err = {0};
  if (w->video) {
    ctStatus status = ct_video_close(w->video, &err);
    w->video = NULL;
    view_note(w, status == CT_OK ? "video written" : "%s", err.message);
    return;
  }
  char path[64];
  free_name(w, path, sizeof(path), "mp4");
  if (ct_video_open(&w->video, path, w->pixels[0], w->pixels[1], VIDEO_RATE, &err) != CT_OK)
    view_note(w, "%s", err.message);
  else
    view_note(w, "recording %s", path);
  w->next_frame = ct_clock();
}

void view_record(Window* w, const Sight* s) {
  double now = ct_clock();
  if (!w->video || now < w->next_frame) return;
  ctError err = {0};
  ctByte* rgb = read_picture(w, s);
  // a slow machine repeats pictures, so that the video has the speed of the screen
  while (rgb && w->video && w->next_frame <= now) {
    w->next_frame += 1.0 / VIDEO_RATE;
    if (ct_video_frame(w->video, rgb, &err) != CT_OK) {
      ct_video_close(w->video, NULL);
      w->video = NULL;
      view_note(w, "%s", err.message);
    }
  }
  free(rgb);
}
