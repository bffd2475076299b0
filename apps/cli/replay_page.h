// The page that replays a run: replay.html, turned into an array by embed.cmake.
#pragma once

#include <stddef.h>

extern const char cli_replay_page[];
extern const size_t cli_replay_page_size;
