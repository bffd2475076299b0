// Do the derivatives of a model agree with each other?
#pragma once

#include <corten/corten.h>
#include <stdio.h>

/// Linearise a step after some simulated time and compare with finite differences of several sizes; a table
/// with the worst element by name, and a picture of the errors by size when `picture` is not NULL. @return
/// CLI_OK; CLI_FAILED when nothing agrees to 1e-3, or there is no derivative, with a line on stderr
int cli_check_derivatives(FILE* out, ctModel* m, const char* picture, const char* title);
