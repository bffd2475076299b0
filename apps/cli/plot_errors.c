#include "plot_errors.h"

#include <corten/corten.h>
#include <math.h>
#include <stdio.h>

#include "command.h"
#include "output.h"

#ifndef CLI_HAS_CAIRO

int cli_errors_draw(const cli_Errors* errors, const char* path) {
  (void)errors;
  (void)path;
  return CLI_FAILED;
}

#else
#include <cairo.h>

#define WIDTH  900.0
#define HEIGHT 600.0
#define LEFT   90.0
#define RIGHT  40.0
#define TOP    70.0
#define BOTTOM 80.0

// Powers of ten that the axes reach from and to.
typedef struct {
  double left, right, low, high;
} Axes;

static double to_x(const Axes* a, double size) {
  return LEFT + (log10(size) - a->left) / (a->right - a->left) * (WIDTH - LEFT - RIGHT);
}

static double to_y(const Axes* a, double error) {
  double power = error > 0 ? fmax(log10(error), a->low) : a->low;
  return HEIGHT - BOTTOM - (power - a->low) / (a->high - a->low) * (HEIGHT - TOP - BOTTOM);
}

static Axes axes_of(const cli_Errors* e) {
  Axes a = {log10(e->size[e->count - 1]), log10(e->size[0]), 0, -3};
  for (int i = 0; i < e->count; i++) {
    const double both[] = {e->centred[i], e->forward[i]};
    for (int k = 0; k < 2; k++) {
      if (!(both[k] > 0)) continue;
      a.low = fmin(a.low, floor(log10(both[k])));
      a.high = fmax(a.high, ceil(log10(both[k])));
    }
  }
  a.low = fmax(a.low, -16);
  return a;
}

static void set_colour(cairo_t* c, unsigned rgb) {
  cairo_set_source_rgb(c, (rgb >> 16) / 255.0, (rgb >> 8 & 255) / 255.0, (rgb & 255) / 255.0);
}

// `where`: 0 the text begins at x, 1 its middle is there, 2 it ends there
static void write_text(cairo_t* c, double x, double y, double size, int where, const char* text) {
  cairo_text_extents_t extents;
  cairo_set_font_size(c, size);
  cairo_text_extents(c, text, &extents);
  cairo_move_to(c, x - 0.5 * where * extents.x_advance, y);
  cairo_show_text(c, text);
}

static void rule(cairo_t* c, double x0, double y0, double x1, double y1) {
  cairo_move_to(c, x0, y0);
  cairo_line_to(c, x1, y1);
  cairo_stroke(c);
}

static void draw_grid(cairo_t* c, const Axes* a) {
  char text[16];
  const int rows = (int)(a->high - a->low), step = rows > 12 ? 2 : 1;
  cairo_set_line_width(c, 1);
  for (int power = (int)a->low; power <= (int)a->high; power += step) {
    const double y = to_y(a, pow(10, power));
    set_colour(c, 0xe0e0e0);
    rule(c, LEFT, y, WIDTH - RIGHT, y);
    set_colour(c, 0x404040);
    snprintf(text, sizeof(text), "1e%d", power);
    write_text(c, LEFT - 8, y + 5, 14, 2, text);
  }
  for (int power = (int)round(a->left); power <= (int)round(a->right); power++) {
    const double x = to_x(a, pow(10, power));
    set_colour(c, 0xe0e0e0);
    rule(c, x, TOP, x, HEIGHT - BOTTOM);
    set_colour(c, 0x404040);
    snprintf(text, sizeof(text), "1e%d", power);
    write_text(c, x, HEIGHT - BOTTOM + 22, 14, 1, text);
  }
}

static void draw_line(cairo_t* c, const Axes* a, const cli_Errors* e, const double* error, unsigned rgb) {
  set_colour(c, rgb);
  cairo_set_line_width(c, 2.5);
  for (int i = 0; i < e->count; i++) {
    const double x = to_x(a, e->size[i]), y = to_y(a, error[i]);
    if (i == 0) {
      cairo_move_to(c, x, y);
    } else {
      cairo_line_to(c, x, y);
    }
  }
  cairo_stroke(c);
  for (int i = 0; i < e->count; i++) {
    cairo_arc(c, to_x(a, e->size[i]), to_y(a, error[i]), 4.5, 0, 2 * acos(-1));
    cairo_fill(c);
  }
}

static void draw(cairo_t* c, const cli_Errors* e) {
  const Axes a = axes_of(e);
  set_colour(c, 0xffffff);
  cairo_paint(c);
  cairo_select_font_face(c, "sans-serif", CAIRO_FONT_SLANT_NORMAL, CAIRO_FONT_WEIGHT_NORMAL);
  draw_grid(c, &a);
  draw_line(c, &a, e, e->forward, 0xd55e00);
  draw_line(c, &a, e, e->centred, 0x0072b2);
  set_colour(c, 0x202020);
  write_text(c, LEFT, 34, 18, 0, e->title);
  write_text(c, (LEFT + WIDTH - RIGHT) / 2, HEIGHT - 22, 15, 1, "size of the differences");
  write_text(c, LEFT, TOP - 12, 14, 0, "largest difference from the derivative, of its largest element");
  set_colour(c, 0x0072b2);
  write_text(c, WIDTH - RIGHT - 130, 34, 15, 2, "centred");
  set_colour(c, 0xd55e00);
  write_text(c, WIDTH - RIGHT, 34, 15, 2, "forward");
}

int cli_errors_draw(const cli_Errors* errors, const char* path) {
  cairo_surface_t* surface = cairo_image_surface_create(CAIRO_FORMAT_RGB24, (int)WIDTH, (int)HEIGHT);
  cairo_t* c = cairo_create(surface);
  draw(c, errors);
  cairo_status_t status = cairo_status(c);
  char temporary[4096];
  ctError err = {0};
  ctStatus begun = ct_file_begin(path, temporary, sizeof(temporary), &err);
  if (status == CAIRO_STATUS_SUCCESS && begun == CT_OK)
    status = cairo_surface_write_to_png(surface, temporary);
  cairo_destroy(c);
  cairo_surface_destroy(surface);
  if (begun == CT_OK) begun = ct_file_end(path, temporary, status == CAIRO_STATUS_SUCCESS, &err);
  if (begun != CT_OK) return cli_fail(&err);
  if (status == CAIRO_STATUS_SUCCESS) return CLI_OK;
  fprintf(stderr, "%s: cannot draw this picture: %s\n", path, cairo_status_to_string(status));
  return CLI_FAILED;
}
#endif
