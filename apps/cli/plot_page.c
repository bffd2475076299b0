#include "plot_page.h"

#include <corten/corten.h>
#include <math.h>
#include <stdio.h>

#include "command.h"
#include "output.h"

void cli_page_begin(cli_Page* page, double width, double height) {
  page->surface = cairo_image_surface_create(CAIRO_FORMAT_RGB24, (int)width, (int)height);
  page->c = cairo_create(page->surface);
  cli_page_colour(page->c, 0xffffff);
  cairo_paint(page->c);
  cairo_select_font_face(page->c, "sans-serif", CAIRO_FONT_SLANT_NORMAL, CAIRO_FONT_WEIGHT_NORMAL);
}

int cli_page_end(cli_Page* page, const char* path) {
  cairo_status_t status = cairo_status(page->c);
  char temporary[4096];
  ctError err = {0};
  ctStatus begun = ct_file_begin(path, temporary, sizeof(temporary), &err);
  if (status == CAIRO_STATUS_SUCCESS && begun == CT_OK)
    status = cairo_surface_write_to_png(page->surface, temporary);
  cairo_destroy(page->c);
  cairo_surface_destroy(page->surface);
  if (begun == CT_OK) begun = ct_file_end(path, temporary, status == CAIRO_STATUS_SUCCESS, &err);
  if (begun != CT_OK) return cli_fail(&err);
  if (status == CAIRO_STATUS_SUCCESS) return CLI_OK;
  fprintf(stderr, "%s: cannot draw this picture: %s\n", path, cairo_status_to_string(status));
  return CLI_FAILED;
}

void cli_page_colour(cairo_t* c, unsigned rgb) {
  cairo_set_source_rgb(c, (double)(rgb >> 16) / 255, (double)(rgb >> 8 & 255) / 255,
                       (double)(rgb & 255) / 255);
}

// In the middle of pixels, so that it is sharp.
void cli_page_rule(cairo_t* c, double x0, double y0, double x1, double y1) {
  cairo_move_to(c, floor(x0) + 0.5, floor(y0) + 0.5);
  cairo_line_to(c, floor(x1) + 0.5, floor(y1) + 0.5);
  cairo_stroke(c);
}

void cli_page_text(cairo_t* c, double x, double y, double size, int where, const char* text) {
  cairo_text_extents_t extents;
  cairo_set_font_size(c, size);
  cairo_text_extents(c, text, &extents);
  cairo_move_to(c, x - 0.5 * where * extents.x_advance, y);
  cairo_show_text(c, text);
}
