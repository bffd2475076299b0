#include "plot.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "command.h"
#include "output.h"

#ifndef CLI_HAS_CAIRO

bool cli_can_plot(const char* command) {
  fprintf(
      stderr,
      "corten %s: this program was built without cairo and cannot draw; install it (Debian: libcairo2-dev), "
      "then configure and build again\n",
      command);
  return false;
}

int cli_plot_draw(const cli_Plot* plot, const char* path, int* left_out) {
  (void)plot;
  (void)path;
  *left_out = 0;
  return CLI_FAILED;
}

#else
#include "plot_page.h"

bool cli_can_plot(const char* command) {
  (void)command;
  return true;
}

// ---- measures of the page, in pixels

#define PAGE_WIDTH   1400.0
#define TITLE_HEIGHT 56.0
#define PANEL_HEIGHT 230.0
#define PANEL_GAP    44.0
#define FOOT_HEIGHT  62.0
#define LEFT         104.0
#define RIGHT        270.0
#define TEXT_SIZE    15.0
#define SMALL_SIZE   13.5

typedef struct {
  char group[64];
  const char* unit;
  int lines[PLOT_MAX_LINES];
  int count;
  double low, high;  // of the numbers
} Panel;

typedef struct {
  const cli_Recording* table;
  int time;  // channel, -1: rows are counted
  double start, end;
  Panel panels[PLOT_MAX_PANELS];
  int count;
} Page;

// Colours that stay apart for most eyes, also on paper.
static const unsigned colours[PLOT_MAX_LINES] = {0x0072b2, 0xd55e00, 0x009e73, 0xcc79a7, 0xe69f00, 0x56b4e9,
                                                 0x7f3fbf, 0x8c564b, 0x333333, 0xbcbd22, 0xff5470, 0x2f8f8f};

// ---- what goes where

static double number(const Page* p, size_t row, int channel) {
  return p->table->data[row * (size_t)p->table->nchannel + (size_t)channel];
}

static double time_of(const Page* p, size_t row) {
  return p->time >= 0 ? number(p, row, p->time) : (double)row;
}

static Panel* panel_for(Page* p, const cli_Channel* c) {
  char group[64];
  snprintf(group, sizeof(group), "%.*s", (int)strcspn(c->name, "."), c->name);
  for (int i = 0; i < p->count; i++) {
    Panel* have = &p->panels[i];
    bool same = strcmp(have->group, group) == 0 && strcmp(have->unit, c->unit) == 0;
    if (same && have->count < PLOT_MAX_LINES) return have;
  }
  if (p->count == PLOT_MAX_PANELS) return NULL;
  Panel* fresh = &p->panels[p->count++];
  *fresh = (Panel){.unit = c->unit, .low = INFINITY, .high = -INFINITY};
  memcpy(fresh->group, group, sizeof(group));
  return fresh;
}

static void widen(Page* p, Panel* panel, int channel) {
  for (size_t row = 0; row < p->table->rows; row++) {
    double x = number(p, row, channel);
    if (!isfinite(x)) continue;
    panel->low = fmin(panel->low, x);
    panel->high = fmax(panel->high, x);
  }
}

static int lay_out(Page* p, const cli_Plot* plot) {
  int left_out = 0;
  *p = (Page){.table = plot->table, .time = cli_recording_find(plot->table, "time")};
  p->start = time_of(p, 0);
  p->end = time_of(p, p->table->rows - 1);
  if (!(p->end > p->start)) p->end = p->start + 1;
  for (int i = 0; i < plot->count; i++) {
    Panel* panel = panel_for(p, &plot->table->channels[plot->chosen[i]]);
    if (!panel) {
      left_out++;
      continue;
    }
    panel->lines[panel->count++] = plot->chosen[i];
    widen(p, panel, plot->chosen[i]);
  }
  for (int i = 0; i < p->count; i++) {
    Panel* panel = &p->panels[i];
    if (!(panel->low <= panel->high)) panel->low = panel->high = 0;
    double pad = 0.06 * (panel->high - panel->low);
    if (pad <= 1e-9 * fmax(fabs(panel->low), fabs(panel->high)))
      pad = panel->high != 0 ? 0.1 * fabs(panel->high) : 1;
    panel->low -= pad;
    panel->high += pad;
  }
  return left_out;
}

