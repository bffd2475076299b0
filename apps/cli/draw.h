// A picture of a state, from the usual camera.
#pragma once

#include <corten/corten.h>
#include <stdbool.h>

/// Whether this program can draw; says why not, on stderr, when it was built without OpenGL.
bool cli_can_draw(const char* command);

/// Draw a state, whose positions are made current, as a PNG. @return CLI_OK, or CLI_FAILED with a line on
/// stderr
int cli_draw_png(const ctModel* m, ctData* d, const char* path);
