// A sheet: one picture of all models of a folder, with their names.
#pragma once

#include "drawing.h"

/// Find the models below `folder`, draw each as `look` says (a size of 240 x 180 unless it has another) and
/// write them side by side. What does not load has its reason on its place.
/// @return CLI_OK, CLI_FAILED or CLI_STOPPED
int cli_sheet_save(const char* folder, const char* path, const cli_Look* look);