// ---- text and ticks

// Units in files are plain; here they get their exponents.
static void pretty(const char* unit, char* out, size_t size) {
  size_t n = 0;
  for (; *unit && n + 3 < size; unit++) {
    if (unit[0] == '^' && unit[1] == '2') {
      memcpy(out + n, "\xc2\xb2", 2);
      n += 2;
      unit++;
    } else {
      out[n++] = *unit;
    }
  }
  out[n] = 0;
}

// As much of a text as fits a width.
static void write_within(cairo_t* c, double x, double y, double size, double width, const char* text) {
  char cut[256];
  cairo_text_extents_t extents;
  snprintf(cut, sizeof(cut), "%s", text);
  cairo_set_font_size(c, size);
  for (size_t n = strlen(cut); n > 4; n--) {
    cairo_text_extents(c, cut, &extents);
    if (extents.x_advance <= width) break;
    memcpy(cut + n - 4, "...", 4);
  }
  cairo_move_to(c, x, y);
  cairo_show_text(c, cut);
}

// The step between ticks: 1, 2 or 5 times a power of ten, about `wanted` of them.
static double tick_step(double low, double high, int wanted) {
  double rough = (high - low) / wanted, power = pow(10, floor(log10(rough))), part = rough / power;
  return power * (part < 1.5 ? 1 : (part < 3.5 ? 2 : (part < 7.5 ? 5 : 10)));
}

static void tick_text(char* out, size_t size, double x, double step) {
  int digits = (int)fmax(0, -floor(log10(step) + 1e-9));
  if (fabs(x) < step * 1e-6) x = 0;
  if (digits > 5 || fabs(x) >= 1e6) {
    snprintf(out, size, "%.3g", x);
  } else {
    snprintf(out, size, "%.*f", digits, x);
  }
}

// ---- drawing

typedef struct {
  double x, y, w, h;
} Box;

static double to_x(const Page* p, const Box* b, double t) {
  return b->x + (t - p->start) / (p->end - p->start) * b->w;
}
static double to_y(const Panel* panel, const Box* b, double v) {
  return b->y + b->h - (v - panel->low) / (panel->high - panel->low) * b->h;
}

static void draw_grid(cairo_t* c, const Page* p, const Panel* panel, const Box* b) {
  char text[64];
  double step = tick_step(panel->low, panel->high, 5);
  cairo_set_line_width(c, 1);
  for (double v = ceil(panel->low / step) * step; v <= panel->high; v += step) {
    double y = to_y(panel, b, v);
    cli_page_colour(c, fabs(v) < step * 1e-6 ? 0xb0b0b0 : 0xe6e6e6);
    cli_page_rule(c, b->x, y, b->x + b->w, y);
    cli_page_colour(c, 0x404040);
    tick_text(text, sizeof(text), v, step);
    cli_page_text(c, b->x - 10, y + 5, SMALL_SIZE, AT_END, text);
  }
  step = tick_step(p->start, p->end, 10);
  for (double t = ceil(p->start / step - 1e-9) * step; t <= p->end + 1e-9 * step; t += step) {
    double x = to_x(p, b, t);
    cli_page_colour(c, 0xe6e6e6);
    cli_page_rule(c, x, b->y, x, b->y + b->h);
    cli_page_colour(c, 0x404040);
    tick_text(text, sizeof(text), t, step);
    cli_page_text(c, x, b->y + b->h + 19, SMALL_SIZE, AT_CENTRE, text);
  }
  cli_page_colour(c, 0x808080);
  cairo_rectangle(c, floor(b->x) + 0.5, floor(b->y) + 0.5, floor(b->w), floor(b->h));
  cairo_stroke(c);
}

