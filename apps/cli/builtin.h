// The model in the program itself: models/humanoid.xml, turned into an array by embed.cmake.
#pragma once

#include <stddef.h>

extern const char cli_builtin_model[];
extern const size_t cli_builtin_model_size;
