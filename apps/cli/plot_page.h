// A white page to draw on with cairo: lines, text, and the PNG file in the end. Only in builds with cairo.
#pragma once

#include <cairo.h>

typedef struct {
  cairo_surface_t* surface;
  cairo_t* c;
} cli_Page;

/// Where a text is: it begins at x, its middle is there, or it ends there.
enum { AT_START, AT_CENTRE, AT_END };

/// The font is a plain one. Always followed by cli_page_end(), which looks for errors of drawing, too.
void cli_page_begin(cli_Page* page, double width, double height);

/// Write the page and release it. @return CLI_OK, or CLI_FAILED with a line on stderr
int cli_page_end(cli_Page* page, const char* path);

void cli_page_colour(cairo_t* c, unsigned rgb);
void cli_page_rule(cairo_t* c, double x0, double y0, double x1, double y1);
void cli_page_text(cairo_t* c, double x, double y, double size, int where, const char* text);