// A curve. Where many rows fall on one column of pixels, its first, lowest, highest and last point are
// enough.
static void draw_line(cairo_t* c, const Page* p, const Panel* panel, const Box* b, int channel) {
  bool open = false;
  double column = -1, low = 0, high = 0, last = 0;
  for (size_t row = 0; row <= p->table->rows; row++) {
    double v = row < p->table->rows ? number(p, row, channel) : (double)NAN;
    double x = isfinite(v) ? to_x(p, b, time_of(p, row)) : -1, y = isfinite(v) ? to_y(panel, b, v) : 0;
    if (open && isfinite(v) && floor(x) == column) {
      low = fmin(low, y);
      high = fmax(high, y);
      last = y;
      continue;
    }
    if (open) {
      cairo_line_to(c, column + 0.5, low);
      cairo_line_to(c, column + 0.5, high);
      cairo_line_to(c, column + 0.5, last);
    }
    if (!isfinite(v)) {
      open = false;
      continue;
    }
    if (open) {
      cairo_line_to(c, x, y);
    } else {
      cairo_move_to(c, x, y);
    }
    open = true;
    column = floor(x);
    low = high = last = y;
  }
  cairo_stroke(c);
}

static void draw_legend(cairo_t* c, const Page* p, const Panel* panel, const Box* b) {
  double x = b->x + b->w + 18, y = b->y + 12, pitch = fmin(20, b->h / panel->count);
  for (int i = 0; i < panel->count; i++, y += pitch) {
    const char *name = p->table->channels[panel->lines[i]].name, *dot = strchr(name, '.');
    cli_page_colour(c, colours[i]);
    cairo_set_line_width(c, 3);
    cli_page_rule(c, x, y - 5, x + 22, y - 5);
    cli_page_colour(c, 0x202020);
    write_within(c, x + 30, y, SMALL_SIZE, RIGHT - 60, dot ? dot + 1 : name);
  }
}

static void draw_panel(cairo_t* c, const Page* p, const Panel* panel, const Box* b) {
  char unit[48], label[128];
  pretty(panel->unit, unit, sizeof(unit));
  snprintf(label, sizeof(label), *unit ? "%s [%s]" : "%s", panel->group, unit);
  draw_grid(c, p, panel, b);
  cairo_save(c);
  cairo_rectangle(c, b->x, b->y, b->w, b->h);
  cairo_clip(c);
  cairo_set_line_width(c, 1.6);
  cairo_set_line_join(c, CAIRO_LINE_JOIN_ROUND);
  for (int i = 0; i < panel->count; i++) {
    cli_page_colour(c, colours[i]);
    draw_line(c, p, panel, b, panel->lines[i]);
  }
  cairo_restore(c);
  draw_legend(c, p, panel, b);
  // the name of the axis stands along it
  cairo_save(c);
  cli_page_colour(c, 0x202020);
  cairo_translate(c, 26, b->y + b->h / 2);
  cairo_rotate(c, -1.5707963267948966);
  cli_page_text(c, 0, 0, TEXT_SIZE, AT_CENTRE, label);
  cairo_restore(c);
}

static void draw_page(cairo_t* c, const Page* p, const char* title) {
  cairo_select_font_face(c, "sans-serif", CAIRO_FONT_SLANT_NORMAL, CAIRO_FONT_WEIGHT_BOLD);
  cli_page_colour(c, 0x101010);
  write_within(c, LEFT, 34, 19, PAGE_WIDTH - LEFT - 40, title);
  cairo_select_font_face(c, "sans-serif", CAIRO_FONT_SLANT_NORMAL, CAIRO_FONT_WEIGHT_NORMAL);
  Box b = {LEFT, TITLE_HEIGHT, PAGE_WIDTH - LEFT - RIGHT, PANEL_HEIGHT};
  for (int i = 0; i < p->count; i++, b.y += PANEL_HEIGHT + PANEL_GAP) draw_panel(c, p, &p->panels[i], &b);
  cli_page_colour(c, 0x202020);
  cli_page_text(c, LEFT + b.w / 2, b.y - PANEL_GAP + 46, TEXT_SIZE, AT_CENTRE,
                p->time >= 0 ? "time [s]" : "row");
}

int cli_plot_draw(const cli_Plot* plot, const char* path, int* left_out) {
  Page page;
  *left_out = lay_out(&page, plot);
  int height = (int)(TITLE_HEIGHT + page.count * (PANEL_HEIGHT + PANEL_GAP) - PANEL_GAP + FOOT_HEIGHT);
  cli_Page picture;
  cli_page_begin(&picture, PAGE_WIDTH, height);
  draw_page(picture.c, &page, plot->title);
  return cli_page_end(&picture, path);
}
#endif
