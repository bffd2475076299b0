#include "plot_errors.h"

#include <math.h>
#include <stdio.h>

#include "command.h"

#ifndef CLI_HAS_CAIRO

int cli_errors_draw(const cli_Errors* errors, const char* path) {
  (void)errors;
  (void)path;
  return CLI_FAILED;
}

#else
#include "plot_page.h"

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

static void draw_grid(cairo_t* c, const Axes* a) {
  char text[16];
  const int rows = (int)(a->high - a->low), step = rows > 12 ? 2 : 1;
  cairo_set_line_width(c, 1);
  for (int power = (int)a->low; power <= (int)a->high; power += step) {
    const double y = to_y(a, pow(10, power));
    cli_page_colour(c, 0xe0e0e0);
    cli_page_rule(c, LEFT, y, WIDTH - RIGHT, y);
    cli_page_colour(c, 0x404040);
    snprintf(text, sizeof(text), "1e%d", power);
    cli_page_text(c, LEFT - 8, y + 5, 14, AT_END, text);
  }
  for (int power = (int)round(a->left); power <= (int)round(a->right); power++) {
    const double x = to_x(a, pow(10, power));
    cli_page_colour(c, 0xe0e0e0);
    cli_page_rule(c, x, TOP, x, HEIGHT - BOTTOM);
    cli_page_colour(c, 0x404040);
    snprintf(text, sizeof(text), "1e%d", power);
    cli_page_text(c, x, HEIGHT - BOTTOM + 22, 14, AT_CENTRE, text);
  }
}

static void draw_line(cairo_t* c, const Axes* a, const cli_Errors* e, const double* error, unsigned rgb) {
  cli_page_colour(c, rgb);
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
  draw_grid(c, &a);
  draw_line(c, &a, e, e->forward, 0xd55e00);
  draw_line(c, &a, e, e->centred, 0x0072b2);
  cli_page_colour(c, 0x202020);
  cli_page_text(c, LEFT, 34, 18, AT_START, e->title);
  cli_page_text(c, (LEFT + WIDTH - RIGHT) / 2, HEIGHT - 22, 15, AT_CENTRE, "size of the differences");
  cli_page_text(c, LEFT, TOP - 12, 14, AT_START,
                "largest difference from the derivative, of its largest element");
  cli_page_colour(c, 0x0072b2);
  cli_page_text(c, WIDTH - RIGHT - 130, 34, 15, AT_END, "centred");
  cli_page_colour(c, 0xd55e00);
  cli_page_text(c, WIDTH - RIGHT, 34, 15, AT_END, "forward");
}

int cli_errors_draw(const cli_Errors* errors, const char* path) {
  cli_Page page;
  cli_page_begin(&page, WIDTH, HEIGHT);
  draw(page.c, errors);
  return cli_page_end(&page, path);
}
#endif
